/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views whose stack distances are those of a sample of the lines: rates and notes. */
#include "profile/record/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/unit.h"
#include "profile/run/profiler.h"

/* A number, or the quotient of two; NaN: neither. */
static double scan_share(const char *text)
{
    const char *slash = strchr(text, '/');
    struct quantity above, below;
    char left[64];
    if (!slash)
        return quantity_scan(text, &above) == 0 && dim_equal(above.dim, DIM_NONE) ? above.value
                                                                                  : (double)NAN;
    snprintf(left, sizeof left, "%.*s", (int)(slash - text), text);
    if ((size_t)(slash - text) >= sizeof left || !number_scan(left, &above.value) ||
        !number_scan(slash + 1, &below.value))
        return (double)NAN;
    return above.value / below.value;
}

int profile_sample_scan(const char *text, double *rate, struct error *error)
{
    *rate = scan_share(text);
    if (*rate >= PROFILE_SAMPLE_LEAST && *rate <= 1)
        return 0;
    error_set(error, STATUS_USAGE, "expected a share of the lines, got \"%.80s\"", text);
    error_hint(error, "such as 1/16 or 0.0625; from 2^-20 up to 1, which takes all lines");
    return STATUS_USAGE;
}

int profile_error_scan(const char *text, double *out, struct error *error)
{
    *out = scan_share(text);
    if (*out >= PROFILE_ERROR_LEAST && *out < 1)
        return 0;
    error_set(error, STATUS_USAGE, "expected a difference of hit rates, got \"%.80s\"", text);
    error_hint(error, "such as 0.01 or 1%%; from 0.0001 to below 1");
    return STATUS_USAGE;
}

/* --- rates ------------------------------------------------------------------------------- */

/* The power of two at and above. */
static double rate_above(double rate)
{
    double power = 1;
    while (power / 2 >= rate && power / 2 >= PROFILE_SAMPLE_LEAST)
        power /= 2;
    return power;
}

/* That, or all lines where it is not much less work. */
static double rate_worth(double rate)
{
    double power = rate_above(rate);
    return power > PROFILE_SAMPLE_MOST ? 1 : power;
}

double profile_rate_first(const struct source *source, double line_bytes,
                          const struct profile_options *options)
{
    const double student = 2.12, spare = 4;
    double rate = profile_sample_rate(options), bytes = 0;
    for (size_t i = 0; i < source->allocations.count; i++)
        bytes += (double)source->allocations.items[i].bytes;
    double lines = bytes / line_bytes, wanted = options->effort.error;
    if (wanted > 0) {
        double needed = spare * student / (2 * wanted) * spare * student / (2 * wanted);
        rate = lines > 0 && needed / lines > PROFILE_SAMPLE_MOST ? 1 : PROFILE_SAMPLE_MOST;
    }
    return !options->few_lines && lines > 0 && rate * lines < PROFILE_SAMPLE_LINES ? 1 : rate;
}

double profile_rate_again(const struct profile_view *view, const struct profile_options *options)
{
    double rate = view->sample_rate, wanted = options->effort.error;
    double lines = view->sharing.footprint_bytes / view->line_bytes;
    if (!(rate < 1))
        return rate;
    if (!options->few_lines && rate * lines < PROFILE_SAMPLE_LINES)
        return 1;
    double off = wanted > 0 ? profile_view_error(view) / wanted : 0;
    /* More lines do not help where stretches are what is off. */
    if (off <= 1 || off * wanted <= view->settled_within)
        return rate;
    /* What is skimmed costs as much as it has lines. */
    return view->skimmed > 0 ? rate_above(rate * off * off) : rate_worth(rate * off * off);
}

/* The mean of an interval of the run over capacities, of one kind of curve; NaN: there is none. */
static double mean_half(const struct profile_view *view, const char *scope, const char *side)
{
    enum { STEPS_AN_OCTAVE = 4 };
    double least = 10 / view->sample_rate, end = least, sum = 0, requests = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_curve *curve =
            profile_curve_find(&view->records[r], scope, side, "all");
        if (!curve || curve->curve.requests == 0)
            continue;
        const struct curve *c = &curve->curve;
        requests += (double)c->requests;
        if (c->n_points)
            end = fmax(end, (double)c->points[c->n_points - 1].lines);
    }
    int steps = (int)ceil(STEPS_AN_OCTAVE * log2(end / least));
    for (int k = 0; k <= steps; k++)
        for (size_t r = 0; r < view->n_records; r++) {
            const struct profile_curve *curve =
                profile_curve_find(&view->records[r], scope, side, "all");
            if (curve && curve->misses_interval.n_points)
                sum += interval_at(&curve->misses_interval,
                                   fmin(end, least * exp2((double)k / STEPS_AN_OCTAVE)));
        }
    return requests > 0 ? sum / requests / (steps + 1) : (double)NAN;
}

double profile_view_error(const struct profile_view *view)
{
    static const char *const sides[] = {"home", "requester"};
    double worst = 0;
    for (int side = 0; side < 2 && view->sample_rate < 1; side++) {
        double half = mean_half(view, "partition", sides[side]);
        half = isnan(half) ? mean_half(view, "chip", sides[side]) : half;
        worst = half > worst ? half : worst;
    }
    return worst;
}

/* --- notes ------------------------------------------------------------------------------- */

/* Of launches that were left out, where they do more than repeat others, and of what was skimmed.
 * Where something stands before it, behind that. */
static void steps_note(const struct profile_view *view, char *out, size_t size)
{
    const char *joint = out[0] ? "; " : "";
    size_t used = strlen(out);
    if (view->skimmed > 0)
        snprintf(out + used, size - used,
                 "%s%.0f %% of the accesses skimmed: rates within %.2g points, requests within "
                 "%.2g %%",
                 joint, 100 * view->skimmed, 100 * view->settled_within,
                 100 * view->requests_within);
    else if (view->settled_within > PROFILE_SETTLED_WITHIN)
        snprintf(out + used, size - used,
                 "%slaunches between others that were gone through: counts within %.2g %%", joint,
                 100 * view->settled_within);
}

static void lines_note(const struct profile_view *view, char *out, size_t size)
{
    double rate = view->sample_rate, one_in = 1 / rate;
    double lines = view->sharing.footprint_bytes / view->line_bytes * rate;
    double off = profile_view_error(view);
    int used;
    if (fabs(one_in - round(one_in)) < 1e-6 * one_in)
        used = snprintf(out, size, "curves from 1/%.0f of the lines", one_in);
    else
        used = snprintf(out, size, "curves from %.3g %% of the lines", 100 * rate);
    if (!isnan(off) && off > 0 && used > 0 && (size_t)used < size)
        used += snprintf(out + used, size - (size_t)used,
                         ": miss ratios +- %.2g points in the mean over capacities", 100 * off);
    if (lines < PROFILE_SAMPLE_LINES && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ", about %.0f: few, and miss ratios are rough",
                 lines);
}

bool profile_sample_note(const struct profile_view *view, char *out, size_t size)
{
    out[0] = '\0';
    if (view->sample_rate < 1)
        lines_note(view, out, size);
    steps_note(view, out, size);
    return profile_is_sampled(view);
}

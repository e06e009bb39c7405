/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of stack distances, and the piecewise linear curves made of them. */
#include "profile/record/curve.h"

#include <ctype.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- histograms --------------------------------------------------------------- */

uint64_t distance_bin_first(size_t bin)
{
    if (bin < DISTANCE_EXACT)
        return bin;
    size_t octave = (bin - DISTANCE_EXACT) >> DISTANCE_OCTAVE_BITS;
    uint64_t within = (bin - DISTANCE_EXACT) & ((1 << DISTANCE_OCTAVE_BITS) - 1);
    return ((1ULL << DISTANCE_OCTAVE_BITS) + within)
           << (octave + DISTANCE_EXACT_BITS - DISTANCE_OCTAVE_BITS);
}

void distance_histogram_merge(struct distance_histogram *to, const struct distance_histogram *from)
{
    to->requests += from->requests;
    to->cold += from->cold;
    for (size_t i = 0; i < DISTANCE_BINS; i++)
        to->bins[i] += from->bins[i];
}

/* --- curves ------------------------------------------------------------------- */

/* From point `from` on, the furthest point that a straight line may reach with
 * every point between at most `tolerance` off it: the line must lie in the cone
 * of slopes that they leave open. points[0] is the origin. */
static size_t curve_reach(const struct curve_point *points, size_t n, size_t from, double tolerance)
{
    double low = -HUGE_VAL, high = HUGE_VAL;
    size_t best = from + 1;
    for (size_t j = from + 1; j < n && low <= high; j++) {
        double dx = (double)(points[j].lines - points[from].lines);
        double dy = (double)(points[j].hits - points[from].hits);
        if (dy / dx >= low && dy / dx <= high)
            best = j;
        low = fmax(low, (dy - tolerance) / dx);
        high = fmin(high, (dy + tolerance) / dx);
    }
    return best;
}

static size_t curve_thin(const struct curve_point *points, size_t n, double tolerance,
                         struct curve_point out[CURVE_POINTS_MAX])
{
    size_t count = 0;
    for (size_t at = 0; at + 1 < n;) {
        at = curve_reach(points, n, at, tolerance);
        if (count == CURVE_POINTS_MAX)
            return CURVE_POINTS_MAX + 1;
        out[count++] = points[at];
    }
    return count;
}

void curve_from_histogram(struct curve *curve, const struct distance_histogram *histogram,
                          struct arena *arena)
{
    struct curve_point all[DISTANCE_BINS + 1] = {{0, 0}}, kept[CURVE_POINTS_MAX];
    size_t n = 1, used = DISTANCE_BINS;
    while (used > 0 && histogram->bins[used - 1] == 0)
        used--;
    for (size_t bin = 0; bin < used; bin++, n++)
        all[n] = (struct curve_point){distance_bin_first(bin + 1),
                                      all[n - 1].hits + histogram->bins[bin]};
    double tolerance = 0.999 / CURVE_TOLERANCE * (double)histogram->requests;
    size_t count = curve_thin(all, n, tolerance, kept);
    while (count > CURVE_POINTS_MAX)
        count = curve_thin(all, n, tolerance *= 1.25, kept);
    *curve = (struct curve){histogram->requests, histogram->cold, NULL, count};
    curve->points = arena_alloc(arena, count * sizeof *kept);
    memcpy(curve->points, kept, count * sizeof *kept);
}

/* --- evaluation ----------------------------------------------------------------- */

/* Index of the first point above that many lines. */
static size_t curve_above(const struct curve *curve, double lines)
{
    size_t low = 0, high = curve->n_points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((double)curve->points[middle].lines > lines)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct curve_point curve_before(const struct curve *curve, size_t index)
{
    return index ? curve->points[index - 1] : (struct curve_point){0, 0};
}

double curve_miss_ratio_full(const struct curve *curve, double lines)
{
    if (curve->requests == 0 || isnan(lines))
        return (double)NAN;
    size_t i = curve_above(curve, lines);
    struct curve_point from = curve_before(curve, i);
    double hits = (double)from.hits;
    if (i < curve->n_points && lines > (double)from.lines) {
        struct curve_point to = curve->points[i];
        hits += (double)(to.hits - from.hits) * (lines - (double)from.lines) /
                (double)(to.lines - from.lines);
    }
    return 1 - hits / (double)curve->requests;
}

/* Of the lines that came in between, the number in the own set is Poisson with
 * mean t: tail.stay = P[Poisson(t) < ways], and tail.area its integral from 0
 * to t,  t Q(w,t) + w (1 - Q(w,t)) - t e^-t t^(w-1)/Gamma(w),  with the
 * regularised upper incomplete gamma function Q. */
struct tail {
    double stay, area;
};

static struct tail tail_at(double ways, double t)
{
    enum { SUM_WAYS = 128 };
    double stay = 0, last = 0;
    if (t <= 0)
        return (struct tail){1, t};
    if (ways <= SUM_WAYS && ways == floor(ways)) {
        int n = (int)ways;
        last = exp(-t);
        stay = last;
        for (int k = 1; k < n; k++) {
            last *= t / k;
            stay += last;
        }
    } else {
        gsl_sf_result q, gamma;
        if (gsl_sf_gamma_inc_Q_e(ways, t, &q) == 0 && gsl_sf_lngamma_e(ways, &gamma) == 0) {
            stay = q.val;
            last = exp((ways - 1) * log(t) - t - gamma.val);
        } else {
            stay = t < ways;
        }
    }
    return (struct tail){stay, t * stay + ways * (1 - stay) - t * last};
}

/* Wilson and Hilferty's approximation of the gamma quantile, z deviations from
 * the middle: beyond 6 of them a tail is below 1e-8. */
static double tail_edge(double ways, double z)
{
    double root = 1 - 1 / (9 * ways) + z / (3 * sqrt(ways));
    return root > 0 ? ways * root * root * root : 0;
}

double curve_miss_ratio(const struct curve *curve, double sets, double ways)
{
    if (curve->requests == 0 || isnan(sets) || isnan(ways))
        return (double)NAN;
    if (sets <= 0 || ways <= 0)
        return 1;
    if (sets <= 1)
        return curve_miss_ratio_full(curve, sets * ways);
    /* Distances below the window hit, those above miss. */
    double end = sets * tail_edge(ways, 6);
    size_t i = curve_above(curve, sets * tail_edge(ways, -6));
    struct curve_point from = curve_before(curve, i);
    double hits = (double)from.hits;
    /* Distances are whole: the sum over from .. to-1 is the integral between the halves. */
    struct tail before = tail_at(ways, ((double)from.lines - 0.5) / sets);
    for (; i < curve->n_points && (double)from.lines <= end; i++) {
        struct curve_point to = curve->points[i];
        double width = (double)(to.lines - from.lines), share;
        struct tail after = tail_at(ways, ((double)to.lines - 0.5) / sets);
        if (to.lines - from.lines == 1)
            share = tail_at(ways, (double)from.lines / sets).stay;
        else
            share = (after.area - before.area) * sets / width;
        hits += (double)(to.hits - from.hits) * share;
        from = to;
        before = after;
    }
    double miss = 1 - hits / (double)curve->requests;
    return miss < 0 ? 0 : miss;
}

static double curve_end(const struct curve *curve)
{
    return curve->n_points ? (double)curve->points[curve->n_points - 1].lines : 0;
}

void curve_error(const struct curve *a, const struct curve *b, double least, double *mean,
                 double *max)
{
    enum { STEPS_AN_OCTAVE = 16 };
    least = fmax(least, 1);
    double end = fmax(fmax(curve_end(a), curve_end(b)), least), sum = 0;
    int steps = (int)ceil(STEPS_AN_OCTAVE * log2(end / least));
    *max = 0;
    for (int i = 0; i <= steps; i++) {
        double lines = fmin(end, least * exp2((double)i / STEPS_AN_OCTAVE));
        double error = fabs(curve_miss_ratio_full(a, lines) - curve_miss_ratio_full(b, lines));
        sum += error;
        *max = isnan(error) || error > *max ? error : *max;
    }
    *mean = sum / (steps + 1);
}

/* --- text ------------------------------------------------------------------------- */

void curve_print(const struct curve *curve, struct text *out)
{
    text_append(out, "");
    struct curve_point last = {0, 0};
    for (size_t i = 0; i < curve->n_points; i++) {
        struct curve_point point = curve->points[i];
        text_printf(out, "%s%llu %llu", i ? " " : "",
                    (unsigned long long)(point.lines - last.lines),
                    (unsigned long long)(point.hits - last.hits));
        last = point;
    }
}

bool curve_scan_integer(const char **at, uint64_t *out)
{
    uint64_t value = 0;
    while (**at == ' ')
        ++*at;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); ++*at) {
        unsigned digit = (unsigned)(**at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return **at == ' ' || **at == '\0';
}

int curve_scan(struct curve *curve, const char *text, struct arena *arena, struct error *error)
{
    struct curve_point points[CURVE_POINTS_MAX], last = {0, 0};
    size_t count = 0;
    const char *at = text + strspn(text, " ");
    while (*at) {
        uint64_t lines, hits;
        if (count == CURVE_POINTS_MAX)
            return error_set(error, STATUS_INPUT, "curve: more than %d points", CURVE_POINTS_MAX);
        if (!curve_scan_integer(&at, &lines) || !curve_scan_integer(&at, &hits))
            return error_set(error, STATUS_INPUT,
                             "curve: expected pairs of whole numbers, point %zu is \"%.20s\"",
                             count + 1, at);
        if (lines == 0 || lines > UINT64_MAX - last.lines || hits > UINT64_MAX - last.hits)
            return error_set(error, STATUS_INPUT, "curve: point %zu does not ascend", count + 1);
        last = (struct curve_point){last.lines + lines, last.hits + hits};
        points[count++] = last;
        at += strspn(at, " ");
    }
    curve->n_points = count;
    curve->points = arena_alloc(arena, count * sizeof *points);
    memcpy(curve->points, points, count * sizeof *points);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges, units, and tics of log axes. */
#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/unit.h"

/* Beyond this, ranges and margins would leave the numbers. */
#define AXIS_LARGEST 1e300

enum { LABELLED_TICS = 7 };

void axis_begin(struct axis *axis, const struct plot_axis *plan)
{
    *axis = (struct axis){.plan = plan,
                          .whole_kib = true,
                          .octaves = true,
                          .limits = {(double)NAN, (double)NAN},
                          .factor = 1};
}

int axis_see(struct axis *axis, double value, size_t point, struct error *error)
{
    const char *title = axis->plan->title ? axis->plan->title : "";
    if (!isfinite(value))
        return error_set(error, STATUS_INPUT, "%.80s: value %zu is %s and cannot be shown", title,
                         point, isnan(value) ? "NaN" : "infinite");
    if (fabs(value) > AXIS_LARGEST)
        return error_set(error, STATUS_INPUT, "%.80s: %g is too large to be shown", title, value);
    if (axis->plan->scale != PLOT_LINEAR && value < 1.0 / AXIS_LARGEST) {
        error_set(error, STATUS_INPUT, "%.80s: %g cannot be shown on a log axis", title, value);
        error_hint(error, "use a linear axis");
        return STATUS_INPUT;
    }
    axis->least = axis->seen ? fmin(axis->least, value) : value;
    axis->most = axis->seen ? fmax(axis->most, value) : value;
    if (axis->plan->scale == PLOT_LOG2) {
        double octaves = log2(value / axis->least);
        axis->octaves &= fabs(octaves - round(octaves)) < 1e-9;
    }
    axis->whole_kib &= fmod(value, 1024.0) == 0.0;
    axis->seen = true;
    return 0;
}

bool plot_axis_is_of_shares(const struct plot_axis *axis, double high)
{
    return (!axis->unit || strcmp(axis->unit, "1") == 0) && high <= 1;
}

void plot_axis_fit(struct plot_axis *axis, const double *values, size_t count)
{
    double low = HUGE_VAL, high = 0;
    bool doubling = true, even = count > 3, binary = axis->unit && strcmp(axis->unit, "B") == 0;
    axis->scale = PLOT_LINEAR;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0))
            return;
        double octaves = log2(values[i] / values[0]);
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        doubling = doubling && fabs(octaves - round(octaves)) < 1e-9;
        binary = binary && fmod(values[i], 1024) == 0;
        even = even &&
               fabs(values[i] - values[0] - (double)i * (values[1] - values[0])) < 1e-9 * values[i];
    }
    if (doubling && high >= 4 * low)
        axis->scale = PLOT_LOG2;
    else if (!even && high >= 6 * low && !plot_axis_is_of_shares(axis, high))
        axis->scale = binary ? PLOT_LOG2 : PLOT_LOG10;
}

double axis_position(const struct axis *axis, double value)
{
    if (axis->plan->scale == PLOT_LINEAR)
        return (value - axis->from) / (axis->to - axis->from);
    return log(value / axis->from) / log(axis->to / axis->from);
}

/* --- units */

/* "10^9" in the characters of Unicode; a factor before it unless it is 1. */
static void put_power_of_ten(char out[AXIS_LABEL], double factor, int exponent)
{
    static const char *const digits[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char number[16];
    size_t used = 0;
    if (fabs(factor - 1) > 1e-6)
        used = (size_t)snprintf(out, AXIS_LABEL, "%.4g\xc2\xb7", factor);
    used +=
        (size_t)snprintf(out + used, AXIS_LABEL - used, "10%s", exponent < 0 ? "\xe2\x81\xbb" : "");
    snprintf(number, sizeof number, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *c = number; *c; c++)
        used += (size_t)snprintf(out + used, AXIS_LABEL - used, "%s", digits[*c - '0']);
}

/* Units that have prefixes, and the least and the most of them, in thousands. */
static const struct prefixed {
    const char *unit;
    int least, most;
} prefixed_units[] = {{"B", 0, 5}, {"s", -4, 0}, {"Hz", 0, 3}, {"J", -5, 0}};

static const char *axis_given_unit(const struct axis *axis)
{
    const char *unit = axis->plan->unit;
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

/* The row of the axis' unit; NULL: it takes no prefix. *own: the factor of the one it has (mostly
 * 1), *rest: what follows ("/s"). */
static const struct prefixed *axis_prefixed(const struct axis *axis, double *own, const char **rest)
{
    const char *unit = axis_given_unit(axis);
    size_t length = strcspn(unit, "/");
    char base[AXIS_LABEL];
    double factor;
    struct dim dim;
    snprintf(base, sizeof base, "%.*s", (int)length, unit);
    size_t scanned = unit_scan(base, &factor, &dim);
    if (scanned == 0 || scanned != strlen(base))
        return NULL;
    if (own) {
        *own = factor;
        *rest = unit + length;
    }
    dim_unit(dim, base, sizeof base);
    for (size_t i = 0; i < sizeof prefixed_units / sizeof *prefixed_units; i++)
        if (strcmp(prefixed_units[i].unit, base) == 0)
            return &prefixed_units[i];
    return NULL;
}

/* The unit that suits a value: its symbol; returns what a value is divided by. */
static double axis_pick_unit(const struct axis *axis, double value, char symbol[AXIS_LABEL])
{
    static const char *const prefixes[] = {"f", "p", "n", "\xc2\xb5", "m", "",
                                           "k", "M", "G", "T",        "P"};
    const char *unit = axis_given_unit(axis), *rest;
    double own;
    const struct prefixed *row = axis_prefixed(axis, &own, &rest);
    if (row) {
        bool binary = axis->whole_kib && strcmp(row->unit, "B") == 0 && !*rest;
        double base = binary ? 1024 : 1000;
        double power = floor(log(fabs(value) * own) / log(base) + 1e-9);
        power = fmin(fmax(power, row->least), binary ? 4 : row->most);
        const char *prefix = binary && power == 1 ? "K" : prefixes[(int)power + 5];
        snprintf(symbol, AXIS_LABEL, "%s%s%s%.20s", prefix, binary && power > 0 ? "i" : "",
                 row->unit, rest);
        return pow(base, power) / own;
    }
    int exponent = value != 0.0 ? (int)floor(log10(fabs(value)) / 3.0 + 1e-9) * 3 : 0;
    if (exponent >= -3 && exponent < 6) {
        snprintf(symbol, AXIS_LABEL, "%.30s", unit);
        return 1.0;
    }
    put_power_of_ten(symbol, 1, exponent);
    size_t used = strlen(symbol);
    snprintf(symbol + used, AXIS_LABEL - used, "%s%.12s", unit[0] ? " " : "", unit);
    return pow(10.0, exponent);
}

/* --- log axes */

static void axis_add_tic(struct axis *axis, double at, bool labelled)
{
    if (axis->tic_count == AXIS_TICS || at < axis->from || at > axis->to)
        return;
    struct axis_tic *tic = &axis->tics[axis->tic_count++];
    tic->at = at;
    tic->label[0] = labelled ? 'x' : '\0';
    tic->label[1] = '\0';
    if (labelled)
        axis->labelled[axis->n_labelled++ > 0] = at;
}

/* At powers of two, or, where all values are apart by powers of two, at these
 * values: axes are often 48, 96, 192 GB/s. */
static void axis_tics_log2(struct axis *axis)
{
    double anchor = axis->octaves ? axis->least : exp2(floor(log2(axis->least)));
    double stride = ceil(log2(axis->to / axis->from) / LABELLED_TICS);
    for (double at = anchor; at <= axis->to; at *= exp2(stride))
        axis_add_tic(axis, at, true);
    axis->whole_kib = fmod(anchor, 1024.0) == 0.0; /* binary units suit the tics */
}

static void axis_tics_log10(struct axis *axis)
{
    double decades = log10(axis->to / axis->from), stride = ceil(decades / LABELLED_TICS);
    bool dense = decades < 2.5;
    for (double k = floor(log10(axis->from)); k <= ceil(log10(axis->to)); k++) {
        axis_add_tic(axis, pow(10.0, k), fmod(k, stride) == 0.0);
        for (int m = 2; m < 10 && stride == 1.0; m++)
            axis_add_tic(axis, m * pow(10.0, k), dense && (m == 2 || m == 5));
    }
}

/* The number alone where all have one unit, which then is behind the title. */
static void axis_label(const struct axis *axis, struct axis_tic *tic, bool same)
{
    char symbol[AXIS_LABEL];
    double factor = axis_pick_unit(axis, tic->at, symbol);
    int exponent = (int)floor(log10(tic->at) + 1e-9);
    if (axis_prefixed(axis, NULL, NULL))
        snprintf(tic->label, sizeof tic->label, "%.4g%s%.24s", tic->at / factor, same ? "" : " ",
                 same ? "" : symbol);
    else if (exponent >= -3 && exponent < 6)
        snprintf(tic->label, sizeof tic->label, "%.10g", tic->at);
    else
        put_power_of_ten(tic->label, tic->at / pow(10.0, exponent), exponent);
}

/* A limit that leaves nothing between it and the other end moves that one along. */
static void axis_take_limits(struct axis *axis)
{
    bool linear = axis->plan->scale == PLOT_LINEAR;
    if (!isnan(axis->limits[0]))
        axis->from = axis->limits[0];
    if (!isnan(axis->limits[1]))
        axis->to = axis->limits[1];
    if (axis->from < axis->to)
        return;
    double gap = fabs(axis->from) > 0 ? fabs(axis->from) : 1;
    if (isnan(axis->limits[1]))
        axis->to = linear ? axis->from + gap : axis->from * 10;
    else
        axis->from = linear ? axis->to - gap : axis->to / 10;
}

static void axis_layout_log(struct axis *axis)
{
    double margin = fmax(pow(axis->most / axis->least, 0.05), 1.1);
    char symbol[AXIS_LABEL];
    axis->from = axis->least / margin;
    axis->to = axis->most * margin;
    axis_take_limits(axis);
    if (axis->plan->scale == PLOT_LOG2)
        axis_tics_log2(axis);
    else
        axis_tics_log10(axis);
    if (axis->n_labelled < 2) { /* less than an octave: show the ends */
        axis->tic_count = axis->n_labelled = 0;
        axis_add_tic(axis, fmax(axis->least, axis->from), true);
        if (fmin(axis->most, axis->to) > fmax(axis->least, axis->from))
            axis_add_tic(axis, fmin(axis->most, axis->to), true);
        if (!axis->n_labelled) /* the values are elsewhere */
            axis_add_tic(axis, axis->from, true);
    }
    axis_pick_unit(axis, axis->labelled[0], axis->unit);
    axis_pick_unit(axis, axis->labelled[axis->n_labelled > 1], symbol);
    bool same = strcmp(axis->unit, symbol) == 0;
    for (size_t i = 0; i < axis->tic_count; i++)
        if (axis->tics[i].label[0])
            axis_label(axis, &axis->tics[i], same);
    if (!axis_prefixed(axis, NULL, NULL))
        snprintf(axis->unit, sizeof axis->unit, "%.30s", axis_given_unit(axis));
    else if (!same)
        axis->unit[0] = '\0';
}

void axis_layout(struct axis *axis)
{
    if (axis->plan->scale != PLOT_LINEAR) {
        axis_layout_log(axis);
        return;
    }
    double size = fmax(fabs(axis->least), fabs(axis->most));
    double margin = (axis->most - axis->least) * 0.05;
    /* Values that agree in six digits are shown as one: their tics would be
     * labelled alike. */
    if (axis->most - axis->least < size * 1e-6)
        margin = size * 0.1;
    if (size < 1.0 / AXIS_LARGEST)
        margin = 1.0;
    axis->from = axis->least - margin;
    axis->to = axis->most + margin;
    if (axis->least >= 0.0 && axis->least < 0.3 * axis->most)
        axis->from = 0.0;
    if (axis->most <= 0.0 && axis->most > 0.3 * axis->least)
        axis->to = 0.0;
    axis->factor = axis_pick_unit(axis, size, axis->unit);
    if (axis->plan->from < axis->plan->to) {
        axis->from = axis->plan->from;
        axis->to = axis->plan->to;
    }
    axis_take_limits(axis);
}

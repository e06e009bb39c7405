/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges, units and tics. */
#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/unit.h"

/* Beyond this, ranges and margins would leave the numbers. */
#define AXIS_LARGEST 1e300

void axis_begin(struct axis *axis, const struct plot_axis *plan)
{
    *axis = (struct axis){.plan = plan, .whole_kib = true, .octaves = true};
}

int axis_see(struct axis *axis, const double *values, size_t count, struct error *error)
{
    const char *title = axis->plan->title ? axis->plan->title : "";
    for (size_t i = 0; i < count; i++) {
        double value = values[i];
        if (!isfinite(value))
            return error_set(error, STATUS_INPUT, "%.80s: value %zu is %s and cannot be shown",
                             title, i, isnan(value) ? "NaN" : "infinite");
        if (fabs(value) > AXIS_LARGEST)
            return error_set(error, STATUS_INPUT, "%.80s: %g is too large to be shown", title,
                             value);
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
    }
    return 0;
}

double axis_position(const struct axis *axis, double value)
{
    if (axis->plan->scale == PLOT_LINEAR)
        return (value - axis->from) / (axis->to - axis->from);
    return log(value / axis->from) / log(axis->to / axis->from);
}

/* --- units */

/* The unit as given; a plain number's may be written "1". */
static const char *axis_given_unit(const struct axis *axis)
{
    const char *unit = axis->plan->unit;
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

/* The unit's numerator as the program spells it, and what follows it. */
static void axis_split_unit(const char *unit, char base[AXIS_LABEL], const char **rest)
{
    size_t length = strcspn(unit, "/");
    snprintf(base, AXIS_LABEL, "%.*s", (int)(length < 30 ? length : 30), unit);
    if (strcmp(base, "bytes") == 0 || strcmp(base, "byte") == 0)
        snprintf(base, AXIS_LABEL, "B");
    *rest = unit + length;
}

/* Ascending units of one kind; NULL: not one that has prefixes. */
static const char *const *axis_prefixes(struct dim dim, bool binary)
{
    static const char *const sizes[] = {"B", "kB", "MB", "GB", "TB", "PB", NULL};
    static const char *const binaries[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    static const char *const times[] = {"ps", "ns", "us", "ms", "s", NULL};
    static const char *const rates[] = {"Hz", "kHz", "MHz", "GHz", NULL};
    static const char *const energies[] = {"fJ", "pJ", "nJ", "uJ", "mJ", "J", NULL};
    if (dim_equal(dim, DIM_BYTES))
        return binary ? binaries : sizes;
    if (dim_equal(dim, DIM_SECONDS))
        return times;
    if (dim_equal(dim, DIM_HERTZ))
        return rates;
    if (dim_equal(dim, (struct dim){0, 0, 0, 1}))
        return energies;
    return NULL;
}

/* "10^9" in the characters of Unicode. */
static void put_power_of_ten(struct text *text, int exponent)
{
    static const char *const digits[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char number[16];
    text_append(text, exponent < 0 ? "10\xe2\x81\xbb" : "10");
    snprintf(number, sizeof number, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *c = number; *c; c++)
        text_append(text, digits[*c - '0']);
}

/* The units with prefixes for this axis, NULL when its unit takes none; *own is
 * the unit's own factor, *rest what follows it ("/s"). */
static const char *const *axis_units(const struct axis *axis, double *own, const char **rest)
{
    char base[AXIS_LABEL];
    struct dim dim;
    axis_split_unit(axis_given_unit(axis), base, rest);
    size_t scanned = unit_scan(base, own, &dim);
    if (scanned == 0 || scanned != strlen(base))
        return NULL;
    return axis_prefixes(dim, axis->whole_kib && !(*rest)[0]);
}

/* The unit that suits a value: its symbol, and what a value is divided by. */
static double axis_pick_unit(const struct axis *axis, double value, char symbol[AXIS_LABEL])
{
    const char *unit = axis_given_unit(axis), *rest;
    double own, factor = 1.0;
    const char *const *list = axis_units(axis, &own, &rest);
    symbol[0] = '\0';
    for (; list && *list; list++) {
        double prefix;
        struct dim dim;
        unit_scan(*list, &prefix, &dim);
        if (symbol[0] == '\0' || fabs(value) >= prefix / own * 0.9999999) {
            bool micro = (*list)[0] == 'u';
            factor = prefix / own;
            snprintf(symbol, AXIS_LABEL, "%s%s%.20s", micro ? "\xc2\xb5" : "", *list + micro, rest);
        }
    }
    if (symbol[0])
        return factor;
    int exponent = value != 0.0 ? (int)floor(log10(fabs(value)) / 3.0 + 1e-9) * 3 : 0;
    if (exponent >= -3 && exponent < 6) {
        snprintf(symbol, AXIS_LABEL, "%.30s", unit);
        return 1.0;
    }
    struct text text = {0};
    put_power_of_ten(&text, exponent);
    snprintf(symbol, AXIS_LABEL, "%s%s%.12s", text.data, unit[0] ? " " : "", unit);
    text_free(&text);
    return pow(10.0, exponent);
}

/* --- tics */

static void axis_add_tic(struct axis *axis, double at, const char *label)
{
    if (axis->tic_count == AXIS_TICS || at < axis->from || at > axis->to)
        return;
    struct axis_tic *tic = &axis->tics[axis->tic_count++];
    tic->at = at;
    snprintf(tic->label, sizeof tic->label, "%s", label);
}

/* 1, 2 or 5 times a power of ten that divides the range into few pieces. */
static double axis_step(double range, int most)
{
    double power = pow(10.0, floor(log10(range / most)));
    static const double nice[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (range / (nice[i] * power) <= most)
            return nice[i] * power;
    return 20 * power;
}

static void axis_layout_linear(struct axis *axis, int most_tics)
{
    double size = fmax(fabs(axis->least), fabs(axis->most));
    double margin = (axis->most - axis->least) * 0.05;
    char label[AXIS_LABEL];
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
    double factor = axis_pick_unit(axis, size, axis->unit);
    double step = axis_step((axis->to - axis->from) / factor, most_tics);
    int decimals = (int)ceil(-log10(step) - 1e-9);
    for (double k = ceil(axis->from / factor / step - 1e-9); k * step * factor <= axis->to; k++) {
        snprintf(label, sizeof label, "%.*f", decimals > 0 ? decimals : 0, k * step + 0.0);
        axis_add_tic(axis, k * step * factor, label);
    }
}

/* "2*10^-5", in Unicode; just "200" where that is short. */
static void axis_label_plain(struct axis_tic *tic)
{
    int exponent = (int)floor(log10(tic->at) + 1e-9);
    double digits = tic->at / pow(10.0, exponent);
    struct text text = {0};
    if (exponent >= -3 && exponent < 6) {
        snprintf(tic->label, sizeof tic->label, "%.10g", tic->at);
        return;
    }
    if (fabs(digits - 1.0) > 1e-6)
        text_printf(&text, "%.4g\xc2\xb7", digits);
    put_power_of_ten(&text, exponent);
    snprintf(tic->label, sizeof tic->label, "%s", text.data);
    text_free(&text);
}

/* Labels with a unit each, or without when all have the same. */
static void axis_label_log(struct axis *axis)
{
    char symbols[AXIS_TICS][AXIS_LABEL] = {{0}};
    size_t first = axis->tic_count;
    double own;
    const char *rest;
    bool same = true, prefixes = axis_units(axis, &own, &rest) != NULL;
    for (size_t i = 0; i < axis->tic_count; i++) {
        struct axis_tic *tic = &axis->tics[i];
        if (!tic->label[0])
            continue;
        if (!prefixes) {
            snprintf(axis->unit, sizeof axis->unit, "%.30s", axis_given_unit(axis));
            axis_label_plain(tic);
            continue;
        }
        double factor = axis_pick_unit(axis, tic->at, symbols[i]);
        first = first < i ? first : i;
        same &= strcmp(symbols[i], symbols[first]) == 0;
        snprintf(tic->label, sizeof tic->label, "%.4g", tic->at / factor);
    }
    if (first == axis->tic_count)
        return;
    if (same) {
        snprintf(axis->unit, sizeof axis->unit, "%s", symbols[first]);
        return;
    }
    for (size_t i = 0; i < axis->tic_count; i++) {
        char *label = axis->tics[i].label;
        size_t length = strlen(label);
        if (label[0])
            snprintf(label + length, AXIS_LABEL - length, " %.24s", symbols[i]);
    }
}

/* At powers of two, or, where all values are apart by powers of two, at these
 * values: axes are often 48, 96, 192 GB/s. */
static void axis_tics_log2(struct axis *axis, int most_tics)
{
    double anchor = axis->octaves ? axis->least : exp2(floor(log2(axis->least)));
    double stride = ceil(log2(axis->to / axis->from) / most_tics);
    for (double at = anchor; at <= axis->to; at *= exp2(stride))
        axis_add_tic(axis, at, "x");
    axis->whole_kib = fmod(anchor, 1024.0) == 0.0; /* binary units suit the tics */
}

static void axis_tics_log10(struct axis *axis, int most_tics)
{
    double decades = log10(axis->to / axis->from);
    double stride = ceil(decades / most_tics);
    bool dense = decades < 2.5;
    for (double k = floor(log10(axis->from)); k <= ceil(log10(axis->to)); k++) {
        bool labelled = fmod(k, stride) == 0.0;
        axis_add_tic(axis, pow(10.0, k), labelled ? "x" : "");
        for (int m = 2; m < 10 && stride == 1.0; m++)
            axis_add_tic(axis, m * pow(10.0, k), dense && (m == 2 || m == 5) ? "x" : "");
    }
}

static size_t axis_labelled(const struct axis *axis)
{
    size_t count = 0;
    for (size_t i = 0; i < axis->tic_count; i++)
        count += axis->tics[i].label[0] != '\0';
    return count;
}

void axis_layout(struct axis *axis, int most_tics)
{
    axis->tic_count = 0;
    axis->unit[0] = '\0';
    if (axis->plan->scale == PLOT_LINEAR) {
        axis_layout_linear(axis, most_tics);
        return;
    }
    double margin = fmax(pow(axis->most / axis->least, 0.05), 1.1);
    axis->from = axis->least / margin;
    axis->to = axis->most * margin;
    if (axis->plan->scale == PLOT_LOG2)
        axis_tics_log2(axis, most_tics);
    else
        axis_tics_log10(axis, most_tics);
    if (axis_labelled(axis) < 2) { /* less than an octave: show the ends */
        axis->tic_count = 0;
        axis_add_tic(axis, axis->least, "x");
        if (axis->most > axis->least)
            axis_add_tic(axis, axis->most, "x");
    }
    axis_label_log(axis);
}

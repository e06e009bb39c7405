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

bool profile_sample_note(const struct profile_view *view, char *out, size_t size)
{
    /* Miss ratios of a sample of n lines are off by some 1 / sqrt(n), or more. */
    enum { FEW_LINES = 1000 };
    double rate = view->sample_rate, one_in = 1 / rate;
    double lines = view->sharing.footprint_bytes / view->line_bytes * rate;
    int used;
    out[0] = '\0';
    if (!(rate < 1))
        return false;
    if (fabs(one_in - round(one_in)) < 1e-6 * one_in)
        used = snprintf(out, size, "curves from 1/%.0f of the lines", one_in);
    else
        used = snprintf(out, size, "curves from %.3g %% of the lines", 100 * rate);
    if (lines < FEW_LINES && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ", about %.0f: few, and miss ratios are rough",
                 lines);
    return true;
}

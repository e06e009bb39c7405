/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/profile_numa.h"

#include <math.h>
#include <string.h>

/* What the words stand for; the number stands beside them. */
static const double friendly = 0.9, half = 0.5;

/* Of all requests, those whose home is the requester's; NaN: unknown. */
static double local_share(const struct profile_view *view)
{
    double local = 0, all = 0;
    for (size_t i = 0; i < view->n_records; i++) {
        const double *fields = view->records[i].fields;
        if (fields[FIELD_REQUESTS] > 0) {
            local += fields[FIELD_REQUESTS] * fields[FIELD_R_LOCAL];
            all += fields[FIELD_REQUESTS];
        }
    }
    return all > 0 ? local / all : (double)NAN;
}

/* Of the machine that the view is of; "": the profile does not say. */
static const char *key_of(const struct profile_view *view, const char *path)
{
    for (size_t i = 0; i < view->n_keys; i++)
        if (strcmp(view->keys[i].path, path) == 0)
            return view->keys[i].value;
    return "";
}

/* Whether pages go where nobody looked who uses them. */
static bool is_spread(const char *policy)
{
    return strncmp(policy, "interleave", 10) == 0 || strncmp(policy, "pae", 3) == 0 ||
           strncmp(policy, "round-robin", 11) == 0;
}

static void append_percent(struct text *text, const char *before, double share, const char *after)
{
    char number[32];
    text_printf(text, "%s%s %%%s", before, number_round(100 * share, 3, number, sizeof number),
                after);
}

static void append_shared(const struct profile_sharing *s, struct text *text)
{
    append_percent(text, "", s->truly_shared_bytes / s->footprint_bytes,
                   " of the footprint is what several chips use");
    if (s->read_only_shared_bytes >= half * s->truly_shared_bytes)
        text_append(text, ",\n  mostly only read: copies serve it (llc.organisation=sm-side)\n");
    else if (s->read_only_shared_bytes < half * s->truly_shared_bytes)
        text_append(text, ",\n  and write: work on it belongs on one chip\n");
    else
        text_append(text, "\n");
}

static void append_mover(const struct profile_view *view, struct text *text)
{
    const struct profile_sharing *s = &view->sharing;
    const char *policy = key_of(view, "page.policy");
    bool spread = is_spread(policy);
    double own = s->non_shared_bytes / s->footprint_bytes;
    text_append(text, "  ");
    if (spread)
        text_printf(text, "page.policy %s spreads pages over the chips, whoever uses them;\n  ",
                    policy);
    if (spread && own > half)
        append_percent(text, "page.policy=first-touch keeps the ", own,
                       " of the footprint that one chip alone uses there\n");
    else if (s->falsely_shared_bytes > s->truly_shared_bytes)
        append_percent(text, "", s->falsely_shared_bytes / s->footprint_bytes,
                       " of the footprint is lines of one chip on pages of several: a\n  smaller "
                       "page.size under first touch, or data laid out by chip, parts them\n");
    else
        append_shared(s, text);
}

void profile_numa_append(const struct profile_view *view, struct text *text)
{
    double local = local_share(view);
    bool partitions = strcmp(key_of(view, "partitions"), "1") != 0;
    if (isnan(local) || isnan(view->sharing.footprint_bytes) || !view->n_keys || partitions ||
        strcmp(key_of(view, "chips"), "1") == 0)
        return;
    const char *verdict = local >= friendly ? "NUMA-friendly"
                          : local >= half   ? "partly NUMA-friendly"
                                            : "not NUMA-friendly";
    text_append(text, verdict);
    append_percent(text, ": ", local, " of the requests stay on the chip that asks\n");
    if (local < friendly)
        append_mover(view, text);
}

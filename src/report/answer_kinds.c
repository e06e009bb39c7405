/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of kinds of answer. */
#include "report/answer_kinds.h"

#include <math.h>
#include <string.h>

const char answer_kinds_reason[] =
    "EAB-style lets local and remote streams saturate each on its own; the bottleneck takes all "
    "at the workload's mix; the network has hops, latencies and contention as well.";

const char *answer_kind(const struct answer *answer, char *out, size_t size)
{
    const char *kind = answer->result.model->answer;
    size_t length = strcspn(kind, " ");
    snprintf(out, size, "%.*s", (int)length, kind);
    return out;
}

/* Of several models of a kind the one of its name speaks for it, or the preferred one. */
static bool speaks_for(const struct answer *answer, const char *kind)
{
    const struct plugin *plugin = &answer->result.model->plugin;
    return strcmp(plugin->name, kind) == 0 || plugin->preferred > 0;
}

size_t answer_kinds_find(const struct answer_row *rows, size_t count, size_t i,
                         struct answer_of_kind *kinds)
{
    size_t n = 0;
    for (size_t r = 0; r < count; r++) {
        struct answer_of_kind kind = {.answer = rows[r].answer};
        size_t k = 0;
        if (strcmp(rows[r].workload, rows[i].workload) != 0 || rows[r].built != rows[i].built ||
            strcmp(kind.answer->result.organisation, rows[i].answer->result.organisation) != 0 ||
            !(answer_metric(kind.answer, "effective_bandwidth") > 0))
            continue;
        answer_kind(kind.answer, kind.kind, sizeof kind.kind);
        while (k < n && strcmp(kinds[k].kind, kind.kind) != 0)
            k++;
        if (k < ANSWER_KINDS_MAX && (k == n || speaks_for(kind.answer, kind.kind)))
            kinds[k] = kind;
        n += k == n && n < ANSWER_KINDS_MAX;
    }
    return n;
}

double answer_kinds_spread(const struct answer_row *rows, size_t count, size_t i, struct text *note)
{
    struct answer_of_kind kinds[ANSWER_KINDS_MAX];
    size_t n = answer_kinds_find(rows, count, i, kinds);
    double least = HUGE_VAL, most = 0;
    for (size_t k = 0; k < n; k++) {
        double rate = answer_metric(kinds[k].answer, "effective_bandwidth");
        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    if (n < 2)
        return (double)NAN;
    if (!note || !(most / least > ANSWER_KINDS_APART))
        return most / least;
    text_printf(note, "%s, %s: kinds of answer differ by more than %.0f %%:", rows[i].workload,
                rows[i].answer->result.organisation, 100 * (ANSWER_KINDS_APART - 1));
    for (size_t k = 0; k < n; k++) {
        char value[64];
        struct quantity rate = {answer_metric(kinds[k].answer, "effective_bandwidth"),
                                DIM_BYTES_PER_S};
        quantity_format(rate, 4, value, sizeof value);
        text_printf(note, "%s %s %s (%s)", k ? "," : "", kinds[k].kind, value,
                    kinds[k].answer->result.model->plugin.name);
    }
    return most / least;
}

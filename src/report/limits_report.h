/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits an answer, in words and as sheets. Every word follows from a number of the answer. */
#ifndef BANDSCAPE_REPORT_LIMITS_REPORT_H
#define BANDSCAPE_REPORT_LIMITS_REPORT_H

#include "core/sheet.h"
#include "explore/answer/difference.h"
#include "explore/answer/elasticity.h"
#include "explore/answer/limits.h"

struct limits_subject {
    const char *machine, *workload;
    const struct machine *design; /* whose numbers are named */
    const struct answer *answer;
    const struct limits *limits;
    const struct elasticity *knob; /* that helps most; NULL: none */
};

/* Sentences, without a line's end. */
void limits_say(const struct limits_subject *subject, struct text *out);

/* Which of these helps most, moved as they were: NULL where none does. */
const struct elasticity *limits_best_knob(const struct elasticities *found);

/* Resources, the first to bind first. */
struct sheet *limits_sheet(const struct answer *answer, const struct limits *limits);
/* A request's way through a network, the longest stay first; NULL: the model has no stations. */
struct sheet *limits_stations(const struct answer *answer, const struct model_record *record);
/* Groups of launches, the one that takes the most time first; at most `most` of them, and a note
 * that says how many are left out (0: all). */
struct sheet *limits_launches(const struct answer *answer, size_t most);
struct sheet *limits_knobs(const struct elasticities *found, size_t most);
/* Minima, sums and resources of the bandwidth of one record, in the model's symbols; nothing where
 * no minimum is in it. */
void limits_tree(const struct answer *answer, const struct model_record *record, struct text *out);

/* The terms that make two answers differ, and their sum, the time; `names`: of the two. Unless
 * `all`, what does not show in a table is one row. */
struct sheet *limits_differences(const struct differences *found, const char *const names[2],
                                 const double times_s[2], bool all);

#endif

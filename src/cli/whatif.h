/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bandscape whatif was asked, and its answers. */
#ifndef BANDSCAPE_CLI_WHATIF_H
#define BANDSCAPE_CLI_WHATIF_H

#include "cli/question.h"
#include "explore/answer/answer.h"
#include "explore/answer/baseline.h"
#include "profile/run/profiler.h"
#include "report/answer_report.h"

struct whatif_answer {
    size_t subject, variant;
    struct answer *answer;
    double speedup; /* NaN: unknown, or there is no baseline */
};

/* The machine with one choice of the settings' values. */
struct whatif_variant {
    struct machine *machine;
    struct {
        const struct profile_view **items;
        size_t count, capacity;
    } views; /* of the subjects */
    struct filling_room room;
};

struct whatif {
    struct question question;
    struct {
        const struct model **items;
        size_t count, capacity;
    } models;
    const char *baseline_name; /* NULL: no speed-ups */
    struct baseline baseline;
    struct {
        struct whatif_variant *items;
        size_t count, capacity;
    } variants; /* by choice */
    struct {
        const char **items;
        size_t count, capacity;
    } varied; /* paths of settings with several values */
    struct {
        struct whatif_answer *items;
        size_t count, capacity;
    } answers;       /* subject-major, then variant, organisation, then model */
    bool all_models; /* nobody named them: those that do not apply are left out */
    bool all_rows;   /* a table has every model's answer */
    bool in_a_line;  /* nothing is printed but what a table has: answers may lack the rest */
    bool named;      /* the user named the organisations: each has to answer */
    struct profile_effort effort;
};

/* The answers as reports take them; free() them. */
struct answer_row *whatif_rows(const struct whatif *w);

/* Everything to the standard output, as table, json or csv; warnings that have no place in
 * those to the standard error. `explain`: a table is followed by every term. */
void whatif_print(const struct whatif *w, const char *format, bool explain);

#endif

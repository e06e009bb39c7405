/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records with straight miss curves, for tests of SAC. */
#ifndef BANDSCAPE_TESTS_SAC_CHECK_H
#define BANDSCAPE_TESTS_SAC_CHECK_H

#include "profile_check.h"

#include "explore/answer/answer.h"

/* One set of 4096 ways: a fully associative LLC of 4096 lines, read off the curves. */
static inline struct machine *one_set(const char *organisation)
{
    struct machine *m = check_shipped("sac", NULL);
    check_set(m, "llc.capacity", "512 KiB");
    check_set(m, "llc.ways", "4096");
    check_set(m, "llc.organisation", organisation);
    return m;
}

/* Of 100 requests `hits` have distances spread evenly below `lines`. */
static inline struct profile_curve straight(struct curve_point *point, const char *side,
                                            const char *filter, uint64_t lines, uint64_t hits)
{
    *point = (struct curve_point){lines, hits};
    return (struct profile_curve){
        .scope = "chip", .side = side, .filter = filter, .curve = {100, 100 - hits, point, 1}};
}

struct example {
    struct curve_point points[5];
    struct profile_curve curves[5];
    struct profile_record record;
    struct profile_view view;
};

/* Misses of the local stream fall from 1 to 1 - local/100 over 4096 lines, of the remote
 * stream at the requester to 1 - remote/100; those of memory-side and SM-side LLCs, and of either
 * stream within a memory-side one, as of the local stream. */
static inline void example_make(struct example *e, double r_local, uint64_t local, uint64_t remote)
{
    *e = (struct example){.record = {.name = "k", .launches = 3, .n_curves = 5}};
    e->curves[0] = straight(&e->points[0], "home", "local", 4096, local);
    e->curves[1] = straight(&e->points[1], "requester", "remote", 4096, remote);
    e->curves[2] = straight(&e->points[2], "home", "all", 4096, local);
    e->curves[3] = straight(&e->points[3], "requester", "all", 4096, local);
    e->curves[4] = straight(&e->points[4], "home", "remote-of-all", 4096, local);
    for (int i = 0; i < FIELD_COUNT; i++)
        e->record.fields[i] = NAN;
    e->record.fields[FIELD_R_LOCAL] = r_local;
    e->record.fields[FIELD_LSU_MEMORY_SIDE] = 0.5;
    e->record.fields[FIELD_LSU_SM_SIDE] = 0.8;
    e->record.fields[FIELD_BYTES] = 1e9;
    e->record.curves = e->curves;
    e->view = (struct profile_view){.records = &e->record, .n_records = 1};
}

static inline struct answer *ask(const char *model, const struct machine *machine,
                                 struct example *e)
{
    return check_answer(model, machine, &e->view);
}

static inline double metric(const char *model, const struct machine *machine, struct example *e,
                            const char *name)
{
    OWNED(answer) *answer = ask(model, machine, e);
    double value = answer_metric(answer, name);
    return value;
}

#endif

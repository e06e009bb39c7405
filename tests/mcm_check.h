/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of MCM-GPU's models share: hand-made records, machines with settings, answers. */
#ifndef BANDSCAPE_TESTS_MCM_CHECK_H
#define BANDSCAPE_TESTS_MCM_CHECK_H

#include "check.h"

#include "explore/answer.h"
#include "machine/machine.h"

/* LLC hit rate h, on either side; lines over the slices evenly. */
static inline struct profile_record mcm_record(double r_local, double hit)
{
    struct profile_record record = {.name = "", .launches = 1};
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = (double)NAN;
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = record.fields[FIELD_LLC_HIT_SM_SIDE] = hit;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    return record;
}

/* A shipped machine, read once. `settings`: path, value, ..., NULL; NULL: none. */
static inline struct machine *mcm_machine(const char *name, const char *const *settings)
{
    enum { KNOWN_MAX = 8 };
    static struct machine *known[KNOWN_MAX];
    struct error error;
    int at = 0;
    while (at < KNOWN_MAX - 1 && known[at] && strcmp(known[at]->name, name) != 0)
        at++;
    if (!known[at])
        check_ok(machine_load(name, &known[at], &error));
    struct machine *machine = machine_clone(known[at]);
    for (; settings && *settings; settings += 2)
        check_ok(machine_set(machine, settings[0], settings[1], NULL, &error));
    return machine;
}

static inline void mcm_set(struct machine *machine, const char *path, double value,
                           const char *unit)
{
    struct error error;
    char text[64];
    snprintf(text, sizeof text, "%.17g %s", value, unit);
    check_ok(machine_set(machine, path, text, NULL, &error));
}

static inline struct answer *mcm_ask(const char *model, const struct machine *machine,
                                     struct profile_record *record)
{
    struct profile_view view = {.records = record, .n_records = 1};
    struct answer *answer;
    struct error error;
    check_ok(answer_create((const struct model *)plugin_find("model", model), machine, &view,
                           &answer, &error));
    return answer;
}

/* One metric of a model's answer. */
static inline double mcm_metric(const char *model, const struct machine *machine,
                                struct profile_record *record, const char *metric)
{
    struct answer *answer = mcm_ask(model, machine, record);
    double value = answer_metric(answer, metric);
    answer_destroy(answer);
    return value;
}

static inline void mcm_refused(const char *model, const struct machine *machine,
                               struct profile_record *record, const char *words)
{
    struct profile_view view = {.records = record, .n_records = 1};
    struct answer *answer;
    struct error error;
    check_error(answer_create((const struct model *)plugin_find("model", model), machine, &view,
                              &answer, &error),
                STATUS_INFEASIBLE, words);
    assert_null(answer);
}

#define MCM_WITH(...)                                                                              \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif

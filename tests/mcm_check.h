/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of MCM-GPU's models share: hand-made records, machines with settings, answers. */
#ifndef BANDSCAPE_TESTS_MCM_CHECK_H
#define BANDSCAPE_TESTS_MCM_CHECK_H

#include "check.h"

#include "explore/answer/answer.h"
#include "machine/machine.h"

/* LLC hit rate h, on either side; lines over the slices evenly. */
static inline struct profile_record mcm_record(double r_local, double hit)
{
    struct profile_record record = check_record();
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = record.fields[FIELD_LLC_HIT_SM_SIDE] = hit;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    return record;
}

static inline void mcm_set(struct machine *machine, const char *path, double value,
                           const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g %s", value, unit);
    check_set(machine, path, text);
}

static inline void mcm_refused(const char *model, const struct machine *machine,
                               struct profile_record *record, const char *words)
{
    struct profile_view view = {.records = record, .n_records = 1};
    check_refused(model, machine, &view, STATUS_INFEASIBLE, words);
}

#endif

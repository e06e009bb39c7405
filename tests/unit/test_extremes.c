/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least and the largest value that every number of every shipped machine may have, and every
 * field of a profile at its ends: an answer's metrics are finite or unknown, its bandwidth is
 * positive, or the model refuses and says what would be infinite. */
#include "check.h"

#include "core/catalogue.h"
#include "explore/answer/answer.h"

/* 1000 accesses of which 600 pass L1, on one machine's worth of everything. */
static struct profile_record usual(void)
{
    struct profile_record record = {.name = "", .launches = 1};
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct profile_field_row *row = profile_field_row(i);
        record.fields[i] = row->part != PART_BASE               ? (double)NAN
                           : row->kind == FIELD_KIND_RATIO      ? 0.5
                           : row->kind == FIELD_KIND_UNIFORMITY ? 0.8
                                                                : 0;
    }
    double *fields = record.fields;
    fields[FIELD_CTAS] = 1000;
    fields[FIELD_WARP_INSTRUCTIONS] = 2000;
    fields[FIELD_WARP_ACCESSES] = fields[FIELD_LINE_ACCESSES] = 1000;
    fields[FIELD_SECTOR_ACCESSES] = 4000;
    fields[FIELD_L1_READS] = 800;
    fields[FIELD_L1_READ_HITS] = fields[FIELD_READS] = 400;
    fields[FIELD_WRITES] = 150;
    fields[FIELD_ATOMICS] = 50;
    fields[FIELD_REQUESTS] = fields[FIELD_HOME_REQUESTS] = 600;
    fields[FIELD_HOME_REMOTE_REQUESTS] = 300;
    fields[FIELD_BYTES] = 600 * 128;
    return record;
}

/* Answers that a look at all of it comes to, at least; sanitizers look at a part. */
#define ENOUGH (check_slowness() > 1 ? 200 : 500)

struct tally {
    int answers, refused;
};

static void try_models(const struct machine *machine, const struct profile_record *record,
                       const char *what, struct tally *tally)
{
    struct profile_view view = {.records = (struct profile_record *)(size_t)record, .n_records = 1};
    const struct plugin *plugin;
    for (size_t cursor = 0; (plugin = plugin_next("model", &cursor));) {
        OWNED(answer) *answer = NULL;
        int status = answer_create((const struct model *)plugin, machine, &view, &answer, &failure);
        tally->refused += status == STATUS_INFEASIBLE && strstr(failure.text, " would be ");
        if (status)
            continue;
        tally->answers++;
        for (int i = 0; i < answer->result.n_metrics; i++) {
            double value = answer->values[answer->result.metrics[i].term];
            if (isinf(value))
                fail_msg("%s, %s: %s is %g", what, plugin->name, answer->result.metrics[i].name,
                         value);
        }
        if (!(answer_metric(answer, "effective_bandwidth") > 0))
            fail_msg("%s, %s: a bandwidth of %g", what, plugin->name,
                     answer_metric(answer, "effective_bandwidth"));
    }
}

#define STEP (check_long() ? 1U : check_slowness() > 1 ? 15U : 11U)

TEST(machines_at_their_ends)
{
    static const char *const organisations[] = {"memory-side", "sm-side", "sac"};
    struct profile_record record = usual();
    struct catalogue machines = {0};
    struct tally tally = {0, 0};
    machine_catalogue(&machines);
    assert_true(machines.count > 10);
    for (size_t m = 0; m < machines.count; m += STEP) {
        struct parameter p;
        OWNED(machine) *machine = check_shipped(machines.items[m].name, NULL);
        /* Every other parameter at its least, the others at their most, and the next machine the
         * other way round; long runs have both of all. */
        for (size_t cursor = 0, turn = m / STEP; machine_next(machine, &cursor, &p); turn++) {
            double ends[2] = {p.row->min, p.row->max};
            bool shape = p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME;
            for (int e = 0; e < 2 && p.row->kind != PARAMETER_NAME && !shape; e++) {
                if (!check_long() && (size_t)e != turn % 2)
                    continue;
                OWNED(machine) *other = machine_clone(machine);
                struct parameter_value value = {
                    .known = true, .number = ends[e], .dim = p.row->dim};
                char path[128], what[256];
                parameter_path(&p, path, sizeof path);
                snprintf(what, sizeof what, "%s, %s=%g", machines.items[m].name, path, ends[e]);
                if (!machine_set_value(other, path, &value, &failure) &&
                    !machine_set(other, "llc.organisation", organisations[cursor % 3], NULL,
                                 &failure) &&
                    !machine_check(other, &failure))
                    try_models(other, &record, what, &tally);
            }
        }
    }
    catalogue_fini(&machines);
    assert_true(tally.answers > ENOUGH);
    assert_int_equal(tally.refused, 0); /* the ends are where numbers still are numbers */
}

/* One field at a time at 0, at one, and far out. */
TEST(fields_at_their_ends)
{
    static const char *const names[] = {"sac", "nuba", "mcm", "dcl1", "dualopt", "h100"};
    static const double ends[] = {0, 1, 1e-300, 1e300};
    struct tally tally = {0, 0};
    for (size_t m = 0; m<sizeof names / sizeof *names; m += check_slowness()> 1 ? 3 : 1) {
        OWNED(machine) *machine = check_shipped(names[m], NULL);
        for (int f = 0; f < FIELD_COUNT; f++)
            for (size_t e = 0; profile_field_exists(f) && e < sizeof ends / sizeof *ends; e++) {
                struct profile_record record = usual();
                enum profile_field_kind kind = profile_field_row(f)->kind;
                bool share = kind == FIELD_KIND_RATIO || kind == FIELD_KIND_UNIFORMITY ||
                             kind == FIELD_KIND_RUN;
                char what[256];
                if (!check_long() && e != ((size_t)f + m) % 4) /* over the machines all of them */
                    continue;
                if ((share && ends[e] > 1) || (kind == FIELD_KIND_UNIFORMITY && ends[e] == 0))
                    continue; /* no profile has them */
                record.fields[f] = ends[e];
                snprintf(what, sizeof what, "%s, %s=%g", names[m], profile_field_row(f)->path,
                         ends[e]);
                try_models(machine, &record, what, &tally);
            }
    }
    assert_true(tally.answers > ENOUGH && tally.refused > 0);
}

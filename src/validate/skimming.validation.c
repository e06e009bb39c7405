/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches of which stretches are skimmed (profile/run/stretches.h) beside the same launches gone
 * through, for every workload: what was counted for all, by how much it is off, and whether that is
 * within what the profile says of itself. Where no launch is long enough there is no row; --all:
 * launches are skimmed as well that would soon be gone through, to see what it is worth. */
#include <math.h>

#include "validate/beside_exact.h"
#include "validate/views.h"

static const char count_group[] = "counts: error", home_group[] = "memory-side LLC: hits",
                  own_group[] = "SM-side LLC: hits";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define SKIMMING_COLUMNS(X)                                                                        \
    X(MACHINE, "machine", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    X(SKIMMED, "skimmed", "skimmed", "%", NULL, PERCENT, NO_SUMMARY, NULL)                         \
    X(REQUESTS, "requests", "requests", "%", count_group, PERCENT, WORST_HIGH, "requests")         \
    X(REQUESTS_STATED, "requests_interval", "stated, +-", "%", count_group, PERCENT, WORST_HIGH,   \
      "what is stated of requests")                                                                \
    X(L1_HIT, "l1_hit", "L1 hit", "points", count_group, PERCENT, WORST_HIGH, "L1 hit rate")       \
    X(R_LOCAL, "r_local", "R_local", "points", count_group, PERCENT, WORST_HIGH, "R_local")        \
    X(LSU, "lsu", "LSU", "points", count_group, PERCENT, WORST_HIGH, "LSU, the worse side")        \
    X(STATED, "stated", "stated of rates, +-", "points", count_group, PERCENT, WORST_HIGH,         \
      "what is stated of rates")                                                                   \
    X(HOME_LLC, "memory_side_llc", "error", "points", home_group, PERCENT, WORST_HIGH,             \
      "memory-side LLC's hit rate")                                                                \
    X(HOME_HALF, "memory_side_interval", "stated, +-", "points", home_group, PERCENT, WORST_HIGH,  \
      "half of its interval")                                                                      \
    X(HOME_HELD, "memory_side_within", "within", "of 16", home_group, COUNT, WORST_LOW,            \
      "cases within their intervals")                                                              \
    X(HOME_BEYOND, "memory_side_beyond", "beyond, at most", "points", home_group, PERCENT,         \
      WORST_HIGH, "beyond their intervals")                                                        \
    X(OWN_LLC, "sm_side_llc", "error", "points", own_group, PERCENT, WORST_HIGH,                   \
      "SM-side LLC's hit rate")                                                                    \
    X(OWN_HALF, "sm_side_interval", "stated, +-", "points", own_group, PERCENT, WORST_HIGH,        \
      "half of its interval")                                                                      \
    X(OWN_HELD, "sm_side_within", "within", "of 16", own_group, COUNT, WORST_LOW,                  \
      "cases within their intervals")                                                              \
    X(OWN_BEYOND, "sm_side_beyond", "beyond, at most", "points", own_group, PERCENT, WORST_HIGH,   \
      "beyond their intervals")

enum column { SKIMMING_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column skimming_columns[] = {SKIMMING_COLUMNS(VALIDATION_COLUMN){NULL}};

/* What `--error` grants where nothing else is said. */
#define GRANTED 0.01

/* Views of each workload: exact, then skimmed. */
enum { VIEWS = 2 };

static struct profile_effort effort_of(int i)
{
    return i ? (struct profile_effort){.error = GRANTED} : (struct profile_effort){.exact = true};
}

/* --- counts ------------------------------------------------------------------------- */

struct counts {
    double requests, l1_reads, l1_hits, local, lsu[2]; /* local, lsu: times requests */
};

static struct counts counts_of(const struct profile_view *view)
{
    struct counts c = {0};
    for (size_t i = 0; i < view->n_records; i++) {
        const double *f = view->records[i].fields;
        if (!(f[FIELD_REQUESTS] > 0))
            continue;
        c.requests += f[FIELD_REQUESTS];
        c.l1_reads += f[FIELD_L1_READS];
        c.l1_hits += f[FIELD_L1_READ_HITS];
        c.local += f[FIELD_REQUESTS] * f[FIELD_R_LOCAL];
        c.lsu[SIDE_HOME] += f[FIELD_REQUESTS] * f[FIELD_LSU_MEMORY_SIDE];
        c.lsu[SIDE_REQUESTER] += f[FIELD_REQUESTS] * f[FIELD_LSU_SM_SIDE];
    }
    return c;
}

static double apart(double a, double of_a, double b, double of_b)
{
    return of_a > 0 && of_b > 0 ? fabs(a / of_a - b / of_b) : (double)NAN;
}

static void take_counts(const struct profile_view *exact, const struct profile_view *some,
                        struct sheet_cell *cells)
{
    struct counts a = counts_of(exact), b = counts_of(some);
    double lsu = 0;
    cells[SKIMMED].number = some->skimmed;
    cells[REQUESTS].number = a.requests > 0 ? fabs(b.requests / a.requests - 1) : (double)NAN;
    cells[L1_HIT].number = apart(a.l1_hits, a.l1_reads, b.l1_hits, b.l1_reads);
    cells[R_LOCAL].number = apart(a.local, a.requests, b.local, b.requests);
    for (int side = 0; side < 2; side++)
        lsu = fmax(lsu, apart(a.lsu[side], a.requests, b.lsu[side], b.requests));
    cells[LSU].number = lsu;
    cells[STATED].number = some->settled_within;
    cells[REQUESTS_STATED].number = some->requests_within;
}

/* --- rows --------------------------------------------------------------------------- */

static void take_side(const struct validation_views *m, const struct profile_view *exact,
                      const struct profile_view *some, enum level_side side,
                      struct sheet_cell *cells)
{
    const struct machine *machine = m->request->machine;
    struct beside_exact run = beside_exact(machine, exact, some, side);
    struct beside_cases cases = beside_cases(machine, exact, some, side);
    cells[0].number = run.requests > 0 ? fabs(run.hits) / run.requests : (double)NAN;
    cells[1].number = run.requests > 0 ? run.hits_half / run.requests : (double)NAN;
    cells[2].number = cases.within;
    cells[3].number = cases.beyond;
}

/* False: nothing was skimmed. */
static bool report(const struct validation_views *m, size_t subject, struct sheet *rows)
{
    const struct profile_view *exact = validation_view(m, subject, 0);
    const struct profile_view *some = validation_view(m, subject, 1);
    struct sheet_cell cells[COLUMNS] = {{0}};
    if (!(some->skimmed > 0))
        return false;
    cells[MACHINE].text = m->request->machine->name;
    cells[WORKLOAD].text = m->subjects.labels.items[subject];
    cells[SOURCE].text = m->subjects.list.items[subject]->spec;
    take_counts(exact, some, cells);
    take_side(m, exact, some, SIDE_HOME, &cells[HOME_LLC]);
    take_side(m, exact, some, SIDE_REQUESTER, &cells[OWN_LLC]);
    sheet_add(rows, cells);
    return true;
}

static void note_cases(struct sheet *rows, size_t others)
{
    static const struct {
        const char *name;
        enum column column;
    } sides[] = {{"memory-side", HOME_HELD}, {"SM-side", OWN_HELD}};
    double cases = (double)sheet_rows(rows) * BESIDE_CASES;
    for (size_t side = 0; side < 2 && cases > 0; side++) {
        double held = 0;
        for (size_t r = 0; r < sheet_rows(rows); r++)
            held += sheet_at(rows, r, sides[side].column)->number;
        sheet_add_note(rows,
                       "%s: %.0f of %.0f hit rates and write-backs are within their intervals "
                       "(%.1f %%)",
                       sides[side].name, held, cases, 100 * held / cases);
    }
    if (others)
        sheet_add_note(rows,
                       "nothing is skimmed of %zu other%s: no launch is long, or steady, enough",
                       others, others == 1 ? "" : "s");
}

static int skimming_run(const struct validation_request *request, struct sheet *rows,
                        struct error *error)
{
    struct validation_views views;
    size_t others = 0;
    int status = validation_views_open(&views, request, VIEWS, effort_of, request->all, "skim it",
                                       rows, error);
    for (size_t i = 0; i < views.subjects.list.count && !status; i++)
        others += !report(&views, i, rows);
    if (!status)
        note_cases(rows, others);
    validation_views_close(&views);
    return status;
}

const struct validation validation_skimming = {
    .plugin =
        {"validation", "skimming",
         "counts and curves of launches that are skimmed (profile --error), beside exact ones",
         "SMARTS, ISCA 2003", NULL},
    .columns = skimming_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_LONG,
    .named = true,
    .run = skimming_run,
};

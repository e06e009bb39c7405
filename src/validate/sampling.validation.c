/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves from a sample of the lines (profile/curves/shards.h) beside those of all lines, for every
 * shipped workload.
 *
 * The error of a curve is the absolute difference of miss ratios of fully associative
 * caches, from 10/R lines, below which a sample at rate R knows nothing, up to where both
 * curves are flat: its mean and its maximum over capacities, 16 an octave. Over launches,
 * means are weighted by requests, and maxima are taken. Launches that touch fewer lines
 * than that have no such capacity, and say nothing.
 *
 * Beside the errors stand the intervals that the sample gives of itself (profile/curves/spread.h):
 * that of the LLC's hit rate, and how many hit rates and write-backs at several capacities are
 * within theirs. Samples stay samples here, however few lines they have. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validate/beside_exact.h"
#include "validate/views.h"

static const char home_group[] = "memory-side caches: error of the miss ratio";
static const char own_group[] = "SM-side caches: error of the miss ratio";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define SAMPLING_COLUMNS(X)                                                                        \
    X(MACHINE, "machine", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    X(RATE, "rate", "rate", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                    \
    X(LINES, "lines", "lines", NULL, home_group, COUNT, NO_SUMMARY, NULL)                          \
    X(REQUESTS, "requests", "requests", NULL, home_group, COUNT, NO_SUMMARY, NULL)                 \
    X(HOME_MEAN, "memory_side_mean", "mean", "points", home_group, PERCENT, WORST_HIGH,            \
      "mean error")                                                                                \
    X(HOME_MAX, "memory_side_max", "largest", "points", home_group, PERCENT, WORST_HIGH,           \
      "largest error")                                                                             \
    X(HOME_LLC, "memory_side_llc", "the LLC's hit rate", "points", home_group, PERCENT,            \
      WORST_HIGH, "error of the LLC's hit rate")                                                   \
    X(HOME_HALF, "memory_side_interval", "its interval, +-", "points", home_group, PERCENT,        \
      WORST_HIGH, "half of its interval")                                                          \
    X(HOME_HELD, "memory_side_within", "within", "of 16", home_group, COUNT, WORST_LOW,            \
      "cases within their intervals")                                                              \
    X(OWN_MEAN, "sm_side_mean", "mean", "points", own_group, PERCENT, WORST_HIGH, "mean error")    \
    X(OWN_MAX, "sm_side_max", "largest", "points", own_group, PERCENT, WORST_HIGH,                 \
      "largest error")                                                                             \
    X(OWN_LLC, "sm_side_llc", "the LLC's hit rate", "points", own_group, PERCENT, WORST_HIGH,      \
      "error of the LLC's hit rate")                                                               \
    X(OWN_HALF, "sm_side_interval", "its interval, +-", "points", own_group, PERCENT, WORST_HIGH,  \
      "half of its interval")                                                                      \
    X(OWN_HELD, "sm_side_within", "within", "of 16", own_group, COUNT, WORST_LOW,                  \
      "cases within their intervals")

enum column { SAMPLING_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column sampling_columns[] = {SAMPLING_COLUMNS(VALIDATION_COLUMN){NULL}};

/* Views of each workload: all lines first, then one line in so many. */
enum { VIEWS = 3 };
static const int one_in[VIEWS] = {1, 16, 64};

static struct profile_effort effort_of(int i)
{
    return (struct profile_effort){.sample_rate = 1.0 / one_in[i]};
}

/* Of one kind of curve, over the launches. */
struct errors {
    double mean, weight, max; /* sum of means times weights */
};

static void errors_take(struct errors *errors, const struct profile_record *all,
                        const struct profile_record *sampled, const char *side, int rate)
{
    const char *scope = "chip";
    const struct profile_curve *a = profile_curve_find(all, scope, side, "all");
    if (!a)
        a = profile_curve_find(all, scope = "partition", side, "all");
    const struct profile_curve *b = profile_curve_find(sampled, scope, side, "all");
    double mean, max, least = 10.0 * rate;
    if (!a || !b || a->curve.requests == 0 || a->curve.n_points == 0 ||
        (double)a->curve.points[a->curve.n_points - 1].lines < least)
        return;
    curve_error(&a->curve, &b->curve, least, &mean, &max);
    errors->mean += mean * (double)a->curve.requests;
    errors->weight += (double)a->curve.requests;
    errors->max = fmax(errors->max, max);
}

static void take_side(const struct validation_views *m, const struct profile_view *all,
                      const struct profile_view *sampled, enum level_side side, int rate,
                      struct sheet_cell *cells)
{
    struct errors errors = {0};
    double llc = 0, requests = 0;
    for (size_t r = 0; r < all->n_records; r++) {
        const struct profile_record *a = &all->records[r], *b = &sampled->records[r];
        double difference = fabs(profile_llc_hit(a, m->request->machine, side) -
                                 profile_llc_hit(b, m->request->machine, side));
        errors_take(&errors, a, b, level_side_names[side], rate);
        if (isnan(difference))
            continue;
        llc += difference * a->fields[FIELD_REQUESTS];
        requests += a->fields[FIELD_REQUESTS];
    }
    cells[0].number = errors.weight > 0 ? errors.mean / errors.weight : (double)NAN;
    cells[1].number = errors.weight > 0 ? errors.max : (double)NAN;
    cells[2].number = requests > 0 ? llc / requests : (double)NAN;
    struct beside_exact run = beside_exact(m->request->machine, all, sampled, side);
    cells[3].number = run.requests > 0 ? run.hits_half / run.requests : (double)NAN;
    cells[4].number = beside_cases(m->request->machine, all, sampled, side).within;
}

/* Of all rows of a rate. */
static void note_cases(struct sheet *rows, int rate)
{
    static const struct {
        const char *name;
        enum column column;
    } sides[] = {{"memory-side", HOME_HELD}, {"SM-side", OWN_HELD}};
    char text[16];
    snprintf(text, sizeof text, "1/%d", rate);
    for (size_t side = 0; side < 2; side++) {
        double held = 0, cases = 0;
        for (size_t r = 0; r < sheet_rows(rows); r++) {
            if (strcmp(sheet_at(rows, r, RATE)->text, text) != 0)
                continue;
            held += sheet_at(rows, r, sides[side].column)->number;
            cases += BESIDE_CASES;
        }
        sheet_add_note(rows,
                       "%s, %s: %.0f of %.0f hit rates and write-backs are within their "
                       "intervals (%.1f %%)",
                       sides[side].name, text, held, cases, 100 * held / cases);
    }
}

static void report(const struct validation_views *m, size_t subject, struct sheet *rows)
{
    const struct profile_view *all = validation_view(m, subject, 0);
    double requests = 0;
    for (size_t r = 0; r < all->n_records; r++)
        requests += all->records[r].fields[FIELD_REQUESTS];
    for (int v = 1; v < VIEWS; v++) {
        const struct profile_view *sampled = validation_view(m, subject, (size_t)v);
        struct sheet_cell cells[COLUMNS] = {{0}};
        char rate[16];
        snprintf(rate, sizeof rate, "1/%d", one_in[v]);
        cells[MACHINE].text = m->request->machine->name;
        cells[WORKLOAD].text = m->subjects.labels.items[subject];
        cells[SOURCE].text = m->subjects.list.items[subject]->spec;
        cells[RATE].text = rate;
        cells[LINES].number = all->sharing.footprint_bytes / all->line_bytes;
        cells[REQUESTS].number = requests;
        take_side(m, all, sampled, SIDE_HOME, one_in[v], &cells[HOME_MEAN]);
        take_side(m, all, sampled, SIDE_REQUESTER, one_in[v], &cells[OWN_MEAN]);
        sheet_add(rows, cells);
    }
}

static int sampling_run(const struct validation_request *request, struct sheet *rows,
                        struct error *error)
{
    struct validation_views views;
    int status = validation_views_open(&views, request, VIEWS, effort_of, true, "sample its lines",
                                       rows, error);
    for (size_t i = 0; i < views.subjects.list.count && !status; i++)
        report(&views, i, rows);
    for (int v = 1; v < VIEWS && !status; v++)
        note_cases(rows, one_in[v]);
    validation_views_close(&views);
    return status;
}

const struct validation validation_sampling = {
    .plugin = {"validation", "sampling",
               "curves from one line in 16 and in 64 (profile --sample), beside exact ones",
               "SHARDS, FAST 2015", NULL},
    .columns = sampling_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS,
    .run = sampling_run,
};

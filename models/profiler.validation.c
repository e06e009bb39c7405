/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hardware would have estimated beside what the profiler counted exactly, for every
 * shipped workload: SAC's request directory, NUBA's sampled sets, DualOpt's access window,
 * and the choice of SAC from the first requests of a launch.
 *
 * A run's rate is the mean over its launches, weighted by requests. The error of an
 * estimate is the mean of its absolute errors launch by launch, so that launches which
 * err to either side do not cancel; launches in which a sampler saw nothing have none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dualopt/access_class.h"
#include "profile/record/llc_hit.h"
#include "validate/choice.h"
#include "validate/subjects.h"
#include "validate/validation.h"

/* --- columns ----------------------------------------------------------------------- */

static const char crd_group[] = "SM-side hit rate: SAC's request directory (CRD)";
static const char mdr_group[] = "LLC hit rate with replication: NUBA's sampled sets (MDR)";
static const char engine_group[] = "remote reads: DualOpt's access window";
static const char choice_group[] =
    "SAC's choice by EAB: from the first requests (sac.window), from the CRD";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define PROFILER_COLUMNS(X)                                                                        \
    X(MACHINE, "machine", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    X(REQUESTS, "requests", "requests", NULL, crd_group, COUNT, NO_SUMMARY, NULL)                  \
    X(SM_SIDE_HIT, "sm_side_hit", "exact", "%", crd_group, PERCENT, NO_SUMMARY, NULL)              \
    X(CRD_HIT, "crd_hit", "CRD", "%", crd_group, PERCENT, NO_SUMMARY, NULL)                        \
    X(CRD_ERROR, "crd_error", "error", "points", crd_group, PERCENT, WORST_HIGH, "CRD error")      \
    X(CORRECTED, "crd_hit_corrected", "corrected", "%", crd_group, PERCENT, NO_SUMMARY, NULL)      \
    X(CORRECTED_ERROR, "crd_corrected_error", "error", "points", crd_group, PERCENT, WORST_HIGH,   \
      "corrected error")                                                                           \
    X(REPLICATED_HIT, "replicated_hit", "exact", "%", mdr_group, PERCENT, NO_SUMMARY, NULL)        \
    X(MDR_HIT, "mdr_hit", "MDR", "%", mdr_group, PERCENT, NO_SUMMARY, NULL)                        \
    X(MDR_ERROR, "mdr_error", "error", "points", mdr_group, PERCENT, WORST_HIGH, "MDR error")      \
    X(REMOTE, "remote_share", "remote", "run, %", engine_group, PERCENT, NO_SUMMARY, NULL)         \
    X(ENGINE_REMOTE, "engine_remote_share", "remote", "window, %", engine_group, PERCENT,          \
      NO_SUMMARY, NULL)                                                                            \
    X(LINE_USE, "line_use", "line use", "run, %", engine_group, PERCENT, NO_SUMMARY, NULL)         \
    X(ENGINE_LINE_USE, "engine_line_use", "line use", "window, %", engine_group, PERCENT,          \
      NO_SUMMARY, NULL)                                                                            \
    X(L1_HIT, "remote_l1_hit", "L1 hit", "run, %", engine_group, PERCENT, NO_SUMMARY, NULL)        \
    X(ENGINE_L1_HIT, "engine_remote_l1_hit", "L1 hit", "window, %", engine_group, PERCENT,         \
      NO_SUMMARY, NULL)                                                                            \
    X(ENGINE_ERROR, "engine_error", "worst error", "points", engine_group, PERCENT, WORST_HIGH,    \
      "worst of the three errors")                                                                 \
    X(CLASS, "class", "class", "run", engine_group, TEXT, NO_SUMMARY, NULL)                        \
    X(ENGINE_CLASS, "engine_class", "class", "window", engine_group, TEXT, NO_SUMMARY, NULL)       \
    X(LAUNCHES, "launches", "launches", NULL, choice_group, COUNT, NO_SUMMARY, NULL)               \
    X(CHOICE, "choice", "choice", "run", choice_group, TEXT, NO_SUMMARY, NULL)                     \
    X(WINDOW_CHOICE, "window_choice", "choice", "window", choice_group, TEXT, NO_SUMMARY, NULL)    \
    X(WINDOW_AGREE, "window_agree", "agree", "% of launches", choice_group, PERCENT, WORST_LOW,    \
      "window agrees")                                                                             \
    X(WINDOW_LOSS, "window_loss", "EAB lost", "%", choice_group, PERCENT, WORST_HIGH,              \
      "EAB lost by the window")                                                                    \
    X(CRD_CHOICE, "crd_choice", "choice", "CRD", choice_group, TEXT, NO_SUMMARY, NULL)             \
    X(CRD_AGREE, "crd_agree", "agree", "% of launches", choice_group, PERCENT, WORST_LOW,          \
      "CRD agrees")                                                                                \
    X(CRD_LOSS, "crd_loss", "EAB lost", "%", choice_group, PERCENT, WORST_HIGH,                    \
      "EAB lost by the CRD")

enum column { PROFILER_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column profiler_columns[] = {PROFILER_COLUMNS(VALIDATION_COLUMN){NULL}};

/* --- rates of a run ---------------------------------------------------------------- */

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static const char directory_hit[] = "crd.hit";

/* What a sampler saw; NaN where the program has none with that field. */
static double sampled(const struct profile_record *record, const char *path)
{
    int field = profile_field_find(path);
    return field < 0 ? (double)NAN : record->fields[field];
}

/* A mean over the launches that know the value. */
struct mean {
    double sum, weight;
};
static void mean_take(struct mean *mean, double value, double weight)
{
    if (isnan(value) || !(weight > 0))
        return;
    mean->sum += value * weight;
    mean->weight += weight;
}
static double mean_of(const struct mean *mean)
{
    return ratio(mean->sum, mean->weight);
}

/* Hit rates: exact and estimated, and the mean error. */
static void take_hits(const struct profile_view *view, const struct machine *machine,
                      struct sheet_cell *cells)
{
    static const struct {
        enum column exact, estimate, error;
        const char *field;
    } rows[] = {
        {SM_SIDE_HIT, CRD_HIT, CRD_ERROR, directory_hit},
        {SM_SIDE_HIT, CORRECTED, CORRECTED_ERROR, "crd.hit_corrected"},
        {REPLICATED_HIT, MDR_HIT, MDR_ERROR, "mdr.hit_replicated"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mean exact = {0}, estimate = {0}, error = {0};
        for (size_t r = 0; r < view->n_records; r++) {
            const struct profile_record *record = &view->records[r];
            double requests = record->fields[FIELD_REQUESTS], told = sampled(record, rows[i].field);
            double hit = rows[i].exact == SM_SIDE_HIT
                             ? profile_llc_hit_emptied(record, machine, SIDE_REQUESTER)
                             : profile_llc_hit_replicated(record, machine);
            mean_take(&exact, hit, requests);
            mean_take(&estimate, told, requests);
            mean_take(&error, fabs(told - hit), requests);
        }
        cells[rows[i].exact].number = mean_of(&exact);
        cells[rows[i].estimate].number = mean_of(&estimate);
        cells[rows[i].error].number = mean_of(&error);
    }
}

/* The larger of two errors, of which either may be unknown. */
static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

/* The engine counts over the run so far: its last value is the run's. */
static void take_engine(const struct profile_view *view, struct sheet_cell *cells)
{
    double reads = 0, remote = 0, hits = 0;
    struct mean use = {0};
    for (size_t r = 0; r < view->n_records; r++) {
        const double *f = view->records[r].fields;
        double remote_hits = f[FIELD_L1_REMOTE_READ_HITS];
        reads += f[FIELD_L1_READS];
        remote += f[FIELD_L1_REMOTE_READS];
        hits += remote_hits;
        mean_take(&use, f[FIELD_LINE_USE], f[FIELD_L1_REMOTE_READS] - remote_hits);
        double in_window = sampled(&view->records[r], "engine.remote_ratio");
        if (isnan(in_window))
            continue;
        cells[ENGINE_REMOTE].number = in_window;
        cells[ENGINE_LINE_USE].number = sampled(&view->records[r], "engine.line_use");
        cells[ENGINE_L1_HIT].number = sampled(&view->records[r], "engine.remote_l1_hit");
    }
    cells[REMOTE].number = ratio(remote, reads);
    cells[LINE_USE].number = mean_of(&use);
    cells[L1_HIT].number = ratio(hits, remote);
    for (int c = REMOTE; c <= L1_HIT; c += 2) {
        double error = fabs(cells[c + 1].number - cells[c].number);
        cells[ENGINE_ERROR].number = larger(cells[ENGINE_ERROR].number, error);
    }
}

static void take_classes(struct sheet_cell *cells)
{
    const enum column first[] = {REMOTE, ENGINE_REMOTE}, to[] = {CLASS, ENGINE_CLASS};
    for (int i = 0; i < 2; i++) {
        const struct sheet_cell *cell = &cells[first[i]];
        enum access_class class = access_class_of(cell[0].number, cell[2].number, cell[4].number);
        cells[to[i]].text = access_class_name(class);
    }
}

/* --- choices ----------------------------------------------------------------------- */

/* The whole launch with the SM-side hit rate of the directory; all else is exact. Over a
 * whole launch the 16-bit counters of the slices would saturate: they are for windows. */
static void see_directory(struct profile_record *record, const struct machine *machine)
{
    double *f = record->fields;
    f[FIELD_LLC_HIT_MEMORY_SIDE] = profile_llc_hit(record, machine, SIDE_HOME);
    f[FIELD_LLC_HIT_SM_SIDE] = sampled(record, directory_hit);
    record->n_curves = 0;
    if (isnan(f[FIELD_LLC_HIT_SM_SIDE]))
        f[FIELD_REQUESTS] = 0;
}

/* "sm-side", or "sm-side 3/12". */
static char *choice_text(struct arena *arena, double sm_side, double launches)
{
    if (sm_side > 0 && sm_side < launches)
        return arena_printf(arena, "sm-side %.0f/%.0f", sm_side, launches);
    return arena_strdup(arena, sm_side > 0 ? "sm-side" : "memory-side");
}

/* False where a profile from elsewhere has neither windows (way 0) nor the directory's
 * hit rates (way 1): there is nothing to choose by. */
static bool was_seen(const struct profile_view *view, int way)
{
    bool seen = false;
    for (size_t r = 0; r < view->n_records && !seen; r++)
        seen = way == 0 ? view->records[r].n_prefixes > 0
                        : !isnan(sampled(&view->records[r], directory_hit));
    return seen;
}

static int take_choices(const struct profile_view *view, const struct machine *machine,
                        struct sheet *rows, struct sheet_cell *cells, struct error *error)
{
    static const enum column first[] = {WINDOW_CHOICE, CRD_CHOICE};
    struct profile_record *records = memory_zero(view->n_records, sizeof *records);
    int status = 0;
    for (int way = 0; way < 2 && !status; way++) {
        struct profile_view seen = *view;
        struct choice choice;
        if (!was_seen(view, way))
            continue;
        memcpy(records, view->records, view->n_records * sizeof *records);
        for (size_t r = 0; r < view->n_records; r++)
            if (way == 1)
                see_directory(&records[r], machine);
        seen.records = records;
        status =
            choice_compare(view, &seen, way == 0 ? "window" : "exact", machine, &choice, error);
        if (status)
            break;
        struct sheet_cell *cell = &cells[first[way]];
        cell[0].text = choice_text(rows->arena, choice.seen_sm_side, choice.launches);
        cell[1].number = ratio(choice.agree, choice.launches);
        cell[2].number = choice.loss_frac;
        cells[CHOICE].text = choice_text(rows->arena, choice.run_sm_side, choice.launches);
    }
    free(records);
    return status;
}

static void take_counts(const struct profile_view *view, struct sheet_cell *cells)
{
    double requests = 0, launches = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        requests += record->fields[FIELD_REQUESTS];
        launches += record->fields[FIELD_REQUESTS] > 0 ? (double)record->launches : 0;
    }
    cells[REQUESTS].number = requests;
    cells[LAUNCHES].number = launches;
}

/* --- all of them --------------------------------------------------------------------- */

static int profile_all(const struct validation_subjects *subjects,
                       const struct validation_request *request, struct error *error)
{
    size_t count = subjects->list.count;
    struct subject_task *tasks = memory_zero(count, sizeof *tasks);
    for (size_t i = 0; i < count; i++)
        tasks[i] = (struct subject_task){.subject = subjects->list.items[i],
                                         .machine = request->machine,
                                         .parts = PART_SAMPLERS | PART_WINDOW | PART_REPLICATION |
                                                  PART_LOCALITY};
    int status = subject_prepare(tasks, subject_plan(tasks, count), request->threads, error);
    free(tasks);
    return status;
}

static int report(const struct subject *subject, const char *label, const struct machine *machine,
                  struct sheet *rows, struct error *error)
{
    struct sheet_cell cells[COLUMNS];
    const struct profile_view *view;
    int status = subject_view(subject, machine, &view, error);
    if (status)
        return status;
    for (int c = 0; c < COLUMNS; c++)
        cells[c] = (struct sheet_cell){.number = (double)NAN};
    cells[MACHINE].text = machine->name;
    cells[WORKLOAD].text = label;
    cells[SOURCE].text = subject->spec;
    take_counts(view, cells);
    take_hits(view, machine, cells);
    take_engine(view, cells);
    take_classes(cells);
    struct error reason;
    if (take_choices(view, machine, rows, cells, &reason))
        sheet_add_note(rows, "%s: no choice: %s.", label, reason.text);
    sheet_add(rows, cells);
    return 0;
}

static int profiler_run(const struct validation_request *request, struct sheet *rows,
                        struct error *error)
{
    struct validation_subjects subjects;
    int status = validation_subjects_open(&subjects, request, rows, error);
    if (!status)
        status = profile_all(&subjects, request, error);
    for (size_t i = 0; i < subjects.list.count && !status; i++)
        status =
            report(subjects.list.items[i], subjects.labels.items[i], request->machine, rows, error);
    validation_subjects_close(&subjects);
    return status;
}

const struct validation validation_profiler = {
    .plugin = {"validation", "profiler",
               "what hardware samplers and short windows would see, beside exact profiles",
               "SAC, ISCA 2023; NUBA, ASPLOS 2023; DualOpt, PACT 2022", NULL},
    .columns = profiler_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS,
    .run = profiler_run,
};

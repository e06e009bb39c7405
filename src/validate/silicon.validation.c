/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others measured on real GPUs (models/today/silicon) beside what the model network says of
 * the machines of those names. Which accesses stand for which file: validate/silicon_traffic.h. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "validate/silicon_file.h"
#include "validate/silicon_instructions.h"
#include "validate/silicon_kernels.h"
#include "validate/silicon_traffic.h"
#include "validate/validation.h"

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define SILICON_SHEET(X)                                                                           \
    X(MACHINE, "machine", "machine", NULL, NULL, TEXT, NO_SUMMARY, NULL)                           \
    X(KIND, "kind", "kind", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                    \
    X(ACCESS, "access", "access", NULL, points, TEXT, NO_SUMMARY, NULL)                            \
    X(PROBLEM, "problem", "problem", NULL, points, TEXT, NO_SUMMARY, NULL)                         \
    X(SET, "working_set_kib", "working set", "KiB", points, NUMBER, NO_SUMMARY, NULL)              \
    X(BLOCK, "block_threads", "threads", "a block", points, COUNT, NO_SUMMARY, NULL)               \
    X(RESIDENT, "blocks_per_sm", "blocks", "an SM", points, COUNT, NO_SUMMARY, NULL)               \
    X(MEASURED, "measured", "measured", NULL, points, NUMBER, NO_SUMMARY, NULL)                    \
    X(PREDICTED, "predicted", "predicted", NULL, points, NUMBER, NO_SUMMARY, NULL)                 \
    X(UNIT, "unit", "unit", NULL, points, TEXT, NO_SUMMARY, NULL)                                  \
    X(ERROR, "error", "error", "%", points, PERCENT, NO_SUMMARY, NULL)

static const char points[] = "measured and predicted";
enum place { SILICON_SHEET(VALIDATION_PLACE) PLACES };
static const struct sheet_column silicon_columns[] = {SILICON_SHEET(VALIDATION_COLUMN){NULL}};

/* Of a file that has more, unless all are asked for: evenly spaced. */
enum { ROWS_OF_A_FILE = 24 };
/* What a thread does, and how many arrays of one size that takes. */
enum { ACCESSES = 5 };
static const struct access_row {
    const char *name;
    enum silicon_column column;
    double loads, stores, arrays;
} accesses[ACCESSES] = {
    {"read", SILICON_READ, 1, 0, 1},   {"write", SILICON_WRITE, 0, 1, 1},
    {"write", SILICON_INIT, 0, 1, 1},  {"scale", SILICON_SCALE, 1, 1, 2},
    {"triad", SILICON_TRIAD, 3, 1, 4},
};
#define SWEEP_THREADS 0x1p30
/* Warp accesses of a kernel that is profiled; of all that are asked for. */
#define ACCESSES_MAX 1e6
#define ACCESSES_MAX_ALL 1e7
#define CHASE_READS 1e6
#define NEAR 0.25 /* of the measured time */
#define SHARED_ROUNDS 64
#define KIB 1024.0
#define GB 1e9

struct point {
    const struct silicon_file *file;
    const struct machine *machine;
    const struct access_row *access; /* NULL: a chase, a kernel */
    size_t row;
    double set_bytes, measured, predicted;
    struct silicon_warp warp; /* without instructions: its accesses alone */
    bool known;               /* a kernel */
};

struct comparison {
    struct silicon_files files;
    struct silicon_instructions instructions;
    struct machine **machines; /* of the files; NULL: there is none of that name */
    double accesses_max;
    struct {
        struct point *items;
        size_t count, capacity;
    } points;
};

static double cell(const struct point *p, enum silicon_column column)
{
    return p->file->columns[column] ? p->file->columns[column][p->row] : (double)NAN;
}

/* --- predictions -------------------------------------------------------------------- */

static int predict_chase(struct point *p, struct error *error)
{
    double lines = p->set_bytes / SILICON_STEP;
    struct silicon_chase chase = {p->set_bytes, fmax(CHASE_READS, 4 * lines)};
    int status = silicon_chase_time(p->machine, &chase, &p->predicted, error);
    p->predicted *= cell(p, SILICON_CLOCK) * 1e6;
    return status;
}

/* Blocks of as many threads as an SM holds go two to one, of 1024 threads as the measurement's. */
static int predict_shared(struct point *p, struct error *error)
{
    double threads = 0;
    struct silicon_shared shared = {.block_threads = 1024,
                                    .set_bytes = cell(p, SILICON_SET_OF_BLOCK) * KIB,
                                    .working_set_bytes = p->set_bytes,
                                    .rounds = SHARED_ROUNDS};
    int status = machine_number(p->machine, "sm.threads", &threads, error);
    shared.resident = floor(threads / shared.block_threads);
    if (!status)
        status = silicon_shared_rate(p->machine, &shared, &p->predicted, error);
    p->predicted /= GB;
    return status;
}

static int predict_sweep(struct point *p, struct error *error)
{
    struct silicon_sweep sweep = {.threads = SWEEP_THREADS,
                                  .block_threads = cell(p, SILICON_BLOCK_THREADS),
                                  .resident = cell(p, SILICON_BLOCKS_PER_SM),
                                  .set_bytes = p->set_bytes,
                                  .loads = p->access->loads,
                                  .stores = p->access->stores,
                                  .warp = p->warp};
    int status = silicon_sweep_rate(p->machine, &sweep, &p->predicted, error);
    p->predicted /= GB;
    return status;
}

static int predict_time(struct point *p, double accesses_max, struct error *error)
{
    struct silicon_kernel kernel = {p->file->texts[SILICON_KERNEL][p->row],
                                    p->file->texts[SILICON_PROBLEM][p->row], p->file->machine,
                                    accesses_max};
    int status = silicon_kernel_time(p->machine, &kernel, &p->known, &p->predicted, error);
    p->predicted *= 1e3;
    return status;
}

static int predict(void *context, uint64_t item, struct error *error)
{
    struct comparison *c = context;
    struct point *p = &c->points.items[item];
    int status = p->file->kind == SILICON_LATENCY       ? predict_chase(p, error)
                 : p->file->kind == SILICON_TIMES       ? predict_time(p, c->accesses_max, error)
                 : p->file->kind == SILICON_SHARED_READ ? predict_shared(p, error)
                                                        : predict_sweep(p, error);
    progress_item();
    if (status)
        error_context(error, "%s, row %zu", p->file->name, p->row + 1);
    return status;
}

/* --- points ------------------------------------------------------------------------- */

static void add_points(struct comparison *c, const struct silicon_file *file,
                       const struct machine *machine, size_t row)
{
    struct point p = {
        .file = file, .machine = machine, .row = row, .predicted = (double)NAN, .known = true};
    p.set_bytes = (double)NAN;
    if (file->kind == SILICON_TIMES) {
        p.measured = cell(&p, SILICON_TIME);
        VECTOR_PUSH(&c->points, p);
        return;
    }
    if (file->kind == SILICON_LATENCY) {
        p.set_bytes = cell(&p, SILICON_WORKING_SET) * KIB;
        p.measured = cell(&p, SILICON_CYCLES);
        VECTOR_PUSH(&c->points, p);
        return;
    }
    for (int a = 0; a < ACCESSES; a++) {
        p.access = &accesses[a];
        p.measured = cell(&p, p.access->column);
        if (isnan(p.measured))
            continue;
        p.set_bytes = file->kind == SILICON_SHARED_READ ? cell(&p, SILICON_WORKING_SET) * KIB
                      : file->kind == SILICON_OCCUPANCY
                          ? cell(&p, SILICON_ARRAY) * KIB * p.access->arrays
                          : SWEEP_THREADS * SILICON_ELEMENT * p.access->arrays;
        p.warp = silicon_instructions_of(&c->instructions, file->machine,
                                         silicon_kind_names[file->kind], p.access->name);
        VECTOR_PUSH(&c->points, p);
    }
}

static void choose_points(struct comparison *c, bool all)
{
    for (size_t f = 0; f < c->files.count; f++) {
        const struct silicon_file *file = &c->files.items[f];
        bool whole = all || file->kind == SILICON_TIMES || file->rows < ROWS_OF_A_FILE;
        size_t rows = whole ? file->rows : ROWS_OF_A_FILE;
        for (size_t i = 0; i < rows && c->machines[f]; i++)
            add_points(c, file, c->machines[f], i * file->rows / rows);
    }
}

static int load_machines(struct comparison *c, struct sheet *rows, struct error *error)
{
    struct catalogue catalogue;
    int status = 0;
    c->machines = memory_zero(c->files.count, sizeof(struct machine *));
    machine_catalogue(&catalogue);
    for (size_t f = 0; f < c->files.count && !status; f++) {
        bool known = false;
        for (size_t i = 0; i < catalogue.count; i++)
            known |= strcmp(catalogue.items[i].name, c->files.items[f].machine) == 0;
        if (known)
            status = machine_load(c->files.items[f].machine, &c->machines[f], error);
        else
            sheet_add_note(rows, "%s: there is no machine \"%s\", so that nothing is predicted.",
                           c->files.items[f].name, c->files.items[f].machine);
    }
    catalogue_fini(&catalogue);
    for (size_t i = 0; i < c->files.unknown.count; i++)
        sheet_add_note(rows, "%s: its name ends in no kind of measurement that is known.",
                       c->files.unknown.items[i]);
    return status;
}

/* --- what is printed ---------------------------------------------------------------- */

static void add_row(const struct point *p, struct sheet *rows)
{
    struct sheet_cell cells[PLACES] = {{0}};
    cells[MACHINE].text = p->file->machine;
    cells[KIND].text = silicon_kind_names[p->file->kind];
    bool timed = p->file->kind == SILICON_TIMES;
    cells[ACCESS].text = timed       ? p->file->texts[SILICON_KERNEL][p->row]
                         : p->access ? p->access->name
                                     : "chase";
    cells[PROBLEM].text = timed ? p->file->texts[SILICON_PROBLEM][p->row] : NULL;
    cells[SET].number = p->set_bytes / KIB;
    cells[BLOCK].number = cell(p, SILICON_BLOCK_THREADS);
    cells[RESIDENT].number = cell(p, SILICON_BLOCKS_PER_SM);
    cells[MEASURED].number = p->measured;
    cells[PREDICTED].number = p->predicted;
    cells[UNIT].text = timed ? "ms" : p->access ? "GB/s" : "cycles";
    cells[ERROR].number = p->predicted / p->measured - 1;
    sheet_add(rows, cells);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of the points of a file, with this access; NULL: all of them. */
static void add_errors(const struct comparison *c, const struct silicon_file *file,
                       const struct access_row *access, struct text *out)
{
    double *errors = memory_zero(c->points.count, sizeof *errors);
    size_t n = 0;
    for (size_t i = 0; i < c->points.count; i++) {
        const struct point *p = &c->points.items[i];
        if (p->file == file && (!access || p->access == access) && !isnan(p->predicted))
            errors[n++] = fabs(p->predicted / p->measured - 1);
    }
    if (n > 0) {
        qsort(errors, n, sizeof *errors, compare_doubles);
        text_printf(out, "%s%smedian %.1f %%, 90th percentile %.1f %% (%zu)",
                    access ? access->name : "", access ? " " : "",
                    100 * gsl_stats_median_from_sorted_data(errors, 1, n),
                    100 * gsl_stats_quantile_from_sorted_data(errors, 1, n, 0.9), n);
    }
    free(errors);
}

static void note_errors(const struct comparison *c, const struct silicon_file *file,
                        struct sheet *rows)
{
    struct text line = {0};
    text_printf(&line, "%s, %s: errors ", file->machine, silicon_kind_names[file->kind]);
    add_errors(c, file, NULL, &line);
    for (int a = 0; a < ACCESSES; a++)
        if ((file->kind == SILICON_OCCUPANCY || file->kind == SILICON_STREAM) &&
            file->columns[accesses[a].column]) {
            text_printf(&line, "; ");
            add_errors(c, file, &accesses[a], &line);
        }
    sheet_add_note(rows, "%s.", line.data);
    text_free(&line);
}

/* How well the order of times is predicted, and which are not. */
static void note_times(const struct comparison *c, const struct silicon_file *file,
                       struct sheet *rows)
{
    double *measured = memory_zero(3 * c->points.count + 1, 2 * sizeof *measured);
    double *predicted = measured + c->points.count, *work = predicted + c->points.count;
    size_t n = 0, near = 0, left = 0;
    for (size_t i = 0; i < c->points.count; i++) {
        const struct point *p = &c->points.items[i];
        if (p->file != file)
            continue;
        if (!p->known)
            sheet_add_note(rows, "%s: there is no kernel \"%s\", so that nothing is predicted.",
                           file->name, file->texts[SILICON_KERNEL][p->row]);
        else if (isnan(p->predicted))
            left++;
        if (isnan(p->predicted))
            continue;
        measured[n] = p->measured;
        predicted[n++] = p->predicted;
        near += fabs(p->predicted / p->measured - 1) <= NEAR;
    }
    if (n > 1)
        sheet_add_note(rows,
                       "%s, times: rank correlation (Spearman) %.3f; %zu of %zu within %.0f %%.",
                       file->machine, gsl_stats_spearman(measured, 1, predicted, 1, n, work), near,
                       n, 100 * NEAR);
    if (left)
        sheet_add_note(rows,
                       "%s, times: %zu problems take more than %.0e accesses of warps, and are "
                       "left out%s.",
                       file->machine, left, c->accesses_max,
                       c->accesses_max < ACCESSES_MAX_ALL ? "; --all takes larger ones" : "");
    free(measured);
}

static void report(const struct comparison *c, bool all, struct sheet *rows)
{
    size_t left_out = 0;
    for (size_t i = 0; i < c->points.count; i++)
        add_row(&c->points.items[i], rows);
    for (size_t f = 0; f < c->files.count; f++) {
        const struct silicon_file *file = &c->files.items[f];
        if (!c->machines[f])
            continue;
        note_errors(c, file, rows);
        if (file->kind == SILICON_TIMES) {
            note_times(c, file, rows);
            continue;
        }
        left_out += !all && file->rows > ROWS_OF_A_FILE ? file->rows - ROWS_OF_A_FILE : 0;
    }
    if (left_out)
        sheet_add_note(rows, "%zu rows of the files are left out, which --all takes as well.",
                       left_out);
}

/* --- the whole ---------------------------------------------------------------------- */

static int compare(struct comparison *c, const struct validation_request *request,
                   struct sheet *rows, struct error *error)
{
    int status = load_machines(c, rows, error);
    if (!status)
        status = silicon_instructions_read(&c->instructions, error);
    if (status)
        return status;
    c->accesses_max = request->all ? ACCESSES_MAX_ALL : ACCESSES_MAX;
    choose_points(c, request->all);
    progress_begin_items("predicting", "points", c->points.count, "points");
    status = parallel_try(request->threads, c->points.count, predict, c, NULL, error);
    progress_end();
    if (!status)
        report(c, request->all, rows);
    return status;
}

static int silicon_run(const struct validation_request *request, struct sheet *rows,
                       struct error *error)
{
    struct comparison c = {.machines = NULL};
    char *shipped = request->data ? NULL : file_shipped("models/today/silicon");
    const char *folder = request->data ? request->data : shipped;
    int status = folder ? silicon_files_read(folder, &c.files, error)
                        : error_set(error, STATUS_IO, "models/today/silicon is not there");
    if (!status)
        status = compare(&c, request, rows, error);
    for (size_t f = 0; f < c.files.count && c.machines; f++)
        machine_destroy(c.machines[f]);
    free(c.machines);
    VECTOR_FREE(&c.points);
    silicon_instructions_free(&c.instructions);
    silicon_files_free(&c.files);
    free(shipped);
    return status;
}

const struct validation validation_silicon = {
    .plugin = {"validation", "silicon",
               "latencies and bandwidths that others measured on real GPUs, and ours",
               "RRZE's gpu-benches; models/today/silicon", NULL},
    .columns = silicon_columns,
    .reads = VALIDATION_LONG | VALIDATION_DATA,
    .named = true,
    .run = silicon_run,
};

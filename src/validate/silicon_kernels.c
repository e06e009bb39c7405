/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the size of a problem to its time. */
#include "validate/silicon_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/file.h"
#include "explore/answer/answer.h"
#include "profile/run/profiler.h"
#include "workload/workload.h"

enum { NUMBERS = 4, LANES = 32 };

/* A problem's numbers, in order, are parameters of the loop nest. Warp accesses of both runs are
 * about scale * the product of the numbers to the powers. */
static const struct kernel_row {
    const char *name;
    const char *parameters[NUMBERS]; /* NULL: that number is none of them */
    double scale, powers[NUMBERS];
} kernels[] = {
    {"vectoradd", {"n"}, 6.0 / LANES, {1}},
    {"relu", {"n"}, 4.0 / LANES, {1}},
    {"memcopy_d2d", {"mb"}, 4 * 65536.0 / LANES, {1}},
    {"matrixtranspose", {"n"}, 1.0 / LANES, {2}},
    {"fir", {"n", "taps"}, 4.0 / LANES, {1, 1}},
    {"spmv_csr_scalar", {"rows", NULL, "nnz"}, 6.0 / LANES, {0, 0, 1}},
    {"atax", {"n"}, 12.0 / LANES, {2}},
    {"bicg", {"n"}, 12.0 / LANES, {2}},
    {"kmeans", {"points", "features", "clusters"}, 4.0 / LANES, {1, 1, 1}},
    {"matrixmultiplication", {"n"}, 2.3 / 16 / LANES, {3}},
    {"pagerank", {"nodes"}, 6.0 / LANES, {2}},
    {"nw", {"n"}, 4.0 / LANES, {2}},
};

static const struct kernel_row *kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

/* "pts1024_feat8_clus5": 1024, 8, 5. How many there are. */
static int read_numbers(const char *text, double out[NUMBERS])
{
    int n = 0;
    while (*text && n < NUMBERS) {
        char *end;
        text += strcspn(text, "0123456789");
        if (!*text)
            break;
        out[n++] = strtod(text, &end);
        text = end;
    }
    return n;
}

/* Whose code that machine runs, "nvidia"; empty: that of nests in no folder. */
static int find_code(const char *folder, const char *of, struct text *out, struct error *error)
{
    struct text path = {0}, scratch = {0};
    struct csv *csv = NULL;
    size_t machine, code;
    text_printf(&path, "%s/code.csv", folder);
    int status = csv_load(path.data, &csv, error);
    if (!status)
        status = csv_column(csv, "machine", &machine, error);
    if (!status)
        status = csv_column(csv, "code", &code, error);
    for (size_t r = 0; !status && r < csv->rows; r++)
        if (strcmp(csv_cell(csv, r, machine, &scratch), of) == 0) {
            text_printf(out, "%s", csv_cell(csv, r, code, &scratch));
            break;
        }
    if (csv)
        csv_destroy(csv);
    text_free(&path);
    text_free(&scratch);
    return status;
}

/* "models/.../nvidia/fir.yaml"; "models/.../fir.yaml" where that code has no nest of its own. */
static int find_nest(const struct silicon_kernel *kernel, struct text *out, struct error *error)
{
    char *folder = file_shipped("models/today/silicon/kernels");
    struct text code = {0}, own = {0};
    if (!folder)
        return error_set(error, STATUS_IO, "models/today/silicon/kernels is not there");
    int status = kernel->of ? find_code(folder, kernel->of, &code, error) : 0;
    if (code.length > 0)
        text_printf(&own, "%s/%s/%s.yaml", folder, code.data, kernel->name);
    if (own.length > 0 && file_exists(own.data))
        text_printf(out, "%s", own.data);
    else
        text_printf(out, "%s/%s.yaml", folder, kernel->name);
    text_free(&own);
    text_free(&code);
    free(folder);
    return status;
}

/* "models/.../fir.yaml:n=1024,taps=8". */
static int write_spec(const struct kernel_row *row, const struct silicon_kernel *kernel,
                      const double *numbers, int n, struct text *out, struct error *error)
{
    int status = find_nest(kernel, out, error);
    if (status)
        return status;
    for (int i = 0, given = 0; i < NUMBERS; i++) {
        if (!row->parameters[i])
            continue;
        if (i >= n)
            return error_set(error, STATUS_INPUT, "%s: \"%.60s\" does not say %s", row->name,
                             kernel->problem, row->parameters[i]);
        text_printf(out, "%c%s=%.0f", given++ ? ',' : ':', row->parameters[i], numbers[i]);
    }
    return 0;
}

/* The second half of the records, where each is of one launch; else half of all. */
static int time_of(const struct machine *machine, const struct profile_view *view, double *out,
                   struct error *error)
{
    const struct model *model = (const struct model *)plugin_find("model", "network");
    struct profile_view second = *view;
    struct answer *answer;
    bool single = view->n_records % 2 == 0;
    second.goes_on = true; /* runs follow each other */
    for (size_t i = 0; i < view->n_records; i++)
        single = single && view->records[i].launches == 1;
    if (single) {
        second.n_records = view->n_records / 2;
        second.records = view->records + second.n_records;
    }
    int status = answer_create(model, machine, &second, &answer, error);
    if (status)
        return status;
    *out = answer_metric(answer, "kernel_time") / (single ? 1 : 2);
    answer_destroy(answer);
    return 0;
}

static int profile_and_ask(const struct machine *machine, const char *spec, double *out,
                           struct error *error)
{
    const struct model *model = (const struct model *)plugin_find("model", "network");
    struct profile_options options = {.threads = 1};
    struct profile *profile = profile_create();
    struct source *source = NULL;
    const struct profile_view *view;
    bool cached;
    int status = source_open(spec, &source, error);
    if (!status)
        status = model_parts(model, machine, &options.parts, error);
    if (!status)
        status = profile_obtain(profile, source, machine, &options, &cached, error);
    if (!status)
        status = profile_view_find(profile, machine, &view, error);
    if (!status)
        status = time_of(machine, view, out, error);
    source_destroy(source);
    profile_destroy(profile);
    return status;
}

int silicon_kernel_time(const struct machine *machine, const struct silicon_kernel *kernel,
                        bool *known, double *out, struct error *error)
{
    const struct kernel_row *row = kernel_find(kernel->name);
    double numbers[NUMBERS];
    struct text spec = {0};
    *out = (double)NAN;
    *known = row != NULL;
    if (!row)
        return 0;
    int n = read_numbers(kernel->problem, numbers);
    int status = write_spec(row, kernel, numbers, n, &spec, error);
    double accesses = row->scale;
    for (int i = 0; i < n; i++)
        accesses *= pow(numbers[i], row->powers[i]);
    if (!status && accesses <= kernel->accesses_max)
        status = profile_and_ask(machine, spec.data, out, error);
    text_free(&spec);
    return status;
}

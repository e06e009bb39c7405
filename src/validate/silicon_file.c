/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading files of measurements. */
#include "validate/silicon_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/file.h"

const char *const silicon_kind_names[SILICON_KINDS] = {"latency", "shared-read", "occupancy",
                                                       "stream", "times"};

static const char *const titles[SILICON_COLUMNS] = {
    "clock_mhz",     "working_set_kib", "latency_cycles", "set_of_a_block_kib",
    "block_threads", "blocks_per_sm",   "threads",        "array_kib",
    "read_gb_s",     "scale_gb_s",      "triad_gb_s",     "write_gb_s",
    "init_gb_s",     "avg_ms"};
static const char *const text_titles[SILICON_TEXTS] = {"kernel_name", "problem_size"};

#define COLUMN(c) (1U << SILICON_##c)
static const unsigned wanted[SILICON_KINDS] = {
    [SILICON_LATENCY] = COLUMN(CLOCK) | COLUMN(WORKING_SET) | COLUMN(CYCLES),
    [SILICON_SHARED_READ] = COLUMN(SET_OF_BLOCK) | COLUMN(WORKING_SET) | COLUMN(READ),
    [SILICON_OCCUPANCY] = COLUMN(BLOCK_THREADS) | COLUMN(BLOCKS_PER_SM) | COLUMN(THREADS) |
                          COLUMN(ARRAY) | COLUMN(READ) | COLUMN(SCALE) | COLUMN(TRIAD) |
                          COLUMN(WRITE),
    [SILICON_STREAM] = COLUMN(BLOCK_THREADS) | COLUMN(BLOCKS_PER_SM) | COLUMN(THREADS) |
                       COLUMN(INIT) | COLUMN(READ) | COLUMN(SCALE) | COLUMN(TRIAD),
    [SILICON_TIMES] = COLUMN(TIME),
};

static int read_column(const struct csv *csv, enum silicon_column column, double *out,
                       struct error *error)
{
    size_t at;
    int status = csv_column(csv, titles[column], &at, error);
    if (!status)
        status = csv_numbers(csv, at, out, error);
    for (size_t r = 0; r < csv->rows && !status; r++)
        if (!(out[r] > 0)) {
            struct mark mark = csv_mark(csv, r, at);
            status = error_at(error, STATUS_INPUT, &mark,
                              "column \"%s\": expected a positive number, got %g", titles[column],
                              out[r]);
        }
    return status;
}

static int read_texts(const struct csv *csv, const char *title, char ***out, struct error *error)
{
    size_t at;
    struct text scratch = {0};
    int status = csv_column(csv, title, &at, error);
    *out = memory_zero(csv->rows ? csv->rows : 1, sizeof **out);
    for (size_t r = 0; r < csv->rows && !status; r++)
        (*out)[r] = memory_strdup(csv_cell(csv, r, at, &scratch));
    text_free(&scratch);
    return status;
}

static int read_file(const char *path, struct silicon_file *file, struct error *error)
{
    struct csv *csv;
    int status = csv_load(path, &csv, error);
    if (status)
        return status;
    file->rows = csv->rows;
    for (int c = 0; c < SILICON_COLUMNS && !status; c++)
        if (wanted[file->kind] & 1U << c) {
            file->columns[c] = memory_zero(csv->rows ? csv->rows : 1, sizeof(double));
            status = read_column(csv, (enum silicon_column)c, file->columns[c], error);
        }
    for (int t = 0; t < SILICON_TEXTS && file->kind == SILICON_TIMES && !status; t++)
        status = read_texts(csv, text_titles[t], &file->texts[t], error);
    csv_destroy(csv);
    return status;
}

/* "a100-80-latency.csv" is of the machine a100-80. */
static bool split_name(const char *name, struct silicon_file *out)
{
    for (int kind = 0; kind < SILICON_KINDS; kind++) {
        char end[64];
        snprintf(end, sizeof end, "-%s.csv", silicon_kind_names[kind]);
        size_t length = strlen(name), tail = strlen(end);
        if (length <= tail || strcmp(name + length - tail, end) != 0)
            continue;
        *out = (struct silicon_file){.kind = (enum silicon_kind)kind,
                                     .name = memory_strdup(name),
                                     .machine = memory_strdup(name)};
        out->machine[length - tail] = 0;
        return true;
    }
    return false;
}

/* What lies beside: inputs of machine files (measure.cu), and counters of kernels, which are looked
 * at beside profiles. */
static bool is_beside(const char *name)
{
    return file_ends_in(name, "-inputs.csv") || file_ends_in(name, "-spread.csv") ||
           file_ends_in(name, "-counters.csv");
}

int silicon_files_read(const char *folder, struct silicon_files *out, struct error *error)
{
    char **names = NULL;
    int status = 0;
    *out = (struct silicon_files){0};
    if (!file_is_directory(folder))
        return error_set(error, STATUS_INPUT, "%s is not a folder", folder);
    size_t count = file_list(folder, &names);
    for (size_t i = 0; i < count; i++) {
        struct silicon_file file;
        if (!status && split_name(names[i], &file)) {
            struct text path = {0};
            text_printf(&path, "%s/%s", folder, names[i]);
            VECTOR_PUSH(out, file);
            status = read_file(path.data, &out->items[out->count - 1], error);
            text_free(&path);
        } else if (!status && file_ends_in(names[i], ".csv") && !is_beside(names[i]))
            VECTOR_PUSH(&out->unknown, memory_strdup(names[i]));
        free(names[i]);
    }
    free(names);
    if (!status && out->count == 0) {
        error_set(error, STATUS_INPUT, "%s has no files of measurements", folder);
        error_hint(error, "they are called <machine>-<kind>.csv, kind: latency, shared-read, "
                          "occupancy, stream or times");
        status = STATUS_INPUT;
    }
    return status;
}

void silicon_files_free(struct silicon_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].machine);
        free(files->items[i].name);
        for (int c = 0; c < SILICON_COLUMNS; c++)
            free(files->items[i].columns[c]);
        for (int t = 0; t < SILICON_TEXTS; t++) {
            for (size_t r = 0; files->items[i].texts[t] && r < files->items[i].rows; r++)
                free(files->items[i].texts[t][r]);
            free(files->items[i].texts[t]);
        }
    }
    for (size_t i = 0; i < files->unknown.count; i++)
        free(files->unknown.items[i]);
    VECTOR_FREE(&files->unknown);
    VECTOR_FREE(files);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape pareto: the Pareto front of any CSV file. */
#include <stdlib.h>
#include <string.h>

#include "cli/objectives.h"
#include "core/file.h"
#include "core/unit.h"
#include "report/sweep_folder.h"
#include "yaml/yaml.h"

/* R1,R2,...: one finite number per objective. */
static int read_reference(const char *text, const struct objectives *objectives, double *reference,
                          struct error *error)
{
    int count = 0;
    for (const char *at = text; at; count++) {
        char number[64];
        size_t length = strcspn(at, ",");
        const char *from = at + strspn(at, " ");
        size_t kept = (size_t)(at + length - from);
        while (kept > 0 && from[kept - 1] == ' ')
            kept--;
        snprintf(number, sizeof number, "%.*s", (int)(kept < 60 ? kept : 60), from);
        double value;
        if (!number_scan(number, &value))
            return error_set(error, STATUS_USAGE,
                             "--hypervolume: expected a finite number, got \"%s\"", number);
        if (count < objectives->count)
            reference[count] = value;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (count == objectives->count)
        return 0;
    error_set(error, STATUS_USAGE, "--hypervolume: %d value%s for %d objective%s", count,
              count == 1 ? "" : "s", objectives->count, objectives->count == 1 ? "" : "s");
    return error_hint(error,
                      "the reference has one value per objective, in the order of the options");
}

static void print_row(const struct csv *csv, long row)
{
    struct csv_slice slice = csv_row(csv, row);
    fwrite(slice.data, 1, slice.length, stdout);
}

static int print_front(const struct csv *csv, const struct pareto_points *points,
                       enum pareto_ties ties, struct error *error)
{
    size_t *front = memory_alloc(points->count * sizeof *front), count;
    int status = pareto_filter(points, ties, front, &count, error);
    if (!status) {
        print_row(csv, -1);
        putchar('\n');
        for (size_t i = 0; i < count; i++) {
            print_row(csv, (long)front[i]);
            putchar('\n');
        }
    }
    free(front);
    return status;
}

static int print_ranks(const struct csv *csv, const struct pareto_points *points,
                       struct error *error)
{
    for (size_t c = 0; c < csv->columns; c++)
        if (strcmp(csv->titles[c], "rank") == 0) {
            error_set(error, STATUS_INPUT, "%s has a column \"rank\" already", csv->name);
            return error_hint(error, "rename it: --rank adds a column of that name");
        }
    uint32_t *rank = memory_alloc(points->count * sizeof *rank);
    int status = pareto_rank(points, rank, error);
    if (!status) {
        print_row(csv, -1);
        printf(",rank\n");
        for (size_t i = 0; i < points->count; i++) {
            print_row(csv, (long)i);
            printf(",%lu\n", (unsigned long)rank[i]);
        }
    }
    free(rank);
    return status;
}

static int print_hypervolume(const struct pareto_points *points, const double *reference,
                             struct error *error)
{
    double volume;
    char text[40];
    int status = pareto_hypervolume(points, reference, &volume, error);
    if (!status)
        printf("%s\n", number_format(volume, text, sizeof text));
    return status;
}

static int check_usage(const struct invocation *inv, const struct objectives *objectives,
                       struct error *error)
{
    int modes = option_given(inv, "rank") + option_given(inv, "hypervolume") +
                option_given(inv, "keep-ties");
    if (argument_count(inv) != 1) {
        error_set(error, STATUS_USAGE, "pareto: expected one CSV file, got %d arguments",
                  argument_count(inv));
        return error_hint(error, "\"-\" reads the standard input; see bandscape pareto --help");
    }
    if (objectives->count == 0) {
        error_set(error, STATUS_USAGE, "pareto: no objective is given");
        return error_hint(error, "for example --minimise area --maximise effective_bandwidth");
    }
    if (modes > 1)
        return error_set(error, STATUS_USAGE,
                         "--rank, --hypervolume and --keep-ties exclude each other");
    return 0;
}

static int run_pareto(const struct invocation *inv, struct error *error)
{
    struct objectives objectives;
    double reference[PARETO_OBJECTIVES_MAX], *columns[PARETO_OBJECTIVES_MAX] = {NULL};
    const char *wanted = option_value(inv, "hypervolume", 0);
    struct csv *csv = NULL;
    struct yaml_document *manifest;
    int status = objectives_given(inv, &objectives, error);
    if (!status)
        status = check_usage(inv, &objectives, error);
    if (!status && wanted)
        status = read_reference(wanted, &objectives, reference, error);
    if (!status && file_is_directory(argument_value(inv, 0))) {
        error_set(error, STATUS_INPUT, "%s is a folder", argument_value(inv, 0));
        status = error_hint(error, "a sweep's front is in its pareto.csv; others are found in its "
                                   "sample.csv and, with --all, points.csv");
    }
    if (!status)
        status = csv_load(argument_value(inv, 0), &csv, error);
    if (!status) {
        sweep_folder_tell(argument_value(inv, 0), &manifest);
        yaml_destroy(manifest);
    }
    if (!status)
        status = objectives_read(&objectives, csv, columns, error);
    if (!status) {
        struct pareto_points points = {csv->rows, objectives.count, (const double *const *)columns,
                                       objectives.senses};
        if (wanted)
            status = print_hypervolume(&points, reference, error);
        else if (option_given(inv, "rank"))
            status = print_ranks(csv, &points, error);
        else
            status = print_front(
                csv, &points, option_given(inv, "keep-ties") ? PARETO_KEEP_TIES : PARETO_KEEP_FIRST,
                error);
    }
    for (int j = 0; j < objectives.count; j++)
        free(columns[j]);
    csv_destroy(csv);
    return status;
}

static const struct option_row options_pareto[] = {
    OBJECTIVE_OPTIONS,
    {0, "keep-ties", NULL, false, "keep all of equal points, not only the first"},
    {0, "rank", NULL, false,
     "print all rows with a further column: rank 0 is the front,\n"
     "rank 1 the front of the rest, and so on"},
    {0, "hypervolume", "R1,R2,...", false,
     "print only the volume that the points dominate up to\n"
     "this reference (a value per objective, in their order)"},
    {0, NULL, NULL, false, NULL},
};

const struct command command_pareto = {
    .plugin = {.kind = "command", .name = "pareto", .summary = "Pareto front of any CSV file"},
    .usage = "FILE.csv --minimise COL --maximise COL... [--keep-ties | --rank | --hypervolume R]",
    .description =
        "Prints the rows of FILE.csv that no other row dominates: another row dominates\n"
        "one when it is no worse in every objective and better in one. Rows keep their\n"
        "order and their text; of equal rows the first is kept. A cell of an objective\n"
        "that is empty or not a finite number is an error that names its place.\n"
        "\"-\" reads the standard input.",
    .examples =
        "  bandscape pareto results/sac-sensitivity/ranking.csv --maximise effective_bandwidth"
        " --minimise inter.link_bandwidth\n"
        "  bandscape pareto designs.csv --minimise area --minimise power --rank\n"
        "  bandscape pareto designs.csv --minimise area --minimise power --hypervolume 100,5",
    .options = options_pareto,
    .run = run_pareto,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "report/sweep_folder.h"

const char *result_scalar(const struct yaml_node *map, const char *key)
{
    const struct yaml_node *node = map && map->kind == YAML_MAP ? yaml_get(map, key) : NULL;
    return node && node->kind == YAML_SCALAR ? node->text : "";
}

const struct yaml_node *result_node(const struct result *result, const char *key,
                                    enum yaml_kind kind)
{
    const struct yaml_node *node = yaml_get(result->manifest->root, key);
    return node && node->kind == kind ? node : NULL;
}

bool result_dim(const struct result *result, const char *column, struct dim *out)
{
    const char *unit = result_scalar(result_node(result, "columns", YAML_MAP), column);
    double factor;
    *out = DIM_NONE;
    if (strcmp(unit, "name") == 0)
        return false;
    if (unit_scan(unit, &factor, out) != strlen(unit))
        *out = DIM_NONE;
    return true;
}

size_t result_column(const struct csv *csv, const char *name)
{
    for (size_t c = 0; csv && c < csv->columns; c++)
        if (strcmp(csv->titles[c], name) == 0)
            return c;
    return SIZE_MAX;
}

size_t result_metric(const struct result *result, const struct csv *csv, const char *name)
{
    const char *model = result_scalar(result_node(result, "rank", YAML_MAP), "model");
    struct text full = {0};
    text_printf(&full, "%s.%s", model, name);
    size_t column = result_column(csv, name);
    if (column == SIZE_MAX)
        column = result_column(csv, full.data);
    text_free(&full);
    return column;
}

double result_number(const struct csv *csv, size_t row, size_t column)
{
    struct text cell = {0};
    double value;
    bool known = column < SIZE_MAX && number_scan(csv_cell(csv, row, column, &cell), &value);
    text_free(&cell);
    return known ? value : (double)NAN;
}

/* --- reading ------------------------------------------------------------------------------- */

static int read_table(const char *path, const struct yaml_document *manifest, const char *name,
                      bool needed, struct csv **out, struct error *error)
{
    struct text file = {0};
    int status = 0;
    text_printf(&file, "%s/%s", path, name);
    if (needed || file_exists(file.data))
        status = sweep_folder_table(file.data, manifest, out, error);
    text_free(&file);
    return status;
}

/* Whether a table of points has the columns of the ranking. */
static int check_titles(const char *path, const struct csv *ranking, const struct csv *csv,
                        struct error *error)
{
    bool same = !csv || csv->columns == ranking->columns;
    for (size_t c = 0; csv && c < csv->columns && same; c++)
        same = strcmp(csv->titles[c], ranking->titles[c]) == 0;
    return same ? 0
                : error_set(error, STATUS_INPUT, "%s has other columns than %s/ranking.csv",
                            csv->name, path);
}

/* Facts that do not change the result: where they cannot be read, they are left out. */
static void read_run(const char *path, struct yaml_document **out)
{
    struct text file = {0};
    struct error ignored;
    text_printf(&file, "%s/run.yaml", path);
    if (yaml_load(file.data, out, &ignored))
        *out = NULL;
    text_free(&file);
}

int result_open(const char *path, struct result *out, struct error *error)
{
    *out = (struct result){0};
    const struct {
        const char *name;
        bool needed;
        struct csv **csv;
    } tables[] = {
        {"ranking.csv", true, &out->ranking}, {"pareto.csv", true, &out->front},
        {"sample.csv", false, &out->sample},  {"marginals.csv", false, &out->marginals},
        {"limits.csv", false, &out->limits},  {"confirm.csv", false, &out->confirm},
    };
    int status = sweep_folder_result(path, &out->manifest, error);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status =
            read_table(path, out->manifest, tables[i].name, tables[i].needed, tables[i].csv, error);
    if (!status)
        status = check_titles(path, out->ranking, out->front, error);
    if (!status)
        status = check_titles(path, out->ranking, out->sample, error);
    if (!status)
        read_run(path, &out->run);
    return status;
}

void result_close(struct result *result)
{
    struct csv *tables[] = {result->ranking,   result->front,  result->sample,
                            result->marginals, result->limits, result->confirm};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        csv_destroy(tables[i]);
    yaml_destroy(result->manifest);
    yaml_destroy(result->run);
    *result = (struct result){0};
}

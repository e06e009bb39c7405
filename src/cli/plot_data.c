/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading what is to be plotted. */
#include "cli/plot_data.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/unit.h"
#include "report/sweep_folder.h"
#include "yaml/yaml.h"

/* --- sources */

static char *base_of(const char *path)
{
    struct text text = {0};
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        path = "stdin", length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    text_append_bytes(&text, path, length);
    char *base = memory_strdup(file_base_name(text.data));
    text_free(&text);
    char *dot = strrchr(base, '.');
    if (dot && dot != base && strcmp(dot, ".csv") == 0)
        *dot = '\0';
    return base;
}

static int manifest_objectives(const struct yaml_document *manifest, struct objectives *out,
                               struct error *error)
{
    const struct yaml_node *list = yaml_get(manifest->root, "objectives");
    int status = list ? yaml_expect(list, YAML_LIST, "objectives", error) : 0;
    out->count = 0;
    for (size_t i = 0; list && !status && i < list->count; i++) {
        const struct yaml_node *item = list->items[i];
        const struct yaml_node *maximise = yaml_get(item, "maximise");
        const struct yaml_node *name = maximise ? maximise : yaml_get(item, "minimise");
        if (!name)
            return yaml_error(item, error, "expected {maximise: NAME} or {minimise: NAME}");
        if (out->count == PARETO_OBJECTIVES_MAX)
            return yaml_error(item, error, "more than %d objectives", PARETO_OBJECTIVES_MAX);
        out->senses[out->count] = maximise ? PARETO_MAXIMISE : PARETO_MINIMISE;
        status = yaml_string(name, "objective", &out->names[out->count++], error);
    }
    return status;
}

static int load_folder(const char *path, struct plot_data *data, struct error *error)
{
    static const struct {
        const char *name;
        bool needed;
    } files[PLOT_TABLES] = {{"pareto.csv", true}, {"ranking.csv", true}, {"sample.csv", false}};
    struct text name = {0};
    text_printf(&name, "%s/manifest.yaml", path);
    int status = 0;
    if (!file_exists(name.data)) {
        status = error_set(error, STATUS_INPUT,
                           "%s is not the result of a sweep: it has no "
                           "manifest.yaml",
                           path);
        error_hint(error, "give a CSV file, or a folder that bandscape sweep wrote");
    }
    if (!status)
        status = sweep_folder_manifest(name.data, &data->manifest, error);
    if (!status)
        status = manifest_objectives(data->manifest, &data->objectives, error);
    for (int i = 0; i < PLOT_TABLES && !status; i++) {
        name.length = 0;
        text_printf(&name, "%s/%s", path, files[i].name);
        if (!files[i].needed && !file_exists(name.data))
            continue;
        if (file_exists(name.data) && !sweep_folder_is_intact(data->manifest, name.data)) {
            status =
                error_set(error, STATUS_INPUT,
                          "%s is not as the sweep wrote it: its checksum does not fit", name.data);
            error_hint(error,
                       "sweep again; a file that you changed can be plotted by its own name");
        }
        if (!status)
            status = csv_load(name.data, &data->tables[data->n_tables++], error);
    }
    text_free(&name);
    return status;
}

int plot_data_load(const char *path, const struct objectives *given, struct plot_data *data,
                   struct error *error)
{
    *data = (struct plot_data){.base = base_of(path), .objectives = *given};
    data->folder = file_is_directory(path);
    if (data->folder && given->count > 0) {
        error_set(error, STATUS_USAGE, "--%s: the objectives of a sweep are in its manifest.yaml",
                  given->senses[0] == PARETO_MAXIMISE ? "maximise" : "minimise");
        return error_hint(error, "for others, plot one of its files: %s/ranking.csv", path);
    }
    if (data->folder)
        return load_folder(path, data, error);
    sweep_folder_tell(path, &data->manifest); /* it tells units */
    data->n_tables = 1;
    return csv_load(path, &data->tables[0], error);
}

void plot_data_free(struct plot_data *data)
{
    for (int i = 0; i < data->n_tables; i++)
        csv_destroy(data->tables[i]);
    yaml_destroy(data->manifest);
    free(data->base);
    *data = (struct plot_data){0};
}

const char *plot_data_unit(const struct plot_data *data, const char *column)
{
    const struct yaml_node *root = data->manifest ? data->manifest->root : NULL;
    const struct yaml_node *columns =
        root && root->kind == YAML_MAP ? yaml_get(root, "columns") : NULL;
    const struct yaml_node *unit =
        columns && columns->kind == YAML_MAP ? yaml_get(columns, column) : NULL;
    return unit && unit->kind == YAML_SCALAR ? unit->text : NULL;
}

/* --- points */

static int points_category(struct plot_points *points, const char *by, const char *name, int *out,
                           struct error *error)
{
    for (int i = 0; i < points->categories; i++)
        if (strcmp(points->names[i], name) == 0) {
            *out = i;
            return 0;
        }
    if (points->categories == PLOT_CATEGORIES) {
        error_set(error, STATUS_INPUT, "--by: column \"%.80s\" has more than %d different values",
                  by, PLOT_CATEGORIES);
        return error_hint(error, "choose a column of names or of few values");
    }
    *out = points->categories;
    points->names[points->categories++] = memory_strdup(name);
    return 0;
}

/* One table of a folder: rows whose two cells are numbers. */
static size_t read_lenient(const struct csv *csv, const size_t column[2], double *xs, double *ys,
                           size_t *rows)
{
    struct text scratch = {0};
    size_t count = 0;
    for (size_t row = 0; row < csv->rows; row++)
        if (number_scan(csv_cell(csv, row, column[0], &scratch), &xs[count]) &&
            number_scan(csv_cell(csv, row, column[1], &scratch), &ys[count]))
            rows[count++] = row;
    text_free(&scratch);
    return count;
}

static int read_strict(const struct csv *csv, const size_t column[2], double *xs, double *ys,
                       size_t *rows, struct error *error)
{
    int status = csv_numbers(csv, column[0], xs, error);
    for (size_t row = 0; row < csv->rows; row++)
        rows[row] = row;
    return status ? status : csv_numbers(csv, column[1], ys, error);
}

static int read_table(const struct plot_data *data, const struct csv *csv, const char *const x_y[2],
                      const char *by, struct plot_points *points, struct error *error)
{
    size_t column[2], by_column = 0, first = points->count, count = csv->rows;
    size_t *rows = memory_alloc(csv->rows * sizeof *rows);
    struct text scratch = {0};
    int status = csv_column(csv, x_y[0], &column[0], error);
    if (!status)
        status = csv_column(csv, x_y[1], &column[1], error);
    if (!status && by)
        status = csv_column(csv, by, &by_column, error);
    if (!status && data->folder)
        count = read_lenient(csv, column, points->xs + first, points->ys + first, rows);
    else if (!status)
        status = read_strict(csv, column, points->xs + first, points->ys + first, rows, error);
    for (size_t i = 0; i < count && !status && by; i++)
        status = points_category(points, by, csv_cell(csv, rows[i], by_column, &scratch),
                                 &points->category[first + i], error);
    points->count += status ? 0 : count;
    text_free(&scratch);
    free(rows);
    return status;
}

static int file_front(const struct plot_data *data, struct plot_points *points, struct error *error)
{
    double *columns[PARETO_OBJECTIVES_MAX];
    int status = objectives_read(&data->objectives, data->tables[0], columns, error);
    if (!status) {
        struct pareto_points set = {points->count, data->objectives.count,
                                    (const double *const *)columns, data->objectives.senses};
        status = pareto_filter(&set, PARETO_KEEP_FIRST, points->front, &points->front_count, error);
        for (int j = 0; j < data->objectives.count; j++)
            free(columns[j]);
    }
    return status;
}

int plot_points_read(const struct plot_data *data, const char *x, const char *y, const char *by,
                     bool front, struct plot_points *points, struct error *error)
{
    size_t rows = 0;
    int status = 0;
    for (int t = 0; t < data->n_tables; t++)
        rows += data->tables[t]->rows;
    *points = (struct plot_points){.xs = memory_alloc(rows * sizeof *points->xs),
                                   .ys = memory_alloc(rows * sizeof *points->ys),
                                   .front = memory_alloc(rows * sizeof *points->front)};
    if (by)
        points->category = memory_alloc(rows * sizeof *points->category);
    for (int t = 0; t < data->n_tables && !status; t++) {
        status = read_table(data, data->tables[t], (const char *const[]){x, y}, by, points, error);
        for (; front && data->folder && t == 0 && points->front_count < points->count;
             points->front_count++)
            points->front[points->front_count] = points->front_count;
    }
    if (!status && front && !data->folder)
        status = file_front(data, points, error);
    if (status)
        plot_points_free(points);
    return status;
}

void plot_points_free(struct plot_points *points)
{
    for (int i = 0; i < points->categories; i++)
        free(points->names[i]);
    free(points->xs);
    free(points->ys);
    free(points->category);
    free(points->front);
    *points = (struct plot_points){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading what is to be plotted. */
#include "cli/plot_data.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/unit.h"
#include "profile/record/filling.h"
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

const char *plot_data_warnings(const struct plot_data *data, struct arena *arena)
{
    struct text cell = {0}, names = {0};
    struct error ignored;
    const char *said = NULL;
    size_t column;
    unsigned set = 0;
    for (int t = 0; t < data->n_tables; t++)
        for (size_t row = 0; csv_column(data->tables[t], "warnings", &column, &ignored) == 0 &&
                             row < data->tables[t]->rows;
             row++)
            set |= filling_scan_names(csv_cell(data->tables[t], row, column, &cell));
    filling_append_names(set, &names);
    if (set)
        said = arena_printf(arena, "inputs: %s", names.data);
    text_free(&cell);
    text_free(&names);
    return said;
}

/* --- points */

/* Points while they are read. */
struct points {
    const struct plot_data *data;
    struct arena *arena;
    double *xs, *ys;
    int *category, categories; /* NULL: one */
    size_t count;
    const char *names[PLOT_CATEGORIES];
};

static int points_category(struct points *points, const char *by, const char *name, int *out,
                           struct error *error)
{
    for (*out = 0; *out < points->categories; ++*out)
        if (strcmp(points->names[*out], name) == 0)
            return 0;
    if (points->categories == PLOT_CATEGORIES) {
        error_set(error, STATUS_INPUT, "--by: column \"%.80s\" has more than %d different values",
                  by, PLOT_CATEGORIES);
        return error_hint(error, "choose a column of names or of few values");
    }
    points->names[points->categories++] = arena_strdup(points->arena, name);
    return 0;
}

/* Rows of one table: of a folder, those whose two cells are numbers. */
static int read_table(struct points *points, const struct csv *csv, const char *x, const char *y,
                      const char *by, struct error *error)
{
    size_t x_column = 0, y_column = 0, by_column = 0;
    double *xs = points->xs + points->count, *ys = points->ys + points->count;
    struct text cell = {0};
    int status = csv_column(csv, x, &x_column, error);
    if (!status)
        status = csv_column(csv, y, &y_column, error);
    if (!status && by)
        status = csv_column(csv, by, &by_column, error);
    if (!status && !points->data->folder && (status = csv_numbers(csv, x_column, xs, error)) == 0)
        status = csv_numbers(csv, y_column, ys, error);
    for (size_t row = 0, n = points->count; row < csv->rows && !status; row++) {
        if (points->data->folder &&
            (!number_scan(csv_cell(csv, row, x_column, &cell), &points->xs[n]) ||
             !number_scan(csv_cell(csv, row, y_column, &cell), &points->ys[n])))
            continue;
        if (by)
            status = points_category(points, by, csv_cell(csv, row, by_column, &cell),
                                     &points->category[n], error);
        points->count = ++n;
    }
    text_free(&cell);
    return status;
}

static int file_front(const struct plot_data *data, size_t *front, size_t *count,
                      struct error *error)
{
    double *columns[PARETO_OBJECTIVES_MAX];
    int status = objectives_read(&data->objectives, data->tables[0], columns, error);
    if (!status) {
        struct pareto_points set = {data->tables[0]->rows, data->objectives.count,
                                    (const double *const *)columns, data->objectives.senses};
        status = pareto_filter(&set, PARETO_KEEP_FIRST, front, count, error);
        for (int j = 0; j < data->objectives.count; j++)
            free(columns[j]);
    }
    return status;
}

int plot_points_read(const struct plot_data *data, const char *x, const char *y, const char *by,
                     bool front, struct arena *arena, struct plot_front *out, struct error *error)
{
    struct points *points = arena_alloc(arena, sizeof *points);
    size_t rows = 0, *on_front;
    int status = 0;
    for (int t = 0; t < data->n_tables; t++)
        rows += data->tables[t]->rows;
    *points = (struct points){.data = data,
                              .arena = arena,
                              .xs = arena_alloc(arena, rows * sizeof(double)),
                              .ys = arena_alloc(arena, rows * sizeof(double)),
                              .category = by ? arena_alloc(arena, rows * sizeof(int)) : NULL};
    on_front = arena_alloc(arena, rows * sizeof *on_front);
    *out = (struct plot_front){.front = on_front};
    for (int t = 0; t < data->n_tables && !status; t++) {
        status = read_table(points, data->tables[t], x, y, by, error);
        for (; front && data->folder && t == 0 && out->front_count < points->count;
             out->front_count++)
            on_front[out->front_count] = out->front_count;
    }
    if (!status && front && !data->folder)
        status = file_front(data, on_front, &out->front_count, error);
    out->count = points->count;
    out->xs = points->xs;
    out->ys = points->ys;
    out->category = points->category;
    out->categories = points->names;
    out->category_count = points->categories;
    return status;
}

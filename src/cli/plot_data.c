/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading what is to be plotted. */
#include "cli/plot_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/unit.h"
#include "machine/machine.h"
#include "model/model.h"
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

/* Where several models answer, metrics have columns with a model's name in front: one without is
 * of the model that ranks. */
static void name_columns(struct plot_data *data)
{
    const struct yaml_node *root = data->manifest->root, *models = yaml_get(root, "models"),
                           *model = yaml_get(yaml_get(root, "rank"), "model");
    if (!model && models && models->kind == YAML_LIST && models->count)
        model = models->items[0];
    for (int i = 0; model && model->kind == YAML_SCALAR && i < data->objectives.count; i++) {
        const char **name = &data->objectives.names[i], *own;
        size_t column;
        struct error ignored;
        own = arena_printf(data->manifest->arena, "%s.%s", model->text, *name);
        if (csv_column(data->tables[0], *name, &column, &ignored) != 0 &&
            csv_column(data->tables[0], own, &column, &ignored) == 0)
            *name = own;
    }
}

static int load_folder(const char *path, struct plot_data *data, struct error *error)
{
    static const struct {
        const char *name;
        bool needed;
    } files[PLOT_TABLES] = {{"pareto.csv", true}, {"ranking.csv", true}, {"sample.csv", false}};
    struct text name = {0};
    int status = sweep_folder_result(path, &data->manifest, error);
    if (status)
        return error_hint(error, "give a CSV file, or a folder that bandscape sweep wrote");
    if (!status)
        status = manifest_objectives(data->manifest, &data->objectives, error);
    for (int i = 0; i < PLOT_TABLES && !status; i++) {
        name.length = 0;
        text_printf(&name, "%s/%s", path, files[i].name);
        if (!files[i].needed && !file_exists(name.data))
            continue;
        status =
            sweep_folder_table(name.data, data->manifest, &data->tables[data->n_tables], error);
        if (!status)
            data->n_tables++;
    }
    text_free(&name);
    if (!status)
        name_columns(data);
    return status;
}

/* Is a cell (of numbers in SI) what a user writes, "96 GB/s" for 9.6e+10? */
static bool is_value(const char *cell, const char *written)
{
    struct quantity quantity;
    double number;
    return strcmp(cell, written) == 0 ||
           (number_scan(cell, &number) && quantity_scan(written, &quantity) == 0 &&
            fabs(number - quantity.value) <= 1e-9 * fabs(number));
}

/* The rows of a table that have a value in a column, as a table. */
static int keep_rows(struct csv **table, const char *where, struct error *error)
{
    const char *equals = strchr(where, '=');
    struct text kept = {0}, cell = {0}, title = {0};
    struct csv *less = NULL;
    size_t column;
    if (!equals || equals == where) {
        error_set(error, STATUS_USAGE, "--where: expected COLUMN=VALUE, got \"%.60s\"", where);
        return error_hint(error, "for example --where model=network");
    }
    text_append_bytes(&title, where, (size_t)(equals - where));
    int status = csv_column(*table, title.data, &column, error);
    for (long row = -1; !status && row < (long)(*table)->rows; row++) {
        struct csv_slice line = csv_row(*table, row);
        if (row >= 0 && !is_value(csv_cell(*table, (size_t)row, column, &cell), equals + 1))
            continue;
        text_append_bytes(&kept, line.data, line.length);
        text_append(&kept, "\n");
    }
    if (!status && !(status = csv_parse((*table)->name, kept.data, kept.length, &less, error))) {
        csv_destroy(*table);
        *table = less;
    }
    text_free(&kept);
    text_free(&cell);
    text_free(&title);
    return status;
}

static int load_tables(const char *path, const struct objectives *given, struct plot_data *data,
                       struct error *error)
{
    *data =
        (struct plot_data){.base = base_of(path), .objectives = *given, .units = arena_create()};
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

struct seen_row {
    struct csv_slice text;
    int table;
    size_t row;
};

static int compare_seen(const void *a, const void *b)
{
    const struct seen_row *left = a, *right = b;
    size_t common = left->text.length < right->text.length ? left->text.length : right->text.length;
    int order = memcmp(left->text.data, right->text.data, common);
    if (order)
        return order;
    if (left->text.length != right->text.length)
        return left->text.length < right->text.length ? -1 : 1;
    return left->table != right->table ? left->table - right->table
                                       : (left->row > right->row) - (left->row < right->row);
}

/* The best of a sweep are on its front and in its sample as well. */
static void find_again(struct plot_data *data)
{
    size_t rows = 0, n = 0;
    for (int t = 0; t < data->n_tables; t++) {
        rows += data->tables[t]->rows;
        data->again[t] = memory_zero(data->tables[t]->rows + 1, sizeof(bool));
    }
    struct seen_row *seen = memory_zero(rows + 1, sizeof *seen);
    for (int t = 0; t < data->n_tables; t++)
        for (size_t row = 0; row < data->tables[t]->rows; row++)
            seen[n++] = (struct seen_row){csv_row(data->tables[t], (long)row), t, row};
    qsort(seen, n, sizeof *seen, compare_seen);
    for (size_t i = 1; i < n; i++)
        data->again[seen[i].table][seen[i].row] =
            seen[i].text.length == seen[i - 1].text.length &&
            memcmp(seen[i].text.data, seen[i - 1].text.data, seen[i].text.length) == 0;
    free(seen);
}

static size_t count_rows(const struct plot_data *data)
{
    size_t rows = 0;
    for (int t = 0; t < data->n_tables; t++)
        rows += data->tables[t]->rows;
    return rows;
}

/* "a, b, c": what the column of COLUMN=VALUE has in the last table, that of most rows. */
static void name_values(const struct plot_data *data, const char *where, struct text *out)
{
    enum { NAMED = 12 };
    const struct csv *table = data->tables[data->n_tables - 1];
    struct text title = {0}, cell = {0};
    struct error ignored;
    char *values[NAMED + 1];
    size_t column, n = 0;
    text_append_bytes(&title, where, strcspn(where, "="));
    size_t rows = csv_column(table, title.data, &column, &ignored) == 0 ? table->rows : 0;
    for (size_t row = 0; row < rows && n <= NAMED; row++) {
        const char *value = csv_cell(table, row, column, &cell);
        size_t i = 0;
        while (i < n && strcmp(values[i], value) != 0)
            i++;
        if (i == n)
            values[n++] = memory_strdup(value);
    }
    for (size_t i = 0; i < n; i++) {
        text_printf(out, "%s%s", i ? ", " : "", i < NAMED ? values[i] : "...");
        free(values[i]);
    }
    text_free(&title);
    text_free(&cell);
}

int plot_data_load(const char *path, const struct objectives *given, const char *const *where,
                   size_t n_where, struct plot_data *data, struct error *error)
{
    int status = load_tables(path, given, data, error);
    for (size_t i = 0; i < n_where && !status; i++) {
        struct text values = {0};
        name_values(data, where[i], &values);
        size_t before = count_rows(data);
        for (int t = 0; t < data->n_tables && !status; t++)
            status = keep_rows(&data->tables[t], where[i], error);
        if (!status && before && count_rows(data) == 0) {
            error_set(error, STATUS_INPUT, "--where %.80s: no row%s has that value", where[i],
                      i ? " that is left" : "");
            status = error_hint(error, "it has %s", values.data);
        }
        text_free(&values);
    }
    if (!status && data->folder)
        find_again(data);
    return status;
}

void plot_data_free(struct plot_data *data)
{
    for (int i = 0; i < data->n_tables; i++) {
        csv_destroy(data->tables[i]);
        free(data->again[i]);
    }
    yaml_destroy(data->manifest);
    arena_destroy(data->units);
    free(data->base);
    *data = (struct plot_data){0};
}

static const char *unit_of_dim(struct dim dim, const struct plot_data *data)
{
    char unit[64];
    if (dim_equal(dim, DIM_NONE))
        return NULL;
    return arena_strdup(data->units, dim_unit(dim, unit, sizeof unit));
}

/* Of what Bandscape itself prints: "effective_bandwidth", "network.kernel_time@gemm",
 * "inter.link_bandwidth". */
static const char *unit_by_name(const struct plot_data *data, const char *column)
{
    char name[128];
    size_t cursor = 0, length = strcspn(column, "@");
    snprintf(name, sizeof name, "%.*s", (int)length, column);
    const char *dot = strchr(name, '.'), *field = dot ? dot + 1 : name;
    for (const struct plugin *plugin; (plugin = plugin_next("model", &cursor));) {
        const struct model_metric *metric =
            model_metric_find((const struct model *)plugin, dot ? field : name);
        if (metric && (!dot || strncmp(plugin->name, name, (size_t)(dot - name)) == 0))
            return unit_of_dim(metric->dim, data);
    }
    for (const struct parameter_schema *schema = machine_schemas; schema->kind && dot; schema++)
        for (int n = 0; schema->names && schema->names[n]; n++)
            for (const struct parameter_row *row = schema->rows; row->field; row++)
                if (strlen(schema->names[n]) == (size_t)(dot - name) &&
                    strncmp(schema->names[n], name, (size_t)(dot - name)) == 0 &&
                    strcmp(row->field, field) == 0)
                    return unit_of_dim(row->dim, data);
    return NULL;
}

const char *plot_data_unit(const struct plot_data *data, const char *column)
{
    const struct yaml_node *root = data->manifest ? data->manifest->root : NULL;
    const struct yaml_node *columns =
        root && root->kind == YAML_MAP ? yaml_get(root, "columns") : NULL;
    const struct yaml_node *unit =
        columns && columns->kind == YAML_MAP ? yaml_get(columns, column) : NULL;
    if (unit)
        return unit->kind == YAML_SCALAR ? unit->text : NULL;
    return unit_by_name(data, column);
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
    filling_append_words(set, &names);
    if (set)
        said = arena_printf(arena, "inputs: %s", names.data);
    text_free(&cell);
    text_free(&names);
    return said;
}

/* --- columns */

static int read_column(const struct plot_data *data, const char *name, bool numbers,
                       struct arena *arena, struct plot_column *out, struct error *error)
{
    struct text cell = {0};
    size_t rows = 0, column, at = 0;
    int status = 0;
    bool any = false;
    for (int t = 0; t < data->n_tables; t++)
        rows += data->tables[t]->rows;
    *out = (struct plot_column){.texts = arena_alloc(arena, rows * sizeof *out->texts),
                                .numbers = arena_alloc(arena, rows * sizeof *out->numbers),
                                .numeric = true};
    for (int t = 0; t < data->n_tables && !status; t++) {
        const struct csv *csv = data->tables[t];
        status = csv_column(csv, name, &column, error);
        for (size_t row = 0; row < csv->rows && !status; row++) {
            if (data->again[t] && data->again[t][row])
                continue;
            out->texts[at] = arena_strdup(arena, csv_cell(csv, row, column, &cell));
            bool number = number_scan(out->texts[at], &out->numbers[at]);
            if (!number)
                out->numbers[at] = (double)NAN;
            any = any || number;
            at++;
            if (number || !out->texts[at - 1][0])
                continue;
            out->numeric = false;
            struct mark mark = csv_mark(csv, row, column);
            if (numbers)
                status = error_at(error, STATUS_INPUT, &mark,
                                  "column \"%.80s\": expected a finite number, got \"%.40s\"", name,
                                  out->texts[at - 1]);
        }
    }
    out->count = at;
    out->numeric = out->numeric && any;
    text_free(&cell);
    return status;
}

int plot_column_read(const struct plot_data *data, const char *name, struct arena *arena,
                     struct plot_column *out, struct error *error)
{
    return read_column(data, name, false, arena, out, error);
}

int plot_numbers_read(const struct plot_data *data, const char *name, struct arena *arena,
                      struct plot_column *out, struct error *error)
{
    return read_column(data, name, true, arena, out, error);
}

/* --- points */

/* Points while they are read. */
struct points {
    const struct plot_data *data;
    struct arena *arena;
    const char *x, *y, *by, *colour; /* columns */
    double *xs, *ys, *colours;
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

/* Where the columns of the points are in a table. */
struct points_columns {
    size_t x, y, by, colour;
};

static int find_columns(const struct points *points, const struct csv *csv,
                        struct points_columns *out, struct error *error)
{
    int status = csv_column(csv, points->x, &out->x, error);
    if (!status)
        status = csv_column(csv, points->y, &out->y, error);
    if (!status && points->by)
        status = csv_column(csv, points->by, &out->by, error);
    if (!status && points->colour)
        status = csv_column(csv, points->colour, &out->colour, error);
    return status;
}

/* Rows of one table: of a folder, those whose cells are numbers. */
static int read_table(struct points *points, const struct csv *csv, struct error *error)
{
    struct points_columns columns = {0};
    struct text cell = {0};
    bool folder = points->data->folder;
    size_t first = points->count;
    int status = find_columns(points, csv, &columns, error);
    if (!status && !folder && !(status = csv_numbers(csv, columns.x, points->xs + first, error)))
        status = csv_numbers(csv, columns.y, points->ys + first, error);
    if (!status && !folder && points->colour)
        status = csv_numbers(csv, columns.colour, points->colours + first, error);
    for (size_t row = 0; row < csv->rows && !status; row++) {
        size_t n = points->count;
        if (folder && (!number_scan(csv_cell(csv, row, columns.x, &cell), &points->xs[n]) ||
                       !number_scan(csv_cell(csv, row, columns.y, &cell), &points->ys[n]) ||
                       (points->colour && !number_scan(csv_cell(csv, row, columns.colour, &cell),
                                                       &points->colours[n]))))
            continue;
        if (points->by)
            status = points_category(points, points->by, csv_cell(csv, row, columns.by, &cell),
                                     &points->category[n], error);
        points->count = n + 1;
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

/* Where all are numbers, they ascend. */
static void sort_categories(struct points *points)
{
    double numbers[PLOT_CATEGORIES];
    const char *names[PLOT_CATEGORIES];
    int to[PLOT_CATEGORIES];
    for (int i = 0; i < points->categories; i++)
        if (!number_scan(names[i] = points->names[i], &numbers[i]))
            return;
    for (int i = 0; i < points->categories; i++) {
        to[i] = 0;
        for (int k = 0; k < points->categories; k++)
            to[i] += numbers[k] < numbers[i] || (numbers[k] == numbers[i] && k < i);
        points->names[to[i]] = names[i];
    }
    for (size_t i = 0; points->category && i < points->count; i++)
        points->category[i] = to[points->category[i]];
}

int plot_points_read(const struct plot_data *data, const char *x, const char *y, const char *by,
                     const char *colour, bool front, struct arena *arena, struct plot_front *out,
                     struct error *error)
{
    struct points *points = arena_alloc(arena, sizeof *points);
    size_t rows = 0, *on_front;
    int status = 0;
    for (int t = 0; t < data->n_tables; t++)
        rows += data->tables[t]->rows;
    *points = (struct points){.data = data,
                              .arena = arena,
                              .x = x,
                              .y = y,
                              .by = by,
                              .colour = colour,
                              .colours = colour ? arena_alloc(arena, rows * sizeof(double)) : NULL,
                              .xs = arena_alloc(arena, rows * sizeof(double)),
                              .ys = arena_alloc(arena, rows * sizeof(double)),
                              .category = by ? arena_alloc(arena, rows * sizeof(int)) : NULL};
    on_front = arena_alloc(arena, rows * sizeof *on_front);
    *out = (struct plot_front){.front = on_front};
    for (int t = 0; t < data->n_tables && !status; t++) {
        size_t before = points->count;
        status = read_table(points, data->tables[t], error);
        if (t == 1)
            out->ranked = points->count - before;
        for (; front && data->folder && t == 0 && out->front_count < points->count;
             out->front_count++)
            on_front[out->front_count] = out->front_count;
    }
    if (!status && front && !data->folder)
        status = file_front(data, on_front, &out->front_count, error);
    sort_categories(points);
    out->count = points->count;
    out->xs = points->xs;
    out->ys = points->ys;
    out->colours = points->colours;
    out->category = points->category;
    out->categories = points->names;
    out->category_count = points->categories;
    return status;
}

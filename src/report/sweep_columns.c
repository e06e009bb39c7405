/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All points as columns: an NPY file a metric, whose axes are the space's, and columns.yaml, which
 * says what they are. Points are gone through once, by pieces, and all files grow together: memory
 * does not grow with the number of points. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/npy.h"
#include "core/progress.h"
#include "core/version.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"
#include "yaml/yaml.h"

enum { PIECE_ROWS = 4096, NAME_LENGTH = 200 };
static const char columns_yaml[] = "columns.yaml", warnings_name[] = "warnings";
_Static_assert(FILLING_KINDS <= 8, "warnings of a point are the bits of a byte");

struct columns_file {
    size_t column; /* SIZE_MAX: warnings */
    char *name;    /* of the file */
    FILE *stream;
};

struct columns_files {
    struct columns_file *items;
    size_t count, capacity;
};

/* --- names ---------------------------------------------------------------------------------- */

static bool is_taken(const struct columns_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return true;
    return false;
}

/* A column's name with what a path, a shell or a key of YAML takes otherwise replaced. */
static char *file_name(const struct columns_files *files, const char *column)
{
    struct text name = {0};
    text_printf(&name, "%.*s", NAME_LENGTH, column);
    for (char *c = name.data; *c; c++)
        if (!isalnum((unsigned char)*c) && (c == name.data || !strchr("._@+-", *c)))
            *c = '_';
    size_t length = name.length;
    text_append(&name, ".npy");
    for (int i = 2; is_taken(files, name.data); i++) {
        name.length = length;
        text_printf(&name, "-%d.npy", i);
    }
    return name.data;
}

static void list_files(const struct sweep *sweep, struct columns_files *files)
{
    struct columns_file file;
    for (size_t c = 0; c < sweep->n_columns; c++) {
        if (sweep->columns[c].kind == COLUMN_AXIS)
            continue;
        file = (struct columns_file){c, file_name(files, sweep->columns[c].name), NULL};
        VECTOR_PUSH(files, file);
    }
    file = (struct columns_file){SIZE_MAX, file_name(files, warnings_name), NULL};
    VECTOR_PUSH(files, file);
}

/* --- columns.yaml --------------------------------------------------------------------------- */

/* Shortest digits, with the point that YAML 1.1 wants before an exponent: 6e+11 would be a name. */
static void append_number(struct text *out, double value)
{
    char digits[40];
    number_format(value, digits, sizeof digits);
    size_t whole = strcspn(digits, ".e");
    if (digits[whole] == 'e')
        text_printf(out, "%.*s.0%s", (int)whole, digits, digits + whole);
    else
        text_append(out, digits);
}

/* Numbers of one unit, all of them. */
static bool has_numbers(const struct space_axis *axis)
{
    for (size_t v = 0; v < axis->n_values && axis->numeric; v++)
        if (!dim_equal(axis->values[v].assignments[0].value.dim,
                       axis->values[0].assignments[0].value.dim))
            return false;
    return axis->numeric && axis->n_values > 0;
}

/* `first`: the place of the axis' first value among points in a row; SIZE_MAX: a dimension is its
 * own. */
static void print_axis(const struct sweep *sweep, size_t a, uint64_t first, struct text *out)
{
    const struct space_axis *axis = &sweep->space->axes[a];
    struct arena *arena = arena_create();
    bool numbers = has_numbers(axis);
    char unit[64] = "name";
    text_append(out, "  - {name: ");
    yaml_append_scalar(out, axis->name);
    text_printf(out, ", unit: %s",
                numbers ? dim_unit(axis->values[0].assignments[0].value.dim, unit, sizeof unit)
                        : unit);
    if (first != UINT64_MAX)
        text_printf(out, ", first: %llu", (unsigned long long)first);
    text_append(out, ", values: [");
    for (size_t v = 0; v < axis->n_values; v++) {
        text_append(out, v ? ", " : "");
        if (numbers)
            append_number(out, axis->values[v].assignments[0].value.number);
        else
            yaml_append_scalar(out, sweep_value_label(sweep, a, v, arena));
    }
    text_append(out, "]}\n");
    arena_destroy(arena);
}

static void print_file(const struct sweep *sweep, const struct columns_file *file, struct text *out)
{
    char unit[64];
    text_append(out, "  - {name: ");
    if (file->column < SIZE_MAX) {
        const struct sweep_column *column = &sweep->columns[file->column];
        yaml_append_scalar(out, column->name);
        text_printf(out, ", unit: %s", dim_unit(column->dim, unit, sizeof unit));
    } else {
        text_printf(out, "%s, unit: bits, bits: [", warnings_name);
        for (int k = 0; k < FILLING_KINDS; k++)
            text_printf(out, "%s%s", k ? ", " : "", filling_names[k]);
        text_append(out, "]");
    }
    text_printf(out, ", file: %s}\n", file->name);
}

static void print_columns(const struct sweep *sweep, const struct columns_files *files,
                          const uint64_t *shape, size_t dimensions, struct text *out)
{
    const struct space *space = sweep->space;
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    bool cross = space->design == DESIGN_CROSS;
    sweep_parts(space, arena, &parts);
    text_append(out, "# All points of a space, a metric a file: NPY, float64 (warnings: uint8), "
                     "little endian.\n"
                     "# Points that are excluded, and numbers that are not known, are NaN.\n");
    text_printf(out, "schema: %d\nspace: ", BANDSCAPE_SCHEMA);
    yaml_append_scalar(out, space->name);
    text_printf(out, "\ndesign: %s\norder: C\nshape: [", cross ? "cross" : "one-at-a-time");
    for (size_t i = 0; i < dimensions; i++)
        text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)shape[i]);
    text_printf(out, "]\npoints: %llu\nkept: %llu\naxes:%s\n", (unsigned long long)sweep->points,
                (unsigned long long)sweep->kept, space->n_axes ? "" : " []");
    for (size_t a = 0; a < space->n_axes; a++)
        print_axis(sweep, a, cross ? UINT64_MAX : parts[1 + a].first_id, out);
    text_append(out, "columns:\n");
    for (size_t i = 0; i < files->count; i++)
        print_file(sweep, &files->items[i], out);
    arena_destroy(arena);
}

/* --- numbers -------------------------------------------------------------------------------- */

/* The disk is full: what comes later need not be computed. */
static bool is_failing(const struct columns_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (ferror(files->items[i].stream))
            return true;
    return false;
}

static void write_piece(const struct columns_file *file, const struct sweep_row *rows, size_t n)
{
    double values[PIECE_ROWS];
    unsigned char bits[PIECE_ROWS];
    for (size_t i = 0; i < n; i++) {
        bits[i] = rows[i].kept ? (unsigned char)rows[i].filling : 0;
        values[i] =
            rows[i].kept && file->column < SIZE_MAX ? rows[i].values[file->column] : (double)NAN;
        if (isnan(values[i])) /* which of all NaNs does not hang on the processor */
            values[i] = (double)NAN;
    }
    if (file->column < SIZE_MAX)
        npy_write_doubles(file->stream, values, n);
    else
        fwrite(bits, 1, n, file->stream);
}

static int write_pieces(const struct sweep *sweep, const struct columns_files *files,
                        struct error *error)
{
    uint64_t ids[PIECE_ROWS];
    int status = 0;
    progress_begin("writing", "points", sweep->points);
    for (uint64_t from = 0; from < sweep->points && !status && !is_failing(files);
         from += PIECE_ROWS) {
        size_t n = (size_t)(sweep->points - from < PIECE_ROWS ? sweep->points - from : PIECE_ROWS);
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        for (size_t i = 0; i < n; i++)
            ids[i] = from + i;
        status = sweep_rows(sweep, ids, n, arena, &rows, error);
        for (size_t f = 0; f < files->count && !status; f++)
            write_piece(&files->items[f], rows, n);
        arena_destroy(arena);
        progress_add(n);
    }
    progress_end();
    return status;
}

/* The axes' lengths; points in a row where they are no cross product. */
static size_t find_shape(const struct sweep *sweep, uint64_t shape[NPY_DIMENSIONS_MAX])
{
    const struct space *space = sweep->space;
    shape[0] = sweep->points;
    if (space->design != DESIGN_CROSS)
        return 1;
    for (size_t a = 0; a < space->n_axes; a++)
        shape[a] = space->axes[a].n_values;
    return space->n_axes;
}

int sweep_write_columns(const struct sweep *sweep, struct sweep_folder *folder, struct error *error)
{
    uint64_t shape[NPY_DIMENSIONS_MAX];
    struct columns_files files = {0};
    struct text yaml = {0};
    FILE *stream;
    size_t dimensions = find_shape(sweep, shape), opened = 0;
    int status = 0;
    list_files(sweep, &files);
    print_columns(sweep, &files, shape, dimensions, &yaml);
    for (; opened < files.count && !status; opened += !status) {
        struct columns_file *file = &files.items[opened];
        status = sweep_folder_open(folder, file->name, &file->stream, error);
        if (!status)
            npy_begin(file->stream, file->column < SIZE_MAX ? NPY_DOUBLE : NPY_BYTE, shape,
                      dimensions);
    }
    if (!status)
        status = write_pieces(sweep, &files, error);
    else if (strstr(error->text, strerror(EMFILE)))
        error_hint(error, "each of %zu metrics has a file: ulimit -n %zu, or fewer workloads",
                   files.count, files.count + 100);
    for (size_t i = 0; i < opened; i++)
        status = sweep_folder_close(folder, status, error);
    if (!status && !(status = sweep_folder_open(folder, columns_yaml, &stream, error))) {
        fwrite(yaml.data, 1, yaml.length, stream);
        status = sweep_folder_close(folder, 0, error);
    }
    for (size_t i = 0; i < files.count; i++)
        free(files.items[i].name);
    VECTOR_FREE(&files);
    text_free(&yaml);
    return status;
}

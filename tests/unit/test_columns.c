/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All points as arrays, read back by what NumPy's format says of a file, beside the CSV file of the
 * same points; and heads of arrays of any shape. */
#include "check.h"

#include <unistd.h>

#include "core/csv.h"
#include "core/file.h"
#include "core/npy.h"
#include "explore/sweep/sweep.h"
#include "report/sweep_report.h"
#include "yaml/yaml.h"

static const char point_text[] = "profile: hand\n"
                                 "point: {r_local: 0.7, bytes: 1 MB, llc_hit: {memory-side: 0.8, "
                                 "sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1.0}}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
    check_file("other.yaml", point_text);
}

static struct sweep *run(const char *body, int threads, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text,
                "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\", \"%s/other.yaml\"]\n%s",
                check_folder(), check_folder(), body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

/* points.csv, columns.yaml and the arrays in a folder of that name. */
static const char *publish(const struct sweep *sweep, const char *name)
{
    static char path[512];
    struct sweep_run_facts facts = {.command = "test"};
    snprintf(path, sizeof path, "%s/%s", check_folder(), name);
    struct sweep_folder *folder = sweep_folder_create(path);
    check_ok(file_make_directory(path, &failure));
    check_ok(sweep_report_files(sweep, folder, true, &failure));
    check_ok(sweep_write_columns(sweep, folder, &failure));
    check_ok(sweep_report_publish(sweep, folder, &facts, &failure));
    sweep_folder_destroy(folder);
    return path;
}

/* --- a reader of NPY ------------------------------------------------------------------------- */

struct array {
    char *data; /* the file */
    size_t shape[8], dimensions, count;
    bool bytes;
    const unsigned char *numbers;
};

/* As https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html has it. */
static struct array array_read(const char *folder, const char *name)
{
    char path[600], type[8], *at;
    struct array a = {.count = 1};
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    check_ok(file_read(path, 1 << 24, &a.data, &size, &failure));
    const unsigned char *raw = (const unsigned char *)a.data;
    assert_true(size > 10);
    assert_memory_equal(raw, "\x93NUMPY\x01\x00", 8);
    size_t head = (size_t)raw[8] + 256 * (size_t)raw[9];
    assert_int_equal((10 + head) % 64, 0);
    assert_true(size >= 10 + head);
    assert_int_equal(raw[10 + head - 1], '\n');
    assert_int_equal(sscanf(a.data + 10, "{'descr': '%3[^']', 'fortran_order': False,", type), 1);
    a.bytes = strcmp(type, "|u1") == 0;
    if (!a.bytes)
        assert_string_equal(type, "<f8");
    at = strstr(a.data + 10, "'shape': (");
    assert_non_null(at);
    for (at += 10; *at != ')'; at += strspn(at, ", ")) {
        a.shape[a.dimensions] = strtoul(at, &at, 10);
        a.count *= a.shape[a.dimensions++];
    }
    if (a.dimensions == 1) /* (3) would be a number */
        assert_int_equal(at[-1], ',');
    a.numbers = raw + 10 + head;
    assert_int_equal(size - 10 - head, a.count * (a.bytes ? 1 : 8));
    return a;
}

static double array_number(const struct array *a, size_t i)
{
    uint64_t bits = 0;
    double value;
    for (int b = 7; b >= 0; b--)
        bits = bits << 8 | a->numbers[8 * i + (size_t)b];
    memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(heads_are_those_of_the_format)
{
    static const uint64_t shape[] = {3, 1, 12345678901, 2, 7};
    static const double values[] = {1.5, -0.0, 1e-310};
    static const unsigned char one_and_a_half[] = {0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
    for (size_t n = 0; n <= sizeof shape / sizeof *shape; n++) {
        char *data;
        size_t size;
        FILE *stream = open_memstream(&data, &size);
        npy_begin(stream, NPY_DOUBLE, shape, n);
        fflush(stream);
        assert_int_equal(size % 64, 0);
        npy_write_doubles(stream, values, 3);
        fclose(stream);
        assert_int_equal(size % 64, 3 * 8);
        assert_memory_equal(data + size - 24, one_and_a_half, 8);
        static const char *const tuples[] = {"()",
                                             "(3,)",
                                             "(3, 1)",
                                             "(3, 1, 12345678901)",
                                             "(3, 1, 12345678901, 2)",
                                             "(3, 1, 12345678901, 2, 7)"};
        char head[200];
        snprintf(head, sizeof head, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
                 tuples[n]);
        assert_memory_equal(data + 10, head, strlen(head));
        free(data);
    }
}

/* --- a sweep's ------------------------------------------------------------------------------- */

/* Conditions that leave gaps, structures, names, bundles, a machine that cannot be built, and one
 * axis alone at a time. */
static const char *const bodies[] = {
    "axes: {memory.bandwidth: [500 GB/s, 1 TB/s, 2 TB/s]}\n",
    "axes:\n  llc.organisation: [memory-side, sm-side, sac]\n"
    "  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 7}\n"
    "  memory: {slow: {memory.bandwidth: 200 GB/s}, fast: {memory.bandwidth: 800 GB/s}}\n"
    "  llc.bandwidth: {from: 1 TB/s, to: 4 TB/s, points: 31}\n"
    "let: {links: \"total.link_bandwidth\"}\n"
    "where: [\"memory.bandwidth >= inter.link_bandwidth * 3\"]\n",
    "models: [eab, bottleneck]\naxes:\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 2500}\n"
    "  noc.bandwidth: [4 TB/s, 2 TB/s]\n",
    ("design: one-at-a-time\naxes:\n  llc.organisation: [memory-side, sm-side]\n"
     "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 9}\n"
     "where: [\"memory.bandwidth > 100 GB/s\"]\n"),
};
enum { BODIES = sizeof bodies / sizeof *bodies };

/* A column beside the CSV file's of that name: it has the kept points, in order. */
static void check_column(const struct csv *csv, const struct sweep *sweep, const bool *kept,
                         const char *folder, const struct yaml_node *item)
{
    struct text scratch = {0};
    size_t column, row = 0;
    const char *name = yaml_get(item, "name")->text;
    struct array a = array_read(folder, yaml_get(item, "file")->text);
    assert_int_equal(a.count, sweep->points);
    check_ok(csv_column(csv, name, &column, &failure));
    for (size_t i = 0; i < a.count; i++) {
        const char *cell = kept[i] ? csv_cell(csv, row++, column, &scratch) : "";
        if (a.bytes)
            assert_int_equal(a.numbers[i] != 0, cell[0] != '\0');
        else if (cell[0])
            assert_true(array_number(&a, i) == strtod(cell, NULL));
        else
            assert_true(isnan(array_number(&a, i)));
    }
    assert_int_equal(row, csv->rows);
    text_free(&scratch);
    free(a.data);
}

/* The axes' values in columns.yaml, in the order of the points, are the CSV file's. */
static void check_axes(const struct csv *csv, const bool *kept, const struct yaml_node *root)
{
    const struct yaml_node *axes = yaml_get(root, "axes"), *shape = yaml_get(root, "shape");
    struct text scratch = {0};
    assert_int_equal(axes->count, shape->count);
    for (size_t a = 0, stride = 1; a < axes->count; a++, stride = 1) {
        const struct yaml_node *values = yaml_get(axes->items[a], "values");
        size_t column, row = 0;
        assert_int_equal(values->count, strtoul(shape->items[a]->text, NULL, 10));
        for (size_t b = a + 1; b < axes->count; b++)
            stride *= yaml_get(axes->items[b], "values")->count;
        check_ok(csv_column(csv, yaml_get(axes->items[a], "name")->text, &column, &failure));
        bool text = strcmp(yaml_get(axes->items[a], "unit")->text, "name") == 0;
        for (size_t i = 0; row < csv->rows; i++) {
            if (!kept[i])
                continue;
            const char *cell = csv_cell(csv, row++, column, &scratch);
            const char *value = values->items[i / stride % values->count]->text;
            if (text)
                assert_string_equal(cell, value);
            else
                assert_true(strtod(cell, NULL) == strtod(value, NULL));
        }
    }
    text_free(&scratch);
}

static void check_folder_of(const struct sweep *sweep, const char *folder)
{
    char path[600];
    struct csv *csv;
    struct yaml_document *yaml;
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t *ids = arena_alloc(arena, sweep->points * sizeof *ids);
    bool *kept = arena_alloc(arena, sweep->points * sizeof *kept);
    size_t columns = 0;
    for (uint64_t i = 0; i < sweep->points; i++)
        ids[i] = i;
    check_ok(sweep_rows(sweep, ids, sweep->points, arena, &rows, &failure));
    for (uint64_t i = 0; i < sweep->points; i++)
        kept[i] = rows[i].kept;
    snprintf(path, sizeof path, "%s/points.csv", folder);
    check_ok(csv_load(path, &csv, &failure));
    snprintf(path, sizeof path, "%s/columns.yaml", folder);
    check_ok(yaml_load(path, &yaml, &failure));
    const struct yaml_node *items = yaml_get(yaml->root, "columns");
    for (size_t i = 0; i < items->count; i++, columns++)
        check_column(csv, sweep, kept, folder, items->items[i]);
    assert_int_equal(columns + sweep->space->n_axes, csv->columns);
    if (sweep->space->design == DESIGN_CROSS)
        check_axes(csv, kept, yaml->root);
    csv_destroy(csv);
    yaml_destroy(yaml);
    arena_destroy(arena);
}

TEST(arrays_are_the_points)
{
    for (size_t b = 0; b < BODIES; b++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(bodies[b], 1 + (int)b % 3, &space);
        char name[20];
        snprintf(name, sizeof name, "out%zu", b);
        check_folder_of(sweep, publish(sweep, name));
    }
}

/* With `first` the place of an axis' values among points in a row. */
TEST(one_at_a_time_is_a_row_of_points)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(bodies[BODIES - 1], 1, &space);
    struct yaml_document *yaml;
    char path[600];
    const char *folder = publish(sweep, "row");
    snprintf(path, sizeof path, "%s/columns.yaml", folder);
    check_ok(yaml_load(path, &yaml, &failure));
    const struct yaml_node *axes = yaml_get(yaml->root, "axes");
    assert_string_equal(yaml_get(axes->items[0], "first")->text, "1");
    assert_string_equal(yaml_get(axes->items[1], "first")->text, "3");
    struct array a = array_read(folder, "effective_bandwidth.npy");
    assert_int_equal(a.dimensions, 1);
    assert_int_equal(a.shape[0], 1 + 2 + 9);
    assert_true(isnan(array_number(&a, 3))); /* 50 GB/s */
    assert_false(isnan(array_number(&a, 11)));
    free(a.data);
    yaml_destroy(yaml);
}

/* The next result without them takes them away, and one that could not be written leaves nothing.
 */
TEST(arrays_appear_and_go_with_the_result)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(bodies[0], 1, &space);
    struct sweep_run_facts facts = {.command = "test"};
    const char *path = publish(sweep, "again");
    char npy[600];
    snprintf(npy, sizeof npy, "%s/kernel_time@hand.npy", path);
    assert_true(file_exists(npy));
    struct sweep_folder *folder = sweep_folder_create(path);
    check_ok(sweep_write_columns(sweep, folder, &failure));
    sweep_folder_destroy(folder); /* never published */
    char **names;
    size_t count = file_list(path, &names);
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(names[i], ".partial"));
        free(names[i]);
    }
    free(names);
    folder = sweep_folder_create(path);
    check_ok(sweep_report_files(sweep, folder, false, &failure));
    check_ok(sweep_report_publish(sweep, folder, &facts, &failure));
    sweep_folder_destroy(folder);
    assert_false(file_exists(npy));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace statistics as tables, JSON and CSV. */
#include "cli/trace_report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/table.h"

/* --- what is counted, as data ----------------------------------------------- */

enum count_note {
    COUNT_PLAIN,
    COUNT_ZERO_IS_UNKNOWN,
    COUNT_WITHIN_KERNELS /* the table has no such figure for all kernels together */
};

struct count_column {
    const char *key;   /* in CSV and JSON */
    const char *title; /* in the table; NULL: not there */
    const char *unit;  /* in the table */
    enum count_note note;
    size_t offset; /* of a uint64_t in struct statistics_counts */
};

#define AT(member) offsetof(struct statistics_counts, member)
static const struct count_column count_columns[] = {
    {"ctas", "CTAs", NULL, COUNT_PLAIN, AT(ctas)},
    {"warps", NULL, NULL, COUNT_PLAIN, AT(warps)},
    {"instructions", "instr.", "warp", COUNT_ZERO_IS_UNKNOWN, AT(instructions)},
    {"warp_accesses", "accesses", "warp", COUNT_PLAIN, AT(warp_accesses)},
    {"reads", "reads", "lanes", COUNT_PLAIN, AT(lanes.reads)},
    {"writes", "writes", "lanes", COUNT_PLAIN, AT(lanes.writes)},
    {"atomics", "atomics", "lanes", COUNT_PLAIN, AT(lanes.atomics)},
    {"lane_bytes", NULL, NULL, COUNT_PLAIN, AT(lane_bytes)},
    {"lines", "lines", "accesses", COUNT_PLAIN, AT(lines)},
    {"sectors", "sectors", "accesses", COUNT_PLAIN, AT(sectors)},
    {"distinct_lines", "lines", "distinct", COUNT_PLAIN, AT(distinct_lines)},
    {"shared_lines", "lines", "shared", COUNT_WITHIN_KERNELS, AT(shared_lines)},
    {"line_ctas", NULL, NULL, COUNT_PLAIN, AT(line_ctas)},
    {"dropped_local", NULL, NULL, COUNT_PLAIN, AT(dropped.local)},
    {"dropped_bulk", NULL, NULL, COUNT_PLAIN, AT(dropped.bulk)},
    {"dropped_unknown", NULL, NULL, COUNT_PLAIN, AT(dropped.unknown)},
};
#undef AT
enum { COUNT_COLUMNS = sizeof count_columns / sizeof *count_columns };

static uint64_t count_value(const struct statistics_counts *counts, int column)
{
    return *(const uint64_t *)(const void *)((const char *)counts + count_columns[column].offset);
}

static bool count_is_known(const struct statistics_counts *counts, int column)
{
    return count_columns[column].note != COUNT_ZERO_IS_UNKNOWN || count_value(counts, column) > 0;
}

/* --- warnings --------------------------------------------------------------- */

struct warnings {
    struct arena *arena;
    const char **items;
    size_t count, capacity;
};

static void warnings_add(struct warnings *out, uint64_t count, const char *what)
{
    if (count)
        VECTOR_PUSH(out, arena_printf(out->arena, "%" PRIu64 " %s", count, what));
}

/* What a reader of the numbers must know. */
static void warnings_gather(const struct trace_subject *subject, struct warnings *out)
{
    const struct stream_dropped *dropped = &subject->statistics->total.dropped;
    *out = (struct warnings){.arena = arena_create()};
    for (size_t i = 0; i < subject->source->warnings.count; i++)
        VECTOR_PUSH(out, subject->source->warnings.items[i]);
    warnings_add(out, dropped->local,
                 "accesses to local memory are left out: a trace has one address for all threads' "
                 "local memory");
    warnings_add(out, dropped->bulk, "bulk (TMA) copies are left out: their bytes are not counted");
    warnings_add(out, dropped->unknown,
                 "memory instructions are left out: this program does not know them");
}

static void warnings_fini(struct warnings *warnings)
{
    VECTOR_FREE(warnings);
    arena_destroy(warnings->arena);
}

/* --- table ------------------------------------------------------------------ */

static void print_table(struct table *table)
{
    struct text text = {0};
    struct table_style style = terminal_table_style(stdout);
    table_render(table, &style, &text);
    fputs(text.length ? text.data : "", stdout);
    text_free(&text);
    table_destroy(table);
}

static void dimensions_text(const uint32_t sizes[3], char *buffer, size_t size)
{
    if (sizes[1] == 1 && sizes[2] == 1)
        snprintf(buffer, size, "%" PRIu32, sizes[0]);
    else if (sizes[2] == 1)
        snprintf(buffer, size, "%" PRIu32 "x%" PRIu32, sizes[0], sizes[1]);
    else
        snprintf(buffer, size, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, sizes[0], sizes[1], sizes[2]);
}

static void table_count_row(struct table *table, const struct statistics_counts *counts, bool total)
{
    for (int i = 0; i < COUNT_COLUMNS; i++) {
        if (!count_columns[i].title)
            continue;
        bool shown = !total || count_columns[i].note != COUNT_WITHIN_KERNELS;
        if (shown && count_is_known(counts, i))
            table_printf(table, "%" PRIu64, count_value(counts, i));
        else
            table_cell(table, "-");
    }
    /* CTAs of different kernels do not meet: no such figure for all of them. */
    if (total || counts->distinct_lines == 0)
        table_cell(table, "-");
    else
        table_printf(table, "%.2f", statistics_ctas_per_line(counts));
    if (total || counts->shared_lines == 0)
        table_cell(table, "-");
    else
        table_printf(table, "%.2f", statistics_ctas_per_shared_line(counts));
}

static void print_kernels(const struct statistics *statistics)
{
    struct table *table = table_create();
    table_column(table, "kernel", NULL, TABLE_LEFT);
    table_column(table, "grid", NULL, TABLE_RIGHT);
    table_column(table, "block", NULL, TABLE_RIGHT);
    for (int i = 0; i < COUNT_COLUMNS; i++)
        if (count_columns[i].title)
            table_column(table, count_columns[i].title, count_columns[i].unit, TABLE_RIGHT);
    table_column(table, "CTAs", "/line", TABLE_RIGHT);
    table_column(table, "CTAs", "/shared line", TABLE_RIGHT);
    for (size_t i = 0; i < statistics->kernels.count; i++) {
        const struct statistics_kernel *kernel = &statistics->kernels.items[i];
        char grid[40], block[40];
        dimensions_text(kernel->grid, grid, sizeof grid);
        dimensions_text(kernel->block, block, sizeof block);
        table_printf(table, "%zu %s", i + 1, kernel->name);
        table_cell(table, grid);
        table_cell(table, block);
        table_count_row(table, &kernel->counts, false);
    }
    table_rule(table);
    table_cell(table, "all");
    table_cell(table, "");
    table_cell(table, "");
    table_count_row(table, &statistics->total, true);
    print_table(table);
}

static void table_allocation_row(struct table *table, const char *name, const char *base,
                                 const char *bytes, const struct lane_counts *lanes)
{
    table_cell(table, name);
    table_cell(table, base);
    table_cell(table, bytes);
    table_printf(table, "%" PRIu64, lanes->reads);
    table_printf(table, "%" PRIu64, lanes->writes);
    table_printf(table, "%" PRIu64, lanes->atomics);
}

static void print_allocations(const struct source *source, const struct statistics *statistics)
{
    struct table *table = table_create();
    table_column(table, "allocation", NULL, TABLE_LEFT);
    table_column(table, "base", NULL, TABLE_RIGHT);
    table_column(table, "size", "bytes", TABLE_RIGHT);
    table_column(table, "reads", "lanes", TABLE_RIGHT);
    table_column(table, "writes", "lanes", TABLE_RIGHT);
    table_column(table, "atomics", "lanes", TABLE_RIGHT);
    for (size_t i = 0; i < statistics->allocation_count; i++) {
        const struct stream_allocation *allocation = &source->allocations.items[i];
        char base[32], bytes[32];
        snprintf(base, sizeof base, "0x%" PRIx64, allocation->base);
        snprintf(bytes, sizeof bytes, "%" PRIu64, allocation->bytes);
        table_allocation_row(table, *allocation->name ? allocation->name : "-", base, bytes,
                             &statistics->total_allocations[i]);
    }
    table_allocation_row(table, "elsewhere", "", "",
                         &statistics->total_allocations[statistics->allocation_count]);
    print_table(table);
}

void trace_report_tables(const struct trace_subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct source *source = subjects[i].source;
        const struct statistics *statistics = subjects[i].statistics;
        char footprint[32];
        quantity_format(
            (struct quantity){(double)statistics->total.distinct_lines * statistics->line_bytes,
                              DIM_BYTES},
            4, footprint, sizeof footprint);
        printf("%s%s: %s, %zu kernel%s, footprint %s in lines of %" PRIu32 " B\n\n", i ? "\n" : "",
               source->name, source->class->kind, statistics->kernels.count,
               statistics->kernels.count == 1 ? "" : "s", footprint, statistics->line_bytes);
        print_kernels(statistics);
        if (statistics->allocation_count) {
            putchar('\n');
            print_allocations(source, statistics);
        }
    }
}

/* --- JSON and CSV ----------------------------------------------------------- */

static void json_counts(struct json *json, const struct statistics_counts *counts, bool total)
{
    for (int i = 0; i < COUNT_COLUMNS; i++) {
        json_key(json, count_columns[i].key);
        if (count_is_known(counts, i))
            json_integer(json, (int64_t)count_value(counts, i));
        else
            json_null(json);
    }
    if (total)
        return;
    json_key(json, "ctas_per_line");
    json_number(json, statistics_ctas_per_line(counts));
    json_key(json, "ctas_per_shared_line");
    json_number(json, statistics_ctas_per_shared_line(counts));
}

static void json_dimensions(struct json *json, const char *key, const uint32_t sizes[3])
{
    double values[3] = {sizes[0], sizes[1], sizes[2]};
    json_key(json, key);
    json_numbers(json, values, 3);
}

static void json_lanes(struct json *json, const struct lane_counts *lanes)
{
    json_key(json, "reads");
    json_integer(json, (int64_t)lanes->reads);
    json_key(json, "writes");
    json_integer(json, (int64_t)lanes->writes);
    json_key(json, "atomics");
    json_integer(json, (int64_t)lanes->atomics);
}

static void json_allocations(struct json *json, const struct source *source,
                             const struct lane_counts *lanes)
{
    json_key(json, "allocations");
    json_begin_array(json);
    for (size_t i = 0; i < source->allocations.count; i++) {
        const struct stream_allocation *allocation = &source->allocations.items[i];
        json_begin_object(json);
        json_key(json, "name");
        json_string(json, allocation->name);
        json_key(json, "base");
        json_integer(json, (int64_t)allocation->base);
        json_key(json, "bytes");
        json_integer(json, (int64_t)allocation->bytes);
        json_lanes(json, &lanes[i]);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "elsewhere");
    json_begin_object(json);
    json_lanes(json, &lanes[source->allocations.count]);
    json_end_object(json);
}

static void json_kernels(struct json *json, const struct statistics *statistics)
{
    json_key(json, "kernels");
    json_begin_array(json);
    for (size_t i = 0; i < statistics->kernels.count; i++) {
        const struct statistics_kernel *kernel = &statistics->kernels.items[i];
        json_begin_object(json);
        json_key(json, "name");
        json_string(json, kernel->name);
        json_dimensions(json, "grid", kernel->grid);
        json_dimensions(json, "block", kernel->block);
        json_key(json, "shared_bytes");
        json_integer(json, kernel->shared_bytes);
        json_counts(json, &kernel->counts, false);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_warnings(struct json *json, const struct trace_subject *subject)
{
    struct warnings warnings;
    warnings_gather(subject, &warnings);
    json_key(json, "warnings");
    json_begin_array(json);
    for (size_t i = 0; i < warnings.count; i++)
        json_string(json, warnings.items[i]);
    json_end_array(json);
    warnings_fini(&warnings);
}

void trace_report_json(const struct trace_subject *subjects, size_t count)
{
    struct json json = {.stream = stdout};
    json_begin_array(&json);
    for (size_t i = 0; i < count; i++) {
        const struct source *source = subjects[i].source;
        const struct statistics *statistics = subjects[i].statistics;
        json_begin_object(&json);
        json_key(&json, "name");
        json_string(&json, source->name);
        json_key(&json, "source");
        json_string(&json, source->spec);
        json_key(&json, "kind");
        json_string(&json, source->class->kind);
        json_key(&json, "hash");
        json_string(&json, source->hash);
        json_key(&json, "line_bytes");
        json_integer(&json, statistics->line_bytes);
        json_allocations(&json, source, statistics->total_allocations);
        json_kernels(&json, statistics);
        json_key(&json, "total");
        json_begin_object(&json);
        json_counts(&json, &statistics->total, true);
        json_end_object(&json);
        json_warnings(&json, &subjects[i]);
        json_end_object(&json);
    }
    json_end_array(&json);
}

static void csv_kernel_row(struct csv_writer *csv, const struct source *source, size_t index,
                           const struct statistics_kernel *kernel)
{
    csv_write_text(csv, source->name);
    csv_write_integer(csv, index + 1);
    csv_write_text(csv, kernel->name);
    for (int k = 0; k < 3; k++)
        csv_write_integer(csv, kernel->grid[k]);
    for (int k = 0; k < 3; k++)
        csv_write_integer(csv, kernel->block[k]);
    csv_write_integer(csv, kernel->shared_bytes);
    for (int k = 0; k < COUNT_COLUMNS; k++)
        if (count_is_known(&kernel->counts, k))
            csv_write_integer(csv, count_value(&kernel->counts, k));
        else
            csv_write_text(csv, "");
    csv_write_number(csv, statistics_ctas_per_line(&kernel->counts));
    csv_write_number(csv, statistics_ctas_per_shared_line(&kernel->counts));
    csv_end_row(csv);
}

void trace_report_csv(const struct trace_subject *subjects, size_t count)
{
    static const char *const first[] = {"source", "index",   "kernel",  "grid_x",  "grid_y",
                                        "grid_z", "block_x", "block_y", "block_z", "shared_bytes"};
    struct csv_writer csv = {.stream = stdout};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        csv_write_text(&csv, first[i]);
    for (int k = 0; k < COUNT_COLUMNS; k++)
        csv_write_text(&csv, count_columns[k].key);
    csv_write_text(&csv, "ctas_per_line");
    csv_write_text(&csv, "ctas_per_shared_line");
    csv_end_row(&csv);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < subjects[i].statistics->kernels.count; k++)
            csv_kernel_row(&csv, subjects[i].source, k, &subjects[i].statistics->kernels.items[k]);
}

void trace_report_warnings(const struct trace_subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct warnings warnings;
        warnings_gather(&subjects[i], &warnings);
        terminal_warn(subjects[i].source->name, (const char *const *)warnings.items,
                      warnings.count);
        warnings_fini(&warnings);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace statistics as tables, JSON and CSV. */
#include "cli/trace_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/sheet_print.h"

/* --- what is counted, as data ----------------------------------------------- */

/* X(key, title, unit, value): of struct statistics_counts *c. */
#define COUNTS(X)                                                                                  \
    X("ctas", "CTAs", NULL, c->ctas)                                                               \
    X("warps", NULL, NULL, c->warps)                                                               \
    X("instructions", "instr.", "warp", c->instructions ? c->instructions : SHEET_UNKNOWN)         \
    X("warp_accesses", "accesses", "warp", c->warp_accesses)                                       \
    X("reads", "reads", "lanes", c->lanes.reads)                                                   \
    X("writes", "writes", "lanes", c->lanes.writes)                                                \
    X("atomics", "atomics", "lanes", c->lanes.atomics)                                             \
    X("lane_bytes", NULL, NULL, c->lane_bytes)                                                     \
    X("lines", "lines", "accesses", c->lines)                                                      \
    X("sectors", "sectors", "accesses", c->sectors)                                                \
    X("distinct_lines", "lines", "distinct", c->distinct_lines)                                    \
    X("shared_lines", "lines", "shared", c->shared_lines)                                          \
    X("line_ctas", NULL, NULL, c->line_ctas)                                                       \
    X("dropped_local", NULL, NULL, c->dropped.local)                                               \
    X("dropped_bulk", NULL, NULL, c->dropped.bulk)                                                 \
    X("dropped_unknown", NULL, NULL, c->dropped.unknown)

/* Behind all others. */
#define OTHER_COUNTS(X)                                                                            \
    X("local_bytes", NULL, NULL, c->local_bytes)                                                   \
    X("bulk_bytes", NULL, NULL, c->bulk_bytes)

#define COUNT_COLUMN(key, title, unit, value) {key, title, unit, SHEET_INTEGER},
static const struct sheet_column total_columns[] = {
    COUNTS(COUNT_COLUMN) OTHER_COUNTS(COUNT_COLUMN) /* no more */ {NULL}};

static const struct sheet_column kernel_columns[] = {
    {"source", NULL, NULL, SHEET_TEXT, .files = SHEET_CSV_ONLY},
    {"index", NULL, NULL, SHEET_INTEGER, .files = SHEET_CSV_ONLY},
    {NULL, "kernel", NULL, SHEET_TEXT},
    {"kernel", NULL, NULL, SHEET_TEXT, .files = SHEET_CSV_ONLY},
    {"name", NULL, NULL, SHEET_TEXT, .files = SHEET_JSON_ONLY},
    {"grid", "grid", NULL, SHEET_SHAPE},
    {"block", "block", NULL, SHEET_SHAPE},
    {"shared_bytes", NULL, NULL, SHEET_INTEGER},
    COUNTS(COUNT_COLUMN) /* then means over lines */
    {"ctas_per_line", "CTAs", "/line", SHEET_FIXED, .digits = 2},
    {"ctas_per_shared_line", "CTAs", "/shared line", SHEET_FIXED, .digits = 2},
    OTHER_COUNTS(COUNT_COLUMN) /* no more */ {NULL}};
#undef COUNT_COLUMN

static const struct sheet_column allocation_columns[] = {
    {NULL, "allocation", NULL, SHEET_TEXT},         {"name", NULL, NULL, SHEET_TEXT},
    {"base", "base", NULL, SHEET_INTEGER},          {"bytes", "size", "bytes", SHEET_INTEGER},
    {"reads", "reads", "lanes", SHEET_INTEGER},     {"writes", "writes", "lanes", SHEET_INTEGER},
    {"atomics", "atomics", "lanes", SHEET_INTEGER}, {NULL}};
enum { KERNEL_COUNTS = 8, ALLOCATION_LANES = 4 }; /* where those columns begin */

static void add_counts(struct sheet *sheet, const struct statistics_counts *c)
{
#define COUNT_CELL(key, title, unit, value) {.integer = value},
    const struct sheet_cell cells[] = {COUNTS(COUNT_CELL)};
    sheet_add_cells(sheet, cells, sizeof cells / sizeof *cells);
}

static void add_other_counts(struct sheet *sheet, const struct statistics_counts *c)
{
    const struct sheet_cell cells[] = {OTHER_COUNTS(COUNT_CELL)};
#undef COUNT_CELL
    sheet_add_cells(sheet, cells, sizeof cells / sizeof *cells);
}

/* A row a kernel. The table has no ratio where there are no such lines. */
static void add_kernels(struct sheet *sheet, const struct trace_subject *subject)
{
    const struct statistics *statistics = subject->statistics;
    for (size_t i = 0; i < statistics->kernels.count; i++) {
        const struct statistics_kernel *kernel = &statistics->kernels.items[i];
        const struct statistics_counts *counts = &kernel->counts;
        const struct sheet_cell lead[KERNEL_COUNTS] = {
            {subject->source->name},
            {.integer = i + 1},
            {arena_printf(sheet->arena, "%zu %s", i + 1, kernel->name)},
            {kernel->name},
            {kernel->name},
            {.shape = kernel->grid},
            {.shape = kernel->block},
            {.integer = kernel->shared_bytes}};
        const struct sheet_cell ratios[] = {
            {counts->distinct_lines ? NULL : "-", {statistics_ctas_per_line(counts)}},
            {counts->shared_lines ? NULL : "-", {statistics_ctas_per_shared_line(counts)}}};
        sheet_add_cells(sheet, lead, KERNEL_COUNTS);
        add_counts(sheet, counts);
        sheet_add_cells(sheet, ratios, 2);
        add_other_counts(sheet, counts);
    }
}

/* All kernels together, for the table. CTAs of different ones do not meet: nothing is shared. */
static void add_total(struct sheet *sheet, const struct statistics *statistics)
{
    static const struct sheet_cell lead[KERNEL_COUNTS] = {[2] = {"all"}, [5] = {""}, {""}};
    struct statistics_counts total = statistics->total;
    total.shared_lines = SHEET_UNKNOWN;
    sheet_add_rule(sheet);
    sheet_add_cells(sheet, lead, KERNEL_COUNTS);
    add_counts(sheet, &total);
    SHEET_TEXTS(sheet, "-", "-");
    add_other_counts(sheet, &total);
}

static void add_lanes(struct sheet *sheet, const struct lane_counts *lanes)
{
    const struct sheet_cell cells[] = {
        {.integer = lanes->reads}, {.integer = lanes->writes}, {.integer = lanes->atomics}};
    sheet_add_cells(sheet, cells, 3);
}

static struct sheet *allocations_of(const struct trace_subject *subject)
{
    struct sheet *sheet = sheet_create(allocation_columns);
    for (size_t i = 0; i < subject->statistics->allocation_count; i++) {
        const struct stream_allocation *allocation = &subject->source->allocations.items[i];
        const char *base = arena_printf(sheet->arena, "0x%" PRIx64, allocation->base);
        const struct sheet_cell lead[ALLOCATION_LANES] = {
            {*allocation->name ? allocation->name : "-"},
            {allocation->name},
            {base, {.integer = allocation->base}},
            {.integer = allocation->bytes}};
        sheet_add_cells(sheet, lead, ALLOCATION_LANES);
        add_lanes(sheet, &subject->statistics->total_allocations[i]);
    }
    return sheet;
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
                 "accesses to local memory are left out: the trace does not say where, or whose");
    warnings_add(out, dropped->bulk,
                 "bulk (TMA) copies are left out: prefetches, or the trace has no sizes for them");
    warnings_add(out, dropped->unknown,
                 "memory instructions are left out: this program does not know them");
}

static void warnings_fini(struct warnings *warnings)
{
    VECTOR_FREE(warnings);
    arena_destroy(warnings->arena);
}

/* --- table ------------------------------------------------------------------ */

/* Traffic of other kinds, where there is any. */
static void print_others(const struct statistics_counts *total)
{
    char bytes[32], frame[32];
    quantity_format((struct quantity){(double)total->local_bytes, DIM_BYTES}, 4, bytes,
                    sizeof bytes);
    quantity_format((struct quantity){(double)total->local_frame / WARP_LANES, DIM_BYTES}, 4, frame,
                    sizeof frame);
    if (total->local_bytes)
        printf("\nto local memory: %s, up to %s a thread\n", bytes, frame);
    quantity_format((struct quantity){(double)total->bulk_bytes, DIM_BYTES}, 4, bytes,
                    sizeof bytes);
    if (total->bulk_bytes)
        printf("%sby bulk copies (TMA): %s\n", total->local_bytes ? "" : "\n", bytes);
}

void trace_report_tables(const struct trace_subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct source *source = subjects[i].source;
        const struct statistics *statistics = subjects[i].statistics;
        struct sheet *kernels = sheet_create(kernel_columns);
        struct sheet *allocations = allocations_of(&subjects[i]);
        char footprint[32];
        quantity_format(
            (struct quantity){(double)statistics->total.distinct_lines * statistics->line_bytes,
                              DIM_BYTES},
            4, footprint, sizeof footprint);
        printf("%s%s: %s, %zu kernel%s, footprint %s in lines of %" PRIu32 " B\n\n", i ? "\n" : "",
               source->name, source->class->kind, statistics->kernels.count,
               statistics->kernels.count == 1 ? "" : "s", footprint, statistics->line_bytes);
        add_kernels(kernels, &subjects[i]);
        add_total(kernels, statistics);
        terminal_print_sheet(kernels, "table");
        if (statistics->allocation_count) {
            SHEET_TEXTS(allocations, "elsewhere", "", "", "");
            add_lanes(allocations, &statistics->total_allocations[statistics->allocation_count]);
            putchar('\n');
            terminal_print_sheet(allocations, "table");
        }
        print_others(&statistics->total);
        sheet_destroy(allocations);
        sheet_destroy(kernels);
    }
}

/* --- JSON and CSV ----------------------------------------------------------- */

static void json_allocations(struct json *json, const struct trace_subject *subject)
{
    struct sheet *allocations = allocations_of(subject);
    struct sheet *elsewhere = sheet_create(allocation_columns + ALLOCATION_LANES);
    add_lanes(elsewhere,
              &subject->statistics->total_allocations[subject->statistics->allocation_count]);
    json_key(json, "allocations");
    sheet_print_json(allocations, json);
    json_key(json, "elsewhere");
    json_begin_object(json);
    sheet_print_json_row(elsewhere, 0, json);
    json_end_object(json);
    sheet_destroy(elsewhere);
    sheet_destroy(allocations);
}

static void json_kernels(struct json *json, const struct trace_subject *subject)
{
    struct sheet *kernels = sheet_create(kernel_columns), *total = sheet_create(total_columns);
    add_kernels(kernels, subject);
    add_counts(total, &subject->statistics->total);
    add_other_counts(total, &subject->statistics->total);
    json_key(json, "kernels");
    sheet_print_json(kernels, json);
    json_key(json, "total");
    json_begin_object(json);
    sheet_print_json_row(total, 0, json);
    json_end_object(json);
    sheet_destroy(total);
    sheet_destroy(kernels);
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
        json_begin_object(&json);
        json_pair_string(&json, "name", source->name);
        json_pair_string(&json, "source", source->spec);
        json_pair_string(&json, "kind", source->class->kind);
        json_pair_string(&json, "hash", source->hash);
        json_key(&json, "line_bytes");
        json_integer(&json, subjects[i].statistics->line_bytes);
        json_allocations(&json, &subjects[i]);
        json_kernels(&json, &subjects[i]);
        json_warnings(&json, &subjects[i]);
        json_end_object(&json);
    }
    json_end_array(&json);
}

void trace_report_csv(const struct trace_subject *subjects, size_t count)
{
    struct sheet *kernels = sheet_create(kernel_columns);
    for (size_t i = 0; i < count; i++)
        add_kernels(kernels, &subjects[i]);
    terminal_print_sheet(kernels, "csv");
    sheet_destroy(kernels);
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

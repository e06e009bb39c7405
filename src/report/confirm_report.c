/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models beside the simulation, point by point. */
#include "report/confirm_report.h"

#include <math.h>
#include <stdlib.h>

#include "report/sheet_print.h"

static void add_columns(const struct sweep *sweep, struct sheet_columns *out)
{
    static const struct sheet_column referee[] = {
        {"workload", "workload", NULL, SHEET_TEXT},
        {"referee.effective_bandwidth", "simulated", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
        {"referee.half_width", NULL, NULL, SHEET_NUMBER},
        {NULL, "+-", NULL, SHEET_SHARE},
        {"referee.kernel_time", NULL, NULL, SHEET_NUMBER},
        {"referee.requests", NULL, NULL, SHEET_INTEGER},
        {NULL}};
    VECTOR_PUSH(out, (struct sheet_column){"rank", "rank", NULL, SHEET_INTEGER});
    for (size_t k = 0; k < sweep->n_columns; k++)
        if (sweep->columns[k].kind == COLUMN_AXIS)
            VECTOR_PUSH(out,
                        (struct sheet_column){sweep->columns[k].name, NULL, NULL,
                                              sweep->columns[k].text ? SHEET_TEXT : SHEET_NUMBER});
    for (const struct sheet_column *column = referee; column->key || column->title; column++)
        VECTOR_PUSH(out, *column);
}

static void add_model_columns(const char *model, struct arena *arena, struct sheet_columns *out)
{
    const struct sheet_column columns[] = {
        {arena_printf(arena, "%s.effective_bandwidth", model), model, NULL, SHEET_NUMBER,
         .dim = IN_BYTES_PER_S},
        {arena_printf(arena, "%s.kernel_time", model), NULL, NULL, SHEET_NUMBER},
        {arena_printf(arena, "%s.error", model), "error", NULL, SHEET_SHARE}};
    for (int i = 0; i < 3; i++)
        VECTOR_PUSH(out, columns[i]);
}

static void add_row(struct sheet *sheet, const struct confirmation *c, size_t index,
                    const struct sweep_row *point)
{
    const struct sweep *sweep = c->sweep;
    const struct confirmed *item = &c->items[index];
    const struct simulate_gpu_result *r = item->result;
    struct estimate bandwidth = r->bandwidth_bytes_per_s;
    size_t n = sweep->space->n_workloads;
    sheet_add_cells(sheet, &(struct sheet_cell){.integer = index / n + 1}, 1);
    for (size_t k = 0; k < sweep->n_columns; k++)
        if (sweep->columns[k].kind == COLUMN_AXIS)
            sheet_add_cells(sheet, &(struct sheet_cell){point->labels[k], {point->values[k]}}, 1);
    SHEET_TEXTS(sheet, sweep->workload_names[index % n]);
    SHEET_NUMBERS(sheet, bandwidth.mean, bandwidth.half_width,
                  bandwidth.half_width / bandwidth.mean, r->kernel_time_s);
    sheet_add_cells(sheet, &(struct sheet_cell){.integer = r->requests}, 1);
    for (size_t m = 0; m < sweep->space->n_models; m++) {
        double error = referee_error(r, &item->models[m]);
        const char *sign =
            isnan(error) ? NULL : arena_printf(sheet->arena, "%+.1f %%", 100 * error);
        SHEET_NUMBERS(sheet, item->models[m].bandwidth_bytes_per_s, item->models[m].time_s);
        sheet_add_cells(sheet, &(struct sheet_cell){sign, {error}}, 1);
    }
}

int confirm_report(const struct confirmation *c, struct sheet **out, struct error *error)
{
    const struct sweep *sweep = c->sweep;
    struct arena *arena = arena_create();
    struct sheet_columns columns = {0};
    struct sweep_row *points;
    bool whole = false;
    int status = sweep_rows(sweep, sweep->ranking.items, c->points, arena, &points, error);
    add_columns(sweep, &columns);
    for (size_t m = 0; m < sweep->space->n_models; m++)
        add_model_columns(sweep->space->models[m]->plugin.name, arena, &columns);
    VECTOR_PUSH(&columns, (struct sheet_column){NULL});
    *out = sheet_create(columns.items);
    for (size_t i = 0; !status && i < c->points * sweep->space->n_workloads; i++) {
        add_row(*out, c, i, &points[i / sweep->space->n_workloads]);
        whole = whole || c->items[i].result->whole;
    }
    if (whole)
        sheet_add_note(*out, "errors of whole runs: over the kernel time, starts and ends of "
                             "launches included");
    VECTOR_FREE(&columns);
    arena_destroy(arena);
    return status;
}

int confirm_report_csv(const struct sheet *sheet, struct sweep_folder *folder, struct error *error)
{
    struct csv_writer csv = {0};
    int status = sweep_folder_open(folder, "confirm.csv", &csv.stream, error);
    if (status)
        return status;
    sheet_print_csv(sheet, &csv);
    return sweep_folder_close(folder, 0, error);
}

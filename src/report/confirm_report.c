/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models beside the simulation, point by point. */
#include "report/confirm_report.h"

#include <math.h>

#include "report/csv.h"

enum { DIGITS = 4 };

static double error_of(const struct confirmed *item, size_t model)
{
    return referee_error(item->result, &item->models[model]);
}

static bool any_whole(const struct confirmation *c)
{
    for (size_t i = 0; i < c->points * c->sweep->space->n_workloads; i++)
        if (c->items[i].result->whole)
            return true;
    return false;
}

void confirm_report_text(const struct confirmation *c, const struct table_style *style,
                         struct text *out)
{
    const struct space *space = c->sweep->space;
    struct table *table = table_create();
    table_column(table, "rank", NULL, TABLE_RIGHT);
    table_column(table, "workload", NULL, TABLE_LEFT);
    table_column(table, "simulated", NULL, TABLE_RIGHT);
    table_column(table, "+-", NULL, TABLE_RIGHT);
    for (size_t m = 0; m < space->n_models; m++) {
        table_column(table, space->models[m]->plugin.name, NULL, TABLE_RIGHT);
        table_column(table, "error", NULL, TABLE_RIGHT);
    }
    for (size_t i = 0; i < c->points * space->n_workloads; i++) {
        const struct confirmed *item = &c->items[i];
        struct estimate bandwidth = item->result->bandwidth_bytes_per_s;
        table_printf(table, "%zu", i / space->n_workloads + 1);
        table_cell(table, c->sweep->workload_names[i % space->n_workloads]);
        table_quantity(table, (struct quantity){bandwidth.mean, DIM_BYTES_PER_S}, DIGITS);
        table_percent(table, bandwidth.half_width / bandwidth.mean);
        for (size_t m = 0; m < space->n_models; m++) {
            table_quantity(
                table, (struct quantity){item->models[m].bandwidth_bytes_per_s, DIM_BYTES_PER_S},
                DIGITS);
            if (isnan(error_of(item, m)))
                table_cell(table, "-");
            else
                table_printf(table, "%+.1f %%", 100 * error_of(item, m));
        }
    }
    table_render(table, style, out);
    table_destroy(table);
    if (any_whole(c))
        text_append(out, "errors of whole runs: over the kernel time, starts and ends of launches "
                         "included\n");
}

static void write_header(struct csv_writer *csv, const struct sweep *sweep)
{
    static const char *const metrics[] = {"effective_bandwidth", "kernel_time", "error"};
    struct text name = {0};
    csv_write_text(csv, "rank");
    for (size_t k = 0; k < sweep->n_columns; k++)
        if (sweep->columns[k].kind == COLUMN_AXIS)
            csv_write_text(csv, sweep->columns[k].name);
    csv_write_text(csv, "workload");
    csv_write_text(csv, "referee.effective_bandwidth");
    csv_write_text(csv, "referee.half_width");
    csv_write_text(csv, "referee.kernel_time");
    csv_write_text(csv, "referee.requests");
    for (size_t m = 0; m < sweep->space->n_models; m++)
        for (int k = 0; k < 3; k++) {
            name.length = 0;
            text_printf(&name, "%s.%s", sweep->space->models[m]->plugin.name, metrics[k]);
            csv_write_text(csv, name.data);
        }
    csv_end_row(csv);
    text_free(&name);
}

static void write_item(struct csv_writer *csv, const struct sweep *sweep,
                       const struct sweep_row *row, size_t index, const struct confirmed *item)
{
    const struct simulate_gpu_result *r = item->result;
    csv_write_integer(csv, index / sweep->space->n_workloads + 1);
    for (size_t k = 0; k < sweep->n_columns; k++)
        if (sweep->columns[k].kind != COLUMN_AXIS)
            continue;
        else if (sweep->columns[k].text)
            csv_write_text(csv, row->labels[k]);
        else
            csv_write_known(csv, row->values[k]);
    csv_write_text(csv, sweep->workload_names[index % sweep->space->n_workloads]);
    csv_write_known(csv, r->bandwidth_bytes_per_s.mean);
    csv_write_known(csv, r->bandwidth_bytes_per_s.half_width);
    csv_write_known(csv, r->kernel_time_s);
    csv_write_integer(csv, r->requests);
    for (size_t m = 0; m < sweep->space->n_models; m++) {
        csv_write_known(csv, item->models[m].bandwidth_bytes_per_s);
        csv_write_known(csv, item->models[m].time_s);
        csv_write_known(csv, error_of(item, m));
    }
    csv_end_row(csv);
}

int confirm_report_csv(const struct confirmation *c, struct sweep_folder *folder,
                       struct error *error)
{
    const struct sweep *sweep = c->sweep;
    struct arena *arena = arena_create();
    struct csv_writer csv = {0};
    struct sweep_row *rows;
    int status = sweep_rows(sweep, sweep->ranking.items, c->points, arena, &rows, error);
    if (!status)
        status = sweep_folder_open(folder, "confirm.csv", &csv.stream, error);
    if (!status) {
        size_t n = sweep->space->n_workloads;
        write_header(&csv, sweep);
        for (size_t i = 0; i < c->points * n; i++)
            write_item(&csv, sweep, &rows[i / n], i, &c->items[i]);
        status = sweep_folder_close(folder, 0, error);
    }
    arena_destroy(arena);
    return status;
}

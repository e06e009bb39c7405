/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps: a level for each launch, as long as it takes. */
#include "report/timeline.h"

#include <math.h>
#include <string.h>

#include "report/gnuplot.h"

static double record_metric(const struct answer *answer, const struct model_record *record,
                            const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return answer->values[record->metrics[i].term];
    return (double)NAN;
}

static int timeline_series(const struct answer *answer, struct arena *arena,
                           struct plot_series *out, struct error *error)
{
    size_t n = answer->result.n_records;
    double *xs = arena_alloc(arena, 2 * n * sizeof *xs),
           *ys = arena_alloc(arena, 2 * n * sizeof *ys);
    double now = 0;
    *out = (struct plot_series){
        .name = answer->result.organisation, .xs = xs, .ys = ys, .plain = true};
    for (size_t r = 0; r < n; r++) {
        const struct model_record *record = &answer->result.records[r];
        if (record->empty)
            continue;
        double time = record_metric(answer, record, "kernel_time");
        if (isnan(time))
            return error_set(error, STATUS_INPUT,
                             "a plot over time needs the bytes of each kernel, which the profile "
                             "does not say");
        for (int end = 0; end < 2; end++) {
            xs[out->count] = end ? now + time : now;
            ys[out->count++] = record_metric(answer, record, "effective_bandwidth");
        }
        now += time;
    }
    return 0;
}

static int timeline_terminal(const char *path, enum plot_terminal *out, struct error *error)
{
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/'))
        return error_set(error, STATUS_USAGE, "%s: expected a name that ends in .svg, .png or .pdf",
                         path);
    return plot_terminal_scan(dot + 1, out, error);
}

int timeline_plot(const struct answer_row *rows, size_t count, const char *path,
                  struct error *error)
{
    struct arena *arena = arena_create();
    struct plot_series *series = arena_alloc(arena, count * sizeof *series);
    struct plot_output output = {.path = path};
    int status = timeline_terminal(path, &output.terminal, error);
    for (size_t i = 1; i < count && !status; i++)
        if (rows[i].answer->result.model != rows[0].answer->result.model ||
            strcmp(rows[i].workload, rows[0].workload) != 0) {
            status =
                error_set(error, STATUS_USAGE, "a plot over time is of one model and one workload");
            error_hint(error, "name them: --model eab --workload W");
        }
    for (size_t i = 0; i < count && !status; i++)
        status = timeline_series(rows[i].answer, arena, &series[i], error);
    if (!status) {
        struct plot_curves plot = {
            .title = arena_printf(arena, "%s on %s: launches over time (%s)", rows[0].workload,
                                  rows[0].machine, rows[0].answer->result.model->plugin.name),
            .x = {"time", "s", PLOT_LINEAR},
            .y = {"effective bandwidth", "B/s", PLOT_LINEAR},
            .count = count,
            .series = series,
        };
        status = plot_curves(&output, &plot, error);
    }
    arena_destroy(arena);
    return status;
}

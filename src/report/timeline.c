/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps: a level for each launch, as long as it takes. */
#include "report/timeline.h"

#include <math.h>
#include <string.h>

#include "report/picture.h"

static double record_metric(const struct answer *answer, const struct model_record *record,
                            const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return answer->values[record->metrics[i].term];
    return (double)NAN;
}

static int timeline_add(const struct answer *answer, struct picture *picture, struct error *error)
{
    size_t n = answer->result.n_records, count = 0;
    double *xs = arena_alloc(picture->arena, 2 * n * sizeof *xs);
    double *ys = arena_alloc(picture->arena, 2 * n * sizeof *ys);
    double now = 0;
    for (size_t r = 0; r < n; r++) {
        const struct model_record *record = &answer->result.records[r];
        if (record->empty)
            continue;
        double time = record_metric(answer, record, "kernel_time");
        if (isnan(time))
            return error_set(error, STATUS_INPUT,
                             "a plot over time needs the bytes of each kernel, which the profile "
                             "does not say");
        double level = record_metric(answer, record, "effective_bandwidth");
        count = picture_box(xs, ys, count, (double[]){now, now + time}, (double[]){level, level});
        now += time;
    }
    picture_add_curve(picture, answer->result.organisation, count, xs, ys);
    picture->series.items[picture->series.count - 1].style = PICTURE_LINES;
    return 0;
}

int timeline_plot(const struct answer_row *rows, size_t count, const struct plot_output *how,
                  struct error *error)
{
    struct plot_output output = *how;
    const char *path = how->path;
    struct picture picture;
    int status = 0;
    if (!plot_terminal_of(path, &output.terminal) || output.terminal == PLOT_DUMB)
        return error_set(error, STATUS_USAGE,
                         "%s: expected a name that ends in .svg, .png, .pdf, .eps or .tex", path);
    picture_begin(&picture);
    picture.title =
        arena_printf(picture.arena, "%s on %s: launches over time (%s)", rows[0].workload,
                     rows[0].machine, rows[0].answer->result.model->plugin.name);
    picture.x = (struct plot_axis){.title = "time", .unit = "s"};
    picture.y = (struct plot_axis){.title = "effective bandwidth", .unit = "B/s"};
    if (rows[0].filling) {
        struct text note = {0};
        filling_append_words(rows[0].filling, &note);
        picture.remark = arena_printf(picture.arena, "input: %s", note.data);
        text_free(&note);
    }
    for (size_t i = 1; i < count && !status; i++)
        if (rows[i].answer->result.model != rows[0].answer->result.model ||
            strcmp(rows[i].workload, rows[0].workload) != 0) {
            status =
                error_set(error, STATUS_USAGE, "a plot over time is of one model and one workload");
            error_hint(error, "name them: --model eab --workload W");
        }
    for (size_t i = 0; i < count && !status; i++)
        status = timeline_add(rows[i].answer, &picture, error);
    return picture_end(&picture, &output, status, NULL, error);
}

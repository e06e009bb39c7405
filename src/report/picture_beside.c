/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may stand beside a picture: the script that draws it again (gnuplot NAME.gp), for whoever
 * wants to change more than options do, and its data as CSV, for other programs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/file.h"
#include "report/gnuplot_run.h"
#include "report/picture_internal.h"

/* "dir/front.svg" is "dir/front" and that ending. */
static char *beside_name(const char *name, const char *ending)
{
    struct text out = {0};
    const char *base = file_base_name(name), *dot = strrchr(base, '.');
    text_append_bytes(&out, name, dot && dot != base ? (size_t)(dot - name) : strlen(name));
    text_append(&out, ending);
    return out.data;
}

/* The script says where its picture goes behind the terminal; it may be run in another folder. */
static void put_script(const struct drawing *d, const char *name, struct text *out)
{
    const char *rest = strchr(d->script.data, '\n');
    text_append(out, "# Drawn by gnuplot: gnuplot ");
    char *script = beside_name(file_base_name(name), PICTURE_SCRIPT);
    text_printf(out, "%s\n", script);
    free(script);
    text_append_bytes(out, d->script.data, (size_t)(rest - d->script.data) + 1);
    text_append(out, "set output ");
    gnuplot_quote(out, file_base_name(name), 0);
    text_append(out, rest);
}

static void put_title(struct csv_writer *csv, const struct plot_axis *axis, const char *otherwise)
{
    struct text title = {0};
    bool named = axis->title && axis->title[0];
    text_append(&title, named ? axis->title : otherwise);
    if (axis->unit && axis->unit[0] && strcmp(axis->unit, "1") != 0)
        text_printf(&title, " (%s)", axis->unit);
    csv_write_text(csv, title.data);
    text_free(&title);
}

/* A row a point, in the units of the description; of a box two, of opposite corners. */
static int put_data(const struct drawing *d, struct text *out, struct error *error)
{
    char *data = NULL;
    size_t size = 0;
    struct csv_writer csv = {.stream = open_memstream(&data, &size)};
    if (!csv.stream)
        return error_errno(error, "write", "the data of a picture");
    csv_write_text(&csv, "series");
    put_title(&csv, &d->picture->x, "x");
    put_title(&csv, &d->picture->y, "y");
    if (d->coloured)
        put_title(&csv, &d->picture->colour, "colour");
    csv_end_row(&csv);
    for (size_t s = 0; s < d->picture->series.count; s++) {
        const struct picture_series *series = &d->picture->series.items[s];
        for (size_t i = 0; i < series->count; i++) {
            if (series->colour == PICTURE_WHITE) /* the edge of another series' points */
                break;
            csv_write_text(&csv, series->title ? series->title : "");
            csv_write_known(&csv, series->xs[i]);
            csv_write_known(&csv, series->ys[i]);
            if (d->coloured)
                csv_write_known(&csv, series->zs
                                          ? series->zs[series->style == PICTURE_BOXES ? i / 2 : i]
                                          : (double)NAN);
            csv_end_row(&csv);
        }
    }
    fclose(csv.stream);
    text_append_bytes(out, data, size);
    free(data);
    return 0;
}

static int place(const char *picture, const char *ending, const struct text *content,
                 struct error *error)
{
    char *path = beside_name(picture, ending), *folder = file_directory(path);
    int status = file_make_directory(folder, error);
    if (!status)
        status = file_write(path, content->data, content->length, error);
    free(folder);
    free(path);
    return status;
}

int beside_write(const struct drawing *d, const struct plot_output *output, struct error *error)
{
    struct text script = {0}, data = {0};
    const char *name = output->path ? output->path : output->name;
    bool placed = output->path && !output->script;
    int status = 0;
    if (!name)
        return 0;
    put_script(d, name, &script);
    status = put_data(d, &data, error);
    if (!status && placed)
        status = place(output->path, PICTURE_SCRIPT, &script, error);
    if (!status && placed)
        status = place(output->path, PICTURE_DATA, &data, error);
    if (!status && !placed && output->script) {
        text_append_bytes(output->script, script.data, script.length);
        text_append_bytes(output->data, data.data, data.length);
    }
    text_free(&script);
    text_free(&data);
    return status;
}

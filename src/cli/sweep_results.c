/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_results.h"

#include <string.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "core/ranks.h"
#include "report/picture_file.h"

enum { SHOWN_ROWS = 10 };

/* A result without pictures is a result. */
int sweep_results_no_picture(int status, struct error *error)
{
    if (status != STATUS_NO_PICTURE)
        return status;
    message("no plots: %s%s%s%s", error->text, error->hint[0] ? " (" : "", error->hint,
            error->hint[0] ? ")" : "");
    *error = (struct error){0};
    return 0;
}

/* A picture shows two columns of it. */
static void add_objectives(const struct space *space, struct text *lines)
{
    text_printf(lines, "  the front is of %zu objectives:", space->n_objectives);
    for (size_t i = 0; i < space->n_objectives; i++)
        text_printf(lines, "%s %s %s", i ? "," : "",
                    space->objectives[i].sense == PARETO_MAXIMISE ? "maximise" : "minimise",
                    space->objectives[i].name);
    text_append(lines, "\n  seen over two of them, a point on it may look dominated: it is better "
                       "in another\n");
}

static void print_pictures(const struct sweep_results *r)
{
    for (size_t i = 0; i < r->folder->files.count; i++)
        if (!r->folder->files.items[i].hash[0] &&
            !strstr(r->folder->files.items[i].name, PICTURE_ENDING))
            printf("%s/%s\n", r->path, r->folder->files.items[i].name);
}

static int print_summary(const struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct text lines = {0}, remarks = {0};
    const struct model *model = space_ranking_model(space);
    text_printf(&lines, "%s: %llu point%s, %llu kept, %zu on the Pareto front; ranked by %s",
                space->name, (unsigned long long)sweep->points, sweep->points == 1 ? "" : "s",
                (unsigned long long)sweep->kept, sweep->front.count, space->rank_by);
    if (model) /* which of the kinds of answer */
        text_printf(&lines, " of %s (%s)", model->plugin.name, model->answer);
    text_append(&lines, "\n");
    if (sweep->adaptive && sweep->evaluated + sweep->skipped > 0)
        text_printf(&lines,
                    "  adaptive: %llu evaluated, %llu skipped that can reach neither the best %llu "
                    "nor the front; %llu workloads solved for that\n",
                    (unsigned long long)sweep->evaluated, (unsigned long long)sweep->skipped,
                    (unsigned long long)space->top, (unsigned long long)sweep->answered);
    if (space->n_objectives > 2)
        add_objectives(space, &lines);
    for (size_t i = 0; i < sweep->reasons.count; i++)
        text_printf(&lines, "  excluded %llu: %s\n",
                    (unsigned long long)sweep->reasons.items[i].count,
                    sweep->reasons.items[i].text);
    for (size_t i = 0; i < sweep->warnings.count; i++)
        text_printf(&lines, "  warning for %llu: %s\n",
                    (unsigned long long)sweep->warnings.items[i].count,
                    sweep->warnings.items[i].text);
    int status = sweep_remarks(sweep, &remarks, error);
    if (!status)
        status = sweep_front_words(sweep, &remarks, error);
    for (char *line = remarks.data, *end; line && (end = strchr(line, '\n')); line = end + 1)
        text_printf(&lines, "  %.*s\n", (int)(end - line), line);
    terminal_put(stdout, lines.data);
    text_free(&remarks);
    text_free(&lines);
    return status;
}

int sweep_results_print(const struct sweep_results *r, struct error *error)
{
    const struct sweep *sweep = r->sweep;
    const struct space *space = sweep->space;
    struct text text = {0};
    struct table_style style = terminal_table_style(stdout);
    int status = print_summary(sweep, error);
    if (!status)
        status = sweep_report_table(sweep, SHOWN_ROWS, &style, &text, error);
    if (!status && space->n_objectives == 2 && sweep->kept > 0 && ranks_count() == 1 &&
        isatty(STDOUT_FILENO) && !option_given(r->inv, "no-plots") && !r->no_gnuplot)
        status = sweep_results_no_picture(sweep_report_sketch(sweep, &text, error), error);
    if (!status) {
        printf("\n%s\n", text.length ? text.data : "");
        terminal_say("files: %s/{ranking,pareto,sample,%slimits%s}.csv, manifest.yaml, run.yaml\n",
                     r->path, sweep->adaptive ? "" : "marginals,",
                     option_given(r->inv, "all") ? ",points" : "");
        if (option_given(r->inv, "columns"))
            printf("arrays: %s/*.npy, which %s/columns.yaml tells of\n", r->path, r->path);
        print_pictures(r);
    }
    text_free(&text);
    return status;
}

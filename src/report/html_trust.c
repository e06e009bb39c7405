/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure a result is, and what determines it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "report/html.h"

/* --- models ----------------------------------------------------------------------------------- */

static void print_models(struct html *page)
{
    const struct yaml_node *models = result_node(page->result, "models", YAML_LIST);
    html_table_begin(page, "Models that were asked", false);
    html_head(page, "model", false);
    html_head(page, "kind of answer", false);
    html_head(page, "what it is", false);
    html_head(page, "after", false);
    html_head_end(page);
    for (size_t i = 0; models && i < models->count; i++) {
        const char *name = models->items[i]->kind == YAML_SCALAR ? models->items[i]->text : "";
        const struct model *model = (const struct model *)plugin_find("model", name);
        html_printf(page, "<tr><th scope=\"row\">%s</th>", name);
        html_text_cell(page, model ? model->answer : "-");
        html_text_cell(page, model && model->plugin.summary ? model->plugin.summary : "-");
        html_text_cell(page, model && model->plugin.reference ? model->plugin.reference : "-");
        html_printf(page, "</tr>\n");
    }
    html_table_end(page);
}

/* One a line: texts of a list, or of maps under a key, with their counts of points. */
static void print_list(struct html *page, const char *key, const char *of, const char *title)
{
    const struct yaml_node *list = result_node(page->result, key, YAML_LIST);
    if (!list || !list->count)
        return;
    html_printf(page, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = list->items[i];
        if (item->kind == YAML_SCALAR)
            html_printf(page, "<li>%s</li>\n", item->text);
        else
            html_printf(page, "<li>%s (%s points)</li>\n", result_scalar(item, of),
                        result_scalar(item, "points"));
    }
    html_printf(page, "</ul>\n");
}

/* --- simulations ------------------------------------------------------------------------- */

/* "network.error" */
static bool is_error(const char *title)
{
    const char *dot = strrchr(title, '.');
    return dot && strcmp(dot, ".error") == 0;
}

static void print_confirmed(struct html *page)
{
    const struct csv *csv = page->result->confirm;
    size_t rank = result_column(csv, "rank"), workload = result_column(csv, "workload");
    size_t simulated = result_column(csv, "referee.effective_bandwidth");
    if (!csv || rank == SIZE_MAX || workload == SIZE_MAX || simulated == SIZE_MAX)
        return;
    html_printf(page, "<h3>Simulations of the best points</h3>\n<p>Request by request, and how far "
                      "each model is from that.</p>\n");
    html_table_begin(page, "Simulated, and errors of models", true);
    html_head(page, "rank", true);
    html_head(page, "workload", false);
    html_head(page, "simulated", true);
    for (size_t c = 0; c < csv->columns; c++)
        if (is_error(csv->titles[c]))
            html_head(page, csv->titles[c], true);
    html_head_end(page);
    for (size_t r = 0; r < csv->rows; r++) {
        struct text cell = {0};
        double here = result_number(csv, r, simulated);
        html_printf(page, "<tr>");
        html_cell(page, csv_cell(csv, r, rank, &cell), result_number(csv, r, rank));
        html_text_cell(page, csv_cell(csv, r, workload, &cell));
        html_cell(page, html_number(page, here, DIM_BYTES_PER_S), here);
        for (size_t c = 0; c < csv->columns; c++) {
            double error = result_number(csv, r, c);
            if (is_error(csv->titles[c]))
                html_cell(page, html_percent(page, error, 1, true), error);
        }
        html_printf(page, "</tr>\n");
        text_free(&cell);
    }
    html_table_end(page);
}

void html_trust(struct html *page)
{
    const struct yaml_node *models = result_node(page->result, "models", YAML_LIST);
    html_printf(page, "<section id=\"trust\">\n<h2>How sure it is</h2>\n");
    print_models(page);
    if (models && models->count < 2)
        html_printf(page,
                    "<p>One model was asked: whether others agree is not known. A sweep with "
                    "several (<code>--model</code>) says on how many points they differ.</p>\n");
    print_list(page, "remarks", "", "What the ranking does not show");
    print_list(page, "warnings", "warning", "Warnings about inputs and models");
    print_list(page, "excluded", "reason", "Points that are not in the result");
    if (page->result->confirm)
        print_confirmed(page);
    else
        html_printf(page,
                    "<p>No point was simulated: <code>bandscape sweep --confirm 3</code> holds "
                    "the best ones against simulations.</p>\n");
    html_printf(page,
                "<p>How models stand to published figures: <code>bandscape validate</code>.</p>\n"
                "</section>\n");
}

/* --- what determines it
 * --------------------------------------------------------------------------- */

/* Without the number of threads, which changes nothing. */
static const char *command(struct html *page)
{
    static const char jobs[] = " -j ";
    const char *text = result_scalar(page->result->run ? page->result->run->root : NULL, "command");
    const char *space = result_scalar(page->result->manifest->root, "space");
    if (!text[0])
        return arena_printf(page->arena, "bandscape sweep %s", space);
    const char *found = strstr(text, jobs);
    if (!found)
        return text;
    const char *rest = found + strlen(jobs);
    return arena_printf(page->arena, "%.*s%s", (int)(found - text), text,
                        rest + strspn(rest, "0123456789"));
}

static void print_fact(struct html *page, const char *name, const char *value)
{
    if (value[0])
        html_printf(page, "<tr><th scope=\"row\">%s</th><td><code>%s</code></td></tr>\n", name,
                    value);
}

void html_redo(struct html *page)
{
    const struct yaml_node *root = page->result->manifest->root;
    const struct yaml_node *workloads = result_node(page->result, "workloads", YAML_LIST);
    const struct yaml_node *files = result_node(page->result, "files", YAML_MAP);
    html_printf(page,
                "<section id=\"redo\">\n<h2>What determines it</h2>\n<p>To make it again: "
                "<code>%s</code></p>\n",
                command(page));
    html_table_begin(page, "Inputs and files, with the hashes of their contents", false);
    html_head(page, "what", false);
    html_head(page, "which", false);
    html_head_end(page);
    print_fact(page, "bandscape", result_scalar(root, "version"));
    print_fact(page, arena_printf(page->arena, "space %s", result_scalar(root, "space")),
               result_scalar(root, "space_hash"));
    print_fact(page, arena_printf(page->arena, "machine %s", result_scalar(root, "machine")),
               result_scalar(root, "machine_hash"));
    for (size_t i = 0; workloads && i < workloads->count; i++) {
        const struct yaml_node *w = workloads->items[i];
        const char *size = result_scalar(w, "size"), *rate = result_scalar(w, "sample_rate");
        print_fact(page,
                   arena_printf(page->arena, "workload %s%s%s", result_scalar(w, "name"),
                                size[0] ? " " : "", size),
                   arena_printf(page->arena, "%s %s%s%s", result_scalar(w, "hash"),
                                result_scalar(w, "spec"),
                                rate[0] ? ", curves from this share of the lines: " : "", rate));
    }
    for (size_t i = 0; files && i < files->count; i++)
        print_fact(page, files->keys[i]->text, result_scalar(files, files->keys[i]->text));
    html_table_end(page);
    html_printf(page, "</section>\n");
}

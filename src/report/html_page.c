/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: what is asked, the answer, the ranking; then the other sections. */
#include "report/html_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "report/html.h"

/* What a table does not show; rows of the ranking that the page has. */
static const double SAME = 1e-4;
enum { RANKING_ROWS = 200 };

/* --- the question ------------------------------------------------------------------------ */

static void print_term(struct html *page, const char *term)
{
    html_printf(page, "<dt>%s</dt><dd>", term);
}

static void print_end(struct html *page)
{
    html_printf(page, "</dd>\n");
}

static void print_axes(struct html *page)
{
    const struct yaml_node *axes = result_node(page->result, "axes", YAML_LIST);
    for (size_t i = 0; axes && i < axes->count; i++) {
        const struct yaml_node *axis = axes->items[i];
        const struct yaml_node *values = axis->kind == YAML_MAP ? yaml_get(axis, "values") : NULL;
        const char *count = result_scalar(axis, "count");
        print_term(page, "axis");
        html_printf(page, "<code>%s</code>: ", result_scalar(axis, "name"));
        bool whole = values && strtoul(count, NULL, 10) == values->count;
        if (!whole)
            html_printf(page, "%s values, from ", count);
        for (size_t v = 0; values && v < values->count; v++)
            html_printf(page, "%s%s",
                        v == 0  ? ""
                        : whole ? ", "
                                : " to ",
                        values->items[v]->kind == YAML_SCALAR ? values->items[v]->text : "");
        print_end(page);
    }
}

static void print_formulas(struct html *page, const char *key, const char *term)
{
    const struct yaml_node *map = yaml_get(page->result->manifest->root, key);
    for (size_t i = 0; map && map->kind != YAML_SCALAR && i < map->count; i++) {
        print_term(page, term);
        if (map->kind == YAML_MAP)
            html_printf(page, "<code>%s = %s</code>", map->keys[i]->text,
                        result_scalar(map, map->keys[i]->text));
        else if (map->items[i]->kind == YAML_SCALAR)
            html_printf(page, "<code>%s</code>", map->items[i]->text);
        print_end(page);
    }
}

static void print_objectives(struct html *page)
{
    const struct yaml_node *list = result_node(page->result, "objectives", YAML_LIST);
    const struct yaml_node *rank = result_node(page->result, "rank", YAML_MAP);
    const char *model = result_scalar(rank, "model"), *against;
    for (size_t i = 0; list && i < list->count; i++) {
        const char *most = result_scalar(list->items[i], "maximise");
        const char *least = result_scalar(list->items[i], "minimise");
        const char *tolerance = result_scalar(list->items[i], "tolerance");
        print_term(page, "objective");
        html_printf(page, "%s <code>%s</code>%s%s", most[0] ? "maximise" : "minimise",
                    most[0] ? most : least,
                    tolerance[0] ? "; relative differences are taken as equal up to " : "",
                    tolerance);
        print_end(page);
    }
    print_term(page, "ranked by");
    html_printf(page, "<code>%s</code>%s%s, %s first; over workloads: %s", html_rank_name(page),
                model[0] ? " of model " : "", model, html_least_is_best(page) ? "least" : "most",
                result_scalar(rank, "aggregate"));
    print_end(page);
    against = result_scalar(page->result->manifest->root, "speedup_vs");
    if (against[0]) {
        print_term(page, "speed-ups over");
        html_text(page, against);
        print_end(page);
    }
}

static void print_names(struct html *page, const char *key, const char *of)
{
    const struct yaml_node *list = result_node(page->result, key, YAML_LIST);
    const char *last = "", *name;
    for (size_t i = 0, shown = 0; list && i < list->count; i++) {
        const struct yaml_node *item = list->items[i];
        name = item->kind == YAML_SCALAR ? item->text : result_scalar(item, of);
        if (strcmp(name, last) != 0) /* a workload in several sizes stands there for each */
            html_printf(page, "%s%s", shown++ ? ", " : "", name);
        last = name;
    }
}

static void print_question(struct html *page)
{
    const struct yaml_node *root = page->result->manifest->root;
    html_printf(page, "<section id=\"question\">\n<h2>The question</h2>\n<dl>\n");
    print_term(page, "space");
    html_printf(page, "%s%s%s", result_scalar(root, "space"),
                result_scalar(root, "summary")[0] ? ": " : "", result_scalar(root, "summary"));
    print_end(page);
    print_term(page, "machine");
    html_text(page, result_scalar(root, "machine"));
    print_end(page);
    print_term(page, "workloads");
    print_names(page, "workloads", "name");
    print_end(page);
    print_term(page, "models");
    print_names(page, "models", "");
    print_end(page);
    print_axes(page);
    print_formulas(page, "let", "with");
    print_formulas(page, "set", "tied");
    print_formulas(page, "where", "condition");
    print_objectives(page);
    print_term(page, "points");
    html_printf(page, "%s (%s), of which %s are kept", result_scalar(root, "points"),
                strcmp(result_scalar(root, "design"), "cross") == 0 ? "every combination"
                                                                    : "one axis at a time",
                result_scalar(root, "kept"));
    print_end(page);
    html_printf(page, "</dl>\n</section>\n");
}

/* --- the answer -------------------------------------------------------------------------- */

/* Mean over all kept points, by any axis that all of them have; NaN: not known. */
static double mean_of_all(const struct html *page)
{
    const struct csv *csv = page->result->marginals;
    size_t points = result_column(csv, "points"), mean = result_column(csv, "mean");
    size_t axis = result_column(csv, "axis");
    const char *kept = result_scalar(page->result->manifest->root, "kept");
    struct text first = {0}, name = {0};
    double n = 0, sum = 0, total;
    for (size_t r = 0; axis < SIZE_MAX && points < SIZE_MAX && r < csv->rows; r++) {
        csv_cell(csv, 0, axis, &first);
        if (strcmp(csv_cell(csv, r, axis, &name), first.data) != 0)
            break;
        double count = result_number(csv, r, points), here = result_number(csv, r, mean);
        n += isnan(here) ? 0 : count;
        sum += isnan(here) ? 0 : count * here;
    }
    text_free(&first);
    text_free(&name);
    return number_scan(kept, &total) && n == total ? sum / n : (double)NAN;
}

static void print_distance(struct html *page, size_t column)
{
    const struct csv *ranking = page->result->ranking;
    double first = result_number(ranking, 0, column), mean = mean_of_all(page);
    struct dim dim = html_rank_dim(page);
    size_t r = 1;
    while (r < ranking->rows &&
           fabs(result_number(ranking, r, column) - first) <= SAME * fabs(first))
        r++;
    html_printf(page, "<p>");
    if (r > 1)
        html_printf(page, "The first %s of the ranking are alike. ",
                    arena_printf(page->arena, "%zu", r));
    if (r < ranking->rows) {
        double next = result_number(ranking, r, column);
        html_printf(page, "The next that differs, rank %s, has %s (%s). ",
                    arena_printf(page->arena, "%zu", r + 1), html_number(page, next, dim),
                    html_percent(page, next / first - 1, 2, true));
    }
    if (!isnan(mean) && mean > 0 && first > 0)
        html_printf(page, "The mean of all points that are kept is %s (%s).",
                    html_number(page, mean, dim), html_percent(page, mean / first - 1, 0, true));
    html_printf(page, "</p>\n");
}

/* Of the first point, from limits.csv: the first resource of a workload is the one that counts. */
struct binding {
    const char *workload, *resource;
};

static size_t find_bindings(struct html *page, struct binding **out)
{
    const struct csv *csv = page->result->limits;
    size_t rank = result_column(csv, "rank"), count = 0;
    if (rank == SIZE_MAX)
        return 0;
    *out = arena_alloc(page->arena, csv->rows * sizeof **out);
    for (size_t r = 0; r < csv->rows && result_number(csv, r, rank) == 1; r++) {
        struct binding here = {html_csv_text(page, csv, r, "workload"),
                               html_csv_text(page, csv, r, "resource")};
        if (count == 0 || strcmp((*out)[count - 1].workload, here.workload) != 0)
            (*out)[count++] = here;
    }
    return count;
}

/* "memory (gemm, bfs); llc (srad)" */
static void print_bindings(struct html *page)
{
    struct binding *all = NULL;
    size_t count = find_bindings(page, &all);
    if (!count)
        return;
    html_printf(page, "<p>What limits it first: ");
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (strcmp(all[k].resource, all[i].resource) != 0)
            k++;
        if (k < i) /* said */
            continue;
        html_printf(page, "%s<b>%s</b> (%s", i ? "; " : "", all[i].resource, all[i].workload);
        for (k = i + 1; k < count; k++)
            if (strcmp(all[k].resource, all[i].resource) == 0)
                html_printf(page, ", %s", all[k].workload);
        html_printf(page, ")");
    }
    html_printf(page, ".</p>\n");
}

/* What the first point has of the other objectives. */
static void print_other_objectives(struct html *page)
{
    const struct yaml_node *list = result_node(page->result, "objectives", YAML_LIST);
    const struct csv *ranking = page->result->ranking;
    size_t shown = 0;
    for (size_t i = 0; list && i < list->count; i++) {
        const char *most = result_scalar(list->items[i], "maximise");
        const char *name = most[0] ? most : result_scalar(list->items[i], "minimise");
        size_t at = result_metric(page->result, ranking, name);
        if (at == SIZE_MAX || at == html_rank_column(page, ranking) || html_is_axis(page, name))
            continue;
        html_printf(page, shown++ ? ", " : "<p>It has ");
        html_printf(page, "<b>%s</b> of %s", html_value(page, ranking, 0, at), name);
    }
    if (shown)
        html_printf(page, ".</p>\n");
}

static void print_answer(struct html *page)
{
    const struct csv *ranking = page->result->ranking;
    const struct yaml_node *axes = result_node(page->result, "axes", YAML_LIST);
    const struct yaml_node *remarks = result_node(page->result, "remarks", YAML_LIST);
    size_t column = html_rank_column(page, ranking), named = 0;
    html_printf(page, "<section id=\"answer\">\n<h2>The answer</h2>\n<div class=\"answer\">\n");
    if (!ranking->rows) {
        html_printf(page, "<p>No point is left: %s of %s are kept.</p>\n</div>\n</section>\n",
                    result_scalar(page->result->manifest->root, "kept"),
                    result_scalar(page->result->manifest->root, "points"));
        return;
    }
    if (column < SIZE_MAX)
        html_printf(page, "<p><b>%s</b> of %s", html_value(page, ranking, 0, column),
                    html_rank_name(page));
    else
        html_printf(page, "<p>%s of %s", html_least_is_best(page) ? "Least" : "Most",
                    html_rank_name(page));
    for (size_t i = 0; axes && i < axes->count; i++) {
        const char *name = result_scalar(axes->items[i], "name");
        size_t at = result_column(ranking, name);
        if (at < SIZE_MAX)
            html_printf(page, "%s<code>%s</code> = <b>%s</b>", named++ ? ", " : ", at ", name,
                        html_value(page, ranking, 0, at));
    }
    html_printf(page, ".</p>\n");
    print_other_objectives(page);
    if (column < SIZE_MAX)
        print_distance(page, column);
    print_bindings(page);
    for (size_t i = 0; remarks && i < remarks->count; i++)
        if (remarks->items[i]->kind == YAML_SCALAR)
            html_printf(page, "<p>%s.</p>\n", remarks->items[i]->text);
    html_printf(page, "</div>\n</section>\n");
}

/* --- the ranking
 * ----------------------------------------------------------------------------------- */

static void print_ranking(struct html *page)
{
    const struct csv *csv = page->result->ranking;
    size_t rows = csv->rows < RANKING_ROWS ? csv->rows : RANKING_ROWS;
    html_printf(page, "<section id=\"ranking\">\n<h2>Ranking</h2>\n");
    html_points(page, csv, rows, "The best points", "rank", "rank");
    if (rows < csv->rows)
        html_printf(page, "<p>The first %s of %s; <code>ranking.csv</code> has them all.</p>\n",
                    arena_printf(page->arena, "%zu", rows),
                    arena_printf(page->arena, "%zu", csv->rows));
    html_printf(page, "</section>\n");
}

/* --- the page ------------------------------------------------------------------------ */

static void print_head(struct html *page, const char *title)
{
    text_append(page->out, HTML_PAGE_HEAD
                "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    html_printf(page,
                "<meta name=\"generator\" content=\"bandscape %s\">\n<title>%s</title>\n<style>\n",
                BANDSCAPE_VERSION, title);
    text_append(page->out, html_style);
    html_printf(page, "</style>\n</head>\n<body>\n<h1>%s</h1>\n", title);
}

static void print_contents(struct html *page)
{
    static const char *const sections[][2] = {
        {"question", "Question"}, {"answer", "Answer"},
        {"ranking", "Ranking"},   {"front", "Pareto front"},
        {"axes", "Axes"},         {"limits", "Limits"},
        {"trust", "How sure"},    {"redo", "What determines it"}};
    html_printf(page, "<nav aria-label=\"Sections\"><ul>");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const struct csv *csv = i == 4 ? page->result->marginals : page->result->limits;
        if ((i == 4 || i == 5) && (!csv || !csv->rows)) /* left out */
            continue;
        html_printf(page, "<li><a href=\"#%s\">%s</a></li>", sections[i][0], sections[i][1]);
    }
    html_printf(page, "</ul></nav>\n");
}

void html_page_print(const struct result *result, const char *title, struct text *out)
{
    struct html page = {result, arena_create(), out};
    const char *space = result_scalar(result->manifest->root, "space");
    const char *summary = result_scalar(result->manifest->root, "summary");
    if (!title)
        title = arena_printf(page.arena, "%s%s%s", space, summary[0] ? ": " : "", summary);
    print_head(&page, title);
    print_contents(&page);
    html_printf(&page, "<main>\n");
    print_question(&page);
    print_answer(&page);
    print_ranking(&page);
    html_front(&page);
    html_axes(&page);
    html_limits(&page);
    html_trust(&page);
    html_redo(&page);
    html_printf(&page, "</main>\n<script>\n");
    text_append(out, html_script);
    html_printf(&page, "</script>\n</body>\n</html>\n");
    arena_destroy(page.arena);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaped text, numbers and tables. */
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/utf8.h"

enum { COLUMNS_OF_PAPER = 9 };

void html_text(struct html *page, const char *text)
{
    while (*text) {
        size_t length = utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (!length || (c < ' ' && c != '\n' && c != '\t') || c == 0x7f) {
            text_append(page->out, "\xef\xbf\xbd");
            length = 1;
        } else if (strchr("&<>\"'", *text)) {
            text_printf(page->out, "&#%d;", *text);
        } else {
            text_append_bytes(page->out, text, length);
        }
        text += length;
    }
}

void html_printf(struct html *page, const char *format, ...)
{
    va_list list;
    const char *argument;
    va_start(list, format);
    for (; (argument = strstr(format, "%s")); format = argument + 2) {
        text_append_bytes(page->out, format, (size_t)(argument - format));
        html_text(page, va_arg(list, const char *));
    }
    va_end(list);
    text_append(page->out, format);
}

/* --- numbers --------------------------------------------------------------------------------- */

const char *html_number(struct html *page, double value, struct dim dim)
{
    char buffer[64];
    if (isnan(value))
        return "-";
    return arena_strdup(page->arena,
                        quantity_format((struct quantity){value, dim}, 4, buffer, sizeof buffer));
}

const char *html_percent(struct html *page, double share, int digits, bool sign)
{
    double shown = 100 * share, least = 0.5 * pow(10, -digits);
    if (isnan(share))
        return "-";
    return arena_printf(page->arena, sign ? "%+.*f %%" : "%.*f %%", digits,
                        fabs(shown) < least ? 0.0 : shown);
}

const char *html_value(struct html *page, const struct csv *csv, size_t row, size_t column)
{
    struct dim dim;
    struct text cell = {0};
    bool number = result_dim(page->result, csv->titles[column], &dim);
    double value = result_number(csv, row, column);
    const char *text = number && !isnan(value)
                           ? html_number(page, value, dim)
                           : arena_strdup(page->arena, csv_cell(csv, row, column, &cell));
    text_free(&cell);
    return text[0] ? text : "-";
}

const char *html_csv_text(struct html *page, const struct csv *csv, size_t row, const char *title)
{
    struct text scratch = {0};
    size_t column = result_column(csv, title);
    const char *text = column == SIZE_MAX ? "" : csv_cell(csv, row, column, &scratch);
    text = arena_strdup(page->arena, text);
    text_free(&scratch);
    return text;
}

/* --- tables ---------------------------------------------------------------------------------- */

void html_cell(struct html *page, const char *text, double value)
{
    char number[64];
    if (isnan(value))
        html_printf(page, "<td class=\"n\">%s</td>", text);
    else
        html_printf(page, "<td class=\"n\" data-value=\"%s\">%s</td>",
                    number_format(value, number, sizeof number), text);
}

void html_text_cell(struct html *page, const char *text)
{
    html_printf(page, "<td>%s</td>", text);
}

static void begin(struct html *page, const char *caption, const char *classes)
{
    html_printf(page, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">",
                caption);
    html_printf(page, "<table class=\"%s\"><caption>%s</caption>\n<thead><tr>", classes, caption);
}

void html_table_begin(struct html *page, const char *caption, bool sorted)
{
    begin(page, caption, sorted ? "sorted" : "plain");
}

static void head(struct html *page, const char *title, const char *classes)
{
    html_printf(page, "<th scope=\"col\" class=\"%s\">", classes);
    for (const char *c = title, *end; *c; c = end) { /* long names may be broken at their joints */
        size_t length = strcspn(c, "._@-");
        end = c + length + (c[length] != '\0');
        html_printf(page, *end ? "%s<wbr>" : "%s",
                    arena_printf(page->arena, "%.*s", (int)(end - c), c));
    }
    html_printf(page, "</th>");
}

void html_head(struct html *page, const char *title, bool number)
{
    head(page, title, number ? "n" : "t");
}

void html_head_end(struct html *page)
{
    html_printf(page, "</tr></thead>\n<tbody>\n");
}

void html_table_end(struct html *page)
{
    html_printf(page, "</tbody></table></div>\n");
}

/* --- what is shown ----------------------------------------------------------------------- */

static const struct yaml_node *rank_of(const struct html *page)
{
    return result_node(page->result, "rank", YAML_MAP);
}

const char *html_rank_name(const struct html *page)
{
    return result_scalar(rank_of(page), "by");
}

size_t html_rank_column(const struct html *page, const struct csv *csv)
{
    return result_metric(page->result, csv, html_rank_name(page));
}

struct dim html_rank_dim(const struct html *page)
{
    struct dim dim = DIM_NONE;
    size_t column = html_rank_column(page, page->result->ranking);
    if (column < SIZE_MAX)
        result_dim(page->result, page->result->ranking->titles[column], &dim);
    return dim;
}

bool html_least_is_best(const struct html *page)
{
    return strcmp(result_scalar(rank_of(page), "order"), "minimise") == 0;
}

bool html_is_axis(const struct html *page, const char *name)
{
    const struct yaml_node *axes = result_node(page->result, "axes", YAML_LIST);
    for (size_t i = 0; axes && i < axes->count; i++)
        if (strcmp(result_scalar(axes->items[i], "name"), name) == 0)
            return true;
    return false;
}

static bool is_objective(const struct html *page, const struct csv *csv, size_t column)
{
    const struct yaml_node *list = result_node(page->result, "objectives", YAML_LIST);
    for (size_t i = 0; list && i < list->count; i++) {
        const char *most = result_scalar(list->items[i], "maximise");
        const char *least = result_scalar(list->items[i], "minimise");
        if (result_metric(page->result, csv, most[0] ? most : least) == column)
            return true;
    }
    return false;
}

/* The metric that is ranked by, of whatever model, or of a workload by the model that ranks. */
static bool is_ranked(const struct html *page, const struct csv *csv, size_t column)
{
    size_t rank = html_rank_column(page, csv), length = strcspn(csv->titles[column], "@");
    const char *name = html_rank_name(page), *dot = strchr(csv->titles[column], '.');
    if (rank == SIZE_MAX)
        return false;
    if (csv->titles[column][length])
        return strlen(csv->titles[rank]) == length &&
               strncmp(csv->titles[rank], csv->titles[column], length) == 0;
    const char *bare = strchr(csv->titles[rank], '.');
    return column == rank || (dot && strcmp(dot + 1, name) == 0) ||
           (dot && bare && strcmp(dot, bare) == 0);
}

static size_t shown_columns(struct html *page, const struct csv *csv, size_t **out)
{
    size_t count = 0;
    *out = arena_alloc(page->arena, csv->columns * sizeof **out);
    for (int single = 0; single < 2; single++) /* workloads last: they may be many */
        for (size_t c = 0; c < csv->columns; c++)
            if ((strchr(csv->titles[c], '@') != NULL) == single &&
                (html_is_axis(page, csv->titles[c]) || is_objective(page, csv, c) ||
                 is_ranked(page, csv, c)))
                (*out)[count++] = c;
    return count;
}

/* Numbers, names; of single workloads, which paper lacks the room for where they are many. */
static const char *classes_of(const struct html *page, const char *title)
{
    struct dim dim;
    bool single = strchr(title, '@') != NULL;
    if (result_dim(page->result, title, &dim))
        return single ? "n w" : "n";
    return single ? "t w" : "t";
}

static void point_cell(struct html *page, const struct csv *csv, size_t row, size_t column)
{
    char number[64];
    double value = result_number(csv, row, column);
    html_printf(page, "<td class=\"%s\"", classes_of(page, csv->titles[column]));
    if (!isnan(value))
        html_printf(page, " data-value=\"%s\"", number_format(value, number, sizeof number));
    html_printf(page, ">%s</td>", html_value(page, csv, row, column));
}

void html_points(struct html *page, const struct csv *csv, size_t most, const char *caption,
                 const char *name, const char *number)
{
    size_t *shown, n = shown_columns(page, csv, &shown);
    begin(page, caption, n > COLUMNS_OF_PAPER ? "sorted many" : "sorted");
    head(page, number, "n");
    for (size_t i = 0; i < n; i++)
        head(page, csv->titles[shown[i]], classes_of(page, csv->titles[shown[i]]));
    html_head_end(page);
    for (size_t r = 0; r < csv->rows && r < most; r++) {
        text_printf(page->out, "<tr id=\"%s-%zu\"><td class=\"n\" data-value=\"%zu\">%zu</td>",
                    name, r + 1, r + 1, r + 1);
        for (size_t i = 0; i < n; i++)
            point_cell(page, csv, r, shown[i]);
        html_printf(page, "</tr>\n");
    }
    html_table_end(page);
}

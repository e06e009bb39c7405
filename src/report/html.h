/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a sweep's result as HTML (html_page.h): what its sections share. */
#ifndef BANDSCAPE_REPORT_HTML_H
#define BANDSCAPE_REPORT_HTML_H

#include "report/result.h"

struct html {
    const struct result *result;
    struct arena *arena;
    struct text *out;
};

/* Text in HTML: everything is escaped, what is no UTF-8 or no character of a text is U+FFFD. */
void html_text(struct html *page, const char *text);
/* HTML but for its arguments, which are escaped: %s is all it knows. */
void html_printf(struct html *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "9.29 TB/s", "-" for NaN, in the arena. */
const char *html_number(struct html *page, double value, struct dim dim);
/* "12.3 %", with so many digits behind the point; `sign`: "+12.3 %". */
const char *html_percent(struct html *page, double share, int digits, bool sign);
/* A cell of ranking.csv and the like, as readers see it. */
const char *html_value(struct html *page, const struct csv *csv, size_t row, size_t column);

/* A cell as it is, in the arena; "": there is no such column. */
const char *html_csv_text(struct html *page, const struct csv *csv, size_t row, const char *title);

/* <td> with that; numbers are on the right, and sorted by their values. */
void html_cell(struct html *page, const char *text, double value);
void html_text_cell(struct html *page, const char *text);

/* A table that may be wider than the page; `sorted`: by a click on a title. */
void html_table_begin(struct html *page, const char *caption, bool sorted);
void html_head(struct html *page, const char *title, bool number);
void html_head_end(struct html *page);
void html_table_end(struct html *page);

/* The first `most` points of ranking.csv or pareto.csv, each a row with the id "name-1", ...: its
 * number, axes, the metric that is ranked by, objectives, and that metric as other models and
 * single workloads have it. */
void html_points(struct html *page, const struct csv *csv, size_t most, const char *caption,
                 const char *name, const char *number);

/* The metric that points are ranked by: its column, and what it is called. */
size_t html_rank_column(const struct html *page, const struct csv *csv);
const char *html_rank_name(const struct html *page);
/* What it is in. */
struct dim html_rank_dim(const struct html *page);
/* Whether the least of it is best. */
bool html_least_is_best(const struct html *page);
bool html_is_axis(const struct html *page, const char *name);

/* Sections. */
void html_front(struct html *page);  /* html_front.c */
void html_axes(struct html *page);   /* html_axes.c */
void html_limits(struct html *page); /* html_axes.c */
void html_trust(struct html *page);  /* html_trust.c */
void html_redo(struct html *page);   /* html_trust.c */

extern const char html_style[], html_script[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a paper: a section a figure, then what `validate` prints besides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "core/version.h"
#include "report/reproduction.h"
#include "report/table.h"

enum column { WHERE, WHAT, PUBLISHED, OURS, UNIT, ERROR, HOLDS, DIRECTION, HOW };

/* A cell of a table of Markdown. */
static void append_cell(struct text *out, const char *text)
{
    text_append(out, " ");
    for (const char *c = text; *c; c++)
        text_printf(out, *c == '|' ? "\\%c" : "%c", *c);
    text_append(out, " |");
}

static void append_number(const struct sheet *rows, size_t row, enum column column,
                          struct text *out)
{
    char buffer[80];
    append_cell(out, table_number(&rows->columns[column], sheet_at(rows, row, column)->number,
                                  buffer, sizeof buffer));
}

static const char *text_at(const struct sheet *rows, size_t row, enum column column)
{
    const char *text = sheet_at(rows, row, column)->text;
    return text ? text : "";
}

static void append_row(const struct sheet *rows, size_t row, struct text *out)
{
    text_append(out, "|");
    append_cell(out, text_at(rows, row, WHAT));
    append_number(rows, row, PUBLISHED, out);
    append_number(rows, row, OURS, out);
    append_cell(out, text_at(rows, row, UNIT));
    append_number(rows, row, ERROR, out);
    append_cell(out, text_at(rows, row, HOLDS));
    append_cell(out, text_at(rows, row, DIRECTION));
    text_append(out, "\n");
}

/* Not exact by its making. */
static bool is_predicted(const struct sheet *rows, size_t row)
{
    const char *how = text_at(rows, row, HOW);
    return strcmp(how, "trend") == 0 || checkpoint_how_scan(how) == CHECKPOINT_PREDICTION;
}

static bool names_place(const struct reproduced *one, const char *where)
{
    for (const char *const *p = one->space->figure.where; *p; p++)
        if (strcmp(*p, where) == 0)
            return true;
    return false;
}

/* The section of a row: the first place of the first space that names where it is from; NULL: none
 * does, or it is no prediction. */
static const char *section_of(const struct reproduction *r, size_t row)
{
    for (size_t i = 0; i < r->list.count && is_predicted(r->rows, row); i++)
        if (names_place(&r->list.items[i], text_at(r->rows, row, WHERE)))
            return r->list.items[i].place;
    return NULL;
}

static bool is_label(const struct sheet *rows, size_t row)
{
    return strcmp(text_at(rows, row, UNIT), REPRODUCTION_LABELS) == 0;
}

/* --- the summary -------------------------------------------------------------------------- */

/* Of the predictions of a section, or of all. */
struct tally {
    struct {
        double *items; /* sizes of errors of figures: labels and trends have none */
        size_t count, capacity;
    } errors;
    size_t judged, held;     /* of figures with a tolerance */
    size_t directed, right;  /* ratios and trends */
    double labelled, agreed; /* workloads */
};

static void tally_row(struct tally *t, const struct sheet *rows, size_t row)
{
    double error = sheet_at(rows, row, ERROR)->number;
    const char *holds = text_at(rows, row, HOLDS), *direction = text_at(rows, row, DIRECTION);
    if (is_label(rows, row)) {
        t->labelled += sheet_at(rows, row, PUBLISHED)->number;
        t->agreed += sheet_at(rows, row, OURS)->number;
    } else if (!isnan(error)) {
        VECTOR_PUSH(&t->errors, fabs(error));
    }
    t->judged += holds[0] != '\0';
    t->held += strcmp(holds, "yes") == 0;
    t->directed += direction[0] != '\0';
    t->right += strcmp(direction, "right") == 0;
}

static double tally_median(struct tally *t)
{
    gsl_sort(t->errors.items, 1, t->errors.count);
    return gsl_stats_median_from_sorted_data(t->errors.items, 1, t->errors.count);
}

static void append_share(struct text *out, double part, double whole)
{
    if (whole > 0)
        text_printf(out, " %.0f of %.0f |", part, whole);
    else
        text_append(out, " - |");
}

/* A line of the summary; none where nothing of it is published. */
static void append_tally(const char *place, struct tally *t, struct text *out)
{
    if (t->errors.count == 0 && t->directed == 0 && !(t->labelled > 0))
        return;
    text_printf(out, "| %s | %zu |", place, t->errors.count);
    if (t->errors.count)
        text_printf(out, " %.1f |", 100 * tally_median(t));
    else
        text_append(out, " - |");
    append_share(out, (double)t->held, (double)t->judged);
    append_share(out, (double)t->right, (double)t->directed);
    append_share(out, t->agreed, t->labelled);
    text_append(out, "\n");
}

/* Predictions of a section (NULL: of no figure here) into *t and *all. */
static void tally_section(const struct reproduction *r, const char *place, struct tally *t,
                          struct tally *all)
{
    for (size_t i = 0; i < sheet_rows(r->rows); i++) {
        const char *own = section_of(r, i);
        if (!is_predicted(r->rows, i) || (!own != !place) || (own && strcmp(own, place) != 0))
            continue;
        tally_row(t, r->rows, i);
        tally_row(all, r->rows, i);
    }
}

static void append_summary(const struct reproduction *r, struct text *out)
{
    struct tally all = {0};
    struct text lines = {0};
    for (size_t i = 0; i <= r->list.count; i++) {
        const char *place = i < r->list.count ? r->list.items[i].place : NULL;
        struct tally own = {0};
        if (place && i && strcmp(r->list.items[i - 1].place, place) == 0)
            continue;
        tally_section(r, place, &own, &all);
        append_tally(place ? place : "elsewhere", &own, &lines);
        VECTOR_FREE(&own.errors);
    }
    if (lines.length) {
        text_append(out, "\n| predictions of | figures | median error, % | within tolerance | "
                         "directions as published | workloads labelled as published |\n"
                         "|---|---:|---:|---:|---:|---:|\n");
        text_append(out, lines.data);
        append_tally("**all**", &all, out);
    }
    VECTOR_FREE(&all.errors);
    text_free(&lines);
}

/* --- figures ------------------------------------------------------------------------------ */

/* A table of the rows that `chosen` has, and in a sentence how many directions are right. */
static void append_table(const struct sheet *rows, const bool *chosen, struct text *out)
{
    struct text wrong = {0};
    size_t n = 0, directed = 0, n_wrong = 0;
    for (size_t i = 0; i < sheet_rows(rows); i++) {
        if (!chosen[i])
            continue;
        if (n++ == 0)
            text_append(out, "\n| what | published | ours | unit | error, % | holds | direction |\n"
                             "|---|---:|---:|---|---:|---|---|\n");
        append_row(rows, i, out);
        directed += text_at(rows, i, DIRECTION)[0] != '\0';
        if (strcmp(text_at(rows, i, DIRECTION), "wrong") == 0)
            text_printf(&wrong, "%s%s", n_wrong++ ? "; " : "", text_at(rows, i, WHAT));
    }
    if (directed)
        text_printf(out, "\n%zu of %zu directions are as published%s%s.\n", directed - n_wrong,
                    directed, n_wrong ? "; the other way: " : "", n_wrong ? wrong.data : "");
    else if (!n)
        text_append(out, "\nNo value of it is published: the picture stands alone.\n");
    text_free(&wrong);
}

static void append_space(const struct reproduced *one, struct text *out)
{
    const struct space *space = one->space;
    text_printf(out, "\n**%s**: %s.\n\n", space->name, space->summary);
    for (size_t i = 0; i < one->pictures.count; i++)
        text_printf(out, "![%s](%s/%s)\n", space->name, space->name, one->pictures.items[i]);
    if (one->pictures.count == 0)
        text_append(out, "(No picture: they were not asked for, or gnuplot draws none.)\n");
    text_printf(out, "\n[Values](%s/sample.csv), [what determines them](%s/manifest.yaml)",
                space->name, space->name);
    if (one->warnings)
        text_printf(out, "; %zu warning%s about inputs there", one->warnings,
                    one->warnings == 1 ? "" : "s");
    text_append(out, ".\n");
}

static void append_figures(const struct reproduction *r, struct text *out)
{
    bool *chosen = memory_zero(sheet_rows(r->rows), sizeof *chosen);
    for (size_t i = 0; i < r->list.count; i++) {
        const struct reproduced *one = &r->list.items[i];
        bool last = i + 1 == r->list.count || strcmp(one[1].place, one->place) != 0;
        if (i == 0 || strcmp(one[-1].place, one->place) != 0)
            text_printf(out, "\n## %s\n", one->place);
        append_space(one, out);
        for (size_t k = 0; k < sheet_rows(r->rows) && last; k++) {
            const char *section = section_of(r, k);
            chosen[k] = section && strcmp(section, one->place) == 0;
        }
        if (last)
            append_table(r->rows, chosen, out);
    }
    free(chosen);
}

/* What is obtained in one way, apart from predictions; or the predictions of no figure here. */
static void append_rest(const struct reproduction *r, enum checkpoint_how how, const char *title,
                        struct text *out)
{
    bool *chosen = memory_zero(sheet_rows(r->rows), sizeof *chosen), any = false;
    for (size_t i = 0; i < sheet_rows(r->rows); i++) {
        const char *own = text_at(r->rows, i, HOW);
        chosen[i] =
            strcmp(own, "trend") != 0 && checkpoint_how_scan(own) == how && !section_of(r, i);
        any |= chosen[i];
    }
    if (any) {
        text_printf(out, "\n## %s\n", title);
        append_table(r->rows, chosen, out);
    }
    free(chosen);
}

void reproduction_print_page(const struct reproduction *r, const char *input, struct text *out)
{
    static const char *const titles[] = {
        [CHECKPOINT_FORMULA] = "Exact: our formula is the paper's",
        [CHECKPOINT_FIT] = "Fitted: our law was fitted to published data",
        [CHECKPOINT_CONSTANT] = "By definition: the published figure is ours",
        [CHECKPOINT_EXAMPLE] = "The paper's example, gone through by the profiler",
        [CHECKPOINT_PREDICTION] = "Predictions of no figure above",
    };
    static const enum checkpoint_how order[] = {CHECKPOINT_PREDICTION, CHECKPOINT_FORMULA,
                                                CHECKPOINT_FIT, CHECKPOINT_CONSTANT,
                                                CHECKPOINT_EXAMPLE};
    const struct validation *paper = &r->paper->validation;
    text_printf(out, REPRODUCTION_HEAD "# %s, published beside ours\n\n",
                paper->plugin.reference ? paper->plugin.reference : paper->plugin.name);
    text_printf(
        out,
        "`bandscape reproduce %s`, version %s. Workloads have the input `%s` where a space "
        "gives them no\nsettings of its own; the paper's may be larger. Tables are over the "
        "workloads that the published figures\nname, pictures over those of the space. "
        "Errors are signed: ours less the published figure, over its\nsize. A direction is "
        "right where ours is on the same side of 1, or goes the same way by more than 5 "
        "%%.\n",
        paper->plugin.name, BANDSCAPE_VERSION, input);
    append_summary(r, out);
    append_figures(r, out);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        append_rest(r, order[i], titles[order[i]], out);
    for (size_t i = 0; i < r->validated->notes.count; i++)
        text_printf(out, "%s- %s\n", i ? "" : "\n## Notes\n\n", r->validated->notes.items[i]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of bandscape whatif in words and numbers. */
#include "cli/whatif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/pager.h"
#include "cli/terminal.h"
#include "report/answer_first.h"
#include "report/answer_kinds.h"

static struct filling_input input_of(const struct whatif *w, size_t subject, size_t variant)
{
    const struct whatif_variant *v = &w->variants.items[variant];
    return filling_source_input(&w->question.subjects.items[subject]->filling, v->machine,
                                v->views.items[subject]);
}

/* Seconds on a real GPU; NaN: nobody measured them. */
static double measured_time(const struct whatif *w, size_t subject, size_t variant)
{
    const struct profile_view *view = w->variants.items[variant].views.items[subject];
    double sum = view->n_records ? 0 : (double)NAN;
    for (size_t i = 0; i < view->n_records; i++)
        sum += view->records[i].fields[FIELD_MEASURED_TIME];
    return sum;
}

static struct answer_row whatif_row(const struct whatif *w, size_t i)
{
    const struct whatif_answer *a = &w->answers.items[i];
    struct filling_input input = input_of(w, a->subject, a->variant);
    const struct whatif_variant *variant = &w->variants.items[a->variant];
    return (struct answer_row){.machine = w->question.machine->name,
                               .built = variant->machine,
                               .varied = w->varied.items,
                               .n_varied = w->varied.count,
                               .workload = w->question.subjects.items[a->subject]->name,
                               .baseline = w->baseline_name,
                               .speedup = a->speedup,
                               .measured_s = measured_time(w, a->subject, a->variant),
                               .filling = filling_judge(&input, &variant->room).has,
                               .answer = a->answer};
}

struct answer_row *whatif_rows(const struct whatif *w)
{
    struct answer_row *rows = memory_zero(w->answers.count, sizeof *rows);
    for (size_t i = 0; i < w->answers.count; i++)
        rows[i] = whatif_row(w, i);
    return rows;
}

/* What stands beside the warnings of the answer's model: of the trace, of the input, of what cannot
 * be said. */
static void warnings_of(const struct whatif *w, const struct answer_row *rows, size_t i,
                        struct text *lines)
{
    size_t s = w->answers.items[i].subject, v = w->answers.items[i].variant;
    const char *const *of_source;
    size_t n = subject_warnings(w->question.subjects.items[s], &of_source);
    struct filling_input input = input_of(w, s, v);
    struct text apart = {0};
    for (size_t k = 0; k < n; k++)
        text_printf(lines, "%s\n", of_source[k]);
    if (isnan(answer_metric(rows[i].answer, "kernel_time")))
        text_append(lines, "the profile does not say bytes: kernel_time is unknown\n");
    filling_lines(&input, &w->variants.items[v].room, NULL, lines);
    if (answer_kinds_spread(rows, w->answers.count, i, &apart) > ANSWER_KINDS_APART)
        text_printf(lines, "%s\n", apart.data);
    text_free(&apart);
}

static void whatif_print_json(const struct whatif *w, bool explain)
{
    struct json json = {.stream = stdout};
    struct answer_row *rows = whatif_rows(w);
    json_begin_array(&json);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = rows[i];
        struct text lines = {0};
        struct {
            const char **items;
            size_t count, capacity;
        } warnings = {0};
        warnings_of(w, rows, i, &lines);
        for (char *line = lines.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            VECTOR_PUSH(&warnings, line);
        }
        row.warnings = warnings.items;
        row.n_warnings = warnings.count;
        answer_json(&json, &row, explain);
        VECTOR_FREE(&warnings);
        text_free(&lines);
    }
    json_end_array(&json);
    free(rows);
}

static void whatif_print_rows(const struct whatif *w, const char *format)
{
    struct answer_row *rows = whatif_rows(w);
    struct sheet *sheet = answer_sheet(rows, w->answers.count);
    terminal_print_sheet(sheet, format);
    sheet_destroy(sheet);
    free(rows);
}

static void whatif_print_explanations(const struct whatif *w, const bool *shown)
{
    struct text text = {0};
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = whatif_row(w, i);
        const struct model_record *record = answer_dominant(row.answer);
        if (!record || !shown[i])
            continue;
        text_printf(&text, "\n%s, %s, %s (%s)", row.workload, row.answer->result.organisation,
                    row.answer->result.model->plugin.name, row.answer->result.model->answer);
        if (row.answer->result.n_records > 1)
            text_printf(&text, ": kernel %s, which takes the most time", record->record->name);
        text_append(&text, "\n");
        answer_explain(row.answer, record, &text);
    }
    if (text.length)
        pager_show(text.data);
    text_free(&text);
}

/* Over workloads: all three means, a line an organisation and model. */
static void whatif_print_means(const struct whatif *w, const bool *shown)
{
    static const struct sheet_column columns[] = {
        {NULL, "organisation", NULL, SHEET_TEXT},      {NULL, "model", NULL, SHEET_TEXT},
        {NULL, "harmonic mean", NULL, SHEET_NUMBER},   {NULL, "geometric mean", NULL, SHEET_NUMBER},
        {NULL, "arithmetic mean", NULL, SHEET_NUMBER}, {NULL}};
    struct sheet *sheet = sheet_create(columns);
    double *speedups = memory_zero(w->answers.count, sizeof *speedups);
    for (size_t o = 0; o < w->question.organisations.count; o++)
        for (size_t m = 0; m < w->models.count; m++) {
            size_t n = 0;
            for (size_t i = 0; i < w->answers.count; i++) {
                const struct model_result *result = &w->answers.items[i].answer->result;
                if (shown[i] && result->model == w->models.items[m] &&
                    w->answers.items[i].variant == 0 &&
                    strcmp(result->organisation, w->question.organisations.items[o]) == 0)
                    speedups[n++] = w->answers.items[i].speedup;
            }
            if (n < w->question.subjects.count) /* not all workloads: no mean to compare */
                continue;
            struct baseline_means mean = baseline_means(speedups, n);
            SHEET_TEXTS(sheet, w->question.organisations.items[o], w->models.items[m]->plugin.name);
            SHEET_NUMBERS(sheet, mean.harmonic, mean.geometric, mean.arithmetic);
        }
    printf("\nspeed-up against %s, over %zu workloads\n", w->baseline_name,
           w->question.subjects.count);
    terminal_print_sheet(sheet, "table");
    free(speedups);
    sheet_destroy(sheet);
}

/* Where kinds of answer differ: a line a workload and organisation, and why. */
static void whatif_print_kinds(const struct whatif *w)
{
    struct answer_row *rows = whatif_rows(w);
    struct text lines = {0};
    for (size_t i = 0; i < w->answers.count; i++) {
        struct text line = {0};
        if (answer_kinds_spread(rows, w->answers.count, i, &line) > ANSWER_KINDS_APART &&
            !text_has_line(&lines, line.data))
            text_printf(&lines, "%s\n", line.data);
        text_free(&line);
    }
    if (lines.data)
        terminal_say("\n%s%s\n", lines.data, answer_kinds_reason);
    text_free(&lines);
    free(rows);
}

/* What inputs leave of the machine: a line a workload and warning, of several machines once. */
static void whatif_print_filling(const struct whatif *w)
{
    struct text lines = {0};
    for (size_t s = 0; s < w->question.subjects.count; s++)
        for (size_t v = 0; v < w->variants.count; v++) {
            struct filling_input input = input_of(w, s, v);
            struct text own = {0};
            filling_lines(&input, &w->variants.items[v].room, w->question.subjects.items[s]->name,
                          &own);
            for (char *line = own.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
                *end = '\0';
                if (!text_has_line(&lines, line))
                    text_printf(&lines, "%s\n", line);
            }
            text_free(&own);
        }
    if (lines.length)
        terminal_say("\n%s", lines.data);
    text_free(&lines);
}

/* What was measured beside what is predicted: a line a workload. */
static void whatif_print_measured(const struct whatif *w, const bool *shown)
{
    struct text lines = {0};
    for (size_t i = 0; i < w->answers.count; i++) {
        const struct whatif_answer *a = &w->answers.items[i];
        const struct model_result *result = &a->answer->result;
        double measured = measured_time(w, a->subject, a->variant);
        double predicted = answer_metric(a->answer, "kernel_time");
        char is[32], says[32];
        if (!shown[i] || a->variant || !(measured > 0) || isnan(predicted))
            continue;
        quantity_format((struct quantity){measured, DIM_SECONDS}, 4, is, sizeof is);
        quantity_format((struct quantity){predicted, DIM_SECONDS}, 4, says, sizeof says);
        text_printf(&lines, "%s: measured %s; %s %s by %s, %.3g times that\n",
                    w->question.subjects.items[a->subject]->name, is, result->organisation, says,
                    result->model->plugin.name, predicted / measured);
    }
    if (lines.length)
        terminal_say("\n%s", lines.data);
    text_free(&lines);
}

/* The rows that a table is about. */
static bool *whatif_shown(const struct whatif *w)
{
    bool *shown = memory_zero(w->answers.count, sizeof *shown);
    struct answer_row *rows = whatif_rows(w);
    for (size_t i = 0; i < w->answers.count && w->all_rows; i++)
        shown[i] = true;
    if (!w->all_rows)
        answer_first_mark(rows, w->answers.count, shown);
    free(rows);
    return shown;
}

static void whatif_print_first(const struct whatif *w)
{
    struct answer_row *rows = whatif_rows(w);
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0};
    answer_first_print(rows, w->answers.count, &style, &text);
    fputs(text.data, stdout);
    text_free(&text);
    free(rows);
}

static void whatif_print_table(const struct whatif *w, bool explain)
{
    bool *shown = whatif_shown(w);
    if (w->all_rows)
        whatif_print_rows(w, "table");
    else
        whatif_print_first(w);
    whatif_print_measured(w, shown);
    whatif_print_filling(w);
    if (w->all_rows)
        whatif_print_kinds(w);
    if (w->baseline_name && w->question.subjects.count > 1)
        whatif_print_means(w, shown);
    if (explain)
        whatif_print_explanations(w, shown);
    else if (isatty(STDOUT_FILENO))
        terminal_say("\n--explain shows every term and which one binds%s.\n",
                     w->all_rows ? "" : ", --all-models all answers");
    free(shown);
}

/* Of one answer, what it leaves out; what the other kinds do, beside it as a range, says
 * --all-models. */
static void whatif_print_notes(const struct whatif *w, bool first)
{
    struct text warnings = {0};
    struct answer_row *rows = whatif_rows(w);
    bool *marked = memory_zero(w->answers.count, sizeof *marked);
    if (first)
        answer_first_mark(rows, w->answers.count, marked);
    for (size_t i = 0; i < w->answers.count; i++)
        if (!first || marked[i])
            answer_warnings(w->answers.items[i].answer, &warnings);
    free(marked);
    free(rows);
    terminal_tell(&warnings);
    terminal_warn_subjects(w->question.subjects.items, w->question.subjects.count);
}

void whatif_print(const struct whatif *w, const char *format, bool explain)
{
    bool json = strcmp(format, "json") == 0, csv = strcmp(format, "csv") == 0;
    if (json)
        whatif_print_json(w, explain);
    else if (csv)
        whatif_print_rows(w, format);
    else
        whatif_print_table(w, explain);
    if (!json)
        whatif_print_notes(w, !csv && !w->all_rows);
}

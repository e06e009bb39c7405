/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of bandscape whatif in words and numbers. */
#include "cli/whatif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "report/answer_kinds.h"
#include "report/csv.h"

static struct answer_row whatif_row(const struct whatif *w, size_t i)
{
    const struct whatif_answer *a = &w->answers.items[i];
    return (struct answer_row){.machine = w->question.machine->name,
                               .workload = w->question.subjects.items[a->subject]->name,
                               .baseline = w->baseline_name,
                               .speedup = a->speedup,
                               .answer = a->answer};
}

struct answer_row *whatif_rows(const struct whatif *w)
{
    struct answer_row *rows = memory_zero(w->answers.count, sizeof *rows);
    for (size_t i = 0; i < w->answers.count; i++)
        rows[i] = whatif_row(w, i);
    return rows;
}

static void whatif_print_json(const struct whatif *w)
{
    struct json json = {.stream = stdout};
    struct answer_row *rows = whatif_rows(w);
    json_begin_array(&json);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = rows[i];
        struct text apart = {0};
        const struct subject *subject = w->question.subjects.items[w->answers.items[i].subject];
        const char *const *of_source;
        size_t n_of_source = subject_warnings(subject, &of_source);
        const char **warnings = memory_zero(n_of_source + 3, sizeof *warnings);
        char sampled[128];
        row.warnings = warnings;
        while (row.n_warnings < n_of_source) {
            warnings[row.n_warnings] = of_source[row.n_warnings];
            row.n_warnings++;
        }
        if (isnan(answer_metric(row.answer, "kernel_time")))
            warnings[row.n_warnings++] = "the profile does not say bytes: kernel_time is unknown";
        if (profile_sample_note(w->views.items[w->answers.items[i].subject], sampled,
                                sizeof sampled))
            warnings[row.n_warnings++] = sampled;
        if (answer_kinds_spread(rows, w->answers.count, i, &apart) > ANSWER_KINDS_APART)
            warnings[row.n_warnings++] = apart.data;
        answer_json(&json, &row);
        text_free(&apart);
        free(warnings);
    }
    json_end_array(&json);
    free(rows);
}

static void whatif_print_csv(const struct whatif *w)
{
    struct csv_writer csv = {.stream = stdout};
    struct answer_row *rows = whatif_rows(w);
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0};
    for (size_t i = 0; i < w->answers.count; i++)
        for (int m = 0; m < w->answers.items[i].answer->result.n_metrics; m++) {
            const char *name = w->answers.items[i].answer->result.metrics[m].name;
            /* That of the baseline takes the place of a model's own. */
            bool known = w->baseline_name && strcmp(name, "speedup") == 0;
            for (size_t k = 0; k < names.count; k++)
                known = known || strcmp(names.items[k], name) == 0;
            if (!known)
                VECTOR_PUSH(&names, name);
        }
    csv_write_text(&csv, "machine");
    csv_write_text(&csv, "workload");
    csv_write_text(&csv, "organisation");
    csv_write_text(&csv, "model");
    for (size_t k = 0; k < names.count; k++)
        csv_write_text(&csv, names.items[k]);
    csv_write_text(&csv, "answer");
    csv_write_text(&csv, "spread_of_answers");
    if (w->baseline_name)
        csv_write_text(&csv, "speedup");
    csv_end_row(&csv);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = rows[i];
        csv_write_text(&csv, row.machine);
        csv_write_text(&csv, row.workload);
        csv_write_text(&csv, row.answer->result.organisation);
        csv_write_text(&csv, row.answer->result.model->plugin.name);
        for (size_t k = 0; k < names.count; k++)
            csv_write_known(&csv, answer_metric(row.answer, names.items[k]));
        csv_write_text(&csv, row.answer->result.model->answer);
        csv_write_known(&csv, answer_kinds_spread(rows, w->answers.count, i, NULL));
        if (w->baseline_name)
            csv_write_known(&csv, row.speedup);
        csv_end_row(&csv);
    }
    free(rows);
    VECTOR_FREE(&names);
}

static void whatif_print_explanations(const struct whatif *w)
{
    struct text text = {0};
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = whatif_row(w, i);
        const struct model_record *record = answer_dominant(row.answer);
        if (!record)
            continue;
        text_printf(&text, "\n%s, %s, %s (%s)", row.workload, row.answer->result.organisation,
                    row.answer->result.model->plugin.name, row.answer->result.model->answer);
        if (row.answer->result.n_records > 1)
            text_printf(&text, ": kernel %s, which takes the most time", record->record->name);
        text_append(&text, "\n");
        answer_explain(row.answer, record, &text);
    }
    fputs(text.length ? text.data : "", stdout);
    text_free(&text);
}

/* Over workloads: all three means, a line an organisation and model. */
static void whatif_print_means(const struct whatif *w)
{
    struct table *table = table_create();
    struct text text = {0};
    struct table_style style = terminal_table_style(stdout);
    double *speedups = memory_zero(w->answers.count, sizeof *speedups);
    static const char *const means[] = {"harmonic mean", "geometric mean", "arithmetic mean"};
    table_column(table, "organisation", NULL, TABLE_LEFT);
    table_column(table, "model", NULL, TABLE_LEFT);
    for (int k = 0; k < 3; k++)
        table_column(table, means[k], NULL, TABLE_RIGHT);
    for (size_t o = 0; o < w->question.organisations.count; o++)
        for (size_t m = 0; m < w->models.count; m++) {
            size_t n = 0;
            for (size_t i = 0; i < w->answers.count; i++) {
                const struct model_result *result = &w->answers.items[i].answer->result;
                if (result->model == w->models.items[m] &&
                    strcmp(result->organisation, w->question.organisations.items[o]) == 0)
                    speedups[n++] = w->answers.items[i].speedup;
            }
            if (n < w->question.subjects.count) /* not all workloads: no mean to compare */
                continue;
            struct baseline_means mean = baseline_means(speedups, n);
            table_cell(table, w->question.organisations.items[o]);
            table_cell(table, w->models.items[m]->plugin.name);
            table_number(table, mean.harmonic, 4);
            table_number(table, mean.geometric, 4);
            table_number(table, mean.arithmetic, 4);
        }
    table_render(table, &style, &text);
    printf("\nspeed-up against %s, over %zu workloads\n%s", w->baseline_name,
           w->question.subjects.count, text.data);
    free(speedups);
    text_free(&text);
    table_destroy(table);
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
        printf("\n%s%s\n", lines.data, answer_kinds_reason);
    text_free(&lines);
    free(rows);
}

static void whatif_print_table(const struct whatif *w, bool explain)
{
    struct table *table = table_create();
    struct text text = {0};
    struct table_style style = terminal_table_style(stdout);
    answer_table_columns(table, w->baseline_name);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = whatif_row(w, i);
        if (i > 0 && w->answers.items[i].subject != w->answers.items[i - 1].subject)
            table_rule(table);
        answer_table_row(table, &row);
    }
    table_render(table, &style, &text);
    fputs(text.data, stdout);
    text_free(&text);
    table_destroy(table);
    whatif_print_kinds(w);
    if (w->baseline_name && w->question.subjects.count > 1)
        whatif_print_means(w);
    if (explain)
        whatif_print_explanations(w);
    else if (isatty(STDOUT_FILENO))
        printf("\n--explain shows every term and which one binds.\n");
}

static void whatif_print_notes(const struct whatif *w)
{
    struct text warnings = {0};
    char note[128];
    for (size_t i = 0; i < w->answers.count; i++)
        answer_warnings(w->answers.items[i].answer, &warnings);
    terminal_tell(&warnings);
    terminal_warn_subjects(w->question.subjects.items, w->question.subjects.count);
    for (size_t s = 0; s < w->question.subjects.count; s++)
        if (profile_sample_note(w->views.items[s], note, sizeof note))
            message("%s: %s", w->question.subjects.items[s]->name, note);
}

void whatif_print(const struct whatif *w, const char *format, bool explain)
{
    bool json = strcmp(format, "json") == 0;
    if (json)
        whatif_print_json(w);
    else if (strcmp(format, "csv") == 0)
        whatif_print_csv(w);
    else
        whatif_print_table(w, explain);
    if (!json)
        whatif_print_notes(w);
}

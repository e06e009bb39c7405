/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape whatif: one machine, one or more workloads, every model's answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "explore/answer.h"
#include "explore/subject.h"
#include "report/answer_report.h"
#include "report/csv.h"

struct whatif {
    struct machine *machine;
    const char **organisations;
    size_t n_organisations;
    struct {
        const struct model **items;
        size_t count, capacity;
    } models;
    struct {
        struct subject **items;
        size_t count, capacity;
    } subjects;
    bool chosen; /* the user named models; else those that do not apply are left out */
    struct {
        const struct profile_view **items;
        size_t count, capacity;
    } views; /* of the subjects */
    struct {
        struct whatif_answer {
            struct answer *answer;
            size_t subject;
        } * items;
        size_t count, capacity;
    } answers; /* subject-major, then organisation, then model */
    double sample_rate;
};

static const char *const whatif_default_organisations[] = {"memory-side", "sm-side", "sac"};

static void whatif_fini(struct whatif *w)
{
    for (size_t i = 0; i < w->answers.count; i++)
        answer_destroy(w->answers.items[i].answer);
    for (size_t i = 0; i < w->subjects.count; i++)
        subject_destroy(w->subjects.items[i]);
    VECTOR_FREE(&w->views);
    VECTOR_FREE(&w->answers);
    VECTOR_FREE(&w->subjects);
    VECTOR_FREE(&w->models);
    machine_destroy(w->machine);
}

static int whatif_open_models(struct whatif *w, const struct invocation *inv, struct error *error)
{
    const struct plugin *plugin;
    size_t cursor = 0;
    w->chosen = option_count(inv, "model") > 0;
    for (int i = 0; i < option_count(inv, "model"); i++) {
        int status = plugin_require("model", option_value(inv, "model", i), &plugin, error);
        if (status)
            return status;
        VECTOR_PUSH(&w->models, (const struct model *)plugin);
    }
    while (w->models.count == 0 || cursor > 0) {
        if (!(plugin = plugin_next("model", &cursor)))
            break;
        VECTOR_PUSH(&w->models, (const struct model *)plugin);
    }
    return 0;
}

static int whatif_open_subjects(struct whatif *w, const struct invocation *inv, struct error *error)
{
    int n = option_count(inv, "workload");
    if (n == 0) {
        error_set(error, STATUS_USAGE, "whatif needs a workload");
        error_hint(error, "--workload gemm:input=small, a profile or a trace; "
                          "bandscape list workloads shows names");
        return STATUS_USAGE;
    }
    for (int i = 0; i < n; i++) {
        struct subject *subject;
        int status = subject_open(option_value(inv, "workload", i), &subject, error);
        if (status)
            return status;
        VECTOR_PUSH(&w->subjects, subject);
    }
    return 0;
}

/* Every parameter the user set must matter to some chosen model or to the
 * profile; otherwise the answer would silently be about another machine. */
static int whatif_check_read(const struct whatif *w, const char *path, struct error *error)
{
    struct parameter p;
    int status = machine_find(w->machine, path, &p, error);
    bool streams = false;
    for (size_t i = 0; i < w->subjects.count; i++)
        streams = streams || !subject_is_point(w->subjects.items[i]);
    if (status || strcmp(path, "llc.organisation") == 0)
        return status;
    if (p.row->structure == STRUCTURE_MODEL && p.row->plugin)
        return 0;
    if ((p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME ||
         p.row->expand) &&
        streams)
        return 0;
    for (size_t i = 0; i < w->answers.count; i++)
        if (model_reads(w->answers.items[i].answer->graph, path))
            return 0;
    struct text names = {0};
    for (size_t i = 0; i < w->models.count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", w->models.items[i]->plugin.name);
    error_set(error, STATUS_INPUT, "%s has no effect: no chosen model reads it (%s)%s", path,
              names.data,
              p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME
                  ? ", and a profile given as numbers is not profiled again"
                  : "");
    error_hint(error, "bandscape list models NAME shows what a model reads");
    text_free(&names);
    return STATUS_INPUT;
}

static int whatif_machine(struct whatif *w, const struct invocation *inv, struct error *error)
{
    const char *name = option_value(inv, "machine", 0);
    if (!name) {
        error_set(error, STATUS_USAGE, "whatif needs a machine");
        error_hint(error, "--machine sac; bandscape list machines shows names");
        return STATUS_USAGE;
    }
    int status = machine_load(name, &w->machine, error);
    if (!status)
        status = terminal_apply_settings(inv, w->machine, error);
    return status;
}

/* The view of each subject; those that no profile has are made, or in the cache. */
static int whatif_views(struct whatif *w, struct error *error)
{
    size_t made = 0;
    for (size_t s = 0; s < w->subjects.count; s++) {
        const struct profile_view *view;
        struct subject *subject = w->subjects.items[s];
        size_t missing = 0;
        int status = subject_prepare_models(subject, w->machine, w->models.items, w->models.count,
                                            w->sample_rate, &missing, error);
        if (!status)
            status = subject_view(subject, w->machine, &view, error);
        if (status)
            return status;
        made += missing;
        VECTOR_PUSH(&w->views, view);
    }
    if (made == 0 && w->sample_rate < 1) {
        error_set(error, STATUS_USAGE, "--sample has no effect: the profiles hold the views");
        error_hint(error, "make them with it: bandscape profile W --sample 1/16");
        return STATUS_USAGE;
    }
    return 0;
}

/* Every model under every organisation, but those to which it does not apply. One that applies
 * to none of them is an error when the user named it, and so it is when none applies at all. */
static int whatif_answer(struct whatif *w, size_t subject, struct error *error)
{
    struct error *refusals = memory_zero(w->models.count, sizeof *refusals);
    size_t *answers = memory_zero(w->models.count, sizeof *answers), all = 0;
    int status = 0;
    for (size_t o = 0; o < w->n_organisations && !status; o++) {
        status = machine_set(w->machine, "llc.organisation", w->organisations[o], NULL, error);
        for (size_t m = 0; m < w->models.count && !status; m++) {
            struct whatif_answer made = {.subject = subject};
            struct model_views views;
            status = subject_views(w->subjects.items[subject], w->models.items[m], w->machine,
                                   &views, error);
            if (!status)
                status = answer_create_variants(w->models.items[m], w->machine, &views,
                                                &made.answer, error);
            if (!status) {
                VECTOR_PUSH(&w->answers, made);
                answers[m]++;
                all++;
                continue;
            }
            error_context(error, "workload %s, %s", w->subjects.items[subject]->name,
                          w->organisations[o]);
            if (status != STATUS_INFEASIBLE)
                break;
            refusals[m] = *error;
            status = 0;
        }
    }
    for (size_t m = 0; m < w->models.count && !status; m++)
        if (answers[m] == 0 && (w->chosen || all == 0)) {
            *error = refusals[m];
            status = STATUS_INFEASIBLE;
        }
    free(refusals);
    free(answers);
    return status;
}

static int whatif_answers(struct whatif *w, struct error *error)
{
    int status = whatif_views(w, error);
    for (size_t s = 0; s < w->subjects.count && !status; s++)
        status = whatif_answer(w, s, error);
    return status;
}

static struct answer_row whatif_row(const struct whatif *w, size_t i)
{
    const struct whatif_answer *made = &w->answers.items[i];
    return (struct answer_row){.machine = w->machine->name,
                               .workload = w->subjects.items[made->subject]->name,
                               .answer = made->answer};
}

static void whatif_print_json(const struct whatif *w)
{
    static const char *const no_bytes = "the profile does not say bytes: kernel_time is unknown";
    struct json json = {.stream = stdout};
    json_begin_array(&json);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = whatif_row(w, i);
        const char *warnings[2];
        char sampled[128];
        row.warnings = warnings;
        if (isnan(answer_metric(row.answer, "kernel_time")))
            warnings[row.n_warnings++] = no_bytes;
        if (profile_sample_note(w->views.items[w->answers.items[i].subject], sampled,
                                sizeof sampled))
            warnings[row.n_warnings++] = sampled;
        answer_json(&json, &row);
    }
    json_end_array(&json);
}

static void whatif_print_csv(const struct whatif *w)
{
    struct csv_writer csv = {.stream = stdout};
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0};
    for (size_t i = 0; i < w->answers.count; i++)
        for (int m = 0; m < w->answers.items[i].answer->result.n_metrics; m++) {
            const char *name = w->answers.items[i].answer->result.metrics[m].name;
            bool known = false;
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
    csv_end_row(&csv);
    for (size_t i = 0; i < w->answers.count; i++) {
        struct answer_row row = whatif_row(w, i);
        csv_write_text(&csv, row.machine);
        csv_write_text(&csv, row.workload);
        csv_write_text(&csv, row.answer->result.organisation);
        csv_write_text(&csv, row.answer->result.model->plugin.name);
        for (size_t k = 0; k < names.count; k++) {
            double value = answer_metric(row.answer, names.items[k]);
            if (isnan(value))
                csv_write_text(&csv, "");
            else
                csv_write_number(&csv, value);
        }
        csv_end_row(&csv);
    }
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

static void whatif_print_table(const struct whatif *w, const struct invocation *inv)
{
    struct table *table = table_create();
    struct text text = {0};
    struct table_style style = terminal_table_style(stdout);
    answer_table_columns(table);
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
    if (option_given(inv, "explain"))
        whatif_print_explanations(w);
    else if (isatty(STDOUT_FILENO))
        printf("\n--explain shows every term and which one binds.\n");
}

static void whatif_print_notes(const struct whatif *w)
{
    char note[128];
    for (size_t s = 0; s < w->subjects.count; s++)
        if (profile_sample_note(w->views.items[s], note, sizeof note))
            message("%s: %s", w->subjects.items[s]->name, note);
}

static int whatif_run(const struct invocation *inv, struct error *error)
{
    struct whatif w = {0};
    static const char *const formats[] = {"table", "json", "csv", NULL};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (!status)
        status = terminal_sample_rate(inv, &w.sample_rate, error);
    if (!status)
        status = whatif_machine(&w, inv, error);
    if (!status)
        status = whatif_open_models(&w, inv, error);
    if (!status)
        status = whatif_open_subjects(&w, inv, error);
    const char *organisation = NULL;
    if (!status && terminal_setting_given(inv, "llc.organisation"))
        status = machine_name(w.machine, "llc.organisation", &organisation, error);
    w.organisations = organisation ? &organisation : (const char **)whatif_default_organisations;
    w.n_organisations = organisation ? 1 : 3;
    if (!status)
        status = whatif_answers(&w, error);
    for (int i = 0; i < option_count(inv, "set") && !status; i++) {
        char path[128];
        terminal_setting_path(option_value(inv, "set", i), path, sizeof path);
        status = whatif_check_read(&w, path, error);
    }
    if (!status && strcmp(format, "json") == 0)
        whatif_print_json(&w);
    else if (!status && strcmp(format, "csv") == 0)
        whatif_print_csv(&w);
    else if (!status)
        whatif_print_table(&w, inv);
    if (!status && strcmp(format, "json") != 0)
        whatif_print_notes(&w);
    whatif_fini(&w);
    return status;
}

static const struct option_row whatif_options[] = {
    {'m', "machine", "M", false, "a shipped machine (bandscape list machines) or a file"},
    {'w', "workload", "W", true,
     "a shipped workload (gemm:input=small), a trace or a profile;\nmay be repeated"},
    {'s', "set", "PATH=VALUE", true, "change a parameter: --set inter.link_bandwidth=192GB/s"},
    {0, "model", "NAME", true, "only this model; may be repeated (default: all that apply)"},
    {0, "sample", "RATE", false,
     "what has to be profiled: curves from this share of the lines, such as 1/16"},
    {'x', "explain", NULL, false, "show the terms and which of them bind"},
    {0, "format", "F", false, "table (default), json or csv"},
    {.name = NULL},
};

const struct command command_whatif = {
    .plugin = {"command", "whatif", "predict effective bandwidth for one machine and workload",
               NULL, NULL},
    .usage = "--machine M --workload W [--set PATH=VALUE]... [--model NAME]... [--explain]",
    .description =
        "Evaluates the models for a machine and a workload under every organisation of its\n"
        "last-level cache, or only under the one given by --set llc.organisation=NAME. A\n"
        "workload that is not a profile is profiled first; its view is cached. A setting\n"
        "that no model reads is an error.",
    .examples = "  bandscape whatif --machine sac --workload gemm:input=small\n"
                "  bandscape whatif --machine sac --workload bfs:input=small "
                "--set inter.link_bandwidth=384GB/s --explain\n"
                "  bandscape whatif --machine sac --workload my.profile.yaml --format json",
    .options = whatif_options,
    .run = whatif_run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape whatif: one machine, one or more workloads, every model's answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/look_options.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/whatif.h"
#include "explore/answer/effect.h"
#include "explore/answer/filling_room.h"
#include "report/timeline.h"

static void whatif_fini(struct whatif *w)
{
    for (size_t i = 0; i < w->answers.count; i++)
        answer_destroy(w->answers.items[i].answer);
    for (size_t v = 0; v < w->variants.count; v++) {
        VECTOR_FREE(&w->variants.items[v].views);
        machine_destroy(w->variants.items[v].machine);
    }
    VECTOR_FREE(&w->variants);
    VECTOR_FREE(&w->varied);
    VECTOR_FREE(&w->answers);
    VECTOR_FREE(&w->models);
    baseline_close(&w->baseline);
    question_fini(&w->question);
}

static int whatif_open_models(struct whatif *w, const struct invocation *inv, struct error *error)
{
    const struct plugin *plugin;
    size_t cursor = 0;
    for (int i = 0; i < option_count(inv, "model"); i++) {
        int status = plugin_require("model", option_value(inv, "model", i), &plugin, error);
        if (status)
            return status;
        VECTOR_PUSH(&w->models, (const struct model *)plugin);
    }
    w->all_models = w->models.count == 0;
    w->all_rows = !w->all_models || option_given(inv, "all-models");
    if (!w->all_models && option_given(inv, "all-models"))
        return error_set(error, STATUS_USAGE, "--model and --all-models exclude each other");
    while (w->all_models && (plugin = plugin_next("model", &cursor)))
        VECTOR_PUSH(&w->models, (const struct model *)plugin);
    return 0;
}

static bool some_answer_reads(const void *context, const char *path)
{
    const struct whatif *w = context;
    for (size_t i = 0; i < w->answers.count; i++)
        if (model_reads(w->answers.items[i].answer->graph, path))
            return true;
    return false;
}

/* Every parameter the user set must matter. */
static int whatif_check_settings(const struct whatif *w, const struct invocation *inv,
                                 struct error *error)
{
    struct effect asked = {.machine = w->variants.items[0].machine, /* under the last one asked */
                           .models = w->models.items,
                           .n_models = w->models.count,
                           .profiled = subjects_have_streams(&w->question.subjects),
                           .reads = some_answer_reads,
                           .context = w};
    return terminal_require_effects(inv, &asked, error);
}

/* --- asking ---------------------------------------------------------------------- */

/* Every view that the organisations and the baseline need of a workload; *made: how many had
 * to be profiled. */
static int whatif_prepare(const struct whatif *w, struct subject *subject, struct machine *machine,
                          const struct machine *base, size_t *made, struct error *error)
{
    const struct model *const *models = w->models.items;
    unsigned parts = 0;
    size_t missing = 0;
    int status = 0;
    for (size_t o = 0; o < w->question.organisations.count && !status; o++) {
        status = machine_set(machine, "llc.organisation", w->question.organisations.items[o], NULL,
                             error);
        for (size_t m = 0; m < w->models.count && !status; m++) {
            unsigned own = 0;
            status = model_parts(models[m], machine, &own, error);
            parts |= own;
        }
    }
    if (!status)
        status = subject_prepare_models(subject, machine, models, w->models.count, parts,
                                        &w->effort, &missing, error);
    *made += missing;
    if (!status && base)
        status = subject_prepare_models(subject, base, models, w->models.count, parts, &w->effort,
                                        &missing, error);
    *made += base ? missing : 0;
    return status;
}

/* The view of each subject; those that no profile has are made, or in the cache. */
static int whatif_views(struct whatif *w, struct whatif_variant *variant,
                        const struct machine *base, struct error *error)
{
    size_t made = 0;
    for (size_t s = 0; s < w->question.subjects.count; s++) {
        const struct profile_view *view;
        int status =
            whatif_prepare(w, w->question.subjects.items[s], variant->machine, base, &made, error);
        if (!status)
            status = subject_view(w->question.subjects.items[s], variant->machine, &view, error);
        if (status)
            return status;
        VECTOR_PUSH(&variant->views, view);
    }
    if (made == 0 && (w->effort.sample_rate < 1 || w->effort.error > 0)) {
        error_set(error, STATUS_USAGE, "--%s has no effect: the profiles hold the views",
                  w->effort.error > 0 ? "error" : "sample");
        return error_hint(error, "make them with it: bandscape profile W --sample 1/16");
    }
    return 0;
}

/* The baseline's answer; NULL: there is none. */
static int whatif_base(const struct whatif *w, const struct model *model,
                       const struct subject *subject, const struct machine *base,
                       struct answer **out, struct error *error)
{
    struct model_views views;
    *out = NULL;
    if (!base)
        return 0;
    int status = subject_views(subject, model, base, &views, error);
    if (!status)
        status = answer_create_metrics(model, base, &views, answer_in_a_line, out, error);
    if (status)
        error_context(error, "workload %s, baseline %s", subject->name, w->baseline_name);
    return status;
}

/* What is asked about: a workload, on a variant of the machine, beside its baseline. */
struct whatif_asked {
    size_t subject, variant;
    struct machine *machine;
    const struct machine *base; /* NULL: none */
};

static void whatif_add(struct whatif *w, const struct whatif_asked *asked, struct answer *answer,
                       const struct answer *base)
{
    struct whatif_answer row = {asked->subject, asked->variant, answer, (double)NAN};
    if (base)
        row.speedup = baseline_speedup(&w->baseline, answer_metric(base, "kernel_time"),
                                       answer_metric(base, "effective_bandwidth"),
                                       answer_metric(answer, "kernel_time"),
                                       answer_metric(answer, "effective_bandwidth"));
    VECTOR_PUSH(&w->answers, row);
}

/* All models for one workload and organisation. Those that do not apply leave their reason
 * (refusals, by model); of all models those that lack a field are left out with a word, where
 * another one answers. */
static int whatif_ask(struct whatif *w, const struct whatif_asked *asked, const char *organisation,
                      struct error *refusals, struct error *error)
{
    const struct subject *subject = w->question.subjects.items[asked->subject];
    struct error lacking = {0};
    size_t before = w->answers.count;
    int status = machine_set(asked->machine, "llc.organisation", organisation, NULL, error);
    for (size_t m = 0; m < w->models.count && !status; m++) {
        const struct model *model = w->models.items[m];
        struct answer *answer = NULL, *reference = NULL;
        struct model_views views;
        status = subject_views(subject, model, asked->machine, &views, error);
        if (!status)
            status =
                answer_create_metrics(model, asked->machine, &views,
                                      w->in_a_line ? answer_in_a_line : NULL, &answer, error);
        if (!status) {
            status = whatif_base(w, model, subject, asked->base, &reference, error);
            whatif_add(w, asked, answer, reference);
            answer_destroy(reference);
            continue;
        }
        error_context(error, "workload %s, %s on %s", subject->name, organisation,
                      asked->machine->name);
        if (status == STATUS_INFEASIBLE)
            refusals[m] = *error;
        else if (status == STATUS_UNKNOWN_FIELD && w->all_models)
            lacking = lacking.status ? lacking : *error;
        else
            break;
        status = 0;
    }
    if (status || !lacking.status)
        return status;
    if (w->answers.count == before) {
        *error = lacking;
        return lacking.status;
    }
    message("left out: %s", lacking.text);
    return 0;
}

/* Under every organisation. Those that nobody named and that a profile does not know, as counters
 * know the one that they were measured under, are left out with a word where another one answers.
 */
static int whatif_ask_all(struct whatif *w, const struct whatif_asked *asked,
                          struct error *refusals, struct error *error)
{
    struct error lacking = {0};
    size_t before = w->answers.count;
    int status = 0;
    for (size_t o = 0; o < w->question.organisations.count && !status; o++) {
        status = whatif_ask(w, asked, w->question.organisations.items[o], refusals, error);
        if (status != STATUS_UNKNOWN_FIELD || w->named)
            continue;
        lacking = lacking.status ? lacking : *error;
        status = 0;
    }
    if (status || !lacking.status)
        return status;
    if (w->answers.count == before) {
        *error = lacking;
        return lacking.status;
    }
    message("left out: %s", lacking.text);
    return 0;
}

/* Every model under every organisation, but those to which it does not apply. One that applies
 * to none of them is an error when the user named it, and so it is when none applies at all. */
static int whatif_answer(struct whatif *w, const struct whatif_asked *asked, struct error *error)
{
    struct error *refusals = memory_zero(w->models.count, sizeof *refusals);
    size_t before = w->answers.count;
    int status = whatif_ask_all(w, asked, refusals, error);
    for (size_t m = 0; m < w->models.count && !status; m++) {
        bool answered = false;
        for (size_t i = before; i < w->answers.count && !answered; i++)
            answered = w->answers.items[i].answer->result.model == w->models.items[m];
        if (!answered && (!w->all_models || w->answers.count == before)) {
            *error = refusals[m];
            status = refusals[m].status;
        }
    }
    free(refusals);
    return status;
}

/* The machine and its baseline for a choice; the views of all workloads. */
static int whatif_open_variant(struct whatif *w, const char *name, size_t choice,
                               struct machine **base, struct error *error)
{
    struct whatif_variant *variant = &w->variants.items[choice];
    *base = NULL;
    int status = machine_load(name, &variant->machine, error);
    if (!status)
        status = choices_apply(&w->question.choices, choice, variant->machine, error);
    if (!status)
        variant->room = filling_room_of(variant->machine);
    if (!status && w->baseline_name)
        status = baseline_machine(&w->baseline, variant->machine, base, error);
    return status ? status : whatif_views(w, variant, *base, error);
}

static int whatif_find_varied(struct whatif *w, struct error *error)
{
    const struct choices *choices = &w->question.choices;
    for (size_t i = 0; i < choices->all.count; i++) {
        const struct choice *choice = &choices->all.items[i];
        if (choice->values.count < 2)
            continue;
        if (strcmp(choice->path, "llc.organisation") == 0) {
            error_set(error, STATUS_USAGE, "--set: several organisations are --organisation");
            return error_hint(error, "-O memory-side -O sm-side");
        }
        VECTOR_PUSH(&w->varied, choice->path);
    }
    return 0;
}

/* By workload, then choice. */
static int whatif_answers(struct whatif *w, const char *machine, struct error *error)
{
    size_t n = w->question.choices.combinations;
    struct machine **bases = memory_zero(n, sizeof *bases);
    int status = whatif_find_varied(w, error);
    for (size_t v = 0; v < n && !status; v++) {
        VECTOR_PUSH(&w->variants, (struct whatif_variant){.machine = NULL});
        status = whatif_open_variant(w, machine, v, &bases[v], error);
    }
    for (size_t s = 0; s < w->question.subjects.count && !status; s++)
        for (size_t v = 0; v < n && !status; v++)
            status = whatif_answer(
                w, &(struct whatif_asked){s, v, w->variants.items[v].machine, bases[v]}, error);
    for (size_t v = 0; v < n; v++)
        machine_destroy(bases[v]);
    free(bases);
    return status;
}

static int whatif_plot(const struct whatif *w, const struct invocation *inv, const char *path,
                       struct error *error)
{
    struct answer_row *rows = whatif_rows(w);
    struct look_how how;
    int status = look_open(inv, PLOT_SVG, &how, error);
    how.output.path = path;
    if (!status)
        status = timeline_plot(rows, w->answers.count, &how.output, error);
    if (!status)
        message("wrote %s", path);
    look_close(&how);
    free(rows);
    return status;
}

static int whatif_run(const struct invocation *inv, struct error *error)
{
    struct whatif w = {.baseline_name = option_value(inv, "baseline", 0),
                       .named = option_given(inv, "organisation") ||
                                terminal_setting_given(inv, "llc.organisation")};
    static const char *const formats[] = {"table", "json", "csv", NULL};
    const char *format, *plot = option_value(inv, "plot", 0);
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    w.in_a_line = !status && !plot && strcmp(format, "table") == 0 && !option_given(inv, "explain");
    if (!status && look_asked(inv) && !plot)
        status = error_set(error, STATUS_USAGE, "options of pictures need one: --plot FILE");
    if (!status)
        status = terminal_effort(inv, &w.effort, error);
    if (!status)
        status = question_read_choices(inv, "whatif", true, &w.question, error);
    if (!status)
        status = whatif_open_models(&w, inv, error);
    if (!status && w.baseline_name)
        status = baseline_open(w.baseline_name, &w.baseline, error);
    if (!status)
        status = whatif_answers(&w, option_value(inv, "machine", 0), error);
    if (!status)
        status = whatif_check_settings(&w, inv, error);
    if (!status && plot)
        status = whatif_plot(&w, inv, plot, error);
    if (!status)
        whatif_print(&w, format, option_given(inv, "explain"));
    whatif_fini(&w);
    return status;
}

static const struct option_row whatif_options[] = {
    {'m', "machine", "M", false, "a shipped machine (bandscape list machines) or a file",
     "@machines"},
    {'w', "workload", "W", true,
     "a shipped workload (gemm:input=small), a trace or a profile;\nmay be repeated", "@workloads"},
    {'s', "set", "PATH=VALUE", true,
     "change a parameter: --set inter.link_bandwidth=192GB/s; several values are rows\n"
     "side by side: 48,96,192GB/s or 48..192GB/s or x0.5..x4 or +-20%; *2 and +10% are\n"
     "of the machine's own; bandscape help values has all forms",
     "@settings"},
    {0, "model", "NAME", true, "only this model; may be repeated (default: all that apply)",
     "@model"},
    {0, "all-models", NULL, false, "a row for the answer of every model"},
    {'a', "all", NULL, false, NULL, NULL, "all-models"},
    {0, "sample", "RATE", false,
     "what has to be profiled: curves from this share of the lines, such as 1/16"},
    {0, "error", "E", false,
     "what has to be profiled: curves from as many lines as keep hit rates within E,\n"
     "such as 0.01"},
    {0, "exact", NULL, false,
     "likewise: every launch is gone through, also those that repeat earlier ones"},
    {'O', "organisation", "O", true,
     "only this organisation of the LLC; may be repeated (default: memory-side,\n"
     "sm-side and sac; bandscape list organisations shows all)",
     "@organisation"},
    {'o', "organization", "O", true, NULL, "@organisation", "organisation"},
    {'b', "baseline", "B", false, "speed-ups against an organisation (memory-side) or a machine",
     "@organisation @machines"},
    {0, "plot", "FILE", false,
     "draw the effective bandwidth of each kernel launch over time; one model and workload;\n"
     ".svg, .png, .pdf, .eps or .tex"},
    LOOK_OPTIONS,
    {'x', "explain", NULL, false, "show the terms and which of them bind; JSON: all of them"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default), json or csv", "table json csv"},
    {.name = NULL},
};

const struct command command_whatif = {
    .plugin = {"command", "whatif", "predict effective bandwidth for one machine and workload",
               NULL, NULL},
    .usage = "--machine M --workload W [--set PATH=VALUE]... [--model NAME]... [--explain]\n"
             "        [--organisation O]... [--baseline B] [--plot FILE]",
    .description =
        "Evaluates the models for a machine and a workload under every organisation of its\n"
        "last-level cache, or only under the one given by --set llc.organisation=NAME. A\n"
        "workload that is not a profile is profiled first; its view is cached. A setting\n"
        "that no model reads is an error. Unless models are named, those that do not apply\n"
        "to the machine are left out, and the table has one answer: of the kind that is\n"
        "nearest to simulations, with what limits it, what comes next, and the range of the\n"
        "other kinds; --all-models has all rows. A speed-up is the kernel time of the baseline "
        "over\n"
        "one's own. Lines beneath (the column warnings of CSV) say where an input does not\n"
        "fill the machine: idle-sms, short-launches, fits, sampled.",
    .examples = "  bandscape whatif --machine sac --workload gemm:input=small\n"
                "  bandscape whatif --machine sac --workload bfs:input=small "
                "--set inter.link_bandwidth=384GB/s --explain\n"
                "  bandscape whatif --machine sac --workload bfs:input=small "
                "--set inter.link_bandwidth=x0.5..x4 -O sm-side\n"
                "  bandscape whatif --machine sac --workload gemm:input=small --workload "
                "mvt:input=small --baseline memory-side\n"
                "  bandscape whatif --machine sac --workload bfs:input=small --model eab "
                "--plot bfs.png\n"
                "  bandscape whatif --machine sac --workload my.profile.yaml --format json",
    .options = whatif_options,
    .run = whatif_run,
};

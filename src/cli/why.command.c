/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape why: what limits an answer, what comes behind it, and what would help; of two designs,
 * which terms make the difference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/between.h"
#include "cli/moving.h"
#include "cli/terminal.h"
#include "explore/answer/effect.h"
#include "report/answer_report.h"
#include "report/limits_report.h"

/* Lines of tables that may be long; JSON has all. */
enum { LAUNCHES_SHOWN = 5, KNOBS_SHOWN = 5, TEXT_WIDTH = 80 };

/* How far parameters move: the words of the report say 20 %. */
#define STEP 0.2

static bool some_term_reads(const void *context, const char *path)
{
    return model_reads(((const struct answer *)context)->graph, path);
}

/* Every parameter the user set must matter. */
static int check_settings(const struct invocation *inv, const struct point *point,
                          const struct answer *answer, struct error *error)
{
    struct effect asked = {.machine = point->machine,
                           .models = &point->model,
                           .n_models = 1,
                           .profiled = point->subject->source != NULL,
                           .reads = some_term_reads,
                           .context = answer};
    return terminal_require_effects(inv, &asked, error);
}

/* Words in lines of at most TEXT_WIDTH characters. */
static void print_paragraph(const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > TEXT_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%.*s", column ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* Its title, if it has rows; in JSON a member of the open object. Destroys it. */
static void print_sheet(struct sheet *sheet, struct json *json, const char *key, const char *title)
{
    if (sheet && json) {
        json_key(json, key);
        sheet_print_json(sheet, json);
    } else if (sheet && sheet_rows(sheet)) {
        printf("\n%s\n", title);
        terminal_print_sheet(sheet, "table");
    }
    sheet_destroy(sheet);
}

/* --- one design ------------------------------------------------------------------------------ */

struct why {
    struct moving moving;
    struct answer *answer;
    struct limits limits;
    struct elasticities knobs;
};

static int ask(const struct invocation *inv, struct why *why, struct error *error)
{
    struct point *point = &why->moving.point;
    int status = moving_open(inv, "why", &why->moving, error);
    if (!status)
        status = point_answer(point, &why->answer, error);
    if (!status)
        status = check_settings(inv, point, why->answer, error);
    if (status)
        return status;
    limits_find(why->answer, &why->limits);
    return elasticities_find(point, why->answer, "effective_bandwidth", STEP, false, &why->knobs, error);
}

static void print_tree(const struct why *why)
{
    const struct model *model = why->answer->result.model;
    struct text text = {0};
    limits_tree(why->answer, why->limits.record, &text);
    if (text.length || why->limits.record->n_stations) {
        const char *equation = model->page ? model->page : "", *end = strstr(equation, "\n\n");
        const char *reference = model->plugin.reference;
        struct text title = {0};
        text_printf(&title, "Terms of %s%s%s", model->plugin.name, reference ? ": " : "",
                    reference ? reference : "");
        putchar('\n');
        print_paragraph(title.data);
        printf("%.*s\n%s%s", (int)(end ? (size_t)(end - equation) : strlen(equation)), equation,
               text.length ? "\n" : "", text.length ? text.data : "");
        text_free(&title);
    }
    text_free(&text);
}

static void print_json(const struct why *why, const struct limits_subject *s, const char *words)
{
    struct json json = {.stream = stdout};
    const struct limits *limits = &why->limits;
    json_begin_object(&json);
    json_pair_string(&json, "machine", s->machine);
    json_pair_string(&json, "workload", s->workload);
    json_pair_string(&json, "organisation", why->answer->result.organisation);
    json_pair_string(&json, "model", why->answer->result.model->plugin.name);
    json_pair_string(&json, "answer", why->answer->result.model->answer);
    json_pair_number(&json, "effective_bandwidth",
                     answer_metric(why->answer, "effective_bandwidth"));
    json_pair_number(&json, "kernel_time", answer_metric(why->answer, "kernel_time"));
    json_pair_string(&json, "words", words);
    json_pair_string(&json, "kernel", limits->record ? limits->record->record->name : NULL);
    json_pair_number(&json, "share_of_time", limits->share);
    json_pair_string(&json, "next", limits->next);
    json_pair_number(&json, "next_effective_bandwidth", limits->next_bytes_per_s);
    print_sheet(limits_sheet(why->answer, limits), &json, "resources", NULL);
    print_sheet(limits->record ? limits_stations(why->answer, limits->record) : NULL, &json,
                "stations", NULL);
    print_sheet(limits_launches(why->answer, 0), &json, "launches", NULL);
    print_sheet(limits_knobs(&why->knobs, 0), &json, "parameters", NULL);
    json_end_object(&json);
}

static void print_one(const struct why *why, const char *format)
{
    const struct limits *limits = &why->limits;
    struct limits_subject subject = {.machine = why->moving.point.machine->name,
                                     .workload = why->moving.point.subject->name,
                                     .design = why->moving.point.machine,
                                     .answer = why->answer,
                                     .limits = limits,
                                     .knob = limits_best_knob(&why->knobs)};
    struct text words = {0};
    limits_say(&subject, &words);
    if (strcmp(format, "json") == 0) {
        print_json(why, &subject, words.data);
        text_free(&words);
        return;
    }
    print_paragraph(words.data);
    text_free(&words);
    print_sheet(limits_sheet(why->answer, limits), NULL, NULL, "What limits it");
    if (limits->record) {
        print_tree(why);
        print_sheet(limits_stations(why->answer, limits->record), NULL, NULL,
                    "The way of a request, while all domains work");
    }
    if (why->answer->result.n_records > 1)
        print_sheet(limits_launches(why->answer, LAUNCHES_SHOWN), NULL, NULL, "Launches");
    print_sheet(limits_knobs(&why->knobs, KNOBS_SHOWN), NULL, NULL,
                "What moves effective_bandwidth most");
    struct text warnings = {0};
    answer_warnings(why->answer, &warnings);
    terminal_tell(&warnings);
    terminal_warn_subjects(&why->moving.point.subject, 1);
}

static int why_one(const struct invocation *inv, const char *format, struct error *error)
{
    struct why why = {0};
    int status = ask(inv, &why, error);
    if (!status)
        print_one(&why, format);
    VECTOR_FREE(&why.limits);
    VECTOR_FREE(&why.knobs);
    answer_destroy(why.answer);
    moving_close(&why.moving);
    return status;
}

/* --- two of them ------------------------------------------------------------------------------ */

struct pair {
    struct between between;
    struct question question; /* the workload alone */
    struct point points[2];
    struct answer *answers[2];
    struct differences found;
};

static int open_pair(const struct invocation *inv, struct pair *pair, struct error *error)
{
    const char *name = option_value(inv, "model", 0);
    const struct plugin *model = NULL;
    int status = between_open(inv, "why", &pair->between, error);
    if (!status)
        status = question_read_workloads(inv, "why", &pair->question, error);
    if (!status && pair->question.subjects.count != 1)
        status = error_set(error, STATUS_USAGE, "why takes one workload");
    if (!status && name)
        status = plugin_require("model", name, &model, error);
    /* The first one's model speaks of both. */
    for (int i = 0; i < 2 && !status; i++) {
        const struct model *asked = i ? pair->points[0].model : (const struct model *)model;
        status = point_open(&pair->points[i], pair->question.subjects.items[0],
                            pair->between.machines[i], asked, error);
        if (!status)
            status = point_answer(&pair->points[i], &pair->answers[i], error);
        if (status)
            error_context(error, "%s", pair->between.names[i]);
    }
    for (int i = 0; i < 2 && !status; i++)
        status = check_settings(inv, &pair->points[i], pair->answers[i], error);
    return status;
}

/* A sentence: which one is faster, and what makes most of it. */
static void say_pair(const struct pair *pair, const double *times, struct text *out)
{
    const char *const *names = pair->between.names;
    const struct differences *found = &pair->found;
    bool unknown = isnan(answer_metric(pair->answers[0], "kernel_time"));
    char words[2][64];
    for (int i = 0; i < 2; i++)
        quantity_format((struct quantity){times[i], DIM_SECONDS}, 4, words[i], sizeof words[i]);
    text_printf(out, "%s by %s: %s takes %.3gx the time of %s",
                pair->question.subjects.items[0]->name, pair->points[0].model->plugin.name,
                names[1], exp(found->log_ratio), names[0]);
    if (!unknown)
        text_printf(out, " (%s, %s)", words[1], words[0]);
    text_append(out, ".");
    if (found->count == 0)
        return;
    const struct difference *first = &found->items[0];
    text_printf(out, " Most of it: %s, which alone makes it %.3gx.", first->name,
                exp(first->contribution));
    if (found->count > 1)
        text_printf(out, " Then %s, %.3gx.", found->items[1].name,
                    exp(found->items[1].contribution));
}

static void print_pair(const struct pair *pair, const char *format)
{
    struct text words = {0};
    double times[2];
    for (int i = 0; i < 2; i++)
        times[i] = answer_metric(pair->answers[i], "kernel_time");
    bool json_asked = strcmp(format, "json") == 0;
    struct sheet *sheet = limits_differences(&pair->found, pair->between.names, times, json_asked);
    const struct model_result *result = &pair->answers[0]->result;
    if (result->n_records > 1 && !answer_dominant(pair->answers[0])->n_stations)
        sheet_add_note(sheet, "Bandwidths are those of the launches where they count most.");
    say_pair(pair, times, &words);
    if (json_asked) {
        struct json json = {.stream = stdout};
        json_begin_object(&json);
        json_pair_string(&json, "workload", pair->question.subjects.items[0]->name);
        json_pair_string(&json, "model", pair->points[0].model->plugin.name);
        json_pair_string(&json, "first", pair->between.names[0]);
        json_pair_string(&json, "second", pair->between.names[1]);
        json_pair_number(&json, "log_ratio", pair->found.log_ratio);
        json_pair_string(&json, "words", words.data);
        print_sheet(sheet, &json, "terms", NULL);
        json_end_object(&json);
    } else {
        print_paragraph(words.data);
        print_sheet(sheet, NULL, NULL, "Terms, as parts of the logarithm of the ratio of times");
    }
    text_free(&words);
}

static int why_pair(const struct invocation *inv, const char *format, struct error *error)
{
    struct pair pair = {0};
    int status = open_pair(inv, &pair, error);
    if (!status)
        status = differences_find((const struct answer *const[]){pair.answers[0], pair.answers[1]},
                                  &pair.found, error);
    if (!status)
        print_pair(&pair, format);
    VECTOR_FREE(&pair.found);
    for (int i = 0; i < 2; i++) {
        answer_destroy(pair.answers[i]);
        point_close(&pair.points[i]);
    }
    question_fini(&pair.question);
    between_close(&pair.between);
    return status;
}

static int why_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (status)
        return status;
    return option_given(inv, "between") ? why_pair(inv, format, error)
                                        : why_one(inv, format, error);
}

static const struct option_row why_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'w', "workload", "W", true, "a shipped workload, a trace or a profile", "@workloads"},
    {'s', "set", "PATH=VALUE", true, "change a parameter before", "@settings"},
    {'O', "organisation", "O", false, "of the LLC (default: the machine's)", "@organisation"},
    {'o', "organization", "O", false, NULL, "@organisation", "organisation"},
    {0, "between", "A,B", false,
     "which terms make two designs differ: PATH=VALUE,VALUE, two organisations, or two\n"
     "machines in place of --machine",
     "@organisation @machines"},
    {0, "model", "NAME", false,
     "whose answer (default: network, or where it refuses the machine, bottleneck)", "@model"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default) or json", "table json"},
    {.name = NULL},
};

const struct command command_why = {
    .plugin = {"command", "why", "what limits a prediction, what comes next, what would help", NULL,
               NULL},
    .usage = "--machine M --workload W [--set PATH=VALUE]... [--model NAME] [--between A,B]",
    .description =
        "Says in words and numbers what limits the effective bandwidth, in the launches that take\n"
        "the most time: how much of each resource is used, what twice of it would give and what\n"
        "binds then, the minima and sums of the model's equation, of a network the way of a\n"
        "request (service and waiting), and the machine's numbers that help most.\n\n"
        "--between: which terms make two designs differ, as parts of the logarithm of the ratio\n"
        "of their times, which add up to it exactly: sums by the logarithmic mean, minima by\n"
        "what binds on the way from one to the other.",
    .examples = "  bandscape why --machine sac --workload bfs:input=small\n"
                "  bandscape why -m sac -w stencil:input=small --model eab\n"
                "  bandscape why -m sac -w gemm:input=small --between memory-side,sm-side\n"
                "  bandscape why -w stream:input=small --between sac,sac-2chip --model bottleneck",
    .options = why_options,
    .run = why_run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape flip: where along a parameter one of two designs overtakes the other, for every
 * workload and by every model that is asked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/between.h"
#include "cli/moving.h"
#include "cli/terminal.h"
#include "explore/answer/crossings.h"
#include "explore/answer/effect.h"

enum { SAMPLES = 33 };

/* Relative: of values at which the order changes; of metrics that are called equal. */
#define ACCURACY 1e-4
#define EQUAL 1e-9

/* One workload by one model. */
struct flip_case {
    struct point points[2];
    struct crossings found;
    double most; /* of the differences, relative */
    bool less;   /* is better: a time */
    struct error refused;
};

struct flip {
    struct between between;
    struct moving_range range;
    struct question question; /* the workloads alone */
    const char *metric;
    struct {
        const struct model **items;
        size_t count, capacity;
    } models;
    struct flip_case *cases; /* [workload * models + model] */
};

static struct flip_case *case_of(const struct flip *flip, size_t workload, size_t model)
{
    return &flip->cases[workload * flip->models.count + model];
}

static struct crossings_request request_of(const struct flip *flip)
{
    return (struct crossings_request){.low = flip->range.low,
                                      .high = flip->range.high,
                                      .samples = SAMPLES,
                                      .accuracy = ACCURACY,
                                      .whole = flip->range.whole};
}

/* --- what is asked --------------------------------------------------------------------------- */

struct moment {
    const struct flip *flip;
    struct flip_case *of;
};

/* By how much the first design is better. */
static int lead(void *context, double x, double *out, struct error *error)
{
    const struct moment *moment = context;
    struct flip_case *c = moment->of;
    struct quantity values[2];
    int status = 0;
    for (int i = 0; i < 2 && !status; i++) {
        status = point_set(&c->points[i], moment->flip->range.path, x, error);
        if (!status)
            status = point_metric_moved(&c->points[i], moment->flip->range.path,
                                        moment->flip->metric, &values[i], error);
    }
    *out = (double)NAN;
    if (status == STATUS_INFEASIBLE)
        return 0;
    if (status)
        return status;
    c->less = dim_equal(values[0].dim, DIM_SECONDS);
    *out = values[c->less].value / values[!c->less].value - 1;
    if (fabs(*out) <= EQUAL)
        *out = 0;
    c->most = fmax(c->most, fabs(*out));
    return 0;
}

static bool some_term_reads(const void *context, const char *path)
{
    return model_reads(((const struct answer *)context)->graph, path);
}

/* What is varied must matter for one of the designs. */
static int check_effect(const struct flip *flip, const struct flip_case *c, struct error *error)
{
    bool acts = false;
    int status = 0;
    for (int i = 0; i < 2 && !status && !acts; i++) {
        const struct point *point = &c->points[i];
        struct answer *answer = NULL;
        struct effect asked = {.machine = point->machine,
                               .models = &point->model,
                               .n_models = 1,
                               .profiled = point->subject->source != NULL,
                               .reads = some_term_reads};
        status = point_answer(point, &answer, error);
        asked.context = answer;
        acts = !status && effect_acts(&asked, flip->range.path);
        if (!status && !acts && i == 1)
            status = effect_refuse(&asked, flip->range.path, NULL, point->subject->name, error);
        answer_destroy(answer);
    }
    return status;
}

/* A model that refuses one of the designs is left out, with its reason; *asked: it is not. */
static int ask(const struct flip *flip, size_t workload, size_t m, bool *asked, struct error *error)
{
    struct flip_case *c = case_of(flip, workload, m);
    struct moment moment = {flip, c};
    struct crossings_request request = request_of(flip);
    int status = 0;
    request.function = lead;
    request.context = &moment;
    for (int i = 0; i < 2 && !status; i++) {
        struct answer *answer = NULL;
        status = point_open(&c->points[i], flip->question.subjects.items[workload],
                            flip->between.machines[i], flip->models.items[m], error);
        if (!status && i == 0)
            status = point_check_metric(&c->points[i], flip->metric, error);
        if (!status)
            status = point_answer(&c->points[i], &answer, error);
        answer_destroy(answer);
    }
    *asked = !status;
    if (status == STATUS_INFEASIBLE) {
        c->refused = *error;
        return 0;
    }
    if (!status)
        status = check_effect(flip, c, error);
    return status ? status : crossings_find(&request, &c->found, error);
}

static int ask_all(const struct flip *flip, struct error *error)
{
    for (size_t w = 0; w < flip->question.subjects.count; w++) {
        size_t answered = 0;
        int status = 0;
        for (size_t m = 0; m < flip->models.count && !status; m++) {
            bool asked;
            status = ask(flip, w, m, &asked, error);
            answered += asked;
        }
        if (!status && !answered) {
            *error = case_of(flip, w, 0)->refused;
            status = error->status;
        }
        if (status) {
            error_context(error, "workload %s", flip->question.subjects.items[w]->name);
            return status;
        }
    }
    return 0;
}

static int read_models(const struct invocation *inv, struct flip *flip, struct error *error)
{
    const struct model *first;
    for (int i = 0; i < option_count(inv, "model"); i++) {
        const struct plugin *plugin;
        int status = plugin_require("model", option_value(inv, "model", i), &plugin, error);
        if (status)
            return status;
        VECTOR_PUSH(&flip->models, (const struct model *)plugin);
    }
    bool named = flip->models.count > 0;
    for (int place = 1; !named && (first = model_first(place)); place++)
        VECTOR_PUSH(&flip->models, first);
    return 0;
}

static int read_all(const struct invocation *inv, struct flip *flip, struct error *error)
{
    int status = between_open(inv, "flip", &flip->between, error);
    flip->metric = option_value(inv, "metric", 0);
    flip->metric = flip->metric ? flip->metric : "kernel_time";
    if (!status)
        status = moving_read_range(inv, "over", flip->between.machines[0], &flip->range, error);
    if (!status && strcmp(flip->range.path, flip->between.path) == 0)
        status =
            error_set(error, STATUS_USAGE, "--over and --between both set %s", flip->range.path);
    if (!status)
        status = question_read_workloads(inv, "flip", &flip->question, error);
    return status ? status : read_models(inv, flip, error);
}

/* --- what is found -----------------------------------------------------------------------------
 */

/* The better design on a part of the range that the first one leads by that. */
static const char *better(const struct flip *flip, const struct flip_case *c, double lead)
{
    if (isnan(lead))
        return "unknown";
    return c->most == 0 ? "equal" : flip->between.names[lead > 0 ? 0 : 1];
}

/* The same at a value; between the changes that were found. */
static const char *better_at(const struct flip *flip, const struct flip_case *c, double x)
{
    bool first = c->found.last > 0;
    for (size_t i = c->found.count; i-- > 0 && c->found.items[i] > x;)
        first = !first;
    return better(flip, c, isnan(c->found.last) ? (double)NAN : first ? 1 : -1);
}

static void add_part(const struct flip *flip, const char *workload, const char *model, double from,
                     double to, const char *holds, struct sheet *sheet)
{
    struct text low = {0}, high = {0};
    moving_format(&flip->range, from, &low);
    moving_format(&flip->range, to, &high);
    struct sheet_cell cells[] = {{workload}, {model},     {.number = from}, {.number = to},
                                 {low.data}, {high.data}, {holds}};
    sheet_add(sheet, cells);
    text_free(&low);
    text_free(&high);
}

static void add_case(const struct flip *flip, size_t w, size_t m, struct sheet *sheet)
{
    const struct flip_case *c = case_of(flip, w, m);
    const char *workload = flip->question.subjects.items[w]->name;
    const char *model = flip->models.items[m]->plugin.name;
    if (c->refused.status) {
        sheet_add_note(sheet, "%s: %s", workload, c->refused.text);
        return;
    }
    for (size_t i = 0; i <= c->found.count; i++) {
        double from = i ? c->found.items[i - 1] : flip->range.low;
        double to = i < c->found.count ? c->found.items[i] : flip->range.high;
        add_part(flip, workload, model, from, to, better_at(flip, c, from), sheet);
    }
    if (c->found.unknown)
        sheet_add_note(sheet, "%s: %s has no answer at %zu of %d values", workload, model,
                       c->found.unknown, SAMPLES);
}

static void say_case(const struct flip *flip, size_t w, size_t m)
{
    const struct flip_case *c = case_of(flip, w, m);
    struct text line = {0};
    if (c->refused.status)
        return;
    text_printf(&line, "%s by %s: ", flip->question.subjects.items[w]->name,
                flip->models.items[m]->plugin.name);
    if (c->found.unknown == SAMPLES)
        text_append(&line, "no answer within the range");
    else if (c->most == 0)
        text_append(&line, "never within the range: the two are equal");
    else if (c->found.count == 0)
        text_printf(&line, "never within the range: %s is better everywhere",
                    better(flip, c, isnan(c->found.first) ? c->found.last : c->found.first));
    else if (c->found.count == 1) {
        text_printf(&line, "%s below ", better_at(flip, c, flip->range.low));
        moving_format(&flip->range, c->found.items[0], &line);
        text_printf(&line, ", %s from there on", better_at(flip, c, c->found.items[0]));
    } else
        text_printf(&line, "it changes %zu times", c->found.count);
    terminal_say("%s.\n", line.data);
    text_free(&line);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether those that were asked say the same at a value. */
static bool agree_at(const struct flip *flip, size_t w, double x)
{
    const char *first = NULL;
    for (size_t m = 0; m < flip->models.count; m++) {
        const struct flip_case *c = case_of(flip, w, m);
        if (c->refused.status || c->found.unknown == SAMPLES || c->most == 0)
            continue;
        const char *own = better_at(flip, c, x);
        first = first ? first : own;
        if (strcmp(first, own) != 0)
            return false;
    }
    return true;
}

/* Parts of the range on which models name unlike designs. */
static void say_disagreement(const struct flip *flip, size_t w)
{
    struct {
        double *items;
        size_t count, capacity;
    } ends = {0};
    VECTOR_PUSH(&ends, flip->range.low);
    for (size_t m = 0; m < flip->models.count; m++)
        for (size_t i = 0; i < case_of(flip, w, m)->found.count; i++)
            VECTOR_PUSH(&ends, case_of(flip, w, m)->found.items[i]);
    VECTOR_PUSH(&ends, flip->range.high);
    qsort(ends.items, ends.count, sizeof *ends.items, compare_numbers);
    for (size_t i = 0; i + 1 < ends.count; i++) {
        size_t j = i;
        struct text from = {0}, to = {0};
        while (j + 1 < ends.count && ends.items[j] < ends.items[j + 1] &&
               !agree_at(flip, w, ends.items[j]))
            j++;
        if (j > i) {
            moving_format(&flip->range, ends.items[i], &from);
            moving_format(&flip->range, ends.items[j], &to);
            terminal_say("%s: models disagree from %s to %s.\n",
                         flip->question.subjects.items[w]->name, from.data, to.data);
            i = j;
        }
        text_free(&from);
        text_free(&to);
    }
    VECTOR_FREE(&ends);
}

static void print(const struct flip *flip, const char *format)
{
    static const struct sheet_column columns[] = {
        {"workload", "workload", NULL, SHEET_TEXT}, {"model", "model", NULL, SHEET_TEXT},
        {"from", NULL, NULL, SHEET_NUMBER},         {"to", NULL, NULL, SHEET_NUMBER},
        {NULL, "from", NULL, SHEET_TEXT},           {NULL, "to", NULL, SHEET_TEXT},
        {"better", "better", NULL, SHEET_TEXT},     {NULL}};
    struct sheet *sheet = sheet_create(columns);
    bool table = strcmp(format, "table") == 0;
    size_t workloads = flip->question.subjects.count;
    for (size_t w = 0; w < workloads; w++) {
        if (w)
            sheet_add_rule(sheet);
        for (size_t m = 0; m < flip->models.count; m++)
            add_case(flip, w, m, sheet);
    }
    if (table)
        terminal_say("%s or %s by %s, over %s\n\n", flip->between.names[0], flip->between.names[1],
                     flip->metric, flip->range.path);
    terminal_print_sheet(sheet, format);
    sheet_destroy(sheet);
    if (table)
        terminal_say("\n");
    for (size_t w = 0; w < workloads && table; w++) {
        for (size_t m = 0; m < flip->models.count; m++)
            say_case(flip, w, m);
        say_disagreement(flip, w);
    }
    terminal_warn_subjects(flip->question.subjects.items, workloads);
}

static int flip_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct flip flip = {0};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (status)
        return status;
    status = read_all(inv, &flip, error);
    size_t cases = flip.question.subjects.count * flip.models.count;
    flip.cases = memory_zero(cases, sizeof *flip.cases);
    if (!status)
        status = ask_all(&flip, error);
    if (!status)
        print(&flip, format);
    for (size_t i = 0; i < cases; i++) {
        VECTOR_FREE(&flip.cases[i].found);
        for (int side = 0; side < 2; side++)
            point_close(&flip.cases[i].points[side]);
    }
    free(flip.cases);
    VECTOR_FREE(&flip.models);
    question_fini(&flip.question);
    between_close(&flip.between);
    return status;
}

static const struct option_row flip_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'w', "workload", "W", true, "a shipped workload, a trace or a profile; may be repeated",
     "@workloads"},
    {'s', "set", "PATH=VALUE", true, "change a parameter before", "@settings"},
    {0, "between", "A,B", false,
     "the two designs: PATH=VALUE,VALUE, two organisations, or two machines in place of\n"
     "--machine",
     "@organisation @machines"},
    {0, "over", "PATH=A..B", false, "the parameter, and how far: inter.link_bandwidth=24..768GB/s"},
    {0, "metric", "NAME", false, "by which they are compared (default: kernel_time)",
     "kernel_time effective_bandwidth"},
    {0, "model", "NAME", true, "whose answer; may be repeated (default: network and bottleneck)",
     "@model"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {.name = NULL},
};

const struct command command_flip = {
    .plugin = {"command", "flip", "where along a parameter one of two designs overtakes the other",
               NULL, NULL},
    .usage = "--machine M --workload W... --between A,B --over PATH=A..B [--metric NAME]",
    .description =
        "Asks at 33 values of a parameter, evenly spread (in the logarithm where the range spans\n"
        "more than a factor of four), which of two designs is better, and finds to four digits\n"
        "where that changes: for every workload, by every model, and where models disagree. Of\n"
        "times less is better, of other metrics more. What changes twice between two neighbours\n"
        "of the 33 is not seen. Counts are whole numbers.",
    .examples = "  bandscape flip --machine sac --workload gemm:input=small "
                "--between llc.organisation=memory-side,sm-side "
                "--over inter.link_bandwidth=24..768GB/s\n"
                "  bandscape flip -w stream:input=small --between sac,sac-2chip "
                "--over inter.link_bandwidth=24..768GB/s --model bottleneck --model eab",
    .options = flip_options,
    .run = flip_run,
};

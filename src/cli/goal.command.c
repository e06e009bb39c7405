/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape goal: from where on a parameter meets a condition; with --between, where one
 * organisation overtakes another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/moving.h"
#include "cli/terminal.h"
#include "explore/answer/crossings.h"
#include "validate/checkpoint.h"

enum { SAMPLES = 33 };

/* Relative, of values at which something changes: beyond what the answers are good for. */
#define ACCURACY 1e-4

struct goal {
    struct moving moving;
    struct moving_range range;
    struct arena *arena;
    const char *text;             /* of the condition */
    struct expression *condition; /* left and right side of a comparison, or of `within` a value */
    const char **metrics;         /* the names in it; NULL at the end */
    double within, best;          /* this share of the best of the range; 0: a comparison */
    const struct answer *answer;  /* of the value at hand */
    const char *between[2];       /* organisations; NULL: there is a condition */
    const char *refused;          /* why a value has no answer; NULL: none is refused */
};

/* --- values ------------------------------------------------------------------------------ */

static bool is_of_model(const char *name)
{
    char model[64];
    snprintf(model, sizeof model, "%.*s", (int)strcspn(name, "."), name);
    const struct model *found = (const struct model *)plugin_find("model", model);
    return found && model_metric_find(found, strchr(name, '.') + 1);
}

/* MODEL.METRIC, as spaces have it. */
static int refuse_model(const struct expression *name, struct error *error)
{
    size_t length = strcspn(name->name, ".");
    *error = (struct error){0};
    error_at(error, STATUS_INPUT, &name->mark, "one model is asked: %s goes without its name",
             name->name + length + 1);
    return error_hint(error, "--reach \"%s ...\" --model %.*s", name->name + length + 1,
                      (int)length, name->name);
}

/* A metric of the answer, else a parameter, total or cost of the machine. */
static int resolve(void *context, const struct expression *name, struct quantity *out,
                   struct error *error)
{
    struct goal *goal = context;
    struct point *point = &goal->moving.point;
    if (strchr(name->name, '.') || strcmp(name->name, "chips") == 0) {
        int failed = checkpoint_quantity(point->machine, name->name, out, error);
        return failed && is_of_model(name->name) ? refuse_model(name, error) : failed;
    }
    int status = point_check_metric(point, name->name, error);
    if (status) {
        error_place(error, &name->mark);
        return status;
    }
    int term = model_result_metric(&goal->answer->result, name->name);
    *out = (struct quantity){(double)NAN, DIM_NONE};
    if (term >= 0)
        *out =
            (struct quantity){goal->answer->values[term], term_get(goal->answer->graph, term)->dim};
    return 0;
}

/* What is to be within a share of its best, at the value at hand. */
static int aim(struct goal *goal, double *out, struct error *error)
{
    struct quantity value = {(double)NAN, DIM_NONE};
    int status = point_answer_moved(&goal->moving.point, goal->range.path, goal->metrics,
                                    &goal->answer, error);
    if (!status)
        status = expression_evaluate(goal->condition, resolve, goal, &value, error);
    goal->answer = NULL;
    *out = value.value;
    return status;
}

/* Times and costs are best where they are least. */
static bool is_less_better(const struct goal *goal)
{
    const struct expression *e = goal->condition;
    return e->op == EXPRESSION_NAME &&
           (strcmp(e->name, "kernel_time") == 0 || strncmp(e->name, "cost.", 5) == 0);
}

/* How far the condition is met, relative to its right side: positive where it is. */
static int condition_margin(struct goal *goal, double *out, struct error *error)
{
    const struct expression *e = goal->condition;
    if (goal->within > 0) {
        double value, sign = is_less_better(goal) ? -1 : 1;
        int failed = aim(goal, &value, error);
        *out = failed ? (double)NAN : sign * (value / goal->best - 1) + goal->within;
        return failed;
    }
    bool less = e->op == EXPRESSION_LESS || e->op == EXPRESSION_LESS_EQUAL;
    struct quantity left, right;
    int status = point_answer_moved(&goal->moving.point, goal->range.path, goal->metrics,
                                    &goal->answer, error);
    if (!status)
        status = expression_evaluate(e->args[0], resolve, goal, &left, error);
    if (!status)
        status = expression_evaluate(e->args[1], resolve, goal, &right, error);
    if (!status && !dim_equal(left.dim, right.dim)) {
        char a[64], b[64];
        status =
            error_set(error, STATUS_INPUT, "--reach: %s is compared with %s",
                      dim_describe(left.dim, a, sizeof a), dim_describe(right.dim, b, sizeof b));
        error_hint(error, "write the number with its unit, e.g. %s",
                   dim_example(dim_equal(left.dim, DIM_NONE) ? right.dim : left.dim));
    }
    goal->answer = NULL;
    if (status)
        return status;
    double scale = right.value != 0 ? fabs(right.value) : 1;
    *out = (less ? right.value - left.value : left.value - right.value) / scale;
    return 0;
}

/* By how much the first organisation is faster. */
static int lead(struct goal *goal, double *out, struct error *error)
{
    struct point *point = &goal->moving.point;
    struct quantity time[2];
    int status = 0;
    for (int i = 0; i < 2 && !status; i++) {
        status = machine_set(point->machine, "llc.organisation", goal->between[i], NULL, error);
        if (!status)
            status = point_metric(point, "kernel_time", &time[i], error);
    }
    *out = status ? (double)NAN : time[1].value / time[0].value - 1;
    return status;
}

/* Values that the machine or the model refuses are unknown. */
static int at_value(void *context, double x, double *out, struct error *error)
{
    struct goal *goal = context;
    int status = point_set(&goal->moving.point, goal->range.path, x, error);
    if (!status)
        status = goal->between[0] ? lead(goal, out, error) : condition_margin(goal, out, error);
    if (status == STATUS_INFEASIBLE) {
        if (!goal->refused)
            goal->refused = arena_strdup(goal->arena, error->text);
        *out = (double)NAN;
        status = 0;
    }
    return status;
}

/* The best of the samples of the range, which others are held against. */
static int find_best(struct goal *goal, const struct crossings_request *request,
                     struct error *error)
{
    int status = 0;
    goal->best = (double)NAN;
    for (int i = 0; i < request->samples && !status; i++) {
        double value = (double)NAN, x = crossings_sample(request, i);
        status = point_set(&goal->moving.point, goal->range.path, x, error);
        if (!status)
            status = aim(goal, &value, error);
        status = status == STATUS_INFEASIBLE ? 0 : status;
        goal->best = is_less_better(goal) ? fmin(goal->best, value) : fmax(goal->best, value);
    }
    return status;
}

/* --- what is asked ------------------------------------------------------------------------- */

/* The names in a condition: what of an answer it asks for, and others. */
static size_t collect_names(const struct expression *e, const char **out)
{
    size_t count = e->op == EXPRESSION_NAME;
    if (count && out)
        *out = e->name;
    for (int i = 0; i < e->n_args; i++)
        count += collect_names(e->args[i], out ? out + count : NULL);
    return count;
}

/* "METRIC within SHARE of best": *word is its " within ". */
static int read_within(struct goal *goal, const char *word, struct error *error)
{
    const char *share = word + strlen(" within "), *end = strstr(share, " of best");
    const struct mark mark = {"--reach", 1, 1, goal->text};
    struct quantity q = {0, DIM_NONE};
    bool read = end && !end[strlen(" of best")] &&
                quantity_scan(arena_strndup(goal->arena, share, (size_t)(end - share)), &q) == 0;
    if (!read || !dim_equal(q.dim, DIM_NONE) || !(q.value > 0 && q.value < 1)) {
        error_set(error, STATUS_USAGE,
                  "--reach: expected METRIC within SHARE of best, got "
                  "\"%.80s\"",
                  goal->text);
        return error_hint(error, "--reach \"effective_bandwidth within 10%% of best\"");
    }
    goal->within = q.value;
    return expression_parse(goal->arena,
                            arena_strndup(goal->arena, goal->text, (size_t)(word - goal->text)),
                            &mark, &goal->condition, error);
}

static int read_condition(const struct invocation *inv, struct goal *goal, struct error *error)
{
    goal->text = option_value(inv, "reach", 0);
    const struct mark mark = {"--reach", 1, 1, goal->text};
    const char *within = strstr(goal->text, " within ");
    if (within)
        return read_within(goal, within, error);
    int status = expression_parse(goal->arena, goal->text, &mark, &goal->condition, error);
    if (status)
        return status;
    switch (goal->condition->op) {
    case EXPRESSION_LESS:
    case EXPRESSION_LESS_EQUAL:
    case EXPRESSION_GREATER:
    case EXPRESSION_GREATER_EQUAL:
        return 0;
    default:
        error_set(error, STATUS_USAGE, "--reach: a comparison, not \"%.80s\"", goal->text);
        return error_hint(error, "--reach \"effective_bandwidth >= 2 TB/s\"");
    }
}

/* --between A,B. */
static int read_between(const struct invocation *inv, struct goal *goal, struct error *error)
{
    char *text = arena_strdup(goal->arena, option_value(inv, "between", 0));
    char *comma = strchr(text, ',');
    const struct plugin *plugin;
    if (!comma) {
        error_set(error, STATUS_USAGE, "--between: two organisations, not \"%.80s\"", text);
        return error_hint(error, "--between memory-side,sm-side");
    }
    *comma = '\0';
    goal->between[0] = text;
    goal->between[1] = comma + 1;
    int status = 0;
    for (int i = 0; i < 2 && !status; i++)
        status = plugin_require("organisation", goal->between[i], &plugin, error);
    return status;
}

static int read_goal(const struct invocation *inv, struct goal *goal, struct error *error)
{
    bool reach = option_given(inv, "reach"), between = option_given(inv, "between");
    if (reach == between) {
        error_set(error, STATUS_USAGE, "goal takes one of --reach and --between");
        return error_hint(error, "--reach \"effective_bandwidth >= 2 TB/s\", or --between "
                                 "memory-side,sm-side");
    }
    int status = reach ? read_condition(inv, goal, error) : read_between(inv, goal, error);
    if (!status && reach) {
        size_t names = collect_names(goal->condition, NULL);
        goal->metrics = arena_alloc(goal->arena, (names + 1) * sizeof *goal->metrics);
        collect_names(goal->condition, goal->metrics);
        goal->metrics[names] = NULL;
    }
    if (!status)
        status = moving_open(inv, "goal", &goal->moving, error);
    if (!status)
        status = moving_read_range(inv, "vary", goal->moving.point.machine, &goal->range, error);
    return status;
}

/* --- what is found -------------------------------------------------------------------------- */

static const struct sheet_column goal_columns[] = {
    {"from", NULL, NULL, SHEET_NUMBER},   {"to", NULL, NULL, SHEET_NUMBER},
    {NULL, "from", NULL, SHEET_TEXT},     {NULL, "to", NULL, SHEET_TEXT},
    {"holds", "holds", NULL, SHEET_TEXT}, {NULL}};

/* What holds on a part of the range. */
static const char *verdict(const struct goal *goal, double value)
{
    if (isnan(value))
        return "unknown";
    if (goal->between[0])
        return value > 0 ? goal->between[0] : goal->between[1];
    return value > 0 ? "yes" : "no";
}

static void add_part(const struct goal *goal, double from, double to, const char *holds,
                     struct sheet *sheet)
{
    struct text low = {0}, high = {0};
    moving_format(&goal->range, from, &low);
    moving_format(&goal->range, to, &high);
    struct sheet_cell cells[] = {
        {.number = from}, {.number = to}, {low.data}, {high.data}, {holds}};
    sheet_add(sheet, cells);
    text_free(&low);
    text_free(&high);
}

/* A sentence: the least or the most value that meets the condition. */
static void say(const struct goal *goal, const struct crossings *found)
{
    struct text at = {0};
    const char *path = goal->range.path;
    if (found->count == 1)
        moving_format(&goal->range, found->items[0], &at);
    terminal_say("\n");
    if (goal->between[0] && found->count == 0)
        terminal_say("%s is faster all the way.\n", verdict(goal, found->last));
    else if (goal->between[0] && found->count == 1)
        terminal_say("%s is faster below %s = %s, %s from there on.\n", verdict(goal, found->first),
                     path, at.data, verdict(goal, found->last));
    else if (found->count == 0)
        terminal_say("%s %s in this range.\n", goal->text,
                     found->last > 0 ? "holds everywhere" : "holds nowhere");
    else if (found->count == 1)
        terminal_say("The %s %s with %s: %s.\n", found->last > 0 ? "least" : "most", path,
                     goal->text, at.data);
    else
        terminal_say("It changes %zu times.\n", found->count);
    text_free(&at);
}

static void print(const struct goal *goal, const struct crossings_request *request,
                  const struct crossings *found, const char *format)
{
    struct sheet *sheet = sheet_create(goal_columns);
    bool table = strcmp(format, "table") == 0, positive = found->last > 0;
    /* From the upper end downwards each change turns the sign. */
    for (size_t i = 0; i < found->count; i++)
        positive = !positive;
    for (size_t i = 0; i <= found->count; i++, positive = !positive)
        add_part(goal, i ? found->items[i - 1] : request->low,
                 i < found->count ? found->items[i] : request->high,
                 verdict(goal, positive ? 1 : -1), sheet);
    if (table)
        terminal_say("%s, %s by %s: %s\n\n", goal->moving.question.subjects.items[0]->name,
                     goal->range.path, goal->moving.point.model->plugin.name,
                     goal->between[0] ? "the faster organisation" : goal->text);
    terminal_print_sheet(sheet, format);
    if (table)
        say(goal, found);
    if (found->unknown)
        message("%zu of %d values have no answer", found->unknown, request->samples);
    sheet_destroy(sheet);
}

static int goal_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct goal goal = {.arena = arena_create()};
    struct crossings found = {0};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (!status)
        status = read_goal(inv, &goal, error);
    struct crossings_request request = {.function = at_value,
                                        .context = &goal,
                                        .low = goal.range.low,
                                        .high = goal.range.high,
                                        .samples = SAMPLES,
                                        .accuracy = ACCURACY,
                                        .whole = goal.range.whole};
    if (!status && goal.within > 0)
        status = find_best(&goal, &request, error);
    if (!status)
        status = crossings_find(&request, &found, error);
    if (!status && found.unknown == SAMPLES)
        status =
            error_set(error, STATUS_INFEASIBLE, "no value of %s has an answer: %s", goal.range.path,
                      goal.refused ? goal.refused : "what is asked for is not known there");
    if (!status)
        print(&goal, &request, &found, format);
    VECTOR_FREE(&found);
    moving_close(&goal.moving);
    arena_destroy(goal.arena);
    return status;
}

static const struct option_row goal_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'w', "workload", "W", true, "a shipped workload, a trace or a profile", "@workloads"},
    {'s', "set", "PATH=VALUE", true, "change a parameter before", "@settings"},
    {'O', "organisation", "O", false, "of the LLC (default: the machine's)", "@organisation"},
    {'o', "organization", "O", false, NULL, "@organisation", "organisation"},
    {0, "vary", "PATH=A..B", false, "the parameter, and how far: inter.link_bandwidth=48..768GB/s"},
    {0, "reach", "CONDITION", false,
     "a comparison of metrics, parameters, totals and costs:\n\"effective_bandwidth >= 2 TB/s\"; "
     "or "
     "\"effective_bandwidth within 10% of best\",\nthe best of the range"},
    {0, "between", "A,B", false, "in place of it: where one organisation overtakes the other"},
    {0, "model", "NAME", false,
     "whose answer (default: network, or where it refuses the machine, bottleneck)", "@model"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {.name = NULL},
};

const struct command command_goal = {
    .plugin = {"command", "goal", "the least or most value of a parameter that meets a condition",
               NULL, NULL},
    .usage = "--machine M --workload W --vary PATH=A..B\n"
             "        --reach CONDITION | --between ORGANISATION,ORGANISATION",
    .description =
        "Asks one model at 33 values of a parameter, evenly spread (in the logarithm where the\n"
        "range spans more than a factor of four), and finds to four digits where a condition\n"
        "begins or ceases to hold, or where one organisation of the LLC overtakes another. What\n"
        "changes twice between two neighbours of the 33 is not seen. Counts are whole numbers.",
    .examples = "  bandscape goal --machine sac --workload stencil:input=small "
                "--vary inter.link_bandwidth=48..768GB/s "
                "--reach \"effective_bandwidth >= 1 TB/s\"\n"
                "  bandscape goal --machine sac --workload gemm:input=small "
                "--vary inter.link_bandwidth=48..768GB/s --between memory-side,sm-side",
    .options = goal_options,
    .run = goal_run,
};

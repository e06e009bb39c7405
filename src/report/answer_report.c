/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers for readers and for programs. */
#include "report/answer_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer_kinds.h"

enum { EXPLAIN_DEPTH = 12, JSON_TERM_DEPTH = 40, LIMITS_TEXT = 160 };

static int record_metric_term(const struct model_record *record, const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return record->metrics[i].term;
    return -1;
}

static const char *term_op_name(const struct term *term)
{
    switch (term->kind) {
    case TERM_CONSTANT:
        return "constant";
    case TERM_INPUT:
        return "parameter";
    case TERM_FUNCTION:
        return "curve";
    case TERM_SOLVER:
        return "network";
    case TERM_OUTPUT:
        return "result";
    case TERM_OPERATION:
        break;
    }
    return expression_op_symbol(term->op);
}

void answer_varied(const struct answer_row *row, size_t i, struct answer_varied *out)
{
    struct parameter p;
    struct error ignored;
    *out = (struct answer_varied){.number = (double)NAN};
    if (machine_find(row->built, row->varied[i], &p, &ignored))
        return;
    out->dim = p.row->dim;
    if (p.row->kind == PARAMETER_NAME)
        out->name = p.section->values[p.index].name;
    else if (machine_number(row->built, row->varied[i], &out->number, &ignored))
        out->number = (double)NAN;
}

void answer_varied_columns(const struct answer_row *row, struct sheet_columns *columns)
{
    for (size_t v = 0; v < row->n_varied; v++) {
        struct answer_varied value;
        const char *dot = strrchr(row->varied[v], '.');
        answer_varied(row, v, &value);
        VECTOR_PUSH(columns, (struct sheet_column){row->varied[v], dot ? dot + 1 : row->varied[v],
                                                   NULL, value.name ? SHEET_TEXT : SHEET_NUMBER,
                                                   .dim = value.dim});
    }
}

void answer_varied_cells(const struct answer_row *row, struct sheet *sheet)
{
    for (size_t v = 0; v < row->n_varied; v++) {
        struct answer_varied value;
        answer_varied(row, v, &value);
        if (value.name)
            SHEET_TEXTS(sheet, value.name);
        else
            SHEET_NUMBERS(sheet, value.number);
    }
}

/* --- JSON -------------------------------------------------------------------- */

/* Terms are shared: a network's tree over launches would have gigabytes. A tree of more than that
 * has each of them once. Where nobody asks for all, whole levels from the top on are printed, of so
 * many terms at most: what an answer is made of is there, and many answers fit on a screen. */
enum { JSON_TERMS = 5000, JSON_TOP = 24 };

struct json_terms {
    const struct answer *answer;
    bool *shown; /* by term: its arguments stand above already; NULL: they stand everywhere */
    int depth;
};

/* Terms of the tree under a term, a shared one as often as it is used. */
static double tree_size(const struct term_graph *graph, int root)
{
    double *size = memory_alloc(((size_t)root + 1) * sizeof *size), whole;
    for (int t = 0; t <= root; t++) { /* arguments stand before what they are of */
        const struct term *term = term_get(graph, t);
        size[t] = 1;
        for (int i = 0; i < term->n_args; i++)
            size[t] += size[term->args[i]];
    }
    whole = size[root];
    free(size);
    return whole;
}

/* How many levels beneath a term have no more than `most` terms with all above them. */
static int levels_within(const struct term_graph *graph, int root, size_t most)
{
    int *level = memory_alloc(((size_t)root + 1) * sizeof *level), deepest = 0;
    size_t count[JSON_TERM_DEPTH + 1] = {0}, sum = 1;
    for (int t = 0; t < root; t++)
        level[t] = JSON_TERM_DEPTH + 1;
    level[root] = 0;
    for (int t = root; t >= 0; t--) { /* what a term is an argument of stands behind it */
        const struct term *term = term_get(graph, t);
        if (level[t] <= JSON_TERM_DEPTH)
            count[level[t]]++;
        for (int i = 0; i < term->n_args && level[t] < JSON_TERM_DEPTH; i++)
            if (level[term->args[i]] > level[t] + 1)
                level[term->args[i]] = level[t] + 1;
    }
    while (deepest < JSON_TERM_DEPTH && (sum += count[deepest + 1]) <= most)
        deepest++;
    free(level);
    return deepest;
}

static void json_term(struct json *json, const struct json_terms *terms, int index, bool binding,
                      int depth)
{
    const struct answer *answer = terms->answer;
    const struct term *term = term_get(answer->graph, index);
    int bound = term_binding(answer->graph, index, answer->values);
    bool again = terms->shown && terms->shown[index] && term->n_args > 0;
    json_begin_object(json);
    json_pair_string(json, "name", term->name);
    json_pair_string(json, "op", term_op_name(term));
    json_pair_number(json, "value", answer->values[index]);
    json_key(json, "binding");
    json_bool(json, binding);
    /* The writer nests objects and arrays, two levels a term; this one is in one object. */
    bool deeper = !again && depth < terms->depth && json->depth < JSON_DEPTH - 3;
    if (again) {
        json_key(json, "above");
        json_bool(json, true);
    } else if (!deeper && term->n_args > 0) {
        json_key(json, "left_out");
        json_integer(json, term->n_args);
    }
    json_key(json, "args");
    json_begin_array(json);
    if (deeper && terms->shown)
        terms->shown[index] = true;
    for (int i = 0; i < term->n_args && deeper; i++)
        json_term(json, terms, term->args[i], term->args[i] == bound, depth + 1);
    json_end_array(json);
    json_end_object(json);
}

static void json_tree(struct json *json, const struct answer *answer, int root, bool all)
{
    struct json_terms terms = {answer, NULL, JSON_TERM_DEPTH};
    if (!all)
        terms.depth = levels_within(answer->graph, root, JSON_TOP);
    if (!all || tree_size(answer->graph, root) > JSON_TERMS)
        terms.shown = memory_zero((size_t)term_count(answer->graph), sizeof *terms.shown);
    json_term(json, &terms, root, false, 0);
    free(terms.shown);
}

static void json_metrics(struct json *json, const struct answer *answer,
                         const struct model_term *metrics, int count)
{
    json_begin_object(json);
    for (int i = 0; i < count; i++) {
        json_pair_number(json, metrics[i].name, answer->values[metrics[i].term]);
    }
    json_end_object(json);
}

static void json_streams(struct json *json, const struct answer *answer,
                         const struct model_record *record)
{
    json_begin_object(json);
    for (int i = 0; record && i < record->n_streams; i++) {
        json_pair_string(json, record->streams[i].name, answer_limit(answer, record, i));
    }
    json_end_object(json);
}

static void json_kernels(struct json *json, const struct answer *answer)
{
    json_begin_array(json);
    for (size_t r = 0; r < answer->result.n_records; r++) {
        const struct model_record *record = &answer->result.records[r];
        json_begin_object(json);
        json_pair_string(json, "name", record->record->name);
        json_key(json, "launches");
        json_integer(json, (int64_t)record->record->launches);
        json_key(json, "metrics");
        json_metrics(json, answer, record->metrics, record->n_metrics);
        json_key(json, "bottleneck");
        json_streams(json, answer, record->empty ? NULL : record);
        json_pair_string(json, "decision", answer_decision(answer, record));
        json_end_object(json);
    }
    json_end_array(json);
}

/* The values in which this row's machine differs from others: numbers in SI, names. */
static void json_varied(struct json *json, const struct answer_row *row)
{
    for (size_t v = 0; v < row->n_varied; v++) {
        struct answer_varied value;
        answer_varied(row, v, &value);
        if (value.name)
            json_pair_string(json, row->varied[v], value.name);
        else
            json_pair_number(json, row->varied[v], value.number);
    }
}

void answer_json(struct json *json, const struct answer_row *row, bool explain)
{
    const struct answer *answer = row->answer;
    const struct model_result *result = &answer->result;
    json_begin_object(json);
    json_pair_string(json, "machine", row->machine);
    if (row->n_varied) {
        json_key(json, "set");
        json_begin_object(json);
        json_varied(json, row);
        json_end_object(json);
    }
    json_pair_string(json, "workload", row->workload);
    json_pair_string(json, "organisation", result->organisation);
    json_pair_string(json, "model", result->model->plugin.name);
    json_pair_string(json, "answer", result->model->answer);
    json_key(json, "metrics");
    json_metrics(json, answer, result->metrics, result->n_metrics);
    if (row->baseline) {
        json_pair_string(json, "baseline", row->baseline);
        json_pair_number(json, "speedup", row->speedup);
    }
    if (!isnan(row->measured_s))
        json_pair_number(json, "measured_time", row->measured_s);
    json_key(json, "bottleneck");
    json_streams(json, answer, answer_dominant(answer));
    json_key(json, "terms");
    json_tree(json, answer, model_result_metric(result, "effective_bandwidth"), explain);
    json_key(json, "kernels");
    json_kernels(json, answer);
    json_key(json, "warnings");
    json_begin_array(json);
    for (size_t i = 0; i < row->n_warnings; i++)
        json_string(json, row->warnings[i]);
    for (int i = 0; i < result->n_warnings; i++)
        json_string(json, result->warnings[i]);
    json_end_array(json);
    json_end_object(json);
}

/* --- table ------------------------------------------------------------------- */

/* Of all but CSV's metrics, which stand before METRICS. */
static const struct sheet_column answer_columns[] = {
    {"machine", NULL, NULL, SHEET_TEXT},
    {"workload", "workload", NULL, SHEET_TEXT},
    {"organisation", "organisation", NULL, SHEET_TEXT},
    {"model", "model", NULL, SHEET_TEXT},
    {"answer", NULL, NULL, SHEET_TEXT},
    {"spread_of_answers", NULL, NULL, SHEET_NUMBER},
    {NULL, "answer", NULL, SHEET_TEXT}, /* its first word */
    {NULL, "effective bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
    {NULL, "kernel time", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
    {"speedup", "speed-up", NULL, SHEET_FIXED, .digits = 3},
    {NULL, "LLC hits", NULL, SHEET_SHARE},
    {NULL, "limited by", NULL, SHEET_TEXT},
    {"warnings", NULL, NULL, SHEET_TEXT}, /* the last one: readers by place keep theirs */
    {NULL}};
enum { METRICS = 4, SPEEDUP = 9, COLUMNS = sizeof answer_columns / sizeof *answer_columns };

/* What any model says, and what all do, whether these ones know it or not: columns do not go. The
 * speed-up over a baseline takes the place of a model's own. */
static void add_metrics(const struct answer_row *rows, size_t count, struct sheet_columns *columns)
{
    static const char *const always[] = {"effective_bandwidth", "kernel_time"};
    for (size_t k = 0; k < sizeof always / sizeof *always; k++)
        VECTOR_PUSH(columns, (struct sheet_column){always[k], NULL, NULL, SHEET_NUMBER});
    for (size_t i = 0; i < count; i++)
        for (int m = 0; m < rows[i].answer->result.n_metrics; m++) {
            const char *name = rows[i].answer->result.metrics[m].name;
            bool known = rows[i].baseline && strcmp(name, "speedup") == 0;
            for (size_t k = rows[i].n_varied + METRICS; k < columns->count; k++)
                known = known || strcmp(columns->items[k].key, name) == 0;
            if (!known)
                VECTOR_PUSH(columns, (struct sheet_column){name, NULL, NULL, SHEET_NUMBER});
        }
}

void answer_limits(const struct answer *answer, char *out, size_t size)
{
    const struct model_record *record = answer_dominant(answer);
    size_t used = 0, choices, chosen = answer_decisions(answer, &choices);
    size_t early = answer_unturned(answer);
    out[0] = '\0';
    for (int i = 0; record && i < record->n_streams && used < size; i++) {
        const char *limit = answer_limit(answer, record, i);
        used += (size_t)snprintf(out + used, size - used, "%s%s: %s", i ? ", " : "",
                                 record->streams[i].name, limit ? limit : "-");
    }
    if (choices == 1 && used < size)
        used += (size_t)snprintf(out + used, size - used, " (%s%s)",
                                 answer_decision(answer, record), early ? ", too late" : "");
    else if (choices > 1 && used < size)
        used += (size_t)snprintf(out + used, size - used, " (%zu of %zu kernels %s", chosen,
                                 choices, record && record->other ? record->other : "");
    if (choices > 1 && used < size)
        snprintf(out + used, size - used, early ? ", %zu too late)" : ")", early);
}

static void add_answer(struct sheet *sheet, const struct answer_row *rows, size_t count, size_t i)
{
    const struct answer *answer = rows[i].answer;
    const struct model *model = answer->result.model;
    char limits[LIMITS_TEXT], kind[32];
    struct text warnings = {0};
    answer_limits(answer, limits, sizeof limits);
    bool speedup = rows[i].baseline;
    size_t before = rows[i].n_varied + METRICS;
    size_t metrics = METRICS + sheet->n_columns - (COLUMNS - (speedup ? 1 : 2));
    answer_varied_cells(&rows[i], sheet);
    SHEET_TEXTS(sheet, rows[i].machine, rows[i].workload, answer->result.organisation,
                model->plugin.name);
    for (size_t m = before; m < metrics; m++)
        SHEET_NUMBERS(sheet, answer_metric(answer, sheet->columns[m].key));
    SHEET_TEXTS(sheet, model->answer);
    SHEET_NUMBERS(sheet, answer_kinds_spread(rows, count, i, NULL));
    SHEET_TEXTS(sheet, answer_kind(answer, kind, sizeof kind));
    SHEET_NUMBERS(sheet, answer_metric(answer, "effective_bandwidth"),
                  answer_metric(answer, "kernel_time"));
    if (speedup)
        SHEET_NUMBERS(sheet, rows[i].speedup);
    SHEET_NUMBERS(sheet, answer_metric(answer, "llc_hit_rate"));
    filling_append_names(rows[i].filling, &warnings);
    SHEET_TEXTS(sheet, limits, warnings.data ? warnings.data : "");
    text_free(&warnings);
}

struct sheet *answer_sheet(const struct answer_row *rows, size_t count)
{
    struct sheet_columns columns = {0};
    answer_varied_columns(&rows[0], &columns);
    for (size_t c = 0; c < COLUMNS; c++) {
        if (c == METRICS)
            add_metrics(rows, count, &columns);
        if (c != SPEEDUP || rows[0].baseline)
            VECTOR_PUSH(&columns, answer_columns[c]);
    }
    struct sheet *sheet = sheet_create(columns.items);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && rows[i].workload != rows[i - 1].workload)
            sheet_add_rule(sheet);
        add_answer(sheet, rows, count, i);
    }
    VECTOR_FREE(&columns);
    return sheet;
}

/* --- warnings ----------------------------------------------------------------- */

void answer_warnings(const struct answer *answer, struct text *out)
{
    const struct model_result *result = &answer->result;
    for (int i = 0; i < result->n_warnings; i++) {
        struct text line = {0};
        text_printf(&line, "%s: %s", result->model->plugin.name, result->warnings[i]);
        if (!text_has_line(out, line.data))
            text_printf(out, "%s\n", line.data);
        text_free(&line);
    }
}

/* --- explanation -------------------------------------------------------------- */

struct explanation {
    const struct answer *answer;
    bool *shown; /* by term: its arguments stand above already */
    struct text *out;
};

/* What a solver found, but for what is nothing: stations that a machine does not have. */
static void explain_results(struct explanation *e, int solver, int depth)
{
    const struct answer *answer = e->answer;
    for (int i = 0; i < term_get(answer->graph, solver)->n_outputs; i++) {
        const struct term *term = term_get(answer->graph, solver + 1 + i);
        char value[64], left[160];
        if (answer->values[solver + 1 + i] == 0)
            continue;
        snprintf(left, sizeof left, "%*s-> %s", 2 * depth, "", term->name);
        quantity_format((struct quantity){answer->values[solver + 1 + i], term->dim}, 5, value,
                        sizeof value);
        text_printf(e->out, "  %-44s %14s\n", left, value);
    }
}

static void explain_term(struct explanation *e, int index, const char *mark, int depth)
{
    const struct answer *answer = e->answer;
    const struct term *term = term_get(answer->graph, index);
    char value[64], left[160];
    const char *name = term->name;
    bool operation = term->kind == TERM_OPERATION, again = e->shown[index] && term->n_args > 0;
    snprintf(left, sizeof left, "%*s%s%s%s", 2 * depth, "", name ? name : "",
             name && operation ? " = " : "", operation ? expression_op_symbol(term->op) : "");
    quantity_format((struct quantity){answer->values[index], term->dim}, 5, value, sizeof value);
    text_printf(e->out, "  %-44s %14s%s%s\n", left, value, mark, again ? "  (as above)" : "");
    if (again || depth >= EXPLAIN_DEPTH)
        return;
    e->shown[index] = true;
    if (term->kind == TERM_SOLVER)
        explain_results(e, index, depth + 1);
    int bound = term_binding(answer->graph, index, answer->values), first = 0;
    int last = term->n_args;
    if (operation && term->op == EXPRESSION_IF) { /* only the branch that was taken */
        first = answer->values[term->args[0]] != 0 ? 1 : 2;
        last = first + 1;
    }
    for (int i = first; i < last; i++) {
        const struct term *arg = term_get(answer->graph, term->args[i]);
        /* Unnamed constants are in the equation, not in the machine. */
        if (arg->kind == TERM_CONSTANT && !arg->name)
            continue;
        if (arg->kind == TERM_SOLVER && e->shown[term->args[i]])
            continue;
        explain_term(e, term->args[i], term->args[i] == bound ? "  <- binds" : "", depth + 1);
    }
}

/* A maximum over what a solver found: which station is the busiest. */
static bool has_solver(const struct term_graph *graph, int index)
{
    const struct term *term = term_get(graph, index);
    return term->kind == TERM_OPERATION && term->n_args > 0 &&
           term_get(graph, term->args[0])->kind == TERM_OUTPUT;
}

void answer_explain(const struct answer *answer, const struct model_record *record,
                    struct text *out)
{
    struct explanation e = {answer, NULL, out};
    e.shown = memory_zero((size_t)term_count(answer->graph), sizeof *e.shown);
    explain_term(&e, record_metric_term(record, "effective_bandwidth"), "", 0);
    for (int i = 0; i < record->n_streams; i++) /* those that stand beside the bandwidth */
        if (!e.shown[record->streams[i].term] && has_solver(answer->graph, record->streams[i].term))
            explain_term(&e, record->streams[i].term, "", 0);
    free(e.shown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints as rows. */
#include "validate/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cost.h"

/* What arithmetic in double precision may lose. */
#define ROUNDING 1e-12

#define CHECKPOINT_GROUP "published figures and ours"

const struct sheet_column checkpoint_columns[] = {
    {"checkpoint", "checkpoint", NULL, SHEET_TEXT},
    {"where", "where", NULL, SHEET_TEXT},
    {"published", "published", NULL, SHEET_NUMBER, .group = CHECKPOINT_GROUP},
    {"ours", "ours", NULL, SHEET_NUMBER, .group = CHECKPOINT_GROUP},
    {"unit", "unit", NULL, SHEET_TEXT, .group = CHECKPOINT_GROUP},
    {"error", "error", "%", SHEET_PERCENT, .group = CHECKPOINT_GROUP, .worst = SHEET_WORST_SIZE,
     .summary = "error", .by = "how"}, /* what is exact by its making says nothing of predictions */
    {"tolerance", "tolerance", "%", SHEET_PERCENT, .group = CHECKPOINT_GROUP},
    {"holds", "holds", NULL, SHEET_TEXT, .group = CHECKPOINT_GROUP},
    {"direction", "direction", NULL, SHEET_TEXT, .group = CHECKPOINT_GROUP},
    {"how", "obtained as", NULL, SHEET_TEXT, .group = CHECKPOINT_GROUP},
    {.key = NULL},
};

static const char *const how_names[] = {[CHECKPOINT_FORMULA] = "exact formula",
                                        [CHECKPOINT_FIT] = "fitted law",
                                        [CHECKPOINT_CONSTANT] = "published constant",
                                        [CHECKPOINT_EXAMPLE] = "worked example",
                                        [CHECKPOINT_PREDICTION] = "prediction"};

const char *checkpoint_how_name(enum checkpoint_how how)
{
    return how_names[how];
}

enum checkpoint_how checkpoint_how_scan(const char *name)
{
    int how = CHECKPOINT_FORMULA;
    while (how < CHECKPOINT_PREDICTION && strcmp(how_names[how], name) != 0)
        how++;
    return (enum checkpoint_how)how;
}

bool checkpoint_is_asked(const char *const *places, const char *where)
{
    for (; places && *places; places++)
        if (where && strcmp(*places, where) == 0)
            return true;
    return !places;
}

bool checkpoint_is_named(const char *const *parts, const char *what)
{
    for (; parts && *parts; parts++)
        if (strstr(what, *parts))
            return true;
    return !parts;
}

double checkpoint_error(double published, double ours)
{
    double scale = published != 0 ? fabs(published) : 1;
    return (ours - published) / scale;
}

bool checkpoint_holds(double published, double tolerance, double ours)
{
    return fabs(checkpoint_error(published, ours)) <= fmax(tolerance, ROUNDING);
}

bool checkpoint_turns(const struct checkpoint *c, double ours)
{
    bool ratio = c->how == CHECKPOINT_PREDICTION && strcmp(c->unit, "x") == 0;
    return ratio && (c->published - 1) * (ours - 1) < 0;
}

void checkpoint_add(const struct checkpoint *c, double ours, struct sheet *rows)
{
    bool holds = checkpoint_holds(c->published, c->tolerance, ours);
    struct sheet_cell cells[] = {
        {.text = c->what},
        {.text = c->where},
        {.number = c->published},
        {.number = ours},
        {.text = c->unit},
        {.number = checkpoint_error(c->published, ours)},
        {.number = c->tolerance},
        {.text = isnan(c->tolerance) ? NULL
                 : holds             ? "yes"
                                     : "no"},
        {.text = checkpoint_turns(c, ours) ? "wrong" : NULL},
        {.text = checkpoint_how_name(c->how)},
    };
    sheet_add(rows, cells);
}

int checkpoint_quantity(const struct machine *machine, const char *name, struct quantity *out,
                        struct error *error)
{
    struct term_graph *graph = term_graph_create();
    int term, status;
    if (strncmp(name, "cost.", 5) == 0)
        status = cost_term(graph, machine, name, &term, error);
    else if (strncmp(name, "total.", 6) == 0)
        status = model_total_term(graph, machine, name, &term, error);
    else
        status = model_parameter_term(graph, machine, name, &term, error);
    double *inputs = memory_zero((size_t)term_input_count(graph), sizeof *inputs);
    double *values = memory_zero((size_t)term_count(graph), sizeof *values);
    if (!status)
        status = model_bind(graph, machine, inputs, error);
    if (!status) {
        term_evaluate(graph, inputs, values);
        *out = (struct quantity){values[term], term_get(graph, term)->dim};
    }
    free(values);
    free(inputs);
    term_graph_destroy(graph);
    return status;
}

int checkpoint_value(const struct machine *machine, const char *name, double *out,
                     struct error *error)
{
    struct quantity quantity = {(double)NAN, DIM_NONE};
    int status = checkpoint_quantity(machine, name, &quantity, error);
    *out = quantity.value;
    return status;
}

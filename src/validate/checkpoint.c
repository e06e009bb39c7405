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

const struct validation_column checkpoint_columns[] = {
    {"checkpoint", "checkpoint", NULL, NULL, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {"where", "where", NULL, NULL, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {"published", "published", NULL, CHECKPOINT_GROUP, VALIDATION_NUMBER, VALIDATION_NO_SUMMARY,
     NULL},
    {"ours", "ours", NULL, CHECKPOINT_GROUP, VALIDATION_NUMBER, VALIDATION_NO_SUMMARY, NULL},
    {"unit", "unit", NULL, CHECKPOINT_GROUP, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {"error", "error", "%", CHECKPOINT_GROUP, VALIDATION_PERCENT, VALIDATION_WORST_HIGH, "error",
     .by = "how"}, /* what is exact by its making says nothing of predictions */
    {"tolerance", "tolerance", "%", CHECKPOINT_GROUP, VALIDATION_PERCENT, VALIDATION_NO_SUMMARY,
     NULL},
    {"holds", "holds", NULL, CHECKPOINT_GROUP, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {"how", "obtained as", NULL, CHECKPOINT_GROUP, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
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

double checkpoint_error(const struct checkpoint *checkpoint, double ours)
{
    double scale = checkpoint->published != 0 ? fabs(checkpoint->published) : 1;
    return fabs(ours - checkpoint->published) / scale;
}

bool checkpoint_holds(const struct checkpoint *checkpoint, double ours)
{
    return checkpoint_error(checkpoint, ours) <= fmax(checkpoint->tolerance, ROUNDING);
}

int checkpoint_value(const struct machine *machine, const char *name, double *out,
                     struct error *error)
{
    struct term_graph *graph = term_graph_create();
    int term, status = strncmp(name, "cost.", 5) == 0
                           ? cost_term(graph, machine, name, &term, error)
                           : model_total_term(graph, machine, name, &term, error);
    double *inputs = memory_zero((size_t)term_input_count(graph), sizeof *inputs);
    double *values = memory_zero((size_t)term_count(graph), sizeof *values);
    if (!status)
        status = model_bind(graph, machine, inputs, error);
    if (!status) {
        term_evaluate(graph, inputs, values);
        *out = values[term];
    }
    free(values);
    free(inputs);
    term_graph_destroy(graph);
    return status;
}

int checkpoint_machine_value(const char *machine, const char *name, double *out,
                             struct error *error)
{
    struct machine *loaded;
    int status = machine_load(machine, &loaded, error);
    if (status)
        return status;
    status = checkpoint_value(loaded, name, out, error);
    machine_destroy(loaded);
    return status;
}

int checkpoints_add(const struct checkpoint *list, struct validation_rows *rows,
                    struct error *error)
{
    for (const struct checkpoint *c = list; c->what; c++) {
        double ours;
        int status = c->compute(c, &ours, error);
        if (status) {
            error_context(error, "checkpoint \"%s\"", c->what);
            return status;
        }
        struct validation_cell cells[] = {
            {.text = c->what},           {.text = c->where},
            {.number = c->published},    {.number = ours},
            {.text = c->unit},           {.number = checkpoint_error(c, ours)},
            {.number = c->tolerance},    {.text = checkpoint_holds(c, ours) ? "yes" : "no"},
            {.text = how_names[c->how]},
        };
        validation_add_row(rows, cells);
    }
    return 0;
}

int validation_run(const struct validation *validation, const struct validation_request *request,
                   struct validation_rows *rows, struct error *error)
{
    int status =
        validation->checkpoints ? checkpoints_add(validation->checkpoints, rows, error) : 0;
    if (!status && validation->run)
        status = validation->run(request, rows, error);
    return status;
}

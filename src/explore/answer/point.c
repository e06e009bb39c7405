/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/point.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/suggest.h"

/* `metrics`: these alone; NULL: all. */
static int prepared_answer(const struct point *point, const struct model *model,
                           const char *const *metrics, struct answer **out, struct error *error)
{
    struct model_views views;
    size_t made;
    int status = machine_check(point->machine, error);
    if (!status)
        status = subject_prepare_models(point->subject, point->machine, &model, 1, PART_BASE, NULL,
                                        &made, error);
    if (!status)
        status = subject_views(point->subject, model, point->machine, &views, error);
    if (!status)
        status = answer_create_metrics(model, point->machine, &views, metrics, out, error);
    return status;
}

int point_open(struct point *point, struct subject *subject, const struct machine *machine,
               const struct model *model, struct error *error)
{
    int status = STATUS_INFEASIBLE;
    *point = (struct point){subject, model, machine_clone(machine), NULL, ""};
    for (int place = 1; !model && status == STATUS_INFEASIBLE; place++) {
        const struct model *first = model_first(place);
        struct answer *answer = NULL;
        if (!first)
            return status; /* the last one's reason */
        status = prepared_answer(point, first, (const char *const[]){NULL}, &answer, error);
        if (!status)
            point->model = first;
        answer_destroy(answer);
    }
    return model ? 0 : status;
}

void point_close(struct point *point)
{
    machine_destroy(point->machine);
    answer_destroy(point->kept);
    *point = (struct point){0};
}

int point_set(struct point *point, const char *path, double value, struct error *error)
{
    struct parameter parameter;
    int status = machine_find(point->machine, path, &parameter, error);
    if (!status && parameter.row->kind == PARAMETER_NAME)
        status = error_set(error, STATUS_INPUT, "%s is a name, not a number", path);
    if (status)
        return status;
    bool whole = parameter.row->kind == PARAMETER_COUNT;
    struct parameter_value set = {.known = true,
                                  .given = true,
                                  .number = whole ? round(value) : value,
                                  .dim = parameter.row->dim};
    status = parameter_check(&parameter, set.number, NULL, error);
    return status ? status : machine_set_value(point->machine, path, &set, error);
}

int point_answer(const struct point *point, struct answer **out, struct error *error)
{
    return point_answer_metrics(point, NULL, out, error);
}

int point_answer_metrics(const struct point *point, const char *const *metrics, struct answer **out,
                         struct error *error)
{
    *out = NULL;
    return prepared_answer(point, point->model, metrics, out, error);
}

int point_check_metric(const struct point *point, const char *name, struct error *error)
{
    const struct model *model = point->model;
    struct suggest suggest = suggest_begin(name);
    if (model_metric_find(model, name))
        return 0;
    const struct model_metric *lists[] = {model_common_metrics, model->metrics};
    for (int l = 0; l < 2; l++)
        for (const struct model_metric *m = lists[l]; m && m->name; m++)
            suggest_offer(&suggest, m->name);
    error_set(error, STATUS_INPUT, "model %s has no metric \"%.80s\"", model->plugin.name, name);
    error_hint(error, "%s%s%sbandscape list metrics shows all",
               suggest.best ? "did you mean \"" : "", suggest.best ? suggest.best : "",
               suggest.best ? "\"? " : "");
    return STATUS_INPUT;
}

int point_metric(const struct point *point, const char *name, struct quantity *out,
                 struct error *error)
{
    struct answer *answer;
    *out = (struct quantity){(double)NAN, DIM_NONE};
    int status = point_check_metric(point, name, error);
    if (!status)
        status = point_answer_metrics(point, (const char *const[]){name, NULL}, &answer, error);
    if (status)
        return status;
    *out = answer_quantity(answer, name);
    answer_destroy(answer);
    return 0;
}

int point_answer_moved(struct point *point, const char *path, const char *const *metrics,
                       const struct answer **out, struct error *error)
{
    struct parameter p;
    *out = NULL;
    int status = machine_find(point->machine, path, &p, error);
    if (status)
        return status;
    bool input = p.row->structure == STRUCTURE_NONE && p.row->kind != PARAMETER_NAME;
    if (!input || strcmp(point->kept_path, path) != 0) {
        answer_destroy(point->kept);
        point->kept = NULL;
        snprintf(point->kept_path, sizeof point->kept_path, "%s", input ? path : "");
    }
    if (!point->kept)
        status = point_answer_metrics(point, metrics, &point->kept, error);
    else if (!(status = machine_check(point->machine, error)))
        status = answer_again(point->kept, point->machine, metrics, error);
    if (!status)
        *out = point->kept;
    return status;
}

int point_metric_moved(struct point *point, const char *path, const char *name,
                       struct quantity *out, struct error *error)
{
    const struct answer *answer;
    *out = (struct quantity){(double)NAN, DIM_NONE};
    int status = point_check_metric(point, name, error);
    if (!status)
        status = point_answer_moved(point, path, (const char *const[]){name, NULL}, &answer, error);
    if (!status)
        *out = answer_quantity(answer, name);
    return status;
}

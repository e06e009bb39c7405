/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which spaces a paper has, and rows of what it publishes beside ours. */
#include "report/reproduction.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"
#include "validate/decisions.h"

/* A series that changes by less along x is flat: what papers call no difference. */
#define FLAT DECISIONS_INDIFFERENT

const struct sheet_column reproduction_columns[] = {
    {"where", "where", NULL, SHEET_TEXT},
    {"what", "what", NULL, SHEET_TEXT},
    {"published", "published", NULL, SHEET_NUMBER},
    {"ours", "ours", NULL, SHEET_NUMBER},
    {"unit", "unit", NULL, SHEET_TEXT},
    {"error", "error", "%", SHEET_PERCENT},
    {"holds", "holds", NULL, SHEET_TEXT},
    {"direction", "direction", NULL, SHEET_TEXT},
    {"how", "obtained as", NULL, SHEET_TEXT},
    {.key = NULL},
};

/* --- which spaces ------------------------------------------------------------------------- */

/* The first whole number of a text; LONG_MAX: it has none. */
static long number_of(const char *text)
{
    while (*text && !isdigit((unsigned char)*text))
        text++;
    return *text ? strtol(text, NULL, 10) : LONG_MAX;
}

static int compare_places(const void *a, const void *b)
{
    const struct reproduced *left = a, *right = b;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    int order = strcmp(left->place, right->place);
    return order ? order : strcmp(left->space->name, right->space->name);
}

/* "8" is "Fig. 8" and "Figure 8"; anything else is the place as it is written. */
static bool is_figure(const char *place, const char *figure)
{
    char *end;
    long number = strtol(figure, &end, 10);
    bool whole = end > figure && !*end;
    return strcmp(place, figure) == 0 ||
           (whole && strncmp(place, "Fig", 3) == 0 && number_of(place) == number);
}

static void add_space(struct reproduction *r, struct space *space, const char *figure)
{
    const char *place = space->figure.where[0];
    bool asked = !figure;
    for (const char *const *p = space->figure.where; *p && !asked; p++)
        asked = is_figure(*p, figure);
    if (!asked) {
        space_destroy(space);
        return;
    }
    VECTOR_PUSH(&r->list,
                (struct reproduced){.space = space, .place = place, .number = number_of(place)});
}

/* A space that the user names must be of the paper. */
static int add_named(struct reproduction *r, const char *name, const char *figure,
                     struct error *error)
{
    struct space *space;
    struct published *paper = NULL;
    int status = space_load(name, &space, error);
    if (status)
        return status;
    const char *wanted = r->paper->validation.plugin.name;
    if (!space->figure.paper) {
        status = error_set(error, STATUS_INPUT, "space %s reproduces no figure", space->name);
        error_hint(error, "it needs a line such as figure: {paper: %s, where: [Fig. 8]}", wanted);
    }
    if (!status)
        status = paper_load_of(space, &paper, error);
    if (!status && strcmp(paper->validation.plugin.name, wanted) != 0)
        status = error_at(error, STATUS_INPUT, &space->figure.mark,
                          "space %s is of the paper %s, not of %s", space->name,
                          paper->validation.plugin.name, wanted);
    published_destroy(paper);
    if (status)
        space_destroy(space);
    else
        add_space(r, space, figure);
    return status;
}

static int add_shipped(struct reproduction *r, const char *figure, struct error *error)
{
    struct catalogue catalogue;
    int status = 0;
    space_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count && !status; i++) {
        struct space *space;
        status = space_load(catalogue.items[i].path, &space, error);
        if (status)
            break;
        if (space->figure.paper &&
            strcmp(space->figure.paper, r->paper->validation.plugin.name) == 0)
            add_space(r, space, figure);
        else
            space_destroy(space);
    }
    catalogue_fini(&catalogue);
    return status;
}

/* Of the figure that is asked for all places that its spaces name. */
static void collect_places(struct reproduction *r)
{
    size_t most = 1, n = 0;
    for (size_t i = 0; i < r->list.count; i++)
        for (const char *const *p = r->list.items[i].space->figure.where; *p; p++)
            most++;
    r->places = memory_zero(most, sizeof *r->places);
    for (size_t i = 0; i < r->list.count; i++)
        for (const char *const *p = r->list.items[i].space->figure.where; *p; p++)
            r->places[n++] = *p;
}

/* Each has a folder of its name. */
static int check_twice(const struct reproduction *r, struct error *error)
{
    for (size_t i = 0; i < r->list.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->list.items[i].space->name, r->list.items[k].space->name) == 0)
                return error_at(error, STATUS_INPUT, &r->list.items[i].space->figure.mark,
                                "there are two spaces \"%s\"", r->list.items[i].space->name);
    return 0;
}

int reproduction_open(const char *paper, const char *const *names, size_t n, const char *figure,
                      struct reproduction *r, struct error *error)
{
    *r = (struct reproduction){.rows = sheet_create(reproduction_columns)};
    int status = paper_load(paper, &r->paper, error);
    for (size_t i = 0; i < n && !status; i++)
        status = add_named(r, names[i], figure, error);
    if (!status && n == 0)
        status = add_shipped(r, figure, error);
    if (!status && r->list.count == 0) {
        status = error_set(error, STATUS_INPUT, "no space reproduces %s%s%s", figure ? figure : "",
                           figure ? " of " : "", r->paper->validation.plugin.name);
        if (figure)
            error_hint(error, "bandscape reproduce %s --list shows what there is", paper);
        else
            error_hint(error, "its figures are numbers alone: bandscape validate %s", paper);
    }
    if (status)
        return status;
    qsort(r->list.items, r->list.count, sizeof *r->list.items, compare_places);
    if (figure || n)
        collect_places(r);
    return check_twice(r, error);
}

void reproduction_close(struct reproduction *r)
{
    for (size_t i = 0; i < r->list.count; i++) {
        struct reproduced *one = &r->list.items[i];
        for (size_t k = 0; k < one->pictures.count; k++)
            free(one->pictures.items[k]);
        VECTOR_FREE(&one->pictures);
        sweep_destroy(one->sweep);
        space_destroy(one->space);
    }
    VECTOR_FREE(&r->list);
    sheet_destroy(r->rows);
    sheet_destroy(r->validated);
    published_destroy(r->paper);
    free(r->places);
}

/* --- trends ------------------------------------------------------------------------------- */

static enum space_way way_of(double ratio)
{
    return ratio > 1 + FLAT ? SPACE_RISES : ratio < 1 - FLAT ? SPACE_FALLS : SPACE_FLAT;
}

static int add_trend(struct reproduction *r, const struct reproduced *one,
                     const struct space_plot *plot, const struct space_trend *trend,
                     struct error *error)
{
    const struct sweep *sweep = one->sweep;
    double ends[2];
    size_t column = 0;
    int status = sweep_column_find(sweep, sweep_compare_metric(one->space, plot), &column, error);
    if (!status)
        status = sweep_trend(sweep, plot, trend, ends, error);
    if (status)
        return status;
    struct text what = {0};
    text_printf(&what, "%s of %s over %s %s", sweep->columns[column].name, trend->at, plot->x,
                space_ways[trend->way]);
    double ratio = ends[1] / ends[0];
    sheet_add(r->rows, (struct sheet_cell[]){{one->place},
                                             {what.data},
                                             {.number = (double)NAN},
                                             {.number = ratio},
                                             {"x, last over first"},
                                             {.number = (double)NAN},
                                             {NULL},
                                             {isnan(ratio)                  ? NULL
                                              : way_of(ratio) == trend->way ? "right"
                                                                            : "wrong"},
                                             {"trend"}});
    text_free(&what);
    return 0;
}

int reproduction_add(struct reproduction *r, struct reproduced *one,
                     const struct sweep_folder *folder, struct error *error)
{
    const struct space *space = one->space;
    enum plot_terminal terminal;
    int status = 0;
    for (size_t p = 0; p < space->n_plots && !status; p++)
        for (size_t t = 0; t < space->plots[p].n_trends && !status; t++)
            status = add_trend(r, one, &space->plots[p], &space->plots[p].trends[t], error);
    one->warnings = one->sweep->warnings.count;
    for (size_t i = 0; i < folder->files.count && !status; i++)
        if (!folder->files.items[i].hash[0] &&
            plot_terminal_of(folder->files.items[i].name, &terminal)) /* no script, no data */
            VECTOR_PUSH(&one->pictures, memory_strdup(folder->files.items[i].name));
    return status;
}

/* --- published figures and labels ------------------------------------------------------------- */

/* A row of checkpoint_columns as one of ours: a predicted ratio has a direction. */
static void add_checkpoint(struct reproduction *r, size_t row)
{
    const struct sheet *from = r->validated;
#define CELL(column) sheet_at(from, row, CHECKPOINT_COLUMN_##column)
    const char *where = CELL(WHERE)->text, *unit = CELL(UNIT)->text, *how = CELL(HOW)->text;
    bool wrong = CELL(DIRECTION)->text && strcmp(CELL(DIRECTION)->text, "wrong") == 0;
    bool ratio =
        unit && strcmp(unit, "x") == 0 && how && checkpoint_how_scan(how) == CHECKPOINT_PREDICTION;
    sheet_add(r->rows, (struct sheet_cell[]){{where ? where : ""},
                                             {CELL(WHAT)->text},
                                             {.number = CELL(PUBLISHED)->number},
                                             {.number = CELL(OURS)->number},
                                             {unit},
                                             {.number = CELL(ERROR)->number},
                                             {CELL(HOLDS)->text},
                                             {!ratio  ? NULL
                                              : wrong ? "wrong"
                                                      : "right"},
                                             {how}});
#undef CELL
}

static size_t column_of(const struct sheet *sheet, const char *key)
{
    size_t c = 0;
    while (strcmp(sheet->columns[c].key, key) != 0)
        c++;
    return c;
}

/* How many workloads have the published label, by label and model: rows stand label by label, and
 * in them workload by workload. */
static void add_label(struct reproduction *r, const struct sheet *decided,
                      const struct published_label *label, const char *model)
{
    size_t all = 0, right = 0;
    for (size_t i = 0; i < sheet_rows(decided); i++) {
        const char *own = sheet_at(decided, i, column_of(decided, "label"))->text;
        if (strcmp(own, label->what) != 0 ||
            strcmp(sheet_at(decided, i, column_of(decided, "model"))->text, model) != 0)
            continue;
        all++;
        right += strcmp(sheet_at(decided, i, column_of(decided, "verdict"))->text, "right") == 0;
    }
    if (!all)
        return;
    struct text what = {0};
    text_printf(&what, "%s as published, %s", label->what, model);
    sheet_add(r->rows,
              (struct sheet_cell[]){{label->where ? label->where : ""},
                                    {what.data},
                                    {.number = (double)all},
                                    {.number = (double)right},
                                    {REPRODUCTION_LABELS},
                                    {.number = checkpoint_error((double)all, (double)right)},
                                    {NULL},
                                    {NULL},
                                    {checkpoint_how_name(CHECKPOINT_PREDICTION)}});
    text_free(&what);
}

static int compare_labels(struct reproduction *r, const struct validation_request *request,
                          struct error *error)
{
    struct sheet *decided = sheet_create(decisions_columns);
    size_t found = 0;
    int status = decisions_of(r->paper, request, decided, &found, error);
    for (size_t l = 0; l < r->paper->labels.count && !status; l++) {
        const struct published_label *label = &r->paper->labels.items[l];
        for (size_t m = 0; m < label->scores.count; m++)
            add_label(r, decided, label, label->scores.items[m].model->plugin.name);
    }
    sheet_destroy(decided);
    return status;
}

int reproduction_views(const struct reproduction *r, const struct validation_request *request,
                       struct view_list *list, struct error *error)
{
    struct validation_request own = *request;
    own.where = r->places;
    int status = published_views(r->paper, &own, list, error);
    return status ? status : decisions_views(r->paper, &own, list, error);
}

int reproduction_compare(struct reproduction *r, const struct validation_request *request,
                         struct error *error)
{
    struct validation_request own = *request;
    own.where = r->places;
    r->validated = sheet_create(checkpoint_columns);
    int status = published_run(r->paper, &own, r->validated, error);
    for (size_t i = 0; i < sheet_rows(r->validated) && !status; i++)
        add_checkpoint(r, i);
    return status ? status : compare_labels(r, &own, error);
}

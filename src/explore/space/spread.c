/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/space/spread.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/draw.h"

static const struct {
    const char *word;
    enum spread_kind kind;
} forms[] = {{"+-", SPREAD_UNIFORM},
             {"\xc2\xb1", SPREAD_UNIFORM},
             {"uniform ", SPREAD_UNIFORM},
             {"lognormal ", SPREAD_LOGNORMAL},
             {"normal ", SPREAD_NORMAL}};

static int refuse_form(const char *path, const char *text, const char *why, const struct mark *mark,
                       struct error *error)
{
    *error = (struct error){0};
    if (mark)
        error_at(error, STATUS_INPUT, mark, "%s: no spread: \"%.60s\"; %s", path, text, why);
    else
        error_set(error, STATUS_USAGE, "%s: no spread: \"%.60s\"; %s", path, text, why);
    return error_hint(error, "+-5%%, normal 5%%, lognormal 10%%, or in the parameter's own unit");
}

/* A number of the machine that is an input of models. */
static int check_parameter(const struct parameter *p, const char *path, struct error *error)
{
    if (p->row->kind == PARAMETER_NAME)
        return error_set(error, STATUS_INPUT, "%s is a name, not a number", path);
    if (p->row->structure == STRUCTURE_NONE)
        return 0;
    error_set(error, STATUS_INPUT, "%s decides over %s: it has no spread", path,
              p->row->structure == STRUCTURE_MODEL ? "the form of equations" : "profiles");
    return error_hint(error, "make it an axis of the space");
}

int spread_read(const struct machine *machine, const char *path, const char *text,
                const struct mark *mark, struct spread *out, struct error *error)
{
    struct parameter p;
    struct quantity size;
    size_t form = 0, count = sizeof forms / sizeof *forms;
    *out = (struct spread){.path = path};
    int status = machine_find(machine, path, &p, error);
    if (!status)
        status = check_parameter(&p, path, error);
    if (status) {
        if (mark)
            error_place(error, mark);
        return status;
    }
    while (form < count && strncmp(text, forms[form].word, strlen(forms[form].word)) != 0)
        form++;
    if (form == count)
        return refuse_form(path, text, "it begins with +-, uniform, normal or lognormal", mark,
                           error);
    if (quantity_scan(text + strlen(forms[form].word), &size))
        return refuse_form(path, text, "a number with % or a unit is to follow", mark, error);
    const struct parameter_value *own = &p.section->values[p.index];
    bool relative = dim_equal(size.dim, DIM_NONE) && strchr(text, '%');
    out->kind = forms[form].kind;
    out->share = relative ? size.value : size.value / own->number;
    if (!relative && !dim_equal(size.dim, own->dim))
        return refuse_form(path, text, "its unit is not the parameter's", mark, error);
    if (!relative && (!own->known || !(own->number > 0)))
        return refuse_form(path, text, "the machine has no number that it could be of", mark,
                           error);
    if (!(out->share > 0) || !(out->share < 1))
        return refuse_form(path, text, "it is above 0 and below 100 % of the machine's number",
                           mark, error);
    return 0;
}

/* Normal numbers that would turn the sign are drawn again: so many at most, of which with a
 * standard deviation below the number itself one in six is. */
enum { AGAIN_MOST = 64 };

double spread_factor(const struct spread *spread, uint64_t seed, uint64_t stream, uint64_t draw)
{
    for (uint64_t again = 0; again < AGAIN_MOST; again++) {
        double u = draw_uniform(seed, stream, draw * AGAIN_MOST + again), factor = 0;
        switch (spread->kind) {
        case SPREAD_UNIFORM:
            factor = 1 + spread->share * (2 * u - 1);
            break;
        case SPREAD_NORMAL:
            factor = 1 + spread->share * gsl_cdf_ugaussian_Pinv(u);
            break;
        case SPREAD_LOGNORMAL:
            factor = exp(sqrt(log1p(spread->share * spread->share)) * gsl_cdf_ugaussian_Pinv(u));
            break;
        }
        if (factor > 0)
            return factor;
    }
    return 1;
}

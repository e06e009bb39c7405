/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/crossings.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"

/* Brent's method takes some ten steps. */
enum { STEPS_MAX = 100 };

/* Intervals that span more are sampled in the logarithm. */
#define LINEAR_SPAN 4.0

double crossings_sample(const struct crossings_request *r, int i)
{
    double at = (double)i / (r->samples - 1);
    bool linear = !(r->low > 0) || r->high / r->low <= LINEAR_SPAN;
    double x = linear ? r->low + at * (r->high - r->low) : r->low * pow(r->high / r->low, at);
    x = i == 0 ? r->low : i == r->samples - 1 ? r->high : x;
    return r->whole ? round(x) : x;
}

struct search {
    const struct crossings_request *request;
    struct error *error;
    int status;
};

static double evaluate(double x, void *context)
{
    struct search *search = context;
    const struct crossings_request *r = search->request;
    double value = (double)NAN;
    if (!search->status)
        search->status = interrupt_check(search->error);
    if (!search->status)
        search->status = r->function(r->context, x, &value, search->error);
    return value;
}

/* The first whole number from which on the sign is that of the upper end. */
static double bisect(struct search *search, double low, double high, double at_high)
{
    while (high - low > 1 && !search->status) {
        double middle = floor((low + high) / 2), value = evaluate(middle, search);
        if ((value > 0) == (at_high > 0))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static double refine(struct search *search, double low, double high)
{
    gsl_function function = {evaluate, search};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    double root = (double)NAN;
    if (!solver)
        search->status = error_set(search->error, STATUS_FAILED, "no memory for a root");
    else if (gsl_root_fsolver_set(solver, &function, low, high) == GSL_SUCCESS)
        for (int i = 0; i < STEPS_MAX && !search->status && isnan(root); i++) {
            if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS)
                break;
            double a = gsl_root_fsolver_x_lower(solver), b = gsl_root_fsolver_x_upper(solver);
            if (b - a <= search->request->accuracy * fmax(fabs(a), fabs(b)))
                root = gsl_root_fsolver_root(solver);
        }
    gsl_root_fsolver_free(solver);
    if (isnan(root) && !search->status)
        search->status = error_set(search->error, STATUS_FAILED,
                                   "no value could be found between %g and %g", low, high);
    return root;
}

int crossings_find(const struct crossings_request *r, struct crossings *out, struct error *error)
{
    struct search search = {.request = r, .error = error};
    double before = r->low, at_before = (double)NAN;
    *out = (struct crossings){.first = (double)NAN, .last = (double)NAN};
    for (int i = 0; i < r->samples && !search.status; i++) {
        double x = crossings_sample(r, i), value = evaluate(x, &search);
        out->first = i == 0 ? value : out->first;
        out->last = value;
        out->unknown += isnan(value);
        if (!search.status && !isnan(value) && !isnan(at_before) &&
            (value > 0) != (at_before > 0)) {
            double root = r->whole ? bisect(&search, before, x, value) : refine(&search, before, x);
            if (!search.status)
                VECTOR_PUSH(out, root);
        }
        before = x;
        at_before = value;
    }
    return search.status;
}

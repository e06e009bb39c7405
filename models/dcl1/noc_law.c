/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area and static power of crossbars: published ratios, and the law fitted to them. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

#include "core/memory.h"
#include "dcl1/noc.h"

/* DC-L1, HPCA 2021: ratios to the 80 x 32 crossbar, 80 SMs and 32 L2 slices. */
const struct dcl1_published dcl1_published[] = {
    {"baseline", 1.00, 1.00},    {"Pr40", 0.72, 0.96},     {"Pr20", 0.46, (double)NAN},
    {"Pr10", 0.33, (double)NAN}, {"Sh40", 1.69, 1.57},     {"Sh40+C5", 0.55, 0.85},
    {"Sh40+C10", 0.50, 0.84},    {"Sh40+C20", 0.55, 0.86}, {.design = NULL},
};
enum { PUBLISHED_CORES = 80, PUBLISHED_SLICES = 32, COEFFICIENTS = 2 };

/* What dcl1_law_fit gives, rounded. */
const struct dcl1_law dcl1_law = {
    .area_crosspoint = 3.136e-4,
    .area_buffer = 1.551e-3,
    .static_input = 6.848e-3,
    .static_crossing = 1.571e-6,
};

double dcl1_noc_area(const struct dcl1_noc *noc, double flit)
{
    struct dcl1_sums sums = dcl1_noc_sums(noc);
    double width = flit / DCL1_LAW_FLIT;
    return dcl1_law.area_crosspoint * sums.crosspoints * pow(width, DCL1_FLIT_CROSSPOINT) +
           dcl1_law.area_buffer * sums.ports * width;
}

double dcl1_noc_static_power(const struct dcl1_noc *noc, double flit)
{
    struct dcl1_sums sums = dcl1_noc_sums(noc);
    return (dcl1_law.static_input * sums.inputs + dcl1_law.static_crossing * sums.crossings) *
           pow(flit / DCL1_LAW_FLIT, DCL1_FLIT_STATIC);
}

double dcl1_l1_area(const struct dcl1_noc *noc, double bytes)
{
    double nodes = noc->full ? noc->cores : noc->nodes;
    return nodes / DCL1_L1_NODES *
           pow(bytes * noc->cores / nodes / DCL1_L1_BYTES, log2(DCL1_L1_GROWTH));
}

double dcl1_noc_queues(const struct dcl1_noc *noc, double line)
{
    return noc->built ? (double)noc->nodes * DCL1_QUEUES * DCL1_QUEUE_ENTRIES * line : 0;
}

struct observation {
    double terms[COEFFICIENTS], ratio;
};

/* Observations of one law; NaN where the paper gives none. */
static int observe(bool area, struct observation *out, size_t *count, struct error *error)
{
    *count = 0;
    for (const struct dcl1_published *p = dcl1_published; p->design; p++) {
        struct dcl1_noc noc;
        int status = dcl1_noc_of(p->design, PUBLISHED_CORES, PUBLISHED_SLICES, &noc, error);
        if (status)
            return status;
        struct dcl1_sums sums = dcl1_noc_sums(&noc);
        double ratio = area ? p->area : p->static_power;
        if (isnan(ratio))
            continue;
        out[(*count)++] = (struct observation){
            .terms = {area ? sums.crosspoints : sums.inputs, area ? sums.ports : sums.crossings},
            .ratio = ratio,
        };
    }
    return 0;
}

/* Ordinary least squares without a constant: no crossbar, no cost. */
static int fit(const struct observation *data, size_t n, double out[COEFFICIENTS],
               struct error *error)
{
    double residual;
    gsl_matrix *x = gsl_matrix_alloc(n, COEFFICIENTS);
    gsl_matrix *covariance = gsl_matrix_alloc(COEFFICIENTS, COEFFICIENTS);
    gsl_vector *y = gsl_vector_alloc(n), *c = gsl_vector_alloc(COEFFICIENTS);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, COEFFICIENTS);
    int code = GSL_ENOMEM;
    if (x && covariance && y && c && work) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < COEFFICIENTS; k++)
                gsl_matrix_set(x, i, k, data[i].terms[k]);
            gsl_vector_set(y, i, data[i].ratio);
        }
        code = gsl_multifit_linear(x, y, c, covariance, &residual, work);
        for (size_t k = 0; k < COEFFICIENTS; k++)
            out[k] = gsl_vector_get(c, k);
    }
    gsl_multifit_linear_free(work);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(covariance);
    gsl_matrix_free(x);
    return code ? error_set(error, STATUS_FAILED, "least squares: %s", gsl_strerror(code)) : 0;
}

int dcl1_law_fit(struct dcl1_law *out, struct error *error)
{
    struct observation data[sizeof dcl1_published / sizeof *dcl1_published];
    double area[COEFFICIENTS], power[COEFFICIENTS];
    size_t n;
    int status = observe(true, data, &n, error);
    if (!status)
        status = fit(data, n, area, error);
    if (!status)
        status = observe(false, data, &n, error);
    if (!status)
        status = fit(data, n, power, error);
    if (!status)
        *out = (struct dcl1_law){area[0], area[1], power[0], power[1]};
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a workload in C: copy it to src/workload/irregular/<name>.workload.c, replace
 * "template" by <name>, and let its kernels touch what the algorithm touches. (A regular one is a
 * loop nest in spaces/workloads; what papers print of this one:
 * spaces/workloads/published/<name>.yaml.)
 *
 * This one gathers, a thread an element, at places that are as good as random:
 *
 *     out[i] = x[index[i]] */
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 256 };

enum array { INDEX, X, OUT }; /* in the order of kernel_place */

struct template
{
    struct kernel_source base; /* first member */
    uint64_t n, times;
};

static bool template_code(const struct kernel_pass *pass, struct kernel_warp *warp,
                          struct warp_buffer *out)
{
    const struct template *s = (const struct template *)pass->source;
    uint32_t live = warp_below(warp, s->n);
    WARP_BEGIN;
    WARP_COMPUTE(3);
    WARP_READ(INDEX, live, warp->thread + lane);
    WARP_READ(X, live, hash_reduce(hash_fmix64(warp->thread + lane), (uint32_t)s->n));
    WARP_WRITE(OUT, live, warp->thread + lane);
    WARP_END;
}

static bool template_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct template *s = (const struct template *)pass->source;
    if (pass->launches == s->times)
        return false;
    *out = kernel_over("gather", s->n, BLOCK_THREADS);
    out->warp_size = sizeof(struct kernel_warp); /* nothing is kept between accesses */
    out->code = template_code;
    return true;
}

static const struct kernel_class template_class = {.next = template_next};

/* ---- the workload ------------------------------------------------------- */

static const struct workload_parameter template_parameters[] = {
    {"n", "2^20", "elements"}, {"times", "2", "launches"}, {NULL, NULL, NULL}};

static int template_open(const struct workload *workload, const char *const *values,
                         struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 1 << 28}, {1, 1000000}};
    int64_t given[2];
    int status = kernel_integers(workload, values, 0, ranges, 2, given, error);
    if (status)
        return status;
    struct template *s = kernel_source_create(workload, &template_class, sizeof *s);
    s->n = (uint64_t)given[0];
    s->times = (uint64_t)given[1];
    kernel_place(&s->base, "index", s->n, 4);
    kernel_place(&s->base, "x", s->n, 4);
    kernel_place(&s->base, "out", s->n, 4);
    /* The number rises when the code touches something else. */
    return kernel_source_finish_values(&s->base, "own template 1", given, 2, out, error);
}

static const struct workload_input template_inputs[] = {{"small", "n=2^14"}, {NULL, NULL}};
static const struct workload_scale template_scale[] = {{"n", "n*size"}, {NULL, NULL}};

const struct workload workload_template = {
    .plugin = {"workload", "template", "gather at random places", NULL, NULL},
    .suite = "own",
    .page = "A thread an element; places are by a hash.\n",
    .parameters = template_parameters,
    .inputs = template_inputs,
    .scale = template_scale,
    .open = template_open,
};

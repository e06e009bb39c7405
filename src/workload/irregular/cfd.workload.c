/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rodinia's euler3d: the Euler equations on a mesh of tetrahedra, a thread an
 * element. compute_flux gathers the five variables of the element's neighbours:
 *
 *     for (j < 4) { nb = elements_surrounding[i + j*n]; normal = normals[i + (j + {0,4,8})*n];
 *                   if (nb >= 0) ... variables[nb + v*n], v < 5 ...
 *                   else a wall or the far field, from constant memory }
 *
 * Arrays lie variable by variable (structure of arrays). What is touched
 * depends on the mesh alone. */
#include <stdlib.h>

#include "workload/irregular/tetrahedra.h"
#include "workload/irregular/warp_code.h"

enum array { AREAS, NEIGHBOURS, NORMALS, VARIABLES, OLD_VARIABLES, FLUXES, STEP_FACTORS };

enum { N_VARIABLES = 5, STAGES = 3 };

struct cfd {
    struct kernel_source base;
    int32_t *neighbours;
    uint64_t n, padded; /* elements; up to a multiple of the block */
    uint32_t block;
    uint64_t iterations;
};

struct cfd_warp {
    struct kernel_warp base;
    uint32_t inside; /* lanes whose neighbour is an element */
    uint32_t face, v;
};

/* Padding repeats the last element. */
static int32_t cfd_neighbour(const struct cfd *s, uint64_t element, uint32_t face)
{
    uint64_t e = element < s->n ? element : s->n - 1;
    return s->neighbours[e * TETRAHEDRON_FACES + face];
}

static bool cfd_initialize(const struct kernel_pass *pass, struct kernel_warp *warp,
                           struct warp_buffer *out)
{
    const uint64_t n = ((const struct cfd *)pass->source)->padded, i = warp->thread;
    const enum array array = pass->launches == 1   ? VARIABLES
                             : pass->launches == 2 ? OLD_VARIABLES
                                                   : FLUXES;
    struct cfd_warp *w = (struct cfd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    for (; w->v < N_VARIABLES; w->v++) {
        WARP_WRITE(array, warp->lanes, i + lane + w->v * n);
        WARP_COMPUTE(1);
    }
    WARP_END;
}

static bool cfd_step_factor(const struct kernel_pass *pass, struct kernel_warp *warp,
                            struct warp_buffer *out)
{
    const uint64_t n = ((const struct cfd *)pass->source)->padded, i = warp->thread;
    struct cfd_warp *w = (struct cfd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    for (; w->v < N_VARIABLES; w->v++)
        WARP_READ_TOO(VARIABLES, warp->lanes, i + lane + w->v * n);
    WARP_COMPUTE(24);
    WARP_READ(AREAS, warp->lanes, i + lane);
    WARP_COMPUTE(12);
    WARP_WRITE(STEP_FACTORS, warp->lanes, i + lane);
    WARP_END;
}

static bool cfd_flux(const struct kernel_pass *pass, struct kernel_warp *warp,
                     struct warp_buffer *out)
{
    const struct cfd *s = (const struct cfd *)pass->source;
    const uint64_t n = s->padded, i = warp->thread;
    struct cfd_warp *w = (struct cfd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    for (; w->v < N_VARIABLES; w->v++)
        WARP_READ_TOO(VARIABLES, warp->lanes, i + lane + w->v * n);
    WARP_COMPUTE(45);
    for (; w->face < TETRAHEDRON_FACES; w->face++) {
        WARP_READ(NEIGHBOURS, warp->lanes, i + lane + w->face * n);
        WARP_READ_TOO(NORMALS, warp->lanes, i + lane + w->face * n);
        WARP_READ_TOO(NORMALS, warp->lanes, i + lane + (w->face + 4) * n);
        WARP_READ_TOO(NORMALS, warp->lanes, i + lane + (w->face + 8) * n);
        WARP_COMPUTE(12);
        WARP_SELECT(w->inside, warp->lanes, cfd_neighbour(s, i + lane, w->face) >= 0);
        WARP_NEED;
        for (w->v = 0; w->v < N_VARIABLES; w->v++)
            WARP_READ_TOO(VARIABLES, w->inside,
                          (uint64_t)cfd_neighbour(s, i + lane, w->face) + w->v * n);
        WARP_COMPUTE(w->inside ? 90 : 25);
    }
    for (w->v = 0; w->v < N_VARIABLES; w->v++)
        WARP_WRITE(FLUXES, warp->lanes, i + lane + w->v * n);
    WARP_END;
}

static bool cfd_time_step(const struct kernel_pass *pass, struct kernel_warp *warp,
                          struct warp_buffer *out)
{
    const uint64_t n = ((const struct cfd *)pass->source)->padded, i = warp->thread;
    struct cfd_warp *w = (struct cfd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(STEP_FACTORS, warp->lanes, i + lane);
    WARP_COMPUTE(8);
    for (; w->v < N_VARIABLES; w->v++) {
        WARP_READ(OLD_VARIABLES, warp->lanes, i + lane + w->v * n);
        WARP_READ_TOO(FLUXES, warp->lanes, i + lane + w->v * n);
        WARP_COMPUTE(1);
        WARP_WRITE(VARIABLES, warp->lanes, i + lane + w->v * n);
    }
    WARP_END;
}

/* Three initializations; then in each iteration the step factors and three times flux and
 * step. The copy of the variables at its beginning is no kernel. */
static bool cfd_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct cfd *s = (const struct cfd *)pass->source;
    uint64_t launch = pass->launches,
             in_iteration = launch < 3 ? 0 : (launch - 3) % (1 + 2 * STAGES);
    if (launch == 3 + s->iterations * (1 + 2 * STAGES))
        return false;
    *out = kernel_over("cuda_initialize_variables", s->padded, s->block);
    out->code = cfd_initialize;
    out->warp_size = sizeof(struct cfd_warp);
    if (launch < 3)
        return true;
    out->name = in_iteration == 0  ? "cuda_compute_step_factor"
                : in_iteration % 2 ? "cuda_compute_flux"
                                   : "cuda_time_step";
    out->code = in_iteration == 0 ? cfd_step_factor : in_iteration % 2 ? cfd_flux : cfd_time_step;
    out->data = 1;
    return true;
}

static void cfd_destroy(struct kernel_source *source)
{
    free(((struct cfd *)source)->neighbours);
}

static const struct kernel_class cfd_class = {.next = cfd_next, .destroy = cfd_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { ELEMENTS, BLOCK, ITERATIONS, FRONT, WINDOW, SEED, N_PARAMETERS };

static const struct workload_parameter cfd_parameters[] = {
    [ELEMENTS] = {"elements", "386948", "of the mesh"},
    [BLOCK] = {"block", "192", "threads of a block"},
    [ITERATIONS] = {"iterations", "2", "of the solver (Rodinia: 2000)"},
    [FRONT] = {"front", "1", "1: elements are numbered from the surface inwards; 0: row by row"},
    [WINDOW] = {"window", "1024", "elements that change places at random; 1: none does"},
    [SEED] = {"seed", "1", "of the numbering"},
    {NULL, NULL, NULL}};

static int cfd_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 100000000}, {32, 1024},     {1, 1000000},
                                                 {0, 1},         {1, 100000000}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct cfd *s = kernel_source_create(workload, &cfd_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->n = (uint64_t)v[ELEMENTS];
    s->block = (uint32_t)v[BLOCK];
    s->padded = (s->n + s->block - 1) / s->block * s->block;
    s->iterations = (uint64_t)v[ITERATIONS];
    s->neighbours =
        tetrahedra_create((uint32_t)s->n, v[FRONT] != 0, (uint32_t)v[WINDOW], (uint64_t)v[SEED]);
    kernel_place(source, "areas", s->padded, 4);
    kernel_place(source, "elements_surrounding_elements", s->padded * TETRAHEDRON_FACES, 4);
    kernel_place(source, "normals", s->padded * TETRAHEDRON_FACES * 3, 4);
    kernel_place(source, "variables", s->padded * N_VARIABLES, 4);
    kernel_place(source, "old_variables", s->padded * N_VARIABLES, 4);
    kernel_place(source, "fluxes", s->padded * N_VARIABLES, 4);
    kernel_place(source, "step_factors", s->padded, 4);
    return kernel_source_finish_values(source, "rodinia cfd 2", v, N_PARAMETERS, out, error);
}

static const struct workload_input cfd_inputs[] = {
    {"small", "elements=3000,iterations=2"},
    {"published-sac", "elements=773896,iterations=4"},
    {"published-mcm", "elements=193474,iterations=4"},
    {NULL, NULL}};

static const struct workload_scale cfd_scale[] = {{"elements", "elements*size"}, {NULL, NULL}};

const struct workload workload_cfd = {
    .plugin = {.kind = "workload",
               .name = "cfd",
               .summary = "Euler equations on a mesh of tetrahedra, gathers over neighbour lists",
               .reference = "Che et al., Rodinia, IISWC 2009; Corrigan et al., AIAA 2009-4001"},
    .suite = "Rodinia",
    .page =
        "Rodinia's euler3d in single precision: step factors, then three times fluxes and a\n"
        "time step, in every iteration; one thread an element, blocks of 192, arrays variable\n"
        "by variable. Fluxes gather five variables of four neighbours.\n"
        "Rodinia's mesh of 193 474 elements (fvcorr.domn.193K) is not at hand: ours is a box of\n"
        "tetrahedra, numbered as a generator makes them whose front advances from the surface\n"
        "inwards (that of the group that Rodinia's meshes are from does), and then at random\n"
        "within 1 024 numbers, as a front does not advance row by row. front=0 numbers by planes.\n"
        "So layers lie apart, and chips that have contiguous blocks share what lies on either\n"
        "side of a front. The published sharing had been looked at when this was chosen; no\n"
        "number was.\n"
        "published-sac: 4 031 CTAs and 97 MB are those of four times as many elements, 773 896,\n"
        "in Rodinia's own blocks of 192 (102.2 MB, 97.4 MiB). published-mcm: 25 MB are those of\n"
        "the mesh itself (25.5 MB). The default has twice the mesh's elements, 2 016 CTAs and\n"
        "51 MB. Of the 2 000 iterations, 4 are made, 2 by default; all are alike. The copy of\n"
        "variables between iterations is no kernel and is left out, as are the constants of the\n"
        "far field.\n"
        "Instructions between accesses are estimates.\n"
        "What is said of Rodinia's code and inputs is from memory, not checked against its\n"
        "source.\n",
    .parameters = cfd_parameters,
    .inputs = cfd_inputs,
    .scale = cfd_scale,
    .open = cfd_open};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* miniAMR as a proxy: a 7-point stencil on the blocks of an adaptive mesh, with
 * an exchange of ghost cells before each. A block has 10 x 10 x 10 cells and a
 * layer of ghosts for each of its variables, all in one piece of memory.
 *
 *     comm:          a CTA a face of a block: from the neighbour's border, whose cells
 *                    are of the same size, twice as large, or four to one
 *     stencil_calc:  a CTA a block, a thread a column of cells: the mean of seven into
 *                    shared memory, and back */
#include <stdlib.h>

#include "workload/irregular/octree.h"
#include "workload/irregular/warp_code.h"

enum {
    FACE_CELLS = OCTREE_CELLS * OCTREE_CELLS,
    WIDTH = OCTREE_CELLS + 2,
    CELLS_OF = WIDTH * WIDTH * WIDTH
};

enum array { CELLS, FACES };

struct miniamr {
    struct kernel_source base;
    struct octree *tree;
    uint32_t variables;
    uint64_t stages;
};

struct miniamr_warp {
    struct kernel_warp base;
    uint32_t variable, k, part;
};

/* A cell of a block's variable; 0 and 11 are ghosts. */
static uint64_t miniamr_cell(const struct miniamr *s, uint64_t block, uint32_t variable,
                             const uint32_t at[3])
{
    return (block * s->variables + variable) * CELLS_OF + (at[2] * WIDTH + at[1]) * WIDTH + at[0];
}

/* The cell in layer `layer` of a face, at (u, v) of the two other axes, all from 0. */
static uint64_t miniamr_face_cell(const struct miniamr *s, uint64_t block, uint32_t variable,
                                  int face, uint32_t layer, uint32_t u, uint32_t v)
{
    int d = face / 2;
    uint32_t at[3];
    at[d] = face % 2 ? WIDTH - 1 - layer : layer;
    at[d == 0 ? 1 : 0] = u + 1;
    at[d == 2 ? 1 : 2] = v + 1;
    return miniamr_cell(s, block, variable, at);
}

/* Where the ghost at (u, v) comes from: one cell, or of finer blocks part 0 to 3 of four. */
static uint64_t miniamr_origin(const struct miniamr *s, uint64_t block, uint32_t variable, int face,
                               uint32_t u, uint32_t v, uint32_t part)
{
    const struct octree_face *f = &s->tree->blocks[block].faces[face];
    const uint32_t half = OCTREE_CELLS / 2;
    uint32_t from = f->blocks[0];
    switch (f->side) {
    case OCTREE_BOUNDARY:
        return miniamr_face_cell(s, block, variable, face, 1, u, v);
    case OCTREE_SAME:
        break;
    case OCTREE_COARSER:
        u = f->quarter % 2 * half + u / 2;
        v = f->quarter / 2 * half + v / 2;
        break;
    case OCTREE_FINER:
        from = f->blocks[u / half + 2 * (v / half)];
        u = 2 * (u % half) + part % 2;
        v = 2 * (v % half) + part / 2;
        break;
    }
    return miniamr_face_cell(s, from, variable, face ^ 1, 1, u, v);
}

static bool miniamr_exchange(const struct kernel_pass *pass, struct kernel_warp *warp,
                             struct warp_buffer *out)
{
    const struct miniamr *s = (const struct miniamr *)pass->source;
    const uint32_t block = warp->cta / OCTREE_FACES, first = warp->warp * WARP_LANES;
    const int face = (int)(warp->cta % OCTREE_FACES);
    const uint32_t all = warp->lanes,
                   parts = s->tree->blocks[block].faces[face].side == OCTREE_FINER ? 4 : 1;
    struct miniamr_warp *w = (struct miniamr_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(8);
    WARP_READ(FACES, all, warp->cta);
    for (; w->variable < s->variables; w->variable++) {
        WARP_NEED;
        for (w->part = 0; w->part < parts; w->part++) {
            WARP_READ_TOO(CELLS, all,
                          miniamr_origin(s, block, w->variable, face, (first + lane) % OCTREE_CELLS,
                                         (first + lane) / OCTREE_CELLS, w->part));
            WARP_COMPUTE(2);
        }
        WARP_WRITE(CELLS, all,
                   miniamr_face_cell(s, block, w->variable, face, 0, (first + lane) % OCTREE_CELLS,
                                     (first + lane) / OCTREE_CELLS));
    }
    WARP_END;
}

/* Cell k of the lane's column, or a neighbour of it: -x +x -y +y -z +z, or itself. */
static uint64_t miniamr_around(const struct miniamr *s, const struct miniamr_warp *w, uint32_t lane,
                               uint32_t neighbour)
{
    uint32_t thread = w->base.warp * WARP_LANES + lane;
    uint32_t at[3] = {thread % OCTREE_CELLS + 1, thread / OCTREE_CELLS + 1, w->k + 1};
    if (neighbour < OCTREE_FACES)
        at[neighbour / 2] += neighbour % 2 ? 1 : (uint32_t)-1;
    return miniamr_cell(s, w->base.cta, w->variable, at);
}

static bool miniamr_stencil(const struct kernel_pass *pass, struct kernel_warp *warp,
                            struct warp_buffer *out)
{
    const struct miniamr *s = (const struct miniamr *)pass->source;
    const uint32_t all = warp->lanes;
    struct miniamr_warp *w = (struct miniamr_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(6);
    for (; w->variable < s->variables; w->variable++) {
        for (w->k = 0; w->k < OCTREE_CELLS; w->k++) {
            WARP_NEED;
            for (w->part = 0; w->part <= OCTREE_FACES; w->part++)
                WARP_READ_TOO(CELLS, all, miniamr_around(s, w, lane, w->part));
            WARP_COMPUTE(9); /* the sum, and its store in shared memory */
        }
        for (w->k = 0; w->k < OCTREE_CELLS; w->k++) {
            WARP_COMPUTE(2);
            WARP_WRITE(CELLS, all, miniamr_around(s, w, lane, OCTREE_FACES));
        }
    }
    WARP_END;
}

static bool miniamr_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct miniamr *s = (const struct miniamr *)pass->source;
    bool exchange = pass->launches % 2 == 0;
    if (pass->launches == 2 * s->stages)
        return false;
    *out = (struct kernel_launch){.name = exchange ? "comm" : "stencil_calc",
                                  .grid = {s->tree->n_blocks * (exchange ? OCTREE_FACES : 1)},
                                  .block = {FACE_CELLS},
                                  .shared_bytes = exchange ? 0 : 8 * FACE_CELLS * OCTREE_CELLS,
                                  .warp_size = sizeof(struct miniamr_warp),
                                  .code = exchange ? miniamr_exchange : miniamr_stencil,
                                  .data = 1};
    return true;
}

static void miniamr_destroy(struct kernel_source *source)
{
    octree_destroy(((struct miniamr *)source)->tree);
}

static const struct kernel_class miniamr_class = {.next = miniamr_next, .destroy = miniamr_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { ROOTS, LEVELS, VARIABLES, STAGES, N_PARAMETERS };

static const struct workload_parameter miniamr_parameters[] = {
    [ROOTS] = {"roots", "2", "blocks along an edge before any is split"},
    [LEVELS] = {"levels", "2", "of splitting"},
    [VARIABLES] = {"variables", "32", "numbers of a cell (miniAMR: 40)"},
    [STAGES] = {"stages", "2", "exchanges and stencils"},
    {NULL, NULL, NULL}};

static int miniamr_open(const struct workload *workload, const char *const *values,
                        struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 64}, {0, 7}, {1, 1000}, {1, 1000000}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (!status && v[ROOTS] << v[LEVELS] > 256)
        status = error_set(error, STATUS_INPUT,
                           "roots=%s and levels=%s: more than 256 of the smallest blocks an edge",
                           values[ROOTS], values[LEVELS]);
    if (status)
        return status;
    struct miniamr *s = kernel_source_create(workload, &miniamr_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->tree = octree_create((uint32_t)v[ROOTS], (uint32_t)v[LEVELS]);
    s->variables = (uint32_t)v[VARIABLES];
    s->stages = (uint64_t)v[STAGES];
    kernel_place(source, "cells", (uint64_t)s->tree->n_blocks * s->variables * CELLS_OF, 8);
    kernel_place(source, "faces", (uint64_t)s->tree->n_blocks * OCTREE_FACES, 16);
    return kernel_source_finish_values(source, "miniamr 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input miniamr_inputs[] = {
    {"small", "roots=1,levels=2,variables=4,stages=1"},
    {"published-mcm", "roots=4,levels=4,variables=20"},
    {NULL, NULL}};

static const struct workload_scale miniamr_scale[] = {{"variables", "variables*size"},
                                                      {NULL, NULL}};

const struct workload workload_miniamr = {
    .plugin = {.kind = "workload",
               .name = "miniamr",
               .summary = "stencil on the blocks of an adaptive mesh, with ghost exchange (proxy)",
               .reference = "Vaughan and Barrett, miniAMR, SAND2014-18274"},
    .suite = "proxy",
    .page = "A proxy of miniAMR: a 7-point stencil on blocks of 10 x 10 x 10 cells with ghosts,\n"
            "double precision, and the exchange of ghosts before it, where neighbours are of the\n"
            "same size, twice as large or half as large. The mesh is a real one: root blocks\n"
            "split along the surface of a sphere, levels of neighbours differing by one at most.\n"
            "It stays as it is: miniAMR moves the sphere and refines anew between stages, which\n"
            "is left out. A CTA a face, and a CTA a block.\n"
            "published-mcm: 5 407 MB are published; 4 root blocks an edge split four times, with\n"
            "20 variables a cell, come to 5 283 MB. The default has 288 blocks and 32 variables\n"
            "(127 MB; miniAMR: 40). Instructions between accesses are estimates.\n"
            "What is said of the original's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = miniamr_parameters,
    .inputs = miniamr_inputs,
    .scale = miniamr_scale,
    .open = miniamr_open};

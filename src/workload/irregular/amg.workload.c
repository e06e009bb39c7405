/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solve phase of algebraic multigrid as a proxy: V-cycles over a hierarchy
 * of sparse matrices, every kernel a product with one of them, a thread a row.
 *
 *     down: relax twice, r = b - A x, b of the next level = R r, x there = 0
 *     coarsest level: relax several times
 *     up:   x += P x of the next level, relax twice
 *
 * Relaxation is Jacobi's, from x to a second vector t and back. */
#include <stdlib.h>

#include "workload/irregular/grid_hierarchy.h"
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 128, COARSEST_SWEEPS = 8 };

/* Arrays of a level: three matrices of three each, then vectors. */
enum part { MATRIX, INTERPOLATION = 3, RESTRICTION = 6, X = 9, T, B, R, PARTS };
enum { ROWS, COLUMNS, VALUES };
_Static_assert(KERNEL_ARRAYS >= GRID_LEVELS * PARTS, "a source has room for all levels' arrays");

enum { NEXT = PARTS, NONE = -1 }; /* an array of the next level; no array */

/* What launches do, in arrays of their level. */
enum what { RELAX, RELAX_BACK, RESIDUAL, RESTRICT, CLEAR, PROLONG };
static const struct {
    const char *name;
    int matrix, gathered, added, written;
} kernels[] = {[RELAX] = {"relax", MATRIX, X, B, T},
               [RELAX_BACK] = {"relax", MATRIX, T, B, X},
               [RESIDUAL] = {"residual", MATRIX, X, B, R},
               [RESTRICT] = {"restrict", RESTRICTION, R, NONE, NEXT + B},
               [CLEAR] = {"clear", MATRIX, NONE, NONE, X},
               [PROLONG] = {"interpolate", INTERPOLATION, NEXT + X, X, X}};

struct amg {
    struct kernel_source base;
    struct grid_hierarchy *grids;
    uint64_t cycles;
    /* A V-cycle's launches. */
    struct {
        struct amg_launch {
            enum what what;
            int level;
        } * items;
        size_t count, capacity;
    } launches;
};

struct amg_pass {
    struct kernel_pass base;
    const struct graph *matrix;
    int rows, gathered, added, written; /* arrays */
};

struct amg_warp {
    struct kernel_warp base;
    uint32_t live;
    uint32_t entry;
};

static bool amg_product(const struct kernel_pass *pass, struct kernel_warp *warp,
                        struct warp_buffer *out)
{
    const struct amg_pass *s = (const struct amg_pass *)pass;
    const struct graph *matrix = s->matrix;
    const uint32_t all = warp_below(warp, matrix->n_vertices);
    const uint64_t *offsets = &matrix->offsets[all ? warp->thread : 0];
    struct amg_warp *w = (struct amg_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(s->rows + ROWS, all, warp->thread + lane);
    WARP_READ_TOO(s->rows + ROWS, all, warp->thread + lane + 1);
    for (w->live = all;; w->entry++) {
        WARP_SELECT(w->live, w->live, offsets[lane] + w->entry < offsets[lane + 1]);
        if (!w->live)
            break;
        WARP_READ(s->rows + COLUMNS, w->live, offsets[lane] + w->entry);
        WARP_READ_TOO(s->rows + VALUES, w->live, offsets[lane] + w->entry);
        WARP_READ(s->gathered, w->live, matrix->targets[offsets[lane] + w->entry]);
        WARP_COMPUTE(4);
    }
    WARP_READ(s->added == NONE ? 0 : s->added, s->added == NONE ? 0 : all, warp->thread + lane);
    WARP_COMPUTE(2);
    WARP_WRITE(s->written, all, warp->thread + lane);
    WARP_END;
}

static bool amg_clear(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct amg_pass *s = (const struct amg_pass *)pass;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_WRITE(s->written, warp_below(warp, s->matrix->n_vertices), warp->thread + lane);
    WARP_END;
}

static bool amg_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct amg *source = (const struct amg *)pass->source;
    struct amg_pass *s = (struct amg_pass *)pass;
    if (pass->launches == source->cycles * source->launches.count)
        return false;
    const struct amg_launch *l = &source->launches.items[pass->launches % source->launches.count];
    const struct grid_level *level = &source->grids->levels[l->level];
    const int matrix = kernels[l->what].matrix, first = l->level * PARTS;
    const int added = kernels[l->what].added;
    s->matrix = matrix == MATRIX        ? level->matrix
                : matrix == RESTRICTION ? level->restriction
                                        : level->interpolation;
    s->rows = first + matrix;
    s->gathered = first + kernels[l->what].gathered;
    s->added = added == NONE ? NONE : first + added;
    s->written = first + kernels[l->what].written;
    *out = kernel_over(kernels[l->what].name, s->matrix->n_vertices, BLOCK_THREADS);
    out->warp_size = sizeof(struct amg_warp);
    out->code = l->what == CLEAR ? amg_clear : amg_product;
    out->data = 1 + pass->launches % source->launches.count;
    return true;
}

static void amg_destroy(struct kernel_source *source)
{
    struct amg *s = (struct amg *)source;
    grid_hierarchy_destroy(s->grids);
    VECTOR_FREE(&s->launches);
}

static const struct kernel_class amg_class = {
    .pass_size = sizeof(struct amg_pass), .next = amg_next, .destroy = amg_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { SIDE, CYCLES, N_PARAMETERS };

static const struct workload_parameter amg_parameters[] = {
    [SIDE] = {"side", "64", "points along an edge of the finest grid"},
    [CYCLES] = {"cycles", "2", "V-cycles"},
    {NULL, NULL, NULL}};

static void amg_add(struct amg *s, enum what what, int level)
{
    VECTOR_PUSH(&s->launches, (struct amg_launch){what, level});
}

static void amg_relax(struct amg *s, int level, int sweeps)
{
    for (int i = 0; i < sweeps; i++)
        amg_add(s, i % 2 ? RELAX_BACK : RELAX, level);
}

static void amg_cycle(struct amg *s)
{
    int coarsest = s->grids->n_levels - 1;
    for (int l = 0; l < coarsest; l++) {
        amg_relax(s, l, 2);
        amg_add(s, RESIDUAL, l);
        amg_add(s, RESTRICT, l);
        amg_add(s, CLEAR, l + 1);
    }
    amg_relax(s, coarsest, COARSEST_SWEEPS);
    for (int l = coarsest - 1; l >= 0; l--) {
        amg_add(s, PROLONG, l);
        amg_relax(s, l, 2);
    }
}

static void amg_place_matrix(struct kernel_source *source, const char *name, int level,
                             const struct graph *matrix)
{
    static const char *const parts[] = {"rows", "columns", "values"};
    for (int i = 0; i < 3; i++)
        kernel_place(source, arena_printf(source->base.arena, "%s%d.%s", name, level, parts[i]),
                     !matrix     ? 0
                     : i == ROWS ? matrix->n_vertices + 1ULL
                                 : matrix->n_edges,
                     i == VALUES ? 8 : 4);
}

static void amg_place(struct amg *s)
{
    static const char *const vectors[] = {"x", "t", "b", "r"};
    for (int l = 0; l < s->grids->n_levels; l++) {
        const struct grid_level *level = &s->grids->levels[l];
        amg_place_matrix(&s->base, "A", l, level->matrix);
        amg_place_matrix(&s->base, "P", l, level->interpolation);
        amg_place_matrix(&s->base, "R", l, level->restriction);
        for (int i = 0; i < 4; i++)
            kernel_place(&s->base, arena_printf(s->base.base.arena, "%s%d", vectors[i], l),
                         level->matrix->n_vertices, 8);
    }
}

static int amg_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    static const struct kernel_range ranges[] = {{2, 320}, {1, 1000000}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct amg *s = kernel_source_create(workload, &amg_class, sizeof *s);
    s->grids = grid_hierarchy_create((uint32_t)v[SIDE]);
    s->cycles = (uint64_t)v[CYCLES];
    amg_cycle(s);
    amg_place(s);
    return kernel_source_finish_values(&s->base, "amg 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input amg_inputs[] = {
    {"small", "side=12,cycles=1"}, {"published-mcm", "side=273,cycles=1"}, {NULL, NULL}};

static const struct workload_scale amg_scale[] = {{"side", "side*size^(1/3)"}, {NULL, NULL}};

const struct workload workload_amg = {
    .plugin = {.kind = "workload",
               .name = "amg",
               .summary = "V-cycles of multigrid over a hierarchy of sparse matrices (proxy)",
               .reference = "Henson and Yang, BoomerAMG, Appl. Numer. Math. 41, 2002"},
    .suite = "proxy",
    .page = "A proxy of AMG's solve phase: V-cycles whose kernels are products with the sparse\n"
            "matrices of a real hierarchy, a thread a row, blocks of 128, values in double\n"
            "precision. The problem is Laplace's on a cube, 7 points a row on the finest grid, 27\n"
            "on the coarser ones, halved until 4 points an edge are left; linear interpolation\n"
            "and its transpose. Two sweeps of Jacobi's relaxation going down and up, eight on the\n"
            "coarsest grid. AMG coarsens algebraically, which gives irregular coarse grids, and\n"
            "solves with it inside conjugate gradients: left out.\n"
            "published-mcm: 5 430 MB are published, which 273 points an edge come to. The default\n"
            "has 64 (two cycles). Instructions between accesses are estimates.\n"
            "What is said of the original's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = amg_parameters,
    .inputs = amg_inputs,
    .scale = amg_scale,
    .open = amg_open};

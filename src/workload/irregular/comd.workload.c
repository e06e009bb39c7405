/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoMD's molecular dynamics with cell lists, one thread an atom (its GPU version's
 * thread-atom method), as a proxy of its dominant kernels:
 *
 *     AdvanceVelocity, AdvancePosition, LJ_Force, AdvanceVelocity, in every step
 *
 *     LJ_Force: i = slot of atom t; for (27 cells c around it) for (slots j of c)
 *                   if (|r[i] - r[j]| < cut-off) add force and energy;  f[i] = ...; e[i] = ...
 *
 * Atoms really sit in their cells; they are not moved to others between the few
 * steps that are taken. */
#include <stdlib.h>

#include "workload/irregular/cells.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 128 };

enum array {
    LIST_ATOMS,
    LIST_CELLS,
    POSITION_X,
    POSITION_Y,
    POSITION_Z,
    MOMENTUM_X,
    MOMENTUM_Y,
    MOMENTUM_Z,
    FORCE_X,
    FORCE_Y,
    FORCE_Z,
    ENERGY,
    N_ATOMS,
    NEIGHBOURS,
    N_ARRAYS
};

struct comd {
    struct kernel_source base;
    struct cells *cells;
    uint64_t steps;
};

struct comd_warp {
    struct kernel_warp base;
    uint32_t live; /* lanes with a further atom in the neighbour */
    uint32_t cell, slot, d;
    uint32_t near[WARP_LANES]; /* the neighbouring cell of each lane's atom */
};

static bool comd_force(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct cells *cells = ((const struct comd *)pass->source)->cells;
    const uint32_t all = warp_below(warp, cells->n_atoms);
    const uint32_t *atoms = &cells->atoms[all ? warp->thread : 0];
    struct comd_warp *w = (struct comd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(LIST_ATOMS, all, warp->thread + lane);
    WARP_READ_TOO(LIST_CELLS, all, warp->thread + lane);
    WARP_COMPUTE(2);
    WARP_NEED;
    for (; w->d < 3; w->d++)
        WARP_READ_TOO(POSITION_X + w->d, all, atoms[lane]);
    for (; all && w->cell < CELL_NEIGHBOURS; w->cell++) {
        WARP_EACH(all)
        w->near[lane] = cells_neighbour(cells, atoms[lane] / CELL_SLOTS, w->cell);
        WARP_READ(NEIGHBOURS, all, atoms[lane] / CELL_SLOTS * CELL_NEIGHBOURS + w->cell);
        WARP_READ(N_ATOMS, all, w->near[lane]);
        WARP_COMPUTE(3);
        for (w->slot = 0, w->live = all;; w->slot++) {
            WARP_SELECT(w->live, w->live, w->slot < cells->occupied[w->near[lane]]);
            if (!w->live)
                break;
            WARP_NEED;
            for (w->d = 0; w->d < 3; w->d++)
                WARP_READ_TOO(POSITION_X + w->d, w->live, w->near[lane] * CELL_SLOTS + w->slot);
            WARP_COMPUTE(16);
        }
    }
    for (w->d = 0; w->d < 4; w->d++) /* and the energy */
        WARP_WRITE(FORCE_X + w->d, all, atoms[lane]);
    WARP_END;
}

/* Momenta by forces, or positions by momenta: three times read two, write one. */
static bool comd_advance(const struct kernel_pass *pass, struct kernel_warp *warp,
                         struct warp_buffer *out)
{
    const struct cells *cells = ((const struct comd *)pass->source)->cells;
    const uint32_t all = warp_below(warp, cells->n_atoms);
    const uint32_t *atoms = &cells->atoms[all ? warp->thread : 0];
    const enum array to = pass->launches % 4 == 2 ? POSITION_X : MOMENTUM_X;
    struct comd_warp *w = (struct comd_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(LIST_ATOMS, all, warp->thread + lane);
    WARP_READ_TOO(LIST_CELLS, all, warp->thread + lane);
    WARP_COMPUTE(2);
    for (; w->d < 3; w->d++) {
        WARP_READ(to + 3 + w->d, all, atoms[lane]);
        WARP_READ_TOO(to + w->d, all, atoms[lane]);
        WARP_COMPUTE(1);
        WARP_WRITE(to + w->d, all, atoms[lane]);
    }
    WARP_END;
}

static bool comd_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    static const char *const names[] = {"AdvanceVelocity", "AdvancePosition",
                                        "LJ_Force_thread_atom", "AdvanceVelocity"};
    const struct comd *s = (const struct comd *)pass->source;
    uint64_t phase = pass->launches % 4;
    if (pass->launches == 4 * s->steps)
        return false;
    *out = kernel_over(names[phase], s->cells->n_atoms, BLOCK_THREADS);
    out->warp_size = sizeof(struct comd_warp);
    out->code = phase == 2 ? comd_force : comd_advance;
    out->data = 1 + (phase == 1); /* velocities and positions are advanced by the same code */
    return true;
}

static uint64_t comd_result(const struct kernel_pass *pass)
{
    return cells_count_pairs(((const struct comd *)pass->source)->cells);
}

static void comd_destroy(struct kernel_source *source)
{
    cells_destroy(((struct comd *)source)->cells);
}

static const struct kernel_class comd_class = {
    .next = comd_next, .result = comd_result, .destroy = comd_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { UNITS, STEPS, JITTER, SEED };

static const struct workload_parameter comd_parameters[] = {
    [UNITS] = {"units", "40", "unit cells along an edge, of four atoms"},
    [STEPS] = {"steps", "1", "of time"},
    [JITTER] = {"jitter", "0.05", "of the atoms, in edges of a unit cell, up to 0.2"},
    [SEED] = {"seed", "1", "of the jitter"},
    {NULL, NULL, NULL}};

static int comd_open(const struct workload *workload, const char *const *values,
                     struct source **out, struct error *error)
{
    static const char *const names[N_ARRAYS] = {
        "list.atoms", "list.cells", "r.x", "r.y", "r.z", "p.x",    "p.y",
        "p.z",        "f.x",        "f.y", "f.z", "e",   "nAtoms", "neighborList"};
    static const struct kernel_range ranges[] = {{5, 200}, {1, 1000000}};
    int64_t v[2], seed;
    double jitter;
    int status = kernel_integers(workload, values, UNITS, ranges, 2, v, error);
    if (!status)
        status = settings_number("jitter", values[JITTER], 0.0, 0.2, &jitter, error);
    if (!status)
        status = settings_integer("seed", values[SEED], 0, INT64_MAX, &seed, error);
    if (status)
        return status;
    struct comd *s = kernel_source_create(workload, &comd_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->cells = cells_create((uint32_t)v[UNITS], jitter, (uint64_t)seed);
    s->steps = (uint64_t)v[STEPS];
    for (int i = 0; i < N_ARRAYS; i++) {
        bool list = i < POSITION_X, slots = i >= POSITION_X && i < N_ATOMS;
        kernel_place(source, names[i],
                     list              ? s->cells->n_atoms
                     : slots           ? (uint64_t)s->cells->count * CELL_SLOTS
                     : i == NEIGHBOURS ? (uint64_t)s->cells->count * CELL_NEIGHBOURS
                                       : s->cells->count,
                     slots ? 8 : 4);
    }
    struct hash_content *hash = kernel_hash_begin(source, "comd 1");
    hash_content_add(hash, v, sizeof v);
    hash_content_add(hash, &jitter, sizeof jitter);
    hash_content_add(hash, &seed, sizeof seed);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input comd_inputs[] = {
    {"small", "units=10"}, {"published-mcm", "units=90,steps=2"}, {NULL, NULL}};

/* In whole cells, which are 1.601 unit cells wide: arrays have slots for all that fit a cell. */
static const struct workload_scale comd_scale[] = {
    {"units", "ceil(1.601*floor(floor(units/1.601)*size^(1/3) + 1/2))"}, {NULL, NULL}};

const struct workload workload_comd = {
    .plugin = {.kind = "workload",
               .name = "comd",
               .summary = "molecular dynamics with cell lists, one thread an atom (proxy)",
               .reference = "Mohd-Yusof, Swaminarayan and Germann, CoMD (ExMatEx)"},
    .suite = "proxy",
    .page = "A proxy: the kernels that dominate CoMD's GPU version with the thread-atom method\n"
            "and the Lennard-Jones potential, four launches a step: velocities, positions,\n"
            "forces, velocities. A copper crystal of 40 x 40 x 40 unit cells (256 000 atoms,\n"
            "2 000 CTAs; CoMD's own default of 20 x 20 x 20 has an eighth of both), jittered, in\n"
            "cells of the cut-off's size with 64 slots;\n"
            "positions, momenta and forces coordinate by coordinate in double precision. Forces\n"
            "go through the 27 cells around an atom. Walls are periodic without CoMD's halo\n"
            "cells, and atoms stay in their cells over the steps.\n"
            "published-mcm: 385 MB are published; 90 unit cells an edge (2.9 million atoms) touch\n"
            "about that much; with the empty slots of cells, the arrays are larger. Instructions\n"
            "are estimates.\n"
            "What is said of the original's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = comd_parameters,
    .inputs = comd_inputs,
    .scale = comd_scale,
    .open = comd_open};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take, from a part of its own space: models differ by a factor of a
 * thousand in what a point costs, points of one model by ten, and structures of one space by what
 * they share. Nothing is kept of what is looked at, so that results do not depend on it. */
#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "explore/sweep/scan.h"
#include "explore/sweep/sweep.h"
#include "explore/sweep/sweep_state.h"

/* How long structures are looked at, and how many at most. */
enum { LOOK_STRUCTURES = 12 };
static const double look_s = 0.25;

static int look_at_structure(const struct sweep *sweep, const struct sweep_part *parts,
                             uint64_t place, int threads, double *seconds, struct error *error)
{
    struct structure *structure;
    double start = clock_work_seconds();
    const struct sweep_part *part = sweep_part_of(parts, &place);
    int status = structure_build(sweep, part, (size_t)place, &structure, error);
    double built_s = clock_work_seconds() - start;
    *seconds = 0;
    if (!status) {
        status = scan_estimate(sweep, structure, threads, seconds, error);
        structure_destroy(structure);
    }
    *seconds += built_s;
    return status == STATUS_INFEASIBLE ? 0 : status;
}

int sweep_estimate(const struct sweep *sweep, double *seconds, struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    struct sweep_cells cells = sweep_cells_own(sweep);
    uint64_t first = sweep_is_part(sweep) ? cells.from / cells.pieces : 0, looked = 0;
    uint64_t all = sweep_is_part(sweep) ? (cells.to + cells.pieces - 1) / cells.pieces - first
                                        : sweep_structures(sweep->space);
    int cores = parallel_cores(), status = 0;
    double start = clock_seconds(), sum = 0, one;
    sweep_parts(sweep->space, arena, &parts);
    do { /* by the golden ratio: no step along an axis returns to the same value of another */
        double at = fmod((0.5 + (double)looked) * 0.6180339887498949, 1) * (double)all;
        uint64_t place = all <= LOOK_STRUCTURES ? looked : (uint64_t)at;
        status = look_at_structure(sweep, parts, first + (place < all ? place : 0),
                                   sweep->threads < cores ? sweep->threads : cores, &one, error);
        sum += one;
        looked++;
    } while (!status && looked < all && looked < LOOK_STRUCTURES &&
             clock_seconds() - start < look_s);
    /* Its share; and, of all points, one for each best that is looked for. */
    double structures = (double)(cells.to - cells.from) / (double)cells.pieces;
    for (size_t i = 0; i < sweep->space->n_wheres; i++)
        structures += sweep->space->wheres[i].within > 0 ? (double)all : 0;
    *seconds = sum / (double)looked * structures / ranks_count();
    arena_destroy(arena);
    return status;
}

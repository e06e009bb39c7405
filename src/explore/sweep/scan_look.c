/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a scan takes, from a part of its points. */
#include <math.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/sweep/scan_internal.h"

/* Neighbouring points that are looked at, as many as a solver takes at once and twice as many;
 * how long; how long a block may take that is looked at as a whole. */
enum { LOOK_FEW = 16, LOOK_MORE = 32, LOOKS = 16 };
static const double look_s = 40e-3, look_block_s = 2e-3;

/* Some of 0 .. count-1, spread evenly however many they become: multiples of a shift that is no
 * fraction. */
static uint64_t look_place(uint64_t look, double shift, uint64_t count)
{
    double at = fmod((0.5 + (double)look) * shift, 1) * (double)count;
    return (uint64_t)at < count ? (uint64_t)at : 0;
}

/* Times, in s, of what is common to all blocks and of a block, for as many points each. */
struct look {
    double common_s, block_s;
};

/* Columns from a point of the row on; what has one value a row stays. */
static void look_from(const struct scan *scan, struct scan_local *local, size_t from)
{
    for (size_t i = 0; i < scan->n_inputs; i++) {
        bool rows = local->points[i] && scan->row < scan->width;
        const double *column = scan->columns[i] ? scan->columns[i] : local->points[i];
        if (column && !rows)
            term_state_column(local->state, scan->inputs[i].input, column + from);
    }
}

/* n points of a block from `from` on, which is a multiple of LOOK_FEW. */
static void look_at(struct scan *scan, uint64_t block, size_t from, int n, struct look *sum)
{
    struct scan_local *local = &scan->locals[0];
    uint64_t first;
    scan_block_inputs(scan, local, block, &first);
    look_from(scan, local, from);
    double start = clock_work_seconds();
    term_state_begin_some(local->state, n);
    double middle = clock_work_seconds();
    term_state_block(local->state, n);
    sum->common_s += middle - start;
    sum->block_s += clock_work_seconds() - middle;
    look_from(scan, local, 0);
}

/* A time that grows in a line with the points, continued to `width` of them; more_s 0: of many
 * points it is not known. */
static double line_at(double few_s, double more_s, int width)
{
    double slope = few_s / LOOK_FEW;
    if (more_s > few_s)
        slope = (more_s - few_s) / (LOOK_MORE - LOOK_FEW);
    return fmax(few_s, few_s + slope * (width - LOOK_FEW));
}

/* The times of a whole block, from a few of its points in a few places. */
static struct look look_at_points(struct scan *scan)
{
    struct look few = {0}, more = {0};
    double looks = 0, start = clock_work_seconds();
    size_t places = (size_t)scan->row / LOOK_FEW;
    if (scan->row < LOOK_MORE) {
        look_at(scan, 0, 0, scan->row, &few);
        return few;
    }
    bool twice = true;
    do {
        uint64_t block = look_place((uint64_t)looks, 0.6180339887498949, scan->blocks);
        size_t from = LOOK_FEW * look_place((uint64_t)looks, 0.4142135623730950, places - 1);
        look_at(scan, block, from, LOOK_FEW, &few);
        twice = twice && clock_work_seconds() - start < look_s / 4;
        if (twice)
            look_at(scan, block, from, LOOK_MORE, &more);
        looks++;
    } while (looks < LOOKS && clock_work_seconds() - start < look_s);
    return (struct look){
        line_at(few.common_s / looks, twice ? more.common_s / looks : 0, scan->width),
        line_at(few.block_s / looks, twice ? more.block_s / looks : 0, scan->width)};
}

/* Blocks by look_place until the time is up, or at most so many; returns how many. */
static uint64_t look_along(struct scan *scan, uint64_t most)
{
    double start = clock_work_seconds();
    uint64_t looked = 0;
    while (looked < most && clock_work_seconds() - start < look_s / 2)
        scan_block(scan, look_place(looked++, 0.6180339887498949, scan->blocks), 0);
    return looked;
}

/* The mean time of a block among those that are looked at for a second time: at first the best
 * points and the front are still to be found, which most blocks of a long sweep have behind
 * them. */
static double look_at_blocks(struct scan *scan)
{
    term_state_begin(scan->locals[0].state);
    uint64_t looked = look_along(scan, scan->blocks);
    double start = clock_work_seconds();
    looked = look_along(scan, looked);
    return (clock_work_seconds() - start) / (double)looked;
}

int scan_estimate(const struct sweep *sweep, const struct structure *structure, int threads,
                  double *seconds, struct error *error)
{
    struct scan_worker worker;
    struct scan scan = {.sweep = sweep, .structure = structure, .workers = &worker, .n_workers = 1};
    scan_worker_init(&worker, sweep->space);
    int status = scan_init(&scan, error);
    if (!status) {
        struct look look = look_at_points(&scan);
        if (look.common_s + look.block_s < look_block_s)
            look.block_s = look_at_blocks(&scan);
        uint64_t shared = scan.blocks < (uint64_t)threads ? scan.blocks : (uint64_t)threads;
        *seconds = look.common_s + look.block_s * (double)scan.blocks / (double)shared;
        status = interrupt_check(error);
    }
    scan_fini(&scan);
    scan_worker_fini(&worker);
    return status;
}

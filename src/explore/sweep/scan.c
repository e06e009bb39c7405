/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks, masks, the best K, the front.
 *
 * The free axes of a structure are cut into blocks of at most SCAN_WIDTH
 * points: the last axes run inside a block as far as they fit, the axis before
 * them runs inside in chunks, and the others are constant in a block. So most
 * terms are evaluated once a block or once a sweep (core/term.h). Where the
 * last axes are long enough, each value of the axis before them is a row, and
 * what it does not enter is evaluated for one row; solvers take all points at
 * once. */
#include "explore/sweep/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/term_kernels.h"
#include "explore/sweep/near.h"
#include "explore/sweep/scan_internal.h"

enum { SCAN_ROW = 64 }; /* points that are worth a row: looking at what to do next takes time */

/* --- layout --------------------------------------------------------------------- */

static void scan_layout(struct scan *scan, size_t most)
{
    const struct space *space = scan->sweep->space;
    scan->axes = memory_zero(space->n_axes + 1, sizeof *scan->axes);
    for (size_t a = 0; a < space->n_axes; a++)
        if (scan->structure->part->active[a] && !space->axes[a].structural)
            scan->axes[scan->n_axes++] = (struct scan_axis){a, space->axes[a].n_values,
                                                            scan->structure->part->strides[a], 0};
    size_t width = 1, k = scan->n_axes;
    while (k > 0 && width * scan->axes[k - 1].length <= most) {
        k--;
        scan->axes[k].inner_stride = width;
        width *= scan->axes[k].length;
    }
    scan->tail = width;
    scan->chunk = 1;
    scan->chunked = scan->n_axes;
    scan->blocks = 1;
    if (k > 0) {
        scan->chunked = k - 1;
        scan->chunk = most / width;
        scan->axes[k - 1].inner_stride = width;
        scan->blocks = (scan->axes[k - 1].length + scan->chunk - 1) / scan->chunk;
        width *= scan->chunk;
        for (size_t a = 0; a + 1 < k; a++)
            scan->blocks *= scan->axes[a].length;
    }
    scan->width = (int)width;
    scan->row = scan->chunk > 1 && scan->tail >= SCAN_ROW ? (int)scan->tail : scan->width;
}

static void scan_offsets(struct scan *scan)
{
    scan->offsets = memory_zero((size_t)scan->width, sizeof *scan->offsets);
    scan->contiguous = true;
    for (int i = 0; i < scan->width; i++) {
        for (size_t a = 0; a < scan->n_axes; a++) {
            const struct scan_axis *axis = &scan->axes[a];
            if (!axis->inner_stride)
                continue;
            size_t digit = (size_t)i / axis->inner_stride;
            if (a != scan->chunked)
                digit %= axis->length;
            scan->offsets[i] += digit * axis->stride;
        }
        scan->contiguous = scan->contiguous && scan->offsets[i] == (uint64_t)i;
    }
}

static double axis_number(const struct scan *scan, const struct scan_input *input, size_t digit)
{
    const struct space_axis *axis = &scan->sweep->space->axes[scan->axes[input->free_axis].axis];
    return axis->values[digit].assignments[input->assignment].value.number;
}

static enum term_rate axis_rate(const struct scan *scan, size_t free_axis)
{
    if (free_axis == scan->chunked)
        return scan->chunk == 1 ? TERM_BLOCK : scan->row < scan->width ? TERM_ROW : TERM_POINT;
    return scan->axes[free_axis].inner_stride ? TERM_COLUMN : TERM_BLOCK;
}

/* Finds the inputs that axes feed, their rates, and fills constant columns. */
static void scan_inputs(struct scan *scan, enum term_rate *rates)
{
    const struct structure *s = scan->structure;
    int n = term_input_count(s->graph);
    scan->inputs = memory_zero((size_t)n, sizeof *scan->inputs);
    scan->columns = memory_zero((size_t)n, sizeof *scan->columns);
    for (int i = 0; i < n; i++) {
        size_t axis, assignment, k = 0;
        rates[i] = TERM_SWEEP;
        if (!structure_input_axis(scan->sweep, s, i, &axis, &assignment))
            continue;
        while (scan->axes[k].axis != axis)
            k++;
        struct scan_input *input = &scan->inputs[scan->n_inputs];
        *input = (struct scan_input){i, k, assignment};
        rates[i] = axis_rate(scan, k);
        if (rates[i] == TERM_COLUMN) {
            double *column = memory_aligned(64, (size_t)scan->width * sizeof *column);
            for (int p = 0; p < scan->width; p++)
                column[p] = axis_number(
                    scan, input, (size_t)p / scan->axes[k].inner_stride % scan->axes[k].length);
            scan->columns[scan->n_inputs] = column;
        }
        scan->n_inputs++;
    }
}

static void local_init(struct scan *scan, struct scan_local *local, const enum term_rate *rates,
                       const double *constants)
{
    const struct term_graph *graph = scan->structure->graph;
    size_t width = (size_t)scan->width;
    local->state = term_state_create(scan->program);
    local->points = memory_zero(scan->n_inputs, sizeof *local->points);
    for (int i = 0; i < term_input_count(graph); i++)
        if (rates[i] == TERM_SWEEP)
            term_state_scalar(local->state, i, constants[i]);
    for (size_t i = 0; i < scan->n_inputs; i++) {
        enum term_rate rate = rates[scan->inputs[i].input];
        if (rate == TERM_COLUMN)
            term_state_column(local->state, scan->inputs[i].input, scan->columns[i]);
        if (rate == TERM_POINT || rate == TERM_ROW) {
            local->points[i] = memory_aligned(64, width * sizeof **local->points);
            memset(local->points[i], 0, width * sizeof **local->points);
            term_state_column(local->state, scan->inputs[i].input, local->points[i]);
        }
    }
    for (size_t i = 0; i <= scan->sweep->space->n_objectives; i++)
        local->values[i] = memory_aligned(64, width * sizeof *local->values[i]);
    local->ids = memory_zero(width, sizeof *local->ids);
    local->mask = memory_zero(width, 1);
    local->places = memory_zero(width + 1, sizeof *local->places);
}

static void local_fini(struct scan *scan, struct scan_local *local)
{
    term_state_destroy(local->state);
    for (size_t i = 0; local->points && i < scan->n_inputs; i++)
        free(local->points[i]);
    for (size_t i = 0; i <= scan->sweep->space->n_objectives; i++)
        free(local->values[i]);
    free(local->points);
    free(local->ids);
    free(local->mask);
    free(local->places);
}

int scan_init(struct scan *scan, struct error *error)
{
    const struct structure *s = scan->structure;
    const struct space *space = scan->sweep->space;
    int n = term_input_count(s->graph);
    enum term_rate *rates = memory_zero((size_t)n, sizeof *rates);
    double *constants = memory_zero((size_t)n, sizeof *constants);
    int status = model_bind(s->graph, s->machine, constants, error);
    int outputs[1 + PARETO_OBJECTIVES_MAX + 2 * SPACE_WHERES_MAX + 1], n_outputs = 0;
    outputs[n_outputs++] = s->rank;
    for (size_t i = 0; i < space->n_objectives; i++)
        outputs[n_outputs++] = s->objectives[i];
    for (size_t i = 0; i < space_conditions(space); i++)
        outputs[n_outputs++] = s->wheres[i];
    bool solved = term_needs_solver(s->graph, outputs, n_outputs);
    scan_layout(scan, solved ? SCAN_WIDTH_SOLVED : SCAN_WIDTH);
    scan_offsets(scan);
    scan_inputs(scan, rates);
    scan->program = term_program_create_rows(s->graph, outputs, n_outputs, rates, scan->row,
                                             scan->width / scan->row);
    term_program_set_conditions(scan->program, 1 + (int)space->n_objectives);
    /* What is alike in all blocks is worked out by each worker. */
    if ((uint64_t)scan->n_workers > scan->blocks)
        scan->n_workers = (int)scan->blocks;
    scan->locals = memory_zero((size_t)scan->n_workers, sizeof *scan->locals);
    for (int w = 0; w < scan->n_workers && !status; w++)
        local_init(scan, &scan->locals[w], rates, constants);
    free(rates);
    free(constants);
    return status;
}

static void begin_local(void *context, uint64_t item, int worker)
{
    (void)worker;
    term_state_begin(((struct scan *)context)->locals[item].state);
}

void scan_fini(struct scan *scan)
{
    for (int w = 0; w < scan->n_workers && scan->locals; w++)
        local_fini(scan, &scan->locals[w]);
    for (size_t i = 0; i < scan->n_inputs; i++)
        free(scan->columns[i]);
    free(scan->locals);
    free(scan->columns);
    free(scan->inputs);
    free(scan->offsets);
    free(scan->axes);
    term_program_destroy(scan->program);
}

/* --- one block -------------------------------------------------------------------- */

int scan_block_inputs(const struct scan *scan, struct scan_local *local, uint64_t block,
                      uint64_t *first)
{
    size_t chunk_from = 0, n = (size_t)scan->width;
    uint64_t rest = block;
    *first = scan->structure->first_id;
    if (scan->chunked < scan->n_axes) {
        const struct scan_axis *axis = &scan->axes[scan->chunked];
        uint64_t chunks = (axis->length + scan->chunk - 1) / scan->chunk;
        chunk_from = (size_t)(rest % chunks) * scan->chunk;
        rest /= chunks;
        size_t here =
            axis->length - chunk_from < scan->chunk ? axis->length - chunk_from : scan->chunk;
        n = here * scan->tail;
        *first += chunk_from * axis->stride;
    }
    size_t digits[SPACE_AXES_MAX] = {0};
    for (size_t a = scan->chunked < scan->n_axes ? scan->chunked : 0; a-- > 0;) {
        digits[a] = (size_t)(rest % scan->axes[a].length);
        rest /= scan->axes[a].length;
        *first += digits[a] * scan->axes[a].stride;
    }
    for (size_t i = 0; i < scan->n_inputs; i++) {
        const struct scan_input *input = &scan->inputs[i];
        size_t a = input->free_axis;
        if (local->points[i])
            for (size_t v = 0; v < n / scan->tail; v++) {
                double number = axis_number(scan, input, chunk_from + v);
                size_t copies = scan->row < scan->width ? 1 : scan->tail;
                for (size_t p = 0; p < copies; p++)
                    local->points[i][v * copies + p] = number;
            }
        else if (!scan->columns[i])
            term_state_scalar(
                local->state, input->input,
                axis_number(scan, input, a == scan->chunked ? chunk_from : digits[a]));
    }
    return (int)n;
}

/* Output i as a column of n values. */
static const double *block_values(const struct scan_local *local, int i, int n, double *buffer)
{
    bool scalar;
    const double *values = term_state_output(local->state, i, &scalar);
    if (!scalar)
        return values;
    for (int k = 0; k < n; k++)
        buffer[k] = *values;
    return buffer;
}

/* Whether a number among the first that are compared is not finite; a column that two of them share
 * is looked at once, and one with a finite sum of squares not at all. */
static bool block_broken(const struct scan *scan, const double *const *values, double squares,
                         int n)
{
    bool broken = false;
    for (size_t i = 0; i <= scan->sweep->space->n_objectives && !broken; i++)
        if (i == 0 ? !isfinite(squares) : values[i] != values[0])
            broken = term_kernels_get()->not_finite(values[i], n);
    return broken;
}

/* The same of a condition that is one number a row. */
static int rows_reject(const struct scan *scan, struct scan_local *local, const double *truths,
                       int n)
{
    int count = 0;
    for (int from = 0; from < n; from += scan->row) {
        int to = from + scan->row < n ? from + scan->row : n;
        if (truths[from / scan->row] != 0.0)
            continue;
        for (int k = from; k < to; k++)
            count += local->mask[k];
        memset(local->mask + from, 0, (size_t)(to - from));
    }
    return count;
}

/* Counts and masks points that a `where` rejects or that have no finite metric. */
static int block_mask(const struct scan *scan, struct scan_local *local, struct scan_worker *worker,
                      const double *const *values, double squares, int n)
{
    const struct space *space = scan->sweep->space;
    int kept = n;
    bool broken = block_broken(scan, values, squares, n);
    if (!broken && space_conditions(space) == 0)
        return n;
    memset(local->mask, 1, (size_t)n);
    for (size_t w = 0; w < space_conditions(space) && kept; w++) {
        bool scalar = false;
        int output = (int)(1 + space->n_objectives + w);
        const double *truths = term_state_row_output(local->state, output);
        const double *truth = truths ? NULL : term_state_output(local->state, output, &scalar);
        int rejected = truths          ? rows_reject(scan, local, truths, n)
                       : !scalar       ? term_kernels_get()->reject(local->mask, truth, n)
                       : *truth != 0.0 ? 0
                                       : kept;
        worker->rejected[w] += (uint64_t)rejected;
        kept -= rejected;
    }
    for (int k = 0; k < n && broken && kept; k++)
        for (size_t i = 0; i <= space->n_objectives; i++)
            if (local->mask[k] && !isfinite(values[i][k])) {
                local->mask[k] = 0;
                worker->undefined++;
                kept--;
            }
    return kept;
}

/* Where the `kept` points of the mask, of which there are some, begin; -1: they are no neighbours.
 */
static int block_neighbours(const struct scan_local *local, int n, int kept)
{
    int from = (int)((unsigned char *)memchr(local->mask, 1, (size_t)n) - local->mask);
    return memchr(local->mask + from, 0, (size_t)kept) ? -1 : from;
}

/* Leaves the `kept` points of the mask in the columns; their ids less the block's first into
 * local->ids. */
static void block_compress(const struct scan *scan, struct scan_local *local, const double **values,
                           int n, int kept)
{
    int to = 0;
    for (int k = 0; k < n; k++) { /* no branch depends on the mask */
        local->places[to] = (unsigned short)k;
        to += local->mask[k];
    }
    for (int k = 0; k < kept; k++)
        local->ids[k] = scan->offsets[local->places[k]];
    for (size_t i = 0; i <= scan->sweep->space->n_objectives; i++) {
        for (int k = 0; k < kept; k++)
            local->values[i][k] = values[i][local->places[k]];
        values[i] = local->values[i];
    }
}

/* What is left of a block's n points. */
struct scan_left {
    int n, kept;
    int from;       /* the kept are neighbours from there on; -1: they are not */
    double squares; /* of all n rank values the sum */
};

/* Marginals of the kept points; returns the best value. Where they are whole values of the
 * outermost axis inside they are a block too. */
static double block_marginals(const struct scan *scan, const struct scan_local *local,
                              struct marginals *marginals, const double *values,
                              const struct scan_left *left, uint64_t first)
{
    int from = left->from, kept = left->kept;
    struct marginals_block block = {.part = scan->structure->part,
                                    .values = values,
                                    .n = (size_t)left->n,
                                    .first_id = first,
                                    .axes = scan->axes,
                                    .n_axes = scan->n_axes};
    size_t stride = 0;
    for (size_t a = 0; a < scan->n_axes && !stride; a++)
        stride = scan->axes[a].inner_stride;
    if (kept == left->n) {
        block.squares = &left->squares;
    } else if (from >= 0 && stride && (size_t)from % stride == 0 && (size_t)kept % stride == 0) {
        block.values += from;
        block.first_id += scan->offsets[from];
        block.n = (size_t)kept;
    } else {
        block.mask = local->mask;
    }
    return marginals_take(marginals, &block);
}

static enum pareto_sense scan_sense(const struct scan *scan)
{
    const struct sweep *sweep = scan->sweep;
    return sweep->best_of ? space_where_sense(sweep->space, sweep->best_of - 1)
                          : sweep->space->rank_sense;
}

/* Offers points with the ids first + ids[k] (NULL: k) for the best K. `top`: the best of the
 * values, NaN: it is not known. */
static void block_rank(const struct scan *scan, struct scan_best *best, const double *values, int n,
                       double top, uint64_t first, const uint64_t *ids)
{
    bool least = scan_sense(scan) == PARETO_MAXIMISE;
    double limit = least ? -best->worst.key : best->worst.key;
    bool any = least ? top >= limit : top <= limit;
    if (isnan(top))
        any = term_kernels_get()->within(values, limit, least, n);
    for (int k = 0; k < n && any; k++)
        if (least ? values[k] >= limit : values[k] <= limit)
            scan_best_offer(best, (struct scan_entry){least ? -values[k] : values[k],
                                                      first + (ids ? ids[k] : (uint64_t)k)});
}

bool scan_block(struct scan *scan, uint64_t block, int index)
{
    struct scan_local *local = &scan->locals[index];
    struct scan_worker *worker = &scan->workers[index];
    const struct space *space = scan->sweep->space;
    const double *values[1 + PARETO_OBJECTIVES_MAX];
    uint64_t first;
    if (worker->status || interrupt_requested())
        return false;
    int n = scan_block_inputs(scan, local, block, &first);
    term_state_block(local->state, n);
    if (interrupt_requested()) /* a solver may have stopped half-way */
        return false;
    for (size_t i = 0; i <= space->n_objectives; i++)
        values[i] = block_values(local, (int)i, n, local->values[i]);
    struct scan_left left = {.n = n, .squares = marginals_squares(values[0], (size_t)n)};
    int kept = left.kept = block_mask(scan, local, worker, values, left.squares, n);
    worker->kept += (uint64_t)kept;
    progress_add((uint64_t)n);
    if (kept == 0)
        return true;
    left.from = kept < n ? block_neighbours(local, n, kept) : 0;
    double top = scan->sweep->best_of
                     ? (double)NAN
                     : block_marginals(scan, local, worker->marginals, values[0], &left, first);
    const uint64_t *ids = scan->contiguous && kept == n ? NULL : scan->offsets; /* from the first */
    if (left.from < 0) {
        block_compress(scan, local, values, n, kept);
        ids = local->ids;
    } else if (left.from > 0) {
        for (size_t i = 0; i <= space->n_objectives; i++)
            values[i] += left.from;
        ids += left.from;
    }
    block_rank(scan, &worker->best, values[0], kept, top, first, ids);
    near_boxes(space, values + 1, local->values + 1, kept);
    worker->status =
        pareto_front_offer(worker->front, values + 1, ids, first, (size_t)kept, &worker->error);
    return worker->status == 0;
}

int scan_open(const struct sweep *sweep, const struct structure *structure,
              struct scan_worker *workers, int n_workers, const char **complete, struct scan **out,
              struct error *error)
{
    struct scan *scan = memory_zero(1, sizeof *scan);
    *scan = (struct scan){
        .sweep = sweep, .structure = structure, .workers = workers, .n_workers = n_workers};
    bool adaptive = sweep->adaptive && !sweep->best_of;
    int status = adaptive ? adaptive_open(sweep, structure, &workers[0], n_workers, &scan->adaptive,
                                          complete, error)
                          : 0;
    *out = status ? NULL : scan;
    if (scan->adaptive)
        return 0;
    if (!status && (status = scan_init(scan, error)) == 0) {
        parallel_for(scan->n_workers, (uint64_t)scan->n_workers, begin_local, scan);
        return 0;
    }
    scan_fini(scan);
    free(scan);
    *out = NULL;
    return status;
}

void scan_close(struct scan *scan)
{
    if (!scan)
        return;
    if (scan->adaptive)
        adaptive_close(scan->adaptive);
    else
        scan_fini(scan);
    free(scan);
}

uint64_t scan_blocks(const struct scan *scan)
{
    return scan->adaptive ? adaptive_rounds(scan->adaptive) : scan->blocks;
}

static bool scan_item(void *context, uint64_t item, int worker)
{
    struct scan *scan = context;
    return scan_block(scan, scan->from + item, worker);
}

int scan_run(struct scan *scan, uint64_t from, uint64_t to, struct error *error)
{
    int status = 0;
    for (uint64_t round = from; scan->adaptive && round < to && !status; round++)
        status = adaptive_round(scan->adaptive, round, error);
    if (scan->adaptive)
        return status;
    scan->from = from;
    parallel_while(scan->n_workers, to - from, scan_item, scan);
    for (int w = 0; w < scan->n_workers; w++)
        if (scan->workers[w].status) {
            *error = scan->workers[w].error;
            return scan->workers[w].status;
        }
    return interrupt_check(error);
}

int scan_look_ahead(const struct sweep *sweep, const struct structure *structure, uint64_t points,
                    struct scan_worker *ahead, struct error *error)
{
    enum { LOOKS = 4 }; /* so many times the points of one, at least */
    struct adaptive *adaptive = NULL;
    if (points < LOOKS * ADAPTIVE_LOOK)
        return 0;
    int status = adaptive_open(sweep, structure, ahead, sweep->threads, &adaptive, NULL, error);
    if (adaptive && !status)
        status = adaptive_look(adaptive, error);
    adaptive_close(adaptive);
    return status;
}

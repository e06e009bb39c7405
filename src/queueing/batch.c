/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts points of a batch into the lanes of the solvers and takes the answers out. */
#include "queueing/batch.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "queueing/closed_kernels.h"

/* Multiplications of the largest MVA, about a minute; doubles of its queues, 1 GB. */
static const double mva_work_max = 3e10, mva_memory_max = 1.25e8;

/* Sweeps of Newton's method: most networks settle in less than ten. Those that do not by the first
 * limit are put beside each other, for thorough sweeps: most of these settle in less than ten of
 * them, the rest never does. They are taken as they changed least, or iterated. */
enum { SWEEPS_FEW = 16, SWEEPS_THOROUGH = 24 };

struct solver {
    const struct queueing_batch *batch;
    enum queueing_method method;
    const struct closed_kernels *kernels;
    int *asks;       /* [block's class]: the network's */
    int *waits;      /* [block's station]: the network's */
    size_t *missed;  /* points that Newton's method has still to settle */
    double *reached; /* [missed]: the largest change of the best sweep */
    size_t n_missed;
    double tolerance_most;
    bool varies; /* some station of the block is load-dependent */
    struct closed_block block;
    double *population, *think, *demand, *excess, *spread, *enough; /* what the block points to */
    const struct queueing_station **varying;
    double *memory, *work;
    size_t work_size;
};

static int check_point(const struct queueing_batch *batch, size_t point, struct error *error)
{
    const struct queueing_network *network = batch->network;
    for (int c = 0; c < network->classes; c++) {
        double n = batch->population[c][point], think = batch->think_s[c][point], sum = think;
        if (!queueing_is_amount(n) || n != floor(n))
            return error_set(
                error, STATUS_INPUT,
                "point %zu, class \"%.80s\": population must be a whole number up to 1e100, not "
                "%g",
                point, network->class[c].name, n);
        if (!queueing_is_amount(think))
            return error_set(
                error, STATUS_INPUT,
                "point %zu, class \"%.80s\": think must be 0 s, or 1e-100 s to 1e100 s, not %g s",
                point, network->class[c].name, think);
        for (int k = 0; k < network->stations; k++) {
            double demand = batch->demand_s[k * network->classes + c][point];
            if (!queueing_is_amount(demand))
                return error_set(error, STATUS_INPUT,
                                 "point %zu, class \"%.80s\" at station \"%.80s\": demand must be "
                                 "0 s, or 1e-100 s to 1e100 s, not %g s",
                                 point, network->class[c].name, network->station[k].name, demand);
            sum += demand;
        }
        if (n > 0.0 && sum == 0.0)
            return error_set(error, STATUS_INPUT,
                             "point %zu, class \"%.80s\" has neither demand nor think time: its "
                             "throughput has no bound",
                             point, network->class[c].name);
    }
    return 0;
}

static int check_rests(const struct queueing_batch *batch, size_t point, struct error *error)
{
    for (int k = 0; k < batch->network->stations && batch->rest; k++)
        if (batch->rest[k] && !queueing_is_amount(batch->rest[k][point]))
            return error_set(error, STATUS_INPUT,
                             "point %zu, station \"%.80s\": the rest of a service must be 0, or "
                             "1e-100 to 1e100 services, not %g",
                             point, batch->network->station[k].name, batch->rest[k][point]);
    return 0;
}

static int check_shape(const struct queueing_batch *batch, enum queueing_method method,
                       struct error *error)
{
    const struct queueing_network *network = batch->network;
    for (int k = 0; k < network->stations && batch->copies; k++)
        if (batch->copies[k] < 1 ||
            (batch->copies[k] > 1 && network->station[k].kind != QUEUEING_QUEUE))
            return error_set(error, STATUS_INPUT,
                             "station \"%.80s\": %d copies; at least 1, and more of plain queues "
                             "only",
                             network->station[k].name, batch->copies[k]);
    for (int k = 0; k < network->stations && method == QUEUEING_MVA; k++)
        if (network->station[k].kind >= QUEUEING_MULTI) {
            error_set(error, STATUS_INPUT, "mva: station \"%.80s\" has several servers or rates",
                      network->station[k].name);
            return error_hint(error,
                              "exact and convolution take it, and schweitzer and linearizer");
        }
    if (method == QUEUEING_MVA && network->classes > CLOSED_MVA_CLASSES)
        return error_set(error, STATUS_INPUT, "mva: %d classes, at most %d", network->classes,
                         CLOSED_MVA_CLASSES);
    return 0;
}

static int check_lattice(const struct queueing_batch *batch, size_t point, struct error *error)
{
    const struct queueing_network *network = batch->network;
    double states = 1.0;
    for (int c = 0; c < network->classes; c++)
        states *= batch->population[c][point] + 1.0;
    double slab = states / (batch->population[0][point] + 1.0);
    if (states * network->stations * network->classes <= mva_work_max &&
        slab * network->stations * 2.0 <= mva_memory_max)
        return 0;
    error_set(error, STATUS_INPUT, "mva: %.4g populations of %d classes are too many", states,
              network->classes);
    return error_hint(error, "schweitzer and linearizer take any population");
}

/* The part of a station's demand that is waited for, and the part that is not. */
static double queued_part(const struct queueing_station *station, double demand)
{
    return station->kind == QUEUEING_MULTI ? demand / station->servers : demand;
}

static double delayed_part(const struct queueing_station *station, double demand)
{
    if (station->kind == QUEUEING_DELAY)
        return demand;
    return station->kind == QUEUEING_MULTI ? demand * (station->servers - 1) / station->servers
                                           : 0.0;
}

static void solver_init(struct solver *s, const struct queueing_batch *batch,
                        enum queueing_method method, const struct queueing_options *options)
{
    const struct queueing_network *network = batch->network;
    size_t lanes = CLOSED_LANES_MAX, classes = (size_t)network->classes;
    size_t stations = (size_t)network->stations, counts = classes * lanes;
    const char *wanted = options ? options->kernels : NULL;
    *s = (struct solver){.batch = batch, .method = method};
    s->kernels = wanted ? closed_kernels_find(wanted) : NULL;
    if (!s->kernels)
        s->kernels = closed_kernels_get();
    s->memory = memory_zero(3 * counts + 2 * counts * stations + stations * (lanes + 1) + 3 * lanes,
                            sizeof(double));
    s->asks = memory_zero(classes, sizeof *s->asks);
    s->waits = memory_zero(stations, sizeof *s->waits);
    s->missed = memory_zero(batch->count, sizeof *s->missed);
    s->reached = memory_zero(batch->count, sizeof *s->reached);
    s->tolerance_most = options ? options->tolerance_most : 0.0;
    s->varying = memory_zero(stations, sizeof *s->varying);
    s->population = s->memory;
    s->think = s->population + counts;
    s->demand = s->think + counts;
    s->excess = s->demand + counts * stations;
    s->spread = s->excess + stations * lanes;
    s->enough = s->spread + stations;
    struct closed_block *b = &s->block;
    *b = (struct closed_block){
        .population = s->population,
        .think_s = s->think,
        .demand_s = s->demand,
        .excess = s->excess,
        .spread = s->spread,
        .enough = s->enough,
        .varying = s->varying,
        .tolerance = options && options->tolerance > 0.0 ? options->tolerance : 1e-13,
        .rounds = options && options->rounds > 0 ? options->rounds : 2000000};
    b->throughput_per_s = s->enough + lanes;
    b->residence_s = b->throughput_per_s + counts;
    b->unsettled = b->residence_s + counts * stations;
    b->reached = b->unsettled + lanes;
}

/* Whether a class is at some of the points; at a station, k at least 0. */
static bool is_asking(const struct queueing_batch *batch, int c, int k, const size_t *points,
                      size_t count)
{
    bool asks = false;
    for (size_t i = 0; i < count && !asks; i++)
        asks = batch->population[c][points[i]] > 0.0 &&
               (k < 0 || batch->demand_s[k * batch->network->classes + c][points[i]] > 0.0);
    return asks;
}

/* Of a station whose rests are those of its scv, or who knows which. */
static bool is_residual(const struct queueing_batch *batch, int k)
{
    const struct queueing_station *station = &batch->network->station[k];
    return station->kind == QUEUEING_QUEUE &&
           (station->scv != 1.0 || (batch->rest && batch->rest[k]));
}

static double station_excess(const struct queueing_batch *batch, int k, size_t point)
{
    if (!is_residual(batch, k))
        return 0.0;
    return batch->rest && batch->rest[k] ? 1.0 - batch->rest[k][point]
                                         : (1.0 - batch->network->station[k].scv) / 2.0;
}

/* How a network is solved, whoever asks: a point's bits must not hang on those beside it. */
static void choose_way(struct solver *s)
{
    const struct queueing_network *network = s->batch->network;
    s->block.residual = s->varies = false;
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        s->varies |= station->kind == QUEUEING_LOAD_DEPENDENT;
        s->block.residual |= s->varies || is_residual(s->batch, k);
    }
}

/* The classes that somebody of is at the points, and the stations that they wait at; all of them
 * for MVA, whose lattice has places for all, and where rates vary: then those who are not there
 * have a part in when the iteration ends. */
static void choose_shape(struct solver *s, const size_t *points, size_t count)
{
    const struct queueing_batch *batch = s->batch;
    const struct queueing_network *network = batch->network;
    struct closed_block *b = &s->block;
    choose_way(s);
    bool all = s->method == QUEUEING_MVA || s->varies;
    b->classes = b->stations = 0;
    for (int c = 0; c < network->classes; c++)
        if (all || is_asking(batch, c, -1, points, count))
            s->asks[b->classes++] = c;
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        bool asked = all;
        for (int i = 0; i < b->classes && !asked; i++)
            asked = is_asking(batch, s->asks[i], k, points, count);
        if (station->kind == QUEUEING_DELAY || !asked)
            continue;
        int at = b->stations++;
        s->waits[at] = k;
        s->spread[at] = batch->copies ? 1.0 / batch->copies[k] : 1.0;
        s->varying[at] = station->kind == QUEUEING_LOAD_DEPENDENT ? station : NULL;
    }
}

static void solver_fini(struct solver *s)
{
    free(s->memory);
    free(s->asks);
    free(s->waits);
    free(s->missed);
    free(s->reached);
    free(s->varying);
    free(s->work);
}

/* One point into one lane. A class of nobody must not divide by a cycle of nothing. */
static void put_lane(struct solver *s, size_t point, int lane, int lanes)
{
    const struct queueing_batch *batch = s->batch;
    const struct queueing_network *network = batch->network;
    const struct closed_block *b = &s->block;
    for (int at = 0; at < b->stations; at++)
        s->excess[at * lanes + lane] = station_excess(batch, s->waits[at], point);
    for (int i = 0; i < b->classes; i++) {
        int c = s->asks[i];
        double n = batch->population[c][point], think = batch->think_s[c][point];
        for (int k = 0; k < network->stations; k++)
            think += delayed_part(&network->station[k],
                                  batch->demand_s[k * network->classes + c][point]);
        s->population[i * lanes + lane] = n;
        s->think[i * lanes + lane] = n > 0.0 ? think : 1.0;
        for (int at = 0; at < b->stations; at++) {
            int k = s->waits[at];
            s->demand[(at * b->classes + i) * lanes + lane] =
                queued_part(&network->station[k], batch->demand_s[k * network->classes + c][point]);
        }
    }
}

/* Those who are not there, or ask for nothing, stay nowhere. */
static void clear_point(const struct queueing_batch *batch, size_t point, bool settled)
{
    const struct queueing_network *network = batch->network;
    for (int c = 0; c < network->classes; c++)
        batch->throughput_per_s[c][point] = settled ? 0.0 : (double)NAN;
    for (int i = 0; i < network->stations * network->classes && batch->residence_s; i++) {
        const struct queueing_station *station = &network->station[i / network->classes];
        bool there = batch->population[i % network->classes][point] > 0.0;
        batch->residence_s[i][point] = !settled ? (double)NAN
                                       : there  ? delayed_part(station, batch->demand_s[i][point])
                                                : 0.0;
    }
}

static void take_lane(const struct solver *s, size_t point, int lane, int lanes)
{
    const struct queueing_batch *batch = s->batch;
    const struct closed_block *b = &s->block;
    bool settled = b->unsettled[lane] == 0.0;
    clear_point(batch, point, settled);
    for (int i = 0; i < b->classes && settled; i++) {
        int c = s->asks[i];
        batch->throughput_per_s[c][point] = b->throughput_per_s[i * lanes + lane];
        for (int at = 0; at < b->stations && batch->residence_s; at++)
            if (batch->population[c][point] > 0.0)
                batch->residence_s[s->waits[at] * batch->network->classes + c][point] +=
                    b->residence_s[(at * b->classes + i) * lanes + lane];
    }
}

static void need_work(struct solver *s, size_t size)
{
    if (size <= s->work_size)
        return;
    free(s->work);
    s->work = memory_aligned(64, size * sizeof *s->work);
    s->work_size = size;
}

static void iterate(struct solver *s, const struct closed_solvers *solvers)
{
    struct closed_block *b = &s->block;
    if (s->method == QUEUEING_MVA)
        need_work(s, closed_work_mva(b->population, b->classes, b->stations, solvers->lanes));
    else
        need_work(s, closed_work_iterate(b->classes, b->stations, solvers->lanes));
    b->work = s->work;
    if (s->method == QUEUEING_MVA)
        solvers->mva(b);
    else if (s->method == QUEUEING_SCHWEITZER)
        solvers->schweitzer(b);
    else
        solvers->linearizer(b);
}

/* Whether Newton's method goes before the iteration. */
static bool is_straight(const struct solver *s)
{
    return s->method == QUEUEING_LINEARIZER && !s->varies &&
           s->batch->network->classes <= CLOSED_NEWTON_CLASSES;
}

/* Points that fit into the lanes. Those that Newton's method does not settle are added to the
 * missed. `enough`: what it takes for settled of each; NULL: the tolerance. */
static void solve_lanes(struct solver *s, const size_t *points, const double *enough, size_t count,
                        bool thorough)
{
    const struct closed_solvers *solvers = count > 1 ? &s->kernels->many : &s->kernels->one;
    struct closed_block *b = &s->block;
    int lanes = solvers->lanes;
    choose_shape(s, points, count);
    for (int lane = 0; lane < lanes; lane++) {
        size_t from = (size_t)lane < count ? (size_t)lane : 0;
        put_lane(s, points[from], lane, lanes);
        s->enough[lane] = enough ? enough[from] : b->tolerance;
    }
    b->thorough = thorough;
    b->sweeps = thorough ? SWEEPS_THOROUGH : SWEEPS_FEW;
    if (is_straight(s)) {
        need_work(s, closed_work_newton(b->classes, b->stations, lanes, thorough));
        b->work = s->work;
        solvers->newton(b);
    } else {
        iterate(s, solvers);
    }
    for (size_t lane = 0; lane < count; lane++) {
        take_lane(s, points[lane], (int)lane, lanes);
        if (!is_straight(s) || b->unsettled[lane] == 0.0)
            continue;
        s->missed[s->n_missed] = points[lane];
        s->reached[s->n_missed++] = b->reached[lane];
    }
}

/* The points that were missed, beside each other; the list is then of those that still are. */
static int solve_missed(struct solver *s, size_t n_missed, const double *enough,
                        struct error *error)
{
    size_t lanes = (size_t)s->kernels->many.lanes;
    int status = 0;
    s->n_missed = 0;
    for (size_t from = 0, count; from < n_missed && !status; from += count) {
        size_t points[CLOSED_LANES_MAX];
        double near[CLOSED_LANES_MAX];
        count = n_missed - from < lanes ? n_missed - from : lanes;
        for (size_t i = 0; i < count; i++) {
            points[i] = s->missed[from + i];
            near[i] = enough ? enough[from + i] : s->block.tolerance;
        }
        solve_lanes(s, points, near, count, true);
        status = interrupt_check(error);
    }
    return status;
}

/* After the first sweeps: thorough ones; then what changed little is taken where it changed least,
 * in the same sweeps again; the rest is iterated. */
static int settle_missed(struct solver *s, struct error *error)
{
    int status = solve_missed(s, s->n_missed, NULL, error);
    size_t near = 0, n_missed = s->n_missed;
    for (size_t i = 0; i < n_missed && !status; i++) {
        size_t point = s->missed[i];
        if (s->reached[i] <= s->tolerance_most) {
            s->missed[near] = point;
            s->reached[near++] = s->reached[i];
            continue;
        }
        choose_shape(s, &point, 1);
        put_lane(s, point, 0, 1);
        iterate(s, &s->kernels->one);
        take_lane(s, point, 0, 1);
        status = interrupt_check(error);
    }
    return status ? status : solve_missed(s, near, s->reached, error);
}

/* How many points from `from` on go together: as many as there are lanes; for MVA
 * those of one population, and of a large one as few as fit into memory. */
static size_t count_lanes(const struct solver *s, size_t from)
{
    const struct queueing_batch *batch = s->batch;
    const struct queueing_network *network = batch->network;
    size_t count = 1, most = batch->count - from;
    double slab = 1.0;
    if (most > (size_t)s->kernels->many.lanes)
        most = (size_t)s->kernels->many.lanes;
    if (s->method != QUEUEING_MVA)
        return most;
    for (int c = 1; c < network->classes; c++)
        slab *= batch->population[c][from] + 1.0;
    if (slab * network->stations * 2.0 * s->kernels->many.lanes > mva_memory_max)
        return 1;
    for (; count < most; count++)
        for (int c = 0; c < network->classes; c++)
            if (batch->population[c][from + count] != batch->population[c][from])
                return count;
    return count;
}

int queueing_solve_batch(const struct queueing_batch *batch, enum queueing_method method,
                         const struct queueing_options *options, struct error *error)
{
    struct solver solver;
    int status = check_shape(batch, method, error);
    for (size_t point = 0; point < batch->count && !status; point++)
        if (!(status = check_point(batch, point, error)))
            status = check_rests(batch, point, error);
    for (size_t point = 0; point < batch->count && !status && method == QUEUEING_MVA; point++)
        status = check_lattice(batch, point, error);
    if (status)
        return status;
    solver_init(&solver, batch, method, options);
    for (size_t from = 0, count; from < batch->count && !status; from += count) {
        size_t points[CLOSED_LANES_MAX];
        count = count_lanes(&solver, from);
        for (size_t i = 0; i < count; i++)
            points[i] = from + i;
        solve_lanes(&solver, points, NULL, count, false);
        status = interrupt_check(error);
    }
    if (!status)
        status = settle_missed(&solver, error);
    solver_fini(&solver);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves networks for columns of points.
 *
 * Domains have their own work: a class that has done its share leaves, and the others go on with
 * the machine to themselves. (The network of all alone would not do: its throughputs are not in the
 * proportion of the mix, and at a fixed mix a hot memory would idle.) So a launch has phases; in
 * each
 *
 *     X_c  throughputs of the closed network of those that still work,
 *     t    until the next is done: min over c of  w_c / X_c,   w_c work that is left
 *
 * and the launch takes the sum of the t. Classes that end within PHASE_SHARE of the time passed
 * end together, with the last of them. Utilisations are over the launch: work * demand / time.
 * Latencies are those of the first phase, in which all work. */
#include "network/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"

#define PHASE_SHARE 1e-3
#define TOLERANCE 1e-9
#define TOLERANCE_MOST 1e-3

/* The Linearizer's work grows with the cube of the classes. */
enum { LINEARIZER_CLASSES = 8 };
/* Newton's method settles within a few dozen rounds. What it does not settle the iteration does not
 * either (stations that are equally full): it is tried in earnest with a wider tolerance. */
enum { ROUNDS = 4000, ROUNDS_NEWTON = 300 };
void work_init(struct work *w, const struct network *network)
{
    size_t classes = (size_t)network->classes, stations = (size_t)network->stations;
    size_t pairs = classes * stations;
    *w = (struct work){.network = network};
    w->memory =
        memory_zero((2 * pairs + 18 * classes + 1) * CHUNK + classes + stations, sizeof(double));
    w->demand = w->memory;
    w->residence = w->demand + pairs * CHUNK;
    w->think = w->residence + pairs * CHUNK;
    w->population = w->think + classes * CHUNK;
    w->throughput = w->population + classes * CHUNK;
    w->left = w->throughput + classes * CHUNK;
    w->customers = w->left + classes * CHUNK;
    w->way = w->customers + classes * CHUNK;
    w->places = w->way + classes * CHUNK;
    w->ending = w->places + classes * CHUNK;
    w->longer = w->ending + classes * CHUNK;
    w->wait = w->longer + classes * CHUNK;
    w->late = w->wait + classes * CHUNK;
    w->alone = w->late + classes * CHUNK;
    w->busiest = w->alone + classes * CHUNK;
    w->done = w->busiest + classes * CHUNK;
    w->few = w->done + classes * CHUNK;
    w->reach = w->few + classes * CHUNK;
    w->idle = w->reach + classes * CHUNK;
    w->blocked = w->idle + classes * CHUNK;
    w->time = w->blocked + classes * CHUNK;
    w->over = w->time + CHUNK;
    w->stretch = w->over + classes;
    work_init_rests(w);
    size_t solved = stations + (size_t)w->rests.count;
    w->demand_at = memory_zero(solved * classes, sizeof *w->demand_at);
    w->residence_at = memory_zero(solved * classes, sizeof *w->residence_at);
    w->rest_at = memory_zero(solved, sizeof *w->rest_at);
    w->think_at = memory_zero(classes, sizeof *w->think_at);
    w->population_at = memory_zero(classes, sizeof *w->population_at);
    w->throughput_at = memory_zero(classes, sizeof *w->throughput_at);
    w->class = memory_zero(classes, sizeof *w->class);
    w->station = memory_zero(solved, sizeof *w->station);
    w->copies = memory_zero(solved, sizeof *w->copies);
    for (size_t c = 0; c < classes; c++)
        w->class[c].name = "domain";
    for (size_t k = 0; k < solved; k++) {
        const struct network_station *of =
            &network->station[k < stations ? (int)k : w->rests.station[k - stations]];
        w->station[k] = (struct queueing_station){
            .name = network->names[of->kind], .kind = QUEUEING_QUEUE, .scv = network->scv};
        w->copies[k] = of->copies;
    }
    w->shape = (struct queueing_network){network->classes, (int)solved, w->class, w->station, NULL};
}

void work_fini(struct work *w)
{
    free(w->memory);
    free(w->demand_at);
    free(w->residence_at);
    free(w->think_at);
    free(w->population_at);
    free(w->throughput_at);
    free(w->class);
    free(w->station);
    free(w->copies);
    free(w->rest_at);
    work_fini_rests(w);
}

/* --- demands ---------------------------------------------------------------------- */

void work_add_product(double *restrict out, double weight, const struct term_operand *args,
                      const int *factors, int count, int from, int n)
{
    double product[CHUNK];
    for (int p = 0; p < n; p++)
        product[p] = weight;
    for (int f = 0; f < count; f++) {
        const struct term_operand *arg = &args[factors[f]];
        if (factors[f] == 0)
            continue;
        for (int p = 0; p < n; p++)
            product[p] *= arg->data[arg->step ? from + p : 0];
    }
    for (int p = 0; p < n; p++)
        out[p] += product[p];
}

double network_population(const struct network_class *class, double reads_in_flight,
                          double writes_in_flight, double past_in_flight)
{
    double w = class->writes, y = class->past, z = class->beside, flight = HUGE_VAL;
    if (w + y + z < 1)
        flight = reads_in_flight * fmax(1, class->sectors) / (1 - w - y - z);
    if (y > 0)
        flight = fmin(flight, past_in_flight / y);
    if (w > 0)
        flight = fmin(flight, writes_in_flight / w);
    double even = class->even > 0 ? class->even : 1;
    return fmax(1, floor(class->sms * even * class->domains * flight));
}

static void set_demands(struct work *w, const struct term_operand *args, int from, int n)
{
    const struct network *network = w->network;
    size_t pairs = (size_t)(network->classes * network->stations);
    memset(w->demand, 0, pairs * CHUNK * sizeof(double));
    memset(w->think, 0, (size_t)network->classes * CHUNK * sizeof(double));
    memset(w->way, 0, (size_t)network->classes * CHUNK * sizeof(double));
    memset(w->ending, 0, (size_t)network->classes * CHUNK * sizeof(double));
    memset(w->idle, 0, (size_t)network->classes * CHUNK * sizeof(double));
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        int factors[] = {visit->flow, visit->miss, visit->amount, visit->slowness};
        if (visit->waits)
            continue;
        double *out = visit->station < 0
                          ? w->think + visit->class * CHUNK
                          : w->demand + (visit->station * network->classes + visit->class) * CHUNK;
        work_add_product(out, visit->weight, args, factors, 4, from, n);
        if (visit->station < 0)
            work_add_product((visit->path == PATH_NONE ? w->idle : w->way) + visit->class * CHUNK,
                             visit->weight, args, factors, 4, from, n);
        if (visit->station < 0 && visit->path != PATH_NONE && !visit->miss)
            work_add_product(w->ending + visit->class * CHUNK,
                             visit->weight / network_beside(network, visit->path), args, factors, 4,
                             from, n);
    }
}

/* Of how many SMs a class asks for requests. A launch's chain is as long for the domain with most
 * of its requests as for one with few, which has fewer beside each other; where nobody says the
 * chain, each SM asks for as many. */
static double sms_asking(const struct network *network, const struct network_class *class)
{
    double working = 0;
    if (!network->chained)
        return class->sms * class->domains;
    for (int c = 0; c < network->classes; c++)
        working += network->class[c].sms * network->class[c].domains;
    return working * class->work;
}

/* Of customers that a class has all the time, and the class with most of them. Where that is less
 * than one, a domain has fewer requests than the longest chain has waits, each for one of its own
 * at least, and its own chain is as much shorter; but for the domain that has the longest. */
static double reach_of(double asked, double most)
{
    return asked < 1 && asked < most ? asked / fmin(1, most) : 1;
}

/* Customers are whole. Where they are few, the nearest whole number comes back later by as much, so
 * that alone in the machine they ask for as many a second; or sooner, where they think so long. */
static void set_populations(struct work *w, const struct term_operand *args, int from, int n)
{
    const struct network *network = w->network;
    double most = 0;
    for (int c = 0; c < network->classes; c++)
        most = fmax(most, sms_asking(network, &network->class[c]) / network->class[c].domains);
    for (int c = 0; c < network->classes; c++)
        for (int p = 0; p < n; p++) {
            const struct network_class *class = &network->class[c];
            double each = network_argument(args, network->asked, from + p);
            double asked = sms_asking(network, class) * each;
            double *reach = &w->reach[c * CHUNK + p];
            *reach = network->chained ? reach_of(asked / class->domains, most * each) : 1;
            asked /= *reach;
            w->places[c * CHUNK + p] =
                network_population(class, network_argument(args, network->mshrs, from + p),
                                   network_argument(args, network->buffers, from + p),
                                   network_argument(args, network->passing, from + p));
            work_set_lag(w, c, p, asked);
            double *think = &w->think[c * CHUNK + p], alone = *think;
            double whole = fmax(1, round(asked));
            for (int k = 0; k < network->stations; k++)
                alone += w->demand[(k * network->classes + c) * CHUNK + p];
            if (*think < alone * (1 - whole / asked))
                whole = ceil(asked);
            *think += alone * (whole / asked - 1);
            w->late[c * CHUNK + p] *= whole / asked;
            w->population[c * CHUNK + p] = w->customers[c * CHUNK + p] = whole;
            w->left[c * CHUNK + p] = class->work;
        }
}

void work_prepare(struct work *w, const struct term_operand *args, int from, int n)
{
    set_demands(w, args, from, n);
    work_set_rests(w, args, from, n);
    work_set_waits(w, args, from, n);
    set_populations(w, args, from, n);
}

/* --- phases ----------------------------------------------------------------------- */

/* The same in all phases. */
static enum queueing_method point_method(const struct work *w, int p)
{
    double states = 1;
    if (w->network->algorithm == NETWORK_SCHWEITZER)
        return QUEUEING_SCHWEITZER;
    if (w->network->algorithm == NETWORK_LINEARIZER)
        return QUEUEING_LINEARIZER;
    if (w->network->classes > LINEARIZER_CLASSES)
        return QUEUEING_SCHWEITZER;
    for (int c = 0; c < w->network->classes; c++)
        states *= w->customers[c * CHUNK + p] + 1;
    return states <= w->network->lattice ? QUEUEING_MVA : QUEUEING_LINEARIZER;
}

static bool is_settled(const struct work *w, int p)
{
    for (int c = 0; c < w->network->classes; c++)
        if (!isfinite(w->throughput[c * CHUNK + p]))
            return false;
    return true;
}

/* Points from .. from + n - 1, which one method solves; throughputs NaN where it fails. */
static void solve_run(struct work *w, int from, int n, enum queueing_method method,
                      double tolerance)
{
    const struct network *network = w->network;
    bool newton = method == QUEUEING_LINEARIZER && network->classes <= LINEARIZER_CLASSES;
    struct queueing_options options = {.tolerance = tolerance,
                                       .tolerance_most = TOLERANCE_MOST,
                                       .rounds = newton && tolerance == TOLERANCE ? ROUNDS_NEWTON
                                                                                  : ROUNDS};
    struct error ignored;
    for (int i = 0; i < network->classes * network->stations; i++) {
        w->demand_at[i] = w->demand + i * CHUNK + from;
        w->residence_at[i] = w->residence + i * CHUNK + from;
    }
    for (int c = 0; c < network->classes; c++) {
        w->think_at[c] = w->think + c * CHUNK + from;
        w->population_at[c] = w->population + c * CHUNK + from;
        w->throughput_at[c] = w->throughput + c * CHUNK + from;
    }
    work_ask_rests(w, from, n);
    struct queueing_batch batch = {.network = &w->shape,
                                   .copies = w->copies,
                                   .count = (size_t)n,
                                   .demand_s = w->demand_at,
                                   .think_s = w->think_at,
                                   .population = w->population_at,
                                   .throughput_per_s = w->throughput_at,
                                   .residence_s = w->residence_at,
                                   .rest = w->rest_at};
    if (queueing_solve_batch(&batch, method, &options, &ignored))
        for (int c = 0; c < network->classes; c++)
            for (int p = 0; p < n; p++)
                w->throughput_at[c][p] = (double)NAN;
    work_take_rests(w, from, n);
}

/* Where several stations are equally full, queues drift between them for ever while throughputs
 * stand: such points are taken with a wider tolerance. */
static void solve_unsettled(struct work *w, int p, enum queueing_method method)
{
    static const double wider[] = {100 * TOLERANCE, 1e4 * TOLERANCE, TOLERANCE_MOST};
    for (size_t i = 0; !is_settled(w, p) && i < sizeof wider / sizeof *wider; i++)
        solve_run(w, p, 1, method, wider[i]);
}

double work_alone(const struct work *w, int c, int p, double customers, double think)
{
    double cycle = think;
    for (int k = 0; k < w->network->stations; k++)
        cycle += w->demand[(k * w->network->classes + c) * CHUNK + p];
    return customers / cycle;
}

/* The Linearizer's throughputs may exceed a capacity by a per cent: no station serves faster
 * than it can, and nobody is served faster than alone. network_bound() counts on both. */
static void cut_point(struct work *w, int p)
{
    const struct network *network = w->network;
    double *over = w->over;
    for (int c = 0; c < network->classes; c++) {
        double *reached = &w->throughput[c * CHUNK + p];
        double most = work_alone(w, c, p, w->population[c * CHUNK + p], w->think[c * CHUNK + p]);
        over[c] = 1;
        *reached = *reached > WORK_ALONE * most ? WORK_ALONE * most : *reached;
    }
    for (int k = 0; k < network->stations; k++) {
        const double *demand = w->demand + k * network->classes * CHUNK + p;
        double load = 0;
        for (int c = 0; c < network->classes; c++)
            load += w->throughput[c * CHUNK + p] * demand[c * CHUNK];
        load /= w->copies[k];
        for (int c = 0; c < network->classes && load > 1; c++)
            over[c] = demand[c * CHUNK] > 0 ? fmax(over[c], load) : over[c];
    }
    for (int c = 0; c < network->classes; c++)
        w->throughput[c * CHUNK + p] /= over[c];
}

bool work_is_for_warps(enum station_kind kind)
{
    return kind == STATION_ISSUE || kind == STATION_L1 || kind == STATION_DISPATCH;
}

/* Where a class would have more under way than there are places, its warps stand before them: the
 * places are its customers, and nothing keeps one empty. Whether there was such a class. */
static bool crowd_point(struct work *w, int p)
{
    const struct network *network = w->network;
    bool crowded = false;
    for (int c = 0; c < network->classes; c++) {
        double *population = &w->population[c * CHUNK + p], places = w->places[c * CHUNK + p];
        double time = w->way[c * CHUNK + p];
        for (int k = 0; k < network->stations; k++)
            if (!work_is_for_warps(network->station[k].kind))
                time += w->residence[(k * network->classes + c) * CHUNK + p];
        if (*population <= places || !(w->throughput[c * CHUNK + p] * time > places))
            continue;
        *population = w->customers[c * CHUNK + p] = places;
        w->think[c * CHUNK + p] = w->way[c * CHUNK + p];
        crowded = true;
    }
    return crowded;
}

void work_solve_point(struct work *w, int p)
{
    enum queueing_method method = point_method(w, p);
    solve_run(w, p, 1, method, TOLERANCE);
    solve_unsettled(w, p, method);
    cut_point(w, p);
}

/* Of n points those that are marked: the others are as they were. */
static void solve_points(struct work *w, int n, const bool *marked)
{
    for (int from = 0, end; from < n; from = end) {
        enum queueing_method method = point_method(w, from);
        for (end = from + 1; end < n && marked[end] == marked[from] &&
                             (!marked[from] || point_method(w, end) == method);)
            end++;
        if (!marked[from])
            continue;
        solve_run(w, from, end - from, method, TOLERANCE);
        for (int p = from; p < end; p++)
            solve_unsettled(w, p, method);
    }
    for (int p = 0; p < n; p++)
        if (marked[p])
            cut_point(w, p);
}

static void solve_phase(struct work *w, const struct term_operand *args, int from, int n)
{
    bool marked[CHUNK], crowded = true;
    work_unstop(w);
    for (int p = 0; p < n; p++)
        marked[p] = true;
    solve_points(w, n, marked);
    for (int round = 0; crowded && round < w->network->classes; round++) {
        crowded = false;
        for (int p = 0; p < n; p++)
            crowded |= marked[p] = crowd_point(w, p);
        if (crowded)
            solve_points(w, n, marked);
    }
    for (int p = 0; p < n && w->network->levels; p++)
        if (is_settled(w, p))
            work_stop(w, args, from, p);
}

static double time_left(const struct work *w, int c, int p)
{
    return w->left[c * CHUNK + p] / w->throughput[c * CHUNK + p];
}

/* Until the next classes are done, which leave. Returns whether others still work. */
static bool finish_classes(struct work *w, int p)
{
    int classes = w->network->classes;
    double first = HUGE_VAL, last;
    bool more = false;
    for (int c = 0; c < classes; c++)
        if (w->left[c * CHUNK + p] > 0)
            first = fmin(first, time_left(w, c, p));
    if (!isfinite(first)) { /* all done before, or not solved */
        for (int c = 0; c < classes; c++) {
            w->time[p] += w->left[c * CHUNK + p] > 0 ? (double)NAN : 0;
            w->population[c * CHUNK + p] = 0; /* phases of others are not for it */
        }
        return false;
    }
    double horizon = first + PHASE_SHARE * (w->time[p] + first);
    last = first;
    for (int c = 0; c < classes; c++)
        if (w->left[c * CHUNK + p] > 0 && time_left(w, c, p) <= horizon)
            last = fmax(last, time_left(w, c, p));
    for (int c = 0; c < classes; c++) {
        double *left = &w->left[c * CHUNK + p];
        if (*left > 0 && time_left(w, c, p) > horizon) {
            *left -= w->throughput[c * CHUNK + p] * last;
            more = true;
        } else {
            w->done[c * CHUNK + p] = *left > 0 ? w->time[p] + last : w->done[c * CHUNK + p];
            *left = 0;
            w->population[c * CHUNK + p] = 0;
        }
    }
    w->time[p] += last;
    return more;
}

/* --- results ---------------------------------------------------------------------- */

/* Mean latencies of the four ways: the common part, the way's own and, of a miss, what follows
 * it. */
static void path_latencies(const struct work *w, const struct term_operand *args, int from, int p,
                           double out[4])
{
    const struct network *network = w->network;
    double hit[PATH_COUNT] = {0}, behind[PATH_COUNT] = {0}, share[PATH_COUNT] = {0};
    for (size_t f = 0; f < network->flows.count; f++) {
        const struct network_flow *flow = &network->flows.items[f];
        share[flow->path] += network->class[flow->class].work * flow->share *
                             network_argument(args, flow->flow, from + p);
    }
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        double time = network->class[visit->class].work * visit->weight *
                      network_argument(args, visit->flow, from + p) *
                      network_argument(args, visit->amount, from + p) *
                      network_argument(args, visit->slowness, from + p);
        if (visit->waits)
            continue;
        if (visit->station >= 0)
            time *= work_stretch(w, visit->station, visit->class, p);
        else
            time /= network_beside(network, visit->path);
        *(visit->miss ? &behind[visit->path] : &hit[visit->path]) += time;
    }
    for (int path = PATH_LOCAL; path <= PATH_REMOTE; path++) {
        double common = hit[PATH_ANY] + hit[path] / share[path];
        bool used = share[path] > 0;
        out[2 * (path - PATH_LOCAL)] = used ? common : 0;
        out[2 * (path - PATH_LOCAL) + 1] = used ? common + behind[path] / share[path] : 0;
    }
}

static void put(double *const *out, int result, int point, double value)
{
    if (out[result])
        out[result][point] = value;
}

double work_fill(const struct work *w, int c, int p)
{
    const struct network *network = w->network;
    double fill = fmax(0, w->way[c * CHUNK + p] + w->longer[c * CHUNK + p]);
    for (int k = 0; k < network->stations; k++)
        if (!network->chained || !work_is_for_warps(network->station[k].kind))
            fill += w->demand[(k * network->classes + c) * CHUNK + p];
    fill += network->chained ? 0 : w->idle[c * CHUNK + p];
    return fill + (network->class[c].writes > 0 ? w->ending[c * CHUNK + p] : 0);
}

void work_put_alone(struct work *w, const struct term_operand *args, double *const *out, int from,
                    int p)
{
    double fill = 0;
    work_set_ends(w, args, from, p);
    for (int c = 0; c < w->network->classes; c++)
        fill += w->network->class[c].work * work_fill(w, c, p);
    put(out, NETWORK_FILL, from + p, fill);
    if (out[NETWORK_WARPS])
        out[NETWORK_WARPS][from + p] = work_warps_time(w, args, from, p);
}

/* From the first phase: times of a request by kind of station, and alone in the machine. */
static void put_first_phase(struct work *w, const struct term_operand *args, double *const *out,
                            int from, int p)
{
    const struct network *network = w->network;
    double demand[STATION_KIND_COUNT] = {0}, residence[STATION_KIND_COUNT] = {0};
    double paths[4], slowest = 0, stopped = 0, think = 0;
    for (int c = 0; c < network->classes; c++) {
        double alone = w->think[c * CHUNK + p] - w->blocked[c * CHUNK + p],
               work = network->class[c].work;
        for (int k = 0; k < network->stations; k++) {
            int at = (k * network->classes + c) * CHUNK + p;
            alone += w->demand[at];
            demand[network->station[k].kind] += work * w->demand[at];
            residence[network->station[k].kind] += work * w->residence[at];
        }
        alone += w->late[c * CHUNK + p];
        think += work * w->think[c * CHUNK + p];
        slowest = fmax(slowest, work * alone / w->population[c * CHUNK + p]);
        stopped = fmax(stopped, work_places_taken(w, args, c, from, p));
    }
    put(out, NETWORK_STOPPED, from + p, stopped);
    put(out, NETWORK_LATENCY, from + p, think);
    work_put_alone(w, args, out, from, p);
    put(out, NETWORK_IN_FLIGHT, from + p, slowest);
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++) {
        put(out, NETWORK_DEMAND + kind, from + p, demand[kind]);
        put(out, NETWORK_RESIDENCE + kind, from + p, residence[kind]);
    }
    if (!out[NETWORK_LOCAL_HIT] && !out[NETWORK_LOCAL_MISS] && !out[NETWORK_REMOTE_HIT] &&
        !out[NETWORK_REMOTE_MISS])
        return;
    path_latencies(w, args, from, p, paths);
    for (int path = 0; path < 4; path++)
        put(out, NETWORK_LOCAL_HIT + path, from + p, paths[path]);
}

void work_put_launch(const struct work *w, double *const *out, int from, int p)
{
    const struct network *network = w->network;
    double busiest[STATION_KIND_COUNT] = {0};
    for (int k = 0; k < network->stations; k++) {
        double load = 0;
        for (int c = 0; c < network->classes; c++)
            load += network->class[c].work * w->demand[(k * network->classes + c) * CHUNK + p];
        double *most = &busiest[network->station[k].kind];
        *most = fmax(*most, load / (network->station[k].copies * w->time[p]));
    }
    put(out, NETWORK_TIME, from + p, w->time[p]);
    if (out[NETWORK_IN_FLIGHT])
        out[NETWORK_IN_FLIGHT][from + p] /= w->time[p];
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        put(out, NETWORK_UTILISATION + kind, from + p, busiest[kind]);
}

static void solve_chunk(struct work *w, const struct term_operand *args, double *const *out,
                        int from, int n)
{
    double least[CHUNK];
    bool more = true;
    work_prepare(w, args, from, n);
    memset(w->time, 0, CHUNK * sizeof(double));
    for (int phase = 0; more; phase++) {
        solve_phase(w, args, from, n);
        for (int p = 0; p < n && phase == 0; p++)
            put_first_phase(w, args, out, from, p);
        for (int p = 0; p < n && phase == 0; p++)
            least[p] = work_unequal(w, p);
        for (int p = 0; p < n && phase == 0; p++)
            work_see_lag(w, p);
        more = false;
        for (int p = 0; p < n; p++)
            more |= finish_classes(w, p);
    }
    for (int p = 0; p < n; p++) {
        least[p] = fmax(least[p], work_lag(w, p));
        w->time[p] = w->time[p] < least[p] ? least[p] : w->time[p]; /* not one that is unknown */
        work_put_launch(w, out, from, p);
    }
}

void network_solve(const void *context, int n, const struct term_operand *args, double *const *out)
{
    struct work work;
    work_init(&work, context);
    for (int from = 0; from < n && !interrupt_requested(); from += CHUNK)
        solve_chunk(&work, args, out, from, n - from < CHUNK ? n - from : CHUNK);
    work_fini(&work);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What memories serve one behind another, and who waits for the rest of it.
 *
 * A channel does not take requests as they come. Data that are wanted together come to it together
 * (memory.read_batch); what is written it keeps back while there is something to read, and then
 * writes a batch in one go, between two turns (memory.write_batch, memory.turnaround). So a read
 * that finds it reading waits for the rest of those, and one that finds it writing for the rest of
 * the batch, and then for the reads that have come meanwhile:
 *
 *     W = U_r (b / 2 B) / (1 - U_r - U_w)  +  U_w (w / 2 B + T) / (1 - U_r)
 *
 * with b and w the bytes of the batches, B the bandwidth of a channel, T a turn, U_r the share of
 * the time in which it reads and U_w in which it writes and turns. The first part is a queue of
 * batches (M/G/1). The second is what a channel that reads first and writes at regular times has
 * its reads wait for in the mean: what came while it wrote is read before it writes again.
 *
 * In the network the first is what of a service at a memory is still to come, Reiser's residual
 * life (queueing/batch.h), of more than one service. The second is such a rest at a station of
 * reads alone, which they pass before the memory, where all share its bandwidth. Who waits are
 * those that latencies of memory are for: as many of a request as there are visits of their kind at
 * the stations. What they are served at the second station is no time: it is taken off what classes
 * think. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "network/demands.h"
#include "network/solution.h"

/* --- demands ------------------------------------------------------------------------- */

/* A half of so many bytes, as requests. */
static int half(struct demands *d, const char *name, int bytes)
{
    int two = model_constant(d->b, NULL, 2, DIM_NONE);
    return demands_argument(
        d, term_quotient(d->g, name, bytes, term_product(d->g, NULL, two, d->terms->line)));
}

bool demands_is_given(struct demands *d, const char *path)
{
    struct error ignored;
    double value;
    return machine_number(model_machine(d->b), path, &value, &ignored) == 0 && value > 0;
}

void demands_read_rests(struct demands *d)
{
    if (demands_is_given(d, "memory.read_batch"))
        d->rests[0] = half(d, "rest of what is read", model_parameter(d->b, "memory.read_batch"));
    if (!demands_is_given(d, "memory.turnaround"))
        return;
    int channel = term_quotient(d->g, "a channel", model_parameter(d->b, "memory.bandwidth"),
                                model_parameter(d->b, "memory.channels"));
    int turns = term_product(d->g, NULL, model_constant(d->b, NULL, 2, DIM_NONE),
                             model_parameter(d->b, "memory.turnaround"), channel);
    int batch = term_sum(d->g, NULL, model_parameter(d->b, "memory.write_batch"), turns);
    d->rests[1] = half(d, "rest of what is written", batch);
}

/* --- points -------------------------------------------------------------------------- */

/* Of a station, seconds a request: all service; of reads; times the rests that it is met with; of
 * who waits for these. */
enum { ALL, READS, READ_RESTS, WRITE_RESTS, WAITS, SUMS };

static bool has_rests(const struct network *network, int station)
{
    for (size_t v = 0; v < network->visits.count; v++)
        if (network->visits.items[v].station == station && network->visits.items[v].waits)
            return true;
    return false;
}

void work_init_rests(struct work *w)
{
    const struct network *network = w->network;
    struct work_rests *r = &w->rests;
    size_t classes = (size_t)network->classes;
    r->station = memory_zero((size_t)network->stations, sizeof *r->station);
    for (int k = 0; k < network->stations; k++)
        if (has_rests(network, k))
            r->station[r->count++] = k;
    size_t count = (size_t)r->count;
    r->demand = memory_zero((2 * count * classes + 2 * count + classes) * CHUNK, sizeof(double));
    r->residence = r->demand + count * classes * CHUNK;
    r->rest = r->residence + count * classes * CHUNK;
    r->own = r->rest + count * CHUNK;
    r->think = r->own + count * CHUNK;
}

void work_fini_rests(struct work *w)
{
    free(w->rests.station);
    free(w->rests.demand);
}

/* Of the station of the i-th: reads by class, and the sums of all. */
static void add_visits(struct work *w, int i, const struct term_operand *args, int from, int n,
                       double sums[SUMS][CHUNK])
{
    const struct network *network = w->network;
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        int factors[] = {visit->flow, visit->miss, visit->amount, visit->slowness, visit->rest};
        if (visit->station != w->rests.station[i])
            continue;
        if (visit->waits) {
            work_add_product(sums[WAITS], visit->weight, args, factors, 4, from, n);
            continue;
        }
        work_add_product(sums[ALL], visit->weight, args, factors, 4, from, n);
        if (visit->rest)
            work_add_product(sums[visit->writes ? WRITE_RESTS : READ_RESTS], visit->weight, args,
                             factors, 5, from, n);
        if (visit->writes)
            continue;
        work_add_product(sums[READS], visit->weight, args, factors, 4, from, n);
        work_add_product(w->rests.demand + (i * network->classes + visit->class) * CHUNK,
                         visit->weight, args, factors, 4, from, n);
    }
}

void work_set_rests(struct work *w, const struct term_operand *args, int from, int n)
{
    struct work_rests *r = &w->rests;
    const double plain = (1 + w->network->scv) / 2;
    memset(r->demand, 0, (size_t)(r->count * w->network->classes) * CHUNK * sizeof(double));
    for (int i = 0; i < r->count; i++) {
        double sums[SUMS][CHUNK] = {{0}};
        add_visits(w, i, args, from, n, sums);
        for (int p = 0; p < n; p++) {
            double reads = sums[READS][p], all = sums[ALL][p], waits = sums[WAITS][p];
            double longer = fmax(0, sums[READ_RESTS][p] - plain * reads);
            r->rest[i * CHUNK + p] = reads > 0 ? sums[WRITE_RESTS][p] / reads * (waits / reads) : 0;
            r->own[i * CHUNK + p] = plain + (all > 0 ? longer / all * (waits / all) : 0);
        }
    }
}

void work_ask_rests(struct work *w, int from, int n)
{
    const struct network *network = w->network;
    struct work_rests *r = &w->rests;
    for (int c = 0; c < network->classes && r->count; c++) {
        for (int p = from; p < from + n; p++) {
            double taken = 0;
            for (int i = 0; i < r->count; i++)
                taken += r->demand[(i * network->classes + c) * CHUNK + p];
            r->think[c * CHUNK + p] = fmax(0, w->think[c * CHUNK + p] - taken);
        }
        w->think_at[c] = r->think + c * CHUNK + from;
    }
    for (int i = 0; i < r->count; i++) {
        w->rest_at[network->stations + i] = r->rest + i * CHUNK + from;
        w->rest_at[r->station[i]] = r->own + i * CHUNK + from;
        for (int c = 0; c < network->classes; c++) {
            int at = (network->stations + i) * network->classes + c;
            w->demand_at[at] = r->demand + (i * network->classes + c) * CHUNK + from;
            w->residence_at[at] = r->residence + (i * network->classes + c) * CHUNK + from;
        }
    }
}

void work_take_rests(struct work *w, int from, int n)
{
    const struct network *network = w->network;
    struct work_rests *r = &w->rests;
    for (int i = 0; i < r->count; i++)
        for (int c = 0; c < network->classes; c++) {
            int at = (i * network->classes + c) * CHUNK;
            double *residence = w->residence + (r->station[i] * network->classes + c) * CHUNK;
            for (int p = from; p < from + n; p++)
                residence[p] += fmax(0, r->residence[at + p] - r->demand[at + p]);
        }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch means over stretches: of requests, remote ones, hits in L1 and in caches of any size. */
#include "profile/run/measures.h"

#include <math.h>

#include "profile/run/stages.h"

/* A stretch begins with SMs and warps standing to each other as they did where the last one ended,
 * and not as they would by then; what is asked for between two requests for a line hangs on it.
 * Places of cliffs are taken to be off by this part. */
#define SHIFT 0.0625

/* What a counted stretch gives. */
enum { REQUESTS, REMOTE, L1_READS, L1_HITS, KINDS };
/* of each kind of cache: requests of known distance, and hits at capacities */
enum { CAPACITIES = 24, KIND_MEASURES = 1 + CAPACITIES };

size_t measures_count(uint32_t rows)
{
    return KINDS + (size_t)rows * KIND_MEASURES;
}

void measures_tally(const struct pass *pass, struct tally *to)
{
    tally_copy(to, &pass->tally);
    for (uint32_t i = 0; i < pass->n_lists; i++)
        tally_add(&to->counts, &pass->lists[i].counts);
}

double measures_requests(const struct tally *tally)
{
    const uint64_t *requests = tally->counts.behind.requests;
    return (double)(requests[ACCESS_READ] + requests[ACCESS_WRITE] + requests[ACCESS_ATOMIC]);
}

static double remote_of(const struct tally *tally)
{
    uint32_t domains = tally->system->domains;
    double remote = 0;
    for (uint32_t from = 0; from < domains; from++)
        for (uint32_t to = 0; to < domains; to++)
            remote += from != to ? (double)tally->traffic[from * domains + to] : 0;
    return remote;
}

/* Hits of caches of 16, 32, ... lines, and all of known distance before them. */
static void add_hits(const struct distance_histogram *histogram, double sign, double *out)
{
    double hits = 0;
    size_t bin = 0;
    for (uint32_t k = 0; k < CAPACITIES; k++) {
        for (; bin < distance_bin((uint64_t)16 << k); bin++)
            hits += (double)histogram->bins[bin];
        out[1 + k] += sign * hits;
    }
    for (; bin < DISTANCE_BINS; bin++)
        hits += (double)histogram->bins[bin];
    out[0] += sign * (hits + (double)histogram->cold);
}

void measures_add(struct pass *pass, double sign)
{
    struct stretches *s = &pass->stretches;
    double *m = s->means.open;
    struct tally now;
    tally_init(&now, pass->system);
    measures_tally(pass, &now);
    m[REQUESTS] += sign * measures_requests(&now);
    m[REMOTE] += sign * remote_of(&now);
    m[L1_READS] += sign * (double)now.counts.l1_reads;
    m[L1_HITS] += sign * (double)now.counts.l1_read_hits;
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct distance_counts *counts = distances_counts(pass->requests.kinds[i]);
        add_hits(&counts->parts[DISTANCE_READS], sign, &m[KINDS + i * KIND_MEASURES]);
        add_hits(&counts->parts[DISTANCE_WRITES], sign, &m[KINDS + i * KIND_MEASURES]);
    }
    if (sign > 0)
        batch_means_unit(&s->means);
    tally_fini(&now);
}

/* --- how far off ------------------------------------------------------------------------ */

static double half_of(const struct stretches *s, size_t numerator, size_t denominator)
{
    return batch_means_ratio(&s->means, numerator, denominator, 1, 0.95).half_width;
}

/* Adds what one of the launch's shares of so many requests may be off by: as stretches differ, and
 * beside that. */
static void add_square(struct stretches *s, size_t numerator, size_t denominator, double beside,
                       double requests)
{
    double half = half_of(s, numerator, denominator);
    double off = (isnan(half) ? 0 : half) + beside;
    s->squares[numerator] += off * requests * off * requests;
}

static double hits_below(const struct distance_counts *counts, uint32_t end)
{
    double hits = 0;
    for (uint32_t bin = 0; bin < end; bin++)
        hits += (double)(counts->parts[DISTANCE_READS].bins[bin] +
                         counts->parts[DISTANCE_WRITES].bins[bin]);
    return hits;
}

/* Half of the hits of a cache that is larger by SHIFT without those of one that is smaller. */
static double shift_of(const struct distance_counts *counts, double lines)
{
    double all = hits_below(counts, DISTANCE_BINS) +
                 (double)(counts->parts[DISTANCE_READS].cold + counts->parts[DISTANCE_WRITES].cold);
    double more = hits_below(counts, distance_bin((uint64_t)(lines * (1 + SHIFT))));
    double less = hits_below(counts, distance_bin((uint64_t)(lines / (1 + SHIFT))));
    return all > 0 ? (more - less) / all / 2 : 0;
}

void measures_add_squares(struct pass *pass, double requests)
{
    struct stretches *s = &pass->stretches;
    add_square(s, REMOTE, REQUESTS, 0, requests);
    add_square(s, L1_HITS, L1_READS, 0, requests);
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct distance_counts *counts = distances_counts(pass->requests.kinds[i]);
        size_t first = KINDS + i * KIND_MEASURES;
        for (uint32_t k = 0; k < CAPACITIES; k++)
            add_square(s, first + 1 + k, first, shift_of(counts, ldexp(16, (int)k)), requests);
    }
}

bool measures_settled(const struct stretches *s)
{
    double worst = fmax(half_of(s, REMOTE, REQUESTS), half_of(s, L1_HITS, L1_READS));
    for (uint32_t i = 0; i < s->rows; i++) {
        size_t first = KINDS + (size_t)i * KIND_MEASURES;
        double sum = 0;
        for (uint32_t k = 1; k <= CAPACITIES; k++)
            sum += half_of(s, first + k, first);
        worst = fmax(worst, sum / CAPACITIES);
    }
    return worst < s->granted; /* unknown in all: no */
}

double stretches_off(const struct pass *pass)
{
    const struct stretches *s = &pass->stretches;
    if (!s->able || !s->ever)
        return 0;
    double worst = sqrt(fmax(s->squares[REMOTE], s->squares[L1_HITS]));
    for (uint32_t i = 0; i < s->rows; i++) {
        double sum = 0;
        for (uint32_t k = 1; k <= CAPACITIES; k++)
            sum += sqrt(s->squares[KINDS + i * KIND_MEASURES + k]);
        worst = fmax(worst, sum / CAPACITIES);
    }
    return fmin(worst / s->requests, 0.999);
}

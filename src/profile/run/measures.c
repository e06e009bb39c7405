/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch means over stretches: of requests, remote ones, hits in L1 and in caches of any size. */
#include "profile/run/measures.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "profile/run/stages.h"

/* A stretch begins with SMs and warps standing to each other as they did where the last one ended,
 * and not as they would by then; what is asked for between two requests for a line hangs on it.
 * Places of cliffs are taken to be off by this part. */
#define SHIFT 0.0625

static size_t slices_of(const struct system *system)
{
    return (size_t)system->domains * system_llc(system)->slices;
}

/* What a counted stretch gives. READS: requests of READ_LINES that SMs read, both without first
 * requests, which are known of all. */
enum { REQUESTS, REMOTE, L1_READS, L1_HITS, READS, READ_LINES, KINDS };
/* of each kind of cache: requests of known distance; at capacities of 16 lines, 32, ...: hits, and
 * write-backs */
enum {
    CAPACITIES = 24,
    KIND_HITS = 1,
    KIND_WRITTEN = KIND_HITS + CAPACITIES,
    KIND_MEASURES = KIND_WRITTEN + CAPACITIES
};

size_t measures_count(const struct system *system, uint32_t rows)
{
    return KINDS + (size_t)rows * KIND_MEASURES + 2 * slices_of(system);
}

/* Behind the others: of each slice, by enum level_side. */
static size_t slice_first(const struct stretches *s, enum level_side side, size_t slices)
{
    return KINDS + (size_t)s->rows * KIND_MEASURES + (size_t)side * slices;
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

static uint64_t capacity_lines(uint32_t k)
{
    return (uint64_t)16 << k;
}

/* Hits, and all of known distance before them. */
static void add_hits(const struct distance_histogram *histogram, double weight, double *out)
{
    double hits = 0;
    size_t bin = 0;
    for (uint32_t k = 0; k < CAPACITIES; k++) {
        for (; bin < distance_bin(capacity_lines(k)); bin++)
            hits += (double)histogram->bins[bin];
        out[KIND_HITS + k] += weight * hits;
    }
    for (; bin < DISTANCE_BINS; bin++)
        hits += (double)histogram->bins[bin];
    out[0] += weight * (hits + (double)histogram->cold);
}

static void add_written(const struct distance_counts *counts, double weight, double *out)
{
    const uint64_t *evicted = counts->parts[DISTANCE_EVICTED].bins;
    const uint64_t *before = counts->parts[DISTANCE_BEFORE].bins;
    double written = 0;
    size_t bin = DISTANCE_BINS;
    for (uint32_t k = CAPACITIES; k-- > 0;) {
        for (; bin > distance_bin(capacity_lines(k)); bin--)
            written += (double)evicted[bin - 1] - (double)before[bin - 1];
        out[KIND_WRITTEN + k] += weight * written;
    }
}

static double read_lines(const struct tally_counts *counts)
{
    return (double)(counts->line_accesses - counts->line_writes) -
           (double)counts->behind.told_reads;
}

void measures_add(struct pass *pass, double weight)
{
    struct stretches *s = &pass->stretches;
    double *m = s->means.open;
    struct tally now;
    tally_init(&now, pass->system);
    measures_tally(pass, &now);
    m[REQUESTS] += weight * measures_requests(&now);
    m[REMOTE] += weight * remote_of(&now);
    m[L1_READS] += weight * (double)now.counts.l1_reads;
    m[L1_HITS] += weight * (double)now.counts.l1_read_hits;
    m[READS] += weight * (double)now.counts.behind.requests[ACCESS_READ];
    m[READ_LINES] += weight * read_lines(&now.counts);
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct distance_counts *counts = distances_counts(pass->requests.kinds[i]);
        double *own = &m[KINDS + i * KIND_MEASURES];
        add_hits(&counts->parts[DISTANCE_READS], weight, own);
        add_hits(&counts->parts[DISTANCE_WRITES], weight, own);
        add_written(counts, weight, own);
    }
    size_t slices = slices_of(pass->system);
    for (size_t i = 0; i < slices; i++) {
        m[slice_first(s, SIDE_HOME, slices) + i] += weight * (double)now.home_slices[i];
        m[slice_first(s, SIDE_REQUESTER, slices) + i] += weight * (double)now.own_slices[i];
    }
    if (weight > 0)
        batch_means_unit(&s->means);
    tally_fini(&now);
}

static double sum_of(const struct stretches *s, size_t measure)
{
    double sum = s->means.open[measure];
    for (size_t b = 0; b < s->means.closed; b++)
        sum += s->means.sums[b * s->means.n + measure];
    return sum;
}

void measures_keep_dense(struct stretches *s)
{
    for (size_t i = 0; i < s->means.n; i++)
        s->dense[i] = sum_of(s, i);
}

/* Of a ratio, as batches differ; 0: they are too few. */
static double variance_of(const struct batch_means *means, size_t numerator, size_t denominator)
{
    const double confidence = 0.95;
    double half = batch_means_ratio(means, numerator, denominator, 1, confidence).half_width;
    if (isnan(half))
        return 0;
    double error = half / gsl_cdf_tdist_Pinv(0.5 + confidence / 2, (double)means->closed - 1);
    return error * error;
}

/* Slices differ by what of them is asked for, and by chance, which of all that they stand for is a
 * `weight`th of that of what was counted: as it is from stretch to stretch. */
double measures_uneven(const struct pass *pass, enum level_side side, double weight)
{
    const struct stretches *s = &pass->stretches;
    size_t slices = slices_of(pass->system), first = slice_first(s, side, slices);
    double all = sum_of(s, REQUESTS), chance = 0, differ = 0, mean = 1.0 / (double)slices;
    if (!(all > 0) || !(weight > 1) || slices < 2)
        return 1;
    for (size_t i = 0; i < slices; i++) {
        double off = sum_of(s, first + i) / all - mean;
        chance += variance_of(&s->means, first + i, REQUESTS) / (double)slices;
        differ += off * off / (double)(slices - 1);
    }
    double kept = differ > 0 ? 1 - (1 - 1 / weight) * chance / differ : 1;
    return sqrt(fmax(kept, 0));
}

/* --- how far off ------------------------------------------------------------------------ */

static double half_of(const struct stretches *s, size_t numerator, size_t denominator)
{
    return batch_means_ratio(&s->means, numerator, denominator, 1, 0.95).half_width;
}

/* Of a ratio of stretches behind what was skimmed, of which there are fewer than of all that was
 * counted. They differ from the others as well: where the launch changes, or what is skimmed leaves
 * something else than what would have been. */
static double off_of(const struct stretches *s, size_t numerator, size_t denominator)
{
    double all = sum_of(s, denominator), behind = all - s->dense[denominator];
    double half = half_of(s, numerator, denominator);
    return isnan(half) ? 0 : behind > 0 ? half * sqrt(all / behind) : half;
}

static void add_square(struct stretches *s, size_t measure, double off)
{
    s->squares[measure] += off * off;
}

/* Of a kind of cache: distances below each bin; what is written home from each bin on. */
struct sums {
    double below[DISTANCE_BINS + 1], above[DISTANCE_BINS + 1], all;
};

static void sums_of(const struct distance_counts *counts, struct sums *sums)
{
    const struct distance_histogram *parts = counts->parts;
    sums->below[0] = sums->above[DISTANCE_BINS] = 0;
    for (uint32_t bin = 0; bin < DISTANCE_BINS; bin++)
        sums->below[bin + 1] = sums->below[bin] + (double)(parts[DISTANCE_READS].bins[bin] +
                                                           parts[DISTANCE_WRITES].bins[bin]);
    for (uint32_t bin = DISTANCE_BINS; bin-- > 0;)
        sums->above[bin] = sums->above[bin + 1] + (double)parts[DISTANCE_EVICTED].bins[bin] -
                           (double)parts[DISTANCE_BEFORE].bins[bin];
    sums->all = sums->below[DISTANCE_BINS] +
                (double)(parts[DISTANCE_READS].cold + parts[DISTANCE_WRITES].cold);
}

/* Half of what a cache that is larger by SHIFT has more, or less, than one that is smaller; of all
 * of known distance. */
static double shift_of(const struct sums *sums, const double *of, double lines)
{
    uint32_t more = distance_bin((uint64_t)(lines * (1 + SHIFT)));
    uint32_t less = distance_bin((uint64_t)(lines / (1 + SHIFT)));
    return sums->all > 0 ? fabs(of[more] - of[less]) / sums->all / 2 : 0;
}

/* At capacities between those that are measured, the worse of the two beside it. */
static double between(const double *off, double lines)
{
    double octave = log2(fmax(lines / (double)capacity_lines(0), 1));
    uint32_t below = octave < CAPACITIES - 1 ? (uint32_t)octave : CAPACITIES - 1;
    uint32_t above = below < CAPACITIES - 1 && octave > below ? below + 1 : below;
    return fmax(off[below], off[above]);
}

/* Of all requests those are hits, in the mean, and so many of what is not known: where they are
 * more or fewer than they are taken to be by one, the hit rate moves by that. */
static double moved_by_requests(const struct stretches *s, const struct sums *sums, uint32_t kind,
                                uint32_t k)
{
    size_t first = KINDS + kind * KIND_MEASURES;
    double all = sum_of(s, first), hits = sum_of(s, first + KIND_HITS + k);
    double whole = sums->below[distance_bin(capacity_lines(k))];
    return all > 0 && sums->all > 0 ? fabs(hits / all - whole / sums->all) : 0;
}

static void kind_add_squares(struct pass *pass, uint32_t kind, double requests, double off)
{
    struct stretches *s = &pass->stretches;
    struct distances *d = pass->requests.kinds[kind];
    struct sums *sums = memory_alloc(sizeof *sums);
    double hits[CAPACITIES], written[CAPACITIES], moved[CAPACITIES];
    double misses_off[SPREAD_BINS], written_off[SPREAD_BINS];
    size_t first = KINDS + kind * KIND_MEASURES;
    sums_of(distances_counts(d), sums);
    for (uint32_t k = 0; k < CAPACITIES; k++) {
        double shift = shift_of(sums, sums->below, (double)capacity_lines(k));
        hits[k] = off_of(s, first + KIND_HITS + k, first);
        moved[k] = moved_by_requests(s, sums, kind, k) * off;
        written[k] = off_of(s, first + KIND_WRITTEN + k, first);
        add_square(s, first + KIND_HITS + k, (hits[k] + shift) * requests);
        add_square(s, first + KIND_HITS + k, moved[k]);
    }
    for (uint32_t bin = 0; bin < SPREAD_BINS; bin++) {
        double lines = fmax((double)spread_lines(bin), 1);
        double misses = between(hits, lines) + shift_of(sums, sums->below, lines);
        double home = between(written, lines) + shift_of(sums, sums->above, lines);
        double by_requests = between(moved, lines);
        misses_off[bin] = misses * misses * requests * requests + by_requests * by_requests;
        written_off[bin] = home * home * requests * requests;
    }
    distances_may_be_off(d, misses_off, written_off);
    free(sums);
}

void measures_add_squares(struct pass *pass, double requests, double read_lines, double l1_reads)
{
    struct stretches *s = &pass->stretches;
    double off = off_of(s, READS, READ_LINES) * read_lines;
    add_square(s, REQUESTS, off);
    add_square(s, REMOTE, off_of(s, REMOTE, REQUESTS) * requests);
    add_square(s, L1_HITS, off_of(s, L1_HITS, L1_READS) * l1_reads);
    for (uint32_t i = 0; i < s->rows; i++)
        kind_add_squares(pass, i, requests, off);
}

bool measures_settled(const struct stretches *s)
{
    double worst = fmax(half_of(s, REMOTE, REQUESTS), half_of(s, L1_HITS, L1_READS));
    for (uint32_t i = 0; i < s->rows; i++) {
        size_t first = KINDS + (size_t)i * KIND_MEASURES;
        double sum = 0;
        for (uint32_t k = 0; k < CAPACITIES; k++)
            sum += half_of(s, first + KIND_HITS + k, first);
        worst = fmax(worst, sum / CAPACITIES);
    }
    return worst < s->granted; /* unknown in all: no */
}

double stretches_requests_off(const struct pass *pass)
{
    const struct stretches *s = &pass->stretches;
    return s->able && s->ever ? fmin(sqrt(s->squares[REQUESTS]) / s->requests, 0.999) : 0;
}

double stretches_off(const struct pass *pass)
{
    const struct stretches *s = &pass->stretches;
    if (!s->able || !s->ever)
        return 0;
    double worst = sqrt(s->squares[REMOTE]);
    for (uint32_t i = 0; i < s->rows; i++) {
        size_t first = KINDS + (size_t)i * KIND_MEASURES;
        double sum = 0;
        for (uint32_t k = 0; k < CAPACITIES; k++)
            sum += sqrt(s->squares[first + KIND_HITS + k]);
        worst = fmax(worst, sum / CAPACITIES);
    }
    worst /= s->requests;
    if (s->l1_reads > 0)
        worst = fmax(worst, sqrt(s->squares[L1_HITS]) / s->l1_reads);
    return fmin(worst, 0.999);
}

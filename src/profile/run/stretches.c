/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches of launches: which are counted, and what for. */
#include "profile/run/stretches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/run/pass.h"
#include "profile/run/stages.h"

enum {
    LOOK_EVERY = 512,   /* rounds: a stretch ends at a multiple of them since the launch began, */
    LOOK_SELDOM = 4096, /* a head at one of these; one that is skimmed looks for the launch's end */
    /* Accesses of an SM, in the mean, for each line of its L1: */
    HEAD = 16,   /* of the head at least, and of the first stretch behind it; */
    CYCLE = 128, /* of a cycle, or as much as lies before it; */
    COUNTED = 2, /* of a stretch that is counted; */
    WARM = 16,   /* of one that is warmed at most; before, once L1s took so many lines */
    FILLS = 2,   /* for each of their own, and hit as often as in the rounds before */
    GROWS = 8,   /* a cycle is at least that part of what lies before it, */
    COUNTS = 32, /* and of it at least that part is counted */
    /* An L1 that is smaller, or none, is taken to have so many lines: */
    LINES_LEAST = 256,
    /* Accesses of all SMs, of a head at least: less is soon gone through. */
    HEAD_LEAST = 1 << 22,
    HEAD_LEAST_FEW = 1 << 14,
    FIRST_UNITS = 4, /* the first stretch is so many, for batch means */
    RUN_MOST = 8,    /* accesses of a warp one behind another, of a stretch that is skimmed */
    BATCHES = 16,
    CAPACITIES = 24
};

#define STEADY 0.002 /* of hits */
/* A launch is at its end when all blocks have begun, and less is left of what warps SMs held at
 * most.
 */
#define TAIL 0.875

/* A stretch begins with SMs and warps standing to each other as they did where the last one ended,
 * and not as they would by then; what is asked for between two requests for a line hangs on it.
 * Places of cliffs are taken to be off by this part. */
#define SHIFT 0.0625

/* What a counted stretch gives. */
enum measure { REQUESTS, REMOTE, L1_READS, L1_HITS, KINDS };
/* of each kind of cache: requests of known distance, and hits at capacities */
enum { KIND_MEASURES = 1 + CAPACITIES };

bool stretches_able(const struct system *system, unsigned parts)
{
    unsigned others = parts & ~(unsigned)(PART_WAITS | PART_WINDOW);
    return !others && !pass_is_entangled(system, parts) && !system_l1(system)->perfect &&
           system_between(system) == 0 && system->translation.n == 0 && system->order != WARPS_LRR;
}

void stretches_init(struct pass *pass, double granted, bool few)
{
    struct stretches *s = &pass->stretches;
    const struct l1 *l1 = pass->l1;
    bool able = granted > 0 && !pass->lead && stretches_able(pass->system, pass->parts);
    *s = (struct stretches){.able = able, .bits = 6};
    if (!able)
        return;
    uint64_t lines = l1->contents == L1_LRU ? l1->sets.value * l1->ways : 0;
    uint64_t least = (few ? HEAD_LEAST_FEW : HEAD_LEAST) / pass->system->sms;
    s->l1_lines = lines > LINES_LEAST ? lines : LINES_LEAST;
    s->head_ends = HEAD * s->l1_lines > least ? HEAD * s->l1_lines : least;
    /* A warp is ahead of others by less than its part of L1. */
    s->run = lines / pass->system->warps / 2;
    s->run = lines == 0 || s->run > RUN_MOST ? RUN_MOST : s->run < 1 ? 1 : s->run;
    while ((1ULL << s->bits) < lines)
        s->bits++;
    s->lines = memory_zero((size_t)pass->system->sms << s->bits, sizeof *s->lines);
    s->tails = memory_zero((size_t)pass->system->sms * pass->system->warps, sizeof *s->tails);
    tally_init(&s->head, pass->system);
    tally_init(&s->mark, pass->system);
    tally_init(&s->left, pass->system);
    s->head_lanes = memory_zero(pass->lanes->n_allocations, sizeof *s->head_lanes);
    s->rows = pass->requests.n_kinds;
    s->sampled = pass->requests.sample != NULL;
    if (s->sampled)
        s->shards = pass->requests.sample->shards;
    size_t n = KINDS + (size_t)s->rows * KIND_MEASURES;
    s->squares = memory_zero(n, sizeof *s->squares);
    batch_means_init(&s->means, n, BATCHES);
}

void stretches_fini(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    if (!s->able)
        return;
    free(s->lines);
    free(s->tails);
    free(s->head_lanes);
    free(s->squares);
    tally_fini(&s->head);
    tally_fini(&s->mark);
    tally_fini(&s->left);
    batch_means_fini(&s->means);
}

void stretches_begin_launch(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    if (!s->able)
        return;
    s->now = STRETCH_HEAD;
    s->next_look = 0;
    s->most = s->told = 0;
    s->ends = s->head_ends;
    batch_means_restart(&s->means);
}

/* --- counts ------------------------------------------------------------------------- */

/* All that was counted of the launch. */
static void counts_now(const struct pass *pass, struct tally *to)
{
    tally_copy(to, &pass->tally);
    for (uint32_t i = 0; i < pass->n_lists; i++)
        tally_add(&to->counts, &pass->lists[i].counts);
}

/* The same, and lists begin anew. */
static void counts_gather(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->n_lists; i++) {
        tally_add(&pass->tally.counts, &pass->lists[i].counts);
        pass->lists[i].counts = (struct tally_counts){0};
    }
}

static void accesses_of(const struct pass *pass, uint64_t *all, uint64_t *skimmed)
{
    *all = *skimmed = 0;
    for (uint32_t i = 0; i < pass->n_lists; i++) {
        *all += pass->lists[i].accesses;
        *skimmed += pass->lists[i].skimmed;
    }
}

static void stretch_all(struct pass *pass, enum distance_stretch stretch)
{
    for (uint32_t i = 0; i < pass->requests.n_kinds; i++)
        distances_stretch(pass->requests.kinds[i], stretch);
}

static double requests_of(const struct tally *tally)
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

/* Takes a counted stretch's beginning off (sign -1), adds its end (1). */
static void measure(struct pass *pass, double sign)
{
    struct stretches *s = &pass->stretches;
    double *m = s->means.open;
    struct tally now;
    tally_init(&now, pass->system);
    counts_now(pass, &now);
    m[REQUESTS] += sign * requests_of(&now);
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

/* Adds what one of the launch's shares of so many requests may be off by: as stretches differ, and
 * beside that. */
static void add_square(struct stretches *s, size_t numerator, size_t denominator, double beside,
                       double requests)
{
    double half = batch_means_ratio(&s->means, numerator, denominator, 1, 0.95).half_width;
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

/* Launches are off independently of each other. */
static void add_squares(struct pass *pass, double requests)
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

/* --- stretches ----------------------------------------------------------------------- */

/* All that was issued is counted. */
static int settle(struct pass *pass, struct error *error)
{
    int status = pass_wait(pass, error);
    far_send(pass);
    int late = requests_wait(&pass->requests, error);
    return status ? status : late;
}

/* The head is over, and what comes behind it begins counted. */
static void end_head(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    counts_now(pass, &s->head);
    tally_clear(&s->left);
    stretch_all(pass, DISTANCE_HEAD);
    uint64_t skimmed;
    accesses_of(pass, &s->head_accesses, &skimmed);
    memset(s->head_lanes, 0, pass->lanes->n_allocations * sizeof *s->head_lanes);
    for (int w = 0; w < pass->threads; w++)
        for (uint32_t i = 0; i < pass->lanes[w].n_allocations; i++)
            lane_counts_add(&s->head_lanes[i], &pass->lanes[w].counts[i]);
    clocks_begin_sums(&pass->clocks);
    s->now = STRETCH_COUNTED;
    s->units = FIRST_UNITS;
    s->unit = at / FIRST_UNITS;
    s->ends = at + s->unit;
    measure(pass, -1);
}

/* A cycle begins at so many accesses of an SM. */
static void begin_cycle(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    uint64_t lines = s->l1_lines, cycle = at < CYCLE * lines ? at : CYCLE * lines;
    cycle = at / GROWS > cycle ? at / GROWS : cycle;
    s->unit = cycle / COUNTS > COUNTED * lines ? cycle / COUNTS : COUNTED * lines;
    s->ends = at + cycle - s->unit;
    s->now = STRETCH_SKIMMED;
    s->ever = pass->requests.skimmed = true;
    counts_now(pass, &s->mark);
    stretch_all(pass, DISTANCE_LEAVE);
    memset(s->lines, 0, ((size_t)pass->system->sms << s->bits) * sizeof *s->lines);
    memset(s->tails, 0, (size_t)pass->system->sms * pass->system->warps * sizeof *s->tails);
    clocks_sum(&pass->clocks);
    s->skim_ends = issue_round_next(pass->issue) + s->ends - at; /* an access a round */
    issue_skim(pass->issue, s->skim_ends, s->run);
}

/* Lines that L1s took, of what is counted. */
static uint64_t fills(const struct pass *pass)
{
    uint64_t fills = 0;
    for (uint32_t i = 0; i < pass->n_lists; i++)
        fills += pass->lists[i].counts.l1_reads - pass->lists[i].counts.l1_read_hits;
    return fills;
}

/* Warps that were skimmed waited meanwhile. */
static void begin_warm(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    uint32_t warps = pass->system->warps;
    issue_skim(pass->issue, 0, 1);
    for (uint32_t sm = 0; sm < pass->system->sms; sm++)
        for (uint32_t slot = 0; slot < warps; slot++) {
            struct stretch_tail *tail = &s->tails[(size_t)sm * warps + slot];
            if (tail->accesses)
                clocks_skip(&pass->clocks, sm, slot, tail->accesses);
        }
    s->now = STRETCH_WARMED;
    s->ends = at + WARM * s->l1_lines;
    s->reads = s->hits = 0;
    s->warm = fills(pass) + FILLS * s->l1_lines * pass->system->sms;
}

/* What came since the stretch was left is not counted. */
static void leave(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    struct tally now;
    tally_init(&now, pass->system);
    counts_now(pass, &now);
    tally_leave(&s->left, &now, &s->mark);
    stretch_all(pass, DISTANCE_GO_ON);
    tally_fini(&now);
}

static void lanes_weigh(struct pass *pass, double weight)
{
    const struct stretches *s = &pass->stretches;
    struct lanes *lanes = &pass->lanes[0];
    for (int w = 1; w < pass->threads; w++) {
        lanes_add(lanes, &pass->lanes[w]);
        lanes_clear(&pass->lanes[w]);
    }
    for (uint32_t i = 0; i < lanes->n_allocations; i++)
        for (int kind = 0; kind <= ACCESS_ATOMIC; kind++) {
            uint64_t head = s->head_lanes[i].by_kind[kind], *now = &lanes->counts[i].by_kind[kind];
            *now = head + (uint64_t)llround((double)(*now - head) * weight);
        }
}

/* What was counted behind the head stands for all of that. */
static void weigh(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    uint64_t accesses, skimmed;
    counts_gather(pass);
    const uint64_t head = s->head.counts.line_accesses, left = s->left.counts.line_accesses;
    double all = (double)(pass->tally.counts.line_accesses - head), counted = all - (double)left;
    double weight = counted > 0 ? all / counted : 1, before = requests_of(&s->head);
    tally_weigh(&pass->tally, &s->head, &s->left, weight);
    for (uint32_t i = 0; i < pass->requests.n_kinds; i++)
        distances_weigh(pass->requests.kinds[i], weight);
    if (weight > 1)
        add_squares(pass, requests_of(&pass->tally) - before);
    /* Lanes are counted of all that is not skimmed. */
    accesses_of(pass, &accesses, &skimmed);
    accesses -= s->head_accesses;
    weight = accesses > skimmed ? (double)accesses / (double)(accesses - skimmed) : 1;
    lanes_weigh(pass, weight);
}

/* Behind this nothing is skimmed. */
static void begin_tail(struct pass *pass)
{
    weigh(pass);
    pass->stretches.now = STRETCH_TAIL;
}

/* A unit of a counted stretch is over. */
static void end_unit(struct pass *pass, uint64_t at, bool tail)
{
    struct stretches *s = &pass->stretches;
    measure(pass, 1);
    if (tail) {
        begin_tail(pass);
    } else if (--s->units == 0) {
        begin_cycle(pass, at);
    } else {
        s->ends = at + s->unit;
        measure(pass, -1);
    }
}

static void end_warm(struct pass *pass, uint64_t at, bool tail)
{
    struct stretches *s = &pass->stretches;
    leave(pass);
    if (tail) {
        begin_tail(pass);
        return;
    }
    s->now = STRETCH_COUNTED;
    s->units = 1;
    s->ends = at + s->unit;
    measure(pass, -1);
}

/* Whether L1s hit as often since the last look as before that. */
static bool is_steady(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    uint64_t reads = 0, hits = 0;
    for (uint32_t i = 0; i < pass->n_lists; i++) {
        reads += pass->lists[i].counts.l1_reads;
        hits += pass->lists[i].counts.l1_read_hits;
    }
    bool first = s->reads == 0;
    double ratio = s->reads < reads ? (double)(hits - s->hits) / (double)(reads - s->reads) : 1;
    bool steady = !first && fabs(ratio - s->ratio) < STEADY;
    s->reads = reads;
    s->hits = hits;
    s->ratio = ratio;
    return steady;
}

/* At so many accesses of an SM; `tail`: the launch is at its end. */
static int look(struct pass *pass, uint64_t at, bool tail, struct error *error)
{
    struct stretches *s = &pass->stretches;
    bool skims = s->now == STRETCH_SKIMMED;
    bool due = skims ? issue_round_next(pass->issue) >= s->skim_ends : at >= s->ends;
    due = due || (tail && s->now != STRETCH_HEAD);
    bool windows = !(pass->parts & PART_WINDOW);
    if (s->now == STRETCH_TAIL || (!due && s->now != STRETCH_WARMED))
        return 0;
    int status = settle(pass, error);
    if (status)
        return status;
    switch (s->now) {
    case STRETCH_HEAD:
        windows = windows || pass->window.ended == WINDOW_PREFIXES;
        if (windows && pass->goes_on && pass->timed && !tail)
            end_head(pass, at);
        else
            s->ends = at + at / GROWS; /* it is not asked again at every look */
        break;
    case STRETCH_SKIMMED:
        begin_warm(pass, at);
        break;
    case STRETCH_WARMED:
        if ((is_steady(pass) && (tail || fills(pass) >= s->warm)) || at >= s->ends)
            end_warm(pass, at, tail); /* few SMs are asked at the end */
        break;
    case STRETCH_COUNTED:
        end_unit(pass, at, tail);
        break;
    case STRETCH_TAIL:
        break;
    }
    return 0;
}

int stretches_look(struct pass *pass, uint32_t *rounds, struct error *error)
{
    struct stretches *s = &pass->stretches;
    uint64_t origin = issue_origin(pass->issue), round = issue_round_next(pass->issue) - origin;
    int status = 0;
    if (!s->able || s->now == STRETCH_TAIL)
        return 0;
    if (round >= s->next_look || (s->now == STRETCH_SKIMMED && round + origin >= s->skim_ends)) {
        uint64_t accesses, skimmed, resident = issue_resident(pass->issue);
        accesses_of(pass, &accesses, &skimmed);
        s->most = resident > s->most ? resident : s->most;
        bool tail = (double)resident < TAIL * (double)s->most && !issue_waits(pass->issue);
        status = look(pass, accesses / pass->system->sms, tail, error);
        bool seldom = s->now == STRETCH_SKIMMED || s->now == STRETCH_HEAD;
        uint64_t every = seldom ? LOOK_SELDOM : LOOK_EVERY;
        s->next_look = round / every * every + every;
    }
    uint64_t most = s->next_look - round, end = s->skim_ends - origin - round;
    most = s->now == STRETCH_SKIMMED && end > 0 && end < most ? end : most;
    *rounds = *rounds < most ? *rounds : (uint32_t)most;
    return status;
}

uint64_t stretches_untold(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    uint64_t accesses, skimmed, untold;
    if (!s->able || s->now == STRETCH_HEAD)
        return 0;
    accesses_of(pass, &accesses, &skimmed);
    untold = skimmed - s->told;
    s->told = skimmed;
    return untold;
}

/* --- ends --------------------------------------------------------------------------- */

/* Lines that are not in the sample were seen where they were counted alone. */
static void lines_weigh(struct tally_behind_l1 *counts, double weight)
{
    counts->lines.all = (uint64_t)llround((double)counts->sampled.all * weight);
    counts->lines.written = (uint64_t)llround((double)counts->sampled.written * weight);
    counts->lines.read_only = (uint64_t)llround((double)counts->sampled.read_only * weight);
}

void stretches_end_launch(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    uint64_t accesses, skimmed;
    if (!s->able)
        return;
    if (s->now == STRETCH_SKIMMED || s->now == STRETCH_WARMED)
        leave(pass);
    else if (s->now == STRETCH_COUNTED)
        measure(pass, 1);
    if (s->now != STRETCH_HEAD && s->now != STRETCH_TAIL)
        weigh(pass);
    else
        counts_gather(pass);
    accesses_of(pass, &accesses, &skimmed);
    if (s->sampled && skimmed)
        lines_weigh(&pass->tally.counts.behind, 1 / shards_rate(&s->shards));
    if (skimmed) {
        double elsewhere = (double)pass->l1->misses_elsewhere;
        elsewhere *= (double)accesses / (double)(accesses - skimmed);
        pass->l1->misses_elsewhere = (uint64_t)llround(elsewhere);
    }
    s->requests += requests_of(&pass->tally);
    s->accesses += accesses;
    s->skimmed += skimmed;
}

double stretches_skimmed(const struct pass *pass)
{
    const struct stretches *s = &pass->stretches;
    return s->accesses ? (double)s->skimmed / (double)s->accesses : 0;
}

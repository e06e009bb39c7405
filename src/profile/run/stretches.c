/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches of launches: which are counted, and what for. */
#include "profile/run/stretches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/run/measures.h"
#include "profile/run/pass.h"
#include "profile/run/stages.h"

enum {
    LOOK_EVERY = 512,  /* rounds: a stretch ends at a multiple of them since the launch began, */
    LOOK_FIRST = 1024, /* a head at one of these, of twice as many ..., */
    LOOKS = 128,       /* and one that is skimmed is looked at whenever all grew by that part. */
    /* A reach is what an SM asks for as many lines with as its L1 has, so many accesses of each of
     * its warps at least: */
    REACH_WARP = 4,
    /* An L1 that is smaller, or none, is taken to have so many lines: */
    LINES_LEAST = 256,
    /* So many reaches, in the mean over SMs, are */
    HEAD = 4,    /* the head at least, and on until L1s hit as often as before */
    CYCLE = 128, /* a cycle, or as much as lies before it */
    WARM = 2,    /* what is warmed, at least and at most, as the head */
    WARM_MOST = 16,
    COUNTED = 4, /* a stretch that is counted, at least (and set_reach()) */
    /* Further cycles are at least that part of what lies before them, */
    GROWS = 8,
    SETTLED = 2, /* or that one where stretches hardly differ, */
    COUNTS = 32, /* and at least that part of them is counted. */
    /* Lines that all SMs asked for, of the run and of the launch: less is gone through in some
     * seconds, and of a second. */
    RUN_LEAST = 1 << 25,
    HEAD_LEAST = 1 << 22,
    LEAST_FEW = 1 << 14,
    RUN_MOST = 8,    /* accesses of a turn, of a stretch that is skimmed */
    FIRST_UNITS = 4, /* times as long is the first counted stretch, for batch means */
    BATCHES = 16
};

/* L1s hit as often as before: misses differ by that part of them, or of all reads. */
#define STEADY 0.02
#define STEADY_READS 0.0005
/* A launch is at its end when all blocks have begun, and less is left of what warps SMs held at
 * most. */
#define TAIL 0.875

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
    s->granted = granted;
    s->l1_lines = lines > LINES_LEAST ? lines : LINES_LEAST;
    s->run_least = few ? LEAST_FEW : RUN_LEAST;
    s->head_least = few ? LEAST_FEW : HEAD_LEAST;
    /* A warp is ahead of others by less than its part of L1. */
    s->run_most = lines / pass->system->warps / 2;
    s->run_most = s->run_most < 1 ? 1 : s->run_most < RUN_MOST ? s->run_most : RUN_MOST;
    s->pages = memory_table((size_t)pass->system->sms << STRETCH_PAGES_BITS, sizeof *s->pages);
    s->tails = memory_table((size_t)pass->system->sms * pass->system->warps, sizeof *s->tails);
    tally_init(&s->head, pass->system);
    tally_init(&s->mark, pass->system);
    tally_init(&s->begun, pass->system);
    tally_init(&s->left, pass->system);
    tally_init(&s->first, pass->system);
    s->head_lanes = memory_zero(pass->lanes->n_allocations, sizeof *s->head_lanes);
    s->rows = pass->requests.n_kinds;
    s->sampled = pass->requests.sample != NULL;
    if (s->sampled)
        s->shards = pass->requests.sample->shards;
    double remembered = (double)s->l1_lines * (s->sampled ? shards_rate(&s->shards) : 1);
    while (ldexp(1, (int)s->bits) < remembered)
        s->bits++;
    s->lines = memory_table((size_t)pass->system->sms << s->bits, sizeof *s->lines);
    size_t n = measures_count(pass->system, s->rows);
    s->squares = memory_zero(n, sizeof *s->squares);
    s->dense = memory_zero(n, sizeof *s->dense);
    batch_means_init(&s->means, n, BATCHES);
}

void stretches_fini(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    if (!s->able)
        return;
    free(s->lines);
    free(s->pages);
    free(s->tails);
    free(s->head_lanes);
    free(s->squares);
    free(s->dense);
    tally_fini(&s->head);
    tally_fini(&s->mark);
    tally_fini(&s->begun);
    tally_fini(&s->left);
    tally_fini(&s->first);
    batch_means_fini(&s->means);
}

/* At so many accesses of an SM. */
static void begin_head(struct stretches *s, uint64_t at)
{
    s->now = STRETCH_HEAD;
    s->from = at;
    s->ends = 0;
    s->step = LOOK_FIRST / 2;
    s->ratio = -1;
    batch_means_restart(&s->means);
    memset(s->dense, 0, s->means.n * sizeof *s->dense);
}

void stretches_begin_launch(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    if (!s->able)
        return;
    s->most = s->told = s->next_look = 0;
    s->reads = s->hits = 0;
    begin_head(s, 0);
}

/* --- counts ------------------------------------------------------------------------- */

/* All that was counted of the launch, and lists begin anew. */
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

/* Lines that all SMs asked for in this launch. */
static uint64_t lines_asked(const struct pass *pass)
{
    uint64_t lines = 0;
    for (uint32_t i = 0; i < pass->n_lists; i++)
        lines += pass->lists[i].asked;
    return lines;
}

static void set_reach(struct pass *pass, uint64_t accesses, uint64_t lines)
{
    struct stretches *s = &pass->stretches;
    uint64_t warps = (s->most + pass->system->sms - 1) / pass->system->sms;
    s->reach = lines > accesses ? s->l1_lines * accesses / lines : s->l1_lines;
    s->reach = s->reach > REACH_WARP * warps ? s->reach : REACH_WARP * warps;
    /* As many accesses of each warp as a line has bytes: who goes along words, with up to three
     * other accesses a step, comes to the end of a line, which in lockstep all do at a time. */
    s->unit_least = pass->system->line_bytes * warps;
    s->unit_least = s->unit_least > COUNTED * s->reach ? s->unit_least : COUNTED * s->reach;
}

static void stretch_all(struct pass *pass, enum distance_stretch stretch)
{
    for (uint32_t i = 0; i < pass->requests.n_kinds; i++)
        distances_stretch(pass->requests.kinds[i], stretch);
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

/* A domain's first request for a line in the launch misses in L1s that begin empty: those are known
 * of all, skimmed ones too. */
static void count_first_apart(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    if (pass->l1->contents == L1_LRU && pass->l1->flush != FLUSH_ALL)
        return;
    tally_clear(&s->first);
    pass->requests.first = &s->first;
}

/* The head is over, and what comes behind it begins counted. Windows that it did not fill are what
 * there is of them: an SM asks its L1 for a line a cycle at most, and heads are HEAD times as many
 * cycles as L1s have lines, longer than any hardware looks before it decides. */
static void end_head(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    if (pass->parts & PART_WINDOW)
        window_end(&pass->window, &pass->tally, &pass->requests, &pass->observers);
    measures_tally(pass, &s->head);
    tally_clear(&s->left);
    stretch_all(pass, DISTANCE_HEAD);
    count_first_apart(pass);
    accesses_of(pass, &s->head_accesses, &s->head_skimmed);
    memset(s->head_lanes, 0, pass->lanes->n_allocations * sizeof *s->head_lanes);
    for (int w = 0; w < pass->threads; w++)
        for (uint32_t i = 0; i < pass->lanes[w].n_allocations; i++)
            lane_counts_add(&s->head_lanes[i], &pass->lanes[w].counts[i]);
    clocks_begin_sums(&pass->clocks);
    issue_forget_turns(pass->issue);
    s->now = STRETCH_COUNTED;
    s->cycles = 0;
    s->units = FIRST_UNITS;
    s->unit = s->unit_least;
    s->ends = at + s->unit;
    s->weight = 1;
    measures_add(pass, -1);
}

/* Accesses of a turn: one request behind L1 at most, since blocks that end in between set SMs apart
 * by as many, which ask for the same lines together. */
static uint64_t run_of(const struct stretches *s)
{
    double misses = 1 - s->ratio;
    return misses * (double)s->run_most < 1 ? s->run_most : (uint64_t)fmax(1 / misses, 1);
}

/* A cycle begins at so many accesses of an SM. */
static void begin_cycle(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    uint64_t reach = s->reach, behind = at - s->from;
    uint64_t cycle = behind < CYCLE * reach ? behind : CYCLE * reach;
    uint64_t grown = behind / (measures_settled(s) ? SETTLED : GROWS);
    cycle = grown > cycle ? grown : cycle;
    s->unit = cycle / COUNTS > s->unit_least ? cycle / COUNTS : s->unit_least;
    cycle = cycle > 2 * s->unit ? cycle : 2 * s->unit;
    s->ends = at + cycle - s->unit;
    s->cycle_from = at;
    s->now = STRETCH_SKIMMED;
    if (s->cycles++ == 0)
        measures_keep_dense(s);
    s->ever = pass->requests.skimmed = true;
    measures_tally(pass, &s->mark);
    stretch_all(pass, DISTANCE_LEAVE);
    memset(s->lines, 0, ((size_t)pass->system->sms << s->bits) * sizeof *s->lines);
    memset(s->pages, 0, ((size_t)pass->system->sms << STRETCH_PAGES_BITS) * sizeof *s->pages);
    memset(s->tails, 0, (size_t)pass->system->sms * pass->system->warps * sizeof *s->tails);
    clocks_sum(&pass->clocks);
    clocks_hold(&pass->clocks);
    s->skim_ends = issue_skim(pass->issue, s->ends - at, run_of(s));
}

/* Whether L1s hit as often since the last time as before that. */
static bool is_steady(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    uint64_t reads = pass->tally.counts.l1_reads, hits = pass->tally.counts.l1_read_hits;
    for (uint32_t i = 0; i < pass->n_lists; i++) {
        reads += pass->lists[i].counts.l1_reads;
        hits += pass->lists[i].counts.l1_read_hits;
    }
    double ratio = s->reads < reads ? (double)(hits - s->hits) / (double)(reads - s->reads) : 1;
    bool steady = fabs(ratio - s->ratio) < STEADY * (1 - ratio) + STEADY_READS;
    s->reads = reads;
    s->hits = hits;
    s->ratio = ratio;
    return steady;
}

/* Warps that were skimmed waited meanwhile. */
static void begin_warm(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    uint32_t warps = pass->system->warps;
    issue_skim_end(pass->issue);
    for (uint32_t sm = 0; sm < pass->system->sms; sm++)
        for (uint32_t slot = 0; slot < warps; slot++) {
            struct stretch_tail *tail = &s->tails[(size_t)sm * warps + slot];
            if (tail->accesses)
                clocks_skip(&pass->clocks, sm, slot, tail->accesses);
        }
    s->now = STRETCH_WARMED;
    s->least = at + WARM * s->reach;
    s->ends = at + WARM_MOST * s->reach;
    s->looks = 0;
    is_steady(pass);
}

/* What came since the stretch was left is not counted. */
static void leave(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    measures_tally(pass, &s->begun);
    tally_leave(&s->left, &s->begun, &s->mark, 1);
    stretch_all(pass, DISTANCE_GO_ON);
}

/* What is counted of a cycle stands for that: of the short ones that a launch begins with it is
 * more than of others, and counts less. */
static void thin(struct pass *pass)
{
    struct stretches *s = &pass->stretches;
    struct tally now;
    if (!(s->weight < 1))
        return;
    tally_init(&now, pass->system);
    measures_tally(pass, &now);
    tally_leave(&s->left, &now, &s->begun, 1 - s->weight);
    for (uint32_t i = 0; i < pass->requests.n_kinds; i++)
        distances_thin(pass->requests.kinds[i], 1 - s->weight);
    tally_fini(&now);
}

static void count_unit(struct pass *pass)
{
    measures_add(pass, pass->stretches.weight);
    thin(pass);
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
    double before = measures_requests(&s->head);
    struct weights weights = tally_weights(&pass->tally, &s->head, &s->left,
                                           s->sampled ? 1 / shards_rate(&s->shards) : 1);
    for (int side = 0; side < 2; side++)
        weights.uneven[side] = measures_uneven(pass, (enum level_side)side, weights.requests);
    tally_weigh(&pass->tally, &s->head, &s->left, &s->first, &weights);
    for (uint32_t i = 0; i < pass->requests.n_kinds; i++)
        distances_weigh(pass->requests.kinds[i], &weights);
    pass->requests.first = NULL;
    double l1_reads = (double)(pass->tally.counts.l1_reads - s->head.counts.l1_reads);
    if (weights.all > 1)
        measures_add_squares(pass, measures_requests(&pass->tally) - before, weights.read_lines,
                             l1_reads);
    /* Lanes are counted of all that is not skimmed. */
    accesses_of(pass, &accesses, &skimmed);
    accesses -= s->head_accesses;
    skimmed -= s->head_skimmed;
    double weight = accesses > skimmed ? (double)accesses / (double)(accesses - skimmed) : 1;
    lanes_weigh(pass, weight);
}

/* Fewer warps are left, for which nothing stands that was counted with more of them. */
static void begin_again(struct pass *pass, uint64_t at)
{
    weigh(pass);
    is_steady(pass); /* what hit since then is told from weighed counts */
    begin_head(&pass->stretches, at);
    pass->stretches.most = issue_resident(pass->issue);
}

/* The first cycle was counted: what was counted before it is as dense as the head, and stands for
 * itself as well. */
static void lengthen_head(struct pass *pass)
{
    tally_copy(&pass->stretches.head, &pass->stretches.mark);
    stretch_all(pass, DISTANCE_LONGER);
}

/* A unit of a counted stretch is over. */
static void end_unit(struct pass *pass, uint64_t at, bool tail)
{
    struct stretches *s = &pass->stretches;
    count_unit(pass);
    if (s->cycles == 1)
        lengthen_head(pass);
    if (tail) {
        begin_again(pass, at);
    } else if (--s->units == 0) {
        begin_cycle(pass, at);
    } else {
        s->ends = at + s->unit;
        measures_add(pass, -s->weight);
    }
}

static void end_warm(struct pass *pass, uint64_t at, bool tail)
{
    struct stretches *s = &pass->stretches;
    leave(pass);
    clocks_go_on(&pass->clocks);
    if (tail) {
        begin_again(pass, at);
        return;
    }
    issue_forget_turns(pass->issue);
    s->now = STRETCH_COUNTED;
    s->units = 1;
    s->ends = at + s->unit;
    s->weight = fmin((double)(s->ends - s->cycle_from) / (double)(COUNTS * s->unit), 1);
    measures_add(pass, -s->weight);
}

static bool head_is_over(struct pass *pass, uint64_t at)
{
    struct stretches *s = &pass->stretches;
    uint64_t lines = lines_asked(pass), behind = at - s->from;
    bool steady = is_steady(pass);
    set_reach(pass, at * pass->system->sms, lines);
    bool enough = s->asked + lines >= s->run_least && lines >= s->head_least;
    return pass->goes_on && pass->timed && enough && steady && behind >= HEAD * s->reach;
}

/* At so many accesses of an SM; `tail`: the launch is at its end. */
static int look(struct pass *pass, uint64_t at, bool tail, struct error *error)
{
    struct stretches *s = &pass->stretches;
    bool due = at >= s->ends;
    if (s->now == STRETCH_SKIMMED)
        due = issue_round_next(pass->issue) >= s->skim_ends;
    else if (s->now == STRETCH_WARMED) /* after 1 look, 2, 4 ...: twice as long as before */
        due = due || (s->looks & (s->looks + 1)) == 0;
    s->looks++;
    if (!due && (!tail || s->now == STRETCH_HEAD))
        return 0;
    int status = settle(pass, error);
    if (status)
        return status;
    switch (s->now) {
    case STRETCH_HEAD:
        if (tail)
            s->most = issue_resident(pass->issue);
        else if (head_is_over(pass, at))
            end_head(pass, at);
        break;
    case STRETCH_SKIMMED:
        begin_warm(pass, at);
        break;
    case STRETCH_WARMED:
        if ((is_steady(pass) && at >= s->least) || at >= s->ends)
            end_warm(pass, at, tail);
        break;
    case STRETCH_COUNTED:
        end_unit(pass, at, tail);
        break;
    }
    return 0;
}

/* The end of a launch may go by unseen for a small part of what lies before it. */
static uint64_t skimmed_step(uint64_t accesses)
{
    uint64_t rounds = accesses / LOOKS;
    return rounds < LOOK_EVERY ? LOOK_EVERY : rounds < STRETCHES_ROUNDS ? rounds : STRETCHES_ROUNDS;
}

int stretches_look(struct pass *pass, uint32_t *rounds, struct error *error)
{
    struct stretches *s = &pass->stretches;
    uint64_t origin = issue_origin(pass->issue), round = issue_round_next(pass->issue) - origin;
    int status = 0;
    if (!s->able)
        return 0;
    if (round >= s->next_look || (s->now == STRETCH_SKIMMED && round + origin >= s->skim_ends)) {
        uint64_t accesses, skimmed, resident = issue_resident(pass->issue);
        accesses_of(pass, &accesses, &skimmed);
        s->most = resident > s->most ? resident : s->most;
        bool tail = (double)resident < TAIL * (double)s->most && !issue_waits(pass->issue);
        status = look(pass, accesses / pass->system->sms, tail, error);
        s->step = s->now == STRETCH_HEAD      ? 2 * s->step
                  : s->now == STRETCH_SKIMMED ? skimmed_step(accesses / pass->system->sms)
                                              : LOOK_EVERY;
        s->next_look = round / s->step * s->step + s->step;
    }
    uint64_t most = s->next_look - round;
    if (s->now == STRETCH_SKIMMED) {
        uint64_t end = s->skim_ends - origin - round;
        most = end > 0 && end < most ? end : most;
    }
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
        count_unit(pass);
    if (s->now != STRETCH_HEAD)
        weigh(pass);
    else
        counts_gather(pass);
    accesses_of(pass, &accesses, &skimmed);
    if (s->sampled && skimmed)
        lines_weigh(&pass->tally.counts.behind, 1 / shards_rate(&s->shards));
    if (skimmed) {
        const struct tally_counts *all = &pass->tally.counts;
        double elsewhere = (double)pass->l1->misses_elsewhere / (double)pass->l1->misses;
        elsewhere *= (double)(all->l1_reads - all->l1_read_hits);
        pass->l1->misses_elsewhere = pass->l1->misses ? (uint64_t)llround(elsewhere) : 0;
    }
    s->asked += lines_asked(pass);
    s->requests += measures_requests(&pass->tally);
    s->l1_reads += (double)pass->tally.counts.l1_reads;
    s->accesses += accesses;
    s->skimmed += skimmed;
}

double stretches_skimmed(const struct pass *pass)
{
    const struct stretches *s = &pass->stretches;
    return s->accesses ? (double)s->skimmed / (double)s->accesses : 0;
}

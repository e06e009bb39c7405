/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of cyclic accesses, and answers about them. */
#include "validate/silicon_traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/answer/answer.h"
#include "machine/organisation.h"
#include "machine/system.h"

enum { PIECES = 64 };      /* of a distribution of distances */
#define CURVE_REQUESTS 1e9 /* that a curve counts: shares are exact to a billionth */
#define SHARE_LEAST 1e-6   /* of the requests, that another sweep is followed for */

/* --- distances ---------------------------------------------------------------------- */

/* Requests by the lines between two for the same one; what is missing to 1 is cold. */
struct reuse {
    struct {
        double lines, share;
    } items[PIECES + 1];
    int count;
};

static void reuse_add(struct reuse *reuse, double lines, double share)
{
    reuse->items[reuse->count].lines = fmax(0, lines);
    reuse->items[reuse->count++].share = share;
}

/* Sweeps over `lines`, of which each falls to one of so many caches. */
static struct reuse reuse_of_sweeps(double lines, double caches)
{
    struct reuse reuse = {.count = 0};
    double other = 1 - 1 / caches, left = 1;
    for (int sweep = 1; sweep <= PIECES && left > SHARE_LEAST; sweep++) {
        reuse_add(&reuse, lines * (1 - pow(other, sweep)) - 1, left / caches);
        left *= other;
    }
    reuse_add(&reuse, lines - 1, left);
    return reuse;
}

/* k readers of each set, anywhere in it: with the share 1 - u of readers that are further, u even
 * in 0 .. 1, the distance is 1 - u^(k/(k-1)) of all lines. */
static void reuse_add_circle(struct reuse *reuse, double lines, int readers, double share, int n)
{
    for (int i = 0; i < n && readers > 1; i++) {
        double u = (n - i - 0.5) / n;
        reuse_add(reuse, lines * (1 - pow(u, readers / (readers - 1.0))) - 1, share / n);
    }
    if (readers <= 1 && share > 0)
        reuse_add(reuse, lines - 1, share);
}

/* Some sets have one reader more than others. */
static struct reuse reuse_of_circles(double lines, double readers)
{
    struct reuse reuse = {.count = 0};
    double less = floor(readers), more = readers * (less + 1) - less * (less + 1);
    more = fmin(1, fmax(0, more / readers)); /* share of the requests, by sets with one more */
    reuse_add_circle(&reuse, lines, (int)less, 1 - more, PIECES / 2);
    if (more > 0)
        reuse_add_circle(&reuse, lines, (int)less + 1, more, PIECES / 2);
    return reuse;
}

/* Where slices are filled by others' misses, too (profile/curves/distances.h): lines of the own
 * memory are asked for by all there are, others by the own SMs. Each of so many domains reads the
 * share `reads` of its requests. k sweeps later, S(k) lines: all of the own memory that are read,
 * and of the rest what fell to the own SMs. `everywhere`: the home is asked next, which had a line
 * that is read a sweep ago. */
static struct reuse reuse_of_filled_sweeps(double lines, double domains, double reads,
                                           bool everywhere)
{
    struct reuse reuse = {.count = 0};
    double all = lines * reads / domains, other = 1 - 1 / domains, left = 1;
    double first = all + (lines - all) / domains - 1, once = everywhere ? reads : reads / domains;
    reuse_add(&reuse, first, once);
    for (int sweep = 1; sweep < PIECES && left > SHARE_LEAST; sweep++) {
        double seen = all + (lines - all) * (1 - pow(other, sweep)) - 1;
        reuse_add(&reuse, seen, (1 - once) * left / domains);
        left *= other;
    }
    reuse_add(&reuse, lines - 1, (1 - once) * left);
    return reuse;
}

/* The same of k readers in circles: g as far as the next of k, or of the k/domains of the own
 * partition; between, what both have read. */
static struct reuse reuse_of_filled_circles(double lines, double readers, double domains,
                                            bool everywhere)
{
    struct reuse reuse = {.count = 0};
    double own = readers / domains, once = everywhere ? 1 : 1 / domains;
    enum { N = PIECES / 2 };
    for (int i = 0; i < 2 * N; i++) {
        bool any = i < N;
        double u = (i % N + 0.5) / N, others = (any ? readers : own) - 1;
        double rest = others > 0 ? pow(u, 1 / others) : 0; /* 1 - g */
        double seen = (1 - pow(rest, readers)) / domains + (1 - pow(rest, own)) * (1 - 1 / domains);
        reuse_add(&reuse, lines * seen - 1, (any ? once : 1 - once) / N);
    }
    return reuse;
}

static int compare_points(const void *a, const void *b)
{
    const struct curve_point *x = a, *y = b;
    return x->lines < y->lines ? -1 : x->lines > y->lines;
}

/* Each distance d is a step between d and d + 1. Of a share of the requests. */
static struct curve curve_of(const struct reuse *reuse, double share, struct arena *arena)
{
    double requests = share * CURVE_REQUESTS;
    struct curve curve = {.requests = (uint64_t)llround(requests)};
    struct curve_point steps[PIECES + 1];
    uint64_t hits = 0;
    size_t n = 0;
    for (int i = 0; i < reuse->count; i++)
        steps[i] = (struct curve_point){(uint64_t)llround(reuse->items[i].lines),
                                        (uint64_t)llround(reuse->items[i].share * requests)};
    qsort(steps, (size_t)reuse->count, sizeof *steps, compare_points);
    curve.points = arena_alloc(arena, 2 * (PIECES + 1) * sizeof *curve.points);
    for (int i = 0; i < reuse->count; i++) {
        if (n > 0 && curve.points[n - 1].lines > steps[i].lines) /* the step before ends there */
            n--;
        else if (steps[i].lines > 0 && (n == 0 || curve.points[n - 1].lines < steps[i].lines))
            curve.points[n++] = (struct curve_point){steps[i].lines, hits};
        hits += steps[i].hits;
        if (hits > curve.requests)
            hits = curve.requests;
        curve.points[n++] = (struct curve_point){steps[i].lines + 1, hits};
    }
    curve.n_points = n;
    curve.cold = curve.requests - hits;
    return curve;
}

/* --- records ------------------------------------------------------------------------ */

/* What a launch asks for behind L1. */
struct traffic {
    double reads, writes;     /* requests: lines or sectors */
    double l1_reads;          /* lines that look up L1 */
    double ctas, accesses;    /* thread blocks; warp instructions that access memory */
    double instructions;      /* of warps, these among them */
    double waiting;           /* of accesses, those that wait */
    double chain, chain_hits; /* waits and hits one behind another */
    double chain_instructions, chain_steps;
    double chain_writes;             /* of the waits, those for writes; NaN: none waits for them */
    double working;                  /* SMs that have a block */
    bool one_domain;                 /* all of them of the first */
    struct reuse own;                /* seen by a cache of its level before the LLC, */
    struct reuse requester;          /* by the LLC of a domain that asks, */
    struct reuse home;               /* and of one that is home; */
    struct reuse filled, everywhere; /* by slices that ask each other, before that and after it */
};

static void set_fields(const struct system *system, const struct traffic *t, double *fields)
{
    double requests = t->reads + t->writes, domains = system->domains;
    double remote = 1 - 1 / domains;
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = (double)NAN;
    fields[FIELD_CTAS] = t->ctas;
    fields[FIELD_WARP_INSTRUCTIONS] = t->instructions;
    fields[FIELD_WARP_ACCESSES] = t->accesses;
    fields[FIELD_LINE_ACCESSES] = t->l1_reads + t->writes;
    fields[FIELD_L1_READS] = t->l1_reads;
    fields[FIELD_L1_READ_HITS] = fmax(0, t->l1_reads - t->reads);
    fields[FIELD_REQUESTS] = requests;
    fields[FIELD_READS] = t->reads;
    fields[FIELD_WRITES] = t->writes;
    fields[FIELD_ATOMICS] = 0;
    fields[FIELD_BYTES] = requests * system->request_bytes;
    fields[FIELD_R_LOCAL] = 1 / domains;
    fields[FIELD_LSU_MEMORY_SIDE] = 1;
    fields[FIELD_LSU_SM_SIDE] = t->one_domain ? 1 / domains : 1;
    fields[FIELD_ISSUE_UNIFORMITY] = t->working / system->sms;
    fields[FIELD_WAITS] = t->waiting;
    fields[FIELD_CHAIN_WAITS] = t->chain;
    fields[FIELD_CHAIN_REMOTE] = t->chain * remote;
    fields[FIELD_CHAIN_HITS] = t->chain_hits;
    fields[FIELD_CHAIN_INSTRUCTIONS] = t->chain_instructions;
    fields[FIELD_CHAIN_WRITES] = t->chain_writes;
    fields[FIELD_CHAIN_STEPS] = t->chain_steps;
    fields[FIELD_CHAIN_LAST] = 0;
    fields[FIELD_FOLLOWERS_MEMORY_SIDE] = fields[FIELD_FOLLOWERS_SM_SIDE] = 0;
    fields[FIELD_INVALIDATIONS] = fields[FIELD_PAGE_MOVES] = 0;
}

/* Levels before the LLC: what hits there, and what goes home. Dirty lines of a level that keeps
 * them go home when they leave it, as often as writes miss. */
static void set_levels(const struct system *system, const struct traffic *t, struct arena *arena,
                       struct profile_record *record)
{
    double requests = t->reads + t->writes, passes = 1;
    struct curve curve = curve_of(&t->own, 1, arena);
    for (uint32_t i = 0; i < system_between(system) && i < LEVELS_MAX; i++) {
        const struct system_level *level = system_level(system, i);
        double miss = curve_miss_ratio(&curve, (double)level->sets, level->ways);
        record->levels[i] = level->name;
        record->fields[profile_level_field((int)i, LEVEL_LOOKUPS)] = requests * passes;
        record->fields[profile_level_field((int)i, LEVEL_HITS)] = requests * passes * (1 - miss);
        record->fields[profile_level_field((int)i, LEVEL_WRITEBACKS)] =
            level->write == WRITE_BACK ? t->writes * passes * miss : 0;
        passes *= miss;
    }
    record->fields[FIELD_HOME_REQUESTS] = requests * passes;
    record->fields[FIELD_HOME_READS] = t->reads * passes;
    record->fields[FIELD_HOME_REMOTE_REQUESTS] = requests * passes * (1 - 1.0 / system->domains);
    record->fields[FIELD_HOME_REMOTE_READS] = t->reads * passes * (1 - 1.0 / system->domains);
}

/* Of writes and reads alike; what is written is written again a circle later, and leaves before
 * where that is longer than the cache. */
static struct profile_curve curves_of(const struct reuse *reuse, const struct traffic *t,
                                      struct arena *arena)
{
    double writes = t->writes / (t->reads + t->writes);
    struct profile_curve out = {.filter = "all", .curve = curve_of(reuse, 1, arena)};
    if (writes > 0) {
        out.has = 1U << CURVE_READS | 1U << CURVE_EVICTED;
        out.parts[CURVE_READS] = curve_of(reuse, 1 - writes, arena);
        out.parts[CURVE_EVICTED] = curve_of(reuse, writes, arena);
    }
    return out;
}

static void set_curves(const struct machine *machine, const struct traffic *t, bool asks_home,
                       struct arena *arena, struct profile_record *record)
{
    const char *scope = organisation_scope(machine);
    static const char *const asking[] = {"filled", "filled-or-home"};
    record->n_curves = LEVEL_SIDES + (asks_home ? 2 : 0);
    record->curves = arena_alloc(arena, (LEVEL_SIDES + 2) * sizeof *record->curves);
    for (size_t i = LEVEL_SIDES; i < record->n_curves; i++) {
        bool last = i > LEVEL_SIDES;
        record->curves[i] = curves_of(last ? &t->everywhere : &t->filled, t, arena);
        record->curves[i].filter = asking[last];
        record->curves[i].scope = scope;
        record->curves[i].side = level_side_names[SIDE_REQUESTER];
    }
    for (int side = 0; side < LEVEL_SIDES; side++) {
        record->curves[side] = curves_of(side == SIDE_HOME ? &t->home : &t->requester, t, arena);
        record->curves[side].scope = scope;
        record->curves[side].side = level_side_names[side];
    }
}

static void make_record(const struct machine *machine, const struct system *system,
                        const struct traffic *t, struct arena *arena, struct profile_record *out)
{
    size_t n = system->domains;
    *out = (struct profile_record){.name = "", .launches = 1, .n_domains = n};
    out->grid[0] = out->grid[1] = out->grid[2] = 1;
    set_fields(system, t, out->fields);
    set_levels(system, t, arena, out);
    set_curves(machine, t, system->asks_home, arena, out);
    out->traffic = arena_alloc(arena, n * n * sizeof *out->traffic);
    for (size_t i = 0; i < n * n; i++)
        out->traffic[i] = t->one_domain && i >= n ? 0 : 1;
}

/* --- the three ---------------------------------------------------------------------- */

static int lines_of(const struct system *system, double bytes, double *out, struct error *error)
{
    *out = bytes / system->line_bytes;
    if (!(*out >= 1))
        return error_set(error, STATUS_INPUT, "a working set of %g B is less than a line of %u B",
                         bytes, system->line_bytes);
    return 0;
}

/* Share of the lines of a cycle that L1 never has. Every `step` lines there is one of them, which a
 * hash spreads over all sets. */
static double chase_l1_misses(const struct system_level *l1, uint64_t lines, uint64_t step)
{
    uint64_t a = l1->sets, b = l1->index_hashed ? 1 : step;
    if (l1->sets == 0)
        return l1->perfect ? 0 : 1;
    while (b) { /* greatest common divisor */
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    uint64_t used = l1->sets / a, each = lines / used, more = lines % used, missing = 0;
    if (each > l1->ways)
        missing += (used - more) * each;
    if (each + 1 > l1->ways)
        missing += more * (each + 1);
    return (double)missing / (double)lines;
}

int silicon_chase_record(const struct machine *machine, const struct silicon_chase *chase,
                         struct arena *arena, struct profile_record *out, struct error *error)
{
    struct system system;
    double lines;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    if (!status)
        status = lines_of(&system, chase->set_bytes, &lines, error);
    if (status)
        return status;
    uint64_t step = system.line_bytes < SILICON_STEP ? SILICON_STEP / system.line_bytes : 1;
    double steps = fmax(1, floor(lines / (double)step));
    double missing = chase_l1_misses(system_l1(&system), (uint64_t)steps, step);
    struct traffic t = {.reads = chase->reads * missing,
                        .l1_reads = chase->reads,
                        .ctas = 1,
                        .accesses = chase->reads,
                        .instructions = chase->reads,
                        .waiting = chase->reads * missing,
                        .chain = chase->reads * missing,
                        .chain_hits = chase->reads * (1 - missing),
                        .chain_instructions = chase->reads,
                        .chain_writes = (double)NAN,
                        .working = 1,
                        .one_domain = true};
    double reach = steps * missing;
    t.own = t.requester = reuse_of_sweeps(reach, 1);
    for (uint32_t i = 0; i < system_between(&system); i++) {
        struct curve curve = curve_of(&t.own, 1, arena);
        const struct system_level *level = system_level(&system, i);
        reach *= curve_miss_ratio(&curve, (double)level->sets, level->ways);
    }
    t.home = reuse_of_sweeps(reach / system.domains, 1);
    t.filled = t.requester; /* nobody else asks */
    reuse_add(&t.everywhere, reach - 1, 1.0 / system.domains);
    reuse_add(&t.everywhere, reach / system.domains - 1, 1 - 1.0 / system.domains);
    make_record(machine, &system, &t, arena, out);
    out->block[0] = out->block[1] = out->block[2] = 1;
    return 0;
}

/* Caches of a level among which requests of all SMs fall. */
static double caches_before(const struct system *system)
{
    return system_between(system) ? system_level(system, 0)->caches : 1;
}

static double requests_of(const struct system *system, double bytes)
{
    return bytes / system->request_bytes;
}

/* Arguments are read through a cache of scalars, which has them but for the first block's. */
static void set_scalar_waits(const struct system *system, double waits, double chain,
                             struct profile_record *record)
{
    uint32_t slot = system_between(system);
    for (uint32_t i = 0; i < system->beside.n && slot < LEVELS_MAX; i++) {
        const struct system_beside_level *level = &system->beside.levels[i];
        if (!(level->serves >> ACCESS_SCALAR & 1) || waits == 0)
            continue;
        double *fields = &record->fields[profile_level_field((int)slot, 0)];
        record->levels[slot++] = level->name;
        for (int count = 0; count < LEVEL_COUNTS; count++)
            fields[count] = 0;
        fields[LEVEL_LOOKUPS] = fields[LEVEL_HITS] = waits;
        fields[LEVEL_CHAIN_HITS] = chain;
    }
}

int silicon_sweep_record(const struct machine *machine, const struct silicon_sweep *sweep,
                         struct arena *arena, struct profile_record *out, struct error *error)
{
    struct system system;
    double lines;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    if (!status)
        status = lines_of(&system, sweep->set_bytes, &lines, error);
    if (status)
        return status;
    double bytes = sweep->threads * SILICON_ELEMENT, blocks = sweep->threads / sweep->block_threads;
    double warps = blocks * ceil(sweep->block_threads / WARP_LANES);
    double rounds = blocks / (sweep->resident * system.sms), waits = sweep->loads > 0 ? 1 : 0;
    double acknowledged = system.awaits_writes && sweep->stores > 0 ? 1 : 0;
    double instructions = fmax(sweep->instructions, sweep->loads + sweep->stores);
    struct traffic t = {.reads = requests_of(&system, bytes * sweep->loads),
                        .writes = requests_of(&system, bytes * sweep->stores),
                        .l1_reads = bytes * sweep->loads / system.request_bytes,
                        .ctas = blocks,
                        .accesses = warps * (sweep->loads + sweep->stores),
                        .instructions = warps * instructions,
                        .waiting = warps * waits,
                        .chain = rounds * (waits + acknowledged),
                        .chain_hits = rounds * sweep->scalar_waits,
                        .chain_instructions = rounds * instructions,
                        .chain_steps = rounds * (instructions - sweep->loads - sweep->stores),
                        .chain_writes = system.awaits_writes ? rounds * acknowledged : (double)NAN,
                        .working = system.sms,
                        .own = reuse_of_sweeps(lines, caches_before(&system)),
                        .requester = reuse_of_sweeps(lines, system.domains),
                        .home = reuse_of_sweeps(lines / system.domains, 1)};
    double read = t.reads / (t.reads + t.writes);
    t.filled = reuse_of_filled_sweeps(lines, system.domains, read, false);
    t.everywhere = reuse_of_filled_sweeps(lines, system.domains, read, true);
    make_record(machine, &system, &t, arena, out);
    set_scalar_waits(&system, warps * sweep->scalar_waits, t.chain_hits, out);
    out->grid[0] = (uint32_t)fmin(blocks, UINT32_MAX);
    out->block[0] = (uint32_t)sweep->block_threads;
    out->block[1] = out->block[2] = 1;
    return 0;
}

static struct reuse filled_shared_reuse(double lines, double readers, double domains,
                                        bool everywhere)
{
    return readers >= domains ? reuse_of_filled_circles(lines, readers, domains, everywhere)
                              : reuse_of_filled_sweeps(lines, domains, 1, everywhere);
}

/* Readers of a set among the SMs that ask a cache; fewer than one: sets go round. */
static struct reuse shared_reuse(double lines, double readers, double caches)
{
    return readers >= caches ? reuse_of_circles(lines, readers / caches)
                             : reuse_of_sweeps(lines, caches);
}

int silicon_shared_record(const struct machine *machine, const struct silicon_shared *shared,
                          struct arena *arena, struct profile_record *out, struct error *error)
{
    struct system system;
    double lines;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    if (!status)
        status = lines_of(&system, shared->working_set_bytes, &lines, error);
    if (status)
        return status;
    double blocks = shared->resident * system.sms, caches = caches_before(&system);
    double readers = blocks / fmax(1, shared->working_set_bytes / shared->set_bytes);
    double loads = shared->set_bytes / (shared->block_threads * SILICON_ELEMENT);
    double reads = requests_of(&system, blocks * shared->rounds * shared->set_bytes);
    double warps = blocks * shared->rounds * ceil(shared->block_threads / WARP_LANES);
    struct traffic t = {.reads = reads,
                        .l1_reads = reads,
                        .ctas = blocks * shared->rounds,
                        .accesses = warps * loads,
                        .instructions = warps * loads,
                        .waiting = warps * loads,
                        .chain = shared->rounds * loads,
                        .chain_instructions = shared->rounds * loads,
                        .chain_writes = (double)NAN,
                        .working = system.sms,
                        .own = shared_reuse(lines, readers, caches),
                        .requester = shared_reuse(lines, readers, system.domains),
                        .home = shared_reuse(lines / system.domains, readers, 1),
                        .filled = filled_shared_reuse(lines, readers, system.domains, false),
                        .everywhere = filled_shared_reuse(lines, readers, system.domains, true)};
    make_record(machine, &system, &t, arena, out);
    out->grid[0] = (uint32_t)(blocks * shared->rounds);
    out->block[0] = (uint32_t)shared->block_threads;
    out->block[1] = out->block[2] = 1;
    return 0;
}

/* --- answers ------------------------------------------------------------------------ */

static int ask(const struct machine *machine, struct profile_record *record, double *seconds,
               struct error *error)
{
    const struct plugin *model = plugin_find("model", "network");
    struct profile_view view = {.records = record, .n_records = 1, .sample_rate = 1};
    struct answer *answer;
    int status = answer_create((const struct model *)model, machine, &view, &answer, error);
    if (status)
        return status;
    *seconds = answer_metric(answer, "kernel_time");
    answer_destroy(answer);
    return 0;
}

/* Where L1 has all lines nothing is asked for behind it, and the chain's hits are all there is. */
static int chase_in_l1(const struct machine *machine, double *out, struct error *error)
{
    double latency, issue;
    int status = machine_number(machine, "l1.latency", &latency, error);
    if (!status)
        status = machine_number(machine, "sm.issue", &issue, error);
    *out = status ? 0 : latency + 1 / issue;
    return status;
}

int silicon_chase_time(const struct machine *machine, const struct silicon_chase *chase,
                       double *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct profile_record record;
    int status = silicon_chase_record(machine, chase, arena, &record, error);
    if (!status && record.fields[FIELD_REQUESTS] < 1)
        status = chase_in_l1(machine, out, error);
    else if (!status && !(status = ask(machine, &record, out, error)))
        *out /= chase->reads;
    arena_destroy(arena);
    return status;
}

/* What limits resident blocks, shared memory, is none of the machine's: its SMs hold as many then.
 */
static int hold(const struct machine *machine, double resident, struct machine **out,
                struct error *error)
{
    char text[32];
    *out = machine_clone(machine);
    snprintf(text, sizeof text, "%.0f", resident);
    return machine_set(*out, "sm.ctas", text, NULL, error);
}

int silicon_sweep_rate(const struct machine *machine, const struct silicon_sweep *sweep,
                       double *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct profile_record record;
    struct machine *held;
    int status = hold(machine, sweep->resident, &held, error);
    if (!status)
        status = silicon_sweep_record(held, sweep, arena, &record, error);
    if (!status && !(status = ask(held, &record, out, error)))
        *out = sweep->threads * SILICON_ELEMENT * (sweep->loads + sweep->stores) / *out;
    arena_destroy(arena);
    machine_destroy(held);
    return status;
}

int silicon_shared_rate(const struct machine *machine, const struct silicon_shared *shared,
                        double *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct profile_record record;
    int status = silicon_shared_record(machine, shared, arena, &record, error);
    if (!status && !(status = ask(machine, &record, out, error)))
        *out = record.fields[FIELD_BYTES] / *out;
    arena_destroy(arena);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of cyclic accesses, and answers about them. */
#include "validate/silicon_traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/answer/answer.h"
#include "machine/organisation.h"
#include "machine/system.h"
#include "validate/silicon_reuse.h"

/* --- records ------------------------------------------------------------------------ */

/* What a launch asks for behind L1. */
struct traffic {
    double reads, writes;     /* requests: lines or sectors */
    double l1_reads;          /* lines of reads that look up L1 */
    double lines;             /* that L1 is asked for */
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
    fields[FIELD_LINE_ACCESSES] = t->lines;
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
    struct curve curve = reuse_curve(&t->own, 1, arena);
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
    struct profile_curve out = {.filter = "all", .curve = reuse_curve(reuse, 1, arena)};
    if (writes > 0) {
        out.has = 1U << CURVE_READS | 1U << CURVE_EVICTED;
        out.parts[CURVE_READS] = reuse_curve(reuse, 1 - writes, arena);
        out.parts[CURVE_EVICTED] = reuse_curve(reuse, writes, arena);
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
                        .lines = chase->reads,
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
        struct curve curve = reuse_curve(&t.own, 1, arena);
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

/* Lines as one of so many caches on the requester's side sees them. */
static struct reuse sweeps(const struct machine *machine, const struct silicon_sweep *sweep,
                           double lines, double caches)
{
    struct error ignored;
    const char *policy;
    double arrays = sweep->loads + sweep->stores;
    double elements = sweep->set_bytes / arrays / SILICON_ELEMENT;
    if (machine_name(machine, "cta.policy", &policy, &ignored) != 0 ||
        strcmp(policy, "centralised") != 0)
        return reuse_of_sweeps(lines, caches);
    return reuse_of_turns(lines, elements / sweep->block_threads, caches);
}

/* A wait for special registers, as so many instructions that each need the one before. */
static double special_steps(const struct machine *machine, const struct silicon_warp *warp)
{
    struct error ignored;
    double step_s = 0, clock_hz = 0;
    machine_number(machine, "sm.dependent", &step_s, &ignored);
    machine_number(machine, "sm.clock", &clock_hz, &ignored);
    double cycles = step_s * clock_hz;
    return cycles > 0 ? warp->special_cycles / cycles : 0;
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
    double instructions = fmax(sweep->warp.instructions, sweep->loads + sweep->stores);
    struct traffic t = {.reads = requests_of(&system, bytes * sweep->loads),
                        .writes = requests_of(&system, bytes * sweep->stores),
                        .l1_reads = bytes * sweep->loads / system.line_bytes,
                        .lines = bytes * (sweep->loads + sweep->stores) / system.line_bytes,
                        .ctas = blocks,
                        .accesses = warps * (sweep->loads + sweep->stores),
                        .instructions = warps * instructions,
                        .waiting = warps * waits,
                        .chain = rounds * (waits + acknowledged),
                        .chain_hits = rounds * sweep->warp.scalar_waits,
                        .chain_instructions = rounds * instructions,
                        .chain_steps = rounds * (instructions - sweep->loads - sweep->stores +
                                                 special_steps(machine, &sweep->warp)),
                        .chain_writes = system.awaits_writes ? rounds * acknowledged : (double)NAN,
                        .working = system.sms,
                        .own = sweeps(machine, sweep, lines, caches_before(&system)),
                        .requester = sweeps(machine, sweep, lines, system.domains),
                        .home = reuse_of_sweeps(lines / system.domains, 1)};
    double read = t.reads / (t.reads + t.writes);
    t.filled = reuse_of_filled_sweeps(lines, system.domains, read, false);
    t.everywhere = reuse_of_filled_sweeps(lines, system.domains, read, true);
    make_record(machine, &system, &t, arena, out);
    set_scalar_waits(&system, warps * sweep->warp.scalar_waits, t.chain_hits, out);
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
                        .l1_reads = reads * system.request_bytes / system.line_bytes,
                        .lines = reads * system.request_bytes / system.line_bytes,
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

/* Arrays lie in consecutive lines: where those that are consecutive in memory, too, go over a whole
 * way of a cache (page.contiguous), each of its sets has as many of them, and so all are as one. An
 * LLC at the memories has its domain's part of such a piece. */
static int fill_evenly(struct machine *held, struct error *error)
{
    enum { WAYS_MOST = 4096 };
    struct system system;
    struct error ignored;
    const char *organisation;
    double piece;
    int status = 0;
    if (machine_number(held, "page.contiguous", &piece, &ignored) != 0)
        return 0;
    status = machine_name(held, "llc.organisation", &organisation, error);
    if (!status)
        status = system_compile(&system, held, SYSTEM_STREAM, error);
    for (uint32_t i = 1; !status && i < system.n_levels; i++) {
        const struct system_level *level = &system.levels[i];
        bool home = i + 1 == system.n_levels && strcmp(organisation, "sm-side") != 0;
        double way = (double)level->sets * system.line_bytes;
        double ways = fmin(WAYS_MOST, (double)level->sets * level->ways);
        char path[80], text[32];
        if (way > (home ? piece / system.domains : piece))
            continue;
        snprintf(path, sizeof path, "%s.ways", level->name);
        snprintf(text, sizeof text, "%.0f", ways);
        status = machine_set(held, path, text, NULL, error);
    }
    return status;
}

/* As the measurement finds it. What limits resident blocks, shared memory, is none of the
 * machine's: its SMs hold as many then; 0: as many as they do. */
static int hold(const struct machine *machine, double resident, struct machine **out,
                struct error *error)
{
    char text[32];
    *out = machine_clone(machine);
    snprintf(text, sizeof text, "%.0f", resident);
    int status = fill_evenly(*out, error);
    return status || resident == 0 ? status : machine_set(*out, "sm.ctas", text, NULL, error);
}

int silicon_chase_time(const struct machine *machine, const struct silicon_chase *chase,
                       double *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct profile_record record;
    struct machine *held;
    int status = hold(machine, 0, &held, error);
    if (!status)
        status = silicon_chase_record(held, chase, arena, &record, error);
    if (!status && record.fields[FIELD_REQUESTS] < 1)
        status = chase_in_l1(machine, out, error);
    else if (!status && !(status = ask(held, &record, out, error)))
        *out /= chase->reads;
    arena_destroy(arena);
    machine_destroy(held);
    return status;
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
    struct machine *held;
    int status = hold(machine, 0, &held, error);
    if (!status)
        status = silicon_shared_record(held, shared, arena, &record, error);
    if (!status && !(status = ask(held, &record, out, error)))
        *out = record.fields[FIELD_BYTES] / *out;
    arena_destroy(arena);
    machine_destroy(held);
    return status;
}

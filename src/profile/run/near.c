/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an SM does for itself: coalescing, L1, and whom its warps wait for. */
#include "core/progress.h"
#include "profile/run/stages.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd.h"

/* Lists are read side by side, all as far as each other: were they to begin at equal places of
 * pages, their ends would share a few sets of the host's caches. */
enum { STEP = 64, STEPS = 64, FIRST = STEPS * STEP / sizeof(struct near_turn) };

/* Of a line a turn and some more, or of several. */
static size_t turns_of(size_t records)
{
    return records / 8 * 5 + COALESCE_MAX + FIRST;
}
static size_t lines_of(size_t records)
{
    return records / 16 * 13 + COALESCE_MAX + FIRST;
}

static size_t near_bytes(size_t records)
{
    return turns_of(records) * sizeof(struct near_turn) +
           lines_of(records) * sizeof(struct near_line);
}

static void near_init(struct near *near, uint32_t sm, size_t records, void *memory)
{
    near->skipped = sm % STEPS * STEP / sizeof(struct near_turn);
    near->turns.capacity = turns_of(records);
    near->lines.capacity = lines_of(records);
    near->lines.items = memory;
    near->turns.items = (void *)(near->lines.items + near->lines.capacity);
    near->lines_lent = near->turns_lent = true;
    near_clear(near);
}

void near_init_lists(struct pass *pass, size_t records)
{
    size_t bytes = near_bytes(records);
    pass->lists = memory_zero(pass->n_lists, sizeof *pass->lists);
    pass->list_memory = memory_filled(pass->n_lists, bytes);
    for (uint32_t i = 0; i < pass->n_lists; i++)
        near_init(&pass->lists[i], i % pass->system->sms, records,
                  (char *)pass->list_memory + i * bytes);
}

/* Memory of its own, for so many items; the first `kept` stay. */
static void *near_move(void *items, size_t kept, size_t capacity, size_t size, bool *lent)
{
    void *own = memory_alloc(capacity * size);
    if (kept)
        memcpy(own, items, kept * size);
    if (!*lent)
        free(items);
    *lent = false;
    return own;
}

/* Apart from where they are filled, which mostly need no more room. */
__attribute__((noinline)) static void near_grow_turns(struct near *near, size_t kept, size_t wanted)
{
    near->turns.capacity = wanted + wanted / 2;
    near->turns.items = near_move(near->turns.items, kept, near->turns.capacity,
                                  sizeof *near->turns.items, &near->turns_lent);
}

__attribute__((noinline)) static void near_grow_lines(struct near *near, size_t kept, size_t wanted)
{
    near->lines.capacity = wanted + wanted / 2;
    near->lines.items = near_move(near->lines.items, kept, near->lines.capacity,
                                  sizeof *near->lines.items, &near->lines_lent);
}

void near_reserve(struct near *near, size_t turns, size_t lines)
{
    if (turns > near->turns.capacity)
        near_grow_turns(near, 0, turns);
    if (lines > near->lines.capacity)
        near_grow_lines(near, 0, lines);
}

static inline struct near_turn *near_push_turn(struct near *near)
{
    if (near->turns.count == near->turns.capacity)
        near_grow_turns(near, near->turns.count, near->turns.count + 1);
    return &near->turns.items[near->turns.count++];
}

void near_clear(struct near *near)
{
    near->turns.count = near->lines.count = near->skipped;
    near->touches.count = near->touch = 0;
}

void near_begin_launch(struct near *near)
{
    near_clear(near);
    near->issued = 0;
    near->counts = (struct tally_counts){0};
}

static void near_fini(struct near *near)
{
    if (!near->turns_lent)
        free(near->turns.items);
    if (!near->lines_lent)
        free(near->lines.items);
    VECTOR_FREE(&near->touches);
}

void near_fini_lists(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->n_lists; i++)
        near_fini(&pass->lists[i]);
    free(pass->lists);
    free(pass->list_memory);
}

/* --- accesses ----------------------------------------------------------------------- */

static uint8_t near_flags(const struct pass *pass, const struct warp_access *access)
{
    unsigned flags = beside_serves(&pass->asides.caches, access) >= 0 ? NEAR_BESIDE : 0;
    if (access->flags & (ACCESS_PART | ACCESS_LOCAL | ACCESS_BULK))
        flags |= (access->flags & ACCESS_PART ? (unsigned)NEAR_PART : 0) |
                 (access->flags & ACCESS_LOCAL ? (unsigned)NEAR_LOCAL : 0) |
                 (access->flags & ACCESS_BULK ? (unsigned)NEAR_BULK : 0);
    return (uint8_t)flags;
}

INLINE struct near_turn *add_turn(struct pass *pass, struct near *near,
                                  const struct issue_turn *turn, const struct warp_access *access,
                                  uint64_t round)
{
    bool none = access->kind == ACCESS_NONE || access->mask == 0;
    struct near_turn *own = near_push_turn(near);
    *own = (struct near_turn){
        .round = round,
        .cta = (uint32_t)turn->cta,
        .warp = turn->warp,
        .instructions = access->instructions,
        .think = access->think,
        .kind = none ? (uint8_t)ACCESS_NONE : access->kind,
        .flags = none ? 0 : near_flags(pass, access),
        .lanes = (uint8_t)warp_access_lanes(access),
        .bytes = access->bytes,
        .ahead = access->ahead,
        .path = access->path,
    };
    if (none)
        return own;
    near->issued += access->instructions;
    struct lanes *lanes = &pass->lanes[turn->worker];
    if (lanes->n_allocations)
        lanes_count(lanes, access);
    return own;
}

struct near_turn *near_add_turn(struct pass *pass, const struct issue_turn *turn,
                                const struct warp_access *access)
{
    return add_turn(pass, &pass->near[turn->sm], turn, access,
                    pass->at_once ? turn->clock : turn->round);
}

/* Whether lines take rounds to come. */
static bool near_is_timed(const struct pass *pass)
{
    return pass->system->order != WARPS_LRR && !pass->replay;
}

static bool near_awaits(const void *context, uint32_t node, uint64_t line)
{
    const struct near_round *now = context;
    return waits_there(waits_place(now->sent, node, waits_slot(line)), line) > now->round;
}

void near_begin_round(struct near_round *now, const struct pass *pass, uint64_t round)
{
    *now = (struct near_round){&pass->sent, round, {now, near_is_timed(pass) ? near_awaits : NULL}};
}

/* A line that L1 serves. */
INLINE void ask_l1(struct pass *pass, struct l1_place at, const struct near_round *now,
                   const struct warp_access *access, bool bypass, struct near_line *line)
{
    const struct system *system = pass->system;
    bool looked_up;
    line->sectors = l1_ask_at(pass->l1, access, at, line->line, line->wanted, bypass,
                              &now->awaited, &looked_up, &line->change);
    if (looked_up)
        line->flags |= REQUEST_LOOKUP;
    if (system->fetches_partial && access->kind == ACCESS_WRITE &&
        !coalesce_covers(access, system->line_bytes, line->line, line->wanted, system->sectors))
        line->flags |= REQUEST_PARTIAL;
}

void near_ask(struct pass *pass, uint32_t sm, const struct near_round *now,
              const struct warp_access *access, struct near_line *line)
{
    const struct system *system = pass->system;
    int beside = beside_serves(&pass->asides.caches, access);
    if (beside >= 0) {
        line->sectors =
            asides_read(&pass->asides, beside, sm, line->line, line->wanted, &pass->tally.counts);
        return;
    }
    bool remote = pass->at_once && line->home != system_domain(system, sm);
    ask_l1(pass, l1_place_of(pass->l1, sm, line->line), now, access,
           remote && system_l1(system)->bypassed_remote, line);
}

/* near_rounds() of accesses whose warps wait at all, at their node. */
INLINE uint32_t rounds_of(struct pass *pass, uint64_t round, const struct near_line *line,
                          uint32_t node, bool walks)
{
    uint32_t all = pass->system->stall + 1;
    struct waits_line *sent = waits_place(&pass->sent, node, line->slot);
    if (line->sectors) {
        if (line->change.kind == L1_TOOK || line->change.kind == L1_FILLED)
            waits_send(sent, line->line, round + all);
        return all;
    }
    if (!(line->flags & REQUEST_LOOKUP))
        return walks ? all : 0;
    uint64_t there = waits_there(sent, line->line);
    return walks ? all : there > round ? (uint32_t)(there - round) : 0;
}

uint32_t near_rounds(struct pass *pass, const struct issue_turn *turn,
                     const struct warp_access *access, const struct near_line *line, bool walks)
{
    if (!near_is_timed(pass) || access->kind == ACCESS_WRITE)
        return 0;
    return rounds_of(pass, turn->round, line, l1_node(pass->l1, turn->sm, line->line), walks);
}

/* Room for so many more lines behind the last one. */
static inline struct near_line *near_room(struct near *near, int n)
{
    if (near->lines.capacity - near->lines.count < (size_t)n)
        near_grow_lines(near, near->lines.count, near->lines.count + (size_t)n);
    return near->lines.items + near->lines.count;
}

/* What L1 will be asked for, of an access of several lines. */
INLINE void near_prefetch(const struct pass *pass, struct l1_place at,
                          const struct near_line *line)
{
    l1_prefetch_at(pass->l1, at);
    waits_prefetch(&pass->sent, at.node, line->slot);
}

void near_ahead(void *context, uint32_t sm, const struct warp_access *access)
{
    enum { LANES = 4 };
    const struct pass *pass = context;
    int line_shift = __builtin_ctz(pass->system->line_bytes);
    int lanes = access->addresses ? warp_access_lanes(access) : access->mask != 0;
    for (int k = 0; k < lanes && k < LANES; k++) {
        uint64_t line = warp_access_address(access, k) >> line_shift;
        struct l1_place at = l1_place_in(pass->l1, l1_own(pass->l1, sm), line);
        pages_prefetch_memo(&pass->pages, sm, line);
        l1_prefetch_at(pass->l1, at);
        waits_prefetch(&pass->sent, at.node, waits_slot(line));
    }
}

/* SMs that are run alone have their L1s for themselves, and no cache beside it. */
int near_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access)
{
    struct near *near = &pass->near[turn->sm];
    struct near_turn *own = add_turn(pass, near, turn, access, turn->round);
    struct coalesced_line lines[COALESCE_MAX];
    uint32_t wait = 0;
    if (own->kind == ACCESS_NONE)
        return 0;
    struct near_round now;
    near_begin_round(&now, pass, turn->round);
    bool waits = near_is_timed(pass) && access->kind != ACCESS_WRITE;
    int n = coalesce_most(access, own->lanes, pass->system->line_bytes, lines);
    own->lines = (uint8_t)n;
    struct near_line *line = near_room(near, n);
    struct l1_place places[COALESCE_MAX];
    uint32_t node = l1_own(pass->l1, turn->sm);
    bool reads = access->kind == ACCESS_READ && !(access->flags & ACCESS_BYPASS_L1);
    near->lines.count += (size_t)n;
    for (int i = 0; i < n; i++) {
        near_line_set(pass, &lines[i], &line[i]);
        places[i] = l1_place_in(pass->l1, node, lines[i].line);
        if (n > 1)
            near_prefetch(pass, places[i], &line[i]);
    }
    for (int i = 0; i < n; i++, line++) {
        uint32_t touch = (uint32_t)near->touches.count;
        line->home = pages_recall(&pass->pages, turn->sm, line->line, touch);
        if (line->home == PAGES_ASKED + touch)
            VECTOR_PUSH(&near->touches, (struct near_touch){turn->round, line->line, {0, 0}});
        if (reads && l1_finds_in_front(pass->l1, places[i], line->line))
            line->flags |= REQUEST_LOOKUP;
        else
            ask_l1(pass, places[i], &now, access, false, line);
        if (!waits)
            continue;
        uint32_t rounds = rounds_of(pass, turn->round, line, places[i].node, false);
        wait = rounds > wait ? rounds : wait;
    }
    return (int)wait;
}

static void near_add_event(void *context, const struct issue_turn *turn, enum near_kind kind)
{
    const struct pass *pass = context;
    *near_push_turn(&pass->near[turn->sm]) =
        (struct near_turn){.round = turn->round, .warp = turn->warp, .kind = (uint8_t)kind};
}

void near_begin_warp(void *context, const struct issue_turn *turn)
{
    near_add_event(context, turn, NEAR_BEGIN);
}

void near_end_warp(void *context, const struct issue_turn *turn)
{
    progress_piece();
    near_add_event(context, turn, NEAR_END);
}

/* --- clocks ------------------------------------------------------------------------- */

INLINE void needs(const struct pass *pass, struct tally_counts *counts, struct near_turn *turn,
                  struct warp_waits *warp)
{
    uint32_t instructions = turn->instructions;
    if (pass->waits_assumed)
        counts->waits_assumed += warp->loaded != WAITS_NONE;
    warp_waits_for(warp, warp_waits_needed(warp->issued, turn->ahead));
    warp->clock.instructions += instructions;
    warp->clock.steps += instructions - (instructions != 0);
    warp->clock.last += instructions;
    if (turn->think) {
        warp->clock.think += turn->think;
        warp->clock.last_think += turn->think;
    }
    if (turn->kind == ACCESS_WRITE)
        return;
    bool none = warp->loaded == WAITS_NONE;
    warp->asking = warp->asking && !none;
    turn->flags |= none ? NEAR_LOAD | NEAR_GROUP : NEAR_LOAD;
    warp->loaded = none ? warp->issued : warp->loaded;
}

void near_needs(struct pass *pass, struct near *near, struct near_turn *turn,
                struct warp_waits *warp)
{
    needs(pass, &near->counts, turn, warp);
}

/* Whether the line is waited for by the warp's own clock (waits.h). `node`: that serves it, unless
 * a cache beside L1 does. */
INLINE bool line_waits(struct pass *pass, uint32_t sm, uint32_t node, const struct near_turn *turn,
                       const struct near_line *line, const struct warp_waits *warp, bool *others)
{
    bool missing = line->sectors != 0;
    *others = false;
    if (turn->kind != ACCESS_READ)
        return missing && turn->kind == ACCESS_ATOMIC;
    if (turn->flags & NEAR_BESIDE) {
        int beside = pass->asides.caches.of_path[turn->path];
        uint32_t which = beside_which(&pass->asides.caches, beside, sm);
        return waits_read(waits_place(&pass->asides.waits[beside], which, line->slot), line->line,
                          line->clock, missing);
    }
    return waits_read_by(waits_asked_place(&pass->waits, node, line->slot), line->line, line->clock,
                         missing, warp, others);
}

INLINE unsigned waits_for_line(struct pass *pass, uint32_t sm, uint32_t node,
                               const struct near_turn *turn, struct near_line *line, bool remote,
                               struct warp_waits *warp)
{
    line->clock = warp->clock.waits;
    if (line->sectors && !warp->asking) {
        warp->asking = true;
        line->flags |= REQUEST_BEGINS;
    }
    bool others;
    if (!(pass->parts & PART_WAITS) || !line_waits(pass, sm, node, turn, line, warp, &others))
        return 0;
    return (remote ? WAITS_REMOTE : WAITS_LOCAL) | (others ? WAITS_SHARED : 0);
}

unsigned near_waits(struct pass *pass, uint32_t sm, const struct near_turn *turn,
                    struct near_line *line, bool remote, struct warp_waits *warp)
{
    return waits_for_line(pass, sm, l1_node(pass->l1, sm, line->line), turn, line, remote, warp);
}

INLINE void has_asked(const struct pass *pass, struct tally_counts *counts,
                      const struct near_turn *turn, const struct near_asked *asked,
                      struct warp_waits *warp)
{
    int beside = turn->flags & NEAR_BESIDE ? pass->asides.caches.of_path[turn->path] : -1;
    unsigned through = waits_through(beside);
    uint64_t number = warp->issued++;
    if (!(pass->parts & PART_WAITS))
        return;
    if (asked->waits) {
        bool shared = asked->waits & WAITS_SHARED, none = warp->awaited == WAITS_NONE;
        counts->awaited++;
        counts->waits += none;
        counts->waits_shared += shared && !warp->shared;
        warp->shared = warp->shared || shared;
        warp->awaited = none ? number : warp->awaited;
        warp->n_awaited++;
        warp->remote = warp->remote || (asked->waits & WAITS_REMOTE);
        warp->late |= asked->late;
        warp->through |= through;
    } else if (turn->kind == ACCESS_WRITE) {
        bool remote = asked->wrote & WAITS_REMOTE;
        if (pass->system->awaits_writes)
            warp_waits_write(warp, remote);
        else
            warp_waits_post(warp, remote);
    } else if (turn->kind == ACCESS_READ) {
        warp->hit = warp->hit == WAITS_NONE ? number : warp->hit;
        warp->late_hit |= asked->late;
        warp->through_hit |= through;
    }
}

void near_asked(const struct pass *pass, struct near *near, const struct near_turn *turn,
                const struct near_asked *asked, struct warp_waits *warp)
{
    has_asked(pass, &near->counts, turn, asked, warp);
}

/* --- counts ------------------------------------------------------------------------- */

INLINE void count(struct tally_counts *counts, const struct near_turn *turn)
{
    unsigned flags = turn->flags;
    counts->warp_instructions += turn->instructions;
    if (turn->kind == ACCESS_NONE)
        return;
    uint64_t bytes = (uint64_t)turn->lanes * turn->bytes;
    counts->warp_accesses++;
    counts->lane_accesses += turn->lanes;
    counts->lane_bytes += bytes;
    counts->instructions_unknown += turn->instructions == 0 && !(flags & NEAR_PART);
    if (flags & (NEAR_LOCAL | NEAR_BULK)) {
        counts->local_bytes += flags & NEAR_LOCAL ? bytes : 0;
        counts->bulk_bytes += flags & NEAR_BULK ? bytes : 0;
    }
    counts->loads += flags / NEAR_LOAD % 2;
    counts->load_groups += flags / NEAR_GROUP % 2;
    counts->line_accesses += flags & NEAR_BESIDE ? 0 : turn->lines;
}

void near_count(struct tally_counts *counts, const struct near_turn *turn)
{
    count(counts, turn);
}

INLINE void count_line(const struct pass *pass, struct tally_counts *counts,
                       const struct near_turn *turn, const struct near_line *line, bool remote)
{
    counts->paths[turn->path]++;
    if (!(turn->flags & NEAR_BESIDE)) {
        uint64_t sectors = line->touched * pass->sectors_per_bit;
        counts->sector_accesses += sectors;
        counts->written_sectors += turn->kind != ACCESS_READ ? sectors : 0;
        counts->remote_line_accesses += remote;
    }
    if (line->flags & REQUEST_LOOKUP) {
        bool hit = line->sectors == 0;
        counts->l1_reads++;
        counts->l1_read_hits += hit;
        counts->l1_remote_reads += remote;
        counts->l1_remote_read_hits += remote && hit;
    }
}

void near_count_line(const struct pass *pass, struct tally_counts *counts,
                     const struct near_turn *turn, const struct near_line *line, bool remote)
{
    count_line(pass, counts, turn, line, remote);
}

/* --- lists -------------------------------------------------------------------------- */

/* Whether anybody behind L1 has to see a line that is counted here. */
static inline bool is_kept(const struct pass *pass, const struct near_line *line)
{
    return line->sectors || pass->keep_hits ||
           (!pass->lead && l1_changed(pass->l1, &line->change));
}

/* Clocks, and counts where nobody looks at them until the end of the launch; the lines that anybody
 * else has to see move to `kept`. */
INLINE void tell_access(struct pass *pass, struct near *near, uint32_t sm, uint32_t domain,
                        struct near_turn *turn, const struct near_line *lines,
                        struct near_line **kept, const bool counts)
{
    struct warp_waits *warp = clocks_warp(&pass->clocks, sm, turn->warp);
    uint32_t n = turn->lines, own = l1_own(pass->l1, sm);
    struct near_asked asked = {0, 0, 0};
    struct near_line *keep = *kept;
    bool far = false;
    needs(pass, &near->counts, turn, warp);
    if (counts)
        count(&near->counts, turn);
    for (const struct near_line *line = lines; line < lines + n; line++) {
        if (keep != line) /* before anything of it changes (near_line_set) */
            *keep = *line;
        if (keep->home >= PAGES_ASKED)
            keep->home = near->touches.items[keep->home - PAGES_ASKED].answer.home;
        bool remote = keep->home != domain;
        far = far || (remote && keep->sectors);
        asked.waits |= waits_for_line(pass, sm, own, turn, keep, remote, warp);
        asked.wrote |= remote ? WAITS_REMOTE : WAITS_LOCAL;
        if (counts)
            count_line(pass, &near->counts, turn, keep, remote);
        keep += !counts || is_kept(pass, keep);
    }
    turn->lines = (uint8_t)(keep - *kept);
    *kept = keep;
    if (far && turn->kind != ACCESS_WRITE)
        order_ranks_count(&pass->ranks, sm, turn->round);
    has_asked(pass, &near->counts, turn, &asked, warp);
}

/* Begins and ends of warps, and instructions. */
static void tell_event(struct pass *pass, struct near *near, uint32_t sm,
                       const struct near_turn *turn)
{
    uint32_t place = pass->turns.place_of[sm];
    if (turn->kind == NEAR_BEGIN)
        clocks_begin_warp(&pass->clocks, sm, turn->warp);
    else if (turn->kind == NEAR_END)
        clocks_end_warp(&pass->clocks, sm, turn->warp,
                        order_turn(pass->turns.sms, place, turn->round));
    else if (!pass->counts_far)
        count(&near->counts, turn);
}

INLINE void tell_clocks(struct pass *pass, uint32_t sm, const bool counts)
{
    enum { AHEAD = 8, LINES_AHEAD = 16 };
    struct near *near = &pass->behind[sm];
    uint32_t domain = system_domain(pass->system, sm);
    struct near_line *line = near->lines.items + near->skipped, *kept = line;
    const struct near_line *end = near->lines.items + near->lines.count;
    struct near_turn *keep = near->turns.items + near->skipped;
    bool waits = pass->parts & PART_WAITS;
    uint32_t own = l1_own(pass->l1, sm);
    for (size_t i = near->skipped; i < near->turns.count; i++) {
        const struct near_turn *turn = &near->turns.items[i];
        uint32_t lines = turn->lines;
        for (uint32_t k = 0; waits && k < lines && line + LINES_AHEAD + k < end; k++)
            waits_asked_prefetch(&pass->waits, own, line[LINES_AHEAD + k].slot);
        if (i + AHEAD < near->turns.count)
            clocks_prefetch(&pass->clocks, sm, turn[AHEAD].warp);
        if (keep != turn) /* where it stands from now on, if it is kept */
            *keep = *turn;
        if (keep->kind > ACCESS_NONE && keep->kind <= ACCESS_ATOMIC)
            tell_access(pass, near, sm, domain, keep, line, &kept, counts);
        else
            tell_event(pass, near, sm, keep);
        line += lines;
        keep += keep->lines || (!counts && keep->kind <= ACCESS_ATOMIC);
    }
    near->turns.count = (size_t)(keep - near->turns.items);
    near->lines.count = (size_t)(kept - near->lines.items);
}

void near_tell_clocks(struct pass *pass, uint32_t sm)
{
    if (pass->counts_far)
        tell_clocks(pass, sm, false);
    else
        tell_clocks(pass, sm, true);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an SM does for itself: coalescing, L1, and whom its warps wait for. */
#include "core/progress.h"
#include "profile/run/near_access.h"

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
    near->issued = near->accesses = near->asked = near->skimmed = 0;
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

uint32_t near_count_awaited(const void *context, uint32_t node, const uint64_t *places, uint32_t n)
{
    const struct near_round *now = context;
    const struct waits sent = *now->sent;
    uint64_t round = now->round;
    uint32_t count = 0;
    for (; count < n && places[count]; count++) {
        uint64_t line = places[count] - 1;
        if (waits_there(waits_place(&sent, node, waits_slot(line)), line) <= round)
            break;
    }
    return count;
}

/* Room for so many more lines behind the last one. */
static inline struct near_line *near_room(struct near *near, int n)
{
    if (near->lines.capacity - near->lines.count < (size_t)n)
        near_grow_lines(near, near->lines.count, near->lines.count + (size_t)n);
    return near->lines.items + near->lines.count;
}

void near_ahead(void *context, uint32_t sm, const struct resident_warp *warp,
                const struct warp_access *access)
{
    enum { LANES = 4 };
    const struct pass *pass = context;
    (void)warp;
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

/* The home of a line, or the number of the touch that asks for it. */
static inline uint32_t near_home(struct pass *pass, struct near *near, uint32_t sm, uint64_t round,
                                 uint64_t line)
{
    uint32_t touch = (uint32_t)near->touches.count;
    uint32_t home = pages_recall(&pass->pages, sm, line, touch);
    if (home == PAGES_ASKED + touch)
        VECTOR_PUSH(&near->touches, (struct near_touch){round, line, {0, 0}});
    return home;
}

/* SMs that are run alone have their L1s for themselves, and no cache beside it. */
int near_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access)
{
    struct near *near = &pass->near[turn->sm];
    struct near_turn *own = near_push_turn(near);
    struct coalesced_line lines[COALESCE_MAX];
    uint32_t wait = 0;
    near_set_turn(pass, near, turn, access, turn->round, own);
    near->accesses++;
    if (own->kind == ACCESS_NONE)
        return 0;
    struct near_round now;
    near_begin_round(&now, pass, turn->round);
    bool waits = pass->timed && access->kind != ACCESS_WRITE;
    int n = coalesce_most(access, own->lanes, pass->system->line_bytes, lines);
    own->lines = (uint8_t)n;
    near->asked += (uint64_t)n;
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
        line->home = near_home(pass, near, turn->sm, turn->round, line->line);
        if (reads && l1_finds_in_front(pass->l1, places[i], line->line))
            line->flags |= REQUEST_LOOKUP;
        else
            near_ask_l1(pass, places[i], &now, access, false, line);
        if (!waits)
            continue;
        uint32_t rounds = near_rounds(pass, turn->round, line, places[i].node, false);
        wait = rounds > wait ? rounds : wait;
    }
    return (int)wait;
}

static inline struct stretch_tail *near_tail(const struct pass *pass, const struct issue_turn *turn)
{
    return &pass->stretches.tails[(size_t)turn->sm * pass->system->warps + turn->warp];
}

/* A line: its page gets a home, and it goes on if it is in the sample and not one that the SM has
 * asked for, as far as it remembers. */
static inline bool skim_line(struct pass *pass, struct near *near, const struct issue_turn *turn,
                             const struct coalesced_line *from, bool writes)
{
    struct stretches *s = &pass->stretches;
    if (s->sampled && !shards_takes(&s->shards, from->line)) {
        uint64_t granule = pages_granule(&pass->pages, from->line);
        if (!stretches_remember_page(s, turn->sm, granule))
            near_home(pass, near, turn->sm, turn->round, from->line);
        return false;
    }
    uint32_t sectors = system_sectors(pass->system, from->sectors);
    if (stretches_remember(s, turn->sm, from->line, sectors, writes))
        return false;
    struct near_line *line = near_room(near, 1);
    near_line_set(pass, from, line);
    line->flags = REQUEST_SKIMMED;
    line->home = near_home(pass, near, turn->sm, turn->round, from->line);
    near->lines.count++;
    return true;
}

/* Counted as ever, but for what L1 and waits say of it. */
static void skim_access(struct pass *pass, struct near *near, const struct issue_turn *turn,
                        const struct warp_access *access, struct stretch_tail *tail)
{
    struct coalesced_line lines[COALESCE_MAX];
    bool none = access->kind == ACCESS_NONE || access->mask == 0;
    bool writes = access->kind != ACCESS_READ;
    struct near_turn own = {.round = turn->round,
                            .cta = (uint32_t)turn->cta,
                            .warp = turn->warp,
                            .instructions = access->instructions,
                            .kind = none ? (uint8_t)ACCESS_NONE : access->kind,
                            .flags = none ? 0 : near_flags(pass, access),
                            .lanes = (uint8_t)warp_access_lanes(access),
                            .bytes = access->bytes};
    tail->instructions += access->instructions;
    tail->think += access->think;
    if (!none)
        own.lines = (uint8_t)coalesce_most(access, own.lanes, pass->system->line_bytes, lines);
    near_count(&near->counts, &own);
    if (none)
        return;
    int n = own.lines, kept = 0;
    near->issued += access->instructions;
    near->asked += (uint64_t)n;
    for (int i = 0; i < n; i++)
        kept += skim_line(pass, near, turn, &lines[i], writes);
    tail->known = true;
    tail->wrote = access->kind == ACCESS_WRITE;
    tail->line = n ? lines[n - 1].line : 0;
    if (!tail->wrote)
        tail->instructions = tail->think = 0;
    own.lines = (uint8_t)kept;
    own.flags = NEAR_SKIM;
    if (kept)
        *near_push_turn(near) = own;
}

void near_skim(void *context, const struct issue_turn *turn, const struct warp_access *access)
{
    struct pass *pass = context;
    struct near *near = &pass->near[turn->sm];
    struct stretch_tail *tail = near_tail(pass, turn);
    skim_access(pass, near, turn, access, tail);
    tail->accesses++;
    near->accesses++;
    near->skimmed++;
}

static void near_add_event(void *context, const struct issue_turn *turn, enum near_kind kind)
{
    struct pass *pass = context;
    struct near *near = &pass->near[turn->sm];
    struct near_turn own = {.round = turn->round, .warp = turn->warp, .kind = (uint8_t)kind};
    if (pass->stretches.now == STRETCH_SKIMMED) {
        struct stretch_tail *tail = near_tail(pass, turn);
        own.flags = NEAR_SKIM;
        own.cta = tail->accesses;
        own.instructions = tail->instructions;
        own.think = tail->think;
        own.lanes = tail->known;
        own.bytes = tail->wrote;
        /* A page that nobody touched before this list is taken to be the SM's own. */
        uint32_t domain = system_domain(pass->system, turn->sm);
        uint32_t home =
            tail->wrote ? near_home(pass, near, turn->sm, turn->round, tail->line) : domain;
        own.path = home < PAGES_ASKED && home != domain;
        *tail = (struct stretch_tail){0};
    }
    *near_push_turn(near) = own;
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

/* --- lists -------------------------------------------------------------------------- */

/* Whether anybody behind L1 has to see a line that is counted here. */
static inline bool is_kept(const struct pass *pass, const struct near_line *line)
{
    return line->sectors || pass->keep_hits || (!pass->lead && l1_changed(pass->l1, &line->change));
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
    near_needs(pass, &near->counts, turn, warp);
    if (counts)
        near_count(&near->counts, turn);
    for (const struct near_line *line = lines; line < lines + n; line++) {
        if (keep != line) /* before anything of it changes (near_line_set) */
            *keep = *line;
        if (keep->home >= PAGES_ASKED)
            keep->home = near->touches.items[keep->home - PAGES_ASKED].answer.home;
        bool remote = keep->home != domain;
        far = far || (remote && near_is_awaited(keep));
        asked.waits |= near_waits(pass, sm, own, turn, keep, remote, warp);
        asked.wrote |= remote ? WAITS_REMOTE : WAITS_LOCAL;
        if (counts)
            near_count_line(pass, &near->counts, turn, keep, remote);
        keep += !counts || is_kept(pass, keep);
    }
    turn->lines = (uint8_t)(keep - *kept);
    *kept = keep;
    if (far && turn->kind != ACCESS_WRITE)
        order_ranks_count(&pass->ranks, sm, turn->round);
    near_asked(pass, &near->counts, turn, &asked, warp);
}

/* Homes are known now. */
static void tell_skimmed(const struct near *near, struct near_turn *turn,
                         const struct near_line *lines, struct near_line **kept)
{
    struct near_line *keep = *kept;
    for (const struct near_line *line = lines; line < lines + turn->lines; line++, keep++) {
        if (keep != line)
            *keep = *line;
        if (keep->home >= PAGES_ASKED)
            keep->home = near->touches.items[keep->home - PAGES_ASKED].answer.home;
        keep->sectors = keep->wanted;
    }
    *kept = keep;
}

/* Begins and ends of warps, and instructions. */
static void tell_event(struct pass *pass, struct near *near, uint32_t sm,
                       const struct near_turn *turn)
{
    uint32_t place = pass->turns.place_of[sm];
    if (turn->kind == NEAR_END && turn->flags & NEAR_SKIM)
        clocks_skip(&pass->clocks, sm, turn->warp, turn->cta);
    if (turn->kind == NEAR_END && turn->flags & NEAR_SKIM && turn->lanes)
        clocks_tail(&pass->clocks, pass->system, sm, turn->warp, turn->instructions, turn->think,
                    turn->bytes, turn->path);
    if (turn->kind == NEAR_BEGIN)
        clocks_begin_warp(&pass->clocks, sm, turn->warp);
    else if (turn->kind == NEAR_END)
        clocks_end_warp(&pass->clocks, sm, turn->warp,
                        order_turn(pass->turns.sms, place, turn->round));
    else if (!pass->counts_far)
        near_count(&near->counts, turn);
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
        if (keep->flags & NEAR_SKIM && keep->kind <= ACCESS_ATOMIC)
            tell_skimmed(near, keep, line, &kept);
        else if (keep->kind > ACCESS_NONE && keep->kind <= ACCESS_ATOMIC)
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

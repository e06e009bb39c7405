/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an SM does for itself: coalescing, L1, and whom its warps wait for. */
#include "core/progress.h"
#include "profile/run/stages.h"

#include <stdlib.h>

#include "core/memory.h"

/* Lists are read side by side, all as far as each other: were they to begin at equal places of
 * pages, their ends would share a few sets of the host's caches. */
void near_init(struct near *near, uint32_t sm)
{
    enum { STEP = 64, STEPS = 64, FIRST = 1024 };
    near->skipped = sm % STEPS * STEP / sizeof(struct near_turn);
    near->turns.capacity = near->lines.capacity = STEPS * STEP / sizeof(struct near_turn) + FIRST;
    near->turns.items = memory_alloc(near->turns.capacity * sizeof *near->turns.items);
    near->lines.items = memory_alloc(near->lines.capacity * sizeof *near->lines.items);
    near_clear(near);
}

void near_clear(struct near *near)
{
    near->turns.count = near->lines.count = near->skipped;
    near->turn = near->line = near->skipped;
    near->touches.count = near->touch = 0;
}

void near_begin_launch(struct near *near)
{
    near_clear(near);
    near->issued = 0;
    near->counts = (struct tally_counts){0};
}

void near_fini(struct near *near)
{
    VECTOR_FREE(&near->turns);
    VECTOR_FREE(&near->lines);
    VECTOR_FREE(&near->touches);
}

/* --- accesses ----------------------------------------------------------------------- */

struct near_turn *near_add_turn(struct pass *pass, const struct issue_turn *turn,
                                const struct warp_access *access)
{
    struct near *near = &pass->near[turn->sm];
    VECTOR_PUSH(&near->turns, (struct near_turn){
                                  .round = pass->at_once ? turn->clock : turn->round,
                                  .cta = (uint32_t)turn->cta,
                                  .warp = turn->warp,
                                  .instructions = access->instructions,
                                  .think = access->think,
                                  .kind = access->kind,
                                  .lanes = (uint8_t)warp_access_lanes(access),
                                  .bytes = access->bytes,
                                  .ahead = access->ahead,
                                  .path = access->path,
                              });
    struct near_turn *own = &near->turns.items[near->turns.count - 1];
    if (access->kind == ACCESS_NONE || access->mask == 0) {
        own->kind = ACCESS_NONE;
        return own;
    }
    if (beside_serves(&pass->asides.caches, access) >= 0)
        own->flags |= NEAR_BESIDE;
    own->flags |= (uint8_t)((access->flags & ACCESS_PART ? NEAR_PART : 0) |
                            (access->flags & ACCESS_LOCAL ? NEAR_LOCAL : 0) |
                            (access->flags & ACCESS_BULK ? NEAR_BULK : 0));
    near->issued += access->instructions;
    lanes_count(&pass->lanes[turn->worker], access);
    return own;
}

/* Whether lines take rounds to come. */
static bool near_is_timed(const struct pass *pass)
{
    return pass->system->order != WARPS_LRR && !pass->replay;
}

static bool near_awaits(const void *context, uint32_t node, uint64_t line)
{
    const struct near_round *now = context;
    return waits_there(now->sent, node, line) > now->round;
}

void near_begin_round(struct near_round *now, const struct pass *pass, uint64_t round)
{
    *now = (struct near_round){&pass->sent, round, {now, near_is_timed(pass) ? near_awaits : NULL}};
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
    bool remote = pass->at_once && line->home != system_domain(system, sm), looked_up;
    line->sectors = l1_ask(pass->l1, access, sm, line->line, line->wanted,
                           remote && system_l1(system)->bypassed_remote, &now->awaited, &looked_up,
                           &line->change);
    if (looked_up)
        line->flags |= REQUEST_LOOKUP;
    if (system->fetches_partial && access->kind == ACCESS_WRITE &&
        !coalesce_covers(access, system->line_bytes, line->line, line->wanted, system->sectors))
        line->flags |= REQUEST_PARTIAL;
}

uint32_t near_rounds(struct pass *pass, const struct issue_turn *turn,
                     const struct warp_access *access, const struct near_line *line, bool walks)
{
    uint32_t all = pass->system->stall + 1;
    if (!near_is_timed(pass) || access->kind == ACCESS_WRITE)
        return 0;
    if (!line->sectors && !(line->flags & REQUEST_LOOKUP))
        return walks ? all : 0;
    uint32_t node = l1_node(pass->l1, turn->sm, line->line);
    if (line->sectors) {
        if (line->change.kind == L1_TOOK || line->change.kind == L1_FILLED)
            waits_send(&pass->sent, node, line->line, turn->round + all);
        return all;
    }
    uint64_t there = waits_there(&pass->sent, node, line->line);
    return walks ? all : there > turn->round ? (uint32_t)(there - turn->round) : 0;
}

int near_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access)
{
    struct near *near = &pass->near[turn->sm];
    struct near_turn *own = near_add_turn(pass, turn, access);
    struct coalesced_line lines[COALESCE_MAX];
    uint32_t wait = 0;
    if (own->kind == ACCESS_NONE)
        return 0;
    struct near_round now;
    near_begin_round(&now, pass, turn->round);
    int n = coalesce(access, pass->system->line_bytes, lines);
    own->lines = (uint8_t)n;
    for (int i = 0; i < n; i++) {
        struct near_line line = near_line_of(pass, &lines[i]);
        uint32_t touch = (uint32_t)near->touches.count;
        line.home = pages_recall(&pass->pages, turn->sm, line.line, touch);
        if (line.home == PAGES_ASKED + touch)
            VECTOR_PUSH(&near->touches, (struct near_touch){turn->round, line.line, {0, 0}});
        near_ask(pass, turn->sm, &now, access, &line);
        uint32_t rounds = near_rounds(pass, turn, access, &line, false);
        wait = rounds > wait ? rounds : wait;
        VECTOR_PUSH(&near->lines, line);
    }
    return (int)wait;
}

static void near_add_event(void *context, const struct issue_turn *turn, enum near_kind kind)
{
    const struct pass *pass = context;
    VECTOR_PUSH(
        &pass->near[turn->sm].turns,
        (struct near_turn){.round = turn->round, .warp = turn->warp, .kind = (uint8_t)kind});
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

void near_needs(struct pass *pass, struct near *near, struct near_turn *turn,
                struct warp_waits *warp)
{
    near->counts.waits_assumed += pass->waits_assumed && warp->loaded != WAITS_NONE;
    warp_waits_for(warp, warp_waits_needed(warp->issued, turn->ahead));
    warp->clock.instructions += turn->instructions;
    warp->clock.steps += turn->instructions ? turn->instructions - 1 : 0;
    warp->clock.last += turn->instructions;
    warp->clock.think += turn->think;
    warp->clock.last_think += turn->think;
    if (turn->kind == ACCESS_WRITE)
        return;
    warp->asking = warp->asking && warp->loaded != WAITS_NONE;
    turn->flags |= warp->loaded == WAITS_NONE ? NEAR_LOAD | NEAR_GROUP : NEAR_LOAD;
    warp->loaded = warp->loaded == WAITS_NONE ? warp->issued : warp->loaded;
}

/* Whether the line is waited for by the warp's own clock (waits.h). */
static bool line_waits(struct pass *pass, uint32_t sm, const struct near_turn *turn,
                       const struct near_line *line, const struct warp_waits *warp, bool *others)
{
    bool missing = line->sectors != 0;
    *others = false;
    if (turn->kind != ACCESS_READ)
        return missing && turn->kind == ACCESS_ATOMIC;
    if (turn->flags & NEAR_BESIDE) {
        int beside = pass->asides.caches.of_path[turn->path];
        return waits_read(&pass->asides.waits[beside],
                          beside_which(&pass->asides.caches, beside, sm), line->line, line->clock,
                          missing);
    }
    return waits_read_by(&pass->waits, l1_node(pass->l1, sm, line->line), line->line, line->clock,
                         missing, warp, others);
}

unsigned near_waits(struct pass *pass, uint32_t sm, const struct near_turn *turn,
                    struct near_line *line, bool remote, struct warp_waits *warp)
{
    line->clock = warp->clock.waits;
    if (line->sectors && !warp->asking) {
        warp->asking = true;
        line->flags |= REQUEST_BEGINS;
    }
    bool others;
    if (!(pass->parts & PART_WAITS) || !line_waits(pass, sm, turn, line, warp, &others))
        return 0;
    return (remote ? WAITS_REMOTE : WAITS_LOCAL) | (others ? WAITS_SHARED : 0);
}

void near_asked(const struct pass *pass, struct near *near, const struct near_turn *turn,
                const struct near_asked *asked, struct warp_waits *warp)
{
    int beside = turn->flags & NEAR_BESIDE ? pass->asides.caches.of_path[turn->path] : -1;
    unsigned through = waits_through(beside);
    uint64_t number = warp->issued++;
    if (!(pass->parts & PART_WAITS))
        return;
    if (asked->waits) {
        near->counts.awaited++;
        near->counts.waits += warp->awaited == WAITS_NONE;
        near->counts.waits_shared += (asked->waits & WAITS_SHARED) && !warp->shared;
        warp->shared = warp->shared || (asked->waits & WAITS_SHARED);
        warp->awaited = warp->awaited == WAITS_NONE ? number : warp->awaited;
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

/* --- counts ------------------------------------------------------------------------- */

void near_count(struct tally_counts *counts, const struct near_turn *turn)
{
    counts->warp_instructions += turn->instructions;
    if (turn->kind == ACCESS_NONE)
        return;
    counts->instructions_unknown += turn->instructions == 0 && !(turn->flags & NEAR_PART);
    counts->warp_accesses++;
    counts->lane_accesses += turn->lanes;
    uint64_t bytes = (uint64_t)turn->lanes * turn->bytes;
    counts->lane_bytes += bytes;
    counts->local_bytes += turn->flags & NEAR_LOCAL ? bytes : 0;
    counts->bulk_bytes += turn->flags & NEAR_BULK ? bytes : 0;
    counts->loads += (turn->flags & NEAR_LOAD) != 0;
    counts->load_groups += (turn->flags & NEAR_GROUP) != 0;
    counts->line_accesses += turn->flags & NEAR_BESIDE ? 0 : turn->lines;
}

void near_count_line(const struct pass *pass, struct tally_counts *counts,
                     const struct near_turn *turn, const struct near_line *line, bool remote)
{
    bool asks_l1 = !(turn->flags & NEAR_BESIDE);
    uint64_t sectors = asks_l1 ? line->touched * (pass->bytes_per_bit / SECTOR_BYTES) : 0;
    counts->sector_accesses += sectors;
    counts->written_sectors += turn->kind != ACCESS_READ ? sectors : 0;
    counts->remote_line_accesses += remote && asks_l1;
    counts->paths[turn->path]++;
    if (line->flags & REQUEST_LOOKUP) {
        bool hit = line->sectors == 0;
        counts->l1_reads++;
        counts->l1_read_hits += hit;
        counts->l1_remote_reads += remote;
        counts->l1_remote_read_hits += remote && hit;
    }
}

/* --- lists -------------------------------------------------------------------------- */

/* Clocks, and counts where nobody looks at them until the end of the launch; the lines that anybody
 * else has to see move to `kept`. */
static void tell_access(struct pass *pass, uint32_t sm, struct near_turn *turn,
                        struct near_line *lines, struct near_line **kept)
{
    struct near *near = &pass->behind[sm];
    struct warp_waits *warp = clocks_warp(&pass->clocks, sm, turn->warp);
    uint32_t domain = system_domain(pass->system, sm), n = turn->lines;
    struct near_asked asked = {0, 0, 0};
    bool counts = !pass->counts_far;
    near_needs(pass, near, turn, warp);
    if (counts)
        near_count(&near->counts, turn);
    turn->lines = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct near_line *line = &lines[i];
        if (line->home >= PAGES_ASKED)
            line->home = near->touches.items[line->home - PAGES_ASKED].answer.home;
        bool remote = line->home != domain;
        asked.waits |= near_waits(pass, sm, turn, line, remote, warp);
        asked.wrote |= remote ? WAITS_REMOTE : WAITS_LOCAL;
        if (counts)
            near_count_line(pass, &near->counts, turn, line, remote);
        if (counts && !pass->keep_hits && !line->sectors &&
            (pass->lead || !l1_changed(pass->l1, &line->change)))
            continue;
        if (*kept != line)
            **kept = *line;
        ++*kept;
        turn->lines++;
    }
    near_asked(pass, near, turn, &asked, warp);
}

/* Clocks of one turn. */
static void tell_turn(struct pass *pass, uint32_t sm, struct near_turn *turn,
                      struct near_line *lines, struct near_line **kept)
{
    uint32_t place = pass->turns.place_of[sm];
    if (turn->kind == NEAR_BEGIN)
        clocks_begin_warp(&pass->clocks, sm, turn->warp);
    else if (turn->kind == NEAR_END)
        clocks_end_warp(&pass->clocks, sm, turn->warp,
                        order_turn(pass->turns.sms, place, turn->round));
    else if (turn->kind != ACCESS_NONE)
        tell_access(pass, sm, turn, lines, kept);
    else if (!pass->counts_far)
        near_count(&pass->behind[sm].counts, turn);
}

void near_tell_clocks(struct pass *pass, uint32_t sm)
{
    enum { AHEAD = 8 };
    struct near *near = &pass->behind[sm];
    struct near_line *line = near->lines.items + near->skipped, *kept = line;
    struct near_turn *keep = near->turns.items + near->skipped;
    for (size_t i = near->skipped; i < near->turns.count; i++) {
        const struct near_turn *turn = &near->turns.items[i];
        uint32_t lines = turn->lines;
        if (i + AHEAD < near->turns.count)
            clocks_prefetch(&pass->clocks, sm, turn[AHEAD].warp);
        if (keep != turn) /* where it stands from now on, if it is kept */
            *keep = *turn;
        tell_turn(pass, sm, keep, line, &kept);
        line += lines;
        keep += keep->lines || (pass->counts_far && keep->kind <= ACCESS_ATOMIC);
    }
    near->turns.count = (size_t)(keep - near->turns.items);
    near->lines.count = (size_t)(kept - near->lines.items);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One access, and one line of it: what near.c does where an SM is run alone, and far.c where each
 * access goes through all stages at once. Here, so that either becomes one piece. */
#ifndef BANDSCAPE_PROFILE_NEAR_ACCESS_H
#define BANDSCAPE_PROFILE_NEAR_ACCESS_H

#include "core/simd.h"
#include "profile/run/stages.h"

/* What the warp has asked for: `waits` and `wrote` of its lines, `late` TLBs. */
struct near_asked {
    unsigned waits, wrote, late;
};

/* What is on its way in a round; under lrr and in recorded order, which have no stalls, nothing. */
struct near_round {
    const struct waits *sent;
    uint64_t round;
    struct l1_awaited awaited;
};

/* --- accesses ----------------------------------------------------------------------- */

INLINE uint8_t near_flags(const struct pass *pass, const struct warp_access *access)
{
    unsigned flags = beside_serves(&pass->asides.caches, access) >= 0 ? NEAR_BESIDE : 0;
    if (access->flags & (ACCESS_PART | ACCESS_LOCAL | ACCESS_BULK))
        flags |= (access->flags & ACCESS_PART ? (unsigned)NEAR_PART : 0) |
                 (access->flags & ACCESS_LOCAL ? (unsigned)NEAR_LOCAL : 0) |
                 (access->flags & ACCESS_BULK ? (unsigned)NEAR_BULK : 0);
    return (uint8_t)flags;
}

/* Sets *own to an access, without its lines. */
INLINE void near_set_turn(struct pass *pass, struct near *near, const struct issue_turn *turn,
                          const struct warp_access *access, uint64_t round, struct near_turn *own)
{
    bool none = access->kind == ACCESS_NONE || access->mask == 0;
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
        return;
    near->issued += access->instructions;
    struct lanes *lanes = &pass->lanes[turn->worker];
    if (lanes->n_allocations)
        lanes_count(lanes, access);
}

/* near.c: for l1_awaited, of a struct near_round. */
uint32_t near_count_awaited(const void *context, uint32_t node, const uint64_t *places, uint32_t n);

INLINE void near_begin_round(struct near_round *now, const struct pass *pass, uint64_t round)
{
    *now = (struct near_round){&pass->sent, round, {now, pass->timed ? near_count_awaited : NULL}};
}

/* A line whose home is known or recalled, that L1 serves. */
INLINE void near_ask_l1(struct pass *pass, struct l1_place at, const struct near_round *now,
                        const struct warp_access *access, bool bypass, struct near_line *line)
{
    const struct system *system = pass->system;
    bool looked_up;
    line->sectors = l1_ask_at(pass->l1, access, at, line->line, line->wanted, bypass, &now->awaited,
                              &looked_up, &line->change);
    if (looked_up)
        line->flags |= REQUEST_LOOKUP;
    if (system->fetches_partial && access->kind == ACCESS_WRITE &&
        !coalesce_covers(access, system->line_bytes, line->line, line->wanted, system->sectors))
        line->flags |= REQUEST_PARTIAL;
}

/* How many rounds later a line that was asked for is there, at its node, of accesses whose warps
 * wait at all; 0: its warp need not wait. Marks what is met on its way. `walks`: its page is waited
 * for. */
INLINE uint32_t near_rounds(struct pass *pass, uint64_t round, struct near_line *line,
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
    if (there > round)
        line->flags |= REQUEST_MEETS;
    return walks ? all : there > round ? (uint32_t)(there - round) : 0;
}

/* What L1 will be asked for, of an access of several lines. */
INLINE void near_prefetch(const struct pass *pass, struct l1_place at, const struct near_line *line)
{
    l1_prefetch_at(pass->l1, at);
    waits_prefetch(&pass->sent, at.node, line->slot);
}

/* --- clocks ------------------------------------------------------------------------- */

/* What the access needs is there first; then it goes out, with others that nothing needs yet. Where
 * nobody counts waits no clock is looked at: a warp asks, and that is all that is known of it. */
INLINE void near_needs(const struct pass *pass, struct tally_counts *counts, struct near_turn *turn,
                       struct warp_waits *warp)
{
    uint32_t instructions = turn->instructions;
    uint64_t below = warp_waits_needed(warp->issued, turn->ahead);
    if (pass->waits_assumed)
        counts->waits_assumed += warp->loaded != WAITS_NONE;
    if (pass->parts & PART_WAITS) {
        warp_waits_for(warp, below);
        warp->clock.instructions += instructions;
        warp->clock.steps += instructions - (instructions != 0);
        warp->clock.last += instructions;
        if (turn->think) {
            warp->clock.think += turn->think;
            warp->clock.last_think += turn->think;
        }
    } else if (warp->loaded < below) {
        warp->loaded = WAITS_NONE;
    }
    if (turn->kind == ACCESS_WRITE)
        return;
    bool none = warp->loaded == WAITS_NONE;
    warp->asking = warp->asking && !none;
    turn->flags |= none ? NEAR_LOAD | NEAR_GROUP : NEAR_LOAD;
    warp->loaded = none ? warp->issued : warp->loaded;
}

/* Whether the line is waited for by the warp's own clock (waits.h). `node`: that serves it, unless
 * a cache beside L1 does. */
INLINE bool near_line_waits(struct pass *pass, uint32_t sm, uint32_t node,
                            const struct near_turn *turn, const struct near_line *line,
                            const struct warp_waits *warp, bool *others)
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

/* One of its lines, whose home is another domain or not: whether it is under way, WAITS_LOCAL or
 * WAITS_REMOTE; and WAITS_SHARED where another warp has asked for it. */
INLINE unsigned near_waits(struct pass *pass, uint32_t sm, uint32_t node,
                           const struct near_turn *turn, struct near_line *line, bool remote,
                           struct warp_waits *warp)
{
    bool waits = pass->parts & PART_WAITS, others;
    line->clock = waits ? warp->clock.waits : 0;
    if (line->sectors && !warp->asking) {
        warp->asking = true;
        line->flags |= REQUEST_BEGINS;
    }
    if (!waits || !near_line_waits(pass, sm, node, turn, line, warp, &others))
        return 0;
    return (remote ? WAITS_REMOTE : WAITS_LOCAL) | (others ? WAITS_SHARED : 0);
}

INLINE void near_asked(const struct pass *pass, struct tally_counts *counts,
                       const struct near_turn *turn, const struct near_asked *asked,
                       struct warp_waits *warp)
{
    uint64_t number = warp->issued++;
    if (!(pass->parts & PART_WAITS))
        return;
    int beside = turn->flags & NEAR_BESIDE ? pass->asides.caches.of_path[turn->path] : -1;
    unsigned through = waits_through(beside);
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

/* --- counts ------------------------------------------------------------------------- */

/* Counts an access; */
INLINE void near_count(struct tally_counts *counts, const struct near_turn *turn)
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
    uint64_t lines = flags & NEAR_BESIDE ? 0 : turn->lines;
    counts->line_accesses += lines;
    counts->line_writes += turn->kind != ACCESS_READ ? lines : 0;
}

/* a line of one. */
INLINE void near_count_line(const struct pass *pass, struct tally_counts *counts,
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

#endif

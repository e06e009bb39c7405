/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What SMs do to each other, in the order of their turns: first touches of pages, copies in L1s,
 * lines under way, levels before the LLC; requests go on in batches. */
#include "core/prefetch.h"
#include "core/simd.h"
#include "profile/run/near_access.h"

#include "core/progress.h"
#include "profile/homes/placement.h"
#include "profile/run/pass.h"
#include "profile/sampler.h"

void far_send(struct pass *pass)
{
    if (pass->batch->count == 0)
        return;
    progress_add(pass->batch->count);
    requests_take(&pass->requests);
    pass->batch = requests_slot(&pass->requests);
    pass->batch->count = 0;
}

void far_sync_counts(struct pass *pass)
{
    struct tally_counts *counts = &pass->tally.counts;
    for (uint32_t i = 0; i < pass->fronts.n; i++) {
        const struct front_level *level = &pass->fronts.levels[i];
        counts->fronts[i] = (struct tally_front){level->lookups, level->hits, level->writebacks};
    }
}

/* Where the next one goes: who fills it in there has nothing to copy. */
static inline struct request *far_slot(const struct pass *pass)
{
    return &pass->batch->requests[pass->batch->count];
}

/* A request that somebody behind L1 has to see. */
static inline int far_push(struct pass *pass, const struct request *request, struct error *error)
{
    struct request *slot = far_slot(pass);
    if (request != slot)
        *slot = *request;
    pass->batch->count++;
    if (!(pass->parts & PART_WINDOW) ||
        !window_adds(&pass->window, sectors_count(request->sectors))) {
        if (pass->batch->count == REQUEST_BATCH)
            far_send(pass);
        return 0;
    }
    far_send(pass);
    int status = requests_wait(&pass->requests, error);
    far_sync_counts(pass);
    if (!status)
        window_look(&pass->window, &pass->tally, &pass->requests, &pass->observers);
    return status;
}

/* What a level before the LLC sends home: no SM asks for it, any of the domain's stands
 * for it. */
static int far_push_writeback(struct pass *pass, const struct front_request *from,
                              struct error *error)
{
    struct request request = {
        .line = from->line,
        .home_sectors = from->sectors,
        .sm = from->domain * pass->system->sms_per_domain,
        .domain = (uint8_t)from->domain,
        .home = (uint8_t)from->home,
        .kind = ACCESS_WRITE,
        .flags = REQUEST_WRITEBACK,
    };
    observers_take_home(&pass->observers, &request);
    return far_push(pass, &request, error);
}

/* Levels between L1 and the LLC: what they write home goes first. */
static int far_fronts(struct pass *pass, struct request *request, struct error *error)
{
    struct front_request out[FRONT_OUT_MAX], in = {
                                                 .line = request->line,
                                                 .sectors = request->sectors,
                                                 .sm = request->sm,
                                                 .domain = request->domain,
                                                 .home = request->home,
                                                 .kind = request->kind,
                                             };
    int n = front_take(&pass->fronts, &in, out), status = 0;
    request->home_sectors = 0;
    for (int i = 0; i < n && !status; i++) {
        if (out[i].writeback)
            status = far_push_writeback(pass, &out[i], error);
        else
            request->home_sectors = out[i].sectors;
    }
    return status;
}

bool pass_is_entangled(const struct system *system, unsigned parts)
{
    return system->l1_nodes < system->sms || system->l1_clusters < system->l1_nodes ||
           system->beside.n || system->translation.n ||
           (system->placement && placement_of(system)->access) ||
           system_l1(system)->bypassed_remote || observers_look(system, parts);
}

/* --- pages -------------------------------------------------------------------------- */

/* One page of an access, or of what misses L1: from TLB to TLB. Whether the first one has to be
 * waited for. */
static bool far_translate(struct pass *pass, uint32_t sm, const struct near_line *line,
                          uint64_t clock)
{
    const struct system_translation *t = &pass->system->translation;
    uint32_t domain = system_domain(pass->system, sm);
    uint64_t page = tlbs_page(&pass->tlbs, line->line);
    if (!tlbs_pages_add(&pass->pages_seen, page))
        return false;
    uint32_t known = tlbs_take(&pass->tlbs, sm, page);
    bool late = pass->parts & PART_WAITS;
    for (uint32_t i = 0; i < t->n; i++) {
        struct tally_tlb *counts = &pass->tally.counts.tlbs[i];
        counts->lookups += i <= known;
        counts->hits += i == known;
        /* Who finds a page under way waits with those who asked before, for a walk too. */
        uint32_t which = tlbs_which(&pass->tlbs, i, sm);
        late = late && waits_read(waits_place(&pass->walks[i], which, waits_slot(page)), page,
                                  clock, i < known);
        counts->merges += i == known && late;
        pass->late |= late ? 1u << i : 0;
    }
    pass->tally.counts.walks_remote +=
        known == t->n &&
        translation_table(t, pass->system->partitions, domain, line->home) != domain;
    return known > 0;
}

/* At once: where a line of an access is served, and whether its warp waits for its page. */
INLINE int far_home(struct pass *pass, uint32_t sm, const struct warp_access *access,
                    struct near_line *line, uint64_t clock, bool *walks, struct error *error)
{
    int status = pages_touch(&pass->pages, sm, line->line, &line->home, error);
    if (status || (!pass->pages.placement->access && !pass->tlbs.n))
        return status;
    uint64_t moved = pass->tally.counts.page_moves;
    line->home = pages_serve(&pass->pages, sm, line->line, access->kind != ACCESS_READ, line->home,
                             &pass->tally.counts.page_moves);
    if (pass->tlbs.n && pass->tally.counts.page_moves != moved)
        tlbs_forget(&pass->tlbs, line->line);
    *walks = pass->tlbs.n && !pass->system->translation.behind_l1 &&
             far_translate(pass, sm, line, clock);
    return 0;
}

static int take_touch(void *context, uint32_t sm, uint64_t *next, struct error *error)
{
    struct pass *pass = context;
    struct near *near = &pass->near[sm];
    for (uint64_t round = *next; *next == round;) {
        struct near_touch *touch = &near->touches.items[near->touch++];
        int status = pages_look_up(&pass->pages, sm, touch->line, &touch->answer, error);
        if (status)
            return status;
        pages_learn(&pass->pages, sm, &touch->answer);
        *next =
            near->touch < near->touches.count ? near->touches.items[near->touch].round : ORDER_END;
    }
    if (*next != ORDER_END)
        pages_prefetch(&pass->pages, near->touches.items[near->touch].line);
    prefetch_write(near->touches.items + near->touch + 1);
    return 0;
}

static int take_touches_by_ranks(struct pass *pass, struct error *error)
{
    uint64_t round, end;
    int status = 0;
    while (!status && (round = order_earliest(&pass->touches)) != ORDER_END) {
        status = ranks_reach(pass, round, &end, error);
        if (!status)
            status = order_take(&pass->touches, end, take_touch, pass, error);
    }
    return status;
}

int far_take_touches(struct pass *pass, struct error *error)
{
    for (uint32_t sm = 0; sm < pass->system->sms; sm++) {
        const struct near *near = &pass->near[sm];
        order_set(&pass->touches, sm,
                  near->touches.count ? near->touches.items[0].round : ORDER_END);
    }
    return ranks_hold(pass) ? take_touches_by_ranks(pass, error)
                            : order_take(&pass->touches, ORDER_END, take_touch, pass, error);
}

/* --- accesses ----------------------------------------------------------------------- */

/* Which reads follow others to the LLC, on either side. */
static void count_followers(struct pass *pass, uint32_t domain, const struct near_line *line)
{
    struct tally_counts *counts = &pass->tally.counts;
    uint32_t n = sectors_count(line->sectors);
    bool at_home = waits_follow(waits_place(&pass->home, 0, line->slot), line->line, line->clock);
    bool own = waits_follow(waits_place(&pass->own, domain, line->slot), line->line, line->clock);
    bool remote = line->home != domain;
    counts->followers_home += at_home ? n : 0;
    counts->followers_own += own ? n : 0;
    counts->followers_home_remote += at_home && remote ? n : 0;
    counts->followers_own_remote += own && remote ? n : 0;
}

/* Whether requests only go on: nobody counts accesses here, nor looks at them or at prefixes, and
 * no level is on the way. */
static bool far_is_plain(const struct pass *pass)
{
    bool windowed = pass->parts & PART_WINDOW && pass->window.ended < WINDOW_PREFIXES;
    return pass->goes_on && !pass->counts_far && !windowed;
}

/* The line alone; `plain`: far_is_plain(). */
INLINE int take_line(struct pass *pass, uint32_t sm, uint32_t domain, const struct near_turn *turn,
                     const struct warp_access *access, const struct near_line *line,
                     struct error *error, const bool plain)
{
    bool remote = line->home != domain;
    int status = 0;
    if (!plain && pass->counts_far)
        near_count_line(pass, &pass->tally.counts, turn, line, remote);
    if (!pass->lead && l1_changed(pass->l1, &line->change))
        l1_count_change(pass->l1, line->line, &line->change);
    if (!plain && pass->tlbs.n && pass->system->translation.behind_l1 && line->sectors)
        far_translate(pass, sm, line, line->clock);
    if (line->sectors == 0 && !pass->keep_hits && (plain || !pass->observers.look))
        return 0;
    /* Levels before the LLC may push others first. */
    struct request apart, *request = !plain && pass->fronts.n ? &apart : far_slot(pass);
    *request = (struct request){
        .line = line->line,
        .cta = turn->cta,
        .warp = turn->warp,
        .wanted = line->wanted,
        .sectors = line->sectors,
        .home_sectors = line->sectors,
        .sm = sm,
        .domain = (uint8_t)domain,
        .home = (uint8_t)line->home,
        .kind = turn->kind,
        .flags = line->flags,
    };
    if (line->sectors && turn->kind == ACCESS_READ && !(line->flags & REQUEST_SKIMMED)) {
        if (pass->parts & PART_WAITS)
            count_followers(pass, domain, line);
        if (!plain && pass->keep_written && remote && !written_has(&pass->written, line->line))
            request->flags |= REQUEST_REPLICABLE;
    }
    if (plain) {
        if (++pass->batch->count == REQUEST_BATCH)
            far_send(pass);
        return 0;
    }
    if (line->sectors && pass->fronts.n)
        status = far_fronts(pass, request, error);
    if (pass->observers.look)
        observers_take(&pass->observers, access, request, l1_node(pass->l1, sm, line->line),
                       turn->round);
    if (!status && (line->sectors || pass->keep_hits))
        status = far_push(pass, request, error);
    return status;
}

/* Lines of a turn whose places among those under way are fetched ahead. */
enum { LINES_AHEAD = 4 };

static inline void prefetch_line(const struct pass *pass, const struct near_line *line,
                                 uint32_t domain)
{
    if (!line->sectors)
        return;
    waits_prefetch(&pass->home, 0, line->slot);
    waits_prefetch(&pass->own, domain, line->slot);
}

/* Fetches what the SM's next turn is about to need, and of the list what the one behind it is: by
 * then all other SMs have had a turn. Turns are mostly as long as the last one, of so many lines.
 */
INLINE void prefetch_turn(const struct pass *pass, const struct far_cursor *at, size_t last)
{
    enum { BEHIND = 2 };
    size_t next = at->turn->lines;
    for (size_t i = 0; i < LINES_AHEAD && i < next && pass->parts & PART_WAITS; i++)
        prefetch_line(pass, &at->line[i], at->domain);
    for (size_t i = 0; i < LINES_AHEAD && i < last; i++)
        prefetch_read(at->line + next + i);
    prefetch_read(at->turn + BEHIND);
}

/* All that the SM did in its turn: instructions at the ends of warps too. */
INLINE int take_turn(struct pass *pass, uint32_t sm, uint64_t *next, struct error *error,
                     const bool plain)
{
    struct far_cursor *at = &pass->cursors[sm];
    bool waits = pass->parts & PART_WAITS;
    uint64_t round = *next, behind = round;
    const struct near_line *first = at->line;
    while (behind == round) {
        const struct near_turn *turn = at->turn++;
        const struct near_line *line = at->line, *end = line + turn->lines;
        at->line = end;
        if (!plain && pass->counts_far)
            near_count(&pass->tally.counts, turn);
        for (; line < end; line++) {
            if (waits && line + LINES_AHEAD < end)
                prefetch_line(pass, line + LINES_AHEAD, at->domain);
            int status = take_line(pass, sm, at->domain, turn, NULL, line, error, plain);
            if (status)
                return status;
        }
        behind = at->turn < at->end ? at->turn->round : ORDER_END;
    }
    *next = behind;
    if (behind != ORDER_END)
        prefetch_turn(pass, at, (size_t)(at->line - first));
    return 0;
}

static inline int take_any_turn(void *context, uint32_t sm, uint64_t *next, struct error *error)
{
    return take_turn(context, sm, next, error, false);
}

static inline int take_plain_turn(void *context, uint32_t sm, uint64_t *next, struct error *error)
{
    return take_turn(context, sm, next, error, true);
}

int far_take_turns(struct pass *pass, struct error *error)
{
    for (uint32_t sm = 0; sm < pass->system->sms; sm++) {
        const struct near *near = &pass->behind[sm];
        struct far_cursor *at = &pass->cursors[sm];
        *at = far_cursor_of(pass, near, sm);
        order_set(&pass->turns, sm, at->turn < at->end ? at->turn->round : ORDER_END);
    }
    return far_is_plain(pass) ? order_take(&pass->turns, ORDER_END, take_plain_turn, pass, error)
                              : order_take(&pass->turns, ORDER_END, take_any_turn, pass, error);
}

/* --- accesses, at once -------------------------------------------------------------- */

static inline struct warp_waits *warp_of(const struct pass *pass, const struct issue_turn *turn)
{
    return pass->replay ? replay_warp(pass->replay, turn->sm, turn->cta, turn->warp)
                        : clocks_warp(&pass->clocks, turn->sm, turn->warp);
}

/* An access on its way through all stages. */
struct at_once {
    const struct warp_access *access;
    struct near_round now;
    struct near_turn turn;
    struct near_asked asked;
    struct warp_waits *warp;
    uint32_t wait; /* rounds, of its lines so far */
    bool far;      /* one of them comes from another domain */
};

/* A line at L1, or at a cache beside it, which several SMs may share. */
INLINE void ask_at_once(struct pass *pass, uint32_t sm, const struct at_once *own,
                        struct l1_place at, bool remote, struct near_line *line)
{
    const struct warp_access *access = own->access;
    int beside = beside_serves(&pass->asides.caches, access);
    if (beside >= 0) {
        line->sectors =
            asides_read(&pass->asides, beside, sm, line->line, line->wanted, &pass->tally.counts);
        return;
    }
    bool bypass = remote && system_l1(pass->system)->bypassed_remote;
    bool reads = access->kind == ACCESS_READ && !(access->flags & ACCESS_BYPASS_L1) && !bypass;
    if (reads && l1_finds_in_front(pass->l1, at, line->line))
        line->flags |= REQUEST_LOOKUP;
    else
        near_ask_l1(pass, at, &own->now, access, bypass, line);
}

INLINE int line_at_once(struct pass *pass, const struct issue_turn *turn, struct at_once *own,
                        struct l1_place at, struct near_line *line, struct error *error,
                        const bool plain)
{
    uint32_t domain = system_domain(pass->system, turn->sm);
    bool walks = false, waits = pass->timed && own->access->kind != ACCESS_WRITE;
    uint64_t clock = pass->parts & PART_WAITS ? own->warp->clock.waits : 0;
    int status = far_home(pass, turn->sm, own->access, line, clock, &walks, error);
    if (status)
        return status;
    bool remote = line->home != domain;
    ask_at_once(pass, turn->sm, own, at, remote, line);
    own->asked.waits |= near_waits(pass, turn->sm, at.node, &own->turn, line, remote, own->warp);
    own->asked.wrote |= remote ? WAITS_REMOTE : WAITS_LOCAL;
    near_count_line(pass, &pass->tally.counts, &own->turn, line, remote);
    status = take_line(pass, turn->sm, domain, &own->turn, own->access, line, error, plain);
    uint32_t rounds = waits ? near_rounds(pass, turn->round, line, at.node, walks) : 0;
    own->wait = rounds > own->wait ? rounds : own->wait;
    own->far = own->far || (remote && near_is_awaited(line));
    return status;
}

INLINE int lines_at_once(struct pass *pass, const struct issue_turn *turn, struct at_once *own,
                         struct error *error, const bool plain)
{
    struct coalesced_line lines[COALESCE_MAX];
    struct l1_place places[COALESCE_MAX];
    struct near_line line;
    int n = coalesce_most(own->access, own->turn.lanes, pass->system->line_bytes, lines);
    own->turn.lines = (uint8_t)n;
    near_count(&pass->tally.counts, &own->turn);
    const struct near *near = &pass->near[turn->sm];
    for (int i = 0; i < n; i++) {
        bool told = i == 0 && near->told == lines[i].line + 1;
        places[i] = told ? near->told_at : l1_place_of(pass->l1, turn->sm, lines[i].line);
        if (n == 1)
            break;
        pages_prefetch_memo(&pass->pages, turn->sm, lines[i].line);
        l1_prefetch_at(pass->l1, places[i]);
        waits_prefetch(&pass->sent, places[i].node, waits_slot(lines[i].line));
    }
    for (int i = 0; i < n; i++) {
        near_line_set(pass, &lines[i], &line);
        int status = line_at_once(pass, turn, own, places[i], &line, error, plain);
        if (status)
            return status;
    }
    return 0;
}

int far_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access,
               struct error *error)
{
    struct near *near = &pass->near[turn->sm];
    struct at_once own; /* what is not set here is below: zeroes of all of it would take as long */
    own.access = access;
    own.asked = (struct near_asked){0, 0, 0};
    own.wait = 0;
    own.far = false;
    outlook_done(&pass->outlook, 1);
    pass->counts_far = false; /* they are counted here */
    near_set_turn(pass, near, turn, access, turn->clock, &own.turn);
    if (own.turn.kind == ACCESS_NONE) {
        near_count(&pass->tally.counts, &own.turn);
        return 0;
    }
    own.warp = warp_of(pass, turn);
    near_begin_round(&own.now, pass, turn->round);
    pass->pages_seen.n = 0;
    pass->late = 0;
    near_needs(pass, &near->counts, &own.turn, own.warp);
    int status = far_is_plain(pass) ? lines_at_once(pass, turn, &own, error, true)
                                    : lines_at_once(pass, turn, &own, error, false);
    if (status)
        return status;
    own.asked.late = pass->late;
    near_asked(pass, &near->counts, &own.turn, &own.asked, own.warp);
    if (own.far && own.turn.kind != ACCESS_WRITE)
        order_ranks_count(&pass->ranks, turn->sm, turn->round);
    return (int)own.wait;
}

/* Of its first line, or of those of its first few lanes. */
void far_ahead(void *context, uint32_t sm, const struct resident_warp *warp,
               const struct warp_access *access)
{
    enum { LANES = 8 };
    const struct pass *pass = context;
    struct near *near = &pass->near[sm];
    int lanes = access->addresses ? warp_access_lanes(access) : access->mask != 0;
    int line_shift = __builtin_ctz(pass->system->line_bytes);
    clocks_prefetch(&pass->clocks, sm, warp->slot);
    prefetch_write(&near->issued);
    for (int k = 0; k < lanes && k < LANES; k++) {
        uint64_t line = warp_access_address(access, k) >> line_shift;
        struct l1_place at = l1_place_of(pass->l1, sm, line);
        pages_prefetch_memo(&pass->pages, sm, line);
        l1_prefetch_at(pass->l1, at);
        waits_prefetch(&pass->sent, at.node, waits_slot(line));
        if (k == 0) {
            near->told = line + 1;
            near->told_at = at;
        }
    }
}

/* --- ends of launches --------------------------------------------------------------- */

/* For front_end_launch(): a pass, and how its pushes went. */
struct pass_emitter {
    struct pass *pass;
    struct error *error;
    int status;
};

static void pass_emit(void *context, const struct front_request *request)
{
    struct pass_emitter *emitter = context;
    if (!emitter->status)
        emitter->status = far_push_writeback(emitter->pass, request, emitter->error);
}

int far_end_launch(struct pass *pass, struct error *error)
{
    struct pass_emitter emitter = {pass, error, 0};
    front_end_launch(&pass->fronts, pass_emit, &emitter);
    return emitter.status;
}

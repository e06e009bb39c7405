/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who touches pages first in a round, by what SMs have waited (page.ties: waits;
 * profile/issue/order.h). Whatever else they do to each other is in turn: it needs no homes. Ranks
 * hold for a period of rounds, and are of all waits before it. Where SMs run alone waits are
 * counted when clocks are told; before, of the lists whose pages are touched, up to the period of
 * the touch: only if there is one. */
#include "profile/homes/placement.h"
#include "profile/run/stages.h"

#include <stdlib.h>

#include "core/memory.h"

void ranks_init(struct pass *pass)
{
    order_ranks_init(&pass->ranks, pass->system,
                     pass->system->placement && placement_of(pass->system)->deals);
    pass->next = memory_zero(pass->system->sms, sizeof *pass->next);
    pass->ahead = memory_zero(pass->system->sms, sizeof *pass->ahead);
}

void ranks_fini(struct pass *pass)
{
    order_ranks_fini(&pass->ranks);
    free(pass->next);
    free(pass->ahead);
}

void ranks_begin_launch(struct pass *pass)
{
    pass->ranks_fresh = true;
}

/* Of the period of a round of the kernel that is issued, by the lead where there is one. */
static void ranks_bring(struct pass *pass, uint64_t round)
{
    const struct issue *issue = (pass->lead ? pass->lead : pass)->issue;
    if (pass->ranks_fresh)
        order_ranks_begin(&pass->ranks, issue_origin(issue), issue_warps(issue));
    else if (order_ranks_end(&pass->ranks, round))
        order_ranks_take(&pass->ranks, round, false);
    pass->ranks_fresh = false;
}

/* Coalesced as they will be: where pages go round, their order counts. */
static int touch_ahead(struct pass *pass, uint32_t sm, const struct warp_access *access,
                       struct error *error)
{
    struct coalesced_line lines[COALESCE_MAX];
    uint32_t home;
    if (access->kind == ACCESS_NONE || access->mask == 0)
        return 0;
    int n = coalesce(access, pass->system->line_bytes, lines), status = 0;
    for (int i = 0; i < n && !status; i++)
        status = pages_touch(&pass->pages, sm, lines[i].line, &home, error);
    return status;
}

int ranks_touch(void *context, uint64_t round, const struct issue_next *turns, uint32_t n,
                struct error *error)
{
    struct pass *pass = context;
    const struct warp_access **next = pass->next;
    uint32_t *line = pass->touches.line;
    int status = 0;
    ranks_bring(pass, round);
    for (uint32_t i = 0; i < n; i++)
        next[turns[i].sm] = turns[i].access;
    order_ranks_round(&pass->ranks, round, line);
    for (uint32_t i = 0; i < pass->system->sms; i++) {
        if (next[line[i]] && !status)
            status = touch_ahead(pass, line[i], next[line[i]], error);
        next[line[i]] = NULL;
    }
    return status;
}

/* Before anything of the lists is put into order: ranks of the period that they begin in. */
int ranks_commit(struct pass *pass, struct error *error)
{
    const struct pass *lead = pass->lead ? pass->lead : pass;
    uint64_t start = lead->ranks_fresh ? issue_origin(lead->issue) : lead->batch_start;
    int status = 0;
    if (!ranks_hold(pass))
        return 0;
    for (uint32_t sm = 0; sm < pass->system->sms; sm++) {
        pass->ahead[sm] = far_cursor_of(pass, &pass->near[sm], sm);
        pass->ranks.ahead[sm] = 0;
    }
    if (pass->ranks_fresh || order_ranks_end(&pass->ranks, start))
        status = pass_wait(pass, error);
    if (!status)
        ranks_bring(pass, start);
    return status;
}

void ranks_hand_on(struct pass *pass)
{
    const struct pass *lead = pass->lead ? pass->lead : pass;
    uint64_t next = issue_round_next(lead->issue);
    if (ranks_hold(pass))
        order_ranks_part(&pass->ranks, next);
    pass->batch_start = next;
    pass->ranks_fresh = false;
}

/* Accesses before a round that wait for a remote line, of lists whose touches are known so far. */
static uint64_t count_ahead(struct pass *pass, uint32_t sm, uint64_t until)
{
    const struct near_touch *touches = pass->near[sm].touches.items;
    struct far_cursor *at = &pass->ahead[sm];
    uint64_t waits = 0;
    for (; at->turn < at->end && at->turn->round < until; at->turn++) {
        const struct near_line *end = at->line + at->turn->lines;
        bool far = false;
        for (; at->line < end; at->line++) {
            uint32_t home = at->line->home;
            home = home < PAGES_ASKED ? home : touches[home - PAGES_ASKED].answer.home;
            far = far || (near_is_awaited(at->line) && home != at->domain);
        }
        waits += far && at->turn->kind != ACCESS_WRITE;
    }
    return waits;
}

int ranks_reach(struct pass *pass, uint64_t round, uint64_t *end, struct error *error)
{
    struct order_ranks *ranks = &pass->ranks;
    uint64_t start = round - (round - ranks->origin) % ranks->every;
    *end = start + ranks->every;
    if (!order_ranks_end(ranks, round))
        return 0;
    int status = pass_wait(pass, error);
    for (uint32_t sm = 0; sm < pass->system->sms && !status; sm++)
        ranks->ahead[sm] += count_ahead(pass, sm, start);
    if (!status)
        order_ranks_take(ranks, round, true);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is first in a round by what SMs have waited (page.ties: waits; profile/issue/order.h). Ranks
 * hold for a period of rounds. Where SMs run alone a batch is of one period, and the first of a
 * period waits until all before it is counted; at once, all is. */
#include "profile/run/stages.h"

void ranks_begin_launch(struct pass *pass)
{
    pass->ranks_fresh = true;
}

/* Of the period of a round of the kernel that is issued, by the lead where there is one. */
static void ranks_bring(struct pass *pass, uint64_t round)
{
    if (pass->ranks_fresh)
        order_ranks_begin(&pass->ranks, issue_origin((pass->lead ? pass->lead : pass)->issue));
    else if (order_ranks_end(&pass->ranks, round))
        order_ranks_take(&pass->ranks, round);
    pass->ranks_fresh = false;
}

const uint32_t *ranks_order(void *context, uint64_t round)
{
    struct pass *pass = context;
    ranks_bring(pass, round);
    order_ranks_round(&pass->ranks, round, pass->turns.line);
    return pass->turns.line;
}

/* The first round of what is in the lists. */
static uint64_t batch_start(const struct pass *pass)
{
    const struct pass *lead = pass->lead ? pass->lead : pass;
    return lead->ranks_fresh ? issue_origin(lead->issue) : lead->batch_start;
}

int ranks_commit(struct pass *pass, struct error *error)
{
    if (!pass->system->ties_by_waits)
        return 0;
    uint64_t start = batch_start(pass);
    int status = 0;
    if (pass->ranks_fresh || order_ranks_end(&pass->ranks, start))
        status = pass_wait(pass, error);
    if (!status)
        ranks_bring(pass, start);
    return status;
}

/* Whether the pass, or one that follows it, has ranks. */
static bool ranks_matter(const struct pass *pass)
{
    bool matter = pass->system->ties_by_waits;
    for (uint32_t i = 0; i < pass->n_followers; i++)
        matter = matter || (!pass->followers[i]->apart &&
                            pass->followers[i]->system->ties_by_waits);
    return matter;
}

uint32_t ranks_begin_batch(struct pass *pass, uint32_t rounds)
{
    uint64_t every = pass->system->stall ? pass->system->stall : 1;
    pass->ranks_fresh = false;
    pass->batch_start = issue_round_next(pass->issue);
    if (!ranks_matter(pass))
        return rounds;
    uint64_t left = every - (pass->batch_start - issue_origin(pass->issue)) % every;
    if (rounds >= left)
        return (uint32_t)left;
    return rounds > left / 2 ? (uint32_t)(left + 1) / 2 : rounds; /* no short one behind it */
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Further views of one pass: they take copies of the lists that the lead's SMs fill, with homes,
 * clocks and all that is behind L1 of their own. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "profile/run/stages.h"

/* What near_access() does with pages: the memo is the follower's, and so are the touches. */
static void recall_turn(struct pass *pass, uint32_t sm, const struct near_turn *turn,
                        struct near_line *lines)
{
    struct near *near = &pass->near[sm];
    for (uint32_t i = 0; i < turn->lines; i++) {
        uint32_t touch = (uint32_t)near->touches.count;
        lines[i].home = pages_recall(&pass->pages, sm, lines[i].line, touch);
        if (lines[i].home == PAGES_ASKED + touch)
            VECTOR_PUSH(&near->touches, (struct near_touch){turn->round, lines[i].line, {0, 0}});
    }
}

static void copy_list(void *context, uint64_t sm, int worker)
{
    struct pass *pass = context;
    const struct near *from = &pass->lead->near[sm];
    struct near *near = &pass->near[sm];
    (void)worker;
    near_clear(near);
    near_reserve(near, from->turns.count, from->lines.count);
    near->turns.count = from->turns.count;
    near->lines.count = from->lines.count;
    memcpy(near->turns.items + near->skipped, from->turns.items + from->skipped,
           (from->turns.count - from->skipped) * sizeof *near->turns.items);
    memcpy(near->lines.items + near->skipped, from->lines.items + from->skipped,
           (from->lines.count - from->skipped) * sizeof *near->lines.items);
    struct near_line *line = near->lines.items + near->skipped;
    for (size_t i = near->skipped; i < near->turns.count; i++) {
        recall_turn(pass, (uint32_t)sm, &near->turns.items[i], line);
        line += near->turns.items[i].lines;
    }
}

void followers_take(struct pass *lead, uint64_t records)
{
    for (uint32_t i = 0; i < lead->n_followers; i++) {
        struct pass *pass = lead->followers[i];
        struct error ignored; /* a pass of its own says it */
        if (pass->apart || (pass->apart = pass_wait(pass, &ignored) != 0))
            continue;
        parallel_for(lead->threads, pass->system->sms, copy_list, pass);
        pass->apart = ranks_commit(pass, &ignored) || far_take_touches(pass, &ignored);
        if (pass->apart)
            continue;
        ranks_hand_on(pass);
        pass_hand_on(pass, records);
    }
}

void followers_wait(struct pass *lead)
{
    for (uint32_t i = 0; i < lead->n_followers; i++) {
        struct error ignored;
        if (pass_wait(lead->followers[i], &ignored))
            lead->followers[i]->apart = true;
    }
}

void followers_repeat(struct pass *lead, struct stream *stream, const struct stream_kernel *kernel,
                      bool repeated)
{
    for (uint32_t i = 0; i < lead->n_followers; i++) {
        struct pass *pass = lead->followers[i];
        const struct launch_group *own = NULL;
        struct error ignored;
        if (pass->apart)
            continue;
        pass->repeats.start = lead->repeats.start;
        int status = repeats_next(&pass->repeats, stream, kernel, &own, &ignored);
        pass->apart = status || (own != NULL) != repeated || kernel->recorded_order;
        if (!pass->apart && own)
            launches_add(pass->launches, own, true);
    }
}

void followers_trend(struct pass *lead, const struct stream_kernel *kernel, bool repeated)
{
    for (uint32_t i = 0; i < lead->n_followers; i++) {
        struct pass *pass = lead->followers[i];
        struct error ignored;
        if (pass->apart)
            continue;
        if (repeated)
            trends_repeated(&pass->trends);
        else if (trends_next(&pass->trends, kernel, pages_count(&pass->pages),
                             pass->requests.lines.count, &ignored) < 0)
            pass->apart = true;
        pass->apart = pass->apart || lead->trends.period || pass->trends.period;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp schedulers. */
#include "simulate/cores.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void cores_init(struct cores *cores, const struct system *system, uint32_t outstanding)
{
    size_t all = (size_t)system->sms * system->warps;
    *cores = (struct cores){.system = system, .outstanding = outstanding};
    cores->cores = memory_zero(system->sms, sizeof *cores->cores);
    cores->slots = memory_zero(all, sizeof *cores->slots);
    cores->lists = memory_zero(all, sizeof *cores->lists);
    for (uint32_t sm = 0; sm < system->sms; sm++) {
        struct core *core = &cores->cores[sm];
        core->slots = cores->slots + (size_t)sm * system->warps;
        core->list = cores->lists + (size_t)sm * system->warps;
        core->chosen = CORE_NONE;
    }
}

void cores_fini(struct cores *cores)
{
    free(cores->cores);
    free(cores->slots);
    free(cores->lists);
}

/* What comes before an access beside its issue: instructions, of which it is the last, wait for
 * each other, and what the warp works on its own. */
static inline double before(const struct cores *cores, const struct warp_access *access)
{
    uint32_t gaps = access->instructions ? access->instructions - 1 : 0;
    return gaps * cores->step_s + access->think * cores->cycle_s;
}

uint32_t cores_begin(struct cores *cores, uint32_t sm, struct resident_warp *warp)
{
    struct core *core = &cores->cores[sm];
    uint32_t slot = 0;
    while (core->slots[slot].warp)
        slot++;
    const struct warp_access *first = &warp->buffer.items[warp->next];
    core->slots[slot] =
        (struct core_warp){.warp = warp, .ahead = first->ahead, .before_s = before(cores, first)};
    core->list[core->count++] = slot;
    return slot;
}

void cores_end(struct cores *cores, uint32_t sm, uint32_t slot)
{
    struct core *core = &cores->cores[sm];
    uint32_t at = 0;
    while (core->list[at] != slot)
        at++;
    core->slots[slot].warp = NULL;
    memmove(core->list + at, core->list + at + 1, (--core->count - at) * sizeof *core->list);
    if (core->cursor == CORE_NONE || core->cursor < at)
        return;
    if (core->cursor > at)
        core->cursor--;
    else if (cores->system->order == WARPS_GTO)
        core->cursor = CORE_NONE;
}

static void skip_finished(struct core_warp *warp)
{
    while (warp->oldest != warp->issued && !warp->open[warp->oldest % CORE_ACCESSES])
        warp->oldest++;
}

void core_warp_get(struct core_warp *warp, uint32_t access)
{
    warp->in_flight--;
    warp->unfinished -= --warp->open[access] == 0;
    skip_finished(warp);
}

void core_warp_go_on(const struct cores *cores, struct core_warp *warp,
                     const struct warp_access *next)
{
    warp->issued++;
    skip_finished(warp);
    warp->ahead = next ? next->ahead : 0;
    warp->before_s = next ? before(cores, next) : 0;
    warp->works = warp->worked = false;
    warp->ending = !next;
}

/* It has what the next access needs, and may have more under way. */
static inline bool may_issue(const struct cores *cores, const struct core *core, uint32_t at)
{
    const struct core_warp *warp = &core->slots[core->list[at]];
    bool worked = warp->worked || warp->before_s == 0;
    return worked && core_warp_has_values(warp) && warp->unfinished < cores->outstanding;
}

double cores_work(struct cores *cores, uint32_t sm, uint32_t slot)
{
    struct core_warp *warp = &cores->cores[sm].slots[slot];
    if (!warp->warp || warp->works || !core_warp_has_values(warp))
        return 0;
    warp->works = true;
    return warp->before_s;
}

uint32_t cores_choose(struct cores *cores, uint32_t sm)
{
    struct core *core = &cores->cores[sm];
    enum warp_order order = cores->system->order;
    uint32_t last = core->cursor < core->count ? core->cursor : 0;
    if (core->count == 0)
        return CORE_NONE;
    /* Where the search begins: at the last one, behind it, or with the oldest. */
    if (order != WARPS_LRR && core->cursor != CORE_NONE && may_issue(cores, core, last))
        return core->list[last];
    uint32_t first = order == WARPS_GTO ? 0 : last;
    for (uint32_t k = 0, at = first; k < core->count; k++, at++) {
        at = at < core->count ? at : 0;
        if (!may_issue(cores, core, at))
            continue;
        core->cursor = order == WARPS_LRR ? at + 1 : at;
        return core->list[at];
    }
    return CORE_NONE;
}

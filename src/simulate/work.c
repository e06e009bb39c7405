/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What warps work between accesses, beside the issue of their instructions: arithmetic that waits
 * for arithmetic, barriers, whatever a trace measured. It takes nothing of the machine that others
 * want, so that other warps go on meanwhile. */
#include "simulate/gpu_internal.h"

static struct core_warp *warp_at(struct gpu *gpu, uint32_t sm, uint32_t slot)
{
    return &gpu->cores.cores[sm].slots[slot];
}

void gpu_work(struct gpu *gpu, uint32_t sm, uint32_t slot)
{
    struct core_warp *warp = warp_at(gpu, sm, slot);
    if (!warp->think || warp->working || !core_warp_has_values(warp))
        return;
    warp->working = true;
    engine_at(&gpu->engine, gpu->engine.now + warp->think / gpu->system.clock_hz, EVENT_WORKED,
              sm * gpu->system.warps + slot);
}

void gpu_worked(struct gpu *gpu, uint32_t id)
{
    struct core_warp *warp = warp_at(gpu, id / gpu->system.warps, id % gpu->system.warps);
    warp->think = 0;
    warp->working = false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local memory: what each thread has for itself (registers that did not fit, arrays that are
 * indexed), in DRAM behind the caches. A thread's addresses are offsets in a window of its own, the
 * same in all threads; where they stand in memory follows from who the thread is:
 *
 *   - 32-bit words of the same offset of a warp's lanes stand side by side, 128 bytes in all, so
 *     that a warp whose lanes all use one offset asks for one line (CUDA C++ Programming Guide,
 *     "Local Memory": "consecutive 32-bit words are accessed by consecutive thread IDs"; GPGPU-Sim
 *     and Accel-Sim interleave the words of all threads that the GPU holds at once in the same way
 *     and take accesses of more than a word apart into words: translate_local_memaddr);
 *   - a warp's rows stand together, one behind the other, in a frame: nobody else uses a line of
 *     it, and pages are an SM's own. (Simulators put the next word of all warps of all SMs between
 *     two rows, which puts all chips on every page.)
 *   - who runs where is not the trace's to say. A stream gives every warp of the grid a frame of
 *     its own; an SM moves it into that of the place where the warp runs, which the next warp
 *     there has again, as hardware does (profile/issue/residents.h).
 *
 * A frame is as large as what the launch's accesses span, in rows. */
#ifndef BANDSCAPE_TRACE_LOCAL_H
#define BANDSCAPE_TRACE_LOCAL_H

#include "trace/stream.h"

enum {
    LOCAL_WORD_BYTES = 4,
    LOCAL_ROW_BYTES = WARP_LANES * LOCAL_WORD_BYTES,
    LOCAL_WINDOW_BYTES = 1 << 24, /* of a thread: what the hardware has */
    LOCAL_FRAME_MOST = LOCAL_WINDOW_BYTES * WARP_LANES
};

/* Frames begin here: behind all that allocations reach. */
#define LOCAL_ADDRESS ((uint64_t)1 << 59)

/* Where a lane's offset stands in its warp's frame. */
static inline uint64_t local_place(uint64_t offset, int lane)
{
    return offset / LOCAL_WORD_BYTES * LOCAL_ROW_BYTES + (uint64_t)lane * LOCAL_WORD_BYTES +
           offset % LOCAL_WORD_BYTES;
}

/* The frame of a warp of the grid. (Grids whose frames do not fit have some twice.) */
static inline uint64_t local_frame(const struct stream_kernel *kernel, uint64_t cta, uint32_t warp)
{
    uint64_t frames = kernel->local_bytes ? LOCAL_ADDRESS / kernel->local_bytes : 1;
    return LOCAL_ADDRESS + (cta * kernel->warps_per_cta + warp) % frames * kernel->local_bytes;
}

/* Back to places in the frame; `list` is where a list is written, WARP_LANES long. */
static inline void local_unplace(const struct stream_kernel *kernel, uint64_t cta, uint32_t warp,
                                 struct warp_access *access, uint64_t *list)
{
    uint64_t frame = local_frame(kernel, cta, warp);
    access->base -= frame;
    for (int k = access->addresses ? warp_access_lanes(access) - 1 : -1; k >= 0; k--)
        list[k] = access->addresses[k] - frame;
    access->addresses = access->addresses ? list : NULL;
}

/* Moves an access to local memory by so many bytes. Of a stream: its list is the buffer's own. */
static inline void local_move(struct warp_access *access, uint64_t bytes)
{
    access->base += bytes;
    if (!access->addresses)
        return;
    uint64_t *list = (uint64_t *)(uintptr_t)access->addresses;
    for (int k = warp_access_lanes(access) - 1; k >= 0; k--)
        list[k] += bytes;
}

#endif

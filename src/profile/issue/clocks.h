/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clocks of warps that run (profile/issue/waits.h), by their slots on SMs
 * (profile/issue/residents.h): a warp begins where the CTA ended whose place its own took, a launch
 * where the one before it ended. An SM's own are told in its own order; SMs need nothing of each
 * other within a launch. */
#ifndef BANDSCAPE_PROFILE_CLOCKS_H
#define BANDSCAPE_PROFILE_CLOCKS_H

#include "core/prefetch.h"
#include "machine/system.h"
#include "profile/issue/waits.h"
#include "trace/stream.h"

struct clocks {
    /* Else nobody looks at a clock, and none goes on: a warp has what it has asked for. */
    bool told;
    uint32_t n_sms, warps, warps_per_cta; /* SMs, warps of an SM, of a CTA of this kernel */
    struct warp_waits *of_warp;           /* [sm * warps + slot] */
    struct clocks_cta {
        struct wait_clock clock; /* of its warps that ended, the latest */
        uint32_t warps;          /* that run */
        uint32_t writer;         /* of those that ended with a posted write, the number of the last
                                  * one, from 1 on; 0: none did */
    } * of_cta;                  /* [sm * warps + the CTA's slot] */
    struct wait_clock *next;     /* by SM: that warps begin with */
    struct clocks_end {          /* by SM, of those that ended the latest */
        struct wait_clock clock;
        uint64_t when; /* the number of its turn: of equal ones the first counts */
    } * last;
    uint64_t *behind_write;       /* by SM, of the launch: warps behind the writers of their CTAs */
    struct wait_clock start, end; /* of the launch; */
    uint32_t end_sm;              /* whose that is, where its warps had any */
    struct clocks_sums {          /* NULL: nobody keeps them */
        struct wait_clock *from;  /* [sm * warps + slot] where the warp's clock is not summed yet */
        struct wait_clock *of_sm;
        uint64_t *accesses; /* of each SM */
        uint64_t *issued;   /* as `from`: of its accesses */
    } * sums;
    bool summed; /* of this kernel, */
    bool held;   /* but nothing for the moment */
};

void clocks_init(struct clocks *clocks, const struct system *system, bool told);
void clocks_fini(struct clocks *clocks);

void clocks_begin_kernel(struct clocks *clocks, const struct stream_kernel *kernel);
/* The launch ended: `end` is known. */
void clocks_end_kernel(struct clocks *clocks);
/* Warps behind the last one of their CTA that ended with a posted write; all of a CTA without. */
uint64_t clocks_behind_write(const struct clocks *clocks);

static inline struct warp_waits *clocks_warp(const struct clocks *clocks, uint32_t sm,
                                             uint32_t slot)
{
    return &clocks->of_warp[(size_t)sm * clocks->warps + slot];
}
/* Fetches what an access of the warp is about to need. */
static inline void clocks_prefetch(const struct clocks *clocks, uint32_t sm, uint32_t slot)
{
    const struct warp_waits *warp = clocks_warp(clocks, sm, slot);
    prefetch_write(warp);
    prefetch_write(&warp->asking);
    for (size_t at = 64; clocks->told && at < offsetof(struct warp_waits, clock.late); at += 64)
        prefetch_write((const char *)warp + at);
}

void clocks_begin_warp(struct clocks *clocks, uint32_t sm, uint32_t slot);
/* Where not all accesses of a kernel are told (run/stretches.h): from here on sums are kept of how
 * far the clocks of an SM's warps go; and those of warps that run are summed, up to now. */
void clocks_begin_sums(struct clocks *clocks);
void clocks_sum(struct clocks *clocks);
/* Clocks go on, and are summed again from clocks_go_on() on. In between warps may skip accesses. */
void clocks_hold(struct clocks *clocks);
void clocks_go_on(struct clocks *clocks);
/* A warp goes on by so many accesses that nobody told, as those of its SM do in the mean. */
void clocks_skip(struct clocks *clocks, uint32_t sm, uint32_t slot, uint64_t accesses);
/* Of one that ends so: what it did behind the last load, so many instructions and cycles of its
 * own, and perhaps a write. */
void clocks_tail(struct clocks *clocks, const struct system *system, uint32_t sm, uint32_t slot,
                 uint32_t instructions, uint32_t think, bool wrote, bool remote);
/* `when`: a number that rises from turn to turn, of all SMs. */
void clocks_end_warp(struct clocks *clocks, uint32_t sm, uint32_t slot, uint64_t when);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thread blocks of a kernel that are on SMs, and their warps: who runs where and
 * reads what next. When a warp issues is its user's: in rounds (profile/issue/issue.h), or
 * as time goes by (simulate/cores.h).
 *
 * An SM holds as many CTAs as its warps, threads and CTA limits allow. SM i of chip c
 * stands in line at i * chips + c. At the start of a kernel the SMs, in this order, take
 * the CTAs of their scheduling unit in turn, one each, until all are full; later an SM
 * takes the next one when one of its own has ended. The line begins with its first SM; or
 * (cta.start) behind the SM that took the last CTA of the launch before.
 *
 * Local memory (trace/local.h) belongs to places: SM s has the bytes from LOCAL_ADDRESS + s * m on,
 * m being the frames of all warps that it holds at once, in whole pages, so that no page is two
 * SMs'; its slots, one frame each. A launch whose frames are larger has other places on the same
 * pages. Where order is recorded, places are not known and each warp keeps a frame of its own. */
#ifndef BANDSCAPE_PROFILE_RESIDENTS_H
#define BANDSCAPE_PROFILE_RESIDENTS_H

#include <stdalign.h>
#include <stddef.h>

#include "core/prefetch.h"
#include "machine/system.h"
#include "trace/stream.h"
#include "profile/issue/schedule.h"

/* A CTA in flight; its warps follow. Each SM has slots of its own, which are reused. */
struct resident_cta {
    alignas(max_align_t) struct resident_cta *next_free;
    uint64_t number;
    uint32_t slot; /* of the SM */
    uint32_t warps_left;
};

/* A warp in flight; the stream's own state follows. Its next access is
 * buffer.items[next]. */
struct resident_warp {
    alignas(max_align_t) struct resident_cta *cta;
    uint32_t slot; /* of the SM: those of the CTA's slot stand together; below its most warps */
    int next;
    uint64_t left_out; /* bit i: the i-th access before the one that comes (trace.local=off) */
    struct resident_misses { /* its user's: accesses it had to wait for (profile/issue/issue.h) */
        uint64_t issued;     /* accesses so far */
        uint64_t first;      /* number of the first that nothing has needed yet */
        uint64_t there;      /* the round in which all of them have what they asked for */
        bool ended;          /* there is no access left: it waits for these */
    } misses;
    struct warp_buffer buffer;
};

/* Whose they are. */
struct residents_user {
    void *context;
    /* A record that carries instructions only: 0 or a negative status. */
    int (*carry)(void *context, uint32_t sm, uint64_t cta, const struct warp_access *access,
                 struct error *error);
    /* A warp that has an access to issue began; warps of an SM begin in the order of age. */
    void (*begin)(void *context, uint32_t sm, struct resident_warp *warp);
};

struct residents {
    const struct system *system;
    struct residents_user user;
    uint32_t *sm_at; /* the SM at each place of the line */
    uint32_t start;  /* the place where the next launch begins */
    /* Of the kernel: */
    struct stream *stream;
    const struct stream_kernel *kernel;
    struct schedule_context schedule;
    uint32_t n_units;
    uint64_t *queue; /* next CTA of each unit of the schedule */
    uint32_t *unit;  /* of each SM */
    uint32_t *room;  /* CTAs that still fit, of each SM */
    unsigned char *slots;
    size_t slots_size, slot_size, warp_size;
    uint32_t ctas_per_sm;
    uint64_t local_bytes; /* local memory of an SM: whole pages */
    struct resident_slots {
        struct resident_cta *free;
        uint32_t used; /* so far in this kernel, the free ones too */
    } * slots_of;      /* of each SM */
};

void residents_init(struct residents *residents, const struct system *system,
                    const struct residents_user *user);
void residents_fini(struct residents *residents);

/* A CTA went to an SM: where the next launch begins follows from the last one. */
void residents_took(struct residents *residents, uint32_t sm);

/* CTAs of the kernel that an SM holds at a time; 0: not one. */
uint32_t residents_per_sm(const struct system *system, const struct stream_kernel *kernel);

/* Warps of the kernel that an SM holds at a time, where all have as many blocks; at least 1. The
 * kernel's first CTAs are on the SMs. */
uint64_t residents_warps(const struct residents *residents);

/* A kernel begins: sets up its schedule. To be ended, even when it fails. */
int residents_begin_kernel(struct residents *residents, struct stream *stream,
                           const struct stream_kernel *kernel, struct error *error);
void residents_end_kernel(struct residents *residents);

/* Puts the first CTAs on the SMs. Refuses a CTA that does not fit on an SM. Looks at
 * interrupt_requested(), as below. */
int residents_fill(struct residents *residents, struct error *error);

/* Moves on behind an access that was issued, to the warp's next one: 1, 0 at its end,
 * or a negative status. */
int residents_advance(struct residents *residents, uint32_t sm, struct resident_warp *warp,
                      struct error *error);

/* Fetches what moving on will write, if that is more accesses. */
static inline void residents_prefetch(const struct resident_warp *warp)
{
    enum { STATE_BYTES = 128, LINE_BYTES = 64 };
    const char *items = (const char *)warp->buffer.items, *state = (const char *)(warp + 1);
    if (warp->next + 1 < warp->buffer.count)
        return;
    for (size_t at = 0; at < STATE_BYTES; at += LINE_BYTES)
        prefetch_write(state + at);
    for (size_t at = 0; at < sizeof warp->buffer.items; at += LINE_BYTES)
        prefetch_write(items + at);
}

/* An access to local memory that is not to be made (trace.local): its instructions stay. */
static inline void residents_leave_out(struct warp_access *access)
{
    *access = (struct warp_access){.instructions = access->instructions, .think = access->think};
}

/* A warp has ended: whether its CTA is over, whose place others may take. */
bool residents_end_warp(struct residents *residents, uint32_t sm, struct resident_warp *warp);
/* Whether the SM's unit has a CTA left: who gets it depends on who asks first. */
bool residents_wait(const struct residents *residents, uint32_t sm);
/* Others begin as long as there is room. SMs of different units may be asked by several threads. */
int residents_refill(struct residents *residents, uint32_t sm, struct error *error);

#endif

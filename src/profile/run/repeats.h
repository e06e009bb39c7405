/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that repeat: a sequence of them that comes again (a step in time of a solver, and the
 * same with its arrays changed over) and counts the same as the time before is not gone through
 * once more, but counted again.
 *
 * Launches are the same by what they are (stream_identity), and settled by what they gave: each of
 * a period agrees with the one a period before it in every count. Where the end of a launch flushes
 * caches and pages have their homes, the second finds the state that the first found, and all that
 * follow give the same to the last digit. Where contents stay, counts that agree within the
 * tolerance may differ by as much from those of the launches that follow.
 *
 * Where a launch begins on another SM than the one a period before it, it finds other contents in
 * what SMs have for themselves, whatever it counted: neither agrees with the other (cta.start).
 *
 * Behind a sequence that ends before the run does, state must be that of its end: then whole
 * periods are left out and the rest of the last one is gone through. That takes a look ahead, by a
 * second stream over the source. */
#ifndef BANDSCAPE_PROFILE_REPEATS_H
#define BANDSCAPE_PROFILE_REPEATS_H

#include "profile/run/launch_group.h"
#include "trace/stream.h"

enum { REPEATS_PERIOD_MAX = 64 }; /* launches */

struct repeats {
    const struct source *source;
    bool exact;
    struct repeats_launch {
        uint64_t identity;
        uint32_t start;
        struct launch_group *group;
    } last[REPEATS_PERIOD_MAX]; /* launches that were gone through, the newest at `count` - 1 */
    uint64_t count;
    uint64_t alike[REPEATS_PERIOD_MAX + 1]; /* [k] newest ones that agree with the k-th before */
    uint64_t reached;                       /* launches of the run, the current one included */
    uint64_t identity;                      /* of that one, where it is gone through */
    uint32_t start;                         /* likewise: the SM it begins on, to be set before */
    bool again;                             /* likewise: an earlier one had the same */
    uint64_t period, done, left; /* the next `left` launches repeat the last period; `done` did */
    struct stream *ahead;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } seen;     /* identities of the source's launches, as far as `ahead` came */
    bool ended; /* there are no more */
    struct {
        uint64_t *items; /* a table of 2^bits places; 0: free */
        size_t count, bits;
    } met; /* identities of launches that were gone through */
};

/* The source must outlive it. `exact`: every launch is gone through. */
void repeats_init(struct repeats *repeats, const struct source *source, bool exact);
void repeats_fini(struct repeats *repeats);

/* The stream's next launch: *out is the one that it repeats and that stands for it, which stays
 * until repeats_note, or NULL: it is to be gone through. Then `again` says whether counts may have
 * to be compared: that nothing may be left for the next launch to count. */
int repeats_next(struct repeats *repeats, struct stream *stream, const struct stream_kernel *kernel,
                 const struct launch_group **out, struct error *error);

/* What that launch gave; takes it over. */
void repeats_note(struct repeats *repeats, struct launch_group *group);

#endif

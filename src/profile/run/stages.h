/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass in stages, so that an SM runs alone while what it needs is in the host's caches
 * (profile/issue/issue.h):
 *
 *   near    by SM: accesses as they are issued; coalescing, L1; into the SM's list.
 *   homes   in the order of turns: pages that nobody had touched when the SM did.
 *   clocks  by SM: whom its warps wait for.
 *   far     in the order of turns: counts, copies in other L1s, lines under way to the LLC, levels
 *           before it; requests.
 *
 * Lists hold what all SMs issue in some rounds. While the last two stages take one, SMs fill
 * another: what they do there depends on homes, but on nothing that comes behind. Where an SM's
 * next access depends on more than its own past (pass_is_entangled), each access goes through all
 * stages at once, in the order of turns. */
#ifndef BANDSCAPE_PROFILE_STAGES_H
#define BANDSCAPE_PROFILE_STAGES_H

#include "profile/caches/front.h"
#include "profile/caches/l1.h"
#include "profile/caches/tlbs.h"
#include "profile/caches/written.h"
#include "profile/homes/pages.h"
#include "profile/issue/clocks.h"
#include "profile/issue/issue.h"
#include "profile/issue/lanes.h"
#include "profile/issue/order.h"
#include "profile/issue/replay.h"
#include "profile/issue/waits.h"
#include "profile/run/asides.h"
#include "profile/run/launches.h"
#include "profile/run/outlook.h"
#include "profile/run/repeats.h"
#include "profile/run/requests.h"
#include "profile/run/stretches.h"
#include "profile/run/trends.h"
#include "profile/run/window.h"
#include "profile/samplers/observers.h"
#include "trace/coalesce.h"

/* Lines that may be under way: to an L1, to the LLC. */
enum { WAITS_LOCAL = 1, WAITS_REMOTE = 2, WAITS_SHARED = 4 };

/* In a list: kinds of enum access_kind, and these. */
enum near_kind { NEAR_BEGIN = ACCESS_ATOMIC + 1, NEAR_END };

enum near_flag {
    NEAR_BESIDE = 1, /* a cache beside L1 serves it */
    NEAR_LOAD = 2,   /* a load, or an atomic; */
    NEAR_GROUP = 4,  /* the first that nothing has needed (tally load_groups) */
    NEAR_PART = 8,   /* of the instruction of the access before it */
    NEAR_LOCAL = 16, /* to local memory */
    NEAR_BULK = 32,  /* of a bulk copy */
    NEAR_SKIM = 64   /* in a stretch that is skimmed (stretches.h) */
};

/* An access, or the begin or the end of a warp. */
struct near_turn {
    uint64_t round;
    uint32_t cta, warp; /* low bits of the number; the SM's slot */
    uint32_t instructions, think;
    uint8_t kind, flags;
    uint8_t lines, lanes, bytes;
    uint8_t ahead, path;
};

struct near_line {
    uint64_t line;
    uint64_t clock; /* of its warp: waits so far */
    uint32_t wanted, sectors;
    uint32_t home;   /* domain; of recall: or PAGES_ASKED + the number of the SM's touch */
    uint8_t flags;   /* enum request_flag */
    uint8_t touched; /* sectors of 32 bytes that the lanes touch */
    uint16_t slot;   /* of the line among those under way (waits.h) */
    struct l1_change change;
};

/* What one SM has issued and nobody taken. */
struct near {
    struct {
        struct near_turn *items;
        size_t count, capacity;
    } turns;
    struct {
        struct near_line *items;
        size_t count, capacity;
    } lines; /* of the turns */
    struct {
        struct near_touch {
            uint64_t round, line;
            struct pages_memo answer;
        } * items;
        size_t count, capacity;
    } touches;                   /* of pages that nobody had touched */
    size_t skipped;              /* turns and lines that are none, at the front */
    bool turns_lent, lines_lent; /* memory that is the pass's */
    size_t touch;                /* homes: the next one */
    uint64_t told;              /* at once: the first line of the access that comes, + 1, and its */
    struct l1_place told_at;    /* place, worked out when that is fetched; 0: none */
    uint64_t accesses, asked;   /* of this launch, for so many lines; */
    uint64_t skimmed;           /* of the accesses. As are */
    uint64_t issued;            /* instructions, */
    struct tally_counts counts; /* what is counted here */
};

/* Where an SM's list stands that is put into order: of all SMs together in few lines of the host's
 * caches. */
struct far_cursor {
    const struct near_turn *turn, *end; /* the next one */
    const struct near_line *line;
    uint32_t domain;
};

/* What SMs read while others take lists stands first, apart from what these write. */
struct pass {
    const struct system *system;
    struct pass *lead;       /* whose lists it takes: it issues nothing itself; NULL: none */
    struct pass **followers; /* that take its own; those that are `apart` do no longer */
    uint32_t n_followers;
    bool apart;
    unsigned parts;
    int threads;
    bool at_once;          /* no lists: each access through all stages */
    bool timed;            /* of this kernel: lines take rounds to come */
    bool goes_on;          /* nobody behind L1 but requests looks at accesses, but for windows */
    struct near *near;     /* by SM: lists that are filled, */
    struct near *behind;   /* and that the last two stages take; the same where nothing overlaps */
    struct lanes *lanes;   /* by worker */
    struct replay *replay; /* of a kernel in recorded order; else NULL */
    struct issue *issue;
    struct pages pages;
    struct l1 *l1;            /* the lead's, where there is one */
    struct asides asides;     /* caches beside it */
    struct waits sent;        /* for lines at L1s, by rounds */
    struct waits_asked waits; /* for lines at L1s, */
    struct waits home, own;   /* and at the LLC of either side */
    struct fronts fronts;
    struct tlbs tlbs;
    struct tlbs_pages pages_seen;         /* of this access */
    struct waits walks[MACHINE_TLBS_MAX]; /* for pages, at TLBs */
    unsigned late;                        /* TLBs behind which this access waits, a bit each */
    struct requests requests;
    struct tally tally;     /* of this launch */
    struct written written; /* where it matters */
    struct observers observers;
    struct window window; /* PART_WINDOW */
    struct order touches, turns;
    struct order_ranks ranks;        /* page.ties: waits */
    const struct warp_access **next; /* by SM, in a round: what it is about to issue, or NULL */
    struct far_cursor *ahead;        /* by SM: up to where its list is counted in ranks.ahead */
    bool ranks_fresh;                /* a launch begins */
    uint64_t batch_start;            /* the first round of what is in the lists, or comes next */
    struct far_cursor *cursors;      /* by SM, while turns are taken */
    struct clocks clocks;
    struct near *lists;     /* all of them, */
    void *list_memory;      /* and where they are */
    uint32_t n_lists;       /* SMs, once or twice */
    uint32_t rounds;        /* of the batch */
    struct pipeline *taken; /* of lists, towards the last two stages */
    int status;             /* of these */
    struct error error;
    struct launches *launches;
    struct repeats repeats;
    struct trends trends;
    struct stretches stretches;
    struct outlook outlook;
    bool counts_far;             /* accesses are counted in order: somebody looks in between */
    bool keep_hits;              /* L1 hits go on too: somebody looks at them */
    bool keep_written;           /* somebody has to know what a launch writes */
    bool recorded;               /* a kernel was replayed in recorded order */
    bool waits_assumed;          /* of this kernel (struct stream_kernel) */
    uint32_t sectors_per_bit;    /* of a coalesced line's mask */
    struct request_batch *batch; /* being filled */
};

/* followers.c */

/* What the lead's SMs have done since its last commit, before the lead itself changes it: homes of
 * the followers' own touches; they take the rest on threads of their own where there are any. */
void followers_take(struct pass *lead, uint64_t records);
/* Waits until followers have taken it all. */
void followers_wait(struct pass *lead);
/* Of a launch that repeats (`repeated`: the lead's) or not: followers that do not do so too, or
 * that cannot follow, are apart. */
void followers_repeat(struct pass *lead, struct stream *stream, const struct stream_kernel *kernel,
                      bool repeated);

/* Of a launch that the lead begins, or that repeats: followers are apart where steps are left out,
 * of their own trend or the lead's, as each view is off by its own. */
void followers_trend(struct pass *lead, const struct stream_kernel *kernel, bool repeated);

/* pass.c: the last two stages of what is in the lists, perhaps behind; waits until they are
 * through: 0, or the error that any of them met. */
void pass_hand_on(struct pass *pass, uint64_t records);
int pass_wait(struct pass *pass, struct error *error);

/* ranks.c: nothing but where page.ties is waits and homes hang on who is first. */

static inline bool ranks_hold(const struct pass *pass)
{
    return pass->system->ties_by_waits && pass->system->domains > 1 && !pass->pages.unit;
}

void ranks_init(struct pass *pass);
void ranks_fini(struct pass *pass);
void ranks_begin_launch(struct pass *pass);
/* For issue_user, of SMs together: what they touch in a round, before anything else happens in it.
 */
int ranks_touch(void *context, uint64_t round, const struct issue_next *turns, uint32_t n,
                struct error *error);
/* Of what is in the lists, before anything of it is put into order. */
int ranks_commit(struct pass *pass, struct error *error);
/* Of touches in a round and behind it, all before it being taken: ranks of its period, until *end.
 */
int ranks_reach(struct pass *pass, uint64_t round, uint64_t *end, struct error *error);
/* What is in the lists goes on, and another batch begins: waits before and in that one's period. */
void ranks_hand_on(struct pass *pass);

/* near.c */

/* The pass's lists, `n_lists` of them, each with room for so many records, of turns and lines
 * together; where one needs more it has memory of its own. */
void near_init_lists(struct pass *pass, size_t records);
void near_fini_lists(struct pass *pass);
/* Room for so many turns and lines, what is skipped included; its contents may go. */
void near_reserve(struct near *near, size_t turns, size_t lines);
/* Empties the list. */
void near_clear(struct near *near);
void near_begin_launch(struct near *near);

/* Field by field: what is read soon after must not be put together from parts of several sizes,
 * which processors take long for. */
static inline void near_line_set(const struct pass *pass, const struct coalesced_line *from,
                                 struct near_line *line)
{
    uint32_t mask = from->sectors; /* mostly the first ones */
    uint32_t touched = mask & (mask + 1) ? bits_count(mask) : 32 - (uint32_t)__builtin_clz(mask);
    line->line = from->line;
    line->clock = 0;
    line->wanted = system_sectors(pass->system, mask);
    line->sectors = 0;
    line->home = 0;
    line->flags = 0;
    line->touched = (uint8_t)touched;
    line->slot = waits_slot(from->line);
    line->change.kind = L1_KEPT;
    line->change.wrote = false;
}

/* Whether the access waits for that line: it sets out, or another one's is on its way. */
static inline bool near_is_awaited(const struct near_line *line)
{
    return line->sectors || line->flags & REQUEST_MEETS;
}

/* Whether a line of an access comes from another domain. */
static inline bool near_is_far(const struct pass *pass, uint32_t sm, const struct near_line *line)
{
    return line->sectors && line->home != system_domain(pass->system, sm);
}
/* Into the lists, for issue_user: how many rounds the warp has to wait. */
int near_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access);
/* For issue_user: the same in a stretch that is skimmed. */
void near_skim(void *context, const struct issue_turn *turn, const struct warp_access *access);
/* Fetches what an access is about to need. */
void near_ahead(void *context, uint32_t sm, const struct resident_warp *warp,
                const struct warp_access *access);
void near_begin_warp(void *context, const struct issue_turn *turn);
void near_end_warp(void *context, const struct issue_turn *turn);
/* The clocks of an SM's list, and counts if these are not taken far; homes are known. What nobody
 * has to see any more leaves the list. */
void near_tell_clocks(struct pass *pass, uint32_t sm);

/* far.c */

/* For issue_user, of SMs together: an access through all stages at once; how many rounds the warp
 * has to wait, or a negative status. */
int far_access(struct pass *pass, const struct issue_turn *turn, const struct warp_access *access,
               struct error *error);
/* Fetches what an access is about to need. */
void far_ahead(void *context, uint32_t sm, const struct resident_warp *warp,
               const struct warp_access *access);
/* Where a list begins. */
static inline struct far_cursor far_cursor_of(const struct pass *pass, const struct near *list,
                                              uint32_t sm)
{
    return (struct far_cursor){list->turns.items + list->skipped,
                               list->turns.items + list->turns.count,
                               list->lines.items + list->skipped, system_domain(pass->system, sm)};
}
/* Hands over what is in the batch of requests. */
void far_send(struct pass *pass);
/* What levels before the LLC send home at the end of a launch. */
int far_end_launch(struct pass *pass, struct error *error);
/* Copies counts that levels keep. */
void far_sync_counts(struct pass *pass);

/* What is in the lists, in the order of turns: homes of touches; all that is behind L1, of lists
 * whose clocks are told. */
int far_take_touches(struct pass *pass, struct error *error);
int far_take_turns(struct pass *pass, struct error *error);

#endif

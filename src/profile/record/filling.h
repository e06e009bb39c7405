/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether an input is large enough for a machine to be judged by: what it leaves idle, what it is
 * over before, what it fits in. Conclusions from inputs that do not fill a machine may be the
 * reverse of those from the published ones, so answers, files and pictures carry the names.
 *
 *     idle-sms         launches have fewer thread blocks than the machine has SMs
 *     short-launches   launches are over within ten memory latencies: what fills and drains the
 *                      machine is their time, which bounds by bandwidth have not
 *     fits             a cache holds the whole footprint, though not the published one
 *     sampled          curves are from a part of the lines
 *
 * The first two are of launches that matter: a tenth of the run's work or more, in all. What a
 * launch of c blocks works is taken one after the other, without waiting for each other:
 *
 *     t = bytes / B_memory + (1 - r_local) bytes / B_inter + instructions / (I min(c, SMs))
 *       + g max(1, warps / (SMs W)) (h L_1 + (1 - h) L_memory)
 *
 * g: load groups of a warp; h: its hits in L1; W: warps of an SM; I: issue rate of an SM. It is
 * longer than what overlaps, as it should be: what is short by it is short. It is no answer, and
 * needs neither a model nor a part of profiles beyond the base.
 *
 * What is unknown (hand-made profiles, machines that do not say) is never warned of. */
#ifndef BANDSCAPE_PROFILE_RECORD_FILLING_H
#define BANDSCAPE_PROFILE_RECORD_FILLING_H

#include "machine/levels.h"
#include "profile/record/profile.h"

#define FILLING_KINDS_OF(X)                                                                        \
    X(FILLING_IDLE_SMS, "idle-sms", "fewer blocks than SMs")                                       \
    X(FILLING_SHORT, "short-launches", "short launches")                                           \
    X(FILLING_FITS, "fits", "data fit into caches")                                                \
    X(FILLING_SAMPLED, "sampled", "sampled launches")

enum filling_kind {
#define FILLING_ENUM(symbol, name, words) symbol,
    FILLING_KINDS_OF(FILLING_ENUM)
#undef FILLING_ENUM
        FILLING_KINDS
};
extern const char *const filling_names[FILLING_KINDS];

/* Of the machine, in SI, what there is to fill; NaN: unknown. One column of numbers, so that a
 * design space may compute them point by point. */
enum filling_number {
    FILLING_SMS,
    FILLING_WARPS,          /* of an SM */
    FILLING_ISSUE,          /* of an SM, warp instructions a second */
    FILLING_MEMORY_RATE,    /* of the system */
    FILLING_LINK_RATE,      /* of the system; 0: one chip */
    FILLING_L1_LATENCY,     /* an idle load that hits there */
    FILLING_MEMORY_LATENCY, /* an idle load from the own domain's memory */
    FILLING_CACHES,         /* bytes of all caches of a level, from the SMs outwards */
    FILLING_NUMBERS = FILLING_CACHES + MACHINE_LEVELS_MAX + 1
};
struct filling_room {
    double numbers[FILLING_NUMBERS];
    const char *caches[FILLING_NUMBERS - FILLING_CACHES]; /* their names; NULL: no more */
};

/* The input: what was made of it, and what is printed of it. */
struct filling_input {
    const struct profile_view *view;
    double published_bytes; /* the footprint that a paper prints of it; NaN: none */
    const char *hint;       /* "use input=default"; NULL: nothing better is known */
};

/* Launches that a warning is about. */
struct filling_launches {
    double launches, share; /* of the run's work */
    double extreme;         /* idle-sms: the fewest blocks; short-launches: the longest, in s */
};
struct filling {
    unsigned has;    /* set of 1 << enum filling_kind */
    double launches; /* of the run */
    struct filling_launches idle, brief;
    size_t cache; /* that holds the footprint */
};

struct filling filling_judge(const struct filling_input *input, const struct filling_room *room);

/* "16 of 16 launches, ... have fewer thread blocks than the 256 SMs ...; use input=default". */
void filling_say(const struct filling *filling, enum filling_kind kind,
                 const struct filling_input *input, const struct filling_room *room,
                 struct text *out);

/* A line "[BEFORE: ]NAME: what it says" for each warning. */
void filling_lines(const struct filling_input *input, const struct filling_room *room,
                   const char *before, struct text *out);

/* The names of a set, with a space between, as CSV has them. */
void filling_append_names(unsigned set, struct text *out);
/* The same for people, with commas. */
void filling_append_words(unsigned set, struct text *out);
/* The set of such names; others are passed by. */
unsigned filling_scan_names(const char *text);

#endif

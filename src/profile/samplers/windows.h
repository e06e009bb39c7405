/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Working sets by sharing class (SAC, ISCA 2023, section 3): how many bytes of each class
 * are touched in consecutive windows of the stream before L1, counted in line accesses of
 * the system.
 *
 * Within a window a line is truly shared when two domains or more touch it, falsely
 * shared when one does and another domain touches another line of its page, else not
 * shared.
 *
 * Only the shortest windows see the accesses; a longer one is the union of the shorter
 * ones that it consists of. */
#ifndef BANDSCAPE_PROFILE_WINDOWS_H
#define BANDSCAPE_PROFILE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

enum { WINDOWS_COUNT = 3 };
/* 1 000, 10 000 and 100 000 accesses. */
extern const uint32_t windows_lengths[WINDOWS_COUNT];

/* A set of numbers (lines, pages), each with the domains that touched it. */
struct touched {
    struct touched_item {
        uint64_t number, domains;
    } * items; /* in the order of first touch */
    uint32_t count;
    uint32_t bits;   /* log2 of the places of the index */
    uint32_t stamp;  /* of this filling: a place with another one is empty */
    uint64_t *index; /* stamp << 32 | item */
};

struct windows {
    uint32_t line_bytes;
    uint64_t lines_per_page;
    struct touched pages; /* of one window, while it is classified */
    struct windows_level {
        struct touched lines;         /* of the window so far, but for the shorter windows' share */
        uint32_t accesses;            /* likewise */
        uint64_t complete;            /* windows */
        uint64_t truly, falsely, non; /* lines, summed over the complete windows */
    } levels[WINDOWS_COUNT];
};

/* Mean bytes of a window, over `count` of them: all complete ones, or the first one, begun
 * but not full, when there is none else. Without accesses count is 0 and bytes are NaN. */
struct windows_result {
    uint32_t window; /* accesses */
    uint64_t count;
    bool partial;
    double truly_bytes, falsely_bytes, non_bytes;
};

/* A page has a whole number of lines; at most 64 domains. */
void windows_init(struct windows *windows, uint32_t line_bytes, uint64_t page_bytes);
void windows_fini(struct windows *windows);

/* One access of a line. */
void windows_take(struct windows *windows, uint32_t domain, uint64_t line);

/* Of windows of windows_lengths[i] accesses; at any time, and the stream may go on. */
void windows_result(const struct windows *windows, int i, struct windows_result *out);

#endif

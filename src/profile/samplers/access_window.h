/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of the accesses to L1: the share of remote ones, how many of them L1 serves, and how
 * much of the remote lines that it fetches is used. Without bounds the same counts cover the run.
 *
 * The used fraction is that of the pieces that an L1 fetches, those of a line or of some of
 * its sectors: the ones that the fetch and later hits ask for. A stay ends when that L1
 * fetches the pieces again, when the launch ends or when the window closes, and begins
 * inside the window: a hit on pieces fetched before counts as a hit only. */
#ifndef BANDSCAPE_PROFILE_ACCESS_WINDOW_H
#define BANDSCAPE_PROFILE_ACCESS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_window_settings {
    uint64_t warm_up;         /* accesses before the window opens */
    uint64_t remote_accesses; /* of the window */
    uint64_t accesses;        /* of the window, at most */
    bool leaving;             /* all three count what L1 does not serve, which leaves the SM */
};

/* Over the run. */
struct access_window_settings access_window_unbounded(void);

struct access_window {
    struct access_window_settings settings;
    uint64_t seen; /* that count towards the warm-up, and it is over with the next one */
    uint64_t left; /* L1 in the window */
    uint64_t accesses, remote, remote_hits, fetches, fetched_pieces, used_pieces;
    struct access_stay {
        uint64_t line, unused; /* unused: pieces that nobody asked for since their fetch */
        uint32_t node, launch; /* one of another launch is a free place */
    } * stays;                 /* open addressing */
    size_t count;              /* of this launch */
    uint32_t bits, launch;
    bool closed;
};

/* Ratios are NaN when nothing was counted. */
struct access_window_result {
    uint64_t accesses, remote, fetches;
    double remote_frac; /* remote accesses / accesses */
    double used_frac;   /* of a fetched remote line */
    double hit_frac;    /* of the remote accesses */
    bool closed;        /* else the run ended first */
};

void access_window_init(struct access_window *window,
                        const struct access_window_settings *settings);
void access_window_fini(struct access_window *window);

/* A launch begins with empty L1s. */
void access_window_begin_launch(struct access_window *window);

/* One access of a line that looks it up in L1 node `node`; those which L1 serves never
 * (writes, atomics) are for the caller to leave out. `fetched`: pieces that L1 did not hold
 * and fetches for it, up to 64 in a line (of a local line any); 0: a hit. `pieces`: those asked
 * for. Memory goes with the (node, remote line) pairs that a launch fetches inside the window. */
void access_window_take(struct access_window *window, uint32_t node, uint64_t line, bool remote,
                        uint64_t fetched, uint64_t pieces);

/* At any time; nothing ends by it. */
struct access_window_result access_window_result(const struct access_window *window);

#endif

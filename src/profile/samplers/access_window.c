/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces are counted when they are first used, so that a stay needs
 * no attention when it ends. */
#include "profile/samplers/access_window.h"

#include <math.h>
#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 8 };

struct access_window_settings access_window_unbounded(void)
{
    return (struct access_window_settings){.remote_accesses = UINT64_MAX, .accesses = UINT64_MAX};
}

static void stays_create(struct access_window *window, uint32_t bits)
{
    window->bits = bits;
    window->stays = memory_zero((size_t)1 << bits, sizeof *window->stays);
}

void access_window_init(struct access_window *window, const struct access_window_settings *settings)
{
    *window = (struct access_window){.settings = *settings, .launch = 1};
    stays_create(window, FIRST_BITS);
}

void access_window_fini(struct access_window *window)
{
    free(window->stays);
    *window = (struct access_window){0};
}

void access_window_begin_launch(struct access_window *window)
{
    window->count = 0;
    if (++window->launch == 0) { /* old stays would look new */
        free(window->stays);
        stays_create(window, window->bits);
        window->launch = 1;
    }
}

/* The stay, or the free place where it belongs. */
static struct access_stay *stays_find(const struct access_window *window, uint32_t node,
                                      uint64_t line)
{
    size_t mask = ((size_t)1 << window->bits) - 1;
    size_t at = hash_fmix64(hash_fmix64(line) + node) >> (64 - window->bits);
    for (;; at = (at + 1) & mask) {
        struct access_stay *stay = &window->stays[at];
        if (stay->launch != window->launch || (stay->line == line && stay->node == node))
            return stay;
    }
}

static void stays_double(struct access_window *window)
{
    struct access_stay *old = window->stays;
    size_t places = (size_t)1 << window->bits;
    stays_create(window, window->bits + 1);
    for (size_t i = 0; i < places; i++)
        if (old[i].launch == window->launch)
            *stays_find(window, old[i].node, old[i].line) = old[i];
    free(old);
}

static void window_use(struct access_window *window, struct access_stay *stay, uint64_t pieces)
{
    window->used_pieces += (uint64_t)__builtin_popcountll(pieces & stay->unused);
    stay->unused &= ~pieces;
}

static void window_fetch(struct access_window *window, uint32_t node, uint64_t line,
                         uint64_t fetched, uint64_t pieces)
{
    struct access_stay *stay = stays_find(window, node, line);
    bool fresh = stay->launch != window->launch;
    if (fresh)
        *stay = (struct access_stay){line, 0, node, window->launch};
    stay->unused |= fetched;
    window->fetches++;
    window->fetched_pieces += (uint64_t)__builtin_popcountll(fetched);
    window_use(window, stay, pieces);
    if (fresh && ++window->count > (size_t)1 << (window->bits - 1))
        stays_double(window);
}

static void window_hit(struct access_window *window, uint32_t node, uint64_t line, uint64_t pieces)
{
    struct access_stay *stay = stays_find(window, node, line);
    window->remote_hits++;
    if (stay->launch == window->launch)
        window_use(window, stay, pieces);
}

void access_window_take(struct access_window *window, uint32_t node, uint64_t line, bool remote,
                        uint64_t fetched, uint64_t pieces)
{
    const struct access_window_settings *settings = &window->settings;
    bool counts = fetched || !settings->leaving;
    if (window->closed || window->seen < settings->warm_up) {
        window->seen += counts;
        return;
    }
    window->accesses++;
    window->left += fetched != 0;
    if (remote) {
        window->remote++;
        if (fetched)
            window_fetch(window, node, line, fetched, pieces);
        else
            window_hit(window, node, line, pieces);
    }
    window->closed =
        (settings->leaving ? window->fetches : window->remote) >= settings->remote_accesses ||
        (settings->leaving ? window->left : window->accesses) >= settings->accesses;
}

static double window_ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

struct access_window_result access_window_result(const struct access_window *window)
{
    return (struct access_window_result){
        .accesses = window->accesses,
        .remote = window->remote,
        .fetches = window->fetches,
        .remote_frac = window_ratio(window->remote, window->accesses),
        .used_frac = window_ratio(window->used_pieces, window->fetched_pieces),
        .hit_frac = window_ratio(window->remote_hits, window->remote),
        .closed = window->closed,
    };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances of accesses that go round, beside those that are counted. */
#include "check.h"

#include <string.h>

#include "core/memory.h"
#include "validate/silicon_reuse.h"

/* Blocks of so many lines fall to six caches in turn while they sweep. */
enum { BLOCK = 16, CACHES = 6, SWEEPS = 40, FIRST = 15, LINES_MOST = 25 * BLOCK };

/* Accesses to lines that the cache had before, by how many others it saw since. */
static void count_distances(int lines, int counts[LINES_MOST])
{
    int last[CACHES][LINES_MOST] = {{0}}; /* access of a cache to a line, from 1; 0: none */
    memset(counts, 0, LINES_MOST * sizeof *counts);
    for (int x = 0; x < SWEEPS * lines; x++) {
        int *seen = last[x / BLOCK % CACHES], line = x % lines, others = 0;
        if (seen[line] && x >= FIRST * lines) {
            for (int i = 0; i < lines; i++)
                others += seen[i] > seen[line];
            counts[others]++;
        }
        seen[line] = x + 1;
    }
}

static double share_within(const int counts[LINES_MOST], int distance)
{
    int within = 0, all = 0;
    for (int d = 0; d < LINES_MOST; d++) {
        within += d < distance ? counts[d] : 0;
        all += counts[d];
    }
    return (double)within / all;
}

/* Of 20.5 blocks and others that are not whole some lines come back after this many sweeps and some
 * after that many. */
TEST(blocks_fall_to_caches_in_turn)
{
    static const double blocks[] = {24, 25, 21, 20.5, 22.375, 18.75, 13.125};
    static const double parts[] = {0.1, 0.25, 0.4, 0.6, 0.75, 0.9};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct arena *arena = arena_create();
        int lines = (int)(blocks[i] * BLOCK), counts[LINES_MOST];
        struct reuse reuse = reuse_of_turns(lines, blocks[i], CACHES);
        struct curve curve = reuse_curve(&reuse, 1, arena);
        count_distances(lines, counts);
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            double hits = 1 - curve_miss_ratio_full(&curve, parts[p] * lines);
            assert_true(hits <= share_within(counts, (int)((parts[p] + 0.04) * lines)) + 0.03);
            assert_true(hits >= share_within(counts, (int)((parts[p] - 0.04) * lines)) - 0.03);
        }
        arena_destroy(arena);
    }
}

/* Of 24 blocks each comes back to its cache, which saw a sixth; of 25 after six sweeps, which saw
 * all; of 21 after two, which saw a third. One cache sees all. */
TEST(whole_blocks_by_hand)
{
    static const struct {
        double blocks, caches, seen;
    } cases[] = {{24, 6, 1.0 / 6}, {25, 6, 1}, {21, 6, 1.0 / 3}, {20, 6, 0.5}, {20.5, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reuse reuse = reuse_of_turns(6000, cases[i].blocks, cases[i].caches);
        double shares = 0;
        for (int k = 0; k < reuse.count; k++) {
            check_relative(reuse.items[k].lines, 6000 * cases[i].seen - 1, 1e-9);
            shares += reuse.items[k].share;
        }
        check_relative(shares, 1, 1e-9);
    }
}

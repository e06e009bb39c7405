/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that ride on one under way: cases by hand, and random ones against a list. */
#include "check.h"

#include "dualopt/merge.h"

static void check_counts(const struct merge *m, const uint64_t requests[MERGE_GRAINS],
                         const uint64_t asked[MERGE_GRAINS])
{
    for (int g = 0; g < MERGE_GRAINS; g++) {
        assert_int_equal(m->requests[g], requests[g]);
        assert_int_equal(m->asked[g], asked[g]);
    }
}

TEST(test_by_hand)
{
    struct merge m;
    merge_init(&m, 10);
    merge_take(&m, 0, 5, 0, 0x3);
    check_counts(&m, (uint64_t[]){1, 1, 1, 1}, (uint64_t[]){2, 1, 1, 1});
    merge_take(&m, 0, 5, 1, 0x2); /* contained */
    check_counts(&m, (uint64_t[]){1, 1, 1, 1}, (uint64_t[]){2, 1, 1, 1});
    merge_take(&m, 0, 5, 2, 0x4); /* another pair, the same four */
    check_counts(&m, (uint64_t[]){2, 2, 1, 1}, (uint64_t[]){3, 2, 1, 1});
    merge_take(&m, 1, 5, 3, 0x4); /* another SM */
    check_counts(&m, (uint64_t[]){3, 3, 2, 2}, (uint64_t[]){4, 3, 2, 2});
    merge_take(&m, 0, 5, 11, 0x4); /* under way since round 2; at 16 B and for lines answered */
    check_counts(&m, (uint64_t[]){3, 3, 3, 3}, (uint64_t[]){4, 3, 3, 3});
    merge_take(&m, 0, 5, 12, 0x10); /* 5th piece: only the line contains it */
    check_counts(&m, (uint64_t[]){4, 4, 4, 3}, (uint64_t[]){5, 4, 4, 3});
    merge_take(&m, 0, 5, 12, 0xffff);
    check_counts(&m, (uint64_t[]){5, 5, 5, 3}, (uint64_t[]){21, 12, 8, 3});
    merge_fini(&m);
}

/* The same rule over a plain list, mask by mask. */
TEST(test_random)
{
    enum { SMS = 3, LINES = 40 };
    static const int shift[MERGE_GRAINS] = {0, 1, 2, 6};
    for (int round = 0; round < check_rounds(20, 400); round++) {
        uint64_t random = (uint64_t)round, now = 0, requests[MERGE_GRAINS] = {0};
        uint64_t asked[MERGE_GRAINS] = {0}, latency = 1 + check_random(&random) % 60;
        struct {
            bool known;
            uint64_t sent, pieces;
        } last[MERGE_GRAINS][SMS][LINES] = {{{{false, 0, 0}}}};
        struct merge m;
        merge_init(&m, latency);
        for (int i = 0; i < 3000; i++) {
            uint32_t sm = (uint32_t)(check_random(&random) % SMS);
            uint64_t line = check_random(&random) % LINES;
            uint64_t pieces = check_random(&random) & check_random(&random) & 0xffff;
            pieces |= 1ULL << check_random(&random) % 16;
            now += check_random(&random) % 3 == 0;
            merge_take(&m, sm, line * 977, now, pieces);
            for (int g = 0; g < MERGE_GRAINS; g++) {
                uint64_t wanted = 0;
                for (int p = 0; p < 64; p++)
                    wanted |= (pieces >> p & 1) << (p >> shift[g]);
                if (last[g][sm][line].known && now - last[g][sm][line].sent < latency &&
                    (wanted & last[g][sm][line].pieces) == wanted)
                    continue;
                last[g][sm][line].known = true;
                last[g][sm][line].sent = now;
                last[g][sm][line].pieces = wanted;
                requests[g]++;
                asked[g] += (uint64_t)__builtin_popcountll(wanted);
            }
        }
        check_counts(&m, requests, asked);
        merge_fini(&m);
    }
}

/* A table full of lines long answered is emptied, not doubled for ever. */
TEST(test_memory)
{
    struct merge m;
    merge_init(&m, 100);
    for (uint64_t i = 0; i < 200000; i++)
        merge_take(&m, 0, i, i, 1);
    assert_int_equal(m.requests[MERGE_4], 200000);
    assert_true(m.bits <= 9);
    merge_fini(&m);
}

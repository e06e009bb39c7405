/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of copies against a plain array of who holds what. */
#include "check.h"

#include "core/memory.h"
#include "naive_sets.h"
#include "profile/caches/copies.h"

enum { KEYS = 64, GROUPS = 4, CACHES = 8 };

/* A group's caches have room for so many lines each; keys are numbered lines. */
struct fuzz {
    struct copies copies;
    bool held[GROUPS][CACHES][KEYS];
    uint32_t used[GROUPS][CACHES];
    uint64_t lines[KEYS];
    uint64_t groups;
    uint32_t caches, ways;
    uint64_t elsewhere, lines_sum;
    int round, step;
};

static uint32_t holders(const struct fuzz *f, uint64_t group, uint32_t key)
{
    uint32_t n = 0;
    for (uint32_t cache = 0; cache < f->caches; cache++)
        n += f->held[group][cache][key];
    return n;
}

static uint64_t distinct(const struct fuzz *f)
{
    uint64_t n = 0;
    for (uint64_t group = 0; group < f->groups; group++)
        for (uint32_t key = 0; key < KEYS; key++)
            n += holders(f, group, key) > 0;
    return n;
}

static void check_counts(struct fuzz *f)
{
    copies_settle(&f->copies);
    copies_settle(&f->copies); /* there is nothing left to do */
    check_step(f->round, f->step, f->copies.lines, distinct(f));
    check_step(f->round, f->step, f->copies.elsewhere, f->elsewhere);
    check_step(f->round, f->step, f->copies.lines_sum, f->lines_sum);
}

/* A key that the cache holds, from a random one on; KEYS: none. */
static uint32_t held_key(const bool held[KEYS], uint64_t *random)
{
    uint32_t first = (uint32_t)(check_random(random) % KEYS);
    for (uint32_t i = 0; i < KEYS; i++)
        if (held[(first + i) % KEYS])
            return (first + i) % KEYS;
    return KEYS;
}

static void step_miss(struct fuzz *f, uint64_t group, uint32_t cache, uint32_t key,
                      uint64_t *random)
{
    bool *held = f->held[group][cache];
    bool full = f->used[group][cache] == f->ways;
    uint32_t victim = full || check_random(random) % 8 == 0 ? held_key(held, random) : KEYS;
    f->lines_sum += distinct(f);
    f->elsewhere += holders(f, group, key) > 0;
    if (victim < KEYS)
        held[victim] = false;
    f->used[group][cache] += victim == KEYS;
    held[key] = true;
    copies_miss(&f->copies, group, f->lines[key], victim < KEYS ? f->lines[victim] + 1 : 0);
}

static void fuzz_step(struct fuzz *f, uint64_t *random)
{
    uint64_t group = check_random(random) % f->groups;
    uint32_t cache = (uint32_t)(check_random(random) % f->caches);
    uint32_t key = (uint32_t)(check_random(random) % KEYS);
    bool *held = f->held[group][cache];
    uint64_t choice = check_random(random) % 1000;
    if (choice == 0) {
        copies_clear(&f->copies);
        memset(f->held, 0, sizeof f->held);
        memset(f->used, 0, sizeof f->used);
    } else if (!held[key]) {
        step_miss(f, group, cache, key, random);
    } else if (choice < 500) {
        f->lines_sum += distinct(f);
        f->elsewhere += holders(f, group, key) > 1;
        copies_miss_sector(&f->copies, group, f->lines[key]);
    } else {
        held[key] = false;
        f->used[group][cache]--;
        copies_remove(&f->copies, group, f->lines[key]);
    }
    if (check_random(random) % 40 == 0)
        check_counts(f);
}

/* Lines that all want the same bucket: tags whose hash, times the odd constant of
 * Fibonacci hashing, is small. */
static uint64_t colliding_line(uint64_t i)
{
    uint64_t inverse = 1; /* Newton's iteration doubles the bits that are right */
    for (int n = 0; n < 6; n++)
        inverse *= 2 - 0x9e3779b97f4a7c15ULL * inverse;
    uint64_t tag = (i + 1) * inverse;
    return (tag ^ tag >> 32) - 1;
}

static void fuzz_lines(struct fuzz *f, uint64_t *random)
{
    uint64_t kind = check_random(random) % 3, base = check_random(random) >> 8;
    uint64_t stride = 1 + check_random(random) % 5000;
    for (uint32_t key = 0; key < KEYS; key++)
        f->lines[key] = kind == 0 ? key : kind == 1 ? base + key * stride : colliding_line(key);
}

TEST(test_against_array)
{
    int rounds = check_rounds(1000, 20000);
    struct fuzz *f = memory_alloc(sizeof *f);
    for (int round = 0; round < rounds; round++) {
        uint64_t random = (uint64_t)round + 1;
        *f = (struct fuzz){.round = round};
        f->groups = 1 + check_random(&random) % GROUPS;
        f->caches = 1 + (uint32_t)(check_random(&random) % CACHES);
        f->ways = 1 + (uint32_t)(check_random(&random) % (KEYS / CACHES));
        fuzz_lines(f, &random);
        copies_init(&f->copies, f->groups, f->caches * f->ways);
        for (f->step = 0; f->step < 400; f->step++)
            fuzz_step(f, &random);
        check_counts(f);
        copies_fini(&f->copies);
    }
    free(f);
}

/* A full group whose lines all want one bucket: found, counted, taken out in any order,
 * and the room that they leave is good for others. */
TEST(test_full_group)
{
    for (uint32_t n = 1; n <= 200; n++) {
        struct copies copies;
        copies_init(&copies, 3, n);
        for (uint64_t turn = 0; turn < 4; turn++) {
            copies.elsewhere = copies.lines_sum = 0;
            for (uint64_t i = 0; i < n; i++)
                copies_miss(&copies, 1, colliding_line(turn * n + i), 0);
            for (uint64_t i = 0; i < n; i++)
                copies_miss(&copies, 1, colliding_line(turn * n + i), 0);
            for (uint64_t i = 0; i < n; i++)
                copies_remove(&copies, 1, colliding_line(turn * n + (i + turn) % n));
            copies_settle(&copies);
            assert_int_equal(copies.lines, n);
            assert_int_equal(copies.elsewhere, n);
            assert_int_equal(copies.lines_sum, n * (n - 1) / 2 + n * n);
            for (uint64_t i = n; i-- > 0;)
                copies_remove(&copies, 1, colliding_line(turn * n + i));
            copies_settle(&copies);
            assert_int_equal(copies.lines, 0);
        }
        /* Nothing is left behind, in the neighbours neither. */
        const unsigned char *bytes = (const unsigned char *)copies.buckets;
        for (size_t i = 0; i < 3 * copies.per_group * (size_t)64; i++)
            if (i % 64 < 40 || i % 64 >= 60) /* tags; keys passed by */
                assert_int_equal(bytes[i], 0);
        copies_fini(&copies);
    }
}

/* A table on large pages; the same line in two groups is two lines. */
TEST(test_large_table)
{
    enum { N = 5000 };
    struct copies copies;
    copies_init(&copies, N, 20);
    for (uint64_t i = 0; i < N; i++) {
        copies_miss(&copies, i, 7, 0);
        copies_miss(&copies, i, 7, 0);
        copies_miss(&copies, i, 9, 8);
    }
    copies_settle(&copies);
    assert_int_equal(copies.lines, 2 * N); /* one of the two copies of 7 has left */
    assert_int_equal(copies.elsewhere, N);
    copies_clear(&copies);
    assert_int_equal(copies.lines, 0);
    copies_miss(&copies, 3, 7, 0);
    copies_settle(&copies);
    assert_int_equal(copies.elsewhere, N);
    copies_fini(&copies);
}

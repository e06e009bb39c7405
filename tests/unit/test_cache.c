/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The elementary moves of a row of caches against plain lists. */
#include "check.h"

#include "core/memory.h"
#include "naive_sets.h"
#include "profile/caches/cache.h"

struct fuzz {
    struct cache cache;
    struct naive_set *sets; /* of all caches */
    uint32_t n, sectors;
    bool write_back;
    int round, step;
};

static uint32_t random_mask(uint64_t *random, uint32_t sectors)
{
    uint32_t all = UINT32_MAX >> (32 - sectors);
    uint32_t mask = (uint32_t)check_random(random) & all;
    return mask ? mask : all;
}

static void check_lists(const struct fuzz *f, size_t index)
{
    const struct cache *cache = &f->cache;
    const struct naive_set *want = &f->sets[index];
    size_t set = cache_set(cache, (uint32_t)(index / cache->sets), index % cache->sets);
    for (uint32_t way = 0; way < cache->ways; way++) {
        const struct naive_way *item = &want->items[way];
        if (way >= want->count) {
            check_step(f->round, f->step, cache->tags[set + way], 0);
            check_step(f->round, f->step, cache->dirty ? cache->dirty[set + way] : 0, 0);
            continue;
        }
        check_step(f->round, f->step, cache->tags[set + way], item->line + 1);
        check_step(f->round, f->step, cache_valid(cache, set, way), item->valid);
        if (!cache->dirty)
            continue;
        check_step(f->round, f->step, cache->dirty[set + way], item->dirty);
        if (item->dirty)
            check_step(f->round, f->step, cache->notes[set + way], item->note);
    }
}

static void check_totals(const struct fuzz *f)
{
    uint64_t lines = 0, dirty = 0;
    for (size_t i = 0; i < f->cache.n_sets; i++) {
        lines += f->sets[i].count;
        for (uint32_t way = 0; way < f->sets[i].count; way++)
            dirty += f->sets[i].items[way].dirty != 0;
    }
    check_step(f->round, f->step, f->cache.lines, lines);
    check_step(f->round, f->step, f->cache.dirty_lines, dirty);
}

/* Looks a line up and makes it the most recent; one that is not there comes in. */
static void step_use(struct fuzz *f, struct naive_set *want, size_t set, uint64_t line,
                     uint64_t *random)
{
    struct cache *cache = &f->cache;
    uint32_t at = naive_set_find(want, line), sectors = random_mask(random, f->sectors);
    bool there = at < want->count;
    struct naive_way item = {.line = line, .valid = sectors};
    uint64_t victim = 0, want_victim = 0;
    if (there)
        item = naive_set_take(want, at);
    else if (want->count == cache->ways)
        want_victim = naive_set_take(want, want->count - 1).line + 1;
    naive_set_put(want, item);
    if (!cache->valid && !cache->dirty && check_random(random) % 2) {
        check_step(f->round, f->step, cache_take(cache, set, line, &victim), there);
    } else {
        uint32_t way = cache_find(cache, set, line);
        check_step(f->round, f->step, way, there ? at : cache->ways);
        if (there)
            cache_promote(cache, set, way);
        else
            victim = cache_fill(cache, set, line, sectors);
    }
    check_step(f->round, f->step, victim, want_victim);
}

/* Does something else to a line that is there. */
static void step_change(struct fuzz *f, struct naive_set *want, size_t set, uint32_t at,
                        uint64_t *random)
{
    uint64_t choice = check_random(random) % 3;
    if (choice == 0 || !f->write_back) {
        naive_set_take(want, at);
        cache_remove(&f->cache, set, at);
    } else if (choice == 1) {
        uint32_t sectors = want->items[at].valid;
        uint16_t note = (uint16_t)check_random(random);
        want->items[at].dirty |= sectors;
        want->items[at].note = note;
        cache_soil(&f->cache, set, at, sectors, note);
    } else {
        want->items[at].dirty = 0;
        cache_clean(&f->cache, set, at);
    }
}

static void fuzz_step(struct fuzz *f, uint64_t lines, uint64_t *random)
{
    size_t index = check_random(random) % f->cache.n_sets;
    size_t set = cache_set(&f->cache, (uint32_t)(index / f->cache.sets), index % f->cache.sets);
    struct naive_set *want = &f->sets[index];
    uint64_t line = check_random(random) % lines;
    uint32_t at = naive_set_find(want, line);
    if (at < want->count && check_random(random) % 4 == 0)
        step_change(f, want, set, at, random);
    else
        step_use(f, want, set, line, random);
    check_lists(f, index);
}

static void fuzz_round(int round)
{
    uint64_t random = (uint64_t)round + 1;
    struct fuzz f = {.round = round,
                     .n = 1 + (uint32_t)(check_random(&random) % 4),
                     .sectors = 1U << check_random(&random) % 6,
                     .write_back = check_random(&random) % 2};
    uint64_t sets = 1 + check_random(&random) % 20;
    uint32_t ways = 1 + (uint32_t)(check_random(&random) % NAIVE_WAYS);
    uint64_t lines = 1 + check_random(&random) % (2 * ways);
    cache_init(&f.cache, f.n, sets, ways, f.sectors, f.write_back);
    f.sets = memory_zero(f.cache.n_sets, sizeof *f.sets);
    assert_int_equal(f.cache.n_sets, f.n * sets);
    for (int launch = 0; launch < 6; launch++) {
        /* Now and then few sets are used, so that they are emptied one by one. */
        int length = (int)(check_random(&random) % (launch % 2 ? 150 : 6));
        for (f.step = 0; f.step < length; f.step++)
            fuzz_step(&f, lines, &random);
        check_totals(&f);
        cache_clear(&f.cache);
        memset(f.sets, 0, f.cache.n_sets * sizeof *f.sets);
        for (size_t i = 0; i < f.cache.n_sets; i++)
            check_lists(&f, i);
        check_totals(&f);
        assert_true(cache_touched_few(&f.cache));
    }
    cache_fini(&f.cache);
    free(f.sets);
}

TEST(test_against_lists)
{
    int rounds = check_rounds(5000, 100000);
    for (int round = 0; round < rounds; round++)
        fuzz_round(round);
}

/* The list of touched sets names all that hold something, as long as it is complete. */
TEST(test_touched)
{
    struct cache cache;
    uint64_t victim;
    cache_init(&cache, 2, 40, 2, 1, false);
    for (uint64_t i = 0; i < 10; i++) { /* one in eight sets */
        assert_false(cache_take(&cache, cache_set(&cache, i % 2, 4 * i), i, &victim));
        assert_int_equal(cache.touched[cache.n_touched - 1], cache_set(&cache, i % 2, 4 * i));
        assert_false(cache_take(&cache, cache_set(&cache, i % 2, 4 * i), i + 1, &victim));
        assert_int_equal(cache.n_touched, i + 1);
    }
    assert_true(cache_touched_few(&cache));
    for (uint64_t i = 0; i < 5; i++)
        assert_false(cache_take(&cache, cache_set(&cache, 0, 2 * i + 1), 0, &victim));
    assert_false(cache_touched_few(&cache));
    cache_clear(&cache);
    for (size_t i = 0; i < cache.n_sets * cache.ways; i++)
        assert_true(cache.tags[i] == 0);
    assert_true(cache_touched_few(&cache));
    cache_fini(&cache);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack distances against a naive LRU list, closed forms, and renumbering. */
#include "check.h"

#include "core/memory.h"
#include "profile/curves/line_table.h"
#include "profile/curves/stack_distance.h"

/* The referee: lines in LRU order, most recent first. */
struct naive {
    uint32_t *lines;
    uint32_t count;
};

static uint64_t naive_access(struct naive *naive, uint32_t line)
{
    uint32_t at = 0;
    while (at < naive->count && naive->lines[at] != line)
        at++;
    uint64_t distance = at < naive->count ? at : DISTANCE_COLD;
    if (at == naive->count)
        naive->count++;
    memmove(naive->lines + 1, naive->lines, at * sizeof *naive->lines);
    naive->lines[0] = line;
    return distance;
}

static void renumber_all(struct stack_distance *engine, uint32_t *slots, uint32_t n, uint32_t room)
{
    struct stack_renumbering r;
    stack_distance_renumber_begin(&r, engine, room);
    for (uint32_t i = 0; i < n; i++)
        slots[i] = stack_distance_renumber(&r, slots[i]);
    stack_distance_renumber_end(&r);
}

TEST(test_against_naive)
{
    int rounds = check_rounds(200, 4000);
    for (int round = 0; round < rounds; round++) {
        uint64_t random = (uint64_t)round + 1;
        uint32_t n = 1 + (uint32_t)(check_random(&random) % 600);
        int length = 1 + (int)(check_random(&random) % 2000);
        uint32_t *slots = memory_zero(n, sizeof *slots);
        struct naive naive = {memory_zero(n + 1, sizeof(uint32_t)), 0};
        struct stack_distance engine;
        stack_distance_init(&engine);
        for (int i = 0; i < length; i++) {
            uint64_t choice = check_random(&random) % 1000;
            if (choice < 2) {
                stack_distance_flush(&engine);
                naive.count = 0;
            } else if (choice < 6) {
                uint32_t room = (uint32_t)(check_random(&random) % 3000000);
                renumber_all(&engine, slots, n, room);
                assert_true(engine.capacity - engine.now >= room);
                assert_true(engine.now == naive.count + 1);
            }
            /* Squared: low lines are hot. */
            double u = check_uniform(&random);
            uint32_t line = (uint32_t)((double)n * u * u);
            uint64_t want = naive_access(&naive, line);
            assert_true(stack_distance_access(&engine, &slots[line]) == want);
            assert_int_equal(engine.live, naive.count);
        }
        stack_distance_fini(&engine);
        free(naive.lines);
        free(slots);
    }
}

/* Slots run out by themselves, several times, with lines that come and go. */
TEST(test_runs_out)
{
    enum { N = 40 };
    uint32_t slots[N] = {0}, lines[N + 1];
    struct naive naive = {lines, 0};
    struct stack_distance engine;
    uint64_t random = 7;
    int renumbered = 0;
    stack_distance_init(&engine);
    for (int i = 0; i < 1200000; i++) {
        if (stack_distance_full(&engine)) {
            renumber_all(&engine, slots, N, N);
            renumbered++;
        }
        uint32_t line = (uint32_t)(check_random(&random) % N);
        assert_true(stack_distance_access(&engine, &slots[line]) == naive_access(&naive, line));
    }
    assert_int_equal(renumbered, 2);
    stack_distance_fini(&engine);
}

/* Of two engines one gets more slots where it may, the other one always new numbers: lines that
 * come, come again and are taken out have the same distances in both. */
TEST(test_grows)
{
    enum { N = 700000, FEW = 1000 };
    uint32_t *slots[2];
    struct stack_distance engines[2];
    uint64_t random = 23;
    int grown = 0, refused = 0;
    for (int e = 0; e < 2; e++) {
        slots[e] = memory_zero(N, sizeof *slots[e]);
        stack_distance_init(&engines[e]);
    }
    for (uint32_t i = 0; i < 4 * N; i++) {
        uint32_t line = i < N ? i : (uint32_t)(check_random(&random) % (i < 2 * N ? N : FEW));
        for (int e = 0; e < 2; e++)
            if (stack_distance_full(&engines[e])) {
                bool grows = e == 0 && stack_distance_grow(&engines[0]);
                grown += grows;
                refused += e == 0 && !grows;
                if (!grows)
                    renumber_all(&engines[e], slots[e], N, FEW);
            }
        uint32_t other = (uint32_t)(check_random(&random) % N);
        for (int e = 0; e < 2 && i % 2; e++)
            stack_distance_remove(&engines[e], &slots[e][other]);
        assert_true(stack_distance_access(&engines[0], &slots[0][line]) ==
                    stack_distance_access(&engines[1], &slots[1][line]));
        assert_int_equal(engines[0].live, engines[1].live);
    }
    assert_true(grown > 0 && refused > 0);
    for (int e = 0; e < 2; e++) {
        stack_distance_fini(&engines[e]);
        free(slots[e]);
    }
}

/* Every instruction set's counting, over more large counters than are added at once. Slots are
 * passed over, as if lines had been there and come again. */
TEST(test_instruction_sets)
{
    enum { LINES = 400, CAPACITY = 20000000 };
    static const char *const sets[] = {"base", "v3", "v4+popcnt"};
    uint32_t slots[LINES] = {0};
    struct stack_distance engine;
    uint64_t random = 11;
    stack_distance_init(&engine);
    assert_null(stack_distance_counter("v5"));
    assert_non_null(stack_distance_counter("base"));
    renumber_all(&engine, slots, LINES, CAPACITY);
    while (engine.now < CAPACITY) {
        stack_distance_access(&engine, &slots[check_random(&random) % LINES]);
        engine.now += (uint32_t)(check_random(&random) % (engine.now % 3 ? 70 : 60000));
    }
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t above = 0;
        for (uint32_t j = 0; j < LINES; j++)
            above += slots[j] > slots[i];
        for (int set = 0; set < 3; set++) {
            stack_distance_count_fn *count = stack_distance_counter(sets[set]);
            assert_true(!count || count(&engine, slots[i]) == above);
        }
    }
    stack_distance_fini(&engine);
}

/* n lines up, down, up: on the way down, line k has the n-1-k above it between;
 * on the way up again, the k below it. */
TEST(test_sawtooth)
{
    uint32_t n = 700000; /* more than one large counter */
    uint32_t *slots = memory_zero(n, sizeof *slots);
    struct stack_distance engine;
    stack_distance_init(&engine);
    for (int sweep = 0; sweep < 3; sweep++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t line = sweep == 1 ? n - 1 - i : i;
            if (stack_distance_full(&engine))
                renumber_all(&engine, slots, n, n);
            uint64_t want = sweep == 0 ? DISTANCE_COLD : sweep == 1 ? n - 1 - line : line;
            assert_true(stack_distance_access(&engine, &slots[line]) == want);
        }
    stack_distance_fini(&engine);
    free(slots);
}

TEST(test_flush_makes_cold)
{
    uint32_t a = 0, b = 0;
    struct stack_distance engine;
    stack_distance_init(&engine);
    assert_true(stack_distance_access(&engine, &a) == DISTANCE_COLD);
    assert_true(stack_distance_access(&engine, &a) == 0);
    assert_true(stack_distance_access(&engine, &b) == DISTANCE_COLD);
    assert_true(stack_distance_access(&engine, &a) == 1);
    stack_distance_flush(&engine);
    assert_int_equal(engine.live, 0);
    assert_true(stack_distance_access(&engine, &a) == DISTANCE_COLD);
    assert_true(stack_distance_access(&engine, &a) == 0);
    /* b's bit from before the flush does not count. */
    assert_true(stack_distance_access(&engine, &b) == DISTANCE_COLD);
    assert_true(stack_distance_access(&engine, &a) == 1);
    stack_distance_fini(&engine);
}

static uint32_t table_get(struct line_table *table, uint64_t number)
{
    uint64_t hash = line_table_hash(number);
    bool fresh;
    size_t end;
    uint32_t shift = table->index_shift, count = table->count, id;
    uint32_t guess = line_table_guess(table, hash, &end);
    fresh = guess == LINE_NONE && line_table_lacks(table, shift, end) && number % 2;
    id = fresh ? line_table_add(table, number, hash, end)
               : line_table_put(table, number, hash, &fresh);
    assert_true(fresh || guess != LINE_NONE);
    assert_int_equal(table->count, count + fresh);
    return id;
}

TEST(test_line_table)
{
    struct line_table table;
    line_table_init(&table);
    uint32_t n = 100000;
    for (int sweep = 0; sweep < 2; sweep++)
        for (uint32_t i = 0; i < n; i++) {
            uint64_t number = (uint64_t)i * 0x100000001ULL + 5; /* also above 32 bits */
            uint32_t id = table_get(&table, number);
            assert_int_equal(id, i); /* in the order of first touch */
            struct line *line = line_table_at(&table, id);
            assert_true(line->number == number);
            assert_int_equal(line->launch, sweep ? i : 0);
            line->launch = i;
        }
    assert_int_equal(table.count, n);
    assert_true(line_table_bytes(&table) <= n * (size_t)(32 + 24));
    assert_int_equal(table_get(&table, 6), n);
    line_table_fini(&table);
}

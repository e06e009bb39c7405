/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 caches and the nodes of a decoupled L1: a naive referee, cases by hand, and
 * designs that have to agree with each other. */
#include "check.h"

#include "core/hash.h"
#include "core/memory.h"
#include "naive_sets.h"
#include "profile/caches/l1.h"

static struct system make_system(uint32_t sms, uint32_t nodes, uint32_t clusters, uint64_t sets,
                                 uint32_t ways)
{
    return (struct system){.sms = sms,
                           .l1_nodes = nodes,
                           .l1_clusters = clusters,
                           .levels = {{.sets = sets, .ways = ways}, {.slices = 1}},
                           .n_levels = 2,
                           .sectors = 1};
}

/* --- the referee ------------------------------------------------------------------- */

enum { LINES = 300, NODES_MAX = 64 };

struct naive {
    const struct system *system;
    struct naive_set *sets; /* node by node */
    uint64_t base, stride;  /* line i is base + i * stride */
    uint64_t reads, misses, elsewhere, copies, cached, passed[NODES_MAX];
};

/* Slice by slice and node by node: of the system's, whose number M nodes of a cluster divide. */
static uint64_t naive_slice(const struct naive *n, uint64_t line)
{
    const struct system_level *llc = system_llc(n->system);
    return llc->slices_fixed ? line / llc->slice_lines % llc->slices
                             : (hash_fmix64(line) >> 32) * llc->slices >> 32;
}

static uint32_t naive_node(const struct naive *n, uint32_t sm, uint64_t line)
{
    uint32_t sms = n->system->sms / n->system->l1_clusters;
    uint32_t nodes = n->system->l1_nodes / n->system->l1_clusters;
    uint64_t home = n->system->l1_by_slice ? naive_slice(n, line) : line;
    return sm / sms * nodes + (uint32_t)(home % nodes);
}

/* Which of the lines that its node may have a line is, counted in their order; of those that a hash
 * scatters, in that of all. */
static uint64_t naive_number(const struct naive *n, uint64_t line)
{
    uint32_t nodes = n->system->l1_nodes / n->system->l1_clusters;
    const struct system_level *llc = system_llc(n->system);
    if (!n->system->l1_by_slice)
        return line / nodes;
    if (!llc->slices_fixed)
        return line;
    uint64_t turn = (uint64_t)nodes * llc->slice_lines;
    return line / turn * llc->slice_lines + line % turn % llc->slice_lines;
}

static struct naive_set *naive_set_of(struct naive *n, uint32_t node, uint64_t line)
{
    const struct system_level *l1 = system_l1(n->system);
    uint64_t number = naive_number(n, line);
    return &n->sets[node * l1->sets + (l1->index_hashed
                                           ? naive_hashed_set(number, (uint32_t)l1->sets)
                                           : number % l1->sets)];
}

/* Looks at all that is cached. */
static void naive_miss(struct naive *n, uint32_t node, uint64_t line)
{
    bool cached[LINES] = {false}, elsewhere = false;
    n->misses++;
    for (uint32_t k = 0; k < n->system->l1_nodes; k++)
        for (uint64_t s = 0; s < system_l1(n->system)->sets; s++) {
            const struct naive_set *set = &n->sets[k * system_l1(n->system)->sets + s];
            for (uint32_t i = 0; i < set->count; i++) {
                size_t index = (set->items[i].line - n->base) / n->stride;
                n->copies++;
                n->cached += !cached[index];
                cached[index] = true;
                elsewhere |= k != node && set->items[i].line == line;
            }
        }
    n->elsewhere += elsewhere;
}

static uint32_t naive_read(struct naive *n, uint32_t sm, uint64_t line, uint32_t wanted)
{
    uint32_t node = naive_node(n, sm, line);
    if (system_l1(n->system)->perfect || system_l1(n->system)->sets) {
        n->passed[node]++;
        n->reads++;
    }
    if (system_l1(n->system)->perfect)
        return 0;
    if (system_l1(n->system)->sets == 0)
        return wanted;
    struct naive_set *set = naive_set_of(n, node, line);
    uint32_t at = naive_set_find(set, line);
    uint32_t missing = wanted & ~(at < set->count ? set->items[at].valid : 0);
    if (missing)
        naive_miss(n, node, line);
    struct naive_way way = {.line = line};
    if (at < set->count)
        way = naive_set_take(set, at);
    else if (set->count == system_l1(n->system)->ways)
        naive_set_take(set, set->count - 1);
    way.valid |= wanted;
    naive_set_put(set, way);
    return missing;
}

/* A write, or an atomic. */
static void naive_write(struct naive *n, uint32_t sm, uint64_t line, bool evict)
{
    uint32_t node = naive_node(n, sm, line);
    n->passed[node] += system_l1(n->system)->perfect || system_l1(n->system)->sets;
    if (system_l1(n->system)->perfect || system_l1(n->system)->sets == 0)
        return;
    struct naive_set *set = naive_set_of(n, node, line);
    uint32_t at = naive_set_find(set, line);
    if (at == set->count)
        return;
    struct naive_way way = naive_set_take(set, at);
    if (!evict)
        naive_set_put(set, way);
}

static void naive_flush(struct naive *n)
{
    memset(n->sets, 0, n->system->l1_nodes * system_l1(n->system)->sets * sizeof *n->sets);
}

/* --- random designs and streams -------------------------------------------------------- */

static uint32_t random_divisor(uint64_t *random, uint32_t of)
{
    uint32_t divisor;
    do
        divisor = 1 + (uint32_t)(check_random(random) % of);
    while (of % divisor);
    return divisor;
}

static struct system random_system(uint64_t *random)
{
    static const uint32_t sectors[] = {1, 1, 2, 4, 32}, sms[] = {1, 2, 3, 4, 6, 8, 12, 16, 60};
    uint32_t n = sms[check_random(random) % 9];
    uint32_t nodes = random_divisor(random, n);
    uint32_t contents = (uint32_t)(check_random(random) % 20);
    struct system system = make_system(n, nodes, random_divisor(random, nodes),
                                       1 + check_random(random) % (contents < 10 ? 3 : 20),
                                       1 + (uint32_t)(check_random(random) % NAIVE_WAYS));
    system.sectors = sectors[check_random(random) % 5];
    system.levels[0].write = check_random(random) % 2 ? WRITE_EVICT : WRITE_THROUGH;
    system.levels[0].index_hashed = check_random(random) % 2;
    system.levels[0].perfect = contents == 0;
    system.l1_by_slice = check_random(random) % 2;
    system.levels[1].slices =
        system.l1_nodes / system.l1_clusters * (1 + (uint32_t)(check_random(random) % 5));
    system.levels[1].slices_fixed = check_random(random) % 2;
    system.levels[1].slice_lines = 1 + (uint32_t)(check_random(random) % 3);
    if (contents <= 1 && check_random(random) % 2)
        system.levels[0].sets = 0;
    return system;
}

static void check_counts(int round, int step, struct l1 *l1, const struct naive *n)
{
    l1_settle(l1);
    check_step(round, step, l1->reads, n->reads);
    check_step(round, step, l1->misses, n->misses);
    check_step(round, step, l1->misses_elsewhere, n->elsewhere);
    check_step(round, step, l1->copies_sum, n->copies);
    check_step(round, step, l1->cached_sum, n->cached);
    for (uint32_t node = 0; node < n->system->l1_nodes; node++)
        check_step(round, step, l1->passed[node], n->passed[node]);
}

static void clear_counts(struct l1 *l1, struct naive *n)
{
    l1_clear_counts(l1);
    n->reads = n->misses = n->elsewhere = n->copies = n->cached = 0;
    memset(n->passed, 0, sizeof n->passed);
}

/* One access; its line is hot when its number is low. */
static void random_access(int round, int step, struct l1 *l1, struct naive *n, uint64_t *random)
{
    uint32_t sm = (uint32_t)(check_random(random) % n->system->sms);
    double u = check_uniform(random);
    uint64_t line = n->base + (uint64_t)(LINES * u * u * u) * n->stride;
    uint32_t wanted = (uint32_t)check_random(random) & UINT32_MAX >> (32 - n->system->sectors);
    uint64_t kind = check_random(random) % 100;
    wanted = wanted ? wanted : 1;
    check_step(round, step, l1_node(l1, sm, line), naive_node(n, sm, line));
    if (kind % 2)
        l1_prefetch(l1, sm, line);
    if (kind < 75) {
        uint32_t want = naive_read(n, sm, line, wanted);
        check_step(round, step, l1_read(l1, sm, line, wanted), want);
    } else if (kind < 87) {
        naive_write(n, sm, line, system_l1(n->system)->write == WRITE_EVICT);
        l1_write(l1, sm, line);
    } else if (kind < 93) {
        naive_write(n, sm, line, true);
        l1_evict(l1, sm, line);
    } else {
        n->passed[naive_node(n, sm, line)] +=
            system_l1(n->system)->perfect || system_l1(n->system)->sets;
        l1_pass(l1, sm, line);
    }
}

static void random_round(int round)
{
    uint64_t random = (uint64_t)round + 1;
    struct system system = random_system(&random);
    struct naive n = {.system = &system,
                      .base = check_random(&random) >> check_random(&random) % 60 >> 6,
                      .stride = 1 + check_random(&random) % 40};
    struct l1 l1;
    l1_init(&l1, &system);
    n.sets = memory_zero(system.l1_nodes * system.levels[0].sets, sizeof *n.sets);
    uint64_t flush = 2 + check_random(&random) % 300;
    for (int step = 0; step < 300; step++) {
        random_access(round, step, &l1, &n, &random);
        if (check_random(&random) % flush == 0) {
            l1_flush(&l1);
            naive_flush(&n);
        }
        if (check_random(&random) % 50 == 0)
            check_counts(round, step, &l1, &n);
        if (check_random(&random) % 100 == 0)
            clear_counts(&l1, &n);
    }
    check_counts(round, 300, &l1, &n);
    l1_fini(&l1);
    free(n.sets);
}

TEST(test_against_lists)
{
    int rounds = check_rounds(2000, 40000);
    for (int round = 0; round < rounds; round++)
        random_round(round);
}

/* --- by hand -------------------------------------------------------------------------- */

/* DC-L1 (HPCA 2021), section 3: 80 cores, 40 nodes. */
TEST(test_nodes)
{
    static const struct {
        uint32_t nodes, clusters, sm, line, node;
    } cases[] = {
        {80, 80, 0, 1234, 0}, {80, 80, 79, 1234, 79}, /* private L1s */
        {40, 40, 1, 7, 0},    {40, 40, 2, 7, 1},      /* Pr40 */
        {40, 40, 79, 8, 39},  {40, 1, 0, 7, 7},       /* Sh40 */
        {40, 1, 79, 47, 7},   {40, 10, 0, 7, 3},      /* Sh40+C10: 8 cores and 4 nodes */
        {40, 10, 7, 8, 0},    {40, 10, 8, 8, 4},
        {40, 10, 79, 6, 38},  {60, 20, 4, 8, 5}, /* three nodes a cluster of four cores */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct system system = make_system(80, cases[i].nodes, cases[i].clusters, 64, 4);
        struct l1 l1;
        l1_init(&l1, &system);
        assert_int_equal(l1_node(&l1, cases[i].sm, cases[i].line), cases[i].node);
        l1_pass(&l1, cases[i].sm, cases[i].line);
        assert_int_equal(l1.passed[cases[i].node], 1);
        l1_fini(&l1);
    }
}

/* Sh40+C10 before 32 slices that have two lines each in turn: lines 0 to 7 are those of slices 0,
 * 0, 1, 1, 2, 2, 3, 3, and of nodes alike; slice 4 is node 0's again. With 64 lines all slices have
 * had their two. What remains of a number: lines 0, 1, 8, 9, 16 are node 0's first five. */
TEST(test_nodes_of_slices)
{
    static const struct {
        uint32_t line, node;
        uint64_t number;
    } cases[] = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0},  {5, 2, 1},   {7, 3, 1},
                 {8, 0, 2}, {9, 0, 3}, {16, 0, 4}, {63, 3, 15}, {64, 0, 16}};
    struct system system = make_system(80, 40, 10, 4, 1);
    system.l1_by_slice = true;
    system.levels[1] = (struct system_level){.slices = 32, .slices_fixed = true, .slice_lines = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct l1 l1;
        l1_init(&l1, &system);
        assert_int_equal(l1_node(&l1, 0, cases[i].line), cases[i].node);
        assert_int_equal(l1_node(&l1, 79, cases[i].line), 36 + cases[i].node);
        /* A set has one line: who shares it drives the other out, neighbours in number do not. */
        uint64_t turn = cases[i].number / 2 * 8 + cases[i].node * 2 + cases[i].number % 2;
        assert_int_equal(turn, cases[i].line);
        assert_int_equal(l1_read(&l1, 0, cases[i].line, 1), 1);
        for (uint64_t k = 1; k < 4; k++) {
            uint64_t n = cases[i].number + k;
            l1_read(&l1, 0, n / 2 * 8 + cases[i].node * 2 + n % 2, 1);
        }
        assert_int_equal(l1_read(&l1, 0, cases[i].line, 1), 0);
        l1_read(&l1, 0, (cases[i].number + 4) / 2 * 8 + cases[i].node * 2 + cases[i].number % 2, 1);
        assert_int_equal(l1_read(&l1, 0, cases[i].line, 1), 1);
        l1_fini(&l1);
    }
}

/* A node asks its own L/M slices and no others, whichever way they are chosen, and each of them. */
TEST(test_nodes_ask_their_slices)
{
    enum { NODES = 4, SLICES = 32, LINES_TRIED = 4096 };
    for (uint32_t k = 0; k < 6; k++) {
        struct system system = make_system(80, 40, 10, 64, 4);
        system.l1_by_slice = true;
        system.levels[1] = (struct system_level){
            .slices = SLICES, .slices_fixed = k > 0, .slice_lines = k > 0 ? k : 1};
        struct naive n = {.system = &system};
        uint32_t asked[NODES] = {0};
        struct l1 l1;
        l1_init(&l1, &system);
        for (uint64_t line = 0; line < LINES_TRIED; line++)
            asked[l1_node(&l1, 0, line)] |= 1U << naive_slice(&n, line);
        for (uint32_t node = 0; node < NODES; node++)
            assert_int_equal(asked[node], 0x11111111U << node);
        l1_fini(&l1);
    }
}

/* Two SMs with an L1 of one set of two lines each. */
TEST(test_by_hand)
{
    enum { READ, WRITE, ATOMIC };
    static const struct {
        int kind;
        uint32_t sm;
        uint64_t line;
        bool miss, elsewhere;
        int copies, cached; /* just before */
    } steps[] = {
        {READ, 0, 1, true, false, 0, 0},    {READ, 0, 1, false, false, 0, 0},
        {READ, 1, 1, true, true, 1, 1},     {READ, 0, 2, true, false, 2, 1},
        {WRITE, 0, 1, false, false, 0, 0}, /* goes through; 1 is the most recent */
        {READ, 0, 3, true, false, 3, 2},   /* drives out 2 */
        {READ, 0, 1, false, false, 0, 0},   {READ, 1, 2, true, false, 3, 2},
        {ATOMIC, 1, 1, false, false, 0, 0}, /* SM 1 keeps 2, SM 0 keeps 1 and 3 */
        {READ, 1, 1, true, true, 3, 3},     {WRITE, 1, 9, false, false, 0, 0},
        {READ, 1, 9, true, false, 4, 3}, /* was not allocated; 2 leaves */
        {READ, 0, 2, true, false, 4, 3},
    };
    struct system system = make_system(2, 2, 2, 1, 2);
    uint64_t reads = 0, misses = 0, elsewhere = 0, copies = 0, cached = 0;
    struct l1 l1;
    l1_init(&l1, &system);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].kind == READ)
            assert_int_equal(l1_read(&l1, steps[i].sm, steps[i].line, 1), steps[i].miss);
        else if (steps[i].kind == WRITE)
            l1_write(&l1, steps[i].sm, steps[i].line);
        else
            l1_evict(&l1, steps[i].sm, steps[i].line);
        reads += steps[i].kind == READ;
        misses += steps[i].miss;
        elsewhere += steps[i].elsewhere;
        copies += (uint64_t)steps[i].copies;
        cached += (uint64_t)steps[i].cached;
        l1_settle(&l1);
        assert_int_equal(l1.misses_elsewhere, elsewhere);
        assert_int_equal(l1.copies_sum, copies);
        assert_int_equal(l1.cached_sum, cached);
    }
    assert_int_equal(l1.reads, reads);
    assert_int_equal(l1.misses, misses);
    assert_int_equal(l1.passed[0] + l1.passed[1], sizeof steps / sizeof *steps);
    l1_fini(&l1);
}

/* Whether a sweep over so many lines, so far apart, finds all of them the second time. */
static bool sweep_fits(const struct system *system, uint64_t first, uint64_t lines, uint64_t apart)
{
    struct l1 l1;
    bool fits = true;
    l1_init(&l1, system);
    for (uint64_t i = 0; i < 2 * lines; i++)
        fits = (l1_read(&l1, 0, first + i % lines * apart, 1) == 0 || i < lines) && fits;
    l1_fini(&l1);
    return fits;
}

/* As many lines as there are sets of one way: what follows each other has a set of its own under
 * either index, what is a power of two apart when it is hashed. */
TEST(test_hashed_index)
{
    static const uint64_t sets[] = {1, 4, 32, 64, 256, 384};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct system system = make_system(1, 1, 1, sets[i], 1);
        uint64_t two = sets[i] & -sets[i];
        assert_true(sweep_fits(&system, 77 * sets[i], sets[i], 1));
        assert_int_equal(sweep_fits(&system, 0, two, two), two == 1);
        system.levels[0].index_hashed = true;
        for (uint64_t k = 0; k < 20; k++) {
            assert_true(sweep_fits(&system, k * k * k * two, sets[i], 1));
            assert_true(sweep_fits(&system, 0, two, 1ULL << k));
        }
        assert_false(sweep_fits(&system, 0, sets[i] + 1, 1));
    }
}

/* A line whose sector is missing is there: a miss of its own copy is not "elsewhere". */
TEST(test_sectors)
{
    struct system system = make_system(2, 2, 2, 4, 2);
    struct l1 l1;
    system.sectors = 32;
    l1_init(&l1, &system);
    assert_int_equal(l1_read(&l1, 0, 5, 0x80000001u), 0x80000001u);
    assert_int_equal(l1_read(&l1, 0, 5, 0x80000000u), 0);
    assert_int_equal(l1_read(&l1, 0, 5, 0x80000006u), 6);
    l1_settle(&l1);
    assert_int_equal(l1.misses, 2);
    assert_int_equal(l1.misses_elsewhere, 0);
    assert_int_equal(l1_read(&l1, 1, 5, 1), 1);
    assert_int_equal(l1_read(&l1, 0, 5, UINT32_MAX), 0x7ffffff8u);
    l1_settle(&l1);
    assert_int_equal(l1.misses, 4);
    assert_int_equal(l1.misses_elsewhere, 2);
    assert_int_equal(l1.copies_sum, 0 + 1 + 1 + 2);
    assert_int_equal(l1.cached_sum, 0 + 1 + 1 + 1);
    l1_write(&l1, 1, 5); /* fetches nothing */
    assert_int_equal(l1_read(&l1, 1, 5, 3), 2);
    l1_fini(&l1);
}

TEST(test_none_and_perfect)
{
    for (int perfect = 0; perfect < 2; perfect++) {
        struct system system = make_system(4, 2, 2, 0, 0);
        struct l1 l1;
        system.levels[0].perfect = perfect;
        l1_init(&l1, &system);
        for (uint64_t line = 0; line < 100; line++) {
            l1_prefetch(&l1, 3, line);
            assert_int_equal(l1_read(&l1, 3, line, 0x5), perfect ? 0 : 0x5);
            l1_write(&l1, 3, line);
            l1_evict(&l1, 3, line);
            l1_pass(&l1, 3, line);
        }
        l1_flush(&l1);
        l1_settle(&l1);
        assert_int_equal(l1.reads, perfect ? 100 : 0);
        assert_int_equal(l1.misses, 0);
        assert_int_equal(l1.copies_sum + l1.cached_sum + l1.misses_elsewhere, 0);
        assert_int_equal(l1.passed[0], 0);
        assert_int_equal(l1.passed[1], perfect ? 400 : 0);
        l1_clear_counts(&l1);
        assert_int_equal(l1.passed[1], 0);
        l1_fini(&l1);
    }
}

/* --- designs that agree --------------------------------------------------------------- */

struct totals {
    uint64_t reads, misses, elsewhere, copies, cached;
};

/* The same random stream of X SMs, numbered as if there were X / share of them. */
static struct totals run_stream(const struct system *system, uint64_t seed, uint32_t sms,
                                uint32_t share, uint64_t lines)
{
    struct l1 l1;
    l1_init(&l1, system);
    for (int i = 0; i < 3000; i++) {
        uint32_t sm = (uint32_t)(check_random(&seed) % sms) / share;
        uint64_t line = check_random(&seed) % lines;
        uint64_t kind = check_random(&seed) % 10;
        if (kind == 0)
            l1_write(&l1, sm, line);
        else if (kind == 1 && i % 7 == 0)
            l1_evict(&l1, sm, line);
        else
            l1_read(&l1, sm, line, 1);
        if (i == 2000)
            l1_flush(&l1);
    }
    l1_settle(&l1);
    struct totals t = {l1.reads, l1.misses, l1.misses_elsewhere, l1.copies_sum, l1.cached_sum};
    l1_fini(&l1);
    return t;
}

/* ShY with Y clusters is PrY: the private L1s of Y SMs. */
TEST(test_private)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (uint32_t share = 1; share <= 8; share *= 2) {
            uint32_t nodes = 16 / share;
            struct system clustered = make_system(16, nodes, nodes, 3 * share, 4);
            struct system private = make_system(nodes, nodes, nodes, 3 * share, 4);
            clustered.levels[0].write = private.levels[0].write =
                seed % 2 ? WRITE_EVICT : WRITE_THROUGH;
            struct totals a = run_stream(&clustered, seed, 16, 1, 100);
            struct totals b = run_stream(&private, seed, 16, share, 100);
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(a.elsewhere > 0 && a.copies > a.cached);
        }
}

/* One cluster never holds a line twice; Z clusters hold it at most Z times. */
TEST(test_copies_at_most)
{
    for (uint32_t clusters = 1; clusters <= 8; clusters *= 2) {
        struct system system = make_system(16, 8, clusters, 4, 4);
        struct totals t = run_stream(&system, clusters, 16, 1, 200);
        if (clusters == 1)
            assert_int_equal(t.elsewhere, 0);
        else
            assert_true(t.elsewhere > 0);
        assert_true(t.copies >= t.cached && t.copies <= clusters * t.cached);
        assert_true(clusters > 1 ? t.copies > t.cached : t.copies == t.cached);
    }
}

/* Without evictions a miss is the first one of all, or another cluster has the line. */
TEST(test_unlimited)
{
    for (uint32_t clusters = 1; clusters <= 12; clusters++) {
        if (12 % clusters)
            continue;
        uint64_t random = clusters, first = 0;
        bool seen[1000] = {false};
        struct system system = make_system(24, 12, clusters, 1, 1000);
        struct l1 l1;
        l1_init(&l1, &system);
        for (int i = 0; i < 5000; i++) {
            uint64_t line = check_random(&random) % 1000;
            l1_read(&l1, (uint32_t)(check_random(&random) % 24), line, 1);
            first += !seen[line];
            seen[line] = true;
        }
        l1_settle(&l1);
        assert_int_equal(l1.misses_elsewhere + first, l1.misses);
        l1_fini(&l1);
    }
}

/* X private L1s; every SM reads line 0, then every SM line 1, and so on. At the miss of
 * SM k on line i there are i X + k copies, of i lines and one more if k > 0. */
TEST(test_closed_form)
{
    enum { X = 64, L = 96 };
    struct system system = make_system(X, X, X, 32, 4);
    struct l1 l1;
    l1_init(&l1, &system);
    for (uint64_t line = 0; line < L; line++)
        for (uint32_t sm = 0; sm < X; sm++)
            assert_int_equal(l1_read(&l1, sm, line, 1), 1);
    l1_settle(&l1);
    assert_int_equal(l1.misses, X * L);
    assert_int_equal(l1.misses_elsewhere, (X - 1) * L);
    assert_int_equal(l1.copies_sum, X * L * (X * L - 1) / 2);
    assert_int_equal(l1.cached_sum, X * L * (L - 1) / 2 + L * (X - 1));
    l1_fini(&l1);
}

/* What fits into the nodes of a cluster together, but not into one, is read once. */
TEST(test_aggregate)
{
    for (uint32_t clusters = 1; clusters <= 8; clusters *= 2) {
        struct system system = make_system(8, 8, clusters, 4, 4);
        struct l1 l1;
        l1_init(&l1, &system);
        for (int turn = 0; turn < 10; turn++)
            for (uint64_t line = 0; line < 32; line++)
                l1_read(&l1, 0, line, 1);
        assert_int_equal(l1.misses, clusters <= 4 ? 32 : 320);
        l1_fini(&l1);
    }
}

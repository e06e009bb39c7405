/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels between L1 and the LLC: none to six of them against the naive ones, cases by hand,
 * limits. */
#include "check.h"

#include "core/hash.h"
#include "core/memory.h"
#include "naive_front.h"
#include "naive_sets.h"
#include "profile/caches/front.h"
#include "trace/stream.h"

struct requests {
    struct front_request *items;
    size_t count, capacity;
};

static uint32_t sectors_of(const struct requests *list)
{
    uint32_t n = 0;
    for (size_t i = 0; i < list->count; i++)
        n += (uint32_t)__builtin_popcount(list->items[i].sectors);
    return n;
}

/* --- random systems and streams -------------------------------------------------------- */

struct fuzz {
    struct system system;
    struct fronts fronts;
    struct naive_fronts naive;
    struct naive_arrivals wanted; /* what comes to the LLC */
    struct requests out;
    uint64_t lines, base;
    uint32_t written[256], home[256]; /* sectors written since launch began, that came home */
    uint64_t asked;                   /* sectors, since counts were cleared */
    int round, step;
};

static struct system random_system(uint64_t *random)
{
    static const uint32_t sectors[] = {1, 1, 2, 4, 32};
    struct system system = {.chips = 1 + (uint32_t)(check_random(random) % 4),
                            .partitions = 1 + (uint32_t)(check_random(random) % 3),
                            .sectors = sectors[check_random(random) % 5],
                            .n_levels =
                                2 + (uint32_t)(check_random(random) % (MACHINE_LEVELS_MAX + 1))};
    uint64_t write_back = check_random(random) % 3; /* none, all, some */
    system.flush_at_kernels = check_random(random) % 2;
    if (check_random(random) % 20 == 0) /* the most there are */
        system.chips = 16, system.partitions = DOMAINS_MAX / 16;
    system.domains = system.chips * system.partitions;
    uint32_t clusters = 1 + (uint32_t)(check_random(random) % 3); /* of a domain */
    system.sms_per_domain = clusters * (1 + (uint32_t)(check_random(random) % 3));
    system.sms = system.domains * system.sms_per_domain;
    for (uint32_t i = 0; i < system_between(&system); i++) {
        static const enum level_scope scopes[] = {PER_CLUSTER, PER_PARTITION, PER_CHIP};
        const uint32_t caches[] = {system.domains * clusters, system.domains, system.chips};
        uint64_t scope = check_random(random) % 3;
        system.levels[1 + i] = (struct system_level){
            .scope = scopes[scope],
            .side = SIDE_REQUESTER,
            .caches = caches[scope],
            .filter = (enum level_filter)(check_random(random) % 3),
            .sets = 1 + check_random(random) % (check_random(random) % 4 ? 5 : 40),
            .ways = 1 + (uint32_t)(check_random(random) % NAIVE_WAYS),
            .write = write_back == 1 || (write_back == 2 && check_random(random) % 2)
                         ? WRITE_BACK
                         : WRITE_THROUGH,
            .flush = (enum level_flush)(check_random(random) % (FLUSH_COHERENCE + 1))};
    }
    return system;
}

static void naive_init(struct naive_fronts *naive, const struct system *system)
{
    struct front_config configs[NAIVE_FRONTS] = {{0}};
    for (uint32_t i = 0; i < system_between(system); i++) {
        const struct system_level *front = system_level(system, i);
        uint32_t share = front->caches / system->chips;
        configs[i] = (struct front_config){
            .bytes = share * (uint32_t)front->sets * front->ways,
            .ways = front->ways,
            .per_partition = front->scope == PER_PARTITION,
            .clusters = front->scope == PER_CLUSTER ? front->caches / system->domains : 0,
            .local_in = front->filter != FILTER_REMOTE,
            .remote_in = front->filter != FILTER_LOCAL,
            .back = front->write == WRITE_BACK,
            .flush = system_flush(system, front, front->side)};
    }
    naive_fronts_init(naive, configs, system->chips, system->partitions, 1);
}

/* What the LLC got from both. */
static void check_out(struct fuzz *f)
{
    check_step(f->round, f->step, f->out.count, f->wanted.count);
    for (size_t i = 0; i < f->out.count; i++) {
        const struct front_request *got = &f->out.items[i];
        const struct naive_arrival *want = &f->wanted.items[i];
        check_step(f->round, f->step, got->line, want->line);
        check_step(f->round, f->step, got->sectors, want->sectors);
        check_step(f->round, f->step, got->domain, want->own);
        check_step(f->round, f->step, got->home, want->home);
        check_step(f->round, f->step, got->kind, (uint64_t)want->kind);
        check_step(f->round, f->step, got->writeback, want->writeback);
        if (got->kind == ACCESS_WRITE)
            f->home[got->line - f->base] |= got->sectors;
    }
    f->asked -= sectors_of(&f->out); /* balances are checked when launches end */
    f->out.count = f->wanted.count = 0;
}

/* Counts, and that nothing is lost or made between the levels. */
static void check_counts(struct fuzz *f)
{
    uint64_t delta = 0;
    for (uint32_t i = 0; i < system_between(&f->system); i++) {
        const struct front_level *got = &f->fronts.levels[i];
        const struct naive_front *want = &f->naive.levels[i];
        check_step(f->round, f->step, got->lookups, want->lookups);
        check_step(f->round, f->step, got->hits, want->hits);
        check_step(f->round, f->step, got->read_lookups, want->read_lookups);
        check_step(f->round, f->step, got->read_hits, want->read_hits);
        check_step(f->round, f->step, got->writebacks, want->writebacks);
        delta += got->hits - got->writebacks;
        if (i + 1 < system_between(&f->system))
            check_step(f->round, f->step, want[1].arrived,
                       want->arrived - got->hits + got->writebacks);
    }
    check_step(f->round, f->step, f->asked, delta);
}

/* Of its domain; all levels that clusters share have as many. */
static uint32_t cluster_of(const struct fuzz *f, uint32_t sm)
{
    for (uint32_t i = 0; i < system_between(&f->system); i++) {
        const struct system_level *level = system_level(&f->system, i);
        if (level->scope == PER_CLUSTER)
            return sm / (f->system.sms / level->caches) % (level->caches / f->system.domains);
    }
    return 0;
}

static void take_one(struct fuzz *f, uint64_t *random)
{
    struct front_request out[FRONT_OUT_MAX], in;
    double u = check_uniform(random);
    uint64_t line = (uint64_t)((double)f->lines * u * u), kind = check_random(random) % 10;
    uint32_t all = UINT32_MAX >> (32 - f->system.sectors);
    in = (struct front_request){.line = f->base + line,
                                .sectors = (uint32_t)check_random(random) & all,
                                .sm = (uint32_t)(check_random(random) % f->system.sms),
                                .home = (uint16_t)(hash_fmix64(line) % f->system.domains),
                                .kind = kind < 6   ? ACCESS_READ
                                        : kind < 9 ? ACCESS_WRITE
                                                   : ACCESS_ATOMIC};
    in.sectors = in.sectors ? in.sectors : 1;
    in.domain = (uint16_t)system_domain(&f->system, in.sm);
    if (in.kind == ACCESS_WRITE)
        f->written[line] |= in.sectors;
    f->asked += (uint64_t)__builtin_popcount(in.sectors);
    naive_fronts_issue(&f->naive, !f->system.flush_at_kernels,
                       (struct naive_arrival){in.line, in.sectors, in.domain, in.home, in.kind,
                                              false, cluster_of(f, in.sm)},
                       &f->wanted);
    int n = front_take(&f->fronts, &in, out);
    assert_in_range(n, 0, FRONT_OUT_MAX);
    for (int i = 0; i < n; i++)
        VECTOR_PUSH(&f->out, out[i]);
    check_out(f);
}

static void emit(void *context, const struct front_request *request)
{
    struct requests *out = context;
    VECTOR_PUSH(out, *request);
}

static void end_launch(struct fuzz *f)
{
    bool kept = false;
    naive_fronts_end(&f->naive, &f->wanted);
    front_end_launch(&f->fronts, emit, &f->out);
    check_out(f);
    for (uint32_t i = 0; i < system_between(&f->system); i++) {
        enum level_flush flush = f->fronts.levels[i].flush;
        kept = kept || flush == FLUSH_NONE;
        if (flush != FLUSH_NONE)
            assert_int_equal(f->fronts.levels[i].cache.dirty_lines, 0);
        if (flush == FLUSH_ALL)
            assert_int_equal(f->fronts.levels[i].cache.lines, 0);
    }
    /* All that was written came home, and nothing else did. */
    for (uint64_t line = 0; line < f->lines && !kept; line++)
        check_step(f->round, f->step, f->home[line], f->written[line]);
    memset(f->written, 0, sizeof f->written);
    memset(f->home, 0, sizeof f->home);
    check_counts(f);
}

static void clear_counts(struct fuzz *f)
{
    front_clear_counts(&f->fronts);
    f->asked = 0;
    for (uint32_t i = 0; i < system_between(&f->system); i++) {
        struct naive_front *level = &f->naive.levels[i];
        level->arrived = level->lookups = level->hits = level->writebacks = 0;
        level->read_lookups = level->read_hits = 0;
    }
}

static void fuzz_round(int round)
{
    uint64_t random = (uint64_t)round + 1;
    struct fuzz f = {.round = round, .system = random_system(&random)};
    f.lines = 1 + check_random(&random) % 256;
    f.base = check_random(&random) >> 6;
    front_init(&f.fronts, &f.system);
    naive_init(&f.naive, &f.system);
    for (int launch = 0; launch < 4; launch++) {
        int length = (int)(check_random(&random) % 150);
        for (; length > 0; length--, f.step++)
            take_one(&f, &random);
        end_launch(&f);
        if (check_random(&random) % 2)
            clear_counts(&f);
    }
    front_fini(&f.fronts);
    naive_fronts_fini(&f.naive);
    VECTOR_FREE(&f.wanted);
    VECTOR_FREE(&f.out);
}

TEST(test_against_lists)
{
    int rounds = check_rounds(2500, 50000);
    for (int round = 0; round < rounds; round++)
        fuzz_round(round);
}

/* --- by hand --------------------------------------------------------------------------- */

/* One a chip, of domains with one SM each. */
static struct system one_level(uint32_t chips, uint32_t partitions, struct system_level front)
{
    front.caches = chips;
    return (struct system){.flush_at_kernels = true,
                           .chips = chips,
                           .partitions = partitions,
                           .domains = chips * partitions,
                           .sms = chips * partitions,
                           .sms_per_domain = 1,
                           .sectors = 4,
                           .levels = {[1] = front},
                           .n_levels = 3};
}

/* One request, written short: 'r', 'w' or 'a'. */
static struct front_request make(char kind, uint16_t domain, uint16_t home, uint64_t line,
                                 uint32_t sectors)
{
    return (struct front_request){.line = line,
                                  .sectors = sectors,
                                  .sm = domain,
                                  .domain = domain,
                                  .home = home,
                                  .kind = kind == 'r'   ? ACCESS_READ
                                          : kind == 'w' ? ACCESS_WRITE
                                                        : ACCESS_ATOMIC};
}

static void check_request(const struct front_request *got, struct front_request want,
                          bool writeback)
{
    assert_int_equal(got->line, want.line);
    assert_int_equal(got->sectors, want.sectors);
    assert_int_equal(got->domain, want.domain);
    assert_int_equal(got->home, want.home);
    assert_int_equal(got->kind, want.kind);
    assert_int_equal(got->writeback, writeback);
}

/* The L1.5 of MCM-GPU (ISCA 2017): remote data only, write-through, one a module. Here two
 * lines, two modules of two partitions. */
TEST(test_mcm)
{
    static const struct {
        char kind;
        uint16_t domain, home;
        uint64_t line;
        uint32_t sectors, left;
        bool look_up;
    } steps[] = {
        {'r', 0, 1, 5, 3, 3, false}, /* another partition, but the same module */
        {'r', 0, 2, 7, 3, 3, true},  {'r', 1, 2, 7, 6, 4, true}, /* one cache for both */
        {'r', 2, 2, 7, 6, 6, false},                             /* at home */
        {'w', 0, 2, 7, 9, 9, true},  {'r', 0, 2, 7, 8, 8, true}, /* what is written is not kept */
        {'r', 0, 2, 8, 1, 1, true},  {'w', 1, 2, 7, 1, 1, true}, /* but the line is recent, so */
        {'r', 0, 3, 9, 1, 1, true},                              /* 8 leaves */
        {'r', 0, 2, 7, 15, 0, true}, {'r', 0, 2, 8, 1, 1, true}, /* and now 9 */
        {'a', 0, 2, 7, 1, 1, true},  {'r', 0, 2, 7, 2, 2, true}, /* an atomic takes 7 out */
        {'r', 0, 2, 8, 1, 0, true},
    };
    struct system_level front = {.filter = FILTER_REMOTE, .sets = 1, .ways = 2, .flush = FLUSH_ALL};
    struct system system = one_level(2, 2, front);
    struct fronts fronts;
    struct requests flushed = {0};
    uint64_t lookups = 0, hits = 0;
    front_init(&fronts, &system);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct front_request out[FRONT_OUT_MAX];
        struct front_request in =
            make(steps[i].kind, steps[i].domain, steps[i].home, steps[i].line, steps[i].sectors);
        assert_int_equal(front_take(&fronts, &in, out), steps[i].left != 0);
        in.sectors = steps[i].left;
        if (in.sectors)
            check_request(&out[0], in, false);
        if (steps[i].look_up) {
            lookups += (uint64_t)__builtin_popcount(steps[i].sectors);
            hits += (uint64_t)__builtin_popcount(steps[i].sectors & ~steps[i].left);
        }
    }
    assert_int_equal(fronts.levels[0].lookups, lookups);
    assert_int_equal(fronts.levels[0].hits, hits);
    assert_int_equal(fronts.levels[0].read_hits, hits);
    assert_int_equal(fronts.levels[0].read_lookups, lookups - 4); /* two writes, an atomic */
    front_end_launch(&fronts, emit, &flushed);
    assert_int_equal(flushed.count, 0);
    front_fini(&fronts);
}

/* DualOpt's RDMA cache (PACT 2022): remote data only, write-back; the dirty go home when
 * they leave and when a kernel ends. */
TEST(test_rdma)
{
    struct system_level front = {
        .filter = FILTER_REMOTE, .sets = 1, .ways = 2, .write = WRITE_BACK, .flush = FLUSH_DIRTY};
    struct system system = one_level(4, 1, front);
    struct front_request in, out[FRONT_OUT_MAX];
    struct requests home = {0};
    struct fronts fronts;
    front_init(&fronts, &system);
    in = make('w', 1, 3, 10, 3);
    assert_int_equal(front_take(&fronts, &in, out), 0);
    in = make('r', 1, 3, 10, 7); /* what was written is there, the rest is fetched */
    assert_int_equal(front_take(&fronts, &in, out), 1);
    check_request(&out[0], make('r', 1, 3, 10, 4), false);
    in = make('w', 1, 1, 11, 1); /* local data pass */
    assert_int_equal(front_take(&fronts, &in, out), 1);
    check_request(&out[0], in, false);
    in = make('w', 1, 2, 12, 8);
    assert_int_equal(front_take(&fronts, &in, out), 0);
    in = make('r', 1, 0, 13, 1); /* drives out 10: first its dirty sectors, then the read */
    assert_int_equal(front_take(&fronts, &in, out), 2);
    check_request(&out[0], make('w', 1, 3, 10, 3), true);
    check_request(&out[1], in, false);
    in = make('a', 1, 2, 12, 1); /* takes 12 out */
    assert_int_equal(front_take(&fronts, &in, out), 2);
    check_request(&out[0], make('w', 1, 2, 12, 8), true);
    check_request(&out[1], in, false);
    in = make('w', 1, 0, 13, 6);
    assert_int_equal(front_take(&fronts, &in, out), 0);
    in = make('w', 0, 1, 11, 1); /* in another GPU */
    assert_int_equal(front_take(&fronts, &in, out), 0);
    front_end_launch(&fronts, emit, &home);
    assert_int_equal(home.count, 2);
    check_request(&home.items[0], make('w', 0, 1, 11, 1), true);
    check_request(&home.items[1], make('w', 1, 0, 13, 6), true);
    in = make('r', 1, 0, 13, 7); /* is gone */
    assert_int_equal(front_take(&fronts, &in, out), 1);
    front_end_launch(&fronts, emit, &home);
    assert_int_equal(home.count, 2);
    assert_int_equal(front_take(&fronts, &in, out), 0); /* it was clean, and is still there */
    assert_int_equal(fronts.levels[0].lookups, 2 + 3 + 1 + 1 + 1 + 2 + 1 + 3 + 3);
    assert_int_equal(fronts.levels[0].hits, 2 + 2 + 1 + 2 + 1 + 3);
    assert_int_equal(fronts.levels[0].writebacks, 2 + 1 + 1 + 2);
    front_fini(&fronts);
    VECTOR_FREE(&home);
}

/* Three write-back levels of one line, each with a dirty one: a request drives all of
 * them out, the one that was furthest from the SMs first. */
TEST(test_chain)
{
    struct system_level front = {.sets = 1, .ways = 1, .write = WRITE_BACK};
    struct system system = one_level(1, 1, front);
    struct front_request in, out[FRONT_OUT_MAX];
    struct fronts fronts;
    struct requests home = {0};
    system.n_levels = 5;
    system.levels[2] = system.levels[3] = system.levels[1];
    front_init(&fronts, &system);
    for (uint64_t line = 1; line <= 3; line++) {
        in = make('w', 0, 0, line, 1);
        assert_int_equal(front_take(&fronts, &in, out), 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(fronts.levels[i].cache.tags[0], 3 - i + 1);
    in = make('r', 0, 0, 4, 1);
    assert_int_equal(front_take(&fronts, &in, out), system_between(&system) + 1);
    /* 3 drives out 2, which drives out 1; then 4 drives out 3, and that one 2; then 3. */
    for (uint64_t i = 0; i < 3; i++)
        check_request(&out[i], make('w', 0, 0, i + 1, 1), true);
    check_request(&out[3], in, false);
    assert_int_equal(fronts.levels[2].writebacks, 3);
    front_end_launch(&fronts, emit, &home);
    assert_int_equal(home.count, 0);
    front_fini(&fronts);
}

/* --- limits ----------------------------------------------------------------------------- */

/* An unlimited cache asks once for each sector; write-back ones are silent until the kernel
 * ends, and send each sector once. */
TEST(test_unlimited)
{
    enum { LINES = 200, N = 6000 };
    for (int write_back = 0; write_back < 2; write_back++) {
        struct system_level front = {.sets = 1,
                                     .ways = LINES,
                                     .write = write_back ? WRITE_BACK : WRITE_THROUGH,
                                     .flush = FLUSH_DIRTY};
        struct system system = one_level(2, 1, front);
        uint32_t there[2][LINES] = {{0}}, dirty[2][LINES] = {{0}};
        uint64_t random = 1, fetched = 0, written = 0, want_fetched = 0, want_written = 0;
        struct fronts fronts;
        struct requests home = {0};
        front_init(&fronts, &system);
        for (int i = 0; i < N; i++) {
            struct front_request out[FRONT_OUT_MAX];
            uint64_t line = check_random(&random) % LINES;
            uint16_t domain = check_random(&random) % 2;
            uint32_t sector = 1U << check_random(&random) % 4;
            char kind = check_random(&random) % 3 ? 'r' : 'w';
            struct front_request in = make(kind, domain, 0, line, sector);
            uint32_t missing = sector & ~there[domain][line];
            int n = front_take(&fronts, &in, out);
            *(kind == 'r' ? &fetched : &written) += (uint64_t)n;
            want_fetched += kind == 'r' && missing;
            want_written += kind == 'w' && !write_back;
            if (kind == 'r' || write_back)
                there[domain][line] |= sector;
            if (kind == 'w')
                dirty[domain][line] |= sector;
        }
        assert_int_equal(fetched, want_fetched);
        assert_int_equal(written, want_written);
        front_end_launch(&fronts, emit, &home);
        want_written = 0;
        for (uint32_t i = 0; i < 2 * LINES; i++)
            want_written += (uint64_t)__builtin_popcount(dirty[i % 2][i / 2]);
        assert_int_equal(sectors_of(&home), write_back ? want_written : 0);
        front_fini(&fronts);
        VECTOR_FREE(&home);
    }
}

/* A level that may hold nothing of what comes leaves the stream as it is. */
TEST(test_transparent)
{
    for (int i = 0; i < 3; i++) {
        struct system_level front = {
            .sets = 3, .ways = 2, .write = i == 1 ? WRITE_BACK : WRITE_THROUGH};
        front.filter = i == 2 ? FILTER_LOCAL : FILTER_REMOTE;
        struct system system = one_level(i == 2 ? 2 : 1, i == 1 ? 2 : 1, front);
        struct fronts fronts;
        uint64_t random = 1;
        front_init(&fronts, &system);
        for (int k = 0; k < 500; k++) {
            struct front_request out[FRONT_OUT_MAX];
            uint16_t domain = check_random(&random) % 2 && i > 0;
            uint16_t home = i == 0 ? 0 : !domain; /* i = 1: another partition of the chip */
            struct front_request in =
                make("rwa"[check_random(&random) % 3], domain, home, check_random(&random) % 9, 5);
            assert_int_equal(front_take(&fronts, &in, out), 1);
            check_request(&out[0], in, false);
        }
        assert_int_equal(fronts.levels[0].lookups, 0);
        assert_int_equal(fronts.levels[0].cache.lines, 0);
        front_fini(&fronts);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1, of scalars, constants and textures: what looks them up, what they hold, what
 * they take, by hand; the profile, the bound, the network and the referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "naive_sets.h"
#include "profile/caches/beside.h"
#include "profile/files/open.h"
#include "trace_check.h"
#include "workload/irregular/warp_code.h"

/* SMs at 1 GHz. A read that misses L1 and the LLC takes 1 ns of issue, then 10 of L1, 5 and 7 of
 * the crossbar, 21 of a slice, 104 of memory: 148. One that hits takes 1 + 10; in the cache beside
 * it 1 + 4, and what that misses 4 in the place of 10: 142. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 1\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: %d, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr}\n"                      \
    "l1: {capacity: 1 KiB, ways: 8, mshrs: 64, latency: 10 ns}\n"                                  \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"                     \
    "      bandwidth: 128 GB/s, latency: 20 ns}\n"                                                 \
    "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"                                                   \
    "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n"                                 \
    "page: {size: 4 KiB}\ncta: {policy: distributed}\n"
#define BESIDE "k: {contents: scalar, capacity: 1 KiB, ways: 8, latency: 4 ns}\n"

enum { LINE = 128, L1_HIT = 11, HIT = 5, MISS = 142, L1_MISS = 148, FAR = 1 << 20 };

static struct machine *machine_of(int sms, const char *beside)
{
    char text[2048];
    snprintf(text, sizeof text, MACHINE "%s", sms, beside);
    return check_machine(text);
}

/* One lane's read of a line, by that path. */
static void read_line(struct synthetic *s, uint64_t cta, enum access_path path, uint64_t line)
{
    synthetic_add(s, cta, 0,
                  (struct warp_access){.base = line * LINE,
                                       .mask = 1,
                                       .instructions = 1,
                                       .bytes = 4,
                                       .kind = ACCESS_READ,
                                       .path = (uint8_t)path});
}

/* A warp a block, which goes through a table of so many lines, and reads a line of its own after
 * each of them where `others`. */
static struct synthetic *walk(int blocks, enum access_path path, int lines, int passes, bool others)
{
    struct synthetic *s = synthetic_create("walk");
    synthetic_kernel(s, "k", (uint32_t)blocks, 1);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < lines * passes; i++) {
            read_line(s, (uint64_t)b, path, (uint64_t)(i % lines));
            if (others)
                read_line(s, (uint64_t)b, ACCESS_ORDINARY,
                          FAR + (uint64_t)(b * lines * passes + i));
        }
    return s;
}

static const struct profile_record *record_of(const struct profile *profile)
{
    return &profile->views[0].records[0];
}

static double field(const struct profile *profile, const char *level, enum profile_level_count what)
{
    const struct profile_record *record = record_of(profile);
    int number = profile_record_level(record, level);
    assert_true(number >= 0);
    return record->fields[profile_level_field(number, what)];
}

static double predicted_ns(const char *model, const struct machine *machine,
                           const struct profile *profile)
{
    OWNED(answer) *answer = check_answer(model, machine, &profile->views[0]);
    return answer_metric(answer, "kernel_time") * 1e9;
}

static struct simulate_gpu_result *run(const struct machine *machine, const struct synthetic *s)
{
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    assert_true(result->whole);
    return result;
}

/* --- one warp --------------------------------------------------------------------------------- */

/* A table that fits hits from its second pass on; over one line more none does. L1 sees nothing of
 * it. */
TEST(a_table_by_itself)
{
    static const struct {
        int lines, hits;
    } cases[] = {{4, 12}, {8, 24}, {9, 0}};
    enum { PASSES = 4 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1, BESIDE);
        OWNED(synthetic) *s = walk(1, ACCESS_SCALAR, cases[i].lines, PASSES, false);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        int n = cases[i].lines * PASSES, misses = n - cases[i].hits, fetched = cases[i].lines;
        check_relative(field(profile, "k", LEVEL_LOOKUPS), n, 0);
        check_relative(field(profile, "k", LEVEL_HITS), cases[i].hits, 0);
        check_relative(field(profile, "k", LEVEL_CHAIN), misses, 0);
        check_relative(field(profile, "k", LEVEL_CHAIN_HITS), cases[i].hits, 0);
        check_field(record_of(profile), FIELD_SCALAR_READS, n);
        check_field(record_of(profile), FIELD_CONSTANT_READS, 0);
        check_field(record_of(profile), FIELD_LINE_ACCESSES, 0);
        check_field(record_of(profile), FIELD_L1_READS, 0);
        check_field(record_of(profile), FIELD_REQUESTS, misses);
        /* What it misses again the LLC has: 104 less. */
        double want = cases[i].hits * HIT + fetched * MISS + (misses - fetched) * (MISS - 104);
        struct simulate_gpu_result *r = run(machine, s);
        check_relative(r->kernel_time_s * 1e9, want, 1e-9);
        assert_int_equal(r->beside[0].lookups, n);
        assert_int_equal(r->beside[0].hits, cases[i].hits);
        simulate_gpu_result_destroy(r);
        check_relative(predicted_ns("network", machine, profile), want, 0.03);
    }
}

/* Lines of its own between those of a table of seven, in an L1 of eight: there they drive out the
 * table, and all misses. Beside it the table stays, and L1 sees the others alone. */
TEST(a_table_and_others)
{
    enum { LINES = 7, PASSES = 8, N = LINES * PASSES };
    OWNED(synthetic) *s = walk(1, ACCESS_SCALAR, LINES, PASSES, true);
    OWNED(machine) *with = machine_of(1, BESIDE), *without = machine_of(1, "");
    OWNED(profile) *beside = check_profile(&s->source, with, false);
    OWNED(profile) *together = check_profile(&s->source, without, false);
    check_relative(field(beside, "k", LEVEL_HITS), N - LINES, 0);
    check_field(record_of(beside), FIELD_L1_READS, N);
    check_field(record_of(beside), FIELD_L1_READ_HITS, 0);
    check_field(record_of(beside), FIELD_REQUESTS, N + LINES);
    check_field(record_of(together), FIELD_L1_READS, 2 * N);
    check_field(record_of(together), FIELD_L1_READ_HITS, 0);
    check_field(record_of(together), FIELD_REQUESTS, 2 * N);
    check_field(record_of(together), FIELD_SCALAR_READS, N);
    assert_null(record_of(together)->levels[0]);
    double want = N * L1_MISS + LINES * MISS + (N - LINES) * HIT;
    struct simulate_gpu_result *r = run(with, s);
    check_relative(r->kernel_time_s * 1e9, want, 1e-9);
    simulate_gpu_result_destroy(r);
    check_relative(predicted_ns("network", with, beside), want, 0.03);
    want = (N + LINES) * L1_MISS + (N - LINES) * (L1_MISS - 104);
    r = run(without, s);
    check_relative(r->kernel_time_s * 1e9, want, 1e-9);
    simulate_gpu_result_destroy(r);
    check_relative(predicted_ns("network", without, together), want, 0.03);
}

/* A hit in L1 and one beside it that are waited for together, between misses: the longer counts. A
 * miss beside a miss of L1 likewise. */
TEST(waits_for_both)
{
    enum { ROUNDS = 32 };
    static const struct {
        const char *latency;
        bool misses;  /* together; else they hit */
        double ns;    /* of the two: the second is issued behind the first */
        double first; /* where the table is not there yet */
    } cases[] = {{"4 ns", false, 1 + 10, 2 + 4 + 137},
                 {"30 ns", false, 2 + 30, 2 + 30 + 137},
                 {"4 ns", true, L1_MISS, L1_MISS},
                 {"30 ns", true, 2 + 30 + 137, 2 + 30 + 137}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1, BESIDE);
        check_set(machine, "k.latency", cases[i].latency);
        OWNED(synthetic) *s = synthetic_create("both");
        synthetic_kernel(s, "k", 1, 1);
        for (uint64_t r = 0; r < ROUNDS; r++) {
            read_line(s, 0, ACCESS_ORDINARY, FAR + r);
            read_line(s, 0, ACCESS_ORDINARY, cases[i].misses ? 2 * FAR + r : FAR + r);
            synthetic_add(s, 0, 0,
                          (struct warp_access){.base = (cases[i].misses ? 3 * FAR + r : 0) * LINE,
                                               .mask = 1,
                                               .instructions = 1,
                                               .bytes = 4,
                                               .kind = ACCESS_READ,
                                               .path = ACCESS_SCALAR,
                                               .ahead = 1});
        }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        double both = field(profile, "k", LEVEL_CHAIN_BOTH);
        double hits = field(profile, "k", LEVEL_CHAIN_HITS_BOTH);
        check_relative(both, cases[i].misses ? ROUNDS : 0, 0);
        check_relative(hits, cases[i].misses ? 0 : ROUNDS - 1,
                       0); /* the first of the table misses */
        double want = ROUNDS * L1_MISS + (ROUNDS - 1) * cases[i].ns + cases[i].first;
        struct simulate_gpu_result *r = run(machine, s);
        check_relative(r->kernel_time_s * 1e9, want, 0.01);
        simulate_gpu_result_destroy(r);
        check_relative(predicted_ns("network", machine, profile), want, 0.03);
    }
}

/* Nobody serves it but L1: all is as if it were an ordinary read. */
TEST(without_such_a_cache)
{
    const char *const machines[] = {"", "k: {contents: constant+texture, capacity: 1 KiB}\n",
                                    "k: {contents: scalar, capacity: 0 B}\n"};
    OWNED(synthetic) *scalars = walk(2, ACCESS_SCALAR, 5, 3, true);
    OWNED(synthetic) *ordinary = walk(2, ACCESS_ORDINARY, 5, 3, true);
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        OWNED(machine) *machine = machine_of(2, machines[m]);
        OWNED(profile) *a = check_profile(&scalars->source, machine, false);
        OWNED(profile) *b = check_profile(&ordinary->source, machine, false);
        for (int f = 0; f < FIELD_COUNT; f++) {
            double x = record_of(a)->fields[f], y = record_of(b)->fields[f];
            if (f == FIELD_SCALAR_READS)
                check_relative(x - y, 2 * 5 * 3, 0);
            else if (!isnan(x) || !isnan(y))
                check_relative(x, y, 0);
        }
        check_relative(predicted_ns("network", machine, a), predicted_ns("network", machine, b), 0);
        struct simulate_gpu_result *r = run(machine, scalars), *q = run(machine, ordinary);
        check_relative(r->kernel_time_s, q->kernel_time_s, 0);
        simulate_gpu_result_destroy(r);
        simulate_gpu_result_destroy(q);
    }
}

/* A profile by hand says nothing of such a cache: nobody asks it. */
TEST(a_profile_by_hand)
{
    struct profile *profile;
    check_ok(profile_load(
        check_file("hand.profile.yaml",
                   "profile: hand\npoint: {requests: 1000, bytes: 128000, "
                   "r_local: 1, llc_hit: {memory-side: 0.5}, lsu: {memory-side: 1}}\n"),
        &profile, &failure));
    OWNED(machine) *with = machine_of(1, BESIDE), *without = machine_of(1, "");
    check_set(with, "k.bandwidth", "1 GB/s");
    const char *const models[] = {"bottleneck", "network", "eab"};
    for (int m = 0; m < 3; m++)
        check_relative(predicted_ns(models[m], with, profile),
                       predicted_ns(models[m], without, profile), 1e-12);
    profile_destroy(profile);
}

/* Each kind goes to the cache that says so, writes and atomics to none. */
TEST(kinds)
{
    OWNED(machine) *machine =
        machine_of(1, "t: {contents: texture, capacity: 1 KiB, latency: 8 ns}\n"
                      "k: {contents: scalar+constant, capacity: 1 KiB, latency: 4 ns}\n");
    OWNED(synthetic) *s = synthetic_create("kinds");
    synthetic_kernel(s, "k", 1, 1);
    for (int path = 0; path < ACCESS_PATHS; path++)
        for (int i = 0; i < 1 + path; i++)
            read_line(s, 0, (enum access_path)path, (uint64_t)path);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_relative(field(profile, "t", LEVEL_LOOKUPS), 4, 0);
    check_relative(field(profile, "t", LEVEL_HITS), 3, 0);
    check_relative(field(profile, "k", LEVEL_LOOKUPS), 2 + 3, 0);
    check_relative(field(profile, "k", LEVEL_HITS), 1 + 2, 0);
    check_field(record_of(profile), FIELD_L1_READS, 1);
    check_field(record_of(profile), FIELD_CONSTANT_READS, 3);
    check_field(record_of(profile), FIELD_TEXTURE_READS, 4);
    /* A miss each, of which that of textures has 8 ns in the place of 10, and hits of 1 + 4, 1 + 8.
     */
    double want = L1_MISS + 2 * MISS + MISS + 4 + 3 * HIT + 3 * 9;
    struct simulate_gpu_result *r = run(machine, s);
    check_relative(r->kernel_time_s * 1e9, want, 1e-9);
    simulate_gpu_result_destroy(r);
    check_relative(predicted_ns("network", machine, profile), want, 0.03);
}

/* --- against a naive one -----------------------------------------------------------------------
 */

/* The sets of one cache after the other. */
static uint32_t naive_read(struct naive_set *sets, uint64_t n_sets, uint32_t ways, uint32_t which,
                           uint64_t line, uint32_t wanted)
{
    struct naive_set *set = &sets[which * n_sets + line % n_sets];
    uint32_t at = naive_set_find(set, line);
    struct naive_way way = {.line = line};
    if (at < set->count)
        way = naive_set_take(set, at);
    else if (set->count == ways)
        naive_set_take(set, set->count - 1);
    uint32_t missing = wanted & ~way.valid;
    way.valid |= wanted;
    naive_set_put(set, way);
    return missing;
}

TEST(random_caches)
{
    for (int round = check_rounds(200, 5000); round > 0; round--) {
        enum { SMS = 12, STEPS = 300 };
        static const uint32_t sectors[] = {1, 2, 4}, each[] = {1, 3, 12};
        uint64_t random = (uint64_t)round;
        struct system system = {.sms = SMS, .sectors = sectors[check_random(&random) % 3]};
        uint32_t sms = each[check_random(&random) % 3];
        uint64_t n_sets = 1 + check_random(&random) % 5;
        uint32_t ways = 1 + (uint32_t)(check_random(&random) % NAIVE_WAYS);
        bool keeps = check_random(&random) % 2;
        system.beside = (struct system_beside){.levels = {{.serves = 1u << ACCESS_TEXTURE,
                                                           .caches = SMS / sms,
                                                           .sets = n_sets,
                                                           .ways = ways,
                                                           .keeps = keeps}},
                                               .n = 1};
        struct beside beside;
        struct naive_set *sets = memory_zero(SMS / sms * n_sets, sizeof *sets);
        beside_init(&beside, &system);
        for (int step = 0; step < STEPS; step++) {
            uint32_t sm = (uint32_t)(check_random(&random) % SMS);
            uint64_t line = check_random(&random) % (2 * n_sets * ways);
            uint32_t wanted = 1 + (uint32_t)(check_random(&random) % ((1u << system.sectors) - 1));
            if (check_random(&random) % 100 == 0) {
                beside_begin_launch(&beside);
                if (!keeps)
                    memset(sets, 0, SMS / sms * n_sets * sizeof *sets);
            }
            check_step(round, step, beside_read(&beside, 0, sm, line, wanted),
                       naive_read(sets, n_sets, ways, sm / sms, line, wanted));
        }
        beside_fini(&beside);
        free(sets);
    }
}

/* --- several ---------------------------------------------------------------------------------- */

/* Four SMs in clusters of two: a table is fetched once a cache, whoever asks first. */
TEST(shared_by_a_cluster)
{
    static const struct {
        const char *scope;
        int caches;
    } cases[] = {{"sm", 4}, {"cluster", 2}};
    for (size_t i = 0; i < 2; i++) {
        OWNED(machine) *machine = machine_of(4, BESIDE);
        check_set(machine, "sm.clusters", "2");
        check_set(machine, "k.scope", cases[i].scope);
        OWNED(synthetic) *s = walk(4, ACCESS_SCALAR, 4, 2, false);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        check_relative(field(profile, "k", LEVEL_LOOKUPS), 4 * 4 * 2, 0);
        check_relative(field(profile, "k", LEVEL_HITS), 4 * 4 * 2 - cases[i].caches * 4, 0);
        check_field(record_of(profile), FIELD_REQUESTS, cases[i].caches * 4);
        struct simulate_gpu_result *r = run(machine, s);
        assert_int_equal(r->requests, cases[i].caches * 4);
        simulate_gpu_result_destroy(r);
    }
}

/* At the end of a launch all leaves, unless it says otherwise. */
TEST(flushes)
{
    OWNED(synthetic) *s = synthetic_create("launches");
    for (int launch = 0; launch < 3; launch++) {
        synthetic_kernel(s, "k", 1, 1);
        for (uint64_t line = 0; line < 4; line++)
            read_line(s, 0, ACCESS_SCALAR, line);
    }
    static const struct {
        const char *flush;
        double misses;
    } cases[] = {{"all", 12}, {"none", 4}};
    for (size_t i = 0; i < 2; i++) {
        OWNED(machine) *machine = machine_of(1, BESIDE);
        check_set(machine, "k.flush", cases[i].flush);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        double requests = 0;
        for (size_t k = 0; k < profile->views[0].n_records; k++)
            requests += profile->views[0].records[k].fields[FIELD_REQUESTS];
        check_relative(requests, cases[i].misses, 0);
        struct simulate_gpu_result *r = run(machine, s);
        assert_int_equal(r->requests, cases[i].misses);
        simulate_gpu_result_destroy(r);
    }
}

/* Sixteen warps read a line of memory and 32 times a line of the table, which takes the cache 4 ns
 * of 32 GB/s each: the memory serves 4 ns in the 128 of the cache. */
TEST(bandwidth)
{
    enum { WARPS = 16, ROUNDS = 16, EACH = 32 };
    OWNED(machine) *machine = machine_of(1, BESIDE);
    OWNED(synthetic) *s = synthetic_create("busy");
    synthetic_kernel(s, "k", WARPS, 1);
    for (uint64_t b = 0; b < WARPS; b++)
        for (uint64_t i = 0; i < ROUNDS; i++) {
            read_line(s, b, ACCESS_ORDINARY, FAR + b * ROUNDS + i);
            for (int k = 0; k < EACH; k++)
                read_line(s, b, ACCESS_SCALAR, 0);
        }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    double lookups = WARPS * ROUNDS * EACH, free_ns = predicted_ns("network", machine, profile);
    struct simulate_gpu_result *r = run(machine, s);
    double referee_free_ns = r->kernel_time_s * 1e9;
    simulate_gpu_result_destroy(r);
    /* No limit of its own: an instruction a nanosecond is. */
    assert_true(free_ns < lookups * 1.2 && referee_free_ns < lookups * 1.2);
    check_set(machine, "k.bandwidth", "32 GB/s");
    check_relative(predicted_ns("bottleneck", machine, profile), lookups * 4, 1e-9);
    check_relative(predicted_ns("network", machine, profile), lookups * 4, 0.03);
    r = run(machine, s);
    check_relative(r->kernel_time_s * 1e9, lookups * 4, 0.03);
    simulate_gpu_result_destroy(r);
    /* Others say what they leave out. */
    OWNED(answer) *eab = check_answer("eab", machine, &profile->views[0]);
    assert_true(eab->result.n_warnings == 1);
    assert_non_null(strstr(eab->result.warnings[0], "caches beside L1"));
}

/* 64 warps read a line each, of which k are under way for the 141 ns behind the instruction; those
 * of L1 are none of theirs. */
TEST(mshrs)
{
    static const struct {
        const char *mshrs, *scope;
        int sms, places;
    } cases[] = {{"1", "sm", 1, 1}, {"4", "sm", 1, 4}, {"4", "sm", 2, 8}, {"4", "cluster", 2, 4}};
    enum { LINES = 64 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(cases[i].sms, BESIDE);
        check_set(machine, "sm.clusters", "1");
        check_set(machine, "k.scope", cases[i].scope);
        check_set(machine, "l1.mshrs", "1");
        OWNED(synthetic) *s = synthetic_create("strangers");
        synthetic_kernel(s, "k", LINES, 1);
        for (uint64_t b = 0; b < LINES; b++)
            read_line(s, b, ACCESS_SCALAR, b);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        /* As many as there are: 4 ns of memory a line, and the way of the first. */
        struct simulate_gpu_result *r = run(machine, s);
        check_relative(r->kernel_time_s * 1e9, MISS + (LINES - 1) * 4, 0.02);
        simulate_gpu_result_destroy(r);
        check_set(machine, "k.mshrs", cases[i].mshrs);
        double want = LINES / cases[i].places * (MISS - 1);
        r = run(machine, s); /* those of a round come 4 ns after each other */
        assert_true(r->kernel_time_s * 1e9 >= want - 1);
        assert_true(r->kernel_time_s * 1e9 <= want + 4 * cases[i].places);
        simulate_gpu_result_destroy(r);
        /* The network has no rounds: the first, and then one each 141/k ns. */
        want = MISS + (LINES - 1.0) / cases[i].places * (MISS - 1);
        check_relative(predicted_ns("network", machine, profile), want, 0.01);
        OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
        check_relative(answer_metric(answer, "utilisation_mshrs"), 1, 0.01);
    }
}

/* --- workloads -------------------------------------------------------------------------------- */

/* All ways in which a nest makes accesses: warps that are full and not, loops with and without a
 * loop inside. Each access to C goes through the one, to D through the other, to A through none. */
TEST(loop_nests)
{
    static const char text[] =
        "workload: t\nparameters: {n: 80}\n"
        "arrays: {A: {shape: [n], type: f32}, C: {shape: [16], type: f32}, D: {shape: [16], type: "
        "f32}}\n"
        "kernels:\n"
        "  - {name: k, grid: 2, block: 48, let: {i: bx*48 + tx}, guard: i < n, body: [\n"
        "      {for: j in 0..16, body: [{load: 'C[j]', through: scalar}, {load: 'A[i]'}]},\n"
        "      {for: j in 0..4, body: [{for: l in 0..4, body: [\n"
        "        {load: 'D[4*j + l]', through: constant}]}, {store: 'A[i]'}]},\n"
        "      {if: tx % 3 == 1, body: [{load: 'D[tx/4]', through: constant}]}]}\n";
    OWNED(source) *source = check_source(check_file("nest.yaml", text));
    struct trace_items all;
    size_t counts[ACCESS_PATHS] = {0};
    check_ok(trace_read(source, false, &all, &failure));
    for (size_t i = 0; i < all.accesses.count; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        size_t array = 0;
        while (item->addresses[0] >=
               source->allocations.items[array].base + source->allocations.items[array].bytes)
            array++;
        const char *name = source->allocations.items[array].name;
        int want = name[0] == 'C'   ? ACCESS_SCALAR
                   : name[0] == 'D' ? ACCESS_CONSTANT
                                    : ACCESS_ORDINARY;
        assert_int_equal(item->access.path, want);
        counts[want]++;
    }
    trace_items_free(&all);
    /* Three warps have lanes: of 48 and 32 threads. */
    assert_int_equal(counts[ACCESS_SCALAR], 3 * 16);
    assert_int_equal(counts[ACCESS_CONSTANT], 3 * 16 + 3);
    assert_int_equal(counts[ACCESS_ORDINARY], 3 * 16 + 3 * 4);
}

TEST(mistakes_in_loop_nests)
{
    static const struct {
        const char *item, *words;
    } cases[] = {
        {"{load: 'A[tx]', through: scaler}", "through: expected scalar, constant or texture"},
        {"{store: 'A[tx]', through: scalar}", "unknown key \"through\""},
        {"{compute: 1, through: scalar}", "unknown key \"through\""},
        {"{load: 'A[tx]', thruogh: scalar}", "did you mean \"through\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source *source = NULL;
        char text[512];
        snprintf(text, sizeof text,
                 "workload: t\narrays: {A: {shape: [32], type: f32}}\n"
                 "kernels: [{name: k, grid: 1, block: 32, body: [%s]}]\n",
                 cases[i].item);
        check_error(source_open(check_file("nest.yaml", text), &source, &failure), STATUS_INPUT,
                    cases[i].words);
    }
}

static bool code(const struct kernel_pass *pass, struct kernel_warp *warp, struct warp_buffer *out)
{
    WARP_BEGIN;
    WARP_READ(0, warp->lanes, lane);
    WARP_READ_THROUGH(ACCESS_TEXTURE, 0, warp->lanes, 2 * lane);
    WARP_WRITE(0, warp->lanes, lane);
    WARP_END;
}

TEST(workloads_in_c)
{
    struct kernel_source source = {.arrays = {{.base = 4096, .element = 4}}};
    struct kernel_pass pass = {.source = &source};
    struct kernel_warp warp = {.lanes = 0xff};
    struct warp_buffer out = {.count = 0};
    assert_true(code(&pass, &warp, &out));
    assert_int_equal(out.count, 3);
    assert_int_equal(out.items[0].path, ACCESS_ORDINARY);
    assert_int_equal(out.items[1].path, ACCESS_TEXTURE);
    assert_int_equal(out.items[1].kind, ACCESS_READ);
    assert_int_equal(out.items[1].stride, 8);
    assert_int_equal(out.items[2].path, ACCESS_ORDINARY);
}

/* --- machines --------------------------------------------------------------------------------- */

TEST(errors)
{
    struct system system;
    OWNED(machine) *twice =
        machine_of(1, BESIDE "c: {contents: scalar+constant, capacity: 1 KiB}\n");
    check_error(system_compile(&system, twice, 0, &failure), STATUS_INPUT,
                "c.contents: a cache of scalar data is there already");
    OWNED(machine) *clusters = machine_of(4, BESIDE);
    check_set(clusters, "k.scope", "cluster");
    check_error(system_compile(&system, clusters, SYSTEM_STREAM, &failure), STATUS_UNKNOWN_FIELD,
                "sm.clusters is unknown, and k has one cache a cluster");
    OWNED(machine) *small = machine_of(1, BESIDE);
    check_set(small, "k.capacity", "512 B");
    check_error(system_compile(&system, small, SYSTEM_STREAM, &failure), STATUS_INPUT,
                "k.capacity: 512 bytes do not form 1 to 2^32 sets of 8 lines");
}

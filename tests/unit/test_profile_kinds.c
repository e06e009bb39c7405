/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of launches and structured streams against the naive pass, and what can be
 * computed by hand. */
#include "profile_naive.h"
#include "sampled_check.h"
#include "profile/run/profiler.h"

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(check_random(random) % (high - low + 1));
}

/* --- windows -------------------------------------------------------------------------- */

/* What a window says nothing of: grid, distinct lines, nodes. */
static void window_unknown(const double *got, double *want)
{
    static const enum profile_field unknown[] = {FIELD_CTAS,
                                                 FIELD_LINES,
                                                 FIELD_WRITTEN,
                                                 FIELD_CTA_LINE_PAIRS,
                                                 FIELD_L1_UNIFORMITY,
                                                 FIELD_L1_MISSES_ELSEWHERE,
                                                 FIELD_L1_COPIES,
                                                 FIELD_READ_ONLY_SHARED,
                                                 FIELD_CTA_SHARED_LINES};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_true(isnan(got[unknown[i]]));
        want[unknown[i]] = (double)NAN;
    }
}

/* Up to the first beginning that is all of the launch. */
static void compare_prefixes(const struct naive *n, const struct profile_record *record,
                             const struct launch *whole)
{
    uint32_t known = n->ended < WINDOW_PREFIXES ? n->ended + 1 : WINDOW_PREFIXES;
    assert_int_equal(record->n_prefixes, known);
    for (uint32_t p = 0; p < known; p++) {
        struct launch launch = p < n->ended ? n->prefixes[p] : *whole;
        const struct profile_record *prefix = &record->prefixes[p];
        naive_ratios(n->config, NAIVE_PARTS, &launch);
        window_unknown(prefix->fields, launch.fields);
        compare_fields(prefix, &launch);
        assert_int_equal(prefix->launches, 1);
        assert_int_equal(prefix->n_curves, record->n_curves);
        compare_curves(n, prefix, &launch);
    }
    assert_ptr_equal(profile_record_prefix(record, 1e18), &record->prefixes[known - 1]);
}

/* A few hot pages and many accesses: lines are found slowly by the naive pass. */
static void add_accesses(struct synthetic *s, uint64_t *random, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t kind = pick(random, 0, 9);
        /* Nobody writes the upper lines. */
        uint64_t line = check_random(random) % (kind < 7 ? 40 : 25);
        uint64_t address = 128 * line + 4 * (check_random(random) % 32);
        struct warp_access access = {
            .base = address,
            .stride = 4,
            .mask = pick(random, 0, 3) ? 1 : pick(random, 1, 7),
            .instructions = 2,
            .bytes = pick(random, 0, 7) ? 4 : 16,
            .kind = kind < 7   ? ACCESS_READ
                    : kind < 9 ? ACCESS_WRITE
                               : ACCESS_ATOMIC,
            .flags = kind == 0 ? ACCESS_BYPASS_L1 : 0,
        };
        synthetic_add(s, pick(random, 0, 11), 0, access);
    }
}

/* Launches of about so many accesses, in which so many beginnings end. */
static void check_windows(uint32_t sectors, const uint32_t *lengths, const uint32_t *ended,
                          int n_launches)
{
    uint64_t random = sectors;
    struct config c = {.chips = 3,
                       .partitions = 2,
                       .per_chip = 4,
                       .line = 128,
                       .sectors = sectors,
                       .warps = 8,
                       .ctas = 1,
                       .threads = 256,
                       .slices = 3,
                       .page = 512,
                       .interleave = 512,
                       .nodes = 4,
                       .clusters = 2,
                       .batch = 1,
                       .bypass = true,
                       .scheduler = "lrr",
                       .placement = "interleave",
                       .policy = "centralised",
                       .scope = "chip",
                       .coherence = "software"};
    OWNED(machine) *machine = config_machine(&c);
    OWNED(synthetic) *s = synthetic_create("windows");
    for (int i = 0; i < n_launches; i++) {
        synthetic_kernel(s, "k", 12, 1);
        add_accesses(s, &random, lengths[i]);
    }
    OWNED(profile) *profile = naive_profile(&s->source, machine, NAIVE_PARTS | PART_WINDOW);
    struct naive *naive = naive_create(&c, &s->source);
    struct launch *launches = memory_zero(1 + WINDOW_PREFIXES, sizeof *launches);
    naive->prefixes = &launches[1];
    naive_take_kinds(naive, &profile->views[0].records[0]);
    for (int i = 0; i < n_launches; i++) {
        memset(launches, 0, (1 + WINDOW_PREFIXES) * sizeof *launches);
        naive_launch(naive, &s->kernels.items[i], launches);
        compare_prefixes(naive, &profile->views[0].records[i], launches);
        compare_launch(naive, NAIVE_PARTS, &profile->views[0].records[i], launches);
        assert_int_equal(naive->ended, ended[i]); /* the cases are those that are meant */
    }
    free(launches);
    naive_destroy(naive);
}

TEST(test_window)
{
    check_windows(1, (const uint32_t[]){70000, 15000, 400, 0}, (const uint32_t[]){4, 2, 0, 0}, 4);
}

TEST(test_window_sectors)
{
    check_windows(4, (const uint32_t[]){11000, 3000}, (const uint32_t[]){2, 1}, 2);
}

/* --- structured streams ---------------------------------------------------------------- */

/* Lines of 128 B, no L1, first touch, two SMs a chip. */
static const struct config plain = {.chips = 2,
                                    .partitions = 1,
                                    .per_chip = 2,
                                    .line = 128,
                                    .sectors = 1,
                                    .warps = 8,
                                    .ctas = 2,
                                    .threads = 256,
                                    .slices = 2,
                                    .page = 256,
                                    .interleave = 256,
                                    .nodes = 2,
                                    .clusters = 2,
                                    .batch = 1,
                                    .scheduler = "lrr",
                                    .placement = "first-touch",
                                    .policy = "centralised",
                                    .scope = "chip",
                                    .coherence = "software"};

static struct config odd(uint32_t chips, uint32_t partitions, uint32_t per_domain)
{
    struct config c = plain;
    c.chips = chips;
    c.partitions = partitions;
    c.per_chip = c.nodes = c.clusters = partitions * per_domain;
    c.l1_bytes = 1024;
    c.l1_ways = 4;
    return c;
}

/* Every block reads and writes one line, which one block touches first. */
TEST(test_one_line)
{
    for (uint32_t chips = 1; chips <= 5; chips += 2)
        for (uint32_t partitions = 1; partitions <= 3; partitions++) {
            struct config c = odd(chips, partitions, 2);
            OWNED(synthetic) *s = synthetic_create("one line");
            for (int k = 0; k < 3; k++) {
                synthetic_kernel(s, "k", 17, 2);
                for (uint32_t i = 0; i < 68; i++)
                    synthetic_lane(s, i % 17, i / 17 % 2, i % 5 == 4 ? ACCESS_WRITE : ACCESS_READ,
                                   4 * i % 128);
            }
            naive_compare(&c, s);
        }
}

/* All SMs touch the same pages in the same round: whose they are is a matter of turns. */
TEST(test_ties)
{
    static const char *const placements[] = {"first-touch", "round-robin", "lab"};
    for (uint32_t i = 0; i < 9; i++) {
        struct config c = odd(1 + i % 3 * 2, 1 + i / 3, 3);
        OWNED(synthetic) *s = synthetic_create("ties");
        c.placement = placements[i % 3];
        c.threshold = 0.9;
        for (int k = 0; k < 2; k++) {
            synthetic_kernel(s, "k", config_sms(&c), 1);
            for (uint64_t page = 0; page < 12; page++)
                for (uint32_t cta = 0; cta < config_sms(&c); cta++)
                    synthetic_lane(s, cta, 0, ACCESS_READ, page * c.page);
        }
        naive_compare(&c, s);
    }
}

/* Lanes of 16 and 32 bytes that lie across lines, sectors and pages. */
TEST(test_straddling)
{
    for (uint32_t sectors = 1; sectors <= 4; sectors *= 2)
        for (uint64_t offset = 97; offset < 128; offset += 5) {
            struct config c = odd(3, 1, 1);
            OWNED(synthetic) *s = synthetic_create("straddling");
            c.sectors = sectors;
            for (int k = 0; k < 2; k++) {
                synthetic_kernel(s, "k", 6, 1);
                for (uint64_t i = 0; i < 48; i++)
                    synthetic_add(s, i % 6, 0,
                                  (struct warp_access){.base = offset + 64 * i,
                                                       .stride = 128,
                                                       .mask = 0xf0f,
                                                       .instructions = 1,
                                                       .bytes = i % 2 ? 32 : 16,
                                                       .kind = ACCESS_READ + i % 3});
            }
            naive_compare(&c, s);
        }
}

/* One SM; launches without accesses, without blocks, with instructions only; then data
 * that the memory side still holds. */
TEST(test_nothing)
{
    struct config c = odd(1, 1, 1);
    OWNED(synthetic) *s = synthetic_create("nothing");
    synthetic_kernel(s, "reads", 3, 1);
    for (uint64_t i = 0; i < 30; i++)
        synthetic_lane(s, i % 3, 0, ACCESS_READ, i * 128 % 2048);
    synthetic_kernel(s, "silent", 4, 2);
    synthetic_kernel(s, "no blocks", 0, 1);
    synthetic_kernel(s, "computes", 5, 1);
    for (uint64_t i = 0; i < 5; i++)
        synthetic_add(s, i, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 7});
    synthetic_kernel(s, "reads again", 3, 1);
    for (uint64_t i = 0; i < 30; i++)
        synthetic_lane(s, i % 3, 0, ACCESS_READ, i * 128 % 2048);
    naive_compare(&c, s);
    c = odd(3, 2, 1);
    naive_compare(&c, s);
}

/* --- by hand ------------------------------------------------------------------------- */

/* Chip 0 owns A, chip 1 owns B and C. In the second launch chip 0 asks for A and takes
 * replicas of B and C, which leave at its end: a cache of one or two lines had to give A
 * up for them and does not get it back. */
TEST(test_replicas_leave)
{
    enum { A = 0, B = 256, C = 512 };
    struct config c = plain;
    c.per_chip = c.nodes = c.clusters = 1;
    OWNED(machine) *machine = config_machine(&c);
    OWNED(synthetic) *s = synthetic_create("replicas");
    synthetic_kernel(s, "homes", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, A);
    synthetic_lane(s, 1, 0, ACCESS_READ, B);
    synthetic_lane(s, 1, 0, ACCESS_READ, C);
    synthetic_kernel(s, "replicas", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, A);
    synthetic_lane(s, 0, 0, ACCESS_READ, B);
    synthetic_lane(s, 0, 0, ACCESS_READ, C);
    synthetic_kernel(s, "back", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, A);
    struct profile *profile = naive_profile(&s->source, machine, PART_REPLICATION);
    const struct profile_record *records = profile->views[0].records;
    const struct profile_curve *curve =
        profile_curve_find(&records[1], "chip", "home", "replicated");
    assert_int_equal(curve->curve.requests, 3);
    assert_int_equal(curve->curve.cold, 2);
    check_relative(curve_miss_ratio_full(&curve->curve, 1), 2.0 / 3, 1e-15);
    check_field(&records[1], FIELD_REPLICABLE, 2);
    curve = profile_curve_find(&records[2], "chip", "home", "replicated");
    assert_int_equal(curve->curve.cold, 0);
    check_relative(curve_miss_ratio_full(&curve->curve, 2), 1, 0);
    check_relative(curve_miss_ratio_full(&curve->curve, 3), 0, 0);
    profile_destroy(profile);
    naive_compare(&c, s);
}

/* An LLC of 8 sets, all of which the samplers see. Reads: a level before it catches all
 * but the first, and the LLC never hits. Writes: it takes them all, and sends lines home at
 * the end of each launch, where they are new in the first one only. */
TEST(test_samplers_behind_a_level)
{
    enum { LINES = 32, TIMES = 4, LAUNCHES = 2 };
    OWNED(machine) *machine =
        check_machine("machine: levels\nchips: 1\nline: 128 B\nsm: {per_chip: 1, scheduler: lrr}\n"
                      "l15: {capacity: 64 KiB, ways: 16, filter: all, write: back}\n"
                      "llc: {capacity: 16 KiB, ways: 16, slices: 1}\n");
    for (int writes = 0; writes < 2; writes++) {
        OWNED(synthetic) *s = synthetic_create("samplers");
        for (int k = 0; k < LAUNCHES; k++) {
            synthetic_kernel(s, "k", 1, 1);
            for (uint64_t i = 0; i < LINES * TIMES; i++)
                synthetic_lane(s, 0, 0, writes ? ACCESS_WRITE : ACCESS_READ, i % LINES * 128);
        }
        OWNED(profile) *profile = naive_profile(&s->source, machine, PART_SAMPLERS);
        for (int k = 0; k < LAUNCHES; k++) {
            const struct profile_record *record = &profile->views[0].records[k];
            check_field(record, FIELD_REQUESTS, LINES * TIMES);
            check_field(record, FIELD_HOME_REQUESTS, LINES);
            check_field(record, check_sampled("mdr.hit_replicated"), k);
            check_field(record, check_sampled("crd.hit"),
                        0); /* a launch begins with an empty directory */
        }
    }
}

/* Chip 1 reads a line of chip 0's piece by piece: all that it fetches is used, be it the line
 * or its sectors; then another line's first piece. */
TEST(test_line_use)
{
    enum { PIECES = 32 };
    for (uint32_t sectors = 1; sectors <= 4; sectors *= 2) {
        struct config c = plain;
        c.per_chip = c.nodes = c.clusters = 1;
        c.sectors = sectors;
        OWNED(machine) *machine = config_machine(&c);
        OWNED(synthetic) *s = synthetic_create("use");
        check_set(machine, "l1.contents", "lru");
        check_set(machine, "l1.capacity", "4 KiB");
        synthetic_kernel(s, "k", 2, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 0);
        for (uint64_t i = 0; i <= PIECES; i++)
            synthetic_lane(s, 1, 0, ACCESS_READ, 4 * ((i + 1) % (PIECES + 1)));
        OWNED(profile) *profile = naive_profile(&s->source, machine, PART_LOCALITY);
        check_relative(profile->views[0].records[0].fields[FIELD_LINE_USE],
                       (PIECES + 1.0) / (PIECES + PIECES / sectors), 1e-12);
    }
}

/* What bypasses L1 passes its node: 3 reads at one, 1 at the other, mean over maximum
 * 2/3. A machine without L1 has no nodes. */
TEST(test_node_uniformity)
{
    struct config c = plain;
    c.chips = 1;
    OWNED(synthetic) *s = synthetic_create("nodes");
    synthetic_kernel(s, "k", 2, 1);
    for (int i = 0; i < 3; i++)
        synthetic_add(s, 0, 0,
                      (struct warp_access){.mask = 1,
                                           .instructions = 1,
                                           .bytes = 4,
                                           .kind = ACCESS_READ,
                                           .flags = ACCESS_BYPASS_L1});
    synthetic_lane(s, 1, 0, ACCESS_READ, 0);
    OWNED(machine) *machine = config_machine(&c);
    struct profile *profile = naive_profile(&s->source, machine, PART_BASE);
    assert_true(isnan(profile->views[0].records[0].fields[FIELD_L1_UNIFORMITY]));
    profile_destroy(profile);
    check_set(machine, "l1.capacity", "1 KiB");
    profile = naive_profile(&s->source, machine, PART_BASE);
    check_relative(profile->views[0].records[0].fields[FIELD_L1_UNIFORMITY], 2.0 / 3, 1e-15);
    check_field(&profile->views[0].records[0], FIELD_L1_READS, 1);
    profile_destroy(profile);
}

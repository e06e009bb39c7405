/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Homes by hand: page placement, sharing classes, slices, traffic. */
#include "profile_check.h"

#include "core/hash.h"
#include "profile/run/profiler.h"

/* One warp a block, one block an SM at a time: small enough to follow. */
static const char two_chips[] = "machine: two\n"
                                "chips: 2\n"
                                "line: 128 B\n"
                                "sm: {per_chip: 1, scheduler: lrr}\n"
                                "l1: {capacity: 1 KiB, ways: 2}\n"
                                "llc: {capacity: 64 KiB, slices: 1}\n"
                                "page: {size: 256 B, policy: first-touch}\n"
                                "cta: {policy: distributed}\n";

/* --- the page examples of SAC: page A first touched by chip 0, B by chip 1 ---- */

enum { A1 = 0, A2 = 128, B1 = 256, B2 = 384 };

/* Each chip reads its lines in turn, in the order given. */
static struct profile *pages(const uint64_t *chip0, const uint64_t *chip1, int n)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("pages");
    synthetic_kernel(s, "k", 2, 1);
    for (int i = 0; i < n; i++) {
        synthetic_lane(s, 0, 0, ACCESS_READ, chip0[i]);
        synthetic_lane(s, 1, 0, ACCESS_READ, chip1[i]);
    }
    struct profile *profile = check_profile(&s->source, machine, false);
    return profile;
}

static void check_sharing(const struct profile *profile, double truly, double falsely, double non,
                          double n_pages)
{
    const struct profile_sharing *sharing = &profile->views[0].sharing;
    check_relative(sharing->truly_shared_bytes, 128 * truly, 0);
    check_relative(sharing->falsely_shared_bytes, 128 * falsely, 0);
    check_relative(sharing->non_shared_bytes, 128 * non, 0);
    check_relative(sharing->footprint_bytes, 128 * (truly + falsely + non), 0);
    check_relative(sharing->pages, n_pages, 0);
}

/* What a cold cache holds in the end: its distinct lines, a cold miss each. */
static void check_held(const struct profile *profile, const char *side, uint64_t chip0,
                       uint64_t chip1)
{
    const struct profile_curve *curve =
        profile_curve_find(&profile->views[0].records[0], "chip", side, "all");
    assert_non_null(curve);
    assert_int_equal(curve->n_domains, 2);
    assert_int_equal(curve->domain_cold[0], chip0);
    assert_int_equal(curve->domain_cold[1], chip1);
    assert_int_equal(curve->curve.cold, chip0 + chip1);
}

/* (a) C0: A1 A2, C1: B1 B2: nothing is shared, both organisations hold the same
 * lines in the same chips. */
TEST(test_pages_a)
{
    OWNED(profile) *profile = pages((uint64_t[]){A1, A2}, (uint64_t[]){B1, B2}, 2);
    check_sharing(profile, 0, 0, 4, 2);
    check_field(&profile->views[0].records[0], FIELD_R_LOCAL, 1);
    const double *traffic = profile->views[0].records[0].traffic;
    assert_true(traffic[0] == 2 && traffic[1] == 0 && traffic[2] == 0 && traffic[3] == 2);
    check_held(profile, "home", 2, 2);
    check_held(profile, "requester", 2, 2);
}

/* (b) C0: A1 B1, C1: A2 B2 (B2 before A2, so that B's home is chip 1): all four
 * falsely shared; memory-side holds A1 A2 in C0 and B1 B2 in C1, SM-side A1 B1 in
 * C0 and A2 B2 in C1: what chip 1 asks of chip 0 is A2. */
TEST(test_pages_b)
{
    OWNED(profile) *profile = pages((uint64_t[]){A1, B1}, (uint64_t[]){B2, A2}, 2);
    check_sharing(profile, 0, 4, 0, 2);
    check_field(&profile->views[0].records[0], FIELD_R_LOCAL, 0.5);
    const double *traffic = profile->views[0].records[0].traffic;
    assert_true(traffic[0] == 1 && traffic[1] == 1 && traffic[2] == 1 && traffic[3] == 1);
    check_held(profile, "home", 2, 2);
    check_held(profile, "requester", 2, 2);
}

/* (c) both touch A1 and B1: truly shared; memory-side one copy each, SM-side two. */
TEST(test_pages_c)
{
    OWNED(profile) *profile = pages((uint64_t[]){A1, B1}, (uint64_t[]){B1, A1}, 2);
    check_sharing(profile, 2, 0, 0, 2);
    check_relative(profile->views[0].sharing.read_only_shared_bytes, 256, 0);
    const double *traffic = profile->views[0].records[0].traffic;
    assert_true(traffic[0] == 1 && traffic[1] == 1 && traffic[2] == 1 && traffic[3] == 1);
    check_held(profile, "home", 1, 1);
    check_held(profile, "requester", 2, 2);
}

/* A line that is written anywhere is not read-only; atomics write. */
TEST(test_read_only)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("read-only");
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t cta = 0; cta < 2; cta++)
        for (uint64_t line = 0; line < 3; line++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 128 * line);
    synthetic_kernel(s, "later", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 128);
    synthetic_lane(s, 0, 0, ACCESS_ATOMIC, 256);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_sharing(profile, 3, 0, 0, 2);
    check_relative(profile->views[0].sharing.read_only_shared_bytes, 128, 0);
}

/* Uniformity by hand: with one slice a chip the slice is the chip. */
TEST(test_uniformity)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("uniformity");
    /* Chip 0 writes pages 0 and 1 (its own), chip 1 then writes line 0 twice: homes
     * 4 : 0, requesters 2 : 2. */
    synthetic_kernel(s, "first", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 256);
    synthetic_kernel(s, "second", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 256);
    synthetic_lane(s, 1, 0, ACCESS_WRITE, 0);
    synthetic_lane(s, 1, 0, ACCESS_WRITE, 0);
    synthetic_kernel(s, "third", 2, 1);
    for (int i = 0; i < 3; i++)
        synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    synthetic_lane(s, 1, 0, ACCESS_WRITE, 128);
    synthetic_kernel(s, "silent", 2, 1);
    struct profile *profile = check_profile(&s->source, machine, false);
    const struct profile_record *records = profile->views[0].records;
    check_field(&records[1], FIELD_LSU_MEMORY_SIDE, 0.5);
    check_field(&records[1], FIELD_LSU_SM_SIDE, 1);
    check_field(&records[1], FIELD_R_LOCAL, 0.5);
    check_relative(records[2].fields[FIELD_LSU_SM_SIDE], 2.0 / 3, 1e-15);
    check_field(&records[2], FIELD_R_LOCAL, 0.75);
    /* Nothing asked for: unknown, not a number. */
    check_field(&records[3], FIELD_REQUESTS, 0);
    assert_true(isnan(records[3].fields[FIELD_LSU_MEMORY_SIDE]));
    assert_true(isnan(records[3].fields[FIELD_LSU_SM_SIDE]));
    assert_true(isnan(records[3].fields[FIELD_R_LOCAL]));
    profile_destroy(profile);

    /* More slices: the high bits of fmix64(line) choose. */
    check_set(machine, "llc.slices", "5");
    profile = check_profile(&s->source, machine, false);
    uint64_t lines[] = {0, 0, 0, 1};
    double count[5] = {0}, most = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t slice = (uint32_t)(((hash_fmix64(lines[i]) >> 32) * 5) >> 32);
        most = fmax(most, ++count[slice]);
    }
    check_relative(profile->views[0].records[2].fields[FIELD_LSU_MEMORY_SIDE], 4 / most / 10,
                   1e-15);
    profile_destroy(profile);
}

/* The pages' homes by every policy: 2 chips, pages 0 .. 3 of two lines. */
TEST(test_placements)
{
    static const struct {
        const char *policy, *interleave;
        double traffic[4]; /* 0->0 0->1 1->0 1->1 */
    } cases[] = {
        {"first-touch", "128 B", {3, 1, 1, 3}},
        /* Touched in the order 0 2 3 1: the second round begins with chip 1. */
        {"round-robin", "128 B", {2, 2, 3, 1}},
        {"interleave", "128 B", {3, 1, 3, 1}},
        {"interleave", "256 B", {3, 1, 2, 2}},
        {"interleave", "512 B", {3, 1, 1, 3}},
        {"interleave", "4 KiB", {4, 0, 4, 0}},
        {"recorded", "128 B", {1, 3, 3, 1}},
        {"lab", "128 B", {3, 1, 1, 3}},
        /* Pages 1 to 3 are an allocation's: 1 and 2 on chip 0; page 0 is nobody's. */
        {"blocks", "128 B", {4, 0, 2, 2}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("placements");
        synthetic_kernel(s, "k", 2, 1);
        /* Chip 0 touches pages 0 0 1 2, chip 1 pages 2 3 3 0, in rounds that rotate. */
        static const uint64_t lines[2][4] = {{0, 1, 2, 4}, {4, 6, 7, 0}};
        for (int i = 0; i < 4; i++)
            for (uint64_t cta = 0; cta < 2; cta++)
                synthetic_lane(s, cta, 0, ACCESS_WRITE, 128 * lines[cta][i]);
        VECTOR_PUSH(&s->source.homes, (struct stream_home){512, 512, 0});
        VECTOR_PUSH(&s->source.homes, (struct stream_home){64, 256, 1}); /* pages 0 and 1 */
        VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"", 300, 700});
        check_set(machine, "page.policy", cases[c].policy);
        check_set(machine, "page.interleave", cases[c].interleave);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        const double *traffic = profile->views[0].records[0].traffic;
        for (int i = 0; i < 4; i++)
            if (traffic[i] != cases[c].traffic[i])
                fail_msg("case %zu: traffic[%d] is %g", c, i, traffic[i]);
    }
}

/* Chip 1 alone touches four pages: nothing placed yet, 0 + 1 pages, 1 + 1, 1 + 2. */
TEST(test_lab_threshold)
{
    static const struct {
        const char *threshold;
        double on_0, on_1;
    } cases[] = {{"0.9", 2, 2}, {"0.75", 2, 2}, {"0.7", 1, 3}, {"50 %", 1, 3}, {"0.4", 0, 4}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("lab");
        check_set(machine, "page.policy", "lab");
        check_set(machine, "page.threshold", cases[c].threshold);
        synthetic_kernel(s, "k", 2, 1);
        for (uint64_t page = 0; page < 4; page++)
            synthetic_lane(s, 1, 0, ACCESS_READ, 256 * page);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        const double *traffic = profile->views[0].records[0].traffic;
        check_relative(traffic[2], cases[c].on_0, 0);
        check_relative(traffic[3], cases[c].on_1, 0);
    }
}

TEST(test_placement_errors)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("homeless");
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {0};
    synthetic_kernel(s, "k", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    synthetic_lane(s, 0, 0, ACCESS_READ, 1024);
    check_set(machine, "page.policy", "recorded");
    check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INPUT,
                "records no homes");
    VECTOR_PUSH(&s->source.homes, (struct stream_home){0, 512, 0});
    check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INPUT,
                "the page at 0x400 has no home");
    VECTOR_PUSH(&s->source.homes, (struct stream_home){1024, 1, 2});
    check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INPUT,
                "lives on chip 2");
    assert_int_equal(profile->n_views, 0);
    check_set(machine, "page.policy", "interleave");
    check_set(machine, "page.interleave", "192 B");
    check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INPUT,
                "page.policy interleave: homes that change every 192 bytes divide lines of 128");
}

/* A tie at first touch: round r begins with place r, so the toucher changes. */
TEST(test_first_touch_ties)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("ties");
    check_set(machine, "chips", "3");
    synthetic_kernel(s, "k", 3, 1);
    for (uint64_t page = 0; page < 6; page++)
        for (uint64_t cta = 0; cta < 3; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 256 * page);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    for (int i = 0; i < 9; i++)
        check_relative(profile->views[0].records[0].traffic[i], 2, 0);
    check_sharing(profile, 6, 0, 0, 6);
}

/* Long enough for every engine to run out of time slots. Two chips sweep 10 pages of 32
 * lines side by side, a page a round, the pages' homes in turn. A chip sees 320 lines in
 * a circle. A home sees 160 of them, each round twice: the second chip finds every line
 * behind the 31 others of the page, the first one behind all 159. */
TEST(test_long)
{
    enum { ROUNDS = 20000, GROUP = 32, GROUPS = 10, N = GROUP * GROUPS };
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("long");
    check_set(machine, "page.size", "4 KiB");
    check_set(machine, "page.policy", "interleave");
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t i = 0; i < ROUNDS; i++)
        for (uint64_t cta = 0; cta < 2; cta++)
            synthetic_add(s, cta, 0,
                          (struct warp_access){.base = i % GROUPS * 4096,
                                               .stride = 128,
                                               .mask = UINT32_MAX,
                                               .instructions = 1,
                                               .bytes = 4,
                                               .kind = ACCESS_WRITE});
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    const struct curve *home = &profile_curve_find(record, "chip", "home", "all")->curve;
    const struct curve *own = &profile_curve_find(record, "chip", "requester", "all")->curve;
    double requests = 2.0 * ROUNDS * GROUP;
    check_field(record, FIELD_REQUESTS, requests);
    assert_int_equal(own->cold, 2 * N);
    check_relative(curve_miss_ratio_full(own, N - 6), 1, 0); /* bins are 4 wide there */
    check_relative(curve_miss_ratio_full(own, N + 4), 2 * N / requests, 1e-12);
    assert_int_equal(home->cold, N);
    check_relative(curve_miss_ratio_full(home, 31), 1, 0);
    check_relative(curve_miss_ratio_full(home, 32), 0.5, 1e-12);
    check_relative(curve_miss_ratio_full(home, 158), 0.5, 1e-12);
    check_relative(curve_miss_ratio_full(home, 160), N / requests, 1e-12);
}

/* Four lines of 64 B in two slices of 128 B each: one slice has the first two, the other the next
 * two, and lines 0, 1, 4 and 5 are all in the first one. */
TEST(interleaved_slices)
{
    static const char text[] =
        "machine: t\nchips: 1\nline: 64 B\nsm: {per_chip: 1}\nl1: {capacity: 1 KiB}\n"
        "llc: {organisation: memory-side, capacity: 64 KiB, slices: 2, mapping: fixed, "
        "interleave: %s}\nmemory: {bandwidth: 1 TB/s}\n";
    static const struct {
        const char *interleave;
        double uniformity; /* mean over maximum: 2 of 4, or all even */
    } cases[] = {{"128 B", 0.5}, {"64 B", 1}, {"256 B", 1}};
    static const uint64_t lines[] = {0, 1, 4, 5};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char machine[512];
        snprintf(machine, sizeof machine, text, cases[i].interleave);
        OWNED(machine) *m = check_machine(machine);
        OWNED(synthetic) *s = synthetic_create("slices");
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1};
        synthetic_kernel(s, "k", 1, 1);
        for (size_t k = 0; k < 4; k++)
            synthetic_lane(s, 0, 0, ACCESS_READ, 64 * lines[k]);
        check_ok(profile_make(p, &s->source, m, &options, &failure));
        check_relative(p->views[0].records[0].fields[FIELD_LSU_MEMORY_SIDE], cases[i].uniformity,
                       1e-12);
    }
}

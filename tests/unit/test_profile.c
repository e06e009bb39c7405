/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views by hand: counts, L1, kernel boundaries, thread blocks, launches. */
#include "profile_check.h"
#include "sampled_check.h"

#include "core/parallel.h"
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

/* --- counts --------------------------------------------------------------------- */

/* One SM, L1 of 4 sets of 2 ways: lines 0, 4, 8 meet in set 0. */
static const struct {
    enum access_kind kind;
    uint64_t line;
    bool bypass, hit;
} l1_steps[] = {
    {ACCESS_READ, 0, false, false},   {ACCESS_READ, 4, false, false},
    {ACCESS_READ, 0, false, true},  /* now 0 is the more recent */
    {ACCESS_READ, 8, false, false}, /* in place of 4 */
    {ACCESS_READ, 4, false, false}, /* in place of 0 */
    {ACCESS_READ, 8, false, true},    {ACCESS_WRITE, 4, false, false},  /* stays, more recent */
    {ACCESS_READ, 0, false, false},                                     /* in place of 8 */
    {ACCESS_READ, 4, false, true},    {ACCESS_WRITE, 12, false, false}, /* no allocation */
    {ACCESS_READ, 0, false, true},    {ACCESS_READ, 12, false, false},  /* in place of 4 */
    {ACCESS_ATOMIC, 0, false, false},                                   /* 0 leaves */
    {ACCESS_READ, 12, false, true},   {ACCESS_READ, 16, false, false},  /* in the free way */
    {ACCESS_READ, 12, false, true},   {ACCESS_READ, 16, true, false},   /* past L1 */
    {ACCESS_READ, 16, false, true},   {ACCESS_WRITE, 12, true, false},  /* past L1 */
    {ACCESS_READ, 20, false, false},  {ACCESS_READ, 12, false, false},  /* was the older */
    {ACCESS_READ, 1, false, false},   {ACCESS_READ, 1, false, true},    /* another set */
};

TEST(test_l1)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("l1");
    check_set(machine, "chips", "1");
    synthetic_kernel(s, "k", 1, 1);
    int n = sizeof l1_steps / sizeof *l1_steps, hits = 0, looks = 0, reads = 0;
    for (int i = 0; i < n; i++) {
        struct warp_access access = {.base = l1_steps[i].line * 128,
                                     .mask = 1,
                                     .instructions = 2,
                                     .bytes = 4,
                                     .kind = (uint8_t)l1_steps[i].kind,
                                     .flags = l1_steps[i].bypass ? ACCESS_BYPASS_L1 : 0};
        synthetic_add(s, 0, 0, access);
        hits += l1_steps[i].hit;
        looks += l1_steps[i].kind == ACCESS_READ && !l1_steps[i].bypass;
        reads += l1_steps[i].kind == ACCESS_READ && !l1_steps[i].hit;
    }
    struct profile *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    check_field(record, FIELD_L1_READS, looks);
    check_field(record, FIELD_L1_READ_HITS, hits);
    check_field(record, FIELD_READS, reads);
    check_field(record, FIELD_WRITES, 3);
    check_field(record, FIELD_ATOMICS, 1);
    check_field(record, FIELD_REQUESTS, n - hits);
    check_field(record, FIELD_BYTES, 128 * (n - hits));
    check_field(record, FIELD_LINES, 7);
    check_field(record, FIELD_WARP_INSTRUCTIONS, 2 * n);
    check_field(record, FIELD_R_LOCAL, 1);
    check_field(record, FIELD_LSU_MEMORY_SIDE, 1);
    profile_destroy(profile);

    /* Without an L1 every read is a request, and none looks it up. */
    OWNED(machine) *without = check_machine("machine: bare\nchips: 1\nsm: {per_chip: 1}\n"
                                            "llc: {slices: 4}\n");
    profile = check_profile(&s->source, without, false);
    record = &profile->views[0].records[0];
    check_field(record, FIELD_L1_READS, 0);
    check_field(record, FIELD_REQUESTS, n);
    profile_destroy(profile);
}

/* Lanes, bytes, lines and sectors of straddling, strided and listed accesses. */
TEST(test_coalescing_counts)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("coalescing");
    uint64_t list[WARP_LANES] = {126, 128 * 9, 0, 4};
    synthetic_kernel(s, "k", 1, 1);
    struct warp_access access = {.instructions = 1, .kind = ACCESS_READ};
    /* 32 lanes of 4 bytes from 64 on: lines 0 (2 sectors) and 1 (2). */
    access.base = 64, access.stride = 4, access.mask = UINT32_MAX, access.bytes = 4;
    synthetic_add(s, 0, 0, access);
    /* One lane of 16 bytes over the end of line 2: 2 lines, a sector each. */
    access.base = 2 * 128 + 120, access.mask = 1U << 17, access.bytes = 16;
    synthetic_add(s, 0, 0, access);
    /* 4 lanes of 8 bytes: 126 straddles lines 0 and 1; line 9; 0 and 4 in line 0's first
     * sector: lines 0 (2 sectors), 1, 9. */
    access.addresses = list, access.mask = 0x80000111, access.bytes = 8;
    synthetic_add(s, 0, 0, access);
    /* No lane but an instruction. */
    access.mask = 0, access.addresses = NULL;
    synthetic_add(s, 0, 0, access);
    synthetic_add(s, 0, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 10});
    struct profile *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    check_field(record, FIELD_CTAS, 1);
    check_field(record, FIELD_WARP_ACCESSES, 3);
    check_field(record, FIELD_WARP_INSTRUCTIONS, 14);
    check_field(record, FIELD_LANE_ACCESSES, 37);
    check_field(record, FIELD_LANE_BYTES, 128 + 16 + 32);
    check_field(record, FIELD_LINE_ACCESSES, 2 + 2 + 3);
    check_field(record, FIELD_SECTOR_ACCESSES, 4 + 2 + 4);
    check_field(record, FIELD_LINES, 5);
    check_field(record, FIELD_L1_READ_HITS, 2); /* lines 0 and 1 again */
    profile_destroy(profile);

    /* An unknown number of instructions stays unknown; long lines have more sectors than
     * bits: 2 KiB lines count 64 bytes a bit. */
    synthetic_kernel(s, "unknown", 1, 1);
    access = (struct warp_access){.mask = UINT32_MAX, .bytes = 4, .kind = ACCESS_READ, .stride = 4};
    synthetic_add(s, 0, 0, access);
    check_set(machine, "line", "2 KiB");
    check_set(machine, "page.size", "4 KiB");
    check_set(machine, "l1.capacity", "32 KiB");
    profile = check_profile(&s->source, machine, false);
    assert_true(isnan(profile->views[0].records[1].fields[FIELD_WARP_INSTRUCTIONS]));
    check_field(&profile->views[0].records[1], FIELD_SECTOR_ACCESSES, 4);
    profile_destroy(profile);
}

/* Memory-side contents stay from kernel to kernel, SM-side ones under hardware coherence; under
 * software coherence what was written goes. */
TEST(test_kernel_boundaries)
{
    for (int hardware = 0; hardware < 2; hardware++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("boundaries");
        check_set(machine, "coherence", hardware ? "hardware" : "software");
        for (int k = 0; k < 2; k++) {
            synthetic_kernel(s, "k", 1, 1);
            for (uint64_t line = 0; line < 3; line++)
                synthetic_lane(s, 0, 0, line < 2 ? ACCESS_READ : ACCESS_WRITE, 128 * line);
        }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        const struct profile_record *second = &profile->views[0].records[1];
        const struct curve *home = &profile_curve_find(second, "chip", "home", "all")->curve;
        const struct curve *own = &profile_curve_find(second, "chip", "requester", "all")->curve;
        check_field(second, FIELD_L1_READ_HITS, 0);
        check_field(second, FIELD_LINES, 3);
        assert_int_equal(home->requests, 3);
        assert_int_equal(home->cold, 0);
        check_relative(curve_miss_ratio_full(home, 2), 1, 0);
        check_relative(curve_miss_ratio_full(home, 3), 0, 0);
        assert_int_equal(own->cold, hardware ? 0 : 1); /* what was written */
        check_relative(curve_miss_ratio_full(own, 3), hardware ? 0 : 1.0 / 3, 1e-15);
    }
}

TEST(test_allocations)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("allocations");
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"a", 1000, 100});
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"b", 1100, 50});
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"never", 2000, 50});
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"d", 3000, 1 << 20});
    uint64_t list[WARP_LANES] = {999, 1000, 1099, 1100, 1150, 3000, 2999, 5};
    synthetic_kernel(s, "k", 1, 1);
    struct warp_access access = {.instructions = 1, .kind = ACCESS_READ, .bytes = 4};
    access.addresses = list, access.mask = 0xff;
    synthetic_add(s, 0, 0, access);
    /* 16 lanes 10 bytes apart from 1040: 6 in a, 5 in b, then none. */
    access = (struct warp_access){.instructions = 1,
                                  .kind = ACCESS_WRITE,
                                  .bytes = 4,
                                  .base = 1040,
                                  .stride = 10,
                                  .mask = 0xffff};
    synthetic_add(s, 0, 0, access);
    access = (struct warp_access){.instructions = 1,
                                  .kind = ACCESS_ATOMIC,
                                  .bytes = 4,
                                  .base = 3124,
                                  .stride = -4,
                                  .mask = UINT32_MAX};
    synthetic_add(s, 0, 0, access);
    synthetic_kernel(s, "other", 1, 1);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    assert_int_equal(record->n_allocations, 3);
    const struct profile_allocation *a = &record->allocations[0], *b = a + 1, *d = a + 2;
    assert_string_equal(a->name, "a");
    assert_int_equal(a->lane_reads, 2);
    assert_int_equal(a->lane_writes, 6);
    assert_int_equal(b->lane_reads, 1);
    assert_int_equal(b->lane_writes, 5);
    assert_string_equal(d->name, "d");
    assert_int_equal(d->lane_reads, 1);
    assert_int_equal(d->lane_atomics, 32);
    assert_int_equal(profile->views[0].records[1].n_allocations, 0);
}

/* Lines and the blocks that touch them; L1 hits count, launches do not mix. */
TEST(test_cta_sharing)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("blocks");
    synthetic_kernel(s, "k", 4, 1);
    static const uint64_t lines[4][5] = {
        {0, 1, 0, 2, 0}, {0, 0, 1, 0, 0}, {3, 3, 0, 3, 3}, {4, 4, 4, 4, 4}};
    for (uint64_t cta = 0; cta < 4; cta++)
        for (int i = 0; i < 5; i++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 128 * lines[cta][i]);
    synthetic_kernel(s, "again", 4, 1);
    synthetic_lane(s, 3, 0, ACCESS_READ, 0);
    for (int sharing = 0; sharing < 2; sharing++) {
        OWNED(profile) *profile = check_profile(&s->source, machine, sharing);
        const struct profile_record *records = profile->views[0].records;
        check_field(&records[0], FIELD_LINES, 5);
        if (sharing) {
            check_field(&records[0], FIELD_CTA_SHARED_LINES, 2);
            check_field(&records[0], FIELD_CTA_LINE_PAIRS, 3 + 2 + 1 + 1 + 1);
            check_field(&records[1], FIELD_CTA_SHARED_LINES, 0);
            check_field(&records[1], FIELD_CTA_LINE_PAIRS, 1);
        } else {
            assert_true(isnan(records[0].fields[FIELD_CTA_LINE_PAIRS]));
        }
    }
}

/* SMs beyond 65 535 have L1s of their own: what one reads is not in another's. */
TEST(test_many_sms)
{
    static const uint32_t sms[] = {0, 65536, 17 * 4096 - 1};
    if (check_slowness() > 1) { /* so many L1s take long to come and go where memory is watched */
        print_message("left to builds that are not instrumented\n");
        skip();
    }
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("sms");
    check_set(machine, "chips", "17");
    check_set(machine, "sm.per_chip", "4096");
    check_set(machine, "sm.warps", "1");
    check_set(machine, "cta.policy", "recorded");
    synthetic_kernel(s, "k", 3, 1)->cta_sms = sms;
    for (uint64_t cta = 0; cta < 3; cta++)
        for (int i = 0; i < 2; i++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 0);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    check_field(record, FIELD_L1_READS, 6);
    check_field(record, FIELD_L1_READ_HITS, 3);
    check_relative(record->traffic[0], 1, 0);
    check_relative(record->traffic[16 * 17], 2, 0);
}

/* --- launches --------------------------------------------------------------------- */

/* 70 launches of 3 kinds: grouped; sums add, means are weighted, the last stays. */
TEST(test_many_launches)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("launches");
    enum { N = 70 };
    for (int k = 0; k < N; k++) {
        synthetic_kernel(s, k % 10 == 3 ? "odd" : "even", k % 2 ? 2 : 1, 1);
        if (k % 10 == 3)
            for (int i = 0; i <= k; i++) /* 3 + 1 .. 63 + 1 lines by chip 1 */
                synthetic_lane(s, 1, 0, ACCESS_WRITE, 128 * (uint64_t)i);
        else if (k % 2 == 0)
            synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    }
    struct profile *profile = check_profile(&s->source, machine, true);
    const struct profile_view *view = &profile->views[0];
    assert_int_equal(view->n_records, 3);
    const struct profile_record *even = &view->records[0], *silent = even + 1, *odd = even + 2;
    assert_string_equal(even->name, "even");
    assert_int_equal(even->grid[0], 1);
    assert_int_equal(even->launches, 35);
    check_field(even, FIELD_REQUESTS, 35);
    check_field(even, FIELD_CTAS, 35);
    check_field(even, FIELD_LINES, 1);
    assert_int_equal(silent->launches, 28);
    check_field(silent, FIELD_REQUESTS, 0);
    assert_true(isnan(silent->fields[FIELD_R_LOCAL]));
    assert_string_equal(odd->name, "odd");
    assert_int_equal(odd->launches, 7);
    /* 4 + 14 + ... + 64 requests; the first page is chip 0's, the others chip 1's. */
    check_field(odd, FIELD_REQUESTS, 238);
    check_field(odd, FIELD_LINES, 64);
    check_field(odd, FIELD_CTA_LINE_PAIRS, 64);
    check_relative(odd->fields[FIELD_R_LOCAL], (238 - 14.0) / 238, 1e-12);
    check_relative(odd->traffic[2], 14, 0);
    check_relative(odd->traffic[3], 224, 0);
    const struct profile_curve *home = profile_curve_find(odd, "chip", "home", "all");
    assert_int_equal(home->curve.requests, 238);
    assert_int_equal(home->domain_requests[0], 14);
    assert_int_equal(home->domain_requests[1], 224);
    assert_int_equal(home->curve.cold, 63); /* line 0 was known */
    assert_int_equal(profile_curve_find(odd, "chip", "requester", "all")->curve.cold, 238);
    profile_destroy(profile);

    /* Up to 64 each has its record. */
    OWNED(synthetic) *few = synthetic_create("few");
    for (int k = 0; k < 64; k++)
        synthetic_kernel(few, "same", 1, 1);
    profile = check_profile(&few->source, machine, true);
    assert_int_equal(profile->views[0].n_records, 64);
    profile_destroy(profile);
}

/* Launches in which nobody reads know no mean number of copies, and count for nothing in
 * that of their group, however many requests they have. */
TEST(test_means_of_groups)
{
    enum { N = 70, READ = 8 };
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("means"), *alone = synthetic_create("alone");
    double mean = 0, requests = 0;
    for (int k = 0; k < N; k++) {
        bool reads = k % 35 == 20; /* twice, the second time by both chips */
        synthetic_kernel(s, "k", 2, 1);
        if (reads)
            synthetic_kernel(alone, "k", 2, 1);
        for (uint64_t i = 0; i < (reads ? READ : 100); i++) {
            synthetic_lane(s, 0, 0, reads ? ACCESS_READ : ACCESS_WRITE, 128 * i);
            for (uint64_t chip = 0; reads && chip <= (uint64_t)(k > 35); chip++) {
                synthetic_lane(alone, chip, 0, ACCESS_READ, 128 * i);
                if (chip)
                    synthetic_lane(s, 1, 0, ACCESS_READ, 128 * i);
            }
        }
    }
    struct profile *profile = check_profile(&alone->source, machine, false);
    assert_int_equal(profile->views[0].n_records, 2);
    for (int k = 0; k < 2; k++) {
        const struct profile_record *record = &profile->views[0].records[k];
        check_field(record, FIELD_REQUESTS, READ * (k + 1));
        mean += record->fields[FIELD_L1_COPIES] * record->fields[FIELD_REQUESTS];
        requests += record->fields[FIELD_REQUESTS];
    }
    profile_destroy(profile);
    profile = check_profile(&s->source, machine, false);
    assert_int_equal(profile->views[0].n_records, 1);
    check_relative(profile->views[0].records[0].fields[FIELD_L1_COPIES], mean / requests, 1e-12);
    assert_true(mean / requests > 1.1);
    profile_destroy(profile);
}

/* The access window goes on from launch to launch: groups show what it saw of the run. */
TEST(test_run_of_groups)
{
    enum { N = 70, LINES = 1000 };
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("run");
    /* 20 000 accesses of warm-up, 20 000 local, 10 000 remote, and then local ones again;
     * the first launch, a group of its own, does not even end the warm-up. */
    for (int k = 0; k < N; k++) {
        synthetic_kernel(s, k == 0 ? "first" : k % 2 ? "odd" : "even", 2, 1);
        for (uint64_t i = 0; i < LINES; i++)
            synthetic_lane(s, k >= 40 && k < 50, 0, ACCESS_READ, 128 * i);
    }
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {.parts = PART_SAMPLERS};
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    assert_int_equal(profile->views[0].n_records, 3);
    for (int r = 0; r < 3; r++) {
        const double *fields = profile->views[0].records[r].fields;
        check_relative(fields[check_sampled("engine.remote_ratio")], 10.0 / 50, 1e-12);
        check_relative(fields[check_sampled("engine.line_use")], 1.0 / 32, 1e-12);
        check_relative(fields[check_sampled("engine.remote_l1_hit")], 0, 0);
    }
}

TEST(test_nothing)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("nothing");
    struct profile *profile = check_profile(&s->source, machine, true);
    assert_int_equal(profile->views[0].n_records, 0);
    check_relative(profile->views[0].sharing.footprint_bytes, 0, 0);
    check_relative(profile->views[0].sharing.pages, 0, 0);
    profile_destroy(profile);
    synthetic_kernel(s, "empty", 0, 1);
    profile = check_profile(&s->source, machine, true);
    check_field(&profile->views[0].records[0], FIELD_CTAS, 0);
    check_field(&profile->views[0].records[0], FIELD_LINES, 0);
    profile_destroy(profile);
}

TEST(test_make_errors)
{
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {0};
    OWNED(synthetic) *s = synthetic_create("errors"), *other = synthetic_create("other");
    synthetic_kernel(s, "k", 1, 1);
    for (uint64_t i = 0; i < 1000; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ, 128 * i);
    static const char *const settings[][3] = {
        {"sectors", "8", "sectors: the profiler takes powers of two"},
        {"sectors", "3", "sectors: the profiler takes powers of two"},
        {"l1.nodes", "2", "l1.nodes: 2 nodes do not divide 1 SMs a chip"},
        {"partitions", "3", "partitions: 1 SMs a chip do not divide"},
        {"line", "96 B", "line: the profiler takes powers of two"},
        {"page.size", "320 B", "page.size: 320 bytes are no multiple"},
        {"sm.warps", "0", NULL},
    };
    for (size_t i = 0; settings[i][2]; i++) {
        OWNED(machine) *machine = check_machine(two_chips);
        check_set(machine, settings[i][0], settings[i][1]);
        check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INPUT,
                    settings[i][2]);
    }
    struct machine *machine = check_machine("machine: half\nchips: 1\nsm: {per_chip: 1}\n");
    assert_true(profile_make(profile, &s->source, machine, &options, &failure) < 0);
    machine_destroy(machine);
    machine = check_machine(two_chips);
    interrupt_request();
    check_error(profile_make(profile, &s->source, machine, &options, &failure), STATUS_INTERRUPTED,
                "interrupted");
    interrupt_clear();
    assert_int_equal(profile->n_views, 0);
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    assert_int_equal(profile->n_views, 1); /* the same again */
    check_error(profile_make(profile, &other->source, machine, &options, &failure), STATUS_INPUT,
                "another input");
    assert_string_equal(profile->interleaving, "lrr");
    check_set(machine, "sm.scheduler", "gto");
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    assert_int_equal(profile->n_views, 2);
    assert_string_equal(profile->interleaving, "mixed");
    machine_destroy(machine);
}

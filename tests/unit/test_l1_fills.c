/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines take ways of L1 when they come: sets place by place, and a few warps in the profile and in
 * the simulation, by hand. */
#include "profile_check.h"

#include "explore/answer/referee.h"
#include "profile/caches/l1.h"

/* --- places of a set ------------------------------------------------------------------ */

enum { LINES = 64 };

static uint32_t comes(const void *context, uint32_t node, const uint64_t *places, uint32_t n)
{
    uint32_t count = 0;
    (void)node;
    while (count < n && places[count] && ((const bool *)context)[places[count] - 1])
        count++;
    return count;
}

struct one_set {
    struct system system;
    struct l1 l1;
    bool coming[LINES];
};

static void one_set_init(struct one_set *set, uint32_t ways, uint32_t sectors)
{
    *set = (struct one_set){.system = {.sms = 2,
                                       .l1_nodes = 2,
                                       .l1_clusters = 2,
                                       .levels = {{.sets = 1, .ways = ways}, {.slices = 1}},
                                       .n_levels = 2,
                                       .sectors = sectors}};
    l1_init(&set->l1, &set->system);
}

/* What a read has to ask for; it is on its way then. */
static uint32_t reads(struct one_set *set, uint64_t line, uint32_t sectors)
{
    struct warp_access access = {.kind = ACCESS_READ};
    struct l1_awaited awaited = {set->coming, comes};
    bool looked_up;
    uint32_t missing = l1_take(&set->l1, &access, 0, line, sectors, false, &awaited, &looked_up);
    set->coming[line] |= missing != 0;
    return missing;
}

static void arrives(struct one_set *set, uint64_t line)
{
    struct l1_awaited awaited = {set->coming, comes};
    set->coming[line] = false;
    l1_arrived(&set->l1, 0, line, &awaited);
}

/* Two ways. */
TEST(lines_leave_for_those_that_come)
{
    struct one_set set;
    one_set_init(&set, 2, 1);
    for (uint64_t line = 10; line < 12; line++) {
        assert_int_equal(reads(&set, line, 1), 1);
        arrives(&set, line);
    }
    for (uint64_t line = 20; line < 23; line++)
        assert_int_equal(reads(&set, line, 1), 1);
    /* Three on their way take none: 10 and 11 are there, 11 the most recent. */
    assert_int_equal(reads(&set, 10, 1), 0);
    assert_int_equal(reads(&set, 11, 1), 0);
    assert_int_equal(reads(&set, 20, 1), 0); /* with who asked first */
    arrives(&set, 20);
    /* 10 left for 20. */
    assert_int_equal(reads(&set, 11, 1), 0);
    assert_int_equal(reads(&set, 20, 1), 0);
    assert_int_equal(reads(&set, 10, 1), 1);
    /* 11 leaves for 21; 20 has been read since: 21 for 22; and 20 for 10. */
    arrives(&set, 21);
    assert_int_equal(reads(&set, 20, 1), 0);
    arrives(&set, 22);
    arrives(&set, 10);
    assert_int_equal(reads(&set, 10, 1), 0);
    assert_int_equal(reads(&set, 22, 1), 0);
    assert_int_equal(reads(&set, 20, 1), 1);
    assert_int_equal(reads(&set, 21, 1), 1);
    l1_settle(&set.l1);
    assert_int_equal(set.l1.misses, 8);
    l1_fini(&set.l1);
}

/* One way, and a line that overtakes another one: who comes last is there. */
TEST(lines_that_overtake)
{
    struct one_set set;
    one_set_init(&set, 1, 1);
    assert_int_equal(reads(&set, 1, 1), 1);
    assert_int_equal(reads(&set, 2, 1), 1);
    arrives(&set, 2);
    assert_int_equal(reads(&set, 2, 1), 0);
    arrives(&set, 1);
    assert_int_equal(reads(&set, 1, 1), 0);
    assert_int_equal(reads(&set, 2, 1), 1);
    l1_fini(&set.l1);
}

/* Of more lines on their way than a set has places the one that has gone longest is forgotten. */
TEST(places_have_an_end)
{
    struct one_set set;
    one_set_init(&set, 1, 1);
    for (uint64_t line = 0; line <= L1_PLACES; line++)
        assert_int_equal(reads(&set, line, 1), 1);
    for (uint64_t line = 1; line <= L1_PLACES; line++)
        assert_int_equal(reads(&set, line, 1), 0);
    assert_int_equal(reads(&set, 0, 1), 1);
    l1_fini(&set.l1);
}

/* A line that has left stays away, whatever gives a way free: an atomic, or a line that is there
 * whose other sectors are asked for. */
TEST(what_left_does_not_come_back)
{
    for (int sectored = 0; sectored < 2; sectored++) {
        struct one_set set;
        struct warp_access atomic = {.kind = ACCESS_ATOMIC};
        struct l1_awaited awaited = {set.coming, comes};
        bool looked_up;
        one_set_init(&set, 2, 2);
        for (uint64_t line = 1; line <= 3; line++) {
            assert_int_equal(reads(&set, line, 1), 1);
            arrives(&set, line);
        }
        if (sectored)
            assert_int_equal(reads(&set, 3, 3), 2);
        else
            l1_take(&set.l1, &atomic, 0, 3, 1, false, &awaited, &looked_up);
        assert_int_equal(reads(&set, 2, 1), 0);
        assert_int_equal(reads(&set, 1, 1), 1);
        l1_fini(&set.l1);
    }
}

/* --- warps ------------------------------------------------------------------------------ */

/* One SM, whose L1 has eight sets of one way; warps go on greedily. */
static struct machine *one_sm(const char *scheduler)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 1, clock: 1 GHz, issue: 1 /cycle, stall: 256}\n"
                      "l1: {capacity: 1 KiB, ways: 1, index: modulo, latency: 10 ns, mshrs: 1000}\n"
                      "llc: {organisation: memory-side, capacity: 128 KiB, ways: 16, slices: 1,\n"
                      "      bandwidth: 1e17 B/s, latency: 90 ns}\n"
                      "memory: {bandwidth: 1e17 B/s, channels: 1, latency: 300 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    check_set(m, "sm.scheduler", scheduler);
    return m;
}

static void check_requests(const char *scheduler, double profiled, double simulated)
{
    enum { READS = 4, WARPS = 2 };
    OWNED(machine) *m = one_sm(scheduler);
    OWNED(synthetic) *s = synthetic_create("lines");
    synthetic_kernel(s, "k", 1, WARPS);
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (int i = 0; i < READS; i++)
            synthetic_lane(s, 0, warp, ACCESS_READ, 1024 * (uint64_t)warp);
    OWNED(profile) *p = check_profile(&s->source, m, false);
    check_field(&p->views[0].records[0], FIELD_REQUESTS, profiled);
    struct simulate_gpu_options options = referee_options(1000);
    struct simulate_gpu_result *r;
    check_ok(simulate_gpu(m, &s->source, &options, &r, &failure));
    assert_true(r->whole);
    check_relative((double)r->requests, simulated, 0);
    simulate_gpu_result_destroy(r);
}

/* Two warps read a line each four times, both lines of the same set. Both go out, in rounds 0 and 1
 * (cycles); the first comes in 257, and its warp reads it. The second comes in 258, the first
 * leaves for it, and its warp asks for it again; the second warp has read its own four times when
 * that comes, and the first warp finds its line: three requests. Were a line to put out another one
 * that is on its way, each warp would find the other's whenever it comes to read: eight. Under lrr
 * rounds do not wait: lines are there at once, and each puts the other one out. */
TEST(warps_with_a_line_each)
{
    check_requests("gto", 3, 3);
    check_requests("grr", 3, 3);
    check_requests("lrr", 8, 3);
}

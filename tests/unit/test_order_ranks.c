/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is first in a round by what SMs have waited (page.ties: waits), by hand; the same where SMs
 * run alone and together; a page that all touch in the same round. */
#include "profile_check.h"
#include "profile/issue/order.h"
#include "profile/run/profiler.h"

/* Two chips of two SMs: places are SMs 0, 2, 3, 1. */
static struct system four_sms(void)
{
    return (struct system){
        .chips = 2, .sms_per_chip = 2, .sms = 4, .sms_per_domain = 2, .warps = 8, .stall = 100};
}

static void check_order(const struct order_ranks *ranks, uint64_t round, uint32_t a, uint32_t b,
                        uint32_t c, uint32_t d)
{
    uint32_t sms[4];
    order_ranks_round(ranks, round, sms);
    assert_int_equal(sms[0], a);
    assert_int_equal(sms[1], b);
    assert_int_equal(sms[2], c);
    assert_int_equal(sms[3], d);
}

TEST(test_by_hand)
{
    struct system system = four_sms();
    struct order_ranks ranks;
    order_ranks_init(&ranks, &system, false);
    order_ranks_begin(&ranks, 400, 8);
    check_order(&ranks, 400, 0, 2, 3, 1); /* in turn */
    check_order(&ranks, 401, 2, 3, 1, 0);
    check_order(&ranks, 403, 1, 0, 2, 3);
    ranks.waits[0] = 17; /* two whole ones a warp of 8; */
    ranks.waits[1] = 8;
    ranks.waits[2] = 7; /* none */
    ranks.waits[3] = 15;
    assert_false(order_ranks_end(&ranks, 499)); /* the period holds until */
    check_order(&ranks, 499, 1, 0, 2, 3);
    assert_true(order_ranks_end(&ranks, 500));
    order_ranks_take(&ranks, 500, false);
    assert_false(order_ranks_end(&ranks, 599));
    assert_true(order_ranks_end(&ranks, 600));
    check_order(&ranks, 500, 2, 3, 1, 0); /* 3 at place 2, 1 at place 3: equals, in turn */
    check_order(&ranks, 502, 2, 3, 1, 0);
    check_order(&ranks, 503, 2, 1, 3, 0);
    order_ranks_begin(&ranks, 1000, 2); /* a launch: all are equal */
    check_order(&ranks, 1000, 0, 2, 3, 1);
    ranks.waits[0] = 2; /* one a warp of 2 */
    order_ranks_take(&ranks, 1000, false);
    check_order(&ranks, 1000, 2, 3, 1, 0);
    order_ranks_fini(&ranks);
}

/* Each SM is as often at each place, whatever its chip, and who waited less is first all the same.
 */
TEST(test_shuffled)
{
    enum { SMS = 4, ROUNDS = 4000 };
    struct system system = four_sms();
    struct order_ranks ranks;
    uint32_t sms[SMS], at[SMS][SMS] = {{0}}, follows = 0;
    order_ranks_init(&ranks, &system, true);
    order_ranks_begin(&ranks, 0, 8);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        order_ranks_round(&ranks, round, sms);
        for (uint32_t place = 0; place < SMS; place++)
            at[sms[place]][place]++;
        follows += sms[0] / 2 == sms[2] / 2;
    }
    for (uint32_t sm = 0; sm < SMS; sm++)
        for (uint32_t place = 0; place < SMS; place++)
            assert_in_range(at[sm][place], ROUNDS / SMS - 150, ROUNDS / SMS + 150);
    assert_in_range(follows, ROUNDS / 3 - 150, ROUNDS / 3 + 150);
    ranks.waits[0] = ranks.waits[3] = 8;
    order_ranks_take(&ranks, 0, false);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        order_ranks_round(&ranks, round, sms);
        assert_true(sms[0] + sms[1] == 3 && sms[0] != 0 && sms[0] != 3);
    }
    order_ranks_fini(&ranks);
}

/* Samplers look at each access when it is made: SMs go together. */
TEST(test_alone_as_together)
{
    static const char *const schedules[] = {"distributed", "batched", "centralised", "greedy"};
    static const char *const sources[] = {"gemm:ni=64,nj=256,nk=64", "bfs:input=small"};
    unsigned parts = PART_BASE | PART_WAITS;
    for (size_t i = 0; i < 8; i++) {
        char yaml[300];
        struct text alone = {0}, together = {0};
        snprintf(yaml, sizeof yaml,
                 "machine: ties\nchips: 4\nsm: {per_chip: 8, warps: 16, scheduler: %s, stall: %s}\n"
                 "l1: {capacity: 4 KiB, ways: 4}\nllc: {capacity: 256 KiB, slices: 4}\n"
                 "cta: {policy: %s}\npage: {size: 512 B, ties: waits}\n",
                 i % 3 ? "gto" : "lrr", i % 2 ? "64" : "256", schedules[i % 4]);
        OWNED(machine) *machine = check_machine(yaml);
        OWNED(source) *source = check_source(sources[i / 4]);
        OWNED(profile) *a = profile_create(), *b = profile_create();
        struct profile_options options = {.parts = parts, .threads = 2};
        check_ok(profile_make(a, source, machine, &options, &failure));
        options.parts = parts | PART_SAMPLERS;
        check_ok(profile_make(b, source, machine, &options, &failure));
        profile_view_restrict(&b->views[0], parts);
        profile_print(a, &alone);
        profile_print(b, &together);
        assert_string_equal(alone.data, together.data);
        text_free(&alone);
        text_free(&together);
    }
}

/* Two chips of an SM, where so many warps of a block read pages 0, 1, ... one behind another, all
 * of them the same ones, and wait for each: requester to home, lines. */
static void check_homes(const char *ties, int warps, int most, int stall, const double want[4])
{
    enum { PAGES = 40 };
    char yaml[300];
    snprintf(yaml, sizeof yaml,
             "machine: pair\nchips: 2\nsm: {per_chip: 1, warps: %d, scheduler: gto, stall: %d}\n"
             "l1: {capacity: 4 KiB, ways: 4}\nllc: {capacity: 64 KiB, slices: 1}\n"
             "page: {size: 256 B, ties: %s}\n",
             most, stall, ties);
    OWNED(machine) *machine = check_machine(yaml);
    OWNED(synthetic) *s = synthetic_create("pair");
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {.parts = PART_BASE, .threads = 1};
    synthetic_kernel(s, "k", 2, (uint32_t)warps);
    for (uint64_t page = 0; page < PAGES; page++)
        for (uint64_t cta = 0; cta < 2; cta++)
            for (int warp = 0; warp < warps; warp++)
                synthetic_lane(s, cta, (uint32_t)warp, ACCESS_READ, page * 256);
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    const double *traffic = profile->views[0].records[0].traffic;
    for (int i = 0; i < 4; i++)
        if (traffic[i] != want[i])
            fail_msg("%s, %d warps: traffic[%d] is %g", ties, warps, i, traffic[i]);
}

/* A warp each, in rounds 0, 5, 10, ... Chip 0 has page 0, and chip 1 waits for it. By turn chip 1
 * has those of odd rounds; by waits chip 0 is ahead from then on, and has all, however many warps
 * there are places for. */
TEST(test_who_waits_less_has_the_next_page)
{
    check_homes("turn", 1, 1, 4, (double[]){20, 20, 20, 20});
    check_homes("waits", 1, 1, 4, (double[]){40, 0, 40, 0});
    check_homes("waits", 1, 64, 4, (double[]){40, 0, 40, 0});
}

/* Four warps each, in rounds 0 to 3, 17 to 20, ...: one asks for the line, the others find it on
 * its way, and wait as well. So chip 1 has waited once a warp when the next page's turn comes. */
TEST(test_who_waits_with_others_waits)
{
    check_homes("turn", 4, 4, 16, (double[]){20, 20, 20, 20});
    check_homes("waits", 4, 4, 16, (double[]){40, 0, 40, 0});
}

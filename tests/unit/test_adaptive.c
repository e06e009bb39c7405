/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adaptive sweeps: ranking and front of the whole sweep, networks left out, the same ones for any
 * number of threads; where it does not apply, it says why. */
#include "check.h"

#include "explore/sweep/sweep.h"

static const char point_text[] = "profile: hand\n"
                                 "points:\n"
                                 "  - {name: one, r_local: 0.7, bytes: 3000000,\n"
                                 "     llc_hit: {memory-side: 0.8, sm-side: 0.5},\n"
                                 "     lsu: {memory-side: 0.9, sm-side: 1.0}}\n"
                                 "  - {name: two, r_local: 0.2, bytes: 1000000,\n"
                                 "     llc_hit: {memory-side: 0.3, sm-side: 0.6},\n"
                                 "     lsu: {memory-side: 0.6, sm-side: 0.7}}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
}

static struct sweep *run(const char *body, bool adaptive, int threads, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text,
                "space: t\nmachine: sac\nmodels: [network]\nworkloads: [\"%s/hand.yaml\"]\n%s",
                check_folder(), body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    sweep->adaptive = adaptive;
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

static void check_same_ids(const struct sweep_ids *a, const struct sweep_ids *b)
{
    assert_true(a->count > 0);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->items, b->items, a->count * sizeof *a->items);
}

#define AXES                                                                                       \
    "axes:\n"                                                                                      \
    "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 13}\n"                          \
    "  llc.organisation: [memory-side, sm-side]\n"                                                 \
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 11}\n"                              \
    "  noc.bandwidth: [1 TB/s, 2 TB/s, 4 TB/s, 8 TB/s, 12 TB/s]\n"

/* An answer and what it costs; time; boxes; a mean made by the user; conditions that need no
 * network; the same front twice, by ties. */
TEST(ranking_and_front_are_those_of_all)
{
    static const char *const bodies[] = {
        AXES "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n"
             "rank: {by: effective_bandwidth, top: 7}\n",
        AXES "let: {cost: \"inter.link_bandwidth + memory.bandwidth\"}\n"
             "where: [\"cost < 1500 GB/s\", \"noc.bandwidth > 1 TB/s\"]\n"
             "objectives: [{minimise: kernel_time}, {minimise: cost}, {minimise: noc.bandwidth}]\n"
             "rank: {by: kernel_time, top: 12}\n",
        AXES "let: {worth: \"effective_bandwidth / (inter.link_bandwidth + 4*memory.bandwidth)\"}\n"
             "objectives: [{maximise: worth}, {maximise: effective_bandwidth}]\n"
             "rank: {by: worth, top: 1}\n",
    };
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *whole = run(bodies[b], false, 2, &space);
        uint64_t evaluated = 0;
        for (int threads = 1; threads <= 5; threads += 2) {
            OWNED(space) *again = NULL;
            OWNED(sweep) *some = run(bodies[b], true, threads, &again);
            check_same_ids(&whole->ranking, &some->ranking);
            check_same_ids(&whole->front, &some->front);
            assert_int_equal(some->evaluated + some->skipped, whole->kept);
            assert_true(some->skipped > some->points / 10);
            if (threads > 1)
                assert_int_equal(some->evaluated, evaluated);
            evaluated = some->evaluated;
        }
    }
}

/* Nothing is known of how fast a half would be, nor of what a condition on the answer leaves. */
TEST(where_it_does_not_apply)
{
    static const struct {
        const char *body, *why;
    } cases[] = {
        {AXES "rank: {by: memory_x2}\n", "nobody knows how large memory_x2 could be"},
        {AXES "where: [\"effective_bandwidth > 500 GB/s\"]\nrank: {by: effective_bandwidth}\n",
         "asks for the solution of all"},
        {AXES "let: {cost: \"inter.link_bandwidth + memory.bandwidth + noc.bandwidth\"}\n"
              "objectives: [{minimise: cost}]\nrank: {by: cost}\n",
         "nothing that is asked needs a network"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(space) *space = NULL;
        OWNED(space) *again = NULL;
        OWNED(sweep) *whole = run(cases[i].body, false, 1, &space);
        OWNED(sweep) *some = run(cases[i].body, true, 1, &again);
        bool said = false;
        for (size_t w = 0; w < some->warnings.count; w++)
            said = said || strstr(some->warnings.items[w].text, cases[i].why);
        if (!said)
            fail_msg("not said: %s", cases[i].why);
        check_same_ids(&whole->ranking, &some->ranking);
        assert_int_equal(some->kept, whole->kept);
        assert_int_equal(some->skipped, 0);
    }
}

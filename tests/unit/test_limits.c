/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits an answer, and which terms make two answers differ: against calculations by hand from
 * the equations of eab and bottleneck, minima against a walk in small steps. */
#include "check.h"

#include "explore/answer/difference.h"
#include "explore/answer/limits.h"
#include "machine/machine.h"

/* R_local, LLC hits and LSU: memory-side, SM-side. */
static struct profile_record point(double r_local, double h_mem, double h_sm)
{
    struct profile_record record = check_record();
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = h_mem;
    record.fields[FIELD_LSU_MEMORY_SIDE] = 0.9;
    record.fields[FIELD_LLC_HIT_SM_SIDE] = h_sm;
    record.fields[FIELD_LSU_SM_SIDE] = 1;
    return record;
}

static const struct limit *limit_named(const struct limits *limits, const char *name)
{
    for (size_t i = 0; i < limits->count; i++)
        if (strcmp(limits->items[i].name, name) == 0)
            return &limits->items[i];
    fail_msg("no limit \"%s\"", name);
    return NULL;
}

/* In TB/s: local min(16, 5.76 + min(1.44, .875)), remote min(.768, the same). */
TEST(limits_of_eab)
{
    const struct profile_record record = point(0.5, 0.8, 0.5);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(answer) *a = check_answer_of("eab", m, &record);
    struct limits limits;
    limits_find(a, &limits);
    assert_int_equal(limits.count, 4);
    assert_string_equal(limits.items[0].name,
                        "inter"); /* gives more than memory, which binds too */
    assert_true(limits.items[0].binds && limits.items[1].binds && !limits.items[2].binds);
    assert_string_equal(limits.items[1].name, "memory");
    check_relative(limit_named(&limits, "inter")->used, 1, 1e-12);
    check_relative(limit_named(&limits, "memory")->used, 1, 1e-12);
    check_relative(limit_named(&limits, "llc")->used, 0.875 / 1.44, 1e-12);
    check_relative(limit_named(&limits, "noc")->used, 6.635 / 16, 1e-12);
    check_relative(limit_named(&limits, "inter")->twice, (6.635 + 1.536) / 7.403, 1e-12);
    assert_string_equal(limit_named(&limits, "inter")->behind, "inter");
    /* 5.76 + 1.44 locally: the slices bind then. */
    check_relative(limit_named(&limits, "memory")->twice, (7.2 + 0.768) / 7.403, 1e-12);
    assert_string_equal(limit_named(&limits, "memory")->behind, "llc");
    /* Hits, too: 11.52 + .875. */
    check_relative(limit_named(&limits, "llc")->twice, (12.395 + 0.768) / 7.403, 1e-12);
    check_relative(limit_named(&limits, "noc")->twice, 1, 1e-12);
    assert_string_equal(limits.next, "memory");
    check_relative(limits.next_bytes_per_s, 2 * 6.635e12, 1e-9);
    VECTOR_FREE(&limits);
}

/* In TB/s: noc 16/1.5, llc 16*.9, memory 1.75/.2, links: the hottest of them. */
TEST(limits_of_the_bottleneck)
{
    const struct profile_record record = point(0.5, 0.8, 0.5);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(answer) *a = check_answer_of("bottleneck", m, &record);
    struct limits limits;
    limits_find(a, &limits);
    assert_string_equal(limits.items[0].name, "inter");
    check_relative(limits.items[0].twice, 2, 1e-12);
    assert_string_equal(limits.items[0].behind, "inter");
    check_relative(limit_named(&limits, "noc")->used, 1.152 / (16 / 1.5), 1e-9);
    check_relative(limit_named(&limits, "llc")->used, 1.152 / 14.4, 1e-9);
    check_relative(limit_named(&limits, "memory")->used, 1.152 / 8.75, 1e-9);
    assert_string_equal(limits.next, "memory");
    check_relative(limits.next_bytes_per_s, 8.75e12, 1e-9);
    VECTOR_FREE(&limits);
}

/* A stream of terms by hand, in TB/s. */
static void limits_by_hand(struct term_graph *g, int stream, struct limits *out)
{
    static double values[32];
    struct profile_record record = check_record();
    struct model_record built = {.record = &record,
                                 .metrics = {{"effective_bandwidth", stream}},
                                 .n_metrics = 1,
                                 .streams = {{"all", stream}},
                                 .n_streams = 1,
                                 .decision = -1,
                                 .turned = -1};
    struct answer answer = {.graph = g, .values = values};
    answer.result =
        (struct model_result){.model = (const struct model *)plugin_find("model", "eab"),
                              .metrics = {{"effective_bandwidth", stream}},
                              .n_metrics = 1,
                              .records = &built,
                              .n_records = 1};
    term_evaluate(g, NULL, values);
    limits_find(&answer, out);
    out->record = NULL; /* it ends here */
}

static int rate(struct term_graph *g, const char *resource, double value)
{
    return term_resource(g, term_constant(g, resource, value, DIM_BYTES_PER_S), resource);
}

/* What goes through an inner minimum is what the outer one lets through, and of a sum its part:
 * min(2, min(8, 10)), min(1, 3 + min(1, 2)). A rate that is a factor is no limit. */
TEST(what_goes_through)
{
    struct term_graph *g = term_graph_create();
    struct limits limits;
    int inner = term_min(g, "inner", rate(g, "memory", 8), rate(g, "llc", 10));
    limits_by_hand(g, term_min(g, "outer", rate(g, "inter", 2), inner), &limits);
    assert_int_equal(limits.count, 3);
    assert_string_equal(limits.items[0].name, "inter");
    check_relative(limit_named(&limits, "memory")->used, 0.25, 1e-12);
    check_relative(limit_named(&limits, "llc")->used, 0.2, 1e-12);
    check_relative(limits.items[0].twice, 2, 1e-12);
    assert_string_equal(limits.next, "memory");
    check_relative(limits.next_bytes_per_s, 8, 1e-9);
    VECTOR_FREE(&limits);
    term_graph_destroy(g);

    g = term_graph_create();
    int hits = term_product(g, "hits", rate(g, "l2", 6), term_constant(g, NULL, 0.5, DIM_NONE));
    int behind = term_min(g, NULL, rate(g, "memory", 1), rate(g, "llc", 2));
    int sum = term_sum(g, "hits and misses", hits, behind);
    limits_by_hand(g, term_min(g, "all", rate(g, "inter", 1), sum), &limits);
    assert_int_equal(limits.count, 3);
    check_relative(limit_named(&limits, "memory")->used, 0.25, 1e-12);
    check_relative(limit_named(&limits, "llc")->used, 0.125, 1e-12);
    VECTOR_FREE(&limits);
    term_graph_destroy(g);
}

/* A resource that nothing stands behind: all requests local, hits only, crossbars far away. */
TEST(nothing_behind_it)
{
    const struct profile_record record = point(1, 1, 1);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(answer) *a = check_answer_of("bottleneck", m, &record);
    struct limits limits;
    limits_find(a, &limits);
    assert_string_equal(limits.items[0].name, "llc"); /* 14.4 of 16 TB/s */
    assert_string_equal(limits.next, "noc");
    check_relative(limits.items[0].twice, 16 / 14.4, 1e-12);
    assert_string_equal(limits.items[0].behind, "noc");
    VECTOR_FREE(&limits);
}

/* --- differences --------------------------------------------------------------------------- */

TEST(logarithmic_means)
{
    check_relative(difference_mean(1, exp(1)), exp(1) - 1, 1e-12);
    check_relative(difference_mean(exp(1), 1), exp(1) - 1, 1e-12);
    check_relative(difference_mean(3, 3), 3, 0);
    check_relative(difference_mean(3, 3 * (1 + 1e-9)), 3, 1e-8);
    check_relative(difference_mean(0, 3), 0, 0);
}

/* Two lines that cross in the middle: each has its half of the way. */
TEST(minimum_by_hand)
{
    const double from[] = {0, 2}, to[] = {2, 0};
    double share[2], step[2];
    difference_of_minimum(from, to, 2, share, step);
    check_relative(share[0], 0.5, 1e-12);
    check_relative(share[1], 0.5, 1e-12);
    assert_true(step[0] == 0 && step[1] == 0);
}

TEST(minimum_with_limits_at_one_end)
{
    /* The first is a limit in the beginning alone, the third at the end alone. */
    const double from[] = {-1, 0, INFINITY}, to[] = {INFINITY, 3, 1};
    double share[3], step[3];
    difference_of_minimum(from, to, 3, share, step);
    check_relative(step[0], 1, 1e-12);  /* from -1 to 0 */
    check_relative(share[1], 1, 1e-12); /* from 0 to 3 */
    check_relative(step[2], -2, 1e-12); /* from 3 to 1 */
    /* None that limits both: half each. */
    const double before[] = {1, INFINITY}, after[] = {INFINITY, 4};
    difference_of_minimum(before, after, 2, share, step);
    check_relative(step[0], 1.5, 1e-12);
    check_relative(step[1], 1.5, 1e-12);
    assert_true(share[0] == 0 && share[1] == 0);
}

TEST(minima_against_small_steps)
{
    enum { N = 5, STEPS = 20000 };
    uint64_t seed = 7;
    for (int round = 0; round < check_rounds(50, 1000); round++) {
        double from[N], to[N], share[N], step[N], walked[N] = {0}, sum = 0, low = INFINITY,
                                                  high = INFINITY;
        for (int i = 0; i < N; i++) {
            from[i] = 4 * check_uniform(&seed);
            to[i] = 4 * check_uniform(&seed);
            low = fmin(low, from[i]);
            high = fmin(high, to[i]);
        }
        difference_of_minimum(from, to, N, share, step);
        for (int s = 0; s < STEPS; s++) {
            double t = (s + 0.5) / STEPS;
            int least = 0;
            for (int i = 1; i < N; i++)
                if (from[i] + t * (to[i] - from[i]) < from[least] + t * (to[least] - from[least]))
                    least = i;
            walked[least] += 1.0 / STEPS;
        }
        for (int i = 0; i < N; i++) {
            assert_true(fabs(share[i] - walked[i]) < 2.0 / STEPS);
            sum += share[i] * (to[i] - from[i]) + step[i];
        }
        assert_true(fabs(sum - (high - low)) < 1e-12);
    }
}

static void check_sum(const struct differences *found)
{
    double sum = 0;
    for (size_t i = 0; i < found->count; i++)
        sum += found->items[i].contribution;
    assert_true(fabs(sum - found->log_ratio) < 1e-8);
}

/* Links from 1.152 to 4.608 TB/s (half the load, twice the bandwidth), memories from 8.75 to 3.5:
 * they cross where 1.152 * 4^t = 8.75 * .4^t. */
TEST(difference_of_the_bottleneck)
{
    const struct profile_record record = point(0.5, 0.8, 0.5);
    OWNED(machine) *before = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(machine) *after = check_shipped(
        "sac", SETTINGS("llc.organisation", "sm-side", "inter.link_bandwidth", "192GB/s"));
    OWNED(answer) *a = check_answer_of("bottleneck", before, &record);
    OWNED(answer) *b = check_answer_of("bottleneck", after, &record);
    struct differences found;
    double t = log(8.75 / 1.152) / log(4 / 0.4);
    check_ok(differences_find((const struct answer *const[]){a, b}, &found, &failure));
    assert_int_equal(found.count, 2);
    check_relative(found.log_ratio, -log(3.5 / 1.152), 1e-9);
    assert_string_equal(found.items[0].name, "inter");
    check_relative(found.items[0].contribution, -t * log(4), 1e-9);
    check_relative(found.items[0].values[0], 1.152e12, 1e-9);
    check_relative(found.items[0].values[1], 4.608e12, 1e-9);
    assert_string_equal(found.items[1].name, "memory");
    check_relative(found.items[1].contribution, -(1 - t) * log(0.4), 1e-9);
    check_sum(&found);
    VECTOR_FREE(&found);
}

/* In TB/s: local 6.635, remote .768 of links; with links without end remote is 6.635 as well, which
 * is hits 5.76 and memory .875. One term changes, from .768 to no limit: all is its. */
TEST(difference_of_eab)
{
    const struct profile_record record = point(0.5, 0.8, 0.5);
    OWNED(machine) *before = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(machine) *after = check_shipped(
        "sac", SETTINGS("llc.organisation", "memory-side", "inter.link_bandwidth", "1 PB/s"));
    OWNED(answer) *a = check_answer_of("eab", before, &record);
    OWNED(answer) *b = check_answer_of("eab", after, &record);
    struct differences found;
    check_ok(differences_find((const struct answer *const[]){a, b}, &found, &failure));
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].name, "EAB_remote: inter");
    check_relative(found.items[0].contribution, -log(13.27 / 7.403), 1e-9);
    check_sum(&found);
    VECTOR_FREE(&found);
}

/* Nothing differs; and what belongs to the one is minus what belongs to the other way round. */
TEST(differences_of_random_points)
{
    uint64_t seed = 3;
    const char *const models[] = {"eab", "bottleneck"};
    const char *const organisations[] = {"memory-side", "sm-side", "sac"};
    for (int round = 0; round < check_rounds(60, 1000); round++) {
        double r = check_uniform(&seed);
        const struct profile_record record = point(r, check_uniform(&seed), check_uniform(&seed));
        const char *model = models[round % 2];
        int first = (int)(check_random(&seed) % 2), second = (int)(check_random(&seed) % 2);
        OWNED(machine) *m =
            check_shipped("sac", SETTINGS("llc.organisation", organisations[first]));
        OWNED(machine) *n =
            check_shipped("sac", SETTINGS("llc.organisation", organisations[round % 5 ? second : 2],
                                          "memory.bandwidth", round % 3 ? "437.5GB/s" : "100GB/s"));
        OWNED(answer) *a = check_answer_of(model, m, &record);
        OWNED(answer) *b = check_answer_of(model, n, &record);
        struct differences there, back, none;
        check_ok(differences_find((const struct answer *const[]){a, b}, &there, &failure));
        check_ok(differences_find((const struct answer *const[]){b, a}, &back, &failure));
        check_ok(differences_find((const struct answer *const[]){a, a}, &none, &failure));
        check_sum(&there);
        check_sum(&back);
        assert_int_equal(none.count, 0);
        assert_true(fabs(there.log_ratio + back.log_ratio) < 1e-12);
        VECTOR_FREE(&there);
        VECTOR_FREE(&back);
        VECTOR_FREE(&none);
    }
}

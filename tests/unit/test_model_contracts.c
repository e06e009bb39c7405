/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model owes the rest: results that are paired by name where an organisation chooses, and
 * failures with the model's name where it sets what nobody can use. */
#include "check.h"

#include "explore/answer/answer.h"
#include "machine/machine.h"

static bool sm_side(struct model_builder *b)
{
    return model_side(b, "llc") == SIDE_REQUESTER;
}

static int rate(struct model_builder *b, double value)
{
    return model_constant(b, NULL, value, DIM_BYTES_PER_S);
}

static int plain(struct model_builder *b, double value)
{
    return model_constant(b, NULL, value, DIM_NONE);
}

/* Metrics and streams in another order under each organisation; which of the streams' resources
 * limits tells them apart. */
static void ordered_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    bool sm = sm_side(b);
    int slow = term_resource(g, rate(b, sm ? 1 : 2), sm ? "slow sm" : "slow memory");
    int fast = term_resource(g, rate(b, sm ? 11 : 12), sm ? "fast sm" : "fast memory");
    model_set_metric(b, "effective_bandwidth", slow);
    model_set_metric(b, sm ? "second" : "first", plain(b, sm ? 4 : 5));
    model_set_metric(b, sm ? "first" : "second", plain(b, sm ? 3 : 6));
    model_set_stream(b, sm ? "fast" : "slow", sm ? fast : slow);
    model_set_stream(b, sm ? "slow" : "fast", sm ? slow : fast);
}

static void conditional_build(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth", rate(b, 1));
    if (sm_side(b))
        model_set_metric(b, "first", plain(b, 1));
    model_set_metric(b, "second", plain(b, 2));
}

static void conditional_stream_build(struct model_builder *b)
{
    int bandwidth = rate(b, 1);
    model_set_metric(b, "effective_bandwidth", bandwidth);
    if (!sm_side(b))
        model_set_stream(b, "all", bandwidth);
}

static void unknown_build(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth", rate(b, 1));
    model_set_metric(b, "third", plain(b, 1));
}

static void doubled_build(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth", rate(b, 1));
    model_set_metric(b, "first", plain(b, 1));
    model_set_metric(b, "first", plain(b, 2));
}

static void doubled_stream_build(struct model_builder *b)
{
    int bandwidth = rate(b, 1);
    model_set_metric(b, "effective_bandwidth", bandwidth);
    model_set_stream(b, "all", bandwidth);
    model_set_stream(b, "all", bandwidth);
}

static void surplus_stream_build(struct model_builder *b)
{
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    int bandwidth = rate(b, 1);
    model_set_metric(b, "effective_bandwidth", bandwidth);
    for (int i = 0; i < 9; i++)
        model_set_stream(b, names[i], bandwidth);
}

static void unnamed_stream_build(struct model_builder *b)
{
    int bandwidth = rate(b, 1);
    model_set_metric(b, "effective_bandwidth", bandwidth);
    model_set_stream(b, "", bandwidth);
}

static double first_of(const void *context, const double *args)
{
    (void)context;
    return args[0];
}

static void ninth_build(struct model_builder *b)
{
    int args[9];
    for (int i = 0; i < 9; i++)
        args[i] = rate(b, i + 1);
    model_set_metric(b, "effective_bandwidth",
                     term_call(model_graph(b), "nine", DIM_BYTES_PER_S, first_of, NULL, 9, args));
}

static void units_build(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth",
                     term_sum(model_graph(b), "mixed", rate(b, 1), plain(b, 1)));
}

static void no_term_build(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth", term_sum(model_graph(b), "none", rate(b, 1), -1));
}

static const struct model_metric two_metrics[] = {
    {"first", IN_PLAIN, COMBINE_MEAN, "of two"},
    {"second", IN_PLAIN, COMBINE_MEAN, "of two"},
    {.name = NULL},
};
static const struct model_metric same_metrics[] = {
    {"first", IN_PLAIN, COMBINE_MEAN, "of two"},
    {"first", IN_PLAIN, COMBINE_SUM, "of two"},
    {.name = NULL},
};
static const struct model_metric common_metrics[] = {
    {"kernel_time", IN_SECONDS, COMBINE_SUM, "every model's"},
    {.name = NULL},
};

static int ask(void (*build)(struct model_builder *), const struct model_metric *metrics,
               const char *organisation, const struct profile_record *record, struct answer **out,
               struct error *error)
{
    static struct model model; /* an answer refers to it */
    model = (struct model){.plugin = {"model", "contract", "a test's", NULL, NULL},
                           .answer = "bottleneck at the given mix",
                           .validity = "nothing",
                           .page = "",
                           .metrics = metrics,
                           .build = build};
    struct profile_view view = {.records = (struct profile_record *)(size_t)record, .n_records = 1};
    OWNED(machine) *machine = check_shipped("sac", NULL);
    check_set(machine, "llc.organisation", organisation);
    check_set(machine, "sac.window", "0 s");
    int status = answer_create(&model, machine, &view, out, error);
    return status;
}

/* SM-side wins by EAB where it hits more, memory-side where it hits nothing. */
static struct profile_record point(double sm_hit)
{
    struct profile_record record = check_record();
    record.fields[FIELD_R_LOCAL] = 0.25;
    record.fields[FIELD_BYTES] = 24;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = 0.9;
    record.fields[FIELD_LLC_HIT_SM_SIDE] = sm_hit;
    return record;
}

/* Turning takes a drain: LLC, memory, the crossbar there and back, 4/3 hops there and back. */
TEST(choices_pair_by_name)
{
    const double drain = 120e-9 + 100e-9 + 16e-9 + 2 * 4.0 / 3 * 32e-9;
    static const struct {
        double sm_hit, first, second, time;
        const char *slow, *fast;
    } cases[] = {{0.9, 3, 4, 24, "slow sm", "fast sm"},
                 {0.0, 5, 6, 12, "slow memory", "fast memory"}};
    for (int i = 0; i < 2; i++) {
        struct profile_record record = point(cases[i].sm_hit);
        OWNED(answer) *a = NULL;
        check_ok(ask(ordered_build, two_metrics, "sac", &record, &a, &failure));
        double time = cases[i].time + (i == 0 ? drain : 0);
        check_relative(answer_metric(a, "effective_bandwidth"), 24 / time, 1e-15);
        check_relative(answer_metric(a, "reconfiguration_time"), i == 0 ? drain : 0, 1e-12);
        check_relative(answer_metric(a, "first"), cases[i].first, 0);
        check_relative(answer_metric(a, "second"), cases[i].second, 0);
        check_relative(answer_metric(a, "kernel_time"), time, 1e-15);
        const struct model_record *r = &a->result.records[0];
        assert_int_equal(r->n_streams, 2);
        for (int s = 0; s < 2; s++)
            assert_string_equal(answer_limit(a, r, s), strcmp(r->streams[s].name, "slow") == 0
                                                           ? cases[i].slow
                                                           : cases[i].fast);
    }
}

/* What only one organisation has is fine on its own, and named where another one chooses. */
TEST(what_one_side_lacks_is_named)
{
    struct profile_record record = point(0.9);
    struct answer *a;
    check_ok(ask(conditional_build, two_metrics, "memory-side", &record, &a, &failure));
    check_relative(answer_metric(a, "second"), 2, 0);
    answer_destroy(a);
    check_ok(ask(conditional_build, two_metrics, "sm-side", &record, &a, &failure));
    check_relative(answer_metric(a, "first"), 1, 0);
    answer_destroy(a);
    check_error(ask(conditional_build, two_metrics, "sac", &record, &a, &failure), STATUS_FAILED,
                "model contract sets \"first\" under one of memory-side and sm-side only");
    check_error(ask(conditional_stream_build, two_metrics, "sac", &record, &a, &failure),
                STATUS_FAILED, "model contract sets \"all\" under one of");
}

TEST(mistakes_carry_the_models_name)
{
    static const struct {
        void (*build)(struct model_builder *);
        const struct model_metric *metrics;
        const char *words;
    } cases[] = {
        {unknown_build, two_metrics, "metric \"third\" is not among those that it declares"},
        {doubled_build, two_metrics, "metric \"first\" is set twice"},
        {doubled_stream_build, NULL, "stream \"all\" is set twice"},
        {surplus_stream_build, NULL, "stream \"9\" is one more than the 8 that fit"},
        {unnamed_stream_build, NULL, "a stream has no name"},
        {ninth_build, NULL, "term \"nine\": a function of 9 arguments; 8 at most"},
        {units_build, NULL, "term \"mixed\": units differ: "},
        {no_term_build, NULL, "term \"none\": an argument is no term"},
        {doubled_build, same_metrics, "declares metric \"first\" twice"},
        {unknown_build, common_metrics, "declares metric \"kernel_time\" twice"},
    };
    struct profile_record record = point(0.9);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct answer *a;
        check_error(ask(cases[i].build, cases[i].metrics, "memory-side", &record, &a, &failure),
                    STATUS_FAILED, cases[i].words);
        check_error(ask(cases[i].build, cases[i].metrics, "memory-side", &record, &a, &failure),
                    STATUS_FAILED, "model contract");
    }
}

/* Room for the common metrics beside a model's own. */
TEST(many_metrics)
{
    static char names[MODEL_METRICS_MAX][8];
    struct model_metric metrics[MODEL_METRICS_MAX] = {{.name = NULL}};
    struct profile_record record = point(0.9);
    struct answer *a;
    for (int i = 0; i < MODEL_METRICS_MAX - 6; i++) {
        snprintf(names[i], sizeof names[i], i == 0 ? "first" : i == 1 ? "second" : "m%d", i);
        metrics[i] = (struct model_metric){names[i], IN_PLAIN, COMBINE_MEAN, ""};
    }
    check_ok(ask(ordered_build, metrics, "memory-side", &record, &a, &failure));
    answer_destroy(a);
    metrics[MODEL_METRICS_MAX - 6] = (struct model_metric){"last", IN_PLAIN, COMBINE_MEAN, ""};
    check_error(ask(ordered_build, metrics, "memory-side", &record, &a, &failure), STATUS_FAILED,
                "model contract declares 47 metrics, 46 at most");
}

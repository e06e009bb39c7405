/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model asked again and again: points, elasticities against what homogeneous functions must have,
 * changes of sign against brute force. */
#include "check.h"

#include "explore/answer/crossings.h"
#include "explore/answer/elasticity.h"

/* --- crossings --------------------------------------------------------------------------- */

static int wave(void *context, double x, double *out, struct error *error)
{
    (void)error;
    *out = sin(x) + *(double *)context;
    return 0;
}

static int power(void *context, double x, double *out, struct error *error)
{
    (void)error;
    *out = x < 1e-3 ? (double)NAN : log(x / *(double *)context);
    return 0;
}

static int refuse(void *context, double x, double *out, struct error *error)
{
    (void)out;
    return x > *(double *)context ? error_set(error, STATUS_INPUT, "too large") : 0;
}

TEST(roots_of_a_wave)
{
    double shift = 0;
    struct crossings found;
    struct crossings_request request = {wave, &shift, 1, 3.9, 20, 1e-10, false};
    check_ok(crossings_find(&request, &found, &failure));
    assert_int_equal(found.count, 1);
    check_relative(found.items[0], acos(-1), 1e-9);
    assert_true(found.first > 0 && found.last < 0);
    VECTOR_FREE(&found);
    request.low = -7;
    request.high = 7;
    request.samples = 50;
    check_ok(crossings_find(&request, &found, &failure));
    assert_int_equal(found.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(found.items[i] - acos(-1) * ((double)i - 2)) < 1e-8);
    VECTOR_FREE(&found);
    shift = 2; /* never 0 */
    check_ok(crossings_find(&request, &found, &failure));
    assert_int_equal(found.count, 0);
    VECTOR_FREE(&found);
}

/* Six decades: evenly spread in the logarithm; where there is no value there is no change. */
TEST(roots_over_decades)
{
    double root = 0.02;
    struct crossings found;
    struct crossings_request request = {power, &root, 1e-6, 1, 7, 1e-10, false};
    check_relative(crossings_sample(&request, 1), 1e-5, 1e-12);
    check_ok(crossings_find(&request, &found, &failure));
    assert_int_equal(found.count, 1);
    check_relative(found.items[0], 0.02, 1e-9);
    assert_in_range(found.unknown, 3, 4);
    VECTOR_FREE(&found);
}

/* Whole numbers: the first one from which on the sign is the other, as trying all finds it. */
TEST(roots_among_whole_numbers)
{
    for (double shift = -0.95; shift < 1; shift += 0.1) {
        struct crossings found;
        struct crossings_request request = {wave, &shift, 0, 1000, 1001, 1e-9, true};
        size_t k = 0;
        check_ok(crossings_find(&request, &found, &failure));
        for (int x = 1; x <= 1000; x++)
            if ((sin(x) + shift > 0) != (sin(x - 1) + shift > 0))
                assert_true(k < found.count && found.items[k++] == x);
        assert_int_equal(k, found.count);
        VECTOR_FREE(&found);
    }
    double root = 37.5;
    struct crossings found;
    struct crossings_request request = {power, &root, 1, 1000, 3, 1e-9, true};
    check_ok(crossings_find(&request, &found, &failure));
    assert_int_equal(found.count, 1);
    check_relative(found.items[0], 38, 0);
    VECTOR_FREE(&found);
}

TEST(an_error_ends_the_search)
{
    double limit = 5;
    struct crossings found;
    struct crossings_request request = {refuse, &limit, 1, 10, 10, 1e-9, false};
    check_error(crossings_find(&request, &found, &failure), STATUS_INPUT, "too large");
    VECTOR_FREE(&found);
}

/* --- points -------------------------------------------------------------------------------- */

static void open_point(const char *workload, const char *model, struct subject **subject,
                       struct point *point)
{
    OWNED(machine) *machine = NULL;
    const struct plugin *plugin = NULL;
    check_ok(machine_load("sac", &machine, &failure));
    check_ok(subject_open(workload, subject, &failure));
    if (model)
        check_ok(plugin_require("model", model, &plugin, &failure));
    check_ok(point_open(point, *subject, machine, (const struct model *)plugin, &failure));
}

TEST(a_point_moves)
{
    struct subject *subject;
    struct point point;
    struct quantity before, after;
    open_point("tests/data/hand.profile.yaml", "bottleneck", &subject, &point);
    check_ok(point_metric(&point, "effective_bandwidth", &before, &failure));
    /* The links limit it (models/README.md): twice the links, twice the bandwidth. */
    check_ok(point_set(&point, "inter.link_bandwidth", 192e9, &failure));
    check_ok(point_metric(&point, "effective_bandwidth", &after, &failure));
    check_relative(after.value, 2 * before.value, 1e-12);
    check_error(point_metric(&point, "effective_bandwith", &after, &failure), STATUS_INPUT,
                "did you mean \"effective_bandwidth\"");
    check_error(point_set(&point, "inter.link_bandwidth", -1, &failure), STATUS_INPUT,
                "inter.link_bandwidth");
    check_error(point_set(&point, "inter.topology", 1, &failure), STATUS_INPUT, "is a name");
    check_ok(point_set(&point, "llc.ways", 7.6, &failure)); /* a count */
    uint32_t ways;
    check_ok(machine_count(point.machine, "llc.ways", &ways, &failure));
    assert_int_equal(ways, 8);
    point_close(&point);
    subject_destroy(subject);
}

/* An answer whose terms stay says what a new one says, to the last bit, of every number that is an
 * input: sweeps hold them for inputs too. Those of machines that have the most parts. */
static void check_inputs(const char *name, const char *model)
{
    OWNED(machine) *machine = NULL;
    const struct plugin *plugin;
    struct subject *subject;
    struct point point;
    struct parameter p;
    size_t cursor = 0, moved = 0;
    check_ok(machine_load(name, &machine, &failure));
    check_ok(subject_open("gemm:input=small", &subject, &failure));
    check_ok(plugin_require("model", model, &plugin, &failure));
    check_ok(point_open(&point, subject, machine, (const struct model *)plugin, &failure));
    while (machine_next(machine, &cursor, &p)) {
        const struct parameter_value *value = &p.section->values[p.index];
        double at;
        char path[128];
        parameter_path(&p, path, sizeof path);
        if (p.row->structure != STRUCTURE_NONE || p.row->kind == PARAMETER_NAME || !value->known ||
            parameter_si(machine, &p, value, &at, &failure))
            continue;
        struct machine *own = point.machine;
        for (int i = 0; i < 2; i++) { /* the terms are made at the first value */
            struct quantity fresh, again;
            struct error refused;
            point.machine = machine_clone(own);
            int set = point_set(&point, path, i ? 2 * at : at, &refused);
            int one = set ? set : point_metric(&point, "effective_bandwidth", &fresh, &refused);
            int two =
                set ? set
                    : point_metric_moved(&point, path, "effective_bandwidth", &again, &refused);
            machine_destroy(point.machine);
            point.machine = own;
            assert_int_equal(one, two);
            if (!one && memcmp(&fresh.value, &again.value, sizeof fresh.value) != 0)
                fail_msg("%s on %s: %s is no input", model, name, path);
            moved += !one && i;
        }
    }
    assert_true(moved > 10);
    point_close(&point);
    subject_destroy(subject);
}

TEST(inputs_are_inputs)
{
    static const struct {
        const char *machine, *model;
    } rows[] = {{"sac", "network"},     {"sac", "eab"},
                {"sac", "bottleneck"},  {"nuba", "network"},
                {"nuba", "mdr"},        {"mcm-optimised", "network"},
                {"mcm", "link"},        {"mcm", "parallelism"},
                {"dcl1", "dcl1"},       {"dcl1", "network"},
                {"dualopt", "dualopt"}, {"dualopt", "network"},
                {"mi300x", "network"},  {"h100", "network"},
                {"a100", "bottleneck"}, {"r9-nano-cluster", "network"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_inputs(rows[i].machine, rows[i].model);
}

/* One answer: the network's, and the bottleneck's where the network lacks what it needs. */
TEST(who_is_asked)
{
    struct subject *subject;
    struct point point;
    open_point("gemm:input=small", NULL, &subject, &point);
    assert_string_equal(point.model->plugin.name, "network");
    point_close(&point);
    subject_destroy(subject);
}

/* EAB is homogeneous of degree 1 in the bandwidths: by Euler its elasticities in them add up to 1,
 * and the time's to -1. */
TEST(elasticities_of_a_homogeneous_function)
{
    static const struct {
        const char *metric;
        double sum;
    } rows[] = {{"effective_bandwidth", 1}, {"kernel_time", -1}};
    for (size_t r = 0; r < 2; r++) {
        struct subject *subject;
        struct point point;
        struct elasticities found;
        double sum = 0, last = INFINITY;
        open_point("gemm:input=small", "eab", &subject, &point);
        check_ok(elasticities_find(&point, NULL, rows[r].metric, 0.2, false, &found, &failure));
        for (size_t i = 0; i < found.count; i++) {
            const struct elasticity *e = &found.items[i];
            double change = fmax(fabs(e->less), fabs(e->more));
            sum += dim_equal(e->dim, DIM_BYTES_PER_S) ? e->elasticity : 0;
            assert_true(change <= last * (1 + 1e-12)); /* sorted */
            assert_true(change > 0);
            last = change;
        }
        check_relative(sum, rows[r].sum, 1e-4); /* differences over 1 %: of second order */
        assert_true(found.structural > 5);
        VECTOR_FREE(&found);
        point_close(&point);
        subject_destroy(subject);
    }
}

/* The bottleneck's bound is that of one resource: its elasticity is 1, all others 0. */
TEST(elasticities_of_a_bound)
{
    struct subject *subject;
    struct point point;
    struct elasticities found;
    open_point("tests/data/hand.profile.yaml", "bottleneck", &subject, &point);
    check_ok(elasticities_find(&point, NULL, "effective_bandwidth", 0.2, false, &found, &failure));
    assert_true(found.count >= 1);
    assert_string_equal(found.items[0].path, "inter.link_bandwidth");
    check_relative(found.items[0].elasticity, 1, 1e-9);
    check_relative(found.items[0].less, -0.2, 1e-9);
    check_relative(found.items[0].more, 0.2, 1e-9);
    VECTOR_FREE(&found);
    check_error(elasticities_find(&point, NULL, "kernel_time", 0.2, false, &found, &failure),
                STATUS_INPUT, "unknown here");
    VECTOR_FREE(&found);
    point_close(&point);
    subject_destroy(subject);
}

/* Machines side by side have the bits of each alone. */
static void check_many(const char *workload, const char *model)
{
    enum { MACHINES = 11 };
    struct subject *subject;
    struct point point;
    struct answer *answer;
    open_point(workload, model, &subject, &point);
    check_ok(point_answer(&point, &answer, &failure));
    size_t n = (size_t)term_input_count(answer->graph);
    double *inputs = memory_zero(MACHINES * n, sizeof *inputs), many[MACHINES], alone[MACHINES];
    for (size_t k = 0; k < MACHINES; k++) {
        struct machine *machine = machine_clone(point.machine);
        struct answer *own;
        char path[] = "inter.link_bandwidth", value[64];
        snprintf(value, sizeof value, "%zu GB/s", k == 5 ? 24 : 24 * (k + 1));
        check_ok(machine_set(machine, k % 3 ? path : "memory.bandwidth", value, NULL, &failure));
        check_ok(model_bind(answer->graph, machine, inputs + k * n, &failure));
        struct point moved = point;
        moved.machine = machine;
        check_ok(point_answer(&moved, &own, &failure));
        alone[k] = answer_metric(own, "kernel_time");
        answer_destroy(own);
        machine_destroy(machine);
    }
    check_ok(answer_metric_many(answer, "kernel_time", inputs, MACHINES, many, &failure));
    for (size_t k = 0; k < MACHINES; k++)
        assert_memory_equal(&many[k], &alone[k], sizeof many[k]);
    check_ok(answer_metric_many(answer, "kernel_time", inputs, 0, many, &failure));
    check_ok(answer_metric_many(answer, "no_such_metric", inputs, MACHINES, many, &failure));
    for (size_t k = 0; k < MACHINES; k++)
        assert_true(isnan(many[k]));
    free(inputs);
    answer_destroy(answer);
    point_close(&point);
    subject_destroy(subject);
}

TEST(machines_side_by_side)
{
    check_many("gemm:input=small", "network");
    check_many("bfs:input=small", "network"); /* unlike launches, of several phases */
    check_many("bfs:input=small", "eab");
}

/* What a parameter does is what the answer of a machine with it says; counts are in the terms. */
TEST(changes_are_answers)
{
    static const char *const paths[] = {"inter.link_bandwidth", "memory.latency", "sm.clock",
                                        "memory.channels"};
    struct subject *subject;
    struct point point;
    struct elasticities found;
    open_point("bfs:input=small", "network", &subject, &point);
    check_ok(elasticities_find(&point, NULL, "kernel_time", 0.25, false, &found, &failure));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct point moved = point;
        struct quantity here, there;
        const struct elasticity *e = NULL;
        for (size_t k = 0; k < found.count; k++)
            if (strcmp(found.items[k].path, paths[i]) == 0)
                e = &found.items[k];
        assert_non_null(e);
        moved.machine = machine_clone(point.machine);
        check_ok(point_set(&moved, paths[i], e->value * 1.25, &failure));
        check_ok(point_metric(&moved, "kernel_time", &there, &failure));
        check_ok(point_metric(&point, "kernel_time", &here, &failure));
        assert_true(fabs(there.value / here.value - 1 - e->more) < 1e-8);
        machine_destroy(moved.machine);
    }
    VECTOR_FREE(&found);
    point_close(&point);
    subject_destroy(subject);
}

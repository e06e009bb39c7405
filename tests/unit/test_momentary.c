/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places that all ask for a while, then others: counts by hand, against first-come, first-served
 * queues gone through request by request; models by hand; and all of them with the referee. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "profile/run/momentary.h"
#include "profile/run/profiler.h"

/* Four domains of an SM each, with four blocks of four warps. */
static const char four_chips[] = "machine: four\n"
                                 "chips: 4\n"
                                 "line: 128 B\n"
                                 "sm: {per_chip: 1, ctas: 4, warps: 16, threads: 512}\n"
                                 "l1: {capacity: 1 KiB, ways: 2}\n"
                                 "llc: {capacity: 64 KiB, slices: 8}\n"
                                 "page: {size: 4 KiB}\n";
enum { PLACES = 4, WARPS = 64, GROUPS = 240 };

static const struct stream_kernel kernel = {
    .n_ctas = 100, .warps_per_cta = 4, .threads_per_cta = 128};

/* --- counts ------------------------------------------------------------------------------ */

/* Uniformity of places of a kind, where the place of a warp's group is given. */
static double counted(enum momentary_kind kind, enum profile_field field,
                      uint32_t (*place)(uint32_t group, uint32_t warp, uint64_t *state),
                      uint32_t groups)
{
    OWNED(machine) *machine = check_machine(four_chips);
    struct system system;
    struct momentary momentary;
    double fields[FIELD_COUNT];
    uint64_t state = 1;
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    momentary_init(&momentary, &system);
    for (int launch = 0; launch < 2; launch++) { /* the first one leaves nothing */
        momentary_begin_launch(&momentary, &system, &kernel);
        assert_int_equal(momentary.warps, WARPS);
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t w = 0; w < WARPS; w++) {
                momentary_begin_group(&momentary);
                momentary_add(&momentary, kind, place(g, w, &state), 1);
            }
        momentary_fields(&momentary, fields);
    }
    momentary_fini(&momentary);
    return fields[field];
}

static uint32_t phase; /* groups */

static uint32_t in_phases(uint32_t group, uint32_t warp, uint64_t *state)
{
    (void)warp, (void)state;
    return group / phase % PLACES;
}

/* Time of all over that at one place, in which warps wait for one request at a time: places serve
 * whoever comes first, a request in 1. */
static double queued(void)
{
    double ready[WARPS] = {0}, idle[PLACES] = {0}, end = 0;
    uint32_t group[WARPS] = {0};
    for (int served = 0; served < WARPS * GROUPS; served++) {
        int first = 0;
        for (int w = 1; w < WARPS; w++)
            if (group[w] < GROUPS && (group[first] == GROUPS || ready[w] < ready[first]))
                first = w;
        double *at = &idle[group[first]++ / phase % PLACES];
        *at = ready[first] = fmax(*at, ready[first]) + 1;
        end = fmax(end, *at);
    }
    return end / (WARPS * GROUPS);
}

/* What a window leaves of the g - 1 before it. */
static double left(double g)
{
    return 1 - 1 / sqrt(1 + 4 / acos(-1) * g);
}

/* Shares of a place, window by window: A; A, then B; B, then A. */
TEST(windows_by_hand)
{
    phase = GROUPS;
    check_relative(counted(MOMENTARY_LINKS, FIELD_MOMENTARY_LINKS, in_phases, GROUPS), 0.25, 1e-12);
    phase = 2;
    double share = (1 + 0) / 2.0;
    check_relative(counted(MOMENTARY_LINKS, FIELD_MOMENTARY_LINKS, in_phases, 3),
                   1 / (PLACES * share), 1e-12);
    share = (1 + 0 + 1 / (1 + left(3) * (1 + left(2)))) / 3;
    check_relative(counted(MOMENTARY_LINKS, FIELD_MOMENTARY_LINKS, in_phases, 4),
                   1 / (PLACES * share), 1e-12);
    /* One window has none before it. */
    assert_true(isnan(counted(MOMENTARY_LINKS, FIELD_MOMENTARY_LINKS, in_phases, 1)));
}

/* Queues know no windows: warps drift apart as they wait, and phases that are short against what
 * they have drifted leave no place idle. */
TEST(phases_last_as_queues_say)
{
    static const uint32_t phases[] = {1, 2, 4, 6, 12, 20, 60, 120, 240};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        phase = phases[i];
        double even = counted(MOMENTARY_MEMORY, FIELD_MOMENTARY_MEMORY, in_phases, GROUPS);
        check_relative(1 / (PLACES * even), queued(), 0.12);
    }
}

static uint32_t by_chance(uint32_t group, uint32_t warp, uint64_t *state)
{
    (void)group, (void)warp;
    return (uint32_t)(check_random(state) % 32);
}

/* The busiest of 32 slices has three times its share of 64 requests, by chance. */
TEST(chance_does_not_count)
{
    double even =
        counted(MOMENTARY_HOME_SLICES, FIELD_MOMENTARY_HOME_SLICES, by_chance, 100 * GROUPS);
    check_relative(even, 1, 0.005);
}

/* Lines are new where neither this window nor the last one asked for them. */
TEST(lines_are_known_for_two_windows)
{
    struct momentary momentary = {.warps = 1, .window = 2};
    uint16_t mark = 0;
    assert_false(momentary_knows(&momentary, &mark));
    assert_true(momentary_knows(&momentary, &mark));
    momentary.window++;
    assert_true(momentary_knows(&momentary, &mark));
    momentary.window += 2;
    assert_false(momentary_knows(&momentary, &mark));
}

/* One warp: a window is a group of it. Writes go with the load before them, one that hits L1 too;
 * that is no request. Two at A; one at B; two at B; one at A. */
TEST(groups_end_where_values_are_needed)
{
    enum { A = 0, B = 4096, LINE = 128 };
    OWNED(machine) *machine = check_machine(four_chips);
    check_set(machine, "page.policy", "interleave");
    check_set(machine, "page.interleave", "4 KiB");
    OWNED(synthetic) *s = synthetic_create("groups");
    synthetic_kernel(s, "k", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, A);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, A + LINE);
    synthetic_lane(s, 0, 0, ACCESS_READ, B);
    synthetic_lane(s, 0, 0, ACCESS_READ, B + LINE);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, B + 2 * LINE);
    synthetic_lane(s, 0, 0, ACCESS_READ, B + LINE);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, A + 2 * LINE);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    check_field(record, FIELD_REQUESTS, 6);
    double third = 1 / (1 + 2 * left(2));
    double fourth = 2 * left(2) * left(3) / (2 * left(2) * left(3) + left(3) + 2);
    check_relative(record->fields[FIELD_MOMENTARY_MEMORY],
                   1 / (PLACES * (0 + 2 * third + fourth) / (1 + 2 + 1)), 1e-12);
}

/* --- models by hand ------------------------------------------------------------------------ */

static struct profile_record even_record(double local, double hit)
{
    struct profile_record record = check_traffic();
    record.fields[FIELD_R_LOCAL] = local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = record.fields[FIELD_LLC_HIT_SM_SIDE] = hit;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 0.8;
    return record;
}

/* sac: 4 x 437.5 GB/s of memory, 16 TB/s of LLC, a ring of 96 GB/s links. Reads alone cross links
 * in the direction of their data. Remote requests of even traffic load each of the ring's 8 edges
 * with (4/3) / 8 = 1/6 of them; while all go to one chip, 1/2 leaves it over either edge, since
 * half of the farthest chip's go each way. Fully connected 1/12 and 1/3, over half as fast links.
 */
TEST(bounds_by_hand)
{
    static const struct {
        const char *organisation, *topology;
        enum profile_field field;
        double uniformity, local, hit, slower;
        const char *limit;
    } cases[] = {
        {"memory-side", "ring", FIELD_MOMENTARY_MEMORY, 0.25, 1, 0, 4, "memory"},
        {"memory-side", "ring", FIELD_MOMENTARY_MEMORY, 0.5, 1, 0, 2, "memory"},
        {"sm-side", "ring", FIELD_MOMENTARY_MEMORY, 0.25, 1, 0, 4, "memory"},
        {"memory-side", "ring", FIELD_MOMENTARY_HOME_SLICES, 0.2, 1, 1, 4, "llc"},
        {"memory-side", "ring", FIELD_MOMENTARY_HOME_SLICES, 0.9, 1, 1, 1, "llc"},
        {"memory-side", "ring", FIELD_MOMENTARY_OWN_SLICES, 0.2, 1, 1, 1, "llc"},
        {"sm-side", "ring", FIELD_MOMENTARY_OWN_SLICES, 0.2, 1, 1, 4, "llc"},
        {"memory-side", "ring", FIELD_MOMENTARY_LINKS, 0.25, 0, 1, 3, "inter"},
        {"memory-side", "fully-connected", FIELD_MOMENTARY_LINKS, 0.25, 0, 1, 4, "inter"},
        {"memory-side", "ring", FIELD_MOMENTARY_FETCHES, 0.25, 0, 1, 1, "inter"},
        {"sm-side", "ring", FIELD_MOMENTARY_FETCHES, 0.25, 0, 0, 3, "inter"},
        /* c = 1/2: a = (1/2 - 1/4) / (3/4) = 1/3, (2/3) (1/6) + (1/3) (1/2) = 5/18 of 1/6. */
        {"memory-side", "ring", FIELD_MOMENTARY_LINKS, 0.5, 0, 1, 5.0 / 3, "inter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", cases[i].organisation,
                                                          "inter.topology", cases[i].topology,
                                                          "noc.bandwidth", "64 TB/s"));
        struct profile_record record = even_record(cases[i].local, cases[i].hit);
        record.fields[FIELD_READS] = record.fields[FIELD_REQUESTS];
        record.fields[FIELD_WRITES] = record.fields[FIELD_ATOMICS] = 0;
        double even = check_metric("bottleneck", m, &record, "effective_bandwidth");
        record.fields[cases[i].field] = cases[i].uniformity;
        OWNED(answer) *a = check_answer_of("bottleneck", m, &record);
        check_relative(even / answer_metric(a, "effective_bandwidth"), cases[i].slower, 1e-9);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
    }
}

/* What is uneven over the launch as well is not counted twice: three of four requests have one
 * home, at all times; 3/4 = c. EAB is as published. */
TEST(launches_are_not_counted_twice)
{
    double traffic[16];
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    struct profile_record record = even_record(0.25, 0);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            traffic[4 * i + j] = j == 0 ? 9 : 1;
    record.traffic = traffic;
    record.n_domains = 4;
    for (int model = 0; model < 3; model++) {
        const char *name = (const char *[]){"bottleneck", "network", "eab"}[model];
        double launch = check_metric(name, m, &record, "effective_bandwidth");
        struct profile_record same = record;
        same.fields[FIELD_MOMENTARY_MEMORY] = 1 / (4 * 0.75);
        same.fields[FIELD_MOMENTARY_LINKS] = 1 / (4 * (0.75 * 0.75 + 3 * 0.0625 * 0.0625));
        if (model == 2)
            same.fields[FIELD_MOMENTARY_HOME_SLICES] = 0.1;
        check_relative(check_metric(name, m, &same, "effective_bandwidth"), launch, 1e-9);
    }
}

/* --- all of them ---------------------------------------------------------------------------- */

static double referee_time(const struct machine *machine, const char *spec)
{
    OWNED(source) *source = check_source(spec);
    double time = check_simulated_time(machine, source);
    return time;
}

struct times {
    double bottleneck, network, referee;
};

static struct times times_of(const struct machine *m, const char *spec)
{
    OWNED(source) *source = check_source(spec);
    OWNED(profile) *profile = check_profile(&source[0], m, false);
    OWNED(answer) *bottleneck = check_answer("bottleneck", m, &profile->views[0]);
    OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
    return (struct times){answer_metric(bottleneck, "kernel_time"),
                          answer_metric(network, "kernel_time"), referee_time(m, spec)};
}

/* Cold lines of 4 x 100 GB/s of memory: while all ask one chip's, it alone is busy; less and less
 * so as warps drift apart. Groups of one phase each, and what all chips are asked for at any time,
 * have all. */
TEST(hot_for_a_while)
{
    static const struct {
        const char *spec;
        double least, most, within; /* bounds of the share of one place; of network and referee */
    } cases[] = {{"tests/data/hot.yaml:phases=2,k=32", 0.65, 1, 0.2},
                 {"tests/data/hot.yaml:phases=4,k=16", 0.45, 0.75, 0.25},
                 {"tests/data/hot.yaml:phases=4,k=16,spread=1", 0.249, 0.28, 0.1},
                 {"tests/data/hot.yaml:phases=64,k=1", 0.249, 0.28, 0.1}};
    const double bytes = 64 * 2048 * 128.0;
    for (int side = 0; side < 2; side++) {
        OWNED(machine) *m = check_shipped(
            "sac", SETTINGS("llc.organisation", side ? "sm-side" : "memory-side", "page.policy",
                            "interleave", "page.interleave", "4 KiB", "memory.bandwidth",
                            "100 GB/s", "inter.link_bandwidth", "10 TB/s"));
        for (int i = 0; i < (check_slowness() > 1 ? 1 : 4); i++) {
            struct times t = times_of(m, cases[i].spec);
            double alone = bytes / 100e9;
            assert_true(t.referee >= cases[i].least * alone && t.referee <= cases[i].most * alone);
            assert_true(t.bottleneck >= 0.24 * alone && t.bottleneck <= t.network);
            check_relative(t.network, t.referee, cases[i].within);
            check_relative(t.bottleneck, t.network, 0.05);
        }
    }
}

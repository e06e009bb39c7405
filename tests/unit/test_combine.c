/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of several systems on one machine: node ports, moved pages and invalidations in the
 * fixed mix, by hand and at their neutral values; what other models say of them. */
#include "profile_check.h"

#include "explore/answer/answer.h"

/* TB/s that the ring of sac carries to other chips: 4/3 hops. */
#define LINKS 0.576

/* A shipped machine on which memory and LLC do not limit. */
static struct machine *with(const char *name, const char *const *settings)
{
    struct machine *machine = check_shipped(name, NULL);
    check_set(machine, "llc.bandwidth", "1000 TB/s");
    check_set(machine, "memory.bandwidth", "1000 TB/s");
    check_set(machine, "noc.bandwidth", "1000 TB/s");
    check_settings(machine, settings);
    return machine;
}

/* 76.8 B an access behind L1. NoC#1: 3.55 flits of 32 B an access; NoC#2: 1.95. */
static struct profile_record traffic(double r_local)
{
    struct profile_record record = check_traffic();
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = record.fields[FIELD_LLC_HIT_SM_SIDE] = 0.5;
    record.fields[FIELD_LOADS] = record.fields[FIELD_LOAD_GROUPS] = 800; /* one at a time */
    return record;
}

/* TB/s, and what limits. */
static void check_bandwidth(const char *model, const char *name, const char *const *settings,
                            const struct profile_record *record, double want, const char *limit)
{
    OWNED(machine) *machine = with(name, settings);
    OWNED(answer) *a = check_answer_of(model, machine, record);
    check_relative(answer_metric(a, "effective_bandwidth"), want * 1e12, 1e-12);
    if (limit)
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), limit);
    assert_int_equal(a->result.n_warnings, 0);
}

TEST(nodes_limit_the_mix)
{
    struct profile_record record = traffic(1);
    const double ports = 4 * 32 * 0.8, bytes = 76.8e-3; /* of four chips; TB/s a G/s */
    check_bandwidth("bottleneck", "sac", SETTINGS("l1.nodes", "32"), &record,
                    ports * 0.7 / 3.55 * bytes, "noc1");
    check_bandwidth("bottleneck", "sac",
                    SETTINGS("l1.nodes", "32", "dcl1.noc1_boost", "4", "dcl1.boost_most", "4"),
                    &record, ports * 0.7 / 1.95 * bytes, "noc2");
    check_bandwidth("bottleneck", "sac", SETTINGS("l1.nodes", "32", "dcl1.noc_clock", "70 GHz"),
                    &record, ports * 1.0 * bytes, "nodes");
    check_bandwidth("bottleneck", "sac",
                    SETTINGS("l1.nodes", "32", "l1.clusters", "8", "llc.organisation", "sm-side"),
                    &record, ports * 0.7 / 3.55 * bytes, "noc1");
    /* One chip: as DC-L1's own model. */
    check_bandwidth("bottleneck", "dcl1", SETTINGS("dcl1.design", "Pr10"), &record,
                    10 * 0.8 * 0.7 / 3.55 * bytes, "noc1");
    check_bandwidth("dcl1", "dcl1", SETTINGS("dcl1.design", "Pr10"), &record,
                    10 * 0.8 * 0.7 / 3.55 * bytes, "noc1");
}

/* Neither 0 nodes nor nodes at full bandwidth limit anything. */
TEST(nodes_have_a_neutral_value)
{
    struct profile_record record = traffic(0.5);
    check_bandwidth("bottleneck", "sac", NULL, &record, LINKS / 0.5, "inter");
    check_bandwidth("bottleneck", "sac", SETTINGS("l1.nodes", "0"), &record, LINKS / 0.5, "inter");
    check_bandwidth("bottleneck", "sac", SETTINGS("l1.nodes", "1", "dcl1.ports", "full"), &record,
                    LINKS / 0.5, "inter");
}

/* Three pages of 4 KiB are 0.16 of the bytes asked for. */
TEST(moved_pages_load_links_and_memory)
{
    struct profile_record record = traffic(0.5);
    record.fields[FIELD_PAGE_MOVES] = 0;
    check_bandwidth("bottleneck", "sac", NULL, &record, LINKS / 0.5, "inter");
    record.fields[FIELD_PAGE_MOVES] = 3;
    check_bandwidth("bottleneck", "sac", NULL, &record, LINKS / (0.5 + 0.16), "inter");
    check_bandwidth("bottleneck", "sac", SETTINGS("llc.organisation", "sm-side"), &record,
                    LINKS / (0.25 + 0.16), "inter");
    check_bandwidth("bottleneck", "sac", SETTINGS("memory.bandwidth", "0.1 TB/s"), &record,
                    0.4 / (0.5 + 0.32), "memory");
}

/* A level before the LLC holds copies, which hardware coherence invalidates: 600 messages of
 * 8 B are 1/16 of the bytes. */
TEST(levels_have_invalidations)
{
    OWNED(machine) *machine = check_machine(
        "machine: m\nbase: sac\ncoherence: hardware\nrdma: {capacity: 1 MiB, filter: remote}\n"
        "llc: {bandwidth: 1000 TB/s}\nmemory: {bandwidth: 1000 TB/s}\n"
        "noc: {bandwidth: 1000 TB/s}\n");
    struct profile_record record = traffic(0.5);
    record.fields[FIELD_HOME_REQUESTS] = 500;
    record.fields[FIELD_HOME_REMOTE_REQUESTS] = 240;
    record.levels[0] = "rdma";
    record.fields[FIELD_LEVEL_0] = 300;
    record.fields[FIELD_INVALIDATIONS] = 600;
    struct answer *a = check_answer_of("bottleneck", machine, &record);
    check_relative(answer_metric(a, "effective_bandwidth"), LINKS * 1e12 / (0.4 + 0.0625), 1e-12);
    answer_destroy(a);
    a = check_answer_of("link", machine, &record); /* says that it does not count them */
    assert_int_equal(a->result.n_warnings, 1);
    assert_non_null(strstr(a->result.warnings[0], "coherence"));
    answer_destroy(a);
    check_set(machine, "coherence", "software");
    a = check_answer_of("bottleneck", machine, &record);
    check_relative(answer_metric(a, "effective_bandwidth"), LINKS * 1e12 / 0.4, 1e-12);
    answer_destroy(a);
    check_set(machine, "coherence", "hardware");
    check_set(machine, "rdma.filter", "local"); /* no copies of other chips' lines */
    a = check_answer_of("bottleneck", machine, &record);
    check_relative(answer_metric(a, "effective_bandwidth"), LINKS * 1e12 / 0.4, 1e-12);
    answer_destroy(a);
}

/* Half of the requests look up the RDMA cache: half of its latency is in every request's. */
TEST(levels_have_latency)
{
    OWNED(machine) *machine = check_machine(
        "machine: m\nbase: mcm\nrdma: {capacity: 1 MiB, filter: remote, latency: 0 s}\n");
    struct profile_record record = traffic(0.5);
    record.fields[FIELD_HOME_REQUESTS] = 500;
    record.fields[FIELD_HOME_REMOTE_REQUESTS] = 240;
    record.levels[0] = "rdma";
    record.fields[FIELD_LEVEL_0] = 300;
    OWNED(answer) *a = check_answer_of("parallelism", machine, &record);
    check_set(machine, "rdma.latency", "100 ns");
    OWNED(answer) *later = check_answer_of("parallelism", machine, &record);
    check_relative(answer_metric(later, "unloaded_latency"),
                   answer_metric(a, "unloaded_latency") + 50e-9, 1e-12);
}

TEST(what_is_left_out_is_said)
{
    static const struct {
        const char *model, *path, *value, *word; /* word NULL: nothing to say */
    } cases[] = {
        {"eab", "l1.nodes", "32", "(l1.nodes)"},
        {"link", "l1.nodes", "32", "(l1.nodes)"},
        {"parallelism", "l1.nodes", "32", "(l1.nodes)"},
        {"eab", "l1.nodes", "0", NULL},
        {"eab", "page.policy", "replication", "(page.policy replication)"},
        {"eab", "coherence", "hardware", NULL}, /* one copy of a line */
        {"bottleneck", "l1.nodes", "32", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = with("sac", SETTINGS(cases[i].path, cases[i].value));
        struct profile_record record = traffic(0.5);
        record.fields[FIELD_INVALIDATIONS] = 5;
        record.fields[FIELD_PAGE_MOVES] = strcmp(cases[i].path, "page.policy") == 0 ? 1 : 0;
        OWNED(answer) *a = check_answer_of(cases[i].model, machine, &record);
        assert_int_equal(a->result.n_warnings, cases[i].word ? 1 : 0);
        if (cases[i].word)
            assert_non_null(strstr(a->result.warnings[0], cases[i].word));
    }
    /* Hand-made numbers need not say accesses: the ports are left out, with a word. */
    OWNED(machine) *machine =
        with("sac", SETTINGS("l1.nodes", "32", "llc.organisation", "sac", "sac.decides", "exact"));
    struct profile_record record = traffic(0.5);
    record.fields[FIELD_LINE_ACCESSES] = (double)NAN;
    record.fields[FIELD_WRITTEN] = 0;
    OWNED(answer) *a = check_answer_of("bottleneck", machine, &record);
    assert_int_equal(a->result.n_warnings, 1); /* once for both organisations */
    /* Nor the beginnings of launches, nor what they write. */
    check_set(machine, "sac.decides", "window");
    record.fields[FIELD_WRITTEN] = (double)NAN;
    OWNED(answer) *b = check_answer_of("bottleneck", machine, &record);
    assert_int_equal(b->result.n_warnings, 3);
    assert_non_null(strstr(b->result.warnings[1], "decides from whole launches"));
    assert_non_null(strstr(b->result.warnings[2], "(written)"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stations of machines: capacities per domain, routes, messages, head-of-line blocking. */
#include "check.h"

#include <unistd.h>

#include "core/catalogue.h"
#include "machine/system.h"

static struct machine *load(const char *name, const char *const *settings)
{
    struct machine *machine = check_shipped(name, NULL);
    for (; settings && *settings; settings += 2)
        check_set(machine, settings[0], settings[1]);
    return machine;
}

static struct system system_of(const char *name, const char *const *settings)
{
    OWNED(machine) *machine = load(name, settings);
    struct system system;
    check_ok(system_compile(&system, machine, SYSTEM_STATIONS, &failure));
    return system;
}
#define WITH(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static double rate(const struct system *r, enum station_kind kind, uint32_t place)
{
    const struct station *station = system_station(r, kind, place);
    return station ? station->rate : (double)NAN;
}

static size_t count(const struct system *r, enum station_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < r->stations.count; i++)
        n += r->stations.items[i].kind == kind;
    return n;
}

TEST(sac_by_hand)
{
    struct system r = system_of("sac", NULL);
    assert_int_equal(r.domains, 4);
    assert_int_equal(r.sms_per_domain, 64);
    assert_int_equal(count(&r, STATION_EDGE), 8);
    assert_int_equal(r.stations.count, 4 + 4 + 4 + 8 + 4); /* issue, noc, llc, edges, memory */
    check_relative(rate(&r, STATION_ISSUE, 3), 64e9, 1e-12);
    check_relative(rate(&r, STATION_NOC, 0), 4e12, 1e-12);
    check_relative(rate(&r, STATION_LLC, 1), 4e12, 1e-12);
    check_relative(rate(&r, STATION_EDGE, 7), 96e9, 1e-12);
    check_relative(rate(&r, STATION_MEMORY, 2), 437.5e9, 1e-12);
    assert_int_equal(system_station(&r, STATION_LLC, 0)->units, 16);
    assert_int_equal(system_station(&r, STATION_MEMORY, 0)->units, 8);
    check_relative(system_station(&r, STATION_LLC, 0)->latency_s, 120e-9, 1e-12);
    check_relative(system_station(&r, STATION_EDGE, 0)->latency_s, 32e-9, 1e-12);
    check_relative(r.request_bytes, 128, 0);
    /* Raw bytes: only data count. */
    check_relative(message_bytes(&r.inter, 128), 128, 0);
    check_relative(message_bytes(&r.inter, 0), 0, 0);
    system_fini(&r);
}

/* Opposite chips of a ring: half of the messages go either way, over two edges each. */
TEST(routes_split_ties)
{
    struct system r = system_of("sac", NULL);
    double sum = 0, most = 0;
    const double *route = system_route(&r, 0, 2);
    for (size_t e = 0; e < r.links.edges.count; e++) {
        sum += route[e];
        most = fmax(most, route[e]);
    }
    check_relative(sum, 2, 1e-15);
    check_relative(most, 0.5, 1e-15);
    route = system_route(&r, 1, 1);
    for (size_t e = 0; e < r.links.edges.count; e++)
        assert_true(route[e] == 0);
    system_fini(&r);
}

/* One by one the routes add up to what link_graph_loads says of all. */
TEST(routes_are_the_loads)
{
    static const char *const machines[] = {"sac", "mi300x", "hgx-h100", "mi250x"};
    for (size_t m = 0; m < 4; m++) {
        struct system r = system_of(machines[m], NULL);
        size_t edges = r.links.edges.count;
        double *weight = calloc((size_t)r.chips * r.chips, sizeof *weight);
        double *loads = calloc(edges, sizeof *loads), *sum = calloc(edges, sizeof *sum);
        uint64_t seed = 11;
        for (uint32_t i = 0; i < r.chips; i++)
            for (uint32_t j = 0; j < r.chips; j++) {
                double w = weight[i * r.chips + j] = check_uniform(&seed);
                for (size_t e = 0; e < edges; e++)
                    sum[e] += w * system_route(&r, i, j)[e];
            }
        link_graph_loads(&r.links, weight, loads);
        for (size_t e = 0; e < edges; e++)
            check_relative(sum[e], loads[e], 1e-12);
        free(weight);
        free(loads);
        free(sum);
        system_fini(&r);
    }
}

TEST(partitions_are_domains)
{
    struct system r = system_of("nuba-mcm", NULL);
    assert_int_equal(r.domains, 64);
    assert_int_equal(r.sms_per_domain, 2);
    assert_int_equal(count(&r, STATION_NOC), 4);
    assert_int_equal(count(&r, STATION_P2P), 64);
    check_relative(rate(&r, STATION_P2P, 63), 1.4e12 / 16, 1e-12);
    check_relative(rate(&r, STATION_MEMORY, 17), 360e9 / 16, 1e-12);
    assert_int_equal(system_station(&r, STATION_LLC, 0)->units, 2);
    assert_int_equal(system_place(&r, STATION_NOC, 17), 1);
    assert_int_equal(system_place(&r, STATION_LLC, 17), 17);
    system_fini(&r);
}

/* 40 nodes: data ports at the SMs' clock, both crossbars' ports at theirs. */
TEST(nodes_have_ports)
{
    struct system r = system_of("dcl1", WITH("dcl1.design", "Sh40+C10+Boost"));
    check_relative(rate(&r, STATION_NODES, 0), 40 * 1.4e9, 1e-12);
    check_relative(rate(&r, STATION_NOC1, 0), 40 * 1.4e9, 1e-12);
    check_relative(rate(&r, STATION_NOC2, 0), 40 * 0.7e9, 1e-12);
    system_fini(&r);
    r = system_of("dcl1", NULL);
    assert_null(system_station(&r, STATION_NODES, 0));
    system_fini(&r);
}

/* 32 slices of 256 B in turn, of lines of 128 B; else by a hash. */
TEST(slices_have_lines)
{
    OWNED(machine) *in_turn = load("dcl1", NULL);
    OWNED(machine) *hashed = load("dcl1", WITH("llc.mapping", "hashed"));
    struct system r;
    check_ok(system_compile(&r, in_turn, SYSTEM_STREAM, &failure));
    for (uint64_t line = 0; line < 200; line++)
        assert_int_equal(system_slice(system_llc(&r), line, ~line), line / 2 % 32);
    system_fini(&r);
    check_ok(system_compile(&r, hashed, SYSTEM_STREAM, &failure));
    assert_int_equal(system_slice(system_llc(&r), 5, 0), 0);
    assert_int_equal(system_slice(system_llc(&r), 5, UINT64_MAX), 31);
    system_fini(&r);
}

TEST(levels_before_the_llc)
{
    struct system r = system_of("dualopt-rdma", NULL);
    check_relative(rate(&r, station_of_level(0), 3), 1.024e12, 1e-12);
    assert_string_equal(system_station_name(&r, station_of_level(0)), "rdma");
    assert_null(system_station(&r, station_of_level(1), 0));
    system_fini(&r);
    r = system_of("mcm", NULL); /* a capacity of 0 B: no L1.5 */
    assert_null(system_station(&r, station_of_level(0), 0));
    system_fini(&r);
}

TEST(messages_take_whole_flits)
{
    struct system r = system_of(
        "sac", WITH("inter.flit", "16 B", "inter.overhead", "1.25", "inter.read_request", "8 B"));
    check_relative(message_bytes(&r.inter, 8), 16, 0);
    check_relative(message_bytes(&r.inter, 128), 160, 0);
    check_relative(message_bytes(&r.inter, 129), 176, 0);
    system_fini(&r);
}

TEST(fifos_lose_throughput)
{
    struct system r = system_of("sac", WITH("inter.switching", "fifo"));
    /* A router of the ring: what arrives by the one link before and its own chip's. */
    check_relative(rate(&r, STATION_EDGE, 0), 0.75 * 96e9, 1e-12);
    system_fini(&r);
    r = system_of("sac", WITH("inter.switching", "voq", "noc.switching", "fifo"));
    check_relative(rate(&r, STATION_EDGE, 0), 96e9, 1e-12);
    check_relative(rate(&r, STATION_NOC, 0), 4e12 * fifo_share(22), 1e-12);
    system_fini(&r);
    check_relative(fifo_share(2), 0.75, 0);
    for (uint32_t ports = 2; ports < 200; ports++)
        assert_true(fifo_share(ports) < fifo_share(ports - 1) && fifo_share(ports) > 2 - sqrt(2));
}

/* Share of 1 GB/s that edge e keeps with FIFOs at the inputs of switches. */
static void check_shares(const char *chips, const char *topology, const char *edges,
                         const double *shares, size_t n)
{
    char text[512];
    snprintf(text, sizeof text,
             "machine: m\nbase: sac\nchips: %s\ninter: {topology: %s, link_bandwidth: 1 GB/s, "
             "switching: fifo%s%s}\n",
             chips, topology, edges ? ", edges: " : "", edges ? edges : "");
    OWNED(machine) *machine = check_machine(text);
    struct system r;
    check_ok(system_compile(&r, machine, SYSTEM_STATIONS, &failure));
    assert_int_equal(count(&r, STATION_EDGE), n);
    for (size_t e = 0; e < n; e++)
        check_relative(rate(&r, STATION_EDGE, (uint32_t)e) / 1e9, shares[e], 1e-12);
    system_fini(&r);
}

/* Nothing is lost where an edge has one input, or its inputs one destination. */
TEST(losses_follow_the_flows)
{
    static const double all[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    /* Uplinks have one input; three chips contend for the fourth one's downlink. */
    static const double switched[8] = {1, 1, 1, 1, 0.6825, 0.6825, 0.6825, 0.6825};
    /* A tree: 0 and 1 at switch 4, 2 and 3 at 5. Between switches two inputs meet; down to a chip
     * go the other one's and what comes from above: in all two inputs of two outputs each. */
    static const double tree[10] = {1, 1, 1, 1, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75};
    /* A line: what arrives at chip 1 goes on or ends there, what it sends goes either way. */
    static const double line[4] = {1, 0.75, 1, 0.75};
    double same[12];
    size_t n = 0;
    check_shares("4", "fully-connected", NULL, all, 12);
    check_shares("3", "ring", NULL, all, 6);
    check_shares("2", "switch", NULL, all, 4);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("inter.topology", "switch"));
    struct link_graph graph;
    check_ok(link_graph_build(m, &graph, &failure)); /* in which order the plug-in has them */
    for (; n < graph.edges.count; n++)
        same[n] = graph.edges.items[n].from < 4 ? switched[0] : switched[4];
    link_graph_fini(&graph);
    check_shares("4", "switch", NULL, same, n);
    check_shares("4", "edges",
                 "[{from: 0, to: 4}, {from: 1, to: 4}, {from: 2, to: 5}, {from: 3, to: 5}, "
                 "{from: 4, to: 0}, {from: 4, to: 1}, {from: 5, to: 2}, {from: 5, to: 3}, "
                 "{from: 4, to: 5}, {from: 5, to: 4}]",
                 tree, 10);
    check_shares("3", "edges",
                 "[{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 1}, {from: 1, to: 0}]", line,
                 4);
}

TEST(requests_and_replies_apart)
{
    struct system r = system_of("sac", WITH("noc.directions", "separate"));
    assert_int_equal(count(&r, STATION_NOC_REPLY), 4);
    check_relative(rate(&r, STATION_NOC_REPLY, 2), 4e12, 1e-12);
    system_fini(&r);
}

TEST(unknown_values_are_named)
{
    static const char text[] = "machine: bare\nchips: 2\nsm: {per_chip: 4}\n"
                               "l1: {capacity: 16 KiB}\nllc: {organisation: memory-side, "
                               "capacity: 1 MiB}\nmemory: {bandwidth: 1 GB/s}\n"
                               "inter: {topology: ring, link_bandwidth: 1 GB/s}\n";
    struct system r;
    char path[] = "/tmp/bandscape-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    close(file);
    struct machine *machine = check_shipped(path, NULL);
    check_error(system_compile(&r, machine, SYSTEM_STATIONS, &failure), STATUS_UNKNOWN_FIELD,
                "llc.bandwidth");
    system_fini(&r);
    machine_destroy(machine);
    unlink(path);
}

/* Every shipped machine has its stations. */
TEST(shipped_machines)
{
    struct catalogue machines;
    machine_catalogue(&machines);
    assert_true(machines.count > 20);
    for (size_t i = 0; i < machines.count; i++) {
        struct system r = system_of(machines.items[i].name, NULL);
        assert_true(count(&r, STATION_LLC) == r.domains && count(&r, STATION_MEMORY) == r.domains);
        for (size_t s = 0; s < r.stations.count; s++) {
            const struct station *station = &r.stations.items[s];
            assert_true(station->rate > 0 && isfinite(station->rate));
            assert_ptr_equal(system_station(&r, station->kind, station->place), station);
        }
        for (int kind = 0; kind < STATION_KIND_COUNT; kind++) /* none behind the last one */
            assert_null(system_station(&r, (enum station_kind)kind,
                                       (uint32_t)count(&r, (enum station_kind)kind)));
        system_fini(&r);
    }
    catalogue_fini(&machines);
}

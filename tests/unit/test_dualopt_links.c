/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt's links: the hottest directed edge, never more than the model link promises, and the
 * same messages as in other models of the machine. */
#include "mcm_check.h"
#include "sampled_check.h"

#include "explore/views/subject.h"
#include "machine/system.h"

/* The bandwidth that a model gives a workload; machine of settings. */
static double of_workload(const char *name, struct subject *subject, const struct machine *machine)
{
    const struct model *model = (const struct model *)plugin_find("model", name);
    struct model_views views;
    OWNED(answer) *answer = NULL;
    size_t made;
    check_ok(subject_prepare_models(subject, machine, &model, 1, PART_BASE, NULL, &made, &failure));
    check_ok(subject_views(subject, model, machine, &views, &failure));
    check_ok(answer_create_variants(model, machine, &views, &answer, &failure));
    double value = answer_metric(answer, "effective_bandwidth");
    return value;
}

TEST(never_above_link)
{
    static const char *const workloads[] = {"mvt:input=small", "gemm:input=small",
                                            "stencil:input=small", "bfs:input=small",
                                            "matrixtranspose:input=small"};
    static const struct {
        const char *chips, *topology;
    } cases[] = {{"2", "switch"}, {"4", "switch"}, {"4", "ring"}, {"8", "ring"}, {"16", "switch"}};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        struct subject *subject;
        check_ok(subject_open(workloads[w], &subject, &failure));
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            OWNED(machine) *m = check_shipped(
                "dualopt", SETTINGS("llc.side", "home", "dualopt.design", "baseline", "chips",
                                    cases[i].chips, "inter.topology", cases[i].topology));
            double ours = of_workload("dualopt", subject, m),
                   bound = of_workload("link", subject, m);
            if (!(ours <= bound * (1 + 1e-12)))
                fail_msg("%s, %s GPUs, %s: %g above %g", workloads[w], cases[i].chips,
                         cases[i].topology, ours, bound);
        }
        subject_destroy(subject);
    }
}

/* 1000 requests a pair of GPUs times `traffic`, all remote; a share of them read. */
static struct profile_record remote_record(double *traffic, uint32_t gpus, double reads)
{
    struct profile_record r = mcm_record(0, 1);
    double all = 0;
    for (uint32_t i = 0; i < gpus * gpus; i++)
        all += 1000 * traffic[i];
    r.traffic = traffic;
    r.n_domains = gpus;
    r.fields[FIELD_REQUESTS] = r.fields[FIELD_HOME_REQUESTS] = all;
    r.fields[FIELD_HOME_REMOTE_REQUESTS] = all;
    r.fields[FIELD_HOME_READS] = r.fields[FIELD_HOME_REMOTE_READS] = all * reads;
    r.fields[FIELD_READS] = r.fields[FIELD_L1_READS] = r.fields[FIELD_L1_REMOTE_READS] =
        all * reads;
    r.fields[FIELD_WRITES] = all - all * reads;
    r.fields[FIELD_L1_READ_HITS] = r.fields[FIELD_L1_REMOTE_READ_HITS] = 0;
    r.fields[FIELD_BYTES] = all * 64;
    r.fields[FIELD_LINE_USE] = 1;
    r.fields[check_sampled("remote.sent_4")] = r.fields[check_sampled("remote.sent_lines")] =
        all * reads;
    r.fields[check_sampled("remote.sent_pieces_4")] = 2 * all * reads;
    r.fields[check_sampled("remote.edge_requests")] = all * reads;
    r.fields[check_sampled("remote.edge_outstanding")] =
        r.fields[check_sampled("remote.edge_buffered")] = 0;
    return r;
}

/* Links so slow that nothing else matters: the time of the hottest one, in flits of 16 B. Reads
 * send 1 flit home and 5 back, writes 5 and 1. */
TEST(hottest_edge_by_hand)
{
    static struct {
        const char *what, *topology;
        double traffic[16], reads, flits;
    } cases[] = {
        {"all alike", "switch", {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0}, 1, 3000 * 6},
        /* GPU 0 has all pages: its uplink carries 3000 replies, as its downlink the requests */
        {"one home", "switch", {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 1, 3000 * 5},
        {"one asks", "switch", {0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1, 3000 * 5},
        {"one home, writes",
         "switch",
         {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
         0,
         3000 * 5},
        /* 1 asks 0 and 0 asks 2: 0's uplink has 1000 replies and 2000 requests */
        {"both ways",
         "switch",
         {0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         1,
         2000 * 5 + 1000},
        /* half of 0's requests to 2 go by 1, half by 3 */
        {"a ring", "ring", {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1, 1000 * 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record r = remote_record(cases[i].traffic, 4, cases[i].reads);
        OWNED(machine) *m = check_shipped(
            "dualopt", SETTINGS("llc.side", "home", "dualopt.design", "baseline", "inter.topology",
                                cases[i].topology, "inter.link_bandwidth", "1 MB/s"));
        check_relative(check_metric("dualopt", m, &r, "kernel_time"), cases[i].flits * 16 / 1e6,
                       1e-12);
    }
}

TEST(packets_balance_with_the_hottest_edge)
{
    double traffic[] = {0, 1, 3, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 5, 0};
    struct profile_record r = remote_record(traffic, 4, 1);
    OWNED(machine) *m = check_shipped("dualopt", SETTINGS("llc.side", "home", "dualopt.design",
                                                          "coalescing", "dualopt.timeout", "100 ns",
                                                          "inter.link_bandwidth", "4 GB/s"));
    OWNED(answer) *a = check_answer_of("dualopt", m, &r);
    double all = r.fields[FIELD_REQUESTS], pieces = r.fields[check_sampled("remote.sent_pieces_4")];
    double fill = answer_metric(a, "packet_fill"), time = answer_metric(a, "kernel_time");
    /* As many as arrive for one of 12 pairs in the timeout, at the time that so many take. */
    assert_true(fill > 1.1 && fill < 9.9);
    check_relative(fill, 1 + pieces / 12 * 1e-7 / time, 1e-9);
    /* GPU 2's uplink has 3 of 13 parts of the requests, and 9 of the replies. */
    double i = floor(fill), x = fill - i;
    double packet = (1 - x) * ceil((4 + 6 * i) / 16) + x * ceil((4 + 6 * (i + 1)) / 16);
    check_relative(time, (3 * all + 9 * pieces / fill * packet) / 13 * 16 / 4e9, 1e-9);
}

/* --- one size of a message ----------------------------------------------------------------- */

/* Flits of a remote read and a remote write: dualopt's on the links, those of the stations (the
 * simulator's), and the network's, from what keeps the busiest edge busy. */
TEST(models_agree_on_messages)
{
    static const char *const flits[] = {"8 B", "16 B", "24 B", "32 B", "256 B"};
    static const char *const overheads[] = {"1", "1.25"};
    double traffic[] = {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0};
    for (int k = 0; k < 20; k++) {
        bool writes = k >= 10;
        OWNED(machine) *m = check_shipped(
            "dualopt",
            SETTINGS("llc.side", "home", "dualopt.design", "baseline", "inter.flit", flits[k % 5],
                     "inter.overhead", overheads[k / 5 % 2], "inter.link_bandwidth", "1 GB/s"));
        struct profile_record r = remote_record(traffic, 4, writes ? 0 : 1);
        struct system resources;
        check_ok(system_compile(&resources, m, SYSTEM_STATIONS, &failure));
        const struct message_sizes *inter = &resources.inter;
        double bytes = writes ? message_bytes(inter, inter->write_request_bytes + 64) +
                                    message_bytes(inter, inter->write_response_bytes)
                              : message_bytes(inter, inter->read_request_bytes) +
                                    message_bytes(inter, inter->read_response_bytes + 64);
        double requests = r.fields[FIELD_REQUESTS];
        check_relative(check_metric("dualopt", m, &r, "fabric_bytes"), requests * bytes, 1e-12);
        OWNED(answer) *network = check_answer_of("network", m, &r);
        double rate = answer_metric(network, "steady_bandwidth");
        double busy = answer_metric(network, "utilisation_inter");
        check_relative(busy * 4 * 1e9 / (rate / 64), bytes, 1e-6);
        /* Of all requests a GPU's uplink carries a quarter's messages there, and a quarter's back.
         */
        check_relative(check_metric("link", m, &r, "effective_bandwidth"), 4e9 * 64 / bytes, 1e-12);
        check_relative(check_metric("bottleneck", m, &r, "effective_bandwidth"), 4e9 * 64 / bytes,
                       1e-12);
        system_fini(&resources);
    }
}

/* Published sizes, in flits of 16 B. */
TEST(shipped_sizes)
{
    static const struct {
        const char *machine;
        bool noc;
        double line, flits[4]; /* read request, response, write request, response */
    } cases[] = {
        {"dualopt", false, 64, {1, 5, 5, 1}},
        {"dualopt-rdma", false, 64, {1, 5, 5, 1}},
        {"nuba", true, 128, {1, 9, 9, 1}},
        {"nuba-mcm", true, 128, {1, 9, 9, 1}},
        {"uba-memory-side", true, 128, {1, 9, 9, 1}},
        {"uba-sm-side", true, 128, {1, 9, 9, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped(cases[i].machine, NULL);
        struct system r;
        check_ok(system_compile(&r, m, SYSTEM_STATIONS, &failure));
        const struct message_sizes *net = cases[i].noc ? &r.noc : &r.inter;
        double sizes[] = {net->read_request_bytes, net->read_response_bytes + cases[i].line,
                          net->write_request_bytes + cases[i].line, net->write_response_bytes};
        for (int k = 0; k < 4; k++)
            check_relative(message_bytes(net, sizes[k]) / 16, cases[i].flits[k], 0);
        system_fini(&r);
    }
}

/* Who counts data alone on a machine that gives more says so. */
TEST(raw_models_say_so)
{
    static const struct {
        const char *machine, *noc_flit, *model, *words; /* NULL: as it is; no warning */
    } cases[] = {{"dualopt", NULL, "link", NULL},
                 {"dualopt", NULL, "bottleneck", NULL},
                 {"dualopt", NULL, "dualopt", NULL},
                 {"dualopt", NULL, "network", NULL},
                 {"dualopt", "16 B", "dualopt", NULL},
                 {"dualopt", "16 B", "network", NULL},
                 {"dualopt", "16 B", "bottleneck", NULL},
                 {"dualopt", "16 B", "link", "messages of noc"},
                 {"mcm", "16 B", "bottleneck", NULL},
                 {"mcm", "16 B", "eab", "messages of noc"},
                 {"uba-memory-side", NULL, "mdr", "messages of noc"},
                 {"mcm", NULL, "link", NULL},
                 {"multi-gpu", NULL, "dualopt", "links carry data alone"}};
    double traffic[] = {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped(
            cases[i].machine, SETTINGS("llc.side", "home", "dualopt.design", "baseline",
                                       cases[i].noc_flit ? "noc.flit" : NULL, cases[i].noc_flit));
        struct profile_record r = remote_record(traffic, 4, 1);
        if (strcmp(cases[i].machine, "uba-memory-side") == 0) /* one chip */
            r.fields[FIELD_R_LOCAL] = 1;
        OWNED(answer) *a = check_answer_of(cases[i].model, m, &r);
        const char *said = NULL;
        for (int k = 0; k < a->result.n_warnings; k++)
            if (strstr(a->result.warnings[k], "data alone"))
                said = a->result.warnings[k];
        if (cases[i].words) {
            assert_non_null(said);
            assert_non_null(strstr(said, cases[i].words));
        } else {
            assert_null(said);
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in the fixed mix, by hand from the bytes on the wire that a compiled machine gives: of
 * crossbars, of pages and invalidations on links; chips that are not alike. */
#include "mcm_check.h"

#include "explore/answer/referee.h"
#include "machine/system.h"
#include "profile_check.h"

/* 1000 requests of 128 B on sac's four chips, who asks whom in hundreds; all hit. */
static struct profile_record mix(double *traffic, double reads, double hit)
{
    struct profile_record r = mcm_record(0, hit);
    double all = 0, local = 0;
    for (int i = 0; i < 16; i++) {
        all += 100 * traffic[i];
        local += i % 5 == 0 ? 100 * traffic[i] : 0;
    }
    r.traffic = traffic;
    r.n_domains = 4;
    r.fields[FIELD_R_LOCAL] = local / all;
    r.fields[FIELD_REQUESTS] = r.fields[FIELD_HOME_REQUESTS] = all;
    r.fields[FIELD_READS] = r.fields[FIELD_HOME_READS] = all * reads;
    r.fields[FIELD_WRITES] = all - all * reads;
    r.fields[FIELD_HOME_REMOTE_REQUESTS] = all - local;
    r.fields[FIELD_HOME_REMOTE_READS] = (all - local) * reads;
    r.fields[FIELD_BYTES] = 128 * all;
    return r;
}

/* Of a request, of which `reads` read: what goes there, and what comes back. */
static void wire(const struct message_sizes *m, double reads, double *there, double *back)
{
    *there = reads * message_bytes(m, m->read_request_bytes) +
             (1 - reads) * message_bytes(m, m->write_request_bytes + 128);
    *back = reads * message_bytes(m, m->read_response_bytes + 128) +
            (1 - reads) * message_bytes(m, m->write_response_bytes);
}

/* Every chip asks itself twice and each other once: of 20 requests 5 a chip cross its crossbar
 * first, and 3 of others. A crossbar of 1 GB/s. */
TEST(crossbars_carry_messages)
{
    static const char *const flits[] = {"8 B", "16 B", "100 B", NULL};
    static const double reads[] = {1, 0.75, 0};
    double traffic[] = {2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2};
    for (int k = 0; k < 24; k++) {
        bool separate = k >= 12;
        OWNED(machine) *m =
            check_shipped("sac", SETTINGS("noc.bandwidth", "1 GB/s", "noc.directions",
                                          separate ? "separate" : "shared", "noc.read_request",
                                          "8 B", "noc.read_response", "12 B", "noc.write_request",
                                          "20 B", "noc.write_response", "4 B", "noc.overhead",
                                          "1.25", flits[k % 4] ? "noc.flit" : NULL, flits[k % 4]));
        struct profile_record r = mix(traffic, reads[k / 4 % 3], 1);
        struct system system;
        double there, back;
        check_ok(system_compile(&system, m, SYSTEM_STATIONS, &failure));
        wire(&system.noc, reads[k / 4 % 3], &there, &back);
        double bytes = separate ? fmax(there, back) : there + back;
        check_relative(check_metric("bottleneck", m, &r, "effective_bandwidth"),
                       1e9 * 128 / (bytes * 8 / 20), 1e-12);
        /* The network comes as near as its population lets it. */
        OWNED(answer) *network = check_answer_of("network", m, &r);
        double most = answer_metric(network, "steady_bandwidth") / 128 * bytes * 8 / 20 / 1e9;
        assert_true(most > 0.98 && most < 1 + 1e-9);
        system_fini(&system);
    }
}

/* Behind an SM-side LLC: half of the requests miss, 12 of 20 are remote; a ring's edge carries a
 * sixth of what goes there, and of what comes back. */
TEST(misses_at_the_requester_cross_links)
{
    double traffic[] = {2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2};
    for (int k = 0; k < 3; k++) {
        OWNED(machine) *m = check_shipped(
            "sac", SETTINGS("llc.organisation", "sm-side", "inter.link_bandwidth", "1 GB/s",
                            "inter.read_request", "16 B", "inter.write_request", "400 B"));
        double reads = k / 2.0, bytes = 0.5 * 0.6 * (128 + reads * 16 + (1 - reads) * 400) / 6;
        struct profile_record r = mix(traffic, reads, 0.5);
        check_relative(check_metric("bottleneck", m, &r, "effective_bandwidth"), 1e9 * 128 / bytes,
                       1e-12);
        OWNED(answer) *network = check_answer_of("network", m, &r);
        check_relative(answer_metric(network, "utilisation_inter"),
                       answer_metric(network, "steady_bandwidth") / 128 * bytes / 1e9, 1e-6);
    }
}

/* Beside requests: three pages of 4 KiB and 80 invalidations of 8 B take whole flits of 100 B, 41
 * and 1; between all pairs of a ring of four, of which an edge has a sixth. */
TEST(pages_and_invalidations_take_flits)
{
    double traffic[] = {5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5};
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("llc.organisation", "sm-side", "coherence", "hardware",
                                      "inter.link_bandwidth", "1 GB/s", "inter.flit", "100 B"));
    struct profile_record r = mix(traffic, 0.5, 1);
    r.fields[FIELD_PAGE_MOVES] = 3;
    r.fields[FIELD_INVALIDATIONS] = 80;
    double bytes = (3 * 4100 + 80 * 100) / 6.0;
    check_relative(check_metric("bottleneck", m, &r, "effective_bandwidth"),
                   1e9 * 2000 * 128 / bytes, 1e-12);
    OWNED(answer) *network = check_answer_of("network", m, &r);
    check_relative(answer_metric(network, "utilisation_inter"),
                   answer_metric(network, "steady_bandwidth") / (2000 * 128) * bytes / 1e9, 1e-6);
}

/* All data at home in chip 0, half of the requests from chip 1: what limits has a place. */
TEST(the_busiest_chip_limits)
{
    static const struct {
        const char *settings[3];
        double share, capacity; /* of the requests, in lines; GB/s */
        const char *limit;
    } cases[] = {
        {{"memory.bandwidth", "1 GB/s", NULL}, 0.5, 1, "memory"}, /* half miss, one memory */
        /* Crossbar 0: its own 2 of 12, and 10 from others. */
        {{"noc.bandwidth", "1 GB/s", NULL}, 1, 1, "noc"},
        /* 3 of 6 and half of 2: to chip 0 by chip 3 or 1 go chip 2's 2 requests; the answers. */
        {{"inter.link_bandwidth", "1 GB/s", NULL}, 7 / 12.0, 1, "inter"},
    };
    double traffic[] = {2, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("sac", cases[i].settings);
        struct profile_record r = mix(traffic, 1, 0.5);
        OWNED(answer) *a = check_answer_of("bottleneck", m, &r);
        check_relative(answer_metric(a, "effective_bandwidth"),
                       cases[i].capacity * 1e9 / cases[i].share, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
        assert_true(check_metric("network", m, &r, "effective_bandwidth") <=
                    answer_metric(a, "effective_bandwidth") * (1 + 1e-9));
    }
}

/* --- launches on some chips ------------------------------------------------------------------- */

/* 64 blocks that read 128 lines each, of pages that lie in all chips in turn. */
static struct synthetic *blocks(void)
{
    struct synthetic *s = synthetic_create("blocks");
    synthetic_kernel(s, "k", 64, 1);
    for (uint64_t i = 0; i < 64 * 128; i++)
        synthetic_lane(s, i % 64, 0, ACCESS_READ, 128 * i);
    return s;
}

/* Three quarters of what one chip reads come from the others, over two links of 1 GB/s into it. */
TEST(a_grid_on_one_chip)
{
    OWNED(machine) *m = check_shipped(
        "sac", SETTINGS("cta.chips", "1", "page.policy", "interleave", "inter.link_bandwidth",
                        "1 GB/s", "sm.outstanding", "64", "l1.capacity", "8 KiB"));
    OWNED(synthetic) *s = blocks();
    OWNED(profile) *profile = check_profile(&s->source, m, false);
    const struct profile_record *record = &profile->views[0].records[0];
    double all = 64 * 128;
    for (int i = 0; i < 16; i++)
        check_relative(record->traffic[i], i < 4 ? all / 4 : 0, 1e-12);
    /* Chip 2's lines come half by 1, half by 3: of the requests an edge into 0 has 3/8. */
    double bound = 1e9 / (3 / 8.0);
    static const char *const models[] = {"bottleneck", "link", "network"};
    for (int k = 0; k < 3; k++) {
        OWNED(answer) *a = check_answer(models[k], m, &profile->views[0]);
        double rate = answer_metric(a, "effective_bandwidth");
        if (k < 2)
            check_relative(rate, bound, 1e-12);
        else
            assert_true(rate < bound * (1 + 1e-9) && rate > 0.95 * bound);
    }
    struct simulate_gpu_options options = referee_options(1000000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(m, &s->source, &options, &result, &failure));
    double rate = all * 128 / result->time_s;
    assert_true(rate < bound && rate > 0.9 * bound);
    simulate_gpu_result_destroy(result);
    struct system system;
    check_set(m, "cta.chips", "5");
    check_error(system_compile(&system, m, SYSTEM_STREAM, &failure), STATUS_INPUT, "5 of 4 chips");
}

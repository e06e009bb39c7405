/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits in vain for others to share a packet with: by hand, against a list of requests, in the
 * latency of DualOpt's packets. */
#include "sampled_check.h"
#include "mcm_check.h"

#include "dualopt/vain.h"

TEST(by_hand)
{
    struct vain vain;
    vain_init(&vain, 2);
    vain_take(&vain, 0, 1, 100, 4);  /* alone until 120: in vain after 10 rounds only */
    vain_take(&vain, 1, 0, 105, 4);  /* another pair */
    vain_take(&vain, 0, 1, 120, 4);  /* joins for 30 and 50; for 10 it is alone */
    vain_take(&vain, 0, 1, 129, 2);  /* fills the packets of 10 pieces; joins that of 10 rounds */
    vain_take(&vain, 0, 1, 300, 10); /* a packet of its own, which leaves at once */
    vain_take(&vain, 0, 1, 400, 11); /* what is left waits */
    const uint64_t want[] = {3, 2, 2};
    for (int t = 0; t < VAIN_TIMEOUTS; t++)
        assert_int_equal(vain_waits(&vain, t), want[t]);
    vain_fini(&vain);
}

TEST(shares_between_timeouts)
{
    const double shares[] = {0.5, 0.3, 0.1};
    static const double cases[][2] = {{0, 0.5},   {10, 0.5}, {20, 0.4}, {30, 0.3},
                                      {35, 0.25}, {50, 0.1}, {900, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_relative(vain_share(shares, cases[i][0]), cases[i][1], 1e-12);
}

/* Where requests come far apart all wait in vain, where they come at once none does but the last.
 */
TEST(limits)
{
    struct vain far, near;
    vain_init(&far, 4);
    vain_init(&near, 4);
    for (uint64_t i = 0; i < 1000; i++) {
        vain_take(&far, 2, 3, 50 * i, 1);
        vain_take(&near, 2, 3, i, 1);
    }
    for (int t = 0; t < VAIN_TIMEOUTS; t++) {
        assert_int_equal(vain_waits(&far, t), 1000);
        assert_int_equal(vain_waits(&near, t), 0);
    }
    vain_fini(&far);
    vain_fini(&near);
}

/* With even arrivals packets are full: a piece waits for half of a packet's time. A share of
 * requests that nobody joins waits for all of the timeout, on an idle link and in the MSHRs. */
TEST(a_wait_in_vain_costs_latency)
{
    struct profile_record r = check_record();
    static const double shares[] = {0, 0.25, 1};
    double latency[3], traffic[] = {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0};
    OWNED(machine) *m = check_shipped("dualopt", SETTINGS("llc.side", "home", "dualopt.design",
                                                          "coalescing", "dualopt.timeout",
                                                          "1000 cycles", "memory.latency", "0 s"));
    for (int i = 0; i < 3; i++) {
        r = mcm_record(0, 1);
        r.traffic = traffic;
        r.n_domains = 4;
        r.fields[FIELD_REQUESTS] = r.fields[FIELD_HOME_REQUESTS] = 12e6;
        r.fields[FIELD_HOME_REMOTE_REQUESTS] = r.fields[FIELD_HOME_READS] = 12e6;
        r.fields[FIELD_HOME_REMOTE_READS] = r.fields[FIELD_READS] = 12e6;
        r.fields[FIELD_L1_READS] = r.fields[FIELD_L1_REMOTE_READS] = 12e6;
        r.fields[FIELD_L1_READ_HITS] = r.fields[FIELD_L1_REMOTE_READ_HITS] = 0;
        r.fields[FIELD_WRITES] = r.fields[FIELD_ATOMICS] = 0;
        r.fields[FIELD_BYTES] = 12e6 * 64;
        r.fields[FIELD_LINE_USE] = 1;
        r.fields[check_sampled("remote.sent_lines")] = 12e6;
        r.fields[check_sampled("remote.sent_4")] = 12e6;
        r.fields[check_sampled("remote.sent_pieces_4")] = 12e6;
        r.fields[check_sampled("remote.edge_requests")] = 12e6;
        r.fields[check_sampled("remote.edge_outstanding")] = 0;
        r.fields[check_sampled("remote.edge_buffered")] = 0;
        r.fields[check_sampled("remote.vain_10")] = r.fields[check_sampled("remote.vain_30")] =
            r.fields[check_sampled("remote.vain_50")] = shares[i] * 12e6;
        OWNED(answer) *a = check_answer_of("dualopt", m, &r);
        latency[i] = answer_metric(a, "remote_latency");
        check_relative(answer_metric(a, "vain_waits"), shares[i], 1e-12);
    }
    /* In vain: the timeout; else what packets of the mean take. */
    check_relative(latency[1] - latency[0], 0.25 * (latency[2] - latency[0]), 1e-9);
    assert_true(latency[2] - latency[0] > 0 && latency[2] - latency[0] < 1000e-9);
}

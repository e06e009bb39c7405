/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits in L1 nodes outside the SMs pay the way there, in the network and in the simulation; what
 * cannot be built is not simulated either. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "explore/views/subject.h"

enum { READS = 2000 };

/* One warp that reads one word, again and again. */
static struct synthetic *hits(void)
{
    struct synthetic *s = synthetic_create("hits");
    synthetic_kernel(s, "k", 1, 1);
    for (int i = 0; i < READS; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    return s;
}

/* Cycles of 1.4 GHz between two reads: what models and the simulation say. */
static void steps(const char *const *settings, double *network, double *simulated)
{
    OWNED(machine) *machine = check_shipped("dcl1", settings);
    OWNED(synthetic) *s = hits();
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_options options = referee_options(1000000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    *network = answer_metric(answer, "kernel_time") * 1.4e9 / READS;
    *simulated = result->time_s * 1.4e9 / READS;
    simulate_gpu_result_destroy(result);
}

/* 28 cycles of L1, an instruction; 54 cycles of the way to a node and back, 2 for each doubling of
 * its SMs; a cycle of a port's data and flits of two cycles: one each way in the simulation, in the
 * network of the direction that has more of them. */
TEST(a_hit_pays_the_way)
{
    static const struct {
        const char *settings[5];
        double step, ports; /* without the flit back */
    } cases[] = {
        {{NULL}, 29, 0},
        {{"dcl1.design", "Pr80"}, 29 + 54, 3},
        {{"dcl1.design", "Pr40"}, 29 + 54 + 2, 3},
        {{"dcl1.design", "Sh20"}, 29 + 54 + 4, 3},
        {{"dcl1.design", "Pr40", "dcl1.communication", "20 cycles"}, 29 + 20 + 2, 3},
        {{"dcl1.design", "Pr40", "dcl1.latency_growth", "7 cycles"}, 29 + 54 + 7, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double network, simulated;
        steps(cases[i].settings, &network, &simulated);
        check_relative(network, cases[i].step + cases[i].ports, 0.01);
        check_relative(simulated, cases[i].step + cases[i].ports * 5 / 3, 0.01);
    }
}

TEST(what_cannot_be_built_is_not_simulated)
{
    static const struct {
        const char *settings[5], *words; /* NULL: it can */
    } cases[] = {
        {{"dcl1.design", "Sh40+Boost"}, "NoC#1 cannot be boosted: a 80x40"},
        {{"dcl1.design", "Sh40+C10+Boost"}, NULL},
        {{"dcl1.design", "Sh40+C10", "dcl1.noc1_boost", "4"}, "dcl1.boost_most"},
        {{"dcl1.design", "Pr40", "dcl1.noc2_boost", "2"}, "NoC#2 cannot be boosted"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", cases[i].settings);
        struct simulate_gpu_options options = referee_options(1000);
        struct simulate_gpu_result *result;
        struct subject *subject;
        check_ok(subject_open("gemm:input=small", &subject, &failure));
        if (cases[i].words)
            check_error(referee_simulate(subject, machine, &options, &result, &failure),
                        STATUS_INFEASIBLE, cases[i].words);
        else
            check_ok(referee_simulate(subject, machine, &options, &result, &failure));
        if (!cases[i].words)
            simulate_gpu_result_destroy(result);
        subject_destroy(subject);
    }
}

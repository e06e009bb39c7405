/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NUBA's model against calculations by hand, its limits, what it refuses; the design power of
 * the NoC. */
#include "check.h"
#include "sampled_check.h"

#include "explore/answer/answer.h"
#include "machine/machine.h"
#include "model/cost.h"
#include "profile/record/llc_hit.h"
#include "validate/checkpoint.h"
#include "workload/workload.h"
#include "profile/run/profiler.h"

/* A shipped machine whose slices give what point-to-point links carry, 2.8 TB/s for 64 of them:
 * then hits, crossbars and memories all bind in some case of those by hand. */
static struct machine *narrow(const char *name, const char *const *settings)
{
    struct machine *m = check_shipped(name, NULL);
    check_set(m, "llc.bandwidth", strcmp(name, "nuba-mcm") == 0 ? "1.4 TB/s" : "2.8 TB/s");
    for (size_t i = 0; settings && settings[i]; i += 2)
        check_set(m, settings[i], settings[i + 1]);
    return m;
}

/* Hit rates with lines at home and with replicas, share of requests that stay in the
 * partition, share of the remote ones that read what nobody writes. */
static struct profile_record point(double r_local, double h, double h_r, double replicable)
{
    struct profile_record record = check_record();
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = h;
    record.fields[check_sampled("mdr.hit_replicated")] = h_r;
    record.fields[FIELD_REQUESTS] = 1000;
    record.fields[FIELD_REPLICABLE] = 1000 * (1 - r_local) * replicable;
    return record;
}

static struct profile_view view_of(struct profile_record *records, size_t n)
{
    struct profile_view view = {.records = records, .n_records = n};
    view.sharing.page_balance = view.sharing.pages = NAN;
    return view;
}

static struct answer *ask(const struct machine *machine, const struct profile_view *view)
{
    return check_answer("mdr", machine, view);
}

static double ask_metric(const struct machine *machine, struct profile_record *record,
                         const char *metric)
{
    struct profile_view view = view_of(record, 1);
    OWNED(answer) *answer = ask(machine, &view);
    double value = answer_metric(answer, metric);
    return value;
}

/* In TB/s, by hand from the equations of models/nuba/README.md: B_LLC 2.8, B_NoC 1.4, B_mem 0.72.
 */
TEST(forms_by_hand)
{
    static const struct {
        const char *what;
        double r_local, h, h_r, replicable;
        const char *settings[4];
        double none, gated, published;
        const char *own, *other;
    } cases[] = {
        /* S(.8) = 2.24 + min(.56, .72); S(.6) = 1.68 + min(1.12, .72) */
        {"replicas gain",
         0.25,
         0.8,
         0.6,
         1,
         {NULL},
         0.25 * 2.8 + 0.75 * 1.4,
         2.4,
         2.4,
         "memory",
         NULL},
        {"half may be replicated",
         0.25,
         0.8,
         0.6,
         0.5,
         {NULL},
         1.75,
         0.625 * 2.4 + 0.375 * 1.4,
         2.4,
         "memory",
         "noc"},
        /* S(.1) = .28 + .72 */
        {"replicas cost capacity",
         0.25,
         0.8,
         0.1,
         0.5,
         {NULL},
         1.75,
         0.625 * 1.0 + 0.375 * 1.0,
         1.0,
         "llc",
         "noc"},
        /* the replicas' misses cross a narrow NoC: .25*.72 + .75*.4 = .48; gated: of .625 the
         * local are .4: .4*.72 + .6*.4 = .528 */
        {"a narrow crossbar",
         0.25,
         0.8,
         0.6,
         0.5,
         {"noc.bandwidth", "0.4 TB/s"},
         0.25 * 2.8 + 0.75 * 0.4,
         0.625 * (1.68 + 0.528) + 0.375 * 0.4,
         1.68 + 0.48,
         "memory",
         "noc"},
        {"all is local",
         1,
         0.5,
         0.2,
         1,
         {NULL},
         1.4 + 0.72,
         1.4 + 0.72,
         1.4 + 0.72,
         "memory",
         NULL},
        {"all is remote and replicable", 0, 0.5, 0.5, 1, {NULL}, 1.4, 2.12, 2.12, "memory", NULL},
        /* h' is that of h: nobody made a copy */
        {"nothing may be replicated", 0.25, 0.8, 0.1, 0, {NULL}, 1.75, 1.75, 2.8, "llc", "noc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow("nuba", cases[i].settings);
        struct profile_record record =
            point(cases[i].r_local, cases[i].h, cases[i].h_r, cases[i].replicable);
        struct profile_view view = view_of(&record, 1);
        bool replicate = cases[i].gated > cases[i].none;
        OWNED(answer) *a = ask(m, &view);
        check_relative(answer_metric(a, "no_replication"), cases[i].none * 1e12, 1e-12);
        check_relative(answer_metric(a, "full_replication"), cases[i].gated * 1e12, 1e-12);
        check_relative(answer_metric(a, "published_full_replication"), cases[i].published * 1e12,
                       1e-12);
        check_relative(answer_metric(a, "effective_bandwidth"),
                       (replicate ? cases[i].gated : cases[i].none) * 1e12, 1e-12);
        check_relative(answer_metric(a, "replicating"), replicate, 0);
        check_relative(answer_metric(a, "published_choice"), cases[i].published > cases[i].none, 0);
        check_relative(answer_metric(a, "llc_hit_rate"), replicate ? cases[i].h_r : cases[i].h,
                       1e-12);
        check_relative(
            answer_metric(a, "local_share"),
            cases[i].r_local +
                (replicate ? (1 - cases[i].r_local) * cases[i].replicable * cases[i].h_r : 0),
            1e-12);
        assert_string_equal(answer_decision(a, &a->result.records[0]),
                            replicate ? "full replication" : "no replication");
        const char *limits[] = {answer_limit(a, &a->result.records[0], 0),
                                answer_limit(a, &a->result.records[0], 1)};
        const char *wanted[] = {cases[i].own, cases[i].other};
        for (int s = 0; s < 2; s++) {
            if (wanted[s])
                assert_string_equal(limits[s], wanted[s]);
            else
                assert_null(limits[s]);
        }
    }
}

TEST(replication_is_a_parameter)
{
    static const struct {
        const char *replication;
        double bandwidth, replicating;
    } cases[] = {{"none", 1.75e12, 0}, {"full", 1.0e12, 1}, {"mdr", 1.75e12, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow("nuba", SETTINGS("llc.replication", cases[i].replication));
        struct profile_record record = point(0.25, 0.8, 0.1, 1);
        check_relative(ask_metric(m, &record, "effective_bandwidth"), cases[i].bandwidth, 1e-12);
        check_relative(ask_metric(m, &record, "replicating"), cases[i].replicating, 0);
    }
}

/* min(B_NoC, S(h)); either side. */
TEST(uniform_gpu_by_hand)
{
    static const struct {
        const char *machine;
        double h;
        const char *settings[4];
        double value;
        const char *limit;
    } cases[] = {
        {"uba-memory-side", 0.8, {NULL}, 1.4, "noc"},
        {"uba-memory-side", 0.1, {NULL}, 0.28 + 0.72, "memory"},
        {"uba-memory-side", 0.8, {"noc.bandwidth", "5.6 TB/s"}, 2.8, "llc"},
        {"uba-sm-side", 0.1, {NULL}, 1.0, "memory"},
        {"uba-sm-side", 0.8, {NULL}, 1.4, "noc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow(cases[i].machine, cases[i].settings);
        struct profile_record record = point(NAN, cases[i].h, NAN, NAN);
        struct profile_view view = view_of(&record, 1);
        record.fields[FIELD_LLC_HIT_SM_SIDE] = cases[i].h;
        OWNED(answer) *a = ask(m, &view);
        check_relative(answer_metric(a, "effective_bandwidth"), cases[i].value * 1e12, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
        assert_true(isnan(answer_metric(a, "full_replication")));
    }
}

/* A uniform GPU is a chip whose requests are all local: EAB says the same. */
TEST(uniform_gpu_is_a_local_chip)
{
    uint64_t seed = 3;
    for (int i = 0; i < check_rounds(20, 80); i++) {
        OWNED(machine) *m = narrow("uba-memory-side", SETTINGS("partitions", "1", "noc.bandwidth",
                                                               i % 2 ? "1.4 TB/s" : "5.6 TB/s"));
        struct profile_record record = point(1, check_uniform(&seed), NAN, NAN);
        struct profile_view view = view_of(&record, 1);
        struct answer *eab;
        record.fields[FIELD_LSU_MEMORY_SIDE] = 1;
        eab = check_answer("eab", m, &view);
        check_relative(ask_metric(m, &record, "effective_bandwidth"),
                       answer_metric(eab, "effective_bandwidth"), 1e-12);
        answer_destroy(eab);
    }
}

/* --- epochs -------------------------------------------------------------------------- */

/* NoRep 1.75 TB/s, gated 2.4, epochs of 1 us, launches of n bytes: the first epoch moves 1.75e6 of
 * them without replicas. An epoch that a launch does not survive, and one that takes no time. */
TEST(epochs_by_hand)
{
    static const struct {
        double bytes;
        const char *epoch;
        double before; /* share of the first epoch */
    } cases[] = {{7e6, "1 us", 0.25}, {1.75e6, "1 us", 1}, {1e6, "1 us", 1}, {1e12, "1e-12 s", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow("nuba", SETTINGS("mdr.epoch", cases[i].epoch));
        struct profile_record record = point(0.25, 0.8, 0.6, 1);
        double x = cases[i].before, n = cases[i].bytes;
        record.fields[FIELD_BYTES] = 3 * n;
        record.launches = 3;
        check_relative(ask_metric(m, &record, "kernel_time"),
                       3 * n * (x / 1.75e12 + (1 - x) / 2.4e12), 1e-9);
        check_relative(ask_metric(m, &record, "llc_hit_rate"), x * 0.8 + (1 - x) * 0.6, 1e-9);
        check_relative(1 - ask_metric(m, &record, "replicating"), x, 1e-9);
        struct profile_view view = view_of(&record, 1);
        OWNED(answer) *a = ask(m, &view);
        assert_int_equal(answer_unturned(a), x == 1);
        /* What always replicates has no epochs. */
        check_set(m, "llc.replication", "full");
        check_relative(ask_metric(m, &record, "effective_bandwidth"), 2.4e12, 1e-12);
    }
}

/* --- the fixed mix ---------------------------------------------------------------- */

TEST(fixed_mix_by_hand)
{
    /* First misses of two homes: 250 of 1000 requests at the busier one. */
    uint64_t requests[] = {700, 300}, cold[] = {250, 50};
    struct curve_point near = {.lines = 1, .hits = 700};
    struct profile_curve curve = {.scope = "partition",
                                  .side = "home",
                                  .filter = "all",
                                  .domain_requests = requests,
                                  .domain_cold = cold,
                                  .curve = {1000, 300, &near, 1},
                                  .n_domains = 2};
    static const struct {
        const char *replication;
        double lsu, m, m_r;
        double value;
    } cases[] = {
        {"none", 0.5, 0.2, 0.4, 2.8 * 0.5}, /* hottest slice */
        {"none", 1, 0.2, 0.4, 1.4 / 0.75},  /* crossbar */
        {"none", 1, 0.5, 0.4, 0.72 / 0.5},  /* memory */
        /* slices: .5/.5 + .5/1 and, of replica misses at home, .5*.75*.1/.5; crossbar
         * 1.4/(.75(.5+.5*.4)) = 2.67 */
        {"full", 0.5, 0.2, 0.1, 2.8 / 1.575},
        {"full", 1, 0.2, 0.4, 0.72 / 0.4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow("nuba", SETTINGS("llc.replication", cases[i].replication));
        struct profile_record record = point(0.25, 1 - cases[i].m, 1 - cases[i].m_r, 0.5);
        record.fields[FIELD_LSU_MEMORY_SIDE] = cases[i].lsu;
        record.fields[FIELD_LSU_SM_SIDE] = 1;
        check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), cases[i].value * 1e12, 1e-12);
        assert_true(isnan(ask_metric(m, &record, "memory_balance")));
    }
    OWNED(machine) *m = narrow("nuba", SETTINGS("llc.replication", "none"));
    struct profile_record record = point(0.25, 0.8, 0.6, 0.5);
    /* How evenly slices are used is unknown: no bound, but the rates stand. */
    assert_true(isnan(ask_metric(m, &record, "fixed_mix_bandwidth")));
    assert_false(isnan(ask_metric(m, &record, "effective_bandwidth")));
    /* A curve that never misses a second time; the busier memory has as much to do as if half
     * of all requests missed. */
    record.fields[FIELD_LSU_MEMORY_SIDE] = 1;
    record.curves = &curve;
    record.n_curves = 1;
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 0.72 / 0.5 * 1e12, 1e-12);
    check_relative(ask_metric(m, &record, "memory_balance"), 150 / 250.0, 1e-12);
}

/* Point-to-point links narrower than all else throttle every request, at the mix only. */
TEST(links_of_partitions_bound_the_mix)
{
    OWNED(machine) *m = narrow("nuba", SETTINGS("p2p.bandwidth", "0.5 TB/s"));
    struct profile_record record = point(0.25, 0.8, 0.6, 1);
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 0.5e12, 1e-12);
    check_relative(ask_metric(m, &record, "effective_bandwidth"), 2.4e12, 1e-12);
    /* and more so when one of two partitions asks for 3 of 4 */
    double uneven[] = {500, 250, 0, 250};
    record.traffic = uneven;
    record.n_domains = 2;
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 0.5e12 / 1.5, 1e-12);
}

/* --- modules ------------------------------------------------------------------------ */

/* Two modules of two partitions: of 100 requests 40 stay, 30 are near, 30 far. */
static double modules[] = {10, 7, 4, 4, 8, 10, 3, 4, 4, 3, 10, 7, 4, 4, 8, 10};

TEST(modules_by_hand)
{
    OWNED(machine) *m = narrow(
        "nuba-mcm", SETTINGS("chips", "2", "partitions", "2", "inter.link_bandwidth", "0.1 TB/s"));
    struct profile_record record = point(0.4, 0.8, 0.6, 1);
    record.traffic = modules;
    record.n_domains = 4;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    /* B_LLC 2.8, B_NoC 1.4, B_mem .72, B_inter 2 * .1: ring of two modules, one pair */
    check_relative(ask_metric(m, &record, "no_replication"),
                   (0.4 * 2.8 + 0.3 * 1.4 + 0.3 * 0.2) * 1e12, 1e-12);
    check_relative(ask_metric(m, &record, "full_replication"),
                   (1.68 + 0.4 * 0.72 + 0.3 * 0.72 + 0.3 * 0.2) * 1e12, 1e-12);
    /* at the mix links bind: all far requests, or their misses */
    check_set(m, "llc.replication", "none");
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 0.2 / 0.3 * 1e12, 1e-12);
    check_set(m, "llc.replication", "full");
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 0.2 / (0.3 * 0.4) * 1e12, 1e-12);
    /* wide links: crossbars, which far requests cross twice */
    check_set(m, "inter.link_bandwidth", "10 TB/s");
    check_set(m, "llc.replication", "none");
    check_relative(ask_metric(m, &record, "fixed_mix_bandwidth"), 1.4 / (0.3 + 2 * 0.3) * 1e12,
                   1e-12);
}

/* Links as wide as can be: modules are partitions of one chip. */
TEST(wide_links_join_modules)
{
    OWNED(machine) *modular = narrow(
        "nuba-mcm", SETTINGS("chips", "2", "partitions", "2", "inter.link_bandwidth", "1e18 B/s"));
    OWNED(machine) *chip = narrow("nuba", SETTINGS("partitions", "4"));
    struct profile_record record = point(0.4, 0.8, 0.6, 0.7);
    record.traffic = modules;
    record.n_domains = 4;
    check_relative(ask_metric(modular, &record, "effective_bandwidth"),
                   ask_metric(chip, &record, "effective_bandwidth"), 1e-12);
}

/* --- limits and properties ------------------------------------------------------------ */

static void set_random(struct machine *m, const char *path, uint64_t *seed)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g GB/s", 50 * pow(200, check_uniform(seed)));
    check_set(m, path, text);
}

/* One partition is a UBA without its NoC limit, on random machines. */
TEST(one_partition_is_uniform_without_noc)
{
    uint64_t seed = 5;
    for (int i = 0; i < check_rounds(40, 200); i++) {
        OWNED(machine) *nuba = narrow("nuba", SETTINGS("partitions", "1"));
        OWNED(machine) *uba = narrow("uba-memory-side", NULL);
        char text[40];
        double value;
        struct profile_record record = point(1, check_uniform(&seed), check_uniform(&seed), 1);
        static const char *const paths[] = {"llc.bandwidth", "memory.bandwidth", "noc.bandwidth"};
        for (int p = 0; p < 3; p++) {
            set_random(nuba, paths[p], &seed);
            check_ok(machine_number(nuba, paths[p], &value, &failure));
            snprintf(text, sizeof text, "%.17g B/s", p == 2 ? 1e18 : value);
            check_set(uba, paths[p], text);
        }
        check_relative(ask_metric(nuba, &record, "effective_bandwidth"),
                       ask_metric(uba, &record, "effective_bandwidth"), 1e-12);
    }
}

/* mdr is the better of none and full; nothing replicable: none; all: the published form;
 * more of any bandwidth never costs. */
TEST(properties_on_random_machines)
{
    static const char *const paths[] = {"noc.bandwidth", "llc.bandwidth", "memory.bandwidth"};
    static const char *const metrics[] = {"effective_bandwidth", "no_replication",
                                          "full_replication", "published_full_replication"};
    uint64_t seed = 11;
    for (int i = 0; i < check_rounds(60, 300); i++) {
        OWNED(machine) *m = narrow("nuba", NULL);
        struct profile_record record = point(check_uniform(&seed), check_uniform(&seed),
                                             check_uniform(&seed), check_uniform(&seed));
        struct profile_record never = record, always = record;
        never.fields[FIELD_REPLICABLE] = 0;
        always.fields[FIELD_REPLICABLE] = 1000 * (1 - record.fields[FIELD_R_LOCAL]);
        for (int p = 0; p < 3; p++)
            set_random(m, paths[p], &seed);
        double none = ask_metric(m, &record, "no_replication");
        check_relative(ask_metric(m, &record, "effective_bandwidth"),
                       fmax(none, ask_metric(m, &record, "full_replication")), 0);
        check_relative(ask_metric(m, &never, "effective_bandwidth"), none, 1e-12);
        check_relative(ask_metric(m, &never, "full_replication"), none, 1e-12);
        check_relative(ask_metric(m, &always, "full_replication"),
                       ask_metric(m, &always, "published_full_replication"), 1e-12);
        for (int p = 0; p < 3; p++) {
            double before[4], value;
            char text[40];
            for (int k = 0; k < 4; k++)
                before[k] = ask_metric(m, &record, metrics[k]);
            check_ok(machine_number(m, paths[p], &value, &failure));
            snprintf(text, sizeof text, "%.17g B/s", value * (1 + check_uniform(&seed)));
            check_set(m, paths[p], text);
            for (int k = 0; k < 4; k++)
                assert_true(ask_metric(m, &record, metrics[k]) >= before[k] * (1 - 1e-12));
        }
    }
}

/* --- records and views ------------------------------------------------------------------ */

TEST(launches_decide_for_themselves)
{
    struct profile_record records[2] = {point(0.25, 0.8, 0.6, 1), point(0.25, 0.8, 0.1, 1)};
    struct profile_view view = view_of(records, 2);
    OWNED(machine) *m = narrow("nuba", SETTINGS("mdr.epoch", "1 us"));
    size_t choices;
    records[0].fields[FIELD_BYTES] = 3 * 2.4e6; /* of 2 launches, 3 us in all */
    records[0].launches = 2;
    records[1].fields[FIELD_BYTES] = 1.75e6; /* 1 us */
    view.sharing =
        (struct profile_sharing){.pages = 50, .pages_by_sms = {45, 3, 2, 0}, .page_balance = 0.75};
    OWNED(answer) *a = ask(m, &view);
    assert_int_equal(answer_decisions(a, &choices), 1);
    assert_int_equal(choices, 2);
    /* The first two begin with an epoch at 1.75 TB/s: of 3.6e6 B 1.75e6 each. */
    double rest = 2 * 1.85e6 / 2.4e12, all = 2e-6 + rest + 1e-6;
    check_relative(answer_metric(a, "kernel_time"), all, 1e-12);
    check_relative(answer_metric(a, "effective_bandwidth"), 8.95e6 / all, 1e-12);
    check_relative(answer_metric(a, "replicating"), 3.7 / 8.95, 1e-12);
    check_relative(answer_metric(a, "epochs"), (7.2 * (1 + rest / 2e-6) + 1.75 * 1) / 8.95, 1e-12);
    check_relative(answer_metric(a, "page_balance"), 0.75, 1e-12);
    check_relative(answer_metric(a, "one_sm_pages"), 0.9, 1e-12);
}

TEST(refusals_say_why)
{
    static const struct {
        const char *machine, *settings[4], *words;
    } cases[] = {
        {"sac", {NULL}, "the machine has 4 chips"},
        {"nuba", {"llc.organisation", "sm-side"}, "the LLC is SM-side"},
        {"uba-memory-side", {"llc.replication", "mdr"}, "replication needs partitions"},
        {"uba-sm-side", {"llc.replication", "full"}, "replication needs partitions"},
        {"nuba-mcm", {NULL}, "the profile does not say the traffic"},
    };
    struct profile_record record = point(0.5, 0.5, 0.5, 0.5);
    struct profile_view view = view_of(&record, 1);
    struct answer *answer;
    record.fields[FIELD_LLC_HIT_SM_SIDE] = 0.5;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = narrow(cases[i].machine, cases[i].settings);
        check_refused("mdr", m, &view, STATUS_INFEASIBLE, cases[i].words);
    }
    static const char *const others[] = {"eab", "bottleneck"};
    OWNED(machine) *m = narrow("nuba", NULL);
    for (int i = 0; i < 2; i++)
        check_error(answer_create((const struct model *)plugin_find("model", others[i]), m, &view,
                                  &answer, &failure),
                    STATUS_INFEASIBLE, "partitions");
}

TEST(unknown_fields_are_named)
{
    const struct {
        enum profile_field field;
        const char *words;
    } cases[] = {{FIELD_R_LOCAL, "r_local"},
                 {FIELD_LLC_HIT_MEMORY_SIDE, "llc_hit.memory-side"},
                 {check_sampled("mdr.hit_replicated"), "mdr.hit_replicated"},
                 {FIELD_REPLICABLE, "replicable"}};
    OWNED(machine) *m = narrow("nuba", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = point(0.5, 0.8, 0.9, 0.5);
        struct profile_view view = view_of(&record, 1);
        record.fields[cases[i].field] = NAN;
        check_refused("mdr", m, &view, STATUS_UNKNOWN_FIELD, cases[i].words);
    }
}

/* --- profiled workloads -------------------------------------------------------------------- */

static void profile_workload(const struct machine *m, const char *workload, struct profile **out)
{
    struct profile_options options = {.parts = PART_REPLICATION, .threads = 1};
    *out = profile_create();
    OWNED(source) *source = check_source(workload);
    check_ok(profile_make(*out, source, m, &options, &failure));
}

static void profile_it(const struct machine *m, struct profile **out)
{
    profile_workload(m, "gemm:ni=96,nj=96,nk=32", out);
}

/* The rates of a profiled kernel, from its curves, by another way. */
TEST(curves_enter_the_forms)
{
    OWNED(machine) *m = narrow("nuba", NULL);
    OWNED(profile) *profile = NULL;
    profile_it(m, &profile);
    const struct profile_record *record = &profile->views[0].records[0];
    double h = profile_llc_hit(record, m, SIDE_HOME), h_r = profile_llc_hit_replicated(record, m);
    double f = record->fields[FIELD_R_LOCAL];
    assert_true(h > 0.1 && h_r > 0.01 && fabs(h - h_r) > 1e-3 && f < 0.9);
    OWNED(answer) *a = ask(m, &profile->views[0]);
    double s = 2.8 * h + fmin(2.8 * (1 - h), 0.72);
    check_relative(answer_metric(a, "no_replication"), (f * s + (1 - f) * fmin(1.4, s)) * 1e12,
                   1e-12);
    check_relative(answer_metric(a, "published_full_replication"),
                   (2.8 * h_r + fmin(2.8 * (1 - h_r), 0.72)) * 1e12, 1e-12);
    double r = record->fields[FIELD_REPLICABLE] / record->fields[FIELD_REQUESTS] / (1 - f);
    assert_true(r > 0 && r <= 1);
    assert_true(answer_metric(a, "memory_balance") > 0 && answer_metric(a, "memory_balance") <= 1);
    assert_true(answer_metric(a, "fixed_mix_bandwidth") > 0);
}

/* What replicas miss is answered by the home: a kernel whose L1s keep what is reused leaves none
 * that hit, though its writes hit (h' is not 0) or everything may be replicated (matrixmul).
 * Look-ups of replicas and of all others are those of the union. */
TEST(replicas_serve_what_they_hit)
{
    static const char *const workloads[] = {"matrixmul:input=small", "gemm:input=small"};
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        OWNED(machine) *m = narrow("nuba", SETTINGS("llc.replication", "full"));
        OWNED(profile) *profile = NULL;
        profile_workload(m, workloads[i], &profile);
        const struct profile_record *record = &profile->views[0].records[0];
        const struct profile_curve *replicas =
            profile_curve_find(record, "partition", "home", "replicas");
        double sets = 6.0 * 0x1p20 / 32 / 128 / 16;
        double hits = 1 - curve_miss_ratio(&replicas->curve, sets, 16);
        double f = record->fields[FIELD_R_LOCAL];
        double copied = record->fields[FIELD_REPLICABLE] / record->fields[FIELD_REQUESTS];
        check_relative(record->fields[FIELD_REPLICABLE], (double)replicas->curve.requests, 0);
        OWNED(answer) *a = ask(m, &profile->views[0]);
        check_relative(answer_metric(a, "local_share"), f + copied * hits, 1e-12);
        assert_true(i == 0 ? hits == 0 : hits > 0);
        assert_true(copied > 0.3);
    }
}

/* The same CTAs on the same SMs, one partition: the uniform GPU with an endless NoC. */
TEST(one_partition_profiled)
{
    OWNED(machine) *nuba = narrow("nuba", SETTINGS("partitions", "1", "cta.scope", "sm"));
    OWNED(machine) *uba =
        narrow("uba-memory-side", SETTINGS("partitions", "1", "noc.bandwidth", "1e18 B/s"));
    OWNED(profile) *of_nuba = NULL, *of_uba = NULL;
    profile_it(nuba, &of_nuba);
    profile_it(uba, &of_uba);
    OWNED(answer) *a = ask(nuba, &of_nuba->views[0]), *b = ask(uba, &of_uba->views[0]);
    check_relative(answer_metric(a, "effective_bandwidth"), answer_metric(b, "effective_bandwidth"),
                   0);
    check_relative(answer_metric(a, "replicating"), 0, 0);
    check_relative(answer_metric(a, "local_share"), 1, 0);
}

/* --- the machines, the cost ------------------------------------------------------------------ */

/* SMs, partitions, slices and channels of the system; slices have 96 KiB. */
TEST(machines_are_as_published)
{
    static const struct {
        const char *name;
        double sms, partitions, channels, memory;
    } cases[] = {
        {"nuba", 64, 32, 32, 720e9},         {"uba-memory-side", 64, 32, 32, 720e9},
        {"uba-sm-side", 64, 2, 32, 720e9},   {"nuba-half", 32, 16, 16, 360e9},
        {"uba-half", 32, 16, 16, 360e9},     {"nuba-double", 128, 64, 64, 1440e9},
        {"uba-double", 128, 64, 64, 1440e9}, {"nuba-mcm", 128, 64, 64, 1440e9},
        {"uba-mcm", 128, 64, 64, 1440e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped(cases[i].name, NULL);
        double chips, value[6];
        static const char *const paths[] = {"sm.per_chip",      "partitions",   "memory.channels",
                                            "memory.bandwidth", "llc.capacity", "llc.slices"};
        check_ok(machine_number(m, "chips", &chips, &failure));
        for (int p = 0; p < 6; p++)
            check_ok(machine_number(m, paths[p], &value[p], &failure));
        check_relative(value[0] * chips, cases[i].sms, 0);
        check_relative(value[1] * chips, cases[i].partitions, 0);
        check_relative(value[2] * chips, cases[i].channels, 0);
        check_relative(value[3] * chips, cases[i].memory, 1e-12);
        check_relative(value[4] / value[5], 96 * 1024, 0);
        /* A line a cycle and slice at 1.4 GHz. */
        check_ok(machine_number(m, "llc.bandwidth", &value[0], &failure));
        check_relative(value[0], value[5] * 128 * 1.4e9, 1e-12);
    }
}

/* Links between modules are slower than their crossbars (section 7.6): 4 x 2 of 180 GB/s. */
TEST(links_are_slower_than_crossbars)
{
    static const char *const names[] = {"nuba-mcm", "uba-mcm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(machine) *m = check_shipped(names[i], NULL);
        double link, noc;
        check_ok(machine_number(m, "inter.link_bandwidth", &link, &failure));
        check_ok(machine_number(m, "noc.bandwidth", &noc, &failure));
        check_relative(2 * 2 * link, 720e9, 1e-12); /* over a module's edge, in plus out */
        assert_true(4 * 2 * link < 4 * noc);
    }
}

static double design_power(const char *machine, const char *const *settings)
{
    OWNED(machine) *m = check_shipped(machine, settings);
    double value;
    check_ok(checkpoint_value(m, "cost.noc_design_power", &value, &failure));
    return value;
}

TEST(design_power_follows_its_law)
{
    check_relative(design_power("uba-memory-side", NULL), 1, 1e-12);
    check_relative(design_power("nuba", NULL), 1, 1e-12);
    check_relative(design_power("nuba", SETTINGS("noc.bandwidth", "0.7 TB/s")), pow(0.5, 1.2),
                   1e-12);
    check_relative(design_power("uba-sm-side", NULL), 0.696, 1e-12);
    check_relative(design_power("uba-sm-side", SETTINGS("noc.bandwidth", "5.6 TB/s")),
                   0.696 * pow(4, 1.2 + 0.077), 1e-12);
    OWNED(machine) *m = check_shipped("nuba-double", NULL);
    struct term_graph *g = term_graph_create();
    int term;
    check_error(cost_term(g, m, "cost.noc_design_power", &term, &failure), STATUS_INFEASIBLE,
                "64 x 64");
    term_graph_destroy(g);
}

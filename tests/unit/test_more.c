/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More of any bandwidth, of the issue rate or of LLC capacity never makes a run slower: every model
 * on every shipped machine that it knows, at random values around the machine's own, with miss
 * curves of profiled workloads. What decides by another measure than time is exempt: the
 * organisations sac and dynamic, DualOpt's engine, MDR but under its own model. So are domains that
 * ask in unlike ways, under network: what the first to end gain the last one may lose, exactly so
 * (test_queueing_exact: more_may_cost_others); its domains are all alike here. So are warps oldest
 * first (gto): of those that are alike fewer go round where waits are shorter, and the younger ones
 * find no slot until these have ended (test_network_schedule: shorter_waits_may_take_longer); here
 * they take turns. */
#include "check.h"

#include "explore/answer/answer.h"
#include "explore/views/subject.h"

SET_UP
{
    check_own_cache();
}

static const struct {
    const char *path, *unit;
} ways[] = {{"noc.bandwidth", "B/s"},    {"llc.bandwidth", "B/s"},
            {"memory.bandwidth", "B/s"}, {"inter.link_bandwidth", "B/s"},
            {"p2p.bandwidth", "B/s"},    {"l15.bandwidth", "B/s"},
            {"rdma.bandwidth", "B/s"},   {"dcl1.noc_clock", "Hz"},
            {"sm.issue", "Hz"},          {"llc.capacity", "B"}};
enum { WAYS = sizeof ways / sizeof *ways, CAPACITY = WAYS - 1 };

static void set(struct machine *machine, int way, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g %s", way == CAPACITY ? floor(value) : value, ways[way].unit);
    check_set(machine, ways[way].path, text);
}

static bool read_way(const struct machine *machine, int way, double *value)
{
    struct error ignored;
    struct parameter p;
    return machine_find(machine, ways[way].path, &p, &ignored) == 0 &&
           p.section->values[p.index].known &&
           machine_number(machine, ways[way].path, value, &ignored) == 0;
}

/* The same as if nobody knew which domain asks which, and what each of them was first to ask. */
static void forget_domains(struct profile_view *view)
{
    struct profile_record *records = memory_zero(view->n_records, sizeof *records);
    memcpy(records, view->records, view->n_records * sizeof *records);
    for (size_t r = 0; r < view->n_records; r++) {
        struct profile_curve *curves = memory_zero(records[r].n_curves, sizeof *curves);
        memcpy(curves, records[r].curves, records[r].n_curves * sizeof *curves);
        for (size_t c = 0; c < records[r].n_curves; c++)
            curves[c].n_domains = 0;
        records[r].curves = curves;
        records[r].traffic = NULL;
    }
    view->records = records;
}

static void drop_forgotten(struct profile_view *view)
{
    for (size_t r = 0; r < view->n_records; r++)
        free(view->records[r].curves);
    free(view->records);
}

static struct answer *ask(const struct model *model, const struct machine *machine,
                          const struct subject *subject)
{
    struct model_views views;
    struct profile_view alike;
    struct answer *answer;
    bool network = strcmp(model->plugin.name, "network") == 0;
    check_ok(subject_views(subject, model, machine, &views, &failure));
    if (network) {
        alike = *views.items[0];
        forget_domains(&alike);
        views.items[0] = &alike;
    }
    check_ok(answer_create_variants(model, machine, &views, &answer, &failure));
    if (network)
        drop_forgotten(&alike);
    return answer;
}

static int applies(const struct model *model, const struct machine *machine,
                   struct subject *subject)
{
    struct model_views views;
    struct answer *answer = NULL;
    size_t made;
    int status = subject_prepare_models(subject, machine, &model, 1, 0, NULL, &made, &failure);
    if (!status)
        status = subject_views(subject, model, machine, &views, &failure);
    if (!status)
        status = answer_create_variants(model, machine, &views, &answer, &failure);
    answer_destroy(answer);
    if (status && status != STATUS_INFEASIBLE)
        check_ok(status);
    return status == 0;
}

/* MDR expects by its own rates, and holds to it under models that see more. */
static bool decided_by_rates(const struct machine *machine)
{
    const char *replication = "";
    struct error ignored;
    return machine_name(machine, "llc.replication", &replication, &ignored) == 0 &&
           strcmp(replication, "mdr") == 0;
}

/* A larger cache holds more dirty data at the end of a run, which then go home while nothing else
 * is done: that may take longer than if they had left before. While launches run it may not. */
static const char *metric_of(const struct answer *answer, int way)
{
    return way == CAPACITY && !isnan(answer_metric(answer, "steady_bandwidth"))
               ? "steady_bandwidth"
               : "effective_bandwidth";
}

/* Customers of a network are whole. */
static double slack_of(const struct model *model)
{
    return strcmp(model->plugin.name, "network") == 0 ? 1e-4 : 1e-9;
}

/* One random machine around `base`, and each way of making it larger. */
static void try_ways(const struct model *model, const struct machine *base, const char *variant,
                     const struct subject *subject, uint64_t *seed)
{
    OWNED(machine) *machine = machine_clone(base);
    double values[WAYS];
    for (int w = 0; w < WAYS; w++)
        if (read_way(base, w, &values[w])) {
            /* Capacities down to what these workloads fill. */
            values[w] *= exp2(6 * check_uniform(seed) - (w == CAPACITY ? 6 : 3));
            set(machine, w, values[w]);
        }
    OWNED(answer) *before = ask(model, machine, subject);
    for (int w = 0; w < WAYS; w++) {
        if (!read_way(base, w, &(double){0}))
            continue;
        OWNED(machine) *more = machine_clone(machine);
        set(more, w, values[w] * (1 + 3 * check_uniform(seed)));
        OWNED(answer) *after = ask(model, more, subject);
        const char *metric = metric_of(before, w);
        double rate = answer_metric(before, metric);
        if (!(answer_metric(after, metric) >= rate * (1 - slack_of(model))))
            fail_msg("%s on %s (%s), %s: more %s, and %.17g B/s become %.17g", model->plugin.name,
                     base->name, variant, subject->name, ways[w].path, rate,
                     answer_metric(after, metric));
    }
}

TEST(more_is_never_slower)
{
    static const struct {
        const char *machine, *path, *value;
    } cases[] = {
        {"sac", "llc.organisation", "memory-side"},
        {"sac", "llc.organisation", "sm-side"},
        {"sac", "llc.organisation", "static"},
        {"sac-2chip", "llc.organisation", "sm-side"},
        {"nuba", "llc.replication", "none"},
        {"nuba", "llc.replication", "full"},
        {"nuba", "llc.replication", "mdr"},
        {"nuba-mcm", "page.policy", "first-touch"},
        {"uba-memory-side", "page.policy", "first-touch"},
        {"uba-sm-side", "page.policy", "first-touch"},
        {"mcm", "cta.policy", "distributed"},
        {"mcm-optimised", "cta.policy", "distributed"},
        {"dcl1", "dcl1.design", "Sh40+C10"},
        {"dualopt", "dualopt.design", "coalescing"},
        {"dualopt", "dualopt.design", "rdma"},
        {"hgx-h100", "inter.topology", "switch"},
    };
    static const char *const specs[] = {"mvt:n=256", "gemm:ni=128,nj=64,nk=256"};
    int tried = 0;
    const int n_specs = check_slowness() > 1 ? 1 : sizeof specs / sizeof *specs;
    for (int s = 0; s < n_specs; s++) {
        struct subject *subject;
        check_ok(subject_open(specs[s], &subject, &failure));
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const struct plugin *plugin;
            int models = 0;
            OWNED(machine) *machine = check_shipped(cases[c].machine, NULL);
            check_set(machine, cases[c].path, cases[c].value);
            check_set(machine, "sm.scheduler", "lrr");
            for (size_t cursor = 0; (plugin = plugin_next("model", &cursor));) {
                const struct model *model = (const struct model *)plugin;
                bool own = strcmp(model->plugin.name, "mdr") == 0;
                if ((decided_by_rates(machine) && !own) || !applies(model, machine, subject))
                    continue;
                models++;
                uint64_t seed = 41 + c; /* all models are asked about the same machines */
                for (int i = 0; i < check_rounds(2, 60); i++)
                    try_ways(model, machine, cases[c].value, subject, &seed);
            }
            assert_true(models > 0); /* every shipped machine has a model */
            tried += models;
        }
        subject_destroy(subject);
    }
    assert_true(tried >= 20 * n_specs);
}

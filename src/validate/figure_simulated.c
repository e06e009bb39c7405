/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of simulated runs. */
#include "validate/figure_simulated.h"

#include <math.h>
#include <string.h>

#include "yaml/yaml.h"

/* Requests of a run that is simulated to its end, and of the beginning of a longer one. */
enum { WHOLE = 16000000, SIMULATED = 2000000 };

/* A run: what was counted of its launches, and what the profile says of all of it. */
struct run {
    const struct simulate_gpu_result *result;
    double bytes, requests, accesses;
    struct simulate_seen seen; /* counts alone */
    double l1_latency_s;
    double ports_hz; /* lines a second that all L1 nodes could give; NaN: they have no ports */
};

/* --- metrics ---------------------------------------------------------------------------- */

static double time_of(const struct run *run)
{
    const struct simulate_gpu_result *r = run->result;
    return r->whole ? r->kernel_time_s : run->bytes / r->bandwidth_bytes_per_s.mean;
}

static double bandwidth_of(const struct run *run)
{
    return run->bytes / time_of(run);
}

static double link_share_of(const struct run *run)
{
    return (double)run->seen.crossing / (double)run->seen.requests;
}

static double miss_rate_of(const struct run *run)
{
    return 1 - (double)run->seen.read_hits / (double)run->seen.reads;
}

static double remote_ratio_of(const struct run *run)
{
    return (double)run->seen.remote_reads / (double)run->seen.reads;
}

static double replication_of(const struct run *run)
{
    uint64_t misses = run->seen.reads - run->seen.read_hits;
    return misses ? (double)run->seen.elsewhere / (double)misses : 0;
}

static double replicas_of(const struct run *run)
{
    return (double)run->seen.copies / (double)run->seen.cached - 1;
}

static double utilisation_of(const struct run *run)
{
    return run->accesses / time_of(run) / run->ports_hz;
}

static double fabric_bytes_of(const struct run *run)
{
    const struct simulate_gpu_result *r = run->result;
    if (!r->whole && r->link_bytes == 0)
        return (double)NAN; /* a beginning without any says nothing of the rest */
    return r->link_bytes * (r->whole ? 1 : run->requests / (double)r->requests);
}

/* Mean of the reads that look for lines, what L1 has at once with them: that makes no flight, what
 * waits for a line under way does. Caches beside L1 apart. */
static double latency_of(const struct run *run)
{
    const struct simulate_gpu_result *r = run->result;
    double flights = (double)r->flights, sum = 0, reads = 0;
    double at_once = fmax(0, (double)run->seen.read_hits - r->share[ORIGIN_L1] * flights);
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        double own = r->share[i] * flights;
        if (i == ORIGIN_WRITE || i == ORIGIN_BESIDE || !(own > 0))
            continue;
        sum += own * r->latency_s[i].mean;
        reads += own;
    }
    return (sum + at_once * run->l1_latency_s) / (reads + at_once);
}

/* Which machines are simulated for a metric: what the model decided for, what that is compared
 * with. */
enum { DECIDED = 1, COMPARED = 2 };

static double speedup_of(const struct run *decided, const struct run *compared)
{
    return time_of(compared) / time_of(decided);
}

/* Metrics of models, by whatever model: a name means one thing in all of them. */
static const struct metric {
    const char *name;
    unsigned machines;
    bool counts; /* of the profile, as they are */
    double (*of)(const struct run *run);
    double (*of_both)(const struct run *decided, const struct run *compared);
} metrics[] = {
    {"kernel_time", DECIDED, false, time_of, NULL},
    {"effective_bandwidth", DECIDED, false, bandwidth_of, NULL},
    {"speedup", DECIDED | COMPARED, false, NULL, speedup_of},
    {"link_share", DECIDED, false, link_share_of, NULL},
    {"fabric_bytes", DECIDED, false, fabric_bytes_of, NULL},
    {"fabric_bytes_baseline", COMPARED, false, fabric_bytes_of, NULL},
    {"loaded_latency", DECIDED, false, latency_of, NULL},
    {"node_utilisation", DECIDED, false, utilisation_of, NULL},
    {"l1_miss_rate", DECIDED, true, miss_rate_of, NULL},
    {"l1_replicas", DECIDED, true, replicas_of, NULL},
    {"replication_ratio", DECIDED, true, replication_of, NULL},
    {"remote_ratio", COMPARED, true, remote_ratio_of, NULL},
};

static const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

/* A speed-up is over what the model compares with. */
static bool is_simulated(const struct model *model, const char *name)
{
    const struct metric *metric = metric_find(name);
    return metric && (!metric->of_both || model->stand);
}

bool figure_can_be_simulated(const struct published_figure *f, const struct expression *e)
{
    bool can = true;
    for (int i = 0; i < e->n_args && can; i++)
        can = figure_can_be_simulated(f, e->args[i]);
    if (e->op != EXPRESSION_NAME || !can)
        return can;
    const char *label, *name = published_name_split(f->of->arena, e->name, &label);
    return !model_metric_find(f->model, name) || is_simulated(f->model, name);
}

bool figure_simulated_counts(const char *name)
{
    const struct metric *metric = metric_find(name);
    return metric && metric->counts;
}

/* --- runs --------------------------------------------------------------------------------- */

static void add_seen(struct run *run)
{
    for (size_t i = 0; i < run->result->n_launches; i++) {
        const struct simulate_seen *seen = &run->result->launches[i].seen;
        run->seen.requests += seen->requests;
        run->seen.crossing += seen->crossing;
        run->seen.reads += seen->reads;
        run->seen.read_hits += seen->read_hits;
        run->seen.remote_reads += seen->remote_reads;
        run->seen.elsewhere += seen->elsewhere;
        run->seen.copies += seen->copies;
        run->seen.cached += seen->cached;
    }
}

static void read_machine(struct run *run, const struct machine *machine)
{
    uint32_t nodes, clusters, chips;
    double clock_hz;
    struct parameter ports;
    struct error ignored;
    run->l1_latency_s = run->ports_hz = (double)NAN;
    machine_number(machine, "l1.latency", &run->l1_latency_s, &ignored);
    bool full = machine_role(machine, ROLE_NODE_PORTS, &ports) &&
                ports.section->values[ports.index].known &&
                strcmp(ports.section->values[ports.index].name, "full") == 0;
    if (!full && machine_l1_nodes(machine, &nodes, &clusters, &ignored) == 0 &&
        machine_count(machine, "chips", &chips, &ignored) == 0 &&
        machine_number(machine, "sm.clock", &clock_hz, &ignored) == 0)
        run->ports_hz = clock_hz * nodes * chips;
}

static void read_view(struct run *run, const struct profile_view *view)
{
    for (size_t r = 0; r < view->n_records; r++) {
        const double *fields = view->records[r].fields;
        run->requests += fields[FIELD_REQUESTS];
        run->bytes += fields[FIELD_BYTES];
        run->accesses += fields[FIELD_LINE_ACCESSES];
    }
}

/* The model's own answer, by which the machine stands that it decided for. */
static int decided(const struct figure *figure, const struct figure_site *site,
                   const struct model_views *views, struct machine *machine, struct error *error)
{
    const struct model *model = figure->published->model;
    struct answer *answer = NULL;
    int status = answer_create_variants(model, site->machine, views, &answer, error);
    if (!status)
        status = model->stand(machine, &answer->result, answer->values, error);
    answer_destroy(answer);
    return status;
}

/* Simulates one of the two, unless it was, and what is said of it. */
static int run_ask(const struct figure *figure, const struct figure_site *site, unsigned which,
                   const struct simulate_gpu_result **kept, struct run *run, struct error *error)
{
    const struct model *model = figure->published->model;
    struct machine *machine = machine_clone(site->machine);
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct model_views views;
    *run = (struct run){0};
    int status = subject_views(figure->subject, model, site->machine, &views, error), variant = 0;
    if (!status && model->stand && which == DECIDED)
        status = decided(figure, site, &views, machine, error);
    else if (!status && model->stand)
        status = model->stand(machine, NULL, NULL, error);
    if (status > 0) {
        variant = status;
        status = 0;
    }
    if (!status) {
        read_view(run, views.items[variant]);
        read_machine(run, machine);
    }
    uint64_t most = figure->requests ? figure->requests : SIMULATED;
    if (run->requests > (double)(figure->requests ? most : WHOLE)) {
        options.warm_up = most / 2;
        options.requests = most - options.warm_up;
    }
    if (!status && !*kept)
        status =
            simulations_ask(figure->simulations, figure->subject, machine, &options, kept, error);
    run->result = *kept;
    if (!status)
        add_seen(run);
    machine_destroy(machine);
    return status;
}

int figure_simulated_metric(struct figure *figure, struct figure_site *site, const char *name,
                            struct quantity *out, struct error *error)
{
    const struct metric *metric = metric_find(name);
    const struct model *model = figure->published->model;
    unsigned machines = metric ? metric->machines : DECIDED;
    struct run own = {0}, compared = {0};
    int status = 0;
    if (!model->stand)
        machines = DECIDED;
    *out = (struct quantity){(double)NAN, DIM_NONE};
    if (machines & COMPARED)
        status = run_ask(figure, site, COMPARED, &site->compared, &compared, error);
    if (!status && machines & DECIDED)
        status = run_ask(figure, site, DECIDED, &site->simulated, &own, error);
    if (status || !metric)
        return status;
    out->value = metric->of_both ? metric->of_both(&own, &compared)
                                 : metric->of(machines & DECIDED ? &own : &compared);
    out->dim = model_metric_find(model, name)->dim;
    return 0;
}

int figure_simulated_count(const struct figure_site *site, const char *name, struct quantity *out,
                           struct error *error)
{
    const struct metric *metric = metric_find(name);
    struct run run = {.result = site && metric->machines == COMPARED && site->compared
                                    ? site->compared
                                : site ? site->simulated
                                       : NULL};
    if (!run.result)
        return error_set(error, STATUS_INFEASIBLE, "it was not simulated");
    add_seen(&run);
    *out = (struct quantity){metric->of(&run), DIM_NONE};
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of simulated runs. */
#include "validate/figure_simulated.h"

#include <math.h>
#include <string.h>

/* Requests of a run that is simulated to its end, and of the beginning of a longer one. */
enum { WHOLE = 16000000, SIMULATED = 2000000 };

/* A run: what was counted of its launches, and what the profile says of all of it. */
struct run {
    const struct simulate_gpu_result *result;
    double bytes;
    struct simulate_seen seen; /* requests and reads alone */
};

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

/* Metrics of models, by whatever model: a name means one thing in all of them. */
static const struct metric {
    const char *name;
    double (*of)(const struct run *run);
} metrics[] = {
    {"kernel_time", time_of},          {"effective_bandwidth", bandwidth_of},
    {"link_share", link_share_of},     {"l1_miss_rate", miss_rate_of},
    {"remote_ratio", remote_ratio_of},
};

static const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

bool figure_can_be_simulated(const struct published_figure *f, const struct expression *e)
{
    bool can = true;
    for (int i = 0; i < e->n_args && can; i++)
        can = figure_can_be_simulated(f, e->args[i]);
    if (e->op != EXPRESSION_NAME || !can)
        return can;
    const char *label, *name = published_name_split(f->of->arena, e->name, &label);
    return !model_metric_find(f->model, name) || metric_find(name);
}

static void add_seen(struct run *run)
{
    for (size_t i = 0; i < run->result->n_launches; i++) {
        const struct simulate_seen *seen = &run->result->launches[i].seen;
        run->seen.requests += seen->requests;
        run->seen.crossing += seen->crossing;
        run->seen.reads += seen->reads;
        run->seen.read_hits += seen->read_hits;
        run->seen.remote_reads += seen->remote_reads;
    }
}

int figure_simulated_metric(struct figure *figure, struct figure_site *site, const char *name,
                            struct quantity *out, struct error *error)
{
    const struct metric *metric = metric_find(name);
    const struct model *model = figure->published->model;
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct run run = {0};
    struct model_views views;
    double requests = 0;
    int status = subject_views(figure->subject, model, site->machine, &views, error);
    for (size_t r = 0; !status && r < views.items[0]->n_records; r++) {
        requests += views.items[0]->records[r].fields[FIELD_REQUESTS];
        run.bytes += views.items[0]->records[r].fields[FIELD_BYTES];
    }
    uint64_t most = figure->requests ? figure->requests : SIMULATED;
    if (requests > (double)(figure->requests ? most : WHOLE)) {
        options.warm_up = most / 2;
        options.requests = most - options.warm_up;
    }
    if (!status && !site->simulated)
        status = simulations_ask(figure->simulations, figure->subject, site->machine, &options,
                                 &site->simulated, error);
    *out = (struct quantity){(double)NAN, DIM_NONE};
    if (status || !metric)
        return status;
    run.result = site->simulated;
    add_seen(&run);
    out->value = metric->of(&run);
    out->dim = model_metric_find(model, name)->dim;
    return 0;
}

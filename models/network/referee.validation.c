/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models beside the request-level simulation (simulate/gpu.h), for every shipped workload on
 * machines of all systems under the organisations of the LLC.
 *
 * An error is that of the bandwidth, model / referee - 1: over the kernel time, with the start and
 * the end of launches, where the run was simulated whole, else the effective one. Both follow the
 * same stream with the same caches and placements, each with its own order of accesses. Of runs of
 * more than 3/2 LIMIT requests LIMIT are counted after half as many, by when the LLC is full;
 * models speak of all of them, and a note says how many runs that were. The order of
 * configurations is compared by time: that of all launches, or of the model's bytes at the
 * bandwidth that was counted. Spearman's rank correlation.
 *
 * Who of SMs that go at the same time is first is chance, and whole runs are the mean over draws of
 * it (explore/answer/draws.h): three at least, and more until the interval of the mean is within 2
 * % or there are 16. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/answer/draws.h"
#include "validate/subjects.h"

/* --- what is compared ------------------------------------------------------------------ */

enum { SETTINGS_MAX = 3, LIMIT = 4000000 };

struct variant {
    const char *machine;
    const char *settings[SETTINGS_MAX]; /* "path=value" */
    bool in_all;                        /* only with --all */
    bool one;                           /* one organisation: the machine's own */
};

static const struct variant variants[] = {
    {.machine = "sac"},
    {.machine = "sac", .settings = {"inter.link_bandwidth=48GB/s"}},
    {.machine = "sac", .settings = {"inter.link_bandwidth=384GB/s"}},
    {.machine = "sac", .settings = {"inter.link_bandwidth=768GB/s"}},
    {.machine = "sac", .settings = {"llc.capacity=1MiB"}},
    {.machine = "sac", .settings = {"llc.capacity=256KiB", "l1.capacity=16KiB"}},
    {.machine = "sac", .settings = {"memory.bandwidth=128GB/s"}},
    {.machine = "sac", .settings = {"memory.bandwidth=1TB/s"}},
    {.machine = "sac", .settings = {"noc.bandwidth=1TB/s"}},
    {.machine = "sac", .settings = {"llc.bandwidth=1TB/s"}},
    {.machine = "sac", .settings = {"page.policy=round-robin"}},
    {.machine = "sac", .settings = {"page.policy=interleave", "cta.policy=centralised"}},
    {.machine = "sac", .settings = {"inter.topology=fully-connected"}},
    {.machine = "sac", .settings = {"sm.warps=32"}},
    {.machine = "sac", .settings = {"l1.mshrs=16"}},
    {.machine = "sac", .settings = {"inter.latency=200ns"}},
    {.machine = "sac", .settings = {"coherence=hardware"}, .in_all = true},
    {.machine = "sac", .settings = {"sm.scheduler=lrr"}, .in_all = true},
    {.machine = "sac", .settings = {"sm.per_chip=16"}, .in_all = true},
    {.machine = "sac", .settings = {"sm.outstanding=4"}, .in_all = true},
    {.machine = "sac-2chip"},
    {.machine = "sac-sectored"},
    {.machine = "mcm"},
    {.machine = "mcm", .settings = {"inter.link_bandwidth=96GB/s"}, .in_all = true},
    {.machine = "mcm-optimised", .one = true},
    {.machine = "multi-gpu"},
    {.machine = "multi-gpu-optimised", .one = true, .in_all = true},
    {.machine = "mono128", .one = true},
    {.machine = "mono256", .one = true, .in_all = true},
    {.machine = "nuba", .one = true},
    {.machine = "nuba", .settings = {"llc.replication=none"}, .one = true},
    {.machine = "nuba", .settings = {"noc.bandwidth=700GB/s"}, .one = true, .in_all = true},
    {.machine = "uba-memory-side", .one = true},
    {.machine = "uba-sm-side", .one = true},
    {.machine = "dcl1", .one = true},
    {.machine = "dcl1", .settings = {"dcl1.design=Pr40"}, .one = true, .in_all = true},
    {.machine = "dcl1", .settings = {"dcl1.design=Sh40"}, .one = true, .in_all = true},
    {.machine = "dcl1", .settings = {"dcl1.design=Sh40+C10+Boost"}, .one = true},
    {.machine = "dualopt", .one = true},
    {.machine = "dualopt-rdma", .one = true},
    {.machine = "a100", .one = true, .in_all = true},
    {.machine = "h100", .one = true},
    {.machine = "hgx-h100", .one = true, .in_all = true},
    {.machine = "b200", .one = true, .in_all = true},
    {.machine = "mi250x", .one = true, .in_all = true},
    {.machine = "mi300x", .one = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *const organisations[] = {"memory-side", "sm-side", "static", "dynamic", "sac"};
enum { ORGANISATIONS = 5, USUAL_ORGANISATIONS = 2 };

static const char *const model_names[] = {"eab", "bottleneck", "network"};
enum { MODELS = 3 };

/* --- columns ------------------------------------------------------------------------------ */

static const char group[] = "effective bandwidth, and how far models are from it";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define REFEREE_COLUMNS(X)                                                                         \
    X(MACHINE, "machine", "machine", NULL, NULL, TEXT, NO_SUMMARY, NULL)                           \
    X(SETTINGS, "settings", "with", NULL, NULL, TEXT, NO_SUMMARY, NULL)                            \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(ORGANISATION, "organisation", "organisation", NULL, NULL, TEXT, NO_SUMMARY, NULL)            \
    X(REQUESTS, "requests", "requests", NULL, group, COUNT, NO_SUMMARY, NULL)                      \
    X(BANDWIDTH, "referee", "referee", "GB/s", group, NUMBER, NO_SUMMARY, NULL)                    \
    X(INTERVAL, "half_width", "+-", "%", group, PERCENT, NO_SUMMARY, NULL)                         \
    X(DRAWS, "draws", NULL, NULL, group, COUNT, NO_SUMMARY, NULL)                                  \
    X(LEAST, "least", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)                                 \
    X(MOST, "most", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)                                   \
    X(BUSIEST, "busiest", "busiest", NULL, group, TEXT, NO_SUMMARY, NULL)                          \
    X(BUSY, "busy", "busy", "%", group, PERCENT, NO_SUMMARY, NULL)                                 \
    X(HIT, "llc_hit_rate", "LLC hits", "%", group, PERCENT, NO_SUMMARY, NULL)                      \
    X(LOCAL, "local", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)                                 \
    X(LOCAL_PROFILED, "local_profiled", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)               \
    X(ERROR_EAB, "error_eab", "eab", "%", group, PERCENT, NO_SUMMARY, NULL)                        \
    X(ERROR_BOTTLENECK, "error_bottleneck", "bottleneck", "%", group, PERCENT, NO_SUMMARY, NULL)   \
    X(ERROR_NETWORK, "error_network", "network", "%", group, PERCENT, NO_SUMMARY, NULL)            \
    X(TIME, "kernel_time", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)                            \
    X(TIME_EAB, "kernel_time_eab", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)                    \
    X(TIME_BOTTLENECK, "kernel_time_bottleneck", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)      \
    X(TIME_NETWORK, "kernel_time_network", NULL, NULL, group, NUMBER, NO_SUMMARY, NULL)

enum column { REFEREE_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column referee_columns[] = {REFEREE_COLUMNS(VALIDATION_COLUMN){NULL}};

/* --- configurations ------------------------------------------------------------------------ */

/* One machine under one organisation; each with every workload. */
struct configuration {
    const struct variant *variant;
    const char *organisation;
    struct machine *machine;
};

/* One configuration and workload. */
struct outcome {
    struct simulate_gpu_result *result;
    double time_s; /* of the whole workload */
    double local;  /* share of its requests whose home is the own domain, as profiled */
    struct referee_rival models[MODELS];
    struct error error;
    int status;
};

struct comparison {
    struct validation_subjects subjects;
    struct {
        struct configuration *items;
        size_t count, capacity;
    } configurations;
    struct outcome *outcomes; /* [configuration * subjects + subject] */
    const struct model *models[MODELS];
};

static int configure(const struct variant *variant, const char *organisation, struct machine **out,
                     struct error *error)
{
    int status = machine_load(variant->machine, out, error);
    for (int i = 0; i < SETTINGS_MAX && variant->settings[i] && !status; i++) {
        char path[64];
        const char *value = strchr(variant->settings[i], '=');
        size_t length = (size_t)(value - variant->settings[i]);
        memcpy(path, variant->settings[i], length);
        path[length] = '\0';
        status = machine_set(*out, path, value + 1, NULL, error);
    }
    if (!status && organisation)
        status = machine_set(*out, "llc.organisation", organisation, NULL, error);
    return status ? status : machine_check(*out, error);
}

static int configure_all(struct comparison *c, bool all, struct error *error)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        int n = variants[v].one ? 1 : all ? ORGANISATIONS : USUAL_ORGANISATIONS;
        if (variants[v].in_all && !all)
            continue;
        for (int o = 0; o < n; o++) {
            struct configuration one = {&variants[v], NULL, NULL};
            int status = configure(one.variant, variants[v].one ? NULL : organisations[o],
                                   &one.machine, error);
            if (!status)
                status = machine_name(one.machine, "llc.organisation", &one.organisation, error);
            VECTOR_PUSH(&c->configurations, one);
            if (status)
                return status;
        }
    }
    return 0;
}

/* Profiles that models read, and those of the choices that the simulation follows. */
static int prepare(struct comparison *c, struct error *error)
{
    size_t subjects = c->subjects.list.count, made;
    int status = 0;
    for (size_t i = 0; i < c->configurations.count * subjects && !status; i++) {
        const struct machine *machine = c->configurations.items[i / subjects].machine;
        const struct model *models[MODELS + 1];
        size_t n = 0;
        for (int m = 0; m < MODELS; m++)
            if (c->models[m])
                models[n++] = c->models[m];
        models[n] = referee_model(machine);
        n += models[n] != NULL;
        if (interrupt_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        status = subject_prepare_models(c->subjects.list.items[i % subjects], machine, models, n, 0,
                                        NULL, &made, error);
    }
    return status;
}

/* Requests of the workload, as profiled; their bytes, and the share that is local. */
static double requests_of(const struct subject *subject, const struct machine *machine,
                          double *bytes, double *share)
{
    const struct profile_view *view;
    struct error ignored;
    double requests = 0, local = 0;
    *bytes = 0;
    *share = (double)NAN;
    if (subject_view(subject, machine, &view, &ignored))
        return 0;
    for (size_t r = 0; r < view->n_records; r++) {
        const double *fields = view->records[r].fields;
        requests += fields[FIELD_REQUESTS];
        local += fields[FIELD_REQUESTS] > 0 ? fields[FIELD_REQUESTS] * fields[FIELD_R_LOCAL] : 0;
        *bytes += fields[FIELD_BYTES];
    }
    *share = local / requests;
    return requests;
}

/* The same share of what was simulated. */
static double local_share(const struct simulate_gpu_result *r)
{
    double local = 0, requests = 0;
    for (size_t l = 0; l < r->n_launches; l++) {
        local += (double)r->launches[l].seen.local;
        requests += (double)r->launches[l].seen.requests;
    }
    return local / requests;
}

static void compare_one(void *context, uint64_t item, int worker)
{
    struct comparison *c = context;
    size_t subjects = c->subjects.list.count;
    const struct subject *subject = c->subjects.list.items[item % subjects];
    const struct machine *machine = c->configurations.items[item / subjects].machine;
    struct outcome *outcome = &c->outcomes[item];
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct draws draws = {3, 16, 0.02};
    double bytes;
    (void)worker;
    if (requests_of(subject, machine, &bytes, &outcome->local) > 1.5 * LIMIT) {
        draws.most = draws.least = 1;
        options.requests = LIMIT;
        options.warm_up = LIMIT / 2;
    }
    if (interrupt_requested()) {
        outcome->status = error_set(&outcome->error, STATUS_INTERRUPTED, "interrupted");
        return;
    }
    outcome->status =
        draws_simulate(subject, machine, &options, &draws, &outcome->result, &outcome->error);
    for (int m = 0; m < MODELS; m++)
        outcome->models[m] = referee_ask(c->models[m], subject, machine);
    if (!outcome->status)
        outcome->time_s = outcome->result->whole
                              ? outcome->result->kernel_time_s
                              : bytes / outcome->result->bandwidth_bytes_per_s.mean;
    progress_item();
}

static int compare_all(struct comparison *c, int threads, struct error *error)
{
    size_t subjects = c->subjects.list.count, count = c->configurations.count * subjects;
    c->outcomes = memory_zero(count, sizeof *c->outcomes);
    progress_begin_items("simulating", "runs", count, "requests");
    parallel_for(threads, count, compare_one, c);
    progress_end();
    for (size_t i = 0; i < count; i++) {
        const struct configuration *one = &c->configurations.items[i / subjects];
        if (c->outcomes[i].status == 0)
            continue;
        *error = c->outcomes[i].error;
        error_context(error, "%s, %s, workload %s", one->variant->machine, one->organisation,
                      c->subjects.labels.items[i % subjects]);
        return c->outcomes[i].status;
    }
    return 0;
}

/* --- what is said of it ---------------------------------------------------------------------- */

static void settings_text(const struct variant *variant, struct text *out)
{
    text_append(out, "");
    for (int i = 0; i < SETTINGS_MAX && variant->settings[i]; i++)
        text_printf(out, "%s%s", i ? " " : "", variant->settings[i]);
}

static void add_row(const struct comparison *c, size_t item, struct sheet *rows)
{
    size_t subjects = c->subjects.list.count;
    const struct configuration *one = &c->configurations.items[item / subjects];
    const struct outcome *outcome = &c->outcomes[item];
    const struct simulate_gpu_result *r = outcome->result;
    const struct simulate_station *busiest = NULL;
    struct sheet_cell cells[COLUMNS] = {{0}};
    struct text settings = {0};
    settings_text(one->variant, &settings);
    for (size_t s = 0; s < r->n_stations; s++)
        if (!busiest || r->stations[s].most > busiest->most)
            busiest = &r->stations[s];
    cells[MACHINE].text = one->variant->machine;
    cells[SETTINGS].text = settings.data;
    cells[WORKLOAD].text = c->subjects.labels.items[item % subjects];
    cells[ORGANISATION].text = one->organisation;
    cells[REQUESTS].number = (double)r->requests;
    cells[BANDWIDTH].number = r->bandwidth_bytes_per_s.mean / 1e9;
    cells[INTERVAL].number = r->bandwidth_bytes_per_s.half_width / r->bandwidth_bytes_per_s.mean;
    cells[DRAWS].number = r->draws.n;
    cells[LEAST].number = r->draws.least_s;
    cells[MOST].number = r->draws.most_s;
    cells[BUSIEST].text = busiest ? busiest->name : NULL;
    cells[BUSY].number = busiest ? busiest->most : (double)NAN;
    cells[HIT].number = r->llc_hit_rate;
    cells[LOCAL].number = local_share(r);
    cells[LOCAL_PROFILED].number = outcome->local;
    cells[TIME].number = outcome->time_s;
    for (int m = 0; m < MODELS; m++) {
        cells[ERROR_EAB + m].number = referee_error(outcome->result, &outcome->models[m]);
        cells[TIME_EAB + m].number = outcome->models[m].time_s;
    }
    sheet_add(rows, cells);
    text_free(&settings);
}

/* Rank correlation over the configurations of a workload; NaN with fewer than three. */
static double rank_correlation(const struct comparison *c, size_t subject, int model)
{
    size_t n = c->configurations.count, count = 0;
    double *ours = memory_alloc(n * sizeof *ours), *theirs = memory_alloc(n * sizeof *theirs);
    double *work = memory_alloc(2 * n * sizeof *work), result = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        const struct outcome *outcome = &c->outcomes[i * c->subjects.list.count + subject];
        if (isnan(outcome->models[model].time_s) || isnan(outcome->time_s))
            continue;
        ours[count] = outcome->models[model].time_s;
        theirs[count++] = outcome->time_s;
    }
    if (count >= 3)
        result = gsl_stats_spearman(ours, 1, theirs, 1, count, work);
    free(ours);
    free(theirs);
    free(work);
    return result;
}

/* Absolute errors of one model, sorted; of one workload, or of all (SIZE_MAX). */
static size_t errors_of(const struct comparison *c, int model, size_t subject, double *out)
{
    size_t subjects = c->subjects.list.count, count = 0;
    for (size_t i = 0; i < c->configurations.count * subjects; i++) {
        double error = referee_error(c->outcomes[i].result, &c->outcomes[i].models[model]);
        if (!isnan(error) && (subject == SIZE_MAX || i % subjects == subject))
            out[count++] = fabs(error);
    }
    gsl_sort(out, 1, count);
    return count;
}

static void note_workload(const struct comparison *c, int m, size_t subject, double *errors,
                          struct sheet *rows)
{
    size_t count = errors_of(c, m, subject, errors);
    if (count)
        sheet_add_note(
            rows,
            "%s, %s: |error| median %.1f %%, 95th percentile %.1f %%, over %zu; order of "
            "configurations %.3f",
            model_names[m], c->subjects.labels.items[subject],
            100 * gsl_stats_median_from_sorted_data(errors, 1, count),
            100 * gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.95), count,
            rank_correlation(c, subject, m));
}

static void note_model(const struct comparison *c, int m, double *errors, struct sheet *rows)
{
    size_t subjects = c->subjects.list.count, ranked = 0;
    double *orders = memory_alloc(subjects * sizeof *orders);
    size_t count = errors_of(c, m, SIZE_MAX, errors);
    for (size_t s = 0; s < subjects; s++) {
        orders[ranked] = rank_correlation(c, s, m);
        ranked += !isnan(orders[ranked]);
    }
    gsl_sort(orders, 1, ranked);
    if (count)
        sheet_add_note(
            rows,
            "%s: |error| median %.1f %%, 95th percentile %.1f %%, over %zu; Spearman's rank "
            "correlation of configurations by time, median over workloads %.3f",
            model_names[m], 100 * gsl_stats_median_from_sorted_data(errors, 1, count),
            100 * gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.95), count,
            ranked ? gsl_stats_median_from_sorted_data(orders, 1, ranked) : (double)NAN);
    free(orders);
}

/* Of the profile, before any model: where it puts pages, beside who touches them first in time. */
static void note_local(const struct comparison *c, double *errors, struct sheet *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < c->configurations.count * c->subjects.list.count; i++) {
        double error = fabs(c->outcomes[i].local - local_share(c->outcomes[i].result));
        if (!isnan(error))
            errors[count++] = error;
    }
    gsl_sort(errors, 1, count);
    if (count)
        sheet_add_note(rows,
                       "local requests, profiled beside simulated: median %.1f points, 95th "
                       "percentile %.1f points apart, over %zu",
                       100 * gsl_stats_median_from_sorted_data(errors, 1, count),
                       100 * gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.95), count);
}

static void report(const struct comparison *c, struct sheet *rows)
{
    size_t subjects = c->subjects.list.count, count = c->configurations.count * subjects;
    size_t cut = 0;
    double *errors = memory_alloc(count * sizeof *errors);
    for (size_t i = 0; i < count; i++) {
        add_row(c, i, rows);
        cut += !c->outcomes[i].result->whole;
    }
    note_local(c, errors, rows);
    for (int m = 0; m < MODELS; m++)
        note_model(c, m, errors, rows);
    for (int m = 0; m < MODELS; m++)
        for (size_t s = 0; s < subjects && subjects > 1; s++)
            note_workload(c, m, s, errors, rows);
    if (cut)
        sheet_add_note(rows,
                       "%zu runs are longer than is simulated: %d requests of theirs were "
                       "counted, after %d of warm-up.",
                       cut, LIMIT, LIMIT / 2);
    free(errors);
}

static void comparison_fini(struct comparison *c)
{
    size_t count = c->configurations.count * c->subjects.list.count;
    for (size_t i = 0; i < count && c->outcomes; i++)
        simulate_gpu_result_destroy(c->outcomes[i].result);
    for (size_t i = 0; i < c->configurations.count; i++)
        machine_destroy(c->configurations.items[i].machine);
    free(c->outcomes);
    VECTOR_FREE(&c->configurations);
    validation_subjects_close(&c->subjects);
}

static int referee_run(const struct validation_request *request, struct sheet *rows,
                       struct error *error)
{
    struct comparison c = {0};
    for (int m = 0; m < MODELS; m++)
        c.models[m] = (const struct model *)plugin_find("model", model_names[m]);
    int status = validation_subjects_open(&c.subjects, request, rows, error);
    if (!status)
        status = configure_all(&c, request->all, error);
    if (!status)
        status = prepare(&c, error);
    if (!status)
        status = compare_all(&c, request->threads, error);
    if (!status)
        report(&c, rows);
    comparison_fini(&c);
    return status;
}

const struct validation validation_referee = {
    .plugin = {"validation", "referee",
               "models beside the request-level simulation, on machines of all systems", NULL,
               NULL},
    .columns = referee_columns,
    .reads = VALIDATION_WORKLOADS | VALIDATION_LONG,
    .named = true,
    .run = referee_run,
};

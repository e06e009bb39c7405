/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latencies from load to use: an idle pointer chase through every level of every shipped machine,
 * near and far, takes what its file says, by the model network and by the referee; steps by hand;
 * what cannot be. */
#include "mcm_check.h"
#include "profile_check.h"

#include "core/catalogue.h"
#include "explore/answer/referee.h"
#include "machine/latency.h"
#include "machine/links.h"
#include "machine/system.h"
#include "yaml/yaml.h"

static double number(const struct machine *machine, const char *path)
{
    double value;
    check_ok(machine_number(machine, path, &value, &failure));
    return value;
}

static bool known(const struct machine *machine, const char *path)
{
    struct error ignored;
    double value;
    return machine_number(machine, path, &value, &ignored) == 0;
}

static double seconds(const struct machine *machine, const char *path)
{
    double value;
    check_ok(latency_seconds(machine, path, &value, &failure));
    return value;
}

static const char *name_of(const struct machine *machine, const char *path)
{
    struct error ignored;
    const char *name = "";
    return machine_name(machine, path, &name, &ignored) ? "" : name;
}

/* --- a chase ------------------------------------------------------------------------------ */

/* Where the lines of a chase are found: a level before the LLC; the LLC; memory. */
enum where { IN_FRONT, IN_LLC, IN_MEMORY };
enum whose { OWN, OTHERS, ALL_ALIKE };

/* One warp an SM, which waits for each read; `wide`: transfers take no time. */
static struct machine *chasing(const struct machine *shipped, bool wide)
{
    static const char *const rates[] = {"noc.bandwidth", "llc.bandwidth",    "inter.link_bandwidth",
                                        "p2p.bandwidth", "memory.bandwidth", "crossing.bandwidth"};
    struct machine *m = machine_clone(shipped);
    struct parameter p;
    struct error ignored;
    check_set(m, "sm.warps", "1");
    check_set(m, "launch.time", "0 s");
    check_set(m, "sm.outstanding", "1");
    check_set(m, "page.policy", "interleave");
    for (size_t i = 0; wide && i < sizeof rates / sizeof *rates; i++)
        if (machine_find(m, rates[i], &p, &ignored) == 0 && known(m, rates[i]))
            mcm_set(m, rates[i], 1e17, "B/s");
    if (wide && known(m, "l1.lookups"))
        check_set(m, "l1.lookups", "1e13 /s");
    struct machine_levels levels;
    check_ok(machine_levels(m, false, &levels, &failure));
    for (int i = 0; wide && i < levels.n; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.bandwidth", levels.names[i]);
        mcm_set(m, path, 1e17, "B/s");
    }
    for (size_t e = 0; wide && e < m->n_edges; e++)
        if (m->edges[e].bandwidth_bytes_per_s > 0)
            m->edges[e].bandwidth_bytes_per_s = 1e17;
    return m;
}

/* Whether requests for lines of the own domain, or of others, look up a level before the LLC. */
static bool looks_up(const struct system_level *level, enum whose whose)
{
    return level->filter == FILTER_ALL || (level->filter == FILTER_LOCAL) == (whose == OWN);
}

/* Seconds a read, by the network: a customer a domain, that does nothing but read. */
static double by_network(const struct machine *m, enum where where, enum whose whose)
{
    double domains = number(m, "chips") * number(m, "partitions");
    double local = whose == OWN ? 1 : whose == OTHERS ? 0 : 1 / domains;
    struct profile_record record = mcm_record(local, where == IN_LLC);
    double home = where == IN_FRONT ? 0 : 1000;
    record.fields[FIELD_REQUESTS] = record.fields[FIELD_READS] = 1000;
    record.fields[FIELD_HOME_REQUESTS] = record.fields[FIELD_HOME_READS] = home;
    record.fields[FIELD_HOME_REMOTE_REQUESTS] = record.fields[FIELD_HOME_REMOTE_READS] =
        home * (1 - local);
    struct system system;
    check_ok(system_compile(&system, m, 0, &failure));
    for (uint32_t i = 0; i < system_between(&system); i++) {
        record.levels[i] = system_level(&system, i)->name;
        record.fields[profile_level_field((int)i, LEVEL_LOOKUPS)] =
            looks_up(system_level(&system, i), whose) ? 1000 : 0;
    }
    record.fields[FIELD_INVALIDATIONS] = record.fields[FIELD_REPLICABLE] = 0;
    record.fields[FIELD_CTAS] = domains; /* an SM each */
    double traffic[DOMAINS_MAX * DOMAINS_MAX];
    record.traffic = traffic;
    record.n_domains = (size_t)domains;
    for (size_t i = 0; i < record.n_domains * record.n_domains; i++)
        traffic[i] = whose == ALL_ALIKE || (i % (record.n_domains + 1) == 0) == (whose == OWN);
    record.fields[FIELD_LINE_ACCESSES] = 1000;
    return domains * number(m, "line") / number(m, "sectors") /
           check_metric("network", m, &record, "effective_bandwidth");
}

/* The same by the referee, from the latencies of where data come from. */
static double by_referee(const struct machine *m, enum where where, enum whose whose)
{
    enum { LINES = 2048, PASSES = 2 };
    const uint64_t line = (uint64_t)number(m, "line");
    const uint64_t each = (uint64_t)number(m, "page.interleave");
    const uint64_t domains = (uint64_t)(number(m, "chips") * number(m, "partitions"));
    OWNED(synthetic) *s = synthetic_create("chase");
    struct simulate_gpu_options options = referee_options(1000000);
    struct simulate_gpu_result *r;
    synthetic_kernel(s, "k", 1, 1);
    /* A few lines of every home, again and again: more than L1 has, so that the second pass is for
     * a level behind it. */
    for (int i = 0; i < PASSES * LINES; i++) {
        uint64_t k = (uint64_t)(i % LINES);
        synthetic_lane(s, 0, 0, ACCESS_READ,
                       k % domains * each + k / domains * line % each +
                           k / domains * line / each * each * domains);
    }
    options.l1_hit_rate = 0;
    options.llc_hit_rate = where == IN_LLC;
    check_ok(simulate_gpu(m, &s->source, &options, &r, &failure));
    static const enum simulate_origin origins[][2] = {
        [IN_FRONT] = {ORIGIN_FRONT, ORIGIN_FRONT},
        [IN_LLC] = {ORIGIN_LOCAL_LLC, ORIGIN_REMOTE_LLC},
        [IN_MEMORY] = {ORIGIN_LOCAL_MEMORY, ORIGIN_REMOTE_MEMORY}};
    double near = r->latency_s[origins[where][0]].mean, far = r->latency_s[origins[where][1]].mean;
    double time = near;
    if (whose != OWN && r->share[origins[where][1]] > 0)
        time = whose == OTHERS ? far : (near + ((double)domains - 1) * far) / (double)domains;
    simulate_gpu_result_destroy(r);
    return time;
}

/* L1: a launch of hits. */
static double by_referee_l1(const struct machine *m)
{
    enum { READS = 1000 };
    OWNED(synthetic) *s = synthetic_create("hits");
    struct simulate_gpu_options options = referee_options(1000000);
    struct simulate_gpu_result *r;
    synthetic_kernel(s, "k", 1, 1);
    for (int i = 0; i < READS; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    options.l1_hit_rate = 1;
    check_ok(simulate_gpu(m, &s->source, &options, &r, &failure));
    double time = (r->kernel_time_s - number(m, "launch.time")) / READS - 1 / number(m, "sm.issue");
    simulate_gpu_result_destroy(r);
    return time;
}

/* --- what it takes, by the files' figures ------------------------------------------------------
 */

/* To the level, as the sum of its steps: L1 and whatever is between, the crossbar there and back;
 * to another domain, crossbars, and to another chip links and switches on the way, mean over chips.
 */
static double way_of(const struct machine *m, enum where where, enum whose whose, bool other_chip)
{
    struct system system;
    struct link_graph links;
    check_ok(system_compile(&system, m, SYSTEM_STATIONS, &failure));
    bool p2p = machine_has(m, "p2p"), noc = machine_has(m, "noc");
    double sum = number(m, "l1.latency") + system.node_latency_s, crossing = 0;
    sum += p2p ? 2 * seconds(m, "p2p.latency") : noc ? 2 * seconds(m, "noc.latency") : 0;
    for (uint32_t i = 0; i < system_between(&system); i++)
        if (looks_up(system_level(&system, i), whose))
            sum += system_level(&system, i)->latency_s;
    if (noc && whose != OWN)
        crossing = 2 * seconds(m, "noc.latency");
    if (where != IN_FRONT)
        sum += seconds(m, "llc.latency");
    if (whose != OWN)
        sum += crossing * ((p2p ? 1 : 0) + (other_chip ? 1 : 0));
    if (whose != OWN && !other_chip && machine_has(m, "crossing"))
        sum += 2 * seconds(m, "crossing.latency");
    if (other_chip) {
        check_ok(link_graph_build(m, &links, &failure));
        struct link_way mean = link_graph_way(&links);
        sum += 2 * mean.hops * seconds(m, "inter.latency") +
               2 * mean.switches * seconds(m, "inter.switch_latency") + 2 * mean.own_s;
        link_graph_fini(&links);
    }
    if (where == IN_MEMORY)
        sum += seconds(m, "memory.latency");
    system_fini(&system);
    return sum;
}

/* The same, mean over domains. */
static double way(const struct machine *m, enum where where, enum whose whose)
{
    double chips = number(m, "chips"), partitions = number(m, "partitions");
    double others = chips * partitions - 1, here = (partitions - 1) / others;
    if (whose == OWN)
        return way_of(m, where, OWN, false);
    return (here > 0 ? here * way_of(m, where, OTHERS, false) : 0) +
           (here < 1 ? (1 - here) * way_of(m, where, OTHERS, true) : 0);
}

/* Transfers that take no time leave the sum. */
static void check_way(const struct machine *shipped, enum where where, enum whose whose)
{
    OWNED(machine) *m = chasing(shipped, true);
    double want = way(m, where, whose), network = by_network(m, where, whose);
    double referee = by_referee(m, where, whose);
    if (!(fabs(network / want - 1) < 1e-5 && fabs(referee / want - 1) < 1e-5))
        fail_msg("%s, place %d of %s: %g ns; the network has %g, the referee %g", shipped->name,
                 (int)where, whose == OWN ? "its own" : "others", 1e9 * want, 1e9 * network,
                 1e9 * referee);
}

/* Where a file quotes a figure from load to use; with its transfers on top, a line through each
 * part, within 2 %. */
static void check_figure(const struct machine *shipped, const char *section, enum where where,
                         enum whose whose)
{
    char path[64], is[64];
    snprintf(path, sizeof path, "%s.latency", section);
    snprintf(is, sizeof is, "%s.latency_is", section);
    bool mean = strcmp(name_of(shipped, is), "mean-load-to-use") == 0;
    if (!mean && strcmp(name_of(shipped, is), "load-to-use") != 0)
        return;
    whose = mean ? ALL_ALIKE : whose;
    const double want = number(shipped, path);
    for (int wide = 0; wide < 2; wide++) {
        OWNED(machine) *m = chasing(shipped, wide);
        double network = by_network(m, where, whose), referee = by_referee(m, where, whose);
        double most = wide ? 1e-5 : 0.02;
        if (!(fabs(network / want - 1) < most && fabs(referee / want - 1) < most))
            fail_msg("%s, %s: %.8g ns; the network has %.8g, the referee %.8g", shipped->name, path,
                     1e9 * want, 1e9 * network, 1e9 * referee);
    }
}

TEST(chases_take_what_files_say)
{
    struct catalogue machines;
    machine_catalogue(&machines);
    for (size_t i = 0; i < machines.count; i++) {
        OWNED(machine) *m = check_shipped(machines.items[i].name, NULL);
        bool front = machine_has(m, "l2");
        if (front)
            check_figure(m, "l2", IN_FRONT, OWN);
        check_figure(m, "llc", IN_LLC, OWN);
        check_figure(m, "memory", IN_MEMORY, OWN);
        check_figure(m, "inter", IN_LLC, OTHERS);
        check_set(m, "llc.organisation", "memory-side");
        if (machine_has(m, "crossing"))
            check_figure(m, "crossing", IN_LLC, OTHERS);
        check_way(m, IN_LLC, OWN);
        check_way(m, IN_MEMORY, OWN);
        if (number(m, "chips") * number(m, "partitions") > 1) {
            check_way(m, IN_LLC, OTHERS);
            check_way(m, IN_MEMORY, OTHERS);
        }
        /* L1 comes first: its figure is a step and from load to use. */
        if (number(m, "l1.nodes") == 0)
            check_relative(by_referee_l1(m), number(m, "l1.latency"), 1e-3);
    }
    catalogue_fini(&machines);
}

/* The figures, as sources print them. */
TEST(figures_of_sources)
{
    static const struct {
        const char *machine, *path;
        double ns;
    } figures[] = {
        {"a100", "llc.latency", 205.5 / 1.41},   {"a100", "memory.latency", 466.3 / 1.41},
        {"h100", "llc.latency", 279 / 1.98},     {"b200", "llc.latency", 150},
        {"mi250x", "memory.latency", 585 / 1.7}, {"mi300x", "llc.latency", 218},
        {"mi300x", "l2.latency", 213 / 2.1},     {"hgx-h100", "inter.latency", 500 + 279 / 1.98},
        {"hgx-h100", "llc.latency", 279 / 1.98},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        OWNED(machine) *m = check_shipped(figures[i].machine, NULL);
        check_relative(number(m, figures[i].path) * 1e9, figures[i].ns, 1e-3);
    }
}

/* --- steps by hand ------------------------------------------------------------------------------
 */

#define RING                                                                                       \
    "machine: t\nchips: 4\nsm: {per_chip: 1, clock: 1 GHz}\n"                                      \
    "l1: {capacity: 16 KiB, latency: 10 ns}\n"                                                     \
    "llc: {organisation: memory-side, capacity: 1 MiB, bandwidth: 1 TB/s, latency: %s}\n"          \
    "noc: {bandwidth: 1 TB/s, latency: 5 cycles}\n"                                                \
    "inter: {topology: ring, link_bandwidth: 1 TB/s, latency: %s}\n"                               \
    "memory: {bandwidth: 1 TB/s, latency: %s}\n"

static struct machine *ring(const char *llc, const char *inter, const char *memory)
{
    char text[1024];
    snprintf(text, sizeof text, RING, llc, inter, memory);
    return check_machine(text);
}

TEST(steps_by_hand)
{
    static const struct {
        const char *llc, *inter, *memory;
        double llc_ns, inter_ns, memory_ns;
    } cases[] = {
        {"40 ns", "30 ns", "100 ns", 40, 30, 100},
        /* L1 and two crossings are before it: 20 ns. */
        {"60 ns, latency_is: load-to-use", "30 ns", "100 ns", 40, 30, 100},
        {"60 ns, latency_is: load-to-use", "30 ns", "160 ns, latency_is: load-to-use", 40, 30, 100},
        {"40 ns", "30 ns", "160 ns, latency_is: load-to-use", 40, 30, 100},
        /* There and back 4/3 hops each, and the home's crossbar: 8/3 30 + 10. */
        {"40 ns", "150 ns, latency_is: load-to-use", "100 ns", 40, 30, 100},
        {"40 ns", "150 ns, latency_is: mean-load-to-use", "100 ns", 40, 30, 100},
        /* Three of four homes are elsewhere: 60 + 3/4 90. */
        {"127.5 ns, latency_is: mean-load-to-use", "30 ns", "100 ns", 40, 30, 100},
        {"127.5 ns, latency_is: mean-load-to-use", "30 ns",
         "227.5 ns, latency_is: mean-load-to-use", 40, 30, 100},
        {"60 ns, latency_is: load-to-use", "150 ns, latency_is: load-to-use",
         "227.5 ns, latency_is: mean-load-to-use", 40, 30, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = ring(cases[i].llc, cases[i].inter, cases[i].memory);
        check_relative(seconds(m, "llc.latency") * 1e9, cases[i].llc_ns, 1e-12);
        check_relative(seconds(m, "inter.latency") * 1e9, cases[i].inter_ns, 1e-12);
        check_relative(seconds(m, "memory.latency") * 1e9, cases[i].memory_ns, 1e-12);
        struct system r;
        check_ok(system_compile(&r, m, SYSTEM_STATIONS, &failure));
        check_relative(system_station(&r, STATION_LLC, 0)->latency_s * 1e9, cases[i].llc_ns, 1e-12);
        system_fini(&r);
    }
}

/* A setting means what the file's figure means; so does a clock. */
TEST(settings_keep_the_meaning)
{
    OWNED(machine) *m = ring("60 cycles, latency_is: load-to-use", "30 ns", "100 ns");
    check_relative(seconds(m, "llc.latency"), 40e-9, 1e-12);
    check_set(m, "noc.latency", "10 cycles");
    check_relative(seconds(m, "llc.latency"), 30e-9, 1e-12);
    check_set(m, "sm.clock", "2 GHz");
    check_relative(seconds(m, "llc.latency"), 10e-9, 1e-12);
    check_set(m, "llc.latency_is", "step");
    check_relative(seconds(m, "llc.latency"), 30e-9, 1e-12);
}

static void refused(const char *llc, const char *inter, const char *words)
{
    struct yaml_document *document;
    struct machine *machine = NULL;
    char text[1024];
    snprintf(text, sizeof text, RING, llc, inter, "100 ns");
    check_ok(yaml_parse("machine.yaml", text, strlen(text), &document, &failure));
    check_error(machine_read(document->root, "machine.yaml", &machine, &failure), STATUS_INPUT,
                words);
    yaml_destroy(document);
}

TEST(what_cannot_be)
{
    refused("19 ns, latency_is: load-to-use", "30 ns", "llc.latency: 19 ns from load to use");
    refused("40 ns", "60 ns, latency_is: load-to-use", "inter.latency: 60 ns from load to use");
    refused("200 ns, latency_is: mean-load-to-use", "150 ns, latency_is: load-to-use",
            "need each other's steps");
    refused("60 ns, latency_is: loaded", "30 ns", "unknown value \"loaded\"");
    machine_destroy(ring("20 ns, latency_is: load-to-use", "30 ns", "100 ns"));
}

/* In a sweep each point has steps of its own: one that cannot be has no answer. */
TEST(points_without_an_answer)
{
    static const char *const crossings[] = {"5 ns", "25 ns", "26 ns"};
    for (size_t i = 0; i < sizeof crossings / sizeof *crossings; i++) {
        OWNED(machine) *m =
            ring("60 ns, latency_is: load-to-use", "30 ns", "160 ns, latency_is: load-to-use");
        struct profile_record record = mcm_record(0.5, 0.5);
        record.fields[FIELD_REQUESTS] = record.fields[FIELD_READS] = 1000;
        record.fields[FIELD_BYTES] = 1000 * number(m, "line");
        check_set(m, "sm.warps", "1");
        OWNED(answer) *answer = check_answer_of("network", m, &record);
        double *inputs = calloc((size_t)term_input_count(answer->graph), sizeof *inputs), crossing;
        double *values = calloc((size_t)term_count(answer->graph), sizeof *values);
        check_ok(model_bind(answer->graph, m, inputs, &failure));
        check_set(m, "noc.latency", crossings[i]);
        crossing = number(m, "noc.latency");
        for (int k = 0; k < term_input_count(answer->graph); k++)
            if (strcmp(term_get(answer->graph, term_input_term(answer->graph, k))->name,
                       "noc.latency") == 0)
                inputs[k] = crossing * 1e9; /* in cycles of 1 GHz, as the file gives it */
        term_evaluate(answer->graph, inputs, values);
        double rate = values[model_result_metric(&answer->result, "effective_bandwidth")];
        double time = values[model_result_metric(&answer->result, "kernel_time")];
        assert_true(i < 2 ? rate > 0 && time > 0 : isnan(rate) && isnan(time));
        free(inputs);
        free(values);
    }
}

/* --- misses, in rounds of the profiler ----------------------------------------------------- */

static void stalls(const char *text, double want)
{
    OWNED(machine) *m = check_machine(text);
    check_relative(number(m, "sm.stall"), want, 0);
}

/* sac: L1 28, crossbar 2 x 8, LLC 120, memory 100 cycles; three of four homes are 4/3 hops of 32
 * cycles away, there and back, behind a second crossbar: 264 + 3/4 (2 x 4/3 x 32 + 16) = 340. */
TEST(misses)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    double miss;
    check_ok(latency_miss(sac, &miss, &failure));
    check_relative(miss, 340e-9, 1e-12);
    assert_int_equal(latency_rounds(sac), 256);
    check_relative(number(sac, "sm.stall"), 256, 0);
    /* The nearest power of two: 362 and 363 cycles. */
    stalls("machine: a\nbase: sac\nmemory: {latency: 122 ns}\n", 256);
    stalls("machine: a\nbase: sac\nmemory: {latency: 123 ns}\n", 512);
    stalls("machine: a\nbase: sac\nsm: {issue: 0.5 /cycle}\n", 128);
    stalls("machine: a\nbase: sac\nsm: {issue: 4 /cycle}\n", 256);
    stalls("machine: a\nbase: sac\nsm: {stall: 7}\nmemory: {latency: 1 us}\n", 7);
    /* A figure from load to use is what it is. */
    stalls("machine: a\nchips: 1\nsm: {per_chip: 2, clock: 1 GHz}\n"
           "llc: {capacity: 1 MiB}\nnoc: {bandwidth: 1 TB/s}\n"
           "memory: {latency: 1000 ns, latency_is: load-to-use}\n",
           1024);
    /* The stream is one for all settings of latencies. */
    check_set(sac, "memory.latency", "1 us");
    check_relative(number(sac, "sm.stall"), 256, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What machines have beyond a model's equations: node ports, moved pages, invalidations, messages
 * beside their data. The streams behind them are the profiler's and right for any model; their own
 * load is not. */
#include <stdio.h>
#include <string.h>

#include "model/internal.h"

void model_add_warning(struct model_result *result, struct arena *arena, const char *text)
{
    for (int i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i], text) == 0)
            return;
    if (result->n_warnings < MODEL_WARNINGS_MAX)
        result->warnings[result->n_warnings++] = arena_printf(arena, "%s", text);
}

static double sum(const struct profile_view *view, enum profile_field field)
{
    double all = 0;
    for (size_t r = 0; r < view->n_records; r++)
        if (view->records[r].fields[field] > 0) /* not of those that do not say it */
            all += view->records[r].fields[field];
    return all;
}

static double number(const struct machine *machine, const char *path)
{
    struct error ignored;
    double value;
    return machine_number(machine, path, &value, &ignored) ? 0 : value;
}

/* Caches behind L1 that may hold lines of another domain; `given`: those without a capacity do
 * as well, since a model that compares machines gives it. */
static bool holds_copies(const struct machine *machine, const struct system *system, bool given)
{
    struct machine_levels levels;
    struct error ignored;
    if (system_llc(system)->side != SIDE_HOME || system_llc(system)->split)
        return true;
    machine_levels(machine, given, &levels, &ignored);
    for (int i = 0; i < levels.n; i++) {
        char path[80];
        const char *filter = "";
        snprintf(path, sizeof path, "%s.filter", levels.names[i]);
        if (machine_name(machine, path, &filter, &ignored) || strcmp(filter, "local") != 0)
            return true;
    }
    return false;
}

/* True when messages of a network ("noc", "inter") take more than their data. */
static bool has_messages(const struct machine *machine, const char *network)
{
    static const char *const sizes[] = {"flit", "read_request", "read_response", "write_request",
                                        "write_response"};
    char path[80];
    if (!machine_has(machine, network))
        return false;
    snprintf(path, sizeof path, "%s.overhead", network);
    bool more = number(machine, path) > 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(path, sizeof path, "%s.%s", network, sizes[i]);
        more = more || number(machine, path) > 0;
    }
    return more;
}

/* Whether there are reads of the kinds that a cache beside L1 serves. */
static bool is_read(const struct system *system, uint32_t beside, const struct profile_view *view)
{
    bool any = false;
    for (int kind = ACCESS_SCALAR; kind < ACCESS_PATHS; kind++)
        any =
            any || (system->beside.levels[beside].serves >> kind & 1 &&
                    sum(view, (enum profile_field)(FIELD_SCALAR_READS + kind - ACCESS_SCALAR)) > 0);
    return any;
}

/* Levels behind L1 and TLBs that state their MSHRs. */
static bool has_stops(const struct machine *machine, const struct system *system,
                      const struct profile_view *view)
{
    char path[80];
    bool any = false;
    for (uint32_t i = 1; i < system->n_levels; i++) {
        snprintf(path, sizeof path, "%s.mshrs", system->levels[i].name);
        any = any || number(machine, path) > 0;
    }
    for (uint32_t i = 0; i < system->translation.n; i++) {
        snprintf(path, sizeof path, "%s.mshrs", system->translation.tlbs[i].name);
        any = any || number(machine, path) > 0;
    }
    for (uint32_t i = 0; i < system->beside.n; i++) {
        snprintf(path, sizeof path, "%s.mshrs", system->beside.levels[i].name);
        any = any || (number(machine, path) > 0 && is_read(system, i, view));
    }
    return any;
}

/* A cache beside L1 that states its bandwidth, and is looked up. */
static bool has_beside(const struct machine *machine, const struct system *system,
                       const struct profile_view *view)
{
    char path[80];
    bool any = false;
    for (uint32_t i = 0; i < system->beside.n; i++) {
        snprintf(path, sizeof path, "%s.bandwidth", system->beside.levels[i].name);
        any = any || (number(machine, path) > 0 && is_read(system, i, view));
    }
    return any;
}

/* Requests, headers and whole flits of networks. */
static void warn_messages(struct model_result *result, struct arena *arena,
                          const struct machine *machine, const struct system *system)
{
    const struct model *model = result->model;
    char text[256];
    bool noc = !(model->counts & MODEL_COUNTS_NOC_MESSAGES) && has_messages(machine, "noc");
    bool inter = !(model->counts & MODEL_COUNTS_LINK_MESSAGES) && system->chips > 1 &&
                 has_messages(machine, "inter");
    if (noc || inter) {
        snprintf(text, sizeof text,
                 "optimistic: its equations have data alone, but not requests, headers and whole "
                 "flits (messages of %s)",
                 noc && inter ? "noc, inter"
                 : noc        ? "noc"
                              : "inter");
        model_add_warning(result, arena, text);
    }
}

/* What takes time beside the bytes. */
static void warn_time(struct model_result *result, struct arena *arena,
                      const struct machine *machine, const struct profile_view *view)
{
    const struct model *model = result->model;
    if (!(model->counts & MODEL_COUNTS_TURNS) && number(machine, "memory.turnaround") > 0 &&
        sum(view, FIELD_WRITES) > 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have memories serve reads and writes in any "
                          "order, without turns between them (memory.turnaround)");
    if (!(model->counts & MODEL_COUNTS_LLC_WRITES) && number(machine, "llc.write_bandwidth") > 0 &&
        sum(view, FIELD_WRITES) + sum(view, FIELD_ATOMICS) > 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have slices of the LLC take what is written "
                          "as fast as they give what is read (llc.write_bandwidth)");
    if (!(model->counts & MODEL_COUNTS_LOOKUPS) && number(machine, "l1.lookups") > 0 &&
        number(machine, "l1.nodes") == 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have L1s look up all lines of a warp at once "
                          "(l1.lookups)");
    if (!(model->counts & MODEL_COUNTS_DISPATCH) && number(machine, "cta.warps") > 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have all warps of a thread block begin at "
                          "once (cta.warps)");
}

void model_warn_uncounted(struct model_result *result, struct arena *arena,
                          const struct machine *machine, const struct profile_view *view)
{
    const struct model *model = result->model;
    struct error ignored;
    struct system system;
    const char *policy = "";
    char text[256];
    if (system_compile(&system, machine, 0, &ignored)) /* the model was refused for it */
        return;
    if (!(model->counts & MODEL_COUNTS_NODES) && number(machine, "l1.nodes") > 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have L1 nodes' misses, but not the nodes' "
                          "ports and crossbars (l1.nodes)");
    if (!(model->counts & MODEL_COUNTS_PAGE_MOVES) && sum(view, FIELD_PAGE_MOVES) > 0) {
        machine_name(machine, "page.policy", &policy, &ignored);
        snprintf(text, sizeof text,
                 "optimistic: its equations have homes after moves and copies of pages, but not "
                 "their traffic (page.policy %s)",
                 policy);
        model_add_warning(result, arena, text);
    }
    if (!(model->counts & MODEL_COUNTS_INVALIDATIONS) && !system.flush_at_kernels &&
        holds_copies(machine, &system, model->vary != NULL) && sum(view, FIELD_INVALIDATIONS) > 0)
        model_add_warning(result, arena,
                          "optimistic: its equations have the misses of hardware coherence, but "
                          "not its messages (coherence)");
    if (!(model->counts & MODEL_COUNTS_LAUNCHES) && number(machine, "launch.time") > 0)
        model_add_warning(result, arena,
                          "optimistic: its time has the work of launches, but not what each takes "
                          "beside it (launch.time)");
    if (!(model->counts & MODEL_COUNTS_TRANSLATION) && system.translation.n)
        model_add_warning(result, arena,
                          "optimistic: its equations have nothing of page walks (contents: "
                          "translations)");
    if (!(model->counts & MODEL_COUNTS_CROSSING) && system.crossing)
        model_add_warning(result, arena,
                          "its equations have nothing between the partitions of a chip: no way "
                          "there, nor their slices before memory (crossing)");
    if (!(model->counts & MODEL_COUNTS_STOPS) && has_stops(machine, &system, view))
        model_add_warning(result, arena,
                          "optimistic: without latencies it cannot say when MSHRs of TLBs and "
                          "levels behind L1 are taken (mshrs)");
    if (!(model->counts & MODEL_COUNTS_BESIDE) && has_beside(machine, &system, view))
        model_add_warning(result, arena,
                          "optimistic: its equations have what caches beside L1 leave to others, "
                          "but not their own bandwidth (contents: scalar, constant, texture)");
    warn_time(result, arena, machine, view);
    warn_messages(result, arena, machine, &system);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts counts of a simulation into a view. */
#include "explore/answer/counted.h"

#include <math.h>
#include <string.h>

#include "explore/answer/referee.h"
#include "machine/organisation.h"
#include "profile/record/llc_hit.h"

/* --- what was counted ------------------------------------------------------------------- */

static void add_seen(const struct simulate_seen *seen, struct simulate_seen *sum)
{
    double before = (double)sum->lookups, now = (double)seen->lookups;
    if (seen->lookups > 0)
        sum->slice_uniformity = /* a mean of means over maxima, by what passes the slices */
            (before > 0 ? sum->slice_uniformity * before : 0) / (before + now) +
            seen->slice_uniformity * now / (before + now);
    sum->requests += seen->requests;
    sum->local += seen->local;
    sum->crossing += seen->crossing;
    sum->reads += seen->reads;
    sum->read_hits += seen->read_hits;
    sum->remote_reads += seen->remote_reads;
    sum->lookups += seen->lookups;
    sum->hits += seen->hits;
}

/* Launches of a record: the r-th one, or all of its kernel. */
static struct simulate_seen seen_of(const struct profile_view *view, size_t r, bool grouped,
                                    const struct simulate_gpu_result *result)
{
    struct simulate_seen sum = {0};
    for (size_t i = 0; i < result->n_launches; i++) {
        const struct simulate_launch *l = &result->launches[i];
        if (grouped ? referee_is_of(&view->records[r], l->name, l->grid, l->block) : i == r)
            add_seen(&l->seen, &sum);
    }
    return sum;
}

/* --- curves ----------------------------------------------------------------------------- */

/* Hits so many times as many, or misses. */
struct change {
    bool of_hits;
    double times;
};

static uint64_t changed(const struct change *change, uint64_t requests, double hits)
{
    double all = (double)requests;
    double to = change->of_hits ? hits * change->times : all - (all - hits) * change->times;
    return (uint64_t)llround(fmin(fmax(to, 0), all));
}

static void change_curve(struct curve *curve, const struct change *change, struct arena *arena)
{
    struct curve from = *curve;
    if (from.requests == 0)
        return;
    /* What misses no more hits as a line just used does: at distance 0. */
    bool more = !change->of_hits && (from.n_points == 0 || from.points[0].lines > 1);
    curve->points = arena_alloc(arena, (from.n_points + 1) * sizeof *curve->points);
    curve->n_points = from.n_points + more;
    if (more) {
        double first =
            from.n_points ? (double)from.points[0].hits / (double)from.points[0].lines : 0;
        curve->points[0] = (struct curve_point){1, changed(change, from.requests, first)};
    }
    for (size_t i = 0; i < from.n_points; i++)
        curve->points[i + more] = (struct curve_point){
            from.points[i].lines, changed(change, from.requests, (double)from.points[i].hits)};
    uint64_t hits = curve->n_points ? curve->points[curve->n_points - 1].hits : 0;
    curve->cold = from.requests - hits;
}

static void change_curves(struct profile_record *record, enum level_side side,
                          const struct change *change, struct arena *arena)
{
    struct profile_curve *curves = arena_alloc(arena, record->n_curves * sizeof *curves);
    for (size_t i = 0; i < record->n_curves; i++) {
        curves[i] = record->curves[i];
        if (strcmp(curves[i].side, level_side_names[side]) != 0)
            continue;
        change_curve(&curves[i].curve, change, arena);
        for (int part = 0; part < CURVE_PARTS; part++)
            if (curves[i].has >> part & 1)
                change_curve(&curves[i].parts[part], change, arena);
    }
    record->curves = curves;
}

static void set_hit_rate(struct profile_record *record, const struct machine *machine,
                         enum level_side side, double hit, struct arena *arena)
{
    double before = profile_llc_hit(record, machine, side);
    struct change change = {.of_hits = hit < before};
    change.times = change.of_hits ? hit / before : (1 - hit) / (1 - before);
    if (hit != before && !isnan(before))
        change_curves(record, side, &change, arena);
    record->fields[side == SIDE_HOME ? FIELD_LLC_HIT_MEMORY_SIDE : FIELD_LLC_HIT_SM_SIDE] = hit;
}

/* --- records ---------------------------------------------------------------------------- */

/* Requests to the own domain and to others, each as many times as the share of them asks for. */
static void set_local(struct profile_record *record, double local, struct arena *arena)
{
    double *fields = record->fields, before = fields[FIELD_R_LOCAL];
    double remote = before < 1 ? (1 - local) / (1 - before) : 1;
    size_t n = record->n_domains;
    fields[FIELD_R_LOCAL] = local;
    fields[FIELD_HOME_REMOTE_REQUESTS] *= remote;
    fields[FIELD_HOME_REMOTE_READS] *= remote;
    if (!record->traffic)
        return;
    double *traffic = arena_alloc(arena, n * n * sizeof *traffic);
    for (size_t i = 0; i < n * n; i++) {
        bool own = i / n == i % n;
        traffic[i] = record->traffic[i] * (own ? before > 0 ? local / before : 1 : remote);
    }
    record->traffic = traffic;
}

/* The machine as its organisation has it. */
static int organised(const struct machine *machine, struct system *out, struct error *error)
{
    struct machine *clone = machine_clone(machine);
    const struct plugin *plugin;
    struct error ignored;
    const char *name;
    int status = 0;
    if (machine_name(clone, "llc.organisation", &name, &ignored) == 0)
        status = plugin_require("organisation", name, &plugin, error);
    else
        plugin = NULL;
    const struct organisation *organisation = (const struct organisation *)plugin;
    if (!status && organisation && organisation->choice)
        status = error_set(error, STATUS_INFEASIBLE, "its LLC stands on either side");
    else if (!status && organisation && organisation->rewrite)
        status = organisation->rewrite(clone, error);
    if (!status)
        status = system_compile(out, clone, 0, error);
    machine_destroy(clone);
    return status;
}

static int check_plain(const struct machine *machine, struct system *system, struct error *error)
{
    int status = organised(machine, system, error);
    if (status)
        return status;
    const struct system_level *llc = system_llc(system);
    if (system_between(system) || llc->split || system->asks_home ||
        system->replication != REPLICATION_NONE || llc->filter != FILTER_ALL)
        return error_set(error, STATUS_INFEASIBLE,
                         "its LLC is not one cache that all requests of the SMs look up");
    return 0;
}

int counted_view_open(struct counted_view *counted, const struct profile_view *view,
                      const struct machine *machine, const struct simulate_gpu_result *result,
                      struct error *error)
{
    struct system system;
    bool grouped = false;
    *counted = (struct counted_view){.arena = arena_create(), .view = *view};
    int status = check_plain(machine, &system, error);
    if (status)
        return status;
    enum level_side side = system_llc(&system)->side;
    struct profile_record *records = arena_alloc(counted->arena, view->n_records * sizeof *records);
    for (size_t r = 0; r < view->n_records; r++)
        grouped = grouped || view->records[r].launches > 1;
    for (size_t r = 0; r < view->n_records; r++) {
        struct simulate_seen seen = seen_of(view, r, grouped, result);
        records[r] = view->records[r];
        if (seen.requests == 0 || seen.lookups == 0)
            continue;
        set_local(&records[r], (double)seen.local / (double)seen.requests, counted->arena);
        set_hit_rate(&records[r], machine, side, (double)seen.hits / (double)seen.lookups,
                     counted->arena);
        records[r].fields[side == SIDE_HOME ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE] =
            seen.slice_uniformity;
    }
    counted->view.records = records;
    return 0;
}

void counted_view_close(struct counted_view *counted)
{
    arena_destroy(counted->arena);
}

/* --- means ------------------------------------------------------------------------------ */

struct counted_figures counted_of_view(const struct profile_view *view,
                                       const struct machine *machine)
{
    struct counted_figures sum = {0};
    struct system system;
    struct error ignored;
    double requests = 0;
    if (organised(machine, &system, &ignored))
        return (struct counted_figures){(double)NAN, (double)NAN, (double)NAN};
    enum level_side side = system_llc(&system)->side;
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        double own = record->fields[FIELD_REQUESTS];
        if (!(own > 0))
            continue;
        requests += own;
        sum.r_local += own * record->fields[FIELD_R_LOCAL];
        sum.llc_hit += own * profile_llc_hit(record, machine, side);
        sum.lsu +=
            own * record->fields[side == SIDE_HOME ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE];
    }
    return (struct counted_figures){sum.r_local / requests, sum.llc_hit / requests,
                                    sum.lsu / requests};
}

struct counted_figures counted_of_result(const struct simulate_gpu_result *result)
{
    struct simulate_seen sum = {0};
    for (size_t i = 0; i < result->n_launches; i++)
        add_seen(&result->launches[i].seen, &sum);
    double requests = (double)sum.requests, lookups = (double)sum.lookups;
    return (struct counted_figures){(double)sum.local / requests, (double)sum.hits / lookups,
                                    lookups > 0 ? sum.slice_uniformity : (double)NAN};
}

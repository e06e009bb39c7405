/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is counted of a run, and what is said of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/progress.h"
#include "simulate/gpu_internal.h"
#include "simulate/translate.h"

const char *const simulate_origin_names[ORIGIN_COUNT] = {
#define ORIGIN_NAME(symbol, name, help) name,
    SIMULATE_ORIGINS(ORIGIN_NAME)
#undef ORIGIN_NAME
};

void gpu_count_begin(struct gpu *gpu)
{
    double now = gpu->engine.now;
    gpu->counting = true;
    translate_settle(gpu);
    gpu->count_from_s = gpu->unit_from_s = now;
    gpu->link_bytes_from = gpu->link_bytes;
    batch_means_restart(&gpu->means);
    for (uint32_t i = 0; i < gpu->plant.n_servers; i++)
        gpu->busy_from[i] = server_busy(&gpu->plant.servers[i], now);
    for (uint32_t i = 0; i < gpu->inlets.n; i++)
        gpu->places_from[i] = inlet_busy(&gpu->inlets.items[i], now);
    gpu_see_begin(gpu);
}

/* --- of a launch ------------------------------------------------------------------------------ */

static struct simulate_seen seen_so_far(struct gpu *gpu)
{
    l1_settle(&gpu->l1);
    return (struct simulate_seen){.requests = gpu->started,
                                  .local = gpu->local,
                                  .crossing = gpu->crossing,
                                  .reads = gpu->l1_reads,
                                  .read_hits = gpu->l1_hits,
                                  .remote_reads = gpu->l1_remote_reads,
                                  .elsewhere = gpu->l1.misses_elsewhere,
                                  .copies = gpu->l1.copies_sum,
                                  .cached = gpu->l1.cached_sum,
                                  .lookups = gpu->llc.lookups,
                                  .hits = gpu->llc.hits};
}

void gpu_see_begin(struct gpu *gpu)
{
    gpu->seen_from = seen_so_far(gpu);
    for (uint32_t i = 0; i < gpu->plant.n_servers; i++)
        gpu->slices_from[i] = server_busy(&gpu->plant.servers[i], gpu->engine.now);
}

/* Of all slices of the LLC. */
static double slice_uniformity(const struct gpu *gpu)
{
    const struct system *r = &gpu->system;
    double sum = 0, most = 0;
    uint32_t servers = 0;
    for (size_t i = 0; i < r->stations.count; i++) {
        const struct plant_station *station = &gpu->plant.stations[i];
        uint32_t end = i + 1 < r->stations.count ? station[1].first : gpu->plant.n_servers;
        if (r->stations.items[i].kind != STATION_LLC)
            continue;
        for (uint32_t s = station->first; s < end; s++, servers++) {
            double busy =
                server_busy(&gpu->plant.servers[s], gpu->engine.now) - gpu->slices_from[s];
            sum += busy;
            most = fmax(most, busy);
        }
    }
    return most > 0 ? sum / servers / most : (double)NAN;
}

void gpu_see_end(struct gpu *gpu, const struct stream_kernel *kernel, struct simulate_launch *out)
{
    struct simulate_seen *seen = &out->seen;
    *seen = seen_so_far(gpu);
    seen->requests -= gpu->seen_from.requests;
    seen->local -= gpu->seen_from.local;
    seen->crossing -= gpu->seen_from.crossing;
    seen->reads -= gpu->seen_from.reads;
    seen->read_hits -= gpu->seen_from.read_hits;
    seen->remote_reads -= gpu->seen_from.remote_reads;
    seen->elsewhere -= gpu->seen_from.elsewhere;
    seen->copies -= gpu->seen_from.copies;
    seen->cached -= gpu->seen_from.cached;
    seen->lookups -= gpu->seen_from.lookups;
    seen->hits -= gpu->seen_from.hits;
    seen->slice_uniformity = slice_uniformity(gpu);
    memcpy(out->grid, kernel->grid, sizeof out->grid);
    memcpy(out->block, kernel->block, sizeof out->block);
}

/* --- of the run ------------------------------------------------------------------------------- */

void gpu_count(struct gpu *gpu, const struct flight *flight)
{
    const struct simulate_gpu_options *options = gpu->options;
    double *open = gpu->means.open, now = gpu->engine.now;
    if (flight->kind == FLIGHT_OTHER)
        return;
    gpu->done += flight->requests;
    if (gpu->counting) {
        size_t sum = SUM_ORIGINS + 2 * (size_t)flight->origin;
        open[sum] += now - flight->issued_s;
        open[sum + 1] += 1;
        open[SUM_BYTES] += flight->requests * gpu->system.request_bytes;
        gpu->counted += flight->requests;
        gpu->origins[flight->origin]++;
    } else if (gpu->done >= options->warm_up) {
        gpu_count_begin(gpu);
    }
    gpu->full = gpu->counting && gpu->counted >= options->requests;
    if (++gpu->in_unit < gpu->unit)
        return;
    progress_add(gpu->done - gpu->told);
    gpu->told = gpu->done;
    gpu->in_unit = 0;
    if (!gpu->counting)
        return;
    open[SUM_TIME] += now - gpu->unit_from_s;
    gpu->unit_from_s = now;
    batch_means_unit(&gpu->means);
}

static void result_stations(struct gpu *gpu, struct simulate_gpu_result *result)
{
    const struct system *r = &gpu->system;
    double now = gpu->engine.now, time = now - gpu->count_from_s;
    translate_settle(gpu);
    enum { MOST = STATION_KIND_COUNT + SYSTEM_LEVELS_MAX + MACHINE_TLBS_MAX + MACHINE_BESIDE_MAX };
    result->stations = arena_alloc(result->arena, MOST * sizeof *result->stations);
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++) {
        double sum = 0, most = 0;
        uint32_t servers = 0;
        for (size_t i = 0; i < r->stations.count; i++) {
            const struct plant_station *station = &gpu->plant.stations[i];
            uint32_t end = i + 1 < r->stations.count ? station[1].first : gpu->plant.n_servers;
            if (r->stations.items[i].kind != (enum station_kind)kind)
                continue;
            for (uint32_t s = station->first; s < end; s++, servers++) {
                double busy = server_busy(&gpu->plant.servers[s], now) - gpu->busy_from[s];
                sum += busy;
                most = fmax(most, busy);
            }
        }
        if (servers)
            result->stations[result->n_stations++] = (struct simulate_station){
                arena_strdup(result->arena, system_station_name(r, (enum station_kind)kind)),
                sum / (servers * time), most / time};
    }
}

/* Mean share of the places of a level that were taken, as a station of its name. */
static void add_places(const struct gpu *gpu, struct simulate_gpu_result *result, const char *name,
                       uint32_t first, uint32_t n)
{
    double now = gpu->engine.now, time = now - gpu->count_from_s, sum = 0, most = 0;
    if (first == INLET_NONE)
        return;
    for (uint32_t i = first; i < first + n; i++) {
        double busy = inlet_busy(&gpu->inlets.items[i], now) - gpu->places_from[i];
        sum += busy;
        most = fmax(most, busy);
    }
    result->stations[result->n_stations++] = (struct simulate_station){
        arena_printf(result->arena, "%s mshrs", name), sum / (n * time), most / time};
}

static void result_places(const struct gpu *gpu, struct simulate_gpu_result *result)
{
    const struct system *s = &gpu->system;
    const struct inlets *inlets = &gpu->inlets;
    for (uint32_t i = 0; i < system_between(s); i++)
        add_places(gpu, result, system_level(s, i)->name, inlets->front[i],
                   system_level(s, i)->caches);
    add_places(gpu, result, system_llc(s)->name, inlets->llc, s->domains * system_llc(s)->slices);
    result->n_tlbs = s->translation.n;
    result->walks = gpu->walks;
    result->tlbs = arena_alloc(result->arena, result->n_tlbs * sizeof *result->tlbs);
    for (uint32_t i = 0; i < s->translation.n; i++) {
        const struct system_tlb *tlb = &s->translation.tlbs[i];
        add_places(gpu, result, tlb->name, inlets->tlb[i], tlb->caches);
        result->tlbs[i] = (struct simulate_tlb){arena_strdup(result->arena, tlb->name),
                                                gpu->tlb_lookups[i], gpu->tlb_hits[i]};
    }
}

static void result_beside(const struct gpu *gpu, struct simulate_gpu_result *result)
{
    const struct system_beside *beside = &gpu->system.beside;
    result->n_beside = beside->n;
    result->beside = arena_alloc(result->arena, beside->n * sizeof *result->beside);
    for (uint32_t i = 0; i < beside->n; i++) {
        const struct system_beside_level *level = &beside->levels[i];
        add_places(gpu, result, level->name, gpu->inlets.beside[i], level->caches);
        result->beside[i] = (struct simulate_beside){arena_strdup(result->arena, level->name),
                                                     gpu->beside_lookups[i], gpu->beside_hits[i]};
    }
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static void result_launches(const struct gpu *gpu, struct simulate_gpu_result *result, bool whole)
{
    size_t n = gpu->launches.count;
    result->launches = arena_alloc(result->arena, n * sizeof *result->launches);
    result->n_launches = n;
    result->kernel_time_s = 0;
    for (size_t i = 0; i < n; i++) {
        result->launches[i] = gpu->launches.items[i];
        result->launches[i].name = arena_strdup(result->arena, gpu->launches.items[i].name);
        result->kernel_time_s += gpu->launches.items[i].time_s;
    }
    result->kernel_time_s = whole ? result->kernel_time_s : (double)NAN;
}

struct simulate_gpu_result *gpu_result(struct gpu *gpu, bool whole)
{
    double confidence = gpu->options->confidence;
    struct arena *arena = arena_create();
    struct simulate_gpu_result *result = arena_alloc(arena, sizeof *result);
    result->arena = arena;
    result->whole = whole;
    result->requests = gpu->counted;
    result->events = gpu->engine.serial;
    result->bytes = (double)gpu->counted * gpu->system.request_bytes;
    result->time_s = gpu->engine.now - gpu->count_from_s;
    result->draws = (struct simulate_draws){1, result->time_s, result->time_s};
    result->link_bytes = gpu->link_bytes - gpu->link_bytes_from;
    result->reconfigure_s = gpu->reconfigure_s;
    result->bandwidth_bytes_per_s =
        batch_means_ratio(&gpu->means, SUM_BYTES, SUM_TIME, 1, confidence);
    /* All that was counted, the rest of the last batch and the ends of launches too. */
    result->bandwidth_bytes_per_s.mean = quotient(result->bytes, result->time_s);
    for (int i = 0; i < ORIGIN_COUNT; i++)
        result->flights += gpu->origins[i];
    double all = (double)result->flights;
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        size_t sum = SUM_ORIGINS + 2 * (size_t)i;
        result->latency_s[i] = batch_means_ratio(&gpu->means, sum, sum + 1, 1, confidence);
        result->share[i] = quotient((double)gpu->origins[i], all);
    }
    result->l1_hit_rate = quotient((double)gpu->l1_hits, (double)gpu->l1_reads);
    result->front_hit_rate = quotient((double)gpu->front_hits, (double)gpu->front_lookups);
    result->llc_hit_rate = quotient((double)gpu->llc.hits, (double)gpu->llc.lookups);
    result->r_local = quotient((double)gpu->local, (double)gpu->started);
    result_stations(gpu, result);
    result_places(gpu, result);
    result_beside(gpu, result);
    result_launches(gpu, result, whole);
    return result;
}

void simulate_gpu_result_destroy(struct simulate_gpu_result *result)
{
    if (result)
        arena_destroy(result->arena);
}

int gpu_check_counted(const struct gpu *gpu, struct error *error)
{
    if (gpu->counted || gpu->options->warm_up == 0)
        return 0;
    error_set(error, STATUS_INPUT,
              "a warm-up of %llu requests leaves none to count: there are %llu",
              (unsigned long long)gpu->options->warm_up, (unsigned long long)gpu->done);
    error_hint(error, "a smaller one, or none");
    return STATUS_INPUT;
}

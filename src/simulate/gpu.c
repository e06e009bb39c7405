/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events: warps issue, requests go from station to station, lines arrive. */
#include "simulate/gpu.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/prefetch.h"
#include "core/progress.h"
#include "profile/request.h"
#include "simulate/gpu_internal.h"
#include "simulate/near.h"
#include "simulate/setup.h"
#include "simulate/translate.h"
#include "trace/coalesce.h"

/* --- flights begin ------------------------------------------------------------------ */

static void flight_start(struct gpu *gpu, uint32_t id)
{
    engine_at(&gpu->engine, gpu->engine.now, EVENT_STEP, id);
}

/* Caches of physical addresses have a place for it when its page is translated (STEP_PLACE). */
static void flight_enter(struct gpu *gpu, uint32_t id)
{
    bool later = gpu->tlbs.n && !gpu->system.translation.behind_l1;
    if (later || gate_enter(gpu, id))
        flight_start(gpu, id);
}

static void core_try(struct gpu *gpu, uint32_t sm);

struct flight *gpu_other(struct gpu *gpu, uint64_t line, uint32_t *id)
{
    *id = flights_take(&gpu->flights);
    struct flight *flight = flight_at(&gpu->flights, *id);
    flight->kind = FLIGHT_OTHER;
    flight->line = line;
    flight->issued_s = gpu->engine.now;
    return flight;
}

void gpu_send(struct gpu *gpu, uint32_t id)
{
    flight_start(gpu, id);
}

/* --- warps ------------------------------------------------------------------------------ */

/* True where the launch is to turn to another side, and nothing is issued until it has. Copies
 * begin without that. */
static inline bool launch_stops(struct gpu *gpu)
{
    if (gpu->engine.now < gpu->turn_at_s)
        return false;
    if (!gpu->choice_is_replication)
        return true;
    gpu->replicates = true;
    gpu->turn_at_s = HUGE_VAL;
    return false;
}

/* The SM's next access, if a warp may issue one and it is idle. */
static void core_try(struct gpu *gpu, uint32_t sm)
{
    struct core *core = &gpu->cores.cores[sm];
    if (core->chosen != CORE_NONE || core->blocked || launch_stops(gpu))
        return;
    core->chosen = cores_choose(&gpu->cores, sm);
    if (core->chosen == CORE_NONE)
        return;
    const struct resident_warp *warp = core->slots[core->chosen].warp;
    uint32_t instructions = warp->buffer.items[warp->next].instructions;
    uint64_t slots = (instructions ? instructions : 1) + (uint64_t)core->carried;
    core->carried = 0;
    engine_at_chance(&gpu->engine, simulate_issue(gpu, sm, slots), EVENT_TURN, sm);
}

static void warp_end(struct gpu *gpu, uint32_t sm, uint32_t slot)
{
    struct resident_warp *warp = gpu->cores.cores[sm].slots[slot].warp;
    simulate_issue(gpu, sm, gpu->cores.cores[sm].slots[slot].behind);
    cores_end(&gpu->cores, sm, slot);
    if (!residents_end_warp(&gpu->residents, sm, warp))
        return;
    int status = residents_refill(&gpu->residents, sm, gpu->error);
    gpu->status = gpu->status ? gpu->status : status;
}

static void warp_works(struct gpu *gpu, uint32_t sm, uint32_t slot)
{
    double time_s = cores_work(&gpu->cores, sm, slot);
    if (time_s > 0)
        engine_at(&gpu->engine, gpu->engine.now + time_s, EVENT_WORKED,
                  sm * gpu->system.warps + slot);
}

static void warp_worked(struct gpu *gpu, uint32_t id)
{
    uint32_t sm = id / gpu->system.warps;
    gpu->cores.cores[sm].slots[id % gpu->system.warps].worked = true;
    core_try(gpu, sm);
}

static void warp_goes_on(struct gpu *gpu, uint32_t sm, uint32_t slot)
{
    if (core_warp_ends(&gpu->cores.cores[sm].slots[slot]))
        warp_end(gpu, sm, slot);
    else
        warp_works(gpu, sm, slot);
    core_try(gpu, sm);
}

/* One of the requests of a warp's access has come. */
static void warp_gets(struct gpu *gpu, uint32_t sm, uint32_t slot, uint32_t access)
{
    core_warp_get(&gpu->cores.cores[sm].slots[slot], access);
    warp_goes_on(gpu, sm, slot);
}

static void warp_written(struct gpu *gpu, uint32_t id)
{
    uint32_t sm = id / gpu->system.warps, slot = id % gpu->system.warps;
    gpu->cores.cores[sm].slots[slot].writes--;
    warp_goes_on(gpu, sm, slot);
}

static void warp_ready(struct gpu *gpu, uint32_t id)
{
    uint32_t at = id / CORE_ACCESSES;
    warp_gets(gpu, at / gpu->system.warps, at % gpu->system.warps, id % CORE_ACCESSES);
}

/* --- accesses ------------------------------------------------------------------------------ */

/* What L1 does not have of a line goes on its way. */
static void send_line(struct gpu *gpu, struct flight *flight, const struct warp_access *access,
                      struct gpu_request *r)
{
    r->partial =
        gpu->system.fetches_partial && r->kind == ACCESS_WRITE &&
        !coalesce_covers(access, gpu->system.line_bytes, r->line, r->sectors, gpu->system.sectors);
    r->replicable = gpu->replicates && r->kind == ACCESS_READ && r->home != r->domain &&
                    !written_has(&gpu->written, r->line);
    gpu->started += flight->requests;
    gpu->local += r->home == r->domain ? flight->requests : 0;
    gpu_way(gpu, flight, r);
}

/* One line of an access; *hit_s: L1 has it, and finds it then. */
static int take_line(struct gpu *gpu, uint32_t sm, uint32_t slot, const struct warp_access *access,
                     const struct coalesced_line *line, double *hit_s)
{
    uint32_t home = 0, id, domain = system_domain(&gpu->system, sm);
    uint64_t moves = 0;
    int status = pages_touch(&gpu->pages, sm, line->line, &home, gpu->error);
    if (status)
        return status;
    uint32_t first = home;
    home = pages_serve(&gpu->pages, sm, line->line, access->kind != ACCESS_READ, home, &moves);
    if (moves)
        gpu_move_pages(gpu, first, domain, line->line, moves);
    uint32_t wanted = system_sectors(&gpu->system, line->sectors);
    struct near near = near_look_up(gpu, access, sm, line->line, wanted, home != domain);
    uint32_t missing = near.missing;
    if (gpu->notes_stored && access->kind != ACCESS_READ)
        written_add(&gpu->stored, line->line);
    bool translates = gpu->tlbs.n && translate_line(gpu, sm, home, line->line, missing, moves > 0);
    if (near.beside < 0 && !missing && !gpu_has_nodes(gpu) &&
        !pending_find(&gpu->pending, near.unit, line->line) && !translates) {
        *hit_s = gpu->looked_up_s;
        return 0;
    }
    id = flights_take(&gpu->flights);
    struct flight *flight = flight_at(&gpu->flights, id);
    flight->issued_s = gpu->engine.now;
    flight->line = line->line;
    flight->sm = sm;
    flight->slot = slot;
    flight->node = near.unit;
    flight->requests = sectors_count(near.asked);
    flight->past_l1 = near.past;
    flight->beside_l1 = near.beside >= 0;
    flight->kind = !missing                        ? FLIGHT_HIT
                   : access->kind == ACCESS_READ   ? FLIGHT_READ
                   : access->kind == ACCESS_ATOMIC ? FLIGHT_ATOMIC
                                                   : FLIGHT_WRITE;
    /* A bit of a coalesced line is a sector, in long lines more. */
    double asked = (double)__builtin_popcount(line->sectors) * gpu->system.line_bytes /
                   (gpu->system.sector_bits * gpu->system.sectors);
    struct gpu_request request = {.line = line->line,
                                  .sm = sm,
                                  .domain = domain,
                                  .home = home,
                                  .sectors = missing,
                                  .kind = access->kind,
                                  .asked_bytes = asked,
                                  .beside = near.beside,
                                  .pieces = near.pieces};
    if (missing)
        send_line(gpu, flight, access, &request);
    else
        gpu_way_hit(gpu, flight, asked, near.beside);
    if (flight->kind == FLIGHT_WRITE)
        gpu->cores.cores[sm].slots[slot].writes += gpu->system.awaits_writes;
    else
        flight->access = (uint8_t)core_warp_ask(&gpu->cores.cores[sm].slots[slot]);
    flight_enter(gpu, id);
    return 0;
}

static int take_access(struct gpu *gpu, uint32_t sm, uint32_t slot,
                       const struct warp_access *access)
{
    struct coalesced_line lines[COALESCE_MAX];
    double hit_s = -1;
    int n = access->mask ? coalesce(access, gpu->system.line_bytes, lines) : 0;
    gpu->pages_seen.n = 0;
    for (int i = 0; i < n; i++) {
        int status = take_line(gpu, sm, slot, access, &lines[i], &hit_s);
        if (status)
            return status;
    }
    if (hit_s < 0)
        return 0;
    uint32_t number = core_warp_ask(&gpu->cores.cores[sm].slots[slot]);
    /* Of TLBs before L1 the first one knows its page. */
    if (!gpu->system.translation.behind_l1)
        hit_s += gpu->system.translation.tlbs[0].latency_s;
    engine_at(&gpu->engine, hit_s + gpu->system.l1_latency_s, EVENT_READY,
              (sm * gpu->system.warps + slot) * CORE_ACCESSES + number);
    return 0;
}

/* The warp that was chosen issues. */
static void core_turn(struct gpu *gpu, uint32_t sm)
{
    struct core *core = &gpu->cores.cores[sm];
    uint32_t slot = core->chosen;
    struct core_warp *warp = &core->slots[slot];
    if (system_llc(&gpu->system)->moves_share && gpu->engine.now >= gpu->balance_next_s)
        simulate_balance(gpu);
    int status = take_access(gpu, sm, slot, &warp->warp->buffer.items[warp->warp->next++]);
    uint32_t carried = core->carried;
    if (!status)
        status = residents_advance(&gpu->residents, sm, warp->warp, gpu->error);
    core->chosen = CORE_NONE;
    if (status < 0) {
        gpu->status = status;
        return;
    }
    if (status == 0) { /* what it issues behind its last access waits for that */
        warp->behind = core->carried - carried;
        core->carried = carried;
    }
    core_warp_go_on(&gpu->cores, warp, status ? &warp->warp->buffer.items[warp->warp->next] : NULL);
    warp_goes_on(gpu, sm, slot);
}

/* --- flights ------------------------------------------------------------------------------- */

static void flight_done(struct gpu *gpu, uint32_t id)
{
    struct flight flight = *flight_at(&gpu->flights, id);
    struct gate *gate = gate_of(gpu, &flight);
    gpu_count(gpu, &flight);
    flights_give(&gpu->flights, id);
    uint32_t sm = gate ? gate_leave(gpu, gate) : CORE_NONE;
    if (sm != CORE_NONE)
        core_try(gpu, sm);
    if (flight.kind <= FLIGHT_HIT)
        warp_gets(gpu, flight.sm, flight.slot, flight.access);
    else if (flight.kind == FLIGHT_WRITE && gpu->system.awaits_writes)
        engine_at(&gpu->engine, gpu->engine.now + gpu->system.l1_latency_s, EVENT_WRITTEN,
                  flight.sm * gpu->system.warps + flight.slot);
}

/* True when it has to wait: then it goes on as the line, or its page, arrives. */
static bool flight_waits(struct gpu *gpu, uint32_t id, uint32_t unit, uint64_t what)
{
    struct flight *flight = flight_at(&gpu->flights, id);
    struct pending_line *line = pending_find(&gpu->pending, unit, what);
    if (!line)
        return false;
    flight->next = line->waiting;
    line->waiting = id;
    return true;
}

static void line_arrives(struct gpu *gpu, uint64_t line, uint32_t unit)
{
    for (uint32_t id = pending_remove(&gpu->pending, unit, line); id != PENDING_NONE;) {
        uint32_t next = flight_at(&gpu->flights, id)->next;
        flight_start(gpu, id);
        id = next;
    }
}

/* Steps that take no time but that of waiting: false when the flight waits. */
static bool flight_acts(struct gpu *gpu, uint32_t id, const struct step *step)
{
    struct flight *flight = flight_at(&gpu->flights, id);
    double now = gpu->engine.now;
    switch (step->server) {
    case STEP_WAIT:
        return !flight_waits(gpu, id, step->unit, flight->line);
    case STEP_WAIT_PAGE:
        return !flight_waits(gpu, id, step->unit, flight->page);
    case STEP_ARRIVED:
        line_arrives(gpu, flight->line, step->unit);
        if (step->unit < gpu->l1.nodes)
            near_arrived(gpu, flight->sm, flight->line);
        return true;
    case STEP_ARRIVED_PAGE:
        line_arrives(gpu, flight->page, step->unit);
        return true;
    case STEP_PLACE:
        return gate_enter(gpu, id);
    case STEP_ENTER:
    case STEP_PASS:
        return inlet_enter(&gpu->inlets, &gpu->flights, step->unit, id, step->server == STEP_ENTER,
                           now);
    case STEP_PACKET:
        packets_put(gpu, id, step);
        return false;
    case STEP_KEEP:
        channels_write(&gpu->channels, step->unit, step->service_s, now);
        return true;
    case STEP_LEAVE:
        inlet_leave(&gpu->inlets, step->unit, now);
        for (uint32_t next;
             (next = inlet_next(&gpu->inlets, &gpu->flights, step->unit, now)) != FLIGHT_NONE;)
            flight_start(gpu, next);
        return true;
    default:
        return true;
    }
}

static void flight_goes_on(struct gpu *gpu, uint32_t id)
{
    struct flight *flight = flight_at(&gpu->flights, id);
    double now = gpu->engine.now;
    for (;;) {
        const struct step *step = &flight->steps[flight->at++];
        double then = now + step->latency_s;
        if (step->server == STEP_DONE) {
            flight_done(gpu, id);
            return;
        }
        if (step->server > STEP_DELAY) {
            if (!flight_acts(gpu, id, step))
                return;
            continue;
        }
        if (step->server != STEP_DELAY)
            then = server_take(&gpu->plant.servers[step->server], now, step->service_s) +
                   step->latency_s;
        if (then > now) {
            engine_at(&gpu->engine, then, EVENT_STEP, id);
            return;
        }
    }
}

/* Until nothing is left to do, or enough requests are done. */
static int run_events(struct gpu *gpu)
{
    enum { LOOK = 1 << 14 };
    struct event event;
    for (double before = gpu->engine.now;
         !gpu->status && !gpu->full && engine_next(&gpu->engine, &event);
         before = gpu->engine.now) {
        if (event.serial % LOOK == 0 && interrupt_requested())
            return error_set(gpu->error, STATUS_INTERRUPTED, "interrupted while simulating");
        gpu_fetch_ahead(gpu);
        switch ((enum event_kind)event.kind) {
        case EVENT_TURN:
            core_turn(gpu, event.id);
            break;
        case EVENT_STEP:
            flight_goes_on(gpu, event.id);
            break;
        case EVENT_READY:
            warp_ready(gpu, event.id);
            break;
        case EVENT_WORKED:
            warp_worked(gpu, event.id);
            break;
        case EVENT_WRITTEN:
            warp_written(gpu, event.id);
            break;
        case EVENT_PACKET:
            if (!packets_due(gpu, event.id)) /* it has left, and nothing happens now */
                gpu->engine.now = before;
            break;
        }
    }
    return gpu->status;
}

/* --- launches ------------------------------------------------------------------------------- */

static void emit_dirty(void *context, const struct llc_dirty *dirty)
{
    gpu_write_back(context, dirty);
}

static void emit_front(void *context, const struct front_request *dirty)
{
    gpu_write_home(context, dirty);
}

/* Nothing issues any more: what is under way ends, and what memory channels keep back is written.
 */
static int settle(struct gpu *gpu)
{
    int status = run_events(gpu);
    gpu->engine.now = channels_drain(&gpu->channels, gpu->engine.now);
    return status;
}

/* The LLC turns from one side to the other, and nothing is under way: what it holds goes home. */
static int turn(struct gpu *gpu, enum level_side side, double since_s)
{
    llc_flush(&gpu->llc, LLC_BOTH, FLUSH_ALL, NULL, emit_dirty, gpu);
    int status = settle(gpu);
    gpu->side = side;
    gpu->turned = true;
    gpu->turn_at_s = HUGE_VAL;
    gpu->reconfigure_s += gpu->engine.now - since_s;
    return status;
}

/* What the end of a launch writes home and forgets. Replicas are of lines that are not written in
 * the launch: all go. */
static int end_launch(struct gpu *gpu)
{
    const struct system_level *llc = system_llc(&gpu->system);
    enum level_flush flush = system_flush(&gpu->system, llc, gpu->side);
    enum level_flush remote = system_flush(&gpu->system, llc, SIDE_REQUESTER);
    front_end_launch(&gpu->fronts, emit_front, gpu);
    llc_flush(&gpu->llc, LLC_HOMED, flush, &gpu->stored, emit_dirty, gpu);
    if (gpu->llc.remote_ways)
        llc_flush(&gpu->llc, LLC_REMOTE, remote, &gpu->stored, emit_dirty, gpu);
    if (gpu->replicates)
        llc_flush(&gpu->llc, LLC_REMOTE, FLUSH_ALL, NULL, emit_dirty, gpu);
    written_clear(&gpu->stored);
    int status = settle(gpu);
    return !status && gpu->turned ? turn(gpu, SIDE_HOME, gpu->engine.now) : status;
}

static int issue_all(struct gpu *gpu)
{
    for (uint32_t place = 0; place < gpu->system.sms; place++)
        core_try(gpu, gpu->residents.sm_at[place]);
    return run_events(gpu);
}

/* A run begins with empty caches and ends with clean ones, at the expense of its last launch. */
static int end_run(struct gpu *gpu)
{
    double began = gpu->engine.now;
    if (gpu->full || gpu->launches.count == 0)
        return 0;
    llc_flush(&gpu->llc, LLC_BOTH, FLUSH_DIRTY, NULL, emit_dirty, gpu);
    int status = settle(gpu);
    struct simulate_launch *last = &gpu->launches.items[gpu->launches.count - 1];
    last->flush_s += gpu->engine.now - began;
    last->time_s += gpu->engine.now - began;
    return status;
}

static int run_warps(struct gpu *gpu, struct stream *stream, const struct stream_kernel *kernel)
{
    int status = residents_begin_kernel(&gpu->residents, stream, kernel, gpu->error);
    if (!status)
        status = residents_fill(&gpu->residents, gpu->error);
    gpu->filled = true;
    if (!status)
        status = issue_all(gpu);
    if (!status && !gpu->full && gpu->engine.now >= gpu->turn_at_s)
        status = turn(gpu, SIDE_REQUESTER, gpu->turn_at_s);
    if (!status && gpu->turned)
        status = issue_all(gpu);
    residents_end_kernel(&gpu->residents);
    gpu->filled = false;
    /* Instructions behind last accesses, and of warps without any. */
    double end = gpu->engine.now;
    for (uint32_t i = 0; i < gpu->system.sms && !gpu->full; i++)
        end = fmax(end, simulate_issue_end(gpu, i));
    gpu->engine.now = end;
    return status;
}

static int run_launch(struct gpu *gpu, struct stream *stream, const struct stream_kernel *kernel)
{
    const struct simulate_gpu_options *options = gpu->options;
    bool other = gpu->chooses && options->choose &&
                 options->choose(options->context, gpu->launches.count, kernel);
    struct simulate_launch launch = {.name = kernel->name, .assumes = kernel->waits_assumed};
    uint64_t started = gpu->started;
    double began = gpu->engine.now;
    int status = 0;
    gpu_see_begin(gpu);
    gpu->engine.now += gpu->system.launch_s;
    gpu->turn_at_s = other ? gpu->engine.now + options->turn_after_s : HUGE_VAL;
    gpu->turned = false;
    if (gpu->choice_is_replication)
        gpu->replicates = false;
    l1_begin_launch(&gpu->l1);
    beside_begin_launch(&gpu->beside);
    if (gpu->replicates || (other && gpu->choice_is_replication))
        status = written_gather(&gpu->written, stream, kernel, gpu->system.line_bytes, gpu->error);
    if (!status)
        status = run_warps(gpu, stream, kernel);
    double flush = gpu->engine.now;
    gpu_see_end(gpu, kernel, &launch);
    if (!status)
        status = end_launch(gpu);
    launch.other = gpu->turned || (gpu->choice_is_replication && gpu->replicates);
    launch.requests = gpu->started - started;
    launch.flush_s = gpu->engine.now - flush;
    launch.time_s = gpu->engine.now - began;
    launch.whole = !gpu->full;
    VECTOR_PUSH(&gpu->launches, launch);
    return status;
}

static int run_stream(struct gpu *gpu, const struct source *source)
{
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(source, &stream, gpu->error);
    while (!status && !gpu->full && (status = stream_next_kernel(stream, &kernel, gpu->error)) > 0)
        status = run_launch(gpu, stream, &kernel);
    stream_destroy(stream);
    return status ? status : end_run(gpu);
}

/* --- a run ------------------------------------------------------------------------------------ */

static int carry(void *context, uint32_t sm, uint64_t cta, const struct warp_access *access,
                 struct error *error)
{
    struct gpu *gpu = context;
    (void)cta;
    (void)error;
    gpu->cores.cores[sm].carried += access->instructions;
    return 0;
}

static void begin(void *context, uint32_t sm, struct resident_warp *warp)
{
    struct gpu *gpu = context;
    uint32_t slot = cores_begin(&gpu->cores, sm, warp);
    double turnover_s = gpu->filled ? gpu->system.turnover_s : 0;
    double begins_s = simulate_dispatch(gpu, sm, gpu->engine.now + turnover_s);
    if (!(begins_s > gpu->engine.now)) {
        warp_works(gpu, sm, slot);
        return;
    }
    /* In the place of a block that ended, or behind other warps: it waits as for an access that it
     * made before. */
    struct core_warp *began = &gpu->cores.cores[sm].slots[slot];
    uint32_t access = core_warp_ask(began);
    core_warp_go_on(&gpu->cores, began, &warp->buffer.items[warp->next]);
    engine_at(&gpu->engine, begins_s, EVENT_READY,
              (sm * gpu->system.warps + slot) * CORE_ACCESSES + access);
}

int simulate_gpu(const struct machine *machine, const struct source *source,
                 const struct simulate_gpu_options *options, struct simulate_gpu_result **out,
                 struct error *error)
{
    struct gpu *gpu = memory_zero(1, sizeof *gpu);
    *out = NULL;
    gpu->options = options;
    gpu->error = error;
    int status =
        simulate_setup(gpu, machine, source, &(struct residents_user){gpu, carry, begin}, error);
    if (!status && options->warm_up == 0)
        gpu_count_begin(gpu);
    if (options->progress)
        progress_begin("simulate", "requests", options->requests + options->warm_up);
    if (!status)
        status = run_stream(gpu, source);
    if (options->progress)
        progress_end();
    if (!status)
        status = gpu_check_counted(gpu, error);
    if (!status)
        *out = gpu_result(gpu, !gpu->full);
    simulate_teardown(gpu);
    return status;
}

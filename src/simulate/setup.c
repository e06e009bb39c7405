/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a machine to its state before the first launch. */
#include "simulate/setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "machine/organisation.h"

enum { BATCHES = 64, UNIT = 64, BALANCE_CYCLES = 5000 };

/* --- the organisation ----------------------------------------------------------------- */

/* "" and false where the machine does not say. */
static bool read_name(const struct machine *machine, const char *path, const char **out)
{
    struct error ignored;
    *out = "";
    return machine_name(machine, path, out, &ignored) == 0;
}

/* Rewrites the levels of a clone as its organisation says. One that chooses begins with its
 * usual alternative, and changes what it changes in both (SAC's one crossbar). */
static int organise(struct gpu *gpu, struct machine *machine, struct error *error)
{
    const struct plugin *plugin;
    const char *name;
    if (!read_name(machine, "llc.organisation", &name))
        return 0;
    int status = plugin_require("organisation", name, &plugin, error);
    if (status)
        return status;
    const struct organisation *organisation = (const struct organisation *)plugin;
    if (organisation->choice) {
        gpu->chooses = true;
        status = plugin_require("organisation", organisation->choice->usual, &plugin, error);
        const struct organisation *usual = (const struct organisation *)plugin;
        if (!status && usual->rewrite)
            status = usual->rewrite(machine, error);
    }
    if (!status && organisation->rewrite)
        status = organisation->rewrite(machine, error);
    return status;
}

static void begin_organisation(struct gpu *gpu)
{
    gpu->side = system_llc(&gpu->system)->side;
    gpu->replicates = gpu->system.replication == REPLICATION_FULL;
    /* The model that decides says when (explore/answer/referee.h). */
    if (gpu->system.replication == REPLICATION_DECIDED)
        gpu->chooses = gpu->choice_is_replication = true;
}

/* --- sizes -------------------------------------------------------------------------------- */

static int setup_llc(struct gpu *gpu, const struct machine *machine, struct error *error)
{
    const struct system *system = &gpu->system;
    double capacity = 0, share = 0.5;
    uint32_t ways = 0, remote = 0;
    int status = machine_number(machine, "llc.capacity", &capacity, error);
    if (!status)
        status = machine_count(machine, "llc.ways", &ways, error);
    if (!status && system_llc(system)->split && !system_llc(system)->moves_share)
        status = machine_number(machine, "llc.remote_share", &share, error);
    if (status)
        return status;
    double sets = floor(capacity / system->partitions / system->line_bytes / ways);
    if (!(sets >= 1 && sets * ways * system->domains < 0x1p31))
        return error_set(error, STATUS_INPUT,
                         "llc.capacity: a cache of %g bytes with %u ways cannot be simulated",
                         capacity / system->partitions, ways);
    if (system_llc(system)->split) {
        remote = (uint32_t)lround(share * ways);
        if (ways < 2)
            return error_set(error, STATUS_INPUT, "llc.ways: one way cannot be split");
    }
    llc_init(&gpu->llc, system, (uint32_t)sets, ways, remote);
    return 0;
}

static void setup_gates(struct gpu *gpu)
{
    const struct system *r = &gpu->system;
    uint32_t per_node = r->sms / r->l1_nodes;
    gpu->mshrs = memory_zero(gpu->system.l1_nodes, sizeof *gpu->mshrs);
    gpu->buffers = memory_zero(gpu->system.sms, sizeof *gpu->buffers);
    for (uint32_t n = 0; n < gpu->system.l1_nodes; n++)
        gpu->mshrs[n] = (struct gate){(uint64_t)r->mshrs * per_node, FLIGHT_NONE, FLIGHT_NONE};
    gpu->passing = memory_zero(gpu->system.sms, sizeof *gpu->passing);
    for (uint32_t sm = 0; sm < gpu->system.sms; sm++) {
        gpu->buffers[sm] = (struct gate){(uint64_t)r->write_buffer, FLIGHT_NONE, FLIGHT_NONE};
        gpu->passing[sm] = (struct gate){(uint64_t)r->bypass_buffer, FLIGHT_NONE, FLIGHT_NONE};
    }
}

static void setup_state(struct gpu *gpu, const struct residents_user *user)
{
    const struct system *system = &gpu->system;
    const struct simulate_gpu_options *options = gpu->options;
    l1_init(&gpu->l1, system);
    beside_init(&gpu->beside, system);
    front_init(&gpu->fronts, system);
    written_init(&gpu->written);
    written_init(&gpu->stored);
    gpu->notes_stored =
        system_flush(&gpu->system, system_llc(&gpu->system), SIDE_REQUESTER) == FLUSH_STALE;
    pending_init(&gpu->pending);
    packets_init(&gpu->packets, system);
    engine_init(&gpu->engine);
    gpu->engine.chance = hash_fmix64(options->draw);
    cores_init(&gpu->cores, system, (uint32_t)system->outstanding);
    const struct station *issue = system_station(system, STATION_ISSUE, 0);
    gpu->cores.cycle_s = 1 / system->clock_hz;
    gpu->cores.step_s = fmax(0, system->dependent_s - issue->units / issue->rate);
    residents_init(&gpu->residents, system, user);
    tlbs_init(&gpu->tlbs, system);
    inlets_init(&gpu->inlets, system);
    flights_init(&gpu->flights, gpu_longest_way(gpu));
    channels_init(&gpu->channels, &gpu->plant);
    setup_gates(gpu);
    gpu->forced_l1.rate = options->l1_hit_rate;
    gpu->forced_llc.rate = options->llc_hit_rate;
    gpu->balance_busy = memory_zero(2 * (size_t)system->domains, sizeof *gpu->balance_busy);
    gpu->balance_every_s = BALANCE_CYCLES / system->clock_hz;
    gpu->balance_next_s = gpu->balance_every_s;
    gpu->busy_from = memory_zero(gpu->plant.n_servers, sizeof *gpu->busy_from);
    gpu->places_from = memory_zero(gpu->inlets.n, sizeof *gpu->places_from);
    gpu->slices_from = memory_zero(gpu->plant.n_servers, sizeof *gpu->slices_from);
    gpu->unit = UNIT;
    batch_means_init(&gpu->means, SUMS, BATCHES);
}

int simulate_setup(struct gpu *gpu, const struct machine *machine, const struct source *source,
                   const struct residents_user *user, struct error *error)
{
    struct machine *clone = machine_clone(machine);
    int status = organise(gpu, clone, error);
    if (!status)
        status = system_compile(&gpu->system, clone, SYSTEM_STREAM | SYSTEM_STATIONS, error);
    if (!status) {
        plant_init(&gpu->plant, &gpu->system);
        begin_organisation(gpu);
        setup_state(gpu, user);
    }
    if (!status)
        status = setup_llc(gpu, clone, error);
    if (!status)
        status = pages_init(&gpu->pages, &gpu->system, source, error);
    /* The schedule keeps a name of the machine. */
    gpu->machine = clone;
    return status;
}

void simulate_teardown(struct gpu *gpu)
{
    if (gpu->pages.system)
        pages_fini(&gpu->pages);
    if (gpu->l1.nodes) {
        l1_fini(&gpu->l1);
        beside_fini(&gpu->beside);
        front_fini(&gpu->fronts);
        written_fini(&gpu->written);
        written_fini(&gpu->stored);
        pending_fini(&gpu->pending);
        packets_fini(&gpu->packets);
        engine_fini(&gpu->engine);
        cores_fini(&gpu->cores);
        residents_fini(&gpu->residents);
        flights_fini(&gpu->flights);
        tlbs_fini(&gpu->tlbs);
        inlets_fini(&gpu->inlets);
        batch_means_fini(&gpu->means);
        channels_fini(&gpu->channels);
    }
    llc_fini(&gpu->llc);
    plant_fini(&gpu->plant);
    system_fini(&gpu->system);
    free(gpu->mshrs);
    free(gpu->buffers);
    free(gpu->passing);
    free(gpu->balance_busy);
    free(gpu->busy_from);
    free(gpu->places_from);
    free(gpu->slices_from);
    VECTOR_FREE(&gpu->launches);
    machine_destroy(gpu->machine);
    free(gpu);
}

/* --- while it runs -------------------------------------------------------------------------- */

bool simulate_forced_hit(struct forced *forced)
{
    double before = floor(forced->seen + 1e-9);
    forced->seen += forced->rate;
    return floor(forced->seen + 1e-9) > before;
}

double simulate_issue(struct gpu *gpu, uint32_t sm, uint64_t instructions)
{
    uint32_t domain = system_domain(&gpu->system, sm);
    const struct plant_station *issue =
        &gpu->plant.stations[plant_find(&gpu->plant, STATION_ISSUE, domain)];
    struct server *server = &gpu->plant.servers[issue->first + sm % gpu->system.sms_per_domain];
    return server_take(server, instructions ? gpu->engine.now : 0,
                       (double)instructions * issue->amount_s);
}

double simulate_dispatch(struct gpu *gpu, uint32_t sm, double at_s)
{
    uint32_t domain = system_domain(&gpu->system, sm);
    uint32_t number = plant_find(&gpu->plant, STATION_DISPATCH, domain);
    if (number == PLANT_NONE)
        return at_s;
    const struct plant_station *dispatch = &gpu->plant.stations[number];
    uint32_t sms = gpu->system.sms_per_domain;
    uint32_t unit = (uint32_t)((uint64_t)(sm % sms) * dispatch->units / sms);
    return server_take(&gpu->plant.servers[dispatch->first + unit], at_s, dispatch->amount_s);
}

double simulate_look_up(struct gpu *gpu, uint32_t sm)
{
    uint32_t number = plant_find(&gpu->plant, STATION_L1, system_domain(&gpu->system, sm));
    if (number == PLANT_NONE)
        return gpu->engine.now;
    const struct plant_station *l1 = &gpu->plant.stations[number];
    struct server *server = &gpu->plant.servers[l1->first + sm % gpu->system.sms_per_domain];
    return server_take(server, gpu->engine.now, l1->amount_s) - l1->amount_s;
}

double simulate_issue_end(struct gpu *gpu, uint32_t sm)
{
    uint32_t carried = gpu->cores.cores[sm].carried;
    gpu->cores.cores[sm].carried = 0;
    return simulate_issue(gpu, sm, carried);
}

/* Busy shares of the edges into a domain's chip, and of its memory. */
static void busy_of(const struct gpu *gpu, uint32_t domain, double *links, double *memory)
{
    const struct plant *plant = &gpu->plant;
    const struct link_graph *graph = &plant->system->links;
    uint32_t chip = system_chip(plant->system, domain), edges = 0;
    uint32_t station = plant_find(plant, STATION_MEMORY, domain);
    *links = 0;
    for (uint32_t e = 0; e < graph->edges.count; e++)
        if (graph->edges.items[e].to == chip) {
            *links += plant_busy(plant, plant->of_edge[e], gpu->engine.now);
            edges++;
        }
    *links /= edges ? edges : 1;
    *memory = plant_busy(plant, station, gpu->engine.now) / plant->stations[station].units;
}

void simulate_balance(struct gpu *gpu)
{
    gpu->balance_next_s = gpu->engine.now + gpu->balance_every_s;
    for (uint32_t d = 0; d < gpu->system.domains; d++) {
        double links, memory, *before = &gpu->balance_busy[2 * d];
        busy_of(gpu, d, &links, &memory);
        double remote = links - before[0], local = memory - before[1];
        uint32_t *ways = &gpu->llc.remote_ways[d];
        before[0] = links;
        before[1] = memory;
        if (remote > local && *ways + 1 < gpu->llc.ways)
            *ways += 1;
        else if (*ways > 1 && remote < local)
            *ways -= 1;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random machines under random traffic: no model promises more than the machine's stations carry,
 * counted here request by request from the compiled system, and more of a resource never hurts.
 *
 * Not asked, and why:
 *   eab          published: lets local and remote streams saturate each on its own, without hops
 *   mdr          its bandwidth is published, a mean of rates as if one stream went on while the
 * other waits; fixed_mix_bandwidth is the bound, by hand in test_mdr.c sac, dynamic more of a
 * resource may turn what they decide; dualopt's engine likewise, so its designs are asked one by
 * one */
#include "mcm_check.h"
#include "sampled_check.h"

#include "machine/system.h"
#include "profile_check.h"

enum { CHIPS_MAX = 4, REQUESTS = 100000 };

struct load {
    bool memory_side;
    double reads, hit;
    double traffic[CHIPS_MAX * CHIPS_MAX], all;
};

static const char *pick(uint64_t *seed, const char *const *from, size_t n)
{
    return from[check_random(seed) % n];
}
#define PICK(seed, ...)                                                                            \
    pick(seed, (const char *const[]){__VA_ARGS__},                                                 \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void random_bandwidth(struct machine *m, const char *path, uint64_t *seed)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g GB/s", 10 * pow(300, check_uniform(seed)));
    check_set(m, path, text);
}

static void random_bytes(struct machine *m, const char *path, uint64_t *seed)
{
    char text[32];
    snprintf(text, sizeof text, "%d B", (int)(check_uniform(seed) * 40));
    check_set(m, path, text);
}

static void random_messages(struct machine *m, const char *network, uint64_t *seed)
{
    static const char *const sizes[] = {"read_request", "read_response", "write_request",
                                        "write_response"};
    char path[64];
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s.%s", network, sizes[k]);
        random_bytes(m, path, seed);
    }
    snprintf(path, sizeof path, "%s.flit", network);
    if (check_random(seed) % 2)
        check_set(m, path, PICK(seed, "8 B", "16 B", "48 B", "100 B"));
    snprintf(path, sizeof path, "%s.switching", network);
    check_set(m, path, PICK(seed, "fifo", "voq", "ideal"));
    snprintf(path, sizeof path, "%s.overhead", network);
    check_set(m, path, PICK(seed, "1", "1.25"));
}

static struct machine *random_machine(const struct load *load, uint32_t chips, uint64_t *seed)
{
    struct machine *m = check_shipped("dualopt", SETTINGS("dualopt.design", "baseline"));
    char text[16];
    snprintf(text, sizeof text, "%u", chips);
    check_set(m, "chips", text);
    check_set(m, "inter.topology",
              PICK(seed, "ring", "switch", "fully-connected", "mesh", "torus"));
    check_set(m, "llc.organisation", load->memory_side ? "memory-side" : "sm-side");
    check_set(m, "noc.directions", PICK(seed, "shared", "separate"));
    random_messages(m, "noc", seed);
    random_messages(m, "inter", seed);
    random_bandwidth(m, "noc.bandwidth", seed);
    random_bandwidth(m, "llc.bandwidth", seed);
    random_bandwidth(m, "memory.bandwidth", seed);
    random_bandwidth(m, "inter.link_bandwidth", seed);
    return m;
}

static struct load random_load(uint32_t chips, uint64_t *seed)
{
    struct load load = {.memory_side = check_random(seed) % 3 > 0,
                        .reads = check_uniform(seed),
                        .hit = check_random(seed) % 8 ? check_uniform(seed) : 1};
    for (uint32_t i = 0; i < chips * chips; i++) {
        bool some = check_random(seed) % 4 || i == 0;
        load.traffic[i] = some ? floor(1000 * check_uniform(seed)) + 1 : 0;
        load.all += load.traffic[i];
    }
    return load;
}

/* Mean over maximum of n parts. */
static double uniformity(const double *parts, uint32_t n)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += parts[i];
        most = fmax(most, parts[i]);
    }
    return sum / n / most;
}

static struct profile_record record_of(struct load *load, uint32_t chips)
{
    struct profile_record r = mcm_record(0, load->hit);
    double asked[CHIPS_MAX] = {0}, homed[CHIPS_MAX] = {0}, local = 0;
    for (uint32_t i = 0; i < chips * chips; i++) {
        asked[i / chips] += load->traffic[i];
        homed[i % chips] += load->traffic[i];
        local += i / chips == i % chips ? load->traffic[i] : 0;
    }
    local /= load->all;
    r.traffic = load->traffic;
    r.n_domains = chips;
    r.fields[FIELD_LSU_MEMORY_SIDE] = uniformity(homed, chips);
    r.fields[FIELD_LSU_SM_SIDE] = uniformity(asked, chips);
    r.fields[FIELD_R_LOCAL] = local;
    r.fields[FIELD_REQUESTS] = r.fields[FIELD_HOME_REQUESTS] = REQUESTS;
    r.fields[FIELD_READS] = r.fields[FIELD_HOME_READS] = REQUESTS * load->reads;
    r.fields[FIELD_WRITES] = REQUESTS * (1 - load->reads);
    r.fields[FIELD_HOME_REMOTE_REQUESTS] = REQUESTS * (1 - local);
    r.fields[FIELD_HOME_REMOTE_READS] = REQUESTS * (1 - local) * load->reads;
    r.fields[FIELD_BYTES] = REQUESTS * 64.0;
    r.fields[FIELD_L1_READS] = REQUESTS * load->reads;
    r.fields[FIELD_L1_READ_HITS] = r.fields[FIELD_L1_REMOTE_READ_HITS] = 0;
    r.fields[FIELD_L1_REMOTE_READS] = r.fields[FIELD_HOME_REMOTE_READS];
    r.fields[FIELD_LINE_USE] = 1;
    r.fields[FIELD_CTAS] = 1e6;
    r.fields[FIELD_WARP_INSTRUCTIONS] = 1;
    static const char *const sent[] = {"remote.sent_lines",       "remote.sent_4",
                                       "remote.sent_pieces_4",    "remote.edge_requests",
                                       "remote.edge_outstanding", "remote.edge_buffered"};
    for (size_t k = 0; k < sizeof sent / sizeof *sent; k++)
        r.fields[check_sampled(sent[k])] = k < 4 ? r.fields[FIELD_HOME_REMOTE_READS] : 0;
    return r;
}

/* --- stations by hand ------------------------------------------------------------------------ */

static void busy(const struct system *s, double *work, enum station_kind kind, uint32_t place,
                 double amount)
{
    const struct station *station = system_station(s, kind, place);
    if (station)
        work[station - s->stations.items] += amount / station->rate;
}

struct wire {
    double there, back;
};

static struct wire wire_of(const struct message_sizes *m, double reads)
{
    return (struct wire){
        reads * message_bytes(m, m->read_request_bytes) +
            (1 - reads) * message_bytes(m, m->write_request_bytes + 64),
        reads * message_bytes(m, m->read_response_bytes + 64) +
            (1 - reads) * message_bytes(m, m->write_response_bytes),
    };
}

static void cross(const struct system *s, double *work, uint32_t chip, struct wire wire, double n)
{
    bool separate = system_station(s, STATION_NOC_REPLY, 0);
    busy(s, work, STATION_NOC, chip, n * wire.there);
    busy(s, work, separate ? STATION_NOC_REPLY : STATION_NOC, chip, n * wire.back);
}

/* Bytes of requests a second at which the busiest station never rests. */
static double capacity(const struct system *s, const struct load *load)
{
    double *work = calloc(s->stations.count, sizeof *work), most = 0;
    struct wire noc = wire_of(&s->noc, load->reads), inter = wire_of(&s->inter, load->reads);
    for (uint32_t i = 0; i < s->chips; i++)
        for (uint32_t j = 0; j < s->chips; j++) {
            double n = load->traffic[i * s->chips + j] / load->all, far = i == j ? 0 : n;
            double miss = n * (1 - load->hit);
            if (!load->memory_side)
                far *= 1 - load->hit;
            cross(s, work, i, noc, n);
            if (load->memory_side && i != j)
                cross(s, work, j, noc, n);
            for (uint32_t e = 0; e < s->links.edges.count; e++) {
                busy(s, work, STATION_EDGE, e, far * system_route(s, i, j)[e] * inter.there);
                busy(s, work, STATION_EDGE, e, far * system_route(s, j, i)[e] * inter.back);
            }
            busy(s, work, STATION_LLC, load->memory_side ? j : i, n * 64);
            busy(s, work, STATION_MEMORY, j, miss * 64);
        }
    for (size_t k = 0; k < s->stations.count; k++)
        most = fmax(most, work[k]);
    free(work);
    return 64 / most;
}

/* --- promises ----------------------------------------------------------------------------------
 */

static const char *const designs[] = {"baseline", "bypass", "fine-grained", "coalescing"};

static double ask(const char *model, const struct machine *m, const struct profile_record *r)
{
    return check_metric(model, m, r, "effective_bandwidth");
}

TEST(no_more_than_stations_carry)
{
    uint64_t seed = 41;
    for (int round = 0; round < check_rounds(80, 1000); round++) {
        uint32_t chips = 2 + (uint32_t)(check_random(&seed) % (CHIPS_MAX - 1));
        struct load load = random_load(chips, &seed);
        OWNED(machine) *m = random_machine(&load, chips, &seed);
        struct profile_record r = record_of(&load, chips);
        struct system s;
        check_ok(system_compile(&s, m, SYSTEM_STATIONS, &failure));
        double bound = capacity(&s, &load) * (1 + 1e-9);
        system_fini(&s);
        /* The bound itself, and what counts less or more. */
        check_relative(ask("bottleneck", m, &r), bound, 1e-8);
        double network = ask("network", m, &r);
        if (!(network <= bound))
            fail_msg("round %d: network %g above %g", round, network, bound);
        if (!load.memory_side)
            continue;
        double link = ask("link", m, &r), dualopt = ask("dualopt", m, &r);
        if (!(link >= bound / (1 + 2e-9))) /* no crossbars, modules alike */
            fail_msg("round %d: link %g below %g", round, link, bound);
        if (!(dualopt <= bound))
            fail_msg("round %d: dualopt %g above %g", round, dualopt, bound);
    }
}

/* Of bandwidths and caches. */
TEST(more_never_hurts)
{
    static const char *const paths[] = {"noc.bandwidth", "llc.bandwidth", "memory.bandwidth",
                                        "inter.link_bandwidth"};
    uint64_t seed = 43;
    for (int round = 0; round < check_rounds(24, 300); round++) {
        uint32_t chips = 2 + (uint32_t)(check_random(&seed) % (CHIPS_MAX - 1));
        struct load load = random_load(chips, &seed);
        OWNED(machine) *m = random_machine(&load, chips, &seed);
        struct profile_record r = record_of(&load, chips);
        const char *models[7] = {"bottleneck", "network", "link"};
        double before[7];
        int n = load.memory_side ? 7 : 2;
        const char *path = paths[round % 4];
        for (int step = 0; step < 2; step++) {
            for (int k = 0; k < n; k++) {
                if (k > 2)
                    check_set(m, "dualopt.design", designs[k - 3]);
                double value = ask(k > 2 ? "dualopt" : models[k], m, &r);
                /* The network's iteration ends within 1e-6 or so. */
                if (step == 1 && !(value >= before[k] * (1 - (k == 1 ? 1e-5 : 1e-12))))
                    fail_msg("round %d: %s: %s went from %g to %g", round, path,
                             k > 2 ? designs[k - 3] : models[k], before[k], value);
                before[k] = value;
            }
            double now;
            char text[40];
            check_ok(machine_number(m, path, &now, &failure));
            snprintf(text, sizeof text, "%.17g B/s", now * (1 + check_uniform(&seed)));
            check_set(m, path, text);
        }
    }
}

/* Curves of a real stream: a larger LLC at the home or the requester. */
TEST(larger_caches_never_hurt)
{
    static const char *const specs[] = {"stencil:input=small", "mvt:input=small",
                                        "gemm:input=small"};
    static const char *const models[] = {"bottleneck", "network", "link"};
    for (size_t w = 0; w < sizeof specs / sizeof *specs; w++)
        for (int side = 0; side < 2; side++) {
            OWNED(machine) *m = check_shipped(
                "sac", SETTINGS("llc.organisation", side ? "sm-side" : "memory-side"));
            OWNED(source) *source = check_source(specs[w]);
            OWNED(profile) *profile = check_profile(source, m, false);
            double before[3] = {0};
            for (int kib = 64; kib <= 16 << 10; kib *= 2) {
                char text[32];
                snprintf(text, sizeof text, "%d KiB", kib);
                check_set(m, "llc.capacity", text);
                for (int k = 0; k < 3 - side; k++) {
                    OWNED(answer) *a = check_answer(models[k], m, &profile->views[0]);
                    /* What a larger one has dirty at the end of the run goes home by itself. */
                    bool network = strcmp(models[k], "network") == 0;
                    double value =
                        answer_metric(a, network ? "steady_bandwidth" : "effective_bandwidth");
                    /* Curves are within 1/400 of their requests. */
                    if (!(value >= before[k] * (1 - 1e-3)))
                        fail_msg("%s, %s, %s: from %g to %g", specs[w], models[k], text, before[k],
                                 value);
                    before[k] = value;
                }
            }
        }
}

SET_UP
{
    check_own_cache();
}

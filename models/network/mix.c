/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network reads of the profile: who asks for whose lines, how many requests may be in
 * flight, what passes the levels before the LLC, how evenly slices are used. */
#include <math.h>

#include "network/demands.h"
#include "resources/moments.h"

#define MOST_FOLLOW 0.999
#define MOST_LAST 0.999
#define SHORT_CHAIN 1e-3 /* of a launch, behind its first wait: shorter ones stand for none */
#define MOSTLY_WRITES 1e-3

double demands_field(const struct demands *d, enum profile_field field)
{
    return d->record->fields[field];
}

/* a / b, or the fallback where that is unknown or b is 0. */
double demands_ratio(double a, double b, double fallback)
{
    double value = a / b;
    return isfinite(value) ? value : fallback;
}

/* Reads that do not look up an L1 that there is, nor a cache beside it, of all requests; 0 where
 * nobody says. */
static double share_past_l1(struct demands *d)
{
    double reads = demands_field(d, FIELD_READS), looked_up = demands_field(d, FIELD_L1_READS);
    double missed = looked_up - demands_field(d, FIELD_L1_READ_HITS);
    double beside = demands_share_beside(d);
    bool may = looked_up > 0 || system_l1(d->system)->bypassed_remote;
    double share = demands_ratio(reads - missed, demands_field(d, FIELD_REQUESTS), 0);
    return may && d->system->sectors == 1 ? fmin(1, fmax(0, share - beside)) : 0;
}

/* How often chains wait for remote lines, beside the longest one (ends.c). Where nobody says whose
 * that is it is the domain's that has most of these; where that has none it says nothing of others.
 */
static void set_asks(struct demands *d)
{
    uint32_t n = d->system->domains;
    double most = 0, chain = demands_ratio(demands_field(d, FIELD_CHAIN_REMOTE_REQUESTS),
                                           demands_field(d, FIELD_CHAIN_REQUESTS), NAN);
    for (uint32_t i = 0; i < n; i++)
        if (d->class[i] >= 0)
            most = fmax(most, 1 - d->share[i * n + i]);
    most = isnan(chain) ? most : chain;
    for (uint32_t i = 0; i < n; i++) {
        double remote = 1 - d->share[i * n + i], unknown = remote > 0 ? NAN : 1;
        if (d->class[i] >= 0)
            d->net->class[d->class[i]].asks = most > 0 ? fmin(1, remote / most) : unknown;
    }
}

void demands_read_traffic(struct demands *d)
{
    uint32_t n = d->system->domains;
    bool known = d->record->traffic && d->record->n_domains == n;
    double local = n > 1 || !known ? demands_field(d, FIELD_R_LOCAL) : 1, all = 0;
    model_field(d->b, FIELD_R_LOCAL); /* counts as read; says so where it is unknown */
    d->share = arena_alloc(model_arena(d->b), (size_t)n * n * sizeof *d->share);
    d->class = arena_alloc(model_arena(d->b), n * sizeof *d->class);
    d->net->class = arena_alloc(model_arena(d->b), n * sizeof *d->net->class);
    for (size_t i = 0; known && i < (size_t)n * n; i++)
        all += d->record->traffic[i];
    known = known && all > 0;
    for (uint32_t i = 0; i < n; i++) {
        double row = 0;
        for (uint32_t j = 0; j < n; j++) {
            double even = i == j ? (n > 1 ? local : 1) : (1 - local) / (n - 1.0);
            d->share[i * n + j] = known ? d->record->traffic[i * n + j] : even;
            row += d->share[i * n + j];
        }
        for (uint32_t j = 0; j < n && row > 0; j++)
            d->share[i * n + j] /= row;
        d->class[i] = row > 0 ? d->net->classes : -1;
        if (row > 0)
            d->net->class[d->net->classes++] = (struct network_class){
                .work = known ? row / all : 1.0 / n,
                .domains = 1,
                .writes = fmin(1, demands_ratio(demands_field(d, FIELD_WRITES),
                                                demands_field(d, FIELD_REQUESTS), 0)),
                .past = share_past_l1(d),
                .beside = demands_share_beside(d)};
    }
    set_asks(d);
}

double demands_remote_reads(const struct demands *d)
{
    double reads = demands_field(d, FIELD_READS);
    double missed = demands_field(d, FIELD_L1_READS) - demands_field(d, FIELD_L1_READ_HITS);
    double far = demands_field(d, FIELD_L1_REMOTE_READS);
    far = demands_ratio(far - demands_field(d, FIELD_L1_REMOTE_READ_HITS), missed, NAN);
    if (system_between(d->system) == 0 || isnan(far))
        far = demands_ratio(demands_field(d, FIELD_HOME_REMOTE_READS), reads, far);
    return reads * fmin(1, isnan(far) ? 1 - demands_field(d, FIELD_R_LOCAL) : far);
}

double demands_launches(const struct demands *d)
{
    return d->record->launches ? (double)d->record->launches : 1;
}

double demands_blocks(const struct demands *d)
{
    return demands_ratio(demands_field(d, FIELD_CTAS), demands_launches(d), 0);
}

double demands_working_sms(const struct demands *d)
{
    double working = 0;
    for (int c = 0; c < d->net->classes; c++)
        working += d->net->class[c].sms;
    return working;
}

/* Sectors of a line that are missed together go out as one. */
static double sectors_together(const struct demands *d)
{
    double lines = demands_field(d, FIELD_L1_READS) - demands_field(d, FIELD_L1_READ_HITS);
    double sectors = demands_ratio(demands_field(d, FIELD_READS), lines, 1);
    return fmin(d->system->sectors, fmax(1, sectors));
}

/* SMs of a domain that get a block: blocks go where the requests come from. */
void demands_set_working_sms(struct demands *d)
{
    for (int c = 0; c < d->net->classes; c++) {
        struct network_class *class = &d->net->class[c];
        double own = fmax(1, round(demands_blocks(d) * class->work));
        class->sms = demands_blocks(d) > 0 ? fmin(d->system->sms_per_domain, own)
                                           : d->system->sms_per_domain;
        class->sms_share = class->sms / d->system->sms_per_domain;
        class->even = demands_lookup_evenness(d, class->sms);
        class->sectors = sectors_together(d);
    }
}

static double plain(struct demands *d, const char *path)
{
    struct error error;
    double value = 1;
    if (machine_number(model_machine(d->b), path, &value, &error))
        model_fail(d->b, &error);
    return value;
}

double demands_block_threads(const struct demands *d)
{
    const uint32_t *block = d->record->block;
    return (double)block[0] * block[1] * block[2];
}

double demands_blocks_held(struct demands *d)
{
    double each = ceil(demands_block_threads(d) / NETWORK_WARP);
    double held = fmin(plain(d, "sm.ctas"), floor(plain(d, "sm.threads") / (each * NETWORK_WARP)));
    return fmax(1, fmin(held, floor(plain(d, "sm.warps") / each)));
}

double demands_turnovers(struct demands *d)
{
    if (!(demands_blocks(d) > 0) || !(demands_block_threads(d) > 0))
        return 0;
    return demands_launches(d) *
           fmax(0, demands_blocks(d) / (demands_working_sms(d) * demands_blocks_held(d)) - 1);
}

double demands_batch(struct demands *d)
{
    double waits = demands_field(d, FIELD_CHAIN_WAITS), requests = demands_field(d, FIELD_REQUESTS);
    if (!(waits > 0) || !(demands_blocks(d) > 0) || !(demands_block_threads(d) > 0))
        return 0;
    double held = fmax(1, fmin(demands_blocks_held(d), demands_blocks(d) / demands_working_sms(d)));
    double writes = demands_ratio(demands_field(d, FIELD_WRITES), requests, 0);
    double awaited = d->system->awaits_writes ? requests : requests * (1 - writes);
    double each = awaited / waits / demands_working_sms(d) / held;
    return fmax(0, each - 1) * (demands_turnovers(d) + demands_launches(d));
}

/* Warps that an SM holds: those of the blocks that it has room for, and gets. */
static int resident_warps(struct demands *d)
{
    double most = HUGE_VAL;
    int warps = model_parameter(d->b, "sm.warps");
    if (demands_block_threads(d) > 0) {
        double held = demands_blocks_held(d);
        if (demands_blocks(d) > 0)
            held = fmin(held, ceil(demands_blocks(d) / demands_working_sms(d)));
        most = fmax(1, held) * ceil(demands_block_threads(d) / NETWORK_WARP);
    }
    if (!isfinite(most))
        return warps;
    return term_min(d->g, "resident warps", warps,
                    model_constant(d->b, "warps of resident blocks", most, DIM_NONE));
}

/* What of a count is behind the first of each launch, whose time is the launch's fill. */
static double demands_behind_first(const struct demands *d, double count)
{
    return fmax(count - demands_launches(d), SHORT_CHAIN * demands_launches(d));
}

double demands_waits_behind(const struct demands *d)
{
    double waits = demands_field(d, FIELD_CHAIN_WAITS);
    if (isnan(waits) || !(demands_field(d, FIELD_REQUESTS) > 0))
        return 0;
    return demands_behind_first(d, waits);
}

/* Requests behind the first of each launch; a term, -1 where bytes are unknown. */
static int demands_requests_behind(struct demands *d)
{
    if (!model_knows(d->b, FIELD_BYTES))
        return -1;
    int first = model_constant(d->b, "launches", demands_launches(d), DIM_NONE);
    int all = term_quotient(d->g, "bytes/line", model_field(d->b, FIELD_BYTES), d->terms->line);
    return term_max(d->g, "requests behind the first", term_difference(d->g, NULL, all, first),
                    model_constant(d->b, NULL, SHORT_CHAIN * demands_launches(d), DIM_NONE));
}

/* Accesses that a wait of the chain is for. */
static double chain_awaited(const struct demands *d)
{
    double waits = demands_field(d, FIELD_CHAIN_WAITS);
    return fmax(1, demands_ratio(demands_field(d, FIELD_CHAIN_AWAITED), waits, 1));
}

/* How many times as many waits for `asked` there are as where the machine sets no limit. */
static int more_waits(struct demands *d, double asked)
{
    int all = model_constant(d->b, NULL, asked, DIM_NONE);
    return term_quotient(d->g, "waits in the place of one", all,
                         model_accesses_under_way(d->b, asked));
}

int demands_chain_hits(struct demands *d)
{
    double waits = demands_field(d, FIELD_CHAIN_WAITS), hits = demands_field(d, FIELD_CHAIN_HITS);
    double groups = demands_field(d, FIELD_LOAD_GROUPS), awaited = chain_awaited(d);
    double loads = fmax(awaited, demands_ratio(demands_field(d, FIELD_LOADS), groups, 1));
    int all = term_product(d->g, NULL, model_constant(d->b, NULL, waits + hits, DIM_NONE),
                           more_waits(d, loads));
    int most = term_quotient(d->g, NULL, all, more_waits(d, awaited));
    return term_difference(d->g, "waits for L1", most, model_constant(d->b, NULL, waits, DIM_NONE));
}

int demands_fewer_a_wait(struct demands *d)
{
    return term_quotient(d->g, "share of a wait", model_constant(d->b, NULL, 1, DIM_NONE),
                         more_waits(d, chain_awaited(d)));
}

int demands_own_left(struct demands *d, const char *name, double own, double served)
{
    int all = term_product(d->g, NULL, model_constant(d->b, NULL, own, DIM_NONE),
                           demands_fewer_a_wait(d));
    int left = term_difference(d->g, NULL, all, model_constant(d->b, NULL, served, DIM_NONE));
    return term_max(d->g, name, left, model_constant(d->b, NULL, 0, DIM_NONE));
}

/* Requests that an SM has at a time, where the profile does not say its chain of waits. Lines of
 * one access of a warp are asked for together: a warp has its accesses under way that it asks for
 * at a time, and with them as many requests as an access makes, at least one. That is a chain as
 * well,
 *
 *     c = requests / under way,  N = (requests - launches) / (c - launches)
 *
 * so that the first request of a launch counts once, as its fill. */
static int asked_for_by_warps(struct demands *d)
{
    double requests = demands_field(d, FIELD_REQUESTS);
    double writes = demands_ratio(demands_field(d, FIELD_WRITES), requests, 0);
    double each = fmax(1, demands_ratio(requests, demands_field(d, FIELD_WARP_ACCESSES), 1));
    each /= fmax(1 - writes, MOSTLY_WRITES);
    int under_way =
        term_product(d->g, "asked for", resident_warps(d), model_accesses_under_way(d->b, 0),
                     model_constant(d->b, "requests an access", each, DIM_NONE));
    int behind = d->terms->behind;
    if (behind < 0)
        return under_way;
    int working = model_constant(d->b, "working SMs", demands_working_sms(d), DIM_NONE);
    int all = term_quotient(d->g, NULL, model_field(d->b, FIELD_BYTES), d->terms->line);
    int waits = term_difference(
        d->g, NULL, term_quotient(d->g, NULL, all, term_product(d->g, NULL, under_way, working)),
        model_constant(d->b, "launches", demands_launches(d), DIM_NONE));
    waits = term_max(d->g, "waits behind the first", waits,
                     model_constant(d->b, NULL, SHORT_CHAIN * demands_launches(d), DIM_NONE));
    return term_quotient(d->g, "asked for, behind the first", behind,
                         term_product(d->g, NULL, waits, working));
}

/* The same: those that stand beside each other in the chain. A warp that may have fewer accesses
 * under way than it waits for at a time in the chain has as many waits more. */
static int asked_for(struct demands *d)
{
    double waits = demands_waits_behind(d);
    if (waits == 0) {
        model_warn(d->b, "assumes how many requests are under way, the loads that each resident "
                         "warp asks for at a time: the profile does not say who waits for whom "
                         "(chain)");
        if (d->system->turnover_s > 0 && demands_turnovers(d) > 0)
            model_warn(d->b, "optimistic: without that chain blocks take each other's place at "
                             "once (cta.turnover)");
        if (d->system->dependent_s > 0)
            model_warn(d->b, "optimistic: without that chain a warp's instructions do not wait for "
                             "each other (sm.dependent)");
        if (d->system->awaits_writes && demands_field(d, FIELD_WRITES) > 0)
            model_warn(d->b, "optimistic: without that chain nobody waits for writes (cta.writes)");
        return asked_for_by_warps(d);
    }
    double beside =
        demands_behind_first(d, demands_field(d, FIELD_REQUESTS)) / waits / demands_working_sms(d);
    return term_quotient(d->g, "asked for",
                         model_constant(d->b, "beside each other", beside, DIM_NONE),
                         more_waits(d, chain_awaited(d)));
}

/* Whether a level before the LLC answers writes. */
static bool writes_stay(const struct demands *d)
{
    for (uint32_t l = 0; l < system_between(d->system); l++)
        if (system_level(d->system, l)->write == WRITE_BACK)
            return true;
    return false;
}

void demands_read_population(struct demands *d)
{
    double reads = demands_field(d, FIELD_REQUESTS) - demands_field(d, FIELD_WRITES);
    double waits = demands_field(d, FIELD_CHAIN_WAITS);
    d->terms->behind = demands_requests_behind(d);
    d->net->chained = demands_waits_behind(d) > 0;
    double awaited = demands_field(d, FIELD_AWAITED);
    awaited = isnan(awaited) ? demands_field(d, FIELD_WAITS) : awaited;
    d->net->burst = fmax(1, demands_ratio(reads, awaited, 1));
    d->net->chain_remote = fmin(1, demands_ratio(demands_field(d, FIELD_CHAIN_REMOTE), waits, -1));
    double writes = demands_ratio(demands_field(d, FIELD_CHAIN_WRITES), 1, 0);
    d->net->ends_remote =
        fmin(1, demands_ratio(demands_field(d, FIELD_CHAIN_ENDS_REMOTE), demands_launches(d), -1));
    d->net->begins_with_writes = writes > 0 && writes >= waits;
    d->net->chain_writes = fmin(1, demands_ratio(writes, demands_behind_first(d, waits), 0));
    d->net->writes_stay = writes_stay(d);
    d->net->unequal = d->net->chained ? demands_unequal(d) : 1;
    d->net->chain_issues = demands_chain_issues(d);
    double remote =
        demands_ratio(demands_field(d, FIELD_GROUPS_REMOTE), demands_field(d, FIELD_GROUPS), 0);
    d->net->remote_groups = demands_ratio(remote, 1 - demands_field(d, FIELD_R_LOCAL), 0);
    d->net->asked = demands_argument(d, asked_for(d));
    int lines =
        term_product(d->g, "lines of a wait", model_accesses_under_way(d->b, chain_awaited(d)),
                     model_constant(d->b, NULL, d->net->burst, DIM_NONE));
    demands_read_crowd(d, lines);
    demands_read_pace(d);
    demands_set_farther(d, lines);
    demands_set_spread(d, lines, sectors_together(d));
    d->net->mshrs = demands_argument(d, model_parameter(d->b, "l1.mshrs"));
    d->net->buffers = demands_argument(d, model_parameter(d->b, "l1.write_buffer"));
    d->net->passing = demands_argument(d, model_parameter(d->b, "l1.bypass_buffer"));
}

static double sm_evenness(const struct demands *d, double uniformity, double sms)
{
    double n = d->system->domains, most = 0;
    for (int c = 0; c < d->net->classes; c++)
        most = fmax(most, d->net->class[c].work);
    return isnan(uniformity) ? 1 : fmin(1, uniformity * most * n * d->system->sms_per_domain / sms);
}

double demands_issue_evenness(const struct demands *d, double sms)
{
    return sm_evenness(d, demands_field(d, FIELD_ISSUE_UNIFORMITY), sms);
}

double demands_lookup_evenness(const struct demands *d, double sms)
{
    return sm_evenness(d, demands_field(d, FIELD_L1_UNIFORMITY), sms);
}

int demands_dependent(struct demands *d)
{
    int slot = term_quotient(d->g, NULL, model_constant(d->b, NULL, 1, DIM_NONE),
                             model_parameter(d->b, "sm.issue"));
    int behind = term_difference(d->g, NULL, model_parameter(d->b, "sm.dependent"), slot);
    return demands_argument(d, term_max(d->g, "instruction behind another", behind,
                                        model_constant(d->b, NULL, 0, DIM_SECONDS)));
}

double demands_between(const struct demands *d)
{
    return demands_ratio(demands_field(d, FIELD_CHAIN_STEPS), 1, 0) * (1 - demands_last_share(d));
}

double demands_last_share(const struct demands *d)
{
    double last = demands_field(d, FIELD_CHAIN_LAST);
    last = demands_ratio(last, demands_field(d, FIELD_CHAIN_INSTRUCTIONS), 0);
    return fmin(last, isnan(demands_field(d, FIELD_ISSUE_UNIFORMITY)) ? 0 : MOST_LAST);
}

/* A field of the chain's; a profile by hand may lack it. */
static double chain_cycles(const struct demands *d, enum profile_field field)
{
    double cycles = demands_field(d, field);
    return isnan(cycles) ? 0 : cycles;
}

/* So many cycles of the chain's own work. */
static int cycles_time(struct demands *d, const char *name, double cycles)
{
    return term_quotient(d->g, name, model_constant(d->b, "cycles", cycles, DIM_NONE),
                         model_parameter(d->b, "sm.clock"));
}

void demands_think(struct demands *d, const struct way *way)
{
    double cycles = chain_cycles(d, FIELD_CHAIN_THINK) - chain_cycles(d, FIELD_CHAIN_LAST_THINK);
    if (!(cycles > 0))
        return;
    int time = cycles_time(d, "thought before a wait", cycles / demands_waits_behind(d));
    demands_delay(d, way, demands_argument(d, time), 1);
}

/* What stands behind the last wait beside issue and hits: a term, or -1. */
static int last_thought(struct demands *d)
{
    double cycles = chain_cycles(d, FIELD_CHAIN_LAST_THINK);
    double requests = demands_field(d, FIELD_REQUESTS);
    if (!(cycles > 0) || !(requests > 0) || demands_waits_behind(d) == 0)
        return -1;
    return cycles_time(d, "thought behind the last wait", cycles / requests);
}

/* The last warp's own share of the chain: its instructions and its hits. */
static int last_issued(struct demands *d, double share, double requests, int slow, int *beside)
{
    double own = demands_field(d, FIELD_CHAIN_INSTRUCTIONS);
    double hits = demands_field(d, FIELD_CHAIN_HITS);
    int mine = model_constant(d->b, NULL, share * own / requests, DIM_NONE);
    int chain = term_product(d->g, "issue of the chain", mine, slow);
    int dependent = demands_dependent(d); /* may move the arguments */
    int steps = term_product(d->g, NULL, mine, d->terms->args.items[dependent]);
    int waits = term_product(d->g, "its hits",
                             model_constant(d->b, NULL, share * hits / requests, DIM_NONE),
                             demands_mean_latency(d, demands_hit_latency(d), true));
    *beside = term_sum(d->g, NULL, steps, waits);
    return term_sum(d->g, "behind the last wait, of its warp", chain, *beside);
}

void demands_set_last(struct demands *d)
{
    double sms = (double)d->system->sms_per_domain * d->system->domains,
           share = demands_last_share(d);
    double requests = demands_field(d, FIELD_REQUESTS);
    double all = demands_field(d, FIELD_WARP_INSTRUCTIONS) /
                 (sms * demands_field(d, FIELD_ISSUE_UNIFORMITY));
    int own = last_thought(d), issued = -1, beside = -1, thought = own;
    if (share > 0 && requests > 0 && isfinite(all)) {
        int slow = d->terms->args.items[d->terms->slow_arg[STATION_ISSUE]];
        issued = term_product(d->g, "issue of all warps",
                              model_constant(d->b, NULL, share * all / requests, DIM_NONE), slow);
        int last = last_issued(d, share, requests, slow, &beside);
        own = own < 0 ? last : term_sum(d->g, "behind the last wait, with thought", last, own);
    }
    if (beside >= 0 && thought >= 0)
        beside = term_sum(d->g, NULL, beside, thought);
    else if (beside < 0)
        beside = thought >= 0 ? thought : model_constant(d->b, NULL, 0, DIM_SECONDS);
    d->terms->last_beside =
        term_product(d->g, "beside issue behind the last wait", beside,
                     model_constant(d->b, "requests", requests > 0 ? requests : 0, DIM_NONE));
    if (own < 0)
        return;
    d->terms->last_own = own;
    d->terms->last = issued < 0 ? own : term_max(d->g, "behind the last wait", issued, own);
    d->terms->waits = demands_waits_behind(d);
}

int demands_hit_latency(struct demands *d)
{
    const struct station *nodes = system_station(d->system, STATION_NODES, 0);
    if (d->hit >= 0)
        return d->hit;
    d->hit = demands_behind_lookup(d, model_parameter(d->b, "l1.latency"));
    if (!nodes)
        return d->hit;
    double doublings = log2((double)d->system->sms_per_domain / nodes->units);
    d->hit = term_sum(d->g, NULL, d->hit, model_parameter(d->b, "dcl1.communication"));
    if (doublings > 0)
        d->hit = term_sum(d->g, "hit latency", d->hit,
                          term_product(d->g, NULL, model_constant(d->b, NULL, doublings, DIM_NONE),
                                       model_parameter(d->b, "dcl1.latency_growth")));
    return d->hit;
}

static bool has_fronts(struct demands *d)
{
    return system_between(d->system) > 0;
}

/* What passes the levels before the LLC, and which part of it reads. */
void demands_read_passes(struct demands *d)
{
    double requests = demands_field(d, FIELD_REQUESTS), local = demands_field(d, FIELD_R_LOCAL);
    double reads = demands_ratio(demands_field(d, FIELD_READS), requests, 1);
    double home = demands_field(d, FIELD_HOME_REQUESTS),
           remote = demands_field(d, FIELD_HOME_REMOTE_REQUESTS);
    double remote_reads = demands_field(d, FIELD_HOME_REMOTE_READS);
    d->passes[PATH_LOCAL] = d->passes[PATH_REMOTE] = 1;
    if (has_fronts(d)) {
        model_home_share(d->b); /* an error where it is unknown */
        model_home_remote_share(d->b);
        d->passes[PATH_LOCAL] = local > 0 ? demands_ratio((home - remote) / requests, local, 1) : 0;
        d->passes[PATH_REMOTE] = local < 1 ? demands_ratio(remote / requests, 1 - local, 1) : 0;
    }
    demands_read_front_followers(d);
    for (int path = 0; path < PATH_COUNT; path++) {
        d->net->passes[path] = d->passes[path];
        d->net->beside[path] = 1 + d->follow[path];
    }
    d->reads[PATH_ANY] = reads;
    d->reads[PATH_REMOTE] = demands_ratio(remote_reads, remote, reads);
    d->reads[PATH_LOCAL] =
        demands_ratio(demands_field(d, FIELD_HOME_READS) - remote_reads, home - remote, reads);
}

/* Mean over hottest slice (or node) within a domain. The profile counts over all slices of the
 * system: what domains differ by is in the traffic already. */
static double slice_evenness(const struct demands *d, double uniformity, bool at_home)
{
    uint32_t n = d->system->domains;
    double most = 0;
    for (uint32_t j = 0; j < n; j++) {
        double lookups = 0;
        for (uint32_t i = 0; i < n; i++)
            if (d->class[i] >= 0 && (at_home || i == j))
                lookups += d->net->class[d->class[i]].work * (at_home ? d->share[i * n + j] : 1);
        most = fmax(most, lookups);
    }
    return fmin(1, uniformity * most * n);
}

double demands_read_evenness(struct demands *d, bool at_home)
{
    int launch = model_field(d->b, at_home ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE);
    enum profile_field now = at_home ? FIELD_MOMENTARY_HOME_SLICES : FIELD_MOMENTARY_OWN_SLICES;
    double uniformity = term_get(d->g, launch)->constant;
    if (model_knows(d->b, now))
        uniformity = fmin(uniformity, term_get(d->g, model_field(d->b, now))->constant);
    return slice_evenness(d, uniformity, at_home);
}

int demands_hot_links(struct demands *d)
{
    bool home = model_split(d->b, "llc") || model_side(d->b, "llc") == SIDE_HOME;
    struct model_wire load = model_wire_load(d->b, "inter", d->reads[PATH_REMOTE], d->terms->line);
    struct mcm_wire wire = {load.there, load.back, -1};
    int launch, hot = moments_links(d->b, home ? SIDE_HOME : SIDE_REQUESTER, &wire, &launch);
    if (hot == launch)
        return -1;
    return term_quotient(d->g, "links for a while", hot, launch);
}

double demands_node_evenness(const struct demands *d)
{
    return slice_evenness(d, demands_field(d, FIELD_L1_UNIFORMITY), false);
}

double demands_atomics(const struct demands *d)
{
    double atomics = demands_field(d, FIELD_ATOMICS);
    return d->system->fetches_partial || isnan(atomics) ? 0 : atomics;
}

int demands_late_of(struct demands *d, int miss, double f)
{
    int late = term_product(d->g, NULL, miss,
                            model_constant(d->b, NULL, 1 / (1 - fmin(f, MOST_FOLLOW)), DIM_NONE));
    late = term_min(d->g, "waits for misses", model_constant(d->b, NULL, 1, DIM_NONE), late);
    return demands_argument(d, late);
}

int demands_late(struct demands *d, int miss, bool at_home)
{
    enum profile_field followers = at_home ? FIELD_FOLLOWERS_MEMORY_SIDE : FIELD_FOLLOWERS_SM_SIDE;
    double waited = demands_field(d, FIELD_READS) + demands_atomics(d);
    return demands_late_of(d, miss, demands_ratio(demands_field(d, followers), waited, 0));
}

int demands_late_remote(struct demands *d, int miss)
{
    return demands_late_of(d, miss,
                           demands_ratio(demands_field(d, FIELD_FOLLOWERS_REMOTE),
                                         demands_field(d, FIELD_HOME_REMOTE_READS), 0));
}

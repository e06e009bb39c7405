/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models read of the curves: misses, and what goes to memory and comes from it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/internal.h"

/* Requests that miss, of so many: those of `all`, and where the cache was emptied before the launch
 * also those of `old` that hit. */
struct miss_curves {
    const struct curve *all, *old; /* old: NULL: none */
    double requests;               /* over which the ratio is */
};

static double misses(const struct curve *curve, double sets, double ways)
{
    return curve->requests && ways > 0
               ? (double)curve->requests * curve_miss_ratio(curve, sets, ways)
               : 0;
}

/* args: capacity, line, ways; whether it is empty */
static double miss_ratio(const void *context, const double *args)
{
    const struct miss_curves *curves = context;
    double sets = args[0] / args[1] / args[2], count;
    if (args[2] <= 0 && curves->all->requests) /* no way is left to it */
        return (double)curves->all->requests / curves->requests;
    if (curves->all->requests == 0)
        return 0; /* nobody asks */
    count = misses(curves->all, sets, args[2]);
    if (args[3] != 0 && curves->old)
        count += (double)curves->old->requests - misses(curves->old, sets, args[2]);
    return fmin(count, (double)curves->all->requests) / curves->requests;
}

double model_part_ratio(const struct model_part *part, double sets, double ways)
{
    double count = part->of ? misses(part->of, sets, ways) : 0;
    if (part->hits && part->of)
        count = (double)part->of->requests - count;
    if (part->without)
        count -= misses(part->without, sets, ways);
    if (!(part->requests > 0))
        return 0;
    return (ways > 0 && !part->always ? fmax(0, count) : part->no_ways) / part->requests;
}

/* args: capacity, line, ways */
static double part_ratio(const void *context, const double *args)
{
    return model_part_ratio(context, args[0] / args[1] / args[2], args[2]);
}

/* 1 where the LLC was turned before the launch. */
static int emptied(struct model_builder *b)
{
    int none = model_constant(b, NULL, 0, DIM_NONE);
    if (b->organised->turned == 0)
        return none;
    return term_operation(
        b->graph, EXPRESSION_IF, "LLC was turned", 3,
        (int[]){b->organised->turned, model_constant(b, NULL, 1, DIM_NONE), none});
}

static int miss_term(struct model_builder *b, const char *name, const struct model_cache *cache,
                     const struct curve *all, const struct curve *old, uint64_t requests)
{
    struct miss_curves *curves = arena_alloc(b->arena, sizeof *curves);
    int args[] = {cache->capacity, model_parameter(b, "line"), cache->ways, emptied(b)};
    *curves = (struct miss_curves){all, old, (double)requests};
    return term_call(b->graph, name, DIM_NONE, miss_ratio, curves, 4, args);
}

int model_cache_miss_ratio(struct model_builder *b, const struct model_cache *cache)
{
    const struct profile_curve *curve = model_curve(b, cache->scope, cache->side, cache->filter);
    if (!curve)
        return builder_dummy(b, DIM_NONE);
    const struct curve *old = profile_curve_part(curve, CURVE_OLD);
    bool atomics = !model_system(b, 0)->fetches_partial && profile_curve_part(curve, CURVE_FETCHES);
    const struct curve *reads = profile_curve_part(curve, atomics ? CURVE_FETCHES : CURVE_READS);
    reads = cache->reads ? reads : NULL;
    const struct curve *all = reads ? reads : &curve->curve;
    if (reads)
        old = profile_curve_part(curve, CURVE_OLD_WANTED);
    return miss_term(b, "m", cache, all, old, all->requests);
}

/* The cache of a level that stands on one side; false where no curve is of it. */
static bool level_cache(struct model_builder *b, const char *level, struct model_cache *cache)
{
    char path[80];
    bool home = model_side(b, level) == SIDE_HOME;
    const struct system_level *own = model_level(b, level);
    *cache = (struct model_cache){.scope = level_scope_names[own->scope],
                                  .side = level_side_names[!home],
                                  .filter = level_filter_names[own->filter]};
    enum profile_field field = home ? FIELD_LLC_HIT_MEMORY_SIDE : FIELD_LLC_HIT_SM_SIDE;
    bool curve = profile_curve_find(b->record, cache->scope, cache->side, cache->filter);
    if (!curve && (b->record->n_curves == 0 || !isnan(b->record->fields[field])))
        return false;
    snprintf(path, sizeof path, "%s.ways", level);
    cache->capacity = model_cache_capacity(b, level, cache->scope);
    cache->ways = model_parameter(b, path);
    return true;
}

/* Miss ratio of the requests that want data and are for lines of other domains; -1: the profile
 * does not tell them apart. */
static int remote_ratio(struct model_builder *b, const struct model_cache *cache)
{
    const struct profile_curve *curve =
        profile_curve_find(b->record, cache->scope, cache->side, cache->filter);
    const struct curve *remote = curve ? profile_curve_part(curve, CURVE_REMOTE) : NULL;
    if (!remote || remote->requests == 0)
        return -1;
    int miss = miss_term(b, "m of remote lines", cache, remote, NULL, remote->requests);
    if (b->organised->turned == 0)
        return miss;
    /* Who asks for what was there before is not known: it is as over all. */
    int before = miss_term(b, NULL, cache, &curve->curve, NULL, curve->curve.requests);
    int more = term_difference(b->graph, NULL, model_cache_miss_ratio(b, cache), before);
    return term_min(b->graph, "m of remote lines", model_constant(b, NULL, 1, DIM_NONE),
                    term_sum(b->graph, NULL, miss, more));
}

int model_side_reads(struct model_builder *b, const struct model_memory *memory, bool remote)
{
    const double *f = b->record->fields;
    double all = f[FIELD_HOME_REQUESTS], far = f[FIELD_HOME_REMOTE_REQUESTS];
    double own = remote ? far : all - far;
    struct model_cache cache;
    int miss = -1;
    if (own > 0 && far > 0 && !model_system(b, 0)->asks_home && level_cache(b, "llc", &cache))
        miss = remote_ratio(b, &cache);
    if (miss < 0)
        return term_product(
            b->graph, NULL, memory->reads,
            model_constant(b, "wants data", model_intents(b, remote).wants, DIM_NONE));
    const struct curve *part =
        profile_curve_part(model_curve(b, cache.scope, cache.side, cache.filter), CURVE_REMOTE);
    double asked = (double)part->requests;
    if (remote)
        return term_product(b->graph, "memory reads, remote", miss,
                            model_constant(b, NULL, asked / own, DIM_NONE));
    int local = term_difference(
        b->graph, NULL,
        term_product(b->graph, NULL, memory->reads, model_constant(b, NULL, all / own, DIM_NONE)),
        term_product(b->graph, NULL, miss, model_constant(b, NULL, asked / own, DIM_NONE)));
    return term_max(b->graph, "memory reads, local", local, model_constant(b, NULL, 0, DIM_NONE));
}

static int level_miss_ratio(struct model_builder *b, const char *level, bool reads)
{
    struct model_cache cache;
    if (level_cache(b, level, &cache)) {
        cache.reads = reads;
        return model_cache_miss_ratio(b, &cache);
    }
    bool home = model_side(b, level) == SIDE_HOME;
    int one = term_constant(b->graph, NULL, 1, DIM_NONE);
    return term_difference(
        b->graph, "m", one,
        model_field(b, home ? FIELD_LLC_HIT_MEMORY_SIDE : FIELD_LLC_HIT_SM_SIDE));
}

int model_miss_ratio(struct model_builder *b, const char *level)
{
    return level_miss_ratio(b, level, false);
}

/* Miss ratio of a level's reads alone, where the curve tells them apart; a term. */
static int model_read_miss_ratio(struct model_builder *b, const char *level)
{
    return level_miss_ratio(b, level, true);
}

/* --- memory ------------------------------------------------------------------------------ */

/* Whether no launch with requests comes behind the record. */
static bool ends_run(const struct model_builder *b)
{
    const struct profile_view *view = model_profile_view(b);
    for (size_t r = b->index + 1; r < view->n_records; r++)
        if (view->records[r].fields[FIELD_REQUESTS] != 0)
            return false;
    return !view->goes_on;
}

static int part_term(struct model_builder *b, const char *name, const struct model_cache *cache,
                     const struct model_part *part)
{
    struct model_part *kept = arena_alloc(b->arena, sizeof *kept);
    int args[] = {cache->capacity, model_parameter(b, "line"), cache->ways};
    *kept = *part;
    if (!part->of && !part->always)
        return model_constant(b, name, 0, DIM_NONE);
    return term_call(b->graph, name, DIM_NONE, part_ratio, kept, 3, args);
}

static struct model_memory all_misses_read(struct model_builder *b, int miss)
{
    int none = model_constant(b, NULL, 0, DIM_NONE);
    return (struct model_memory){.reads = miss, .writes = none, .left = none, .moved = miss};
}

struct model_parts model_curve_parts(struct model_builder *b, const struct profile_curve *curve,
                                     const char *level)
{
    const struct curve *all = &curve->curve, *reads = profile_curve_part(curve, CURVE_READS);
    const struct curve *fetches = profile_curve_part(curve, CURVE_FETCHES);
    const struct curve *evicted = profile_curve_part(curve, CURVE_EVICTED);
    const struct curve *dirty = profile_curve_part(curve, CURVE_DIRTY);
    enum level_side side = curve->side[0] == 'h' ? SIDE_HOME : SIDE_REQUESTER;
    bool flushed = system_flush(model_system(b, 0), model_level(b, level), side) != FLUSH_NONE;
    double launches = model_launches(b), requests = (double)all->requests;
    struct model_parts parts = {.ends = flushed && launches > 1 ? launches : 1,
                                .misses = {.of = all, .no_ways = requests, .requests = requests}};
    parts.reads = parts.misses;
    parts.told_apart = !reads || evicted || dirty;
    if (!parts.told_apart) /* writes, and nothing of what became of them */
        return parts;
    parts.reads.of = fetches ? fetches : reads ? reads : all;
    parts.reads.no_ways = (double)parts.reads.of->requests;
    parts.writes = (struct model_part){.of = evicted,
                                       .without = profile_curve_part(curve, CURVE_BEFORE),
                                       .no_ways = reads ? requests - (double)reads->requests : 0,
                                       .requests = requests};
    parts.left = (struct model_part){
        .of = flushed || ends_run(b) ? dirty : NULL, .hits = true, .requests = requests};
    if (strcmp(level, "llc") == 0 && system_writes_through(model_level(b, level), side)) {
        parts.writes.always = true;
        parts.left.of = NULL;
    }
    return parts;
}

struct model_memory model_cache_memory(struct model_builder *b, const struct model_cache *cache,
                                       const char *level)
{
    const struct profile_curve *curve = model_curve(b, cache->scope, cache->side, cache->filter);
    if (!curve)
        return all_misses_read(b, builder_dummy(b, DIM_NONE));
    struct model_parts parts = model_curve_parts(b, curve, level);
    if (!parts.told_apart)
        return all_misses_read(b, model_cache_miss_ratio(b, cache));
    struct model_memory m = {.told_apart = true, .ends = parts.ends};
    m.reads = miss_term(b, "memory reads", cache, parts.reads.of,
                        profile_curve_part(curve, CURVE_OLD_WANTED), curve->curve.requests);
    m.writes = part_term(b, "memory writes", cache, &parts.writes);
    m.left = part_term(b, "written at the end", cache, &parts.left);
    m.moved = term_sum(b->graph, "memory traffic", m.reads, m.writes, m.left);
    return m;
}

struct model_memory model_memory(struct model_builder *b, const char *level)
{
    struct model_cache cache;
    if (level_cache(b, level, &cache))
        return model_cache_memory(b, &cache, level);
    return all_misses_read(b, model_miss_ratio(b, level));
}

/* --- partitions that ask each other ------------------------------------------------------- */

/* What curves of one filter say; false: the record has none. */
static bool llc_of(struct model_builder *b, const char *filter, struct model_llc *out)
{
    struct model_cache cache;
    if (!level_cache(b, "llc", &cache))
        return false;
    cache.filter = filter;
    if (!profile_curve_find(b->record, cache.scope, cache.side, filter))
        return false;
    out->miss = model_cache_miss_ratio(b, &cache);
    out->memory = model_cache_memory(b, &cache, "llc");
    cache.reads = true;
    out->read_miss = model_cache_miss_ratio(b, &cache);
    return true;
}

/* a + w (b - a) */
static int mix(struct model_builder *b, const char *name, int weight, int a, int other)
{
    struct term_graph *g = b->graph;
    return term_sum(g, name, a, term_product(g, NULL, weight, term_difference(g, NULL, other, a)));
}

/* 1 where others' requests help, else the miss ratio that brings as many of them. */
static int share_that_comes(struct model_builder *b, int alone, int filled)
{
    struct term_graph *g = b->graph;
    int one = model_constant(b, NULL, 1, DIM_NONE);
    int more = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){filled, alone});
    int less = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){one, filled});
    int rest = term_sum(g, NULL, term_difference(g, NULL, one, filled), alone);
    int m = term_operation(g, EXPRESSION_IF, NULL, 3,
                           (int[]){less, term_quotient(g, NULL, alone, rest), one});
    return term_operation(g, EXPRESSION_IF, "share that comes by", 3, (int[]){more, m, one});
}

/* Of what the own slices miss, the share that misses everywhere. */
static int both(struct model_builder *b, const char *name, int own, int everywhere, int filled)
{
    struct term_graph *g = b->graph;
    int none = model_constant(b, NULL, 0, DIM_NONE);
    int some = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){filled, none});
    int share = term_operation(g, EXPRESSION_IF, NULL, 3,
                               (int[]){some, term_quotient(g, NULL, everywhere, filled), none});
    return term_product(g, name, own, share);
}

static struct model_llc as_one(struct model_builder *b)
{
    struct model_llc llc = {.miss = model_miss_ratio(b, "llc"),
                            .read_miss = model_read_miss_ratio(b, "llc"),
                            .memory = model_memory(b, "llc")};
    llc.asked = llc.memory.reads;
    llc.read_asked = llc.read_miss;
    return llc;
}

struct model_llc model_llc_read(struct model_builder *b)
{
    struct model_llc alone = as_one(b), filled, home, llc = alone;
    if (!model_system(b, 0)->asks_home || model_side(b, "llc") == SIDE_HOME)
        return alone;
    if (!llc_of(b, "filled", &filled) || !llc_of(b, "filled-or-home", &home)) {
        model_warn(b, "pessimistic: the profile does not say what slices of other partitions have "
                      "(curves filled, filled-or-home): all misses go to memory");
        return alone;
    }
    int w = share_that_comes(b, alone.miss, filled.miss);
    struct model_memory *memory = &llc.memory;
    llc.asked = mix(b, "asked", w, alone.memory.reads, filled.memory.reads);
    llc.read_asked = mix(b, "asked", w, alone.read_miss, filled.read_miss);
    llc.read_miss = both(b, "m of reads", llc.read_asked, home.read_miss, filled.read_miss);
    llc.miss =
        both(b, "m", mix(b, "m of own slices", w, alone.miss, filled.miss), home.miss, filled.miss);
    memory->reads = both(b, "memory reads", llc.asked, home.memory.reads, filled.memory.reads);
    memory->writes = mix(b, "memory writes", w, alone.memory.writes, filled.memory.writes);
    memory->left = mix(b, "written at the end", w, alone.memory.left, filled.memory.left);
    memory->moved =
        term_sum(b->graph, "memory traffic", memory->reads, memory->writes, memory->left);
    return llc;
}

void model_set_memory(struct model_builder *b, struct model_memory memory, int share)
{
    struct term_graph *g = b->graph;
    if (!memory.told_apart || !model_knows(b, FIELD_BYTES))
        return;
    int bytes = term_product(g, "bytes of the LLC", model_field(b, FIELD_BYTES), share);
    model_set_metric(b, "memory_read", term_product(g, "memory_read", bytes, memory.reads));
    model_set_metric(b, "memory_written",
                     term_product(g, "memory_written", bytes,
                                  term_sum(g, "memory writes", memory.writes, memory.left)));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways of requests through the last-level cache, as it is organised: on one side of the links, with
 * a part of the ways for remote lines before the home's, with replicas before the home's lines. */
#include <string.h>

#include "network/demands.h"
#include "nuba/traffic.h"
#include "sac/llc.h"

static int one_less(struct demands *d, const char *name, int term)
{
    return term_difference(d->g, name, model_constant(d->b, NULL, 1, DIM_NONE), term);
}

/* The way of one path, of which a share is counted for each pair of domains. */
static struct way way_of(struct demands *d, enum network_path path, int miss, int late_miss,
                         bool at_home)
{
    return (struct way){.path = path,
                        .miss = demands_argument(d, miss),
                        .late = demands_late(d, late_miss, at_home)};
}

/* The same of an LLC of all requests; local lines are at home on either side. */
static struct way way_of_side(struct demands *d, enum network_path path, int reads, int read_miss,
                              bool home)
{
    const struct demands_side *side = &d->sides[path];
    if (!side->known)
        return way_of(d, path, reads, read_miss, home || path == PATH_LOCAL);
    int miss = demands_side_miss(d, path);
    return (struct way){.path = path,
                        .miss = demands_argument(d, demands_side_reads(d, path)),
                        .late = demands_late_of(d, miss, side->follows)};
}

/* How requests of a path go on from the L1s and levels before the LLC. */
struct course {
    struct way way;
    bool at_home;
    bool by_home; /* homes miss unlike */
    bool twice;   /* they look up slices of their own domain, and at home what misses there */
    struct way_twice first;
};

/* Of the requests of a path some may go another way. */
struct courses {
    struct course of[PATH_COUNT];
    struct course copied; /* by replicas; with .twice, if there are any */
};

/* Where what the requester's slices miss of another partition asks the home's. */
static void ask_home(struct demands *d, const struct model_llc *llc, struct course *course)
{
    if (d->system->chips > 1)
        model_refuse(d->b,
                     "crossing: the network knows one chip whose partitions ask each other's "
                     "slices, not %u (crossing.misses)",
                     d->system->chips);
    course->twice = true;
    course->first = (struct way_twice){.on = demands_argument(d, llc->asked),
                                       .late = demands_late(d, llc->read_asked, false),
                                       .even = demands_read_evenness(d, true),
                                       .fetches = true};
}

/* Dirty data that leave, and what memories turn for them. */
static void read_written(struct demands *d)
{
    const struct model_memory *memory = &d->terms->memory;
    int turns = model_memory_turns(d->b, memory);
    int written = memory->told_apart ? demands_argument(d, memory->writes) : 0;
    for (int path = 0; path < PATH_COUNT; path++)
        d->written[path] = written;
    d->turned = turns < 0 ? 0 : demands_argument(d, turns);
}

/* What an LLC at the requester reads for a request of a path; and what it writes home (d->written).
 */
static int intend(struct demands *d, enum network_path path)
{
    const struct model_memory *memory = &d->terms->memory;
    if (!memory->told_apart)
        return memory->reads;
    struct model_intents intents = model_intents(d->b, path == PATH_REMOTE);
    int writes = term_product(d->g, "memory writes", memory->writes,
                              model_constant(d->b, "dirties", intents.dirties, DIM_NONE));
    d->written[path] = demands_argument(d, writes);
    return term_product(d->g, "memory reads", memory->reads,
                        model_constant(d->b, "wants data", intents.wants, DIM_NONE));
}

/* What misses and wants data comes from memory; dirty data go there while nobody waits. */
static struct courses plain_courses(struct demands *d)
{
    bool home = model_side(d->b, "llc") == SIDE_HOME;
    struct model_llc llc = model_llc_read(d->b);
    struct model_memory *memory = &d->terms->memory;
    struct courses courses = {0};
    *memory = llc.memory;
    read_written(d);
    if (!home)
        demands_read_sides(d);
    d->terms->passes = model_home_share(d->b);
    d->even[!home] = demands_read_evenness(d, home);
    d->terms->hit_rate = one_less(d, "h", llc.miss);
    for (int path = PATH_LOCAL; path < PATH_COUNT; path++) {
        int reads = home ? memory->reads : intend(d, (enum network_path)path);
        reads = d->sides[path].known ? memory->reads : reads;
        courses.of[path].at_home = home || path == PATH_LOCAL;
        courses.of[path].by_home = home && !d->system->asks_home;
        courses.of[path].way = way_of_side(d, (enum network_path)path, reads, llc.read_miss, home);
    }
    if (d->system->asks_home && !home)
        ask_home(d, &llc, &courses.of[PATH_REMOTE]);
    return courses;
}

/* Split ways: remote requests ask a part of their own slices first (sac/llc.h). */
static struct courses split_courses(struct demands *d)
{
    struct courses courses = {0};
    llc_check(d->b);
    int local = model_field(d->b, FIELD_R_LOCAL);
    struct llc_split split = llc_split_read(d->b, local, llc_link_bandwidth(d->b));
    d->even[0] = demands_read_evenness(d, true);
    d->even[1] = demands_read_evenness(d, false);
    d->terms->hit_rate = one_less(d, "h", llc_split_misses(d->b, &split, local));
    struct model_memory *memory = &d->terms->memory;
    *memory = llc_split_memory(d->b, &split, local);
    read_written(d);
    courses.of[PATH_LOCAL].at_home = true;
    courses.of[PATH_LOCAL].way =
        way_of(d, PATH_LOCAL, split.memory_local.reads, split.miss_local, true);
    courses.of[PATH_REMOTE] = (struct course){
        .way = way_of(d, PATH_REMOTE, split.memory_remote.reads, split.miss_remote, true),
        .twice = true,
        .first = {.asks = demands_argument(d, split.asks),
                  .on = demands_argument(d, split.miss_part),
                  .late = demands_late_remote(d, split.miss_part)}};
    return courses;
}

/* With replicas for a share of the launch, without before. */
static int mixed(struct demands *d, int share, int with, int without)
{
    return term_sum(d->g, "m", term_product(d->g, NULL, share, with),
                    term_product(d->g, NULL, one_less(d, "first epoch", share), without));
}

/* The same ratio of reads alone, which wait: as many times as high as over all without replicas,
 * whose curves say all requests. */
static int late_others(struct demands *d, int others, int miss)
{
    static const double least = 1e-9;
    int reads = model_llc_read(d->b).read_miss;
    int some = term_max(d->g, NULL, miss, model_constant(d->b, NULL, least, DIM_NONE));
    int late = term_product(d->g, NULL, others, term_quotient(d->g, NULL, reads, some));
    return term_min(d->g, "m of reads", late, model_constant(d->b, NULL, 1, DIM_NONE));
}

/* What goes to memory where replicas are there for a share of the launch: their curves say misses
 * alone, dirty data among them; before, it is what it is without them. */
static void mix_memory(struct demands *d, int share, const struct nuba_replicas *replicas)
{
    struct model_memory *memory = &d->terms->memory;
    int before = one_less(d, "first epoch", share);
    memory->reads = mixed(d, share, replicas->misses, memory->reads);
    memory->writes = term_product(d->g, "memory writes", before, memory->writes);
    memory->left = term_product(d->g, "written at the end", before, memory->left);
    memory->moved = term_sum(d->g, "memory traffic", memory->reads,
                             term_sum(d->g, NULL, memory->writes, memory->left));
    read_written(d);
}

/* Copies of remote read-only lines in the requester's partition, which serve a share r of the
 * remote requests; what they miss asks the home's slices. With `mdr`, which decides, a launch is as
 * without them until then. */
static struct courses replica_courses(struct demands *d)
{
    struct nuba_traffic traffic;
    struct nuba_replicas replicas;
    struct courses courses = plain_courses(d);
    int miss = model_miss_ratio(d->b, "llc"), share = model_constant(d->b, NULL, 1, DIM_NONE);
    nuba_traffic_read(d->b, true, true, &traffic);
    if (traffic.replicable == 0)
        return courses;
    if (strcmp(model_name(d->b, "llc.replication"), "mdr") == 0) {
        int decision = nuba_replicates(d->b, &share);
        model_set_decision(d->b, decision, "no replication", "full replication");
        model_set_turned(d->b, nuba_any(d->b, share));
    }
    d->even[1] = demands_read_evenness(d, false);
    nuba_replicas_read(d->b, &traffic, &replicas);
    bool decides = strcmp(model_name(d->b, "llc.replication"), "mdr") == 0;
    int without = decides && d->terms->memory.told_apart ? d->terms->memory.reads : miss;
    int others = mixed(d, share, replicas.miss_others, without);
    int late = mixed(d, share, late_others(d, replicas.miss_others, miss),
                     decides ? model_llc_read(d->b).read_miss : miss);
    if (decides && d->terms->memory.told_apart) {
        mix_memory(d, share, &replicas);
    } else {
        memset(d->written, 0, sizeof d->written);
        d->turned = 0;
        d->terms->memory = (struct model_memory){.told_apart = false};
    }
    d->terms->hit_rate = one_less(d, "h", mixed(d, share, replicas.misses, miss));
    int copied = term_product(d->g, "replicated", share,
                              model_constant(d->b, NULL, traffic.replicable, DIM_NONE));
    for (int path = PATH_LOCAL; path < PATH_COUNT; path++) {
        courses.of[path].by_home = decides && courses.of[path].by_home;
        courses.of[path].way = way_of(d, (enum network_path)path, others, late, true);
    }
    courses.of[PATH_REMOTE].way.flow = demands_argument(d, one_less(d, "not replicated", copied));
    courses.copied =
        (struct course){.way = way_of(d, PATH_REMOTE, replicas.miss_home, replicas.miss_home, true),
                        .twice = true,
                        .first = {.on = demands_argument(d, replicas.miss),
                                  .late = demands_late_remote(d, replicas.miss)}};
    courses.copied.way.flow = demands_argument(d, copied);
    return courses;
}

static void refuse_unknown_shapes(struct demands *d)
{
    enum level_filter filter = model_level(d->b, "llc")->filter;
    if (filter != FILTER_ALL)
        model_refuse(d->b, "llc.filter is %s: the network knows an LLC for all requests",
                     level_filter_names[filter]);
    model_refuse_levels_before_requester(d->b);
}

static struct courses read_courses(struct demands *d)
{
    if (model_split(d->b, "llc"))
        return split_courses(d);
    refuse_unknown_shapes(d);
    if (strcmp(model_name(d->b, "llc.replication"), "none") != 0)
        return replica_courses(d);
    return plain_courses(d);
}

static void take(struct demands *d, const struct course *course, uint32_t i, uint32_t j)
{
    enum network_path path = course->way.path;
    struct way way = course->way;
    way.class = d->class[i];
    way.share = d->share[i * d->system->domains + j] * d->passes[path];
    way.follow = d->follow[path];
    if (course->by_home)
        way.miss =
            demands_argument(d, demands_home_reads(d, j, d->terms->args.items[course->way.miss]));
    if (course->twice)
        demands_look_up_twice(d, way, &course->first, i, j);
    else
        demands_look_up(d, way, i, j, course->at_home);
}

void demands_add_ways(struct demands *d)
{
    struct courses courses = read_courses(d);
    uint32_t n = d->system->domains;
    model_set_memory(d->b, d->terms->memory, d->terms->passes);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n && d->class[i] >= 0; j++) {
            if (i != j && courses.copied.twice)
                take(d, &courses.copied, i, j);
            take(d, &courses.of[i == j ? PATH_LOCAL : PATH_REMOTE], i, j);
        }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited in a launch, as fields of its record. */
#include "profile/run/chain.h"

static void level_fields(const struct system *system, const struct tally_counts *counts,
                         const struct wait_clock *start, const struct wait_clock *end,
                         double fields[FIELD_COUNT])
{
    for (uint32_t i = 0; i < system->translation.n; i++) {
        int level = (int)(system_between(system) + i);
        double *of_tlb = &fields[profile_level_field(level, LEVEL_LOOKUPS)];
        of_tlb[LEVEL_MERGES] = (double)counts->tlbs[i].merges;
        of_tlb[LEVEL_CHAIN] = (double)(end->late[i] - start->late[i]);
    }
}

/* Who asks others for little waits for them as seldom (models/network/ends.c). */
static void domain_fields(const struct system *system, const struct tally *tally, uint32_t domain,
                          double fields[FIELD_COUNT])
{
    const uint64_t *requests = &tally->traffic[domain * system->domains];
    uint64_t all = 0;
    for (uint32_t home = 0; home < system->domains; home++)
        all += requests[home];
    fields[FIELD_CHAIN_REQUESTS] = (double)all;
    fields[FIELD_CHAIN_REMOTE_REQUESTS] = (double)(all - requests[domain]);
}

void chain_fields(const struct system *system, const struct tally *tally,
                  const struct asides *asides, const struct clocks *clocks,
                  double fields[FIELD_COUNT])
{
    const struct tally_counts *counts = &tally->counts;
    struct wait_clock start = clocks->start, end = clocks->end;
    level_fields(system, counts, &start, &end, fields);
    asides_wait_fields(asides, system_between(system) + system->translation.n, &start, &end,
                       fields);
    fields[FIELD_WAITS] = (double)counts->waits;
    fields[FIELD_WAITS_SHARED] = (double)counts->waits_shared;
    fields[FIELD_AWAITED] = (double)counts->awaited;
    fields[FIELD_WAITS_ASSUMED] = (double)counts->waits_assumed;
    fields[FIELD_FOLLOWERS_MEMORY_SIDE] = (double)counts->followers_home;
    fields[FIELD_FOLLOWERS_SM_SIDE] = (double)counts->followers_own;
    fields[FIELD_FOLLOWERS_HOME_REMOTE] = (double)counts->followers_home_remote;
    fields[FIELD_GROUPS] = (double)counts->behind.groups.all;
    fields[FIELD_GROUPS_REMOTE] = (double)counts->behind.groups.remote;
    fields[FIELD_FOLLOWERS_REMOTE] = (double)counts->followers_own_remote;
    fields[FIELD_CHAIN_WAITS] = (double)(end.waits - start.waits);
    fields[FIELD_CHAIN_AWAITED] = (double)(end.awaited - start.awaited);
    fields[FIELD_CHAIN_REMOTE] = (double)(end.remote - start.remote);
    if (system->domains > 1)
        domain_fields(system, tally, system_domain(system, clocks->end_sm), fields);
    if (system->awaits_writes) {
        fields[FIELD_CHAIN_WRITES] = (double)(end.writes - start.writes);
    } else {
        fields[FIELD_CHAIN_ENDS_WRITE] = (double)end.ends_write;
        fields[FIELD_CHAIN_ENDS_REMOTE] = (double)end.ends_remote;
        fields[FIELD_BEHIND_WRITE] = (double)clocks_behind_write(clocks);
    }
    fields[FIELD_CHAIN_LAST] = (double)end.last;
    fields[FIELD_CHAIN_HITS] = (double)(end.hits - start.hits);
    fields[FIELD_CHAIN_STEPS] = (double)(end.steps - start.steps);
    fields[FIELD_CHAIN_INSTRUCTIONS] = (double)(end.instructions - start.instructions);
    fields[FIELD_CHAIN_THINK] = (double)(end.think - start.think);
    fields[FIELD_CHAIN_LAST_THINK] = (double)end.last_think;
}

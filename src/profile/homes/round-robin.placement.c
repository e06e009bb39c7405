/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round robin: pages go to the homes in turn, in the order of first touch. */
#include "profile/homes/placement.h"

struct round_robin {
    uint32_t next;
};

static uint32_t round_robin_home(void *state, const struct placement_context *context,
                                 uint64_t address, uint32_t toucher)
{
    struct round_robin *turn = state;
    uint32_t home = turn->next;
    (void)address;
    (void)toucher;
    turn->next = (home + 1) % context->n_homes;
    return home;
}

const struct placement placement_round_robin = {
    .plugin = {"placement", "round-robin",
               "pages go to the chips or partitions in turn, as they are touched",
               "NUBA, ASPLOS 2023, section 4", NULL},
    .state_size = sizeof(struct round_robin),
    .home = round_robin_home,
    .deals = true,
};

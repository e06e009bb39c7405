/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touch: a page lives where it is used first. */
#include "profile/homes/placement.h"

static uint32_t first_touch_home(void *state, const struct placement_context *context,
                                 uint64_t address, uint32_t toucher)
{
    (void)state;
    (void)context;
    (void)address;
    return toucher;
}

const struct placement placement_first_touch = {
    .plugin = {"placement", "first-touch",
               "a page lives with the chip or partition that touches it first",
               "MCM-GPU, ISCA 2017, section 5.3", NULL},
    .home = first_touch_home,
};

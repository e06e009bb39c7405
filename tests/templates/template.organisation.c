/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of an organisation of the LLC: copy it to models/<system>/<name>.organisation.c,
 * replace "template" by <name> ("-" is "_" in C names), and rewrite the level.
 *
 * This one is SM-side with one crossbar: misses take that of the SMs again. */
#include "machine/organisation.h"

static int template_rewrite(struct machine *machine, struct error *error)
{
    /* Near whom it is, how its ways are split, which crossbar its misses take. */
    return organisation_set(machine, "requester", "none", "shared", error);
}

const struct organisation organisation_template = {
    .plugin = {"organisation", "template", "SM-side, misses through the SMs' crossbar", NULL, NULL},
    .rewrite = template_rewrite,
};

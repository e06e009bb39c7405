/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a cost: copy it to models/<system>/<name>.cost.c, replace "template" by <name>
 * (a name of C), and make its term out of parameters and totals of the machine.
 *
 *     cost = K S
 *
 *     K  chips               (chips)
 *     S  LLC of a chip, bytes (llc.capacity)
 *
 * Source: counting. */
#include "model/cost.h"

static int template_build(struct model_builder *b)
{
    return term_product(model_graph(b), "LLC of all chips", model_parameter(b, "chips"),
                        model_parameter(b, "llc.capacity"));
}

const struct cost cost_template = {
    .plugin = {"cost", "template", "capacity of all LLC slices", NULL, NULL},
    .dim = IN_BYTES,
    .page = "chips x llc.capacity",
    .build = template_build,
};

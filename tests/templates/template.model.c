/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a model: copy it to models/<system>/<name>.model.c, replace
 * "template" by <name> ("-" is "_" in C names), and write your equations.
 *
 *     BW = B_memory / m
 *
 *     m         miss rate of the LLC as organised       (curve or llc_hit)
 *     B_memory  bandwidth of all memories, bytes/s      (total.memory_bandwidth)
 *
 * Source: the memory roof alone. Valid when nothing else is slow. */
#include "model/model.h"

static void template_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    int memory = model_total(b, "total.memory_bandwidth");
    int miss = model_miss_ratio(b, "llc");
    int roof = term_resource(g, term_quotient(g, "roof", memory, miss), "memory");
    model_set_metric(b, "effective_bandwidth", roof);
    model_set_metric(b, "template_miss_rate", miss);
    model_set_stream(b, "all", roof);
}

static const struct model_metric template_metrics[] = {
    {"template_miss_rate", IN_PLAIN, COMBINE_MEAN, "miss rate of the LLC as organised"},
    {.name = NULL},
};

const struct model model_template = {
    .plugin = {"model", "template", "memory bandwidth over the LLC's miss rate", NULL, NULL},
    .answer = "bottleneck at the given mix",
    .validity = "traffic that only memory limits",
    .page = "BW = B_memory / m",
    .metrics = template_metrics,
    .build = template_build,
};

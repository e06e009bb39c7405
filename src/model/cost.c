/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs as terms. */
#include "model/cost.h"

#include <string.h>

#include "model/internal.h"

int cost_term(struct term_graph *graph, const struct machine *machine, const char *name, int *out,
              struct error *error)
{
    const struct plugin *plugin;
    if (strncmp(name, "cost.", 5) == 0)
        name += 5;
    int status = plugin_require("cost", name, &plugin, error);
    if (status)
        return status;
    struct organised organised = {0};
    struct model_builder builder = {.graph = graph,
                                    .plugin = plugin,
                                    .machine = machine,
                                    .organised = &organised,
                                    .error = error};
    *out = ((const struct cost *)plugin)->build(&builder);
    organised_fini(&organised);
    return builder.status ? builder.status : model_check_graph(graph, plugin, error);
}

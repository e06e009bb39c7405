/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages as terms: the same bytes on the wire for every model (machine/system.h). */
#include <stdio.h>

#include "model/model.h"

static bool has_flits(const struct machine *machine, const char *network)
{
    struct error ignored;
    char path[64];
    double flit;
    snprintf(path, sizeof path, "%s.flit", network);
    return machine_number(machine, path, &flit, &ignored) == 0;
}

int model_wire_bytes(struct model_builder *b, const char *network, int bytes)
{
    struct term_graph *g = model_graph(b);
    char path[64];
    snprintf(path, sizeof path, "%s.overhead", network);
    int wire = term_product(g, NULL, bytes, model_parameter(b, path));
    if (!has_flits(model_machine(b), network))
        return wire;
    int flit = model_flit(b, network), flits = term_quotient(g, NULL, wire, flit);
    return term_product(g, NULL, flit, term_operation(g, EXPRESSION_CEIL, NULL, 1, &flits));
}

int model_flit(struct model_builder *b, const char *network)
{
    char path[64];
    snprintf(path, sizeof path, "%s.flit", network);
    return has_flits(model_machine(b), network) ? model_parameter(b, path)
                                                : model_constant(b, "no flits", 1, DIM_BYTES);
}

int model_message(struct model_builder *b, const char *network, const char *what, int data)
{
    struct term_graph *g = model_graph(b);
    char path[64];
    snprintf(path, sizeof path, "%s.%s", network, what);
    int bytes = model_parameter(b, path);
    if (data >= 0)
        bytes = term_sum(g, NULL, bytes, data);
    bytes = model_wire_bytes(b, network, bytes);
    /* Of a name of its own: explanations say which message it is. */
    snprintf(path, sizeof path, "%s.%s on the wire", network, what);
    return term_max(g, path, bytes, model_constant(b, NULL, 0, DIM_BYTES));
}

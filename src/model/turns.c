/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What turning from reads to writes and back takes of memories. */
#include "model/internal.h"

int model_memory_turns(struct model_builder *b, const struct model_memory *memory)
{
    struct term_graph *g = model_graph(b);
    struct error ignored;
    double given;
    if (machine_number(model_machine(b), "memory.turnaround", &given, &ignored))
        return -1;
    if (!memory->told_apart) {
        if (!(model_profile_record(b)->fields[FIELD_WRITES] == 0))
            model_warn(b, "optimistic: the profile does not say what is written home, so that "
                          "memories never turn from reads to writes (memory.turnaround)");
        return -1;
    }
    int request = model_request_bytes(b), two = model_constant(b, NULL, 2, DIM_NONE);
    int batches =
        term_quotient(g, "batches of writes", term_product(g, NULL, memory->writes, request),
                      model_parameter(b, "memory.write_batch"));
    int pairs = term_min(g, "times there and back", batches, memory->reads);
    int channel = term_quotient(g, "a channel", model_parameter(b, "memory.bandwidth"),
                                model_parameter(b, "memory.channels"));
    int bytes = term_product(g, NULL, two, model_parameter(b, "memory.turnaround"), channel);
    return term_product(g, "turns, as requests", pairs, term_quotient(g, NULL, bytes, request));
}

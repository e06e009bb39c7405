/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two machines are the same by. */
#include "core/hash.h"
#include "machine/machine.h"

/* Numbers to the last bit: a text as a user would write it is rounded. */
static void hash_parameter(struct hash_content *hash, const struct parameter *p)
{
    const struct parameter_value *v = &p->section->values[p->index];
    char path[200];
    if (!v->known)
        return;
    parameter_path(p, path, sizeof path);
    hash_content_string(hash, path);
    hash_content_string(hash, v->name ? v->name : "");
    hash_content_add(hash, &v->number, sizeof v->number);
    hash_content_add(hash, &v->argument, sizeof v->argument);
    hash_content_add(hash, v->given ? "g" : "d", 1);
    hash_content_add(hash, dim_equal(v->dim, p->row->dim) ? "s" : "c", 1); /* or in cycles */
}

void machine_add_to_hash(const struct machine *machine, struct hash_content *hash)
{
    struct parameter p;
    for (size_t cursor = 0; machine_next(machine, &cursor, &p);)
        hash_parameter(hash, &p);
    for (size_t i = 0; i < machine->n_edges; i++) {
        const struct machine_edge *e = &machine->edges[i];
        const double numbers[] = {e->from,        e->to,
                                  e->share,       e->bandwidth_bytes_per_s,
                                  e->own_latency, e->latency_in_cycles,
                                  e->latency};
        hash_content_add(hash, numbers, sizeof numbers);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area of all caches, linear in their capacity:
 *
 *     A = c (SMs C_L1 + chips (C_llc + sum of levels before the LLC))
 *
 * c: mm^2 a MiB. The default is 2^23 bits of 0.027 um^2 (six transistors, TSMC's 7 nm process,
 * Wu et al., IEDM 2016) of which the cells fill one half: 0.453 mm^2 a MiB. One half is a choice,
 * for tags, decoders, sense amplifiers and wires. Parameters of another process: 0.07 um^2 at
 * 16 nm gives 1.17, 0.092 um^2 at 22 nm 1.54. Ports, banks and registers are not in it. */
#include <stdio.h>
#include <string.h>

#include "model/cost.h"

static const struct parameter_row area_parameters[] = {
    {"mm2_per_mib", PARAMETER_NUMBER, IN_PLAIN, 0, 1000, "0.453", NULL, NULL, "MiB", STRUCTURE_NONE,
     "area of a MiB of cache in mm^2, tags and periphery in it", NULL},
    {.field = NULL},
};

/* Capacity of a level in the whole system, or -1: the machine has none. */
static int level_capacity(struct model_builder *b, const struct machine_section *section)
{
    struct term_graph *g = model_graph(b);
    struct error ignored;
    char path[80];
    double bytes = 0;
    bool l1 = strcmp(section->schema->kind, "l1") == 0;
    if (!l1 && strcmp(section->schema->kind, "level") != 0 &&
        strcmp(section->schema->kind, "front") != 0)
        return -1;
    snprintf(path, sizeof path, "%s.capacity", section->name);
    if (machine_number(model_machine(b), path, &bytes, &ignored) || bytes == 0)
        return -1;
    int owners = l1 ? model_total(b, "total.sms") : model_parameter(b, "chips");
    return term_product(g, section->name, owners, model_parameter(b, path));
}

static int sram_area_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    const struct machine *machine = model_machine(b);
    int all = model_constant(b, "no caches", 0, DIM_BYTES);
    for (size_t i = 0; i < machine->n_sections; i++) {
        int level = level_capacity(b, &machine->sections[i]);
        if (level >= 0)
            all = term_sum(g, "caches", all, level);
    }
    int mebibytes = term_quotient(g, "MiB", all, model_constant(b, NULL, 0x1p20, DIM_BYTES));
    return term_product(g, "area", mebibytes, model_parameter(b, "sram_area.mm2_per_mib"));
}

const struct cost cost_sram_area = {
    .plugin = {"cost", "sram_area", "area of all caches", "cell of Wu et al., IEDM 2016",
               area_parameters},
    .relative = "1 mm^2",
    .page = "A = mm2_per_mib (SMs C_L1 + chips (C_llc + levels before the LLC)) / 1 MiB\n\n"
            "mm2_per_mib  0.453: 0.027 um^2 a bit (7 nm), cells fill one half (a choice)",
    .build = sram_area_build,
};

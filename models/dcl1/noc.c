/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inventory and feasibility of a design's crossbars. */
#include "dcl1/noc.h"

#include <stdio.h>
#include <string.h>

#include "dcl1/design.h"

/* Y nodes in Z clusters (HPCA 2021, section 3). */
static void noc_stages(struct dcl1_noc *noc, double boost1, double boost2)
{
    uint32_t x = noc->cores, y = noc->nodes, z = noc->clusters, l = noc->slices, m = y / z;
    struct dcl1_stage *stage = noc->stages;
    if (noc->built)
        *stage++ = (struct dcl1_stage){"NoC#1", z, x / z, m, boost1};
    /* Full ports are the baseline's: the design "ideal" changes the L1s alone. */
    if (!noc->built)
        *stage++ = (struct dcl1_stage){"the NoC", 1, x, l, boost2};
    else if (noc->split)
        *stage++ = (struct dcl1_stage){"NoC#2", m, z, l / m, boost2};
    else
        *stage++ = (struct dcl1_stage){"NoC#2", 1, y, l, boost2};
    noc->n_stages = (int)(stage - noc->stages);
}

static int noc_two_stages(struct dcl1_noc *noc, uint32_t groups, uint32_t middle, double boost1,
                          double boost2, struct error *error)
{
    if (noc->built)
        return error_set(error, STATUS_INPUT,
                         "dcl1.noc: two-stage joins private L1s and L2; a design with nodes has "
                         "its two NoCs already");
    if (noc->cores % groups)
        return error_set(error, STATUS_INPUT, "dcl1.noc_groups: %u groups do not divide %u SMs",
                         groups, noc->cores);
    if (noc->slices % middle)
        return error_set(error, STATUS_INPUT,
                         "dcl1.noc_middle: %u second crossbars do not divide %u L2 slices", middle,
                         noc->slices);
    noc->two_stage = true;
    noc->stages[0] =
        (struct dcl1_stage){"the first stage", groups, noc->cores / groups, middle, boost1};
    noc->stages[1] =
        (struct dcl1_stage){"the second stage", middle, groups, noc->slices / middle, boost2};
    noc->n_stages = 2;
    return 0;
}

static bool is_wire(const struct dcl1_stage *stage)
{
    return stage->inputs == 1 && stage->outputs == 1;
}

/* What a boost can reach. */
struct boost_limits {
    uint32_t ports; /* of a crossbar on a side, at most */
    double times;   /* its clock, at most */
};

static int noc_check_boost(const struct dcl1_noc *noc, const struct boost_limits *most,
                           struct error *error)
{
    for (int s = 0; s < noc->n_stages; s++) {
        const struct dcl1_stage *stage = &noc->stages[s];
        if (stage->boost > 1 && (stage->inputs > most->ports || stage->outputs > most->ports))
            return error_set(error, STATUS_INFEASIBLE,
                             "%s cannot be boosted: a %ux%u crossbar does not reach a higher "
                             "clock, at most %u ports on a side do (dcl1.boost_ports)",
                             stage->name, stage->inputs, stage->outputs, most->ports);
        if (stage->boost > most->times)
            return error_set(error, STATUS_INFEASIBLE,
                             "%s cannot be boosted %g times: a %ux%u crossbar reaches at most %g "
                             "times its clock (dcl1.boost_most)",
                             stage->name, stage->boost, stage->inputs, stage->outputs, most->times);
    }
    return 0;
}

/* The parts that this model knows. */
static int noc_check_machine(const struct machine *machine, struct error *error)
{
    struct system system;
    int status = system_compile(&system, machine, 0, error);
    if (status)
        return status;
    if (system.domains != 1)
        return error_set(
            error, STATUS_INFEASIBLE,
            "model dcl1 joins the SMs of one chip and all its L2 slices; this "
            "machine has %u chips of %u partitions. Of several chips the model bottleneck "
            "knows L1 nodes",
            system.chips, system.partitions);
    if (system.point_to_point)
        return error_set(error, STATUS_INFEASIBLE,
                         "model dcl1 joins nodes and L2 slices by crossbars; this machine has "
                         "point-to-point links (the section p2p)");
    if (system_between(&system))
        return error_set(error, STATUS_INFEASIBLE,
                         "model dcl1 joins nodes and L2 slices (the section llc) directly; "
                         "this machine has the level %s between them",
                         system_level(&system, 0)->name);
    return 0;
}

/* Section 3's counts, and the ways of building: by number, as machines say them. */
struct noc_values {
    const char *ports, *noc;
    uint32_t groups, middle;
    double boost1, boost2;
    struct boost_limits boost_most;
};

static int noc_read_values(const struct machine *machine, struct noc_values *v, struct error *error)
{
    int status = machine_name(machine, "dcl1.ports", &v->ports, error);
    if (!status)
        status = machine_name(machine, "dcl1.noc", &v->noc, error);
    if (!status)
        status = machine_count(machine, "dcl1.noc_groups", &v->groups, error);
    if (!status)
        status = machine_count(machine, "dcl1.noc_middle", &v->middle, error);
    if (!status)
        status = machine_count(machine, "dcl1.boost_ports", &v->boost_most.ports, error);
    if (!status)
        status = machine_number(machine, "dcl1.boost_most", &v->boost_most.times, error);
    if (!status)
        status = machine_number(machine, "dcl1.noc1_boost", &v->boost1, error);
    if (!status)
        status = machine_number(machine, "dcl1.noc2_boost", &v->boost2, error);
    return status;
}

int dcl1_noc_read(const struct machine *machine, struct dcl1_noc *out, struct error *error)
{
    *out = (struct dcl1_noc){0};
    int status = noc_check_machine(machine, error);
    return status ? status : dcl1_noc_read_chip(machine, out, error);
}

int dcl1_noc_read_chip(const struct machine *machine, struct dcl1_noc *out, struct error *error)
{
    struct noc_values v;
    uint32_t given = 0;
    *out = (struct dcl1_noc){0};
    int status = machine_count(machine, "sm.per_chip", &out->cores, error);
    if (!status)
        status = machine_count(machine, "llc.slices", &out->slices, error);
    if (!status)
        status = machine_count(machine, "l1.nodes", &given, error);
    if (!status)
        status = machine_l1_nodes(machine, &out->nodes, &out->clusters, error);
    if (!status)
        status = noc_read_values(machine, &v, error);
    if (status)
        return status;
    if ((status = machine_l1_home(machine, &out->split, error)))
        return status;
    out->full = strcmp(v.ports, "full") == 0;
    /* Pr80 of 80 SMs is no baseline: its L1s stand outside the SMs. */
    out->built = given != 0 && !out->full;
    if (strcmp(v.noc, "two-stage") == 0)
        status = noc_two_stages(out, v.groups, v.middle, v.boost1, v.boost2, error);
    else
        noc_stages(out, v.boost1, v.boost2);
    return status ? status : noc_check_boost(out, &v.boost_most, error);
}

/* Whoever reads the crossbars reads these. */
static void noc_note(struct model_builder *b, const struct dcl1_noc *noc)
{
    const char *design;
    struct error unknown;
    bool boosted = false;
    model_switch(b, "sm.per_chip");
    model_switch(b, "llc.slices");
    model_switch(b, "l1.nodes");
    model_switch(b, "l1.clusters");
    model_name(b, "dcl1.ports");
    model_name(b, "dcl1.noc");
    if (machine_name(model_machine(b), "dcl1.design", &design, &unknown) == 0)
        model_name(b, "dcl1.design");
    if (noc->two_stage) {
        model_switch(b, "dcl1.noc_groups");
        model_switch(b, "dcl1.noc_middle");
    }
    if (noc->n_stages > 1)
        model_switch(b, "dcl1.noc1_boost");
    model_switch(b, "dcl1.noc2_boost");
    for (int s = 0; s < noc->n_stages; s++)
        boosted = boosted || noc->stages[s].boost > 1;
    if (boosted) {
        model_switch(b, "dcl1.boost_ports");
        model_switch(b, "dcl1.boost_most");
    }
}

bool dcl1_noc_build(struct model_builder *b, struct dcl1_noc *out)
{
    struct error error;
    int status = dcl1_noc_read(model_machine(b), out, &error);
    if (status) {
        model_fail(b, &error);
        return false;
    }
    noc_note(b, out);
    return true;
}

int dcl1_noc_of(const char *name, uint32_t cores, uint32_t slices, struct dcl1_noc *out,
                struct error *error)
{
    struct dcl1_design design;
    int status = dcl1_design_scan(name, &design, error);
    if (status)
        return status;
    *out = (struct dcl1_noc){
        .cores = cores,
        .nodes = design.nodes ? design.nodes : cores,
        .clusters = design.clusters ? design.clusters : cores,
        .slices = slices,
        .built = design.built,
        .full = design.full,
    };
    out->split = slices % (out->nodes / out->clusters) == 0;
    if (cores % out->nodes)
        return error_set(error, STATUS_INPUT,
                         "%.60s: %u nodes do not divide %u SMs (the rule Y | X)", name, out->nodes,
                         cores);
    noc_stages(out, design.boost ? 2 : 1, 1);
    return 0;
}

const struct dcl1_stage *dcl1_noc_last(const struct dcl1_noc *noc)
{
    return &noc->stages[noc->n_stages - 1];
}

uint32_t dcl1_noc_home_bits(const struct dcl1_noc *noc)
{
    uint32_t bits = 0;
    while ((uint64_t)1 << bits < noc->nodes / noc->clusters)
        bits++;
    return bits;
}

uint32_t dcl1_noc_largest(const struct dcl1_noc *noc)
{
    uint32_t most = 0;
    for (int s = 0; s < noc->n_stages; s++) {
        const struct dcl1_stage *stage = &noc->stages[s];
        most = stage->inputs > most ? stage->inputs : most;
        most = stage->outputs > most ? stage->outputs : most;
    }
    return most;
}

struct dcl1_sums dcl1_noc_sums(const struct dcl1_noc *noc)
{
    struct dcl1_sums sums = {0};
    for (int s = 0; s < noc->n_stages; s++) {
        const struct dcl1_stage *stage = &noc->stages[s];
        double n = stage->count, i = stage->inputs, o = stage->outputs;
        if (is_wire(stage))
            continue;
        sums.crosspoints += n * i * o;
        sums.ports += n * (i + o);
        sums.inputs += n * i;
        sums.crossings += n * i * o * (i + o);
    }
    return sums;
}

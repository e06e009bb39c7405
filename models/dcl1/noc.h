/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The crossbars of a DC-L1 design (HPCA 2021, section 3), whether they can be built, and
 * their area and static power.
 *
 * X SMs, Y nodes, Z clusters of M = Y/Z nodes, L L2 slices:
 *
 *   baseline     1 x (X x L)
 *   PrY          Y x (X/Y x 1)      and 1 x (Y x L)
 *   ShY          1 x (X x Y)        and as the next
 *   ShY+CZ       Z x (X/Z x M)      and M x (Z x L/M) if M | L and homes follow slices (l1.home),
 *                                       else 1 x (Y x L)
 *   two-stage    G x (X/G x K)      and K x (G x L/K); converge-diverge, for private L1s
 *
 * Inputs are on the side of the SMs. A 1 x 1 crossbar is a wire and costs nothing. */
#ifndef BANDSCAPE_MODELS_DCL1_NOC_H
#define BANDSCAPE_MODELS_DCL1_NOC_H

#include "machine/machine.h"
#include "model/model.h"

enum { DCL1_STAGES_MAX = 2 };

/* Equal crossbars beside each other. */
struct dcl1_stage {
    const char *name; /* "NoC#1" */
    uint32_t count, inputs, outputs;
    double boost; /* of their clock */
};

struct dcl1_noc {
    uint32_t cores, nodes, clusters, slices; /* X, Y, Z, L */
    bool built;     /* SMs reach the nodes through stages[0]; else L1s are in the SMs */
    bool full;      /* the nodes have the baseline's ports (design "ideal") */
    bool split;     /* nodes h of all clusters ask L/M slices of their own (machine_l1_home) */
    bool two_stage; /* between private L1s and L2 */
    struct dcl1_stage stages[DCL1_STAGES_MAX];
    int n_stages;
};

/* From a machine of one chip. STATUS_INPUT: a rule is broken; STATUS_INFEASIBLE: not a machine
 * of this kind, or a boosted crossbar has more than dcl1.boost_ports ports on a side or is to run
 * at more than dcl1.boost_most times its clock. */
int dcl1_noc_read(const struct machine *machine, struct dcl1_noc *out, struct error *error);
/* The same of a chip of any machine: what stands behind its crossbars is not looked at. */
int dcl1_noc_read_chip(const struct machine *machine, struct dcl1_noc *out, struct error *error);
/* The first for a model or a cost: errors stay in the builder, and what was read is noted. */
bool dcl1_noc_build(struct model_builder *builder, struct dcl1_noc *out);

/* NoC#2, or what stands for it: the last stage. */
const struct dcl1_stage *dcl1_noc_last(const struct dcl1_noc *noc);
/* Bits of an address that choose a line's home node in its cluster. */
uint32_t dcl1_noc_home_bits(const struct dcl1_noc *noc);
/* Most ports of a crossbar on a side. */
uint32_t dcl1_noc_largest(const struct dcl1_noc *noc);

/* --- area and static power -------------------------------------------------------- *
 *
 *   area         = a_x sum i o + a_b sum (i + o)
 *   static power = s_i sum i + s_x sum i o (i + o)
 *
 * 22 nm, relative to the 80 x 32 baseline, sums over crossbars; fitted to the ratios that the
 * paper gives (figures 11 and 14), up to 80 ports on a side. Read it as it stands: its own
 * value for the baseline is 0.977 and 0.998. Flits of w bytes instead of 32 (fitted to 18.5 and
 * 4.2 times at w = 160): the first area term times (w/32)^1.9, the second times w/32; static
 * power times (w/32)^0.89. */
struct dcl1_law {
    double area_crosspoint, area_buffer;  /* a_x, a_b */
    double static_input, static_crossing; /* s_i, s_x */
};
extern const struct dcl1_law dcl1_law;
enum { DCL1_LAW_PORTS = 80, DCL1_LAW_FLIT = 32 };
#define DCL1_FLIT_CROSSPOINT 1.9
#define DCL1_FLIT_STATIC 0.89

/* What the laws multiply. */
struct dcl1_sums {
    double crosspoints; /* sum i o */
    double ports;       /* sum (i + o) */
    double inputs;      /* sum i */
    double crossings;   /* sum i o (i + o) */
};
struct dcl1_sums dcl1_noc_sums(const struct dcl1_noc *noc);

/* Relative to the baseline; flit in bytes. */
double dcl1_noc_area(const struct dcl1_noc *noc, double flit);
double dcl1_noc_static_power(const struct dcl1_noc *noc, double flit);

/* --- L1 arrays and queues ----------------------------------------------------------- *
 *
 *   area = Y/80 (capacity of a node / 16 KiB)^log2(1.84),  relative to 80 arrays of 16 KiB
 *
 * An array of twice the capacity is 84 % larger; so half as many of them (Pr40, Sh40) take 8 %
 * less in all: both published. One L1 for all (design "ideal") is a limit, no array: the
 * baseline's stand for it. */
#define DCL1_L1_GROWTH 1.84
enum { DCL1_L1_NODES = 80, DCL1_L1_BYTES = 16 << 10 };
/* `bytes` an SM. */
double dcl1_l1_area(const struct dcl1_noc *noc, double bytes);

/* Queues to and from both NoCs, four entries of a line each; L1s in the SMs need none. Bytes. */
enum { DCL1_QUEUES = 4, DCL1_QUEUE_ENTRIES = 4 };
double dcl1_noc_queues(const struct dcl1_noc *noc, double line);

/* The published ratios behind the law; NaN: not published. */
struct dcl1_published {
    const char *design;
    double area, static_power;
};
extern const struct dcl1_published dcl1_published[]; /* ends with design NULL */

/* Least squares (GSL) over the published ratios. */
int dcl1_law_fit(struct dcl1_law *out, struct error *error);

/* The crossbars of a design by name on X SMs and L slices, as on the machine dcl1. */
int dcl1_noc_of(const char *design, uint32_t cores, uint32_t slices, struct dcl1_noc *out,
                struct error *error);

#endif

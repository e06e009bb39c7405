/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs of DC-L1 (HPCA 2021, section 3) by their names in the paper, and two limits.
 *
 *   baseline     every SM has an L1 of its own
 *   PrY          Y nodes, each the private L1 of its X/Y SMs
 *   ShY          Y nodes that all SMs share, a line's node chosen by its address
 *   ShY+CZ       Z clusters of SMs, each shares M = Y/Z of the nodes; C1 is ShY
 *   ...+Boost    the crossbars between SMs and nodes (NoC#1) at twice their clock
 *   perfect      every read that may look up L1 hits
 *   ideal        one L1 of all the capacity that all SMs share at the baseline's bandwidth */
#ifndef BANDSCAPE_MODELS_DCL1_DESIGN_H
#define BANDSCAPE_MODELS_DCL1_DESIGN_H

#include "machine/machine.h"

struct dcl1_design {
    uint32_t nodes;    /* Y; 0: one an SM */
    uint32_t clusters; /* Z; 0: every node alone */
    bool built;        /* SMs reach the nodes through NoC#1 */
    bool boost;
    bool perfect;
    bool full; /* ideal ports */
};

/* Reads a name; an error says what is wrong with it, by the rule that it breaks. */
int dcl1_design_scan(const char *name, struct dcl1_design *out, struct error *error);

/* What the name sets: for the parameter dcl1.design. */
int dcl1_design_expand(const char *name, struct parameter_expansion *out, struct error *error);

#endif

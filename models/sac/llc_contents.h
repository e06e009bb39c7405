/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an SM-side LLC holds: the shares of its ways that lines of the own and of other
 * domains take (SAC, ISCA 2023), from a direct simulation of sampled sets. */
#ifndef BANDSCAPE_MODELS_SAC_LLC_CONTENTS_H
#define BANDSCAPE_MODELS_SAC_LLC_CONTENTS_H

#include <stdbool.h>

#include "machine/system.h"
#include "profile/caches/written.h"
#include "profile/samplers/sampled_sets.h"

enum { CONTENTS_SAMPLED_SETS = 32 }; /* of a domain */

struct llc_contents {
    struct sampled_sets sets;
    struct written written;        /* lines of these sets, in this launch */
    uint64_t looks, local, remote; /* ways of the set at each look */
};

/* Ratios are NaN when nothing was seen. */
struct llc_contents_result {
    double local_frac, remote_frac; /* of the ways, mean over requests; the rest is empty */
};

void llc_contents_init(struct llc_contents *contents, uint32_t domains, uint32_t sets,
                       uint32_t ways);
void llc_contents_fini(struct llc_contents *contents);

/* Counts begin anew; what the end of the last launch flushed is gone. */
void llc_contents_begin_launch(struct llc_contents *contents, enum level_flush flush);
void llc_contents_take(struct llc_contents *contents, uint32_t requester, uint32_t home,
                       uint64_t line, bool writes);
struct llc_contents_result llc_contents_result(const struct llc_contents *contents);

#endif

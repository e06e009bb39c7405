/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those who look at every line access beside the counts: working sets, use of
 * remote lines (PART_LOCALITY), and the papers' hardware samplers (PART_SAMPLERS). */
#ifndef BANDSCAPE_PROFILE_OBSERVERS_H
#define BANDSCAPE_PROFILE_OBSERVERS_H

#include "profile/samplers/access_window.h"
#include "profile/samplers/crd.h"
#include "profile/samplers/edge.h"
#include "profile/samplers/llc_contents.h"
#include "profile/samplers/mdr_sampler.h"
#include "profile/samplers/merge.h"
#include "profile/record/profile.h"
#include "profile/request.h"
#include "machine/system.h"
#include "profile/samplers/windows.h"

struct observers {
    const struct system *system;
    unsigned parts;
    uint32_t pieces_per_line;
    /* PART_LOCALITY */
    struct windows windows;
    struct edge edge;
    struct merge merge;
    struct access_window uses; /* of this launch */
    /* PART_SAMPLERS; the directory and the sampled sets need an LLC of known size */
    struct access_window engine; /* of the run so far */
    struct crd crd;
    struct mdr_sampler mdr;
    struct llc_contents contents;
};

void observers_init(struct observers *observers, const struct system *system, unsigned parts);
void observers_fini(struct observers *observers);
void observers_begin_launch(struct observers *observers);

/* One line of an access, after L1 and the levels before the LLC; `node` is the L1 that was
 * asked, `round` the clock. */
void observers_take(struct observers *observers, const struct warp_access *access,
                    const struct request *request, uint32_t node, uint64_t round);
/* What such a level writes home: samplers of the LLC see it too. */
void observers_take_writeback(struct observers *observers, const struct request *request);

/* Fields of the launch. */
void observers_fields(const struct observers *observers, double fields[FIELD_COUNT]);
/* Working sets of the run. */
void observers_view(const struct observers *observers, struct arena *arena,
                    struct profile_view *view);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those who look at every line access beside the counts: working sets, use of remote lines
 * (PART_LOCALITY), and the samplers of the parts that are made. */
#ifndef BANDSCAPE_PROFILE_OBSERVERS_H
#define BANDSCAPE_PROFILE_OBSERVERS_H

#include "profile/record/profile.h"
#include "profile/request.h"
#include "profile/samplers/access_window.h"
#include "profile/samplers/windows.h"
#include "machine/system.h"

struct observers {
    const struct system *system;
    unsigned parts;
    uint32_t pieces_per_line;
    /* PART_LOCALITY */
    struct windows windows;
    struct access_window uses; /* of this launch */
    struct observer {
        const struct sampler *sampler;
        void *state;
        int first_field;
    } * samplers, *of_lines, *of_homes; /* all; those that take lines, and requests at home */
    size_t n_samplers, n_of_lines, n_of_homes;
    bool look; /* anybody does */
};

/* What samplers of these parts need (enum sampler_needs). */
unsigned observers_needs(unsigned parts);
/* Whether anybody looks, for these parts. */
bool observers_look(const struct system *system, unsigned parts);

void observers_init(struct observers *observers, const struct system *system, unsigned parts);
void observers_fini(struct observers *observers);
void observers_begin_launch(struct observers *observers);

/* One line of an access, after L1 and the levels before the LLC; `node` is the L1 that was
 * asked, `round` the clock. */
void observers_take(struct observers *observers, const struct warp_access *access,
                    const struct request *request, uint32_t node, uint64_t round);
/* One request that reaches the LLC at home: what such a level writes there. Those of lines are
 * taken with them. */
void observers_take_home(struct observers *observers, const struct request *request);

/* Fields of samplers, of the launch so far; all others are NaN. */
void observers_sampled(const struct observers *observers, double fields[FIELD_COUNT]);
/* Fields of the launch. */
void observers_fields(const struct observers *observers, double fields[FIELD_COUNT]);
/* Working sets of the run. */
void observers_view(const struct observers *observers, struct arena *arena,
                    struct profile_view *view);

#endif

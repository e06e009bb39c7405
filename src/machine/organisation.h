/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An organisation of the last-level cache rewrites the machine's levels. One
 * file `<name>.organisation.c`, ending in its descriptor. */
#ifndef BANDSCAPE_MACHINE_ORGANISATION_H
#define BANDSCAPE_MACHINE_ORGANISATION_H

#include "core/plugin.h"
#include "machine/machine.h"

struct model_builder;  /* model/model.h */
struct profile_record; /* profile/record/profile.h */

/* How an organisation chooses between two others, launch by launch: `other` where the metric of it
 * exceeds (1 + threshold) times that of `usual`. A launch begins as usual, and turns when its
 * window is over. Nothing else names a model: who makes the choice for a simulation, or explains
 * it, finds here what decides. */
struct organisation_choice {
    const char *usual, *other; /* names of organisations */
    const char *model,
        *metric;        /* that decide, whatever model predicts the bandwidth of the choice */
    const char *symbol; /* of the metric, in explanations */
    /* Paths of parameters: the threshold; from what it decides, "exact" (the whole launch) or
     * another name (what was seen in the window); the window's time, and its requests (0: as many
     * as `pace` serves in it). */
    const char *threshold, *decides, *window, *window_requests;
    /* A model and its stream: the rate, as usual, at which a beginning of the launch is served. */
    const char *pace, *pace_stream;
    /* Puts into the record of a launch's beginning what hardware that decides by that name knows of
     * it under `usual`, or predicts of `other`. Errors stay in the builder. */
    void (*see)(struct model_builder *builder, const char *decides, bool other,
                struct profile_record *seen);
    /* Seconds of the links for what turning back from `other` writes home, dirty bytes of all
     * chips (a term), where no end of a launch does so (hardware coherence); -1: no links. */
    int (*write_home)(struct model_builder *builder, int dirty);
};

struct organisation {
    struct plugin plugin; /* kind "organisation" */
    /* Sets the level's scope, side, filter and split. Of an organisation that chooses
     * between others per kernel: what it changes in them; may be NULL. */
    int (*rewrite)(struct machine *machine, struct error *error);
    const struct organisation_choice *choice; /* of one that chooses; NULL: it does not */
    const char *parts; /* of profiles that it needs, "remote"; NULL: the base ones */
    const char *(*parts_of)(const struct machine *machine); /* the same where it depends on the
                                                             * machine; NULL: it does not */
};

/* What has SMs, slices and memory of its own: the scope of an LLC on either side. */
static inline const char *organisation_scope(const struct machine *machine)
{
    struct error ignored;
    double partitions = 1;
    return machine_number(machine, "partitions", &partitions, &ignored) == 0 && partitions > 1
               ? "partition"
               : "chip";
}

/* Sets scope, side and split of "llc" (its filter is "all"), and where its misses go when the
 * machine has a crossbar. */
int organisation_set(struct machine *machine, const char *side, const char *split,
                     const char *misses, struct error *error);
/* Whether that writes the parameter, so that setting it otherwise has no effect. */
bool organisation_sets(const char *path);

#endif

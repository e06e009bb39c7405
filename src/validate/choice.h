/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's choice between two organisations of the LLC, made from what hardware sees and
 * judged by the exact run. */
#ifndef BANDSCAPE_VALIDATE_CHOICE_H
#define BANDSCAPE_VALIDATE_CHOICE_H

#include "profile/record/profile.h"

/* Launches that make requests; of these, those that the exact run and those that what was
 * seen put on the SM side; those for which both say the same. */
struct choice {
    double launches, run_sm_side, seen_sm_side, agree;
    /* Of the predicted EAB of the run, with the exact choices: what is lost by the others.
     * Negative where an exact choice forgoes a gain below llc.theta. */
    double loss_frac;
};

/* `seen` has the same records as `run`, perhaps with other statistics, and `decides` says from what
 * of them the organisation does (its own parameter). A record of it without requests is no reason
 * to leave the memory side, where every kernel begins. */
int choice_compare(const struct profile_view *run, const struct profile_view *seen,
                   const char *decides, const struct machine *machine, struct choice *out,
                   struct error *error);

#endif

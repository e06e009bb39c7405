/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a profile: miss-ratio curves and sharing. */
#ifndef BANDSCAPE_CLI_PROFILE_PLOT_H
#define BANDSCAPE_CLI_PROFILE_PLOT_H

#include "profile/record/profile.h"
#include "report/picture.h"

/* Writes FOLDER/NAME-miss-curves.EXT and FOLDER/NAME-sharing.EXT; of further views
 * FOLDER/NAME-view2-... A picture without data is left out; a profile without any
 * is an error. */
int profile_plot(const struct profile *profile, const char *folder, const char *name,
                 const struct plot_output *how, struct error *error);

#endif

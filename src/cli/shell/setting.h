/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of parameters as a user of the shell writes them. */
#ifndef BANDSCAPE_CLI_SHELL_SETTING_H
#define BANDSCAPE_CLI_SHELL_SETTING_H

#include "machine/machine.h"

/* "384 GB/s" as it is; "*2", "x2", "/2", "+10%", "-10%" and "+32 GB/s" are of the value that the
 * machine has. In the parameter's own unit; not checked against its range. */
int setting_value(const struct parameter *parameter, const char *text, struct text *out,
                  struct error *error);

/* Several: "48,96,192 GB/s", "LOW..HIGH" (as many values as `points`, evenly spread, in the
 * logarithm where the range spans more than a factor of four; fewer whole numbers), names.
 * A number without a unit gets that of the last. */
struct setting_values {
    const char **items; /* in the arena */
    size_t count, capacity;
};
int setting_values(const struct parameter *parameter, const char *text, int points,
                   struct arena *arena, struct setting_values *out, struct error *error);

#endif

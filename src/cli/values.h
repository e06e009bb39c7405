/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a parameter as a user writes them, on a command line and in the shell: one, or several.
 *
 *     192GB/s, 120 cycles, sm-side  the value, a name
 *     *2, x2, /2                    of the machine's own
 *     +10%, -10%, +32GB/s           that much more or less; a sign before a bare number is its own
 *     +-20%                         that much less, as it is, more; or with the sign
 *     48,96,192GB/s                 these; a number without a unit has that of the next one
 *     48..192GB/s, x0.5..x4         doubled from the first on, and the last; of whole numbers each
 *                                   where there are at most nine
 *     48..192GB/s:4                 so many, evenly spread; in the logarithm beyond a factor of
 * four
 */
#ifndef BANDSCAPE_CLI_VALUES_H
#define BANDSCAPE_CLI_VALUES_H

#include "machine/machine.h"

struct values {
    char **items; /* as machine_set reads them; what was written where it was one plain value */
    size_t count, capacity;
};

/* One or more, each once, in the order given; appended. What is relative is of the value that the
 * parameter has. To be finished even when it fails. */
int values_read(const struct parameter *parameter, const char *text, struct values *out,
                struct error *error);
void values_fini(struct values *values);

/* The least and the largest of them, in SI, of a parameter of `machine` that is a number. */
int values_ends(const struct machine *machine, const struct parameter *parameter, const char *text,
                double *low, double *high, struct error *error);

#endif

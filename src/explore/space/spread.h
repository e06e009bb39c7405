/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well a number is known:
 *
 *     +-5%, ±5 %, uniform 5%   anywhere within, as likely here as there: what is known where only
 *                              bounds are stated (Guide to the Expression of Uncertainty in
 *                              Measurement, 4.3.7)
 *     normal 5%                a standard deviation of so much
 *     lognormal 5%             the same of the logarithm's, so that the coefficient of variation is
 *                              that: what is off by factors. The median is the number itself
 *     normal 10 ns             so much, whatever the number is */
#ifndef BANDSCAPE_EXPLORE_SPREAD_H
#define BANDSCAPE_EXPLORE_SPREAD_H

#include "machine/machine.h"

enum spread_kind { SPREAD_UNIFORM, SPREAD_NORMAL, SPREAD_LOGNORMAL };

struct spread {
    const char *path;
    enum spread_kind kind;
    double share; /* relative to the number */
};

/* Of a parameter of the machine that a model reads as a number: what decides over profiles or over
 * the form of equations has no spread, an error that says so. `path` must outlive the spread. */
int spread_read(const struct machine *machine, const char *path, const char *text,
                const struct mark *mark, struct spread *out, struct error *error);

/* The factor of the number in a draw: positive. A normal one that is not is drawn again. */
double spread_factor(const struct spread *spread, uint64_t seed, uint64_t stream, uint64_t draw);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact solution of closed networks with any station by convolution (Buzen, CACM
 * 16(9), 1973; Reiser and Kobayashi 1975 for several classes).
 *
 * The normalisation constant G(n) of the product form is built up station by
 * station; only positive numbers are added and multiplied, with exponents of
 * unlimited range, so that no population makes it unstable, as mean value analysis
 * with load-dependent stations is. Relative errors are about 1e-15 a customer. */
#ifndef BANDSCAPE_QUEUEING_CONVOLUTION_H
#define BANDSCAPE_QUEUEING_CONVOLUTION_H

#include "queueing/network.h"

/* All classes are closed, and `network` is checked. Sets throughputs and residence
 * times of `result`; `pressure`, unless NULL, gets for each station the mean of
 * (j + 1) / rate(j + 1) over its number of customers j: what one more would take,
 * over its demand. Refuses what would take many minutes. */
int queueing_convolution(const struct queueing_network *network, struct queueing_result *result,
                         double *pressure, struct error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What open customers leave of a station to closed ones. */
#ifndef BANDSCAPE_QUEUEING_OPEN_H
#define BANDSCAPE_QUEUEING_OPEN_H

#include "queueing/network.h"

/* A station as closed customers see it under an open load rho (arrivals x demand):
 * its rates with j of them there. With F(j) = sum_i C(i+j, i) rho^i / (rate(1) ...
 * rate(i+j)) over i open customers, rate'(j) = F(j - 1) / F(j); with j closed
 * customers there, (j + 1) rho / rate'(j + 1) open ones are on average (Bruell,
 * Balbo, Afshari, Performance Evaluation 4, 1984). One server: rate' = 1 - rho.
 * free() the rates; beyond *count the last one holds. The load must be bearable. */
double *queueing_open_rates(const struct queueing_station *station, double load, int *count);

#endif

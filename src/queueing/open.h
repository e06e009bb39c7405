/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open classes: single stations with arrivals from outside, and what open
 * customers leave of a station to closed ones. */
#ifndef BANDSCAPE_QUEUEING_OPEN_H
#define BANDSCAPE_QUEUEING_OPEN_H

#include "queueing/network.h"

/* A single station in steady state. */
struct queueing_single {
    double utilisation; /* of each server */
    double idle;        /* probability that nobody is there; NaN where it is not known */
    double waiting;     /* probability that who comes must wait */
    double queue_length;
    double response_s; /* with service */
};

/* M/M/m (Erlang C; m = 1: M/M/1). Refuses what is not a queue, and overload. */
int queueing_mmm(double arrival_per_s, double service_s, int servers, struct queueing_single *out,
                 struct error *error);
/* M/G/1 (Pollaczek and Khinchine): scv is the squared coefficient of variation
 * of service; 0 is M/D/1. */
int queueing_mg1(double arrival_per_s, double service_s, double scv, struct queueing_single *out,
                 struct error *error);

/* A station as closed customers see it under an open load rho (arrivals x demand):
 * its rates with j of them there. With F(j) = sum_i C(i+j, i) rho^i / (rate(1) ...
 * rate(i+j)) over i open customers, rate'(j) = F(j - 1) / F(j); with j closed
 * customers there, (j + 1) rho / rate'(j + 1) open ones are on average (Bruell,
 * Balbo, Afshari, Performance Evaluation 4, 1984). One server: rate' = 1 - rho.
 * free() the rates; beyond *count the last one holds. The load must be bearable. */
double *queueing_open_rates(const struct queueing_station *station, double load, int *count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What warps find that had no slot while older ones went round (schedule.h).
 *
 * Under gto the n oldest of an SM's k warps may take all of its slots; the others go through the
 * program when these have ended. Lines that all warps of the SM read have been brought then, and
 * lie where they fit. Of waits a share g is for lines that another warp has asked for already: of
 * those whose lines w warps share, 1 - 1/w. With lines of a block of V warps and such of all k, the
 * latter are for a share e of all waits,
 *
 *     1 - g = e / k + (1 - e) / V
 *
 * Nothing more is taken from a share that a block's own lines explain. Of what an SM asks for, F
 * lines, S = e c are such, c its waits behind L1 a warp, one after the other. Whoever goes through
 * the program again asks for these, and leaves out what others had for themselves, so that a cache
 * of C lines that replaces the least recently used one has kept of them, behind a whole pass,
 *
 *     1 - min( 1 , (F - C) / (F - S) )          all where F <= C, none where C <= S
 *
 * (until lines that leave and lines that are asked for again meet: F - C lines of the F - S that
 * the second pass has fewer). So the waits are for L1 where it has kept them, else for the LLC,
 * whose F is what a domain touches, with as large a share of S. */
#include <math.h>
#include <stdio.h>

#include "network/demands.h"
#include "network/solution.h"

/* Lines of a cache, as an argument; 0: nobody knows. */
static int lines_of_cache(struct demands *d, const char *level, const char *scope)
{
    char path[32];
    snprintf(path, sizeof path, "%s.capacity", level);
    if (!demands_is_given(d, path))
        return 0;
    int bytes = model_cache_capacity(d->b, level, scope);
    return demands_argument(
        d, term_quotient(d->g, "lines that a cache has", bytes, model_parameter(d->b, "line")));
}

/* Distinct lines that a domain's LLC is asked for in a launch. */
static double lines_touched(const struct demands *d)
{
    double n = d->net->classes, lines = demands_field(d, FIELD_LINES);
    double shared = demands_field(d, FIELD_READ_ONLY_SHARED) / d->system->line_bytes;
    bool home = model_split(d->b, "llc") || model_side(d->b, "llc") == SIDE_HOME;
    return (lines + (home || isnan(shared) ? 0 : (n - 1) * shared)) / n;
}

void demands_set_starved(struct demands *d, struct network_slots *slots)
{
    struct network_starved *s = &slots->starved;
    double block = slots->sm.warps, all = block * fmin(slots->sm.places, slots->sm.blocks);
    double unshared = 1 - slots->together, waits = demands_field(d, FIELD_WAITS);
    if (slots->sm.order != SCHEDULE_OLDEST || all <= block || !(waits > 0))
        return;
    s->everyones = fmin(1, fmax(0, (1 / block - unshared) / (1 / block - 1 / all)));
    s->lines = slots->lines * all;
    s->again = fmin(s->lines, s->everyones * slots->waits / slots->warps);
    s->touched = lines_touched(d);
    s->hit = demands_argument(d, demands_hit_latency(d));
    if (!system_station(d->system, STATION_NODES, 0))
        s->l1 = lines_of_cache(d, "l1", "sm");
    s->llc = lines_of_cache(d, "llc", model_name(d->b, "llc.scope"));
}

/* Of lines that are asked for again those that have left. */
static double gone(double lines, double again, double capacity)
{
    if (lines <= capacity)
        return 0;
    return lines - again > lines - capacity ? (lines - capacity) / (lines - again) : 1;
}

/* Of the wait of a class's chain, what it is for behind the LLC. */
static double behind_llc(const struct work *w, const struct term_operand *args, int c, int from,
                         int p)
{
    const struct network *network = w->network;
    const struct work_waits chain = {.writes = network->chain_writes};
    struct work_path path[PATH_COUNT];
    double behind = 0, all = 0;
    int at = c * CHUNK + p;
    work_paths(network, c, args, from + p, false, path);
    for (int i = PATH_LOCAL; i <= PATH_REMOTE; i++) {
        behind += path[i].waits * (1 - pow(1 - path[i].late, network->burst)) * path[i].behind_s;
        all += path[i].waits;
    }
    double saved = w->way[at] + work_longer(network, c, args, from + p, &chain) - w->wait[at];
    return all > 0 ? fmax(0, behind / all * (1 - network->chain_writes) - fmax(0, saved)) : 0;
}

double work_starved(const struct work *w, const struct term_operand *args, int c, int from, int p,
                    double wait_s)
{
    const struct network_starved *s = &w->network->slots.starved;
    if (!(s->everyones > 0))
        return wait_s;
    double l1 = s->l1 > 0 ? network_argument(args, s->l1, from + p) : 0;
    double llc = s->llc > 0 ? network_argument(args, s->llc, from + p) : 0;
    double share = s->lines > 0 ? s->again / s->lines : 0;
    double left = gone(s->lines, s->again, l1);
    double lost = gone(s->touched, share * s->touched, llc);
    double near_s = fmin(wait_s, network_argument(args, s->hit, from + p));
    double there_s = fmax(near_s, wait_s - behind_llc(w, args, c, from, p));
    double found_s = (1 - left) * near_s + left * ((1 - lost) * there_s + lost * wait_s);
    return wait_s - s->everyones * (wait_s - found_s);
}

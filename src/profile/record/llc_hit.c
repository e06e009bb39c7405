/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves at the capacity and ways of a machine's LLC. */
#include "profile/record/llc_hit.h"

#include <math.h>

/* A machine's LLC as a curve is asked for it. */
struct llc {
    const struct profile_curve *curve;
    double sets, ways;
};

/* The curve of that side and filter; false without curve or machine. */
static bool find_llc(const struct profile_record *record, const struct machine *machine,
                     const char *side, const char *filter, struct llc *out)
{
    const struct profile_curve *curve = profile_curve_find(record, "partition", side, filter);
    bool partition = curve != NULL;
    curve = curve ? curve : profile_curve_find(record, "chip", side, filter);
    struct error ignored;
    double capacity, ways, line, partitions = 1;
    if (!curve || !machine || machine_number(machine, "llc.capacity", &capacity, &ignored) ||
        machine_number(machine, "llc.ways", &ways, &ignored) ||
        machine_number(machine, "line", &line, &ignored) ||
        (partition && machine_number(machine, "partitions", &partitions, &ignored)))
        return false;
    *out = (struct llc){curve, capacity / partitions / line / ways, ways};
    return true;
}

/* Requests of a part of a curve that miss. */
static double misses(const struct llc *llc, enum profile_curve_part part)
{
    const struct curve *curve = profile_curve_part(llc->curve, part);
    if (!curve || curve->requests == 0)
        return 0;
    return (double)curve->requests * curve_miss_ratio(curve, llc->sets, llc->ways);
}

static double curve_hit(const struct profile_record *record, const struct machine *machine,
                        const char *side, const char *filter)
{
    struct llc llc;
    if (!find_llc(record, machine, side, filter, &llc))
        return (double)NAN;
    return 1 - curve_miss_ratio(&llc.curve->curve, llc.sets, llc.ways);
}

double profile_llc_hit(const struct profile_record *record, const struct machine *machine,
                       enum level_side side)
{
    double hit = curve_hit(record, machine, level_side_names[side], "all");
    double given =
        record->fields[side == SIDE_REQUESTER ? FIELD_LLC_HIT_SM_SIDE : FIELD_LLC_HIT_MEMORY_SIDE];
    return isnan(hit) ? given : hit;
}

/* What a sample of the lines and what was skimmed may be off by, independently of each other. */
static double both_at(const struct llc *llc, const struct interval *lines,
                      const struct interval *skimmed)
{
    double a = lines->n_points ? interval_at_sets(lines, llc->sets, llc->ways) : 0;
    double b = skimmed->n_points ? interval_at_sets(skimmed, llc->sets, llc->ways) : 0;
    return hypot(a, b);
}

double profile_llc_hit_half(const struct profile_record *record, const struct machine *machine,
                            enum level_side side)
{
    struct llc llc;
    if (!find_llc(record, machine, level_side_names[side], "all", &llc))
        return isnan(profile_llc_hit(record, machine, side)) ? (double)NAN : 0;
    if (llc.curve->curve.requests == 0)
        return 0;
    return both_at(&llc, &llc.curve->misses_interval, &llc.curve->misses_skimmed) /
           (double)llc.curve->curve.requests;
}

double profile_llc_hit_emptied(const struct profile_record *record, const struct machine *machine,
                               enum level_side side)
{
    struct llc llc;
    double hit = profile_llc_hit(record, machine, side);
    if (!find_llc(record, machine, level_side_names[side], "all", &llc))
        return hit;
    const struct curve *old = profile_curve_part(llc.curve, CURVE_OLD);
    if (!old || llc.curve->curve.requests == 0)
        return hit;
    double hits = (double)old->requests - misses(&llc, CURVE_OLD);
    return fmax(0, hit - hits / (double)llc.curve->curve.requests);
}

double profile_llc_hit_replicated(const struct profile_record *record,
                                  const struct machine *machine)
{
    return curve_hit(record, machine, "home", "replicated");
}

double profile_llc_hit_filled(const struct profile_record *record, const struct machine *machine)
{
    return curve_hit(record, machine, "requester", "filled");
}

double profile_llc_hit_asking(const struct profile_record *record, const struct machine *machine)
{
    return curve_hit(record, machine, "requester", "filled-or-home");
}

double profile_llc_written(const struct profile_record *record, const struct machine *machine,
                           enum level_side side)
{
    struct system system;
    struct error ignored;
    struct llc llc;
    if (!find_llc(record, machine, level_side_names[side], "all", &llc) ||
        system_compile(&system, machine, 0, &ignored))
        return (double)NAN;
    unsigned known = 1U << CURVE_EVICTED | 1U << CURVE_DIRTY;
    if (llc.curve->has >> CURVE_READS & 1 && !(llc.curve->has & known) &&
        llc.curve->written_interval.n_points == 0 && /* a sample may have met none */
        llc.curve->written_skimmed.n_points == 0)
        return (double)NAN;
    const struct curve *dirty = profile_curve_part(llc.curve, CURVE_DIRTY);
    double home = misses(&llc, CURVE_EVICTED) - misses(&llc, CURVE_BEFORE);
    if (dirty && system_flush(&system, system_llc(&system), side) != FLUSH_NONE)
        home += (double)dirty->requests - misses(&llc, CURVE_DIRTY);
    return home < 1 ? 0 : home * system.request_bytes;
}

double profile_llc_written_half(const struct profile_record *record, const struct machine *machine,
                                enum level_side side)
{
    struct system system;
    struct error ignored;
    struct llc llc;
    if (isnan(profile_llc_written(record, machine, side)) ||
        !find_llc(record, machine, level_side_names[side], "all", &llc) ||
        system_compile(&system, machine, 0, &ignored))
        return (double)NAN;
    return both_at(&llc, &llc.curve->written_interval, &llc.curve->written_skimmed) *
           system.request_bytes;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves at the capacity and ways of a machine's LLC. */
#include "profile/record/llc_hit.h"

#include <math.h>

/* From the curve of that side and filter; NaN without curve or machine. */
static double curve_hit(const struct profile_record *record, const struct machine *machine,
                        const char *side, const char *filter)
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
        return (double)NAN;
    capacity /= partitions;
    return 1 - curve_miss_ratio(&curve->curve, capacity / line / ways, ways);
}

double profile_llc_hit(const struct profile_record *record, const struct machine *machine,
                       enum level_side side)
{
    double hit = curve_hit(record, machine, level_side_names[side], "all");
    double given =
        record->fields[side == SIDE_REQUESTER ? FIELD_LLC_HIT_SM_SIDE : FIELD_LLC_HIT_MEMORY_SIDE];
    return isnan(hit) ? given : hit;
}

double profile_llc_hit_replicated(const struct profile_record *record,
                                  const struct machine *machine)
{
    return curve_hit(record, machine, "home", "replicated");
}

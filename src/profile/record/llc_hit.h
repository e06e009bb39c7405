/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hit rates and write-backs of a machine's LLC in one record of a profile. */
#ifndef BANDSCAPE_PROFILE_LLC_HIT_H
#define BANDSCAPE_PROFILE_LLC_HIT_H

#include "machine/system.h"
#include "profile/record/profile.h"

/* From the curve, else (and without a machine) as given by hand; NaN: unknown. */
double profile_llc_hit(const struct profile_record *record, const struct machine *machine,
                       enum level_side side);

/* What that may be off by, where it is from a sample of the lines: half of the interval that holds
 * it with 95 % (record/interval.h). 0 where all lines were taken or it is given by hand; NaN:
 * unknown. Of several launches, misses and bytes add up, as they have one sample. */
double profile_llc_hit_half(const struct profile_record *record, const struct machine *machine,
                            enum level_side side);

/* The same of an LLC that was emptied when the launch began, as one that turns to another side is.
 */
double profile_llc_hit_emptied(const struct profile_record *record, const struct machine *machine,
                               enum level_side side);

/* Memory-side, with the read-only shared lines replicated (PART_REPLICATION); NaN: unknown. */
double profile_llc_hit_replicated(const struct profile_record *record,
                                  const struct machine *machine);

/* Of partitions that ask each other's slices (crossing), which keep what all of these requests are
 * for: of the own ones; of these and the home's. NaN: unknown. */
double profile_llc_hit_filled(const struct profile_record *record, const struct machine *machine);
double profile_llc_hit_asking(const struct profile_record *record, const struct machine *machine);

/* Bytes that it writes home in the launch, and with its end's flush: nothing there without one.
 * NaN: unknown. */
double profile_llc_written(const struct profile_record *record, const struct machine *machine,
                           enum level_side side);
double profile_llc_written_half(const struct profile_record *record, const struct machine *machine,
                                enum level_side side);

#endif

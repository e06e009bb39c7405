/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CORE_VERSION_H
#define BANDSCAPE_CORE_VERSION_H

#define BANDSCAPE_VERSION "0.1.0"

/* Of the CSV, JSON and YAML that is printed and written for other programs: one more when a field
 * goes, changes its name, its unit or its meaning, or a table its rows. Fields that are added do
 * not count: readers go by name. It stands where it is in nobody's way: `--version` prints it, and
 * the manifest of a sweep (for its CSV files) and columns.yaml have it. CSV stays a header and
 * rows, JSON an array of objects, which every reader takes as they are. */
#define BANDSCAPE_SCHEMA 1

#endif

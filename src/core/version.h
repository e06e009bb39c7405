/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CORE_VERSION_H
#define BANDSCAPE_CORE_VERSION_H

#define BANDSCAPE_VERSION "0.1.0"

/* Of the CSV, JSON and YAML that is printed and written for other programs: one more when a field
 * goes, changes its name, its unit or its meaning, or a table its rows. Fields that are added do not
 * count: readers go by name. */
#define BANDSCAPE_SCHEMA 1

#endif

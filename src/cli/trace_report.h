/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How `bandscape trace info` shows what traces hold, on the standard output. */
#ifndef BANDSCAPE_CLI_TRACE_REPORT_H
#define BANDSCAPE_CLI_TRACE_REPORT_H

#include <stddef.h>

#include "trace/statistics.h"

struct trace_subject {
    struct source *source;
    struct statistics *statistics;
};

void trace_report_tables(const struct trace_subject *subjects, size_t count);
void trace_report_json(const struct trace_subject *subjects, size_t count);
/* One row a kernel. */
void trace_report_csv(const struct trace_subject *subjects, size_t count);
/* What the streams leave out, as messages for the user. */
void trace_report_warnings(const struct trace_subject *subjects, size_t count);

#endif

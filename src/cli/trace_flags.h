/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape trace flags: how to build programs that trace themselves. */
#ifndef BANDSCAPE_CLI_TRACE_FLAGS_H
#define BANDSCAPE_CLI_TRACE_FLAGS_H

#include "cli/command.h"

int trace_flags(const struct invocation *inv, struct error *error);

#endif

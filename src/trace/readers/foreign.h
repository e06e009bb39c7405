/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that people try as traces, and what to do with them. */
#ifndef BANDSCAPE_TRACE_FOREIGN_H
#define BANDSCAPE_TRACE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

/* True, with error and hint, for a file that no reader knows but that is something known: by its
 * name or by its first bytes. */
bool foreign_explain(const char *path, const char *head, size_t size, struct error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that a launch writes: known before it is issued, since what it only reads may be
 * replicated (NUBA, ASPLOS 2023, section 5), for which the kernel's warps are read once, in any
 * order; or noted as it goes, for what leaves at its end. */
#ifndef BANDSCAPE_PROFILE_WRITTEN_H
#define BANDSCAPE_PROFILE_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

struct written {
    uint64_t *lines; /* number + 1; 0: empty; open addressing */
    size_t count;
    uint32_t bits;
    uint64_t local; /* lines from there on are of local memory, which is written; 0: is not known */
};

void written_init(struct written *written);
void written_fini(struct written *written);

/* Forgets the last launch's and gathers this one's, which may then be issued. */
int written_gather(struct written *written, struct stream *stream,
                   const struct stream_kernel *kernel, uint32_t line_bytes, struct error *error);

/* The same by hand. */
void written_clear(struct written *written);
void written_add(struct written *written, uint64_t line);
/* All lines, in no order that means anything: begin with *at = 0; false behind the last. */
bool written_next(const struct written *written, size_t *at, uint64_t *line);

bool written_has(const struct written *written, uint64_t line);

#endif

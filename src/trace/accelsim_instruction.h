/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One instruction line of an Accel-Sim trace:
 *
 *     [tbx tby tbz warp]  [line]  PC mask  n R*n  OPCODE  n R*n  width  [mode addresses]
 * [immediate] version < 3         lineinfo = 1
 */
#ifndef BANDSCAPE_TRACE_ACCELSIM_INSTRUCTION_H
#define BANDSCAPE_TRACE_ACCELSIM_INSTRUCTION_H

#include <stdint.h>

#include "trace/accelsim_header.h"
#include "trace/accelsim_opcode.h"
#include "trace/stream.h"

struct accelsim_instruction {
    uint32_t place[4]; /* tbx, tby, tbz, warp; only of version < 3 */
    uint32_t mask;
    const char *opcode; /* in the line */
    uint32_t opcode_length;
    uint32_t width;        /* as printed; 0: no address */
    const char *addresses; /* behind the width */
};

/* Addresses are read into `access`; lists into `list`. */
struct accelsim_addresses {
    struct warp_access access; /* base, stride, addresses, mask */
    uint64_t list[WARP_LANES];
    bool bulk; /* a mode of bulk copies: nothing was read */
};

/* NULL, or what was expected at *at. */
const char *accelsim_instruction_read(const char **at, const struct accelsim_header *header,
                                      struct accelsim_instruction *out);

/* Reads "mode addresses" for the lanes of `mask` (not 0). NULL, or what was
 * expected at *at. */
const char *accelsim_addresses_read(const char **at, uint32_t mask, struct accelsim_addresses *out);

#endif

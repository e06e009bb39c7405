/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an instruction of an Accel-Sim trace to an access in the spool: what
 * grouped and raw traces have in common. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_ACCESS_H
#define BANDSCAPE_TRACE_ACCELSIM_ACCESS_H

#include "trace/readers/accelsim_header.h"
#include "trace/readers/accelsim_instruction.h"
#include "trace/readers/accelsim_registers.h"
#include "trace/input/line_reader.h"
#include "trace/spool/spool.h"

struct accelsim_decoder {
    struct line_reader *lines;
    const struct accelsim_header *header;
    struct spool *spool;
    struct stream_kernel *kernel;
    struct accelsim_addresses addresses;
    struct accelsim_registers *registers; /* of the warp */
};

/* The number of a thread block, which must be in the grid; `at` is for messages. */
int accelsim_cta(const struct accelsim_decoder *decoder, const uint32_t block[3], const char *at,
                 uint64_t *cta, struct error *error);

/* Counts one instruction of a warp and adds its access to global memory, if it
 * has one. *instructions: of the warp since its last access. */
int accelsim_decode(struct accelsim_decoder *decoder, const struct accelsim_instruction *in,
                    uint64_t cta, uint32_t warp, uint64_t *instructions, struct error *error);

/* The instructions of a warp behind its last access. */
int accelsim_finish_warp(struct accelsim_decoder *decoder, uint64_t cta, uint32_t warp,
                         uint64_t *instructions, struct error *error);

#endif

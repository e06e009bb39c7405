/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loads of a warp an instruction needs, by the registers that it reads and writes: an
 * instruction that names a register which a load before it has yet to fill waits for that load, and
 * so for those before it. Registers are named one by one, but a load of 8 or 16 bytes a lane fills
 * two or four that follow each other. DEPBAR waits for copies to shared memory (LDGSTS), which fill
 * none; SYNCS.PHASECHK for the bulk copies of this warp (TMA) that arrive at the barrier it looks
 * at. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_REGISTERS_H
#define BANDSCAPE_TRACE_ACCELSIM_REGISTERS_H

#include "trace/readers/accelsim_instruction.h"

enum { ACCELSIM_BARRIERS = 32 }; /* of bulk copies: the last ones are known */

/* Of a warp; all 0 when it begins. */
struct accelsim_registers {
    uint32_t issued;   /* accesses */
    uint32_t needed;   /* of these, so many from the first on */
    uint32_t ordinary; /* so many up to the last that is of no bulk copy */
    struct accelsim_arrival {
        uint32_t barrier, issued; /* the last access that arrives there; 0: nobody */
    } arrivals[ACCELSIM_BARRIERS];
    uint32_t n_arrivals;
    uint32_t loaded[ACCELSIM_REGISTERS]; /* number + 1 of the access that fills it; 0: none */
};

/* The next instruction of the warp issues. */
void accelsim_registers_use(struct accelsim_registers *registers,
                            const struct accelsim_instruction *instruction);

/* It is that access, or that part of it, of `bytes` a lane in all: sets what the access goes ahead
 * of. */
void accelsim_registers_access(struct accelsim_registers *registers,
                               const struct accelsim_instruction *instruction, uint32_t bytes,
                               struct warp_access *access);

/* The accesses so far, from a bulk copy, arrive at a barrier in shared memory; somebody waits for
 * it. Addresses are told apart within 16 MiB. */
void accelsim_registers_arrive(struct accelsim_registers *registers, uint64_t barrier);
void accelsim_registers_await(struct accelsim_registers *registers, uint64_t barrier);

#endif

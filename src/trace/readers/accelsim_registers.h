/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loads of a warp an instruction needs, by the registers that it reads and writes: an
 * instruction that names a register which a load before it has yet to fill waits for that load, and
 * so for those before it. Registers are named one by one, but a load of 8 or 16 bytes a lane fills
 * two or four that follow each other. DEPBAR waits for copies to shared memory (LDGSTS), which fill
 * none. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_REGISTERS_H
#define BANDSCAPE_TRACE_ACCELSIM_REGISTERS_H

#include "trace/readers/accelsim_instruction.h"

/* Of a warp; all 0 when it begins. */
struct accelsim_registers {
    uint32_t issued;                     /* accesses */
    uint32_t needed;                     /* of these, so many from the first on */
    uint32_t loaded[ACCELSIM_REGISTERS]; /* number + 1 of the access that fills it; 0: none */
};

/* The next instruction of the warp issues. */
void accelsim_registers_use(struct accelsim_registers *registers,
                            const struct accelsim_instruction *instruction);

/* It is that access: sets what the access goes ahead of. */
void accelsim_registers_access(struct accelsim_registers *registers,
                               const struct accelsim_instruction *instruction,
                               struct warp_access *access);

#endif

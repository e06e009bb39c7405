/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/accelsim_registers.h"

#include <string.h>

static void need(struct accelsim_registers *registers, uint32_t access)
{
    registers->needed = access > registers->needed ? access : registers->needed;
}

void accelsim_registers_use(struct accelsim_registers *registers,
                            const struct accelsim_instruction *instruction)
{
    static const char barrier[] = "DEPBAR";
    const struct accelsim_names *read = &instruction->read, *written = &instruction->written;
    for (uint32_t i = 0; i < read->count; i++)
        need(registers, registers->loaded[read->numbers[i]]);
    for (uint32_t i = 0; i < written->count; i++) {
        need(registers, registers->loaded[written->numbers[i]]);
        registers->loaded[written->numbers[i]] = 0;
    }
    if (instruction->opcode_length >= strlen(barrier) &&
        memcmp(instruction->opcode, barrier, strlen(barrier)) == 0)
        need(registers, registers->issued);
}

void accelsim_registers_access(struct accelsim_registers *registers,
                               const struct accelsim_instruction *instruction,
                               struct warp_access *access)
{
    enum { REGISTER_BYTES = 4 };
    const struct accelsim_names *written = &instruction->written;
    uint32_t ahead = registers->issued - registers->needed;
    access->ahead = (uint8_t)(ahead < WARP_AHEAD_MOST ? ahead : WARP_AHEAD_MOST);
    registers->issued++;
    for (uint32_t i = 0; i < written->count; i++)
        for (uint32_t k = 0; k == 0 || k < access->bytes / REGISTER_BYTES; k++)
            if (written->numbers[i] + k < ACCELSIM_REGISTERS)
                registers->loaded[written->numbers[i] + k] = registers->issued;
}

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
        need(registers, registers->ordinary);
}

void accelsim_registers_access(struct accelsim_registers *registers,
                               const struct accelsim_instruction *instruction, uint32_t bytes,
                               struct warp_access *access)
{
    enum { REGISTER_BYTES = 4 };
    const struct accelsim_names *written = &instruction->written;
    uint32_t ahead = registers->issued - registers->needed;
    access->ahead = (uint8_t)(ahead < WARP_AHEAD_MOST ? ahead : WARP_AHEAD_MOST);
    registers->issued++;
    if (access->flags & ACCESS_BULK)
        return;
    registers->ordinary = registers->issued;
    for (uint32_t i = 0; i < written->count; i++)
        for (uint32_t k = 0; k == 0 || k < bytes / REGISTER_BYTES; k++)
            if (written->numbers[i] + k < ACCELSIM_REGISTERS)
                registers->loaded[written->numbers[i] + k] = registers->issued;
}

static uint32_t barrier_of(uint64_t address)
{
    return (uint32_t)address & 0xffffff;
}

void accelsim_registers_arrive(struct accelsim_registers *registers, uint64_t barrier)
{
    uint32_t known = registers->n_arrivals < ACCELSIM_BARRIERS ? registers->n_arrivals
                                                               : ACCELSIM_BARRIERS,
             at = 0;
    while (at < known && registers->arrivals[at].barrier != barrier_of(barrier))
        at++;
    if (at == known)
        at = registers->n_arrivals++ % ACCELSIM_BARRIERS;
    registers->arrivals[at] = (struct accelsim_arrival){barrier_of(barrier), registers->issued};
}

void accelsim_registers_await(struct accelsim_registers *registers, uint64_t barrier)
{
    for (uint32_t i = 0; i < ACCELSIM_BARRIERS && i < registers->n_arrivals; i++)
        if (registers->arrivals[i].barrier == barrier_of(barrier))
            need(registers, registers->arrivals[i].issued);
}

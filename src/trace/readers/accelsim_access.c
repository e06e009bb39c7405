/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/accelsim_access.h"

#include "trace/input/scan.h"
#include "trace/spool/spooled.h"

int accelsim_cta(const struct accelsim_decoder *decoder, const uint32_t block[3], const char *at,
                 uint64_t *cta, struct error *error)
{
    const uint32_t *grid = decoder->kernel->grid;
    if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2]) {
        return line_reader_error(decoder->lines, at, error,
                                 "thread block %u,%u,%u is outside the grid (%u,%u,%u)", block[0],
                                 block[1], block[2], grid[0], grid[1], grid[2]);
    }
    *cta = block[0] + (uint64_t)grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
    return 0;
}

static uint32_t accelsim_take(uint64_t *instructions)
{
    uint64_t count = *instructions;
    *instructions = 0;
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* --- generic addresses ------------------------------------------------------ */

/* Two windows of the generic address space, side by side: shared and local
 * memory. The lower one reaches up to the upper one, which has at least the
 * 16 MiB of the hardware and as much as the lower one (up to 4 GiB). */
static enum opcode_space accelsim_space(const struct accelsim_header *header, uint64_t address)
{
    uint64_t shared = header->shared_base, local = header->local_base;
    if (shared == 0 || local == 0)
        return OPCODE_GLOBAL;
    uint64_t low = shared < local ? shared : local, high = shared < local ? local : shared;
    uint64_t reach = high - low;
    reach = reach < (uint64_t)1 << 24 ? (uint64_t)1 << 24 : reach;
    reach = reach > (uint64_t)1 << 32 ? (uint64_t)1 << 32 : reach;
    if (address < low || address - low >= high - low + reach)
        return OPCODE_GLOBAL;
    return (address < high) == (shared < local) ? OPCODE_ON_CHIP : OPCODE_LOCAL;
}

/* Keeps the lanes of a generic access that go to global memory. */
static void accelsim_keep_global(struct accelsim_decoder *decoder, struct warp_access *access)
{
    uint64_t *list = decoder->addresses.list;
    uint32_t kept = 0;
    int count = 0, k = 0;
    bool local = false;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1, k++) {
        uint64_t address = warp_access_address(access, k);
        enum opcode_space space = accelsim_space(decoder->header, address);
        local |= space == OPCODE_LOCAL;
        if (space != OPCODE_GLOBAL)
            continue;
        list[count++] = address; /* count <= k: never ahead of what is read */
        kept |= rest & -rest;
    }
    decoder->kernel->dropped.local += local;
    if (kept != access->mask) {
        access->addresses = list;
        access->mask = kept;
    }
}

/* --- instructions ----------------------------------------------------------- */

static int accelsim_add_access(struct accelsim_decoder *decoder,
                               const struct accelsim_instruction *in, struct opcode opcode,
                               uint64_t cta, uint32_t warp, uint64_t *instructions,
                               struct error *error)
{
    const char *at = in->addresses;
    struct warp_access *access = &decoder->addresses.access;
    const char *wanted = accelsim_addresses_read(&at, in->mask, &decoder->addresses);
    if (wanted)
        return line_reader_expected(decoder->lines, at, wanted, error);
    if (decoder->addresses.bulk) {
        decoder->kernel->dropped.bulk++;
        return 0;
    }
    access->bytes = opcode.bytes;
    access->kind = opcode.kind;
    access->flags = opcode.flags;
    access->path = opcode.path;
    if (!spooled_check_addresses(access))
        return line_reader_expected(decoder->lines, scan_blanks(in->addresses),
                                    "addresses below 2^60 for all lanes", error);
    if (opcode.space == OPCODE_GENERIC)
        accelsim_keep_global(decoder, access);
    if (access->mask == 0)
        return 0;
    access->instructions = accelsim_take(instructions);
    accelsim_registers_access(decoder->registers, in, access);
    return spool_add(decoder->spool, cta, warp, access, error);
}

int accelsim_decode(struct accelsim_decoder *decoder, const struct accelsim_instruction *in,
                    uint64_t cta, uint32_t warp, uint64_t *instructions, struct error *error)
{
    ++*instructions;
    accelsim_registers_use(decoder->registers, in);
    /* Bulk copies (UTMA..., UBLK...) may come without a printed width. */
    bool bulk = in->opcode[0] == 'U' && (in->opcode[1] == 'T' || in->opcode[1] == 'B');
    if (in->mask == 0 || (in->width == 0 && !bulk))
        return 0;
    struct opcode opcode = opcode_read(in->opcode, in->opcode_length);
    switch (opcode.space) {
    case OPCODE_GLOBAL:
    case OPCODE_GENERIC:
        return accelsim_add_access(decoder, in, opcode, cta, warp, instructions, error);
    case OPCODE_LOCAL:
        decoder->kernel->dropped.local++;
        break;
    case OPCODE_BULK:
        decoder->kernel->dropped.bulk++;
        break;
    case OPCODE_UNKNOWN:
        decoder->kernel->dropped.unknown += in->width > 0;
        break;
    case OPCODE_ON_CHIP:
        break;
    }
    return 0;
}

int accelsim_finish_warp(struct accelsim_decoder *decoder, uint64_t cta, uint32_t warp,
                         uint64_t *instructions, struct error *error)
{
    if (*instructions == 0)
        return 0;
    struct warp_access rest = {.kind = ACCESS_NONE, .instructions = accelsim_take(instructions)};
    return spool_add(decoder->spool, cta, warp, &rest, error);
}

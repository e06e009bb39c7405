/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/accelsim_access.h"

#include <string.h>

#include "trace/input/scan.h"
#include "trace/readers/accelsim_bulk.h"
#include "trace/readers/local_parts.h"
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

/* Keeps the lanes of a generic access that go to global memory; those that go to local memory
 * become `local`, by their offsets there, with a list of its own. */
static void accelsim_keep_global(struct accelsim_decoder *decoder, struct warp_access *access,
                                 struct warp_access *local, uint64_t *local_list)
{
    uint64_t *list = decoder->addresses.list;
    uint32_t kept = 0;
    int count = 0, n_local = 0, k = 0;
    *local = *access;
    local->addresses = local_list;
    local->mask = 0;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1, k++) {
        uint64_t address = warp_access_address(access, k);
        enum opcode_space space = accelsim_space(decoder->header, address);
        if (space == OPCODE_LOCAL) {
            local_list[n_local++] = address - decoder->header->local_base;
            local->mask |= rest & -rest;
        }
        if (space != OPCODE_GLOBAL)
            continue;
        list[count++] = address; /* count <= k: never ahead of what is read */
        kept |= rest & -rest;
    }
    if (kept != access->mask) {
        access->addresses = list;
        access->mask = kept;
    }
}

/* --- instructions ----------------------------------------------------------- */

/* Whose accesses they are, and where the instruction stands. */
struct accelsim_warp {
    struct accelsim_decoder *decoder;
    const struct accelsim_instruction *in;
    uint64_t cta, *instructions;
    uint32_t warp;
};

/* One access, or the next part of an instruction; `bytes` a lane in all. */
static int accelsim_add(const struct accelsim_warp *of, struct warp_access *access, uint32_t bytes,
                        struct error *error)
{
    access->instructions = accelsim_take(of->instructions);
    access->flags |= access->instructions ? 0 : ACCESS_PART;
    accelsim_registers_access(of->decoder->registers, of->in, bytes, access);
    return spool_add(of->decoder->spool, of->cta, of->warp, access, error);
}

/* By offsets in the threads' windows. */
static int accelsim_add_local(const struct accelsim_warp *of, const struct warp_access *offsets,
                              struct error *error)
{
    struct warp_access part;
    uint64_t list[WARP_LANES];
    int n = local_parts(offsets), status = 0;
    of->decoder->kernel->dropped.local += n == 0;
    for (int i = 0; i < n && !status; i++) {
        local_part(offsets, i, &part, list);
        status = accelsim_add(of, &part, offsets->bytes, error);
    }
    return status;
}

/* LDL and STL: tracers print the offset in the window, 0xfffc70, or where it is among generic
 * addresses. */
static void accelsim_local_offsets(struct accelsim_decoder *decoder, struct warp_access *access)
{
    uint64_t *list = decoder->addresses.list, base = decoder->header->local_base;
    for (int k = warp_access_lanes(access) - 1; k >= 0; k--) {
        uint64_t address = warp_access_address(access, k);
        bool generic = address >= LOCAL_WINDOW_BYTES && base && address >= base;
        list[k] = generic ? address - base : address;
    }
    access->addresses = list;
}

static int accelsim_add_bulk(const struct accelsim_warp *of, struct opcode opcode,
                             struct error *error)
{
    struct accelsim_decoder *decoder = of->decoder;
    struct accelsim_bulk bulk;
    struct warp_access access;
    uint64_t list[WARP_LANES];
    const char *at = of->in->addresses;
    bool sized = false;
    if (decoder->header->version < BULK_VERSION || opcode.kind == ACCESS_NONE || scan_end(at)) {
        decoder->kernel->dropped.bulk++;
        return 0;
    }
    const char *wanted = accelsim_bulk_read(&at, of->in->width, &bulk, &sized);
    if (!wanted && !sized)
        decoder->kernel->dropped.bulk++;
    while (!wanted && sized) {
        wanted = accelsim_bulk_next(&bulk, &at, &access, list);
        if (wanted || !access.mask)
            break;
        access.kind = opcode.kind;
        access.flags = opcode.flags;
        if (!spooled_check_addresses(&access))
            return line_reader_expected(decoder->lines, at, "addresses below 2^60 for all bytes",
                                        error);
        int status = accelsim_add(of, &access, access.bytes, error);
        if (status)
            return status;
    }
    if (wanted)
        return line_reader_expected(decoder->lines, at, wanted, error);
    if (opcode.kind == ACCESS_READ)
        accelsim_registers_arrive(decoder->registers, bulk.barrier);
    return 0;
}

static int accelsim_add_access(const struct accelsim_warp *of, struct opcode opcode,
                               struct error *error)
{
    struct accelsim_decoder *decoder = of->decoder;
    const char *at = of->in->addresses;
    struct warp_access *access = &decoder->addresses.access, local = {.mask = 0};
    uint64_t local_list[WARP_LANES];
    const char *wanted = accelsim_addresses_read(&at, of->in->mask, &decoder->addresses);
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
        return line_reader_expected(decoder->lines, scan_blanks(of->in->addresses),
                                    "addresses below 2^60 for all lanes", error);
    if (opcode.space == OPCODE_LOCAL) {
        accelsim_local_offsets(decoder, access);
        return accelsim_add_local(of, access, error);
    }
    if (opcode.space == OPCODE_GENERIC)
        accelsim_keep_global(decoder, access, &local, local_list);
    int status = access->mask ? accelsim_add(of, access, access->bytes, error) : 0;
    return status || !local.mask ? status : accelsim_add_local(of, &local, error);
}

/* Whoever looks at the barrier of a bulk copy waits for it. */
static int accelsim_await(const struct accelsim_warp *of, struct error *error)
{
    static const char looks[] = "SYNCS.PHASECHK";
    const struct accelsim_instruction *in = of->in;
    const char *at = in->addresses;
    struct accelsim_addresses *addresses = &of->decoder->addresses;
    if (in->opcode_length < strlen(looks) || memcmp(in->opcode, looks, strlen(looks)) != 0 ||
        of->decoder->registers->n_arrivals == 0)
        return 0;
    const char *wanted = accelsim_addresses_read(&at, in->mask, addresses);
    if (wanted)
        return line_reader_expected(of->decoder->lines, at, wanted, error);
    if (!addresses->bulk)
        accelsim_registers_await(of->decoder->registers, addresses->access.base);
    return 0;
}

int accelsim_decode(struct accelsim_decoder *decoder, const struct accelsim_instruction *in,
                    uint64_t cta, uint32_t warp, uint64_t *instructions, struct error *error)
{
    const struct accelsim_warp of = {decoder, in, cta, instructions, warp};
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
    case OPCODE_LOCAL:
        return accelsim_add_access(&of, opcode, error);
    case OPCODE_BULK:
        return accelsim_add_bulk(&of, opcode, error);
    case OPCODE_UNKNOWN:
        decoder->kernel->dropped.unknown += in->width > 0;
        break;
    case OPCODE_ON_CHIP:
        return accelsim_await(&of, error);
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

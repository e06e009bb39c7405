/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning of instruction lines: almost all the time of reading a trace. */
#include "trace/readers/accelsim_instruction.h"

#include <string.h>

#include "trace/input/scan.h"

enum { ACCELSIM_SM_MAX = 65535 };

/* "R6", "UR4"; false for none of those that are told apart. */
static bool accelsim_register(const char *at, uint16_t *number)
{
    enum { NOBODY = 255 };
    bool uniform = *at == 'U';
    uint64_t value;
    at += uniform;
    if (*at++ != 'R' || !scan_decimal_digits(&at, &value) || value >= (uniform ? 64 : NOBODY))
        return false;
    *number = (uint16_t)(value + (uniform ? ACCELSIM_UNIFORM : 0));
    return true;
}

/* "2 R6 UR4": a count and as many register names. */
static const char *accelsim_read_registers(const char **at, struct accelsim_names *out)
{
    enum { REGISTERS_MAX = 64 };
    uint64_t count;
    if (!scan_decimal(at, REGISTERS_MAX, &count))
        return "a number of registers";
    const char *p = *at;
    out->count = 0;
    for (; count > 0; count--) {
        p = scan_blanks(p);
        if (*p < 'A' || *p > 'Z') {
            *at = p;
            return "a register such as R4 or UR4";
        }
        if (out->count < ACCELSIM_NAMES)
            out->count += accelsim_register(p, &out->numbers[out->count]);
        p = scan_field_end(p);
    }
    *at = p;
    return NULL;
}

/* The columns behind thread block and warp. */
static const char *accelsim_read_columns(const char **at, const struct accelsim_header *header,
                                         struct accelsim_instruction *out)
{
    uint64_t value;
    uint32_t skipped = header->columns;
    if (header->columns == ACCELSIM_CORE) {
        if (!scan_decimal(at, ACCELSIM_SM_MAX, &value))
            return "an SM from 0 to 65535";
        out->sm = (uint32_t)value;
        skipped = 1;
    }
    for (; skipped > 0; skipped--)
        if (!scan_decimal(at, UINT32_MAX, &value))
            return header->columns == ACCELSIM_CORE ? "the warp of the SM"
                                                    : "the cluster, 7 numbers";
    return NULL;
}

static const char *accelsim_read_place(const char **at, const struct accelsim_header *header,
                                       struct accelsim_instruction *out)
{
    uint64_t value;
    for (int i = 0; i < 4; i++) {
        if (!scan_decimal(at, UINT32_MAX, &value))
            return i < 3 ? "the thread block, as raw traces and tracers before version 3 write it"
                         : "the warp, as raw traces and tracers before version 3 write it";
        out->place[i] = (uint32_t)value;
    }
    return header->columns ? accelsim_read_columns(at, header, out) : NULL;
}

/* Hopper's matrix instructions (HGMMA): what stands here of them, before the width, is whether they
 * end a group. They read shared memory alone. */
static bool accelsim_is_warpgroup(const char *opcode, uint32_t length)
{
    return length >= 5 && memcmp(opcode + 1, "GMMA", 4) == 0;
}

const char *accelsim_instruction_read(const char **at, const struct accelsim_header *header,
                                      struct accelsim_instruction *out)
{
    uint64_t value;
    const char *wanted = header->placed ? accelsim_read_place(at, header, out) : NULL;
    if (wanted)
        return wanted;
    if (header->lineinfo && !scan_decimal(at, UINT64_MAX, &value))
        return "a source line (the header says \"enable lineinfo = 1\")";
    if (!scan_hex(at, UINT64_MAX, &value))
        return "the program counter in hexadecimal";
    if (!scan_hex(at, UINT32_MAX, &value))
        return "a mask of 8 hexadecimal digits";
    out->mask = (uint32_t)value;
    if ((wanted = accelsim_read_registers(at, &out->written)))
        return wanted;
    *at = out->opcode = scan_blanks(*at);
    if (*out->opcode < 'A' || *out->opcode > 'Z')
        return "an opcode";
    *at = scan_field_end(out->opcode);
    out->opcode_length = (uint32_t)(*at - out->opcode);
    if ((wanted = accelsim_read_registers(at, &out->read)))
        return wanted;
    bool matrix = accelsim_is_warpgroup(out->opcode, out->opcode_length);
    if (!scan_decimal(at, UINT32_MAX, &value))
        return "the width of the memory access, 0 for none";
    out->width = matrix ? 0 : (uint32_t)value;
    out->addresses = *at;
    return NULL;
}

const char *accelsim_addresses_read(const char **at, uint32_t mask, struct accelsim_addresses *out)
{
    enum { MODE_LIST, MODE_STRIDE, MODE_DELTAS, MODE_BULK_LIST, MODE_BULK_DELTAS };
    int lanes = __builtin_popcount(mask);
    uint64_t mode;
    int64_t delta;
    out->access = (struct warp_access){.mask = mask};
    out->bulk = false;
    if (!scan_decimal(at, MODE_BULK_DELTAS, &mode))
        return "an address mode, 0 to 4";
    if (mode >= MODE_BULK_LIST) {
        out->bulk = true;
        return NULL;
    }
    if (!scan_hex(at, UINT64_MAX, &out->access.base))
        return "an address in hexadecimal";
    if (mode == MODE_STRIDE) {
        if (!scan_signed(at, &out->access.stride))
            return "the stride from lane to lane";
        return NULL;
    }
    if (lanes == 1)
        return NULL;
    out->list[0] = out->access.base;
    out->access.addresses = out->list;
    for (int k = 1; k < lanes; k++) {
        if (mode == MODE_LIST && !scan_hex(at, UINT64_MAX, &out->list[k]))
            return "one address for each active lane";
        if (mode == MODE_DELTAS) {
            if (!scan_signed(at, &delta))
                return "an address difference for each active lane but the first";
            out->list[k] = out->list[k - 1] + (uint64_t)delta;
        }
    }
    return NULL;
}

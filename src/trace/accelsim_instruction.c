/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning of instruction lines: almost all the time of reading a trace. */
#include "trace/accelsim_instruction.h"

#include "trace/scan.h"

/* "2 R6 UR4": a count and as many register names. */
static const char *accelsim_skip_registers(const char **at)
{
    enum { REGISTERS_MAX = 64 };
    uint64_t count;
    if (!scan_decimal(at, REGISTERS_MAX, &count))
        return "a number of registers";
    const char *p = *at;
    for (; count > 0; count--) {
        p = scan_blanks(p);
        if (*p < 'A' || *p > 'Z') {
            *at = p;
            return "a register such as R4 or UR4";
        }
        p = scan_field_end(p);
    }
    *at = p;
    return NULL;
}

static const char *accelsim_read_place(const char **at, uint32_t place[4])
{
    for (int i = 0; i < 4; i++) {
        uint64_t value;
        if (!scan_decimal(at, UINT32_MAX, &value))
            return i < 3 ? "the thread block, as tracers before version 3 write it"
                         : "the warp, as tracers before version 3 write it";
        place[i] = (uint32_t)value;
    }
    return NULL;
}

const char *accelsim_instruction_read(const char **at, const struct accelsim_header *header,
                                      struct accelsim_instruction *out)
{
    uint64_t value;
    const char *wanted = header->version < 3 ? accelsim_read_place(at, out->place) : NULL;
    if (wanted)
        return wanted;
    if (header->lineinfo && !scan_decimal(at, UINT64_MAX, &value))
        return "a source line (the header says \"enable lineinfo = 1\")";
    if (!scan_hex(at, UINT64_MAX, &value))
        return "the program counter in hexadecimal";
    if (!scan_hex(at, UINT32_MAX, &value))
        return "a mask of 8 hexadecimal digits";
    out->mask = (uint32_t)value;
    if ((wanted = accelsim_skip_registers(at)))
        return wanted;
    *at = out->opcode = scan_blanks(*at);
    if (*out->opcode < 'A' || *out->opcode > 'Z')
        return "an opcode";
    *at = scan_field_end(out->opcode);
    out->opcode_length = (uint32_t)(*at - out->opcode);
    if ((wanted = accelsim_skip_registers(at)))
        return wanted;
    if (!scan_decimal(at, UINT32_MAX, &value))
        return "the width of the memory access, 0 for none";
    out->width = (uint32_t)value;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thread blocks, warps and instruction lines:
 *
 *     #BEGIN_TB
 *     thread block = 0,0,0
 *     [cluster ... = ...]
 *     warp = 0
 *     insts = 17
 *     <17 instruction lines>
 *     ...
 *     #END_TB
 *
 * with blank lines anywhere. A warp may be missing or empty. */
#include "trace/accelsim_body.h"

#include <stdio.h>
#include <string.h>

#include "core/parallel.h"
#include "trace/accelsim_instruction.h"
#include "trace/scan.h"
#include "trace/spooled.h"

struct body {
    struct line_reader *lines;
    const struct accelsim_header *header;
    struct spool *spool;
    struct stream_kernel *kernel;
    uint32_t block[3]; /* coordinates of the CTA */
    uint64_t cta;
    uint32_t warp;
    uint64_t instructions; /* since the last access of the warp */
    struct accelsim_addresses addresses;
};

static int body_error(const struct body *body, const char *at, const char *wanted,
                      struct error *error)
{
    struct mark mark = line_reader_mark(body->lines, at);
    return error_at(error, STATUS_INPUT, &mark, "expected %s", wanted);
}

static uint32_t body_take_instructions(struct body *body)
{
    uint64_t count = body->instructions;
    body->instructions = 0;
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* --- generic addresses ------------------------------------------------------ */

/* Two windows of the generic address space, side by side: shared and local
 * memory. The lower one reaches up to the upper one, which has at least the
 * 16 MiB of the hardware and as much as the lower one (up to 4 GiB). */
static enum opcode_space body_space(const struct accelsim_header *header, uint64_t address)
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
static void body_keep_global(struct body *body, struct warp_access *access)
{
    uint64_t *list = body->addresses.list;
    uint32_t kept = 0;
    int count = 0, k = 0;
    bool local = false;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1, k++) {
        uint64_t address = warp_access_address(access, k);
        enum opcode_space space = body_space(body->header, address);
        local |= space == OPCODE_LOCAL;
        if (space != OPCODE_GLOBAL)
            continue;
        list[count++] = address; /* count <= k: never ahead of what is read */
        kept |= rest & -rest;
    }
    body->kernel->dropped.local += local;
    if (kept != access->mask) {
        access->addresses = list;
        access->mask = kept;
    }
}

/* --- instructions ----------------------------------------------------------- */

static int body_add_access(struct body *body, const struct accelsim_instruction *instruction,
                           struct opcode opcode, struct error *error)
{
    const char *at = instruction->addresses;
    struct warp_access *access = &body->addresses.access;
    const char *wanted = accelsim_addresses_read(&at, instruction->mask, &body->addresses);
    if (wanted)
        return body_error(body, at, wanted, error);
    if (body->addresses.bulk) {
        body->kernel->dropped.bulk++;
        return 0;
    }
    access->bytes = opcode.bytes;
    access->kind = opcode.kind;
    access->flags = opcode.flags;
    if (!spooled_check_addresses(access))
        return body_error(body, scan_blanks(instruction->addresses),
                          "addresses below 2^60 for all lanes", error);
    if (opcode.space == OPCODE_GENERIC)
        body_keep_global(body, access);
    if (access->mask == 0)
        return 0;
    access->instructions = body_take_instructions(body);
    return spool_add(body->spool, body->cta, body->warp, access, error);
}

static int body_check_place(const struct body *body, const struct accelsim_instruction *instruction,
                            const char *line, struct error *error)
{
    const uint32_t *place = instruction->place;
    if (memcmp(place, body->block, sizeof body->block) == 0 && place[3] == body->warp)
        return 0;
    struct mark mark = line_reader_mark(body->lines, line);
    return error_at(error, STATUS_INPUT, &mark,
                    "this instruction of thread block %u,%u,%u warp %u stands under thread block "
                    "%u,%u,%u warp %u",
                    place[0], place[1], place[2], place[3], body->block[0], body->block[1],
                    body->block[2], body->warp);
}

static int body_instruction(struct body *body, const char *line, struct error *error)
{
    struct accelsim_instruction instruction;
    const char *at = line;
    const char *wanted = accelsim_instruction_read(&at, body->header, &instruction);
    if (wanted)
        return body_error(body, at, wanted, error);
    int status = body->header->version < 3 ? body_check_place(body, &instruction, line, error) : 0;
    if (status)
        return status;
    body->instructions++;
    /* Bulk copies (UTMA..., UBLK...) may come without a printed width. */
    bool bulk = instruction.opcode[0] == 'U' &&
                (instruction.opcode[1] == 'T' || instruction.opcode[1] == 'B');
    if (instruction.mask == 0 || (instruction.width == 0 && !bulk))
        return 0;
    struct opcode opcode = opcode_read(instruction.opcode, instruction.opcode_length);
    switch (opcode.space) {
    case OPCODE_GLOBAL:
    case OPCODE_GENERIC:
        return body_add_access(body, &instruction, opcode, error);
    case OPCODE_LOCAL:
        body->kernel->dropped.local++;
        break;
    case OPCODE_BULK:
        body->kernel->dropped.bulk++;
        break;
    case OPCODE_UNKNOWN:
        body->kernel->dropped.unknown += instruction.width > 0;
        break;
    case OPCODE_ON_CHIP:
        break;
    }
    return 0;
}

/* --- warps and blocks ------------------------------------------------------- */

/* "key = " at *at; then the value. */
static bool body_key(const char **at, const char *first, const char *second)
{
    const char *p = *at;
    if (!scan_word(&p, first) || (second && !scan_word(&p, second)) || !scan_word(&p, "="))
        return false;
    *at = p;
    return true;
}

static int body_count_error(const struct body *body, const char *at, uint64_t stated,
                            uint64_t found, struct error *error)
{
    struct mark mark = line_reader_mark(body->lines, at);
    if (found < stated)
        error_at(error, STATUS_INPUT, &mark,
                 "warp %u of thread block %u,%u,%u ends after %llu instruction lines, but says "
                 "insts = %llu",
                 body->warp, body->block[0], body->block[1], body->block[2],
                 (unsigned long long)found, (unsigned long long)stated);
    else
        error_at(error, STATUS_INPUT, &mark,
                 "warp %u of thread block %u,%u,%u has more instruction lines than its insts = "
                 "%llu",
                 body->warp, body->block[0], body->block[1], body->block[2],
                 (unsigned long long)stated);
    error_hint(error, "the trace is damaged or was cut");
    return STATUS_INPUT;
}

/* A line that begins something other than an instruction. */
static bool body_is_structure(const char *line)
{
    return *line == '#' || *line == 'w' || *line == 't' || *line == 'i';
}

static int body_end_of_file(const struct body *body, const char *line, struct error *error)
{
    struct mark mark = line_reader_mark(body->lines, line);
    error_at(error, STATUS_INPUT, &mark, "the file ends inside a thread block");
    error_hint(error, "the trace was cut: a thread block ends with #END_TB");
    return STATUS_INPUT;
}

/* The instruction lines behind "insts = n". */
static int body_instructions(struct body *body, uint64_t stated, struct error *error)
{
    const char *line;
    int status = 0;
    for (uint64_t i = 0; i < stated; i++) {
        status = line_reader_next_filled(body->lines, &line, error);
        if (status < 0)
            return status;
        if (status == 0)
            return body_end_of_file(body, line, error);
        if (body_is_structure(line))
            return body_count_error(body, line, stated, i, error);
        if ((status = body_instruction(body, line, error)))
            return status;
    }
    status = line_reader_next_filled(body->lines, &line, error);
    if (status <= 0)
        return status;
    if (scan_hex_digit(*line) < 16 && strncmp(line, "cluster", 7) != 0)
        return body_count_error(body, line, stated, stated, error);
    line_reader_hold(body->lines);
    return 0;
}

/* Behind "warp = ". */
static int body_warp(struct body *body, const char *at, struct error *error)
{
    uint64_t warp, stated;
    bool first;
    const char *begin = at;
    if (!scan_decimal(&at, body->kernel->warps_per_cta - 1, &warp) || !scan_end(at)) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a warp from 0 to %u", body->kernel->warps_per_cta - 1);
        return body_error(body, begin, wanted, error);
    }
    body->warp = (uint32_t)warp;
    body->instructions = 0;
    int status = spool_enter_warp(body->spool, body->cta, body->warp, &first, error);
    if (status)
        return status;
    struct mark mark = line_reader_mark(body->lines, begin);
    if (!first)
        return error_at(error, STATUS_INPUT, &mark, "warp %u of thread block %u,%u,%u comes twice",
                        body->warp, body->block[0], body->block[1], body->block[2]);
    status = line_reader_next_filled(body->lines, &at, error);
    if (status <= 0)
        return status;
    if (!body_key(&at, "insts", NULL)) { /* a warp without instructions */
        line_reader_hold(body->lines);
        return 0;
    }
    begin = at;
    if (!scan_decimal(&at, UINT64_MAX, &stated) || !scan_end(at))
        return body_error(body, begin, "a number of instruction lines", error);
    if ((status = body_instructions(body, stated, error)) || body->instructions == 0)
        return status;
    struct warp_access rest = {.kind = ACCESS_NONE, .instructions = body_take_instructions(body)};
    return spool_add(body->spool, body->cta, body->warp, &rest, error);
}

/* Behind "thread block = ". */
static int body_enter_block(struct body *body, const char *at, struct error *error)
{
    const uint32_t *grid = body->kernel->grid;
    const char *begin = at;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        at = scan_blanks(at);
        if (i && *at++ != ',')
            return body_error(body, begin, "a thread block such as 3,0,0", error);
        at = scan_blanks(at);
        if (!scan_decimal_digits(&at, &value) || value > UINT32_MAX)
            return body_error(body, begin, "a thread block such as 3,0,0", error);
        body->block[i] = (uint32_t)value;
    }
    if (!scan_end(at))
        return body_error(body, at, "the end of the line", error);
    const uint32_t *block = body->block;
    struct mark mark = line_reader_mark(body->lines, begin);
    if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2])
        return error_at(error, STATUS_INPUT, &mark,
                        "thread block %u,%u,%u is outside the grid (%u,%u,%u)", block[0], block[1],
                        block[2], grid[0], grid[1], grid[2]);
    body->cta = block[0] + (uint64_t)grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
    if (!spool_enter_cta(body->spool, body->cta))
        return error_at(error, STATUS_INPUT, &mark, "thread block %u,%u,%u comes twice", block[0],
                        block[1], block[2]);
    return 0;
}

/* Behind "#BEGIN_TB". */
static int body_block(struct body *body, struct error *error)
{
    const char *line;
    int status = line_reader_next_filled(body->lines, &line, error);
    if (status < 0)
        return status;
    if (status == 0)
        return body_end_of_file(body, line, error);
    if (!body_key(&line, "thread", "block"))
        return body_error(body, line, "\"thread block = x,y,z\"", error);
    status = body_enter_block(body, line, error);
    while (!status) {
        status = line_reader_next_filled(body->lines, &line, error);
        if (status < 0)
            break;
        if (status == 0)
            return body_end_of_file(body, line, error);
        if (scan_word(&line, "#END_TB"))
            return 0;
        status = 0;
        if (body_key(&line, "warp", NULL))
            status = body_warp(body, line, error);
        else if (!scan_word(&line, "cluster"))
            status = body_error(body, line, "\"warp = w\" or \"#END_TB\"", error);
    }
    return status;
}

int accelsim_body_read(struct line_reader *lines, const struct accelsim_header *header,
                       struct spool *spool, struct stream_kernel *kernel, struct error *error)
{
    struct body body = {.lines = lines, .header = header, .spool = spool, .kernel = kernel};
    const char *line;
    int status;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0) {
        if (interrupt_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (scan_word(&line, "#BEGIN_TB"))
            status = body_block(&body, error);
        else if (*line != '#')
            status = body_error(&body, line, "\"#BEGIN_TB\"", error);
        if (status < 0)
            break;
    }
    return status;
}

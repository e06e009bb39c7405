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
 * with blank lines anywhere. A warp may be missing or empty. A body that begins
 * with an instruction line is that of a raw trace. */
#include "trace/readers/accelsim_body.h"

#include <stdio.h>
#include <string.h>

#include "trace/readers/accelsim_access.h"
#include "trace/readers/accelsim_instruction.h"
#include "trace/readers/accelsim_raw.h"
#include "trace/input/scan.h"
#include "trace/spool/spooled.h"

struct body {
    struct accelsim_decoder decoder;
    uint32_t block[3]; /* coordinates of the CTA */
    uint64_t cta;
    uint32_t warp;
    uint64_t instructions; /* since the last access of the warp */
    struct accelsim_registers registers;
};

/* --- instructions ----------------------------------------------------------- */

static int body_check_place(const struct body *body, const struct accelsim_instruction *instruction,
                            const char *line, struct error *error)
{
    const uint32_t *place = instruction->place;
    if (memcmp(place, body->block, sizeof body->block) == 0 && place[3] == body->warp)
        return 0;
    return line_reader_error(
        body->decoder.lines, line, error,
        "this instruction of thread block %u,%u,%u warp %u stands under thread block "
        "%u,%u,%u warp %u",
        place[0], place[1], place[2], place[3], body->block[0], body->block[1], body->block[2],
        body->warp);
}

static int body_instruction(struct body *body, const char *line, struct error *error)
{
    struct accelsim_instruction instruction;
    const char *at = line;
    const char *wanted = accelsim_instruction_read(&at, body->decoder.header, &instruction);
    if (wanted)
        return line_reader_expected(body->decoder.lines, at, wanted, error);
    int status =
        body->decoder.header->placed ? body_check_place(body, &instruction, line, error) : 0;
    if (status)
        return status;
    return accelsim_decode(&body->decoder, &instruction, body->cta, body->warp, &body->instructions,
                           error);
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
    if (found < stated)
        line_reader_error(
            body->decoder.lines, at, error,
            "warp %u of thread block %u,%u,%u ends after %llu instruction lines, but says "
            "insts = %llu",
            body->warp, body->block[0], body->block[1], body->block[2], (unsigned long long)found,
            (unsigned long long)stated);
    else
        line_reader_error(
            body->decoder.lines, at, error,
            "warp %u of thread block %u,%u,%u has more instruction lines than its insts = "
            "%llu",
            body->warp, body->block[0], body->block[1], body->block[2], (unsigned long long)stated);
    return error_hint(error, "the trace is damaged or was cut");
}

/* A line that begins something other than an instruction. */
static bool body_is_structure(const char *line)
{
    return *line == '#' || *line == 'w' || *line == 't' || *line == 'i';
}

static int body_end_of_file(const struct body *body, const char *line, struct error *error)
{
    line_reader_error(body->decoder.lines, line, error, "the file ends inside a thread block");
    return error_hint(error, "the trace was cut: a thread block ends with #END_TB");
}

/* The instruction lines behind "insts = n". */
static int body_instructions(struct body *body, uint64_t stated, struct error *error)
{
    const char *line;
    int status = 0;
    for (uint64_t i = 0; i < stated; i++) {
        status = line_reader_next_filled(body->decoder.lines, &line, error);
        if (status < 0)
            return status;
        if (status == 0)
            return body_end_of_file(body, line, error);
        if (body_is_structure(line))
            return body_count_error(body, line, stated, i, error);
        if ((status = body_instruction(body, line, error)))
            return status;
    }
    status = line_reader_next_filled(body->decoder.lines, &line, error);
    if (status <= 0)
        return status;
    if (scan_hex_digit(*line) < 16 && strncmp(line, "cluster", 7) != 0)
        return body_count_error(body, line, stated, stated, error);
    line_reader_hold(body->decoder.lines);
    return 0;
}

/* Behind "warp = ". */
static int body_warp(struct body *body, const char *at, struct error *error)
{
    uint64_t warp, stated;
    bool first;
    const char *begin = at;
    if (!scan_decimal(&at, body->decoder.kernel->warps_per_cta - 1, &warp) || !scan_end(at)) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a warp from 0 to %u",
                 body->decoder.kernel->warps_per_cta - 1);
        return line_reader_expected(body->decoder.lines, begin, wanted, error);
    }
    body->warp = (uint32_t)warp;
    body->instructions = 0;
    body->registers = (struct accelsim_registers){0};
    int status = spool_enter_warp(body->decoder.spool, body->cta, body->warp, &first, error);
    if (status)
        return status;
    if (!first)
        return line_reader_error(body->decoder.lines, begin, error,
                                 "warp %u of thread block %u,%u,%u comes twice", body->warp,
                                 body->block[0], body->block[1], body->block[2]);
    status = line_reader_next_filled(body->decoder.lines, &at, error);
    if (status <= 0)
        return status;
    if (!body_key(&at, "insts", NULL)) { /* a warp without instructions */
        line_reader_hold(body->decoder.lines);
        return 0;
    }
    begin = at;
    if (!scan_decimal(&at, UINT64_MAX, &stated) || !scan_end(at))
        return line_reader_expected(body->decoder.lines, begin, "a number of instruction lines",
                                    error);
    status = body_instructions(body, stated, error);
    return status ? status
                  : accelsim_finish_warp(&body->decoder, body->cta, body->warp, &body->instructions,
                                         error);
}

/* Behind "thread block = ". */
static int body_enter_block(struct body *body, const char *at, struct error *error)
{
    const char *begin = at;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        at = scan_blanks(at);
        if (i && *at++ != ',')
            return line_reader_expected(body->decoder.lines, begin, "a thread block such as 3,0,0",
                                        error);
        at = scan_blanks(at);
        if (!scan_decimal_digits(&at, &value) || value > UINT32_MAX)
            return line_reader_expected(body->decoder.lines, begin, "a thread block such as 3,0,0",
                                        error);
        body->block[i] = (uint32_t)value;
    }
    if (!scan_end(at))
        return line_reader_expected(body->decoder.lines, at, "the end of the line", error);
    const uint32_t *block = body->block;
    int status = accelsim_cta(&body->decoder, block, begin, &body->cta, error);
    if (status)
        return status;
    if (!spool_enter_cta(body->decoder.spool, body->cta))
        return line_reader_error(body->decoder.lines, begin, error,
                                 "thread block %u,%u,%u comes twice", block[0], block[1], block[2]);
    return 0;
}

/* Behind "#BEGIN_TB". */
static int body_block(struct body *body, struct error *error)
{
    const char *line;
    int status = line_reader_next_filled(body->decoder.lines, &line, error);
    if (status < 0)
        return status;
    if (status == 0)
        return body_end_of_file(body, line, error);
    if (!body_key(&line, "thread", "block"))
        return line_reader_expected(body->decoder.lines, line, "\"thread block = x,y,z\"", error);
    status = body_enter_block(body, line, error);
    while (!status) {
        status = line_reader_next_filled(body->decoder.lines, &line, error);
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
            status = line_reader_expected(body->decoder.lines, line, "\"warp = w\" or \"#END_TB\"",
                                          error);
    }
    return status;
}

int accelsim_body_read(struct line_reader *lines, const struct accelsim_header *header,
                       struct spool *spool, struct stream_kernel *kernel, struct error *error)
{
    struct body body = {
        .decoder = {.lines = lines, .header = header, .spool = spool, .kernel = kernel}};
    body.decoder.registers = &body.registers;
    const char *line;
    bool grouped = false;
    int status;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0) {
        if (scan_word(&line, "#BEGIN_TB")) {
            grouped = true;
            status = body_block(&body, error);
        } else if (!grouped && *line >= '0' && *line <= '9') {
            line_reader_hold(lines);
            return accelsim_raw_read(&body.decoder, error);
        } else if (*line != '#') {
            status = line_reader_expected(body.decoder.lines, line, "\"#BEGIN_TB\"", error);
        }
        if (status < 0)
            break;
    }
    return status;
}

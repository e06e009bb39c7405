/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw traces: a count of instructions and registers for every warp, because their
 * lines are mixed. */
#include "trace/readers/accelsim_raw.h"

#include <stdlib.h>
#include <string.h>

#include "core/key_table.h"
#include "core/memory.h"
#include "trace/input/scan.h"

struct raw_warp {
    uint64_t number;                      /* of the warp, + 1 */
    uint64_t instructions;                /* since its last access */
    struct accelsim_registers *registers; /* NULL: nothing since it began, or ended */
};

struct raw {
    struct accelsim_decoder *decoder;
    struct accelsim_header header; /* with the columns of this file */
    struct key_table warps;        /* of struct raw_warp */
    struct {
        struct accelsim_registers **items;
        size_t count, capacity;
    } idle;      /* registers of warps that have ended */
    bool has_sm; /* the CTA below has this SM */
    uint64_t cta;
    uint32_t sm;
};

/* Fields before the first that begins with a capital letter; -1: there is none. */
static int raw_count_fields(const char *line)
{
    int count = 0;
    for (const char *at = scan_blanks(line); *at; at = scan_blanks(scan_field_end(at))) {
        if (*at >= 'A' && *at <= 'Z')
            return count;
        if ((unsigned char)*at < ' ') /* neither a blank nor a field */
            break;
        count++;
    }
    return -1;
}

/* Finds the columns of the file from its first line. */
static int raw_find_columns(struct raw *raw, const char *line, struct error *error)
{
    enum { PLACE = 4, CODE = 3 }; /* thread block and warp; PC, mask and register count */
    int fields = raw_count_fields(line);
    int columns = fields - PLACE - (raw->header.lineinfo ? 1 : 0) - CODE;
    if (columns != 0 && columns != ACCELSIM_CORE && columns != ACCELSIM_CLUSTER) {
        if (fields < 0)
            line_reader_error(raw->decoder->lines, line, error,
                              "expected an instruction of a raw trace");
        else
            line_reader_error(
                raw->decoder->lines, line, error,
                "%d fields before the first register or opcode: expected %d, %d with the SM, "
                "or %d with the cluster",
                fields, fields - columns, fields - columns + ACCELSIM_CORE,
                fields - columns + ACCELSIM_CLUSTER);
        return error_hint(error,
                          "raw lines begin with: tbx tby tbz warp [SM, warp of the SM]%s PC mask",
                          raw->header.lineinfo ? " line" : "");
    }
    raw->header.placed = true;
    raw->header.columns = (uint32_t)columns;
    raw->decoder->kernel->recorded_sm = columns == ACCELSIM_CORE;
    return 0;
}

static int raw_set_sm(struct raw *raw, uint64_t cta, uint32_t sm, const char *line,
                      struct error *error)
{
    if (raw->has_sm && raw->cta == cta && raw->sm == sm)
        return 0;
    if (!spool_set_sm(raw->decoder->spool, cta, sm)) {
        uint32_t known = 0;
        spool_sm(raw->decoder->spool, cta, &known);
        line_reader_error(raw->decoder->lines, line, error,
                          "this thread block runs on SM %u, but on SM %u in earlier lines", sm,
                          known);
        return error_hint(error, "a thread block stays where it starts: the trace is damaged");
    }
    raw->has_sm = true;
    raw->cta = cta;
    raw->sm = sm;
    return 0;
}

static struct accelsim_registers *raw_registers(struct raw *raw)
{
    if (!raw->idle.count)
        return memory_zero(1, sizeof(struct accelsim_registers));
    struct accelsim_registers *registers = raw->idle.items[--raw->idle.count];
    *registers = (struct accelsim_registers){0};
    return registers;
}

/* One instruction of a warp. Most of a grid's warps have ended or not begun: only those between
 * hold registers. One that goes on behind an EXIT (of some of its lanes) begins with new ones, so
 * that what comes next needs all that was before. */
static int raw_decode(struct raw *raw, const struct accelsim_instruction *instruction, uint64_t cta,
                      uint32_t warp, struct error *error)
{
    static const char exit[] = "EXIT";
    uint64_t number = cta * raw->decoder->kernel->warps_per_cta + warp + 1;
    struct raw_warp *of = key_table_enter(&raw->warps, number);
    if (!of->registers)
        of->registers = raw_registers(raw);
    raw->decoder->registers = of->registers;
    int status = accelsim_decode(raw->decoder, instruction, cta, warp, &of->instructions, error);
    if (instruction->opcode_length == strlen(exit) &&
        memcmp(instruction->opcode, exit, strlen(exit)) == 0) {
        VECTOR_PUSH(&raw->idle, of->registers);
        of->registers = NULL;
    }
    return status;
}

static int raw_line(struct raw *raw, const char *line, struct error *error)
{
    struct accelsim_decoder *decoder = raw->decoder;
    struct accelsim_instruction instruction;
    const char *at = line;
    uint64_t cta;
    const char *wanted = accelsim_instruction_read(&at, &raw->header, &instruction);
    if (wanted)
        return line_reader_expected(decoder->lines, at, wanted, error);
    int status = accelsim_cta(decoder, instruction.place, line, &cta, error);
    if (status)
        return status;
    uint32_t warp = instruction.place[3], warps = decoder->kernel->warps_per_cta;
    if (warp >= warps) {
        return line_reader_error(decoder->lines, line, error,
                                 "warp %u is outside its thread block, which has %u", warp, warps);
    }
    if (raw->header.columns == ACCELSIM_CORE &&
        (status = raw_set_sm(raw, cta, instruction.sm, line, error)))
        return status;
    return raw_decode(raw, &instruction, cta, warp, error);
}

/* What stands behind the last access of each warp. */
static int raw_finish(struct raw *raw, struct error *error)
{
    uint32_t warps = raw->decoder->kernel->warps_per_cta;
    for (size_t i = 0; i < raw->warps.size; i++) {
        struct raw_warp *warp = (struct raw_warp *)(void *)raw->warps.items + i;
        uint64_t number = warp->number - 1;
        int status = warp->number ? accelsim_finish_warp(raw->decoder, number / warps,
                                                         (uint32_t)(number % warps),
                                                         &warp->instructions, error)
                                  : 0;
        if (status)
            return status;
    }
    return 0;
}

static int raw_read(struct raw *raw, struct error *error)
{
    const char *line;
    int status;
    bool found = false;
    while ((status = line_reader_next_filled(raw->decoder->lines, &line, error)) > 0) {
        if (strncmp(line, "#BEGIN_TB", strlen("#BEGIN_TB")) == 0) {
            return line_reader_error(raw->decoder->lines, line, error,
                                     "a grouped thread block after lines of a raw trace");
        }
        if (*line == '#')
            continue;
        status = found ? 0 : raw_find_columns(raw, line, error);
        found = true;
        if (status || (status = raw_line(raw, line, error)))
            return status;
    }
    return status < 0 ? status : raw_finish(raw, error);
}

int accelsim_raw_read(struct accelsim_decoder *decoder, struct error *error)
{
    struct raw raw = {.decoder = decoder,
                      .header = *decoder->header,
                      .warps.item_bytes = sizeof(struct raw_warp)};
    int status = raw_read(&raw, error);
    for (size_t i = 0; i < raw.warps.size; i++)
        free(((struct raw_warp *)(void *)raw.warps.items)[i].registers);
    for (size_t i = 0; i < raw.idle.count; i++)
        free(raw.idle.items[i]);
    VECTOR_FREE(&raw.idle);
    key_table_fini(&raw.warps);
    return status;
}

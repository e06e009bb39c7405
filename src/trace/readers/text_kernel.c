/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of one kernel. */
#include "trace/readers/text_kernel.h"

#include <string.h>

#include "trace/input/scan.h"
#include "trace/spool/spooled.h"
#include "trace/readers/text_fields.h"

struct kernel_reading {
    struct text_line line;
    struct spool *spool;
    struct stream_kernel *kernel;
    struct text *name;
    bool has_grid, has_block;
    bool named_warp; /* a warp line came */
    uint64_t cta;    /* of the warp line */
    uint32_t warp;
    bool has_accesses;
    bool checked; /* the CTA below has had an access */
    uint64_t checked_cta;
};

/* One access line. */
struct text_access {
    struct warp_access access;
    uint64_t list[WARP_LANES];
    int listed; /* addresses given */
    bool has_stride, has_mask, has_cta, has_warp, has_sm;
    uint64_t cta, warp, sm;
};

/* --- kernel, cta and warp lines --------------------------------------------- */

static int text_kernel_line(struct kernel_reading *reading, struct error *error)
{
    enum { GRID, BLOCK, SHARED, ORDER, LOCAL, BULK, UNKNOWN };
    struct text_line *line = &reading->line;
    struct stream_kernel *kernel = reading->kernel;
    struct stream_dropped *dropped = &kernel->dropped;
    const char *begin = line->at = scan_blanks(line->at);
    uint64_t value = 0;
    unsigned seen = 0;
    int status = text_name(line, reading->name, error), word;
    while (!status && (word = text_word(line, text_kernel_words, &seen, "kernel field", error)) !=
                          TEXT_LINE_ENDED) {
        if (word == GRID) {
            reading->has_grid = true;
            status = text_dimensions(line, kernel->grid, error);
        } else if (word == BLOCK) {
            reading->has_block = true;
            status = text_dimensions(line, kernel->block, error);
        } else if (word == SHARED) {
            status = text_number(line, "a size in bytes", 0, UINT32_MAX, &value, error);
            kernel->shared_bytes = (uint32_t)value;
        } else if (word == ORDER) {
            if (strncmp(line->at, "recorded", 8) != 0 || !scan_is_field_end(line->at[8]))
                return text_expected(line, line->at, "order=recorded", error);
            kernel->recorded_order = true;
            line->at += strlen("recorded");
        } else if (word >= LOCAL) {
            uint64_t *count = word == LOCAL  ? &dropped->local
                              : word == BULK ? &dropped->bulk
                                             : &dropped->unknown;
            status = text_number(line, "a count", 0, UINT64_MAX, count, error);
        } else {
            status = word;
        }
    }
    if (status)
        return status;
    const char *wrong = spooled_check_launch(kernel);
    return wrong ? line_reader_error(line->lines, begin, error, "%s", wrong) : 0;
}

static int text_read_cta(struct kernel_reading *reading, uint64_t *cta, struct error *error)
{
    struct text_line *line = &reading->line;
    const char *begin = line->at = scan_blanks(line->at);
    int status = text_number(line, "a CTA", 0, UINT64_MAX, cta, error);
    if (status)
        return status;
    uint64_t limit = reading->has_grid ? reading->kernel->n_ctas : TRACE_DERIVED_CTAS_MAX;
    if (*cta < limit)
        return 0;
    line_reader_error(line->lines, begin, error, "CTA %llu is outside the grid, which has %llu",
                      (unsigned long long)*cta, (unsigned long long)limit);
    if (!reading->has_grid)
        error_hint(error, "a kernel line with grid= may have more");
    return STATUS_INPUT;
}

static int text_read_warp(struct kernel_reading *reading, uint64_t *warp, struct error *error)
{
    struct text_line *line = &reading->line;
    const char *begin = line->at = scan_blanks(line->at);
    int status = text_number(line, "a warp", 0, UINT64_MAX, warp, error);
    if (status)
        return status;
    uint32_t limit = reading->has_block ? reading->kernel->warps_per_cta : SPOOL_WARPS_MAX;
    if (*warp < limit)
        return 0;
    return line_reader_error(line->lines, begin, error,
                             "warp %llu is outside its CTA, which has %u",
                             (unsigned long long)*warp, limit);
}

/* States the SM of a CTA; `at` is for messages. */
static int text_state_sm(struct kernel_reading *reading, uint64_t cta, uint32_t sm, const char *at,
                         struct error *error)
{
    if (reading->has_accesses && !reading->kernel->recorded_sm) {
        line_reader_error(reading->line.lines, at, error,
                          "earlier accesses of this kernel have no SM");
        return error_hint(error, "either all CTAs of a kernel have a recorded SM, or none");
    }
    reading->kernel->recorded_sm = true;
    if (!spool_set_sm(reading->spool, cta, sm)) {
        uint32_t known = 0;
        spool_sm(reading->spool, cta, &known);
        return line_reader_error(reading->line.lines, at, error,
                                 "CTA %llu runs on SM %u, as was said before",
                                 (unsigned long long)cta, known);
    }
    return 0;
}

static int text_cta_line(struct kernel_reading *reading, struct error *error)
{
    uint64_t cta, sm;
    struct text_line *line = &reading->line;
    int status = text_read_cta(reading, &cta, error);
    if (status)
        return status;
    const char *at = line->at = scan_blanks(line->at);
    int word = text_word(line, text_cta_words, NULL, "field of cta", error);
    if (word == TEXT_LINE_ENDED)
        return text_expected(line, at, "sm=", error);
    if (word < 0)
        return word;
    status = text_number(line, "an SM from 0 to 65535", 0, TRACE_SM_MAX, &sm, error);
    if (!status)
        status = text_line_end(line, error);
    return status ? status : text_state_sm(reading, cta, (uint32_t)sm, at, error);
}

static int text_warp_line(struct kernel_reading *reading, struct error *error)
{
    uint64_t warp = 0;
    int status = text_read_cta(reading, &reading->cta, error);
    if (!status)
        status = text_read_warp(reading, &warp, error);
    reading->warp = (uint32_t)warp;
    reading->named_warp = true;
    if (!status)
        status = text_line_end(&reading->line, error);
    if (!status)
        spool_enter_cta(reading->spool, reading->cta);
    return status;
}

/* --- access lines ----------------------------------------------------------- */

/* "0x1000" or "0x1000,+4,0x2000". */
static int text_read_addresses(struct text_line *line, struct text_access *out, struct error *error)
{
    uint64_t value;
    const char *at = line->at = scan_blanks(line->at);
    for (out->listed = 0;; at++) {
        const char *begin = at;
        char sign = *at == '+' || *at == '-' ? *at : '\0';
        at += sign != '\0';
        if (!text_scan_number(&at, &value) || (sign && out->listed == 0))
            return text_expected(line, begin, "an address such as 0x1000", error);
        if (out->listed == WARP_LANES)
            return text_expected(line, begin, "at most 32 addresses", error);
        uint64_t last = out->listed ? out->list[out->listed - 1] : 0;
        out->list[out->listed++] = sign == '+' ? last + value : sign == '-' ? last - value : value;
        if (*at != ',')
            break;
    }
    if (!scan_is_field_end(*at))
        return text_expected(line, at, "a comma or a blank", error);
    line->at = at;
    out->access.base = out->list[0];
    if (out->listed > 1)
        out->access.addresses = out->list;
    return 0;
}

static int text_read_bytes(struct text_line *line, struct text_access *out, struct error *error)
{
    const char *wanted = "the bytes a lane: 1, 2, 4, 8, 12, 16 or 32";
    uint64_t bytes;
    const char *begin = scan_blanks(line->at);
    int status = text_number(line, wanted, 1, 32, &bytes, error);
    if (status)
        return status;
    if (bytes != 12 && (bytes & (bytes - 1)))
        return text_expected(line, begin, wanted, error);
    out->access.bytes = (uint8_t)bytes;
    return 0;
}

static int text_read_field(struct kernel_reading *reading, struct text_access *out, int word,
                           struct error *error)
{
    enum { CTA, WARP, SM, INSTS, AHEAD, THINK, STRIDE, LANES, MASK, BYPASS, PATHS };
    enum {
        FLAGS = PATHS + ACCESS_PATHS - ACCESS_SCALAR
    }; /* local, part, bulk: as enum access_flag */
    struct text_line *line = &reading->line;
    uint64_t value = 0;
    int status = 0;
    switch (word) {
    case CTA:
        out->has_cta = true;
        return text_read_cta(reading, &out->cta, error);
    case WARP:
        out->has_warp = true;
        return text_read_warp(reading, &out->warp, error);
    case SM:
        out->has_sm = true;
        return text_number(line, "an SM from 0 to 65535", 0, TRACE_SM_MAX, &out->sm, error);
    case INSTS:
        status = text_number(line, "a number of instructions", 0, UINT32_MAX, &value, error);
        out->access.instructions = (uint32_t)value;
        return status;
    case AHEAD:
        status = text_number(line, "a number of accesses from 0 to 63", 0, WARP_AHEAD_MOST, &value,
                             error);
        out->access.ahead = (uint8_t)value;
        return status;
    case THINK:
        status = text_number(line, "a whole number of cycles from 0 to 4294967295", 0, UINT32_MAX,
                             &value, error);
        out->access.think = (uint32_t)value;
        return status;
    case STRIDE:
        out->has_stride = true;
        return text_signed(line, "a stride in bytes", &out->access.stride, error);
    case LANES:
        out->has_mask = true;
        status = text_number(line, "a number of lanes from 1 to 32", 1, WARP_LANES, &value, error);
        out->access.mask = (uint32_t)(UINT32_MAX >> ((WARP_LANES - value) & 31));
        return status;
    case MASK:
        out->has_mask = true;
        status = text_hex(line, "a mask of up to 8 hexadecimal digits", UINT32_MAX, &value, error);
        out->access.mask = (uint32_t)value;
        return status;
    case BYPASS:
        out->access.flags |= ACCESS_BYPASS_L1;
        return 0;
    default:
        if (word >= FLAGS)
            out->access.flags |= (uint8_t)(ACCESS_LOCAL << (word - FLAGS));
        else if (word >= PATHS)
            out->access.path = (uint8_t)(ACCESS_SCALAR + word - PATHS);
        return word < 0 ? word : 0;
    }
}

/* Fills in the mask and checks that everything fits together. */
static int text_check_access(const struct kernel_reading *reading, struct text_access *out,
                             const char *begin, struct error *error)
{
    struct warp_access *access = &out->access;
    if (out->listed > 1 && out->has_stride)
        return line_reader_error(reading->line.lines, begin, error,
                                 "an access has a list of addresses or a "
                                 "stride, not both");
    if (access->path && access->kind != ACCESS_READ)
        return line_reader_error(reading->line.lines, begin, error,
                                 "only reads ask a cache of %s data",
                                 access_path_names[access->path]);
    if (!out->has_mask)
        access->mask = out->listed > 1   ? UINT32_MAX >> (WARP_LANES - out->listed)
                       : out->has_stride ? UINT32_MAX
                                         : 1;
    int lanes = __builtin_popcount(access->mask);
    if (lanes == 0)
        return line_reader_error(reading->line.lines, begin, error,
                                 "an access needs an active lane");
    if (out->listed > 1 && lanes != out->listed)
        return line_reader_error(reading->line.lines, begin, error,
                                 "%d addresses for %d active lanes", out->listed, lanes);
    if (!spooled_check_addresses(access))
        return line_reader_error(reading->line.lines, begin, error,
                                 "all addresses must be below 2^60");
    if (access->flags & ACCESS_LOCAL && !spooled_check_local(access))
        return line_reader_error(reading->line.lines, begin, error,
                                 "places in local memory must be below 2^29");
    return 0;
}

/* Enters the access under its CTA and warp. */
static int text_place_access(struct kernel_reading *reading, const struct text_access *in,
                             const char *begin, struct error *error)
{
    uint64_t cta = in->has_cta                          ? in->cta
                   : in->has_sm && !reading->named_warp ? in->sm
                                                        : reading->cta;
    uint64_t warp = in->has_warp ? in->warp : in->has_cta ? 0 : reading->warp;
    if (in->has_sm && reading->has_grid && cta >= reading->kernel->n_ctas)
        return line_reader_error(reading->line.lines, begin, error,
                                 "sm= without cta= is CTA %llu, outside the grid, which has %llu",
                                 (unsigned long long)cta,
                                 (unsigned long long)reading->kernel->n_ctas);
    int status = in->has_sm ? text_state_sm(reading, cta, (uint32_t)in->sm, begin, error) : 0;
    if (status)
        return status;
    if (!reading->checked || reading->checked_cta != cta) {
        uint32_t sm;
        if (reading->kernel->recorded_sm && !spool_sm(reading->spool, cta, &sm)) {
            line_reader_error(reading->line.lines, begin, error,
                              "CTA %llu has no SM, but others have", (unsigned long long)cta);
            return error_hint(error, "a line \"cta %llu sm=...\" before its first access states it",
                              (unsigned long long)cta);
        }
        reading->checked = true;
        reading->checked_cta = cta;
    }
    reading->has_accesses = true;
    return spool_add(reading->spool, cta, (uint32_t)warp, &in->access, error);
}

static int text_access_line(struct kernel_reading *reading, enum access_kind kind,
                            struct error *error)
{
    const struct file_key *words =
        kind == ACCESS_NONE ? text_instructions_words : text_access_words;
    struct text_line *line = &reading->line;
    struct text_access access = {.access = {.kind = (uint8_t)kind}};
    const char *begin = line->at = scan_blanks(line->at);
    uint64_t instructions = 0;
    unsigned seen = 0;
    int status, word;
    if (kind == ACCESS_NONE) {
        status = text_number(line, "a number of instructions", 1, UINT32_MAX, &instructions, error);
        access.access.instructions = (uint32_t)instructions;
    } else {
        status = text_read_addresses(line, &access, error);
        if (!status)
            status = text_read_bytes(line, &access, error);
    }
    while (!status &&
           (word = text_word(line, words, &seen, "access field", error)) != TEXT_LINE_ENDED)
        status = text_read_field(reading, &access, word, error);
    if (!status && kind != ACCESS_NONE)
        status = text_check_access(reading, &access, begin, error);
    return status ? status : text_place_access(reading, &access, begin, error);
}

/* --- a kernel --------------------------------------------------------------- */

int text_directive(struct text_line *line, struct error *error)
{
    static const enum text_directive directives[] = {
        LINE_READ,  LINE_WRITE,  LINE_ATOMIC,      LINE_INSTRUCTIONS, LINE_WARP,
        LINE_CTA,   LINE_KERNEL, LINE_ALLOCATION,  LINE_HOME,         LINE_READ,
        LINE_WRITE, LINE_ATOMIC, LINE_INSTRUCTIONS};
    int word = text_word(line, text_line_words, NULL, "directive", error);
    return word < 0 ? word : (int)directives[word];
}

static int text_one_line(struct kernel_reading *reading, int directive, const char *begin,
                         struct error *error)
{
    switch (directive) {
    case LINE_READ:
        return text_access_line(reading, ACCESS_READ, error);
    case LINE_WRITE:
        return text_access_line(reading, ACCESS_WRITE, error);
    case LINE_ATOMIC:
        return text_access_line(reading, ACCESS_ATOMIC, error);
    case LINE_INSTRUCTIONS:
        return text_access_line(reading, ACCESS_NONE, error);
    case LINE_WARP:
        return text_warp_line(reading, error);
    case LINE_CTA:
        return text_cta_line(reading, error);
    case LINE_ALLOCATION:
    case LINE_HOME:
        return line_reader_error(reading->line.lines, begin, error,
                                 "allocations and homes stand before the first kernel");
    default:
        return directive;
    }
}

int text_kernel_read(struct line_reader *lines, struct spool *spool, struct stream_kernel *out,
                     struct text *name, struct error *error)
{
    struct kernel_reading reading = {
        .line = {.lines = lines}, .spool = spool, .kernel = out, .name = name};
    *out = (struct stream_kernel){.grid = {1, 1, 1}, .block = {1, 1, 1}};
    name->length = 0;
    text_append(name, "kernel");
    bool begun = false;
    int status;
    while ((status = text_line_next(&reading.line, error)) > 0) {
        const char *begin = reading.line.at;
        int directive = text_directive(&reading.line, error);
        if (directive == LINE_KERNEL && begun) {
            line_reader_hold(lines);
            status = 0;
            break;
        }
        if (directive == LINE_KERNEL && (status = text_kernel_line(&reading, error)))
            break;
        if (!begun)
            spool_reset(spool, reading.has_block ? out->warps_per_cta : SPOOL_WARPS_MAX);
        begun = true;
        if (directive != LINE_KERNEL && (status = text_one_line(&reading, directive, begin, error)))
            break;
    }
    if (status || !begun)
        return status;
    spooled_derive_launch(out, spool, reading.has_grid, reading.has_block);
    return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Header lines of Accel-Sim kernel traces. Keys that do not matter here, and
 * keys of later tracers, are passed over. */
#include "trace/readers/accelsim_header.h"

#include <stdlib.h>
#include <string.h>

#include "trace/input/scan.h"
#include "trace/readers/kernel_name.h"
#include "trace/spool/spooled.h"

enum { ACCELSIM_VERSION_MAX = 6 };

/* "(196,1,1)" */
static bool accelsim_read_dimensions(const char *at, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        at = scan_blanks(at);
        if (*at != (i ? ',' : '('))
            return false;
        at = scan_blanks(at + 1);
        if (!scan_decimal_digits(&at, &value) || value > UINT32_MAX)
            return false;
        out[i] = (uint32_t)value;
    }
    at = scan_blanks(at);
    return *at == ')' && scan_end(at + 1);
}

static bool accelsim_read_version(const char *at, int *out)
{
    uint64_t major, minor;
    if (!scan_decimal_digits(&at, &major) || major > 1000)
        return false;
    if (*at == '.' && (++at, !scan_decimal_digits(&at, &minor)))
        return false;
    *out = (int)major;
    return scan_end(at);
}

static bool accelsim_read_u32(const char *at, uint64_t max, uint32_t *out)
{
    uint64_t value;
    if (!scan_decimal(&at, max, &value) || !scan_end(at))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool accelsim_read_address(const char *at, uint64_t *out)
{
    return scan_hex(&at, UINT64_MAX, out) && scan_end(at);
}

struct header_reading {
    struct line_reader *lines;
    struct arena *arena;
    struct accelsim_header *out;
    bool grid, block;
};

/* Takes one value. NULL, or what was expected. */
static const char *accelsim_header_value(struct header_reading *reading, const char *key,
                                         size_t length, const char *value)
{
    struct accelsim_header *out = reading->out;
#define KEY_IS(text) (length == sizeof(text) - 1 && memcmp(key, text, sizeof(text) - 1) == 0)
    if (KEY_IS("kernel name")) {
        size_t end = strlen(value);
        while (end && scan_is_blank(value[end - 1]))
            end--;
        if (reading->arena)
            out->launch.name = kernel_name_readable(reading->arena, value, end);
    } else if (KEY_IS("grid dim")) {
        reading->grid = true;
        return accelsim_read_dimensions(value, out->launch.grid) ? NULL
                                                                 : "dimensions such as (8,1,1)";
    } else if (KEY_IS("block dim")) {
        reading->block = true;
        return accelsim_read_dimensions(value, out->launch.block) ? NULL
                                                                  : "dimensions such as (512,1,1)";
    } else if (KEY_IS("shmem")) {
        return accelsim_read_u32(value, UINT32_MAX, &out->launch.shared_bytes) ? NULL
                                                                               : "a size in bytes";
    } else if (KEY_IS("shmem base_addr")) {
        return accelsim_read_address(value, &out->shared_base) ? NULL : "a hexadecimal address";
    } else if (KEY_IS("local mem base_addr")) {
        return accelsim_read_address(value, &out->local_base) ? NULL : "a hexadecimal address";
    } else if (KEY_IS("accelsim tracer version")) {
        if (!accelsim_read_version(value, &out->version))
            return "a version such as 3 or 1.2";
        if (out->version > ACCELSIM_VERSION_MAX)
            return "at most 6: this reader does not know later tracers";
    } else if (KEY_IS("enable lineinfo")) {
        uint32_t flag = 0;
        if (!accelsim_read_u32(value, 1, &flag))
            return "0 or 1";
        out->lineinfo = flag == 1;
    }
#undef KEY_IS
    return NULL;
}

static int accelsim_header_line(struct header_reading *reading, const char *line,
                                struct error *error)
{
    const char *equals = strchr(line, '='), *key = line + 1;
    if (*line != '-' || !equals) {
        line_reader_error(reading->lines, line, error,
                          "expected a header line such as \"-grid dim = (8,1,1)\"");
        return error_hint(error,
                          "an Accel-Sim kernel trace (.traceg) begins with -kernel name = ...");
    }
    const char *value = scan_blanks(equals + 1);
    while (equals > key && scan_is_blank(equals[-1]))
        equals--;
    const char *wanted = accelsim_header_value(reading, key, (size_t)(equals - key), value);
    if (!wanted)
        return 0;
    return line_reader_error(reading->lines, value, error, "%.*s: expected %s", (int)(equals - key),
                             key, wanted);
}

int accelsim_header_read(struct line_reader *lines, struct arena *arena,
                         struct accelsim_header *out, struct error *error)
{
    struct header_reading reading = {lines, arena, out, false, false};
    const char *line;
    int status;
    *out = (struct accelsim_header){.launch.name = "kernel"};
    while ((status = line_reader_next_filled(lines, &line, error)) > 0 && *line != '#')
        if ((status = accelsim_header_line(&reading, line, error)))
            return status;
    if (status < 0)
        return status;
    if (status == 0)
        return line_reader_error(lines, line, error, "the file ends inside the header");
    line_reader_hold(lines);
    out->placed = out->version < 3; /* of grouped traces; raw ones always are */
    if (!reading.grid || !reading.block)
        return line_reader_error(lines, line, error, "the header lacks the line \"-%s dim = ...\"",
                                 reading.grid ? "block" : "grid");
    const char *wrong = spooled_check_launch(&out->launch);
    return wrong ? line_reader_error(lines, line, error, "%s", wrong) : 0;
}

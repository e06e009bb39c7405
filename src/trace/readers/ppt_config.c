/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/ppt_config.h"

#include <stdbool.h>
#include <string.h>

#include "trace/input/scan.h"
#include "trace/spool/spool.h"
#include "trace/stream.h"

enum { PPT_BLOCKS_MAX = 1 << 24 };

/* A number up to a comma or the end of the line. */
static bool ppt_read_number(const char *at, uint64_t max, uint32_t *out)
{
    uint64_t value;
    if (!scan_decimal_digits(&at, &value) || value > max)
        return false;
    at = scan_blanks(at);
    *out = (uint32_t)value;
    return scan_end(at + (*at == ','));
}

/* One `"key" : value,` of a kernel. NULL, or what was expected at *at. Keys that
 * do not matter here are passed over. */
static const char *ppt_read_key(const char **at, struct arena *arena, struct stream_kernel *out)
{
    static const char *const keys[] = {"\"kernel_name\"", "\"grid_size\"", "\"block_size\"",
                                       "\"shared_mem_bytes\"", NULL};
    enum { NAME, BLOCKS, THREADS, SHARED };
    int key = 0;
    while (keys[key] && !scan_word(at, keys[key]))
        key++;
    if (!keys[key])
        return **at == '"' ? NULL : "a line such as \"grid_size\" : 196,";
    if (!scan_word(at, ":"))
        return "a colon";
    if (key == BLOCKS)
        return ppt_read_number(*at, PPT_BLOCKS_MAX, out->grid) && out->grid[0]
                   ? NULL
                   : "a number of thread blocks, 1 to 2^24";
    if (key == THREADS)
        return ppt_read_number(*at, SPOOL_WARPS_MAX * WARP_LANES, out->block) && out->block[0]
                   ? NULL
                   : "a number of threads, 1 to 32768";
    if (key == SHARED)
        return ppt_read_number(*at, UINT32_MAX, &out->shared_bytes) ? NULL : "a size in bytes";
    const char *end = **at == '"' ? strchr(*at + 1, '"') : NULL;
    if (!end)
        return "a name between double quotes";
    out->name = arena_strndup(arena, *at + 1, (size_t)(end - *at - 1));
    return NULL;
}

/* The lines behind "kernel_N = {". */
static int ppt_read_kernel(struct line_reader *lines, struct arena *arena, struct ppt_kernel *out,
                           struct error *error)
{
    const char *line;
    int status;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0 && *line != '}') {
        const char *wanted = ppt_read_key(&line, arena, &out->launch);
        if (wanted)
            return line_reader_expected(lines, line, wanted, error);
    }
    if (status < 0)
        return status;
    if (status == 0)
        return line_reader_expected(lines, line, "\"}\": the file ends inside a kernel", error);
    if (!out->launch.grid[0] || !out->launch.block[0])
        return line_reader_expected(lines, line, "\"grid_size\" and \"block_size\" before the end",
                                    error);
    return 0;
}

/* "kernel_7 = {" */
static bool ppt_begins_kernel(const char *at, uint32_t *id)
{
    uint64_t value;
    if (strncmp(at, "kernel_", strlen("kernel_")) != 0)
        return false;
    at += strlen("kernel_");
    if (!scan_decimal_digits(&at, &value) || value > UINT32_MAX)
        return false;
    at = scan_blanks(at);
    *id = (uint32_t)value;
    return scan_word(&at, "=") && scan_word(&at, "{") && *at == '\0';
}

int ppt_config_read(struct line_reader *lines, struct arena *arena, struct ppt_kernels *out,
                    struct error *error)
{
    const char *line;
    int status;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0) {
        struct ppt_kernel kernel = {
            .launch = {.name = "kernel", .grid = {0, 1, 1}, .block = {0, 1, 1}}};
        if (*line == '#' || strncmp(line, "app_kernels_id", strlen("app_kernels_id")) == 0)
            continue;
        if (!ppt_begins_kernel(line, &kernel.id))
            return line_reader_expected(lines, line, "a kernel such as \"kernel_1 = {\"", error);
        if (out->count && kernel.id <= out->items[out->count - 1].id)
            return line_reader_error(lines, line, error, "kernel %u comes after kernel %u",
                                     kernel.id, out->items[out->count - 1].id);
        if ((status = ppt_read_kernel(lines, arena, &kernel, error)))
            return status;
        VECTOR_PUSH(out, kernel);
    }
    if (status < 0)
        return status;
    return out->count
               ? 0
               : line_reader_expected(lines, line, "a kernel such as \"kernel_1 = {\"", error);
}

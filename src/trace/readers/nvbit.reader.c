/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What NVBit's tool mem_trace prints, with the output of the traced program
 * between its lines (nvbit_line.h). Kernels are the grid launches that have
 * accesses, in the order of the file.
 *
 * What the text does not say: the instructions between two accesses, and the operands
 * of those that access memory, so that each is taken to need all loads before it; where the
 * windows of shared and local memory are in the generic address space, so that LD,
 * ST, ATOM and RED count as global; and an order between warps. LDGSTS has two
 * memory operands and so two lines: the one of shared memory, whose addresses are
 * offsets, is left out. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/readers/accelsim_opcode.h"
#include "trace/input/line_reader.h"
#include "trace/readers/nvbit_counting.h"
#include "trace/readers/nvbit_line.h"
#include "trace/readers/nvbit_survey.h"
#include "trace/readers/local_parts.h"
#include "trace/reader.h"
#include "trace/spool/spooled.h"

struct nvbit_source {
    struct spooled_source spooled;
    struct nvbit_kernels kernels;
};

/* A line of the tool, or the banner of NVBit, begins a line of the head. */
static bool nvbit_detect(const char *path, const char *head, size_t size)
{
    static const char *const words[] = {NVBIT_MAGIC,
                                        "------------- NVBit (NVidia Binary Instrumentation Tool"};
    (void)path;
    for (const char *at = head, *end = head + size; at && at < end;) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if ((size_t)(end - at) >= strlen(words[i]) &&
                memcmp(at, words[i], strlen(words[i])) == 0)
                return true;
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return false;
}

/* --- accesses --------------------------------------------------------------- */

/* Offsets in shared memory, which has less than 16 MiB; no allocation lies there. */
static bool nvbit_is_offset(const struct warp_access *access)
{
    int lanes = __builtin_popcount(access->mask);
    for (int k = 0; k < lanes; k++)
        if (access->addresses[k] >= (uint64_t)1 << 24)
            return false;
    return true;
}

/* One to local memory, by offsets in the threads' windows; it was counted as left out. */
static int nvbit_add_local(const struct warp_access *offsets, uint64_t cta, uint32_t warp,
                           struct spool *spool, struct stream_kernel *out, struct error *error)
{
    struct warp_access part;
    uint64_t list[WARP_LANES];
    int n = local_parts(offsets), status = 0;
    out->dropped.local -= n > 0;
    for (int i = 0; i < n && !status; i++) {
        local_part(offsets, i, &part, list);
        status = spool_add(spool, cta, warp, &part, error);
    }
    return status;
}

/* Adds an access to the spool, or counts why it is left out. */
static int nvbit_add(const struct nvbit_line *line, const struct nvbit_kernel *kernel,
                     struct line_reader *lines, struct spool *spool, struct stream_kernel *out,
                     struct error *error)
{
    static const char copy[] = "LDGSTS";
    struct warp_access access = {0};
    bool global = opcode_access(line->opcode, line->opcode_length, &access, &out->dropped);
    uint64_t list[WARP_LANES], cta;
    uint32_t warp;
    const char *at = line->addresses;
    const char *wanted = nvbit_addresses_read(&at, list, &access);
    if (wanted) {
        line_reader_expected(lines, at, wanted, error);
        return error_hint(error, "a line of mem_trace is cut, or printed into by something else");
    }
    if (!nvbit_find_warp(kernel, line, &cta, &warp)) {
        return line_reader_error(lines, line->addresses, error,
                                 "the file changed while it was read");
    }
    spool_enter_cta(spool, cta);
    if (access.mask && opcode_read(line->opcode, line->opcode_length).space == OPCODE_LOCAL)
        return nvbit_add_local(&access, cta, warp, spool, out, error);
    if (!global || access.mask == 0)
        return 0;
    if (strncmp(line->opcode, copy, strlen(copy)) == 0 && nvbit_is_offset(&access))
        return 0;
    if (!spooled_check_addresses(&access))
        return line_reader_expected(lines, line->addresses, "addresses below 2^60 for all lanes",
                                    error);
    return spool_add(spool, cta, warp, &access, error);
}

/* --- a stream --------------------------------------------------------------- */

static void nvbit_end(void *cursor)
{
    line_reader_close(cursor);
}

static int nvbit_begin(const struct spooled_source *source, void **cursor, struct error *error)
{
    struct line_reader *lines = NULL;
    int status = line_reader_open(source->source.path, &lines, error);
    *cursor = lines;
    return status;
}

/* Reads the lines up to the next launch. */
static int nvbit_read_kernel(const struct nvbit_kernel *kernel, struct line_reader *lines,
                             struct spool *spool, struct stream_kernel *out, struct error *error)
{
    struct nvbit_line parsed;
    const char *line;
    int status;
    bool found = false;
    while ((status = line_reader_next(lines, &line, error)) > 0) {
        const char *at = line;
        const char *wanted = nvbit_line_read(&at, &parsed);
        if (!wanted && parsed.kind != NVBIT_ACCESS)
            continue;
        if (wanted || parsed.launch != kernel->launch)
            break;
        found = true;
        if ((status = nvbit_add(&parsed, kernel, lines, spool, out, error)))
            return status;
    }
    if (status > 0)
        line_reader_hold(lines); /* of the next launch */
    if (status >= 0 && !found)
        return line_reader_error(lines, line, error, "the file changed while it was read");
    return status < 0 ? status : 0;
}

static int nvbit_load(const struct spooled_source *source, void *cursor, size_t number,
                      struct spool *spool, struct stream_kernel *out, struct error *error)
{
    const struct nvbit_source *self = (const struct nvbit_source *)source;
    struct line_reader *lines = cursor;
    if (number == self->kernels.count)
        return 0;
    const struct nvbit_kernel *kernel = &self->kernels.items[number];
    *out = kernel->kernel;
    spooled_check_launch(out);
    spool_reset(spool, out->warps_per_cta);
    int status = nvbit_read_kernel(kernel, lines, spool, out, error);
    status = line_reader_blame(lines, status, error);
    return status ? status : 1;
}

/* --- the source ------------------------------------------------------------- */

static void nvbit_fini(struct spooled_source *source)
{
    nvbit_kernels_fini(&((struct nvbit_source *)source)->kernels);
}

static int nvbit_count_launches(struct nvbit_source *self, uint64_t *ahead, struct error *error)
{
    struct nvbit_counting counting = {0};
    struct line_reader *lines;
    int status = line_reader_open(self->spooled.source.path, &lines, error);
    if (status)
        return status;
    status = nvbit_find_counting(lines, &counting, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    if (counting.doubtful)
        source_warn(&self->spooled.source,
                    "the file begins with launch %llu: it fits both ways in which NVBit counts; "
                    "accesses of grid_launch_id N are taken for those of LAUNCH %s",
                    (unsigned long long)counting.first,
                    counting.ahead ? "N + 1 (NVBit up to 1.5)" : "N (NVBit 1.7)");
    *ahead = counting.ahead;
    return status;
}

static int nvbit_find_kernels(struct nvbit_source *self, uint64_t ahead, struct error *error)
{
    struct line_reader *lines;
    int status = line_reader_open(self->spooled.source.path, &lines, error);
    if (status)
        return status;
    status = nvbit_survey(lines, ahead, &self->spooled.source, &self->kernels, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    return status;
}

static int nvbit_open(const char *path, struct source **out, struct error *error)
{
    static const struct spooled_class spooled = {nvbit_begin, nvbit_load, nvbit_end, nvbit_fini,
                                                 false};
    struct nvbit_source *self = memory_zero(1, sizeof *self);
    struct source *source = &self->spooled.source;
    uint64_t ahead = 0;
    *out = NULL;
    spooled_source_init(&self->spooled, &spooled, NULL, path);
    int status = nvbit_count_launches(self, &ahead, error);
    if (!status)
        status = nvbit_find_kernels(self, ahead, error);
    if (!status)
        status = spooled_hash_file(source, error);
    return spooled_opened(&self->spooled, status, out);
}

const struct reader reader_nvbit = {
    .plugin = {.kind = "reader",
               .name = "nvbit",
               .summary = "output of NVBit's mem_trace: lines MEMTRACE: CTX 0x... - grid_launch_id",
               .reference = "Villa et al., NVBit, MICRO 2019"},
    .detect = nvbit_detect,
    .open = nvbit_open,
};

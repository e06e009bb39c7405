/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory traces of PPT-GPU's tracer: app_config.py (ppt_config.h), and beside it
 * memory_traces/kernel_K_block_B.mem with the accesses of one thread block. Such a
 * file may also be read alone, as a kernel of one block. It consists of records
 *
 *     =====
 *     OPCODE 0xaddress 0xaddress ...
 *
 * with the addresses of the active lanes of one warp. What it does not say: which
 * warp (all records of a block are replayed by its warp 0, in the order in which
 * they reached the host, each taken to need all loads before it), which lanes (lanes 0 .. n-1 stand
 * for them), the instructions between accesses, the shape of grid and block (both count as one-
 * dimensional) and the windows of the generic address space (LD, ST, ATOM and RED
 * count as global). The offsets in shared memory of LDGSTS are left out. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/readers/accelsim_opcode.h"
#include "trace/input/line_reader.h"
#include "trace/readers/ppt_config.h"
#include "trace/reader.h"
#include "trace/input/scan.h"
#include "trace/spool/spooled.h"

#define PPT_SEPARATOR "====="

struct ppt_source {
    struct spooled_source spooled;
    bool single; /* one .mem file */
    struct ppt_kernels kernels;
};

static const char *ppt_skip_space(const char *head, const char *end)
{
    while (head < end && (scan_is_blank(*head) || *head == '\r' || *head == '\n'))
        head++;
    return head;
}

static bool ppt_is_records(const char *head, size_t size)
{
    const char *end = head + size, *at = ppt_skip_space(head, end);
    if ((size_t)(end - at) <= strlen(PPT_SEPARATOR) ||
        memcmp(at, PPT_SEPARATOR, strlen(PPT_SEPARATOR)) != 0)
        return false;
    at += strlen(PPT_SEPARATOR);
    if (*at != '\n' && *at != '\r')
        return false;
    at = ppt_skip_space(at, end);
    return at < end && *at >= 'A' && *at <= 'Z';
}

static bool ppt_is_config(const char *head, size_t size)
{
    static const char begin[] = "kernel_";
    const char *end = head + size, *at = ppt_skip_space(head, end);
    if ((size_t)(end - at) <= strlen(begin) || memcmp(at, begin, strlen(begin)) != 0)
        return false;
    for (at += strlen(begin); at < end && *at >= '0' && *at <= '9'; at++)
        ;
    at = ppt_skip_space(at, end);
    return end - at > 2 && at[0] == '=' && *ppt_skip_space(at + 1, end - 1) == '{';
}

static bool ppt_detect(const char *path, const char *head, size_t size)
{
    (void)path;
    return ppt_is_records(head, size) || ppt_is_config(head, size);
}

/* --- records ---------------------------------------------------------------- */

/* The addresses of a record. NULL, or what was expected at *at. */
static const char *ppt_read_addresses(const char **at, bool copy, uint64_t *list,
                                      struct warp_access *out)
{
    const uint64_t offset_limit = (uint64_t)1 << 24; /* of shared memory */
    int count = 0;
    uint64_t address;
    while (!scan_end(*at)) {
        const char *begin = *at = scan_blanks(*at);
        if ((*at)[0] != '0' || (*at)[1] != 'x' || !scan_hex(at, UINT64_MAX, &address))
            return "an address such as 0x7f01a2000000";
        if (copy && address < offset_limit)
            continue;
        if (count == WARP_LANES) {
            *at = begin;
            return "at most 32 addresses";
        }
        list[count++] = address;
    }
    out->addresses = list;
    out->mask = count ? UINT32_MAX >> (WARP_LANES - count) : 0;
    return NULL;
}

static int ppt_record(const struct line_reader *lines, const char *line, uint64_t block,
                      struct spool *spool, struct stream_kernel *out, struct error *error)
{
    static const char copy[] = "LDGSTS";
    const char *at = scan_field_end(line), *wanted = NULL;
    struct warp_access access = {0};
    uint64_t list[WARP_LANES];
    bool global = opcode_access(line, (size_t)(at - line), &access, &out->dropped);
    if (*line < 'A' || *line > 'Z') {
        at = line;
        wanted = "an opcode and addresses";
    } else {
        wanted = ppt_read_addresses(&at, strncmp(line, copy, strlen(copy)) == 0, list, &access);
    }
    if (!wanted && access.mask && global && !spooled_check_addresses(&access)) {
        at = scan_blanks(scan_field_end(line));
        wanted = "addresses below 2^60 for all lanes";
    }
    if (wanted)
        return line_reader_expected(lines, at, wanted, error);
    return global && access.mask ? spool_add(spool, block, 0, &access, error) : 0;
}

static int ppt_records(struct line_reader *lines, uint64_t block, struct spool *spool,
                       struct stream_kernel *out, struct error *error)
{
    const char *line;
    int status;
    bool separated = false;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0) {
        bool separator = strncmp(line, PPT_SEPARATOR, strlen(PPT_SEPARATOR)) == 0 &&
                         scan_end(line + strlen(PPT_SEPARATOR));
        if (separator == separated)
            return line_reader_error(lines, line, error,
                                     separator ? "expected an opcode and addresses"
                                               : "expected \"" PPT_SEPARATOR
                                                 "\" between two records");
        separated = separator;
        if (!separator && (status = ppt_record(lines, line, block, spool, out, error)))
            return status;
    }
    if (status == 0 && separated)
        return line_reader_error(lines, line, error, "the file ends inside a record");
    return status;
}

static int ppt_read_block(const char *path, uint64_t block, struct spool *spool,
                          struct stream_kernel *out, struct error *error)
{
    struct line_reader *lines;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    status = ppt_records(lines, block, spool, out, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    return status;
}

/* --- a stream --------------------------------------------------------------- */

/* The file of a block; free() it. NULL when it made no access and so has none. */
static char *ppt_block_path(const struct ppt_source *self, const struct ppt_kernel *kernel,
                            uint32_t block)
{
    const char *spec = self->spooled.source.path;
    struct text name = {0};
    if (self->single)
        return memory_strdup(spec);
    text_printf(&name, "memory_traces/kernel_%u_block_%u.mem", kernel->id, block);
    char *path = file_beside(spec, name.data);
    text_free(&name);
    if (file_exists(path))
        return path;
    free(path);
    return NULL;
}

static int ppt_load(const struct spooled_source *source, void *cursor, size_t number,
                    struct spool *spool, struct stream_kernel *out, struct error *error)
{
    const struct ppt_source *self = (const struct ppt_source *)source;
    (void)cursor;
    if (number == self->kernels.count)
        return 0;
    const struct ppt_kernel *kernel = &self->kernels.items[number];
    *out = kernel->launch;
    spooled_check_launch(out);
    spool_reset(spool, out->warps_per_cta);
    for (uint32_t block = 0; block < out->grid[0]; block++) {
        char *path = ppt_block_path(self, kernel, block);
        int status = 0;
        if (path) {
            spool_enter_cta(spool, block);
            status = ppt_read_block(path, block, spool, out, error);
        }
        free(path);
        if (status)
            return status;
    }
    return 1;
}

/* --- the source ------------------------------------------------------------- */

static void ppt_fini(struct spooled_source *source)
{
    VECTOR_FREE(&((struct ppt_source *)source)->kernels);
}

/* Hashes the configuration and all files of blocks; there must be one. */
static int ppt_hash(struct ppt_source *self, struct error *error)
{
    struct source *source = &self->spooled.source;
    struct hash_content *hash = hash_content_begin();
    int status = self->single ? 0 : hash_content_file(hash, source->path, error);
    bool found = false;
    for (size_t k = 0; k < self->kernels.count; k++)
        for (uint32_t block = 0; block < self->kernels.items[k].launch.grid[0] && !status;
             block++) {
            char *path = ppt_block_path(self, &self->kernels.items[k], block);
            if (path) {
                found = true;
                hash_content_string(hash, file_base_name(path));
                status = hash_content_file(hash, path, error);
            }
            free(path);
        }
    hash_content_end(hash, source->hash);
    if (status || found)
        return status;
    struct mark mark = {source->path, 0, 0, NULL};
    error_at(error, STATUS_INPUT, &mark, "no thread block has a file of accesses");
    return error_hint(error, "they are sought beside it, as memory_traces/kernel_%u_block_0.mem",
                      self->kernels.items[0].id);
}

/* What a person would call it: a .mem file by its name, a program by its folder. */
static void ppt_name(const char *path, bool single, struct text *out)
{
    const char *base = file_base_name(path);
    char *folder = single ? NULL : file_directory(path);
    const char *above = folder ? file_base_name(folder) : "";
    if (*above && strcmp(above, ".") != 0 && strcmp(above, "..") != 0)
        text_append(out, above);
    else
        text_append_bytes(out, base, strcspn(base, "."));
    free(folder);
}

static int ppt_open(const char *path, struct source **out, struct error *error)
{
    static const struct spooled_class spooled = {.load = ppt_load, .fini = ppt_fini};
    struct line_reader *lines;
    struct text name = {0};
    const char *head;
    size_t size;
    *out = NULL;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    struct ppt_source *self = memory_zero(1, sizeof *self);
    status = line_reader_head(lines, &head, &size, error);
    self->single = !status && ppt_is_records(head, size);
    ppt_name(path, self->single, &name);
    spooled_source_init(&self->spooled, &spooled, name.data, path);
    text_free(&name);
    struct source *source = &self->spooled.source;
    if (self->single)
        VECTOR_PUSH(&self->kernels, ((struct ppt_kernel){.launch = {.name = source->name,
                                                                    .grid = {1, 1, 1},
                                                                    .block = {WARP_LANES, 1, 1}}}));
    else if (!status)
        status = ppt_config_read(lines, source->arena, &self->kernels, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    if (!status)
        status = ppt_hash(self, error);
    return spooled_opened(&self->spooled, status, out);
}

const struct reader reader_ppt = {
    .plugin = {.kind = "reader",
               .name = "ppt",
               .summary = "PPT-GPU memory traces: app_config.py, or one kernel_1_block_0.mem",
               .reference = "Arafa et al., PPT-GPU, SC 2021"},
    .detect = ppt_detect,
    .open = ppt_open,
};

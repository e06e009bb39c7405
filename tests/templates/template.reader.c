/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a trace reader: copy it to src/trace/readers/<name>.reader.c, replace
 * "template" by <name>, and decode your format into the spool.
 *
 * This one reads files named *.addresses: one hexadecimal address a line, a
 * 4-byte load by the first lane of one warp each, 1024 warps of 32 blocks. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/reader.h"
#include "trace/spool/spooled.h"

enum { TEMPLATE_LIMIT = 1 << 30, TEMPLATE_BLOCKS = 32, TEMPLATE_WARPS = 32 };

struct template_source {
    struct spooled_source spooled; /* first member */
    char *text;
};

static int template_add(struct spool *spool, uint64_t n, uint64_t address, struct error *error)
{
    struct warp_access access = {
        .base = address, .mask = 1, .bytes = 4, .kind = ACCESS_READ, .instructions = 1};
    uint64_t cta = n % TEMPLATE_BLOCKS;
    spool_enter_cta(spool, cta);
    return spool_add(spool, cta, (uint32_t)(n / TEMPLATE_BLOCKS % TEMPLATE_WARPS), &access, error);
}

/* `begin` and `end`, for formats that are read from front to back, keep a cursor. */
static int template_load(const struct spooled_source *source, void *cursor, size_t kernel,
                         struct spool *spool, struct stream_kernel *out, struct error *error)
{
    const struct template_source *s = (const struct template_source *)source;
    uint64_t n = 0;
    (void)cursor;
    if (kernel > 0)
        return 0;
    *out = (struct stream_kernel){.name = "addresses",
                                  .grid = {TEMPLATE_BLOCKS, 1, 1},
                                  .block = {TEMPLATE_WARPS * WARP_LANES, 1, 1}};
    spooled_check_launch(out);
    spool_reset(spool, TEMPLATE_WARPS);
    struct mark mark = {.file = s->spooled.source.path, .line = 1, .column = 1};
    for (const char *line = s->text; *line; mark.line++) {
        char *end;
        mark.source = line;
        uint64_t address = strtoull(line, &end, 16);
        if (end == line || (*end != '\n' && *end != '\0') || address >= TRACE_ADDRESS_LIMIT)
            return error_at(error, STATUS_INPUT, &mark, "expected one hexadecimal address");
        int status = template_add(spool, n++, address, error);
        if (status)
            return status;
        line = *end ? end + 1 : end;
    }
    return 1;
}

static void template_fini(struct spooled_source *source)
{
    free(((struct template_source *)source)->text);
}

static const struct spooled_class template_class = {.load = template_load, .fini = template_fini};

static bool template_detect(const char *path, const char *head, size_t size)
{
    const char *ending = strrchr(path, '.');
    return ending && strcmp(ending, ".addresses") == 0 && size > 0 &&
           isxdigit((unsigned char)head[0]);
}

static int template_open(const char *path, struct source **out, struct error *error)
{
    size_t size;
    char *text;
    int status = file_read(path, TEMPLATE_LIMIT, &text, &size, error);
    if (status)
        return status;
    struct template_source *source = memory_zero(1, sizeof *source);
    source->text = text;
    spooled_source_init(&source->spooled, &template_class, file_base_name(path), path);
    struct hash_content *hash = hash_content_begin();
    hash_content_add(hash, text, size); /* all that determines the stream */
    hash_content_end(hash, source->spooled.source.hash);
    *out = &source->spooled.source;
    return 0;
}

const struct reader reader_template = {
    .plugin = {"reader", "template", "one hexadecimal address a line (*.addresses)", NULL, NULL},
    .detect = template_detect,
    .open = template_open,
};

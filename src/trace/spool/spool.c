/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of records that never move, and an index of warps. The first chunks
 * are small, because most kernels are.
 *
 * A position is chunk << CHUNK_SHIFT | offset; 0 means none, because every
 * chunk begins with a few unused bytes. */
#include "trace/spool/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/key_table.h"
#include "trace/local.h"

enum { CHUNK_SHIFT = 22, CHUNK_START = 64, CHUNK_DOUBLINGS = 6 };
_Static_assert(SPOOL_CHUNK_BYTES == 1 << CHUNK_SHIFT, "positions");

struct spool_record {
    uint64_t base;
    int32_t stride;
    uint32_t mask;
    uint32_t instructions;
    uint8_t bytes, kind;
    uint8_t flags; /* the path as well */
    uint8_t ahead; /* and what follows the record: with RECORD_THINK cycles in 8 bytes, with
                    * RECORD_LIST one address per active lane */
};
enum { RECORD_THINK = 0x40, RECORD_LIST = 0x80, RECORD_PATH_SHIFT = 4 };
_Static_assert((int)WARP_AHEAD_MOST < (int)RECORD_THINK &&
                   (int)ACCESS_FLAGS < 1 << (int)RECORD_PATH_SHIFT,
               "packed");

struct spool_run {
    uint64_t next, cta;
    uint32_t warp, count;
};
_Static_assert(sizeof(struct spool_record) == 24 && sizeof(struct spool_run) == 24, "packed");

struct spool_chunk {
    char *data;
    size_t size, fill;
};

/* Of a warp: its first and last run. Of a CTA: how it is known, and its SM + 1. */
enum { CTA_NAMED = 1, CTA_ENTERED = 2 };
struct spool_entry {
    uint64_t first, last;
};

/* The entry of (cta, slot) has number cta * slots_per_cta + slot, with slot 0
 * for the CTA and warp + 1 for its warps. Entries live in pages, found through
 * a hash table of open addressing: dense grids cost 18 bytes a warp, and
 * sparse ones cost what they hold. */
enum { PAGE_ENTRIES = 16 };
struct spool_page {
    struct spool_entry entries[PAGE_ENTRIES];
};

struct spool {
    size_t memory_bytes, memory_used; /* beyond the limit, the file */
    int file;                         /* -1: none yet */
    struct {
        struct spool_chunk *items;
        size_t count, capacity;
    } chunks;
    size_t chunk; /* being filled */
    struct spool_run *run;
    size_t mapped; /* chunks in the file */

    uint64_t slots_per_cta;
    struct {
        struct spool_page *items;
        size_t count, capacity;
    } pages;
    struct key_table slots; /* of entry number / PAGE_ENTRIES + 1: its page + 1 */
    uint64_t cta_limit, cta_count;
    uint32_t warp_limit;
    bool goes_ahead;
    uint64_t local_first, local_end; /* bytes of a warp's frame that accesses reach; end 0: none */
};

struct spool *spool_create(size_t memory_bytes)
{
    struct spool *spool = memory_zero(1, sizeof *spool);
    spool->memory_bytes = memory_bytes;
    spool->file = -1;
    spool->slots.item_bytes = sizeof(struct key_value);
    spool_reset(spool, SPOOL_WARPS_MAX);
    return spool;
}

static void spool_close_file(struct spool *spool)
{
    for (; spool->mapped > 0; spool->mapped--)
        munmap(spool->chunks.items[--spool->chunks.count].data, SPOOL_CHUNK_BYTES);
    if (spool->file >= 0)
        close(spool->file);
    spool->file = -1;
}

void spool_destroy(struct spool *spool)
{
    if (!spool)
        return;
    spool_close_file(spool);
    for (size_t i = 0; i < spool->chunks.count; i++)
        free(spool->chunks.items[i].data);
    VECTOR_FREE(&spool->chunks);
    VECTOR_FREE(&spool->pages);
    key_table_fini(&spool->slots);
    free(spool);
}

void spool_reset(struct spool *spool, uint32_t warps_per_cta)
{
    spool_close_file(spool);
    for (size_t i = 0; i < spool->chunks.count; i++)
        spool->chunks.items[i].fill = CHUNK_START;
    spool->chunk = 0;
    spool->run = NULL;
    spool->pages.count = 0;
    key_table_clear(&spool->slots);
    spool->slots_per_cta = (uint64_t)warps_per_cta + 1;
    spool->cta_limit = 0;
    spool->cta_count = 0;
    spool->warp_limit = 0;
    spool->goes_ahead = false;
    spool->local_first = UINT64_MAX;
    spool->local_end = 0;
}

/* --- the index -------------------------------------------------------------- */

static const struct spool_entry *spool_find(const struct spool *spool, uint64_t cta, uint64_t slot)
{
    uint64_t number = cta * spool->slots_per_cta + slot;
    const struct key_value *found = key_table_find(&spool->slots, number / PAGE_ENTRIES + 1);
    return found ? &spool->pages.items[found->value - 1].entries[number % PAGE_ENTRIES] : NULL;
}

/* As spool_find; makes the entry if there is none. */
static struct spool_entry *spool_enter(struct spool *spool, uint64_t cta, uint64_t slot)
{
    uint64_t number = cta * spool->slots_per_cta + slot;
    struct key_value *found = key_table_enter(&spool->slots, number / PAGE_ENTRIES + 1);
    if (!found->value) {
        VECTOR_PUSH(&spool->pages, (struct spool_page){0});
        found->value = spool->pages.count;
    }
    if (cta >= spool->cta_limit)
        spool->cta_limit = cta + 1;
    if (slot > spool->warp_limit)
        spool->warp_limit = (uint32_t)slot;
    return &spool->pages.items[found->value - 1].entries[number % PAGE_ENTRIES];
}

/* The entry of a CTA, which is there from now on. */
static struct spool_entry *spool_name_cta(struct spool *spool, uint64_t cta)
{
    struct spool_entry *entry = spool_enter(spool, cta, 0);
    spool->cta_count += entry->first == 0;
    entry->first |= CTA_NAMED;
    return entry;
}

bool spool_enter_cta(struct spool *spool, uint64_t cta)
{
    struct spool_entry *entry = spool_name_cta(spool, cta);
    bool first = (entry->first & CTA_ENTERED) == 0;
    entry->first |= CTA_ENTERED;
    return first;
}

bool spool_has_cta(const struct spool *spool, uint64_t cta)
{
    const struct spool_entry *entry = spool_find(spool, cta, 0);
    return entry && entry->first != 0;
}

uint64_t spool_cta_count(const struct spool *spool)
{
    return spool->cta_count;
}

bool spool_set_sm(struct spool *spool, uint64_t cta, uint32_t sm)
{
    struct spool_entry *entry = spool_name_cta(spool, cta);
    if (entry->last == 0)
        entry->last = (uint64_t)sm + 1;
    return entry->last == (uint64_t)sm + 1;
}

bool spool_sm(const struct spool *spool, uint64_t cta, uint32_t *sm)
{
    const struct spool_entry *entry = spool_find(spool, cta, 0);
    if (!entry || entry->last == 0)
        return false;
    *sm = (uint32_t)(entry->last - 1);
    return true;
}

uint64_t spool_cta_limit(const struct spool *spool)
{
    return spool->cta_limit;
}

uint32_t spool_warp_limit(const struct spool *spool)
{
    return spool->warp_limit;
}

bool spool_goes_ahead(const struct spool *spool)
{
    return spool->goes_ahead;
}

uint64_t spool_local(const struct spool *spool, uint64_t *first)
{
    *first = spool->local_end ? spool->local_first / LOCAL_ROW_BYTES * LOCAL_ROW_BYTES : 0;
    return (spool->local_end - *first + LOCAL_ROW_BYTES - 1) / LOCAL_ROW_BYTES * LOCAL_ROW_BYTES;
}

static void spool_note_local(struct spool *spool, const struct warp_access *access)
{
    for (int k = warp_access_lanes(access) - 1; k >= 0; k--) {
        uint64_t at = warp_access_address(access, k), end = at + access->bytes;
        spool->local_first = at < spool->local_first ? at : spool->local_first;
        spool->local_end = end > spool->local_end ? end : spool->local_end;
    }
}

uint64_t spool_bytes(const struct spool *spool)
{
    uint64_t total = 0;
    for (size_t i = 0; i < spool->chunks.count; i++)
        total += spool->chunks.items[i].fill - CHUNK_START;
    return total;
}

uint64_t spool_file_bytes(const struct spool *spool)
{
    return (uint64_t)spool->mapped * SPOOL_CHUNK_BYTES;
}

/* --- the chunks ------------------------------------------------------------- */

static int spool_open_file(struct spool *spool, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    struct text path = {0};
    text_printf(&path, "%s/bandscape-XXXXXX", folder && folder[0] ? folder : "/tmp");
    spool->file = mkstemp(path.data);
    int status = 0;
    if (spool->file < 0) {
        error_errno(error, "create a temporary file like", path.data);
        error_hint(error, "TMPDIR names the folder for temporary files");
        error->status = status = STATUS_IO;
    } else {
        unlink(path.data);
    }
    text_free(&path);
    return status;
}

/* One more chunk in the file. The space is reserved first: a full disk must be
 * an error here, not a signal when the mapping is written. */
static int spool_map_chunk(struct spool *spool, char **data, struct error *error)
{
    int status = spool->file < 0 ? spool_open_file(spool, error) : 0;
    if (status)
        return status;
    off_t at = (off_t)spool->mapped * SPOOL_CHUNK_BYTES;
    errno = posix_fallocate(spool->file, at, SPOOL_CHUNK_BYTES);
    if (errno == EOPNOTSUPP && ftruncate(spool->file, at + SPOOL_CHUNK_BYTES) == 0)
        errno = 0;
    void *map =
        errno ? MAP_FAILED
              : mmap(NULL, SPOOL_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, spool->file, at);
    if (map == MAP_FAILED) {
        error_errno(error, "extend", "the temporary file of decoded accesses");
        error_hint(error, "TMPDIR names the folder for temporary files");
        return error->status = STATUS_IO;
    }
    spool->mapped++;
    *data = map;
    return 0;
}

static int spool_next_chunk(struct spool *spool, struct error *error)
{
    size_t next = spool->run ? spool->chunk + 1 : 0;
    if (next == spool->chunks.count) {
        int shift = next < CHUNK_DOUBLINGS ? CHUNK_DOUBLINGS - (int)next : 0;
        struct spool_chunk chunk = {NULL, (size_t)SPOOL_CHUNK_BYTES >> shift, CHUNK_START};
        int status = 0;
        if (spool->memory_used + chunk.size <= spool->memory_bytes) {
            chunk.data = memory_alloc(chunk.size);
            spool->memory_used += chunk.size;
        } else {
            chunk.size = SPOOL_CHUNK_BYTES;
            status = spool_map_chunk(spool, &chunk.data, error);
        }
        if (status)
            return status;
        VECTOR_PUSH(&spool->chunks, chunk);
    }
    spool->chunk = next;
    return 0;
}

static bool spool_has_room(const struct spool *spool, size_t size)
{
    if (!spool->run) /* no chunk yet, or none of this kernel */
        return false;
    const struct spool_chunk *chunk = &spool->chunks.items[spool->chunk];
    return chunk->fill + size <= chunk->size;
}

static struct spool_run *spool_run_at(const struct spool *spool, uint64_t position)
{
    return (struct spool_run *)(void *)(spool->chunks.items[position >> CHUNK_SHIFT].data +
                                        (position & (SPOOL_CHUNK_BYTES - 1)));
}

/* Begins a run of a warp, with room for `size` bytes of records. */
static int spool_begin_run(struct spool *spool, uint64_t cta, uint32_t warp, size_t size,
                           struct error *error)
{
    if (!spool_has_room(spool, sizeof(struct spool_run) + size)) {
        int status = spool_next_chunk(spool, error);
        if (status)
            return status;
    }
    if (!spool->run || spool->run->cta != cta)
        spool_name_cta(spool, cta);
    struct spool_chunk *chunk = &spool->chunks.items[spool->chunk];
    uint64_t position = (uint64_t)spool->chunk << CHUNK_SHIFT | chunk->fill;
    struct spool_entry *entry = spool_enter(spool, cta, (uint64_t)warp + 1);
    if (entry->last)
        spool_run_at(spool, entry->last)->next = position;
    else
        entry->first = position;
    entry->last = position;
    spool->run = spool_run_at(spool, position);
    *spool->run = (struct spool_run){0, cta, warp, 0};
    chunk->fill += sizeof(struct spool_run);
    return 0;
}

int spool_enter_warp(struct spool *spool, uint64_t cta, uint32_t warp, bool *first,
                     struct error *error)
{
    *first = spool_enter(spool, cta, (uint64_t)warp + 1)->first == 0;
    return *first ? spool_begin_run(spool, cta, warp, 0, error) : 0;
}

/* The stride of a list of addresses, if it has one. */
static bool spool_list_stride(const uint64_t *addresses, int count, int64_t *stride)
{
    *stride = (int64_t)(addresses[1] - addresses[0]);
    for (int k = 2; k < count; k++)
        if ((int64_t)(addresses[k] - addresses[k - 1]) != *stride)
            return false;
    return true;
}

void spool_normalise(struct warp_access *access, uint64_t *list)
{
    int lanes = __builtin_popcount(access->mask);
    int64_t stride = lanes > 1 ? access->stride : 0;
    bool regular =
        !access->addresses || lanes < 2 || spool_list_stride(access->addresses, lanes, &stride);
    access->base = lanes ? warp_access_address(access, 0) : 0;
    if (regular && stride >= INT32_MIN && stride <= INT32_MAX) {
        access->addresses = NULL;
        access->stride = stride;
        return;
    }
    if (!access->addresses) {
        for (int k = 0; k < lanes; k++)
            list[k] = access->base + (uint64_t)k * (uint64_t)stride;
        access->addresses = list;
    }
    access->stride = 0;
}

int spool_add(struct spool *spool, uint64_t cta, uint32_t warp, const struct warp_access *access,
              struct error *error)
{
    uint64_t list[WARP_LANES];
    struct warp_access normal = *access;
    spool_normalise(&normal, list);
    size_t list_size =
        normal.addresses ? (size_t)__builtin_popcount(normal.mask) * sizeof *normal.addresses : 0;
    const uint64_t think = normal.think;
    const size_t think_size = think ? sizeof think : 0;
    size_t size = sizeof(struct spool_record) + think_size + list_size;
    if (!spool->run || spool->run->cta != cta || spool->run->warp != warp ||
        !spool_has_room(spool, size)) {
        int status = spool_begin_run(spool, cta, warp, size, error);
        if (status)
            return status;
    }
    struct spool_chunk *chunk = &spool->chunks.items[spool->chunk];
    struct spool_record record = {
        .base = normal.base,
        .stride = (int32_t)normal.stride,
        .mask = normal.mask,
        .instructions = normal.instructions,
        .bytes = normal.bytes,
        .kind = normal.kind,
        .flags = (uint8_t)(normal.flags | normal.path << RECORD_PATH_SHIFT),
        .ahead = (uint8_t)(normal.ahead | (think ? RECORD_THINK : 0) |
                           (normal.addresses ? RECORD_LIST : 0)),
    };
    char *at = chunk->data + chunk->fill;
    memcpy(at, &record, sizeof record);
    memcpy(at + sizeof record, &think, think_size);
    if (list_size)
        memcpy(at + sizeof record + think_size, normal.addresses, list_size);
    chunk->fill += size;
    spool->run->count++;
    spool->goes_ahead = spool->goes_ahead || normal.ahead > 0;
    if (normal.flags & ACCESS_LOCAL)
        spool_note_local(spool, &normal);
    return 0;
}

/* --- reading ---------------------------------------------------------------- */

static void spool_enter_run(const struct spool_run *run, struct spool_cursor *cursor)
{
    *cursor = (struct spool_cursor){run, (const char *)(run + 1), run->count};
}

void spool_begin(const struct spool *spool, uint64_t cta, uint32_t warp,
                 struct spool_cursor *cursor)
{
    *cursor = (struct spool_cursor){0};
    if (warp + 1 >= spool->slots_per_cta)
        return;
    const struct spool_entry *entry = spool_find(spool, cta, (uint64_t)warp + 1);
    if (entry && entry->first)
        spool_enter_run(spool_run_at(spool, entry->first), cursor);
}

/* Delivers the next record of the run. */
static void spool_take(struct spool_cursor *cursor, struct warp_access *out)
{
    const struct spool_record *record = (const void *)cursor->at;
    *out = (struct warp_access){
        .base = record->base,
        .stride = record->stride,
        .mask = record->mask,
        .instructions = record->instructions,
        .bytes = record->bytes,
        .kind = record->kind,
        .flags = record->flags & ((1 << RECORD_PATH_SHIFT) - 1),
        .path = record->flags >> RECORD_PATH_SHIFT,
        .ahead = record->ahead & (RECORD_THINK - 1),
    };
    cursor->at += sizeof *record;
    cursor->left--;
    if (record->ahead & RECORD_THINK) {
        out->think = (uint32_t) * (const uint64_t *)(const void *)cursor->at;
        cursor->at += sizeof(uint64_t);
    }
    if (record->ahead & RECORD_LIST) {
        out->addresses = (const void *)cursor->at;
        cursor->at += (size_t)__builtin_popcount(record->mask) * sizeof(uint64_t);
    }
}

/* The same into a buffer. Lists of accesses to local memory, which are moved from place to place,
 * are copied into its pool: false when that has no room left. */
static bool spool_take_into(struct spool_cursor *cursor, struct warp_buffer *out)
{
    const struct spool_record *record = (const void *)cursor->at;
    struct warp_access *item = &out->items[out->count];
    int lanes = 0;
    if (record->flags & ACCESS_LOCAL && record->ahead & RECORD_LIST)
        lanes = __builtin_popcount(record->mask);
    if (out->pool_used + lanes > WARP_BUFFER_POOL)
        return false;
    spool_take(cursor, item);
    if (lanes) {
        uint64_t *own = out->pool + out->pool_used;
        memcpy(own, item->addresses, (size_t)lanes * sizeof *own);
        item->addresses = own;
        out->pool_used += lanes;
    }
    out->count++;
    return true;
}

int spool_read(const struct spool *spool, struct spool_cursor *cursor, struct warp_buffer *out)
{
    out->count = 0;
    out->pool_used = 0;
    while (out->count < WARP_BUFFER_ITEMS) {
        if (cursor->left) {
            if (!spool_take_into(cursor, out))
                break;
            continue;
        }
        if (!cursor->run || !cursor->run->next)
            break;
        spool_enter_run(spool_run_at(spool, cursor->run->next), cursor);
    }
    return out->count;
}

/* The run behind the one that ended, perhaps in a later chunk. */
static bool spool_next_run(const struct spool *spool, struct spool_order *order)
{
    for (; order->chunk < spool->chunks.count; order->chunk++, order->cursor.run = NULL) {
        const struct spool_chunk *chunk = &spool->chunks.items[order->chunk];
        size_t at = order->cursor.run ? (size_t)(order->cursor.at - chunk->data) : CHUNK_START;
        if (at < chunk->fill) {
            uint64_t position = (uint64_t)order->chunk << CHUNK_SHIFT | at;
            spool_enter_run(spool_run_at(spool, position), &order->cursor);
            return true;
        }
    }
    return false;
}

int spool_read_ordered(const struct spool *spool, struct spool_order *order,
                       struct warp_buffer *out, struct ordered_access *origin)
{
    out->count = 0;
    out->pool_used = 0;
    while (out->count < WARP_BUFFER_ITEMS) {
        if (order->cursor.left) {
            origin[out->count].cta = order->cursor.run->cta;
            origin[out->count].warp = order->cursor.run->warp;
            if (!spool_take_into(&order->cursor, out))
                break;
        } else if (!spool_next_run(spool, order)) {
            break;
        }
    }
    return out->count;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing. Three cases: lanes at most a sector apart (all sectors between
 * the first and the last byte are touched: no loop over lanes), ascending
 * lanes (a line is the last one found or a new one), and any order (a table of
 * the lines found so far). */
#include "trace/coalesce.h"

struct geometry {
    int line_shift, sector_shift;
    uint32_t offset_mask; /* of a byte inside its line */
};

/* Sectors first .. last of one line. */
static uint32_t coalesce_sectors(uint32_t first, uint32_t last)
{
    return (UINT32_MAX >> (31 - last)) & (UINT32_MAX << first);
}

static uint32_t coalesce_sector(const struct geometry *g, uint64_t address)
{
    return ((uint32_t)address & g->offset_mask) >> g->sector_shift;
}

/* Every sector that holds a byte of first .. last. */
static int coalesce_span(const struct geometry *g, uint64_t first, uint64_t last,
                         struct coalesced_line *out)
{
    uint32_t top = g->offset_mask >> g->sector_shift;
    uint64_t from = first >> g->line_shift, to = last >> g->line_shift;
    int count = (int)(to - from) + 1;
    if (count == 1) {
        uint32_t sectors = coalesce_sectors(coalesce_sector(g, first), coalesce_sector(g, last));
        out[0] = (struct coalesced_line){from, sectors};
        return 1;
    }
    for (int i = 0; i < count; i++)
        out[i] = (struct coalesced_line){from + (uint64_t)i, coalesce_sectors(0, top)};
    out[0].sectors &= coalesce_sectors(coalesce_sector(g, first), top);
    out[count - 1].sectors &= coalesce_sectors(0, coalesce_sector(g, last));
    return count;
}

/* The lines found so far: slot -> index + 1, linear probing; twice as many slots as there may be
 * lines. */
enum { TABLE_BITS = 7, LIST_BITS = 6 };
_Static_assert(1 << TABLE_BITS == 2 * COALESCE_MAX && 1 << LIST_BITS == 2 * WARP_LANES, "slots");
struct found {
    uint8_t *slots;
    uint32_t bits; /* log2 of their number */
    struct coalesced_line *out;
    int count;
};

/* A line that is not the last one found. */
static inline void coalesce_find(struct found *found, uint64_t line, uint32_t sectors)
{
    uint32_t slot = (uint32_t)((line * 0x9e3779b97f4a7c15ULL) >> (64 - found->bits));
    for (; found->slots[slot]; slot = (slot + 1) & ((1U << found->bits) - 1)) {
        struct coalesced_line *known = &found->out[found->slots[slot] - 1];
        if (known->line == line) {
            known->sectors |= sectors;
            return;
        }
    }
    found->out[found->count++] = (struct coalesced_line){line, sectors};
    found->slots[slot] = (uint8_t)found->count;
}

static inline void coalesce_add(struct found *found, uint64_t line, uint32_t sectors)
{
    if (found->count && found->out[found->count - 1].line == line)
        found->out[found->count - 1].sectors |= sectors;
    else
        coalesce_find(found, line, sectors);
}

/* What a list of lanes touches, if none of them straddles lines; else -1. */
static int coalesce_list(const struct geometry *g, const struct warp_access *access, int lanes,
                         struct coalesced_line *out)
{
    uint8_t slots[1 << LIST_BITS] = {0};
    struct found found = {.slots = slots, .bits = LIST_BITS, .out = out};
    uint32_t longest = access->bytes - 1U, ends = 0;
    for (int k = 0; k < lanes; k++)
        ends |= ((uint32_t)access->addresses[k] & g->offset_mask) + longest;
    if (ends > g->offset_mask) /* one of them is */
        return -1;
    for (int k = 0; k < lanes; k++) {
        uint32_t first = (uint32_t)access->addresses[k] & g->offset_mask, last = first + longest;
        uint32_t sectors = (2U << (last >> g->sector_shift)) - (1U << (first >> g->sector_shift));
        coalesce_add(&found, access->addresses[k] >> g->line_shift, sectors);
    }
    return found.count;
}

static int coalesce_lanes(const struct geometry *g, const struct warp_access *access, int lanes,
                          struct coalesced_line *out)
{
    int count = access->addresses ? coalesce_list(g, access, lanes, out) : -1;
    if (count >= 0)
        return count;
    uint8_t slots[1 << TABLE_BITS] = {0};
    struct found found = {.slots = slots, .bits = TABLE_BITS, .out = out};
    uint32_t top = g->offset_mask >> g->sector_shift;
    for (int k = 0; k < lanes; k++) {
        uint64_t first = warp_access_address(access, k), last = first + access->bytes - 1;
        uint32_t low = coalesce_sector(g, first), high = coalesce_sector(g, last);
        if (first >> g->line_shift == last >> g->line_shift) {
            coalesce_add(&found, first >> g->line_shift, coalesce_sectors(low, high));
        } else {
            coalesce_add(&found, first >> g->line_shift, coalesce_sectors(low, top));
            coalesce_add(&found, last >> g->line_shift, coalesce_sectors(0, high));
        }
    }
    return found.count;
}

/* Lanes more than a sector apart and ascending: a lane begins behind the end
 * of the one before. */
static int coalesce_ascending(const struct geometry *g, const struct warp_access *access, int lanes,
                              struct coalesced_line *out)
{
    uint32_t top = g->offset_mask >> g->sector_shift;
    uint64_t address = access->base;
    int count = 0;
    for (int k = 0; k < lanes; k++, address += (uint64_t)access->stride) {
        uint64_t last = address + access->bytes - 1;
        uint64_t from = address >> g->line_shift, to = last >> g->line_shift;
        uint32_t low = coalesce_sector(g, address), high = coalesce_sector(g, last);
        uint32_t sectors = coalesce_sectors(low, from == to ? high : top);
        if (count && out[count - 1].line == from)
            out[count - 1].sectors |= sectors;
        else
            out[count++] = (struct coalesced_line){from, sectors};
        if (from != to)
            out[count++] = (struct coalesced_line){to, coalesce_sectors(0, high)};
    }
    return count;
}

int coalesce(const struct warp_access *access, uint32_t line_bytes,
             struct coalesced_line out[COALESCE_MAX])
{
    int lanes = warp_access_lanes(access);
    if (lanes == 0 || access->bytes == 0)
        return 0;
    int line_shift = __builtin_ctz(line_bytes);
    struct geometry g = {line_shift, line_shift > 10 ? line_shift - 5 : 5, line_bytes - 1};
    if (access->addresses || access->stride < 0)
        return coalesce_lanes(&g, access, lanes, out);
    uint64_t reach = (uint64_t)access->stride * (uint64_t)(lanes - 1) + access->bytes - 1;
    if (access->stride <= SECTOR_BYTES && access->base + reach >= access->base)
        return coalesce_span(&g, access->base, access->base + reach, out);
    if (access->stride <= INT32_MAX && access->base + reach >= access->base)
        return coalesce_ascending(&g, access, lanes, out);
    return coalesce_lanes(&g, access, lanes, out);
}

/* Bits first .. last. */
static uint64_t coalesce_bits(uint32_t first, uint32_t last)
{
    return (UINT64_MAX >> (63 - last)) & (UINT64_MAX << first);
}

/* The pieces of `line` that hold a byte of first .. last. */
static uint64_t coalesce_clip(uint64_t first, uint64_t last, uint64_t line, int line_shift,
                              int piece_shift)
{
    uint32_t mask = (UINT32_C(1) << line_shift) - 1;
    if (first >> line_shift > line || last >> line_shift < line)
        return 0;
    uint32_t low = first >> line_shift == line ? (uint32_t)first & mask : 0;
    uint32_t high = last >> line_shift == line ? (uint32_t)last & mask : mask;
    return coalesce_bits(low >> piece_shift, high >> piece_shift);
}

uint64_t coalesce_pieces(const struct warp_access *access, uint32_t line_bytes, uint64_t line)
{
    int lanes = warp_access_lanes(access);
    if (lanes == 0 || access->bytes == 0)
        return 0;
    int line_shift = __builtin_ctz(line_bytes);
    int piece_shift = line_shift > 8 ? line_shift - 6 : 2;
    /* Lanes without gaps, or that begin at most a piece apart: every piece between is touched. */
    int64_t step = access->bytes > 1 << piece_shift ? access->bytes : 1 << piece_shift;
    uint64_t reach = (uint64_t)access->stride * (uint64_t)(lanes - 1) + access->bytes - 1;
    if (!access->addresses && access->stride >= 0 && access->stride <= step &&
        access->base + reach >= access->base)
        return coalesce_clip(access->base, access->base + reach, line, line_shift, piece_shift);
    uint64_t pieces = 0;
    for (int k = 0; k < lanes; k++) {
        uint64_t first = warp_access_address(access, k), last = first + access->bytes - 1;
        if (first <= last)
            pieces |= coalesce_clip(first, last, line, line_shift, piece_shift);
        else /* around the end of the address space */
            pieces |= coalesce_clip(first, UINT64_MAX, line, line_shift, piece_shift) |
                      coalesce_clip(0, last, line, line_shift, piece_shift);
    }
    return pieces;
}

bool coalesce_covers(const struct warp_access *access, uint32_t line_bytes, uint64_t line,
                     uint32_t sectors, uint32_t n_sectors)
{
    uint32_t n_pieces = line_bytes > 256 ? 64 : line_bytes / 4, each = n_pieces / n_sectors;
    uint64_t pieces = coalesce_pieces(access, line_bytes, line), wanted = 0;
    for (uint32_t s = 0; s < n_sectors; s++)
        if (sectors >> s & 1)
            wanted |= coalesce_bits(s * each, (s + 1) * each - 1);
    return (pieces & wanted) == wanted;
}

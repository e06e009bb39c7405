/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/accelsim_bulk.h"

#include "trace/input/scan.h"

enum { MODE_LIST = 3, MODE_DELTAS = 4 };

/* Equal pieces of what is in bounds, or of the printed width if that agrees with the bytes. */
static bool bulk_piece(struct accelsim_bulk *bulk, uint64_t width, uint64_t bytes, uint64_t outside)
{
    uint64_t inside = bytes - outside, n = bulk->pieces;
    if (n == 0)
        return true;
    uint64_t piece = width * n == bytes || width * n == inside ? width : inside / n;
    bulk->piece_bytes = (uint32_t)piece;
    return piece > 0 && (piece == width || piece * n == inside);
}

const char *accelsim_bulk_read(const char **at, uint32_t width, struct accelsim_bulk *out,
                               bool *sized)
{
    uint64_t multicast, bytes, outside, pieces;
    *out = (struct accelsim_bulk){0};
    if (!scan_hex(at, UINT64_MAX, &out->barrier))
        return "the barrier of a bulk copy in hexadecimal";
    if (!scan_decimal(at, 1, &multicast))
        return "whether a bulk copy goes to several CTAs, 0 or 1";
    if (multicast && !scan_hex(at, UINT32_MAX, &multicast))
        return "the CTAs that a bulk copy goes to in hexadecimal";
    if (!scan_decimal(at, BULK_BYTES_MOST, &bytes))
        return "the bytes of a bulk copy, at most 16777216";
    if (!scan_decimal(at, bytes, &outside))
        return "how many bytes of the bulk copy are out of bounds";
    if (!scan_decimal(at, MODE_DELTAS, &out->mode) || out->mode < MODE_LIST)
        return "an address mode of bulk copies, 3 or 4";
    if (out->mode == MODE_DELTAS && !scan_hex(at, UINT64_MAX, &out->last))
        return "an address in hexadecimal";
    if (!scan_decimal(at, bytes, &pieces))
        return "a number of addresses, at most one a byte";
    out->pieces = (uint32_t)pieces;
    out->at = *at;
    *sized = bulk_piece(out, width, bytes, outside);
    return NULL;
}

static const char *bulk_next_piece(struct accelsim_bulk *bulk, const char **at)
{
    int64_t delta;
    *at = bulk->at;
    if (bulk->mode == MODE_LIST && !scan_hex(at, UINT64_MAX, &bulk->last))
        return "an address for each piece of a bulk copy";
    if (bulk->mode == MODE_DELTAS && bulk->taken > 0) {
        if (!scan_signed(at, &delta))
            return "an address difference for each piece of a bulk copy but the first";
        bulk->last += (uint64_t)delta;
    }
    bulk->at = *at;
    bulk->taken++;
    bulk->done = 0;
    return NULL;
}

const char *accelsim_bulk_next(struct accelsim_bulk *bulk, const char **at,
                               struct warp_access *access, uint64_t *list)
{
    enum { UNIT_MOST = 32 }; /* a sector; a power of two */
    uint32_t unit = UNIT_MOST, lanes = 0;
    while (bulk->piece_bytes % unit)
        unit /= 2;
    while (lanes < WARP_LANES) {
        if (bulk->taken == 0 || bulk->done == bulk->piece_bytes) {
            if (bulk->taken == bulk->pieces)
                break;
            const char *wanted = bulk_next_piece(bulk, at);
            if (wanted)
                return wanted;
        }
        list[lanes++] = bulk->last + bulk->done;
        bulk->done += unit;
    }
    *access = (struct warp_access){.addresses = list, .bytes = (uint8_t)unit};
    access->base = lanes ? list[0] : 0;
    access->mask = lanes ? UINT32_MAX >> (WARP_LANES - lanes) : 0;
    return NULL;
}

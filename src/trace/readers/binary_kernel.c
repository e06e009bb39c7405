/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes kernel blocks and blocks of accesses. Every record is decoded first
 * and checked then; the padding behind a block makes that safe. */
#include "trace/readers/binary_kernel.h"

#include "trace/spool/spooled.h"

int binary_kernel_head(const struct binary_blocks *blocks, struct binary_kernel *kernel,
                       struct stream_kernel *out, struct error *error)
{
    const uint8_t *at = blocks->payload;
    bool wrong = blocks->payload == blocks->end;
    unsigned flags = *at++;
    uint64_t sizes[7];
    *out = (struct stream_kernel){.recorded_order = (flags & BINARY_ORDER) != 0,
                                  .recorded_sm = (flags & BINARY_SMS) != 0};
    for (int i = 0; i < 7; i++) {
        sizes[i] = binary_get(&at, &wrong);
        wrong |= sizes[i] > UINT32_MAX;
    }
    if (wrong || flags & ~(unsigned)(BINARY_ORDER | BINARY_SMS) || at > blocks->end)
        return binary_error(error, blocks, blocks->payload, "expected flags, grid and block");
    kernel->has_grid = (sizes[0] | sizes[1] | sizes[2]) != 0;
    kernel->has_block = (sizes[3] | sizes[4] | sizes[5]) != 0;
    for (int i = 0; i < 3; i++) {
        out->grid[i] = kernel->has_grid ? (uint32_t)sizes[i] : 1;
        out->block[i] = kernel->has_block ? (uint32_t)sizes[3 + i] : 1;
    }
    out->shared_bytes = (uint32_t)sizes[6];
    const char *bad = spooled_check_launch(out);
    if (bad)
        return binary_error(error, blocks, blocks->payload, "%s", bad);
    int status = binary_get_name(blocks, &at, &kernel->name, &kernel->name_length, error);
    if (!status && at != blocks->end)
        status = binary_error(error, blocks, at, "expected the end of the block");
    return status;
}

struct binary_decoding {
    const struct binary_blocks *blocks;
    struct spool *spool;
    struct stream_kernel *kernel;
    uint64_t cta_limit;
    uint32_t warp_limit;
    const uint8_t *at;
    bool named; /* the block has named a warp */
    uint64_t cta;
    uint32_t warp;
    struct warp_access recent[BINARY_RECENT];
    unsigned next;
    uint32_t think; /* of the access that follows; 0: none was named */
};

static int binary_decode_warp(struct binary_decoding *in, const uint8_t *begin, struct error *error)
{
    bool wrong = false;
    uint64_t cta = binary_get(&in->at, &wrong), warp = binary_get(&in->at, &wrong), sm = 0;
    if (in->kernel->recorded_sm)
        sm = binary_get(&in->at, &wrong);
    if (wrong || in->at > in->blocks->end)
        return binary_error(error, in->blocks, begin, "expected a CTA and a warp");
    if (cta >= in->cta_limit)
        return binary_error(error, in->blocks, begin,
                            "CTA %llu is outside the grid, which has %llu", (unsigned long long)cta,
                            (unsigned long long)in->cta_limit);
    if (warp >= in->warp_limit)
        return binary_error(error, in->blocks, begin, "warp %llu is outside its CTA, which has %u",
                            (unsigned long long)warp, in->warp_limit);
    if (sm > TRACE_SM_MAX)
        return binary_error(error, in->blocks, begin, "expected an SM from 0 to %d", TRACE_SM_MAX);
    if (in->kernel->recorded_sm && !spool_set_sm(in->spool, cta, (uint32_t)sm))
        return binary_error(error, in->blocks, begin, "CTA %llu has another SM already",
                            (unsigned long long)cta);
    spool_enter_cta(in->spool, cta);
    in->cta = cta;
    in->warp = (uint32_t)warp;
    in->named = true;
    return 0;
}

static int binary_decode_dropped(struct binary_decoding *in, const uint8_t *begin,
                                 struct error *error)
{
    struct stream_dropped *dropped = &in->kernel->dropped;
    bool wrong = false;
    uint64_t *const counts[] = {&dropped->local, &dropped->bulk, &dropped->unknown};
    for (int i = 0; i < 3; i++)
        wrong |= __builtin_add_overflow(*counts[i], binary_get(&in->at, &wrong), counts[i]);
    if (wrong || in->at > in->blocks->end)
        return binary_error(error, in->blocks, begin, "expected three counts");
    return 0;
}

static int binary_decode_rest(struct binary_decoding *in, const uint8_t *begin, struct error *error)
{
    bool wrong = false;
    uint64_t count = binary_get(&in->at, &wrong);
    struct warp_access access = {.kind = ACCESS_NONE, .instructions = (uint32_t)count};
    if (wrong || count == 0 || count > UINT32_MAX || !in->named || in->at > in->blocks->end)
        return binary_error(error, in->blocks, begin, "expected a number of instructions");
    return spool_add(in->spool, in->cta, in->warp, &access, error);
}

static int binary_decode_think(struct binary_decoding *in, const uint8_t *begin,
                               struct error *error)
{
    bool wrong = false;
    uint64_t cycles = binary_get(&in->at, &wrong);
    if (wrong || cycles == 0 || cycles > UINT32_MAX || in->at >= in->blocks->end ||
        *in->at >= BINARY_WARP)
        return binary_error(error, in->blocks, begin,
                            "expected cycles from 1 to 4294967295, and an access behind them");
    in->think = (uint32_t)cycles;
    return 0;
}

/* The byte behind BINARY_PATH. */
static void binary_decode_more(struct binary_decoding *in, struct warp_access *access, bool *wrong)
{
    unsigned more = *in->at++;
    access->path = more & BINARY_PATHS;
    access->flags |=
        (uint8_t)((more & BINARY_LOCAL ? ACCESS_LOCAL : 0) |
                  (more & BINARY_PART ? ACCESS_PART : 0) | (more & BINARY_BULK ? ACCESS_BULK : 0));
    *wrong |= more == 0 || more > (BINARY_PATHS | BINARY_LOCAL | BINARY_PART | BINARY_BULK) ||
              (access->path && access->kind != ACCESS_READ);
}

/* kind, bytes, flags, path, mask and stride. */
static void binary_decode_shape(struct binary_decoding *in, struct warp_access *access, bool *wrong)
{
    static const uint8_t sizes[8] = {1, 2, 4, 8, 12, 16, 32, 0};
    unsigned byte = *in->at++;
    uint64_t mask = UINT32_MAX;
    access->kind = byte & 3;
    access->bytes = sizes[byte >> 2 & 7];
    access->flags = byte & BINARY_BYPASS ? ACCESS_BYPASS_L1 : 0;
    access->path = ACCESS_ORDINARY;
    if (byte & BINARY_PATH)
        binary_decode_more(in, access, wrong);
    if (!(byte & BINARY_ALL_LANES))
        mask = binary_get(&in->at, wrong);
    access->mask = (uint32_t)mask;
    access->stride = (int64_t)binary_get_signed(&in->at, wrong);
    *wrong |= access->kind == ACCESS_NONE || access->bytes == 0 || mask == 0 || mask > UINT32_MAX;
}

static int binary_decode_access(struct binary_decoding *in, unsigned head, const uint8_t *begin,
                                struct error *error)
{
    struct warp_access *access = &in->recent[in->next % BINARY_RECENT];
    uint64_t list[WARP_LANES];
    bool wrong = false;
    *access = in->recent[(in->next - 1 - (head & BINARY_BACK)) % BINARY_RECENT];
    in->next++;
    access->base += binary_get_signed(&in->at, &wrong);
    if (head & BINARY_SHAPE)
        binary_decode_shape(in, access, &wrong);
    if (head & BINARY_INSTRUCTIONS) {
        uint64_t count = binary_get(&in->at, &wrong);
        wrong |= count > UINT32_MAX;
        access->instructions = (uint32_t)count;
    }
    if (head & BINARY_AHEAD) {
        uint64_t ahead = binary_get(&in->at, &wrong);
        wrong |= ahead > WARP_AHEAD_MOST;
        access->ahead = (uint8_t)ahead;
    }
    if (head & BINARY_LIST) {
        list[0] = access->base;
        for (int k = 1; k < __builtin_popcount(access->mask) && !wrong; k++)
            list[k] = list[k - 1] + binary_get_signed(&in->at, &wrong);
        access->addresses = list;
        wrong |= access->stride != 0;
    }
    if (wrong || in->at > in->blocks->end)
        return binary_error(error, in->blocks, begin, "expected an access");
    if (!in->named)
        return binary_error(error, in->blocks, begin, "expected a warp before the first access");
    if (!spooled_check_addresses(access))
        return binary_error(error, in->blocks, begin, "all addresses must be below 2^60");
    if (access->flags & ACCESS_LOCAL && !spooled_check_local(access))
        return binary_error(error, in->blocks, begin, "places in local memory must be below 2^29");
    access->think = in->think;
    int status = spool_add(in->spool, in->cta, in->warp, access, error);
    access->addresses = NULL;
    access->think = in->think = 0;
    return status;
}

int binary_kernel_accesses(const struct binary_blocks *blocks, const struct binary_kernel *kernel,
                           struct spool *spool, struct stream_kernel *out, struct error *error)
{
    struct binary_decoding in = {
        .blocks = blocks,
        .spool = spool,
        .kernel = out,
        .cta_limit = kernel->has_grid ? out->n_ctas : TRACE_DERIVED_CTAS_MAX,
        .warp_limit = kernel->has_block ? out->warps_per_cta : SPOOL_WARPS_MAX,
        .at = blocks->payload,
    };
    int status = 0;
    for (int i = 0; i < BINARY_RECENT; i++)
        in.recent[i] = binary_first_access();
    while (in.at < blocks->end && !status) {
        const uint8_t *begin = in.at;
        unsigned head = *in.at++;
        if (head < BINARY_WARP)
            status = binary_decode_access(&in, head, begin, error);
        else if (head == BINARY_WARP)
            status = binary_decode_warp(&in, begin, error);
        else if (head == BINARY_REST)
            status = binary_decode_rest(&in, begin, error);
        else if (head == BINARY_DROPPED)
            status = binary_decode_dropped(&in, begin, error);
        else if (head == BINARY_THINK)
            status = binary_decode_think(&in, begin, error);
        else
            status = binary_error(error, blocks, begin, "expected a record, got 0x%02x", head);
    }
    return status;
}

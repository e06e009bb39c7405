/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of lines against byte-by-byte counting, and by hand. */
#include "check.h"

#include "trace/coalesce.h"

static uint64_t referee(const struct warp_access *access, uint32_t line_bytes, uint64_t line)
{
    uint32_t piece_bytes = line_bytes > 256 ? line_bytes / 64 : 4;
    uint64_t pieces = 0;
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (uint64_t i = 0; i < access->bytes; i++) {
            uint64_t address = warp_access_address(access, k) + i;
            if (address / line_bytes == line)
                pieces |= UINT64_C(1) << (address % line_bytes / piece_bytes);
        }
    return pieces;
}

static void check_line(const struct warp_access *access, uint32_t line_bytes, uint64_t line)
{
    uint64_t got = coalesce_pieces(access, line_bytes, line);
    uint64_t want = referee(access, line_bytes, line);
    if (got != want)
        fail_msg("line 0x%llx: %016llx, expected %016llx (base 0x%llx stride %lld mask %08x "
                 "bytes %u line %u)",
                 (unsigned long long)line, (unsigned long long)got, (unsigned long long)want,
                 (unsigned long long)access->base, (long long)access->stride, access->mask,
                 access->bytes, line_bytes);
}

TEST(test_by_hand)
{
    struct warp_access row = {.base = 0x1000, .stride = 4, .mask = UINT32_MAX, .bytes = 4};
    assert_true(coalesce_pieces(&row, 128, 0x20) == UINT32_MAX);
    assert_true(coalesce_pieces(&row, 128, 0x1f) == 0);
    assert_true(coalesce_pieces(&row, 128, 0x21) == 0);
    assert_true(coalesce_pieces(&row, 64, 0x40) == 0xffff);
    assert_true(coalesce_pieces(&row, 256, 0x10) == UINT32_MAX);
    assert_true(coalesce_pieces(&row, 1024, 4) == 0xff); /* pieces of 16 B */
    /* Every other word; a byte; a double across two lines. */
    struct warp_access comb = {.base = 0x1000, .stride = 8, .mask = 0xff, .bytes = 4};
    assert_true(coalesce_pieces(&comb, 64, 0x40) == 0x5555);
    struct warp_access byte = {.base = 0x1007, .mask = 1, .bytes = 1};
    assert_true(coalesce_pieces(&byte, 128, 0x20) == 2);
    struct warp_access across = {.base = 0x107c, .mask = 1, .bytes = 8};
    assert_true(coalesce_pieces(&across, 128, 0x20) == UINT64_C(1) << 31);
    assert_true(coalesce_pieces(&across, 128, 0x21) == 1);
    struct warp_access none = {.kind = ACCESS_NONE, .instructions = 3};
    assert_true(coalesce_pieces(&none, 128, 0) == 0);
}

TEST(test_against_referee)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 12, 16, 32};
    static const uint32_t line_sizes[] = {32, 64, 128, 256, 512, 1024, 8192};
    uint64_t random = 1;
    for (int round = check_rounds(20000, 600000); round > 0; round--) {
        uint64_t list[WARP_LANES];
        struct warp_access access = {.bytes = sizes[check_random(&random) % 7]};
        do
            access.mask = (uint32_t)(check_random(&random) & check_random(&random));
        while (access.mask == 0);
        if (check_random(&random) % 4 == 0)
            access.mask = UINT32_MAX;
        int64_t reach = (int64_t)1 << (check_random(&random) % 12);
        access.base = (1 << 20) + check_random(&random) % 8192;
        access.stride = (int64_t)(check_random(&random) % (uint64_t)reach) - reach / 4;
        if (check_random(&random) % 2) {
            access.addresses = list;
            for (int k = 0; k < WARP_LANES; k++)
                list[k] = (1 << 20) + check_random(&random) % ((uint64_t)reach + 1);
        }
        uint32_t line_bytes = line_sizes[check_random(&random) % 7];
        struct coalesced_line lines[COALESCE_MAX];
        int n = coalesce(&access, line_bytes, lines);
        for (int i = 0; i < n; i++) {
            check_line(&access, line_bytes, lines[i].line);
            assert_true(coalesce_pieces(&access, line_bytes, lines[i].line) != 0);
        }
        check_line(&access, line_bytes, lines[0].line - 1);
        check_line(&access, line_bytes, lines[n - 1].line + 1);
    }
}

/* Addresses that wrap around are nonsense, but must not break anything. */
TEST(test_wraps_around)
{
    struct warp_access up = {.base = UINT64_MAX - 70, .stride = 8, .mask = 0xffff, .bytes = 8};
    struct warp_access down = {.base = 40, .stride = -24, .mask = 0xff, .bytes = 16};
    for (uint32_t line_bytes = 32; line_bytes <= 2048; line_bytes *= 2)
        for (uint64_t line = UINT64_MAX - 4; line != 5; line++) {
            check_line(&up, line_bytes, line & UINT64_MAX / line_bytes);
            check_line(&down, line_bytes, line & UINT64_MAX / line_bytes);
        }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing against byte-by-byte counting, and by hand. */
#include "check.h"

#include "trace/coalesce.h"

/* Every byte of every active lane in order: what the definition says. */
static int referee(const struct warp_access *access, uint32_t line_bytes,
                   struct coalesced_line out[COALESCE_MAX])
{
    uint32_t bytes_per_bit = line_bytes / 32 > SECTOR_BYTES ? line_bytes / 32 : SECTOR_BYTES;
    int count = 0;
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (uint64_t i = 0; i < access->bytes; i++) {
            uint64_t address = warp_access_address(access, k) + i;
            int at = 0;
            while (at < count && out[at].line != address / line_bytes)
                at++;
            if (at == count)
                out[count++] = (struct coalesced_line){address / line_bytes, 0};
            out[at].sectors |= UINT32_C(1) << (address % line_bytes / bytes_per_bit);
        }
    return count;
}

static void check_one(const struct warp_access *access, uint32_t line_bytes)
{
    struct coalesced_line got[COALESCE_MAX], want[COALESCE_MAX];
    int n = referee(access, line_bytes, want);
    assert_int_equal(coalesce(access, line_bytes, got), n);
    for (int i = 0; i < n; i++)
        if (got[i].line != want[i].line || got[i].sectors != want[i].sectors)
            fail_msg("line %d of %d: 0x%llx %08x, expected 0x%llx %08x (base 0x%llx stride %lld "
                     "mask %08x bytes %u line %u)",
                     i, n, (unsigned long long)got[i].line, got[i].sectors,
                     (unsigned long long)want[i].line, want[i].sectors,
                     (unsigned long long)access->base, (long long)access->stride, access->mask,
                     access->bytes, line_bytes);
}

TEST(test_by_hand)
{
    struct coalesced_line out[COALESCE_MAX];
    /* 32 lanes of 4 B in a row: one aligned line with all four sectors. */
    struct warp_access row = {.base = 0x1000, .stride = 4, .mask = UINT32_MAX, .bytes = 4};
    assert_int_equal(coalesce(&row, 128, out), 1);
    assert_int_equal(out[0].line, 0x20);
    assert_int_equal(out[0].sectors, 0xf);
    /* The same, 64 B further: two halves. */
    row.base += 64;
    assert_int_equal(coalesce(&row, 128, out), 2);
    assert_int_equal(out[0].sectors, 0xc);
    assert_int_equal(out[1].sectors, 0x3);
    /* A column of doubles: a line and one sector a lane. */
    struct warp_access column = {.base = 0x1000, .stride = 4096, .mask = 0xffff, .bytes = 8};
    assert_int_equal(coalesce(&column, 128, out), 16);
    assert_int_equal(out[15].line, 0x20 + 15 * 32);
    assert_int_equal(out[15].sectors, 1);
    /* All lanes one address. */
    struct warp_access broadcast = {.base = 0x1020, .mask = UINT32_MAX, .bytes = 4};
    assert_int_equal(coalesce(&broadcast, 128, out), 1);
    assert_int_equal(out[0].sectors, 2);
    /* A lane across two lines counts for both, the lower one first. */
    struct warp_access across = {.base = 0x107c, .mask = 1, .bytes = 16};
    assert_int_equal(coalesce(&across, 128, out), 2);
    assert_int_equal(out[0].line, 0x20);
    assert_int_equal(out[0].sectors, 8);
    assert_int_equal(out[1].line, 0x21);
    assert_int_equal(out[1].sectors, 1);
    /* First touch orders lines of descending lanes. */
    struct warp_access down = {.base = 0x2000, .stride = -128, .mask = 7, .bytes = 4};
    assert_int_equal(coalesce(&down, 128, out), 3);
    assert_int_equal(out[0].line, 0x40);
    assert_int_equal(out[2].line, 0x3e);
    struct warp_access none = {.kind = ACCESS_NONE, .instructions = 3};
    assert_int_equal(coalesce(&none, 128, out), 0);
}

TEST(test_worst_case)
{
    struct coalesced_line out[COALESCE_MAX];
    uint64_t list[WARP_LANES];
    for (int k = 0; k < WARP_LANES; k++)
        list[k] = 0x100000 + (uint64_t)(k * 37 % 32) * 4096 + 120;
    struct warp_access access = {.addresses = list, .mask = UINT32_MAX, .bytes = 16};
    assert_int_equal(coalesce(&access, 128, out), COALESCE_MAX);
    check_one(&access, 128);
    access = (struct warp_access){.base = 31, .stride = 33, .mask = UINT32_MAX, .bytes = 32};
    check_one(&access, 32);
}

TEST(test_against_referee)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 12, 16, 32};
    static const uint32_t line_sizes[] = {32, 64, 128, 256, 1024, 2048, 8192};
    uint64_t random = 1;
    for (int round = check_rounds(60000, 2000000); round > 0; round--) {
        uint64_t list[WARP_LANES];
        struct warp_access access = {.bytes = sizes[check_random(&random) % 7]};
        do
            access.mask = (uint32_t)(check_random(&random) & check_random(&random));
        while (access.mask == 0);
        if (check_random(&random) % 4 == 0)
            access.mask = UINT32_MAX;
        int64_t reach = (int64_t)1 << (check_random(&random) % 16);
        access.base = (1 << 20) + check_random(&random) % 8192;
        access.stride = (int64_t)(check_random(&random) % (uint64_t)reach) - reach / 4;
        if (check_random(&random) % 2) {
            access.addresses = list;
            for (int k = 0; k < WARP_LANES; k++)
                list[k] = (1 << 20) + check_random(&random) % ((uint64_t)reach + 1);
        }
        check_one(&access, line_sizes[check_random(&random) % 7]);
    }
}

/* Addresses that wrap around are nonsense, but must not break anything. */
TEST(test_wrapping)
{
    struct coalesced_line out[COALESCE_MAX];
    struct warp_access access = {.base = UINT64_MAX - 8, .mask = UINT32_MAX, .bytes = 16};
    for (int64_t stride = -64; stride <= 64; stride++) {
        access.stride = stride;
        int n = coalesce(&access, 128, out);
        assert_in_range(n, 1, COALESCE_MAX);
    }
    access.stride = INT64_MAX;
    assert_in_range(coalesce(&access, 128, out), 1, COALESCE_MAX);
}

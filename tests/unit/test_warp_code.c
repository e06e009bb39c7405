/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What code of irregular kernels says of waits: which reads are under way together, also where
 * lanes have left, buffers are full, or the longest run of reads is too long. */
#include "profile_check.h"
#include "workload_check.h"

#include "workload/irregular/warp_code.h"
#include "workload/workload.h"

enum { A, B };

static uint32_t some; /* lanes of accesses that may have none */

static bool code(const struct kernel_pass *pass, struct kernel_warp *warp, struct warp_buffer *out)
{
    WARP_BEGIN;
    WARP_READ_TOO(A, warp->lanes, lane);   /* nothing before */
    WARP_READ_TOO(B, warp->lanes, lane);   /* beside it */
    WARP_READ_TOO_AT(A, some, lane, 2, 2); /* perhaps beside both */
    WARP_READ(B, warp->lanes, lane);       /* needs all */
    WARP_READ_TOO(A, warp->lanes, lane);   /* needs nothing of the last */
    WARP_READ_AT(B, some, lane, 0, 2);     /* needs all, whether or not it is made */
    WARP_READ_TOO(A, warp->lanes, lane);   /* beside it, if it is */
    WARP_WRITE(B, some, lane);             /* the same, of a write */
    WARP_READ_TOO(A, warp->lanes, lane);   /* nothing is under way behind a write */
    WARP_ATOMIC(B, warp->lanes, lane);     /* needs all, and is under way itself */
    WARP_READ_TOO(A, warp->lanes, lane);
    WARP_NEED;
    for (warp->cta = 0; warp->cta < 80; warp->cta++)
        WARP_READ_TOO(A, warp->lanes, lane);
    WARP_WRITE_AT(B, warp->lanes, lane, 0, 2);
    WARP_END;
}

static void check_ahead(const int *ahead, int n)
{
    const struct kernel_source source = {.arrays = {{0x1000, 4}, {0x2000, 4}}};
    const struct kernel_pass pass = {.source = &source};
    struct kernel_warp warp = {.lanes = UINT32_MAX};
    int count = 0;
    for (bool ends = false; !ends;) {
        struct warp_buffer buffer = {0};
        ends = code(&pass, &warp, &buffer);
        for (int i = 0; i < buffer.count; i++, count++) {
            int run = count - n, want = run < 0 ? ahead[count] : run < 63 ? run : 63;
            assert_int_equal(buffer.items[i].ahead, run == 80 ? 0 : want);
        }
    }
    assert_int_equal(count, n + 81);
}

TEST(reads_together)
{
    static const int all[] = {0, 1, 2, 0, 1, 0, 1, 0, 0, 0, 1}, few[] = {0, 1, 0, 1, 0, 0, 0, 1};
    some = 7;
    check_ahead(all, sizeof all / sizeof *all);
    some = 0;
    check_ahead(few, sizeof few / sizeof *few);
}

/* A row of a sparse matrix: both ends together, then column and value of each entry together, then
 * what the column says. So 1 + 2 n waits for 2 + 3 n loads, if nothing hits. */
TEST(sparse_rows)
{
    OWNED(source) *source = NULL;
    struct stream *stream;
    struct stream_kernel kernel;
    struct warp_buffer buffer;
    int status, count = 0;
    check_ok(source_open("spmv:input=small", &source, &failure));
    check_ok(stream_open(source, &stream, &failure));
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    void *of_warp = memory_zero(1, kernel.warp_state_size);
    check_ok(stream_warp_begin(stream, 0, 0, of_warp, &failure));
    while ((status = stream_read(stream, of_warp, &buffer, &failure)) > 0)
        for (int i = 0; i < buffer.count; i++, count++) {
            const struct warp_access *item = &buffer.items[i];
            int want = item->kind != ACCESS_READ ? 0 : count < 2 ? count : (count - 2) % 3 == 1;
            assert_int_equal(item->ahead, want);
        }
    check_ok(status);
    assert_in_range(count, 2 + 3, 10000);
    free(of_warp);
    stream_destroy(stream);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indices of loop nests: those that are always in their array are not checked, and the others
 * are found, with thread and block, whichever way they are run. Neither takes long. */
#include <sys/resource.h>

#include "workload_check.h"

#define HEAD "workload: t\nsummary: a test\ninputs: {small: {}}\n"
#define BODY(body)                                                                                 \
    HEAD "parameters: {n: 64}\narrays: {A: {shape: [n], type: f32}, B: {shape: [n, n], type: "     \
         "f32}}\nkernels:\n  - name: k\n    grid: 2\n    block: 32\n    body:\n      - " body "\n"

/* What cannot be proved is checked when it happens, with thread and block. */
TEST(test_index_checked_while_running)
{
    const char *yaml = BODY("{for: k in 0..tx*tx, body: [{load: 'A[k]'}]}");
    struct source *source;
    struct text text = {0};
    check_ok(workload_open_text(yaml, ":n=961", &source, &failure)); /* 31*31: never beyond */
    check_ok(workload_print(source, &text, &failure));
    source_destroy(source);
    check_ok(workload_open_text(yaml, ":n=960", &source, &failure));
    check_error(workload_print(source, &text, &failure), STATUS_INPUT,
                "nest.yaml:11:45: error: index 1 is 960, outside 0..959, in block (0,0,0), thread "
                "31 of kernel k");
    source_destroy(source);
    text_free(&text);
    /* A guard that proves it leaves nothing to check; one that does not is noticed. */
    yaml = BODY("{if: 2*tx < n, body: [{load: 'A[2*tx]'}]}");
    check_ok(workload_open_text(yaml, ":n=33", &source, &failure));
    check_ok(workload_print(source, &text, &failure));
    source_destroy(source);
    text_free(&text);
    yaml = BODY("{if: tx < n, body: [{load: 'A[2*tx]'}]}");
    check_ok(workload_open_text(yaml, ":n=33", &source, &failure));
    check_error(workload_print(source, &text, &failure), STATUS_INPUT,
                "index 1 is 34, outside 0..32");
    source_destroy(source);
    text_free(&text);
}

/* A maximum is at least each of its operands: what clips a window needs no check, and
 * nothing that is needed is left out. */
TEST(test_index_of_clipped_windows)
{
    static const struct {
        const char *from, *to, *message;
    } windows[] = {
        {"max(1-tx, 0)", "min(3, n+1-tx)", NULL},
        {"max(1-tx, 0)", "min(3, n+2-tx)", "index 1 is 40, outside 0..39"},
        {"max(0-tx, 0)", "min(3, n+1-tx)", "index 1 is -1, outside 0..39"},
        {"max(1-tx, 0)", "max(3, n+1-tx)", "index 1 is 40, outside 0..39"},
        {"min(1-tx, 0)", "min(3, n+1-tx)", "index 1 is -1, outside 0..39"},
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char yaml[1024];
        OWNED(source) *source = NULL;
        struct text text = {0};
        snprintf(yaml, sizeof yaml,
                 HEAD "parameters: {n: 40}\narrays: {A: {shape: [n], type: f32}}\n"
                      "kernels:\n  - name: k\n    grid: 1\n    block: 40\n    body:\n"
                      "      - {for: 'j in %s..%s', body: [{load: 'A[tx+j-1]'}]}\n",
                 windows[i].from, windows[i].to);
        check_ok(workload_open_text(yaml, "", &source, &failure));
        int status = workload_print(source, &text, &failure);
        if (windows[i].message)
            check_error(status, STATUS_INPUT, windows[i].message);
        else
            check_ok(status);
        text_free(&text);
    }
}

/* Opens the nest and reads it: as it should be, or with that message. */
static void check_index(const char *yaml, const char *settings, const char *message)
{
    OWNED(source) *source = NULL;
    struct text text = {0};
    check_ok(workload_open_text(yaml, settings, &source, &failure));
    int status = workload_print(source, &text, &failure);
    if (message)
        check_error(status, STATUS_INPUT, message);
    else
        check_ok(status);
    text_free(&text);
}

/* Remainders cancel: the butterflies of a sort or a transform end with the array, whether the
 * distance is less than a block, or some blocks; one element less is noticed. */
TEST(test_index_of_butterflies)
{
    static const char yaml[] =
        HEAD "parameters: {distance: 4, n: 256}\narrays: {A: {shape: [n], type: f32}}\n"
             "kernels:\n  - name: k\n    grid: 4\n    block: 32\n"
             "    let: {pair: bx*32 + tx, left: 2*pair - pair%distance}\n"
             "    body:\n      - {load: 'A[left]'}\n      - {store: 'A[left + distance]'}\n";
    for (int distance = 1; distance <= 128; distance *= 2) {
        char settings[64];
        snprintf(settings, sizeof settings, ":distance=%d", distance);
        check_index(yaml, settings, NULL);
        snprintf(settings, sizeof settings, ":distance=%d,n=255", distance);
        check_index(yaml, settings, "index 1 is 255, outside 0..254, in block (3,0,0)");
    }
    check_index(yaml, ":distance=3", "index 1 is 256, outside 0..255"); /* 254 - 127%3 + 3 */
}

/* What a window in one dimension touches depends on its lanes: all of them, and whatever
 * block or iteration is around, decide whether it is inside. */
TEST(test_index_of_flat_windows)
{
    static const char yaml[] =
        HEAD "parameters: {maps: 4, n: 6, less: 0}\n"
             "arrays: {A: {shape: [maps*n*n - less], type: f32}}\n"
             "kernels:\n  - name: k\n    grid: 2\n    block: [n, n]\n    body:\n"
             "      - for: map in 0..maps/2\n        body:\n"
             "          - for: i in max(1-tx, 0)..min(3, n+1-tx)\n            body:\n"
             "              - for: j in max(1-ty, 0)..min(3, n+1-ty)\n                body:\n"
             "                  - {load: 'A[((2*bx + map)*n + tx + i - 1)*n + ty + j - 1]'}\n";
    check_index(yaml, "", NULL);
    check_index(yaml, ":less=1", "index 1 is 143, outside 0..142, in block (1,0,0), thread 29");
    check_index(yaml, ":less=37", "index 1 is 107, outside 0..106, in block (1,0,0), thread 29");
}

enum { STATEMENTS = 3000, TRIPS = 8, SUMS = 300, REMAINDERS = 12 };

static void write_many_statements(struct text *yaml)
{
    text_printf(yaml,
                HEAD "parameters: {}\narrays: {A: {shape: [1254], type: f32}}\n"
                     "kernels:\n  - name: k\n    grid: 64\n    block: 1024\n    body:\n"
                     "      - for: i in 0..%d\n        body:\n",
                TRIPS);
    for (int k = 1; k <= STATEMENTS; k++)
        text_printf(yaml, "          - {load: 'A[bx*tx*%d %% 1009 + i]'}\n", k);
    text_append(yaml, "      - if: tx == 0\n        body:\n");
    for (int k = 1; k <= SUMS; k++) {
        text_append(yaml, "          - {store: 'A[tx");
        for (int i = 0; i < REMAINDERS; i++)
            text_printf(yaml, " + (tx*%d + bx*%d) %% %d", i + 1, k, i + 100);
        text_append(yaml, "]'}\n");
    }
}

/* KiB of this program up to now. */
static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Thousands of statements, each of which could be gone through ahead in every warp of the launch,
 * or has remainders for a proof to take apart: there is an end to both, which memory shows. */
TEST(test_index_of_many_statements)
{
    struct text yaml = {0};
    OWNED(source) *source = NULL;
    OWNED(stream) *stream = NULL;
    struct stream_kernel kernel;
    struct warp_buffer buffer;
    int64_t block = 5, at = 0;
    long before = most_memory();
    write_many_statements(&yaml);
    check_ok(workload_open_text(yaml.data, "", &source, &failure));
    check_ok(stream_open(source, &stream, &failure));
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    if (check_slowness() == 1) /* instrumented programs have more around each block */
        assert_in_range(most_memory() - before, 0, 100 << 10);
    void *warp = memory_alloc(kernel.warp_state_size);
    check_ok(stream_warp_begin(stream, (uint64_t)block, 0, warp, &failure));
    while (stream_read(stream, warp, &buffer, &failure) > 0)
        for (int i = 0; i < buffer.count; i++, at++) {
            const struct warp_access *access = &buffer.items[i];
            bool load = at < TRIPS * STATEMENTS;
            int64_t k = load ? at % STATEMENTS + 1 : at - TRIPS * STATEMENTS + 1, sum = 0;
            for (int j = 0; j < REMAINDERS; j++)
                sum += block * k % (j + 100);
            assert_int_equal(access->mask, load ? UINT32_MAX : 1);
            for (int lane = 0; lane < warp_access_lanes(access); lane++)
                assert_int_equal(
                    (warp_access_address(access, lane) - source->allocations.items[0].base) / 4,
                    load ? block * lane * k % 1009 + at / STATEMENTS : sum);
        }
    assert_int_equal(at, TRIPS * STATEMENTS + SUMS);
    free(warp);
    text_free(&yaml);
}

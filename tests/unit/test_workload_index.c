/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indices of loop nests: those that are always in their array are not checked, and the others
 * are found, with thread and block, whichever way they are run. */
#include "workload_check.h"

#define HEAD "workload: t\nsummary: a test\ninputs: {small: {}}\n"
#define BODY(body)                                                                                 \
    HEAD "parameters: {n: 64}\narrays: {A: {shape: [n], type: f32}, B: {shape: [n, n], type: "     \
         "f32}}\nkernels:\n  - name: k\n    grid: 2\n    block: 32\n    body:\n      - " body "\n"

/* What cannot be proved is checked when it happens, with thread and block. */
static void test_index_checked_while_running(void **state)
{
    const char *yaml = BODY("{for: k in 0..tx*tx, body: [{load: 'A[k]'}]}");
    struct error error;
    struct source *source;
    struct text text = {0};
    (void)state;
    check_ok(workload_open_text(yaml, ":n=961", &source, &error)); /* 31*31: never beyond */
    check_ok(workload_print(source, &text, &error));
    source_destroy(source);
    check_ok(workload_open_text(yaml, ":n=960", &source, &error));
    check_error(workload_print(source, &text, &error), STATUS_INPUT,
                "nest.yaml:11:45: error: index 1 is 960, outside 0..959, in block (0,0,0), thread "
                "31 of kernel k");
    source_destroy(source);
    text_free(&text);
    /* A guard that proves it leaves nothing to check; one that does not is noticed. */
    yaml = BODY("{if: 2*tx < n, body: [{load: 'A[2*tx]'}]}");
    check_ok(workload_open_text(yaml, ":n=33", &source, &error));
    check_ok(workload_print(source, &text, &error));
    source_destroy(source);
    text_free(&text);
    yaml = BODY("{if: tx < n, body: [{load: 'A[2*tx]'}]}");
    check_ok(workload_open_text(yaml, ":n=33", &source, &error));
    check_error(workload_print(source, &text, &error), STATUS_INPUT,
                "index 1 is 34, outside 0..32");
    source_destroy(source);
    text_free(&text);
}

/* A maximum is at least each of its operands: what clips a window needs no check, and
 * nothing that is needed is left out. */
static void test_index_of_clipped_windows(void **state)
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
    (void)state;
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char yaml[1024];
        struct error error;
        struct source *source;
        struct text text = {0};
        snprintf(yaml, sizeof yaml,
                 HEAD "parameters: {n: 40}\narrays: {A: {shape: [n], type: f32}}\n"
                      "kernels:\n  - name: k\n    grid: 1\n    block: 40\n    body:\n"
                      "      - {for: 'j in %s..%s', body: [{load: 'A[tx+j-1]'}]}\n",
                 windows[i].from, windows[i].to);
        check_ok(workload_open_text(yaml, "", &source, &error));
        int status = workload_print(source, &text, &error);
        if (windows[i].message)
            check_error(status, STATUS_INPUT, windows[i].message);
        else
            check_ok(status);
        source_destroy(source);
        text_free(&text);
    }
}

/* Opens the nest and reads it: as it should be, or with that message. */
static void check_index(const char *yaml, const char *settings, const char *message)
{
    struct error error;
    struct source *source;
    struct text text = {0};
    check_ok(workload_open_text(yaml, settings, &source, &error));
    int status = workload_print(source, &text, &error);
    if (message)
        check_error(status, STATUS_INPUT, message);
    else
        check_ok(status);
    source_destroy(source);
    text_free(&text);
}

/* Remainders cancel: the butterflies of a sort or a transform end with the array, whether the
 * distance is less than a block, or some blocks; one element less is noticed. */
static void test_index_of_butterflies(void **state)
{
    static const char yaml[] =
        HEAD "parameters: {distance: 4, n: 256}\narrays: {A: {shape: [n], type: f32}}\n"
             "kernels:\n  - name: k\n    grid: 4\n    block: 32\n"
             "    let: {pair: bx*32 + tx, left: 2*pair - pair%distance}\n"
             "    body:\n      - {load: 'A[left]'}\n      - {store: 'A[left + distance]'}\n";
    (void)state;
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
static void test_index_of_flat_windows(void **state)
{
    static const char yaml[] =
        HEAD "parameters: {maps: 4, n: 6, less: 0}\n"
             "arrays: {A: {shape: [maps*n*n - less], type: f32}}\n"
             "kernels:\n  - name: k\n    grid: 2\n    block: [n, n]\n    body:\n"
             "      - for: map in 0..maps/2\n        body:\n"
             "          - for: i in max(1-tx, 0)..min(3, n+1-tx)\n            body:\n"
             "              - for: j in max(1-ty, 0)..min(3, n+1-ty)\n                body:\n"
             "                  - {load: 'A[((2*bx + map)*n + tx + i - 1)*n + ty + j - 1]'}\n";
    (void)state;
    check_index(yaml, "", NULL);
    check_index(yaml, ":less=1", "index 1 is 143, outside 0..142, in block (1,0,0), thread 29");
    check_index(yaml, ":less=37", "index 1 is 107, outside 0..106, in block (1,0,0), thread 29");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_checked_while_running),
        cmocka_unit_test(test_index_of_clipped_windows),
        cmocka_unit_test(test_index_of_butterflies),
        cmocka_unit_test(test_index_of_flat_windows),
    };
    return cmocka_run_group_tests(tests, trace_files_setup, trace_files_teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mangled names of kernels as people say them. */
#include "check.h"

#include "trace/readers/kernel_name.h"

TEST(test_names)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"_Z9vectorAddPKfS0_Pfi", "vectorAdd"},
        {"_ZL4copyPf", "copy"},
        {"_ZN3app4stepIfEEvPT_", "app::step"},
        {"_ZN3app3foo3barEv", "app::foo::bar"},
        {"_ZN12_GLOBAL__N_14stepEv", "_GLOBAL__N_1::step"},
        {"plain", "plain"},
        {"f<(int)3, a - b>", "f<(int)3, a - b>"},
        {"", "kernel"},
        {"_", "_"},
        {"_Z", "_Z"},
        {"_Z9short", "_Z9short"}, /* of fewer letters than it says */
        {"_Z0x", "_Z0x"},
        {"_ZN", "_ZN"},
        {"_ZN3app9short", "app"},
        {"_ZSt4sortv", "_ZSt4sortv"},
        {"_Z99999999999999999999x", "_Z99999999999999999999x"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(kernel_name_readable(arena, rows[i].text, strlen(rows[i].text)),
                            rows[i].want);
    /* What is behind its length is not its own. */
    assert_string_equal(kernel_name_readable(arena, "_Z12abcdefghijklm", 4), "_Z12");
    assert_string_equal(kernel_name_readable(arena, "_Z12abcdefghijklm", 3), "_Z1");
    arena_destroy(arena);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences within a width: by hand, and any text in any width. */
#include "check.h"

#include "core/memory.h"
#include "report/fold.h"

static void check_fold(const char *lines, int width, const char *want)
{
    struct text out = {0};
    fold_lines(lines, width, &out);
    assert_string_equal(out.length ? out.data : "", want);
    text_free(&out);
}

TEST(test_by_hand)
{
    static const struct {
        int width;
        const char *lines, *want;
    } cases[] = {
        {0, "one two three four\n", "one two three four\n"},
        {18, "one two three four\n", "one two three four\n"}, /* just as wide */
        {17, "one two three four\n", "one two three\n  four\n"},
        {9, "one two three four\n", "one two\n  three\n  four\n"},
        {12, "  one two three\nfour\n", "  one two\n    three\nfour\n"}, /* behind its own indent */
        {6, "a spaces/my-long-space.yaml b", "a spaces/my-long-space.yaml\n  b"},
        {6, "spaces/my-long-space.yaml b", "spaces/my-long-space.yaml\n  b"},
        {10, "one\n\n\ntwo", "one\n\n\ntwo"},
        {9, "\xc2\xb1\xc2\xb1\xc2\xb1\xc2\xb1 five",
         "\xc2\xb1\xc2\xb1\xc2\xb1\xc2\xb1 five"}, /* characters, not bytes */
        {8, "\xc2\xb1\xc2\xb1\xc2\xb1\xc2\xb1 five", "\xc2\xb1\xc2\xb1\xc2\xb1\xc2\xb1\n  five"},
        {24, "  name  s  of all the launches\n", "  name  s  of all the\n           launches\n"},
        {20, "  a name  of all launches\n", "  a name  of all\n          launches\n"},
        {20, "  a long name  of launches\n",
         "  a long name  of\n    launches\n"}, /* too little is left */
        {4, "          \n", "          \n"},
        {5, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_fold(cases[i].lines, cases[i].width, cases[i].want);
}

/* No word is lost or torn, and what is wider than asked for is a word alone. */
TEST(test_any_width)
{
    static const char text[] =
        "gemm: fits: the footprint (0.328 MB) fits in llc (16.8 MB), the published one "
        "(174 MB) not; use input=default or published-sac";
    for (int width = 1; width < 140; width++) {
        struct text out = {0};
        const char *from = text;
        fold_lines(text, width, &out);
        char *rest = out.data;
        for (char *line; (line = strtok_r(rest, "\n", &rest));) {
            const char *words = line + strspn(line, " ");
            assert_true((int)strlen(line) <= width || !strchr(words, ' '));
            assert_int_equal(strncmp(from, words, strlen(words)), 0);
            from += strlen(words);
            from += *from == ' ';
        }
        assert_string_equal(from, "");
        text_free(&out);
    }
}

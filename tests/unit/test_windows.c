/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Working sets over windows: SAC's example, hand cases, a naive referee. */
#include "check.h"

#include "core/memory.h"
#include "profile/samplers/windows.h"

enum { LINE = 128, PAGE = 4096, PER_PAGE = PAGE / LINE };

static void check_bytes(const struct windows *windows, int i, uint64_t count, bool partial,
                        double truly, double falsely, double non)
{
    struct windows_result r;
    windows_result(windows, i, &r);
    assert_int_equal(r.window, windows_lengths[i]);
    assert_int_equal(r.count, count);
    assert_int_equal(r.partial, partial);
    check_relative(r.truly_bytes, truly * LINE, 1e-12);
    check_relative(r.falsely_bytes, falsely * LINE, 1e-12);
    check_relative(r.non_bytes, non * LINE, 1e-12);
}

/* SAC, figure 2: lines A1 A2 of one page, B1 B2 of another, two chips. */
TEST(test_published_example)
{
    enum { A1 = 0, A2 = 1, B1 = PER_PAGE, B2 = PER_PAGE + 1 };
    static const struct {
        uint64_t lines[2][2]; /* of each chip */
        double truly, falsely, non;
    } cases[] = {
        {{{A1, A2}, {B1, B2}}, 0, 0, 4},
        {{{A1, B1}, {A2, B2}}, 0, 4, 0},
        {{{A1, B1}, {A1, B1}}, 2, 0, 0},
    };
    for (int c = 0; c < 3; c++) {
        struct windows windows;
        windows_init(&windows, LINE, PAGE);
        for (uint32_t i = 0; i < 4; i++)
            windows_take(&windows, i % 2, cases[c].lines[i % 2][i / 2]);
        for (int i = 0; i < WINDOWS_COUNT; i++)
            check_bytes(&windows, i, 1, true, cases[c].truly, cases[c].falsely, cases[c].non);
        windows_fini(&windows);
    }
}

TEST(test_by_hand)
{
    struct windows windows;
    struct windows_result r;
    windows_init(&windows, LINE, PAGE);
    for (int i = 0; i < WINDOWS_COUNT; i++) {
        windows_result(&windows, i, &r);
        assert_int_equal(r.count, 0);
        assert_false(r.partial);
        assert_true(isnan(r.truly_bytes) && isnan(r.falsely_bytes) && isnan(r.non_bytes));
    }
    /* 1 000 accesses of chip 0 to line 0, then as many of chip 63: two windows that know
     * nothing of each other, and one that has seen both. */
    for (int i = 0; i < 2000; i++)
        windows_take(&windows, i < 1000 ? 0 : 63, 0);
    check_bytes(&windows, 0, 2, false, 0, 0, 1);
    check_bytes(&windows, 1, 1, true, 1, 0, 0);
    check_bytes(&windows, 2, 1, true, 1, 0, 0);
    /* Another line of the page, in a window that is not full: not counted in the short ones. */
    windows_take(&windows, 5, 1);
    check_bytes(&windows, 0, 2, false, 0, 0, 1);
    check_bytes(&windows, 1, 1, true, 1, 1, 0);
    for (int i = 2001; i < 10000; i++)
        windows_take(&windows, 5, 1);
    check_bytes(&windows, 0, 10, false, 0, 0, 1);
    check_bytes(&windows, 1, 1, false, 1, 1, 0);
    check_bytes(&windows, 2, 1, true, 1, 1, 0);
    windows_fini(&windows);
}

/* Every access to a new line: the tables are as full as they get, twice. */
TEST(test_distinct)
{
    struct windows windows;
    windows_init(&windows, LINE, PAGE);
    for (uint64_t i = 0; i < 250000; i++)
        windows_take(&windows, 2, i);
    check_bytes(&windows, 0, 250, false, 0, 0, 1000);
    check_bytes(&windows, 1, 25, false, 0, 0, 10000);
    check_bytes(&windows, 2, 2, false, 0, 0, 100000);
    windows_fini(&windows);
}

/* The referee: for each line of a window, all others. */
struct access {
    uint32_t domain;
    uint64_t line;
};

static void naive_classify(const struct access *stream, size_t n, uint64_t per_page,
                           double lines[3])
{
    for (size_t i = 0; i < n; i++) {
        bool first = true, truly = false, falsely = false;
        for (size_t j = 0; j < n; j++) {
            if (stream[j].line == stream[i].line) {
                first &= j >= i;
                truly |= stream[j].domain != stream[i].domain;
            } else if (stream[j].line / per_page == stream[i].line / per_page) {
                falsely |= stream[j].domain != stream[i].domain;
            }
        }
        lines[0] += first && truly;
        lines[1] += first && !truly && falsely;
        lines[2] += first && !truly && !falsely;
    }
}

static void naive_check(const struct windows *windows, int i, const struct access *stream, size_t n)
{
    size_t length = windows_lengths[i], complete = n / length;
    size_t count = complete ? complete : 1, part = complete ? length : n;
    double lines[3] = {0};
    for (size_t w = 0; w < count; w++)
        naive_classify(stream + w * length, part, windows->lines_per_page, lines);
    check_bytes(windows, i, count, complete == 0, lines[0] / (double)count,
                lines[1] / (double)count, lines[2] / (double)count);
}

/* Streams in which domains keep to regions of their own for a while. */
static void fill_stream(struct access *stream, size_t n, uint64_t *random)
{
    uint32_t domains = 1 + (uint32_t)(check_random(random) % 6);
    uint64_t spread = 1 + check_random(random) % 600, own = check_random(random) % 300;
    for (size_t i = 0; i < n; i++) {
        stream[i].domain = (uint32_t)(check_random(random) % domains);
        stream[i].line = check_random(random) % spread + stream[i].domain * own + i / 700 * 50;
    }
}

TEST(test_against_naive)
{
    enum { MOST = 2600 };
    struct access *stream = memory_alloc(MOST * sizeof *stream);
    uint64_t random = 1;
    for (int round = check_rounds(20, 400); round > 0; round--) {
        struct windows windows;
        uint64_t page = LINE << check_random(&random) % 7;
        windows_init(&windows, LINE, page);
        size_t n = 1 + check_random(&random) % MOST;
        fill_stream(stream, n, &random);
        for (size_t i = 0; i < n; i++)
            windows_take(&windows, stream[i].domain, stream[i].line);
        for (int i = 0; i < WINDOWS_COUNT; i++)
            naive_check(&windows, i, stream, n);
        windows_fini(&windows);
    }
    free(stream);
}

/* Many short streams with dense tables of domains as referee. */
TEST(test_against_tables)
{
    enum { LINES = 2000 };
    static uint64_t lines[LINES], pages[LINES];
    uint64_t random = 9;
    for (int round = check_rounds(100, 2000); round > 0; round--) {
        struct windows windows;
        uint64_t per_page = UINT64_C(1) << check_random(&random) % 6;
        windows_init(&windows, LINE, LINE * per_page);
        uint64_t n = 10000 + check_random(&random) % 20000,
                 reach = 1 + check_random(&random) % LINES;
        double sums[3] = {0};
        memset(lines, 0, sizeof lines);
        memset(pages, 0, sizeof pages);
        for (uint64_t i = 0; i < n; i++) {
            uint32_t domain = (uint32_t)(check_random(&random) % 64);
            uint64_t line = check_random(&random) % reach * (domain + 1) % LINES;
            windows_take(&windows, domain, line);
            lines[line] |= UINT64_C(1) << domain;
            pages[line / per_page] |= UINT64_C(1) << domain;
            if ((i + 1) % windows_lengths[1])
                continue;
            for (uint64_t l = 0; l < LINES; l++) {
                int sharers = __builtin_popcountll(lines[l]);
                int others = __builtin_popcountll(pages[l / per_page] & ~lines[l]);
                sums[0] += sharers > 1;
                sums[1] += sharers == 1 && others;
                sums[2] += sharers == 1 && !others;
            }
            memset(lines, 0, sizeof lines);
            memset(pages, 0, sizeof pages);
        }
        double count = (double)(n / windows_lengths[1]);
        check_bytes(&windows, 1, n / windows_lengths[1], false, sums[0] / count, sums[1] / count,
                    sums[2] / count);
        windows_fini(&windows);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that a sweep keeps: each is found again under its own id, and their number is bounded. */
#include "check.h"
#include "explore/row_memo.h"

TEST(test_rows_are_found_again)
{
    enum { ROWS = 1 << 14 };
    struct row_memo *memo = row_memo_create();
    struct sweep_row row;
    assert_false(row_memo_find(memo, 0, &row));
    for (uint64_t i = 0; i < ROWS; i++) {
        double *value = arena_alloc(row_memo_room(memo, 1), sizeof *value);
        *value = (double)i;
        row_memo_add(memo, i << 50 | i,
                     &(struct sweep_row){.id = i, .kept = i % 3, .values = value});
    }
    assert_null(row_memo_room(memo, 1)); /* full: what is there stays */
    assert_non_null(row_memo_room(memo, 0));
    for (uint64_t i = 0; i < ROWS; i++) {
        assert_true(row_memo_find(memo, i << 50 | i, &row));
        assert_int_equal(row.id, i);
        assert_int_equal(row.kept, i % 3 != 0);
        assert_true(row.values[0] == (double)i);
    }
    assert_false(row_memo_find(memo, ROWS, &row));
    row_memo_destroy(memo);
}

TEST(test_the_same_row_takes_one_place)
{
    struct row_memo *memo = row_memo_create();
    struct sweep_row row;
    for (uint64_t i = 0; i < 1 << 15; i++)
        row_memo_add(memo, 7, &(struct sweep_row){.id = i});
    assert_true(row_memo_find(memo, 7, &row));
    assert_int_equal(row.id, (1 << 15) - 1);
    assert_non_null(row_memo_room(memo, (1 << 14) - 1));
    assert_null(row_memo_room(memo, 1 << 14));
    row_memo_destroy(memo);
}

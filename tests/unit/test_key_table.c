/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables with 64-bit keys: each item is found again under its own key, and takes one place. */
#include "check.h"
#include "core/key_table.h"

TEST(test_items_are_found_again)
{
    enum { ITEMS = 1 << 14 };
    struct key_table table = {.item_bytes = sizeof(struct key_value)};
    assert_null(key_table_find(&table, 1));
    for (uint64_t i = 0; i < ITEMS; i++) {
        struct key_value *item = key_table_enter(&table, (i << 50 | i) + 1);
        assert_int_equal(item->value, 0);
        item->value = i;
    }
    assert_int_equal(table.used, ITEMS);
    for (uint64_t i = 0; i < ITEMS; i++) {
        const struct key_value *item = key_table_find(&table, (i << 50 | i) + 1);
        assert_non_null(item);
        assert_int_equal(item->value, i);
    }
    assert_null(key_table_find(&table, ITEMS + 1));
    key_table_clear(&table);
    assert_null(key_table_find(&table, 1));
    key_table_fini(&table);
}

TEST(test_the_same_key_takes_one_place)
{
    struct key_table table = {.item_bytes = sizeof(struct key_value)};
    for (uint64_t i = 0; i < 1 << 15; i++)
        ((struct key_value *)key_table_enter(&table, 7))->value = i;
    assert_int_equal(table.used, 1);
    assert_int_equal(((struct key_value *)key_table_find(&table, 7))->value, (1 << 15) - 1);
    key_table_fini(&table);
}

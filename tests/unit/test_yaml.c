/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The YAML tree: marks, aliases, merges, and everything that is refused. */
#include "check.h"

#include "core/parallel.h"
#include "yaml/yaml.h"

static struct yaml_document *parse(const char *text)
{
    struct yaml_document *document;
    check_ok(yaml_parse("t.yaml", text, strlen(text), &document, &failure));
    return document;
}

TEST(tree_and_marks)
{
    struct yaml_document *d = parse("a: 1\nb:\n  - \"x y\"\n  - {c: 2 GB/s}\n");
    struct quantity q;
    const struct yaml_node *b = yaml_get(d->root, "b");
    assert_int_equal(b->count, 2);
    assert_string_equal(b->items[0]->text, "x y");
    assert_true(b->items[0]->quoted);
    assert_int_equal(b->items[0]->mark.line, 3);
    assert_int_equal(b->items[0]->mark.column, 6); /* inside the quotes */
    check_ok(yaml_quantity(yaml_get(b->items[1], "c"), "c", &q, &failure));
    check_relative(q.value, 2e9, 0);
    assert_null(yaml_get(d->root, "z"));
    yaml_destroy(d);
    d = parse("");
    assert_int_equal(d->root->kind, YAML_MAP);
    assert_int_equal(d->root->count, 0);
    yaml_destroy(d);
}

TEST(aliases_and_merges)
{
    struct yaml_document *d = parse("base: &b {x: 1, y: 2}\n"
                                    "one: {<<: *b, y: 3}\n"
                                    "two: {y: 4, <<: [*b, {z: 5}]}\n"
                                    "same: *b\n");
    const struct yaml_node *one = yaml_get(d->root, "one"), *two = yaml_get(d->root, "two");
    assert_string_equal(yaml_get(one, "x")->text, "1");
    assert_string_equal(yaml_get(one, "y")->text, "3");
    assert_string_equal(yaml_get(two, "y")->text, "4");
    assert_string_equal(yaml_get(two, "x")->text, "1");
    assert_string_equal(yaml_get(two, "z")->text, "5");
    assert_ptr_equal(yaml_get(d->root, "same"), yaml_get(d->root, "base"));
    yaml_destroy(d);
}

TEST(bad_texts_are_refused_with_a_place)
{
    static const struct {
        const char *text, *words;
        long line, column;
    } cases[] = {
        {"a: 1\na: 2\n", "duplicate key \"a\"", 2, 1},
        {"a: [1, 2\nb: 3", "not valid YAML", 2, 2},
        {"a: {\n", "not valid YAML", 2, 1},
        {"a: *nowhere", "no anchor", 1, 4},
        {"a: &x [*x]", "no anchor", 1, 8},
        {"a: 1\n---\nb: 2\n", "second document", 2, 1},
        {"a:\n\t- 1\n", "not valid YAML", 2, 1},
        {"{[1]: 2}", "key must be", 1, 2},
        {"a: {<<: 3}", "merges maps only", 1, 9},
        {"a: \"x\\0y\"", "NUL", 1, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_document *document;
        check_error(yaml_parse("t.yaml", cases[i].text, strlen(cases[i].text), &document, &failure),
                    STATUS_INPUT, cases[i].words);
        if (failure.line != cases[i].line || failure.column != cases[i].column)
            fail_msg("case %zu: at %ld:%ld, expected %ld:%ld", i, failure.line, failure.column,
                     cases[i].line, cases[i].column);
        assert_null(document);
    }
}

TEST(deep_trees_are_refused)
{
    struct text text = {0};
    struct yaml_document *document;
    for (int i = 0; i < 5000; i++)
        text_append(&text, "[");
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INPUT,
                "nested deeper");
    text_free(&text);
}

/* Anchors as deep as they may be, one in another: a reader would go through all of it. */
TEST(aliases_do_not_hide_depth)
{
    struct text text = {0};
    struct yaml_document *document;
    for (int list = 0; list < 2; list++) {
        text_append(&text, list ? "b: " : "a: &a ");
        for (int i = 0; i < 40; i++)
            text_append(&text, "[");
        text_append(&text, list ? "*a" : "1");
        for (int i = 0; i < 40; i++)
            text_append(&text, "]");
        text_append(&text, "\n");
    }
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INPUT,
                "nested deeper than 64 levels");
    assert_int_equal(failure.line, 2);
    text_free(&text);
    /* 64 levels in all are not too many: the map, 31 lists, 31 lists and the number. */
    for (int list = 0; list < 2; list++) {
        text_append(&text, list ? "b: " : "a: &a ");
        for (int i = 0; i < 31; i++)
            text_append(&text, "[");
        text_append(&text, list ? "*a" : "1");
        for (int i = 0; i < 31; i++)
            text_append(&text, "]");
        text_append(&text, "\n");
    }
    check_ok(yaml_parse("t", text.data, text.length, &document, &failure));
    yaml_destroy(document);
    text_free(&text);
}

/* Ten lists of ten of the list before, thirty times: 10^30 values in a page of text. */
TEST(aliases_do_not_hide_values)
{
    struct text text = {0};
    struct yaml_document *document;
    text_append(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
        text_printf(&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            text_printf(&text, "%s*a%d", k ? ", " : "", i - 1);
        text_append(&text, "]\n");
    }
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INPUT,
                "more than 4194304 keys and values");
    assert_int_equal(failure.line, 7); /* 10^7 of them are in the seventh */
    text_free(&text);
}

TEST(too_many_values_are_refused_where_they_are)
{
    struct text text = {0};
    struct yaml_document *document;
    text_append(&text, "a: [");
    for (int i = 0; i < YAML_VALUES_MAX; i++)
        text_append(&text, i % 1000 == 999 ? "1,\n" : "1,");
    text_append(&text, "1]\nb: {not closed\n");
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INPUT,
                "more than 4194304 keys and values");
    assert_int_equal(failure.line,
                     1 + (YAML_VALUES_MAX - 2) / 1000); /* the map, "a", the list, ... */
    text_free(&text);
}

/* So many keys, and as many aliases of them in another map, read and looked up. A key of many and
 * an alias of many are found at once; by looking at one after another, this would take minutes. */
TEST(large_maps_are_read_and_looked_up)
{
    const int keys = check_slowness() > 1 ? 8000 : 128000;
    struct text text = {0};
    struct yaml_document *document;
    char key[32];
    for (int i = 0; i < keys; i++)
        text_printf(&text, "key%d: &a%d %d\n", i, i, i);
    text_append(&text, "m:\n  <<: {x: 1, m0: 2}\n");
    for (int i = 0; i < keys; i++)
        text_printf(&text, "  m%d: *a%d\n", i, keys - 1 - i);
    check_ok(yaml_parse("t", text.data, text.length, &document, &failure));
    const struct yaml_node *root = document->root, *m = yaml_get(root, "m");
    assert_int_equal(root->count, keys + 1);
    assert_int_equal(m->count, keys + 1);
    for (int i = 0; i < keys; i++) {
        snprintf(key, sizeof key, "key%d", i);
        const struct yaml_node *value = yaml_get(root, key);
        assert_string_equal(root->keys[i]->text, key); /* in their order */
        assert_ptr_equal(value, root->items[i]);
        snprintf(key, sizeof key, "m%d", keys - 1 - i);
        assert_ptr_equal(yaml_get(m, key), value);
    }
    assert_string_equal(yaml_get(m, "x")->text, "1");
    assert_null(yaml_get(m, "key0"));
    yaml_destroy(document);
    text_append(&text, "key7: again\n");
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INPUT,
                "duplicate key \"key7\" (first on line 8)");
    text_free(&text);
}

TEST(reading_can_be_interrupted)
{
    struct text text = {0};
    struct yaml_document *document;
    for (int i = 0; i < 3000; i++)
        text_append(&text, "- 1\n");
    interrupt_request();
    check_error(yaml_parse("t", text.data, text.length, &document, &failure), STATUS_INTERRUPTED,
                "interrupted while reading t");
    interrupt_clear();
    text_free(&text);
}

TEST(keys_and_values_are_checked)
{
    static const char *const known[] = {"capacity", "ways", NULL};
    struct yaml_document *d = parse("{capcity: 1, n: 1.5, s: [1], e: ''}");
    long long integer;
    const char *text;
    double number;
    check_error(yaml_check_keys(d->root, "llc", known, &failure), STATUS_INPUT,
                "did you mean \"capacity\"?");
    check_error(yaml_integer(yaml_get(d->root, "n"), "n", 0, 9, &integer, &failure), STATUS_INPUT,
                "whole number");
    check_error(yaml_number(yaml_get(d->root, "s"), "s", &number, &failure), STATUS_INPUT,
                "expected a single value, found a list");
    check_error(yaml_string(yaml_get(d->root, "e"), "e", &text, &failure), STATUS_INPUT, "empty");
    yaml_destroy(d);
}

TEST(scalars_are_written_so_that_they_read_back)
{
    static const char *const texts[] = {
        "plain",        "a: b",        "# no",         "yes",         "",   " x ", "a\"b\\c",
        "4 MiB",        "[1]",         "tab\there",    "-1",          "*a", "@x",  "x:y",
        "na\xc3\xafve", "c1 \xc2\x85", "bad \xff\xc3", "\xed\xa0\x80"};
    static const char *const wanted[18] = {[16] = "bad ??", [17] = "???"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text out = {0};
        struct yaml_document *document;
        text_append(&out, "key: ");
        yaml_append_scalar(&out, texts[i]);
        check_ok(yaml_parse("t", out.data, out.length, &document, &failure));
        assert_string_equal(yaml_get(document->root, "key")->text,
                            wanted[i] ? wanted[i] : texts[i]);
        yaml_destroy(document);
        text_free(&out);
    }
}

TEST(mutated_texts_do_not_break_the_reader)
{
    static const char seed_text[] = "machine: sac\nllc: &a {scope: chip, ways: 16}\nlist: [1, "
                                    "\"two\", *a]\nm: {<<: *a, x: 'y'}\n";
    uint64_t seed = 3;
    for (int i = 0; i < check_damages(3000, 100000); i++) {
        char text[sizeof seed_text];
        struct yaml_document *document;
        memcpy(text, seed_text, sizeof text);
        size_t length = check_random(&seed) % sizeof text;
        for (int k = 0; k < 3; k++)
            text[check_random(&seed) % sizeof text] = (char)check_random(&seed);
        int status = yaml_parse("t", text, length, &document, &failure);
        assert_true(status == 0 || failure.text[0]);
        yaml_destroy(document);
    }
}

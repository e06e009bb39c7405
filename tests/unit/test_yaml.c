/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The YAML tree: marks, aliases, merges, and everything that is refused. */
#include "check.h"

#include "yaml/yaml.h"

static struct yaml_document *parse(const char *text)
{
    struct yaml_document *document;
    struct error error;
    check_ok(yaml_parse("t.yaml", text, strlen(text), &document, &error));
    return document;
}

static void tree_and_marks(void **state)
{
    struct yaml_document *d = parse("a: 1\nb:\n  - \"x y\"\n  - {c: 2 GB/s}\n");
    struct error error;
    struct quantity q;
    (void)state;
    const struct yaml_node *b = yaml_get(d->root, "b");
    assert_int_equal(b->count, 2);
    assert_string_equal(b->items[0]->text, "x y");
    assert_true(b->items[0]->quoted);
    assert_int_equal(b->items[0]->mark.line, 3);
    assert_int_equal(b->items[0]->mark.column, 6); /* inside the quotes */
    check_ok(yaml_quantity(yaml_get(b->items[1], "c"), "c", &q, &error));
    check_relative(q.value, 2e9, 0);
    assert_null(yaml_get(d->root, "z"));
    yaml_destroy(d);
    d = parse("");
    assert_int_equal(d->root->kind, YAML_MAP);
    assert_int_equal(d->root->count, 0);
    yaml_destroy(d);
}

static void aliases_and_merges(void **state)
{
    struct yaml_document *d = parse("base: &b {x: 1, y: 2}\n"
                                    "one: {<<: *b, y: 3}\n"
                                    "two: {y: 4, <<: [*b, {z: 5}]}\n"
                                    "same: *b\n");
    (void)state;
    const struct yaml_node *one = yaml_get(d->root, "one"), *two = yaml_get(d->root, "two");
    assert_string_equal(yaml_get(one, "x")->text, "1");
    assert_string_equal(yaml_get(one, "y")->text, "3");
    assert_string_equal(yaml_get(two, "y")->text, "4");
    assert_string_equal(yaml_get(two, "x")->text, "1");
    assert_string_equal(yaml_get(two, "z")->text, "5");
    assert_ptr_equal(yaml_get(d->root, "same"), yaml_get(d->root, "base"));
    yaml_destroy(d);
}

static void bad_texts_are_refused_with_a_place(void **state)
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
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_document *document;
        struct error error;
        check_error(yaml_parse("t.yaml", cases[i].text, strlen(cases[i].text), &document, &error),
                    STATUS_INPUT, cases[i].words);
        if (error.line != cases[i].line || error.column != cases[i].column)
            fail_msg("case %zu: at %ld:%ld, expected %ld:%ld", i, error.line, error.column,
                     cases[i].line, cases[i].column);
        assert_null(document);
    }
}

static void deep_trees_are_refused(void **state)
{
    struct text text = {0};
    struct yaml_document *document;
    struct error error;
    (void)state;
    for (int i = 0; i < 5000; i++)
        text_append(&text, "[");
    check_error(yaml_parse("t", text.data, text.length, &document, &error), STATUS_INPUT,
                "nested deeper");
    text_free(&text);
}

static void keys_and_values_are_checked(void **state)
{
    static const char *const known[] = {"capacity", "ways", NULL};
    struct yaml_document *d = parse("{capcity: 1, n: 1.5, s: [1], e: ''}");
    struct error error;
    long long integer;
    const char *text;
    double number;
    (void)state;
    check_error(yaml_check_keys(d->root, "llc", known, &error), STATUS_INPUT,
                "did you mean \"capacity\"?");
    check_error(yaml_integer(yaml_get(d->root, "n"), "n", 0, 9, &integer, &error), STATUS_INPUT,
                "whole number");
    check_error(yaml_number(yaml_get(d->root, "s"), "s", &number, &error), STATUS_INPUT,
                "expected a single value, found a list");
    check_error(yaml_string(yaml_get(d->root, "e"), "e", &text, &error), STATUS_INPUT, "empty");
    yaml_destroy(d);
}

static void scalars_are_written_so_that_they_read_back(void **state)
{
    static const char *const texts[] = {
        "plain",        "a: b",        "# no",         "yes",         "",   " x ", "a\"b\\c",
        "4 MiB",        "[1]",         "tab\there",    "-1",          "*a", "@x",  "x:y",
        "na\xc3\xafve", "c1 \xc2\x85", "bad \xff\xc3", "\xed\xa0\x80"};
    static const char *const wanted[18] = {[16] = "bad ??", [17] = "???"};
    struct error error;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text out = {0};
        struct yaml_document *document;
        text_append(&out, "key: ");
        yaml_append_scalar(&out, texts[i]);
        check_ok(yaml_parse("t", out.data, out.length, &document, &error));
        assert_string_equal(yaml_get(document->root, "key")->text,
                            wanted[i] ? wanted[i] : texts[i]);
        yaml_destroy(document);
        text_free(&out);
    }
}

static void mutated_texts_do_not_break_the_reader(void **state)
{
    static const char seed_text[] = "machine: sac\nllc: &a {scope: chip, ways: 16}\nlist: [1, "
                                    "\"two\", *a]\nm: {<<: *a, x: 'y'}\n";
    uint64_t seed = 3;
    (void)state;
    for (int i = 0; i < check_damages(3000, 100000); i++) {
        char text[sizeof seed_text];
        struct yaml_document *document;
        struct error error;
        memcpy(text, seed_text, sizeof text);
        size_t length = check_random(&seed) % sizeof text;
        for (int k = 0; k < 3; k++)
            text[check_random(&seed) % sizeof text] = (char)check_random(&seed);
        int status = yaml_parse("t", text, length, &document, &error);
        assert_true(status == 0 || error.text[0]);
        yaml_destroy(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_and_marks),
        cmocka_unit_test(aliases_and_merges),
        cmocka_unit_test(bad_texts_are_refused_with_a_place),
        cmocka_unit_test(deep_trees_are_refused),
        cmocka_unit_test(keys_and_values_are_checked),
        cmocka_unit_test(scalars_are_written_so_that_they_read_back),
        cmocka_unit_test(mutated_texts_do_not_break_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

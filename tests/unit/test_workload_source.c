/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, settings, specs and hashes of workloads. */
#include "workload_check.h"
#include "workload/integer.h"
#include "workload/settings.h"
#include "workload/open/spec.h"

static void check_spec(const char *spec, const char *wanted, char hash[HASH_TEXT])
{
    OWNED(source) *source = check_source(spec);
    assert_string_equal(source->spec, wanted);
    snprintf(hash, HASH_TEXT, "%s", source->hash);
}

/* However it is written: one spec and one hash for one stream. */
TEST(test_specs_are_normal)
{
    static const char *const groups[][5] = {
        {"gemm", "gemm:", "gemm:ni=2048", "gemm:nj=ni/8", "gemm:input=default"},
        {"gemm:ni=256,nk=32,written=0", "gemm:input=small", "gemm:written=0,nk=32,nj=256,ni=256",
         "gemm:nk = 2^5 , input=small", "gemm:ni=nj,nj=min(256,400),nk=ni/8,written=0"},
        {"gemm", "gemm:input=compiled", "gemm:written=1", NULL},
        {"gemm:written=0", "gemm:input=registers", NULL},
        {"bfs:generator=rmat,nodes=1000,degree=4,source=max",
         "bfs:source=max,degree=4,nodes=1000,generator=rmat", "bfs:input=small,nodes=1000",
         "bfs:nodes=1000,input=small", NULL},
    };
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        char first[HASH_TEXT], hash[HASH_TEXT];
        check_spec(groups[g][0], groups[g][0], first);
        assert_int_equal(strlen(first), HASH_TEXT - 1);
        for (int i = 1; i < 5 && groups[g][i]; i++) {
            check_spec(groups[g][i], groups[g][0], hash);
            assert_string_equal(hash, first);
        }
    }
    char a[HASH_TEXT], b[HASH_TEXT];
    check_spec("gemm:nk=33", "gemm:nk=33", a);
    check_spec("gemm:nk=34", "gemm:nk=34", b);
    assert_string_not_equal(a, b);
    /* The same numbers, written otherwise, are the same stream. */
    check_spec("bfs:nodes=1024", "bfs:nodes=1024", a);
    check_spec("bfs:nodes=2^10", "bfs:nodes=2^10", b);
    assert_string_equal(a, b);
    check_spec("bfs:nodes=1024,seed=2", "bfs:nodes=1024,seed=2", b);
    assert_string_not_equal(a, b);
}

/* A default that follows another parameter keeps following it. */
TEST(test_parameters_follow_each_other)
{
    const char *yaml = "workload: t\nsummary: s\nparameters: {n: 8, m: 2*n, k: 3}\n"
                       "inputs: {small: {n: 4, k: m + 1}}\n"
                       "arrays: {A: {shape: [n, m, k], type: u8}}\n"
                       "kernels: [{name: k, grid: 1, block: 1, body: []}]\n";
    static const struct {
        const char *settings, *wanted;
        uint64_t bytes;
    } cases[] = {{"", "", 8 * 16 * 3},
                 {":n=3", ":n=3", 3 * 6 * 3},
                 {":n=3,m=6", ":n=3", 3 * 6 * 3},
                 {":m=n", ":m=8", 8 * 8 * 3},
                 {":input=small", ":n=4,k=9", 4 * 8 * 9},
                 {":input=small,n=5,k=3", ":n=5", 5 * 10 * 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(source) *source = NULL;
        char wanted[1024];
        check_ok(workload_open_text(yaml, cases[i].settings, &source, &failure));
        snprintf(wanted, sizeof wanted, "%s%s", check_path("nest.yaml"), cases[i].wanted);
        assert_string_equal(source->spec, wanted);
        assert_int_equal(source->allocations.items[0].bytes, cases[i].bytes);
    }
}

TEST(test_unknown_names)
{
    static const struct {
        const char *spec, *words;
    } cases[] = {
        {"gem", "did you mean \"gemm\"?"},
        {"zzzzzzzzzz", "known workloads: "},
        {"", "there is no workload"},
        {"../workloads/gemm", "../workloads/gemm"},
        {"no/such/file.traceg", "no/such/file.traceg"},
        {"no/such.yaml", "cannot open no/such.yaml"},
        {"gemm:nx=4", "did you mean \"ni\"?"},
        {"gemm:input=published", "did you mean \"published-sac\"?"},
        {"gemm:ni=", "expression"},
        {"gemm:=3", "a key is missing"},
        {"gemm:ni=4,", "after the last comma"},
        {"bfs:node=4", "did you mean \"nodes\"?"},
        {"bfs:input=smal", "did you mean \"small\"?"},
        {"bfs:nodes=", "nodes="},
        {"bfs:nodes=0", "expected a whole number from 1"},
        {"bfs:nodes=many", "expected a number, got \"many\""},
        {"bfs:nodes=2^31", "expected a whole number from 1 to 2147483647"},
        {"bfs:nodes=2^30,degree=100", "more than 2147483647 edges"},
        {"bfs:degree=1", "degree=1"},
        {"bfs:generator=grit", "expected uniform, rmat or grid"},
        {"bfs:generator=grid", "degree=6: expected a whole number from 2 to 4"},
        {"bfs:a=0.5", "a=0.5 has no effect with the uniform generator"},
        {"bfs:generator=rmat,a=0.01", "expected a number from 0.05 to 1"},
        {"bfs:generator=rmat,a=0.5,b=0.5,c=0.5", "add up to more than 1"},
        {"bfs:generator=rmat,b=x", "b=x: expected a number"},
        {"bfs:source=1000000", "expected a whole number from 0 to 999999"},
        {"bfs:source=min", "got \"min\""},
        {"bfs:levels=-1", "levels=-1"},
        {"bfs:graph=nowhere.graph", "cannot open nowhere.graph"},
        {"bfs:graph=nowhere.txt", "METIS files end in .graph"},
        {"bfs:graph=nowhere.graph,nodes=4", "nodes=4 has no effect beside graph="},
    };
    struct source *source;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = source_open(cases[i].spec, &source, &failure);
        if (status >= 0 || error_exit_status(status) != 2)
            fail_msg("case %zu: status %d", i, status);
        check_error(status, status, cases[i].words);
        assert_null(source);
    }
}

/* Taken apart, and put together again. */
TEST(test_specs)
{
    static const struct {
        const char *text, *name, *rest;
        enum workload_kind kind;
        const char *sized, *with_input;
    } rows[] = {
        {"bfs", "bfs", "", WORKLOAD_IN_C, "bfs:size=x2", "bfs:input=small"},
        {"gemm", "gemm", "", WORKLOAD_SHIPPED_NEST, "gemm:size=x2", "gemm:input=small"},
        {"gemm:", "gemm", "", WORKLOAD_SHIPPED_NEST, "gemm:size=x2", "gemm:input=small"},
        {"gemm:input=default", "gemm", "input=default", WORKLOAD_SHIPPED_NEST,
         "gemm:input=default,size=x2", "gemm:input=default"},
        {"a/b.yaml:n=max(1,2)", "a/b.yaml", "n=max(1,2)", WORKLOAD_OWN_NEST,
         "a/b.yaml:n=max(1,2),size=x2", "a/b.yaml:n=max(1,2)"},
        {"b.yml", "b.yml", "", WORKLOAD_OWN_NEST, "b.yml:size=x2", "b.yml"},
        {"a/t:1=2,3.btrace", "a/t:1=2,3.btrace", "", WORKLOAD_FILE, NULL, "a/t:1=2,3.btrace"},
        {"gem:x", "gem", "", WORKLOAD_UNKNOWN, NULL, "gem:x"},
    };
    struct arena *arena = arena_create();
    struct workload_spec spec;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_ok(workload_spec_parse(arena, rows[i].text, &spec, &failure));
        assert_string_equal(spec.name, rows[i].name);
        assert_string_equal(spec.rest, rows[i].rest);
        assert_int_equal(spec.kind, rows[i].kind);
        assert_int_equal(workload_spec_takes_settings(&spec), rows[i].sized != NULL);
        if (rows[i].sized)
            assert_string_equal(workload_spec_with(arena, &spec, "size", "x2"), rows[i].sized);
        assert_string_equal(workload_spec_with_input(arena, &spec, "small"), rows[i].with_input);
    }
    check_ok(workload_spec_parse(arena, "bfs:nodes=8,input=small,size=x1/4", &spec, &failure));
    assert_string_equal(spec.input->value, "small");
    assert_int_equal(spec.input->mark.column, 19);
    assert_string_equal(spec.size->value, "x1/4");
    assert_int_equal(spec.settings.count, 3);
    check_error(workload_spec_parse(arena, "bfs:nodes", &spec, &failure), STATUS_USAGE,
                "expected key=value");
    arena_destroy(arena);
}

TEST(test_settings)
{
    struct arena *arena = arena_create();
    struct settings settings;
    int64_t integer;
    check_ok(settings_parse(arena, "x:a=1, b = max(2,3) ,c=", 2, &settings, &failure));
    assert_int_equal(settings.count, 3);
    assert_string_equal(settings_find(&settings, "b")->value, "max(2,3)");
    assert_int_equal(settings_find(&settings, "b")->mark.column, 12);
    assert_string_equal(settings_find(&settings, "c")->value, "");
    assert_null(settings_find(&settings, "d"));
    check_ok(settings_parse(arena, "", 0, &settings, &failure));
    assert_int_equal(settings.count, 0);
    check_ok(settings_integer("n", "3*2^4 - ceil(5/2)", 0, 100, &integer, &failure));
    assert_int_equal(integer, 45);
    check_ok(settings_integer("n", "4e6", 0, 5000000, &integer, &failure));
    assert_int_equal(integer, 4000000);
    assert_true(settings_integer("n", "1/0", 0, 9, &integer, &failure) < 0);
    assert_true(settings_integer("n", "10", 0, 9, &integer, &failure) < 0);
    arena_destroy(arena);
}

/* Roots, logarithms, powers and quotients at their edges, against their definitions. */
TEST(test_integers)
{
    int64_t power;
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        int64_t a = (int64_t)(check_random(&random) >> (check_random(&random) % 63 + 1));
        int64_t root = integer_sqrt(a);
        assert_true(root * root <= a && (root + 1) > a / (root + 1));
        if (a > 0)
            assert_true((int64_t)1 << integer_log2(a) <= a && a >> integer_log2(a) == 1);
    }
    assert_int_equal(integer_sqrt(INTEGER_LIMIT), (int64_t)1 << 31);
    assert_int_equal(integer_floor_divide(-7, 2), -4);
    assert_int_equal(integer_floor_divide(7, -2), -4);
    assert_int_equal(integer_floor_divide(-8, 2), -4);
    assert_true(integer_power(2, 62, &power) && power == INTEGER_LIMIT);
    assert_false(integer_power(2, 63, &power));
    assert_true(integer_power(-1, (int64_t)1 << 60, &power) && power == 1);
    assert_true(integer_power(-3, 3, &power) && power == -27);
    assert_true(integer_power(0, 0, &power) && power == 1);
}

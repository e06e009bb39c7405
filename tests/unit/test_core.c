/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units, expressions, errors, files, suggestions, the parallel loop. */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/expression.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/suggest.h"
#include "core/unit.h"

TEST(quantities_are_read)
{
    static const struct {
        const char *text;
        double value;
        struct dim dim;
    } good[] = {
        {"4 MiB", 4194304, {1, 0, 0, 0}},
        {"4MiB", 4194304, {1, 0, 0, 0}},
        {"768 GB/s", 768e9, {1, -1, 0, 0}},
        {"120 cycles", 120, {0, 0, 1, 0}},
        {"1 /cycle", 1, {0, 0, -1, 0}},
        {"32 B/cycle", 32, {1, 0, -1, 0}},
        {"100 ns", 100e-9, {0, 1, 0, 0}},
        {"1.4 GHz", 1.4e9, {0, -1, 0, 0}},
        {"0.5 pJ/bit", 4e-12, {-1, 0, 0, 1}},
        {"5 %", 0.05, {0, 0, 0, 0}},
        {"1e3", 1000, {0, 0, 0, 0}},
        {"-2.5e-1 s", -0.25, {0, 1, 0, 0}},
        {"1 W", 1, {0, -1, 0, 1}},
    };
    static const char *const bad[] = {"",    "MiB",  "4 MIB",    "4 mb",   "nan",
                                      "inf", "0x10", "4 MiB/",   "4 / s2", "1e999 GB",
                                      "4 4", "- 3",  "4 GB/s/s", "1..5",   "1 B_"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct quantity q;
        if (quantity_scan(good[i].text, &q))
            fail_msg("\"%s\" is not read", good[i].text);
        check_relative(q.value, good[i].value, 1e-15);
        assert_true(dim_equal(q.dim, good[i].dim));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct quantity q;
        if (!quantity_scan(bad[i], &q))
            fail_msg("\"%s\" is read as %g", bad[i], q.value);
    }
}

TEST(quantities_are_written)
{
    static const struct {
        struct quantity quantity;
        const char *text;
    } cases[] = {
        {{768e9, {1, -1, 0, 0}}, "768 GB/s"}, {{4194304, {1, 0, 0, 0}}, "4 MiB"},
        {{4e6, {1, 0, 0, 0}}, "4 MB"},        {{1.5e-6, {0, 1, 0, 0}}, "1.5 us"},
        {{120, {0, 0, 1, 0}}, "120 cycles"},  {{1, {0, 0, -1, 0}}, "1 /cycle"},
        {{0.25, {0, 0, 0, 0}}, "0.25"},       {{16e12, {1, -1, 0, 0}}, "16 TB/s"},
        {{1e9, {0, -1, 0, 0}}, "1 GHz"},      {{0, {1, 0, 0, 0}}, "0 B"},
        {{32, {1, 0, -1, 0}}, "32 B/cycle"},  {{3.2 * 1048576, {1, 0, 0, 0}}, "3.2 MiB"},
        {{3.2e6, {1, 0, 0, 0}}, "3.2 MB"},    {{3355443, {1, 0, 0, 0}}, "3.355 MB"},
    };
    char buffer[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(quantity_format(cases[i].quantity, 4, buffer, sizeof buffer),
                            cases[i].text);
        /* What is written can be read again. */
        struct quantity again;
        assert_int_equal(quantity_scan(buffer, &again), 0);
        check_relative(again.value, cases[i].quantity.value, 1e-3);
        assert_true(dim_equal(again.dim, cases[i].quantity.dim));
    }
}

TEST(numbers_for_people_have_no_exponent)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.5714, "0.571"}, {1.835, "1.83"}, {403, "403"},
        {4026.5, "4026"},  {999.7, "1000"}, {123456789, "123456789"},
        {0, "0"},          {2e18, "2e+18"}, {9.48e-6, "9.48e-06"},
    };
    char buffer[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(number_round(cases[i].value, 3, buffer, sizeof buffer), cases[i].text);
}

TEST(units_in_the_wrong_case_are_recognised)
{
    assert_string_equal(unit_suggest("100 KB"), "kB");
    assert_string_equal(unit_suggest("4miB"), "MiB");
    assert_string_equal(unit_suggest("96 gB/s"), "GB");
    assert_null(unit_suggest("100 kB"));                                 /* right as it is */
    assert_string_equal(unit_suggest("96 Gb/s"), "GB (1 GB is 8 Gbit)"); /* perhaps */
    assert_string_equal(unit_suggest("96Gbit/s"), "GB (1 GB is 8 Gbit)");
    assert_string_equal(unit_suggest("96 gb/s"), "GB");
    assert_string_equal(unit_suggest("4mib"), "MiB");
    assert_string_equal(unit_suggest("1 \xc2\xb5s"), "us");
    assert_string_equal(unit_suggest("1\xce\xbcs"), "us");
    assert_null(unit_suggest("4 pages"));
    assert_null(unit_suggest("4"));
}

/* What was drawn so far. */
static void bar_text(FILE *stream, char *text, size_t size)
{
    fflush(stream);
    rewind(stream);
    size_t length = fread(text, 1, size - 1, stream);
    text[length] = '\0';
    rewind(stream);
}

TEST(bars_of_items_count_items)
{
    char text[1000], within[1000];
    FILE *stream = tmpfile();
    struct timespec wait = {.tv_nsec = 120000000};
    assert_non_null(stream);
    progress_set_stream(stream);
    progress_begin_items("profiling", "views", 4, "requests");
    progress_add(85500); /* much more work than items */
    nanosleep(&wait, NULL);
    progress_item();
    bar_text(stream, text, sizeof text);
    progress_move(2 * PROGRESS_ITEM); /* of two that take as long */
    progress_move(-PROGRESS_ITEM);
    nanosleep(&wait, NULL);
    progress_add(500);
    bar_text(stream, within, sizeof within);
    progress_end();
    assert_non_null(strstr(within, "profiling [############............] 1 of 4 views  "));
    assert_non_null(strstr(
        text, "profiling [######..................] 1 of 4 views  0 s left  85.5 k requests"));
    progress_begin("sweeping", "points", 1000);
    nanosleep(&wait, NULL);
    progress_add(250);
    bar_text(stream, text, sizeof text);
    progress_end();
    assert_non_null(strstr(text, "sweeping [######..................]  25%"));
    progress_begin("gemm", "requests", 0);
    progress_add(1000);
    progress_begin_part("launch", 8);
    nanosleep(&wait, NULL);
    progress_add(500);
    bar_text(stream, text, sizeof text);
    assert_null(strstr(text, "launch")); /* nothing of it is done: it may take any time */
    for (int i = 0; i < 6; i++)
        progress_piece();
    nanosleep(&wait, NULL);
    progress_add(500);
    bar_text(stream, text, sizeof text);
    progress_end();
    assert_non_null(strstr(text, "gemm  2 k requests"));
    assert_non_null(strstr(text, "/s  launch 75 %, "));
    assert_non_null(strstr(text, " s left"));
    progress_set_stream(NULL);
    fclose(stream);
}

TEST(numbers_round_trip)
{
    uint64_t seed = 1;
    char buffer[64];
    assert_string_equal(number_format(0.1, buffer, sizeof buffer), "0.1");
    assert_string_equal(number_format(-0.0, buffer, sizeof buffer), "0");
    double zero = 1;
    assert_true(number_scan("-0.0", &zero) && zero == 0 && !signbit(zero));
    assert_string_equal(number_format(1e21, buffer, sizeof buffer), "1e+21");
    assert_string_equal(number_format(10, buffer, sizeof buffer), "10");
    assert_string_equal(number_format(-300, buffer, sizeof buffer), "-300");
    assert_string_equal(number_format(3.2e10, buffer, sizeof buffer), "3.2e+10");
    assert_string_equal(number_format(1048576, buffer, sizeof buffer), "1048576");
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = check_random(&seed);
        double value, again;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        assert_true(number_scan(number_format(value, buffer, sizeof buffer), &again));
        assert_memory_equal(&again, &value, sizeof value);
    }
}

/* --- expressions ------------------------------------------------------------- */

static int resolve(void *context, const struct expression *name, struct quantity *out,
                   struct error *error)
{
    (void)context;
    *out = (struct quantity){0, DIM_NONE};
    if (strcmp(name->name, "chips") == 0)
        out->value = 4;
    else if (strcmp(name->name, "llc.capacity") == 0)
        *out = (struct quantity){4194304, DIM_BYTES};
    else if (strcmp(name->name, "x@rodinia-bfs") == 0)
        out->value = 7;
    else
        return error_set(error, STATUS_INPUT, "unknown name");
    return 0;
}

static int evaluate(const char *text, struct quantity *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct expression *expression;
    struct mark mark = {"test", 1, 1, text};
    int status = expression_parse(arena, text, &mark, &expression, error);
    if (!status)
        status = expression_evaluate(expression, resolve, NULL, out, error);
    arena_destroy(arena);
    return status;
}

TEST(expressions_have_values)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"7 % 3", 1},
        {"-7 % 3", 2},
        {"7/2", 3.5},
        {"10-3-2", 5},
        {"llc.capacity * chips <= 48 MiB", 1},
        {"llc.capacity * chips <= 15MiB", 0},
        {"1 GB/s + 1 MB/s == 1001 MB/s", 1},
        {"not 1 or 1 and 1", 1},
        {"not (1 and 0)", 1},
        {"min(3, 1, 2) + max(1, 5)", 6},
        {"if(chips > 2, 10, 20)", 10},
        {"ceil(7/2) + floor(7/2) + abs(-1)", 8},
        {"log2(8) + sqrt(16)", 7},
        {"4 MiB / 1 KiB", 4096},
        {"x@rodinia-bfs + 1", 8},
        {"1 < 2 and 2 >= 2 and 3 != 4", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct quantity q;
        check_ok(evaluate(cases[i].text, &q, &failure));
        check_relative(q.value, cases[i].value, 1e-12);
    }
}

TEST(expression_errors_point_at_the_place)
{
    static const struct {
        const char *text, *words;
        long column;
    } cases[] = {
        {"llc.capacity <= 48", "units differ", 14},
        {"1 +", "ends too early", 4},
        {"1 GB + 1 s", "units differ", 6},
        {"foo + 1", "unknown name", 1},
        {"1 / 0", "division by zero", 3},
        {"sin(1)", "unknown function", 1},
        {"(1 + 2", "ends too early", 7},
        {"1 2", "expected an operator", 3},
        {"min(1, 2 MiB)", "units differ", 1},
        {"log2(4 MiB)", "plain numbers", 1},
        {"min()", "min takes 2 to 16 arguments, not 0", 1},
        {"1 + max(3)", "max takes 2 to 16 arguments, not 1", 5},
        {"abs(1, 2)", "abs takes 1 argument, not 2", 1},
        {"1e999", "finite", 1},
        {"3 & 4", "expected an operator", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct quantity q;
        check_error(evaluate(cases[i].text, &q, &failure), STATUS_INPUT, cases[i].words);
        if (failure.column != cases[i].column)
            fail_msg("\"%s\": column %ld, expected %ld", cases[i].text, failure.column,
                     cases[i].column);
    }
}

TEST(deep_nesting_is_refused)
{
    struct text text = {0};
    struct quantity q;
    for (int i = 0; i < 100000; i++)
        text_append(&text, "(");
    check_error(evaluate(text.data, &q, &failure), STATUS_INPUT, "too deeply");
    text.length = 0;
    for (int i = 0; i < 100000; i++)
        text_append(&text, "-");
    check_error(evaluate(text.data, &q, &failure), STATUS_INPUT, "too deeply");
    text_free(&text);
}

TEST(random_texts_do_not_break_the_parser)
{
    static const char alphabet[] = "0123456789.+-*/%^()<>=!, abcMiBGs/@_eand or not[]";
    uint64_t seed = 7;
    for (int i = 0; i < check_damages(20000, 400000); i++) {
        char text[40];
        size_t length = check_random(&seed) % (sizeof text - 1);
        for (size_t k = 0; k < length; k++)
            text[k] = alphabet[check_random(&seed) % (sizeof alphabet - 1)];
        text[length] = '\0';
        struct quantity q;
        int status = evaluate(text, &q, &failure);
        assert_true(status == 0 || (status == STATUS_INPUT && failure.text[0]));
    }
}

/* --- errors, files, the rest ------------------------------------------------------ */

TEST(errors_show_line_and_caret)
{
    struct mark mark = {"spaces/x.yaml", 12, 17, "  llc.capacity: 32q\nnext"};
    char text[512];
    error_at(&failure, STATUS_INPUT, &mark, "llc.capacity: expected a size, got \"32q\"");
    error_hint(&failure, "for example 4 MiB");
    error_hint(&failure, "the second hint is dropped");
    error_context(&failure, "axis 1");
    error_format(&failure, text, sizeof text);
    assert_string_equal(text, "spaces/x.yaml:12:17: error: axis 1: llc.capacity: expected a size, "
                              "got \"32q\"\n"
                              "    12 |   llc.capacity: 32q\n"
                              "       |                 ^\n"
                              "hint: for example 4 MiB");
    assert_int_equal(error_exit_status(STATUS_INPUT), 2);
    assert_int_equal(error_exit_status(STATUS_IO), 1);
    assert_int_equal(error_exit_status(STATUS_OK), 0);
}

TEST(long_source_lines_are_cut)
{
    char *line = malloc(10 << 20), text[4096];
    memset(line, 'x', (10 << 20) - 1);
    line[(10 << 20) - 1] = '\0';
    struct mark mark = {"big", 1, 5000000, line};
    error_at(&failure, STATUS_INPUT, &mark, "here");
    error_format(&failure, text, sizeof text);
    assert_true(strlen(text) < 1000);
    assert_non_null(strchr(text, '^'));
    free(line);
}

TEST(files_are_written_whole_or_not_at_all)
{
    char folder[] = "/tmp/bandscape-test-XXXXXX";
    struct file_writer writer;
    struct text path = {0};
    char *data, **names;
    size_t size;
    assert_non_null(mkdtemp(folder));
    text_printf(&path, "%s/a/b/file", folder);
    check_error(file_write(path.data, "x", 1, &failure), STATUS_IO, "cannot create");
    char *parent = file_directory(path.data);
    check_ok(file_make_directory(parent, &failure));
    check_ok(file_write(path.data, "old", 3, &failure));
    check_ok(file_writer_open(&writer, path.data, &failure));
    fputs("half of the new conte", writer.stream);
    file_writer_abandon(&writer);
    check_ok(file_read(path.data, 100, &data, &size, &failure));
    assert_string_equal(data, "old");
    free(data);
    check_ok(file_writer_open(&writer, path.data, &failure));
    fputs("new", writer.stream);
    check_ok(file_writer_commit(&writer, &failure));
    check_ok(file_read(path.data, 100, &data, &size, &failure));
    assert_string_equal(data, "new");
    free(data);
    check_error(file_read(path.data, 2, &data, &size, &failure), STATUS_INPUT, "larger than");
    check_error(file_read(folder, 100, &data, &size, &failure), STATUS_INPUT, "cannot read");
    assert_int_equal(file_list(parent, &names), 1); /* no temporary file is left */
    free(names[0]);
    free(names);
    unlink(path.data);
    rmdir(parent);
    *strrchr(parent, '/') = '\0';
    rmdir(parent);
    rmdir(folder);
    free(parent);
    text_free(&path);
}

TEST(full_disk_is_an_error)
{
    char folder[] = "/tmp/bandscape-full-XXXXXX", kept[64];
    struct rlimit limit, small;
    struct file_writer writer;
    struct text path = {0};
    assert_non_null(mkdtemp(folder));
    text_printf(&path, "%s/file", folder);
    check_ok(file_write(path.data, "old", 3, &failure));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 100000;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    check_ok(file_writer_open(&writer, path.data, &failure));
    for (int i = 0; i < 100000; i++)
        fputs("0123456789", writer.stream);
    errno = 0; /* the reason is not lost with it */
    int status = file_writer_commit(&writer, &failure);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    check_error(status, STATUS_IO, "cannot write");
    check_error(status, STATUS_IO, "file: File too large");
    FILE *stream = fopen(path.data, "r");
    assert_non_null(stream);
    assert_int_equal(fread(kept, 1, sizeof kept, stream), 3);
    fclose(stream);
    unlink(path.data);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
    text_free(&path);
}

TEST(near_names_are_suggested)
{
    struct suggest suggest = suggest_begin("capcity");
    suggest_offer(&suggest, "latency");
    suggest_offer(&suggest, "capacity");
    suggest_offer(&suggest, "ways");
    assert_string_equal(suggest.best, "capacity");
    suggest = suggest_begin("zzz");
    suggest_offer(&suggest, "capacity");
    assert_null(suggest.best);
    suggest = suggest_begin("mr");
    suggest_offer(&suggest, "rm");
    assert_string_equal(suggest.best, "rm");
    suggest = suggest_begin("q");
    suggest_offer(&suggest, "u"); /* any letter would be as near */
    assert_null(suggest.best);
    suggest_offer(&suggest, "Q");
    assert_string_equal(suggest.best, "Q");
    suggest = suggest_begin("y");
    suggest_offer(&suggest, "ny");
    assert_string_equal(suggest.best, "ny");
}

static void add_item(void *context, uint64_t item, int worker)
{
    (void)worker;
    atomic_fetch_add((atomic_uint_fast64_t *)context, item * item + 1);
}

TEST(every_item_runs_once)
{
    for (int threads = 1; threads <= 8; threads++)
        for (uint64_t n = 0; n < 40; n += 13) {
            atomic_uint_fast64_t sum;
            uint64_t want = 0;
            atomic_init(&sum, 0);
            parallel_for(threads, n, add_item, &sum);
            for (uint64_t i = 0; i < n; i++)
                want += i * i + 1;
            assert_int_equal(atomic_load(&sum), want);
        }
}

enum { LAST_ITEM = 1000 };

static bool add_until(void *context, uint64_t item, int worker)
{
    (void)worker;
    atomic_fetch_add((atomic_uint_fast64_t *)context, 1);
    return item < LAST_ITEM;
}

/* Items that nobody has begun are not handed out one by one: 2^60 of them would take years. */
TEST(a_loop_ends_when_a_step_says_so)
{
    for (int threads = 1; threads <= 8; threads++) {
        atomic_uint_fast64_t steps;
        atomic_init(&steps, 0);
        parallel_while(threads, 1ULL << 60, add_until, &steps);
        uint64_t all = atomic_load(&steps); /* each thread may meet the end for itself */
        assert_in_range(all, LAST_ITEM + 1, LAST_ITEM + threads);
        atomic_init(&steps, 0);
        parallel_while(threads, 40, add_until, &steps);
        assert_int_equal(atomic_load(&steps), 40);
    }
}

static int fail_from_seven_on(void *context, uint64_t item, struct error *error)
{
    atomic_fetch_add((atomic_uint_fast64_t *)context, 1);
    return item < 7 ? 0 : error_set(error, STATUS_INPUT, "item %d", (int)item);
}

/* Whoever met it, and whatever else failed; after Ctrl-C nothing begins. */
TEST(the_first_failure_is_told)
{
    uint64_t failed = 0;
    for (int threads = 1; threads <= 8; threads++) {
        atomic_uint_fast64_t items;
        atomic_init(&items, 0);
        check_ok(parallel_try(threads, 7, fail_from_seven_on, &items, &failed, &failure));
        check_error(parallel_try(threads, 30, fail_from_seven_on, &items, &failed, &failure),
                    STATUS_INPUT, "item 7");
        assert_int_equal(failed, 7);
        assert_int_equal(atomic_load(&items), 37);
        interrupt_request();
        check_error(parallel_try(threads, 30, fail_from_seven_on, &items, NULL, &failure),
                    STATUS_INTERRUPTED, "interrupted");
        interrupt_clear();
        assert_int_equal(atomic_load(&items), 37);
    }
}

TEST(hashes_are_stable)
{
    char a[HASH_TEXT], b[HASH_TEXT];
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, "ab");
    hash_content_string(hash, "c");
    hash_content_end(hash, a);
    hash = hash_content_begin();
    hash_content_string(hash, "a");
    hash_content_string(hash, "bc");
    hash_content_end(hash, b);
    assert_int_equal(strlen(a), 32);
    assert_string_not_equal(a, b); /* lengths count */
    /* MurmurHash3's finaliser: known values, and a bijection has no 0 but at 0. */
    assert_true(hash_fmix64(0) == 0);
    assert_true(hash_fmix64(1) == 0xb456bcfc34c2cb2cULL);
    for (uint32_t n = 1; n < 100; n++)
        assert_true(hash_reduce(UINT64_MAX, n) == n - 1 && hash_reduce(0, n) == 0);
}

/* Whatever their memory held before. */
TEST(tables_are_zero)
{
    static const size_t sizes[] = {0,       1,           63,         4096,           (2 << 20) - 1,
                                   2 << 20, 5 * 1000003, (64 << 20), (64 << 20) + 13};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int turn = 0; turn < 2; turn++) {
            size_t step = sizes[i] / 4096 + 1;
            unsigned char *table = memory_table(sizes[i], 1);
            if (sizes[i] < 64 << 20)
                assert_int_equal((uintptr_t)table % (sizes[i] < 2 << 20 ? 64 : 2 << 20), 0);
            for (size_t at = 0; at < sizes[i]; at += step) {
                assert_int_equal(table[at], 0);
                table[at] = 0xff;
            }
            if (sizes[i])
                table[sizes[i] - 1] = 0xff;
            free(table);
        }
}

TEST(lines_are_found_whole)
{
    struct text text = {0};
    assert_false(text_has_line(&text, "a"));
    text_append(&text, "mine: one\nmine: two");
    assert_true(text_has_line(&text, "mine: one"));
    assert_true(text_has_line(&text, "mine: two"));
    assert_false(text_has_line(&text, "mine: on"));
    assert_false(text_has_line(&text, "ine: one"));
    assert_false(text_has_line(&text, ""));
    text_free(&text);
}

TEST(messages_tell_their_place)
{
    const struct mark mark = {"a error: b.yaml", 3, 0, NULL};
    char text[200];
    error_set(&failure, STATUS_INPUT, "no error: at all");
    assert_int_equal(error_format(&failure, text, sizeof text), 0);
    error_place(&failure, &mark);
    size_t place = error_format(&failure, text, sizeof text);
    assert_string_equal(text + place, "error: no error: at all");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile files: round trips, hand-made profiles, errors, views, cache, fuzz. */
#include "profile_check.h"

#include <unistd.h>

#include "core/file.h"
#include "core/progress.h"
#include "yaml/yaml.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

SET_UP
{
    check_own_cache();
}

/* Loads the text as a file "p.yaml". */
static int load_text(const char *text, struct profile **out, struct error *error)
{
    int status = file_write(check_path("p.yaml"), text, strlen(text), error);
    return status ? status : profile_load(check_path("p.yaml"), out, error);
}

static void check_same_text(const struct profile *a, const struct profile *b)
{
    struct text left = {0}, right = {0};
    profile_print(a, &left);
    profile_print(b, &right);
    assert_string_equal(left.data, right.data);
    text_free(&left);
    text_free(&right);
}

static const char machine_text[] = "machine: m\nchips: 2\nsm: {per_chip: 2}\n"
                                   "l1: {capacity: 2 KiB}\nllc: {slices: 3, capacity: 64 KiB}\n";

/* Two kernels with reads, writes and atomics over three allocations. */
static struct synthetic *sample(int seed)
{
    struct synthetic *s = synthetic_create("sample: \"1\"");
    uint64_t random = (uint64_t)seed;
    for (uint64_t i = 0; i < 3; i++)
        VECTOR_PUSH(
            &s->source.allocations,
            (struct stream_allocation){i == 1 ? "" : "A, b", 0x7f0000000000 + (i << 16), 1 << 16});
    for (int k = 0; k < 3; k++) {
        synthetic_kernel(s, k ? "_Z4kern[i]: #{}" : "", 4, 2);
        for (int i = 0; k < 2 && i < 400; i++)
            synthetic_lane(s, check_random(&random) % 4, i % 2, ACCESS_READ + i % 5 / 3 + i % 7 / 6,
                           0x7f0000000000 + check_random(&random) % (3 << 16));
    }
    return s;
}

TEST(test_round_trip)
{
    for (int seed = 0; seed < 10; seed++) {
        OWNED(machine) *machine = check_machine(machine_text);
        OWNED(synthetic) *s = sample(seed);
        OWNED(profile) *profile = check_profile(&s->source, machine, seed % 2), *again = NULL,
                       *third = NULL;
        struct profile_options options = {0};
        check_set(machine, "page.size", "8 KiB");
        check_ok(profile_make(profile, &s->source, machine, &options, &failure));
        check_ok(profile_write(profile, check_path("a.yaml"), &failure));
        check_ok(profile_load(check_path("a.yaml"), &again, &failure));
        check_same_text(profile, again);
        check_ok(profile_write(again, check_path("b.yaml"), &failure));
        check_ok(profile_load(check_path("b.yaml"), &third, &failure));
        check_same_text(profile, third);
        assert_true(profile_detect(check_path("a.yaml")));

        /* The numbers themselves, not only their text. */
        assert_int_equal(again->n_views, 2);
        assert_string_equal(again->source, "sample: \"1\"");
        for (size_t v = 0; v < 2; v++) {
            const struct profile_view *a = &profile->views[v], *b = &again->views[v];
            assert_int_equal(a->n_keys, b->n_keys);
            assert_true(a->line_bytes == b->line_bytes);
            assert_memory_equal(&a->sharing, &b->sharing, sizeof a->sharing);
            assert_int_equal(a->n_records, b->n_records);
            for (size_t r = 0; r < a->n_records; r++) {
                const struct profile_record *x = &a->records[r], *y = &b->records[r];
                for (int f = 0; f < FIELD_COUNT; f++)
                    assert_true(x->fields[f] == y->fields[f] ||
                                (isnan(x->fields[f]) && isnan(y->fields[f])));
                assert_string_equal(x->name, y->name);
                assert_memory_equal(x->grid, y->grid, sizeof x->grid);
                assert_memory_equal(x->traffic, y->traffic, 4 * sizeof *x->traffic);
                assert_int_equal(y->n_curves, 2);
                for (int c = 0; c < 2; c++) {
                    assert_int_equal(x->curves[c].curve.n_points, y->curves[c].curve.n_points);
                    assert_int_equal(x->curves[c].curve.cold, y->curves[c].curve.cold);
                    assert_memory_equal(x->curves[c].domain_cold, y->curves[c].domain_cold, 16);
                }
            }
        }
    }
}

TEST(test_hand_made)
{
    struct profile *profile, *again;
    check_ok(load_text("# by hand\nprofile: hand-made\npoint:\n  r_local: 70%\n"
                       "  llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                       "  lsu:     {memory-side: 0.9}\n  bytes: 2 MiB\n",
                       &profile, &failure));
    const struct profile_record *record = &profile->views[0].records[0];
    assert_int_equal(profile->views[0].n_keys, 0);
    assert_int_equal(record->launches, 1);
    check_relative(record->fields[FIELD_R_LOCAL], 0.7, 1e-15);
    check_field(record, FIELD_LLC_HIT_SM_SIDE, 0.5);
    check_field(record, FIELD_BYTES, 2 << 20);
    assert_true(isnan(record->fields[FIELD_LSU_SM_SIDE]));
    assert_true(isnan(record->fields[FIELD_REQUESTS]));
    assert_true(isnan(profile->views[0].sharing.footprint_bytes));
    assert_null(record->traffic);
    assert_null(profile->source);
    check_ok(profile_write(profile, check_path("b.yaml"), &failure));
    check_ok(profile_load(check_path("b.yaml"), &again, &failure));
    check_same_text(profile, again);
    /* It fits any machine. */
    struct machine *machine = check_machine(machine_text);
    const struct profile_view *view;
    check_ok(profile_view_find(profile, machine, &view, &failure));
    assert_ptr_equal(view, &profile->views[0]);
    machine_destroy(machine);
    profile_destroy(profile);
    profile_destroy(again);

    check_ok(load_text("profile: two\npoints:\n- {name: a, launches: 3, r_local: 1, bytes: 5}\n"
                       "- {name: b, r_local: 0}\n",
                       &profile, &failure));
    assert_int_equal(profile->views[0].n_records, 2);
    assert_int_equal(profile->views[0].records[0].launches, 3);
    assert_string_equal(profile->views[0].records[1].name, "b");
    check_ok(profile_write(profile, check_path("b.yaml"), &failure));
    check_ok(profile_load(check_path("b.yaml"), &again, &failure));
    check_same_text(profile, again);
    profile_destroy(profile);
    profile_destroy(again);
}

/* Each: text, what the message contains (with its place). */
static const char *const bad[][2] = {
    {"profile: x\n", "exactly one of views, point and points"},
    {"profile: x\npoint: {}\npoints: [{}]\n", "exactly one"},
    {"point: {}\n", "\"profile\" is missing"},
    {"profile: x\npoint: 3\n", "p.yaml:2:8: error: point: expected a map"},
    {"profile: x\npoint: {r_local: 1.1}\n", "p.yaml:2:18: error: r_local: a ratio lies between"},
    {"profile: x\npoint: {r_local: -0.1}\n", "must not be negative"},
    {"profile: x\npoint: {r_local: nan}\n", "r_local: expected a number"},
    {"profile: x\npoint: {r_local: inf}\n", "r_local: expected a number"},
    {"profile: x\npoint: {r_local: 1e999}\n", "r_local: expected a number"},
    {"profile: x\npoint: {r_local: [1]}\n", "expected a single value"},
    {"profile: x\npoint: {r_lokal: 1}\n", "hint: did you mean \"r_local\"?"},
    {"profile: x\npoint: {lsu: 1}\n", "lsu: expected a map"},
    {"profile: x\npoint: {lsu: {memory_side: 1}}\n", "did you mean \"memory-side\"?"},
    {"profile: x\npoint: {llc_hit: {sm-side: 2}}\n", "llc_hit.sm-side: a ratio"},
    {"profile: x\npoint: {lsu: {sm-side: 0}}\n",
     "p.yaml:2:24: error: lsu.sm-side: mean over maximum is more than 0, got 0"},
    {"profile: x\npoint: {lsu: {memory-side: -0.0}}\n", "more than 0, got -0.0"},
    {"profile: x\npoint: {l1_uniformity: 0}\n", "l1_uniformity: mean over maximum"},
    {"profile: x\npoint: {lsu.sm.side: 1}\n", "unknown field \"lsu.sm.side\""},
    {"profile: x\npoint: {requests: -1}\n", "requests: must not be negative"},
    {"profile: x\npoint: {requests: 4 KiB}\n", "requests: \"4 KiB\" has the wrong unit"},
    {"profile: x\npoint: {bytes: 1 GB/s}\n", "wrong unit"},
    {"profile: x\npoint: {launches: 0}\n", "launches: must be at least 1"},
    {"profile: x\npoint: {launches: 1.5}\n", "launches: expected a whole number"},
    {"profile: x\npoint: {traffic: [[1]]}\n", "unknown field \"traffic\""},
    {"profile: x\npoint: {l1_reads: 1, l1_read_hits: 2}\n", "more l1_read_hits than l1_reads"},
    {"profile: x\npoint: {requests: 1, writes: 2}\n", "more writes than requests"},
    {"profile: x\npoint: {requests: 1, atomics: 2}\n", "more atomics than requests"},
    {"profile: x\npoint: {chain: {waits: 1, remote: 2}}\n", "more chain.remote than chain.waits"},
    {"profile: x\npoints: []\n", "the list is empty"},
    {"profile: x\nvews: []\n", "did you mean \"views\"?"},
    {"profile: x\nprofile: y\n", "duplicate key"},
    {"profile: x\nviews: [{records: []}]\n", "\"key\" is missing"},
    {"profile: x\nviews: [{key: {}, records: []}]\n", "structure is missing"},
    {"profile: x\nviews: [{key: {chips: 4}}]\n", "\"records\" is missing"},
    {"profile: x\nviews: [{key: {chips: [4]}, records: []}]\n", "expected a single value"},
    {"profile: x\nviews: [{key: {chips: 4}, records: [], shape: 1}]\n", "unknown key \"shape\""},
    {"profile: x\nviews: [{key: {a: b}, line: 12 s, records: []}]\n", "wrong unit"},
    {"profile: x\nviews: [{key: {a: b}, sharing: {footprnt: 1}, records: []}]\n", "footprint"},
#define RECORD(text) "profile: x\nviews:\n- key: {a: b}\n  records:\n  - {" text "}\n"
    {RECORD("grid: [1, 2]"), "p.yaml:5:12: error: grid: expected 3 numbers, found 2"},
    {RECORD("grid: [1, 2, -3]"), "grid: expected a whole number"},
    {RECORD("traffic: [[1, 2]]"), "traffic: 1 rows but 2 columns"},
    {RECORD("traffic: []"), "traffic: expected 1 to"},
    {RECORD("traffic: [[-1]]"), "must not be negative"},
    {RECORD("allocations: [{name: a}]"), "\"base\" is missing"},
    {RECORD("allocations: [{base: 0x, bytes: 1, reads: 1, writes: 1, atomics: 1}]"),
     "whole number"},
    {RECORD(
         "allocations: [{base: 18446744073709551616, bytes: 1, reads: 1, writes: 1, atomics: 1}]"),
     "allocation.base: expected a whole number"},
#define CURVE(text) RECORD("curves: [{scope: chip, side: home, filter: all, " text "}]")
    {CURVE("requests: 1, cold: 0"), "\"curve\" is missing"},
    {CURVE("requests: 5, cold: 0, curve: 1 6"), "more hits and cold misses than requests"},
    {CURVE("requests: 5, cold: 6, curve: ''"), "more hits and cold misses than requests"},
    {CURVE("requests: 5, cold: 1, curve: 1 5"), "more hits and cold misses than requests"},
    {CURVE("requests: 5, cold: 1, curve: 1 x"), "p.yaml:5:83: error: curve: expected pairs"},
    {CURVE("requests: 5, cold: 0, curve: 1 5, domains: {requests: [2, 2], cold: [0, 0]}"),
     "do not add up"},
    {CURVE("requests: 5, cold: 0, curve: 1 5, domains: {requests: [2, 3], cold: [0]}"),
     "2 requests but 1 cold"},
    {RECORD("curves: [{side: home, filter: all, requests: 0, cold: 0, curve: ''}]"),
     "\"scope\" is missing"},
    {RECORD("curves: [{scope: c, side: h, filter: a, requests: 0, cold: 0, curve: ''},"
            "{scope: c, side: h, filter: a, requests: 0, cold: 0, curve: ''}]"),
     "a second curve of scope c"},
};

TEST(test_errors)
{
    struct profile *profile = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_error(load_text(bad[i][0], &profile, &failure), STATUS_INPUT, bad[i][1]);
        assert_null(profile);
        assert_true(failure.line > 0);
    }
    check_error(profile_load(check_path("missing.yaml"), &profile, &failure), STATUS_INPUT,
                "missing");
}

TEST(test_detect)
{
    static const struct {
        const char *text;
        bool profile;
    } cases[] = {
        {"profile: x\npoint: {}\n", true},
        {"# note\n\nprofile: x\n", true},
        {"machine: sac\n", false},
        {"a:\n  profile: x\n", false},
        {"", false},
        {"profiles: x\n", false},
        {"source: y\nprofile: broken: [\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_ok(file_write(check_path("p.yaml"), cases[i].text, strlen(cases[i].text), &failure));
        assert_int_equal(profile_detect(check_path("p.yaml")), cases[i].profile);
    }
    check_ok(file_write(check_path("p.yaml"), "profile:\0\0", 10, &failure));
    assert_false(profile_detect(check_path("p.yaml")));
    assert_false(profile_detect(check_path("missing.yaml")));
    assert_false(profile_detect(check_folder()));
}

TEST(test_view_find)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(1);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    struct profile_options options = {0};
    const struct profile_view *view;
    check_ok(profile_view_find(profile, machine, &view, &failure));
    assert_ptr_equal(view, &profile->views[0]);
    /* What is free of structure does not matter. */
    check_set(machine, "llc.capacity", "1 MiB");
    check_set(machine, "sm.clock", "2 GHz");
    check_ok(profile_view_find(profile, machine, &view, &failure));
    check_set(machine, "llc.slices", "4");
    check_error(profile_view_find(profile, machine, &view, &failure), STATUS_INPUT,
                "has no view of this machine: llc.slices is 4, the nearest view has 3");
    assert_null(view);
    check_ok(profile_make(profile, &s->source, machine, &options, &failure));
    check_ok(profile_view_find(profile, machine, &view, &failure));
    assert_ptr_equal(view, &profile->views[1]);
    /* Several differ: the first in table order, of the nearest view. */
    check_set(machine, "page.size", "2 MiB");
    check_set(machine, "chips", "3");
    check_error(profile_view_find(profile, machine, &view, &failure), STATUS_INPUT,
                "chips is 3, the nearest view has 2 (views present: 2, with chips 2; chips 2)");
    check_error(profile_view_find(profile, machine, &view, &failure), STATUS_INPUT,
                "hint: profile it for this machine: bandscape profile sample");
    /* A machine without an L1 lacks the key. */
    struct machine *bare = check_machine("machine: b\nchips: 2\nsm: {per_chip: 2}\n"
                                         "llc: {slices: 3, capacity: 64 KiB}\n");
    check_error(profile_view_find(profile, bare, &view, &failure), STATUS_INPUT,
                "l1.capacity is not set, the nearest view has 2 KiB");
    machine_destroy(bare);
    OWNED(profile) *empty = profile_create();
    check_error(profile_view_find(empty, machine, &view, &failure), STATUS_INPUT, "holds no view");
}

/* --- cache --------------------------------------------------------------------------- */

static struct profile *obtain_sample(const struct synthetic *s, const struct machine *machine,
                                     double rate, bool want_cached)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.effort = {.sample_rate = rate}, .few_lines = true};
    bool cached;
    assert_int_equal(profile_is_cached(&s->source, machine, &options), want_cached);
    check_ok(profile_obtain(profile, &s->source, machine, &options, &cached, &failure));
    assert_int_equal(cached, want_cached);
    assert_true(profile->views[0].sample_rate == rate);
    return profile;
}

/* Each rate has a view of its own. */
TEST(test_cache_of_samples)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(2);
    struct profile *made[6];
    check_empty_folder();
    made[0] = obtain_sample(s, machine, 1, false);
    made[1] = obtain_sample(s, machine, 0.5, false);
    made[2] = obtain_sample(s, machine, 0.25, false);
    made[3] = obtain_sample(s, machine, 1, true);
    made[4] = obtain_sample(s, machine, 0.5, true);
    made[5] = obtain_sample(s, machine, 0.25, true);
    for (int i = 0; i < 3; i++)
        check_same_text(made[i], made[i + 3]);
    for (int i = 0; i < 6; i++)
        profile_destroy(made[i]);
}

static struct profile *obtain(const struct synthetic *s, const struct machine *machine, bool pairs,
                              bool want_cached)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = pairs ? PART_CTA_SHARING : PART_BASE};
    bool cached;
    check_ok(profile_obtain(profile, &s->source, machine, &options, &cached, &failure));
    assert_int_equal(cached, want_cached);
    return profile;
}

TEST(test_cache)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(2);
    struct profile *made[8];
    const struct profile_options exact = {0};
    check_empty_folder();
    assert_false(profile_is_cached(&s->source, machine, &exact));
    made[0] = obtain(s, machine, false, false);
    assert_true(profile_is_cached(&s->source, machine, &exact));
    made[1] = obtain(s, machine, false, true);
    check_same_text(made[0], made[1]);
    /* With pairs it has to be made once; then it serves both, each in its form. */
    made[2] = obtain(s, machine, true, false);
    made[3] = obtain(s, machine, true, true);
    check_same_text(made[2], made[3]);
    made[4] = obtain(s, machine, false, true);
    check_same_text(made[0], made[4]);
    check_set(machine, "chips", "3");
    assert_false(profile_is_cached(&s->source, machine, &exact));
    check_set(machine, "chips", "2");
    snprintf(s->source.hash, sizeof s->source.hash, "other");
    assert_false(profile_is_cached(&s->source, machine, &exact));
    made[5] = obtain(s, machine, false, false);

    /* Damaged entries are made again. */
    char **names;
    size_t count = file_list(check_folder(), &names);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        const char *text = i ? "profile: [" : "profile: x\npoint: {}\n";
        check_ok(file_write(check_path(names[i]), text, strlen(text), &failure));
        free(names[i]);
    }
    free(names);
    made[6] = obtain(s, machine, false, false);
    check_same_text(made[5], made[6]);
    /* No cache is no error. */
    setenv("BANDSCAPE_CACHE", "/dev/null/nowhere", 1);
    assert_false(profile_is_cached(&s->source, machine, &exact));
    made[7] = obtain(s, machine, false, false);
    setenv("BANDSCAPE_CACHE", check_folder(), 1);
    for (int i = 0; i < 8; i++)
        profile_destroy(made[i]);
}

/* --- fuzz ---------------------------------------------------------------------------- */

/* Random edits of a real file, the first of which changes nothing: whatever comes out is
 * read or refused, and what is read can be written and read again. */
TEST(test_fuzz)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(3);
    OWNED(profile) *profile = check_profile(&s->source, machine, true);
    struct text text = {0};
    profile_print(profile, &text);
    text_append(&text, "");
    static const char *const pieces[] = {"-1", "0x", "nan",  "1e400", "[",
                                         "}",  ": ", "\n  ", "\"",    "9999999999999999999999",
                                         "0",  "{}", "&a",   "*a",    "\t"};
    int rounds = check_damages(1500, 40000), fine = 0;
    uint64_t random = 99;
    for (int round = 0; round < rounds; round++) {
        struct text mutant = {0};
        size_t at = check_random(&random) % text.length;
        size_t cut = check_random(&random) % (round % 2 ? 12 : 2);
        if (round == 0)
            at = text.length;
        if (cut > text.length - at)
            cut = text.length - at;
        text_append_bytes(&mutant, text.data, at);
        if (round == 0)
            text_append(&mutant, "\n");
        else if (round % 4 == 0)
            text_printf(&mutant, "%d", (int)(check_random(&random) % 10));
        else if (round % 4 == 2)
            text_append_bytes(&mutant, (char[]){(char)(check_random(&random) % 256)}, 1);
        else
            text_append(&mutant, pieces[check_random(&random) % (sizeof pieces / sizeof *pieces)]);
        text_append_bytes(&mutant, text.data + at + cut, text.length - at - cut);
        struct yaml_document *document = NULL;
        struct profile *read = NULL, *again = NULL;
        if (yaml_parse("m", mutant.data, mutant.length, &document, &failure) == 0) {
            yaml_destroy(document);
            check_ok(file_write(check_path("p.yaml"), mutant.data, mutant.length, &failure));
            if (profile_load(check_path("p.yaml"), &read, &failure) == 0) {
                fine++;
                check_ok(profile_write(read, check_path("q.yaml"), &failure));
                check_ok(profile_load(check_path("q.yaml"), &again, &failure));
                check_same_text(read, again);
            } else {
                assert_int_equal(failure.status, STATUS_INPUT);
                assert_true(failure.text[0] && failure.line > 0);
            }
        }
        profile_destroy(read);
        profile_destroy(again);
        text_free(&mutant);
    }
    assert_true(fine > rounds / 100);
    text_free(&text);
}

/* What `list fields` shows can be written as it is listed, alone and with all the others, and in
 * the groups that files have; it is what was written, and survives being printed. */
TEST(test_all_fields_as_listed)
{
    struct profile *profile, *again;
    struct text all = {0}, printed = {0};
    text_append(&all, "profile: hand\npoint:\n");
    for (int i = 0; i < FIELD_COUNT; i++) {
        /* Levels are listed once, and have names of their own. */
        struct profile_record named = {
            .levels = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"}};
        struct text one = {0};
        char path[128];
        if (!profile_field_exists(i))
            continue;
        text_printf(&one, "profile: hand\npoint:\n");
        if (profile_field_is_of_level(i)) /* in their order */
            for (int level = 0; level < (i - FIELD_LEVEL_0) / LEVEL_COUNTS; level++)
                text_printf(&one, "  %s: {lookups: 2}\n", named.levels[level]);
        const char *listed = profile_field_path(&named, i, path, sizeof path);
        text_printf(&one, "  %s: 1\n", listed);
        text_printf(&all, "  %s: 1\n", listed);
        if (load_text(one.data, &profile, &failure))
            fail_msg("%s: %s", listed, failure.text);
        for (int k = 0; k < FIELD_COUNT; k++)
            if (k == i ? profile->views[0].records[0].fields[k] != 1
                       : profile->views[0].records[0].fields[k] == 1)
                fail_msg("%s was written, %s was read", listed, profile_field_row(k)->path);
        profile_destroy(profile);
        text_free(&one);
    }
    check_ok(load_text(all.data, &profile, &failure));
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_exists(i))
            check_relative(profile->views[0].records[0].fields[i], 1, 0);
    profile_print(profile, &printed);
    check_ok(load_text(printed.data, &again, &failure));
    check_same_text(profile, again);
    profile_destroy(again);
    check_error(
        load_text("profile: hand\npoint: {lsu.sm-side: 1, lsu: {sm-side: 1}}\n", &again, &failure),
        STATUS_INPUT, "lsu.sm-side is given twice");
    check_error(load_text("profile: hand\npoint: {lsu.sm-sied: 1}\n", &again, &failure),
                STATUS_INPUT, "unknown field \"lsu.sm-sied\"");
    assert_string_equal(failure.hint, "did you mean \"lsu.sm-side\"?");
    profile_destroy(profile);
    text_free(&all);
    text_free(&printed);
}

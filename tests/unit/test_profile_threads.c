/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same profile, byte for byte, for any number of threads, with every part. */
#include "profile_check.h"
#include "profile/run/profiler.h"

static const char machine_text[] = "machine: threads\n"
                                   "chips: 3\n"
                                   "partitions: 2\n"
                                   "sectors: 4\n"
                                   "sm: {per_chip: 4}\n"
                                   "l1: {capacity: 2 KiB, ways: 2, nodes: 2}\n"
                                   "llc: {capacity: 64 KiB, slices: 4}\n"
                                   "page: {size: 512 B, policy: first-touch}\n";

/* Kernels of many requests: full batches, a partial one, and a kernel with none. */
static struct synthetic *many_requests(int count)
{
    struct synthetic *s = synthetic_create("threads");
    uint64_t random = 1;
    for (int k = 0; k < 3; k++) {
        synthetic_kernel(s, "k", k == 1 ? 1 : 24, 2);
        for (int i = 0; i < (k == 1 ? 0 : count); i++) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            enum access_kind kind = random >> 60 == 0 ? ACCESS_WRITE : ACCESS_READ;
            synthetic_lane(s, (random >> 33) % 24, (random >> 40) % 2, kind,
                           (random >> 20) % 200000 / 4 * 4);
        }
    }
    return s;
}

TEST(test_any_threads)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = many_requests(6000);
    struct text first = {0};
    for (int threads = 1; threads <= 4; threads++) {
        OWNED(profile) *profile = profile_create();
        struct profile_options options = {.parts = PART_ALL, .threads = threads};
        struct text text = {0};
        check_ok(profile_make(profile, &s->source, machine, &options, &failure));
        profile_print(profile, threads == 1 ? &first : &text);
        if (threads > 1)
            assert_string_equal(text.data, first.data);
        assert_int_equal(profile->views[0].parts, PART_ALL);
        assert_true(profile->views[0].records[0].fields[FIELD_REQUESTS] > 2 * 512);
        text_free(&text);
    }
    text_free(&first);
}

/* A view without its further parts is the view that was made without them. */
static void check_restrict(double rate)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = many_requests(1500);
    OWNED(profile) *all = profile_create();
    struct profile_options options = {
        .parts = PART_ALL, .effort = {.sample_rate = rate}, .few_lines = true};
    struct profile_options every = options;
    check_ok(profile_make(all, &s->source, machine, &options, &failure));
    for (unsigned parts = PART_BASE; parts <= PART_ALL; parts += 17 * (unsigned)check_slowness()) {
        OWNED(profile) *some = profile_create();
        struct text left = {0}, right = {0};
        options.parts = parts;
        check_ok(profile_make(some, &s->source, machine, &options, &failure));
        check_ok(profile_make(all, &s->source, machine, &every, &failure));
        profile_view_restrict(&all->views[0], parts);
        profile_print(all, &left);
        profile_print(some, &right);
        assert_string_equal(left.data, right.data);
        text_free(&left);
        text_free(&right);
    }
}

TEST(test_restrict)
{
    check_restrict(1);
    check_restrict(1.0 / 4);
}

TEST(test_part_names)
{
    unsigned parts;
    check_ok(profile_parts_scan("remote,l1", &parts, &failure));
    assert_int_equal(parts, PART_REMOTE | PART_L1);
    check_ok(profile_parts_scan("all", &parts, &failure));
    assert_int_equal(parts, PART_ALL);
    check_error(profile_parts_scan("remot", &parts, &failure), STATUS_INPUT,
                "no part of a profile");
    assert_non_null(strstr(failure.hint, "remote"));
}

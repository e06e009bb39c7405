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

/* The same where SMs have an L1 each and so run alone, enough of them and long enough that threads
 * share them; few blocks, many short ones, and queues of a chip, of an SM, of the machine. */
TEST(test_any_threads_alone)
{
    static const char *const sources[] = {"gemm:ni=64,nj=256,nk=64", "bfs:input=small"};
    static const char *const schedules[] = {"distributed", "batched", "centralised", "greedy"};
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < 8; i++) {
        char machine_yaml[300];
        struct text first = {0};
        snprintf(machine_yaml, sizeof machine_yaml,
                 "machine: alone\nchips: 4\nsm: {per_chip: 8, warps: 16, scheduler: %s}\n"
                 "l1: {capacity: 4 KiB, ways: 4}\nllc: {capacity: 256 KiB, slices: 4}\n"
                 "cta: {policy: %s, scope: %s}\npage: {ties: %s}\n",
                 i % 2 ? "lrr" : "gto", schedules[i % 4], i % 3 ? "chip" : "sm",
                 i % 3 == 1 ? "turn" : "waits");
        OWNED(machine) *machine = check_machine(machine_yaml);
        OWNED(source) *source = check_source(sources[i / 4]);
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            OWNED(profile) *profile = profile_create();
            struct profile_options options = {
                .parts =
                    PART_BASE | PART_WAITS | (i % 2 ? PART_WINDOW : PART_REPLICATION | PART_L1),
                .threads = threads[k]};
            struct text text = {0};
            check_ok(profile_make(profile, source, machine, &options, &failure));
            profile_print(profile, k ? &text : &first);
            if (k)
                assert_string_equal(text.data, first.data);
            text_free(&text);
        }
        text_free(&first);
    }
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

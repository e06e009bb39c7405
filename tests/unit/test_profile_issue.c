/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of issue by hand: schedules, occupancy, lrr, gto, rounds, replay. */
#include "check.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "profile/issue.h"
#include "synthetic.h"

/* Writes down what is issued: "SM:address " each; an address of 1000 and more waits. */
struct log {
    struct text text;
    int calls, fail_at;
};

static int log_access(void *context, uint32_t sm, uint64_t cta, const struct warp_access *access,
                      struct error *error)
{
    struct log *log = context;
    (void)cta;
    if (++log->calls == log->fail_at)
        return error_set(error, STATUS_FAILED, "enough");
    if (access->kind == ACCESS_NONE)
        text_printf(&log->text, "+%u ", access->instructions);
    else
        text_printf(&log->text, "%u:%llu ", sm, (unsigned long long)access->base);
    return access->kind != ACCESS_NONE && access->base >= 1000;
}

static struct shape shape_of(uint32_t chips, uint32_t sms_per_chip, const char *schedule,
                             bool greedy)
{
    const struct plugin *plugin = plugin_find("schedule", schedule);
    assert_non_null(plugin);
    return (struct shape){
        .chips = chips,
        .partitions = 1,
        .domains = chips,
        .sms_per_domain = sms_per_chip,
        .sms_per_chip = sms_per_chip,
        .sms = chips * sms_per_chip,
        .line_bytes = 128,
        .warps = 64,
        .threads = 2048,
        .ctas = 32,
        .order = greedy ? WARPS_GTO : WARPS_LRR,
        .cta_batch = 1,
        .stall = 2,
        .schedule = (const struct schedule *)plugin,
        .cta_scope = "chip",
    };
}

static int issue_all(const struct shape *shape, struct synthetic *s, struct log *log,
                     struct error *error)
{
    struct issue *issue = issue_create(shape, log_access, log);
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(&s->source, &stream, error);
    text_append(&log->text, "");
    while (!status && stream_next_kernel(stream, &kernel, error) > 0) {
        status = issue_kernel(issue, stream, &kernel, error);
        text_append(&log->text, "| ");
    }
    stream_destroy(stream);
    issue_destroy(issue);
    return status;
}

static void check_order(const struct shape *shape, struct synthetic *s, const char *want)
{
    struct error error;
    struct log log = {0};
    check_ok(issue_all(shape, s, &log, &error));
    assert_string_equal(log.text.data, want);
    text_free(&log.text);
    source_destroy(&s->source);
}

/* A warp that reads these addresses. */
static void warp_reads(struct synthetic *s, uint64_t cta, uint32_t warp, int n,
                       const uint64_t *addresses)
{
    for (int i = 0; i < n; i++)
        synthetic_lane(s, cta, warp, ACCESS_READ, addresses[i]);
}

static void test_rounds_rotate(void **state)
{
    (void)state;
    struct shape shape = shape_of(2, 2, "distributed", false);
    struct synthetic *s = synthetic_create("rotate");
    synthetic_kernel(s, "k", 4, 1);
    for (uint64_t cta = 0; cta < 4; cta++)
        warp_reads(s, cta, 0, 2, (uint64_t[]){10 * cta, 10 * cta + 1});
    /* Blocks 0 1 on chip 0 (SMs 0 1), 2 3 on chip 1 (SMs 2 3); places: SM 0, 2, 1, 3. */
    check_order(&shape, s, "0:0 2:20 1:10 3:30 2:21 1:11 3:31 0:1 | ");
}

static void test_rounds_go_on(void **state)
{
    (void)state;
    struct shape shape = shape_of(3, 1, "distributed", false);
    struct synthetic *s = synthetic_create("go on");
    for (int k = 0; k < 2; k++) {
        synthetic_kernel(s, "k", 3, 1);
        for (uint64_t cta = 0; cta < 3; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    }
    /* The second kernel's first round is round 1. */
    check_order(&shape, s, "0:0 1:1 2:2 | 1:1 2:2 0:0 | ");
}

static void test_centralised(void **state)
{
    (void)state;
    struct shape shape = shape_of(2, 2, "centralised", false);
    struct synthetic *s = synthetic_create("centralised");
    synthetic_kernel(s, "k", 5, 1);
    for (uint64_t cta = 0; cta < 5; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    /* Chip 0: blocks 0 2 4 on SMs 0 1 0; chip 1: blocks 1 3 on SMs 2 3. */
    check_order(&shape, s, "0:0 2:1 1:2 3:3 0:4 | ");
}

static void test_distributed_scopes(void **state)
{
    (void)state;
    struct shape shape = shape_of(2, 2, "distributed", false);
    struct synthetic *s = synthetic_create("distributed");
    synthetic_kernel(s, "k", 7, 1);
    for (uint64_t cta = 0; cta < 7; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    shape.cta_scope = "sm";
    shape.ctas = 1;
    /* Parts of 2, the last one shorter: 0 1 | 2 3 | 4 5 | 6. */
    check_order(&shape, s, "0:0 2:4 1:2 3:6 2:5 1:3 0:1 | ");

    s = synthetic_create("few blocks");
    synthetic_kernel(s, "k", 5, 1);
    for (uint64_t cta = 0; cta < 5; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    shape = shape_of(4, 1, "distributed", false);
    /* Parts of 2: 0 1 | 2 3 | 4 | none. */
    check_order(&shape, s, "0:0 1:2 2:4 1:3 0:1 | ");
}

static void test_occupancy_lrr(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 1, "distributed", false);
    struct synthetic *s = synthetic_create("occupancy");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 1, (uint64_t[]){0});
    warp_reads(s, 1, 0, 3, (uint64_t[]){10, 11, 12});
    warp_reads(s, 2, 0, 2, (uint64_t[]){20, 21});
    shape.warps = 2;
    check_order(&shape, s, "0:0 0:10 0:20 0:11 0:21 0:12 | ");
}

/* Threads and the number of blocks limit as well; a block waits for all warps of another. */
static void test_occupancy_limits(void **state)
{
    (void)state;
    for (int limit = 0; limit < 3; limit++) {
        struct shape shape = shape_of(1, 1, "distributed", false);
        struct synthetic *s = synthetic_create("limits");
        synthetic_kernel(s, "k", 2, 2);
        warp_reads(s, 0, 0, 1, (uint64_t[]){0});
        warp_reads(s, 0, 1, 3, (uint64_t[]){5, 6, 7});
        warp_reads(s, 1, 0, 1, (uint64_t[]){10});
        warp_reads(s, 1, 1, 1, (uint64_t[]){15});
        if (limit == 0)
            shape.warps = 3;
        else if (limit == 1)
            shape.threads = 127;
        else
            shape.ctas = 1;
        check_order(&shape, s, "0:0 0:5 0:6 0:7 0:10 0:15 | ");
    }
}

static void test_greedy(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("greedy");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 3, (uint64_t[]){1000, 1, 2});
    warp_reads(s, 1, 0, 4, (uint64_t[]){10, 11, 12, 13});
    /* The first warp may go on in round 3, but the second one is the greedy one. */
    check_order(&shape, s, "0:1000 0:10 0:11 0:12 0:13 0:1 0:2 | ");
}

static void test_then_oldest(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("oldest");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 3, (uint64_t[]){1000, 1001, 2});
    warp_reads(s, 1, 0, 3, (uint64_t[]){1010, 11, 12});
    warp_reads(s, 2, 0, 4, (uint64_t[]){20, 1021, 1022, 23});
    /* Round 0 A waits to 3, round 1 B waits to 4, round 2 C, round 3 C waits to 6,
     * round 4 A is the oldest, waits to 7; round 5 B, round 6 B ends;
     * round 7 A is older than C; it ends; round 8 C waits to 11; round 11 C. */
    check_order(&shape, s, "0:1000 0:1010 0:20 0:1021 0:1001 0:11 0:12 0:2 0:1022 0:23 | ");
}

/* When all warps wait, time goes on and so does the rotation. */
static void test_all_wait(void **state)
{
    (void)state;
    struct shape shape = shape_of(2, 1, "distributed", true);
    struct synthetic *s = synthetic_create("wait");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 11});
    /* Both may go on in round 3, which begins with SM 1. */
    check_order(&shape, s, "0:1000 1:1010 1:11 0:1 | ");

    s = synthetic_create("no stall");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1001});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 1011});
    shape = shape_of(1, 1, "distributed", true);
    shape.stall = 0;
    check_order(&shape, s, "0:1000 0:1001 0:1010 0:1011 | ");
}

/* Loose round robin does not look at waits. */
static void test_lrr_ignores_waits(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 1, "distributed", false);
    struct synthetic *s = synthetic_create("lrr");
    synthetic_kernel(s, "k", 1, 2);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1001});
    warp_reads(s, 0, 1, 2, (uint64_t[]){1010, 1011});
    check_order(&shape, s, "0:1000 0:1010 0:1001 0:1011 | ");
}

/* Empty warps, empty blocks, empty grids and records of mere instructions. */
static void test_empty(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 2, "distributed", false);
    struct synthetic *s = synthetic_create("empty");
    synthetic_kernel(s, "none", 0, 1);
    synthetic_kernel(s, "silent", 100, 2);
    synthetic_kernel(s, "some", 5, 2);
    synthetic_lane(s, 2, 1, ACCESS_READ, 5);
    synthetic_add(s, 2, 1, (struct warp_access){.kind = ACCESS_NONE, .instructions = 7});
    synthetic_add(s, 3, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 9});
    shape.ctas = 1;
    /* In the first turns SM 0 is given 0, SM 1 is given 1, then SM 0 is given 2, SM 1 3
     * (which says 9 instructions and ends) and 4. */
    check_order(&shape, s, "| | +9 0:5 +7 | ");
}

/* More accesses than a warp's buffer holds, and lists of addresses. */
static void test_long_warps(void **state)
{
    (void)state;
    struct shape shape = shape_of(1, 1, "distributed", false);
    struct synthetic *s = synthetic_create("long");
    struct text want = {0};
    synthetic_kernel(s, "k", 1, 2);
    for (uint64_t i = 0; i < 100; i++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            uint64_t list[WARP_LANES] = {i};
            struct warp_access access = {.base = 2 * i + warp,
                                         .mask = UINT32_MAX,
                                         .bytes = 4,
                                         .kind = ACCESS_READ,
                                         .instructions = 1};
            access.addresses = i % 3 ? list : NULL;
            synthetic_add(s, 0, warp, access);
            text_printf(&want, "0:%llu ", (unsigned long long)access.base);
        }
    text_append(&want, "| ");
    check_order(&shape, s, want.data);
    text_free(&want);
}

static void test_recorded_order(void **state)
{
    (void)state;
    struct shape shape = shape_of(2, 2, "distributed", true);
    struct synthetic *s = synthetic_create("replay");
    synthetic_kernel(s, "k", 5, 1)->recorded_order = true;
    static const uint64_t ctas[] = {4, 0, 2, 2, 1, 3, 4, 0};
    for (int i = 0; i < 8; i++)
        synthetic_lane(s, ctas[i], 0, ACCESS_READ, 1000 + 10 * ctas[i]);
    /* Parts 0 1 2 | 3 4 on SMs 0 1 0 | 2 3, in file order, whoever waits. */
    check_order(&shape, s, "3:1040 0:1000 0:1020 0:1020 1:1010 2:1030 3:1040 0:1000 | ");
}

static void test_recorded_sms(void **state)
{
    (void)state;
    static const uint32_t sms[] = {3, 0, 3, 2, 9};
    for (int ordered = 0; ordered < 2; ordered++) {
        struct shape shape = shape_of(2, 2, "recorded", false);
        struct synthetic *s = synthetic_create("recorded");
        struct synthetic_kernel *kernel = synthetic_kernel(s, "k", 4, 1);
        kernel->cta_sms = sms;
        kernel->recorded_order = ordered;
        for (uint64_t cta = 0; cta < 4; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, cta);
        shape.ctas = 1;
        check_order(&shape, s, ordered ? "3:0 0:1 3:2 2:3 | " : "0:1 2:3 3:0 3:2 | ");
    }
    struct error error;
    struct log log = {0};
    struct shape shape = shape_of(2, 2, "recorded", false);
    struct synthetic *s = synthetic_create("beyond");
    synthetic_kernel(s, "k", 5, 1)->cta_sms = sms;
    check_error(issue_all(&shape, s, &log, &error), STATUS_INPUT,
                "block 4 ran on SM 9, the machine has 4 SMs");
    source_destroy(&s->source);
    s = synthetic_create("unknown");
    synthetic_kernel(s, "k", 1, 1);
    check_error(issue_all(&shape, s, &log, &error), STATUS_INPUT, "does not say which SM");
    source_destroy(&s->source);
    text_free(&log.text);
}

static void test_errors(void **state)
{
    (void)state;
    struct error error;
    struct log log = {0};
    struct shape shape = shape_of(1, 2, "distributed", false);
    struct synthetic *s = synthetic_create("errors");
    synthetic_kernel(s, "wide", 1, 33);
    shape.warps = 32;
    check_error(issue_all(&shape, s, &log, &error), STATUS_INPUT,
                "kernel wide: a block of 1056 threads (33 warps) does not fit");
    source_destroy(&s->source);
    for (int at = 1; at <= 4; at++)
        for (int ordered = 0; ordered < 2; ordered++) {
            s = synthetic_create("failing");
            synthetic_kernel(s, "k", 2, 1)->recorded_order = ordered;
            synthetic_add(s, 0, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 7});
            for (uint64_t i = 0; i < 6; i++)
                synthetic_lane(s, i % 2, 0, ACCESS_READ, i);
            log.calls = 0;
            log.fail_at = at;
            check_error(issue_all(&shape, s, &log, &error), STATUS_FAILED, "enough");
            source_destroy(&s->source);
        }
    text_free(&log.text);
}

static void test_interrupt(void **state)
{
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        struct error error;
        struct log log = {0};
        struct shape shape = shape_of(1, 1, "distributed", false);
        struct synthetic *s = synthetic_create("interrupt");
        synthetic_kernel(s, "k", 1, 1)->recorded_order = ordered;
        for (uint64_t i = 0; i < 1000; i++)
            synthetic_lane(s, 0, 0, ACCESS_READ, i);
        interrupt_request();
        check_error(issue_all(&shape, s, &log, &error), STATUS_INTERRUPTED, "interrupted");
        interrupt_clear();
        assert_true(log.calls < 100);
        text_free(&log.text);
        source_destroy(&s->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_rotate),  cmocka_unit_test(test_rounds_go_on),
        cmocka_unit_test(test_centralised),    cmocka_unit_test(test_distributed_scopes),
        cmocka_unit_test(test_occupancy_lrr),  cmocka_unit_test(test_occupancy_limits),
        cmocka_unit_test(test_greedy),         cmocka_unit_test(test_then_oldest),
        cmocka_unit_test(test_all_wait),       cmocka_unit_test(test_lrr_ignores_waits),
        cmocka_unit_test(test_empty),          cmocka_unit_test(test_long_warps),
        cmocka_unit_test(test_recorded_order), cmocka_unit_test(test_recorded_sms),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

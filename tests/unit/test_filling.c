/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inputs leave of machines: every warning by hand, at its border and beyond. */
#include "check.h"

#include <math.h>

#include "explore/answer/filling_room.h"
#include "explore/views/filling_source.h"

/* 100 SMs of 10 warps that issue 1e9 instructions a second; 1 TB/s of memory, no links; L1 answers
 * after 10 ns, memory after 100 ns; a level of 1 MB before 8 MB of LLC. */
static struct filling_room room(void)
{
    return (struct filling_room){.numbers = {[FILLING_SMS] = 100,
                                             [FILLING_WARPS] = 10,
                                             [FILLING_ISSUE] = 1e9,
                                             [FILLING_MEMORY_RATE] = 1e12,
                                             [FILLING_LINK_RATE] = (double)NAN,
                                             [FILLING_L1_LATENCY] = 10e-9,
                                             [FILLING_MEMORY_LATENCY] = 100e-9,
                                             [FILLING_CACHES] = 1e6,
                                             [FILLING_CACHES + 1] = 8e6},
                                 .caches = {"near", "llc"}};
}

/* Launches of so many blocks of two warps, each with that many bytes; nothing else is known. */
static struct profile_record launches(double count, double blocks, double bytes)
{
    struct profile_record record = {
        .name = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .launches = (uint64_t)count};
    for (int f = 0; f < FIELD_COUNT; f++)
        record.fields[f] = (double)NAN;
    record.fields[FIELD_CTAS] = count * blocks;
    record.fields[FIELD_BYTES] = count * bytes;
    return record;
}

static struct profile_view view_of(struct profile_record *records, size_t count)
{
    return (struct profile_view){.records = records,
                                 .n_records = count,
                                 .sharing = {.footprint_bytes = (double)NAN},
                                 .line_bytes = 128,
                                 .sample_rate = 1};
}

static struct filling judge(struct profile_record *records, size_t count)
{
    struct profile_view view = view_of(records, count);
    struct filling_input input = {&view, (double)NAN, NULL};
    struct filling_room all = room();
    return filling_judge(&input, &all);
}

static unsigned judge_one(struct profile_record record)
{
    return judge(&record, 1).has;
}

static const unsigned idle = 1 << FILLING_IDLE_SMS, brief = 1 << FILLING_SHORT;
static const unsigned fits = 1 << FILLING_FITS, sampled = 1 << FILLING_SAMPLED;

TEST(a_block_for_each_sm_is_enough)
{
    assert_int_equal(judge_one(launches(1, 100, 1e9)), 0);
    assert_int_equal(judge_one(launches(1, 99, 1e9)), idle);
    assert_int_equal(judge_one(launches(7, 100, 1e9)), 0); /* of a launch, not of all */
    assert_int_equal(judge_one(launches(7, 99, 1e9)), idle);
}

/* A tenth of the work is what matters, whatever the number of launches. */
TEST(launches_count_by_their_work)
{
    struct profile_record some[] = {launches(1, 1000, 9.1e9), launches(20, 4, 0.045e9)};
    assert_int_equal(judge(some, 2).has, 0);
    some[1] = launches(20, 4, 0.0506e9);
    struct filling filling = judge(some, 2);
    assert_int_equal(filling.has, idle);
    check_relative(filling.idle.share, 1.012 / 10.112, 1e-12);
    assert_true(filling.idle.launches == 20 && filling.idle.extreme == 4 && filling.launches == 21);
    some[0].fields[FIELD_BYTES] = (double)NAN; /* then all launches are alike */
    check_relative(judge(some, 2).idle.share, 20 / 21.0, 1e-12);
}

/* Ten latencies are 1 us: 1 MB, 1e5 instructions on all SMs, 1000 on one, 20 groups behind each
 * other of which half hit, in two turns of warps. */
TEST(a_launch_takes_what_its_parts_do)
{
    struct profile_record r = launches(3, 100, 1e6);
    assert_int_equal(judge_one(r), 0);
    r = launches(3, 100, 0.999e6);
    assert_int_equal(judge_one(r), brief);
    r.fields[FIELD_WARP_INSTRUCTIONS] = 3 * 101; /* 1.01 ns on 100 SMs */
    assert_int_equal(judge_one(r), 0);
    r = launches(1, 1, 0.5e6);
    r.fields[FIELD_WARP_INSTRUCTIONS] = 499; /* on one SM */
    assert_int_equal(judge_one(r), idle | brief);
    r.fields[FIELD_WARP_INSTRUCTIONS] = 501;
    assert_int_equal(judge_one(r), idle);
    r = launches(1, 1000, 0); /* 2000 warps where 1000 have room: two turns of 55 ns a group */
    r.fields[FIELD_L1_READS] = 10;
    r.fields[FIELD_L1_READ_HITS] = 5;
    r.fields[FIELD_LOAD_GROUPS] = 2000 * 9;
    struct filling filling = judge(&r, 1);
    assert_int_equal(filling.has, brief);
    check_relative(filling.brief.extreme, 9 * 2 * 55e-9, 1e-12);
    r.fields[FIELD_LOAD_GROUPS] = 2000 * 10;
    assert_int_equal(judge_one(r), 0);
}

TEST(links_take_what_is_remote)
{
    struct profile_record r = launches(1, 100, 0.5e6);
    struct profile_view view = view_of(&r, 1);
    struct filling_input input = {&view, (double)NAN, NULL};
    struct filling_room two = room();
    two.numbers[FILLING_LINK_RATE] = 0.1e12;
    r.fields[FIELD_R_LOCAL] = 0.91; /* 0.5 us + 0.45 us */
    assert_int_equal(filling_judge(&input, &two).has, brief);
    r.fields[FIELD_R_LOCAL] = 0.89;
    assert_int_equal(filling_judge(&input, &two).has, 0);
}

TEST(a_cache_holds_what_it_should_not)
{
    static const struct {
        double ours, published;
        const char *cache; /* NULL: no warning */
    } cases[] = {
        {0.5e6, 100e6, "near"}, {1e6, 1.1e6, "near"}, {2e6, 100e6, "llc"}, {8.1e6, 100e6, NULL},
        {0.5e6, 0.9e6, NULL}, /* so does the published one */
        {2e6, 8e6, NULL},       {0.5e6, 2e6, "near"}, {0.5e6, NAN, NULL},  {NAN, 100e6, NULL},
    };
    struct filling_room all = room();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record r = launches(1, 100, 1e9);
        struct profile_view view = view_of(&r, 1);
        struct filling_input input = {&view, cases[i].published, NULL};
        view.sharing.footprint_bytes = cases[i].ours;
        struct filling filling = filling_judge(&input, &all);
        assert_int_equal(filling.has, cases[i].cache ? fits : 0);
        if (cases[i].cache)
            assert_string_equal(all.caches[filling.cache], cases[i].cache);
    }
}

/* A profile by hand, and a machine that does not say. */
TEST(what_is_unknown_is_not_warned_of)
{
    struct profile_record r = launches(1, 1, 1);
    struct profile_view view = view_of(&r, 1);
    struct filling_input input = {&view, 100e6, NULL};
    struct filling_room none = filling_room_unknown();
    view.sharing.footprint_bytes = 1;
    assert_int_equal(filling_judge(&input, &none).has, 0);
    view.sample_rate = 0.5;
    assert_int_equal(filling_judge(&input, &none).has, sampled);
    r.fields[FIELD_CTAS] = r.fields[FIELD_BYTES] = (double)NAN;
    assert_int_equal(judge_one(r), 0);
    view.n_records = 0;
    assert_int_equal(filling_judge(&input, &none).has, sampled);
}

TEST(warnings_say_what_and_what_to_do)
{
    struct profile_record r[] = {launches(2, 99, 0.4e6), launches(2, 7, 0.1e6)};
    struct profile_view view = view_of(r, 2);
    struct filling_input input = {&view, 100e6, "use input=default"};
    struct filling_room all = room();
    struct text text = {0};
    view.sharing.footprint_bytes = 0.5e6;
    view.sample_rate = 0.0625;
    filling_lines(&input, &all, "w", &text);
    assert_string_equal(
        text.data,
        "w: idle-sms: 4 of 4 launches, 100 % of the work, have fewer thread blocks (from 7) than "
        "there are SMs (100); use input=default\n"
        "w: short-launches: 4 of 4 launches, 100 % of the work, are shorter (400 ns) than ten "
        "memory latencies (1 us); use input=default\n"
        "w: fits: the footprint (0.5 MB) fits in near (1 MB), the published one (100 MB) not; use "
        "input=default\n"
        "w: sampled: curves from 1/16 of the lines, about 244: few, and miss ratios are rough\n");
    text_free(&text);
    view.n_records = r[0].launches = 1;
    view.sample_rate = 1;
    input = (struct filling_input){&view, (double)NAN, NULL};
    r[0] = launches(1, 7, 1e9);
    filling_lines(&input, &all, NULL, &text);
    assert_string_equal(text.data, "idle-sms: its launch has fewer thread blocks (7) than there "
                                   "are SMs (100)\n");
    text_free(&text);
}

TEST(names_are_read_as_they_are_written)
{
    for (unsigned set = 0; set < 1 << FILLING_KINDS; set++) {
        struct text text = {0};
        filling_append_names(set, &text);
        assert_int_equal(filling_scan_names(text.data ? text.data : ""), set);
        text_free(&text);
    }
    assert_int_equal(filling_scan_names("fit fits-not  sampled"), sampled);
}

/* SAC, ISCA 2023, table 3: 4 x 64 SMs, 28 + 2 x 8 + 120 cycles and 100 ns, 4 x 4 MiB. */
TEST(the_room_of_a_machine)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    struct filling_room all = filling_room_of(machine);
    const double *n = all.numbers;
    check_relative(n[FILLING_SMS], 256, 0);
    check_relative(n[FILLING_MEMORY_RATE], 4 * 437.5e9, 1e-12);
    check_relative(n[FILLING_L1_LATENCY], 28e-9, 1e-12);
    check_relative(n[FILLING_MEMORY_LATENCY], 264e-9, 1e-12);
    check_relative(n[FILLING_ISSUE], 1e9, 1e-12);
    assert_string_equal(all.caches[0], "llc");
    assert_null(all.caches[1]);
    check_relative(n[FILLING_CACHES], 16 * 1024.0 * 1024, 1e-12);
    check_ok(machine_set(machine, "cta.chips", "1", NULL, &failure));
    check_relative(filling_room_of(machine).numbers[FILLING_SMS], 64, 0);
}

/* One that cannot be built has nothing that inputs are held against. */
TEST(a_machine_that_does_not_say)
{
    OWNED(machine) *machine = check_machine("machine: m\nbase: sac\n"
                                            "a: {scope: sm, contents: scalar, capacity: 8 KiB}\n"
                                            "b: {scope: sm, contents: scalar, capacity: 8 KiB}\n");
    struct filling_room none = filling_room_of(machine);
    assert_true(isnan(none.numbers[FILLING_SMS]) && !none.caches[0]);
    assert_true(isnan(none.numbers[FILLING_MEMORY_RATE]));
}

TEST(papers_and_hints)
{
    static const struct {
        const char *spec, *machine, *hint;
        double published; /* NaN: nothing */
    } cases[] = {
        {"gemm:input=small", "sac", "use input=default or published-sac", 174e6},
        {"gemm", "sac", "use input=published-sac", 174e6},
        {"gemm:nk=16", "mcm", "use input=default or published-sac", 174e6},
        {"gemm:input=published-sac", "sac", NULL, 174e6},
        /* as profiles keep them */
        {"gemm:ni=256,nj=256,nk=32", "sac", "use input=default or published-sac", 174e6},
        {"gemm:ni=2048,nj=256,nk=2048", "sac", "use input=published-sac", 174e6},
        {"gemm:ni=2048,nj=256,nk=18648", "sac", NULL, 174e6},
        {"gemm:input=published-sac,size=x1/4", "sac", "use input=default or published-sac", 174e6},
        {"nothing", "sac", NULL, NAN},
        {NULL, NULL, NULL, NAN},
    };
    struct profile_view view = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = cases[i].machine ? check_shipped(cases[i].machine, NULL) : NULL;
        struct filling_source source;
        filling_source_open(cases[i].spec, &source);
        struct filling_input input = filling_source_input(&source, machine, &view);
        if (cases[i].hint)
            assert_string_equal(input.hint, cases[i].hint);
        else
            assert_null(input.hint);
        assert_true(isnan(cases[i].published) ? isnan(input.published_bytes)
                                              : input.published_bytes == cases[i].published);
        filling_source_close(&source);
    }
}

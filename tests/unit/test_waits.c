/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits of warps and the longest chain of them, calculated by hand. */
#include "profile/issue/waits.h"
#include "profile_check.h"
#include "workload_check.h"

static const char two_chips[] = "machine: two\n"
                                "chips: 2\n"
                                "line: 128 B\n"
                                "sm: {per_chip: 1, ctas: 1, stall: 10}\n"
                                "l1: {capacity: 16 KiB, ways: 4}\n"
                                "llc: {capacity: 64 KiB, slices: 1}\n"
                                "page: {size: 256 B, policy: first-touch}\n"
                                "cta: {policy: distributed}\n";

static const struct profile_record *record(const struct profile *profile, size_t i)
{
    return &profile->views[0].records[i];
}

/* Who asks first sets out, and who asks before it is there follows; a line that another has taken
 * the place of is there. */
TEST(lines_under_way)
{
    struct waits w;
    waits_init(&w, 2, 1);
    assert_false(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 3, false));
    assert_true(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 3, true)); /* arrives at 4 */
    assert_true(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 3, false));
    assert_false(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 4, false));
    assert_false(waits_read(waits_place(&w, 1, waits_slot(7)), 7, 3, false));
    assert_true(
        waits_read(waits_place(&w, 0, waits_slot(7)), 7, 1, false)); /* asked at 1: arrives at 2 */
    assert_false(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 2, false));
    assert_true(waits_read(waits_place(&w, 0, waits_slot(8)), 8, 5, true));
    assert_false(waits_read(waits_place(&w, 0, waits_slot(7)), 7, 0, false));
    assert_false(waits_follow(waits_place(&w, 1, waits_slot(9)), 9, 0));
    assert_true(waits_follow(waits_place(&w, 1, waits_slot(9)), 9, 0));
    assert_false(waits_follow(waits_place(&w, 1, waits_slot(9)), 9, 1));
    waits_fini(&w);
}

/* Eight warps read the same five lines: one makes the request, all wait, in any order of issue. */
TEST(shared_lines)
{
    static const char *const orders[] = {"gto", "grr", "lrr"};
    for (int o = 0; o < 3; o++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("shared");
        check_set(machine, "sm.scheduler", orders[o]);
        synthetic_kernel(s, "k", 1, 8);
        for (uint32_t w = 0; w < 8; w++)
            for (uint64_t line = 0; line < 5; line++)
                synthetic_lane(s, 0, w, ACCESS_READ, 128 * line);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        check_field(record(profile, 0), FIELD_REQUESTS, 5);
        check_field(record(profile, 0), FIELD_WAITS, 40);
        check_field(record(profile, 0), FIELD_CHAIN_WAITS, 5);
        check_field(record(profile, 0), FIELD_CHAIN_REMOTE, 0);
        check_field(record(profile, 0), FIELD_CHAIN_HITS, 0);
    }
}

/* Of two warps the second waits for lines of its own, of the first one and of none; one that asks
 * twice for a line shares it with nobody. */
TEST(shared_waits)
{
    static const char *const orders[] = {"grr", "lrr"};
    for (int o = 0; o < 2; o++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("shared");
        check_set(machine, "sm.scheduler", orders[o]);
        synthetic_kernel(s, "k", 1, 2);
        for (uint32_t w = 0; w < 2; w++) {
            synthetic_lane(s, 0, w, ACCESS_READ, 128 * 1);
            synthetic_lane(s, 0, w, ACCESS_READ, 128 * (10 + w));
            synthetic_lane(s, 0, w, ACCESS_READ, 128 * (10 + w));
            synthetic_lane(s, 0, w, ACCESS_READ, 128 * 2);
        }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        check_field(record(profile, 0), FIELD_WAITS, 6);
        check_field(record(profile, 0), FIELD_WAITS_SHARED, 2);
    }
}

/* Three blocks on two SMs with room for one each: the third begins where the first ended, whose
 * three waits and two hits stand before its own wait. A launch begins anew. A record in which a
 * block comes behind another one says the same. */
static void check_blocks_in_turn(bool recorded)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("blocks");
    check_set(machine, "cta.policy", "centralised");
    synthetic_kernel(s, "k", 3, 1)->recorded_order = recorded;
    for (uint64_t line = 0; line < 3; line++)
        synthetic_lane(s, 0, 0, ACCESS_READ, 128 * line);
    for (uint64_t line = 0; line < 2; line++)
        synthetic_lane(s, 0, 0, ACCESS_READ, 128 * line);
    for (uint64_t line = 0; line < 9; line++)
        synthetic_lane(s, 1, 0, ACCESS_READ, 128 * (100 + line / 9));
    synthetic_lane(s, 2, 0, ACCESS_READ, 128 * 10);
    synthetic_lane(s, 2, 0, ACCESS_WRITE, 128 * 11);
    synthetic_kernel(s, "again", 1, 1)->recorded_order = recorded;
    synthetic_lane(s, 0, 0, ACCESS_READ, 128 * 10);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 0), FIELD_WAITS, 5);
    check_field(record(profile, 0), FIELD_CHAIN_WAITS, 4);
    check_field(record(profile, 0), FIELD_CHAIN_HITS, 2);
    check_field(record(profile, 0), FIELD_CHAIN_INSTRUCTIONS, 7);
    check_field(record(profile, 0), FIELD_CHAIN_LAST, 1); /* the write */
    check_field(record(profile, 1), FIELD_CHAIN_WAITS, 1);
    check_field(record(profile, 1), FIELD_CHAIN_LAST, 0);
}

TEST(blocks_in_turn)
{
    check_blocks_in_turn(false);
    check_blocks_in_turn(true);
}

/* The first launch gives each chip a page of two lines. Then so many lines of both are read by one
 * block a chip, and the longest chain is that of the chip with more. */
TEST(whose_chain_it_is)
{
    static const struct {
        uint64_t lines[2]; /* so many of 0, 1, 2, 3: of these 2 and 3 are the second chip's */
        double requests, remote;
    } cases[] = {{{1, 2}, 2, 2}, {{1, 3}, 3, 2}, {{2, 1}, 2, 0}, {{4, 3}, 4, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("whose");
        check_set(machine, "l1.flush", "all");
        synthetic_kernel(s, "pages", 2, 1);
        for (uint64_t cta = 0; cta < 2; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 256 * cta);
        synthetic_kernel(s, "k", 2, 1);
        for (uint64_t cta = 0; cta < 2; cta++)
            for (uint64_t line = 0; line < cases[i].lines[cta]; line++)
                synthetic_lane(s, cta, 0, ACCESS_READ, 128 * line);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        check_field(record(profile, 1), FIELD_CHAIN_WAITS, cases[i].requests);
        check_field(record(profile, 1), FIELD_CHAIN_REQUESTS, cases[i].requests);
        check_field(record(profile, 1), FIELD_CHAIN_REMOTE_REQUESTS, cases[i].remote);
    }
}

/* Who waits at its end for what it wrote (cta.writes) does so once for all, and not where a read
 * that was asked for no earlier has come. */
TEST(writes_end_warps)
{
    static const struct {
        const char *accesses; /* of the block's one warp */
        double waits, writes;
    } cases[] = {{"rw", 2, 1}, {"rww", 2, 1}, {"w", 1, 1}, {"wr", 1, 0}, {"rr", 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int awaited = 0; awaited < 2; awaited++) {
            OWNED(machine) *machine = check_machine(two_chips);
            OWNED(synthetic) *s = synthetic_create("writes");
            check_set(machine, "cta.writes", awaited ? "awaited" : "posted");
            synthetic_kernel(s, "k", 1, 1);
            for (uint64_t k = 0; cases[i].accesses[k]; k++)
                synthetic_lane(s, 0, 0, cases[i].accesses[k] == 'r' ? ACCESS_READ : ACCESS_WRITE,
                               128 * k);
            OWNED(profile) *profile = check_profile(&s->source, machine, false);
            double reads = cases[i].waits - cases[i].writes;
            check_field(record(profile, 0), FIELD_CHAIN_WAITS, awaited ? cases[i].waits : reads);
            if (awaited)
                check_field(record(profile, 0), FIELD_CHAIN_WRITES, cases[i].writes);
            else
                assert_true(isnan(record(profile, 0)->fields[FIELD_CHAIN_WRITES]));
        }
}

/* What stands behind a chain's last wait: a write into the other chip's pages, or none. The first
 * launch gives each chip a page. In the second one a block of the second chip has the longest
 * chain, or one as long as the first chip's, whose write is its own: who ends farther away is last.
 */
TEST(posted_writes_end_chains)
{
    static const struct {
        /* Accesses of the chips' warps; capitals: of the other's page. */
        const char *first, *second;
        double ends_remote;
    } cases[] = {{"r", "rrW", 1},  {"r", "rrw", 0},   {"r", "rWr", 0}, {"r", "rrWw", 0},
                 {"r", "rrwW", 1}, {"rrw", "rrW", 1}, {"rW", "rr", 0}, {"", "W", 1}};
    for (int recorded = 0; recorded < 2; recorded++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (int awaited = 0; awaited < 2; awaited++) {
                const char *accesses[] = {cases[i].first, cases[i].second};
                OWNED(machine) *machine = check_machine(two_chips);
                OWNED(synthetic) *s = synthetic_create("ends");
                check_set(machine, "cta.writes", awaited ? "awaited" : "posted");
                check_set(machine, "page.size", "4 KiB");
                synthetic_kernel(s, "pages", 2, 1)->recorded_order = recorded;
                for (uint64_t b = 0; b < 2; b++)
                    synthetic_lane(s, b, 0, ACCESS_WRITE, 4096 * b);
                synthetic_kernel(s, "k", 2, 1)->recorded_order = recorded;
                for (uint64_t b = 0; b < 2; b++)
                    for (uint64_t k = 0; accesses[b][k]; k++) {
                        char c = accesses[b][k];
                        bool remote = c == 'R' || c == 'W';
                        synthetic_lane(s, b, 0, c == 'r' || c == 'R' ? ACCESS_READ : ACCESS_WRITE,
                                       4096 * (remote ? 1 - b : b) + 128 * (k + 1));
                    }
                OWNED(profile) *profile = check_profile(&s->source, machine, false);
                if (awaited)
                    assert_true(isnan(record(profile, 1)->fields[FIELD_CHAIN_ENDS_REMOTE]));
                else
                    check_field(record(profile, 1), FIELD_CHAIN_ENDS_REMOTE, cases[i].ends_remote);
            }
}

/* A block behind one that ends with a remote write begins behind its waits alone, and ends for
 * itself. */
TEST(blocks_behind_end_for_themselves)
{
    for (int last = 0; last < 2; last++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(synthetic) *s = synthetic_create("behind");
        check_set(machine, "cta.policy", "distributed");
        synthetic_kernel(s, "pages", 4, 1);
        for (uint64_t b = 0; b < 4; b += 2)
            synthetic_lane(s, b, 0, ACCESS_WRITE, 256 * (b / 2));
        synthetic_kernel(s, "k", 4, 1);
        for (uint64_t b = 0; b < 4; b++) {
            uint64_t remote = b == 2 || (b == 3 && last) ? 0 : 256;
            synthetic_lane(s, b, 0, ACCESS_READ, 4096 * (b + 1));
            if (b >= 2)
                synthetic_lane(s, b, 0, ACCESS_WRITE, remote);
        }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        check_field(record(profile, 1), FIELD_CHAIN_WAITS, 2);
        check_field(record(profile, 1), FIELD_CHAIN_ENDS_REMOTE, last);
    }
}

/* Recorded order: two warps of a block take turns, each with its own clock; a block of whom more
 * comes when another has its place begins another time, behind that one. */
TEST(recorded_order)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("recorded");
    check_set(machine, "cta.policy", "centralised");
    synthetic_kernel(s, "k", 1, 2)->recorded_order = true;
    for (uint64_t line = 0; line < 6; line++)
        synthetic_lane(s, 0, line % 2, ACCESS_READ, 128 * line);
    synthetic_kernel(s, "again", 3, 1)->recorded_order = true;
    for (uint64_t line = 0; line < 6; line++)
        synthetic_lane(s, line % 2 ? 2 : 0, 0, ACCESS_READ, 128 * (10 + line));
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 0), FIELD_WAITS, 6);
    check_field(record(profile, 0), FIELD_CHAIN_WAITS, 3);
    check_field(record(profile, 1), FIELD_WAITS, 6);
    check_field(record(profile, 1), FIELD_CHAIN_WAITS, 6);
}

#define NEST_OF(body)                                                                              \
    "workload: w\nsummary: s\ninputs: {small: {}}\n"                                               \
    "arrays: {A: {shape: [1024], type: f32}, B: {shape: [1024], type: f32}}\n"                     \
    "kernels: [{name: k, grid: 1, block: 32, body: [" body "]}]\n"
#define LOAD(array, k) "{load: \"" array "[32*(" k ") + tx]\"}"

/* A warp waits where something needs what it has asked for. An access is a line. */
TEST(loop_nests)
{
    static const struct {
        const char *yaml;
        double loads, groups, waits, hits;
    } cases[] = {
        /* Four iterations are asked for at a time; stores keep their order. */
        {NEST_OF("{for: k in 0..8, body: [" LOAD("A", "k") "," LOAD("B", "k") ", {compute: 2}]}"),
         16, 2, 2, 0},
        {NEST_OF("{for: k in 0..9, body: [" LOAD("A", "k") ", {compute: 2}]}"), 9, 3, 3, 0},
        {NEST_OF("{for: k in 0..8, unroll: 1, body: [" LOAD("A", "k") "," LOAD(
             "B", "k") ", {compute: 2}]}"),
         16, 8, 8, 0},
        {NEST_OF("{for: k in 0..8, body: [" LOAD("A", "k") ", {compute: 2},"
                                                           "{store: \"B[32*k + tx]\"}]}"),
         8, 8, 8, 0},
        /* What comes before a loop is asked for with its first iterations. */
        {NEST_OF(LOAD("B", "0") ", {for: k in 0..8, body: [" LOAD("A", "k") "]}"), 9, 2, 2, 0},
        /* Addresses use no value, sums do. */
        {NEST_OF(LOAD("A", "0") ", {overhead: 2}, " LOAD("A", "1")), 2, 1, 1, 0},
        {NEST_OF(LOAD("A", "0") ", {compute: 2}, " LOAD("A", "1")), 2, 2, 2, 0},
        /* L1 is waited for once for all, and not where a miss is. */
        {NEST_OF(LOAD("A", "0") ", {compute: 1}, {for: k in 0..8, body: [" LOAD("A", "0") "]}"), 9,
         3, 1, 2},
        {NEST_OF(LOAD("A", "0") ", {compute: 1}," LOAD("A", "0") "," LOAD("A", "1")), 3, 2, 2, 0},
        /* Atomics are needed as loads are; a store needs nothing that comes. */
        {NEST_OF("{atomic: \"A[tx]\"}," LOAD("B", "0")), 2, 1, 1, 0},
        {NEST_OF("{store: \"A[tx]\"}," LOAD("B", "0") ", {store: \"B[32 + tx]\"}"), 1, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_machine(two_chips);
        OWNED(source) *source = NULL;
        check_ok(workload_open_text(cases[i].yaml, "", &source, &failure));
        OWNED(profile) *profile = check_profile(source, machine, false);
        check_field(record(profile, 0), FIELD_LOADS, cases[i].loads);
        check_field(record(profile, 0), FIELD_LOAD_GROUPS, cases[i].groups);
        check_field(record(profile, 0), FIELD_WAITS, cases[i].waits);
        check_field(record(profile, 0), FIELD_CHAIN_WAITS, cases[i].waits);
        check_field(record(profile, 0), FIELD_CHAIN_HITS, cases[i].hits);
    }
}

/* Two chips read a line at a time: at home the second request follows the first, in SM-side slices
 * each has its own. For one of them all is remote. */
TEST(followers)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("followers");
    synthetic_kernel(s, "k", 2, 1);
    for (uint32_t cta = 0; cta < 2; cta++)
        for (uint64_t line = 0; line < 6; line++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 128 * 2 * line);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 0), FIELD_REQUESTS, 12);
    check_field(record(profile, 0), FIELD_FOLLOWERS_MEMORY_SIDE, 6);
    check_field(record(profile, 0), FIELD_FOLLOWERS_SM_SIDE, 0);
    check_field(record(profile, 0), FIELD_CHAIN_WAITS, 6);
    check_field(record(profile, 0), FIELD_ISSUE_UNIFORMITY, 1);
}

/* Two SMs of chip 0 read four lines that chip 1 has asked for first, and two of their own: in the
 * slices of chip 0 the second one follows, for four remote lines of six, on either side. */
TEST(remote_followers)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("remote followers");
    check_set(machine, "sm.per_chip", "2");
    synthetic_kernel(s, "homes", 4, 1);
    for (uint64_t line = 0; line < 4; line++)
        synthetic_lane(s, 2, 0, ACCESS_READ, 128 * 2 * line);
    synthetic_kernel(s, "k", 4, 1);
    for (uint32_t cta = 0; cta < 2; cta++)
        for (uint64_t line = 0; line < 6; line++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 128 * 2 * line);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 0), FIELD_FOLLOWERS_SM_SIDE, 0);
    check_field(record(profile, 1), FIELD_FOLLOWERS_MEMORY_SIDE, 6);
    check_field(record(profile, 1), FIELD_FOLLOWERS_SM_SIDE, 6);
    check_field(record(profile, 1), FIELD_FOLLOWERS_REMOTE, 4);
    check_field(record(profile, 1), FIELD_FOLLOWERS_HOME_REMOTE, 4);
    check_field(record(profile, 1), FIELD_HOME_REMOTE_READS, 8);
}

/* What a warp asks for together is a group: of a line of its own chip and one of the other's, then
 * of one line each, of the other chip's, of its own; a write is none. */
TEST(groups_of_requests)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("groups");
    synthetic_kernel(s, "homes", 2, 1);
    synthetic_lane(s, 1, 0, ACCESS_READ, 128 * 10);
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    synthetic_ahead(s, 0, 0, ACCESS_READ, 128 * 10, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 128 * 11);
    synthetic_lane(s, 0, 0, ACCESS_READ, 128 * 2);
    synthetic_lane(s, 0, 0, ACCESS_ATOMIC, 128 * 4);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 128 * 11);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 1), FIELD_GROUPS, 4);
    check_field(record(profile, 1), FIELD_GROUPS_REMOTE, 2);
}

/* Of three warps the first two write, and the second one reads behind it: two are behind the one
 * that ends with a write. In another block it is the last one; a third one has none. Nobody ends
 * with a posted write where writes are waited for. */
TEST(writers_of_blocks)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(synthetic) *s = synthetic_create("writers");
    synthetic_kernel(s, "k", 3, 3);
    for (uint32_t cta = 0; cta < 3; cta++)
        for (uint32_t warp = 0; warp < 3; warp++)
            synthetic_lane(s, cta, warp, ACCESS_READ, 4096 * cta + 128 * warp);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    synthetic_lane(s, 0, 1, ACCESS_WRITE, 0);
    synthetic_lane(s, 0, 1, ACCESS_READ, 2048);
    synthetic_lane(s, 1, 2, ACCESS_WRITE, 4096);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_field(record(profile, 0), FIELD_BEHIND_WRITE, 2 + 0 + 3);
    check_field(record(profile, 0), FIELD_CHAIN_ENDS_WRITE, 1); /* the second block's, behind it */
    check_set(machine, "cta.writes", "awaited");
    OWNED(profile) *awaited = check_profile(&s->source, machine, false);
    assert_true(isnan(record(awaited, 0)->fields[FIELD_BEHIND_WRITE]));
}

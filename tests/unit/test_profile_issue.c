/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of issue by hand: occupancy, lrr, gto, grr, rounds, replay. */
#include "issue_check.h"

#include "core/parallel.h"
#include "workload/workload.h"

TEST(test_rounds_rotate)
{
    struct system system = system_of(2, 2, "distributed", false);
    struct synthetic *s = synthetic_create("rotate");
    synthetic_kernel(s, "k", 4, 1);
    for (uint64_t cta = 0; cta < 4; cta++)
        warp_reads(s, cta, 0, 2, (uint64_t[]){10 * cta, 10 * cta + 1});
    /* Blocks 0 1 on chip 0 (SMs 0 1), 2 3 on chip 1 (SMs 2 3); places: SM 0, 2, 3, 1. */
    check_order(&system, s, "0:0 2:20 3:30 1:10 2:21 3:31 1:11 0:1 | ");
}

/* Where all chips do the same, each is first at the places of its own share of the SMs. */
TEST(test_rounds_begin_with_every_chip)
{
    struct system system = system_of(3, 4, "centralised", false);
    struct synthetic *s = synthetic_create("ties");
    synthetic_kernel(s, "k", 12, 1);
    for (uint64_t cta = 0; cta < 12; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    /* Block b runs on chip b mod 3, on its SM b / 3. */
    check_order(&system, s, "0:0 4:1 8:2 5:4 9:5 1:3 10:8 2:6 6:7 3:9 7:10 11:11 | ");
}

TEST(test_launches_begin_alike)
{
    struct system system = system_of(3, 1, "distributed", false);
    struct synthetic *s = synthetic_create("alike");
    for (int k = 0; k < 2; k++) {
        synthetic_kernel(s, "k", 3, 1);
        for (uint64_t cta = 0; cta < 3; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    }
    /* The second kernel's first round is round 3, which begins with the first SM as round 0 did. */
    check_order(&system, s, "0:0 1:1 2:2 | 0:0 1:1 2:2 | ");
}

TEST(test_occupancy_lrr)
{
    struct system system = system_of(1, 1, "distributed", false);
    struct synthetic *s = synthetic_create("occupancy");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 1, (uint64_t[]){0});
    warp_reads(s, 1, 0, 3, (uint64_t[]){10, 11, 12});
    warp_reads(s, 2, 0, 2, (uint64_t[]){20, 21});
    system.warps = 2;
    check_order(&system, s, "0:0 0:10 0:20 0:11 0:21 0:12 | ");
}

/* Threads and the number of blocks limit as well; a block waits for all warps of another. */
TEST(test_occupancy_limits)
{
    for (int limit = 0; limit < 3; limit++) {
        struct system system = system_of(1, 1, "distributed", false);
        struct synthetic *s = synthetic_create("limits");
        synthetic_kernel(s, "k", 2, 2);
        warp_reads(s, 0, 0, 1, (uint64_t[]){0});
        warp_reads(s, 0, 1, 3, (uint64_t[]){5, 6, 7});
        warp_reads(s, 1, 0, 1, (uint64_t[]){10});
        warp_reads(s, 1, 1, 1, (uint64_t[]){15});
        if (limit == 0)
            system.warps = 3;
        else if (limit == 1)
            system.threads = 127;
        else
            system.ctas = 1;
        check_order(&system, s, "0:0 0:5 0:6 0:7 0:10 0:15 | ");
    }
}

TEST(test_greedy)
{
    struct system system = system_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("greedy");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 3, (uint64_t[]){1000, 1, 2});
    warp_reads(s, 1, 0, 4, (uint64_t[]){10, 11, 12, 13});
    /* The first warp may go on in round 3, but the second one is the greedy one. */
    check_order(&system, s, "0:1000 0:10 0:11 0:12 0:13 0:1 0:2 | ");
}

TEST(test_then_oldest)
{
    struct system system = system_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("oldest");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 3, (uint64_t[]){1000, 1001, 2});
    warp_reads(s, 1, 0, 3, (uint64_t[]){1010, 11, 12});
    warp_reads(s, 2, 0, 4, (uint64_t[]){20, 1021, 1022, 23});
    /* Round 0 A waits to 3, round 1 B waits to 4, round 2 C, round 3 C waits to 6,
     * round 4 A is the oldest, waits to 7; round 5 B, round 6 B ends;
     * round 7 A is older than C; it ends; round 8 C waits to 11; round 11 C. */
    check_order(&system, s, "0:1000 0:1010 0:20 0:1021 0:1001 0:11 0:12 0:2 0:1022 0:23 | ");
}

/* The first warp needs line 1000 two accesses later, in round 2: it may go on in round 3, as if it
 * had waited at once. */
TEST(test_needed_later)
{
    struct system system = system_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("later");
    synthetic_kernel(s, "k", 2, 1);
    synthetic_ahead(s, 0, 0, ACCESS_READ, 1000, 0);
    synthetic_ahead(s, 0, 0, ACCESS_READ, 1, 1);
    synthetic_ahead(s, 0, 0, ACCESS_READ, 2, 1);
    synthetic_ahead(s, 0, 0, ACCESS_READ, 3, 3);
    warp_reads(s, 1, 0, 3, (uint64_t[]){10, 1011, 12});
    check_order(&system, s, "0:1000 0:1 0:10 0:1011 0:2 0:3 0:12 | ");
}

/* A machine that lets one access be under way has the third wait for the first (system.ahead),
 * whatever the stream allows. */
TEST(test_ahead_limited)
{
    struct system system = system_of(1, 1, "distributed", true);
    for (uint32_t ahead = 0; ahead < 4; ahead++) {
        struct synthetic *s = synthetic_create("limited");
        synthetic_kernel(s, "k", 2, 1);
        synthetic_ahead(s, 0, 0, ACCESS_READ, 1000, 0);
        synthetic_ahead(s, 0, 0, ACCESS_READ, 1, 1);
        synthetic_ahead(s, 0, 0, ACCESS_READ, 2, 2);
        synthetic_ahead(s, 0, 0, ACCESS_READ, 3, 3);
        warp_reads(s, 1, 0, 3, (uint64_t[]){10, 1011, 12});
        system.ahead = ahead;
        check_order(&system, s,
                    ahead == 1 ? "0:1000 0:1 0:10 0:1011 0:2 0:3 0:12 | "
                               : "0:1000 0:1 0:2 0:3 0:10 0:1011 0:12 | ");
    }
}

/* When all warps wait, time goes on and so does the rotation. */
TEST(test_all_wait)
{
    struct system system = system_of(2, 1, "distributed", true);
    struct synthetic *s = synthetic_create("wait");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 11});
    /* Both may go on in round 3, which begins with SM 1. */
    check_order(&system, s, "0:1000 1:1010 1:11 0:1 | ");

    s = synthetic_create("no stall");
    synthetic_kernel(s, "k", 2, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1001});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 1011});
    system = system_of(1, 1, "distributed", true);
    system.stall = 0;
    check_order(&system, s, "0:1000 0:1001 0:1010 0:1011 | ");
}

/* A warp ends, and its block with it, when it has all that it asked for: the third block begins in
 * round 3, in the place of the first, and the second one, older, goes on before it. */
TEST(test_ends_wait)
{
    struct system system = system_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("ends");
    system.ctas = 2;
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 1, (uint64_t[]){1000});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 11});
    warp_reads(s, 2, 0, 2, (uint64_t[]){20, 21});
    check_order(&system, s, "0:1000 0:1010 0:11 0:20 0:21 | ");

    /* The turn in which it ends: in round 4 of the second one, before the first goes on. */
    s = synthetic_create("a turn");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){2500, 1});
    warp_reads(s, 1, 0, 1, (uint64_t[]){1010});
    warp_reads(s, 2, 0, 1, (uint64_t[]){1020});
    check_order(&system, s, "0:2500 0:1010 0:1020 0:1 | ");
}

/* Loose round robin does not look at waits. */
TEST(test_lrr_ignores_waits)
{
    struct system system = system_of(1, 1, "distributed", false);
    struct synthetic *s = synthetic_create("lrr");
    synthetic_kernel(s, "k", 1, 2);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1001});
    warp_reads(s, 0, 1, 2, (uint64_t[]){1010, 1011});
    check_order(&system, s, "0:1000 0:1010 0:1001 0:1011 | ");
}

/* --- greedy then round robin ------------------------------------------------------------ */

TEST(test_then_round_robin)
{
    struct system system = system_of(1, 1, "distributed", true);
    struct synthetic *s = synthetic_create("grr");
    system.order = WARPS_GRR;
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 3, (uint64_t[]){1000, 1001, 2});
    warp_reads(s, 1, 0, 3, (uint64_t[]){1010, 11, 12});
    warp_reads(s, 2, 0, 4, (uint64_t[]){20, 1021, 1022, 23});
    /* Round 0 A waits to 3, round 1 B to 4, rounds 2 and 3 C, waits to 6; round 4 A behind
     * C, waits to 7; rounds 5 and 6 B, ends; round 7 C is behind it, although A is older;
     * it waits to 10; round 8 A ends; round 10 C. */
    check_order(&system, s, "0:1000 0:1010 0:20 0:1021 0:1001 0:11 0:12 0:1022 0:2 0:23 | ");

    /* Behind the youngest that ended come the blocks that start in its place. */
    s = synthetic_create("replaced");
    synthetic_kernel(s, "k", 3, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1});
    warp_reads(s, 1, 0, 3, (uint64_t[]){10, 11, 12});
    warp_reads(s, 2, 0, 1, (uint64_t[]){20});
    system.ctas = 2;
    check_order(&system, s, "0:1000 0:10 0:11 0:12 0:20 0:1 | ");
    /* Without a stall nobody waits. */
    s = synthetic_create("no stall");
    synthetic_kernel(s, "k", 1, 2);
    warp_reads(s, 0, 0, 2, (uint64_t[]){1000, 1001});
    warp_reads(s, 0, 1, 2, (uint64_t[]){1010, 1011});
    system.stall = 0;
    check_order(&system, s, "0:1000 0:1001 0:1010 0:1011 | ");
}

/* Half of them wait: as long as all others, or as its hundreds say. */
static uint64_t random_address(uint64_t *random, int number)
{
    uint64_t kind = check_random(random) % 4, hundreds = check_random(random) % 10;
    return kind < 2    ? (uint64_t)number
           : kind == 2 ? 1000 + (uint64_t)number
                       : 2000 + hundreds * 100;
}

/* One SM, blocks of a warp, all resident: the rules themselves, written down over warp numbers. */
TEST(test_greedy_random)
{
    enum { WARPS = 200, READS = 8 };
    uint64_t random = 6;
    for (int round = 0; round < check_rounds(300, 3000); round++) {
        struct system system = system_of(1, 1, "greedy", true);
        struct synthetic *s = synthetic_create("random");
        struct text want = {0};
        uint64_t ready[WARPS] = {0}, now = 0, accesses[WARPS][READS];
        int left[WARPS], done[WARPS] = {0}, last = 0, total = 0;
        bool ends[WARPS] = {false}; /* has a turn left for that */
        int warps = 1 + (int)(check_random(&random) % (round % 8 ? 10 : WARPS));
        system.order = round % 2 ? WARPS_GTO : WARPS_GRR;
        system.stall = (uint32_t)(check_random(&random) % (round % 3 ? 5 : 150));
        system.warps = system.ctas = (uint32_t)warps + round % 5;
        system.threads = 32 * system.warps;
        synthetic_kernel(s, "k", (uint32_t)warps, 1);
        for (int w = 0; w < warps; w++) {
            left[w] = (int)(check_random(&random) % READS);
            total += left[w];
            for (int i = 0; i < left[w]; i++)
                accesses[w][i] = random_address(&random, READS * (w % 100) + i);
            warp_reads(s, (uint64_t)w, 0, left[w], accesses[w]);
        }
        for (; total; now++) {
            bool goes_on = (left[last] || ends[last]) && ready[last] <= now;
            int w = system.order == WARPS_GRR || goes_on ? last : 0, tries = 0;
            while (tries < warps && ((left[w] == 0 && !ends[w]) || ready[w] > now)) {
                w = (w + 1) % warps;
                tries++;
            }
            if (tries == warps)
                continue;
            last = w;
            if (left[w] == 0) {
                ends[w] = false;
                continue;
            }
            uint64_t address = accesses[w][done[w]++];
            struct warp_access access = {.base = address, .kind = ACCESS_READ};
            ready[w] = now + (uint64_t)log_wait(system.stall, &access);
            text_printf(&want, "0:%llu ", (unsigned long long)address);
            ends[w] = --left[w] == 0 && ready[w] > now;
            total--;
        }
        text_append(&want, "| ");
        check_order(&system, s, want.data);
        text_free(&want);
    }
}

/* --- the clock ------------------------------------------------------------------------------ */

static int one_round(void *context, struct error *error)
{
    (void)context;
    (void)error;
    return 1;
}

struct clock_log {
    struct issue *issue;
    struct text text;
};

static int log_clock(void *context, const struct issue_turn *turn, const struct warp_access *access,
                     struct error *error)
{
    struct clock_log *log = context;
    (void)error;
    text_printf(&log->text, "%u@%llu ", turn->sm, (unsigned long long)turn->clock);
    return log_wait(2, access);
}

/* Whether SMs run together or each alone. */
static void check_clock(bool together)
{
    struct clock_log log = {0};
    struct system system = system_of(2, 1, "centralised", true);
    struct synthetic *s = synthetic_create("clock");
    struct stream *stream;
    struct stream_kernel kernel;
    synthetic_kernel(s, "rounds", 2, 1);
    warp_reads(s, 0, 0, 2, (uint64_t[]){0, 1});
    warp_reads(s, 1, 0, 2, (uint64_t[]){1010, 11});
    synthetic_kernel(s, "replay", 2, 1)->recorded_order = true;
    for (uint64_t i = 0; i < 5; i++)
        synthetic_lane(s, i % 2, 0, ACCESS_READ, 1000 + i);
    synthetic_add(s, 1, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 7});
    synthetic_kernel(s, "again", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    synthetic_kernel(s, "replay again", 2, 1)->recorded_order = true;
    warp_reads(s, 1, 0, 2, (uint64_t[]){0, 1});
    struct issue_user user = {
        .context = &log, .together = together, .access = log_clock, .commit = one_round};
    log.issue = issue_create(&system, &user);
    assert_int_equal(issue_clock(log.issue), 0);
    check_ok(stream_open(&s->source, &stream, &failure));
    while (stream_next_kernel(stream, &kernel, &failure) > 0) {
        check_ok(issue_kernel(log.issue, stream, &kernel, &failure));
        text_append(&log.text, "| ");
    }
    /* Block 1 waits from round 0 to 3; two accesses replayed make a round; a launch begins when
     * all is there that might be under way, 2 rounds later. */
    assert_string_equal(log.text.data, "0@0 1@0 0@1 1@3 | 0@4 1@4 0@5 1@5 0@6 1@6 | 0@8 | "
                                       "1@9 1@10 | ");
    assert_int_equal(issue_clock(log.issue), 10);
    text_free(&log.text);
    issue_destroy(log.issue);
    stream_destroy(stream);
    source_destroy(&s->source);
}

TEST(test_clock)
{
    check_clock(true);
    check_clock(false);
    for (enum warp_order order = WARPS_LRR; order <= WARPS_GRR; order++)
        assert_string_equal(warp_order_name(order), ((const char *[]){"lrr", "gto", "grr"})[order]);
}

/* --- streams that are walked more than once -------------------------------------------------- */

/* A hash of all accesses of the kernel: block by block, or a few warps side by side. */
static void walk_kernel(struct stream *stream, const struct stream_kernel *kernel, uint32_t beside,
                        char out[HASH_TEXT])
{
    struct warp_buffer buffer;
    uint64_t n_warps = kernel->n_ctas * kernel->warps_per_cta, sum = 0;
    unsigned char *states = memory_zero(beside, kernel->warp_state_size + 64);
    for (uint64_t first = 0; first < n_warps; first += beside) {
        uint64_t n = n_warps - first < beside ? n_warps - first : beside, live = n;
        size_t step = (kernel->warp_state_size + 63) / 64 * 64;
        for (uint64_t w = 0; w < n; w++)
            check_ok(stream_warp_begin(stream, (first + w) / kernel->warps_per_cta,
                                       (uint32_t)((first + w) % kernel->warps_per_cta),
                                       states + w * step, &failure));
        while (live) {
            live = 0;
            for (uint64_t w = 0; w < n; w++) {
                check_ok(stream_read(stream, states + w * step, &buffer, &failure));
                live += buffer.count > 0;
                for (int i = 0; i < buffer.count; i++) {
                    const struct warp_access *a = &buffer.items[i];
                    for (int k = 0; k < __builtin_popcount(a->mask); k++)
                        sum +=
                            hash_fmix64(warp_access_address(a, k) * 4 + a->kind) * (first + w + 1);
                    sum += hash_fmix64(((uint64_t)a->mask << 32) + a->instructions);
                }
            }
        }
    }
    free(states);
    snprintf(out, HASH_TEXT, "%016llx", (unsigned long long)sum);
}

static int ignore_access(void *context, const struct issue_turn *turn,
                         const struct warp_access *access, struct error *error)
{
    (void)context;
    (void)turn;
    (void)access;
    (void)error;
    return 0;
}

/* Before a kernel is issued, its warps may be walked, and again behind it. */
TEST(test_streams_walked_again)
{
    static const char *const specs[] = {"gemm:ni=64,nj=64,nk=40", "bfs:input=small",
                                        "stencil:input=small", "tests/data/tiny.btrace"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct stream_kernel kernel, other;
        struct system system = system_of(2, 2, "greedy", true);
        struct issue_user user = {.access = ignore_access, .commit = one_round};
        struct issue *issue = issue_create(&system, &user);
        OWNED(source) *source = check_source(specs[i]);
        OWNED(stream) *stream = NULL, *plain = NULL;
        check_ok(stream_open(source, &stream, &failure));
        check_ok(stream_open(source, &plain, &failure));
        for (int n = 0; n < 6 && stream_next_kernel(stream, &kernel, &failure) > 0; n++) {
            char once[HASH_TEXT], before[HASH_TEXT], beside[HASH_TEXT], after[HASH_TEXT];
            assert_int_equal(stream_next_kernel(plain, &other, &failure), 1);
            walk_kernel(plain, &other, 1, once);
            walk_kernel(stream, &kernel, 1, before);
            walk_kernel(stream, &kernel, 13, beside);
            check_ok(issue_kernel(issue, stream, &kernel, &failure));
            walk_kernel(stream, &kernel, 1, after);
            assert_string_equal(before, once);
            assert_string_equal(beside, once);
            assert_string_equal(after, once);
        }
        issue_destroy(issue);
    }
}

/* Empty warps, empty blocks, empty grids and records of mere instructions. */
TEST(test_empty)
{
    struct system system = system_of(1, 2, "distributed", false);
    struct synthetic *s = synthetic_create("empty");
    synthetic_kernel(s, "none", 0, 1);
    synthetic_kernel(s, "silent", 100, 2);
    synthetic_kernel(s, "some", 5, 2);
    synthetic_lane(s, 2, 1, ACCESS_READ, 5);
    synthetic_add(s, 2, 1, (struct warp_access){.kind = ACCESS_NONE, .instructions = 7});
    synthetic_add(s, 3, 0, (struct warp_access){.kind = ACCESS_NONE, .instructions = 9});
    system.ctas = 1;
    struct system chips = system_of(3, 1, "distributed", true);
    static const char *const names[] = {"batched", "greedy", "centralised"};
    for (int i = 0; i < 3; i++) { /* nothing at all, and many blocks that do nothing */
        struct synthetic *silent = synthetic_create("silent");
        synthetic_kernel(silent, "none", 0, 1);
        synthetic_kernel(silent, "silent", 100, 2);
        synthetic_kernel(silent, "last", 1, 1);
        synthetic_lane(silent, 0, 0, ACCESS_READ, 5);
        chips.schedule = plugin_find("schedule", names[i]);
        chips.order = i ? WARPS_GRR : WARPS_GTO;
        check_order(&chips, silent, "| | 0:5 | ");
    }
    /* In the first turns SM 0 is given 0, SM 1 is given 1, then SM 0 is given 2, SM 1 3
     * (which says 9 instructions and ends) and 4. */
    check_order(&system, s, "| | +9 0:5 +7 | ");
}

/* More accesses than a warp's buffer holds, and lists of addresses. */
TEST(test_long_warps)
{
    struct system system = system_of(1, 1, "distributed", false);
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
    check_order(&system, s, want.data);
    text_free(&want);
}

TEST(test_recorded_order)
{
    struct system system = system_of(2, 2, "distributed", true);
    struct synthetic *s = synthetic_create("replay");
    synthetic_kernel(s, "k", 5, 1)->recorded_order = true;
    static const uint64_t ctas[] = {4, 0, 2, 2, 1, 3, 4, 0};
    for (int i = 0; i < 8; i++)
        synthetic_lane(s, ctas[i], 0, ACCESS_READ, 1000 + 10 * ctas[i]);
    /* Parts 0 1 2 | 3 4 on SMs 0 1 0 | 2 3, in file order, whoever waits. */
    check_order(&system, s, "3:1040 0:1000 0:1020 0:1020 1:1010 2:1030 3:1040 0:1000 | ");
}

TEST(test_errors)
{
    struct log log = {0};
    struct system system = system_of(1, 2, "distributed", false);
    struct synthetic *s = synthetic_create("errors");
    synthetic_kernel(s, "wide", 1, 33);
    system.warps = 32;
    check_error(issue_all(&system, s, &log, &failure), STATUS_INPUT,
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
            check_error(issue_all(&system, s, &log, &failure), STATUS_FAILED, "enough");
            source_destroy(&s->source);
        }
    text_free(&log.text);
}

TEST(test_interrupt)
{
    for (int ordered = 0; ordered < 2; ordered++) {
        struct log log = {0};
        struct system system = system_of(1, 1, "distributed", false);
        OWNED(synthetic) *s = synthetic_create("interrupt");
        synthetic_kernel(s, "k", 1, 1)->recorded_order = ordered;
        for (uint64_t i = 0; i < 1000; i++)
            synthetic_lane(s, 0, 0, ACCESS_READ, i);
        interrupt_request();
        check_error(issue_all(&system, s, &log, &failure), STATUS_INTERRUPTED, "interrupted");
        interrupt_clear();
        assert_true(log.calls < 100);
        text_free(&log.text);
    }
}

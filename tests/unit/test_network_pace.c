/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Domains that read the same lines, all of them at home in one: who is near waits for memory, who
 * is far finds what the near one has fetched, by hand, by the referee, by the network
 * (models/network/pace.c). */
#include "profile_check.h"

#include "explore/answer/answer.h"

enum { LINES = 400, PAGE = 1 << 20, LINE = 128, HIT_NS = 10 + 20, NEAR_NS = HIT_NS + 100 };

/* Two chips with so many SMs each; chip 0 is home of the first page, of 1 MiB. */
static struct machine *chips_of(int sms, double hop_ns, const char *organisation)
{
    char text[1024];
    snprintf(text, sizeof text,
             "machine: t\nchips: 2\nline: 128 B\n"
             "sm: {per_chip: %d, clock: 1 GHz, warps: 64, ctas: 64, issue: 1000 /cycle}\n"
             "l1: {capacity: 1 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
             "llc: {organisation: %s, capacity: 4 MiB, ways: 16, slices: 1,\n"
             "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
             "inter: {topology: fully-connected, link_bandwidth: 1000 TB/s, latency: %g ns}\n"
             "page: {policy: interleave, size: 1 MiB, interleave: 1 MiB}\n"
             "memory: {bandwidth: 1000 TB/s, channels: 1, latency: 100 ns}\n",
             sms, organisation, hop_ns);
    return check_machine(text);
}

static struct machine *two_chips(double hop_ns, const char *organisation)
{
    return chips_of(1, hop_ns, organisation);
}

/* A warp an SM, which reads one line after another: all the same ones, or each its own. */
static struct synthetic *reads(bool same)
{
    struct synthetic *s = synthetic_create("reads");
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t sm = 0; sm < 2; sm++)
        for (uint64_t i = 0; i < LINES; i++)
            synthetic_ahead(s, sm, 0, ACCESS_READ, (i + (same ? 0 : sm * LINES)) * 128, 0);
    return s;
}

static void check_time(const struct machine *machine, const struct synthetic *s, double want_ns)
{
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    check_relative(check_simulated_time(machine, &s->source) * 1e9, want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.03);
}

static void check_pace(double hop_ns, const char *organisation, bool same, double want_ns)
{
    OWNED(machine) *machine = two_chips(hop_ns, organisation);
    OWNED(synthetic) *s = reads(same);
    check_time(machine, s, LINES * want_ns);
}

/* The far one needs 30 ns and two hops for what is there; where that is less than what the near one
 * waits, it goes at its pace. */
TEST(pace_of_the_nearest)
{
    check_pace(10, "memory-side", true, NEAR_NS);
    check_pace(40, "memory-side", true, NEAR_NS);
    check_pace(80, "memory-side", true, 30 + 2 * 80);
    check_pace(200, "memory-side", true, 30 + 2 * 200);
}

/* Whatever they write at home meanwhile: requests are local for the most part then, and reads are
 * not. Who is home of what both read waits for no remote line, however long the chain of the other.
 */
TEST(reads_beside_writes_at_home)
{
    enum { WRITES = 4 };
    for (double hop_ns = 10; hop_ns <= 160; hop_ns *= 2) {
        OWNED(machine) *machine = chips_of(2, hop_ns, "memory-side");
        OWNED(synthetic) *s = synthetic_create("sums");
        synthetic_kernel(s, "k", 4, 1);
        for (uint64_t sm = 0; sm < 4; sm++)
            for (uint64_t i = 0; i < LINES; i++) {
                synthetic_ahead(s, sm, 0, ACCESS_READ, i * LINE, 0);
                for (uint64_t k = 1; k <= WRITES; k++)
                    synthetic_lane(s, sm, 0, ACCESS_WRITE,
                                   sm / 2 * PAGE + (LINES + WRITES * sm + k) * LINE);
            }
        check_time(machine, s, LINES * fmax(NEAR_NS, HIT_NS + 2 * hop_ns));
    }
}

/* One chip has two blocks and room for one, so that theirs is the longest chain, with a tenth of
 * remote waits; the other one's block waits for remote lines alone. Those are no reason to take
 * fewer of the first chip's waits for remote ones. */
TEST(two_blocks_at_home)
{
    enum { FAR_ONE_OF = 10 };
    for (double hop_ns = 10; hop_ns <= 40; hop_ns *= 2) {
        OWNED(machine) *machine = two_chips(hop_ns, "memory-side");
        check_set(machine, "sm.ctas", "1");
        OWNED(synthetic) *s = synthetic_create("blocks");
        synthetic_kernel(s, "k", 3, 1);
        for (uint64_t cta = 0; cta < 3; cta++)
            for (uint64_t i = 0; i < LINES + (cta == 2); i++) {
                uint64_t page = cta < 2 && i % FAR_ONE_OF == 0 ? PAGE : 0;
                synthetic_ahead(s, cta, 0, ACCESS_READ, page + (cta * LINES + i) * LINE, 0);
            }
        check_time(machine, s, 2 * LINES * (NEAR_NS + 2 * hop_ns / FAR_ONE_OF));
    }
}

/* Of lines of its own, and of copies of its own, each fetches all. */
TEST(nobody_before)
{
    check_pace(40, "memory-side", false, NEAR_NS + 2 * 40);
    check_pace(200, "memory-side", false, NEAR_NS + 2 * 200);
    check_pace(40, "sm-side", true, NEAR_NS + 2 * 40);
}

/* Waits for a line of each chip at a time, all of them shared: who is far finds a line under way
 * that has set out where it is near, and has but the way back to go longer. */
TEST(each_is_near_some)
{
    for (double hop_ns = 10; hop_ns <= 40; hop_ns *= 2) {
        OWNED(machine) *machine = two_chips(hop_ns, "memory-side");
        OWNED(synthetic) *s = synthetic_create("both");
        synthetic_kernel(s, "k", 2, 1);
        for (uint64_t sm = 0; sm < 2; sm++)
            for (uint64_t i = 0; i < LINES; i++)
                for (uint64_t chip = 0; chip < 2; chip++)
                    synthetic_ahead(s, sm, 0, ACCESS_READ, chip * PAGE + i * LINE, (uint8_t)chip);
        check_time(machine, s, LINES * (NEAR_NS + hop_ns));
    }
}

/* A line of each one's own beside one that both ask for and that is near one: the far one waits for
 * its own, or for what is there, whichever takes longer. */
TEST(own_lines_beside)
{
    for (double hop_ns = 10; hop_ns < 200; hop_ns *= 2) {
        OWNED(machine) *machine = two_chips(hop_ns, "memory-side");
        OWNED(synthetic) *s = synthetic_create("own beside");
        synthetic_kernel(s, "k", 2, 1);
        for (uint64_t sm = 0; sm < 2; sm++)
            for (uint64_t i = 0; i < LINES; i++) {
                uint64_t own = sm * PAGE + (LINES + i) * LINE;
                synthetic_ahead(s, sm, 0, ACCESS_READ, i * LINE, 0);
                synthetic_ahead(s, sm, 0, ACCESS_READ, own, 1);
            }
        check_time(machine, s, LINES * fmax(NEAR_NS, HIT_NS + 2 * hop_ns));
    }
}

/* A domain that asks for a few lines of the other one, each at once, has not the longest chain. */
TEST(few_lines_far_away)
{
    enum { FEW = 20 };
    OWNED(machine) *machine = two_chips(200, "memory-side");
    OWNED(synthetic) *s = synthetic_create("few");
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t i = 0; i < LINES; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ, i * LINE);
    for (uint64_t i = 0; i < FEW; i++)
        synthetic_lane(s, 1, 0, ACCESS_READ, (LINES + i) * LINE);
    check_time(machine, s, LINES * NEAR_NS);
}

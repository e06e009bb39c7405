/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles that warps work between accesses (warp_access.think), by hand: in the profile's chain, the
 * network's time and the referee's. */
#include "mcm_check.h"
#include "profile_check.h"

#include "explore/answer/referee.h"

enum { LINE = 128, WRITE = 1000 };

/* An SM. A line of 128 B takes 2 ns on a crossbar, 1 ns in a slice, 4 ns of memory; latencies: L1
 * 10 ns, crossbar 5, slice 20, memory 100: alone a miss takes 147 ns, and at 1 GHz the instruction
 * before it a hundredth. */
static struct machine *one_sm(const char *clock)
{
    struct machine *machine =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 1, warps: 64, ctas: 64, scheduler: lrr, issue: 100 /cycle}\n"
                      "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
                      "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
                      "      bandwidth: 128 GB/s, latency: 20 ns}\n"
                      "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
                      "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n");
    check_set(machine, "sm.clock", clock);
    return machine;
}

/* An access that comes after so many cycles of work. */
static void add(struct synthetic *s, uint64_t cta, enum access_kind kind, uint64_t line,
                uint8_t ahead, uint32_t think)
{
    synthetic_add(s, cta, 0,
                  (struct warp_access){.base = line * LINE,
                                       .mask = 1,
                                       .instructions = 1,
                                       .bytes = 4,
                                       .kind = (uint8_t)kind,
                                       .ahead = ahead,
                                       .think = think});
}

/* So many warps; each reads so many lines of its own and works before all but its first one. */
static struct synthetic *readers(uint32_t warps, uint32_t each, uint32_t think)
{
    struct synthetic *s = synthetic_create("readers");
    synthetic_kernel(s, "k", warps, 1);
    for (uint32_t w = 0; w < warps; w++)
        for (uint32_t k = 0; k < each; k++)
            add(s, w, ACCESS_READ, (uint64_t)w * each + k, 0, k ? think : 0);
    return s;
}

static double referee_ns(const struct machine *machine, const struct synthetic *s)
{
    struct simulate_gpu_options whole = referee_options(1000000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, &s->source, &whole, &result, &failure));
    double time = result->kernel_time_s * 1e9;
    simulate_gpu_result_destroy(result);
    return time;
}

static double model_ns(const char *model, const struct machine *machine, const struct synthetic *s)
{
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer(model, machine, &profile->views[0]);
    double time = answer_metric(answer, "kernel_time") * 1e9;
    return time;
}

/* One warp: every wait and all work stand one behind another. A cycle is the machine's. */
TEST(one_warp)
{
    static const struct {
        const char *clock;
        uint32_t reads, think;
        double ns;
    } cases[] = {
        {"1 GHz", 2, 0, 2 * 147.01},
        {"1 GHz", 2, 1000, 2 * 147.01 + 1000},
        {"2 GHz", 2, 1000, 2 * 147.005 + 500},
        {"1 GHz", 10, 50, 10 * 147.01 + 9 * 50},
        {"1 GHz", 2, UINT32_MAX, 2 * 147.01 + UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = one_sm(cases[i].clock);
        OWNED(synthetic) *s = readers(1, cases[i].reads, cases[i].think);
        check_relative(referee_ns(machine, s), cases[i].ns, 1e-6);
        check_relative(model_ns("network", machine, s), cases[i].ns, 2e-3);
    }
}

/* What stands before the first wait, between two and behind the last one; and where others order
 * the accesses. A write is posted: its way is the same with and without work before it. */
TEST(places_of_work)
{
    for (int recorded = 0; recorded < 2; recorded++)
        for (int at = 0; at < 3; at++) {
            double referee[2], network[2];
            for (uint32_t i = 0; i < 2; i++) {
                OWNED(machine) *machine = one_sm("1 GHz");
                OWNED(synthetic) *s = synthetic_create("places");
                synthetic_kernel(s, "k", 1, 1)->recorded_order = recorded;
                add(s, 0, ACCESS_READ, 0, 0, at == 0 ? 700 * i : 0);
                add(s, 0, ACCESS_READ, 1, 0, at == 1 ? 700 * i : 0);
                add(s, 0, ACCESS_WRITE, WRITE, 0, at == 2 ? 700 * i : 0);
                referee[i] = recorded ? 700 * i : referee_ns(machine, s);
                network[i] = model_ns("network", machine, s);
            }
            check_relative(referee[1] - referee[0], 700, 1e-6);
            check_relative(network[1] - network[0], 700, 1e-3);
        }
}

/* The second load needs nothing of the first: its 100 cycles begin as that one issues, and go on
 * while it is under way, whether or not the machine lets both be. */
TEST(work_under_way)
{
    static const struct {
        uint32_t think;
        const char *outstanding;
        double ns;
    } cases[] = {{100, "16", 0.02 + 100 + 147},
                 {100, "1", 2 * 147.01},
                 {400, "1", 0.02 + 400 + 147},
                 {400, "16", 0.02 + 400 + 147}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = one_sm("1 GHz");
        OWNED(synthetic) *s = synthetic_create("under way");
        check_set(machine, "sm.outstanding", cases[i].outstanding);
        synthetic_kernel(s, "k", 1, 1);
        add(s, 0, ACCESS_READ, 0, 0, 0);
        add(s, 0, ACCESS_READ, 1, 1, cases[i].think);
        check_relative(referee_ns(machine, s), cases[i].ns, 1e-6);
    }
    /* The network has no such overlap but where both are under way: then it is the same. */
    OWNED(machine) *machine = one_sm("1 GHz");
    OWNED(synthetic) *s = synthetic_create("under way");
    check_set(machine, "sm.outstanding", "16");
    synthetic_kernel(s, "k", 1, 1);
    add(s, 0, ACCESS_READ, 0, 0, 0);
    add(s, 0, ACCESS_READ, 1, 1, 400);
    check_relative(model_ns("network", machine, s), 547.02, 0.02);
}

/* 64 warps keep memory busy, a line in 4 ns: each comes back long before it is served again, after
 * 147 + 50 ns of 256. With 1000 they do not: in step they work, and are served. */
TEST(hidden_by_others)
{
    enum { WARPS = 64, EACH = 20 };
    OWNED(machine) *machine = one_sm("1 GHz");
    OWNED(synthetic) *busy = readers(WARPS, EACH, 0);
    OWNED(synthetic) *hidden = readers(WARPS, EACH, 50);
    OWNED(synthetic) *idle = readers(WARPS, EACH, 1000);
    double want = 147.01 + 4.0 * (WARPS * EACH - 1);
    check_relative(referee_ns(machine, busy), want, 1e-6);
    check_relative(referee_ns(machine, hidden), want, 1e-6);
    check_relative(model_ns("network", machine, busy), want, 0.02);
    check_relative(model_ns("network", machine, hidden), want, 0.02);
    /* The bound knows no waits, of any kind. */
    check_relative(model_ns("bottleneck", machine, hidden), 4.0 * WARPS * EACH, 1e-3);
    check_relative(model_ns("bottleneck", machine, idle), 4.0 * WARPS * EACH, 1e-3);
    /* The last of a round stays the last: it is served 63 lines late once. */
    want = 147.01 * EACH + 1000 * (EACH - 1) + 4.0 * (WARPS - 1);
    check_relative(referee_ns(machine, idle), want, 1e-6);
    check_relative(model_ns("network", machine, idle), want, 0.1);
}

/* The chain is that of the warp which works longest; a line that L1 has ends no wait, and what
 * comes behind the last wait is apart. */
TEST(in_the_profile)
{
    OWNED(machine) *machine = one_sm("1 GHz");
    OWNED(synthetic) *s = synthetic_create("chain");
    synthetic_kernel(s, "k", 2, 1);
    add(s, 0, ACCESS_READ, 0, 0, 3);
    add(s, 0, ACCESS_READ, 1, 0, 40);
    add(s, 0, ACCESS_READ, 1, 0, 500);
    add(s, 0, ACCESS_WRITE, 2, 0, 6000);
    for (uint64_t k = 0; k < 10; k++)
        add(s, 1, ACCESS_READ, 10 + k, 0, 0);
    synthetic_kernel(s, "again", 1, 1);
    add(s, 0, ACCESS_READ, 5, 0, 1);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *first = &profile->views[0].records[0], *second = first + 1;
    check_field(first, FIELD_CHAIN_WAITS, 2);
    check_field(first, FIELD_CHAIN_HITS, 1);
    check_field(first, FIELD_CHAIN_THINK, 6543);
    check_field(first, FIELD_CHAIN_LAST_THINK, 6500);
    check_field(second, FIELD_CHAIN_THINK, 1);
    check_field(second, FIELD_CHAIN_LAST_THINK, 0);
}

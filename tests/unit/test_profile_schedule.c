/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which SM a thread block goes to, by hand and by the definitions. */
#include "issue_check.h"

TEST(test_centralised)
{
    struct system system = system_of(2, 2, "centralised", false);
    struct synthetic *s = synthetic_create("centralised");
    synthetic_kernel(s, "k", 5, 1);
    for (uint64_t cta = 0; cta < 5; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    /* Chip 0: blocks 0 2 4 on SMs 0 1 0; chip 1: blocks 1 3 on SMs 2 3. */
    check_order(&system, s, "0:0 2:1 3:3 1:2 0:4 | ");
}

TEST(test_distributed_scopes)
{
    struct system system = system_of(2, 2, "distributed", false);
    struct synthetic *s = synthetic_create("distributed");
    synthetic_kernel(s, "k", 7, 1);
    for (uint64_t cta = 0; cta < 7; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    system.cta_scope = "sm";
    system.ctas = 1;
    /* Parts of 2, the last one shorter: 0 1 | 2 3 | 4 5 | 6. */
    check_order(&system, s, "0:0 2:4 3:6 1:2 2:5 1:3 0:1 | ");

    s = synthetic_create("few blocks");
    synthetic_kernel(s, "k", 5, 1);
    for (uint64_t cta = 0; cta < 5; cta++)
        synthetic_lane(s, cta, 0, ACCESS_READ, cta);
    system = system_of(4, 1, "distributed", false);
    /* Parts of 2: 0 1 | 2 3 | 4 | none. */
    check_order(&system, s, "0:0 1:2 2:4 1:3 0:1 | ");
}

/* A kernel of n blocks of one warp, each with that many reads (0: one): 10 * block + i. */
static struct synthetic *blocks_of(uint32_t n, const int *reads)
{
    struct synthetic *s = synthetic_create("blocks");
    synthetic_kernel(s, "k", n, 1);
    for (uint64_t cta = 0; cta < n; cta++)
        for (int i = 0; i < (reads ? reads[cta] : 1); i++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 10 * cta + (uint64_t)i);
    return s;
}

TEST(test_batched)
{
    struct system system = system_of(2, 2, "batched", false);
    system.cta_batch = 2;
    /* Chip 0: 0 1 4 5 on SMs 0 1 0 1; chip 1: 2 3 6 on SMs 2 3 2. */
    check_order(&system, blocks_of(7, NULL), "0:0 2:20 3:30 1:10 2:60 1:50 0:40 | ");
    system.cta_scope = "sm";
    system.cta_batch = 3;
    /* 0 1 2 | 3 4 5 | 6 7 8 | none; 9 would be SM 3's. */
    check_order(&system, blocks_of(9, NULL), "0:0 2:60 1:30 2:70 1:40 0:10 1:50 0:20 2:80 | ");
    /* By ones over chips: centralised. */
    system.cta_scope = "chip";
    system.cta_batch = 1;
    check_order(&system, blocks_of(5, NULL), "0:0 2:10 3:30 1:20 0:40 | ");
}

/* On the first two of four chips: as on two. */
TEST(test_some_chips)
{
    struct system system = system_of(4, 2, "batched", false);
    system.cta_chips = 2;
    system.cta_batch = 2;
    check_order(&system, blocks_of(7, NULL), "0:0 2:20 3:30 1:10 2:60 1:50 0:40 | ");
    system.schedule = plugin_find("schedule", "centralised");
    check_order(&system, blocks_of(5, NULL), "0:0 2:10 3:30 1:20 0:40 | ");
    system.schedule = plugin_find("schedule", "greedy");
    check_order(&system, blocks_of(5, NULL), "0:0 2:10 3:30 1:20 0:40 | ");
    system.schedule = plugin_find("schedule", "distributed");
    system.cta_scope = "sm";
    check_order(&system, blocks_of(4, NULL), "0:0 2:20 3:30 1:10 | ");
    system.cta_chips = 1;
    check_order(&system, blocks_of(4, NULL), "0:0 1:20 1:30 0:10 | ");
}

TEST(test_partitions)
{
    struct system system = system_of(2, 4, "distributed", false);
    system.partitions = 2;
    system.domains = 4;
    system.sms_per_domain = 2;
    system.cta_scope = "partition";
    /* Parts of 2: 0 1 on SMs 0 1, 2 3 on 2 3, 4 5 on 4 5, 6 on SM 6. */
    check_order(&system, blocks_of(7, NULL), "0:0 4:40 5:50 1:10 2:20 6:60 3:30 | ");
    /* Single blocks to the partitions in turn: 4 on SM 1, 5 on SM 3. */
    system.schedule = plugin_find("schedule", "batched");
    check_order(&system, blocks_of(6, NULL), "0:0 4:20 1:40 2:10 6:30 3:50 | ");
    system.cta_scope = "chip";
    system.cta_batch = 3;
    check_order(&system, blocks_of(6, NULL), "0:0 4:30 5:40 1:10 2:20 6:50 | ");
}

TEST(test_greedy_schedule)
{
    struct system system = system_of(2, 2, "greedy", false);
    system.ctas = 1;
    /* Blocks 0 to 3 on SMs 0 2 1 3. Block 1 ends in round 0: SM 2 takes 4; 2 ends in
     * round 1 (which begins with SM 2): SM 1 takes 5. */
    check_order(&system, blocks_of(6, (int[]){3, 1, 2, 3, 2, 1}),
                "0:0 2:10 3:30 1:20 2:40 3:31 1:21 0:1 3:32 1:50 0:2 2:41 | ");
    /* Who comes first in the round takes the only block left, of whatever chip it is. */
    system = system_of(3, 1, "greedy", false);
    system.ctas = 1;
    check_order(&system, blocks_of(4, (int[]){2, 2, 2, 1}), "0:0 1:10 2:20 1:11 2:21 0:1 1:30 | ");
    /* Two blocks an SM: the second ones come when every SM has its first. */
    system.ctas = 2;
    check_order(&system, blocks_of(5, NULL), "0:0 1:10 2:20 1:40 0:30 | ");
    struct synthetic *s = blocks_of(5, NULL);
    s->kernels.items[0].recorded_order = true;
    system = system_of(2, 2, "greedy", false);
    check_order(&system, s, "0:0 2:10 1:20 3:30 0:40 | ");
}

/* Launches go on behind the SM that took the last block: after 2 blocks on 3 SMs on the third one,
 * then on the second. Rounds begin with the first SM all the same. */
TEST(test_start_next)
{
    struct system system = system_of(1, 3, "centralised", false);
    struct synthetic *s = synthetic_create("next");
    for (uint64_t k = 0; k < 3; k++) {
        synthetic_kernel(s, "k", 2, 1);
        for (uint64_t cta = 0; cta < 2; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 10 * cta + k);
    }
    system.cta_start_next = true;
    check_order(&system, s, "0:0 1:10 | 0:11 2:1 | 1:2 2:12 | ");

    /* The last block goes where one ended first: to SM 0, so that SM 1 is next; or to SM 1. */
    for (int longer = 0; longer < 2; longer++) {
        system = system_of(1, 2, "centralised", false);
        system.ctas = 1;
        system.cta_start_next = true;
        s = synthetic_create("refilled");
        synthetic_kernel(s, "k", 3, 1);
        for (uint64_t cta = 0; cta < 3; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, 10 * cta);
        synthetic_lane(s, longer ? 0 : 1, 0, ACCESS_READ, 5);
        synthetic_kernel(s, "k", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 7);
        check_order(&system, s,
                    longer ? "0:0 1:10 1:20 0:5 | 0:7 | " : "0:0 1:10 1:5 0:20 | 1:7 | ");
    }

    /* One queue for several chips: SMs 0 2 1, then 3. Recorded order as well. */
    for (int recorded = 0; recorded < 2; recorded++) {
        system = system_of(2, 2, "greedy", false);
        system.cta_start_next = true;
        s = synthetic_create("chips");
        for (uint64_t k = 0; k < 2; k++) {
            synthetic_kernel(s, "k", 3, 1);
            for (uint64_t cta = 0; cta < 3; cta++)
                synthetic_lane(s, cta, 0, ACCESS_READ, 10 * cta);
            s->kernels.items[k].recorded_order = recorded;
        }
        check_order(&system, s,
                    recorded ? "0:0 2:10 1:20 | 3:0 0:10 2:20 | "
                             : "0:0 2:10 1:20 | 0:10 2:20 3:0 | ");
    }

    system = system_of(2, 2, "centralised", false);
    system.cta_start_next = true;
    struct log log = {.rounds = 1};
    s = blocks_of(3, NULL);
    check_error(issue_all(&system, s, &log, &failure), STATUS_INPUT,
                "cta.start: next goes on where one queue of thread blocks stopped; there are 2");
    text_free(&log.text);
    source_destroy(&s->source);
}

/* Every schedule gives out every block once, ascending in a unit, to the unit it should. */
TEST(test_schedules_divide)
{
    static const char *const names[] = {"batched", "distributed", "centralised", "greedy"};
    static const char *const scopes[] = {"chip", "partition", "sm"};
    uint64_t random = 5;
    for (int round = 0; round < check_rounds(2000, 20000); round++) {
        const char *name = names[check_random(&random) % 4];
        const char *scope = scopes[check_random(&random) % 3];
        const struct schedule *schedule = (const struct schedule *)plugin_find("schedule", name);
        uint32_t chips = 1 + (uint32_t)(check_random(&random) % 5);
        uint32_t partitions = 1 + (uint32_t)(check_random(&random) % 3);
        uint32_t sms = partitions * (1 + (uint32_t)(check_random(&random) % 3)); /* per chip */
        struct schedule_context context = {
            .n_chips = chips,
            .sms_per_chip = sms,
            .n_domains = chips * partitions,
            .scope = scope,
            .batch = 1 + (uint32_t)(check_random(&random) % 5),
            .n_ctas = check_random(&random) % 60,
        };
        uint32_t units = *scope == 's' ? chips * sms : *scope == 'p' ? chips * partitions : chips;
        units = *name == 'c' ? chips : *name == 'g' ? 1 : units;
        assert_int_equal(schedule->n_units(&context), units);
        for (uint32_t s = 0; s < chips * sms; s++)
            assert_int_equal(schedule->unit_of(&context, s), s / (chips * sms / units));
        uint64_t given = 0, part = (context.n_ctas + units - 1) / units;
        for (uint32_t unit = 0; unit < units; unit++) {
            uint64_t last = 0, cta, n = 0;
            for (; (cta = schedule->cta(&context, unit, n)) != UINT64_MAX; n++) {
                assert_true(cta < context.n_ctas && (n == 0 || cta > last));
                assert_int_equal(unit, *name == 'b'   ? cta / context.batch % units
                                       : *name == 'd' ? cta / part
                                                      : cta % units);
                last = cta;
                given++;
            }
            assert_true(schedule->cta(&context, unit, n + 1) == UINT64_MAX);
            assert_true(schedule->cta(&context, unit, UINT64_MAX - 1) == UINT64_MAX);
        }
        assert_int_equal(given, context.n_ctas);
    }
}

TEST(test_recorded_sms)
{
    static const uint32_t sms[] = {3, 0, 3, 2, 9};
    for (int ordered = 0; ordered < 2; ordered++) {
        struct system system = system_of(2, 2, "recorded", false);
        struct synthetic *s = synthetic_create("recorded");
        struct synthetic_kernel *kernel = synthetic_kernel(s, "k", 4, 1);
        kernel->cta_sms = sms;
        kernel->recorded_order = ordered;
        for (uint64_t cta = 0; cta < 4; cta++)
            synthetic_lane(s, cta, 0, ACCESS_READ, cta);
        system.ctas = 1;
        check_order(&system, s, ordered ? "3:0 0:1 3:2 2:3 | " : "0:1 2:3 3:0 3:2 | ");
    }
    struct log log = {0};
    struct system system = system_of(2, 2, "recorded", false);
    struct synthetic *s = synthetic_create("beyond");
    synthetic_kernel(s, "k", 5, 1)->cta_sms = sms;
    check_error(issue_all(&system, s, &log, &failure), STATUS_INPUT,
                "block 4 ran on SM 9, the machine has 4 SMs");
    source_destroy(&s->source);
    s = synthetic_create("unknown");
    synthetic_kernel(s, "k", 1, 1);
    check_error(issue_all(&system, s, &log, &failure), STATUS_INPUT, "does not say which SM");
    source_destroy(&s->source);
    text_free(&log.text);
}

/* The name may bring its argument; whoever comes last decides. */
TEST(test_batched_argument)
{
    OWNED(machine) *machine = check_machine("machine: m\n"
                                            "chips: 2\n"
                                            "sm: {per_chip: 2}\n"
                                            "page: {size: 4 KiB}\n"
                                            "llc: {slices: 2}\n"
                                            "cta: {policy: batched:4, scope: chip}\n");
    struct system system;
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    assert_string_equal(system.schedule->name, "batched");
    assert_int_equal(system.cta_batch, 4);
    check_set(machine, "cta.policy", "distributed");
    check_set(machine, "cta.policy", "batched");
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    assert_int_equal(system.cta_batch, 4);
    struct machine *clone = machine_clone(machine);
    check_set(clone, "cta.policy", "batched:6");
    check_ok(system_compile(&system, clone, SYSTEM_STREAM, &failure));
    assert_int_equal(system.cta_batch, 6);
    machine_destroy(clone);
    check_error(machine_set(machine, "cta.policy", "batched:0", NULL, &failure), STATUS_INPUT,
                "cta.policy: cta.batch: 0 is out of range");
    check_error(machine_set(machine, "cta.policy", "batched:few", NULL, &failure), STATUS_INPUT,
                "cta.policy: cta.batch: expected a whole number");
    check_error(machine_set(machine, "cta.policy", "batched:", NULL, &failure), STATUS_INPUT,
                "cta.batch: expected a whole number");
    check_error(machine_set(machine, "cta.policy", "greedy:4", NULL, &failure), STATUS_INPUT,
                "there is no schedule \"greedy:4\"");
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    assert_int_equal(system.cta_batch, 4);
}

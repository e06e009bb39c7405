/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole pass against a naive one, over random machines and random streams. */
#include "profile_naive.h"

/* --- random machines and streams ---------------------------------------------------- */

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(check_random(random) % (high - low + 1));
}

static struct config random_config(uint64_t *random)
{
    static const char *const placements[] = {"first-touch", "round-robin", "interleave",
                                             "recorded"};
    static const char *const policies[] = {"centralised", "distributed", "recorded"};
    struct config c = {
        .chips = pick(random, 1, 5),
        .per_chip = pick(random, 1, 3),
        .line = 32U << pick(random, 0, 3),
        .warps = pick(random, 3, 9),
        .ctas = pick(random, 1, 4),
        .threads = pick(random, 96, 400),
        .stall = pick(random, 0, 6),
        .slices = pick(random, 1, 7),
        .scheduler = pick(random, 0, 1) ? "gto" : "lrr",
        .placement = placements[pick(random, 0, 3)],
        .policy = policies[pick(random, 0, 2)],
        .scope = pick(random, 0, 1) ? "chip" : "sm",
        .coherence = pick(random, 0, 1) ? "software" : "hardware",
    };
    c.page = c.line * pick(random, 256 / c.line, 256 / c.line + 8);
    c.interleave = c.line * pick(random, 1, 10);
    if (pick(random, 0, 4)) {
        uint32_t lines = 1024 / c.line * pick(random, 1, 2); /* at most 64 */
        c.l1_ways = pick(random, 1, lines < 8 ? lines : 8);
        c.l1_sets = lines / c.l1_ways;
        while (c.l1_ways * c.l1_sets * c.line < 1024)
            c.l1_sets++;
    }
    return c;
}

static struct machine *config_machine(const struct config *c)
{
    struct text text = {0};
    text_printf(&text,
                "machine: random\nchips: %u\nline: %u B\ncoherence: %s\n"
                "sm: {per_chip: %u, warps: %u, ctas: %u, threads: %u, stall: %u, scheduler: %s}\n"
                "llc: {slices: %u}\npage: {size: %u B, interleave: %u B, policy: %s}\n"
                "cta: {policy: %s, scope: %s}\n",
                c->chips, c->line, c->coherence, c->per_chip, c->warps, c->ctas, c->threads,
                c->stall, c->scheduler, c->slices, c->page, c->interleave, c->placement, c->policy,
                c->scope);
    if (c->l1_sets)
        text_printf(&text, "l1: {capacity: %u B, ways: %u}\n", c->l1_sets * c->l1_ways * c->line,
                    c->l1_ways);
    struct machine *machine = check_machine(text.data);
    text_free(&text);
    return machine;
}

static struct warp_access random_access(uint64_t *random, uint64_t base, uint32_t bytes,
                                        uint64_t list[WARP_LANES])
{
    static const uint8_t widths[] = {1, 2, 4, 8, 12, 16};
    uint32_t kind = pick(random, 0, 19);
    struct warp_access access = {
        .instructions = pick(random, 1, 9),
        .bytes = widths[pick(random, 0, 5)],
        .kind = kind < 12   ? ACCESS_READ
                : kind < 17 ? ACCESS_WRITE
                            : ACCESS_ATOMIC,
        .flags = kind == 0 || kind == 12 ? ACCESS_BYPASS_L1 : 0,
        .mask = pick(random, 0, 2) ? UINT32_MAX : (uint32_t)check_random(random) | 1,
    };
    if (kind == 19)
        access.kind = ACCESS_NONE, access.mask = 0;
    double u = check_uniform(random);
    access.base = base + 2048 + (uint64_t)(u * u * bytes);
    switch (pick(random, 0, 3)) {
    case 0:
        for (int k = 0; k < WARP_LANES; k++)
            list[k] = base + 2048 + check_random(random) % bytes;
        access.addresses = list;
        break;
    case 1:
        access.stride = (int64_t)pick(random, 0, 80) - 40;
        break;
    case 2:
        access.mask = 1U << pick(random, 0, 31);
        break;
    default:
        access.stride = access.bytes;
    }
    return access;
}

static struct synthetic *random_stream(uint64_t *random, const struct config *c, uint32_t *sms)
{
    struct synthetic *s = synthetic_create("random");
    uint64_t base = pick(random, 0, 1) ? 0 : 0x7f0000000000;
    uint32_t bytes = 64U << pick(random, 0, 8), n_sms = c->chips * c->per_chip;
    for (uint64_t i = 0; i < 20; i++)
        VECTOR_PUSH(&s->source.homes,
                    (struct stream_home){base + i * 1024, 1024, pick(random, 0, c->chips - 1)});
    for (uint64_t i = 0; i < 4; i++)
        VECTOR_PUSH(&s->source.allocations,
                    (struct stream_allocation){"a", base + 2000 + 1500 * i, pick(random, 1, 1500)});
    uint32_t n_kernels = pick(random, 1, 4);
    for (uint32_t i = 0; i < 16; i++)
        sms[i] = pick(random, 0, n_sms - 1);
    for (uint32_t k = 0; k < n_kernels; k++) {
        struct synthetic_kernel *kernel =
            synthetic_kernel(s, "k", pick(random, 0, 15), pick(random, 1, 3));
        uint32_t n_ctas = kernel->n_ctas, n_warps = kernel->warps_per_cta;
        kernel->recorded_order = pick(random, 0, 4) == 0;
        kernel->cta_sms = sms;
        for (uint32_t i = n_ctas ? pick(random, 0, 40 * n_ctas) : 0; i > 0; i--) {
            uint64_t list[WARP_LANES];
            struct warp_access access = random_access(random, base, bytes, list);
            synthetic_add(s, pick(random, 0, n_ctas - 1), pick(random, 0, n_warps - 1), access);
        }
    }
    return s;
}

static void test_against_naive(void **state)
{
    (void)state;
    int rounds = getenv("BANDSCAPE_VALGRIND") ? 20 : check_rounds(300, 5000);
    for (int round = 0; round < rounds; round++) {
        uint64_t random = (uint64_t)round;
        uint32_t sms[16];
        struct config config = random_config(&random);
        struct machine *machine = config_machine(&config);
        struct synthetic *s = random_stream(&random, &config, sms);
        struct profile *profile = check_profile(&s->source, machine, true);
        struct profile *plain = check_profile(&s->source, machine, false);
        const struct profile_view *view = &profile->views[0];
        struct naive *naive = memory_zero(1, sizeof *naive);
        naive->config = &config;
        naive->source = &s->source;
        assert_int_equal(view->n_records, s->kernels.count);
        for (size_t k = 0; k < s->kernels.count; k++) {
            struct launch *launch = memory_zero(1, sizeof *launch);
            naive_launch(naive, &s->kernels.items[k], launch);
            compare_launch(&config, &view->records[k], launch, &s->source);
            /* Without CTA sharing everything else is the same. */
            launch->fields[FIELD_CTA_SHARED_LINES] = (double)NAN;
            launch->fields[FIELD_CTA_LINE_PAIRS] = (double)NAN;
            compare_launch(&config, &plain->views[0].records[k], launch, &s->source);
            free(launch);
        }
        compare_sharing(naive, &view->sharing);
        compare_sharing(naive, &plain->views[0].sharing);
        naive_fini(naive);
        free(naive);
        profile_destroy(profile);
        profile_destroy(plain);
        source_destroy(&s->source);
        machine_destroy(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_naive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

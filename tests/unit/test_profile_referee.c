/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole pass against a naive one, over random machines and random streams. */
#include "profile_naive.h"

/* --- random machines and streams ---------------------------------------------------- */

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(check_random(random) % (high - low + 1));
}

/* A divisor of n that is a multiple of `of`, which divides n. */
static uint32_t pick_divisor(uint64_t *random, uint32_t n, uint32_t of)
{
    uint32_t divisor;
    do
        divisor = pick(random, 1, n);
    while (n % divisor || divisor % of);
    return divisor;
}

/* Nodes, clusters, what L1 does, and how much it holds: little. */
static void random_l1(uint64_t *random, struct config *c)
{
    bool shared = pick(random, 0, 1);
    c->nodes = shared ? pick_divisor(random, c->per_chip, c->partitions) : c->per_chip;
    c->clusters = shared ? pick_divisor(random, c->nodes, c->partitions) : c->nodes;
    c->evict = pick(random, 0, 3) == 0;
    c->bypass = pick(random, 0, 5) == 0;
    c->perfect = pick(random, 0, 15) == 0;
    c->hashed = pick(random, 0, 1);
    c->by_line = pick(random, 0, 2) == 0;
    if (pick(random, 0, 4) == 0)
        return;
    c->l1_bytes = 1024 + 8 * pick(random, 0, 200);
    c->l1_ways = pick(random, 1, c->l1_bytes / c->line < 8 ? c->l1_bytes / c->line : 8);
}

/* Levels before the LLC, small ones. */
static void random_fronts(uint64_t *random, struct config *c)
{
    bool behind_chip = false;
    for (int i = 0; i < RANDOM_FRONTS; i++) {
        struct front_config *front = &c->fronts[i];
        uint32_t held = pick(random, 0, 2);
        if (pick(random, 0, 2))
            continue;
        front->per_partition = pick(random, 0, 1) && !behind_chip;
        behind_chip = !front->per_partition; /* partitions' levels come before those of chips */
        front->local_in = held != 1;
        front->remote_in = held != 2;
        front->back = pick(random, 0, 1);
        front->ways = pick(random, 1, 4);
        front->bytes = c->line * front->ways * c->partitions * pick(random, 1, 9);
        if (front->bytes < 1024) /* the least there is */
            front->bytes *= 32;
    }
}

static struct config random_config(uint64_t *random)
{
    static const char *const placements[] = {"first-touch", "round-robin", "interleave",
                                             "recorded",    "lab",         "blocks"};
    static const char *const policies[] = {"centralised", "distributed", "recorded", "batched",
                                           "greedy"};
    static const char *const schedulers[] = {"gto", "lrr", "grr"};
    static const char *const scopes[] = {"chip", "sm", "partition"};
    struct config c = {
        .chips = pick(random, 1, 5),
        .partitions = pick(random, 0, 1) ? 1 : pick(random, 2, 3),
        .line = 32U << pick(random, 0, 3),
        .sectors = pick(random, 0, 1) ? 1 : 4,
        .warps = pick(random, 3, 9),
        .ctas = pick(random, 1, 4),
        .threads = pick(random, 96, 400),
        .stall = pick(random, 0, 6),
        .slices = pick(random, 1, 7),
        .fixed = pick(random, 0, 3) == 0,
        .threshold = pick(random, 0, 10) / 10.0,
        .scheduler = schedulers[pick(random, 0, 2)],
        .placement = placements[pick(random, 0, 5)],
        .policy = policies[pick(random, 0, 4)],
        .scope = scopes[pick(random, 0, 2)],
        .batch = pick(random, 1, 4),
        .coherence = pick(random, 0, 1) ? "software" : "hardware",
    };
    while (c.sectors * 32 > c.line)
        c.sectors /= 2;
    if (c.partitions > 1)
        c.chips = pick(random, 1, 3);
    uint32_t per_domain = pick(random, 0, 3) ? pick(random, 1, 3) : 6;
    c.per_chip = c.partitions * per_domain;
    c.page = c.line * pick(random, 256 / c.line, 256 / c.line + 8);
    c.interleave = c.line * pick(random, 1, 10);
    random_l1(random, &c);
    random_fronts(random, &c);
    return c;
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
    uint32_t bytes = 64U << pick(random, 0, 8), n_sms = config_sms(c);
    for (uint64_t i = 0; i < 20; i++)
        VECTOR_PUSH(&s->source.homes, (struct stream_home){base + i * 1024, 1024,
                                                           pick(random, 0, config_domains(c) - 1)});
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

TEST(test_against_naive)
{
    int rounds = check_rounds(300, 5000);
    for (int round = 0; round < rounds; round++) {
        uint64_t random = (uint64_t)round;
        uint32_t sms[16];
        struct config config = random_config(&random);
        OWNED(synthetic) *s = random_stream(&random, &config, sms);
        naive_compare(&config, s);
    }
}

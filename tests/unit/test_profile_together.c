/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of one pass are those of a pass each, byte for byte, over random machines. */
#include "profile_check.h"
#include "profile/run/profiler.h"

/* Any of the texts. */
#define PICK(...)                                                                                  \
    pick((const char *const[]){__VA_ARGS__},                                                       \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static uint64_t random_state;

static uint64_t next(uint64_t n)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (random_state >> 33) % n;
}

static const char *pick(const char *const *texts, size_t n)
{
    return texts[next(n)];
}

/* SMs and L1s, the same for all machines of a case. */
static void random_front(struct text *out)
{
    text_printf(out, "chips: %s\npartitions: %s\nsectors: %s\n", PICK("2", "3", "4"),
                PICK("1", "1", "2"), PICK("1", "4"));
    text_printf(out, "sm: {per_chip: 4, warps: %s, scheduler: %s, stall: %s, clusters: 2}\n",
                PICK("16", "32"), PICK("gto", "lrr", "grr"), PICK("0", "40", "256"));
    text_printf(out, "l1: {capacity: %s, ways: 2, index: %s, write: %s, flush: %s}\n",
                PICK("2 KiB", "8 KiB"), PICK("modulo", "hashed"), PICK("through", "evict"),
                PICK("coherence", "none", "stale"));
    text_printf(out, "cta: {policy: %s, scope: %s}\n",
                PICK("distributed", "batched", "centralised", "greedy"), PICK("sm", "chip"));
    text_printf(out, "memory: {partial_write: %s}\n", PICK("mask", "fetch"));
}

/* What stands behind L1. */
static void random_behind(struct text *out)
{
    text_printf(out, "coherence: %s\n", PICK("software", "hardware"));
    text_printf(out, "llc: {capacity: 64 KiB, slices: %s, mapping: %s, flush: %s}\n",
                PICK("2", "4"), PICK("hashed", "fixed"), PICK("coherence", "none", "dirty", "all"));
    text_printf(out, "page: {size: %s, policy: %s, interleave: %s, ties: %s}\n",
                PICK("512 B", "4 KiB"),
                PICK("first-touch", "round-robin", "interleave", "lab", "pae", "blocks"),
                PICK("256 B", "1 KiB"), PICK("turn", "waits"));
    if (next(2))
        text_printf(out, "l15: {scope: %s, capacity: %s, ways: 2, filter: %s, write: %s}\n",
                    PICK("cluster", "chip"), PICK("0 B", "8 KiB", "32 KiB"),
                    PICK("all", "remote", "local"), PICK("through", "back"));
}

/* Of the second, launches repeat. */
static struct source *random_source(void)
{
    static const char *const names[] = {
        "gemm:ni=32,nj=64,nk=16",  "tests/data/jacobi.yaml:n=64,steps=12",
        "gemm:ni=64,nj=128,nk=32", "bfs:input=small",
        "srad:input=small",        "kmeans:input=small",
        "stencil:input=small"};
    return check_source(names[next(check_long() ? 7 : 3)]);
}

static void print_apart(const struct source *source, const struct machine *machine, unsigned parts,
                        struct profile_options options, struct text *out)
{
    OWNED(profile) *profile = profile_create();
    options.parts = parts;
    options.threads = 1;
    check_ok(profile_make(profile, source, machine, &options, &failure));
    profile_print(profile, out);
}

enum { VIEWS_MAX = 4 };

/* Two to four views of a source. */
static void check_case(uint64_t seed)
{
    static const unsigned some[] = {PART_BASE, PART_WAITS, PART_WAITS | PART_WINDOW,
                                    PART_REPLICATION | PART_REMOTE, PART_L1 | PART_CTA_SHARING};
    struct profile_wanted wanted[VIEWS_MAX];
    struct machine *machines[VIEWS_MAX];
    struct text front = {0};
    random_state = seed * 977 + 1;
    size_t n = 2 + next(VIEWS_MAX - 1);
    OWNED(source) *source = random_source();
    struct profile_options options = {
        .threads = 1 + (int)next(3), .effort = {.exact = next(2)}, .few_lines = true};
    options.effort.sample_rate = next(3) ? 1 : 0.25;
    random_front(&front);
    char first[HASH_TEXT], key[HASH_TEXT];
    for (size_t i = 0; i < n; i++) {
        struct text text = {0};
        text_printf(&text, "machine: together\n%s", front.data);
        random_behind(&text);
        machines[i] = check_machine(text.data);
        if (next(2)) /* as it is anyway */
            check_set(machines[i], "l1.nodes", "4");
        wanted[i] = (struct profile_wanted){
            .profile = profile_create(), .machine = machines[i], .parts = some[next(5)]};
        assert_true(profile_near_key(machines[i], wanted[i].parts, i ? key : first));
        if (i)
            assert_string_equal(key, first);
        text_free(&text);
    }
    check_ok(profile_make_together(wanted, n, source, &options, &failure));
    for (size_t i = 0; i < n; i++) {
        struct text together = {0}, apart = {0};
        profile_print(wanted[i].profile, &together);
        print_apart(source, machines[i], wanted[i].parts, options, &apart);
        assert_string_equal(together.data, apart.data);
        text_free(&together);
        text_free(&apart);
        profile_destroy(wanted[i].profile);
        machine_destroy(machines[i]);
    }
    text_free(&front);
}

TEST(test_random_machines)
{
    for (uint64_t seed = 0; seed < (uint64_t)check_rounds(20, 300); seed++)
        check_case(seed);
}

/* What SMs see is in the key, what stands behind L1 is not; machines that have a pass for
 * themselves have none. */
TEST(test_keys)
{
    static const struct {
        const char *path, *value;
        bool alone, same;
    } cases[] = {
        {"llc.slices", "8", false, true},
        {"page.policy", "round-robin", false, true},
        {"page.size", "64 KiB", false, true},
        {"coherence", "hardware", false, true},
        {"l1.capacity", "64 KiB", false, false},
        {"sm.stall", "100", false, false},
        {"sectors", "4", false, false},
        {"chips", "2", false, false},
        {"l1.flush", "none", false, false},
        {"memory.partial_write", "fetch", false, false},
        {"l1.bypass", "remote", true, false},
        {"l1.nodes", "8", true, false},
        {"l1.nodes", "64", false, true}, /* one an SM, said */
        {"page.policy", "migration", true, false},
    };
    char base[HASH_TEXT], key[HASH_TEXT];
    OWNED(machine) *sac = check_machine("machine: keys\nbase: sac\n");
    assert_true(profile_near_key(sac, PART_BASE, base));
    assert_false(profile_near_key(sac, PART_LOCALITY, key));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_machine("machine: keys\nbase: sac\n");
        check_set(machine, cases[i].path, cases[i].value);
        bool together = profile_near_key(machine, PART_BASE, key);
        assert_int_equal(together, !cases[i].alone);
        if (together)
            assert_int_equal(strcmp(key, base) == 0, cases[i].same);
    }
}

/* A level that stands in a machine's file without a capacity is none, whatever the file says of it:
 * it parts no views. */
TEST(test_key_of_no_level)
{
    char without[HASH_TEXT], with[HASH_TEXT], others[HASH_TEXT];
    OWNED(machine) *none = check_machine("machine: none\nbase: mcm\n");
    OWNED(machine) *some = check_machine("machine: some\nbase: mcm\n");
    OWNED(machine) *two = check_machine("machine: two\nbase: mcm\n");
    check_set(some, "l15.capacity", "2 MiB");
    check_set(two, "chips", "2");
    assert_true(profile_near_key(none, PART_BASE, without));
    assert_true(profile_near_key(some, PART_BASE, with));
    assert_true(profile_near_key(two, PART_BASE, others));
    assert_string_equal(without, with);
    assert_string_not_equal(without, others);
}

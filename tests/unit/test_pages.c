/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page table and the placements, against the papers' examples and against
 * plain lists of pages. */
#include "check.h"

#include "core/memory.h"
#include "profile/homes/pages.h"
#include "synthetic.h"

static const struct plugin *placement_named(const char *policy)
{
    const struct plugin *plugin = plugin_find("placement", policy);
    assert_non_null(plugin);
    return plugin;
}

static struct system system_of(const char *policy, uint32_t domains, uint32_t sms_per_domain)
{
    return (struct system){
        .chips = domains,
        .partitions = 1,
        .domains = domains,
        .sms_per_chip = sms_per_domain,
        .sms_per_domain = sms_per_domain,
        .sms = domains * sms_per_domain,
        .line_bytes = 128,
        .page_bytes = 4096,
        .interleave_bytes = 4096,
        .page_threshold = 0.9,
        .placement = placement_named(policy),
    };
}

static uint32_t touch(struct pages *pages, uint32_t sm, uint64_t line)
{
    uint32_t home = UINT32_MAX;
    check_ok(pages_touch(pages, sm, line, &home, &failure));
    return home;
}

/* --- the example of NUBA ------------------------------------------------------------- */

/* Two partitions, pages P0 to P3 first touched by SM 1, 0, 0, 1. (The paper prints another
 * home for the last page of round robin.) */
TEST(test_nuba_example)
{
    static const struct {
        const char *policy;
        uint32_t homes[4];
    } cases[] = {
        {"first-touch", {1, 0, 0, 1}}, {"round-robin", {0, 1, 0, 1}}, {"lab", {1, 0, 0, 1}}};
    static const uint32_t sms[] = {1, 0, 0, 1};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct pages pages;
        struct source source = {0};
        struct system system = system_of(cases[c].policy, 2, 1);
        check_ok(pages_init(&pages, &system, &source, &failure));
        for (uint32_t p = 0; p < 4; p++)
            assert_int_equal(touch(&pages, sms[p], 32 * p), cases[c].homes[p]);
        for (uint32_t p = 0; p < 4; p++) /* whoever touches later */
            for (uint32_t sm = 0; sm < 2; sm++)
                assert_int_equal(touch(&pages, sm, 32 * p + 31), cases[c].homes[p]);
        assert_int_equal(pages_count(&pages), 4);
        assert_int_equal(pages.per_domain[0], 2);
        assert_int_equal(pages.per_domain[1], 2);
        check_relative(pages_balance(&pages), 1, 0);
        pages_fini(&pages);
    }
}

/* One SM that touches everything: NPB goes below the threshold again and again. */
TEST(test_lab_one_toucher)
{
    struct pages pages;
    struct source source = {0};
    struct system system = system_of("lab", 3, 1);
    /* 2 (nothing yet), then NPB 1/3: 0, 2/3: 1, 1: the toucher, 4/6: 0, 5/6: 1, 1. */
    static const uint32_t homes[] = {2, 0, 1, 2, 0, 1, 2};
    check_ok(pages_init(&pages, &system, &source, &failure));
    for (uint32_t p = 0; p < 7; p++)
        assert_int_equal(touch(&pages, 2, 32 * p), homes[p]);
    pages_fini(&pages);
    /* A threshold that NPB only has to exceed: 5/6 > 0.8. */
    system.page_threshold = 0.8;
    static const uint32_t loose[] = {2, 0, 1, 2, 0, 2, 1};
    check_ok(pages_init(&pages, &system, &source, &failure));
    for (uint32_t p = 0; p < 7; p++)
        assert_int_equal(touch(&pages, 2, 32 * p), loose[p]);
    pages_fini(&pages);
}

/* --- random touches against a plain list -------------------------------------------------- */

enum { NAIVE_PAGES = 300, NAIVE_SMS = 130 };

struct naive {
    struct {
        uint64_t number;
        uint32_t home;
        bool sms[NAIVE_SMS];
    } pages[NAIVE_PAGES];
    uint32_t n;
    uint64_t per_domain[DOMAINS_MAX];
};

/* LAB in whole numbers: NPB > a/b exactly when b * sum > a * n * max. */
static uint32_t naive_lab(const struct naive *naive, uint32_t n, const uint64_t threshold[2],
                          uint32_t toucher)
{
    uint64_t sum = 0, most = 0;
    uint32_t fewest = 0;
    for (uint32_t d = 0; d < n; d++) {
        sum += naive->per_domain[d];
        if (naive->per_domain[d] > most)
            most = naive->per_domain[d];
        if (naive->per_domain[d] < naive->per_domain[fewest])
            fewest = d;
    }
    return sum == 0 || threshold[1] * sum > threshold[0] * n * most ? toucher : fewest;
}

static uint32_t naive_touch(struct naive *naive, const struct system *system,
                            const uint64_t threshold[2], uint32_t sm, uint64_t page)
{
    uint32_t p = 0, toucher = sm / system->sms_per_domain;
    while (p < naive->n && naive->pages[p].number != page)
        p++;
    if (p == naive->n) {
        const char *policy = system->placement->name;
        uint32_t home = strcmp(policy, "lab") == 0
                            ? naive_lab(naive, system->domains, threshold, toucher)
                        : strcmp(policy, "round-robin") == 0 ? p % system->domains
                                                             : toucher;
        assert_true(naive->n < NAIVE_PAGES);
        naive->n++;
        naive->pages[p].number = page;
        naive->pages[p].home = home;
        naive->per_domain[home]++;
    }
    naive->pages[p].sms[sm] = true;
    return naive->pages[p].home;
}

static void check_naive_counts(const struct pages *pages, const struct naive *naive,
                               const struct system *system)
{
    uint64_t want[PAGES_DEGREES] = {0}, got[PAGES_DEGREES], most = 0;
    for (uint32_t p = 0; p < naive->n; p++) {
        uint32_t n = 0;
        for (uint32_t sm = 0; sm < NAIVE_SMS; sm++)
            n += naive->pages[p].sms[sm];
        want[n == 1 ? 0 : n <= 10 ? 1 : n <= 25 ? 2 : 3]++;
    }
    pages_degrees(pages, got);
    assert_memory_equal(got, want, sizeof got);
    assert_int_equal(pages_count(pages), naive->n);
    for (uint32_t d = 0; d < system->domains; d++) {
        assert_int_equal(pages->per_domain[d], naive->per_domain[d]);
        most = naive->per_domain[d] > most ? naive->per_domain[d] : most;
    }
    check_relative(pages_balance(pages), (double)naive->n / (double)(system->domains * most),
                   1e-15);
}

TEST(test_random_touches)
{
    static const char *const policies[] = {"lab", "lab", "lab", "first-touch", "round-robin"};
    static const uint64_t thresholds[][2] = {{4, 5}, {9, 10}, {19, 20}, {0, 1}, {1, 1}};
    static const uint64_t sizes[] = {4096, 65536, 2 << 20, 384 /* no power of two */, 128};
    uint64_t random = 1;
    for (int round = 0; round < check_rounds(100, 1000); round++) {
        struct pages pages;
        struct source source = {0};
        struct naive *naive = memory_zero(1, sizeof *naive);
        uint32_t domains = 1 + (uint32_t)(check_random(&random) % 12);
        const uint64_t *threshold = thresholds[check_random(&random) % 5];
        struct system system = system_of(policies[check_random(&random) % 5], domains,
                                         1 + (uint32_t)(check_random(&random) % (NAIVE_SMS / 12)));
        system.page_bytes = sizes[check_random(&random) % 5];
        system.page_threshold = (double)threshold[0] / (double)threshold[1];
        uint64_t base = check_random(&random) % (1ULL << 40) / system.page_bytes, n_pages = 1;
        check_ok(pages_init(&pages, &system, &source, &failure));
        uint64_t lines = system.page_bytes / system.line_bytes;
        for (int i = 0; i < 3000; i++) {
            /* New pages come up one by one, and old ones again; few SMs touch the most. */
            if (n_pages < NAIVE_PAGES && check_random(&random) % 8 == 0)
                n_pages++;
            uint64_t page = base + check_random(&random) % n_pages * 7;
            uint32_t sm = (uint32_t)(check_random(&random) % system.sms);
            sm = page % 3 ? sm % (1 + (uint32_t)(page % system.sms)) : sm;
            assert_int_equal(touch(&pages, sm, page * lines + check_random(&random) % lines),
                             naive_touch(naive, &system, threshold, sm, page));
        }
        check_naive_counts(&pages, naive, &system);
        pages_fini(&pages);
        free(naive);
    }
}

/* The table grows; every page keeps its home and its SMs. Neighbours cost little. */
TEST(test_many_pages)
{
    enum { N = 100000, SMS = 128 };
    static const struct {
        int shift;
        double bytes; /* a page, at most */
    } cases[] = {{5, 16 + 1.5 * SMS / 8}, {20, 64 + 6 * SMS / 8}};
    for (int c = 0; c < 2; c++) {
        struct pages pages;
        struct source source = {0};
        struct system system = system_of("first-touch", 64, SMS / 64);
        uint64_t degrees[PAGES_DEGREES];
        check_ok(pages_init(&pages, &system, &source, &failure));
        for (uint64_t p = 0; p < N; p++)
            assert_int_equal(touch(&pages, (uint32_t)(p % SMS), p << cases[c].shift), p % SMS / 2);
        for (uint64_t p = 0; p < N; p++)
            assert_int_equal(touch(&pages, SMS - 1, p << cases[c].shift), p % SMS / 2);
        pages_degrees(&pages, degrees);
        assert_int_equal(degrees[0], N / SMS); /* of the last SM */
        assert_int_equal(degrees[1], N - N / SMS);
        assert_int_equal(degrees[2] + degrees[3], 0);
        assert_int_equal(pages_count(&pages), N);
        assert_true((double)pages_bytes(&pages) < cases[c].bytes * N + 32 * SMS * 8);
        pages_fini(&pages);
    }
}

TEST(test_degrees)
{
    struct pages pages;
    struct source source = {0};
    struct system system = system_of("first-touch", 1, 64);
    static const uint32_t sharers[] = {1, 2, 10, 11, 25, 26, 64, 1};
    uint64_t degrees[PAGES_DEGREES];
    check_ok(pages_init(&pages, &system, &source, &failure));
    pages_degrees(&pages, degrees);
    assert_int_equal(degrees[0] + degrees[1] + degrees[2] + degrees[3], 0);
    assert_false(pages_low_sharing(degrees));
    assert_true(isnan(pages_balance(&pages)));
    assert_int_equal(pages_count(&pages), 0);
    for (uint32_t p = 0; p < 8; p++)
        for (uint32_t twice = 0; twice < 2; twice++)
            for (uint32_t sm = 0; sm < sharers[p]; sm++)
                touch(&pages, 63 - sm, 32 * p + sm % 32);
    pages_degrees(&pages, degrees);
    assert_int_equal(degrees[0], 2);
    assert_int_equal(degrees[1], 2);
    assert_int_equal(degrees[2], 2);
    assert_int_equal(degrees[3], 2);
    pages_fini(&pages);
    assert_false(pages_low_sharing((uint64_t[]){4, 1, 0, 0})); /* 80 % are not more than 80 % */
    assert_true(pages_low_sharing((uint64_t[]){5, 1, 0, 0}));
    assert_true(pages_low_sharing((uint64_t[]){1, 0, 0, 0}));
    assert_false(pages_low_sharing((uint64_t[]){0, 0, 0, 9}));
}

/* --- placements by address -------------------------------------------------------------------- */

/* Units that divide pages, are divided by them, or neither. */
/* Addresses over 32 channels, 256 B at a time: a home for all of a unit whoever asks, as many to
 * each, and so for the stride that finds one channel alone where addresses go round. */
TEST(test_pae)
{
    enum { CHANNELS = 32, UNIT_LINES = 2, UNITS = 32000 };
    static const uint64_t strides[] = {1, CHANNELS, 1 << 12};
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        struct pages pages;
        struct source source = {0};
        struct system system = system_of("pae", CHANNELS, 2);
        uint64_t counts[CHANNELS] = {0};
        system.interleave_bytes = 256;
        check_ok(pages_init(&pages, &system, &source, &failure));
        for (uint64_t u = 0; u < UNITS; u++) {
            uint64_t line = u * strides[s] * UNIT_LINES;
            uint32_t home = touch(&pages, (uint32_t)(u % 64), line);
            assert_true(home < CHANNELS);
            assert_int_equal(touch(&pages, (uint32_t)((u + 7) % 64), line + 1), home);
            counts[home]++;
        }
        /* Of 1000 each with a deviation of 31. */
        for (int c = 0; c < CHANNELS; c++)
            assert_true(counts[c] > 850 && counts[c] < 1150);
        pages_fini(&pages);
    }
}

TEST(test_interleave)
{
    static const uint64_t units[] = {128, 256, 384, 4096, 6144, 8192, 2 << 20, 1024 * 129};
    static const uint64_t sizes[] = {4096, 384, 128, 2 << 20};
    uint64_t random = 2;
    for (int c = 0; c < 8 * 4 * 3; c++) {
        struct pages pages;
        struct source source = {0};
        struct system system = system_of("interleave", (uint32_t[]){1, 3, 4}[c / 32], 3);
        uint64_t per_domain[4] = {0};
        bool seen[64] = {false};
        system.interleave_bytes = units[c % 8];
        system.page_bytes = sizes[c / 8 % 4];
        check_ok(pages_init(&pages, &system, &source, &failure));
        for (int i = 0; i < 2000; i++) {
            uint64_t page = check_random(&random) % 64;
            uint64_t address = page * system.page_bytes + check_random(&random) % system.page_bytes;
            uint32_t sm = (uint32_t)(check_random(&random) % system.sms);
            assert_int_equal(touch(&pages, sm, address / 128),
                             address / 128 * 128 / units[c % 8] % system.domains);
            per_domain[page * system.page_bytes / units[c % 8] % system.domains] += !seen[page];
            seen[page] = true;
        }
        for (uint32_t d = 0; d < system.domains; d++) /* by the home of their first byte */
            assert_int_equal(pages.per_domain[d], per_domain[d]);
        pages_fini(&pages);
    }
}

/* By hand: 3 homes, pages of 256 bytes. */
TEST(test_blocks_by_hand)
{
    static struct stream_allocation items[] = {
        {"a", 0x1000, 7 * 256},        /* pages 16 to 22: parts of 3: 3, 3, 1 */
        {"b", 0x1700 + 10, 1},         /* page 23 alone */
        {"c", 0x1800 + 128, 1024},     /* 24 to 28: not aligned, 5 pages: 2, 2, 1 */
        {"d", 0x1d00 - 100, 512 + 50}, /* begins in 28, which is c's; 28 to 30, one each */
        {"e", 0x2000, 256 * 4},        /* 32 to 35: 2, 2, none */
        {"f", 0x2600, 256 * 3},        /* 38 to 40: one each */
    };
    /* From page 16: a, b, c, d; 31 is nobody's (31 mod 3); e; 36 and 37, nobody's; f. */
    static const char homes[] = "0001112"
                                "0"
                                "00112"
                                "12"
                                "1"
                                "0011"
                                "01"
                                "012";
    struct pages pages;
    struct source source = {.allocations = {items, 6, 6}};
    struct system system = system_of("blocks", 3, 1);
    system.page_bytes = 256;
    system.interleave_bytes = 1; /* not read */
    check_ok(pages_init(&pages, &system, &source, &failure));
    for (uint32_t p = 16; p < 41; p++)
        for (uint32_t line = 0; line < 2; line++)
            if (touch(&pages, p % 3, 2 * p + line) != (uint32_t)(homes[p - 16] - '0'))
                fail_msg("page %u, line %u", p, line);
    assert_int_equal(touch(&pages, 0, 0), 0); /* below all of them */
    assert_int_equal(touch(&pages, 0, 10), 2);
    pages_fini(&pages);

    source.allocations.count = 0; /* none is named: page number mod homes */
    check_ok(pages_init(&pages, &system, &source, &failure));
    for (uint32_t p = 0; p < 10; p++)
        assert_int_equal(touch(&pages, 1, 2 * p + 1), p % 3);
    pages_fini(&pages);
}

/* Against a table of pages that the allocations fill from the last to the first. */
TEST(test_blocks_random)
{
    enum { PAGES = 500 };
    uint64_t random = 3;
    for (int round = 0; round < check_rounds(100, 1000); round++) {
        struct pages pages;
        struct stream_allocation items[8];
        uint32_t count = (uint32_t)(check_random(&random) % 9), table[PAGES];
        struct source source = {.allocations = {items, count, 8}};
        struct system system = system_of("blocks", 1 + (uint32_t)(check_random(&random) % 9), 2);
        uint64_t size = system.page_bytes = (uint64_t)256 << check_random(&random) % 5, at = 0;
        for (uint32_t a = 0; a < count; a++) {
            at += check_random(&random) % 2 ? 0 : check_random(&random) % (5 * size);
            items[a] = (struct stream_allocation){
                "", at, 1 + check_random(&random) % (check_random(&random) % 2 ? 90 : 20000)};
            at += items[a].bytes;
        }
        for (uint32_t p = 0; p < PAGES; p++)
            table[p] = p % system.domains;
        for (uint32_t a = count; a-- > 0;) {
            uint64_t first = items[a].base / size, n = 1;
            while ((first + n) * size < items[a].base + items[a].bytes)
                n++;
            uint64_t part = (n + system.domains - 1) / system.domains;
            for (uint64_t p = 0; p < n && first + p < PAGES; p++)
                table[first + p] = (uint32_t)(p / part);
        }
        check_ok(pages_init(&pages, &system, &source, &failure));
        for (int i = 0; i < 1000; i++) {
            uint64_t page = check_random(&random) % PAGES;
            uint64_t line = (page * size + check_random(&random) % size) / 128;
            assert_int_equal(touch(&pages, (uint32_t)(i % (int)system.sms), line), table[page]);
        }
        pages_fini(&pages);
    }
}

/* --- errors
 * ---------------------------------------------------------------------------------------- */

static uint64_t odd_unit(const struct placement_context *context)
{
    return context->interleave_bytes;
}

TEST(test_errors)
{
    struct pages pages;
    struct source source = {0};
    struct stream_home homes[] = {{0, 4096, 1}};
    struct system system = system_of("recorded", 2, 1);
    uint32_t home;
    check_error(pages_init(&pages, &system, &source, &failure), STATUS_INPUT, "records no homes");
    pages_fini(&pages);
    source.homes.items = homes;
    source.homes.count = 1;
    check_ok(pages_init(&pages, &system, &source, &failure));
    assert_int_equal(touch(&pages, 0, 31), 1);
    for (int twice = 0; twice < 2; twice++)
        check_error(pages_touch(&pages, 0, 32, &home, &failure), STATUS_INPUT,
                    "page.policy recorded: the page at 0x1000 has no home");
    assert_int_equal(touch(&pages, 1, 0), 1);
    assert_int_equal(pages_count(&pages), 1);
    pages_fini(&pages);
    pages_fini(&pages); /* nothing is left */

    system = system_of("interleave", 2, 1);
    system.interleave_bytes = 0;
    check_error(pages_init(&pages, &system, &source, &failure), STATUS_UNKNOWN_FIELD,
                "needs page.interleave");
    pages_fini(&pages);
    struct placement own = *(const struct placement *)placement_named("first-touch");
    own.unit = odd_unit;
    system.placement = &own.plugin;
    for (system.interleave_bytes = 0; system.interleave_bytes <= 192;
         system.interleave_bytes += 192) {
        check_error(pages_init(&pages, &system, &source, &failure), STATUS_INPUT,
                    "divide lines of 128 bytes");
        pages_fini(&pages);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt's decision engine: hand cases, thresholds, a naive referee. */
#include "check.h"

#include "dualopt/access_class.h"

/* All pieces of a line of 64 bytes. */
enum { LINE = 0xffff };

static enum access_class class_of(const struct access_window_result *r)
{
    return access_class_of(r->remote_frac, r->used_frac, r->hit_frac);
}

TEST(test_by_hand)
{
    struct access_window_settings settings = access_window_unbounded();
    struct access_window window;
    access_window_init(&window, &settings);
    struct access_window_result r = access_window_result(&window);
    assert_int_equal(class_of(&r), ACCESS_UNDECIDED);
    assert_true(isnan(r.remote_frac) && isnan(r.used_frac) && isnan(r.hit_frac));

    access_window_take(&window, 0, 7, false, LINE, 0xffff); /* local: counted, no more */
    access_window_take(&window, 0, 8, true, LINE, 0x000f);  /* a stay of 4 pieces */
    access_window_take(&window, 0, 8, true, 0, 0x003c);     /* now 6 */
    access_window_take(&window, 1, 8, true, LINE, 0x0001);  /* another L1: 1 */
    access_window_take(&window, 0, 8, true, LINE, 0x0003);  /* fetched again: 2 */
    access_window_take(&window, 0, 8, true, 0, 0x0003);     /* nothing new */
    r = access_window_result(&window);
    assert_int_equal(r.accesses, 6);
    assert_int_equal(r.remote, 5);
    assert_int_equal(r.fetches, 3);
    check_relative(r.remote_frac, 5 / 6.0, 1e-12);
    check_relative(r.used_frac, (6 + 1 + 2) / 48.0, 1e-12);
    check_relative(r.hit_frac, 2 / 5.0, 1e-12);
    assert_int_equal(class_of(&r), ACCESS_CACHE_FRIENDLY); /* 0.1875 used, but 0.4 is not < 0.4 */
    assert_false(r.closed);

    /* The launch ends: a hit on a line that it fetched belongs to no stay. */
    access_window_begin_launch(&window);
    access_window_take(&window, 0, 8, true, 0, 0xff00);
    r = access_window_result(&window);
    check_relative(r.used_frac, 9 / 48.0, 1e-12);
    check_relative(r.hit_frac, 3 / 6.0, 1e-12);
    access_window_fini(&window);
}

/* Sectors of 4 pieces are fetched one by one: what is used of each is of its own fetch. */
TEST(test_sectors)
{
    struct access_window_settings settings = access_window_unbounded();
    struct access_window window;
    access_window_init(&window, &settings);
    for (int s = 0; s < 4; s++)
        access_window_take(&window, 0, 8, true, UINT64_C(0xf) << 4 * s, UINT64_C(0xf) << 4 * s);
    struct access_window_result r = access_window_result(&window);
    assert_int_equal(r.fetches, 4);
    check_relative(r.used_frac, 1, 0);
    access_window_take(&window, 0, 8, true, 0x00f0, 0x0033); /* one of two fetched again: 2 of 4 */
    access_window_take(&window, 0, 8, true, 0, 0xffff);      /* 2 more */
    access_window_take(&window, 0, 9, true, 0x000f, 0x0001); /* 1 of 4 */
    access_window_take(&window, 0, 9, true, 0, 0xfff1); /* fetched before the window: no more */
    r = access_window_result(&window);
    check_relative(r.used_frac, (16 + 4 + 1) / 24.0, 1e-12);
    access_window_fini(&window);
}

TEST(test_thresholds)
{
    double none = (double)NAN;
    assert_int_equal(access_class_of(none, none, none), ACCESS_UNDECIDED);
    assert_int_equal(access_class_of(0.0, none, none), ACCESS_LOCAL_DOMINATED);
    assert_int_equal(access_class_of(0.0199, 0.1, 0.1), ACCESS_LOCAL_DOMINATED);
    assert_int_equal(access_class_of(0.02, 0.1, 0.1), ACCESS_CACHE_INSENSITIVE);
    assert_int_equal(access_class_of(0.5, 0.1999, 0.3999), ACCESS_CACHE_INSENSITIVE);
    assert_int_equal(access_class_of(0.5, 0.2, 0.1), ACCESS_CACHE_FRIENDLY);
    assert_int_equal(access_class_of(0.5, 0.1, 0.4), ACCESS_CACHE_FRIENDLY);
    assert_int_equal(access_class_of(0.5, none, 1.0), ACCESS_CACHE_FRIENDLY);
    assert_string_equal(access_class_name(ACCESS_UNDECIDED), "undecided");
    assert_string_equal(access_class_name(ACCESS_LOCAL_DOMINATED), "local-dominated");
    assert_string_equal(access_class_name(ACCESS_CACHE_INSENSITIVE), "cache-insensitive");
    assert_string_equal(access_class_name(ACCESS_CACHE_FRIENDLY), "cache-friendly");
}

/* The published window: 20 000 accesses pass, then 20 000 remote ones count; what comes
 * before and after is another kind of access. */
TEST(test_published_window)
{
    struct access_window_settings settings = access_window_published();
    struct access_window window;
    access_window_init(&window, &settings);
    for (uint64_t i = 0; i < 20000; i++)
        access_window_take(&window, 0, i, true, LINE, 0xffff);
    struct access_window_result r = access_window_result(&window);
    assert_int_equal(class_of(&r), ACCESS_UNDECIDED);
    for (uint64_t i = 0; i < 40000; i++) {
        access_window_take(&window, 0, i, false, 0, 0xffff);
        access_window_take(&window, 0, i, true, LINE, 0x3);
        access_window_take(&window, 0, i, true, 0, 0x1); /* L1 serves it: it does not leave */
    }
    r = access_window_result(&window);
    assert_true(r.closed);
    assert_int_equal(r.fetches, 20000);
    assert_int_equal(r.remote, 39999);
    assert_int_equal(r.accesses, 59999);
    check_relative(r.used_frac, 0.125, 1e-12);
    check_relative(r.hit_frac, 19999 / 39999.0, 1e-12);
    assert_int_equal(class_of(&r), ACCESS_CACHE_FRIENDLY);
    access_window_fini(&window);

    /* Hits before the window: they leave it closed. */
    access_window_init(&window, &settings);
    for (uint64_t i = 0; i < 100000; i++)
        access_window_take(&window, 0, i, true, 0, 0xffff);
    r = access_window_result(&window);
    assert_int_equal(r.accesses, 0);
    access_window_fini(&window);

    /* Rare remote accesses: one in 60; it closes after a million. */
    access_window_init(&window, &settings);
    for (uint64_t i = 0; i < 1100000; i++)
        access_window_take(&window, 0, i, i % 60 == 0, LINE, 1);
    r = access_window_result(&window);
    assert_true(r.closed);
    assert_int_equal(r.accesses, 1000000);
    check_relative(r.remote_frac, 1 / 60.0, 1e-4);
    assert_int_equal(class_of(&r), ACCESS_LOCAL_DOMINATED);
    access_window_fini(&window);
}

/* The referee: the list of stays, each with what its line is asked for, piece by piece;
 * fractions are averaged at the end. */
enum { NODES = 3, LINES = 40, LENGTH = 600 };

struct naive {
    struct {
        uint32_t node;
        uint64_t line;
        bool used[64], ended;
    } stays[LENGTH];
    uint64_t n_stays, accesses, remote, hits, seen, left;
};

static bool naive_closed(const struct naive *naive, const struct access_window_settings *settings)
{
    if (settings->leaving)
        return naive->n_stays == settings->remote_accesses || naive->left == settings->accesses;
    return naive->remote == settings->remote_accesses || naive->accesses == settings->accesses;
}

static void naive_take(struct naive *naive, const struct access_window_settings *settings,
                       uint32_t node, uint64_t line, bool remote, bool hit, uint64_t pieces)
{
    if (naive_closed(naive, settings))
        return;
    if (naive->seen < settings->warm_up) {
        naive->seen += !hit || !settings->leaving;
        return;
    }
    naive->accesses++;
    naive->left += !hit;
    if (!remote)
        return;
    naive->remote++;
    naive->hits += hit;
    uint64_t at = 0;
    while (at < naive->n_stays && (naive->stays[at].ended || naive->stays[at].node != node ||
                                   naive->stays[at].line != line))
        at++;
    if (!hit) {
        if (at < naive->n_stays)
            naive->stays[at].ended = true;
        at = naive->n_stays++;
        naive->stays[at].node = node;
        naive->stays[at].line = line;
    }
    for (uint32_t p = 0; at < naive->n_stays && p < 64; p++)
        naive->stays[at].used[p] |= pieces >> p & 1;
}

static void check_against(const struct access_window *window, const struct naive *naive,
                          uint32_t pieces_per_line)
{
    const struct access_window_settings *settings = &window->settings;
    struct access_window_result r = access_window_result(window);
    assert_int_equal(r.accesses, naive->accesses);
    assert_int_equal(r.remote, naive->remote);
    assert_int_equal(r.fetches, naive->n_stays);
    assert_int_equal(r.closed, naive_closed(naive, settings));
    double used = 0;
    for (uint64_t i = 0; i < naive->n_stays; i++) {
        double pieces = 0;
        for (uint32_t p = 0; p < 64; p++)
            pieces += naive->stays[i].used[p];
        used += pieces / pieces_per_line / (double)naive->n_stays;
    }
    if (naive->accesses)
        check_relative(r.remote_frac, (double)naive->remote / (double)naive->accesses, 1e-12);
    if (naive->remote)
        check_relative(r.hit_frac, (double)naive->hits / (double)naive->remote, 1e-12);
    if (naive->n_stays)
        check_relative(r.used_frac, used, 1e-12);
}

TEST(test_against_naive)
{
    static struct naive naive;
    uint64_t random = 1;
    for (int round = check_rounds(2000, 40000); round > 0; round--) {
        memset(&naive, 0, sizeof naive);
        uint32_t pieces_per_line = 8U << check_random(&random) % 4;
        uint64_t all = UINT64_MAX >> (64 - pieces_per_line);
        struct access_window_settings settings = access_window_unbounded();
        if (check_random(&random) % 2) {
            settings.warm_up = check_random(&random) % 50;
            settings.remote_accesses = 1 + check_random(&random) % 200;
            settings.accesses = 1 + check_random(&random) % 500;
            settings.leaving = check_random(&random) % 2;
        }
        struct access_window window;
        access_window_init(&window, &settings);
        uint64_t share = check_random(&random) % 101;
        for (int i = 0; i < LENGTH; i++) {
            if (check_random(&random) % 100 == 0) {
                access_window_begin_launch(&window);
                for (uint64_t s = 0; s < naive.n_stays; s++)
                    naive.stays[s].ended = true;
            }
            uint32_t node = (uint32_t)(check_random(&random) % NODES);
            uint64_t line = check_random(&random) % LINES;
            bool remote = check_random(&random) % 100 < share, hit = check_random(&random) % 2;
            uint64_t pieces = check_random(&random) & check_random(&random) & check_random(&random);
            pieces &= all;
            access_window_take(&window, node, line, remote, hit ? 0 : all, pieces);
            naive_take(&naive, &settings, node, line, remote, hit, pieces);
        }
        check_against(&window, &naive, pieces_per_line);
        access_window_fini(&window);
    }
}

/* Many stays at once, over launches: the table grows and is used again. */
TEST(test_grows)
{
    struct access_window_settings settings = access_window_unbounded();
    struct access_window window;
    access_window_init(&window, &settings);
    enum { MANY = 50000, LAUNCHES = 4 };
    for (int launch = 0; launch < LAUNCHES; launch++) {
        access_window_begin_launch(&window);
        for (uint64_t i = 0; i < MANY; i++)
            access_window_take(&window, (uint32_t)(i % 64), i / 64, true, LINE, 1);
        for (uint64_t i = 0; i < MANY; i++)
            access_window_take(&window, (uint32_t)(i % 64), i / 64, true, 0, 3);
    }
    struct access_window_result r = access_window_result(&window);
    assert_int_equal(r.fetches, MANY * LAUNCHES);
    check_relative(r.used_frac, 2 / 16.0, 1e-12);
    assert_int_equal(window.count, MANY);
    assert_true(window.bits <= 17);
    access_window_fini(&window);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements that move or copy pages: cases by hand, and what a profile says of them. */
#include "check.h"

#include "profile/homes/pages.h"
#include "profile/record/profile.h"
#include "synthetic.h"
#include "profile/run/profiler.h"

static struct system system_of(const char *policy, uint32_t domains, uint32_t after)
{
    return (struct system){
        .chips = domains,
        .partitions = 1,
        .domains = domains,
        .sms_per_chip = 1,
        .sms_per_domain = 1,
        .sms = domains,
        .line_bytes = 128,
        .page_bytes = 4096,
        .page_move_after = after,
        .placement = plugin_find("placement", policy),
    };
}

struct moving {
    struct pages pages;
    uint64_t moves;
};

static uint32_t serve(struct moving *m, uint32_t sm, uint64_t line, bool write)
{
    uint32_t home = UINT32_MAX;
    check_ok(pages_touch(&m->pages, sm, line, &home, &failure));
    return pages_serve(&m->pages, sm, line, write, home, &m->moves);
}

TEST(test_migration)
{
    struct source source = {0};
    struct system system = system_of("migration", 3, 3);
    struct moving m = {.moves = 0};
    check_ok(pages_init(&m.pages, &system, &source, &failure));
    assert_int_equal(serve(&m, 1, 0, false), 1);
    for (int i = 0; i < 2; i++) /* twice each: nobody has asked three times */
        for (uint32_t sm = 0; sm < 3; sm++)
            assert_int_equal(serve(&m, sm, 3, sm == 0), 1);
    assert_int_equal(m.moves, 0);
    assert_int_equal(serve(&m, 2, 31, true), 1); /* the third is still served from afar */
    assert_int_equal(m.moves, 1);
    assert_int_equal(serve(&m, 2, 0, false), 2);
    assert_int_equal(serve(&m, 0, 0, false), 2);  /* counts began anew */
    assert_int_equal(serve(&m, 0, 32, false), 0); /* another page */
    assert_int_equal(serve(&m, 0, 0, false), 2);
    assert_int_equal(serve(&m, 0, 0, false), 2);
    assert_int_equal(serve(&m, 0, 0, false), 0);
    assert_int_equal(m.moves, 2);
    pages_fini(&m.pages);
}

TEST(test_replication)
{
    struct source source = {0};
    struct system system = system_of("replication", 3, 2);
    struct moving m = {.moves = 0};
    check_ok(pages_init(&m.pages, &system, &source, &failure));
    assert_int_equal(serve(&m, 1, 0, false), 1);
    for (int copy = 0; copy < 2; copy++) {
        uint32_t sm = copy ? 2 : 0;
        assert_int_equal(serve(&m, sm, 1, false), 1);
        assert_int_equal(serve(&m, sm, 2, false), 1);
        assert_int_equal(serve(&m, sm, 3, false), sm);
    }
    assert_int_equal(m.moves, 2);
    assert_int_equal(serve(&m, 1, 3, false), 1);
    assert_int_equal(serve(&m, 0, 3, true), 1); /* a write goes home, and drops the copies */
    assert_int_equal(serve(&m, 2, 3, false), 1);
    assert_int_equal(serve(&m, 0, 3, false), 1);
    assert_int_equal(serve(&m, 0, 3, false), 1);
    assert_int_equal(serve(&m, 0, 3, false), 0);
    assert_int_equal(m.moves, 3);
    pages_fini(&m.pages);
}

/* A thousand pages keep their own counts. */
TEST(test_many_pages)
{
    enum { PAGES = 3000 };
    struct source source = {0};
    struct system system = system_of("migration", 2, 1);
    struct moving m = {.moves = 0};
    check_ok(pages_init(&m.pages, &system, &source, &failure));
    for (uint64_t p = 0; p < PAGES; p++)
        serve(&m, 0, 32 * p, false);
    for (uint64_t p = 0; p < PAGES; p += 3)
        assert_int_equal(serve(&m, 1, 32 * p, false), 0);
    for (uint64_t p = 0; p < PAGES; p++)
        assert_int_equal(serve(&m, p % 3 == 0, 32 * p + 1, false), p % 3 == 0);
    assert_int_equal(m.moves, PAGES / 3);
    pages_fini(&m.pages);
}

/* Two chips; block 1 on chip 1 reads a page that chip 0 touched first. The LLC of a home sees
 * what it serves, line by line, before and after the move. */
TEST(test_profile)
{
    static const char *const policies[] = {"first-touch", "migration", "replication"};
    static const double remote[] = {8, 2, 2}, moves[] = {0, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        OWNED(profile) *profile = profile_create();
        OWNED(synthetic) *s = synthetic_create("pages");
        synthetic_kernel(s, "k", 2, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 0);
        for (uint64_t a = 0; a < 8; a++)
            synthetic_lane(s, 1, 0, ACCESS_READ, 64 * a);
        OWNED(machine) *machine = check_shipped("dualopt", NULL);
        check_set(machine, "chips", "2");
        check_set(machine, "page.policy", policies[i]);
        check_set(machine, "page.move_after", "2");
        struct profile_options options = {.parts = PART_REMOTE};
        check_ok(profile_make(profile, &s->source, machine, &options, &failure));
        const struct profile_record *r = &profile->views[0].records[0];
        check_relative(r->fields[FIELD_REQUESTS], 9, 0);
        check_relative(r->fields[FIELD_HOME_REMOTE_REQUESTS], remote[i], 0);
        check_relative(r->fields[FIELD_PAGE_MOVES], moves[i], 0);
        const struct profile_curve *home = profile_curve_find(r, "chip", "home", "all");
        assert_int_equal(home->domain_requests[0], 1 + (int)remote[i]);
        assert_int_equal(home->domain_requests[1], 8 - (int)remote[i]);
    }
}

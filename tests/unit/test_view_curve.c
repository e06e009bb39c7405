/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Miss ratios of a whole run: weighted by the requests of each record. */
#include "check.h"

#include "profile/record/view_curve.h"

/* 4 requests: one cold, one of distance 0, two below 8. */
static struct curve_point small_points[] = {{1, 1}, {7, 1}, {8, 3}};
/* 12 requests, 6 cold, 6 of distance 3. */
static struct curve_point large_points[] = {{3, 0}, {4, 6}};

static struct profile_curve curve_of(const char *side, uint64_t requests, uint64_t cold,
                                     struct curve_point *points, size_t n)
{
    return (struct profile_curve){
        .scope = "chip", .side = side, .filter = "all", .curve = {requests, cold, points, n}};
}

TEST(test_weights)
{
    struct profile_curve first[] = {curve_of("home", 4, 1, small_points, 3),
                                    curve_of("requester", 12, 6, large_points, 2)};
    struct profile_curve second[] = {curve_of("home", 12, 6, large_points, 2)};
    struct profile_curve idle[] = {curve_of("home", 0, 0, NULL, 0)};
    struct profile_record records[] = {{.curves = first, .n_curves = 2},
                                       {.curves = second, .n_curves = 1},
                                       {.curves = idle, .n_curves = 1},
                                       {.n_curves = 0}};
    struct profile_view view = {.records = records, .n_records = 4};
    /* Hits of 16 requests: 1 with one line, 1 + 6 with four, 3 + 6 with eight. */
    check_relative(view_curve_miss_ratio(&view, &first[0], 0), 1.0, 1e-15);
    check_relative(view_curve_miss_ratio(&view, &first[0], 1), 15.0 / 16, 1e-15);
    check_relative(view_curve_miss_ratio(&view, &first[0], 4), 9.0 / 16, 1e-15);
    check_relative(view_curve_miss_ratio(&view, &first[0], 8), 7.0 / 16, 1e-15);
    /* Records without the kind do not count. */
    check_relative(view_curve_miss_ratio(&view, &first[1], 4), 0.5, 1e-15);
}

TEST(test_nothing)
{
    struct profile_curve idle[] = {curve_of("home", 0, 0, NULL, 0)};
    struct profile_record record = {.curves = idle, .n_curves = 1};
    struct profile_view view = {.records = &record, .n_records = 1};
    assert_true(isnan(view_curve_miss_ratio(&view, &idle[0], 4)));
    view.n_records = 0;
    assert_true(isnan(view_curve_miss_ratio(&view, &idle[0], 4)));
}

TEST(test_kinds)
{
    struct profile_curve first[] = {curve_of("home", 4, 1, small_points, 3)};
    struct profile_curve second[] = {curve_of("requester", 12, 6, large_points, 2),
                                     curve_of("home", 12, 6, large_points, 2)};
    struct profile_record records[] = {{.curves = first, .n_curves = 1},
                                       {.curves = second, .n_curves = 2}};
    struct profile_view view = {.records = records, .n_records = 2};
    const struct profile_curve **kinds;
    assert_int_equal(view_curve_kinds(&view, &kinds), 2);
    assert_ptr_equal(kinds[0], &first[0]);
    assert_ptr_equal(kinds[1], &second[0]);
    free(kinds);
    view.n_records = 0;
    assert_int_equal(view_curve_kinds(&view, &kinds), 0);
    free(kinds);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a sweep: which views they ask for, and what they can say of a space that they see a
 * part of. */
#include "check.h"

#include "core/remark.h"
#include "explore/sweep/sweep.h"
#include "explore/sweep/sweep_state.h"
#include "explore/views/view_list.h"

SET_UP
{
    check_own_cache();
}

static const char homes[] = "space: homes\nmachine: sac\nworkloads: [\"gemm:input=small\"]\n"
                            "models: [eab]\n"
                            "axes:\n"
                            "  page.size: [1 KiB, 2 KiB, 4 KiB, 8 KiB, 16 KiB, 32 KiB]\n"
                            "  inter.link_bandwidth: [24 GB/s, 96 GB/s]\n";

static struct sweep *open_share(const char *text, uint64_t share, uint64_t shares,
                                struct space **space)
{
    struct sweep *sweep;
    check_ok(space_load(check_file("space.yaml", text), space, &failure));
    check_ok(sweep_open(*space, 1, &sweep, &failure));
    sweep->course.share = share;
    sweep->course.shares = shares;
    return sweep;
}

static int list_views(void *context, const struct sweep_plan *plan, struct error *error)
{
    check_ok(view_list_add(context, plan->tasks, plan->n_tasks, error));
    return error_set(error, STATUS_FAILED, "that was all");
}

/* Nothing is profiled: the plan is enough. */
static struct view_list views_of(const char *text, uint64_t share, uint64_t shares)
{
    struct view_list list = {0};
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = open_share(text, share, shares, &space);
    check_error(sweep_prepare(sweep, list_views, &list, &failure), STATUS_FAILED, "all");
    return list;
}

static bool lists(const struct view_list *list, const char *key)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, key) == 0)
            return true;
    return false;
}

/* Each asks for views of the whole and none else; each view is asked for by some. Returns how many
 * the share with most has. */
static size_t check_views(const char *text, uint64_t shares)
{
    struct view_list all = views_of(text, 0, 1), together = {0};
    size_t most = 0;
    for (uint64_t share = 0; share < shares; share++) {
        struct view_list own = views_of(text, share, shares);
        for (size_t i = 0; i < own.count; i++) {
            assert_true(lists(&all, own.items[i].key));
            struct view_listed found = own.items[i];
            found.machine = NULL; /* the share's */
            if (!lists(&together, found.key))
                VECTOR_PUSH(&together, found);
        }
        most = own.count > most ? own.count : most;
        view_list_fini(&own);
    }
    assert_int_equal(together.count, all.count);
    view_list_fini(&together);
    view_list_fini(&all);
    return most;
}

TEST(a_share_asks_for_the_views_of_its_own_structures)
{
    static const uint64_t counts[] = {1, 2, 3, 4, 6, 7, 40};
    struct view_list all = views_of(homes, 0, 1);
    assert_int_equal(all.count, 6);
    view_list_fini(&all);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t most = check_views(homes, counts[i]);
        /* Contiguous cells: those of ceil(6 / N) structures, and one more where a cut is inside. */
        assert_in_range(most, 1, (6 + counts[i] - 1) / counts[i] + (counts[i] > 1));
    }
}

TEST(a_best_of_all_points_needs_the_views_of_all)
{
    struct text text = {0};
    text_printf(&text, "%swhere: [\"effective_bandwidth within 5%% of best\"]\n", homes);
    struct view_list own = views_of(text.data, 1, 3);
    assert_int_equal(own.count, 6);
    view_list_fini(&own);
    text_free(&text);
}

static void keep_remark(void *context, const char *text)
{
    text_printf(context, "%s\n", text);
}

/* The link is not crossed on one chip: of two shares one sees an axis that does nothing. */
TEST(an_axis_without_effect_in_a_share_is_remarked)
{
    static const char chips[] = "space: chips\nmachine: sac\nworkloads: [\"gemm:input=small\"]\n"
                                "models: [eab]\n"
                                "axes:\n"
                                "  chips: [1, 4]\n"
                                "  inter.link_bandwidth: [24 GB/s, 96 GB/s]\n";
    for (uint64_t share = 0; share < 2; share++) {
        struct text said = {0};
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = open_share(chips, share, 2, &space);
        text_append(&said, "");
        remark_set_listener(keep_remark, &said);
        check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
        check_ok(sweep_run(sweep, &failure));
        remark_set_listener(NULL, NULL);
        assert_int_equal(strstr(said.data, "axis inter.link_bandwidth has no effect") != NULL,
                         share == 0);
        text_free(&said);
    }
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = open_share(chips, 0, 1, &space);
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
}

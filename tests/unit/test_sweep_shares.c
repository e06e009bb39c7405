/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a sweep: which views they ask for, and what they can say of a space that they see a
 * part of. */
#include "check.h"

#include "core/remark.h"
#include "core/sealed.h"
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

/* A state that a sweep goes on from, with `from` in place of `to`. */
static const char *forge_state(const char *path, const char *from, const char *to)
{
    struct text kept = {0}, forged = {0};
    assert_true(sealed_read(path, false, &kept));
    const char *at = strstr(kept.data, from);
    assert_non_null(at);
    text_printf(&forged, "%.*s%s%s", (int)(at - kept.data), kept.data, to, at + strlen(from));
    const char *other = check_path("forged.state");
    check_ok(sealed_write(other, forged.data, forged.length, &failure));
    text_free(&kept);
    text_free(&forged);
    return other;
}

/* Blocks are numbered: those of another width, and lines of another version, are other points. */
TEST(a_state_of_another_version_is_refused)
{
    char own[80], wide[80];
    struct sweep_state head = {0}, read;
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = open_share(homes, 0, 2, &space);
    char *path = memory_strdup(check_path("kept.state"));
    sweep->course.folder = check_folder();
    sweep->course.state_path = path;
    sweep->course.head = &head;
    sweep->course.save_s = HUGE_VAL;
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    check_ok(sweep_state_read(path, &read, &failure));
    assert_true(read.done);
    sweep_state_fini(&read);

    snprintf(own, sizeof own, "of blocks of %d and %d points", SCAN_WIDTH, SCAN_WIDTH_SOLVED);
    snprintf(wide, sizeof wide, "of blocks of %d and %d points", SCAN_WIDTH / 2, SCAN_WIDTH_SOLVED);
    check_ok(sweep_state_read(forge_state(path, own, own), &read, &failure));
    sweep_state_fini(&read);
    const struct {
        const char *from, *to;
    } others[] = {{own, wide}, {"sweep-state 3 ", "sweep-state 4 "}, {own, ""}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *other = forge_state(path, others[i].from, others[i].to);
        assert_true(sweep_state_is(other)); /* it may be replaced */
        check_error(sweep_state_read(other, &read, &failure), STATUS_INPUT,
                    "was made by another version");
        sweep_state_fini(&read);
        OWNED(space) *again = NULL;
        OWNED(sweep) *more = open_share(homes, 0, 2, &again);
        more->course.state_path = other;
        more->course.head = &head;
        more->course.resume = true;
        check_ok(sweep_prepare(more, NULL, NULL, &failure));
        check_error(sweep_run(more, &failure), STATUS_INPUT, "was made by another version");
        OWNED(space) *whole = NULL;
        OWNED(sweep) *merged = open_share(homes, 0, 1, &whole);
        merged->course.states = &other;
        merged->course.n_states = 1;
        check_ok(sweep_prepare(merged, NULL, NULL, &failure));
        check_error(sweep_run(merged, &failure), STATUS_INPUT, "was made by another version");
    }
    free(path);
}

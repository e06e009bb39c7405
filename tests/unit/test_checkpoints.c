/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every checkpoint of every validation is a test of its own, named "system: figure". */
#include "check.h"

#include "core/memory.h"
#include "validate/checkpoint.h"

static void test_one(void **state)
{
    const struct checkpoint *checkpoint = *state;
    struct error error;
    double ours = NAN;
    check_ok(checkpoint->compute(checkpoint, &ours, &error));
    if (!checkpoint_holds(checkpoint, ours))
        fail_msg("published %.10g %s, ours %.10g, off by %g; tolerance %g", checkpoint->published,
                 checkpoint->unit, ours, checkpoint_error(checkpoint, ours), checkpoint->tolerance);
}

/* What does not hold is seen, and what is unknown does not hold. */
static void test_holds(void **state)
{
    (void)state;
    struct checkpoint exact = {.published = 4}, near = {.published = -8, .tolerance = 0.25},
                      zero = {.published = 0, .tolerance = 0.5};
    assert_true(checkpoint_holds(&exact, 4) && checkpoint_holds(&exact, 4 * (1 + 1e-15)));
    assert_false(checkpoint_holds(&exact, 4.0001));
    assert_false(checkpoint_holds(&exact, (double)NAN));
    assert_true(checkpoint_holds(&near, -10) && checkpoint_holds(&near, -6));
    assert_false(checkpoint_holds(&near, 8) || checkpoint_holds(&near, -10.1));
    assert_true(checkpoint_holds(&zero, -0.5));
    assert_false(checkpoint_holds(&zero, 0.6));
}

int main(void)
{
    struct {
        struct CMUnitTest *items;
        size_t count, capacity;
    } tests = {0};
    struct arena *arena = arena_create();
    const struct plugin *plugin;
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_holds));
    for (size_t cursor = 0; (plugin = plugin_next("validation", &cursor));) {
        const struct checkpoint *list = ((const struct validation *)plugin)->checkpoints;
        for (; list && list->what; list++)
            VECTOR_PUSH(&tests, (struct CMUnitTest){
                                    .name = arena_printf(arena, "%s: %s", plugin->name, list->what),
                                    .test_func = test_one,
                                    .initial_state = (void *)(uintptr_t)list});
    }
    int failed = _cmocka_run_group_tests("checkpoints", tests.items, tests.count, NULL, NULL);
    VECTOR_FREE(&tests);
    arena_destroy(arena);
    return failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape profile --space S: every view that a space needs, into the cache. */
#include "cli/profile_space.h"

#include "cli/terminal.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/space/space.h"
#include "explore/sweep/sweep.h"
#include "explore/views/view_groups.h"
#include "profile/run/profiler.h"

static int announce(void *context, const struct sweep_plan *plan, struct error *error)
{
    struct sweep_plan *kept = context;
    (void)error;
    *kept = *plan;
    char passes[48];
    view_groups_note(plan->views_missing, plan->passes, passes, sizeof passes);
    message("%zu view%s to profile%s, %zu in the cache", plan->views_missing,
            plan->views_missing == 1 ? "" : "s", passes, plan->views_cached);
    return 0;
}

int profile_space(const char *name, const struct profile_options *options, bool strict,
                  struct error *error)
{
    struct space *space = NULL;
    struct sweep *sweep = NULL;
    struct sweep_plan plan = {0};
    int status = profile_cache_check(error);
    if (!status)
        status = space_load(name, &space, error);
    if (!status)
        status = sweep_open(space, parallel_cores(), &sweep, error);
    if (!status && strict)
        status = subjects_refuse_warnings(&sweep->subjects, error);
    if (!status)
        terminal_warn_subjects(sweep->subjects.items, space->n_workloads);
    if (!status)
        status = sweep_check(sweep, error);
    double start = clock_seconds();
    if (!status) {
        sweep->parts |= options->parts;
        sweep->effort = options->effort;
        sweep->keep_views = true;
        status = sweep_prepare(sweep, announce, &plan, error);
    }
    if (!status)
        message("%s: all views are in the cache (%zu profiled in %.1f s)", space->name,
                plan.views_missing, clock_seconds() - start);
    sweep_destroy(sweep);
    space_destroy(space);
    return status;
}

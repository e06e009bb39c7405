/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes and settings of a sweep that nothing reads. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/remark.h"
#include "explore/answer/effect.h"
#include "explore/sweep/structure.h"
#include "explore/sweep/sweep.h"
#include "explore/sweep/sweep_state.h"

struct read_check {
    const struct sweep *sweep;
    bool *read; /* [axis * n_workloads + workload] */
    bool *setting_read;
};

static struct effect asked_of(const struct read_check *c, bool profiled, effect_reads_fn *reads,
                              const void *context)
{
    const struct space *space = c->sweep->space;
    return (struct effect){.machine = space->machine,
                           .space = space,
                           .models = space->models,
                           .n_models = space->n_models,
                           .profiled = profiled,
                           .reads = reads,
                           .context = context};
}

/* Terms of structures are noted as they are built: an axis' for all that it assigns. */
static bool was_noted(const void *context, const char *path)
{
    const bool *noted = context;
    (void)path;
    return *noted;
}

static struct effect asked_of_axis(const struct read_check *c, size_t axis, size_t w)
{
    return asked_of(c, !subject_is_point(c->sweep->subjects.items[w]), was_noted,
                    &c->read[axis * c->sweep->space->n_workloads + w]);
}

static struct effect asked_of_setting(const struct read_check *c, size_t setting)
{
    return asked_of(c, subjects_have_streams(&c->sweep->subjects), was_noted,
                    &c->setting_read[setting]);
}

/* An axis acts on a workload when one of the parameters does that it assigns. */
static bool axis_acts(const struct read_check *c, size_t axis, size_t w)
{
    const struct space_axis *a = &c->sweep->space->axes[axis];
    struct effect asked = asked_of_axis(c, axis, w);
    bool acts = a->machine || a->size;
    for (size_t i = 0; i < a->values[0].n_assignments && !acts; i++)
        acts = effect_acts(&asked, a->values[0].assignments[i].path);
    return acts;
}

static bool settings_act(const struct read_check *c, size_t *setting)
{
    for (*setting = 0; *setting < c->sweep->n_settings; (*setting)++) {
        struct effect asked = asked_of_setting(c, *setting);
        if (!effect_acts(&asked, c->sweep->settings[*setting]))
            return false;
    }
    return true;
}

static bool axes_act(const struct read_check *c, size_t *axis, size_t *workload)
{
    for (*axis = 0; *axis < c->sweep->space->n_axes; (*axis)++)
        for (*workload = 0; *workload < c->sweep->space->n_workloads; (*workload)++)
            if (!axis_acts(c, *axis, *workload))
                return false;
    return true;
}

static int collect_reads(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct read_check *c = context;
    struct structure *structure;
    size_t axis, workload, setting;
    if (axes_act(c, &axis, &workload) && settings_act(c, &setting))
        return 0;
    int status = structure_build(c->sweep, part, index, &structure, error);
    if (status == STATUS_INFEASIBLE)
        return 0;
    if (!status) {
        structure_mark_reads(c->sweep, structure, c->read);
        for (size_t i = 0; i < c->sweep->n_settings; i++)
            c->setting_read[i] =
                c->setting_read[i] || model_reads(structure->graph, c->sweep->settings[i]);
        structure_destroy(structure);
    }
    return status;
}

static int refuse_axis(const struct read_check *c, size_t axis, size_t workload,
                       struct error *error)
{
    const struct space_axis *a = &c->sweep->space->axes[axis];
    struct effect asked = asked_of_axis(c, axis, workload);
    struct text what = {0}, on = {0};
    text_printf(&what, "axis %s", a->name);
    text_printf(&on, "workload %s", c->sweep->workload_names[workload]);
    int status = effect_refuse(&asked, a->values[0].assignments[0].path, what.data, on.data, error);
    error_place(error, &a->mark);
    text_free(&what);
    text_free(&on);
    return status;
}

/* What acts may do so in structures that another share has. */
static void remark_vain(const struct read_check *c)
{
    size_t axis, workload, setting;
    if (!axes_act(c, &axis, &workload))
        remark("axis %s has no effect on workload %s in this share; if it has none in the others, "
               "merge refuses the sweep",
               c->sweep->space->axes[axis].name, c->sweep->workload_names[workload]);
    if (!settings_act(c, &setting))
        remark("--set %s has no effect in this share; if it has none in the others, merge refuses "
               "the sweep",
               c->sweep->settings[setting]);
}

int sweep_check_reads(const struct sweep *sweep, struct error *error)
{
    struct read_check c = {.sweep = sweep};
    size_t axis, workload, setting;
    c.setting_read = memory_zero(sweep->n_settings, sizeof *c.setting_read);
    c.read = memory_zero(sweep->space->n_axes * sweep->space->n_workloads, sizeof *c.read);
    int status = sweep_for_own(sweep, collect_reads, &c, error);
    if (!status && sweep_is_part(sweep))
        remark_vain(&c);
    else if (!status && !axes_act(&c, &axis, &workload))
        status = refuse_axis(&c, axis, workload, error);
    if (!status && !sweep_is_part(sweep) && !settings_act(&c, &setting)) {
        struct effect asked = asked_of_setting(&c, setting);
        status = effect_refuse(&asked, sweep->settings[setting], NULL, NULL, error);
    }
    free(c.setting_read);
    free(c.read);
    return status;
}

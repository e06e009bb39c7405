/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/space_options.h"

#include <stdlib.h>

#include "cli/terminal.h"

int space_options_lists(const struct invocation *inv, struct space *space, struct error *error)
{
    size_t n_workloads = (size_t)option_count(inv, "workload");
    size_t n_models = (size_t)option_count(inv, "model");
    const char **workloads = option_values(inv, "workload");
    const char **models = option_values(inv, "model");
    int status = 0;
    if (n_workloads)
        space_set_workloads(space, workloads, n_workloads);
    if (option_given(inv, "input"))
        status = space_set_input(space, option_value(inv, "input", 0), error);
    if (n_models && !status)
        status = space_set_models(space, models, n_models, error);
    free(workloads);
    free(models);
    return status;
}

static int refuse_axis(const struct invocation *inv, const struct space_axis *axis,
                       struct error *error)
{
    const struct space_value *value = &axis->values[0];
    if (axis->machine && option_given(inv, "set"))
        return error_at(error, STATUS_INPUT, &axis->mark,
                        "--set: the space varies the whole machine");
    for (size_t i = 0; i < value->n_assignments; i++)
        if (terminal_setting_given(inv, value->assignments[i].path))
            return error_at(error, STATUS_INPUT, &axis->mark,
                            "--set %s: the space varies it (axis %s)", value->assignments[i].path,
                            axis->name);
    return 0;
}

int space_options_settings(const struct invocation *inv, struct space *space, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < space->n_sets; i++)
        if (terminal_setting_given(inv, space->sets[i].name))
            return error_at(error, STATUS_INPUT, &space->sets[i].mark,
                            "--set %s: the space sets it", space->sets[i].name);
    for (size_t a = 0; a < space->n_axes && !status; a++)
        status = refuse_axis(inv, &space->axes[a], error);
    return status ? status : terminal_apply_settings(inv, space->machine, error);
}

int space_options_open(const struct invocation *inv, const char *command, struct space **out,
                       struct error *error)
{
    if (argument_count(inv) != 1) {
        error_set(error, STATUS_USAGE, "%s: expected one space, got %d arguments", command,
                  argument_count(inv));
        return error_hint(error, "bandscape list spaces shows names");
    }
    int status = space_load(argument_value(inv, 0), out, error);
    if (!status)
        status = space_options_settings(inv, *out, error);
    return status ? status : space_options_lists(inv, *out, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What whatif and simulate are asked about. */
#include "cli/question.h"

#include <stdlib.h>

#include "cli/terminal.h"
#include "core/memory.h"
#include "core/plugin.h"

static int read_machine(const struct invocation *inv, const char *command, bool choices,
                        struct question *out, struct error *error)
{
    const char *name = option_value(inv, "machine", 0);
    if (!name) {
        error_set(error, STATUS_USAGE, "%s needs a machine", command);
        return error_hint(error, "--machine sac; bandscape list machines shows names");
    }
    int status = machine_load(name, &out->machine, error);
    if (status || !choices)
        return status ? status : terminal_apply_settings(inv, out->machine, error);
    status = choices_read(inv, out->machine, &out->choices, error);
    return status ? status : choices_apply(&out->choices, 0, out->machine, error);
}

int question_read_workloads(const struct invocation *inv, const char *command, struct question *out,
                            struct error *error)
{
    int n = option_count(inv, "workload");
    if (n == 0) {
        error_set(error, STATUS_USAGE, "%s needs a workload", command);
        return error_hint(error, "--workload gemm:input=small, or a file; "
                                 "bandscape list workloads shows names");
    }
    const char **specs = option_values(inv, "workload");
    struct subjects_request request = {specs, NULL, (size_t)n, option_given(inv, "strict")};
    int status = subjects_open(&out->subjects, &request, error);
    free(specs);
    return status;
}

static int add_organisation(struct question *out, const char *name, struct error *error)
{
    const struct plugin *plugin;
    int status = plugin_require("organisation", name, &plugin, error);
    if (!status)
        VECTOR_PUSH(&out->organisations, plugin->name);
    return status;
}

static int read_organisations(const struct invocation *inv, bool preferred, struct question *out,
                              struct error *error)
{
    int n = option_count(inv, "organisation"), status = 0;
    bool set = terminal_setting_given(inv, "llc.organisation");
    const char *own;
    if (n && set) {
        error_set(error, STATUS_USAGE, "--organisation and --set llc.organisation say the same");
        return error_hint(error, "--organisation may be repeated");
    }
    for (int i = 0; i < n && !status; i++)
        status = add_organisation(out, option_value(inv, "organisation", i), error);
    if (n || status)
        return status;
    const struct plugin *plugin;
    for (int i = 1; preferred && !set && (plugin = plugin_preferred("organisation", i)); i++)
        VECTOR_PUSH(&out->organisations, plugin->name);
    if (out->organisations.count)
        return 0;
    status = machine_name(out->machine, "llc.organisation", &own, error);
    return status ? status : add_organisation(out, own, error);
}

static int read_all(const struct invocation *inv, const char *command, bool preferred, bool choices,
                    struct question *out, struct error *error)
{
    *out = (struct question){0};
    int status = read_machine(inv, command, choices, out, error);
    if (!status)
        status = question_read_workloads(inv, command, out, error);
    if (!status)
        status = read_organisations(inv, preferred, out, error);
    return status;
}

int question_read(const struct invocation *inv, const char *command, bool preferred,
                  struct question *out, struct error *error)
{
    return read_all(inv, command, preferred, false, out, error);
}

int question_read_choices(const struct invocation *inv, const char *command, bool preferred,
                          struct question *out, struct error *error)
{
    return read_all(inv, command, preferred, true, out, error);
}

void question_fini(struct question *question)
{
    subjects_close(&question->subjects);
    VECTOR_FREE(&question->organisations);
    choices_fini(&question->choices);
    machine_destroy(question->machine);
}

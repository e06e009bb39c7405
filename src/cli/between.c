/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/between.h"

#include <string.h>

#include "cli/choices.h"
#include "cli/terminal.h"

static const char form[] =
    "--between llc.organisation=memory-side,sm-side, or --between sac,sac-2chip";

/* Path and names from the text; what has no path and is no pair of organisations is of machines. */
static int read_names(const char *text, struct between *out, struct error *error)
{
    const char *equals = strchr(text, '='), *values = equals ? equals + 1 : text;
    char *pair = arena_strdup(out->arena, values), *comma = strchr(pair, ',');
    if (!comma || comma == pair || !comma[1] || strchr(comma + 1, ',') ||
        (equals && (size_t)(equals - text) >= sizeof out->path)) {
        error_set(error, STATUS_USAGE, "--between: expected two designs, got \"%.80s\"", text);
        return error_hint(error, "%s", form);
    }
    *comma = '\0';
    out->names[0] = pair;
    out->names[1] = comma + 1;
    if (equals)
        choice_path(text, out->path, sizeof out->path);
    else if (plugin_find("organisation", pair) && plugin_find("organisation", comma + 1))
        strcpy(out->path, "llc.organisation");
    if (strcmp(pair, comma + 1) == 0)
        return error_set(error, STATUS_USAGE, "--between: the two are the same: %.80s", pair);
    return 0;
}

static int load(const struct invocation *inv, const char *name, struct machine **out,
                struct error *error)
{
    int status = machine_load(name, out, error);
    return status ? status : terminal_apply_settings(inv, *out, error);
}

/* sac is a machine as well. */
static bool is_organisation_alone(const char *name)
{
    struct machine *machine = NULL;
    struct error ignored;
    bool alone = plugin_find("organisation", name) && machine_load(name, &machine, &ignored) != 0;
    machine_destroy(machine);
    return alone;
}

int between_open(const struct invocation *inv, const char *command, struct between *out,
                 struct error *error)
{
    const char *text = option_value(inv, "between", 0), *name = option_value(inv, "machine", 0);
    *out = (struct between){.arena = arena_create()};
    if (!text) {
        error_set(error, STATUS_USAGE, "%s needs two designs", command);
        return error_hint(error, "%s", form);
    }
    int status = read_names(text, out, error);
    if (status)
        return status;
    if (!name && out->path[0]) {
        error_set(error, STATUS_USAGE, "%s needs a machine", command);
        return error_hint(error, "--machine sac; bandscape list machines shows names");
    }
    for (int i = 0; i < 2 && name && !out->path[0]; i++)
        if (is_organisation_alone(out->names[1 - i])) {
            const struct plugin *other;
            return plugin_require("organisation", out->names[i], &other, error);
        }
    if (name && !out->path[0]) {
        error_set(error, STATUS_USAGE, "--machine %.80s and --between %.80s: either", name, text);
        return error_hint(error, "%s", form);
    }
    for (int i = 0; i < 2 && !status; i++) {
        status = load(inv, out->path[0] ? name : out->names[i], &out->machines[i], error);
        if (!status && out->path[0])
            status = machine_set(out->machines[i], out->path, out->names[i], NULL, error);
        if (!status)
            status = machine_check(out->machines[i], error);
        if (status)
            error_context(error, "--between %.80s", out->names[i]);
    }
    if (!status && terminal_setting_given(inv, out->path))
        status = error_set(error, STATUS_USAGE, "--set %s and --between say the same", out->path);
    return status;
}

void between_close(struct between *between)
{
    for (int i = 0; i < 2; i++)
        machine_destroy(between->machines[i]);
    arena_destroy(between->arena);
}

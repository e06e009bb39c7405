/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/named.h"

#include <string.h>

#include "cli/command.h"
#include "core/catalogue.h"
#include "core/file.h"
#include "core/suggest.h"
#include "machine/machine.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

static bool has_option(const struct command *command, const char *name, const char *values)
{
    for (const struct option_row *row = command->options; row->name; row++)
        if (strcmp(row->name, name) == 0 && row->values && strcmp(row->values, values) == 0)
            return true;
    return false;
}

bool command_takes_names(const struct command *command)
{
    return !command->arguments && has_option(command, "machine", "@machines") &&
           has_option(command, "workload", "@workloads");
}

static bool is_machine(const struct catalogue *machines, const char *name)
{
    for (size_t i = 0; i < machines->count; i++)
        if (strcmp(machines->items[i].name, name) == 0)
            return true;
    return false;
}

/* "gemm" as well as "gemm:input=small"; what is wrong with settings is said where it is opened. */
static bool is_workload(struct arena *arena, const char *name)
{
    struct workload_spec spec;
    struct error ignored;
    (void)workload_spec_parse(arena, name, &spec, &ignored);
    return workload_spec_is_shipped(&spec);
}

void invocation_take_names(struct invocation *inv)
{
    if (argument_count(inv) == 0 || !command_takes_names(invocation_command(inv)))
        return;
    struct arena *arena = arena_create();
    struct catalogue machines;
    machine_catalogue(&machines);
    for (int i = 0; i < argument_count(inv);) {
        const char *name = argument_value(inv, i);
        const char *option = is_machine(&machines, name) ? "machine"
                             : is_workload(arena, name)  ? "workload"
                                                         : NULL;
        if (!option || !invocation_make_option(inv, i, option))
            i++;
    }
    catalogue_fini(&machines);
    arena_destroy(arena);
}

static void offer_workloads(struct suggest *suggest, struct arena *arena)
{
    struct workload_info *info;
    size_t count;
    struct error ignored;
    if (workload_list(arena, &info, &count, &ignored))
        return;
    for (size_t i = 0; i < count; i++)
        suggest_offer(suggest, info[i].name);
}

int hint_name(const struct invocation *inv, struct error *error)
{
    struct catalogue machines;
    struct arena *arena = arena_create();
    struct suggest suggest = suggest_begin(argument_value(inv, 0));
    machine_catalogue(&machines);
    for (size_t i = 0; i < machines.count; i++)
        suggest_offer(&suggest, machines.items[i].name);
    if (is_machine(&machines, suggest.wanted))
        error_hint(error, "one machine is asked; bandscape compare has several side by side");
    for (int i = 0; i < option_count(inv, "set"); i++)
        if (!strchr(option_value(inv, "set", i), '='))
            error_hint(error, "a setting is one word: --set %s=%s", option_value(inv, "set", i),
                       suggest.wanted);
    offer_workloads(&suggest, arena);
    if (!strpbrk(suggest.wanted, "./") && !file_exists(suggest.wanted)) /* a file was meant */
        suggest_hint(&suggest, error);
    error_hint(error, "only shipped machines and workloads stand alone; of others: --machine FILE, "
                      "--workload FILE");
    catalogue_fini(&machines);
    arena_destroy(arena);
    return error->status;
}

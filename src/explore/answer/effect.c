/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What acts on what is asked. */
#include "explore/answer/effect.h"

#include <string.h>

#include "explore/space/space.h"
#include "machine/organisation.h"
#include "machine/system.h"

/* Plug-ins may have sections of their own. */
static bool is_of_plugin(const struct parameter *p)
{
    const char *kind = p->section->schema->kind;
    return strcmp(kind, "model") == 0 || strcmp(kind, "cost") == 0;
}

/* Whether some point of the space has another machine, or the parameter at that value. */
static bool space_may(const struct space *space, const char *path, const char *value)
{
    for (size_t a = 0; space && a < space->n_axes; a++) {
        const struct space_axis *axis = &space->axes[a];
        if (axis->machine)
            return true;
        for (size_t v = 0; v < axis->n_values; v++)
            for (size_t i = 0; i < axis->values[v].n_assignments; i++) {
                const struct space_assignment *set = &axis->values[v].assignments[i];
                if (strcmp(set->path, path) == 0 && strcmp(set->text, value) == 0)
                    return true;
            }
    }
    return false;
}

/* A parameter of a plug-in that machines choose, such as a topology, where the machine and all
 * points of a space choose others. */
static bool is_of_another(const struct effect *asked, const struct parameter *p)
{
    struct parameter choice;
    size_t cursor = 0;
    bool chosen = false, choosable = false;
    while (!chosen && machine_next(asked->machine, &cursor, &choice)) {
        char path[128];
        if (!choice.row->plugin || strcmp(choice.row->plugin, p->section->schema->kind) != 0)
            continue;
        const struct parameter_value *value = &choice.section->values[choice.index];
        parameter_path(&choice, path, sizeof path);
        choosable = true;
        chosen = (value->known && strcmp(value->name, p->section->name) == 0) ||
                 space_may(asked->space, path, p->section->name);
    }
    return choosable && !chosen;
}

/* A simulation reads the machine, and all that a model takes whose choices it follows. */
static bool is_simulated(const struct effect *asked, const struct parameter *p)
{
    bool read = !is_of_plugin(p) || p->row->role != ROLE_OF_MODEL || p->row->expand;
    for (size_t m = 0; m < asked->n_models && !read; m++)
        read = strcmp(p->section->name, asked->models[m]->plugin.name) == 0;
    return read;
}

/* Shapes nothing of this machine: groups of SMs that share no level. */
static bool is_idle(const struct effect *asked, const char *path)
{
    struct system system;
    struct error ignored;
    if (strcmp(path, "sm.clusters") != 0 || space_may(asked->space, "", "") ||
        system_compile(&system, asked->machine, 0, &ignored))
        return false;
    for (uint32_t i = 0; i < system.n_levels; i++)
        if (system.levels[i].scope == PER_CLUSTER)
            return false;
    for (uint32_t i = 0; i < system.beside.n; i++)
        if (system.beside.levels[i].scope == PER_CLUSTER)
            return false;
    return true;
}

bool effect_acts(const struct effect *asked, const char *path)
{
    struct parameter p;
    struct error ignored;
    if (machine_find(asked->machine, path, &p, &ignored))
        return true;
    if (organisation_sets(path) || is_idle(asked, path) || is_of_another(asked, &p))
        return false;
    if (asked->simulation)
        return is_simulated(asked, &p);
    bool chosen = !is_of_plugin(&p) && plugin_find(p.section->schema->kind, p.section->name);
    if (p.row->structure == STRUCTURE_MODEL && (p.row->plugin || chosen))
        return true;
    bool other_view =
        p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME || p.row->expand;
    return (other_view && asked->profiled) || (asked->reads && asked->reads(asked->context, path));
}

int effect_refuse(const struct effect *asked, const char *path, const char *what, const char *on,
                  struct error *error)
{
    struct parameter p;
    struct text names = {0};
    int status = machine_find(asked->machine, path, &p, error);
    if (status)
        return status;
    what = what ? what : path;
    for (size_t m = 0; m < asked->n_models; m++)
        text_printf(&names, "%s%s", m ? ", " : "", asked->models[m]->plugin.name);
    if (organisation_sets(path)) {
        error_set(error, STATUS_INPUT, "%s has no effect: the organisation sets it", what);
        error_hint(error, "llc.organisation chooses it; bandscape list organisations shows all");
    } else if (is_idle(asked, path)) {
        error_set(error, STATUS_INPUT,
                  "%s has no effect: no level of the machine has scope cluster", what);
        error_hint(error, "say so of one: gpc: {scope: cluster, side: requester, capacity: 1 MiB}");
    } else if (is_of_another(asked, &p)) {
        error_set(error, STATUS_INPUT, "%s has no effect: the machine has another %s", what,
                  p.section->schema->kind);
    } else if (asked->simulation) {
        error_set(error, STATUS_INPUT, "%s has no effect on a simulation: the %s %s alone reads it",
                  what, p.section->schema->kind, p.section->name);
        error_hint(error, "bandscape whatif shows what models make of it");
    } else {
        error_set(error, STATUS_INPUT, "%s has no effect%s%s: no chosen model reads it (%s)%s",
                  what, on ? " on " : "", on ? on : "", names.data,
                  asked->profiled ? "" : ", and a profile of plain numbers stays as it is");
        error_hint(error, "bandscape list models NAME shows what a model reads%s",
                   asked->profiled ? ""
                                   : "; a workload that is profiled from a trace or kernel has "
                                     "miss curves and further views");
    }
    text_free(&names);
    return STATUS_INPUT;
}

int effect_require(const struct effect *asked, const char *path, struct error *error)
{
    struct parameter p;
    int status = machine_find(asked->machine, path, &p, error);
    if (status || effect_acts(asked, path))
        return status;
    return effect_refuse(asked, path, NULL, NULL, error);
}

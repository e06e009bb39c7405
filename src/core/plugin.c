/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up in the generated registry. */
#include "core/plugin.h"

#include <string.h>

#include "core/suggest.h"

const struct plugin *plugin_next(const char *kind, size_t *cursor)
{
    while (plugin_registry[*cursor]) {
        const struct plugin *plugin = plugin_registry[(*cursor)++];
        if (strcmp(plugin->kind, kind) == 0)
            return plugin;
    }
    return NULL;
}

const struct plugin *plugin_find(const char *kind, const char *name)
{
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));)
        if (strcmp(plugin->name, name) == 0)
            return plugin;
    return NULL;
}

const struct plugin *plugin_preferred(const char *kind, int place)
{
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));)
        if (plugin->preferred == place)
            return plugin;
    return NULL;
}

void plugin_names(const char *kind, struct text *out)
{
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));)
        text_printf(out, "%s%s", out->length ? ", " : "", plugin->name);
}

int plugin_require(const char *kind, const char *name, const struct plugin **out,
                   struct error *error)
{
    *out = plugin_find(kind, name);
    if (*out)
        return 0;
    error_set(error, STATUS_INPUT, "there is no %s \"%s\"", kind, name);
    struct suggest suggest = suggest_begin(name);
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));)
        suggest_offer(&suggest, plugin->name);
    struct text names = {0};
    plugin_names(kind, &names);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"? known: %s", suggest.best, names.data);
    else
        error_hint(error, "known: %s", names.length ? names.data : "none");
    text_free(&names);
    return STATUS_INPUT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Papers by name. */
#include "validate/paper.h"

#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/file.h"
#include "core/suggest.h"

static bool is_path(const char *name)
{
    return strchr(name, '/') || file_ends_in(name, ".yaml");
}

int paper_load(const char *name, struct published **out, struct error *error)
{
    struct catalogue catalogue;
    struct suggest suggest = suggest_begin(name);
    struct text names = {0};
    struct published *found = NULL;
    int status = 0;
    *out = NULL;
    if (is_path(name))
        return published_load(name, out, error);
    catalogue_read(&catalogue, "models", true, "published");
    for (size_t i = 0; i < catalogue.count && !status && !found; i++) {
        status = published_load(catalogue.items[i].path, &found, error);
        if (status)
            break;
        const char *own = found->validation.plugin.name;
        text_printf(&names, "%s%s", names.length ? ", " : "", own);
        suggest_offer(&suggest, arena_strdup(catalogue.arena, own));
        if (strcmp(own, name) == 0)
            break;
        published_destroy(found);
        found = NULL;
    }
    if (!status && !found) {
        status = error_set(error, STATUS_INPUT, "there is no paper \"%.80s\"", name);
        error_hint(error, "%s%s%sknown: %s", suggest.best ? "did you mean \"" : "",
                   suggest.best ? suggest.best : "", suggest.best ? "\"? " : "",
                   names.length ? names.data : "none");
    }
    text_free(&names);
    catalogue_fini(&catalogue);
    *out = found;
    return status;
}

int paper_load_of(const struct space *space, struct published **out, struct error *error)
{
    const char *name = space->figure.paper;
    char *path = is_path(name) ? file_beside(space->path, name) : memory_strdup(name);
    int status = paper_load(path, out, error);
    free(path);
    if (status)
        error_place(error, &space->figure.mark);
    return status;
}

int paper_figure(const struct published *paper, const char *name, const struct mark *mark,
                 const struct published_figure **out, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    for (size_t i = 0; i < paper->figures.count; i++) {
        *out = &paper->figures.items[i];
        if (strcmp((*out)->row.what, name) == 0)
            return 0;
        suggest_offer(&suggest, (*out)->row.what);
    }
    *out = NULL;
    error_at(error, STATUS_INPUT, mark, "%s publishes no figure \"%.120s\"",
             paper->validation.plugin.name, name);
    suggest_hint(&suggest, error);
    error_hint(error, "bandscape validate %s has their names", paper->validation.plugin.name);
    return STATUS_INPUT;
}

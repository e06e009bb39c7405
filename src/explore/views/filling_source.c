/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of inputs beside their profiles. */
#include "explore/views/filling_source.h"

#include <math.h>
#include <string.h>

#include "workload/open/spec.h"

static const char published_prefix[] = "published-";

/* Whether settings that are written out, as profiles keep them, are those of an input. */
static bool is_input(struct arena *arena, const struct workload_spec *spec,
                     const struct workload_info *known, const char *text)
{
    struct settings settings;
    struct error ignored;
    bool same = settings_parse(arena, text, 0, &settings, &ignored) == 0;
    for (const struct workload_parameter *p = known->parameters; p && p->name && same; p++) {
        const struct setting *ours = settings_find(&spec->settings, p->name);
        const struct setting *its = settings_find(&settings, p->name);
        same = strcmp(ours ? ours->value : p->fallback, its ? its->value : p->fallback) == 0;
    }
    return same;
}

/* The input's name; NULL: it is of the user's making. */
static const char *input_of(struct arena *arena, const struct workload_spec *spec,
                            const struct workload_info *known)
{
    if (spec->size)
        return NULL;
    if (spec->input)
        return spec->settings.count == 1 ? spec->input->value : NULL;
    if (is_input(arena, spec, known, ""))
        return "default";
    for (const struct workload_input *i = known->inputs; i && i->name; i++)
        if (is_input(arena, spec, known, i->settings))
            return i->name;
    return NULL;
}

void filling_source_open(const char *spec, struct filling_source *out)
{
    struct workload_spec parsed;
    struct error ignored;
    struct text hint = {0};
    *out = (struct filling_source){.texts = arena_create()};
    if (!spec || workload_spec_parse(out->texts, spec, &parsed, &ignored) ||
        workload_describe(out->texts, &parsed, &out->known, &ignored))
        return;
    const char *input = input_of(out->texts, &parsed, &out->known);
    if (input && strncmp(input, published_prefix, strlen(published_prefix)) == 0)
        return;
    if (!input || strcmp(input, "default") != 0)
        text_append(&hint, "default");
    for (const struct workload_published *p = out->known.published; p && p->name; p++)
        text_printf(&hint, "%s%s%s", hint.length ? " or " : "", published_prefix, p->name);
    if (hint.length)
        out->hint = arena_printf(out->texts, "use input=%s", hint.data);
    text_free(&hint);
}

void filling_source_close(struct filling_source *source)
{
    if (source->texts)
        arena_destroy(source->texts);
    *source = (struct filling_source){0};
}

/* The footprint as printed; NaN: it is not. */
static double footprint_of(const struct workload_published *published)
{
    struct error ignored;
    double bytes = (double)NAN;
    for (int f = 0; f < FIGURES && published->figures[f].name; f++)
        if (workload_figure_find(published->figures[f].name) == FIGURE_FOOTPRINT &&
            workload_figure_value(&published->figures[f], &bytes, &ignored))
            bytes = (double)NAN;
    return bytes;
}

struct filling_input filling_source_input(const struct filling_source *source,
                                          const struct machine *machine,
                                          const struct profile_view *view)
{
    struct filling_input out = {view, (double)NAN, source->hint};
    double least = (double)NAN;
    for (const struct workload_published *p = source->known.published; p && p->name; p++) {
        const char *where = p->machine ? p->machine : p->name;
        double bytes = footprint_of(p);
        least = fmin(least, bytes); /* of a number and NaN the number */
        if (machine && strcmp(where, machine->name) == 0 && isnan(out.published_bytes))
            out.published_bytes = bytes;
    }
    if (isnan(out.published_bytes))
        out.published_bytes = least;
    return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a sampler: copy it to models/<system>/<name>.sampler.c, replace "template" by <name>
 * ("-" is "_" in C names), and say what the hardware keeps, what it takes and which fields come of
 * it. `bandscape profile --with PART` makes them, and models ask for them by path:
 * model_field_named(b, "template.repeats").
 *
 * This one counts, at every home, requests for the line of the request before. Source: the paper
 * and where in it. */
#include <stdlib.h>

#include "profile/sampler.h"

struct state {
    uint32_t domains;
    uint64_t *last; /* line + 1, one a home; 0: none yet */
    uint64_t repeats;
};

static void template_init(void *context, const struct system *system)
{
    struct state *state = context;
    state->domains = system->domains;
    state->last = memory_zero(system->domains, sizeof *state->last);
}

static void template_fini(void *context)
{
    free(((struct state *)context)->last);
}

/* Values are of one launch; what the hardware keeps may stay. */
static void template_begin_launch(void *context)
{
    struct state *state = context;
    state->repeats = 0;
    for (uint32_t i = 0; i < state->domains; i++)
        state->last[i] = 0;
}

static void template_take_home(void *context, const struct request *request)
{
    struct state *state = context;
    state->repeats += state->last[request->home] == request->line + 1;
    state->last[request->home] = request->line + 1;
}

static void template_values(const void *context, double *values)
{
    values[0] = (double)((const struct state *)context)->repeats;
}

static const struct profile_field_row template_fields[] = {
    {.path = "template.repeats",
     .kind = FIELD_KIND_SUM,
     .help = "requests that reach a home right behind one for the same line"},
    {.path = NULL},
};

static const struct sampler_column template_columns[] = {
    {"template_repeats", "repeats", "of home's", .field = "template.repeats",
     .whole = "home_requests"},
    {.key = NULL},
};

const struct sampler sampler_template = {
    .plugin = {"sampler", "template", "requests for the line before", NULL, NULL},
    .system = "template",
    .part = PART_SAMPLERS,
    .fields = template_fields,
    .columns = template_columns,
    .state_size = sizeof(struct state),
    .init = template_init,
    .begin_launch = template_begin_launch,
    .take_home = template_take_home,
    .values = template_values,
    .fini = template_fini,
};

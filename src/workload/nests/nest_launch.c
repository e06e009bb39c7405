/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters, arrays and launches of a loop nest. */
#include "workload/nests/nest_launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "workload/integer.h"
#include "workload/layout.h"
#include "workload/scale.h"

/* ---- parameters --------------------------------------------------------- */

enum state { STATE_NEW, STATE_OPEN, STATE_DONE };

struct binder {
    const struct nest *nest;
    struct arena *arena;
    const struct expression **chosen; /* one per parameter */
    enum state *states;
    struct nest_values *values;
    struct error *error;
};

static int find_parameter(const struct nest *nest, const char *name)
{
    for (size_t i = 0; i < nest->n_parameters; i++)
        if (strcmp(nest->parameters[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int bind_unknown(const struct binder *b, const struct mark *mark, const char *name)
{
    struct suggest suggest = suggest_begin(name);
    struct text names = {0};
    suggest_offer(&suggest, WORKLOAD_INPUT_KEY);
    suggest_offer(&suggest, SCALE_SIZE_KEY);
    suggest_offer(&suggest, SOURCE_FIRST_KEY);
    for (size_t i = 0; i < b->nest->n_parameters; i++) {
        suggest_offer(&suggest, b->nest->parameters[i].name);
        text_printf(&names, "%s, ", b->nest->parameters[i].name);
    }
    error_at(b->error, STATUS_INPUT, mark, "%s has no parameter \"%.80s\"", b->nest->name, name);
    if (suggest.best)
        error_hint(b->error, "did you mean \"%s\"?", suggest.best);
    error_hint(b->error, "known: %sinput, size, first", names.length ? names.data : "");
    text_free(&names);
    return STATUS_INPUT;
}

static int bind_input(const struct binder *b, const struct setting *setting)
{
    struct suggest suggest = suggest_begin(setting->value);
    struct text names = {0};
    if (strcmp(setting->value, "default") == 0)
        return 0;
    for (size_t i = 0; i < b->nest->n_inputs; i++) {
        const struct nest_input *input = &b->nest->inputs[i];
        suggest_offer(&suggest, input->name);
        text_printf(&names, "%s, ", input->name);
        if (strcmp(input->name, setting->value) != 0)
            continue;
        for (size_t k = 0; k < input->n_settings; k++)
            b->chosen[find_parameter(b->nest, input->settings[k].name)] = input->settings[k].value;
        text_free(&names);
        return 0;
    }
    error_at(b->error, STATUS_INPUT, &setting->mark, "%s has no input \"%.80s\"", b->nest->name,
             setting->value);
    if (suggest.best)
        error_hint(b->error, "did you mean \"%s\"?", suggest.best);
    error_hint(b->error, "known: %sdefault", names.length ? names.data : "");
    text_free(&names);
    return STATUS_INPUT;
}

static int bind_value(struct binder *b, int index);

static int bind_resolve(void *context, const struct expression *name, int64_t *out,
                        struct error *error)
{
    struct binder *b = context;
    int index = find_parameter(b->nest, name->name);
    if (index < 0 || name->op == EXPRESSION_INDEX)
        return bind_unknown(b, &name->mark, name->name);
    if (b->states[index] == STATE_OPEN)
        return error_at(error, STATUS_INPUT, &name->mark, "the value of \"%s\" depends on itself",
                        name->name);
    int status = bind_value(b, index);
    if (!status)
        *out = b->values->items[index].value;
    return status;
}

static int bind_value(struct binder *b, int index)
{
    if (b->states[index] == STATE_DONE)
        return 0;
    b->states[index] = STATE_OPEN;
    int status = integer_evaluate(b->chosen[index], bind_resolve, b, &b->values->items[index].value,
                                  b->error);
    b->states[index] = STATE_DONE;
    return status;
}

static int bind_settings(struct binder *b, const struct settings *settings)
{
    const struct setting *input = settings_find(settings, WORKLOAD_INPUT_KEY),
                         *size = settings_find(settings, SCALE_SIZE_KEY);
    int status = input ? bind_input(b, input) : 0;
    for (size_t i = 0; i < settings->count && !status; i++) {
        const struct setting *s = &settings->items[i];
        int index = find_parameter(b->nest, s->key);
        struct expression *value;
        if (s == input || s == size)
            continue;
        if (index < 0)
            return bind_unknown(b, &s->key_mark, s->key);
        status = expression_parse(b->arena, s->value, &s->mark, &value, b->error);
        b->chosen[index] = value;
    }
    return status;
}

static int bind_values(struct binder *b)
{
    int status = 0;
    for (size_t i = 0; i < b->nest->n_parameters; i++)
        b->states[i] = STATE_NEW;
    for (size_t i = 0; i < b->nest->n_parameters && !status; i++)
        status = bind_value(b, (int)i);
    return status;
}

static bool bound_value(const void *context, const char *name, int64_t *out)
{
    const struct nest_value *value = nest_values_find(context, name);
    if (value)
        *out = value->value;
    return value != NULL;
}

/* Parameters that scale get new values in place of their expressions, all from the
 * values before; then those that depend on them follow. */
static int bind_size(struct binder *b, const struct setting *setting)
{
    const struct nest *nest = b->nest;
    double size;
    int status = scale_read_size(setting->value, &setting->mark, &size, b->error);
    if (!status && !nest->n_scale) {
        status = error_at(b->error, STATUS_INPUT, &setting->key_mark,
                          "%s does not say what its size is", nest->name);
        error_hint(b->error, "add it to the file: scale: {%s: %s*size}",
                   nest->n_parameters ? nest->parameters[0].name : "n",
                   nest->n_parameters ? nest->parameters[0].name : "n");
    }
    for (size_t i = 0; i < nest->n_scale && !status; i++) {
        const struct nest_parameter *scale = &nest->scale[i];
        int64_t value;
        status = scale_evaluate(scale->name, scale->value, size, bound_value, b->values, &value,
                                b->error);
        if (status)
            break;
        struct expression *number = arena_alloc(b->arena, sizeof *number);
        *number = (struct expression){
            .op = EXPRESSION_NUMBER, .number = (double)value, .mark = scale->value->mark};
        b->chosen[find_parameter(nest, scale->name)] = number;
    }
    return status ? status : bind_values(b);
}

int nest_bind_parameters(const struct nest *nest, const struct settings *settings,
                         struct nest_instance *out, struct error *error)
{
    *out = (struct nest_instance){.nest = nest};
    struct binder b = {nest, arena_create(), NULL, NULL, &out->parameters, error};
    b.chosen = arena_alloc(b.arena, nest->n_parameters * sizeof *b.chosen);
    b.states = arena_alloc(b.arena, nest->n_parameters * sizeof *b.states);
    for (size_t i = 0; i < nest->n_parameters; i++) {
        b.chosen[i] = nest->parameters[i].value;
        VECTOR_PUSH(&out->parameters, (struct nest_value){nest->parameters[i].name, 0, false});
    }
    const struct setting *size = settings_find(settings, SCALE_SIZE_KEY);
    int status = bind_settings(&b, settings);
    if (!status)
        status = bind_values(&b);
    if (!status && size)
        status = bind_size(&b, size);
    arena_destroy(b.arena);
    return status;
}

void nest_print_parameters(const struct nest_instance *instance, struct text *out)
{
    for (size_t i = 0; i < instance->nest->n_parameters; i++) {
        const struct nest_parameter *p = &instance->nest->parameters[i];
        int64_t usual, value = instance->parameters.items[i].value;
        struct error ignored; /* a default may be impossible beside the other values */
        int status = nest_evaluate(&instance->parameters, p->value, &usual, NULL, &ignored);
        if (status || usual != value)
            text_printf(out, "%s%s=%" PRId64, out->length ? "," : "", p->name, value);
    }
}

/* ---- arrays ------------------------------------------------------------- */

static int bind_array(struct nest_instance *instance, const struct nest_array *array,
                      struct nest_extent *extent, struct error *error)
{
    uint64_t bytes = array->element_bytes;
    bool overflow = false;
    for (int dim = 0; dim < array->n_dims; dim++) {
        const struct expression *e = array->shape[dim];
        int64_t *n = &extent->extent[dim];
        int status = nest_evaluate(&instance->parameters, e, n, NULL, error);
        if (status)
            return status;
        if (*n < 1 && e->op == EXPRESSION_NAME) { /* whoever set it need not know the file */
            error_set(error, STATUS_INPUT, "%s=%" PRId64 " leaves array %s of %s empty", e->name,
                      *n, array->name, instance->nest->name);
            return error_hint(error, "%s is 1 or more", e->name);
        }
        if (*n < 1)
            return error_at(error, STATUS_INPUT, &e->mark, "%s: an extent of %" PRId64, array->name,
                            *n);
        overflow |= __builtin_mul_overflow(bytes, (uint64_t)*n, &bytes);
    }
    extent->bytes = overflow ? UINT64_MAX : bytes;
    return 0;
}

static int bind_tables(struct nest_instance *instance, struct arena *arena, struct error *error)
{
    const struct nest *nest = instance->nest;
    struct nest_numbers *tables = arena_alloc(arena, nest->n_tables * sizeof *tables);
    int status = 0;
    for (size_t i = 0; i < nest->n_tables; i++) {
        const struct nest_table *table = &nest->tables[i];
        int64_t *values = arena_alloc(arena, table->n * sizeof *values);
        for (size_t k = 0; k < table->n && !status; k++)
            status =
                nest_evaluate(&instance->parameters, table->values[k], &values[k], NULL, error);
        tables[i] = (struct nest_numbers){table->name, values, (int64_t)table->n};
    }
    instance->parameters.tables = tables;
    instance->parameters.n_tables = nest->n_tables;
    return status;
}

int nest_bind_arrays(struct nest_instance *instance, struct source *source, struct error *error)
{
    const struct nest *nest = instance->nest;
    int failed = bind_tables(instance, source->arena, error);
    if (failed)
        return failed;
    instance->arrays = arena_alloc(source->arena, nest->n_arrays * sizeof *instance->arrays);
    for (size_t i = 0; i < nest->n_arrays; i++) {
        const struct nest_array *array = &nest->arrays[i];
        struct nest_extent *extent = &instance->arrays[i];
        int status = bind_array(instance, array, extent, error);
        if (status)
            return status;
        extent->base = layout_place(source, array->name, extent->bytes);
        if (!extent->base)
            return error_at(error, STATUS_INPUT, &array->mark,
                            "the arrays up to %s do not fit in the address space", array->name);
    }
    return 0;
}

/* ---- launches ----------------------------------------------------------- */

void launch_begin(struct launch_cursor *cursor, const struct nest_instance *instance)
{
    const struct nest *nest = instance->nest;
    memset(cursor, 0, sizeof *cursor);
    cursor->instance = instance;
    for (size_t i = 0; i < instance->parameters.count; i++)
        VECTOR_PUSH(&cursor->values, instance->parameters.items[i]);
    cursor->values.tables = instance->parameters.tables;
    cursor->values.n_tables = instance->parameters.n_tables;
    cursor->bases = memory_alloc(nest->n_arrays * sizeof *cursor->bases);
    for (size_t i = 0; i < nest->n_arrays; i++)
        cursor->bases[i] = instance->arrays[i].base;
    cursor->levels[0] = (struct launch_level){.items = nest->kernels, .count = nest->n_kernels};
}

void launch_end(struct launch_cursor *cursor)
{
    VECTOR_FREE(&cursor->values);
    free(cursor->bases);
    cursor->bases = NULL;
}

static int launch_declare(struct launch_cursor *c, const char *name, const struct mark *mark,
                          int64_t value, bool repetition, struct error *error)
{
    if (nest_values_find(&c->values, name))
        return error_at(error, STATUS_INPUT, mark, "\"%s\" is the name of something else here",
                        name);
    VECTOR_PUSH(&c->values, (struct nest_value){name, value, repetition});
    return 0;
}

/* What the host knows in this repetition of an item: its index, and the names of
 * a group. */
static int launch_names(struct launch_cursor *c, struct launch_level *level, struct error *error)
{
    const struct nest_kernel *item = &level->items[level->at];
    const struct nest_range *range = &item->repeat;
    int status = 0;
    c->values.count = level->names;
    if (range->to && range->name)
        status = launch_declare(c, range->name, &range->mark, level->iteration, true, error);
    else if (range->to) /* of nested ones the inner one holds */
        VECTOR_PUSH(&c->values, (struct nest_value){"iteration", level->iteration, true});
    for (size_t i = 0; item->n_members && i < item->body.n_lets && !status; i++) {
        const struct nest_let *let = &item->body.lets[i];
        int64_t value;
        bool repetition = false;
        status = nest_evaluate(&c->values, let->value, &value, &repetition, error);
        if (!status)
            status = launch_declare(c, let->name, &let->mark, value, repetition, error);
    }
    return status;
}

/* Begins with the repetitions of an item; *none when there are none. */
static int launch_enter(struct launch_cursor *c, struct launch_level *level, bool *none,
                        struct error *error)
{
    const struct nest_range *range = &level->items[level->at].repeat;
    int status = 0;
    level->names = c->values.count;
    level->iteration = 0;
    level->end = 1;
    if (range->from)
        status = nest_evaluate(&c->values, range->from, &level->iteration, NULL, error);
    if (!status && range->to)
        status = nest_evaluate(&c->values, range->to, &level->end, NULL, error);
    *none = !status && level->iteration >= level->end;
    return status || *none ? status : launch_names(c, level, error);
}

/* A repetition of the current item is over. */
static int launch_repeat(struct launch_cursor *c, struct launch_level *level, struct error *error)
{
    const struct nest_kernel *item = &level->items[level->at];
    for (size_t i = 0; i < item->n_swaps; i++) {
        uint64_t base = c->bases[item->swaps[i].a];
        c->bases[item->swaps[i].a] = c->bases[item->swaps[i].b];
        c->bases[item->swaps[i].b] = base;
    }
    level->launched = false;
    if (++level->iteration < level->end)
        return launch_names(c, level, error);
    c->values.count = level->names;
    level->inside = false;
    level->at++;
    return 0;
}

int launch_next(struct launch_cursor *c, const struct nest_kernel **out, struct error *error)
{
    for (int status = 0;;) {
        struct launch_level *level = &c->levels[c->depth];
        bool none = false;
        if (level->launched || (level->at == level->count && c->depth > 0)) {
            c->depth -= !level->launched; /* the group is through once */
            if ((status = launch_repeat(c, &c->levels[c->depth], error)))
                return status;
            continue;
        }
        if (level->at == level->count)
            return 0;
        if (!level->inside && (status = launch_enter(c, level, &none, error)))
            return status;
        const struct nest_kernel *item = &level->items[level->at];
        if (none) {
            level->at++;
            continue;
        }
        level->inside = true;
        if (item->n_members) {
            c->levels[++c->depth] =
                (struct launch_level){.items = item->members, .count = item->n_members};
            continue;
        }
        level->launched = true;
        *out = item;
        return 1;
    }
}

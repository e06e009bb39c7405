/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source and stream classes of loop nests. Kernels are compiled when they
 * are launched; all kinds of launches have been checked when the source opens. */
#include "workload/nests/nest_source.h"

#include <stdlib.h>
#include <string.h>

#include "workload/layout.h"
#include "workload/nests/nest_launch.h"
#include "yaml/yaml.h"

enum {
    LAUNCHES_MAX = 1000000,
    CHECKED_MAX = 1000 /* launches that differ by the index of a repetition and are checked
                        * when the source opens; later ones are when they are reached */
};

struct nest_source {
    struct source base;
    struct nest *nest;
    struct nest_instance instance;
};

struct nest_stream {
    struct stream base;
    struct launch_cursor cursor;
    bool runs;               /* false: its launches are checked, and no warp is begun */
    struct program *program; /* of the current launch */
    struct {
        struct program **items;
        size_t count, capacity;
    } kept; /* programs that serve every launch of their kernel */
    struct {
        struct past_launch {
            const struct program *program; /* a kept one */
            uint64_t *bases;
        } * items;
        size_t count, capacity;
    } past; /* launches of kept programs that differ */
};

/* ---- streams ------------------------------------------------------------ */

static struct program *stream_kept(const struct nest_stream *s, const struct nest_kernel *kernel)
{
    for (size_t i = 0; i < s->kept.count; i++)
        if (s->kept.items[i]->kernel == kernel)
            return s->kept.items[i];
    return NULL;
}

static void stream_drop(struct nest_stream *s)
{
    if (s->program && s->program->per_launch)
        program_destroy(s->program);
    s->program = NULL;
}

/* Whether the current launch makes the accesses of an earlier one: the same program on
 * arrays in the same places. */
static bool stream_repeats(struct nest_stream *s)
{
    size_t size = s->cursor.instance->nest->n_arrays * sizeof *s->cursor.bases;
    if (s->program->per_launch)
        return false;
    for (size_t i = 0; i < s->past.count; i++)
        if (s->past.items[i].program == s->program &&
            memcmp(s->past.items[i].bases, s->cursor.bases, size) == 0)
            return true;
    uint64_t *bases = memory_alloc(size);
    memcpy(bases, s->cursor.bases, size);
    VECTOR_PUSH(&s->past, (struct past_launch){s->program, bases});
    return false;
}

static int nest_next_kernel(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct nest_stream *s = (struct nest_stream *)stream;
    const struct nest_source *source = (const struct nest_source *)stream->source;
    const struct nest_kernel *kernel;
    stream_drop(s);
    int status = launch_next(&s->cursor, &kernel, error);
    if (status <= 0)
        return status;
    s->program = stream_kept(s, kernel);
    if (!s->program) {
        status = program_compile(&source->instance, kernel, &s->cursor.values, s->runs, &s->program,
                                 error);
        if (status)
            return status;
        if (!s->program->per_launch)
            VECTOR_PUSH(&s->kept, s->program);
    }
    const struct program *p = s->program;
    *out = (struct stream_kernel){.name = kernel->name,
                                  .n_ctas = p->n_ctas,
                                  .warps_per_cta = p->warps,
                                  .threads_per_cta = p->threads,
                                  .shared_bytes = p->shared_bytes,
                                  .warp_state_size = program_state_size(p),
                                  .repeats = stream_repeats(s)};
    memcpy(out->grid, p->grid, sizeof out->grid);
    memcpy(out->block, p->block, sizeof out->block);
    return 1;
}

static int nest_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                           struct error *error)
{
    (void)error;
    program_warp_begin(((struct nest_stream *)stream)->program, cta, warp, state);
    return 0;
}

static int nest_read(struct stream *stream, void *state, struct warp_buffer *out,
                     struct error *error)
{
    const struct nest_stream *s = (const struct nest_stream *)stream;
    return program_warp_read(s->program, s->cursor.bases, state, out, error);
}

/* The kernel and what its launch depends on; its name is not enough, as kernels may share one. */
static bool nest_identify(struct stream *stream, const struct stream_kernel *kernel,
                          struct hash_content *hash)
{
    const struct nest_stream *s = (const struct nest_stream *)stream;
    (void)kernel;
    hash_content_add(hash, &s->program->kernel, sizeof s->program->kernel);
    hash_content_add(hash, &s->program->launch_values, sizeof s->program->launch_values);
    hash_content_add(hash, s->cursor.bases,
                     s->cursor.instance->nest->n_arrays * sizeof *s->cursor.bases);
    return true;
}

static void nest_stream_destroy(struct stream *stream)
{
    struct nest_stream *s = (struct nest_stream *)stream;
    stream_drop(s);
    for (size_t i = 0; i < s->kept.count; i++)
        program_destroy(s->kept.items[i]);
    VECTOR_FREE(&s->kept);
    for (size_t i = 0; i < s->past.count; i++)
        free(s->past.items[i].bases);
    VECTOR_FREE(&s->past);
    launch_end(&s->cursor);
    free(s);
}

static const struct stream_class nest_stream_class = {.next_kernel = nest_next_kernel,
                                                      .warp_begin = nest_warp_begin,
                                                      .read = nest_read,
                                                      .identify = nest_identify,
                                                      .destroy = nest_stream_destroy};

static int nest_stream_open(const struct source *source, struct stream **out, struct error *error)
{
    (void)error;
    struct nest_stream *s = memory_zero(1, sizeof *s);
    s->base = (struct stream){&nest_stream_class, source};
    s->runs = true;
    launch_begin(&s->cursor, &((const struct nest_source *)source)->instance);
    *out = &s->base;
    return 0;
}

/* ---- sources ------------------------------------------------------------ */

static void nest_source_destroy(struct source *source)
{
    struct nest_source *s = (struct nest_source *)source;
    VECTOR_FREE(&s->instance.parameters);
    nest_destroy(s->nest);
    source_fini(source);
    free(s);
}

static const struct source_class nest_source_class = {
    .kind = "workload", .stream_open = nest_stream_open, .destroy = nest_source_destroy};

static int check_swaps(const struct nest_instance *instance, const struct nest_kernel *kernels,
                       size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct nest_kernel *kernel = &kernels[i];
        for (size_t k = 0; k < kernel->n_swaps; k++) {
            const struct nest_swap *swap = &kernel->swaps[k];
            const struct nest_array *arrays = instance->nest->arrays;
            if (arrays[swap->a].element_bytes != arrays[swap->b].element_bytes ||
                memcmp(instance->arrays[swap->a].extent, instance->arrays[swap->b].extent,
                       sizeof instance->arrays->extent) != 0)
                return error_at(error, STATUS_INPUT, &swap->mark,
                                "swap: %s and %s differ in shape or type", arrays[swap->a].name,
                                arrays[swap->b].name);
        }
        int status = check_swaps(instance, kernel->members, kernel->n_members, error);
        if (status)
            return status;
    }
    return 0;
}

/* Goes through the launches; compiles each kernel once, and again for each
 * repetition it depends on. */
static int check_launches(const struct nest_source *source, struct error *error)
{
    struct nest_stream *s;
    struct stream *stream;
    struct stream_kernel kernel;
    long launches = 0, compiled = 0;
    int status = nest_stream_open(&source->base, &stream, error);
    s = (struct nest_stream *)stream;
    s->runs = false;
    while (!status && compiled < CHECKED_MAX) {
        if ((status = nest_next_kernel(stream, &kernel, error)) <= 0)
            break;
        compiled += s->program->per_launch;
        status = ++launches <= LAUNCHES_MAX
                     ? 0
                     : error_at(error, STATUS_INPUT, &s->program->kernel->mark,
                                "more than %d kernel launches", LAUNCHES_MAX);
    }
    if (!status && launches == 0)
        status = error_set(error, STATUS_INPUT, "%s launches no kernel with these parameters",
                           source->base.name);
    stream_destroy(stream);
    return status;
}

static void hash_nest(struct nest_source *s)
{
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, "loop nest 1");
    hash_content_string(hash, LAYOUT_VERSION);
    hash_content_add(hash, s->nest->document->text, s->nest->document->size);
    for (size_t i = 0; i < s->instance.parameters.count; i++)
        hash_content_add(hash, &s->instance.parameters.items[i].value, sizeof(int64_t));
    hash_content_end(hash, s->base.hash);
}

int nest_source_open(struct nest *nest, const char *spec_name, const struct settings *settings,
                     struct source **out, struct error *error)
{
    struct nest_source *s = memory_zero(1, sizeof *s);
    struct text parameters = {0};
    s->base.class = &nest_source_class;
    s->base.arena = arena_create();
    s->base.name = nest->name;
    s->nest = nest;
    *out = NULL;
    int status = nest_bind_parameters(nest, settings, &s->instance, error);
    if (!status)
        status = nest_bind_arrays(&s->instance, &s->base, error);
    if (!status)
        status = check_swaps(&s->instance, nest->kernels, nest->n_kernels, error);
    if (!status)
        status = check_launches(s, error);
    if (status) {
        nest_source_destroy(&s->base);
        return status;
    }
    nest_print_parameters(&s->instance, &parameters);
    s->base.spec = arena_printf(s->base.arena, "%s%s%s", spec_name, parameters.length ? ":" : "",
                                parameters.length ? parameters.data : "");
    text_free(&parameters);
    hash_nest(s);
    *out = &s->base;
    return 0;
}

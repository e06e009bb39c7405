/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source and stream classes of irregular workloads. */
#include "workload/irregular/kernel_source.h"

#include <stdlib.h>
#include <string.h>

#include "workload/layout.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

/* ---- launches ----------------------------------------------------------- */

struct kernel_launch kernel_over(const char *name, uint64_t n, uint32_t block)
{
    return (struct kernel_launch){
        .name = name, .grid = {(uint32_t)((n + block - 1) / block)}, .block = {block}};
}

static void kernel_fill(uint32_t size[3])
{
    for (int i = 0; i < 3; i++)
        size[i] = size[i] ? size[i] : 1;
}

static int kernel_next(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct kernel_pass *pass = (struct kernel_pass *)stream;
    struct kernel_launch *launch = &pass->launch;
    struct kernel_launch next = {0};
    (void)error;
    if (!pass->source->class->next(pass, &next))
        return 0;
    kernel_fill(next.grid);
    kernel_fill(next.block);
    *launch = next;
    pass->launches++;
    pass->threads = next.block[0] * next.block[1] * next.block[2];
    *out = (struct stream_kernel){.name = next.name,
                                  .n_ctas = (uint64_t)next.grid[0] * next.grid[1] * next.grid[2],
                                  .warps_per_cta = (pass->threads + WARP_LANES - 1) / WARP_LANES,
                                  .threads_per_cta = pass->threads,
                                  .shared_bytes = next.shared_bytes,
                                  .warp_state_size =
                                      next.warp_size ? next.warp_size : sizeof(struct kernel_warp)};
    memcpy(out->grid, next.grid, sizeof out->grid);
    memcpy(out->block, next.block, sizeof out->block);
    return 1;
}

/* ---- warps -------------------------------------------------------------- */

static int kernel_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                             struct error *error)
{
    const struct kernel_pass *pass = (const struct kernel_pass *)stream;
    struct kernel_warp *w = state;
    uint32_t first = warp * WARP_LANES, left = pass->threads - first;
    (void)error;
    memset(state, 0, pass->launch.warp_size ? pass->launch.warp_size : sizeof *w);
    w->thread = cta * pass->threads + first;
    w->cta = (uint32_t)cta;
    w->warp = warp;
    w->lanes = left < WARP_LANES ? ((uint32_t)1 << left) - 1 : UINT32_MAX;
    return 0;
}

static int kernel_read(struct stream *stream, void *state, struct warp_buffer *out,
                       struct error *error)
{
    const struct kernel_pass *pass = (const struct kernel_pass *)stream;
    struct kernel_warp *w = state;
    (void)error;
    out->count = out->pool_used = 0;
    if (w->at < WARP_AT_REST && pass->launch.code(pass, w, out))
        w->at = WARP_AT_REST;
    if (w->at == WARP_AT_REST && out->count < WARP_BUFFER_ITEMS) {
        if (w->pending)
            out->items[out->count++] =
                (struct warp_access){.kind = ACCESS_NONE, .instructions = w->pending};
        w->at = WARP_AT_END;
    }
    return out->count;
}

bool warp_put(struct kernel_warp *warp, struct warp_buffer *out, struct warp_access item,
              const uint64_t *list, int n)
{
    n = access_list(&item, list, n);
    if (n > WARP_BUFFER_POOL - out->pool_used)
        return false;
    item.instructions = warp->pending + 1;
    warp->pending = 0;
    if (item.kind == ACCESS_READ)
        item.ahead = (uint8_t)(warp->together < WARP_AHEAD_MOST ? warp->together : WARP_AHEAD_MOST);
    /* A write keeps nobody waiting: nothing is under way behind it. */
    warp->together = item.kind == ACCESS_WRITE ? 0 : item.ahead + 1U;
    if (n) {
        item.addresses = memcpy(&out->pool[out->pool_used], list, (size_t)n * sizeof *list);
        out->pool_used += n;
    }
    out->items[out->count++] = item;
    return true;
}

static bool kernel_identify(struct stream *stream, const struct stream_kernel *kernel,
                            struct hash_content *hash)
{
    const struct kernel_pass *pass = (const struct kernel_pass *)stream;
    (void)kernel;
    hash_content_add(hash, &pass->launch.code, sizeof pass->launch.code);
    hash_content_add(hash, &pass->launch.data, sizeof pass->launch.data);
    return pass->launch.data != 0;
}

/* ---- passes and sources ------------------------------------------------- */

static void kernel_stream_destroy(struct stream *stream)
{
    struct kernel_pass *pass = (struct kernel_pass *)stream;
    if (pass->source->class->pass_end)
        pass->source->class->pass_end(pass);
    free(pass);
}

static const struct stream_class kernel_stream_class = {.next_kernel = kernel_next,
                                                        .warp_begin = kernel_warp_begin,
                                                        .read = kernel_read,
                                                        .identify = kernel_identify,
                                                        .destroy = kernel_stream_destroy};

static int kernel_stream_open(const struct source *source, struct stream **out, struct error *error)
{
    const struct kernel_source *kernels = (const struct kernel_source *)source;
    const struct kernel_class *class = kernels->class;
    struct kernel_pass *pass =
        memory_zero(1, class->pass_size ? class->pass_size : sizeof(struct kernel_pass));
    (void)error;
    pass->base = (struct stream){&kernel_stream_class, source};
    pass->source = kernels;
    if (class->pass_begin)
        class->pass_begin(pass);
    *out = &pass->base;
    return 0;
}

static void kernel_source_destroy(struct source *source)
{
    struct kernel_source *kernels = (struct kernel_source *)source;
    if (kernels->class->destroy)
        kernels->class->destroy(kernels);
    source_fini(source);
    free(kernels);
}

static const struct source_class kernel_source_class = {
    .kind = "workload", .stream_open = kernel_stream_open, .destroy = kernel_source_destroy};

void *kernel_source_create(const struct workload *workload, const struct kernel_class *class,
                           size_t size)
{
    struct kernel_source *source = memory_zero(1, size);
    source->base.class = &kernel_source_class;
    source->base.arena = arena_create();
    source->base.name = source->base.spec = workload->plugin.name;
    source->class = class;
    return source;
}

void kernel_place(struct kernel_source *source, const char *name, uint64_t elements,
                  uint32_t element_bytes)
{
    struct kernel_array *array = &source->arrays[source->base.allocations.count];
    if (source->misfit)
        return;
    array->element = element_bytes;
    array->base = layout_place(&source->base, name, (elements ? elements : 1) * element_bytes);
    source->misfit = array->base ? NULL : name;
}

struct hash_content *kernel_hash_begin(const struct kernel_source *source, const char *version)
{
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, version);
    hash_content_string(hash, LAYOUT_VERSION);
    for (size_t i = 0; i < source->base.allocations.count; i++) {
        const struct stream_allocation *a = &source->base.allocations.items[i];
        hash_content_add(hash, &a->base, sizeof a->base);
        hash_content_add(hash, &a->bytes, sizeof a->bytes);
    }
    return hash;
}

int kernel_source_finish(struct kernel_source *source, struct hash_content *hash,
                         struct source **out, struct error *error)
{
    int status = 0;
    hash_content_end(hash, source->base.hash);
    if (source->misfit) {
        status = error_set(error, STATUS_INPUT,
                           "%s: the arrays up to %s do not fit in the address space",
                           source->base.name, source->misfit);
        error_hint(error, "choose a smaller input");
        source_destroy(&source->base);
    }
    *out = status ? NULL : &source->base;
    return status;
}

int kernel_source_finish_values(struct kernel_source *source, const char *version,
                                const int64_t *values, int n, struct source **out,
                                struct error *error)
{
    struct hash_content *hash = kernel_hash_begin(source, version);
    hash_content_add(hash, values, (size_t)n * sizeof *values);
    return kernel_source_finish(source, hash, out, error);
}

int kernel_integers(const struct workload *workload, const char *const *values, int first,
                    const struct kernel_range *ranges, int n, int64_t *out, struct error *error)
{
    int status = 0;
    for (int i = 0; i < n && !status; i++)
        status = settings_integer(workload->parameters[first + i].name, values[first + i],
                                  ranges[i].min, ranges[i].max, &out[i], error);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of traces share: files in a temporary folder, and whole
 * streams read into memory so that they can be compared. */
#ifndef BANDSCAPE_TESTS_TRACE_CHECK_H
#define BANDSCAPE_TESTS_TRACE_CHECK_H

#include "check.h"

#include <unistd.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "trace/local.h"
#include "trace/stream.h"

/* --- random traces ---------------------------------------------------------- */

static inline void trace_random_access(struct text *text, uint64_t *random)
{
    static const int sizes[] = {1, 2, 4, 8, 12, 16, 32};
    uint64_t base = check_random(random) >> 16;
    char letter = "rwa"[check_random(random) % 3];
    text_printf(text, "%c 0x%llx", letter, (unsigned long long)base);
    uint64_t shape = check_random(random) % 4, lanes = 1 + check_random(random) % 32;
    for (uint64_t k = 1; shape == 0 && k < lanes; k++)
        text_printf(text, ",+%llu", (unsigned long long)(check_random(random) % 3 * 4));
    text_printf(text, " %d", sizes[check_random(random) % 7]);
    if (shape == 1)
        text_printf(text, " stride=%d", (int)(check_random(random) % 100));
    if (shape == 2)
        text_printf(text, " stride=%lld mask=%x", (long long)(check_random(random) % 1000) << 28,
                    (unsigned)check_random(random) | 1);
    if (check_random(random) % 2)
        text_printf(text, " insts=%u", (unsigned)(check_random(random) % 50));
    if (check_random(random) % 8 == 0)
        text_append(text, " bypass");
    if (check_random(random) % 8 == 0)
        text_append(text, check_random(random) % 2 ? " part" : " bulk");
    if (letter == 'r' && check_random(random) % 4 == 0)
        text_printf(text, " %s", access_path_names[1 + check_random(random) % (ACCESS_PATHS - 1)]);
}

/* A trace in the text form with three kernels and all kinds of accesses. */
static inline void trace_random_text(struct text *text, uint64_t *random, bool ordered, bool sms)
{
    text_append(text, "bandscape-trace 1\nallocation \"a b\" 0x100 7\nhome 0x100 7 3\n");
    for (int k = 0; k < 3; k++) {
        text_printf(text, "kernel k%d grid=2,3 block=33 %s\n", k, ordered ? "order=recorded" : "");
        for (int cta = 0; sms && cta < 6; cta++)
            text_printf(text, "cta %d sm=%d\n", cta, (cta * 5 + k) % 4);
        for (int i = 0; i < 60; i++) {
            trace_random_access(text, random);
            text_printf(text, " cta=%d warp=%d\n", (int)(check_random(random) % 6),
                        (int)(check_random(random) % 2));
        }
    }
}

/* --- whole streams ---------------------------------------------------------- */

struct trace_item {
    size_t kernel;
    uint64_t cta;
    uint32_t warp, sm;
    struct warp_access access; /* without `addresses` */
    int lanes;
    uint64_t addresses[WARP_LANES];
};

struct trace_kernel {
    char name[64];
    struct stream_kernel launch;
    uint32_t sms[64]; /* of the first CTAs */
};

struct trace_items {
    struct {
        struct trace_item *items;
        size_t count, capacity;
    } accesses;
    struct {
        struct trace_kernel *items;
        size_t count, capacity;
    } kernels;
};

static inline void trace_items_free(struct trace_items *all)
{
    VECTOR_FREE(&all->accesses);
    VECTOR_FREE(&all->kernels);
}

static inline void trace_items_add(struct trace_items *all, const struct warp_access *access,
                                   uint64_t cta, uint32_t warp, uint32_t sm)
{
    struct trace_item item = {all->kernels.count - 1, cta, warp, sm, *access, 0, {0}};
    item.lanes = __builtin_popcount(access->mask);
    for (int k = 0; k < item.lanes; k++)
        item.addresses[k] = warp_access_address(access, k);
    item.access.addresses = NULL;
    VECTOR_PUSH(&all->accesses, item);
}

static inline int trace_read_kernel(struct stream *stream, const struct stream_kernel *kernel,
                                    bool ordered, struct trace_items *all, struct error *error)
{
    struct warp_buffer buffer;
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    int status = 0;
    if (ordered && kernel->recorded_order) {
        while ((status = stream_read_ordered(stream, &buffer, origin, error)) > 0)
            for (int i = 0; i < buffer.count; i++)
                trace_items_add(all, &buffer.items[i], origin[i].cta, origin[i].warp, origin[i].sm);
        return status;
    }
    void *state = memory_alloc(kernel->warp_state_size);
    for (uint64_t cta = 0; cta < kernel->n_ctas; cta++)
        for (uint32_t warp = 0; warp < kernel->warps_per_cta && status >= 0; warp++) {
            status = stream_warp_begin(stream, cta, warp, state, error);
            while (status >= 0 && (status = stream_read(stream, state, &buffer, error)) > 0)
                for (int i = 0; i < buffer.count; i++)
                    trace_items_add(all, &buffer.items[i], cta, warp, 0);
        }
    free(state);
    return status;
}

/* One pass over a source. `ordered`: kernels with a recorded order in it. */
static inline int trace_read(const struct source *source, bool ordered, struct trace_items *all,
                             struct error *error)
{
    OWNED(stream) *stream = NULL;
    struct trace_kernel kernel;
    *all = (struct trace_items){0};
    int status = stream_open(source, &stream, error);
    if (status)
        return status;
    while ((status = stream_next_kernel(stream, &kernel.launch, error)) > 0) {
        snprintf(kernel.name, sizeof kernel.name, "%s", kernel.launch.name);
        memset(kernel.sms, 0, sizeof kernel.sms);
        for (uint32_t i = 0; kernel.launch.recorded_sm && i < 64 && i < kernel.launch.n_ctas; i++)
            kernel.sms[i] = stream_cta_sm(stream, i);
        VECTOR_PUSH(&all->kernels, kernel);
        status = trace_read_kernel(stream, &kernel.launch, ordered, all, error);
        if (status < 0)
            break;
    }
    return status;
}

/* Opens and reads; leaves nothing behind when it fails. */
static inline int trace_read_file(const char *path, bool ordered, struct trace_items *all,
                                  struct error *error)
{
    struct source *source;
    *all = (struct trace_items){0};
    int status = source_open_trace(path, &source, error);
    if (status)
        return status;
    status = trace_read(source, ordered, all, error);
    source_destroy(source);
    if (status)
        trace_items_free(all);
    return status;
}

/* A file of that name with damage of any kind, thousands of times: no crash, no leak, and
 * an error that says something, or a trace all the same. `likely`: bytes that a format's
 * reader stumbles over; `ordered`: how it is read. */
static inline void trace_check_damage(const char *name, const char *base, size_t base_size,
                                      const char *likely, size_t n_likely, bool ordered,
                                      uint64_t random)
{
    int good = 0, bad = 0;
    char *text = memory_alloc(base_size);
    const int rounds = check_damages(6000, 60000);
    for (int round = rounds; round > 0; round--) {
        size_t size = base_size;
        memcpy(text, base, size);
        if (round % 3 == 0)
            size = check_random(&random) % size;
        for (uint64_t k = round % 3 ? 1 + check_random(&random) % 4 : 0; k > 0; k--) {
            size_t at = check_random(&random) % size;
            text[at] = check_random(&random) % 4 ? likely[check_random(&random) % n_likely]
                                                 : (char)check_random(&random);
        }
        struct trace_items all;
        int status = trace_read_file(check_file_bytes(name, text, size), ordered, &all, &failure);
        if (status == 0) {
            good++;
            trace_items_free(&all);
        } else {
            bad++;
            assert_true(failure.text[0] && failure.status == status);
        }
    }
    free(text);
    assert_true(good > rounds / 60 && bad > rounds / 6);
}
/* Of string literals; their last 0 is one of the likely bytes. */
#define TRACE_CHECK_DAMAGE(name, base, likely, ordered, random)                                    \
    trace_check_damage(name, base, sizeof(base) - 1, likely, sizeof(likely), ordered, random)

struct trace_sharing {
    const struct source *source;
    size_t accesses[8];
    const char *names[8]; /* of the last kernel */
};

static inline void trace_read_in_thread(void *context, uint64_t item, int worker)
{
    struct trace_sharing *sharing = context;
    struct trace_items all;
    (void)worker;
    if (trace_read(sharing->source, item % 2, &all, &failure) == 0) {
        sharing->accesses[item] = all.accesses.count;
        sharing->names[item] = all.kernels.items[all.kernels.count - 1].launch.name;
    }
    trace_items_free(&all);
}

/* Many passes over one source at once: each has so many accesses, and one text serves all
 * as the last kernel's name. */
static inline void trace_check_threads(const struct source *source, size_t accesses,
                                       const char *last_name)
{
    struct trace_sharing sharing = {.source = source};
    parallel_for(4, 8, trace_read_in_thread, &sharing);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(sharing.accesses[i], accesses);
        assert_string_equal(sharing.names[i], last_name);
        assert_ptr_equal(sharing.names[i], sharing.names[0]);
    }
}

static inline void trace_check_equal(const struct trace_items *a, const struct trace_items *b)
{
    assert_int_equal(a->kernels.count, b->kernels.count);
    for (size_t i = 0; i < a->kernels.count; i++) {
        const struct trace_kernel *x = &a->kernels.items[i], *y = &b->kernels.items[i];
        assert_string_equal(x->name, y->name);
        assert_memory_equal(x->launch.grid, y->launch.grid, sizeof x->launch.grid);
        assert_memory_equal(x->launch.block, y->launch.block, sizeof x->launch.block);
        assert_int_equal(x->launch.n_ctas, y->launch.n_ctas);
        assert_int_equal(x->launch.shared_bytes, y->launch.shared_bytes);
        assert_int_equal(x->launch.recorded_sm, y->launch.recorded_sm);
        assert_int_equal(x->launch.recorded_order, y->launch.recorded_order);
        assert_memory_equal(&x->launch.dropped, &y->launch.dropped, sizeof x->launch.dropped);
        assert_memory_equal(x->sms, y->sms, sizeof x->sms);
    }
    assert_int_equal(a->accesses.count, b->accesses.count);
    for (size_t i = 0; i < a->accesses.count; i++) {
        const struct trace_item *x = &a->accesses.items[i], *y = &b->accesses.items[i];
        if (x->kernel != y->kernel || x->cta != y->cta || x->warp != y->warp || x->sm != y->sm ||
            x->access.mask != y->access.mask || x->access.kind != y->access.kind ||
            x->access.bytes != y->access.bytes || x->access.flags != y->access.flags ||
            x->access.path != y->access.path || x->access.instructions != y->access.instructions ||
            x->access.stride != y->access.stride ||
            memcmp(x->addresses, y->addresses, sizeof x->addresses) != 0)
            fail_msg("access %zu differs (kernel %zu CTA %llu warp %u)", i, x->kernel,
                     (unsigned long long)x->cta, x->warp);
    }
}

#endif

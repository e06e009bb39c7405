/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often each element of each array is read, written and updated: by a
 * stream, and by a plain C execution of the same algorithm. */
#ifndef BANDSCAPE_TESTS_KERNEL_CHECK_H
#define BANDSCAPE_TESTS_KERNEL_CHECK_H

#include "workload/irregular/kernel_source.h"
#include "workload_check.h"

enum { KERNEL_COUNTS_MAX = 64 };

struct kernel_count {
    const char *name;
    uint32_t unit;   /* bytes that are counted as one element */
    uint64_t n;      /* elements */
    uint32_t *of[4]; /* by enum access_kind */
};

struct kernel_counts {
    struct kernel_count items[KERNEL_COUNTS_MAX];
    int n;
};

/* Arrays in the order of the workload's allocations. */
static inline void kernel_counts_add(struct kernel_counts *counts, const char *name, uint64_t n,
                                     uint32_t unit)
{
    struct kernel_count *c = &counts->items[counts->n++];
    *c = (struct kernel_count){.name = name, .unit = unit, .n = n};
    for (int kind = ACCESS_READ; kind <= ACCESS_ATOMIC; kind++)
        c->of[kind] = memory_zero(n, sizeof(uint32_t));
}

static inline void kernel_counts_free(struct kernel_counts *counts)
{
    for (int i = 0; i < counts->n; i++)
        for (int kind = ACCESS_READ; kind <= ACCESS_ATOMIC; kind++)
            free(counts->items[i].of[kind]);
    counts->n = 0;
}

static inline void kernel_count_access(struct kernel_counts *counts, int array, uint64_t element,
                                       int kind)
{
    assert_true(array < counts->n && element < counts->items[array].n);
    counts->items[array].of[kind][element]++;
}

static inline void kernel_count_item(const struct source *source, const struct trace_item *item,
                                     struct kernel_counts *counts)
{
    for (int lane = 0; lane < item->lanes; lane++) {
        const struct stream_allocation *a = workload_array(source, item->addresses[lane]);
        int array = (int)(a - source->allocations.items);
        const struct kernel_count *c = &counts->items[array];
        uint64_t at = item->addresses[lane] - a->base;
        if (at % c->unit || item->access.bytes % c->unit)
            fail_msg("%s: an access of %u bytes at %" PRIu64, c->name, item->access.bytes, at);
        for (uint64_t e = 0; e < item->access.bytes / c->unit; e++)
            kernel_count_access(counts, array, at / c->unit + e, item->access.kind);
    }
}

/* The workload touches each element as often as `want` says, launches what is
 * named ("a b a b"), and has the arrays of `want`, which is freed. */
static inline void kernel_check_counts(const char *spec, struct kernel_counts *want,
                                       const char *launches)
{
    static const char *const kinds[] = {"", "reads", "writes", "atomics"};
    struct trace_items all;
    struct kernel_counts got = {0};
    struct text names = {0};
    OWNED(source) *source = check_source(spec);
    assert_int_equal(source->allocations.count, want->n);
    for (int i = 0; i < want->n; i++) {
        const struct kernel_count *c = &want->items[i];
        assert_string_equal(source->allocations.items[i].name, c->name);
        if (source->allocations.items[i].bytes != c->n * c->unit)
            fail_msg("%s: %s has %" PRIu64 " bytes, not %" PRIu64, spec, c->name,
                     source->allocations.items[i].bytes, c->n * c->unit);
        kernel_counts_add(&got, c->name, c->n, c->unit);
    }
    check_ok(trace_read(source, false, &all, &failure));
    for (size_t k = 0; k < all.kernels.count; k++)
        text_printf(&names, "%s%s", k ? " " : "", all.kernels.items[k].name);
    assert_string_equal(names.data, launches);
    for (size_t k = 0; k < all.accesses.count; k++)
        kernel_count_item(source, &all.accesses.items[k], &got);
    for (int i = 0; i < want->n; i++)
        for (int kind = ACCESS_READ; kind <= ACCESS_ATOMIC; kind++)
            for (uint64_t e = 0; e < want->items[i].n; e++)
                if (got.items[i].of[kind][e] != want->items[i].of[kind][e])
                    fail_msg("%s: %s[%" PRIu64 "]: %u %s, expected %u", spec, want->items[i].name,
                             e, got.items[i].of[kind][e], kinds[kind], want->items[i].of[kind][e]);
    kernel_counts_free(want);
    kernel_counts_free(&got);
    text_free(&names);
    trace_items_free(&all);
}

/* Inside a function that has `struct kernel_counts c`. */
#define R(array, element) kernel_count_access(&c, array, element, ACCESS_READ)
#define W(array, element) kernel_count_access(&c, array, element, ACCESS_WRITE)
#define A(array, element) kernel_count_access(&c, array, element, ACCESS_ATOMIC)

/* A hash of all that a stream says. */
static inline uint64_t kernel_stream_hash(const struct source *source)
{
    struct trace_items all;
    uint64_t hash = 1;
    if (trace_read(source, false, &all, &failure))
        return 0;
    for (size_t k = 0; k < all.accesses.count; k++) {
        const struct trace_item *item = &all.accesses.items[k];
        const uint64_t words[] = {item->kernel,
                                  item->cta,
                                  item->warp,
                                  item->access.mask,
                                  item->access.bytes,
                                  item->access.kind,
                                  item->access.instructions};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            hash = hash_fmix64(hash ^ words[i]);
        for (int i = 0; i < item->lanes; i++)
            hash = hash_fmix64(hash ^ item->addresses[i]);
    }
    trace_items_free(&all);
    return hash;
}

/* Warps of a launch begun and read in turns, from the last to the first, each until it is
 * where `all` says, whose accesses of the launch begin at `first`. */
static inline size_t kernel_read_in_turns(struct stream *stream, const struct stream_kernel *kernel,
                                          size_t launch, size_t first,
                                          const struct trace_items *all)
{
    size_t warps = (size_t)kernel->n_ctas * kernel->warps_per_cta, open = warps, matched = 0;
    char *states = memory_alloc(warps * kernel->warp_state_size);
    size_t *next = memory_alloc(warps * sizeof *next);
    for (size_t w = warps; w-- > 0;) {
        check_ok(stream_warp_begin(stream, w / kernel->warps_per_cta,
                                   (uint32_t)(w % kernel->warps_per_cta),
                                   states + w * kernel->warp_state_size, &failure));
        next[w] = SIZE_MAX;
    }
    size_t end = first; /* where each warp's accesses begin */
    while (end < all->accesses.count && all->accesses.items[end].kernel == launch)
        end++;
    for (size_t i = end; i-- > first;) {
        const struct trace_item *item = &all->accesses.items[i];
        next[item->cta * kernel->warps_per_cta + item->warp] = i;
    }
    while (open > 0) {
        open = 0;
        for (size_t w = warps; w-- > 0;) {
            struct warp_buffer buffer;
            int count =
                stream_read(stream, states + w * kernel->warp_state_size, &buffer, &failure);
            assert_true(count >= 0);
            open += count > 0;
            for (int i = 0; i < count; i++, matched++) {
                const struct trace_item *item = &all->accesses.items[next[w]++];
                const struct warp_access *access = &buffer.items[i];
                bool same =
                    item->kernel == launch && item->cta * kernel->warps_per_cta + item->warp == w &&
                    item->access.mask == access->mask && item->access.kind == access->kind &&
                    item->access.instructions == access->instructions;
                for (int k = 0; k < item->lanes && same; k++)
                    same = item->addresses[k] == warp_access_address(access, k);
                if (!same)
                    fail_msg("launch %zu, warp %zu: another access in another order", launch, w);
            }
        }
    }
    free(states);
    free(next);
    return matched;
}

/* The warps of each launch see the same in any order, with buffers in between. */
static inline void kernel_check_any_order(const char *spec)
{
    struct stream_kernel kernel;
    struct trace_items all;
    size_t launch = 0, matched = 0;
    OWNED(source) *source = check_source(spec);
    OWNED(stream) *stream = NULL;
    check_ok(trace_read(source, false, &all, &failure));
    check_ok(stream_open(source, &stream, &failure));
    for (; stream_next_kernel(stream, &kernel, &failure) > 0; launch++)
        matched += kernel_read_in_turns(stream, &kernel, launch, matched, &all);
    assert_int_equal(matched, all.accesses.count);
    trace_items_free(&all);
}

/* What the algorithm comes to: the result of a pass that goes through all launches. */
static inline uint64_t kernel_result(const char *spec)
{
    struct stream_kernel kernel;
    OWNED(source) *source = check_source(spec);
    OWNED(stream) *stream = NULL;
    check_ok(stream_open(source, &stream, &failure));
    while (stream_next_kernel(stream, &kernel, &failure) > 0)
        ;
    const struct kernel_pass *pass = (const struct kernel_pass *)stream;
    return pass->source->class->result(pass);
}

#endif

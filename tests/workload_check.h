/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of workloads share: loop nests from text, and streams as text
 * that can be compared with what was worked out by hand. */
#ifndef BANDSCAPE_TESTS_WORKLOAD_CHECK_H
#define BANDSCAPE_TESTS_WORKLOAD_CHECK_H

#include <inttypes.h>

#include "trace_check.h"
#include "workload/workload.h"

/* Writes the nest to a file and opens it; `settings` like ":n=4" or "". */
static inline int workload_open_text(const char *yaml, const char *settings, struct source **out,
                                     struct error *error)
{
    char spec[1024];
    snprintf(spec, sizeof spec, "%s%s", check_file("nest.yaml", yaml), settings);
    return source_open(spec, out, error);
}

/* The allocation that holds an address. */
static inline const struct stream_allocation *workload_array(const struct source *source,
                                                             uint64_t address)
{
    for (size_t i = 0; i < source->allocations.count; i++) {
        const struct stream_allocation *a = &source->allocations.items[i];
        if (address >= a->base && address - a->base < a->bytes)
            return a;
    }
    fail_msg("address %#" PRIx64 " lies in no array", address);
    return NULL;
}

/* "cta.warp kind array elements /mask +instructions"; elements as first:last:step
 * when they are evenly spaced and more than two. */
static inline void workload_print_item(const struct source *source, const struct trace_item *item,
                                       struct text *out)
{
    static const char kinds[] = "-rwa";
    text_printf(out, "%" PRIu64 ".%u %c", item->cta, item->warp, kinds[item->access.kind]);
    if (item->access.kind != ACCESS_NONE) {
        const struct stream_allocation *array = workload_array(source, item->addresses[0]);
        int64_t bytes = item->access.bytes, step = 0;
        bool even = item->lanes > 2;
        for (int k = 1; k < item->lanes; k++) {
            int64_t next = (int64_t)(item->addresses[k] - item->addresses[k - 1]);
            even = even && (k == 1 || next == step);
            step = next;
        }
        text_printf(out, " %s ", array->name);
        for (int k = 0; k < item->lanes && !even; k++)
            text_printf(out, "%s%" PRId64, k ? "," : "",
                        (int64_t)(item->addresses[k] - array->base) / bytes);
        if (even)
            text_printf(out, "%" PRId64 ":%" PRId64 ":%" PRId64,
                        (int64_t)(item->addresses[0] - array->base) / bytes,
                        (int64_t)(item->addresses[item->lanes - 1] - array->base) / bytes,
                        step / bytes);
        text_printf(out, " /%x", item->access.mask);
    }
    text_printf(out, " +%u\n", item->access.instructions);
}

/* The whole stream; a line "name gx,gy,gz bx,by,bz" before each launch. */
static inline int workload_print(const struct source *source, struct text *out, struct error *error)
{
    struct trace_items all;
    int status = trace_read(source, false, &all, error);
    size_t at = 0;
    text_append(out, "");
    for (size_t k = 0; k < all.kernels.count && !status; k++) {
        const struct stream_kernel *launch = &all.kernels.items[k].launch;
        text_printf(out, "%s %u,%u,%u %u,%u,%u\n", all.kernels.items[k].name, launch->grid[0],
                    launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                    launch->block[2]);
        for (; at < all.accesses.count && all.accesses.items[at].kernel == k; at++)
            workload_print_item(source, &all.accesses.items[at], out);
    }
    trace_items_free(&all);
    return status;
}

/* The nest's stream is exactly that text. */
static inline void workload_check_text(const char *yaml, const char *settings, const char *wanted)
{
    OWNED(source) *source = NULL;
    struct text got = {0};
    check_ok(workload_open_text(yaml, settings, &source, &failure));
    check_ok(workload_print(source, &got, &failure));
    assert_string_equal(got.data, wanted);
    text_free(&got);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every workload in C: passes of several threads over one source
 * see one stream, warps may be read in any order, every access lies in an array,
 * inputs are small where they say so, and their parameters are checked. */
#include "core/parallel.h"
#include "kernel_check.h"

static const struct workload *next_workload(size_t *cursor)
{
    return (const struct workload *)plugin_next("workload", cursor);
}

static void small_spec(const struct workload *w, char spec[200])
{
    snprintf(spec, 200, "%s:input=small", w->plugin.name);
}

struct sharing {
    const struct source *source;
    uint64_t hashes[3];
};

static void hash_in_thread(void *context, uint64_t item, int worker)
{
    struct sharing *sharing = context;
    (void)worker;
    sharing->hashes[item] = kernel_stream_hash(sharing->source);
}

TEST(test_threads_share_sources)
{
    size_t cursor = 0;
    for (const struct workload *w; (w = next_workload(&cursor));) {
        struct sharing sharing = {0};
        char spec[200];
        small_spec(w, spec);
        OWNED(source) *source = check_source(spec);
        sharing.source = source;
        parallel_for(3, 3, hash_in_thread, &sharing);
        for (int i = 0; i < 3; i++)
            if (!sharing.hashes[i] || sharing.hashes[i] != sharing.hashes[0])
                fail_msg("%s: pass %d is another stream", spec, i);
    }
}

TEST(test_any_order_of_warps)
{
    size_t cursor = 0;
    for (const struct workload *w; (w = next_workload(&cursor));) {
        char spec[200];
        small_spec(w, spec);
        kernel_check_any_order(spec);
    }
}

/* Every item of a stream: lanes, bytes, and an array around it. */
static void check_sound(const char *spec, size_t least, size_t most)
{
    struct trace_items all;
    OWNED(source) *source = check_source(spec);
    check_ok(trace_read(source, false, &all, &failure));
    if (all.accesses.count < least || all.accesses.count > most)
        fail_msg("%s: %zu accesses", spec, all.accesses.count);
    for (size_t i = 0; i < all.accesses.count; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        if (item->access.kind == ACCESS_NONE)
            continue;
        if (!item->access.mask || !item->access.instructions ||
            !strchr("\1\2\4\10\14\20\40", item->access.bytes))
            fail_msg("%s: access %zu is none", spec, i);
        const struct stream_allocation *a = workload_array(source, item->addresses[0]);
        for (int k = 0; k < item->lanes; k++)
            if (item->addresses[k] < a->base ||
                item->addresses[k] + item->access.bytes > a->base + a->bytes)
                fail_msg("%s: an access leaves %s", spec, a->name);
    }
    trace_items_free(&all);
}

TEST(test_accesses_are_sound)
{
    size_t cursor = 0;
    for (const struct workload *w; (w = next_workload(&cursor));) {
        char spec[200];
        small_spec(w, spec);
        check_sound(spec, 1000, 300000);
    }
}

TEST(test_smallest_inputs)
{
    static const char *const specs[] = {
        "bfs:nodes=1",
        "spmv:nodes=1,degree=2",
        "spmv:nodes=1,degree=2,kernel=scalar",
        "pagerank:nodes=1,generator=uniform,degree=2",
        "sssp:nodes=1,generator=uniform,degree=2",
        "mst:nodes=1,degree=2,blocks=1",
        "btree:keys=1,order=4,queries=1,ranges=1,length=1",
        "btree:keys=9,order=4,queries=0,ranges=1,length=9",
        "wc:bytes=16",
        "wc:bytes=60,piece=16,seed=5",
        "sm:bytes=16,line=1",
        "pvc:lines=2",
        "cfd:elements=1,iterations=1",
        "raytrace:width=1,height=1,spheres=1",
        "raytrace:width=17,height=1,spheres=2,bounces=0",
        "comd:units=5,jitter=0,steps=1",
        "lulesh:edge=1",
        "amg:side=2",
        "miniamr:roots=1,levels=0,variables=1",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        check_sound(specs[i], 1, 500000);
}

/* Values that are no numbers, or absurd ones, are refused by name before anything is made. */
TEST(test_parameters_are_checked)
{
    static const char *const values[] = {"", "-1", "x", "1e30", "99999999999999999999", "1/0"};
    size_t cursor = 0;
    for (const struct workload *w; (w = next_workload(&cursor));) {
        for (const struct workload_parameter *p = w->parameters; p->name; p++)
            for (size_t i = strcmp(p->name, "graph") == 0; i < sizeof values / sizeof *values;
                 i++) {
                struct source *source;
                char spec[200];
                snprintf(spec, sizeof spec, "%s:input=small,%s=%s", w->plugin.name, p->name,
                         values[i]);
                int status = source_open(spec, &source, &failure);
                if (status >= 0 || error_exit_status(status) != 2 || !strstr(failure.text, p->name))
                    fail_msg("%s: status %d, %s", spec, status, status ? failure.text : "accepted");
                assert_null(source);
            }
        /* and every named input opens, unless it is large */
        for (const struct workload_input *input = w->inputs; input->name; input++)
            assert_true(strcmp(input->name, "default") != 0 && input->settings);
        assert_true(w->suite && w->page && w->plugin.summary && w->plugin.reference);
    }
}

/* Each parameter is within its range, but not their product. */
TEST(test_address_space)
{
    struct source *source;
    check_error(source_open("miniamr:roots=64,levels=0,variables=1000", &source, &failure),
                STATUS_INPUT, "miniamr: the arrays up to cells do not fit in the address space");
    assert_null(source);
}

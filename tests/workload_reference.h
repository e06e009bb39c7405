/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plain C execution of an algorithm, held against a workload's stream launch
 * by launch: LOAD, STORE and ATOMIC note each element they touch, and
 * reference_launch compares what was noted since the last one with the next
 * launch of the stream, reads, writes and atomics apart.
 *
 *     reference_open("gemm:ni=13,nj=37,nk=5");
 *     struct array *A = reference_array("A", 4), ...;
 *     ... LOAD(A, i*NK + k) * LOAD(B, k*NJ + j) ... STORE(C, i*NJ + j, sum) ...
 *     reference_launch("gemm", SAME_COUNTS);
 *     reference_close();
 *
 * Where blocks stage tiles and what lies around them, each launch may touch everything;
 * then block by block: reference_begin, and reference_block after the work of each.
 *
 * Arrays hold values, so that a reference can be shown to compute what it
 * should; they start with whole numbers between 1 and 9. */
#ifndef BANDSCAPE_TESTS_WORKLOAD_REFERENCE_H
#define BANDSCAPE_TESTS_WORKLOAD_REFERENCE_H

#include "workload_check.h"

/* A kernel that stages tiles in shared memory, or keeps a value in a register,
 * loads an element less often than the plain algorithm does: then only the
 * sets of touched elements are the same. */
enum reference_match { SAME_SETS, SAME_COUNTS };

enum { REFERENCE_ARRAYS = 20, REFERENCE_KINDS = ACCESS_ATOMIC + 1 };

struct array {
    const struct stream_allocation *place;
    uint32_t element_bytes;
    int64_t n;
    double *values;
    uint32_t *wanted[REFERENCE_KINDS], *got[REFERENCE_KINDS]; /* since the last launch */
};

static struct {
    struct source *source;
    struct stream *stream;
    struct array arrays[REFERENCE_ARRAYS];
    int n_arrays, last; /* the one that was found last */
    struct stream_kernel launch;
    uint64_t blocks; /* of the launch, compared so far */
} reference;

static inline void reference_open(const char *spec)
{
    memset(&reference, 0, sizeof reference);
    check_ok(source_open(spec, &reference.source, &failure));
    check_ok(stream_open(reference.source, &reference.stream, &failure));
}

static inline struct array *reference_array(const char *name, uint32_t element_bytes)
{
    uint64_t random = strlen(name) + 1;
    struct array *array = &reference.arrays[reference.n_arrays++];
    assert_in_range(reference.n_arrays, 1, REFERENCE_ARRAYS);
    for (size_t i = 0; i < reference.source->allocations.count && !array->place; i++)
        if (strcmp(reference.source->allocations.items[i].name, name) == 0)
            array->place = &reference.source->allocations.items[i];
    if (!array->place)
        fail_msg("%s has no array %s", reference.source->spec, name);
    array->element_bytes = element_bytes;
    array->n = (int64_t)(array->place->bytes / element_bytes);
    array->values = memory_zero((size_t)array->n, sizeof *array->values);
    for (int64_t i = 0; i < array->n; i++)
        array->values[i] = (double)(1 + check_random(&random) % 9);
    for (int kind = ACCESS_READ; kind < REFERENCE_KINDS; kind++) {
        array->wanted[kind] = memory_zero((size_t)array->n, sizeof(uint32_t));
        array->got[kind] = memory_zero((size_t)array->n, sizeof(uint32_t));
    }
    return array;
}

static inline double *reference_touch(struct array *array, int64_t i, enum access_kind kind)
{
    if (i < 0 || i >= array->n)
        fail_msg("the reference touches %s[%" PRId64 "]", array->place->name, i);
    array->wanted[kind][i]++;
    return &array->values[i];
}

#define LOAD(array, i) (*reference_touch(array, i, ACCESS_READ))
#define STORE(array, i, value) (*reference_touch(array, i, ACCESS_WRITE) = (value))
#define ATOMIC(array, i) (reference_touch(array, i, ACCESS_ATOMIC)) /* where to do it */

static inline void reference_note(uint64_t address, const struct warp_access *access)
{
    for (int tried = 0; tried < reference.n_arrays; tried++) {
        struct array *array = &reference.arrays[reference.last];
        uint64_t offset = address - array->place->base;
        if (address < array->place->base || offset >= array->place->bytes) {
            reference.last = (reference.last + 1) % reference.n_arrays;
            continue;
        }
        assert_int_equal(access->bytes, array->element_bytes);
        assert_int_equal(offset % array->element_bytes, 0);
        array->got[access->kind][offset / array->element_bytes]++;
        return;
    }
    fail_msg("%s: address %#" PRIx64 " is in no array of the reference", reference.source->spec,
             address);
}

static inline void reference_read_warp(uint64_t cta, uint32_t warp, void *state)
{
    struct warp_buffer buffer;
    check_ok(stream_warp_begin(reference.stream, cta, warp, state, &failure));
    for (;;) {
        int n = stream_read(reference.stream, state, &buffer, &failure);
        check_ok(n < 0 ? n : 0);
        if (n == 0)
            return;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < __builtin_popcount(buffer.items[i].mask); k++)
                reference_note(warp_access_address(&buffer.items[i], k), &buffer.items[i]);
    }
}

static inline void reference_compare(struct array *array, const char *kernel,
                                     enum reference_match match)
{
    static const char *const verbs[] = {"", "read", "written", "updated"};
    for (int kind = ACCESS_READ; kind < REFERENCE_KINDS; kind++) {
        for (int64_t i = 0; i < array->n; i++) {
            uint32_t wanted = array->wanted[kind][i], got = array->got[kind][i];
            if (match == SAME_COUNTS ? wanted != got : !wanted != !got)
                fail_msg("%s, kernel %s: %s[%" PRId64 "] is %s %u times, expected %u",
                         reference.source->spec, kernel, array->place->name, i, verbs[kind], got,
                         wanted);
        }
        memset(array->wanted[kind], 0, (size_t)array->n * sizeof(uint32_t));
        memset(array->got[kind], 0, (size_t)array->n * sizeof(uint32_t));
    }
}

/* The next launch is of that kernel. */
static inline void reference_begin(const char *kernel)
{
    assert_int_equal(reference.blocks, reference.launch.n_ctas); /* of the last one */
    int status = stream_next_kernel(reference.stream, &reference.launch, &failure);
    check_ok(status < 0 ? status : 0);
    if (status == 0)
        fail_msg("%s: no launch is left, expected %s", reference.source->spec, kernel);
    assert_string_equal(reference.launch.name, kernel);
    reference.blocks = 0;
}

static inline void reference_read_block(uint64_t cta)
{
    void *state = memory_alloc(reference.launch.warp_state_size);
    for (uint32_t warp = 0; warp < reference.launch.warps_per_cta; warp++)
        reference_read_warp(cta, warp, state);
    free(state);
    reference.blocks++;
}

/* The launch's next block, numbered x first, touches what the reference has touched. */
static inline void reference_block(enum reference_match match)
{
    reference_read_block(reference.blocks);
    for (int i = 0; i < reference.n_arrays; i++)
        reference_compare(&reference.arrays[i], reference.launch.name, match);
}

/* The next launch is of that kernel and touches what the reference has touched. */
static inline void reference_launch(const char *kernel, enum reference_match match)
{
    reference_begin(kernel);
    for (uint64_t cta = 0; cta < reference.launch.n_ctas; cta++)
        reference_read_block(cta);
    for (int i = 0; i < reference.n_arrays; i++)
        reference_compare(&reference.arrays[i], kernel, match);
}

/* The stream is at its end. */
static inline void reference_close(void)
{
    struct stream_kernel launch;
    assert_int_equal(reference.blocks, reference.launch.n_ctas);
    assert_int_equal(stream_next_kernel(reference.stream, &launch, &failure), 0);
    for (int i = 0; i < reference.n_arrays; i++) {
        free(reference.arrays[i].values);
        for (int kind = ACCESS_READ; kind < REFERENCE_KINDS; kind++) {
            free(reference.arrays[i].wanted[kind]);
            free(reference.arrays[i].got[kind]);
        }
    }
    stream_destroy(reference.stream);
    source_destroy(reference.source);
}

#endif

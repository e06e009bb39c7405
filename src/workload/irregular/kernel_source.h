/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What irregular workloads have in common. A workload is a *source* (data that
 * never change: graphs, trees, text; arrays in the GPU's memory), *passes* over
 * it (the data that the algorithm changes, one copy a pass) and the *code* of
 * its kernels, which says what a warp touches (warp_code.h).
 *
 * The algorithm runs on the host, launch by launch; the accesses of a warp are
 * made when they are read. All warps of a launch see the data as the launch
 * found them, so that their order does not matter and passes are alike; what the
 * launch changes is done when the next one is asked for. Memory is bounded by the
 * data. Where a machine lets warps see each other's writes (sssp, mst) an algorithm
 * may need a round more here; of threads that compete, the lower one goes first. */
#ifndef BANDSCAPE_WORKLOAD_KERNEL_SOURCE_H
#define BANDSCAPE_WORKLOAD_KERNEL_SOURCE_H

#include "core/hash.h"
#include "workload/workload.h"

enum { KERNEL_ARRAYS = 128 };

/* Begins the state of every warp; workloads add what their code keeps from one
 * access to the next, all 0 when a warp begins. */
struct kernel_warp {
    uint64_t thread;   /* of lane 0: CTA * threads of a CTA + 32 * warp */
    uint32_t cta;      /* x fastest */
    uint32_t warp;     /* of the CTA */
    uint32_t lanes;    /* that have a thread */
    uint32_t pending;  /* instructions since the last access */
    uint32_t at;       /* where its code goes on */
    uint32_t together; /* reads that the next one need not wait for, if it is one */
};

struct kernel_pass;

struct kernel_launch {
    const char *name;
    uint32_t grid[3], block[3]; /* 0 stands for 1 */
    uint32_t shared_bytes;
    size_t warp_size; /* of the warps' state, which begins with a struct kernel_warp */
    /* Puts accesses of the warp into the buffer until that is full (false) or the
     * warp at its end (true). Written with the macros of warp_code.h. */
    bool (*code)(const struct kernel_pass *pass, struct kernel_warp *warp, struct warp_buffer *out);
    /* What its accesses depend on that changes from launch to launch, as a number of the workload's
     * own: launches of the same code, grid and number make the same ones. 0: nothing says it. */
    uint64_t data;
};

/* A grid of blocks in one dimension that has a thread for each of n >= 1 items. */
struct kernel_launch kernel_over(const char *name, uint64_t n, uint32_t block);

struct kernel_array {
    uint64_t base;
    uint32_t element; /* bytes */
};

/* Begins a workload's own struct. */
struct kernel_source {
    struct source base;
    const struct kernel_class *class;
    const char *misfit; /* the first array that did not fit in the address space; NULL: none */
    struct kernel_array arrays[KERNEL_ARRAYS]; /* in the order of kernel_place */
};

/* Begins a workload's own struct of what changes. */
struct kernel_pass {
    struct stream base;
    const struct kernel_source *source;
    struct kernel_launch launch; /* the current one */
    uint64_t launches;           /* so far, the current one included */
    uint32_t threads;            /* of a CTA */
};

struct kernel_class {
    size_t pass_size;                             /* of the workload's pass; it is all 0 at first */
    void (*pass_begin)(struct kernel_pass *pass); /* may be NULL */
    /* Does what the launch before did (pass->launches > 0), and says what comes next; false
     * at the end. */
    bool (*next)(struct kernel_pass *pass, struct kernel_launch *out);
    /* What the algorithm came to once `next` was false, as a number that tests hold against
     * another execution; may be NULL. */
    uint64_t (*result)(const struct kernel_pass *pass);
    void (*pass_end)(struct kernel_pass *pass);    /* may be NULL */
    void (*destroy)(struct kernel_source *source); /* frees the workload's data; may be NULL */
};

/* A source of `size` bytes (the workload's struct, 0 behind the common part). */
void *kernel_source_create(const struct workload *workload, const struct kernel_class *class,
                           size_t size);

/* Places the next array of that many elements (0 is taken as 1). That they all fit is asked
 * when the source is finished. */
void kernel_place(struct kernel_source *source, const char *name, uint64_t elements,
                  uint32_t element_bytes);

/* The content hash: of `version` (suite, name and a number that rises when the
 * code changes what is touched), the arrays and their places, and what is added
 * before the source is finished. */
struct hash_content *kernel_hash_begin(const struct kernel_source *source, const char *version);

/* The last step of an open function: ends the hash and hands the source over; or, with an
 * error, destroys it. */
int kernel_source_finish(struct kernel_source *source, struct hash_content *hash,
                         struct source **out, struct error *error);

/* The same where n whole numbers say all about the input. */
int kernel_source_finish_values(struct kernel_source *source, const char *version,
                                const int64_t *values, int n, struct source **out,
                                struct error *error);

/* The workload's parameters from number `first` on as whole numbers within ranges; n of them. */
struct kernel_range {
    int64_t min, max;
};
int kernel_integers(const struct workload *workload, const char *const *values, int first,
                    const struct kernel_range *ranges, int n, int64_t *out, struct error *error);

#endif

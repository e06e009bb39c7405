/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel launch of a loop nest, compiled: a short list of operations over
 * affine forms, run warp by warp. All parameters, sizes and indices of
 * repetitions are constants in it. */
#ifndef BANDSCAPE_WORKLOAD_NEST_PROGRAM_H
#define BANDSCAPE_WORKLOAD_NEST_PROGRAM_H

#include "workload/language/nest.h"
#include "workload/nests/nest_form.h"

/* A name whose value is known when a launch is compiled. */
struct nest_value {
    const char *name;
    int64_t value;
    bool repetition; /* an index of a repetition: the next launch has another */
};

/* The values of a table. */
struct nest_numbers {
    const char *name;
    const int64_t *values;
    int64_t n;
};

struct nest_values {
    struct nest_value *items;
    size_t count, capacity;
    const struct nest_numbers *tables; /* may be NULL */
    size_t n_tables;
};

/* A nest with its parameters bound. */
struct nest_instance {
    const struct nest *nest;
    struct nest_values parameters;
    struct nest_extent {
        int64_t extent[NEST_DIMS];
        uint64_t bytes, base; /* base: where it is placed, before any swap */
    } * arrays;               /* one per nest->arrays */
};

/* A whole number that depends on nothing but parameters, tables and what the host
 * knows in repetitions; sets *repetition (unless NULL) when it does on the latter. */
int nest_evaluate(const struct nest_values *values, const struct expression *expression,
                  int64_t *out, bool *repetition, struct error *error);

/* The value of a name, or NULL. */
const struct nest_value *nest_values_find(const struct nest_values *values, const char *name);

/* What the thread indices contribute to a sum in one warp of the block: lane k has
 * base + k*stride, or base + at[k] (0 behind the last thread). */
struct spread {
    int64_t base, stride;
    const int64_t *at; /* NULL: evenly spread */
    int64_t low, high; /* over the threads of the warp */
};

/* A form as it is run: what is the same in all lanes of a warp, what follows from the
 * thread indices alone and is tabulated, and what is neither. */
struct sum {
    int64_t constant;
    const struct form_term *scalars; /* variable: place in the warp's values */
    const struct form_term *mixed;   /* variable: index of program->mixed */
    const struct spread *spreads;    /* one a warp of the block; NULL: nothing */
    int n_scalars, n_mixed;
};

/* Mixed operation i is kept in place i % KEPT_LANES (nest_lanes.h), the lanes that pass a test in
 * one of the places behind. */
enum { KEPT_LANES = 16, KEPT_TESTS = 48 };

/* A condition as it is run. */
struct test {
    enum condition_kind kind;
    const struct sum *sum;
    const struct test *a, *b;
    uint32_t place;        /* where its lanes are kept; 0: they are not */
    const uint32_t *masks; /* of one that follows from the thread indices alone: one a warp */
};

/* The iterations of a loop before `until`, behind those of the stretch before, and the lanes
 * that are in them. The last stretch has none. */
struct stretch {
    int64_t until;
    uint32_t mask;
};

/* Loads whose values nothing has used yet; `open`: up to where they were counted, nothing did. */
struct ahead {
    uint8_t loads; /* at most WARP_AHEAD_MOST */
    uint8_t open;  /* 0xff or 0 */
};

/* So many, with those from before where that is open. */
static inline uint8_t ahead_of(unsigned loads, unsigned open, unsigned before)
{
    loads += open & before;
    return (uint8_t)(loads < WARP_AHEAD_MOST ? loads : WARP_AHEAD_MOST);
}

/* An access behind those: a store or an atomic needs all values, and a store leaves nothing to wait
 * for. Sets what it goes ahead of; returns whether that is open. */
static inline uint8_t ahead_take(struct ahead *ahead, struct warp_access *item)
{
    bool reads = item->kind == ACCESS_READ;
    uint8_t open = reads ? ahead->open : 0;
    item->ahead = reads ? ahead->loads : 0;
    *ahead = (struct ahead){ahead_of(item->ahead, 0xff, item->kind != ACCESS_WRITE), open};
    return open;
}

/* One access of a sequence, relative to a base; `addresses` are constant. */
struct step {
    struct warp_access item;
    uint32_t member; /* whose base */
    uint8_t open;    /* as of ahead_of */
    int n_pool;      /* room for its addresses, with 0 behind them; 0: base and stride */
};

/* The room for n addresses in a pool: they are put there in fours. */
static inline int step_room(int n)
{
    return (n + 3) / 4 * 4;
}

struct interval {
    int64_t low, high;
};

/* All that consecutive operations do, which is the same each time but for the bases of its
 * members (nest_sequence.c). */
struct sequence {
    const struct sequence_member {
        int array;
        const struct sum *sum; /* of the terms: scalars */
        int64_t increment;     /* of it, in a step of the innermost loop around */
        const struct form_term *terms;
        int n_terms;
    } * members; /* SEQUENCE_MEMBERS at most */
    const struct sequence_warp {
        const struct step *steps;
        uint32_t n;
        struct ahead ahead; /* behind the last access */
        uint64_t tail;      /* instructions there */
    } * warps;              /* number warp of the block + sum of scale * block index */
    const struct sequence_check {
        const struct sum *sum; /* of the rest of an index, which is the same in all lanes */
        const struct form *rest;
    } * checks;
    const struct interval *intervals; /* where the sums must lie: n_checks for each of `warps` */
    uint32_t n_checks;                /* SEQUENCE_CHECKS at most */
    int64_t scale[3];                 /* 0: the same everywhere on this axis of the grid */
    uint32_t end;                     /* the operation behind it */
};

enum { SEQUENCE_MEMBERS = 32, SEQUENCE_CHECKS = 8 };

/* An atom as it is run. */
struct operation {
    enum atom_op op;
    const struct sum *a, *b; /* b NULL: one operand */
    const struct test *test; /* SELECT */
    const int64_t *table;    /* TABLE */
    uint64_t depends;        /* as of the atom */
    uint32_t place;          /* of a scalar in the warp's values; else in program->mixed */
};

/* Scalars that change together, operands first. */
struct updates {
    const struct operation *const *items;
    size_t count;
};

enum op_code {
    OP_ACCESS,
    OP_IF, /* lanes that do not fulfil the condition rest until OP_END_IF */
    OP_END_IF,
    OP_FOR, /* lanes whose range is empty rest until behind OP_NEXT */
    OP_RUN, /* first in the body of a loop without inner loops: many iterations at once */
    OP_NEXT,
    OP_END
};

/* An index that could not be proved to lie in its array. */
struct op_check {
    const struct form *index;
    const struct sum *sum;
    int64_t extent;
    int dim;
};

struct op {
    enum op_code code;
    uint32_t before; /* instructions without an access between the last operation and this one */
    uint32_t target; /* IF: behind END_IF; FOR: behind NEXT; NEXT: its FOR; RUN: its NEXT */
    uint32_t frame;  /* IF, FOR: where the mask is kept */
    uint32_t unroll; /* FOR: iterations of a group (workload/language/nest.h) */
    bool used;       /* what was loaded is used between the last operation and this one */
    int counter;     /* FOR, RUN: variable */
    const struct condition *condition; /* IF */
    const struct form *form;           /* ACCESS: byte offset in the array; FOR: to - from */
    const struct form *step;           /* FOR */
    const struct test *test;           /* condition, form and step as they are run */
    const struct sum *sum, *step_sum;
    const struct stretch *const *stretches; /* FOR: of a range that follows from the thread
                                             * indices alone, one list a warp of the block */
    const struct sequence *sequence;        /* that begins here, for a warp all of whose lanes are
                                             * active; or NULL */
    struct updates updates;                 /* FOR: scalars that follow from its counter */
    uint64_t stale;                         /* FOR: places whose contents depend on its counter */
    int64_t increment;       /* ACCESS: of the offset, in a step of a loop with OP_RUN */
    int array;               /* ACCESS */
    uint8_t kind, bytes;     /* ACCESS */
    uint8_t path;            /* ACCESS: enum access_path */
    struct op_check *checks; /* ACCESS */
    int n_checks;
    const struct mark *mark; /* ACCESS */
};

struct program {
    struct arena *arena;
    const struct nest_kernel *kernel;
    uint32_t grid[3], block[3];
    uint64_t n_ctas;
    uint32_t threads, warps; /* of a block */
    uint32_t shared_bytes;   /* of a block */
    const struct op *ops;
    const struct operation *const *mixed;
    struct updates updates;      /* scalars that follow from block and warp */
    uint32_t n_values, n_frames; /* of a warp: variables and scalars; enclosing loops and IFs */
    uint32_t n_kept, n_tests;    /* of a warp: mixed operations and tests that are kept */
    bool per_launch;             /* depends on the index of a repetition */
    uint64_t launch_values;      /* a hash of what it took from such indices: equal ones, equal
                                  * programs (stream_identity) */
};

/* Number `at` of a grid or a block as an index in each dimension, x fastest. */
static inline void program_split(uint64_t at, const uint32_t extents[3], int64_t index[3])
{
    index[0] = (int64_t)at;
    index[1] = index[2] = 0;
    if (at < extents[0])
        return;
    index[0] = (int64_t)(at % extents[0]);
    index[1] = (int64_t)(at / extents[0] % extents[1]);
    index[2] = (int64_t)(at / extents[0] / extents[1]);
}

/* Threads of a warp of the block, from lane 0 on. */
static inline uint32_t program_warp_threads(const struct program *program, uint32_t warp)
{
    uint32_t left = program->threads - warp * WARP_LANES;
    return left < WARP_LANES ? left : WARP_LANES;
}

static inline uint32_t program_warp_mask(const struct program *program, uint32_t warp)
{
    return UINT32_MAX >> (WARP_LANES - program_warp_threads(program, warp));
}

/* `runs` false: only to see whether it is right, and how large; it cannot be run. */
int program_compile(const struct nest_instance *instance, const struct nest_kernel *kernel,
                    const struct nest_values *values, bool runs, struct program **out,
                    struct error *error);
void program_destroy(struct program *program); /* NULL is legal */

/* The state of one warp: program_state_size bytes. `bases` are the addresses
 * of the arrays in this launch. */
size_t program_state_size(const struct program *program);
void program_warp_begin(const struct program *program, uint64_t cta, uint32_t warp, void *state);
int program_warp_read(const struct program *program, const uint64_t *bases, void *state,
                      struct warp_buffer *out, struct error *error);

#endif

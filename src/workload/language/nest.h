/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop nest as it stands in its YAML file: names, expressions and places,
 * nothing evaluated:
 *
 *     workload: gemm                       suite, summary, page: prose
 *     parameters: {ni: 512, nj: 1024}      whole numbers, or expressions of each other
 *     inputs: {small: {ni: 64}}            named overrides; "small" must be there
 *     scale: {nj: nj*size}                 what size=x2 changes (workload/scale.h)
 *     published: {sac: {ctas: 2048}}       what papers print of it (workload/published.h)
 *     arrays: {A: {shape: [ni, nk], type: f32}}
 *     tables: {east: [0, 1, 0, -1]}        lists of numbers, east[i] in expressions
 *     kernels:                             launched in this order
 *       - name: gemm
 *         grid: ["ceil(nj/32)"]            up to three whole numbers
 *         block: [32, 8]
 *         shared: 1024                     bytes of shared memory a block; 0 unless given
 *         repeat: steps                    or "t in 0..steps"; index `iteration` or t
 *         swap: [[A, B]]                   after each repetition
 *         let: {i: by*8 + ty}              names for expressions
 *         guard: i < ni                    lanes that do not fulfil it end at once
 *         body: [...]
 *       - repeat: steps                    a group of kernels, repeated as a whole
 *         let: {o: 16*iteration}           names of the host, in grids too
 *         kernels: [...]
 *
 * A body is a list of
 *     {for: "k in a..b", step: s, unroll: u, let: {...}, body: [...]}   k = a, a+s, ... below b
 *     {if: condition, let: {...}, body: [...]}
 *     {load: "A[i,k]"}  {store: "A[i,k]"}  {atomic: "A[i,k]"}
 *     {load: "A[k]", through: p}   p: scalar, constant or texture (machine/access_path.h)
 *     {compute: n}      n warp instructions without an access, which use what was loaded
 *     {overhead: n}     the same, which use nothing of it: addresses, counters
 *
 * Names in expressions: parameters, the indices of repetitions and loops, let
 * names, bx by bz (block), tx ty tz (thread), gx gy gz (blocks in the grid) and
 * dx dy dz (threads in a block). Arithmetic: workload/integer.h. Arrays are
 * laid out row-major (the last index runs fastest), placed by
 * workload/layout.h. A loop itself costs no instruction: state what matters
 * with `compute`.
 *
 * A warp issues until something needs a value that is still under way (struct warp_access.ahead). A
 * load needs none, its index being no data. What needs all that was loaded before: a compute, a
 * store or an atomic, and the end of a group of iterations of a loop. A group is `unroll` of them,
 * whose loads a compiler asks for before it computes: compute in such a body waits for the group's
 * end. Unless it is given, it is NEST_UNROLL where a loop has neither loops nor stores in it, whose
 * order a compiler must keep, and else 1. NEST_UNROLL: LLVM's back ends for both kinds of GPU ask
 * for partial unrolling of loops whose count is known when they run
 * (getUnrollingPreferences of NVPTXTargetTransformInfo.cpp and AMDGPUTargetTransformInfo.cpp); by
 * four is what their limits, and ptxas, leave of small bodies as a rule.
 *
 * A nest knows numbers, not data: tables are constants when a launch is compiled,
 * and an index of one must be in range by proof, so that lanes at rest may be
 * worked out along with the others. An algorithm that reads indices from memory
 * is written in C (workload/irregular/kernel_source.h). */
#ifndef BANDSCAPE_WORKLOAD_NEST_H
#define BANDSCAPE_WORKLOAD_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/expression.h"
#include "trace/stream.h"
#include "workload/published.h"

struct yaml_document; /* yaml/yaml.h */

enum { NEST_DIMS = 4, NEST_DEPTH = 16, NEST_UNROLL = 4 };

struct nest_let {
    const char *name;
    struct mark mark;
    const struct expression *value;
};

/* `name in from..to`; step NULL: 1. A plain count has neither name nor from. */
struct nest_range {
    const char *name;
    struct mark mark;
    const struct expression *from, *to, *step;
};

struct nest_block {
    struct nest_let *lets;
    size_t n_lets;
    struct nest_item *items;
    size_t n_items;
};

enum nest_item_kind { NEST_FOR, NEST_IF, NEST_ACCESS, NEST_COMPUTE, NEST_OVERHEAD };

struct nest_item {
    enum nest_item_kind kind;
    struct mark mark;
    struct nest_range range;             /* FOR */
    const struct expression *unroll;     /* FOR; NULL: see above */
    struct nest_block body;              /* FOR, IF */
    const struct expression *expression; /* IF: condition; ACCESS: array[indices]; others: count */
    int array;                           /* ACCESS */
    enum access_kind access;             /* ACCESS */
    enum access_path path;               /* ACCESS: of a load */
};

struct nest_array {
    const char *name, *type;
    struct mark mark;
    const struct expression *shape[NEST_DIMS];
    int n_dims;
    uint8_t element_bytes;
};

/* Numbers that are known before anything runs: offsets of a stencil, say. */
struct nest_table {
    const char *name;
    struct mark mark;
    const struct expression **values;
    size_t n;
};

struct nest_swap {
    int a, b; /* arrays */
    struct mark mark;
};

/* A kernel, or a group of kernels (n_members > 0). */
struct nest_kernel {
    const char *name; /* kernel */
    struct mark mark;
    struct nest_range repeat; /* to NULL: once */
    struct nest_swap *swaps;
    size_t n_swaps;
    const struct expression *grid[3], *block[3]; /* NULL: 1 */
    const struct expression *shared;             /* NULL: 0 */
    struct nest_block body;      /* a guard is an IF around all of it; a group: only lets */
    struct nest_kernel *members; /* group */
    size_t n_members;
};

struct nest_parameter {
    const char *name, *text; /* text: as written */
    struct mark mark;
    const struct expression *value;
};

struct nest_input {
    const char *name;
    struct mark mark;
    struct nest_parameter *settings;
    size_t n_settings;
};

struct nest {
    struct yaml_document *document; /* its arena owns all of it */
    const char *path;
    const char *name, *suite, *summary, *page;
    struct nest_parameter *parameters;
    size_t n_parameters;
    struct nest_input *inputs;
    size_t n_inputs;
    struct nest_parameter *scale; /* expressions of `size` and parameters */
    size_t n_scale;
    const struct workload_published *published; /* ends with name NULL; NULL: none */
    struct nest_array *arrays;
    size_t n_arrays;
    struct nest_table *tables;
    size_t n_tables;
    struct nest_kernel *kernels;
    size_t n_kernels;
};

/* What a file may say, but for `published`; ends with name NULL. */
extern const struct file_form nest_forms[];

/* Reads the file; everything that does not depend on values is checked. */
int nest_load(const char *path, struct nest **out, struct error *error);
void nest_destroy(struct nest *nest); /* NULL is legal */

/* True when the name has a fixed meaning inside kernels ("tx"). */
bool nest_is_reserved(const char *name);

#endif

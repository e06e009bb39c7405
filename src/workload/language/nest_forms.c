/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop nest may say. */
#include "workload/language/nest_reader.h"

const struct file_key nest_keys[] = {
    {"workload", "name", NULL, "required", "the workload's name", "workload: smooth"},
    {"suite", "text", NULL, "none", "where it comes from, for lists", "suite: mine"},
    {"summary", "text", NULL, "none", "one line, for lists", "summary: five-point smoothing"},
    {"page", "text", NULL, "none", "prose for list workloads NAME",
     "page: what was chosen where the source is silent"},
    {"parameters", "map of whole numbers", NULL, "none",
     "names with their values, or expressions of each other; :n=2048 behind the workload sets one",
     "parameters: {n: 1024, steps: 4}"},
    {"inputs", "map of maps", NULL, "small, the parameters as they stand",
     "sets of parameters that :input=NAME takes; default is the parameters as they stand",
     "inputs: {small: {n: 128}}"},
    {"scale", "map of expressions", NULL, "none",
     "what :size=x4 makes of parameters, in real numbers of size, then rounded",
     "scale: {n: n*sqrt(size)}"},
    {"published", "map of maps", NULL, "none",
     "what papers print of the input published-NAME, see below",
     "published: {sac: {ctas: 2048, footprint: 174 MB}}"},
    {"arrays", "map of arrays", NULL, "required", "placed in this order, as cudaMalloc does",
     "arrays: {a: {shape: [n, n], type: f32}}"},
    {"tables", "map of lists", NULL, "none", "numbers, of which expressions take down[i]",
     "tables: {down: [-1, 0, 1]}"},
    {"kernels", "list of maps", NULL, "required", "launched in this order",
     "kernels: [{name: copy, grid: n, block: 256, body: [{load: \"a[bx,tx]\"}]}]"},
    {NULL}};

const struct file_key nest_array_keys[] = {
    {"shape", "list of expressions", NULL, "required",
     "elements along each dimension, row-major: the last one is next to each other",
     "shape: [n, m]"},
    {"type", "one of: i8 u8 i16 u16 f16 bf16 i32 u32 f32 i64 u64 f64, f32x2 f32x3 f32x4 f64x2",
     NULL, "required", "of an element; those with x are one vector access", "type: f32"},
    {NULL}};

const struct file_key nest_kernel_keys[] = {
    {"name", "name", NULL, "required", "for tables", "name: smooth"},
    {"grid", "one to three expressions", NULL, "required", "thread blocks: x, y, z",
     "grid: [\"ceil(m/32)\", \"ceil(n/8)\"]"},
    {"block", "one to three expressions", NULL, "required", "threads of a block: x, y, z",
     "block: [32, 8]"},
    {"shared", "expression", "B", "0", "shared memory of a block: it limits how many are resident",
     "shared: 1024"},
    {"repeat", "count or range", NULL, "1",
     "launches, one after another; the index is called iteration, or as the range says",
     "repeat: t in 0..steps"},
    {"swap", "list of pairs", NULL, "none", "arrays that change places after each repetition",
     "swap: [[a, b]]"},
    {"let", "map of expressions", NULL, "none", "names, each of which may use those before it",
     "let: {x: bx*32 + tx, y: by*8 + ty}"},
    {"guard", "condition", NULL, "none", "of threads that run the body", "guard: x < m and y < n"},
    {"body", "list of statements", NULL, "required", "what a thread does",
     "body: [{load: \"a[y,x]\"}, {store: \"b[y,x]\"}]"},
    {NULL}};

const struct file_key nest_group_keys[] = {
    {"kernels", "list of maps", NULL, "required", "kernels or groups, repeated as a whole",
     "kernels: [{name: copy, grid: n, block: 256, body: [{load: \"a[bx,tx]\"}]}]"},
    {"repeat", "count or range", NULL, "1", "as of a kernel", "repeat: s in 0..3"},
    {"swap", "list of pairs", NULL, "none", "as of a kernel", "swap: [[a, b]]"},
    {"let", "map of expressions", NULL, "none", "names that grids may use",
     "let: {half: n/2^(s+1)}"},
    {NULL}};

/* Statements: which of these go together says statements of nest_read.c. */
const struct file_key nest_body_keys[] = {
    {"for", "range", NULL, "none",
     "a loop: its index and bounds, of which the upper is not reached", "for: k in 0..n"},
    {"if", "condition", NULL, "none", "lanes for which it does not hold rest", "if: i % 2 == 0"},
    {"load", "element", NULL, "none", "a load of an element of an array", "load: \"a[y,x]\""},
    {"store", "element", NULL, "none", "a store", "store: \"b[y,x]\""},
    {"atomic", "element", NULL, "none", "an atomic or a reduction in memory",
     "atomic: \"sum[i/2]\""},
    {"compute", "expression", NULL, "none",
     "warp instructions without an access that use what was loaded", "compute: 5"},
    {"overhead", "expression", NULL, "none",
     "warp instructions that use nothing that was loaded: addresses, counters", "overhead: 2"},
    {"step", "expression", NULL, "1", "of for", "step: 2"},
    {"unroll", "expression", NULL, "4 where neither a loop nor a store is in it, else 1",
     "of for: iterations whose loads are asked for before anything is computed", "unroll: 8"},
    {"let", "map of expressions", NULL, "none", "of for and if: names", "let: {j: i + 1}"},
    {"through", "one of: scalar, constant, texture", NULL, "L1",
     "of load: the cache beside L1 that it is meant for", "through: scalar"},
    {"body", "list of statements", NULL, "required", "of for and if", "body: [{load: \"a[i,k]\"}]"},
    {NULL}};

const struct file_form nest_forms[] = {
    {"a workload", "The file.", nest_keys},
    {"arrays, each", "", nest_array_keys},
    {"kernels, each",
     "Expressions of kernels know parameters, tables, indices of repetitions and names of let; "
     "those "
     "of bodies also bx by bz (block), tx ty tz (thread), gx gy gz (blocks in the grid) and dx dy "
     "dz "
     "(threads in a block). Arithmetic is in whole numbers: `a/b` rounds down, `ceil(a/b)` up; `+ "
     "- * "
     "^ %`, `min max abs sqrt log2`, `if(c, a, b)`, `< <= == != and or not`.",
     nest_kernel_keys},
    {"kernels, each, as a group", "", nest_group_keys},
    {"body, each", "A statement is a map with one of the first seven keys.", nest_body_keys},
    {NULL}};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop nests: small kernels whose every access was worked out by hand, and
 * every kind of mistake with its place. */
#include "workload_check.h"

#define HEAD "workload: t\nsummary: a test\ninputs: {small: {}}\n"

TEST(test_guard_and_partial_warps)
{
    /* 40 elements, blocks of 48 threads: warp 1 of a block has 16 threads. */
    workload_check_text(HEAD "parameters: {n: 40}\n"
                             "arrays: {A: {shape: [n], type: f32}, B: {shape: [n], type: f64}}\n"
                             "kernels:\n"
                             "  - name: copy\n"
                             "    grid: ceil(n/48)\n"
                             "    block: 48\n"
                             "    let: {i: bx*dx + tx}\n"
                             "    guard: i < n\n"
                             "    body: [{load: 'A[i]'}, {compute: 2}, {store: 'B[n-1-i]'}]\n",
                        "",
                        "copy 1,1,1 48,1,1\n"
                        "0.0 r A 0:31:1 /ffffffff +1\n"
                        "0.0 w B 39:8:-1 /ffffffff +3\n"
                        "0.1 r A 32:39:1 /ff +1\n"
                        "0.1 w B 7:0:-1 /ff +3\n");
    workload_check_text(HEAD "parameters: {n: 50}\n"
                             "arrays: {A: {shape: [n], type: u8}}\n"
                             "kernels:\n"
                             "  - {name: k, grid: 2, block: 48, guard: bx*48 + tx < n, "
                             "body: [{atomic: 'A[bx*48 + tx]'}]}\n",
                        "",
                        "k 2,1,1 48,1,1\n"
                        "0.0 a A 0:31:1 /ffffffff +1\n"
                        "0.1 a A 32:47:1 /ffff +1\n"
                        "1.0 a A 48,49 /3 +1\n");
}

TEST(test_blocks_of_two_and_three_dimensions)
{
    /* Two rows of 16 a warp: even when the rows follow each other in memory,
     * a list when they do not, and even again when one row is active. */
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [4, 16], type: f32}, B: {shape: [4, 20], type: "
                             "f32}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    grid: 1\n"
                             "    block: [16, 3]\n"
                             "    body:\n"
                             "      - {load: 'A[ty,tx]'}\n"
                             "      - {load: 'A[ty,0]'}\n"
                             "      - {if: ty % 2 == 1, body: [{store: 'B[ty,tx]'}]}\n"
                             "      - {if: tx < 2, body: [{store: 'B[ty,tx+1]'}]}\n",
                        "",
                        "k 1,1,1 16,3,1\n"
                        "0.0 r A 0:31:1 /ffffffff +1\n"
                        "0.0 r A 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                        "16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16 /ffffffff +1\n"
                        "0.0 w B 20:35:1 /ffff0000 +1\n"
                        "0.0 w B 1,2,21,22 /30003 +1\n"
                        "0.1 r A 32:47:1 /ffff +1\n"
                        "0.1 r A 32:32:0 /ffff +1\n"
                        "0.1 w B 41,42 /3 +1\n");
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [2, 3, 4], type: i16}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    grid: [1, 1, 2]\n"
                             "    block: [2, 2, 2]\n"
                             "    body: [{load: 'A[tz,ty+bz,tx]'}]\n",
                        "",
                        "k 1,1,2 2,2,2\n"
                        "0.0 r A 0,1,4,5,12,13,16,17 /ff +1\n"
                        "1.0 r A 4,5,8,9,16,17,20,21 /ff +1\n");
}

TEST(test_divergent_loops)
{
    /* Lane t makes t iterations: lanes drop out one by one. */
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [4, 4], type: f32}}\n"
                             "kernels:\n"
                             "  - name: triangle\n"
                             "    grid: 1\n"
                             "    block: 4\n"
                             "    body:\n"
                             "      - {for: k in 0..tx, body: [{load: 'A[tx,k]'}, {compute: 1}]}\n"
                             "      - {store: 'A[tx,3]'}\n",
                        "",
                        "triangle 1,1,1 4,1,1\n"
                        "0.0 r A 4:12:4 /e +1\n"
                        "0.0 r A 9,13 /c +2\n"
                        "0.0 r A 14 /8 +2\n"
                        "0.0 w A 3:15:4 /f +2\n");
    /* A stride over the grid: 11 elements, 8 threads. */
    workload_check_text(HEAD
                        "parameters: {n: 11}\n"
                        "arrays: {A: {shape: [n], type: f32}}\n"
                        "kernels:\n"
                        "  - name: k\n"
                        "    grid: 2\n"
                        "    block: 4\n"
                        "    body:\n"
                        "      - {for: i in bx*dx + tx..n, step: gx*dx, body: [{load: 'A[i]'}]}\n",
                        "",
                        "k 2,1,1 4,1,1\n"
                        "0.0 r A 0:3:1 /f +1\n"
                        "0.0 r A 8:10:1 /7 +1\n"
                        "1.0 r A 4:7:1 /f +1\n");
    /* Nested, with different steps in each lane and an empty inner range for lane 0. */
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [100], type: f32}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    grid: 1\n"
                             "    block: 3\n"
                             "    body:\n"
                             "      - for: i in 0..2\n"
                             "        body:\n"
                             "          - {for: j in 0..tx*3, step: tx + 1, "
                             "body: [{load: 'A[10*i + j]'}]}\n",
                        "",
                        "k 1,1,1 3,1,1\n"
                        "0.0 r A 0,0 /6 +1\n"
                        "0.0 r A 2,3 /6 +1\n"
                        "0.0 r A 10,10 /6 +1\n"
                        "0.0 r A 12,13 /6 +1\n");
}

TEST(test_conditions_and_instructions)
{
    /* Instructions of a path count only where some lane takes it; those behind
     * the last access come at the end. */
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [8], type: f32}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    grid: 2\n"
                             "    block: 4\n"
                             "    body:\n"
                             "      - {compute: 5}\n"
                             "      - if: bx == 1\n"
                             "        body: [{compute: 10}, {load: 'A[tx]'}, {compute: 1}]\n"
                             "      - if: not (tx > 0 and tx != 2) or bx*tx == 3\n"
                             "        body: [{compute: 100}, {load: 'A[tx+4]'}]\n"
                             "      - {for: k in 0..3, body: [{compute: 7}]}\n",
                        "",
                        "k 2,1,1 4,1,1\n"
                        "0.0 r A 4,6 /5 +106\n"
                        "0.0 - +21\n"
                        "1.0 r A 0:3:1 /f +16\n"
                        "1.0 r A 4,6,7 /d +102\n"
                        "1.0 - +21\n");
    /* Nothing at all is an empty warp; 2^64 instructions are more than a count holds. */
    workload_check_text(HEAD "parameters: {}\narrays: {A: {shape: [8], type: f32}}\n"
                             "kernels:\n  - {name: k, grid: 2, block: 4, guard: bx > 0, body: "
                             "[{load: 'A[tx]'}]}\n"
                             "  - {name: m, grid: 1, block: 4, body: [{for: i in 0..2^33, body: "
                             "[{compute: 2^31}]}, {load: 'A[tx]'}]}\n",
                        "",
                        "k 2,1,1 4,1,1\n1.0 r A 0:3:1 /f +1\n"
                        "m 1,1,1 4,1,1\n0.0 r A 0:3:1 /f +4294967295\n");
}

TEST(test_repetitions_and_swaps)
{
    workload_check_text(HEAD "parameters: {steps: 3}\n"
                             "arrays: {A: {shape: [4], type: f32}, B: {shape: [4], type: f32}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    repeat: steps\n"
                             "    swap: [[A, B]]\n"
                             "    grid: iteration + 1\n"
                             "    block: 1\n"
                             "    body: [{load: 'A[bx]'}, {store: 'B[iteration]'}]\n"
                             "  - {name: last, grid: 1, block: 1, body: [{load: 'A[0]'}]}\n",
                        "",
                        "k 1,1,1 1,1,1\n"
                        "0.0 r A 0 /1 +1\n0.0 w B 0 /1 +1\n"
                        "k 2,1,1 1,1,1\n"
                        "0.0 r B 0 /1 +1\n0.0 w A 1 /1 +1\n"
                        "1.0 r B 1 /1 +1\n1.0 w A 1 /1 +1\n"
                        "k 3,1,1 1,1,1\n"
                        "0.0 r A 0 /1 +1\n0.0 w B 2 /1 +1\n"
                        "1.0 r A 1 /1 +1\n1.0 w B 2 /1 +1\n"
                        "2.0 r A 2 /1 +1\n2.0 w B 2 /1 +1\n"
                        "last 1,1,1 1,1,1\n"
                        "0.0 r B 0 /1 +1\n");
    /* Groups, named indices, and a repetition that does not happen. */
    workload_check_text(HEAD "parameters: {}\n"
                             "arrays: {A: {shape: [100], type: f32}}\n"
                             "kernels:\n"
                             "  - repeat: p in 1..3\n"
                             "    kernels:\n"
                             "      - {name: a, grid: 1, block: 1, body: [{load: 'A[10*p]'}]}\n"
                             "      - {name: b, repeat: q in 0..p-1, grid: 1, block: 1, "
                             "body: [{load: 'A[10*p + q + 1]'}]}\n"
                             "      - {name: c, repeat: 0, grid: 1, block: 1, body: []}\n",
                        "",
                        "a 1,1,1 1,1,1\n0.0 r A 10 /1 +1\n"
                        "a 1,1,1 1,1,1\n0.0 r A 20 /1 +1\n"
                        "b 1,1,1 1,1,1\n0.0 r A 21 /1 +1\n");
}

/* Names of the host in a group: known in grids and bodies, new in each repetition. */
TEST(test_names_of_groups)
{
    workload_check_text(HEAD "parameters: {n: 8}\n"
                             "arrays: {A: {shape: [n], type: f32}}\n"
                             "kernels:\n"
                             "  - repeat: s in 0..2\n"
                             "    let: {m: n/2^s, half: m/2}\n"
                             "    kernels:\n"
                             "      - {name: a, grid: m/4, block: 4, body: [{load: "
                             "'A[bx*4 + tx]'}]}\n"
                             "      - {name: b, repeat: half - 1, grid: 1, block: half, body: "
                             "[{store: 'A[iteration + tx]'}]}\n"
                             "  - {name: c, grid: 1, block: 1, let: {m: 3}, body: [{load: "
                             "'A[m]'}]}\n",
                        "",
                        "a 2,1,1 4,1,1\n0.0 r A 0:3:1 /f +1\n1.0 r A 4:7:1 /f +1\n"
                        "b 1,1,1 4,1,1\n0.0 w A 0:3:1 /f +1\n"
                        "b 1,1,1 4,1,1\n0.0 w A 1:4:1 /f +1\n"
                        "b 1,1,1 4,1,1\n0.0 w A 2:5:1 /f +1\n"
                        "a 1,1,1 4,1,1\n0.0 r A 0:3:1 /f +1\n"
                        "b 1,1,1 2,1,1\n0.0 w A 0,1 /3 +1\n"
                        "c 1,1,1 1,1,1\n0.0 r A 3 /1 +1\n");
}

/* Tables, by lanes, loops and the host; their values depend on parameters. */
TEST(test_tables)
{
    workload_check_text(HEAD "parameters: {n: 16, m: 2}\n"
                             "arrays: {A: {shape: [n], type: f32}}\n"
                             "tables: {offset: [0, 5, -1, m*m], size: [m, 3]}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    repeat: s in 0..2\n"
                             "    grid: size[s] - 1\n"
                             "    block: 4\n"
                             "    body:\n"
                             "      - {load: 'A[1 + offset[tx]]'}\n"
                             "      - {for: i in 0..3, body: [{load: 'A[tx + 1 + offset[i]]'}]}\n"
                             "      - {if: 'offset[3 - tx] > 0', body: [{store: "
                             "'A[size[bx] + offset[min(tx, 3 - tx)]]'}]}\n",
                        ":m=3",
                        "k 2,1,1 4,1,1\n"
                        "0.0 r A 1,6,0,10 /f +1\n"
                        "0.0 r A 1:4:1 /f +1\n0.0 r A 6:9:1 /f +1\n0.0 r A 0:3:1 /f +1\n"
                        "0.0 w A 3,8 /5 +1\n"
                        "1.0 r A 1,6,0,10 /f +1\n"
                        "1.0 r A 1:4:1 /f +1\n1.0 r A 6:9:1 /f +1\n1.0 r A 0:3:1 /f +1\n"
                        "1.0 w A 3,8 /5 +1\n"
                        "k 2,1,1 4,1,1\n"
                        "0.0 r A 1,6,0,10 /f +1\n"
                        "0.0 r A 1:4:1 /f +1\n0.0 r A 6:9:1 /f +1\n0.0 r A 0:3:1 /f +1\n"
                        "0.0 w A 3,8 /5 +1\n"
                        "1.0 r A 1,6,0,10 /f +1\n"
                        "1.0 r A 1:4:1 /f +1\n1.0 r A 6:9:1 /f +1\n1.0 r A 0:3:1 /f +1\n"
                        "1.0 w A 3,8 /5 +1\n");
}

/* a/b rounds down, ceil(a/b) up, % follows the divisor; log2, sqrt, powers. */
TEST(test_arithmetic)
{
    workload_check_text(HEAD "parameters: {n: 7, m: ceil(n/2), k: n/2, l: ceil(log2(n)), p: 2^k}\n"
                             "arrays: {A: {shape: [n, m, k, p], type: i8}}\n"
                             "kernels:\n"
                             "  - name: k\n"
                             "    grid: [m, k, l]\n"
                             "    block: [p, sqrt(17)]\n"
                             "    guard: bx + by + bz == 0 and ty == 0\n"
                             "    body:\n"
                             "      - {load: 'A[0,0,0,abs(tx-4)]'}\n"
                             "      - {load: 'A[0,0,0,(tx-4)/2 + 2]'}\n"
                             "      - {load: 'A[0,0,0,ceil((tx-4)/2) + 2]'}\n"
                             "      - {load: 'A[0,0,0,(tx-4) % 3]'}\n"
                             "      - {load: 'A[0,0,0,if(tx < 2, 7, tx)]'}\n"
                             "      - {load: 'A[0,0,0,min(tx, 5, 7 - tx)]'}\n"
                             "      - {load: 'A[0,0,0,(tx > 3) + log2(tx+1)]'}\n"
                             "      - {load: 'A[0,0,0,sqrt(tx)]'}\n"
                             "      - {load: 'A[0,0,0,ceil(sqrt(tx))]'}\n"
                             "      - {load: 'A[0,0,0,2^(tx % 3)]'}\n"
                             "      - {load: 'A[0,0,0,tx*tx % 8]'}\n",
                        "",
                        "k 4,3,3 8,4,1\n"
                        "0.0 r A 4,3,2,1,0,1,2,3 /ff +1\n"
                        "0.0 r A 0,0,1,1,2,2,3,3 /ff +1\n"
                        "0.0 r A 0,1,1,2,2,3,3,4 /ff +1\n"
                        "0.0 r A 2,0,1,2,0,1,2,0 /ff +1\n"
                        "0.0 r A 7,7,2,3,4,5,6,7 /ff +1\n"
                        "0.0 r A 0,1,2,3,3,2,1,0 /ff +1\n"
                        "0.0 r A 0,1,1,2,3,3,3,4 /ff +1\n"
                        "0.0 r A 0,1,1,1,2,2,2,2 /ff +1\n"
                        "0.0 r A 0,1,2,2,2,3,3,3 /ff +1\n"
                        "0.0 r A 1,2,4,1,2,4,1,2 /ff +1\n"
                        "0.0 r A 0,1,4,1,0,1,4,1 /ff +1\n");
}

/* ---- mistakes ------------------------------------------------------------- */

#define BODY(body)                                                                                 \
    HEAD "parameters: {n: 64}\narrays: {A: {shape: [n], type: f32}, B: {shape: [n, n], type: "     \
         "f32}}\nkernels:\n  - name: k\n    grid: 2\n    block: 32\n    body:\n      - " body "\n"

struct mistake {
    const char *yaml, *settings, *words;
};

static void check_mistakes(const struct mistake *cases, size_t count)
{
    struct source *source;
    for (size_t i = 0; i < count; i++) {
        int status = workload_open_text(cases[i].yaml, cases[i].settings, &source, &failure);
        if (status >= 0 || error_exit_status(status) != 2)
            fail_msg("case %zu: status %d", i, status);
        check_error(status, status, cases[i].words);
        assert_null(source);
    }
}

TEST(test_mistakes_have_a_place)
{
    static const struct mistake cases[] = {
        {BODY("{load: 'A[bx*32 + tz0]'}"), "", "nest.yaml:11:27: error: unknown name \"tz0\""},
        {BODY("{load: 'A[k]'}"), "", "unknown name \"k\""},
        {BODY("{load: 'A[bx*32 + tx]'}") "    gaurd: 1\n", "", "did you mean \"guard\""},
        {BODY("{lode: 'A[tx]'}"), "", "did you mean \"load\""},
        {BODY("{load: 'C[tx]'}"), "", "nest.yaml:11:17: error: there is no array \"C\""},
        {BODY("{load: 'B[tx]'}"), "", "B has 2 dimensions, but 1 index is given"},
        {BODY("{load: tx}"), "", "expected an array element"},
        {BODY("{load: 'A[B[tx,tx]]'}"), "", "no indices that depend on data"},
        {BODY("{load: 'A[tx + 64]'}"), "", "A: index 1 is 64 or more, outside 0..63"},
        {BODY("{load: 'A[-1 - tx]'}"), "", "A: index 1 is -1 or less, outside 0..63"},
        {BODY("{load: 'A[1/tx]'}"), "", "the divisor may be zero"},
        {BODY("{load: 'A[tx/0]'}"), "", "division by zero"},
        {BODY("{load: 'A[tx*1.5]'}"), "", "expected a whole number, got 1.5"},
        {BODY("{load: 'A[4 KiB]'}"), "", "a number with a unit"},
        {BODY("{load: 'A[tx'}"), "", "nest.yaml:11:21: error: expression \"A[tx\" ends too early"},
        {BODY("{load: 'A[ceil(tx/2 + 1)]'}"), "", "write ceil(a/b) around the quotient"},
        {BODY("{load: 'A[sqrt(tx-1)]'}"), "", "the operand may be negative"},
        {BODY("{load: 'A[log2(tx)]'}"), "", "the operand may be below 1"},
        {BODY("{load: 'A[2^(tx-1)]'}"), "", "the exponent may be negative"},
        {BODY("{load: 'A[bx*2^62*8]'}"), "", "fit in 64 bits"},
        {BODY("{load: 'A[(tx+2)^30*(bx+1)]'}"), "", "fit in 64 bits"},
        {BODY("{for: k in 0..4, step: 0, body: []}"), "", "must be at least 1"},
        {BODY("{for: k 0..4, body: []}"), "", "expected \"index in from..to\""},
        {BODY("{for: tx in 0..4, body: []}"), "", "\"tx\" has a fixed meaning"},
        {BODY("{for: n in 0..4, body: []}"), "", "\"n\" is the name of something else"},
        {BODY("{for: k in 0..4, let: {k: 1}, body: []}"), "", "\"k\" is the name of something"},
        {BODY("{for: k in 0..4}"), "", "\"body\" is missing"},
        {BODY("{if: n > 64, body: [{load: 'A[nx]'}]}"), "", "unknown name \"nx\""},
        {BODY("{compute: tx}"), "", "the same for all threads"},
        {BODY("{load: 'A[tx]'}"), ":m=3", "t has no parameter \"m\""},
        {BODY("{load: 'A[tx]'}"), ":n=m", "t has no parameter \"m\""},
        {BODY("{load: 'A[tx]'}"), ":n=n+1", "the value of \"n\" depends on itself"},
        {BODY("{load: 'A[tx]'}"), ":n=0", "n=0 leaves array A of t empty"},
        {BODY("{load: 'A[tx]'}"), ":n=2^23", "do not fit in the address space"},
        {BODY("{load: 'A[tx]'}"), ":n=6x4", "expected an operator"},
        {BODY("{load: 'A[tx]'}"), ":n", "expected key=value"},
        {BODY("{load: 'A[tx]'}"), ":n=64,n=64", "\"n\" is given twice"},
        {BODY("{load: 'A[tx]'}"), ":input=smal", "did you mean \"small\""},
        {HEAD "parameters: {n: 1, spare: 2}\narrays: {A: {shape: [n], type: f32}}\nkernels: "
              "[{name: k, grid: 1, block: 1, body: []}]\n",
         "", "nest.yaml:4:20: error: the parameter \"spare\" has no effect"},
        {HEAD "parameters: {n: m, m: n}\narrays: {A: {shape: [n], type: f32}}\nkernels: [{name: k, "
              "grid: 1, block: 1, body: []}]\n",
         "", "depends on itself"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f23}}\nkernels: []\n", "",
         "did you mean \"f32\""},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: []\n", "",
         "at least one kernel"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, grid: 0, "
              "block: 1, body: []}]\n",
         "", "grid: the x extent is 0, expected 1 to 2147483647"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, grid: 1, "
              "block: [64, 32], body: []}]\n",
         "", "block: 2048 threads, more than 1024"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, grid: [1, "
              "65536], block: 1, body: []}]\n",
         "", "grid: the y extent is 65536"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, grid: bx, "
              "block: 1, body: []}]\n",
         "", "only parameters and indices of repetitions"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}, B: {shape: [2], type: f32}}\n"
              "kernels: [{name: k, swap: [[A, B]], grid: 1, block: 1, body: []}]\n",
         "", "swap: A and B differ in shape or type"},
        {HEAD
         "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, repeat: 0, "
         "grid: 1, block: 1, body: []}]\n",
         "", "launches no kernel"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels: [{name: k, repeat: "
              "2^30, grid: 1, block: 1, body: []}]\n",
         "", "more than 1000000 kernel launches"},
        {HEAD
         "parameters: {}\narrays: {A: {shape: [4], type: f32}}\nkernels: [{name: k, repeat: 9, "
         "grid: 1, block: 1, body: [{load: 'A[iteration]'}]}]\n",
         "", "index 1 is 4 or more, outside 0..3"},
        {"workload: t\ninputs: {default: {}}\narrays: {A: {shape: [1], type: f32}}\n"
         "kernels: [{name: k, grid: 1, block: 1, body: []}]\n",
         "", "\"default\" is the parameters as they stand"},
        {"workload: t\narrays: {A: {shape: [1], type: f32}}\n"
         "kernels: [{name: k, grid: 1, block: 1, body: []}]\n",
         ":input=tiny", "t has no input \"tiny\""},
        {"workload: t\nsummary: s\nparameters: {}\ninputs: {small: {n: 1}}\narrays: {A: {shape: "
         "[1], type: f32}}\nkernels: [{name: k, grid: 1, block: 1, body: []}]\n",
         "", "unknown key \"n\""},
        {"workload: [", "", "not valid YAML"},
        {"{}", "", "\"workload\" is missing"},
    };
    check_mistakes(cases, sizeof cases / sizeof *cases);
}

#define TABLES(tables, index)                                                                      \
    HEAD "parameters: {n: 64}\narrays: {A: {shape: [n], type: f32}}\ntables: " tables              \
         "\nkernels:\n"                                                                            \
         "  - repeat: s in 0..2\n    let: {m: s}\n    kernels:\n"                                  \
         "      - {name: k, grid: 1, block: 32, body: [{load: 'A[" index "]'}]}\n"

TEST(test_mistakes_in_tables_and_groups)
{
    static const struct mistake cases[] = {
        {TABLES("{t: [1, 2]}", "t[tx]"), "",
         "nest.yaml:11:58: error: t: the index may be 31, outside 0..1"},
        {TABLES("{t: [1, 2]}", "t[m + s]"), "", "t: the index may be 2, outside 0..1"},
        {TABLES("{t: [1, 2]}", "t[m, s]"), "", "t is a table: it has one index"},
        {TABLES("{t: [1, 2]}", "t + t[0]"), "", "unknown name \"t\""},
        {TABLES("{offset: [1, 2]}", "offset[0] + ofset[0]"), "", "did you mean \"offset\""},
        {TABLES("{t: []}", "0"), "", "t: at least one number is needed"},
        {TABLES("{t: 3}", "0"), "", "nest.yaml:6:13: error: t: expected a list"},
        {TABLES("{t: [1]}", "0"), "", "the table \"t\" has no effect"},
        {TABLES("{n: [1]}", "0"), "", "\"n\" is a parameter already"},
        {TABLES("{t: [q]}", "t[0]"), "", "unknown name \"q\""},
        {TABLES("{t: [1, n]}", "t[1]"), "", "A: index 1 is 64 or more, outside 0..63"},
        {HEAD "parameters: {}\narrays: {A: {shape: [1], type: f32}}\nkernels:\n"
              "  - let: {k: 1, k2: bx}\n    kernels: [{name: k, grid: 1, block: 1, body: []}]\n",
         "", "nest.yaml:7:21: error: unknown name \"bx\""},
        {HEAD "parameters: {n: 1}\narrays: {A: {shape: [n], type: f32}}\nkernels:\n"
              "  - let: {n: 1}\n    kernels: [{name: k, grid: 1, block: 1, body: []}]\n",
         "", "nest.yaml:7:11: error: \"n\" is the name of something else here"},
    };
    check_mistakes(cases, sizeof cases / sizeof *cases);
}

/* Records say the same in the same way: the stride of a single lane is 0, however its
 * address was worked out. */
TEST(test_stride_of_single_lanes)
{
    OWNED(source) *source = NULL;
    OWNED(stream) *stream = NULL;
    struct stream_kernel kernel;
    struct warp_buffer buffer;
    check_ok(workload_open_text(BODY("{if: tx == 3, body: [{load: 'A[tx]'}, {load: 'A[tx*tx]'}, "
                                     "{load: 'A[(tx + bx)%5]'}]}"),
                                ":n=1000", &source, &failure));
    check_ok(stream_open(source, &stream, &failure));
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    void *warp = memory_alloc(kernel.warp_state_size);
    check_ok(stream_warp_begin(stream, 0, 0, warp, &failure));
    assert_int_equal(stream_read(stream, warp, &buffer, &failure), 3);
    for (int i = 0; i < 3; i++) {
        uint64_t base = source->allocations.items[0].base;
        assert_int_equal(buffer.items[i].base, base + (i == 1 ? 36 : 12));
        assert_int_equal(buffer.items[i].mask, 8);
        assert_int_equal(buffer.items[i].stride, 0);
        assert_null(buffer.items[i].addresses);
    }
    free(warp);
}

/* Damage of all kinds: opened or refused with a text, nothing else. */
TEST(test_damaged_files)
{
    static const char nest[] = HEAD
        "parameters: {n: 40, m: n/2 + 3}\n"
        "arrays: {A: {shape: [n, m], type: f32}, B: {shape: [n, m], type: f32}}\n"
        "tables: {t: [3, 1, 2]}\n"
        "kernels:\n"
        "  - repeat: p in 1..3\n"
        "    swap: [[A, B]]\n"
        "    let: {o: \"t[p]\"}\n"
        "    kernels:\n"
        "      - name: k\n"
        "        grid: [ceil(n/16), \"m - o\"]\n"
        "        block: [16, 2]\n"
        "        let: {i: bx*16 + tx, j: by}\n"
        "        guard: i < n and j < m\n"
        "        body:\n"
        "          - {for: q in j..m, step: 2^ty, body: [{load: \"A[i,t[q%3]]\"}, {compute: 2}]}\n"
        "          - {if: tx % 2 == 1, body: [{store: \"B[min(i, n-1), j]\"}]}\n";
    static const char letters[] = "0123456789+-*/%<>=^ \n()[]{}:,.ABijkqpnm\"'_";
    uint64_t random = 7;
    int opened = 0;
    for (int round = 0; round < check_damages(4000, 200000); round++) {
        char text[sizeof nest];
        OWNED(source) *source = NULL;
        memcpy(text, nest, sizeof nest);
        for (uint64_t k = 1 + check_random(&random) % 3; k > 0; k--) {
            size_t at = check_random(&random) % (sizeof nest - 1);
            if (strchr("0123456789+-*/%<>", text[at]) && check_random(&random) % 4)
                text[at] = letters[check_random(&random) % 16]; /* another sum */
            else
                text[at] = letters[check_random(&random) % (sizeof letters - 1)];
        }
        int status = workload_open_text(text, "", &source, &failure);
        assert_true(status == 0 || (error_exit_status(status) == 2 && failure.text[0]));
        opened += status == 0;
    }
    assert_in_range(opened, check_damages(100, 100), 3000000);
}

/* The example of the guide: the first indented block of spaces/workloads/README.md. */
TEST(test_guide)
{
    char *folder = file_shipped("spaces/workloads"), *guide, path[1000];
    struct text nest = {0};
    size_t size;
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/README.md", folder);
    check_ok(file_read(path, 1 << 20, &guide, &size, &failure));
    for (char *line = strtok(guide, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "    ", 4) == 0)
            text_printf(&nest, "%s\n", line + 4);
        else if (nest.length)
            break;
    }
    static const char *const settings[] = {"", ":input=small", ":input=large", ":size=x4"};
    for (int i = 0; i < 4; i++) {
        OWNED(source) *source = NULL;
        check_ok(workload_open_text(nest.data, settings[i], &source, &failure));
        assert_int_equal(source->allocations.count, 3);
    }
    text_free(&nest);
    free(guide);
    free(folder);
}

/* Arrays and kernels are all that a nest needs: "default" is the parameters as they are written,
 * and so is "small" where it is not given. */
TEST(test_optional_parts)
{
    static const char bare[] = "workload: t\narrays: {A: {shape: [64], type: f32}}\n"
                               "kernels: [{name: k, grid: 2, block: 32, body: [{load: "
                               "'A[bx*32 + tx]'}]}]\n";
    static const char some[] = "workload: t\nparameters: {n: 64}\ninputs: {large: {n: 128}}\n"
                               "arrays: {A: {shape: [n], type: f32}}\n"
                               "kernels: [{name: k, grid: n/32, block: 32, body: [{load: "
                               "'A[bx*32 + tx]'}]}]\n";
    static const struct {
        const char *text, *settings;
        uint64_t bytes;
    } cases[] = {{bare, "", 256},
                 {bare, ":input=default", 256},
                 {bare, ":input=small", 256},
                 {some, "", 256},
                 {some, ":input=small", 256},
                 {some, ":input=large", 512},
                 {some, ":input=small,n=96", 384}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(source) *source = NULL;
        check_ok(workload_open_text(cases[i].text, cases[i].settings, &source, &failure));
        assert_int_equal(source->allocations.count, 1);
        assert_int_equal(source->allocations.items[0].bytes, cases[i].bytes);
    }
}

/* Arrays lie as cudaMalloc puts them: in order, 256 B apart or in 2 MiB pages. */
TEST(test_layout)
{
    const char *yaml = HEAD "parameters: {n: 100}\n"
                            "arrays: {A: {shape: [n], type: u8}, B: {shape: [n, n, n], type: "
                            "f32x4}, C: {shape: [3], type: f32}, D: {shape: [2^20], type: i8}}\n"
                            "kernels: [{name: k, grid: 1, block: 1, body: []}]\n";
    OWNED(source) *source = NULL;
    check_ok(workload_open_text(yaml, "", &source, &failure));
    assert_int_equal(source->allocations.count, 4);
    const struct stream_allocation *a = source->allocations.items;
    assert_string_equal(a[1].name, "B");
    assert_int_equal(a[0].bytes, 100);
    assert_int_equal(a[1].bytes, 16000000);
    assert_int_equal(a[0].base % 256, 0);
    assert_int_equal(a[1].base % (2 << 20), 0);
    assert_int_equal(a[2].base % (2 << 20), 0); /* behind a large one */
    assert_int_equal(a[3].base % (2 << 20), 0);
    for (int i = 1; i < 4; i++)
        assert_true(a[i].base >= a[i - 1].base + a[i - 1].bytes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHOC's product of a sparse matrix and a vector over compressed rows:
 *
 *     scalar: one thread a row:  for (j = start; j < end; j++) t += val[j] * x[cols[j]];
 *     vector: one warp a row, its lanes 32 columns apart, and a sum over the warp
 *
 * What is touched depends on the matrix alone. */
#include <stdlib.h>
#include <string.h>

#include "workload/irregular/graph_input.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 128 };

enum array { VALUES, COLUMNS, ROWS, X, Y };

struct spmv {
    struct kernel_source base;
    struct graph *matrix;
    bool vector;
    uint64_t times;
};

struct spmv_warp {
    struct kernel_warp base;
    uint32_t live;   /* lanes in the loop */
    uint64_t column; /* how far into the row */
};

static bool spmv_scalar(const struct kernel_pass *pass, struct kernel_warp *warp,
                        struct warp_buffer *out)
{
    const struct graph *matrix = ((const struct spmv *)pass->source)->matrix;
    const uint64_t *offsets =
        &matrix->offsets[warp_below(warp, matrix->n_vertices) ? warp->thread : 0];
    struct spmv_warp *w = (struct spmv_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(ROWS, warp_below(warp, matrix->n_vertices), warp->thread + lane);
    WARP_READ_TOO(ROWS, warp_below(warp, matrix->n_vertices), warp->thread + lane + 1);
    w->live = warp_below(warp, matrix->n_vertices);
    for (;; w->column++) {
        WARP_SELECT(w->live, w->live, offsets[lane] + w->column < offsets[lane + 1]);
        if (!w->live)
            break;
        WARP_COMPUTE(2);
        WARP_READ(COLUMNS, w->live, offsets[lane] + w->column);
        WARP_READ_TOO(VALUES, w->live, offsets[lane] + w->column);
        WARP_READ(X, w->live, matrix->targets[offsets[lane] + w->column]);
        WARP_COMPUTE(3);
    }
    WARP_WRITE(Y, warp_below(warp, matrix->n_vertices), warp->thread + lane);
    WARP_END;
}

static bool spmv_vector(const struct kernel_pass *pass, struct kernel_warp *warp,
                        struct warp_buffer *out)
{
    const struct graph *matrix = ((const struct spmv *)pass->source)->matrix;
    uint64_t row = warp->thread / WARP_LANES;
    struct spmv_warp *w = (struct spmv_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(5);
    if (row >= matrix->n_vertices)
        return true;
    WARP_READ(ROWS, UINT32_MAX, row);
    WARP_READ_TOO(ROWS, UINT32_MAX, row + 1);
    for (w->column = matrix->offsets[row];; w->column += WARP_LANES) {
        WARP_SELECT(w->live, UINT32_MAX, w->column + lane < matrix->offsets[row + 1]);
        if (!w->live)
            break;
        WARP_COMPUTE(2);
        WARP_READ(COLUMNS, w->live, w->column + lane);
        WARP_READ_TOO(VALUES, w->live, w->column + lane);
        WARP_READ(X, w->live, matrix->targets[w->column + lane]);
        WARP_COMPUTE(3);
    }
    WARP_COMPUTE(15); /* the sum over the warp, in shared memory */
    WARP_WRITE(Y, 1, row);
    WARP_END;
}

static bool spmv_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct spmv *s = (const struct spmv *)pass->source;
    uint64_t rows = s->matrix->n_vertices;
    if (pass->launches == s->times)
        return false;
    *out = s->vector ? kernel_over("spmv_csr_vector_kernel", rows * WARP_LANES, BLOCK_THREADS)
                     : kernel_over("spmv_csr_scalar_kernel", rows, BLOCK_THREADS);
    out->shared_bytes = s->vector ? BLOCK_THREADS * 4 : 0;
    out->warp_size = sizeof(struct spmv_warp);
    out->code = s->vector ? spmv_vector : spmv_scalar;
    out->data = 1;
    return true;
}

static void spmv_destroy(struct kernel_source *source)
{
    graph_destroy(((struct spmv *)source)->matrix);
}

static const struct kernel_class spmv_class = {.next = spmv_next, .destroy = spmv_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { FORM = GRAPH_PARAMETERS, TIMES };

static const struct workload_parameter spmv_parameters[] = {
    GRAPH_PARAMETER_ROWS("uniform", "16384", "163"),
    [FORM] = {"kernel", "vector", "vector (a warp a row) or scalar (a thread a row)"},
    [TIMES] = {"times", "4", "products with the same vector"},
    {NULL, NULL, NULL}};

static int spmv_open(const struct workload *workload, const char *const *values,
                     struct source **out, struct error *error)
{
    struct graph *matrix;
    int64_t times;
    bool vector = strcmp(values[FORM], "vector") == 0;
    int status = settings_integer("times", values[TIMES], 1, 1000000, &times, error);
    if (!status && !vector && strcmp(values[FORM], "scalar") != 0)
        status =
            error_set(error, STATUS_INPUT, "kernel=%.80s: expected vector or scalar", values[FORM]);
    if (!status)
        status = graph_input_open(workload, values, &matrix, error);
    if (status)
        return status;
    struct spmv *s = kernel_source_create(workload, &spmv_class, sizeof *s);
    struct kernel_source *source = &s->base;
    graph_sort_rows(matrix);
    s->matrix = matrix;
    s->vector = vector;
    s->times = (uint64_t)times;
    kernel_place(source, "val", matrix->n_edges, 4);
    kernel_place(source, "cols", matrix->n_edges, 4);
    kernel_place(source, "rowDelimiters", matrix->n_vertices + 1ULL, 4);
    kernel_place(source, "vec", matrix->n_vertices, 4);
    kernel_place(source, "out", matrix->n_vertices, 4);
    struct hash_content *hash = kernel_hash_begin(source, "shoc spmv 1");
    graph_hash(matrix, hash);
    hash_content_add(hash, &s->vector, sizeof s->vector);
    hash_content_add(hash, &s->times, sizeof s->times);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input spmv_inputs[] = {{"small", "nodes=2000,degree=20,times=2"},
                                                    {NULL, NULL}};

static const struct workload_scale spmv_scale[] = {
    {"nodes", "nodes*sqrt(size)"}, {"degree", "degree*sqrt(size)"}, {NULL, NULL}};

const struct workload workload_spmv = {
    .plugin = {.kind = "workload",
               .name = "spmv",
               .summary = "sparse matrix times vector over compressed rows",
               .reference = "Danalis et al., SHOC, GPGPU 2010; Bell and Garland, SC 2009"},
    .suite = "SHOC",
    .page =
        "SHOC's CSR kernels in single precision, blocks of 128 threads: one warp a row\n"
        "(default) or one thread a row (kernel=scalar). The columns of a row ascend. Any\n"
        "square matrix of a Matrix Market or METIS file, or a made-up one; its values do not\n"
        "matter. SHOC makes its own with 1 % of the elements: 12 288 rows with 122 elements\n"
        "each are size 3 of its four (3 072 CTAs, 12.1 MB), 16 384 rows with 163 each, size 4,\n"
        "the default: 4 096 CTAs and 21.6 MB. DualOpt's size\n"
        "is not published, nor how often the product is taken (SHOC: 100 times, here 4):\n"
        "chosen. Instructions between accesses are estimates.\n"
        "What is said of SHOC's code and inputs is from memory, not checked against its\n"
        "source.\n",
    .parameters = spmv_parameters,
    .inputs = spmv_inputs,
    .scale = spmv_scale,
    .open = spmv_open};

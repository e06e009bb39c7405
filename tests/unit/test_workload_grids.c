/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads whose grids, windows or offsets are not plain: Parboil's sgemm and
 * lbm, Rodinia's dwt2d and leukocyte, against plain C executions. */
#include <math.h>

#include "workload_reference.h"

TEST(test_sgemm)
{
    enum { M = 128, N = 32, K = 24 };
    reference_open("sgemm:m=128,n=32,k=24");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                 *C = reference_array("C", 4);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += LOAD(A, k * M + i) * LOAD(B, k * N + j);
            STORE(C, j * M + i, 2 * LOAD(C, j * M + i) + 3 * sum);
        }
    reference_launch("mysgemmNT", SAME_SETS);
    reference_close();
}

/* ---- lbm ------------------------------------------------------------------- */

enum { LBM_X = 40, LBM_Y = 5, LBM_Z = 6, LBM_ROW = LBM_X + 8, LBM_PLANE = LBM_ROW * LBM_Y };

static const struct direction {
    int x, y, z;
} directions[19] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

/* Distribution d of a cell; cells may lie in the padding or beyond the grid. */
static int64_t lbm_place(int d, int x, int y, int z)
{
    int64_t cells = LBM_PLANE * (LBM_Z + 4), margin = 4 * LBM_PLANE;
    return margin + d * cells + (z * LBM_Y + y) * LBM_ROW + x;
}

static void lbm_cell(struct array *from, struct array *to, int x, int y, int z)
{
    double f[19], density = 0;
    for (int d = 0; d < 19; d++)
        density += f[d] = LOAD(from, lbm_place(d, x, y, z));
    double flags = LOAD(from, lbm_place(19, x, y, z));
    for (int d = 0; d < 19; d++) {
        const struct direction *c = &directions[d];
        STORE(to, lbm_place(d, x + c->x, y + c->y, z + c->z),
              flags > 4 ? f[d] : f[d] / 2 + density / 38);
    }
}

TEST(test_lbm)
{
    reference_open("lbm:nx=40,ny=5,nz=6,steps=3");
    struct array *from = reference_array("src", 4), *to = reference_array("dst", 4);
    for (int step = 0; step < 3; step++) {
        for (int z = 0; z < LBM_Z; z++)
            for (int y = 0; y < LBM_Y; y++)
                for (int x = 0; x < LBM_X; x++)
                    lbm_cell(from, to, x, y, z);
        reference_launch("performStreamCollide_kernel", SAME_COUNTS);
        struct array *other = from;
        from = to;
        to = other;
    }
    reference_close();
}

/* ---- dwt2d ------------------------------------------------------------------- */

enum { DWT_W = 328, DWT_H = 248, DWT_LEVELS = 3 };

/* JPEG 2000's reversible lifting of n values, mirrored at both ends; low ones
 * at even places, high ones at odd places. */
static void lift(double *x, int n, int step)
{
    for (int i = 1; i < n; i += 2)
        x[i * step] -= floor((x[(i - 1) * step] + x[(i + 1 < n ? i + 1 : n - 2) * step]) / 2);
    for (int i = 0; i < n; i += 2)
        x[i * step] +=
            floor((x[(i ? i - 1 : 1) * step] + x[(i + 1 < n ? i + 1 : n - 1) * step] + 2) / 4);
}

static int mirror(int i, int n)
{
    return i < 0 ? -i : i < n ? i : 2 * n - 2 - i;
}

/* A block needs two pixels before its strip and one behind; its window slides on to its
 * end, mirrored at the image's edge. It writes what lies in the image. */
static void dwt_block(struct array *image, struct array *bands, const double *x, int n, int m,
                      int x0, int y0, int strip, int rows)
{
    for (int row = y0 - 2; row <= y0 + rows; row++)
        for (int column = x0 - 2; column <= x0 + strip; column++)
            (void)LOAD(image, mirror(row, m) * n + mirror(column, n));
    for (int row = y0; row < y0 + rows && row < m; row++)
        for (int column = x0; column < x0 + strip && column < n; column++)
            STORE(bands,
                  (2 * (row % 2) + column % 2) * (m / 2) * (n / 2) + row / 2 * (n / 2) + column / 2,
                  x[row * n + column]);
    reference_block(SAME_SETS);
}

static void dwt_level(struct array *image, struct array *bands, double *x, int n, int m)
{
    int strip = n >= 960 ? 192 : n >= 480 ? 128 : 64, rows = (m + 119) / 120 * 8;
    memcpy(x, image->values, (size_t)n * (size_t)m * sizeof *x);
    for (int column = 0; column < n; column++)
        lift(x + column, m, n);
    for (int row = 0; row < m; row++)
        lift(x + row * n, n, 1);
    reference_begin("fdwt53Kernel");
    for (int y0 = 0; y0 < m; y0 += rows)
        for (int x0 = 0; x0 < n; x0 += strip)
            dwt_block(image, bands, x, n, m, x0, y0, strip, rows);
}

TEST(test_dwt2d)
{
    double *x = memory_zero(DWT_W * DWT_H, sizeof *x);
    reference_open("dwt2d:w=328,h=248,levels=3");
    struct array *bytes = reference_array("bytes", 4), *image = reference_array("image", 4),
                 *bands = reference_array("bands", 4);
    for (int i = 0; i < bytes->n; i++) { /* whole blocks of 256 pixels are staged */
        double four = LOAD(bytes, i);
        for (int k = 4 * i; k < 4 * i + 4 && k < DWT_W * DWT_H; k++)
            STORE(image, k, four + k % 7 - 128);
    }
    reference_launch("c_CopySrcToComponent", SAME_SETS);
    for (int level = 0; level < DWT_LEVELS; level++) {
        int n = DWT_W >> level, m = DWT_H >> level;
        dwt_level(image, bands, x, n, m);
        memcpy(image->values, bands->values, (size_t)(n / 2) * (size_t)(m / 2) * sizeof(double));
    }
    reference_close();
    free(x);
}

/* ---- leukocyte --------------------------------------------------------------- */

enum { FRAME_M = 60, FRAME_N = 50, CELLS = 3, CELL_PIXELS = 41 * 81, SWEEPS = 2 };

/* Exact values may come out a little short of a whole number. */
static int towards_zero(double value)
{
    return (int)(value + copysign(1e-9, value));
}

static double gicov(struct array *grad_x, struct array *grad_y, int x, int y)
{
    double most = 0;
    for (int radius = 8; radius <= 20; radius += 2) {
        double sum = 0, squares = 0;
        for (int point = 0; point < 150; point++) {
            double angle = 2 * acos(-1) * point / 150;
            int at = (x + towards_zero(radius * cos(angle))) * FRAME_M + y +
                     towards_zero(radius * sin(angle));
            double p = LOAD(grad_x, at) * cos(angle) + LOAD(grad_y, at) * sin(angle);
            sum += p;
            squares += p * p;
        }
        double mean = sum / 150, variance = squares / 150 - mean * mean;
        most = fmax(most, mean * mean / variance);
    }
    return most;
}

static void leukocyte_dilate(struct array *from, struct array *to)
{
    int pixels = (FRAME_M * FRAME_N + 88) / 176 * 176; /* rounded to whole blocks */
    for (int pixel = 0; pixel < pixels && pixel < FRAME_M * FRAME_N; pixel++) {
        int y = pixel % FRAME_M, x = pixel / FRAME_M;
        double most = 0;
        for (int i = y - 12; i <= y + 12; i++)
            for (int j = x - 12; j <= x + 12; j++)
                if (i >= 0 && i < FRAME_M && j >= 0 && j < FRAME_N && hypot(i - y, j - x) <= 12)
                    most = fmax(most, LOAD(from, j * FRAME_M + i));
        STORE(to, y * FRAME_N + x, most);
    }
    reference_launch("dilate_kernel", SAME_COUNTS);
}

static void leukocyte_track(struct array *field, struct array *image, struct array *uniform[4])
{
    for (int cell = 0; cell < CELLS; cell++) {
        for (int i = 0; i < 4 * 320; i++) /* by each thread of the block */
            (void)LOAD(uniform[i % 4], cell);
        for (int pixel = cell * CELL_PIXELS; pixel < (cell + 1) * CELL_PIXELS; pixel++) {
            double value = LOAD(field, pixel);
            for (int sweep = 0; sweep < SWEEPS; sweep++)
                value += LOAD(image, pixel) / 5;
            STORE(field, pixel, value);
        }
    }
    reference_launch("IMGVF_kernel", SAME_COUNTS);
}

TEST(test_leukocyte)
{
    reference_open("leukocyte:m=60,n=50,cells=3,iterations=2");
    struct array *grad_x = reference_array("grad_x", 4), *grad_y = reference_array("grad_y", 4),
                 *score = reference_array("gicov", 4);
    for (int x = 22; x < FRAME_N - 22; x++)
        for (int y = 22; y < FRAME_M - 22; y++)
            STORE(score, x * FRAME_M + y, gicov(grad_x, grad_y, x, y));
    struct array *dilated = reference_array("dilated", 4);
    struct array *uniform[4] = {reference_array("field_of", 8), reference_array("image_of", 8),
                                reference_array("rows_of", 4), reference_array("columns_of", 4)};
    struct array *field = reference_array("field", 4), *image = reference_array("image", 4);
    reference_launch("GICOV_kernel", SAME_COUNTS);
    leukocyte_dilate(score, dilated);
    leukocyte_track(field, image, uniform);
    reference_close();
}

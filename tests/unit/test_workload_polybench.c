/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polybench's workloads against plain C executions of their algorithms. None of
 * them stages anything in shared memory, so the counts agree as well. Sizes
 * are no multiples of the blocks. */
#include "workload_reference.h"

/* Z += X*Y with X: n x k, Y: k x m. */
static void multiply(struct array *X, struct array *Y, struct array *Z, int n, int k, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = LOAD(Z, i * m + j);
            for (int l = 0; l < k; l++)
                sum += LOAD(X, i * k + l) * LOAD(Y, l * m + j);
            STORE(Z, i * m + j, sum);
        }
}

/* The same as compiled where Z may lie on X or Y: Z is written before and at every step of the
 * sum; read before, if it is scaled there. */
static void multiply_written(struct array *X, struct array *Y, struct array *Z, int n, int k, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = LOAD(Z, i * m + j);
            for (int l = 0; l < k; l++) {
                sum += LOAD(X, i * k + l) * LOAD(Y, l * m + j);
                STORE(Z, i * m + j, sum);
            }
        }
}

/* z += X*y (or z += X'*y) with X: n x m. */
static void multiply_vector(struct array *X, struct array *y, struct array *z, int n, int m,
                            bool transposed)
{
    for (int i = 0; i < (transposed ? m : n); i++) {
        double sum = LOAD(z, i);
        for (int j = 0; j < (transposed ? n : m); j++)
            sum += LOAD(X, transposed ? j * m + i : i * m + j) * LOAD(y, j);
        STORE(z, i, sum);
    }
}

TEST(test_gemm)
{
    enum { NI = 13, NJ = 37, NK = 5 };
    reference_open("gemm:ni=13,nj=37,nk=5");
    multiply(reference_array("A", 4), reference_array("B", 4), reference_array("C", 4), NI, NK, NJ);
    reference_launch("gemm", SAME_COUNTS);
    reference_close();
}

TEST(test_sums_written)
{
    enum { N = 13, M = 37, K = 5, L = 70 };
    reference_open("gemm:ni=13,nj=37,nk=5,written=1");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                 *C = reference_array("C", 4);
    for (int i = 0; i < N * M; i++) /* scaled: its read is that of the sum */
        STORE(C, i, 0);
    multiply_written(A, B, C, N, K, M);
    reference_launch("gemm", SAME_COUNTS);
    reference_close();

    reference_open("2mm:ni=13,nj=37,nk=5,nl=70,written=1");
    A = reference_array("A", 4), B = reference_array("B", 4), C = reference_array("C", 4);
    struct array *D = reference_array("D", 4), *E = reference_array("E", 4);
    multiply_written(A, B, C, N, K, M);
    reference_launch("mm2_kernel1", SAME_COUNTS);
    multiply_written(C, D, E, N, M, L);
    reference_launch("mm2_kernel2", SAME_COUNTS);
    reference_close();

    reference_open("syrk:n=45,m=7,written=1");
    A = reference_array("A", 4), C = reference_array("C", 4);
    for (int i = 0; i < 45; i++)
        for (int j = 0; j < 45; j++) {
            double sum = 3 * LOAD(C, i * 45 + j);
            STORE(C, i * 45 + j, sum);
            for (int k = 0; k < 7; k++) {
                sum += 2 * LOAD(A, i * 7 + k) * LOAD(A, j * 7 + k);
                STORE(C, i * 45 + j, sum);
            }
        }
    reference_launch("syrk_kernel", SAME_COUNTS);
    reference_close();
}

TEST(test_2mm)
{
    enum { NI = 13, NJ = 37, NK = 5, NL = 70 };
    reference_open("2mm:ni=13,nj=37,nk=5,nl=70");
    struct array *C = reference_array("C", 4);
    multiply(reference_array("A", 4), reference_array("B", 4), C, NI, NK, NJ);
    struct array *D = reference_array("D", 4), *E = reference_array("E", 4);
    reference_launch("mm2_kernel1", SAME_COUNTS);
    multiply(C, D, E, NI, NJ, NL);
    reference_launch("mm2_kernel2", SAME_COUNTS);
    reference_close();
}

TEST(test_3mm)
{
    enum { NI = 13, NJ = 37, NK = 5, NL = 70, NM = 3 };
    reference_open("3mm:ni=13,nj=37,nk=5,nl=70,nm=3");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                 *C = reference_array("C", 4), *D = reference_array("D", 4),
                 *E = reference_array("E", 4), *F = reference_array("F", 4),
                 *G = reference_array("G", 4);
    multiply(A, B, E, NI, NK, NJ);
    reference_launch("mm3_kernel1", SAME_COUNTS);
    multiply(C, D, F, NJ, NM, NL);
    reference_launch("mm3_kernel2", SAME_COUNTS);
    multiply(E, F, G, NI, NJ, NL);
    reference_launch("mm3_kernel3", SAME_COUNTS);
    reference_close();
}

TEST(test_mvt)
{
    enum { N = 300 };
    reference_open("mvt:n=300");
    struct array *A = reference_array("A", 4), *x1 = reference_array("x1", 4),
                 *x2 = reference_array("x2", 4), *y1 = reference_array("y1", 4),
                 *y2 = reference_array("y2", 4);
    multiply_vector(A, y1, x1, N, N, false);
    reference_launch("mvt_kernel1", SAME_COUNTS);
    multiply_vector(A, y2, x2, N, N, true);
    reference_launch("mvt_kernel2", SAME_COUNTS);
    reference_close();
}

TEST(test_atax)
{
    enum { NX = 300, NY = 270 };
    reference_open("atax:nx=300,ny=270");
    struct array *A = reference_array("A", 4), *x = reference_array("x", 4),
                 *y = reference_array("y", 4), *tmp = reference_array("tmp", 4);
    multiply_vector(A, x, tmp, NX, NY, false);
    reference_launch("atax_kernel1", SAME_COUNTS);
    multiply_vector(A, tmp, y, NX, NY, true);
    reference_launch("atax_kernel2", SAME_COUNTS);
    reference_close();
}

TEST(test_bicg)
{
    enum { NX = 300, NY = 270 };
    reference_open("bicg:nx=300,ny=270");
    struct array *A = reference_array("A", 4), *r = reference_array("r", 4),
                 *s = reference_array("s", 4), *p = reference_array("p", 4),
                 *q = reference_array("q", 4);
    for (int j = 0; j < NY; j++) {
        double sum = 0;
        for (int i = 0; i < NX; i++)
            sum += LOAD(r, i) * LOAD(A, i * NY + j);
        STORE(s, j, sum);
    }
    reference_launch("bicg_kernel1", SAME_COUNTS);
    for (int i = 0; i < NX; i++) {
        double sum = 0;
        for (int j = 0; j < NY; j++)
            sum += LOAD(A, i * NY + j) * LOAD(p, j);
        STORE(q, i, sum);
    }
    reference_launch("bicg_kernel2", SAME_COUNTS);
    reference_close();
}

TEST(test_gesummv)
{
    enum { N = 270 };
    reference_open("gesummv:n=270");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                 *x = reference_array("x", 4), *y = reference_array("y", 4),
                 *tmp = reference_array("tmp", 4);
    for (int i = 0; i < N; i++) {
        double a = LOAD(tmp, i), b = LOAD(y, i);
        for (int j = 0; j < N; j++) {
            double factor = LOAD(x, j);
            a += LOAD(A, i * N + j) * factor;
            b += LOAD(B, i * N + j) * factor;
        }
        STORE(tmp, i, a);
        STORE(y, i, 2 * a + 3 * b);
    }
    reference_launch("gesummv_kernel", SAME_COUNTS);
    reference_close();
}

TEST(test_syrk)
{
    enum { N = 45, M = 7 };
    reference_open("syrk:n=45,m=7");
    struct array *A = reference_array("A", 4), *C = reference_array("C", 4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 3 * LOAD(C, i * N + j);
            for (int k = 0; k < M; k++)
                sum += 2 * LOAD(A, i * M + k) * LOAD(A, j * M + k);
            STORE(C, i * N + j, sum);
        }
    reference_launch("syrk_kernel", SAME_COUNTS);
    reference_close();
}

TEST(test_2dconv)
{
    enum { NI = 19, NJ = 70 };
    reference_open("2dconv:ni=19,nj=70");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4);
    for (int i = 1; i < NI - 1; i++)
        for (int j = 1; j < NJ - 1; j++) {
            double sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += (di + 2 * dj) * LOAD(A, (i + di) * NJ + j + dj);
            STORE(B, i * NJ + j, sum);
        }
    reference_launch("Convolution2D_kernel", SAME_COUNTS);
    reference_close();
}

TEST(test_3dconv)
{
    enum { NI = 5, NJ = 11, NK = 40 };
    /* The distinct neighbours (i, j, k) of Polybench's fifteen terms. */
    static const int at[11][3] = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 0}, {0, 0, 0},
                                  {0, 1, 0},    {-1, -1, 1}, {1, -1, 1}, {-1, 0, 1},
                                  {1, 0, 1},    {-1, 1, 1},  {1, 1, 1}};
    reference_open("3dconv:ni=5,nj=11,nk=40");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4);
    for (int i = 1; i < NI - 1; i++) {
        for (int j = 1; j < NJ - 1; j++)
            for (int k = 1; k < NK - 1; k++) {
                double sum = 0;
                for (int n = 0; n < 11; n++)
                    sum += n * LOAD(A, ((i + at[n][0]) * NJ + j + at[n][1]) * NK + k + at[n][2]);
                STORE(B, (i * NJ + j) * NK + k, sum);
            }
        reference_launch("convolution3D_kernel", SAME_COUNTS);
    }
    reference_close();
}

TEST(test_fdtd2d)
{
    enum { NX = 11, NY = 37, STEPS = 3 };
    reference_open("fdtd2d:nx=11,ny=37,tmax=3");
    struct array *source = reference_array("source", 4), *ex = reference_array("ex", 4),
                 *ey = reference_array("ey", 4), *hz = reference_array("hz", 4);
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < NY; j++)
            STORE(ey, j, LOAD(source, t));
        for (int i = 1; i < NX; i++)
            for (int j = 0; j < NY; j++)
                STORE(ey, i * NY + j,
                      LOAD(ey, i * NY + j) -
                          0.5 * (LOAD(hz, i * NY + j) - LOAD(hz, (i - 1) * NY + j)));
        reference_launch("fdtd_step1_kernel", SAME_COUNTS);
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY; j++)
                STORE(ex, i * (NY + 1) + j,
                      LOAD(ex, i * (NY + 1) + j) -
                          0.5 * (LOAD(hz, i * NY + j) - LOAD(hz, i * NY + j - 1)));
        reference_launch("fdtd_step2_kernel", SAME_COUNTS);
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                STORE(hz, i * NY + j,
                      LOAD(hz, i * NY + j) -
                          0.7 * (LOAD(ex, i * (NY + 1) + j + 1) - LOAD(ex, i * (NY + 1) + j) +
                                 LOAD(ey, (i + 1) * NY + j) - LOAD(ey, i * NY + j)));
        reference_launch("fdtd_step3_kernel", SAME_COUNTS);
    }
    reference_close();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polybench's workloads against plain C executions of their algorithms. None of
 * them stages anything in shared memory, so the counts agree as well. Sizes
 * are no multiples of the blocks. */
#include "workload_reference.h"

/* The sums of eight workloads, as their source has them, in memory, where pointers that may be
 * equal keep a store in each step; or, with written=0, in a register and stored at the end. */
static void open_either(const char *spec, bool written)
{
    char settings[64];
    snprintf(settings, sizeof settings, "%s%s", spec, written ? "" : ",written=0");
    reference_open(settings);
}

/* Z += X*Y with X: n x k, Y: k x m. */
static void multiply(struct array *X, struct array *Y, struct array *Z, int n, int k, int m,
                     bool written)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = LOAD(Z, i * m + j);
            for (int l = 0; l < k; l++) {
                sum += LOAD(X, i * k + l) * LOAD(Y, l * m + j);
                if (written)
                    STORE(Z, i * m + j, sum);
            }
            if (!written)
                STORE(Z, i * m + j, sum);
        }
}

/* z += X*y (or z += X'*y) with X: n x m; `from_zero`: z is set to zero, not read. */
static void multiply_vector(struct array *X, struct array *y, struct array *z, int n, int m,
                            bool transposed, bool from_zero, bool written)
{
    for (int i = 0; i < (transposed ? m : n); i++) {
        double sum = from_zero ? 0 : LOAD(z, i);
        if (from_zero && written)
            STORE(z, i, sum);
        for (int j = 0; j < (transposed ? n : m); j++) {
            sum += LOAD(X, transposed ? j * m + i : i * m + j) * LOAD(y, j);
            if (written)
                STORE(z, i, sum);
        }
        if (!written)
            STORE(z, i, sum);
    }
}

TEST(test_gemm)
{
    enum { NI = 13, NJ = 37, NK = 5 };
    for (int written = 0; written < 2; written++) {
        open_either("gemm:ni=13,nj=37,nk=5", written);
        struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                     *C = reference_array("C", 4);
        for (int i = 0; i < NI * NJ && written; i++) /* scaled: its read is that of the sum */
            STORE(C, i, 0);
        multiply(A, B, C, NI, NK, NJ, written);
        reference_launch("gemm", SAME_COUNTS);
        reference_close();
    }
}

TEST(test_2mm)
{
    enum { NI = 13, NJ = 37, NK = 5, NL = 70 };
    for (int written = 0; written < 2; written++) {
        open_either("2mm:ni=13,nj=37,nk=5,nl=70", written);
        struct array *C = reference_array("C", 4);
        multiply(reference_array("A", 4), reference_array("B", 4), C, NI, NK, NJ, written);
        struct array *D = reference_array("D", 4), *E = reference_array("E", 4);
        reference_launch("mm2_kernel1", SAME_COUNTS);
        multiply(C, D, E, NI, NJ, NL, written);
        reference_launch("mm2_kernel2", SAME_COUNTS);
        reference_close();
    }
}

TEST(test_3mm)
{
    enum { NI = 13, NJ = 37, NK = 5, NL = 70, NM = 3 };
    for (int written = 0; written < 2; written++) {
        open_either("3mm:ni=13,nj=37,nk=5,nl=70,nm=3", written);
        struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                     *C = reference_array("C", 4), *D = reference_array("D", 4),
                     *E = reference_array("E", 4), *F = reference_array("F", 4),
                     *G = reference_array("G", 4);
        multiply(A, B, E, NI, NK, NJ, written);
        reference_launch("mm3_kernel1", SAME_COUNTS);
        multiply(C, D, F, NJ, NM, NL, written);
        reference_launch("mm3_kernel2", SAME_COUNTS);
        multiply(E, F, G, NI, NJ, NL, written);
        reference_launch("mm3_kernel3", SAME_COUNTS);
        reference_close();
    }
}

TEST(test_mvt)
{
    enum { N = 300 };
    for (int written = 0; written < 2; written++) {
        open_either("mvt:n=300", written);
        struct array *A = reference_array("A", 4), *x1 = reference_array("x1", 4),
                     *x2 = reference_array("x2", 4), *y1 = reference_array("y1", 4),
                     *y2 = reference_array("y2", 4);
        multiply_vector(A, y1, x1, N, N, false, false, written);
        reference_launch("mvt_kernel1", SAME_COUNTS);
        multiply_vector(A, y2, x2, N, N, true, false, written);
        reference_launch("mvt_kernel2", SAME_COUNTS);
        reference_close();
    }
}

TEST(test_atax)
{
    enum { NX = 300, NY = 270 };
    for (int written = 0; written < 2; written++) {
        open_either("atax:nx=300,ny=270", written);
        struct array *A = reference_array("A", 4), *x = reference_array("x", 4),
                     *y = reference_array("y", 4), *tmp = reference_array("tmp", 4);
        multiply_vector(A, x, tmp, NX, NY, false, false, written);
        reference_launch("atax_kernel1", SAME_COUNTS);
        multiply_vector(A, tmp, y, NX, NY, true, false, written);
        reference_launch("atax_kernel2", SAME_COUNTS);
        reference_close();
    }
}

TEST(test_bicg)
{
    enum { NX = 300, NY = 270 };
    for (int written = 0; written < 2; written++) {
        open_either("bicg:nx=300,ny=270", written);
        struct array *A = reference_array("A", 4), *r = reference_array("r", 4),
                     *s = reference_array("s", 4), *p = reference_array("p", 4),
                     *q = reference_array("q", 4);
        multiply_vector(A, r, s, NX, NY, true, true, written);
        reference_launch("bicg_kernel1", SAME_COUNTS);
        multiply_vector(A, p, q, NX, NY, false, true, written);
        reference_launch("bicg_kernel2", SAME_COUNTS);
        reference_close();
    }
}

/* In memory tmp may be y, and either x: nothing that was loaded holds behind a store. */
static void add_two_rows(struct array *A, struct array *B, struct array *x, struct array *y,
                         struct array *tmp, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            STORE(tmp, i, LOAD(tmp, i) + LOAD(A, i * n + j) * LOAD(x, j));
            STORE(y, i, LOAD(y, i) + LOAD(B, i * n + j) * LOAD(x, j));
        }
        STORE(y, i, 2 * LOAD(tmp, i) + 3 * LOAD(y, i));
    }
}

TEST(test_gesummv)
{
    enum { N = 270 };
    for (int written = 0; written < 2; written++) {
        open_either("gesummv:n=270", written);
        struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                     *x = reference_array("x", 4), *y = reference_array("y", 4),
                     *tmp = reference_array("tmp", 4);
        if (written)
            add_two_rows(A, B, x, y, tmp, N);
        for (int i = 0; i < N && !written; i++) {
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
}

TEST(test_syrk)
{
    enum { N = 45, M = 7 };
    for (int written = 0; written < 2; written++) {
        open_either("syrk:n=45,m=7", written);
        struct array *A = reference_array("A", 4), *C = reference_array("C", 4);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 3 * LOAD(C, i * N + j);
                for (int k = 0; k < M; k++) {
                    if (written)
                        STORE(C, i * N + j, sum);
                    sum += 2 * LOAD(A, i * M + k) * LOAD(A, j * M + k);
                }
                STORE(C, i * N + j, sum);
            }
        reference_launch("syrk_kernel", SAME_COUNTS);
        reference_close();
    }
}

/* How many elements are read and written: steps of a sum times what a step has. */
TEST(test_sums_in_memory)
{
    static const struct {
        const char *spec;
        uint64_t reads, writes, register_reads, register_writes;
    } cases[] = {
        {"gemm:ni=13,nj=37,nk=5", 481 * 11, 481 * 6, 481 * 11, 481},
        {"2mm:ni=13,nj=37,nk=5,nl=70", 481 * 11 + 910 * 75, 481 * 5 + 910 * 37, 481 * 11 + 910 * 75,
         481 + 910},
        {"3mm:ni=13,nj=37,nk=5,nl=70,nm=3", 481 * 11 + 2590 * 7 + 910 * 75,
         481 * 5 + 2590 * 3 + 910 * 37, 481 * 11 + 2590 * 7 + 910 * 75, 481 + 2590 + 910},
        {"syrk:n=45,m=7", 2025 * 15, 2025 * 8, 2025 * 15, 2025},
        {"mvt:n=300", 600 * 601, 600 * 300, 600 * 601, 600},
        {"atax:nx=300,ny=270", 300 * 541 + 270 * 601, 2 * 300 * 270, 300 * 541 + 270 * 601, 570},
        {"bicg:nx=300,ny=270", 4 * 300 * 270, 2 * 300 * 270 + 570, 4 * 300 * 270, 570},
        {"gesummv:n=270", 270 * (6 * 270 + 2), 270 * (2 * 270 + 1), 270 * (3 * 270 + 2), 2 * 270},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int written = 0; written < 2; written++) {
            char spec[64];
            snprintf(spec, sizeof spec, "%s,written=%d", cases[i].spec, written);
            OWNED(source) *source = NULL;
            check_ok(source_open(spec, &source, &failure));
            struct trace_items all;
            check_ok(trace_read(source, false, &all, &failure));
            uint64_t touched[REFERENCE_KINDS] = {0};
            for (size_t k = 0; k < all.accesses.count; k++)
                touched[all.accesses.items[k].access.kind] += (uint64_t)all.accesses.items[k].lanes;
            trace_items_free(&all);
            assert_int_equal(touched[ACCESS_READ],
                             written ? cases[i].reads : cases[i].register_reads);
            assert_int_equal(touched[ACCESS_WRITE],
                             written ? cases[i].writes : cases[i].register_writes);
        }
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

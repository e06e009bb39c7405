/* SPDX-License-Identifier: GPL-3.0-or-later */
/* y = A x: a row an iteration; x is shared by all threads. */
#include <bandscape_trace.h>

enum { N = 1024 };
static _Alignas(1 << 21) float A[N][N], x[N], y[N]; /* aligned as a GPU's allocations are */

int main(void)
{
    bandscape_trace_array("A", A, sizeof A);
    bandscape_trace_array("x", x, sizeof x);
    bandscape_trace_array("y", y, sizeof y);
    for (int i = 0; i < N; i++)
        x[i] = A[i][i] = i;

    bandscape_trace_kernel("matvec");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = 0; k < N; k++)
            sum += A[i][k] * x[k];
        y[i] = sum;
    }
    bandscape_trace_end();
    return y[5] != 25;
}

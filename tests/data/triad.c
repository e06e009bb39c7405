/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A STREAM triad and a sum, as an example of a program that is traced. */
#include <stdio.h>
#include <stdlib.h>
#include <bandscape_trace.h>

int main(void)
{
    enum { N = 100000 };
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    double sum = 0;
    bandscape_trace_array("a", a, N * sizeof *a);
    bandscape_trace_array("b", b, N * sizeof *b);
    bandscape_trace_array("c", c, N * sizeof *c);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = 1;

    bandscape_trace_kernel("triad");
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 3 * c[i];

    bandscape_trace_kernel("sum");
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += a[i];
    bandscape_trace_end();

    printf("sum %.0f\n", sum);
    free(a), free(b), free(c);
    return 0;
}

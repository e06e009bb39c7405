/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of embeddings, as recommenders make them: a bag is a user, who has 16 rows of a table. Some
 * rows are in most bags. A thread has 16 bags. */
#include <bandscape_trace.h>

enum { ROWS = 98304, WIDTH = 64, BAGS = 16384, LOOKUPS = 16 };
static _Alignas(1 << 21) float table[ROWS][WIDTH], sums[BAGS][WIDTH];
static _Alignas(1 << 21) int rows[BAGS][LOOKUPS];

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

int main(void)
{
    unsigned seed = 1;
    bandscape_trace_array("table", table, sizeof table);
    bandscape_trace_array("sums", sums, sizeof sums);
    bandscape_trace_array("rows", rows, sizeof rows);
    for (int b = 0; b < BAGS; b++)
        for (int i = 0; i < LOOKUPS; i++) /* half of the lookups go to an eighth of the rows */
            rows[b][i] = (int)(next(&seed) % (i % 2 ? ROWS : ROWS / 8));

    bandscape_trace_kernel("bags");
#pragma omp parallel for
    for (int b = 0; b < BAGS; b++) {
        float sum[WIDTH] = {0};
        for (int i = 0; i < LOOKUPS; i++) {
            const float *row = table[rows[b][i]];
            for (int k = 0; k < WIDTH; k++)
                sum[k] += row[k];
        }
        for (int k = 0; k < WIDTH; k++)
            sums[b][k] = sum[k];
    }
    bandscape_trace_end();
    return 0;
}

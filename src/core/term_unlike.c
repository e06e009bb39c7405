/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/term_unlike.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

struct term_unlike {
    int args, results;
    double **columns; /* of arguments and results, of points that differ */
    double **wanted;  /* of these the results that somebody asks for, else NULL */
    int *places;      /* of every point, among those that differ */
};

struct term_unlike *term_unlike_create(int args, int results, int points)
{
    struct term_unlike *u = memory_zero(1, sizeof *u);
    u->args = args;
    u->results = results;
    u->columns = memory_zero((size_t)(args + results), sizeof *u->columns);
    u->wanted = memory_zero((size_t)results, sizeof *u->wanted);
    u->places = memory_zero((size_t)points, sizeof *u->places);
    for (int i = 0; i < args + results; i++)
        u->columns[i] = memory_aligned(64, (size_t)points * sizeof **u->columns);
    return u;
}

void term_unlike_destroy(struct term_unlike *u)
{
    if (!u)
        return;
    for (int i = 0; i < u->args + u->results; i++)
        free(u->columns[i]);
    free(u->columns);
    free(u->wanted);
    free(u->places);
    free(u);
}

/* How many points are left of n. */
static int find_unlike(struct term_unlike *u, int n_args, int n,
                       const struct term_operand *operands)
{
    int count = 1;
    u->places[0] = 0;
    for (int k = 1; k < n; k++) {
        bool same = true;
        for (int i = 0; i < n_args && same; i++)
            if (operands[i].step)
                same = memcmp(&operands[i].data[k], &operands[i].data[k - 1], sizeof(double)) == 0;
        count += !same;
        u->places[k] = count - 1;
    }
    return count;
}

void term_unlike_solve(struct term_unlike *u, const struct term *term, int n,
                       struct term_operand *operands, double *const *results)
{
    int count = n > 1 ? find_unlike(u, term->n_args, n, operands) : n;
    if (count == n) {
        term->solver(term->context, n, operands, results);
        return;
    }
    for (int i = 0; i < term->n_args; i++) {
        for (int k = 0; k < n && operands[i].step; k++)
            u->columns[i][u->places[k]] = operands[i].data[k];
        if (operands[i].step)
            operands[i].data = u->columns[i];
    }
    for (int i = 0; i < term->n_outputs; i++)
        u->wanted[i] = results[i] ? u->columns[u->args + i] : NULL;
    term->solver(term->context, count, operands, u->wanted);
    for (int i = 0; i < term->n_outputs; i++)
        for (int k = 0; k < n && u->wanted[i]; k++)
            results[i][k] = u->wanted[i][u->places[k]];
}

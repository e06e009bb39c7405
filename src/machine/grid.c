/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows and columns. */
#include "machine/grid.h"

#include <stdio.h>

const struct parameter_row grid_parameters[] = {
    {"columns", PARAMETER_COUNT, IN_PLAIN, 1, 64, NULL, NULL, NULL, "system", STRUCTURE_MODEL,
     "chips in a row; not given: as square as the chips allow"},
    {.field = NULL},
};

/* The least divisor whose square is no less than the chips. */
static uint32_t square_columns(uint32_t chips)
{
    uint32_t columns = 1;
    while (columns * columns < chips || chips % columns)
        columns++;
    return columns;
}

/* The chips of a line, `stride` apart from each other. */
static void link_line(struct link_graph *graph, uint32_t first, uint32_t n, uint32_t stride,
                      bool wraps)
{
    uint32_t links = n > 2 && wraps ? n : n - 1;
    for (uint32_t i = 0; i < links; i++) {
        uint32_t a = first + i * stride, b = first + (i + 1) % n * stride;
        link_graph_add(graph, a, b);
        link_graph_add(graph, b, a);
    }
}

int grid_generate(const struct machine *machine, const char *topology, bool wraps,
                  struct link_graph *graph, struct error *error)
{
    uint32_t n = graph->n_chips, columns = 0;
    char path[64];
    snprintf(path, sizeof path, "%s.columns", topology);
    int status = machine_count(machine, path, &columns, error);
    if (status == STATUS_UNKNOWN_FIELD)
        columns = square_columns(n);
    else if (status)
        return status;
    if (n % columns)
        return error_set(error, STATUS_INFEASIBLE, "%s: %u chips do not form rows of %u", path, n,
                         columns);
    for (uint32_t row = 0; row < n / columns; row++)
        link_line(graph, row * columns, columns, 1, wraps);
    for (uint32_t column = 0; column < columns; column++)
        link_line(graph, column, n / columns, columns, wraps);
    return 0;
}

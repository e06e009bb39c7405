/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements and nodes row by row and plane by plane; corners of an element go
 * around its lower face, then around its upper one. */
#include "workload/irregular/hexahedra.h"

#include <stdlib.h>

#include "core/memory.h"

static void hexahedra_connect(struct hexahedra *mesh)
{
    const uint32_t n = mesh->edge, row = n + 1, plane = row * row;
    const uint32_t corner[HEX_CORNERS] = {0,     1,         row + 1,         row,
                                          plane, plane + 1, plane + row + 1, plane + row};
    const uint32_t steps[3] = {1, n, n * n};
    for (uint32_t e = 0; e < mesh->n_elements; e++) {
        const uint32_t at[3] = {e % n, e / n % n, e / n / n};
        for (int k = 0; k < HEX_CORNERS; k++)
            mesh->nodes[e * HEX_CORNERS + (uint32_t)k] =
                at[2] * plane + at[1] * row + at[0] + corner[k];
        for (int d = 0; d < 3; d++) {
            uint32_t *pair = &mesh->neighbours[e * HEX_FACES + 2 * (uint32_t)d];
            pair[0] = at[d] > 0 ? e - steps[d] : e;
            pair[1] = at[d] + 1 < n ? e + steps[d] : e;
        }
    }
}

struct hexahedra *hexahedra_create(uint32_t edge)
{
    struct hexahedra *mesh = memory_zero(1, sizeof *mesh);
    mesh->edge = edge;
    mesh->n_elements = edge * edge * edge;
    mesh->n_nodes = (edge + 1) * (edge + 1) * (edge + 1);
    uint32_t n_corners = mesh->n_elements * HEX_CORNERS;
    mesh->nodes = memory_alloc(n_corners * sizeof *mesh->nodes);
    mesh->corners = memory_alloc(n_corners * sizeof *mesh->corners);
    mesh->neighbours = memory_alloc((size_t)mesh->n_elements * HEX_FACES * sizeof(uint32_t));
    mesh->corner_start = memory_zero(mesh->n_nodes + 2ULL, sizeof *mesh->corner_start);
    hexahedra_connect(mesh);
    uint32_t *next = mesh->corner_start + 1;
    for (uint32_t c = 0; c < n_corners; c++)
        next[mesh->nodes[c] + 1]++;
    for (uint32_t v = 0; v < mesh->n_nodes; v++)
        next[v + 1] += next[v];
    for (uint32_t c = 0; c < n_corners; c++)
        mesh->corners[next[mesh->nodes[c]]++] = c;
    return mesh;
}

void hexahedra_destroy(struct hexahedra *mesh)
{
    if (!mesh)
        return;
    free(mesh->nodes);
    free(mesh->corners);
    free(mesh->corner_start);
    free(mesh->neighbours);
    free(mesh);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NUBA's example of page placement (ASPLOS 2023, section 4), gone through by the machine's
 * placement: two partitions; pages P0 to P3 are first touched by SM 1, 0, 0, 1, each SM in the
 * partition of its number. The homes, read as bits: M1 M0 M0 M1 is 9. */
#include <stdlib.h>

#include "core/memory.h"
#include "model/computation.h"
#include "profile/homes/placement.h"

static int page_homes_compute(const struct machine *machine, const double *arguments,
                              double *results, struct error *error)
{
    static const uint32_t touchers[] = {1, 0, 0, 1};
    const struct plugin *plugin;
    const char *policy;
    struct placement_context context = {.n_homes = 2, .page_bytes = 4096, .threshold = 0.9};
    (void)arguments;
    if (!machine)
        return error_set(error, STATUS_INPUT, "the example is about a machine's page.policy");
    int status = machine_name(machine, "page.policy", &policy, error);
    if (!status)
        status = plugin_require("placement", policy, &plugin, error);
    if (status)
        return status;
    const struct placement *placement = (const struct placement *)plugin;
    void *state = memory_zero(1, placement->state_size + 1);
    if (placement->setup)
        status = placement->setup(state, &context, error);
    results[0] = 0;
    for (int page = 0; page < 4 && !status; page++)
        results[0] =
            results[0] * 2 +
            placement->home(state, &context, (uint64_t)page * context.page_bytes, touchers[page]);
    if (placement->finish)
        placement->finish(state);
    free(state);
    return status;
}

static const char *const homes_results[] = {"homes", NULL};

const struct computation computation_page_homes = {
    .plugin = {"computation", "page_homes", "homes of four pages of two partitions, as bits",
               "NUBA, ASPLOS 2023, section 4", NULL},
    .results = homes_results,
    .compute = page_homes_compute,
};

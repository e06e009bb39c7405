/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC: memory-side or SM-side, decided for each kernel by the EAB model. It has the one
 * crossbar of a memory-side LLC, so that in SM-side mode misses pass through it again.
 *
 * The hardware runs memory-side for the first 2 000 cycles of a kernel and decides from what it
 * counted by then: requests, local ones, those of each slice, and in the place of the SM-side hit
 * rate what its request directory (CRD) saw at home, of eight sets (section 3). A profile has
 * requests and no cycles: the window's are those that the bound at their own mix serves in its time
 * (model/choose.c). Both of the following are of that window:
 *
 *   crd     the directory's estimate and the counters' uniformities, as in that hardware
 *   window  exact counts; the SM-side hit rate is that of an LLC that begins empty
 *
 * What fits the LLC misses in the directory where it misses in such an LLC, at the first request of
 * a line by a chip: so `crd` is a sample of `window`, one line of 256, and for a window in which
 * nothing has to leave they differ by its noise alone. A window is short: of 16 384 requests the
 * directory sees some 64, which leaves a standard deviation of 0.05 to 0.09 of the hit rate (bfs,
 * over the 256 choices of eight sets), where theta is worth 0.02; the memory side's hit rate, which
 * it is compared with, is no sample. `window` is the default: it is what the published decision
 * comes to without the noise, and an answer should not hang on which eight sets they are, which the
 * paper does not say. `crd` shows what one choice of them costs or gains. It is sampled for one
 * size of the LLC, and holds for no other, so that a study of sizes would need a profile for each.
 *
 * `exact` sees the whole launch in advance, and turns at the same time: what a better predictor
 * could gain. */
#include <math.h>
#include <string.h>

#include "machine/organisation.h"
#include "mcm/fabric.h"
#include "model/model.h"

static int sac_rewrite(struct machine *machine, struct error *error)
{
    return machine_has(machine, "noc") ? machine_set(machine, "noc.misses", "shared", NULL, error)
                                       : 0;
}

static const char *sac_parts(const struct machine *machine)
{
    struct error ignored;
    const char *decides = "";
    if (machine_name(machine, "sac.decides", &decides, &ignored))
        return NULL;
    return strcmp(decides, "window") == 0 ? "window"
           : strcmp(decides, "crd") == 0  ? "window,samplers"
                                          : NULL;
}

/* The directory sampled an LLC of its own size: for another one there is no answer. */
static void check_directory(struct model_builder *b, const struct profile_record *seen)
{
    struct term_graph *g = model_graph(b);
    double sets = seen->fields[model_field_number(b, "crd.sets")];
    double ways = seen->fields[model_field_number(b, "crd.ways")], bytes, line, own_ways;
    struct error error;
    if (isnan(sets) || isnan(ways)) {
        model_refuse(b, "the profile does not say what the request directory saw (part samplers; "
                        "sac.decides: crd)");
        return;
    }
    if (machine_number(model_machine(b), "llc.capacity", &bytes, &error) ||
        machine_number(model_machine(b), "llc.ways", &own_ways, &error) ||
        machine_number(model_machine(b), "line", &line, &error)) {
        model_fail(b, &error);
        return;
    }
    if (floor(bytes / line / own_ways) != sets || own_ways != ways)
        model_refuse(b,
                     "the request directory of the profile was sampled for an LLC of %.0f sets and "
                     "%.0f ways (sac.decides: crd)",
                     sets, ways);
    int lines =
        term_quotient(g, "lines", model_parameter(b, "llc.capacity"), model_parameter(b, "line"));
    int sampled = model_constant(b, "sampled", floor(bytes / line), DIM_NONE);
    int same = term_operation(g, EXPRESSION_EQUAL, "LLC as sampled", 2, (int[]){lines, sampled});
    int all = term_operation(
        g, EXPRESSION_EQUAL, "ways as sampled", 2,
        (int[]){model_parameter(b, "llc.ways"), model_constant(b, "sampled", ways, DIM_NONE)});
    model_require(b, same);
    model_require(b, all);
}

static void sac_see(struct model_builder *b, const char *decides, bool other,
                    struct profile_record *seen)
{
    if (strcmp(decides, "crd") != 0)
        return;
    check_directory(b, seen);
    double *f = seen->fields;
    if (!other) {
        f[FIELD_LSU_MEMORY_SIDE] = f[model_field_number(b, "crd.lsu_memory-side")];
        return;
    }
    f[FIELD_LSU_SM_SIDE] = f[model_field_number(b, "crd.lsu_sm-side")];
    f[FIELD_LLC_HIT_SM_SIDE] = f[model_field_number(b, "crd.hit")];
    if (isnan(f[FIELD_LLC_HIT_SM_SIDE])) /* no sampled set was asked */
        f[FIELD_LLC_HIT_SM_SIDE] = 0;
    seen->n_curves = 0;
}

static const struct organisation_choice sac_choice = {
    .usual = "memory-side",
    .other = "sm-side",
    .model = "eab",
    .metric = "effective_bandwidth",
    .symbol = "EAB",
    .threshold = "llc.theta",
    .decides = "sac.decides",
    .window = "sac.window",
    .window_requests = "sac.window_requests",
    .pace = "bottleneck",
    .pace_stream = "all",
    .see = sac_see,
    .write_home = mcm_fabric_write_home,
};

static const struct parameter_row sac_parameters[] = {
    {"decides", PARAMETER_NAME, IN_PLAIN, 0, 0, "window", "window crd exact", NULL, "decision",
     STRUCTURE_MODEL,
     "from what SAC decides: window, exact counts of a launch's first requests; crd, the same with "
     "the request directory's estimates, as the hardware; exact, the whole launch"},
    {"window", PARAMETER_QUANTITY, IN_SECONDS, 0, 1, "2000 cycles", NULL, NULL, "launch",
     STRUCTURE_NONE,
     "time from a launch's start that it runs memory-side, whatever is decided then (the paper's "
     "2 000 cycles); a shorter launch does not turn"},
    {"window_requests", PARAMETER_COUNT, IN_PLAIN, 0, 1e9, "0", NULL, NULL, "launch",
     STRUCTURE_NONE,
     "requests that the window sees, of those that profiles keep (1 Ki, 4 Ki ... 256 Ki); 0: as "
     "many as the bound at their mix (bottleneck) serves memory-side in sac.window"},
    {.field = NULL},
};

const struct organisation organisation_sac = {
    .plugin = {.kind = "organisation",
               .name = "sac",
               .summary =
                   "SM-side for kernels whose EAB gains more than llc.theta, else memory-side",
               .reference = "SAC, ISCA 2023",
               .parameters = sac_parameters,
               .preferred = 3},
    .rewrite = sac_rewrite,
    .choice = &sac_choice,
    .parts_of = sac_parts,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates beside what is exact. */
#include "validate/beside_exact.h"

#include <math.h>

enum { FIRST_OCTAVE = -6 };

struct beside_exact beside_exact(const struct machine *machine, const struct profile_view *exact,
                                 const struct profile_view *estimated, enum level_side side)
{
    struct beside_exact c = {0};
    for (size_t r = 0; r < exact->n_records; r++) {
        const struct profile_record *a = &exact->records[r], *b = &estimated->records[r];
        double requests = a->fields[FIELD_REQUESTS];
        double hits = profile_llc_hit(a, machine, side) - profile_llc_hit(b, machine, side);
        if (isnan(hits))
            continue;
        c.requests += requests;
        c.hits += requests * hits;
        c.hits_half += requests * profile_llc_hit_half(b, machine, side);
        c.written += profile_llc_written(a, machine, side) - profile_llc_written(b, machine, side);
        c.written_half += profile_llc_written_half(b, machine, side);
    }
    return c;
}

static void take_case(struct beside_cases *cases, const struct beside_exact *c)
{
    double beyond = c->requests > 0 ? (fabs(c->hits) - c->hits_half) / c->requests : 0;
    cases->within += (fabs(c->hits) <= c->hits_half) + (fabs(c->written) <= c->written_half);
    cases->beyond = fmax(cases->beyond, beyond);
}

struct beside_cases beside_cases(const struct machine *machine, const struct profile_view *exact,
                                 const struct profile_view *estimated, enum level_side side)
{
    struct beside_cases cases = {0};
    struct error ignored;
    double capacity;
    if (machine_number(machine, "llc.capacity", &capacity, &ignored))
        return cases;
    for (int k = 0; k < BESIDE_CAPACITIES; k++) {
        struct machine *other = machine_clone(machine);
        struct parameter_value value = {.known = true,
                                        .given = true,
                                        .dim = DIM_BYTES,
                                        .number = ldexp(capacity, FIRST_OCTAVE + k)};
        if (machine_set_value(other, "llc.capacity", &value, &ignored) == 0) {
            struct beside_exact c = beside_exact(other, exact, estimated, side);
            take_case(&cases, &c);
        }
        machine_destroy(other);
    }
    return cases;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network reads of the profile: who asks for whose lines, how many requests may be in
 * flight, what passes the levels before the LLC, how evenly slices are used. */
#include <math.h>

#include "network/demands.h"

enum { WARP = 32 };

double demands_field(const struct demands *d, enum profile_field field)
{
    return d->record->fields[field];
}

/* a / b, or the fallback where that is unknown or b is 0. */
double demands_ratio(double a, double b, double fallback)
{
    double value = a / b;
    return isfinite(value) ? value : fallback;
}

void demands_read_traffic(struct demands *d)
{
    uint32_t n = d->machine.domains;
    bool known = d->record->traffic && d->record->n_domains == n;
    double local = n > 1 || !known ? demands_field(d, FIELD_R_LOCAL) : 1, all = 0;
    model_field(d->b, FIELD_R_LOCAL); /* counts as read; says so where it is unknown */
    d->share = arena_alloc(model_arena(d->b), (size_t)n * n * sizeof *d->share);
    d->class = arena_alloc(model_arena(d->b), n * sizeof *d->class);
    d->net->class = arena_alloc(model_arena(d->b), n * sizeof *d->net->class);
    for (size_t i = 0; known && i < (size_t)n * n; i++)
        all += d->record->traffic[i];
    known = known && all > 0;
    for (uint32_t i = 0; i < n; i++) {
        double row = 0;
        for (uint32_t j = 0; j < n; j++) {
            double even = i == j ? (n > 1 ? local : 1) : (1 - local) / (n - 1.0);
            d->share[i * n + j] = known ? d->record->traffic[i * n + j] : even;
            row += d->share[i * n + j];
        }
        for (uint32_t j = 0; j < n && row > 0; j++)
            d->share[i * n + j] /= row;
        d->class[i] = row > 0 ? d->net->classes : -1;
        if (row > 0)
            d->net->class[d->net->classes++] = (struct network_class){
                .work = known ? row / all : 1.0 / n,
                .domains = 1,
                .writes = demands_ratio(demands_field(d, FIELD_WRITES),
                                        demands_field(d, FIELD_REQUESTS), 0)};
    }
}

/* Thread blocks of a launch; 0: unknown. */
static double blocks(const struct demands *d)
{
    double launches = d->record->launches ? (double)d->record->launches : 1;
    return demands_ratio(demands_field(d, FIELD_CTAS), launches, 0);
}

/* SMs of a domain that get a block: blocks go where the requests come from. */
void demands_set_working_sms(struct demands *d)
{
    for (int c = 0; c < d->net->classes; c++) {
        struct network_class *class = &d->net->class[c];
        double own = fmax(1, round(blocks(d) * class->work));
        class->sms = blocks(d) > 0 ? fmin(d->machine.sms, own) : d->machine.sms;
    }
}

static double plain(struct demands *d, const char *path)
{
    struct error error;
    double value = 1;
    if (machine_number(model_machine(d->b), path, &value, &error))
        model_fail(d->b, &error);
    return value;
}

/* Warps that an SM holds: those of the blocks that it has room for, and gets. */
static int resident_warps(struct demands *d)
{
    const uint32_t *block = d->record->block;
    double threads = (double)block[0] * block[1] * block[2], most = HUGE_VAL;
    int warps = model_parameter(d->b, "sm.warps");
    if (threads > 0) {
        double each = ceil(threads / WARP);
        double held = fmin(plain(d, "sm.ctas"), floor(plain(d, "sm.threads") / (each * WARP)));
        held = fmin(held, floor(plain(d, "sm.warps") / each));
        double working = 0;
        for (int c = 0; c < d->net->classes; c++)
            working += d->net->class[c].sms;
        if (blocks(d) > 0)
            held = fmin(held, ceil(blocks(d) / working));
        most = fmax(1, held) * each;
    }
    if (!isfinite(most))
        return warps;
    return term_min(d->g, "resident warps", warps,
                    model_constant(d->b, "warps of resident blocks", most, DIM_NONE));
}

/* Lines of one access of a warp are asked for together: a warp has sm.outstanding accesses under
 * way, and with them as many requests as an access makes, at least one. */
void demands_read_population(struct demands *d)
{
    double each = fmax(1, demands_ratio(demands_field(d, FIELD_REQUESTS),
                                        demands_field(d, FIELD_WARP_ACCESSES), 1));
    int flight =
        term_product(d->g, "asked for", resident_warps(d), model_parameter(d->b, "sm.outstanding"),
                     model_constant(d->b, "requests an access", each, DIM_NONE));
    int reads = term_min(d->g, "reads in flight an SM", flight, model_parameter(d->b, "l1.mshrs"));
    d->net->reads_in_flight = demands_argument(d, reads);
    d->net->writes_in_flight = demands_argument(d, model_parameter(d->b, "l1.write_buffer"));
}

static bool has_fronts(struct demands *d)
{
    for (int i = 0; model_fronts[i]; i++)
        if (model_has_front(d->b, model_fronts[i]))
            return true;
    return false;
}

/* What passes the levels before the LLC, and which part of it reads. */
void demands_read_passes(struct demands *d)
{
    double requests = demands_field(d, FIELD_REQUESTS), local = demands_field(d, FIELD_R_LOCAL);
    double reads = demands_ratio(demands_field(d, FIELD_READS), requests, 1);
    double home = demands_field(d, FIELD_HOME_REQUESTS),
           remote = demands_field(d, FIELD_HOME_REMOTE_REQUESTS);
    double remote_reads = demands_field(d, FIELD_HOME_REMOTE_READS);
    d->passes[PATH_LOCAL] = d->passes[PATH_REMOTE] = 1;
    if (has_fronts(d)) {
        model_home_share(d->b); /* an error where it is unknown */
        model_home_remote_share(d->b);
        d->passes[PATH_LOCAL] = local > 0 ? demands_ratio((home - remote) / requests, local, 1) : 0;
        d->passes[PATH_REMOTE] = local < 1 ? demands_ratio(remote / requests, 1 - local, 1) : 0;
    }
    d->reads[PATH_ANY] = reads;
    d->reads[PATH_REMOTE] = demands_ratio(remote_reads, remote, reads);
    d->reads[PATH_LOCAL] =
        demands_ratio(demands_field(d, FIELD_HOME_READS) - remote_reads, home - remote, reads);
}

/* Mean over hottest slice within a domain. The profile counts over all slices of the system: what
 * domains differ by is in the traffic already. */
static double slice_evenness(const struct demands *d, double uniformity, bool at_home)
{
    uint32_t n = d->machine.domains;
    double most = 0;
    for (uint32_t j = 0; j < n; j++) {
        double lookups = 0;
        for (uint32_t i = 0; i < n; i++)
            if (d->class[i] >= 0 && (at_home || i == j))
                lookups += d->net->class[d->class[i]].work * (at_home ? d->share[i * n + j] : 1);
        most = fmax(most, lookups);
    }
    return fmin(1, uniformity * most * n);
}

double demands_read_evenness(struct demands *d, bool at_home)
{
    enum profile_field lsu = at_home ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE;
    int term = model_field(d->b, lsu);
    return slice_evenness(d, term_get(d->g, term)->constant, at_home);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream in front of L1: coalescing, L1, counts; requests go on in batches. */
#include "profile/pass.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/progress.h"
#include "profile/issue.h"
#include "profile/l1.h"
#include "profile/lanes.h"
#include "profile/launches.h"
#include "profile/requests.h"
#include "trace/coalesce.h"

struct pass {
    const struct shape *shape;
    struct l1 l1;
    struct lanes lanes;
    struct requests requests;
    struct tally tally; /* of this launch */
    struct issue *issue;
    struct launches *launches;
    bool cta_sharing;
    bool recorded;            /* a kernel was replayed in recorded order */
    uint32_t sectors_per_bit; /* of a coalesced line's mask */
    size_t pending;
    struct request batch[REQUEST_BATCH];
};

static int pass_drain(struct pass *pass, struct error *error)
{
    size_t n = pass->pending;
    pass->pending = 0;
    progress_add(n);
    return n ? requests_take(&pass->requests, pass->batch, n, &pass->tally, error) : 0;
}

/* What L1 makes of one line: true when no request follows. */
static inline bool pass_l1(struct pass *pass, uint32_t sm, const struct warp_access *access,
                           uint64_t line)
{
    if (access->kind == ACCESS_ATOMIC) {
        l1_evict(&pass->l1, sm, line);
        return false;
    }
    if (access->flags & ACCESS_BYPASS_L1 || pass->l1.sets == 0)
        return false;
    if (access->kind == ACCESS_WRITE) {
        l1_write(&pass->l1, sm, line);
        return false;
    }
    bool hit = l1_read(&pass->l1, sm, line);
    pass->tally.l1_reads++;
    pass->tally.l1_read_hits += hit;
    return hit;
}

static void pass_count(struct pass *pass, const struct warp_access *access)
{
    struct tally *tally = &pass->tally;
    uint64_t active = (uint64_t)__builtin_popcount(access->mask);
    tally->warp_instructions += access->instructions;
    tally->instructions_unknown |= access->instructions == 0;
    tally->warp_accesses++;
    tally->lane_accesses += active;
    tally->lane_bytes += active * access->bytes;
    lanes_count(&pass->lanes, access);
}

/* Takes one warp access. A warp has to wait for data: for a read that is not
 * all in L1 and for an atomic, not for a write. */
static int pass_access(void *context, uint32_t sm, uint64_t cta, const struct warp_access *access,
                       struct error *error)
{
    struct pass *pass = context;
    struct coalesced_line lines[COALESCE_MAX];
    bool wait = false;
    if (access->kind == ACCESS_NONE || access->mask == 0) {
        pass->tally.warp_instructions += access->instructions;
        return 0;
    }
    pass_count(pass, access);
    int n = coalesce(access, pass->shape->line_bytes, lines);
    if (pass->pending + (size_t)n > REQUEST_BATCH) {
        int status = pass_drain(pass, error);
        if (status)
            return status;
    }
    pass->tally.line_accesses += (uint64_t)n;
    uint16_t chip = (uint16_t)(sm / pass->shape->sms_per_chip);
    for (int i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)__builtin_popcount(lines[i].sectors);
        pass->tally.sector_accesses += bits * pass->sectors_per_bit;
        bool hit = pass_l1(pass, sm, access, lines[i].line);
        wait = wait || !hit;
        if (hit && !pass->cta_sharing)
            continue;
        pass->batch[pass->pending++] = (struct request){
            .line = lines[i].line,
            .cta = (uint32_t)cta,
            .chip = chip,
            .kind = access->kind,
            .l1_hit = hit,
        };
    }
    return wait && access->kind != ACCESS_WRITE;
}

static int pass_kernel(struct pass *pass, struct stream *stream, const struct stream_kernel *kernel,
                       struct error *error)
{
    if (pass->cta_sharing && kernel->n_ctas > UINT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "kernel %.80s: sharing between more than 2^32 - 1 blocks is not counted",
                         kernel->name);
    tally_clear(&pass->tally);
    lanes_clear(&pass->lanes);
    l1_flush(&pass->l1);
    requests_begin_launch(&pass->requests);
    pass->tally.ctas = kernel->n_ctas;
    pass->recorded |= kernel->recorded_order;
    int status = issue_kernel(pass->issue, stream, kernel, error);
    if (!status)
        status = pass_drain(pass, error);
    if (status)
        return status;
    if (pass->cta_sharing) {
        pass->tally.cta_shared_lines = pass->requests.pairs->shared_lines;
        pass->tally.cta_line_pairs = pass->requests.pairs->line_pairs;
    }
    launches_add(pass->launches, kernel, &pass->tally, &pass->lanes);
    return 0;
}

static int pass_stream(struct pass *pass, const struct source *source, struct error *error)
{
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(source, &stream, error);
    if (status)
        return status;
    while ((status = stream_next_kernel(stream, &kernel, error)) > 0) {
        status = pass_kernel(pass, stream, &kernel, error);
        if (status < 0)
            break;
    }
    stream_destroy(stream);
    return status;
}

static void pass_fini(struct pass *pass)
{
    l1_fini(&pass->l1);
    lanes_fini(&pass->lanes);
    requests_fini(&pass->requests);
    tally_fini(&pass->tally);
    issue_destroy(pass->issue);
    launches_destroy(pass->launches);
    free(pass);
}

int pass_run(const struct shape *shape, const struct source *source,
             const struct profile_options *options, struct arena *arena, struct profile_view *view,
             const char **interleaving, struct error *error)
{
    struct pass *pass = memory_zero(1, sizeof *pass);
    pass->shape = shape;
    pass->cta_sharing = options->cta_sharing;
    pass->sectors_per_bit =
        shape->line_bytes > 32 * SECTOR_BYTES ? shape->line_bytes / (32 * SECTOR_BYTES) : 1;
    l1_init(&pass->l1, shape->sms, shape->l1_sets, shape->l1_ways);
    lanes_init(&pass->lanes, source);
    tally_init(&pass->tally, shape->chips, shape->slices);
    pass->tally.cta_sharing = options->cta_sharing;
    pass->issue = issue_create(shape, pass_access, pass);
    pass->launches = launches_create(source, shape->line_bytes);
    int status = requests_init(&pass->requests, shape, source, options->cta_sharing, error);
    if (options->progress)
        progress_begin(source->name, "requests", 0);
    if (!status)
        status = pass_stream(pass, source, error);
    if (options->progress)
        progress_end();
    if (!status) {
        launches_finish(pass->launches, arena, view);
        view->sharing = requests_sharing(&pass->requests);
        view->line_bytes = shape->line_bytes;
        *interleaving = pass->recorded ? "recorded" : shape->order != WARPS_LRR ? "gto" : "lrr";
    }
    pass_fini(pass);
    return status;
}

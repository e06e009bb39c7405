/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream in front of L1: coalescing, homes, L1, counts; requests go on in batches. */
#include "profile/run/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/progress.h"
#include "profile/caches/front.h"
#include "profile/caches/tlbs.h"
#include "profile/issue/issue.h"
#include "profile/caches/l1.h"
#include "profile/issue/lanes.h"
#include "profile/run/launches.h"
#include "profile/samplers/observers.h"
#include "profile/homes/pages.h"
#include "profile/homes/placement.h"
#include "profile/run/chain.h"
#include "profile/run/repeats.h"
#include "profile/run/requests.h"
#include "profile/issue/waits.h"
#include "profile/run/window.h"
#include "profile/caches/written.h"
#include "trace/coalesce.h"
#include "profile/run/profiler.h"
#include "profile/sampler.h"

/* Lines that may be under way: to an L1, to the LLC. */
enum { WAITS_LOCAL = 1, WAITS_REMOTE = 2 };
enum { L1_LINES = 512, LLC_LINES = 1 << 16, TLB_PAGES = 512 };

struct pass {
    const struct system *system;
    unsigned parts;
    struct pages pages;
    struct l1 l1;
    struct asides asides;          /* caches beside it */
    struct waits waits, home, own; /* for lines: at L1s, at the LLC of either side */
    uint64_t *issued;              /* instructions, by SM; of this launch */
    struct fronts fronts;
    struct tlbs tlbs;
    struct tlbs_pages pages_seen;         /* of this access */
    struct waits walks[MACHINE_TLBS_MAX]; /* for pages, at TLBs */
    unsigned late;                        /* TLBs behind which this access waits, a bit each */
    unsigned wrote;                       /* lines that it writes: WAITS_LOCAL, WAITS_REMOTE */
    struct lanes lanes;
    struct requests requests;
    struct tally tally;     /* of this launch */
    struct written written; /* where it matters */
    struct observers observers;
    struct window window; /* PART_WINDOW */
    struct issue *issue;
    struct launches *launches;
    struct repeats repeats;
    bool keep_hits;              /* L1 hits go on too: somebody looks at them */
    bool keep_written;           /* somebody has to know what a launch writes */
    bool recorded;               /* a kernel was replayed in recorded order */
    bool waits_assumed;          /* of this kernel (struct stream_kernel) */
    uint32_t bytes_per_bit;      /* of a coalesced line's mask */
    struct request_batch *batch; /* being filled */
};

/* Hands over what is in the batch. */
static void pass_send(struct pass *pass)
{
    if (pass->batch->count == 0)
        return;
    progress_add(pass->batch->count);
    requests_take(&pass->requests);
    pass->batch = requests_slot(&pass->requests);
    pass->batch->count = 0;
}

/* What L1 makes of one line: the sectors that have to be asked for. */
static inline uint32_t pass_l1(struct pass *pass, const struct warp_access *access,
                               struct request *request)
{
    struct tally_counts *counts = &pass->tally.counts;
    bool remote = request->home != request->domain;
    bool looked_up;
    uint32_t missing = l1_take(&pass->l1, access, request->sm, request->line, request->wanted,
                               remote && system_l1(pass->system)->bypassed_remote, &looked_up);
    if (!looked_up)
        return missing;
    request->flags |= REQUEST_LOOKUP;
    counts->l1_reads++;
    counts->l1_read_hits += missing == 0;
    counts->l1_remote_reads += remote;
    counts->l1_remote_read_hits += remote && missing == 0;
    return missing;
}

/* Copies what is counted elsewhere. */
static void pass_sync_counts(struct pass *pass)
{
    struct tally_counts *counts = &pass->tally.counts;
    for (uint32_t i = 0; i < pass->fronts.n; i++) {
        const struct front_level *level = &pass->fronts.levels[i];
        counts->fronts[i] = (struct tally_front){level->lookups, level->hits, level->writebacks};
    }
}

/* A request that somebody behind L1 has to see. */
static int pass_push(struct pass *pass, const struct request *request, struct error *error)
{
    pass->batch->requests[pass->batch->count++] = *request;
    if (!(pass->parts & PART_WINDOW) ||
        !window_adds(&pass->window, sectors_count(request->sectors))) {
        if (pass->batch->count == REQUEST_BATCH)
            pass_send(pass);
        return 0;
    }
    pass_send(pass);
    int status = requests_wait(&pass->requests, error);
    pass_sync_counts(pass);
    if (!status)
        window_look(&pass->window, &pass->tally, &pass->requests, &pass->observers);
    return status;
}

/* What a level before the LLC sends home: no SM asks for it, any of the domain's stands
 * for it. */
static int pass_push_writeback(struct pass *pass, const struct front_request *from,
                               struct error *error)
{
    struct request request = {
        .line = from->line,
        .home_sectors = from->sectors,
        .sm = from->domain * pass->system->sms_per_domain,
        .domain = (uint8_t)from->domain,
        .home = (uint8_t)from->home,
        .kind = ACCESS_WRITE,
        .flags = REQUEST_WRITEBACK,
    };
    observers_take_home(&pass->observers, &request);
    return pass_push(pass, &request, error);
}

/* Levels between L1 and the LLC: what they write home goes first. */
static int pass_fronts(struct pass *pass, struct request *request, struct error *error)
{
    struct front_request out[FRONT_OUT_MAX], in = {
                                                 .line = request->line,
                                                 .sectors = request->sectors,
                                                 .sm = request->sm,
                                                 .domain = request->domain,
                                                 .home = request->home,
                                                 .kind = request->kind,
                                             };
    int n = front_take(&pass->fronts, &in, out), status = 0;
    request->home_sectors = 0;
    for (int i = 0; i < n && !status; i++) {
        if (out[i].writeback)
            status = pass_push_writeback(pass, &out[i], error);
        else
            request->home_sectors = out[i].sectors;
    }
    return status;
}

/* One page of an access, or of what misses L1: from TLB to TLB. Whether the first one has to be
 * waited for. */
static bool pass_translate(struct pass *pass, const struct request *request)
{
    const struct system_translation *t = &pass->system->translation;
    const struct warp_waits *warp = issue_waits(pass->issue);
    uint64_t page = tlbs_page(&pass->tlbs, request->line);
    if (!tlbs_pages_add(&pass->pages_seen, page))
        return false;
    uint32_t known = tlbs_take(&pass->tlbs, request->sm, page);
    bool late = pass->parts & PART_WAITS;
    for (uint32_t i = 0; i < t->n; i++) {
        struct tally_tlb *counts = &pass->tally.counts.tlbs[i];
        counts->lookups += i <= known;
        counts->hits += i == known;
        /* Who finds a page under way waits with those who asked before, for a walk too. */
        late = late && waits_read(&pass->walks[i], tlbs_which(&pass->tlbs, i, request->sm), page,
                                  warp->clock.waits, i < known);
        counts->merges += i == known && late;
        pass->late |= late ? 1u << i : 0;
    }
    pass->tally.counts.walks_remote +=
        known == t->n && translation_table(t, pass->system->partitions, request->domain,
                                           request->home) != request->domain;
    return known > 0;
}

/* Whether the line is waited for by the warp's own clock (waits.h). */
static bool pass_waits(struct pass *pass, const struct request *request, int beside)
{
    const struct warp_waits *warp = issue_waits(pass->issue);
    bool missing = request->sectors != 0;
    if (request->kind != ACCESS_READ)
        return missing && request->kind == ACCESS_ATOMIC;
    if (missing) {
        uint32_t n = sectors_count(request->sectors);
        bool at_home = waits_follow(&pass->home, 0, request->line, warp->clock.waits);
        bool own = waits_follow(&pass->own, request->domain, request->line, warp->clock.waits);
        pass->tally.counts.followers_home += at_home ? n : 0;
        pass->tally.counts.followers_own += own ? n : 0;
        pass->tally.counts.followers_remote += own && request->home != request->domain ? n : 0;
    }
    if (beside >= 0)
        return waits_read(&pass->asides.waits[beside],
                          beside_which(&pass->asides.caches, beside, request->sm), request->line,
                          warp->clock.waits, missing);
    return waits_read(&pass->waits, l1_node(&pass->l1, request->sm, request->line), request->line,
                      warp->clock.waits, missing);
}

/* One line of an access: 1 when the warp has to wait for it, 0, or a negative status. */
static int pass_line(struct pass *pass, uint32_t sm, uint64_t cta, const struct warp_access *access,
                     const struct coalesced_line *line, unsigned *waits, struct error *error)
{
    struct request request = {
        .line = line->line,
        .cta = (uint32_t)cta,
        .wanted = system_sectors(pass->system, line->sectors),
        .sm = sm,
        .domain = (uint8_t)system_domain(pass->system, sm),
        .kind = access->kind,
    };
    uint32_t home;
    struct resident_warp *warp = issue_warp(pass->issue);
    int status = warp ? pages_touch_by(&pass->pages, &warp->pages, sm, line->line, &home, error)
                      : pages_touch(&pass->pages, sm, line->line, &home, error);
    if (status)
        return status;
    uint64_t moved = pass->tally.counts.page_moves;
    home = pages_serve(&pass->pages, sm, line->line, access->kind != ACCESS_READ, home,
                       &pass->tally.counts.page_moves);
    request.home = (uint8_t)home;
    if (pass->tlbs.n && pass->tally.counts.page_moves != moved)
        tlbs_forget(&pass->tlbs, line->line);
    bool walks =
        pass->tlbs.n && !pass->system->translation.behind_l1 && pass_translate(pass, &request);
    bool remote = request.home != request.domain;
    int beside = beside_serves(&pass->asides.caches, access);
    pass->tally.counts.remote_line_accesses += remote && beside < 0;
    pass->tally.counts.paths[access->path]++;
    request.sectors = request.home_sectors =
        beside < 0 ? pass_l1(pass, access, &request)
                   : asides_read(&pass->asides, beside, sm, line->line, request.wanted,
                                 &pass->tally.counts);
    if (pass->system->fetches_partial && access->kind == ACCESS_WRITE &&
        !coalesce_covers(access, pass->system->line_bytes, line->line, request.wanted,
                         pass->system->sectors))
        request.flags |= REQUEST_PARTIAL;
    if (pass->tlbs.n && pass->system->translation.behind_l1 && request.sectors)
        pass_translate(pass, &request);
    if (pass->parts & PART_WAITS && pass_waits(pass, &request, beside))
        *waits |= remote ? WAITS_REMOTE : WAITS_LOCAL;
    if (access->kind == ACCESS_WRITE)
        pass->wrote |= remote ? WAITS_REMOTE : WAITS_LOCAL;
    if (pass->keep_written && remote && access->kind == ACCESS_READ && request.sectors &&
        !written_has(&pass->written, request.line))
        request.flags |= REQUEST_REPLICABLE;
    if (request.sectors && !issue_waits(pass->issue)->asking) {
        issue_waits(pass->issue)->asking = true;
        request.flags |= REQUEST_BEGINS;
    }
    if (request.sectors && pass->fronts.n)
        status = pass_fronts(pass, &request, error);
    if (pass->observers.look)
        observers_take(&pass->observers, access, &request, l1_node(&pass->l1, sm, line->line),
                       issue_round_number(pass->issue));
    if (!status && (request.sectors || pass->keep_hits))
        status = pass_push(pass, &request, error);
    return status ? status : request.sectors != 0 || walks;
}

static void pass_count(struct pass *pass, const struct warp_access *access)
{
    struct tally_counts *counts = &pass->tally.counts;
    uint64_t active = (uint64_t)warp_access_lanes(access);
    counts->warp_instructions += access->instructions;
    counts->instructions_unknown += access->instructions == 0;
    counts->warp_accesses++;
    counts->lane_accesses += active;
    counts->lane_bytes += active * access->bytes;
    lanes_count(&pass->lanes, access);
}

/* What the access needs is there first; then it goes out, with others that nothing needs yet. */
static void pass_needs(struct pass *pass, const struct warp_access *access)
{
    struct tally_counts *counts = &pass->tally.counts;
    struct warp_waits *warp = issue_waits(pass->issue);
    counts->waits_assumed += pass->waits_assumed && warp->loaded != WAITS_NONE;
    warp_waits_for(warp, warp_waits_needed(warp, access->ahead));
    warp->clock.instructions += access->instructions;
    warp->clock.steps += access->instructions ? access->instructions - 1 : 0;
    warp->clock.last += access->instructions;
    warp->clock.think += access->think;
    warp->clock.last_think += access->think;
    if (access->kind == ACCESS_WRITE)
        return;
    warp->asking = warp->asking && warp->loaded != WAITS_NONE;
    counts->loads++;
    counts->load_groups += warp->loaded == WAITS_NONE;
    warp->loaded = warp->loaded == WAITS_NONE ? warp->issued : warp->loaded;
}

/* What the warp has asked for. */
static void pass_asked(struct pass *pass, const struct warp_access *access, unsigned waits)
{
    struct tally_counts *counts = &pass->tally.counts;
    struct warp_waits *warp = issue_waits(pass->issue);
    unsigned through = waits_through(beside_serves(&pass->asides.caches, access));
    if (waits) {
        counts->awaited++;
        counts->waits += warp->awaited == WAITS_NONE;
        warp->awaited = warp->awaited == WAITS_NONE ? warp->issued : warp->awaited;
        warp->n_awaited++;
        warp->remote = warp->remote || (waits & WAITS_REMOTE);
        warp->late |= pass->late;
        warp->through |= through;
    } else if (access->kind == ACCESS_WRITE && pass->system->awaits_writes) {
        warp_waits_write(warp, pass->wrote & WAITS_REMOTE);
    } else if (access->kind == ACCESS_READ) {
        warp->hit = warp->hit == WAITS_NONE ? warp->issued : warp->hit;
        warp->late_hit |= pass->late;
        warp->through_hit |= through;
    }
}

/* Takes one warp access. A warp has to wait for data: for a read that is not
 * all in L1 and for an atomic, not for a write. */
static int pass_access(void *context, uint32_t sm, uint64_t cta, const struct warp_access *access,
                       struct error *error)
{
    struct pass *pass = context;
    struct coalesced_line lines[COALESCE_MAX];
    bool wait = false;
    unsigned waits = 0;
    if (access->kind == ACCESS_NONE || access->mask == 0) {
        pass->tally.counts.warp_instructions += access->instructions;
        return 0;
    }
    pass_count(pass, access);
    pass->pages_seen.n = 0;
    pass->late = pass->wrote = 0;
    pass_needs(pass, access);
    pass->issued[sm] += access->instructions;
    int n = coalesce(access, pass->system->line_bytes, lines);
    bool asks_l1 = beside_serves(&pass->asides.caches, access) < 0;
    pass->tally.counts.line_accesses += asks_l1 ? (uint64_t)n : 0;
    for (int i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)__builtin_popcount(lines[i].sectors);
        pass->tally.counts.sector_accesses +=
            asks_l1 ? bits * (pass->bytes_per_bit / SECTOR_BYTES) : 0;
        int status = pass_line(pass, sm, cta, access, &lines[i], &waits, error);
        if (status < 0)
            return status;
        wait = wait || status > 0;
    }
    if (pass->parts & PART_WAITS)
        pass_asked(pass, access, waits);
    return wait && access->kind != ACCESS_WRITE;
}

/* Fetches what an access is about to need: of its first line, or of its first few lanes'. */
static void pass_ahead(void *context, uint32_t sm, const struct warp_access *access)
{
    enum { LANES = 8 };
    struct pass *pass = context;
    int lanes = access->addresses ? warp_access_lanes(access) : access->mask != 0;
    for (int k = 0; k < lanes && k < LANES; k++) {
        uint64_t line = warp_access_address(access, k) / pass->system->line_bytes;
        pages_prefetch_by(&pass->pages, &issue_warp(pass->issue)->pages, line);
        l1_prefetch(&pass->l1, sm, line);
    }
}

/* --- launches ------------------------------------------------------------------------ */

/* What is not in the tally. */
static void pass_fields(const struct pass *pass, double fields[FIELD_COUNT])
{
    const struct l1 *l1 = &pass->l1;
    fields[FIELD_L1_UNIFORMITY] = tally_uniformity(l1->passed, l1->nodes);
    fields[FIELD_ISSUE_UNIFORMITY] = tally_uniformity(pass->issued, pass->system->sms);
    if (pass->parts & PART_WAITS)
        chain_fields(pass->system, &pass->tally.counts, &pass->asides,
                     issue_clock_start(pass->issue), issue_clock_end(pass->issue), fields);
    fields[FIELD_L1_MISSES_ELSEWHERE] = (double)l1->misses_elsewhere;
    if (l1->cached_sum)
        fields[FIELD_L1_COPIES] = (double)l1->copies_sum / (double)l1->cached_sum;
    if (pass->parts & PART_CTA_SHARING) {
        fields[FIELD_CTA_SHARED_LINES] = (double)pass->requests.pairs->shared_lines;
        fields[FIELD_CTA_LINE_PAIRS] = (double)pass->requests.pairs->line_pairs;
    }
    observers_fields(&pass->observers, fields);
    if (pass->parts & PART_REPLICATION)
        fields[FIELD_REPLICABLE] = (double)pass->tally.counts.behind.replicable;
}

static void pass_end_kernel(struct pass *pass, const struct stream_kernel *kernel)
{
    struct launch_part whole, prefixes[WINDOW_PREFIXES];
    l1_settle(&pass->l1);
    pass_sync_counts(pass);
    tally_fields(&pass->tally, whole.fields);
    momentary_fields(&pass->requests.momentary, whole.fields);
    pass_fields(pass, whole.fields);
    whole.n_kinds = pass->requests.n_kinds;
    for (uint32_t i = 0; i < whole.n_kinds; i++) {
        whole.counts[i] = distances_counts(pass->requests.kinds[i]);
        whole.units[i] = distances_units(pass->requests.kinds[i]);
    }
    bool windowed = pass->parts & PART_WINDOW;
    if (windowed)
        window_finish(&pass->window, &pass->tally, &pass->requests, &pass->observers, prefixes);
    requests_end_launch(&pass->requests,
                        pass->repeats.again); /* the window looked at what was counted before */
    for (uint32_t p = 0; windowed && pass->parts & PART_REPLICATION && p < WINDOW_PREFIXES; p++)
        prefixes[p].fields[FIELD_REPLICABLE] =
            (double)pass->window.prefixes[p].tally.counts.behind.replicable;
    struct launch_group *launch = launch_group_create(
        &pass->requests, kernel, &pass->tally, &pass->lanes, &whole, windowed ? prefixes : NULL);
    launches_add(pass->launches, launch, false);
    repeats_note(&pass->repeats, launch);
}

/* For front_end_launch(): a pass, and how its pushes went. */
struct pass_emitter {
    struct pass *pass;
    struct error *error;
    int status;
};

static void pass_emit(void *context, const struct front_request *request)
{
    struct pass_emitter *emitter = context;
    if (!emitter->status)
        emitter->status = pass_push_writeback(emitter->pass, request, emitter->error);
}

/* Dirty lines go home at the end of a launch. */
static int pass_end_fronts(struct pass *pass, struct error *error)
{
    struct pass_emitter emitter = {pass, error, 0};
    front_end_launch(&pass->fronts, pass_emit, &emitter);
    return emitter.status;
}

static int pass_kernel(struct pass *pass, struct stream *stream, const struct stream_kernel *kernel,
                       struct error *error)
{
    if (pass->parts & PART_CTA_SHARING && kernel->n_ctas > UINT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "kernel %.80s: sharing between more than 2^32 - 1 blocks is not counted",
                         kernel->name);
    tally_clear(&pass->tally);
    lanes_clear(&pass->lanes);
    l1_begin_launch(&pass->l1);
    beside_begin_launch(&pass->asides.caches);
    l1_clear_counts(&pass->l1);
    front_clear_counts(&pass->fronts);
    memset(pass->issued, 0, pass->system->sms * sizeof *pass->issued);
    requests_begin_launch(&pass->requests, kernel);
    observers_begin_launch(&pass->observers);
    if (pass->parts & PART_WINDOW)
        window_begin_launch(&pass->window);
    pass->tally.counts.ctas = kernel->n_ctas;
    pass->recorded |= kernel->recorded_order;
    pass->waits_assumed = kernel->waits_assumed;
    struct error ignored;
    int status = 0;
    if (pass->keep_written)
        status = written_gather(&pass->written, stream, kernel, pass->system->line_bytes, error);
    if (!status)
        status = issue_kernel(pass->issue, stream, kernel, error);
    if (!status)
        status = pass_end_fronts(pass, error);
    pass_send(pass);
    int late = requests_wait(&pass->requests, status ? &ignored : error);
    status = status ? status : late;
    if (!status)
        pass_end_kernel(pass, kernel);
    return status;
}

static int pass_stream(struct pass *pass, const struct source *source, struct error *error)
{
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(source, &stream, error);
    if (status)
        return status;
    while ((status = stream_next_kernel(stream, &kernel, error)) > 0) {
        const struct launch_group *repeated;
        status = repeats_next(&pass->repeats, stream, &kernel, &repeated, error);
        if (!status && repeated)
            launches_add(pass->launches, repeated, true);
        else if (!status)
            status = pass_kernel(pass, stream, &kernel, error);
        if (status < 0)
            break;
    }
    stream_destroy(stream);
    return status;
}

static int pass_init(struct pass *pass, const struct system *system, const struct source *source,
                     const struct profile_options *options, struct error *error)
{
    unsigned parts = options->parts;
    uint32_t line_bits = system->line_bytes / SECTOR_BYTES;
    line_bits = line_bits < 32 ? line_bits : 32;
    pass->system = system;
    pass->parts = parts;
    pass->keep_hits = parts & (PART_CTA_SHARING | PART_L1) || system_l1(system)->perfect;
    pass->keep_written = parts & PART_REPLICATION || observers_needs(parts) & SAMPLER_NEEDS_WRITTEN;
    pass->bytes_per_bit = system->line_bytes / line_bits;
    l1_init(&pass->l1, system);
    asides_init(&pass->asides, system, parts & PART_WAITS);
    if (parts & PART_WAITS) {
        waits_init(&pass->waits, pass->l1.nodes, L1_LINES);
        waits_init(&pass->home, 1, LLC_LINES);
        waits_init(&pass->own, system->domains, LLC_LINES);
        for (uint32_t i = 0; i < system->translation.n; i++)
            waits_init(&pass->walks[i], system->translation.tlbs[i].caches, TLB_PAGES);
    }
    pass->issued = memory_zero(system->sms, sizeof *pass->issued);
    front_init(&pass->fronts, system);
    tlbs_init(&pass->tlbs, system);
    lanes_init(&pass->lanes, source);
    tally_init(&pass->tally, system);
    requests_init(&pass->requests, system, &pass->tally, parts, options->threads,
                  profile_sample_rate(options));
    pass->batch = requests_slot(&pass->requests);
    pass->batch->count = 0;
    observers_init(&pass->observers, system, parts);
    if (pass->keep_written)
        written_init(&pass->written);
    if (parts & PART_WINDOW)
        window_init(&pass->window, system, &pass->requests);
    pass->issue = issue_create(system, pass_access, pass_ahead, pass);
    pass->launches = launches_create(source, &pass->requests);
    /* Working sets are means over the run, to which every launch adds its windows; pages that move
     * by what was counted of them may do so in any later launch. */
    bool moves = system->placement && placement_of(system)->access;
    repeats_init(&pass->repeats, source, options->effort.exact || moves || parts & PART_LOCALITY);
    return pages_init(&pass->pages, system, source, error);
}

static void pass_fini(struct pass *pass)
{
    pages_fini(&pass->pages);
    l1_fini(&pass->l1);
    asides_fini(&pass->asides);
    free(pass->issued);
    waits_fini(&pass->waits);
    waits_fini(&pass->home);
    waits_fini(&pass->own);
    front_fini(&pass->fronts);
    for (uint32_t i = 0; i < pass->tlbs.n; i++)
        waits_fini(&pass->walks[i]);
    tlbs_fini(&pass->tlbs);
    lanes_fini(&pass->lanes);
    requests_fini(&pass->requests);
    tally_fini(&pass->tally);
    observers_fini(&pass->observers);
    if (pass->keep_written)
        written_fini(&pass->written);
    if (pass->parts & PART_WINDOW)
        window_fini(&pass->window);
    issue_destroy(pass->issue);
    launches_destroy(pass->launches);
    repeats_fini(&pass->repeats);
    free(pass);
}

int pass_run(const struct system *system, const struct source *source,
             const struct profile_options *options, struct arena *arena, struct profile_view *view,
             const char **interleaving, struct error *error)
{
    struct pass *pass = memory_zero(1, sizeof *pass);
    int status = pass_init(pass, system, source, options, error);
    if (options->progress)
        progress_begin(source->name, "requests", 0);
    if (!status)
        status = pass_stream(pass, source, error);
    if (options->progress)
        progress_end();
    if (!status) {
        launches_finish(pass->launches, arena, view);
        view->sharing = requests_sharing(&pass->requests, &pass->pages);
        observers_view(&pass->observers, arena, view);
        view->line_bytes = system->line_bytes;
        view->parts = options->parts;
        view->sample_rate = profile_sample_rate(options);
        *interleaving = pass->recorded ? "recorded" : warp_order_name(system->order);
    }
    pass_fini(pass);
    return status;
}

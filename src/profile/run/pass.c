/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream in front of L1: coalescing, homes, L1, counts; requests go on in batches. */
#include "profile/run/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "profile/homes/placement.h"
#include "profile/run/chain.h"
#include "profile/run/profiler.h"
#include "profile/run/stages.h"
#include "profile/sampler.h"

enum { L1_LINES = 512, LLC_LINES = WAITS_MOST, TLB_PAGES = 512 };

/* --- accesses, at once -------------------------------------------------------------- */

static void pass_begin_warp(void *context, const struct issue_turn *turn)
{
    struct pass *pass = context;
    clocks_begin_warp(&pass->clocks, turn->sm, turn->warp);
}

static void pass_end_warp(void *context, const struct issue_turn *turn)
{
    struct pass *pass = context;
    uint32_t place = pass->turns.place_of[turn->sm];
    progress_piece();
    outlook_done(&pass->outlook, OUTLOOK_ENDS);
    clocks_end_warp(&pass->clocks, turn->sm, turn->warp,
                    order_turn(pass->turns.sms, place, turn->round));
}

/* --- accesses, in batches ------------------------------------------------------------- */

/* Lists of so many records, where there are two half as many each, are read again while the host's
 * caches have them, and an SM runs alone for long enough. */
enum { LIST_RECORDS = 1 << 19, LIST_MOST = 1 << 12, LIST_ROUNDS_FIRST = 32 };

static uint64_t pass_records(const struct pass *pass, uint64_t *turns)
{
    uint64_t lines = 0;
    *turns = 0;
    for (uint32_t sm = 0; sm < pass->system->sms; sm++) {
        *turns += pass->near[sm].turns.count - pass->near[sm].skipped;
        lines += pass->near[sm].lines.count - pass->near[sm].skipped;
    }
    return *turns + lines;
}

/* As many rounds as make such lists, if it goes on like that: what comes may be denser. A launch
 * begins with few. */
static uint32_t pass_next_rounds(const struct pass *pass, uint64_t records)
{
    uint64_t wanted = (uint64_t)LIST_RECORDS * pass->system->sms / pass->n_lists;
    uint64_t rounds = pass->rounds * wanted / (records + 1);
    /* What is skimmed leaves few of them. */
    uint64_t most =
        pass->stretches.now == STRETCH_SKIMMED ? STRETCHES_ROUNDS : wanted / pass->system->sms;
    most = most < 2 * (uint64_t)pass->rounds ? most : 2 * (uint64_t)pass->rounds;
    rounds = rounds < most ? rounds : most;
    return rounds < 1 ? 1 : (uint32_t)rounds;
}

static void pass_tell_clocks(void *context, uint64_t sm, int worker)
{
    (void)worker;
    near_tell_clocks(context, (uint32_t)sm);
}

/* The last two stages, of all that is in the lists. */
static void pass_take_lists(struct pass *pass, int threads)
{
    pass->counts_far = pass->parts & PART_WINDOW && pass->window.ended < WINDOW_PREFIXES;
    parallel_for(threads, pass->system->sms, pass_tell_clocks, pass);
    if (!pass->status)
        pass->status = far_take_turns(pass, &pass->error);
    for (uint32_t sm = 0; sm < pass->system->sms; sm++)
        near_clear(&pass->behind[sm]);
}

/* The one consumer: SMs have the other threads. */
static void pass_take_behind(void *context, int consumer, void *item)
{
    struct pass *pass = context;
    (void)consumer;
    (void)item;
    pass_take_lists(pass, pass->threads - 1);
}

int pass_wait(struct pass *pass, struct error *error)
{
    pipeline_drain(pass->taken);
    if (pass->status)
        *error = pass->error;
    return pass->status;
}

void pass_hand_on(struct pass *pass, uint64_t records)
{
    enum { MANY = 1 << 14 }; /* records that are worth waking threads for */
    if (records < MANY || pass->threads == 1)
        pass_take_lists(pass, 1);
    else
        pipeline_push(pass->taken);
}

static int pass_commit(void *context, struct error *error)
{
    struct pass *pass = context;
    struct error late;
    uint64_t turns, records = pass_records(pass, &turns);
    outlook_done(&pass->outlook, turns + stretches_untold(pass));
    followers_take(pass, records);
    if (ranks_commit(pass, error))
        return pass->status;
    int touched = far_take_touches(pass, &late), status = pass_wait(pass, error);
    if (touched && !status)
        *error = late;
    if (touched || status)
        return status ? status : touched;
    struct near *filled = pass->near;
    pass->near = pass->behind;
    pass->behind = filled;
    ranks_hand_on(pass);
    pass_hand_on(pass, records);
    pass->rounds = pass_next_rounds(pass, records);
    status = stretches_look(pass, &pass->rounds, error);
    return status ? status : (int)pass->rounds;
}

static int pass_access(void *context, const struct issue_turn *turn,
                       const struct warp_access *access, struct error *error)
{
    struct pass *pass = context;
    return pass->at_once || pass->replay ? far_access(pass, turn, access, error)
                                         : near_access(pass, turn, access);
}

static struct issue *pass_issue(struct pass *pass)
{
    struct issue_user user = {.context = pass,
                              .together = pass->at_once,
                              .threads = pass->threads > 1 ? pass->threads - 1 : 1,
                              .access = pass_access,
                              .skim = near_skim,
                              .skim_threads = pass->threads};
    user.begin = pass->at_once ? pass_begin_warp : near_begin_warp;
    user.end = pass->at_once ? pass_end_warp : near_end_warp;
    user.ahead = pass->at_once ? far_ahead : near_ahead;
    user.round = ranks_hold(pass) ? ranks_touch : NULL;
    user.commit = pass_commit;
    return issue_create(pass->system, &user);
}

/* --- launches ------------------------------------------------------------------------ */

/* What was counted by SM. */
static void pass_gather(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->n_lists; i++)
        tally_add(&pass->tally.counts, &pass->lists[i].counts);
    for (int i = 1; i < pass->threads && !pass->lead; i++)
        lanes_add(&pass->lanes[0], &pass->lanes[i]);
}

static double pass_issue_uniformity(const struct pass *pass)
{
    uint32_t sms = pass->system->sms;
    uint64_t *issued = memory_zero(sms, sizeof *issued);
    for (uint32_t i = 0; i < pass->n_lists; i++)
        issued[i % sms] += pass->lists[i].issued;
    double uniformity = tally_uniformity(issued, sms);
    free(issued);
    return uniformity;
}

/* What is not in the tally. */
static void pass_fields(const struct pass *pass, double fields[FIELD_COUNT])
{
    const struct l1 *l1 = pass->l1;
    fields[FIELD_L1_UNIFORMITY] = tally_uniformity(l1->passed, l1->nodes);
    fields[FIELD_ISSUE_UNIFORMITY] = pass_issue_uniformity(pass->lead ? pass->lead : pass);
    if (pass->parts & PART_WAITS)
        chain_fields(pass->system, &pass->tally, &pass->asides, &pass->clocks, fields);
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
    const struct lanes *lanes = pass->lead ? pass->lead->lanes : pass->lanes;
    if (!pass->lead)
        l1_settle(pass->l1);
    stretches_end_launch(pass);
    pass_gather(pass);
    far_sync_counts(pass);
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
    /* The window looked at what was counted before. */
    requests_end_launch(&pass->requests, pass->repeats.again || pass->trends.again);
    for (uint32_t p = 0; windowed && pass->parts & PART_REPLICATION && p < WINDOW_PREFIXES; p++)
        prefixes[p].fields[FIELD_REPLICABLE] =
            (double)pass->window.prefixes[p].tally.counts.behind.replicable;
    struct launch_group *launch = launch_group_create(
        &pass->requests, kernel, &pass->tally, &lanes[0], &whole, windowed ? prefixes : NULL);
    trends_note(&pass->trends, launch, pages_count(&pass->pages), pass->requests.lines.count,
                pass->launches);
    repeats_note(&pass->repeats, launch);
}

static int pass_issue_kernel(struct pass *pass, struct stream *stream,
                             const struct stream_kernel *kernel, struct error *error)
{
    pass->rounds = LIST_ROUNDS_FIRST;
    /* The whole's share stands in the place of a launch's; recorded orders have neither. */
    bool told = pass->outlook.whole || kernel->recorded_order;
    progress_begin_part("launch", told ? 0 : kernel->n_ctas * kernel->warps_per_cta);
    if (!kernel->recorded_order) {
        struct error before; /* lists hold what was issued before whatever failed */
        int status = issue_kernel(pass->issue, stream, kernel, error);
        followers_wait(pass);
        int taken = pass_wait(pass, &before);
        if (taken)
            *error = before;
        return taken ? taken : status;
    }
    pass->replay = replay_create(pass->system, kernel, pass->clocks.start);
    return issue_kernel(pass->issue, stream, kernel, error);
}

static int pass_begin_kernel(struct pass *pass, struct stream *stream,
                             const struct stream_kernel *kernel, struct error *error)
{
    if (pass->parts & PART_CTA_SHARING && kernel->n_ctas > UINT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "kernel %.80s: sharing between more than 2^32 - 1 blocks is not counted",
                         kernel->name);
    tally_clear(&pass->tally);
    for (int i = 0; i < pass->threads && !pass->lead; i++)
        lanes_clear(&pass->lanes[i]);
    if (!pass->lead) {
        l1_begin_launch(pass->l1);
        l1_clear_counts(pass->l1);
    }
    beside_begin_launch(&pass->asides.caches);
    front_clear_counts(&pass->fronts);
    for (uint32_t i = 0; i < pass->n_lists; i++)
        near_begin_launch(&pass->lists[i]);
    requests_begin_launch(&pass->requests, kernel);
    observers_begin_launch(&pass->observers);
    if (pass->parts & PART_WINDOW)
        window_begin_launch(&pass->window);
    pass->tally.counts.ctas = kernel->n_ctas;
    pass->recorded |= kernel->recorded_order;
    pass->waits_assumed = kernel->waits_assumed;
    pass->timed = pass->system->order != WARPS_LRR && !kernel->recorded_order;
    pass->goes_on =
        !pass->keep_written && !pass->observers.look && !pass->tlbs.n && !pass->fronts.n;
    clocks_begin_kernel(&pass->clocks, kernel);
    stretches_begin_launch(pass);
    ranks_begin_launch(pass);
    return pass->keep_written
               ? written_gather(&pass->written, stream, kernel, pass->system->line_bytes, error)
               : 0;
}

/* `status`: of what was issued, with its error. */
static int pass_finish_kernel(struct pass *pass, const struct stream_kernel *kernel, int status,
                              struct error *error)
{
    struct error ignored;
    if (pass->replay)
        pass->clocks.end = wait_clock_later(pass->clocks.end, replay_end(pass->replay));
    else
        clocks_end_kernel(&pass->clocks);
    pass->replay = NULL;
    if (!status)
        status = far_end_launch(pass, error);
    far_send(pass);
    int late = requests_wait(&pass->requests, status ? &ignored : error);
    status = status ? status : late;
    if (!status)
        pass_end_kernel(pass, kernel);
    return status;
}

static int pass_kernel(struct pass *pass, struct stream *stream, const struct stream_kernel *kernel,
                       struct error *error)
{
    struct error own;
    int status = pass_begin_kernel(pass, stream, kernel, error);
    for (uint32_t i = 0; i < pass->n_followers && !status; i++)
        if (!pass->followers[i]->apart)
            pass->followers[i]->apart =
                pass_begin_kernel(pass->followers[i], stream, kernel, &own) != 0;
    if (status)
        return status;
    status = pass_issue_kernel(pass, stream, kernel, error);
    status = pass_finish_kernel(pass, kernel, status, error);
    for (uint32_t i = 0; i < pass->n_followers && !status; i++)
        if (!pass->followers[i]->apart)
            pass->followers[i]->apart =
                pass_finish_kernel(pass->followers[i], kernel, 0, &own) != 0;
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
        pass->repeats.start = issue_start(pass->issue);
        status = repeats_next(&pass->repeats, stream, &kernel, &repeated, error);
        if (!status)
            followers_repeat(pass, stream, &kernel, repeated != NULL);
        int left = 0;
        if (!status && repeated)
            trends_repeated(&pass->trends);
        else if (!status)
            left = trends_next(&pass->trends, &kernel, pages_count(&pass->pages),
                               pass->requests.lines.count, error);
        status = left < 0 ? left : status;
        if (!status)
            followers_trend(pass, &kernel, repeated != NULL);
        outlook_launch(&pass->outlook, !repeated && !left);
        if (!status && repeated)
            launches_add(pass->launches, repeated, true);
        else if (!status && !left)
            status = pass_kernel(pass, stream, &kernel, error);
        if (status < 0)
            break;
    }
    stream_destroy(stream);
    return status;
}

static void pass_init_lists(struct pass *pass)
{
    uint32_t sms = pass->system->sms;
    pass->n_lists = pass->threads > 1 && !pass->lead ? 2 * sms : sms;
    size_t records = LIST_RECORDS / pass->n_lists;
    near_init_lists(pass, pass->at_once ? 0 : records < LIST_MOST ? records : LIST_MOST);
    pass->near = pass->lists;
    pass->behind = pass->lists + pass->n_lists - sms;
    ranks_init(pass);
    order_init(&pass->touches, pass->system, ranks_hold(pass) ? &pass->ranks : NULL);
    order_init(&pass->turns, pass->system, NULL);
    pass->cursors = memory_zero(sms, sizeof *pass->cursors);
    pass->taken = pipeline_create(1, 1, pass->threads > 1, pass_take_behind, pass);
}

/* What SMs do for themselves, the lead's for all. */
static void pass_init_l1(struct pass *pass)
{
    if (pass->lead) {
        pass->l1 = pass->lead->l1;
        return;
    }
    pass->l1 = memory_zero(1, sizeof *pass->l1);
    l1_init(pass->l1, pass->system);
    waits_init(&pass->sent, pass->l1->nodes, L1_LINES);
}

static void pass_init_lanes(struct pass *pass, const struct source *source)
{
    pass->lanes = memory_zero((size_t)pass->threads, sizeof *pass->lanes);
    for (int i = 0; i < pass->threads; i++)
        lanes_init(&pass->lanes[i], source);
}

static int pass_init(struct pass *pass, const struct system *system, const struct source *source,
                     const struct profile_options *options, struct error *error)
{
    unsigned parts = options->parts;
    /* Working sets are means over the run, to which every launch adds its windows; pages that move
     * by what was counted of them may do so in any later launch. */
    bool moves = system->placement && placement_of(system)->access;
    bool exact = options->effort.exact || moves || parts & PART_LOCALITY;
    double granted = exact ? 0 : options->effort.error;
    uint32_t line_bits = system->line_bytes / SECTOR_BYTES;
    line_bits = line_bits < 32 ? line_bits : 32;
    pass->system = system;
    pass->parts = parts;
    pass->threads = options->threads > 1 ? options->threads : 1;
    pass->at_once = pass_is_entangled(system, parts);
    pass->keep_hits = parts & (PART_CTA_SHARING | PART_L1) || system_l1(system)->perfect;
    pass->keep_written = parts & PART_REPLICATION || observers_needs(parts) & SAMPLER_NEEDS_WRITTEN;
    pass->sectors_per_bit = system->line_bytes / line_bits / SECTOR_BYTES;
    int status = pages_init(&pass->pages, system, source, error);
    pass_init_l1(pass);
    asides_init(&pass->asides, system, parts & PART_WAITS);
    if (parts & PART_WAITS) {
        waits_asked_init(&pass->waits, pass->l1->nodes, L1_LINES);
        waits_init(&pass->home, 1, LLC_LINES);
        waits_init(&pass->own, system->domains, LLC_LINES);
        for (uint32_t i = 0; i < system->translation.n; i++)
            waits_init(&pass->walks[i], system->translation.tlbs[i].caches, TLB_PAGES);
    }
    pass_init_lists(pass);
    clocks_init(&pass->clocks, system, parts & PART_WAITS);
    front_init(&pass->fronts, system);
    tlbs_init(&pass->tlbs, system);
    if (!pass->lead)
        pass_init_lanes(pass, source);
    tally_init(&pass->tally, system);
    requests_init(&pass->requests, system, &pass->tally, parts, options->threads,
                  profile_sample_rate(options), granted > 0 && stretches_able(system, parts));
    pass->batch = requests_slot(&pass->requests);
    pass->batch->count = 0;
    observers_init(&pass->observers, system, parts);
    if (pass->keep_written)
        written_init(&pass->written);
    if (parts & PART_WINDOW)
        window_init(&pass->window, system, &pass->requests);
    pass->launches = launches_create(source, &pass->requests);
    repeats_init(&pass->repeats, source, exact);
    trends_init(&pass->trends, source, granted);
    stretches_init(pass, granted, options->few_lines);
    if (!pass->lead)
        pass->issue = pass_issue(pass);
    return status;
}

static void pass_fini(struct pass *pass)
{
    pipeline_destroy(pass->taken);
    pages_fini(&pass->pages);
    if (!pass->lead) {
        l1_fini(pass->l1);
        free(pass->l1);
    }
    asides_fini(&pass->asides);
    near_fini_lists(pass);
    order_fini(&pass->touches);
    order_fini(&pass->turns);
    ranks_fini(pass);
    free(pass->cursors);
    clocks_fini(&pass->clocks);
    waits_fini(&pass->sent);
    waits_asked_fini(&pass->waits);
    waits_fini(&pass->home);
    waits_fini(&pass->own);
    front_fini(&pass->fronts);
    for (uint32_t i = 0; i < pass->tlbs.n; i++)
        waits_fini(&pass->walks[i]);
    tlbs_fini(&pass->tlbs);
    for (int i = 0; i < pass->threads && pass->lanes; i++)
        lanes_fini(&pass->lanes[i]);
    free(pass->lanes);
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
    trends_fini(&pass->trends);
    stretches_fini(pass);
    free(pass);
}

static struct pass *pass_create(const struct pass_member *member, struct pass *lead,
                                const struct source *source, int *status, struct error *error)
{
    struct pass *pass = memory_zero(1, sizeof *pass);
    pass->lead = lead;
    *status = pass_init(pass, member->system, source, member->options, error);
    return pass;
}

static void pass_result(const struct pass *pass, struct pass_member *member)
{
    struct profile_view *view = member->view;
    launches_finish(pass->launches, member->arena, view);
    view->sharing = requests_sharing(&pass->requests, &pass->pages, pass->stretches.ever);
    observers_view(&pass->observers, member->arena, view);
    view->line_bytes = pass->system->line_bytes;
    view->parts = pass->parts;
    view->sample_rate = profile_sample_rate(member->options);
    view->settled_within = fmax(view->settled_within, trends_off(&pass->trends));
    view->settled_within = fmax(view->settled_within, stretches_off(pass));
    view->skimmed = stretches_skimmed(pass);
    view->requests_within = stretches_requests_off(pass);
    member->interleaving = pass->recorded ? "recorded" : warp_order_name(pass->system->order);
}

int pass_run(struct pass_member *members, size_t n, const struct source *source,
             struct error *error)
{
    int status;
    struct pass *lead = pass_create(&members[0], NULL, source, &status, error);
    lead->followers = memory_zero(n, sizeof *lead->followers);
    for (size_t i = 1; i < n; i++) {
        int own;
        struct error ignored;
        struct pass *follower = pass_create(&members[i], lead, source, &own, &ignored);
        follower->apart = own || follower->at_once || lead->at_once || lead->stretches.able;
        lead->followers[lead->n_followers++] = follower;
    }
    if (members->options->progress)
        progress_begin(source->name, "requests", 0);
    if (!status)
        outlook_init(&lead->outlook, source, lead->repeats.exact, n);
    if (!status)
        status = pass_stream(lead, source, error);
    if (members->options->progress)
        progress_end();
    outlook_fini(&lead->outlook);
    if (!status)
        pass_result(lead, &members[0]);
    for (uint32_t i = 0; i < lead->n_followers; i++) {
        members[i + 1].apart = lead->followers[i]->apart;
        if (!status && !members[i + 1].apart)
            pass_result(lead->followers[i], &members[i + 1]);
        pass_fini(lead->followers[i]);
    }
    free(lead->followers);
    pass_fini(lead);
    return status;
}

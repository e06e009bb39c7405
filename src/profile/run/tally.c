/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of one launch, and the fields they make. */
#include "profile/run/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/curves/weigh.h"

/* The arrays, to be treated alike. */
enum { ARRAYS = 3 };
struct array {
    uint64_t *items;
    size_t n;
};

static void tally_arrays(const struct tally *tally, struct array out[ARRAYS])
{
    size_t domains = tally->system->domains, slices = domains * system_llc(tally->system)->slices;
    out[0] = (struct array){tally->traffic, domains * domains};
    out[1] = (struct array){tally->home_slices, slices};
    out[2] = (struct array){tally->own_slices, slices};
}

void tally_init(struct tally *tally, const struct system *system)
{
    struct array arrays[ARRAYS];
    *tally = (struct tally){.system = system};
    tally_arrays(tally, arrays);
    tally->traffic = memory_zero(arrays[0].n, sizeof *tally->traffic);
    tally->home_slices = memory_zero(arrays[1].n, sizeof *tally->home_slices);
    tally->own_slices = memory_zero(arrays[2].n, sizeof *tally->own_slices);
}

void tally_fini(struct tally *tally)
{
    free(tally->traffic);
    free(tally->home_slices);
    free(tally->own_slices);
    *tally = (struct tally){0};
}

void tally_clear(struct tally *tally)
{
    struct array arrays[ARRAYS];
    tally->counts = (struct tally_counts){0};
    tally_arrays(tally, arrays);
    for (int i = 0; i < ARRAYS; i++)
        memset(arrays[i].items, 0, arrays[i].n * sizeof *arrays[i].items);
}

void tally_copy(struct tally *to, const struct tally *from)
{
    struct array a[ARRAYS], b[ARRAYS];
    to->counts = from->counts;
    tally_arrays(to, a);
    tally_arrays(from, b);
    for (int i = 0; i < ARRAYS; i++)
        memcpy(a[i].items, b[i].items, b[i].n * sizeof *b[i].items);
}

void tally_add(struct tally_counts *to, const struct tally_counts *part)
{
    uint64_t *sums = (uint64_t *)to;
    const uint64_t *counts = (const uint64_t *)part;
    for (size_t i = 0; i < sizeof *to / sizeof *sums; i++)
        sums[i] += counts[i];
}

void tally_leave(struct tally *left, const struct tally *now, const struct tally *mark,
                 double share)
{
    struct array l[ARRAYS], n[ARRAYS], m[ARRAYS];
    counts_leave((uint64_t *)&left->counts, (const uint64_t *)&now->counts,
                 (const uint64_t *)&mark->counts, sizeof left->counts / sizeof(uint64_t), share);
    tally_arrays(left, l);
    tally_arrays(now, n);
    tally_arrays(mark, m);
    for (int i = 0; i < ARRAYS; i++)
        counts_leave(l[i].items, n[i].items, m[i].items, l[i].n, share);
}

/* What every stretch counts. */
static void keep_known(struct tally_counts *to, const struct tally_counts *from)
{
    to->ctas = from->ctas;
    to->warp_instructions = from->warp_instructions;
    to->instructions_unknown = from->instructions_unknown;
    to->warp_accesses = from->warp_accesses;
    to->lane_accesses = from->lane_accesses;
    to->lane_bytes = from->lane_bytes;
    to->line_accesses = from->line_accesses;
    to->line_writes = from->line_writes;
    to->local_bytes = from->local_bytes;
    to->bulk_bytes = from->bulk_bytes;
    to->page_moves = from->page_moves;
    to->behind.invalidations = from->behind.invalidations;
    to->behind.first_reads = from->behind.first_reads;
    to->behind.first_writes = from->behind.first_writes;
    to->behind.lines = from->behind.lines;
    to->behind.sampled = from->behind.sampled;
}

/* Counts as they came, of the head, and of what was left. */
struct stretch_tallies {
    const struct tally_counts *came, *head, *left;
};

/* Behind the head: of all, of what was counted. */
struct behind {
    double all, counted;
};

static struct behind behind_of(uint64_t came, uint64_t head, uint64_t left)
{
    return (struct behind){(double)(came - head), (double)(came - head - left)};
}
#define BEHIND(s, field) behind_of((s)->came->field, (s)->head->field, (s)->left->field)

/* First requests, of all lines. */
static struct behind first_of(const struct stretch_tallies *s, enum access_kind kind, double first)
{
    struct behind sample =
        kind == ACCESS_READ ? BEHIND(s, behind.first_reads) : BEHIND(s, behind.first_writes);
    struct behind told =
        kind == ACCESS_READ ? BEHIND(s, behind.told_reads) : BEHIND(s, behind.told_writes);
    return (struct behind){first * sample.all, told.counted};
}

static double weight_of(double all, double counted, double otherwise)
{
    return all > 0 && counted > 0 ? all / counted : otherwise;
}

struct weights tally_weights(const struct tally *now, const struct tally *head,
                             const struct tally *left, double first)
{
    const struct stretch_tallies s = {&now->counts, &head->counts, &left->counts};
    struct behind lines = BEHIND(&s, line_accesses), writes = BEHIND(&s, line_writes);
    struct behind reads = first_of(&s, ACCESS_READ, first);
    struct behind written = first_of(&s, ACCESS_WRITE, first);
    struct weights w = {
        .all = weight_of(lines.all, lines.counted, 1), .first = first, .uneven = {1, 1}};
    w.read_lines = fmax(lines.all - writes.all - reads.all, 0);
    w.reads = weight_of(w.read_lines, lines.counted - writes.counted - reads.counted, w.all);
    w.writes = weight_of(writes.all - written.all, writes.counted - written.counted, w.all);
    if (!(writes.counted > written.counted))
        w.unseen = writes.all - written.all;
    double read = BEHIND(&s, behind.requests[ACCESS_READ]).counted;
    double wrote = BEHIND(&s, behind.requests[ACCESS_WRITE]).counted +
                   BEHIND(&s, behind.requests[ACCESS_ATOMIC]).counted;
    w.requests = weight_of(read * w.reads + wrote * w.writes, read + wrote, w.all);
    return w;
}

static void count_add(uint64_t *to, uint64_t from, double scale)
{
    *to += (uint64_t)llround((double)from * scale);
}

static uint64_t weighed(uint64_t came, uint64_t head, uint64_t left, double weight)
{
    counts_weigh(&came, &head, &left, 1, weight);
    return came;
}
#define WEIGHED(s, field, by) weighed((s)->came->field, (s)->head->field, (s)->left->field, by)

/* First requests are among the reads that look up L1, and never among its hits. */
static void weigh_reads(struct tally_counts *to, const struct stretch_tallies *s,
                        const struct weights *w)
{
    struct behind first = first_of(s, ACCESS_READ, w->first);
    double reads = (double)WEIGHED(s, l1_reads, w->reads);
    reads += first.all - first.counted * w->reads;
    to->l1_reads = s->came->l1_reads ? (uint64_t)llround(fmax(reads, 0)) : 0;
    to->l1_read_hits = WEIGHED(s, l1_read_hits, w->reads);
    to->l1_remote_reads = WEIGHED(s, l1_remote_reads, w->reads);
    to->l1_remote_read_hits = WEIGHED(s, l1_remote_read_hits, w->reads);
    to->followers_home = WEIGHED(s, followers_home, w->reads);
    to->followers_own = WEIGHED(s, followers_own, w->reads);
    to->followers_home_remote = WEIGHED(s, followers_home_remote, w->reads);
    to->followers_own_remote = WEIGHED(s, followers_own_remote, w->reads);
}

static void weigh_requests(struct tally_behind_l1 *to, const struct stretch_tallies *s,
                           const struct weights *w)
{
    to->requests[ACCESS_READ] = WEIGHED(s, behind.requests[ACCESS_READ], w->reads);
    to->requests[ACCESS_WRITE] = WEIGHED(s, behind.requests[ACCESS_WRITE], w->writes);
    to->requests[ACCESS_ATOMIC] = WEIGHED(s, behind.requests[ACCESS_ATOMIC], w->writes);
    to->replicable = WEIGHED(s, behind.replicable, w->reads);
    to->home_reads = WEIGHED(s, behind.home_reads, w->reads);
    to->home_remote_reads = WEIGHED(s, behind.home_remote_reads, w->reads);
    to->home_requests = to->home_reads + WEIGHED(s, behind.home_requests, w->writes) -
                        WEIGHED(s, behind.home_reads, w->writes);
    to->home_remote_requests = to->home_remote_reads +
                               WEIGHED(s, behind.home_remote_requests, w->writes) -
                               WEIGHED(s, behind.home_remote_reads, w->writes);
}

static void add_first(struct tally_behind_l1 *to, const struct tally_behind_l1 *first, double scale)
{
    for (int kind = 0; kind <= ACCESS_ATOMIC; kind++)
        count_add(&to->requests[kind], first->requests[kind], scale);
    count_add(&to->home_requests, first->home_requests, scale);
    count_add(&to->home_reads, first->home_reads, scale);
    count_add(&to->home_remote_requests, first->home_remote_requests, scale);
    count_add(&to->home_remote_reads, first->home_remote_reads, scale);
    count_add(&to->replicable, first->replicable, scale);
}

/* Where they go is where first requests went, or where there are none, all others. Fewer than none:
 * a sample of the lines has too many first ones, of all others some. */
static void add_unseen(struct tally_behind_l1 *to, const struct tally_behind_l1 *first,
                       double unseen)
{
    const struct tally_behind_l1 *as = unseen > 0 && first->home_requests ? first : to;
    if (as->home_requests)
        count_add(&to->home_remote_requests, as->home_remote_requests,
                  unseen / (double)as->home_requests);
    to->requests[ACCESS_WRITE] += (uint64_t)llround(unseen);
    to->home_requests += (uint64_t)llround(unseen);
}

static double array_sum(const struct array *array)
{
    double sum = 0;
    for (size_t i = 0; i < array->n; i++)
        sum += (double)array->items[i];
    return sum;
}

static void array_add_unseen(struct array *to, const struct array *first, double unseen)
{
    const struct array *as = unseen > 0 && array_sum(first) > 0 ? first : to;
    double sum = array_sum(as);
    for (size_t i = 0; i < to->n && sum > 0; i++)
        count_add(&to->items[i], as->items[i], unseen / sum);
}

/* What was counted behind the head differs from slice to slice by so much less. */
static void array_level(struct array *to, const struct array *head, double uneven)
{
    double sum = 0;
    for (size_t i = 0; i < to->n; i++)
        sum += (double)(to->items[i] - head->items[i]);
    for (size_t i = 0; i < to->n; i++) {
        double mean = sum / (double)to->n, own = (double)(to->items[i] - head->items[i]);
        to->items[i] = head->items[i] + (uint64_t)llround(fmax(mean + uneven * (own - mean), 0));
    }
}

/* `as_others`: they are too few to say where they went, which is where the others did. */
static void array_add_first(struct array *to, const struct array *first, double scale,
                            bool as_others)
{
    uint64_t all = 0, others = 0;
    for (size_t i = 0; i < to->n; i++) {
        all += first->items[i];
        others += to->items[i];
    }
    double share = others ? (double)all * scale / (double)others : 0;
    for (size_t i = 0; i < to->n; i++)
        if (as_others && others)
            count_add(&to->items[i], to->items[i], share);
        else
            count_add(&to->items[i], first->items[i], scale);
}

void tally_weigh(struct tally *now, const struct tally *head, const struct tally *left,
                 const struct tally *first, const struct weights *w)
{
    struct array n[ARRAYS], h[ARRAYS], l[ARRAYS], f[ARRAYS];
    struct tally_counts came = now->counts;
    const struct stretch_tallies s = {&came, &head->counts, &left->counts};
    counts_weigh((uint64_t *)&now->counts, (const uint64_t *)&head->counts,
                 (const uint64_t *)&left->counts, sizeof now->counts / sizeof(uint64_t), w->all);
    weigh_reads(&now->counts, &s, w);
    weigh_requests(&now->counts.behind, &s, w);
    keep_known(&now->counts, &came);
    add_first(&now->counts.behind, &first->counts.behind, w->first);
    add_unseen(&now->counts.behind, &first->counts.behind, w->unseen);
    tally_arrays(now, n);
    tally_arrays(head, h);
    tally_arrays(left, l);
    tally_arrays(first, f);
    for (int i = 0; i < ARRAYS; i++) {
        counts_weigh(n[i].items, h[i].items, l[i].items, n[i].n, w->requests);
        if (n[i].items != now->traffic)
            array_level(&n[i], &h[i],
                        w->uneven[n[i].items == now->home_slices ? SIDE_HOME : SIDE_REQUESTER]);
        /* A sample of the lines is few for each slice. */
        array_add_first(&n[i], &f[i], w->first, w->first > 1 && n[i].items != now->traffic);
        array_add_unseen(&n[i], &f[i], w->unseen);
    }
}

double tally_uniformity(const uint64_t *counts, size_t n)
{
    uint64_t sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        sum += counts[i];
        most = counts[i] > most ? counts[i] : most;
    }
    return most ? (double)sum / (double)most / (double)n : (double)NAN;
}

static void fields_before_l1(const struct tally_counts *c, double fields[FIELD_COUNT])
{
    fields[FIELD_CTAS] = (double)c->ctas;
    if (!c->instructions_unknown)
        fields[FIELD_WARP_INSTRUCTIONS] = (double)c->warp_instructions;
    fields[FIELD_WARP_ACCESSES] = (double)c->warp_accesses;
    fields[FIELD_LOADS] = (double)c->loads;
    fields[FIELD_LOAD_GROUPS] = (double)c->load_groups;
    fields[FIELD_LANE_ACCESSES] = (double)c->lane_accesses;
    fields[FIELD_LANE_BYTES] = (double)c->lane_bytes;
    fields[FIELD_LOCAL_BYTES] = (double)c->local_bytes;
    fields[FIELD_BULK_BYTES] = (double)c->bulk_bytes;
    fields[FIELD_LINE_ACCESSES] = (double)c->line_accesses;
    fields[FIELD_SECTOR_ACCESSES] = (double)c->sector_accesses;
    fields[FIELD_WRITTEN_SECTORS] = (double)c->written_sectors;
    fields[FIELD_REMOTE_LINE_ACCESSES] = (double)c->remote_line_accesses;
    fields[FIELD_L1_READS] = (double)c->l1_reads;
    fields[FIELD_L1_READ_HITS] = (double)c->l1_read_hits;
    fields[FIELD_L1_REMOTE_READS] = (double)c->l1_remote_reads;
    fields[FIELD_L1_REMOTE_READ_HITS] = (double)c->l1_remote_read_hits;
    for (int path = ACCESS_SCALAR; path < ACCESS_PATHS; path++)
        fields[FIELD_SCALAR_READS + path - ACCESS_SCALAR] = (double)c->paths[path];
}

/* TLBs stand behind the levels before the LLC. */
static void fields_of_tlbs(const struct tally *tally, double fields[FIELD_COUNT])
{
    const struct tally_counts *c = &tally->counts;
    uint32_t n = tally->system->translation.n, first = system_between(tally->system);
    for (uint32_t i = 0; i < n; i++) {
        double *of_tlb = &fields[profile_level_field((int)(first + i), LEVEL_LOOKUPS)];
        of_tlb[LEVEL_LOOKUPS] = (double)c->tlbs[i].lookups;
        of_tlb[LEVEL_HITS] = (double)c->tlbs[i].hits;
    }
    if (n)
        fields[FIELD_WALKS_REMOTE] = (double)c->walks_remote;
}

/* Caches beside L1 stand behind TLBs. */
static void fields_beside_l1(const struct tally *tally, double fields[FIELD_COUNT])
{
    const struct system *s = tally->system;
    uint32_t first = system_between(s) + s->translation.n;
    for (uint32_t i = 0; i < s->beside.n; i++) {
        double *of_level = &fields[profile_level_field((int)(first + i), LEVEL_LOOKUPS)];
        of_level[LEVEL_LOOKUPS] = (double)tally->counts.beside[i].lookups;
        of_level[LEVEL_HITS] = (double)tally->counts.beside[i].hits;
    }
}

/* Levels that the machine has not stay unknown. */
static void fields_behind_l1(const struct tally *tally, double fields[FIELD_COUNT])
{
    const struct tally_counts *c = &tally->counts;
    for (uint32_t i = 0; i < system_between(tally->system); i++) {
        double *of_level = &fields[profile_level_field((int)i, LEVEL_LOOKUPS)];
        of_level[LEVEL_LOOKUPS] = (double)c->fronts[i].lookups;
        of_level[LEVEL_HITS] = (double)c->fronts[i].hits;
        of_level[LEVEL_WRITEBACKS] = (double)c->fronts[i].writebacks;
    }
    fields_of_tlbs(tally, fields);
    fields_beside_l1(tally, fields);
    fields[FIELD_PAGE_MOVES] = (double)c->page_moves;
    fields[FIELD_HOME_REQUESTS] = (double)c->behind.home_requests;
    fields[FIELD_HOME_READS] = (double)c->behind.home_reads;
    fields[FIELD_HOME_REMOTE_REQUESTS] = (double)c->behind.home_remote_requests;
    fields[FIELD_HOME_REMOTE_READS] = (double)c->behind.home_remote_reads;
}

void tally_fields(const struct tally *tally, double fields[FIELD_COUNT])
{
    const struct tally_counts *c = &tally->counts;
    const struct system *system = tally->system;
    size_t domains = system->domains, slices = domains * system_llc(system)->slices;
    double line = system->line_bytes;
    uint64_t local = 0;
    uint64_t requests = c->behind.requests[ACCESS_READ] + c->behind.requests[ACCESS_WRITE] +
                        c->behind.requests[ACCESS_ATOMIC];
    for (size_t d = 0; d < domains; d++)
        local += tally->traffic[d * domains + d];
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = (double)NAN;
    fields_before_l1(c, fields);
    fields_behind_l1(tally, fields);
    fields[FIELD_REQUESTS] = (double)requests;
    fields[FIELD_READS] = (double)c->behind.requests[ACCESS_READ];
    fields[FIELD_WRITES] = (double)c->behind.requests[ACCESS_WRITE];
    fields[FIELD_ATOMICS] = (double)c->behind.requests[ACCESS_ATOMIC];
    fields[FIELD_BYTES] = (double)requests * line / system->sectors;
    fields[FIELD_LINES] = (double)c->behind.lines.all;
    fields[FIELD_WRITTEN] = (double)c->behind.lines.written * line;
    fields[FIELD_READ_ONLY_SHARED] = (double)c->behind.lines.read_only * line;
    if (!system->flush_at_kernels)
        fields[FIELD_INVALIDATIONS] = (double)c->behind.invalidations;
    if (requests)
        fields[FIELD_R_LOCAL] = (double)local / (double)requests;
    fields[FIELD_LSU_MEMORY_SIDE] = tally_uniformity(tally->home_slices, slices);
    fields[FIELD_LSU_SM_SIDE] = tally_uniformity(tally->own_slices, slices);
}

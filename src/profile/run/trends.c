/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of launches that change steadily. */
#include "profile/run/trends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

/* Steps apart at most; batches, and steps of each before anything is concluded. */
enum { DISTANCE_MOST = 15, BATCHES = 8, BATCH_LEAST = 4 };

void trends_init(struct trends *trends, const struct source *source, double granted)
{
    *trends = (struct trends){.source = source, .granted = granted};
    batch_means_init(&trends->lately, LAUNCH_MEASURES + 1, BATCHES);
    batch_means_init(&trends->all, LAUNCH_MEASURES + 1, BATCHES);
}

static void step_clear(struct trend_step *step)
{
    for (int i = 0; i < TREND_LAUNCHES; i++)
        launch_group_destroy(step->groups[i]);
    *step = (struct trend_step){0};
}

static void newest_clear(struct trends *trends)
{
    for (int i = 0; i < TREND_LAUNCHES; i++)
        launch_group_destroy(trends->newest[i]);
    memset(trends->newest, 0, sizeof trends->newest);
}

void trends_fini(struct trends *trends)
{
    step_clear(&trends->before);
    step_clear(&trends->middle);
    step_clear(&trends->now);
    newest_clear(trends);
    stream_destroy(trends->ahead);
    VECTOR_FREE(&trends->seen);
    VECTOR_FREE(&trends->left);
    batch_means_fini(&trends->lately);
    batch_means_fini(&trends->all);
}

/* --- how far off ---------------------------------------------------------------------- */

/* What a difference may be in the mean, of the requests. */
static double measure_off(const struct batch_means *means, size_t measure)
{
    struct estimate e = batch_means_ratio(means, measure, LAUNCH_MEASURES, 1, 0.95);
    return fabs(e.mean) + e.half_width;
}

/* The worst of what a step asks for, remote, in L1; and of each kind of cache in the mean over
 * capacities. */
static double means_off(const struct batch_means *means, uint32_t rows)
{
    double worst = 0;
    for (size_t i = 0; i < 3; i++)
        worst = fmax(worst, measure_off(means, i));
    for (uint32_t row = 1; row < rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < LAUNCH_CAPACITIES; i++)
            sum += measure_off(means, row * LAUNCH_CAPACITIES + i);
        worst = fmax(worst, sum / LAUNCH_CAPACITIES);
    }
    return worst;
}

double trends_off(const struct trends *trends)
{
    double off = trends->skipped ? means_off(&trends->all, trends->rows) : 0;
    return fmin(off, 0.999);
}

/* Adds what a step differs by. */
static void means_add(struct batch_means *means, const double off[LAUNCH_MEASURES], double requests)
{
    for (size_t i = 0; i < LAUNCH_MEASURES; i++)
        means->open[i] += off[i];
    means->open[LAUNCH_MEASURES] += requests;
    batch_means_unit(means);
}

/* --- the look ahead ------------------------------------------------------------------- */

static struct trend_launch launch_of(const struct stream_kernel *kernel)
{
    struct trend_launch launch;
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, kernel->name);
    hash_content_add(hash, kernel->block, sizeof kernel->block);
    hash_content_add(hash, &kernel->recorded_order, sizeof kernel->recorded_order);
    launch.kind = hash_content_end_number(hash);
    memcpy(launch.grid, kernel->grid, sizeof launch.grid);
    return launch;
}

/* Whether the source has that launch, which is looked at if it was not; or a negative status. */
static int has_launch(struct trends *trends, uint64_t number, struct error *error)
{
    int status = 0;
    if (!trends->ahead)
        status = stream_open(trends->source, &trends->ahead, error);
    while (!status && number >= trends->seen.count && !trends->ended) {
        struct stream_kernel kernel;
        int found = stream_next_kernel(trends->ahead, &kernel, error);
        status = found < 0 ? found : 0;
        trends->ended = found == 0;
        if (found > 0)
            VECTOR_PUSH(&trends->seen, launch_of(&kernel));
    }
    return status ? status : number < trends->seen.count;
}

/* Whether three launches, a period from each other, are steps of a trend. */
static bool are_steady(const struct trends *trends, uint64_t first, uint64_t period)
{
    const struct trend_launch *a = &trends->seen.items[first];
    const struct trend_launch *b = a + period, *c = b + period;
    bool steady = a->kind == b->kind && b->kind == c->kind;
    for (int i = 0; i < 3; i++)
        steady = steady && b->grid[i] - a->grid[i] == c->grid[i] - b->grid[i];
    return steady;
}

/* Whether grids change from a step to the next, the first of which begins there. */
static bool are_changing(const struct trends *trends, uint64_t first, uint64_t period)
{
    const struct trend_launch *a = &trends->seen.items[first];
    for (uint64_t i = 0; i < period; i++)
        if (memcmp(a[i].grid, a[i + period].grid, sizeof a->grid) != 0)
            return true;
    return false;
}

/* Of launches from this one on, which go on with a trend of that period: the first of the last
 * whole step; this one's number less one period: there is none. */
static int find_last(struct trends *trends, uint64_t period, struct error *error)
{
    uint64_t at = trends->reached;
    int has;
    while ((has = has_launch(trends, at, error)) > 0 && are_steady(trends, at - 2 * period, period))
        at++;
    trends->last = trends->reached + (at - trends->reached) / period * period - period;
    return has < 0 ? has : 0;
}

/* Whether nothing of a step is left to be counted with a later one. */
static bool are_settled(const struct trends *trends, uint64_t first, uint64_t period)
{
    for (uint64_t launch = first; launch < first + period; launch++) {
        const struct launch_counts *whole = &trends->newest[launch % TREND_LAUNCHES]->whole;
        for (uint32_t i = 0; i < whole->n_kinds; i++)
            if (!whole->kinds[i].settled)
                return false;
    }
    return true;
}

/* A trend begins with the step that begins now, if there are at least two, and all that they touch
 * is known. */
static int begin(struct trends *trends, struct error *error)
{
    int status = has_launch(trends, trends->reached, error);
    for (uint64_t period = 1; period <= TREND_LAUNCHES && status >= 0; period++) {
        if (trends->fresh + period > trends->reached || trends->since + period > trends->reached ||
            trends->reached < 2 * period ||
            !are_steady(trends, trends->reached - 2 * period, period) ||
            !are_changing(trends, trends->reached - 2 * period, period))
            continue;
        status = find_last(trends, period, error);
        if (status || trends->last < trends->reached + period ||
            !are_settled(trends, trends->reached - period, period))
            continue;
        trends->period = (uint32_t)period;
        trends->next = trends->reached;
        trends->distance = 1;
        batch_means_restart(&trends->lately);
        trends->middle.first = trends->reached - period;
        for (uint32_t i = 0; i < period; i++)
            trends->middle.groups[i] =
                launch_group_copy(trends->newest[(trends->middle.first + i) % TREND_LAUNCHES]);
        newest_clear(trends);
        break;
    }
    return status < 0 ? status : 0;
}

/* Whether one of its kind is at most a step before the launch that begins. */
static bool came_before(const struct trends *trends)
{
    if (trends->reached >= trends->seen.count)
        return false;
    const struct trend_launch *now = &trends->seen.items[trends->reached];
    for (uint64_t period = 1; period <= TREND_LAUNCHES && period <= trends->reached; period++)
        if (trends->seen.items[trends->reached - period].kind == now->kind)
            return true;
    return false;
}

int trends_next(struct trends *trends, const struct stream_kernel *kernel, uint64_t pages,
                uint64_t lines, struct error *error)
{
    int status = 0;
    trends->pages = pages;
    trends->lines = lines;
    if (trends->granted > 0 && !trends->period && !kernel->recorded_order)
        status = begin(trends, error);
    trends->again = trends->period || came_before(trends);
    if (status || !trends->period || trends->reached >= trends->next)
        return status;
    VECTOR_PUSH(&trends->left, *kernel);
    trends->reached++;
    trends->skipped++;
    return 1;
}

void trends_repeated(struct trends *trends)
{
    trends->since = ++trends->reached;
}

/* --- what launches gave ------------------------------------------------------------------- */

/* One of the step that is left out, or known, so many launches behind the middle one's first. */
static struct launch_group *group_at(const struct trend_step *a, const struct trend_step *b,
                                     uint64_t launch, uint32_t period,
                                     const struct stream_kernel *kernel)
{
    uint64_t phase = (launch - a->first) % period;
    double share = (double)(launch - phase - a->first) / (double)(b->first - a->first);
    return launch_group_between(a->groups[phase], b->groups[phase], share, kernel);
}

/* The middle step beside what its neighbours say of it. */
static void judge(struct trends *trends)
{
    const struct trend_step *middle = &trends->middle;
    double *off = memory_zero(LAUNCH_MEASURES, sizeof *off), requests = 0;
    for (uint32_t i = 0; i < trends->period; i++) {
        double own[LAUNCH_MEASURES];
        const struct launch_group *group = middle->groups[i];
        struct launch_group *said = group_at(&trends->before, &trends->now, middle->first + i,
                                             trends->period, &group->kernel);
        trends->rows = launch_group_off(said, group, own);
        for (size_t k = 0; k < LAUNCH_MEASURES; k++)
            off[k] += own[k];
        requests += group->whole.fields[FIELD_REQUESTS];
        launch_group_destroy(said);
    }
    means_add(&trends->lately, off, requests);
    means_add(&trends->all, off, requests);
    free(off);
}

/* Steps further apart, or nearer, once enough of them have been judged. */
static void set_distance(struct trends *trends)
{
    uint32_t distance = trends->distance;
    if (trends->lately.span < BATCH_LEAST)
        return;
    bool well = means_off(&trends->lately, trends->rows) <= trends->granted / 2;
    distance = well ? 2 * distance + 1 : distance > 1 ? distance / 2 : 1;
    distance = distance < DISTANCE_MOST ? distance : DISTANCE_MOST;
    if (distance != trends->distance)
        batch_means_restart(&trends->lately);
    trends->distance = distance;
}

static void end(struct trends *trends)
{
    step_clear(&trends->before);
    step_clear(&trends->middle);
    trends->period = 0;
    trends->since = trends->reached;
}

/* The step is through: those left out before it, and it, become records; where the next one is. */
static void step_ends(struct trends *trends, struct launches *launches)
{
    uint32_t period = trends->period;
    bool fresh = trends->fresh > trends->now.first;
    for (size_t i = 0; i < trends->left.count; i++) {
        struct launch_group *said =
            group_at(&trends->middle, &trends->now, trends->middle.first + period + i, period,
                     &trends->left.items[i]);
        launches_add(launches, said, true);
        launch_group_destroy(said);
    }
    trends->left.count = 0;
    for (uint32_t i = 0; i < period; i++)
        launches_add(launches, trends->now.groups[i], false);
    if (trends->before.groups[0])
        judge(trends);
    set_distance(trends);
    step_clear(&trends->before);
    trends->before = trends->middle;
    trends->middle = trends->now;
    trends->now = (struct trend_step){0};
    uint64_t next = trends->middle.first + (uint64_t)trends->distance * period;
    trends->next = next < trends->last ? next : trends->last;
    if (fresh || trends->middle.first == trends->last)
        end(trends);
}

void trends_note(struct trends *trends, const struct launch_group *launch, uint64_t pages,
                 uint64_t lines, struct launches *launches)
{
    uint64_t number = trends->reached++;
    if (pages != trends->pages || lines != trends->lines)
        trends->fresh = trends->reached;
    if (!trends->period) {
        struct launch_group **place = &trends->newest[number % TREND_LAUNCHES];
        launches_add(launches, launch, false);
        if (trends->granted > 0) {
            launch_group_destroy(*place);
            *place = launch_group_copy(launch);
        }
        return;
    }
    uint64_t phase = (number - trends->middle.first) % trends->period;
    if (phase == 0)
        trends->now.first = number;
    trends->now.groups[phase] = launch_group_copy(launch);
    if (phase + 1 == trends->period)
        step_ends(trends, launches);
}

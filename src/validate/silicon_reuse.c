/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances of cyclic accesses. */
#include "validate/silicon_reuse.h"

#include <math.h>
#include <stdlib.h>

#define CURVE_REQUESTS 1e9 /* that a curve counts: shares are exact to a billionth */
#define SHARE_LEAST 1e-6   /* of the requests, that another sweep is followed for */

void reuse_add(struct reuse *reuse, double lines, double share)
{
    reuse->items[reuse->count].lines = fmax(0, lines);
    reuse->items[reuse->count++].share = share;
}

struct reuse reuse_of_sweeps(double lines, double caches)
{
    struct reuse reuse = {.count = 0};
    double other = 1 - 1 / caches, left = 1;
    for (int sweep = 1; sweep <= REUSE_PIECES && left > SHARE_LEAST; sweep++) {
        reuse_add(&reuse, lines * (1 - pow(other, sweep)) - 1, left / caches);
        left *= other;
    }
    reuse_add(&reuse, lines - 1, left);
    return reuse;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a circle so long, the share that n arcs of length 1 cover which begin at `from`. Sorts them.
 */
static double covered(double *from, int n, double circle)
{
    double sum = 0;
    qsort(from, (size_t)n, sizeof *from, compare_numbers);
    for (int i = 0; i < n; i++)
        sum += fmin(1, i + 1 < n ? from[i + 1] - from[i] : from[0] + circle - from[i]);
    return sum / circle;
}

struct reuse reuse_of_turns(double lines, double blocks, double caches)
{
    enum { SWEEPS = 512 }; /* after which the rest counts as seen */
    struct reuse reuse = {.count = 0};
    for (int i = 0; i < REUSE_PIECES; i++) {
        double f = (i + 0.5) / REUSE_PIECES, from[SWEEPS] = {0};
        int g = 1;
        while (g < SWEEPS && fmod(f + g * blocks, caches) >= 1) {
            from[g] = caches - fmod(g * blocks, caches);
            from[g] = from[g] < caches ? from[g] : 0;
            g++;
        }
        double seen = g < SWEEPS ? covered(from, g, caches) : 1;
        reuse_add(&reuse, lines * seen - 1, 1.0 / REUSE_PIECES);
    }
    return reuse;
}

/* k readers of each set, anywhere in it: with the share 1 - u of readers that are further, u even
 * in 0 .. 1, the distance is 1 - u^(k/(k-1)) of all lines. */
static void reuse_add_circle(struct reuse *reuse, double lines, int readers, double share, int n)
{
    for (int i = 0; i < n && readers > 1; i++) {
        double u = (n - i - 0.5) / n;
        reuse_add(reuse, lines * (1 - pow(u, readers / (readers - 1.0))) - 1, share / n);
    }
    if (readers <= 1 && share > 0)
        reuse_add(reuse, lines - 1, share);
}

struct reuse reuse_of_circles(double lines, double readers)
{
    struct reuse reuse = {.count = 0};
    double less = floor(readers), more = readers * (less + 1) - less * (less + 1);
    more = fmin(1, fmax(0, more / readers)); /* share of the requests, by sets with one more */
    reuse_add_circle(&reuse, lines, (int)less, 1 - more, REUSE_PIECES / 2);
    if (more > 0)
        reuse_add_circle(&reuse, lines, (int)less + 1, more, REUSE_PIECES / 2);
    return reuse;
}

struct reuse reuse_of_filled_sweeps(double lines, double domains, double reads, bool everywhere)
{
    struct reuse reuse = {.count = 0};
    double all = lines * reads / domains, other = 1 - 1 / domains, left = 1;
    double first = all + (lines - all) / domains - 1, once = everywhere ? reads : reads / domains;
    reuse_add(&reuse, first, once);
    for (int sweep = 1; sweep < REUSE_PIECES && left > SHARE_LEAST; sweep++) {
        double seen = all + (lines - all) * (1 - pow(other, sweep)) - 1;
        reuse_add(&reuse, seen, (1 - once) * left / domains);
        left *= other;
    }
    reuse_add(&reuse, lines - 1, (1 - once) * left);
    return reuse;
}

struct reuse reuse_of_filled_circles(double lines, double readers, double domains, bool everywhere)
{
    struct reuse reuse = {.count = 0};
    double own = readers / domains, once = everywhere ? 1 : 1 / domains;
    enum { N = REUSE_PIECES / 2 };
    for (int i = 0; i < 2 * N; i++) {
        bool any = i < N;
        double u = (i % N + 0.5) / N, others = (any ? readers : own) - 1;
        double rest = others > 0 ? pow(u, 1 / others) : 0; /* 1 - g */
        double seen = (1 - pow(rest, readers)) / domains + (1 - pow(rest, own)) * (1 - 1 / domains);
        reuse_add(&reuse, lines * seen - 1, (any ? once : 1 - once) / N);
    }
    return reuse;
}

static int compare_points(const void *a, const void *b)
{
    const struct curve_point *x = a, *y = b;
    return x->lines < y->lines ? -1 : x->lines > y->lines;
}

struct curve reuse_curve(const struct reuse *reuse, double share, struct arena *arena)
{
    double requests = share * CURVE_REQUESTS;
    struct curve curve = {.requests = (uint64_t)llround(requests)};
    struct curve_point steps[REUSE_PIECES + 1];
    uint64_t hits = 0;
    size_t n = 0;
    for (int i = 0; i < reuse->count; i++)
        steps[i] = (struct curve_point){(uint64_t)llround(reuse->items[i].lines),
                                        (uint64_t)llround(reuse->items[i].share * requests)};
    qsort(steps, (size_t)reuse->count, sizeof *steps, compare_points);
    curve.points = arena_alloc(arena, 2 * (REUSE_PIECES + 1) * sizeof *curve.points);
    for (int i = 0; i < reuse->count; i++) {
        if (n > 0 && curve.points[n - 1].lines > steps[i].lines) /* the step before ends there */
            n--;
        else if (steps[i].lines > 0 && (n == 0 || curve.points[n - 1].lines < steps[i].lines))
            curve.points[n++] = (struct curve_point){steps[i].lines, hits};
        hits += steps[i].hits;
        if (hits > curve.requests)
            hits = curve.requests;
        curve.points[n++] = (struct curve_point){steps[i].lines + 1, hits};
    }
    curve.n_points = n;
    curve.cold = curve.requests - hits;
    return curve;
}

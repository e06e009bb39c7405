/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fronts, ranks and hypervolumes of sets of points: published vectors (test
 * suites of moocore, its testsuite and pagmo2), and brute-force referees on
 * random points with many ties. */
#include "check.h"

#include "core/memory.h"
#include "explore/pareto/pareto.h"
#include "explore/pareto/pareto_order.h"

enum { MOST = 400, WIDTH = 6 };

/* Points row by row, as the vectors are written; turned into columns. */
struct set {
    double values[WIDTH][MOST];
    const double *columns[WIDTH];
    enum pareto_sense senses[WIDTH];
    struct pareto_points points;
};

static void set_init(struct set *set, int objectives, size_t count)
{
    for (int j = 0; j < WIDTH; j++)
        set->columns[j] = set->values[j];
    set->points = (struct pareto_points){count, objectives, set->columns, set->senses};
}

/* senses: "-" minimise, "+" maximise, one character per objective. */
static void set_rows(struct set *set, const char *senses, size_t count, const double *rows)
{
    size_t width = strlen(senses);
    set_init(set, (int)width, count);
    for (size_t j = 0; j < width; j++) {
        set->senses[j] = senses[j] == '+' ? PARETO_MAXIMISE : PARETO_MINIMISE;
        for (size_t i = 0; i < count; i++)
            set->values[j][i] = rows[i * width + j];
    }
}

/* `steps` distinct values an objective (ties), 0: any. Senses at random too. */
static void set_random(struct set *set, int objectives, size_t count, int steps, uint64_t *state)
{
    set_init(set, objectives, count);
    for (int j = 0; j < objectives; j++) {
        set->senses[j] = check_random(state) & 1 ? PARETO_MAXIMISE : PARETO_MINIMISE;
        for (size_t i = 0; i < count; i++) {
            double value = check_uniform(state);
            set->values[j][i] = steps ? floor(value * steps) - steps / 2 : value * 2.0 - 1.0;
            if (set->values[j][i] == 0.0 && check_random(state) & 1)
                set->values[j][i] = -0.0;
        }
    }
}

static bool dominates(const struct set *set, size_t a, size_t b)
{
    bool better = false;
    for (int j = 0; j < set->points.objectives; j++) {
        double sign = set->senses[j] == PARETO_MAXIMISE ? -1.0 : 1.0;
        double x = sign * set->values[j][a], y = sign * set->values[j][b];
        if (x > y)
            return false;
        better |= x < y;
    }
    return better;
}

static bool equal(const struct set *set, size_t a, size_t b)
{
    for (int j = 0; j < set->points.objectives; j++)
        if (set->values[j][a] != set->values[j][b])
            return false;
    return true;
}

static size_t naive_filter(const struct set *set, enum pareto_ties ties, size_t *front)
{
    size_t count = 0;
    for (size_t i = 0; i < set->points.count; i++) {
        bool stays = true;
        for (size_t k = 0; k < set->points.count && stays; k++)
            stays =
                !dominates(set, k, i) && !(ties == PARETO_KEEP_FIRST && k < i && equal(set, k, i));
        if (stays)
            front[count++] = i;
    }
    return count;
}

static void naive_rank(const struct set *set, uint32_t *rank)
{
    size_t left = set->points.count;
    for (size_t i = 0; i < set->points.count; i++)
        rank[i] = UINT32_MAX;
    for (uint32_t level = 0; left > 0; level++) {
        bool now[MOST] = {false};
        for (size_t i = 0; i < set->points.count; i++) {
            now[i] = rank[i] == UINT32_MAX;
            for (size_t k = 0; k < set->points.count && now[i]; k++)
                now[i] = !(rank[k] == UINT32_MAX && dominates(set, k, i));
        }
        for (size_t i = 0; i < set->points.count; i++)
            if (now[i]) {
                rank[i] = level;
                left--;
            }
    }
}

static void check_filter(const struct set *set, enum pareto_ties ties, size_t count,
                         const size_t *expected)
{
    size_t front[MOST + 1], found;
    check_ok(pareto_filter(&set->points, ties, front, &found, &failure));
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(front[i], expected[i]);
}

TEST(test_filter_one_objective)
{
    struct set set;
    const double rows[] = {.5, .6, .3, .1, 0, .9, 0};
    set_rows(&set, "-", 7, rows);
    check_filter(&set, PARETO_KEEP_FIRST, 1, (size_t[]){4});
    check_filter(&set, PARETO_KEEP_TIES, 2, (size_t[]){4, 6});
    set_rows(&set, "+", 7, rows);
    check_filter(&set, PARETO_KEEP_FIRST, 1, (size_t[]){5});
    check_filter(&set, PARETO_KEEP_TIES, 1, (size_t[]){5});
}

TEST(test_filter_vectors)
{
    struct set set;
    set_rows(&set, "--", 3, (double[]){0, 1, 1, 1, 1, 2});
    check_filter(&set, PARETO_KEEP_FIRST, 1, (size_t[]){0});
    set_rows(&set, "--", 4, (double[]){0, 1, 0, 1, -1, 2, -1, 2});
    check_filter(&set, PARETO_KEEP_TIES, 4, (size_t[]){0, 1, 2, 3});
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){0, 2});
    set_rows(&set, "--", 6, (double[]){0, 1, 11, 9, 6, 4, 2, 4, 4, 2, 1, 0});
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){0, 5});
    const double mixed[] = {1, 2, 2, 1, 5, 6, 7, 5};
    set_rows(&set, "+-", 4, mixed);
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){1, 3});
    set_rows(&set, "-+", 4, mixed);
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){0, 2});
    set_rows(&set, "--", 0, mixed);
    check_filter(&set, PARETO_KEEP_FIRST, 0, NULL);
    check_filter(&set, PARETO_KEEP_TIES, 0, NULL);
    /* -0.0 and 0.0 are equal. */
    set_rows(&set, "-+", 2, (double[]){0.0, -0.0, -0.0, 0.0});
    check_filter(&set, PARETO_KEEP_FIRST, 1, (size_t[]){0});
    check_filter(&set, PARETO_KEEP_TIES, 2, (size_t[]){0, 1});
    /* The extremes of the number range. */
    set_rows(&set, "--", 3, (double[]){-1.7e308, 1.7e308, 1.7e308, -1.7e308, 1e308, 1.7e308});
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){0, 1});
    set_rows(&set, "--", 3, (double[]){5e-324, 0, 0, 5e-324, 5e-324, 5e-324});
    check_filter(&set, PARETO_KEEP_FIRST, 2, (size_t[]){0, 1});
}

TEST(test_rank_vectors)
{
    struct set set;
    uint32_t rank[11];
    const uint32_t planar[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2}, spatial[] = {2, 0, 0, 1};
    set_rows(&set, "--", 11,
             (double[]){0, 7, 1, 5, 2, 3, 4, 2, 7, 1, 10, 0, 2, 6, 4, 4, 10, 2, 6, 6, 9, 5});
    check_ok(pareto_rank(&set.points, rank, &failure));
    assert_memory_equal(rank, planar, sizeof planar);
    set_rows(&set, "---", 4, (double[]){1, 2, 3, -2, 3, 7, -1, -2, -3, 0, 0, 0});
    check_ok(pareto_rank(&set.points, rank, &failure));
    assert_memory_equal(rank, spatial, sizeof spatial);
    set_rows(&set, "---", 5, (double[]){0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});
    check_ok(pareto_rank(&set.points, rank, &failure));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(rank[i], i);
    /* Equal points share their rank. */
    set_rows(&set, "-", 4, (double[]){2, 1, 2, 1});
    check_ok(pareto_rank(&set.points, rank, &failure));
    assert_memory_equal(rank, ((uint32_t[]){1, 0, 1, 0}), 4 * sizeof *rank);
    set_rows(&set, "--", 0, NULL);
    check_ok(pareto_rank(&set.points, rank, &failure));
}

TEST(test_random_against_naive)
{
    uint64_t seed = 1;
    static const int steps[] = {0, 2, 3, 5, 20};
    struct set set;
    for (int round = 0; round < check_rounds(400, 4000); round++) {
        size_t front[MOST], count;
        uint32_t rank[MOST], expected[MOST];
        size_t points = check_random(&seed) % (round % 8 ? 60 : MOST);
        set_random(&set, 1 + round % 5, points, steps[round / 5 % 5], &seed);
        for (int ties = 0; ties < 2; ties++) {
            count = naive_filter(&set, ties ? PARETO_KEEP_TIES : PARETO_KEEP_FIRST, front);
            check_filter(&set, ties ? PARETO_KEEP_TIES : PARETO_KEEP_FIRST, count, front);
        }
        naive_rank(&set, expected);
        check_ok(pareto_rank(&set.points, rank, &failure));
        assert_memory_equal(rank, expected, points * sizeof *rank);
    }
}

/* Rank 0 is the front with ties, whatever the number of points: the large cases
 * reach the divided paths, where a naive referee would be slow. */
TEST(test_large_sets_agree)
{
    uint64_t seed = 7;
    size_t count = (size_t)check_rounds(5000, 100000);
    double *data = memory_alloc(5 * count * sizeof *data);
    size_t *front = memory_alloc(count * sizeof *front), found;
    uint32_t *rank = memory_alloc(count * sizeof *rank);
    static const enum pareto_sense senses[5];
    for (int objectives = 1; objectives <= 5; objectives++)
        for (int kind = 0; kind < 3; kind++) {
            const double *columns[5];
            struct pareto_points points = {count, objectives, columns, senses};
            for (int j = 0; j < objectives; j++) {
                columns[j] = data + (size_t)j * count;
                for (size_t i = 0; i < count; i++) {
                    double value = check_uniform(&seed);
                    data[(size_t)j * count + i] = kind == 1 ? floor(value * 12) : value;
                }
            }
            for (size_t i = 0; kind == 2 && i < count; i++) { /* all on the front */
                double sum = 1.0;
                for (int j = 0; j + 1 < objectives; j++)
                    sum -= columns[j][i];
                data[(size_t)(objectives - 1) * count + i] = sum;
            }
            check_ok(pareto_filter(&points, PARETO_KEEP_TIES, front, &found, &failure));
            check_ok(pareto_rank(&points, rank, &failure));
            size_t next = 0;
            for (size_t i = 0; i < count; i++) {
                bool on_front = next < found && front[next] == i;
                if (on_front != (rank[i] == 0))
                    fail_msg("%d objectives, kind %d, point %zu: rank %u", objectives, kind, i,
                             (unsigned)rank[i]);
                next += on_front;
            }
            assert_int_equal(next, found);
        }
    free(rank);
    free(front);
    free(data);
}

TEST(test_properties)
{
    uint64_t seed = 99;
    struct set set, again;
    size_t front[MOST], count, second[MOST], second_count;
    for (int round = 0; round < 50; round++) {
        int objectives = 1 + round % 4;
        set_random(&set, objectives, 150, round % 2 ? 4 : 0, &seed);
        check_ok(pareto_filter(&set.points, PARETO_KEEP_FIRST, front, &count, &failure));
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < count; b++)
                assert_false(dominates(&set, front[a], front[b]));
        /* Filtering twice changes nothing. */
        again = set;
        set_init(&again, objectives, count);
        for (int j = 0; j < objectives; j++)
            for (size_t i = 0; i < count; i++)
                again.values[j][i] = set.values[j][front[i]];
        check_ok(pareto_filter(&again.points, PARETO_KEEP_FIRST, second, &second_count, &failure));
        assert_int_equal(second_count, count);
        /* A constant further objective changes nothing. */
        again = set;
        set_init(&again, objectives + 1, 150);
        again.senses[objectives] = round % 3 ? PARETO_MINIMISE : PARETO_MAXIMISE;
        for (size_t i = 0; i < 150; i++)
            again.values[objectives][i] = 3.0;
        check_ok(pareto_filter(&again.points, PARETO_KEEP_FIRST, second, &second_count, &failure));
        assert_int_equal(second_count, count);
        assert_memory_equal(second, front, count * sizeof *front);
    }
}

static void check_volume(const struct set *set, const double *reference, double expected)
{
    double volume;
    check_ok(pareto_hypervolume(&set->points, reference, &volume, &failure));
    check_relative(volume, expected, 1e-12);
}

TEST(test_hypervolume_vectors)
{
    struct set set;
    set_rows(&set, "--", 4, (double[]){5, 5, 4, 6, 2, 7, 7, 4});
    check_volume(&set, (double[]){10, 10}, 38);
    set_rows(&set, "--", 2, (double[]){1, 2, 2, 1});
    check_volume(&set, (double[]){3, 3}, 3);
    check_volume(&set, (double[]){2, 2}, 0);
    check_volume(&set, (double[]){2.5, 1.5}, 0.25); /* (1,2) is beyond the reference */
    set_rows(&set, "++", 2, (double[]){-1, -2, -2, -1});
    check_volume(&set, (double[]){-3, -3}, 3);
    set_rows(&set, "---", 3, (double[]){2.3, 4.5, 3.2, 3.4, 3.4, 3.4, 6.0, 1.2, 3.6});
    check_volume(&set, (double[]){7, 7, 7}, 66.386);
    set_rows(&set, "-", 2, (double[]){2, 5});
    check_volume(&set, (double[]){7}, 5);
    set_rows(&set, "--", 0, NULL);
    check_volume(&set, (double[]){7, 7}, 0);
    /* One point: a box, in any number of objectives. */
    set_rows(&set, "-+-+-+", 1, (double[]){1, 9, 3, 7, 5, 5});
    check_volume(&set, (double[]){2, 7, 6, 3, 10, -1}, 1.0 * 2 * 3 * 4 * 5 * 6);
}

/* Points on a grid of whole numbers: count the unit cells that are dominated. */
static double naive_volume(const struct set *set, const double *reference, int side)
{
    double cells = 0;
    int objectives = set->points.objectives, at[WIDTH] = {0};
    for (;;) {
        bool covered = false;
        for (size_t i = 0; i < set->points.count && !covered; i++) {
            covered = true;
            for (int j = 0; j < objectives && covered; j++) {
                bool maximise = set->senses[j] == PARETO_MAXIMISE;
                /* The cell's best corner, counted from the reference inwards. */
                double corner = maximise ? reference[j] + at[j] + 1 : reference[j] - at[j] - 1;
                covered = maximise ? set->values[j][i] >= corner : set->values[j][i] <= corner;
            }
        }
        cells += covered;
        int j = 0;
        while (j < objectives && ++at[j] == side)
            at[j++] = 0;
        if (j == objectives)
            return cells;
    }
}

TEST(test_hypervolume_against_cells)
{
    static const int sides[] = {0, 30, 20, 12, 8, 6, 4};
    uint64_t seed = 5;
    struct set set;
    for (int round = 0; round < check_rounds(120, 1200); round++) {
        int objectives = 1 + round % 6, side = sides[objectives];
        double reference[WIDTH];
        set_random(&set, objectives, check_random(&seed) % 40, side + 2, &seed);
        for (int j = 0; j < objectives; j++)
            reference[j] = set.senses[j] == PARETO_MAXIMISE ? -side / 2 : side / 2;
        /* Some points lie at or beyond the reference, and add nothing. */
        check_volume(&set, reference, naive_volume(&set, reference, side + 2));
    }
}

TEST(test_hypervolume_of_front)
{
    uint64_t seed = 6;
    struct set set, thinned;
    size_t front[MOST], count;
    double all, only;
    for (int objectives = 1; objectives <= 6; objectives++) {
        double reference[WIDTH];
        set_random(&set, objectives, objectives > 4 ? 60 : 300, 0, &seed);
        for (int j = 0; j < objectives; j++)
            reference[j] = set.senses[j] == PARETO_MAXIMISE ? -1.5 : 1.5;
        check_ok(pareto_hypervolume(&set.points, reference, &all, &failure));
        check_ok(pareto_filter(&set.points, PARETO_KEEP_FIRST, front, &count, &failure));
        thinned = set;
        set_init(&thinned, objectives, count);
        for (int j = 0; j < objectives; j++)
            for (size_t i = 0; i < count; i++) /* and in another order */
                thinned.values[j][i] = set.values[j][front[count - 1 - i]];
        check_ok(pareto_hypervolume(&thinned.points, reference, &only, &failure));
        assert_true(all == only);
        /* Between the best point's box and the whole box. */
        assert_true(all > 0 && all < pow(2.5, objectives) * (1 + 1e-12));
    }
}

TEST(test_not_finite)
{
    struct set set;
    size_t front[MOST], count;
    uint32_t rank[MOST];
    double volume;
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    uint64_t seed = 3;
    for (int objectives = 1; objectives <= 4; objectives++)
        for (int kind = 0; kind < 3; kind++) {
            char words[100];
            size_t where = check_random(&seed) % 300;
            int objective = (int)(check_random(&seed) % (uint64_t)objectives);
            set_random(&set, objectives, 300, 0, &seed);
            set.values[objective][where] = bad[kind];
            snprintf(words, sizeof words, "objective %d of point %zu (counting from 0) is %s",
                     objective, where, kind ? "infinite" : "NaN");
            check_error(pareto_filter(&set.points, PARETO_KEEP_FIRST, front, &count, &failure),
                        STATUS_INPUT, words);
            check_error(pareto_rank(&set.points, rank, &failure), STATUS_INPUT, words);
            check_error(pareto_hypervolume(&set.points, (double[]){1, 1, 1, 1}, &volume, &failure),
                        STATUS_INPUT, words);
        }
    set_rows(&set, "--", 1, (double[]){1, 2});
    check_error(pareto_hypervolume(&set.points, (double[]){3, (double)NAN}, &volume, &failure),
                STATUS_INPUT, "the reference of objective 1 is not finite");
}

/* Volumes that no double holds are neither infinite nor 0. */
TEST(test_hypervolume_range)
{
    struct set set;
    double volume;
    set_rows(&set, "--", 2, (double[]){1e308, -1e308, -1e308, 1e308});
    check_error(pareto_hypervolume(&set.points, (double[]){1.5e308, 1.5e308}, &volume, &failure),
                STATUS_INPUT, "too large for a floating-point number");
    set_rows(&set, "--", 1, (double[]){1e-200, 1e-200});
    check_error(pareto_hypervolume(&set.points, (double[]){2e-200, 2e-200}, &volume, &failure),
                STATUS_INPUT, "too small for a floating-point number");
    set_rows(&set, "--", 1, (double[]){3, 1});
    check_ok(pareto_hypervolume(&set.points, (double[]){2, 2}, &volume, &failure));
    check_relative(volume, 0, 0); /* no point is better than the reference */
}

/* Numbers that are hard for a sort by leading digits: of any size, few, close together beside one
 * far away, in clusters of clusters, with equal last bits, as doubles have them. */
static uint64_t hard_key(int kind, size_t i, uint64_t *seed)
{
    uint64_t any = check_random(seed);
    switch (kind) {
    case 0:
        return any;
    case 1:
        return any % 5;
    case 2:
        return i == 7 ? UINT64_MAX : i == 9 ? 0 : 1000 + any % 100000;
    case 3: /* each bit less likely than the one below it */
        return UINT64_MAX >> (any % 64);
    case 4:
        return (any % 3) << 62 | (any >> 8) % 3 << 40 | (any >> 16) % 50 << 20 | (any >> 30) % 7;
    case 5:
        return pareto_key((double)((int)(any % 1000) - 500));
    default:
        return pareto_key(ldexp(check_uniform(seed) - 0.5, (int)(any % 600) - 300));
    }
}

static int compare_items(const void *a, const void *b)
{
    const struct pareto_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* As qsort by key, then by the place at first. */
TEST(test_items_are_sorted)
{
    enum { ITEMS = 70000 };
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 64, 100, 1023, 1024, 5000, ITEMS};
    struct pareto_item *items = memory_alloc(2 * ITEMS * sizeof *items);
    struct pareto_item *expected = memory_alloc(ITEMS * sizeof *expected);
    uint64_t seed = 5;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int kind = 0; kind < 7; kind++) {
            size_t count = counts[c];
            for (size_t i = 0; i < count; i++)
                items[i] = (struct pareto_item){hard_key(kind, i, &seed), (uint32_t)i};
            memcpy(expected, items, count * sizeof *items);
            qsort(expected, count, sizeof *expected, compare_items);
            pareto_sort_items(items, count, items + ITEMS);
            for (size_t i = 0; i < count; i++) {
                assert_true(items[i].key == expected[i].key);
                assert_int_equal(items[i].index, expected[i].index);
            }
        }
    free(expected);
    free(items);
}

/* Whether point k is no worse than i in all objectives. */
static bool no_worse(double *const *columns, int objectives, size_t k, size_t i)
{
    for (int j = 0; j < objectives; j++)
        if (columns[j][k] > columns[j][i])
            return false;
    return true;
}

/* Every point's rank is one more than the largest of those that dominate it, and the front has the
 * first of equal points that nothing dominates: so many that they are sorted in more than once. */
TEST(test_many_points)
{
    enum { POINTS = 2500 };
    static const enum pareto_sense senses[3];
    double *columns[3];
    size_t *front = memory_alloc(POINTS * sizeof *front), count;
    uint32_t *rank = memory_alloc(POINTS * sizeof *rank);
    uint64_t seed = 23;
    for (int j = 0; j < 3; j++)
        columns[j] = memory_alloc(POINTS * sizeof *columns[j]);
    for (int round = 0; round < 8; round++) { /* any values, few, near a front, on one */
        int objectives = 2 + round % 2, kind = round / 2, last = objectives - 1;
        struct pareto_points points = {POINTS, objectives, (const double *const *)columns, senses};
        for (size_t i = 0; i < POINTS; i++) {
            double sum = 0;
            for (int j = 0; j < objectives; j++) {
                columns[j][i] =
                    kind == 1 ? (double)(check_random(&seed) % 30) - 9 : check_uniform(&seed) - 0.5;
                sum += j < last ? columns[j][i] : 0;
            }
            if (kind >= 2)
                columns[last][i] = (kind == 2 ? 0.05 * columns[last][i] : 0) - sum;
        }
        check_ok(pareto_rank(&points, rank, &failure));
        check_ok(pareto_filter(&points, PARETO_KEEP_FIRST, front, &count, &failure));
        size_t found = 0;
        for (size_t i = 0; i < POINTS; i++) {
            uint32_t expected = 0;
            bool first = true;
            for (size_t k = 0; k < POINTS; k++) {
                if (k == i || !no_worse(columns, objectives, k, i))
                    continue;
                if (no_worse(columns, objectives, i, k))
                    first = first && k > i;
                else if (rank[k] >= expected)
                    expected = rank[k] + 1;
            }
            assert_int_equal(rank[i], expected);
            if (expected == 0 && first)
                assert_int_equal(front[found++], i);
        }
        assert_int_equal(found, count);
    }
    for (int j = 0; j < 3; j++)
        free(columns[j]);
    free(rank);
    free(front);
}

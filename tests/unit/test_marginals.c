/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums that do not depend on their order; marginals of small spaces against points taken one by
 * one; the same bits for any number of threads and any instruction set. */
#include "check.h"

#include <float.h>

#include "core/order_free_sum.h"
#include "explore/sweep/marginals.h"
#include "explore/sweep/marginals_kernels.h"
#include "explore/sweep/sweep.h"

static const char point_text[] = "profile: hand\n"
                                 "point: {r_local: 0.7, bytes: 1 MB, llc_hit: {memory-side: 0.8, "
                                 "sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1.0}}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
}

static uint64_t next(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* Of either sign and any size. */
static double any_number(uint64_t *state)
{
    double mantissa = (double)(int64_t)next(state) / 0x1p63;
    return ldexp(mantissa, (int)(next(state) >> 33) % 200 - 100);
}

TEST(sums_do_not_depend_on_their_order)
{
    enum { N = 500, PARTS = 7 };
    double values[N];
    uint64_t seed = 1;
    for (int round = 0; round < 20; round++) {
        struct order_free_sum forward = {{0}}, parts[PARTS] = {{{0}}}, merged = {{0}};
        for (int i = 0; i < N; i++) {
            values[i] = any_number(&seed);
            order_free_add(&forward, values[i]);
        }
        for (int i = N; i-- > 0;)
            order_free_add(&parts[next(&seed) % PARTS], values[i]);
        for (int k = 0; k < PARTS; k++)
            order_free_merge(&merged, &parts[(k * 3 + round) % PARTS]);
        assert_memory_equal(forward.parts, merged.parts, sizeof forward.parts);
        assert_int_equal(forward.top, merged.top);
    }
}

TEST(sums_are_exact_where_doubles_are_not)
{
    struct order_free_sum sum = {{0}};
    static const double values[] = {1e16, 1, -1e16, 0x1p-40, 3, -0.0, 0x1p-1074};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        order_free_add(&sum, values[i]);
    assert_true(order_free_value(&sum) == 4 + 0x1p-40);
    struct order_free_sum ends = {{0}};
    order_free_add(&ends, 0x1p-1074);
    assert_true(order_free_value(&ends) == 0x1p-1074);
    order_free_add(&ends, DBL_MAX);
    assert_true(order_free_value(&ends) == DBL_MAX);
    order_free_add(&ends, -DBL_MAX);
    assert_true(fabs(order_free_value(&ends)) < DBL_MAX * 0x1p-80);
    order_free_add(&ends, HUGE_VAL);
    assert_true(isnan(order_free_value(&ends)));
}

static struct sweep *run(const char *body, int threads, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text, "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\"]\n%s", check_folder(),
                body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

/* Blocks of one axis and of several, in chunks with a short last one, behind structures, with
 * conditions that leave some values without a point, and one axis alone at a time. */
static const char *const bodies[] = {
    "axes: {memory.bandwidth: [500 GB/s, 1 TB/s, 2 TB/s]}\n",
    "axes:\n  llc.organisation: [memory-side, sm-side, sac]\n"
    "  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 13}\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 170}\n"
    "where: [\"memory.bandwidth >= inter.link_bandwidth * 3\", \"inter.link_bandwidth < 400 "
    "GB/s\"]\n",
    "axes:\n  noc.bandwidth: [4 TB/s, 2 TB/s]\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 3000}\n"
    "rank: {by: kernel_time}\n",
    "axes:\n  llc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 5}\n"
    "  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 5}\n"
    "  noc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 7}\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 9}\n"
    "where: [\"noc.bandwidth + memory.bandwidth < llc.bandwidth * 1.5\"]\n",
    "axes:\n  noc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 23}\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 203}\n"
    "where: [\"noc.bandwidth >= 2 TB/s\", \"noc.bandwidth <= 5 TB/s\"]\n",
    "axes:\n  noc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 23}\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 203}\n"
    "where: [\"memory.bandwidth >= 300 GB/s or noc.bandwidth >= 2 TB/s\"]\n",
    ("design: one-at-a-time\naxes:\n  llc.organisation: [memory-side, sm-side]\n"
     "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 9}\n"),
};
enum { BODIES = sizeof bodies / sizeof *bodies };

struct naive {
    uint64_t points;
    double best, sum;
};

static void naive_add(struct naive *n, double value, bool least)
{
    n->best = !n->points || (least ? value < n->best : value > n->best) ? value : n->best;
    n->sum += value;
    n->points++;
}

static void check_axis(const struct sweep *sweep, size_t a, const struct naive *values,
                       const struct naive *all, double squares)
{
    double between = 0, mean = all->sum / (double)all->points;
    for (size_t v = 0; v < sweep->space->axes[a].n_values; v++) {
        struct marginal m;
        assert_true(marginals_value(sweep->marginals, a, v, &m));
        assert_int_equal(m.points, values[v].points);
        if (!m.points)
            continue;
        double here = values[v].sum / (double)values[v].points;
        assert_true(m.best == values[v].best);
        check_relative(m.mean, here, 1e-12);
        between += (double)m.points * (here - mean) * (here - mean);
    }
    if (sweep->space->design == DESIGN_CROSS)
        check_relative(marginals_share(sweep->marginals, a), between / squares, 1e-6);
}

TEST(marginals_are_those_of_all_points)
{
    for (size_t i = 0; i < BODIES; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(bodies[i], 3, &space);
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        struct sweep_part *parts;
        size_t rank, n_parts = sweep_parts(space, arena, &parts);
        bool least = space->rank_sense == PARETO_MINIMISE;
        uint64_t *ids = arena_alloc(arena, sweep->points * sizeof *ids);
        for (uint64_t id = 0; id < sweep->points; id++)
            ids[id] = id;
        check_ok(sweep_rows(sweep, ids, sweep->points, arena, &rows, &failure));
        check_ok(sweep_column_find(sweep, space->rank_by, &rank, &failure));
        struct naive all = {0};
        double squares = 0;
        for (uint64_t id = 0; id < sweep->points; id++)
            if (rows[id].kept)
                naive_add(&all, rows[id].values[rank], least);
        for (uint64_t id = 0; id < sweep->points; id++)
            if (rows[id].kept)
                squares += pow(rows[id].values[rank] - all.sum / (double)all.points, 2);
        for (size_t a = 0; a < space->n_axes; a++) {
            struct naive *values = arena_alloc(arena, space->axes[a].n_values * sizeof *values);
            for (size_t p = 0; p < n_parts; p++)
                for (uint64_t k = 0; k < parts[p].count; k++)
                    if (parts[p].active[a] && rows[parts[p].first_id + k].kept)
                        naive_add(&values[k / parts[p].strides[a] % space->axes[a].n_values],
                                  rows[parts[p].first_id + k].values[rank], least);
            check_axis(sweep, a, values, &all, squares);
        }
        assert_int_equal(marginals_all(sweep->marginals).points, sweep->kept);
        arena_destroy(arena);
    }
}

TEST(marginals_are_the_same_bits_for_any_threads)
{
    for (size_t i = 0; i < BODIES; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *one = run(bodies[i], 1, &space);
        for (int threads = 2; threads <= 5; threads += 3) {
            OWNED(space) *again = NULL;
            OWNED(sweep) *other = run(bodies[i], threads, &again);
            for (size_t a = 0; a < space->n_axes; a++) {
                double shares[] = {marginals_share(one->marginals, a),
                                   marginals_share(other->marginals, a)};
                assert_memory_equal(&shares[0], &shares[1], sizeof *shares);
                for (size_t v = 0; v < space->axes[a].n_values; v++) {
                    struct marginal x, y;
                    marginals_value(one->marginals, a, v, &x);
                    marginals_value(other->marginals, a, v, &y);
                    assert_memory_equal(&x, &y, sizeof x);
                }
            }
        }
    }
}

/* A block in slices, whose sum is then taken apart. */
struct taken {
    double sums[500], leasts[500], counts[500], squares;
    struct marginals_slice slices[4];
};

static void take(const struct marginals_kernels *kernels, const double *values,
                 const unsigned char *mask, struct taken *out)
{
    struct marginals_box box = {out->sums, out->leasts, mask ? out->counts : NULL};
    memset(out, 0, sizeof *out);
    out->squares = kernels->squares(values, mask, 1000);
    for (size_t v = 0; v < 2; v++)
        out->slices[v] =
            kernels->take(&box, values + v * 500, mask ? mask + v * 500 : NULL, -1, 500, v > 0);
    out->slices[2] = kernels->slice(&box, 5, 301);
    kernels->fold(&box, 333, 161);
    out->slices[3] = kernels->slice(&box, 0, 333);
}

TEST(all_instruction_sets_give_the_same_bits)
{
    enum { N = 1000 };
    static const char *const names[] = {"base", "v3", "v4"};
    double values[N];
    unsigned char mask[N];
    uint64_t seed = 7;
    for (size_t i = 0; i < N; i++) {
        values[i] = any_number(&seed);
        mask[i] = next(&seed) >> 62 != 0;
    }
    for (int set = 0; set < 3; set++)
        for (int masked = 0; masked < 2; masked++) {
            struct taken base, other;
            if (!marginals_kernels_find(names[set]))
                continue;
            take(marginals_kernels_find("base"), values, masked ? mask : NULL, &base);
            take(marginals_kernels_find(names[set]), values, masked ? mask : NULL, &other);
            assert_memory_equal(&base, &other, sizeof base);
            double sum = 0, least = HUGE_VAL, count = 0; /* of the first slice, in their order */
            for (size_t i = 0; i < N / 2; i++)
                if (!masked || mask[i]) {
                    sum += values[i];
                    least = fmin(least, -values[i]);
                    count++;
                }
            check_relative(other.slices[0].sum, sum, 1e-12);
            assert_true(other.slices[0].least == least);
            assert_true(!masked || other.slices[0].count == count);
        }
}

/* Slices that are taken together give the bits of one after the other. */
TEST(slices_are_taken_together)
{
    enum { MOST = 29, ROWS = MARGINALS_ROWS };
    static const char *const names[] = {"base", "v3", "v4"};
    double values[(1 + ROWS) * MOST];
    uint64_t seed = 17;
    for (int set = 0; set < 3; set++)
        for (size_t n = 1; n <= MOST && marginals_kernels_find(names[set]); n++) {
            const struct marginals_kernels *kernels = marginals_kernels_find(names[set]);
            double sums[2][MOST], leasts[2][MOST], sign = n % 2 ? 1 : -1;
            struct marginals_box one = {sums[0], leasts[0], NULL},
                                 other = {sums[1], leasts[1], NULL};
            struct marginals_slice slices[ROWS];
            for (size_t i = 0; i < (1 + ROWS) * n; i++)
                values[i] = any_number(&seed);
            kernels->take(&one, values, NULL, sign, n, false);
            kernels->take(&other, values, NULL, sign, n, false);
            kernels->take_rows(&other, values + n, sign, n, slices);
            for (size_t v = 0; v < ROWS; v++) {
                struct marginals_slice slice =
                    kernels->take(&one, values + (1 + v) * n, NULL, sign, n, true);
                assert_memory_equal(&slice.sum, &slices[v].sum, sizeof slice.sum);
                assert_true(slice.least == slices[v].least);
            }
            assert_memory_equal(sums[0], sums[1], n * sizeof **sums);
            assert_memory_equal(leasts[0], leasts[1], n * sizeof **leasts);
        }
}

/* Sums by columns are those that order_free_add makes, also where it has to be asked. */
TEST(columns_of_sums_are_sums)
{
    enum { N = 37, ROUNDS = 60 };
    static const char *const names[] = {"base", "v3", "v4"};
    static const double odd[] = {0.0, -0.0, 0x1p-1074, -0x1p-1040, DBL_MIN, 1, -1, 0x1p31, 0x1p32};
    static const double ends[] = {0.0, 0x1p-1074, -0x1p-1040, 0x1p-960, 0x1p1000, -DBL_MAX};
    for (int set = 0; set < 3; set++) {
        const struct marginals_kernels *kernels = marginals_kernels_find(names[set]);
        uint64_t points[N] = {0}, seed = 3;
        int64_t parts[ORDER_FREE_PARTS][N] = {{0}}, top[N] = {0};
        double best[N] = {0}, values[N], leasts[N], counts[N], most[N] = {0}, units[N];
        bool lost[N] = {false};
        struct order_free_sum expected[N] = {{{0}}};
        struct marginals_columns rows = {points, best, {parts[0], parts[1], parts[2], parts[3]},
                                         top,    lost, units};
        for (int i = 0; i < N; i++)
            units[i] = HUGE_VAL; /* nothing is summed yet */
        int asked = 0, added = 0;
        for (int round = 0; kernels && round < ROUNDS; round++) {
            struct marginals_box box = {values, leasts, round % 2 ? counts : NULL};
            for (int i = 0; i < N; i++) {
                values[i] = round % 3   ? any_number(&seed) * ldexp(1, 10 * (round % 3 - 1))
                            : round % 2 ? odd[next(&seed) % 9]
                            : round < 6
                                ? ends[next(&seed) % 3] /* the lowest places, and above all */
                            : round == ROUNDS - 6 ? ends[next(&seed) % 6]
                                                  : check_uniform(&seed) * 1e12;
                leasts[i] = -values[i];
                counts[i] = (double)(next(&seed) % 5);
                most[i] = values[i] > most[i] ? values[i] : most[i];
            }
            uint64_t before = points[7];
            bool done = kernels->add(&rows, 0, &box, N, 3, -1);
            assert_int_equal(points[7] - before, round % 2 ? (uint64_t)counts[7] : 3);
            for (int i = 0; i < N; i++) {
                order_free_add(&expected[i], values[i]);
                for (int k = 0; k < ORDER_FREE_PARTS && !done; k++)
                    parts[k][i] = expected[i].parts[k];
                top[i] = done ? top[i] : expected[i].top;
                if (top[i])
                    units[i] = order_free_units((int)top[i]);
                assert_int_equal(top[i], expected[i].top);
                for (int k = 0; k < ORDER_FREE_PARTS; k++)
                    assert_int_equal(parts[k][i], expected[i].parts[k]);
                assert_true(best[i] == most[i]);
            }
            asked += !done;
            added += done;
        }
        assert_true(!kernels || (asked > 0 && added > ROUNDS / 3));
        values[N - 1] = HUGE_VAL;
        assert_true(
            !kernels ||
            !kernels->add(&rows, 0, &(struct marginals_box){values, leasts, NULL}, N, 1, -1));
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rodinia's regular workloads against plain C executions of their algorithms. */
#include <math.h>

#include "workload_reference.h"

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

enum { SRAD_N = 48, SRAD_TILE = 16 };

/* Pixel k of block b. */
static int srad_pixel(int b, int k)
{
    int across = SRAD_N / SRAD_TILE;
    return (b / across * SRAD_TILE + k / SRAD_TILE) * SRAD_N + b % across * SRAD_TILE +
           k % SRAD_TILE;
}

static void srad_coefficients(struct array *J, struct array *C, struct array **sides)
{
    static const int dy[] = {-1, 1, 0, 0}, dx[] = {0, 0, -1, 1};
    reference_begin("srad_cuda_1");
    for (int b = 0; b < SRAD_N * SRAD_N / SRAD_TILE / SRAD_TILE; b++) {
        for (int k = 0; k < SRAD_TILE * SRAD_TILE; k++) {
            int i = srad_pixel(b, k);
            double sum = 0, here = LOAD(J, i);
            for (int d = 0; d < 4; d++) {
                int y = clamp(i / SRAD_N + dy[d], SRAD_N), x = clamp(i % SRAD_N + dx[d], SRAD_N);
                sum += STORE(sides[d], i, LOAD(J, y * SRAD_N + x) - here);
            }
            STORE(C, i, 1 / (1 + sum * sum));
        }
        reference_block(SAME_SETS);
    }
}

static void srad_update(struct array *J, struct array *C, struct array **sides)
{
    reference_begin("srad_cuda_2");
    for (int b = 0; b < SRAD_N * SRAD_N / SRAD_TILE / SRAD_TILE; b++) {
        for (int k = 0; k < SRAD_TILE * SRAD_TILE; k++) {
            int i = srad_pixel(b, k), y = i / SRAD_N, x = i % SRAD_N;
            double south = LOAD(C, clamp(y + 1, SRAD_N) * SRAD_N + x), here = LOAD(C, i);
            double east = LOAD(C, y * SRAD_N + clamp(x + 1, SRAD_N));
            double sum = here * LOAD(sides[0], i) + south * LOAD(sides[1], i) +
                         here * LOAD(sides[2], i) + east * LOAD(sides[3], i);
            STORE(J, i, LOAD(J, i) + 0.125 * sum);
        }
        reference_block(SAME_SETS);
    }
}

TEST(test_srad)
{
    reference_open("srad:n=48,iterations=2");
    struct array *J = reference_array("J", 4), *C = reference_array("C", 4);
    struct array *sides[4] = {reference_array("N", 4), reference_array("S", 4),
                              reference_array("W", 4), reference_array("E", 4)};
    for (int iteration = 0; iteration < 2; iteration++) {
        srad_coefficients(J, C, sides);
        srad_update(J, C, sides);
    }
    reference_close();
}

/* ---- lud ------------------------------------------------------------------- */

enum { LUD_N = 96 };
static int lud_b; /* the edge of a tile */

static void lud_diagonal(struct array *m, int o)
{
    for (int k = o; k < o + lud_b; k++)
        for (int i = k + 1; i < o + lud_b; i++) {
            double factor = LOAD(m, i * LUD_N + k) / LOAD(m, k * LUD_N + k);
            STORE(m, i * LUD_N + k, factor);
            for (int j = k + 1; j < o + lud_b; j++)
                STORE(m, i * LUD_N + j, LOAD(m, i * LUD_N + j) - factor * LOAD(m, k * LUD_N + j));
        }
    reference_launch("lud_diagonal", SAME_SETS);
}

static void lud_perimeter(struct array *m, int o)
{
    for (int c = o + lud_b; c < LUD_N; c++) /* L * U = rows */
        for (int k = o; k < o + lud_b; k++)
            for (int i = k + 1; i < o + lud_b; i++)
                STORE(m, i * LUD_N + c,
                      LOAD(m, i * LUD_N + c) - LOAD(m, i * LUD_N + k) * LOAD(m, k * LUD_N + c));
    for (int r = o + lud_b; r < LUD_N; r++) /* L * U = columns */
        for (int k = o; k < o + lud_b; k++) {
            double factor = LOAD(m, r * LUD_N + k) / LOAD(m, k * LUD_N + k);
            STORE(m, r * LUD_N + k, factor);
            for (int j = k + 1; j < o + lud_b; j++)
                STORE(m, r * LUD_N + j, LOAD(m, r * LUD_N + j) - factor * LOAD(m, k * LUD_N + j));
        }
    reference_launch("lud_perimeter", SAME_SETS);
}

static void lud_internal(struct array *m, int o)
{
    for (int r = o + lud_b; r < LUD_N; r++)
        for (int c = o + lud_b; c < LUD_N; c++) {
            double sum = 0;
            for (int k = o; k < o + lud_b; k++)
                sum += LOAD(m, r * LUD_N + k) * LOAD(m, k * LUD_N + c);
            STORE(m, r * LUD_N + c, LOAD(m, r * LUD_N + c) - sum);
        }
    reference_launch("lud_internal", SAME_SETS);
}

static void check_lud(const char *spec, int tile)
{
    static double before[LUD_N * LUD_N];
    lud_b = tile;
    reference_open(spec);
    struct array *m = reference_array("m", 4);
    for (int i = 0; i < LUD_N; i++)
        m->values[i * LUD_N + i] += 1000;
    memcpy(before, m->values, sizeof before);
    for (int o = 0; o < LUD_N - lud_b; o += lud_b) {
        lud_diagonal(m, o);
        lud_perimeter(m, o);
        lud_internal(m, o);
    }
    lud_diagonal(m, LUD_N - lud_b);
    for (int i = 0; i < LUD_N; i++)
        for (int j = 0; j < LUD_N; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += (k == i ? 1 : m->values[i * LUD_N + k]) * m->values[k * LUD_N + j];
            check_relative(sum, before[i * LUD_N + j], 1e-9);
        }
    reference_close();
}

TEST(test_lud)
{
    check_lud("lud:n=96,tile=16", 16);
    check_lud("lud:n=96,tile=24", 24);
}

/* ---- backprop ---------------------------------------------------------------- */

TEST(test_backprop)
{
    enum { N = 96, HIDDEN = 16, ROW = HIDDEN + 1 };
    reference_open("backprop:n=96");
    struct array *input = reference_array("input", 4), *w = reference_array("weights", 4),
                 *partial = reference_array("partial", 4), *delta = reference_array("delta", 4),
                 *changes = reference_array("changes", 4);
    for (int b = 0; b < N / 16; b++) {
        double sums[HIDDEN] = {0};
        for (int i = 16 * b + 1; i <= 16 * b + 16; i++) {
            double x = LOAD(input, i);
            for (int j = 1; j <= HIDDEN; j++)
                sums[j - 1] += STORE(w, i * ROW + j, x * LOAD(w, i * ROW + j));
        }
        for (int j = 0; j < HIDDEN; j++)
            STORE(partial, b * HIDDEN + j, sums[j]);
    }
    reference_launch("bpnn_layerforward_CUDA", SAME_COUNTS);
    for (int i = 0; i <= N; i++) /* row 0: the bias, by the threads of row 1 */
        for (int j = 1; j <= HIDDEN; j++) {
            double change = i ? LOAD(delta, j) * LOAD(input, i) : delta->values[j];
            change = 0.3 * change + 0.3 * LOAD(changes, i * ROW + j);
            STORE(w, i * ROW + j, LOAD(w, i * ROW + j) + change);
            STORE(changes, i * ROW + j, change);
        }
    reference_launch("bpnn_adjust_weights_cuda", SAME_COUNTS);
    reference_close();
}

/* ---- nw ---------------------------------------------------------------------- */

enum { NW_N = 80, NW_ROW = NW_N + 1, NW_TILES = NW_N / 16 };

static double best(double northwest, double west, double north, double reward)
{
    return fmax(northwest + reward, fmax(west, north) - 10);
}

/* A tile is filled in a buffer of its own. */
static void nw_tile(struct array *reward, struct array *score, int x, int y)
{
    double t[17][17];
    for (int i = 0; i < 17; i++)
        t[i][0] = LOAD(score, (y + i) * NW_ROW + x);
    for (int j = 1; j < 17; j++)
        t[0][j] = LOAD(score, y * NW_ROW + x + j);
    for (int i = 1; i < 17; i++)
        for (int j = 1; j < 17; j++) {
            int at = (y + i) * NW_ROW + x + j;
            t[i][j] = best(t[i - 1][j - 1], t[i][j - 1], t[i - 1][j], LOAD(reward, at));
            STORE(score, at, t[i][j]);
        }
}

TEST(test_nw)
{
    static double plain[NW_ROW * NW_ROW];
    reference_open("nw:n=80");
    struct array *reward = reference_array("reference", 4), *score = reference_array("score", 4);
    memcpy(plain, score->values, sizeof plain);
    for (int i = 1; i < NW_ROW; i++)
        for (int j = 1; j < NW_ROW; j++)
            plain[i * NW_ROW + j] =
                best(plain[(i - 1) * NW_ROW + j - 1], plain[i * NW_ROW + j - 1],
                     plain[(i - 1) * NW_ROW + j], reward->values[i * NW_ROW + j]);
    for (int d = 0; d < 2 * NW_TILES - 1; d++) {
        for (int x = 0; x < NW_TILES; x++)
            if (d - x >= 0 && d - x < NW_TILES)
                nw_tile(reward, score, 16 * x, 16 * (d - x));
        reference_launch(d < NW_TILES ? "needle_cuda_shared_1" : "needle_cuda_shared_2",
                         SAME_COUNTS);
    }
    for (int i = 0; i < NW_ROW * NW_ROW; i++)
        check_relative(score->values[i], plain[i], 1e-12);
    reference_close();
}

/* ---- lavamd ------------------------------------------------------------------ */

enum { LAVA_BOXES = 3, LAVA_WORDS = 164, LAVA_THREADS = 128, LAVA_PARTICLES = 100 };

/* Records as the host writes them: offset in word 4, number of neighbours in
 * word 6, neighbours from word 8, six words each, their number in the fourth. */
static void lavamd_records(struct array *box)
{
    for (int b = 0; b < LAVA_BOXES * LAVA_BOXES * LAVA_BOXES; b++) {
        double *record = &box->values[b * LAVA_WORDS];
        int count = 0;
        record[4] = b * LAVA_PARTICLES;
        for (int d = 0; d < 27; d++) {
            int x = b % LAVA_BOXES + d % 3 - 1, y = b / LAVA_BOXES % LAVA_BOXES + d / 3 % 3 - 1,
                z = b / LAVA_BOXES / LAVA_BOXES + d / 9 - 1;
            if (d == 13 || clamp(x, LAVA_BOXES) != x || clamp(y, LAVA_BOXES) != y ||
                clamp(z, LAVA_BOXES) != z)
                continue;
            record[8 + 6 * count++ + 3] = (z * LAVA_BOXES + y) * LAVA_BOXES + x;
        }
        record[6] = count;
    }
}

static void lavamd_particle(struct array *position, struct array *charge, struct array *force,
                            int64_t own, int64_t other)
{
    double q = LOAD(charge, other);
    for (int d = 0; d < 4; d++) {
        double r = LOAD(position, 4 * other + d);
        STORE(force, 4 * own + d, LOAD(force, 4 * own + d) + q * r);
    }
}

TEST(test_lavamd)
{
    reference_open("lavamd:boxes=3");
    struct array *box = reference_array("box", 4), *position = reference_array("position", 8),
                 *charge = reference_array("charge", 8), *force = reference_array("force", 8);
    lavamd_records(box);
    for (int b = 0; b < LAVA_BOXES * LAVA_BOXES * LAVA_BOXES; b++)
        for (int t = 0; t < LAVA_THREADS; t++) {
            int64_t own = (int64_t)LOAD(box, b * LAVA_WORDS + 4) + t;
            for (int d = 0; d < 4 && t < LAVA_PARTICLES; d++)
                (void)LOAD(position, 4 * own + d);
            int neighbours = (int)LOAD(box, b * LAVA_WORDS + 6);
            for (int k = 0; k <= neighbours; k++) {
                int other = b;
                if (k > 0)
                    other = (int)LOAD(box, b * LAVA_WORDS + 8 + 6 * (k - 1) + 3);
                int64_t first = (int64_t)LOAD(box, other * LAVA_WORDS + 4);
                if (t < LAVA_PARTICLES)
                    lavamd_particle(position, charge, force, own, first + t);
            }
        }
    reference_launch("kernel_gpu_cuda", SAME_COUNTS);
    reference_close();
}

/* ---- kmeans, streamcluster --------------------------------------------------- */

TEST(test_kmeans)
{
    enum { POINTS = 1000, FEATURES = 5, CLUSTERS = 3, ITERATIONS = 2 };
    reference_open("kmeans:points=1000,features=5,clusters=3,iterations=2");
    struct array *rows = reference_array("rows", 4), *columns = reference_array("columns", 4),
                 *membership = reference_array("membership", 4);
    for (int p = 0; p < POINTS; p++)
        for (int f = 0; f < FEATURES; f++)
            STORE(columns, f * POINTS + p, LOAD(rows, p * FEATURES + f));
    reference_launch("invert_mapping", SAME_COUNTS);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (int p = 0; p < POINTS; p++) {
            double least = 1e300;
            int nearest = 0;
            for (int c = 0; c < CLUSTERS; c++) {
                double distance = 0;
                for (int f = 0; f < FEATURES; f++)
                    distance += pow(LOAD(columns, f * POINTS + p) - 3 * c, 2);
                nearest = distance < least ? c : nearest;
                least = fmin(least, distance);
            }
            STORE(membership, p, nearest);
        }
        reference_launch("kmeansPoint", SAME_COUNTS);
    }
    reference_close();
}

TEST(test_streamcluster)
{
    enum { POINTS = 1100, DIMS = 6, K = 7, CALLS = 3 };
    reference_open("streamcluster:points=1100,dims=6,k=7,calls=3");
    struct array *point = reference_array("point", 4), *table = reference_array("centre_table", 4),
                 *coordinate = reference_array("coordinate", 4), *sums = reference_array("sums", 4);
    reference_array("switch", 1);
    for (int p = 0; p < POINTS; p++) {
        point->values[8 * p + 4] = p % K; /* the point that is its centre */
        point->values[8 * p + 6] = 0;     /* nobody changes over */
        table->values[p] = p;
    }
    for (int call = 0; call < CALLS; call++) {
        for (int p = 0; p < POINTS; p++) {
            double distance = 0;
            for (int d = 0; d < DIMS; d++)
                distance += pow(LOAD(coordinate, d * POINTS + p) -
                                    LOAD(coordinate, d * POINTS + POINTS / CALLS * call),
                                2);
            double more = distance * LOAD(point, 8 * p) - LOAD(point, 8 * p + 6);
            assert_true(more >= 0);
            int centre = (int)LOAD(table, (int)LOAD(point, 8 * p + 4));
            STORE(sums, p * (K + 1) + centre, LOAD(sums, p * (K + 1) + centre) - more);
        }
        reference_launch("kernel_compute_cost", SAME_COUNTS);
    }
    reference_close();
}

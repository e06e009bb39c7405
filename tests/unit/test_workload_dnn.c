/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks and proxies against plain C executions of their layers, launch by launch. */
#include "workload_reference.h"

/* Of a batch of square maps: [image][map][row][col]. */
static int64_t at(int64_t image, int64_t maps, int64_t map, int64_t side, int64_t row, int64_t col)
{
    return ((image * maps + map) * side + row) * side + col;
}

/* out[map](row, col) over the maps from..from+n of `in`; weights [map][n][k][k]; padding is
 * skipped. */
struct convolution {
    struct array *in, *weights, *out;
    int64_t in_maps, in_side, from, n, kernel, pad, stride, out_maps, out_side, image;
    int64_t in_at, out_at; /* where the maps begin */
};

static void convolve(const struct convolution *c, int64_t map, int64_t out_map)
{
    for (int64_t row = 0; row < c->out_side; row++)
        for (int64_t col = 0; col < c->out_side; col++) {
            double sum = 0;
            for (int64_t q = 0; q < c->n; q++)
                for (int64_t i = 0; i < c->kernel; i++)
                    for (int64_t j = 0; j < c->kernel; j++) {
                        int64_t y = row * c->stride + i - c->pad, x = col * c->stride + j - c->pad;
                        if (y < 0 || x < 0 || y >= c->in_side || x >= c->in_side)
                            continue;
                        sum += LOAD(c->in, c->in_at + at(c->image, c->in_maps, c->from + q,
                                                         c->in_side, y, x)) *
                               LOAD(c->weights, ((map * c->n + q) * c->kernel + i) * c->kernel + j);
                    }
            STORE(c->out, c->out_at + at(c->image, c->out_maps, out_map, c->out_side, row, col),
                  sum);
        }
}

/* 3 x 3, every other one, of the maps of an image; clipped at the far edges. */
static void pool(struct array *in, int64_t in_side, struct array *out, int64_t out_side,
                 int64_t maps, int64_t image, int64_t pad)
{
    for (int64_t map = 0; map < maps; map++)
        for (int64_t row = 0; row < out_side; row++)
            for (int64_t col = 0; col < out_side; col++) {
                double most = 0;
                for (int64_t y = 2 * row - pad; y < 2 * row - pad + 3; y++)
                    for (int64_t x = 2 * col - pad; x < 2 * col - pad + 3; x++)
                        if (y >= 0 && x >= 0 && y < in_side && x < in_side)
                            most = fmax(most, LOAD(in, at(image, maps, map, in_side, y, x)));
                STORE(out, at(image, maps, map, out_side, row, col), most);
            }
}

/* ---- alexnet ---------------------------------------------------------------- */

static void load_bias(struct array *bias, int64_t layer, int64_t from, int64_t maps, int64_t times)
{
    for (int64_t map = from; map < from + maps; map++)
        for (int64_t i = 0; i < times; i++)
            (void)LOAD(bias, layer * 4096 + map);
}

static void normalise(struct array *in, struct array *out, int64_t side, int64_t maps,
                      int64_t images)
{
    for (int64_t image = 0; image < images; image++)
        for (int64_t map = 0; map < maps; map++)
            for (int64_t row = 0; row < side; row++)
                for (int64_t col = 0; col < side; col++) {
                    double sum = 0;
                    for (int64_t q = map - 3; q <= map; q++)
                        if (q >= 0 && q < maps - 1)
                            sum += LOAD(in, at(image, maps, q, side, row, col));
                    STORE(out, at(image, maps, map, side, row, col),
                          LOAD(in, at(image, maps, map, side, row, col)) / sum);
                }
}

/* Two images of 51 x 51: maps of 11, 5 and 2. */
TEST(test_alexnet)
{
    enum { SIDE = 51, S1 = 11, S2 = 5, S3 = 2, S6 = 1, N = 2 };
    reference_open("alexnet:side=51,images=2");
    struct array *image = reference_array("image", 4), *w1 = reference_array("weights1", 4),
                 *conv1 = reference_array("conv1", 4), *norm1 = reference_array("norm1", 4),
                 *pool1 = reference_array("pool1", 4), *w2 = reference_array("weights2", 4),
                 *conv2 = reference_array("conv2", 4), *norm2 = reference_array("norm2", 4),
                 *pool2 = reference_array("pool2", 4), *w3 = reference_array("weights3", 4),
                 *conv3 = reference_array("conv3", 4), *w4 = reference_array("weights4", 4),
                 *conv4 = reference_array("conv4", 4), *w5 = reference_array("weights5", 4),
                 *conv5 = reference_array("conv5", 4), *pool5 = reference_array("pool5", 4),
                 *bias = reference_array("bias", 4);
    for (int64_t n = 0; n < N; n++)
        for (int64_t map = 0; map < 96; map++)
            for (int64_t row = 0; row < S1; row++)
                for (int64_t col = 0; col < S1; col++) {
                    double sum = LOAD(bias, map);
                    for (int64_t i = 0; i < 11; i++)
                        for (int64_t j = 0; j < 11; j++)
                            for (int64_t c = 0; c < 3; c++)
                                sum +=
                                    LOAD(image,
                                         ((n * SIDE + row * 4 + i) * SIDE + col * 4 + j) * 3 + c) *
                                    LOAD(w1, ((map * 3 + c) * 11 + i) * 11 + j);
                    STORE(conv1, at(n, 96, map, S1, row, col), sum);
                }
    reference_launch("executeFirstLayer", SAME_COUNTS);
    normalise(conv1, norm1, S1, 96, N);
    reference_launch("executelrnNormCuda_split", SAME_COUNTS);
    for (int64_t n = 0; n < N; n++)
        pool(norm1, S1, pool1, S2, 96, n, 0);
    reference_launch("executepoolingCuda", SAME_COUNTS);
    const struct {
        struct array *in, *weights, *out;
        int64_t maps, out_maps, side, kernel, groups, layer;
    } layers[] = {{pool1, w2, conv2, 96, 256, S2, 5, 2, 1},
                  {pool2, w3, conv3, 256, 384, S3, 3, 1, 2},
                  {conv3, w4, conv4, 384, 384, S3, 3, 2, 3},
                  {conv4, w5, conv5, 384, 256, S3, 3, 2, 4}};
    for (int l = 0; l < 4; l++) {
        int64_t side = layers[l].side, groups = layers[l].groups;
        for (int64_t g = 0; g < groups; g++) {
            int64_t n_in = layers[l].maps / groups, n_out = layers[l].out_maps / groups;
            for (int64_t n = 0; n < N; n++)
                for (int64_t map = g * n_out; map < (g + 1) * n_out; map++)
                    convolve(&(struct convolution){layers[l].in, layers[l].weights, layers[l].out,
                                                   layers[l].maps, side, g * n_in, n_in,
                                                   layers[l].kernel, layers[l].kernel / 2, 1,
                                                   layers[l].out_maps, side, n},
                             map, map);
            load_bias(bias, layers[l].layer, g * n_out, n_out, N * side * side);
            reference_launch("execute3DconvolutionCuda", SAME_COUNTS);
        }
        if (l == 0) {
            normalise(conv2, norm2, S2, 256, N);
            reference_launch("executelrnNormCuda", SAME_COUNTS);
            for (int64_t n = 0; n < N; n++)
                pool(norm2, S2, pool2, S3, 256, n, 0);
            reference_launch("executepoolingCuda", SAME_COUNTS);
        }
    }
    for (int64_t n = 0; n < N; n++)
        pool(conv5, S3, pool5, S6, 256, n, 0);
    reference_launch("executepoolingCuda", SAME_COUNTS);
    reference_close();
}

/* ---- resnet ----------------------------------------------------------------- */

/* Some maps of an array, from element `at` on. */
struct maps {
    struct array *of;
    int64_t at;
};

struct resnet {
    struct array *image, *w1, *wa, *wa1, *wb, *wc, *mean, *variance, *scale, *bias;
    struct maps conv1, in, out, sums, a, b, c, c2;
};

/* Batch normalisation, scale and, where wanted, ReLU, a launch each, in place. */
static void norm_layers(const struct resnet *r, struct maps maps, int64_t n, int64_t side,
                        bool relu)
{
    for (int64_t i = 0; i < n * side * side; i++)
        STORE(maps.of, maps.at + i,
              (LOAD(maps.of, maps.at + i) - LOAD(r->mean, i / side / side)) /
                  LOAD(r->variance, i / side / side));
    reference_launch("executeBnNormLayerCUDA", SAME_COUNTS);
    for (int64_t i = 0; i < n * side * side; i++)
        STORE(maps.of, maps.at + i,
              LOAD(maps.of, maps.at + i) * LOAD(r->scale, i / side / side) +
                  LOAD(r->bias, i / side / side));
    reference_launch("executeScaleLayerCUDA", SAME_COUNTS);
    for (int64_t i = 0; relu && i < n * side * side; i++)
        STORE(maps.of, maps.at + i, fmax(LOAD(maps.of, maps.at + i), 0));
    if (relu)
        reference_launch("executeReLULayerCUDA", SAME_COUNTS);
}

static void layer(const struct resnet *r, struct maps in, struct array *weights, struct maps out,
                  int64_t in_maps, int64_t in_side, int64_t maps, int64_t side, int64_t kernel,
                  bool relu)
{
    struct convolution c = {in.of, weights, out.of, in_maps,    in_side,
                            0,     in_maps, kernel, kernel / 2, in_side == side ? 1 : 2,
                            maps,  side,    0,      in.at,      out.at};
    for (int64_t map = 0; map < maps; map++)
        convolve(&c, map, map);
    reference_launch("execute3DconvolutionCuda", SAME_COUNTS);
    norm_layers(r, out, maps, side, relu);
}

/* A stage of bottleneck blocks. The second stage adds in place of its shortcut, others beside it;
 * the last block of each adds in c, which comes into the next one. Block 1 of stage 3 has maps of
 * its own for what it adds. */
static void stage(struct resnet *r, int s, int64_t in_maps, int64_t in_side, int64_t c,
                  int64_t side, int blocks)
{
    const int64_t n = 4 * c * side * side;
    for (int block = 0; block < blocks; block++) {
        struct maps sums = s == 2 ? r->out : r->sums, left = block ? sums : r->out,
                    right = s == 3 && block == 1 ? r->c2 : r->c,
                    to = block == blocks - 1 ? r->c : sums;
        if (block == 0) {
            layer(r, r->in, r->wc, r->out, in_maps, in_side, 4 * c, side, 1, false);
            layer(r, r->in, r->wa, r->a, in_maps, in_side, c, side, 1, true);
        } else {
            layer(r, left, s == 2 ? r->wc : r->wa1, r->a, 4 * c, side, c, side, 1, true);
        }
        layer(r, r->a, r->wb, r->b, c, side, c, side, 3, true);
        layer(r, r->b, r->wc, right, c, side, 4 * c, side, 1, false);
        for (int64_t i = 0; i < n; i++)
            STORE(to.of, to.at + i, LOAD(left.of, left.at + i) + LOAD(right.of, right.at + i));
        reference_launch("executeEltWiseLayerCUDA", SAME_COUNTS);
        for (int64_t i = 0; i < n; i++)
            STORE(to.of, to.at + i, fmax(LOAD(to.of, to.at + i), 0));
        reference_launch("executeReLULayerCUDA", SAME_COUNTS);
    }
    r->in = r->c;
    r->out.at += n;
    r->a.at += n / 4;
    r->b.at += n / 4;
    r->c.at += n;
}

/* An image of 9 x 9: maps of 5, 3 and, in stage 3, 2. */
TEST(test_resnet)
{
    enum { SIDE = 9, S1 = 5, S2 = 3 };
    reference_open("resnet:side=9,stages=3");
    struct array *maps = reference_array("maps", 4);
    struct resnet r = {.image = reference_array("image", 4),
                       .w1 = reference_array("weights1", 4),
                       .wa = reference_array("weights_a", 4),
                       .wa1 = reference_array("weights_a1", 4),
                       .wb = reference_array("weights_b", 4),
                       .wc = reference_array("weights_c", 4),
                       .mean = reference_array("mean", 4),
                       .variance = reference_array("variance", 4),
                       .scale = reference_array("scale", 4),
                       .bias = reference_array("bias", 4),
                       .conv1 = {reference_array("conv1", 4), 0},
                       .in = {maps, 0},
                       .out = {maps, (int64_t)64 * S2 * S2},
                       .a = {reference_array("a", 4), 0},
                       .b = {reference_array("b", 4), 0},
                       .c = {reference_array("c", 4), 0},
                       .c2 = {reference_array("c2", 4), 0},
                       .sums = {reference_array("sums", 4), 0}};
    for (int64_t map = 0; map < 64; map++)
        for (int64_t row = 0; row < S1; row++)
            for (int64_t col = 0; col < S1; col++) {
                double sum = 0;
                for (int64_t i = 0; i < 7; i++)
                    for (int64_t j = 0; j < 7; j++)
                        for (int64_t c = 0; c < 3; c++) {
                            int64_t y = 2 * row + i - 3, x = 2 * col + j - 3;
                            if (y >= 0 && x >= 0 && y < SIDE && x < SIDE)
                                sum += LOAD(r.image, (y * SIDE + x) * 3 + c) *
                                       LOAD(r.w1, ((map * 3 + c) * 7 + i) * 7 + j);
                        }
                STORE(r.conv1.of, at(0, 64, map, S1, row, col), sum);
            }
    reference_launch("executeFirstLayerCUDA", SAME_COUNTS);
    norm_layers(&r, r.conv1, 64, S1, true);
    pool(r.conv1.of, S1, maps, S2, 64, 0, 1);
    reference_launch("executepoolingCuda", SAME_COUNTS);
    stage(&r, 2, 64, S2, 64, S2, 3);
    stage(&r, 3, 256, S2, 128, 2, 4);
    reference_close();
}

/* ---- squeezenet ------------------------------------------------------------- */

/* The whole network for an image of 39 x 39: maps of 17, 8, 3 and 1. */
TEST(test_squeezenet)
{
    enum { SIDE = 39, S1 = 17 };
    static const int64_t sides[] = {0, 0, 8, 8, 8, 3, 3, 3, 3, 1};
    reference_open("squeezenet:side=39,end=30");
    struct array *planes[] = {reference_array("red", 4), reference_array("green", 4),
                              reference_array("blue", 4)};
    struct array *w1 = reference_array("weights1", 8), *conv1 = reference_array("conv1", 8),
                 *pooled = reference_array("pool", 8), *squeezed = reference_array("squeezed", 8),
                 *x = reference_array("x", 8), *y = reference_array("y", 8),
                 *ws = reference_array("weights_squeeze", 8),
                 *wo = reference_array("weights_one", 8), *wt = reference_array("weights_three", 8),
                 *w10 = reference_array("weights10", 8), *conv10 = reference_array("conv10", 8),
                 *classes = reference_array("classes", 8);
    for (int64_t map = 0; map < 96; map++)
        for (int64_t row = 0; row < S1; row++)
            for (int64_t col = 0; col < S1; col++) {
                double sum = 0;
                for (int64_t i = 0; i < 7; i++)
                    for (int64_t j = 0; j < 7; j++)
                        for (int c = 0; c < 3; c++)
                            sum += LOAD(planes[c], (2 * row + i) * SIDE + 2 * col + j) *
                                   LOAD(w1, ((map * 3 + c) * 7 + i) * 7 + j);
                STORE(conv1, at(0, 96, map, S1, row, col), sum);
            }
    reference_launch("ExecuteFirstLayer", SAME_COUNTS);
    pool(conv1, S1, pooled, 8, 96, 0, 0);
    reference_launch("pooling1", SAME_COUNTS);
    for (int64_t k = 2, maps = 96; k <= 9; k++) {
        int64_t side = sides[k], s = 16 * (k / 2);
        struct array *in = k == 2 ? pooled : x;
        if (sides[k - 1] && sides[k - 1] != side) {
            pool(x, sides[k - 1], pooled, side, maps, 0, 0);
            reference_launch("Executepooling", SAME_COUNTS);
            in = pooled;
        }
        struct convolution squeeze = {in, ws, squeezed, maps, side, 0, maps, 1, 0, 1, s, side, 0};
        for (int64_t map = 0; map < s; map++)
            convolve(&squeeze, map, map);
        reference_launch("Executefiresqueeze1x1", SAME_COUNTS);
        struct convolution expand = {squeezed, wo, y, s, side, 0, s, 1, 0, 1, 8 * s, side, 0};
        for (int64_t map = 0; map < 4 * s; map++)
            convolve(&expand, map, map);
        reference_launch("Executefireexpand1x1", SAME_COUNTS);
        expand.weights = wt;
        expand.kernel = 3;
        expand.pad = 1;
        for (int64_t map = 0; map < 4 * s; map++)
            convolve(&expand, map, 4 * s + map);
        reference_launch("Executefireexpand3x3", SAME_COUNTS);
        struct array *old = x;
        x = y;
        y = old;
        maps = 8 * s;
    }
    for (int64_t map = 0; map < 1000; map++) { /* in the middle of 3 x 3 */
        double sum = 0;
        for (int64_t q = 0; q < 512; q++)
            sum += LOAD(x, q) * LOAD(w10, map * 512 + q);
        STORE(conv10, map * 9 + 4, sum);
    }
    reference_launch("ExecuteTenthLayer", SAME_COUNTS);
    for (int64_t map = 0; map < 1000; map++) {
        double sum = 0;
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 4; j++)
                sum += LOAD(conv10, map * 9 + i * 3 + j);
        STORE(classes, map, sum);
    }
    reference_launch("global_pooling", SAME_COUNTS);
    reference_close();
}

/* ---- gru, nn, proxies ------------------------------------------------------- */

/* The cell of Cho et al.: z and r from input and state, a candidate from input and gated
 * state, and a mixture of both. */
TEST(test_gru)
{
    enum { UNITS = 20, INPUTS = 7, SEQUENCES = 3, STEPS = 2 };
    reference_open("gru:units=20,inputs=7,sequences=3,steps=2,across=5");
    struct array *x = reference_array("x", 4), *h = reference_array("states", 4),
                 *kh = reference_array("kernel_h", 4), *kr = reference_array("kernel_r", 4),
                 *kz = reference_array("kernel_z", 4), *bh = reference_array("bias_h", 4),
                 *br = reference_array("bias_r", 4), *bz = reference_array("bias_z", 4),
                 *rh = reference_array("recurrent_h", 4), *rr = reference_array("recurrent_r", 4),
                 *rz = reference_array("recurrent_z", 4);
    for (int step = 0; step < STEPS; step++) {
        for (int s = 0; s < SEQUENCES; s++) {
            double r[UNITS], z[UNITS], next[UNITS];
            for (int u = 0; u < UNITS; u++) {
                double sum_r = LOAD(br, u), sum_z = LOAD(bz, u);
                for (int i = 0; i < UNITS; i++) {
                    double value = LOAD(h, s * UNITS + i);
                    sum_r += value * LOAD(rr, i * UNITS + u);
                    sum_z += value * LOAD(rz, i * UNITS + u);
                }
                for (int i = 0; i < INPUTS; i++) {
                    double value = LOAD(x, (s * STEPS + step) * INPUTS + i);
                    sum_r += value * LOAD(kr, i * UNITS + u);
                    sum_z += value * LOAD(kz, i * UNITS + u);
                }
                r[u] = 1 / (1 + exp(-sum_r));
                z[u] = 1 / (1 + exp(-sum_z));
            }
            for (int u = 0; u < UNITS; u++) {
                double sum = LOAD(bh, u);
                for (int i = 0; i < UNITS; i++)
                    sum += r[i] * LOAD(h, s * UNITS + i) * LOAD(rh, i * UNITS + u);
                for (int i = 0; i < INPUTS; i++)
                    sum += LOAD(x, (s * STEPS + step) * INPUTS + i) * LOAD(kh, i * UNITS + u);
                next[u] = (1 - z[u]) * LOAD(h, s * UNITS + u) + z[u] * tanh(sum);
            }
            for (int u = 0; u < UNITS; u++)
                STORE(h, s * UNITS + u, next[u]);
        }
        reference_launch("GPU_forward_pass_gru", SAME_COUNTS);
    }
    reference_close();
}

enum { NN_WIDTH = 70, NN_LAYERS = 3, NN_SAMPLES = 21 };

/* Outputs `from` to `to` of a sample. */
static void nn_neurons(struct array *weights, struct array *bias, struct array *neurons, int layer,
                       int sample, int from, int to)
{
    for (int j = from; j < to && j < NN_WIDTH; j++) {
        double sum = LOAD(bias, layer * NN_WIDTH + j);
        for (int i = 0; i < NN_WIDTH; i++)
            sum += LOAD(neurons, (layer * NN_SAMPLES + sample) * NN_WIDTH + i) *
                   LOAD(weights, (layer * NN_WIDTH + i) * NN_WIDTH + j);
        STORE(neurons, ((layer + 1) * NN_SAMPLES + sample) * NN_WIDTH + j, sum);
    }
}

/* The plain loop, and tiles of 32 neurons of 16 samples: neither is a multiple. */
TEST(test_nn)
{
    for (int tiles = 0; tiles < 2; tiles++) {
        reference_open(tiles ? "nn:width=70,layers=3,samples=21"
                             : "nn:width=70,layers=3,samples=21,tiles=0,block=16");
        struct array *weights = reference_array("weights", 4), *bias = reference_array("bias", 4),
                     *neurons = reference_array("neurons", 4);
        for (int l = 0; l < NN_LAYERS; l++) {
            if (!tiles) {
                for (int s = 0; s < NN_SAMPLES; s++)
                    nn_neurons(weights, bias, neurons, l, s, 0, NN_WIDTH);
                reference_launch("executeFCLayer", SAME_COUNTS);
                continue;
            }
            reference_begin("fully_connected");
            for (int tile = 0; tile < 2 * 3; tile++) {
                for (int s = tile / 3 * 16; s < tile / 3 * 16 + 16 && s < NN_SAMPLES; s++)
                    nn_neurons(weights, bias, neurons, l, s, tile % 3 * 32, tile % 3 * 32 + 32);
                reference_block(SAME_SETS);
            }
        }
        reference_close();
    }
}

/* A tile loads each output and each weight that it needs once: of the 2 x 3 blocks, 3 read
 * each output, 2 each weight. */
TEST(test_nn_tiles)
{
    enum { PRODUCTS = NN_SAMPLES * NN_WIDTH * 3 + NN_WIDTH * NN_WIDTH * 2 };
    struct trace_items all;
    uint64_t lanes = 0, sums = 0;
    OWNED(source) *source = check_source("nn:width=70,layers=1,samples=21");
    check_ok(trace_read(source, false, &all, &failure));
    for (size_t i = 0; i < all.accesses.count; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        *(item->access.kind == ACCESS_WRITE ? &sums : &lanes) += (uint64_t)item->lanes;
    }
    assert_int_equal(sums, NN_SAMPLES * NN_WIDTH);
    assert_int_equal(lanes, PRODUCTS + NN_SAMPLES * NN_WIDTH); /* and a bias a sum */
    trace_items_free(&all);
}

TEST(test_nn_conv)
{
    enum { IMAGES = 2, MAPS = 3, SIDE = 35 };
    reference_open("nn-conv:images=2,maps=3,side=35");
    struct array *x = reference_array("x", 4), *weights = reference_array("weights", 4),
                 *bias = reference_array("bias", 4), *y = reference_array("y", 4);
    for (int64_t image = 0; image < IMAGES; image++)
        for (int64_t map = 0; map < MAPS; map++) {
            convolve(&(struct convolution){x, weights, y, MAPS, SIDE, 0, MAPS, 3, 1, 1, MAPS, SIDE,
                                           image},
                     map, map);
            for (int i = 0; i < SIDE * SIDE; i++)
                (void)LOAD(bias, map);
        }
    reference_launch("convolution", SAME_COUNTS);
    reference_close();
}

static void dot(struct array *sums, int n, struct array *a, struct array *b, struct array *c)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += LOAD(a, i) * LOAD(b, i) * LOAD(c, i);
        if (i % 256 == 0)
            STORE(sums, i / 256, sum);
    }
    reference_launch("glsc3", SAME_COUNTS);
}

/* to = to + factor * from, or factor * to + from. */
static void update(const char *kernel, int n, struct array *to, struct array *from)
{
    for (int i = 0; i < n; i++)
        STORE(to, i, 0.5 * LOAD(to, i) + LOAD(from, i));
    reference_launch(kernel, SAME_COUNTS);
}

TEST(test_nekbone)
{
    enum { N = 5, ELEMENTS = 3, POINTS = ELEMENTS * N * N * N, ITERATIONS = 2 };
    reference_open("nekbone:n=5,elements=3,iterations=2");
    struct array *d = reference_array("d", 8), *g = reference_array("g", 8),
                 *x = reference_array("x", 8), *r = reference_array("r", 8),
                 *p = reference_array("p", 8), *w = reference_array("w", 8),
                 *z = reference_array("z", 8), *c = reference_array("c", 8),
                 *sums = reference_array("sums", 8);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (int i = 0; i < POINTS; i++)
            STORE(z, i, LOAD(r, i));
        reference_launch("solveM", SAME_COUNTS);
        dot(sums, POINTS, r, c, z);
        update("add2s1", POINTS, p, z);
        for (int e = 0; e < ELEMENTS; e++) {
            for (int i = 0; i < N * N; i++)
                (void)LOAD(d, i);
            for (int i = 0; i < N * N * N; i++) {
                double sum = LOAD(p, e * N * N * N + i);
                for (int q = 0; q < 6; q++)
                    sum += LOAD(g, (e * 6 + q) * N * N * N + i);
                STORE(w, e * N * N * N + i, sum);
            }
        }
        reference_launch("ax", SAME_COUNTS);
        dot(sums, POINTS, w, c, p);
        update("add2s2", POINTS, x, p);
        update("add2s2", POINTS, r, w);
        dot(sums, POINTS, r, c, r);
    }
    reference_close();
}

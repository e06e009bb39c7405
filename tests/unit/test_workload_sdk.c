/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of the CUDA SDK, SHOC, the AMD APP SDK and Hetero-Mark against
 * plain C executions of their algorithms. Where each launch touches everything
 * once, whatever the order, the stream itself is executed: it must sort,
 * transform and transpose. */
#include "workload_reference.h"

TEST(test_matrixmul)
{
    enum { M = 64, N = 96, K = 160 };
    reference_open("matrixmul:m=64,n=96,k=160");
    struct array *A = reference_array("A", 4), *B = reference_array("B", 4),
                 *C = reference_array("C", 4);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += LOAD(A, i * K + k) * LOAD(B, k * N + j);
            STORE(C, i * N + j, sum);
        }
    reference_launch("matrixMulCUDA", SAME_SETS);
    reference_close();
}

/* A block's pixels, x0 <= x < x1 and y0 <= y < y1, from what it has staged. */
struct tile {
    int x0, x1, y0, y1;
};

enum { IMAGE_W = 384, IMAGE_H = 128, RADIUS = 8 };

static void stage(struct array *image, const struct tile *t, int margin_x, int margin_y)
{
    for (int y = t->y0 - margin_y; y < t->y1 + margin_y; y++)
        for (int x = t->x0 - margin_x; x < t->x1 + margin_x; x++)
            if (x >= 0 && x < IMAGE_W && y >= 0 && y < IMAGE_H)
                (void)LOAD(image, y * IMAGE_W + x);
}

static void convolve(struct array *from, struct array *to, const struct tile *t, int dx, int dy)
{
    for (int y = t->y0; y < t->y1; y++)
        for (int x = t->x0; x < t->x1; x++) {
            double sum = 0;
            for (int d = -RADIUS; d <= RADIUS; d++)
                if (x + d * dx >= 0 && x + d * dx < IMAGE_W && y + d * dy >= 0 &&
                    y + d * dy < IMAGE_H)
                    sum += (RADIUS - d) * LOAD(from, (y + d * dy) * IMAGE_W + x + d * dx);
            STORE(to, y * IMAGE_W + x, sum);
        }
}

/* Rows stage a margin of a whole row of threads, 16, columns one of their radius. */
TEST(test_convsep)
{
    reference_open("convsep:w=384,h=128,times=1");
    struct array *input = reference_array("input", 4), *buffer = reference_array("buffer", 4),
                 *output = reference_array("output", 4);
    reference_begin("convolutionRowsKernel");
    for (int y = 0; y < IMAGE_H; y += 4)
        for (int x = 0; x < IMAGE_W; x += 128) {
            struct tile tile = {x, x + 128, y, y + 4};
            stage(input, &tile, 16, 0);
            convolve(input, buffer, &tile, 1, 0);
            reference_block(SAME_SETS);
        }
    reference_begin("convolutionColumnsKernel");
    for (int y = 0; y < IMAGE_H; y += 64)
        for (int x = 0; x < IMAGE_W; x += 16) {
            struct tile tile = {x, x + 16, y, y + 64};
            convolve(buffer, output, &tile, 0, 1);
            reference_block(SAME_SETS);
        }
    reference_close();
}

TEST(test_reduction)
{
    enum { N = 1 << 16, BLOCKS = 64, THREADS = 256 };
    reference_open("reduction:n=2^16,times=2");
    struct array *input = reference_array("input", 4), *output = reference_array("output", 4);
    for (int time = 0; time < 2; time++) {
        double sums[BLOCKS] = {0};
        for (int i = 0; i < N; i++)
            sums[i / (2 * THREADS) % BLOCKS] += LOAD(input, i);
        for (int b = 0; b < BLOCKS; b++)
            STORE(output, b, sums[b]);
        reference_launch("reduce", SAME_COUNTS);
    }
    reference_close();
}

/* Blocks go along rows first. */
TEST(test_stencil2d)
{
    enum { N = 48, PITCH = 64, STEPS = 3, BLOCKS = N / 16 * (N / 16) };
    reference_open("stencil2d:n=48,steps=3");
    struct array *from = reference_array("data", 4), *to = reference_array("next", 4);
    for (int step = 0; step < STEPS; step++) {
        reference_begin("StencilKernel");
        for (int b = 0; b < BLOCKS; b++) {
            for (int k = 0; k < 256; k++) {
                int r = 1 + b % (N / 16) * 16 + k / 16, c = 1 + b / (N / 16) * 16 + k % 16;
                double sum = 0;
                for (int d = 0; d < 9; d++)
                    sum += LOAD(from, (r + d / 3 - 1) * PITCH + c + d % 3 - 1) / 9;
                STORE(to, r * PITCH + c, sum);
            }
            reference_block(SAME_SETS);
        }
        struct array *other = from;
        from = to;
        to = other;
    }
    reference_close();
}

/* Elements of four bytes between the tables of two GPUs. */
enum { PAGE = 1024 };

/* The GPU of a block: they take contiguous shares. */
static int gpu_of(int block, int blocks, int gpus)
{
    return block * gpus / blocks;
}

static void check_simpleconvolution(int gpus)
{
    enum { W = 50, H = 21, MASK = 3, BLOCKS = (W * H + 63) / 64 };
    char spec[64];
    snprintf(spec, sizeof spec, "simpleconvolution:w=50,h=21,mask=3,copies=%d", gpus);
    reference_open(spec);
    struct array *input = reference_array("input", 4), *weights = reference_array("weights", 4),
                 *output = reference_array("output", 4);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int own = PAGE * gpu_of((y * W + x) / 64, BLOCKS, gpus);
            double sum = 0;
            for (int i = 0; i < MASK; i++)
                for (int j = 0; j < MASK; j++)
                    sum += LOAD(input, (y + i) * (W + MASK - 1) + x + j) *
                           LOAD(weights, own + i * MASK + j);
            STORE(output, y * W + x, sum);
        }
    reference_launch("simpleNonSeparableConvolution", SAME_COUNTS);
    reference_close();
}

TEST(test_simpleconvolution)
{
    check_simpleconvolution(1);
    check_simpleconvolution(4);
}

static void check_fir(int gpus)
{
    enum { N = 150, TAPS = 70, BLOCKS = 3 };
    char spec[64];
    snprintf(spec, sizeof spec, "fir:n=150,taps=70,blocks=2,copies=%d", gpus);
    reference_open(spec);
    struct array *x = reference_array("input", 4), *y = reference_array("output", 4),
                 *c = reference_array("coefficients", 4), *history = reference_array("history", 4);
    for (int block = 0; block < 2; block++) {
        for (int i = 0; i < N; i++) {
            int own = PAGE * gpu_of(i / 64, BLOCKS, gpus);
            double sum = 0;
            for (int k = 0; k < TAPS; k++)
                sum += LOAD(c, own + k) * (i >= k ? LOAD(x, i - k) : LOAD(history, TAPS + i - k));
            STORE(y, i, sum);
        }
        reference_launch("fir_cuda", SAME_COUNTS);
    }
    reference_close();
}

TEST(test_fir)
{
    check_fir(1);
    check_fir(2);
}

/* ---- AES-256, as FIPS 197 has it ------------------------------------------- */

static uint8_t times_x(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t field_product(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1, a = times_x(a))
        if (b & 1)
            product ^= a;
    return product;
}

/* The inverse in the field, then the affine map. */
static uint8_t substitute(uint8_t a)
{
    uint8_t inverse = 0, result = 0x63;
    for (int b = 1; b < 256 && a && !inverse; b++)
        if (field_product(a, (uint8_t)b) == 1)
            inverse = (uint8_t)b;
    for (int shift = 0; shift < 5; shift++)
        result ^= (uint8_t)(inverse << shift | inverse >> (8 - shift));
    return result;
}

/* Round key byte b is stored in the word it belongs to, last byte first. */
static int key_place(int b)
{
    return b / 4 * 4 + 3 - b % 4;
}

static void expand_key(struct array *key)
{
    uint8_t bytes[15 * 16], constant = 1;
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    for (int i = 32; i < 15 * 16; i += 4) {
        uint8_t word[4] = {bytes[i - 4], bytes[i - 3], bytes[i - 2], bytes[i - 1]};
        if (i % 32 == 0) {
            uint8_t first = word[0];
            word[0] = substitute(word[1]) ^ constant;
            word[1] = substitute(word[2]);
            word[2] = substitute(word[3]);
            word[3] = substitute(first);
            constant = times_x(constant);
        }
        for (int k = 0; k < 4; k++)
            bytes[i + k] = bytes[i + k - 32] ^ (i % 32 == 16 ? substitute(word[k]) : word[k]);
    }
    for (int i = 0; i < 15 * 16; i++)
        key->values[key_place(i)] = bytes[i];
}

/* `own`: where the GPU's tables begin. */
static void encrypt(struct array *text, struct array *key, struct array *sbox, int block, int own)
{
    uint8_t s[16], t[16];
    for (int b = 0; b < 16; b++)
        s[b] = (uint8_t)LOAD(text, 16 * block + b) ^ (uint8_t)LOAD(key, own + key_place(b));
    for (int round = 1; round <= 14; round++) {
        for (int b = 0; b < 16; b++) /* row b % 4 moves left by b % 4 columns */
            t[b] = (uint8_t)LOAD(sbox, own + s[(b + b % 4 * 4) % 16]);
        for (int b = 0; b < 16; b++) {
            const uint8_t *c = &t[b / 4 * 4];
            uint8_t mixed = times_x(c[b % 4]) ^ times_x(c[(b + 1) % 4]) ^ c[(b + 1) % 4] ^
                            c[(b + 2) % 4] ^ c[(b + 3) % 4];
            s[b] =
                (round < 14 ? mixed : t[b]) ^ (uint8_t)LOAD(key, own + 16 * round + key_place(b));
        }
    }
    for (int b = 0; b < 16; b++)
        STORE(text, 16 * block + b, s[b]);
}

static void check_aes(int gpus)
{
    static const uint8_t cipher[16] = {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf,
                                       0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89};
    enum { N = 128, BLOCKS = N / 64 };
    char spec[64];
    snprintf(spec, sizeof spec, "aes:n=128,copies=%d", gpus);
    reference_open(spec);
    struct array *text = reference_array("text", 1), *key = reference_array("key", 1),
                 *sbox = reference_array("sbox", 1);
    for (int b = 0; b < 16; b++)
        text->values[b] = b * 0x11;
    expand_key(key);
    for (int i = 0; i < 256; i++)
        sbox->values[i] = substitute((uint8_t)i);
    for (int g = 1; g < gpus; g++) {
        memcpy(key->values + 4096 * g, key->values, 240 * sizeof *key->values);
        memcpy(sbox->values + 4096 * g, sbox->values, 256 * sizeof *sbox->values);
    }
    for (int i = 0; i < N; i++)
        encrypt(text, key, sbox, i, 4096 * gpu_of(i / 64, BLOCKS, gpus));
    for (int b = 0; b < 16; b++) /* FIPS 197, C.3 */
        assert_int_equal(text->values[b], cipher[b]);
    reference_launch("aes_cuda", SAME_SETS);
    reference_close();
}

TEST(test_aes)
{
    check_aes(1);
    check_aes(2);
}

/* ---- streams that are executed ----------------------------------------------- */

struct executed {
    struct source *source;
    struct trace_items all;
};

static struct executed execute_begin(const char *spec)
{
    struct executed e;
    check_ok(source_open(spec, &e.source, &failure));
    check_ok(trace_read(e.source, false, &e.all, &failure));
    return e;
}

static void execute_end(struct executed *e)
{
    trace_items_free(&e->all);
    source_destroy(e->source);
}

static uint64_t element(const struct executed *e, const struct trace_item *item, int lane)
{
    uint64_t address = item->addresses[lane];
    return (address - workload_array(e->source, address)->base) / item->access.bytes;
}

/* Loads i and i+1 of a warp are compared and exchanged; it stores both. */
TEST(test_bitonicsort)
{
    enum { LOG = 9, N = 1 << LOG };
    double keys[N];
    uint64_t random = 7;
    struct executed e = execute_begin("bitonicsort:log2n=9");
    assert_int_equal(e.all.kernels.count, LOG * (LOG + 1) / 2);
    assert_int_equal(e.all.accesses.count, (uint64_t)LOG * (LOG + 1) / 2 * N / 2 / 32 * 4);
    for (int i = 0; i < N; i++)
        keys[i] = (double)(check_random(&random) % 1000);
    for (size_t i = 0; i < e.all.accesses.count; i += 4) {
        const struct trace_item *item = &e.all.accesses.items[i];
        size_t stage = 0;
        while ((stage + 1) * (stage + 2) / 2 <= item->kernel)
            stage++;
        for (int lane = 0; lane < 32; lane++) {
            uint64_t thread = item->cta * 256 + item->warp * 32 + (uint64_t)lane;
            uint64_t a = element(&e, &item[0], lane), b = element(&e, &item[1], lane);
            assert_int_equal(element(&e, &item[2], lane), a);
            assert_int_equal(element(&e, &item[3], lane), b);
            if ((keys[a] > keys[b]) == ((thread >> stage) % 2 == 0)) {
                double key = keys[a];
                keys[a] = keys[b];
                keys[b] = key;
            }
        }
    }
    for (int i = 1; i < N; i++)
        assert_true(keys[i - 1] <= keys[i]);
    execute_end(&e);
}

enum { WALSH_LOG = 13, WALSH_N = 1 << WALSH_LOG };

/* All 2^log stages over a contiguous segment. */
static void walsh(double *x, int n)
{
    for (int d = 1; d < n; d *= 2)
        for (int i = 0; i < n; i++)
            if (!(i & d)) {
                double sum = x[i] + x[i + d];
                x[i + d] = x[i] - x[i + d];
                x[i] = sum;
            }
}

/* Four loads of a warp, a butterfly of radix 4 in each lane, four stores. */
static void walsh_pass(const struct executed *e, const struct trace_item *item, double *x)
{
    for (int lane = 0; lane < 32; lane++) {
        double v[4];
        for (int q = 0; q < 4; q++) {
            v[q] = x[element(e, &item[q], lane)];
            assert_int_equal(element(e, &item[q], lane), element(e, &item[q + 4], lane));
        }
        x[element(e, &item[4], lane)] = v[0] + v[1] + v[2] + v[3];
        x[element(e, &item[5], lane)] = v[0] - v[1] + v[2] - v[3];
        x[element(e, &item[6], lane)] = v[0] + v[1] - v[2] - v[3];
        x[element(e, &item[7], lane)] = v[0] - v[1] - v[2] + v[3];
    }
}

/* A block loads and stores a segment four times as long as it has threads. */
static void walsh_block(const struct executed *e, const struct trace_item *item, double *x)
{
    uint64_t threads = e->all.kernels.items[item->kernel].launch.block[0];
    for (int i = 0; i < 8 * 32; i++)
        assert_int_equal(element(e, &item[i / 32], i % 32),
                         (4 * item->cta + (uint64_t)i / 32 % 4) * threads + item->warp * 32 +
                             (uint64_t)i % 32);
    if (item->warp == 0)
        walsh(&x[4 * item->cta * threads], (int)(4 * threads));
}

/* Is the convolution of data with the kernel under exclusive or, times n. */
TEST(test_fwt)
{
    static double kernel[WALSH_N], data[WALSH_N], got[WALSH_N], other[WALSH_N];
    uint64_t random = 3;
    struct executed e = execute_begin("fwt:log2n=13");
    for (int i = 0; i < WALSH_N; i++) {
        got[i] = data[i] = (double)(check_random(&random) % 10);
        other[i] = kernel[i] = i < 5 ? 1 + i : 0;
    }
    assert_int_equal(e.all.kernels.count, 7);
    for (size_t i = 0; i < e.all.accesses.count;) {
        const struct trace_item *item = &e.all.accesses.items[i];
        const char *name = e.all.kernels.items[item->kernel].name;
        double *x = workload_array(e.source, item->addresses[0])->name[0] == 'k' ? other : got;
        if (strcmp(name, "modulateKernel") == 0) {
            assert_int_equal(element(&e, &item[0], 0), element(&e, &item[1], 0));
            for (int lane = 0; lane < 32; lane++)
                got[element(&e, &item[2], lane)] *= other[element(&e, &item[1], lane)];
            i += 3;
        } else {
            strcmp(name, "fwtBatch2Kernel") == 0 ? walsh_pass(&e, item, x)
                                                 : walsh_block(&e, item, x);
            i += 8;
        }
    }
    for (int i = 0; i < WALSH_N; i++) {
        double sum = 0;
        for (int j = 0; j < 5; j++)
            sum += kernel[j] * data[i ^ j];
        check_relative(got[i] / WALSH_N, sum, 1e-12);
    }
    execute_end(&e);
}

/* What a block reads is the transpose of what it writes, and all is moved once. */
TEST(test_matrixtranspose)
{
    enum { N = 192 };
    reference_open("matrixtranspose:n=192");
    struct array *input = reference_array("input", 16), *output = reference_array("output", 16);
    for (int i = 0; i < N * N / 4; i++)
        STORE(output, i, LOAD(input, i));
    reference_launch("matrixTranspose", SAME_COUNTS);
    reference_close();
    struct executed e = execute_begin("matrixtranspose:n=192");
    uint64_t rows = 0, columns = 0;
    for (size_t i = 0; i < e.all.accesses.count; i++) {
        const struct trace_item *item = &e.all.accesses.items[i];
        uint64_t at = element(&e, item, 0), row = at / (N / 4) / 64, column = at % (N / 4) / 16;
        if (item->access.kind == ACCESS_READ) {
            rows = row;
            columns = column;
        } else {
            assert_int_equal(row, columns);
            assert_int_equal(column, rows);
        }
    }
    execute_end(&e);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose times are taken: those of models/today/silicon/README.md, written as plainly as it
// says them. What a compiler makes of them is part of what is measured: pointers may overlap, loops
// run as often as their arguments say.
#pragma once

// --- kernels ----------------------------------------------------------------------------------

static __global__ void vectoradd(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + c[i];
}

static __global__ void relu(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] > 0 ? in[i] : 0;
}

// 16 x 16 threads turn a tile of 64 x 64: 4 x 4 each, through shared memory. n: of float4s in a
// row.
static __global__ void matrixtranspose(float4 *out, const float4 *in, int n)
{
    __shared__ float4 tile[64][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    size_t row = blockIdx.x, column = (blockIdx.x + blockIdx.y) % gridDim.x;
    float4 r[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        r[i] = in[(64 * row + 4 * ty + i) * n + 16 * column + tx];
    tile[4 * tx + 0][ty] = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
    tile[4 * tx + 1][ty] = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    tile[4 * tx + 2][ty] = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
    tile[4 * tx + 3][ty] = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++)
        out[(64 * column + 4 * ty + i) * n + 16 * row + tx] = tile[4 * ty + i][tx];
}

static __global__ void fir(float *out, const float *coefficients, const float *in,
                           const float *history, int taps, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float sum = 0;
    for (int i = 0; i < taps; i++)
        sum += coefficients[i] * (t >= i ? in[t - i] : history[taps - i + t]);
    out[t] = sum;
}

static __global__ void spmv_csr_scalar(float *y, const int *offsets, const int *columns,
                                       const float *values, const float *x, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = offsets[row], end = offsets[row + 1]; k < end; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

static __global__ void multiply_rows(const float *A, const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int j = 0; j < n; j++)
        out[i] += A[(size_t)i * n + j] * x[j];
}

static __global__ void multiply_columns(const float *A, const float *x, float *out, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    for (int i = 0; i < n; i++)
        out[j] += A[(size_t)i * n + j] * x[i];
}

static __global__ void bicg_rows(const float *A, const float *p, float *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    q[i] = 0;
    for (int j = 0; j < n; j++)
        q[i] += A[(size_t)i * n + j] * p[j];
}

static __global__ void bicg_columns(const float *A, const float *r, float *s, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    s[j] = 0;
    for (int i = 0; i < n; i++)
        s[j] += A[(size_t)i * n + j] * r[i];
}

static __global__ void kmeans(const float *feature, const float *cluster, int *membership,
                              int points, int clusters, int features)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    float least = 3e38f;
    int index = 0;
    for (int i = 0; i < clusters; i++) {
        float distance = 0;
        for (int l = 0; l < features; l++) {
            float d = feature[(size_t)l * points + p] - cluster[i * features + l];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            index = i;
        }
    }
    membership[p] = index;
}

// 8 x 8 threads make 32 x 32 results: 4 x 4 each. n4: of float4s in a row.
static __global__ void matrixmultiplication(const float4 *A, const float4 *B, float4 *C, int n4)
{
    __shared__ float4 tile[32][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    size_t column = blockIdx.x * 8 + tx, row = (blockIdx.y * 8 + ty) * 4;
    float4 sum[4] = {};
    for (int t = 0; t < n4 / 8; t++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            tile[4 * ty + k][tx] = A[(row + k) * n4 + t * 8 + tx];
        __syncthreads();
        for (int j = 0; j < 8; j++) {
            const float4 *b = &B[(size_t)(t * 32 + 4 * j) * n4 + column];
            float4 b0 = b[0], b1 = b[n4], b2 = b[2 * n4], b3 = b[3 * n4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float4 a = tile[4 * ty + k][j];
                sum[k].x += a.x * b0.x + a.y * b1.x + a.z * b2.x + a.w * b3.x;
                sum[k].y += a.x * b0.y + a.y * b1.y + a.z * b2.y + a.w * b3.y;
                sum[k].z += a.x * b0.z + a.y * b1.z + a.z * b2.z + a.w * b3.z;
                sum[k].w += a.x * b0.w + a.y * b1.w + a.z * b2.w + a.w * b3.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        C[(row + k) * n4 + column] = sum[k];
}

static __global__ void pagerank(const int *offsets, const int *columns, const float *values,
                                const float *x, float *y)
{
    __shared__ float part[64];
    int row = blockIdx.x, tx = threadIdx.x;
    int begin = offsets[row], end = offsets[row + 1];
    float sum = 0;
    for (int k = begin + tx; k < end; k += 64)
        sum += values[k] * x[columns[k]];
    part[tx] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tx < half)
            part[tx] += part[tx + half];
        __syncthreads();
    }
    if (tx == 0)
        y[row] = part[0];
}

// Column tx of a tile of 64 x 64, whose first element is at (y + 1, x + 1); w elements a row.
static __device__ __forceinline__ void nw_tile(const int *reference, int *score, int w, int x,
                                               int y, int penalty)
{
    __shared__ int s[65][65], r[64][64];
    int tx = threadIdx.x;
    for (int i = 0; i < 64; i++)
        r[i][tx] = reference[(size_t)(y + 1 + i) * w + x + 1 + tx];
    if (tx == 0)
        s[0][0] = score[(size_t)y * w + x];
    s[tx + 1][0] = score[(size_t)(y + 1 + tx) * w + x];
    s[0][tx + 1] = score[(size_t)y * w + x + 1 + tx];
    __syncthreads();
    for (int d = 0; d < 127; d++) {
        int i = d - tx;
        if (i >= 0 && i < 64)
            s[i + 1][tx + 1] = max(s[i][tx] + r[i][tx], max(s[i + 1][tx], s[i][tx + 1]) - penalty);
        __syncthreads();
    }
    for (int i = 0; i < 64; i++)
        score[(size_t)(y + 1 + i) * w + x + 1 + tx] = s[i + 1][tx + 1];
}

// Diagonal d of tiles, 1 .. n/64: tile bx of it from the bottom.
static __global__ void nw_upper(const int *reference, int *score, int w, int d, int penalty)
{
    nw_tile(reference, score, w, 64 * blockIdx.x, 64 * (d - 1 - blockIdx.x), penalty);
}

// Diagonal e behind the longest one, of so many tiles a side.
static __global__ void nw_lower(const int *reference, int *score, int w, int e, int tiles,
                                int penalty)
{
    nw_tile(reference, score, w, 64 * (blockIdx.x + e), 64 * (tiles - 1 - blockIdx.x), penalty);
}

// --- data -------------------------------------------------------------------------------------

// Each row has so many non-zeros: in columns r, r + step, ..., or from column 0 on.
static __global__ void make_rows(int *offsets, int *columns, int rows, int each, int step,
                                 bool shifted)
{
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        if (threadIdx.x == 0) {
            offsets[r] = r * each;
            offsets[r + 1] = (r + 1) * each;
        }
        for (int e = threadIdx.x; e < each; e += blockDim.x)
            columns[(size_t)r * each + e] = (int)(((shifted ? r : 0) + (size_t)e * step) % rows);
    }
}

static __global__ void make_scores(int *score, int *reference, int w, int penalty)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)w * w;
         i += (size_t)gridDim.x * blockDim.x) {
        int row = (int)(i / w), column = (int)(i % w);
        reference[i] = (row * 7 + column * 13) % 21 - 10;
        score[i] = row == 0 ? -column * penalty : column == 0 ? -row * penalty : 0;
    }
}

// Hands out arrays of the pool. What does not fit is not to be used.
struct arrays_of_pool {
    char *pool;
    size_t bytes, taken;
    template <class T> T *take(size_t n)
    {
        T *at = (T *)(pool + taken);
        taken += (n * sizeof(T) + 511) / 512 * 512;
        return at;
    }
    bool fits(void) const
    {
        return taken <= bytes;
    }
};

static arrays_of_pool pool_begin(const gpu &gpu)
{
    return {gpu.pool, gpu.pool_bytes, 0};
}

// --- times ------------------------------------------------------------------------------------

struct times_file {
    FILE *file;
    const char *kernel;
};

// ms that two events take which wait in a queue with nothing between them: in every time, of no
// kernel.
static double time_of_events(void)
{
    static double ms = -1;
    std::vector<double> each;
    for (int i = 0; i < 50 && ms < 0; i++)
        each.push_back(queued_time_of(1, [] {}));
    if (ms < 0)
        ms = median_of(each);
    return ms;
}

// A first run, then some more, fewer of what takes long: mean, least and largest, of so many
// launches. Of arrays that a card has no room for there is no time.
template <class Launch>
static void add_time(times_file &out, const arrays_of_pool &pool, const char *problem,
                     Launch launch, int launches = 1)
{
    if (!pool.fits())
        return;
    double first = (time_of(launch), time_of(launch)), sum = 0, least = 1e30, most = 0;
    int runs = std::max(5, std::min(50, (int)(100 / first)));
    for (int i = 0; i < runs; i++) {
        double ms = queued_time_of(launches, launch) - time_of_events();
        sum += ms;
        least = std::min(least, ms);
        most = std::max(most, ms);
    }
    fprintf(out.file, "%s,%s,%d,%.5f,%.5f,%.5f\n", out.kernel, problem, runs, sum / runs, least,
            most);
}

static unsigned blocks_of(size_t n, int threads = 256)
{
    return (unsigned)((n + threads - 1) / threads);
}

static std::string sides(size_t n, int times)
{
    std::string one = std::to_string(n), all = one;
    for (int i = 1; i < times; i++)
        all += "x" + one;
    return all;
}

static void time_elementwise(const gpu &gpu, FILE *file)
{
    times_file add = {file, "vectoradd"}, clip = {file, "relu"}, copy = {file, "memcopy_d2d"};
    for (size_t n = 1024; n <= 536870912; n *= 2) {
        arrays_of_pool pool = pool_begin(gpu);
        float *a = pool.take<float>(n), *b = pool.take<float>(n), *c = pool.take<float>(n);
        add_time(add, pool, std::to_string(n).c_str(),
                 [&] { vectoradd<<<blocks_of(n), 256>>>(a, b, c, (int)n); });
    }
    for (size_t n = 1024; n <= 1073741824; n *= n == 8192 ? 4 : 2) {
        arrays_of_pool pool = pool_begin(gpu);
        float *out = pool.take<float>(n), *in = pool.take<float>(n);
        add_time(clip, pool, std::to_string(n).c_str(),
                 [&] { relu<<<blocks_of(n), 256>>>(out, in, (int)n); });
    }
    for (size_t mb = 1; mb <= 512; mb *= 2) {
        arrays_of_pool pool = pool_begin(gpu);
        char *to = pool.take<char>(mb << 20), *from = pool.take<char>(mb << 20);
        add_time(copy, pool, (std::to_string(mb) + "MB").c_str(),
                 [&] { CHECK(cudaMemcpyAsync(to, from, mb << 20, cudaMemcpyDeviceToDevice)); });
    }
}

static void time_matrices(const gpu &gpu, FILE *file)
{
    static const int turned[] = {64,   128,  192,  256,  384,   512,   768,   1024,  1536, 2048,
                                 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
    static const int multiplied[] = {32,   64,   96,   128,  160,  192,  256,  320,
                                     384,  512,  640,  768,  1024, 1280, 1536, 2048,
                                     2560, 3072, 4096, 5120, 6144, 8192};
    static const int vectors[] = {48,   64,   96,   128,  192,  256,  384,   512,   768,   1024,
                                  1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};
    times_file out = {file, "matrixtranspose"};
    for (size_t n : turned) {
        arrays_of_pool pool = pool_begin(gpu);
        float4 *to = pool.take<float4>(n * n / 4), *from = pool.take<float4>(n * n / 4);
        add_time(out, pool, sides(n, 2).c_str(), [&] {
            matrixtranspose<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(to, from, (int)n / 4);
        });
    }
    out.kernel = "matrixmultiplication";
    for (size_t n : multiplied) {
        arrays_of_pool pool = pool_begin(gpu);
        float4 *A = pool.take<float4>(n * n / 4), *B = pool.take<float4>(n * n / 4);
        float4 *C = pool.take<float4>(n * n / 4);
        add_time(out, pool, sides(n, 3).c_str(), [&] {
            matrixmultiplication<<<dim3(n / 32, n / 32), dim3(8, 8)>>>(A, B, C, (int)n / 4);
        });
    }
    for (int bicg = 0; bicg < 2; bicg++)
        for (size_t n : vectors) {
            arrays_of_pool pool = pool_begin(gpu);
            float *A = pool.take<float>(n * n), *v[4];
            for (float *&at : v)
                at = pool.take<float>(n);
            unsigned blocks = blocks_of(n);
            out.kernel = bicg ? "bicg" : "atax";
            auto launch = [&] {
                if (bicg) {
                    bicg_rows<<<blocks, 256>>>(A, v[0], v[1], (int)n);
                    bicg_columns<<<blocks, 256>>>(A, v[2], v[3], (int)n);
                } else {
                    multiply_rows<<<blocks, 256>>>(A, v[0], v[1], (int)n);
                    multiply_columns<<<blocks, 256>>>(A, v[1], v[2], (int)n);
                }
            };
            add_time(out, pool, sides(n, 2).c_str(), launch, 2);
        }
}

static void time_points(const gpu &gpu, FILE *file)
{
    times_file out = {file, "fir"};
    for (int n = 1024; n <= 262144; n *= 4)
        for (int taps = 8; taps <= 64; taps *= 2) {
            arrays_of_pool pool = pool_begin(gpu);
            float *y = pool.take<float>(n), *x = pool.take<float>(n);
            float *c = pool.take<float>(taps), *history = pool.take<float>(taps);
            std::string problem = std::to_string(n) + "_taps" + std::to_string(taps);
            add_time(out, pool, problem.c_str(),
                     [&] { fir<<<blocks_of(n), 256>>>(y, c, x, history, taps, n); });
        }
    out.kernel = "kmeans";
    for (int n = 1024; n <= 262144; n *= 4)
        for (int features = 8; features <= 64; features *= 2) {
            arrays_of_pool pool = pool_begin(gpu);
            float *f = pool.take<float>((size_t)n * features), *c = pool.take<float>(5 * features);
            int *m = pool.take<int>(n);
            std::string problem =
                "pts" + std::to_string(n) + "_feat" + std::to_string(features) + "_clus5";
            add_time(out, pool, problem.c_str(),
                     [&] { kmeans<<<blocks_of(n), 256>>>(f, c, m, n, 5, features); });
        }
    out.kernel = "spmv_csr_scalar";
    for (int n = 1024; n <= 262144; n *= 4)
        for (int each = 4; each <= 32; each *= 2) {
            arrays_of_pool pool = pool_begin(gpu);
            float *y = pool.take<float>(n), *x = pool.take<float>(n);
            float *values = pool.take<float>((size_t)n * each);
            int *offsets = pool.take<int>(n + 1), *columns = pool.take<int>((size_t)n * each);
            if (!pool.fits())
                break;
            make_rows<<<1024, 32>>>(offsets, columns, n, each, 1, true);
            std::string problem = sides(n, 2) + "_nnz" + std::to_string(n * each);
            add_time(out, pool, problem.c_str(), [&] {
                spmv_csr_scalar<<<blocks_of(n), 256>>>(y, offsets, columns, values, x, n);
            });
        }
}

static void launch_nw(int *reference, int *score, int n)
{
    int w = n + 1, tiles = n / 64;
    for (int d = 1; d <= tiles; d++)
        nw_upper<<<d, 64>>>(reference, score, w, d, 10);
    for (int e = 1; e < tiles; e++)
        nw_lower<<<tiles - e, 64>>>(reference, score, w, e, tiles, 10);
}

static void time_graphs(const gpu &gpu, FILE *file)
{
    static const int nodes[] = {64,   128,  192,  256,  384,   512,   768,   1024,  1536, 2048,
                                3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
    static const int lengths[] = {64,   128,  192,  256,  320,  384,  448,  512,
                                  640,  768,  896,  1024, 1280, 1536, 1792, 2048,
                                  2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192};
    times_file out = {file, "pagerank"};
    float *host;
    CHECK(cudaMallocHost(&host, 49152 * sizeof *host));
    for (int i = 0; i < 49152; i++)
        host[i] = 1.0f / 49152;
    for (int n : nodes) {
        arrays_of_pool pool = pool_begin(gpu);
        float *x = pool.take<float>(n), *y = pool.take<float>(n);
        float *values = pool.take<float>((size_t)n * n / 2);
        int *offsets = pool.take<int>(n + 1), *columns = pool.take<int>((size_t)n * n / 2);
        if (!pool.fits())
            break;
        make_rows<<<1024, 128>>>(offsets, columns, n, n / 2, 2, false);
        std::string problem = "nodes" + std::to_string(n) + "_sparsity0.5_priters2";
        auto launch = [&] {
            CHECK(cudaMemcpyAsync(x, host, n * sizeof *x, cudaMemcpyHostToDevice));
            pagerank<<<n, 64>>>(offsets, columns, values, x, y);
            pagerank<<<n, 64>>>(offsets, columns, values, y, x);
        };
        add_time(out, pool, problem.c_str(), launch, 3);
    }
    CHECK(cudaFreeHost(host));
    out.kernel = "nw";
    for (int n : lengths) {
        arrays_of_pool pool = pool_begin(gpu);
        int *score = pool.take<int>((size_t)(n + 1) * (n + 1));
        int *reference = pool.take<int>((size_t)(n + 1) * (n + 1));
        if (!pool.fits())
            break;
        make_scores<<<1024, 256>>>(score, reference, n + 1, 10);
        add_time(
            out, pool, ("length=" + std::to_string(n)).c_str(),
            [&] { launch_nw(reference, score, n); }, n / 32);
    }
}

static void measure_times(const gpu &gpu)
{
    FILE *file =
        open_file(gpu, "times", "kernel_name,problem_size,iterations,avg_ms,min_ms,max_ms");
    time_elementwise(gpu, file);
    time_points(gpu, file);
    time_matrices(gpu, file);
    time_graphs(gpu, file);
    fclose(file);
    refill(gpu);
}

// --- are they right? --------------------------------------------------------------------------

static void expect(const char *what, bool good)
{
    printf("%s: %s\n", what, good ? "right" : "WRONG");
    if (!good)
        exit(1);
}

template <class T> static std::vector<T> host_copy(const T *from, size_t n)
{
    std::vector<T> to(n);
    CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

// Those whose indices are not plain, against a host's loops.
static void check_kernels(const gpu &gpu)
{
    const int n = 256, w = n + 1;
    arrays_of_pool pool = pool_begin(gpu);
    float *A = pool.take<float>(n * n), *B = pool.take<float>(n * n), *C = pool.take<float>(n * n);
    int *score = pool.take<int>(w * w), *reference = pool.take<int>(w * w);
    bool good = true;
    std::vector<float> a = host_copy(A, n * n), b = host_copy(B, n * n);
    matrixtranspose<<<dim3(n / 64, n / 64), dim3(16, 16)>>>((float4 *)C, (float4 *)A, n / 4);
    std::vector<float> c = host_copy(C, n * n);
    for (int i = 0; i < n * n; i++)
        good &= c[i] == a[i % n * n + i / n];
    expect("matrixtranspose", good);
    matrixmultiplication<<<dim3(n / 32, n / 32), dim3(8, 8)>>>((float4 *)A, (float4 *)B,
                                                               (float4 *)C, n / 4);
    c = host_copy(C, n * n);
    for (int i = 0; i < n * n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += (double)a[i / n * n + k] * b[k * n + i % n];
        good &= fabs(c[i] - sum) < 1e-5 * sum;
    }
    expect("matrixmultiplication", good);
    make_scores<<<64, 256>>>(score, reference, w, 10);
    std::vector<int> s = host_copy(score, w * w), r = host_copy(reference, w * w);
    launch_nw(reference, score, n);
    for (int y = 1; y < w; y++)
        for (int x = 1; x < w; x++)
            s[y * w + x] = std::max(s[(y - 1) * w + x - 1] + r[y * w + x],
                                    std::max(s[y * w + x - 1], s[(y - 1) * w + x]) - 10);
    expect("nw", s == host_copy(score, w * w));
    for (uint64_t x = 1; x < 1u << 31; x = x * 5 / 4 + 1)
        for (uint32_t by = 3; by < 1u << 28; by += by / 2) {
            remainder_by m = remainder_make(by);
            good &= x % by == x - (uint32_t)(((uint64_t)x * m.multiplier >> 32) >> m.shift) * by;
        }
    expect("remainders", good);
}

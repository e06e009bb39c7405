// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a GPU of NVIDIA's as models/today/silicon/README.md says, a file a kind:
//
//     nvcc -O3 -arch=native -o measure measure.cu
//     ./measure h100 FOLDER [latency shared-read occupancy stream times inputs check]
//
// h100 is what the files are called: the name of a machine file. All kinds where none is named; it
// takes a minute or two. The curves are here, kernels whose times are taken in measure_times.cuh,
// what machine files need of a GPU in measure_inputs.cuh, measure_load.cuh and measure_flows.cuh.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(status_));                                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct gpu {
    cudaDeviceProp is;
    char *pool; // that all arrays are of, filled with small positive numbers
    size_t pool_bytes;
    const char *name, *folder;
};

static FILE *open_file(const gpu &gpu, const char *kind, const char *header)
{
    std::string path = std::string(gpu.folder) + "/" + gpu.name + "-" + kind + ".csv";
    FILE *file = fopen(path.c_str(), "w");
    if (!file) {
        perror(path.c_str());
        exit(1);
    }
    setvbuf(file, NULL, _IOLBF, 0);
    fprintf(file, "%s\n", header);
    return file;
}

static double median_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// ms between two events around what `launch` puts into the stream.
template <class Launch> static double time_of(Launch launch)
{
    static cudaEvent_t begin = NULL, end;
    float ms;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
}

template <class Launch> static double median_time_of(int runs, Launch launch)
{
    std::vector<double> times;
    for (int i = 0; i < runs; i++)
        times.push_back(time_of(launch));
    return median_of(times);
}

static __global__ void hold(uint64_t ns);

// The same, where all of up to so many launches wait in a queue before the first event is there:
// what the host takes for a launch is not in it.
template <class Launch> static double queued_time_of(int launches, Launch launch)
{
    hold<<<1, 1>>>(30000 + 10000ull * launches);
    return time_of(launch);
}

// Floats in 1 .. 2; two of them are a double near 0.01.
static __global__ void fill(uint32_t *words, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        words[i] = 0x3f800000u | ((uint32_t)i * 2654435761u & 0x7fffffu);
}

static void refill(const gpu &gpu)
{
    fill<<<8 * gpu.is.multiProcessorCount, 1024>>>((uint32_t *)gpu.pool, gpu.pool_bytes / 4);
    CHECK(cudaDeviceSynchronize());
}

static uint64_t random_next(void)
{
    static uint64_t x = 88172645463325252ull;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static __device__ __forceinline__ uint64_t nanoseconds(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

static __device__ __forceinline__ uint64_t cycles(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t));
    return t;
}

static __global__ void hold(uint64_t ns)
{
    uint64_t begin = nanoseconds();
    while (nanoseconds() - begin < ns)
        ;
}

// --- latency: one thread follows a random cycle of lines ------------------------------------

enum { LINE = 128 };

static __global__ void link_lines(char *pool, const uint32_t *order, uint32_t n)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        *(char **)(pool + (size_t)order[i] * LINE) = pool + (size_t)order[(i + 1) % n] * LINE;
}

struct chase_state {
    char *at;
    uint64_t cycles, ns;
};

static __global__ void chase(chase_state *state, uint32_t warm, uint32_t steps)
{
    char *at = state->at;
    for (uint32_t i = 0; i < warm; i++)
        at = *(char **)at;
    uint64_t ns = nanoseconds(), begin = cycles();
#pragma unroll 16
    for (uint32_t i = 0; i < steps; i++)
        at = *(char **)at;
    state->at = at;
    __threadfence(); // so that the clock is read after the last line is there
    state->cycles = cycles() - begin;
    state->ns = nanoseconds() - ns;
}

// Cycles a step; the clock that was seen.
static double chase_lines(const gpu &gpu, uint32_t lines, double *mhz)
{
    enum { WARM_MOST = 2097152, STEPS = 65536, RUNS = 3 };
    std::vector<uint32_t> order(lines);
    std::vector<double> each;
    chase_state *state, host = {gpu.pool, 0, 0};
    uint32_t *on_gpu;
    for (uint32_t i = 0; i < lines; i++)
        order[i] = i;
    for (uint32_t i = lines - 1; i > 0; i--)
        std::swap(order[i], order[random_next() % (i + 1)]);
    CHECK(cudaMalloc(&on_gpu, lines * sizeof *on_gpu));
    CHECK(cudaMalloc(&state, sizeof *state));
    CHECK(cudaMemcpy(on_gpu, order.data(), lines * sizeof *on_gpu, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(state, &host, sizeof host, cudaMemcpyHostToDevice));
    link_lines<<<gpu.is.multiProcessorCount, 256>>>(gpu.pool, on_gpu, lines);
    uint32_t warm = std::min<uint32_t>(std::max<uint32_t>(lines, 4096), WARM_MOST);
    uint64_t all_cycles = 0, all_ns = 0;
    for (int run = 0; run < RUNS; run++) {
        // A launch begins with an empty L1: what fits there is read once more.
        chase<<<1, 1>>>(state, run ? std::min<uint32_t>(warm, 8192) : warm, STEPS);
        CHECK(cudaMemcpy(&host, state, sizeof host, cudaMemcpyDeviceToHost));
        each.push_back((double)host.cycles / STEPS);
        all_cycles += host.cycles;
        all_ns += host.ns;
    }
    CHECK(cudaFree(on_gpu));
    CHECK(cudaFree(state));
    *mhz = 1e3 * all_cycles / all_ns;
    return median_of(each);
}

static void measure_latency(const gpu &gpu)
{
    const double finest = 1.1, coarse = 1.3;
    FILE *file = open_file(gpu, "latency", "clock_mhz,working_set_kib,latency_cycles");
    CHECK(cudaFuncSetAttribute(chase, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    const double most = std::min(2.1 * 1048576, gpu.pool_bytes / 1024.0);
    for (double kib = 2; kib <= most; kib *= kib < 262144 ? finest : coarse) {
        double mhz;
        uint32_t lines = (uint32_t)(kib * 1024 / LINE);
        double latency = chase_lines(gpu, lines, &mhz);
        fprintf(file, "%.0f,%.3f,%.1f\n", mhz, lines * LINE / 1024.0, latency);
    }
    fclose(file);
    refill(gpu);
}

// --- shared-read: a block of 1024 threads sums a set of 512 KiB -----------------------------

enum { SET_THREADS = 1024, SET_ELEMENTS = 65536 };

static __global__ void __launch_bounds__(SET_THREADS, 2)
    sum_set(const double *sets, double *out, uint32_t n)
{
    const double *set = sets + (size_t)(blockIdx.x % n) * SET_ELEMENTS;
    double sum = 0;
#pragma unroll 8
    for (int i = 0; i < SET_ELEMENTS / SET_THREADS; i++)
        sum += set[i * SET_THREADS + threadIdx.x];
    if (sum == -1)
        out[threadIdx.x] = sum;
}

static void measure_shared_read(const gpu &gpu)
{
    enum { RUNS = 5, SETS_MOST = 9535, ROUNDS = 48 };
    FILE *file = open_file(gpu, "shared-read", "set_of_a_block_kib,working_set_kib,read_gb_s");
    uint32_t blocks = 2 * ROUNDS * gpu.is.multiProcessorCount;
    double *out = (double *)gpu.pool, *sets = (double *)(gpu.pool + 1048576);
    uint32_t most = std::min<size_t>(SETS_MOST, (gpu.pool_bytes - 1048576) / (8 * SET_ELEMENTS));
    for (uint32_t n = 3; n <= most; n = std::max(n + 1, (uint32_t)(n * 1.1))) {
        auto launch = [&] { sum_set<<<std::max(blocks, n), SET_THREADS>>>(sets, out, n); };
        time_of(launch);
        double bytes = 8.0 * SET_ELEMENTS * std::max(blocks, n);
        fprintf(file, "%d,%u,%.1f\n", SET_ELEMENTS * 8 / 1024, n * (SET_ELEMENTS * 8 / 1024),
                bytes / median_time_of(RUNS, launch) / 1e6);
    }
    fclose(file);
}

// --- occupancy, stream: a thread makes one access -------------------------------------------

enum { READ, SCALE, TRIAD, WRITE, SWEEPS };

// x mod n of x < 2^31: multiplier and shift, as a compiler has them for a constant.
struct remainder_by {
    uint32_t n, multiplier, shift;
};

static remainder_by remainder_make(uint32_t n)
{
    uint32_t bits = 0;
    while ((1ull << bits) < n)
        bits++;
    return {n, (uint32_t)(((1ull << (31 + bits)) + n - 1) / n), bits - 1};
}

template <int SWEEP>
static __device__ __forceinline__ void access_once(double *a, const double *b, const double *c,
                                                   const double *d, uint32_t i)
{
    if (SWEEP == READ) {
        if (b[i] == -1)
            a[i] = 0;
    } else if (SWEEP == SCALE)
        a[i] = 0.5 * b[i];
    else if (SWEEP == TRIAD)
        a[i] = b[i] + c[i] * d[i];
    else
        a[i] = 0.25;
}

template <int SWEEP>
static __global__ void sweep_mod(double *a, const double *b, const double *c, const double *d,
                                 remainder_by by)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    i -= (__umulhi(i, by.multiplier) >> by.shift) * by.n;
    access_once<SWEEP>(a, b, c, d, i);
}

template <int SWEEP>
static __global__ void sweep(double *a, const double *b, const double *c, const double *d)
{
    access_once<SWEEP>(a, b, c, d, blockIdx.x * blockDim.x + threadIdx.x);
}

struct occupancy {
    int threads, blocks; // of a block, that an SM holds
};

// Shared memory that lets an SM hold so many blocks; what the runtime says of it must agree.
template <class Kernel> static int shared_for(const gpu &gpu, Kernel kernel, occupancy held)
{
    int seen, bytes = (int)(gpu.is.sharedMemPerMultiprocessor / held.blocks -
                            gpu.is.reservedSharedMemPerBlock) &
                      ~1023;
    bytes = std::min<int>(bytes, (int)gpu.is.sharedMemPerBlockOptin);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&seen, kernel, held.threads, bytes));
    if (seen != held.blocks) {
        fprintf(stderr, "an SM holds %d blocks of %d threads, not %d\n", seen, held.threads,
                held.blocks);
        exit(1);
    }
    return bytes;
}

// GB/s that threads ask for; arrays of n elements, which lie behind each other.
template <int SWEEP>
static double sweep_rate(const gpu &gpu, occupancy held, uint32_t n, uint32_t threads, bool wraps)
{
    static const int arrays[SWEEPS] = {1, 2, 4, 1};
    const size_t page = 2097152, slack = 1024;
    size_t bytes = ((n + slack) * 8 + page - 1) / page * page;
    double *at[4];
    for (int i = 0; i < 4; i++)
        at[i] = (double *)(gpu.pool + i * bytes);
    double *a = SWEEP == READ ? at[0] : at[arrays[SWEEP] - 1];
    remainder_by by = remainder_make(n);
    int shared =
        wraps ? shared_for(gpu, sweep_mod<SWEEP>, held) : shared_for(gpu, sweep<SWEEP>, held);
    auto launch = [&](uint32_t count) {
        uint32_t blocks = (count + held.threads - 1) / held.threads;
        if (wraps)
            sweep_mod<SWEEP><<<blocks, held.threads, shared>>>(a, at[0], at[1], at[2], by);
        else
            sweep<SWEEP><<<blocks, held.threads, shared>>>(a, at[0], at[1], at[2]);
    };
    launch(wraps ? std::max(n, 1u << 24) : 1u << 24);
    double ms = median_time_of(3, [&] { launch(threads); });
    return 8.0 * arrays[SWEEP] * threads / ms / 1e6;
}

// Whether there is room for four arrays of so many bytes, each rounded up as above.
static bool holds_four(const gpu &gpu, double bytes)
{
    return 4 * (bytes + 4194304) <= gpu.pool_bytes;
}

static void measure_occupancy(const gpu &gpu)
{
    static const occupancy steps[] = {{96, 1},  {112, 1}, {64, 2},  {192, 1}, {128, 2},
                                      {192, 2}, {256, 2}, {384, 2}, {512, 2}, {640, 2},
                                      {768, 2}, {896, 2}, {1024, 2}};
    static const double sizes[] = {191.5,   447.5,   703.5,   1087.5,  1535.5,  2047.5,  2687.5,
                                   3391.5,  4287.5,  5247.5,  6399.5,  7743.5,  9343.5,  11199.5,
                                   13375.5, 15935.5, 18879.5, 22335.5, 26431.5, 31167.5, 36735.5,
                                   43263.5, 50815.5, 59775.5, 70143.5, 82367.5, 96575.5, 113280,
                                   132800,  155584,  182272,  213504,  250048,  292800,  342784,
                                   401344,  469760,  549824,  643456,  753024,  881216};
    const uint32_t threads = 1u << 28;
    FILE *file = open_file(gpu, "occupancy",
                           "block_threads,blocks_per_sm,threads,array_kib,occupancy_percent,"
                           "read_gb_s,scale_gb_s,triad_gb_s,write_gb_s");
    for (const occupancy &held : steps)
        for (double kib : sizes) {
            if (!holds_four(gpu, 1024 * kib))
                break;
            uint32_t n = (uint32_t)(kib * 128);
            int resident = held.threads * held.blocks * gpu.is.multiProcessorCount;
            double read = sweep_rate<READ>(gpu, held, n, threads, true);
            double scale = sweep_rate<SCALE>(gpu, held, n, threads, true);
            double triad = sweep_rate<TRIAD>(gpu, held, n, threads, true);
            double write = sweep_rate<WRITE>(gpu, held, n, threads, true);
            fprintf(file, "%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", held.threads, held.blocks,
                    resident, kib,
                    100.0 * held.threads * held.blocks / gpu.is.maxThreadsPerMultiProcessor, read,
                    scale, triad, write);
        }
    fclose(file);
    refill(gpu);
}

static void measure_stream(const gpu &gpu)
{
    uint32_t threads = 1u << 30;
    while (!holds_four(gpu, 8.0 * threads))
        threads /= 2;
    FILE *file = open_file(gpu, "stream",
                           "block_threads,threads,blocks_per_sm,occupancy_percent,init_gb_s,"
                           "read_gb_s,scale_gb_s,triad_gb_s");
    for (int of_sm = 16; of_sm <= 2048; of_sm += of_sm < 128 ? 16 : of_sm < 192 ? 32 : 64) {
        occupancy held = {of_sm, 1};
        if (of_sm == 128 || of_sm > 160)
            held = {of_sm / 2, 2};
        double read = sweep_rate<READ>(gpu, held, threads, threads, false);
        double scale = sweep_rate<SCALE>(gpu, held, threads, threads, false);
        double triad = sweep_rate<TRIAD>(gpu, held, threads, threads, false);
        double write = sweep_rate<WRITE>(gpu, held, threads, threads, false);
        fprintf(file, "%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f\n", held.threads,
                of_sm * gpu.is.multiProcessorCount, held.blocks,
                100.0 * of_sm / gpu.is.maxThreadsPerMultiProcessor, write, read, scale, triad);
    }
    fclose(file);
    refill(gpu);
}

#include "measure_times.cuh"
#include "measure_inputs.cuh"
#include "measure_load.cuh"
#include "measure_flows.cuh"

// --- the whole --------------------------------------------------------------------------------

static const struct {
    const char *name;
    void (*measure)(const gpu &);
} kinds[] = {{"inputs", measure_inputs},       {"times", measure_times},
             {"latency", measure_latency},     {"shared-read", measure_shared_read},
             {"occupancy", measure_occupancy}, {"stream", measure_stream},
             {"check", check_kernels}};

int main(int argc, char **argv)
{
    gpu gpu = {};
    size_t free_bytes, all_bytes;
    if (argc < 3) {
        fprintf(stderr, "usage: %s NAME FOLDER [KIND...]\n", argv[0]);
        return 2;
    }
    gpu.name = argv[1];
    gpu.folder = argv[2];
    CHECK(cudaGetDeviceProperties(&gpu.is, 0));
    CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    // Four arrays of 8 GiB, what stands between them, and room for what is allocated beside.
    gpu.pool_bytes = std::min<size_t>(33ull << 30, free_bytes / 10 * 9) / 4096 * 4096;
    CHECK(cudaMalloc(&gpu.pool, gpu.pool_bytes));
    refill(gpu);
    fprintf(stderr, "%s: %d SMs, L2 %d KiB, pool %zu MiB\n", gpu.is.name,
            gpu.is.multiProcessorCount, gpu.is.l2CacheSize / 1024, gpu.pool_bytes >> 20);
    for (const auto &kind : kinds) {
        bool asked = argc == 3;
        for (int i = 3; i < argc; i++)
            asked |= strcmp(argv[i], kind.name) == 0;
        if (!asked)
            continue;
        auto begin = std::chrono::steady_clock::now();
        kind.measure(gpu);
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        fprintf(stderr, "%s: %.1f s\n", kind.name, taken.count());
    }
    CHECK(cudaFree(gpu.pool));
    return 0;
}

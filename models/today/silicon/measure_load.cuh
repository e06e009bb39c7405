// SPDX-License-Identifier: GPL-3.0-or-later
// What memory takes for one SM while the others load it, and what L1 takes for many lines at once.
#pragma once

struct loaded {
    char *pool;    // arrays one behind another, then the lines of the chase
    size_t array;  // bytes
    uint64_t *out; // [0]: cycles of the chase; [1]: steps of the first threads; [2]: their cycles
    uint32_t *done, hops;
};

static __device__ void chase_loaded(const loaded &l, const char *at)
{
    for (uint64_t begin = cycles(); cycles() - begin < 400000;) // the others are at work
        ;
    uint64_t begin = cycles();
    for (uint32_t i = 0; i < l.hops; i++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
    l.out[0] = clock_after((uint32_t)(uintptr_t)at) - begin;
    *(volatile uint32_t *)l.done = 1;
}

// The first block follows pointers; threads of the others take an element of each array after
// another, until it has ended.
template <int READS, int WRITES, bool IN_PLACE>
static __global__ void __launch_bounds__(1024, 1) under_load(loaded l, const char *first)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            chase_loaded(l, first);
        return;
    }
    size_t n = l.array / 8, stride = (size_t)(gridDim.x - 1) * blockDim.x;
    size_t i = (size_t)(blockIdx.x - 1) * blockDim.x + threadIdx.x, steps = 0;
    double *arrays = (double *)l.pool, sum = 0;
    uint64_t begin = cycles();
    for (bool more = READS + WRITES > 0; more; steps++) {
        double v = 1;
#pragma unroll
        for (int r = 0; r < READS; r++)
            v += __ldcg(arrays + r * n + i);
#pragma unroll
        for (int w = 0; w < WRITES; w++)
            __stcg(arrays + (IN_PLACE ? w : READS + w) * n + i, v);
        sum += WRITES ? 0 : v;
        i += i + stride < n ? stride : stride - n;
        more = steps % 16 < 15 || !*(volatile uint32_t *)l.done;
    }
    if (sum == 1.25)
        l.out[3] = 1;
    if (threadIdx.x == 0) {
        atomicAdd((unsigned long long *)&l.out[1], steps);
        atomicAdd((unsigned long long *)&l.out[2], cycles() - begin);
    }
}

template <int READS, int WRITES, bool IN_PLACE>
static void add_loaded(const gpu &gpu, const char *name, const char *chain, loaded l, bool idle)
{
    static const int threads[] = {64, 128, 256, 384, 512, 640, 768, 1024};
    for (int t : threads) {
        mirrored<uint64_t> out(4);
        mirrored<uint32_t> done(1);
        char key[64];
        l.out = out.at;
        l.done = done.at;
        under_load<READS, WRITES, IN_PLACE><<<gpu.is.multiProcessorCount, t>>>(l, chain);
        out.fetch();
        double others = gpu.is.multiProcessorCount - 1;
        snprintf(key, sizeof key, idle ? "loaded.idle" : "loaded.%s.%d", name, t);
        add_input(key, (double)out.host[0] / l.hops, "cycles",
                  "a chase over 512 MiB from one SM, while so many threads of each other SM go over "
                  "arrays of 1 GiB");
        if (idle)
            return;
        snprintf(key, sizeof key, "loaded.%s.%d.all", name, t);
        add_input(key,
                  8.0 * (READS + WRITES) * t * out.host[1] / out.host[2] * others, "B/cycle",
                  "what those read and write meanwhile");
    }
}

static void measure_loaded(const gpu &gpu)
{
    const uint32_t n = (uint32_t)(std::min<size_t>(512u << 20, gpu.pool_bytes / 5) / LINE);
    std::vector<uint32_t> order(n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n - 1; i > 0; i--)
        std::swap(order[i], order[random_next() % (i + 1)]);
    mirrored<uint32_t> at(n);
    at.host = order;
    at.put();
    const size_t array = std::min<size_t>(1ull << 30, gpu.pool_bytes / 5 / 4096 * 4096);
    loaded l = {gpu.pool, array, NULL, NULL, 20000};
    char *chain = gpu.pool + 4 * l.array;
    link_lines<<<256, 256>>>(chain, at.at, n);
    CHECK(cudaDeviceSynchronize());
    chain += (size_t)order[0] * LINE;
    add_loaded<0, 0, false>(gpu, "idle", chain, l, true);
    add_loaded<1, 0, false>(gpu, "1read", chain, l, false);
    add_loaded<2, 0, false>(gpu, "2reads", chain, l, false);
    add_loaded<3, 0, false>(gpu, "3reads", chain, l, false);
    add_loaded<0, 1, false>(gpu, "1write", chain, l, false);
    add_loaded<1, 1, false>(gpu, "1read.1write", chain, l, false);
    add_loaded<2, 1, false>(gpu, "2reads.1write", chain, l, false);
    add_loaded<3, 1, false>(gpu, "3reads.1write", chain, l, false);
    add_loaded<1, 2, false>(gpu, "1read.2writes", chain, l, false);
    add_loaded<1, 1, true>(gpu, "in_place", chain, l, false);
}

// Loads that each need the one before, of `lines` lines an instruction that L1 has: all lanes in the
// bank of their line's first word, or each in its own bank.
static __global__ void __launch_bounds__(1024, 1)
    look_up(const uint32_t *words, int lines, bool own, int times, uint64_t *out)
{
    uint32_t lane = threadIdx.x % 32, line = lane * lines / 32;
    uint32_t at = threadIdx.x / 32 % 4 * 1024 + line * 32 + (own ? lane : 0), sum = 0;
    uint64_t begin = 0;
    for (int i = -8; i < times; i++) {
        if (i == 0) {
            __syncthreads();
            begin = cycles();
        }
        uint32_t v; // 0
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(words + at) : "memory");
        at += v;
        sum += v;
    }
    uint64_t end = clock_after(sum);
    atomicMax((unsigned long long *)out, end - begin);
}

static void measure_lookups(const gpu &gpu)
{
    enum { TIMES = 2000, WARPS = 32 };
    mirrored<uint32_t> words(4 * 1024);
    for (int own = 0; own < 2; own++)
        for (int lines = 1; lines <= 32; lines *= 2) {
            mirrored<uint64_t> out(1);
            char key[64];
            look_up<<<1, 32 * WARPS>>>(words.at, lines, own, TIMES, out.at);
            out.fetch();
            snprintf(key, sizeof key, "l1.lines.%s.%d", own ? "banks" : "bank", lines);
            add_input(key, (double)out.host[0] / TIMES / WARPS, "cycles",
                      "a load of 32 words of so many lines in L1, 32 warps: words in one bank, or "
                      "each in its own");
        }
}

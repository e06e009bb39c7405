// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine file needs to know of a GPU, each by a measurement of its own, none of them a
// curve that is predicted: NAME-inputs.csv, and what single loads take from each SM in
// NAME-spread.csv.
#pragma once

static FILE *inputs;

static void add_input(const char *quantity, double value, const char *unit, const char *how)
{
    fprintf(inputs, "%s,%.6g,%s,\"%s\"\n", quantity, value, unit, how);
}

// An array of the GPU's, all zeros at first, and what the host has of it.
template <class T> struct mirrored {
    T *at;
    std::vector<T> host;
    explicit mirrored(size_t n) : host(n)
    {
        CHECK(cudaMalloc(&at, n * sizeof(T)));
        put();
    }
    mirrored(const mirrored &) = delete;
    ~mirrored()
    {
        cudaFree(at);
    }
    void put(void)
    {
        CHECK(cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    // When all kernels are done.
    void fetch(void)
    {
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host.data(), at, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    }
};

static __device__ __forceinline__ uint32_t sm_number(void)
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

// Blocks go to SMs as they like: the first one of an SM works, others leave. `claims` is of zeros.
static __device__ __forceinline__ bool first_of_sm(uint32_t *claims, uint32_t sm)
{
    return __syncthreads_or(threadIdx.x == 0 && atomicExch(&claims[sm], 1) == 0) != 0;
}

// When x is there: instructions go in order, and the branch needs it.
static __device__ __forceinline__ uint64_t clock_after(uint32_t x)
{
    uint64_t t;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0x7fffffff; @p trap; mov.u64 %0, %%clock64; }"
                 : "=l"(t)
                 : "r"(x)
                 : "memory");
    return t;
}

enum { LOAD_L1, LOAD_L2, STORE, LOAD_STORE, FLOWS };

// All four words count: a compiler loads no more than are used.
template <int FLOW> static __device__ __forceinline__ void move_16(char *at, uint32_t &sum)
{
    uint4 v;
    if (FLOW == LOAD_L1)
        asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at));
    else if (FLOW == LOAD_L2 || FLOW == LOAD_STORE)
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at));
    if (FLOW == STORE)
        asm volatile("st.global.cg.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(at), "r"(0x3f800000));
    else
        sum ^= v.x ^ v.y ^ v.z ^ v.w;
}

// --- instructions -----------------------------------------------------------------------------

enum { MULTIPLY_ADD, FUSED_FLOAT, FUSED_DOUBLE, SHIFT, SHARED_LOAD, L1_LOAD, L2_LOAD, CHAINS };

template <int CHAIN> static __device__ __forceinline__ void one_step(uint64_t &x)
{
    uint32_t low = (uint32_t)x;
    float f = __uint_as_float(low);
    double d = __longlong_as_double((long long)x);
    if (CHAIN == MULTIPLY_ADD) {
        asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(low));
        x = low;
    } else if (CHAIN == FUSED_FLOAT) {
        asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(f));
        x = __float_as_uint(f);
    } else if (CHAIN == FUSED_DOUBLE) {
        asm volatile("fma.rn.f64 %0, %0, %0, 0d3FE0000000000000;" : "+d"(d));
        x = (uint64_t)__double_as_longlong(d);
    } else if (CHAIN == SHIFT) {
        asm volatile("shf.l.wrap.b32 %0, %0, %0, %0;" : "+r"(low));
        x = low;
    } else if (CHAIN == SHARED_LOAD) {
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(low));
        x = low;
    } else if (CHAIN == L1_LOAD)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(x));
    else
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(x));
}

enum { STEPS_OF_ROUND = 256 };

// A round of them before the clock is read: instructions are there then, and lines.
template <int CHAIN> static __global__ void dependent(uint64_t *out, uint64_t x)
{
    __shared__ uint32_t cycle[64];
    uint64_t begin = 0;
    if (CHAIN == SHARED_LOAD) {
        for (uint32_t i = 0; i < 64; i++)
            cycle[i] = (uint32_t)__cvta_generic_to_shared(&cycle[(i + 29) % 64]);
        x = (uint32_t)__cvta_generic_to_shared(cycle);
    }
    for (int round = 0; round < 17; round++) {
        if (round == 1)
            begin = cycles();
#pragma unroll 256
        for (int i = 0; i < STEPS_OF_ROUND; i++)
            one_step<CHAIN>(x);
    }
    out[1] = x; // needs the last of them
    out[0] = cycles() - begin;
}

template <int CHAIN> static double chain_cycles(uint64_t seed)
{
    mirrored<uint64_t> out(2);
    std::vector<double> each;
    CHECK(
        cudaFuncSetAttribute(dependent<CHAIN>, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    for (int run = 0; run < 9; run++) {
        dependent<CHAIN><<<1, 1>>>(out.at, seed);
        out.fetch();
        each.push_back(out.host[0] / (16.0 * STEPS_OF_ROUND));
    }
    return median_of(each);
}

static double l1_chase; // cycles from load to use

static void measure_chains(const gpu &gpu)
{
    std::vector<uint64_t> lines(64 * 16);
    for (size_t i = 0; i < 64; i++)
        lines[16 * i] = (uint64_t)(gpu.pool + (i + 29) % 64 * LINE);
    CHECK(cudaMemcpy(gpu.pool, lines.data(), lines.size() * 8, cudaMemcpyHostToDevice));
    add_input("dependent.imad", chain_cycles<MULTIPLY_ADD>(3), "cycles",
              "4096 that each need the one before");
    add_input("dependent.ffma", chain_cycles<FUSED_FLOAT>(0x3f000000), "cycles", "the same");
    add_input("dependent.shift", chain_cycles<SHIFT>(3), "cycles", "the same");
    add_input("dependent.dfma", chain_cycles<FUSED_DOUBLE>(0x3fe0000000000000ull), "cycles",
              "the same");
    add_input("latency.shared", chain_cycles<SHARED_LOAD>(0), "cycles", "pointers in 64 words");
    l1_chase = chain_cycles<L1_LOAD>((uint64_t)gpu.pool);
    add_input("latency.l1", l1_chase, "cycles", "pointers in 64 lines, ld.ca");
    add_input("latency.l2.chase", chain_cycles<L2_LOAD>((uint64_t)gpu.pool), "cycles",
              "the same lines, ld.cg, from one SM");
}

// Special registers as a kernel reads them, at its begin: clock, both registers, an address, clock.
enum { REGISTERS, SPECIALS, ARGUMENTS, ADDRESS };

template <int READS> static __global__ void read_special(uint64_t *out, remainder_by by)
{
    uint32_t thread, block;
    uint64_t begin = cycles(), end;
    if (READS == SPECIALS || READS == ADDRESS) {
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread)::"memory");
        asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block)::"memory");
    } else {
        thread = (uint32_t)begin & 31;
        block = (uint32_t)begin >> 5;
    }
    if (READS == ARGUMENTS)
        thread ^= by.n;
    if (READS == ADDRESS) {
        uint32_t i = block * blockDim.x + thread;
        end = clock_after(
            (uint32_t)(size_t)(out + (i - (__umulhi(i, by.multiplier) >> by.shift) * by.n)));
    } else
        end = clock_after(block * 96 + thread);
    if (threadIdx.x == 0)
        out[blockIdx.x] = end - begin;
}

static void measure_special(const gpu &gpu)
{
    const int blocks = 64 * gpu.is.multiProcessorCount;
    static const struct {
        void (*kernel)(uint64_t *, remainder_by);
        const char *key, *how;
    } reads[] = {
        {read_special<REGISTERS>, "special.none",
         "clock; a multiply-add of registers; a branch that needs it; clock: median of blocks of "
         "32"},
        {read_special<SPECIALS>, "special.registers", "the same of tid.x and ctaid.x"},
        {read_special<ARGUMENTS>, "special.argument", "the same of registers and an argument"},
        {read_special<ADDRESS>, "special.address",
         "from a kernel's first clock to the address of its access as in occupancy"}};
    mirrored<uint64_t> out(blocks);
    for (const auto &read : reads) {
        for (int run = 0; run < 2; run++)
            read.kernel<<<blocks, 32>>>(out.at, remainder_make(1 << 30));
        out.fetch();
        add_input(read.key, median_of(std::vector<double>(out.host.begin(), out.host.end())),
                  "cycles", read.how);
    }
}

// --- single loads: from each SM, of each of some lines ----------------------------------------

enum { LINES = 256, SPREAD_BYTES = 8 << 20 };

// `at` is what the load needs, and what the next one of the same place needs of this one: compilers
// leave all of them.
template <bool L1> static __device__ __forceinline__ float load_cycles(const char *&at)
{
    uint32_t x;
    uint64_t begin = cycles();
    if (L1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
    else
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
    uint64_t end = clock_after(x);
    at += x == 0x7ffffffe;
    return (float)(end - begin);
}

// On one SM: each line so many times, the last of which counts. -1: L1.
static __global__ void load_lines(const char *pool, const uint32_t *lines, uint32_t sm, int times,
                                  float *out, uint32_t *claims)
{
    if (sm_number() != sm || !first_of_sm(claims, sm) || threadIdx.x)
        return;
    __shared__ float taken[LINES];
    // Pages, and what the loop itself needs.
    for (int i = 0; i < SPREAD_BYTES >> 20; i++) {
        const char *at = pool + ((size_t)i << 20);
        taken[i] = load_cycles<false>(at);
    }
    for (int i = 0; i < LINES; i++) {
        const char *at = pool + (size_t)lines[i] * LINE;
        for (int k = 0; k < times; k++)
            taken[i] = load_cycles<false>(at);
        if (times < 0)
            for (int k = 0; k < 3; k++)
                taken[i] = load_cycles<true>(at);
    }
    for (int i = 0; i < LINES; i++)
        out[i] = taken[i];
}

static __global__ void read_all(const float4 *from, size_t n, float *out)
{
    float sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += from[i].x;
    if (sum == -1)
        *out = sum;
}

static void flush_l2(const gpu &gpu)
{
    const size_t bytes = 512u << 20;
    read_all<<<4 * gpu.is.multiProcessorCount, 512>>>((const float4 *)(gpu.pool + bytes),
                                                      bytes / 16, (float *)gpu.pool);
}

// SMs of one side of the L2 read an array once: each 256 KiB of its own.
static __global__ void __launch_bounds__(1024, 1)
    read_side(char *from, const uint32_t *rank, uint64_t *taken, uint32_t *claims)
{
    uint32_t sm = sm_number();
    if (rank[sm] == ~0u || !first_of_sm(claims, sm))
        return;
    char *at = from + rank[sm] * (size_t)262144 + threadIdx.x * 16;
    uint32_t sum = 0;
    __syncthreads();
    uint64_t begin = cycles();
    for (int half = 0; half < 2; half++) {
        uint32_t part[8] = {};
#pragma unroll
        for (int u = 0; u < 8; u++)
            move_16<LOAD_L2>(at + half * 131072 + u * 16384, part[u]);
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= part[u];
    }
    if (sum == 0x12345678)
        taken[0] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        taken[sm] = cycles() - begin;
}

struct spread {
    mirrored<uint32_t> lines{LINES}, claims{1024};
    mirrored<float> taken{LINES};
    FILE *file;
    double overhead; // of the clocks around a load
};

static std::vector<double> from_sm(const gpu &gpu, spread &s, int sm, int times)
{
    s.claims.put();
    load_lines<<<4 * gpu.is.multiProcessorCount, 512>>>(gpu.pool, s.lines.at, sm, times, s.taken.at,
                                                        s.claims.at);
    s.taken.fetch();
    std::vector<double> out;
    for (float t : s.taken.host)
        out.push_back(t - s.overhead);
    return out;
}

static void add_spread(const spread &s, const char *kind, int reader, int sm,
                       const std::vector<double> &taken)
{
    fprintf(s.file, "%s,%d,%d", kind, reader, sm);
    for (double t : taken)
        fprintf(s.file, ",%.0f", t);
    fprintf(s.file, "\n");
}

static void summarise(const char *name, std::vector<double> all, const char *how)
{
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (double t : all)
        sum += t;
    const double shares[] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
    add_input((std::string(name) + ".mean").c_str(), sum / all.size(), "cycles", how);
    for (double q : shares) {
        char key[96];
        snprintf(key, sizeof key, "%s.p%.0f", name, 100 * q);
        add_input(key, all[(size_t)(q * (all.size() - 1))], "cycles", how);
    }
}

// Rounds of all SMs of a side: memory, what the own side has, what the other side has read.
static void add_sides(const gpu &gpu, const std::vector<int> &side)
{
    const int sms = gpu.is.multiProcessorCount;
    mirrored<uint32_t> rank(sms), claims(sms);
    mirrored<uint64_t> taken(sms);
    const char *names[] = {"side.memory", "side.again", "side.other"};
    std::vector<double> rates[3];
    int counts[2] = {};
    auto round = [&](int of) {
        int n = 0;
        for (int sm = 0; sm < sms; sm++)
            rank.host[sm] = side[sm] == of ? n++ : ~0u;
        rank.put();
        claims.put();
        read_side<<<4 * sms, 1024>>>(gpu.pool, rank.at, taken.at, claims.at);
        taken.fetch();
        std::vector<double> each;
        for (int sm = 0; sm < sms; sm++)
            if (side[sm] == of)
                each.push_back((double)taken.host[sm]);
        counts[of] = n;
        return 262144.0 * n / *std::max_element(each.begin(), each.end());
    };
    for (int run = 0; run < 10; run++)
        for (int of = 0; of < 2; of++) {
            flush_l2(gpu);
            rates[0].push_back(round(of));
            rates[1].push_back(round(of));
            rates[2].push_back(round(1 - of));
        }
    for (int i = 0; i < 3; i++)
        add_input(names[i], median_of(rates[i]), "B/cycle",
                  "SMs of one side read 256 KiB each once: from memory; again; by the other side "
                  "for the first time");
    add_input("side.sms.0", counts[0], "SMs",
              "on the side of SM 0: near hits of what it has read alone");
    add_input("side.sms.1", counts[1], "SMs", "the others");
}

static void measure_spread(const gpu &gpu)
{
    spread s;
    std::vector<double> again, memory, first;
    s.file = open_file(gpu, "spread", "kind,reader,sm,cycles_of_256_lines");
    for (uint32_t &line : s.lines.host) // odd: pages are touched at even ones
        line = (uint32_t)(random_next() % (SPREAD_BYTES / LINE)) | 1;
    s.lines.put();
    s.overhead = 0;
    std::vector<double> l1 = from_sm(gpu, s, 0, -1);
    s.overhead = median_of(l1) - l1_chase;
    add_input("clock.overhead", s.overhead, "cycles",
              "a load that hits L1 between two clocks less one of a chase");
    for (int sm = 0; sm < gpu.is.multiProcessorCount; sm++) {
        std::vector<double> t = from_sm(gpu, s, sm, 3);
        add_spread(s, "again", sm, sm, t);
        again.insert(again.end(), t.begin(), t.end());
        flush_l2(gpu);
        t = from_sm(gpu, s, sm, 1);
        add_spread(s, "memory", sm, sm, t);
        memory.insert(memory.end(), t.begin(), t.end());
    }
    summarise("latency.l2.again", again,
              "each SM x 256 lines of 8 MiB, ld.cg, the third load of one SM");
    summarise("latency.memory", memory, "each SM x 256 lines of 8 MiB, after 512 MiB were read");
    // What one SM has read, another one reads for the first time.
    std::vector<int> side(gpu.is.multiProcessorCount, 0);
    std::vector<double> near_hits, far_hits;
    for (int reader = 0; reader < gpu.is.multiProcessorCount;
         reader += gpu.is.multiProcessorCount / 2 + 1)
        for (int sm = 0; sm < gpu.is.multiProcessorCount; sm++) {
            flush_l2(gpu);
            from_sm(gpu, s, reader, 1);
            std::vector<double> t = from_sm(gpu, s, sm, 1);
            add_spread(s, "first", reader, sm, t);
            first.insert(first.end(), t.begin(), t.end());
            std::sort(t.begin(), t.end());
            bool other = t[LINES * 9 / 10] > 1.25 * t[LINES / 4];
            if (reader == 0)
                side[sm] = other;
            for (double cycles : t)
                if (cycles < 1.25 * t[LINES / 4])
                    near_hits.push_back(cycles);
                else
                    far_hits.push_back(cycles);
        }
    if (*std::max_element(side.begin(), side.end()) > 0) {
        summarise("latency.l2.near", near_hits,
                  "of those up to 1.25 of the lower quartile of an SM");
        summarise("latency.l2.far", far_hits, "the others");
        add_sides(gpu, side);
    }
    summarise("latency.l2.first", first, "the first load of an SM of what another one has read");
    fclose(s.file);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of a machine file, the second half: turn-over of blocks, launches, bandwidths.
#pragma once

// --- blocks -----------------------------------------------------------------------------------

struct stamp {
    uint64_t begin, last, end; // clocks: first warp's, last warp's first instruction; before exit
    uint32_t sm;
};

// A block works for `wait` cycles and up to as many again as `spread` says; with `writes`, each
// thread makes a store behind the last clock.
static __global__ void stamped(stamp *out, uint32_t wait, uint32_t spread, double *writes)
{
    extern __shared__ unsigned long long last[];
    uint64_t begin = cycles();
    if (threadIdx.x == 0)
        *last = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicMax(last, (unsigned long long)begin);
    uint32_t more = spread ? blockIdx.x * 2654435761u % spread : 0;
    double *mine = writes ? writes + blockIdx.x * (size_t)blockDim.x + threadIdx.x : NULL;
    while (cycles() - begin < wait + more)
        ;
    __syncthreads();
    stamp *s = &out[blockIdx.x];
    if (threadIdx.x == 0) {
        s->begin = begin;
        s->last = *last;
        s->sm = sm_number();
    }
    uint64_t end = cycles();
    if (writes)
        *mine = 1;
    if (threadIdx.x == 0)
        s->end = end;
}

struct turnover_case {
    int threads, resident;
    uint32_t spread; // 0: all blocks end together
    bool writes;
};

static void add_turnover(const gpu &gpu, const turnover_case &c)
{
    const int rounds = 40, wait = 3000;
    const int sms = gpu.is.multiProcessorCount, blocks = rounds * c.resident * sms;
    mirrored<stamp> out(blocks);
    occupancy held = {c.threads, c.resident};
    int shared = shared_for(gpu, stamped, held);
    for (int run = 0; run < 2; run++) {
        stamped<<<blocks, c.threads, shared>>>(out.at, wait, c.spread,
                                               c.writes ? (double *)gpu.pool : NULL);
        out.fetch();
    }
    std::vector<double> turns, warps;
    for (int sm = 0; sm < sms; sm++) {
        std::vector<double> begins, ends;
        for (const stamp &b : out.host)
            if ((int)b.sm == sm) {
                begins.push_back((double)b.begin);
                ends.push_back((double)b.end);
                warps.push_back((double)(b.last - b.begin));
            }
        std::sort(begins.begin(), begins.end());
        std::sort(ends.begin(), ends.end());
        for (size_t i = c.resident; i + c.resident < ends.size(); i++)
            turns.push_back(begins[i + c.resident] - ends[i]);
    }
    char key[96], how[192];
    std::sort(turns.begin(), turns.end());
    snprintf(how, sizeof how,
             "from a block's last clock to the first of the next one; %d of %d threads an SM%s%s",
             c.resident, c.threads, c.spread ? "" : "; all end together",
             c.writes ? "; each thread writes behind its clock" : "");
    const char *kinds[] = {"", ".together", ".writes", ".writes.together"};
    const char *kind = kinds[(c.spread ? 0 : 1) + (c.writes ? 2 : 0)];
    snprintf(key, sizeof key, "turnover%s.%dx%d", kind, c.threads, c.resident);
    add_input(key, median_of(turns), "cycles", how);
    snprintf(key, sizeof key, "turnover%s.%dx%d.p10", kind, c.threads, c.resident);
    add_input(key, turns[turns.size() / 10], "cycles", how);
    snprintf(key, sizeof key, "turnover%s.%dx%d.p90", kind, c.threads, c.resident);
    add_input(key, turns[turns.size() * 9 / 10], "cycles", how);
    snprintf(key, sizeof key, "warps%s.%dx%d", kind, c.threads, c.resident);
    add_input(key, median_of(warps), "cycles",
              "from the first clock of the first thread to the latest first clock of a warp");
}

static __global__ void nothing(void)
{
}
static __global__ void scale_small(double *a, const double *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 0.5 * b[i];
}

static void measure_blocks(const gpu &gpu)
{
    static const int threads[] = {32, 96, 256, 512, 1024};
    for (int t : threads)
        for (int resident = 1; resident <= 2; resident++)
            for (int kind = 0; kind < 4; kind++)
                add_turnover(gpu, {t, resident, kind & 1 ? 0u : 2000u, (kind & 2) != 0});
    add_turnover(gpu, {32, 16, 2000, false});
    add_turnover(gpu, {128, 16, 2000, false});
    add_turnover(gpu, {256, 8, 2000, false});
    static const int sizes[] = {32, 64, 128, 256, 512, 1024};
    for (int t : sizes) {
        char key[64];
        const int blocks = 1 << 20;
        auto launch = [&] { nothing<<<blocks, t>>>(); };
        time_of(launch);
        snprintf(key, sizeof key, "dispatch.%d", t);
        add_input(key, median_time_of(5, launch) * 1e6 / blocks, "ns/block",
                  "2^20 blocks without instructions, all SMs");
    }
}

static void measure_launches(const gpu &gpu)
{
    const int launches = 10000;
    double *a = (double *)gpu.pool, *b = a + 8192;
    auto empty = [&] {
        for (int i = 0; i < launches; i++)
            nothing<<<1, 32>>>();
    };
    auto all = [&] {
        for (int i = 0; i < launches; i++)
            nothing<<<gpu.is.multiProcessorCount, 256>>>();
    };
    auto small = [&] {
        for (int i = 0; i < launches; i++)
            scale_small<<<32, 256>>>(a, b);
    };
    auto one = [&] { nothing<<<1, 32>>>(); };
    time_of(empty);
    add_input("launch.empty", median_time_of(3, empty) * 1e3 / launches, "us",
              "10000 of one empty warp, one behind another");
    add_input("launch.all", median_time_of(3, all) * 1e3 / launches, "us",
              "10000 of an empty block of 256 an SM");
    add_input("launch.scale", median_time_of(3, small) * 1e3 / launches, "us",
              "10000 that scale 64 KiB");
    add_input("launch.events", median_time_of(200, one) * 1e3, "us",
              "one empty warp between two events");
    add_input("launch.no_kernel", median_time_of(200, [] {}) * 1e3, "us", "two events");
    const int queued = 400; // behind a kernel that lasts until all of them are there
    auto empty_queued = [&] {
        for (int i = 0; i < queued; i++)
            nothing<<<1, 32>>>();
    };
    auto small_queued = [&] {
        for (int i = 0; i < queued; i++)
            scale_small<<<32, 256>>>(a, b);
    };
    add_input("launch.queued.empty", queued_time_of(queued, empty_queued) * 1e3 / queued, "us",
              "400 of one empty warp that wait in a queue already");
    add_input("launch.queued.scale", queued_time_of(queued, small_queued) * 1e3 / queued, "us",
              "400 that scale 64 KiB");
    std::vector<double> events[3];
    for (int i = 0; i < 50; i++) {
        events[0].push_back(queued_time_of(1, [] {}));
        events[1].push_back(queued_time_of(1, one));
        events[2].push_back(queued_time_of(1, [&] { scale_small<<<32, 256>>>(a, b); }));
    }
    add_input("launch.queued.no_kernel", median_of(events[0]) * 1e3, "us", "two events in a queue");
    add_input("launch.queued.events", median_of(events[1]) * 1e3, "us",
              "one empty warp between two events in a queue");
    add_input("launch.queued.scale_events", median_of(events[2]) * 1e3, "us",
              "one that scales 64 KiB between two events in a queue");
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    for (int kind = 0; kind < 2; kind++) {
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < 1000; i++)
            if (kind)
                scale_small<<<32, 256, 0, stream>>>(a, b);
            else
                nothing<<<1, 32, 0, stream>>>();
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        auto replay = [&] { CHECK(cudaGraphLaunch(exec, 0)); };
        time_of(replay);
        add_input(kind ? "launch.graph.scale" : "launch.graph.empty", median_time_of(5, replay),
                  "us", "1000 of a graph, one behind another");
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
    CHECK(cudaStreamDestroy(stream));
}

// --- bandwidths -------------------------------------------------------------------------------

// SMs first, first + step, ... (count of them; a block each) go over a set of their own or all over
// one, of a multiple of 128 KiB.
struct flow {
    char *pool;
    size_t set_bytes; // of an SM
    bool own;
    uint32_t first, step, count, passes;
    uint64_t *out;    // cycles of each SM
    uint64_t *ns;     // begin and end
    uint32_t *claims; // first_of_sm
};

template <int FLOW> static __global__ void __launch_bounds__(1024, 1) move_sets(flow f)
{
    uint32_t sm = sm_number(), rank = (sm - f.first) / f.step;
    if (sm < f.first || (sm - f.first) % f.step || rank >= f.count || !first_of_sm(f.claims, sm))
        return;
    char *set = f.pool + (f.own ? rank * f.set_bytes : 0);
    // One set for all: each SM begins elsewhere.
    size_t turn = f.own ? 0 : f.set_bytes / f.count * rank / 131072 * 131072;
    uint32_t sum = 0;
    uint64_t begin = 0;
    for (uint32_t pass = 0; pass <= f.passes; pass++) {
        if (pass == 1) {
            __syncthreads();
            if (threadIdx.x == 0)
                f.ns[2 * sm] = nanoseconds();
            begin = cycles();
        }
        for (size_t base = 0; base < f.set_bytes; base += 131072) {
            size_t at = base + turn < f.set_bytes ? base + turn : base + turn - f.set_bytes;
#pragma unroll
            for (int u = 0; u < 8; u++) {
                char *mine = set + at + u * 16384 + threadIdx.x * 16;
                if (FLOW == LOAD_STORE && u % 2)
                    move_16<STORE>(mine, sum);
                else
                    move_16<FLOW>(mine, sum);
            }
        }
    }
    if (sum == 0x12345678)
        f.out[0] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        f.out[sm] = cycles() - begin;
        f.ns[2 * sm + 1] = nanoseconds();
    }
}

// B/cycle of an SM, the median one; GB/s of all of them.
template <int FLOW> static void add_flow(const gpu &gpu, const char *key, flow f, const char *how)
{
    const int sms = gpu.is.multiProcessorCount;
    mirrored<uint64_t> out(sms), ns(2 * sms);
    mirrored<uint32_t> claims(sms);
    f.claims = claims.at;
    f.pool = gpu.pool;
    f.out = out.at;
    f.ns = ns.at;
    int shared = (int)gpu.is.sharedMemPerMultiprocessor / 2 + 1024;
    if (FLOW == LOAD_L1)
        shared = 0;
    else
        CHECK(cudaFuncSetAttribute(move_sets<FLOW>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared));
    CHECK(cudaFuncSetAttribute(move_sets<FLOW>, cudaFuncAttributePreferredSharedMemoryCarveout,
                               FLOW == LOAD_L1 ? 0 : 100));
    move_sets<FLOW><<<4 * sms, 1024, shared>>>(f);
    out.fetch();
    ns.fetch();
    std::vector<double> each;
    uint64_t first = ~0ull, last = 0;
    for (int sm = 0; sm < sms; sm++)
        if (out.host[sm]) {
            each.push_back((double)f.set_bytes * f.passes / out.host[sm]);
            first = std::min(first, ns.host[2 * sm]);
            last = std::max(last, ns.host[2 * sm + 1]);
        }
    if (each.empty())
        return;
    std::string name = key;
    add_input(name.c_str(), median_of(each), "B/cycle", how);
    add_input((name + ".least").c_str(), *std::min_element(each.begin(), each.end()), "B/cycle",
              how);
    add_input((name + ".all").c_str(),
              (double)f.set_bytes * f.passes * each.size() / (last - first), "GB/s", how);
    add_input((name + ".sms").c_str(), (double)each.size(), "SMs", how);
}

static void measure_flows(const gpu &gpu)
{
    const uint32_t sms = gpu.is.multiProcessorCount;
    const size_t small = 1 << 20;
    flow one = {NULL, small, true, 0, 1, 1, 200, NULL, NULL, NULL};
    flow pair = {NULL, small, true, 0, 1, 2, 200, NULL, NULL, NULL};
    flow apart = {NULL, small, true, 0, sms / 2, 2, 200, NULL, NULL, NULL};
    flow all = {NULL, 131072, true, 0, 1, sms, 1600, NULL, NULL, NULL};
    flow l1 = {NULL, 131072, true, 0, 1, 1, 2000, NULL, NULL, NULL};
    add_flow<LOAD_L1>(gpu, "l1.read", l1, "one SM, 128 KiB, 16 B a thread");
    add_flow<LOAD_L2>(gpu, "l2.read.one", one,
                      "one SM of one block of 1024, ld.cg of 16 B, 8 in flight a thread, 1 MiB");
    add_flow<LOAD_L2>(gpu, "l2.read.pair", pair, "SMs 0 and 1, each 1 MiB of its own");
    add_flow<LOAD_L2>(gpu, "l2.read.apart", apart, "SMs 0 and the middle one");
    add_flow<LOAD_L2>(gpu, "l2.read.all", all, "all SMs, each 128 KiB of its own");
    add_flow<STORE>(gpu, "l2.write.one", one, "as reads, st.cg");
    add_flow<STORE>(gpu, "l2.write.pair", pair, "as reads, st.cg");
    add_flow<STORE>(gpu, "l2.write.all", all, "as reads, st.cg");
    add_flow<LOAD_STORE>(gpu, "l2.both.one", one, "a load and a store in turn");
    add_flow<LOAD_STORE>(gpu, "l2.both.all", all, "a load and a store in turn");
    for (uint32_t n = 2; n < sms; n = n * 3 / 2 + 1) {
        flow some = {NULL, 262144, true, 0, 1, n, 800, NULL, NULL, NULL};
        add_flow<LOAD_L2>(gpu, ("l2.read.first." + std::to_string(n)).c_str(), some,
                          "the first so many SMs, each 256 KiB of its own");
    }
    for (size_t mib = 2; mib <= 96; mib += mib < 16 ? mib : mib < 64 ? 8 : 32) {
        flow shared = {NULL, mib << 20, false, 0, 1, sms, (uint32_t)std::max<size_t>(4, 128 / mib),
                       NULL, NULL,      NULL};
        add_flow<LOAD_L2>(gpu, ("l2.read.shared." + std::to_string(mib)).c_str(), shared,
                          "all SMs over one set of so many MiB, each from elsewhere on");
    }
}

// Reads and writes of 16 B by all SMs: so many arrays of each.
template <int READS, int WRITES>
static __global__ void __launch_bounds__(512, 4) mix(char *pool, size_t array, size_t n)
{
    uint32_t sum = 0;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += 2 * stride) {
#pragma unroll
        for (int r = 0; r < READS; r++) {
            move_16<LOAD_L2>(pool + r * array + i * 16, sum);
            if (i + stride < n)
                move_16<LOAD_L2>(pool + r * array + (i + stride) * 16, sum);
        }
#pragma unroll
        for (int w = 0; w < WRITES; w++) {
            move_16<STORE>(pool + (READS + w) * array + i * 16, sum);
            if (i + stride < n)
                move_16<STORE>(pool + (READS + w) * array + (i + stride) * 16, sum);
        }
    }
    if (sum == 0x12345678)
        *pool = 0;
}

template <int READS, int WRITES> static void add_mix(const gpu &gpu, const char *key)
{
    const size_t array = std::min<size_t>(4ull << 30, gpu.pool_bytes / 4 / 4096 * 4096),
                 n = array / 16;
    auto launch = [&] {
        mix<READS, WRITES><<<4 * gpu.is.multiProcessorCount, 512>>>(gpu.pool, array, n);
    };
    time_of(launch);
    add_input(key, (READS + WRITES) * array / median_time_of(5, launch) / 1e6, "GB/s",
              "arrays of 4 GiB, 16 B a thread, 2048 threads an SM");
}

// One SM reads memory or the L2: so many warps, each with so many loads of 512 B in flight.
template <int LOADS, int FLOW>
static __global__ void __launch_bounds__(1024, 1)
    in_flight(char *from, size_t warp_bytes, uint64_t *out, uint32_t *claims)
{
    if (sm_number() != 0 || !first_of_sm(claims, 0))
        return;
    char *at = from + threadIdx.x / 32 * warp_bytes + threadIdx.x % 32 * 16;
    uint32_t sum = 0;
    __syncthreads();
    uint64_t begin = cycles();
#pragma unroll 1
    for (size_t base = 0; base < warp_bytes; base += LOADS * 512) {
        uint32_t part[LOADS] = {};
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            move_16<FLOW>(at + base + u * 512, part[u]);
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            sum ^= part[u];
    }
    if (sum == 0x12345678)
        out[1] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = cycles() - begin;
}

template <int LOADS, int FLOW> static void add_in_flight(const gpu &gpu)
{
    mirrored<uint64_t> out(2);
    mirrored<uint32_t> claims(1);
    for (int memory = 0; memory < 2; memory++)
        for (int warps = 1; warps <= 32; warps *= 2) {
            // Memory: what none has read since the L2 was flushed. The L2: what was just read.
            const size_t bytes = memory ? 8u << 20 : 1u << 20, warp_bytes = bytes / warps;
            std::vector<double> each;
            for (int run = 0; run < 3; run++) {
                if (memory)
                    flush_l2(gpu);
                for (int pass = memory; pass < 2; pass++) {
                    claims.put();
                    in_flight<LOADS, FLOW><<<4 * gpu.is.multiProcessorCount, 32 * warps>>>(
                        gpu.pool, warp_bytes, out.at, claims.at);
                }
                out.fetch();
                each.push_back((double)bytes / out.host[0]);
            }
            char key[64];
            snprintf(key, sizeof key, "in_flight.%s%s.%dx%d", memory ? "memory" : "l2",
                     FLOW == LOAD_L1 ? ".kept" : "", warps, LOADS);
            add_input(key, median_of(each), "B/cycle",
                      "one SM: warps x loads of 512 B that each has under way; kept: ld.ca, L1 "
                      "keeps them");
        }
}

static void measure_inputs(const gpu &gpu)
{
    inputs = open_file(gpu, "inputs", "quantity,value,unit,how");
    measure_chains(gpu);
    measure_special(gpu);
    measure_spread(gpu);
    measure_blocks(gpu);
    measure_launches(gpu);
    measure_flows(gpu);
    add_mix<1, 0>(gpu, "memory.read");
    add_mix<0, 1>(gpu, "memory.write");
    add_mix<1, 1>(gpu, "memory.1read.1write");
    add_mix<2, 1>(gpu, "memory.2reads.1write");
    add_mix<3, 1>(gpu, "memory.3reads.1write");
    add_mix<1, 2>(gpu, "memory.1read.2writes");
    add_in_flight<1, LOAD_L2>(gpu);
    add_in_flight<1, LOAD_L1>(gpu);
    add_in_flight<2, LOAD_L2>(gpu);
    add_in_flight<2, LOAD_L1>(gpu);
    add_in_flight<4, LOAD_L2>(gpu);
    add_in_flight<4, LOAD_L1>(gpu);
    add_in_flight<8, LOAD_L2>(gpu);
    add_in_flight<8, LOAD_L1>(gpu);
    measure_lookups(gpu);
    measure_loaded(gpu);
    fclose(inputs);
    refill(gpu);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses a second through the stack-distance engine and through the whole
 * pass, the best of a few rounds; look-ups in curves; loading of a stored profile. The
 * reference is the textbook way: a Fenwick tree over time, with the same table
 * of lines. libCacheSim's splay tree is published at 0.65 to 1.2 M accesses/s. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "profile/curves/distances.h"
#include "profile/curves/line_sample.h"
#include "profile/curves/line_table.h"
#include "profile/record/profile.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* --- one scope ----------------------------------------------------------------- */

enum { LINES = 1000000, ACCESSES = 16000000, BATCH = 256 };
enum pattern { SWEEP, RANDOM, SKEWED, PATTERNS };
static const char *const pattern_names[] = {"sweep", "random", "skewed"};

static uint64_t pattern_line(enum pattern pattern, uint64_t i, uint64_t *state)
{
    double u = (double)(random_next(state) >> 11) * 0x1p-53;
    return (uint64_t)(pattern == SWEEP    ? (double)(i % LINES)
                      : pattern == RANDOM ? u * LINES
                                          : u * u * u * u * LINES);
}

/* Distances of all lines; of 1/16 of them, with a table of all, as the pass has it; of 1/16,
 * of which alone anything is known. */
enum taken { ALL_LINES, SAMPLE_OF_ALL, SAMPLE_ALONE, TAKEN };
static const double rates[TAKEN] = {1, 1.0 / 16, 1.0 / 16};

/* A table of lines and one kind of cache, as the pass has them. */
static void engine_batch(struct line_table *lines, struct line_sample *sample,
                         struct distances *distances, struct request *batch, int n)
{
    for (int i = 0; i < n; i++) {
        batch[i].hash = line_table_hash(batch[i].line);
        line_table_prefetch(lines, batch[i].hash);
    }
    size_t end;
    for (int i = 0; i < n; i++)
        batch[i].id = line_table_guess(lines, batch[i].hash, &end);
    for (int i = 0; i < n; i++) {
        struct request *r = &batch[i];
        bool fresh = false;
        if (r->id == LINE_NONE || line_table_at(lines, r->id)->number != r->line)
            r->id = line_table_put(lines, r->line, r->hash, &fresh);
        if (fresh && sample)
            line_sample_add(sample, r->line);
    }
    for (int i = 0; sample && i < n; i++) {
        batch[i].id = line_sample_number(sample, batch[i].id);
        batch[i].share = (uint32_t)sample->shards.share;
    }
    if (sample)
        distances_sample(distances, &sample->shards);
    distances_take(distances, batch, (size_t)n);
}

/* Other load on a machine only slows down: of a few rounds, the best counts. */
enum { ROUNDS = 3 };

static double best(double so_far, double value)
{
    return value > so_far ? value : so_far;
}

/* Seconds that the pattern itself takes. */
static double pattern_seconds(enum pattern pattern)
{
    uint64_t state = 88172645463325252ULL, sum = 0;
    double start = clock_seconds();
    for (uint64_t i = 0; i < ACCESSES; i++)
        sum += pattern_line(pattern, i, &state);
    double seconds = clock_seconds() - start;
    return sum == 1 ? 0 : seconds;
}

static double engine_rate(enum pattern pattern, enum taken taken, double *bytes_per_line,
                          uint64_t *cold)
{
    static const struct system system = {.chips = 1,
                                         .partitions = 1,
                                         .domains = 1,
                                         .sms_per_chip = 1,
                                         .sms_per_domain = 1,
                                         .sms = 1,
                                         .sectors = 1,
                                         .n_levels = 2};
    struct cache_kind kind = {SCOPE_CHIP, SIDE_HOME, CACHE_ALL};
    struct line_table lines;
    struct distances *distances = distances_create(&system, kind);
    struct request batch[BATCH];
    struct line_sample sample;
    uint64_t state = 88172645463325252ULL;
    line_table_init(&lines);
    line_sample_init(&sample, rates[taken]);
    if (taken == SAMPLE_ALONE)
        distances_sample(distances, &sample.shards);
    double start = clock_seconds();
    for (uint64_t i = 0; i < ACCESSES; i += BATCH) {
        int n = 0;
        for (uint64_t k = 0; k < BATCH; k++) {
            uint64_t line = pattern_line(pattern, i + k, &state);
            if (taken == SAMPLE_ALONE && !shards_takes(&sample.shards, line))
                continue;
            batch[n++] = (struct request){.line = line,
                                          .wanted = 1,
                                          .sectors = 1,
                                          .home_sectors = 1,
                                          .share = (uint32_t)sample.shards.share,
                                          .kind = ACCESS_READ};
        }
        engine_batch(&lines, taken == SAMPLE_OF_ALL ? &sample : NULL, distances, batch, n);
    }
    double seconds = clock_seconds() - start - pattern_seconds(pattern);
    *bytes_per_line = (double)(line_table_bytes(&lines) + distances_bytes(distances)) / lines.count;
    *cold = distances_counts(distances)->parts[DISTANCE_READS].cold;
    distances_destroy(distances);
    line_sample_fini(&sample);
    line_table_fini(&lines);
    return ACCESSES / seconds;
}

/* A quarter of the accesses: its tree grows with time. */
static double fenwick_rate(enum pattern pattern)
{
    enum { N = ACCESSES / 4 };
    struct line_table lines;
    uint64_t state = 88172645463325252ULL, sum = 0;
    uint32_t *tree = memory_zero(N + 1, sizeof *tree), *slots = memory_zero(LINES, sizeof *slots);
    line_table_init(&lines);
    double start = clock_seconds();
    for (uint32_t now = 1; now <= N; now++) {
        uint64_t number = pattern_line(pattern, now, &state), hash = line_table_hash(number);
        bool fresh;
        uint32_t id = line_table_put(&lines, number, hash, &fresh);
        uint32_t *last = &slots[id];
        if (*last) {
            for (uint32_t t = now; t > 0; t &= t - 1)
                sum += tree[t];
            for (uint32_t t = *last; t > 0; t &= t - 1)
                sum -= tree[t];
            for (uint32_t t = *last; t <= N; t += t & (0 - t))
                tree[t]--;
        }
        for (uint32_t t = now; t <= N; t += t & (0 - t))
            tree[t]++;
        *last = now;
    }
    double seconds = clock_seconds() - start;
    free(tree);
    free(slots);
    line_table_fini(&lines);
    return sum == 1 ? 0 : N / seconds;
}

static void bench_engine(void)
{
    printf("stack distances, one scope, %d lines (reach: 20 M accesses/s)\n", LINES);
    for (enum pattern p = 0; p < PATTERNS; p++) {
        double bytes, reference = 0, rate = 0, sampled = 0, alone = 0;
        uint64_t cold;
        for (int i = 0; i < ROUNDS; i++) {
            reference = best(reference, fenwick_rate(p));
            sampled = best(sampled, engine_rate(p, SAMPLE_OF_ALL, &bytes, &cold));
            alone = best(alone, engine_rate(p, SAMPLE_ALONE, &bytes, &cold));
            rate = best(rate, engine_rate(p, ALL_LINES, &bytes, &cold));
        }
        printf(
            "  %-8s %6.1f M/s  %5.1f x a Fenwick tree (%.1f M/s)  %.0f bytes a line, %llu lines\n",
            pattern_names[p], rate / 1e6, rate / reference, reference / 1e6, bytes,
            (unsigned long long)cold);
        printf("  %-8s 1/16 of the lines: %.1f M/s (%.1f x) with a table of all, %.1f M/s (%.1f x) "
               "without (reach: 60)\n",
               "", sampled / 1e6, sampled / rate, alone / 1e6, alone / rate);
    }
}

/* --- the whole pass -------------------------------------------------------------- */

/* A kernel of 4096 blocks of 8 warps whose warps make accesses by a formula. */
enum kind { STREAMING, TILED, GATHER, KINDS };
static const char *const kind_names[] = {"streaming", "tiled", "gather"};
enum { CTAS = 4096, WARPS = 8, STEPS = 96 };

struct bench_source {
    struct source source;
    enum kind kind;
};

struct bench_stream {
    struct stream stream;
    bool begun;
};

struct bench_warp {
    uint64_t warp, random;
    int step;
};

static int bench_next(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct bench_stream *own = (struct bench_stream *)(void *)stream;
    (void)error;
    if (own->begun)
        return 0;
    own->begun = true;
    *out = (struct stream_kernel){.name = "bench",
                                  .grid = {CTAS, 1, 1},
                                  .block = {32 * WARPS, 1, 1},
                                  .n_ctas = CTAS,
                                  .warps_per_cta = WARPS,
                                  .threads_per_cta = 32 * WARPS,
                                  .warp_state_size = sizeof(struct bench_warp)};
    return 1;
}

static int bench_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                       struct error *error)
{
    struct bench_warp *own = state;
    (void)stream;
    (void)error;
    own->warp = cta * WARPS + warp;
    own->random = (own->warp + 1) * 0x9e3779b97f4a7c15ULL;
    own->step = 0;
    return 0;
}

/* streaming: two reads and a write of a line each; tiled: a row of its own against columns
 * that all blocks of a grid column share; gather: 4 lanes to random lines of 64 MiB. */
static struct warp_access bench_access(enum kind kind, struct bench_warp *w, uint64_t *pool)
{
    uint64_t step = (uint64_t)w->step;
    struct warp_access access = {.stride = 4,
                                 .mask = UINT32_MAX,
                                 .instructions = 4,
                                 .bytes = 4,
                                 .kind = step % 3 == 2 ? ACCESS_WRITE : ACCESS_READ};
    switch (kind) {
    case STREAMING:
        access.base = (step % 3 << 32) + (w->warp * STEPS + step) / 3 * 128;
        break;
    case TILED:
        access.base = step % 3 == 0   ? w->warp / 64 * 4096 + step / 3 * 128
                      : step % 3 == 1 ? (1ULL << 32) + (step * 64 + w->warp % 64) * 128
                                      : (2ULL << 32) + w->warp * 128;
        break;
    default:
        access.mask = 0x01010101;
        access.addresses = pool;
        for (int k = 0; k < 4; k++)
            pool[k] = (random_next(&w->random) >> 20) % (64 << 20);
    }
    return access;
}

static int bench_read(struct stream *stream, void *state, struct warp_buffer *out,
                      struct error *error)
{
    enum kind kind = ((const struct bench_source *)(const void *)stream->source)->kind;
    struct bench_warp *own = state;
    (void)error;
    for (out->count = 0; out->count < WARP_BUFFER_ITEMS && own->step < STEPS; own->step++) {
        out->items[out->count] = bench_access(kind, own, out->pool + 4 * out->count);
        out->count++;
    }
    return out->count;
}

static void bench_close(struct stream *stream)
{
    free(stream);
}

static const struct stream_class bench_stream_class = {.next_kernel = bench_next,
                                                       .warp_begin = bench_begin,
                                                       .read = bench_read,
                                                       .destroy = bench_close};

static int bench_open(const struct source *source, struct stream **out, struct error *error)
{
    struct bench_stream *stream = memory_zero(1, sizeof *stream);
    (void)error;
    stream->stream = (struct stream){&bench_stream_class, source};
    *out = &stream->stream;
    return 0;
}

static const struct source_class bench_class = {.kind = "workload", .stream_open = bench_open};

/* The most memory this process ever had. */
static double peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

static struct profile *pass_once(enum kind kind, const struct machine *machine, int threads,
                                 double sample, double *seconds)
{
    struct error error;
    struct bench_source source = {.source = {.class = &bench_class,
                                             .name = kind_names[kind],
                                             .spec = kind_names[kind],
                                             .hash = "bench"},
                                  .kind = kind};
    struct profile_options options = {
        .threads = threads, .effort = {.sample_rate = sample}, .few_lines = true};
    struct profile *profile = profile_create();
    double start = clock_seconds();
    if (profile_make(profile, &source.source, machine, &options, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    *seconds = clock_seconds() - start;
    return profile;
}

static struct profile *bench_pass(enum kind kind, const struct machine *machine, int threads,
                                  double rate)
{
    double before = peak_bytes(), seconds;
    struct profile *profile = pass_once(kind, machine, threads, rate, &seconds);
    double peak = peak_bytes();
    for (int i = 1; i < ROUNDS; i++) {
        double again;
        profile_destroy(profile);
        profile = pass_once(kind, machine, threads, rate, &again);
        seconds = again < seconds ? again : seconds;
    }
    const double *fields = profile->views[0].records[0].fields;
    printf("  %-10s %d thread%s %s %6.1f M/s  %5.1f M requests/s  %4.0f %% L1 hits  %.2f M lines\n",
           kind_names[kind], threads, threads > 1 ? "s" : " ", rate < 1 ? "1/16" : "    ",
           fields[FIELD_LINE_ACCESSES] / seconds / 1e6, fields[FIELD_REQUESTS] / seconds / 1e6,
           100 * fields[FIELD_L1_READ_HITS] / fields[FIELD_L1_READS], fields[FIELD_LINES] / 1e6);
    if (kind == STREAMING && threads == 1 && rate == 1) /* the peak is the process's */
        printf("  %-10s %6.0f bytes a line (reach: 150)\n", "",
               (peak - before) / fields[FIELD_LINES]);
    return profile;
}

/* --- look-ups and loading --------------------------------------------------------- */

/* Distances spread evenly over 20 octaves: every point lies where some cache ends. */
static void bench_curve(void)
{
    enum { LOOKUPS = 200000 };
    struct arena *arena = arena_create();
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    struct curve curve;
    uint64_t state = 88172645463325252ULL;
    for (int i = 0; i < 1000000; i++)
        distance_histogram_add(histogram,
                               (uint64_t)exp2((double)(random_next(&state) >> 11) * 0x1p-53 * 20));
    curve_from_histogram(&curve, histogram, arena);
    double sum = 0, start = clock_seconds();
    for (int i = 0; i < LOOKUPS; i++)
        sum += curve_miss_ratio(&curve, 64 + i % 4096, 16);
    double seconds = clock_seconds() - start;
    printf("curve of %zu points, 16 ways: %.2f M look-ups/s  [%.6f]\n", curve.n_points,
           LOOKUPS / seconds / 1e6, sum / LOOKUPS);
    free(histogram);
    arena_destroy(arena);
}

static void bench_load(const struct profile *profile)
{
    struct error error;
    char path[] = "/tmp/bandscape-bench-XXXXXX";
    int file = mkstemp(path);
    struct profile *loaded;
    if (file < 0 || close(file) || profile_write(profile, path, &error))
        return;
    double start = clock_seconds();
    if (profile_load(path, &loaded, &error) == 0) {
        printf("loading a stored profile: %.2f ms\n", 1e3 * (clock_seconds() - start));
        profile_destroy(loaded);
    }
    unlink(path);
}

int main(void)
{
    struct error error;
    struct machine *machine;
    int cores = parallel_cores() > 2 ? parallel_cores() : 2;
    memory_keep_freed();
    if (machine_load("models/sac/sac.yaml", &machine, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("4-chip view of sac, line accesses (reach: 20 M/s on two cores that are idle else)\n");
    for (enum kind kind = 0; kind < KINDS; kind++) {
        for (int threads = 1; threads <= 4 && threads <= cores; threads *= 2) {
            struct profile *profile = bench_pass(kind, machine, threads, 1);
            if (kind == GATHER && threads == 1)
                bench_load(profile);
            profile_destroy(profile);
            profile_destroy(bench_pass(kind, machine, threads, 1.0 / 16));
        }
    }
    bench_engine();
    bench_curve();
    machine_destroy(machine);
    return 0;
}

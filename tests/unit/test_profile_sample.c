/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of sampled lines against exact ones: what stays exact, what adds up, and errors of
 * curves against what the theory of the sample says they are. */
#include "profile_check.h"

#include <unistd.h>

#include "profile/curves/line_sample.h"
#include "profile/run/launches.h"
#include "profile/run/requests.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

static struct profile *make(const struct source *source, const struct machine *machine,
                            unsigned parts, double rate, int threads)
{
    struct profile *profile = profile_create();
    struct profile_options options = {
        .parts = parts, .threads = threads, .effort = {.sample_rate = rate}, .few_lines = true};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static void check_same_text(const struct profile *a, const struct profile *b)
{
    struct text left = {0}, right = {0};
    profile_print(a, &left);
    profile_print(b, &right);
    assert_string_equal(left.data, right.data);
    text_free(&left);
    text_free(&right);
}

/* --- many kinds of caches ------------------------------------------------------------- */

static const char machine_text[] =
    "machine: sample\n"
    "chips: 3\n"
    "partitions: 2\n"
    "sectors: %d\n"
    "sm: {per_chip: 8}\n"
    "l1: {capacity: 2 KiB, ways: 2, nodes: 4, clusters: 2}\n"
    "llc: {capacity: 64 KiB, slices: 4}\n"
    "l2: {capacity: 8 KiB, ways: 4, scope: chip, filter: all, write: back}\n"
    "page: {size: 512 B, policy: first-touch}\n";

static struct machine *sectored(int sectors)
{
    struct text text = {0};
    text_printf(&text, machine_text, sectors);
    struct machine *machine = check_machine(text.data);
    text_free(&text);
    return machine;
}

/* Kernels of many requests, the first with windows, and one with none. */
static struct synthetic *many_requests(void)
{
    struct synthetic *s = synthetic_create("sample");
    uint64_t random = 1;
    for (int k = 0; k < 3; k++) {
        synthetic_kernel(s, "k", k == 1 ? 1 : 24, 2);
        for (int i = 0; i < (k == 1 ? 0 : k ? 3000 : 14000); i++) {
            uint64_t r = check_random(&random), u = r >> 20 & 0xffff;
            enum access_kind kind = r >> 61 == 0 ? ACCESS_WRITE : ACCESS_READ;
            synthetic_lane(s, (r >> 36) % 24, (r >> 45) % 2, kind, u * u / 11000 / 4 * 4);
        }
    }
    return s;
}

static void same_doubles(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && a[i] != b[i])
            fail_msg("%zu: %.17g and %.17g", i, a[i], b[i]);
}

static uint64_t curve_hits(const struct curve *curve)
{
    return curve->n_points ? curve->points[curve->n_points - 1].hits : 0;
}

/* Requests are exact, and everything adds up to them. Returns how many are cold. */
static uint64_t check_curve(const struct profile_curve *got, const struct profile_curve *want)
{
    uint64_t requests = 0, cold = 0;
    assert_string_equal(got->scope, want->scope);
    assert_string_equal(got->side, want->side);
    assert_string_equal(got->filter, want->filter);
    assert_int_equal(got->curve.requests, want->curve.requests);
    assert_int_equal(curve_hits(&got->curve) + got->curve.cold, want->curve.requests);
    const struct curve *reads = profile_curve_part(got, CURVE_READS);
    assert_int_equal(reads != NULL, profile_curve_part(want, CURVE_READS) != NULL);
    if (reads) {
        assert_int_equal(reads->requests, want->parts[CURVE_READS].requests);
        assert_int_equal(curve_hits(reads) + reads->cold, reads->requests);
        assert_true(reads->cold <= got->curve.cold);
    }
    assert_int_equal(got->n_domains, want->n_domains);
    for (size_t u = 0; u < got->n_domains; u++) {
        assert_int_equal(got->domain_requests[u], want->domain_requests[u]);
        assert_true(got->domain_cold[u] <= got->domain_requests[u]);
        requests += got->domain_requests[u];
        cold += got->domain_cold[u];
    }
    assert_int_equal(requests, got->curve.requests);
    assert_int_equal(cold, got->curve.cold);
    return cold;
}

static void check_records(const struct profile_record *got, const struct profile_record *want)
{
    uint64_t cold = 0;
    same_doubles(got->fields, want->fields, FIELD_COUNT);
    assert_int_equal(got->n_domains, want->n_domains);
    if (want->traffic)
        same_doubles(got->traffic, want->traffic, want->n_domains * want->n_domains);
    assert_int_equal(got->n_curves, want->n_curves);
    for (size_t c = 0; c < got->n_curves; c++)
        cold += check_curve(&got->curves[c], &want->curves[c]);
    assert_int_equal(cold > 0, want->fields[FIELD_REQUESTS] > 0);
    assert_int_equal(got->n_prefixes, want->n_prefixes);
    for (size_t p = 0; p < got->n_prefixes; p++)
        check_records(&got->prefixes[p], &want->prefixes[p]);
}

TEST(test_counts_are_exact)
{
    OWNED(synthetic) *s = many_requests();
    for (int sectors = 1; sectors <= 4; sectors *= 4) {
        OWNED(machine) *machine = sectored(sectors);
        OWNED(profile) *exact = make(&s->source, machine, PART_ALL, 1, 1);
        for (double rate = 0.5; rate > 0.03; rate /= 4) {
            OWNED(profile) *sample = make(&s->source, machine, PART_ALL, rate, 1);
            const struct profile_view *got = &sample->views[0], *want = &exact->views[0];
            assert_true(got->sample_rate == rate && want->sample_rate == 1);
            assert_int_equal(got->n_records, 3);
            for (size_t i = 0; i < 3; i++)
                check_records(&got->records[i], &want->records[i]);
            /* Structs of nothing but double. */
            same_doubles((const double *)&got->sharing, (const double *)&want->sharing,
                         sizeof got->sharing / sizeof(double));
            assert_int_equal(got->n_working_sets, want->n_working_sets);
            for (size_t i = 0; i < got->n_working_sets; i++)
                same_doubles((const double *)&got->working_sets[i],
                             (const double *)&want->working_sets[i],
                             sizeof *got->working_sets / sizeof(double));
        }
    }
}

/* Nothing is off but for what stored curves are. */
static void forget_intervals(struct profile_record *record)
{
    for (size_t c = 0; c < record->n_curves; c++) {
        struct profile_curve *curve = &record->curves[c];
        const struct interval *misses = &curve->misses_interval;
        for (size_t i = 0; i < misses->n_points; i++)
            assert_true((double)misses->points[i].half <=
                        ceil((double)curve->curve.requests / CURVE_TOLERANCE));
        curve->misses_interval = curve->written_interval = (struct interval){0};
    }
}

/* Exact by default; and when a sample happens to take every line, nothing is different. */
TEST(test_all_lines)
{
    OWNED(synthetic) *s = many_requests();
    for (int sectors = 1; sectors <= 4; sectors *= 4) {
        OWNED(machine) *machine = sectored(sectors);
        OWNED(profile) *exact = make(&s->source, machine, PART_ALL, 0, 1);
        OWNED(profile) *one = make(&s->source, machine, PART_ALL, 1, 1);
        OWNED(profile) *sample = make(&s->source, machine, PART_ALL, nextafter(1, 0), 1);
        check_same_text(exact, one);
        assert_true(sample->views[0].sample_rate < 1);
        sample->views[0].sample_rate = 1;
        for (size_t i = 0; i < sample->views[0].n_records; i++)
            forget_intervals(&sample->views[0].records[i]);
        check_same_text(exact, sample);
    }
}

TEST(test_any_threads)
{
    OWNED(synthetic) *s = many_requests();
    OWNED(machine) *machine = sectored(4);
    OWNED(profile) *first = make(&s->source, machine, PART_ALL, 1.0 / 8, 1);
    for (int threads = 2; threads <= 4; threads++) {
        OWNED(profile) *profile = make(&s->source, machine, PART_ALL, 1.0 / 8, threads);
        check_same_text(first, profile);
    }
}

TEST(test_round_trip)
{
    OWNED(synthetic) *s = many_requests();
    OWNED(machine) *machine = sectored(1);
    OWNED(profile) *profile = make(&s->source, machine, PART_ALL, 0.3, 1), *again = NULL;
    check_ok(profile_write(profile, check_path("p.yaml"), &failure));
    check_ok(profile_load(check_path("p.yaml"), &again, &failure));
    assert_true(again->views[0].sample_rate == 0.3);
    check_same_text(profile, again);
}

/* A launch asks for one line of an earlier one: if that is in the sample, it stands for sixteen,
 * but there are no more than were asked for. What is written is read again. */
TEST(test_few_old_lines)
{
    OWNED(synthetic) *s = synthetic_create("old");
    OWNED(machine) *machine = sectored(1);
    synthetic_kernel(s, "k", 24, 2);
    for (uint64_t i = 0; i < 2000; i++)
        synthetic_lane(s, i % 24, i % 2, ACCESS_READ, 128 * i);
    for (uint64_t k = 0; k < 40; k++) {
        synthetic_kernel(s, "k", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 128 * (k * 37));
    }
    OWNED(profile) *profile = make(&s->source, machine, PART_ALL, 1.0 / 16, 1), *again = NULL;
    uint64_t old = 0;
    for (size_t i = 1; i < profile->views[0].n_records; i++) {
        const struct profile_curve *curve =
            profile_curve_find(&profile->views[0].records[i], "partition", "home", "all");
        const struct curve *part = curve ? profile_curve_part(curve, CURVE_OLD) : NULL;
        assert_true(!part || part->requests <= curve->curve.requests);
        old += part ? part->requests : 0;
    }
    assert_true(old > 0);
    check_ok(profile_write(profile, check_path("old.yaml"), &failure));
    check_ok(profile_load(check_path("old.yaml"), &again, &failure));
    check_same_text(profile, again);
}

/* Intervals of grouped launches are the sum of the launches'. */
TEST(test_intervals_add_up)
{
    OWNED(machine) *machine = sectored(1);
    double half[2] = {0};
    for (int grouped = 0; grouped < 2; grouped++) {
        OWNED(synthetic) *s = synthetic_create("many");
        for (int k = 0; k < LAUNCHES_SINGLE + grouped; k++) {
            uint64_t random = 3;
            synthetic_kernel(s, "k", 24, 2);
            for (int i = 0; i < 400; i++)
                synthetic_lane(s, (uint64_t)i % 24, (uint64_t)i % 2, ACCESS_WRITE,
                               128 * (check_random(&random) >> 40) % 1000);
        }
        OWNED(profile) *profile = make(&s->source, machine, PART_BASE, 1.0 / 4, 1);
        const struct profile_view *view = &profile->views[0];
        assert_int_equal(view->n_records, grouped ? 1 : LAUNCHES_SINGLE);
        for (size_t i = 0; i < view->n_records; i++)
            half[grouped] += interval_at(
                &profile_curve_find(&view->records[i], "partition", "home", "all")->misses_interval,
                16);
    }
    /* Each is rounded up; one launch more. */
    double one = half[1] - half[0];
    assert_true(half[0] > 0 && fabs(one - half[0] / LAUNCHES_SINGLE) < LAUNCHES_SINGLE);
}

/* --- errors of curves ------------------------------------------------------------------ */

/* One warp of one SM reads or writes lines one by one: a cache sees them as they are here. */
#define LINE_WRITTEN (1U << 31)
struct lines_source {
    struct source source;
    uint32_t *lines;
    size_t n;
};
struct lines_stream {
    struct stream stream;
    bool begun;
};

static int lines_kernel(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct lines_stream *own = (struct lines_stream *)(void *)stream;
    (void)error;
    *out = (struct stream_kernel){.name = "lines",
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .n_ctas = 1,
                                  .warps_per_cta = 1,
                                  .threads_per_cta = 32,
                                  .warp_state_size = sizeof(size_t)};
    return own->begun ? 0 : (own->begun = true);
}

static int lines_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                       struct error *error)
{
    (void)stream, (void)cta, (void)warp, (void)error;
    *(size_t *)state = 0;
    return 0;
}

static int lines_read(struct stream *stream, void *state, struct warp_buffer *out,
                      struct error *error)
{
    const struct lines_source *from = (const struct lines_source *)(const void *)stream->source;
    size_t *at = state;
    (void)error;
    for (out->count = 0; out->count < WARP_BUFFER_ITEMS && *at < from->n; ++*at)
        out->items[out->count++] = (struct warp_access){
            .base = 128 * (uint64_t)(from->lines[*at] & ~LINE_WRITTEN),
            .mask = 1,
            .instructions = 1,
            .bytes = 4,
            .kind = from->lines[*at] & LINE_WRITTEN ? ACCESS_WRITE : ACCESS_READ};
    return out->count;
}

static void lines_close(struct stream *stream)
{
    free(stream);
}

static const struct stream_class lines_stream_class = {.next_kernel = lines_kernel,
                                                       .warp_begin = lines_begin,
                                                       .read = lines_read,
                                                       .destroy = lines_close};

static int lines_open(const struct source *source, struct stream **out, struct error *error)
{
    struct lines_stream *stream = memory_zero(1, sizeof *stream);
    (void)error;
    stream->stream = (struct stream){&lines_stream_class, source};
    *out = &stream->stream;
    return 0;
}

static const struct source_class lines_class = {.kind = "workload", .stream_open = lines_open};

/* A stream through a machine of so many chips, whose pages take turns; exact and sampled. */
struct pair {
    struct profile *exact, *sample;
    const struct curve *want, *got; /* of the homes */
};

static struct pair measure(const uint32_t *lines, size_t n, double rate, int chips)
{
    struct lines_source from = {
        .source = {.class = &lines_class, .name = "lines", .spec = "lines", .hash = "lines"}};
    struct pair pair;
    char text[160];
    snprintf(text, sizeof text,
             "machine: plain\nchips: %d\nsm: {per_chip: 1}\nllc: {slices: 1}\n"
             "page: {size: 256 B, policy: interleave, interleave: 256 B}\n",
             chips);
    OWNED(machine) *machine = check_machine(text);
    from.lines = memory_alloc(n * sizeof *lines);
    memcpy(from.lines, lines, n * sizeof *lines);
    from.n = n;
    pair.exact = make(&from.source, machine, PART_BASE, 1, 1);
    pair.sample = make(&from.source, machine, PART_BASE, rate, 1);
    pair.want = &profile_curve_find(pair.exact->views[0].records, "chip", "home", "all")->curve;
    pair.got = &profile_curve_find(pair.sample->views[0].records, "chip", "home", "all")->curve;
    assert_int_equal(pair.want->requests, n);
    free(from.lines);
    return pair;
}

static void pair_destroy(struct pair *pair)
{
    profile_destroy(pair->exact);
    profile_destroy(pair->sample);
}

/* Each stored curve is off by up to 1/400, whatever the distances. */
static const double STORED = 2.0 / 400;

/* Independent references: line i with probability p_i, so that it is missed with
 * m_i = exp(-p_i t), when C = sum (1 - m_i) lines are in the cache (Che, Tung and Wang, 2002)
 * and M = sum p_i m_i. Of N lines, each is in the sample with probability R; with x_i = 1/R
 * for those and 0 for others, scaled by the true share of lines, the error at C is
 *     sum (x_i - 1) e_i,   e_i = p_i m_i - M/N - M'(C) (1 - m_i - C/N),
 * the sampled misses, and M' times the lines that they are taken to have in between. Its
 * variance is (1-R)/R sum e_i^2; misses of a line are counted, in T requests, which adds
 * (1-R)/R M/T. */
struct theory {
    double lines, deviation;
};

static struct theory theory_at(const double *p, size_t n, double t, double rate, double requests)
{
    double lines = 0, miss = 0, slope = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double m = exp(-p[i] * t);
        lines += 1 - m;
        miss += p[i] * m;
        slope -= p[i] * p[i] * m;
    }
    slope /= miss;
    for (size_t i = 0; i < n; i++) {
        double m = exp(-p[i] * t), share = 1.0 / (double)n;
        double e = p[i] * m - miss * share - slope * (1 - m - lines * share);
        squares += e * e;
    }
    return (struct theory){lines, sqrt((1 - rate) / rate * (squares + miss / requests))};
}

/* Zipf's law of that exponent; 0: all lines alike. */
static void check_references(double exponent, size_t n, size_t requests, double rate, int chips)
{
    double *p = memory_alloc(n * sizeof *p), *until = memory_alloc(n * sizeof *until), sum = 0;
    uint32_t *lines = memory_alloc(requests * sizeof *lines);
    uint64_t random = 5;
    double worst = 0, mean, max;
    for (size_t i = 0; i < n; i++)
        until[i] = sum += p[i] = pow((double)i + 1, -exponent);
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
    for (size_t i = 0; i < requests; i++) {
        double u = check_uniform(&random) * sum;
        size_t low = 0, high = n - 1;
        while (low < high)
            if (until[(low + high) / 2] > u)
                high = (low + high) / 2;
            else
                low = (low + high) / 2 + 1;
        lines[i] = (uint32_t)low;
    }
    struct pair pair = measure(lines, requests, rate, chips);
    for (double t = 30 / rate; t < (double)requests; t *= 1.5) {
        struct theory theory = theory_at(p, n, t, rate, (double)requests);
        double at = theory.lines / chips, bound = 4 * theory.deviation + STORED;
        if (chips > 1) /* homes have their share of the sample by chance */
            bound += 4 * sqrt((1 - rate) / rate / (double)n);
        double error =
            fabs(curve_miss_ratio_full(pair.got, at) - curve_miss_ratio_full(pair.want, at));
        worst = fmax(worst, error / bound);
        if (error > bound)
            fail_msg("exponent %g, %.0f lines: error %g, bound %g", exponent, at, error, bound);
    }
    curve_error(pair.want, pair.got, 10 / rate, &mean, &max);
    print_message("exponent %.1f, rate 1/%-3.0f %d chips: errors up to %2.0f %% of the bound; mean "
                  "%.5f, max %.5f\n",
                  exponent, 1 / rate, chips, 100 * worst, mean, max);
    pair_destroy(&pair);
    free(p);
    free(until);
    free(lines);
}

TEST(test_independent_references)
{
    bool slow = check_slowness() > 1;
    size_t n = slow ? 5000 : 60000, requests = slow ? 20000 : 400000;
    check_references(0, n, requests, 1.0 / 16, 1);
    check_references(0, n, requests, 1.0 / 16, 4);
    check_references(0.9, n, requests, 1.0 / 16, 1);
    if (slow)
        return;
    check_references(0.9, n, requests, 1.0 / 64, 1);
    check_references(1.2, n, requests, 1.0 / 16, 1);
    check_references(0.6, n, requests, 1.0 / 4, 1);
}

/* A number of 18 bits in the place of another: neighbours are not any more. */
static uint32_t scattered(uint32_t line)
{
    const uint32_t mask = (1U << 18) - 1;
    for (int i = 0; i < 3; i++) {
        line = (line ^ line >> 9) * 0x2c1b3c6dU & mask;
        line ^= line >> 7;
    }
    return line & mask;
}

/* Tiles of L lines, each read K times before the next one: all distances are L - 1, and
 * sampled ones as many as lines of the tile are in the sample. Of neighbours that is L of them, but
 * for one block. Of scattered ones it is L with a deviation of s = sqrt(L (1-R)/R): a step of
 * height (K-1)/K is smeared to a normal distribution's, and the mean error over the logarithm of
 * the capacity, from c to the curve's end e, is (K-1)/K  sqrt(2/pi) s/L / log(e/c). */
enum { L = 2000, K = 5, TILES = 60 };

static struct pair measure_tiles(bool scatter, double rate)
{
    uint32_t *lines = memory_alloc((size_t)L * K * TILES * sizeof *lines);
    size_t n = 0;
    for (uint32_t tile = 0; tile < TILES; tile++)
        for (int k = 0; k < K; k++)
            for (uint32_t i = 0; i < L; i++)
                lines[n++] = scatter ? scattered(tile * L + i) : tile * L + i;
    struct pair pair = measure(lines, n, rate, 1);
    free(lines);
    return pair;
}

TEST(test_tiles)
{
    const double rate = 1.0 / 16, deviation = sqrt(L * (1 - rate) / rate);
    double mean, max, two_over_pi = 0.63661977236758134;
    struct pair pair = measure_tiles(true, rate);
    curve_error(pair.want, pair.got, 500, &mean, &max);
    double end = (double)pair.got->points[pair.got->n_points - 1].lines;
    double predicted = (K - 1.0) / K * sqrt(two_over_pi) * deviation / L / log(fmax(end, L) / 500);
    print_message("tiles: mean error %.4f, predicted %.4f; max %.3f\n", mean, predicted, max);
    assert_true(mean > 0.6 * predicted && mean < 1.5 * predicted);
    /* Far from the step there is none: 5 deviations. */
    assert_true(fabs(curve_miss_ratio_full(pair.got, L - 5 * deviation) - 1) < STORED);
    assert_true(fabs(curve_miss_ratio_full(pair.got, L + 5 * deviation) - 1.0 / K) < STORED);
    assert_true(fabs((double)pair.got->cold - (double)pair.want->cold) <= 0.001 * L * TILES);
    pair_destroy(&pair);
    pair = measure_tiles(false, rate);
    assert_true(fabs(curve_miss_ratio_full(pair.got, L - 1 / rate) - 1) < STORED);
    assert_true(fabs(curve_miss_ratio_full(pair.got, L + 1 / rate) - 1.0 / K) < STORED);
    pair_destroy(&pair);
}

/* --- intervals -------------------------------------------------------------------------- */

/* Streams of reads and writes, of which it is counted how often the exact value lies within. */
enum stream_kind { STREAM_ZIPF, STREAM_UNIFORM, STREAM_SWEEPS, STREAM_TILES, STREAM_SCATTERED };

static size_t stream_make(enum stream_kind kind, uint64_t seed, uint32_t *lines, size_t n)
{
    enum { FOOTPRINT = 30000, WRITES_ONE_IN = 5 };
    uint64_t random = seed;
    uint32_t tile = 1000 + (uint32_t)(check_random(&random) >> 20) % 2000;
    for (size_t i = 0; i < n; i++) {
        double u = check_uniform(&random);
        uint32_t at = (uint32_t)(i % FOOTPRINT);
        if (kind == STREAM_ZIPF) /* density 1/x */
            at = (uint32_t)exp(u * log(FOOTPRINT)) - 1;
        else if (kind == STREAM_UNIFORM)
            at = (uint32_t)(u * FOOTPRINT);
        else if (kind >= STREAM_TILES)
            at = (uint32_t)(i / (4 * tile) * tile + i % tile) % FOOTPRINT;
        lines[i] = kind == STREAM_SWEEPS || kind == STREAM_TILES ? at : scattered(at);
        lines[i] += (uint32_t)seed << 18; /* other lines in the sample */
        if (lines[i] % WRITES_ONE_IN == 0 && check_uniform(&random) < 0.5)
            lines[i] |= LINE_WRITTEN;
    }
    return n;
}

/* Misses of caches of that many lines, and what they write home, at the end not flushed. */
static double written(const struct profile_curve *curve, double lines)
{
    double sum = 0;
    for (int part = CURVE_EVICTED; part <= CURVE_BEFORE; part++) {
        const struct curve *of = profile_curve_part(curve, (enum profile_curve_part)part);
        double count =
            of && of->requests ? (double)of->requests * curve_miss_ratio_full(of, lines) : 0;
        sum += part == CURVE_EVICTED ? count : -count;
    }
    return sum;
}

struct coverage {
    double cases, held, error, half; /* of sums of shares of requests */
};

static void cover(struct coverage *c, double want, double got, double half, double requests)
{
    c->cases++;
    c->held += fabs(want - got) <= half;
    c->error += fabs(want - got) / requests;
    c->half += half / requests;
}

static struct coverage coverage_of(enum stream_kind kind, double rate, int streams)
{
    enum { N = 150000 };
    struct coverage c = {0};
    uint32_t *lines = memory_alloc(N * sizeof *lines);
    for (int s = 0; s < streams; s++) {
        struct pair pair = measure(lines, stream_make(kind, (uint64_t)s + 1, lines, N), rate, 1);
        const struct profile_curve *a, *b;
        a = profile_curve_find(pair.exact->views[0].records, "chip", "home", "all");
        b = profile_curve_find(pair.sample->views[0].records, "chip", "home", "all");
        assert_true(a->misses_interval.n_points == 0 && b->misses_interval.n_points > 0);
        for (double at = 200; at < 60000; at *= 2.3) {
            cover(&c, N * curve_miss_ratio_full(&a->curve, at),
                  N * curve_miss_ratio_full(&b->curve, at), interval_at(&b->misses_interval, at),
                  N);
            cover(&c, written(a, at), written(b, at), interval_at(&b->written_interval, at), N);
        }
        pair_destroy(&pair);
    }
    free(lines);
    return c;
}

/* At least 95 % of the exact values are within, and intervals are not so wide that it means
 * nothing: some two to five times the mean error, beside what stored curves may be off by. */
TEST(test_intervals_hold)
{
    static const struct {
        const char *name;
        enum stream_kind kind;
    } rows[] = {{"Zipf", STREAM_ZIPF},
                {"uniform", STREAM_UNIFORM},
                {"sweeps", STREAM_SWEEPS},
                {"tiles", STREAM_TILES},
                {"scattered tiles", STREAM_SCATTERED}};
    bool slow = check_slowness() > 1;
    double held = 0, cases = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct coverage c = coverage_of(rows[r].kind, 1.0 / 16, slow ? 2 : 12);
        double error = c.error / c.cases, half = c.half / c.cases;
        print_message("%-16s %.1f %% of %.0f within; mean error %.5f, mean half %.5f\n",
                      rows[r].name, 100 * c.held / c.cases, c.cases, error, half);
        held += c.held;
        cases += c.cases;
        if (slow) /* a stream's capacities hang together: two draws are too few for each alone */
            continue;
        assert_true(c.held >= 0.95 * c.cases);
        assert_true(half < 6 * error + STORED);
    }
    assert_true(held >= (slow ? 0.9 : 0.95) * cases);
}

/* --- parts ------------------------------------------------------------------------------ */

TEST(test_numbers_in_the_sample)
{
    for (double rate = 1; rate > 1e-3; rate /= 3) {
        struct line_sample sample;
        uint32_t count = 0;
        line_sample_init(&sample, rate, false);
        for (uint64_t line = 0; line < 20000; line++)
            line_sample_add(&sample, line);
        for (uint64_t line = 0; line < 20000; line++) {
            bool taken = shards_takes(&sample.shards, line);
            assert_int_equal(line_sample_number(&sample, (uint32_t)line),
                             taken ? count : (uint32_t)LINE_NONE);
            count += taken;
        }
        assert_int_equal(count, sample.sampled);
        assert_true(line_sample_bytes(&sample) < 20000 / 4);
        line_sample_fini(&sample);
    }
}

/* What a million lines take in the distances, which is nothing without them. */
static size_t distances_memory(const struct system *system, double rate)
{
    struct requests requests;
    struct tally tally;
    size_t before = 0, after = 0;
    uint64_t n = 1000000 / (uint64_t)check_slowness();
    tally_init(&tally, system);
    requests_init(&requests, system, &tally, PART_REMOTE | PART_SYSTEM, 1, rate, false);
    for (uint32_t i = 0; i < requests.n_kinds; i++)
        before += distances_bytes(requests.kinds[i]);
    for (uint64_t line = 0; line < n;) {
        struct request_batch *batch = requests_slot(&requests);
        for (batch->count = 0; batch->count < REQUEST_BATCH && line < n; line++)
            batch->requests[batch->count++] =
                (struct request){.line = line,
                                 .wanted = 1,
                                 .sectors = 1,
                                 .home_sectors = 1,
                                 .home = (uint8_t)(line % system->domains),
                                 .kind = ACCESS_READ};
        requests_take(&requests);
    }
    check_ok(requests_wait(&requests, &failure));
    for (uint32_t i = 0; i < requests.n_kinds; i++)
        after += distances_bytes(requests.kinds[i]);
    requests_fini(&requests);
    tally_fini(&tally);
    return after - before;
}

TEST(test_memory)
{
    struct system system;
    OWNED(machine) *machine = sectored(1);
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    size_t all = distances_memory(&system, 1), some = distances_memory(&system, 1.0 / 16);
    print_message("distances take %zu kB, of a sample %zu kB\n", all >> 10, some >> 10);
    assert_true(some < all / 8);
}

TEST(test_rates)
{
    static const struct {
        const char *text;
        double rate;
    } good[] = {{"1/16", 0.0625}, {"0.0625", 0.0625}, {"6.25%", 0.0625},      {"1", 1},
                {"3/4", 0.75},    {"1e-3", 1e-3},     {"1/1048576", 0x1p-20}, {"5/5", 1}};
    static const char *const bad[] = {"",       "0",         "2",   "-1/16",  "1/0", "1/",
                                      "/16",    "16/1",      "nan", "1/16/2", "x",   "1 GB/s",
                                      "1/16 B", "1/2000000", "inf", "0/5",    "1/-4"};
    double rate;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        check_ok(profile_sample_scan(good[i].text, &rate, &failure));
        assert_true(rate == good[i].rate);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_error(profile_sample_scan(bad[i], &rate, &failure), STATUS_USAGE,
                    "share of the lines");
        assert_non_null(strstr(failure.hint, "1/16"));
    }
}

/* With few lines all are taken; a wanted error is kept, by the first pass or the next. */
TEST(test_rates_follow)
{
    struct source source = {0};
    struct stream_allocation arrays[2] = {{"a", 0, 600000ULL * 128}, {"b", 1ULL << 40, 424288}};
    struct profile_options options = {.effort = {.sample_rate = 1.0 / 16}};
    source.allocations.items = arrays;
    source.allocations.count = 1;
    assert_true(profile_rate_first(&source, 128, &options) == 1.0 / 16);
    options.effort.error = 0.02; /* 16 x 2 809 of 600 000 lines, 1/13: more than a sixteenth */
    assert_true(profile_rate_first(&source, 128, &options) == 1);
    options.effort.error = 0.03; /* 1/30 */
    assert_true(profile_rate_first(&source, 128, &options) == 1.0 / 16);
    options.effort.error = 0.4; /* 1/5333: a sixteenth costs no more */
    assert_true(profile_rate_first(&source, 128, &options) == 1.0 / 16);
    arrays[0].bytes = 8000 * 128; /* 500 of them: few */
    assert_true(profile_rate_first(&source, 128, &options) == 1);
    source.allocations.count = 0;
    assert_true(profile_rate_first(&source, 128, &options) == 1.0 / 16);

    OWNED(machine) *machine = sectored(1);
    static const double wanted[] = {0.2, 0.05, 0.02, 0.0005};
    uint32_t *lines = memory_alloc(150000 * sizeof *lines);
    struct lines_source from = {
        .source = {.class = &lines_class, .name = "lines", .spec = "lines", .hash = "lines"},
        .lines = lines,
        .n = stream_make(STREAM_UNIFORM, 1, lines, 150000)};
    double before = 0;
    for (size_t i = 0; i < 4; i++) {
        OWNED(profile) *profile = profile_create();
        options = (struct profile_options){.effort = {.error = wanted[i]}};
        check_ok(profile_make(profile, &from.source, machine, &options, &failure));
        double rate = profile->views[0].sample_rate;
        assert_true(rate >= before && profile_view_error(&profile->views[0]) <= wanted[i]);
        before = rate;
    }
    assert_true(before == 1);
    from.n = 1000; /* lines, and less */
    OWNED(profile) *few = profile_create();
    options = (struct profile_options){.effort = {.sample_rate = 0.25}};
    check_ok(profile_make(few, &from.source, machine, &options, &failure));
    assert_true(few->views[0].sample_rate == 1);
    options.few_lines = true;
    check_ok(profile_make(few, &from.source, machine, &options, &failure));
    assert_true(few->views[0].sample_rate == 0.25);
    free(lines);
}

/* Of what is skimmed as many lines as are needed, and no more where stretches are what is off. */
TEST(test_rates_again)
{
    OWNED(machine) *machine = sectored(1);
    uint32_t *lines = memory_alloc(60000 * sizeof *lines);
    struct lines_source from = {
        .source = {.class = &lines_class, .name = "lines", .spec = "lines", .hash = "lines"},
        .lines = lines,
        .n = stream_make(STREAM_UNIFORM, 1, lines, 60000)};
    struct profile_options options = {.effort = {.sample_rate = 1.0 / 16}, .few_lines = true};
    OWNED(profile) *profile = profile_create();
    check_ok(profile_make(profile, &from.source, machine, &options, &failure));
    struct profile_view view = profile->views[0];
    double off = profile_view_error(&view);
    assert_true(view.sample_rate == 1.0 / 16 && off > 0);
    options.effort = (struct profile_effort){.error = off * 1.001};
    assert_true(profile_rate_again(&view, &options) == 1.0 / 16);
    options.effort.error = off / 1.5; /* 2.25 times the lines */
    assert_true(profile_rate_again(&view, &options) == 1);
    view.skimmed = 0.5;
    assert_true(profile_rate_again(&view, &options) == 0.25);
    view.settled_within = off / 2;
    assert_true(profile_rate_again(&view, &options) == 0.25);
    view.settled_within = off;
    assert_true(profile_rate_again(&view, &options) == 1.0 / 16);
    free(lines);
}

TEST(test_notes)
{
    struct profile_view view = {.sample_rate = 1, .line_bytes = 128};
    char note[128];
    view.sharing.footprint_bytes = 128 * 160000.0;
    assert_false(profile_sample_note(&view, note, sizeof note));
    view.sample_rate = 1.0 / 16;
    assert_true(profile_sample_note(&view, note, sizeof note));
    assert_string_equal(note, "curves from 1/16 of the lines");
    view.sample_rate = 0.0015;
    assert_true(profile_sample_note(&view, note, sizeof note));
    assert_string_equal(note, "curves from 0.15 % of the lines, about 240: few, and miss ratios "
                              "are rough");
    view.sharing.footprint_bytes = (double)NAN;
    assert_true(profile_sample_note(&view, note, sizeof note));
    assert_string_equal(note, "curves from 0.15 % of the lines");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that repeat: what is counted again is what going through them would have given. */
#include "profile_check.h"
#include "workload_check.h"

#include "core/file.h"
#include "core/parallel.h"
#include "profile/run/launch_group.h"
#include "profile/run/profiler.h"
#include "workload/open/spec.h"

static const char machine_text[] = "machine: four\n"
                                   "chips: 4\n"
                                   "sm: {per_chip: 4}\n"
                                   "l1: {capacity: 4 KiB}\n"
                                   "llc: {capacity: 256 KiB, ways: 8, slices: 4}\n";

static struct profile *profile_of(const struct source *source, const struct machine *machine,
                                  unsigned parts, int threads, bool exact)
{
    struct profile *profile = profile_create();
    struct profile_options options = {
        .effort = {.exact = exact}, .parts = parts, .threads = threads};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static uint64_t repeated_of(const struct profile *profile)
{
    uint64_t repeated = 0;
    for (size_t i = 0; i < profile->views[0].n_records; i++)
        repeated += profile->views[0].records[i].launches_repeated;
    return repeated;
}

/* The profile's text, without how it came about. */
static char *text_of(const struct profile *profile)
{
    struct profile_view *view = &profile->views[0];
    struct text text = {0};
    view->settled_within = 0;
    for (size_t i = 0; i < view->n_records; i++)
        view->records[i].launches_repeated = 0;
    profile_print(profile, &text);
    return text.data;
}

/* To the last digit; *run: launches that were gone through. */
static void check_same(const struct source *source, const struct machine *machine, unsigned parts,
                       uint64_t launches, uint64_t run)
{
    OWNED(profile) *exact = profile_of(source, machine, parts, 1, true);
    assert_int_equal(repeated_of(exact), 0);
    assert_true(exact->views[0].settled_within == 0);
    char *want = text_of(exact);
    for (int threads = 1; threads <= 3; threads += 2) {
        OWNED(profile) *profile = profile_of(source, machine, parts, threads, false);
        uint64_t all = 0;
        for (size_t i = 0; i < profile->views[0].n_records; i++)
            all += profile->views[0].records[i].launches;
        assert_int_equal(all, launches);
        assert_int_equal(launches - repeated_of(profile), run);
        assert_true((profile->views[0].settled_within > 0) == (run < launches));
        char *text = text_of(profile);
        assert_string_equal(text, want);
        free(text);
    }
    free(want);
}

/* --- workloads -------------------------------------------------------------------- */

/* Swaps (a period of two, and half of one at the end), three kernels whose records are groups, a
 * prologue before seven kernels, two vectors in turn; caches that are flushed, that are not, of
 * sectors, with a level before the LLC. */
TEST(test_repeats_are_exact)
{
    static const char *const plain[] = {NULL};
    static const char *const hardware[] = {"coherence", "hardware", NULL};
    static const char *const sectors[] = {"sectors", "4", "chips", "2", NULL};
    static const char *const one[] = {"chips", "1", NULL};
    const unsigned curves = PART_WAITS | PART_REMOTE | PART_L1 | PART_SYSTEM | PART_WINDOW;
    static const struct {
        const char *spec;
        const char *const *settings;
        uint64_t launches, run;
    } cases[] = {
        {"stencil:nx=128,ny=128,nz=4,steps=13", plain, 13, 6},
        {"stencil:nx=128,ny=128,nz=4,steps=13", hardware, 13, 6},
        {"stencil:nx=128,ny=128,nz=4,steps=13", sectors, 13, 6},
        {"fdtd2d:nx=256,ny=256,tmax=25", one, 75, 9},
        {"cfd:input=small,iterations=7", plain, 52, 27},
        {"pagerank:input=small,iterations=9", sectors, 9, 6},
        {"lulesh:input=small,steps=5", plain, 30, 19},
    };
    const size_t step = check_slowness() > 1 ? 3 : 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += step) {
        OWNED(machine) *machine = check_machine(machine_text);
        OWNED(source) *source = check_source(cases[i].spec);
        check_settings(machine, cases[i].settings);
        check_same(source, machine, i % 2 ? curves | PART_REPLICATION : curves, cases[i].launches,
                   cases[i].run);
    }
}

/* Working sets are of the run: every launch has its windows in them. Pages that move after so many
 * accesses may move in any launch. */
TEST(test_all_are_needed)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(source) *source = check_source("stencil:nx=128,ny=128,nz=4,steps=13");
    check_same(source, machine, PART_LOCALITY, 13, 13);
    check_set(machine, "page.policy", "replication");
    check_same(source, machine, PART_WAITS, 13, 13);
}

/* 64 blocks on 80 SMs that keep their L1: the sixth launch has them where the first one had, and
 * is the first to find lines in an L1 again; the eleventh agrees with it, and what comes behind
 * the fifteenth repeats. By counts alone the third would agree with the second. */
TEST(test_launches_that_begin_elsewhere)
{
    OWNED(machine) *machine = check_machine("machine: one\n"
                                            "chips: 1\n"
                                            "sm: {per_chip: 80}\n"
                                            "l1: {capacity: 4 KiB, flush: none}\n"
                                            "llc: {capacity: 256 KiB, ways: 8, slices: 4}\n"
                                            "cta: {policy: centralised, start: next}\n");
    OWNED(source) *source = check_source("reduction:n=32768,times=25");
    check_same(source, machine, PART_WAITS | PART_L1, 25, 15);
}

/* --- sequences -------------------------------------------------------------------- */

#define NEST(parameters, kernels)                                                                  \
    "workload: t\nsummary: s\nparameters: {" parameters "}\ninputs: {small: {}}\n"                 \
    "arrays:\n"                                                                                    \
    "  A: {shape: [2048, 64], type: f32}\n"                                                        \
    "  B: {shape: [2048, 64], type: f32}\n"                                                        \
    "  C: {shape: [65536], type: f32}\n"                                                           \
    "kernels:\n" kernels
#define COPY(from, to)                                                                             \
    "grid: 128, block: 256, let: {i: bx*256 + tx}, body: [{load: \"" from                          \
    "[i/64, i%64]\"}, {load: \"C[i/2]\"}, {store: \"" to "[i/64, i%64]\"}]}\n"

/* What comes behind a period that is broken off finds the state of its end: of A to B and back nine
 * times the last half is gone through. Repetitions within repetitions; and none. */
TEST(test_sequences)
{
    static const struct {
        const char *yaml;
        uint64_t launches, run;
    } cases[] = {
        {NEST("n: 9", "  - {name: swapped, repeat: n, swap: [[A, B]], " COPY(
                          "A", "B") "  - {name: after, " COPY("A", "A")),
         10, 8},
        {NEST("n: 9", "  - {name: swapped, repeat: n, swap: [[A, B]], " COPY("A", "B")), 9, 6},
        {NEST("n: 8", "  - repeat: n\n"
                      "    kernels:\n"
                      "      - {name: inner, repeat: k in 0..6, " COPY(
                          "A", "B") "      - {name: outer, " COPY("B", "A")),
         56, 0},
        {NEST("n: 6",
              "  - {name: moves, repeat: t in 0..n, grid: 64, block: 256, let: {i: bx*256 + "
              "tx}, body: [{load: \"A[i/64 + 256*t, i%64]\"}]}\n"),
         6, 6},
        {NEST("n: 6", "  - {name: shrinks, repeat: t in 0..n, grid: 128 - t, block: 256, let: {i: "
                      "bx*256 + tx}, body: [{load: \"A[i/64, i%64]\"}]}\n"),
         6, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_machine(machine_text);
        struct source *source;
        check_ok(workload_open_text(cases[i].yaml, "", &source, &failure));
        if (cases[i].run) {
            check_same(source, machine, PART_WAITS, cases[i].launches, cases[i].run);
        } else {
            OWNED(profile) *profile = profile_of(source, machine, PART_WAITS, 1, false);
            uint64_t repeated = repeated_of(profile);
            assert_true(repeated > cases[i].launches / 2);
            check_same(source, machine, PART_WAITS, cases[i].launches,
                       cases[i].launches - repeated);
        }
        source_destroy(source);
    }
}

/* A launch by its parameters: what an address of all threads depends on counts by its line, in
 * large launches only. */
TEST(test_identities)
{
    static const struct {
        const char *grid, *load;
        bool same;
    } cases[] = {
        {"128", "A[i/64, i%64]", true},      /* nothing of t */
        {"128", "A[i/64 + t, i%64]", false}, /* a row further */
        {"128", "C[t]", true},               /* 1024 warps, one line */
        {"128", "C[31*t]", true},
        {"127", "C[t]", false},         /* fewer warps */
        {"128", "C[32*t]", false},      /* another line */
        {"128", "C[i + t]", false},     /* another element of each thread */
        {"128", "C[i*(t + 1)]", false}, /* another stride */
        {"128", "C[max(t, 1)]", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yaml[1024];
        struct source *source;
        struct stream *stream;
        struct stream_kernel kernel;
        uint64_t identity[2];
        snprintf(yaml, sizeof yaml,
                 NEST("", "  - {name: k, repeat: t in 0..2, grid: %s, block: 256, let: {i: "
                          "bx*128 + tx/2}, body: [{load: \"%s\"}]}\n"),
                 cases[i].grid, cases[i].load);
        check_ok(workload_open_text(yaml, "", &source, &failure));
        check_ok(stream_open(source, &stream, &failure));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
            identity[k] = stream_identity(stream, &kernel);
            assert_true(identity[k] != 0);
        }
        if ((identity[0] == identity[1]) != cases[i].same)
            fail_msg("%s over %s blocks", cases[i].load, cases[i].grid);
        stream_destroy(stream);
        source_destroy(source);
    }
}

/* --- traces ----------------------------------------------------------------------- */

static void append_launch(struct text *text, const char *name, uint64_t base, const char *more)
{
    text_printf(text, "kernel %s grid=16 block=64\n", name);
    for (int cta = 0; cta < 16; cta++)
        for (int warp = 0; warp < 2; warp++)
            text_printf(text, "warp %d %d\nr 0x%llx 4 stride=4 insts=3\nw 0x%llx 4 stride=4%s\n",
                        cta, warp, (unsigned long long)(base + 512 * (uint64_t)cta),
                        (unsigned long long)(base + 65536 + 256 * (uint64_t)(2 * cta + warp)),
                        more);
}

/* Launches of one name, grid and records; of another access, another count of instructions. */
TEST(test_traces)
{
    static const struct {
        uint64_t every; /* base of each so many launches */
        const char *more;
        uint64_t run;
    } cases[] = {{1, "", 3}, {2, "", 6}, {12, "", 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_machine(machine_text);
        struct text text = {0};
        struct source *source;
        text_append(&text, "bandscape-trace 1\n");
        for (uint64_t k = 0; k < 12; k++)
            append_launch(&text, "k", 0x100000 + k % cases[i].every * 4096, cases[i].more);
        check_ok(source_open(check_file("repeats.btrace", text.data), &source, &failure));
        check_same(source, machine, PART_WAITS | PART_WINDOW, 12, cases[i].run);
        source_destroy(source);
        text_free(&text);
    }
}

/* What the identity of a traced launch is made of. */
TEST(test_trace_identities)
{
    static const char *const kernels[] = {
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=4\n",
        "grid=2 block=32\nr 0x1000 4 stride=8 insts=3\n",
        "grid=2 block=32\nr 0x1000 8 stride=4 insts=3\n",
        "grid=2 block=32\nw 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3 think=9\n",
        "grid=2 block=32\nr 0x1000 4 lanes=31 stride=4 insts=3\n",
        "grid=2 block=32\nr 0x1000,+4,+9 4 insts=3\n",
        "grid=2 block=32\nr 0x1000,+4,+8 4 insts=3\n",
        "grid=2 block=32\nr 0x1000,+4,+10 4 insts=3\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3 bypass\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3 scalar\n",
        "grid=2 block=32\nwarp 1 0\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=64\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=64\nwarp 0 1\nr 0x1000 4 stride=4 insts=3\n",
        "grid=3 block=32\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=32 shared=64\nr 0x1000 4 stride=4 insts=3\n",
        "grid=2 block=32\nr 0x1000 4 stride=4 insts=3\ni 2\n"};
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    struct text text = {0};
    struct source *source;
    struct stream *stream;
    struct stream_kernel kernel;
    uint64_t identity[KERNELS];
    text_append(&text, "bandscape-trace 1\n");
    for (int i = 0; i < KERNELS; i++)
        text_printf(&text, "kernel k %s", kernels[i]);
    text_append(&text, "kernel k order=recorded grid=2 block=32\nr 0x1000 4 stride=4 insts=3\n");
    check_ok(source_open(check_file("identities.btrace", text.data), &source, &failure));
    check_ok(stream_open(source, &stream, &failure));
    for (int i = 0; i < KERNELS; i++) {
        assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
        identity[i] = stream_identity(stream, &kernel);
        for (int k = 0; k < i; k++)
            if ((identity[k] == identity[i]) != (k == 0 && i == 1))
                fail_msg("launches %d and %d", k, i);
    }
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    assert_true(stream_identity(stream, &kernel) == 0);
    stream_destroy(stream);
    source_destroy(source);
    text_free(&text);
}

/* --- agreement -------------------------------------------------------------------- */

static struct launch_group *group_of(double requests, double chain, uint64_t first_bin)
{
    struct launch_group *group = memory_zero(1, sizeof *group);
    struct launch_kind *kind = &group->whole.kinds[0];
    static uint64_t digest;
    group->digest = ++digest;
    group->whole.n_kinds = 1;
    for (int i = 0; i < FIELD_COUNT; i++)
        group->whole.fields[i] = (double)NAN;
    group->whole.fields[FIELD_REQUESTS] = requests;
    group->whole.fields[FIELD_CHAIN_WAITS] = chain;
    kind->settled = true;
    struct launch_bins *reads = &kind->parts[DISTANCE_READS];
    *reads = (struct launch_bins){.requests = 10000, .n = 3};
    reads->counts = memory_zero(3, sizeof *reads->counts);
    reads->counts[0] = first_bin;
    reads->counts[2] = 10000 - first_bin;
    return group;
}

TEST(test_agreement)
{
    const double within = PROFILE_SETTLED_WITHIN;
    const struct {
        double requests, chain;
        uint64_t bin;
        bool unsettled, agrees;
    } cases[] = {{10000, 500, 4000, false, true},  {10010, 500, 4000, false, true},
                 {10011, 500, 4000, false, false}, {10000, 501, 4000, false, false},
                 {10000, 500, 4010, false, true},  {10000, 500, 4011, false, false},
                 {10000, 500, 4000, true, false}};
    struct launch_group *first = group_of(10000, 500, 4000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launch_group *other = group_of(cases[i].requests, cases[i].chain, cases[i].bin);
        other->whole.kinds[0].settled = !cases[i].unsettled;
        bool agrees = launch_group_agrees(first, other, within);
        if (agrees != cases[i].agrees || launch_group_agrees(other, first, within) != agrees)
            fail_msg("case %zu", i);
        launch_group_destroy(other);
    }
    /* A field that one does not know. */
    struct launch_group *other = group_of(10000, (double)NAN, 4000);
    assert_false(launch_group_agrees(first, other, within));
    launch_group_destroy(other);
    launch_group_destroy(first);
}

/* --- the first launches ------------------------------------------------------------ */

/* They are those of the whole run. */
TEST(test_first)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(source) *all = check_source("bfs:input=small");
    OWNED(source) *some = check_source("bfs:first=3,input=small");
    OWNED(profile) *whole = profile_of(all, machine, PART_WAITS, 1, false);
    OWNED(profile) *part = profile_of(some, machine, PART_WAITS, 1, false);
    assert_string_equal(some->name, "bfs-first-3");
    assert_non_null(strstr(some->spec, ",first=3"));
    assert_string_not_equal(some->hash, all->hash);
    assert_int_equal(part->views[0].n_records, 3);
    assert_true(whole->views[0].n_records > 3);
    for (int i = 0; i < 3; i++) {
        const struct profile_record *a = &whole->views[0].records[i];
        const struct profile_record *b = &part->views[0].records[i];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->fields, b->fields, sizeof a->fields);
    }
    /* What the profile names opens the same. */
    OWNED(source) *again = check_source(part->source);
    assert_string_equal(again->hash, part->source_hash);
    assert_string_equal(again->name, part->name);
}

/* Of launches that repeat, the first ones: the last half of a period. */
TEST(test_first_of_repeats)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(source) *source = check_source("stencil:nx=128,ny=128,nz=4,steps=100,first=11");
    check_same(source, machine, PART_WAITS, 11, 6);
}

TEST(test_first_of_files)
{
    const char *text = "bandscape-trace 1\nkernel a grid=1 block=32\nr 0x1000 4\n"
                       "kernel b grid=1 block=32\nr 0x2000 4\n";
    char spec[1024];
    struct stream *stream;
    struct stream_kernel kernel;
    struct source *source;
    /* A file whose name ends so is that file. */
    check_ok(source_open(check_file("odd.btrace:first=1", text), &source, &failure));
    assert_true(source->first == 0);
    source_destroy(source);
    snprintf(spec, sizeof spec, "%s:first=1", check_file("two:launches.btrace", text));
    OWNED(source) *one = check_source(spec);
    assert_string_equal(one->spec, spec);
    check_ok(stream_open(one, &stream, &failure));
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 0);
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 0);
    stream_destroy(stream);
    snprintf(spec, sizeof spec, "%s:first=3", check_file("two:launches.btrace", text));
    OWNED(source) *three = check_source(spec);
    check_ok(stream_open(three, &stream, &failure));
    for (int i = 0; i < 2; i++)
        assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), STATUS_INPUT);
    assert_string_equal(failure.text, "first=3: there are 2 launches only");
    stream_destroy(stream);
}

TEST(test_first_is_a_number)
{
    static const char *const specs[] = {"gemm:first=0", "gemm:first=-1", "gemm:first=two",
                                        "gemm:first=1.5", "bfs:first="};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct source *source;
        assert_true(source_open(specs[i], &source, &failure) < 0);
        assert_null(source);
    }
    struct source *source;
    assert_int_equal(workload_open_text("workload: t\nsummary: s\nparameters: {first: 8}\n"
                                        "arrays: {A: {shape: [8], type: u8}}\n"
                                        "kernels: [{name: k, grid: 1, block: 1, body: []}]\n",
                                        "", &source, &failure),
                     STATUS_INPUT);
    assert_non_null(strstr(failure.text, "\"first\" is a setting of every workload"));
}

/* --- shipped workloads -------------------------------------------------------------- */

/* A hash of all accesses of the current launch. */
static uint64_t accesses_of(struct stream *stream, const struct stream_kernel *kernel)
{
    struct hash_content *hash = hash_content_begin();
    void *state = memory_aligned(64, kernel->warp_state_size + 64);
    struct warp_buffer *buffer = memory_alloc(sizeof *buffer);
    for (uint64_t cta = 0; cta < kernel->n_ctas; cta++)
        for (uint32_t warp = 0; warp < kernel->warps_per_cta; warp++) {
            check_ok(stream_warp_begin(stream, cta, warp, state, &failure));
            while (stream_read(stream, state, buffer, &failure) > 0)
                for (int i = 0; i < buffer->count; i++) {
                    const struct warp_access *a = &buffer->items[i];
                    uint64_t rest[] = {a->mask, a->instructions, a->bytes, a->kind, a->ahead};
                    hash_content_add(hash, rest, sizeof rest);
                    for (int k = 0; k < warp_access_lanes(a); k++) {
                        uint64_t address = warp_access_address(a, k);
                        hash_content_add(hash, &address, sizeof address);
                    }
                }
        }
    free(state);
    free(buffer);
    return hash_content_end_number(hash);
}

/* What is said to be the same launch makes the same accesses; and those that make them in turn are
 * known for it. */
TEST(test_same_launches_make_the_same_accesses)
{
    static const struct {
        const char *spec;
        bool repeats;
    } cases[] = {{"amg:input=small,cycles=3", true},
                 {"cfd:input=small,iterations=3", true},
                 {"lulesh:input=small,steps=3", true},
                 {"comd:input=small,steps=3", true},
                 {"miniamr:input=small,stages=3", true},
                 {"pagerank:input=small,iterations=4", true},
                 {"raytrace:input=small,frames=3", true},
                 {"spmv:input=small,times=3", true},
                 {"bfs:input=small", false},
                 {"sssp:input=small", false},
                 {"mst:input=small", false},
                 {"stencil:input=small,steps=4", true},
                 {"srad:input=small,iterations=3", true},
                 {"fdtd2d:input=small", true},
                 {"kmeans:input=small", true},
                 {"bitonicsort:input=small", false},
                 {"lud:input=small", false},
                 {"fwt:input=small", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(source) *source = check_source(cases[i].spec);
        struct stream *stream;
        struct stream_kernel kernel;
        struct {
            uint64_t identity, accesses;
        } met[256];
        int n = 0, same = 0;
        check_ok(stream_open(source, &stream, &failure));
        for (; n < 256 && stream_next_kernel(stream, &kernel, &failure) > 0; n++) {
            met[n].identity = stream_identity(stream, &kernel);
            met[n].accesses = accesses_of(stream, &kernel);
            for (int k = 0; k < n && met[n].identity; k++) {
                if (met[k].identity != met[n].identity)
                    continue;
                same++;
                if (met[k].accesses != met[n].accesses)
                    fail_msg("%s: launches %d and %d", cases[i].spec, k, n);
            }
        }
        if ((same > 0) != cases[i].repeats)
            fail_msg("%s: %d of its %d launches are said to be as others", cases[i].spec, same, n);
        stream_destroy(stream);
    }
}

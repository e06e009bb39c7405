/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's example of sharing (ISCA 2023, section 3), gone through by the profiler: two chips, pages A
 * and B of two lines, A first touched by chip C0 and B by C1.
 *
 *     case 0   C0: A1 A2   C1: B1 B2   nothing is shared
 *     case 1   C0: A1 B1   C1: A2 B2   all lines are falsely shared
 *     case 2   C0: A1 B1   C1: A1 B1   A1 and B1 are truly shared
 *
 * Here: a source of four reads, in recorded order, and its profile. */
#include <stdlib.h>

#include "model/computation.h"
#include "profile/record/profile.h"
#include "trace/stream.h"
#include "profile/run/profiler.h"

enum { PAGE = 4096, LINE = 128, A1 = 0, A2 = LINE, B1 = PAGE, B2 = PAGE + LINE };

/* Each case's reads in order, by chips 0, 1, 0, 1: the first two place the pages. */
enum { READS = 4 };
static const uint64_t cases[][READS] = {{A1, B1, A2, B2}, {A1, B2, B1, A2}, {A1, B1, B1, A1}};

struct example_source {
    struct source source;
    const uint64_t *reads;
};

struct example_stream {
    struct stream stream;
    int kernels; /* given out */
    int reads;
};

static int example_kernel(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct example_stream *own = (struct example_stream *)(void *)stream;
    (void)error;
    *out = (struct stream_kernel){.name = "example",
                                  .grid = {2, 1, 1},
                                  .block = {1, 1, 1},
                                  .n_ctas = 2,
                                  .warps_per_cta = 1,
                                  .threads_per_cta = 1,
                                  .recorded_order = true};
    return own->kernels++ == 0;
}

static int example_read(struct stream *stream, struct warp_buffer *out,
                        struct ordered_access *origin, struct error *error)
{
    struct example_stream *own = (struct example_stream *)(void *)stream;
    const struct example_source *source =
        (const struct example_source *)(const void *)stream->source;
    (void)error;
    out->count = out->pool_used = 0;
    for (; own->reads < READS; own->reads++) {
        out->items[out->count] = (struct warp_access){.kind = ACCESS_READ,
                                                      .bytes = 4,
                                                      .mask = 1,
                                                      .instructions = 1,
                                                      .base = source->reads[own->reads]};
        origin[out->count++] = (struct ordered_access){.cta = (uint64_t)own->reads % 2};
    }
    return out->count;
}

static void example_close(struct stream *stream)
{
    free(stream);
}

static const struct stream_class example_stream_class = {
    .next_kernel = example_kernel, .read_ordered = example_read, .destroy = example_close};

static int example_open(const struct source *source, struct stream **out, struct error *error)
{
    struct example_stream *own = memory_zero(1, sizeof *own);
    (void)error;
    own->stream = (struct stream){&example_stream_class, source};
    *out = &own->stream;
    return 0;
}

static const struct source_class example_class = {.kind = "trace", .stream_open = example_open};

/* Lines that were ever fetched into caches of one side: nothing is evicted here. */
static double held(const struct profile_record *record, const char *side)
{
    const struct profile_curve *curve = profile_curve_find(record, "chip", side, "all");
    return curve ? (double)curve->curve.cold : 0;
}

static int sharing_example_compute(const struct machine *machine, const double *arguments,
                                   double *results, struct error *error)
{
    const size_t n_cases = sizeof cases / sizeof *cases;
    struct example_source source = {
        .source = {.class = &example_class, .name = "example", .spec = "example", .hash = "0"}};
    struct profile_options options = {.parts = PART_BASE};
    double number = arguments[0];
    if (!machine)
        return error_set(error, STATUS_INPUT, "the example is about a machine of two chips");
    if (!(number >= 0 && number < (double)n_cases))
        return error_set(error, STATUS_INPUT, "there are the cases 0 to %zu, not %g", n_cases - 1,
                         number);
    source.reads = cases[(size_t)number];
    struct profile *profile = profile_create();
    int status = profile_make(profile, &source.source, machine, &options, error);
    if (!status) {
        const struct profile_sharing *sharing = &profile->views[0].sharing;
        const struct profile_record *record = &profile->views[0].records[0];
        results[0] = sharing->non_shared_bytes / LINE;
        results[1] = sharing->falsely_shared_bytes / LINE;
        results[2] = sharing->truly_shared_bytes / LINE;
        results[3] = held(record, "home");
        results[4] = held(record, "requester");
        results[5] = READS * record->fields[FIELD_R_LOCAL];
    }
    profile_destroy(profile);
    return status;
}

static const char *const example_arguments[] = {"case", NULL};
/* Lines; held in the LLCs of both chips; reads, of the four, of a page of the reader's chip. */
static const char *const example_results[] = {
    "non_shared", "falsely_shared", "truly_shared", "memory_side", "sm_side", "own", NULL};

const struct computation computation_sharing_example = {
    .plugin = {"computation", "sharing_example", "lines shared and held, by the profiler",
               "SAC, ISCA 2023, section 3", NULL},
    .arguments = example_arguments,
    .results = example_results,
    .compute = sharing_example_compute,
};

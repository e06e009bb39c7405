/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source of four reads, in recorded order, and its profile. */
#include "sac/sharing_example.h"

#include <stdlib.h>

#include "profile/profile.h"
#include "trace/stream.h"

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

int sharing_example(int number, struct sharing_example *out, struct error *error)
{
    struct example_source source = {
        .source = {.class = &example_class, .name = "example", .spec = "example", .hash = "0"},
        .reads = cases[number]};
    struct profile_options options = {.parts = PART_BASE};
    struct machine *machine = NULL;
    struct profile *profile = profile_create();
    int status = machine_load("sac-2chip", &machine, error);
    if (!status)
        status = profile_make(profile, &source.source, machine, &options, error);
    if (!status) {
        const struct profile_sharing *sharing = &profile->views[0].sharing;
        const struct profile_record *record = &profile->views[0].records[0];
        *out = (struct sharing_example){
            sharing->non_shared_bytes / LINE,   sharing->falsely_shared_bytes / LINE,
            sharing->truly_shared_bytes / LINE, held(record, "home"),
            held(record, "requester"),          READS * record->fields[FIELD_R_LOCAL]};
    }
    profile_destroy(profile);
    machine_destroy(machine);
    return status;
}

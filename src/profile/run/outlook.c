/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A look at the launches of a source before a pass. */
#include "profile/run/outlook.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"

/* Of a launch that comes again the first time finds caches empty, the second what the first left;
 * the third agrees with it, and then counts have settled. */
enum { TIMES = 3 };
/* Warps of a launch that are read, and turns after which no further one is. */
enum { WARPS = 64, TURNS = 1 << 16 };
/* What a bar is worth, s. */
static const double most_s = 0.25;

struct look {
    struct stream *stream;
    void *state;
    size_t state_size;
    struct {
        struct met {
            uint64_t identity, turns;
            unsigned times;
        } * items;
        size_t count, capacity;
    } met; /* launches that are different */
    double start;
};

/* Places of n samples in 0 .. 1 that are spread however few are taken: bits of n turned round. */
static double spread(unsigned n)
{
    double place = 0, step = 0.5;
    for (; n; n >>= 1, step /= 2)
        place += n & 1 ? step : 0;
    return place + 0.5 / WARPS;
}

/* Turns of one warp, or a negative status. */
static int64_t read_warp(struct look *look, uint64_t warp, const struct stream_kernel *kernel)
{
    struct warp_buffer buffer;
    struct error ignored;
    int64_t turns = 0;
    int status = stream_warp_begin(look->stream, warp / kernel->warps_per_cta,
                                   (uint32_t)(warp % kernel->warps_per_cta), look->state, &ignored);
    while (!status && turns < TURNS) {
        status = stream_read(look->stream, look->state, &buffer, &ignored);
        if (status <= 0)
            break;
        turns += status;
        status = 0;
    }
    return status < 0 ? status : turns + OUTLOOK_ENDS;
}

static int64_t read_launch(struct look *look, const struct stream_kernel *kernel)
{
    double warps = (double)kernel->n_ctas * kernel->warps_per_cta;
    int64_t turns = 0;
    unsigned n = 0;
    if (kernel->warp_state_size > look->state_size) {
        free(look->state);
        look->state_size = kernel->warp_state_size;
        look->state = memory_zero(1, look->state_size);
    }
    while (n < WARPS && n < warps && turns < TURNS) {
        int64_t own = read_warp(look, (uint64_t)(spread(n++) * warps), kernel);
        if (own < 0)
            return own;
        turns += own;
    }
    return n ? (int64_t)((double)turns * warps / n) : 0;
}

/* What is known of a launch that was met; else of this one. */
static struct met *meet(struct look *look, const struct stream_kernel *kernel)
{
    uint64_t identity = stream_identity(look->stream, kernel);
    for (size_t i = look->met.count; identity && i-- > 0;)
        if (look->met.items[i].identity == identity)
            return &look->met.items[i];
    int64_t turns = read_launch(look, kernel);
    if (turns < 0)
        return NULL;
    VECTOR_PUSH(&look->met, (struct met){.identity = identity, .turns = (uint64_t)turns});
    return &look->met.items[look->met.count - 1];
}

static bool look_at(struct look *look, bool exact, struct outlook *outlook)
{
    struct stream_kernel kernel;
    struct error ignored;
    int status;
    while ((status = stream_next_kernel(look->stream, &kernel, &ignored)) > 0) {
        struct met *met = meet(look, &kernel);
        if (!met || clock_work_seconds() - look->start > most_s || interrupt_requested())
            return false;
        bool expected = exact || !met->identity || met->times++ < TIMES;
        VECTOR_PUSH(&outlook->launches, (struct outlook_launch){met->turns, expected});
        outlook->whole += expected ? met->turns : 0;
    }
    return status == 0;
}

void outlook_init(struct outlook *outlook, const struct source *source, bool exact, size_t items)
{
    struct look look = {.start = clock_work_seconds()};
    struct error ignored;
    *outlook = (struct outlook){.items = (int64_t)items};
    if (!progress_is_drawn() || strcmp(source->class->kind, "trace") == 0)
        return;
    if (stream_open(source, &look.stream, &ignored) || !look_at(&look, exact, outlook)) {
        outlook->launches.count = 0;
        outlook->whole = 0;
    }
    stream_destroy(look.stream);
    free(look.state);
    VECTOR_FREE(&look.met);
}

double outlook_share(const struct outlook *outlook)
{
    return outlook->whole ? (double)(outlook->before + outlook->done) / (double)outlook->whole : 0;
}

static void tell(struct outlook *outlook)
{
    int64_t parts = (int64_t)(outlook_share(outlook) * (double)(outlook->items * PROGRESS_ITEM));
    progress_move(parts - outlook->told);
    outlook->told = parts;
}

void outlook_fini(struct outlook *outlook)
{
    if (outlook->told)
        progress_move(-outlook->told);
    VECTOR_FREE(&outlook->launches);
}

/* The current launch's part of the whole; 0: there is none. */
static uint64_t part_of(const struct outlook *outlook)
{
    if (!outlook->reached || outlook->reached > outlook->launches.count)
        return 0;
    const struct outlook_launch *launch = &outlook->launches.items[outlook->reached - 1];
    return launch->expected ? launch->turns : 0;
}

void outlook_launch(struct outlook *outlook, bool gone_through)
{
    outlook->before += part_of(outlook);
    outlook->done = outlook->next = 0;
    if (outlook->reached++ >= outlook->launches.count)
        return;
    struct outlook_launch *launch = &outlook->launches.items[outlook->reached - 1];
    if (gone_through && !launch->expected) {
        launch->expected = true;
        outlook->whole += launch->turns;
    }
    tell(outlook);
}

void outlook_done(struct outlook *outlook, uint64_t turns)
{
    enum { STEPS = 1024 };
    uint64_t part = part_of(outlook);
    if (!part)
        return;
    outlook->done += turns;
    if (outlook->done < outlook->next)
        return;
    outlook->next = outlook->done + outlook->whole / STEPS;
    outlook->done = outlook->done < part ? outlook->done : part;
    tell(outlook);
}

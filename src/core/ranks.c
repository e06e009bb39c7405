/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/progress.h"

enum { TAG_TEXT = 1, TAG_ASK, TAG_GIVE };

/* Time between two lines of progress. */
static const double progress_every_s = 10;

/* Time between two reports of a rank: so that rank 0 gets at most some ten thousand a second. */
static const double tell_s = 0.25, tell_a_rank_s = 1e-4;

/* A longer text goes in messages of that size, and one that is shorter. */
static const size_t part_bytes = 1 << 30;

static struct {
    const struct ranks_transport *transport; /* NULL: alone */
    int number, count, here;
    uint64_t messages, bytes, pieces;
} ranks = {.count = 1, .here = 1};

/* --- who it is -------------------------------------------------------------------------------- */

/* How many were started together, by Open MPI, MPICH and its kin, or Slurm; -1: it is not known; 1:
 * it was not so. *number: which of them this is. */
static int started_count(int *number)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"PMI_SIZE", "PMI_RANK"},
                                           {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    *number = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *count = getenv(names[i][0]), *own = getenv(names[i][1]);
        if (!count || atoi(count) < 1)
            continue;
        *number = own ? atoi(own) : 0;
        return atoi(count);
    }
    return getenv("PMIX_RANK") ? -1 : 1;
}

int ranks_begin(struct error *error)
{
    int number, started = started_count(&number);
    const struct ranks_transport *transport = ranks_transport();
    if (started == 1 || ranks.transport || (!transport && started < 0))
        return 0;
    if (!transport) {
        ranks.number = number; /* one of them says so */
        error_set(error, STATUS_USAGE,
                  "one of %d that were started together, but built without MPI: each would do all "
                  "of the work",
                  started);
        return error_hint(error, "make MPI=1 builds with it; without it --shard I/N gives each a "
                                 "share");
    }
    int status = transport->begin(&ranks.number, &ranks.count, &ranks.here, error);
    if (status)
        return status;
    ranks.transport = transport;
    if (started > 1 && ranks.count == 1) {
        ranks.number = number;
        error_set(error, STATUS_USAGE,
                  "one of %d that were started together, but MPI knows of no other: each would do "
                  "all of the work",
                  started);
        return error_hint(error, "mpirun of the MPI that it was built with, or srun --mpi=pmix");
    }
    if (ranks.number > 0)
        progress_set_stream(NULL);
    else /* mpirun takes what is printed through a pipe */
        progress_set_lines(stderr, progress_every_s);
    return 0;
}

int ranks_count(void)
{
    return ranks.count;
}

int ranks_number(void)
{
    return ranks.number;
}

int ranks_here(void)
{
    return ranks.here;
}

bool ranks_first(void)
{
    return ranks.number == 0;
}

const char *ranks_kind(void)
{
    const struct ranks_transport *transport = ranks_transport();
    return transport ? transport->name : NULL;
}

/* --- messages --------------------------------------------------------------------------------- */

static void send(int to, int tag, const void *data, size_t size)
{
    ranks.messages++;
    ranks.bytes += size;
    ranks.transport->send(to, tag, data, size);
}

/* Sleeps a little longer each time: the processor is for those that compute. */
static void nap(long *ns)
{
    nanosleep(&(struct timespec){0, *ns}, NULL);
    *ns = *ns < 500000 ? 2 * *ns : 1000000;
}

static size_t wait_for(int *from, int tag)
{
    size_t size;
    long ns = 2000;
    while (!ranks.transport->probe(from, tag, &size))
        nap(&ns);
    return size;
}

static void send_text(int to, const struct text *text)
{
    size_t sent = 0, part;
    do {
        part = text->length - sent < part_bytes ? text->length - sent : part_bytes;
        send(to, TAG_TEXT, text->data + sent, part);
        sent += part;
    } while (part == part_bytes);
}

static void receive_text(int from, struct text *out)
{
    size_t part;
    do {
        part = wait_for(&from, TAG_TEXT);
        char *data = memory_alloc(part + 1);
        ranks.transport->receive(from, TAG_TEXT, data, part);
        text_append_bytes(out, data, part);
        free(data);
    } while (part == part_bytes);
}

/* --- trees ------------------------------------------------------------------------------------ */

int ranks_gather(const struct ranks_gathering *g, struct error *error)
{
    int status = 0;
    for (int step = 1; step < ranks.count; step *= 2) {
        struct text text = {0};
        text_append(&text, "");
        if (ranks.number & step) {
            g->print(g->context, &text);
            send_text(ranks.number - step, &text);
        } else if (ranks.number + step < ranks.count) {
            struct error own = {0};
            receive_text(ranks.number + step, &text);
            int taken = g->take(g->context, &text, &own);
            if (taken && !status)
                *error = own;
            status = status ? status : taken;
        }
        text_free(&text);
        if (ranks.number & step)
            break;
    }
    return status;
}

void ranks_spread(struct text *text)
{
    int step = 1;
    text_append(text, "");
    while (step < ranks.count && !(ranks.number & step))
        step *= 2;
    if (ranks.number > 0) {
        text->length = 0;
        receive_text(ranks.number - step, text);
    }
    while ((step /= 2) > 0)
        if (ranks.number + step < ranks.count)
            send_text(ranks.number + step, text);
}

/* --- errors ----------------------------------------------------------------------------------- */

static void print_error(void *context, struct text *out)
{
    const struct error *error = context;
    if (error->status)
        text_append_bytes(out, (const char *)error, sizeof *error);
}

/* They come from ranks that are higher. */
static int take_error(void *context, struct text *text, struct error *ignored)
{
    struct error *own = context, other;
    (void)ignored;
    if (text->length != sizeof other)
        return 0;
    memcpy(&other, text->data, sizeof other);
    if (!own->status || (own->status == STATUS_INTERRUPTED && other.status != STATUS_INTERRUPTED))
        *own = other;
    return 0;
}

int ranks_agree(int status, struct error *error)
{
    struct error first = {0}, ignored;
    struct text text = {0};
    if (ranks.count == 1)
        return status;
    if (status) {
        first = *error;
        first.status = status;
    }
    ranks_gather(&(struct ranks_gathering){print_error, take_error, &first}, &ignored);
    print_error(&first, &text);
    ranks_spread(&text);
    if (text.length == sizeof first) {
        memcpy(error, text.data, sizeof *error);
        status = error->status;
    }
    text_free(&text);
    return status;
}

/* --- traffic ---------------------------------------------------------------------------------- */

static void print_traffic(void *context, struct text *out)
{
    text_append_bytes(out, context, sizeof(struct ranks_traffic));
}

static int take_traffic(void *context, struct text *text, struct error *ignored)
{
    struct ranks_traffic *own = context, other;
    (void)ignored;
    memcpy(&other, text->data, sizeof other);
    own->messages += other.messages;
    own->bytes += other.bytes;
    if (other.most_messages > own->most_messages)
        own->most_messages = other.most_messages;
    return 0;
}

struct ranks_traffic ranks_traffic(void)
{
    struct ranks_traffic all = {ranks.messages, ranks.bytes, ranks.messages, ranks.pieces};
    struct error ignored;
    ranks_gather(&(struct ranks_gathering){print_traffic, take_traffic, &all}, &ignored);
    return all;
}

void ranks_end(void)
{
    struct error ignored = {0};
    if (!ranks.transport)
        return;
    ranks_agree(0, &ignored); /* asleep: MPI waits at full speed */
    ranks.transport->end();
    ranks.transport = NULL;
    ranks.number = 0;
    ranks.count = ranks.here = 1;
}

/* --- the pool --------------------------------------------------------------------------------- */

struct ranks_pool {
    uint64_t total, most, next;
    void (*told)(uint64_t amount);
    pthread_mutex_t lock; /* of `next` and `stopped`, on rank 0 */
    bool stopped, over, served;
    uint64_t untold;
    double told_s;
    pthread_t server;
};

/* To rank 0. */
struct ask {
    uint64_t done;
    bool wants, failed;
};

struct give {
    uint64_t from, to; /* alike: there are no more */
};

uint64_t ranks_piece(uint64_t left, uint64_t count, uint64_t most)
{
    uint64_t piece = left / (2 * count);
    if (count == 1)
        piece = left;
    if (most && piece > most)
        piece = most;
    return piece ? piece : left > 0;
}

static struct give pool_give(struct ranks_pool *pool)
{
    struct give give = {0, 0};
    pthread_mutex_lock(&pool->lock);
    if (!pool->stopped && pool->next < pool->total) {
        give.from = pool->next;
        pool->next += ranks_piece(pool->total - pool->next, (uint64_t)ranks.count, pool->most);
        give.to = pool->next;
        ranks.pieces++;
    }
    pthread_mutex_unlock(&pool->lock);
    return give;
}

static void pool_fail(struct ranks_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopped = true;
    pthread_mutex_unlock(&pool->lock);
}

/* Answers until each of the others knows that there are no more. */
static void *pool_serve(void *argument)
{
    struct ranks_pool *pool = argument;
    for (int left = ranks.count - 1; left > 0;) {
        struct ask ask;
        int from = -1;
        wait_for(&from, TAG_ASK);
        ranks.transport->receive(from, TAG_ASK, &ask, sizeof ask);
        if (ask.done && pool->told)
            pool->told(ask.done);
        if (ask.failed)
            pool_fail(pool);
        if (!ask.wants)
            continue;
        struct give give = pool_give(pool);
        send(from, TAG_GIVE, &give, sizeof give);
        left -= give.from == give.to;
    }
    return NULL;
}

struct ranks_pool *ranks_pool_open(uint64_t total, uint64_t most, void (*told)(uint64_t amount))
{
    struct ranks_pool *pool = memory_zero(1, sizeof *pool);
    *pool =
        (struct ranks_pool){.total = total, .most = most, .told = told, .told_s = clock_seconds()};
    pthread_mutex_init(&pool->lock, NULL);
    if (ranks.count > 1 && ranks.number == 0)
        pool->served = pthread_create(&pool->server, NULL, pool_serve, pool) == 0;
    return pool;
}

static void pool_ask(struct ranks_pool *pool, bool wants, bool failed)
{
    struct ask ask;
    memset(&ask, 0, sizeof ask); /* its holes, too */
    ask.done = pool->untold;
    pool->untold = 0;
    pool->told_s = clock_seconds();
    ask.wants = wants;
    ask.failed = failed;
    send(0, TAG_ASK, &ask, sizeof ask);
}

bool ranks_pool_next(struct ranks_pool *pool, uint64_t *from, uint64_t *to)
{
    struct give give = {0, 0};
    int first = 0;
    if (pool->over)
        return false;
    if (ranks.number == 0) {
        give = pool_give(pool);
    } else {
        pool_ask(pool, true, false);
        wait_for(&first, TAG_GIVE);
        ranks.transport->receive(0, TAG_GIVE, &give, sizeof give);
    }
    *from = give.from;
    *to = give.to;
    pool->over = give.from == give.to;
    return !pool->over;
}

void ranks_pool_tell(struct ranks_pool *pool, uint64_t amount)
{
    double between = tell_s + tell_a_rank_s * ranks.count;
    if (ranks.number == 0 || pool->over)
        return;
    pool->untold += amount;
    if (clock_seconds() - pool->told_s > between)
        pool_ask(pool, false, false);
}

/* This rank failed: none gets more. */
static void pool_stop(struct ranks_pool *pool)
{
    uint64_t from, to;
    if (ranks.number == 0)
        pool_fail(pool);
    else
        pool_ask(pool, false, true);
    while (ranks_pool_next(pool, &from, &to)) /* nothing, when that has arrived */
        ;
}

void ranks_pool_close(struct ranks_pool *pool)
{
    if (!pool->over)
        pool_stop(pool);
    if (pool->served)
        pthread_join(pool->server, NULL);
    else if (ranks.count > 1 && ranks.number == 0)
        pool_serve(pool); /* no thread could be had: at least now */
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

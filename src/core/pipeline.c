/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring under one mutex, which each side takes once an item. Items are large
 * (hundreds of requests), so what matters is that nobody is woken in vain, which
 * takes longer than the work on an item: a producer that found the ring full
 * sleeps until half of it is free, a consumer that found it empty until half of
 * it is full or the producer waits for the rest. */
#include "core/pipeline.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { ITEM_ALIGN = 64 };

struct pipeline_consumer {
    struct pipeline *pipeline;
    int index;
    pthread_t thread;
};

struct pipeline {
    pipeline_consume *consume;
    void *context;
    unsigned char *items;
    size_t stride; /* bytes from item to item */
    uint64_t depth;
    int n_consumers;
    int n_threads; /* consumers 0 .. n_threads-1 have one; the caller does the rest */
    struct pipeline_consumer *consumers;

    uint64_t freed_seen; /* the producer's own: `freed` when it last looked */

    pthread_mutex_t mutex;
    pthread_cond_t pushed_some, freed_some;
    /* Under the mutex. Items count from 0 and lie at their number modulo depth;
     * they are freed in order, because every consumer goes in order. */
    uint64_t pushed;  /* written by the producer only, which reads it without the mutex */
    uint64_t freed;   /* all consumers are through with items 0 .. freed-1 */
    uint64_t wake_at; /* `freed` that wakes the producer; UINT64_MAX: it is awake */
    uint64_t call_at; /* `pushed` that wakes a consumer; UINT64_MAX: none sleeps */
    uint64_t due;     /* items 0 .. due-1 are waited for */
    int *left;        /* [depth]: threads that are not through with the item */
    bool closing;
};

static void *item_at(const struct pipeline *p, uint64_t number)
{
    return p->items + number % p->depth * p->stride;
}

/* --- consumers ---------------------------------------------------------------- */

/* A consumer has done items 0 .. at-1, and there are no others yet. */
static void wait_until_pushed(struct pipeline *p, uint64_t at)
{
    uint64_t enough = at + (p->depth + 1) / 2;
    while (p->pushed < enough && at >= p->due && !p->closing) {
        p->call_at = p->call_at < enough ? p->call_at : enough;
        pthread_cond_wait(&p->pushed_some, &p->mutex);
    }
}

static void *consumer_run(void *argument)
{
    const struct pipeline_consumer *consumer = argument;
    struct pipeline *p = consumer->pipeline;
    uint64_t at = 0;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        if (at == p->pushed)
            wait_until_pushed(p, at);
        if (at == p->pushed)
            break;
        pthread_mutex_unlock(&p->mutex);
        p->consume(p->context, consumer->index, item_at(p, at));
        pthread_mutex_lock(&p->mutex);
        if (--p->left[at % p->depth] == 0 && ++p->freed == p->wake_at)
            pthread_cond_signal(&p->freed_some);
        at++;
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* --- the producer ------------------------------------------------------------- */

/* Unless items 0 .. least-1 are freed, sleeps until 0 .. wake-1 are. */
static void wait_until_freed(struct pipeline *p, uint64_t least, uint64_t wake)
{
    pthread_mutex_lock(&p->mutex);
    if (p->freed < least) {
        p->wake_at = wake;
        p->due = wake;
        pthread_cond_broadcast(&p->pushed_some);
        while (p->freed < wake)
            pthread_cond_wait(&p->freed_some, &p->mutex);
        p->wake_at = UINT64_MAX;
    }
    p->freed_seen = p->freed;
    pthread_mutex_unlock(&p->mutex);
}

void *pipeline_slot(struct pipeline *p)
{
    if (p->pushed - p->freed_seen == p->depth)
        wait_until_freed(p, p->pushed - p->depth + 1, p->pushed - p->depth / 2);
    return item_at(p, p->pushed);
}

void pipeline_push(struct pipeline *p)
{
    void *item = pipeline_slot(p);
    pthread_mutex_lock(&p->mutex);
    p->left[p->pushed % p->depth] = p->n_threads;
    p->pushed++;
    if (p->n_threads == 0)
        p->freed++;
    if (p->pushed >= p->call_at) {
        p->call_at = UINT64_MAX;
        pthread_cond_broadcast(&p->pushed_some);
    }
    pthread_mutex_unlock(&p->mutex);
    for (int k = p->n_threads; k < p->n_consumers; k++)
        p->consume(p->context, k, item);
}

void pipeline_drain(struct pipeline *p)
{
    wait_until_freed(p, p->pushed, p->pushed);
}

int pipeline_consumers(const struct pipeline *p)
{
    return p->n_consumers;
}

/* --- from beginning to end ---------------------------------------------------- */

struct pipeline *pipeline_create(size_t item_bytes, int depth, int consumers,
                                 pipeline_consume *consume, void *context)
{
    struct pipeline *p = memory_zero(1, sizeof *p);
    p->consume = consume;
    p->context = context;
    p->depth = depth < 1 ? 1 : (uint64_t)depth;
    p->stride = (item_bytes + ITEM_ALIGN - 1) / ITEM_ALIGN * ITEM_ALIGN;
    p->items = memory_aligned(ITEM_ALIGN, p->depth * p->stride);
    memset(p->items, 0, p->depth * p->stride);
    p->left = memory_zero(p->depth, sizeof *p->left);
    p->wake_at = p->call_at = UINT64_MAX;
    p->n_consumers = consumers < 1 ? 1 : consumers;
    p->consumers = memory_zero((size_t)p->n_consumers, sizeof *p->consumers);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->pushed_some, NULL);
    pthread_cond_init(&p->freed_some, NULL);
    for (; p->n_threads < consumers; p->n_threads++) {
        struct pipeline_consumer *consumer = &p->consumers[p->n_threads];
        *consumer = (struct pipeline_consumer){.pipeline = p, .index = p->n_threads};
        if (pthread_create(&consumer->thread, NULL, consumer_run, consumer) != 0)
            break;
    }
    return p;
}

void pipeline_destroy(struct pipeline *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->closing = true;
    pthread_cond_broadcast(&p->pushed_some);
    pthread_mutex_unlock(&p->mutex);
    for (int k = 0; k < p->n_threads; k++)
        pthread_join(p->consumers[k].thread, NULL);
    pthread_cond_destroy(&p->freed_some);
    pthread_cond_destroy(&p->pushed_some);
    pthread_mutex_destroy(&p->mutex);
    free(p->consumers);
    free(p->left);
    free(p->items);
    free(p);
}

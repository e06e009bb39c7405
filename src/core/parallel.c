/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parallel loop, and interruption. */
#include "core/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"

int parallel_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int)cores;
}

struct parallel_loop {
    parallel_body *body; /* or NULL: */
    parallel_step *step;
    void *context;
    uint64_t count;
    atomic_uint_fast64_t next;
};

struct parallel_worker {
    struct parallel_loop *loop;
    int index;
    pthread_t thread;
    bool started;
};

static void *parallel_run(void *argument)
{
    struct parallel_worker *worker = argument;
    struct parallel_loop *loop = worker->loop;
    for (;;) {
        uint64_t item = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
        if (item >= loop->count)
            return NULL;
        if (loop->body)
            loop->body(loop->context, item, worker->index);
        else if (!loop->step(loop->context, item, worker->index))
            atomic_store_explicit(&loop->next, loop->count, memory_order_relaxed);
    }
}

static void parallel_start(int threads, struct parallel_loop *loop)
{
    atomic_init(&loop->next, 0);
    if (threads > 1 && (uint64_t)threads > loop->count)
        threads = loop->count ? (int)loop->count : 1;
    if (threads < 1)
        threads = 1;
    struct parallel_worker *workers = memory_zero((size_t)threads, sizeof *workers);
    for (int i = 0; i < threads; i++) {
        workers[i].loop = loop;
        workers[i].index = i;
        /* A thread that cannot be started is not missed: the others take its items. */
        if (i > 0)
            workers[i].started =
                pthread_create(&workers[i].thread, NULL, parallel_run, &workers[i]) == 0;
    }
    parallel_run(&workers[0]);
    for (int i = 1; i < threads; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    free(workers);
}

void parallel_for(int threads, uint64_t count, parallel_body *body, void *context)
{
    struct parallel_loop loop = {.body = body, .context = context, .count = count};
    parallel_start(threads, &loop);
}

void parallel_while(int threads, uint64_t count, parallel_step *step, void *context)
{
    struct parallel_loop loop = {.step = step, .context = context, .count = count};
    parallel_start(threads, &loop);
}

struct parallel_tries {
    parallel_attempt *attempt;
    void *context;
    struct error *errors; /* [item] */
    int *status;
};

static void parallel_try_one(void *context, uint64_t item, int worker)
{
    struct parallel_tries *tries = context;
    (void)worker;
    tries->status[item] = interrupt_check(&tries->errors[item]);
    if (!tries->status[item])
        tries->status[item] = tries->attempt(tries->context, item, &tries->errors[item]);
}

int parallel_try(int threads, uint64_t count, parallel_attempt *attempt, void *context,
                 uint64_t *failed, struct error *error)
{
    struct parallel_tries tries = {attempt, context, memory_zero(count, sizeof *tries.errors),
                                   memory_zero(count, sizeof *tries.status)};
    int status = 0;
    parallel_for(threads, count, parallel_try_one, &tries);
    for (uint64_t i = 0; i < count && !status; i++)
        if ((status = tries.status[i])) {
            *error = tries.errors[i];
            if (failed)
                *failed = i;
        }
    free(tries.errors);
    free(tries.status);
    return status;
}

/* Lock-free, so that a signal may set it and any thread see it. */
static atomic_int interrupt_flag;

static void interrupt_handle(int signal_number)
{
    if (interrupt_flag)
        _exit(128 + signal_number);
    interrupt_flag = signal_number;
}

void interrupt_install(void)
{
    struct sigaction action = {.sa_handler = interrupt_handle};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_requested(void)
{
    return interrupt_flag != 0;
}

bool interrupt_ends(void)
{
    return interrupt_flag == SIGTERM;
}

int interrupt_check(struct error *error)
{
    return interrupt_flag ? error_set(error, STATUS_INTERRUPTED, "interrupted") : 0;
}

void interrupt_request(void)
{
    interrupt_flag = SIGINT;
}

void interrupt_clear(void)
{
    interrupt_flag = 0;
}

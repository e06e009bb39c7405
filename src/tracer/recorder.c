/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of a traced program, its kernels and arrays, and its end. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "recorder.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BANDSCAPE_TRACE
#include "bandscape_trace.h"
#include "output.h"
#include "thread.h"

/* Names of arrays. */
struct array {
    uint64_t base, bytes;
    char name[64];
};

static struct {
    pthread_mutex_t lock; /* of all that follows */
    struct thread *threads;
    pthread_key_t key; /* ends threads */
    struct array *arrays;
    size_t array_count, array_capacity;
    uint64_t thread_count, most_threads;
    uint64_t left_out; /* in this kernel, by threads that have ended */
    uint64_t kernels, accesses, all_left_out;
} recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool recorder_on; /* a kernel is open */

static __thread struct thread *self;
static __thread bool inside; /* of the recorder: nothing that it does is recorded */

/* Weak: there in programs with OpenMP. */
int omp_get_thread_num(void) __attribute__((weak));

static void recorder_enter(void)
{
    inside = true;
    pthread_mutex_lock(&recorder.lock);
}

static void recorder_leave(void)
{
    pthread_mutex_unlock(&recorder.lock);
    inside = false;
}

/* --- threads ---------------------------------------------------------------- */

/* The wanted number, or else the lowest that no living thread has. */
static uint32_t recorder_number(uint32_t wanted)
{
    for (uint32_t number = wanted, next = 0;; number = next++) {
        const struct thread *thread = recorder.threads;
        while (thread && thread->number != number)
            thread = thread->next;
        if (!thread)
            return number;
    }
}

/* A thread that has come to its first access. Memory comes from the operating
 * system, because malloc may be the program's own. NULL when there is none. */
static struct thread *recorder_begin_thread(void)
{
    uint32_t wanted = omp_get_thread_num ? (uint32_t)omp_get_thread_num() : 0;
    struct thread *thread =
        mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (thread == MAP_FAILED)
        return NULL;
    pthread_mutex_lock(&recorder.lock);
    thread_init(thread, recorder_number(wanted));
    thread->next = recorder.threads;
    recorder.threads = thread;
    if (++recorder.thread_count > recorder.most_threads)
        recorder.most_threads = recorder.thread_count;
    pthread_mutex_unlock(&recorder.lock);
    pthread_setspecific(recorder.key, thread);
    self = thread;
    return thread;
}

static void recorder_end_thread(void *value)
{
    struct thread *thread = value, **link = &recorder.threads;
    recorder_enter();
    thread_flush(thread);
    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    recorder.thread_count--;
    recorder.accesses += thread_count(thread);
    recorder.left_out += thread->left_out;
    self = NULL;
    munmap(thread, sizeof *thread);
    recorder_leave();
}

/* --- kernels ---------------------------------------------------------------- */

/* A block of its own for one record, or for none. */
static void recorder_write(enum binary_kind kind, const char *kernel,
                           const struct stream_dropped *dropped, const struct array *array)
{
    enum { NAME_MAX_BYTES = 1024 };
    static const uint32_t open[3];
    uint8_t data[2 * NAME_MAX_BYTES];
    struct binary_block block = {.data = data};
    binary_block_begin(&block, kind);
    if (kernel)
        binary_put_kernel(&block, 0, open, open, 0, kernel, strnlen(kernel, NAME_MAX_BYTES));
    if (dropped)
        binary_put_dropped(&block, dropped);
    if (array)
        binary_put_allocation(&block, array->base, array->bytes, array->name, strlen(array->name));
    output_block(&block);
}

/* Waits until a thread has left the recorder, where nobody stays for long: false when it
 * was stopped there, or is the calling one, in a signal handler. */
static bool recorder_await(const struct thread *thread)
{
    enum { TRIES = 1000 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < TRIES; i++) {
        if (!atomic_load_explicit(&thread->busy, memory_order_acquire))
            return true;
        if (thread == self)
            return false;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Takes what all threads have. Some may still run, such as those of a pool when the program
 * ends: they see that no kernel is open, or are waited for. Threads have no barrier between
 * saying that they are busy and looking, because they do so at every access; this makes
 * each of them have one. */
static void recorder_end_kernel(void)
{
    struct stream_dropped dropped = {.unknown = recorder.left_out};
    atomic_store(&recorder_on, false);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    for (struct thread *thread = recorder.threads; thread; thread = thread->next) {
        if (!recorder_await(thread))
            continue;
        thread_flush(thread);
        dropped.unknown += thread->left_out;
        thread->left_out = 0;
        thread->cta = thread->number;
    }
    recorder.left_out = 0;
    recorder.all_left_out += dropped.unknown;
    if (dropped.unknown)
        recorder_write(BINARY_ACCESSES, NULL, &dropped, NULL);
}

static void recorder_begin_kernel(const char *name)
{
    recorder_write(BINARY_KERNEL, name, NULL, NULL);
    recorder.kernels++;
    atomic_store(&recorder_on, true);
}

void recorder_kernel(const char *name)
{
    recorder_enter();
    recorder_end_kernel();
    if (name && output_is_open())
        recorder_begin_kernel(name);
    recorder_leave();
}

/* --- the program begins and ends -------------------------------------------- */

/* In the child of a fork: it is not traced. Its only thread is the one that
 * forked; locks may have been held by others. */
static void recorder_forked(void)
{
    atomic_store(&recorder_on, false);
    pthread_mutex_init(&recorder.lock, NULL);
    pthread_setspecific(recorder.key, NULL);
    recorder.threads = self = NULL;
    output_forked();
}

static uint64_t recorder_limit(void)
{
    const char *text = getenv("BANDSCAPE_TRACE_LIMIT");
    char *end;
    if (!text || !*text)
        return UINT64_MAX;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end)
        return value;
    fprintf(stderr, "bandscape-trace: BANDSCAPE_TRACE_LIMIT is no number: %s; it is ignored\n",
            text);
    return UINT64_MAX;
}

/* Before the constructors of the program. */
__attribute__((constructor(101))) static void recorder_begin(void)
{
    const char *merge = getenv("BANDSCAPE_TRACE_MERGE");
    thread_configure(recorder_limit(), !merge || strcmp(merge, "0") != 0);
    pthread_key_create(&recorder.key, recorder_end_thread);
    pthread_atfork(NULL, NULL, recorder_forked);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    output_open();
    if (!&recorder_kernels_are_marked && output_is_open())
        recorder_begin_kernel(program_invocation_short_name);
}

static void recorder_report(void)
{
    fprintf(stderr,
            "bandscape-trace: wrote %s: %llu kernel%s, %llu loads and stores, up to %llu thread%s",
            output_path(), (unsigned long long)recorder.kernels, recorder.kernels == 1 ? "" : "s",
            (unsigned long long)recorder.accesses, (unsigned long long)recorder.most_threads,
            recorder.most_threads == 1 ? "" : "s");
    if (recorder.all_left_out)
        fprintf(stderr, "; %llu more are left out (BANDSCAPE_TRACE_LIMIT)",
                (unsigned long long)recorder.all_left_out);
    fputc('\n', stderr);
}

/* Behind the destructors of the program, and what it gave to atexit. */
__attribute__((destructor(101))) static void recorder_end(void)
{
    recorder_enter();
    recorder_end_kernel();
    for (struct thread *thread = recorder.threads; thread; thread = thread->next)
        recorder.accesses += thread_count(thread);
    for (size_t i = 0; i < recorder.array_count; i++)
        recorder_write(BINARY_RANGES, NULL, NULL, &recorder.arrays[i]);
    recorder_write(BINARY_END, NULL, NULL, NULL);
    if (output_close())
        recorder_report();
    recorder_leave();
}

/* --- what the program does -------------------------------------------------- */

static inline void recorder_done(struct thread *thread)
{
    atomic_store_explicit(&thread->busy, false, memory_order_release);
    inside = false;
}

/* The calling thread, which is inside until recorder_done(); NULL when nothing is recorded. */
static inline struct thread *recorder_thread(void)
{
    if (inside || !atomic_load_explicit(&recorder_on, memory_order_relaxed))
        return NULL;
    inside = true;
    struct thread *thread = self ? self : recorder_begin_thread();
    if (!thread) {
        inside = false;
        return NULL;
    }
    atomic_store_explicit(&thread->busy, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* see recorder_end_kernel */
    if (atomic_load_explicit(&recorder_on, memory_order_relaxed))
        return thread;
    recorder_done(thread);
    return NULL;
}

void recorder_access(const void *address, unsigned bytes, unsigned kind, unsigned flags,
                     const void *place)
{
    struct thread *thread = recorder_thread();
    if (!thread)
        return;
    thread_access(thread, (uint64_t)(uintptr_t)address, bytes, kind, flags, place);
    recorder_done(thread);
}

void recorder_range(const void *address, size_t bytes, unsigned kind, const void *place)
{
    struct thread *thread = recorder_thread();
    if (!thread)
        return;
    uint64_t at = (uint64_t)(uintptr_t)address;
    if (bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16 || bytes == 32) /* one element */
        thread_access(thread, at, (unsigned)bytes, kind, 0, place);
    else
        thread_range(thread, at, bytes, kind);
    recorder_done(thread);
}

void recorder_copy(const void *to, const void *from, size_t bytes)
{
    enum { PIECE = 16 * WARP_LANES };
    struct thread *thread = recorder_thread();
    if (!thread)
        return;
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t size = bytes - at < PIECE ? bytes - at : PIECE;
        thread_range(thread, (uint64_t)(uintptr_t)from + at, size, ACCESS_READ);
        thread_range(thread, (uint64_t)(uintptr_t)to + at, size, ACCESS_WRITE);
    }
    recorder_done(thread);
}

void bandscape_trace_cta(unsigned long cta)
{
    struct thread *thread = recorder_thread();
    if (!thread)
        return;
    thread_set_cta(thread, cta);
    recorder_done(thread);
}

void bandscape_trace_array(const char *name, const void *base, size_t bytes)
{
    struct array array = {(uint64_t)(uintptr_t)base, bytes, ""};
    size_t kept = 0;
    if (bytes == 0)
        return;
    recorder_enter();
    snprintf(array.name, sizeof array.name, "%s", name ? name : "");
    for (size_t i = 0; i < recorder.array_count; i++) {
        const struct array old = recorder.arrays[i];
        if (old.base + old.bytes <= array.base || array.base + bytes <= old.base)
            recorder.arrays[kept++] = old;
    }
    recorder.array_count = kept;
    if (kept == recorder.array_capacity) {
        size_t capacity = 2 * kept + 16;
        struct array *arrays = realloc(recorder.arrays, capacity * sizeof *arrays);
        recorder.arrays = arrays ? arrays : recorder.arrays;
        recorder.array_capacity = arrays ? capacity : kept;
    }
    if (kept < recorder.array_capacity)
        recorder.arrays[recorder.array_count++] = array;
    recorder_leave();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress bar. */
#include "core/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { BAR_WIDTH = 24, LINE_WIDTH = 78 };

static struct {
    FILE *stream;
    char label[40], unit[20];
    uint64_t total;
    atomic_uint_fast64_t done;
    double start, drawn;
    bool active;
    pthread_mutex_t lock;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_set_stream(FILE *stream)
{
    progress.stream = stream;
}

static void progress_draw(double now)
{
    double done = (double)atomic_load_explicit(&progress.done, memory_order_relaxed);
    double elapsed = now - progress.start;
    double rate = elapsed > 0 ? done / elapsed : 0;
    char line[160], bar[BAR_WIDTH + 1];
    int length;
    if (progress.total) {
        double share = done / (double)progress.total;
        int filled = (int)(share * BAR_WIDTH);
        filled = filled > BAR_WIDTH ? BAR_WIDTH : filled;
        memset(bar, '.', BAR_WIDTH);
        memset(bar, '#', (size_t)filled);
        bar[BAR_WIDTH] = '\0';
        double left = rate > 0 ? ((double)progress.total - done) / rate : 0;
        length = snprintf(line, sizeof line, "%s [%s] %3.0f%%  %.3g %s/s  %.0f s left",
                          progress.label, bar, 100 * share, rate, progress.unit, left);
    } else {
        length = snprintf(line, sizeof line, "%s  %.4g %s  %.3g/s", progress.label, done,
                          progress.unit, rate);
    }
    fprintf(progress.stream, "\r%-*.*s", LINE_WIDTH, length < LINE_WIDTH ? length : LINE_WIDTH,
            line);
    fflush(progress.stream);
    progress.drawn = now;
}

void progress_begin(const char *label, const char *unit, uint64_t total)
{
    pthread_mutex_lock(&progress.lock);
    snprintf(progress.label, sizeof progress.label, "%s", label);
    snprintf(progress.unit, sizeof progress.unit, "%s", unit);
    progress.total = total;
    atomic_store(&progress.done, 0);
    progress.start = clock_seconds();
    progress.drawn = progress.start;
    progress.active = progress.stream != NULL;
    pthread_mutex_unlock(&progress.lock);
}

void progress_add(uint64_t amount)
{
    if (!progress.stream)
        return;
    atomic_fetch_add_explicit(&progress.done, amount, memory_order_relaxed);
    if (pthread_mutex_trylock(&progress.lock) != 0)
        return;
    double now = clock_seconds();
    if (progress.active && now - progress.drawn > 0.1)
        progress_draw(now);
    pthread_mutex_unlock(&progress.lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&progress.lock);
    if (progress.active) {
        fprintf(progress.stream, "\r%*s\r", LINE_WIDTH, "");
        fflush(progress.stream);
    }
    progress.active = false;
    pthread_mutex_unlock(&progress.lock);
}

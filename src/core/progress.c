/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress bar. */
#include "core/progress.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { BAR_WIDTH = 24, LINE_WIDTH = 78 };
static const double LEAST_TELLING = 0.005;

static struct {
    FILE *stream;
    char label[40], unit[20];
    char items[20]; /* empty: what is counted is the work itself */
    uint64_t total;
    atomic_uint_fast64_t done, items_done;
    atomic_int_fast64_t under_way; /* of items that are not done, in parts of PROGRESS_ITEM */
    char part[20];
    uint64_t pieces;
    atomic_uint_fast64_t pieces_done;
    double start, part_start, drawn;
    bool active;
    double every; /* s between two drawings */
    bool lines;   /* one below the other */
    pthread_mutex_t lock;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER, .every = 0.1};

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static _Thread_local double pretended_s, pretended_step_s;

void clock_work_pretend(double step_s)
{
    pretended_step_s = step_s;
}

double clock_work_seconds(void)
{
    if (pretended_step_s > 0)
        return pretended_s += pretended_step_s;
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void progress_set_stream(FILE *stream)
{
    progress.stream = stream;
}

void progress_set_lines(FILE *stream, double every_s)
{
    progress.stream = stream;
    progress.every = every_s;
    progress.lines = true;
}

/* "85.5 k", "1.23 M": counts as they are spoken of. */
static const char *progress_count(double count, char *buffer, size_t size)
{
    static const char *const suffixes[] = {"", " k", " M", " G", " T"};
    size_t i = 0;
    for (; count >= 999.5 && i + 1 < sizeof suffixes / sizeof *suffixes; i++)
        count /= 1000;
    snprintf(buffer, size, "%.3g%s", count, suffixes[i]);
    return buffer;
}

static void progress_bar(double share, char bar[BAR_WIDTH + 1])
{
    int filled = (int)((share > 1 ? 1 : share) * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
}

/* How much of all is done, those items that are under way too; 0: nothing, or nobody knows. */
static double progress_share_done(void)
{
    double under_way = (double)atomic_load_explicit(&progress.under_way, memory_order_relaxed);
    double items = (double)atomic_load_explicit(&progress.items_done, memory_order_relaxed);
    double all = progress.items[0] ? (double)progress.total : 1;
    double share = all > 0 ? (items + under_way / PROGRESS_ITEM) / all : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* "  140 s left", as what is left takes as long as what is done; of too little nothing follows. */
static void progress_left(double elapsed, double share, char *out, size_t size)
{
    out[0] = '\0';
    if (share >= LEAST_TELLING)
        snprintf(out, size, "  %.0f s left", elapsed * (1 - share) / share);
}

/* "  launch 12 %, 140 s left": once a piece is done. */
static void progress_part(double now, char *out, size_t size)
{
    double done = (double)atomic_load_explicit(&progress.pieces_done, memory_order_relaxed);
    double pieces = (double)progress.pieces;
    out[0] = '\0';
    if (done > 0 && done <= pieces)
        snprintf(out, size, "  %s %.0f %%, %.0f s left", progress.part, 100 * done / pieces,
                 (now - progress.part_start) * (pieces - done) / done);
}

/* A bar over items, or over one whose share of work is told. */
static int progress_line_of_share(double elapsed, const char *count, const char *speed, char *line,
                                  size_t size)
{
    double share = progress_share_done();
    char bar[BAR_WIDTH + 1], left[40];
    progress_bar(share, bar);
    progress_left(elapsed, share, left, sizeof left);
    if (!progress.items[0])
        return snprintf(line, size, "%s [%s] %3.0f%%%s  %s %s  %s/s", progress.label, bar,
                        floor(100 * share), left, count, progress.unit, speed);
    return snprintf(line, size, "%s [%s] %.0f of %.0f %s%s  %s %s  %s/s", progress.label, bar,
                    (double)atomic_load_explicit(&progress.items_done, memory_order_relaxed),
                    (double)progress.total, progress.items, left, count, progress.unit, speed);
}

static void progress_draw(double now)
{
    double done = (double)atomic_load_explicit(&progress.done, memory_order_relaxed);
    double total = (double)progress.total;
    double elapsed = now - progress.start;
    double rate = elapsed > 0 ? done / elapsed : 0;
    char line[200], bar[BAR_WIDTH + 1], count[24], speed[24], part[80];
    int length;
    progress_count(done, count, sizeof count);
    progress_count(rate, speed, sizeof speed);
    if (progress.items[0] || (!progress.total && progress_share_done() > 0)) {
        length = progress_line_of_share(elapsed, count, speed, line, sizeof line);
    } else if (progress.total) {
        double left = rate > 0 && done < total ? (total - done) / rate : 0;
        progress_bar(done / total, bar);
        length = snprintf(line, sizeof line, "%s [%s] %3.0f%%  %s %s/s  %.0f s left",
                          progress.label, bar, 100 * done / total, speed, progress.unit, left);
    } else {
        progress_part(now, part, sizeof part);
        length = snprintf(line, sizeof line, "%s  %s %s  %s/s%s", progress.label, count,
                          progress.unit, speed, part);
    }
    if (progress.lines)
        fprintf(progress.stream, "%s\n", line);
    else
        fprintf(progress.stream, "\r%-*.*s", LINE_WIDTH, length < LINE_WIDTH ? length : LINE_WIDTH,
                line);
    fflush(progress.stream);
    progress.drawn = now;
}

void progress_begin_items(const char *label, const char *items, uint64_t total, const char *unit)
{
    pthread_mutex_lock(&progress.lock);
    snprintf(progress.label, sizeof progress.label, "%s", label);
    snprintf(progress.items, sizeof progress.items, "%s", items);
    snprintf(progress.unit, sizeof progress.unit, "%s", unit);
    progress.total = total;
    atomic_store(&progress.done, 0);
    atomic_store(&progress.items_done, 0);
    atomic_store(&progress.under_way, 0);
    atomic_store(&progress.pieces_done, 0);
    progress.pieces = 0;
    progress.start = clock_seconds();
    progress.drawn = progress.start;
    progress.active = progress.stream != NULL;
    pthread_mutex_unlock(&progress.lock);
}

void progress_begin(const char *label, const char *unit, uint64_t total)
{
    progress_begin_items(label, "", total, unit);
}

void progress_begin_part(const char *name, uint64_t pieces)
{
    pthread_mutex_lock(&progress.lock);
    snprintf(progress.part, sizeof progress.part, "%s", name);
    progress.pieces = pieces;
    atomic_store(&progress.pieces_done, 0);
    progress.part_start = clock_seconds();
    pthread_mutex_unlock(&progress.lock);
}

void progress_piece(void)
{
    if (progress.stream)
        atomic_fetch_add_explicit(&progress.pieces_done, 1, memory_order_relaxed);
}

/* Draws, if the last time is long enough ago and nobody else does. */
static void progress_show(void)
{
    if (pthread_mutex_trylock(&progress.lock) != 0)
        return;
    double now = clock_seconds();
    if (progress.active && now - progress.drawn > progress.every)
        progress_draw(now);
    pthread_mutex_unlock(&progress.lock);
}

void progress_add(uint64_t amount)
{
    if (!progress.stream)
        return;
    atomic_fetch_add_explicit(&progress.done, amount, memory_order_relaxed);
    progress_show();
}

void progress_item(void)
{
    if (!progress.stream)
        return;
    atomic_fetch_add_explicit(&progress.items_done, 1, memory_order_relaxed);
    progress_show();
}

bool progress_is_drawn(void)
{
    return progress.stream != NULL;
}

void progress_move(int64_t parts)
{
    if (!progress.stream)
        return;
    atomic_fetch_add_explicit(&progress.under_way, parts, memory_order_relaxed);
    progress_show();
}

static void progress_wipe(void)
{
    if (!progress.active || progress.lines)
        return;
    fprintf(progress.stream, "\r%*s\r", LINE_WIDTH, "");
    fflush(progress.stream);
}

void progress_end(void)
{
    pthread_mutex_lock(&progress.lock);
    progress_wipe();
    progress.active = false;
    pthread_mutex_unlock(&progress.lock);
}

void progress_clear(void)
{
    pthread_mutex_lock(&progress.lock);
    progress_wipe();
    pthread_mutex_unlock(&progress.lock);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results as text. Counts are below 2^53, so that a double holds them. */
#include "simulate/gpu_record.h"

#include <stdlib.h>
#include <string.h>

/* To be raised with what follows. */
#define FORM "simulation 3\n"

/* What is told of each thing, in this order: a field and what it is. */
#define RUN(X)                                                                                     \
    X(bandwidth_bytes_per_s.mean, double)                                                          \
    X(bandwidth_bytes_per_s.half_width, double)                                                    \
    X(requests, uint64_t)                                                                          \
    X(events, uint64_t)                                                                            \
    X(flights, uint64_t)                                                                           \
    X(bytes, double)                                                                               \
    X(time_s, double)                                                                              \
    X(draws.n, uint32_t)                                                                           \
    X(draws.least_s, double)                                                                       \
    X(draws.most_s, double)                                                                        \
    X(link_bytes, double)                                                                          \
    X(whole, bool)                                                                                 \
    X(kernel_time_s, double)                                                                       \
    X(reconfigure_s, double)                                                                       \
    X(l1_hit_rate, double)                                                                         \
    X(front_hit_rate, double)                                                                      \
    X(llc_hit_rate, double)                                                                        \
    X(r_local, double)                                                                             \
    X(walks, uint64_t)                                                                             \
    X(n_stations, size_t)                                                                          \
    X(n_tlbs, size_t)                                                                              \
    X(n_beside, size_t)                                                                            \
    X(n_launches, size_t)
#define STATION(X)                                                                                 \
    X(utilisation, double)                                                                         \
    X(most, double)
#define CACHE(X)                                                                                   \
    X(lookups, uint64_t)                                                                           \
    X(hits, uint64_t)
#define LAUNCH(X)                                                                                  \
    X(grid[0], uint32_t)                                                                           \
    X(grid[1], uint32_t)                                                                           \
    X(grid[2], uint32_t)                                                                           \
    X(block[0], uint32_t)                                                                          \
    X(block[1], uint32_t)                                                                          \
    X(block[2], uint32_t)                                                                          \
    X(requests, uint64_t)                                                                          \
    X(seen.requests, uint64_t)                                                                     \
    X(seen.local, uint64_t)                                                                        \
    X(seen.crossing, uint64_t)                                                                     \
    X(seen.reads, uint64_t)                                                                        \
    X(seen.read_hits, uint64_t)                                                                    \
    X(seen.remote_reads, uint64_t)                                                                 \
    X(seen.elsewhere, uint64_t)                                                                    \
    X(seen.copies, uint64_t)                                                                       \
    X(seen.cached, uint64_t)                                                                       \
    X(seen.lookups, uint64_t)                                                                      \
    X(seen.hits, uint64_t)                                                                         \
    X(seen.slice_uniformity, double)                                                               \
    X(time_s, double)                                                                              \
    X(flush_s, double)                                                                             \
    X(other, bool)                                                                                 \
    X(assumes, bool)                                                                               \
    X(whole, bool)

#define PRINT(field, type) text_printf(out, " %a", (double)one->field);
#define SCAN(field, type) one->field = (type)scan_number(s);

/* --- as text ------------------------------------------------------------------------------ */

static void print_run(const struct simulate_gpu_result *one, struct text *out)
{
    text_append(out, FORM "run");
    RUN(PRINT)
    text_append(out, "\n");
}

void simulate_gpu_result_print(const struct simulate_gpu_result *result, struct text *out)
{
    print_run(result, out);
    for (int i = 0; i < ORIGIN_COUNT; i++)
        text_printf(out, "origin %a %a %a\n", result->share[i], result->latency_s[i].mean,
                    result->latency_s[i].half_width);
    for (size_t i = 0; i < result->n_stations; i++) {
        const struct simulate_station *one = &result->stations[i];
        text_append(out, "station");
        STATION(PRINT)
        text_printf(out, " %s\n", one->name);
    }
    for (size_t i = 0; i < result->n_tlbs; i++) {
        const struct simulate_tlb *one = &result->tlbs[i];
        text_append(out, "tlb");
        CACHE(PRINT)
        text_printf(out, " %s\n", one->name);
    }
    for (size_t i = 0; i < result->n_beside; i++) {
        const struct simulate_beside *one = &result->beside[i];
        text_append(out, "beside");
        CACHE(PRINT)
        text_printf(out, " %s\n", one->name);
    }
    for (size_t i = 0; i < result->n_launches; i++) {
        const struct simulate_launch *one = &result->launches[i];
        text_append(out, "launch");
        LAUNCH(PRINT)
        text_printf(out, " %s\n", one->name);
    }
    text_append(out, "end\n");
}

/* --- back --------------------------------------------------------------------------------- */

struct scan {
    const char *at;
    bool fits;
};

static void scan_word(struct scan *s, const char *word)
{
    size_t length = strlen(word);
    s->fits = s->fits && strncmp(s->at, word, length) == 0;
    s->at += s->fits ? length : 0;
}

static double scan_number(struct scan *s)
{
    char *end;
    double number = strtod(s->at, &end);
    s->fits = s->fits && *s->at == ' ' && end > s->at;
    s->at = s->fits ? end : s->at;
    return s->fits ? number : 0;
}

/* The rest of the line, behind a blank. */
static const char *scan_name(struct scan *s, struct arena *arena)
{
    scan_word(s, " ");
    size_t length = strcspn(s->at, "\n");
    const char *name = arena_strndup(arena, s->at, length);
    s->at += length;
    scan_word(s, "\n");
    return name;
}

static void scan_run(struct scan *s, struct simulate_gpu_result *result)
{
    struct simulate_gpu_result *one = result;
    scan_word(s, FORM "run");
    RUN(SCAN)
    scan_word(s, "\n");
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        scan_word(s, "origin");
        result->share[i] = scan_number(s);
        result->latency_s[i].mean = scan_number(s);
        result->latency_s[i].half_width = scan_number(s);
        scan_word(s, "\n");
    }
}

/* A count of things: no more than there may be lines of them. */
static size_t scan_most(const struct scan *s, size_t n)
{
    return s->fits && n < strlen(s->at) ? n : 0;
}

static void scan_stations(struct scan *s, struct simulate_gpu_result *r)
{
    r->n_stations = scan_most(s, r->n_stations);
    r->stations = arena_alloc(r->arena, r->n_stations * sizeof *r->stations);
    for (size_t i = 0; i < r->n_stations && s->fits; i++) {
        struct simulate_station *one = &r->stations[i];
        scan_word(s, "station");
        STATION(SCAN)
        one->name = scan_name(s, r->arena);
    }
    r->n_tlbs = scan_most(s, r->n_tlbs);
    r->tlbs = arena_alloc(r->arena, r->n_tlbs * sizeof *r->tlbs);
    for (size_t i = 0; i < r->n_tlbs && s->fits; i++) {
        struct simulate_tlb *one = &r->tlbs[i];
        scan_word(s, "tlb");
        CACHE(SCAN)
        one->name = scan_name(s, r->arena);
    }
    r->n_beside = scan_most(s, r->n_beside);
    r->beside = arena_alloc(r->arena, r->n_beside * sizeof *r->beside);
    for (size_t i = 0; i < r->n_beside && s->fits; i++) {
        struct simulate_beside *one = &r->beside[i];
        scan_word(s, "beside");
        CACHE(SCAN)
        one->name = scan_name(s, r->arena);
    }
}

static void scan_launches(struct scan *s, struct simulate_gpu_result *r)
{
    r->n_launches = scan_most(s, r->n_launches);
    r->launches = arena_alloc(r->arena, r->n_launches * sizeof *r->launches);
    for (size_t i = 0; i < r->n_launches && s->fits; i++) {
        struct simulate_launch *one = &r->launches[i];
        scan_word(s, "launch");
        LAUNCH(SCAN)
        one->name = scan_name(s, r->arena);
    }
    scan_word(s, "end\n");
}

struct simulate_gpu_result *simulate_gpu_result_scan(const char *text)
{
    struct scan s = {text, true};
    struct arena *arena = arena_create();
    struct simulate_gpu_result *result = arena_alloc(arena, sizeof *result);
    result->arena = arena;
    scan_run(&s, result);
    scan_stations(&s, result);
    scan_launches(&s, result);
    if (s.fits)
        return result;
    arena_destroy(arena);
    return NULL;
}

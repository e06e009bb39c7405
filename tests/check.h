/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every unit test includes: cmocka, a relative comparison of doubles (cmocka's own casts to
 * float), errors as test failures, files, machines. Behind it is a library (support). */
#ifndef BANDSCAPE_TESTS_CHECK_H
#define BANDSCAPE_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/error.h"

/* A test: TEST(name) { ... }. main() runs those of the program in the order in which they stand. */
#define TEST(name)                                                                                 \
    static void name(void **);                                                                     \
    __attribute__((constructor)) static void enter_##name(void)                                    \
    {                                                                                              \
        check_enter(#name, name);                                                                  \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)
/* What is done once before all of them. */
#define SET_UP                                                                                     \
    static void set_up(void);                                                                      \
    __attribute__((constructor)) static void enter_set_up(void)                                    \
    {                                                                                              \
        check_enter_set_up(set_up);                                                                \
    }                                                                                              \
    static void set_up(void)
void check_enter(const char *name, void (*test)(void **state));
void check_enter_set_up(void (*set_up)(void));

/* --- comparisons ------------------------------------------------------------ */

/* |got - want| <= tolerance * |want| (or <= tolerance when want is 0). */
#define check_relative(got, want, tolerance)                                                       \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        double scale_ = want_ != 0.0 ? fabs(want_) : 1.0;                                          \
        if (!(fabs(got_ - want_) <= (tolerance)*scale_) && got_ != want_)                          \
            fail_msg("%s = %.17g, expected %.17g within %g", #got, got_, want_,                    \
                     (double)(tolerance));                                                         \
    } while (0)

/* What went wrong last; nothing yet when a test begins. */
extern _Thread_local struct error failure;

/* A call that must succeed, with &failure as its last argument. */
#define check_ok(call)                                                                             \
    do {                                                                                           \
        if ((call) < 0) {                                                                          \
            char text_[4096];                                                                      \
            error_format(&failure, text_, sizeof text_);                                           \
            fail_msg("%s: %s", #call, text_);                                                      \
        }                                                                                          \
    } while (0)

/* A call that must fail with that status and a message that contains `words`. */
#define check_error(call, wanted, words)                                                           \
    do {                                                                                           \
        char text_[4096];                                                                          \
        int status_ = (call);                                                                      \
        if (status_ != (wanted))                                                                   \
            fail_msg("%s: status %d, expected %d", #call, status_, (int)(wanted));                 \
        error_format(&failure, text_, sizeof text_);                                               \
        if (!strstr(text_, (words)))                                                               \
            fail_msg("%s: \"%s\" does not contain \"%s\"", #call, text_, (words));                 \
    } while (0)

/* --- files ------------------------------------------------------------------ */

/* A folder of this program, made when it is asked for first and removed at the end with all that
 * is in it; TMPDIR says where. */
const char *check_folder(void);
/* The path of a file in it; valid for the next few calls. */
const char *check_path(const char *name);
/* Writes the file; its path. */
const char *check_file(const char *name, const char *text);
const char *check_file_bytes(const char *name, const void *data, size_t size);
/* Takes away what is in it. */
void check_empty_folder(void);
/* Profiles are cached there. */
void check_own_cache(void);

/* --- what is asked ---------------------------------------------------------- */

struct answer;
struct machine;
struct profile;
struct profile_record;
struct profile_view;
struct source;
struct space;
struct stream;
struct sweep;

/* What is destroyed where its block ends: OWNED(machine) *m = check_shipped("sac", NULL); the last
 * one first. */
#define OWNED(type) __attribute__((cleanup(check_drop_##type))) struct type
void check_drop_answer(struct answer **answer);
void check_drop_machine(struct machine **machine);
void check_drop_profile(struct profile **profile);
void check_drop_source(struct source **source);
void check_drop_space(struct space **space);
void check_drop_stream(struct stream **stream);
void check_drop_sweep(struct sweep **sweep);

/* Path, value, ... of a machine. */
#define SETTINGS(...)                                                                              \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* A copy of a shipped machine, which is read once, or the machine of a file, with settings; NULL:
 * none. */
struct machine *check_shipped(const char *name, const char *const *settings);
/* A machine from the text of a machine file. */
struct machine *check_machine(const char *text);
void check_set(struct machine *machine, const char *path, const char *value);
void check_settings(struct machine *machine, const char *const *settings);
/* What a user names as a workload; the time of all its launches, simulated to the end, in seconds;
 * a model's answer. */
struct source *check_source(const char *spec);
double check_simulated_time(const struct machine *machine, const struct source *source);
struct answer *check_answer(const char *model, const struct machine *machine,
                            const struct profile_view *view);
void check_refused(const char *model, const struct machine *machine,
                   const struct profile_view *view, int status, const char *words);
/* A launch of which nothing is known yet. */
struct profile_record check_record(void);
/* 1000 accesses of 128 B by 1000 instructions among 2000: 800 reads of which 400 hit, 150 writes,
 * 50 atomics; 600 requests behind L1. */
struct profile_record check_traffic(void);
/* An answer about one launch alone, and a metric of it. */
struct answer *check_answer_of(const char *model, const struct machine *machine,
                               const struct profile_record *record);
double check_metric(const char *model, const struct machine *machine,
                    const struct profile_record *record, const char *metric);

/* --- random numbers, rounds ------------------------------------------------- */

/* A small deterministic generator for property tests (splitmix64). */
static inline uint64_t check_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}
static inline double check_uniform(uint64_t *state)
{
    return (double)(check_random(state) >> 11) * 0x1p-53;
}

#if defined __has_feature
#define CHECK_SANITIZER(name) __has_feature(name)
#else
#define CHECK_SANITIZER(name) 0
#endif

/* About how many times slower than a release build this one is, run as it is: 1, or more under
 * sanitizers and valgrind. They look at what is executed, not at results: what is done often, or at
 * length, is done in full by the release build. */
static inline int check_slowness(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||                                 \
    CHECK_SANITIZER(address_sanitizer) || CHECK_SANITIZER(thread_sanitizer)
    return 5;
#else
    return getenv("BANDSCAPE_VALGRIND") ? 25 : 1;
#endif
}

/* Long property runs are asked for by the environment. */
static inline bool check_long(void)
{
    const char *text = getenv("BANDSCAPE_LONG");
    return text && text[0] == '1';
}
static inline int check_rounds(int usual, int in_long)
{
    return check_long() ? in_long : (usual + check_slowness() - 1) / check_slowness();
}

/* Of damaged input, which is what sanitizers are for: in full. */
static inline int check_damages(int usual, int in_long)
{
    return check_long() ? in_long : check_slowness() > 5 ? usual / 5 : usual;
}

/* The folder of real traces, or NULL. */
static inline const char *check_traces(void)
{
    const char *path = getenv("BANDSCAPE_TRACES");
    return path && path[0] ? path : NULL;
}

/* Skips the test when there are no real traces. */
#define check_need_traces(path)                                                                    \
    do {                                                                                           \
        if (!((path) = check_traces())) {                                                          \
            print_message("BANDSCAPE_TRACES is not set: real traces are not tested\n");            \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

#endif

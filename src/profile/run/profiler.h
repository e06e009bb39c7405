/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes profiles: a pass over a source, or the view that the cache keeps of an earlier one. */
#ifndef BANDSCAPE_PROFILE_RUN_PROFILER_H
#define BANDSCAPE_PROFILE_RUN_PROFILER_H

#include "core/hash.h"
#include "profile/record/profile.h"

/* What a profile may take, and so how much of the run is looked at. */
struct profile_effort {
    /* Of the lines whose stack distances are taken (profile/curves/shards.h), from
     * PROFILE_SAMPLE_LEAST up; 0 and 1: all. Whatever is no curve stays exact. */
    double sample_rate;
    /* In its place: what hit rates may be off by, 0 to 1, as profile_view_error() has it; the rate
     * follows. 0: no rate follows from it. */
    double error;
    bool exact; /* every launch; else those that repeat earlier ones are counted again once counts
                 * have settled (run/repeats.h) */
};

/* One pass: profiles `source` for the machine's structure and appends the view
 * to the profile (whose provenance it sets). Looks at interrupt_requested(). */
struct profile_options {
    unsigned parts; /* set of enum profile_part */
    int threads;    /* that may work; 0 and 1: the caller's alone. The result is the same */
    bool progress;  /* draw a bar */
    bool keep;      /* profile_obtain: a view that the cache cannot keep is an error */
    struct profile_effort effort;
    bool few_lines; /* a sample stays one where it has few lines: to see what it is worth */
};
#define PROFILE_SAMPLE_LEAST 0x1p-20
static inline double profile_sample_rate(const struct profile_options *options)
{
    double rate = options->effort.sample_rate;
    return rate > 0 && rate < 1 ? rate : 1;
}

/* The rate of the first pass, and after a pass at a rate that of another one, which is the last;
 * the same: there is none.
 *
 * Where a sample would have less than PROFILE_SAMPLE_LINES lines, all are taken: it would say
 * little, and they are soon taken. Allocations say from above how many there are, before the first
 * pass; the pass itself says it exactly.
 *
 * A wanted error E needs (t/2E)^2 lines where each line hits or misses by chance, t = 2.12 being
 * that of intervals (curves/spread.h): 11 236 of them for 0.01. Lines that requests share unevenly
 * are off by up to some four times as much. The first pass begins with a sixteenth of the lines: all
 * curves cost a tenth of one, and another pass as much as the first; or with all, where 16 times as
 * many are more than a sixteenth, as far as allocations tell. If it turns out to be off by more,
 * errors shrink with the square root of the lines, and the next rate is the power of two that
 * suffices; all where it would be more than a sixteenth. */
enum { PROFILE_SAMPLE_LINES = 512 };
#define PROFILE_SAMPLE_MOST (1.0 / 16)
double profile_rate_first(const struct source *source, double line_bytes,
                          const struct profile_options *options);
double profile_rate_again(const struct profile_view *view, const struct profile_options *options);
/* PART_WINDOW: beginnings of a launch, of 1 Ki to 256 Ki requests, each four times the one before.
 * A profile has no cycles: who decides after a time (SAC, ISCA 2023, after 2 000 cycles) takes the
 * longest one that the machine is through with by then. */
enum {
    WINDOW_PREFIXES = 5,
    WINDOW_SHORTEST = 1024,
    WINDOW_SHOWN = 65536 /* the one that tables show beside the whole run */
};
static inline uint64_t window_requests(uint32_t prefix)
{
    return (uint64_t)WINDOW_SHORTEST << 2 * prefix;
}
/* One of several views of a source. */
struct profile_wanted {
    struct profile *profile; /* that it joins; of its own */
    const struct machine *machine;
    unsigned parts; /* in the place of those of the options */
    bool cached;    /* profile_obtain_together: it was found */
};

/* What of a machine decides how its SMs issue, coalesce and look up L1: views of a source with
 * equal keys may be made together. False: the machine has a pass for itself, as what SMs issue
 * depends on each other or on what is behind L1. */
bool profile_near_key(const struct machine *machine, unsigned parts, char out[HASH_TEXT]);

/* Views with equal keys by one pass, in which what SMs do for themselves is done once; to the last
 * digit what a pass each would give. A view for which that cannot be (pass_run) has another pass.
 */
int profile_make_together(struct profile_wanted *wanted, size_t n, const struct source *source,
                          const struct profile_options *options, struct error *error);

int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error);

/* Whether views of a machine can be made, of any source: before many are, one of which would fail. */
int profile_check(const struct machine *machine, struct error *error);

/* The same through the cache: under $BANDSCAPE_CACHE, $XDG_CACHE_HOME/bandscape or
 * ~/.cache/bandscape a finished view is kept under the hash of source, view key and
 * profiler version, with a checksum (core/sealed.h). The rate is in the hash, so that a sampled
 * view is never taken for an exact one, nor the reverse; and the wanted error; so is the LLC's size
 * where samplers are asked for, which depend on it though the view's key does not. A damaged view
 * is made anew, with a remark; a cache that cannot be written is a remark (core/remark.h), or an
 * error with options->keep. *cached says whether the view was found. */
int profile_obtain(struct profile *profile, const struct source *source,
                   const struct machine *machine, const struct profile_options *options,
                   bool *cached, struct error *error);

/* The same of several with equal keys (profile_near_key): those that are missing by one pass, each
 * kept for itself. */
int profile_obtain_together(struct profile_wanted *wanted, size_t n, const struct source *source,
                            const struct profile_options *options, struct error *error);

/* Whether the cache can keep views: makes its folder. For work that is done for its sake. */
int profile_cache_check(struct error *error);

/* True when the cache holds that view already, undamaged (for plans). */
bool profile_is_cached(const struct source *source, const struct machine *machine,
                       const struct profile_options *options);

/* "1/16", "0.0625", "6.25%": a rate for the options. */
int profile_sample_scan(const char *text, double *rate, struct error *error);
/* "0.01", "1%": an error for the options, from PROFILE_ERROR_LEAST up. */
#define PROFILE_ERROR_LEAST 1e-4
int profile_error_scan(const char *text, double *out, struct error *error);

/* The cache's folder, or NULL when there is none. free() it. */
char *profile_cache_folder(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes profiles: a pass over a source, or the view that the cache keeps of an earlier one. */
#ifndef BANDSCAPE_PROFILE_RUN_PROFILER_H
#define BANDSCAPE_PROFILE_RUN_PROFILER_H

#include "profile/record/profile.h"

/* One pass: profiles `source` for the machine's structure and appends the view
 * to the profile (whose provenance it sets). Looks at interrupt_requested(). */
struct profile_options {
    unsigned parts; /* set of enum profile_part */
    int threads;    /* that may work; 0 and 1: the caller's alone. The result is the same */
    bool progress;  /* draw a bar */
    bool keep;      /* profile_obtain: a view that the cache cannot keep is an error */
    /* Of the lines whose stack distances are taken (profile/curves/shards.h), from
     * PROFILE_SAMPLE_LEAST up; 0 and 1: all. Whatever is no curve stays exact. */
    double sample_rate;
};
#define PROFILE_SAMPLE_LEAST 0x1p-20
static inline double profile_sample_rate(const struct profile_options *options)
{
    return options->sample_rate > 0 && options->sample_rate < 1 ? options->sample_rate : 1;
}
/* PART_WINDOW: requests of a launch before the window, and in it. Ours: SAC (ISCA 2023) decides by
 * the first 2 000 cycles of a kernel, and a profile has no cycles. */
enum { WINDOW_WARMUP = 10000, WINDOW_REQUESTS = 50000 };
int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error);

/* The same through the cache: under $BANDSCAPE_CACHE, $XDG_CACHE_HOME/bandscape or
 * ~/.cache/bandscape a finished view is kept under the hash of source, view key and
 * profiler version, with a checksum (core/sealed.h). The rate is in the hash, so that a sampled
 * view is never taken for an exact one, nor the reverse; so is the LLC's size where samplers are
 * asked for, which depend on it though the view's key does not. A damaged view is made anew, with a
 * remark; a cache that cannot be written is a remark (core/remark.h), or an error with
 * options->keep. *cached says whether the view was found. */
int profile_obtain(struct profile *profile, const struct source *source,
                   const struct machine *machine, const struct profile_options *options,
                   bool *cached, struct error *error);

/* Whether the cache can keep views: makes its folder. For work that is done for its sake. */
int profile_cache_check(struct error *error);

/* True when the cache holds that view already, undamaged (for plans). */
bool profile_is_cached(const struct source *source, const struct machine *machine,
                       const struct profile_options *options);

/* "1/16", "0.0625", "6.25%": a rate for the options. */
int profile_sample_scan(const char *text, double *rate, struct error *error);

/* The cache's folder, or NULL when there is none. free() it. */
char *profile_cache_folder(void);

#endif

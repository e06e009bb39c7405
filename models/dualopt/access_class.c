/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision engine's window and thresholds. */
#include "dualopt/access_class.h"

#include <math.h>

const char *access_class_name(enum access_class class)
{
    static const char *const names[] = {"undecided", "local-dominated", "cache-insensitive",
                                        "cache-friendly"};
    return names[class];
}

struct access_window_settings access_window_published(void)
{
    return (struct access_window_settings){
        .warm_up = 20000,
        .remote_accesses = 20000,
        .accesses = 1000000,
        .leaving = true,
    };
}

enum access_class access_class_of(double remote_frac, double used_frac, double hit_frac)
{
    if (isnan(remote_frac))
        return ACCESS_UNDECIDED;
    if (remote_frac < 0.02)
        return ACCESS_LOCAL_DOMINATED;
    /* Nothing fetched: L1 serves all, and the fraction is NaN. */
    if (used_frac < 0.2 && hit_frac < 0.4)
        return ACCESS_CACHE_INSENSITIVE;
    return ACCESS_CACHE_FRIENDLY;
}

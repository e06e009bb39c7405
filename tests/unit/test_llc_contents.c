/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of an SM-side LLC: with as many sampled sets as there are, exactly those of a
 * naive LRU cache. */
#include "check.h"

#include <math.h>

#include "core/hash.h"
#include "sac/llc_contents.h"

enum { DOMAINS = 3, SETS = 16, WAYS = 4, LINES = 150 };

/* Lines by set, most recent first; line % DOMAINS is its home. */
struct naive {
    uint64_t lines[DOMAINS][SETS][WAYS];
    int used[DOMAINS][SETS];
};

static void naive_touch(struct naive *naive, uint32_t domain, uint64_t line, double *local,
                        double *remote)
{
    uint32_t set = hash_reduce(hash_fmix64(line), SETS);
    uint64_t *lines = naive->lines[domain][set];
    int *used = &naive->used[domain][set], at = 0;
    while (at < *used && lines[at] != line)
        at++;
    if (at == *used)
        at = *used < WAYS ? (*used)++ : WAYS - 1;
    memmove(lines + 1, lines, (size_t)at * sizeof *lines);
    lines[0] = line;
    for (int i = 0; i < *used; i++)
        *(lines[i] % DOMAINS == domain ? local : remote) += 1.0 / WAYS;
}

TEST(against_naive)
{
    uint64_t seed = 3;
    for (int flush = 0; flush < 2; flush++) {
        struct llc_contents contents;
        struct naive naive = {0};
        llc_contents_init(&contents, DOMAINS, SETS, WAYS);
        assert_true(isnan(llc_contents_result(&contents).local_frac));
        for (int launch = 0; launch < 4; launch++) {
            double local = 0, remote = 0;
            int n = 200 + 100 * launch;
            llc_contents_begin_launch(&contents, flush);
            if (flush)
                naive = (struct naive){0};
            for (int i = 0; i < n; i++) {
                uint64_t line = check_random(&seed) % LINES;
                uint32_t domain = (uint32_t)(check_random(&seed) % DOMAINS);
                llc_contents_take(&contents, domain, (uint32_t)(line % DOMAINS), line);
                naive_touch(&naive, domain, line, &local, &remote);
            }
            struct llc_contents_result result = llc_contents_result(&contents);
            check_relative(result.local_frac, local / n, 1e-12);
            check_relative(result.remote_frac, remote / n, 1e-12);
            assert_true(result.local_frac + result.remote_frac <= 1 + 1e-12);
        }
        llc_contents_fini(&contents);
    }
}

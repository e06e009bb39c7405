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
    struct naive_line {
        uint64_t number;
        bool dirty;
    } lines[DOMAINS][SETS][WAYS];
    int used[DOMAINS][SETS];
};

static void naive_touch(struct naive *naive, uint32_t domain, uint64_t line, bool writes,
                        double *local, double *remote)
{
    uint32_t set = hash_reduce(hash_fmix64(line), SETS);
    struct naive_line *lines = naive->lines[domain][set];
    int *used = &naive->used[domain][set], at = 0;
    while (at < *used && lines[at].number != line)
        at++;
    bool dirty = at < *used && lines[at].dirty;
    if (at == *used)
        at = *used < WAYS ? (*used)++ : WAYS - 1;
    memmove(lines + 1, lines, (size_t)at * sizeof *lines);
    lines[0] = (struct naive_line){line, dirty || writes};
    for (int i = 0; i < *used; i++)
        *(lines[i].number % DOMAINS == domain ? local : remote) += 1.0 / WAYS;
}

static void naive_flush(struct naive *naive, enum level_flush flush,
                        const bool written[static LINES])
{
    for (uint32_t d = 0; d < DOMAINS; d++)
        for (int set = 0; set < SETS; set++) {
            struct naive_line *lines = naive->lines[d][set];
            int kept = 0;
            for (int i = 0; i < naive->used[d][set]; i++) {
                bool goes = flush == FLUSH_ALL ||
                            (flush == FLUSH_STALE && written[lines[i].number]) ||
                            (flush == FLUSH_DIRTY && lines[i].dirty);
                if (!goes)
                    lines[kept++] = lines[i];
            }
            naive->used[d][set] = kept;
        }
}

TEST(against_naive)
{
    uint64_t seed = 3;
    for (int flush = FLUSH_NONE; flush <= FLUSH_ALL; flush++) {
        struct llc_contents contents;
        struct naive naive = {0};
        bool written[LINES] = {false};
        llc_contents_init(&contents, DOMAINS, SETS, WAYS);
        assert_true(isnan(llc_contents_result(&contents).local_frac));
        for (int launch = 0; launch < 4; launch++) {
            double local = 0, remote = 0;
            int n = 200 + 100 * launch;
            llc_contents_begin_launch(&contents, (enum level_flush)flush);
            naive_flush(&naive, (enum level_flush)flush, written);
            memset(written, 0, sizeof written);
            for (int i = 0; i < n; i++) {
                uint64_t line = check_random(&seed) % LINES;
                uint32_t domain = (uint32_t)(check_random(&seed) % DOMAINS);
                bool writes = check_random(&seed) % 8 == 0;
                llc_contents_take(&contents, domain, (uint32_t)(line % DOMAINS), line, writes);
                written[line] |= writes;
                naive_touch(&naive, domain, line, writes, &local, &remote);
            }
            struct llc_contents_result result = llc_contents_result(&contents);
            check_relative(result.local_frac, local / n, 1e-12);
            check_relative(result.remote_frac, remote / n, 1e-12);
            assert_true(result.local_frac + result.remote_frac <= 1 + 1e-12);
        }
        llc_contents_fini(&contents);
    }
}

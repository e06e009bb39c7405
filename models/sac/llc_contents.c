/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks carry a word that says whose line it is. */
#include "sac/llc_contents.h"

#include <math.h>

#include "core/hash.h"

enum { OWN_LINE = 1, OTHERS_LINE = 2, WRITTEN_HERE = 4, WRITTEN = 8 };

void llc_contents_init(struct llc_contents *contents, uint32_t domains, uint32_t sets,
                       uint32_t ways)
{
    struct sampled_sets_shape shape = {.caches = domains,
                                       .sets = sets,
                                       .sampled = CONTENTS_SAMPLED_SETS,
                                       .ways = ways,
                                       .tag_bits = 32,
                                       .words = 1};
    *contents = (struct llc_contents){0};
    sampled_sets_init(&contents->sets, &shape);
    written_init(&contents->written);
}

void llc_contents_fini(struct llc_contents *contents)
{
    sampled_sets_fini(&contents->sets);
    written_fini(&contents->written);
}

void llc_contents_begin_launch(struct llc_contents *contents, enum level_flush flush)
{
    contents->looks = contents->local = contents->remote = 0;
    if (flush == FLUSH_ALL)
        sampled_sets_clear(&contents->sets);
    if (flush == FLUSH_DIRTY || flush == FLUSH_STALE)
        sampled_sets_drop(&contents->sets, flush == FLUSH_STALE ? WRITTEN : WRITTEN_HERE);
    written_clear(&contents->written);
}

void llc_contents_take(struct llc_contents *contents, uint32_t requester, uint32_t home,
                       uint64_t line, bool writes)
{
    uint64_t hash = hash_fmix64(line);
    uint32_t *word = sampled_sets_touch(&contents->sets, requester, hash);
    if (!word)
        return;
    *word |= requester == home ? OWN_LINE : OTHERS_LINE;
    if (written_has(&contents->written, line))
        *word |= WRITTEN;
    if (writes) {
        *word |= WRITTEN_HERE;
        written_add(&contents->written, line);
        for (uint32_t cache = 0; cache < contents->sets.shape.caches; cache++)
            sampled_sets_mark(&contents->sets, cache, hash, WRITTEN);
    }
    contents->looks++;
    contents->local += sampled_sets_count(&contents->sets, requester, hash, OWN_LINE);
    contents->remote += sampled_sets_count(&contents->sets, requester, hash, OTHERS_LINE);
}

struct llc_contents_result llc_contents_result(const struct llc_contents *contents)
{
    double ways = (double)contents->looks * contents->sets.shape.ways;
    if (contents->looks == 0)
        return (struct llc_contents_result){(double)NAN, (double)NAN};
    return (struct llc_contents_result){(double)contents->local / ways,
                                        (double)contents->remote / ways};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First requests, as far as a sample of the lines tells them. */
#include "profile/run/firsts.h"

#include <stdlib.h>

#include "core/memory.h"

/* The share is that of about so many requests before. Each of these tells of as many others however
 * far back it is remembered; but the share falls, as more and more lines have been asked for. */
enum { REMEMBERED = 16 };

void firsts_fini(struct firsts *firsts)
{
    VECTOR_FREE(firsts);
}

void firsts_begin_launch(struct firsts *firsts)
{
    firsts->launch++;
    for (int k = 0; k < 2; k++)
        firsts->shares[k] = (struct firsts_share){0, 0, 0};
}

bool firsts_look(struct firsts *firsts, uint32_t number, uint32_t domain)
{
    while (firsts->count <= number)
        VECTOR_PUSH(firsts, (struct line_told){0, 0});
    struct line_told *told = &firsts->items[number];
    uint64_t bit = 1ULL << domain;
    if (told->launch != firsts->launch)
        *told = (struct line_told){0, firsts->launch};
    bool looks = !(told->domains & bit);
    told->domains |= bit;
    return looks;
}

void firsts_learn(struct firsts *firsts, bool writes, bool first)
{
    const double kept = 1 - 1.0 / REMEMBERED;
    struct firsts_share *share = &firsts->shares[writes];
    share->looked = share->looked * kept + 1;
    share->were = share->were * kept + first;
}

bool firsts_guess(struct firsts *firsts, bool writes)
{
    struct firsts_share *share = &firsts->shares[writes];
    share->owed += share->looked > 0 ? share->were / share->looked : 1;
    bool first = share->owed >= 0.5;
    share->owed -= first;
    return first;
}

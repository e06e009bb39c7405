/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edit distance (insert, delete, replace, swap of neighbours). */
#include "core/suggest.h"

#include <ctype.h>
#include <string.h>

enum { SUGGEST_MAX = 63 };

static int suggest_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > SUGGEST_MAX || nb > SUGGEST_MAX)
        return SUGGEST_MAX;
    int row[3][SUGGEST_MAX + 1];
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            int best = last[j - 1] + !same;
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

struct suggest suggest_begin(const char *wanted)
{
    int length = (int)strlen(wanted);
    /* A third of the letters may be wrong, and at least one. */
    return (struct suggest){.wanted = wanted, .distance = length / 3 + 2};
}

void suggest_offer(struct suggest *suggest, const char *name)
{
    size_t wanted = strlen(suggest->wanted), length = strlen(name);
    int distance = suggest_distance(suggest->wanted, name);
    if (strncmp(suggest->wanted, name, length) == 0 && suggest->wanted[length] == ',')
        suggest->several = true;
    /* A name with nothing in common, as x has with y, is no suggestion. */
    if (distance < suggest->distance && (size_t)distance < (wanted > length ? wanted : length)) {
        suggest->distance = distance;
        suggest->best = name;
    }
}

void suggest_hint(const struct suggest *suggest, struct error *error)
{
    if (suggest->best)
        error_hint(error, "did you mean \"%s\"?", suggest->best);
}

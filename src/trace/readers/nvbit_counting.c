/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole file says it at once: its first LAUNCH line has number 0, or 1. Where the beginning
 * was cut off, order tells: an access n before the line LAUNCH n + 1 is of LAUNCH n, since a
 * tool that counts first would have printed that other line before. */
#include "trace/readers/nvbit_counting.h"

#include "trace/readers/nvbit_line.h"

struct counting {
    bool launched, accessed;
    uint64_t first, last; /* numbers of LAUNCH lines */
    uint64_t access;      /* number of the last access */
    bool both;            /* the launch of some access may be either of two lines, */
    bool before;          /* of which one is missing */
};

enum counted { COUNTED_UNCLEAR, COUNTED_SAME, COUNTED_AHEAD };

static enum counted counting_launch(struct counting *c, uint64_t number)
{
    if (number == 0 || (c->accessed && number == c->access + 1))
        return COUNTED_SAME;
    if (!c->launched)
        c->first = number;
    c->launched = true;
    c->last = number;
    return COUNTED_UNCLEAR;
}

static enum counted counting_access(struct counting *c, uint64_t number)
{
    c->accessed = true;
    c->access = number;
    if (!c->launched || number > c->last)
        return COUNTED_UNCLEAR;
    if (number == c->last)
        return COUNTED_SAME;
    if (c->first == 1) /* nothing is missing, if the tool counted first */
        return COUNTED_AHEAD;
    c->both = c->both || number + 1 >= c->first;
    c->before = c->before || number + 1 == c->first;
    return COUNTED_UNCLEAR;
}

int nvbit_find_counting(struct line_reader *lines, struct nvbit_counting *out, struct error *error)
{
    struct counting counting = {0};
    enum counted counted = COUNTED_UNCLEAR;
    const char *line;
    int status = 0;
    while (!counted && (status = line_reader_next(lines, &line, error)) > 0) {
        struct nvbit_line parsed;
        if (nvbit_line_read(&line, &parsed))
            break;
        if (parsed.kind == NVBIT_LAUNCH)
            counted = counting_launch(&counting, parsed.launch);
        else if (parsed.kind == NVBIT_ACCESS)
            counted = counting_access(&counting, parsed.launch);
    }
    /* That a launch's accesses follow its line is likelier than that this line alone was cut
     * off and they come behind the next one. */
    *out =
        (struct nvbit_counting){.ahead = counted == COUNTED_AHEAD || (!counted && counting.before),
                                .doubtful = !counted && counting.both,
                                .first = counting.first};
    return status < 0 ? status : 0;
}

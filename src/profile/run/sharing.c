/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharing classes over a run (SAC, ISCA 2023, section 3): a line is truly
 * shared when two domains or more touch it, falsely shared when one does and
 * another domain touches another line of its page, else not shared.
 *
 * It is meant before L1. The page table stands there; of lines, those that come
 * out of L1 tell the same: a hit is to a line that the domain has asked for before. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "profile/run/requests.h"

/* Pages that were asked for last: lines of a page mostly stand near each other. */
enum { KNOWN = 1024 };
struct known {
    uint64_t page, domains; /* its number + 1; who touched it */
};

static inline uint64_t domains_of(const struct pages *pages, const uint64_t *page_domains,
                                  struct known known[KNOWN], uint64_t line)
{
    uint64_t page = pages_number(pages, pages_granule(pages, line));
    struct known *own = &known[page % KNOWN];
    if (own->page != page + 1)
        *own = (struct known){page + 1, page_domains[pages_row(pages, line)]};
    return own->domains;
}

struct profile_sharing requests_sharing(const struct requests *requests, const struct pages *pages,
                                        bool skimmed)
{
    const struct line_sample *sample = skimmed ? requests->sample : NULL;
    const struct line_table *lines = &requests->lines;
    uint64_t all = 0, truly = 0, falsely = 0, read_only = 0, degrees[PAGES_DEGREES];
    uint64_t *page_domains = pages_domains(pages);
    struct known *known = memory_zero(KNOWN, sizeof *known);
    for (uint32_t id = 0; id < lines->count; id++) {
        const struct line *line = line_table_at(lines, id);
        if (sample && line_sample_number(sample, id) == LINE_NONE)
            continue;
        all++;
        if (line->domains & (line->domains - 1)) {
            truly++;
            read_only += !line->written;
        } else {
            falsely += domains_of(pages, page_domains, known, line->number) != line->domains;
        }
    }
    free(page_domains);
    free(known);
    pages_degrees(pages, degrees);
    double bytes = requests->system->line_bytes / (sample ? shards_rate(&sample->shards) : 1);
    return (struct profile_sharing){
        .footprint_bytes = bytes * (double)all,
        .truly_shared_bytes = bytes * (double)truly,
        .falsely_shared_bytes = bytes * (double)falsely,
        .non_shared_bytes = bytes * (double)(all - truly - falsely),
        .read_only_shared_bytes = bytes * (double)read_only,
        .pages = (double)pages_count(pages),
        .pages_by_sms = {(double)degrees[0], (double)degrees[1], (double)degrees[2],
                         (double)degrees[3]},
        .page_balance = pages_balance(pages),
    };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines thread blocks share: the distinct pairs of a line and a block
 * that touches it, counted exactly within a launch. */
#ifndef BANDSCAPE_PROFILE_CTA_PAIRS_H
#define BANDSCAPE_PROFILE_CTA_PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct cta_pairs {
    struct cta_mark {
        uint32_t launch; /* the last one that touched the line */
        uint32_t cta;    /* the last one of it */
        uint32_t ctas;   /* how many of it */
    } * marks;           /* one a line of the table */
    size_t n_marks;
    uint64_t *pairs; /* open addressing: line << 32 | cta, + 1 */
    size_t count;
    uint32_t bits;
    uint32_t launch;
    uint64_t shared_lines, line_pairs; /* of this launch */
};

void cta_pairs_init(struct cta_pairs *pairs);
void cta_pairs_fini(struct cta_pairs *pairs);
void cta_pairs_begin_launch(struct cta_pairs *pairs);
/* `line`: its number in the line table. */
void cta_pairs_touch(struct cta_pairs *pairs, uint32_t line, uint32_t cta);

#endif

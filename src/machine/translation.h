/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation of addresses: TLBs and page walks.
 *
 * A TLB is a level whose lines are pages: a section of any name with `contents: translations`, of
 * an SM, a cluster, a partition, a chip or the system. Requests meet smaller scopes first, and
 * those of one scope in the order of the machine; a second TLB sees the misses of the first. What
 * misses the last one is walked for: by one of `walkers` at a time, in `walk_latency` and
 * `walk_reads` reads of memory one after another. A machine without such a section translates
 * nothing.
 *
 * Which accesses look up the first TLB (`translation.of`): GPUs whose caches have physical
 * addresses translate each access of a warp, once for each of its pages, before L1 (AMD; MGPUSim).
 * An L1 of virtual addresses needs a translation of what misses it alone. */
#ifndef BANDSCAPE_MACHINE_TRANSLATION_H
#define BANDSCAPE_MACHINE_TRANSLATION_H

#include "machine/machine.h"

enum { MACHINE_TLBS_MAX = 4 };

struct machine_tlbs {
    const char *names[MACHINE_TLBS_MAX]; /* of the sections: live as long as the machine */
    int n;
};

/* Those of the machine, in the order in which requests meet them. STATUS_INPUT where there are more
 * than MACHINE_TLBS_MAX. */
int machine_tlbs(const struct machine *machine, struct machine_tlbs *out, struct error *error);

/* Which memory a walk reads. */
enum table_home { TABLES_LOCAL, TABLES_PAGE, TABLES_CHIP };

struct system_tlb {
    const char *name; /* of its section: as that of a level between L1 and the LLC */
    int scope;        /* enum level_scope */
    uint32_t caches;  /* of the system */
    /* What forms the stream. */
    uint64_t sets; /* of one TLB */
    uint32_t ways;
    /* With SYSTEM_STATIONS. */
    double latency_s;
    uint32_t mshrs; /* 0: as many as there are */
};

struct system_translation {
    struct system_tlb tlbs[MACHINE_TLBS_MAX];
    uint32_t n;     /* 0: nothing is translated */
    bool behind_l1; /* only what misses L1 */
    bool shared;    /* one set of walkers, at `chip` */
    enum table_home tables;
    uint32_t chip;
    uint64_t page_bytes; /* what forms the stream */
    /* With SYSTEM_STATIONS. */
    uint32_t walkers; /* of a chip, or of the system */
    uint32_t walk_reads;
    double walk_s, entry_bytes;
};

/* Where the walkers for a domain's misses are, and the memory that they read for a page with that
 * home; domains. */
uint32_t translation_walker(const struct system_translation *t, uint32_t partitions,
                            uint32_t domain);
uint32_t translation_table(const struct system_translation *t, uint32_t partitions, uint32_t domain,
                           uint32_t home);

struct system_reader; /* machine/system_internal.h */
void system_read_translation(struct system_reader *r);
void system_read_translation_stream(struct system_reader *r);
/* Walkers are stations. */
void system_add_walkers(struct system_reader *r);

#endif

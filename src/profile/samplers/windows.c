/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Working sets over windows: sets that are emptied by a new stamp. */
#include "profile/samplers/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

/* Each is a whole number of the next shorter one. */
const uint32_t windows_lengths[WINDOWS_COUNT] = {1000, 10000, 100000};

/* For `most` numbers at most. */
static void touched_init(struct touched *set, uint32_t most)
{
    *set = (struct touched){.bits = 1, .stamp = 1};
    while ((UINT32_C(1) << set->bits) < 2 * most)
        set->bits++;
    set->items = memory_alloc(most * sizeof *set->items);
    set->index = memory_zero((size_t)1 << set->bits, sizeof *set->index);
}

static void touched_fini(struct touched *set)
{
    free(set->items);
    free(set->index);
    *set = (struct touched){0};
}

static void touched_clear(struct touched *set)
{
    set->count = 0;
    if (++set->stamp == 0) { /* old places would look new */
        memset(set->index, 0, sizeof *set->index << set->bits);
        set->stamp = 1;
    }
}

/* Adds domains (bit mask) to a number; its item. */
static inline struct touched_item *touched_add(struct touched *set, uint64_t number,
                                               uint64_t domains)
{
    size_t mask = ((size_t)1 << set->bits) - 1;
    size_t at = hash_fmix64(number) >> (64 - set->bits);
    for (; set->index[at] >> 32 == set->stamp; at = (at + 1) & mask) {
        struct touched_item *item = &set->items[set->index[at] & UINT32_MAX];
        if (item->number == number) {
            item->domains |= domains;
            return item;
        }
    }
    set->index[at] = (uint64_t)set->stamp << 32 | set->count;
    struct touched_item *item = &set->items[set->count++];
    *item = (struct touched_item){number, domains};
    return item;
}

static void touched_merge(struct touched *set, const struct touched *part)
{
    for (uint32_t i = 0; i < part->count; i++)
        touched_add(set, part->items[i].number, part->items[i].domains);
}

void windows_init(struct windows *windows, uint32_t line_bytes, uint64_t page_bytes)
{
    *windows = (struct windows){.line_bytes = line_bytes};
    windows->lines_per_page = page_bytes > line_bytes ? page_bytes / line_bytes : 1;
    for (int i = 0; i < WINDOWS_COUNT; i++)
        touched_init(&windows->levels[i].lines, windows_lengths[i]);
    touched_init(&windows->pages, windows_lengths[WINDOWS_COUNT - 1]);
}

void windows_fini(struct windows *windows)
{
    for (int i = 0; i < WINDOWS_COUNT; i++)
        touched_fini(&windows->levels[i].lines);
    touched_fini(&windows->pages);
}

struct classes {
    uint64_t truly, falsely, non;
};

static struct classes windows_classify(const struct windows *windows, const struct touched *lines,
                                       struct touched *pages)
{
    struct classes classes = {0};
    touched_clear(pages);
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct touched_item *line = &lines->items[i];
        touched_add(pages, line->number / windows->lines_per_page, line->domains);
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct touched_item *line = &lines->items[i];
        if (line->domains & (line->domains - 1))
            classes.truly++;
        else if (touched_add(pages, line->number / windows->lines_per_page, 0)->domains !=
                 line->domains)
            classes.falsely++;
        else
            classes.non++;
    }
    return classes;
}

/* A window that is full is counted and becomes part of the next longer one. */
static void windows_complete(struct windows *windows)
{
    for (int i = 0; i < WINDOWS_COUNT; i++) {
        struct windows_level *level = &windows->levels[i];
        if (level->accesses < windows_lengths[i])
            return;
        struct classes classes = windows_classify(windows, &level->lines, &windows->pages);
        level->complete++;
        level->truly += classes.truly;
        level->falsely += classes.falsely;
        level->non += classes.non;
        if (i + 1 < WINDOWS_COUNT) {
            touched_merge(&level[1].lines, &level->lines);
            level[1].accesses += level->accesses;
        }
        touched_clear(&level->lines);
        level->accesses = 0;
    }
}

void windows_take(struct windows *windows, uint32_t domain, uint64_t line)
{
    struct windows_level *level = &windows->levels[0];
    touched_add(&level->lines, line, UINT64_C(1) << domain);
    if (++level->accesses == windows_lengths[0])
        windows_complete(windows);
}

/* The classes of a window that is not full: its own share and that of the shorter ones. */
static struct classes windows_partial(const struct windows *windows, int i)
{
    struct touched lines, pages;
    touched_init(&lines, windows_lengths[i]);
    touched_init(&pages, windows_lengths[i]);
    for (int j = i; j >= 0; j--)
        touched_merge(&lines, &windows->levels[j].lines);
    struct classes classes = windows_classify(windows, &lines, &pages);
    touched_fini(&lines);
    touched_fini(&pages);
    return classes;
}

void windows_result(const struct windows *windows, int i, struct windows_result *out)
{
    const struct windows_level *level = &windows->levels[i];
    struct classes classes = {level->truly, level->falsely, level->non};
    *out = (struct windows_result){.window = windows_lengths[i], .count = level->complete};
    if (out->count == 0) {
        classes = windows_partial(windows, i);
        out->partial = classes.truly + classes.falsely + classes.non > 0;
        out->count = out->partial;
    }
    double scale = out->count ? windows->line_bytes / (double)out->count : (double)NAN;
    out->truly_bytes = scale * (double)classes.truly;
    out->falsely_bytes = scale * (double)classes.falsely;
    out->non_bytes = scale * (double)classes.non;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a Mars program, its sort, and a text to work on. */
#include "workload/irregular/mars.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys --------------------------------------------------------------- */

static uint32_t mars_letter(const struct mars *s, const struct mars_pair *pair, uint32_t i)
{
    return i + 1 < pair->bytes ? (unsigned char)s->text[pair->text + i] : 0;
}

/* Letters that two keys share, and which is greater behind them: > 0, 0 or < 0. */
static int mars_compare(const struct mars *s, const struct mars_pair *a, const struct mars_pair *b,
                        uint32_t *shared)
{
    *shared = 0;
    if (s->program->hashed && a->hash != b->hash)
        return a->hash > b->hash ? 1 : -1;
    for (;; ++*shared) {
        uint32_t x = mars_letter(s, a, *shared), y = mars_letter(s, b, *shared);
        if (x != y || !x)
            return (int)x - (int)y;
    }
}

/* Slots without a pair come first. */
static int mars_compare_slots(const struct mars *s, const struct mars_job *job, int32_t a,
                              int32_t b)
{
    uint32_t shared;
    if (a < 0 || b < 0)
        return a == b ? 0 : a < 0 ? -1 : 1;
    return mars_compare(s, &job->pairs.items[a], &job->pairs.items[b], &shared);
}

/* ---- code of sorting and grouping ----------------------------------------- */

static bool mars_scan(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct mars_pass *s = (const struct mars_pass *)pass;
    const uint32_t tasks = mars_tasks(pass, warp);
    WARP_BEGIN;
    WARP_COMPUTE(6);
    WARP_READ(MARS_KEY_BYTES + s->step - 1, tasks, warp->thread + lane);
    WARP_COMPUTE(40); /* up and down a tree in shared memory */
    WARP_WRITE(MARS_KEY_STARTS + s->step - 1, tasks, warp->thread + lane);
    WARP_END;
}

static const struct mars_pair *mars_in_slot(const struct mars_pass *s, uint64_t slot)
{
    return &mars_job(&s->base)->pairs.items[s->order[slot]];
}

/* The lanes whose two slots' keys still agree behind letter i. */
static bool mars_agree(const struct mars_pass *s, uint64_t a, uint64_t b, uint32_t i)
{
    const struct mars *source = (const struct mars *)s->base.source;
    uint32_t x = mars_letter(source, mars_in_slot(s, a), i);
    return x && x == mars_letter(source, mars_in_slot(s, b), i);
}

/* Compares the keys in slots a and b, letter by letter where hashes do not tell. */
#define MARS_COMPARE(mask, a, b)                                                                   \
    do {                                                                                           \
        w->in = mask;                                                                              \
        if (hashed) {                                                                              \
            WARP_READ_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, a)->key_at, 12, 4);                \
            WARP_READ_TOO_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, b)->key_at, 12, 4);            \
            WARP_SELECT(w->in, w->in, mars_in_slot(s, a)->hash == mars_in_slot(s, b)->hash);       \
            WARP_READ_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, a)->key_at, 0, 8);                 \
            WARP_READ_TOO_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, a)->key_at, 8, 4);             \
            WARP_READ_TOO_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, b)->key_at, 0, 8);             \
            WARP_READ_TOO_AT(MARS_PAIR_KEYS, w->in, mars_in_slot(s, b)->key_at, 8, 4);             \
        }                                                                                          \
        for (w->i = 0; w->in; w->i++) {                                                            \
            if (hashed) {                                                                          \
                WARP_READ(MARS_TEXT, w->in, mars_in_slot(s, a)->text + w->i);                      \
                WARP_READ_TOO(MARS_TEXT, w->in, mars_in_slot(s, b)->text + w->i);                  \
            } else {                                                                               \
                WARP_READ(MARS_PAIR_KEYS, w->in, mars_in_slot(s, a)->key_at + w->i);               \
                WARP_READ_TOO(MARS_PAIR_KEYS, w->in, mars_in_slot(s, b)->key_at + w->i);           \
            }                                                                                      \
            WARP_COMPUTE(4);                                                                       \
            WARP_SELECT(w->in, w->in, mars_agree(s, a, b, w->i));                                  \
        }                                                                                          \
    } while (0)

static bool mars_swaps(const struct mars_pass *s, uint64_t slot)
{
    const struct mars *source = (const struct mars *)s->base.source;
    int order =
        mars_compare_slots(source, mars_job(&s->base), s->order[slot], s->order[slot ^ s->j]);
    return (slot & s->k) == 0 ? order > 0 : order < 0;
}

static bool mars_sort(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct mars_pass *s = (const struct mars_pass *)pass;
    const bool hashed = ((const struct mars *)pass->source)->program->hashed;
    const uint64_t t = warp->thread;
    struct mars_warp *w = (struct mars_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(6);
    WARP_SELECT(w->live, warp->lanes, ((t + lane) ^ s->j) > t + lane);
    WARP_READ(MARS_SORTED, w->live, t + lane);
    WARP_READ_TOO(MARS_SORTED, w->live, (t + lane) ^ s->j);
    WARP_COMPUTE(4);
    WARP_SELECT(w->some, w->live, s->order[t + lane] >= 0 && s->order[(t + lane) ^ s->j] >= 0);
    MARS_COMPARE(w->some, t + lane, (t + lane) ^ s->j);
    WARP_SELECT(w->some, w->live, mars_swaps(s, t + lane));
    WARP_WRITE(MARS_SORTED, w->some, t + lane);
    WARP_WRITE(MARS_SORTED, w->some, (t + lane) ^ s->j);
    WARP_END;
}

/* Where a group begins: a key unlike the one before it. The pairs lie behind the empty slots. */
static bool mars_ends(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct mars_pass *s = (const struct mars_pass *)pass;
    const struct mars_job *job = mars_job(pass);
    const bool hashed = ((const struct mars *)pass->source)->program->hashed;
    const uint64_t empty = job->slots - job->pairs.count, t = warp->thread + empty;
    struct mars_warp *w = (struct mars_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(6);
    w->live = warp_below(warp, job->pairs.count);
    WARP_READ(MARS_SORTED, w->live, t + lane);
    WARP_SELECT(w->some, w->live, warp->thread + lane > 0);
    WARP_READ_TOO(MARS_SORTED, w->some, t + lane - 1);
    MARS_COMPARE(w->some, t + lane, t + lane - 1);
    WARP_WRITE(MARS_ENDS, w->live, warp->thread + lane);
    WARP_END;
}

/* ---- launches ----------------------------------------------------------- */

enum step { COUNT, SCAN_KEYS, SCAN_VALUES, SCAN_COUNTS, MAP, SORT, ENDS };

static void mars_begin_sort(struct mars_pass *s, const struct mars_job *job)
{
    s->order = memory_alloc(job->slots * sizeof *s->order);
    for (uint32_t i = 0; i < job->slots; i++)
        s->order[i] = i < job->pairs.count ? (int32_t)i : -1;
    s->k = 2;
    s->j = 1;
}

/* What the launch of the sort did; false when it was the last one. */
static bool mars_sort_on(struct mars_pass *s, const struct mars_job *job)
{
    for (uint32_t i = 0; i < job->slots; i++)
        if ((i ^ s->j) > i && mars_swaps(s, i)) {
            int32_t kept = s->order[i];
            s->order[i] = s->order[i ^ s->j];
            s->order[i ^ s->j] = kept;
        }
    s->j /= 2;
    if (s->j == 0) {
        s->k *= 2;
        s->j = s->k / 2;
    }
    return s->k <= job->slots;
}

/* Moves to the next step; false at the end of the last job. */
static bool mars_step(struct mars_pass *s, const struct mars *source)
{
    const struct mars_job *job = &source->jobs[s->job];
    bool over = s->step == ENDS || (s->step == MAP && !source->program->grouped) ||
                (s->step == SCAN_COUNTS && job->pairs.count == 0);
    if (s->step == SORT && mars_sort_on(s, job))
        return true;
    if (!over) {
        s->step++;
        if (s->step == SORT)
            mars_begin_sort(s, job);
        if (s->step == SORT && job->slots == 1)
            s->step = ENDS;
        return true;
    }
    free(s->order);
    s->order = NULL;
    s->step = COUNT;
    return ++s->job < source->n_jobs;
}

static bool mars_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct mars *source = (const struct mars *)pass->source;
    const struct mars_program *program = source->program;
    struct mars_pass *s = (struct mars_pass *)pass;
    if (pass->launches && !mars_step(s, source))
        return false;
    const struct mars_job *job = &source->jobs[s->job];
    uint64_t tasks = job->records.count - 1;
    switch ((enum step)s->step) {
    case COUNT:
    case MAP:
        *out = kernel_over(s->step == MAP ? "Mapper" : "MapperCount", tasks, MARS_BLOCK);
        out->code = s->step == MAP ? program->map : program->count;
        out->shared_bytes = s->step == MAP ? MARS_BLOCK * 20 : 0;
        break;
    case SCAN_KEYS:
    case SCAN_VALUES:
    case SCAN_COUNTS:
        *out = kernel_over("prescan", tasks, MARS_BLOCK);
        out->code = mars_scan;
        out->shared_bytes = MARS_BLOCK * 4;
        break;
    case SORT:
        *out = kernel_over("bitonicKernel", job->slots, MARS_BLOCK);
        out->code = mars_sort;
        break;
    case ENDS:
        *out = kernel_over("getStringBoundary", job->pairs.count, MARS_BLOCK);
        out->code = mars_ends;
        break;
    }
    if (s->step == SORT && job->slots < MARS_BLOCK)
        out->block[0] = job->slots;
    out->warp_size = sizeof(struct mars_warp);
    return true;
}

static void mars_pass_end(struct kernel_pass *pass)
{
    free(((struct mars_pass *)pass)->order);
}

static void mars_destroy(struct kernel_source *source)
{
    struct mars *s = (struct mars *)source;
    for (int i = 0; i < 2; i++) {
        VECTOR_FREE(&s->jobs[i].records);
        VECTOR_FREE(&s->jobs[i].pairs);
    }
    free(s->text);
}

/* Pairs that are emitted; for programs that group, groups of the last job. */
static uint64_t mars_result(const struct kernel_pass *pass)
{
    const struct mars *s = (const struct mars *)pass->source;
    const struct mars_job *job = &s->jobs[s->n_jobs - 1];
    if (!s->program->grouped)
        return job->pairs.count;
    uint64_t groups = 0;
    uint32_t shared;
    struct mars_pass again = {.base = *pass, .job = s->n_jobs - 1};
    mars_begin_sort(&again, job);
    while (job->slots > 1 && mars_sort_on(&again, job))
        ;
    for (size_t i = job->slots - job->pairs.count; i < job->slots; i++)
        groups += i == job->slots - job->pairs.count ||
                  mars_compare(s, &job->pairs.items[again.order[i]],
                               &job->pairs.items[again.order[i - 1]], &shared) != 0;
    free(again.order);
    return groups;
}

const struct kernel_class mars_class = {.pass_size = sizeof(struct mars_pass),
                                        .next = mars_next,
                                        .result = mars_result,
                                        .pass_end = mars_pass_end,
                                        .destroy = mars_destroy};

/* ---- sources ------------------------------------------------------------ */

void mars_place(struct mars *s)
{
    const struct mars_program *p = s->program;
    struct kernel_source *source = &s->base;
    uint64_t tasks = 1, pairs = 1, slots = 1, key_bytes = 1, value_bytes = 1;
    for (int i = 0; i < s->n_jobs; i++) {
        struct mars_job *job = &s->jobs[i];
        uint64_t keys = job->pairs.count * p->emitted_key;
        if (job->pairs.count && !p->emitted_key) {
            const struct mars_pair *last = &job->pairs.items[job->pairs.count - 1];
            keys = (uint64_t)last->key_at + last->bytes;
        }
        for (job->slots = 1; job->slots < job->pairs.count;)
            job->slots *= 2;
        uint64_t values = job->pairs.count * p->emitted_values[i];
        tasks = job->records.count - 1 > tasks ? job->records.count - 1 : tasks;
        pairs = job->pairs.count > pairs ? job->pairs.count : pairs;
        slots = job->slots > slots ? job->slots : slots;
        key_bytes = keys > key_bytes ? keys : key_bytes;
        value_bytes = values > value_bytes ? values : value_bytes;
    }
    kernel_place(source, "file", s->bytes, 1);
    kernel_place(source, "keyword", strlen(s->keyword) + 1, 1);
    kernel_place(source, "inputKeys", tasks, p->key_struct);
    kernel_place(source, "inputVals", tasks, p->value_struct);
    kernel_place(source, "inputOffsetSizes", tasks, 16);
    kernel_place(source, "interKeysSizePerTask", tasks, 4);
    kernel_place(source, "interValsSizePerTask", tasks, 4);
    kernel_place(source, "interCountPerTask", tasks, 4);
    kernel_place(source, "psKeySizes", tasks, 4);
    kernel_place(source, "psValSizes", tasks, 4);
    kernel_place(source, "psCounts", tasks, 4);
    kernel_place(source, "keyValOffsets", tasks, 8);
    kernel_place(source, "curIndex", tasks, 4);
    kernel_place(source, "interKeys", key_bytes, 1);
    kernel_place(source, "interVals", value_bytes, 1);
    kernel_place(source, "interOffsetSizes", pairs + 1, 16); /* a task without pairs looks at it */
    kernel_place(source, "sorted", p->grouped ? slots : 1, 16);
    kernel_place(source, "boundary", p->grouped ? pairs : 1, 4);
}

enum { WORDS = 20000, LONGEST = 12 };

struct mars_words {
    char words[WORDS][LONGEST + 1];
    double sums[WORDS]; /* of frequencies, up to and with each */
};

struct mars_words *mars_words_create(uint64_t seed)
{
    /* How many of 100 words have so many letters, from 1 on. */
    static const uint8_t lengths[LONGEST] = {3, 15, 19, 16, 12, 9, 8, 6, 5, 3, 2, 2};
    struct mars_words *w = memory_zero(1, sizeof *w);
    struct random random = random_begin(seed);
    double sum = 0.0;
    for (int i = 0; i < WORDS; i++) {
        uint32_t draw = random_below(&random, 100), n = 0;
        while (draw >= lengths[n])
            draw -= lengths[n++];
        for (uint32_t k = 0; k <= n; k++)
            w->words[i][k] = (char)('A' + random_below(&random, 26));
        w->sums[i] = sum += 1.0 / (i + 1);
    }
    return w;
}

void mars_words_destroy(struct mars_words *words)
{
    free(words);
}

const char *mars_words_draw(const struct mars_words *words, struct random *random)
{
    double draw = random_unit(random) * words->sums[WORDS - 1];
    int low = 0, high = WORDS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (words->sums[middle] > draw)
            high = middle;
        else
            low = middle + 1;
    }
    return words->words[low];
}

char *mars_make_text(uint32_t bytes, const char *separators, uint64_t seed)
{
    struct mars_words *words = mars_words_create(seed);
    struct random random = random_begin(~seed);
    char *text = memory_alloc((size_t)bytes + 1);
    for (uint32_t at = 0; at < bytes;) {
        for (const char *c = mars_words_draw(words, &random); *c && at < bytes; c++)
            text[at++] = *c;
        if (at < bytes)
            text[at++] = separators[random_below(&random, (uint32_t)strlen(separators))];
    }
    text[bytes - 1] = separators[0];
    text[bytes] = '\0';
    mars_words_destroy(words);
    return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs of Mars, a MapReduce for GPUs, have in common: records that
 * are parts of a text, one thread each; MapperCount to learn how much each will
 * emit, prefix sums, Mapper to emit; and, where a program groups, a bitonic sort
 * of the pairs by their keys and a look at where one group ends. What the
 * programs emit is worked out when the source opens; the sort goes along with
 * its launches. */
#ifndef BANDSCAPE_WORKLOAD_MARS_H
#define BANDSCAPE_WORKLOAD_MARS_H

#include "workload/irregular/random.h"
#include "workload/irregular/warp_code.h"

enum mars_array {
    MARS_TEXT,
    MARS_KEYWORD,
    MARS_KEYS, /* structs of the input's records */
    MARS_VALUES,
    MARS_RECORDS,   /* offsets and sizes of both */
    MARS_KEY_BYTES, /* a thread's total, then its prefix sum */
    MARS_VALUE_BYTES,
    MARS_COUNTS,
    MARS_KEY_STARTS,
    MARS_VALUE_STARTS,
    MARS_FIRST_PAIRS,
    MARS_EMITTED_BYTES,
    MARS_EMITTED,
    MARS_PAIR_KEYS,
    MARS_PAIR_VALUES,
    MARS_PAIRS,
    MARS_SORTED,
    MARS_ENDS
};

enum { MARS_BLOCK = 256 };

/* A part of the text, and the pairs that its thread emits. */
struct mars_record {
    uint32_t at, bytes;
    uint32_t first_pair;
};

/* An emitted pair: its key is compared by `hash` first, where the program has
 * one, then as the string of `bytes` - 1 characters at `text`. */
struct mars_pair {
    uint32_t text, bytes;
    uint32_t key_at; /* in MARS_PAIR_KEYS */
    int32_t hash;
};

/* One MapReduce. */
struct mars_job {
    struct {
        struct mars_record *items; /* one more than there are: its first_pair ends the last one */
        size_t count, capacity;
    } records;
    struct {
        struct mars_pair *items;
        size_t count, capacity;
    } pairs;
    uint32_t slots; /* of the sort: a power of 2 */
};

struct mars_program {
    uint32_t key_struct, value_struct; /* bytes of an input record's */
    uint32_t emitted_key;              /* bytes of an emitted key; 0: a string in the text */
    uint32_t emitted_values[2];        /* bytes of an emitted value, by job */
    bool hashed;                       /* keys are structs with a hash */
    bool grouped;                      /* pairs are sorted */
    bool (*count)(const struct kernel_pass *, struct kernel_warp *, struct warp_buffer *);
    bool (*map)(const struct kernel_pass *, struct kernel_warp *, struct warp_buffer *);
};

struct mars {
    struct kernel_source base;
    const struct mars_program *program;
    char *text;
    uint32_t bytes;
    char keyword[64];
    struct mars_job jobs[2];
    int n_jobs;
};

struct mars_pass {
    struct kernel_pass base;
    int job, step;
    uint32_t k, j;  /* of the sort */
    int32_t *order; /* pairs in the slots as the launch finds them */
};

/* The state of all warps of these programs. */
struct mars_warp {
    struct kernel_warp base;
    uint32_t live, in, some;
    uint32_t i;
    uint32_t at[WARP_LANES];      /* place in the text */
    uint32_t start[WARP_LANES];   /* of a word */
    uint32_t emitted[WARP_LANES]; /* pairs so far */
};

/* Makes records, pairs and arrays from what `jobs` hold; frees come with the source. */
extern const struct kernel_class mars_class;
void mars_place(struct mars *s);

static inline const struct mars_job *mars_job(const struct kernel_pass *pass)
{
    return &((const struct mars *)pass->source)->jobs[((const struct mars_pass *)pass)->job];
}

static inline uint32_t mars_tasks(const struct kernel_pass *pass, const struct kernel_warp *warp)
{
    return warp_below(warp, mars_job(pass)->records.count - 1);
}

/* The record of a lane that has a task. */
static inline const struct mars_record *mars_record(const struct kernel_pass *pass,
                                                    const struct kernel_warp *warp, uint32_t lane)
{
    return &mars_job(pass)->records.items[warp->thread + lane];
}

static inline uint32_t mars_record_end(const struct kernel_pass *pass,
                                       const struct kernel_warp *warp, uint32_t lane)
{
    const struct mars_record *record = mars_record(pass, warp, lane);
    return record->at + record->bytes;
}

/* The pair that a lane's task emits next: its number, and itself. */
static inline uint64_t mars_next_slot(const struct kernel_pass *pass, const struct mars_warp *w,
                                      uint32_t lane)
{
    return mars_record(pass, &w->base, lane)->first_pair + w->emitted[lane];
}

static inline const struct mars_pair *mars_next_pair(const struct kernel_pass *pass,
                                                     const struct mars_warp *w, uint32_t lane)
{
    return &mars_job(pass)->pairs.items[mars_next_slot(pass, w, lane)];
}

static inline uint32_t mars_value_bytes(const struct kernel_pass *pass)
{
    const struct mars_pass *s = (const struct mars_pass *)pass;
    return ((const struct mars *)pass->source)->program->emitted_values[s->job];
}

/* Warp code: a task has one pair more. */
#define MARS_EMIT_COUNT(mask)                                                                      \
    do {                                                                                           \
        WARP_READ(MARS_KEY_BYTES, mask, warp->thread + lane);                                      \
        WARP_WRITE(MARS_KEY_BYTES, mask, warp->thread + lane);                                     \
        WARP_READ(MARS_VALUE_BYTES, mask, warp->thread + lane);                                    \
        WARP_WRITE(MARS_VALUE_BYTES, mask, warp->thread + lane);                                   \
        WARP_READ(MARS_COUNTS, mask, warp->thread + lane);                                         \
        WARP_WRITE(MARS_COUNTS, mask, warp->thread + lane);                                        \
        WARP_COMPUTE(3);                                                                           \
    } while (0)

/* What Mapper does before it maps: the first pair's entry begins where the sums say. */
#define MARS_BEGIN_MAP(mask)                                                                       \
    do {                                                                                           \
        WARP_READ(MARS_FIRST_PAIRS, mask, warp->thread + lane);                                    \
        WARP_READ(MARS_PAIRS, mask, mars_next_slot(pass, w, lane));                                \
        WARP_READ(MARS_KEY_STARTS, mask, warp->thread + lane);                                     \
        WARP_READ_TOO(MARS_VALUE_STARTS, mask, warp->thread + lane);                               \
        WARP_WRITE(MARS_PAIRS, mask, mars_next_slot(pass, w, lane));                               \
    } while (0)

/* Emits a pair: its key a byte at a time from an array and an index of it, or, if that is not
 * `key_loaded`, from shared memory; its value likewise; then the books. */
#define MARS_EMIT(mask, key_loaded, key_from, key_index, value_loaded, value_from, value_index)    \
    do {                                                                                           \
        WARP_READ(MARS_EMITTED_BYTES, mask, warp->thread + lane);                                  \
        WARP_READ_TOO(MARS_KEY_STARTS, mask, warp->thread + lane);                                 \
        WARP_READ_TOO(MARS_VALUE_STARTS, mask, warp->thread + lane);                               \
        for (w->in = (mask), w->i = 0;; w->i++) {                                                  \
            WARP_SELECT(w->in, w->in, w->i < mars_key_bytes(pass, w, lane));                       \
            if (!w->in)                                                                            \
                break;                                                                             \
            WARP_READ_AT(key_from, (key_loaded) ? w->in : 0, key_index, w->i, 1);                  \
            WARP_WRITE(MARS_PAIR_KEYS, w->in, mars_next_pair(pass, w, lane)->key_at + w->i);       \
            WARP_COMPUTE(2);                                                                       \
        }                                                                                          \
        for (w->i = 0; w->i < mars_value_bytes(pass); w->i++) {                                    \
            WARP_READ_AT(value_from, (value_loaded) ? (mask) : 0, value_index, w->i, 1);           \
            WARP_WRITE(MARS_PAIR_VALUES, mask,                                                     \
                       mars_next_slot(pass, w, lane) * mars_value_bytes(pass) + w->i);             \
            WARP_COMPUTE(2);                                                                       \
        }                                                                                          \
        WARP_WRITE(MARS_EMITTED_BYTES, mask, warp->thread + lane);                                 \
        WARP_READ(MARS_EMITTED, mask, warp->thread + lane);                                        \
        WARP_READ_TOO(MARS_FIRST_PAIRS, mask, warp->thread + lane);                                \
        WARP_READ(MARS_PAIRS, mask, mars_next_slot(pass, w, lane));                                \
        WARP_SELECT(w->in, mask, w->emitted[lane] > 0);                                            \
        WARP_READ(MARS_PAIRS, w->in, mars_next_slot(pass, w, lane) - 1);                           \
        WARP_COMPUTE(5);                                                                           \
        WARP_WRITE(MARS_PAIRS, mask, mars_next_slot(pass, w, lane));                               \
        WARP_WRITE(MARS_EMITTED, mask, warp->thread + lane);                                       \
        WARP_EACH(mask)                                                                            \
        w->emitted[lane]++;                                                                        \
    } while (0)

static inline uint32_t mars_key_bytes(const struct kernel_pass *pass, const struct mars_warp *w,
                                      uint32_t lane)
{
    uint32_t fixed = ((const struct mars *)pass->source)->program->emitted_key;
    return fixed ? fixed : mars_next_pair(pass, w, lane)->bytes;
}

/* ---- text --------------------------------------------------------------- */

struct mars_words; /* a vocabulary and how often its words come */
struct mars_words *mars_words_create(uint64_t seed);
void mars_words_destroy(struct mars_words *words);
const char *mars_words_draw(const struct mars_words *words, struct random *random);

/* A text of capital letters: words of a vocabulary of 20 000, their frequencies after Zipf
 * with exponent 1, their lengths after English, between `separators` taken in turn at random;
 * ends with the first separator. free() it. */
char *mars_make_text(uint32_t bytes, const char *separators, uint64_t seed);

#endif

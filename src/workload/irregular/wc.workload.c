/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mars' word count: a thread a piece of the text goes through it letter by
 * letter, ends each word with a 0 and emits those of six letters and more; the
 * pairs are sorted, so that equal words stand together. */
#include <stdlib.h>

#include "workload/irregular/mars.h"

enum { LETTERS_LEAST = 6 };

static bool is_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

static char wc_text(const struct kernel_pass *pass, uint32_t at)
{
    return ((const struct mars *)pass->source)->text[at];
}

/* Both kernels, which differ in what they do with a word. */
static bool wc_code(const struct kernel_pass *pass, struct kernel_warp *warp,
                    struct warp_buffer *out, bool map)
{
    struct mars_warp *w = (struct mars_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(10);
    w->live = mars_tasks(pass, warp);
    if (map)
        MARS_BEGIN_MAP(w->live);
    WARP_READ(MARS_RECORDS, w->live, warp->thread + lane);
    WARP_READ(MARS_KEYS, w->live, warp->thread + lane);
    WARP_READ_TOO_AT(MARS_VALUES, w->live, warp->thread + lane, 0, 4);
    WARP_READ_TOO_AT(MARS_VALUES, w->live, warp->thread + lane, 4, 4);
    WARP_EACH(w->live)
    w->at[lane] = w->start[lane] = mars_record(pass, warp, lane)->at;
    while (w->live) {
        for (w->in = w->live;;) {
            WARP_READ(MARS_TEXT, w->in, w->at[lane]);
            WARP_COMPUTE(4);
            WARP_SELECT(w->in, w->in, is_letter(wc_text(pass, w->at[lane])));
            if (!w->in)
                break;
            WARP_EACH(w->in)
            w->at[lane]++;
        }
        WARP_WRITE(MARS_TEXT, w->live, w->at[lane]);
        WARP_EACH(w->live)
        w->at[lane]++;
        WARP_COMPUTE(4);
        WARP_SELECT(w->some, w->live, w->at[lane] - w->start[lane] > LETTERS_LEAST);
        if (map)
            MARS_EMIT(w->some, true, MARS_TEXT, w->start[lane], false, MARS_VALUES, 0);
        else
            MARS_EMIT_COUNT(w->some);
        for (w->in = w->live;;) {
            WARP_SELECT(w->in, w->in, w->at[lane] < mars_record_end(pass, warp, lane));
            WARP_READ(MARS_TEXT, w->in, w->at[lane]);
            WARP_COMPUTE(5);
            WARP_SELECT(w->in, w->in, !is_letter(wc_text(pass, w->at[lane])));
            if (!w->in)
                break;
            WARP_EACH(w->in)
            w->at[lane]++;
        }
        WARP_SELECT(w->live, w->live, w->at[lane] < mars_record_end(pass, warp, lane));
        WARP_EACH(w->live)
        w->start[lane] = w->at[lane];
    }
    WARP_END;
}

static bool wc_count(const struct kernel_pass *pass, struct kernel_warp *warp,
                     struct warp_buffer *out)
{
    return wc_code(pass, warp, out, false);
}

static bool wc_map(const struct kernel_pass *pass, struct kernel_warp *warp,
                   struct warp_buffer *out)
{
    return wc_code(pass, warp, out, true);
}

static const struct mars_program wc_program = {.key_struct = 8,
                                               .value_struct = 8,
                                               .emitted_values = {4},
                                               .grouped = true,
                                               .count = wc_count,
                                               .map = wc_map};

/* Pieces of `piece` bytes and what is left of the word and its end. */
static void wc_split(struct mars *s, uint32_t piece)
{
    struct mars_job *job = &s->jobs[0];
    uint32_t at = 0, key_at = 0;
    while (at < s->bytes) {
        uint32_t from = at, start;
        at = s->bytes - at > piece ? at + piece : s->bytes - 1;
        while (is_letter(s->text[at]))
            at++;
        at++;
        VECTOR_PUSH(&job->records,
                    (struct mars_record){from, at - from, (uint32_t)job->pairs.count});
        for (uint32_t p = from; p < at;) {
            for (start = p; is_letter(s->text[p]); p++)
                ;
            p++;
            if (p - start > LETTERS_LEAST) {
                VECTOR_PUSH(&job->pairs, (struct mars_pair){start, p - start, key_at, 0});
                key_at += p - start;
            }
            while (p < at && !is_letter(s->text[p]))
                p++;
        }
    }
    VECTOR_PUSH(&job->records, (struct mars_record){at, 0, (uint32_t)job->pairs.count});
}

/* ---- the workload ------------------------------------------------------- */

enum { BYTES, PIECE, SEED, N_PARAMETERS };

static const struct workload_parameter wc_parameters[] = {
    [BYTES] = {"bytes", "2^21", "of text"},
    [PIECE] = {"piece", "256", "bytes of text a thread takes, and the rest of a word"},
    [SEED] = {"seed", "1", "of the text"},
    {NULL, NULL, NULL}};

static int wc_open(const struct workload *workload, const char *const *values, struct source **out,
                   struct error *error)
{
    static const struct kernel_range ranges[] = {{16, 1 << 30}, {16, 1 << 20}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct mars *s = kernel_source_create(workload, &mars_class, sizeof *s);
    s->program = &wc_program;
    s->bytes = (uint32_t)v[BYTES];
    s->text = mars_make_text(s->bytes, " \n", (uint64_t)v[SEED]);
    s->n_jobs = 1;
    wc_split(s, (uint32_t)v[PIECE]);
    mars_place(s);
    return kernel_source_finish_values(&s->base, "mars wc 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input wc_inputs[] = {{"small", "bytes=12000,piece=64"},
                                                  {"published-nuba", "bytes=140000000,piece=2048"},
                                                  {NULL, NULL}};

static const struct workload_scale wc_scale[] = {{"bytes", "bytes*size"}, {NULL, NULL}};

const struct workload workload_wc = {
    .plugin = {.kind = "workload",
               .name = "wc",
               .summary = "word count by MapReduce: map a text, sort its words",
               .reference = "He et al., Mars, PACT 2008"},
    .suite = "Mars",
    .page = "Mars' word count: MapperCount, three prefix sums, Mapper, then a bitonic sort of the\n"
            "words of six letters and more, and a kernel that finds where equal ones end. A\n"
            "thread takes a piece of the text (Mars: 2 048 B) and goes through it letter by\n"
            "letter; blocks of 256. The text is made from a seed: a vocabulary of 20 000 words,\n"
            "frequencies after Zipf, lengths after English. All steps of the sort are\n"
            "bitonicKernel over global memory, as Mars sorts up to 262 144 pairs; for more, Mars\n"
            "does short steps in shared memory. Of prefix sums, the scan of the blocks' sums is\n"
            "left out. The default is 2 MiB of text in pieces of 256 B, 32 CTAs of Mapper\n"
            "and 512 of the sort: what takes the time is the sort, whose work grows faster.\n"
            "published-nuba: 542 MB are published; 140 MB of text come to that with pairs and\n"
            "sort (whose thousands of millions of comparisons take a quarter of an hour to\n"
            "count). Instructions between accesses are estimates.\n"
            "What is said of Mars' code and inputs is from memory, not checked against its\n"
            "source.\n",
    .parameters = wc_parameters,
    .inputs = wc_inputs,
    .scale = wc_scale,
    .open = wc_open};

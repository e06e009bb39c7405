/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mars' page view count over a web log of lines "URL <tab> IP <tab> cookie": a
 * first MapReduce takes repeated lines out, a second one counts the lines of
 * each URL. Both hash the string that is their key and sort by hash and string;
 * the second one writes ends into the text at URL and IP. */
#include <stdlib.h>
#include <string.h>

#include "workload/irregular/mars.h"

/* ---- code --------------------------------------------------------------- */

/* Members of a key: text, entry's offset, its hash; of a value: entry's size, phase. */
enum { KEY_TEXT = 0, KEY_OFFSET = 8, KEY_HASH = 12, VALUE_SIZE = 0, VALUE_PHASE = 4 };

static bool pvc_count(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const uint32_t tasks = mars_tasks(pass, warp);
    WARP_BEGIN;
    WARP_COMPUTE(10);
    WARP_READ(MARS_RECORDS, tasks, warp->thread + lane);
    WARP_READ_AT(MARS_VALUES, tasks, warp->thread + lane, VALUE_PHASE, 4);
    MARS_EMIT_COUNT(tasks);
    WARP_END;
}

static bool pvc_map(const struct kernel_pass *pass, struct kernel_warp *warp,
                    struct warp_buffer *out)
{
    const struct mars *s = (const struct mars *)pass->source;
    const bool second = ((const struct mars_pass *)pass)->job == 1;
    struct mars_warp *w = (struct mars_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(10);
    w->live = mars_tasks(pass, warp);
    MARS_BEGIN_MAP(w->live);
    WARP_READ(MARS_RECORDS, w->live, warp->thread + lane);
    WARP_READ_AT(MARS_KEYS, w->live, warp->thread + lane, KEY_TEXT, 8);
    WARP_READ_TOO_AT(MARS_KEYS, w->live, warp->thread + lane, KEY_OFFSET, 4);
    WARP_READ_TOO_AT(MARS_VALUES, w->live, warp->thread + lane, VALUE_PHASE, 4);
    WARP_READ_TOO_AT(MARS_VALUES, second ? 0 : w->live, warp->thread + lane, VALUE_SIZE, 4);
    WARP_EACH(w->live)
    w->at[lane] = mars_record(pass, warp, lane)->at;
    for (w->start[0] = 0; second && w->start[0] < 2; w->start[0]++) { /* to the tabs */
        for (w->in = w->live;;) {
            WARP_READ(MARS_TEXT, w->in, w->at[lane]);
            WARP_COMPUTE(3);
            /* the tab behind the URL has become a 0, from which the second search starts */
            WARP_SELECT(
                w->in, w->in,
                s->text[w->at[lane]] != '\t' ||
                    (w->start[0] == 1 && w->at[lane] == mars_next_pair(pass, w, lane)->bytes - 1 +
                                                            mars_record(pass, warp, lane)->at));
            if (!w->in)
                break;
            WARP_EACH(w->in)
            w->at[lane]++;
        }
        WARP_WRITE(MARS_TEXT, w->live, w->at[lane]);
    }
    for (w->in = w->live, w->i = 0;; w->i++) { /* the hash */
        WARP_SELECT(w->in, w->in, w->i < mars_next_pair(pass, w, lane)->bytes);
        if (!w->in)
            break;
        WARP_READ(MARS_TEXT, w->in, mars_record(pass, warp, lane)->at + w->i);
        WARP_COMPUTE(5);
    }
    WARP_WRITE_AT(MARS_KEYS, w->live, warp->thread + lane, KEY_HASH, 4);
    MARS_EMIT(w->live, true, MARS_KEYS, warp->thread + lane, !second, MARS_VALUES,
              warp->thread + lane);
    WARP_END;
}

static const struct mars_program pvc_program = {.key_struct = 16,
                                                .value_struct = 8,
                                                .emitted_key = 16,
                                                .emitted_values = {8, 4},
                                                .hashed = true,
                                                .grouped = true,
                                                .count = pvc_count,
                                                .map = pvc_map};

/* ---- the log and its pairs ------------------------------------------------ */

/* Lines of URLs of two words each, more or less often seen; one line in four is
 * an earlier one again. */
static void pvc_make_log(struct mars *s, uint32_t lines, uint64_t seed)
{
    struct mars_words *words = mars_words_create(seed);
    struct random random = random_begin(~seed);
    uint32_t *starts = memory_alloc((lines + 1ULL) * sizeof *starts);
    struct text log = {0};
    for (uint32_t i = 0; i < lines; i++) {
        starts[i] = (uint32_t)log.length;
        if (i && random_below(&random, 4) == 0) {
            uint32_t old = random_below(&random, i);
            const char *line = log.data + starts[old];
            char *again = memory_zero(strcspn(line, "\n") + 2, 1);
            text_append(&log, memcpy(again, line, strcspn(line, "\n") + 1));
            free(again);
            continue;
        }
        text_printf(&log, "http://www.%s.com/", mars_words_draw(words, &random));
        text_printf(&log, "%s.html\t", mars_words_draw(words, &random));
        text_printf(&log, "%u.%u.%u.%u\t", random_below(&random, 256), random_below(&random, 256),
                    random_below(&random, 256), random_below(&random, 256));
        text_printf(&log, "%s\n", mars_words_draw(words, &random));
    }
    s->text = log.data;
    s->bytes = (uint32_t)log.length;
    free(starts);
    mars_words_destroy(words);
}

/* Of `bytes` characters, the last one taken as the end. */
static int32_t pvc_hash(const char *text, uint32_t bytes)
{
    uint32_t hash = bytes;
    for (uint32_t i = 0; i < bytes; i++)
        hash = hash << 4 ^ (hash >> 28 | (hash >> 31 ? 0xfffffff0 : 0)) ^
               (i + 1 < bytes ? (uint32_t)text[i] : 0);
    return (int32_t)hash;
}

static void pvc_emit(struct mars *s, struct mars_job *job, uint32_t at, uint32_t bytes,
                     uint32_t key_bytes)
{
    uint32_t n = (uint32_t)job->pairs.count;
    VECTOR_PUSH(&job->records, (struct mars_record){at, bytes, n});
    VECTOR_PUSH(&job->pairs,
                (struct mars_pair){at, key_bytes, 16 * n, pvc_hash(s->text + at, key_bytes)});
}

struct pvc_key {
    const char *text;
    uint32_t at, bytes;
    int32_t hash;
};

/* By hash, then as strings, then by place. */
static int pvc_compare(const void *a, const void *b)
{
    const struct pvc_key *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash > y->hash ? 1 : -1;
    int order = memcmp(x->text, y->text, x->bytes < y->bytes ? x->bytes : y->bytes);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The pairs of both jobs; the first of equal lines goes to the second one. */
static void pvc_map_all(struct mars *s, uint32_t lines)
{
    struct mars_job *first = &s->jobs[0], *second = &s->jobs[1];
    struct pvc_key *keys = memory_alloc(lines * sizeof *keys);
    uint32_t at = 0;
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t bytes = (uint32_t)strcspn(s->text + at, "\n") + 1;
        pvc_emit(s, first, at, bytes, bytes);
        keys[i] = (struct pvc_key){s->text + at, at, bytes, first->pairs.items[i].hash};
        at += bytes;
    }
    VECTOR_PUSH(&first->records, (struct mars_record){at, 0, lines});
    qsort(keys, lines, sizeof *keys, pvc_compare);
    for (uint32_t i = 0; i < lines; i++) {
        const struct pvc_key *k = &keys[i];
        if (i == 0 || k->bytes != k[-1].bytes || memcmp(k->text, k[-1].text, k->bytes) != 0)
            pvc_emit(s, second, k->at, k->bytes, (uint32_t)strcspn(k->text, "\t") + 1);
    }
    VECTOR_PUSH(&second->records, (struct mars_record){at, 0, (uint32_t)second->pairs.count});
    free(keys);
}

/* ---- the workload ------------------------------------------------------- */

enum { LINES, SEED, N_PARAMETERS };

static const struct workload_parameter pvc_parameters[] = {
    [LINES] = {"lines", "2^17", "of the web log"},
    [SEED] = {"seed", "1", "of the log"},
    {NULL, NULL, NULL}};

static int pvc_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    static const struct kernel_range ranges[] = {{2, 30000000}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct mars *s = kernel_source_create(workload, &mars_class, sizeof *s);
    s->program = &pvc_program;
    pvc_make_log(s, (uint32_t)v[LINES], (uint64_t)v[SEED]);
    s->n_jobs = 2;
    pvc_map_all(s, (uint32_t)v[LINES]);
    mars_place(s);
    return kernel_source_finish_values(&s->base, "mars pvc 2", v, N_PARAMETERS, out, error);
}

static const struct workload_input pvc_inputs[] = {
    {"small", "lines=200"}, {"published-nuba", "lines=5500000"}, {NULL, NULL}};

static const struct workload_scale pvc_scale[] = {{"lines", "lines*size"}, {NULL, NULL}};

const struct workload workload_pvc = {
    .plugin = {.kind = "workload",
               .name = "pvc",
               .summary = "page view count by two MapReduces over a web log",
               .reference = "He et al., Mars, PACT 2008"},
    .suite = "Mars",
    .page = "Mars' page view count: a thread a line of a web log (URL, IP, cookie), blocks of\n"
            "256. Each of its two MapReduces is MapperCount, three prefix sums, Mapper, a bitonic\n"
            "sort by hash and string, and a kernel that finds where equal keys end; the first\n"
            "takes repeated lines out, the second counts the views of each URL. The log is made\n"
            "from a seed: URLs of two words whose frequencies follow Zipf, one line in four seen\n"
            "before.\n"
            "Left out: Reducer, which copies the distinct lines between the two, and of prefix\n"
            "sums the scan of the blocks' sums. All steps of the sort are bitonicKernel (see wc).\n"
            "published-nuba: 1 081 MB are published, here 5.5 million lines, which take half an\n"
            "hour to count. The default has 131 072 lines (512 CTAs). Instructions between "
            "accesses are estimates.\n"
            "What is said of Mars' code and inputs is from memory, not checked against its\n"
            "source.\n",
    .parameters = pvc_parameters,
    .inputs = pvc_inputs,
    .scale = pvc_scale,
    .open = pvc_open};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mars' string match: a thread a piece of the text goes through its lines and
 * compares those that are as long as the keyword; what it finds is emitted. */
#include <stdlib.h>
#include <string.h>

#include "workload/irregular/mars.h"

static const char *sm_text(const struct kernel_pass *pass, uint32_t at)
{
    return &((const struct mars *)pass->source)->text[at];
}

static bool sm_code(const struct kernel_pass *pass, struct kernel_warp *warp,
                    struct warp_buffer *out, bool map)
{
    const char *keyword = ((const struct mars *)pass->source)->keyword;
    struct mars_warp *w = (struct mars_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(10);
    w->live = mars_tasks(pass, warp);
    if (map)
        MARS_BEGIN_MAP(w->live);
    WARP_READ(MARS_RECORDS, w->live, warp->thread + lane);
    WARP_READ_AT(MARS_VALUES, w->live, warp->thread + lane, 0, 4);
    WARP_READ_TOO_AT(MARS_VALUES, w->live, warp->thread + lane, 4, 4);
    WARP_READ_TOO_AT(MARS_KEYS, w->live, warp->thread + lane, 0, 8);
    WARP_READ_TOO_AT(MARS_KEYS, w->live, warp->thread + lane, 8, 8);
    WARP_READ_TOO_AT(MARS_VALUES, w->live, warp->thread + lane, 8, 4);
    WARP_EACH(w->live)
    w->at[lane] = w->start[lane] = mars_record(pass, warp, lane)->at;
    while (w->live) {
        for (w->in = w->live;;) {
            WARP_READ(MARS_TEXT, w->in, w->at[lane]);
            WARP_COMPUTE(3);
            WARP_SELECT(w->in, w->in, *sm_text(pass, w->at[lane]) != '\n');
            if (!w->in)
                break;
            WARP_EACH(w->in)
            w->at[lane]++;
        }
        WARP_EACH(w->live)
        w->at[lane]++;
        WARP_COMPUTE(3);
        WARP_SELECT(w->in, w->live, w->at[lane] - w->start[lane] == strlen(keyword) + 1);
        for (w->i = 0; w->in; w->i++) {
            WARP_READ(MARS_TEXT, w->in, w->start[lane] + w->i);
            WARP_READ_TOO(MARS_KEYWORD, w->in, w->i);
            WARP_COMPUTE(3);
            WARP_SELECT(w->in, w->in,
                        keyword[w->i] && *sm_text(pass, w->start[lane] + w->i) == keyword[w->i]);
        }
        WARP_SELECT(w->some, w->live,
                    w->at[lane] - w->start[lane] == strlen(keyword) + 1 &&
                        memcmp(sm_text(pass, w->start[lane]), keyword, strlen(keyword)) == 0);
        if (map)
            MARS_EMIT(w->some, false, MARS_KEYS, 0, false, MARS_VALUES, 0);
        else
            MARS_EMIT_COUNT(w->some);
        WARP_SELECT(w->live, w->live, w->at[lane] < mars_record_end(pass, warp, lane));
        WARP_EACH(w->live)
        w->start[lane] = w->at[lane];
        WARP_COMPUTE(3);
    }
    WARP_END;
}

static bool sm_count(const struct kernel_pass *pass, struct kernel_warp *warp,
                     struct warp_buffer *out)
{
    return sm_code(pass, warp, out, false);
}

static bool sm_map(const struct kernel_pass *pass, struct kernel_warp *warp,
                   struct warp_buffer *out)
{
    return sm_code(pass, warp, out, true);
}

static const struct mars_program sm_program = {.key_struct = 16,
                                               .value_struct = 12,
                                               .emitted_key = 4,
                                               .emitted_values = {4},
                                               .count = sm_count,
                                               .map = sm_map};

/* Pieces of `piece` bytes and what is left of the line. */
static void sm_split(struct mars *s, uint32_t piece)
{
    struct mars_job *job = &s->jobs[0];
    uint32_t at = 0, size = (uint32_t)strlen(s->keyword);
    while (at < s->bytes) {
        uint32_t from = at;
        at = s->bytes - at > piece ? at + piece : s->bytes - 1;
        at = (uint32_t)(strchr(s->text + at, '\n') + 1 - s->text);
        VECTOR_PUSH(&job->records,
                    (struct mars_record){from, at - from, (uint32_t)job->pairs.count});
        for (uint32_t p = from, end; p < at; p = end) {
            end = (uint32_t)(strchr(s->text + p, '\n') + 1 - s->text);
            uint32_t key_at = 4 * (uint32_t)job->pairs.count;
            if (end - p == size + 1 && memcmp(s->text + p, s->keyword, size) == 0)
                VECTOR_PUSH(&job->pairs, (struct mars_pair){p, size + 1, key_at, 0});
        }
    }
    VECTOR_PUSH(&job->records, (struct mars_record){at, 0, (uint32_t)job->pairs.count});
}

/* ---- the workload ------------------------------------------------------- */

enum { BYTES, PIECE, LINE, SEED, N_PARAMETERS };

static const struct workload_parameter sm_parameters[] = {
    [BYTES] = {"bytes", "2^26", "of text"},
    [PIECE] = {"piece", "1024", "bytes of text a thread takes, and the rest of a line"},
    [LINE] = {"line", "3", "the line (from 1) whose word is looked for"},
    [SEED] = {"seed", "1", "of the text"},
    {NULL, NULL, NULL}};

static int sm_open(const struct workload *workload, const char *const *values, struct source **out,
                   struct error *error)
{
    static const struct kernel_range ranges[] = {
        {16, 1 << 30}, {16, 1 << 20}, {1, 1 << 30}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct mars *s = kernel_source_create(workload, &mars_class, sizeof *s);
    s->program = &sm_program;
    s->bytes = (uint32_t)v[BYTES];
    s->text = mars_make_text(s->bytes, "\n", (uint64_t)v[SEED]);
    s->n_jobs = 1;
    const char *line = s->text;
    for (int64_t i = 1; i < v[LINE] && *line; i++)
        line = strchr(line, '\n') + 1;
    if (!*line) {
        source_destroy(&s->base.base);
        return error_set(error, STATUS_INPUT, "line=%s: the text has fewer lines", values[LINE]);
    }
    memcpy(s->keyword, line, strcspn(line, "\n"));
    sm_split(s, (uint32_t)v[PIECE]);
    mars_place(s);
    return kernel_source_finish_values(&s->base, "mars sm 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input sm_inputs[] = {
    {"small", "bytes=60000,piece=64"}, {"published-nuba", "bytes=137000000"}, {NULL, NULL}};

static const struct workload_scale sm_scale[] = {{"bytes", "bytes*size"}, {NULL, NULL}};

const struct workload workload_sm = {
    .plugin = {.kind = "workload",
               .name = "sm",
               .summary = "string match by MapReduce: the lines of a text that are a keyword",
               .reference = "He et al., Mars, PACT 2008"},
    .suite = "Mars",
    .page = "Mars' string match: MapperCount, three prefix sums and Mapper; no sort. A thread\n"
            "takes 1 024 B of text and the rest of a line, blocks of 256. The text is made from a\n"
            "seed, a word a line (see wc); the keyword is one of its words, by default the third.\n"
            "Mars does not count line ends when it looks whether its piece is over, so that its\n"
            "threads read on into the next one; here they stop. Of prefix sums, the scan of the\n"
            "blocks' sums is left out.\n"
            "published-nuba: 146 MB are published: 137 MB of text and what belongs to it. The\n"
            "default has 64 MiB (256 CTAs). Instructions between accesses are estimates.\n"
            "What is said of Mars' code and inputs is from memory, not checked against its\n"
            "source.\n",
    .parameters = sm_parameters,
    .inputs = sm_inputs,
    .scale = sm_scale,
    .open = sm_open};

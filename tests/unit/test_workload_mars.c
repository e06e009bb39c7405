/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MapReduce programs against plain C executions, a thread at a time: the
 * counts of accesses, the pairs, and the groups that the sort brings together. */
#include "kernel_check.h"
#include "workload/irregular/mars.h"

struct job {
    struct kernel_counts c;
    const char *text;
    bool hashed;
    struct text launches;
    struct pair {
        const char *string; /* ends with 0 */
        int32_t hash;
        uint32_t text_at, key_at, bytes;
    } pairs[1000];
    int n;
};

#define c (job->c)

static void add_launch(struct job *job, const char *name)
{
    text_printf(&job->launches, "%s%s", job->launches.length ? " " : "", name);
}

static void begin(struct job *job, const char *spec, struct source **source)
{
    static const uint8_t units[] = {1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 4, 4, 4};
    check_ok(source_open(spec, source, &failure));
    job->text = ((const struct mars *)*source)->text;
    for (int i = 0; i <= MARS_ENDS; i++) {
        const struct stream_allocation *a = &(*source)->allocations.items[i];
        assert_int_equal(a->bytes % units[i], 0);
        kernel_counts_add(&c, a->name, a->bytes / units[i], units[i]);
    }
}

static void words(struct job *job, int array, uint64_t element, uint64_t n, int kind)
{
    for (uint64_t i = 0; i < n; i++)
        kernel_count_access(&c, array, element + i, kind);
}

static void emit_count(struct job *job, uint64_t task)
{
    for (int array = MARS_KEY_BYTES; array <= MARS_COUNTS; array++) {
        R(array, task);
        W(array, task);
    }
}

static void scans(struct job *job, uint64_t tasks)
{
    for (int array = MARS_KEY_BYTES; array <= MARS_COUNTS; array++) {
        add_launch(job, "prescan");
        for (uint64_t t = 0; t < tasks; t++) {
            R(array, t);
            W(array + MARS_KEY_STARTS - MARS_KEY_BYTES, t);
        }
    }
}

static void begin_map(struct job *job, uint64_t task)
{
    R(MARS_FIRST_PAIRS, task);
    R(MARS_KEY_STARTS, task);
    R(MARS_VALUE_STARTS, task);
    words(job, MARS_PAIRS, 4 * (uint64_t)job->n, 4, ACCESS_READ);
    words(job, MARS_PAIRS, 4 * (uint64_t)job->n, 4, ACCESS_WRITE);
}

/* One pair: so many bytes of a key, from the array or from nowhere; then a value. */
static void emit(struct job *job, uint64_t task, int nth, int key_array, uint64_t key_from,
                 uint32_t key_bytes, int value_array, uint64_t value_from, uint32_t value_bytes)
{
    struct pair *p = &job->pairs[job->n];
    uint32_t key_at = job->n ? job->pairs[job->n - 1].key_at + job->pairs[job->n - 1].bytes : 0;
    words(job, MARS_EMITTED_BYTES, 2 * task, 2, ACCESS_READ);
    R(MARS_KEY_STARTS, task);
    R(MARS_VALUE_STARTS, task);
    if (key_array >= 0)
        words(job, key_array, key_from, key_bytes, ACCESS_READ);
    words(job, MARS_PAIR_KEYS, key_at, key_bytes, ACCESS_WRITE);
    if (value_array >= 0)
        words(job, value_array, value_from, value_bytes, ACCESS_READ);
    words(job, MARS_PAIR_VALUES, (uint64_t)job->n * value_bytes, value_bytes, ACCESS_WRITE);
    words(job, MARS_EMITTED_BYTES, 2 * task, 2, ACCESS_WRITE);
    R(MARS_EMITTED, task);
    R(MARS_FIRST_PAIRS, task);
    words(job, MARS_PAIRS, 4 * (uint64_t)job->n, 4, ACCESS_READ);
    if (nth)
        words(job, MARS_PAIRS, 4 * (uint64_t)job->n - 4, 4, ACCESS_READ);
    words(job, MARS_PAIRS, 4 * (uint64_t)job->n, 4, ACCESS_WRITE);
    W(MARS_EMITTED, task);
    p->key_at = key_at;
    p->bytes = key_bytes;
    job->n++;
}

/* Compares as the GPU's code does. */
static int compare(struct job *job, int x, int y)
{
    if (x < 0 || y < 0)
        return x == y ? 0 : x < 0 ? -1 : 1;
    const struct pair *a = &job->pairs[x], *b = &job->pairs[y];
    if (job->hashed) {
        words(job, MARS_PAIR_KEYS, a->key_at + 12, 4, ACCESS_READ);
        words(job, MARS_PAIR_KEYS, b->key_at + 12, 4, ACCESS_READ);
        if (a->hash != b->hash)
            return a->hash > b->hash ? 1 : -1;
        words(job, MARS_PAIR_KEYS, a->key_at, 12, ACCESS_READ);
        words(job, MARS_PAIR_KEYS, b->key_at, 12, ACCESS_READ);
    }
    for (uint32_t i = 0;; i++) {
        if (job->hashed) {
            R(MARS_TEXT, a->text_at + i);
            R(MARS_TEXT, b->text_at + i);
        } else {
            R(MARS_PAIR_KEYS, a->key_at + i);
            R(MARS_PAIR_KEYS, b->key_at + i);
        }
        if (a->string[i] != b->string[i] || !a->string[i])
            return a->string[i] - b->string[i];
    }
}

/* The bitonic network, then the ends of groups; returns the number of groups. */
static uint64_t sort(struct job *job)
{
    int slots[1024], n = 1;
    uint64_t groups = 0;
    while (n < job->n)
        n *= 2;
    for (int i = 0; i < n; i++)
        slots[i] = i < job->n ? i : -1;
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            add_launch(job, "bitonicKernel");
            for (int i = 0; i < n; i++) {
                int other = i ^ j, kept = slots[i];
                if (other < i)
                    continue;
                words(job, MARS_SORTED, 4 * (uint64_t)i, 4, ACCESS_READ);
                words(job, MARS_SORTED, 4 * (uint64_t)other, 4, ACCESS_READ);
                int order = compare(job, slots[i], slots[other]);
                if (i & k ? order >= 0 : order <= 0)
                    continue;
                slots[i] = slots[other];
                slots[other] = kept;
                words(job, MARS_SORTED, 4 * (uint64_t)i, 4, ACCESS_WRITE);
                words(job, MARS_SORTED, 4 * (uint64_t)other, 4, ACCESS_WRITE);
            }
        }
    add_launch(job, "getStringBoundary");
    for (int i = n - job->n; i < n; i++) {
        words(job, MARS_SORTED, 4 * (uint64_t)i, 4, ACCESS_READ);
        if (i > n - job->n)
            words(job, MARS_SORTED, 4 * (uint64_t)i - 4, 4, ACCESS_READ);
        groups += i == n - job->n || compare(job, slots[i], slots[i - 1]) != 0;
        W(MARS_ENDS, (uint64_t)(i - (n - job->n)));
    }
    return groups;
}

/* Groups, found by comparing each with all before. */
static uint64_t distinct(const struct job *job)
{
    uint64_t groups = 0;
    for (int i = 0; i < job->n; i++) {
        int j = 0;
        while (strcmp(job->pairs[i].string, job->pairs[j].string) != 0)
            j++;
        groups += i == j;
    }
    return groups;
}

/* ---- word count ------------------------------------------------------------- */

static bool letter(char x)
{
    return x >= 'A' && x <= 'Z';
}

static void count_words(struct job *job, uint64_t task, uint32_t at, uint32_t end, bool map)
{
    int nth = 0;
    words(job, MARS_RECORDS, 4 * task, 4, ACCESS_READ);
    words(job, MARS_KEYS, 8 * task, 8, ACCESS_READ);
    words(job, MARS_VALUES, 8 * task, 8, ACCESS_READ);
    while (at < end) {
        uint32_t start = at;
        for (R(MARS_TEXT, at); letter(job->text[at]); R(MARS_TEXT, at))
            at++;
        W(MARS_TEXT, at);
        at++;
        if (at - start > 6 && !map) {
            emit_count(job, task);
        } else if (at - start > 6) {
            char *string = memory_strdup(job->text + start);
            string[at - start - 1] = '\0';
            job->pairs[job->n] = (struct pair){.string = string};
            emit(job, task, nth++, MARS_TEXT, start, at - start, -1, 0, 4);
        }
        for (; at < end; at++) {
            R(MARS_TEXT, at);
            if (letter(job->text[at]))
                break;
        }
    }
}

TEST(test_word_count)
{
    const char *spec = "wc:bytes=3000,piece=50,seed=3";
    struct job *job = memory_zero(1, sizeof *job);
    OWNED(source) *source = NULL;
    uint64_t tasks = 0;
    begin(job, spec, &source);
    for (int map = 0; map < 2; map++) {
        add_launch(job, map ? "Mapper" : "MapperCount");
        tasks = 0;
        for (uint32_t at = 0, end; at < 3000; at = end, tasks++) {
            end = at + 50 < 2999 ? at + 50 : 2999;
            while (letter(job->text[end]))
                end++;
            end++;
            if (map)
                begin_map(job, tasks);
            count_words(job, tasks, at, end, map);
        }
        if (!map)
            scans(job, tasks);
    }
    uint64_t groups = sort(job);
    assert_true(job->n > 80 && groups > 20 && groups < (uint64_t)job->n);
    assert_int_equal(groups, distinct(job));
    assert_int_equal(kernel_result(spec), groups);
    kernel_check_counts(spec, &c, job->launches.data);
    for (int i = 0; i < job->n; i++)
        free((void *)(uintptr_t)job->pairs[i].string);
    text_free(&job->launches);
    free(job);
}

/* ---- string match ----------------------------------------------------------- */

static void match_lines(struct job *job, uint64_t task, uint32_t at, uint32_t end,
                        const char *keyword, bool map)
{
    int nth = 0;
    words(job, MARS_RECORDS, 4 * task, 4, ACCESS_READ);
    words(job, MARS_KEYS, 16 * task, 16, ACCESS_READ);
    words(job, MARS_VALUES, 12 * task, 12, ACCESS_READ);
    while (at < end) {
        uint32_t start = at, i = 0;
        for (R(MARS_TEXT, at); job->text[at] != '\n'; R(MARS_TEXT, at))
            at++;
        at++;
        if (at - start != strlen(keyword) + 1)
            continue;
        for (;; i++) {
            R(MARS_TEXT, start + i);
            R(MARS_KEYWORD, i);
            if (job->text[start + i] != keyword[i] || !keyword[i])
                break;
        }
        if (job->text[start + i] == '\n' && map)
            emit(job, task, nth++, -1, 0, 4, -1, 0, 4);
        else if (job->text[start + i] == '\n')
            emit_count(job, task);
    }
}

TEST(test_string_match)
{
    const char *spec = "sm:bytes=20000,piece=100,line=2";
    struct job *job = memory_zero(1, sizeof *job);
    OWNED(source) *source = NULL;
    char keyword[64] = "";
    uint64_t tasks = 0;
    begin(job, spec, &source);
    sscanf(strchr(job->text, '\n'), "%63s", keyword);
    for (int map = 0; map < 2; map++) {
        add_launch(job, map ? "Mapper" : "MapperCount");
        tasks = 0;
        for (uint32_t at = 0, end; at < 20000; at = end, tasks++) {
            end = at + 100 < 19999 ? at + 100 : 19999;
            while (job->text[end] != '\n')
                end++;
            end++;
            if (map)
                begin_map(job, tasks);
            match_lines(job, tasks, at, end, keyword, map);
        }
        if (!map)
            scans(job, tasks);
    }
    assert_true(job->n > 0);
    assert_int_equal(kernel_result(spec), job->n);
    kernel_check_counts(spec, &c, job->launches.data);
    text_free(&job->launches);
    free(job);
}

/* ---- page view count -------------------------------------------------------- */

static int32_t hash(const char *string, uint32_t bytes)
{
    int64_t h = bytes;
    for (uint32_t i = 0; i < bytes; i++) /* in 32 bits, the sign drawn along */
        h = (int32_t)((uint32_t)h << 4) ^ ((int32_t)h >> 28) ^ string[i];
    return (int32_t)h;
}

/* One MapReduce over lines that begin at `starts`. */
static uint64_t view_job(struct job *job, const uint32_t *starts, int lines, bool second)
{
    add_launch(job, "MapperCount");
    for (uint64_t t = 0; t < (uint64_t)lines; t++) {
        words(job, MARS_RECORDS, 4 * t, 4, ACCESS_READ);
        words(job, MARS_VALUES, 8 * t + 4, 4, ACCESS_READ);
        emit_count(job, t);
    }
    scans(job, (uint64_t)lines);
    add_launch(job, "Mapper");
    for (uint64_t t = 0; t < (uint64_t)lines; t++) {
        uint32_t at = starts[t], url = (uint32_t)strcspn(job->text + at, "\t");
        uint32_t size = second ? url + 1 : (uint32_t)strcspn(job->text + at, "\n") + 1;
        begin_map(job, t);
        words(job, MARS_RECORDS, 4 * t, 4, ACCESS_READ);
        words(job, MARS_KEYS, 16 * t, 12, ACCESS_READ);
        words(job, MARS_VALUES, 8 * t + 4, 4, ACCESS_READ);
        if (!second) {
            words(job, MARS_VALUES, 8 * t, 4, ACCESS_READ);
        } else { /* the tab behind the URL is met twice, first as such */
            uint32_t ip = (uint32_t)strcspn(job->text + at + url + 1, "\t");
            words(job, MARS_TEXT, at, url + 1, ACCESS_READ);
            W(MARS_TEXT, at + url);
            words(job, MARS_TEXT, at + url, ip + 2, ACCESS_READ);
            W(MARS_TEXT, at + url + 1 + ip);
        }
        words(job, MARS_TEXT, at, size, ACCESS_READ);
        words(job, MARS_KEYS, 16 * t + 12, 4, ACCESS_WRITE);
        char *string = memory_strdup(job->text + at);
        string[size - 1] = '\0';
        job->pairs[job->n] =
            (struct pair){.string = string, .hash = hash(string, size), .text_at = at};
        emit(job, t, 0, MARS_KEYS, 16 * t, 16, second ? -1 : MARS_VALUES, 8 * t, second ? 4 : 8);
    }
    uint64_t groups = sort(job);
    assert_int_equal(groups, distinct(job));
    return groups;
}

/* The first of each group, in the order of hash and string. */
static int unique_lines(const struct job *job, uint32_t *starts)
{
    bool taken[1000] = {false};
    int n = 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < job->n; i++) {
            const struct pair *p = &job->pairs[i], *b = best < 0 ? p : &job->pairs[best];
            if (!taken[i] && (best < 0 || p->hash < b->hash ||
                              (p->hash == b->hash && strcmp(p->string, b->string) < 0)))
                best = i;
        }
        if (best < 0)
            return n;
        starts[n++] = job->pairs[best].text_at;
        for (int i = 0; i < job->n; i++)
            taken[i] = taken[i] || strcmp(job->pairs[i].string, job->pairs[best].string) == 0;
    }
}

static void forget_pairs(struct job *job)
{
    while (job->n > 0)
        free((void *)(uintptr_t)job->pairs[--job->n].string);
}

TEST(test_page_view_count)
{
    const char *spec = "pvc:lines=300,seed=7";
    struct job *job = memory_zero(1, sizeof *job);
    OWNED(source) *source = NULL;
    uint32_t starts[300], at = 0;
    job->hashed = true;
    begin(job, spec, &source);
    for (int i = 0; i < 300; i++) {
        starts[i] = at;
        at += (uint32_t)strcspn(job->text + at, "\n") + 1;
    }
    assert_int_equal(job->text[at], '\0');
    uint64_t lines = view_job(job, starts, 300, false);
    assert_in_range(lines, 200, 250);
    assert_int_equal(unique_lines(job, starts), lines);
    forget_pairs(job);
    uint64_t urls = view_job(job, starts, (int)lines, true);
    forget_pairs(job);
    assert_true(urls < lines);
    assert_int_equal(kernel_result(spec), urls);
    kernel_check_counts(spec, &c, job->launches.data);
    text_free(&job->launches);
    free(job);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results by the hash of what they follow from. */
#include "explore/answer/simulations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/sealed.h"
#include "core/version.h"
#include "simulate/gpu_record.h"

struct kept {
    char key[HASH_TEXT];
    struct simulate_gpu_result *result;
};

struct simulations {
    pthread_mutex_t lock; /* of all below */
    struct {
        struct kept *items;
        size_t count, capacity;
    } kept;
    struct simulations_count count;
    char program[HASH_TEXT]; /* "": unknown, and nothing goes into the cache */
};

struct simulations *simulations_create(void)
{
    struct simulations *s = memory_zero(1, sizeof *s);
    struct hash_content *hash = hash_content_begin();
    struct error ignored;
    bool known = hash_content_file(hash, "/proc/self/exe", &ignored) == 0;
    hash_content_end(hash, s->program);
    if (!known)
        s->program[0] = '\0';
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void simulations_destroy(struct simulations *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->kept.count; i++)
        simulate_gpu_result_destroy(s->kept.items[i].result);
    VECTOR_FREE(&s->kept);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void key_of(const struct simulations *s, const struct subject *subject,
                   const struct machine *machine, const struct simulate_gpu_options *options,
                   char out[HASH_TEXT])
{
    const double numbers[] = {(double)options->requests, (double)options->warm_up,
                              options->confidence,       options->l1_hit_rate,
                              options->llc_hit_rate,     (double)options->draw};
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, BANDSCAPE_VERSION);
    hash_content_string(hash, s->program);
    hash_content_string(hash, subject->source->hash);
    hash_content_string(hash, subject->stored ? subject->spec : "");
    machine_add_to_hash(machine, hash);
    hash_content_add(hash, numbers, sizeof numbers);
    hash_content_end(hash, out);
}

/* What is kept under that key; else `result`, unless it is NULL, which is kept from here on. Of two
 * threads that simulated the same the first one's stays; both are equal. */
static const struct simulate_gpu_result *keep(struct simulations *s, const char *key,
                                              struct simulate_gpu_result *result)
{
    const struct simulate_gpu_result *first = NULL;
    struct kept one = {.result = result};
    memcpy(one.key, key, sizeof one.key);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->kept.count && !first; i++)
        if (strcmp(s->kept.items[i].key, key) == 0)
            first = s->kept.items[i].result;
    if (!first && result)
        VECTOR_PUSH(&s->kept, one);
    pthread_mutex_unlock(&s->lock);
    if (first)
        simulate_gpu_result_destroy(result);
    return first ? first : result;
}

/* --- the cache ---------------------------------------------------------------------------- */

/* NULL: nowhere. */
static char *path_of(const struct simulations *s, const struct subject *subject, const char *key)
{
    struct text path = {0};
    char *folder = s->program[0] && !subject->stored ? profile_cache_folder() : NULL;
    if (folder)
        text_printf(&path, "%s/%s.simulation", folder, key);
    free(folder);
    return path.data;
}

static struct simulate_gpu_result *read_kept(const char *path)
{
    struct text text = {0};
    struct simulate_gpu_result *result = NULL;
    if (path && sealed_read(path, true, &text))
        result = simulate_gpu_result_scan(text.data);
    text_free(&text);
    return result;
}

/* That it cannot be kept only costs another run; views, which go there first, say so. */
static void write_kept(const char *path, const struct simulate_gpu_result *result)
{
    struct text text = {0};
    struct error ignored;
    char *folder = file_directory(path);
    simulate_gpu_result_print(result, &text);
    if (file_make_directory(folder, &ignored) == 0)
        sealed_write(path, text.data, text.length, &ignored);
    text_free(&text);
    free(folder);
}

/* --- asking ------------------------------------------------------------------------------- */

static void count(struct simulations *s, bool simulated)
{
    pthread_mutex_lock(&s->lock);
    s->count.asked++;
    s->count.simulated += simulated;
    pthread_mutex_unlock(&s->lock);
}

int simulations_ask(struct simulations *s, const struct subject *subject,
                    const struct machine *machine, const struct simulate_gpu_options *options,
                    const struct simulate_gpu_result **out, struct error *error)
{
    struct simulate_gpu_result *result = NULL;
    char key[HASH_TEXT];
    int status = 0;
    *out = NULL;
    if (!subject->source) /* refused, with its reason */
        return referee_simulate(subject, machine, options, &result, error);
    key_of(s, subject, machine, options, key);
    *out = keep(s, key, NULL);
    char *path = *out ? NULL : path_of(s, subject, key);
    bool simulates = !*out && !(result = read_kept(path));
    if (simulates)
        status = referee_simulate(subject, machine, options, &result, error);
    if (simulates && !status && path)
        write_kept(path, result);
    if (!*out && !status)
        *out = keep(s, key, result);
    count(s, simulates);
    free(path);
    return status;
}

struct simulations_count simulations_count(const struct simulations *s)
{
    return s->count;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Censuses in the cache of views: a sealed line of text each. Whatever goes wrong here only costs
 * another walk. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/sealed.h"
#include "core/version.h"
#include "profile/census/census.h"
#include "profile/record/internal.h"
#include "workload/workload.h"
#include "profile/run/profiler.h"

#define CENSUS_FORMAT "census 3"

static void hash_key(void *context, const char *path, const char *value)
{
    hash_content_string(context, path);
    hash_content_string(context, value);
}

/* The file of that key, which it ends; NULL: there is no cache. free() it. */
static char *path_of(struct hash_content *hash)
{
    struct text path = {0};
    char digits[HASH_TEXT], *folder = profile_cache_folder();
    hash_content_end(hash, digits);
    if (folder)
        text_printf(&path, "%s/%s.census", folder, digits);
    free(folder);
    return path.data;
}

static struct hash_content *hash_begin(void)
{
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, CENSUS_FORMAT);
    hash_content_string(hash, BANDSCAPE_VERSION);
    return hash;
}

static char *cache_path(const struct source *source, const struct machine *machine)
{
    struct hash_content *hash = hash_begin();
    hash_content_string(hash, source->hash);
    machine_visit(machine, STRUCTURE_STREAM, hash_key, hash);
    machine_visit(machine, STRUCTURE_HOME, hash_key, hash);
    return path_of(hash);
}

/* `tell`: it is made anew when it is damaged. */
static bool cache_read(const char *path, bool tell, struct census *out)
{
    struct text text = {0};
    *out = (struct census){0};
    if (!path || !sealed_read(path, tell, &text))
        return false;
    int end = 0;
    int n = sscanf(text.data,
                   CENSUS_FORMAT
                   " launches %" SCNu64 " ctas %" SCNu64 " of %" SCNu64
                   " footprint %lf truly %lf falsely %lf read-only %lf replicable %lf end%n",
                   &out->launches.launches, &out->launches.ctas, &out->launches.ctas_total,
                   &out->footprint_bytes, &out->truly_shared_bytes, &out->falsely_shared_bytes,
                   &out->read_only_shared_bytes, &out->replicable_bytes, &end);
    text_free(&text);
    return n == 8 && end > 0;
}

static void cache_write(const char *path, const struct census *census)
{
    struct text text = {0};
    struct error ignored;
    char *folder = file_directory(path);
    text_printf(&text,
                CENSUS_FORMAT
                " launches %" PRIu64 " ctas %" PRIu64 " of %" PRIu64
                " footprint %.0f truly %.0f falsely %.0f read-only %.0f replicable %.0f end\n",
                census->launches.launches, census->launches.ctas, census->launches.ctas_total,
                census->footprint_bytes, census->truly_shared_bytes, census->falsely_shared_bytes,
                census->read_only_shared_bytes, census->replicable_bytes);
    if (file_make_directory(folder, &ignored) == 0)
        sealed_write(path, text.data, text.length, &ignored);
    text_free(&text);
    free(folder);
}

bool census_is_cached(const struct source *source, const struct machine *machine)
{
    struct census ignored;
    char *path = cache_path(source, machine);
    bool cached = cache_read(path, false, &ignored);
    free(path);
    return cached;
}

int census_obtain(const struct source *source, const struct machine *machine, struct census *out,
                  struct error *error)
{
    char *path = cache_path(source, machine);
    int status = 0;
    if (!cache_read(path, true, out)) {
        status = census_take(source, machine, out, error);
        if (!status && path)
            cache_write(path, out);
    }
    free(path);
    return status;
}

/* ---- without machine ---------------------------------------------------- */

/* The program that runs, and the spec: what a workload in C depends on. NULL: unknown. */
static char *summary_path(const char *spec)
{
    struct stat program;
    if (stat("/proc/self/exe", &program) != 0)
        return NULL;
    struct hash_content *hash = hash_begin();
    int64_t stamp[] = {(int64_t)program.st_size, (int64_t)program.st_mtim.tv_sec,
                       (int64_t)program.st_mtim.tv_nsec, (int64_t)program.st_dev,
                       (int64_t)program.st_ino};
    hash_content_string(hash, spec);
    hash_content_add(hash, stamp, sizeof stamp);
    return path_of(hash);
}

int census_summarise(const char *spec, bool keep, struct census *out, struct error *error)
{
    char *path = keep ? summary_path(spec) : NULL;
    struct source *source = NULL;
    int status = 0;
    if (!cache_read(path, true, out)) {
        status = source_open(spec, &source, error);
        if (!status)
            status = census_count_launches(source, (double)INFINITY, &out->launches, error);
        if (!status)
            out->footprint_bytes = census_allocated_bytes(source);
        if (!status && path)
            cache_write(path, out);
    }
    source_destroy(source);
    free(path);
    return status;
}

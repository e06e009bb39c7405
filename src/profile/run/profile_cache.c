/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of finished views: one sealed profile file each, named by the hash of all
 * that determines it. Whatever goes wrong here only costs another pass. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/plugin.h"
#include "core/remark.h"
#include "core/sealed.h"
#include "core/version.h"
#include "profile/homes/placement.h"
#include "profile/record/internal.h"
#include "profile/run/profiler.h"
#include "profile/run/read_views.h"
#include "profile/sampler.h"
#include "profile/samplers/observers.h"

/* To be raised whenever the same input gives another view. */
static const char cache_revision[] = "45";

char *profile_cache_folder(void)
{
    const char *own = getenv("BANDSCAPE_CACHE"), *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    struct text path = {0};
    if (own && own[0])
        text_append(&path, own);
    else if (shared && shared[0])
        text_printf(&path, "%s/bandscape", shared);
    else if (home && home[0])
        text_printf(&path, "%s/.cache/bandscape", home);
    return path.data;
}

int profile_cache_check(struct error *error)
{
    char *folder = profile_cache_folder();
    int status = 0;
    if (!folder)
        status = error_set(error, STATUS_IO, "there is no folder for the cache of views");
    else if (!(status = file_make_directory(folder, error)) && access(folder, W_OK | X_OK) != 0)
        status = error_errno(error, "write to the cache", folder);
    if (status) {
        error->status = status = STATUS_IO;
        error_hint(error, "set BANDSCAPE_CACHE to a folder that can be written");
    }
    free(folder);
    return status;
}

static void hash_key(void *context, const char *path, const char *value)
{
    hash_content_string(context, path);
    hash_content_string(context, value);
}

static void hash_llc(void *context, const char *path, const char *value)
{
    if (strcmp(path, "llc.capacity") == 0 || strcmp(path, "llc.ways") == 0)
        hash_key(context, path, value);
}

/* Another build may have others. */
static void hash_samplers(struct hash_content *hash)
{
    const struct sampler *sampler;
    int first;
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++)
        for (const struct profile_field_row *row = sampler->fields; row->path; row++)
            hash_content_string(hash, row->path);
}

static bool deals_pages(const struct machine *machine)
{
    struct error unknown;
    const char *policy;
    if (machine_name(machine, "page.policy", &policy, &unknown))
        return false;
    const struct placement *found =
        (const struct placement *)(const void *)plugin_find("placement", policy);
    return found && found->deals;
}

/* Where the view is kept: <folder>/<name>-<hash>.profile.yaml. NULL: nowhere. */
static char *cache_path(const struct source *source, const struct machine *machine,
                        const struct profile_options *options)
{
    double rate = profile_sample_rate(options);
    char *folder = profile_cache_folder(), digits[HASH_TEXT];
    if (!folder)
        return NULL;
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, source->hash);
    hash_content_string(hash, BANDSCAPE_VERSION);
    hash_content_string(hash, cache_revision);
    machine_visit(machine, STRUCTURE_STREAM, hash_key, hash);
    machine_visit(machine, STRUCTURE_HOME, hash_key, hash);
    hash_samplers(hash);
    if (observers_needs(options->parts) & SAMPLER_NEEDS_LLC)
        machine_visit(machine, STRUCTURE_NONE, hash_llc, hash);
    if (deals_pages(machine))
        hash_content_string(hash, "equals by chance"); /* issue/order.h, since revision 42 */
    if (rate < 1)
        hash_content_add(hash, &rate, sizeof rate);
    if (options->effort.exact)
        hash_content_string(hash, "exact");
    if (options->effort.error > 0) {
        /* Of the first pass; steps: run/trends.h; stretches: run/stretches.h. */
        hash_content_string(
            hash, "error, 16 times the lines or all from a sixteenth on; steps; stretches by "
                  "cycles, of longer runs, behind steady heads and of whole lines, rounds of turns "
                  "by misses, first requests and what they find known or told by the sample, "
                  "writes unseen");
        hash_content_add(hash, &options->effort.error, sizeof options->effort.error);
    }
    if (options->few_lines)
        hash_content_string(hash, "few lines");
    hash_content_end(hash, digits);
    struct text path = {0};
    text_printf(&path, "%s/%s.profile.yaml", folder, digits);
    free(folder);
    return path.data;
}

/* The view, to be released; NULL when it is not there, is damaged (`tell` says so), or is another's
 * after all. It may lack parts. */
static struct read_view *cache_read(const char *path, bool tell, const struct source *source,
                                    const struct machine *machine,
                                    const struct profile_options *options)
{
    struct error ignored;
    const struct profile_view *view;
    struct read_view *read = path ? read_views_take(path, tell) : NULL;
    if (!read)
        return NULL;
    const struct profile *kept = read->profile;
    double rate = kept->views[0].sample_rate;
    bool fits = kept->source_hash && strcmp(kept->source_hash, source->hash) == 0 &&
                kept->version && strcmp(kept->version, BANDSCAPE_VERSION) == 0 &&
                kept->interleaving && kept->views[0].n_keys > 0 &&
                (options->effort.error > 0 || rate == 1 || rate == profile_sample_rate(options)) &&
                profile_view_find(kept, machine, &view, &ignored) == 0;
    if (fits)
        return read;
    read->held.release(&read->held);
    return NULL;
}

static int cache_write(const char *path, const struct profile *profile,
                       const struct machine *machine, struct error *error)
{
    const struct profile_view *view;
    int status = profile_view_find(profile, machine, &view, error);
    if (status)
        return status;
    struct profile_view one = *view;
    struct profile kept = *profile;
    char *folder = file_directory(path);
    kept.views = &one;
    kept.n_views = 1;
    status = file_make_directory(folder, error);
    if (!status)
        status = profile_write(&kept, path, error);
    free(folder);
    return status;
}

/* Keeps the new view; that it cannot be kept is told once, or is an error when that was asked
 * for. */
static int cache_keep(const char *path, const struct profile *profile,
                      const struct machine *machine, const struct profile_options *options,
                      struct error *error)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    struct error reason;
    int status = path ? cache_write(path, profile, machine, &reason)
                      : error_set(&reason, STATUS_IO, "there is no folder for the cache of views");
    if (status && options->keep) {
        *error = reason;
        error_context(error, "the view cannot be kept");
        return status;
    }
    if (status && path && !atomic_flag_test_and_set(&told))
        remark("views are not kept in the cache: %s", reason.text);
    return 0;
}

bool profile_is_cached(const struct source *source, const struct machine *machine,
                       const struct profile_options *options)
{
    char *path = cache_path(source, machine, options);
    struct text text = {0};
    bool cached;
    if (options->parts) {
        struct read_view *read = cache_read(path, false, source, machine, options);
        cached = read && (options->parts & ~read->profile->views[0].parts) == 0;
        if (read)
            read->held.release(&read->held);
    } else {
        cached = path && sealed_read(path, false, &text);
    }
    text_free(&text);
    free(path);
    return cached;
}

/* What the cache says of a wanted view. */
struct obtaining {
    char *path;
    struct profile_wanted more; /* what the cache has stays in it */
};

static int obtain_look(struct profile_wanted *wanted, struct obtaining *o,
                       const struct source *source, const struct profile_options *options,
                       struct error *error)
{
    struct profile_options own = *options;
    own.parts = wanted->parts;
    o->path = cache_path(source, wanted->machine, &own);
    struct read_view *read = cache_read(o->path, true, source, wanted->machine, &own);
    int status = interrupt_check(error); /* then it may be there, and was not read to its end */
    unsigned parts = read ? read->profile->views[0].parts : PART_BASE;
    wanted->cached = read && (wanted->parts & ~parts) == 0;
    o->more = *wanted;
    o->more.parts |= parts;
    if (wanted->cached && !status)
        status = profile_provenance(wanted->profile, source, read->profile->interleaving, error);
    if (wanted->cached && !status)
        read_views_append(wanted->profile, read);
    else if (read)
        read->held.release(&read->held);
    return status;
}

/* Makes those that the cache does not have. What it has of one may have parts more than are wanted,
 * with which a view goes alone (profile_near_key): the pass sees to that. */
static int obtain_missing(const struct profile_wanted *wanted, const struct obtaining *obtaining,
                          size_t n, const struct source *source,
                          const struct profile_options *options, struct error *error)
{
    struct profile_wanted *missing = memory_zero(n, sizeof *missing);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!wanted[i].cached)
            missing[count++] = obtaining[i].more;
    int status = count ? profile_make_together(missing, count, source, options, error) : 0;
    free(missing);
    return status;
}

int profile_obtain_together(struct profile_wanted *wanted, size_t n, const struct source *source,
                            const struct profile_options *options, struct error *error)
{
    struct obtaining *obtaining = memory_zero(n, sizeof *obtaining);
    int status = 0;
    for (size_t i = 0; i < n && !status; i++)
        status = obtain_look(&wanted[i], &obtaining[i], source, options, error);
    if (!status)
        status = obtain_missing(wanted, obtaining, n, source, options, error);
    for (size_t i = 0; i < n && !status; i++) {
        const struct profile_view *view;
        struct profile *profile = wanted[i].profile;
        struct profile_options own = *options;
        own.parts = wanted[i].parts;
        if (!wanted[i].cached)
            status = cache_keep(obtaining[i].path, profile, wanted[i].machine, &own, error);
        /* The answer is the same whether it was cached or not. */
        if (!status && profile_view_find(profile, wanted[i].machine, &view, error) == 0)
            profile_view_restrict(&profile->views[view - profile->views], own.parts);
    }
    for (size_t i = 0; i < n; i++)
        free(obtaining[i].path);
    free(obtaining);
    return status;
}

int profile_obtain(struct profile *profile, const struct source *source,
                   const struct machine *machine, const struct profile_options *options,
                   bool *cached, struct error *error)
{
    struct profile_wanted one = {.profile = profile, .machine = machine, .parts = options->parts};
    int status = profile_obtain_together(&one, 1, source, options, error);
    *cached = one.cached;
    return status;
}

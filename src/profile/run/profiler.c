/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass, or two where a sample does not suffice, whose views join profiles. */
#include "profile/run/profiler.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/issue/schedule.h"
#include "profile/record/internal.h"
#include "profile/run/pass.h"
#include "machine/levels.h"
#include "machine/system.h"

/* A view on its way. */
struct making {
    struct system system;
    struct profile_options options;
    struct profile_view view;
    const char *interleaving;
    bool made;
};

/* Those that are not made yet, the first of them as the lead; it is made, or there is an error. */
static int make_together(struct profile_wanted *wanted, struct making *making, size_t n,
                         const struct source *source, struct error *error)
{
    struct pass_member *members = memory_zero(n, sizeof *members);
    size_t *of = memory_zero(n, sizeof *of), count = 0;
    for (size_t i = 0; i < n; i++) {
        if (making[i].made)
            continue;
        making[i].view = (struct profile_view){0};
        of[count] = i;
        members[count++] = (struct pass_member){.system = &making[i].system,
                                                .options = &making[i].options,
                                                .arena = wanted[i].profile->arena,
                                                .view = &making[i].view};
    }
    int status = pass_run(members, count, source, error);
    for (size_t k = 0; k < count && !status; k++) {
        making[of[k]].interleaving = members[k].interleaving;
        making[of[k]].made = !members[k].apart;
    }
    free(members);
    free(of);
    return status;
}

/* A second pass, where a sample does not suffice; the view joins its profile. */
static int make_end(struct profile_wanted *wanted, struct making *making,
                    const struct source *source, struct error *error)
{
    double again = profile_rate_again(&making->view, &making->options);
    int status = 0;
    if (again != making->view.sample_rate) {
        making->options.effort.sample_rate = again;
        making->made = false;
        status = make_together(wanted, making, 1, source, error);
    }
    if (!status)
        status = profile_provenance(wanted->profile, source, making->interleaving, error);
    if (status)
        return status;
    profile_key_read(wanted->machine, wanted->profile->arena, &making->view);
    profile_view_append(wanted->profile, &making->view);
    return 0;
}

int profile_make_together(struct profile_wanted *wanted, size_t n, const struct source *source,
                          const struct profile_options *options, struct error *error)
{
    struct making *making = memory_zero(n, sizeof *making);
    int status = 0;
    for (size_t i = 0; i < n && !status; i++) {
        making[i].options = *options;
        making[i].options.parts = wanted[i].parts;
        making[i].options.threads = i && options->threads > 2 ? 2 : options->threads;
        status = system_compile(&making[i].system, wanted[i].machine, SYSTEM_STREAM, error);
        if (!status)
            making[i].options.effort.sample_rate =
                profile_rate_first(source, making[i].system.line_bytes, options);
    }
    for (size_t i = 0; i < n && !status; i++)
        if (!making[i].made)
            status = make_together(wanted, making, n, source, error);
    for (size_t i = 0; i < n && !status; i++)
        status = make_end(&wanted[i], &making[i], source, error);
    free(making);
    return status;
}

int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error)
{
    struct profile_wanted one = {.profile = profile, .machine = machine, .parts = options->parts};
    return profile_make_together(&one, 1, source, options, error);
}

int profile_check(const struct machine *machine, struct error *error)
{
    struct system system;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    return status ? status : schedule_check(&system, error);
}

/* --- what views share -------------------------------------------------------------------- */

struct near_key {
    struct machine_levels between; /* those too that have no capacity: nobody asks them */
    struct hash_content *hash;
};

/* A parameter of what stands behind L1. */
static bool is_behind(const struct machine_levels *between, const char *path)
{
    static const char *const sections[] = {"llc", "page"};
    const char *dot = strchr(path, '.');
    size_t length = dot ? (size_t)(dot - path) : 0;
    if (!dot)
        return strcmp(path, "coherence") == 0; /* it empties L1 or not: that is asked for itself */
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strlen(sections[i]) == length && memcmp(sections[i], path, length) == 0)
            return true;
    for (int i = 0; i < between->n; i++) {
        const char *name = between->names[i];
        if (strlen(name) == length && memcmp(name, path, length) == 0)
            return true;
    }
    return false;
}

/* Who is asked for a key has a node for each SM, whether that is said or not. */
static bool is_private(const char *path)
{
    return strcmp(path, "l1.nodes") == 0 || strcmp(path, "l1.clusters") == 0;
}

static void hash_near(void *context, const char *path, const char *value)
{
    const struct near_key *key = context;
    if (is_behind(&key->between, path) || is_private(path))
        return;
    hash_content_string(key->hash, path);
    hash_content_string(key->hash, value);
}

bool profile_near_key(const struct machine *machine, unsigned parts, char out[HASH_TEXT])
{
    struct system system;
    struct error ignored;
    if (system_compile(&system, machine, SYSTEM_STREAM, &ignored) ||
        pass_is_entangled(&system, parts))
        return false;
    struct near_key key = {.hash = NULL};
    if (machine_levels(machine, true, &key.between, &ignored))
        return false;
    key.hash = hash_content_begin();
    int flush = system_flush(&system, system_l1(&system), SIDE_REQUESTER);
    machine_visit(machine, STRUCTURE_STREAM, hash_near, &key);
    machine_visit(machine, STRUCTURE_HOME, hash_near, &key);
    hash_content_add(key.hash, &flush, sizeof flush);
    hash_content_end(key.hash, out);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1 of a machine: which there are, their sets, their stations. */
#include "machine/beside.h"

#include <string.h>

#include "machine/internal.h"
#include "machine/system_internal.h"

const char *const access_path_names[ACCESS_PATHS] = {"ordinary", "scalar", "constant", "texture"};

int access_path_find(const char *name)
{
    for (int path = ACCESS_ORDINARY + 1; path < ACCESS_PATHS; path++)
        if (strcmp(access_path_names[path], name) == 0)
            return path;
    return -1;
}

unsigned beside_contents(const char *text)
{
    unsigned found = 0;
    for (;;) {
        size_t n = strcspn(text, "+");
        unsigned one = 0;
        for (unsigned path = ACCESS_ORDINARY + 1; path < ACCESS_PATHS; path++)
            if (strlen(access_path_names[path]) == n &&
                memcmp(access_path_names[path], text, n) == 0)
                one = 1u << path;
        if (!one || one <= found) /* in order, each once */
            return 0;
        found |= one;
        if (!text[n])
            return found;
        text += n + 1;
    }
}

static const char *name_of(const struct machine *machine, const char *section, const char *field)
{
    struct error ignored;
    const char *name = "";
    machine_name(machine, system_path(section, field).text, &name, &ignored);
    return name;
}

int machine_beside(const struct machine *machine, bool given, struct machine_beside *out,
                   struct error *error)
{
    unsigned served = 0;
    out->n = 0;
    for (size_t i = 0; i < machine->n_sections; i++) {
        const char *name = machine->sections[i].name;
        if (strcmp(machine->sections[i].schema->kind, "beside") != 0 ||
            !(given || machine_has_level(machine, name)))
            continue;
        unsigned serves = beside_contents(name_of(machine, name, "contents"));
        for (int path = 0; path < ACCESS_PATHS; path++)
            if (served & serves & 1u << path)
                return error_set(error, STATUS_INPUT,
                                 "%s.contents: a cache of %s data is there already", name,
                                 access_path_names[path]);
        served |= serves;
        out->serves[out->n] = serves;
        out->names[out->n++] = name;
    }
    return 0;
}

/* --- the form ------------------------------------------------------------------------- */

void system_read_beside(struct system_reader *r)
{
    struct system *s = r->out;
    struct machine_beside beside;
    if (!r->status)
        r->status = machine_beside(r->machine, false, &beside, r->error);
    for (int i = 0; !r->status && i < beside.n; i++) {
        bool cluster = strcmp(name_of(r->machine, beside.names[i], "scope"), "cluster") == 0;
        s->beside.levels[s->beside.n++] =
            (struct system_beside_level){.name = beside.names[i],
                                         .serves = beside.serves[i],
                                         .scope = cluster ? PER_CLUSTER : PER_SM,
                                         .caches = cluster ? s->clusters : s->sms};
    }
}

/* --- what forms the stream -------------------------------------------------------------- */

void system_read_beside_stream(struct system_reader *r)
{
    struct system *s = r->out;
    for (uint32_t i = 0; i < s->beside.n && !r->status; i++) {
        struct system_beside_level *level = &s->beside.levels[i];
        if (level->scope == PER_CLUSTER)
            system_check_clusters(r, level->name);
        uint64_t capacity = system_bytes(r, system_path(level->name, "capacity").text, false);
        level->ways = system_count(r, system_path(level->name, "ways").text);
        level->keeps = system_is(r, system_path(level->name, "flush").text, "none");
        if (r->status)
            return;
        level->sets = capacity / s->line_bytes / level->ways;
        if (level->sets == 0 || level->sets > UINT32_MAX)
            r->status = error_set(r->error, STATUS_INPUT,
                                  "%s.capacity: %llu bytes do not form 1 to 2^32 sets of %u lines",
                                  level->name, (unsigned long long)capacity, level->ways);
    }
}

/* --- what serves it --------------------------------------------------------------------- */

void system_add_beside(struct system_reader *r)
{
    struct system *s = r->out;
    for (uint32_t i = 0; i < s->beside.n && !r->status; i++) {
        struct system_beside_level *level = &s->beside.levels[i];
        level->name = arena_strdup(s->texts, level->name);
        level->latency_s = system_number(r, system_path(level->name, "latency").text);
        level->mshrs = (uint32_t)system_number_or(r, system_path(level->name, "mshrs").text, 0);
        struct station station = {
            .kind = station_of_beside((int)i),
            .path = arena_strdup(s->texts, system_path(level->name, "bandwidth").text),
            .share = 1.0 / s->partitions,
            .efficiency = 1,
            .units = level->caches / s->domains};
        double bandwidth = system_number_or(r, station.path, 0);
        station.rate = station.share * bandwidth;
        for (; bandwidth > 0 && station.place < s->domains; station.place++)
            VECTOR_PUSH(&s->stations, station);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters to points: which metric makes which field. */
#include "profile/files/ncu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/version.h"
#include "profile/record/internal.h"
#include "profile/run/launches.h"
#include "profile/files/ncu_table.h"

static const double SECTOR_BYTES = 32;

/* Counters of one launch are taken in several passes over it, which differ a
 * little; a ratio up to this is 1. */
static const double RATIO_LIMIT = 1.01;

struct organisation_fields {
    const char *name;
    enum profile_field llc_hit, lsu;
};
static const struct organisation_fields organisation_table[] = {
    {"memory-side", FIELD_LLC_HIT_MEMORY_SIDE, FIELD_LSU_MEMORY_SIDE},
    {"sm-side", FIELD_LLC_HIT_SM_SIDE, FIELD_LSU_SM_SIDE},
};

struct conversion {
    const struct ncu_table *table;
    const struct organisation_fields *organisation;
    bool all_sectors; /* a hit rate of other units' sectors as well was taken */
    struct error *error;
};

/* --- fields of one launch ---------------------------------------------------------- */

static double value_of(const struct ncu_launch *launch, enum ncu_metric metric)
{
    return launch->values[metric].value;
}

/* The metric, or what stands in for it. */
static double either(const struct ncu_launch *launch, enum ncu_metric metric, enum ncu_metric other)
{
    double value = value_of(launch, metric);
    return isnan(value) ? value_of(launch, other) : value;
}

/* The value of a metric over a whole that it cannot exceed; NaN when one is
 * unknown, or both are 0. */
static int set_ratio(struct conversion *c, const struct ncu_launch *launch, enum ncu_metric part,
                     double whole, double *out)
{
    double ratio = value_of(launch, part) / whole;
    *out = ratio > 1 ? 1 : ratio;
    if (!(ratio > RATIO_LIMIT))
        return 0;
    struct mark mark = csv_text_mark(&c->table->text, launch->values[part].at);
    return error_at(c->error, STATUS_INPUT, &mark,
                    "%s is %g times the most that it can be: these counters contradict each other",
                    ncu_metric_name(part), ratio);
}

static int set_hit_rate(struct conversion *c, const struct ncu_launch *launch, double *out)
{
    double hits = value_of(launch, NCU_HITS), lookups = hits + value_of(launch, NCU_MISSES);
    if (!isnan(lookups)) {
        *out = hits / lookups;
        return 0;
    }
    enum ncu_metric rate =
        isnan(value_of(launch, NCU_HIT_RATE)) ? NCU_LABEL_HIT_RATE : NCU_HIT_RATE;
    c->all_sectors = c->all_sectors || !isnan(value_of(launch, rate));
    return set_ratio(c, launch, rate, 1, out);
}

static int set_ratios(struct conversion *c, const struct ncu_launch *launch, double *fields)
{
    enum ncu_metric l1_hit = isnan(value_of(launch, NCU_L1_HIT)) ? NCU_LABEL_L1_HIT : NCU_L1_HIT;
    double peer = (double)NAN;
    int status = set_hit_rate(c, launch, &fields[c->organisation->llc_hit]);
    if (!status)
        status = set_ratio(c, launch, NCU_SECTORS_MEAN, value_of(launch, NCU_SECTORS_MOST),
                           &fields[c->organisation->lsu]);
    if (!status)
        status = set_ratio(c, launch, NCU_PEER_MISSES, value_of(launch, NCU_MISSES), &peer);
    fields[FIELD_R_LOCAL] = 1 - peer;
    if (!status)
        status = set_ratio(c, launch, l1_hit, 1, &fields[FIELD_L1_HIT_RATE]);
    if (!status)
        status = set_ratio(c, launch, NCU_L1_LOAD_HIT, 1, &fields[FIELD_L1_LOAD_HIT_RATE]);
    if (!status)
        status = set_ratio(c, launch, NCU_L1_STORE_HIT, 1, &fields[FIELD_L1_STORE_HIT_RATE]);
    return status;
}

static int set_fields(struct conversion *c, const struct ncu_launch *launch, double *fields)
{
    static const struct {
        enum profile_field field;
        enum ncu_metric metric, other;
        double factor;
    } sums[] = {
        {FIELD_MEASURED_TIME, NCU_TIME, NCU_LABEL_TIME, 1},
        {FIELD_LOAD_REQUESTS, NCU_LOAD_REQUESTS, NCU_LOAD_REQUESTS, 1},
        {FIELD_LOAD_SECTORS, NCU_LOAD_SECTORS, NCU_LOAD_SECTORS, 1},
        {FIELD_STORE_REQUESTS, NCU_STORE_REQUESTS, NCU_STORE_REQUESTS, 1},
        {FIELD_STORE_SECTORS, NCU_STORE_SECTORS, NCU_STORE_SECTORS, 1},
        {FIELD_TRAFFIC_DEVICE, NCU_DEVICE, NCU_DEVICE, SECTOR_BYTES},
        {FIELD_TRAFFIC_PEER, NCU_PEER, NCU_PEER, SECTOR_BYTES},
        {FIELD_TRAFFIC_SYSTEM, NCU_SYSTEM, NCU_SYSTEM, SECTOR_BYTES},
        {FIELD_FABRIC_BYTES, NCU_FABRIC, NCU_FABRIC, SECTOR_BYTES},
        {FIELD_DRAM_READ, NCU_DRAM_READ, NCU_DRAM_OP_READ, 1},
        {FIELD_DRAM_WRITTEN, NCU_DRAM_WRITTEN, NCU_DRAM_OP_WRITTEN, 1},
    };
    const uint32_t *grid = launch->grid;
    double sectors = value_of(launch, NCU_SECTORS);
    if (isnan(sectors)) /* each is looked up once */
        sectors = value_of(launch, NCU_HITS) + value_of(launch, NCU_MISSES);
    for (int f = 0; f < FIELD_COUNT; f++)
        fields[f] = (double)NAN;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        fields[sums[i].field] = sums[i].factor * either(launch, sums[i].metric, sums[i].other);
    fields[FIELD_REQUESTS] = sectors;
    fields[FIELD_BYTES] = sectors * SECTOR_BYTES;
    if (grid[0])
        fields[FIELD_CTAS] = (double)grid[0] * grid[1] * grid[2];
    return set_ratios(c, launch, fields);
}

/* --- records ------------------------------------------------------------------------ */

struct points {
    struct profile_record *items;
    size_t count, capacity;
};

/* Means are weighted by requests; a launch without any says nothing. What is
 * unknown of one is unknown of all. */
static void fields_merge(double *to, const double *from)
{
    double have = to[FIELD_REQUESTS], more = from[FIELD_REQUESTS];
    for (int f = 0; f < FIELD_COUNT; f++)
        if (profile_field_row(f)->kind == FIELD_KIND_SUM)
            to[f] += from[f];
        else if (have == 0)
            to[f] = from[f];
        else if (more != 0)
            to[f] = (to[f] * have + from[f] * more) / (have + more);
}

static void points_add(struct points *points, const struct profile_record *record, bool group)
{
    for (size_t i = 0; group && i < points->count; i++) {
        struct profile_record *to = &points->items[i];
        if (strcmp(to->name, record->name) == 0 &&
            memcmp(to->grid, record->grid, sizeof to->grid) == 0 &&
            memcmp(to->block, record->block, sizeof to->block) == 0) {
            fields_merge(to->fields, record->fields);
            to->launches++;
            return;
        }
    }
    VECTOR_PUSH(points, *record);
}

static int make_points(struct conversion *c, struct arena *arena, struct points *points)
{
    size_t n = c->table->launches.count;
    struct csv_field last = {0};
    struct text name = {0};
    const char *kept = "";
    int status = 0;
    for (size_t i = 0; i < n && !status; i++) {
        const struct ncu_launch *launch = &c->table->launches.items[i];
        struct profile_record record = {.launches = 1};
        size_t length = (size_t)(launch->name.end - launch->name.begin);
        if (!last.begin || (size_t)(last.end - last.begin) != length ||
            memcmp(last.begin, launch->name.begin, length) != 0) {
            csv_field_unquote(launch->name, &name);
            kept = arena_strdup(arena, name.data);
        }
        last = launch->name;
        record.name = kept;
        memcpy(record.grid, launch->grid, sizeof record.grid);
        memcpy(record.block, launch->block, sizeof record.block);
        status = set_fields(c, launch, record.fields);
        if (!status)
            points_add(points, &record, n > LAUNCHES_SINGLE);
    }
    text_free(&name);
    return status;
}

/* --- the profile ---------------------------------------------------------------------- */

/* Whether the field is known and more than 0 in a record. */
static bool says(const struct points *points, enum profile_field field)
{
    for (size_t i = 0; i < points->count; i++)
        if (points->items[i].fields[field] > 0)
            return true;
    return false;
}

static const char *notes_of(const struct conversion *c, const struct points *points,
                            struct arena *arena)
{
    bool halves = says(points, FIELD_FABRIC_BYTES) && c->organisation == &organisation_table[0];
    return arena_printf(
        arena, "counters of Nsight Compute; the LLC is taken as %s%s%s%s", c->organisation->name,
        c->all_sectors ? ", its hit rate is that of all sectors, not only the SMs'" : "",
        says(points, FIELD_R_LOCAL) ? ", r_local is the share of its misses that go to no peer GPU"
                                    : "",
        halves ? "; it has parts that exchange data (measured.fabric_bytes): sm-side may be nearer"
               : "");
}

static void make_provenance(struct profile *profile, const char *path, const char *data,
                            size_t size)
{
    const char *base = file_base_name(path);
    size_t length = strlen(base);
    char hash[HASH_TEXT];
    struct hash_content *content = hash_content_begin();
    hash_content_add(content, data, size);
    hash_content_end(content, hash);
    if (length > 4 && strcasecmp(base + length - 4, ".csv") == 0)
        length -= 4;
    profile->path = arena_strdup(profile->arena, path);
    profile->name = arena_strndup(profile->arena, base, length);
    profile->source = profile->path;
    profile->source_hash = arena_strdup(profile->arena, hash);
    profile->version = BANDSCAPE_VERSION;
}

/* Launches with at least one metric that a profile reads. */
static int check_table(const struct ncu_table *table, struct error *error)
{
    bool known = false;
    struct text other = {0};
    if (table->launches.count == 0)
        return error_set(error, STATUS_INPUT, "%.200s: the table has no kernel launches",
                         table->text.file);
    for (size_t i = 0; i < table->launches.count && !known; i++)
        for (int m = 0; m < NCU_METRIC_COUNT; m++)
            known = known || !isnan(table->launches.items[i].values[m].value);
    if (known)
        return 0;
    if (table->other.begin)
        csv_field_unquote(table->other, &other);
    if (table->n_read)
        error_set(error, STATUS_INPUT, "%.200s: every metric that a profile reads is n/a",
                  table->text.file);
    else
        error_set(error, STATUS_INPUT,
                  "%.200s has no metric that a profile reads%s%.80s; expected %s, %s, %s, %s or "
                  "others that bandscape profile --help lists",
                  table->text.file, other.length ? ": it has " : "", other.length ? other.data : "",
                  ncu_metric_name(NCU_SECTORS), ncu_metric_name(NCU_HITS),
                  ncu_metric_name(NCU_MISSES), ncu_metric_name(NCU_TIME));
    error_hint(
        error, "ncu --csv --page raw --log-file FILE.csv --metrics %s,%s,%s,%s,%s,%s,%s ./program",
        ncu_metric_name(NCU_TIME), ncu_metric_name(NCU_SECTORS), ncu_metric_name(NCU_SECTORS_MEAN),
        ncu_metric_name(NCU_SECTORS_MOST), ncu_metric_name(NCU_HITS), ncu_metric_name(NCU_MISSES),
        ncu_metric_name(NCU_PEER_MISSES));
    text_free(&other);
    return STATUS_INPUT;
}

static int make_view(const struct ncu_table *table, const struct organisation_fields *organisation,
                     struct profile *profile, struct error *error)
{
    struct conversion c = {.table = table, .organisation = organisation, .error = error};
    struct points points = {0};
    int status = check_table(table, error);
    if (!status)
        status = make_points(&c, profile->arena, &points);
    if (!status) {
        struct profile_view *view = arena_alloc(profile->arena, sizeof *view);
        *view = profile_view_unknown();
        view->n_records = points.count;
        view->records = arena_alloc(profile->arena, points.count * sizeof *view->records);
        memcpy(view->records, points.items, points.count * sizeof *view->records);
        profile->views = view;
        profile->n_views = 1;
        profile->notes = notes_of(&c, &points, profile->arena);
    }
    VECTOR_FREE(&points);
    return status;
}

int ncu_parse(const char *path, const char *data, size_t size, const char *organisation,
              struct profile **out, struct error *error)
{
    const struct organisation_fields *fields = organisation_table;
    struct ncu_table table;
    struct csv_text text;
    *out = NULL;
    if (organisation && strcmp(organisation, fields->name) != 0)
        fields++;
    if (organisation && strcmp(organisation, fields->name) != 0)
        return error_set(error, STATUS_USAGE,
                         "organisation: expected memory-side or sm-side, got \"%.80s\"",
                         organisation);
    int status = csv_text_init(&text, path, data, size, error);
    if (!status)
        status = ncu_table_read(&table, &text, error);
    if (status)
        return status;
    struct profile *profile = profile_create();
    make_provenance(profile, path, data, size);
    status = make_view(&table, fields, profile, error);
    ncu_table_fini(&table);
    if (status)
        profile_destroy(profile);
    else
        *out = profile;
    return status;
}

int ncu_load(const char *path, const char *organisation, struct profile **out, struct error *error)
{
    char *data;
    size_t size;
    *out = NULL;
    int status = file_read(path, SIZE_MAX / 2, &data, &size, error);
    if (status)
        return status;
    status = ncu_parse(path, data, size, organisation, out, error);
    free(data);
    return status;
}

bool ncu_detect(const char *path)
{
    enum { HEAD = 1 << 16 };
    static const char *const messages[] = {"==PROF==", "==ERROR==", "==WARNING=="};
    size_t length = strlen(path);
    struct error ignored;
    struct csv_text text;
    FILE *stream = file_is_directory(path) ? NULL : fopen(path, "rb");
    if (!stream)
        return false;
    char *head = memory_alloc(HEAD + 1);
    size_t size = fread(head, 1, HEAD, stream);
    bool found = length > 4 && strcasecmp(path + length - 4, ".csv") == 0;
    fclose(stream);
    head[size] = '\0';
    if (!found && csv_text_init(&text, path, head, size, &ignored) == 0) {
        for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
            found = found || strncmp(text.begin, messages[i], strlen(messages[i])) == 0;
        found = found || ncu_header_find(&text) != NULL;
    }
    free(head);
    return found;
}

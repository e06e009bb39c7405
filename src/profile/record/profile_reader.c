/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and records of profile files. */
#include "profile/record/profile_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "yaml/yaml.h"

enum { DOMAINS_MAX = 4096 };

/* --- values ----------------------------------------------------------------------- */

int profile_reader_string(const struct profile_reader *r, const struct yaml_node *map,
                          const char *key, const char **out)
{
    const struct yaml_node *node = yaml_get(map, key);
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_SCALAR, key, r->error);
    if (!status)
        *out = arena_strdup(r->arena, node->text);
    return status;
}

int profile_reader_amount(const struct profile_reader *r, const struct yaml_node *node,
                          const char *what, struct dim dim, double *out)
{
    struct quantity quantity;
    int status = yaml_quantity(node, what, &quantity, r->error);
    if (status)
        return status;
    if (!dim_equal(quantity.dim, dim) && !dim_equal(quantity.dim, DIM_NONE))
        return yaml_error(node, r->error, "%s: \"%.40s\" has the wrong unit", what, node->text);
    if (quantity.value < 0)
        return yaml_error(node, r->error, "%s: must not be negative, got %.40s", what, node->text);
    *out = quantity.value;
    return 0;
}

/* A whole number below 2^64, decimal or 0x hexadecimal. */
static int profile_reader_count(const struct profile_reader *r, const struct yaml_node *node,
                                const char *what, uint64_t *out)
{
    int status = yaml_expect(node, YAML_SCALAR, what, r->error);
    if (status)
        return status;
    bool hex = strncmp(node->text, "0x", 2) == 0;
    const char *digits = node->text + (hex ? 2 : 0);
    uint64_t value = 0, base = hex ? 16 : 10;
    bool fine = digits[0] != '\0';
    for (const char *c = digits; *c && fine; c++) {
        int lower = tolower((unsigned char)*c);
        uint64_t digit = isdigit((unsigned char)*c) ? (uint64_t)(*c - '0')
                         : lower >= 'a'             ? (uint64_t)(lower - 'a' + 10)
                                                    : base;
        fine = digit < base && value <= (UINT64_MAX - digit) / base;
        value = value * base + digit;
    }
    if (!fine)
        return yaml_error(node, r->error, "%s: expected a whole number from 0 on, got \"%.40s\"",
                          what, node->text);
    *out = value;
    return 0;
}

static int require_count(const struct profile_reader *r, const struct yaml_node *map,
                         const char *what, const char *key, uint64_t *out)
{
    struct yaml_node *node;
    char name[64];
    int status = yaml_require(map, what, key, &node, r->error);
    snprintf(name, sizeof name, "%s.%s", what, key);
    return status ? status : profile_reader_count(r, node, name, out);
}

static int read_counts(const struct profile_reader *r, const struct yaml_node *map, const char *key,
                       uint64_t **out, size_t *n)
{
    struct yaml_node *node;
    int status = yaml_require(map, "domains", key, &node, r->error);
    if (!status)
        status = yaml_expect(node, YAML_LIST, key, r->error);
    if (status)
        return status;
    *n = node->count;
    *out = arena_alloc(r->arena, node->count * sizeof **out);
    for (size_t i = 0; i < node->count && !status; i++)
        status = profile_reader_count(r, node->items[i], key, &(*out)[i]);
    return status;
}

/* --- fields ----------------------------------------------------------------------- */

static int read_field(const struct profile_reader *r, const struct yaml_node *node, int field,
                      struct profile_record *record)
{
    const struct profile_field_row *row = profile_field_row(field);
    double *fields = record->fields;
    char buffer[128];
    const char *path = profile_field_path(record, field, buffer, sizeof buffer);
    if (!isnan(fields[field])) /* "lsu.sm-side: 1" beside "lsu: {sm-side: 1}" */
        return yaml_error(node, r->error, "%s is given twice", path);
    int status = profile_reader_amount(r, node, path, row->dim, &fields[field]);
    if (status)
        return status;
    bool uniformity = row->kind == FIELD_KIND_UNIFORMITY;
    bool ratio = uniformity || row->kind == FIELD_KIND_RATIO || row->kind == FIELD_KIND_RUN;
    if (ratio && fields[field] > 1)
        return yaml_error(node, r->error, "%s: a ratio lies between 0 and 1, got %.40s", row->path,
                          node->text);
    /* The busiest of N slices has at least the mean. */
    if (uniformity && fields[field] == 0)
        return yaml_error(node, r->error, "%s: mean over maximum is more than 0, got %.40s",
                          row->path, node->text);
    return 0;
}

/* What stands before the dot of "lsu.memory-side"; empty for a plain field. */
static size_t field_group(int field)
{
    const char *path = profile_field_row(field)->path, *dot = strchr(path, '.');
    return dot ? (size_t)(dot - path) : 0;
}

static int unknown_field(const struct profile_reader *r, const struct yaml_node *key,
                         const char *prefix, const struct file_key *more)
{
    struct suggest suggest = suggest_begin(key->text);
    size_t length = strlen(prefix);
    char groups[FIELD_COUNT][32];
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!profile_field_exists(i))
            continue;
        const char *path = profile_field_row(i)->path;
        size_t group = field_group(i);
        snprintf(groups[i], sizeof groups[i], "%.*s", (int)(group ? group : strlen(path)), path);
        if (length == 0)
            suggest_offer(&suggest, strchr(key->text, '.') ? path : groups[i]);
        else if (group == length && strncmp(path, prefix, length) == 0)
            suggest_offer(&suggest, path + length + 1);
    }
    for (; more->name; more++)
        suggest_offer(&suggest, more->name);
    int status = yaml_error(key, r->error, "unknown field \"%s%s%.80s\"", prefix, length ? "." : "",
                            key->text);
    if (suggest.best)
        error_hint(r->error, "did you mean \"%s\"?", suggest.best);
    else
        error_hint(r->error, "fields are r_local, llc_hit, lsu, requests, bytes, ...; bandscape "
                             "list fields shows them");
    return status;
}

static const char *const level_counts[] = {[LEVEL_LOOKUPS] = "lookups",
                                           [LEVEL_HITS] = "hits",
                                           [LEVEL_WRITEBACKS] = "writebacks",
                                           [LEVEL_MERGES] = "merges",
                                           [LEVEL_CHAIN] = "chain",
                                           [LEVEL_CHAIN_BOTH] = "chain_both",
                                           [LEVEL_CHAIN_HITS] = "chain_hits",
                                           [LEVEL_CHAIN_HITS_BOTH] = "chain_hits_both",
                                           NULL};

/* True of a map with what is counted of a level: its key is then the level's name. */
static bool is_level(const struct yaml_node *node)
{
    for (const char *const *c = level_counts; node->kind == YAML_MAP && *c; c++)
        if (yaml_get(node, *c))
            return true;
    return false;
}

/* The record's level of that name, a new one if need be. */
static int name_level(const struct profile_reader *r, const struct yaml_node *key, const char *name,
                      struct profile_record *record, int *level)
{
    *level = profile_record_level(record, name);
    if (*level >= 0)
        return 0;
    for (*level = 0; *level < LEVELS_MAX && record->levels[*level];)
        (*level)++;
    if (*level == LEVELS_MAX)
        return yaml_error(key, r->error, "%s: at most %d levels", name, LEVELS_MAX);
    record->levels[*level] = arena_strdup(r->arena, name);
    return 0;
}

static int read_level(const struct profile_reader *r, const struct yaml_node *key,
                      const struct yaml_node *node, struct profile_record *record)
{
    int level = 0, status = yaml_check_keys(node, key->text, level_counts, r->error);
    if (!status)
        status = name_level(r, key, key->text, record, &level);
    for (int c = 0; c < LEVEL_COUNTS && !status; c++) {
        const struct yaml_node *count = yaml_get(node, level_counts[c]);
        if (count)
            status = read_field(r, count, profile_level_field(level, (enum profile_level_count)c),
                                record);
    }
    return status;
}

/* "l15.hits": what is counted, or -1. */
static int level_count_of(const char *key)
{
    const char *dot = strrchr(key, '.');
    for (int c = 0; dot && dot > key && c < LEVEL_COUNTS; c++)
        if (strcmp(dot + 1, level_counts[c]) == 0)
            return c;
    return -1;
}

static int read_level_count(const struct profile_reader *r, const struct yaml_node *key,
                            const struct yaml_node *node, struct profile_record *record)
{
    int level, count = level_count_of(key->text);
    char *name = arena_strndup(r->arena, key->text, (size_t)(strrchr(key->text, '.') - key->text));
    int status = name_level(r, key, name, record, &level);
    return status ? status
                  : read_field(r, node, profile_level_field(level, (enum profile_level_count)count),
                               record);
}

/* A map such as lsu: {memory-side: 0.9, sm-side: 1}. */
static int read_group(const struct profile_reader *r, const struct yaml_node *key,
                      const struct yaml_node *node, struct profile_record *record)
{
    static const struct file_key none[] = {{NULL}};
    int status = yaml_expect(node, YAML_MAP, key->text, r->error);
    for (size_t i = 0; i < (status ? 0 : node->count) && !status; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s.%s", key->text, node->keys[i]->text);
        int field = profile_field_find(path);
        status = field < 0 ? unknown_field(r, node->keys[i], key->text, none)
                           : read_field(r, node->items[i], field, record);
    }
    return status;
}

static bool is_group(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_exists(i) && !profile_field_is_of_level(i) &&
            field_group(i) == strlen(name) && name[0] &&
            strncmp(profile_field_row(i)->path, name, strlen(name)) == 0)
            return true;
    return false;
}

/* A part is not more than the whole. */
static int check_parts(const struct profile_reader *r, const struct yaml_node *map,
                       const char *what, const double *fields)
{
    static const struct {
        enum profile_field part, whole;
    } rows[] = {{FIELD_L1_READ_HITS, FIELD_L1_READS},
                {FIELD_WRITES, FIELD_REQUESTS},
                {FIELD_ATOMICS, FIELD_REQUESTS},
                {FIELD_CHAIN_REMOTE, FIELD_CHAIN_WAITS},
                {FIELD_CHAIN_WRITES, FIELD_CHAIN_WAITS},
                {FIELD_WAITS_SHARED, FIELD_WAITS},
                {FIELD_CHAIN_REMOTE_REQUESTS, FIELD_CHAIN_REQUESTS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fields[rows[i].part] > fields[rows[i].whole])
            return yaml_error(map, r->error, "%s: more %s than %s", what,
                              profile_field_row(rows[i].part)->path,
                              profile_field_row(rows[i].whole)->path);
    return 0;
}

/* Reads the fields of a record, written as they are listed ("lsu.sm-side: 1") or in groups
 * ("lsu: {sm-side: 1}"); `others` are its keys that are no fields. */
static int read_fields(const struct profile_reader *r, const struct yaml_node *map,
                       const char *what, const struct file_key *others,
                       struct profile_record *record)
{
    double *fields = record->fields;
    int status = yaml_expect(map, YAML_MAP, what, r->error);
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = (double)NAN;
    for (size_t i = 0; i < (status ? 0 : map->count) && !status; i++) {
        const char *key = map->keys[i]->text;
        bool other = false;
        for (const struct file_key *o = others; o->name && !other; o++)
            other = strcmp(o->name, key) == 0;
        int field = profile_field_find(key);
        if (other)
            continue;
        if (field >= 0)
            status = read_field(r, map->items[i], field, record);
        else if (is_group(key))
            status = read_group(r, map->keys[i], map->items[i], record);
        else if (is_level(map->items[i]))
            status = read_level(r, map->keys[i], map->items[i], record);
        else if (level_count_of(key) >= 0)
            status = read_level_count(r, map->keys[i], map->items[i], record);
        else
            status = unknown_field(r, map->keys[i], "", others);
    }
    return status ? status : check_parts(r, map, what, fields);
}

/* --- records ------------------------------------------------------------------------ */

static int read_shape(const struct profile_reader *r, const struct yaml_node *map, const char *key,
                      uint32_t out[3])
{
    const struct yaml_node *node = yaml_get(map, key);
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, key, r->error);
    if (!status && node->count != 3)
        status = yaml_error(node, r->error, "%s: expected 3 numbers, found %zu", key, node->count);
    for (int i = 0; i < 3 && !status; i++) {
        long long value;
        status = yaml_integer(node->items[i], key, 0, UINT32_MAX, &value, r->error);
        out[i] = status ? 0 : (uint32_t)value;
    }
    return status;
}

static int read_traffic(const struct profile_reader *r, const struct yaml_node *map,
                        struct profile_record *record)
{
    const struct yaml_node *node = yaml_get(map, "traffic");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "traffic", r->error);
    size_t n = status ? 0 : node->count;
    if (!status && (n == 0 || n > DOMAINS_MAX))
        return yaml_error(node, r->error, "traffic: expected 1 to %d rows", DOMAINS_MAX);
    record->n_domains = n;
    record->traffic = arena_alloc(r->arena, n * n * sizeof *record->traffic);
    for (size_t i = 0; i < n && !status; i++) {
        const struct yaml_node *row = node->items[i];
        status = yaml_expect(row, YAML_LIST, "traffic", r->error);
        if (!status && row->count != n)
            status = yaml_error(row, r->error, "traffic: %zu rows but %zu columns", n, row->count);
        for (size_t j = 0; j < n && !status; j++)
            status = profile_reader_amount(r, row->items[j], "traffic", DIM_NONE,
                                           &record->traffic[i * n + j]);
    }
    return status;
}

static int read_allocation(const struct profile_reader *r, const struct yaml_node *map,
                           struct profile_allocation *allocation)
{
    uint64_t *const values[] = {&allocation->base, &allocation->bytes, &allocation->lane_reads,
                                &allocation->lane_writes, &allocation->lane_atomics};
    allocation->name = "";
    int status = yaml_check_form(map, "allocation", profile_allocation_keys, r->error);
    if (!status)
        status = profile_reader_string(r, map, "name", &allocation->name);
    for (int i = 0; i < 5 && !status; i++)
        status =
            require_count(r, map, "allocation", profile_allocation_keys[i + 1].name, values[i]);
    return status;
}

static int read_allocations(const struct profile_reader *r, const struct yaml_node *map,
                            struct profile_record *record)
{
    const struct yaml_node *node = yaml_get(map, "allocations");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "allocations", r->error);
    size_t n = status ? 0 : node->count;
    record->allocations = arena_alloc(r->arena, n * sizeof *record->allocations);
    record->n_allocations = n;
    for (size_t i = 0; i < n && !status; i++)
        status = read_allocation(r, node->items[i], &record->allocations[i]);
    return status;
}

static int read_domains(const struct profile_reader *r, const struct yaml_node *map,
                        struct profile_curve *curve)
{
    static const char *const keys[] = {"requests", "cold", NULL};
    const struct yaml_node *node = yaml_get(map, "domains");
    size_t n_cold = 0;
    if (!node)
        return 0;
    int status = yaml_check_keys(node, "domains", keys, r->error);
    if (!status)
        status = read_counts(r, node, "requests", &curve->domain_requests, &curve->n_domains);
    if (!status)
        status = read_counts(r, node, "cold", &curve->domain_cold, &n_cold);
    if (!status && (n_cold != curve->n_domains || n_cold > DOMAINS_MAX))
        status = yaml_error(node, r->error, "domains: %zu requests but %zu cold", curve->n_domains,
                            n_cold);
    uint64_t requests = 0, cold = 0;
    for (size_t i = 0; i < curve->n_domains && !status; i++) {
        requests += curve->domain_requests[i];
        cold += curve->domain_cold[i];
    }
    if (!status && (requests != curve->curve.requests || cold != curve->curve.cold))
        status =
            yaml_error(node, r->error, "domains: do not add up to the curve's requests and cold");
    return status;
}

/* Requests, cold misses and points. */
static int read_points_of(const struct profile_reader *r, const struct yaml_node *map,
                          struct curve *curve)
{
    struct yaml_node *node = NULL;
    int status = require_count(r, map, "curve", "requests", &curve->requests);
    if (!status)
        status = require_count(r, map, "curve", "cold", &curve->cold);
    if (!status)
        status = yaml_require(map, "curve", "curve", &node, r->error);
    if (!status)
        status = yaml_expect(node, YAML_SCALAR, "curve", r->error);
    if (status)
        return status;
    status = curve_scan(curve, node->text, r->arena, r->error);
    if (status) {
        error_place(r->error, &node->mark);
        return status;
    }
    uint64_t hits = curve->n_points ? curve->points[curve->n_points - 1].hits : 0;
    if (curve->cold > curve->requests || hits > curve->requests - curve->cold)
        return yaml_error(node, r->error, "curve: more hits and cold misses than requests");
    return 0;
}

static int read_curve_part(const struct profile_reader *r, const struct yaml_node *map,
                           enum profile_curve_part part, struct profile_curve *curve)
{
    static const char *const keys[] = {"requests", "cold", "curve", NULL};
    const char *name = profile_curve_part_names[part];
    const struct yaml_node *node = yaml_get(map, name);
    if (!node)
        return 0;
    curve->has |= 1U << part;
    int status = yaml_check_keys(node, name, keys, r->error);
    if (!status)
        status = read_points_of(r, node, &curve->parts[part]);
    if (!status && part < CURVE_EVICTED && curve->parts[part].requests > curve->curve.requests)
        status = yaml_error(node, r->error, "%s: more of them than requests", name);
    return status;
}

static int read_interval(const struct profile_reader *r, const struct yaml_node *map,
                         const char *key, struct interval *interval)
{
    const struct yaml_node *node = yaml_get(map, key);
    int status = node ? yaml_expect(node, YAML_SCALAR, key, r->error) : 0;
    if (!node || status)
        return status;
    status = interval_scan(interval, node->text, r->arena, r->error);
    if (status)
        error_place(r->error, &node->mark);
    return status;
}

static int read_curve(const struct profile_reader *r, const struct yaml_node *map,
                      struct profile_curve *curve)
{
    const char **const names[] = {&curve->scope, &curve->side, &curve->filter};
    struct yaml_node *node = NULL;
    int status = yaml_check_form(map, "curve", profile_curve_keys, r->error);
    for (int i = 0; i < 3 && !status; i++) {
        const char *key = profile_curve_keys[i].name;
        status = yaml_require(map, "curve", key, &node, r->error);
        if (!status)
            status = profile_reader_string(r, map, key, names[i]);
    }
    if (!status)
        status = read_points_of(r, map, &curve->curve);
    for (int part = 0; part < CURVE_PARTS && !status; part++)
        status = read_curve_part(r, map, (enum profile_curve_part)part, curve);
    if (!status)
        status = read_interval(r, map, "misses_interval", &curve->misses_interval);
    if (!status)
        status = read_interval(r, map, "written_interval", &curve->written_interval);
    if (!status)
        status = read_interval(r, map, "misses_skimmed", &curve->misses_skimmed);
    if (!status)
        status = read_interval(r, map, "written_skimmed", &curve->written_skimmed);
    return status ? status : read_domains(r, map, curve);
}

static int read_curves(const struct profile_reader *r, const struct yaml_node *map,
                       struct profile_record *record)
{
    const struct yaml_node *node = yaml_get(map, "curves");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "curves", r->error);
    size_t n = status ? 0 : node->count;
    record->curves = arena_alloc(r->arena, n * sizeof *record->curves);
    for (size_t i = 0; i < n && !status; i++) {
        struct profile_curve *curve = &record->curves[i];
        status = read_curve(r, node->items[i], curve);
        if (!status && profile_curve_find(record, curve->scope, curve->side, curve->filter))
            status = yaml_error(node->items[i], r->error,
                                "a second curve of scope %s, side %s, "
                                "filter %s",
                                curve->scope, curve->side, curve->filter);
        record->n_curves = i + 1;
    }
    return status;
}

static int read_launches(const struct profile_reader *r, const struct yaml_node *map,
                         struct profile_record *record)
{
    const struct yaml_node *node = yaml_get(map, "launches");
    record->launches = 1;
    int status = node ? profile_reader_count(r, node, "launches", &record->launches) : 0;
    if (!status && record->launches == 0)
        status = yaml_error(node, r->error, "launches: must be at least 1");
    uint64_t run = record->launches;
    node = yaml_get(map, "launches_run");
    if (!status && node)
        status = profile_reader_count(r, node, "launches_run", &run);
    if (!status && run > record->launches)
        status = yaml_error(node, r->error, "launches_run: more than launches");
    record->launches_repeated = status ? 0 : record->launches - run;
    return status;
}

/* Beginnings of the launches. */
static int read_prefixes(const struct profile_reader *r, const struct yaml_node *map,
                         struct profile_record *record)
{
    static const struct file_key others[] = {{.name = "launches"}, {.name = "curves"}, {NULL}};
    const struct yaml_node *node = yaml_get(map, "prefixes");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "prefixes", r->error);
    size_t n = status ? 0 : node->count;
    record->prefixes = arena_alloc(r->arena, n * sizeof *record->prefixes);
    for (size_t i = 0; i < n && !status; i++) {
        struct profile_record *prefix = &record->prefixes[i];
        *prefix = (struct profile_record){.name = record->name};
        status = read_fields(r, node->items[i], "prefix", others, prefix);
        if (!status)
            status = read_launches(r, node->items[i], prefix);
        if (!status)
            status = read_curves(r, node->items[i], prefix);
        record->n_prefixes = i + 1;
    }
    return status;
}

int profile_reader_record(const struct profile_reader *r, const struct yaml_node *map,
                          struct profile_record *record)
{
    record->name = "";
    int status = read_fields(r, map, "record", profile_record_keys, record);
    if (!status)
        status = profile_reader_string(r, map, "name", &record->name);
    if (!status)
        status = read_launches(r, map, record);
    if (!status)
        status = read_shape(r, map, "grid", record->grid);
    if (!status)
        status = read_shape(r, map, "block", record->block);
    if (!status)
        status = read_traffic(r, map, record);
    if (!status)
        status = read_allocations(r, map, record);
    if (!status)
        status = read_curves(r, map, record);
    return status ? status : read_prefixes(r, map, record);
}

int profile_reader_point(const struct profile_reader *r, const struct yaml_node *map,
                         struct profile_record *record)
{
    record->name = "";
    int status = read_fields(r, map, "point", profile_point_keys, record);
    if (!status)
        status = profile_reader_string(r, map, "name", &record->name);
    if (!status)
        status = read_shape(r, map, "grid", record->grid);
    if (!status)
        status = read_shape(r, map, "block", record->block);
    return status ? status : read_launches(r, map, record);
}

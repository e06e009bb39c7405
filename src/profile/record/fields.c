/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of fields: what every profile has, and what samplers bring; and the parts. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/suggest.h"
#include "profile/record/profile.h"
#include "profile/sampler.h"

static struct profile_field_row rows[FIELD_COUNT] = {
/* The exponents of bytes and seconds in the dimension. */
#define PLAIN 0, 0
#define BYTES 1, 0
#define SECONDS 0, 1
#define SUM FIELD_KIND_SUM
#define MEAN FIELD_KIND_MEAN
#define RATIO FIELD_KIND_RATIO
#define UNIFORMITY FIELD_KIND_UNIFORMITY
#define LAST FIELD_KIND_LAST
#define RUN FIELD_KIND_RUN
#define PROFILE_ROW(symbol, path, dim, kind, part, help)                                           \
    [symbol] = {path, {dim, 0, 0}, kind, PART_##part, help},
    PROFILE_FIELDS(PROFILE_ROW) PROFILE_MEASURED_FIELDS(PROFILE_ROW)
#undef PROFILE_ROW
#undef PLAIN
#undef BYTES
#undef SECONDS
#undef SUM
#undef MEAN
#undef RATIO
#undef UNIFORMITY
#undef LAST
#undef RUN
};

/* --- fields of samplers ------------------------------------------------------- */

static struct {
    const struct sampler *sampler;
    int first; /* of its fields */
} samplers[FIELDS_SAMPLED_MAX];
static size_t n_samplers;
static struct error registry_error; /* the first */

/* In the order of their parts, and of their names within a part. */
static int sampler_compare(const struct sampler *a, const struct sampler *b)
{
    return a->part == b->part ? strcmp(a->plugin.name, b->plugin.name)
                              : (a->part > b->part) - (a->part < b->part);
}

/* The next one in that order; NULL first. */
static const struct sampler *sampler_after(const struct sampler *last)
{
    const struct sampler *best = NULL;
    const struct plugin *plugin;
    for (size_t cursor = 0; (plugin = plugin_next("sampler", &cursor));) {
        const struct sampler *sampler = (const struct sampler *)plugin;
        if ((!last || sampler_compare(sampler, last) > 0) &&
            (!best || sampler_compare(sampler, best) < 0))
            best = sampler;
    }
    return best;
}

static int path_find(const char *path)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (rows[i].path && !profile_field_is_of_level(i) && strcmp(rows[i].path, path) == 0)
            return i;
    return -1;
}

/* Who has that field, while those from `first` on are this sampler's. */
static const char *field_owner(int field, const struct sampler *sampler, int first)
{
    if (field < FIELD_SAMPLED || field > FIELD_SAMPLED_LAST)
        return "every profile";
    for (size_t i = n_samplers; i-- > 0 && field < first; first = samplers[i].first)
        sampler = samplers[i].sampler;
    return sampler->plugin.name;
}

static int check_field(const struct sampler *sampler, int first, int field, const char *path,
                       struct error *error)
{
    const char *dot = strchr(path, '.');
    int other = path_find(path);
    if (!dot || dot == path || !dot[1])
        return error_set(error, STATUS_FAILED, "field \"%s\" is not of the form group.field", path);
    if (other >= 0)
        return error_set(error, STATUS_FAILED, "field \"%s\" is there already, of %s", path,
                         field_owner(other, sampler, first));
    if (field > FIELD_SAMPLED_LAST)
        return error_set(error, STATUS_FAILED,
                         "field \"%s\" is one more than the %d of all samplers together", path,
                         FIELDS_SAMPLED_MAX);
    return 0;
}

/* Enters its fields from `first` on; returns how many, or a negative status and none. */
static int enter_fields(const struct sampler *sampler, int first, struct error *error)
{
    int n = 0, status = 0;
    for (const struct profile_field_row *row = sampler->fields; row->path; row++) {
        status = check_field(sampler, first, first + n, row->path, error);
        if (status)
            break;
        rows[first + n] = *row;
        rows[first + n++].part = sampler->part;
    }
    if (!status && n == 0)
        status = error_set(error, STATUS_FAILED, "it has no field");
    while (status && n > 0)
        rows[first + --n] = (struct profile_field_row){.path = NULL};
    if (status)
        error_context(error, "sampler %s", sampler->plugin.name);
    return status ? status : n;
}

/* Columns may show any field. */
static int check_columns(const struct sampler *sampler, struct error *error)
{
    for (const struct sampler_column *c = sampler->columns; c && c->key; c++) {
        const char *lost = c->field && path_find(c->field) < 0   ? c->field
                           : c->whole && path_find(c->whole) < 0 ? c->whole
                                                                 : NULL;
        if (lost || !(c->field || c->value))
            return error_set(error, STATUS_FAILED, "sampler %s: column %s: there is no field %s",
                             sampler->plugin.name, c->key, lost ? lost : "that it shows");
    }
    return 0;
}

static void read_registry(void)
{
    const struct sampler *sampler = NULL;
    int first = FIELD_SAMPLED;
    while ((sampler = sampler_after(sampler))) {
        struct error error;
        int n = enter_fields(sampler, first, &error);
        if (n < 0 && !registry_error.status)
            registry_error = error;
        if (n < 0)
            continue;
        samplers[n_samplers].sampler = sampler;
        samplers[n_samplers++].first = first;
        first += n;
    }
    for (size_t i = 0; i < n_samplers && !registry_error.status; i++)
        check_columns(samplers[i].sampler, &registry_error);
}

static void need_registry(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_registry);
}

const struct sampler *profile_sampler(size_t i, int *first_field)
{
    need_registry();
    if (i >= n_samplers)
        return NULL;
    *first_field = samplers[i].first;
    return samplers[i].sampler;
}

int profile_fields_check(struct error *error)
{
    need_registry();
    if (registry_error.status)
        *error = registry_error;
    return registry_error.status;
}

/* --- all fields ---------------------------------------------------------------- */

const struct profile_field_row *profile_field_row(int field)
{
    need_registry();
    return &rows[field];
}

bool profile_field_exists(int field)
{
    return profile_field_row(field)->path != NULL;
}

int profile_field_find(const char *path)
{
    need_registry();
    return path_find(path);
}

int profile_record_level(const struct profile_record *record, const char *name)
{
    for (int i = 0; i < LEVELS_MAX && record->levels[i]; i++)
        if (strcmp(record->levels[i], name) == 0)
            return i;
    return -1;
}

const char *profile_field_path(const struct profile_record *record, int field, char *buffer,
                               size_t size)
{
    const char *path = profile_field_row(field)->path;
    if (!profile_field_is_of_level(field))
        return path;
    const char *level = record->levels[(field - FIELD_LEVEL_0) / LEVEL_COUNTS];
    snprintf(buffer, size, "%s%s", level ? level : "LEVEL", strchr(path, '.'));
    return buffer;
}

/* --- parts -------------------------------------------------------------------- */

const char *const profile_curve_part_names[CURVE_PARTS] = {
#define CURVE_PART_NAME(symbol, name, help) name,
    PROFILE_CURVE_PARTS(CURVE_PART_NAME)
#undef CURVE_PART_NAME
};

const struct profile_part_row profile_part_table[PART_COUNT] = {
#define PROFILE_PART_ROW(symbol, name, help) {name, help},
    PROFILE_PARTS(PROFILE_PART_ROW)
#undef PROFILE_PART_ROW
};

static int part_find(const char *name, size_t length)
{
    for (int i = 0; i < PART_COUNT; i++)
        if (strlen(profile_part_table[i].name) == length &&
            strncmp(profile_part_table[i].name, name, length) == 0)
            return i;
    return -1;
}

int profile_parts_scan(const char *text, unsigned *out, struct error *error)
{
    *out = PART_BASE;
    if (strcmp(text, "all") == 0) {
        *out = PART_ALL;
        return 0;
    }
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        int part = part_find(at, length);
        if (part < 0) {
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), at);
            struct suggest suggest = suggest_begin(name);
            struct text names = {0};
            for (int i = 0; i < PART_COUNT; i++) {
                suggest_offer(&suggest, profile_part_table[i].name);
                text_printf(&names, "%s, ", profile_part_table[i].name);
            }
            error_set(error, STATUS_INPUT, "\"%s\" is no part of a profile: %sor all", name,
                      names.data);
            if (suggest.best)
                error_hint(error, "did you mean \"%s\"?", suggest.best);
            text_free(&names);
            return STATUS_INPUT;
        }
        *out |= 1u << part;
        at += length;
        at += *at == ',';
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as YAML (profile_reader.c reads it): maps on a line each where they
 * are short, and curves as one scalar. Writing what was read gives the same
 * bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/sealed.h"
#include "profile/record/internal.h"
#include "yaml/yaml.h"

static void print_number(struct text *out, double value)
{
    char buffer[64];
    if (value == floor(value) && fabs(value) < 0x1p53)
        text_printf(out, "%.0f", value);
    else
        text_append(out, number_format(value, buffer, sizeof buffer));
}

static void print_string(struct text *out, const char *key, const char *value)
{
    if (!value)
        return;
    text_printf(out, "%s: ", key);
    yaml_append_scalar(out, value);
    text_append(out, "\n");
}

static void print_warnings(struct text *out, const struct profile *profile)
{
    if (profile->n_warnings)
        text_append(out, "warnings:\n");
    for (size_t i = 0; i < profile->n_warnings; i++) {
        text_append(out, "  - ");
        yaml_append_scalar(out, profile->warnings[i]);
        text_append(out, "\n");
    }
}

static void print_counts(struct text *out, const uint64_t *counts, size_t n)
{
    text_append(out, "[");
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)counts[i]);
    text_append(out, "]");
}

/* The first known field from there on, of that group ("lsu.") or of any (NULL); FIELD_COUNT: none.
 */
static int known_field(const struct profile_record *record, int field, const char *group)
{
    char buffer[128];
    while (field < FIELD_COUNT &&
           (isnan(record->fields[field]) ||
            (group && strncmp(profile_field_path(record, field, buffer, sizeof buffer), group,
                              strlen(group)) != 0)))
        field++;
    return field;
}

/* Known fields, one a line; those of a group ("lsu.memory-side") as a map where its first one
 * stands. */
static void print_fields(struct text *out, const struct profile_record *record, const char *indent)
{
    for (int i = -1; (i = known_field(record, i + 1, NULL)) < FIELD_COUNT;) {
        char buffer[128], group[128];
        const char *path = profile_field_path(record, i, buffer, sizeof buffer);
        const char *dot = strchr(path, '.'), *before = "";
        snprintf(group, sizeof group, "%.*s", dot ? (int)(dot + 1 - path) : 0, path);
        if (dot && known_field(record, 0, group) < i)
            continue;
        text_printf(out, "%s%.*s: %s", indent, (int)strcspn(path, "."), path, dot ? "{" : "");
        for (int k = i; dot && k < FIELD_COUNT; k = known_field(record, k + 1, group)) {
            path = profile_field_path(record, k, buffer, sizeof buffer);
            text_printf(out, "%s%s: ", before, path + strlen(group));
            print_number(out, record->fields[k]);
            before = ", ";
        }
        if (!dot)
            print_number(out, record->fields[i]);
        text_append(out, dot ? "}\n" : "\n");
    }
}

static void print_traffic(struct text *out, const struct profile_record *record)
{
    size_t n = record->n_domains;
    if (!record->traffic)
        return;
    text_append(out, "        traffic: [");
    for (size_t i = 0; i < n; i++) {
        text_append(out, i ? ", [" : "[");
        for (size_t j = 0; j < n; j++) {
            text_append(out, j ? ", " : "");
            print_number(out, record->traffic[i * n + j]);
        }
        text_append(out, "]");
    }
    text_append(out, "]\n");
}

static void print_allocations(struct text *out, const struct profile_record *record)
{
    if (record->n_allocations)
        text_append(out, "        allocations:\n");
    for (size_t i = 0; i < record->n_allocations; i++) {
        const struct profile_allocation *a = &record->allocations[i];
        text_append(out, "          - {name: ");
        yaml_append_scalar(out, a->name);
        text_printf(out, ", base: 0x%llx, bytes: %llu, reads: %llu, writes: %llu, atomics: %llu}\n",
                    (unsigned long long)a->base, (unsigned long long)a->bytes,
                    (unsigned long long)a->lane_reads, (unsigned long long)a->lane_writes,
                    (unsigned long long)a->lane_atomics);
    }
}

/* The curve's counts and points, one a line. */
static void print_curve(struct text *out, const struct curve *curve, const char *indent,
                        const char *more)
{
    text_printf(out, "%s%srequests: %llu\n%s%scold: %llu\n", indent, more,
                (unsigned long long)curve->requests, indent, more, (unsigned long long)curve->cold);
    text_printf(out, "%s%scurve: \"", indent, more);
    curve_print(curve, out);
    text_append(out, "\"\n");
}

static void print_interval(struct text *out, const char *key, const struct interval *interval,
                           const char *indent)
{
    if (interval->n_points == 0)
        return;
    text_printf(out, "%s    %s: \"", indent, key);
    interval_print(interval, out);
    text_append(out, "\"\n");
}

static void print_curves(struct text *out, const struct profile_record *record, const char *indent)
{
    if (record->n_curves)
        text_printf(out, "%scurves:\n", indent);
    for (size_t i = 0; i < record->n_curves; i++) {
        const struct profile_curve *c = &record->curves[i];
        text_printf(out, "%s  - scope: ", indent);
        yaml_append_scalar(out, c->scope);
        text_printf(out, "\n%s    side: ", indent);
        yaml_append_scalar(out, c->side);
        text_printf(out, "\n%s    filter: ", indent);
        yaml_append_scalar(out, c->filter);
        text_append(out, "\n");
        print_curve(out, &c->curve, indent, "    ");
        if (c->n_domains) {
            text_printf(out, "%s    domains: {requests: ", indent);
            print_counts(out, c->domain_requests, c->n_domains);
            text_append(out, ", cold: ");
            print_counts(out, c->domain_cold, c->n_domains);
            text_append(out, "}\n");
        }
        print_interval(out, "misses_interval", &c->misses_interval, indent);
        print_interval(out, "written_interval", &c->written_interval, indent);
        print_interval(out, "misses_skimmed", &c->misses_skimmed, indent);
        print_interval(out, "written_skimmed", &c->written_skimmed, indent);
        for (int part = 0; part < CURVE_PARTS; part++) {
            if (!(c->has >> part & 1))
                continue;
            text_printf(out, "%s    %s:\n", indent, profile_curve_part_names[part]);
            print_curve(out, &c->parts[part], indent, "      ");
        }
    }
}

static bool has_shape(const struct profile_record *record)
{
    static const uint32_t none[3];
    return memcmp(record->grid, none, sizeof none) != 0 ||
           memcmp(record->block, none, sizeof none) != 0;
}

/* What points say too. The dash stands two columns to the left of the keys. */
static void print_scalars(struct text *out, const struct profile_record *record, const char *indent)
{
    const uint32_t *g = record->grid, *b = record->block;
    text_printf(out, "%s- name: ", indent + 2);
    yaml_append_scalar(out, record->name);
    text_append(out, "\n");
    if (has_shape(record))
        text_printf(out, "%sgrid: [%u, %u, %u]\n%sblock: [%u, %u, %u]\n", indent, g[0], g[1], g[2],
                    indent, b[0], b[1], b[2]);
    text_printf(out, "%slaunches: %llu\n", indent, (unsigned long long)record->launches);
    if (record->launches_repeated)
        text_printf(out, "%slaunches_run: %llu\n", indent,
                    (unsigned long long)(record->launches - record->launches_repeated));
    print_fields(out, record, indent);
}

static void print_record(struct text *out, const struct profile_record *record)
{
    print_scalars(out, record, "        ");
    print_traffic(out, record);
    print_allocations(out, record);
    print_curves(out, record, "        ");
    for (size_t p = 0; p < record->n_prefixes; p++) {
        text_printf(out, "%s        - launches: %llu\n", p ? "" : "        prefixes:\n",
                    (unsigned long long)record->launches);
        print_fields(out, &record->prefixes[p], "          ");
        print_curves(out, &record->prefixes[p], "          ");
    }
}

static void print_sharing(struct text *out, const struct profile_sharing *sharing)
{
    const struct {
        const char *key;
        double value;
    } rows[] = {
        {"footprint", sharing->footprint_bytes},
        {"truly_shared", sharing->truly_shared_bytes},
        {"falsely_shared", sharing->falsely_shared_bytes},
        {"non_shared", sharing->non_shared_bytes},
        {"read_only_shared", sharing->read_only_shared_bytes},
        {"pages", sharing->pages},
        {"page_balance", sharing->page_balance},
    };
    const char *before = "    sharing: {";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (isnan(rows[i].value))
            continue;
        text_printf(out, "%s%s: ", before, rows[i].key);
        print_number(out, rows[i].value);
        before = ", ";
    }
    if (!isnan(sharing->pages_by_sms[0])) {
        text_printf(out, "%spages_by_sms: [", before);
        for (int i = 0; i < 4; i++) {
            text_append(out, i ? ", " : "");
            print_number(out, sharing->pages_by_sms[i]);
        }
        text_append(out, "]");
        before = ", ";
    }
    if (before[0] == ',')
        text_append(out, "}\n");
}

static void print_working_sets(struct text *out, const struct profile_view *view)
{
    if (view->n_working_sets)
        text_append(out, "    working_sets:\n");
    for (size_t i = 0; i < view->n_working_sets; i++) {
        const struct profile_working_set *set = &view->working_sets[i];
        const struct {
            const char *key;
            double value;
        } rows[] = {
            {"accesses", set->accesses},
            {"windows", set->windows},
            {"truly_shared", set->truly_shared_bytes},
            {"falsely_shared", set->falsely_shared_bytes},
            {"non_shared", set->non_shared_bytes},
        };
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            text_printf(out, "%s%s: ", k ? ", " : "      - {", rows[k].key);
            print_number(out, rows[k].value);
        }
        text_append(out, "}\n");
    }
}

static void print_parts(struct text *out, const struct profile_view *view)
{
    const char *before = "    parts: [";
    for (int i = 0; i < PART_COUNT; i++) {
        if (!(view->parts >> i & 1))
            continue;
        text_printf(out, "%s%s", before, profile_part_table[i].name);
        before = ", ";
    }
    if (view->parts)
        text_append(out, "]\n");
    if (view->sample_rate < 1) {
        text_append(out, "    sample_rate: ");
        print_number(out, view->sample_rate);
        text_append(out, "\n");
    }
    if (view->settled_within > 0) {
        text_append(out, "    settled_within: ");
        print_number(out, view->settled_within);
        text_append(out, "\n");
    }
    if (view->skimmed > 0) {
        text_append(out, "    skimmed: ");
        print_number(out, view->skimmed);
        text_append(out, "\n    requests_within: ");
        print_number(out, view->requests_within);
        text_append(out, "\n");
    }
}

static void print_view(struct text *out, const struct profile_view *view)
{
    text_append(out, "  - key:\n");
    for (size_t i = 0; i < view->n_keys; i++) {
        text_append(out, "      ");
        yaml_append_scalar(out, view->keys[i].path);
        text_append(out, ": ");
        yaml_append_scalar(out, view->keys[i].value);
        text_append(out, "\n");
    }
    if (!isnan(view->line_bytes)) {
        text_append(out, "    line: ");
        print_number(out, view->line_bytes);
        text_append(out, "\n");
    }
    print_parts(out, view);
    print_sharing(out, &view->sharing);
    print_working_sets(out, view);
    text_append(out, view->n_records ? "    records:\n" : "    records: []\n");
    for (size_t i = 0; i < view->n_records; i++)
        print_record(out, &view->records[i]);
}

/* A view without a key fits any machine: records of scalars, given by hand. */
static void print_points(struct text *out, const struct profile_view *view)
{
    const struct profile_record *only = view->records;
    if (view->n_records == 1 && only->launches == 1 && only->name[0] == '\0') {
        text_append(out, "point:\n");
        print_fields(out, only, "  ");
        return;
    }
    text_append(out, "points:\n");
    for (size_t i = 0; i < view->n_records; i++)
        print_scalars(out, &view->records[i], "    ");
}

void profile_print(const struct profile *profile, struct text *out)
{
    print_string(out, "profile", profile->name);
    print_string(out, "source", profile->source);
    print_string(out, "source_hash", profile->source_hash);
    print_string(out, "version", profile->version);
    print_string(out, "interleaving", profile->interleaving);
    print_string(out, "notes", profile->notes);
    print_warnings(out, profile);
    if (profile->n_views == 1 && profile->views[0].n_keys == 0) {
        print_points(out, &profile->views[0]);
        return;
    }
    text_append(out, profile->n_views ? "views:\n" : "views: []\n");
    for (size_t i = 0; i < profile->n_views; i++)
        print_view(out, &profile->views[i]);
}

void profile_print_file(const struct profile *profile, struct text *out)
{
    struct text text = {0};
    text_append(&text, PROFILE_FILE_HEAD);
    profile_print(profile, &text);
    text_append(&text, "...\n");
    sealed_append(&text);
    text_append_bytes(out, text.data, text.length);
    text_free(&text);
}

int profile_write(const struct profile *profile, const char *path, struct error *error)
{
    struct text text = {0};
    profile_print_file(profile, &text);
    int status = file_write(path, text.data, text.length, error);
    text_free(&text);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for the terminal. */
#include "cli/profile_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pager.h"
#include "cli/profile_details.h"
#include "cli/terminal.h"
#include "explore/answer/filling_room.h"
#include "explore/views/filling_source.h"
#include "report/fold.h"

enum { DIGITS = 3, INTERVAL_DIGITS = 2 };

/* --- figures ------------------------------------------------------------------- */

/* What a row shows, of one record or of all. NaN: unknown. */
struct figures {
    double launches, requests, bytes, l1_hit, r_local, lsu[2], llc_hit[2], home_bytes[2];
    double llc_half[2], home_half[2]; /* of a sample: what these may be off by */
};
static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static struct figures figures_of(const struct profile_record *record, const struct machine *machine)
{
    const double *f = record->fields;
    struct figures figures = {
        .launches = (double)record->launches,
        .requests = f[FIELD_REQUESTS],
        .bytes = f[FIELD_BYTES],
        .l1_hit = isnan(f[FIELD_L1_READS]) ? f[FIELD_L1_HIT_RATE]
                                           : ratio(f[FIELD_L1_READ_HITS], f[FIELD_L1_READS]),
        .r_local = f[FIELD_R_LOCAL],
        .lsu = {f[FIELD_LSU_MEMORY_SIDE], f[FIELD_LSU_SM_SIDE]},
    };
    for (int side = 0; side < 2; side++) {
        figures.llc_hit[side] = profile_llc_hit(record, machine, (enum level_side)side);
        figures.home_bytes[side] = profile_llc_written(record, machine, (enum level_side)side);
        figures.llc_half[side] = profile_llc_hit_half(record, machine, (enum level_side)side);
        figures.home_half[side] = profile_llc_written_half(record, machine, (enum level_side)side);
    }
    return figures;
}

/* Sums, and means weighted by requests over the records that have any. */
static struct figures figures_total(const struct profile_view *view, const struct machine *machine)
{
    struct figures total = {0};
    double hits = 0, reads = 0;
    for (size_t i = 0; i < view->n_records; i++) {
        const double *f = view->records[i].fields;
        struct figures one = figures_of(&view->records[i], machine);
        total.launches += one.launches;
        total.requests += one.requests;
        total.bytes += one.bytes;
        hits += f[FIELD_L1_READ_HITS];
        reads += f[FIELD_L1_READS];
        if (one.requests == 0)
            continue;
        total.r_local += one.requests * one.r_local;
        for (int side = 0; side < 2; side++) {
            total.home_bytes[side] += one.home_bytes[side];
            total.lsu[side] += one.requests * one.lsu[side];
            total.llc_hit[side] += one.requests * one.llc_hit[side];
            total.llc_half[side] += one.requests * one.llc_half[side];
            total.home_half[side] += one.home_half[side];
        }
    }
    total.l1_hit = ratio(hits, reads);
    total.r_local = ratio(total.r_local, total.requests);
    for (int side = 0; side < 2; side++) {
        total.lsu[side] = ratio(total.lsu[side], total.requests);
        total.llc_hit[side] = ratio(total.llc_hit[side], total.requests);
        total.llc_half[side] = ratio(total.llc_half[side], total.requests);
    }
    return total;
}

/* --- tables ---------------------------------------------------------------------- */

static const struct sheet_column kernel_columns[] = {
    {NULL, "kernel", NULL, SHEET_TEXT},
    {"name", NULL, NULL, SHEET_TEXT},
    {"grid", NULL, NULL, SHEET_SHAPE},
    {"block", NULL, NULL, SHEET_SHAPE},
    {"launches", "launches", NULL, SHEET_COUNT},
    {NULL, "requests", NULL, SHEET_COUNT},
    {NULL, "bytes", "MB", SHEET_MEGABYTES, .digits = DIGITS},
    {NULL, "L1 hit", NULL, SHEET_NUMBER, .digits = DIGITS},
    {NULL, "R_local", NULL, SHEET_NUMBER, .digits = DIGITS},
    {NULL, "LSU", "memory-side", SHEET_NUMBER, .digits = DIGITS},
    {NULL, "LSU", "SM-side", SHEET_NUMBER, .digits = DIGITS},
    {NULL, "LLC hit", "memory-side", SHEET_NUMBER, .digits = DIGITS},
    {NULL, "LLC hit", "SM-side", SHEET_NUMBER, .digits = DIGITS},
    {NULL, "written home, MB", "memory-side", SHEET_MEGABYTES, .digits = DIGITS},
    {NULL, "written home, MB", "SM-side", SHEET_MEGABYTES, .digits = DIGITS},
    {NULL}};

/* Of a sample. */
static const struct sheet_column interval_columns[] = {
    {NULL, "kernel", NULL, SHEET_TEXT},
    {NULL, "LLC hit", "memory-side", SHEET_NUMBER, .digits = DIGITS},
    {"llc_hit_memory_side_interval", "+-", NULL, SHEET_NUMBER, .digits = INTERVAL_DIGITS},
    {NULL, "LLC hit", "SM-side", SHEET_NUMBER, .digits = DIGITS},
    {"llc_hit_sm_side_interval", "+-", NULL, SHEET_NUMBER, .digits = INTERVAL_DIGITS},
    {NULL, "written home, MB", "memory-side", SHEET_MEGABYTES, .digits = DIGITS},
    {"written_memory_side_interval", "+-", "MB", SHEET_MEGABYTES, .digits = INTERVAL_DIGITS},
    {NULL, "written home, MB", "SM-side", SHEET_MEGABYTES, .digits = DIGITS},
    {"written_sm_side_interval", "+-", "MB", SHEET_MEGABYTES, .digits = INTERVAL_DIGITS},
    {NULL}};

static void add_figures(struct sheet *sheet, const struct profile_record *record, const char *name,
                        const struct figures *f)
{
    const struct sheet_cell shapes[] = {{.shape = record->grid}, {.shape = record->block}};
    SHEET_TEXTS(sheet, name[0] ? name : "-", name);
    sheet_add_cells(sheet, shapes, 2);
    SHEET_NUMBERS(sheet, f->launches, f->requests, f->bytes, f->l1_hit, f->r_local, f->lsu[0],
                  f->lsu[1], f->llc_hit[0], f->llc_hit[1], f->home_bytes[0], f->home_bytes[1]);
}

/* A row a kernel; for tables one of all of them, too. */
static struct sheet *kernels_of(const struct profile_view *view, const struct machine *machine)
{
    struct sheet *sheet = sheet_create(kernel_columns);
    for (size_t i = 0; i < view->n_records; i++) {
        struct figures figures = figures_of(&view->records[i], machine);
        add_figures(sheet, &view->records[i], view->records[i].name, &figures);
    }
    if (view->n_records > 1) {
        struct figures total = figures_total(view, machine);
        sheet_add_rule(sheet);
        add_figures(sheet, &view->records[0], "all", &total);
    }
    return sheet;
}

/* What the machine's LLC has of a sample, or of what was counted, and what that may be off by;
 * NULL: it is exact. */
static struct sheet *intervals_of(const struct profile_view *view, const struct machine *machine)
{
    if ((!(view->sample_rate < 1) && !(view->skimmed > 0)) || !machine)
        return NULL;
    struct sheet *sheet = sheet_create(interval_columns);
    for (size_t i = 0; i <= view->n_records; i++) {
        bool all = i == view->n_records;
        const char *name = all ? "all" : view->records[i].name;
        struct figures f =
            all ? figures_total(view, machine) : figures_of(&view->records[i], machine);
        if (all && view->n_records == 1)
            continue;
        if (all)
            sheet_add_rule(sheet);
        SHEET_TEXTS(sheet, name[0] ? name : "-");
        SHEET_NUMBERS(sheet, f.llc_hit[0], f.llc_half[0], f.llc_hit[1], f.llc_half[1],
                      f.home_bytes[0], f.home_half[0], f.home_bytes[1], f.home_half[1]);
    }
    return sheet;
}

static void report_megabytes(struct text *text, const char *before, double bytes)
{
    char buffer[64];
    if (!isnan(bytes))
        text_printf(text, "%s%s MB", before,
                    quantity_format((struct quantity){bytes * 1e-6, DIM_NONE}, DIGITS, buffer,
                                    sizeof buffer));
}

static void report_sharing(const struct profile_sharing *sharing, struct text *text)
{
    if (isnan(sharing->footprint_bytes))
        return;
    report_megabytes(text, "footprint ", sharing->footprint_bytes);
    if (!isnan(sharing->pages))
        text_printf(text, " on %.0f page%s", sharing->pages, sharing->pages == 1 ? "" : "s");
    report_megabytes(text, ": truly shared ", sharing->truly_shared_bytes);
    report_megabytes(text, ", of these only read ", sharing->read_only_shared_bytes);
    report_megabytes(text, "; falsely shared ", sharing->falsely_shared_bytes);
    report_megabytes(text, "; not shared ", sharing->non_shared_bytes);
    text_append(text, "\n");
}

/* Sentences within the terminal; `words` is released. */
static void add_words(struct text *words, const struct table_style *style, struct text *text)
{
    fold_lines(words->length ? words->data : "", style->width, text);
    text_free(words);
}

static void report_view(const struct profile_view *view, const struct machine *machine,
                        const struct table_style *style, struct text *text)
{
    struct text words = {0};
    struct sheet *kernels = kernels_of(view, machine), *intervals = intervals_of(view, machine);
    sheet_print_table(kernels, style, text);
    if (intervals) {
        bool lines = view->sample_rate < 1, skimmed = view->skimmed > 0;
        text_printf(text, "\nof %s%s%s: intervals of 95 %%\n",
                    lines ? "a sample of the lines" : "", lines && skimmed ? ", and of " : "",
                    skimmed ? "launches that were skimmed" : "");
        sheet_print_table(intervals, style, text);
        text_append(text, "\n");
    }
    sheet_destroy(intervals);
    report_sharing(&view->sharing, &words);
    profile_details_view(view, &words);
    add_words(&words, style, text);
    profile_details_kernels(view, machine, text);
    sheet_destroy(kernels);
}

static void report_key(const struct profile_view *view, struct text *text)
{
    for (size_t i = 0; i < view->n_keys; i++)
        text_printf(text, "%s%s %s", i ? ", " : "", view->keys[i].path, view->keys[i].value);
    text_append(text, view->n_keys ? "\n" : "");
}

/* What the input leaves of the machine; without one, that lines were sampled. */
static void report_filling(const struct profile *profile, const struct profile_view *view,
                           const struct machine *machine, struct text *text)
{
    struct filling_source source;
    struct filling_room room = machine ? filling_room_of(machine) : filling_room_unknown();
    filling_source_open(profile->source, &source);
    struct filling_input input = filling_source_input(&source, machine, view);
    filling_lines(&input, &room, NULL, text);
    filling_source_close(&source);
}

void profile_report_table(const struct profile *profile, const struct machine *machine)
{
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0}, words = {0};
    text_append(&words, profile->name);
    if (profile->source && strcmp(profile->source, profile->name) != 0)
        text_printf(&words, " (%s)", profile->source);
    if (profile->interleaving)
        text_printf(&words, ", order of warps: %s", profile->interleaving);
    if (machine)
        text_printf(&words, ", machine %s", machine->name);
    text_append(&words, "\n");
    if (profile->notes)
        text_printf(&words, "%s\n", profile->notes);
    for (size_t i = 0; i < profile->n_views; i++) {
        if (!machine)
            report_key(&profile->views[i], &words);
        add_words(&words, &style, &text);
        report_view(&profile->views[i], machine, &style, &text);
        report_filling(profile, &profile->views[i], machine, &words);
    }
    add_words(&words, &style, &text);
    pager_show(text.data);
    text_free(&text);
}

/* --- JSON -------------------------------------------------------------------------- */

static void json_sharing(struct json *json, const struct profile_sharing *sharing)
{
    json_key(json, "sharing");
    json_begin_object(json);
    json_pair_number(json, "footprint", sharing->footprint_bytes);
    json_pair_number(json, "truly_shared", sharing->truly_shared_bytes);
    json_pair_number(json, "falsely_shared", sharing->falsely_shared_bytes);
    json_pair_number(json, "non_shared", sharing->non_shared_bytes);
    json_pair_number(json, "read_only_shared", sharing->read_only_shared_bytes);
    json_pair_number(json, "pages", sharing->pages);
    profile_details_json_sharing(json, sharing);
    json_end_object(json);
}

/* With the hit rates of the machine's LLC. */
static void json_fields(struct json *json, const struct profile_record *record,
                        const struct machine *machine)
{
    json_key(json, "fields");
    json_begin_object(json);
    for (int i = 0; i < FIELD_COUNT; i++) {
        double value = i == FIELD_LLC_HIT_MEMORY_SIDE ? profile_llc_hit(record, machine, SIDE_HOME)
                       : i == FIELD_LLC_HIT_SM_SIDE
                           ? profile_llc_hit(record, machine, SIDE_REQUESTER)
                           : record->fields[i];
        char path[128];
        if (!isnan(value))
            json_pair_number(json, profile_field_path(record, i, path, sizeof path), value);
    }
    json_end_object(json);
}

/* The rest of the object. */
static void json_record(struct json *json, const struct profile_record *record,
                        const struct machine *machine)
{
    json_fields(json, record, machine);
    if (record->traffic) {
        json_key(json, "traffic");
        json_begin_array(json);
        for (size_t i = 0; i < record->n_domains; i++)
            json_numbers(json, record->traffic + i * record->n_domains, record->n_domains);
        json_end_array(json);
    }
    if (record->n_prefixes) {
        json_key(json, "prefixes");
        json_begin_array(json);
        for (size_t p = 0; p < record->n_prefixes; p++) {
            json_begin_object(json);
            json_fields(json, &record->prefixes[p], machine);
            json_end_object(json);
        }
        json_end_array(json);
    }
    profile_details_json_record(json, record, machine);
}

static void json_filling(struct json *json, const struct profile *profile,
                         const struct profile_view *view, const struct machine *machine)
{
    struct text lines = {0};
    report_filling(profile, view, machine, &lines);
    json_key(json, "warnings");
    json_begin_array(json);
    for (char *line = lines.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        json_string(json, line);
    }
    json_end_array(json);
    text_free(&lines);
}

void profile_report_json(struct json *json, const struct profile *profile,
                         const struct machine *machine)
{
    json_begin_object(json);
    json_pair_string(json, "profile", profile->name);
    json_pair_string(json, "source", profile->source);
    json_pair_string(json, "source_hash", profile->source_hash);
    json_pair_string(json, "interleaving", profile->interleaving);
    json_pair_string(json, "notes", profile->notes);
    json_key(json, "warnings");
    json_begin_array(json);
    for (size_t i = 0; i < profile->n_warnings; i++)
        json_string(json, profile->warnings[i]);
    json_end_array(json);
    json_pair_string(json, "machine", machine ? machine->name : NULL);
    json_key(json, "views");
    json_begin_array(json);
    for (size_t i = 0; i < profile->n_views; i++) {
        const struct profile_view *view = &profile->views[i];
        struct sheet *kernels = kernels_of(view, machine);
        struct sheet *intervals = intervals_of(view, machine);
        json_begin_object(json);
        json_key(json, "key");
        json_begin_object(json);
        for (size_t k = 0; k < view->n_keys; k++)
            json_pair_string(json, view->keys[k].path, view->keys[k].value);
        json_end_object(json);
        json_pair_number(json, "line", view->line_bytes);
        json_sharing(json, &view->sharing);
        profile_details_json_view(json, view);
        json_filling(json, profile, view, machine);
        json_key(json, "kernels");
        json_begin_array(json);
        for (size_t r = 0; r < view->n_records; r++) {
            json_begin_object(json);
            sheet_print_json_row(kernels, r, json);
            json_pair_number(
                json, "launches_run",
                (double)(view->records[r].launches - view->records[r].launches_repeated));
            if (intervals)
                sheet_print_json_row(intervals, r, json);
            json_record(json, &view->records[r], machine);
            json_end_object(json);
        }
        json_end_array(json);
        sheet_destroy(kernels);
        sheet_destroy(intervals);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

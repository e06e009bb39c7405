/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Further statistics of profiles, for the terminal. */
#include "cli/profile_details.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile_numa.h"
#include "cli/terminal.h"
#include "machine/beside.h"
#include "profile/run/profiler.h"
#include "profile/sampler.h"

enum { DIGITS = 3 };

/* Above this share of pages that one SM touches, sharing is low (NUBA, ASPLOS 2023). */
#define LOW_SHARING 0.8

const char *const profile_sms_names[4] = {"1", "2-10", "11-25", "26+"};

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* --- statistics of a kernel --------------------------------------------------------- */

enum statistic_kind {
    FIELD,        /* a */
    QUOTIENT,     /* a / b */
    L1_ELSEWHERE, /* L1 read misses that another L1 could have served */
    REPLICABLE,   /* of the remote requests */
    HIT,          /* of the LLC: a is the side */
    VALUE,        /* of a function */
};

/* A column; its key in JSON. */
struct statistic {
    const char *key, *title, *unit;
    enum statistic_kind kind;
    int a, b;
    bool window; /* of its first WINDOW_SHOWN requests */
    bool beside; /* the exact value to compare with: alone it makes no table */
    double (*value)(const struct profile_record *record, const struct machine *machine);
};

/* Key and unit have the name of the level in the place of "LEVEL". */
#define LEVEL_HIT(i)                                                                               \
    {                                                                                              \
        "LEVEL_hit", "hit rate", "LEVEL", QUOTIENT, FIELD_LEVEL_##i##_HITS, FIELD_LEVEL_##i,       \
            false, false                                                                           \
    }

static const struct statistic levels[] = {
    {"l1_remote_hit", "L1 hit", "remote", QUOTIENT, FIELD_L1_REMOTE_READ_HITS,
     FIELD_L1_REMOTE_READS, false, false},
    {"l1_replication", "L1 misses", "elsewhere", L1_ELSEWHERE, 0, 0, false, false},
    {"l1_copies", "L1 copies", "mean", FIELD, FIELD_L1_COPIES, 0, false, false},
    {"l1_uniformity", "L1 nodes", "uniformity", FIELD, FIELD_L1_UNIFORMITY, 0, false, false},
    LEVEL_HIT(0),
    LEVEL_HIT(1),
    LEVEL_HIT(2),
    LEVEL_HIT(3),
    LEVEL_HIT(4),
    LEVEL_HIT(5),
    LEVEL_HIT(6),
    LEVEL_HIT(7),
    LEVEL_HIT(8),
    LEVEL_HIT(9),
    LEVEL_HIT(10),
    LEVEL_HIT(11),
    LEVEL_HIT(12),
    {"remote_walks", "remote", "walks", FIELD, FIELD_WALKS_REMOTE, 0, false, false},
    {"replicable_share", "replicable", "of remote", REPLICABLE, 0, 0, false, false},
    {"remote_line_use", "line use", "remote", FIELD, FIELD_LINE_USE, 0, false, false},
    {"llc_hit_filled", "LLC hit", "filled", VALUE, .value = profile_llc_hit_filled},
    {"llc_hit_filled_or_home", "LLC hit", "or at home", VALUE, .value = profile_llc_hit_asking},
};

static const struct statistic together[] = {
    {"slices_memory_side", "LSU mem.", "together", FIELD, FIELD_MOMENTARY_HOME_SLICES, 0, false,
     false},
    {"", "LSU mem.", "launch", FIELD, FIELD_LSU_MEMORY_SIDE, 0, false, true},
    {"slices_sm_side", "LSU SM", "together", FIELD, FIELD_MOMENTARY_OWN_SLICES, 0, false, false},
    {"", "LSU SM", "launch", FIELD, FIELD_LSU_SM_SIDE, 0, false, true},
    {"memory", "memories", "together", FIELD, FIELD_MOMENTARY_MEMORY, 0, false, false},
    {"links_memory_side", "links mem.", "together", FIELD, FIELD_MOMENTARY_LINKS, 0, false, false},
    {"links_sm_side", "links SM", "together", FIELD, FIELD_MOMENTARY_FETCHES, 0, false, false},
};

static const struct statistic windows[] = {
    {"l1_hit", "L1 hit", "window", QUOTIENT, FIELD_L1_READ_HITS, FIELD_L1_READS, true, false},
    {"", "L1 hit", "run", QUOTIENT, FIELD_L1_READ_HITS, FIELD_L1_READS, false, true},
    {"r_local", "R_local", "window", FIELD, FIELD_R_LOCAL, 0, true, false},
    {"", "R_local", "run", FIELD, FIELD_R_LOCAL, 0, false, true},
    {"lsu_memory_side", "LSU mem.", "window", FIELD, FIELD_LSU_MEMORY_SIDE, 0, true, false},
    {"", "LSU mem.", "run", FIELD, FIELD_LSU_MEMORY_SIDE, 0, false, true},
    {"lsu_sm_side", "LSU SM", "window", FIELD, FIELD_LSU_SM_SIDE, 0, true, false},
    {"", "LSU SM", "run", FIELD, FIELD_LSU_SM_SIDE, 0, false, true},
    {"llc_hit_memory_side", "hit mem.", "window", HIT, SIDE_HOME, 0, true, false},
    {"", "hit mem.", "run", HIT, SIDE_HOME, 0, false, true},
    {"llc_hit_sm_side", "hit SM", "window", HIT, SIDE_REQUESTER, 0, true, false},
    {"", "hit SM", "run", HIT, SIDE_REQUESTER, 0, false, true},
};

/* A table; its key in JSON. */
struct chapter {
    const char *key;
    struct text title;
    struct statistic *items;
    size_t count, capacity;
};
struct chapters {
    struct chapter *items;
    size_t count, capacity;
};

/* Where the columns of a sampler stand. */
static const char *chapter_of(const struct sampler *sampler)
{
    return sampler->table ? sampler->table : "other_samplers";
}

static struct chapter *chapter_find(const struct chapters *chapters, const char *key)
{
    for (size_t i = 0; i < chapters->count; i++)
        if (strcmp(chapters->items[i].key, key) == 0)
            return &chapters->items[i];
    return NULL;
}

static void chapter_add(struct chapters *chapters, const char *key, const char *title,
                        const struct statistic *statistics, size_t count)
{
    struct chapter chapter = {.key = key};
    text_append(&chapter.title, title);
    for (size_t i = 0; i < count; i++)
        VECTOR_PUSH(&chapter, statistics[i]);
    VECTOR_PUSH(chapters, chapter);
}

static void chapter_add_columns(struct chapter *chapter, const struct sampler *sampler)
{
    for (const struct sampler_column *c = sampler->columns; c && c->key; c++) {
        struct statistic statistic = {
            .key = c->key,
            .title = c->title,
            .unit = c->unit,
            .kind = c->value   ? VALUE
                    : c->whole ? QUOTIENT
                               : FIELD,
            .a = c->field ? profile_field_find(c->field) : 0,
            .b = c->whole ? profile_field_find(c->whole) : 0,
            .beside = c->beside,
            .value = c->value,
        };
        VECTOR_PUSH(chapter, statistic);
    }
}

/* "SAC's samplers beside exact values", "samplers of NUBA and DualOpt beside exact values" */
static void chapter_name(struct chapter *chapter)
{
    const char *systems[FIELDS_SAMPLED_MAX];
    const struct sampler *sampler;
    size_t n = 0;
    int first;
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++) {
        bool known = strcmp(chapter_of(sampler), chapter->key) != 0;
        for (size_t k = 0; k < n && !known; k++)
            known = strcmp(systems[k], sampler->system) == 0;
        if (!known)
            systems[n++] = sampler->system;
    }
    text_append(&chapter->title, n == 1 ? "" : "samplers of ");
    for (size_t k = 0; k < n; k++)
        text_printf(&chapter->title, "%s%s", k == 0 ? "" : k == n - 1 ? " and " : ", ", systems[k]);
    text_printf(&chapter->title, "%s beside exact values", n == 1 ? "'s samplers" : "");
}

static void chapters_open(struct chapters *chapters)
{
    static const char of_windows[] = "window";
    const struct sampler *sampler;
    int first;
    *chapters = (struct chapters){0};
    chapter_add(chapters, "levels", "L1s, levels before the LLC, remote lines", levels,
                sizeof levels / sizeof *levels);
    chapter_add(chapters, "momentary", "how evenly what is under way together asks", together,
                sizeof together / sizeof *together);
    for (int own = 1; own >= 0; own--) /* those of no table of their own are the last */
        for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++) {
            const char *key = chapter_of(sampler);
            if ((sampler->table != NULL) != own || chapter_find(chapters, key) ||
                strcmp(key, of_windows) == 0)
                continue;
            chapter_add(chapters, key, "", NULL, 0);
            chapter_name(&chapters->items[chapters->count - 1]);
        }
    chapter_add(chapters, of_windows, "first requests of the launches beside the whole run",
                windows, sizeof windows / sizeof *windows);
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++)
        chapter_add_columns(chapter_find(chapters, chapter_of(sampler)), sampler);
}

static void chapters_close(struct chapters *chapters)
{
    for (size_t i = 0; i < chapters->count; i++) {
        text_free(&chapters->items[i].title);
        VECTOR_FREE(&chapters->items[i]);
    }
    VECTOR_FREE(chapters);
}

static double statistic_value(const struct statistic *statistic,
                              const struct profile_record *record, const struct machine *machine)
{
    if (statistic->window)
        record = profile_record_prefix(record, WINDOW_SHOWN);
    if (!record)
        return (double)NAN;
    const double *f = record->fields;
    switch (statistic->kind) {
    case FIELD:
        return f[statistic->a];
    case QUOTIENT:
        return ratio(f[statistic->a], f[statistic->b]);
    case L1_ELSEWHERE:
        return ratio(f[FIELD_L1_MISSES_ELSEWHERE], f[FIELD_L1_READS] - f[FIELD_L1_READ_HITS]);
    case REPLICABLE:
        return ratio(f[FIELD_REPLICABLE], f[FIELD_REQUESTS] * (1 - f[FIELD_R_LOCAL]));
    case HIT:
        return profile_llc_hit(record, machine, (enum level_side)statistic->a);
    case VALUE:
        return statistic->value(record, machine);
    }
    return (double)NAN;
}

/* The text with the level's name in the place of "LEVEL". */
static const char *of_level(const struct statistic *statistic, const char *text,
                            const struct profile_record *record, char *buffer, size_t size)
{
    const char *place = text ? strstr(text, "LEVEL") : NULL;
    const char *level = place && profile_field_is_of_level(statistic->a)
                            ? record->levels[(statistic->a - FIELD_LEVEL_0) / LEVEL_COUNTS]
                            : NULL;
    if (!level)
        return text;
    snprintf(buffer, size, "%.*s%s%s", (int)(place - text), text, level, place + strlen("LEVEL"));
    return buffer;
}

static bool statistic_known(const struct statistic *statistic, const struct profile_view *view,
                            const struct machine *machine)
{
    bool known = false;
    for (size_t i = 0; i < view->n_records && !known; i++)
        known = !isnan(statistic_value(statistic, &view->records[i], machine));
    return known;
}

/* An exact value stands behind what it is compared with (those of the same title, before
 * it), and only there. */
static bool statistic_shown(const struct chapter *chapter, size_t index,
                            const struct profile_view *view, const struct machine *machine)
{
    const struct statistic *statistic = &chapter->items[index];
    bool shown = !statistic->beside;
    for (size_t i = index; i-- > 0 && !shown;)
        shown = strcmp(chapter->items[i].title, statistic->title) == 0 &&
                statistic_known(&chapter->items[i], view, machine);
    return shown && statistic_known(statistic, view, machine);
}

void profile_details_kernels(const struct profile_view *view, const struct machine *machine,
                             struct text *text)
{
    struct table_style style = terminal_table_style(stdout);
    struct sheet_columns columns = {0};
    struct chapters chapters;
    struct arena *arena = arena_create();
    chapters_open(&chapters);
    VECTOR_PUSH(&columns, (struct sheet_column){NULL, "kernel", NULL, SHEET_TEXT});
    for (size_t s = 0; s < chapters.count && view->n_records; s++)
        for (size_t i = 0; i < chapters.items[s].count; i++) {
            const struct statistic *statistic = &chapters.items[s].items[i];
            char buffer[128];
            const char *unit =
                of_level(statistic, statistic->unit, &view->records[0], buffer, sizeof buffer);
            VECTOR_PUSH(&columns,
                        (struct sheet_column){
                            NULL, statistic->title, unit ? arena_strdup(arena, unit) : NULL,
                            SHEET_NUMBER, .group = chapters.items[s].title.data, .digits = DIGITS});
        }
    VECTOR_PUSH(&columns, (struct sheet_column){NULL});
    struct sheet *sheet = sheet_create(columns.items);
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        SHEET_TEXTS(sheet, record->name[0] ? record->name : "-");
        for (size_t s = 0; s < chapters.count; s++)
            for (size_t i = 0; i < chapters.items[s].count; i++) {
                bool shown = !chapters.items[s].items[i].beside ||
                             statistic_shown(&chapters.items[s], i, view, machine);
                double value = statistic_value(&chapters.items[s].items[i], record, machine);
                sheet_add_cells(sheet, &(struct sheet_cell){.number = shown ? value : (double)NAN},
                                1);
            }
    }
    sheet_print_groups(sheet, &style, text);
    sheet_destroy(sheet);
    VECTOR_FREE(&columns);
    chapters_close(&chapters);
    arena_destroy(arena);
}

/* --- of a view ---------------------------------------------------------------------- */

const char *profile_sharing_class(const struct profile_sharing *sharing)
{
    double alone = ratio(sharing->pages_by_sms[0], sharing->pages);
    if (isnan(alone))
        return NULL;
    return alone > LOW_SHARING ? "low sharing" : "high sharing";
}

static void number(struct text *text, const char *before, double value, const char *after)
{
    char buffer[64];
    quantity_format((struct quantity){value, DIM_NONE}, DIGITS, buffer, sizeof buffer);
    text_printf(text, "%s%s%s", before, buffer, after);
}

static void report_pages(const struct profile_sharing *sharing, struct text *text)
{
    const char *class = profile_sharing_class(sharing);
    if (class) {
        text_append(text, "pages by SMs that touch them:");
        for (int i = 0; i < 4; i++)
            text_printf(text, "%s %s SM%s: %.0f", i ? "," : "", profile_sms_names[i], i ? "s" : "",
                        sharing->pages_by_sms[i]);
        number(text, "; ", 100 * ratio(sharing->pages_by_sms[0], sharing->pages), " % by one SM");
        text_printf(text, ": %s by NUBA's classes\n", class);
    }
    if (!isnan(sharing->page_balance))
        number(text, "balance of pages (NPB): ", sharing->page_balance, "\n");
}

/* The level of the view that serves that kind of read beside L1; NULL: none does. */
static const char *level_beside(const struct profile_view *view, int path)
{
    static const char field[] = ".contents";
    for (size_t k = 0; k < view->n_keys && view->n_records; k++) {
        const char *end = strstr(view->keys[k].path, field);
        for (int i = 0; end && i < LEVELS_MAX && view->records[0].levels[i]; i++) {
            const char *level = view->records[0].levels[i];
            size_t n = (size_t)(end - view->keys[k].path);
            if (strlen(level) == n && strncmp(level, view->keys[k].path, n) == 0 &&
                beside_contents(view->keys[k].value) >> path & 1)
                return level;
        }
    }
    return NULL;
}

/* Over all records; what a record does not say counts nothing. */
static double sum_of(const struct profile_view *view, int field)
{
    double sum = 0;
    for (size_t r = 0; r < view->n_records; r++)
        sum += isnan(view->records[r].fields[field]) ? 0 : view->records[r].fields[field];
    return sum;
}

/* Reads of scalars, constants and textures, and what served them. */
static void report_paths(const struct profile_view *view, struct text *text)
{
    for (int path = ACCESS_SCALAR; path < ACCESS_PATHS; path++) {
        double reads = sum_of(view, FIELD_SCALAR_READS + path - ACCESS_SCALAR);
        const char *level = level_beside(view, path);
        if (!(reads > 0))
            continue;
        text_printf(text, "%s reads: %.0f lines, served by ", access_path_names[path], reads);
        if (!level) {
            text_printf(text, "L1: no cache has contents: %s\n", access_path_names[path]);
            continue;
        }
        int lookups =
            profile_level_field(profile_record_level(&view->records[0], level), LEVEL_LOOKUPS);
        double hits = ratio(sum_of(view, lookups + LEVEL_HITS), sum_of(view, lookups));
        text_append(text, level);
        number(text, ": ", 100 * hits, " % hits\n");
    }
}

static const struct sheet_column working_set_columns[] = {
    {"accesses", "working set of", "line accesses", SHEET_COUNT},
    {"windows", "windows", NULL, SHEET_COUNT},
    {"truly_shared", "truly shared", "MB", SHEET_MEGABYTES, .digits = DIGITS},
    {"falsely_shared", "falsely shared", "MB", SHEET_MEGABYTES, .digits = DIGITS},
    {"non_shared", "not shared", "MB", SHEET_MEGABYTES, .digits = DIGITS},
    {NULL}};

static struct sheet *working_sets_of(const struct profile_view *view)
{
    struct sheet *sheet = sheet_create(working_set_columns);
    for (size_t i = 0; i < view->n_working_sets; i++) {
        const struct profile_working_set *set = &view->working_sets[i];
        SHEET_NUMBERS(sheet, set->accesses, set->windows, set->truly_shared_bytes,
                      set->falsely_shared_bytes, set->non_shared_bytes);
    }
    return sheet;
}

/* What traces say of waits, or leave to be assumed. */
static void report_waits(const struct profile_view *view, struct text *text)
{
    double assumed = sum_of(view, FIELD_WAITS_ASSUMED), think = sum_of(view, FIELD_CHAIN_THINK);
    if (assumed > 0)
        text_printf(text,
                    "waits: %.0f of %.0f warp accesses are taken to need the loads before them, "
                    "since the trace does not say it\n",
                    assumed, sum_of(view, FIELD_WARP_ACCESSES));
    if (think > 0)
        text_printf(text, "work between accesses (think): %.0f cycles in the chain of waits\n",
                    think);
}

/* Traffic that is not loads and stores of global memory. */
static void report_others(const struct profile_view *view, struct text *text)
{
    double local = sum_of(view, FIELD_LOCAL_BYTES), bulk = sum_of(view, FIELD_BULK_BYTES);
    double all = sum_of(view, FIELD_LANE_BYTES);
    if (local > 0)
        text_printf(text, "local memory: %.3g of %.3g MB that lanes ask for\n", local / 1e6,
                    all / 1e6);
    if (bulk > 0)
        text_printf(text, "bulk copies (TMA): %.3g of %.3g MB that lanes ask for\n", bulk / 1e6,
                    all / 1e6);
}

void profile_details_view(const struct profile_view *view, struct text *text)
{
    const char *before = "parts: ";
    report_pages(&view->sharing, text);
    profile_numa_append(view, text);
    report_paths(view, text);
    report_waits(view, text);
    report_others(view, text);
    for (int i = 0; i < PART_COUNT; i++)
        if (view->parts & 1U << i) {
            bool empty = profile_part_is_empty(view, (enum profile_part_index)i);
            text_printf(text, "%s%s%s", before, profile_part_table[i].name,
                        empty ? " (empty: nothing is known of it)" : "");
            before = ", ";
        }
    text_append(text, view->parts ? "\n" : "");
    char note[160];
    if (profile_repeats_note(view, note, sizeof note))
        text_printf(text, "%s\n", note);
    if (view->n_working_sets) {
        struct table_style style = terminal_table_style(stdout);
        struct sheet *sheet = working_sets_of(view);
        text_append(text, "\n");
        sheet_print_table(sheet, &style, text);
        sheet_destroy(sheet);
    }
}

/* --- JSON --------------------------------------------------------------------------- */

void profile_details_json_sharing(struct json *json, const struct profile_sharing *sharing)
{
    json_key(json, "pages_by_sms");
    json_numbers(json, sharing->pages_by_sms, 4);
    json_pair_number(json, "page_balance", sharing->page_balance);
    json_key(json, "class");
    json_string(json, profile_sharing_class(sharing));
}

void profile_details_json_view(struct json *json, const struct profile_view *view)
{
    json_key(json, "parts");
    json_begin_array(json);
    for (int i = 0; i < PART_COUNT; i++)
        if (view->parts & 1U << i)
            json_string(json, profile_part_table[i].name);
    json_end_array(json);
    json_key(json, "empty_parts");
    json_begin_array(json);
    for (int i = 0; i < PART_COUNT; i++)
        if (view->parts & 1U << i && profile_part_is_empty(view, (enum profile_part_index)i))
            json_string(json, profile_part_table[i].name);
    json_end_array(json);
    json_pair_number(json, "sample_rate", view->sample_rate);
    json_pair_number(json, "settled_within", view->settled_within);
    json_pair_number(json, "skimmed", view->skimmed);
    json_pair_number(json, "requests_within", view->requests_within);
    struct sheet *sets = working_sets_of(view);
    json_key(json, "working_sets");
    sheet_print_json(sets, json);
    sheet_destroy(sets);
}

/* What is known, by chapter; exact values of a window are the record's own. */
void profile_details_json_record(struct json *json, const struct profile_record *record,
                                 const struct machine *machine)
{
    struct chapters chapters;
    chapters_open(&chapters);
    json_key(json, "statistics");
    json_begin_object(json);
    for (size_t s = 0; s < chapters.count; s++) {
        json_key(json, chapters.items[s].key);
        json_begin_object(json);
        for (size_t i = 0; i < chapters.items[s].count; i++) {
            const struct statistic *statistic = &chapters.items[s].items[i];
            double value = statistic_value(statistic, record, machine);
            char key[128];
            if (statistic->key[0] && !isnan(value))
                json_pair_number(json, of_level(statistic, statistic->key, record, key, sizeof key),
                                 value);
        }
        json_end_object(json);
    }
    json_end_object(json);
    chapters_close(&chapters);
}

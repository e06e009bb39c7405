/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Further statistics of profiles, for the terminal. */
#include "cli/profile_details.h"

#include <math.h>
#include <string.h>

#include "cli/terminal.h"
#include "report/table.h"

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
    HIT_REPLICATED,
};

/* A column; its key in JSON. */
struct statistic {
    const char *key, *title, *unit;
    enum statistic_kind kind;
    int a, b;
    bool window; /* of the record's window */
    bool beside; /* the exact value to compare with: alone it makes no table */
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
    {"replicable_share", "replicable", "of remote", REPLICABLE, 0, 0, false, false},
    {"remote_line_use", "line use", "remote", FIELD, FIELD_LINE_USE, 0, false, false},
    {"edge_outstanding_share", "coalescing", "under way", QUOTIENT, FIELD_EDGE_OUTSTANDING,
     FIELD_EDGE_REQUESTS, false, false},
    {"edge_buffered_share", "coalescing", "64 lines", QUOTIENT, FIELD_EDGE_BUFFERED,
     FIELD_EDGE_REQUESTS, false, false},
};

static const struct statistic sac[] = {
    {"crd_hit", "SM-side hit", "CRD", FIELD, FIELD_CRD_HIT, 0, false, false},
    {"crd_hit_corrected", "SM-side hit", "corrected", FIELD, FIELD_CRD_HIT_CORRECTED, 0, false,
     false},
    {"llc_hit_sm_side", "SM-side hit", "exact", HIT, SIDE_REQUESTER, 0, false, true},
    {"crd_lsu_memory_side", "LSU mem.", "counters", FIELD, FIELD_CRD_LSU_MEMORY_SIDE, 0, false,
     false},
    {"lsu_memory_side", "LSU mem.", "exact", FIELD, FIELD_LSU_MEMORY_SIDE, 0, false, true},
    {"crd_lsu_sm_side", "LSU SM", "counters", FIELD, FIELD_CRD_LSU_SM_SIDE, 0, false, false},
    {"lsu_sm_side", "LSU SM", "exact", FIELD, FIELD_LSU_SM_SIDE, 0, false, true},
    {"llc_contents_local", "SM-side ways", "local", FIELD, FIELD_CONTENTS_LOCAL, 0, false, false},
    {"llc_contents_remote", "SM-side ways", "remote", FIELD, FIELD_CONTENTS_REMOTE, 0, false,
     false},
};

static const struct statistic others[] = {
    {"mdr_hit", "replicated hit", "MDR", FIELD, FIELD_MDR_HIT, 0, false, false},
    {"llc_hit_replicated", "replicated hit", "exact", HIT_REPLICATED, 0, 0, false, true},
    {"engine_remote", "remote share", "DualOpt", FIELD, FIELD_ENGINE_REMOTE, 0, false, false},
    {"remote_share", "remote share", "exact", QUOTIENT, FIELD_L1_REMOTE_READS, FIELD_L1_READS,
     false, true}, /* of what the engine sees: reads that look up L1 */
    {"engine_line_use", "line use", "DualOpt", FIELD, FIELD_ENGINE_LINE_USE, 0, false, false},
    {"line_use", "line use", "exact", FIELD, FIELD_LINE_USE, 0, false, true},
    {"engine_l1_hit", "remote L1 hit", "DualOpt", FIELD, FIELD_ENGINE_L1_HIT, 0, false, false},
    {"remote_l1_hit", "remote L1 hit", "exact", QUOTIENT, FIELD_L1_REMOTE_READ_HITS,
     FIELD_L1_REMOTE_READS, false, true},
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
    const char *key, *title;
    const struct statistic *statistics;
    size_t count;
};
#define CHAPTER(key, title, list)                                                                  \
    {                                                                                              \
        key, title, list, sizeof(list) / sizeof(list)[0]                                           \
    }
static const struct chapter chapters[] = {
    CHAPTER("levels", "L1s, levels before the LLC, remote lines", levels),
    CHAPTER("sac_samplers", "SAC's samplers beside exact values", sac),
    CHAPTER("other_samplers", "samplers of NUBA and DualOpt beside exact values", others),
    CHAPTER("window", "first requests of the launches beside the whole run", windows),
};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

static double statistic_value(const struct statistic *statistic,
                              const struct profile_record *record, const struct machine *machine)
{
    if (statistic->window && !record->window)
        return (double)NAN;
    record = statistic->window ? record->window : record;
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
    case HIT_REPLICATED:
        return profile_llc_hit_replicated(record, machine);
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
    const struct statistic *statistic = &chapter->statistics[index];
    bool shown = !statistic->beside;
    for (size_t i = index; i-- > 0 && !shown;)
        shown = strcmp(chapter->statistics[i].title, statistic->title) == 0 &&
                statistic_known(&chapter->statistics[i], view, machine);
    return shown && statistic_known(statistic, view, machine);
}

static void report_chapter(const struct chapter *chapter, const struct profile_view *view,
                           const struct machine *machine, struct text *text)
{
    struct table_style style = terminal_table_style(stdout);
    struct table *table = table_create();
    size_t shown = 0;
    table_column(table, "kernel", NULL, TABLE_LEFT);
    for (size_t i = 0; i < chapter->count; i++)
        if (statistic_shown(chapter, i, view, machine)) {
            const struct statistic *statistic = &chapter->statistics[i];
            char unit[128];
            table_column(table, statistic->title,
                         of_level(statistic, statistic->unit, &view->records[0], unit, sizeof unit),
                         TABLE_RIGHT);
            shown++;
        }
    for (size_t r = 0; r < view->n_records && shown; r++) {
        const struct profile_record *record = &view->records[r];
        table_cell(table, record->name[0] ? record->name : "-");
        for (size_t i = 0; i < chapter->count; i++)
            if (statistic_shown(chapter, i, view, machine))
                table_number(table, statistic_value(&chapter->statistics[i], record, machine),
                             DIGITS);
    }
    if (shown) {
        text_printf(text, "\n%s:\n", chapter->title);
        table_render(table, &style, text);
    }
    table_destroy(table);
}

void profile_details_kernels(const struct profile_view *view, const struct machine *machine,
                             struct text *text)
{
    for (size_t i = 0; i < CHAPTERS; i++)
        report_chapter(&chapters[i], view, machine, text);
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
        text_printf(text, ": %s\n", class);
    }
    if (!isnan(sharing->page_balance))
        number(text, "balance of pages (NPB): ", sharing->page_balance, "\n");
}

static void report_working_sets(const struct profile_view *view, struct text *text)
{
    struct table_style style = terminal_table_style(stdout);
    struct table *table = table_create();
    table_column(table, "working set of", "line accesses", TABLE_RIGHT);
    table_column(table, "windows", NULL, TABLE_RIGHT);
    table_column(table, "truly shared", "MB", TABLE_RIGHT);
    table_column(table, "falsely shared", "MB", TABLE_RIGHT);
    table_column(table, "not shared", "MB", TABLE_RIGHT);
    for (size_t i = 0; i < view->n_working_sets; i++) {
        const struct profile_working_set *set = &view->working_sets[i];
        table_printf(table, "%.0f", set->accesses);
        table_printf(table, "%.0f", set->windows);
        table_number(table, set->truly_shared_bytes * 1e-6, DIGITS);
        table_number(table, set->falsely_shared_bytes * 1e-6, DIGITS);
        table_number(table, set->non_shared_bytes * 1e-6, DIGITS);
    }
    if (view->n_working_sets)
        table_render(table, &style, text);
    table_destroy(table);
}

void profile_details_view(const struct profile_view *view, struct text *text)
{
    const char *before = "parts: ";
    report_pages(&view->sharing, text);
    for (int i = 0; i < PART_COUNT; i++)
        if (view->parts & 1U << i) {
            bool empty = profile_part_is_empty(view, (enum profile_part_index)i);
            text_printf(text, "%s%s%s", before, profile_part_table[i].name,
                        empty ? " (empty: nothing is known of it)" : "");
            before = ", ";
        }
    text_append(text, view->parts ? "\n" : "");
    char note[128];
    if (profile_sample_note(view, note, sizeof note))
        text_printf(text, "%s\n", note);
    if (view->n_working_sets)
        text_append(text, "\n");
    report_working_sets(view, text);
}

/* --- JSON --------------------------------------------------------------------------- */

static void json_pair(struct json *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

void profile_details_json_sharing(struct json *json, const struct profile_sharing *sharing)
{
    json_key(json, "pages_by_sms");
    json_numbers(json, sharing->pages_by_sms, 4);
    json_pair(json, "page_balance", sharing->page_balance);
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
    json_pair(json, "sample_rate", view->sample_rate);
    json_key(json, "working_sets");
    json_begin_array(json);
    for (size_t i = 0; i < view->n_working_sets; i++) {
        const struct profile_working_set *set = &view->working_sets[i];
        json_begin_object(json);
        json_pair(json, "accesses", set->accesses);
        json_pair(json, "windows", set->windows);
        json_pair(json, "truly_shared", set->truly_shared_bytes);
        json_pair(json, "falsely_shared", set->falsely_shared_bytes);
        json_pair(json, "non_shared", set->non_shared_bytes);
        json_end_object(json);
    }
    json_end_array(json);
}

/* What is known, by chapter; exact values of a window are the record's own. */
void profile_details_json_record(struct json *json, const struct profile_record *record,
                                 const struct machine *machine)
{
    json_key(json, "statistics");
    json_begin_object(json);
    for (size_t s = 0; s < CHAPTERS; s++) {
        json_key(json, chapters[s].key);
        json_begin_object(json);
        for (size_t i = 0; i < chapters[s].count; i++) {
            const struct statistic *statistic = &chapters[s].statistics[i];
            double value = statistic_value(statistic, record, machine);
            char key[128];
            if (statistic->key[0] && !isnan(value))
                json_pair(json, of_level(statistic, statistic->key, record, key, sizeof key),
                          value);
        }
        json_end_object(json);
    }
    json_end_object(json);
}

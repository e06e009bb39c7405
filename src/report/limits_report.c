/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/limits_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------ */

/* What a reader calls a resource. */
static const char *words_of(const char *name)
{
    static const char *const words[][2] = {
        {"inter", "the links between chips (inter)"},
        {"noc", "the crossbars (noc)"},
        {"noc reply", "the crossbars for replies (noc reply)"},
        {"p2p", "the point-to-point links (p2p)"},
        {"llc", "the slices of the LLC (llc)"},
        {"llc write", "the way into the slices of the LLC (llc write)"},
        {"memory", "the memories (memory)"},
        {"issue", "the SMs' issue slots (issue)"},
        {"l1", "the lookups of L1 (l1)"},
        {"nodes", "the data ports of the L1 nodes (nodes)"},
        {"walkers", "the walkers of page tables (walkers)"},
        {"dispatch", "the start of warps (dispatch)"},
        {"mshrs", "the MSHRs behind L1 (mshrs)"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return name;
}

static const char *format(double value, struct dim dim, char *buffer, size_t size)
{
    return quantity_format((struct quantity){value, dim}, 4, buffer, size);
}

/* ", inter.link_bandwidth 96 GB/s": the machine's number of it, where it states one. */
static void append_parameter(const struct limits_subject *s, const char *name, struct text *out)
{
    static const char *const fields[] = {"bandwidth", "link_bandwidth"};
    for (int i = 0; i < 2; i++) {
        char path[128], words[64];
        double value;
        struct error ignored;
        snprintf(path, sizeof path, "%s.%s", name, fields[i]);
        if (machine_number(s->design, path, &value, &ignored))
            continue;
        text_printf(out, ", %s %s", path, format(value, DIM_BYTES_PER_S, words, sizeof words));
        return;
    }
}

/* The streams that a resource binds, behind `before`; nothing where there is but one. */
static void append_streams(const struct answer *answer, const struct model_record *record,
                           const char *name, const char *before, struct text *out)
{
    for (int i = 0; i < record->n_streams; i++) {
        const char *limit = answer_limit(answer, record, i), *stream = record->streams[i].name;
        if (!limit || strcmp(limit, name) != 0 || strcmp(stream, "next") == 0 ||
            (strcmp(stream, "all") == 0 && out->length))
            continue;
        text_printf(out, "%s%s", before, stream);
        before = ", ";
    }
}

static void say_limit(const struct limits_subject *s, const struct limit *first, struct text *out)
{
    double here = answer_metric(s->answer, "effective_bandwidth");
    char words[64];
    if (strcmp(first->name, "latency") == 0) {
        text_printf(out,
                    " Its limit is latency: requests in flight are too few to fill any station; "
                    "%.0f %% of what they allow without queues is reached.",
                    100 * first->used);
    } else {
        text_printf(out, " Its limit: %s", words_of(first->name));
        append_parameter(s, first->name, out);
        append_streams(s->answer, s->limits->record, first->name, ", of requests that are ", out);
        text_printf(out, ", %.0f %% used.", 100 * first->used);
    }
    if (!isnan(first->twice))
        text_printf(out, " Twice as much gives %.2fx (%s)", first->twice,
                    format(here * first->twice, DIM_BYTES_PER_S, words, sizeof words));
    if (!isnan(first->twice) && first->behind)
        text_printf(out,
                    strcmp(first->behind, first->name) == 0 ? ", and it still binds"
                                                            : ", then %s binds",
                    first->behind);
    text_append(out, isnan(first->twice) ? "" : ".");
}

static void say_next(const struct limits_subject *s, const struct limit *first, struct text *out)
{
    const struct limits *limits = s->limits;
    char words[64];
    if (!isnan(limits->next_bytes_per_s) && limits->next) {
        bool same = strcmp(limits->next, first->name) == 0;
        text_printf(out, " With more than enough of it %s%s binds, at %s.", limits->next,
                    same ? " still" : "",
                    format(limits->next_bytes_per_s, DIM_BYTES_PER_S, words, sizeof words));
        return;
    }
    for (size_t i = 0; i < limits->count; i++)
        if (limits->next && strcmp(limits->items[i].name, limits->next) == 0)
            text_printf(out, " Next is %s, %.0f %% used.", words_of(limits->next),
                        100 * limits->items[i].used);
}

/* Where launches begin and end is no station's; a tenth of the time is worth a word. */
static void say_ends(const struct limits_subject *s, struct text *out)
{
    double share = answer_metric(s->answer, "start_time") / answer_metric(s->answer, "kernel_time");
    if (share > 0.1)
        text_printf(out, " %.0f %% of the kernel time is how launches begin and end (start_time).",
                    100 * share);
}

static void say_knob(const struct limits_subject *s, struct text *out)
{
    const struct elasticity *k = s->knob;
    char words[64];
    if (!k)
        return;
    bool more = k->elasticity > 0;
    text_printf(out, " Of the machine's numbers %s (%s) helps most: 20 %% %s gives %.1f %% more",
                k->path, format(k->value, k->dim, words, sizeof words), more ? "more" : "less",
                100 * (more ? k->more : k->less));
    text_printf(out, " (elasticity %.2f).", k->elasticity);
}

const struct elasticity *limits_best_knob(const struct elasticities *found)
{
    const struct elasticity *best = NULL;
    double most = 1e-3;
    for (size_t i = 0; i < found->count; i++) {
        /* What a small change does not move is a switch, or bends just there. */
        const struct elasticity *e = &found->items[i];
        double gain = e->elasticity > 1e-3 ? e->more : e->elasticity < -1e-3 ? e->less : 0;
        if (gain > most) {
            most = gain;
            best = e;
        }
    }
    return best;
}

void limits_say(const struct limits_subject *s, struct text *out)
{
    const struct answer *answer = s->answer;
    const struct limits *limits = s->limits;
    double time = answer_metric(answer, "kernel_time");
    char words[64];
    text_printf(
        out, "%s on %s, %s, reaches %s by %s", s->workload, s->machine, answer->result.organisation,
        format(answer_metric(answer, "effective_bandwidth"), DIM_BYTES_PER_S, words, sizeof words),
        answer->result.model->plugin.name);
    if (!isnan(time))
        text_printf(out, " (kernel time %s)", format(time, DIM_SECONDS, words, sizeof words));
    text_append(out, ".");
    if (limits->record && answer->result.n_records > 1 && !isnan(limits->share))
        text_printf(out, " %s takes %.0f %% of it: it is what is looked at.",
                    limits->record->record->name, 100 * limits->share);
    if (limits->count == 0) {
        text_append(out, " The model names no resource that limits it.");
        return;
    }
    say_limit(s, &limits->items[0], out);
    say_next(s, &limits->items[0], out);
    say_ends(s, out);
    say_knob(s, out);
}

/* --- sheets ------------------------------------------------------------------------------- */

struct sheet *limits_sheet(const struct answer *answer, const struct limits *limits)
{
    static const struct sheet_column columns[] = {
        {"resource", "resource", NULL, SHEET_TEXT},
        {"binds", "binds", NULL, SHEET_TEXT}, /* which streams */
        {"used", "used", NULL, SHEET_SHARE},
        {"twice", "twice gives", "x", SHEET_FIXED, .digits = 3},
        {"behind", "then binds", NULL, SHEET_TEXT},
        {NULL}};
    struct sheet *sheet = sheet_create(columns);
    for (size_t i = 0; i < limits->count; i++) {
        const struct limit *l = &limits->items[i];
        struct text binds = {0};
        append_streams(answer, limits->record, l->name, "", &binds);
        struct sheet_cell cells[] = {
            {l->name}, {binds.data}, {.number = l->used}, {.number = l->twice}, {l->behind}};
        sheet_add(sheet, cells);
        text_free(&binds);
    }
    return sheet;
}

/* Where the paper has what goes by the name, and how it calls it; NULL: the model does not say. */
static const struct model_source *source_of(const struct answer *answer, const char *name)
{
    const struct model_source *source = answer->result.model->sources;
    for (; source && source->term && name; source++)
        if (strcmp(source->term, name) == 0)
            return source;
    return NULL;
}

struct way {
    const struct model_station *station;
    double stay;
};

static int compare_ways(const void *a, const void *b)
{
    const struct way *left = a, *right = b;
    if (left->stay != right->stay)
        return left->stay > right->stay ? -1 : 1;
    return strcmp(left->station->name, right->station->name);
}

struct sheet *limits_stations(const struct answer *answer, const struct model_record *record)
{
    static const struct sheet_column columns[] = {
        {"station", "station", NULL, SHEET_TEXT},
        {"symbol", "symbol", NULL, SHEET_TEXT}, /* of its stay; none: the model does not say */
        {"service", "service", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
        {"waiting", "waiting", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
        {"used", "utilisation", NULL, SHEET_SHARE},
        {"share", "share of time", NULL, SHEET_SHARE},
        {NULL}};
    struct way ways[MODEL_STATIONS_MAX];
    const double *values = answer->values;
    double all = 0;
    if (record->n_stations == 0)
        return NULL;
    for (int i = 0; i < record->n_stations; i++) {
        ways[i] = (struct way){&record->stations[i], values[record->stations[i].stay]};
        all += ways[i].stay;
    }
    qsort(ways, (size_t)record->n_stations, sizeof *ways, compare_ways);
    struct sheet *sheet = sheet_create(columns);
    for (int i = 0; i < record->n_stations; i++) {
        const struct model_station *s = ways[i].station;
        double service = values[s->service];
        const struct model_source *source = source_of(answer, s->name);
        SHEET_TEXTS(sheet, s->name, source ? source->symbol : NULL);
        SHEET_NUMBERS(sheet, service, s->used < 0 ? (double)NAN : fmax(0, ways[i].stay - service),
                      s->used < 0 ? (double)NAN : values[s->used], ways[i].stay / all);
    }
    return sheet;
}

struct launch {
    const struct model_record *record;
    size_t place;
    double time;
};

static int compare_launches(const void *a, const void *b)
{
    const struct launch *left = a, *right = b;
    if (left->time != right->time)
        return left->time > right->time ? -1 : 1;
    return left->place < right->place ? -1 : 1;
}

static void add_launch(const struct answer *answer, const struct launch *l, struct sheet *sheet)
{
    struct text limits = {0};
    text_append(&limits, "");
    for (int i = 0; i < l->record->n_streams; i++) {
        const char *limit = answer_limit(answer, l->record, i);
        text_printf(&limits, "%s%s: %s", i ? ", " : "", l->record->streams[i].name,
                    limit ? limit : "-");
    }
    struct sheet_cell cells[] = {
        {l->record->record->name},
        {.number = (double)l->record->record->launches},
        {.number = l->time / answer_metric(answer, "kernel_time")},
        {.number = limits_metric(answer, l->record, "effective_bandwidth")},
        {limits.data}};
    sheet_add(sheet, cells);
    text_free(&limits);
}

struct sheet *limits_launches(const struct answer *answer, size_t most)
{
    static const struct sheet_column columns[] = {
        {"kernel", "kernel", NULL, SHEET_TEXT},
        {"launches", "launches", NULL, SHEET_COUNT},
        {"share", "of the time", NULL, SHEET_SHARE},
        {"effective_bandwidth", "bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
        {"limited_by", "limited by", NULL, SHEET_TEXT},
        {NULL}};
    struct sheet *sheet = sheet_create(columns);
    size_t n = 0;
    struct launch *all = memory_zero(answer->result.n_records, sizeof *all);
    for (size_t r = 0; r < answer->result.n_records; r++)
        if (!answer->result.records[r].empty) {
            const struct model_record *record = &answer->result.records[r];
            all[n++] = (struct launch){record, r, limits_metric(answer, record, "kernel_time")};
        }
    qsort(all, n, sizeof *all, compare_launches);
    for (size_t i = 0; i < n && (most == 0 || i < most); i++)
        add_launch(answer, &all[i], sheet);
    if (most && n > most)
        sheet_add_note(sheet, "... and %zu more", n - most);
    free(all);
    return sheet;
}

struct sheet *limits_knobs(const struct elasticities *found, size_t most)
{
    static const struct sheet_column columns[] = {
        {"parameter", "parameter", NULL, SHEET_TEXT},
        {"value", NULL, NULL, SHEET_NUMBER},
        {NULL, "value", NULL, SHEET_TEXT},
        {"elasticity", "elasticity", NULL, SHEET_FIXED, .digits = 3},
        {"less", "20 % less", "%", SHEET_PERCENT},
        {"more", "20 % more", "%", SHEET_PERCENT},
        {NULL}};
    struct sheet *sheet = sheet_create(columns);
    for (size_t i = 0; i < found->count && (most == 0 || i < most); i++) {
        const struct elasticity *e = &found->items[i];
        char value[64];
        struct sheet_cell cells[] = {{e->path},
                                     {.number = e->value},
                                     {format(e->value, e->dim, value, sizeof value)},
                                     {.number = e->elasticity},
                                     {.number = e->less},
                                     {.number = e->more}};
        sheet_add(sheet, cells);
    }
    return sheet;
}

/* Less of the logarithm does not show in a table. */
#define SMALL_PART 5e-4

static void add_difference(struct sheet *sheet, const char *name, struct dim dim,
                           const double *values, double part)
{
    char texts[2][64];
    for (int side = 0; side < 2; side++)
        if (isnan(values[side]))
            snprintf(texts[side], sizeof texts[side], "-");
        else if (isinf(values[side]))
            snprintf(texts[side], sizeof texts[side], "no limit");
        else
            format(values[side], dim, texts[side], sizeof texts[side]);
    struct sheet_cell cells[] = {
        {name},     {.number = values[0]}, {.number = values[1]}, {texts[0]},
        {texts[1]}, {.number = part},      {.number = exp(part)}};
    sheet_add(sheet, cells);
}

struct sheet *limits_differences(const struct differences *found, const char *const names[2],
                                 const double times_s[2], bool all)
{
    static const double unknown[2] = {(double)NAN, (double)NAN};
    const struct sheet_column columns[] = {
        {"term", "term", NULL, SHEET_TEXT},
        {"first", NULL, NULL, SHEET_NUMBER},
        {"second", NULL, NULL, SHEET_NUMBER},
        {NULL, names[0], NULL, SHEET_TEXT},
        {NULL, names[1], NULL, SHEET_TEXT},
        {"contribution", "ln of time", NULL, SHEET_FIXED, .digits = 3},
        {"factor", "as a factor", NULL, SHEET_FIXED, .digits = 3},
        {NULL}};
    struct sheet *sheet = sheet_create(columns);
    size_t n = 0;
    double rest = 0;
    char others[64];
    for (; n < found->count && (all || fabs(found->items[n].contribution) >= SMALL_PART); n++)
        add_difference(sheet, found->items[n].name, found->items[n].dim, found->items[n].values,
                       found->items[n].contribution);
    for (size_t i = n; i < found->count; i++)
        rest += found->items[i].contribution;
    snprintf(others, sizeof others, "%zu others", found->count - n);
    if (n < found->count)
        add_difference(sheet, others, DIM_NONE, unknown, rest);
    if (found->count)
        sheet_add_rule(sheet);
    add_difference(sheet, "time", DIM_SECONDS, times_s, found->log_ratio);
    return sheet;
}

/* --- the tree ------------------------------------------------------------------------------- */

enum { TREE_DEPTH = 10 };

static bool is_open(const struct term *term, enum expression_op op)
{
    return term->kind == TERM_OPERATION && !term->resource && term->op == op;
}

/* Minima and sums, and products of a minimum or a sum. */
static bool opens(const struct answer *answer, const struct term *term)
{
    bool found = is_open(term, EXPRESSION_MIN) || is_open(term, EXPRESSION_ADD);
    for (int i = 0; is_open(term, EXPRESSION_MULTIPLY) && i < term->n_args; i++) {
        const struct term *arg = term_get(answer->graph, term->args[i]);
        found = found || is_open(arg, EXPRESSION_MIN) || is_open(arg, EXPRESSION_ADD);
    }
    return found;
}

/* Behind branches: the one that was taken. */
static int taken(const struct answer *answer, int index)
{
    const struct term *term = term_get(answer->graph, index);
    while (!term->resource && term->kind == TERM_OPERATION && term->op == EXPRESSION_IF) {
        index = term->args[answer->values[term->args[0]] != 0 ? 1 : 2];
        term = term_get(answer->graph, index);
    }
    return index;
}

static int source_width(const struct answer *answer)
{
    const struct model_source *source = answer->result.model->sources;
    size_t width = 0;
    for (; source && source->term; source++)
        width = strlen(source->source) > width ? strlen(source->source) : width;
    return (int)width;
}

static void tree(const struct answer *answer, int index, bool binds, int depth, struct text *out)
{
    int width = source_width(answer);
    const struct term *term = term_get(answer->graph, index);
    char value[64], left[160];
    bool open = opens(answer, term) && depth < TREE_DEPTH;
    const struct model_source *source = source_of(answer, term->name);
    const char *name = source && source->symbol ? source->symbol
                       : term->name             ? term->name
                       : open                   ? ""
                       : term->resource         ? term->resource
                                                : "...";
    if (!(answer->values[index] < HUGE_VAL)) /* no limit */
        return;
    snprintf(left, sizeof left, "%*s%s%s%s", 2 * depth, "", name, *name && open ? " = " : "",
             open ? expression_op_symbol(term->op) : "");
    format(answer->values[index], term->dim, value, sizeof value);
    text_printf(out, "  %-*.60s %12s%s%-*s%s%s%s", width ? 32 : 36, left, value, width ? "  " : "",
                width, source ? source->source : "", term->resource ? "  " : "",
                term->resource ? term->resource : "", binds ? "  <- binds" : "");
    while (out->length && out->data[out->length - 1] == ' ')
        out->length--;
    text_append(out, "\n");
    int bound = term_binding(answer->graph, index, answer->values);
    for (int i = 0; open && i < term->n_args; i++)
        tree(answer, taken(answer, term->args[i]), term->args[i] == bound, depth + 1, out);
}

static bool has_minimum(const struct answer *answer, int index)
{
    const struct term *term = term_get(answer->graph, index);
    bool found = term->op == EXPRESSION_MIN;
    for (int i = 0; opens(answer, term) && i < term->n_args && !found; i++)
        found = has_minimum(answer, taken(answer, term->args[i]));
    return opens(answer, term) && found;
}

void limits_tree(const struct answer *answer, const struct model_record *record, struct text *out)
{
    int done = -1;
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, "effective_bandwidth") == 0)
            done = taken(answer, record->metrics[i].term);
    if (done >= 0 && has_minimum(answer, done)) {
        tree(answer, done, false, 0, out);
        return;
    }
    /* What is made of streams (a choice that turns within the launch): each by itself. */
    for (int i = 0; i < record->n_streams; i++) {
        int term = taken(answer, record->streams[i].term);
        if (has_minimum(answer, term))
            tree(answer, term, false, 0, out);
    }
}

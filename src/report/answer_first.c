/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/answer_first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer_kinds.h"
#include "report/fold.h"

enum { LIMITS_TEXT = 160, RANGE_TEXT = 64, LINE_WIDTH = 80 };

/* --- which rows ------------------------------------------------------------------ */

static size_t answered_by(const struct answer_row *rows, size_t count, const struct model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += rows[i].answer->result.model == model;
    return n;
}

static size_t rows_of_workload(const struct answer_row *rows, size_t count)
{
    size_t n = 1;
    while (n < count && rows[n].workload == rows[0].workload)
        n++;
    return n;
}

void answer_first_mark(const struct answer_row *rows, size_t count, bool *marked)
{
    for (size_t from = 0; from < count;) {
        size_t n = rows_of_workload(rows + from, count - from), most = 0;
        const struct model *best = rows[from].answer->result.model, *model;
        for (int place = 1; (model = model_first(place)); place++) {
            size_t answered = answered_by(rows + from, n, model);
            if (answered > most) {
                most = answered;
                best = model;
            }
        }
        for (size_t i = from; i < from + n; i++)
            marked[i] = rows[i].answer->result.model == best;
        from += n;
    }
}

/* --- cells ------------------------------------------------------------------------- */

/* Of the first stream. */
static void first_limit(const struct answer *answer, const struct model_record *record, char *out,
                        size_t size)
{
    const char *limit = answer_limit(answer, record, 0);
    double ratio, value = answer->values[record->streams[0].term];
    const char *next = answer_next_limit(answer, record, 0, &ratio);
    struct dim dim = term_get(answer->graph, record->streams[0].term)->dim;
    if (!limit)
        snprintf(out, size, "-");
    else if (!next)
        snprintf(out, size, "%s", limit);
    else if (dim_equal(dim, DIM_NONE)) /* utilisations */
        snprintf(out, size, "%s %.0f %%, %s %.0f %%", limit, 100 * value, next,
                 100 * value * ratio);
    else
        snprintf(out, size, "%s, %s at %.3gx", limit, next, ratio);
}

/* What limits an answer and what comes next: "latency 76 %, issue 35 %" (how busy they are),
 * "inter, memory at 2.2x" (how much more that one allows); of several streams as answer_limits. */
static void answer_first_limits(const struct answer *answer, char *out, size_t size)
{
    const struct model_record *record = answer_dominant(answer);
    int streams = record ? record->n_streams : 0;
    /* The network's "next" is what stands behind "all" already. */
    bool one = streams == 1 || (streams == 2 && strcmp(record->streams[1].name, "next") == 0);
    out[0] = '\0';
    if (one)
        first_limit(answer, record, out, size);
    for (int i = 0; i < streams && !one; i++) {
        const char *limit = answer_limit(answer, record, i);
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s %s", i ? ", " : "", record->streams[i].name,
                 limit ? limit : "-");
    }
}

static double rate_of(const struct answer *answer)
{
    return answer_metric(answer, "effective_bandwidth");
}

/* Seconds, or what is as good where no time is known: the reciprocal of the bandwidth. */
static double time_of(const struct answer *answer)
{
    double time = answer_metric(answer, "kernel_time");
    return isnan(time) ? 1 / rate_of(answer) : time;
}

/* The bandwidths of the kinds but row i's own: "0.828 - 4.83 TB/s", in one unit. */
static void other_kinds(const struct answer_row *rows, size_t count, size_t i, char *out,
                        size_t size)
{
    struct answer_of_kind kinds[ANSWER_KINDS_MAX];
    char own[ANSWER_KIND_TEXT], high[32], low[24];
    size_t n = answer_kinds_find(rows, count, i, kinds);
    double least = HUGE_VAL, most = 0, shown;
    answer_kind(rows[i].answer, own, sizeof own);
    for (size_t k = 0; k < n; k++) {
        if (strcmp(kinds[k].kind, own) == 0)
            continue;
        least = fmin(least, rate_of(kinds[k].answer));
        most = fmax(most, rate_of(kinds[k].answer));
    }
    snprintf(out, size, "-");
    if (!(most > 0))
        return;
    quantity_format((struct quantity){most, DIM_BYTES_PER_S}, 3, high, sizeof high);
    const char *unit = strchr(high, ' ');
    double in_unit = most / strtod(high, NULL);
    shown = least / in_unit;
    if (most / least < 1.005 || !unit)
        snprintf(out, size, "%s", high);
    else
        snprintf(out, size, "%s - %s", number_round(shown, shown < 0.1 ? 2 : 3, low, sizeof low),
                 high);
}

static struct sheet *first_sheet(const struct answer_row *rows, size_t count, const bool *marked)
{
    static const struct sheet_column fixed[] = {
        {NULL, "organisation", NULL, SHEET_TEXT},
        {NULL, "bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
        {NULL, "time", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
        {NULL, "speed-up", NULL, SHEET_FIXED, .digits = 3},
        {NULL, "limited by, next", NULL, SHEET_TEXT},
        {NULL, "other kinds", NULL, SHEET_TEXT},
        {NULL}};
    struct sheet_columns columns = {0};
    /* 80 columns: a speed-up is of times, and where machines differ there are many rows. */
    bool speedup = rows[0].baseline, varied = rows[0].n_varied > 0;
    const bool shown[] = {true, true, !speedup, speedup, true, !varied, true};
    answer_varied_columns(&rows[0], &columns);
    for (size_t c = 0; c < sizeof fixed / sizeof *fixed; c++)
        if (shown[c])
            VECTOR_PUSH(&columns, fixed[c]);
    struct sheet *sheet = sheet_create(columns.items);
    for (size_t i = 0; i < count; i++) {
        char limits[LIMITS_TEXT], range[RANGE_TEXT];
        if (!marked[i])
            continue;
        answer_varied_cells(&rows[i], sheet);
        answer_first_limits(rows[i].answer, limits, sizeof limits);
        other_kinds(rows, count, i, range, sizeof range);
        SHEET_TEXTS(sheet, rows[i].answer->result.organisation);
        SHEET_NUMBERS(sheet, rate_of(rows[i].answer),
                      speedup ? rows[i].speedup : answer_metric(rows[i].answer, "kernel_time"));
        SHEET_TEXTS(sheet, limits);
        if (!varied)
            SHEET_TEXTS(sheet, range);
    }
    VECTOR_FREE(&columns);
    return sheet;
}

/* --- lines beneath -------------------------------------------------------------------- */

/* Breaks at blanks; later lines are indented. */
static void add_wrapped(const char *line, struct text *out)
{
    size_t used = 0;
    for (const char *word = line; *word;) {
        size_t length = strcspn(word, " ");
        if (used && used + 1 + length > LINE_WIDTH) {
            text_append(out, "\n  ");
            used = 2;
        } else if (used) {
            text_append(out, " ");
            used++;
        }
        text_append_bytes(out, word, length);
        used += length;
        word += length + strspn(word + length, " ");
    }
    text_append(out, "\n");
}

/* What choosing organisations chose, where launches differ or are too late. */
static void add_choices(const struct answer_row *rows, size_t count, const bool *marked,
                        struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct answer *answer = rows[i].answer;
        const struct model_record *record = answer_dominant(answer);
        size_t choices, chosen = answer_decisions(answer, &choices);
        size_t early = answer_unturned(answer);
        struct text line = {0};
        if (!marked[i] || !choices || !record)
            continue;
        text_printf(&line, "%s: %zu of %zu kernels %s", answer->result.organisation, chosen,
                    choices, record->other ? record->other : "otherwise");
        if (early)
            text_printf(&line, ", %zu too late", early);
        if (!text_has_line(out, line.data))
            text_printf(out, "%s\n", line.data);
        text_free(&line);
    }
}

/* Marked rows of one machine: what they compare is the organisation. */
struct rivals {
    const struct answer_row *rows;
    size_t count; /* of all rows */
    struct {
        size_t *items;
        size_t count, capacity;
    } at;
    double best;
};

static const char *organisation_of(const struct rivals *r, size_t k)
{
    return r->rows[r->at.items[k]].answer->result.organisation;
}

static const struct answer *answer_by(const struct rivals *r, size_t k, const char *kind)
{
    struct answer_of_kind kinds[ANSWER_KINDS_MAX];
    size_t n = answer_kinds_find(r->rows, r->count, r->at.items[k], kinds);
    for (size_t i = 0; i < n; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].answer;
    return NULL;
}

static bool is_best(const struct rivals *r, size_t k)
{
    return time_of(r->rows[r->at.items[k]].answer) <= ANSWER_FIRST_ALIKE * r->best;
}

/* "sm-side is preferred, 1.34 times as fast as memory-side", or that none is. */
static void add_preference(const struct rivals *r, struct text *line)
{
    size_t first = 0, alike = 0, next = SIZE_MAX, said = 0;
    for (size_t k = 0; k < r->at.count; k++) {
        double time = time_of(r->rows[r->at.items[k]].answer);
        alike += is_best(r, k);
        if (time == r->best)
            first = k;
        if (!is_best(r, k) &&
            (next == SIZE_MAX || time < time_of(r->rows[r->at.items[next]].answer)))
            next = k;
    }
    if (alike == 1) {
        text_printf(line, "Preferred: %s, %.3g times as fast as %s.", organisation_of(r, first),
                    time_of(r->rows[r->at.items[next]].answer) / r->best, organisation_of(r, next));
        return;
    }
    text_append(line, "No preference: ");
    for (size_t k = 0; k < r->at.count; k++) {
        if (!is_best(r, k))
            continue;
        text_printf(line, "%s%s",
                    !said               ? ""
                    : said + 1 == alike ? " and "
                                        : ", ",
                    organisation_of(r, k));
        said++;
    }
    text_printf(line, " are within %.0f %%", 100 * (ANSWER_FIRST_ALIKE - 1));
    if (next < SIZE_MAX)
        text_printf(line, "; %s is %.3g times slower", organisation_of(r, next),
                    time_of(r->rows[r->at.items[next]].answer) / r->best);
    text_append(line, ".");
}

/* A kind that finds worse what the first answer finds as good as the best. */
static bool disagrees(const struct rivals *r, const char *kind, struct text *line)
{
    const struct answer *best = NULL;
    const char *prefers = NULL;
    double loss = 1;
    for (size_t k = 0; k < r->at.count; k++) {
        const struct answer *answer = answer_by(r, k, kind);
        if (!answer)
            return false;
        if (!best || time_of(answer) < time_of(best)) {
            best = answer;
            prefers = organisation_of(r, k);
        }
    }
    for (size_t k = 0; k < r->at.count; k++)
        if (is_best(r, k))
            loss = fmax(loss, time_of(answer_by(r, k, kind)) / time_of(best));
    if (loss > ANSWER_FIRST_ALIKE)
        text_printf(line, "%s %s prefers %s by %.3gx", line->length ? "," : "Kinds disagree:", kind,
                    prefers, loss);
    return loss > ANSWER_FIRST_ALIKE;
}

/* Bandwidth and time are one, but for the bytes: an L1 that has more asks for fewer. */
static void add_opposites(const struct rivals *r, struct text *line)
{
    for (size_t a = 0; a < r->at.count; a++)
        for (size_t b = 0; b < r->at.count; b++) {
            const struct answer *x = r->rows[r->at.items[a]].answer;
            const struct answer *y = r->rows[r->at.items[b]].answer;
            if (!(time_of(x) * ANSWER_FIRST_ALIKE < time_of(y)) ||
                !(rate_of(x) * ANSWER_FIRST_ALIKE < rate_of(y)))
                continue;
            text_printf(line,
                        "Bandwidth and time rank %s and %s oppositely: they ask for different "
                        "bytes. Time decides.",
                        organisation_of(r, a), organisation_of(r, b));
            return;
        }
}

static void add_line(const char *label, struct text *line, struct text *out)
{
    struct text whole = {0};
    if (line->length) {
        text_printf(&whole, "%s%s%s", label, *label ? ": " : "", line->data);
        add_wrapped(whole.data, out);
    }
    text_free(&whole);
    text_free(line);
}

/* Of one machine: its marked rows. */
static void add_comparison(const struct rivals *r, const char *label, struct text *out)
{
    static const char *const names[] = {"EAB-style", "bottleneck", "network", NULL};
    struct text preference = {0}, disagreement = {0}, opposites = {0};
    char own[ANSWER_KIND_TEXT];
    if (r->at.count < 2)
        return;
    add_preference(r, &preference);
    add_line(label, &preference, out);
    answer_kind(r->rows[r->at.items[0]].answer, own, sizeof own);
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], own) != 0)
            disagrees(r, names[i], &disagreement);
    if (disagreement.length)
        text_append(&disagreement, ".");
    add_line(label, &disagreement, out);
    add_opposites(r, &opposites);
    add_line(label, &opposites, out);
}

static void row_label(const struct answer_row *row, struct text *out)
{
    for (size_t v = 0; v < row->n_varied; v++) {
        struct answer_varied value;
        char words[64];
        answer_varied(row, v, &value);
        quantity_format((struct quantity){value.number, value.dim}, 4, words, sizeof words);
        text_printf(out, "%s%s", v ? ", " : "", value.name ? value.name : words);
    }
}

static void add_comparisons(const struct answer_row *rows, size_t count, const bool *marked,
                            struct text *out)
{
    for (size_t i = 0; i < count;) {
        struct rivals r = {.rows = rows, .count = count, .best = HUGE_VAL};
        struct text label = {0};
        size_t next = i;
        for (; next < count && rows[next].built == rows[i].built; next++)
            if (marked[next]) {
                VECTOR_PUSH(&r.at, next);
                r.best = fmin(r.best, time_of(rows[next].answer));
            }
        row_label(&rows[i], &label);
        add_comparison(&r, label.data ? label.data : "", out);
        text_free(&label);
        VECTOR_FREE(&r.at);
        i = next;
    }
}

/* Why kinds differ, where they do: what each leaves out. */
static void add_reasons(const struct answer_row *rows, size_t count, const bool *marked,
                        struct text *out)
{
    bool apart = false;
    for (size_t i = 0; i < count; i++)
        apart =
            apart || (marked[i] && answer_kinds_spread(rows, count, i, NULL) > ANSWER_KINDS_APART);
    if (apart && rows[0].n_varied == 0)
        text_append(out, "Why: EAB-style saturates each stream alone; the bottleneck knows no "
                         "latency.\n");
}

static void print_workload(const struct answer_row *rows, size_t count, const bool *marked,
                           const struct table_style *style, struct text *out)
{
    size_t first = 0;
    struct text lines = {0};
    while (!marked[first])
        first++;
    const struct model *model = rows[first].answer->result.model;
    text_printf(out, "%s on %s, answered by %s", rows[0].workload, rows[0].machine,
                model->plugin.name);
    if (strcmp(model->plugin.name, model->answer) != 0)
        text_printf(out, " (%s)", model->answer);
    text_append(out, "\n\n");
    struct sheet *sheet = first_sheet(rows, count, marked);
    table_render(sheet, NULL, style, out);
    sheet_destroy(sheet);
    add_choices(rows, count, marked, &lines);
    add_comparisons(rows, count, marked, &lines);
    add_reasons(rows, count, marked, &lines);
    if (lines.length) {
        text_append(out, "\n");
        fold_lines(lines.data, style->width, out);
    }
    text_free(&lines);
}

void answer_first_print(const struct answer_row *rows, size_t count,
                        const struct table_style *style, struct text *out)
{
    bool *marked = memory_zero(count, sizeof *marked);
    answer_first_mark(rows, count, marked);
    for (size_t from = 0; from < count;) {
        size_t n = rows_of_workload(rows + from, count - from);
        text_append(out, from ? "\n" : "");
        print_workload(rows + from, n, marked + from, style, out);
        from += n;
    }
    free(marked);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of Nsight Compute: header, rows, and the cells of metrics. */
#include "profile/files/ncu_table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/unit.h"

/* --- metrics and their units --------------------------------------------------- */

enum unit_kind { SECTOR, REQUEST, BYTE, SECOND, RATIO };

static const struct metric_row {
    const char *name;
    enum unit_kind unit;
} metric_table[NCU_METRIC_COUNT] = {
#define METRIC_ROW(symbol, name, unit) [symbol] = {name, unit},
    NCU_METRICS(METRIC_ROW) NCU_OTHER_METRICS(METRIC_ROW)
#undef METRIC_ROW
};

const char *ncu_metric_name(enum ncu_metric metric)
{
    return metric_table[metric].name;
}

/* NCU_METRIC_COUNT: not one that a profile reads. */
static enum ncu_metric metric_find(const char *name)
{
    int metric = 0;
    while (metric < NCU_METRIC_COUNT && strcmp(metric_table[metric].name, name) != 0)
        metric++;
    return (enum ncu_metric)metric;
}

/* value * times / per is in SI units: a division by 10^9 is exact where a
 * multiplication by 10^-9 is not. */
struct scale {
    double times, per;
};

/* Counts: "sector", "Ksector", "Mbyte", "requests", or nothing. */
static bool scan_count_unit(const char *text, const char *base, struct scale *out)
{
    static const char prefixes[] = "KMGT";
    size_t length = strlen(base);
    const char *prefix = *text ? strchr(prefixes, *text) : NULL;
    *out = (struct scale){1, 1};
    for (const char *p = prefixes; prefix && p <= prefix; p++)
        out->times *= 1000;
    text += prefix != NULL;
    if (*text == '\0')
        return !prefix; /* --print-units base leaves it out */
    return strncmp(text, base, length) == 0 &&
           strcmp(text + length + (text[length] == 's'), "") == 0;
}

static bool scan_time_unit(const char *text, struct scale *out)
{
    static const struct {
        const char *name, *symbol;
        double per;
    } units[] = {
        {"second", "s", 1}, {"msecond", "ms", 1e3}, {"usecond", "us", 1e6}, {"nsecond", "ns", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text, units[i].name) == 0 || strcmp(text, units[i].symbol) == 0) {
            *out = (struct scale){1, units[i].per};
            return true;
        }
    return false;
}

static bool scan_unit(const char *text, enum unit_kind kind, struct scale *out)
{
    static const char *const bases[] = {
        [SECTOR] = "sector", [REQUEST] = "request", [BYTE] = "byte"};
    if (kind == SECOND)
        return scan_time_unit(text, out);
    if (kind != RATIO)
        return scan_count_unit(text, bases[kind], out);
    *out = (struct scale){1, 100};
    return strcmp(text, "%") == 0 || *text == '\0';
}

/* --- numbers --------------------------------------------------------------------- */

static bool is_unknown(const char *text)
{
    static const char *const words[] = {"", "n/a", "nan", "-nan", "inf", "-inf"};
    text += strncmp(text, "(!) ", 4) == 0 ? 4 : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* "1234.5" or "1,234.5": commas only before groups of three digits. */
static bool scan_number(const char *text, double *out)
{
    char plain[64];
    size_t whole = strspn(text, "0123456789,"), first = strspn(text, "0123456789"), n = 0;
    if (strlen(text) >= sizeof plain || memchr(text + whole, ',', strlen(text + whole)))
        return false;
    if (first < whole && (first == 0 || first > 3 || text[0] == '0' || (whole - first) % 4 != 0))
        return false;
    for (size_t i = 0; text[i]; i++) {
        if (i >= first && i < whole && (text[i] == ',') != ((i - first) % 4 == 0))
            return false;
        if (text[i] != ',')
            plain[n++] = text[i];
    }
    plain[n] = '\0';
    return number_scan(plain, out) && !signbit(*out);
}

/* "9,00", "0,125", "1.234,5": printed under a locale in which the comma is the
 * decimal point. Then "1,234" would be misread too. */
static bool has_decimal_comma(const char *text)
{
    double ignored;
    const char *comma = strchr(text, ',');
    return comma && isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789.,")] == '\0' &&
           !strpbrk(comma + 1, ",.") && !scan_number(text, &ignored);
}

/* --- the reader ------------------------------------------------------------------ */

enum { NO_COLUMN = -1 };

struct reader {
    struct ncu_table *table;
    const struct csv_text *text;
    struct {
        struct csv_field *items;
        size_t count, capacity;
    } row;
    size_t columns;
    long process, id, name, grid, block, metric, unit, value; /* columns */
    struct {
        enum ncu_metric metric; /* NCU_METRIC_COUNT: not read */
        bool counter;           /* the title is a metric's */
        struct scale scale;
    } * wide; /* of each column; NULL in the long form */
    struct text scratch;
    struct error *error;
};

static int refuse(const struct reader *r, const char *at, const char *message)
{
    return csv_text_refuse(r->text, at, r->error, message);
}

static const char *field_place(struct csv_field field)
{
    return field.begin + (field.begin < field.end && *field.begin == '"');
}

/* What is in the cell, without blanks at its ends; until the next use. */
static const char *field_text(struct reader *r, struct csv_field field)
{
    csv_field_unquote(field, &r->scratch);
    while (r->scratch.length > 0 && strchr(" \t", r->scratch.data[r->scratch.length - 1]))
        r->scratch.data[--r->scratch.length] = '\0';
    return r->scratch.data + strspn(r->scratch.data, " \t");
}

static int row_split(struct reader *r, const char **at)
{
    for (r->row.count = 0;; ++*at) {
        struct csv_field field = {*at, *at};
        int status = csv_field_pass(r->text, at, r->error);
        if (status)
            return status;
        field.end = *at;
        VECTOR_PUSH(&r->row, field);
        if (**at != ',')
            break;
    }
    *at = csv_line_end_pass(r->text, *at);
    return 0;
}

static int field_number(struct reader *r, struct csv_field field, const char *what, double *out)
{
    const char *text = field_text(r, field);
    *out = (double)NAN;
    if (is_unknown(text) || scan_number(text, out))
        return 0;
    struct mark mark = csv_text_mark(r->text, field_place(field));
    error_at(r->error, STATUS_INPUT, &mark, "%s: expected a number such as 1,234.5, got \"%.40s\"",
             what, text);
    if (has_decimal_comma(text))
        error_hint(r->error, "this looks like a decimal comma: run ncu with LC_ALL=C");
    return STATUS_INPUT;
}

static int field_scale(struct reader *r, struct csv_field field, enum ncu_metric metric,
                       struct scale *out)
{
    static const char *const expected[] = {[SECTOR] = "sector, Ksector, Msector",
                                           [REQUEST] = "request, Krequest",
                                           [BYTE] = "byte, Kbyte, Mbyte, Gbyte",
                                           [SECOND] = "nsecond, usecond, ms or s",
                                           [RATIO] = "%"};
    enum unit_kind kind = metric_table[metric].unit;
    const char *text = field_text(r, field);
    if (scan_unit(text, kind, out))
        return 0;
    struct mark mark = csv_text_mark(r->text, field_place(field));
    return error_at(r->error, STATUS_INPUT, &mark, "%s: expected the unit %s, got \"%.40s\"",
                    metric_table[metric].name, expected[kind], text);
}

/* "(256, 1, 1)" or "256,1,1". */
static int field_shape(struct reader *r, long column, uint32_t out[3])
{
    if (column == NO_COLUMN)
        return 0;
    struct csv_field field = r->row.items[column];
    const char *text = field_text(r, field);
    int n = 0;
    if (is_unknown(text))
        return 0;
    text += *text == '(';
    for (bool more = true; more && n < 3; n++) {
        unsigned long long number = 0;
        text += strspn(text, " ");
        more = isdigit((unsigned char)*text);
        while (isdigit((unsigned char)*text) && number <= UINT32_MAX)
            number = number * 10 + (unsigned long long)(*text++ - '0');
        if (!more || number == 0 || number > UINT32_MAX)
            return refuse(r, field_place(field), "expected sizes such as (256, 1, 1)");
        out[n] = (uint32_t)number;
        text += strspn(text, " ");
        more = *text == ',';
        text += more && n < 2;
    }
    while (n < 3)
        out[n++] = 1;
    text += *text == ')';
    return *text ? refuse(r, field_place(field), "expected sizes such as (256, 1, 1)") : 0;
}

/* --- launches ---------------------------------------------------------------------- */

static int field_compare(struct csv_field a, struct csv_field b)
{
    size_t left = (size_t)(a.end - a.begin), right = (size_t)(b.end - b.begin);
    int order = left && right ? memcmp(a.begin, b.begin, left < right ? left : right) : 0;
    return order ? order : (left > right) - (left < right);
}

static int launch_compare(const struct ncu_launch *a, const struct ncu_launch *b)
{
    int order = field_compare(a->process, b->process);
    return order ? order : field_compare(a->id, b->id);
}

static int compare_keys(const void *a, const void *b)
{
    const struct ncu_launch *left = a, *right = b;
    int order = launch_compare(left, right);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_orders(const void *a, const void *b)
{
    const struct ncu_launch *left = a, *right = b;
    return (left->order > right->order) - (left->order < right->order);
}

/* The launch of this row: the last one, or a new one. */
static int row_launch(struct reader *r, struct ncu_launch **out)
{
    struct ncu_table *table = r->table;
    struct csv_field *cells = r->row.items;
    struct ncu_launch launch = {
        .id = cells[r->id], .name = cells[r->name], .order = table->launches.count};
    if (r->process != NO_COLUMN)
        launch.process = cells[r->process];
    if (table->launches.count) {
        *out = &table->launches.items[table->launches.count - 1];
        if (launch_compare(*out, &launch) == 0 && field_compare((*out)->name, launch.name) == 0)
            return 0;
    }
    const char *id = field_text(r, launch.id);
    if (!*id || id[strspn(id, "0123456789,")] != '\0')
        return refuse(r, field_place(launch.id), "ID: expected the number of a kernel launch");
    int status = field_shape(r, r->grid, launch.grid);
    if (!status)
        status = field_shape(r, r->block, launch.block);
    if (status)
        return status;
    for (int m = 0; m < NCU_METRIC_COUNT; m++)
        launch.values[m].value = (double)NAN;
    VECTOR_PUSH(&table->launches, launch);
    *out = &table->launches.items[table->launches.count - 1];
    return 0;
}

static int launch_set(struct reader *r, struct ncu_launch *launch, int metric,
                      struct ncu_value value)
{
    struct ncu_value *old = &launch->values[metric];
    if (!old->at || isnan(old->value)) {
        *old = value;
        return 0;
    }
    if (isnan(value.value) || value.value == old->value)
        return 0;
    char id[32];
    snprintf(id, sizeof id, "%.30s", field_text(r, launch->id));
    struct mark mark = csv_text_mark(r->text, value.at);
    error_at(r->error, STATUS_INPUT, &mark, "%s has two values for launch %s",
             metric_table[metric].name, id);
    error_hint(r->error, "one file is one run of ncu; are these several in a row?");
    return STATUS_INPUT;
}

static int read_value(struct reader *r, struct ncu_launch *launch, enum ncu_metric metric,
                      struct csv_field field, struct scale scale)
{
    struct ncu_value value = {.at = field_place(field)};
    int status = field_number(r, field, metric_table[metric].name, &value.value);
    if (status)
        return status;
    value.value = value.value * scale.times / scale.per;
    if (isinf(value.value))
        return refuse(r, value.at, "this number is too large");
    return launch_set(r, launch, metric, value);
}

/* A metric that no profile reads still shows the locale. */
static int check_other(struct reader *r, struct csv_field title, struct csv_field field)
{
    double ignored;
    if (!r->table->other.begin)
        r->table->other = title;
    return has_decimal_comma(field_text(r, field)) ? field_number(r, field, "metric", &ignored) : 0;
}

/* Rows of a launch that do not follow each other are brought together. */
static int launches_merge(struct reader *r)
{
    struct ncu_launch *items = r->table->launches.items;
    size_t n = r->table->launches.count, kept = 0;
    int status = 0;
    if (n == 0)
        return 0;
    qsort(items, n, sizeof *items, compare_keys);
    for (size_t i = 0; i < n && !status; i++) {
        if (kept == 0 || launch_compare(&items[kept - 1], &items[i]) != 0) {
            items[kept++] = items[i];
            continue;
        }
        if (field_compare(items[kept - 1].name, items[i].name) != 0) {
            refuse(r, field_place(items[i].name), "this launch has another kernel name above");
            error_hint(r->error, "one file is one run of ncu; are these several in a row?");
            return STATUS_INPUT;
        }
        for (int m = 0; m < NCU_METRIC_COUNT && !status; m++)
            if (items[i].values[m].at)
                status = launch_set(r, &items[kept - 1], m, items[i].values[m]);
    }
    r->table->launches.count = kept;
    qsort(items, kept, sizeof *items, compare_orders);
    return status;
}

/* --- rows ---------------------------------------------------------------------------- */

static int long_row(struct reader *r)
{
    const struct csv_field *cells = r->row.items;
    const char *name = field_text(r, cells[r->metric]);
    enum ncu_metric metric = metric_find(name);
    struct ncu_launch *launch;
    struct scale scale;
    bool rule = *name == '\0'; /* advice, in the default page */
    int status = row_launch(r, &launch);
    if (status || rule)
        return status;
    if (metric == NCU_METRIC_COUNT)
        return check_other(r, cells[r->metric], cells[r->value]);
    r->table->n_read++;
    status = field_scale(r, cells[r->unit], metric, &scale);
    return status ? status : read_value(r, launch, metric, cells[r->value], scale);
}

static int wide_row(struct reader *r)
{
    struct ncu_launch *launch;
    int status = row_launch(r, &launch);
    for (size_t c = 0; c < r->columns && !status; c++) {
        if (r->wide[c].metric != NCU_METRIC_COUNT)
            status = read_value(r, launch, r->wide[c].metric, r->row.items[c], r->wide[c].scale);
        else if (r->wide[c].counter)
            status = check_other(r, r->table->other, r->row.items[c]);
    }
    return status;
}

static int units_row(struct reader *r)
{
    int status = 0;
    if (*field_text(r, r->row.items[r->id]))
        return refuse(r, r->row.items[0].begin, "expected the row of units, whose ID is empty");
    for (size_t c = 0; c < r->columns && !status; c++)
        if (r->wide[c].metric != NCU_METRIC_COUNT)
            status = field_scale(r, r->row.items[c], r->wide[c].metric, &r->wide[c].scale);
    return status;
}

/* Passes over empty lines and those of ncu itself. */
static const char *pass_messages(const struct csv_text *text, const char *at)
{
    for (at = csv_empty_lines_pass(text, at); strncmp(at, "==", 2) == 0;
         at = csv_empty_lines_pass(text, at))
        at += strcspn(at, "\n");
    return at;
}

static int read_rows(struct reader *r, const char *at)
{
    bool units = r->wide != NULL;
    int status = 0;
    for (at = pass_messages(r->text, at); at < r->text->end && !status;
         at = pass_messages(r->text, at)) {
        const char *begin = at;
        status = row_split(r, &at);
        if (!status && r->row.count != r->columns) {
            struct mark mark = csv_text_mark(r->text, begin);
            status = error_at(r->error, STATUS_INPUT, &mark,
                              "this row has %zu cell%s, but the header has %zu", r->row.count,
                              r->row.count == 1 ? "" : "s", r->columns);
            error_hint(r->error, at == r->text->end ? "is the file cut off here?"
                                                    : "--log-file keeps what the program prints "
                                                      "out of the table");
        }
        if (!status)
            status = units ? units_row(r) : r->wide ? wide_row(r) : long_row(r);
        units = false;
    }
    return status;
}

/* --- the header ---------------------------------------------------------------------- */

static bool field_is(struct csv_field field, const char *word)
{
    size_t length = strlen(word);
    bool quoted = *field.begin == '"';
    return (size_t)(field.end - field.begin) == length + (quoted ? 2 : 0) &&
           strncmp(field.begin + quoted, word, length) == 0;
}

/* Whether a cell of this line is "Kernel Name" or "Metric Name". */
static bool is_header(const char *line, const char *end)
{
    struct csv_text text = {"", line, end};
    struct error ignored;
    for (;; line++) {
        struct csv_field field = {line, line};
        if (csv_field_pass(&text, &line, &ignored))
            return false;
        field.end = line;
        if (field_is(field, "Kernel Name") || field_is(field, "Metric Name"))
            return true;
        if (*line != ',')
            return false;
    }
}

const char *ncu_header_find(const struct csv_text *text)
{
    const char *at = text->begin;
    while ((at = strstr(at, " Name"))) {
        const char *line = at, *end = at + strcspn(at, "\n");
        while (line > text->begin && line[-1] != '\n')
            line--;
        if (is_header(line, end))
            return line;
        at = end;
    }
    return NULL;
}

static int no_header(const struct reader *r)
{
    const char *failure = strstr(r->text->begin, "==ERROR==");
    if (failure) {
        struct mark mark = csv_text_mark(r->text, failure);
        return error_at(r->error, STATUS_INPUT, &mark, "ncu failed and printed no table");
    }
    error_set(r->error, STATUS_INPUT,
              "%.200s holds no table of Nsight Compute: no line with the columns \"ID\" and "
              "\"Kernel Name\"",
              r->text->file);
    error_hint(r->error, "ncu --csv --page raw --log-file FILE.csv --metrics ... ./program; "
                         "bandscape profile --help names the metrics");
    return STATUS_INPUT;
}

static int no_column(struct reader *r, const char *title)
{
    struct mark mark = csv_text_mark(r->text, r->row.items[0].begin);
    struct text titles = {0};
    for (size_t c = 0; c < r->row.count && titles.length < 300; c++)
        text_printf(&titles, "%s%.60s", c ? ", " : "", field_text(r, r->row.items[c]));
    error_at(r->error, STATUS_INPUT, &mark, "the table has no column \"%s\"", title);
    error_hint(r->error, "it has %s%s", titles.data, titles.length < 300 ? "" : ", ...");
    text_free(&titles);
    return STATUS_INPUT;
}

static void wide_columns(struct reader *r)
{
    r->wide = memory_zero(r->columns, sizeof *r->wide);
    for (size_t c = 0; c < r->columns; c++) {
        const char *title = field_text(r, r->row.items[c]);
        r->wide[c].metric = metric_find(title);
        r->wide[c].counter = strstr(title, "__") != NULL;
        if (r->wide[c].metric != NCU_METRIC_COUNT)
            r->table->n_read++;
        else if (r->wide[c].counter && !r->table->other.begin)
            r->table->other = r->row.items[c];
    }
}

static int read_header(struct reader *r, const char **at)
{
    const struct {
        const char *title;
        long *column;
        bool needed;
    } columns[] = {{"Metric Name", &r->metric, false}, {"Metric Value", &r->value, false},
                   {"Metric Unit", &r->unit, false},   {"ID", &r->id, true},
                   {"Kernel Name", &r->name, true},    {"Process ID", &r->process, false},
                   {"Grid Size", &r->grid, false},     {"Block Size", &r->block, false}};
    const size_t n = sizeof columns / sizeof *columns;
    int status = row_split(r, at);
    if (status)
        return status;
    r->columns = r->row.count;
    for (size_t i = 0; i < n; i++) {
        *columns[i].column = NO_COLUMN;
        for (size_t c = r->columns; c-- > 0;)
            if (field_is(r->row.items[c], columns[i].title))
                *columns[i].column = (long)c;
    }
    bool is_long = r->metric != NO_COLUMN || r->value != NO_COLUMN;
    for (size_t i = 0; i < n; i++)
        if (*columns[i].column == NO_COLUMN && (columns[i].needed || (is_long && i < 3)))
            return no_column(r, columns[i].title);
    if (!is_long)
        wide_columns(r);
    return 0;
}

int ncu_table_read(struct ncu_table *table, const struct csv_text *text, struct error *error)
{
    struct reader r = {.table = table, .text = text, .error = error};
    const char *at = ncu_header_find(text);
    *table = (struct ncu_table){.text = *text};
    int status = at ? read_header(&r, &at) : no_header(&r);
    if (!status)
        status = read_rows(&r, at);
    if (!status)
        status = launches_merge(&r);
    VECTOR_FREE(&r.row);
    text_free(&r.scratch);
    free(r.wide);
    if (status)
        ncu_table_fini(table);
    return status;
}

void ncu_table_fini(struct ncu_table *table)
{
    VECTOR_FREE(&table->launches);
}

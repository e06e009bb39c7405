/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1000, ITEM_TEXT = 128, WHOLE_MOST = 9, DIGITS_SHOWN = 4, DIGITS_ALL = 17 };

struct reading {
    const struct parameter *parameter;
    char path[128];
};

/* What stands between two commas. */
struct item {
    enum { ITEM_NAME, ITEM_ONE, ITEM_RANGE, ITEM_AROUND } kind;
    const char *text;
    struct parameter_value low, high; /* ITEM_ONE, ITEM_AROUND: the value in `low` */
    double share;                     /* ITEM_AROUND */
    int count;                        /* of LOW..HIGH:COUNT, else 0 */
};

struct item_list {
    char **items;
    size_t count, capacity;
};

static int refuse(const struct reading *r, const char *why, const char *item, struct error *error)
{
    error_set(error, STATUS_USAGE, "%s: %s: %.80s", r->path, why, item);
    return error_hint(error, "48,96,192GB/s, 48..192GB/s, x0.5..x4, +-20%%, *2");
}

/* --- what is relative --------------------------------------------------------------------- */

/* 96 GB/s and 10 % more are 105.6 GB/s, whatever the last bits of 1.1 are. */
static double round_result(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.12g", value);
    return strtod(digits, NULL);
}

/* The machine's own value. */
static int own_value(const struct reading *r, struct parameter_value *out, struct error *error)
{
    *out = r->parameter->section->values[r->parameter->index];
    if (out->known)
        return 0;
    error_set(error, STATUS_UNKNOWN_FIELD, "%s has no value to begin with", r->path);
    return error_hint(error, "give it one, for example %s", dim_example(r->parameter->row->dim));
}

/* "*2", "x2", "/2", "+10%", "-32 GB/s", "+1"; no parameter is below 0, so a sign is never of a
 * value. */
static bool is_relative(const char *item)
{
    if (*item == '*' || *item == '/')
        return true;
    return *item && strchr("x+-", *item) && item[1] && strchr("0123456789.", item[1]);
}

/* "2", "1/4". */
static bool scan_factor(const char *text, double *factor)
{
    char over[ITEM_TEXT];
    struct quantity by, under = {.value = 1, .dim = DIM_NONE};
    const char *slash = strchr(text, '/');
    snprintf(over, sizeof over, "%.*s", slash ? (int)(slash - text) : ITEM_TEXT - 1, text);
    if (quantity_scan(over, &by) || (slash && quantity_scan(slash + 1, &under)) ||
        !dim_equal(by.dim, DIM_NONE) || !dim_equal(under.dim, DIM_NONE) || under.value == 0)
        return false;
    *factor = by.value / under.value;
    return true;
}

static int refuse_relative(const struct reading *r, const struct parameter_value *own,
                           const char *item, struct error *error)
{
    const char *example = r->parameter->row->kind == PARAMETER_COUNT ? "1" : dim_example(own->dim);
    const char *rest = strstr(example, " or ");
    return error_set(error, STATUS_INPUT, "%s: expected *2, /2, +10%% or +%.*s, got \"%.60s\"",
                     r->path, rest ? (int)(rest - example) : (int)strlen(example), example, item);
}

static int apply_relative(const struct reading *r, const char *item, struct parameter_value *out,
                          struct error *error)
{
    struct quantity by;
    double factor;
    int status = own_value(r, out, error);
    if (status)
        return status;
    bool change = strchr("+-", *item) && quantity_scan(item + 1, &by) == 0;
    double sign = *item == '-' ? -1 : 1;
    if (strchr("x*", *item) && scan_factor(item + 1, &factor))
        out->number *= factor;
    else if (*item == '/' && !strchr(item + 1, '/') && scan_factor(item + 1, &factor) &&
             factor != 0)
        out->number /= factor;
    else if (change && strchr(item, '%') && dim_equal(by.dim, DIM_NONE))
        out->number *= 1 + sign * by.value;
    else if (change && dim_equal(by.dim, out->dim))
        out->number += sign * by.value;
    else
        return refuse_relative(r, out, item, error);
    out->number = round_result(out->number);
    return isfinite(out->number) ? 0 : refuse(r, "the value is too large", item, error);
}

/* "+-20%", or with the sign: the share. */
static bool scan_around(const char *item, double *share)
{
    static const char sign[] = "\xc2\xb1";
    struct quantity scanned;
    size_t skip = strncmp(item, "+-", 2) == 0 || strncmp(item, sign, 2) == 0 ? 2 : 0;
    if (!skip || item[strlen(item) - 1] != '%' || quantity_scan(item + skip, &scanned))
        return false;
    *share = scanned.value;
    return *share > 0 && *share < 1;
}

/* --- one item ----------------------------------------------------------------------------- */

/* Behind the number at the beginning: "" where nothing follows, NULL where there is none. */
static const char *behind_number(const char *text)
{
    char *end;
    const char *digits = text + (*text == '-' || *text == '+');
    if (!*digits || !strchr("0123456789.", *digits))
        return NULL;
    strtod(digits, &end);
    return end == digits ? NULL : end;
}

/* A number, with `unit` where it has none, or what is relative. */
static int read_number(const struct reading *r, const char *item, const char *unit,
                       struct parameter_value *out, struct error *error)
{
    char whole[2 * ITEM_TEXT];
    const char *behind = behind_number(item);
    if (is_relative(item))
        return apply_relative(r, item, out, error);
    snprintf(whole, sizeof whole, "%.*s%.*s", ITEM_TEXT - 1, item, ITEM_TEXT - 1,
             behind && !*behind ? unit : "");
    return parameter_parse(r->parameter, whole, NULL, out, error);
}

/* The unit that numbers before this item have when they say none, perhaps with ":COUNT" behind it;
 * "": this one has none either. */
static const char *unit_of(const char *item)
{
    const char *dots = strstr(item, ".."), *unit = behind_number(dots ? dots + 2 : item);
    double factor;
    struct dim dim;
    if (unit)
        unit += strspn(unit, " ");
    size_t length = unit && !is_relative(item) ? unit_scan(unit, &factor, &dim) : 0;
    return length && (!unit[length] || unit[length] == ':') ? unit : "";
}

/* LOW..HIGH, or LOW..HIGH:COUNT. */
static int read_range(const struct reading *r, const char *unit, struct item *item,
                      struct error *error)
{
    char low[ITEM_TEXT], high[ITEM_TEXT], own[ITEM_TEXT];
    const char *dots = strstr(item->text, ".."), *colon = strchr(item->text, ':');
    double number = 0;
    snprintf(low, sizeof low, "%.*s", (int)(dots - item->text), item->text);
    snprintf(high, sizeof high, "%.*s", colon ? (int)(colon - dots - 2) : ITEM_TEXT - 1, dots + 2);
    snprintf(own, sizeof own, "%s", unit_of(high));
    unit = own[0] ? own : unit;
    if (!low[0] || !high[0])
        return refuse(r, "a range has two ends", item->text, error);
    int status = read_number(r, low, unit, &item->low, error);
    if (!status)
        status = read_number(r, high, unit, &item->high, error);
    if (status)
        return status;
    if (colon && (!number_scan(colon + 1, &number) || number < 2 || number > VALUES_MAX ||
                  number != floor(number)))
        return refuse(r, "a range has 2 values or more behind its colon", item->text, error);
    item->count = (int)number;
    if (!dim_equal(item->low.dim, item->high.dim))
        return refuse(r, "the ends have different units", item->text, error);
    if (!(item->low.number < item->high.number))
        return refuse(r, "the range is empty", item->text, error);
    return 0;
}

static int read_item(const struct reading *r, const char *text, const char *unit, struct item *item,
                     struct error *error)
{
    bool name = r->parameter->row->kind == PARAMETER_NAME;
    *item = (struct item){.kind = ITEM_NAME, .text = text};
    if (strstr(text, "..") && name) {
        error_set(error, STATUS_INPUT, "%s is a name: it has no range", r->path);
        return error_hint(error, "%s=NAME,NAME", r->path);
    }
    if (name)
        return 0;
    if (strstr(text, "..")) {
        item->kind = ITEM_RANGE;
        return read_range(r, unit, item, error);
    }
    if (scan_around(text, &item->share)) {
        item->kind = ITEM_AROUND;
        return own_value(r, &item->low, error);
    }
    item->kind = ITEM_ONE;
    int status = read_number(r, text, unit, &item->low, error);
    if (!status && r->parameter->row->kind == PARAMETER_COUNT &&
        item->low.number != floor(item->low.number))
        status = error_set(error, STATUS_INPUT, "%s: a whole number is needed, not %g", r->path,
                           item->low.number);
    return status;
}

/* --- texts -------------------------------------------------------------------------------- */

/* As few digits as read back to the same value. */
static void append_number(const struct reading *r, double number, struct dim dim, struct text *out)
{
    char buffer[64];
    struct quantity same;
    int digits = DIGITS_SHOWN;
    if (r->parameter->row->kind != PARAMETER_QUANTITY) {
        text_append(out, number_format(number, buffer, sizeof buffer));
        return;
    }
    do
        quantity_format((struct quantity){number, dim}, digits, buffer, sizeof buffer);
    while (digits++ < DIGITS_ALL && !(quantity_scan(buffer, &same) == 0 && same.value == number));
    text_append(out, buffer);
}

/* A value once, however often a rounded range comes to it. */
static int add_text(const struct reading *r, const char *text, struct values *out,
                    struct error *error)
{
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->items[i], text) == 0)
            return 0;
    if (out->count == VALUES_MAX)
        return refuse(r, "too many values", text, error);
    VECTOR_PUSH(out, memory_strdup(text));
    return 0;
}

static int add_number(const struct reading *r, double number, struct dim dim, struct values *out,
                      struct error *error)
{
    struct text text = {0};
    bool whole = r->parameter->row->kind == PARAMETER_COUNT;
    append_number(r, whole ? round(number) : number, dim, &text);
    int status = add_text(r, text.data, out, error);
    text_free(&text);
    return status;
}

/* What is shown of a value in between is the value. */
static double round_shown(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.*g", DIGITS_SHOWN, value);
    return strtod(digits, NULL);
}

static int spread(const struct reading *r, const struct item *item, int count, struct values *out,
                  struct error *error)
{
    double low = item->low.number, high = item->high.number;
    bool logarithmic = low > 0 && high > 4 * low;
    int status = 0;
    for (int i = 0; i < count && !status; i++) {
        double part = (double)i / (count - 1);
        double at = logarithmic ? low * pow(high / low, part) : low + part * (high - low);
        at = i == 0 ? low : i == count - 1 ? high : round_shown(at);
        status = add_number(r, at, item->low.dim, out, error);
    }
    return status;
}

static int add_range(const struct reading *r, const struct item *item, struct values *out,
                     struct error *error)
{
    double low = item->low.number, high = item->high.number;
    bool whole = r->parameter->row->kind == PARAMETER_COUNT;
    int status = 0;
    if (item->count)
        return spread(r, item, item->count, out, error);
    if (whole && high - low < WHOLE_MOST) {
        for (double v = ceil(low); v <= high && !status; v++)
            status = add_number(r, v, item->low.dim, out, error);
        return status;
    }
    if (!(low > 0))
        return refuse(r, "nothing is doubled; say how many: 0..4:5", item->text, error);
    for (double v = low; v < high * (1 - 1e-9) && !status; v *= 2)
        status = add_number(r, v, item->low.dim, out, error);
    return status ? status : add_number(r, high, item->low.dim, out, error);
}

static int add_item(const struct reading *r, const struct item *item, bool alone,
                    struct values *out, struct error *error)
{
    int status = 0;
    if (item->kind == ITEM_NAME || (item->kind == ITEM_ONE && alone && !is_relative(item->text)))
        return add_text(r, item->text, out, error);
    if (item->kind == ITEM_RANGE)
        return add_range(r, item, out, error);
    if (item->kind == ITEM_ONE)
        return add_number(r, item->low.number, item->low.dim, out, error);
    for (int sign = -1; sign <= 1 && !status; sign++)
        status = add_number(r, round_result(item->low.number * (1 + sign * item->share)),
                            item->low.dim, out, error);
    return status;
}

/* --- lists -------------------------------------------------------------------------------- */

static int split(const struct reading *r, const char *text, struct item_list *out,
                 struct error *error)
{
    for (const char *from = text; from; from = strchr(from, ',') ? strchr(from, ',') + 1 : NULL) {
        size_t length = strcspn(from, ",");
        char item[ITEM_TEXT];
        while (length && *from == ' ')
            from++, length--;
        while (length && from[length - 1] == ' ')
            length--;
        if (length == 0)
            return refuse(r, "a value is missing in the list", text, error);
        if (length >= sizeof item)
            return refuse(r, "a value is too long", from, error);
        snprintf(item, sizeof item, "%.*s", (int)length, from);
        VECTOR_PUSH(out, memory_strdup(item));
    }
    return 0;
}

/* All items, from the last one on: what is wrong is told before what lacks the unit of it. */
static int read_items(const struct reading *r, const struct item_list *list, struct item *items,
                      struct error *error)
{
    char unit[ITEM_TEXT] = "";
    int status = 0;
    for (size_t i = list->count; i-- > 0 && !status;) {
        const char *own = unit_of(list->items[i]);
        status = read_item(r, list->items[i], unit, &items[i], error);
        if (*own)
            snprintf(unit, sizeof unit, "%.*s", (int)strcspn(own, ":"), own);
    }
    return status;
}

static void list_fini(struct item_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    VECTOR_FREE(list);
}

int values_read(const struct parameter *parameter, const char *text, struct values *out,
                struct error *error)
{
    struct reading r = {.parameter = parameter};
    struct item_list list = {0};
    parameter_path(parameter, r.path, sizeof r.path);
    int status = split(&r, text, &list, error);
    struct item *items = memory_zero(list.count + 1, sizeof *items);
    if (!status)
        status = read_items(&r, &list, items, error);
    for (size_t i = 0; i < list.count && !status; i++)
        status = add_item(&r, &items[i], list.count == 1, out, error);
    free(items);
    list_fini(&list);
    return status;
}

void values_fini(struct values *values)
{
    for (size_t i = 0; i < values->count; i++)
        free(values->items[i]);
    VECTOR_FREE(values);
}

/* Widens what was found by one end, a share more. */
static int widen(const struct machine *machine, const struct reading *r,
                 const struct parameter_value *end, double factor, double *low, double *high,
                 struct error *error)
{
    struct parameter_value value = *end;
    double number;
    value.number *= factor;
    int status = parameter_si(machine, r->parameter, &value, &number, error);
    if (!status)
        status = parameter_check(r->parameter, number, NULL, error);
    *low = status ? *low : fmin(*low, number);
    *high = status ? *high : fmax(*high, number);
    return status;
}

int values_ends(const struct machine *machine, const struct parameter *parameter, const char *text,
                double *low, double *high, struct error *error)
{
    struct reading r = {.parameter = parameter};
    struct item_list list = {0};
    parameter_path(parameter, r.path, sizeof r.path);
    int status = split(&r, text, &list, error);
    struct item *items = memory_zero(list.count + 1, sizeof *items);
    if (!status)
        status = read_items(&r, &list, items, error);
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < list.count && !status; i++) {
        const struct item *item = &items[i];
        const struct parameter_value *last = item->kind == ITEM_RANGE ? &item->high : &item->low;
        status = widen(machine, &r, &item->low, 1 - item->share, low, high, error);
        if (!status)
            status = widen(machine, &r, last, 1 + item->share, low, high, error);
    }
    free(items);
    list_fini(&list);
    return status;
}

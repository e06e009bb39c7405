/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1000, ITEM_TEXT = 128 };

/* Of what a text means. */
struct reading {
    const struct machine *machine;
    const struct parameter *parameter;
    const char *path;
    struct choice *out;
};

void choice_path(const char *text, char *buffer, size_t size)
{
    size_t length = strcspn(text, "=");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(buffer, size, "%.*s", (int)(length < 120 ? length : 120), text);
}

static int refuse(const struct reading *r, const char *item, const char *why, struct error *error)
{
    error_set(error, STATUS_USAGE, "%s: %s: %.80s", r->path, why, item);
    return error_hint(error, "48,96,192GB/s, 48..192GB/s, x0.5..x4, +-20%%, *2");
}

/* A value once, however often a rounded range comes to it. */
static int add_text(const struct reading *r, const char *text, struct error *error)
{
    for (size_t i = 0; i < r->out->values.count; i++)
        if (strcmp(r->out->values.items[i], text) == 0)
            return 0;
    if (r->out->values.count == VALUES_MAX)
        return refuse(r, text, "too many values", error);
    VECTOR_PUSH(&r->out->values, memory_strdup(text));
    return 0;
}

/* A number as a text that reads back to it. */
static int add_number(const struct reading *r, struct quantity value, struct error *error)
{
    char number[32], unit[64], text[ITEM_TEXT];
    if (r->parameter->row->kind == PARAMETER_COUNT)
        value.value = round(value.value);
    dim_unit(value.dim, unit, sizeof unit);
    const char *below = unit + (strncmp(unit, "1", 1) == 0); /* "1/cycle", "1" */
    snprintf(text, sizeof text, "%s%s%s", number_format(value.value, number, sizeof number),
             *below ? " " : "", below);
    return add_text(r, text, error);
}

/* The machine's own value, which relative ones are of. */
static int own_value(const struct reading *r, const char *item, struct quantity *out,
                     struct error *error)
{
    const struct parameter_value *own = &r->parameter->section->values[r->parameter->index];
    *out = (struct quantity){own->number, own->dim};
    return own->known ? 0 : refuse(r, item, "the machine has no value that it could be of", error);
}

/* "x0.5", "*2", "+10%", "-10%": the factor. */
static bool scan_factor(const char *item, double *out)
{
    struct quantity share;
    size_t length = strlen(item);
    if (*item == 'x' || *item == '*')
        return number_scan(item + 1, out) && *out > 0;
    if (!strchr("+-", *item) || item[length - 1] != '%' || quantity_scan(item, &share))
        return false;
    *out = 1 + share.value;
    return *out > 0;
}

/* "+-20%" or "±20%": the share. */
static bool scan_both_ways(const char *item, double *out)
{
    static const char sign[] = "\xc2\xb1";
    struct quantity share;
    size_t skip = strncmp(item, "+-", 2) == 0 || strncmp(item, sign, 2) == 0 ? 2 : 0;
    if (!skip || item[strlen(item) - 1] != '%' || quantity_scan(item + skip, &share))
        return false;
    *out = share.value;
    return share.value > 0 && share.value < 1;
}

/* A number with a unit, that of `other` where it has none; or a factor. */
static int read_number(const struct reading *r, const char *item, const char *other,
                       struct quantity *out, struct error *error)
{
    char whole[2 * ITEM_TEXT];
    double factor;
    if (scan_factor(item, &factor)) {
        int status = own_value(r, item, out, error);
        out->value *= factor;
        return status;
    }
    size_t digits = strspn(item, "0123456789.eE+-"), skip = strspn(other, "0123456789.eE+- ");
    struct parameter_value value;
    snprintf(whole, sizeof whole, "%.*s%s", ITEM_TEXT - 1, item, item[digits] ? "" : other + skip);
    int status = parameter_parse(r->parameter, whole, NULL, &value, error);
    *out = (struct quantity){status ? 0 : value.number, value.dim};
    return status;
}

/* LOW..HIGH; *count of LOW..HIGH:COUNT, else 0. */
static int read_ends(const struct reading *r, const char *item, struct quantity ends[2], int *count,
                     struct error *error)
{
    char low[ITEM_TEXT], high[ITEM_TEXT];
    const char *dots = strstr(item, "..");
    const char *colon = strchr(item, ':');
    size_t length = colon ? (size_t)(colon - dots - 2) : strlen(dots + 2);
    double number = 0;
    snprintf(low, sizeof low, "%.*s", (int)(dots - item), item);
    snprintf(high, sizeof high, "%.*s", (int)length, dots + 2);
    int status = read_number(r, low, high, &ends[0], error);
    if (!status)
        status = read_number(r, high, low, &ends[1], error);
    if (status)
        return status;
    if (colon && (!number_scan(colon + 1, &number) || number < 2 || number > VALUES_MAX ||
                  number != floor(number)))
        return refuse(r, item, "a range has 2 values or more behind its colon", error);
    *count = (int)number;
    if (!dim_equal(ends[0].dim, ends[1].dim))
        return refuse(r, item, "the ends have different units", error);
    if (!(ends[0].value < ends[1].value))
        return refuse(r, item, "the range is empty", error);
    return 0;
}

static int add_range(const struct reading *r, const char *item, struct error *error)
{
    struct quantity ends[2];
    int count = 0, status = read_ends(r, item, ends, &count, error);
    if (!status && !count && !(ends[0].value > 0))
        status = refuse(r, item, "nothing is doubled; say how many: 0..4:5", error);
    double low = status ? 0 : ends[0].value, high = status ? 0 : ends[1].value;
    for (int i = 0; i < count && !status; i++) {
        double share = (double)i / (count - 1);
        status =
            add_number(r, (struct quantity){low * (1 - share) + high * share, ends[0].dim}, error);
    }
    for (double v = low; !count && !status && v < high * (1 - 1e-9); v *= 2)
        status = add_number(r, (struct quantity){v, ends[0].dim}, error);
    return status || count ? status : add_number(r, ends[1], error);
}

static int add_both_ways(const struct reading *r, const char *item, double share,
                         struct error *error)
{
    struct quantity own;
    int status = own_value(r, item, &own, error);
    for (int sign = -1; sign <= 1 && !status; sign++)
        status = add_number(r, (struct quantity){own.value * (1 + sign * share), own.dim}, error);
    return status;
}

static bool is_range(const char *item)
{
    return strstr(item, "..") != NULL;
}

/* `alone`: not of a list. What is one plain value stays as it was written. */
static int add_item(const struct reading *r, const char *item, const char *unit_of, bool alone,
                    struct error *error)
{
    double number;
    struct quantity value;
    if (r->parameter->row->kind == PARAMETER_NAME)
        return add_text(r, item, error);
    if (is_range(item))
        return add_range(r, item, error);
    if (scan_both_ways(item, &number))
        return add_both_ways(r, item, number, error);
    if (alone && !scan_factor(item, &number))
        return add_text(r, item, error);
    int status = read_number(r, item, unit_of, &value, error);
    return status ? status : add_number(r, value, error);
}

/* The first item from `from` on that has a unit, for numbers that have none. */
static const char *unit_after(char *const *items, size_t from, size_t count)
{
    for (size_t i = from; i < count; i++)
        if (items[i][strspn(items[i], "0123456789.eE+- ")])
            return items[i];
    return "";
}

static int add_items(const struct reading *r, const char *text, struct error *error)
{
    struct {
        char **items;
        size_t count, capacity;
    } list = {0};
    int status = 0;
    for (const char *from = text; from; from = strchr(from, ',') ? strchr(from, ',') + 1 : NULL) {
        size_t length = strcspn(from, ",");
        char item[ITEM_TEXT];
        while (length && *from == ' ')
            from++, length--;
        while (length && from[length - 1] == ' ')
            length--;
        if (!status && (length == 0 || length >= sizeof item))
            status = refuse(r, text, "a value is missing in the list", error);
        snprintf(item, sizeof item, "%.*s", (int)length, from);
        VECTOR_PUSH(&list, memory_strdup(item));
    }
    for (size_t i = 0; i < list.count && !status; i++)
        status = add_item(r, list.items[i], unit_after(list.items, i, list.count), list.count == 1,
                          error);
    for (size_t i = 0; i < list.count; i++)
        free(list.items[i]);
    VECTOR_FREE(&list);
    return status;
}

int choice_read(const char *text, const struct machine *machine, struct choice *out,
                struct error *error)
{
    const char *value = strchr(text, '=');
    struct parameter parameter;
    *out = (struct choice){.path = ""};
    choice_path(text, out->path, sizeof out->path);
    if (!value || value == text || value[1] == '\0') {
        error_set(error, STATUS_USAGE, "expected PATH=VALUE, got \"%.100s\"", text);
        return error_hint(error, "for example --set llc.capacity=8MiB");
    }
    int status = machine_find(machine, out->path, &parameter, error);
    struct reading r = {machine, &parameter, out->path, out};
    return status ? status : add_items(&r, value + 1 + strspn(value + 1, " "), error);
}

void choice_fini(struct choice *choice)
{
    for (size_t i = 0; i < choice->values.count; i++)
        free(choice->values.items[i]);
    VECTOR_FREE(&choice->values);
}

int choices_read(const struct invocation *inv, const struct machine *machine, struct choices *out,
                 struct error *error)
{
    int status = 0;
    *out = (struct choices){.combinations = 1};
    for (int i = 0; i < option_count(inv, "set") && !status; i++) {
        struct choice choice;
        status = choice_read(option_value(inv, "set", i), machine, &choice, error);
        for (size_t k = 0; k < out->all.count && !status; k++)
            if (strcmp(out->all.items[k].path, choice.path) == 0)
                status = error_set(error, STATUS_USAGE, "%s is given twice", choice.path);
        VECTOR_PUSH(&out->all, choice);
        out->combinations *= status ? 1 : choice.values.count;
        if (!status && out->combinations > VALUES_MAX)
            status = error_set(error, STATUS_USAGE, "more than %d combinations", VALUES_MAX);
    }
    if (status)
        error_context(error, "--set");
    return status;
}

void choices_fini(struct choices *choices)
{
    for (size_t i = 0; i < choices->all.count; i++)
        choice_fini(&choices->all.items[i]);
    VECTOR_FREE(&choices->all);
}

const char *choices_value(const struct choices *choices, size_t which, size_t i)
{
    for (size_t k = choices->all.count; --k > i;)
        which /= choices->all.items[k].values.count;
    return choices->all.items[i].values.items[which % choices->all.items[i].values.count];
}

int choices_apply(const struct choices *choices, size_t which, struct machine *machine,
                  struct error *error)
{
    for (size_t i = 0; i < choices->all.count; i++) {
        int status = machine_set(machine, choices->all.items[i].path,
                                 choices_value(choices, which, i), NULL, error);
        if (status) {
            error_context(error, "--set");
            return status;
        }
    }
    return machine_check(machine, error);
}

void choices_label(const struct choices *choices, const struct machine *machine, struct text *out)
{
    for (size_t i = 0; i < choices->all.count; i++) {
        const struct choice *choice = &choices->all.items[i];
        struct parameter p;
        struct error ignored;
        if (choice->values.count < 2 || machine_find(machine, choice->path, &p, &ignored))
            continue;
        text_printf(out, "%s%s=", out->length ? " " : "", choice->path);
        parameter_format(&p, &p.section->values[p.index], out);
    }
}

int choice_ends(const struct machine *machine, const struct parameter *parameter,
                const char *values, double *low, double *high, struct error *error)
{
    struct choice found = {.path = ""};
    parameter_path(parameter, found.path, sizeof found.path);
    struct reading r = {machine, parameter, found.path, &found};
    int status = add_items(&r, values, error);
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < found.values.count && !status; i++) {
        struct parameter_value value;
        double number;
        status = parameter_parse(parameter, found.values.items[i], NULL, &value, error);
        if (!status)
            status = parameter_si(machine, parameter, &value, &number, error);
        *low = status ? *low : fmin(*low, number);
        *high = status ? *high : fmax(*high, number);
    }
    choice_fini(&found);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing and reading a description, by one table of its members each. */
#include "report/picture_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unit.h"
#include "yaml/yaml.h"

enum member_kind { MEMBER_TEXT, MEMBER_NUMBER, MEMBER_WHOLE, MEMBER_MARK, MEMBER_NUMBERS };

/* Where a member is, and of whole numbers (enumerations are) which may stand there. */
struct member {
    const char *key;
    enum member_kind kind;
    size_t offset, count_offset; /* the latter of lists */
    int least, most;
};

#define AT(type, member) offsetof(struct type, member)
static const struct member picture_members[] = {
    {"title", MEMBER_TEXT, AT(picture, title), 0, 0, 0},
    {"subtitle", MEMBER_TEXT, AT(picture, subtitle), 0, 0, 0},
    {"remark", MEMBER_TEXT, AT(picture, remark), 0, 0, 0},
    {"legend", MEMBER_TEXT, AT(picture, legend), 0, 0, 0},
    {"tall", MEMBER_NUMBER, AT(picture, tall), 0, 0, 0},
    {"columns", MEMBER_WHOLE, AT(picture, columns), 0, 0, 1000},
    {"lines", MEMBER_WHOLE, AT(picture, lines), 0, 0, 1000},
    {NULL, MEMBER_TEXT, 0, 0, 0, 0}};
static const struct member axis_members[] = {
    {"title", MEMBER_TEXT, AT(plot_axis, title), 0, 0, 0},
    {"unit", MEMBER_TEXT, AT(plot_axis, unit), 0, 0, 0},
    {"scale", MEMBER_WHOLE, AT(plot_axis, scale), 0, PLOT_LINEAR, PLOT_LOG10},
    {"note", MEMBER_TEXT, AT(plot_axis, note), 0, 0, 0},
    {"from", MEMBER_NUMBER, AT(plot_axis, from), 0, 0, 0},
    {"to", MEMBER_NUMBER, AT(plot_axis, to), 0, 0, 0},
    {"places", MEMBER_NUMBERS, AT(plot_axis, places), AT(plot_axis, n_names), 0, 0},
    {NULL, MEMBER_TEXT, 0, 0, 0, 0}};
static const struct member series_members[] = {
    {"title", MEMBER_TEXT, AT(picture_series, title), 0, 0, 0},
    {"mark_title", MEMBER_TEXT, AT(picture_series, mark_title), 0, 0, 0},
    {"style", MEMBER_WHOLE, AT(picture_series, style), 0, PICTURE_POINTS, PICTURE_BAND},
    {"colour", MEMBER_WHOLE, AT(picture_series, colour), 0, PICTURE_WHITE, 100000},
    {"shape", MEMBER_WHOLE, AT(picture_series, shape), 0, 0, 100},
    {"size", MEMBER_NUMBER, AT(picture_series, size), 0, 0, 0},
    {"veil", MEMBER_WHOLE, AT(picture_series, veil), 0, 0, 255},
    {"mark", MEMBER_MARK, AT(picture_series, mark), 0, 0, 0},
    {"xs", MEMBER_NUMBERS, AT(picture_series, xs), AT(picture_series, count), 0, 0},
    {"ys", MEMBER_NUMBERS, AT(picture_series, ys), AT(picture_series, count), 0, 0},
    {NULL, MEMBER_TEXT, 0, 0, 0, 0}};
static const struct member note_members[] = {
    {"text", MEMBER_TEXT, AT(picture_note, text), 0, 0, 0},
    {"x", MEMBER_NUMBER, AT(picture_note, x), 0, 0, 0},
    {"y", MEMBER_NUMBER, AT(picture_note, y), 0, 0, 0},
    {"place", MEMBER_WHOLE, AT(picture_note, place), 0, PICTURE_LEFT, PICTURE_PLATE},
    {NULL, MEMBER_TEXT, 0, 0, 0, 0}};

/* --- writing ---------------------------------------------------------------------------- */

static void put_number(struct text *out, double value)
{
    char buffer[64];
    text_append(out, number_format(value, buffer, sizeof buffer));
}

static void put_numbers(struct text *out, const double *values, size_t count)
{
    text_append(out, "[");
    for (size_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        put_number(out, values[i]);
    }
    text_append(out, "]");
}

/* "key: value" of what is neither missing nor 0, in braces. */
static void put_members(struct text *out, const struct member *members, const void *of)
{
    const char *base = of, *before = "{";
    for (const struct member *m = members; m->key; m++) {
        const char *at = base + m->offset;
        const char *text = m->kind == MEMBER_TEXT ? *(const char *const *)at : NULL;
        double number = m->kind == MEMBER_NUMBER ? *(const double *)at : 0;
        int whole = m->kind == MEMBER_WHOLE ? *(const int *)at : 0;
        const double *list = m->kind == MEMBER_NUMBERS ? *(const double *const *)at : NULL;
        char mark[2] = {m->kind == MEMBER_MARK ? *at : '\0', '\0'};
        if (!text && number == 0 && whole == 0 && !list && !mark[0])
            continue;
        text_printf(out, "%s%s: ", before, m->key);
        before = ", ";
        if (text || mark[0])
            yaml_append_scalar(out, text ? text : mark);
        else if (list)
            put_numbers(out, list, *(const size_t *)(base + m->count_offset));
        else if (whole)
            text_printf(out, "%d", whole);
        else
            put_number(out, number);
    }
    text_append(out, *before == '{' ? "{" : "");
}

static void put_axis(struct text *out, const char *name, const struct plot_axis *axis)
{
    text_printf(out, "%s: ", name);
    put_members(out, axis_members, axis);
    if (axis->rule) {
        text_append(out, out->data[out->length - 1] == '{' ? "rule: " : ", rule: ");
        put_number(out, *axis->rule);
    }
    for (size_t i = 0; i < axis->n_names; i++) {
        text_append(out, i ? ", " : ", names: [");
        yaml_append_scalar(out, axis->names[i]);
    }
    text_append(out, axis->n_names ? "]}\n" : "}\n");
}

void picture_file_print(const struct picture *picture, struct text *out)
{
    text_append(out, "# A picture as it was described: bandscape plot draws it again.\npicture: ");
    put_members(out, picture_members, picture);
    text_append(out, "}\n");
    put_axis(out, "x", &picture->x);
    put_axis(out, "y", &picture->y);
    put_axis(out, "colour", &picture->colour);
    text_append(out, "series:\n");
    for (size_t s = 0; s < picture->series.count; s++) {
        const struct picture_series *series = &picture->series.items[s];
        text_append(out, "  - ");
        put_members(out, series_members, series);
        if (series->zs) {
            text_append(out, ", zs: ");
            put_numbers(out, series->zs,
                        series->style == PICTURE_BOXES ? series->count / 2 : series->count);
        }
        text_append(out, "}\n");
    }
    text_append(out, picture->notes.count ? "notes:\n" : "");
    for (size_t i = 0; i < picture->notes.count; i++) {
        text_append(out, "  - ");
        put_members(out, note_members, &picture->notes.items[i]);
        text_append(out, "}\n");
    }
}

/* --- reading ---------------------------------------------------------------------------- */

static int get_number(const struct yaml_node *node, const char *key, double *out,
                      struct error *error)
{
    static const char *const others[] = {"nan", "inf", "-inf"};
    const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++)
        if (node->kind == YAML_SCALAR && strcmp(node->text, others[i]) == 0) {
            *out = values[i];
            return 0;
        }
    return yaml_number(node, key, out, error);
}

/* Which may be empty. */
static int get_text(const struct yaml_node *node, const char *key, const char **out,
                    struct error *error)
{
    *out = "";
    return node->kind == YAML_SCALAR && !node->text[0] ? 0 : yaml_string(node, key, out, error);
}

static int get_numbers(const struct yaml_node *node, const char *key, struct arena *arena,
                       const double **out, size_t *count, struct error *error)
{
    int status = yaml_expect(node, YAML_LIST, key, error);
    double *values = status ? NULL : arena_alloc(arena, (node->count + 1) * sizeof *values);
    for (size_t i = 0; !status && i < node->count; i++)
        status = get_number(node->items[i], key, &values[i], error);
    *out = values;
    *count = status ? 0 : node->count;
    return status;
}

static int get_member(const struct yaml_node *node, const struct member *m, char *base,
                      struct arena *arena, struct error *error)
{
    char *at = base + m->offset;
    const char *text;
    long long whole;
    size_t count;
    int status;
    switch (m->kind) {
    case MEMBER_NUMBER:
        return get_number(node, m->key, (double *)at, error);
    case MEMBER_WHOLE:
        status = yaml_integer(node, m->key, m->least, m->most, &whole, error);
        if (!status)
            *(int *)at = (int)whole;
        return status;
    case MEMBER_NUMBERS:
        status = get_numbers(node, m->key, arena, (const double **)at, &count, error);
        size_t *known = (size_t *)(base + m->count_offset);
        if (!status && *known && *known != count)
            return yaml_error(node, error, "%s: expected %zu numbers", m->key, *known);
        *known = count;
        return status;
    default:
        status = get_text(node, m->key, &text, error);
        if (!status && m->kind == MEMBER_MARK)
            *at = text[0] >= ' ' && text[0] < 127 && text[0] != '"' && text[0] != '\\' ? text[0]
                                                                                       : '*';
        else if (!status)
            *(const char **)at = arena_strdup(arena, text);
        return status;
    }
}

/* Other keys are passed over. */
static int get_members(const struct yaml_node *map, const char *what, const struct member *members,
                       void *of, struct arena *arena, struct error *error)
{
    int status = map ? yaml_expect(map, YAML_MAP, what, error) : 0;
    for (const struct member *m = members; map && m->key && !status; m++) {
        const struct yaml_node *node = yaml_get(map, m->key);
        if (node)
            status = get_member(node, m, of, arena, error);
    }
    return status;
}

static int get_axis(const struct yaml_node *root, const char *name, struct plot_axis *axis,
                    struct arena *arena, struct error *error)
{
    const struct yaml_node *map = yaml_get(root, name), *node;
    int status = get_members(map, name, axis_members, axis, arena, error);
    if (!axis->title)
        axis->title = "";
    if (status || !map)
        return status;
    if ((node = yaml_get(map, "rule"))) {
        double *rule = arena_alloc(arena, sizeof *rule);
        axis->rule = rule;
        status = get_number(node, "rule", rule, error);
    }
    node = yaml_get(map, "names");
    if (!status && axis->n_names &&
        (!node || node->kind != YAML_LIST || node->count != axis->n_names))
        status = yaml_error(map, error, "%s: expected a name for each of %zu places", name,
                            axis->n_names);
    const char **names = arena_alloc(arena, (axis->n_names + 1) * sizeof *names);
    for (size_t i = 0; i < axis->n_names && !status; i++) {
        const char *text;
        status = get_text(node->items[i], "names", &text, error);
        names[i] = status ? "" : arena_strdup(arena, text);
    }
    axis->names = names;
    return status;
}

static int get_series(const struct yaml_node *map, struct picture *picture, struct error *error)
{
    struct picture_series series = {0};
    size_t count = 0;
    int status = get_members(map, "series", series_members, &series, picture->arena, error);
    const struct yaml_node *zs = status ? NULL : yaml_get(map, "zs");
    bool boxes = series.style == PICTURE_BOXES;
    if (!status && zs)
        status = get_numbers(zs, "zs", picture->arena, &series.zs, &count, error);
    if (!status && series.count && (!series.xs || !series.ys || (boxes && series.count % 2)))
        status = yaml_error(map, error, "a series needs as many xs as ys; boxes two of each");
    if (!status && zs && count != (boxes ? series.count / 2 : series.count))
        status = yaml_error(zs, error, "zs: expected one for each point or box");
    if (!status)
        VECTOR_PUSH(&picture->series, series);
    return status;
}

static int get_all(const struct yaml_node *root, struct picture *picture, struct error *error)
{
    struct arena *arena = picture->arena;
    const struct yaml_node *head = yaml_get(root, "picture"), *list;
    int status = head ? get_members(head, "picture", picture_members, picture, arena, error)
                      : yaml_error(root, error, "this is no description of a picture");
    if (!status)
        status = get_axis(root, "x", &picture->x, arena, error);
    if (!status)
        status = get_axis(root, "y", &picture->y, arena, error);
    if (!status)
        status = get_axis(root, "colour", &picture->colour, arena, error);
    list = yaml_get(root, "series");
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count && !status; i++)
        status = get_series(list->items[i], picture, error);
    list = yaml_get(root, "notes");
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count && !status; i++) {
        struct picture_note note = {.text = ""};
        status = get_members(list->items[i], "notes", note_members, &note, arena, error);
        if (!status)
            VECTOR_PUSH(&picture->notes, note);
    }
    return status;
}

int picture_file_load(const char *path, struct picture *out, struct error *error)
{
    struct yaml_document *document = NULL;
    picture_begin(out);
    int status = yaml_load(path, &document, error);
    if (!status)
        status = yaml_expect(document->root, YAML_MAP, "picture", error);
    if (!status)
        status = get_all(document->root, out, error);
    yaml_destroy(document);
    return status;
}

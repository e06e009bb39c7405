/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words in place of names, and what the options of pictures mean. */
#include "report/look.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plugin.h"
#include "report/picture.h"

#define FONT_LEAST 4.0
#define FONT_MOST 40.0
#define WIDTH_LEAST 30.0
#define WIDTH_MOST 1000.0

/* --- options -------------------------------------------------------------------------- */

int look_scan_width(const char *text, double *out_mm, struct error *error)
{
    size_t length = strlen(text);
    char number[32];
    if (strcmp(text, "one") == 0 || strcmp(text, "two") == 0) {
        *out_mm = text[0] == 'o' ? LOOK_ONE_COLUMN : LOOK_TWO_COLUMNS;
        return 0;
    }
    if (length > 2 && strcmp(text + length - 2, "mm") == 0)
        length -= 2;
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (number_scan(number, out_mm) && *out_mm >= WIDTH_LEAST && *out_mm <= WIDTH_MOST)
        return 0;
    error_set(error, STATUS_USAGE, "--width: expected one, two or 30 to 1000 (mm), got \"%.40s\"",
              text);
    return error_hint(error, "one is a column of %g mm, two are %g mm", LOOK_ONE_COLUMN,
                      LOOK_TWO_COLUMNS);
}

int look_scan_font(const char *text, struct picture_look *look, struct arena *arena,
                   struct error *error)
{
    const char *comma = strrchr(text, ',');
    const char *size = comma ? comma + 1 : text;
    double points;
    if (number_scan(size, &points)) {
        if (points < FONT_LEAST || points > FONT_MOST)
            return error_set(error, STATUS_USAGE, "--font: expected %g to %g points, got \"%.40s\"",
                             FONT_LEAST, FONT_MOST, size);
        look->font_pt = points;
    } else if (comma) {
        error_set(error, STATUS_USAGE, "--font: expected points behind the comma, got \"%.40s\"",
                  size);
        return error_hint(error, "for example --font Helvetica,9");
    }
    size_t length = comma                               ? (size_t)(comma - text)
                    : size == text && look->font_pt > 0 ? 0
                                                        : strlen(text);
    if (length)
        look->family = arena_printf(arena, "%.*s", (int)length, text);
    return 0;
}

static int range_error(const char *text, struct error *error)
{
    error_set(error, STATUS_USAGE, "expected FROM..TO, got \"%.60s\"", text);
    return error_hint(error, "for example 0..4TB/s; an end may be left out: 48GB/s..");
}

int look_scan_range(const char *text, struct look_range *out, struct error *error)
{
    const char *dots = strstr(text, "..");
    *out = (struct look_range){.text = text};
    if (!dots || strlen(text) > 100 || strlen(text) == 2)
        return range_error(text, error);
    for (int end = 0; end < 2; end++) {
        char part[101];
        snprintf(part, sizeof part, "%.*s", end ? 100 : (int)(dots - text), end ? dots + 2 : text);
        out->given[end] = part[0] != '\0';
        if (out->given[end] && quantity_scan(part, &out->ends[end]) != 0)
            return range_error(text, error);
    }
    const char *unit =
        dots + 2 + strcspn(dots + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%");
    if (out->given[0] && out->given[1] && *unit && dim_equal(out->ends[0].dim, DIM_NONE)) {
        char with[202]; /* "48..192GB/s" */
        snprintf(with, sizeof with, "%.*s%s", (int)(dots - text), text, unit);
        if (quantity_scan(with, &out->ends[0]) != 0)
            return range_error(text, error);
    }
    if (out->given[0] && out->given[1] && out->ends[0].value >= out->ends[1].value)
        return error_set(error, STATUS_USAGE, "\"%.60s\" is empty: it begins where it ends", text);
    return 0;
}

int look_scan_label(const char *text, struct picture_look *look, struct arena *arena,
                    struct error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        error_set(error, STATUS_USAGE, "--label: expected KEY=TEXT, got \"%.60s\"", text);
        return error_hint(error, "for example --label \"sm-side=kept by the SM's side\"");
    }
    struct look_label label = {arena_printf(arena, "%.*s", (int)(equals - text), text),
                               arena_strdup(arena, equals + 1)};
    VECTOR_PUSH(&look->labels, label);
    return 0;
}

void look_fini(struct picture_look *look)
{
    VECTOR_FREE(&look->labels);
}

int look_range_ends(const struct look_range *range, const struct plot_axis *axis, char which,
                    double ends[2], struct error *error)
{
    double factor = 1;
    struct dim dim = DIM_NONE;
    ends[0] = ends[1] = (double)NAN;
    if (!range->text)
        return 0;
    if (axis->n_names)
        return error_set(error, STATUS_USAGE, "--%crange: %s has names, no numbers", which,
                         axis->title && axis->title[0] ? axis->title : "that axis");
    if (axis->unit && !unit_scan(axis->unit, &factor, &dim))
        factor = 1, dim = DIM_NONE;
    for (int end = 0; end < 2; end++) {
        const struct quantity *q = &range->ends[end];
        char buffer[64];
        if (!range->given[end])
            continue;
        if (!dim_equal(q->dim, dim) && (q->value != 0 || !dim_equal(q->dim, DIM_NONE))) {
            error_set(error, STATUS_USAGE, "--%crange %s: the axis is of %s", which, range->text,
                      dim_describe(dim, buffer, sizeof buffer));
            return error_hint(error, "write ends like %s", dim_example(dim));
        }
        ends[end] = q->value / factor;
        if (axis->scale != PLOT_LINEAR && ends[end] <= 0)
            return error_set(error, STATUS_USAGE, "--%crange %s: a logarithmic axis begins above 0",
                             which, range->text);
    }
    return 0;
}

/* --- words ---------------------------------------------------------------------------- */

/* Sections of machines, and abbreviations that are written in capitals. */
static const struct word {
    const char *name, *words;
} sections[] = {{"inter", "inter-chip"}, {"intra", "on-chip"}, {"cost", ""},   {"sm", "SM"},
                {"llc", "LLC"},          {"l1", "L1"},         {"cta", "CTA"}, {"total", "total"}},
  capitals[] = {{"llc", "LLC"},
                {"l1", "L1"},
                {"l15", "L1.5"},
                {"l2", "L2"},
                {"sm", "SM"},
                {"sms", "SMs"},
                {"cta", "CTA"},
                {"ctas", "CTAs"},
                {"eab", "EAB"},
                {"noc", "NoC"},
                {"mshr", "MSHR"},
                {"mshrs", "MSHRs"},
                {"tlb", "TLB"},
                {"gpu", "GPU"},
                {"gpus", "GPUs"},
                {"noc1", "NoC#1"},
                {"noc2", "NoC#2"},
                {"x2", "\xc3\x97"
                       "2"}};

static const char *word_find(const struct word *words, size_t count, const char *name,
                             size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
            return words[i].words;
    return NULL;
}

/* Words between underscores. */
static void put_words(struct text *out, const char *name, size_t length)
{
    for (size_t at = 0, word; at < length; at += word + 1) {
        for (word = 0; at + word < length && name[at + word] != '_';)
            word++;
        const char *known =
            word_find(capitals, sizeof capitals / sizeof *capitals, name + at, word);
        text_append(out, out->length ? " " : "");
        if (known)
            text_append(out, known);
        else
            text_append_bytes(out, name + at, word);
    }
}

static bool is_model(const char *name, size_t length)
{
    char model[64];
    snprintf(model, sizeof model, "%.*s", (int)length, name);
    return plugin_find("model", model) != NULL;
}

const char *look_words(const char *name, struct arena *arena)
{
    size_t length = strcspn(name, "@"), dot = 0;
    struct text out = {0};
    if (strpbrk(name, " /,") || !strpbrk(name, "._@"))
        return name;
    for (size_t i = 1; i < length && !dot; i++)
        if (name[i] == '.' &&
            isalpha((unsigned char)name[i - 1]) + isdigit((unsigned char)name[i - 1]))
            dot = i;
    const char *section =
        dot ? word_find(sections, sizeof sections / sizeof *sections, name, dot) : NULL;
    bool model = dot && !section && is_model(name, dot);
    if (section)
        text_append(&out, section);
    else if (dot && !model)
        put_words(&out, name, dot);
    put_words(&out, name + (dot ? dot + 1 : 0), length - (dot ? dot + 1 : 0));
    if (name[length])
        text_printf(&out, ", %s", name + length + 1);
    if (model)
        text_printf(&out, " (%.*s)", (int)dot, name);
    const char *words = arena_strdup(arena, out.data ? out.data : "");
    text_free(&out);
    return words;
}

const char *look_label(const struct picture_look *look, const char *name, struct arena *arena)
{
    for (size_t i = 0; i < look->labels.count; i++) {
        const struct look_label *label = &look->labels.items[i];
        if (strcmp(label->key, name) == 0 || strcmp(look_words(label->key, arena), name) == 0)
            return label->text;
    }
    return name;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/sweep_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/sealed.h"
#include "explore/sweep/sweep_filling.h"
#include "explore/sweep/sweep_reasons.h"

static const char title[] = "# What a sweep has found so far; the last line is a checksum.\n";

enum {
    CELLS_A_SHARE = 4, /* at least, so that shares are about as long */
    STATE_VERSION = 3, /* of the lines, and of how points are cut into cells and blocks */
};

/* --- cells --------------------------------------------------------------------------------- */

/* a * b / c without overflow. */
static uint64_t part_of(uint64_t a, uint64_t b, uint64_t c)
{
    return a / c * b + a % c * b / c;
}

static struct sweep_cells sweep_cells_of(const struct space *space, uint64_t share, uint64_t shares)
{
    uint64_t structures = sweep_structures(space), least = CELLS_A_SHARE * shares;
    struct sweep_cells cells = {.pieces = 1};
    if (shares > 1 && structures < least)
        cells.pieces = (least + structures - 1) / structures;
    cells.from = part_of(structures * cells.pieces, share, shares);
    cells.to = part_of(structures * cells.pieces, share + 1, shares);
    return cells;
}

bool sweep_cells_have(const struct sweep_cells *c, uint64_t structure)
{
    return c->from < (structure + 1) * c->pieces && structure * c->pieces < c->to;
}

bool sweep_cells_blocks(const struct sweep_cells *c, uint64_t structure, uint64_t blocks,
                        uint64_t *from, uint64_t *to)
{
    uint64_t first = structure * c->pieces, end = first + c->pieces;
    uint64_t begins = c->from > first ? c->from : first, ends = c->to < end ? c->to : end;
    *from = part_of(blocks, begins - first, c->pieces);
    *to = part_of(blocks, ends - first, c->pieces);
    return c->from <= first;
}

struct sweep_cells sweep_cells_own(const struct sweep *sweep)
{
    uint64_t shares = sweep->course.shares;
    return sweep_cells_of(sweep->space, sweep->course.share, shares ? shares : 1);
}

bool sweep_is_part(const struct sweep *sweep)
{
    const struct space *space = sweep->space;
    bool part = sweep->course.shares > 1;
    for (size_t i = 0; i < space->n_wheres; i++)
        part = part && !(space->wheres[i].within > 0);
    return part;
}

struct own_visit {
    struct sweep_cells cells;
    uint64_t structure;
    sweep_visit *visit;
    void *context;
};

static int visit_own(void *context, const struct sweep_part *part, size_t index,
                     struct error *error)
{
    struct own_visit *own = context;
    uint64_t at = own->structure++;
    return sweep_cells_have(&own->cells, at) ? own->visit(own->context, part, index, error) : 0;
}

int sweep_for_own(const struct sweep *sweep, sweep_visit *visit, void *context, struct error *error)
{
    struct own_visit own = {.cells = sweep_cells_own(sweep), .visit = visit, .context = context};
    if (!sweep_is_part(sweep))
        return sweep_for_each(sweep->space, visit, context, error);
    return sweep_for_each(sweep->space, visit_own, &own, error);
}

/* --- writing ------------------------------------------------------------------------------- */

/* What states that go together begin with. Blocks of another width are other points by the same
 * numbers: what has been done, and which of them a share has, would be said of others. */
static void print_head(struct text *out)
{
    text_printf(out, "%ssweep-state %d of blocks of %d and %d points\n", title, STATE_VERSION,
                SCAN_WIDTH, SCAN_WIDTH_SOLVED);
}

/* Of one line. */
static void print_words(const char *words, struct text *out)
{
    size_t from = out->length;
    text_printf(out, "%s", words);
    for (size_t i = from; i < out->length; i++)
        if (out->data[i] == '\n')
            out->data[i] = ' ';
    text_append(out, "\n");
}

static void print_reasons(const char *key, const struct sweep_reason *items, size_t count,
                          struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        text_printf(out, "%s %llu %llu %llu ", key, (unsigned long long)items[i].count,
                    (unsigned long long)items[i].first.structure,
                    (unsigned long long)items[i].first.turn);
        print_words(items[i].text, out);
    }
}

static void print_front(const struct sweep_state *state, struct text *out)
{
    print_head(out);
    for (size_t i = 0; i < state->identity.count; i++)
        text_printf(out, "identity %s\n", state->identity.items[i]);
    for (size_t i = 0; i < state->arguments.count; i++)
        text_printf(out, "argument %s\n", state->arguments.items[i]);
    text_printf(out, "share %llu %llu\n", (unsigned long long)state->share,
                (unsigned long long)state->shares);
    if (state->pieces)
        text_printf(out, "cells %llu\n", (unsigned long long)state->pieces);
    for (size_t i = 0; i < state->has.count; i++)
        text_printf(out, "has %llu %llu\n", (unsigned long long)state->has.items[i].from,
                    (unsigned long long)state->has.items[i].to);
    if (state->done)
        text_append(out, "done\n");
    else
        text_printf(out, "at %llu %llu\n", (unsigned long long)state->structure,
                    (unsigned long long)state->block);
}

void sweep_state_print(const struct sweep_state *state, const struct sweep *sweep,
                       struct scan_worker *worker, struct text *out)
{
    const struct space *space = sweep->space;
    print_front(state, out);
    for (size_t i = 0; i < space->n_wheres; i++)
        if (space->wheres[i].within > 0)
            text_printf(out, "best-of %zu %a\n", i, sweep->bests[i]);
    print_reasons("reason", sweep->reasons.items, sweep->reasons.count, out);
    print_reasons("warning", sweep->warnings.items, sweep->warnings.count, out);
    for (size_t i = 0; i < space->n_workloads * FILLING_KINDS; i++) {
        const struct sweep_reason *said = &sweep->filling[i];
        if (!said->text)
            continue;
        text_printf(out, "filling %zu %llu %llu ", i, (unsigned long long)said->count,
                    (unsigned long long)said->first.structure);
        print_words(said->text, out);
    }
    scan_worker_print(worker, space, out);
}

int sweep_state_write(const char *path, const struct sweep_state *state, const struct sweep *sweep,
                      struct scan_worker *worker, struct error *error)
{
    struct text out = {0};
    sweep_state_print(state, sweep, worker, &out);
    int status = sealed_write(path, out.data, out.length, error);
    text_free(&out);
    return status;
}

/* --- reading ------------------------------------------------------------------------------- */

/* A line: its first word, which is cut off, and the rest. NULL: there is no more. */
static char *next_line(char **at, const char **rest)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!*line || !end)
        return NULL;
    *end = '\0';
    *at = end + 1;
    char *blank = strchr(line, ' ');
    *rest = blank ? blank + 1 : "";
    if (blank)
        *blank = '\0';
    return line;
}

static int skip_head(const char *name, const struct text *text, char **lines, struct error *error)
{
    struct text head = {0};
    int status = 0;
    print_head(&head);
    *lines = NULL;
    if (strncmp(text->data, title, strlen(title)) != 0) {
        status = error_set(error, STATUS_INPUT, "%s is not of a sweep", name);
    } else if (strncmp(text->data, head.data, head.length) != 0) {
        error_set(error, STATUS_INPUT, "%s was made by another version", name);
        status = error_hint(error, "start again, without --resume; of shares, each of them");
    } else {
        *lines = text->data + head.length;
    }
    text_free(&head);
    return status;
}

static int load(const char *path, struct text *out, struct error *error)
{
    if (!file_exists(path))
        return error_set(error, STATUS_INPUT, "there is no %s", path);
    if (sealed_read(path, false, out))
        return 0;
    error_set(error, STATUS_INPUT, "%s is damaged: its checksum does not fit", path);
    return error_hint(error, "sweep that part again");
}

bool sweep_state_is(const char *path)
{
    char begin[sizeof title] = "";
    size_t name = strcspn(title, "\n"); /* of any version */
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(begin, 1, name, file) : 0;
    if (file)
        fclose(file);
    return length == name && memcmp(begin, title, name) == 0;
}

void sweep_state_fini(struct sweep_state *s)
{
    for (size_t i = 0; i < s->identity.count; i++)
        free(s->identity.items[i]);
    for (size_t i = 0; i < s->arguments.count; i++)
        free(s->arguments.items[i]);
    VECTOR_FREE(&s->identity);
    VECTOR_FREE(&s->arguments);
    VECTOR_FREE(&s->has);
    *s = (struct sweep_state){0};
}

int sweep_state_read(const char *path, struct sweep_state *out, struct error *error)
{
    struct text text = {0};
    char *at, *key, *number;
    const char *rest;
    *out = (struct sweep_state){0};
    int status = load(path, &text, error);
    if (!status)
        status = skip_head(path, &text, &at, error);
    while (!status && (key = next_line(&at, &rest))) {
        if (strcmp(key, "identity") == 0)
            VECTOR_PUSH(&out->identity, memory_strdup(rest));
        else if (strcmp(key, "argument") == 0)
            VECTOR_PUSH(&out->arguments, memory_strdup(rest));
        else if (strcmp(key, "done") == 0)
            out->done = true;
        else if (strcmp(key, "cells") == 0)
            out->pieces = strtoull(rest, NULL, 10);
        if (strcmp(key, "has") == 0) {
            struct sweep_range range = {.from = strtoull(rest, &number, 10)};
            range.to = strtoull(number, NULL, 10);
            VECTOR_PUSH(&out->has, range);
        } else if (strcmp(key, "share") == 0) {
            out->share = strtoull(rest, &number, 10);
            out->shares = strtoull(number, NULL, 10);
        } else if (strcmp(key, "at") == 0) {
            out->structure = strtoull(rest, &number, 10);
            out->block = strtoull(number, NULL, 10);
        }
    }
    text_free(&text);
    return status;
}

int sweep_state_compare(const struct sweep_state *a, const char *name_a,
                        const struct sweep_state *b, const char *name_b, struct error *error)
{
    size_t count = a->identity.count > b->identity.count ? a->identity.count : b->identity.count;
    for (size_t i = 0; i < count; i++) {
        const char *x = i < a->identity.count ? a->identity.items[i] : "nothing";
        const char *y = i < b->identity.count ? b->identity.items[i] : "nothing";
        if (strcmp(x, y) != 0) {
            error_set(error, STATUS_INPUT, "%.200s and %.200s are not of the same sweep", name_a,
                      name_b);
            return error_hint(error, "\"%.150s\" and \"%.150s\"", x, y);
        }
    }
    return 0;
}

/* Behind the number of points: the place, and words. */
static void take_reason(struct sweep_reasons *reasons, uint64_t count, char *at)
{
    struct sweep_place first = {.structure = strtoull(at, &at, 10)};
    first.turn = strtoull(at, &at, 10);
    sweep_take_reason(reasons, *at == ' ' ? at + 1 : at, count, first);
}

static void take_filling(struct sweep_reason *said, char *at)
{
    uint64_t structure;
    said->count += strtoull(at, &at, 10);
    structure = strtoull(at, &at, 10);
    if (said->text && said->first.structure <= structure)
        return;
    free(said->text);
    said->text = memory_strdup(*at == ' ' ? at + 1 : at);
    said->first.structure = structure;
}

/* False: a line that no sweep of this space writes. */
static bool take_line(struct sweep *sweep, struct scan_worker *worker, const char *key,
                      const char *rest)
{
    const struct space *space = sweep->space;
    char *at = (char *)(size_t)rest;
    uint64_t number = strtoull(rest, &at, 10);
    if (strcmp(key, "reason") == 0)
        take_reason(&sweep->reasons, number, at);
    else if (strcmp(key, "warning") == 0)
        take_reason(&sweep->warnings, number, at);
    else if (strcmp(key, "best-of") == 0 && number < space->n_wheres)
        sweep->bests[number] = strtod(at, NULL);
    else if (strcmp(key, "filling") == 0 && number < space->n_workloads * FILLING_KINDS)
        take_filling(&sweep->filling[number], at);
    else
        return scan_worker_take(worker, space, key, rest);
    return true;
}

int sweep_state_take_text(const char *name, struct text *text, struct sweep *sweep,
                          struct scan_worker *worker, struct error *error)
{
    static const char *const others[] = {"identity", "argument", "share", "at",
                                         "done",     "cells",    "has",   NULL};
    char *at, *key;
    const char *rest;
    int status = skip_head(name, text, &at, error);
    while (!status && (key = next_line(&at, &rest))) {
        bool other = false;
        for (size_t i = 0; others[i]; i++)
            other = other || strcmp(key, others[i]) == 0;
        if (!other && !take_line(sweep, worker, key, rest))
            status = error_set(error, STATUS_INPUT, "%s does not fit the space: \"%.40s %.100s\"",
                               name, key, rest);
    }
    return status;
}

int sweep_state_take(const char *path, struct sweep *sweep, struct scan_worker *worker,
                     struct error *error)
{
    struct text text = {0};
    int status = load(path, &text, error);
    if (!status)
        status = sweep_state_take_text(path, &text, sweep, worker, error);
    text_free(&text);
    return status;
}

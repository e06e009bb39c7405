/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node tree over libyaml's event parser. */
#include "yaml/yaml.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/suggest.h"
#include "yaml/names.h"

enum {
    MAP_LARGE = 16,         /* keys of a map that is worth a table of them */
    INTERRUPT_EVENTS = 1024 /* between two looks at the flag of Ctrl-C */
};

struct anchor {
    struct yaml_node *node;
    size_t values; /* that it stands for */
    int levels;    /* of lists and maps in it, itself included */
};

struct loader {
    struct yaml_document *document;
    const char *file;
    const char **lines; /* start of each line of the text */
    size_t n_lines;
    yaml_parser_t parser;
    struct {
        struct anchor *items;
        size_t count, capacity;
    } anchors;
    struct yaml_names anchor_names;
    struct error *error;
    int depth, deepest; /* of this node, and of what was read since its anchor began */
    size_t values, events;
};

static struct mark loader_mark(const struct loader *l, yaml_mark_t at, size_t skip)
{
    struct mark mark = {l->file, (long)at.line + 1, (long)(at.column + skip) + 1, NULL};
    mark.source = at.line < l->n_lines ? l->lines[at.line] : "";
    return mark;
}

static struct yaml_node *loader_node(struct loader *l, enum yaml_kind kind, struct mark mark)
{
    struct yaml_node *node = arena_alloc(l->document->arena, sizeof *node);
    node->kind = kind;
    node->mark = mark;
    return node;
}

static int loader_next(struct loader *l, yaml_event_t *event)
{
    if (++l->events % INTERRUPT_EVENTS == 0 && interrupt_requested())
        return error_set(l->error, STATUS_INTERRUPTED, "interrupted while reading %s", l->file);
    if (yaml_parser_parse(&l->parser, event))
        return 0;
    struct mark mark = loader_mark(l, l->parser.problem_mark, 0);
    const char *problem = l->parser.problem ? l->parser.problem : "cannot be read";
    int status =
        error_at(l->error, STATUS_INPUT, &mark, "not valid YAML: %s%s%s", problem,
                 l->parser.context ? ", " : "", l->parser.context ? l->parser.context : "");
    if (strstr(problem, "character that cannot start any token"))
        error_hint(l->error, "indent with blanks, not tabs; quote texts that begin with @ or `");
    else if (strstr(problem, "did not find expected ',' or"))
        error_hint(l->error,
                   "between { } or [ ] quote texts with [, ], { or }: {load: \"a[i,k]\"}; "
                   "or a bracket or quote is not closed");
    else if (strstr(problem, "did not find expected '-' indicator") ||
             strstr(problem, "did not find expected key"))
        error_hint(l->error,
                   "the entries of a list or a map begin in the same column: look at this "
                   "line and those above");
    return status;
}

static int loader_read(struct loader *l, yaml_event_t *event, struct yaml_node **out);

struct node_list {
    struct yaml_node **items;
    size_t count, capacity;
};

static struct yaml_node **loader_keep(struct loader *l, struct node_list *list)
{
    size_t size = list->count * sizeof *list->items;
    struct yaml_node **copy = arena_alloc(l->document->arena, size);
    if (size)
        memcpy(copy, list->items, size);
    VECTOR_FREE(list);
    return copy;
}

static int loader_sequence(struct loader *l, struct yaml_node *node)
{
    struct node_list items = {0};
    int status;
    for (;;) {
        yaml_event_t event;
        struct yaml_node *item;
        if ((status = loader_next(l, &event)))
            break;
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            yaml_event_delete(&event);
            break;
        }
        if ((status = loader_read(l, &event, &item)))
            break;
        VECTOR_PUSH(&items, item);
    }
    node->count = items.count;
    node->items = loader_keep(l, &items);
    return status;
}

/* A map that is being read. */
struct map_reading {
    struct node_list keys, values, merges;
    struct yaml_names names; /* of the keys, when there are many */
};

/* The place of a key; SIZE_MAX: it is not there. */
static size_t map_find(struct yaml_node *const *keys, size_t count, const struct yaml_names *names,
                       const char *key)
{
    if (names && names->used)
        return yaml_names_find(names, key);
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i]->text, key) == 0)
            return i;
    return SIZE_MAX;
}

static size_t reading_find(const struct map_reading *map, const char *key)
{
    return map_find(map->keys.items, map->keys.count, &map->names, key);
}

static void reading_add(struct map_reading *map, struct yaml_node *key, struct yaml_node *value)
{
    VECTOR_PUSH(&map->keys, key);
    VECTOR_PUSH(&map->values, value);
    size_t from = map->names.used ? map->keys.count - 1 : 0;
    for (size_t i = from; map->keys.count >= MAP_LARGE && i < map->keys.count; i++)
        yaml_names_put(&map->names, map->keys.items[i]->text, i);
}

/* Keys given in the map itself win over merged ones, wherever they stand. */
static void loader_merge(struct map_reading *map, const struct yaml_node *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (reading_find(map, from->keys[i]->text) == SIZE_MAX)
            reading_add(map, from->keys[i], from->items[i]);
}

static int loader_pair(struct loader *l, struct yaml_node *key, struct map_reading *map)
{
    yaml_event_t event;
    struct yaml_node *value;
    int status = loader_next(l, &event);
    if (!status)
        status = loader_read(l, &event, &value);
    if (status)
        return status;
    if (key->kind != YAML_SCALAR)
        return yaml_error(key, l->error, "a key must be a plain text");
    if (strcmp(key->text, "<<") == 0 && !key->quoted) {
        bool list = value->kind == YAML_LIST;
        for (size_t i = 0; i < (list ? value->count : 1); i++) {
            struct yaml_node *from = list ? value->items[i] : value;
            if (from->kind != YAML_MAP)
                return yaml_error(from, l->error, "\"<<\" merges maps only");
            VECTOR_PUSH(&map->merges, from);
        }
        return 0;
    }
    size_t first = reading_find(map, key->text);
    if (first < SIZE_MAX)
        return yaml_error(key, l->error, "duplicate key \"%s\" (first on line %ld)", key->text,
                          map->keys.items[first]->mark.line);
    reading_add(map, key, value);
    return 0;
}

static int loader_map(struct loader *l, struct yaml_node *node)
{
    struct map_reading map = {0};
    int status;
    for (;;) {
        yaml_event_t event;
        struct yaml_node *key;
        if ((status = loader_next(l, &event)))
            break;
        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            break;
        }
        if ((status = loader_read(l, &event, &key)) || (status = loader_pair(l, key, &map)))
            break;
    }
    for (size_t i = 0; i < map.merges.count && !status; i++)
        loader_merge(&map, map.merges.items[i]);
    VECTOR_FREE(&map.merges);
    node->count = map.keys.count;
    node->keys = loader_keep(l, &map.keys);
    node->items = loader_keep(l, &map.values);
    if (map.names.used)
        node->names = yaml_names_keep(&map.names, l->document->arena);
    yaml_names_fini(&map.names);
    return status;
}

/* What is read counts, and what an alias stands for counts again. */
static int loader_count(struct loader *l, size_t values, int levels, const struct mark *mark)
{
    int deepest = l->depth - 1 + levels;
    l->values += values;
    if (deepest > YAML_DEPTH_MAX)
        return error_at(l->error, STATUS_INPUT, mark, "nested deeper than %d levels",
                        YAML_DEPTH_MAX);
    if (l->values > YAML_VALUES_MAX)
        return error_at(l->error, STATUS_INPUT, mark,
                        "more than %d keys and values, those that aliases repeat included",
                        YAML_VALUES_MAX);
    if (deepest > l->deepest)
        l->deepest = deepest;
    return 0;
}

/* Called when the node is complete: an alias inside its own anchor is unknown,
 * so the tree has no cycles. */
static void loader_anchor(struct loader *l, const char *name, struct anchor anchor)
{
    yaml_names_put(&l->anchor_names, name, l->anchors.count);
    VECTOR_PUSH(&l->anchors, anchor);
}

static int loader_alias(struct loader *l, const char *name, const struct mark *mark,
                        struct yaml_node **out)
{
    size_t at = yaml_names_find(&l->anchor_names, name);
    if (at == SIZE_MAX)
        return error_at(l->error, STATUS_INPUT, mark, "there is no anchor \"&%s\"", name);
    const struct anchor *anchor = &l->anchors.items[at];
    *out = anchor->node;
    return loader_count(l, anchor->values - 1, anchor->levels, mark);
}

static int loader_scalar(struct loader *l, const yaml_event_t *event, struct yaml_node **out)
{
    yaml_scalar_style_t style = event->data.scalar.style;
    bool quote =
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    struct yaml_node *node =
        loader_node(l, YAML_SCALAR, loader_mark(l, event->start_mark, quote ? 1 : 0));
    node->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    node->text = arena_strndup(l->document->arena, (const char *)event->data.scalar.value,
                               event->data.scalar.length);
    *out = node;
    if (strlen(node->text) != event->data.scalar.length)
        return yaml_error(node, l->error, "a text contains a NUL character");
    return 0;
}

/* Reads the value that begins with *event; deletes the event. */
static int loader_read(struct loader *l, yaml_event_t *event, struct yaml_node **out)
{
    const yaml_char_t *name = NULL;
    struct mark mark = loader_mark(l, event->start_mark, 0);
    size_t values = l->values;
    int around = l->deepest, status;
    l->deepest = l->depth++;
    *out = NULL;
    status = loader_count(l, 1, 1, &mark);
    if (status) {
        /* as below */
    } else if (event->type == YAML_SCALAR_EVENT) {
        name = event->data.scalar.anchor;
        status = loader_scalar(l, event, out);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        name = event->data.sequence_start.anchor;
        *out = loader_node(l, YAML_LIST, mark);
        status = loader_sequence(l, *out);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        name = event->data.mapping_start.anchor;
        *out = loader_node(l, YAML_MAP, mark);
        status = loader_map(l, *out);
    } else if (event->type == YAML_ALIAS_EVENT) {
        status = loader_alias(l, (const char *)event->data.alias.anchor, &mark, out);
    } else {
        status = error_at(l->error, STATUS_INPUT, &mark, "expected a value");
    }
    l->depth--;
    if (name && !status)
        loader_anchor(l, arena_strdup(l->document->arena, (const char *)name),
                      (struct anchor){*out, l->values - values, l->deepest - l->depth});
    l->deepest = l->deepest > around ? l->deepest : around;
    yaml_event_delete(event);
    return status;
}

static int loader_document(struct loader *l)
{
    yaml_event_t event;
    int status;
    for (;;) {
        if ((status = loader_next(l, &event)))
            return status;
        yaml_event_type_t type = event.type;
        struct mark mark = loader_mark(l, event.start_mark, 0);
        if (type == YAML_STREAM_END_EVENT) {
            yaml_event_delete(&event);
            if (!l->document->root)
                l->document->root = loader_node(l, YAML_MAP, mark);
            return 0;
        }
        if (type == YAML_DOCUMENT_START_EVENT && l->document->root) {
            yaml_event_delete(&event);
            return error_at(l->error, STATUS_INPUT, &mark, "a second document in one file");
        }
        if (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_START_EVENT ||
            type == YAML_DOCUMENT_END_EVENT) {
            yaml_event_delete(&event);
            continue;
        }
        if ((status = loader_read(l, &event, &l->document->root)))
            return status;
    }
}

int yaml_parse(const char *name, const char *text, size_t size, struct yaml_document **out,
               struct error *error)
{
    struct yaml_document *document = memory_zero(1, sizeof *document);
    document->arena = arena_create();
    document->text = arena_strndup(document->arena, text, size);
    document->size = size;
    struct loader l = {.document = document, .error = error};
    l.file = arena_strdup(document->arena, name);
    struct {
        const char **items;
        size_t count, capacity;
    } lines = {0};
    VECTOR_PUSH(&lines, document->text);
    for (const char *at = document->text; (at = strchr(at, '\n')); at++)
        VECTOR_PUSH(&lines, at + 1);
    l.lines = lines.items;
    l.n_lines = lines.count;
    int status;
    if (!yaml_parser_initialize(&l.parser)) {
        status = error_set(error, STATUS_FAILED, "cannot start the YAML parser");
    } else {
        yaml_parser_set_input_string(&l.parser, (const unsigned char *)document->text, size);
        status = loader_document(&l);
        yaml_parser_delete(&l.parser);
    }
    VECTOR_FREE(&lines);
    VECTOR_FREE(&l.anchors);
    yaml_names_fini(&l.anchor_names);
    if (status) {
        yaml_destroy(document);
        document = NULL;
    }
    *out = document;
    return status;
}

int yaml_load(const char *path, struct yaml_document **out, struct error *error)
{
    char *text;
    size_t size;
    *out = NULL;
    int status = file_read(path, YAML_BYTES_MAX, &text, &size, error);
    if (status)
        return status;
    status = yaml_parse(path, text, size, out, error);
    free(text);
    return status;
}

void yaml_destroy(struct yaml_document *document)
{
    if (!document)
        return;
    arena_destroy(document->arena);
    free(document);
}

int yaml_error(const struct yaml_node *node, struct error *error, const char *format, ...)
{
    char text[900];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return error_at(error, STATUS_INPUT, &node->mark, "%s", text);
}

struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
    if (!map || map->kind != YAML_MAP)
        return NULL;
    size_t at = map_find(map->keys, map->count, map->names, key);
    return at < SIZE_MAX ? map->items[at] : NULL;
}

int yaml_expect(const struct yaml_node *node, enum yaml_kind kind, const char *what,
                struct error *error)
{
    static const char *const names[] = {"a single value", "a list", "a map"};
    if (node->kind == kind)
        return 0;
    return yaml_error(node, error, "%s: expected %s, found %s", what, names[kind],
                      names[node->kind]);
}

/* Says which keys there are, and which of them was perhaps meant. */
static int unknown_key(const struct yaml_node *key, const char *what, const char *const *known,
                       struct error *error)
{
    struct suggest suggest = suggest_begin(key->text);
    struct text names = {0};
    int status = yaml_error(key, error, "%s: unknown key \"%.80s\"", what, key->text);
    for (const char *const *k = known; *k; k++) {
        suggest_offer(&suggest, *k);
        text_printf(&names, "%s%s", names.length ? ", " : "", *k);
    }
    suggest_hint(&suggest, error);
    error_hint(error, "known keys: %s", names.data);
    text_free(&names);
    return status;
}

int yaml_check_keys(const struct yaml_node *map, const char *what, const char *const *known,
                    struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, what, error);
    for (size_t i = 0; !status && i < map->count; i++) {
        bool found = false;
        for (const char *const *k = known; *k && !found; k++)
            found = strcmp(*k, map->keys[i]->text) == 0;
        if (!found)
            status = unknown_key(map->keys[i], what, known, error);
    }
    return status;
}

int yaml_check_form(const struct yaml_node *map, const char *what, const struct file_key *keys,
                    struct error *error)
{
    size_t n = 0;
    while (keys[n].name)
        n++;
    const char **known = memory_zero(n + 1, sizeof *known);
    for (size_t i = 0; i < n; i++)
        known[i] = keys[i].name;
    int status = yaml_check_keys(map, what, known, error);
    free(known);
    return status;
}

int yaml_require(const struct yaml_node *map, const char *what, const char *key,
                 struct yaml_node **out, struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, what, error);
    if (status)
        return status;
    *out = yaml_get(map, key);
    return *out ? 0 : yaml_error(map, error, "%s: \"%s\" is missing", what, key);
}

int yaml_string(const struct yaml_node *node, const char *what, const char **out,
                struct error *error)
{
    int status = yaml_expect(node, YAML_SCALAR, what, error);
    if (!status && node->text[0] == '\0')
        status = yaml_error(node, error, "%s: the value is empty", what);
    if (!status)
        *out = node->text;
    return status;
}

int yaml_number(const struct yaml_node *node, const char *what, double *out, struct error *error)
{
    int status = yaml_expect(node, YAML_SCALAR, what, error);
    if (!status && !number_scan(node->text, out))
        status = yaml_error(node, error, "%s: expected a number, got \"%.80s\"", what, node->text);
    return status;
}

int yaml_integer(const struct yaml_node *node, const char *what, long long min, long long max,
                 long long *out, struct error *error)
{
    double value;
    int status = yaml_number(node, what, &value, error);
    if (status)
        return status;
    if (value != floor(value) || value < (double)min || value > (double)max)
        return yaml_error(node, error, "%s: expected a whole number from %lld to %lld, got \"%s\"",
                          what, min, max, node->text);
    *out = (long long)value;
    return 0;
}

int yaml_quantity(const struct yaml_node *node, const char *what, struct quantity *out,
                  struct error *error)
{
    int status = yaml_expect(node, YAML_SCALAR, what, error);
    if (!status && quantity_scan(node->text, out))
        status = yaml_error(node, error, "%s: expected a number with a unit, got \"%.80s\"", what,
                            node->text);
    return status;
}

/* Bytes of the UTF-8 character that begins here; 0: not UTF-8. */
static size_t utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] < 0x80   ? 1
                    : c[0] < 0xc2 ? 0
                    : c[0] < 0xe0 ? 2
                    : c[0] < 0xf0 ? 3
                    : c[0] < 0xf5 ? 4
                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    return surrogate || overlong || (c[0] == 0xf4 && c[1] >= 0x90) ? 0 : length;
}

void yaml_append_scalar(struct text *out, const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "~"};
    bool plain = text[0] && (isalnum((unsigned char)text[0]) || strchr("_/.", text[0]));
    for (const char *c = text; *c && plain; c++)
        plain = isalnum((unsigned char)*c) || strchr("_-./+=@ ()^<>", *c);
    if (plain && text[strlen(text) - 1] == ' ')
        plain = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && plain; i++)
        plain = strcmp(words[i], text) != 0;
    if (plain) {
        text_append(out, text);
        return;
    }
    text_append(out, "\"");
    for (const char *c = text; *c;) {
        size_t length = utf8_length(c);
        if (*c == '"' || *c == '\\')
            text_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            text_printf(out, "\\x%02x", (unsigned char)*c);
        else if (length == 2 && (unsigned char)c[0] == 0xc2 && (unsigned char)c[1] < 0xa0)
            text_printf(out, "\\x%02x", (unsigned char)c[1]); /* C1 control characters */
        else if (length == 0)
            text_append(out, "?");
        else
            text_append_bytes(out, c, length);
        c += length ? length : 1;
    }
    text_append(out, "\"");
}

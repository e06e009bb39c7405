/* SPDX-License-Identifier: GPL-3.0-or-later */
/* YAML as a tree of nodes with line:column marks, over libyaml.
 *
 * Aliases and merge keys (<<) work; duplicate keys and several documents are errors, and so is
 * what exceeds a limit, as soon as it is met. Scalars stay text: the reader of a value says
 * what it must be, and its error points at the place. */
#ifndef BANDSCAPE_YAML_YAML_H
#define BANDSCAPE_YAML_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/file_form.h"
#include "core/memory.h"
#include "core/unit.h"

enum {
    YAML_BYTES_MAX = 64 << 20, /* of a file */
    YAML_VALUES_MAX = 1 << 22, /* keys, values, lists and maps; what an alias stands for counts
                                * each time, as a reader goes through it each time */
    YAML_DEPTH_MAX = 64        /* levels of lists and maps, through aliases */
};

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
    enum yaml_kind kind;
    struct mark mark;         /* of the value's first character (inside the quotes) */
    const char *text;         /* scalar */
    bool quoted;              /* scalar */
    struct yaml_node **items; /* list items, or map values */
    struct yaml_node **keys;  /* map keys (scalars) */
    size_t count;
    struct yaml_names *names; /* of a map of many keys: their places; else NULL */
};

struct yaml_document {
    struct yaml_node *root;
    struct arena *arena; /* owns everything */
    const char *text;
    size_t size;
};

/* The root of an empty file is an empty map. STATUS_INTERRUPTED on Ctrl-C. */
int yaml_load(const char *path, struct yaml_document **out, struct error *error);
int yaml_parse(const char *name, const char *text, size_t size, struct yaml_document **out,
               struct error *error);
void yaml_destroy(struct yaml_document *document);

/* An error at the node. */
int yaml_error(const struct yaml_node *node, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A map's value, or NULL. */
struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* `what` names the node in messages ("space", "axes"). */
int yaml_expect(const struct yaml_node *node, enum yaml_kind kind, const char *what,
                struct error *error);

/* Every key of the map must be in the NULL-terminated list; "did you mean". */
int yaml_check_keys(const struct yaml_node *map, const char *what, const char *const *known,
                    struct error *error);
/* The same of the keys of a form (core/file_form.h). */
int yaml_check_form(const struct yaml_node *map, const char *what, const struct file_key *keys,
                    struct error *error);
/* A required value of a map. */
int yaml_require(const struct yaml_node *map, const char *what, const char *key,
                 struct yaml_node **out, struct error *error);

/* Scalars as values; each error says what was expected and shows the text. */
int yaml_string(const struct yaml_node *node, const char *what, const char **out,
                struct error *error);
int yaml_number(const struct yaml_node *node, const char *what, double *out, struct error *error);
int yaml_integer(const struct yaml_node *node, const char *what, long long min, long long max,
                 long long *out, struct error *error);
int yaml_quantity(const struct yaml_node *node, const char *what, struct quantity *out,
                  struct error *error);

/* Writing: a scalar, quoted only where YAML would read it otherwise. */
void yaml_append_scalar(struct text *out, const char *text);

#endif

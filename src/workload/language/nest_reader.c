/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions, names and ranges of a loop nest. */
#include "workload/language/nest_reader.h"

#include <ctype.h>
#include <string.h>

#include "yaml/yaml.h"

bool nest_is_reserved(const char *name)
{
    return strlen(name) == 2 && strchr("btgd", name[0]) && strchr("xyz", name[1]);
}

static const struct expression *keep(struct reader *r, const struct expression *tree)
{
    VECTOR_PUSH(&r->expressions, tree);
    return tree;
}

int reader_expression(struct reader *r, const struct yaml_node *node, const char *what,
                      const struct expression **out)
{
    const char *text;
    struct expression *tree;
    int status = yaml_string(node, what, &text, r->error);
    if (!status)
        status = expression_parse(r->arena, text, &node->mark, &tree, r->error);
    *out = status ? NULL : keep(r, tree);
    return status;
}

int reader_name(struct reader *r, const char *name, const struct mark *mark)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    if (!length || name[length] || isdigit((unsigned char)name[0]))
        return error_at(r->error, STATUS_INPUT, mark,
                        "\"%.80s\" is not a name: letters, digits and _ only", name);
    static const char *const words[] = {"and", "or", "not", "in", "iteration"};
    bool word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word = word || strcmp(words[i], name) == 0;
    if (!word && !nest_is_reserved(name))
        return 0;
    return error_at(r->error, STATUS_INPUT, mark, "\"%s\" has a fixed meaning in kernels", name);
}

/* The length of "name in " at the start of the text; 0 when it is none. */
static size_t range_head(const char *text, size_t *name_length)
{
    size_t at = 0;
    while (isalnum((unsigned char)text[at]) || text[at] == '_')
        at++;
    *name_length = at;
    size_t blanks = strspn(text + at, " \t");
    at += blanks;
    if (!*name_length || !blanks || strncmp(text + at, "in", 2) != 0 ||
        !isspace((unsigned char)text[at + 2]))
        return 0;
    return at + 2;
}

int reader_range(struct reader *r, const struct yaml_node *node, const char *what, bool only_count,
                 struct nest_range *out)
{
    const char *text;
    size_t length, used;
    struct expression *tree;
    int status = yaml_string(node, what, &text, r->error);
    if (status)
        return status;
    struct mark mark = node->mark;
    out->mark = mark;
    size_t at = range_head(text, &length);
    if (!at && only_count)
        return reader_expression(r, node, what, &out->to);
    if (at) {
        out->name = arena_strndup(r->arena, text, length);
        if ((status = reader_name(r, out->name, &mark)))
            return status;
        mark.column += (long)at;
        status = expression_parse_prefix(r->arena, text + at, &mark, &tree, &used, r->error);
        if (status)
            return status;
        out->from = keep(r, tree);
        at += used;
        mark.column += (long)used;
    }
    if (!at || strncmp(text + at, "..", 2) != 0) {
        error_at(r->error, STATUS_INPUT, &mark, "%s: expected \"index in from..to\", got \"%.80s\"",
                 what, text);
        error_hint(r->error, "k in 0..n runs over 0, 1, ... n-1");
        return STATUS_INPUT;
    }
    mark.column += 2;
    status = expression_parse(r->arena, text + at + 2, &mark, &tree, r->error);
    if (!status)
        out->to = keep(r, tree);
    return status;
}

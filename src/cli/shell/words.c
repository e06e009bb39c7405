/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/words.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* One word from *at on. False: a quote in it does not end; *at is where it begins. */
static bool read_word(const char *line, size_t *at, struct text *out)
{
    size_t i = *at;
    text_append(out, "");
    while (line[i] && !is_blank(line[i]) && line[i] != ';') {
        char quote = line[i] == '"' || line[i] == '\'' ? line[i] : 0;
        if (!quote) {
            i += line[i] == '\\' && line[i + 1];
            text_append_bytes(out, &line[i++], 1);
            continue;
        }
        *at = i++;
        while (line[i] && line[i] != quote) {
            i += quote == '"' && line[i] == '\\' && line[i + 1];
            text_append_bytes(out, &line[i++], 1);
        }
        if (!line[i++])
            return false;
    }
    *at = i;
    return true;
}

int words_next(const char *line, size_t *at, const struct mark *mark, struct arena *arena,
               struct words *out, bool *more, struct error *error)
{
    *out = (struct words){0};
    while (is_blank(line[*at]) || line[*at] == ';')
        ++*at;
    while (line[*at] && line[*at] != ';' && line[*at] != '#') {
        struct text word = {0};
        long column = (long)*at + 1;
        bool ended = read_word(line, at, &word);
        if (!ended) {
            struct mark place = {mark->file, mark->line, (long)*at + 1, line};
            text_free(&word);
            return error_at(error, STATUS_USAGE, &place, "this quote does not end");
        }
        VECTOR_PUSH(out, (struct word){arena_strdup(arena, word.data), column});
        text_free(&word);
        while (is_blank(line[*at]))
            ++*at;
    }
    if (line[*at] == '#')
        *at += strlen(line + *at);
    *more = out->count > 0;
    return 0;
}

void words_unfinished(const char *line, size_t length, struct arena *arena, struct words *out)
{
    const char *cut = arena_strndup(arena, line, length);
    size_t at = 0;
    *out = (struct words){0};
    for (;;) {
        struct text word = {0};
        while (is_blank(cut[at]))
            at++;
        long column = (long)at + 1;
        bool ended = read_word(cut, &at, &word);
        VECTOR_PUSH(out, (struct word){arena_strdup(arena, word.data), column});
        text_free(&word);
        if (!ended || !cut[at])
            return;
        if (cut[at] == ';') {
            out->count = 0;
            at++;
        }
    }
}

void words_quote(const char *text, struct text *out)
{
    if (text[0] && !strpbrk(text, " \t\r;\"'\\") && text[0] != '#') {
        text_append(out, text);
        return;
    }
    text_append(out, "\"");
    for (; *text; text++)
        text_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    text_append(out, "\"");
}

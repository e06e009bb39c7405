/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may stand where the cursor is: tables of verbs, commands and parameters say it. */
#include <stdlib.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/shell/shell.h"

struct completing {
    const struct shell *shell;
    const struct words *words;
    const char *word; /* the last one */
    lines_offer *offer;
    void *context;
};

static void offer_if(void *context, const char *text)
{
    const struct completing *c = context;
    if (strncmp(text, c->word, strlen(c->word)) == 0)
        c->offer(c->context, text);
}

static void offer_name(void *context, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals)
        offer_if(context, equals + 1);
}

/* "set PATH NAME": names of the parameter that stands before. */
static void offer_names(struct completing *c)
{
    struct text setting = {0};
    text_printf(&setting, "%s=", c->words->items[1].text);
    completion_values("@settings", session_state(&c->shell->session)->machine, setting.data,
                      offer_name, c);
    text_free(&setting);
}

static void offer_values(struct completing *c, const char *values)
{
    const struct session_state *state = session_state(&c->shell->session);
    while (*values && *values != '|') {
        size_t length = strcspn(values, " |");
        char one[64];
        snprintf(one, sizeof one, "%.*s", (int)length, values);
        if (strcmp(one, "@set") == 0)
            for (size_t i = 0; i < state->settings.count; i++)
                offer_if(c, state->settings.items[i].path);
        else if (strcmp(one, "@names") == 0)
            offer_names(c);
        else if (strcmp(one, "@verbs") == 0)
            shell_each_verb(offer_if, c);
        else
            completion_values(one, state->machine, c->word, offer_if, c);
        values += length + strspn(values + length, " ");
    }
}

/* What the n-th argument may be; the last of them stands for all that follow. */
static const char *nth_values(const char *values, size_t n)
{
    for (const char *next; n > 0 && (next = strchr(values, '|')); n--)
        values = next + 1;
    return values;
}

/* Options of the command behind a verb, of the session's machine. */
static void offer_command(struct completing *c, const char *name)
{
    const char *machine = session_state(&c->shell->session)->machine;
    const char **words = memory_zero(c->words->count + 2, sizeof *words);
    size_t count = 0;
    words[count++] = name;
    if (machine) {
        words[count++] = "--machine";
        words[count++] = machine;
    }
    for (size_t i = 1; i < c->words->count; i++)
        words[count++] = c->words->items[i].text;
    completion_find(words, count, offer_if, c);
    free(words);
}

/* --minimise and --maximise of sweep and rank, which are no options of a command. */
static bool awaits_column(const char *option)
{
    return strncmp(option, "--minimi", 8) == 0 || strncmp(option, "--maximi", 8) == 0;
}

bool shell_complete(void *context, const char *line, size_t length, lines_offer *offer,
                    void *offer_context)
{
    struct arena *arena = arena_create();
    struct words words;
    words_unfinished(line, length, arena, &words);
    size_t last = words.count - 1;
    struct completing c = {context, &words, words.items[last].text, offer, offer_context};
    const char *name = shell_command_name(words.items[0].text);
    const struct verb *verb = shell_verb(name);
    if (last == 0)
        shell_each_verb(offer_if, &c);
    else if (verb && awaits_column(words.items[last - 1].text))
        offer_values(&c, "@metrics @parameters");
    else if (verb && c.word[0] != '-')
        offer_values(&c, nth_values(verb->values, last - 1));
    else
        offer_command(&c, strcmp(name, "rank") == 0 ? "sweep" : name);
    VECTOR_FREE(&words);
    arena_destroy(arena);
    return last > 0;
}

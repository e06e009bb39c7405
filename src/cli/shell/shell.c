/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/execute.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/suggest.h"
#include "explore/views/subjects.h"

enum { SCRIPTS_DEEP = 16 };

struct mark statement_mark(const struct statement *statement, size_t word)
{
    struct mark mark = statement->mark;
    if (word < statement->words.count)
        mark.column = statement->words.items[word].column;
    return mark;
}

const char *statement_rest(const struct statement *statement, size_t from)
{
    struct text text = {0};
    text_append(&text, "");
    for (size_t i = from; i < statement->words.count; i++)
        text_printf(&text, "%s%s", i > from ? " " : "", statement->words.items[i].text);
    const char *rest = arena_strdup(statement->arena, text.data);
    text_free(&text);
    return rest;
}

const struct verb *shell_verb(const char *name)
{
    for (const struct verb *verb = shell_verbs; verb->name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

const char *shell_command_name(const char *verb)
{
    return strcmp(verb, "eval") == 0 ? "whatif" : strcmp(verb, "exit") == 0 ? "quit" : verb;
}

void shell_each_verb(void (*visit)(void *context, const char *name), void *context)
{
    size_t cursor = 0;
    for (const struct verb *verb = shell_verbs; verb->name; verb++)
        visit(context, verb->name);
    visit(context, "eval");
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));)
        if (!shell_verb(plugin->name) && strcmp(plugin->name, "shell") != 0)
            visit(context, plugin->name);
}

void shell_init(struct shell *shell)
{
    *shell = (struct shell){0};
    session_init(&shell->session);
    subjects_keep(true);
}

void shell_fini(struct shell *shell)
{
    subjects_keep(false);
    shell_sweep_forget(&shell->sweep);
    session_fini(&shell->session);
}

/* --- statements ------------------------------------------------------------------------ */

int shell_command(struct shell *shell, const struct command *command, char *const *words,
                  size_t count, struct error *error)
{
    struct session_words all = {0};
    struct arena *arena = arena_create();
    int status = session_command(&shell->session, command, words, count, arena, &all, error);
    if (!status)
        status = execute_command((int)all.count, all.items, error);
    VECTOR_FREE(&all);
    arena_destroy(arena);
    return status;
}

static void offer_verb(void *context, const char *name)
{
    suggest_offer(context, name);
}

static int run_statement(struct shell *shell, const struct statement *statement,
                         struct error *error)
{
    const struct words *words = &statement->words;
    const char *name = shell_command_name(words->items[0].text);
    const struct verb *verb = shell_verb(name);
    if (verb)
        return execute_finish(verb->run(shell, statement, error), error);
    const struct plugin *plugin = plugin_find("command", name);
    struct mark mark = statement_mark(statement, 0);
    if (!plugin || strcmp(name, "shell") == 0) {
        struct suggest suggest = suggest_begin(name);
        shell_each_verb(offer_verb, &suggest);
        error_at(error, STATUS_USAGE, &mark, "there is no verb \"%.80s\"", name);
        suggest_hint(&suggest, error);
        return error_hint(error, "help lists the verbs");
    }
    char **rest = memory_zero(words->count, sizeof *rest);
    for (size_t i = 1; i < words->count; i++)
        rest[i - 1] = words->items[i].text;
    int status =
        shell_command(shell, (const struct command *)plugin, rest, words->count - 1, error);
    free(rest);
    return status;
}

/* The statements of a line, up to one that fails. */
static int run_line(struct shell *shell, const char *line, const struct mark *mark,
                    struct error *error)
{
    struct statement statement = {.mark = *mark, .arena = arena_create()};
    size_t at = 0;
    int status = 0;
    bool more = true;
    statement.mark.source = line;
    while (more && !status && !shell->ended) {
        status =
            words_next(line, &at, &statement.mark, statement.arena, &statement.words, &more, error);
        if (!status && more) {
            status = run_statement(shell, &statement, error);
            struct mark place = statement_mark(&statement, 0);
            if (status && mark->file && error->line == 0)
                error_place(error, &place);
            else if (status && mark->file && strcmp(error->file, mark->file) != 0)
                error_context(error, "%s:%ld", mark->file, mark->line);
        }
        VECTOR_FREE(&statement.words);
    }
    arena_destroy(statement.arena);
    return status;
}

/* --- lines ----------------------------------------------------------------------------- */

static void make_prompt(const struct shell *shell, char *buffer, size_t size)
{
    const struct session_state *state = session_state(&shell->session);
    snprintf(buffer, size, "%s%s> ", state->machine ? file_base_name(state->machine) : "bandscape",
             state->settings.count ? "*" : "");
}

/* What a terminal is told of an error: true when the session goes on. */
static bool go_on(const struct lines *lines, struct error *error)
{
    if (!lines->prompts || interrupt_ends())
        return false;
    execute_tell_error(error);
    interrupt_clear();
    return true;
}

int shell_run(struct shell *shell, struct lines *lines, const char *file, struct error *error)
{
    struct mark mark = {.file = file, .line = 0, .column = 1};
    for (;;) {
        char prompt[128], *line;
        make_prompt(shell, prompt, sizeof prompt);
        *error = (struct error){0};
        int status = lines_read(lines, prompt, &line, error);
        if (status == STATUS_INTERRUPTED && lines->prompts && !interrupt_ends()) {
            interrupt_clear(); /* what was typed is dropped */
            continue;
        }
        mark.line++;
        if (status)
            error_place(error, &mark);
        if (status || !line)
            return status;
        status = run_line(shell, line, &mark, error);
        free(line);
        if (status && !go_on(lines, error))
            return status;
        if (shell->ended)
            return 0;
    }
}

int shell_run_file(struct shell *shell, const char *path, struct error *error)
{
    struct lines lines;
    if (shell->depth == SCRIPTS_DEEP) {
        error_set(error, STATUS_INPUT, "%s: scripts run scripts, %d deep", path, SCRIPTS_DEEP);
        return error_hint(error, "does one run itself?");
    }
    int status = lines_open_file(&lines, path, error);
    if (status)
        return status;
    shell->depth++;
    status = shell_run(shell, &lines, strcmp(path, "-") == 0 ? "standard input" : path, error);
    shell->depth--;
    lines_close(&lines);
    return status;
}

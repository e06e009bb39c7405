/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs that change the session, or say what it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/shell/shell.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "core/file.h"
#include "explore/views/subjects.h"

static const char session_head[] = "# A session of bandscape shell.\n";

/* An error at a word, unless it has a place of its own. */
static int at_word(const struct statement *statement, size_t word, int status, struct error *error)
{
    struct mark mark = statement_mark(statement, word);
    if (status)
        error_place(error, &mark);
    return status;
}

static int wrong_usage(const struct statement *statement, struct error *error)
{
    const char *name = shell_command_name(statement->words.items[0].text);
    const struct verb *verb = shell_verb(name);
    error_set(error, STATUS_USAGE, "expected: %s%s%s", verb->name, verb->usage[0] ? " " : "",
              verb->usage);
    error_hint(error, "help %s", verb->name);
    return at_word(statement, 0, STATUS_USAGE, error);
}

static size_t argument_words(const struct statement *statement)
{
    return statement->words.count - 1;
}

static const char *word_at(const struct statement *statement, size_t i)
{
    return statement->words.items[i].text;
}

/* --- machine, workload, model ----------------------------------------------------------- */

static int run_machine(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    const struct session_state *now = session_state(session);
    if (argument_words(statement) > 1)
        return wrong_usage(statement, error);
    if (argument_words(statement) == 0) {
        printf("%s\n", now->machine ? now->machine : "no machine");
        return 0;
    }
    const char *was = now->machine ? now->machine : "no machine"; /* what is now may move */
    struct session_state next = session_copy(session);
    size_t dropped = next.settings.count;
    next.machine = arena_strdup(session->arena, word_at(statement, 1));
    next.settings.count = 0;
    int status = session_enter(session, &next, error);
    if (!status && dropped)
        message("%zu setting%s of %s dropped; undo brings %s back", dropped, dropped > 1 ? "s" : "",
                was, dropped > 1 ? "them" : "it");
    return at_word(statement, 1, status, error);
}

static int run_workload(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    struct session_state next = session_copy(session);
    int status = 0;
    if (argument_words(statement) == 0) {
        for (size_t i = 0; i < next.workloads.count; i++)
            printf("%s\n", next.workloads.items[i]);
        if (next.workloads.count == 0)
            printf("no workload\n");
        session_drop(&next);
        return 0;
    }
    next.workloads.count = 0;
    for (size_t i = 1; i < statement->words.count && !status; i++) {
        const char *spec = arena_strdup(session->arena, word_at(statement, i));
        struct subjects opened = {0};
        status = subjects_open(&opened, &(struct subjects_request){&spec, NULL, 1, false}, error);
        at_word(statement, i, status, error);
        terminal_warn_subjects(opened.items, opened.count);
        subjects_close(&opened);
        VECTOR_PUSH(&next.workloads, spec);
    }
    if (!status)
        return session_enter(session, &next, error);
    session_drop(&next);
    return status;
}

static int run_model(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    const struct plugin *model = NULL;
    if (argument_words(statement) > 1)
        return wrong_usage(statement, error);
    if (argument_words(statement) == 0) {
        const char *name = session_state(session)->model;
        printf("%s\n", name ? name : "each command's own");
        return 0;
    }
    bool none = strcmp(word_at(statement, 1), "none") == 0;
    int status = none ? 0 : plugin_require("model", word_at(statement, 1), &model, error);
    if (status)
        return at_word(statement, 1, status, error);
    struct session_state next = session_copy(session);
    next.model = model ? model->name : NULL;
    return session_enter(session, &next, error);
}

/* --- settings --------------------------------------------------------------------------- */

static void print_settings(const struct session_state *state)
{
    for (size_t i = 0; i < state->settings.count; i++)
        printf("%s %s\n", state->settings.items[i].path, state->settings.items[i].value);
    if (state->settings.count == 0)
        printf("nothing is set\n");
}

/* A parameter as the user would write it; "" where it is unknown. */
static void format_value(const struct parameter *p, struct text *out)
{
    const struct parameter_value *value = &p->section->values[p->index];
    text_append(out, "");
    if (value->known)
        parameter_format(p, value, out);
}

/* What a user reads on a terminal: "inter.link_bandwidth: 96 GB/s -> 384 GB/s". */
static void say_change(const struct machine *before, const struct session_state *state,
                       const char *path)
{
    struct machine *after = NULL;
    struct parameter old, new;
    struct error ignored;
    if (session_machine(state, &after, &ignored) == 0 &&
        machine_find(before, path, &old, &ignored) == 0 &&
        machine_find(after, path, &new, &ignored) == 0) {
        struct text was = {0}, is = {0};
        format_value(&old, &was);
        format_value(&new, &is);
        printf("%s: %s -> %s\n", path, was.data, is.data);
        text_free(&was);
        text_free(&is);
    }
    machine_destroy(after);
}

/* PATH VALUE..., or PATH=VALUE. *value_word: where the value stands. */
static const char *split_setting(const struct statement *statement, const char **value,
                                 size_t *value_word)
{
    char *first = arena_strdup(statement->arena, word_at(statement, 1));
    char *equals = strchr(first, '=');
    *value_word = equals && equals[1] ? 1 : 2;
    *value = statement_rest(statement, 2);
    if (equals) {
        *equals = '\0';
        const char *rest = *value;
        *value = rest[0] && equals[1] ? arena_printf(statement->arena, "%s %s", equals + 1, rest)
                 : rest[0]            ? rest
                                      : equals + 1;
    } else if ((*value)[0] == '=') {
        *value += 1 + strspn(*value + 1, " ");
    }
    return first;
}

static int set_value(struct shell *shell, const struct statement *statement,
                     const struct machine *machine, struct error *error)
{
    struct session *session = &shell->session;
    const char *value;
    size_t value_word;
    const char *path = split_setting(statement, &value, &value_word);
    struct parameter parameter;
    struct values values = {0};
    if (!value[0])
        return wrong_usage(statement, error);
    int status = machine_find(machine, path, &parameter, error);
    if (status)
        return at_word(statement, 1, status, error);
    status = values_read(&parameter, value, &values, error);
    if (!status && values.count > 1) {
        error_set(error, STATUS_USAGE, "set takes one value of %s", path);
        status = error_hint(error, "sweep %s %s", path, value);
    }
    if (!status) {
        struct session_state next = session_copy(session);
        session_put(session, &next, path, values.items[0]);
        status = session_enter(session, &next, error);
    }
    if (!status && shell->talks)
        say_change(machine, session_state(session), path);
    values_fini(&values);
    return at_word(statement, value_word, status, error);
}

static int run_set(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct machine *machine;
    if (argument_words(statement) == 0) {
        print_settings(session_state(&shell->session));
        return 0;
    }
    int status = session_machine(session_state(&shell->session), &machine, error);
    if (!status)
        status = set_value(shell, statement, machine, error);
    machine_destroy(machine);
    return at_word(statement, 0, status, error);
}

static int run_unset(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    struct session_state next = session_copy(session);
    int status = 0;
    for (size_t i = 1; i < statement->words.count && !status; i++) {
        const char *path = word_at(statement, i);
        if (session_put(session, &next, path, NULL))
            continue;
        status = error_set(error, STATUS_USAGE, "%.80s is not set", path);
        error_hint(error, "set alone shows what is");
        at_word(statement, i, status, error);
    }
    if (argument_words(statement) == 0)
        next.settings.count = 0;
    if (!status)
        return at_word(statement, 0, session_enter(session, &next, error), error);
    session_drop(&next);
    return status;
}

/* --- undo ------------------------------------------------------------------------------- */

static void print_state(const struct session_state *state)
{
    printf("%s", state->machine ? state->machine : "no machine");
    for (size_t i = 0; i < state->settings.count; i++)
        printf(", %s %s", state->settings.items[i].path, state->settings.items[i].value);
    for (size_t i = 0; i < state->workloads.count; i++)
        printf("%s %s", i ? "," : ";", state->workloads.items[i]);
    if (state->model)
        printf("; model %s", state->model);
    printf("\n");
}

static int run_undo(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    if (argument_words(statement))
        return wrong_usage(statement, error);
    if (session->now == session->first)
        return at_word(statement, 0, error_set(error, STATUS_USAGE, "nothing was changed"), error);
    session->now--;
    print_state(session_state(session));
    return 0;
}

static int run_redo(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    if (argument_words(statement))
        return wrong_usage(statement, error);
    if (session->now + 1 == session->states.count)
        return at_word(statement, 0, error_set(error, STATUS_USAGE, "nothing was undone"), error);
    session->now++;
    print_state(session_state(session));
    return 0;
}

/* --- diff ------------------------------------------------------------------------------- */

static const struct sheet_column diff_columns[] = {{"parameter", "parameter", NULL, SHEET_TEXT},
                                                   {"shipped", "shipped", NULL, SHEET_TEXT},
                                                   {"here", "here", NULL, SHEET_TEXT},
                                                   {NULL}};

static void add_differences(const struct machine *shipped, const struct machine *here,
                            struct sheet *sheet)
{
    size_t cursor = 0;
    struct parameter p, own;
    struct error ignored;
    while (machine_next(here, &cursor, &own)) {
        char path[128];
        struct text was = {0}, is = {0};
        parameter_path(&own, path, sizeof path);
        text_append(&was, "");
        if (machine_find(shipped, path, &p, &ignored) == 0)
            format_value(&p, &was);
        format_value(&own, &is);
        if (strcmp(was.data, is.data) != 0)
            sheet_add(sheet, (struct sheet_cell[]){{path}, {was.data}, {is.data}});
        text_free(&was);
        text_free(&is);
    }
}

static int run_diff(struct shell *shell, const struct statement *statement, struct error *error)
{
    const struct session_state *state = session_state(&shell->session);
    struct machine *shipped = NULL, *here = NULL;
    if (argument_words(statement))
        return wrong_usage(statement, error);
    int status = session_machine(state, &here, error);
    if (!status)
        status = machine_load(state->machine, &shipped, error);
    if (!status) {
        struct sheet *sheet = sheet_create(diff_columns);
        add_differences(shipped, here, sheet);
        if (sheet_rows(sheet))
            terminal_print_sheet(sheet, "table");
        else
            printf("%s is as it is shipped\n", state->machine);
        sheet_destroy(sheet);
    }
    machine_destroy(here);
    machine_destroy(shipped);
    return at_word(statement, 0, status, error);
}

/* --- files ------------------------------------------------------------------------------ */

/* Only a session is written over. */
static int check_target(const char *path, struct error *error)
{
    char *text;
    size_t size;
    if (!file_exists(path))
        return 0;
    int status = file_read(path, 1 << 20, &text, &size, error);
    if (status)
        return status;
    if (strncmp(text, session_head, strlen(session_head)) != 0) {
        status = error_set(error, STATUS_USAGE, "%s is there, and no session", path);
        error_hint(error, "take another name");
    }
    free(text);
    return status;
}

static int run_save(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct text text = {0};
    if (argument_words(statement) != 1)
        return wrong_usage(statement, error);
    const char *path = word_at(statement, 1);
    int status = check_target(path, error);
    text_append(&text, session_head);
    session_print(session_state(&shell->session), &text);
    if (!status)
        status = file_write(path, text.data, text.length, error);
    text_free(&text);
    return at_word(statement, 1, status, error);
}

static int run_source(struct shell *shell, const struct statement *statement, struct error *error)
{
    if (argument_words(statement) != 1)
        return wrong_usage(statement, error);
    return at_word(statement, 1, shell_run_file(shell, word_at(statement, 1), error), error);
}

/* One step for undo; a session that fails half-way is none. */
static int run_load(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct session *session = &shell->session;
    size_t before = session->now, first = session->first;
    if (argument_words(statement) != 1)
        return wrong_usage(statement, error);
    struct session_state fresh = {0};
    int status = session_enter(session, &fresh, error);
    session->first = session->now;
    if (!status)
        status = shell_run_file(shell, word_at(statement, 1), error);
    session->first = first;
    session_join(session, before, !status);
    return at_word(statement, 1, status, error);
}

/* --- help ------------------------------------------------------------------------------- */

static void print_verbs(void)
{
    size_t cursor = 0;
    printf("The session:\n");
    for (const struct verb *verb = shell_verbs; verb->name; verb++)
        printf("  %-12s %s\n", verb->name, verb->summary);
    printf("\nQuestions, about the session's machine and workloads (eval is whatif):\n");
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));)
        if (!shell_verb(plugin->name) && strcmp(plugin->name, "shell") != 0)
            printf("  %-12s %s\n", plugin->name, plugin->summary);
    printf("\nhelp VERB says more; \";\" parts verbs, # begins a comment.\n");
}

static int run_help(struct shell *shell, const struct statement *statement, struct error *error)
{
    (void)shell;
    if (argument_words(statement) > 1)
        return wrong_usage(statement, error);
    if (argument_words(statement) == 0) {
        print_verbs();
        return 0;
    }
    const char *name = shell_command_name(word_at(statement, 1));
    const struct verb *verb = shell_verb(name);
    if (verb) {
        printf("%s %s\n\n%s\n", verb->name, verb->usage, verb->help);
        return 0;
    }
    return at_word(statement, 1, help_about(name, HELP_TERMINAL, error), error);
}

static int run_quit(struct shell *shell, const struct statement *statement, struct error *error)
{
    if (argument_words(statement))
        return wrong_usage(statement, error);
    shell->ended = true;
    return 0;
}

const struct verb shell_verbs[] = {
    {"machine", "[NAME]", "the machine that questions are about",
     "A shipped machine (list machines) or a file. Settings of the one before are dropped.\n"
     "Alone: which it is.",
     "@machines", run_machine},
    {"workload", "[W...]", "the workloads that questions are about",
     "Shipped workloads (gemm:input=small), traces or profiles. Alone: which they are.\n"
     "Questions that take one workload want one here.",
     "@workloads", run_workload},
    {"model", "[NAME|none]", "the model that answers",
     "The one that is asked; none: each command's own choice. Alone: which it is.", "none @model",
     run_model},
    {"set", "[PATH VALUE]", "change a parameter of the machine",
     "  set inter.link_bandwidth 384 GB/s\n"
     "  set inter.link_bandwidth *2        also /2, +10%, -10%, +32 GB/s\n"
     "  set llc.organisation=sm-side\n\n"
     "A value that the machine cannot have leaves it as it was. Alone: what is set.",
     "@parameters|@names", run_set},
    {"unset", "[PATH...]", "take settings back", "Alone: all of them.", "@set", run_unset},
    {"undo", "", "take the last change back",
     "Of machine, workload, model, set, unset and load; says what the session is then.", "",
     run_undo},
    {"redo", "", "bring it again", "What undo took back.", "", run_redo},
    {"diff", "", "what differs from the shipped machine",
     "Every parameter with the value that it has in the machine's file, and here.", "", run_diff},
    {"sweep", "PATH VALUES... [OPTIONS] | SPACE [OPTIONS]", "let parameters vary, and rank",
     "  sweep inter.link_bandwidth 48..768 GB/s\n"
     "  sweep inter.link_bandwidth=48,96,192GB/s llc.capacity=*0.5,*1,*2\n"
     "  sweep inter.link_bandwidth x0.5..x4 --maximise effective_bandwidth\n\n"
     "VALUES are a list or a range (48..768GB/s:9 has nine values; help values has all forms).\n"
     "Ranked by kernel time, or by what --minimise or --maximise say, on the session's machine\n"
     "and workloads. Other options are those of the command sweep; files are kept where -o\n"
     "says. pareto and plot go on from there. With the name of a space or a file: the command\n"
     "as it is, on that space.",
     "@settings @spaces", shell_sweep},
    {"rank", "[PATH VALUES...] [OPTIONS]", "rank organisations of the LLC, or designs",
     "A sweep over the organisations of the LLC, and whatever varies besides:\n\n"
     "  rank\n"
     "  rank inter.link_bandwidth 96,384 GB/s",
     "@settings", shell_rank},
    {"pareto", "[OPTIONS]", "the Pareto front of the last sweep",
     "As CSV. With --minimise and --maximise: of all its points. With a file: the command.", "",
     shell_pareto},
    {"plot", "[OPTIONS]", "a curve of the last sweep",
     "In characters; --term svg or -o FILE make a picture. Options are those of the command;\n"
     "with a file it is the command.",
     "", shell_plot},
    {"save", "FILE", "write the session to a file",
     "Its machine, workloads, model and settings, as verbs. Only another session is replaced.", "",
     run_save},
    {"load", "FILE", "begin anew with what is in a file",
     "A file of verbs, such as save writes. One that fails leaves the session as it was.", "",
     run_load},
    {"source", "FILE", "run a file of verbs",
     "In the present session. The first error ends it; what was done until then stands.", "",
     run_source},
    {"help", "[VERB|COMMAND|TOPIC]", "this, or more about one of them", "Alone: all of them.",
     "@verbs @topics", run_help},
    {"quit", "", "leave", "So do exit and the end of the input (Ctrl-D).", "", run_quit},
    {.name = NULL},
};

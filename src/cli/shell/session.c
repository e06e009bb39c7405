/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/session.h"

#include <stdlib.h>
#include <string.h>

#include "cli/named.h"
#include "cli/shell/words.h"

void session_init(struct session *session)
{
    *session = (struct session){.arena = arena_create()};
    VECTOR_PUSH(&session->states, (struct session_state){0});
}

void session_fini(struct session *session)
{
    for (size_t i = 0; i < session->states.count; i++)
        session_drop(&session->states.items[i]);
    VECTOR_FREE(&session->states);
    arena_destroy(session->arena);
}

const struct session_state *session_state(const struct session *session)
{
    return &session->states.items[session->now];
}

struct session_state session_copy(const struct session *session)
{
    const struct session_state *from = session_state(session);
    struct session_state copy = {.machine = from->machine, .model = from->model};
    for (size_t i = 0; i < from->workloads.count; i++)
        VECTOR_PUSH(&copy.workloads, from->workloads.items[i]);
    for (size_t i = 0; i < from->settings.count; i++)
        VECTOR_PUSH(&copy.settings, from->settings.items[i]);
    return copy;
}

void session_drop(struct session_state *state)
{
    VECTOR_FREE(&state->workloads);
    VECTOR_FREE(&state->settings);
}

/* What redo would bring back is forgotten. */
static void forget_later(struct session *session)
{
    while (session->states.count > session->now + 1)
        session_drop(&session->states.items[--session->states.count]);
}

int session_enter(struct session *session, struct session_state *state, struct error *error)
{
    struct machine *machine = NULL;
    int status = state->machine ? session_machine(state, &machine, error) : 0;
    machine_destroy(machine);
    if (status) {
        session_drop(state);
        return status;
    }
    forget_later(session);
    VECTOR_PUSH(&session->states, *state);
    session->now++;
    return 0;
}

void session_join(struct session *session, size_t from, bool keep)
{
    struct session_state last = session_copy(session);
    bool moved = session->now != from;
    session->now = from;
    forget_later(session);
    if (!keep || !moved) {
        session_drop(&last);
        return;
    }
    VECTOR_PUSH(&session->states, last);
    session->now++;
}

bool session_put(struct session *session, struct session_state *state, const char *path,
                 const char *value)
{
    struct session_setting *items = state->settings.items;
    size_t i = 0;
    while (i < state->settings.count && strcmp(items[i].path, path) != 0)
        i++;
    bool known = i < state->settings.count;
    if (value && known)
        items[i].value = arena_strdup(session->arena, value);
    else if (value)
        VECTOR_PUSH(&state->settings,
                    (struct session_setting){arena_strdup(session->arena, path),
                                             arena_strdup(session->arena, value)});
    else if (known)
        memmove(&items[i], &items[i + 1], (--state->settings.count - i) * sizeof *items);
    return known;
}

int session_machine(const struct session_state *state, struct machine **out, struct error *error)
{
    *out = NULL;
    if (!state->machine) {
        error_set(error, STATUS_USAGE, "which machine?");
        return error_hint(error, "machine sac; list machines shows names");
    }
    int status = machine_load(state->machine, out, error);
    for (size_t i = 0; i < state->settings.count && !status; i++)
        status = machine_set(*out, state->settings.items[i].path, state->settings.items[i].value,
                             NULL, error);
    if (!status)
        status = machine_check(*out, error);
    if (status) {
        machine_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* --- a command with the session in front ------------------------------------------------ */

static const struct option_row *find_option(const struct command *command, const char *name)
{
    for (const struct option_row *row = command->options; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

struct front {
    const struct session_state *state;
    const struct command *command;
    const struct invocation *given;
    struct arena *arena;
    struct session_words *out;
};

static void push(struct front *f, const char *text)
{
    VECTOR_PUSH(f->out, arena_strdup(f->arena, text));
}

static void push_option(struct front *f, const char *name, const char *value)
{
    VECTOR_PUSH(f->out, arena_printf(f->arena, "--%s=%s", name, value));
}

/* Whether the option is the session's to give. */
static bool wants(const struct front *f, const char *name)
{
    return find_option(f->command, name) && !option_given(f->given, name);
}

static bool set_by_user(const struct front *f, const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < option_count(f->given, "set"); i++) {
        const char *setting = option_value(f->given, "set", i);
        if (strncmp(setting, path, length) == 0 &&
            (setting[length] == '=' || setting[length] == ' '))
            return true;
    }
    return false;
}

static void push_machine(struct front *f)
{
    if (!f->state->machine || !wants(f, "machine"))
        return;
    push_option(f, "machine", f->state->machine);
    for (size_t i = 0; i < f->state->settings.count && find_option(f->command, "set"); i++) {
        const struct session_setting *s = &f->state->settings.items[i];
        if (!set_by_user(f, s->path))
            VECTOR_PUSH(f->out, arena_printf(f->arena, "--set=%s=%s", s->path, s->value));
    }
}

/* The session's machine as an argument: NAME, or NAME:PATH=VALUE,... */
static const char *machine_argument(const struct front *f)
{
    struct text text = {0};
    text_append(&text, f->state->machine);
    for (size_t i = 0; i < f->state->settings.count; i++)
        text_printf(&text, "%c%s=%s", i ? ',' : ':', f->state->settings.items[i].path,
                    f->state->settings.items[i].value);
    const char *kept = arena_strdup(f->arena, text.data);
    text_free(&text);
    return kept;
}

/* Alone, the machine as it is shipped beside the session's. */
static int push_machines(struct front *f, struct error *error)
{
    if (!f->state->machine)
        return 0;
    bool alone = argument_count(f->given) == 0;
    if (alone && f->state->settings.count == 0) {
        error_set(error, STATUS_USAGE, "nothing is set: %s is as it is shipped", f->state->machine);
        return error_hint(error, "name another machine, or set something: set llc.capacity *2");
    }
    if (alone)
        push(f, f->state->machine);
    push(f, machine_argument(f));
    return 0;
}

int session_command(const struct session *session, const struct command *command,
                    char *const *words, size_t n_words, struct arena *arena,
                    struct session_words *out, struct error *error)
{
    struct invocation *given = NULL;
    int status = invocation_parse(command, (int)n_words, (char **)(size_t)words, &given, error);
    if (status)
        return status;
    invocation_take_names(given);
    struct front f = {session_state(session), command, given, arena, out};
    bool both = find_option(command, "workload") && find_option(command, "machine");
    bool question = both && !command->arguments;
    bool machines = find_option(command, "workload") && command->arguments &&
                    strcmp(command->arguments, "@machines") == 0;
    push(&f, command->plugin.name);
    if (machines)
        status = push_machines(&f, error);
    if (question ? argument_count(given) == 0 : !both)
        push_machine(&f);
    if (machines || (question && argument_count(given) == 0)) {
        for (size_t i = 0; i < f.state->workloads.count && wants(&f, "workload"); i++)
            push_option(&f, "workload", f.state->workloads.items[i]);
        if (f.state->model && wants(&f, "model"))
            push_option(&f, "model", f.state->model);
    }
    for (size_t i = 0; i < n_words; i++)
        push(&f, words[i]);
    invocation_destroy(given);
    return status;
}

/* --- files ------------------------------------------------------------------------------ */

static void print_verb(struct text *out, const char *verb, const char *value)
{
    text_printf(out, "%s ", verb);
    words_quote(value, out);
    text_append(out, "\n");
}

void session_print(const struct session_state *state, struct text *out)
{
    if (state->machine)
        print_verb(out, "machine", state->machine);
    if (state->workloads.count) {
        text_append(out, "workload");
        for (size_t i = 0; i < state->workloads.count; i++) {
            text_append(out, " ");
            words_quote(state->workloads.items[i], out);
        }
        text_append(out, "\n");
    }
    if (state->model)
        print_verb(out, "model", state->model);
    for (size_t i = 0; i < state->settings.count; i++) {
        text_printf(out, "set %s ", state->settings.items[i].path);
        words_quote(state->settings.items[i].value, out);
        text_append(out, "\n");
    }
}

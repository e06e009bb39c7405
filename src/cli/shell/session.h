/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shell knows between two questions: a machine with settings, workloads and a model, as
 * their names; and what they were before, for undo. */
#ifndef BANDSCAPE_CLI_SHELL_SESSION_H
#define BANDSCAPE_CLI_SHELL_SESSION_H

#include "cli/command.h"
#include "core/memory.h"
#include "machine/machine.h"

struct session_setting {
    const char *path, *value; /* as a user would write it */
};

struct session_state {
    const char *machine, *model; /* NULL: none */
    struct {
        const char **items;
        size_t count, capacity;
    } workloads;
    struct {
        struct session_setting *items;
        size_t count, capacity;
    } settings; /* no path twice */
};

struct session {
    struct arena *arena; /* of all strings */
    struct {
        struct session_state *items;
        size_t count, capacity;
    } states;
    size_t now;   /* of them; later ones are what redo brings back */
    size_t first; /* undo goes no further back */
};

void session_init(struct session *session);
void session_fini(struct session *session);

const struct session_state *session_state(const struct session *session);

/* A copy of the present state, to be changed, and entered or dropped. */
struct session_state session_copy(const struct session *session);
void session_drop(struct session_state *state);

/* Makes it the present one, if its machine can be built, which then is what undo takes back; else
 * the session is as it was. The state belongs to the session either way. */
int session_enter(struct session *session, struct session_state *state, struct error *error);

/* The states behind that one become a single step, or (keep false) are dropped. */
void session_join(struct session *session, size_t from, bool keep);

/* Adds a setting, or replaces that of the same path. NULL: takes it away; false: it was not set. */
bool session_put(struct session *session, struct session_state *state, const char *path,
                 const char *value);

/* The machine with its settings; an error where there is none. machine_destroy it. */
int session_machine(const struct session_state *state, struct machine **out, struct error *error);

/* The words of a command with what the session says in front: options that the command has and the
 * user did not give. A question, which has options for a machine and workloads and takes no
 * arguments, gets all of them, but not where it is given an argument (simulate FILE.yaml); a
 * command about a machine alone gets machine and settings; of machines as arguments (compare) the
 * session's comes first. What is about others (validate) stands as it is. */
struct session_words {
    char **items;
    size_t count, capacity;
};
int session_command(const struct session *session, const struct command *command,
                    char *const *words, size_t n_words, struct arena *arena,
                    struct session_words *out, struct error *error);

/* A file that brings the state back when it is run as a script. */
void session_print(const struct session_state *state, struct text *out);

#endif

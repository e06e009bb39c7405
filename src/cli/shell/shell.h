/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell: statements of verbs. Some change the session; all others are the program's commands,
 * run in the process with the session's options in front. */
#ifndef BANDSCAPE_CLI_SHELL_SHELL_H
#define BANDSCAPE_CLI_SHELL_SHELL_H

#include "cli/shell/lines.h"
#include "cli/shell/session.h"
#include "cli/shell/words.h"

/* The last sweep of the session. */
struct shell_sweep {
    char *folder; /* NULL: there was none */
    bool own;     /* the folder is the shell's, and goes with it */
    struct arena *arena;
    const char *x, *by; /* first numeric axis and another one; NULL: none */
    struct {
        const char **items; /* --minimise=COL, ... */
        size_t count, capacity;
    } objectives;
};

struct shell {
    struct session session;
    struct shell_sweep sweep;
    bool talks; /* a terminal: what was changed is said */
    bool ended; /* quit */
    int depth;  /* of scripts within scripts */
};

/* A line's statement; words[0] is the verb. */
struct statement {
    struct words words;
    struct mark mark;    /* of the line: file NULL on a terminal */
    struct arena *arena; /* lives as long as the line */
};
/* Where a word stands, for errors. */
struct mark statement_mark(const struct statement *statement, size_t word);
/* The words from one on, with blanks between. In its arena. */
const char *statement_rest(const struct statement *statement, size_t from);

struct verb {
    const char *name, *usage, *summary; /* usage without the name */
    const char *help;                   /* paragraphs */
    const char *values; /* of arguments, for completion (cli/command.h); besides, @set: what is set,
                         * @names: of the parameter before, @verbs */
    int (*run)(struct shell *shell, const struct statement *statement, struct error *error);
};
extern const struct verb shell_verbs[]; /* ends with name NULL */
const struct verb *shell_verb(const char *name);

/* Commands under other names: eval is whatif. Else the name. */
const char *shell_command_name(const char *verb);

/* All words that may begin a statement. */
void shell_each_verb(void (*visit)(void *context, const char *name), void *context);

void shell_init(struct shell *shell);
void shell_fini(struct shell *shell);

/* Runs lines to their end. The first error ends a script, with its place; on a terminal errors are
 * told, and the session goes on. `file`: for errors. */
int shell_run(struct shell *shell, struct lines *lines, const char *file, struct error *error);
/* A file of verbs, within the present script. */
int shell_run_file(struct shell *shell, const char *path, struct error *error);

/* A command with the session in front, and what `words` say. */
int shell_command(struct shell *shell, const struct command *command, char *const *words,
                  size_t count, struct error *error);

/* lines_complete of a shell. */
lines_complete shell_complete;

/* cli/shell/explore.c: sweeps over what stands in a line, and what is asked of the last one. */
int shell_sweep(struct shell *shell, const struct statement *statement, struct error *error);
int shell_rank(struct shell *shell, const struct statement *statement, struct error *error);
int shell_pareto(struct shell *shell, const struct statement *statement, struct error *error);
int shell_plot(struct shell *shell, const struct statement *statement, struct error *error);
void shell_sweep_forget(struct shell_sweep *sweep);

#endif

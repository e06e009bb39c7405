/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command is one file `<name>.command.c` that ends in its descriptor. Only
 * src/cli reads argv, prints to the terminal or exits. */
#ifndef BANDSCAPE_CLI_COMMAND_H
#define BANDSCAPE_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"
#include "core/plugin.h"

/* One option. `argument` NULL: a switch. Options with `repeat` may be given
 * several times; others once. */
struct option_row {
    char letter;          /* 'o' or 0 */
    const char *name;     /* "output", without the dashes */
    const char *argument; /* "FILE" */
    bool repeat;
    const char *help; /* NULL: another spelling, not shown */
    /* For completion in a shell, blank-separated: words that may stand there, and "@machines",
     * "@model", ...: the names of such things (cli/completion.h). NULL: files, or anything. */
    const char *values;
    /* The name of the option that this is an older spelling of, which is what was given then. */
    const char *stands_for;
};

struct invocation;

struct command {
    struct plugin plugin;             /* kind "command" */
    const char *usage;                /* "SOURCE... --machine M [-o FILE]" */
    const char *description;          /* paragraphs for --help */
    const char *examples;             /* lines, each a command that works */
    const struct option_row *options; /* ends with name NULL; --help is added */
    int (*run)(const struct invocation *invocation, struct error *error);
    const char
        *arguments; /* values of the arguments, as of options; "info|@files": first, others */
};

/* The parsed command line. */
int invocation_parse(const struct command *command, int argc, char **argv, struct invocation **out,
                     struct error *error);
void invocation_destroy(struct invocation *invocation);
const struct command *invocation_command(const struct invocation *invocation);

int option_count(const struct invocation *invocation, const char *name);
bool option_given(const struct invocation *invocation, const char *name);
/* The index-th value; NULL when not given. */
const char *option_value(const struct invocation *invocation, const char *name, int index);
/* All of its values, option_count of them; free() the array. */
const char **option_values(const struct invocation *invocation, const char *name);
/* The options in the order of the command line: false behind the last one.
 * *value is NULL for a switch. */
bool option_at(const struct invocation *invocation, int index, const char **name,
               const char **value);
/* A whole number in [min, max]; `fallback` when not given. */
int option_integer(const struct invocation *invocation, const char *name, long long min,
                   long long max, long long fallback, long long *out, struct error *error);
int argument_count(const struct invocation *invocation);
const char *argument_value(const struct invocation *invocation, int index);
/* That argument becomes the value of an option; false: there is none of that name, or it is given
 * already and only once. */
bool invocation_make_option(struct invocation *invocation, int index, const char *option);

/* True when it is a terminal that knows more than lines of text (TERM is neither unset nor dumb).
 */
bool terminal_capable(FILE *stream);
/* True when colour belongs on that stream as well (NO_COLOR unset). */
bool terminal_colour(FILE *stream);

/* A message for the user on stderr: "bandscape: ...". */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

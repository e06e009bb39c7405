/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several commands share: settings, formats, the terminal's width. */
#ifndef BANDSCAPE_CLI_TERMINAL_H
#define BANDSCAPE_CLI_TERMINAL_H

#include "cli/command.h"
#include "cli/choices.h"
#include "machine/machine.h"
#include "report/sheet_print.h"

struct effect;
struct profile_effort;
struct subject;

/* Applies every --set, of which each has one value, then checks the machine as a whole. */
int terminal_apply_settings(const struct invocation *invocation, struct machine *machine,
                            struct error *error);
bool terminal_setting_given(const struct invocation *invocation, const char *path);
/* Every --set must matter to what is `asked`. */
int terminal_require_effects(const struct invocation *invocation, const struct effect *asked,
                             struct error *error);

/* --format, one of the NULL-terminated names; the first is the default. */
int terminal_format(const struct invocation *invocation, const char *const *names, const char **out,
                    struct error *error);

/* --sample or --error: all lines when neither is given; --exact. */
int terminal_effort(const struct invocation *invocation, struct profile_effort *out,
                    struct error *error);

int terminal_no_arguments(const struct invocation *invocation, struct error *error);

/* A message for each line of a text, which is released. */
void terminal_tell(struct text *lines);

/* Warnings of a workload's source, as messages. */
void terminal_warn(const char *name, const char *const *warnings, size_t count);
void terminal_warn_subjects(struct subject *const *subjects, size_t count);

/* Lines, on a terminal broken where they are wider; `say`: on the standard output. */
void terminal_put(FILE *stream, const char *lines);
void terminal_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Width and colour of the stream when it is a terminal. */
struct table_style terminal_table_style(FILE *stream);

/* The rows on the standard output: "table", "csv" or "json" (an array). */
void terminal_print_sheet(const struct sheet *sheet, const char *format);

#endif

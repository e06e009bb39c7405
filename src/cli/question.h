/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, workloads and organisations that a command line names. */
#ifndef BANDSCAPE_CLI_QUESTION_H
#define BANDSCAPE_CLI_QUESTION_H

#include "cli/choices.h"
#include "cli/command.h"
#include "explore/views/subjects.h"

struct question {
    struct machine *machine;  /* --machine with every --set */
    struct choices choices;   /* of question_read_choices */
    struct subjects subjects; /* --workload, at least one */
    struct {
        const char **items; /* names of plug-ins: they live for ever */
        size_t count, capacity;
    } organisations; /* --organisation, else that of --set, else as question_read says */
};

/* To be finished even when it fails. `command` stands in messages. Where no organisation is named:
 * the `preferred` ones (core/plugin.h), else the machine's own. */
int question_read(const struct invocation *invocation, const char *command, bool preferred,
                  struct question *out, struct error *error);
/* The workloads alone, into a question that is otherwise empty. */
int question_read_workloads(const struct invocation *invocation, const char *command,
                            struct question *out, struct error *error);
/* The same where settings may have several values: the machine has the first of each. */
int question_read_choices(const struct invocation *invocation, const char *command, bool preferred,
                          struct question *out, struct error *error);
void question_fini(struct question *question);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, workloads and organisations that a command line names. */
#ifndef BANDSCAPE_CLI_QUESTION_H
#define BANDSCAPE_CLI_QUESTION_H

#include "cli/command.h"
#include "explore/subject.h"

struct question {
    struct machine *machine; /* --machine with every --set */
    struct {
        struct subject **items;
        size_t count, capacity;
    } subjects; /* --workload, at least one */
    struct {
        const char **items; /* names of plug-ins: they live for ever */
        size_t count, capacity;
    } organisations; /* --organisation, else that of --set, else the usual ones */
};

/* To be finished even when it fails. `command` stands in messages. `usual`: names, the last one
 * NULL; NULL: the machine's own organisation. */
int question_read(const struct invocation *invocation, const char *command,
                  const char *const *usual, struct question *out, struct error *error);
void question_fini(struct question *question);

#endif

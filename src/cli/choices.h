/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --set of a command line: PATH=VALUES, each as cli/values.h has them. */
#ifndef BANDSCAPE_CLI_CHOICES_H
#define BANDSCAPE_CLI_CHOICES_H

#include "cli/command.h"
#include "cli/values.h"
#include "machine/machine.h"

enum { CHOICE_PATH = 128 };

struct choice {
    char path[CHOICE_PATH];
    struct values values; /* one or more */
};

/* Every --set of a command line. A choice is a value of each, the last one fastest. */
struct choices {
    struct {
        struct choice *items;
        size_t count, capacity;
    } all;
    size_t combinations; /* product of the numbers of values */
};

/* --set; a path that is given twice is an error. To be finished even when it fails. */
int choices_read(const struct invocation *invocation, const struct machine *machine,
                 struct choices *out, struct error *error);
void choices_fini(struct choices *choices);

/* Makes the choice, and checks the machine as a whole. */
int choices_apply(const struct choices *choices, size_t which, struct machine *machine,
                  struct error *error);
/* What tells a choice from the others: "inter.link_bandwidth=96 GB/s", blanks between several;
 * nothing where each setting has one value. The machine has it. */
void choices_label(const struct choices *choices, const struct machine *machine, struct text *out);

/* The part of "PATH=VALUE" before '='. */
void choice_path(const char *text, char *buffer, size_t size);

#endif

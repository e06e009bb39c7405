/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may stand behind PATH= on a command line: one value, or several.
 *
 *     192GB/s, sm-side      the value, a name
 *     *2, x2, +10%, -10%    of the machine's own
 *     +-20%                 that much less, as it is, more; or with the sign
 *     48,96,192GB/s         these; a number without a unit has that of the next one that has one
 *     48..192GB/s, x0.5..x4 doubled from the first on, and the last
 *     48..192GB/s:4         so many, evenly spaced
 */
#ifndef BANDSCAPE_CLI_CHOICES_H
#define BANDSCAPE_CLI_CHOICES_H

#include "cli/command.h"
#include "machine/machine.h"

enum { CHOICE_PATH = 128 };

struct choice {
    char path[CHOICE_PATH];
    struct {
        char **items; /* as machine_set reads them */
        size_t count, capacity;
    } values; /* one or more, in the order given */
};

/* Every --set of a command line. A choice is a value of each, the last one fastest. */
struct choices {
    struct {
        struct choice *items;
        size_t count, capacity;
    } all;
    size_t combinations; /* product of the numbers of values */
};

/* "PATH=VALUES" for the machine as it is. To be finished even when it fails. */
int choice_read(const char *text, const struct machine *machine, struct choice *out,
                struct error *error);
void choice_fini(struct choice *choice);

/* --set; a path that is given twice is an error. To be finished even when it fails. */
int choices_read(const struct invocation *invocation, const struct machine *machine,
                 struct choices *out, struct error *error);
void choices_fini(struct choices *choices);

/* Makes the choice, and checks the machine as a whole. */
int choices_apply(const struct choices *choices, size_t which, struct machine *machine,
                  struct error *error);
/* The value of setting `i` in a choice. */
const char *choices_value(const struct choices *choices, size_t which, size_t i);
/* What tells a choice from the others: "inter.link_bandwidth=96 GB/s", blanks between several;
 * nothing where each setting has one value. The machine has it. */
void choices_label(const struct choices *choices, const struct machine *machine, struct text *out);

/* The least and the largest of the values "48..192GB/s" of a number, in SI. */
int choice_ends(const struct machine *machine, const struct parameter *parameter,
                const char *values, double *low, double *high, struct error *error);

/* The part of "PATH=VALUE" before '='. */
void choice_path(const char *text, char *buffer, size_t size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of reference, one for each kind of file that users write: out of the tables by which the
 * files are read. `bandscape help machine-files` prints one, for a terminal, as a manual page of
 * section 5, or as Markdown. */
#ifndef BANDSCAPE_CLI_REFERENCE_H
#define BANDSCAPE_CLI_REFERENCE_H

#include "core/file_form.h"
#include "core/memory.h"

/* Takes the parts of a page in their order. */
struct reference_writer {
    void (*form)(const char *name, const char *help);
    void (*key)(const struct file_key *key);
};

struct reference {
    const char *name;        /* "machine-files" */
    const char *page;        /* "machine": bandscape-machine(5) */
    const char *summary;     /* one line */
    const char *description; /* paragraphs, as of commands */
    void (*forms)(const struct reference_writer *writer);
    const char *file;    /* of the example */
    const char *example; /* a whole file */
    const char *use;     /* a command that takes it */
    const char *more;    /* pages with prose, and commands */
};
extern const struct reference references[]; /* ends with name NULL */

/* By name or page, "space" or "spaces"; or NULL. */
const struct reference *reference_find(const char *name);

/* Forms of a table that ends with name NULL. */
void reference_put_forms(const struct reference_writer *writer, const struct file_form *forms);

/* Of machines, whose forms are the table of parameters. */
void reference_put_machine(const struct reference_writer *writer);

/* To stdout; the manual page of one is manual_print_reference (cli/manual.h). */
void reference_print(const struct reference *reference);
void reference_markdown(const struct reference *reference);

/* A help without the quotes that Markdown has around code; what a key is beside its meaning:
 * "count, in lanes; default: 50". */
void reference_plain(const char *text, struct text *out);
void reference_key_facts(const struct file_key *key, struct text *out);

#endif

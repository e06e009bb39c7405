/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file may say, as data: a form is a map of a file, a line of one, or a part of either, with
 * its keys. Readers take from it what they know, and pages of reference (cli/reference.h) print it,
 * so that no key is read which no page has. */
#ifndef BANDSCAPE_CORE_FILE_FORM_H
#define BANDSCAPE_CORE_FILE_FORM_H

struct file_key {
    const char *name;     /* "from" */
    const char *type;     /* "text", "list of maps", "one of: a, b" */
    const char *unit;     /* SI, of bare numbers in the file: "B/s"; NULL: none */
    const char *fallback; /* where it is not given: "50", "none"; "required" */
    const char *help;     /* without a full stop at its end */
    const char *example;  /* as a line of the file */
};

struct file_form {
    const char *name;            /* where it stands: "rank", "plots, each" */
    const char *help;            /* a sentence or more */
    const struct file_key *keys; /* ends with name NULL */
};

#endif

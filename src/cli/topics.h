/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of the program as a whole: `bandscape help TOPIC` and the manual page print it. */
#ifndef BANDSCAPE_CLI_TOPICS_H
#define BANDSCAPE_CLI_TOPICS_H

/* Paragraphs with an empty line between them. */
extern const char topics_about[];

/* A term and a sentence or more about it, as one line. */
struct topic_entry {
    const char *term, *text;
};

struct topic {
    const char *name;                  /* "exit-status" */
    const char *title;                 /* "EXIT STATUS" */
    const char *summary;               /* one line */
    const struct topic_entry *entries; /* ends with term NULL */
};
extern const struct topic topics[]; /* ends with name NULL */

#endif

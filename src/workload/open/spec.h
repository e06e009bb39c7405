/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user names as a workload, taken apart: here and nowhere else.
 *
 *     gemm                          a shipped workload: one in C, or a loop nest
 *     gemm:input=small,size=x1/4    with a named input, a size, other parameters
 *     my/nest.yaml:n=64             a loop nest of one's own
 *     my.btrace                     any other file: its name may hold colons
 *     my.btrace:first=3             the same, its first launches; of all others too: gemm:first=3
 */
#ifndef BANDSCAPE_WORKLOAD_SPEC_H
#define BANDSCAPE_WORKLOAD_SPEC_H

#include <stdbool.h>

#include "workload/settings.h"

enum workload_kind {
    WORKLOAD_IN_C,         /* shipped */
    WORKLOAD_SHIPPED_NEST, /* a loop nest of the project */
    WORKLOAD_OWN_NEST,     /* a loop nest by its path; a profile may have such a name too */
    WORKLOAD_FILE,         /* a trace or a profile; behind it may stand first=N */
    WORKLOAD_UNKNOWN       /* neither shipped nor a file */
};

struct workload_spec {
    const char *text; /* as the user wrote it */
    const char *name; /* of a shipped workload, or a path: what stands before the settings */
    enum workload_kind kind;
    const struct workload *workload;    /* WORKLOAD_IN_C; else NULL */
    const char *path;                   /* what is to be opened; NULL: WORKLOAD_IN_C, _UNKNOWN */
    struct settings settings;           /* with their places; files have none */
    const char *rest;                   /* the settings as written, "" if there is none */
    const struct setting *input, *size; /* among the settings; NULL: not given */
    uint64_t
        first; /* launches to be taken, given by a setting that is not among the others; 0: all */
};

/* Takes it apart; results live in the arena, and as long as the text. STATUS_USAGE for settings
 * that are none. That nothing of that name exists is no error here. */
int workload_spec_parse(struct arena *arena, const char *text, struct workload_spec *out,
                        struct error *error);

/* One of the project. */
bool workload_spec_is_shipped(const struct workload_spec *spec);
/* A workload or a loop nest; files have the input and the size that they have. */
bool workload_spec_takes_settings(const struct workload_spec *spec);

/* The text with a further setting: "gemm:input=small" with size, x1/4 is
 * "gemm:input=small,size=x1/4". */
const char *workload_spec_with(struct arena *arena, const struct workload_spec *spec,
                               const char *key, const char *value);
/* With that input where a shipped workload is named alone; else the text as it is. */
const char *workload_spec_with_input(struct arena *arena, const struct workload_spec *spec,
                                     const char *input);

/* The path of a shipped loop nest, or NULL; free() it. */
char *workload_nest_path(const char *name);

#endif

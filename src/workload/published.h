/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What papers print of a workload (CTAs, footprint, sharing), as data beside the
 * workload, so that `bandscape validate workloads` can put what we measure next
 * to it. A loop nest says
 *
 *     published:
 *       sac: {ctas: 2048, footprint: 174 MB, truly_shared: 14 MB, falsely_shared: 21 MB,
 *             why: {truly_shared: "the paper's kernel keeps its sum in C, ours in a register"}}
 *       mcm-large: {machine: mcm, footprint: 1746 MB, slow: true}
 *
 * and of a workload in C the same stands in spaces/workloads/published/NAME.yaml. Figures are those
 * of the paper, in its units, and are measured with the input of that name behind "published-"
 * (published-sac) on the machine of that name, unless `machine` says which. A
 * figure that ours misses by more than a quarter needs a reason: `why`. `slow`: making the
 * input alone takes long, so that it is looked at only when asked for. */
#ifndef BANDSCAPE_WORKLOAD_PUBLISHED_H
#define BANDSCAPE_WORKLOAD_PUBLISHED_H

#include <stdbool.h>

#include "core/error.h"
#include "core/file_form.h"
#include "core/memory.h"
#include "core/unit.h"

struct yaml_node; /* yaml/yaml.h */

/* X(symbol, name, is it a size in bytes?, help) */
#define WORKLOAD_FIGURES(X)                                                                        \
    X(FIGURE_CTAS, "ctas", false, "CTAs of the largest launch")                                    \
    X(FIGURE_CTAS_TOTAL, "ctas_total", false, "CTAs of all launches")                              \
    X(FIGURE_FOOTPRINT, "footprint", true, "lines that are touched")                               \
    X(FIGURE_TRULY_SHARED, "truly_shared", true, "lines touched by several domains")               \
    X(FIGURE_FALSELY_SHARED, "falsely_shared", true,                                               \
      "lines touched by one domain, in pages that several touch")                                  \
    X(FIGURE_READ_ONLY_SHARED, "read_only_shared", true,                                           \
      "lines that in a launch several domains read and nobody writes")

enum workload_figure_kind {
#define FIGURE_ENUM(symbol, name, bytes, help) symbol,
    WORKLOAD_FIGURES(FIGURE_ENUM)
#undef FIGURE_ENUM
        FIGURES
};

struct workload_figure {
    const char *name;  /* "ctas", "footprint", ...; NULL ends the list */
    const char *value; /* as printed: "1954", "37 MB" */
    const char *why;   /* ours is off by more than a quarter, because ...; NULL: it is not */
};

/* The figures of one paper and input. */
struct workload_published {
    const char *name;    /* of the input of that name behind "published-"; NULL ends the list */
    const char *machine; /* where they hold: a shipped machine; NULL: the one of that name */
    struct workload_figure figures[FIGURES + 1];
    bool slow; /* the input itself takes long to make */
};

/* The kind of a figure; -1: there is none of that name. */
int workload_figure_find(const char *name);

/* What such a map may say. */
extern const struct file_form workload_published_form;

/* Its value in SI (bytes, or a plain number). */
int workload_figure_value(const struct workload_figure *figure, double *out, struct error *error);

/* Reads the map `published` into a list in the arena that ends with name NULL; texts are the
 * node's. `has_input` says whether the workload has an input of a name. */
int workload_published_read(const struct yaml_node *node, struct arena *arena,
                            bool (*has_input)(const void *context, const char *name),
                            const void *context, const struct workload_published **out,
                            struct error *error);

/* A file that holds such a map alone, with texts in the arena. */
int workload_published_load(const char *path, struct arena *arena,
                            bool (*has_input)(const void *context, const char *name),
                            const void *context, const struct workload_published **out,
                            struct error *error);

/* The list with its texts in the arena; NULL of NULL. */
const struct workload_published *workload_published_copy(const struct workload_published *list,
                                                         struct arena *arena);

#endif

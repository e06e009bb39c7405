/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of one paper, published beside ours: the spaces that reproduce them (`figure` of a
 * space), what the paper's published.yaml says of them, and one page about all.
 *
 * A space and a published figure belong together by the place that both name ("Fig. 8"). */
#ifndef BANDSCAPE_REPORT_REPRODUCTION_H
#define BANDSCAPE_REPORT_REPRODUCTION_H

#include "core/sheet.h"
#include "explore/sweep/sweep.h"
#include "explore/views/view_list.h"
#include "report/sweep_folder.h"
#include "validate/paper.h"

/* One space. */
struct reproduced {
    struct space *space;
    struct sweep *sweep; /* the caller's; NULL: not open */
    const char *place;   /* the first of its figure's */
    long number;         /* in it; without one behind all others */
    size_t warnings;     /* of its inputs */
    struct {
        char **items;
        size_t count, capacity;
    } pictures; /* names of those that are in its folder */
};

struct reproduction {
    struct published *paper;
    struct {
        struct reproduced *items; /* in the order of the paper */
        size_t count, capacity;
    } list;
    const char **places;     /* of the figure that is asked for, and NULL; NULL: all */
    struct sheet *rows;      /* of reproduction_columns */
    struct sheet *validated; /* rows of checkpoint_columns, with their notes */
};

/* where, what, published, ours, unit, error, holds (within its tolerance: "yes", "no", or nothing
 * where none is stated), direction ("right", "wrong", or nothing where there is none), how. Of
 * labels published and ours are numbers of workloads. */
#define REPRODUCTION_LABELS "workloads"
extern const struct sheet_column reproduction_columns[];

/* The shipped spaces of the paper, or `names` (n of them: names or paths) alone; of `figure` ("8",
 * "Fig. 8") alone, NULL: all. To be closed even when it fails. */
int reproduction_open(const char *paper, const char *const *names, size_t n, const char *figure,
                      struct reproduction *out, struct error *error);
void reproduction_close(struct reproduction *r);

/* What a sweep that has run left: its trends as rows, the pictures in its folder. */
int reproduction_add(struct reproduction *r, struct reproduced *one,
                     const struct sweep_folder *folder, struct error *error);

/* The views that the next one takes, entered into the list; nothing is made. */
int reproduction_views(const struct reproduction *r, const struct validation_request *request,
                       struct view_list *list, struct error *error);
/* Published figures and labels beside ours, as further rows. */
int reproduction_compare(struct reproduction *r, const struct validation_request *request,
                         struct error *error);

/* The page, in Markdown. `input`: of the workloads. The same bytes for any number of threads. */
#define REPRODUCTION_HEAD "<!-- Written by bandscape reproduce. -->\n"
void reproduction_print_page(const struct reproduction *r, const char *input, struct text *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All workloads of a question: of a command line, a space, a validation. They are opened together,
 * so that an error has the place where its workload stands, and --strict holds for all of them. */
#ifndef BANDSCAPE_EXPLORE_SUBJECTS_H
#define BANDSCAPE_EXPLORE_SUBJECTS_H

#include "explore/views/subject.h"

struct subjects {
    struct subject **items;
    size_t count, capacity;
};

/* Workloads as the user wrote them (workload/open/spec.h); texts and marks must outlive the
 * subjects. */
struct subjects_request {
    const char *const *specs;
    const struct mark *marks; /* where they stand: errors are placed there; NULL: nowhere */
    size_t count;
    bool strict; /* a warning of one of them is an error */
};

/* Adds them, in their order. To be closed even when it fails. */
int subjects_open(struct subjects *subjects, const struct subjects_request *request,
                  struct error *error);
void subjects_close(struct subjects *subjects);

/* While it is so, the sources of shipped workloads stay open behind subjects_close, a few of them,
 * for the next question of the process: what is made of them (views) does not, since questions ask
 * for exact and sampled ones. False closes them, and views that were read go with them. For one
 * thread. */
void subjects_keep(bool keep);

/* What --strict asks for of those that are open: an error if one has a warning, at its place. */
int subjects_refuse_warnings(const struct subjects *subjects, struct error *error);

/* Whether one of them can be profiled anew, so that what changes its stream has an effect. */
bool subjects_have_streams(const struct subjects *subjects);

#endif

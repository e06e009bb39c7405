/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a space says in vain: a `let` that nothing uses, a `where` on parameters that is true of all
 * its points or of none. Found before anything is profiled; where that would take long (very many
 * structures or values), it is not looked for. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_LINT_H
#define BANDSCAPE_EXPLORE_SWEEP_LINT_H

#include "explore/sweep/sweep.h"

enum sweep_lint_kind { LINT_LET_UNUSED, LINT_WHERE_TRUE, LINT_WHERE_FALSE };

struct sweep_lint {
    enum sweep_lint_kind kind;
    const struct space_formula *formula; /* its text, and its place */
};

struct sweep_lints {
    struct sweep_lint *items;
    size_t count, capacity;
};

/* VECTOR_FREE the list, also after an error: what makes a structure fail other than that it cannot
 * be built. */
int sweep_lint(const struct sweep *sweep, struct sweep_lints *out, struct error *error);

#endif

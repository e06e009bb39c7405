/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that were evaluated: files, tables and plots ask for the same few points, and all
 * metrics of one may take many times as long as what the sweep ranks it by. */
#ifndef BANDSCAPE_EXPLORE_ROW_MEMO_H
#define BANDSCAPE_EXPLORE_ROW_MEMO_H

#include "explore/rows.h"

struct row_memo *row_memo_create(void);
void row_memo_destroy(struct row_memo *memo); /* NULL is legal */

/* The row of the point; false: it is not kept. */
bool row_memo_find(const struct row_memo *memo, uint64_t id, struct sweep_row *out);

/* Where the values of n more rows are to live, or NULL: there is no room for them. */
struct arena *row_memo_room(struct row_memo *memo, size_t n);

/* Keeps a row that lives in that arena. */
void row_memo_add(struct row_memo *memo, uint64_t id, const struct sweep_row *row);

#endif

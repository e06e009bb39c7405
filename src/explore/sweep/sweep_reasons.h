/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why points are not in a sweep's result, and what models and workloads say about points. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_REASONS_H
#define BANDSCAPE_EXPLORE_SWEEP_REASONS_H

#include "explore/sweep/structure.h"
#include "explore/sweep/sweep_filling.h"

/* Counts points; of one text together. 0 points are no reason. */
void sweep_add_reason(struct sweep *sweep, const char *text, uint64_t count);
void sweep_add_warning(struct sweep *sweep, const char *text, uint64_t count);
/* What was said elsewhere. */
void sweep_take_reason(struct sweep_reasons *reasons, const char *text, uint64_t count,
                       struct sweep_place first);

/* What is added next is of this structure; UINT64_MAX: of the whole, at the end. */
void sweep_reasons_at(struct sweep *sweep, uint64_t structure);
/* By the place at which each was said first: whoever looked at which structures. */
void sweep_sort_reasons(struct sweep *sweep);

/* Of a structure's models; a warning that several workloads have counts its points once. */
void sweep_add_warnings(struct sweep *sweep, const struct structure *structure, uint64_t count);
/* Of workloads, and of what they leave of machines; at the end. */
void sweep_add_subject_warnings(struct sweep *sweep);

#endif

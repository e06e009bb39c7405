/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What space.c and space_axis.c share. */
#ifndef BANDSCAPE_EXPLORE_SPACE_INTERNAL_H
#define BANDSCAPE_EXPLORE_SPACE_INTERNAL_H

#include "explore/space/space.h"
#include "yaml/yaml.h"

int space_read_axis(struct space *space, struct space_axis *axis, const struct yaml_node *key,
                    const struct yaml_node *node, struct error *error);

/* The keys of the forms below. */
extern const struct file_key space_keys[], space_axis_values_keys[], space_axis_range_keys[],
    space_rank_keys[], space_plot_keys[], space_figure_keys[], space_published_keys[];

/* An error where two values of an axis are the same. */
int space_check_repeats(const struct space_axis *axis, struct error *error);
/* An error where ranking by bandwidth misleads: an axis changes the bytes that L1 asks for. */
int space_check_ranking(const struct space *space, struct error *error);
/* `uncertainty` of a space. */
int space_read_spreads(struct space *space, const struct yaml_node *root, struct error *error);
/* `groups` and `figure` of a space; what a plot has of them, after its kind and axes. */
int space_read_figure(struct space *space, const struct yaml_node *root, struct error *error);
int space_read_parts(struct space *space, struct space_plot *plot, const struct yaml_node *item,
                     struct error *error);
int space_read_published(struct space *space, struct space_plot *plot, const struct yaml_node *item,
                         struct error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of published figures and labels share. */
#ifndef BANDSCAPE_VALIDATE_PUBLISHED_READER_H
#define BANDSCAPE_VALIDATE_PUBLISHED_READER_H

#include "validate/published.h"
#include "yaml/yaml.h"

/* The place of a text in a list that ends in NULL; an error that says which are known. */
int published_scan_name(const struct yaml_node *node, const char *what, const char *const *names,
                        int *out, struct error *error);
/* A plain number, which may be written "4/3". */
int published_read_number(struct arena *arena, const struct yaml_node *node, const char *what,
                          double *out, struct error *error);
/* *out stays as it is where there is no such key. */
int published_read_text(const struct yaml_node *map, const char *key, const char **out,
                        struct error *error);
/* NULL where there is no such key. */
int published_read_plugin(const struct yaml_node *map, const char *key, const char *kind,
                          const struct plugin **out, struct error *error);
/* Whether the names of an expression are metrics, results, totals, costs or parameters of machines
 * that the figure knows. */
int published_check_names(const struct published_figure *f, const struct expression *e,
                          struct error *error);
/* A map of aims; the aim that a figure counts in. */
int published_read_aims(const struct yaml_node *map, struct published *p, struct error *error);
int published_read_counts(const struct yaml_node *map, struct published_figure *f,
                          struct error *error);
/* A list of labels. */
int published_read_labels(const struct yaml_node *list, struct published *p, struct error *error);
void published_label_fini(struct published_label *label);

#endif

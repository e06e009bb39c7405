/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what predictions are to reach: aims of a file, and which of them a figure counts in. */
#include "validate/published_reader.h"

#include <math.h>
#include <stdlib.h>

/* A number from 0 to `most`; NaN where there is no such key. */
static int read_bound(const struct published *p, const struct yaml_node *map, const char *key,
                      double most, double *out, struct error *error)
{
    const struct yaml_node *node = yaml_get(map, key);
    *out = (double)NAN;
    int status = node ? published_read_number(p->arena, node, key, out, error) : 0;
    if (!status && node && !(*out >= 0 && *out <= most))
        status = yaml_error(node, error, "%s: from 0 to %g", key, most);
    return status;
}

int published_read_aims(const struct yaml_node *map, struct published *p, struct error *error)
{
    static const char *const keys[] = {"median", "within", "wrong", NULL};
    int status = yaml_expect(map, YAML_MAP, "aims", error);
    for (size_t i = 0; i < map->count && !status; i++) {
        const struct yaml_node *node = map->items[i];
        struct published_aim aim = {.name = map->keys[i]->text};
        status = yaml_expect(node, YAML_MAP, aim.name, error);
        if (!status)
            status = yaml_check_keys(node, "aim", keys, error);
        if (!status)
            status = read_bound(p, node, "median", 1, &aim.median, error);
        if (!status)
            status = read_bound(p, node, "within", 1, &aim.within, error);
        if (!status)
            status = read_bound(p, node, "wrong", 1e6, &aim.wrong, error);
        VECTOR_PUSH(&p->aims, aim);
    }
    return status;
}

int published_read_counts(const struct yaml_node *map, struct published_figure *f,
                          struct error *error)
{
    const struct yaml_node *node = yaml_get(map, "counts");
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0};
    f->aim = -1;
    if (!node)
        return 0;
    if (f->row.how != CHECKPOINT_PREDICTION)
        return yaml_error(node, error, "counts: predictions count; this is none");
    for (size_t i = 0; i < f->of->aims.count; i++)
        VECTOR_PUSH(&names, f->of->aims.items[i].name);
    VECTOR_PUSH(&names, NULL);
    int status = published_scan_name(node, "counts", names.items, &f->aim, error);
    VECTOR_FREE(&names);
    return status;
}

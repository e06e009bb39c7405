/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts to numbers. */
#include "yaml/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

enum { NAMES_SMALLEST = 32 };

static struct yaml_name *names_slot(const struct yaml_names *names, const char *text)
{
    size_t at = (size_t)hash_text(text) & (names->size - 1);
    while (names->slots[at].text && strcmp(names->slots[at].text, text) != 0)
        at = (at + 1) & (names->size - 1);
    return &names->slots[at];
}

static void names_grow(struct yaml_names *names)
{
    struct yaml_names larger = {.size = names->size ? 2 * names->size : NAMES_SMALLEST,
                                .used = names->used};
    larger.slots = memory_zero(larger.size, sizeof *larger.slots);
    for (size_t i = 0; i < names->size; i++)
        if (names->slots[i].text)
            *names_slot(&larger, names->slots[i].text) = names->slots[i];
    free(names->slots);
    *names = larger;
}

bool yaml_names_put(struct yaml_names *names, const char *text, size_t value)
{
    if (2 * (names->used + 1) > names->size)
        names_grow(names);
    struct yaml_name *slot = names_slot(names, text);
    bool fresh = !slot->text;
    if (fresh)
        slot->text = text;
    slot->value = value;
    names->used += fresh;
    return fresh;
}

size_t yaml_names_find(const struct yaml_names *names, const char *text)
{
    if (names->size == 0)
        return SIZE_MAX;
    const struct yaml_name *slot = names_slot(names, text);
    return slot->text ? slot->value : SIZE_MAX;
}

struct yaml_names *yaml_names_keep(const struct yaml_names *names, struct arena *arena)
{
    struct yaml_names *copy = arena_alloc(arena, sizeof *copy);
    *copy = *names;
    copy->slots = arena_alloc(arena, names->size * sizeof *copy->slots);
    if (names->size)
        memcpy(copy->slots, names->slots, names->size * sizeof *copy->slots);
    return copy;
}

void yaml_names_fini(struct yaml_names *names)
{
    free(names->slots);
    *names = (struct yaml_names){0};
}

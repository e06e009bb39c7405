/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: checked allocation (running out ends the program in one place),
 * arenas, growable arrays and growable strings.
 *
 * Ownership, stated once: whoever calls *_create owns the result and calls
 * *_destroy (NULL is legal). Strings and nodes inside an arena live as long as
 * the arena. Descriptors and interned names live for ever. */
#ifndef BANDSCAPE_CORE_MEMORY_H
#define BANDSCAPE_CORE_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Never return NULL; a request of 0 bytes is served as 1. */
void *memory_alloc(size_t size);
void *memory_zero(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);
void *memory_aligned(size_t alignment, size_t size); /* free() it */
enum { MEMORY_LARGE_PAGE = 2 << 20 };
/* Asks for large pages, for those that lie within; whether the system has them or not. */
void memory_advise_large(void *memory, size_t size);
/* Not zeroed; an array that is filled from one end to the other: in large pages, which are fewer
 * to ask the system for. free() it. */
void *memory_filled(size_t count, size_t size);
/* Zeroed; a table that is read at random: aligned to lines of the host's cache, a large one
 * to large pages, without which it would miss the TLB at every access. A very large one
 * (64 MiB) is not aligned, but takes memory only where it is touched. free() it. */
void *memory_table(size_t count, size_t size);
/* A block of MEMORY_LARGE_PAGE bytes, not zeroed, for tables that grow by blocks and never move.
 * The first one of a table is not asked for as a large page: most tables fill a part of it.
 * free() it. */
void *memory_block(bool first);
char *memory_strdup(const char *text);

/* To be called once, first of all: what is freed stays with the program and serves the next
 * table. Else a profile's tables, freed one by one as they grow and all of them after each
 * view, would go back to the system and be faulted in again, page by page, which on a virtual
 * machine took more time than the pass itself. */
void memory_keep_freed(void);

struct arena;
struct arena *arena_create(void);
void arena_destroy(struct arena *arena);
void *arena_alloc(struct arena *arena, size_t size); /* zeroed, aligned for any type */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A growable array is three members: `T *items; size_t count, capacity;`.
 * VECTOR_PUSH(&v, x) appends; VECTOR_FREE(&v) releases. */
void *vector_grow(void *items, size_t count, size_t *capacity, size_t size);
#define VECTOR_PUSH(vector, ...)                                                                   \
    do {                                                                                           \
        if ((vector)->count == (vector)->capacity)                                                 \
            (vector)->items = vector_grow((vector)->items, (vector)->count, &(vector)->capacity,   \
                                          sizeof *(vector)->items);                                \
        (vector)->items[(vector)->count++] = __VA_ARGS__;                                          \
    } while (0)
#define VECTOR_FREE(vector)                                                                        \
    do {                                                                                           \
        free((vector)->items);                                                                     \
        (vector)->items = NULL;                                                                    \
        (vector)->count = (vector)->capacity = 0;                                                  \
    } while (0)

/* A growable string; `data` is always NUL-terminated once text_* was called. */
struct text {
    char *data;
    size_t length, capacity;
};
void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const char *bytes, size_t length);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));
/* Whether one of its lines is that, all of it. */
bool text_has_line(const struct text *text, const char *line);
void text_free(struct text *text);

#endif

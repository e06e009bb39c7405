/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked allocation, arenas, growable arrays and strings. */
#include "core/memory.h"

#include <limits.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ARENA_BLOCK = 1 << 16 };

/* The one place where the program ends for want of memory: nothing above
 * could do better, and every result file is written atomically. */
static _Noreturn void memory_exhausted(size_t size)
{
    fprintf(stderr, "bandscape: error: out of memory (%zu bytes asked for)\n", size);
    exit(1);
}

void *memory_alloc(size_t size)
{
    void *result = malloc(size ? size : 1);
    if (!result)
        memory_exhausted(size);
    return result;
}

void *memory_zero(size_t count, size_t size)
{
    void *result = calloc(count ? count : 1, size ? size : 1);
    if (!result)
        memory_exhausted(count * size);
    return result;
}

void *memory_resize(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        memory_exhausted(SIZE_MAX);
    void *result = realloc(old, count && size ? count * size : 1);
    if (!result)
        memory_exhausted(count * size);
    return result;
}

void *memory_aligned(size_t alignment, size_t size)
{
    void *result = NULL;
    if (posix_memalign(&result, alignment, size ? size : 1) != 0)
        memory_exhausted(size);
    return result;
}

void *memory_filled(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        memory_exhausted(SIZE_MAX);
    void *result = memory_alloc(count * size);
    memory_advise_large(result, count * size);
    return result;
}

void *memory_table(size_t count, size_t size)
{
    enum { LINE = 64, LAZY = 64 << 20 };
    if (size && count > SIZE_MAX / size)
        memory_exhausted(SIZE_MAX);
    size_t bytes = count * size;
    if (bytes >= LAZY) {
        void *result = memory_zero(count, size);
        memory_advise_large(result, bytes);
        return result;
    }
    void *result = memory_aligned(bytes < MEMORY_LARGE_PAGE ? LINE : MEMORY_LARGE_PAGE, bytes);
    if (bytes >= MEMORY_LARGE_PAGE)
        memory_advise_large(result, bytes);
    return memset(result, 0, bytes);
}

void *memory_block(bool first)
{
    void *result = memory_aligned(MEMORY_LARGE_PAGE, MEMORY_LARGE_PAGE);
    if (!first)
        memory_advise_large(result, MEMORY_LARGE_PAGE);
    return result;
}

char *memory_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_alloc(size), text, size);
}

void memory_keep_freed(void)
{
#ifdef __GLIBC__
    /* One heap for all threads, nothing mapped apart, and its end is not given back. */
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

struct arena {
    struct arena_block *first;
};

struct arena *arena_create(void)
{
    return memory_zero(1, sizeof(struct arena));
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    for (struct arena_block *block = arena->first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t rounded =
        (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct arena_block *block = arena->first;
    if (!block || block->size - block->used < rounded) {
        size_t capacity = rounded > ARENA_BLOCK / 4 ? rounded : ARENA_BLOCK;
        struct arena_block *fresh = memory_zero(1, sizeof *fresh + capacity);
        fresh->size = capacity;
        if (block && capacity == rounded) { /* a large piece: keep filling the open block */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->first = fresh;
        }
        block = fresh;
    }
    void *result = block->data + block->used;
    block->used += rounded;
    return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *result = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
    vsnprintf(result, (size_t)(length < 0 ? 0 : length) + 1, format, again);
    va_end(again);
    va_end(list);
    return result;
}

void *vector_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    size_t larger = count < 8 ? 8 : count + count / 2;
    *capacity = larger;
    return memory_resize(items, larger, size);
}

static void text_reserve(struct text *text, size_t more)
{
    if (text->length + more + 1 <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < text->length + more + 1)
        capacity *= 2;
    text->data = memory_resize(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_append_bytes(struct text *text, const char *bytes, size_t length)
{
    text_reserve(text, length);
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_append(struct text *text, const char *string)
{
    text_append_bytes(text, string, strlen(string));
}

void text_vprintf(struct text *text, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length > 0) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    } else {
        text_reserve(text, 0);
        text->data[text->length] = '\0';
    }
    va_end(again);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_vprintf(text, format, list);
    va_end(list);
}

bool text_has_line(const struct text *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text->data; at && *at; at += *at == '\n') {
        size_t here = strcspn(at, "\n");
        if (here == length && memcmp(at, line, length) == 0)
            return true;
        at += here;
    }
    return false;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

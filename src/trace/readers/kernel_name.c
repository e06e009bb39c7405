/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/kernel_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/input/scan.h"

/* A part of a mangled name, its length before it; "L" marks one that only its file sees. */
static bool name_part(const char **at, const char *end, uint64_t *letters)
{
    const char *from = *at + (*at < end && **at == 'L');
    if (!scan_decimal_digits(&from, letters) || from > end || !*letters ||
        *letters > (uint64_t)(end - from))
        return false;
    *at = from;
    return true;
}

char *kernel_name_readable(struct arena *arena, const char *text, size_t length)
{
    struct text name = {0};
    uint64_t letters;
    bool mangled = length > 2 && memcmp(text, "_Z", 2) == 0;
    bool nested = mangled && text[2] == 'N';
    const char *at = mangled ? text + 2 + nested : text, *end = text + length;
    for (; mangled && name_part(&at, end, &letters); at += letters) {
        text_printf(&name, "%s%.*s", name.length ? "::" : "", (int)letters, at);
        mangled = nested;
    }
    char *readable = name.length ? arena_strdup(arena, name.data)
                     : length    ? arena_strndup(arena, text, length)
                                 : arena_strdup(arena, "kernel");
    text_free(&name);
    return readable;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seals: one line at the end. */
#include "core/sealed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/remark.h"

static const char sealed_mark[] = "# sealed ";
enum { SEALED_LINE = sizeof sealed_mark - 1 + HASH_TEXT - 1 + 1 }; /* with its '\n' */

static void sealed_line(const char *data, size_t size, struct text *out)
{
    char digits[HASH_TEXT];
    struct hash_content *hash = hash_content_begin();
    hash_content_add(hash, data, size);
    hash_content_end(hash, digits);
    text_printf(out, "%s%s\n", sealed_mark, digits);
}

void sealed_append(struct text *text)
{
    struct text line = {0};
    sealed_line(text->data, text->length, &line);
    text_append_bytes(text, line.data, line.length);
    text_free(&line);
}

bool sealed_check(const char *data, size_t *size)
{
    struct text line = {0};
    if (*size < SEALED_LINE)
        return false;
    size_t length = *size - SEALED_LINE;
    sealed_line(data, length, &line);
    bool fits = memcmp(data + length, line.data, SEALED_LINE) == 0;
    text_free(&line);
    if (fits)
        *size = length;
    return fits;
}

bool sealed_is_marked(const char *data, size_t size)
{
    while (size > 0 && (data[size - 1] == '\n' || data[size - 1] == '\r'))
        size--;
    while (size > 0 && data[size - 1] != '\n')
        size--;
    return strncmp(data + size, sealed_mark, sizeof sealed_mark - 1) == 0;
}

int sealed_write(const char *path, const char *data, size_t size, struct error *error)
{
    struct text text = {0};
    text_append_bytes(&text, data, size);
    sealed_append(&text);
    int status = file_write(path, text.data, text.length, error);
    text_free(&text);
    return status;
}

bool sealed_read(const char *path, bool tell, struct text *out)
{
    char *data;
    size_t size;
    struct error error;
    if (!file_exists(path))
        return false;
    if (file_read(path, SIZE_MAX / 2, &data, &size, &error)) {
        if (tell)
            remark("%s: it is made anew", error.text);
        return false;
    }
    bool intact = sealed_check(data, &size);
    if (intact)
        text_append_bytes(out, data, size);
    else if (tell)
        remark("%s is damaged (its checksum does not fit): it is made anew", path);
    free(data);
    return intact;
}

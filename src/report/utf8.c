/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/utf8.h"

#include <string.h>

size_t utf8_length(const char *string)
{
    /* The ranges of the first and of the second byte; the others are 80 .. bf. */
    static const struct {
        unsigned char from, to, second_from, second_to;
        size_t length;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *text = (const unsigned char *)string;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].from || text[0] > forms[i].to)
            continue;
        size_t length = forms[i].length;
        if (length > 1 && (text[1] < forms[i].second_from || text[1] > forms[i].second_to))
            return 0;
        for (size_t k = 2; k < length; k++)
            if (text[k] < 0x80 || text[k] > 0xbf)
                return 0;
        return length;
    }
    return 0;
}

size_t utf8_prefix(const char *text, size_t most, size_t *count)
{
    size_t bytes = 0;
    for (*count = 0; text[bytes] && *count < most; ++*count) {
        size_t length = utf8_length(text + bytes);
        bytes += length ? length : 1;
    }
    return bytes;
}

size_t utf8_to_ascii(char *text)
{
    char *begin = text, *end = text;
    for (size_t length; *text; text += length ? length : 1) {
        length = utf8_length(text);
        if ((unsigned char)*text < 0x80)
            *end++ = *text;
        else
            *end++ = length == 3 && memcmp(text, "\xe2\x80\xa6", 3) == 0 ? '~' : '?';
    }
    *end = '\0';
    return (size_t)(end - begin);
}

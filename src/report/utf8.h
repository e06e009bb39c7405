/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 as of RFC 3629. */
#ifndef BANDSCAPE_REPORT_UTF8_H
#define BANDSCAPE_REPORT_UTF8_H

#include <stddef.h>

/* Bytes of the character at `text` (NUL-terminated): 1 .. 4, or 0 when it is
 * not one (overlong forms, surrogates, above U+10FFFF, cut off) or at the end. */
size_t utf8_length(const char *text);

/* Bytes of the first `most` characters; *count gets how many there are. A byte
 * that is no character counts as one. */
size_t utf8_prefix(const char *text, size_t most, size_t *count);

/* In place, a character for a character: an ellipsis becomes "~", what else is not ASCII "?".
 * Returns the new length. */
size_t utf8_to_ascii(char *text);

#endif

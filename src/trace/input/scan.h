/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanners for blank-separated fields of one NUL-terminated line. Each skips
 * blanks first, moves *at behind the field and returns true; or returns false
 * with *at at the offending field. Inline: traces have billions of fields. */
#ifndef BANDSCAPE_TRACE_SCAN_H
#define BANDSCAPE_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool scan_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *scan_blanks(const char *at)
{
    while (scan_is_blank(*at))
        at++;
    return at;
}

/* Behind the field that begins at `at`. */
static inline const char *scan_field_end(const char *at)
{
    while ((unsigned char)*at > ' ')
        at++;
    return at;
}

static inline bool scan_is_field_end(char c)
{
    return c == '\0' || scan_is_blank(c);
}

/* The value of a hexadecimal digit, or a number above 15. */
static inline unsigned scan_hex_digit(char c)
{
    unsigned decimal = (unsigned char)c - '0', letter = ((unsigned char)c | 32u) - 'a';
    return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 99;
}

/* Digits at *at, nothing skipped; stops behind the last digit. At least one and
 * at most 16 of them. */
static inline bool scan_hex_digits(const char **at, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;
    for (unsigned digit; (digit = scan_hex_digit(*p)) < 16; p++)
        value = value << 4 | digit;
    if (p == *at || p - *at > 16)
        return false;
    *at = p;
    *out = value;
    return true;
}

/* The same in decimal, at most 19 digits. */
static inline bool scan_decimal_digits(const char **at, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;
    for (unsigned digit; (digit = (unsigned char)*p - '0') < 10; p++)
        value = value * 10 + digit;
    if (p == *at || p - *at > 19)
        return false;
    *at = p;
    *out = value;
    return true;
}

static inline const char *scan_skip_0x(const char *at)
{
    return at[0] == '0' && (at[1] | 32) == 'x' ? at + 2 : at;
}

/* At most `max`, hexadecimal with or without 0x. */
static inline bool scan_hex(const char **at, uint64_t max, uint64_t *out)
{
    *at = scan_blanks(*at);
    const char *p = scan_skip_0x(*at);
    if (!scan_hex_digits(&p, out) || *out > max || !scan_is_field_end(*p))
        return false;
    *at = p;
    return true;
}

static inline bool scan_decimal(const char **at, uint64_t max, uint64_t *out)
{
    *at = scan_blanks(*at);
    const char *p = *at;
    if (!scan_decimal_digits(&p, out) || *out > max || !scan_is_field_end(*p))
        return false;
    *at = p;
    return true;
}

static inline bool scan_signed(const char **at, int64_t *out)
{
    uint64_t value;
    *at = scan_blanks(*at);
    const char *p = *at + (**at == '-' || **at == '+');
    if (!scan_decimal_digits(&p, &value) || value > INT64_MAX || !scan_is_field_end(*p))
        return false;
    *out = **at == '-' ? -(int64_t)value : (int64_t)value;
    *at = p;
    return true;
}

/* A literal word at *at; nothing is skipped before it, blanks are skipped behind. */
static inline bool scan_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at = scan_blanks(*at + length);
    return true;
}

/* Only blanks remain. */
static inline bool scan_end(const char *at)
{
    return *scan_blanks(at) == '\0';
}

#endif

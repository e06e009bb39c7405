/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: one table, read by the scanner and by the formatter. */
#include "core/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/status.h"

static const struct unit {
    const char *symbol;
    double factor;
    struct dim dim;
} unit_table[] = {
    {"B", 1, {1, 0, 0, 0}},        {"kB", 1e3, {1, 0, 0, 0}},     {"MB", 1e6, {1, 0, 0, 0}},
    {"GB", 1e9, {1, 0, 0, 0}},     {"TB", 1e12, {1, 0, 0, 0}},    {"PB", 1e15, {1, 0, 0, 0}},
    {"KiB", 0x1p10, {1, 0, 0, 0}}, {"MiB", 0x1p20, {1, 0, 0, 0}}, {"GiB", 0x1p30, {1, 0, 0, 0}},
    {"TiB", 0x1p40, {1, 0, 0, 0}}, {"bit", 0.125, {1, 0, 0, 0}},  {"s", 1, {0, 1, 0, 0}},
    {"ms", 1e-3, {0, 1, 0, 0}},    {"us", 1e-6, {0, 1, 0, 0}},    {"ns", 1e-9, {0, 1, 0, 0}},
    {"ps", 1e-12, {0, 1, 0, 0}},   {"Hz", 1, {0, -1, 0, 0}},      {"kHz", 1e3, {0, -1, 0, 0}},
    {"MHz", 1e6, {0, -1, 0, 0}},   {"GHz", 1e9, {0, -1, 0, 0}},   {"J", 1, {0, 0, 0, 1}},
    {"mJ", 1e-3, {0, 0, 0, 1}},    {"uJ", 1e-6, {0, 0, 0, 1}},    {"nJ", 1e-9, {0, 0, 0, 1}},
    {"pJ", 1e-12, {0, 0, 0, 1}},   {"fJ", 1e-15, {0, 0, 0, 1}},   {"W", 1, {0, -1, 0, 1}},
    {"cycles", 1, {0, 0, 1, 0}},   {"cycle", 1, {0, 0, 1, 0}},    {"%", 0.01, {0, 0, 0, 0}},
};

bool dim_equal(struct dim a, struct dim b)
{
    return a.byte == b.byte && a.second == b.second && a.cycle == b.cycle && a.joule == b.joule;
}

static signed char dim_add(int a, int b)
{
    int sum = a + b; /* far above anything an expression of sane length reaches */
    return (signed char)(sum > 100 ? 100 : sum < -100 ? -100 : sum);
}

struct dim dim_multiply(struct dim a, struct dim b)
{
    return (struct dim){dim_add(a.byte, b.byte), dim_add(a.second, b.second),
                        dim_add(a.cycle, b.cycle), dim_add(a.joule, b.joule)};
}

struct dim dim_divide(struct dim a, struct dim b)
{
    return (struct dim){dim_add(a.byte, -b.byte), dim_add(a.second, -b.second),
                        dim_add(a.cycle, -b.cycle), dim_add(a.joule, -b.joule)};
}

static const char *dim_write(struct dim dim, const char *const *names, const char *none,
                             char *buffer, size_t size)
{
    const int powers[] = {dim.byte, dim.second, dim.cycle, dim.joule};
    size_t used = 0;
    buffer[0] = '\0';
    if (dim_equal(dim, DIM_NONE)) {
        snprintf(buffer, size, "%s", none);
        return buffer;
    }
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < 4; i++) {
            int power = powers[i] * sign;
            if (power <= 0 || used >= size)
                continue;
            const char *glue = sign < 0 ? (used ? "/" : "1/") : (used ? "*" : "");
            /* "120 cycles", but "1 /cycle" */
            const char *name = sign < 0 && i == 2 ? "cycle" : names[i];
            used += (size_t)snprintf(buffer + used, size - used, power > 1 ? "%s%s^%d" : "%s%s",
                                     glue, name, power);
        }
    return buffer;
}

const char *dim_describe(struct dim dim, char *buffer, size_t size)
{
    static const char *const names[] = {"bytes", "s", "cycles", "J"};
    return dim_write(dim, names, "a plain number", buffer, size);
}

const char *dim_unit(struct dim dim, char *buffer, size_t size)
{
    static const char *const names[] = {"B", "s", "cycles", "J"};
    if (dim_equal(dim, DIM_HERTZ)) {
        snprintf(buffer, size, "Hz");
        return buffer;
    }
    return dim_write(dim, names, "1", buffer, size);
}

const char *dim_example(struct dim dim)
{
    if (dim_equal(dim, DIM_BYTES))
        return "4 MiB or 128 B";
    if (dim_equal(dim, DIM_BYTES_PER_S))
        return "768 GB/s or 64 B/cycle";
    if (dim_equal(dim, DIM_SECONDS))
        return "100 ns or 120 cycles";
    if (dim_equal(dim, DIM_HERTZ))
        return "1.4 GHz";
    if (dim_equal(dim, DIM_PER_CYCLE))
        return "1 /cycle";
    if (dim_equal(dim, DIM_CYCLES))
        return "20 cycles";
    return "0.5";
}

static size_t unit_scan_one(const char *text, const struct unit **out)
{
    size_t length = 0;
    while (isalpha((unsigned char)text[length]) || text[length] == '%')
        length++;
    for (size_t i = 0; i < sizeof unit_table / sizeof *unit_table; i++)
        if (strlen(unit_table[i].symbol) == length &&
            strncmp(unit_table[i].symbol, text, length) == 0) {
            *out = &unit_table[i];
            return length;
        }
    return 0;
}

size_t unit_scan(const char *text, double *factor, struct dim *dim)
{
    const struct unit *unit;
    size_t length = unit_scan_one(text, &unit);
    *factor = 1;
    *dim = DIM_NONE;
    if (length) {
        *factor = unit->factor;
        *dim = unit->dim;
        unsigned char next = (unsigned char)text[length];
        if (isdigit(next) || next == '_' || next == '.')
            return 0; /* a name that begins like a unit */
    }
    if (text[length] == '/') {
        const struct unit *below;
        size_t more = unit_scan_one(text + length + 1, &below);
        unsigned char next = (unsigned char)text[length + 1 + more];
        if (more && !isdigit(next) && next != '_' && next != '.') {
            *factor /= below->factor;
            *dim = dim_divide(*dim, below->dim);
            length += 1 + more;
        }
    }
    return length;
}

bool number_scan(const char *text, double *out)
{
    /* strtod also takes hexadecimal, "nan" and "inf", which nobody means here. */
    if (text[strspn(text, "0123456789+-.eE")] != '\0' || !*text)
        return false;
    char *end;
    *out = strtod(text, &end) + 0.0; /* "-0" is 0 */
    return *end == '\0' && end != text && isfinite(*out);
}

int quantity_scan(const char *text, struct quantity *out)
{
    char number[64];
    size_t length = strspn(text, "0123456789+-.");
    if (length && (text[length] == 'e' || text[length] == 'E') &&
        (isdigit((unsigned char)text[length + 1]) ||
         (text[length + 1] && strchr("+-", text[length + 1]) &&
          isdigit((unsigned char)text[length + 2]))))
        length += 2 + strspn(text + length + 2, "0123456789");
    if (length == 0 || length >= sizeof number)
        return STATUS_INPUT;
    memcpy(number, text, length);
    number[length] = '\0';
    if (!number_scan(number, &out->value))
        return STATUS_INPUT;
    const char *rest = text + length + strspn(text + length, " \t");
    double factor;
    size_t unit = unit_scan(rest, &factor, &out->dim);
    out->value *= factor;
    return rest[unit] == '\0' && isfinite(out->value) ? 0 : STATUS_INPUT;
}

const char *unit_suggest(const char *text)
{
    static const struct {
        const char *text, *meant;
    } others[] = {
        {"kbit", "kB (1 kB is 8 kbit)"},
        {"Mbit", "MB (1 MB is 8 Mbit)"},
        {"Gbit", "GB (1 GB is 8 Gbit)"},
        {"Tbit", "TB (1 TB is 8 Tbit)"},
        {"kb", "kB (1 kB is 8 kbit)"},
        {"Mb", "MB (1 MB is 8 Mbit)"},
        {"Gb", "GB (1 GB is 8 Gbit)"},
        {"Tb", "TB (1 TB is 8 Tbit)"},
        {"gb", "GB"},
        {"mb", "MB"},
        {"tb", "TB"},
        {"kib", "KiB"},
        {"mib", "MiB"},
        {"gib", "GiB"},
        {"\xc2\xb5s", "us"},
        {"\xce\xbcs", "us"},
        {"\xc2\xb5J", "uJ"},
        {"\xce\xbcJ", "uJ"},
        {"sec", "s"},
        {"cyc", "cycles"},
        {"clk", "cycles"},
    };
    text += strspn(text, "0123456789+-.eE \t");
    size_t length = strcspn(text, "/");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i].text) == length && strncmp(others[i].text, text, length) == 0)
            return others[i].meant;
    for (size_t i = 0; length && i < sizeof unit_table / sizeof *unit_table; i++) {
        const char *symbol = unit_table[i].symbol;
        if (strlen(symbol) == length && strncasecmp(symbol, text, length) == 0 &&
            symbol[length - 1] == text[length - 1]) /* "Gb" is no gigabyte */
            return strncmp(symbol, text, length) ? symbol : NULL;
    }
    return NULL;
}

/* Picks the largest symbol of `list` (ascending) that leaves a value >= 1. */
static const struct unit *unit_pick(double value, const char *const *list)
{
    const struct unit *best = NULL;
    for (; *list; list++) {
        const struct unit *unit;
        unit_scan_one(*list, &unit);
        if (!best || fabs(value) >= unit->factor * 0.9999999)
            best = unit;
    }
    return best;
}

const char *number_round(double value, int digits, char *buffer, size_t size)
{
    snprintf(buffer, size, "%.*g", digits, value);
    if (strstr(buffer, "e+") && fabs(value) < 1e15)
        snprintf(buffer, size, "%.0f", value);
    return buffer;
}

/* Quarters of the unit, or two digits of it that nobody meant in the other kind: 3.2 MiB, which is
 * no whole number of bytes. */
static bool round_size(double value, const struct unit *unit)
{
    double quarters = value / unit->factor * 4, tenths = value / unit->factor * 10;
    return floor(quarters) == quarters ||
           (value != floor(value) && fabs(tenths / round(tenths) - 1) < 1e-12);
}

const char *quantity_format(struct quantity quantity, int digits, char *buffer, size_t size)
{
    static const char *const sizes[] = {"B", "kB", "MB", "GB", "TB", NULL};
    static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    static const char *const times[] = {"ps", "ns", "us", "ms", "s", NULL};
    static const char *const rates[] = {"Hz", "kHz", "MHz", "GHz", NULL};
    static const char *const energies[] = {"fJ", "pJ", "nJ", "uJ", "mJ", "J", NULL};
    double value = quantity.value;
    struct dim dim = quantity.dim, rest = DIM_NONE;
    const struct unit *unit = NULL;
    if (digits <= 0)
        digits = 4;
    if (dim.byte == 1) {
        const struct unit *pick = unit_pick(value, binary);
        bool round = dim_equal(dim, DIM_BYTES) && fabs(value) >= 1024 && round_size(value, pick);
        unit = round ? pick : unit_pick(value, sizes);
    } else if (dim.second == 1 && dim_equal(dim, DIM_SECONDS)) {
        unit = unit_pick(value, times);
    } else if (dim_equal(dim, DIM_HERTZ)) {
        unit = unit_pick(value, rates);
    } else if (dim.joule == 1) {
        unit = unit_pick(value, energies);
    }
    rest = unit ? dim_divide(dim, unit->dim) : dim;
    if (unit && isfinite(value))
        value /= unit->factor;
    char tail[64] = "";
    if (!dim_equal(rest, DIM_NONE)) {
        char words[64];
        dim_describe(rest, words, sizeof words);
        snprintf(tail, sizeof tail, "%s", strncmp(words, "1/", 2) == 0 ? words + 1 : words);
        if (unit && tail[0] != '/')
            snprintf(tail, sizeof tail, "*%.60s", words);
    }
    const char *blank = unit || tail[0] ? " " : "";
    char number[32];
    snprintf(buffer, size, "%s%s%s%s", number_round(value, digits, number, sizeof number), blank,
             unit ? unit->symbol : "", tail);
    return buffer;
}

const char *number_format(double value, char *buffer, size_t size)
{
    if (isnan(value) || isinf(value)) {
        snprintf(buffer, size, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return buffer;
    }
    value += 0.0; /* 0 has no sign */
    for (int digits = 1; digits <= 17; digits++) {
        if (digits > 6 && digits < 15)
            digits = 15; /* short numbers are short; the rest rarely stops in between */
        snprintf(buffer, size, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    /* "10" and "300" rather than "1e+01" and "3e+02" */
    char plain[32];
    if (fabs(value) < 1e15 && snprintf(plain, sizeof plain, "%.0f", value) > 0 &&
        strlen(plain) <= strlen(buffer) && strtod(plain, NULL) == value && value != 0)
        snprintf(buffer, size, "%s", plain);
    return buffer;
}

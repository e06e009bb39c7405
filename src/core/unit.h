/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities with units. Inside the program everything is SI (bytes, seconds,
 * joules); only this file knows "768 GB/s" and "4 MiB". GB is 10^9, GiB is
 * 2^30, always. Cycles stay a dimension of their own until the machine that
 * says how long a cycle is has been put together (machine/machine.h). */
#ifndef BANDSCAPE_CORE_UNIT_H
#define BANDSCAPE_CORE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/memory.h"

/* Exponents: bandwidth is {.byte = 1, .second = -1}, 1/cycle is {.cycle = -1}. */
struct dim {
    signed char byte, second, cycle, joule;
};

/* For initialisers of constants: tables of parameters and metrics. */
/* clang-format off */
#define IN_PLAIN           {0, 0, 0, 0}
#define IN_BYTES           {1, 0, 0, 0}
#define IN_SECONDS         {0, 1, 0, 0}
#define IN_HERTZ           {0, -1, 0, 0}
#define IN_BYTES_PER_S     {1, -1, 0, 0}
#define IN_JOULES_PER_BYTE {-1, 0, 0, 1}
#define IN_WATTS           {0, -1, 0, 1}
/* clang-format on */
#define DIM_NONE ((struct dim)IN_PLAIN)
#define DIM_BYTES ((struct dim)IN_BYTES)
#define DIM_SECONDS ((struct dim)IN_SECONDS)
#define DIM_HERTZ ((struct dim)IN_HERTZ)
#define DIM_BYTES_PER_S ((struct dim)IN_BYTES_PER_S)
#define DIM_CYCLES ((struct dim){0, 0, 1, 0})
#define DIM_PER_CYCLE ((struct dim){0, 0, -1, 0})

struct quantity {
    double value; /* SI, or per cycle */
    struct dim dim;
};

bool dim_equal(struct dim a, struct dim b);
struct dim dim_multiply(struct dim a, struct dim b);
struct dim dim_divide(struct dim a, struct dim b);
/* "bytes/s", "a plain number", ...: for messages. Writes into buffer and returns it. */
const char *dim_describe(struct dim dim, char *buffer, size_t size);
/* The SI unit as files name it: "B/s", "B", "s", "Hz", "J", "cycles", "1". */
const char *dim_unit(struct dim dim, char *buffer, size_t size);
/* An example a user may copy: "768 GB/s", "4 MiB", "100 ns or 120 cycles". */
const char *dim_example(struct dim dim);

/* Reads the unit at the start of text ("GB/s", "MiB", "/cycle", "%"). Returns
 * the number of characters, 0 when there is none. No blanks inside a unit. */
size_t unit_scan(const char *text, double *factor, struct dim *dim);

/* Reads a whole text "<number>[ ]<unit>". Returns 0, or a negative status when
 * it is not a finite number followed by a known unit or nothing. */
int quantity_scan(const char *text, struct quantity *out);

/* What is meant by a unit that is none: "kB" for "100 KB", "us" for one with a Greek letter; of bits,
 * which may be meant, with how many there are: "GB (1 GB is 8 Gbit)". NULL: nothing like it. */
const char *unit_suggest(const char *text);

/* "768 GB/s", "4 MiB", "1.5 us": at most `digits` significant digits (0: 4).
 * Sizes use binary units when they are round in them. */
const char *quantity_format(struct quantity quantity, int digits, char *buffer, size_t size);

/* Shortest decimal text that reads back to the same double; "inf", "-inf", "nan". */
const char *number_format(double value, char *buffer, size_t size);

/* At most `digits` significant digits for people: "0.571", "1.84"; whole numbers with all
 * of theirs, "4027" rather than "4.03e+03" (below 1e15). */
const char *number_round(double value, int digits, char *buffer, size_t size);

/* Reads a whole text as a finite double; false otherwise (nan, inf, rest, empty). */
bool number_scan(const char *text, double *out);

#endif

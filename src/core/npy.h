/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays as NPY files, format version 1.0 (numpy.lib.format): a line of text that says type and
 * shape, then the numbers, little endian, last dimension fastest. */
#ifndef BANDSCAPE_CORE_NPY_H
#define BANDSCAPE_CORE_NPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum npy_type { NPY_DOUBLE, NPY_BYTE };

/* So many dimensions a file may have; NumPy itself reads 32 before its version 2, 64 since. */
enum { NPY_DIMENSIONS_MAX = 64 };

/* The head of an array of shape[0] x ... x shape[n - 1]; without dimensions it is one number. The
 * numbers come after it, in pieces. Errors of the stream are sticky (core/file.h). */
void npy_begin(FILE *stream, enum npy_type type, const uint64_t *shape, size_t n);
void npy_write_doubles(FILE *stream, const double *values, size_t count);

#endif

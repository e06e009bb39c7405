/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a file from front to back, plain or compressed (by its name: decoder.h;
 * decompressed as it is read, in constant memory). */
#ifndef BANDSCAPE_TRACE_BYTE_READER_H
#define BANDSCAPE_TRACE_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct byte_reader;

/* The file must be a regular one. `path` must live as long as the reader. */
int byte_reader_open(const char *path, struct byte_reader **out, struct error *error);
void byte_reader_close(struct byte_reader *reader); /* NULL is legal */

/* The next bytes: 1 .. room of them, or none at the end of the file and behind
 * an error. */
int byte_reader_read(struct byte_reader *reader, void *to, size_t room, size_t *got,
                     struct error *error);

/* What is wrong with the contents of a compressed file may be due to the compression:
 * decompressed bytes come before their checksum. Given the status and error of
 * whoever reads the contents, decompresses the rest if that is an input error,
 * and returns the error of the decompression instead if there is one. */
int byte_reader_blame(struct byte_reader *reader, int status, struct error *error);

#endif

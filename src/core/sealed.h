/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sealed files: what the program writes and reads back. The last line is a checksum of what
 * stands above it, so that a file that was cut, changed or lengthened is noticed:
 *
 *     # sealed 0123456789abcdef0123456789abcdef
 *
 * In YAML it is a comment. What is damaged is made anew where that can be done, and else refused;
 * in files that people may edit a seal that does not fit is a remark. */
#ifndef BANDSCAPE_CORE_SEALED_H
#define BANDSCAPE_CORE_SEALED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"

/* Adds the seal. */
void sealed_append(struct text *text);

/* Whether `data` end in their seal; *size becomes the size without it. */
bool sealed_check(const char *data, size_t *size);

/* Whether `data` end in a line that may be a seal, fitting or not. */
bool sealed_is_marked(const char *data, size_t size);

/* Writes the text with its seal, atomically. */
int sealed_write(const char *path, const char *data, size_t size, struct error *error);

/* Appends the file's content without the seal; false when the file is not there, or is damaged or
 * cannot be read. What can be made anew is: `tell` says so in a remark. */
bool sealed_read(const char *path, bool tell, struct text *out);

#endif

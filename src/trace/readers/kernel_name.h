/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of kernels as compilers mangle them (Itanium C++ ABI), as people say them. */
#ifndef BANDSCAPE_TRACE_KERNEL_NAME_H
#define BANDSCAPE_TRACE_KERNEL_NAME_H

#include "core/memory.h"

/* "_Z9vectorAddPKfS0_Pfi" -> "vectorAdd", "_ZN3app4stepIfEEvPT_" -> "app::step": without arguments,
 * those of templates neither. Names that are not mangled stay as they are; of no letters: "kernel".
 * Behind its length the text goes on, at least with a NUL. */
char *kernel_name_readable(struct arena *arena, const char *text, size_t length);

#endif

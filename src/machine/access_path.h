/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Through which caches a read asks. Ordinary ones, writes and atomics ask L1; GPUs have read-only
 * caches of their own beside it (machine/beside.h) for what
 *
 *     scalar     is one address for all lanes and loaded once, into scalar registers (GCN's s_load)
 *     constant   lies in constant memory (CUDA's __constant__, LDC)
 *     texture    is fetched by a texture unit (TEX, TLD)
 *
 * Which of these a read is belongs to the program, what serves it to the machine. */
#ifndef BANDSCAPE_MACHINE_ACCESS_PATH_H
#define BANDSCAPE_MACHINE_ACCESS_PATH_H

enum access_path { ACCESS_ORDINARY, ACCESS_SCALAR, ACCESS_CONSTANT, ACCESS_TEXTURE, ACCESS_PATHS };

/* As machines, workloads and traces write them; "ordinary" is never written. */
extern const char *const access_path_names[ACCESS_PATHS];

/* The path of that name other than ordinary, or -1. */
int access_path_find(const char *name);

#endif

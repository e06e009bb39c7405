/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of Accel-Sim 2 (`.tracez`): the lines of a `.traceg`, each warp's compressed with zstd by
 * itself. The bytes of that .traceg from front to back, in memory that is bounded by the index.
 *
 * All numbers are little-endian; u32 unless said otherwise:
 *
 *     the header lines of the kernel, up to a byte 0
 *     size of the dictionary, instructions a piece (not needed)
 *     the dictionary of all pieces; of size 0: none
 *     warps, each: its instructions, number of its pieces, then of each piece
 *         its size, a frame of zstd: whole lines
 *     the index: number of thread blocks, then of each
 *         block x, y, z, cluster x, y, z, place in the cluster x, y, z, rank, number of warps, and
 * of each warp: its instructions, number of its pieces, u64 where it begins, instructions of each
 * piece u64 where the index begins
 *
 * Source: tracez_format.h of Accel-Sim's tracer (accel-sim-framework 2.0), and its traceDsm, which
 * writes the .traceg: warps are numbered in the order of the index. */
#ifndef BANDSCAPE_TRACE_TRACEZ_H
#define BANDSCAPE_TRACE_TRACEZ_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct tracez;

/* Whether a file of that name is one. */
bool tracez_is(const char *path);

/* `path` and `file` must live as long; the file stays open. */
int tracez_open(const char *path, int file, struct tracez **out, struct error *error);
void tracez_close(struct tracez *tracez); /* NULL is legal */

/* The next bytes: 1 .. room of them, or none at the end and behind an error. */
int tracez_read(struct tracez *tracez, void *to, size_t room, size_t *got, struct error *error);

#endif

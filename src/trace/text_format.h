/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text form of a trace: what a user writes by hand or prints from another
 * tool, and what `bandscape trace convert` writes. One line a warp access.
 *
 *     bandscape-trace 1
 *     # y[i] = x[i] + a[0], two CTAs of one warp
 *     allocation x 0x10000 4096
 *     allocation y 0x20000 4096
 *     home 0x10000 4096 1
 *
 *     kernel copy grid=2 block=32 shared=1024
 *     warp 0 0
 *     r 0x10000 4 stride=4 insts=9
 *     r 0x30000 4 lanes=32
 *     w 0x20000 4 stride=4 insts=3
 *     i 1
 *     warp 1 0
 *     r 0x10080 4 stride=4 mask=0x0000ffff insts=9
 *     a 0x20010,+4,+4,+64,-8 8 insts=3
 *
 * The smallest trace is the first line and lines such as `r 0x1000 4`.
 *
 * Lines end in \n or \r\n and have at most 1 MiB. A field that begins with #
 * begins a comment. Blank lines mean nothing. Fields are separated by blanks.
 * Numbers are decimal, or hexadecimal behind 0x, and below 2^60. A NAME with
 * blanks or a # stands between double quotes; inside, \" and \\ are " and \.
 * The file may be compressed; then its name ends in .xz, .gz or .zst.
 *
 *  bandscape-trace 1
 *      The first line: the version of this format. Files of `trace convert` promise an end in a
 *      comment behind it, `# the last line is: # end`: without that line they were cut. What is
 *      written by hand needs neither.
 *
 *  allocation NAME BASE BYTES
 *      An allocation; `-` is an allocation without a name. They must not
 *      overlap. Allocations and homes stand before the first kernel.
 *
 *  home BASE BYTES DOMAIN
 *      The memory of the bytes [BASE, BASE + BYTES) is in domain (chip) DOMAIN,
 *      0 to 65535: for the placement `recorded`. They must not overlap.
 *
 *  kernel NAME [grid=X[,Y[,Z]]] [block=X[,Y[,Z]]] [shared=BYTES] [order=recorded]
 *              [dropped-local=N] [dropped-bulk=N] [dropped-unknown=N]
 *      Begins a kernel launch. Without grid= it has as many CTAs as its lines
 *      name (at most 2^24), without block= as many warps a CTA; a trace
 *      without a kernel line is one kernel. shared= is the shared memory of a
 *      CTA. With order=recorded the accesses are replayed in the order of the
 *      file, across warps and SMs; without it only the order inside a warp
 *      counts, and lines of different warps may stand in any order. dropped-...
 *      counts the memory instructions that the trace lacks (struct
 *      stream_dropped).
 *
 *  cta CTA sm=SM
 *      CTA ran on SM, 0 to 65535. It stands before the first access of the CTA.
 *      Either all CTAs of a kernel that have accesses have an SM, or none.
 *      CTAs are numbered x fastest, then y, then z.
 *
 *  warp CTA WARP
 *      The lines that follow belong to this warp; at first to CTA 0 warp 0. Without
 *      any it says that the CTA is there and makes no access: CTAs of the grid that
 *      no line names are taken for missing ones, with a warning.
 *
 *  r ADDRESS BYTES [FIELDS]     a read (`read`)
 *  w ADDRESS BYTES [FIELDS]     a write (`write`)
 *  a ADDRESS BYTES [FIELDS]     an atomic or a reduction (`atomic`)
 *      One access of one warp. BYTES a lane: 1, 2, 4, 8, 12, 16 or 32. ADDRESS
 *      is that of the first active lane, or, separated by commas without
 *      blanks, those of all active lanes from lane 0 up; +N and -N (decimal)
 *      are relative to the one before. FIELDS, in any order:
 *        stride=S   from one active lane to the next, signed, default 0
 *        lanes=N    lanes 0 .. N-1 are active
 *        mask=M     hexadecimal, with or without 0x: bit i for lane i. Without
 *                   lanes= and mask= a list makes as many lanes active, a
 *                   stride all 32, and a single address lane 0.
 *        insts=N    warp instructions since the last access of this warp, this
 *                   one included; default: unknown
 *        ahead=N    it and what comes before it need none of the values of the N
 *                   accesses of this warp just before: these may be under way
 *                   when it issues; 0 to 63, default 0: it waits for all
 *        think=N    cycles of the SM's clock (`sm.clock`) that this warp works beside
 *                   the issue of its instructions - until it issues, from when the
 *                   values that it needs have come and the access before it has
 *                   issued; whole, up to 4294967295, default 0. So of a warp that
 *                   waits for each of its loads it is, in cycles, the time from
 *                   one load's data to the next load, less `insts`
 *        bypass     does not look into L1
 *        scalar, constant, texture
 *                   of a read: asks the cache of such data beside L1, where the machine
 *                   has one (machine/access_path.h)
 *        local      to the threads' own memory: ADDRESS, below 2^29, is a place in
 *                   that of the warp, where 32-bit word w of lane l stands at
 *                   128 w + 4 l (trace/local.h)
 *        part       of the instruction of the access before it, which counts it:
 *                   without insts= it adds none
 *        bulk       of a bulk copy (TMA) between memory and shared memory
 *        cta=C      belongs to warp 0 (or warp=) of CTA C
 *        warp=W     belongs to this warp of the current CTA (or cta=)
 *        sm=S       the CTA runs on SM S, as a `cta` line says; where neither a
 *                   `warp` line nor cta= names a CTA, it is CTA S: a trace that
 *                   knows SMs but no CTAs
 *
 *  i N [cta=C] [warp=W] [sm=S]     (`instructions`)
 *      N warp instructions without an access, at the end of a warp. */
#ifndef BANDSCAPE_TRACE_TEXT_FORMAT_H
#define BANDSCAPE_TRACE_TEXT_FORMAT_H

#include <stdio.h>

#include "core/error.h"
#include "core/file_form.h"
#include "trace/stream.h"

#define TEXT_FORMAT_MAGIC "bandscape-trace"
enum { TEXT_FORMAT_VERSION = 1 };
#define TEXT_FORMAT_PROMISE " # the last line is: # end"
#define TEXT_FORMAT_END "# end"
#define TEXT_FORMAT_SUFFIX ".btrace" /* what names of such files end in, by default */

/* Lines and their fields; ends with name NULL. */
extern const struct file_form text_format_forms[];

/* Writes any source in a normal form: CTAs and warps in order (or the recorded
 * order), everything that has a default left out. Reading it gives the same
 * streams, and writing those gives the same text. The caller commits or
 * closes the stream; a full disk or a closed pipe is an error here. */
int trace_write_text(const struct source *source, FILE *stream, struct error *error);

#endif

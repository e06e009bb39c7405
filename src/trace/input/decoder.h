/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways of compression, by the ending of a file's name: xz; gzip and zstd where their libraries were
 * there when the program was built. All take files of several streams, one behind the other. */
#ifndef BANDSCAPE_TRACE_DECODER_H
#define BANDSCAPE_TRACE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum decoder_status {
    DECODER_MORE,    /* called again, it gives more or takes more */
    DECODER_ENDED,   /* all is decoded */
    DECODER_CUT,     /* the input ends early */
    DECODER_FOREIGN, /* it is not of this kind */
    DECODER_OPTIONS, /* made with options that the library does not know, or corrupt */
    DECODER_MEMORY,  /* more than 1 GiB would be needed */
    DECODER_CORRUPT,
    DECODER_FAILED /* the library's fault */
};

/* What is to be decoded and where to; both move on. */
struct decoder_buffers {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
};

struct decoder {
    const char *ending;   /* ".xz" */
    const char *name;     /* "xz": the program that makes such files, too */
    void *(*begin)(void); /* NULL: the library is not there, or fails */
    /* `last`: there is no more input than that. */
    enum decoder_status (*step)(void *state, struct decoder_buffers *buffers, bool last);
    void (*end)(void *state);
};

/* The decoder of a file of that name; NULL: it is not compressed. */
const struct decoder *decoder_of(const char *path);

/* How long the part of a name is that stands before the ending of a compressed file. */
size_t decoder_plain_length(const char *path);

/* Whether a name, compressed or not, has that ending: "a.traceg.xz" has ".traceg". */
bool decoder_ends_in(const char *path, const char *ending);

#endif

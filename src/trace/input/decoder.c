/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/input/decoder.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#ifdef BANDSCAPE_ZLIB
#include <zlib.h>
#endif
#ifdef BANDSCAPE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "core/file.h"
#include "core/memory.h"

/* xz -9 needs 65 MiB; a damaged header may ask for 4 GiB. */
static const uint64_t memory_limit = (uint64_t)1 << 30;

/* --- xz ------------------------------------------------------------------------------------ */

static void *xz_begin(void)
{
    static const lzma_stream start = LZMA_STREAM_INIT;
    lzma_stream *lzma = memory_zero(1, sizeof *lzma);
    *lzma = start;
    if (lzma_stream_decoder(lzma, memory_limit, LZMA_CONCATENATED) == LZMA_OK)
        return lzma;
    free(lzma);
    return NULL;
}

static enum decoder_status xz_step(void *state, struct decoder_buffers *b, bool last)
{
    lzma_stream *lzma = state;
    lzma->next_in = b->in;
    lzma->avail_in = b->in_size;
    lzma->next_out = b->out;
    lzma->avail_out = b->out_size;
    lzma_ret code = lzma_code(lzma, last ? LZMA_FINISH : LZMA_RUN);
    *b = (struct decoder_buffers){lzma->next_in, lzma->avail_in, lzma->next_out, lzma->avail_out};
    switch (code) {
    case LZMA_OK:
        return DECODER_MORE;
    case LZMA_STREAM_END:
        return DECODER_ENDED;
    case LZMA_BUF_ERROR:
        return DECODER_CUT;
    case LZMA_FORMAT_ERROR:
        return DECODER_FOREIGN;
    case LZMA_OPTIONS_ERROR:
        return DECODER_OPTIONS;
    case LZMA_MEMLIMIT_ERROR:
        return DECODER_MEMORY;
    case LZMA_DATA_ERROR:
        return DECODER_CORRUPT;
    default:
        return DECODER_FAILED;
    }
}

static void xz_end(void *state)
{
    lzma_end(state);
    free(state);
}

/* --- gzip ---------------------------------------------------------------------------------- */

#ifdef BANDSCAPE_ZLIB
struct gzip {
    z_stream stream;
    bool between; /* streams: the input may end here */
    bool some;    /* at least one stream has ended */
};

static void *gzip_begin(void)
{
    struct gzip *gzip = memory_zero(1, sizeof *gzip);
    if (inflateInit2(&gzip->stream, 15 + 16) == Z_OK) /* the largest window, gzip's header */
        return gzip;
    free(gzip);
    return NULL;
}

static enum decoder_status gzip_step(void *state, struct decoder_buffers *b, bool last)
{
    struct gzip *gzip = state;
    if (b->in_size == 0 && last)
        return gzip->between ? DECODER_ENDED : DECODER_CUT;
    if (b->in_size == 0)
        return DECODER_MORE;
    gzip->stream.next_in = (Bytef *)b->in; /* zlib does not write there */
    gzip->stream.avail_in = (uInt)b->in_size;
    gzip->stream.next_out = b->out;
    gzip->stream.avail_out = (uInt)b->out_size;
    int code = inflate(&gzip->stream, Z_NO_FLUSH);
    *b = (struct decoder_buffers){gzip->stream.next_in, gzip->stream.avail_in,
                                  gzip->stream.next_out, gzip->stream.avail_out};
    gzip->between = code == Z_STREAM_END;
    if (code == Z_STREAM_END) {
        gzip->some = true;
        return inflateReset(&gzip->stream) == Z_OK ? DECODER_MORE : DECODER_FAILED;
    }
    if (code == Z_OK || code == Z_BUF_ERROR)
        return DECODER_MORE;
    if (code == Z_DATA_ERROR)
        return gzip->some || gzip->stream.total_out ? DECODER_CORRUPT : DECODER_FOREIGN;
    return DECODER_FAILED;
}

static void gzip_end(void *state)
{
    inflateEnd(&((struct gzip *)state)->stream);
    free(state);
}
#else
#define gzip_begin NULL
#define gzip_step NULL
#define gzip_end NULL
#endif

/* --- zstd ---------------------------------------------------------------------------------- */

#ifdef BANDSCAPE_ZSTD
struct zstd {
    ZSTD_DStream *stream;
    bool between, some; /* as above */
};

static void *zstd_begin(void)
{
    struct zstd *zstd = memory_zero(1, sizeof *zstd);
    zstd->stream = ZSTD_createDStream();
    if (zstd->stream &&
        !ZSTD_isError(ZSTD_DCtx_setParameter(zstd->stream, ZSTD_d_windowLogMax, 30)))
        return zstd;
    ZSTD_freeDStream(zstd->stream);
    free(zstd);
    return NULL;
}

/* `some`: something was decoded before. */
static enum decoder_status zstd_error(ZSTD_ErrorCode code, bool some)
{
    switch (code) {
    case ZSTD_error_prefix_unknown:
        return some ? DECODER_CORRUPT : DECODER_FOREIGN;
    case ZSTD_error_frameParameter_windowTooLarge:
    case ZSTD_error_memory_allocation:
        return DECODER_MEMORY;
    default:
        return DECODER_CORRUPT;
    }
}

static enum decoder_status zstd_step(void *state, struct decoder_buffers *b, bool last)
{
    struct zstd *zstd = state;
    ZSTD_inBuffer in = {b->in, b->in_size, 0};
    ZSTD_outBuffer out = {b->out, b->out_size, 0};
    if (b->in_size == 0 && zstd->between)
        return last ? DECODER_ENDED : DECODER_MORE;
    size_t code = ZSTD_decompressStream(zstd->stream, &out, &in);
    b->in += in.pos;
    b->in_size -= in.pos;
    b->out += out.pos;
    b->out_size -= out.pos;
    if (ZSTD_isError(code))
        return zstd_error(ZSTD_getErrorCode(code), zstd->some || out.pos);
    zstd->between = code == 0;
    zstd->some = zstd->some || out.pos || code == 0;
    /* Without input it has given all that it holds where nothing came. */
    return last && b->in_size == 0 && code && !out.pos ? DECODER_CUT : DECODER_MORE;
}

static void zstd_end(void *state)
{
    ZSTD_freeDStream(((struct zstd *)state)->stream);
    free(state);
}
#else
#define zstd_begin NULL
#define zstd_step NULL
#define zstd_end NULL
#endif

/* --- all of them --------------------------------------------------------------------------- */

static const struct decoder decoders[] = {{".xz", "xz", xz_begin, xz_step, xz_end},
                                          {".gz", "gzip", gzip_begin, gzip_step, gzip_end},
                                          {".zst", "zstd", zstd_begin, zstd_step, zstd_end}};

const struct decoder *decoder_of(const char *path)
{
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
        if (file_ends_in(path, decoders[i].ending))
            return &decoders[i];
    return NULL;
}

size_t decoder_plain_length(const char *path)
{
    const struct decoder *decoder = decoder_of(path);
    return strlen(path) - (decoder ? strlen(decoder->ending) : 0);
}

bool decoder_ends_in(const char *path, const char *ending)
{
    size_t plain = decoder_plain_length(path), length = strlen(ending);
    return plain >= length && memcmp(path + plain - length, ending, length) == 0;
}

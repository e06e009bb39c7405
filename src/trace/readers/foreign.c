/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/foreign.h"

#include <string.h>

#include "core/file.h"
#include "trace/input/decoder.h"

static const struct foreign {
    const char *ending; /* of the path; NULL: any */
    const char *magic;  /* at the beginning; NULL: any */
    const char *what;
    const char *hint; /* "%s": the path */
} foreigners[] = {
    {".ncu-rep", NULL, "is a report of Nsight Compute",
     "as CSV it is a profile: ncu --import %s --page raw --csv > counters.csv"},
    {".nsys-rep", NULL, "is a report of Nsight Systems, which has no addresses",
     "count with ncu (bandscape profile --help has its command), or trace with NVBit"},
    {".msgpack", NULL, "is a trace of GPUcachesim (microgpusim), which is not read",
     "what it holds can be written in the text form: bandscape trace --help, src/trace/README.md"},
    {"commands.json", NULL, "is a trace of GPUcachesim (microgpusim), which is not read",
     "what it holds can be written in the text form: bandscape trace --help, src/trace/README.md"},
    {"kernel_config.txt", NULL,
     "is a trace of MacSim, which is not read: it has pieces of accesses, and no lanes",
     "NVBit's mem_trace and Accel-Sim's tracer give traces of the same programs that are"},
    {".raw", "\x1f\x8b",
     "is a trace of MacSim, which is not read: it has pieces of accesses, and no lanes",
     "NVBit's mem_trace and Accel-Sim's tracer give traces of the same programs that are"},
    {NULL, "\x1f\x8b", "is compressed with gzip, which its name does not say",
     "call it %s.gz; traces may be .xz, .gz and .zst"},
    {NULL, "\x28\xb5\x2f\xfd", "is compressed with zstd, which its name does not say",
     "call it %s.zst; traces may be .xz, .gz and .zst"},
    {NULL,
     "\xfd"
     "7zXZ",
     "is compressed with xz, which its name does not say",
     "call it %s.xz; traces may be .xz, .gz and .zst"},
    {NULL, "BZh", "is compressed with bzip2, which is not read", "traces may be .xz, .gz and .zst"},
    {NULL, "PK\x03\x04", "is a zip archive", "unpack it, and name a file or folder of it"},
    {".tar", NULL, "is an archive", "unpack it, and name a file or folder of it"},
};

bool foreign_explain(const char *path, const char *head, size_t size, struct error *error)
{
    for (size_t i = 0; i < sizeof foreigners / sizeof *foreigners; i++) {
        const struct foreign *f = &foreigners[i];
        size_t magic = f->magic ? strlen(f->magic) : 0;
        bool named = !f->ending || decoder_ends_in(path, f->ending) ||
                     strcmp(file_base_name(path), f->ending) == 0;
        if (!named || size < magic || memcmp(head, f->magic ? f->magic : "", magic) != 0)
            continue;
        struct text hint = {0};
        const char *place = strstr(f->hint, "%s");
        text_append_bytes(&hint, f->hint, place ? (size_t)(place - f->hint) : strlen(f->hint));
        if (place)
            text_printf(&hint, "%s%s", path, place + 2);
        error_set(error, STATUS_INPUT, "%s %s", path, f->what);
        error_hint(error, "%s", hint.data);
        text_free(&hint);
        return true;
    }
    return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One random program, written as each of the formats in which it could have been
 * captured. */
#ifndef BANDSCAPE_TESTS_TRACE_FORMATS_H
#define BANDSCAPE_TESTS_TRACE_FORMATS_H

#include "trace_check.h"

#include "trace/text_format.h"

enum { FORMATS_GX = 3, FORMATS_GY = 2, FORMATS_CTAS = 6, FORMATS_WARPS = 2, FORMATS_LENGTH = 12 };

struct formats_instruction {
    const char *opcode;
    bool memory;
    uint32_t mask;
    uint64_t addresses[WARP_LANES]; /* of the active lanes, else 0 */
};

struct formats_program {
    struct formats_instruction warps[FORMATS_CTAS * FORMATS_WARPS][FORMATS_LENGTH];
};

static inline void formats_fill(struct formats_instruction *in, const char *opcode, bool memory,
                                uint64_t *random)
{
    uint64_t base = 0x10000000 + check_random(random) % 100000 * 16;
    bool regular = check_random(random) % 2;
    *in = (struct formats_instruction){.opcode = opcode, .memory = memory};
    in->mask = check_random(random) % 3 ? UINT32_MAX : (uint32_t)check_random(random) | 4;
    for (uint32_t lane = 0, k = 0; lane < WARP_LANES; lane++)
        if (in->mask >> lane & 1)
            in->addresses[lane] = regular ? base + 8 * k++ : base + check_random(random) % 64 * 8;
}

/* Every warp begins with a load, so that every warp is met in every format. */
static inline void formats_make(struct formats_program *program, uint64_t seed)
{
    static const struct {
        const char *opcode;
        bool memory;
    } kinds[] = {{"LDG.E", true},
                 {"IMAD.MOV.U32", false},
                 {"STG.E.64", true},
                 {"RED.E.ADD.64.STRONG.GPU", true},
                 {"LDG.E.64.STRONG.GPU", true},
                 {"ATOMG.E.ADD.64", true},
                 {"LDL.64", true},
                 {"LDS.U.64", true},
                 {"FADD", false},
                 {"LDX.FUTURE", true}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (int w = 0; w < FORMATS_CTAS * FORMATS_WARPS; w++)
        for (int i = 0; i < FORMATS_LENGTH; i++) {
            uint64_t k = i ? check_random(&seed) % KINDS : 0;
            formats_fill(&program->warps[w][i], kinds[k].opcode, kinds[k].memory, &seed);
        }
}

/* Visits the instructions of all warps mixed, each warp's in order. */
struct formats_mix {
    uint64_t random;
    int next[FORMATS_CTAS * FORMATS_WARPS], done;
};
static inline bool formats_next(struct formats_mix *mix, int *warp, int *i)
{
    if (mix->done++ == FORMATS_CTAS * FORMATS_WARPS * FORMATS_LENGTH)
        return false;
    do
        *warp = (int)(check_random(&mix->random) % (FORMATS_CTAS * FORMATS_WARPS));
    while (mix->next[*warp] == FORMATS_LENGTH);
    *i = mix->next[*warp]++;
    return true;
}

/* --- Accel-Sim -------------------------------------------------------------- */

static inline void formats_header(struct text *out, int lineinfo)
{
    text_printf(out,
                "-kernel name = _Z4testPi\n-kernel id = 1\n-grid dim = (%d,%d,1)\n"
                "-block dim = (%d,1,1)\n-shmem = 128\n-nregs = 8\n-binary version = 80\n"
                "-cuda stream id = 0\n-shmem base_addr = 0x00007f0002000000\n"
                "-local mem base_addr = 0x00007f0000000000\n-nvbit version = 1.7\n"
                "-accelsim tracer version = 5\n-enable lineinfo = %d\n\n#traces format = ...\n\n",
                FORMATS_GX, FORMATS_GY, FORMATS_WARPS * WARP_LANES, lineinfo);
}

static inline void formats_instruction(struct text *out, const struct formats_instruction *in,
                                       int lineinfo, int pc)
{
    if (lineinfo)
        text_append(out, "77 ");
    text_printf(out, "%04x %08x 1 R4 %s 2 R255 UR6 ", 16 * pc, in->mask, in->opcode);
    if (in->memory) {
        text_append(out, "8 0 ");
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (in->mask >> lane & 1)
                text_printf(out, "0x%016llx ", (unsigned long long)in->addresses[lane]);
    } else {
        text_append(out, "0 ");
    }
    text_append(out, "0 \n");
}

static inline void formats_grouped(struct text *out, const struct formats_program *program)
{
    out->length = 0;
    formats_header(out, 0);
    for (int cta = 0; cta < FORMATS_CTAS; cta++) {
        text_printf(out, "#BEGIN_TB\n\nthread block = %d,%d,0\n", cta % FORMATS_GX,
                    cta / FORMATS_GX);
        for (int w = 0; w < FORMATS_WARPS; w++) {
            text_printf(out, "\nwarp = %d\ninsts = %d\n", w, FORMATS_LENGTH);
            for (int i = 0; i < FORMATS_LENGTH; i++)
                formats_instruction(out, &program->warps[cta * FORMATS_WARPS + w][i], 0, i);
        }
        text_append(out, "\n#END_TB\n\n");
    }
}

/* columns: 0, 2 (SM 5 * cta % 7) or 7 (cluster). */
static inline void formats_raw(struct text *out, const struct formats_program *program, int columns,
                               int lineinfo, uint64_t seed)
{
    struct formats_mix mix = {.random = seed};
    int w, i;
    out->length = 0;
    formats_header(out, lineinfo);
    while (formats_next(&mix, &w, &i)) {
        int cta = w / FORMATS_WARPS;
        text_printf(out, "%d %d 0 %d ", cta % FORMATS_GX, cta / FORMATS_GX, w % FORMATS_WARPS);
        if (columns == 2)
            text_printf(out, "%d %d ", 5 * cta % 7, w);
        else if (columns == 7)
            text_append(out, "0 0 0 1 0 0 1 ");
        formats_instruction(out, &program->warps[w][i], lineinfo, i);
    }
}

/* --- NVBit ------------------------------------------------------------------ */

static inline void formats_nvbit_access(struct text *out, int launch, int x, int y, int warp,
                                        const char *opcode, const uint64_t *addresses)
{
    text_printf(out,
                "MEMTRACE: CTX 0x0000562d3a10 - grid_launch_id %d - CTA %d,%d,0 - warp %d - %s - ",
                launch, x, y, warp, opcode);
    for (int lane = 0; lane < WARP_LANES; lane++)
        text_printf(out, "0x%016llx ", (unsigned long long)addresses[lane]);
    text_append(out, "\n");
}

static inline void formats_nvbit_launch(struct text *out, int launch, const char *name, int gx,
                                        int gy, int threads)
{
    text_printf(out,
                "MEMTRACE: CTX 0x0000562d3a10 - LAUNCH - Kernel pc 0x00007f12 - Kernel name %s - "
                "grid launch id %d - grid size %d,%d,1 - block size %d,1,1 - nregs 8 - shmem 128 "
                "- cuda stream id 94123\n",
                name, launch, gx, gy, threads);
}

/* `shift`: the first warp of CTA c has place shift * c of its SM. */
static inline void formats_nvbit(struct text *out, const struct formats_program *program,
                                 bool launch, int shift, uint64_t seed)
{
    struct formats_mix mix = {.random = seed};
    int w, i;
    out->length = 0;
    text_append(out, "------------- NVBit (NVidia Binary Instrumentation Tool v1.5.5) Loaded "
                     "--------------\nNVBit core environment variables\nhello from the program\n");
    if (launch)
        formats_nvbit_launch(out, 0, "test(int*)", FORMATS_GX, FORMATS_GY,
                             FORMATS_WARPS * WARP_LANES);
    while (formats_next(&mix, &w, &i)) {
        const struct formats_instruction *in = &program->warps[w][i];
        int cta = w / FORMATS_WARPS;
        if (check_random(&mix.random) % 16 == 0)
            text_append(out, i % 2 ? "progress 10 %\n\n" : "progress: ");
        if (in->memory)
            formats_nvbit_access(out, 0, cta % FORMATS_GX, cta / FORMATS_GX,
                                 w % FORMATS_WARPS + shift * cta, in->opcode, in->addresses);
    }
}

/* --- the text form ---------------------------------------------------------- */

/* The text form of a trace. free() it. */
static inline char *formats_convert(const char *path)
{
    OWNED(source) *source = NULL;
    char *data = NULL;
    size_t size = 0;
    check_ok(source_open_trace(path, &source, &failure));
    FILE *stream = open_memstream(&data, &size);
    assert_non_null(stream);
    check_ok(trace_write_text(source, stream, &failure));
    fclose(stream);
    return data;
}

/* Removes the lines that begin so, in place. */
static inline void formats_remove_lines(char *text, const char *begin)
{
    char *to = text;
    for (char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        length += at[length] == '\n';
        if (strncmp(at, begin, strlen(begin)) != 0) {
            memmove(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = '\0';
}

/* Removes the counts of instructions, which some formats do not have. */
static inline void formats_remove_instructions(char *text)
{
    formats_remove_lines(text, "i ");
    for (char *at = text; (at = strstr(at, " insts="));) {
        size_t length = strcspn(at + 1, " \n") + 1;
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of the text form. Readers know them by their places: see text_kernel.c. */
#include "trace/readers/text_kernel.h"
#include "trace/text_format.h"

#define ADDRESSES "ADDRESS BYTES [FIELDS]"

const struct file_key text_line_words[] = {
    {"r", ADDRESSES, NULL, "none", "a read of a warp", "r 0x10000 4 stride=4 insts=9"},
    {"w", ADDRESSES, NULL, "none", "a write", "w 0x20000 4 stride=4 insts=3"},
    {"a", ADDRESSES, NULL, "none", "an atomic or a reduction", "a 0x20010,+4,+4,+64,-8 8"},
    {"i", "COUNT [FIELDS]", "warp instructions", "none",
     "instructions without an access, at the end of a warp", "i 12"},
    {"warp", "CTA WARP", NULL, "CTA 0 warp 0",
     "whose lines follow; without any it says that the CTA is there and makes no access",
     "warp 1 0"},
    {"cta", "CTA sm=SM", NULL, "none",
     "where a CTA ran, before its first access: of all CTAs of a kernel, or of none", "cta 1 sm=3"},
    {"kernel", "NAME [FIELDS]", NULL, "one kernel", "begins a launch",
     "kernel add grid=2 block=32"},
    {"allocation", "NAME BASE BYTES", "bytes", "none",
     "an allocation, before the first kernel; `-` has no name", "allocation x 0x10000 4096"},
    {"home", "BASE BYTES DOMAIN", "bytes", "none",
     "which chip's memory has it, before the first kernel: for the placement recorded",
     "home 0x10000 4096 1"},
    {"read", ADDRESSES, NULL, "none", "r", "read 0x10000 4"},
    {"write", ADDRESSES, NULL, "none", "w", "write 0x20000 4"},
    {"atomic", ADDRESSES, NULL, "none", "a", "atomic 0x20010 8"},
    {"instructions", "COUNT [FIELDS]", "warp instructions", "none", "i", "instructions 12"},
    {NULL}};

const struct file_key text_kernel_words[] = {
    {"grid=", "X[,Y[,Z]]", "CTAs", "those that lines name", "the grid", "grid=64,2"},
    {"block=", "X[,Y[,Z]]", "threads", "as many warps as lines name", "a CTA", "block=256"},
    {"shared=", "size", "bytes", "0", "shared memory of a CTA", "shared=1024"},
    {"order=", "one of: recorded", NULL, "the order inside a warp counts",
     "accesses are replayed in the order of the file, across warps and SMs", "order=recorded"},
    {"dropped-local=", "count", NULL, "0", "accesses to local memory that the trace lacks",
     "dropped-local=10"},
    {"dropped-bulk=", "count", NULL, "0", "bulk copies that it lacks", "dropped-bulk=2"},
    {"dropped-unknown=", "count", NULL, "0", "memory instructions of no known kind that it lacks",
     "dropped-unknown=1"},
    {NULL}};

const struct file_key text_cta_words[] = {
    {"sm=", "number from 0 to 65535", NULL, "required", "the SM", "sm=3"}, {NULL}};

/* The first three are those of lines of instructions as well. */
#define WHOSE                                                                                      \
    {"cta=",                                                                                       \
     "number",                                                                                     \
     NULL,                                                                                         \
     "that of the warp line",                                                                      \
     "the CTA; warp 0 of it, unless warp= says otherwise",                                         \
     "cta=5"},                                                                                     \
        {"warp=", "number", NULL, "that of the warp line, or 0", "the warp of the CTA", "warp=2"}, \
    {                                                                                              \
        "sm=", "number from 0 to 65535", NULL, "none",                                             \
            "the SM that the CTA runs on; where nothing names a CTA, it is CTA SM", "sm=3"         \
    }

const struct file_key text_instructions_words[] = {WHOSE, {NULL}};

const struct file_key text_access_words[] = {
    WHOSE,
    {"insts=", "count", "warp instructions", "unknown",
     "since the last access of this warp, this one included", "insts=9"},
    {"ahead=", "count from 0 to 63", "accesses", "0: it waits for all",
     "accesses of this warp just before it whose values it does not need", "ahead=4"},
    {"think=", "count", "cycles of sm.clock", "0",
     "that the warp works before it, beside the issue of its instructions", "think=2000"},
    {"stride=", "signed number", "bytes", "0", "from one active lane to the next", "stride=4"},
    {"lanes=", "count from 1 to 32", NULL,
     "as many as addresses are listed; 32 with a stride, 1 without", "the first ones are active",
     "lanes=32"},
    {"mask=", "hexadecimal", NULL, "as of lanes=", "bit i: lane i is active", "mask=0x0000ffff"},
    {"bypass", "word", NULL, "none", "does not look into L1", "bypass"},
    {"scalar", "word", NULL, "none", "of a read: asks the cache of scalars beside L1", "scalar"},
    {"constant", "word", NULL, "none", "of a read: asks that of constants", "constant"},
    {"texture", "word", NULL, "none", "of a read: asks that of textures", "texture"},
    {"local", "word", NULL, "none",
     "to its threads' own memory: ADDRESS is a place in the warp's, where word w of lane l stands "
     "at 128 w + 4 l",
     "local"},
    {"part", "word", NULL, "none", "of the instruction of the access before it", "part"},
    {"bulk", "word", NULL, "none", "of a bulk copy (TMA) between memory and shared memory", "bulk"},
    {NULL}};

const struct file_form text_format_forms[] = {
    {"lines",
     "The first line is `bandscape-trace 1`, each further one a word with what belongs to it, "
     "separated by blanks. What begins with # is a comment. Numbers are decimal, or hexadecimal "
     "behind 0x, and below 2^60; names with blanks stand between double quotes. ADDRESS is that of "
     "the first active lane, or, with commas, those of all active lanes, of which +N and -N count "
     "from the one before. BYTES a lane: 1, 2, 4, 8, 12, 16 or 32.",
     text_line_words},
    {"kernel, fields", "", text_kernel_words},
    {"r, w and a, fields", "In any order.", text_access_words},
    {"i, fields", "", text_instructions_words},
    {"cta, fields", "", text_cta_words},
    {NULL}};

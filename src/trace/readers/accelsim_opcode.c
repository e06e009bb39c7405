/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opcodes are a root and suffixes, separated by dots. The root gives space and
 * kind. The first suffix that is a type gives the width: a number of bits,
 * alone or behind U, S, F, BF or B, perhaps times a vector length ("64", "U8",
 * "F16x2"); "LTC128B" is a hint to the L2 and no type. Without one a lane has
 * 4 bytes.
 *
 * LDC and its like read constant memory, TEX and TLD through a texture unit. Most traces give them
 * no address, since none of their operands is one, and then they are instructions alone; where a
 * trace does, they are reads of it (of a constant bank an offset), and the machine's cache of
 * constants or textures serves them, if it has one. LDG.CONSTANT asks the L1 that is the texture
 * cache as well, as since Maxwell, and is an ordinary read. */
#include "trace/readers/accelsim_opcode.h"

#include <string.h>

struct opcode_root {
    const char *name;
    enum opcode_space space;
    enum access_kind kind;
    enum access_path path;
};

/* Frequent ones first. */
static const struct opcode_root opcode_roots[] = {
    {"LDG", OPCODE_GLOBAL, ACCESS_READ},
    {"STG", OPCODE_GLOBAL, ACCESS_WRITE},
    {"LDS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"STS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"LDGSTS", OPCODE_GLOBAL, ACCESS_READ},
    {"LDSM", OPCODE_ON_CHIP, ACCESS_NONE},
    {"RED", OPCODE_GENERIC, ACCESS_ATOMIC},
    {"REDG", OPCODE_GLOBAL, ACCESS_ATOMIC},
    {"ATOMG", OPCODE_GLOBAL, ACCESS_ATOMIC},
    {"ATOM", OPCODE_GENERIC, ACCESS_ATOMIC},
    {"LD", OPCODE_GENERIC, ACCESS_READ},
    {"ST", OPCODE_GENERIC, ACCESS_WRITE},
    {"LDL", OPCODE_LOCAL, ACCESS_READ},
    {"STL", OPCODE_LOCAL, ACCESS_WRITE},
    {"ATOMS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"STSM", OPCODE_ON_CHIP, ACCESS_NONE},
    {"STAS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"REDAS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"SYNCS", OPCODE_ON_CHIP, ACCESS_NONE},
    {"ARRIVES", OPCODE_ON_CHIP, ACCESS_NONE},
    {"CCTL", OPCODE_ON_CHIP, ACCESS_NONE},
    {"CCTLL", OPCODE_ON_CHIP, ACCESS_NONE},
    {"QSPC", OPCODE_ON_CHIP, ACCESS_NONE},
    {"UTMALDG", OPCODE_BULK, ACCESS_READ},
    {"UTMASTG", OPCODE_BULK, ACCESS_WRITE},
    {"UTMAPF", OPCODE_BULK, ACCESS_NONE},
    {"UTMAREDG", OPCODE_BULK, ACCESS_ATOMIC},
    {"UBLKCP", OPCODE_BULK, ACCESS_NONE},
    {"UBLKPF", OPCODE_BULK, ACCESS_NONE},
    {"UBLKRED", OPCODE_BULK, ACCESS_ATOMIC},
    {"LDC", OPCODE_GLOBAL, ACCESS_READ, ACCESS_CONSTANT},
    {"ULDC", OPCODE_GLOBAL, ACCESS_READ, ACCESS_CONSTANT},
    {"LDCU", OPCODE_GLOBAL, ACCESS_READ, ACCESS_CONSTANT},
    {"TEX", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TEXS", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TLD", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TLDS", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TLD4", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TLD4S", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
    {"TXD", OPCODE_GLOBAL, ACCESS_READ, ACCESS_TEXTURE},
};

/* Reads digits; 0 when there are none or too many. */
static unsigned opcode_number(const char **at, const char *end)
{
    unsigned value = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && value < 1000; ++*at)
        value = value * 10 + (unsigned)(**at - '0');
    return value;
}

/* Bytes a lane, or 0 when the suffix is no type. */
static unsigned opcode_type_bytes(const char *at, const char *end)
{
    if (at < end && *at == 'B')
        at++;
    if (at < end && (*at == 'U' || *at == 'S' || *at == 'F'))
        at++;
    unsigned bits = opcode_number(&at, end), vector = 1;
    if (end - at >= 2 && *at == 'x') {
        at++;
        vector = opcode_number(&at, end);
    }
    if (at != end)
        return 0;
    switch (bits * vector) {
    case 8:
    case 16:
    case 32:
    case 64:
    case 96:
    case 128:
    case 256:
        return bits * vector / 8;
    default:
        return 0;
    }
}

static bool opcode_suffix_is(const char *at, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - at) && memcmp(at, word, (size_t)(end - at)) == 0;
}

/* Bulk copies go past L1. UBLKCP says where to and where from: S.G, G.S, or between shared
 * memories. */
static void opcode_bulk(const char *at, const char *end, struct opcode *opcode)
{
    char before = 0;
    while (at < end) {
        const char *from = ++at;
        while (at < end && *at != '.')
            at++;
        char now = at - from == 1 ? *from : 0;
        if (opcode->kind == ACCESS_NONE && before == 'S' && now == 'G')
            opcode->kind = ACCESS_READ;
        else if (opcode->kind == ACCESS_NONE && before == 'G' && now == 'S')
            opcode->kind = ACCESS_WRITE;
        else if (before == 'S' && now == 'S')
            opcode->space = OPCODE_ON_CHIP;
        before = now;
    }
    opcode->flags = ACCESS_BYPASS_L1 | ACCESS_BULK;
}

struct opcode opcode_read(const char *text, size_t length)
{
    const char *end = text + length, *dot = memchr(text, '.', length);
    size_t root = dot ? (size_t)(dot - text) : length;
    struct opcode opcode = {OPCODE_UNKNOWN, ACCESS_NONE, 0, 4};
    for (size_t i = 0; i < sizeof opcode_roots / sizeof *opcode_roots; i++)
        if (strncmp(opcode_roots[i].name, text, root) == 0 && !opcode_roots[i].name[root]) {
            opcode.space = opcode_roots[i].space;
            opcode.kind = opcode_roots[i].kind;
            opcode.path = (uint8_t)opcode_roots[i].path;
            break;
        }
    if (opcode.space == OPCODE_BULK)
        opcode_bulk(text + root, end, &opcode);
    if (opcode.space == OPCODE_ON_CHIP || opcode.space == OPCODE_BULK ||
        opcode.space == OPCODE_UNKNOWN)
        return opcode;
    unsigned bytes = 0;
    bool strong = false, beyond_l1 = false;
    for (const char *at = text + root; at < end;) {
        const char *from = ++at;
        while (at < end && *at != '.')
            at++;
        if (!bytes)
            bytes = opcode_type_bytes(from, at);
        strong |= opcode_suffix_is(from, at, "STRONG");
        /* Volta writes plain loads LDG.E.SYS: the scope alone says nothing. */
        beyond_l1 |=
            opcode_suffix_is(from, at, "MMIO") || opcode_suffix_is(from, at, "BYPASS") ||
            (strong && (opcode_suffix_is(from, at, "GPU") || opcode_suffix_is(from, at, "SYS")));
    }
    if (bytes)
        opcode.bytes = (uint8_t)bytes;
    if (opcode.kind == ACCESS_READ && beyond_l1)
        opcode.flags = ACCESS_BYPASS_L1;
    return opcode;
}

bool opcode_access(const char *text, size_t length, struct warp_access *access,
                   struct stream_dropped *dropped)
{
    struct opcode opcode = opcode_read(text, length);
    access->kind = opcode.kind;
    access->flags = opcode.flags;
    access->path = opcode.path;
    access->bytes = opcode.bytes;
    dropped->local += opcode.space == OPCODE_LOCAL;
    dropped->bulk += opcode.space == OPCODE_BULK;
    dropped->unknown += opcode.space == OPCODE_UNKNOWN;
    return opcode.space == OPCODE_GLOBAL || opcode.space == OPCODE_GENERIC;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/nvbit_line.h"

#include <string.h>

#include "trace/input/scan.h"

/* "8,1,1", every number at most its limit. */
static bool nvbit_read_triple(const char **at, const uint32_t limits[3], uint32_t out[3])
{
    const char *p = *at;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (i && *p++ != ',')
            return false;
        if (!scan_decimal_digits(&p, &value) || value > limits[i])
            return false;
        out[i] = (uint32_t)value;
    }
    if (!scan_is_field_end(*p))
        return false;
    *at = scan_blanks(p);
    return true;
}

/* "word 123 " at *at. */
static bool nvbit_read_number(const char **at, const char *word, uint64_t max, uint64_t *out)
{
    const char *p = *at;
    if (!scan_word(&p, word))
        return false;
    *at = p;
    if (!scan_decimal(at, max, out))
        return false;
    *at = scan_blanks(*at);
    return true;
}

/* --- launches --------------------------------------------------------------- */

/* "void f<(int)3>(float *, int)" -> "f<(int)3>". */
static void nvbit_trim_name(struct nvbit_line *out)
{
    const char *name = out->name;
    size_t length = out->name_length;
    while (length && scan_is_blank(name[length - 1]))
        length--;
    size_t at = length, depth = 0;
    while (at > 0) {
        char c = name[--at];
        if (c == ')')
            depth++;
        else if (c == '(')
            depth--; /* the first character seen is ')' */
        if (depth == 0)
            break;
    }
    if (length && name[length - 1] == ')' && at > 0 && name[at] == '(')
        length = at;
    if (length > 5 && memcmp(name, "void ", 5) == 0) {
        name += 5;
        length -= 5;
    }
    out->name = name;
    out->name_length = length;
}

/* Behind "LAUNCH - ". A name may hold " - " itself: what follows it is sought
 * from the end. */
static const char *nvbit_read_launch(const char **at, struct nvbit_line *out)
{
    static const uint32_t limits[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static const char after[] = " - grid launch id ";
    const char *name = strstr(*at, "Kernel name "), *end = NULL;
    uint64_t value;
    if (!name)
        return "\"Kernel name\"";
    *at = out->name = name + strlen("Kernel name ");
    for (const char *p = out->name; (p = strstr(p, after)); p++)
        end = p;
    if (!end)
        return "\"- grid launch id N\" behind the name";
    out->name_length = (size_t)(end - out->name);
    nvbit_trim_name(out);
    *at = end + 1;
    if (!nvbit_read_number(at, "- grid launch id", UINT64_MAX, &out->launch))
        return "a launch id";
    if (!scan_word(at, "- grid size") || !nvbit_read_triple(at, limits, out->stated.grid))
        return "a grid such as \"grid size 8,1,1\"";
    if (!scan_word(at, "- block size") || !nvbit_read_triple(at, limits, out->stated.block))
        return "a block such as \"block size 256,1,1\"";
    const char *p = *at;
    if (nvbit_read_number(&p, "- nregs", UINT32_MAX, &value))
        *at = p;
    if (nvbit_read_number(&p, "- shmem", UINT32_MAX, &value))
        out->stated.shared_bytes = (uint32_t)value;
    out->kind = NVBIT_LAUNCH;
    return NULL;
}

/* --- accesses --------------------------------------------------------------- */

/* Behind "grid_launch_id ". */
static const char *nvbit_read_access(const char **at, struct nvbit_line *out)
{
    static const uint32_t limits[3] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
    uint64_t value;
    if (!scan_decimal(at, UINT64_MAX, &out->launch))
        return "a launch id";
    *at = scan_blanks(*at);
    if (!scan_word(at, "- CTA"))
        return "\"- CTA x,y,z\"";
    out->place = *at;
    if (!nvbit_read_triple(at, limits, out->cta))
        return "a thread block such as 3,0,0";
    if (!scan_word(at, "- warp"))
        return "\"- warp w\"";
    if (!scan_decimal(at, NVBIT_SLOTS - 1, &value))
        return "a warp from 0 to 63";
    out->slot = (uint32_t)value;
    *at = scan_blanks(*at);
    if (!scan_word(at, "-") || **at < 'A' || **at > 'Z')
        return "an opcode";
    out->opcode = *at;
    *at = scan_field_end(*at);
    out->opcode_length = (size_t)(*at - out->opcode);
    *at = scan_blanks(*at);
    if (!scan_word(at, "-"))
        return "\"-\" and 32 addresses";
    out->addresses = *at;
    out->kind = NVBIT_ACCESS;
    return NULL;
}

const char *nvbit_line_read(const char **at, struct nvbit_line *out)
{
    uint64_t context;
    *out = (struct nvbit_line){.kind = NVBIT_OTHER};
    const char *p = strstr(*at, NVBIT_MAGIC);
    if (!p)
        return NULL;
    *at = p + strlen(NVBIT_MAGIC);
    p = scan_skip_0x(*at);
    if (!scan_hex_digits(&p, &context))
        return "a context such as 0x00005610a4f0";
    if (*p == ',') /* what TOOL_VERBOSE adds */
        return NULL;
    *at = scan_blanks(p);
    if (scan_word(at, "- grid_launch_id "))
        return nvbit_read_access(at, out);
    if (scan_word(at, "- LAUNCH "))
        return nvbit_read_launch(at, out);
    return "\"- grid_launch_id N\" or \"- LAUNCH\"";
}

const char *nvbit_addresses_read(const char **at, uint64_t *list, struct warp_access *out)
{
    int count = 0;
    out->mask = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t address;
        if (!scan_hex(at, UINT64_MAX, &address))
            return "32 addresses in hexadecimal";
        if (address) {
            list[count++] = address;
            out->mask |= UINT32_C(1) << lane;
        }
    }
    out->addresses = list;
    return scan_end(*at) ? NULL : "the end of the line after 32 addresses";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/npy.h"

#include <string.h>

#include "core/memory.h"

/* What stands before the numbers is a multiple of this, so that they can be mapped into memory. */
enum { ALIGNMENT = 64, LEAD = 10, PIECE = 512 };

void npy_begin(FILE *stream, enum npy_type type, const uint64_t *shape, size_t n)
{
    struct text head = {0};
    text_printf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                type == NPY_DOUBLE ? "<f8" : "|u1");
    for (size_t i = 0; i < n; i++) /* one dimension alone is a tuple by its comma */
        text_printf(&head, "%s%llu%s", i ? ", " : "", (unsigned long long)shape[i],
                    n == 1 ? "," : "");
    text_append(&head, "), }");
    while ((LEAD + head.length + 1) % ALIGNMENT)
        text_append(&head, " ");
    text_append(&head, "\n");
    unsigned char lead[LEAD] = {0x93,
                                'N',
                                'U',
                                'M',
                                'P',
                                'Y',
                                1,
                                0,
                                (unsigned char)(head.length & 0xff),
                                (unsigned char)(head.length >> 8)};
    fwrite(lead, 1, sizeof lead, stream);
    fwrite(head.data, 1, head.length, stream);
    text_free(&head);
}

void npy_write_doubles(FILE *stream, const double *values, size_t count)
{
    unsigned char bytes[PIECE * sizeof(double)];
    for (size_t from = 0; from < count; from += PIECE) {
        size_t n = count - from < PIECE ? count - from : PIECE;
        for (size_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, &values[from + i], sizeof bits);
            for (size_t b = 0; b < sizeof bits; b++)
                bytes[i * sizeof bits + b] = (unsigned char)(bits >> 8 * b);
        }
        fwrite(bytes, sizeof(double), n, stream);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of measured kernels. */
#include "validate/silicon_instructions.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"

static const char *const keys[] = {"machine", "kind", "access"};
enum { KEYS = sizeof keys / sizeof *keys };

static int read_column(const struct csv *csv, const char *name, double **out, struct error *error)
{
    size_t at;
    int status = csv_column(csv, name, &at, error);
    if (status)
        return status;
    *out = memory_zero(csv->rows + 1, sizeof **out);
    return csv_numbers(csv, at, *out, error);
}

int silicon_instructions_read(struct silicon_instructions *out, struct error *error)
{
    char *path = file_shipped("models/today/silicon/kernels/instructions.csv");
    size_t at;
    *out = (struct silicon_instructions){0};
    if (!path)
        return error_set(error, STATUS_IO, "models/today/silicon/kernels is not there");
    int status = csv_load(path, &out->csv, error);
    free(path);
    for (int k = 0; k < KEYS && !status; k++)
        status = csv_column(out->csv, keys[k], &at, error);
    if (!status)
        status = read_column(out->csv, "instructions", &out->counts, error);
    if (!status)
        status = read_column(out->csv, "scalar_waits", &out->scalar_waits, error);
    if (!status)
        status = read_column(out->csv, "special_cycles", &out->special_cycles, error);
    return status;
}

void silicon_instructions_free(struct silicon_instructions *instructions)
{
    if (instructions->csv)
        csv_destroy(instructions->csv);
    free(instructions->counts);
    free(instructions->scalar_waits);
    free(instructions->special_cycles);
}

struct silicon_warp silicon_instructions_of(const struct silicon_instructions *instructions,
                                            const char *machine, const char *kind,
                                            const char *access)
{
    const char *const wanted[KEYS] = {machine, kind, access};
    struct text scratch = {0};
    struct silicon_warp found = {0};
    for (size_t r = 0; r < instructions->csv->rows && found.instructions == 0; r++) {
        bool same = true;
        for (int k = 0; k < KEYS && same; k++) {
            struct error ignored;
            size_t at;
            same = !csv_column(instructions->csv, keys[k], &at, &ignored) &&
                   strcmp(csv_cell(instructions->csv, r, at, &scratch), wanted[k]) == 0;
        }
        if (same)
            found = (struct silicon_warp){instructions->counts[r], instructions->scalar_waits[r],
                                          instructions->special_cycles[r]};
    }
    text_free(&scratch);
    return found;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels whose times were measured (models/today/silicon/kernels): loop nests that are run twice,
 * the second time with the data where the first left them, profiled on the machine and asked of the
 * model network. Compilers make unlike code of some: code.csv says whose code a machine runs, and
 * the folder of that name has the nests that differ. */
#ifndef BANDSCAPE_VALIDATE_SILICON_KERNELS_H
#define BANDSCAPE_VALIDATE_SILICON_KERNELS_H

#include "machine/machine.h"

struct silicon_kernel {
    const char *name, *problem; /* "fir", "1024_taps8": as files write them */
    const char *of;             /* machine in code.csv; NULL: in none */
    double accesses_max;        /* of warps, that may be profiled */
};

/* Seconds of the second run, launches included. NaN where there is no kernel of that name, with
 * *known false, and where it makes more accesses than that; STATUS_INPUT for a problem that is not
 * understood. */
int silicon_kernel_time(const struct machine *machine, const struct silicon_kernel *kernel,
                        bool *known, double *out, struct error *error);

#endif

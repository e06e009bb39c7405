/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulation's result as text, to the last bit, and back: what took a minute is kept. */
#ifndef BANDSCAPE_SIMULATE_GPU_RECORD_H
#define BANDSCAPE_SIMULATE_GPU_RECORD_H

#include "core/memory.h"
#include "simulate/gpu.h"

/* Appends it: a first line that names the form, a line a thing, numbers as %a, names last. */
void simulate_gpu_result_print(const struct simulate_gpu_result *result, struct text *out);
/* The same again, whatever stands behind it; NULL: it is not such a text, or of another form. */
struct simulate_gpu_result *simulate_gpu_result_scan(const char *text);

#endif

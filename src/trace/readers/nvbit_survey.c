/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/nvbit_survey.h"

#include <stdlib.h>
#include <string.h>

#include "trace/readers/kernel_name.h"
#include "trace/spool/spooled.h"

/* A grid that no LAUNCH line states. */
static const uint64_t derived_ctas_max = (uint64_t)1 << 24;

struct survey {
    struct line_reader *lines;
    struct arena *arena;
    uint64_t ahead; /* what LAUNCH lines count more */
    struct nvbit_kernels *kernels;
    struct nvbit_kernels launches; /* stated, in the order of their ids, without slots */
    uint32_t warps, warps_max;     /* of the kernel: stated, and of the CTA with the most */
    unsigned long others;          /* lines that are something else */
};

static uint64_t nvbit_cta_key(const uint32_t cta[3])
{
    return (cta[0] | (uint64_t)cta[1] << 31 | (uint64_t)cta[2] << 47) + 1;
}

/* Launches and kernels come with growing ids. */
static int survey_order_error(const struct survey *survey, const char *line, uint64_t launch,
                              uint64_t last, struct error *error)
{
    line_reader_error(survey->lines, line, error,
                      "launch %llu after launch %llu: launches are mixed",
                      (unsigned long long)launch, (unsigned long long)last);
    return error_hint(error,
                      "a file holds one run of one program on one GPU; set CUDA_LAUNCH_BLOCKING=1 "
                      "where it uses several streams");
}

static int survey_launch(struct survey *survey, const struct nvbit_line *in, const char *line,
                         struct error *error)
{
    const struct nvbit_kernels *done[] = {&survey->launches, survey->kernels};
    for (int i = 0; i < 2; i++) {
        uint64_t last = done[i]->count ? done[i]->items[done[i]->count - 1].launch : 0;
        if (done[i]->count && (in->launch < survey->ahead || in->launch - survey->ahead <= last))
            return survey_order_error(survey, line, in->launch, last + survey->ahead, error);
    }
    struct nvbit_kernel launch = {
        .launch = in->launch - survey->ahead, .stated = true, .kernel = in->stated};
    const char *wrong = spooled_check_launch(&launch.kernel);
    if (wrong)
        return line_reader_error(survey->lines, line, error, "%s", wrong);
    launch.kernel.name = kernel_name_readable(survey->arena, in->name, in->name_length);
    VECTOR_PUSH(&survey->launches, launch);
    return 0;
}

static int survey_compare(const void *a, const void *b)
{
    const struct nvbit_kernel *x = a, *y = b;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static void survey_end_kernel(struct survey *survey)
{
    struct nvbit_kernel *kernel =
        survey->kernels->count ? &survey->kernels->items[survey->kernels->count - 1] : NULL;
    if (kernel && !kernel->stated)
        kernel->kernel.block[0] = survey->warps_max * WARP_LANES;
}

static void survey_begin_kernel(struct survey *survey, uint64_t id)
{
    struct nvbit_kernel kernel = {
        .launch = id, .kernel = {.name = "kernel", .grid = {1, 1, 1}, .block = {WARP_LANES, 1, 1}}};
    survey_end_kernel(survey);
    const struct nvbit_kernel *stated =
        survey->launches.count ? bsearch(&kernel, survey->launches.items, survey->launches.count,
                                         sizeof kernel, survey_compare)
                               : NULL;
    survey->warps = NVBIT_SLOTS;
    survey->warps_max = 0;
    if (stated) {
        kernel = *stated;
        survey->warps = kernel.kernel.warps_per_cta;
    }
    kernel.slots.item_bytes = sizeof(struct key_value);
    VECTOR_PUSH(survey->kernels, kernel);
}

/* A CTA is in the stated grid, or widens the derived one. */
static int survey_cta(struct survey *survey, struct nvbit_kernel *kernel,
                      const struct nvbit_line *in, struct error *error)
{
    uint64_t ctas = 1;
    for (int i = 0; i < 3; i++) {
        if (in->cta[i] >= kernel->kernel.grid[i] && kernel->stated)
            return line_reader_error(survey->lines, in->place, error,
                                     "CTA %u,%u,%u is outside the grid (%u,%u,%u)", in->cta[0],
                                     in->cta[1], in->cta[2], kernel->kernel.grid[0],
                                     kernel->kernel.grid[1], kernel->kernel.grid[2]);
        if (in->cta[i] >= kernel->kernel.grid[i])
            kernel->kernel.grid[i] = in->cta[i] + 1;
        if (!kernel->stated && kernel->kernel.grid[i] > derived_ctas_max / ctas) {
            line_reader_error(survey->lines, in->place, error,
                              "the grid would have more than 2^24 CTAs");
            return error_hint(error,
                              "the LAUNCH line of the kernel, which NVBit 1.5 and later prints, "
                              "may state a larger one");
        }
        ctas *= kernel->kernel.grid[i];
    }
    return 0;
}

static int survey_access(struct survey *survey, const struct nvbit_line *in, const char *line,
                         struct error *error)
{
    struct nvbit_kernels *kernels = survey->kernels;
    uint64_t last = kernels->count ? kernels->items[kernels->count - 1].launch : 0;
    if (kernels->count && in->launch < last)
        return survey_order_error(survey, line, in->launch, last, error);
    if (!kernels->count || in->launch != last)
        survey_begin_kernel(survey, in->launch);
    struct nvbit_kernel *kernel = &kernels->items[kernels->count - 1];
    int status = survey_cta(survey, kernel, in, error);
    if (status)
        return status;
    struct key_value *slots = key_table_enter(&kernel->slots, nvbit_cta_key(in->cta));
    uint64_t bit = UINT64_C(1) << in->slot;
    if (slots->value & bit)
        return 0;
    slots->value |= bit;
    uint32_t warps = (uint32_t)__builtin_popcountll(slots->value);
    if (warps > survey->warps)
        return line_reader_error(survey->lines, in->place, error,
                                 "CTA %u,%u,%u has more than the %u warps of its block", in->cta[0],
                                 in->cta[1], in->cta[2], survey->warps);
    if (warps > survey->warps_max)
        survey->warps_max = warps;
    return 0;
}

static int survey_line(struct survey *survey, const char *line, struct error *error)
{
    struct nvbit_line parsed;
    const char *at = line;
    const char *wanted = nvbit_line_read(&at, &parsed);
    if (wanted) {
        line_reader_expected(survey->lines, at, wanted, error);
        return error_hint(error, "a line of mem_trace is cut, or printed into by something else");
    }
    if (parsed.kind == NVBIT_LAUNCH)
        return survey_launch(survey, &parsed, line, error);
    if (parsed.kind == NVBIT_ACCESS)
        return survey_access(survey, &parsed, line, error);
    survey->others++;
    return 0;
}

static int survey_run(struct survey *survey, struct error *error)
{
    const char *line;
    int status;
    while ((status = line_reader_next(survey->lines, &line, error)) > 0)
        if ((status = survey_line(survey, line, error)))
            return status;
    if (status < 0)
        return status;
    survey_end_kernel(survey);
    if (survey->kernels->count)
        return 0;
    line_reader_error(survey->lines, line, error,
                      "no line is a memory access (%lu launches, %lu other lines)",
                      (unsigned long)survey->launches.count, survey->others);
    return error_hint(error,
                      "mem_trace prints MEMTRACE: CTX 0x... - grid_launch_id 0 - CTA 0,0,0 - "
                      "warp 0 - LDG.E - 0x...");
}

/* Launches whose LAUNCH line is all there is of them. */
static void survey_warn(const struct survey *survey, struct source *source)
{
    const struct nvbit_kernel *first = NULL;
    size_t count = 0;
    for (size_t i = 0, k = 0; i < survey->launches.count; i++) {
        const struct nvbit_kernel *launch = &survey->launches.items[i];
        while (k < survey->kernels->count && survey->kernels->items[k].launch < launch->launch)
            k++;
        if (k < survey->kernels->count && survey->kernels->items[k].launch == launch->launch)
            continue;
        first = count++ ? first : launch;
    }
    if (count)
        source_warn(
            source,
            "%zu launch%s: the trace has none of the thread blocks, 0 of %llu of the first, "
            "%s; they made no access, or are missing",
            count, count == 1 ? "" : "es",
            (unsigned long long)first->kernel.grid[0] * first->kernel.grid[1] *
                first->kernel.grid[2],
            first->kernel.name);
}

int nvbit_survey(struct line_reader *lines, uint64_t ahead, struct source *source,
                 struct nvbit_kernels *out, struct error *error)
{
    struct survey survey = {.lines = lines, .arena = source->arena, .ahead = ahead, .kernels = out};
    int status = survey_run(&survey, error);
    if (!status)
        survey_warn(&survey, source);
    VECTOR_FREE(&survey.launches);
    return status;
}

void nvbit_kernels_fini(struct nvbit_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++)
        key_table_fini(&kernels->items[i].slots);
    VECTOR_FREE(kernels);
}

bool nvbit_find_warp(const struct nvbit_kernel *kernel, const struct nvbit_line *line,
                     uint64_t *cta, uint32_t *warp)
{
    const struct key_value *slots = key_table_find(&kernel->slots, nvbit_cta_key(line->cta));
    uint64_t bit = UINT64_C(1) << line->slot;
    if (!slots || !(slots->value & bit))
        return false;
    *cta = line->cta[0] + (uint64_t)kernel->kernel.grid[0] *
                              (line->cta[1] + (uint64_t)kernel->kernel.grid[1] * line->cta[2]);
    *warp = (uint32_t)__builtin_popcountll(slots->value & (bit - 1));
    return true;
}

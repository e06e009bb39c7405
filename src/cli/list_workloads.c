/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped workloads: the list, and the page of one. CTAs and footprint are those of the
 * launches and allocations; nothing is run but what a workload in C must run to know its
 * launches, and that is kept in the cache. */
#include "cli/list_workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "core/parallel.h"
#include "machine/machine.h"
#include "profile/census/census.h"
#include "workload/workload.h"

struct summaries {
    const struct workload_info *info;
    struct census *censuses;
};

static int summarise_one(void *context, uint64_t item, struct error *error)
{
    const struct summaries *s = context;
    return census_summarise(s->info[item].name, s->info[item].in_c, &s->censuses[item], error);
}

static const char *megabytes(struct arena *arena, double bytes)
{
    char digits[32];
    return arena_printf(arena, "%s MB", number_round(bytes / 1e6, 3, digits, sizeof digits));
}

static const char *input_names(struct arena *arena, const struct workload_input *input)
{
    struct text text = {0};
    text_append(&text, "");
    for (; input && input->name; input++)
        text_printf(&text, "%s%s", text.length ? ", " : "", input->name);
    const char *names = arena_strdup(arena, text.data);
    text_free(&text);
    return names;
}

int list_workloads(struct listing *listing, struct error *error)
{
    struct arena *arena = listing->sheet->arena;
    struct workload_info *info;
    size_t rows;
    int status = workload_list(arena, &info, &rows, error);
    if (status)
        return status;
    struct summaries s = {info, arena_alloc(arena, rows * sizeof *s.censuses)};
    if ((status = parallel_try(parallel_cores(), rows, summarise_one, &s, NULL, error)))
        return status;
    for (size_t i = 0; i < rows; i++) {
        const struct census *census = &s.censuses[i];
        listing_add(listing,
                    (const char *[]){info[i].name, info[i].suite,
                                     arena_printf(arena, "%" PRIu64, census->launches.ctas),
                                     megabytes(arena, census->footprint_bytes), info[i].summary,
                                     input_names(arena, info[i].inputs)});
    }
    return 0;
}

/* ---- a page ------------------------------------------------------------- */

/* "sac: ctas 2048, footprint 174 MB", and the reasons below. */
static void print_published(const struct workload_published *p)
{
    struct text line = {0};
    text_printf(&line, "  %-18s ", p->name);
    for (int f = 0; p->figures[f].name; f++)
        text_printf(&line, "%s%s %s", f ? ", " : "", p->figures[f].name, p->figures[f].value);
    if (p->machine)
        text_printf(&line, " (machine %s)", p->machine);
    terminal_say("%s\n", line.data);
    text_free(&line);
    for (int f = 0; p->figures[f].name; f++)
        if (p->figures[f].why)
            terminal_say("  %-18s ours differs in %s: %s\n", "", p->figures[f].name,
                         p->figures[f].why);
}

static void print_page(const struct workload_info *info, const struct census *census)
{
    printf("%s - %s (%s)\n\n%s\n", info->name, info->summary, info->suite,
           info->page ? info->page : "");
    printf("default input: %" PRIu64 " launch%s, %" PRIu64 " CTAs%s, %.4g MB\n",
           census->launches.launches, census->launches.launches == 1 ? "" : "es",
           census->launches.ctas, census->launches.launches == 1 ? "" : " in the largest",
           census->footprint_bytes / 1e6);
    printf("\nparameters:\n");
    for (const struct workload_parameter *p = info->parameters; p && p->name; p++)
        terminal_say("  %-14s %-10s %s\n", p->name, p->fallback ? p->fallback : "",
                     p->help ? p->help : "");
    printf("\ninputs:\n");
    for (const struct workload_input *in = info->inputs; in && in->name; in++)
        terminal_say("  %-18s %s\n", in->name, in->settings);
    printf("  %-18s %s\n", "first=N", "of any input: its first N launches");
    if (info->scale)
        printf("\nsize=x1/32 ... x8 scales:\n");
    for (const struct workload_scale *s = info->scale; s && s->parameter; s++)
        printf("  %-18s %s\n", s->parameter, s->expression);
    if (info->published)
        printf("\npublished (bandscape validate workloads --workload %s):\n", info->name);
    for (const struct workload_published *p = info->published; p && p->name; p++)
        print_published(p);
}

int list_workload(const char *name, struct error *error)
{
    struct arena *arena = arena_create();
    struct workload_info *info;
    struct census census;
    size_t count, i;
    int status = workload_list(arena, &info, &count, error);
    if (!status)
        status = workload_find(info, count, name, &i, error);
    if (!status)
        status = census_summarise(name, info[i].in_c, &census, error);
    if (!status)
        print_page(&info[i], &census);
    arena_destroy(arena);
    return status;
}

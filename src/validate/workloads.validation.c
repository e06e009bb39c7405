/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What papers print of workloads beside what we measure: CTAs, footprint and sharing of
 * every shipped workload's published inputs, each on the machine of its paper.
 *
 * Ours are from a census (profile/census/census.h), which knows no caches. The error of a figure
 * is |ours - published| / published; where 0 is published, ours as a part of the
 * footprint. Inputs that take long are left to --all, unless they are in the cache. A machine that
 * the user has set otherwise stands for the paper's of its name: what sharing hangs on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "profile/census/census.h"
#include "validate/validation.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

static const char size_group[] = "CTAs of the largest launch (or of all), footprint";
static const char sharing_group[] = "sharing between chips, or partitions, of the machine";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define WORKLOAD_COLUMNS(X)                                                                        \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(INPUT, "input", "input", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                 \
    X(MACHINE, "machine", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    FIGURE(X, CTAS, "ctas", "CTAs", "", COUNT, size_group)                                         \
    FIGURE(X, CTAS_TOTAL, "ctas_total", "all CTAs", "", COUNT, size_group)                         \
    FIGURE(X, FOOTPRINT, "footprint", "footprint", "MB, ", MEGABYTES, size_group)                  \
    FIGURE(X, TRULY, "truly_shared", "truly shared", "MB, ", MEGABYTES, sharing_group)             \
    FIGURE(X, FALSELY, "falsely_shared", "falsely shared", "MB, ", MEGABYTES, sharing_group)       \
    FIGURE(X, READ_ONLY, "read_only_shared", "only read", "MB, ", MEGABYTES, sharing_group)        \
    X(WHY, "why", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)

/* Three columns a figure. */
#define FIGURE(X, symbol, key, title, unit, kind, group)                                           \
    X(symbol##_PUBLISHED, key "_published", title, unit "published", group, kind, NO_SUMMARY,      \
      NULL)                                                                                        \
    X(symbol##_OURS, key, title, unit "ours", group, kind, NO_SUMMARY, NULL)                       \
    X(symbol##_ERROR, key "_error", "error", "%", group, PERCENT, WORST_HIGH, "error of " title)

enum column { WORKLOAD_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column workloads_columns[] = {WORKLOAD_COLUMNS(VALIDATION_COLUMN){NULL}};

/* Where the columns of a figure begin. */
static const enum column figure_columns[FIGURES] = {
    [FIGURE_CTAS] = CTAS_PUBLISHED,
    [FIGURE_CTAS_TOTAL] = CTAS_TOTAL_PUBLISHED,
    [FIGURE_FOOTPRINT] = FOOTPRINT_PUBLISHED,
    [FIGURE_TRULY_SHARED] = TRULY_PUBLISHED,
    [FIGURE_FALSELY_SHARED] = FALSELY_PUBLISHED,
    [FIGURE_READ_ONLY_SHARED] = READ_ONLY_PUBLISHED,
};

/* Above that an error needs a reason. */
static const double error_needs_why = 0.25;

/* Line accesses up to which an input is counted without being asked for: some two seconds. */
static const double lines_at_once = 1e8;

/* A published input. */
struct task {
    const char *workload, *input; /* "gemm", "published-sac" */
    const struct workload_published *published;
    const char *spec; /* "gemm:input=published-sac" */
    struct census census;
    bool counted;
    bool set; /* counted on a machine that the user has set otherwise than the paper's */
};

struct tasks {
    struct task *items;
    size_t count, capacity;
    const struct machine *machine; /* the user's */
    bool all;
};

static double ours_of(const struct task *task, enum workload_figure_kind kind)
{
    const struct census *c = &task->census;
    bool known = c->launches.launches > 0 && !c->launches.cut;
    const double values[FIGURES] = {
        [FIGURE_CTAS] = known ? (double)c->launches.ctas : (double)NAN,
        [FIGURE_CTAS_TOTAL] = known ? (double)c->launches.ctas_total : (double)NAN,
        [FIGURE_FOOTPRINT] = c->footprint_bytes,
        [FIGURE_TRULY_SHARED] = c->truly_shared_bytes,
        [FIGURE_FALSELY_SHARED] = c->falsely_shared_bytes,
        [FIGURE_READ_ONLY_SHARED] = c->replicable_bytes,
    };
    return values[kind];
}

/* ---- counting ----------------------------------------------------------- */

static void add_value(void *context, const char *path, const char *value)
{
    text_printf(context, "%s=%s\n", path, value);
}

/* Whether what decides the stream and homes is the same on both. */
static bool counts_alike(const struct machine *a, const struct machine *b)
{
    struct text texts[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        machine_visit(i ? b : a, STRUCTURE_STREAM, add_value, &texts[i]);
        machine_visit(i ? b : a, STRUCTURE_HOME, add_value, &texts[i]);
    }
    bool alike = strcmp(texts[0].data, texts[1].data) == 0;
    text_free(&texts[0]);
    text_free(&texts[1]);
    return alike;
}

static int count_on(struct task *task, const struct machine *machine, bool all, struct error *error)
{
    struct source *source = NULL;
    struct census *census = &task->census;
    int status = source_open(task->spec, &source, error);
    if (!status && !census_is_cached(source, machine)) {
        status = all ? 0 : census_count_launches(source, lines_at_once, &census->launches, error);
        task->counted = all || census->launches.lines <= lines_at_once;
    } else {
        task->counted = true;
    }
    if (!status && task->counted)
        status = census_obtain(source, machine, census, error);
    source_destroy(source);
    return status;
}

static int count(struct task *task, const struct tasks *tasks, struct error *error)
{
    const char *name = task->published->machine;
    struct machine *machine = NULL;
    task->census =
        (struct census){{0}, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (task->published->slow && !tasks->all)
        return 0;
    int status = machine_load(name ? name : task->published->name, &machine, error);
    if (status)
        return status;
    task->set =
        strcmp(machine->name, tasks->machine->name) == 0 && !counts_alike(machine, tasks->machine);
    status = count_on(task, task->set ? tasks->machine : machine, tasks->all, error);
    machine_destroy(machine);
    return status;
}

static int count_one(void *context, uint64_t item, struct error *error)
{
    struct tasks *tasks = context;
    int status = count(&tasks->items[item], tasks, error);
    progress_item();
    return status;
}

static int count_all(struct tasks *tasks, int threads, struct error *error)
{
    progress_begin_items("counting", "inputs", tasks->count, "accesses");
    uint64_t failed;
    int status = parallel_try(threads, tasks->count, count_one, tasks, &failed, error);
    progress_end();
    if (status)
        error_context(error, "%s", tasks->items[failed].spec);
    if (status == STATUS_INTERRUPTED)
        error_hint(error, "finished inputs are cached: the same command goes on from there");
    return status;
}

/* ---- rows --------------------------------------------------------------- */

/* Published, ours, error; a sentence where it is large. */
static int compare(const struct task *task, const struct workload_figure *figure,
                   struct sheet_cell *cells, struct text *why, struct sheet *rows,
                   struct error *error)
{
    enum workload_figure_kind kind = (enum workload_figure_kind)workload_figure_find(figure->name);
    struct sheet_cell *own = &cells[figure_columns[kind]];
    double published, ours = ours_of(task, kind);
    int status = workload_figure_value(figure, &published, error);
    if (status)
        return status;
    own[0].number = published;
    own[2].number = published > 0 ? fabs(ours - published) / published
                    : ours > 0    ? ours / task->census.footprint_bytes
                                  : ours;
    if (!(own[2].number > error_needs_why) || task->set) /* reasons are of the paper's machine */
        return 0;
    const char *reason = figure->why ? figure->why : "no reason is known";
    text_printf(why, "%s%s: %s", why->length ? "; " : "", figure->name, reason);
    sheet_add_note(rows, "%s, published-%s, %s is off by %.0f %%: %s.", task->workload,
                   task->published->name, figure->name, 100 * own[2].number, reason);
    return 0;
}

static int add_row(const struct task *task, struct sheet *rows, struct error *error)
{
    const struct workload_published *published = task->published;
    struct sheet_cell cells[COLUMNS] = {{0}};
    struct text why = {0}, input = {0};
    int status = 0;
    text_printf(&input, "published-%s", published->name);
    for (int c = 0; c < COLUMNS; c++)
        cells[c].number = (double)NAN;
    cells[WORKLOAD].text = task->workload;
    cells[INPUT].text = input.data;
    cells[MACHINE].text = published->machine ? published->machine : published->name;
    cells[SOURCE].text = task->spec;
    for (int kind = 0; kind < FIGURES; kind++)
        cells[figure_columns[kind] + 1].number = ours_of(task, (enum workload_figure_kind)kind);
    for (int f = 0; published->figures[f].name && !status; f++)
        status = compare(task, &published->figures[f], cells, &why, rows, error);
    cells[WHY].text = why.data;
    if (!status)
        sheet_add(rows, cells);
    text_free(&why);
    text_free(&input);
    return status;
}

static void note_long(const struct tasks *tasks, struct sheet *rows)
{
    struct text text = {0};
    for (size_t i = 0; i < tasks->count; i++)
        if (!tasks->items[i].counted)
            text_printf(&text, "%s%s published-%s", text.length ? ", " : "",
                        tasks->items[i].workload, tasks->items[i].published->name);
    if (text.length)
        sheet_add_note(rows, "Counted with --all only: %s.", text.data);
    text_free(&text);
}

/* ---- which -------------------------------------------------------------- */

/* What the user named, taken apart. An error unless all are shipped workloads, or files. */
static int read_named(const struct validation_request *request, struct arena *arena,
                      const struct workload_info *info, size_t n, struct workload_spec **out,
                      struct error *error)
{
    int status = 0;
    *out = arena_alloc(arena, request->n_workloads * sizeof **out);
    for (size_t i = 0, at; i < request->n_workloads && !status; i++) {
        status = workload_spec_parse(arena, request->workloads[i], &(*out)[i], error);
        if (!status && (*out)[i].kind == WORKLOAD_UNKNOWN)
            status = workload_find(info, n, (*out)[i].name, &at, error);
    }
    return status;
}

/* True when the user named the workload alone, or with that input. */
static bool names_task(const struct workload_spec *named, const struct task *task)
{
    return strcmp(named->name, task->workload) == 0 &&
           (named->settings.count == 0 || (named->settings.count == 1 && named->input &&
                                           strcmp(named->input->value, task->input) == 0));
}

static bool asked_for(const struct workload_spec *named, size_t n, const struct task *task)
{
    for (size_t i = 0; i < n; i++)
        if (names_task(&named[i], task))
            return true;
    return n == 0;
}

/* Inputs that are named but not published. */
static void note_unpublished(const struct workload_spec *named, size_t n, const struct tasks *tasks,
                             struct sheet *rows)
{
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t t = 0; t < tasks->count && !known; t++)
            known = names_task(&named[i], &tasks->items[t]);
        if (!known)
            sheet_add_note(rows, "%s: nothing is published of it.", named[i].text);
    }
}

static int add_tasks(const struct workload_info *info, const struct workload_spec *named,
                     size_t n_named, struct arena *arena, struct tasks *tasks, struct error *error)
{
    struct workload_spec spec;
    int status = workload_spec_parse(arena, info->name, &spec, error);
    for (const struct workload_published *p = info->published; !status && p && p->name; p++) {
        const char *input = arena_printf(arena, "published-%s", p->name);
        struct task task = {.workload = info->name,
                            .input = input,
                            .published = p,
                            .spec = workload_spec_with_input(arena, &spec, input)};
        if (asked_for(named, n_named, &task))
            VECTOR_PUSH(tasks, task);
    }
    return status;
}

static int workloads_run(const struct validation_request *request, struct sheet *rows,
                         struct error *error)
{
    struct arena *arena = arena_create();
    struct tasks tasks = {.all = request->all, .machine = request->machine};
    struct workload_info *info;
    struct workload_spec *named = NULL;
    size_t n;
    int status = workload_list(arena, &info, &n, error);
    if (!status)
        status = read_named(request, arena, info, n, &named, error);
    for (size_t i = 0; i < n && !status; i++)
        status = add_tasks(&info[i], named, request->n_workloads, arena, &tasks, error);
    if (!status)
        status = count_all(&tasks, request->threads, error);
    for (size_t i = 0; i < tasks.count && !status; i++)
        status = add_row(&tasks.items[i], rows, error);
    if (!status) {
        note_long(&tasks, rows);
        note_unpublished(named, request->n_workloads, &tasks, rows);
    }
    VECTOR_FREE(&tasks);
    arena_destroy(arena);
    return status;
}

const struct validation validation_workloads = {
    .plugin = {"validation", "workloads",
               "CTAs, footprint and sharing of the published inputs, beside the papers' figures",
               "SAC, ISCA 2023; NUBA, ASPLOS 2023; MCM-GPU, ISCA 2017", NULL},
    .columns = workloads_columns,
    .reads = VALIDATION_NAMED_WORKLOADS | VALIDATION_OWN_MACHINE | VALIDATION_LONG,
    .run = workloads_run,
};

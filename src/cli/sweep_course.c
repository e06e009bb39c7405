/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_course.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/ranks.h"
#include "core/unit.h"
#include "explore/sweep/sweep_ranks.h"
#include "report/sweep_report.h"

static const char unfinished[] = "unfinished.state";
enum { SHARES_MOST = 1000000 };

/* --- which sweep it is ----------------------------------------------------------------------- */

/* The words of the command that act on the result. */
static void add_arguments(const struct invocation *inv, const struct sweep *sweep,
                          struct sweep_state *head)
{
    static const char *const repeated[] = {"workload", "input", "model", "set", "sample", "error"};
    static const char *const switches[] = {"all", "columns", "strict", "exact", "adaptive"};
    struct text text = {0};
    VECTOR_PUSH(&head->arguments, memory_strdup(argument_value(inv, 0)));
    for (size_t k = 0; k < sizeof repeated / sizeof *repeated; k++)
        for (int i = 0; i < option_count(inv, repeated[k]); i++) {
            text.length = 0;
            text_printf(&text, "--%s=%s", repeated[k], option_value(inv, repeated[k], i));
            VECTOR_PUSH(&head->arguments, memory_strdup(text.data));
        }
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (option_given(inv, switches[k])) {
            text.length = 0;
            text_printf(&text, "--%s", switches[k]);
            VECTOR_PUSH(&head->arguments, memory_strdup(text.data));
        }
    text.length = 0;
    text_printf(&text, "--top=%llu", (unsigned long long)sweep->space->top);
    VECTOR_PUSH(&head->arguments, memory_strdup(text.data));
    text_free(&text);
}

static void add_identity(const struct sweep *sweep, struct sweep_state *head)
{
    struct text text = {0};
    sweep_report_identity(sweep, &text);
    for (char *line = text.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        VECTOR_PUSH(&head->identity, memory_strdup(line));
    }
    text_free(&text);
}

/* --- options -----------------------------------------------------------------------------------
 */

static int read_share(const char *text, struct sweep_course *course, struct error *error)
{
    unsigned long long share, shares;
    char end;
    if (sscanf(text, "%llu/%llu%c", &share, &shares, &end) != 2 || share < 1 || share > shares ||
        shares > SHARES_MOST || strchr(text, '-')) {
        error_set(error, STATUS_USAGE, "--shard: expected I/N, got \"%.40s\"", text);
        return error_hint(error, "--shard 1/8 to --shard 8/8 are the eight shares of a sweep");
    }
    course->share = share - 1;
    course->shares = shares;
    return 0;
}

static char *state_path(const char *folder, const struct sweep_course *course)
{
    struct text path = {0};
    if (course->shares)
        text_printf(&path, "%s/shard-%llu-of-%llu.state", folder,
                    (unsigned long long)course->share + 1, (unsigned long long)course->shares);
    else
        text_printf(&path, "%s/%s", folder, unfinished);
    return path.data;
}

static int read_options(const struct invocation *inv, struct sweep_course *course,
                        struct error *error)
{
    const char *share = option_value(inv, "shard", 0), *every = option_value(inv, "save-every", 0);
    struct quantity save = {10, DIM_SECONDS};
    course->resume = option_given(inv, "resume");
    if (option_given(inv, "merge") && (share || course->resume || every)) {
        error_set(error, STATUS_USAGE,
                  "--merge evaluates nothing: --shard, --resume and "
                  "--save-every have no effect");
        return STATUS_USAGE;
    }
    if (share && option_given(inv, "confirm")) {
        error_set(error, STATUS_USAGE,
                  "--confirm has no effect on a share: the best are not known");
        return error_hint(error,
                          "when all are there: bandscape sweep SPACE --merge DIR --confirm K");
    }
    int status = share ? read_share(share, course, error) : 0;
    if (!status && every &&
        (quantity_scan(every, &save) || !dim_equal(save.dim, DIM_SECONDS) || !(save.value >= 0))) {
        error_set(error, STATUS_USAGE, "--save-every: expected a time, got \"%.40s\"", every);
        status = error_hint(error, "--save-every 60s");
    }
    course->save_s = save.value;
    return status;
}

/* --- states of shares ---------------------------------------------------------------------------
 */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int sweep_course_find(const char *folder, struct sweep_course_files *out, struct error *error)
{
    DIR *dir = opendir(folder);
    size_t before = out->states.count;
    if (!dir) {
        error_set(error, STATUS_INPUT, "%s cannot be opened as a folder", folder);
        return error_hint(error, "the folders of bandscape sweep SPACE --shard I/N -o DIR");
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct text path = {0};
        if (strncmp(entry->d_name, "shard-", 6) != 0 || !file_ends_in(entry->d_name, ".state"))
            continue;
        text_printf(&path, "%s/%s", folder, entry->d_name);
        VECTOR_PUSH(&out->states, path.data);
    }
    closedir(dir);
    if (out->states.count == before) {
        error_set(error, STATUS_INPUT, "%s has no share of a sweep", folder);
        return error_hint(error, "bandscape sweep SPACE --shard 1/8 -o %s makes the first of eight",
                          folder);
    }
    qsort(out->states.items + before, out->states.count - before, sizeof *out->states.items,
          compare_names);
    return 0;
}

/* The file whose share is the one at that place; an error where it lacks, stands there twice, is
 * unfinished, or of another sweep. */
static int place_share(struct sweep_course_files *files, char **placed, size_t i,
                       const struct sweep_state *head, uint64_t *shares, struct error *error)
{
    const char *path = files->states.items[i];
    struct sweep_state state;
    int status = sweep_state_read(path, &state, error);
    if (!status)
        status = sweep_state_compare(&state, path, head, "the sweep to be merged", error);
    if (!status && *shares && state.shares != *shares) {
        error_set(error, STATUS_INPUT, "%s is one of %llu shares, %s of %llu", path,
                  (unsigned long long)state.shares, files->states.items[0],
                  (unsigned long long)*shares);
        status = error_hint(error, "remove those that are not to be merged, or give each sweep's "
                                   "shares a folder of their own");
    } else if (!status && (state.shares == 0 || state.share >= state.shares))
        status = error_set(error, STATUS_INPUT, "%s is no share", path);
    if (!status && !state.done) {
        error_set(error, STATUS_INPUT, "%s is not finished", path);
        status = error_hint(error,
                            "bandscape sweep %s --shard %llu/%llu --resume, with the same "
                            "options, goes on with it",
                            head->arguments.count ? head->arguments.items[0] : "SPACE",
                            (unsigned long long)state.share + 1, (unsigned long long)state.shares);
    }
    if (!status) {
        *shares = state.shares;
        if (state.share < files->states.count && placed[state.share])
            status = error_set(error, STATUS_INPUT, "%s and %s are the same share",
                               placed[state.share], path);
        else if (state.share < files->states.count)
            placed[state.share] = files->states.items[i];
    }
    sweep_state_fini(&state);
    return status;
}

/* In the order of shares, all of them. */
static int order_shares(struct sweep_course_files *files, struct error *error)
{
    size_t count = files->states.count;
    char **placed = memory_zero(count, sizeof *placed);
    uint64_t shares = 0;
    int status = 0;
    for (size_t i = 0; i < count && !status; i++)
        status = place_share(files, placed, i, &files->head, &shares, error);
    for (uint64_t i = 0; i < shares && !status; i++)
        if (i >= count || !placed[i]) {
            error_set(error, STATUS_INPUT, "share %llu of %llu is missing",
                      (unsigned long long)i + 1, (unsigned long long)shares);
            status = error_hint(error, "%zu %s there; name all folders that have shares", count,
                                count == 1 ? "is" : "are");
        }
    if (!status)
        memcpy(files->states.items, placed, count * sizeof *placed);
    free(placed);
    return status;
}

/* What is to be kept goes where nothing is, or the like of it: nothing foreign is replaced. */
static int check_place(const struct sweep_course *course, struct error *error)
{
    const char *path = course->state_path;
    if (course->resume && ranks_first() && !file_exists(path)) {
        error_set(error, STATUS_INPUT, "there is nothing to go on with: no %s", path);
        return error_hint(error, "without --resume the sweep begins");
    }
    if (!file_exists(path))
        return 0;
    if (!sweep_state_is(path)) {
        error_set(error, STATUS_INPUT,
                  "%s is no file of bandscape: a sweep keeps there what it found so far", path);
        return error_hint(error, "give another folder (-o DIR), or move the file");
    }
    if (!course->resume && !course->shares)
        message("%s is of a sweep that was ended; this one begins anew (--resume goes on)", path);
    return 0;
}

int sweep_course_open(const struct invocation *inv, const char *folder, struct sweep *sweep,
                      struct sweep_course_files *out, struct error *error)
{
    struct sweep_course *course = &sweep->course;
    *out = (struct sweep_course_files){0};
    int status = read_options(inv, course, error);
    if (status)
        return status;
    add_arguments(inv, sweep, &out->head);
    add_identity(sweep, &out->head);
    out->head.share = course->share;
    out->head.shares = course->shares ? course->shares : 1;
    for (int i = 0; i < option_count(inv, "merge") && !status; i++)
        status = sweep_course_find(option_value(inv, "merge", i), out, error);
    if (!status && out->states.count) {
        status = order_shares(out, error);
        course->states = (const char *const *)out->states.items;
        course->n_states = out->states.count;
        return status;
    }
    out->path = state_path(folder, course);
    course->folder = folder;
    course->state_path = out->path;
    course->head = &out->head;
    if (!status)
        status = check_place(course, error);
    return status;
}

void sweep_course_close(struct sweep_course_files *files)
{
    sweep_state_fini(&files->head);
    for (size_t i = 0; i < files->states.count; i++)
        free(files->states.items[i]);
    VECTOR_FREE(&files->states);
    free(files->path);
}

bool sweep_course_is_share(const struct sweep *sweep)
{
    return sweep->course.shares > 0;
}

void sweep_course_tell(const struct sweep *sweep)
{
    const struct sweep_course *course = &sweep->course;
    printf("%s: share %llu of %llu, %llu points kept: %s\n", sweep->space->name,
           (unsigned long long)course->share + 1, (unsigned long long)course->shares,
           (unsigned long long)sweep->kept, course->state_path);
    printf("when all %llu are there: bandscape merge %s\n", (unsigned long long)course->shares,
           course->folder);
}

void sweep_course_hint(const struct sweep *sweep, struct error *error)
{
    const char *path = sweep->course.state_path;
    if (path && file_exists(path))
        error_hint(error, "the same command with --resume goes on from %s", path);
    else
        error_hint(error, "no file was written; what was profiled is in the cache");
}

void sweep_course_end(const struct sweep *sweep)
{
    if (sweep->course.state_path && !sweep_course_is_share(sweep))
        remove(sweep->course.state_path);
    if (sweep->course.folder && !sweep_course_is_share(sweep))
        sweep_ranks_forget(sweep->course.folder);
}

char *sweep_course_command(const struct invocation *inv, const struct sweep *sweep,
                           const char *folder)
{
    struct text text = {0};
    text_printf(&text, "bandscape sweep %s -o %s -j %d", argument_value(inv, 0), folder,
                sweep->threads);
    static const char *const repeated[] = {"workload", "input", "model",   "set",
                                           "sample",   "error", "confirm", "requests"};
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < option_count(inv, repeated[k]); i++)
            text_printf(&text, " --%s %s", repeated[k], option_value(inv, repeated[k], i));
    static const char *const switches[] = {"all", "columns", "no-plots", "force",
                                           "yes", "strict",  "exact",    "adaptive"};
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (option_given(inv, switches[k]))
            text_printf(&text, " --%s", switches[k]);
    text_printf(&text, " --top %llu", (unsigned long long)sweep->space->top);
    return text.data;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/sweep_ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "explore/sweep/sweep_reasons.h"
#include "explore/sweep/sweep_run.h"

/* Cells a rank: half of its part of what is left goes at a time (ranks_piece), the last ones one
 * by one. */
enum { CELLS_A_RANK = 64 };

struct course {
    struct sweep_run *run;
    const struct sweep_part *parts;
    uint64_t pieces;
    struct ranks_pool *pool; /* told of points */
};

/* --- cells ---------------------------------------------------------------------------------- */

/* None smaller than a block, of the smallest kind. */
static uint64_t choose_pieces(const struct space *space)
{
    uint64_t structures = sweep_structures(space), most;
    uint64_t wanted = CELLS_A_RANK * (uint64_t)ranks_count();
    uint64_t pieces = (wanted + structures - 1) / structures;
    most = space_count(space) / structures / SCAN_WIDTH_SOLVED;
    pieces = pieces < most ? pieces : most;
    return pieces ? pieces : 1;
}

/* In ascending order, where they touch together. */
static void add_range(struct sweep_ranges *ranges, uint64_t from, uint64_t to)
{
    struct sweep_range *last = ranges->count ? &ranges->items[ranges->count - 1] : NULL;
    if (last && last->to == from)
        last->to = to;
    else
        VECTOR_PUSH(ranges, (struct sweep_range){from, to});
}

static uint64_t count_cells(const struct sweep_ranges *ranges)
{
    uint64_t count = 0;
    for (size_t i = 0; i < ranges->count; i++)
        count += ranges->items[i].to - ranges->items[i].from;
    return count;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct sweep_range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Notes the cells, unless some are noted already: false. */
static bool note_cells(unsigned char *noted, uint64_t all, const struct sweep_ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        for (uint64_t cell = ranges->items[i].from; cell < ranges->items[i].to; cell++)
            if (cell >= all || noted[cell])
                return false;
    for (size_t i = 0; i < ranges->count; i++)
        memset(noted + ranges->items[i].from, 1, ranges->items[i].to - ranges->items[i].from);
    return true;
}

/* Those of 0 .. all-1 that are in none. */
static struct sweep_ranges rest_of(struct sweep_ranges *has, uint64_t all)
{
    struct sweep_ranges rest = {0};
    uint64_t at = 0;
    if (has->count)
        qsort(has->items, has->count, sizeof *has->items, compare_ranges);
    for (size_t i = 0; i < has->count; i++) {
        if (has->items[i].from > at)
            VECTOR_PUSH(&rest, (struct sweep_range){at, has->items[i].from});
        at = has->items[i].to;
    }
    if (at < all)
        VECTOR_PUSH(&rest, (struct sweep_range){at, all});
    return rest;
}

/* --- points ----------------------------------------------------------------------------------- */

/* Cells of a structure that were gone through. */
static int mark(struct course *c, uint64_t from, uint64_t to, struct error *error)
{
    struct sweep_run *run = c->run;
    if (run->sweep->best_of)
        return 0;
    add_range(&run->state.has, from, to);
    if (clock_seconds() - run->saved_s < run->sweep->course.save_s)
        return 0;
    return sweep_run_save(run, error);
}

/* As many cells at a time as are worth starting threads, and short against the time between two
 * savings. */
static int scan_cells(struct course *c, struct scan *scan, uint64_t points,
                      const struct sweep_cells *cells, struct error *error)
{
    uint64_t blocks = scan_blocks(scan), group = 1, structure = c->run->structure, first, end;
    int status = 0;
    for (uint64_t at = cells->from; at < cells->to && !status;) {
        double start = clock_seconds();
        uint64_t to = cells->to - at < group ? cells->to : at + group;
        struct sweep_cells some = {cells->pieces, at, to};
        sweep_cells_blocks(&some, structure, blocks, &first, &end);
        if (first < end)
            status = scan_run(scan, first, end, error);
        if (!status)
            status = mark(c, at, to, error);
        ranks_pool_tell(c->pool,
                        (uint64_t)((double)points * (double)(end - first) / (double)blocks));
        double took = clock_seconds() - start;
        group = took < 0.25 ? 2 * group : took > 1 && group > 1 ? group / 2 : group;
        at = to;
    }
    return status;
}

static int scan_structure(struct course *c, struct structure *structure,
                          const struct sweep_cells *cells, struct error *error)
{
    struct sweep *sweep = c->run->sweep;
    uint64_t points = structure->part->count / structure->part->structures;
    struct scan *scan;
    int status = scan_open(sweep, structure, c->run->workers, sweep->threads, NULL, &scan, error);
    if (status)
        return status;
    if (cells->from == c->run->structure * cells->pieces && !sweep->best_of)
        sweep_run_remark(sweep, structure, points, NULL);
    status = scan_cells(c, scan, points, cells, error);
    scan_close(scan);
    return status;
}

/* Cells of one structure. */
static int run_cells(struct course *c, const struct sweep_cells *cells, struct error *error)
{
    struct sweep *sweep = c->run->sweep;
    uint64_t index = c->run->structure = cells->from / cells->pieces;
    const struct sweep_part *part = sweep_part_of(c->parts, &index);
    struct structure *structure;
    int status = interrupt_check(error);
    sweep_reasons_at(sweep, c->run->structure);
    if (!status && !ranks_first()) /* which has all views: it writes rows */
        status = sweep_prepare_structure(sweep, part, (size_t)index, error);
    if (!status)
        status = structure_build(sweep, part, (size_t)index, &structure, error);
    if (status == STATUS_INFEASIBLE) {
        uint64_t points = part->count / part->structures;
        bool first = cells->from == c->run->structure * cells->pieces;
        if (first && !sweep->best_of)
            sweep_add_reason(sweep, error->text, points);
        if (first)
            progress_add(points);
        ranks_pool_tell(c->pool, first ? points : 0);
        return mark(c, cells->from, cells->to, error);
    }
    if (!status) {
        status = scan_structure(c, structure, cells, error);
        structure_destroy(structure);
    }
    return status;
}

static int run_range(struct course *c, uint64_t from, uint64_t to, struct error *error)
{
    int status = 0;
    while (from < to && !status) {
        uint64_t end = (from / c->pieces + 1) * c->pieces;
        struct sweep_cells cells = {c->pieces, from, end < to ? end : to};
        status = run_cells(c, &cells, error);
        from = cells.to;
    }
    return status;
}

/* Places in a list of ranges, as the ranges that they are. */
static int run_places(struct course *c, const struct sweep_ranges *left, uint64_t from, uint64_t to,
                      struct error *error)
{
    int status = 0;
    uint64_t at = 0;
    for (size_t i = 0; i < left->count && at < to && !status; i++) {
        const struct sweep_range *range = &left->items[i];
        uint64_t length = range->to - range->from, end = at + length;
        if (end > from)
            status = run_range(c, range->from + (from > at ? from - at : 0),
                               range->from + ((to < end ? to : end) - at), error);
        at = end;
    }
    return status;
}

/* Cells of the list, by all ranks. */
static int run_left(struct sweep_run *run, uint64_t pieces, const struct sweep_ranges *left,
                    struct error *error)
{
    struct course c = {.run = run, .pieces = pieces};
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    uint64_t from, to;
    int status = 0;
    sweep_parts(run->sweep->space, arena, &parts);
    c.parts = parts;
    c.pool = ranks_pool_open(count_cells(left), 0, progress_add);
    while (!status && ranks_pool_next(c.pool, &from, &to))
        status = run_places(&c, left, from, to, error);
    ranks_pool_close(c.pool);
    arena_destroy(arena);
    return ranks_agree(status, error);
}

/* --- together ------------------------------------------------------------------------------- */

static void print_found(void *context, struct text *out)
{
    struct sweep_run *run = context;
    sweep_run_gather(run);
    sweep_state_print(&(struct sweep_state){0}, run->sweep, &run->workers[0], out);
}

static int take_found(void *context, struct text *text, struct error *error)
{
    struct sweep_run *run = context;
    sweep_run_gather(run);
    return sweep_state_take_text("what a rank found", text, run->sweep, &run->workers[0], error);
}

static int gather(struct sweep_run *run, struct error *error)
{
    struct ranks_gathering gathering = {print_found, take_found, run};
    return ranks_agree(ranks_gather(&gathering, error), error);
}

int sweep_ranks_find_best(struct sweep_run *run, struct error *error)
{
    uint64_t pieces = choose_pieces(run->sweep->space);
    struct sweep_range all = {0, sweep_structures(run->sweep->space) * pieces};
    int status = run_left(run, pieces, &(struct sweep_ranges){&all, 1, 1}, error);
    return status ? status : gather(run, error);
}

void sweep_ranks_spread_bests(struct sweep *sweep)
{
    struct text text = {0};
    for (size_t i = 0; i < sweep->space->n_wheres; i++)
        text_append_bytes(&text, (const char *)&sweep->bests[i], sizeof *sweep->bests);
    if (text.length)
        ranks_spread(&text);
    for (size_t i = 0; i < sweep->space->n_wheres; i++)
        memcpy(&sweep->bests[i], text.data + i * sizeof *sweep->bests, sizeof *sweep->bests);
    text_free(&text);
}

/* Which cells are left, in pieces of which size: rank 0 knows from earlier runs. */
static uint64_t spread_left(struct sweep_run *run, struct sweep_ranges *left)
{
    const struct space *space = run->sweep->space;
    uint64_t pieces = run->state.pieces ? run->state.pieces : choose_pieces(space);
    struct text text = {0};
    *left = rest_of(&run->state.has, sweep_structures(space) * pieces);
    text_append_bytes(&text, (const char *)&pieces, sizeof pieces);
    for (size_t i = 0; i < left->count; i++)
        text_append_bytes(&text, (const char *)&left->items[i], sizeof left->items[i]);
    ranks_spread(&text);
    memcpy(&pieces, text.data, sizeof pieces);
    left->count = 0;
    for (size_t at = sizeof pieces; at < text.length; at += sizeof *left->items) {
        struct sweep_range range;
        memcpy(&range, text.data + at, sizeof range);
        VECTOR_PUSH(left, range);
    }
    text_free(&text);
    return pieces;
}

static char *path_of(const char *folder, int rank)
{
    struct text path = {0};
    text_printf(&path, "%s/unfinished-%d.state", folder, rank);
    return path.data;
}

int sweep_ranks_run(struct sweep_run *run, struct error *error)
{
    const struct sweep *sweep = run->sweep;
    const struct sweep_course *course = &sweep->course;
    struct sweep_ranges left;
    char *path = NULL;
    int status = 0;
    if (ranks_first() && course->resume && !run->state.pieces) {
        error_set(error, STATUS_INPUT, "%s was left by a sweep without ranks", course->state_path);
        status = error_hint(error, "go on without mpirun, or begin anew without --resume");
    }
    if ((status = ranks_agree(status, error)))
        return status;
    if (ranks_first() && course->folder && !course->resume)
        sweep_ranks_forget(course->folder);
    if (!ranks_first() && course->folder)
        run->path = path = path_of(course->folder, ranks_number());
    run->state.pieces = spread_left(run, &left);
    if (ranks_first()) /* others may keep something before it does */
        status = sweep_run_save(run, error);
    if ((status = ranks_agree(status, error))) {
        VECTOR_FREE(&left);
        free(path);
        return status;
    }
    double share =
        (double)count_cells(&left) / (double)(sweep_structures(sweep->space) * run->state.pieces);
    progress_begin("sweeping", "points", (uint64_t)((double)sweep->points * share));
    status = run_left(run, run->state.pieces, &left, error);
    progress_end();
    if (!status)
        status = gather(run, error);
    VECTOR_FREE(&left);
    free(path);
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool is_of_rank(const char *name)
{
    return strncmp(name, "unfinished-", 11) == 0 && file_ends_in(name, ".state");
}

void sweep_ranks_forget(const char *folder)
{
    char **names;
    size_t count = file_list(folder, &names);
    for (size_t i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%s", folder, names[i]);
        if (is_of_rank(names[i]))
            remove(path.data);
        text_free(&path);
        free(names[i]);
    }
    free(names);
}

struct kept {
    char *path;
    struct sweep_state state;
    uint64_t cells;
};

static int compare_kept(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    return x->cells != y->cells ? (x->cells < y->cells ? 1 : -1) : strcmp(x->path, y->path);
}

/* Heads of the files of one sweep. What does not fit is another sweep's, or of cells of another
 * size, and is made again. */
static size_t read_heads(const struct sweep_run *run, struct kept **out)
{
    const struct sweep_course *course = &run->sweep->course;
    char **names;
    size_t count = file_list(course->folder, &names), kept = 0;
    struct error ignored;
    *out = memory_zero(count + 1, sizeof **out);
    for (size_t i = 0; i < count; i++) {
        struct kept *one = &(*out)[kept];
        struct text path = {0};
        text_printf(&path, "%s/%s", course->folder, names[i]);
        one->path = path.data;
        if ((is_of_rank(names[i]) || strcmp(path.data, course->state_path) == 0) &&
            sweep_state_read(path.data, &one->state, &ignored) == 0 &&
            sweep_state_compare(&one->state, path.data, course->head, "", &ignored) == 0 &&
            one->state.pieces == run->state.pieces) {
            one->cells = count_cells(&one->state.has);
            kept++;
        } else {
            sweep_state_fini(&one->state);
            text_free(&path);
        }
        free(names[i]);
    }
    free(names);
    qsort(*out, kept, sizeof **out, compare_kept);
    return kept;
}

int sweep_ranks_resume(struct sweep_run *run, struct error *error)
{
    struct kept *files;
    size_t count = read_heads(run, &files);
    uint64_t all = sweep_structures(run->sweep->space) * run->state.pieces;
    unsigned char *noted = memory_zero(all, 1);
    int status = 0;
    run->state.has.count = 0;
    for (size_t i = 0; i < count; i++) {
        struct kept *one = &files[i];
        if (!status && note_cells(noted, all, &one->state.has)) {
            status = sweep_state_take(one->path, run->sweep, &run->workers[0], error);
            for (size_t k = 0; k < one->state.has.count; k++)
                VECTOR_PUSH(&run->state.has, one->state.has.items[k]);
        }
        sweep_state_fini(&one->state);
        free(one->path);
    }
    free(files);
    free(noted);
    if (!status)
        status = sweep_run_save(run, error);
    if (!status)
        sweep_ranks_forget(run->sweep->course.folder);
    return status;
}

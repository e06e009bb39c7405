/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and files of a sweep. */
#include "report/sweep_report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/version.h"
#include "report/sheet_print.h"
#include "report/sweep_designs.h"
#include "report/sweep_internal.h"
#include "yaml/yaml.h"

enum { SAMPLE_POINTS = 2000, SAMPLE_LEFT_OUT = 200, PIECE_ROWS = 4096, AXIS_VALUES_SHOWN = 64 };

/* The plot whose points s-curve.csv has: the first. NULL: none. */
static const struct space_plot *s_curve_of(const struct space *space)
{
    for (size_t i = 0; i < space->n_plots; i++)
        if (space->plots[i].kind == SPACE_PLOT_S_CURVE)
            return &space->plots[i];
    return NULL;
}

int sweep_report_claim(const struct space *space, const char *folder,
                       const struct sweep_wishes *wishes, struct error *error)
{
    struct sweep_names names = {0};
    static const char *const always[] = {
        "ranking.csv",   "pareto.csv", "sample.csv",       "marginals.csv",       "limits.csv",
        "manifest.yaml", "run.yaml",   "asked-space.yaml", "asked-machines.yaml", NULL};
    for (size_t i = 0; always[i]; i++)
        VECTOR_PUSH(&names, memory_strdup(always[i]));
    if (wishes->all)
        VECTOR_PUSH(&names, memory_strdup("points.csv"));
    if (wishes->columns)
        VECTOR_PUSH(&names, memory_strdup("columns.yaml"));
    if (wishes->confirm)
        VECTOR_PUSH(&names, memory_strdup("confirm.csv"));
    if (s_curve_of(space))
        VECTOR_PUSH(&names, memory_strdup("s-curve.csv"));
    for (size_t t = 0; t < wishes->n_terminals; t++)
        sweep_picture_names(space, wishes->terminals[t], &names);
    struct sweep_claim claim = {space->name, wishes->force, wishes->found};
    int status = sweep_folder_claim(folder, &claim, names.items, names.count, error);
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    VECTOR_FREE(&names);
    return status;
}

/* --- CSV ----------------------------------------------------------------------- */

static void write_header(struct csv_writer *csv, const struct sweep *sweep)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        csv_write_text(csv, sweep->columns[c].name);
    csv_write_text(csv, "warnings"); /* the last one: readers by place keep theirs */
    csv_end_row(csv);
}

static void write_row(struct csv_writer *csv, const struct sweep *sweep,
                      const struct sweep_row *row)
{
    struct text warnings = {0};
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (sweep->columns[c].text)
            csv_write_text(csv, row->labels[c]);
        else
            csv_write_known(csv, row->values[c]);
    filling_append_names(row->filling, &warnings);
    csv_write_text(csv, warnings.data ? warnings.data : "");
    text_free(&warnings);
    csv_end_row(csv);
}

/* Rows by pieces, so that memory does not grow with their number. */
static int write_rows(struct csv_writer *csv, const struct sweep *sweep, const uint64_t *ids,
                      uint64_t count, bool brief, struct error *error)
{
    uint64_t piece_ids[PIECE_ROWS];
    int status = 0;
    for (uint64_t from = 0; from < count && !status; from += PIECE_ROWS) {
        size_t n = (size_t)(count - from < PIECE_ROWS ? count - from : PIECE_ROWS);
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        for (size_t i = 0; i < n; i++)
            piece_ids[i] = ids ? ids[from + i] : from + i;
        status = (brief ? sweep_rows_brief : sweep_rows)(sweep, piece_ids, n, arena, &rows, error);
        for (size_t i = 0; i < n && !status; i++)
            if (rows[i].kept)
                write_row(csv, sweep, &rows[i]);
        arena_destroy(arena);
    }
    return status;
}

static int write_csv(const struct sweep *sweep, struct sweep_folder *folder, const char *name,
                     const uint64_t *ids, uint64_t count, bool brief, struct error *error)
{
    struct csv_writer csv = {0};
    int status = sweep_folder_open(folder, name, &csv.stream, error);
    if (status)
        return status;
    write_header(&csv, sweep);
    return sweep_folder_close(folder, write_rows(&csv, sweep, ids, count, brief, error), error);
}

void sweep_sample_ids(const struct sweep *sweep, struct sweep_ids *out)
{
    /* One point of each part, at a hashed place: a constant step would fall in line with the axes.
     * A sweep that left points out, since they take long, does not solve thousands for this. */
    uint64_t most = sweep->skipped ? SAMPLE_LEFT_OUT : SAMPLE_POINTS;
    for (size_t i = 0; i < sweep->found.sample.count; i++)
        VECTOR_PUSH(out, sweep->found.sample.items[i]);
    if (sweep->found.evaluations)
        return;
    uint64_t parts = sweep->points < most ? sweep->points : most;
    for (uint64_t i = 0; i < parts; i++) {
        uint64_t size = sweep->points / parts, extra = sweep->points % parts;
        uint64_t from = i * size + (i < extra ? i : extra);
        VECTOR_PUSH(out, from + hash_fmix64(i + 1) % (size + (i < extra)));
    }
}

/* --- manifest -------------------------------------------------------------------- */

static void add_parameter(void *context, const char *path, const char *value)
{
    hash_content_string(context, path);
    hash_content_string(context, value);
}

static void machine_hash(const struct machine *machine, char out[HASH_TEXT])
{
    struct hash_content *hash = hash_content_begin();
    for (int s = STRUCTURE_NONE; s <= STRUCTURE_MODEL; s++)
        machine_visit(machine, (enum parameter_structure)s, add_parameter, hash);
    hash_content_add(hash, machine->edges, machine->n_edges * sizeof *machine->edges);
    hash_content_end(hash, out);
}

static void manifest_workloads(const struct sweep *sweep, struct text *out)
{
    text_append(out, "workloads:\n");
    size_t n = sweep->space->n_workloads, axis = sweep_axis_find(sweep, "workload.size");
    const struct space_axis *sizes = axis < SIZE_MAX ? &sweep->space->axes[axis] : NULL;
    for (size_t i = 0; i < sweep->n_sizes * n; i++) {
        const struct subject *subject = sweep_subject(sweep, i / n, i % n);
        char hash[HASH_TEXT];
        text_append(out, "  - {name: ");
        yaml_append_scalar(out, sweep->workload_names[i % n]);
        if (sizes) {
            text_append(out, ", size: ");
            yaml_append_scalar(out, sizes->values[i / n].label);
        }
        text_append(out, ", spec: ");
        yaml_append_scalar(out, subject->stored ? subject->spec : subject->source->spec);
        if (subject->stored) { /* its numbers count, whatever they were made from */
            struct text profile = {0};
            struct hash_content *content = hash_content_begin();
            profile_print(subject->stored, &profile);
            hash_content_add(content, profile.data, profile.length);
            hash_content_end(content, hash);
            text_free(&profile);
        } else {
            snprintf(hash, sizeof hash, "%s", subject->source->hash);
        }
        text_printf(out, ", hash: %s", hash);
        if (subject->made.count && subject->made.items[0]->views[0].sample_rate < 1) {
            char rate[32];
            number_format(subject->made.items[0]->views[0].sample_rate, rate, sizeof rate);
            text_printf(out, ", sample_rate: %s", rate);
        }
        text_append(out, "}\n");
    }
}

static void manifest_columns(const struct sweep *sweep, struct text *out)
{
    text_append(out, "columns:\n");
    for (size_t c = 0; c < sweep->n_columns; c++) {
        char unit[64];
        text_append(out, "  ");
        yaml_append_scalar(out, sweep->columns[c].name);
        text_printf(out, ": %s\n",
                    sweep->columns[c].text ? "name"
                                           : dim_unit(sweep->columns[c].dim, unit, sizeof unit));
    }
    text_append(out, "  warnings: name\n");
}

static const char *sense_name(enum pareto_sense sense)
{
    return sense == PARETO_MAXIMISE ? "maximise" : "minimise";
}

static void manifest_remarks(const struct text *remarks, struct text *out)
{
    if (remarks->length)
        text_append(out, "remarks:\n");
    for (const char *line = remarks->data, *end; line && (end = strchr(line, '\n'));
         line = end + 1) {
        char remark[300];
        snprintf(remark, sizeof remark, "%.*s", (int)(end - line < 299 ? end - line : 299), line);
        text_append(out, "  - ");
        yaml_append_scalar(out, remark);
        text_append(out, "\n");
    }
}

static void manifest_rank(const struct space *space, struct text *out)
{
    text_append(out, "rank: {by: ");
    yaml_append_scalar(out, space->rank_by);
    const struct model *ranking = space_ranking_model(space);
    if (!ranking && space->n_models > 1) /* whose metrics the objectives are */
        ranking = space->models[space->rank_model];
    if (ranking)
        text_printf(out, ", model: %s", ranking->plugin.name);
    text_printf(out, ", order: %s, aggregate: %s, top: %llu}\nobjectives:\n",
                sense_name(space->rank_sense), space_mean_names[space->mean],
                (unsigned long long)space->top);
    for (size_t i = 0; i < space->n_objectives; i++) {
        text_printf(out, "  - {%s: ", sense_name(space->objectives[i].sense));
        yaml_append_scalar(out, space->objectives[i].name);
        if (space->objectives[i].tolerance > 0)
            text_printf(out, ", tolerance: %g", space->objectives[i].tolerance);
        text_append(out, "}\n");
    }
}

/* "  name: text", one a line. */
static void manifest_formulas(const char *key, const struct space_formula *formulas, size_t count,
                              struct text *out)
{
    if (count)
        text_printf(out, "%s:\n", key);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "  ");
        if (formulas[i].name) {
            yaml_append_scalar(out, formulas[i].name);
            text_append(out, ": ");
        } else {
            text_append(out, "- ");
        }
        yaml_append_scalar(out, formulas[i].text);
        text_append(out, "\n");
    }
}

/* What is asked. Of an axis of more values than a reader looks at, how many and the ends. */
static void manifest_question(const struct sweep *sweep, struct text *out)
{
    const struct space *space = sweep->space;
    struct arena *arena = arena_create();
    text_append(out, "axes:\n");
    for (size_t a = 0; a < space->n_axes; a++) {
        size_t n = space->axes[a].n_values;
        text_append(out, "  - {name: ");
        yaml_append_scalar(out, space->axes[a].name);
        text_printf(out, ", count: %zu, values: [", n);
        for (size_t v = 0; v<n; v = n> AXIS_VALUES_SHOWN && v == 0 ? n - 1 : v + 1) {
            text_append(out, v ? ", " : "");
            yaml_append_scalar(out, sweep_value_exact(sweep, a, v, arena));
        }
        text_append(out, "]}\n");
    }
    manifest_formulas("let", space->lets, space->n_lets, out);
    manifest_formulas("set", space->sets, space->n_sets, out);
    manifest_formulas("where", space->wheres, space->n_wheres, out);
    arena_destroy(arena);
}

/* Which sweep it is. */
static void manifest_head(const struct sweep *sweep, struct text *out)
{
    const struct space *space = sweep->space;
    char hash[HASH_TEXT];
    struct hash_content *content = hash_content_begin();
    hash_content_add(content, space->document->text, space->document->size);
    hash_content_end(content, hash);
    text_append(out, "space: ");
    yaml_append_scalar(out, space->name);
    if (space->summary[0]) {
        text_append(out, "\nsummary: ");
        yaml_append_scalar(out, space->summary);
    }
    text_printf(out, "\nspace_hash: %s\nversion: %s\n", hash, BANDSCAPE_VERSION);
    machine_hash(space->machine, hash);
    text_append(out, "machine: ");
    yaml_append_scalar(out, space->machine->name);
    text_printf(out, "\nmachine_hash: %s\n", hash);
    manifest_workloads(sweep, out);
    text_append(out, "models: [");
    for (size_t m = 0; m < space->n_models; m++)
        text_printf(out, "%s%s", m ? ", " : "", space->models[m]->plugin.name);
    text_printf(out, "]\ndesign: %s\n", space->design == DESIGN_CROSS ? "cross" : "one-at-a-time");
    manifest_question(sweep, out);
}

static void manifest_baseline(const struct sweep *sweep, struct text *out)
{
    const struct space *space = sweep->space;
    char hash[HASH_TEXT];
    if (space->speedup_vs) {
        text_append(out, "speedup_vs: ");
        yaml_append_scalar(out, space->speedup_vs);
        if (sweep->baseline->machine) {
            machine_hash(sweep->baseline->machine, hash);
            text_printf(out, "\nspeedup_vs_hash: %s", hash);
        }
        text_append(out, "\n");
    }
}

void sweep_report_identity(const struct sweep *sweep, struct text *out)
{
    manifest_head(sweep, out);
    manifest_rank(sweep->space, out);
    manifest_baseline(sweep, out);
    for (size_t i = 0; i < sweep->n_settings; i++)
        text_printf(out, "setting: %s\n", sweep->settings[i]);
    text_printf(out, "effort: sample %.17g, error %.17g, exact %d\n", sweep->effort.sample_rate,
                sweep->effort.error, sweep->effort.exact);
    if (sweep->adaptive)
        text_append(out, "adaptive: true\n");
    text_printf(out, "points: %llu\n", (unsigned long long)space_count(sweep->space));
}

/* `found`: what is said of ranking and front. */
static void manifest_print(const struct sweep *sweep, const struct sweep_folder *folder,
                           const struct text *remarks, const struct text *found, struct text *out)
{
    const struct space *space = sweep->space;
    text_append(out, SWEEP_MANIFEST_HEAD "# Values in the CSV files are in these units.\n");
    text_printf(out, "schema: %d\n", BANDSCAPE_SCHEMA);
    manifest_head(sweep, out);
    text_printf(out, "points: %llu\n", (unsigned long long)sweep->points);
    if (sweep->adaptive)
        text_printf(out, "adaptive: {evaluated: %llu, skipped: %llu, workloads_solved: %llu}\n",
                    (unsigned long long)sweep->evaluated, (unsigned long long)sweep->skipped,
                    (unsigned long long)sweep->answered);
    if (sweep->found.evaluations)
        text_printf(out, "found: {evaluated: %llu, of: %llu}\n",
                    (unsigned long long)sweep->found.evaluations,
                    (unsigned long long)space_count(space));
    text_printf(out, "kept: %llu\nexcluded:%s\n", (unsigned long long)sweep->kept,
                sweep->reasons.count ? "" : " []");
    for (size_t i = 0; i < sweep->reasons.count; i++) {
        text_append(out, "  - {reason: ");
        yaml_append_scalar(out, sweep->reasons.items[i].text);
        text_printf(out, ", points: %llu}\n", (unsigned long long)sweep->reasons.items[i].count);
    }
    text_printf(out, "warnings:%s\n", sweep->warnings.count ? "" : " []");
    for (size_t i = 0; i < sweep->warnings.count; i++) {
        text_append(out, "  - {warning: ");
        yaml_append_scalar(out, sweep->warnings.items[i].text);
        text_printf(out, ", points: %llu}\n", (unsigned long long)sweep->warnings.items[i].count);
    }
    manifest_rank(space, out);
    manifest_baseline(sweep, out);
    manifest_remarks(remarks, out);
    text_append(out, found->data ? found->data : "");
    manifest_columns(sweep, out);
    sweep_folder_print(folder, out);
}

static void run_print(const struct sweep *sweep, const struct sweep_run_facts *facts,
                      struct text *out)
{
    char host[256] = "", when[64] = "";
    time_t now = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    text_append(out, "# Facts of this run that do not change the result.\ncommand: ");
    yaml_append_scalar(out, facts->command);
    text_append(out, "\nhost: ");
    yaml_append_scalar(out, host);
    text_printf(out,
                "\nended: \"%s\"\nthreads: %d\nprofile_seconds: %.3f\nsweep_seconds: %.6f\n"
                "points_per_second: %.4g\n",
                when, sweep->threads, facts->profile_s, facts->sweep_s,
                facts->sweep_s > 0 ? (double)sweep->points / facts->sweep_s : 0.0);
    if (ranks_count() > 1)
        text_printf(out,
                    "ranks: {count: %d, pieces: %llu, messages: %llu, of_one: %llu, bytes: %llu}\n",
                    ranks_count(), (unsigned long long)facts->traffic.pieces,
                    (unsigned long long)facts->traffic.messages,
                    (unsigned long long)facts->traffic.most_messages,
                    (unsigned long long)facts->traffic.bytes);
}

int sweep_report_files(const struct sweep *sweep, struct sweep_folder *folder, bool all,
                       struct error *error)
{
    struct sweep_ids sample = {0};
    const struct space_plot *s_curve = s_curve_of(sweep->space);
    struct csv_writer csv = {0};
    sweep_sample_ids(sweep, &sample);
    int status = write_csv(sweep, folder, "ranking.csv", sweep->ranking.items, sweep->ranking.count,
                           false, error);
    if (!status)
        status = write_csv(sweep, folder, "pareto.csv", sweep->front.items, sweep->front.count,
                           false, error);
    if (!status)
        status = write_csv(sweep, folder, "sample.csv", sample.items, sample.count, true, error);
    if (!status && !sweep->adaptive) /* they are of all points */
        status = sweep_write_marginals(sweep, folder, error);
    if (!status)
        status = sweep_write_limits(sweep, folder, error);
    if (!status)
        status = sweep_write_sources(sweep, folder, error);
    if (!status && all)
        status = write_csv(sweep, folder, "points.csv", NULL, sweep->points, false, error);
    if (!status && s_curve &&
        !(status = sweep_folder_open(folder, "s-curve.csv", &csv.stream, error)))
        status =
            sweep_folder_close(folder, sweep_write_s_curve(sweep, s_curve, &csv, error), error);
    VECTOR_FREE(&sample);
    return status;
}

int sweep_report_publish(const struct sweep *sweep, struct sweep_folder *folder,
                         const struct sweep_run_facts *facts, struct error *error)
{
    struct text manifest = {0}, run = {0}, remarks = {0}, found = {0};
    int status = sweep_remarks(sweep, &remarks, error);
    if (!status)
        status = sweep_print_designs(sweep, &found, error);
    if (!status)
        status = sweep_print_front(sweep, &found, error);
    manifest_print(sweep, folder, &remarks, &found, &manifest);
    run_print(sweep, facts, &run);
    if (!status)
        status = sweep_folder_publish(folder, &manifest, &run, error);
    text_free(&found);
    text_free(&remarks);
    text_free(&manifest);
    text_free(&run);
    return status;
}

/* --- the table on the terminal ------------------------------------------------------ */

bool sweep_is_shown(const struct sweep *sweep, size_t c)
{
    const struct sweep_column *column = &sweep->columns[c];
    struct error ignored;
    size_t found, rank = sweep->n_columns;
    sweep_column_find(sweep, sweep->space->rank_by, &rank, &ignored);
    if (column->kind == COLUMN_AXIS || rank == c)
        return true;
    for (size_t i = 0; i < sweep->space->n_objectives; i++)
        if (sweep_column_find(sweep, sweep->space->objectives[i].name, &found, &ignored) == 0 &&
            found == c)
            return true;
    size_t length = strcspn(column->name, "@"); /* of the metric, with its model */
    return column->name[length] && rank < sweep->n_columns &&
           strncmp(column->name, sweep->columns[rank].name, length) == 0 &&
           !sweep->columns[rank].name[length];
}

/* "@gemm" is enough beside what it is ranked by. */
static const char *shown_title(const struct sweep_column *column)
{
    const char *of = column->kind == COLUMN_METRIC ? strchr(column->name, '@') : NULL;
    return of ? of : column->name;
}

static struct sheet *table_sheet(const struct sweep *sweep, bool alike)
{
    struct sheet_columns columns = {0};
    VECTOR_PUSH(&columns, (struct sheet_column){NULL, "rank", NULL, SHEET_INTEGER});
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        const char *title = sweep_is_shown(sweep, c) ? shown_title(column) : NULL;
        VECTOR_PUSH(&columns, (struct sheet_column){column->name, title, NULL,
                                                    column->text ? SHEET_TEXT : SHEET_NUMBER,
                                                    .dim = column->dim});
    }
    VECTOR_PUSH(&columns, (struct sheet_column){.key = "alike",
                                                .title = alike ? "the same in effect" : NULL,
                                                .kind = SHEET_TEXT});
    VECTOR_PUSH(&columns, (struct sheet_column){NULL});
    struct sheet *sheet = sheet_create(columns.items);
    VECTOR_FREE(&columns);
    return sheet;
}

static void add_design(const struct sweep *sweep, const struct sweep_design *design,
                       struct sheet *sheet)
{
    struct text words = {0};
    text_append(&words, "");
    if (design->points > 1) {
        text_printf(&words, "%zu more: ", design->points - 1);
        sweep_design_words(sweep, design, &words);
    }
    sheet_add_cells(sheet, &(struct sheet_cell){.integer = design->rank + 1}, 1);
    for (size_t c = 0; c < sweep->n_columns; c++)
        sheet_add_cells(sheet,
                        &(struct sheet_cell){design->row->labels[c], {design->row->values[c]}}, 1);
    sheet_add_cells(sheet, &(struct sheet_cell){.text = words.data}, 1);
    text_free(&words);
}

int sweep_report_table(const struct sweep *sweep, size_t count, const struct table_style *style,
                       struct text *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_designs designs;
    int status = sweep_designs_find(sweep, arena, &designs, error);
    bool alike = false;
    count = count < designs.count ? count : designs.count;
    for (size_t i = 0; i < count; i++)
        alike = alike || designs.items[i].points > 1;
    struct sheet *sheet = table_sheet(sweep, alike);
    for (size_t i = 0; i < count && !status; i++)
        add_design(sweep, &designs.items[i], sheet);
    if (!status)
        sheet_print_table(sheet, style, out);
    if (!status && designs.exhausted && designs.count < SWEEP_DESIGNS &&
        designs.count < designs.looked)
        text_printf(out, "the first %zu ranks are %zu design%s in effect; --top %zu ranks more\n",
                    designs.looked, designs.count, designs.count == 1 ? "" : "s",
                    10 * designs.looked);
    sheet_destroy(sheet);
    arena_destroy(arena);
    return status;
}

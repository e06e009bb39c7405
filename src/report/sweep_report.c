/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and files of a sweep. */
#include "report/sweep_report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/version.h"
#include "report/csv.h"
#include "report/sweep_internal.h"

enum { SAMPLE_POINTS = 2000, PIECE_ROWS = 4096 };

int sweep_report_claim(const struct space *space, const char *folder, bool force,
                       struct error *error)
{
    struct text path = {0};
    struct yaml_document *document = NULL;
    struct error ignored;
    int status = 0;
    if (file_exists(folder) && !file_is_directory(folder))
        return error_set(error, STATUS_INPUT, "%s is not a folder", folder);
    text_printf(&path, "%s/manifest.yaml", folder);
    if (!force && file_exists(path.data) && yaml_load(path.data, &document, &ignored) == 0) {
        const struct yaml_node *name = yaml_get(document->root, "space");
        if (name && name->kind == YAML_SCALAR && strcmp(name->text, space->name) != 0) {
            status = error_set(error, STATUS_INPUT, "%s holds the result of space %s", folder,
                               name->text);
            error_hint(error, "choose another folder with -o, or --force to replace it");
        }
    }
    yaml_destroy(document);
    text_free(&path);
    return status;
}

/* --- CSV ----------------------------------------------------------------------- */

static void write_header(struct csv_writer *csv, const struct sweep *sweep)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        csv_write_text(csv, sweep->columns[c].name);
    csv_end_row(csv);
}

static void write_row(struct csv_writer *csv, const struct sweep *sweep,
                      const struct sweep_row *row)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (sweep->columns[c].text)
            csv_write_text(csv, row->labels[c]);
        else
            csv_write_known(csv, row->values[c]);
    csv_end_row(csv);
}

/* Rows by pieces, so that memory does not grow with their number. */
static int write_rows(struct csv_writer *csv, const struct sweep *sweep, const uint64_t *ids,
                      uint64_t count, struct error *error)
{
    uint64_t piece_ids[PIECE_ROWS];
    int status = 0;
    for (uint64_t from = 0; from < count && !status; from += PIECE_ROWS) {
        size_t n = (size_t)(count - from < PIECE_ROWS ? count - from : PIECE_ROWS);
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        for (size_t i = 0; i < n; i++)
            piece_ids[i] = ids ? ids[from + i] : from + i;
        status = sweep_rows(sweep, piece_ids, n, arena, &rows, error);
        for (size_t i = 0; i < n && !status; i++)
            if (rows[i].kept)
                write_row(csv, sweep, &rows[i]);
        arena_destroy(arena);
    }
    return status;
}

static int write_csv(const struct sweep *sweep, const char *folder, const char *name,
                     const uint64_t *ids, uint64_t count, struct error *error)
{
    struct text path = {0};
    struct file_writer writer;
    text_printf(&path, "%s/%s", folder, name);
    int status = file_writer_open(&writer, path.data, error);
    if (!status) {
        struct csv_writer csv = {.stream = writer.stream};
        write_header(&csv, sweep);
        status = write_rows(&csv, sweep, ids, count, error);
        if (status)
            file_writer_abandon(&writer);
        else
            status = file_writer_commit(&writer, error);
    }
    text_free(&path);
    return status;
}

void sweep_sample_ids(const struct sweep *sweep, struct sweep_ids *out)
{
    /* One point of each of SAMPLE_POINTS parts, at a hashed place: a constant
     * step would fall in line with the axes. */
    uint64_t parts = sweep->points < SAMPLE_POINTS ? sweep->points : SAMPLE_POINTS;
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
}

static const char *sense_name(enum pareto_sense sense)
{
    return sense == PARETO_MAXIMISE ? "maximise" : "minimise";
}

static void manifest_print(const struct sweep *sweep, struct text *out)
{
    static const char *const means[] = {"harmonic-mean", "geometric-mean", "arithmetic-mean"};
    const struct space *space = sweep->space;
    char hash[HASH_TEXT];
    struct hash_content *content = hash_content_begin();
    hash_content_add(content, space->document->text, space->document->size);
    hash_content_end(content, hash);
    text_append(out,
                "# What determines this result. Values in the CSV files are in these units.\n");
    text_append(out, "space: ");
    yaml_append_scalar(out, space->name);
    text_printf(out, "\nspace_hash: %s\nversion: %s\n", hash, BANDSCAPE_VERSION);
    machine_hash(space->machine, hash);
    text_append(out, "machine: ");
    yaml_append_scalar(out, space->machine->name);
    text_printf(out, "\nmachine_hash: %s\n", hash);
    manifest_workloads(sweep, out);
    text_append(out, "models: [");
    for (size_t m = 0; m < space->n_models; m++)
        text_printf(out, "%s%s", m ? ", " : "", space->models[m]->plugin.name);
    text_printf(out, "]\ndesign: %s\npoints: %llu\nkept: %llu\nexcluded:%s\n",
                space->design == DESIGN_CROSS ? "cross" : "one-at-a-time",
                (unsigned long long)sweep->points, (unsigned long long)sweep->kept,
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
    text_append(out, "rank: {by: ");
    yaml_append_scalar(out, space->rank_by);
    text_printf(out, ", order: %s, aggregate: %s, top: %llu}\nobjectives:\n",
                sense_name(space->rank_sense), means[space->mean], (unsigned long long)space->top);
    for (size_t i = 0; i < space->n_objectives; i++) {
        text_printf(out, "  - {%s: ", sense_name(space->objectives[i].sense));
        yaml_append_scalar(out, space->objectives[i].name);
        text_append(out, "}\n");
    }
    if (space->speedup_vs) {
        text_append(out, "speedup_vs: ");
        yaml_append_scalar(out, space->speedup_vs);
        if (sweep->baseline->machine) {
            machine_hash(sweep->baseline->machine, hash);
            text_printf(out, "\nspeedup_vs_hash: %s", hash);
        }
        text_append(out, "\n");
    }
    manifest_columns(sweep, out);
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
}

static int write_text(const char *folder, const char *name, const struct text *text,
                      struct error *error)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", folder, name);
    int status = file_write(path.data, text->data, text->length, error);
    text_free(&path);
    return status;
}

/* The first one's points; without one, those of an earlier run do not belong here. */
static int write_s_curve(const struct sweep *sweep, const char *folder, struct error *error)
{
    const struct space_plot *wanted = NULL;
    struct text path = {0};
    int status = 0;
    for (size_t i = 0; i < sweep->space->n_plots && !wanted; i++)
        if (sweep->space->plots[i].kind == SPACE_PLOT_S_CURVE)
            wanted = &sweep->space->plots[i];
    text_printf(&path, "%s/s-curve.csv", folder);
    if (wanted)
        status = sweep_write_s_curve(sweep, wanted, path.data, error);
    else
        remove(path.data);
    text_free(&path);
    return status;
}

int sweep_report_files(const struct sweep *sweep, const char *folder, bool all,
                       const struct sweep_run_facts *facts, struct error *error)
{
    struct sweep_ids sample = {0};
    struct text manifest = {0}, run = {0};
    int status = file_make_directory(folder, error);
    sweep_sample_ids(sweep, &sample);
    if (!status)
        status = write_csv(sweep, folder, "ranking.csv", sweep->ranking.items, sweep->ranking.count,
                           error);
    if (!status)
        status =
            write_csv(sweep, folder, "pareto.csv", sweep->front.items, sweep->front.count, error);
    if (!status)
        status = write_csv(sweep, folder, "sample.csv", sample.items, sample.count, error);
    if (!status && all)
        status = write_csv(sweep, folder, "points.csv", NULL, sweep->points, error);
    if (!status)
        status = write_s_curve(sweep, folder, error);
    if (!status && !all) { /* of an earlier run: it would not belong to this result */
        struct text stale = {0};
        text_printf(&stale, "%s/points.csv", folder);
        remove(stale.data);
        text_free(&stale);
    }
    manifest_print(sweep, &manifest);
    run_print(sweep, facts, &run);
    if (!status)
        status = write_text(folder, "manifest.yaml", &manifest, error);
    if (!status)
        status = write_text(folder, "run.yaml", &run, error);
    VECTOR_FREE(&sample);
    text_free(&manifest);
    text_free(&run);
    return status;
}

/* --- the table on the terminal ------------------------------------------------------ */

static bool is_shown(const struct sweep *sweep, size_t c)
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

int sweep_report_table(const struct sweep *sweep, size_t count, const struct table_style *style,
                       struct text *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    if (count > sweep->ranking.count)
        count = sweep->ranking.count;
    int status = sweep_rows(sweep, sweep->ranking.items, count, arena, &rows, error);
    if (!status) {
        struct table *table = table_create();
        table_column(table, "rank", NULL, TABLE_RIGHT);
        for (size_t c = 0; c < sweep->n_columns; c++)
            if (is_shown(sweep, c)) /* "@gemm" is enough beside what it is ranked by */
                table_column(table,
                             sweep->columns[c].kind == COLUMN_METRIC &&
                                     strchr(sweep->columns[c].name, '@')
                                 ? strchr(sweep->columns[c].name, '@')
                                 : sweep->columns[c].name,
                             NULL, sweep->columns[c].text ? TABLE_LEFT : TABLE_RIGHT);
        for (size_t r = 0; r < count; r++) {
            table_printf(table, "%zu", r + 1);
            for (size_t c = 0; c < sweep->n_columns; c++)
                if (!is_shown(sweep, c))
                    continue;
                else if (sweep->columns[c].text)
                    table_cell(table, rows[r].labels[c]);
                else
                    table_quantity(table,
                                   (struct quantity){rows[r].values[c], sweep->columns[c].dim}, 4);
        }
        table_render(table, style, out);
        table_destroy(table);
    }
    arena_destroy(arena);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated machines: what became of the requests, and how busy everything was. */

#include "report/simulate_report.h"

enum { LAUNCHES_SHOWN = 8 };

/* --- columns ------------------------------------------------------------------------ */

#define METRIC .object = "metrics"
static const struct sheet_column run_columns[] = {
    {"machine", NULL, NULL, SHEET_TEXT},
    {"workload", "workload", NULL, SHEET_TEXT},
    {"organisation", "organisation", NULL, SHEET_TEXT},
    {"whole", NULL, NULL, SHEET_TRUTH},
    {"confidence", NULL, NULL, SHEET_NUMBER},
    {"effective_bandwidth", "effective bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S,
     METRIC},
    {"effective_bandwidth_half_width", NULL, NULL, SHEET_NUMBER, METRIC},
    {NULL, "+-", NULL, SHEET_SHARE},
    {"kernel_time", "kernel time", NULL, SHEET_NUMBER, .dim = IN_SECONDS, METRIC},
    {"reconfiguration_time", NULL, NULL, SHEET_NUMBER, METRIC},
    {"requests", "requests", NULL, SHEET_COUNT, METRIC},
    {"bytes", NULL, NULL, SHEET_COUNT, METRIC},
    {"time", NULL, NULL, SHEET_NUMBER, METRIC},
    {"r_local", NULL, NULL, SHEET_SHARE, METRIC},
    {"l1_hit_rate", "L1 hits", NULL, SHEET_SHARE, METRIC},
    {"front_hit_rate", NULL, NULL, SHEET_SHARE, METRIC},
    {"llc_hit_rate", "LLC hits", NULL, SHEET_SHARE, METRIC},
    {NULL, "busiest", NULL, SHEET_TEXT},
    {NULL}};
#undef METRIC

static const struct sheet_column origin_columns[] = {
    {"name", "data from", NULL, SHEET_TEXT},
    {"share", "share", NULL, SHEET_SHARE},
    {"latency", "latency", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
    {"latency_half_width", NULL, NULL, SHEET_NUMBER},
    {NULL, "+-", NULL, SHEET_SHARE},
    {NULL}};

static const struct sheet_column station_columns[] = {
    {"name", "station", NULL, SHEET_TEXT},
    {"utilisation", "utilisation", NULL, SHEET_SHARE},
    {"busiest", "of the busiest", NULL, SHEET_SHARE},
    {NULL}};

static const struct sheet_column launch_columns[] = {
    {NULL, "launch", NULL, SHEET_TEXT},
    {"name", NULL, NULL, SHEET_TEXT},
    {"requests", "requests", NULL, SHEET_COUNT},
    {"time", "time", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
    {"flush_time", "of it flush", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
    {"other", NULL, NULL, SHEET_TRUTH},
    {"whole", NULL, NULL, SHEET_TRUTH},
    {NULL}};

/* --- rows --------------------------------------------------------------------------- */

static const char *busiest_of(const struct simulate_gpu_result *r, struct arena *arena)
{
    const struct simulate_station *busiest = NULL;
    for (size_t s = 0; s < r->n_stations; s++)
        if (!busiest || r->stations[s].most > busiest->most)
            busiest = &r->stations[s];
    return busiest ? arena_printf(arena, "%s %.0f %%", busiest->name, 100 * busiest->most) : NULL;
}

static struct sheet *runs_of(const struct simulate_row *rows, size_t count)
{
    struct sheet *sheet = sheet_create(run_columns);
    for (size_t i = 0; i < count; i++) {
        const struct simulate_gpu_result *r = rows[i].result;
        struct estimate bandwidth = r->bandwidth_bytes_per_s;
        if (i > 0 && rows[i].workload != rows[i - 1].workload)
            sheet_add_rule(sheet);
        sheet_add(sheet, (struct sheet_cell[]){{rows[i].machine},
                                               {rows[i].workload},
                                               {rows[i].organisation},
                                               {.number = r->whole},
                                               {.number = rows[i].options->confidence},
                                               {.number = bandwidth.mean},
                                               {.number = bandwidth.half_width},
                                               {.number = bandwidth.half_width / bandwidth.mean},
                                               {.number = r->kernel_time_s},
                                               {.number = r->reconfigure_s},
                                               {.number = (double)r->requests},
                                               {.number = r->bytes},
                                               {.number = r->time_s},
                                               {.number = r->r_local},
                                               {.number = r->l1_hit_rate},
                                               {.number = r->front_hit_rate},
                                               {.number = r->llc_hit_rate},
                                               {busiest_of(r, sheet->arena)}});
    }
    return sheet;
}

/* `all`: those without requests too. */
static struct sheet *origins_of(const struct simulate_gpu_result *r, bool all)
{
    struct sheet *sheet = sheet_create(origin_columns);
    for (int i = 0; i < ORIGIN_COUNT; i++)
        if (all || r->share[i] > 0)
            sheet_add(sheet, (struct sheet_cell[]){
                                 {simulate_origin_names[i]},
                                 {.number = r->share[i]},
                                 {.number = r->latency_s[i].mean},
                                 {.number = r->latency_s[i].half_width},
                                 {.number = r->latency_s[i].half_width / r->latency_s[i].mean}});
    return sheet;
}

static struct sheet *stations_of(const struct simulate_gpu_result *r)
{
    struct sheet *sheet = sheet_create(station_columns);
    for (size_t i = 0; i < r->n_stations; i++)
        sheet_add(sheet, (struct sheet_cell[]){{r->stations[i].name},
                                               {.number = r->stations[i].utilisation},
                                               {.number = r->stations[i].most}});
    return sheet;
}

/* At most `limit`. */
static struct sheet *launches_of(const struct simulate_gpu_result *r, size_t limit)
{
    struct sheet *sheet = sheet_create(launch_columns);
    for (size_t i = 0; i < r->n_launches && i < limit; i++) {
        const struct simulate_launch *l = &r->launches[i];
        unsigned long long requests = l->requests;
        const char *cut = l->whole ? NULL : arena_printf(sheet->arena, "%llu...", requests);
        sheet_add(sheet, (struct sheet_cell[]){{arena_printf(sheet->arena, "%zu %s%s", i, l->name,
                                                             l->other ? " (other choice)" : "")},
                                               {l->name},
                                               {cut, {(double)requests}},
                                               {.number = l->time_s},
                                               {.number = l->flush_s},
                                               {.number = l->other},
                                               {.number = l->whole}});
    }
    if (limit < r->n_launches)
        sheet_add_note(sheet, "... %zu more", r->n_launches - limit);
    return sheet;
}

/* --- forms -------------------------------------------------------------------------- */

static void json_array(struct json *json, const char *key, struct sheet *sheet)
{
    json_key(json, key);
    sheet_print_json(sheet, json);
    sheet_destroy(sheet);
}

void simulate_gpu_json(struct json *json, const struct simulate_row *row)
{
    struct sheet *run = runs_of(row, 1);
    json_begin_object(json);
    sheet_print_json_row(run, 0, json);
    json_array(json, "paths", origins_of(row->result, true));
    json_array(json, "stations", stations_of(row->result));
    json_array(json, "kernels", launches_of(row->result, row->result->n_launches));
    json_end_object(json);
    sheet_destroy(run);
}

static void table(struct text *out, const char *after, struct sheet *sheet,
                  const struct table_style *style)
{
    sheet_print_table(sheet, style, out);
    text_append(out, after);
    sheet_destroy(sheet);
}

void simulate_gpu_text(const struct simulate_row *rows, size_t count, bool details,
                       const struct table_style *style, struct text *out)
{
    table(out, "", runs_of(rows, count), style);
    for (size_t i = 0; i < count && details; i++) {
        const struct simulate_gpu_result *result = rows[i].result;
        text_printf(out, "\n%s, %s\n", rows[i].workload, rows[i].organisation);
        table(out, "\n", origins_of(result, false), style);
        table(out, "\n", stations_of(result), style);
        table(out, "", launches_of(result, LAUNCHES_SHOWN), style);
    }
}

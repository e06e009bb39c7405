/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated machines: what became of the requests, and how busy everything was. */

#include "report/simulate_report.h"

#include <inttypes.h>

enum { LAUNCHES_SHOWN = 8 };

/* --- columns ------------------------------------------------------------------------ */

#define METRIC .object = "metrics"
static const struct sheet_column run_columns[] = {
    {"machine", NULL, NULL, SHEET_TEXT},
    {"workload", "workload", NULL, SHEET_TEXT},
    {"organisation", "organisation", NULL, SHEET_TEXT},
    {"whole", NULL, NULL, SHEET_TRUTH},
    {"confidence", NULL, NULL, SHEET_NUMBER},
    {"draws", NULL, NULL, SHEET_COUNT},
    {"effective_bandwidth", "effective bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S,
     METRIC},
    {"effective_bandwidth_half_width", NULL, NULL, SHEET_NUMBER, METRIC},
    {NULL, "+-", NULL, SHEET_SHARE},
    {"kernel_time", "kernel time", NULL, SHEET_NUMBER, .dim = IN_SECONDS, METRIC},
    {"reconfiguration_time", NULL, NULL, SHEET_NUMBER, METRIC},
    {"least_time", NULL, NULL, SHEET_NUMBER, METRIC},
    {"most_time", NULL, NULL, SHEET_NUMBER, METRIC},
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

static const struct sheet_column tlb_columns[] = {{"name", "TLB", NULL, SHEET_TEXT},
                                                  {"lookups", "lookups", NULL, SHEET_COUNT},
                                                  {"hit_rate", "hits", NULL, SHEET_SHARE},
                                                  {"misses", "misses", NULL, SHEET_COUNT},
                                                  {NULL}};

static const struct sheet_column beside_columns[] = {{"name", "beside L1", NULL, SHEET_TEXT},
                                                     {"lookups", "lookups", NULL, SHEET_COUNT},
                                                     {"hit_rate", "hits", NULL, SHEET_SHARE},
                                                     {"misses", "misses", NULL, SHEET_COUNT},
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
        SHEET_TEXTS(sheet, rows[i].machine, rows[i].workload, rows[i].organisation);
        SHEET_NUMBERS(sheet, r->whole, rows[i].options->confidence, r->draws.n, bandwidth.mean,
                      bandwidth.half_width, bandwidth.half_width / bandwidth.mean, r->kernel_time_s,
                      r->reconfigure_s, r->draws.least_s, r->draws.most_s, (double)r->requests,
                      r->bytes, r->time_s, r->r_local, r->l1_hit_rate, r->front_hit_rate,
                      r->llc_hit_rate);
        SHEET_TEXTS(sheet, busiest_of(r, sheet->arena));
    }
    return sheet;
}

/* `all`: those without requests too. */
static struct sheet *origins_of(const struct simulate_gpu_result *r, bool all)
{
    struct sheet *sheet = sheet_create(origin_columns);
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        struct estimate latency = r->latency_s[i];
        if (!all && !(r->share[i] > 0))
            continue;
        SHEET_TEXTS(sheet, simulate_origin_names[i]);
        SHEET_NUMBERS(sheet, r->share[i], latency.mean, latency.half_width,
                      latency.half_width / latency.mean);
    }
    return sheet;
}

static struct sheet *stations_of(const struct simulate_gpu_result *r)
{
    struct sheet *sheet = sheet_create(station_columns);
    for (size_t i = 0; i < r->n_stations; i++) {
        SHEET_TEXTS(sheet, r->stations[i].name);
        SHEET_NUMBERS(sheet, r->stations[i].utilisation, r->stations[i].most);
    }
    return sheet;
}

static struct sheet *tlbs_of(const struct simulate_gpu_result *r)
{
    struct sheet *sheet = sheet_create(tlb_columns);
    for (size_t i = 0; i < r->n_tlbs; i++) {
        const struct simulate_tlb *tlb = &r->tlbs[i];
        double lookups = (double)tlb->lookups, hits = (double)tlb->hits;
        SHEET_TEXTS(sheet, tlb->name);
        SHEET_NUMBERS(sheet, lookups, hits / lookups, lookups - hits);
    }
    return sheet;
}

static struct sheet *beside_of(const struct simulate_gpu_result *r)
{
    struct sheet *sheet = sheet_create(beside_columns);
    for (size_t i = 0; i < r->n_beside; i++) {
        double lookups = (double)r->beside[i].lookups, hits = (double)r->beside[i].hits;
        SHEET_TEXTS(sheet, r->beside[i].name);
        SHEET_NUMBERS(sheet, lookups, hits / lookups, lookups - hits);
    }
    return sheet;
}

/* At most `limit`. */
static struct sheet *launches_of(const struct simulate_gpu_result *r, size_t limit)
{
    struct sheet *sheet = sheet_create(launch_columns);
    for (size_t i = 0; i < r->n_launches && i < limit; i++) {
        const struct simulate_launch *l = &r->launches[i];
        struct sheet_cell requests = {NULL, {(double)l->requests}};
        if (!l->whole)
            requests.text = arena_printf(sheet->arena, "%" PRIu64 "...", l->requests);
        SHEET_TEXTS(
            sheet,
            arena_printf(sheet->arena, "%zu %s%s", i, l->name, l->other ? " (other choice)" : ""),
            l->name);
        sheet_add_cells(sheet, &requests, 1);
        SHEET_NUMBERS(sheet, l->time_s, l->flush_s, l->other, l->whole);
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
    if (row->result->n_tlbs)
        json_array(json, "tlbs", tlbs_of(row->result));
    if (row->result->n_beside)
        json_array(json, "beside", beside_of(row->result));
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

static void note_draws(const struct simulate_row *row, struct text *out)
{
    const struct simulate_draws *draws = &row->result->draws;
    char least[32], most[32];
    if (draws->n < 2)
        return;
    text_printf(
        out,
        "%s, %s: %" PRIu32 " draws of who is first take %s to %s; time and bandwidth are "
        "means, all else is of the first one\n",
        row->workload, row->organisation, draws->n,
        quantity_format((struct quantity){draws->least_s, DIM_SECONDS}, 4, least, sizeof least),
        quantity_format((struct quantity){draws->most_s, DIM_SECONDS}, 4, most, sizeof most));
}

void simulate_gpu_text(const struct simulate_row *rows, size_t count, bool details,
                       const struct table_style *style, struct text *out)
{
    table(out, "", runs_of(rows, count), style);
    for (size_t i = 0; i < count; i++)
        note_draws(&rows[i], out);
    for (size_t i = 0; i < count && details; i++) {
        const struct simulate_gpu_result *result = rows[i].result;
        text_printf(out, "\n%s, %s\n", rows[i].workload, rows[i].organisation);
        table(out, "\n", origins_of(result, false), style);
        table(out, "\n", stations_of(result), style);
        if (result->n_tlbs)
            table(out, "\n", tlbs_of(result), style);
        if (result->n_beside)
            table(out, "\n", beside_of(result), style);
        table(out, "", launches_of(result, LAUNCHES_SHOWN), style);
    }
}

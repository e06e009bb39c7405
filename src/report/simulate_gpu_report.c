/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated machines: what became of the requests, and how busy everything was. */

#include "report/simulate_report.h"

enum { DIGITS = 4, LAUNCHES_SHOWN = 8 };

/* --- JSON --------------------------------------------------------------------------- */

static void json_metrics(struct json *json, const struct simulate_gpu_result *result)
{
    json_key(json, "metrics");
    json_begin_object(json);
    json_pair_number(json, "effective_bandwidth", result->bandwidth_bytes_per_s.mean);
    json_pair_number(json, "effective_bandwidth_half_width",
                     result->bandwidth_bytes_per_s.half_width);
    json_pair_number(json, "kernel_time", result->kernel_time_s);
    json_pair_number(json, "reconfiguration_time", result->reconfigure_s);
    json_pair_number(json, "requests", (double)result->requests);
    json_pair_number(json, "bytes", result->bytes);
    json_pair_number(json, "time", result->time_s);
    json_pair_number(json, "r_local", result->r_local);
    json_pair_number(json, "l1_hit_rate", result->l1_hit_rate);
    json_pair_number(json, "front_hit_rate", result->front_hit_rate);
    json_pair_number(json, "llc_hit_rate", result->llc_hit_rate);
    json_end_object(json);
}

static void json_origins(struct json *json, const struct simulate_gpu_result *result)
{
    json_key(json, "paths");
    json_begin_array(json);
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        json_begin_object(json);
        json_pair_string(json, "name", simulate_origin_names[i]);
        json_pair_number(json, "share", result->share[i]);
        json_pair_number(json, "latency", result->latency_s[i].mean);
        json_pair_number(json, "latency_half_width", result->latency_s[i].half_width);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_stations(struct json *json, const struct simulate_gpu_result *result)
{
    json_key(json, "stations");
    json_begin_array(json);
    for (size_t i = 0; i < result->n_stations; i++) {
        json_begin_object(json);
        json_pair_string(json, "name", result->stations[i].name);
        json_pair_number(json, "utilisation", result->stations[i].utilisation);
        json_pair_number(json, "busiest", result->stations[i].most);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_launches(struct json *json, const struct simulate_gpu_result *result)
{
    json_key(json, "kernels");
    json_begin_array(json);
    for (size_t i = 0; i < result->n_launches; i++) {
        const struct simulate_launch *launch = &result->launches[i];
        json_begin_object(json);
        json_pair_string(json, "name", launch->name);
        json_pair_number(json, "requests", (double)launch->requests);
        json_pair_number(json, "time", launch->time_s);
        json_pair_number(json, "flush_time", launch->flush_s);
        json_key(json, "other");
        json_bool(json, launch->other);
        json_key(json, "whole");
        json_bool(json, launch->whole);
        json_end_object(json);
    }
    json_end_array(json);
}

void simulate_gpu_json(struct json *json, const struct simulate_row *row)
{
    json_begin_object(json);
    json_pair_string(json, "machine", row->machine);
    json_pair_string(json, "workload", row->workload);
    json_pair_string(json, "organisation", row->organisation);
    json_key(json, "whole");
    json_bool(json, row->result->whole);
    json_pair_number(json, "confidence", row->options->confidence);
    json_metrics(json, row->result);
    json_origins(json, row->result);
    json_stations(json, row->result);
    json_launches(json, row->result);
    json_end_object(json);
}

/* --- tables --------------------------------------------------------------------------- */

static void render(struct table *table, const struct table_style *style, struct text *out)
{
    table_render(table, style, out);
    table_destroy(table);
}

static void rows_text(const struct simulate_row *rows, size_t count,
                      const struct table_style *style, struct text *out)
{
    struct table *table = table_create();
    table_column(table, "workload", NULL, TABLE_LEFT);
    table_column(table, "organisation", NULL, TABLE_LEFT);
    table_column(table, "effective bandwidth", NULL, TABLE_RIGHT);
    table_column(table, "+-", NULL, TABLE_RIGHT);
    table_column(table, "kernel time", NULL, TABLE_RIGHT);
    table_column(table, "requests", NULL, TABLE_RIGHT);
    table_column(table, "L1 hits", NULL, TABLE_RIGHT);
    table_column(table, "LLC hits", NULL, TABLE_RIGHT);
    table_column(table, "busiest", NULL, TABLE_LEFT);
    for (size_t i = 0; i < count; i++) {
        const struct simulate_gpu_result *r = rows[i].result;
        const struct simulate_station *busiest = NULL;
        for (size_t s = 0; s < r->n_stations; s++)
            if (!busiest || r->stations[s].most > busiest->most)
                busiest = &r->stations[s];
        if (i > 0 && rows[i].workload != rows[i - 1].workload)
            table_rule(table);
        table_cell(table, rows[i].workload);
        table_cell(table, rows[i].organisation);
        table_quantity(table, (struct quantity){r->bandwidth_bytes_per_s.mean, DIM_BYTES_PER_S},
                       DIGITS);
        table_percent(table, r->bandwidth_bytes_per_s.half_width / r->bandwidth_bytes_per_s.mean);
        table_quantity(table, (struct quantity){r->kernel_time_s, DIM_SECONDS}, DIGITS);
        table_printf(table, "%llu", (unsigned long long)r->requests);
        table_percent(table, r->l1_hit_rate);
        table_percent(table, r->llc_hit_rate);
        if (busiest)
            table_printf(table, "%s %.0f %%", busiest->name, 100 * busiest->most);
        else
            table_cell(table, "-");
    }
    render(table, style, out);
}

static void origins_text(const struct simulate_gpu_result *r, const struct table_style *style,
                         struct text *out)
{
    struct table *table = table_create();
    table_column(table, "data from", NULL, TABLE_LEFT);
    table_column(table, "share", NULL, TABLE_RIGHT);
    table_column(table, "latency", NULL, TABLE_RIGHT);
    table_column(table, "+-", NULL, TABLE_RIGHT);
    for (int i = 0; i < ORIGIN_COUNT; i++) {
        if (!(r->share[i] > 0))
            continue;
        table_cell(table, simulate_origin_names[i]);
        table_percent(table, r->share[i]);
        table_quantity(table, (struct quantity){r->latency_s[i].mean, DIM_SECONDS}, DIGITS);
        table_percent(table, r->latency_s[i].half_width / r->latency_s[i].mean);
    }
    render(table, style, out);
}

static void stations_text(const struct simulate_gpu_result *r, const struct table_style *style,
                          struct text *out)
{
    struct table *table = table_create();
    table_column(table, "station", NULL, TABLE_LEFT);
    table_column(table, "utilisation", NULL, TABLE_RIGHT);
    table_column(table, "of the busiest", NULL, TABLE_RIGHT);
    for (size_t i = 0; i < r->n_stations; i++) {
        table_cell(table, r->stations[i].name);
        table_percent(table, r->stations[i].utilisation);
        table_percent(table, r->stations[i].most);
    }
    render(table, style, out);
}

static void launches_text(const struct simulate_gpu_result *r, const struct table_style *style,
                          struct text *out)
{
    struct table *table = table_create();
    table_column(table, "launch", NULL, TABLE_LEFT);
    table_column(table, "requests", NULL, TABLE_RIGHT);
    table_column(table, "time", NULL, TABLE_RIGHT);
    table_column(table, "of it flush", NULL, TABLE_RIGHT);
    size_t shown = r->n_launches < LAUNCHES_SHOWN ? r->n_launches : LAUNCHES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct simulate_launch *launch = &r->launches[i];
        table_printf(table, "%zu %s%s", i, launch->name, launch->other ? " (other choice)" : "");
        table_printf(table, "%llu%s", (unsigned long long)launch->requests,
                     launch->whole ? "" : "...");
        table_quantity(table, (struct quantity){launch->time_s, DIM_SECONDS}, DIGITS);
        table_quantity(table, (struct quantity){launch->flush_s, DIM_SECONDS}, DIGITS);
    }
    render(table, style, out);
    if (shown < r->n_launches)
        text_printf(out, "... %zu more\n", r->n_launches - shown);
}

void simulate_gpu_text(const struct simulate_row *rows, size_t count, bool details,
                       const struct table_style *style, struct text *out)
{
    rows_text(rows, count, style, out);
    for (size_t i = 0; i < count && details; i++) {
        text_printf(out, "\n%s, %s\n", rows[i].workload, rows[i].organisation);
        origins_text(rows[i].result, style, out);
        text_append(out, "\n");
        stations_text(rows[i].result, style, out);
        text_append(out, "\n");
        launches_text(rows[i].result, style, out);
    }
}

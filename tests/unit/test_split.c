/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where errors of decisions come from: parts that add up, figures of a simulation put into a
 * profile. */
#include "check.h"

#include "explore/answer/counted.h"
#include "explore/answer/referee.h"
#include "profile/record/llc_hit.h"
#include "simulate/gpu.h"
#include "validate/decisions.h"

/* One launch; a chip's LLC of `sac` has 32 Ki lines. */
struct hand {
    struct profile_record record;
    struct profile_view view;
    struct profile_curve curves[2];
    struct curve_point points[2][2];
    double traffic[4];
};

/* Of 1000 requests 600 hit at distance 10 on the home's side and 100 far behind; of those of the
 * requester 400 at distance 10. */
static void by_hand(struct hand *h)
{
    *h = (struct hand){.record = check_record(),
                       .points = {{{11, 600}, {1U << 30, 700}}, {{11, 400}, {1U << 30, 400}}},
                       .traffic = {300, 200, 200, 300}};
    for (int i = 0; i < 2; i++)
        h->curves[i] = (struct profile_curve){
            .scope = "chip",
            .side = i ? "requester" : "home",
            .filter = "all",
            .curve = {1000, i ? 600 : 300, h->points[i], 2},
            .has = 1U << CURVE_READS,
            .parts = {[CURVE_READS] = {500, 500, NULL, 0}},
        };
    h->record.name = "k";
    h->record.curves = h->curves;
    h->record.n_curves = 2;
    h->record.traffic = h->traffic;
    h->record.n_domains = 2;
    h->record.fields[FIELD_REQUESTS] = 1000;
    h->record.fields[FIELD_R_LOCAL] = 0.6;
    h->record.fields[FIELD_LSU_MEMORY_SIDE] = 0.9;
    h->record.fields[FIELD_LSU_SM_SIDE] = 0.8;
    h->view = (struct profile_view){.records = &h->record, .n_records = 1};
}

static void count_into(struct hand *h, const char *organisation, struct simulate_seen seen,
                       struct counted_view *out)
{
    OWNED(machine) *machine = check_shipped("sac", SETTINGS("llc.organisation", organisation));
    struct simulate_launch launch = {.name = "k", .seen = seen};
    struct simulate_gpu_result result = {.launches = &launch, .n_launches = 1};
    check_ok(counted_view_open(out, &h->view, machine, &result, &failure));
}

static double hit(const struct profile_record *record, enum level_side side)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    return profile_llc_hit(record, machine, side);
}

/* The home's hits were .6, of which half are left; its traffic and LSU are as counted. What stands
 * on the other side stays. */
TEST(fewer_hits_were_counted)
{
    struct hand h;
    struct counted_view counted;
    by_hand(&h);
    count_into(&h, "memory-side", (struct simulate_seen){500, 375, 500, 150, 0.7}, &counted);
    const struct profile_record *r = &counted.view.records[0];
    check_relative(hit(&h.record, SIDE_HOME), 0.6, 1e-4);
    check_relative(hit(r, SIDE_HOME), 0.3, 2e-3);
    check_relative(hit(r, SIDE_REQUESTER), 0.4, 1e-3);
    check_relative(r->fields[FIELD_R_LOCAL], 0.75, 1e-12);
    check_relative(r->fields[FIELD_LSU_MEMORY_SIDE], 0.7, 1e-12);
    check_relative(r->fields[FIELD_LSU_SM_SIDE], 0.8, 1e-12);
    check_relative(r->traffic[0], 375, 1e-12);
    check_relative(r->traffic[1], 125, 1e-12);
    counted_view_close(&counted);
}

/* Half of the requester's misses hit, cold ones too, and half of those of its reads. */
TEST(more_hits_were_counted)
{
    struct hand h;
    struct counted_view counted;
    by_hand(&h);
    count_into(&h, "sm-side", (struct simulate_seen){1000, 600, 1000, 700, 0.5}, &counted);
    const struct profile_record *r = &counted.view.records[0];
    const struct profile_curve *curve = profile_curve_find(r, "chip", "requester", "all");
    check_relative(hit(r, SIDE_REQUESTER), 0.7, 2e-3);
    check_relative(hit(r, SIDE_HOME), 0.6, 1e-3);
    check_relative(curve_miss_ratio_full(&curve->parts[CURVE_READS], 32768), 0.5, 1e-12);
    check_relative(r->fields[FIELD_LSU_SM_SIDE], 0.5, 1e-12);
    check_relative(r->traffic[0], 300, 1e-12);
    counted_view_close(&counted);
}

/* Nothing was counted of another launch, and an LLC that chooses has no side. */
TEST(what_was_not_counted_stays)
{
    struct hand h;
    struct counted_view counted;
    struct profile_record two[2];
    by_hand(&h);
    two[0] = two[1] = h.record;
    h.view.records = two;
    h.view.n_records = 2;
    count_into(&h, "memory-side", (struct simulate_seen){10, 0, 10, 0, 1}, &counted);
    check_relative(counted.view.records[0].fields[FIELD_R_LOCAL], 0, 1e-12);
    check_relative(hit(&counted.view.records[0], SIDE_HOME), 0, 1e-12);
    check_relative(counted.view.records[1].fields[FIELD_R_LOCAL], 0.6, 1e-12);
    counted_view_close(&counted);
    OWNED(machine) *sac = check_shipped("sac", SETTINGS("llc.organisation", "sac"));
    struct simulate_gpu_result result = {0};
    check_error(counted_view_open(&counted, &h.view, sac, &result, &failure), STATUS_INFEASIBLE,
                "either side");
    counted_view_close(&counted);
}

/* Launches of one kernel that stand in one record: sums, and slices by what passes them. */
TEST(launches_of_a_group)
{
    struct hand h;
    struct counted_view counted;
    OWNED(machine) *machine = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    struct simulate_launch launches[] = {{.name = "k", .seen = {100, 100, 100, 90, 1}},
                                         {.name = "other", .seen = {900, 0, 900, 0, 0.1}},
                                         {.name = "k", .seen = {300, 100, 300, 30, 0.2}}};
    struct simulate_gpu_result result = {.launches = launches, .n_launches = 3};
    by_hand(&h);
    h.record.launches = 2;
    check_ok(counted_view_open(&counted, &h.view, machine, &result, &failure));
    const struct profile_record *r = &counted.view.records[0];
    check_relative(r->fields[FIELD_R_LOCAL], 0.5, 1e-12);
    check_relative(hit(r, SIDE_HOME), 0.3, 2e-3);
    check_relative(r->fields[FIELD_LSU_MEMORY_SIDE], 0.4, 1e-12);
    counted_view_close(&counted);
    struct counted_figures all = counted_of_result(&result);
    check_relative(all.r_local, 200.0 / 1300, 1e-12);
    check_relative(all.llc_hit, 120.0 / 1300, 1e-12);
}

/* A run that ends: what the simulation counts are the run's own totals. */
TEST(a_run_is_counted)
{
    OWNED(machine) *machine = check_shipped("sac", SETTINGS("llc.organisation", "sm-side"));
    OWNED(source) *source = check_source("stream:input=small");
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, source, &options, &result, &failure));
    struct counted_figures all = counted_of_result(result);
    assert_true(result->n_launches > 1);
    check_relative(all.r_local, result->r_local, 1e-12);
    check_relative(all.llc_hit, result->llc_hit_rate, 1e-12);
    assert_true(all.lsu > 0.3 && all.lsu <= 1);
    simulate_gpu_result_destroy(result);
}

/* The parts add up to the error, whose sign is the verdict's. */
TEST(parts_add_up)
{
    const char *file = check_file(
        "published.yaml",
        "published: test\nsummary: a test\nmachines:\n"
        "  memory: {machine: sac, set: {llc.organisation: memory-side}}\n"
        "  sm: {machine: sac, set: {llc.organisation: sm-side}}\n"
        "figures: []\nlabels:\n  - {label: l, input: small, models: [eab, network],\n"
        "    choices: {memory: 1 / kernel_time@memory, sm: 1 / kernel_time@sm, no: 1 /s},\n"
        "    workloads: {nn: memory}}\n");
    struct validation_request request = {.threads = 1, .all = true};
    struct sheet *rows = sheet_create(decisions_columns);
    struct published *published;
    enum { MARGIN = 8, OTHER = 10, ERROR, WORKLOAD, PROFILE, FORMULA, REST, SIMULATED };
    size_t found = 0;
    check_ok(published_load(file, &published, &failure));
    check_ok(decisions_of(published, &request, rows, &found, &failure));
    assert_int_equal(sheet_rows(rows), 3);
    for (size_t r = 0; r < 3; r++) {
        double margin = sheet_at(rows, r, MARGIN)->number, sum = 0, known = 0;
        for (size_t c = WORKLOAD; c <= REST; c++)
            if (sheet_knows(rows, r, c)) {
                sum += sheet_at(rows, r, c)->number;
                known++;
            }
        assert_string_equal(sheet_at(rows, r, OTHER)->text, "sm");
        check_relative(sheet_at(rows, r, ERROR)->number, -log((1 + margin) * 1.05), 1e-9);
        check_relative(sum, sheet_at(rows, r, ERROR)->number, 1e-9);
        check_relative(known, r < 2 ? 4 : 1, 1e-12);
    }
    check_relative(sheet_at(rows, 0, WORKLOAD)->number, 0, 1e-12); /* it is the label's input */
    check_relative(sheet_at(rows, 0, SIMULATED)->number, 1, 1e-12);
    check_relative(sheet_at(rows, 0, REST)->number, sheet_at(rows, 2, ERROR)->number, 1e-9);
    sheet_destroy(rows);
    published_destroy(published);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines, workloads and answers for tests: what fails, fails the test. */
#include "check.h"

#include "core/memory.h"
#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "machine/machine.h"
#include "support.h"
#include "workload/workload.h"
#include "yaml/yaml.h"

static struct {
    struct machine **items;
    size_t count, capacity;
} shipped;

static const struct machine *read_once(const char *name)
{
    struct machine *machine;
    for (size_t i = 0; i < shipped.count; i++)
        if (strcmp(shipped.items[i]->name, name) == 0)
            return shipped.items[i];
    check_ok(machine_load(name, &machine, &failure));
    VECTOR_PUSH(&shipped, machine);
    return machine;
}

void check_set(struct machine *machine, const char *path, const char *value)
{
    check_ok(machine_set(machine, path, value, NULL, &failure));
}

void check_settings(struct machine *machine, const char *const *settings)
{
    for (; settings && *settings; settings += 2)
        check_set(machine, settings[0], settings[1]);
}

struct machine *check_shipped(const char *name, const char *const *settings)
{
    struct machine *machine;
    if (strchr(name, '/')) /* a file, which may be another one the next time */
        check_ok(machine_load(name, &machine, &failure));
    else
        machine = machine_clone(read_once(name));
    check_settings(machine, settings);
    return machine;
}

void support_forget_machines(void)
{
    for (size_t i = 0; i < shipped.count; i++)
        machine_destroy(shipped.items[i]);
    VECTOR_FREE(&shipped);
}

struct machine *check_machine(const char *text)
{
    struct yaml_document *document;
    struct machine *machine = NULL;
    check_ok(yaml_parse("machine.yaml", text, strlen(text), &document, &failure));
    check_ok(machine_read(document->root, "machine.yaml", &machine, &failure));
    yaml_destroy(document);
    return machine;
}

struct source *check_source(const char *spec)
{
    struct source *source;
    check_ok(source_open(spec, &source, &failure));
    return source;
}

double check_simulated_time(const struct machine *machine, const struct source *source)
{
    struct simulate_gpu_options whole = referee_options(100000000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, source, &whole, &result, &failure));
    assert_true(result->whole);
    double time = result->kernel_time_s;
    simulate_gpu_result_destroy(result);
    return time;
}

struct answer *check_answer(const char *model, const struct machine *machine,
                            const struct profile_view *view)
{
    struct answer *answer;
    check_ok(answer_create((const struct model *)plugin_find("model", model), machine, view,
                           &answer, &failure));
    return answer;
}

struct profile_record check_record(void)
{
    struct profile_record record = {.name = "", .launches = 1};
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = (double)NAN;
    return record;
}

struct profile_record check_traffic(void)
{
    struct profile_record record = check_record();
    record.fields[FIELD_CTAS] = 1000;
    record.fields[FIELD_WARP_INSTRUCTIONS] = 2000;
    record.fields[FIELD_WARP_ACCESSES] = record.fields[FIELD_LINE_ACCESSES] = 1000;
    record.fields[FIELD_SECTOR_ACCESSES] = 4000;
    record.fields[FIELD_L1_READS] = 800;
    record.fields[FIELD_L1_READ_HITS] = record.fields[FIELD_READS] = 400;
    record.fields[FIELD_WRITES] = 150;
    record.fields[FIELD_ATOMICS] = 50;
    record.fields[FIELD_REQUESTS] = 600;
    record.fields[FIELD_BYTES] = 600 * 128;
    record.fields[FIELD_L1_UNIFORMITY] = 0.8;
    return record;
}

struct answer *check_answer_of(const char *model, const struct machine *machine,
                               const struct profile_record *record)
{
    struct profile_view view = {.records = (struct profile_record *)(size_t)record, .n_records = 1};
    return check_answer(model, machine, &view);
}

double check_metric(const char *model, const struct machine *machine,
                    const struct profile_record *record, const char *metric)
{
    struct answer *answer = check_answer_of(model, machine, record);
    double value = answer_metric(answer, metric);
    answer_destroy(answer);
    return value;
}

void check_refused(const char *model, const struct machine *machine,
                   const struct profile_view *view, int status, const char *words)
{
    struct answer *answer;
    check_error(answer_create((const struct model *)plugin_find("model", model), machine, view,
                              &answer, &failure),
                status, words);
    assert_null(answer);
}

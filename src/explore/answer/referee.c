/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choices of models, launch by launch, for the simulation. */
#include "explore/answer/referee.h"

#include <math.h>
#include <string.h>

#include "explore/answer/answer.h"
#include "machine/organisation.h"

struct choices {
    const struct answer *answer; /* NULL: nothing to choose */
    bool grouped;                /* records stand for several launches */
};

struct simulate_gpu_options referee_options(uint64_t requests)
{
    return (struct simulate_gpu_options){
        .requests = requests, .confidence = 0.95, .l1_hit_rate = -1, .llc_hit_rate = -1};
}

static const char *name_of(const struct machine *machine, const char *path)
{
    struct error ignored;
    const char *name;
    return machine_name(machine, path, &name, &ignored) ? "" : name;
}

const struct model *referee_model(const struct machine *machine)
{
    const struct organisation *organisation = (const struct organisation *)plugin_find(
        "organisation", name_of(machine, "llc.organisation"));
    /* A replication that decides has the name of the model by which it does. */
    const char *model = organisation && organisation->choice ? organisation->choice->model
                                                             : name_of(machine, "llc.replication");
    return (const struct model *)plugin_find("model", model);
}

/* Time from its start after which a launch follows its choice. */
static double turn_after(const struct machine *machine, const struct model *model)
{
    const struct organisation *organisation = (const struct organisation *)plugin_find(
        "organisation", name_of(machine, "llc.organisation"));
    const char *path =
        organisation && organisation->choice ? organisation->choice->window : model->decides_after;
    struct error ignored;
    double time = 0;
    return path && machine_number(machine, path, &time, &ignored) == 0 ? time : 0;
}

bool referee_is_of(const struct profile_record *record, const char *kernel, const uint32_t grid[3],
                   const uint32_t block[3])
{
    return strcmp(record->name, kernel) == 0 &&
           memcmp(record->grid, grid, sizeof record->grid) == 0 &&
           memcmp(record->block, block, sizeof record->block) == 0;
}

static bool choose(void *context, size_t launch, const struct stream_kernel *kernel)
{
    const struct choices *choices = context;
    const struct answer *answer = choices->answer;
    const struct model_record *record = NULL;
    for (size_t r = 0; r < answer->result.n_records && !record; r++)
        if (choices->grouped ? referee_is_of(answer->result.records[r].record, kernel->name,
                                             kernel->grid, kernel->block)
                             : r == launch)
            record = &answer->result.records[r];
    if (!record || record->empty)
        return false;
    if (record->decision >= 0)
        return answer->values[record->decision] != 0;
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, "replicating") == 0)
            return answer->values[record->metrics[i].term] != 0;
    return false;
}

/* What a model's own parameters describe and cannot be built. */
static int check_built(const struct machine *machine, struct error *error)
{
    const struct plugin *plugin;
    size_t cursor = 0;
    int status = 0;
    while (!status && (plugin = plugin_next("model", &cursor))) {
        const struct model *model = (const struct model *)plugin;
        status = model->check ? model->check(machine, error) : 0;
    }
    return status;
}

int referee_simulate(const struct subject *subject, const struct machine *machine,
                     const struct simulate_gpu_options *options, struct simulate_gpu_result **out,
                     struct error *error)
{
    const struct model *model = referee_model(machine);
    struct simulate_gpu_options own = *options;
    struct answer *answer = NULL;
    struct choices choices = {0};
    int status = 0;
    *out = NULL;
    if (!subject->source) {
        error_set(error, STATUS_INPUT, "workload %s: its source is needed, to simulate it",
                  subject->name);
        return error_hint(error, "name a workload or a trace; numbers have no requests");
    }
    status = check_built(machine, error);
    if (!status && model) {
        struct model_views views;
        status = subject_views(subject, model, machine, &views, error);
        if (!status)
            status = answer_create_variants(model, machine, &views, &answer, error);
        for (size_t r = 0; !status && r < answer->result.n_records; r++)
            choices.grouped |= answer->result.records[r].record->launches > 1;
        choices.answer = answer;
        own.choose = choose;
        own.context = &choices;
        own.turn_after_s = turn_after(machine, model);
    }
    if (!status)
        status = simulate_gpu(machine, subject->source, &own, out, error);
    answer_destroy(answer);
    return status;
}

struct referee_rival referee_ask(const struct model *model, const struct subject *subject,
                                 const struct machine *machine)
{
    struct referee_rival rival = {(double)NAN, (double)NAN};
    struct answer *answer = NULL;
    struct model_views views;
    struct error ignored;
    if (!model || subject_views(subject, model, machine, &views, &ignored) ||
        answer_create_variants(model, machine, &views, &answer, &ignored))
        return rival;
    rival.bandwidth_bytes_per_s = answer_metric(answer, "effective_bandwidth");
    rival.time_s = answer_metric(answer, "kernel_time");
    answer_destroy(answer);
    return rival;
}

double referee_error(const struct simulate_gpu_result *result, const struct referee_rival *rival)
{
    double rate = rival->bandwidth_bytes_per_s / result->bandwidth_bytes_per_s.mean;
    return (result->whole ? result->kernel_time_s / rival->time_s : rate) - 1;
}

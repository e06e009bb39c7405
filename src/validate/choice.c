/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the model that decides, under the organisation that chooses for the choices and under the
 * two others for what they are worth. */
#include "validate/choice.h"

#include <math.h>
#include <string.h>

#include "explore/answer/answer.h"
#include "machine/organisation.h"

/* The first that does. */
static const struct organisation *choosing_organisation(void)
{
    const struct plugin *plugin;
    for (size_t cursor = 0; (plugin = plugin_next("organisation", &cursor));)
        if (((const struct organisation *)plugin)->choice)
            return (const struct organisation *)plugin;
    return NULL;
}

/* `decides`: from what the organisation does, where it chooses. */
static int ask(const struct organisation_choice *choice, const char *organisation,
               const char *decides, const struct machine *machine, const struct profile_view *view,
               struct answer **out, struct error *error)
{
    const struct plugin *model;
    struct machine *organised = machine_clone(machine);
    int status = plugin_require("model", choice->model, &model, error);
    if (!status)
        status = machine_set(organised, "llc.organisation", organisation, NULL, error);
    if (!status)
        status = machine_set(organised, choice->decides, decides, NULL, error);
    if (!status)
        status = answer_create((const struct model *)model, organised, view, out, error);
    machine_destroy(organised);
    return status;
}

static bool leaves_the_usual(const struct answer *answer, size_t record)
{
    const struct model_record *r = answer ? &answer->result.records[record] : NULL;
    return r && !r->empty && r->decision >= 0 && answer->values[r->decision] != 0;
}

static double bandwidth(const struct answer *answer, size_t record)
{
    const struct model_record *r = &answer->result.records[record];
    for (int i = 0; i < r->n_metrics; i++)
        if (strcmp(r->metrics[i].name, "effective_bandwidth") == 0)
            return answer->values[r->metrics[i].term];
    return (double)NAN;
}

static bool has_requests(const struct profile_view *view)
{
    bool any = false;
    for (size_t r = 0; r < view->n_records && !any; r++)
        any = view->records[r].fields[FIELD_REQUESTS] > 0;
    return any;
}

/* The answers of one comparison; `seen` is NULL where nothing was seen. */
struct answers {
    struct answer *run, *seen, *sides[2]; /* sides: usual, other */
};

static void compare(const struct profile_view *run, const struct answers *answers,
                    struct choice *out)
{
    double run_s = 0, seen_s = 0;
    *out = (struct choice){0};
    for (size_t r = 0; r < run->n_records; r++) {
        const struct profile_record *record = &run->records[r];
        double launches = (double)record->launches, bytes = record->fields[FIELD_BYTES];
        bool exact = leaves_the_usual(answers->run, r), other = leaves_the_usual(answers->seen, r);
        if (answers->run->result.records[r].empty)
            continue;
        out->launches += launches;
        out->run_sm_side += exact ? launches : 0;
        out->seen_sm_side += other ? launches : 0;
        out->agree += exact == other ? launches : 0;
        run_s += bytes / bandwidth(answers->sides[exact], r);
        seen_s += bytes / bandwidth(answers->sides[other], r);
    }
    out->loss_frac = 1 - run_s / seen_s; /* the same bytes in both */
}

int choice_compare(const struct profile_view *run, const struct profile_view *seen,
                   const char *decides, const struct machine *machine, struct choice *out,
                   struct error *error)
{
    const struct organisation *organisation = choosing_organisation();
    const struct organisation_choice *choice = organisation->choice;
    struct answers answers = {0};
    const char *name = organisation->plugin.name;
    int status = ask(choice, choice->usual, "exact", machine, run, &answers.sides[0], error);
    if (!status)
        status = ask(choice, choice->other, "exact", machine, run, &answers.sides[1], error);
    if (!status)
        status = ask(choice, name, "exact", machine, run, &answers.run, error);
    if (!status && has_requests(seen))
        status = ask(choice, name, decides, machine, seen, &answers.seen, error);
    if (!status)
        compare(run, &answers, out);
    answer_destroy(answers.sides[0]);
    answer_destroy(answers.sides[1]);
    answer_destroy(answers.run);
    answer_destroy(answers.seen);
    return status;
}

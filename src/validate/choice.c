/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the EAB model, under `sac` for the choices and under either side for what they are
 * worth. */
#include "validate/choice.h"

#include <math.h>
#include <string.h>

#include "explore/answer.h"

static const char memory_side[] = "memory-side", sm_side[] = "sm-side", sac[] = "sac";

static int ask(const char *organisation, const struct machine *machine,
               const struct profile_view *view, struct answer **out, struct error *error)
{
    const struct plugin *eab;
    struct machine *organised = machine_clone(machine);
    int status = plugin_require("model", "eab", &eab, error);
    if (!status)
        status = machine_set(organised, "llc.organisation", organisation, NULL, error);
    if (!status)
        status = answer_create((const struct model *)eab, organised, view, out, error);
    machine_destroy(organised);
    return status;
}

static bool on_sm_side(const struct answer *answer, size_t record)
{
    const char *decision = answer ? answer_decision(answer, &answer->result.records[record]) : NULL;
    return decision && strcmp(decision, sm_side) == 0;
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
    struct answer *run, *seen, *sides[2]; /* sides: memory-side, SM-side */
};

static void compare(const struct profile_view *run, const struct answers *answers,
                    struct choice *out)
{
    double run_s = 0, seen_s = 0;
    *out = (struct choice){0};
    for (size_t r = 0; r < run->n_records; r++) {
        const struct profile_record *record = &run->records[r];
        double launches = (double)record->launches, bytes = record->fields[FIELD_BYTES];
        bool exact = on_sm_side(answers->run, r), other = on_sm_side(answers->seen, r);
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
                   const struct machine *machine, struct choice *out, struct error *error)
{
    struct answers answers = {0};
    int status = ask(memory_side, machine, run, &answers.sides[0], error);
    if (!status)
        status = ask(sm_side, machine, run, &answers.sides[1], error);
    if (!status)
        status = ask(sac, machine, run, &answers.run, error);
    if (!status && has_requests(seen))
        status = ask(sac, machine, seen, &answers.seen, error);
    if (!status)
        compare(run, &answers, out);
    answer_destroy(answers.sides[0]);
    answer_destroy(answers.sides[1]);
    answer_destroy(answers.run);
    answer_destroy(answers.seen);
    return status;
}

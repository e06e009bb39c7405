/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU networks a second, on one core, as a sweep evaluates them: machine sac, bandwidths of
 * links, memories, slices and crossbars varied; domains that are alike, and that are not, of which
 * each answer takes a network a phase: as one domain after the other ends, four. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explore/answer/answer.h"

enum { WIDTH = 512, DOMAINS = 4, AXES = 4 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Thousand points a second in blocks of `width`, the best of three. */
static double speed(const struct answer *answer, const struct machine *machine, int width,
                    struct error *error)
{
    static const char *const axes[AXES] = {"inter.link_bandwidth", "memory.bandwidth",
                                           "llc.bandwidth", "noc.bandwidth"};
    static double columns[AXES][WIDTH];
    int n = term_input_count(answer->graph);
    int output = model_result_metric(&answer->result, "effective_bandwidth");
    double *inputs = memory_zero((size_t)n, sizeof *inputs), best = 0;
    enum term_rate *rates = memory_zero((size_t)n, sizeof *rates);
    if (model_bind(answer->graph, machine, inputs, error))
        return (double)NAN;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < AXES; a++)
            if (strcmp(term_get(answer->graph, term_input_term(answer->graph, i))->name, axes[a]) ==
                0)
                rates[i] = TERM_POINT;
    struct term_program *program = term_program_create(answer->graph, &output, 1, rates, width);
    struct term_state *state = term_state_create(program);
    for (int i = 0, a = 0; i < n; i++)
        if (rates[i] == TERM_POINT) {
            for (int p = 0; p < width; p++)
                columns[a][p] = inputs[i] * pow(2, 4.0 * ((p * (2 * a + 1)) % width) / width - 1);
            term_state_column(state, i, columns[a++]);
        } else {
            term_state_scalar(state, i, inputs[i]);
        }
    term_state_begin(state);
    for (int round = 0; round < 3; round++) {
        double start = seconds(), passed;
        int blocks = 0;
        do {
            term_state_block(state, width);
            blocks++;
            passed = seconds() - start;
        } while (passed < 0.3);
        best = fmax(best, 1e-3 * blocks * width / passed);
    }
    term_state_destroy(state);
    term_program_destroy(program);
    free(inputs);
    free(rates);
    return best;
}

static int bench(const char *name, const char *service, double *traffic, struct error *error)
{
    struct profile_record record = {.name = "", .launches = 1};
    struct profile_view view = {.records = &record, .n_records = 1};
    struct machine *machine;
    struct answer *answer;
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = (double)NAN;
    record.fields[FIELD_R_LOCAL] = 0.6;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = 0.7;
    record.fields[FIELD_LSU_MEMORY_SIDE] = 0.95;
    record.traffic = traffic;
    record.n_domains = traffic ? DOMAINS : 0;
    int status = machine_load("sac", &machine, error);
    if (!status)
        status = machine_set(machine, "network.service", service, NULL, error);
    if (!status)
        status = answer_create((const struct model *)plugin_find("model", "network"), machine,
                               &view, &answer, error);
    if (status)
        return status;
    double one = speed(answer, machine, 1, error), many = speed(answer, machine, WIDTH, error);
    printf("%-22s %-14s %14.2f %10.2f\n", name, service, one, many);
    answer_destroy(answer);
    machine_destroy(machine);
    return 0;
}

int main(void)
{
    static const char *const services[] = {"deterministic", "exponential"};
    struct error error;
    double traffic[DOMAINS * DOMAINS];
    memory_keep_freed(); /* as the program does */
    for (int i = 0; i < DOMAINS * DOMAINS; i++)
        traffic[i] = (i % (DOMAINS + 1) == 0 ? 6.0 : 1.0) + 0.1 * ((i * 7) % 5);
    printf("GPU networks: thousand answers a second, one core; machine sac, four bandwidths varied.\n"
           "An answer for unlike domains solves a network for each end of one: four.\n\n"
           "%-22s %-14s %14s %10s\n",
           "domains", "service", "one at a time", "batched");
    for (int s = 0; s < 2; s++)
        if (bench("alike: one class", services[s], NULL, &error) ||
            bench("unlike: four classes", services[s], traffic, &error)) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    printf("\n");
    return 0;
}

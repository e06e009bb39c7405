/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of inputs over a structure's points. */
#include "explore/sweep/sweep_filling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

/* The numbers of machines at a sample of points, evaluated together: nothing of the models. */
struct sample {
    struct term_program *program;
    struct term_state *state;
    double *columns; /* [input * FILLING_SAMPLE + point] */
    int count;
};

/* Digits of the i-th point of the free axes, the last one fastest. */
static void free_digits(const struct sweep *sweep, const struct structure *s, uint64_t i,
                        size_t *digits)
{
    for (size_t a = sweep->space->n_axes; a-- > 0;) {
        const struct space_axis *axis = &sweep->space->axes[a];
        digits[a] = 0;
        if (!s->part->active[a] || axis->structural)
            continue;
        digits[a] = (size_t)(i % axis->n_values);
        i /= axis->n_values;
    }
}

/* One point of each of so many parts, at a hashed place: even steps would fall in line with axes.
 */
static uint64_t sample_place(uint64_t points, uint64_t parts, uint64_t k)
{
    uint64_t size = points / parts, extra = points % parts;
    return k * size + (k < extra ? k : extra) + hash_fmix64(k + 1) % (size + (k < extra));
}

/* Columns of the inputs that axes feed, scalars of the others. */
static int bind(const struct sweep *sweep, const struct structure *s, uint64_t points,
                struct sample *out)
{
    size_t n_inputs = (size_t)term_input_count(s->graph);
    double *constants = memory_zero(n_inputs, sizeof *constants);
    enum term_rate *rates = memory_zero(n_inputs, sizeof *rates);
    size_t *digits = memory_zero(sweep->space->n_axes, sizeof *digits);
    int outputs[FILLING_NUMBERS], n = 0;
    struct error ignored;
    int status = model_bind(s->graph, s->machine, constants, &ignored);
    out->columns = memory_zero(n_inputs * FILLING_SAMPLE, sizeof *out->columns);
    for (int i = 0; i < FILLING_NUMBERS; i++)
        if (s->room.terms[i] >= 0)
            outputs[n++] = s->room.terms[i];
    for (size_t i = 0; i < n_inputs; i++) {
        size_t axis, assignment;
        bool varies = structure_input_axis(sweep, s, (int)i, &axis, &assignment);
        rates[i] = varies ? TERM_POINT : TERM_SWEEP;
        for (int k = 0; varies && k < out->count; k++) {
            free_digits(sweep, s, sample_place(points, (uint64_t)out->count, (uint64_t)k), digits);
            out->columns[i * FILLING_SAMPLE + (size_t)k] =
                sweep->space->axes[axis].values[digits[axis]].assignments[assignment].value.number;
        }
    }
    out->program = term_program_create(s->graph, outputs, n, rates, FILLING_SAMPLE);
    out->state = term_state_create(out->program);
    for (size_t i = 0; i < n_inputs; i++)
        if (rates[i] == TERM_SWEEP)
            term_state_scalar(out->state, (int)i, constants[i]);
        else
            term_state_column(out->state, (int)i, out->columns + i * FILLING_SAMPLE);
    term_state_begin(out->state);
    free(constants);
    free(rates);
    free(digits);
    return status;
}

static struct filling_room room_at(const struct structure *s, const struct sample *sample, int k)
{
    struct filling_room room;
    int output = 0;
    memcpy(room.caches, s->room.caches, sizeof room.caches);
    for (int i = 0; i < FILLING_NUMBERS; i++) {
        bool scalar;
        room.numbers[i] = (double)NAN;
        if (s->room.terms[i] < 0)
            continue;
        const double *column = term_state_output(sample->state, output++, &scalar);
        room.numbers[i] = column[scalar ? 0 : k];
    }
    return room;
}

/* Of one workload at one point: *counts of its kinds. */
static void add_point(const struct filling_input *input, const struct filling_room *room,
                      uint64_t structure, struct sweep_reason *said, uint64_t *counts)
{
    struct filling filling = filling_judge(input, room);
    for (int kind = 0; kind < FILLING_KINDS; kind++) {
        struct text text = {0};
        if (!(filling.has >> kind & 1))
            continue;
        counts[kind]++;
        if (said[kind].text && said[kind].first.structure <= structure)
            continue;
        free(said[kind].text);
        text_printf(&text, "%s: ", filling_names[kind]);
        filling_say(&filling, (enum filling_kind)kind, input, room, &text);
        said[kind].text = text.data;
        said[kind].first.structure = structure;
    }
}

void sweep_add_filling(struct sweep *sweep, struct structure *s)
{
    uint64_t points = s->part->count / s->part->structures;
    size_t n_workloads = sweep->space->n_workloads;
    struct sample sample = {.count = points < FILLING_SAMPLE ? (int)points : FILLING_SAMPLE};
    structure_add_room(sweep, s);
    int status = bind(sweep, s, points, &sample);
    if (!status && sample.count)
        term_state_block(sample.state, sample.count);
    for (size_t w = 0; w < n_workloads && !status; w++) {
        struct sweep_reason *said = &sweep->filling[w * FILLING_KINDS];
        uint64_t counts[FILLING_KINDS] = {0};
        for (int k = 0; k < sample.count && s->filling[w].view; k++) {
            struct filling_room room = room_at(s, &sample, k);
            add_point(&s->filling[w], &room, sweep->place.structure, said, counts);
        }
        for (int kind = 0; kind < FILLING_KINDS; kind++)
            said[kind].count +=
                (uint64_t)llround((double)counts[kind] / sample.count * (double)points);
    }
    term_state_destroy(sample.state);
    term_program_destroy(sample.program);
    free(sample.columns);
}

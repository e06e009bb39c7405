/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an input leaves of a machine. */
#include "profile/record/filling.h"

#include <math.h>
#include <string.h>

const char *const filling_names[FILLING_KINDS] = {
#define FILLING_NAME(symbol, name, words) name,
    FILLING_KINDS_OF(FILLING_NAME)
#undef FILLING_NAME
};

/* Shares of work below that change no conclusion; launches of fewer latencies are mostly the way
 * in and out (filling takes one, and draining one, whatever bounds what is between). */
static const double matters = 0.1, latencies = 10;

static double known(double value)
{
    return value > 0 ? value : 0;
}

/* What is unknown or does not exist takes no time. */
static double over(double work, double rate)
{
    return rate > 0 ? known(work) / rate : 0;
}

/* --- launches ---------------------------------------------------------------------- */

static double blocks_of(const struct profile_record *record)
{
    return record->fields[FIELD_CTAS] / (double)record->launches;
}

/* What the waits of one warp behind another take, of a launch. */
static double waiting_s(const struct profile_record *record, const double *room)
{
    const double *f = record->fields;
    double threads = (double)record->block[0] * record->block[1] * record->block[2];
    double warps = f[FIELD_CTAS] * ceil(threads / WARP_LANES);
    double hits = f[FIELD_L1_READ_HITS] / f[FIELD_L1_READS];
    double turns = warps / (double)record->launches / (room[FILLING_SMS] * room[FILLING_WARPS]);
    double wait = hits * room[FILLING_L1_LATENCY] + (1 - hits) * room[FILLING_MEMORY_LATENCY];
    return known(over(f[FIELD_LOAD_GROUPS], warps) * fmax(1, turns) * wait);
}

/* Of one launch; NaN where the profile does not say how much is asked for. */
static double work_s(const struct profile_record *record, const double *room)
{
    const double *f = record->fields;
    double launches = (double)record->launches, bytes = f[FIELD_BYTES] / launches;
    double sms = fmin(blocks_of(record), room[FILLING_SMS]); /* unknown: all */
    if (!(room[FILLING_MEMORY_RATE] > 0))
        return (double)NAN;
    return bytes / room[FILLING_MEMORY_RATE] +
           over(bytes * (1 - f[FIELD_R_LOCAL]), room[FILLING_LINK_RATE]) +
           over(f[FIELD_WARP_INSTRUCTIONS] / launches, room[FILLING_ISSUE] * sms) +
           waiting_s(record, room);
}

static void judge_launches(const struct profile_view *view, const double *room, struct filling *out)
{
    double limit = latencies * room[FILLING_MEMORY_LATENCY], all = 0;
    bool timed = true;
    for (size_t r = 0; r < view->n_records; r++)
        timed = timed && !isnan(work_s(&view->records[r], room));
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        double one = work_s(record, room), blocks = blocks_of(record);
        double launches = (double)record->launches, work = timed ? one * launches : launches;
        out->launches += launches;
        all += work;
        if (blocks < room[FILLING_SMS]) {
            if (out->idle.launches == 0 || blocks < out->idle.extreme)
                out->idle.extreme = blocks;
            out->idle.launches += launches;
            out->idle.share += work;
        }
        if (one < limit) {
            out->brief.launches += launches;
            out->brief.share += work;
            out->brief.extreme = fmax(out->brief.extreme, one);
        }
    }
    out->idle.share = over(out->idle.share, all);
    out->brief.share = over(out->brief.share, all);
    out->has |= (unsigned)(out->idle.share >= matters) << FILLING_IDLE_SMS |
                (unsigned)(out->brief.share >= matters) << FILLING_SHORT;
}

/* --- all of them --------------------------------------------------------------------- */

struct filling filling_judge(const struct filling_input *input, const struct filling_room *room)
{
    struct filling out = {0};
    double footprint = input->view->sharing.footprint_bytes;
    judge_launches(input->view, room->numbers, &out);
    for (size_t c = 0; c < FILLING_NUMBERS - FILLING_CACHES && room->caches[c]; c++) {
        double bytes = room->numbers[FILLING_CACHES + c];
        if (out.has >> FILLING_FITS & 1 || !(footprint <= bytes && input->published_bytes > bytes))
            continue;
        out.cache = c;
        out.has |= 1U << FILLING_FITS;
    }
    out.has |= (unsigned)(profile_is_sampled(input->view)) << FILLING_SAMPLED;
    return out;
}

static void append_launches(const struct filling *filling, const struct filling_launches *some,
                            struct text *out)
{
    if (filling->launches == 1)
        text_append(out, "its launch");
    else
        text_printf(out, "%.0f of %.0f launches, %.0f %% of the work,", some->launches,
                    filling->launches, 100 * some->share);
}

static const char *megabytes(double bytes, char *buffer, size_t size)
{
    quantity_format((struct quantity){bytes * 1e-6, DIM_NONE}, 3, buffer, size);
    return buffer;
}

void filling_say(const struct filling *filling, enum filling_kind kind,
                 const struct filling_input *input, const struct filling_room *room,
                 struct text *out)
{
    const bool one = filling->launches == 1;
    char buffer[3][64];
    switch (kind) {
    case FILLING_IDLE_SMS:
        append_launches(filling, &filling->idle, out);
        text_printf(out, " %s fewer thread blocks (%s%.0f) than there are SMs (%.0f)",
                    one ? "has" : "have", one ? "" : "from ", filling->idle.extreme,
                    room->numbers[FILLING_SMS]);
        break;
    case FILLING_SHORT:
        append_launches(filling, &filling->brief, out);
        text_printf(
            out, " %s shorter (%s) than ten memory latencies (%s)", one ? "is" : "are",
            quantity_format((struct quantity){filling->brief.extreme, DIM_SECONDS}, 3, buffer[0],
                            sizeof buffer[0]),
            quantity_format(
                (struct quantity){latencies * room->numbers[FILLING_MEMORY_LATENCY], DIM_SECONDS},
                3, buffer[1], sizeof buffer[1]));
        break;
    case FILLING_FITS:
        text_printf(
            out, "the footprint (%s MB) fits in %s (%s MB), the published one (%s MB) not",
            megabytes(input->view->sharing.footprint_bytes, buffer[0], sizeof buffer[0]),
            room->caches[filling->cache],
            megabytes(room->numbers[FILLING_CACHES + filling->cache], buffer[1], sizeof buffer[1]),
            megabytes(input->published_bytes, buffer[2], sizeof buffer[2]));
        break;
    case FILLING_SAMPLED:
    case FILLING_KINDS: {
        char note[128];
        profile_sample_note(input->view, note, sizeof note);
        text_append(out, note);
        return; /* another input would be sampled as well */
    }
    }
    if (input->hint)
        text_printf(out, "; %s", input->hint);
}

void filling_lines(const struct filling_input *input, const struct filling_room *room,
                   const char *before, struct text *out)
{
    struct filling filling = filling_judge(input, room);
    for (int kind = 0; kind < FILLING_KINDS; kind++) {
        if (!(filling.has >> kind & 1))
            continue;
        text_printf(out, "%s%s%s: ", before ? before : "", before ? ": " : "", filling_names[kind]);
        filling_say(&filling, (enum filling_kind)kind, input, room, out);
        text_append(out, "\n");
    }
}

void filling_append_names(unsigned set, struct text *out)
{
    bool any = false;
    for (int kind = 0; kind < FILLING_KINDS; kind++)
        if (set >> kind & 1) {
            text_printf(out, "%s%s", any ? " " : "", filling_names[kind]);
            any = true;
        }
}

void filling_append_words(unsigned set, struct text *out)
{
#define FILLING_WORDS(symbol, name, words) [symbol] = words,
    static const char *const all[FILLING_KINDS] = {FILLING_KINDS_OF(FILLING_WORDS)};
#undef FILLING_WORDS
    bool any = false;
    for (int kind = 0; kind < FILLING_KINDS; kind++)
        if (set >> kind & 1) {
            text_printf(out, "%s%s", any ? ", " : "", all[kind]);
            any = true;
        }
}

unsigned filling_scan_names(const char *text)
{
    unsigned set = 0;
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        for (int kind = 0; kind < FILLING_KINDS; kind++)
            if (strlen(filling_names[kind]) == length &&
                strncmp(filling_names[kind], text, length) == 0)
                set |= 1U << kind;
    }
    return set;
}

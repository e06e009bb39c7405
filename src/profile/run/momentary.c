/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of requests. */
#include "profile/run/momentary.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "profile/issue/residents.h"

#define FOUR_OVER_PI 1.2732395447351628

void momentary_init(struct momentary *momentary, const struct system *system)
{
    uint32_t slices = system->domains * system_llc(system)->slices;
    const uint32_t places[MOMENTARY_KINDS] = {[MOMENTARY_HOME_SLICES] = slices,
                                              [MOMENTARY_OWN_SLICES] = slices,
                                              [MOMENTARY_MEMORY] = system->domains,
                                              [MOMENTARY_LINKS] = system->chips,
                                              [MOMENTARY_FETCHES] = system->chips};
    *momentary = (struct momentary){.warps = 1, .chips_are_domains = system->partitions == 1};
    for (int k = 0; k < MOMENTARY_KINDS; k++) {
        momentary->kinds[k].places = memory_zero(places[k], sizeof *momentary->kinds[k].places);
        momentary->kinds[k].n_places = places[k];
    }
}

void momentary_fini(struct momentary *momentary)
{
    for (int k = 0; k < MOMENTARY_KINDS; k++)
        free(momentary->kinds[k].places);
    *momentary = (struct momentary){0};
}

/* Of distances that are spread geometrically about their mean. */
static void window_begin(struct momentary *momentary)
{
    double groups = momentary->window - momentary->first + 1;
    momentary->left = 1 - 1 / sqrt(1 + FOUR_OVER_PI * groups);
    momentary->fades = momentary->fades_behind;
    momentary->fades_behind += log(momentary->left);
}

void momentary_begin_launch(struct momentary *momentary, const struct system *system,
                            const struct stream_kernel *kernel)
{
    uint64_t ctas = (uint64_t)residents_per_sm(system, kernel) * system->sms;
    ctas = ctas < kernel->n_ctas ? ctas : kernel->n_ctas;
    momentary->warps = ctas ? ctas * kernel->warps_per_cta : 1;
    momentary->groups = 0;
    momentary->first = ++momentary->window;
    momentary->fades_behind = 0;
    window_begin(momentary);
    for (int k = 0; k < MOMENTARY_KINDS; k++) {
        struct momentary_count *count = &momentary->kinds[k];
        *count = (struct momentary_count){.places = count->places, .n_places = count->n_places};
    }
}

void momentary_end_window(struct momentary *momentary)
{
    for (int k = 0; k < MOMENTARY_KINDS; k++) {
        struct momentary_count *count = &momentary->kinds[k];
        if (count->before > 0) {
            count->requests += (double)count->n;
            count->met += count->pairs / count->before;
        }
        count->before = momentary->left * count->before + (double)count->n;
        count->n = 0;
        count->pairs = 0;
    }
    momentary->groups = 1;
    momentary->window++;
    window_begin(momentary);
}

void momentary_fade(const struct momentary *momentary, struct momentary_place *place)
{
    double before = place->left + place->n;
    if (place->window + 1 < momentary->window)
        before *= exp(momentary->fades - place->fades);
    if (place->window < momentary->first)
        before = 0;
    *place = (struct momentary_place){.window = momentary->window,
                                      .before = before,
                                      .left = momentary->left * before,
                                      .fades = momentary->fades_behind};
}

void momentary_fields(struct momentary *momentary, double fields[FIELD_COUNT])
{
    static const enum profile_field field[MOMENTARY_KINDS] = {
        [MOMENTARY_HOME_SLICES] = FIELD_MOMENTARY_HOME_SLICES,
        [MOMENTARY_OWN_SLICES] = FIELD_MOMENTARY_OWN_SLICES,
        [MOMENTARY_MEMORY] = FIELD_MOMENTARY_MEMORY,
        [MOMENTARY_LINKS] = FIELD_MOMENTARY_LINKS,
        [MOMENTARY_FETCHES] = FIELD_MOMENTARY_FETCHES};
    momentary_end_window(momentary);
    for (int k = 0; k < MOMENTARY_KINDS; k++) {
        bool same = k == MOMENTARY_FETCHES && momentary->chips_are_domains;
        const struct momentary_count *count = &momentary->kinds[same ? MOMENTARY_MEMORY : k];
        double met = count->n_places * count->met / count->requests;
        fields[field[k]] = count->requests > 0 ? 1 / fmax(1, met) : (double)NAN;
    }
}

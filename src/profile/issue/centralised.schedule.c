/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centralised scheduling, as a GPU without chips would do: consecutive thread
 * blocks go to consecutive chips, then to the chip's next SM. */
#include "profile/issue/schedule.h"

static uint32_t centralised_units(const struct schedule_context *context)
{
    return context->n_chips;
}

static uint32_t centralised_unit_of(const struct schedule_context *context, uint32_t sm)
{
    return sm / context->sms_per_chip;
}

static uint64_t centralised_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    if (n > UINT64_MAX / context->n_chips - 1)
        return UINT64_MAX;
    uint64_t cta = n * context->n_chips + unit;
    return cta < context->n_ctas ? cta : UINT64_MAX;
}

const struct schedule schedule_centralised = {
    .plugin = {"schedule", "centralised", "CTA i on chip i mod C, then on the chip's next SM",
               "MCM-GPU, ISCA 2017, section 5.2", NULL},
    .n_units = centralised_units,
    .unit_of = centralised_unit_of,
    .cta = centralised_cta,
};

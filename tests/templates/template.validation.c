/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a validation: copy to src/validate/<name>.validation.c, replace "template",
 * and say here what is compared, and where the published or exact figures come from. */
#include <math.h>

#include "validate/validation.h"

/* `group` titles the table; a `summary` makes the line with median and worst under it. */
static const struct validation_column template_columns[] = {
    {"figure", "figure", NULL, NULL, VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {"published", "published", NULL, "figures", VALIDATION_NUMBER, VALIDATION_NO_SUMMARY, NULL},
    {"ours", "ours", NULL, "figures", VALIDATION_NUMBER, VALIDATION_NO_SUMMARY, NULL},
    {"error", "error", "%", "figures", VALIDATION_PERCENT, VALIDATION_WORST_HIGH, "error"},
    {"how", "how", NULL, "figures", VALIDATION_TEXT, VALIDATION_NO_SUMMARY, NULL},
    {.key = NULL},
};

/* The chips of the machine, against SAC's four. */
static int template_run(const struct validation_request *request, struct validation_rows *rows,
                        struct error *error)
{
    const double published = 4;
    double chips;
    int status = machine_number(request->machine, "chips", &chips, error);
    if (status)
        return status;
    struct validation_cell cells[] = {
        {.text = "chips"},     {.number = published},
        {.number = chips},     {.number = fabs(chips - published) / published},
        {.text = "parameter"},
    };
    validation_add_row(rows, cells);
    return 0;
}

const struct validation validation_template = {
    .plugin = {"validation", "template", "one line", "where it comes from", NULL},
    .columns = template_columns,
    .reads = VALIDATION_MACHINE,
    .run = template_run,
};

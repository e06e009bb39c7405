/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a validation: copy to src/validate/<name>.validation.c, replace "template",
 * and say here what is compared, and where the published or exact figures come from. */
#include <math.h>

#include "validate/validation.h"

/* `group` titles the table; a `summary` makes the line with median and worst under it. */
static const struct sheet_column template_columns[] = {
    {"figure", "figure", NULL, SHEET_TEXT},
    {"published", "published", NULL, SHEET_NUMBER, .group = "figures"},
    {"ours", "ours", NULL, SHEET_NUMBER, .group = "figures"},
    {"error", "error", "%", SHEET_PERCENT, .group = "figures", .worst = SHEET_WORST_HIGH,
     .summary = "error"},
    {"how", "how", NULL, SHEET_TEXT, .group = "figures"},
    {.key = NULL},
};

/* The chips of the machine, against SAC's four. */
static int template_run(const struct validation_request *request, struct sheet *rows,
                        struct error *error)
{
    const double published = 4;
    double chips;
    int status = machine_number(request->machine, "chips", &chips, error);
    if (status)
        return status;
    struct sheet_cell cells[] = {
        {.text = "chips"},     {.number = published},
        {.number = chips},     {.number = fabs(chips - published) / published},
        {.text = "parameter"},
    };
    sheet_add(rows, cells);
    return 0;
}

const struct validation validation_template = {
    .plugin = {"validation", "template", "one line", "where it comes from", NULL},
    .columns = template_columns,
    .reads = VALIDATION_MACHINE,
    .run = template_run,
};

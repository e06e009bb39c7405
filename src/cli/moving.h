/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One machine, workload and model, of which a command moves parameters (explore/answer/point.h). */
#ifndef BANDSCAPE_CLI_MOVING_H
#define BANDSCAPE_CLI_MOVING_H

#include "cli/question.h"
#include "explore/answer/point.h"

struct moving {
    struct question question;
    struct point point;
};

/* --machine, --set, --organisation (one at most), --workload (one), --model. To be closed even when
 * it fails. */
int moving_open(const struct invocation *invocation, const char *command, struct moving *out,
                struct error *error);
void moving_close(struct moving *moving);

/* `option` ("vary") PATH=LOW..HIGH: "inter.link_bandwidth=48..768GB/s", "x0.5..x4", "+-20%"
 * (cli/values.h). In SI. */
struct moving_range {
    char path[128];
    struct parameter parameter; /* of the machine that it was read for */
    double low, high;
    bool whole;
};
int moving_read_range(const struct invocation *invocation, const char *option,
                      const struct machine *machine, struct moving_range *out, struct error *error);

/* The value as a user would write it, four digits of it: "131.2 GB/s". */
void moving_format(const struct moving_range *range, double value, struct text *out);

#endif

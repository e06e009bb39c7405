/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of DC-L1 share: its machine with settings. */
#ifndef BANDSCAPE_TESTS_DCL1_CHECK_H
#define BANDSCAPE_TESTS_DCL1_CHECK_H

#include "check.h"

#include <gsl/gsl_errno.h>

#include "machine/machine.h"

static struct machine *base; /* read once */

static inline int load_base(void **state)
{
    struct error error;
    (void)state;
    gsl_set_error_handler_off();
    return machine_load("dcl1", &base, &error);
}

static inline int drop_base(void **state)
{
    (void)state;
    machine_destroy(base);
    return 0;
}

/* The machine with `settings`: path, value, ..., NULL; NULL: none. */
static inline struct machine *with(const char *const *settings)
{
    struct machine *machine = machine_clone(base);
    struct error error;
    for (; settings && *settings; settings += 2)
        check_ok(machine_set(machine, settings[0], settings[1], NULL, &error));
    return machine;
}
#define SETTINGS(...)                                                                              \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif

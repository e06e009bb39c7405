/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of DC-L1 share: its machine with settings. */
#ifndef BANDSCAPE_TESTS_DCL1_CHECK_H
#define BANDSCAPE_TESTS_DCL1_CHECK_H

#include "check.h"

#include "machine/machine.h"

/* The machine with `settings`: path, value, ..., NULL; NULL: none. */
static inline struct machine *with(const char *const *settings)
{
    return check_shipped("dcl1", settings);
}

#endif

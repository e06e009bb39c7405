/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left at the end of a test program. */
#ifndef BANDSCAPE_TESTS_SUPPORT_H
#define BANDSCAPE_TESTS_SUPPORT_H

#include <stdbool.h>

/* False: something is left whose name begins with a dot, as those of unfinished files do. */
bool support_remove_folder(void);
void support_forget_machines(void);

#endif

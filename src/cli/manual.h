/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual page of the whole program, in man(7), out of descriptors and topics. */
#ifndef BANDSCAPE_CLI_MANUAL_H
#define BANDSCAPE_CLI_MANUAL_H

/* To stdout. */
void manual_print(void);

#endif

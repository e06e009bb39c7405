/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is longer than the terminal, through PAGER. */
#ifndef BANDSCAPE_CLI_PAGER_H
#define BANDSCAPE_CLI_PAGER_H

/* Takes --no-pager, which every command knows, out of the words. Returns how many are left. */
int pager_take_option(int count, char **words);

/* A text on the standard output. Through $PAGER (default: less) only where that is a terminal that
 * is too low for it, and the standard input one as well: scripts never meet it. */
void pager_show(const char *text);

#endif

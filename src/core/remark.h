/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remarks: what went wrong and was mended, or costs time but no result. They go to whoever
 * listens (the command line: the standard error); without a listener they are dropped. */
#ifndef BANDSCAPE_CORE_REMARK_H
#define BANDSCAPE_CORE_REMARK_H

/* `text` is one line without its end. Called by one thread at a time. */
typedef void remark_listener(void *context, const char *text);
void remark_set_listener(remark_listener *listener, void *context); /* NULL: none */

void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

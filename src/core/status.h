/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one list of status codes. Functions return 0 or one of these negative
 * codes and describe what happened in a `struct error` (core/error.h). */
#ifndef BANDSCAPE_CORE_STATUS_H
#define BANDSCAPE_CORE_STATUS_H

/* X(symbol, code, exit status of the process, short description) */
#define STATUS_LIST(X)                                                                             \
    X(STATUS_OK, 0, 0, "done")                                                                     \
    X(STATUS_FAILED, -1, 1, "failed")                                                              \
    X(STATUS_INPUT, -2, 2, "wrong input")                                                          \
    X(STATUS_USAGE, -3, 2, "wrong usage")                                                          \
    X(STATUS_UNKNOWN_FIELD, -4, 2, "a needed value is unknown")                                    \
    X(STATUS_IO, -5, 1, "input or output failed")                                                  \
    X(STATUS_INTERRUPTED, -6, 130, "interrupted")                                                  \
    X(STATUS_INFEASIBLE, -7, 2, "the design cannot be built")                                      \
    X(STATUS_NO_PICTURE, -8, 1, "gnuplot made no picture")

enum status {
#define STATUS_ENUM(symbol, code, exit_status, text) symbol = (code),
    STATUS_LIST(STATUS_ENUM)
#undef STATUS_ENUM
};

#endif

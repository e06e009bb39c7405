/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remarks, from any thread to one listener. */
#include "core/remark.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static struct {
    remark_listener *listener;
    void *context;
    pthread_mutex_t lock;
} remarks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void remark_set_listener(remark_listener *listener, void *context)
{
    pthread_mutex_lock(&remarks.lock);
    remarks.listener = listener;
    remarks.context = context;
    pthread_mutex_unlock(&remarks.lock);
}

void remark(const char *format, ...)
{
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pthread_mutex_lock(&remarks.lock);
    if (remarks.listener)
        remarks.listener(remarks.context, text);
    pthread_mutex_unlock(&remarks.lock);
}

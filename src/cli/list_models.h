/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CLI_LIST_MODELS_H
#define BANDSCAPE_CLI_LIST_MODELS_H

#include "core/error.h"

/* Prints a model's page. What it reads is found by building it for the machine (NULL: the one
 * that the model is for). */
int list_model(const char *name, const char *machine, struct error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/moving.h"

#include <stdio.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/values.h"

int moving_open(const struct invocation *inv, const char *command, struct moving *out,
                struct error *error)
{
    const char *name = option_value(inv, "model", 0);
    const struct plugin *model = NULL;
    *out = (struct moving){0};
    int status = question_read(inv, command, false, &out->question, error);
    if (!status && out->question.subjects.count != 1)
        status = error_set(error, STATUS_USAGE, "%s takes one workload", command);
    if (!status && option_given(inv, "organisation"))
        status = machine_set(out->question.machine, "llc.organisation",
                             out->question.organisations.items[0], NULL, error);
    if (!status && name)
        status = plugin_require("model", name, &model, error);
    if (!status)
        status = point_open(&out->point, out->question.subjects.items[0], out->question.machine,
                            (const struct model *)model, error);
    return status;
}

void moving_close(struct moving *moving)
{
    point_close(&moving->point);
    question_fini(&moving->question);
}

int moving_read_range(const struct invocation *inv, const char *option,
                      const struct machine *machine, struct moving_range *out, struct error *error)
{
    static const char form[] = "--%s inter.link_bandwidth=48..768GB/s";
    const char *text = option_value(inv, option, 0);
    *out = (struct moving_range){0};
    if (!text) {
        error_set(error, STATUS_USAGE, "which parameter is to vary, and how far?");
        return error_hint(error, form, option);
    }
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        error_set(error, STATUS_USAGE, "--%s: expected PATH=LOW..HIGH, got \"%.80s\"", option,
                  text);
        return error_hint(error, form, option);
    }
    choice_path(text, out->path, sizeof out->path);
    int status = machine_find(machine, out->path, &out->parameter, error);
    if (!status && out->parameter.row->kind == PARAMETER_NAME) {
        error_set(error, STATUS_INPUT, "--%s: %s is a name, not a number", option, out->path);
        return error_hint(error, form, option);
    }
    if (!status)
        status = values_ends(machine, &out->parameter, equals + 1, &out->low, &out->high, error);
    if (status)
        error_context(error, "--%s", option);
    else if (!(out->low < out->high)) {
        error_set(error, STATUS_USAGE, "--%s: expected PATH=LOW..HIGH, got \"%.80s\"", option,
                  text);
        return error_hint(error, form, option);
    }
    out->whole = out->parameter.row && out->parameter.row->kind == PARAMETER_COUNT;
    return status;
}

void moving_format(const struct moving_range *range, double value, struct text *out)
{
    char words[64];
    quantity_format((struct quantity){value, range->parameter.row->dim}, 4, words, sizeof words);
    text_append(out, words);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMBINATIONS_MAX = 1000 };

void choice_path(const char *text, char *buffer, size_t size)
{
    size_t length = strcspn(text, "=");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(buffer, size, "%.*s", (int)(length < 120 ? length : 120), text);
}

/* "PATH=VALUES" for the machine as it is. To be finished even when it fails. */
static int choice_read(const char *text, const struct machine *machine, struct choice *out,
                       struct error *error)
{
    const char *value = strchr(text, '=');
    struct parameter parameter;
    *out = (struct choice){.path = ""};
    choice_path(text, out->path, sizeof out->path);
    if (!value || value == text || value[1] == '\0') {
        error_set(error, STATUS_USAGE, "expected PATH=VALUE, got \"%.100s\"", text);
        return error_hint(error, "for example --set llc.capacity=8MiB");
    }
    int status = machine_find(machine, out->path, &parameter, error);
    return status ? status : values_read(&parameter, value + 1, &out->values, error);
}

static void choice_fini(struct choice *choice)
{
    values_fini(&choice->values);
}

int choices_read(const struct invocation *inv, const struct machine *machine, struct choices *out,
                 struct error *error)
{
    int status = 0;
    *out = (struct choices){.combinations = 1};
    for (int i = 0; i < option_count(inv, "set") && !status; i++) {
        struct choice choice;
        status = choice_read(option_value(inv, "set", i), machine, &choice, error);
        for (size_t k = 0; k < out->all.count && !status; k++)
            if (strcmp(out->all.items[k].path, choice.path) == 0)
                status = error_set(error, STATUS_USAGE, "%s is given twice", choice.path);
        VECTOR_PUSH(&out->all, choice);
        out->combinations *= status ? 1 : choice.values.count;
        if (!status && out->combinations > COMBINATIONS_MAX)
            status = error_set(error, STATUS_USAGE, "more than %d combinations", COMBINATIONS_MAX);
    }
    if (status)
        error_context(error, "--set");
    return status;
}

void choices_fini(struct choices *choices)
{
    for (size_t i = 0; i < choices->all.count; i++)
        choice_fini(&choices->all.items[i]);
    VECTOR_FREE(&choices->all);
}

/* The value of setting `i` in a choice. */
static const char *choices_value(const struct choices *choices, size_t which, size_t i)
{
    for (size_t k = choices->all.count; --k > i;)
        which /= choices->all.items[k].values.count;
    return choices->all.items[i].values.items[which % choices->all.items[i].values.count];
}

int choices_apply(const struct choices *choices, size_t which, struct machine *machine,
                  struct error *error)
{
    for (size_t i = 0; i < choices->all.count; i++) {
        int status = machine_set(machine, choices->all.items[i].path,
                                 choices_value(choices, which, i), NULL, error);
        if (status) {
            error_context(error, "--set");
            return status;
        }
    }
    return machine_check(machine, error);
}

void choices_label(const struct choices *choices, const struct machine *machine, struct text *out)
{
    for (size_t i = 0; i < choices->all.count; i++) {
        const struct choice *choice = &choices->all.items[i];
        struct parameter p;
        struct error ignored;
        if (choice->values.count < 2 || machine_find(machine, choice->path, &p, &ignored))
            continue;
        text_printf(out, "%s%s=", out->length ? " " : "", choice->path);
        parameter_format(&p, &p.section->values[p.index], out);
    }
}

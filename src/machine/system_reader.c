/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a machine that is compiled. */
#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/system_internal.h"

double system_number(struct system_reader *r, const char *path)
{
    double value = 0;
    if (!r->status)
        r->status = machine_number(r->machine, path, &value, r->error);
    return r->status ? 0 : value;
}

double system_number_or(const struct system_reader *r, const char *path, double fallback)
{
    struct error ignored;
    struct parameter p;
    double value;
    return machine_lookup(r->machine, path, &p) &&
                   machine_number(r->machine, path, &value, &ignored) == 0
               ? value
               : fallback;
}

uint32_t system_count(struct system_reader *r, const char *path)
{
    uint32_t value = 0;
    if (!r->status)
        r->status = machine_count(r->machine, path, &value, r->error);
    return r->status ? 0 : value;
}

const char *system_name(struct system_reader *r, const char *path)
{
    const char *value = "";
    if (!r->status)
        r->status = machine_name(r->machine, path, &value, r->error);
    return r->status ? "" : value;
}

bool system_is(struct system_reader *r, const char *path, const char *name)
{
    return strcmp(system_name(r, path), name) == 0;
}

uint64_t system_bytes(struct system_reader *r, const char *path, bool unknown)
{
    double value = 0;
    if (r->status)
        return 0;
    r->status = machine_number(r->machine, path, &value, r->error);
    if (unknown && r->status == STATUS_UNKNOWN_FIELD)
        return (uint64_t)(r->status = 0);
    if (!r->status && (value < 0 || value > 0x1p62))
        r->status =
            error_set(r->error, STATUS_INPUT, "%s: %g bytes cannot be profiled", path, value);
    return r->status ? 0 : (uint64_t)value;
}

struct system_path system_path(const char *section, const char *field)
{
    struct system_path path;
    snprintf(path.text, sizeof path.text, "%s.%s", section, field);
    return path;
}

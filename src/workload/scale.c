/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of inputs, and parameters under them. */
#include "workload/scale.h"

#include <math.h>
#include <string.h>

#include "workload/integer.h"

static const double size_largest = 1024;

int scale_read_size(const char *text, const struct mark *mark, double *size, struct error *error)
{
    char number[64];
    const char *digits = text + (*text == 'x'), *slash = strchr(digits, '/');
    size_t length = slash ? (size_t)(slash - digits) : strlen(digits);
    double divisor = 1;
    bool good = length < sizeof number && !strchr(digits, '-');
    if (good) {
        memcpy(number, digits, length);
        number[length] = '\0';
        good = number_scan(number, size) && (!slash || number_scan(slash + 1, &divisor)) &&
               divisor > 0;
    }
    if (!good) {
        error_at(error, STATUS_INPUT, mark, "size: expected a factor, got \"%.80s\"", text);
        error_hint(error, "for example: size=x2, size=x1/32");
        return STATUS_INPUT;
    }
    *size /= divisor;
    if (*size >= 1 / size_largest && *size <= size_largest)
        return 0;
    error_at(error, STATUS_INPUT, mark, "size: expected x1/%.0f to x%.0f, got \"%.80s\"",
             size_largest, size_largest, text);
    error_hint(error, "for inputs of other sizes set the parameters themselves");
    return STATUS_INPUT;
}

struct scope {
    double size;
    scale_value_fn *value;
    const void *context;
};

static int scope_resolve(void *context, const struct expression *name, struct quantity *out,
                         struct error *error)
{
    const struct scope *scope = context;
    int64_t value;
    *out = (struct quantity){scope->size, DIM_NONE};
    if (strcmp(name->name, SCALE_SIZE_KEY) == 0)
        return 0;
    if (!scope->value(scope->context, name->name, &value))
        return error_set(error, STATUS_INPUT, "\"%.80s\" is neither %s nor a parameter", name->name,
                         SCALE_SIZE_KEY);
    out->value = (double)value;
    return 0;
}

int scale_evaluate(const char *parameter, const struct expression *expression, double size,
                   scale_value_fn *value, const void *context, int64_t *out, struct error *error)
{
    struct scope scope = {size, value, context};
    struct quantity scaled;
    int status = expression_evaluate(expression, scope_resolve, &scope, &scaled, error);
    if (status)
        return status;
    if (!dim_equal(scaled.dim, DIM_NONE))
        return error_at(error, STATUS_INPUT, &expression->mark, "%s: expected a plain number",
                        parameter);
    double rounded = round(scaled.value);
    if (rounded >= 1 && rounded < (double)INTEGER_LIMIT) {
        *out = (int64_t)rounded;
        return 0;
    }
    error_at(error, STATUS_INPUT, &expression->mark, "size x%g makes %s %g: out of range", size,
             parameter, scaled.value);
    error_hint(error, "choose a size nearer to x1, or another input");
    return STATUS_INPUT;
}

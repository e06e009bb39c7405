/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options as data: one table per command feeds parsing and help. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "core/ranks.h"
#include "core/suggest.h"
#include "core/unit.h"

struct given_option {
    const struct option_row *row;
    const char *value;
};

struct invocation {
    const struct command *command;
    struct {
        struct given_option *items;
        size_t count, capacity;
    } options;
    struct {
        const char **items;
        size_t count, capacity;
    } arguments;
};

static const struct option_row *option_by_name(const struct command *command, const char *name,
                                               size_t length)
{
    for (const struct option_row *row = command->options; row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

/* What other commands take as an option, and this one as its arguments: the machines of compare.
 * Those of a letter, or of a name. */
static bool option_is_argument(const struct command *command, char letter, const char *name,
                               struct error *error)
{
    size_t cursor = 0;
    for (const struct plugin *plugin;
         command->arguments && (plugin = plugin_next("command", &cursor));)
        for (const struct option_row *row = ((const struct command *)plugin)->options; row->name;
             row++) {
            bool meant = letter ? row->letter == letter : strcmp(row->name, name) == 0;
            if (!meant || !row->values || *row->values != '@' || strchr(row->values, ' ') ||
                !strstr(command->arguments, row->values))
                continue;
            size_t length = strcspn(command->usage, "[\n");
            while (length && command->usage[length - 1] == ' ')
                length--;
            error_hint(error, "%s are arguments here: bandscape %s %.*s", row->values + 1,
                       command->plugin.name, (int)length, command->usage);
            return true;
        }
    return false;
}

/* A space says of which machine it is: there is no option for that. */
static bool option_is_of_space(const struct command *command, char letter, const char *name,
                               struct error *error)
{
    bool machine = letter == 'm' || (name && strcmp(name, "machine") == 0);
    if (!machine || !command->arguments || strncmp(command->arguments, "@spaces", 7) != 0)
        return false;
    error_hint(error,
               "a space names its machine (its file: machine: NAME, or an axis machine: [A, B]); "
               "bandscape whatif --machine M asks one machine, compare several");
    return true;
}

static int option_unknown(const struct command *command, const char *text, struct error *error)
{
    struct suggest suggest = suggest_begin(text);
    for (const struct option_row *row = command->options; row->name; row++)
        if (row->help)
            suggest_offer(&suggest, row->name);
    error_set(error, STATUS_USAGE, "%s: unknown option \"--%.80s\"", command->plugin.name, text);
    if (option_is_argument(command, 0, text, error) || option_is_of_space(command, 0, text, error))
        return STATUS_USAGE;
    if (suggest.best)
        error_hint(error, "did you mean --%s?", suggest.best);
    else
        error_hint(error, "bandscape %s --help lists the options", command->plugin.name);
    return STATUS_USAGE;
}

static int invocation_add(struct invocation *inv, const struct option_row *row, const char *value,
                          struct error *error)
{
    if (row->stands_for)
        row = option_by_name(inv->command, row->stands_for, strlen(row->stands_for));
    if (!row->repeat && option_given(inv, row->name))
        return error_set(error, STATUS_USAGE, "--%s is given twice", row->name);
    VECTOR_PUSH(&inv->options, (struct given_option){row, value});
    return 0;
}

static int invocation_long(struct invocation *inv, const char *text, char **argv, int argc, int *i,
                           struct error *error)
{
    size_t length = strcspn(text, "=");
    const struct option_row *row = option_by_name(inv->command, text, length);
    if (!row) {
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)(length < 90 ? length : 90), text);
        return option_unknown(inv->command, name, error);
    }
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (!row->argument && value)
        return error_set(error, STATUS_USAGE, "--%s takes no value", row->name);
    if (row->argument && !value) {
        if (*i + 1 >= argc)
            return error_set(error, STATUS_USAGE, "--%s needs a value: --%s %s", row->name,
                             row->name, row->argument);
        value = argv[++*i];
    }
    return invocation_add(inv, row, value, error);
}

static int invocation_short(struct invocation *inv, const char *text, char **argv, int argc, int *i,
                            struct error *error)
{
    for (const char *c = text; *c; c++) {
        const struct option_row *row = inv->command->options;
        while (row->name && row->letter != *c)
            row++;
        if (!row->name) {
            error_set(error, STATUS_USAGE, "%s: unknown option \"-%c\"", inv->command->plugin.name,
                      *c);
            if (option_is_argument(inv->command, *c, NULL, error) ||
                option_is_of_space(inv->command, *c, NULL, error))
                return STATUS_USAGE;
            return error_hint(error, "bandscape %s --help lists the options",
                              inv->command->plugin.name);
        }
        const char *value = NULL;
        if (row->argument) {
            value = c[1] ? c + 1 : *i + 1 < argc ? argv[++*i] : NULL;
            if (!value)
                return error_set(error, STATUS_USAGE, "-%c needs a value: -%c %s", *c, *c,
                                 row->argument);
        }
        int status = invocation_add(inv, row, value, error);
        if (status || value)
            return status;
    }
    return 0;
}

int invocation_parse(const struct command *command, int argc, char **argv, struct invocation **out,
                     struct error *error)
{
    struct invocation *inv = memory_zero(1, sizeof *inv);
    inv->command = command;
    int status = 0;
    bool only_arguments = false;
    for (int i = 0; i < argc && !status; i++) {
        const char *text = argv[i];
        if (only_arguments || text[0] != '-' || text[1] == '\0')
            VECTOR_PUSH(&inv->arguments, text);
        else if (strcmp(text, "--") == 0)
            only_arguments = true;
        else if (text[1] == '-')
            status = invocation_long(inv, text + 2, argv, argc, &i, error);
        else
            status = invocation_short(inv, text + 1, argv, argc, &i, error);
    }
    if (status) {
        invocation_destroy(inv);
        inv = NULL;
    }
    *out = inv;
    return status;
}

const struct command *invocation_command(const struct invocation *inv)
{
    return inv->command;
}

void invocation_destroy(struct invocation *inv)
{
    if (!inv)
        return;
    VECTOR_FREE(&inv->options);
    VECTOR_FREE(&inv->arguments);
    free(inv);
}

int option_count(const struct invocation *inv, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < inv->options.count; i++)
        count += strcmp(inv->options.items[i].row->name, name) == 0;
    return count;
}

bool option_given(const struct invocation *inv, const char *name)
{
    return option_count(inv, name) > 0;
}

const char **option_values(const struct invocation *inv, const char *name)
{
    int count = option_count(inv, name);
    const char **values = memory_zero((size_t)count, sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = option_value(inv, name, i);
    return values;
}

const char *option_value(const struct invocation *inv, const char *name, int index)
{
    for (size_t i = 0; i < inv->options.count; i++)
        if (strcmp(inv->options.items[i].row->name, name) == 0 && index-- == 0)
            return inv->options.items[i].value;
    return NULL;
}

bool option_at(const struct invocation *inv, int index, const char **name, const char **value)
{
    if (index < 0 || index >= (int)inv->options.count)
        return false;
    *name = inv->options.items[index].row->name;
    *value = inv->options.items[index].value;
    return true;
}

int option_integer(const struct invocation *inv, const char *name, long long min, long long max,
                   long long fallback, long long *out, struct error *error)
{
    const char *text = option_value(inv, name, 0);
    double value;
    *out = fallback;
    if (!text)
        return 0;
    if (!number_scan(text, &value) || value != floor(value) || value < (double)min ||
        value > (double)max)
        return error_set(error, STATUS_USAGE,
                         "--%s: expected a whole number from %lld to %lld, got \"%.80s\"", name,
                         min, max, text);
    *out = (long long)value;
    return 0;
}

int argument_count(const struct invocation *inv)
{
    return (int)inv->arguments.count;
}

const char *argument_value(const struct invocation *inv, int index)
{
    return index < (int)inv->arguments.count ? inv->arguments.items[index] : NULL;
}

bool invocation_make_option(struct invocation *inv, int index, const char *option)
{
    const struct option_row *row = option_by_name(inv->command, option, strlen(option));
    struct error ignored;
    if (!row || invocation_add(inv, row, argument_value(inv, index), &ignored))
        return false;
    memmove(&inv->arguments.items[index], &inv->arguments.items[index + 1],
            (--inv->arguments.count - (size_t)index) * sizeof *inv->arguments.items);
    return true;
}

bool terminal_capable(FILE *stream)
{
    /* Open MPI's mpirun gives a terminal that is none, to one rank as well. */
    if (ranks_count() > 1 || getenv("OMPI_COMM_WORLD_SIZE"))
        return false;
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

bool terminal_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    return terminal_capable(stream) && !(no_colour && no_colour[0]);
}

void message(const char *format, ...)
{
    struct text line = {0};
    va_list list;
    if (!ranks_first())
        return;
    text_append(&line, "bandscape: ");
    va_start(list, format);
    text_vprintf(&line, format, list);
    va_end(list);
    terminal_put(stderr, line.data);
    fputs("\n", stderr);
    text_free(&line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several commands share. */
#include "cli/terminal.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/named.h"
#include "cli/pager.h"
#include "core/suggest.h"
#include "explore/answer/effect.h"
#include "explore/views/subject.h"
#include "profile/record/profile.h"
#include "profile/run/profiler.h"
#include "report/fold.h"

bool terminal_setting_given(const struct invocation *inv, const char *path)
{
    for (int i = 0; i < option_count(inv, "set"); i++) {
        char name[CHOICE_PATH];
        choice_path(option_value(inv, "set", i), name, sizeof name);
        if (strcmp(name, path) == 0)
            return true;
    }
    return false;
}

int terminal_apply_settings(const struct invocation *inv, struct machine *machine,
                            struct error *error)
{
    struct choices choices;
    int status = choices_read(inv, machine, &choices, error);
    if (!status && choices.combinations > 1) {
        status = error_set(error, STATUS_USAGE, "--set: this command takes one value of each");
        error_hint(error, "whatif and compare put several side by side; sweeps have axes");
    }
    if (!status)
        status = choices_apply(&choices, 0, machine, error);
    choices_fini(&choices);
    return status;
}

int terminal_require_effects(const struct invocation *inv, const struct effect *asked,
                             struct error *error)
{
    int status = 0;
    for (int i = 0; i < option_count(inv, "set") && !status; i++) {
        char path[CHOICE_PATH];
        choice_path(option_value(inv, "set", i), path, sizeof path);
        status = effect_require(asked, path, error);
    }
    return status;
}

int terminal_format(const struct invocation *inv, const char *const *names, const char **out,
                    struct error *error)
{
    const char *wanted = option_value(inv, "format", 0);
    struct text known = {0};
    int status = 0;
    *out = names[0];
    for (const char *const *name = names; *name; name++) {
        text_printf(&known, "%s%s", known.length ? ", " : "", *name);
        if (wanted && strcmp(*name, wanted) == 0) {
            *out = *name;
            wanted = NULL;
        }
    }
    if (wanted) {
        status = error_set(error, STATUS_USAGE, "--format: unknown format \"%.80s\"", wanted);
        error_hint(error, "known: %s", known.data);
    }
    text_free(&known);
    return status;
}

int terminal_effort(const struct invocation *inv, struct profile_effort *out, struct error *error)
{
    const char *rate = option_value(inv, "sample", 0), *wanted = option_value(inv, "error", 0);
    int status = 0;
    *out = (struct profile_effort){.sample_rate = 1, .exact = option_given(inv, "exact")};
    if (rate && wanted) {
        error_set(error, STATUS_USAGE, "--sample and --error exclude each other");
        return error_hint(error, "the error says which share of the lines is needed");
    }
    if (rate && (status = profile_sample_scan(rate, &out->sample_rate, error)))
        error_context(error, "--sample");
    if (wanted && (status = profile_error_scan(wanted, &out->error, error)))
        error_context(error, "--error");
    return status;
}

int terminal_no_arguments(const struct invocation *inv, struct error *error)
{
    if (argument_count(inv) == 0)
        return 0;
    const struct command *command = invocation_command(inv);
    size_t length = strcspn(command->usage, "[\n");
    while (length && command->usage[length - 1] == ' ')
        length--;
    error_set(error, STATUS_USAGE, "unexpected argument \"%.100s\"", argument_value(inv, 0));
    if (command_takes_names(command))
        return hint_name(inv, error);
    return error_hint(error, "options begin with --: bandscape %s %.*s", command->plugin.name,
                      (int)length, command->usage);
}

void terminal_tell(struct text *lines)
{
    for (char *rest = lines->data, *end; rest && (end = strchr(rest, '\n')); rest = end + 1)
        message("%.*s", (int)(end - rest), rest);
    text_free(lines);
}

void terminal_warn(const char *name, const char *const *warnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        message("%s: warning: %s", name, warnings[i]);
}

void terminal_warn_subjects(struct subject *const *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *const *warnings;
        size_t n = subject_warnings(subjects[i], &warnings);
        terminal_warn(subjects[i]->name, warnings, n);
    }
}

/* Whether the user's locale has Unicode. It is asked for alone: the program's own stays "C". */
static bool locale_has_unicode(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool unicode = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    return unicode;
}

/* As POSIX has it, COLUMNS is the user's wish where it is a number. */
static int terminal_width(int terminal)
{
    struct winsize size;
    const char *wish = getenv("COLUMNS");
    char *end;
    long columns = wish ? strtol(wish, &end, 10) : 0;
    if (columns > 0 && columns <= INT_MAX && !*end)
        return (int)columns;
    return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

struct table_style terminal_table_style(FILE *stream)
{
    struct table_style style = {.colour = terminal_colour(stream)};
    if (isatty(fileno(stream))) {
        style.ascii = !locale_has_unicode();
        style.width = terminal_width(fileno(stream));
    }
    return style;
}

void terminal_put(FILE *stream, const char *lines)
{
    struct text folded = {0};
    fold_lines(lines, isatty(fileno(stream)) ? terminal_width(fileno(stream)) : 0, &folded);
    fputs(folded.length ? folded.data : "", stream);
    text_free(&folded);
}

void terminal_say(const char *format, ...)
{
    struct text lines = {0};
    va_list list;
    va_start(list, format);
    text_vprintf(&lines, format, list);
    va_end(list);
    terminal_put(stdout, lines.length ? lines.data : "");
    text_free(&lines);
}

void terminal_print_sheet(const struct sheet *sheet, const char *format)
{
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0};
    if (strcmp(format, "csv") == 0)
        sheet_print_csv(sheet, &(struct csv_writer){.stream = stdout});
    else if (strcmp(format, "json") == 0)
        sheet_print_json(sheet, &(struct json){.stream = stdout});
    else
        sheet_print_table(sheet, &style, &text);
    if (text.length)
        pager_show(text.data);
    text_free(&text);
}

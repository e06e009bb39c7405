/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/help.h"

#include <string.h>

#include "cli/manual.h"
#include "cli/named.h"
#include "cli/reference.h"
#include "core/suggest.h"
#include "core/version.h"

enum { HELP_WIDTH = 80, OPTION_WIDTH = 26, OPTION_INDENT = OPTION_WIDTH + 4 };

static void put_topic(FILE *out, const char *name, size_t indent, size_t *column, bool last)
{
    size_t length = strlen(name) + 2;
    if (*column + length > HELP_WIDTH) {
        fprintf(out, "\n%*s", (int)indent, "");
        *column = indent;
    }
    fprintf(out, " %s%s", name, last ? "\n" : ",");
    *column += length;
}

/* What else there is help of, within the width. */
static void print_topics(FILE *out)
{
    static const char before[] = "help of:";
    size_t column = strlen(before);
    fputs(before, out);
    for (const struct reference *r = references; r->name; r++)
        put_topic(out, r->name, strlen(before), &column, false);
    for (const struct topic *topic = topics; topic->name; topic++)
        put_topic(out, topic->name, strlen(before), &column, !topic[1].name);
}

void help_overview(FILE *out)
{
    fprintf(out,
            "Bandscape %s: which memory system for a multi-chip GPU delivers the most\n"
            "effective bandwidth to these workloads, what limits it, and what it costs.\n\n"
            "usage: bandscape COMMAND [ARGUMENTS]     bandscape help COMMAND\n\n",
            BANDSCAPE_VERSION);
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));)
        fprintf(out, "  %-10s %s\n", plugin->name, plugin->summary);
    fprintf(out, "\n");
    print_topics(out);
    fprintf(out, "\nTry:  bandscape whatif sac bfs\n"
                 "      bandscape sweep sac-sensitivity\n"
                 "      bandscape shell sac bfs\n");
}

int help_find_command(const char *name, const struct command **out, struct error *error)
{
    const struct plugin *plugin = plugin_find("command", name);
    if (plugin) {
        *out = (const struct command *)plugin;
        return 0;
    }
    struct suggest suggest = suggest_begin(name);
    size_t cursor = 0;
    while ((plugin = plugin_next("command", &cursor)))
        suggest_offer(&suggest, plugin->name);
    error_set(error, STATUS_USAGE, "there is no command \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"bandscape %s\"?", suggest.best);
    else
        error_hint(error, "bandscape --help lists the commands");
    return STATUS_USAGE;
}

bool help_next_block(const char **at, struct help_block *out)
{
    size_t empty = strspn(*at, "\n");
    const char *end = *at += empty;
    bool joined = false;
    if (*end == '\0')
        return false;
    out->apart = empty > 0;
    for (out->text = end; *end && *end != '\n';) {
        size_t length = strcspn(end, "\n");
        bool joins = length > 0 && end[length - 1] == '\\';
        bool verbatim = joined || joins || strncmp(end, "  ", 2) == 0;
        if (end > out->text && verbatim != out->verbatim)
            break;
        out->verbatim = verbatim;
        joined = joins;
        end += length + (end[length] == '\n');
    }
    out->length = (size_t)(end - out->text);
    *at = end;
    return true;
}

/* Prints words from a column on; lines but the first are indented as far. */
static void print_words(const char *text, size_t length, size_t indent)
{
    size_t column = indent;
    for (const char *end = text + length; text < end;) {
        size_t blank = strspn(text, " \n"), word;
        text += blank;
        if (text >= end)
            break;
        word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > HELP_WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
    }
    printf("\n");
}

void help_print_entry(const char *left, const char *text)
{
    if (strlen(left) > OPTION_WIDTH)
        printf("  %s\n%*s", left, OPTION_INDENT, "");
    else
        printf("  %-*s  ", OPTION_WIDTH, left);
    print_words(text, strlen(text), OPTION_INDENT);
}

void help_print_words(const char *text, size_t length)
{
    print_words(text, length, 0);
}

void help_print_whole(const char *line)
{
    size_t length = strlen(line);
    int indent = length + OPTION_INDENT <= HELP_WIDTH ? OPTION_INDENT
                 : length + 4 < HELP_WIDTH            ? (int)(HELP_WIDTH - length)
                                                      : 4;
    printf("%*s%s\n", indent, "", line);
}

static void print_option(const struct option_row *row)
{
    char left[60];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
             row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
             row->argument ? " " : "", row->argument ? row->argument : "");
    help_print_entry(left, row->help);
}

void help_command(const struct command *command)
{
    const char *at = command->description;
    printf("bandscape %s - %s\n\nusage: bandscape %s %s\n\n", command->plugin.name,
           command->plugin.summary, command->plugin.name, command->usage);
    for (struct help_block block; help_next_block(&at, &block);) {
        if (block.apart)
            printf("\n");
        if (!block.verbatim)
            print_words(block.text, block.length, 0);
        else
            printf("%.*s%s", (int)block.length, block.text,
                   block.text[block.length - 1] == '\n' ? "" : "\n");
    }
    printf("\noptions:\n");
    for (const struct option_row *row = command->options; row->name; row++)
        if (row->help)
            print_option(row);
    help_print_entry("-h, --help", "show this help");
    if (command_takes_names(command))
        printf("\n" NAMED_HELP "\n", command->plugin.name);
    if (command->examples)
        printf("\nexamples:\n%s\n", command->examples);
}

static void help_topic(const struct topic *topic)
{
    for (const struct topic_entry *entry = topic->entries; entry->term; entry++)
        help_print_entry(entry->term, entry->text);
}

static const struct topic *topic_find(const char *name)
{
    for (const struct topic *topic = topics; topic->name; topic++)
        if (strcmp(topic->name, name) == 0)
            return topic;
    return NULL;
}

/* Whatever there is help of, where no command has that name. */
static int unknown_name(const char *name, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));)
        suggest_offer(&suggest, plugin->name);
    for (const struct topic *topic = topics; topic->name; topic++)
        suggest_offer(&suggest, topic->name);
    for (const struct reference *r = references; r->name; r++)
        suggest_offer(&suggest, r->name);
    error_set(error, STATUS_USAGE, "there is no command and no topic \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"bandscape help %s\"?", suggest.best);
    else
        error_hint(error, "bandscape --help lists them");
    return STATUS_USAGE;
}

int help_about(const char *name, enum help_form form, struct error *error)
{
    const struct topic *topic = topic_find(name);
    const struct command *command = (const struct command *)plugin_find("command", name);
    const struct reference *reference = command ? NULL : reference_find(name);
    if (!topic && !reference && !command)
        return unknown_name(name, error);
    if (form != HELP_TERMINAL && !command && !reference) {
        error_set(error, STATUS_USAGE, "%s has no page of its own", name);
        return error_hint(error, "it is in the manual page of the whole program: bandscape help "
                                 "--man");
    }
    if (form == HELP_MARKDOWN && !reference) {
        error_set(error, STATUS_USAGE, "--markdown is of files, such as machine-files");
        return error_hint(error, "of a command: bandscape help %s --man", name);
    }
    if (topic)
        help_topic(topic);
    else if (form == HELP_MARKDOWN)
        reference_markdown(reference);
    else if (reference)
        (form == HELP_MAN ? manual_print_reference : reference_print)(reference);
    else
        (form == HELP_MAN ? manual_print_command : help_command)(command);
    return 0;
}

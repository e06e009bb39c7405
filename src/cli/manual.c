/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/manual.h"

#include <ctype.h>
#include <string.h>

#include "cli/help.h"
#include "cli/named.h"
#include "cli/reference.h"
#include "core/version.h"

/* Columns of an example, so that a page of 80 has them whole. */
enum { EXAMPLE_WIDTH = 66 };

/* A character that roff would take as its own. All dashes are those of options and names. */
static void put_character(char c)
{
    if (c == '\\')
        fputs("\\e", stdout);
    else if (c == '-')
        fputs("\\-", stdout);
    else if (c == '~' || c == '^')
        printf("\\(%s", c == '~' ? "ti" : "ha");
    else if (c == '\'' || c == '`')
        printf("\\(%s", c == '\'' ? "aq" : "ga");
    else
        putchar(c);
}

/* Text within a line or, with `begins`, at its beginning, where a dot makes a request. */
static void put_text(const char *text, size_t length, bool begins)
{
    for (size_t i = 0; i < length; i++) {
        if (begins && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        begins = text[i] == '\n';
        put_character(text[i]);
    }
}

static void put_line(const char *text, size_t length)
{
    put_text(text, length, true);
    printf("\n");
}

/* Lines that stand as they are, less the first `cut` blanks of each. */
static void put_verbatim(const char *text, size_t length, size_t cut)
{
    printf(".PP\n.nf\n");
    for (const char *end = text + length; text < end;) {
        size_t line = strcspn(text, "\n"), blanks = strspn(text, " ");
        size_t skip = blanks < cut ? blanks : cut;
        put_line(text + skip, line - skip);
        text += line + (text[line] == '\n');
    }
    printf(".fi\n");
}

static void put_description(const char *description)
{
    for (struct help_block block; help_next_block(&description, &block);) {
        if (block.verbatim) {
            put_verbatim(block.text, block.length, 2);
            continue;
        }
        printf(".PP\n");
        put_line(block.text, block.length - (block.text[block.length - 1] == '\n'));
    }
}

/* "--machine M" with options in bold and what a user puts in (capitals) in italics; what is
 * in brackets is kept on one line. */
static void put_usage(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length;) {
        bool begins = i == 0 || !isalnum((unsigned char)text[i - 1]);
        size_t n = 0;
        if (begins && text[i] == '-')
            while (i + n < length && (isalnum((unsigned char)text[i + n]) || text[i + n] == '-'))
                n++;
        if (n > 0) {
            printf("\\fB");
            put_text(text + i, n, false);
            printf("\\fR");
        } else if (begins && isupper((unsigned char)text[i])) {
            while (i + n < length &&
                   (isupper((unsigned char)text[i + n]) || isdigit((unsigned char)text[i + n])))
                n++;
            printf("\\fI%.*s\\fR", (int)n, text + i);
        } else {
            n = 1;
            depth += (text[i] == '[') - (text[i] == ']');
            if (text[i] == ' ' && depth > 0)
                printf("\\ ");
            else
                put_character(text[i]);
        }
        i += n;
    }
}

/* The forms of a command: lines that begin with "bandscape" are others, further lines go on. */
static void put_synopsis(const struct command *command)
{
    const char *at = command->usage;
    bool first = true;
    do {
        size_t length = strcspn(at, "\n"), blanks = strspn(at, " ");
        const char *line = at + blanks;
        bool begins = strncmp(line, "bandscape ", 10) == 0;
        size_t skip = begins ? 10 + strcspn(line + 10, " ") : 0;
        if (first || begins)
            printf("%s.SY \"bandscape %s\"\n", first ? "" : ".YS\n", command->plugin.name);
        put_usage(line + skip + (line[skip] == ' '), length - blanks - skip - (line[skip] == ' '));
        printf("\n");
        first = false;
        at += length;
    } while (*at++ == '\n');
    printf(".YS\n.nh\n"); /* .YS hyphenates again */
}

static void put_option(const struct option_row *row)
{
    printf(".TP\n");
    if (row->letter)
        printf("\\fB\\-%c\\fR, ", row->letter);
    printf("\\fB");
    put_text("--", 2, false);
    put_text(row->name, strlen(row->name), false);
    printf("\\fR");
    if (row->argument) {
        printf(" \\fI");
        put_text(row->argument, strlen(row->argument), false);
        printf("\\fR");
    }
    printf("\n");
    put_line(row->help, strlen(row->help));
}

/* Examples; a long one goes on behind a backslash, as in a shell. */
static void put_examples(const char *examples)
{
    printf(".SH EXAMPLES\n.nf\n");
    while (*examples) {
        size_t length = strcspn(examples, "\n"), blanks = strspn(examples, " ");
        const char *line = examples + blanks;
        size_t left = length - blanks, indent = 0;
        while (left > EXAMPLE_WIDTH - indent) {
            size_t at = EXAMPLE_WIDTH - indent;
            while (at > 0 && line[at] != ' ')
                at--;
            if (at == 0)
                break;
            printf("%*s", (int)indent, "");
            put_text(line, at, true);
            printf(" \\e\n");
            line += at + 1;
            left -= at + 1;
            indent = 4;
        }
        printf("%*s", (int)indent, "");
        put_line(line, left);
        examples += length + (examples[length] == '\n');
    }
    printf(".fi\n");
}

/* "bandscape-network(5) - what ... may say": in every page. */
static void put_title(const char *page, int section, const char *summary)
{
    printf(".\\\" Written by bandscape help --man, out of its own tables.\n"
           ".TH %s%s%s %d \"\" \"Bandscape %s\" \"%s\"\n"
           ".ad l\n.nh\n"
           ".SH NAME\nbandscape%s%s \\- ",
           "BANDSCAPE", page[0] ? "\\-" : "", page, section, BANDSCAPE_VERSION,
           section == 1 ? "User Commands" : "File Formats", page[0] ? "\\-" : "", page);
    put_line(summary, strlen(summary));
}

static void put_page(const char *page, int section)
{
    printf(".BR bandscape%s%s (%d)", page[0] ? "\\-" : "", page, section);
}

static void put_see_also(const char *page)
{
    printf(".SH SEE ALSO\n");
    put_page("", 1);
    printf("\n");
    for (const struct reference *r = references; r->name; r++)
        if (strcmp(r->page, page) != 0) {
            put_page(r->page, 5);
            printf("\n");
        }
}

void manual_print_command(const struct command *command)
{
    put_title(command->plugin.name, 1, command->plugin.summary);
    printf(".SH SYNOPSIS\n");
    put_synopsis(command);
    printf(".SH DESCRIPTION\n");
    put_description(command->description);
    printf(".SH OPTIONS\n");
    for (const struct option_row *row = command->options; row->name; row++)
        if (row->help)
            put_option(row);
    put_option(&(struct option_row){.letter = 'h', .name = "help", .help = "Print a help."});
    if (command_takes_names(command)) {
        struct text named = {0};
        text_printf(&named, NAMED_HELP, command->plugin.name);
        printf(".PP\n");
        put_line(named.data, named.length);
        text_free(&named);
    }
    if (command->examples)
        put_examples(command->examples);
    put_see_also("");
}

static void put_form(const char *name, const char *help)
{
    struct text plain = {0};
    reference_plain(help, &plain);
    printf(".SS ");
    put_line(name, strlen(name));
    if (plain.length)
        put_line(plain.data, plain.length);
    text_free(&plain);
}

static void put_key(const struct file_key *key)
{
    struct text plain = {0}, facts = {0};
    reference_plain(key->help, &plain);
    reference_key_facts(key, &facts);
    printf(".TP\n\\fB");
    put_text(key->name, strlen(key->name), true);
    printf("\\fR\n");
    put_line(plain.data, plain.length);
    printf(".br\n");
    put_line(facts.data, facts.length);
    if (key->example) {
        printf(".br\n");
        put_line(key->example, strlen(key->example));
    }
    text_free(&plain);
    text_free(&facts);
}

void manual_print_reference(const struct reference *r)
{
    static const struct reference_writer writer = {put_form, put_key};
    put_title(r->page, 5, r->summary);
    printf(".SH DESCRIPTION\n");
    put_description(r->description);
    printf(".SH KEYS\nOf each: what it means, its type, unit and default, and an example.\n");
    r->forms(&writer);
    printf(".SH EXAMPLE\n");
    put_line(r->file, strlen(r->file));
    put_verbatim(r->example, strlen(r->example), 0);
    printf(".PP\n.nf\n");
    put_line(r->use, strlen(r->use));
    printf(".fi\n.SH FILES\n");
    put_line(r->more, strlen(r->more));
    put_see_also(r->page);
}

void manual_print(void)
{
    put_title("", 1, "explore the memory systems of multi-chip GPUs");
    printf(".SH SYNOPSIS\n"
           ".SY bandscape\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.YS\n"
           ".SY bandscape\n\\fBhelp\\fR [\\fICOMMAND\\fR|\\fITOPIC\\fR]\n.YS\n"
           ".SY bandscape\n\\fB\\-V\\fR|\\fB\\-\\-version\\fR\n.YS\n.nh\n"
           ".SH DESCRIPTION\n");
    put_description(topics_about);
    printf(
        ".SH COMMANDS\nEvery command has a page, and takes \\fB\\-h\\fR and \\fB\\-\\-help\\fR.\n");
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));) {
        printf(".TP\n");
        put_page(plugin->name, 1);
        printf("\n");
        put_line(plugin->summary, strlen(plugin->summary));
    }
    printf(".SH FILE FORMATS\n");
    for (const struct reference *r = references; r->name; r++) {
        printf(".TP\n");
        put_page(r->page, 5);
        printf("\n");
        put_line(r->summary, strlen(r->summary));
    }
    for (const struct topic *topic = topics; topic->name; topic++) {
        printf(".SH %s\n", topic->title);
        for (const struct topic_entry *entry = topic->entries; entry->term; entry++) {
            printf(".TP\n");
            put_line(entry->term, strlen(entry->term));
            put_line(entry->text, strlen(entry->text));
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include <stdlib.h>
#include <string.h>

#include "cli/list.h"
#include "cli/named.h"
#include "cli/reference.h"
#include "cli/topics.h"
#include "core/catalogue.h"
#include "core/suggest.h"
#include "explore/space/space.h"
#include "machine/machine.h"
#include "model/model.h"
#include "profile/record/profile.h"
#include "queueing/solve.h"
#include "validate/validations.h"
#include "workload/workload.h"

/* What is asked for: words that begin with `word` (the part of the last one behind "--set=" is
 * `word`, that part `before`). */
struct completion {
    const char *word, *before;
    size_t before_length;
    const char *machine; /* that the line names; NULL: none */
    const char *kind;    /* the first argument of the command */
    completion_found *found;
    void *context;
};

static void offer(const struct completion *c, const char *head, const char *middle,
                  const char *tail)
{
    struct text text = {0};
    text_printf(&text, "%s%s%s", head, middle, tail);
    if (strncmp(text.data, c->word, strlen(c->word)) == 0) {
        struct text whole = {0};
        text_printf(&whole, "%.*s%s", (int)c->before_length, c->before, text.data);
        c->found(c->context, whole.data);
        text_free(&whole);
    }
    text_free(&text);
}

static void offer_plugins(const struct completion *c, const char *head, const char *kind)
{
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));)
        offer(c, head, plugin->name, "");
}

static void offer_catalogue(const struct completion *c, void (*read)(struct catalogue *))
{
    struct catalogue catalogue;
    read(&catalogue);
    for (size_t i = 0; i < catalogue.count; i++)
        offer(c, catalogue.items[i].name, "", "");
    catalogue_fini(&catalogue);
}

static void offer_workloads(const struct completion *c)
{
    struct arena *arena = arena_create();
    struct workload_info *info;
    size_t count;
    struct error ignored;
    if (workload_list(arena, &info, &count, &ignored))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(info[i].name);
        offer(c, info[i].name, "", "");
        if (strncmp(c->word, info[i].name, length) == 0 && c->word[length] == ':')
            for (const struct workload_input *in = info[i].inputs; in && in->name; in++)
                offer(c, info[i].name, ":input=", in->name);
    }
    arena_destroy(arena);
}

/* The names that a parameter may have: "PATH=NAME". */
static void offer_names(const struct completion *c, const char *path, const struct parameter *p)
{
    struct text head = {0};
    text_printf(&head, "%s=", path);
    for (const char *name = p->row->names; name && *name;) {
        char one[64];
        size_t length = strcspn(name, " ");
        snprintf(one, sizeof one, "%.*s", (int)length, name);
        offer(c, head.data, one, "");
        name += length + strspn(name + length, " ");
    }
    if (p->row->plugin)
        offer_plugins(c, head.data, p->row->plugin);
    text_free(&head);
}

static void offer_parameters(const struct completion *c, bool settings)
{
    struct machine *machine = NULL;
    struct error ignored;
    size_t cursor = 0, path_length = strcspn(c->word, "=");
    struct parameter p;
    if (machine_load(c->machine ? c->machine : model_machine_name(NULL), &machine, &ignored))
        return;
    if (!settings)
        machine_add_absent(machine); /* as they are listed */
    while (machine_next(machine, &cursor, &p)) {
        char path[128];
        parameter_path(&p, path, sizeof path);
        if (!settings || c->word[path_length] != '=')
            offer(c, path, settings ? "=" : "", "");
        else if (strlen(path) == path_length && strncmp(path, c->word, path_length) == 0)
            offer_names(c, path, &p);
    }
    machine_destroy(machine);
}

static void offer_metrics(const struct completion *c)
{
    size_t cursor = 0;
    for (const struct model_metric *m = model_common_metrics; m->name; m++)
        offer(c, m->name, "", "");
    for (const struct plugin *plugin; (plugin = plugin_next("model", &cursor));)
        for (const struct model_metric *m = ((const struct model *)plugin)->metrics; m && m->name;
             m++)
            offer(c, m->name, "", "");
    offer(c, model_speedup_metric.name, "", "");
}

static void offer_fields(const struct completion *c)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_exists(i) && (!profile_field_is_of_level(i) || i < FIELD_LEVEL_1))
            offer(c, profile_field_row(i)->path, "", "");
}

static void offer_validations(const struct completion *c)
{
    struct validations validations;
    struct error ignored;
    validations_open(&validations, &ignored);
    for (size_t i = 0; i < validations.count; i++)
        offer(c, validations.items[i]->plugin.name, "", "");
    validations_close(&validations);
}

static void offer_topics(const struct completion *c)
{
    for (const struct reference *r = references; r->name; r++)
        offer(c, r->name, "", "");
    for (const struct topic *topic = topics; topic->name; topic++)
        offer(c, topic->name, "", "");
}

static void offer_values(const struct completion *c, const char *values);

static void offer_some(const struct completion *c, const char *what)
{
    const struct list_kind *kind = NULL;
    if (strcmp(what, "machines") == 0)
        offer_catalogue(c, machine_catalogue);
    else if (strcmp(what, "spaces") == 0)
        offer_catalogue(c, space_catalogue);
    else if (strcmp(what, "workloads") == 0)
        offer_workloads(c);
    else if (strcmp(what, "settings") == 0 || strcmp(what, "parameters") == 0)
        offer_parameters(c, what[0] == 's');
    else if (strcmp(what, "metrics") == 0)
        offer_metrics(c);
    else if (strcmp(what, "fields") == 0)
        offer_fields(c);
    else if (strcmp(what, "algorithms") == 0)
        for (const struct queueing_algorithm *a = queueing_algorithms; a->name; a++)
            offer(c, a->name, "", "");
    else if (strcmp(what, "validations") == 0)
        offer_validations(c);
    else if (strcmp(what, "parts") == 0)
        for (int i = 0; i < PART_COUNT; i++)
            offer(c, profile_part_table[i].name, "", "");
    else if (strcmp(what, "topics") == 0)
        offer_topics(c);
    else if (strcmp(what, "lists") == 0)
        for (kind = list_kinds; kind->name; kind++)
            offer(c, kind->name, "", "");
    else if (strcmp(what, "listed") == 0)
        offer_values(c, c->kind && (kind = list_kind_find(c->kind)) ? kind->values : "");
    else
        offer_plugins(c, "", what);
}

static void offer_values(const struct completion *c, const char *values)
{
    while (values && *values && *values != '|') {
        char one[64];
        size_t length = strcspn(values, " |");
        snprintf(one, sizeof one, "%.*s", (int)length, values);
        if (one[0] == '@')
            offer_some(c, one + 1);
        else
            offer(c, one, "", "");
        values += length + strspn(values + length, " ");
    }
}

/* Of the n-th argument of a command. */
static const char *argument_values(const struct command *command, int n)
{
    const char *values = command_takes_names(command) ? "@machines @workloads" : command->arguments;
    for (const char *next; values && n > 0 && (next = strchr(values, '|')); n--)
        values = next + 1;
    return values;
}

static void offer_options(const struct completion *c, const struct command *command)
{
    for (const struct option_row *row = command->options; row->name; row++)
        if (row->help)
            offer(c, "--", row->name, "");
    offer(c, "--help", "", "");
}

/* The option that a word is, if what follows is its value. */
static const struct option_row *option_awaits(const struct command *command, const char *word)
{
    bool spelled = strncmp(word, "--", 2) == 0;
    char letter = word[0] == '-' && !spelled && word[1] ? word[strlen(word) - 1] : 0;
    for (const struct option_row *row = command->options; row->name; row++)
        if (row->argument &&
            (spelled ? strcmp(row->name, word + 2) == 0 : letter && row->letter == letter))
            return row;
    return NULL;
}

/* The last of the words where it is an option, or its value behind "=". */
static void complete_option(struct completion *c, const struct command *command)
{
    const char *value = strchr(c->word, '=');
    if (!value) {
        offer_options(c, command);
        return;
    }
    for (const struct option_row *row = command->options; row->name; row++) {
        size_t length = strlen(row->name);
        if (row->argument && strncmp(c->word + 2, row->name, length) == 0 &&
            c->word + 2 + length == value) {
            c->before = c->word;
            c->before_length = (size_t)(value + 1 - c->word);
            c->word = value + 1;
            offer_values(c, row->values);
            return;
        }
    }
}

static void complete_command(struct completion *c, const struct command *command,
                             const char *const *words, size_t count)
{
    const struct option_row *awaits = NULL;
    int arguments = 0;
    bool only_arguments = false;
    for (size_t i = 1; i + 1 < count; i++) {
        const char *word = words[i];
        if (awaits) {
            if (strcmp(awaits->name, "machine") == 0)
                c->machine = word;
            awaits = NULL;
        } else if (strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (only_arguments || word[0] != '-') {
            c->kind = arguments++ == 0 ? word : c->kind;
        } else {
            awaits = option_awaits(command, word);
            if (strncmp(word, "--machine=", 10) == 0)
                c->machine = word + 10;
        }
    }
    if (awaits)
        offer_values(c, awaits->values);
    else if (!only_arguments && c->word[0] == '-')
        complete_option(c, command);
    else
        offer_values(c, argument_values(command, arguments));
}

void completion_find(const char *const *words, size_t count, completion_found *found, void *context)
{
    if (count == 0)
        return;
    struct completion c = {
        .word = words[count - 1], .before = "", .found = found, .context = context};
    const struct plugin *plugin = plugin_find("command", words[0]);
    if (count == 1)
        offer_values(&c, "@command --help --version");
    else if (plugin)
        complete_command(&c, (const struct command *)plugin, words, count);
}

void completion_values(const char *values, const char *machine, const char *word,
                       completion_found *found, void *context)
{
    struct completion c = {
        .word = word, .before = "", .machine = machine, .found = found, .context = context};
    offer_values(&c, values);
}

static void print_found(void *context, const char *word)
{
    (void)context;
    puts(word);
}

void completion_print(const struct invocation *inv)
{
    size_t count = (size_t)argument_count(inv);
    const char **words = memory_zero(count, sizeof *words);
    for (size_t i = 0; i < count; i++)
        words[i] = argument_value(inv, (int)i);
    completion_find(words, count, print_found, NULL);
    free(words);
}

/* ---- the scripts -------------------------------------------------------- */

/* Words are taken from the line, since COMP_WORDS are cut at "=" and ":"; what is replaced
 * begins behind the last of those. */
static const char bash_script[] =
    "# Completion of bandscape in bash, written by bandscape help --completion bash.\n"
    "_bandscape() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} word found cut=\n"
    "    local -a words\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && words+=(\"\")\n"
    "    word=${words[${#words[@]}-1]}\n"
    "    [[ $word == *[=:]* ]] && cut=${word%\"${word##*[=:]}\"}\n"
    "    [[ $COMP_WORDBREAKS == *[=:]* ]] || cut=\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r found; do\n"
    "        COMPREPLY+=(\"${found#\"$cut\"}\")\n"
    "    done < <(\"${words[0]/#\\~/$HOME}\" help --complete -- \"${words[@]:1}\" 2>/dev/null)\n"
    "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -o default -F _bandscape bandscape\n";

static const char zsh_script[] =
    "#compdef bandscape\n"
    "# Completion of bandscape in zsh, written by bandscape help --completion zsh.\n"
    "_bandscape() {\n"
    "    local -a found\n"
    "    found=(${(f)\"$(${(Q)words[1]/#\\~/$HOME} help --complete -- \\\n"
    "        \"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)\"})\n"
    "    (( $#found )) || { _files; return; }\n"
    "    compadd -S '' -- ${(M)found:#*=}\n"
    "    compadd -- ${found:#*=}\n"
    "}\n"
    "if [[ $funcstack[1] == _bandscape ]]; then _bandscape \"$@\"; else compdef _bandscape "
    "bandscape; fi\n";

/* What is completed is the whole word, options with their values too. */
static const char fish_script[] =
    "# Completion of bandscape in fish, written by bandscape help --completion fish.\n"
    "function __bandscape_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct)\n"
    "    set -l program (string replace -r '^~' $HOME -- $words[1])\n"
    "    set -e words[1]\n"
    "    set -l found ($program help --complete -- $words \"$word\" 2>/dev/null)\n"
    "    if test (count $found) -gt 0\n"
    "        printf '%s\\n' $found\n"
    "    else\n"
    "        __fish_complete_path \"$word\"\n"
    "    end\n"
    "end\n"
    "complete -c bandscape -f -a '(__bandscape_complete)'\n";

int completion_script(const char *shell, struct error *error)
{
    if (strcmp(shell, "bash") == 0)
        fputs(bash_script, stdout);
    else if (strcmp(shell, "zsh") == 0)
        fputs(zsh_script, stdout);
    else if (strcmp(shell, "fish") == 0)
        fputs(fish_script, stdout);
    else {
        error_set(error, STATUS_USAGE, "--completion: unknown shell \"%.80s\"", shell);
        return error_hint(error, "known: bash, zsh, fish");
    }
    return 0;
}

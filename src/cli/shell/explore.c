/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps of what stands in a line: a space is written for the command that takes one, and its
 * result is what pareto and plot are then about. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/execute.h"
#include "cli/shell/shell.h"
#include "cli/values.h"
#include "core/file.h"
#include "explore/answer/point.h"
#include "explore/views/subjects.h"
#include "model/model.h"
#include "yaml/yaml.h"

static const char organisation[] = "llc.organisation";

struct axis {
    const char *path;
    struct parameter parameter;
    const char *text; /* as the user wrote the values */
    struct values values;
};

/* A statement on its way to a space. */
struct sweeping {
    struct shell *shell;
    const struct statement *statement;
    struct machine *machine;
    struct {
        struct axis *items;
        size_t count, capacity;
    } axes;
    struct {
        const char **items; /* "minimise: kernel_time" */
        size_t count, capacity;
    } objectives;
    const char *rank_by;
    struct session_words words; /* of the command */
    bool keeps;                 /* the user names a folder */
};

/* --- folders ---------------------------------------------------------------------------- */

static void remove_folder(const char *path)
{
    char **names;
    size_t count = file_list(path, &names);
    for (size_t i = 0; i < count; i++) {
        struct text inside = {0};
        text_printf(&inside, "%s/%s", path, names[i]);
        unlink(inside.data);
        text_free(&inside);
        free(names[i]);
    }
    free(names);
    rmdir(path);
}

void shell_sweep_forget(struct shell_sweep *sweep)
{
    if (sweep->folder && sweep->own)
        remove_folder(sweep->folder);
    free(sweep->folder);
    VECTOR_FREE(&sweep->objectives);
    arena_destroy(sweep->arena);
    *sweep = (struct shell_sweep){0};
}

static int make_folder(struct shell_sweep *sweep, struct error *error)
{
    const char *base = getenv("TMPDIR");
    struct text path = {0};
    text_printf(&path, "%s/bandscape-shell-XXXXXX", base && base[0] ? base : "/tmp");
    if (!mkdtemp(path.data)) {
        int status = error_errno(error, "make", path.data);
        text_free(&path);
        return status;
    }
    sweep->folder = path.data;
    sweep->own = true;
    return 0;
}

/* --- words ------------------------------------------------------------------------------ */

/* --minimise COL, --maximise=COL: of the space, and no options of the command. */
static bool take_objective(struct sweeping *s, size_t *i)
{
    static const char *const options[] = {"--minimise", "--minimize", "--maximise", "--maximize"};
    const struct words *words = &s->statement->words;
    const char *text = words->items[*i].text, *value = NULL;
    for (size_t k = 0; k < 4 && !value; k++) {
        size_t length = strlen(options[k]);
        if (strncmp(text, options[k], length) != 0)
            continue;
        if (text[length] == '=')
            value = text + length + 1;
        else if (!text[length] && *i + 1 < words->count)
            value = words->items[++*i].text;
    }
    if (!value)
        return false;
    VECTOR_PUSH(&s->objectives, arena_printf(s->statement->arena, "%.8s: %s", text + 2, value));
    s->rank_by = s->rank_by ? s->rank_by : value;
    return true;
}

static bool is_path(const struct machine *machine, const char *word)
{
    char path[128];
    struct parameter parameter;
    struct error ignored;
    snprintf(path, sizeof path, "%.*s", (int)(strcspn(word, "=") % sizeof path), word);
    return machine_find(machine, path, &parameter, &ignored) == 0;
}

/* PATH=VALUES, or PATH and VALUES behind it, from word *i on, which moves behind them. */
static int read_axis(struct sweeping *s, size_t *i, struct error *error)
{
    const struct words *words = &s->statement->words;
    struct axis axis = {0};
    struct mark mark = statement_mark(s->statement, *i);
    char *word = arena_strdup(s->statement->arena, words->items[(*i)++].text);
    char *equals = strchr(word, '=');
    struct text values = {0};
    if (equals)
        *equals = '\0';
    text_append(&values, equals ? equals + 1 : "");
    axis.path = word;
    int status = machine_find(s->machine, axis.path, &axis.parameter, error);
    error_place(error, &mark);
    while (*i < words->count && words->items[*i].text[0] != '-' &&
           !is_path(s->machine, words->items[*i].text))
        text_printf(&values, "%s%s", values.length ? " " : "", words->items[(*i)++].text);
    axis.text = arena_strdup(s->statement->arena, values.data);
    text_free(&values);
    if (!status && !axis.text[0]) {
        error_at(error, STATUS_USAGE, &mark, "%s: which values?", axis.path);
        status = error_hint(error, "%s=A,B,C or %s=A..B", axis.path, axis.path);
    }
    if (!status) {
        status = values_read(&axis.parameter, axis.text, &axis.values, error);
        error_place(error, &mark);
    }
    VECTOR_PUSH(&s->axes, axis);
    return status;
}

static int read_words(struct sweeping *s, struct error *error)
{
    const struct words *words = &s->statement->words;
    int status = 0;
    for (size_t i = 1; i < words->count && !status;) {
        const char *word = words->items[i].text;
        s->keeps |= strncmp(word, "-o", 2) == 0 || strncmp(word, "--output", 8) == 0;
        if (take_objective(s, &i)) {
            i++;
        } else if (word[0] == '-') { /* with the values of options, up to the next axis */
            VECTOR_PUSH(&s->words, words->items[i++].text);
            while (i < words->count && words->items[i].text[0] != '-' &&
                   !is_path(s->machine, words->items[i].text))
                VECTOR_PUSH(&s->words, words->items[i++].text);
        } else {
            status = read_axis(s, &i, error);
        }
    }
    return status;
}

static bool has_axis(const struct sweeping *s, const char *path)
{
    for (size_t i = 0; i < s->axes.count; i++)
        if (strcmp(s->axes.items[i].path, path) == 0)
            return true;
    return false;
}

/* --- the space -------------------------------------------------------------------------- */

/* The model that gives one answer, as whoever asks one question gets it. */
static int find_model(const struct sweeping *s, const char **out, struct error *error)
{
    const struct session_state *state = session_state(&s->shell->session);
    struct subjects subjects = {0};
    struct point point = {0};
    *out = state->model;
    if (*out)
        return 0;
    struct subjects_request request = {state->workloads.items, NULL, 1, false};
    int status = subjects_open(&subjects, &request, error);
    if (!status)
        status = point_open(&point, subjects.items[0], s->machine, NULL, error);
    if (!status)
        *out = point.model->plugin.name;
    point_close(&point);
    subjects_close(&subjects);
    return status;
}

/* What costs: sizes, bandwidths, clocks and counts. */
static bool is_cost(const struct parameter_row *row)
{
    return row->kind == PARAMETER_COUNT ||
           (row->kind == PARAMETER_QUANTITY &&
            (dim_equal(row->dim, DIM_BYTES) || dim_equal(row->dim, DIM_BYTES_PER_S) ||
             dim_equal(row->dim, DIM_HERTZ)));
}

/* Unless the user says what: the least time, for the least of what costs. */
static void choose_objectives(struct sweeping *s)
{
    if (s->objectives.count)
        return;
    s->rank_by = "kernel_time";
    VECTOR_PUSH(&s->objectives, "minimise: kernel_time");
    for (size_t i = 0; i < s->axes.count; i++)
        if (is_cost(s->axes.items[i].parameter.row))
            VECTOR_PUSH(&s->objectives,
                        arena_printf(s->statement->arena, "minimise: %s", s->axes.items[i].path));
}

static void print_list(struct text *out, const char *const *items, size_t count)
{
    text_append(out, "[");
    for (size_t i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        yaml_append_scalar(out, items[i]);
    }
    text_append(out, "]\n");
}

/* Machines of one's own are named from where the user stands. */
static void print_machine(const char *name, struct text *out)
{
    char here[4096];
    text_append(out, "machine: ");
    struct text path = {0};
    if (strchr(name, '/') ? name[0] != '/' : file_exists(name) && file_ends_in(name, ".yaml"))
        text_printf(&path, "%s/", getcwd(here, sizeof here) ? here : ".");
    text_append(&path, name);
    yaml_append_scalar(out, path.data);
    text_append(out, "\n");
    text_free(&path);
}

static void print_space(const struct sweeping *s, const char *model, struct text *out)
{
    const struct session_state *state = session_state(&s->shell->session);
    text_append(out, "space: shell\n");
    print_machine(state->machine, out);
    text_append(out, "workloads: ");
    print_list(out, state->workloads.items, state->workloads.count);
    text_append(out, "models: ");
    print_list(out, &model, 1);
    text_append(out, "axes:\n");
    for (size_t i = 0; i < s->axes.count; i++) {
        text_printf(out, "  %s: ", s->axes.items[i].path);
        print_list(out, (const char *const *)s->axes.items[i].values.items,
                   s->axes.items[i].values.count);
    }
    text_append(out, "objectives: [");
    for (size_t i = 0; i < s->objectives.count; i++)
        text_printf(out, "%s{%s}", i ? ", " : "", s->objectives.items[i]);
    text_printf(out, "]\nrank: {by: %s}\n", s->rank_by);
}

/* What pareto and plot will be about. */
static void remember(struct sweeping *s, struct shell_sweep *sweep)
{
    sweep->arena = arena_create();
    for (size_t i = 0; i < s->axes.count; i++) {
        const char *path = arena_strdup(sweep->arena, s->axes.items[i].path);
        bool numeric = s->axes.items[i].parameter.row->kind != PARAMETER_NAME;
        if (numeric && !sweep->x)
            sweep->x = path;
        else if (!sweep->by)
            sweep->by = path;
    }
    for (size_t i = 0; i < s->objectives.count; i++) {
        const char *text = s->objectives.items[i], *colon = strchr(text, ':');
        VECTOR_PUSH(&sweep->objectives,
                    arena_printf(sweep->arena, "--%.*s=%s", (int)(colon - text), text, colon + 2));
    }
}

/* The words of the command: the file, where its files go, settings that are no axis. */
static void make_words(struct sweeping *s, const char *file, const char *folder,
                       struct session_words *out)
{
    const struct session_state *state = session_state(&s->shell->session);
    struct arena *arena = s->statement->arena;
    VECTOR_PUSH(out, arena_strdup(arena, "sweep"));
    VECTOR_PUSH(out, arena_strdup(arena, file));
    VECTOR_PUSH(out, arena_strdup(arena, "--no-plots"));
    VECTOR_PUSH(out, arena_strdup(arena, "--all"));
    VECTOR_PUSH(out, arena_strdup(arena, "--force"));
    if (!s->keeps)
        VECTOR_PUSH(out, arena_printf(arena, "--output=%s", folder));
    for (size_t i = 0; i < state->settings.count; i++)
        if (!has_axis(s, state->settings.items[i].path))
            VECTOR_PUSH(out, arena_printf(arena, "--set=%s=%s", state->settings.items[i].path,
                                          state->settings.items[i].value));
    for (size_t i = 0; i < s->words.count; i++)
        VECTOR_PUSH(out, s->words.items[i]);
}

/* The folder that the user names among the words of the command. */
static const char *named_folder(const struct session_words *words)
{
    const struct command *command = (const struct command *)plugin_find("command", "sweep");
    struct invocation *inv;
    struct error ignored;
    const char *folder = NULL;
    if (invocation_parse(command, (int)words->count, words->items, &inv, &ignored) == 0)
        folder = option_value(inv, "output", 0);
    invocation_destroy(inv);
    return folder;
}

static int run_sweep(struct sweeping *s, struct error *error)
{
    struct shell_sweep *sweep = &s->shell->sweep;
    struct session_words words = {0};
    struct text space = {0}, file = {0};
    const char *model;
    choose_objectives(s);
    int status = find_model(s, &model, error);
    if (status)
        return status;
    shell_sweep_forget(sweep);
    status = make_folder(sweep, error);
    if (status)
        return status;
    print_space(s, model, &space);
    text_printf(&file, "%s.yaml", sweep->folder);
    status = file_write(file.data, space.data, space.length, error);
    make_words(s, file.data, sweep->folder, &words);
    if (!status)
        status = execute_command((int)words.count, words.items, error);
    if (status && strcmp(error->file, file.data) == 0) { /* nobody has seen that file */
        error->line = 0;
        error->file[0] = error->source[0] = '\0';
    }
    unlink(file.data);
    const char *named = named_folder(&s->words);
    if (!status && named) {
        rmdir(sweep->folder);
        free(sweep->folder);
        sweep->folder = memory_strdup(named);
        sweep->own = false;
    }
    remember(s, sweep);
    if (status)
        shell_sweep_forget(sweep);
    VECTOR_FREE(&words);
    text_free(&space);
    text_free(&file);
    return status;
}

/* --- verbs ------------------------------------------------------------------------------ */

static int open_sweep(struct sweeping *s, struct error *error)
{
    const struct session_state *state = session_state(&s->shell->session);
    int status = session_machine(state, &s->machine, error);
    if (!status && state->workloads.count == 0) {
        error_set(error, STATUS_USAGE, "which workload?");
        status = error_hint(error, "workload gemm:input=small; list workloads shows names");
    }
    return status;
}

static void close_sweep(struct sweeping *s)
{
    for (size_t i = 0; i < s->axes.count; i++)
        values_fini(&s->axes.items[i].values);
    VECTOR_FREE(&s->axes);
    VECTOR_FREE(&s->objectives);
    VECTOR_FREE(&s->words);
    machine_destroy(s->machine);
}

/* The command under that name, with these words in front of the user's. */
static int run_command(struct shell *shell, const char *name, const char *const *front, size_t n,
                       const struct statement *statement, struct error *error)
{
    const struct plugin *plugin = plugin_find("command", name);
    struct session_words words = {0};
    for (size_t i = 0; i < n; i++)
        VECTOR_PUSH(&words, arena_strdup(statement->arena, front[i]));
    for (size_t i = 1; i < statement->words.count; i++)
        VECTOR_PUSH(&words, statement->words.items[i].text);
    int status =
        shell_command(shell, (const struct command *)plugin, words.items, words.count, error);
    VECTOR_FREE(&words);
    return status;
}

/* One word that names no parameter is a space, and the command's. */
static bool names_space(const struct sweeping *s)
{
    const struct words *words = &s->statement->words;
    if (words->count < 2 || words->items[1].text[0] == '-')
        return true;
    const char *word = words->items[1].text;
    bool alone = words->count == 2 || words->items[2].text[0] == '-';
    return alone && !strchr(word, '=') && !(s->machine && is_path(s->machine, word));
}

int shell_sweep(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct sweeping s = {.shell = shell, .statement = statement};
    int status = open_sweep(&s, error);
    if (names_space(&s))
        status = run_command(shell, "sweep", NULL, 0, statement, error);
    else if (!status && (status = read_words(&s, error)) == 0)
        status = run_sweep(&s, error);
    close_sweep(&s);
    return status;
}

static void add_organisations(struct sweeping *s, struct error *error)
{
    struct axis axis = {.path = organisation};
    const struct plugin *plugin;
    if (has_axis(s, organisation) ||
        machine_find(s->machine, organisation, &axis.parameter, error) != 0)
        return;
    for (int i = 1; (plugin = plugin_preferred("organisation", i)); i++)
        VECTOR_PUSH(&axis.values, memory_strdup(plugin->name));
    VECTOR_PUSH(&s->axes, axis);
}

int shell_rank(struct shell *shell, const struct statement *statement, struct error *error)
{
    struct sweeping s = {.shell = shell, .statement = statement};
    int status = open_sweep(&s, error);
    if (!status)
        status = read_words(&s, error);
    if (!status) {
        add_organisations(&s, error);
        status = run_sweep(&s, error);
    }
    close_sweep(&s);
    return status;
}

static bool has_argument(const struct statement *statement)
{
    return statement->words.count > 1 && statement->words.items[1].text[0] != '-';
}

static int no_sweep(const struct shell *shell, struct error *error)
{
    if (shell->sweep.folder)
        return 0;
    error_set(error, STATUS_USAGE, "nothing was swept");
    return error_hint(error, "sweep inter.link_bandwidth 48..768 GB/s, or name a file");
}

int shell_pareto(struct shell *shell, const struct statement *statement, struct error *error)
{
    const struct shell_sweep *sweep = &shell->sweep;
    bool alone = statement->words.count == 1;
    struct session_words front = {0};
    if (has_argument(statement))
        return run_command(shell, "pareto", NULL, 0, statement, error);
    int status = no_sweep(shell, error);
    if (status)
        return status;
    VECTOR_PUSH(&front, arena_printf(statement->arena, "%s/%s.csv", sweep->folder,
                                     alone ? "pareto" : "points"));
    for (size_t i = 0; alone && i < sweep->objectives.count; i++)
        VECTOR_PUSH(&front, arena_strdup(statement->arena, sweep->objectives.items[i]));
    status = run_command(shell, "pareto", (const char *const *)front.items, front.count, statement,
                         error);
    VECTOR_FREE(&front);
    return status;
}

static bool says(const struct statement *statement, const char *option, const char *letter)
{
    for (size_t i = 1; i < statement->words.count; i++) {
        const char *text = statement->words.items[i].text;
        if (strncmp(text, option, strlen(option)) == 0 ||
            (letter && strncmp(text, letter, strlen(letter)) == 0))
            return true;
    }
    return false;
}

int shell_plot(struct shell *shell, const struct statement *statement, struct error *error)
{
    const struct shell_sweep *sweep = &shell->sweep;
    const char *front[16];
    size_t n = 0;
    if (has_argument(statement))
        return run_command(shell, "plot", NULL, 0, statement, error);
    int status = no_sweep(shell, error);
    if (status)
        return status;
    bool own = says(statement, "--kind", NULL) || says(statement, "--x", NULL);
    if (!own && !sweep->x) {
        error_set(error, STATUS_USAGE, "names were swept, along which there is no curve");
        return error_hint(error, "sweep a number as well: rank inter.link_bandwidth 48..768 GB/s");
    }
    front[n++] = sweep->folder;
    if (!own) {
        front[n++] = "--kind=curve";
        front[n++] = arena_printf(statement->arena, "--x=%s", sweep->x);
        if (sweep->by && !says(statement, "--by", NULL)) {
            front[n++] = "--by";
            front[n++] = sweep->by;
        }
        if (!says(statement, "--y", NULL)) {
            front[n++] = "--y";
            front[n++] = strchr(sweep->objectives.items[0], '=') + 1;
        }
        if (!says(statement, "--title", NULL))
            front[n++] = "--title=";
    }
    if (!says(statement, "--term", NULL) && !says(statement, "--output", "-o")) {
        front[n++] = "--term=dumb";
        front[n++] = "--output=-";
    }
    return run_command(shell, "plot", front, n, statement, error);
}

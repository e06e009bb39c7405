/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape profile: workloads and traces to profiles; what a profile says. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/look_options.h"
#include "cli/profile_plot.h"
#include "cli/profile_report.h"
#include "cli/profile_space.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/parallel.h"
#include "profile/files/ncu.h"
#include "profile/run/source_check.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

static const char profile_suffix[] = ".profile.yaml";
static const char *const profile_formats[] = {"table", "yaml", "json", NULL};

/* --- printing -------------------------------------------------------------------- */

static void print_profiles(struct profile *const *profiles, int n, const char *format,
                           const struct machine *machine)
{
    struct json json = {.stream = stdout};
    bool as_json = strcmp(format, "json") == 0;
    if (as_json)
        json_begin_array(&json);
    for (int i = 0; i < n; i++) {
        struct text text = {0};
        if (as_json) {
            profile_report_json(&json, profiles[i], machine);
        } else if (strcmp(format, "yaml") == 0) {
            profile_print_file(profiles[i], &text);
            printf("%s%s", i ? "---\n" : "", text.data);
        } else {
            printf("%s", i ? "\n" : "");
            profile_report_table(profiles[i], machine);
        }
        text_free(&text);
    }
    if (as_json)
        json_end_array(&json);
    for (int i = 0; i < n; i++)
        terminal_warn(profiles[i]->name, (const char *const *)profiles[i]->warnings,
                      profiles[i]->n_warnings);
}

/* --- files ------------------------------------------------------------------------ */

/* The profile's name as one of files; a name that comes again is numbered from 2. */
static void append_file_name(struct text *path, const char *name, int number)
{
    for (const char *c = name; *c; c++)
        text_append_bytes(path, strchr("/ :\\\"'*?", *c) ? "-" : c, 1);
    if (number > 1)
        text_printf(path, "-%d", number);
}

/* --term, checked before anything is done. */
static int read_terminal(const struct invocation *inv, enum plot_terminal *out, struct error *error)
{
    const char *name = option_value(inv, "term", 0);
    *out = PLOT_SVG;
    if ((name || look_asked(inv)) && !option_given(inv, "plots"))
        return error_set(error, STATUS_USAGE, "%s a folder for pictures: --plots DIR",
                         name ? "--term needs" : "options of pictures need");
    return name ? plot_terminal_scan(name, out, error) : 0;
}

/* --plots DIR */
static int plot_profiles(const struct invocation *inv, struct profile *const *profiles, int n,
                         struct error *error)
{
    const char *folder = option_value(inv, "plots", 0);
    enum plot_terminal terminal;
    struct look_how how;
    int status = read_terminal(inv, &terminal, error);
    if (status)
        return status;
    status = look_open(inv, terminal, &how, error);
    for (int i = 0; i < n && folder && !status; i++) {
        struct text name = {0};
        int number = 1;
        for (int k = 0; k < i; k++)
            number += strcmp(profiles[k]->name, profiles[i]->name) == 0;
        append_file_name(&name, profiles[i]->name, number);
        status = profile_plot(profiles[i], folder, name.data, &how.output, error);
        text_free(&name);
    }
    look_close(&how);
    return status;
}

/* --- show ------------------------------------------------------------------------ */

/* Keeps only the view of that machine. */
static int keep_view(struct profile *profile, const struct machine *machine, struct error *error)
{
    const struct profile_view *view;
    int status = profile_view_find(profile, machine, &view, error);
    if (status)
        return status;
    profile->views += view - profile->views;
    profile->n_views = 1;
    return 0;
}

static int show(const struct invocation *inv, const struct machine *machine, const char *format,
                struct error *error)
{
    static const char *const making[] = {"output",       "no-cache", "cta-sharing", "with",
                                         "sample",       "error",    "exact",       "space",
                                         "organisation", NULL};
    int n = argument_count(inv) - 1, status = 0;
    if (n == 0) {
        error_set(error, STATUS_USAGE, "profile show needs a FILE");
        return error_hint(error, "a file that bandscape profile wrote, or a profile made by hand");
    }
    for (const char *const *option = making; *option; option++)
        if (option_given(inv, *option))
            return error_set(error, STATUS_USAGE, "--%s does not belong to profile show", *option);
    struct profile **profiles = memory_zero((size_t)n, sizeof *profiles);
    for (int i = 0; i < n && !status; i++) {
        status = profile_load(argument_value(inv, i + 1), &profiles[i], error);
        if (!status && machine)
            status = keep_view(profiles[i], machine, error);
    }
    if (!status)
        status = plot_profiles(inv, profiles, n, error);
    if (!status)
        print_profiles(profiles, n, format, machine);
    for (int i = 0; i < n; i++)
        profile_destroy(profiles[i]);
    free(profiles);
    return status;
}

/* --- making ----------------------------------------------------------------------- */

struct job {
    struct source *source; /* NULL: counters, a profile already */
    struct profile *profile;
    char *path;
};

static void jobs_destroy(struct job *jobs, int n)
{
    for (int i = 0; i < n; i++) {
        profile_destroy(jobs[i].profile);
        source_destroy(jobs[i].source);
        free(jobs[i].path);
    }
    free(jobs);
}

static int refuse_warnings(const struct source *source, struct error *error)
{
    return source_refuse_warnings(source->name, (const char *const *)source->warnings.items,
                                  source->warnings.count, error);
}

static int jobs_open(struct job *jobs, int n, const struct invocation *inv, struct error *error)
{
    for (int i = 0; i < n; i++) {
        const char *spec = argument_value(inv, i);
        int status = 0;
        if (ncu_detect(spec)) {
            status = ncu_load(spec, option_value(inv, "organisation", 0), &jobs[i].profile, error);
        } else if (profile_detect(spec)) {
            error_set(error, STATUS_INPUT, "%.200s is a profile already", spec);
            return error_hint(error, "bandscape profile show %.200s prints it", spec);
        } else {
            status = source_open_checked(spec, &jobs[i].source, error);
            if (!status && option_given(inv, "strict"))
                status = refuse_warnings(jobs[i].source, error);
        }
        if (status)
            return status;
    }
    return 0;
}

/* Counters need no machine. */
static int jobs_check_machine(const struct job *jobs, int n, const struct machine *machine,
                              struct error *error)
{
    for (int i = 0; i < n && !machine; i++)
        if (jobs[i].source) {
            error_set(error, STATUS_USAGE, "profile needs a machine");
            return error_hint(error, "--machine sac; bandscape list machines shows names");
        }
    return 0;
}

static const char *job_name(const struct job *job)
{
    return job->source ? job->source->name : job->profile->name;
}

/* <folder>/<name>.profile.yaml; sources of the same name are numbered. */
static char *job_path(const struct job *jobs, int index, const char *folder)
{
    const char *name = job_name(&jobs[index]);
    struct text path = {0};
    int same = 1;
    for (int i = 0; i < index; i++)
        same += strcmp(job_name(&jobs[i]), name) == 0;
    text_printf(&path, "%s/", folder);
    append_file_name(&path, name, same);
    text_append(&path, profile_suffix);
    return path.data;
}

static void jobs_name(struct job *jobs, int n, const char *output)
{
    bool one_file = output && n == 1 && !file_is_directory(output);
    for (int i = 0; i < n; i++)
        jobs[i].path =
            one_file ? memory_strdup(output) : job_path(jobs, i, output ? output : "results");
}

/* What is there already must be an older profile, not the source or other data. */
static int jobs_check_outputs(const struct job *jobs, int n, struct error *error)
{
    for (int i = 0; i < n; i++) {
        const char *path = jobs[i].path;
        struct stat info;
        if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 ||
            (profile_detect(path) && !ncu_detect(path)))
            continue;
        error_set(error, STATUS_USAGE, "%s exists and is no profile: it is not overwritten", path);
        return error_hint(error, "remove it or name another file with -o");
    }
    return 0;
}

static int job_write(const struct job *job, bool cached, struct error *error)
{
    char *folder = file_directory(job->path);
    int status = file_make_directory(folder, error);
    if (!status)
        status = profile_write(job->profile, job->path, error);
    if (!status)
        message("wrote %s%s", job->path, cached ? " (the view was cached)" : "");
    free(folder);
    return status;
}

/* --with, beside who waits and how launches begin, which whatif asks for; --cta-sharing, which is
 * older; --sample and --error. */
static int read_options(const struct invocation *inv, struct profile_options *out,
                        struct error *error)
{
    const char *with = option_value(inv, "with", 0);
    int status = 0;
    *out = (struct profile_options){.threads = parallel_cores(), .progress = true};
    if (with)
        status = profile_parts_scan(with, &out->parts, error);
    if (!option_given(inv, "space"))
        out->parts |= PART_WAITS | PART_WINDOW;
    if (status)
        error_context(error, "--with");
    if (option_given(inv, "cta-sharing"))
        out->parts |= PART_CTA_SHARING;
    return status ? status : terminal_effort(inv, &out->effort, error);
}

static int job_run(struct job *job, const struct invocation *inv, const struct machine *machine,
                   struct error *error)
{
    struct profile_options options;
    bool cached = false;
    if (!job->source)
        return job_write(job, false, error);
    int status = read_options(inv, &options, error);
    if (status)
        return status;
    /* A trace is of one program only: who shares its lines is half of what it says. */
    if (strcmp(job->source->class->kind, "trace") == 0)
        options.parts |= PART_CTA_SHARING;
    job->profile = profile_create();
    status = option_given(inv, "no-cache")
                 ? profile_make(job->profile, job->source, machine, &options, error)
                 : profile_obtain(job->profile, job->source, machine, &options, &cached, error);
    if (status == STATUS_INTERRUPTED && !option_given(inv, "no-cache"))
        error_hint(error, "finished views are cached: the same command goes on from there");
    else if (status && status != STATUS_INTERRUPTED)
        error_context(error, "%.100s", job->source->name);
    return status ? status : job_write(job, cached, error);
}

static int make(const struct invocation *inv, const struct machine *machine, const char *format,
                struct error *error)
{
    int n = argument_count(inv);
    struct job *jobs = memory_zero((size_t)n, sizeof *jobs);
    struct profile **profiles = memory_zero((size_t)n, sizeof *profiles);
    int status = jobs_open(jobs, n, inv, error);
    if (!status)
        status = jobs_check_machine(jobs, n, machine, error);
    if (!status)
        jobs_name(jobs, n, option_value(inv, "output", 0));
    if (!status)
        status = jobs_check_outputs(jobs, n, error);
    for (int i = 0; i < n && !status; i++) {
        status = job_run(&jobs[i], inv, machine, error);
        profiles[i] = jobs[i].profile;
    }
    if (!status)
        status = plot_profiles(inv, profiles, n, error);
    if (!status)
        print_profiles(profiles, n, format, machine);
    free(profiles);
    jobs_destroy(jobs, n);
    return status;
}

/* --- the command -------------------------------------------------------------------- */

static int profile_machine(const struct invocation *inv, struct machine **out, struct error *error)
{
    const char *name = option_value(inv, "machine", 0);
    *out = NULL;
    if (!name && option_given(inv, "set"))
        return error_set(error, STATUS_USAGE, "--set needs a machine: --machine M");
    if (!name)
        return 0;
    int status = machine_load(name, out, error);
    return status ? status : terminal_apply_settings(inv, *out, error);
}

/* profile --space S */
static int run_space(const struct invocation *inv, struct error *error)
{
    static const char *const alone[] = {"machine", "set",      "output",       "plots",
                                        "format",  "no-cache", "organisation", NULL};
    struct profile_options options;
    if (argument_count(inv))
        return error_set(error, STATUS_USAGE, "--space names workloads: no SOURCE beside it");
    for (const char *const *name = alone; *name; name++)
        if (option_given(inv, *name)) {
            error_set(error, STATUS_USAGE, "--%s does not go with --space", *name);
            return error_hint(error,
                              "the space says machines and workloads; views go into the cache");
        }
    int status = read_options(inv, &options, error);
    return status ? status
                  : profile_space(option_value(inv, "space", 0), &options,
                                  option_given(inv, "strict"), error);
}

/* How many of the sources are counters. */
static int count_counters(const struct invocation *inv)
{
    int count = 0;
    for (int i = 0; i < argument_count(inv); i++)
        count += ncu_detect(argument_value(inv, i));
    return count;
}

/* Options that only change what is counted in a stream. */
static int check_counters_only(const struct invocation *inv, struct error *error)
{
    static const char *const streams[] = {"sample", "error", "with", "cta-sharing", "strict", NULL};
    for (const char *const *name = streams; *name; name++)
        if (option_given(inv, *name)) {
            error_set(error, STATUS_USAGE, "--%s has no effect on counters", *name);
            return error_hint(error, "it is for traces and workloads");
        }
    return 0;
}

static int profile_run(const struct invocation *inv, struct error *error)
{
    const char *first = argument_value(inv, 0), *format;
    struct machine *machine = NULL;
    enum plot_terminal terminal;
    bool showing = first && strcmp(first, "show") == 0;
    int status = terminal_format(inv, profile_formats, &format, error);
    if (!status)
        status = read_terminal(inv, &terminal, error);
    if (!status && option_given(inv, "space"))
        return run_space(inv, error);
    if (!status && !first) {
        status = error_set(error, STATUS_USAGE, "profile needs a SOURCE");
        error_hint(error, "a workload such as gemm:input=small, or a trace; bandscape list "
                          "workloads shows names");
    }
    if (!status)
        status = profile_machine(inv, &machine, error);
    int counters = showing ? 0 : count_counters(inv);
    if (!status && !showing && !counters && option_given(inv, "organisation")) {
        status = error_set(error, STATUS_USAGE, "--organisation is for counters of a real GPU");
        error_hint(error, "a trace or a workload is profiled for both organisations");
    }
    if (!status && !showing && counters == argument_count(inv))
        status = check_counters_only(inv, error);
    if (!status)
        status = showing ? show(inv, machine, format, error) : make(inv, machine, format, error);
    machine_destroy(machine);
    return status;
}

static const struct option_row profile_options[] = {
    {'m', "machine", "M", false, "a shipped machine (bandscape list machines) or a file",
     "@machines"},
    {'s', "set", "PATH=VALUE", true, "change a parameter: --set page.size=2MiB", "@settings"},
    {'o', "output", "FILE", false,
     "where to write; a folder when there are several sources\n"
     "(default: results/NAME.profile.yaml)"},
    {0, "no-cache", NULL, false, "profile anew, and keep nothing in the cache"},
    {0, "space", "S", false, "every view that a space needs, into the cache", "@spaces"},
    {0, "with", "PARTS", false,
     "more of the profile, as a list or all: remote, replication, l1, system (curves),\n"
     "locality, samplers, cta-sharing; waits and window, which only --space may lack",
     "all @parts"},
    {0, "sample", "RATE", false,
     "miss-ratio curves from this share of the lines, such as 1/16 (default: all);\n"
     "all counts stay exact"},
    {0, "error", "E", false,
     "miss-ratio curves from as many lines as keep hit rates within E, such as 0.01, in\n"
     "the mean over capacities"},
    {0, "exact", NULL, false, "every launch is gone through, also those that repeat earlier ones"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "organisation", "O", false,
     "counters: their LLC is taken as memory-side (default) or sm-side", "@organisation"},
    {0, "cta-sharing", NULL, false, "count which lines thread blocks share (traces: always)"},
    {0, "plots", "DIR", false, "draw miss-ratio curves and sharing into this folder"},
    {0, "plot", "DIR", false, NULL, NULL, "plots"},
    {0, "term", "TERM", false, "of the pictures: svg (default), png, pdf, eps, tex or dumb (text)",
     "svg png pdf eps tex dumb"},
    LOOK_OPTIONS,
    {0, "format", "F", false, "table (default), yaml (the file's text) or json", "table yaml json"},
    {.name = NULL},
};

const struct command command_profile = {
    .plugin = {"command", "profile", "profile workloads and traces for a machine", NULL, NULL},
    .usage =
        "SOURCE... --machine M [--set PATH=VALUE]... [--with PARTS] [--sample RATE | --error E]\n"
        "        [-o FILE]\n"
        "       bandscape profile COUNTERS.csv... [--organisation O] [-o FILE]\n"
        "       bandscape profile --space S [--with PARTS] [--sample RATE | --error E]\n"
        "       bandscape profile show FILE... [--machine M] [--plots DIR [--term TERM]]",
    .description =
        "Runs each source once through the machine's SMs, L1 caches and page placement, and\n"
        "writes what the models need: counts, the share of local requests, the uniformity of\n"
        "LLC slices (LSU), sharing classes, the traffic between chips, and the LLC's miss-ratio\n"
        "curves. One view is made: that of the machine's structure (chips, SMs, L1, line, pages,\n"
        "thread blocks). LLC capacity, bandwidths and latencies may change freely afterwards.\n\n"
        "--sample takes the stack distances of a part of the lines only, one of so many\n"
        "neighbours, which is faster and smaller. Nothing is known of caches below 10/RATE lines;\n"
        "whatever is no curve stays exact. What miss ratios and write-backs may be off by is\n"
        "estimated from how neighbours differ, kept in the profile, and shown as +-: the interval\n"
        "holds the exact value with 95 %. --error asks for an error instead: the rate follows "
        "from\n"
        "the size of the arrays, and where that does not do, from a first pass. Where a sample\n"
        "would have few lines, all are taken. Of steps whose grids grow or shrink steadily some\n"
        "are gone through then, as many as keep the run within E. Of long launches most\n"
        "stretches are skimmed: what is asked for is read, and neither L1 nor who waits is\n"
        "followed; what is counted between them stands for all, and how far that may be off is\n"
        "printed and kept. It goes with parts waits and window, and without levels before the\n"
        "LLC.\n\n"
        "Launches that repeat earlier ones are counted again, once all that is counted of them is\n"
        "within 0.1 % of the time before; --exact goes through every one.\n\n"
        "show prints a stored profile; with a machine only its view, and the hit rates of its\n"
        "LLC. --plots draws the miss-ratio curves of the whole run, and how pages and lines are\n"
        "shared. A file may be edited: its last two lines tell whether it was cut or changed, and "
        "may\n"
        "be deleted along with the first. A profile may also be made by hand:\n\n"
        "  profile: hand-made\n"
        "  point: {r_local: 0.7, llc_hit: {memory-side: 0.8, sm-side: 0.5},\n"
        "          lsu: {memory-side: 0.9, sm-side: 1}}\n\n"
        "Counters of a real GPU (the CSV of Nsight Compute) make such points too, one a kernel\n"
        "launch. They hold for one organisation of the LLC, that of the GPU: take sm-side where\n"
        "its parts keep copies for their own SMs. What was not measured stays unknown, and a\n"
        "model that needs it says so. This measures all that is read:\n\n" NCU_COMMAND,
    .examples = "  bandscape profile gemm:input=small --machine sac\n"
                "  bandscape profile gemm:input=small --machine sac --set page.size=2MiB -o "
                "gemm-2m.yaml\n"
                "  bandscape profile gemm:input=small --machine sac --with remote,l1\n"
                "  bandscape profile gemm --machine sac --sample 1/16\n"
                "  bandscape profile gemm --machine sac --error 0.01\n"
                "  bandscape profile --space sac-sensitivity\n"
                "  bandscape profile show gemm-2m.yaml\n"
                "  bandscape profile show gemm-2m.yaml --machine sac --plots plots --term png\n"
                "  bandscape profile show gemm-2m.yaml --format json\n"
                "  bandscape profile counters.csv -o measured.profile.yaml",
    .options = profile_options,
    .run = profile_run,
    .arguments = "show @workloads",
};

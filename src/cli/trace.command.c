/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape trace: what a trace holds, its conversion to the text or the binary
 * form, and how programs are built that trace themselves. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_flags.h"
#include "cli/trace_report.h"
#include "core/file.h"
#include "core/suggest.h"
#include "trace/binary_format.h"
#include "trace/input/decoder.h"
#include "trace/input/line_reader.h"
#include "trace/reader.h"
#include "trace/statistics.h"
#include "trace/text_format.h"
#include "profile/run/source_check.h"

/* --- gathering -------------------------------------------------------------- */

struct inspection {
    struct {
        struct trace_subject *items;
        size_t count, capacity;
    } files;
};

static void inspection_fini(struct inspection *all)
{
    for (size_t i = 0; i < all->files.count; i++) {
        statistics_destroy(all->files.items[i].statistics);
        source_destroy(all->files.items[i].source);
    }
    VECTOR_FREE(&all->files);
}

/* A file, or the name of a workload. */
static int trace_open(const struct invocation *inv, const char *spec, struct source **out,
                      struct error *error)
{
    int status = source_open_checked(spec, out, error);
    if (status || !option_given(inv, "strict"))
        return status;
    status = source_refuse_warnings((*out)->name, (const char *const *)(*out)->warnings.items,
                                    (*out)->warnings.count, error);
    if (status) {
        source_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* --- trace info ------------------------------------------------------------- */

static int info_line_bytes(const struct invocation *inv, uint32_t *out, struct error *error)
{
    long long value;
    int status = option_integer(inv, "line", 32, 1 << 20, STATISTICS_LINE_BYTES, &value, error);
    if (status)
        return status;
    *out = (uint32_t)value;
    if (value & (value - 1))
        return error_set(error, STATUS_USAGE, "--line: expected a power of two, got %lld", value);
    return 0;
}

static int trace_info(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", "csv", NULL};
    struct inspection all = {0};
    const char *format;
    uint32_t line_bytes = 0;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = info_line_bytes(inv, &line_bytes, error);
    if (!status && option_given(inv, "output"))
        status = error_set(error, STATUS_USAGE,
                           "trace info writes to the standard output: it has "
                           "no --output");
    if (!status && option_given(inv, "link"))
        status = error_set(error, STATUS_USAGE, "--link belongs to trace flags");
    for (int i = 1; i < argument_count(inv) && !status; i++) {
        struct trace_subject file = {0};
        status = trace_open(inv, argument_value(inv, i), &file.source, error);
        if (!status)
            status = statistics_gather(file.source, line_bytes, &file.statistics, error);
        VECTOR_PUSH(&all.files, file);
    }
    if (!status && strcmp(format, "json") == 0)
        trace_report_json(all.files.items, all.files.count);
    else if (!status && strcmp(format, "csv") == 0)
        trace_report_csv(all.files.items, all.files.count);
    else if (!status)
        trace_report_tables(all.files.items, all.files.count);
    if (!status)
        trace_report_warnings(all.files.items, all.files.count);
    inspection_fini(&all);
    return status;
}

/* --- trace convert ---------------------------------------------------------- */

static bool convert_is_ours(const char *head, size_t size)
{
    const struct reader *text = (const struct reader *)plugin_find("reader", "text");
    const struct reader *binary = (const struct reader *)plugin_find("reader", "binary");
    return text->detect("", head, size) || binary->detect("", head, size);
}

/* A name says what is in the file: what another reader would take it for cannot
 * be written. */
static int convert_check_name(const char *output, struct error *error)
{
    size_t cursor = 0;
    const struct decoder *decoder = decoder_of(output);
    if (decoder) {
        error_set(error, STATUS_USAGE, "%s: trace convert does not compress", output);
        return error_hint(error, "write %.*s and run %s on it", (int)decoder_plain_length(output),
                          output, decoder->name);
    }
    for (const struct plugin *plugin; (plugin = plugin_next("reader", &cursor));) {
        if (strcmp(plugin->name, "text") == 0 || strcmp(plugin->name, "binary") == 0 ||
            !((const struct reader *)plugin)->detect(output, "", 0))
            continue;
        error_set(error, STATUS_USAGE,
                  "%s: by its name this is a trace of the kind \"%s\", which "
                  "is only read",
                  output, plugin->name);
        return error_hint(error,
                          "name it *" TEXT_FORMAT_SUFFIX
                          " for the text form, *" BINARY_FORMAT_SUFFIX " for the binary form");
    }
    return 0;
}

/* What is there already must be an older result, not somebody's data. */
static int convert_check_output(const char *input, const char *output, struct error *error)
{
    struct stat in, out;
    struct line_reader *lines;
    const char *head;
    size_t size = 0;
    int status = convert_check_name(output, error);
    if (status)
        return status;
    if (stat(output, &out) != 0)
        return 0;
    if (stat(input, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        return error_set(error, STATUS_USAGE, "%s is the input: it is not overwritten", output);
    if (!S_ISREG(out.st_mode))
        return error_set(error, STATUS_USAGE, "%s is not a regular file", output);
    status = line_reader_open(output, &lines, error);
    if (status)
        return status;
    status = line_reader_head(lines, &head, &size, error);
    if (!status && size > 0 && !convert_is_ours(head, size)) {
        status = error_set(error, STATUS_USAGE,
                           "%s exists and is no trace in the text form or the binary form: it is "
                           "not overwritten",
                           output);
        error_hint(error, "remove it or name another file with -o");
    }
    line_reader_close(lines);
    return status;
}

static int convert_to_file(const struct source *source, const char *input, const char *output,
                           struct error *error)
{
    struct file_writer writer;
    struct stat info;
    char size[32];
    int status = convert_check_output(input, output, error);
    if (!status)
        status = file_writer_open(&writer, output, error);
    if (status)
        return status;
    status = file_ends_in(output, BINARY_FORMAT_SUFFIX)
                 ? trace_write_binary(source, writer.stream, error)
                 : trace_write_text(source, writer.stream, error);
    status = file_writer_end(&writer, status, error);
    if (!status && stat(output, &info) == 0) {
        quantity_format((struct quantity){(double)info.st_size, DIM_BYTES}, 3, size, sizeof size);
        message("wrote %s (%s)", output, size);
    }
    return status;
}

/* OUTPUT, or what -o names. An OUTPUT that is there is not replaced: `trace
 * convert *.btrace` may have found two files. */
static int convert_output(const struct invocation *inv, const char **output, struct error *error)
{
    struct stat info;
    *output = option_value(inv, "output", 0);
    int extra = *output ? 2 : 3;
    if (argument_count(inv) > extra)
        return error_set(error, STATUS_USAGE,
                         "trace convert takes one FILE and one OUTPUT, got \"%.100s\" too",
                         argument_value(inv, extra));
    if (*output || argument_count(inv) < 3)
        return 0;
    *output = argument_value(inv, 2);
    if (strcmp(*output, "-") == 0 || stat(*output, &info) != 0)
        return 0;
    error_set(error, STATUS_USAGE, "%s exists", *output);
    return error_hint(error, "-o %s replaces it, if it is a trace in the text or the binary form",
                      *output);
}

static int trace_convert(const struct invocation *inv, struct error *error)
{
    const char *input = argument_value(inv, 1), *output;
    struct source *source;
    struct text name = {0};
    if (option_given(inv, "format") || option_given(inv, "line") || option_given(inv, "link"))
        return error_set(error, STATUS_USAGE,
                         "--format and --line belong to trace info, --link to trace flags");
    int status = convert_output(inv, &output, error);
    if (!status)
        status = trace_open(inv, input, &source, error);
    if (status)
        return status;
    text_printf(&name, "%s%s", source->name, TEXT_FORMAT_SUFFIX);
    if (output && strcmp(output, "-") == 0)
        status = trace_write_text(source, stdout, error);
    else
        status = convert_to_file(source, input, output ? output : name.data, error);
    text_free(&name);
    if (!status)
        terminal_warn(source->name, (const char *const *)source->warnings.items,
                      source->warnings.count);
    source_destroy(source);
    return status;
}

/* --- the command ------------------------------------------------------------ */

static int trace_run(const struct invocation *inv, struct error *error)
{
    static const struct {
        const char *name;
        bool needs_file;
        int (*run)(const struct invocation *inv, struct error *error);
    } actions[] = {{"info", true, trace_info},
                   {"convert", true, trace_convert},
                   {"flags", false, trace_flags}};
    const char *wanted = argument_value(inv, 0);
    struct suggest suggest = suggest_begin(wanted ? wanted : "");
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (wanted && strcmp(actions[i].name, wanted) == 0) {
            if (argument_count(inv) > 1 || !actions[i].needs_file)
                return actions[i].run(inv, error);
            error_set(error, STATUS_USAGE, "trace %s needs a FILE", wanted);
            return error_hint(
                error, "a kernelslist.g, a .traceg, .tracez or .trace, the output of NVBit's "
                       "mem_trace, PPT-GPU's app_config.py, or a trace in the text form or "
                       "the binary form");
        }
        suggest_offer(&suggest, actions[i].name);
    }
    if (!wanted)
        error_set(error, STATUS_USAGE, "trace needs an action: info, convert or flags");
    else
        error_set(error, STATUS_USAGE, "trace: there is no action \"%.80s\"", wanted);
    if (wanted && suggest.best)
        error_hint(error, "did you mean \"bandscape trace %s\"?", suggest.best);
    else
        error_hint(error, "bandscape trace --help shows examples");
    return STATUS_USAGE;
}

static const struct option_row trace_options[] = {
    {'o', "output", "FILE", false,
     "convert: where to write, as OUTPUT; - is the standard output,\n"
     "in the text form (default: the name of the trace with " TEXT_FORMAT_SUFFIX ");\n"
     "replaces an older trace"},
    {0, "line", "BYTES", false, "info: size of a line, a power of two (default: 128)"},
    {0, "format", "F", false, "info: table (default), json or csv", "table json csv"},
    {0, "strict", NULL, false,
     "info, convert: a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "link", NULL, false, "flags: what the linker needs instead of what the compiler needs"},
    {.name = NULL},
};

const struct command command_trace = {
    .plugin = {.kind = "command",
               .name = "trace",
               .summary = "show what a trace holds, or convert it to the text or the binary form"},
    .usage = "info FILE... [--line BYTES] [--format F] [--strict]\n"
             "       bandscape trace convert FILE [OUTPUT] [--strict]\n"
             "       bandscape trace flags [--link]",
    .description =
        "FILE is an Accel-Sim kernelslist.g (or kernelslist of raw traces), one kernel's\n"
        ".traceg, .tracez or raw .trace, the output of NVBit's mem_trace, PPT-GPU's app_config.py "
        "or\n"
        "one of its .mem files, a trace in the text or the binary form, or the name of a\n"
        "workload. Traces in one file, and those that a kernelslist names, may be compressed\n"
        "(.xz, .gz, .zst). A folder stands for the kernelslist.g or app_config.py in it.\n\n"
        "info counts, kernel by kernel and without any machine: warp instructions, warp\n"
        "accesses to global memory, lane accesses, lines and 32 B sectors after coalescing,\n"
        "the footprint, and which lines two CTAs or more touch.\n\n"
        "Launches of which a trace does not hold all thread blocks get a warning with their\n"
        "number, here and wherever the trace is used. NVBit's mem_trace and PPT-GPU name no\n"
        "thread block that makes no access: there it may be all right. --strict makes it an\n"
        "error.\n\n"
        "convert writes the text form: one line a warp access, to be read, edited or written\n"
        "by other tools; a comment in its first line promises the last one, so that a file that\n"
        "was cut is refused. src/trace/text_format.h describes it. The smallest trace is\n\n"
        "  bandscape-trace 1\n"
        "  r 0x1000 4\n"
        "  w 0x2000 4 stride=4 cta=1 warp=0\n\n"
        "What a warp waits for may be said of an access: ahead=N, it needs none of the N accesses\n"
        "before it; think=N, it comes N cycles of the SM's clock after what it needs. Formats "
        "that\n"
        "do not say it (mem_trace, PPT-GPU) let each access need all that its warp has loaded\n"
        "before it; answers that rest on that say so.\n\n"
        "An OUTPUT that ends in " BINARY_FORMAT_SUFFIX
        " gets the binary form instead, which holds the same in\n"
        "about a sixth of the bytes, with checksums. src/trace/binary_format.h describes it.\n\n"
        "flags prints what gcc or clang needs to build a program (C or C++, with threads or\n"
        "OpenMP) that writes a trace of its own loads and stores when it runs, "
        "NAME" BINARY_FORMAT_SUFFIX
        ".\nbandscape_trace.h describes it: threads are CTAs, iterations of a loop lanes.",
    .examples = "  bandscape trace info gemm:input=small\n"
                "  bandscape trace convert gemm:input=small gemm.btrace\n"
                "  bandscape trace info gemm.btrace --format csv\n"
                "  bandscape trace convert gemm.btrace gemm.bstream\n"
                "  bandscape trace convert gemm.bstream - | head\n"
                "  gcc -O2 -g -fopenmp $(bandscape trace flags) -c program.c\n"
                "  gcc -fopenmp program.o $(bandscape trace flags --link) -o program",
    .options = trace_options,
    .run = trace_run,
    .arguments = "info convert flags|@workloads",
};

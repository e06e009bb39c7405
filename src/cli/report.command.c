/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape report: one page about the result of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "core/file.h"
#include "report/html_page.h"

/* A page by another ending would open in a program that cannot show it. */
static int check_ending(const char *path, struct error *error)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *ending = strrchr(name, '.');
    if (!ending || ending == name || strcmp(ending, ".html") == 0 || strcmp(ending, ".htm") == 0)
        return 0;
    error_set(error, STATUS_USAGE, "report: pages are HTML; %s ends in %s", path, ending);
    int stem = (int)(ending - path);
    if (strcmp(ending, ".pdf") == 0)
        return error_hint(error,
                          "-o %.*s.html; a browser prints it: chromium --headless "
                          "--print-to-pdf=%s %.*s.html",
                          stem, path, path, stem, path);
    return error_hint(error, "-o %.*s.html", stem, path);
}

/* A page is replaced, and nothing else. */
static int check_free(const char *path, struct error *error)
{
    char *data;
    size_t size;
    if (!file_exists(path))
        return 0;
    if (file_is_directory(path)) {
        error_set(error, STATUS_INPUT, "%s is a folder", path);
        return error_hint(error, "give a file: -o %s/report.html", path);
    }
    int status = file_read(path, 1 << 30, &data, &size, error);
    if (status)
        return status;
    if (strncmp(data, HTML_PAGE_HEAD, strlen(HTML_PAGE_HEAD)) != 0) {
        status =
            error_set(error, STATUS_INPUT, "%s is there, and is no page of bandscape report", path);
        error_hint(error, "another file: -o FILE");
    }
    free(data);
    return status;
}

static int run_report(const struct invocation *inv, struct error *error)
{
    const char *given = option_value(inv, "output", 0);
    bool to_stdout = given && strcmp(given, "-") == 0;
    struct text path = {0}, page = {0};
    struct result result = {0};
    if (argument_count(inv) != 1) {
        error_set(error, STATUS_USAGE, "report: expected one folder of a sweep, got %d arguments",
                  argument_count(inv));
        return error_hint(error, "see bandscape report --help");
    }
    const char *folder = argument_value(inv, 0);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (given)
        text_append(&path, given);
    else
        text_printf(&path, "%.*s/report.html", (int)length, folder);
    int status = given && !to_stdout ? check_ending(given, error) : 0;
    if (!status)
        status = result_open(folder, &result, error);
    if (!status && !to_stdout)
        status = check_free(path.data, error);
    if (!status)
        html_page_print(&result, option_value(inv, "title", 0), &page);
    if (!status && to_stdout)
        fwrite(page.data, 1, page.length, stdout);
    else if (!status && (status = file_write(path.data, page.data, page.length, error)) == 0)
        printf("%s\n", path.data);
    result_close(&result);
    text_free(&page);
    text_free(&path);
    return status;
}

static const struct option_row report_options[] = {
    {'o', "output", "FILE", false, "default DIR/report.html; - is the standard output"},
    {0, "title", "TEXT", false, "of the page (default: the space's name and summary)"},
    {.name = NULL},
};

const struct command command_report = {
    .plugin = {"command", "report", "one page of HTML about the result of a sweep", NULL, NULL},
    .usage = "DIR [-o FILE.html] [--title TEXT]",
    .description =
        "Makes one file of HTML of a folder that bandscape sweep wrote: what was asked, the\n"
        "answer with what limits it, the ranking, the Pareto front as a picture whose points tell\n"
        "their values, what each axis does at the best point and over all points, resources of\n"
        "the best points, how far models agree, and inputs, hashes and the command to make it\n"
        "again. It needs no other file and no network, can be read without scripts, and prints.\n"
        "Nothing is computed anew: a folder whose files were changed is refused.",
    .examples = "  bandscape report results/sac-sensitivity\n"
                "  bandscape report results/sac-sensitivity -o sensitivity.html --title \"Links or "
                "caches?\"\n"
                "  bandscape report results/sac-sensitivity -o - | wc -c",
    .options = report_options,
    .run = run_report,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_ask.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <unistd.h>

#include "cli/sweep_course.h"
#include "core/parallel.h"

/* A sweep that takes longer is asked about. So are, before anything is profiled or built, very
 * many points or structures. */
static const double ASK_ABOVE_S = 600, ASK_ABOVE_POINTS = 1e12, ASK_ABOVE_STRUCTURES = 1e6;
static const double SAY_ABOVE_S = 10;

/* "48 s", "12 minutes", "3.5 years". */
static void append_duration(struct text *out, double seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"years", 365.25 * 86400}, {"days", 86400}, {"hours", 3600}, {"minutes", 60}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (seconds >= 2 * units[i].seconds) {
            double amount = seconds / units[i].seconds;
            text_printf(out, amount < 1e6 ? "%.0f %s" : "%.3g %s", amount, units[i].name);
            return;
        }
    text_printf(out, "%.0f s", seconds);
}

/* On a terminal: whether to go on with what takes long. Elsewhere nobody can be asked. */
static int ask(const struct invocation *inv, const char *name, const char *what,
               struct error *error)
{
    bool yes = option_given(inv, "yes");
    if (!yes && !(isatty(STDIN_FILENO) && isatty(STDERR_FILENO))) {
        error_set(error, STATUS_USAGE, "%s: %s, and nobody can be asked whether to go on", name,
                  what);
        return error_hint(error, "--yes goes on");
    }
    message("%s", what);
    if (yes)
        return 0;
    fprintf(stderr, "Go on? [y/N] ");
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&input, 1, -1) < 0 && errno == EINTR && !interrupt_requested())
        ;
    if (interrupt_requested())
        return interrupt_check(error);
    int answer = getchar();
    return answer == 'y' || answer == 'Y' ? 0 : error_set(error, STATUS_FAILED, "not started");
}

int sweep_ask_size(const struct invocation *inv, const struct space *space, struct error *error)
{
    uint64_t points = space_count(space), structures = sweep_structures(space);
    struct text what = {0};
    int status = 0;
    if ((double)points >= ASK_ABOVE_POINTS)
        text_printf(&what, "%llu points are a great many", (unsigned long long)points);
    else if ((double)structures >= ASK_ABOVE_STRUCTURES)
        text_printf(&what, "%llu points in %llu machine structures are a great many",
                    (unsigned long long)points, (unsigned long long)structures);
    if (what.length > 0)
        status = ask(inv, space->name, what.data, error);
    text_free(&what);
    return status;
}

int sweep_ask_time(const struct invocation *inv, const struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct text what = {0};
    double seconds;
    int status = sweep_estimate(sweep, &seconds, error);
    if (status)
        return status;
    text_printf(&what, "evaluating %s%llu point%s x %zu workload%s",
                sweep_course_is_share(sweep) ? "a share of " : "",
                (unsigned long long)space_count(space), space_count(space) == 1 ? "" : "s",
                space->n_workloads, space->n_workloads == 1 ? "" : "s");
    if (space->n_models > 1)
        text_printf(&what, " x %zu models", space->n_models);
    text_append(&what, " takes ");
    text_append(&what, seconds < SAY_ABOVE_S ? "less than " : "about ");
    append_duration(&what, fmax(seconds, SAY_ABOVE_S));
    if (seconds > ASK_ABOVE_S)
        status = ask(inv, space->name, what.data, error);
    else
        message("%s", what.data);
    text_free(&what);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading how pictures are to look. */
#include "cli/look_options.h"

bool look_asked(const struct invocation *invocation)
{
    static const char *const names[] = {"title",  "width", "font",  "xrange",
                                        "yrange", "label", "script"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (option_given(invocation, names[i]))
            return true;
    return false;
}

int look_read(const struct invocation *invocation, struct picture_look *out, struct arena *arena,
              struct error *error)
{
    static const char *const ranges[] = {"xrange", "yrange"};
    const char *width = option_value(invocation, "width", 0);
    const char *font = option_value(invocation, "font", 0);
    int status = 0;
    *out = (struct picture_look){.title = option_value(invocation, "title", 0),
                                 .script = option_given(invocation, "script")};
    if (width)
        status = look_scan_width(width, &out->width_mm, error);
    if (!status && font)
        status = look_scan_font(font, out, arena, error);
    for (int a = 0; a < 2 && !status; a++) {
        const char *range = option_value(invocation, ranges[a], 0);
        if (range && (status = look_scan_range(range, &out->ranges[a], error)))
            error_context(error, "--%s", ranges[a]);
    }
    for (int i = 0; i < option_count(invocation, "label") && !status; i++)
        status = look_scan_label(option_value(invocation, "label", i), out, arena, error);
    return status;
}

int look_open(const struct invocation *invocation, enum plot_terminal terminal,
              struct look_how *out, struct error *error)
{
    *out = (struct look_how){.output.terminal = terminal, .arena = arena_create()};
    out->output.look = &out->look;
    return look_read(invocation, &out->look, out->arena, error);
}

void look_close(struct look_how *how)
{
    look_fini(&how->look);
    arena_destroy(how->arena);
}

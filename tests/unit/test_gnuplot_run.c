/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gnuplot that does not behave: it hangs, floods, leaves, or starts what stays behind. */
#include "check.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "report/gnuplot_run.h"

/* A gnuplot of ours is the first on the path; it runs in no folder of its own, so that it finds
 * this one as $FOLDER. */
SET_UP
{
    struct text path = {0};
    text_printf(&path, "%s:%s", check_folder(), getenv("PATH"));
    setenv("PATH", path.data, 1);
    setenv("FOLDER", check_folder(), 1);
    text_free(&path);
    interrupt_install();
}

/* Runs it on a script of so many lines; the picture must be `wanted`, or, when that is NULL, the
 * error have the words. */
static void run(const char *body, int lines, double silent_s, const char *wanted, int wanted_status,
                const char *words)
{
    struct text program = {0}, script = {0}, picture = {0};
    struct plot_output output = {.terminal = PLOT_SVG, .text = &picture, .silent_s = silent_s};
    text_printf(&program, "#!/bin/sh\n%s\n", body);
    chmod(check_file("gnuplot", program.data), 0755);
    for (int i = 0; i < lines; i++)
        text_append(&script, "# a line of the script\n");
    text_append(&script, "");
    if (wanted) {
        check_ok(gnuplot_run(&output, &script, &failure));
        assert_string_equal(picture.data, wanted);
    } else {
        check_error(gnuplot_run(&output, &script, &failure), wanted_status, words);
    }
    /* Nothing is left of it to wait for. */
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    text_free(&program);
    text_free(&script);
    text_free(&picture);
}

/* The process whose number it wrote to that file is no more, or dead and left to others. */
static void check_gone(const char *name)
{
    char path[100], *number, *stat;
    size_t size;
    check_ok(file_read(check_path(name), 100, &number, &size, &failure));
    while (size > 0 && isspace((unsigned char)number[size - 1]))
        number[--size] = '\0';
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    for (int waited = 0;; waited++) { /* who was killed needs a moment */
        if (file_read(path, 4096, &stat, &size, &failure))
            break;
        bool dead = strstr(stat, ") Z ") != NULL;
        free(stat);
        if (dead)
            break;
        if (waited == 6000)
            fail_msg("process %s of %s is still there", number, name);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    free(number);
}

TEST(one_that_hangs_is_ended_with_what_it_started)
{
    run("echo $$ >$FOLDER/parent\nsleep 1000 &\necho $! >$FOLDER/child\nwait", 10, 2, NULL,
        STATUS_NO_PICTURE, "gnuplot was ended: it did nothing for");
    check_gone("parent");
    check_gone("child");
    /* The same when it does not read what fills a pipe, and when it has closed all its streams. */
    run("sleep 1000", 3000, 0.2, NULL, STATUS_NO_PICTURE, "gnuplot was ended: it did nothing");
    run("exec <&- >&- 2>&-\nsleep 1000", 3000, 0.2, NULL, STATUS_NO_PICTURE,
        "gnuplot was ended: it did nothing");
}

TEST(one_that_floods_is_ended)
{
    run("yes", 10, 0, NULL, STATUS_NO_PICTURE, "gnuplot was ended: it wrote 64 MiB and more");
    run("yes >&2", 10, 0, NULL, STATUS_NO_PICTURE, "gnuplot was ended: it wrote 64 MiB and more");
}

TEST(one_that_leaves_is_judged_by_its_picture)
{
    run("exec <&-\necho picture", 100000, 0, "picture\n", 0, NULL);
    run("echo picture", 100000, 0, "picture\n", 0, NULL);
    run("exec <&-\nexit 1", 100000, 0, NULL, STATUS_NO_PICTURE, "gnuplot made no picture");
    /* What it started keeps its streams open: the picture is there all the same. */
    run("cat >/dev/null\necho picture\nsleep 1000 &\necho $! >$FOLDER/left", 10, 0, "picture\n", 0,
        NULL);
    check_gone("left");
}

/* More than pipes hold, to and fro at once. */
TEST(long_scripts_and_pictures_pass)
{
    struct text all = {0};
    for (int i = 0; i < 100000; i++)
        text_append(&all, "# a line of the script\n");
    run("exec cat", 100000, 0, all.data, 0, NULL);
    run("tee /dev/stderr", 100000, 0, all.data, 0, NULL);
    text_free(&all);
}

TEST(ctrl_c_is_answered_while_it_hangs)
{
    /* Silence is no way out of it for a day. */
    run("echo $$ >$FOLDER/parent\nkill -INT $PPID\nsleep 1000", 10, 86400, NULL, STATUS_INTERRUPTED,
        "interrupted");
    interrupt_clear();
    check_gone("parent");
}

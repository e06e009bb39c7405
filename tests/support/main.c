/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main function of unit tests: runs what TEST entered. */
#include "check.h"

#include <gsl/gsl_errno.h>

#include "support.h"

enum { TESTS_MAX = 100 };

static struct CMUnitTest tests[TESTS_MAX];
static size_t count;
static void (*before)(void);

static int forget_failure(void **state)
{
    (void)state;
    failure = (struct error){0};
    return 0;
}

void check_enter(const char *name, void (*test)(void **state))
{
    if (count == TESTS_MAX)
        abort();
    tests[count++] =
        (struct CMUnitTest){.name = name, .test_func = test, .setup_func = forget_failure};
}

void check_enter_set_up(void (*set_up)(void))
{
    before = set_up;
}

static int set_up_all(void **state)
{
    (void)state;
    gsl_set_error_handler_off();
    if (before)
        before();
    return 0;
}

int main(void)
{
    int failed = _cmocka_run_group_tests("tests", tests, count, set_up_all, NULL);
    support_forget_machines();
    if (!support_remove_folder()) {
        print_message("unfinished files are left\n");
        return 1;
    }
    return failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the page about a sweep, of files that nobody would write. */
#include "check.h"

#include "core/memory.h"
#include "report/html.h"

static int count(const char *text, const char *what)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        found++;
    return found;
}

/* Ranks that are no numbers: each row is one by itself, and there is an end. */
TEST(test_limits_without_rank)
{
    static const char table[] = "rank,workload,model,resource,binds,used,twice,behind\n"
                                "x,gemm,eab,inter,yes,1,1.5,memory\n"
                                ",gemm,eab,memory,no,0.5,,\n"
                                "1,bfs,eab,inter,yes,1,1.2,memory\n"
                                "1,bfs,eab,memory,no,0.4,,\n";
    struct csv *csv;
    struct text out = {0};
    check_ok(csv_parse("limits.csv", table, strlen(table), &csv, &failure));
    struct result result = {.limits = csv};
    struct html page = {&result, arena_create(), &out};
    html_limits(&page);
    assert_int_equal(count(out.data, "<tr><td"), 3);
    assert_int_equal(count(out.data, "inter used"), 1);
    arena_destroy(page.arena);
    text_free(&out);
    csv_destroy(csv);
}

/* A title stands there whole, however long it is between its joints. */
TEST(test_long_title)
{
    struct text out = {0}, title = {0};
    struct html page = {NULL, arena_create(), &out};
    for (int i = 0; i < 300; i++)
        text_append(&title, i % 200 == 199 ? "_" : "q");
    html_head(&page, title.data, false);
    assert_int_equal(count(out.data, "q"), 299);
    assert_int_equal(count(out.data, "_<wbr>"), 1);
    arena_destroy(page.arena);
    text_free(&title);
    text_free(&out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a parameter as users write them: one, lists, ranges, what is relative; mistakes. */
#include "check.h"

#include "cli/values.h"

/* Of a parameter of sac, with "|" between. */
static const char *values_of(const char *path, const char *text)
{
    static char all[512];
    OWNED(machine) *machine = check_shipped("sac", NULL);
    struct values values = {0};
    struct parameter parameter;
    check_ok(machine_find(machine, path, &parameter, &failure));
    check_ok(values_read(&parameter, text, &values, &failure));
    all[0] = '\0';
    for (size_t i = 0; i < values.count; i++) {
        strcat(all, i ? "|" : "");
        strcat(all, values.items[i]);
    }
    values_fini(&values);
    return all;
}

static void check_values(const char *const (*table)[3], size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_string_equal(values_of(table[i][0], table[i][1]), table[i][2]);
}

/* sac: links of 96 GB/s, an LLC of 4 MiB and 120 cycles, 4 chips, theta 0.05. */
TEST(one_value)
{
    static const char *const table[][3] = {
        {"inter.link_bandwidth", "384 GB/s", "384 GB/s"},
        {"inter.link_bandwidth", "*2", "192 GB/s"},
        {"inter.link_bandwidth", "x1.5", "144 GB/s"},
        {"inter.link_bandwidth", "/3", "32 GB/s"},
        {"inter.link_bandwidth", "+10%", "105.6 GB/s"},
        {"inter.link_bandwidth", "-12.5%", "84 GB/s"},
        {"inter.link_bandwidth", "+500 MB/s", "96.5 GB/s"},
        {"llc.capacity", "*3", "12 MiB"},
        {"llc.latency", "/2", "60 cycles"},
        {"chips", "*2", "8"},
        {"chips", "+25%", "5"},
        {"chips", "+1", "5"},
        {"chips", "-1", "3"},
        {"llc.theta", "+0.01", "0.06"},
        {"llc.capacity", "x1/4", "1 MiB"},
        {"llc.theta", "*2", "0.1"},
        {"llc.organisation", "x", "x"},
    };
    check_values(table, sizeof table / sizeof *table);
}

TEST(several)
{
    static const char *const table[][3] = {
        {"inter.link_bandwidth", "48, 96,192GB/s", "48 GB/s|96 GB/s|192 GB/s"},
        {"inter.link_bandwidth", "48,2..4TB/s:2", "48 TB/s|2 TB/s|4 TB/s"},
        {"inter.link_bandwidth", "*0.5,*1,+32GB/s", "48 GB/s|96 GB/s|128 GB/s"},
        {"inter.link_bandwidth", "+-50%", "48 GB/s|96 GB/s|144 GB/s"},
        {"llc.latency", "60,120cycles", "60 cycles|120 cycles"},
        {"chips", "+-20%", "3|4|5"},
        {"llc.organisation", "sac,sm-side, sac", "sac|sm-side"},
    };
    check_values(table, sizeof table / sizeof *table);
}

TEST(ranges)
{
    static const char *const table[][3] = {
        {"inter.link_bandwidth", "48..192GB/s", "48 GB/s|96 GB/s|192 GB/s"},
        {"inter.link_bandwidth", "48..200 GB/s", "48 GB/s|96 GB/s|192 GB/s|200 GB/s"},
        {"inter.link_bandwidth", "x0.5..x2", "48 GB/s|96 GB/s|192 GB/s"},
        {"inter.link_bandwidth", "500MB/s..2GB/s", "500 MB/s|1 GB/s|2 GB/s"},
        {"inter.link_bandwidth", "80..160GB/s:5", "80 GB/s|100 GB/s|120 GB/s|140 GB/s|160 GB/s"},
        {"inter.link_bandwidth", "1..256 GB/s:5", "1 GB/s|4 GB/s|16 GB/s|64 GB/s|256 GB/s"},
        {"llc.theta", "0..0.1:3", "0|0.05|0.1"},
        {"chips", "2..5", "2|3|4|5"},
        {"chips", "1..16", "1|2|4|8|16"},
        {"chips", "1..4:2", "1|4"},
    };
    check_values(table, sizeof table / sizeof *table);
}

TEST(mistakes)
{
    static const char *const table[][3] = {
        {"inter.link_bandwidth", "*2 GB/s", "expected *2"},
        {"inter.link_bandwidth", "+4 MiB", "expected *2"},
        {"inter.link_bandwidth", "/0", "expected *2"},
        {"inter.link_bandwidth", "48,x", "got \"x\""},
        {"inter.link_bandwidth", "48,96q", "got \"96q\""},
        {"inter.link_bandwidth", "48,96", "the unit is missing"},
        {"inter.link_bandwidth", "48,,96GB/s", "a value is missing"},
        {"inter.link_bandwidth", "96..48GB/s", "the range is empty"},
        {"inter.link_bandwidth", "48..96GB/s:1", "2 values or more"},
        {"inter.link_bandwidth", "1e-9..1e300GB/s:5", "link_bandwidth"},
        {"llc.latency", "1ns..20cycles", "different units"},
        {"inter.link_bandwidth", "..96GB/s", "two ends"},
        {"inter.link_bandwidth", "96GB/s..", "two ends"},
        {"inter.link_bandwidth", "*1e308", "too large"},
        {"inter.link_bandwidth", "+-0%", "got \"+-0%\""},
        {"inter.link_bandwidth", "nan", "got \"nan\""},
        {"inter.link_bandwidth", "-inf", "got \"-inf\""},
        {"llc.theta", "0..0.1", "nothing is doubled"},
        {"chips", "/3", "whole number"},
        {"chips", "+1 GB/s", "or +1, got"},
        {"inter.link_bandwidth", "+32", "+768 GB/s, got"},
        {"inter.link_bandwidth", "+32,64GB/s", "+768 GB/s, got"},
        {"inter.link_bandwidth", "x1/0", "expected *2"},
        {"inter.link_bandwidth", "/1/2", "expected *2"},
        {"llc.organisation", "a..b", "it has no range"},
    };
    OWNED(machine) *machine = check_shipped("sac", NULL);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct values values = {0};
        struct parameter parameter;
        check_ok(machine_find(machine, table[i][0], &parameter, &failure));
        assert_true(values_read(&parameter, table[i][1], &values, &failure) < 0);
        if (!strstr(failure.text, table[i][2]))
            fail_msg("%s: \"%s\" does not contain \"%s\"", table[i][1], failure.text, table[i][2]);
        values_fini(&values);
    }
}

TEST(ends)
{
    static const struct {
        const char *path, *text;
        double low, high;
    } table[] = {
        {"inter.link_bandwidth", "48..192GB/s", 48e9, 192e9},
        {"inter.link_bandwidth", "x0.5..x4", 48e9, 384e9},
        {"inter.link_bandwidth", "+-25%", 72e9, 120e9},
        {"inter.link_bandwidth", "192,48,96 GB/s", 48e9, 192e9},
        {"llc.theta", "0..0.1", 0, 0.1},
    };
    OWNED(machine) *machine = check_shipped("sac", NULL);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct parameter parameter;
        double low, high;
        check_ok(machine_find(machine, table[i].path, &parameter, &failure));
        check_ok(values_ends(machine, &parameter, table[i].text, &low, &high, &failure));
        check_relative(low, table[i].low, 1e-12);
        check_relative(high, table[i].high, 1e-12);
    }
}

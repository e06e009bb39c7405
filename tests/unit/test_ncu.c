/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of Nsight Compute as profiles: both forms of the table, units and
 * numbers, hand-computed fields, groups, fuzz; and the
 * models on what comes out. */
#include "check.h"

#include <unistd.h>

#include "core/plugin.h"
#include "explore/answer/answer.h"
#include "explore/views/subject.h"
#include "profile/files/ncu.h"
#include "profile/files/open.h"

#define LONG_HEADER                                                                                \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\","         \
    "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW(id, kernel, metric, unit, value)                                                       \
    "\"" id "\",\"77\",\"" kernel "\",\"(256, 1, 1)\",\"(12, 2, 1)\",\"Command line metrics\","    \
    "\"" metric "\",\"" unit "\",\"" value "\"\n"
#define TEX "lts__t_sectors_srcunit_tex"

static int parse_as(const char *text, const char *organisation, struct profile **out,
                    struct error *error)
{
    return ncu_parse("runs/gpu.csv", text, strlen(text), organisation, out, error);
}

static int parse(const char *text, struct profile **out, struct error *error)
{
    return parse_as(text, NULL, out, error);
}

static struct profile *parsed(const char *text)
{
    struct profile *profile;
    check_ok(parse(text, &profile, &failure));
    return profile;
}

static const struct profile_record *record_of(const struct profile *profile, size_t index)
{
    assert_true(index < profile->views[0].n_records);
    return &profile->views[0].records[index];
}

#define check_field(record, field, want) check_relative((record)->fields[field], (want), 1e-15)
#define check_unknown(record, field) assert_true(isnan((record)->fields[field]))

/* --- forms ------------------------------------------------------------------------- */

static const char long_text[] =
    "==PROF== Connected to process 77\n"
    "checksum of \"Kernel Name\": 12, fine\n"
    "==PROF== Profiling \"gemm\" - 0: 0%....50%....100% - 9 passes\n" LONG_HEADER ROW(
        "0", "gemm<float, 4>(int, \"\"A\"\")", "gpu__time_duration.sum", "us",
        "12.50") ROW("0", "gemm<float, 4>(int, \"\"A\"\")", TEX ".sum", "Ksector",
                     "1,000") ROW("0", "gemm<float, 4>(int, \"\"A\"\")", TEX ".avg", "sector",
                                  "10,000.5") ROW("0", "gemm<float, 4>(int, \"\"A\"\")", TEX ".max",
                                                  "sector", "40,002")
        ROW("0", "gemm<float, 4>(int, \"\"A\"\")", TEX "_lookup_hit.sum", "sector", "750,000") ROW(
            "0", "gemm<float, 4>(int, \"\"A\"\")", TEX "_lookup_miss.sum", "sector",
            "250,000") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                           TEX "_aperture_peer_lookup_miss.sum", "sector",
                           "50,000") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                         "lts__t_sectors_aperture_device.sum", "sector", "900")
            ROW("0", "gemm<float, 4>(int, \"\"A\"\")", "lts__t_sectors_aperture_peer.sum",
                "Msector", "0.25") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                       "lts__t_sectors_aperture_sysmem.sum", "sector",
                                       "3") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                                "lts__t_sectors_srcunit_ltcfabric.sum", "", "7")
                ROW("0", "gemm<float, 4>(int, \"\"A\"\")", "l1tex__t_sector_hit_rate.pct", "%",
                    "62.5") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", "%", "75")
                    ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                        "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct", "%",
                        "0") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                 "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request",
                                 "2,000") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                              "sector", "8,000")
                        ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                            "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "10")
                            ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "160")
                                ROW("0", "gemm<float, 4>(int, \"\"A\"\")", "dram__bytes_read.sum",
                                    "Mbyte", "1.5") ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                                        "dram__bytes_write.sum", "Kbyte", "2.5")
                                    ROW("0", "gemm<float, 4>(int, \"\"A\"\")",
                                        "sm__cycles_elapsed.max", "cycle", "21,345")
                                        ROW("1", "copy", TEX ".sum", "sector", "64")
                                            ROW("1", "copy", TEX "_lookup_hit.sum", "sector",
                                                "n/a") "==PROF== Disconnected from process 77\n";

static void check_gemm(const struct profile_record *r)
{
    const uint32_t grid[] = {12, 2, 1}, block[] = {256, 1, 1};
    assert_string_equal(r->name, "gemm<float, 4>(int, \"A\")");
    assert_int_equal(r->launches, 1);
    assert_memory_equal(r->grid, grid, sizeof grid);
    assert_memory_equal(r->block, block, sizeof block);
    check_field(r, FIELD_CTAS, 24);
    check_field(r, FIELD_REQUESTS, 1e6);
    check_field(r, FIELD_BYTES, 32e6);
    check_field(r, FIELD_LLC_HIT_MEMORY_SIDE, 0.75);
    check_field(r, FIELD_LSU_MEMORY_SIDE, 0.25);
    check_field(r, FIELD_R_LOCAL, 0.8);
    check_field(r, FIELD_MEASURED_TIME, 12.5e-6);
    check_field(r, FIELD_TRAFFIC_DEVICE, 28800);
    check_field(r, FIELD_TRAFFIC_PEER, 8e6);
    check_field(r, FIELD_TRAFFIC_SYSTEM, 96);
    check_field(r, FIELD_FABRIC_BYTES, 224);
    check_field(r, FIELD_L1_HIT_RATE, 0.625);
    check_field(r, FIELD_L1_LOAD_HIT_RATE, 0.75);
    check_field(r, FIELD_L1_STORE_HIT_RATE, 0);
    check_field(r, FIELD_LOAD_REQUESTS, 2000);
    check_field(r, FIELD_LOAD_SECTORS, 8000);
    check_field(r, FIELD_STORE_REQUESTS, 10);
    check_field(r, FIELD_STORE_SECTORS, 160);
    check_field(r, FIELD_DRAM_READ, 1.5e6);
    check_field(r, FIELD_DRAM_WRITTEN, 2500);
    check_unknown(r, FIELD_LLC_HIT_SM_SIDE);
    check_unknown(r, FIELD_LSU_SM_SIDE);
    check_unknown(r, FIELD_LINES);
    check_unknown(r, FIELD_WARP_ACCESSES);
    assert_int_equal(r->n_curves, 0);
    assert_null(r->traffic);
}

TEST(test_long)
{
    OWNED(profile) *profile = parsed(long_text);
    assert_string_equal(profile->name, "gpu");
    assert_string_equal(profile->source, "runs/gpu.csv");
    assert_int_equal(strlen(profile->source_hash), 32);
    assert_non_null(strstr(profile->notes, "taken as memory-side"));
    assert_non_null(strstr(profile->notes, "fabric_bytes"));
    assert_int_equal(profile->n_views, 1);
    assert_int_equal(profile->views[0].n_keys, 0);
    assert_int_equal(profile->views[0].n_records, 2);
    assert_true(isnan(profile->views[0].sharing.footprint_bytes));
    check_gemm(record_of(profile, 0));
    const struct profile_record *copy = record_of(profile, 1);
    assert_string_equal(copy->name, "copy");
    check_field(copy, FIELD_REQUESTS, 64);
    check_unknown(copy, FIELD_LLC_HIT_MEMORY_SIDE);
    check_unknown(copy, FIELD_R_LOCAL);
    check_unknown(copy, FIELD_MEASURED_TIME);
}

static const char wide_text[] =
    "ID,Process ID,Kernel Name,Grid Size,Block Size,dram__bytes_read.sum,dram__bytes_write.sum,"
    "gpu__time_duration.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sector_hit_rate.pct,"
    "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct,"
    "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,"
    "lts__t_sectors_aperture_device.sum,lts__t_sectors_aperture_peer.sum,"
    "lts__t_sectors_aperture_sysmem.sum,lts__t_sectors_srcunit_ltcfabric.sum," TEX ".avg," TEX
    ".max," TEX ".sum," TEX "_aperture_peer_lookup_miss.sum," TEX "_lookup_hit.sum," TEX
    "_lookup_miss.sum,device__attribute_display_name\n"
    ",,,,,Gbyte,byte,nsecond,,,%,%,%,sector,sector,sector,sector,sector,sector,sector,sector,"
    "Msector,sector,sector,Ksector,\n"
    "0,77,\"gemm<float, 4>(int, \"\"A\"\")\",\"(12,2,1)\",\"256\",0.0015,\"2,500\",\"12,500\",2000,"
    "10,62.5,75.00,0,8000,160,900,250000,3,7,10000.5,40002,1,50000,\"750,000\",250,\"GPU, big\"\n"
    "1,77,copy,\"(1, 1, 1)\",\"(32, 1, 1)\",nan,,N/A,inf,(!) n/a,,,,,,,,,,,,0,0,0,0,\n";

TEST(test_wide)
{
    OWNED(profile) *profile = parsed(wide_text);
    assert_int_equal(profile->views[0].n_records, 2);
    check_gemm(record_of(profile, 0));
    const struct profile_record *copy = record_of(profile, 1);
    check_field(copy, FIELD_REQUESTS, 0);
    check_unknown(copy, FIELD_LLC_HIT_MEMORY_SIDE); /* 0 of 0 */
    check_unknown(copy, FIELD_R_LOCAL);
    check_unknown(copy, FIELD_MEASURED_TIME);
    check_unknown(copy, FIELD_DRAM_READ);
    check_unknown(copy, FIELD_DRAM_WRITTEN);
    check_unknown(copy, FIELD_LOAD_REQUESTS);
    check_unknown(copy, FIELD_STORE_REQUESTS);
}

TEST(test_organisation)
{
    struct profile *profile;
    check_ok(parse_as(wide_text, "sm-side", &profile, &failure));
    const struct profile_record *r = record_of(profile, 0);
    check_field(r, FIELD_LLC_HIT_SM_SIDE, 0.75);
    check_field(r, FIELD_LSU_SM_SIDE, 0.25);
    check_unknown(r, FIELD_LLC_HIT_MEMORY_SIDE);
    check_unknown(r, FIELD_LSU_MEMORY_SIDE);
    assert_non_null(strstr(profile->notes, "taken as sm-side"));
    assert_null(strstr(profile->notes, "fabric_bytes"));
    profile_destroy(profile);
    check_error(parse_as(wide_text, "both", &profile, &failure), STATUS_USAGE,
                "expected memory-side or sm-side, got \"both\"");
    assert_null(profile);
}

/* The same file as other systems write it. */
TEST(test_line_ends)
{
    const char *const texts[] = {long_text, wide_text};
    for (size_t i = 0; i < 2; i++) {
        struct text other = {0};
        text_append(&other, "\xef\xbb\xbf");
        for (const char *c = texts[i]; *c; c++)
            text_append(&other, *c == '\n' ? "\r\n" : (char[]){*c, '\0'});
        other.data[other.length -= 2] = '\0'; /* nor does the last line end */
        OWNED(profile) *profile = parsed(other.data);
        check_gemm(record_of(profile, 0));
        text_free(&other);
    }
}

/* Rows in any order; a metric twice with one value, or with n/a; advice. */
TEST(test_order)
{
    struct profile *profile =
        parsed(LONG_HEADER ROW("2", "b", TEX ".sum", "sector", "5")
                   ROW("10", "a", TEX ".sum", "sector", "7")
                       ROW("2", "b", "gpu__time_duration.sum", "s", "2") ROW("10", "a", "", "", "")
                           ROW("10", "a", TEX ".sum", "sector", "7")
                               ROW("10", "a", TEX ".sum", "sector", "n/a"));
    assert_int_equal(profile->views[0].n_records, 2);
    assert_string_equal(record_of(profile, 0)->name, "b");
    check_field(record_of(profile, 0), FIELD_REQUESTS, 5);
    check_field(record_of(profile, 0), FIELD_MEASURED_TIME, 2);
    check_field(record_of(profile, 1), FIELD_REQUESTS, 7);
    profile_destroy(profile);
    /* The same number in two processes: two launches. */
    profile = parsed("ID,Process ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
                     "0,1,k," TEX ".sum,sector,5\n0,2,k," TEX ".sum,sector,6\n");
    assert_int_equal(profile->views[0].n_records, 2);
    profile_destroy(profile);
}

/* What stands in: hits + misses, the rate of all sectors, newer names, labels. */
TEST(test_fallbacks)
{
    struct profile *profile =
        parsed(LONG_HEADER ROW("0", "k", TEX "_lookup_hit.sum", "sector", "6")
                   ROW("0", "k", TEX "_lookup_miss.sum", "sector", "2")
                       ROW("0", "k", "L2 Hit Rate", "%", "10")
                           ROW("0", "k", "dram__bytes_op_read.sum", "", "53,261,312"));
    check_field(record_of(profile, 0), FIELD_REQUESTS, 8);
    check_field(record_of(profile, 0), FIELD_BYTES, 256);
    check_field(record_of(profile, 0), FIELD_LLC_HIT_MEMORY_SIDE, 0.75);
    check_field(record_of(profile, 0), FIELD_DRAM_READ, 53261312);
    assert_null(strstr(profile->notes, "all sectors"));
    profile_destroy(profile);

    profile = parsed(LONG_HEADER ROW("0", "k", "L2 Hit Rate", "%", "71.25")
                         ROW("0", "k", "L1/TEX Hit Rate", "%", "100.4")
                             ROW("0", "k", "Duration", "msecond", "3")
                                 ROW("0", "k", "Memory Throughput", "%", "9")
                                     ROW("0", "k", "Memory Throughput", "Gbyte/second", "90"));
    check_field(record_of(profile, 0), FIELD_LLC_HIT_MEMORY_SIDE, 0.7125);
    check_field(record_of(profile, 0), FIELD_L1_HIT_RATE, 1); /* passes differ a little */
    check_field(record_of(profile, 0), FIELD_MEASURED_TIME, 0.003);
    check_unknown(record_of(profile, 0), FIELD_BYTES);
    assert_non_null(strstr(profile->notes, "all sectors"));
    profile_destroy(profile);

    profile = parsed(LONG_HEADER ROW("0", "k", "L2 Hit Rate", "%", "71")
                         ROW("0", "k", "lts__t_sector_hit_rate.pct", "%", "71.25"));
    check_field(record_of(profile, 0), FIELD_LLC_HIT_MEMORY_SIDE, 0.7125);
    profile_destroy(profile);
}

/* --- numbers and units ---------------------------------------------------------------- */

TEST(test_units)
{
    static const struct {
        const char *metric, *unit, *value;
        enum profile_field field;
        double want;
    } cases[] = {
        {"gpu__time_duration.sum", "second", "2", FIELD_MEASURED_TIME, 2},
        {"gpu__time_duration.sum", "s", "0.5", FIELD_MEASURED_TIME, 0.5},
        {"gpu__time_duration.sum", "msecond", "1,234.5", FIELD_MEASURED_TIME, 1.2345},
        {"gpu__time_duration.sum", "ms", "3", FIELD_MEASURED_TIME, 3e-3},
        {"gpu__time_duration.sum", "usecond", "3", FIELD_MEASURED_TIME, 3e-6},
        {"gpu__time_duration.sum", "us", "3", FIELD_MEASURED_TIME, 3e-6},
        {"gpu__time_duration.sum", "nsecond", "12,345", FIELD_MEASURED_TIME, 12345e-9},
        {"gpu__time_duration.sum", "ns", "12345", FIELD_MEASURED_TIME, 12345e-9},
        {"dram__bytes_read.sum", "byte", "1,048,576", FIELD_DRAM_READ, 1048576},
        {"dram__bytes_read.sum", "bytes", "12", FIELD_DRAM_READ, 12},
        {"dram__bytes_read.sum", "Kbyte", "1.5", FIELD_DRAM_READ, 1500},
        {"dram__bytes_read.sum", "Mbyte", "1.5", FIELD_DRAM_READ, 1.5e6},
        {"dram__bytes_read.sum", "Gbyte", "1.5", FIELD_DRAM_READ, 1.5e9},
        {"dram__bytes_read.sum", "Tbyte", "1.5e1", FIELD_DRAM_READ, 15e12},
        {"dram__bytes_read.sum", "", "0", FIELD_DRAM_READ, 0},
        {TEX ".sum", "sector", "999", FIELD_REQUESTS, 999},
        {TEX ".sum", "Ksector", "1,024.5", FIELD_REQUESTS, 1024500},
        {TEX ".sum", "Msector", "0.25", FIELD_REQUESTS, 250000},
        {TEX ".sum", "Gsector", "2", FIELD_REQUESTS, 2e9},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "Krequest", "2", FIELD_LOAD_REQUESTS,
         2000},
        {"l1tex__t_sector_hit_rate.pct", "%", " 12.5 ", FIELD_L1_HIT_RATE, 0.125},
        {"l1tex__t_sector_hit_rate.pct", "", "12.5", FIELD_L1_HIT_RATE, 0.125},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        text_printf(&text,
                    "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,%s,%s,\"%s\"\n",
                    cases[i].metric, cases[i].unit, cases[i].value);
        OWNED(profile) *profile = parsed(text.data);
        /* Exactly: times are divided by 10^9, not multiplied by 10^-9. */
        double got = record_of(profile, 0)->fields[cases[i].field];
        if (got != cases[i].want)
            fail_msg("%s %s: %.17g, expected %.17g", cases[i].value, cases[i].unit, got,
                     cases[i].want);
        text_free(&text);
    }
}

/* --- groups ---------------------------------------------------------------------------- */

/* 66 launches: 33 of k with sectors 1..33 on grid 4, and 33 without any on grid 8. */
TEST(test_groups)
{
    struct text text = {0};
    double sectors = 0, hits = 0;
    text_append(&text, "ID,Kernel Name,Grid Size,Block Size,gpu__time_duration.sum," TEX
                       "_lookup_hit.sum," TEX "_lookup_miss.sum,dram__bytes_read.sum\n"
                       ",,,,us,sector,sector,byte\n");
    for (int i = 1; i <= 33; i++) {
        text_printf(&text, "%d,k,\"(4, 1, 1)\",\"(32, 1, 1)\",2,%d,%d,%s\n", 2 * i, i, 66 - i,
                    i == 5 ? "n/a" : "8");
        text_printf(&text, "%d,k,\"(8, 1, 1)\",\"(32, 1, 1)\",1,0,0,16\n", 2 * i + 1);
        sectors += 66;
        hits += i;
    }
    struct profile *profile = parsed(text.data);
    assert_int_equal(profile->views[0].n_records, 2);
    const struct profile_record *r = record_of(profile, 0);
    assert_int_equal(r->launches, 33);
    assert_int_equal(r->grid[0], 4);
    check_field(r, FIELD_REQUESTS, sectors);
    check_relative(r->fields[FIELD_LLC_HIT_MEMORY_SIDE], hits / sectors, 1e-12);
    check_relative(r->fields[FIELD_MEASURED_TIME], 66e-6, 1e-12);
    check_field(r, FIELD_CTAS, 132);
    check_unknown(r, FIELD_DRAM_READ); /* unknown of one launch: of the sum */
    r = record_of(profile, 1);
    assert_int_equal(r->launches, 33);
    check_field(r, FIELD_REQUESTS, 0);
    check_unknown(r, FIELD_LLC_HIT_MEMORY_SIDE);
    check_field(r, FIELD_DRAM_READ, 528);
    profile_destroy(profile);

    /* Up to 64 launches each has a record of its own. */
    char *last = text.data + text.length - 1;
    for (int line = 0; line < 2; line++)
        while (*--last != '\n')
            ;
    last[1] = '\0';
    profile = parsed(text.data);
    assert_int_equal(profile->views[0].n_records, 64);
    profile_destroy(profile);
    text_free(&text);
}

/* Means of launches weigh as their sectors do; launches without any weigh nothing. */
TEST(test_weights)
{
    struct text text = {0};
    text_append(&text,
                "ID,Kernel Name," TEX ".sum," TEX ".avg," TEX ".max\n,,sector,sector,sector\n"
                "0,k,0,0,0\n1,k,300,30,40\n2,k,100,10,40\n");
    for (int i = 3; i < 70; i++)
        text_printf(&text, "%d,k,0,0,0\n", i);
    OWNED(profile) *profile = parsed(text.data);
    assert_int_equal(profile->views[0].n_records, 1);
    check_relative(record_of(profile, 0)->fields[FIELD_LSU_MEMORY_SIDE],
                   (300 * 0.75 + 100 * 0.25) / 400, 1e-15);
    text_free(&text);
}

/* --- files, profiles and models ------------------------------------------------------------ */

TEST(test_detect)
{
    assert_true(ncu_detect(check_file("a.csv", "anything")));
    assert_true(ncu_detect(check_file("a.txt", long_text)));
    assert_true(ncu_detect(check_file("a.txt", wide_text)));
    assert_true(ncu_detect(check_file("a.txt", "hello\nID,Kernel Name,x__y.sum\n")));
    assert_true(ncu_detect(check_file("a.txt", "==ERROR== no permission\n")));
    assert_false(ncu_detect(check_file("a.txt", "profile: x\npoint: {r_local: 1}\n")));
    assert_false(ncu_detect(check_file("a.txt", "the Kernel Name is gemm\n")));
    assert_false(ncu_detect(check_file("a.txt", "")));
    assert_false(ncu_detect("/nowhere/a.csv"));
    assert_false(ncu_detect(check_folder()));
    /* A hand-made profile of any name stays one. */
    OWNED(profile) *profile = NULL;
    check_ok(
        profile_load(check_file("b.csv", "profile: x\npoint: {r_local: 1}\n"), &profile, &failure));
    assert_string_equal(profile->name, "x");
}

/* Written as YAML and read again it is the same. */
TEST(test_round_trip)
{
    OWNED(profile) *profile = NULL, *again = NULL;
    struct text first = {0}, second = {0};
    check_ok(profile_load(check_file("gpu.csv", long_text), &profile, &failure));
    profile_print(profile, &first);
    check_ok(profile_load(check_file("gpu.profile.yaml", first.data), &again, &failure));
    profile_print(again, &second);
    assert_string_equal(first.data, second.data);
    assert_string_equal(again->notes, profile->notes);
    check_gemm(record_of(again, 0));
    text_free(&first);
    text_free(&second);
}

/* What the model says of SAC's machine with that workload. */
static int ask(const char *path, const char *model, const char *organisation, double out[2],
               struct error *caller)
{
    const struct profile_view *view;
    struct subject *subject;
    struct answer *answer;
    OWNED(machine) *machine = check_shipped("sac", NULL);
    check_set(machine, "llc.organisation", organisation);
    check_ok(subject_open(path, &subject, &failure));
    assert_true(subject_is_point(subject));
    check_ok(subject_view(subject, machine, &view, &failure));
    int status = answer_create((const struct model *)plugin_find("model", model), machine, view,
                               &answer, caller);
    if (status == 0) {
        out[0] = answer_metric(answer, "effective_bandwidth");
        out[1] = answer_metric(answer, "kernel_time");
        answer_destroy(answer);
    }
    subject_destroy(subject);
    return status;
}

#define TABLE "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
#define POINT                                                                                      \
    TABLE "0,k," TEX ".sum,sector,1000000\n0,k," TEX ".avg,sector,9\n0,k," TEX ".max,sector,10\n"  \
          "0,k," TEX "_lookup_hit.sum,sector,800000\n0,k," TEX "_lookup_miss.sum,sector,200000\n"

/* The same numbers by hand and from counters give the same answer; what was not
 * measured is asked for by name. */
TEST(test_models)
{
    double counters[2], by_hand[2];
    const char *path = check_file("point.csv", POINT);
    check_error(ask(path, "eab", "memory-side", counters, &failure), STATUS_UNKNOWN_FIELD,
                "does not say r_local");
    check_error(ask(path, "eab", "sm-side", counters, &failure), STATUS_UNKNOWN_FIELD,
                "lsu.sm-side");
    path =
        check_file("point.csv", POINT "0,k," TEX "_aperture_peer_lookup_miss.sum,sector,60000\n");
    check_ok(ask(path, "eab", "memory-side", counters, &failure));
    path = check_file("hand.yaml", "profile: hand\npoint: {r_local: 0.7, bytes: 32 MB,\n"
                                   "  llc_hit: {memory-side: 0.8}, lsu: {memory-side: 0.9}}\n");
    check_ok(ask(path, "eab", "memory-side", by_hand, &failure));
    for (int i = 0; i < 2; i++) {
        assert_true(by_hand[i] > 0);
        check_relative(counters[i], by_hand[i], 1e-12);
    }
}

/* --- fuzz ------------------------------------------------------------------------------------ */

/* A file with some bytes changed, inserted or cut off is read or refused with a
 * message, never more. */
TEST(test_fuzz)
{
    static const char bytes[] = "\"\",\n\r()0123456789=%KM.-einas \t\xef\x01";
    const char *const texts[] = {long_text, wide_text};
    uint64_t seed = 7;
    int good = 0, rounds = check_damages(10000, 200000);
    for (int i = 0; i < rounds; i++) {
        const char *from = texts[i % 2];
        size_t size = strlen(from);
        char *text = memory_alloc(size + 1);
        memcpy(text, from, size + 1);
        for (uint64_t n = check_random(&seed) % 4; n > 0; n--)
            text[check_random(&seed) % size] = bytes[check_random(&seed) % (sizeof bytes - 1)];
        if (check_random(&seed) % 4 == 0)
            text[size = check_random(&seed) % size] = '\0';
        OWNED(profile) *profile = NULL;
        int status = ncu_parse("fuzz.csv", text, size, NULL, &profile, &failure);
        assert_true((status == 0) == (profile != NULL));
        assert_true(status == 0 || failure.text[0] != '\0');
        for (size_t r = 0; profile && r < profile->views[0].n_records; r++)
            for (int f = 0; f < FIELD_COUNT; f++) {
                double value = record_of(profile, r)->fields[f];
                bool rate = profile_field_row(f)->kind != FIELD_KIND_SUM;
                assert_true(isnan(value) || (value >= 0 && (!rate || value <= 1)));
            }
        good += status == 0;
        free(text);
    }
    assert_true(good > rounds / 20 && good < rounds);
}

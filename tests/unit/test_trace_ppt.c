/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory traces of PPT-GPU: a program with its configuration, one file alone, and
 * what is wrong with damaged ones. */
#include "trace_check.h"

#include <sys/stat.h>

#include "trace/reader.h"

#define KERNEL(id, name, blocks, threads)                                                          \
    "kernel_" id " = {\n\n\t\"kernel_name\"\t\t\t: \"" name                                        \
    "\",\n\t\"num_registers\"\t\t\t: 12,\n"                                                        \
    "\t\"shared_mem_bytes\"\t\t: 64,\n\t\"grid_size\"\t\t\t: " blocks                              \
    ",\n\t\"block_size\"\t\t\t: " threads ",\n\t\"cuda_stream_id\"\t\t: 0\n}\n\n"

/* The files of blocks are in a folder of their own. */
static void block_file(const char *name, const char *data)
{
    char path[128];
    mkdir(check_path("memory_traces"), 0777);
    snprintf(path, sizeof path, "memory_traces/%s", name);
    check_file(path, data);
}

TEST(test_program)
{
    struct source *source;
    struct trace_items all;
    char hash[HASH_TEXT];
    block_file("kernel_1_block_0.mem",
               "\n=====\nLDG.E.64 0x7f0000001000 0x7f0000001008 0x7f0000001010 \n=====\n"
               "STL 0xfffc70 \n=====\nSTG.E 0x7f0000002000 0x7f0000009000 0x7f0000003000 ");
    block_file("kernel_1_block_2.mem",
               "\n=====\nLDGSTS.E.BYPASS.128 0x400 0x410 0x7f0000004000 0x7f0000004010 \n=====\n"
               "LDG.E.STRONG.GPU \n=====\nLDNEW 0x10 \n=====\nUBLKCP 0x10 ");
    block_file("kernel_3_block_1.mem", "\n=====\nRED.E.ADD.64.STRONG.GPU 0x7f0000005000 ");
    const char *path =
        check_file("app_config.py", KERNEL("1", "f", "4", "96")
                                        KERNEL("3", "g", "2", "1024") "app_kernels_id = [1, 3]");
    check_ok(source_open_trace(path, &source, &failure));
    assert_non_null(strstr(check_folder(), source->name)); /* named after the folder */
    check_ok(trace_read(source, true, &all, &failure));
    assert_int_equal(all.kernels.count, 2);
    const struct trace_kernel *kernel = all.kernels.items;
    assert_string_equal(kernel[0].name, "f");
    assert_int_equal(kernel[0].launch.n_ctas, 4);
    assert_int_equal(kernel[0].launch.warps_per_cta, 3);
    assert_int_equal(kernel[0].launch.shared_bytes, 64);
    assert_int_equal(kernel[0].launch.dropped.local, 1);
    assert_int_equal(kernel[0].launch.dropped.unknown, 1);
    assert_int_equal(kernel[0].launch.dropped.bulk, 1);
    assert_int_equal(kernel[1].launch.warps_per_cta, 32);
    assert_false(kernel[0].launch.recorded_order);
    assert_int_equal(all.accesses.count, 4);
    const struct trace_item *item = all.accesses.items;
    assert_int_equal(item[0].access.kind, ACCESS_READ);
    assert_int_equal(item[0].access.mask, 7);
    assert_int_equal(item[0].access.stride, 8);
    assert_int_equal(item[0].access.bytes, 8);
    assert_int_equal(item[0].access.instructions, 0);
    assert_int_equal(item[1].access.kind, ACCESS_WRITE);
    assert_true(item[1].addresses[1] == 0x7f0000009000);
    assert_true(item[2].cta == 2 && item[2].warp == 0 && item[2].lanes == 2);
    assert_true(item[2].addresses[0] == 0x7f0000004000); /* without the offsets */
    assert_int_equal(item[2].access.flags, ACCESS_BYPASS_L1);
    assert_true(item[3].kernel == 1 && item[3].cta == 1);
    assert_int_equal(item[3].access.kind, ACCESS_ATOMIC);
    trace_items_free(&all);
    memcpy(hash, source->hash, sizeof hash);
    source_destroy(source);

    block_file("kernel_3_block_1.mem", "\n=====\nRED.E.ADD.64.STRONG.GPU 0x7f0000005008 ");
    check_ok(source_open_trace(check_path("app_config.py"), &source, &failure));
    assert_string_not_equal(source->hash, hash);
    source_destroy(source);

    block_file("kernel_3_block_1.mem", "\n=====\nRED.E.ADD.64 0x7f0000005008 x");
    check_error(trace_read_file(check_path("app_config.py"), false, &all, &failure), STATUS_INPUT,
                "kernel_3_block_1.mem:3:29: error: expected an address");
    check_error(source_open_trace(check_file("app_config.py", KERNEL("7", "f", "4", "96")), &source,
                                  &failure),
                STATUS_INPUT, "no thread block has a file of accesses");
    assert_non_null(strstr(failure.hint, "memory_traces/kernel_7_block_0.mem"));
}

TEST(test_single_file)
{
    struct trace_items all;
    const char *path =
        check_file("kernel_1_block_5.mem", "\r\n=====\r\nLDG.E 0x1000 0x1004\r\n=====\r\nEXIT\r\n");
    check_ok(trace_read_file(path, false, &all, &failure));
    assert_string_equal(all.kernels.items[0].name, "kernel_1_block_5");
    assert_int_equal(all.kernels.items[0].launch.n_ctas, 1);
    assert_int_equal(all.kernels.items[0].launch.warps_per_cta, 1);
    assert_int_equal(all.accesses.count, 1);
    assert_int_equal(all.accesses.items[0].lanes, 2);
    trace_items_free(&all);
}

TEST(test_errors)
{
#define EIGHT "0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1 "
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "is empty"},
        {"=====\n", "not a trace in a known format"},
        {"=====\n12 0x10\n", "not a trace in a known format"},
        {"====\nLDG 0x10\n", "not a trace in a known format"},
        {"\n=====\nLDG 0x10\n=====", "the file ends inside a record"},
        {"\n=====\nLDG 0x10\n=====\n=====\nLDG 0x10", ":5:1: error: expected an opcode"},
        {"\n=====\nLDG 0x10\nLDG 0x10", ":4:1: error: expected \"=====\""},
        {"\n=====\nLDG 0x10\n=====\nldg 0x10\n", ":5:1: error: expected an opcode"},
        {"\n=====\nLDG 10\n", ":3:5: error: expected an address"},
        {"\n=====\nLDG 0x\n", "expected an address"},
        {"\n=====\nLDG 0xffffffffffffffff\n", "below 2^60"},
        {"\n=====\nLDG " EIGHT EIGHT EIGHT EIGHT "0x1", ":3:133: error: expected at most 32"},
        {"kernel_1 = {\n", "the file ends inside a kernel"},
        {"kernel_1 = {\n}\n", "expected \"grid_size\" and \"block_size\""},
        {"kernel_x = {\n}\n", "not a trace in a known format"},
        {KERNEL("1", "f", "1", "32") "nonsense\n", ":11:1: error: expected a kernel such as"},
        {KERNEL("1", "f", "0", "32"), ":6:18: error: expected a number of thread blocks"},
        {KERNEL("1", "f", "16777217", "32"), "expected a number of thread blocks"},
        {KERNEL("1", "f", "x", "32"), "expected a number of thread blocks"},
        {KERNEL("1", "f", "1", "32769"), "expected a number of threads"},
        {KERNEL("2", "f", "1", "32") KERNEL("1", "f", "1", "32"), "kernel 1 comes after kernel 2"},
        {"kernel_1 = {\n\"kernel_name\" : f\n", "expected a name between double quotes"},
        {"kernel_1 = {\n\"grid_size\" 3\n", "expected a colon"},
        {"kernel_1 = {\ngrid_size : 3\n", "expected a line such as"},
        {"kernel_1 = {\n\"shared_mem_bytes\" : 4294967296\n", "expected a size in bytes"},
    };
    struct trace_items all;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_error(trace_read_file(check_file("x.mem", rows[i].text), false, &all, &failure),
                    STATUS_INPUT, rows[i].words);
}

static void damage(const char *base, const char *name, int *good, int *bad)
{
    uint64_t random = 23;
    char text[512];
    for (int round = check_damages(3000, 30000); round > 0; round--) {
        size_t size = strlen(base);
        assert_true(size < sizeof text);
        memcpy(text, base, size);
        if (round % 3 == 0)
            size = check_random(&random) % size;
        for (uint64_t k = round % 3 ? 1 + check_random(&random) % 4 : 0; k > 0; k--) {
            static const char likely[] = "0123=abcdef\n {}x\"[]LDGSTUE.: ,\0\xff";
            size_t at = check_random(&random) % size;
            text[at] = check_random(&random) % 4 ? likely[check_random(&random) % sizeof likely]
                                                 : (char)check_random(&random);
        }
        struct trace_items all;
        int status = trace_read_file(check_file_bytes(name, text, size), false, &all, &failure);
        if (status == 0) {
            trace_items_free(&all);
            ++*good;
        } else {
            ++*bad;
            assert_true(failure.text[0] && failure.status == status);
        }
    }
}

/* Damage of any kind: no crash, no leak, and an error that says something. */
TEST(test_damage)
{
    int good = 0, bad = 0;
    damage("\n=====\nLDG.E 0x1000 0x1004 \n=====\nLDGSTS 0x10 0x7f0000000000 \n=====\nSTL 0x10 ",
           "d.mem", &good, &bad);
    assert_true(good > check_damages(100, 1000) && bad > check_damages(500, 5000));
    block_file("kernel_1_block_0.mem", "\n=====\nLDG.E 0x1000 \n");
    good = bad = 0;
    damage(KERNEL("1", "f", "1", "32") "app_kernels_id = [1]\n", "d.py", &good, &bad);
    assert_true(good > check_damages(100, 1000) && bad > check_damages(500, 5000));
}

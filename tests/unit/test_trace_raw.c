/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw Accel-Sim traces: the same program as grouped ones, recorded SMs, and what
 * is wrong with damaged ones. */
#include "trace_formats.h"

#include <lzma.h>

#include "profile_check.h"
#include "trace/reader.h"
#include "profile/run/profiler.h"

#define HEADER                                                                                     \
    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem base_addr = 0x0\n"       \
    "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = ...\n\n"

/* --- equivalence ------------------------------------------------------------ */

static void check_program(uint64_t seed)
{
    static const struct {
        int columns, lineinfo;
    } forms[] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {7, 0}, {7, 1}};
    struct formats_program program;
    struct text text = {0};
    formats_make(&program, seed);
    formats_grouped(&text, &program);
    char *want = formats_convert(check_file("kernel-1.traceg", text.data));
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        formats_raw(&text, &program, forms[f].columns, forms[f].lineinfo, seed + f);
        char *got = formats_convert(check_file("kernel-1.trace", text.data));
        assert_int_equal(strstr(got, "\ncta ") != NULL, forms[f].columns == 2);
        formats_remove_lines(got, "cta ");
        assert_string_equal(got, want);
        free(got);
    }
    free(want);
    text_free(&text);
}

TEST(test_same_as_grouped)
{
    for (int round = check_rounds(20, 200); round > 0; round--)
        check_program((uint64_t)round);
}

/* Registers are a warp's own, however lines are mixed: warp 0 needs its first load before the third,
 * warp 1 nothing until it stores. An EXIT ends what is known of a warp: behind that of some of its
 * lanes everything is needed. */
TEST(test_registers)
{
    static const int ahead[2][4] = {{0, 1, 1, 0}, {0, 1, 2, 0}};
    struct trace_items all;
    int seen[2] = {0};
    check_ok(trace_read_file(check_file("kernel-1.trace",
                                        HEADER "0 0 0 0 0000 1 1 R4 LDG.E 1 R2 4 1 0x1000 0\n"
                                               "0 0 0 1 0000 1 1 R4 LDG.E 1 R2 4 1 0x1000 0\n"
                                               "0 0 0 1 0010 1 1 R5 LDG.E 1 R2 4 1 0x1000 0\n"
                                               "0 0 0 0 0010 1 1 R5 LDG.E 1 R2 4 1 0x1000 0\n"
                                               "0 0 0 0 0020 1 1 R6 LDG.E 1 R4 4 1 0x1000 0\n"
                                               "0 0 0 1 0020 1 1 R6 LDG.E 1 R2 4 1 0x1000 0\n"
                                               "0 0 0 0 0030 2 0 EXIT 0 0\n"
                                               "0 0 0 1 0040 1 0 STG.E 2 R8 R6 4 1 0x2000 0\n"
                                               "0 0 0 0 0040 1 1 R9 LDG.E 1 R2 4 1 0x1000 0\n"),
                             false, &all, &failure));
    assert_int_equal(all.accesses.count, 8);
    for (size_t i = 0; i < 8; i++) {
        uint32_t warp = all.accesses.items[i].warp;
        assert_int_equal(all.accesses.items[i].access.ahead, ahead[warp][seen[warp]++]);
    }
    assert_false(all.kernels.items[0].launch.waits_assumed);
    trace_items_free(&all);
}

/* Lines of tracers before version 3 do not differ: raw ones always have a place. */
TEST(test_old_versions)
{
    static const char *const versions[] = {"", "-accelsim tracer version = 1.2\n",
                                           "-accelsim tracer version = 2\n",
                                           "-accelsim tracer version = 6\n"};
    struct trace_items all;
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        struct text text = {0};
        text_printf(&text,
                    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n%s#format\n"
                    "1 0 0 1 0000 ffffffff 0 BAR.SYNC 0 0 \n"
                    "0 0 0 0 0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 4 \n"
                    "1 0 0 1 0010 ffffffff 0 STG.E 2 R2 R4 4 1 0x2000 4 \r\n\n"
                    "1 0 0 1 0020 ffffffff 0 EXIT 0 0",
                    versions[v]);
        check_ok(trace_read_file(check_file("a.trace", text.data), true, &all, &failure));
        assert_int_equal(all.accesses.count, 3);
        assert_int_equal(all.accesses.items[1].cta, 1);
        assert_int_equal(all.accesses.items[1].warp, 1);
        assert_int_equal(all.accesses.items[1].access.instructions, 2);
        assert_int_equal(all.accesses.items[2].access.kind, ACCESS_NONE);
        assert_int_equal(all.accesses.items[2].access.instructions, 1);
        assert_false(all.kernels.items[0].launch.recorded_sm);
        assert_false(all.kernels.items[0].launch.recorded_order);
        trace_items_free(&all);
        text_free(&text);
    }
}

/* --- lists and compression -------------------------------------------------- */

static void compress_file(const char *name, const struct text *text)
{
    size_t room = lzma_stream_buffer_bound(text->length), size = 0;
    uint8_t *out = memory_alloc(room);
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text->data,
                                text->length, out, &size, room) != LZMA_OK)
        fail_msg("lzma_easy_buffer_encode");
    check_file_bytes(name, out, size);
    free(out);
}

TEST(test_list)
{
    struct source *source;
    struct trace_items all;
    struct formats_program program;
    struct text text = {0};
    formats_make(&program, 3);
    formats_raw(&text, &program, 0, 0, 1);
    check_file("kernel-1-ctx_0x55.trace", text.data);
    compress_file("kernel-2.trace.xz", &text);
    formats_raw(&text, &program, 2, 0, 2);
    check_file("kernel-3.trace", text.data);
    formats_grouped(&text, &program);
    check_file("kernel-4.traceg", text.data);
    const char *path = check_file("kernelslist", "MemcpyHtoD,0x0000000010000000,1600000\n"
                                                 "kernel-1-ctx_0x55.trace\nkernel-2.trace.xz\n"
                                                 "kernel-3.trace\nkernel-4.traceg\n");
    check_ok(source_open_trace(path, &source, &failure));
    assert_int_equal(source->allocations.count, 1);
    check_ok(trace_read(source, false, &all, &failure));
    source_destroy(source);
    assert_int_equal(all.kernels.count, 4);
    size_t each = all.accesses.count / 4;
    assert_int_equal(all.accesses.count, 4 * each);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(all.kernels.items[i].name, "test");
        assert_int_equal(all.kernels.items[i].launch.recorded_sm, i == 2);
    }
    for (size_t i = each; i < 4 * each; i++)
        assert_memory_equal(all.accesses.items[i].addresses, all.accesses.items[i % each].addresses,
                            sizeof all.accesses.items[i].addresses);
    for (uint32_t cta = 0; cta < FORMATS_CTAS; cta++)
        assert_int_equal(all.kernels.items[2].sms[cta], 5 * cta % 7);
    trace_items_free(&all);
    text_free(&text);
}

/* A name in .trace alone says nothing; the contents do, under any name. */
TEST(test_detection)
{
    struct source *source;
    struct trace_items all;
    const char *raw = HEADER "0 0 0 0 0000 00000001 1 R4 LDG.E 1 R2 4 1 0x1000 4 \n";
    check_error(source_open_trace(check_file("x.trace", "12 34\n"), &source, &failure),
                STATUS_INPUT, "not a trace in a known format");
    check_error(source_open_trace(check_file("x.trace", ""), &source, &failure), STATUS_INPUT,
                "is empty");
    check_ok(trace_read_file(check_file("x.trace", "bandscape-trace 1\nr 0x1000 4\n"), false, &all,
                             &failure));
    trace_items_free(&all);
    check_ok(trace_read_file(check_file("x.traceg", raw), false, &all, &failure));
    assert_int_equal(all.accesses.count, 1);
    trace_items_free(&all);
    check_ok(trace_read_file(check_file("x.dat", raw), false, &all, &failure));
    assert_int_equal(all.accesses.count, 1);
    trace_items_free(&all);
    check_ok(trace_read_file(check_file("x.trace", HEADER), false, &all, &failure));
    assert_int_equal(all.accesses.count, 0); /* a kernel without instructions */
    trace_items_free(&all);
}

/* --- recorded SMs ----------------------------------------------------------- */

/* Block 0 ran on SM 3 (chip 1) and touches three lines, block 1 on SM 0 one. */
TEST(test_recorded_sms_in_profiles)
{
    static const char machine_text[] =
        "machine: two\nsummary: two chips\nchips: 2\nline: 128 B\nsectors: 1\n"
        "coherence: software\nsm: {per_chip: 2, clock: 1 GHz, warps: 64, threads: 2048, ctas: 32, "
        "issue: 1 /cycle, outstanding: 1, scheduler: gto}\n"
        "l1: {scope: sm, side: requester, capacity: 16 KiB, ways: 4, write: through, mshrs: 128, "
        "latency: 28 cycles}\n"
        "llc: {scope: chip, organisation: memory-side, capacity: 1 MiB, ways: 16, slices: 4, "
        "bandwidth: 4 TB/s, latency: 120 cycles, theta: 0.05}\n"
        "noc: {scope: chip, bandwidth: 4 TB/s, inputs: 38, outputs: 22, latency: 8 cycles}\n"
        "inter: {topology: ring, link_bandwidth: 96 GB/s, latency: 32 cycles}\n"
        "memory: {scope: chip, bandwidth: 437.5 GB/s, channels: 8, latency: 100 ns}\n"
        "page: {size: 4 KiB, policy: first-touch}\ncta: {policy: recorded, scope: chip}\n";
    static const char *const lines[2] = {
        HEADER "0 0 0 0 3 9 0000 00000007 1 R4 LDG.E 1 R2 4 1 0x100000 4096 0 \n"
               "1 0 0 1 0 4 0000 00000001 1 R4 LDG.E 1 R2 4 1 0x200000 0 0 \n",
        HEADER "0 0 0 0 0000 00000007 1 R4 LDG.E 1 R2 4 1 0x100000 4096 0 \n"};
    struct source *source;
    OWNED(machine) *machine = check_machine(machine_text);
    check_ok(source_open_trace(check_file("k.trace", lines[0]), &source, &failure));
    struct profile *profile = check_profile(source, machine, false);
    const struct profile_record *record = &profile->views[0].records[0];
    assert_int_equal(record->n_domains, 2);
    assert_true(record->traffic[0] + record->traffic[1] == 1);
    assert_true(record->traffic[2] + record->traffic[3] == 3);
    profile_destroy(profile);
    check_set(machine, "cta.policy", "distributed"); /* block 0 on chip 0 */
    profile = check_profile(source, machine, false);
    record = &profile->views[0].records[0];
    assert_true(record->traffic[0] + record->traffic[1] == 3);
    assert_true(record->traffic[2] + record->traffic[3] == 1);
    profile_destroy(profile);
    source_destroy(source);

    check_set(machine, "cta.policy", "recorded");
    check_ok(source_open_trace(check_file("k.trace", lines[1]), &source, &failure));
    struct profile_options options = {0};
    profile = profile_create();
    check_error(profile_make(profile, source, machine, &options, &failure), STATUS_INPUT,
                "does not say which SM");
    profile_destroy(profile);
    source_destroy(source);
}

/* --- errors ----------------------------------------------------------------- */

TEST(test_errors)
{
    /* The header has 9 lines. */
    static const struct {
        const char *body, *words;
    } rows[] = {
        {"0 0 0 0000 ffffffff 0 EXIT 0 0 0\n", ":10:1: error: 6 fields before the first register"},
        {"0 0 0 0 1 0000 ffffffff 0 EXIT 0 0 0\n", "expected 7, 9 with the SM, or 14"},
        {"0 0 0 0 1 2 1 1 1 1 1 1 1 0000 ffffffff 0 EXIT 0 0 0\n", "16 fields before"},
        {"0 0 0 0 0000 ffffffff 0\n", "expected an instruction of a raw trace"},
        {"0\n", "expected an instruction of a raw trace"},
        {"0 0 0 0 1 2 0000 ffffffff 0 EXIT 0 0 0\n0 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n", ":11:"},
        {"0 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n0 0 0 0 1 2 0000 ffffffff 0 EXIT 0 0 0\n", ":11:"},
        {"2 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n", "thread block 2,0,0 is outside the grid (2,1,1)"},
        {"0 0 1 0 0000 ffffffff 0 EXIT 0 0 0\n", "outside the grid"},
        {"4294967296 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n", ":10:1: error: expected the thread"},
        {"0 0 0 2 0000 ffffffff 0 EXIT 0 0 0\n", "warp 2 is outside its thread block, which has 2"},
        {"0 0 0 x 0000 ffffffff 0 EXIT 0 0 0\n", "expected the warp"},
        {"0 0 0 -1 0000 ffffffff 0 EXIT 0 0 0\n", "expected the warp"},
        {"0 0 0 0 65536 1 0000 ffffffff 0 EXIT 0 0 0\n", "expected an SM from 0 to 65535"},
        {"0 0 0 0 5 x 0000 ffffffff 0 EXIT 0 0 0\n", "expected the warp of the SM"},
        {"0 0 0 0 1 2 3 4 5 6 x 0000 ffffffff 0 EXIT 0 0 0\n", "expected the cluster"},
        {"0 0 0 0 5 1 0000 1 0 EXIT 0 0 0\n1 0 0 0 5 2 0000 1 0 EXIT 0 0 0\n"
         "0 0 0 0 6 1 0000 1 0 EXIT 0 0 0\n",
         ":12:1: error: this thread block runs on SM 6, but on SM 5 in earlier lines"},
        {"0 0 0 0 0000 ffffffff 0 EXIT 0 0 0\n#BEGIN_TB\n", "a grouped thread block after lines"},
        {"#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n0 0 0 0 0000 1 0 EXIT 0 0 0\n",
         "expected \"#BEGIN_TB\""},
        {"0 0 0 0 0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000\n", "expected the stride"},
        {"0 0 0 0 0000 ffffffff 1 R4 LD\n", "expected a number of registers"},
        {"0 0 0 0 0000 1 1 R4 LDG.E 1 R2 4 1 0xffffffffffffffff 0\n", "below 2^60"},
    };
    struct trace_items all;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        text_printf(&text, "%s%s", HEADER, rows[i].body);
        check_error(trace_read_file(check_file("k.trace", text.data), false, &all, &failure),
                    STATUS_INPUT, rows[i].words);
        assert_true(failure.line >= 10);
        text_free(&text);
    }
}

/* Damage of any kind: no crash, no leak, and an error that says something. */
TEST(test_damage)
{
    static const char base[] =
        HEADER "0 0 0 0 5 1 0000 ffffffff 1 R1 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0 \n"
               "1 0 0 1 2 7 0000 0000000f 1 R1 LD.E.64 1 R4 8 0 0x1000 0x2000 0x10 0x20 0 \n"
               "0 0 0 0 5 1 0010 000000f0 0 STG.E 2 UR4 R4 4 2 0x5000 16 -4 100 0 \n"
               "0 0 0 1 5 2 0000 00000001 0 UTMALDG 1 UR4 4 3 1 0x10 0\n"
               "1 0 0 0 2 6 0000 ffffffff 0 EXIT 0 0 0 \n";
    TRACE_CHECK_DAMAGE("k.trace", base, "0123456789abcdef\n ,=#-()xRELDGSTU.\0\xff", false, 11);
}

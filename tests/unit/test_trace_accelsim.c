/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accel-Sim traces: every tracer version and address mode, and the traps of
 * real files, in small traces written here. */
#include "trace_check.h"

#include "trace/readers/accelsim_opcode.h"

#define VERSION(number) "-accelsim tracer version = " number "\n"
#define LAUNCH(grid, block)                                                                        \
    "-kernel name = _Z4testPi\n-kernel id = 1\n-grid dim = (" grid ")\n-block dim = (" block ")\n" \
    "-shmem = 128\n-nregs = 8\n-binary version = 80\n-cuda stream id = 0\n"                        \
    "-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"           \
    "-nvbit version = 1.7\n"
#define HEADER LAUNCH("2,1,1", "64,1,1") VERSION("5") "-enable lineinfo = 0\n\n#traces format\n\n\n"
#define BEGIN "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n"
#define END "\n#END_TB\n"

static void read_body(const char *body, struct trace_items *all)
{
    struct text text = {0};
    text_printf(&text, "%s%s", HEADER, body);
    check_ok(trace_read_file(check_file("kernel-1.traceg", text.data), false, all, &failure));
    text_free(&text);
}

/* --- versions and address modes --------------------------------------------- */

static void check_three_accesses(const struct trace_items *all)
{
    assert_int_equal(all->accesses.count, 4);
    const struct trace_item *item = all->accesses.items;
    assert_int_equal(item[0].access.kind, ACCESS_READ);
    assert_int_equal(item[0].access.instructions, 2);
    assert_int_equal(item[0].access.mask, 0xffffffff);
    assert_int_equal(item[0].access.stride, 4);
    assert_true(item[0].addresses[31] == 0x1000 + 31 * 4);
    assert_int_equal(item[1].access.kind, ACCESS_WRITE);
    assert_int_equal(item[1].access.bytes, 8);
    assert_int_equal(item[1].access.instructions, 1);
    assert_true(item[1].addresses[0] == 0x2000 && item[1].addresses[1] == 0x9000 &&
                item[1].addresses[2] == 0x3000);
    assert_int_equal(item[2].access.kind, ACCESS_ATOMIC);
    assert_true(item[2].addresses[0] == 0x5000 && item[2].addresses[1] == 0x5100 &&
                item[2].addresses[2] == 0x50f8);
    assert_int_equal(item[3].access.kind, ACCESS_NONE);
    assert_int_equal(item[3].access.instructions, 2);
}

TEST(test_versions)
{
    static const struct {
        const char *version, *lineinfo, *prefix, *suffix;
    } tracers[] = {
        {"", "", "1 0 0 1 ", " "},
        {VERSION("1.2"), "", "1 0 0 1 ", " "},
        {VERSION("2"), "-enable lineinfo = 1\n", "1 0 0 1 77 ", " "},
        {VERSION("3"), "", "", " "},
        {VERSION("4"), "-enable lineinfo = 0\n", "", " "},
        {VERSION("4"), "-enable lineinfo = 1\n", "77 ", " "},
        {VERSION("5"), "-enable lineinfo = 0\n", "", " 0 "},
        {VERSION("6"), "-enable lineinfo = 1\n", "12 ", " 16777216 "},
    };
    static const char *const lines[] = {
        "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 UR4 0",
        "0010 ffffffff 1 R4 LDG.E 1 R4 4 1 0x1000 4",
        "0020 00000007 0 STG.E.64 2 R4 R5 4 0 0x2000 0x9000 0x3000",
        "0030 80000005 0 RED.E.ADD.64.STRONG.GPU 2 R4 R5 8 2 0x5000 256 -8",
        "0040 00000000 0 LDG.E 1 R4 4 1 0x0 0",
        "0050 ffffffff 0 EXIT 0 0",
    };
    for (size_t i = 0; i < sizeof tracers / sizeof *tracers; i++) {
        struct text text = {0};
        struct trace_items all;
        text_printf(&text,
                    "%s%s%s\n#format\n\n\n#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 1\n"
                    "insts = 6\n",
                    LAUNCH("2,1,1", "33,1,1"), tracers[i].version, tracers[i].lineinfo);
        for (int k = 0; k < 6; k++)
            text_printf(&text, "%s%s%s\n", tracers[i].prefix, lines[k], tracers[i].suffix);
        text_append(&text, "\n#END_TB\n\n");
        check_ok(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure));
        check_three_accesses(&all);
        assert_int_equal(all.accesses.items[0].cta, 1);
        assert_int_equal(all.accesses.items[0].warp, 1);
        assert_string_equal(all.kernels.items[0].name, "test");
        assert_int_equal(all.kernels.items[0].launch.warps_per_cta, 2);
        assert_int_equal(all.kernels.items[0].launch.shared_bytes, 128);
        trace_items_free(&all);
        text_free(&text);
    }
}

TEST(test_traps)
{
    struct trace_items all;
    read_body("#BEGIN_TB\r\n\r\nthread block = 1,0,0   \r\n"
              "cluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n"
              "warp = 1  \n\ninsts = 3\t\n"
              "\n0000 00000100 1 R1 LDG.E.U8 1 UR4 4 2 0x1234 0   \n   \n"
              "0010 00000000 1 R1 LDG.E 1 R2 4 1 0x0 0 0 \n\n"
              "  0020 0000000f 1 R1 LDG.E.128.CONSTANT 1 R2 4 1 0x8000 -16 3 4 5\n"
              "warp = 0\ninsts = 0\n\n#END_TB\n"
              "\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\nwarp = 1\n#END_TB",
              &all);
    assert_int_equal(all.accesses.count, 2);
    const struct trace_item *item = all.accesses.items;
    assert_int_equal(item[0].access.mask, 0x100); /* mode 2 with one lane: no delta */
    assert_int_equal(item[0].access.bytes, 1);
    assert_true(item[0].addresses[0] == 0x1234);
    assert_int_equal(item[1].access.instructions, 2);
    assert_int_equal(item[1].access.bytes, 16);
    assert_true(item[1].addresses[3] == 0x8000 - 48);
    trace_items_free(&all);
    read_body("", &all); /* no thread block at all */
    assert_int_equal(all.kernels.count, 1);
    assert_int_equal(all.accesses.count, 0);
    trace_items_free(&all);
}

/* Who reads or writes a register that a load has yet to fill needs that load, and those before. */
TEST(test_registers)
{
    static const int ahead[] = {0, 1, 2, 2, 1, 1, 2, 0};
    struct trace_items all;
    read_body(BEGIN "insts = 10\n"
                    "0000 1 1 R4 LDG.E 1 R2 4 1 0x1000 0\n"
                    "0010 1 1 R5 LDG.E 1 UR3 4 1 0x1000 0\n"
                    "0020 1 1 R6 LDG.E.64 1 R8 8 1 0x1000 0\n"
                    "0030 1 1 R10 FADD 2 R4 R1 0\n" /* the first one */
                    "0040 1 1 R11 LDG.E 1 R12 4 1 0x1000 0\n"
                    "0050 1 0 STG.E 2 R13 R7 4 1 0x2000 0\n"   /* the other half of the third */
                    "0060 1 1 R11 LDG.E 1 R255 4 1 0x1000 0\n" /* must not be filled late */
                    "0070 1 0 LDGSTS.E 2 R14 R15 4 1 0x1000 0\n"
                    "0080 1 0 DEPBAR.LE 0 0\n"
                    "0090 1 1 UR4 LDG.E 1 R2 4 1 0x1000 0\n" END,
              &all);
    assert_int_equal(all.accesses.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(all.accesses.items[i].access.ahead, ahead[i]);
    trace_items_free(&all);
}

TEST(test_thread_blocks_in_any_order)
{
    struct trace_items all;
    struct text text = {0};
    text_printf(&text, "%s%s#traces format\n", LAUNCH("2,3,2", "8,4,3"), VERSION("3"));
    for (int i = 11; i >= 0; i--)
        text_printf(&text,
                    "#BEGIN_TB\nthread block = %d,%d,%d\nwarp = 2\ninsts = 1\n"
                    "0 1 1 R1 LDG 1 R1 4 1 %x 0\n#END_TB\n",
                    i % 2, i / 2 % 3, i / 6, 0x1000 + i);
    check_ok(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure));
    assert_int_equal(all.kernels.items[0].launch.threads_per_cta, 96);
    assert_int_equal(all.accesses.count, 12);
    for (uint64_t i = 0; i < 12; i++)
        assert_true(all.accesses.items[i].addresses[0] == 0x1000 + i);
    trace_items_free(&all);
    text_free(&text);
}

/* --- opcodes and spaces ----------------------------------------------------- */

TEST(test_opcodes)
{
    enum { BULK = ACCESS_BYPASS_L1 | ACCESS_BULK };
    enum { R = ACCESS_READ, W = ACCESS_WRITE, A = ACCESS_ATOMIC };
    static const struct {
        const char *text;
        int space, kind, bytes, flags, path;
    } rows[] = {
        {"LDG", OPCODE_GLOBAL, R, 4, 0},
        {"LDG.E", OPCODE_GLOBAL, R, 4, 0},
        {"LDG.E.U8", OPCODE_GLOBAL, R, 1, 0},
        {"LDG.E.S16.CONSTANT", OPCODE_GLOBAL, R, 2, 0},
        {"LDG.E.64.CONSTANT", OPCODE_GLOBAL, R, 8, 0},
        {"LDG.E.LTC128B", OPCODE_GLOBAL, R, 4, 0},
        {"LDG.E.LTC64B.128", OPCODE_GLOBAL, R, 16, 0},
        {"LDG.E.ENL2.256", OPCODE_GLOBAL, R, 32, 0},
        {"LDG.E.SYS", OPCODE_GLOBAL, R, 4, 0}, /* Volta's plain load */
        {"LDG.E.64.STRONG.GPU", OPCODE_GLOBAL, R, 8, ACCESS_BYPASS_L1},
        {"LDG.E.STRONG.SM", OPCODE_GLOBAL, R, 4, 0},
        {"LDG.E.STRONG.SYS", OPCODE_GLOBAL, R, 4, ACCESS_BYPASS_L1},
        {"LDGSTS.E.BYPASS.LTC128B.128", OPCODE_GLOBAL, R, 16, ACCESS_BYPASS_L1},
        {"LDGSTS.E", OPCODE_GLOBAL, R, 4, 0},
        {"STG.E.128", OPCODE_GLOBAL, W, 16, 0},
        {"STG.E.STRONG.GPU", OPCODE_GLOBAL, W, 4, 0},
        {"ATOMG.E.CAS.64.STRONG.GPU", OPCODE_GLOBAL, A, 8, 0},
        {"ATOMG.E.ADD.F64.RN", OPCODE_GLOBAL, A, 8, 0},
        {"REDG.E.ADD.F16x2.RN", OPCODE_GLOBAL, A, 4, 0},
        {"RED.E.ADD.BF16x4", OPCODE_GENERIC, A, 8, 0},
        {"RED.E.MAX.S32.STRONG.GPU", OPCODE_GENERIC, A, 4, 0},
        {"ATOM.E.EXCH", OPCODE_GENERIC, A, 4, 0},
        {"LD.E.96", OPCODE_GENERIC, R, 12, 0},
        {"ST.E.U16", OPCODE_GENERIC, W, 2, 0},
        {"LDL.64", OPCODE_LOCAL, ACCESS_READ, 8, 0},
        {"STL", OPCODE_LOCAL, W, 4, 0},
        {"LDS.U.128", OPCODE_ON_CHIP, ACCESS_NONE, 4, 0},
        {"ATOMS.ADD", OPCODE_ON_CHIP, ACCESS_NONE, 4, 0},
        {"LDSM.16.M88.4", OPCODE_ON_CHIP, ACCESS_NONE, 4, 0},
        {"ULDC.64", OPCODE_GLOBAL, R, 8, 0, ACCESS_CONSTANT},
        {"LDCU.128", OPCODE_GLOBAL, R, 16, 0, ACCESS_CONSTANT},
        {"LDC.U8", OPCODE_GLOBAL, R, 1, 0, ACCESS_CONSTANT},
        {"TEX.SCR.LL", OPCODE_GLOBAL, R, 4, 0, ACCESS_TEXTURE},
        {"TLD.LZ", OPCODE_GLOBAL, R, 4, 0, ACCESS_TEXTURE},
        {"TLD4.R.2D", OPCODE_GLOBAL, R, 4, 0, ACCESS_TEXTURE},
        {"UTMALDG.2D", OPCODE_BULK, R, 4, BULK},
        {"UTMASTG.5D.IM2COL", OPCODE_BULK, W, 4, BULK},
        {"UTMAREDG.1D.ADD", OPCODE_BULK, A, 4, BULK},
        {"UTMAPF.L2.2D", OPCODE_BULK, ACCESS_NONE, 4, BULK},
        {"UBLKPF.L2", OPCODE_BULK, ACCESS_NONE, 4, BULK},
        {"UBLKRED.G.S.ADD.F32.RN", OPCODE_BULK, A, 4, BULK},
        {"UBLKCP.S.G.MULTICAST", OPCODE_BULK, R, 4, BULK},
        {"UBLKCP.T.G.S", OPCODE_BULK, W, 4, BULK},
        {"UBLKCP.S.S", OPCODE_ON_CHIP, ACCESS_NONE, 4, BULK},
        {"UBLKCP", OPCODE_BULK, ACCESS_NONE, 4, BULK},
        {"LDGX.E", OPCODE_UNKNOWN, ACCESS_NONE, 4, 0},
        {"L", OPCODE_UNKNOWN, ACCESS_NONE, 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct opcode got = opcode_read(rows[i].text, strlen(rows[i].text));
        if ((int)got.space != rows[i].space || got.kind != rows[i].kind ||
            got.bytes != rows[i].bytes || got.flags != rows[i].flags || got.path != rows[i].path)
            fail_msg("%s: space %d kind %d bytes %d flags %d", rows[i].text, (int)got.space,
                     got.kind, got.bytes, got.flags);
    }
}

/* Loads of constants and textures are reads of their kind where they have an address, and only
 * instructions where they have none. */
TEST(test_caches_beside_l1)
{
    struct trace_items all;
    read_body(BEGIN "insts = 6\n"
                    "0 ffffffff 1 UR4 ULDC.64 0 0\n"
                    "1 ffffffff 1 R1 LDC 1 R1 4 1 0x10 0 0\n"
                    "2 ffffffff 1 R1 TEX.SCR 1 R1 4 1 0x1000 4 0\n"
                    "3 ffffffff 1 R1 TEX.SCR 1 R1 0\n"
                    "4 ffffffff 1 R1 LDG.E.CONSTANT 1 R1 4 1 0x1000 4 0\n"
                    "5 00000001 0 EXIT 0 0 0\n" END,
              &all);
    static const struct {
        uint32_t instructions;
        int kind, path;
    } want[] = {{2, ACCESS_READ, ACCESS_CONSTANT},
                {1, ACCESS_READ, ACCESS_TEXTURE},
                {2, ACCESS_READ, ACCESS_ORDINARY},
                {1, ACCESS_NONE, ACCESS_ORDINARY}};
    assert_int_equal(all.accesses.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct warp_access *access = &all.accesses.items[i].access;
        assert_int_equal(access->instructions, want[i].instructions);
        assert_int_equal(access->kind, want[i].kind);
        assert_int_equal(access->path, want[i].path);
    }
    assert_int_equal(all.kernels.items[0].launch.dropped.unknown, 0);
    trace_items_free(&all);
}

TEST(test_what_is_dropped)
{
    struct trace_items all;
    read_body(BEGIN "insts = 11\n"
                    "0 ffffffff 1 R1 LDS 1 R1 4 1 0x10 4 0\n"
                    "1 ffffffff 0 STS.64 2 R1 R2 8 1 0x10 8 0\n"
                    "2 ffffffff 1 R1 LDL 1 R1 4 1 0xfffc72 0 0\n"  /* not aligned */
                    "3 ffffffff 0 STL 2 R1 R1 4 1 0x1fffc70 0 0\n" /* no window has it */
                    "4 ffffffff 1 R1 CCTL.IVALL 1 R1 4 1 0x10 4 0\n"
                    "5 00000001 0 UTMALDG.2D 2 UR4 UR8 4 3 2 0x1000 0x2000 0\n"
                    "6 00000001 0 UBLKCP 2 UR4 UR8 4 4 0x1000 2 64\n"
                    "7 00000001 0 LDNEW.E 1 R1 4 1 0x1000 0 0\n"
                    "8 00000001 0 LDG.E 1 R1 4 4 0x1000 2 64 0\n"
                    "9 00000003 1 R1 LDG.E 1 R1 4 1 0x1000 4 0\n"
                    "a 00000001 0 EXIT 0 0 0\n" END,
              &all);
    assert_int_equal(all.kernels.items[0].launch.dropped.local, 2);
    assert_int_equal(all.kernels.items[0].launch.dropped.bulk, 3);
    assert_int_equal(all.kernels.items[0].launch.dropped.unknown, 1);
    assert_int_equal(all.accesses.count, 2);
    assert_int_equal(all.accesses.items[0].access.instructions, 10);
    assert_int_equal(all.accesses.items[1].access.kind, ACCESS_NONE);
    assert_int_equal(all.accesses.items[1].access.instructions, 1);
    trace_items_free(&all);
}

/* Local memory in [0x7f0000000000, 0x7f0002000000), shared above. */
TEST(test_generic_addresses)
{
    struct trace_items all;
    read_body(BEGIN "insts = 5\n"
                    "0 ffffffff 1 R1 LD.E 1 R1 4 1 0x10000 4 0\n"
                    "1 ffffffff 1 R1 LD.E 1 R1 4 1 0x7f0002000100 4 0\n"
                    "2 ffffffff 0 ST.E 2 R1 R1 4 1 0x7f0000000100 4 0\n"
                    "3 0000000f 1 R1 LD.E.64 1 R1 8 0 0x7f0002000000 0x20000 0x7f0001ffffff "
                    "0x20010 0\n"
                    "4 00000001 0 ATOM.E.ADD 2 R1 R1 4 1 0x7f1000000000 0 0\n" END,
              &all);
    /* The store goes to local memory; of the 64-bit load one lane is in shared memory, one in
     * local memory beyond a thread's window. */
    assert_int_equal(all.accesses.count, 4);
    assert_int_equal(all.accesses.items[0].access.mask, 0xffffffff);
    assert_int_equal(all.accesses.items[1].access.mask, 0xffffffff);
    assert_int_equal(all.accesses.items[1].access.flags, ACCESS_LOCAL);
    assert_int_equal(all.accesses.items[1].access.kind, ACCESS_WRITE);
    assert_int_equal(all.accesses.items[1].access.instructions, 2);
    assert_int_equal(all.accesses.items[2].access.mask, 0xa);
    assert_int_equal(all.accesses.items[2].access.instructions, 1);
    assert_true(all.accesses.items[2].addresses[1] == 0x20010);
    assert_int_equal(all.accesses.items[3].access.kind, ACCESS_ATOMIC); /* above both windows */
    assert_int_equal(all.kernels.items[0].launch.dropped.local, 1);
    trace_items_free(&all);
}

TEST(test_generic_addresses_with_shared_below)
{
    struct trace_items all;
    const char *path = check_file(
        "k.traceg",
        "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem base_addr = 0x50000\n"
        "-local mem base_addr = 0x60000\n-accelsim tracer version = 3\n#\n" BEGIN "insts = 3\n"
        "0 1 1 R1 LD 1 R1 4 1 0x4ffff 0\n0 1 1 R1 LD 1 R1 4 1 0x50000 0\n"
        "0 1 1 R1 LD 1 R1 4 1 0x60000 0\n" END);
    check_ok(trace_read_file(path, false, &all, &failure));
    assert_int_equal(all.accesses.count, 2);
    assert_true(all.accesses.items[0].addresses[0] == 0x4ffff);
    assert_int_equal(all.accesses.items[1].access.flags, ACCESS_LOCAL);
    assert_int_equal(all.kernels.items[0].launch.dropped.local, 0);
    assert_string_equal(all.kernels.items[0].name, "kernel");
    trace_items_free(&all);
}

/* --- lists ------------------------------------------------------------------ */

static const char small_kernel[] =
    HEADER BEGIN "insts = 1\n0 1 1 R1 LDG.E 1 R1 4 1 0x1000 0 0\n" END;

TEST(test_list)
{
    struct source *source;
    struct trace_items all;
    char hash[HASH_TEXT];
    check_file("kernel-1.traceg", small_kernel);
    check_file("other.traceg", small_kernel);
    const char *path =
        check_file("kernelslist.g", "MemcpyHtoD,0x0000000000002000,4096\n"
                                    "MemcpyHtoD,0x0000000000001000,4096\n\n"
                                    "MemcpyDtoH,0x0000000000001000,4096\n"
                                    "kernel-1.traceg  \n"
                                    "MemcpyHtoD,0x0000000000001000,1\n"
                                    "MemcpyHtoD,0x0000000000002800,4096\r\n"
                                    "MemcpyHtoD,0x0000000000009000,0\n"
                                    "ncclGroupStart\nother.traceg\nkernel-1.traceg\n");
    check_ok(source_open_trace(path, &source, &failure));
    assert_int_equal(source->allocations.count, 2); /* touching ones stay two */
    assert_true(source->allocations.items[0].base == 0x1000);
    assert_true(source->allocations.items[0].bytes == 4096);
    assert_true(source->allocations.items[1].base == 0x2000);
    assert_true(source->allocations.items[1].bytes == 0x1800);
    assert_non_null(strstr(check_folder(), source->name)); /* named after the folder */
    assert_string_equal(source->spec, path);
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.kernels.count, 3);
    assert_int_equal(all.accesses.count, 3);
    trace_items_free(&all);
    memcpy(hash, source->hash, sizeof hash);
    assert_int_equal(strlen(hash), 32);
    source_destroy(source);

    check_ok(source_open_trace(check_path("kernelslist.g"), &source, &failure));
    assert_string_equal(source->hash, hash);
    source_destroy(source);
    check_file("other.traceg", HEADER BEGIN "insts = 1\n0 1 1 R1 LDG.E 1 R1 4 1 0x1001 0 0\n" END);
    check_ok(source_open_trace(check_path("kernelslist.g"), &source, &failure));
    assert_string_not_equal(source->hash, hash); /* one address of one kernel */
    source_destroy(source);
}

TEST(test_two_streams_at_once)
{
    OWNED(source) *source = NULL;
    OWNED(stream) *a = NULL, *b = NULL;
    struct stream_kernel first, second;
    check_file("kernel-1.traceg", small_kernel);
    const char *path = check_file("kernelslist.g", "kernel-1.traceg\nkernel-1.traceg\n");
    check_ok(source_open_trace(path, &source, &failure));
    check_ok(stream_open(source, &a, &failure));
    check_ok(stream_open(source, &b, &failure));
    assert_int_equal(stream_next_kernel(a, &first, &failure), 1);
    assert_int_equal(stream_next_kernel(a, &first, &failure), 1);
    assert_int_equal(stream_next_kernel(b, &second, &failure), 1);
    assert_int_equal(stream_next_kernel(a, &first, &failure), 0);
    assert_int_equal(stream_next_kernel(b, &second, &failure), 1);
}

TEST(test_list_errors)
{
    static const struct {
        const char *list, *words;
    } rows[] = {
        {"\n", "names no kernel"},
        {"MemcpyHtoD,0x1000,10\n", "names no kernel"},
        {"MemcpyHtoD,0x1000\nkernel-1.traceg\n", "kernelslist.g:1:12: error: expected destination"},
        {"MemcpyHtoD,zz,10\n", "expected destination"},
        {"MemcpyHtoD,0x1000,-1\n", "expected destination"},
        {"MemcpyHtoD,0xffffffffffffffff,1\n", "expected destination"},
        {"kernel-1.traceg\nkernel-99.traceg\n", "kernelslist.g:2:1: error: cannot open"},
        {"kernel-1.trace.xz\n", "kernel-1.trace.xz: No such file"},
        {"kernel-1.traceg.bz2\n", "may be compressed: "},
    };
    struct source *source;
    check_file("kernel-1.traceg", small_kernel);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_error(source_open_trace(check_file("kernelslist.g", rows[i].list), &source, &failure),
                    STATUS_INPUT, rows[i].words);
}

/* --- errors ----------------------------------------------------------------- */

TEST(test_header_errors)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "is empty"},
        {"-kernel name = x\n", "ends inside the header"},
        {"-kernel name = x\n#\n", "lacks the line \"-grid dim"},
        {"-grid dim = (1,1,1)\n#\n", "lacks the line \"-block dim"},
        {"-grid dim = 8\n-block dim = (1,1,1)\n#\n", ":1:13: error: grid dim: expected dimensions"},
        {"-grid dim = (1,1)\n", "dimensions"},
        {"-grid dim = (0,1,1)\n-block dim = (1,1,1)\n#\n", "at least 1"},
        {"-grid dim = (1,1,1)\n-block dim = (1024,1024,1)\n#\n", "more than 32768 threads"},
        {"-grid dim = (4000000000,4000000000,1)\n-block dim = (1,1,1)\n#\n", "2^32"},
        {"-grid dim = (1,1,1)\nnonsense\n", ":2:1: error: expected a header line"},
        {"-accelsim tracer version = 7\n", "at most 6"},
        {"-accelsim tracer version = x\n", "expected a version"},
        {"-enable lineinfo = 2\n", "expected 0 or 1"},
        {"-shmem base_addr = q\n", "hexadecimal address"},
    };
    struct source *source;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words = i ? rows[i].words : "ends inside the header";
        check_error(source_open_trace(check_file("k.traceg", rows[i].text), &source, &failure),
                    STATUS_INPUT, words);
        assert_null(source);
    }
}

TEST(test_body_errors)
{
    /* The header has 17 lines. */
    static const struct {
        const char *body, *words;
    } rows[] = {
        {"warp = 0\n", ":18:1: error: expected \"#BEGIN_TB\""},
        {"#BEGIN_TB\nwarp = 0\n", ":19:1: error: expected \"thread block"},
        {"#BEGIN_TB\nthread block = 0,0\n", "expected a thread block"},
        {"#BEGIN_TB\nthread block = 2,0,0\n", ":19:16: error: thread block 2,0,0 is outside"},
        {"#BEGIN_TB\nthread block = 0,0,0 9\n", "expected the end of the line"},
        {"#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n#BEGIN_TB\nthread block = 0,0,0\n",
         ":22:16: error: thread block 0,0,0 comes twice"},
        {"#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n",
         ":20:8: error: expected a warp from 0 to 1"},
        {"#BEGIN_TB\nthread block = 0,0,0\nwarp = x\n", "expected a warp"},
        {"#BEGIN_TB\nthread block = 0,0,0\nwrap = 0\n", "expected \"warp = w\""},
        {BEGIN "insts = 0\nwarp = 0\n", ":24:8: error: warp 0 of thread block 0,0,0 comes twice"},
        {BEGIN "insts = x\n", "expected a number of instruction lines"},
        {BEGIN "insts = 2\n0 1 0 EXIT 0 0\n" END,
         "ends after 1 instruction lines, but says insts = 2"},
        {BEGIN "insts = 1\n0 1 0 EXIT 0 0\n0 1 0 EXIT 0 0\n" END,
         ":25:1: error: warp 0 of thread block 0,0,0 has more instruction lines"},
        {BEGIN "insts = 1\n0 1 0 EXIT 0 0\n", "ends inside a thread block"},
        {BEGIN "insts = 1\n", "ends inside a thread block"},
        {"#BEGIN_TB\n", "ends inside a thread block"},
        {BEGIN "insts = 1\n0 1ffffffff 0 EXIT 0 0\n", ":24:3: error: expected a mask"},
        {BEGIN "insts = 1\n0 fffg 0 EXIT 0 0\n", "expected a mask"},
        {BEGIN "insts = 1\nxyz 1 0 EXIT 0 0\n", "expected the program counter"},
        {BEGIN "insts = 1\n0 1 x EXIT 0 0\n", "expected a number of registers"},
        {BEGIN "insts = 1\n0 1 2 R1 9 EXIT 0 0\n", "expected a register"},
        {BEGIN "insts = 1\n0 1 1 R1 0 0 0\n", "expected an opcode"},
        {BEGIN "insts = 1\n0 1 0 EXIT 0\n", "expected the width"},
        {BEGIN "insts = 1\n0 1 0 LDG 0 4\n", "expected an address mode"},
        {BEGIN "insts = 1\n0 1 0 LDG 0 4 5 0x1000\n", "expected an address mode"},
        {BEGIN "insts = 1\n0 1 0 LDG 0 4 1 0x1000\n", "expected the stride"},
        {BEGIN "insts = 1\n0 3 0 LDG 0 4 0 0x1000\n", "expected one address for each active lane"},
        {BEGIN "insts = 1\n0 3 0 LDG 0 4 2 0x1000\n", "expected an address difference"},
        {BEGIN "insts = 1\n0 1 0 LDG 0 4 1 0xfffffffffffffff8 0\n", "below 2^60"},
        {BEGIN "insts = 1\n0 3 0 LDG 0 4 1 0x1000 -8192\n", "below 2^60"},
    };
    struct trace_items all;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        text_printf(&text, "%s%s", HEADER, rows[i].body);
        check_error(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure),
                    STATUS_INPUT, rows[i].words);
        text_free(&text);
    }
    const char *old = "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#\n" BEGIN
                      "insts = 1\n0 0 0 1 0 1 0 EXIT 0 0\n" END;
    check_error(trace_read_file(check_file("k.traceg", old), false, &all, &failure), STATUS_INPUT,
                "this instruction of thread block 0,0,0 warp 1 stands under");
}

TEST(test_long_lines)
{
    struct trace_items all;
    struct text text = {0};
    char *dots = memory_alloc(10 << 20);
    memset(dots, '.', 10 << 20);
    text_append(&text, HEADER "#");
    text_append_bytes(&text, dots, (1 << 20) - 1); /* just 1 MiB */
    text_append(&text, "\n" BEGIN "insts = 1\n0 1 0 EXIT 0 0\n" END);
    check_ok(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure));
    assert_int_equal(all.accesses.count, 1);
    trace_items_free(&all);
    text.length = 0;
    text_append(&text, HEADER "#");
    text_append_bytes(&text, dots, 10 << 20);
    check_error(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure),
                STATUS_INPUT, ":18:1: error: the line is too long");
    text.length = 0;
    text_append(&text, HEADER "#");
    text_append_bytes(&text, dots, 1 << 20); /* one byte more than 1 MiB */
    text_append(&text, "\n");
    check_error(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure),
                STATUS_INPUT, "too long");
    text_free(&text);
    free(dots);
}

TEST(test_unknown_files)
{
    struct source *source;
    check_error(source_open_trace(check_file("x.bin", "\x7f"
                                                      "ELF"),
                                  &source, &failure),
                STATUS_INPUT, "not a trace in a known format");
    assert_non_null(strstr(failure.hint, "accelsim"));
    assert_non_null(strstr(failure.hint, "text"));
    check_error(source_open_trace(check_file("empty", ""), &source, &failure), STATUS_INPUT,
                "is empty");
    check_error(source_open_trace(check_path("none.traceg"), &source, &failure), STATUS_INPUT,
                "cannot open");
    unlink(check_path("kernelslist.g")); /* of tests before */
    check_error(source_open_trace(check_folder(), &source, &failure), STATUS_INPUT,
                "is a folder without");
}

/* Damage of any kind: no crash, no leak, and an error that says something. */
TEST(test_damage)
{
    static const char base[] = HEADER BEGIN
        "insts = 5\n0000 ffffffff 1 R1 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0 \n"
        "0010 0000000f 1 R1 LD.E.64 1 R4 8 0 0x1000 0x7f0002000000 0x7f0000000010 0x20 0 \n"
        "0020 000000f0 0 STG.E 2 UR4 R4 4 2 0x5000 16 -4 100 0 \n"
        "0030 00000001 0 UTMALDG 1 UR4 4 3 1 0x10 0\n0040 ffffffff 0 EXIT 0 0 0 \n\n"
        "warp = 1\ninsts = 0\n" END "\n#BEGIN_TB\n\nthread block = 1,0,0\n" END;
    TRACE_CHECK_DAMAGE("k.traceg", base, "0123456789abcdef\n ,=#-()xRELDGSTU.\0\xff", false, 5);
}

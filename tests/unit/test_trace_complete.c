/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thread blocks that a trace lacks: found in every format, told from those that do nothing,
 * kept by conversions, and remembered. */
#include "trace_check.h"

#include "core/sealed.h"
#include "profile/run/source_check.h"
#include "trace/binary_format.h"
#include "trace/completeness.h"
#include "trace/text_format.h"
#include "workload/workload.h"

enum { CTAS = 8, ALL = 255, SOME = 1 | 4 | 8 | 32 | 128 };
#define MAY_IDLE "; the others made no access, or are missing"

/* A file that holds those of the eight CTAs whose bits are set; its path. */
typedef const char *make_fn(unsigned ctas);

static const char *make_accelsim(unsigned ctas, bool grouped)
{
    struct text text = {0};
    text_append(&text, "-kernel name = f\n-kernel id = 1\n-grid dim = (4,2,1)\n"
                       "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n-binary version = 80\n"
                       "-cuda stream id = 0\n-shmem base_addr = 0x7f0000000000\n"
                       "-local mem base_addr = 0x7e0000000000\n-nvbit version = 1.5\n"
                       "-accelsim tracer version = 4\n\n#traces format\n\n");
    for (int i = 0; i < CTAS; i++) {
        if (!(ctas >> i & 1))
            continue;
        if (grouped)
            text_printf(&text, "#BEGIN_TB\nthread block = %d,%d,0\nwarp = 0\ninsts = 1\n", i % 4,
                        i / 4);
        else
            text_printf(&text, "%d %d 0 0 ", i % 4, i / 4);
        text_append(&text, "0008 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4\n");
        text_append(&text, grouped ? "#END_TB\n" : "");
    }
    const char *path = check_file(grouped ? "k.traceg" : "k.trace", text.data);
    text_free(&text);
    return path;
}

static const char *make_grouped(unsigned ctas)
{
    return make_accelsim(ctas, true);
}

static const char *make_raw(unsigned ctas)
{
    return make_accelsim(ctas, false);
}

static const char *make_nvbit(unsigned ctas)
{
    struct text text = {0};
    text_append(&text, "MEMTRACE: CTX 0x5610 - LAUNCH - Kernel pc 0x7f12 - Kernel name f - grid "
                       "launch id 0 - grid size 4,2,1 - block size 32,1,1 - nregs 8 - shmem 0\n");
    for (int i = 0; i < CTAS; i++) {
        if (!(ctas >> i & 1))
            continue;
        /* A block that uses shared memory alone is there. */
        text_printf(&text, "MEMTRACE: CTX 0x5610 - grid_launch_id 0 - CTA %d,%d,0 - warp 5 - %s - ",
                    i % 4, i / 4, i == 2 ? "LDS" : "LDG.E");
        for (int lane = 0; lane < WARP_LANES; lane++)
            text_printf(&text, "0x%x ", 0x1000 + 4 * lane);
        text_append(&text, "\n");
    }
    const char *path = check_file("f.log", text.data);
    text_free(&text);
    return path;
}

static const char *make_ppt(unsigned ctas)
{
    mkdir(check_path("memory_traces"), 0777);
    for (int i = 0; i < CTAS; i++) {
        char name[64];
        snprintf(name, sizeof name, "memory_traces/kernel_1_block_%d.mem", i);
        if (ctas >> i & 1) /* one made accesses to shared memory alone */
            check_file(name, i == 2 ? "\n=====\nLDS 0x10\n" : "\n=====\nLDG.E 0x7f0000001000\n");
        else
            unlink(check_path(name));
    }
    return check_file("app_config.py", "kernel_1 = {\n\"kernel_name\" : \"f\",\n"
                                       "\"num_registers\" : 12,\n\"shared_mem_bytes\" : 0,\n"
                                       "\"grid_size\" : 8,\n\"block_size\" : 32,\n"
                                       "\"cuda_stream_id\" : 0\n}\n\napp_kernels_id = [1]");
}

static const char *make_text(unsigned ctas)
{
    struct text text = {0};
    text_append(&text, "bandscape-trace 1\nkernel f grid=4,2 block=32\n");
    for (int i = 0; i < CTAS; i++)
        if (ctas >> i & 1)
            text_printf(&text, i == 2 ? "warp %d 0\n" : "r 0x1000 4 cta=%d\n", i);
    const char *path = check_file("f.btrace", text.data);
    text_free(&text);
    return path;
}

static void convert(const char *from, const char *to,
                    int (*write)(const struct source *source, FILE *stream, struct error *error))
{
    OWNED(source) *source = NULL;
    char path[600];
    check_ok(source_open_trace(from, &source, &failure));
    snprintf(path, sizeof path, "%s/%s", check_folder(), to);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    check_ok(write(source, stream, &failure));
    fclose(stream);
}

static const char *make_binary(unsigned ctas)
{
    convert(make_text(ctas), "f.bstream", trace_write_binary);
    return check_path("f.bstream");
}

/* What is said of a trace. */
static void check_found(const char *path, const char *want)
{
    OWNED(source) *source = NULL;
    struct text found = {0};
    text_append(&found, "");
    check_ok(source_open_trace(path, &source, &failure));
    check_ok(completeness_find(source, &found, &failure));
    assert_string_equal(found.data, want);
    text_free(&found);
}

TEST(test_formats)
{
    static const struct {
        make_fn *make;
        bool may_idle, may_be_empty;
    } formats[] = {
        {make_grouped, false, true}, {make_raw, false, true}, {make_nvbit, true, false},
        {make_ppt, true, false},     {make_text, true, true}, {make_binary, true, true},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *idle = formats[i].may_idle ? MAY_IDLE : "";
        char want[128];
        check_found(formats[i].make(ALL), "");
        snprintf(want, sizeof want, "kernel 1, f: the trace has 5 of 8 thread blocks%s\n", idle);
        check_found(formats[i].make(SOME), want);
        snprintf(want, sizeof want, "kernel 1, f: the trace has 7 of 8 thread blocks%s\n", idle);
        check_found(formats[i].make(ALL & ~128U), want);
        snprintf(want, sizeof want, "kernel 1, f: the trace has 0 of 8 thread blocks%s\n", idle);
        if (formats[i].may_be_empty)
            check_found(formats[i].make(0), want);
    }
    for (int i = 0; i < CTAS; i++) {
        char name[64];
        snprintf(name, sizeof name, "memory_traces/kernel_1_block_%d.mem", i);
        unlink(check_path(name));
    }
    rmdir(check_path("memory_traces"));
}

TEST(test_real_traces)
{
    static const char *const names[] = {"rodinia-bfs", "vectoradd"};
    const char *folder;
    check_need_traces(folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/kernelslist.g", folder, names[i]);
        check_found(path, "");
    }
}

/* The first kernels one by one, the rest together. */
TEST(test_many_kernels)
{
    struct text text = {0};
    text_append(&text, "bandscape-trace 1\n");
    for (int k = 0; k < 9; k++)
        text_printf(&text, "kernel k%d grid=%d block=32\nr 0x1000 4 cta=0\n", k, k % 3 + 1);
    check_found(check_file("many.btrace", text.data),
                "kernel 2, k1: the trace has 1 of 2 thread blocks" MAY_IDLE
                "\nkernel 3, k2: the trace has 1 of 3 thread blocks" MAY_IDLE
                "\nkernel 5, k4: the trace has 1 of 2 thread blocks" MAY_IDLE
                "\nkernel 6, k5: the trace has 1 of 3 thread blocks" MAY_IDLE
                "\n2 more kernels: the trace has 2 of 5 thread blocks" MAY_IDLE "\n");
    text_free(&text);
}

static char *read_all(const char *name)
{
    char *data;
    size_t size;
    check_ok(file_read(check_path(name), 1 << 20, &data, &size, &failure));
    return data;
}

/* Blocks 1 and 4 do nothing, 2 and 5 are missing. Conversions keep both, in any order of
 * accesses; a workload has all of its blocks. */
TEST(test_conversions)
{
    static const char *const texts[] = {
        "bandscape-trace 1\n\nkernel f grid=6 block=64\nwarp 0 0\nr 0x1000 4\nwarp 3 1\ni 7\n"
        "warp 1 0\nwarp 4 0\n",
        "bandscape-trace 1\n\nkernel f grid=6 block=64 order=recorded\nr 0x1000 4 cta=3 warp=1\n"
        "r 0x1000 4 cta=0 warp=0\nwarp 1 0\nwarp 4 0\n",
        "bandscape-trace 1\n\nkernel f grid=6 block=64 order=recorded\n"
        "r 0x1000 4 cta=3 warp=1 sm=2\nr 0x1000 4 cta=0 warp=0 sm=1\nwarp 1 0\nwarp 4 0\n",
    };
    struct source *source;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s", check_file("a.btrace", texts[i]));
        convert(path, "b.bstream", trace_write_binary);
        check_found(check_path("b.bstream"),
                    "kernel 1, f: the trace has 4 of 6 thread blocks" MAY_IDLE "\n");
        snprintf(path, sizeof path, "%s", check_path("b.bstream"));
        convert(path, "c.btrace", trace_write_text);
        char *back = read_all("c.btrace");
        struct text want = {0}; /* between the first line, which promises the last, and that one */
        text_printf(&want, "%s# end\n", strchr(texts[i], '\n'));
        assert_string_equal(strchr(back, '\n'), want.data);
        text_free(&want);
        free(back);
    }
    /* Threads beyond n do nothing, and so do whole blocks. */
    check_ok(source_open(check_file("idle.yaml",
                                    "workload: idle\nsummary: s\nsuite: t\nparameters: {n: "
                                    "32}\narrays: {A: {shape: [32], type: f32}}\n"
                                    "inputs: {small: {n: 32}}\nkernels:\n  - {name: k, grid: [4], "
                                    "block: [32], guard: bx*32 + tx < n, "
                                    "body: [{load: \"A[tx]\"}]}\n"),
                         &source, &failure));
    FILE *stream = fopen(check_path("idle.btrace"), "w");
    check_ok(trace_write_text(source, stream, &failure));
    fclose(stream);
    source_destroy(source);
    check_found(check_path("idle.btrace"), "");
}

/* --- when a source is opened ------------------------------------------------ */

static void check_opened(const char *path, const char *want)
{
    OWNED(source) *source = NULL;
    check_ok(source_open_checked(path, &source, &failure));
    assert_int_equal(source->warnings.count, want != NULL);
    if (want)
        assert_string_equal(source->warnings.items[0], want);
}

/* The result is kept under the trace's content; what is damaged is made anew. */
TEST(test_cache)
{
    static const char warning[] = "kernel 1, f: the trace has 5 of 8 thread blocks";
    char path[600], kept[128], **names;
    struct text forged = {0};
    setenv("BANDSCAPE_CACHE", check_folder(), 1);
    snprintf(path, sizeof path, "%s", make_grouped(SOME));
    check_opened(path, warning);
    check_opened(path, warning);
    size_t count = file_list(check_folder(), &names), found = 0;
    for (size_t i = 0; i < count; i++) {
        if (strstr(names[i], ".check")) {
            snprintf(kept, sizeof kept, "%.100s", names[i]);
            found++;
        }
        free(names[i]);
    }
    free(names);
    assert_int_equal(found, 1);
    text_append(&forged, "x: forged\n");
    sealed_append(&forged);
    check_file(kept, forged.data);
    check_opened(path, "x: forged");
    forged.data[0] = 'y';
    check_file(kept, forged.data);
    check_opened(path, warning);
    check_file(kept, "");
    check_opened(path, warning);
    check_opened(path, warning);
    text_free(&forged);
    check_opened(make_grouped(ALL), NULL);
    setenv("BANDSCAPE_CACHE", "/dev/null/nowhere", 1);
    check_opened(make_grouped(SOME), warning);
    check_opened("gemm:input=small", NULL);
}

TEST(test_strict)
{
    static const char *const warnings[] = {"one", "two"};
    struct source *source;
    check_ok(source_refuse_warnings("w", NULL, 0, &failure));
    check_error(source_refuse_warnings("w", warnings, 1, &failure), STATUS_INPUT, "w: one");
    assert_non_null(strstr(failure.hint, "without --strict"));
    check_error(source_refuse_warnings("w", warnings, 2, &failure), STATUS_INPUT, "w: one");
    assert_non_null(strstr(failure.hint, "and 1 more"));
    /* Damage shows when a trace is opened. */
    check_error(source_open_checked(check_file("x.btrace", "bandscape-trace 1\nr 0x10 4\nr x\n"),
                                    &source, &failure),
                STATUS_INPUT, ":3:3: error: expected an address");
    assert_null(source);
}

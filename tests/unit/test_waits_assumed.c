/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where nothing says which accesses need which loads, it is said what is assumed: by every reader,
 * in the profile, by models that count waits, by the referee. */
#include "mcm_check.h"
#include "profile_check.h"
#include "trace_check.h"

#include "explore/answer/referee.h"

#define ACCELSIM                                                                                   \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem base_addr = 0x0\n"       \
    "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = ...\n\n"
#define ZEROS15 "0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 "
#define NVBIT(opcode, address)                                                                     \
    "MEMTRACE: CTX 0x5610 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - " opcode " - " address         \
    " 0x0 " ZEROS15 ZEROS15 "\n"

/* Two loads and a store, which needs the second: two accesses come behind a load. */
static const struct {
    const char *file, *text;
    double assumed; /* accesses */
} forms[] = {
    {"k.btrace", "bandscape-trace 1\nr 0x1000 4\nr 0x2000 4\nw 0x3000 4\n", 2},
    {"k.btrace", "bandscape-trace 1\nr 0x1000 4\nr 0x2000 4 ahead=1\nw 0x3000 4\n", 0},
    {"k.btrace", "bandscape-trace 1\nr 0x1000 4 cta=0\nr 0x2000 4 cta=1\n", 0}, /* one each */
    {"k.btrace", "bandscape-trace 1\nkernel k order=recorded\nr 0x1000 4\nr 0x2000 4\nw 0x3000 4\n",
     2},
    {"kernel-1.traceg",
     ACCELSIM "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
              "0000 1 1 R4 LDG.E 1 R2 4 1 0x1000 0\n0010 1 1 R5 LDG.E 1 R4 4 1 0x2000 0\n"
              "0020 1 0 STG.E 2 R8 R5 4 1 0x3000 0\n#END_TB\n",
     0},
    {"kernel-1.trace",
     ACCELSIM "0 0 0 0 0000 1 1 R4 LDG.E 1 R2 4 1 0x1000 0\n"
              "0 0 0 0 0010 1 1 R5 LDG.E 1 R4 4 1 0x2000 0\n"
              "0 0 0 0 0020 1 0 STG.E 2 R8 R5 4 1 0x3000 0\n",
     0},
    {"log.txt",
     NVBIT("LDG.E", "0x7f0000001000") NVBIT("LDG.E", "0x7f0000002000")
         NVBIT("STG.E", "0x7f0000003000"),
     2},
    {"kernel_1_block_0.mem",
     "\n=====\nLDG.E 0x7f0000001000 \n=====\nLDG.E 0x7f0000002000 \n=====\nSTG.E 0x7f0000003000 ",
     2},
};

static bool warns(const struct answer *answer)
{
    for (int i = 0; i < answer->result.n_warnings; i++)
        if (strstr(answer->result.warnings[i], "(waits_assumed)"))
            return true;
    return false;
}

TEST(every_reader)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct source *source;
        struct simulate_gpu_options whole = referee_options(1000);
        struct simulate_gpu_result *result;
        check_ok(source_open_trace(check_file(forms[i].file, forms[i].text), &source, &failure));
        OWNED(profile) *profile = check_profile(source, machine, false);
        OWNED(answer) *network = check_answer("network", machine, &profile->views[0]);
        OWNED(answer) *bound = check_answer("bottleneck", machine, &profile->views[0]);
        check_field(&profile->views[0].records[0], FIELD_WAITS_ASSUMED, forms[i].assumed);
        assert_int_equal(warns(network), forms[i].assumed > 0);
        assert_false(warns(bound)); /* it knows no waits */
        check_ok(simulate_gpu(machine, source, &whole, &result, &failure));
        assert_true(result->launches[0].assumes || forms[i].assumed == 0);
        simulate_gpu_result_destroy(result);
        source_destroy(source);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of Nsight Compute that cannot be read: every error has its place. */
#include "check.h"

#include "profile/files/ncu.h"

#define TEX "lts__t_sectors_srcunit_tex"
#define TABLE "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
#define WIDE "ID,Kernel Name," TEX ".sum,gpu__time_duration.sum\n"

TEST(test_errors)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "holds no table of Nsight Compute"},
        {"a,b\n1,2\n", "holds no table of Nsight Compute"},
        {"==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n",
         "gpu.csv:2:1: error: ncu failed and printed no table"},
        {"noise\nKernel Name,Metric Name,Metric Unit,Metric Value\n",
         "gpu.csv:2:1: error: the table has no column \"ID\""},
        {"ID,Metric Name,Metric Unit,Metric Value\n", "no column \"Kernel Name\""},
        {"ID,Kernel Name,Metric Name,Metric Value\n", "no column \"Metric Unit\""},
        {"ID,Kernel Name,Metric Name,Metric Unit\n", "no column \"Metric Value\""},
        {"ID,Kernel Name,Metric Unit,Metric Value\n", "it has ID, Kernel Name, Metric Unit"},
        {TABLE, "the table has no kernel launches"},
        {WIDE ",,sector,ns\n", "the table has no kernel launches"},
        {TABLE "0,k,sm__cycles_elapsed.max,cycle,7\n",
         "has no metric that a profile reads: it has sm__cycles_elapsed.max"},
        {TABLE "0,k,sm__cycles_elapsed.max,cycle,7\n",
         "--metrics gpu__time_duration.sum," TEX ".sum,"},
        {"ID,Kernel Name,sm__x.sum\n,,\n0,k,1\n", "it has sm__x.sum; expected " TEX ".sum"},
        {TABLE "0,k," TEX ".sum,sector,n/a\n", "every metric that a profile reads is n/a"},
        {TABLE "0,k," TEX ".sum,sector\n",
         "gpu.csv:2:1: error: this row has 4 cells, but the header has 5"},
        {TABLE "0,k," TEX ".sum,sec", "is the file cut off here?"},
        {TABLE "all done\n0,k," TEX ".sum,sector,1\n", "--log-file keeps"},
        {TABLE "0,\"k," TEX ".sum,sector,1\n", "gpu.csv:2:3: error: this quote is never closed"},
        {TABLE "0,\"k\"k," TEX ".sum,sector,1\n", "gpu.csv:2:6: error: expected a comma"},
        {TABLE "0,k\"," TEX ".sum,sector,1\n", "gpu.csv:2:4: error: a quote inside a cell"},
        {TABLE "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n",
         "gpu.csv:2:1: error: ID: expected the number of a kernel launch"},
        {TABLE "0,k," TEX ".sum,byte,1\n",
         "gpu.csv:2:36: error: " TEX ".sum: expected the unit sector"},
        {TABLE "0,k," TEX ".sum,K,1\n", "expected the unit sector, Ksector, Msector, got \"K\""},
        {TABLE "0,k,gpu__time_duration.sum,,1\n", "expected the unit nsecond"},
        {TABLE "0,k,gpu__time_duration.sum,cycle,1\n", "expected the unit nsecond"},
        {TABLE "0,k," TEX ".sum,sector,many\n",
         "gpu.csv:2:43: error: " TEX ".sum: expected a number"},
        {TABLE "0,k," TEX ".sum,sector,-1\n", "got \"-1\""},
        {TABLE "0,k," TEX ".sum,sector,0x10\n", "got \"0x10\""},
        {TABLE "0,k," TEX ".sum,sector,1e999\n", "got \"1e999\""},
        {TABLE "0,k," TEX ".sum,Tsector,1e300\n", "this number is too large"},
        {TABLE "0,k," TEX ".sum,sector,\"1,23\"\n", "LC_ALL=C"},
        {TABLE "0,k," TEX ".sum,sector,\"0,125\"\n", "LC_ALL=C"},
        {TABLE "0,k," TEX ".sum,sector,\"1.234,5\"\n", "LC_ALL=C"},
        {TABLE "0,k," TEX ".sum,sector,\"1,2345,678\"\n", "got \"1,2345,678\""},
        {TABLE "0,k," TEX ".sum,sector,\"1234,567\"\n", "got \"1234,567\""},
        {TABLE "0,k," TEX ".sum,sector,\",123\"\n", "got \",123\""},
        {TABLE "0,k,sm__other.pct,%,\"9,5\"\n0,k," TEX ".sum,sector,\"1,234\"\n",
         "gpu.csv:2:22: error: metric"},
        {"ID,Kernel Name,sm__other.pct," TEX ".sum\n,,%,sector\n0,k,\"9,5\",1\n",
         "gpu.csv:3:6: error: metric"},
        {TABLE "0,k," TEX ".sum,sector,1\n0,k," TEX ".sum,sector,2\n",
         "gpu.csv:3:43: error: " TEX ".sum has two values for launch 0"},
        {TABLE "0,k," TEX ".sum,sector,1\n1,k," TEX ".sum,sector,1\n0,k," TEX ".sum,sector,2\n",
         "gpu.csv:4:43: error: " TEX ".sum has two values for launch 0"},
        {TABLE "0,k," TEX ".sum,sector,1\n0,j,gpu__time_duration.sum,ns,1\n",
         "gpu.csv:3:3: error: this launch has another kernel name above"},
        {"ID,Kernel Name," TEX ".sum," TEX ".sum\n,,sector,sector\n0,k,1,2\n",
         "gpu.csv:3:7: error: " TEX ".sum has two values for launch 0"},
        {WIDE "0,k,1,2\n", "gpu.csv:2:1: error: expected the row of units"},
        {WIDE ",,sector,%\n", "gpu.csv:2:10: error: gpu__time_duration.sum: expected the unit"},
        {WIDE ",,sector,ns\n0,k,1\n", "gpu.csv:3:1: error: this row has 3 cells"},
        {TABLE "0,k,l1tex__t_sector_hit_rate.pct,%,104\n", "contradict each other"},
        {TABLE "0,k," TEX ".avg,sector,104\n0,k," TEX ".max,sector,100\n",
         "gpu.csv:2:43: error: " TEX ".avg is 1.04"},
        {TABLE "0,k," TEX "_lookup_miss.sum,sector,0\n0,k," TEX
               "_aperture_peer_lookup_miss.sum,sector,4\n",
         "contradict each other"},
        {"ID,Kernel Name,Grid Size," TEX ".sum\n,,,sector\n0,k,\"(a, 1, 1)\",1\n",
         "gpu.csv:3:6: error: expected sizes such as (256, 1, 1)"},
        {"ID,Kernel Name,Grid Size," TEX ".sum\n,,,sector\n0,k,\"(1, 0, 1)\",1\n",
         "expected sizes"},
        {"ID,Kernel Name,Grid Size," TEX ".sum\n,,,sector\n0,k,\"(1, 1, 1, 1)\",1\n",
         "expected sizes"},
        {"ID,Kernel Name,Block Size," TEX ".sum\n,,,sector\n0,k,99999999999,1\n", "expected sizes"},
    };
    struct profile *profile;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_error(ncu_parse("runs/gpu.csv", cases[i].text, strlen(cases[i].text), NULL, &profile,
                              &failure),
                    STATUS_INPUT, cases[i].words);
        assert_null(profile);
    }
    check_error(ncu_parse("x.csv", "ID\0x", 4, NULL, &profile, &failure), STATUS_INPUT, "NUL byte");
}

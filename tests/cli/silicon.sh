#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape validate silicon: files of measurements by machine and kind, what is predicted of them, what is wrong
# with them.
. tests/cli/common.sh.inc

data=$scratch/data
mkdir "$data"
rows() { "$binary" validate silicon --data "$data" --format csv >"$scratch/csv" 2>"$scratch/said"; }
# Field 9 of a row is predicted, 8 measured: the row that begins so is within a share of a figure.
near() { # row figure share
    awk -F, -v row="$1" -v want="$2" -v most="$3" 'index($0, row) == 1 { good = $9 / want > 1 - most && $9 / want < 1 + most }
        END { exit !good }' "$scratch/csv"
}

# A V100 has a line in L1 after 28 cycles and a quarter of issue, in its L2 after 212, in memory after 425.4; and what a
# sector takes of ports, slices and channels.
cat >"$data/v100-latency.csv" <<'T'
clock_mhz,working_set_kib,latency_cycles
1380,2,28.25
1380,512,212
1380,1048576,425.4
T
# All of 2048 threads an SM: bound by 900 GB/s of memory; by 2048 B of 1.38 GHz of the L2. Of triads a quarter are writes:
# for each 14 kB of them two turns of 60 ns, in which a channel moves 3375 B: 900 / (1 + 3375 / 56000). Of the
# 41 kB of reads in flight a channel 17 are on their idle way, and 24 wait for halves of batches of 2 kB: U / (1 - U) = 24.
cat >"$data/v100-occupancy.csv" <<'T'
block_threads,blocks_per_sm,threads,array_kib,occupancy_percent,read_gb_s,scale_gb_s,triad_gb_s,write_gb_s
1024,2,163840,1024,100,2826.24,2826.24,2826.24,2826.24
1024,2,163840,1048576,100,900,900,900,900
T
ok "measurements are read and predicted" rows
ok "a chase in L1" near v100,latency,chase,,2, 28.25 1e-6
ok "in the L2" near v100,latency,chase,,512, 212 0.02
ok "in memory" near v100,latency,chase,,1048576, 425.4 0.02
ok "reads of memory" near v100,occupancy,read,,1048576, 864 0.01
ok "writes of it" near v100,occupancy,write,,1048576, 900 0.01
ok "four arrays of the largest size" near v100,occupancy,triad,,4194304, 848.8 0.02
errors() { grep -q 'v100, latency: errors median [01].[0-9] %, 90th percentile [01].[0-9] % (3)' "$scratch/said"; }
ok "medians and percentiles are told" errors
table() { "$binary" validate silicon --data "$data" | grep -q '^v100  *latency  *chase  *2 .* 28.25 .* cycles  *-*0.00$'; }
ok "a table" table

printf 'clock_mhz,working_set_kib,latency_cycles\n1000,2,30\n' >"$data/abacus-latency.csv"
printf 'a\n1\n' >"$data/other.csv"
printf 'quantity,value,unit,how\n' >"$data/v100-inputs.csv"
unknown() {
    rows && grep -q 'abacus-latency.csv: there is no machine "abacus"' "$scratch/said" &&
        grep -q "other.csv: its name ends in no kind" "$scratch/said" && ! grep -q abacus "$scratch/csv" &&
        ! grep -q inputs "$scratch/said"
}
ok "a machine that is not known, and a file of no kind, are notes" unknown
printf 'kernel_name,problem_size,avg_ms\nsort,10,1\nrelu,1024,0.005\nrelu,1073741824,5\n' >"$data/mi300a-times.csv"
# 4 us of launch, 214 ns for the Infinity Cache, 101 for the L2 that acknowledges the write, 8 until the block's warps have
# begun, 44 for 23 instructions, 214 home with which it ends.
timed() {
    rows && grep -q 'mi300a-times.csv: there is no kernel "sort"' "$scratch/said" &&
        grep -q 'mi300a, times: 1 problems take more than 1e+06 accesses' "$scratch/said" &&
        near mi300a,times,relu,1024, 0.00458 0.01
}
ok "kernels: one that is not known, one that is too large, one that is predicted" timed

wrong() { # name words text
    rm -f "$data"/*
    printf "$3" >"$data/v100-latency.csv"
    fails "$1" "$2" "$binary" validate silicon --data "$data"
}
wrong "a column that is missing" latency_cycles 'clock_mhz,working_set_kib\n1380,2\n'
wrong "not a number" "v100-latency.csv:2:8" 'clock_mhz,working_set_kib,latency_cycles\n1380,2,nan\n'
wrong "a row that was cut" "v100-latency.csv:3" 'clock_mhz,working_set_kib,latency_cycles\n1380,2,28\n1380,4\n'
wrong "no bytes" "expected a positive number" 'clock_mhz,working_set_kib,latency_cycles\n1380,0,28\n'
rm -f "$data"/*
fails "nothing there" "no files of measurements" "$binary" validate silicon --data "$data"
fails "no folder" "is not a folder" "$binary" validate silicon --data "$data/none"
fails "other validations read none" "--data has no effect on sac" "$binary" validate sac --data "$data"
finish

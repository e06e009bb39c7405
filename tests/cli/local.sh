#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Local memory and bulk copies of traces, from the file to profiles and simulations.
. tests/cli/common.sh.inc

cd "$scratch" || exit 1
# 64 blocks of a warp: a copy of 2 KiB in that its warp waits for, a spill of 8 bytes a thread and its fill.
awk 'BEGIN {
    print "-kernel name = spill\n-grid dim = (64,1,1)\n-block dim = (32,1,1)\n-shmem base_addr = 0x00007f0002000000"
    print "-local mem base_addr = 0x00007f0000000000\n-accelsim tracer version = 6\n-enable lineinfo = 0\n#"
    for (c = 0; c < 64; c++) {
        printf "#BEGIN_TB\nthread block = %d,0,0\ncluster id = %d,0,0\nwarp = 0\ninsts = 6\n", c, c
        printf "0 1 0 UBLKCP.S.G 2 UR4 UR8 128 0x400 0 2048 0 4 0x%x 16", 268435456 + 2048 * c
        for (i = 1; i < 16; i++)
            printf " 128"
        print " 0 0 NoVal"
        print "1 1 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 UR4 R3 8 1 0x400 0 0 0 NoVal"
        print "2 ffffffff 0 STL.64 2 R1 R4 8 1 0xfffff8 0 0 0 NoVal"
        print "3 ffffffff 1 R4 LDL.64 1 R1 8 1 0xfffff8 0 0 0 NoVal"
        print "4 ffffffff 1 R8 FADD 2 R4 R5 0 0 0 NoVal\n5 1 0 EXIT 0 0 0 0 NoVal\n#END_TB"
    }
}' >spill.traceg

"$binary" trace info spill.traceg >out 2>err
report $? "trace info"
grep -q '^to local memory: 32 KiB, up to 8 B a thread' out && grep -q '^by bulk copies (TMA): 128 KiB' out
report $? "says the bytes of both"
[ ! -s err ]
report $? "leaves nothing out"
"$binary" trace info --format csv spill.traceg >out 2>err
grep -q '^spill,1,spill,64,.*,384,384,.*,163840,.*,32768,131072$' out
report $? "CSV has both"

for form in btrace bstream; do
    "$binary" trace convert spill.traceg -o "kept.$form" 2>err && "$binary" trace convert "kept.$form" -o - >two 2>err &&
        "$binary" trace convert spill.traceg -o - 2>err | cmp - two
    report $? "$form keeps both"
    "$binary" profile "kept.$form" -m sac -o kept.yaml >out 2>err && "$binary" profile spill.traceg -m sac -o first.yaml >out 2>err &&
        grep -v 'spill\|kept\|hash\|sealed' kept.yaml >two && grep -v 'spill\|kept\|hash\|sealed' first.yaml | cmp - two
    report $? "and gives the same profile"
done

# 16 lines a copy, 2 rows a spill and 2 a fill, in 64 blocks: 1280 requests of 4 sectors, of which 128 fill from
# what spills left in the LLC.
grep -q 'sector_accesses: 5120$' first.yaml && grep -q 'local_bytes: 32768$' first.yaml && grep -q 'bulk_bytes: 131072$' first.yaml
report $? "a profile counts both"
simulated() { # words settings...
    words=$1
    shift
    "$binary" simulate -m sac --workload spill.traceg -O memory-side "$@" >out 2>err
    grep -q "^spill  *memory-side .* $words " out
}
simulated '1280    0.0 %    10.0 %'
report $? "a simulation makes the same requests"
simulated '1024        -     0.0 %' --set trace.local=off
report $? "without local memory copies are left"
"$binary" profile spill.traceg -m sac --set trace.local=off -o off.yaml >out 2>err &&
    grep -q 'sector_accesses: 4096$' off.yaml && grep -q 'local_bytes: 0$' off.yaml && grep -q ' warp_instructions: 384$' off.yaml
report $? "in profiles as well, with all instructions"
fails "another word" 'trace.local' "$binary" profile spill.traceg -m sac --set trace.local=maybe -o never.yaml

# Slots are used again: of 4096 blocks no more rows are touched than SMs hold warps at once, and all of an SM by itself.
{
    echo 'bandscape-trace 1'
    echo 'kernel k grid=4096 block=1024'
    awk 'BEGIN { for (c = 0; c < 4096; c++) printf "r 0x0 4 stride=4 local insts=1 cta=%d\n", c }'
} >many.btrace
"$binary" profile many.btrace -m sac -o many.yaml >out 2>err
grep -q 'pages by SMs that touch them: 1 SM: 512, 2-10 SMs: 0' out && grep -q 'footprint 0.0655 MB' out
report $? "places are used again, by their SM alone"

sed 's/ 4 0x10000000 16 / 4 0x10000000 /' spill.traceg >bad.traceg
fails "a copy without its number" 'an address difference for each piece' "$binary" trace info bad.traceg
head -c 700 spill.traceg >cut.traceg
fails "a trace that is cut" 'cut.traceg' "$binary" trace info cut.traceg
finish

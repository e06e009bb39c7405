#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of shipped machines and workloads without the options: the same question, the same answer.
. tests/cli/common.sh.inc

# That the second half of the arguments, behind "as", answers with the same bytes.
same() {
    "$binary" $1 >"$scratch/named" && "$binary" $2 >"$scratch/spelled" && cmp "$scratch/named" "$scratch/spelled"
}
ok "whatif" same "whatif sac gemm:input=small" "whatif --machine sac --workload gemm:input=small"
ok "whatif, in any order, two workloads, settings" \
    same "whatif gemm:input=small -s inter.link_bandwidth=x2 sac bfs:input=small" \
    "whatif -m sac -w gemm:input=small -w bfs:input=small -s inter.link_bandwidth=x2"
ok "one by its option" same "why sac -w gemm:input=small" "why -m sac -w gemm:input=small"
ok "goal" same "goal sac gemm:input=small --model bottleneck --vary inter.link_bandwidth=48..768GB/s --reach effective_bandwidth>=1TB/s" \
    "goal -m sac -w gemm:input=small --model bottleneck --vary inter.link_bandwidth=48..768GB/s --reach effective_bandwidth>=1TB/s"
ok "simulate" same "simulate sac gemm:input=small" "simulate -m sac -w gemm:input=small"

# A name that were both would be taken for the machine, without a word.
apart() {
    for kind in machines workloads; do
        "$binary" list $kind | awk 'NR > 2 { print $1 }' | sort >"$scratch/$kind"
        [ "$(wc -l <"$scratch/$kind")" -gt 20 ] || return 1
    done
    [ -z "$(comm -12 "$scratch/machines" "$scratch/workloads")" ]
}
ok "no machine has the name of a workload" apart
completes() {
    [ "$("$binary" help --complete -- why uba-mc)" = uba-mcm ] && [ "$("$binary" help --complete -- why sac streamc)" = streamcluster ]
}
ok "they complete" completes
helps() {
    for command in flip goal sensitivity simulate whatif why; do
        "$binary" help $command | grep -q "^Shipped machines and workloads need no option: bandscape $command sac bfs$" || { echo "$command"; return 1; }
    done
    ! "$binary" help compare | grep -q "need no option" && ! "$binary" help sweep | grep -q "need no option"
}
ok "helps say so" helps

# In the shell a name stands in front of the session's, and keeps what else the session has.
session() {
    printf 'machine sac\nworkload bfs:input=small\nset inter.link_bandwidth *2\nwhy gemm:input=small --model bottleneck\nwhy mcm --model bottleneck\n' |
        "$binary" shell >"$scratch/shell" 2>&1 || { cat "$scratch/shell"; return 1; }
    grep -q '^gemm on sac.* reaches' "$scratch/shell" && grep -q '^bfs on mcm.* reaches' "$scratch/shell" &&
        grep -q 'inter.link_bandwidth 192 GB/s' "$scratch/shell"
}
ok "in the shell" session

fails "a name alone, the machine missing" "machine" "$binary" why gemm:input=small
fails "settings that are none" 'expected key=value in "gemm:foo"' "$binary" why sac gemm:foo
finish

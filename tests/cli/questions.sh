#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape compare, goal, sensitivity: answers against whatif and hand calculation, errors.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .

# --- compare
ok "machines side by side" "$binary" compare sac sac-2chip -w gemm:input=small --format csv
cp out side.csv
same() { # machine: what whatif says
    "$binary" whatif -m "$1" -w gemm:input=small --model network -o memory-side --format json |
        awk -F: '/"effective_bandwidth"/ { print $2 + 0; exit }' >want
    awk -F, -v m="$1" '$2 == m { print $4 + 0 }' side.csv >got
    [ -s want ] && cmp want got
}
ok "as whatif says" same sac
ok "of the other, too" same sac-2chip
ok "the first one's speed-up is 1" grep -q '^gemm,sac,network,.*,1,' side.csv
refused() {
    "$binary" compare sac a100 --model eab -w gemm:input=small >table &&
        grep -qE '^gemm  *a100  *- .*refused$' table && grep -q 'gemm on a100: model eab: it does not know' table
}
ok "a model that refuses one leaves its row empty" refused
fails "one that refuses all" "no machine has an answer: gemm on a100: model eab: it does not know" \
    "$binary" compare a100 h100 --model eab -w gemm:input=small
means() { "$binary" compare sac sac-2chip -w gemm:input=small -w nn:input=small | grep -q '^speed-up over sac, 2 workloads$'; }
ok "means over workloads" means
own() { # settings of its own, beside those of all
    "$binary" whatif -m sac -w gemm:input=small --model network -o memory-side -s llc.capacity=8MiB -s inter.link_bandwidth=384GB/s --format json |
        awk -F: '/"effective_bandwidth"/ { print $2 + 0; exit }' >want
    "$binary" compare sac "sac:inter.link_bandwidth=384 GB/s" -s llc.capacity=8MiB -w gemm:input=small --format csv |
        awk -F, '$2 == "sac:inter.link_bandwidth=384 GB/s" { print $4 + 0 }' >got
    [ -s want ] && cmp want got
}
ok "a machine with settings of its own" own
fails "one that it does not know" 'sac:llc.capcity=8MiB: there is no parameter "llc.capcity"' "$binary" compare sac sac:llc.capcity=8MiB -w gemm:input=small
fails "one that cannot be" "sac:llc.capacity=1B: " "$binary" compare sac sac:llc.capacity=1B -w gemm:input=small
fails "one machine" "two machines or more" "$binary" compare sac -w gemm
fails "no workload" "compare needs a workload" "$binary" compare sac nuba
fails "an unknown machine" 'did you mean "sac"?' "$binary" compare sac sax -w gemm
fails "a setting that one does not know" "p2p" "$binary" compare nuba sac -s p2p.latency=1ns -w gemm:input=small

# --- goal: the bottleneck of the hand-made profile is the links, 1.152 TB/s at 96 GB/s
goal() { "$binary" goal -m sac -w hand.profile.yaml --model bottleneck "$@" --format csv; }
least() {
    goal --vary inter.link_bandwidth=48..768GB/s --reach "effective_bandwidth >= 1.152 TB/s" >goal.csv &&
        awk -F, 'NR == 2 { exit !($3 == "no") } NR == 3 { exit !($3 == "yes" && $1 / 96e9 > 0.999 && $1 / 96e9 < 1.001) }' goal.csv &&
        [ "$(wc -l <goal.csv)" = 3 ]
}
ok "the least bandwidth that is enough" least
sentence() {
    "$binary" goal -m sac -w hand.profile.yaml --model bottleneck --vary inter.link_bandwidth=48..768GB/s \
        --reach "effective_bandwidth < 1.152 TB/s" | grep -q '^The most inter.link_bandwidth with effective_bandwidth < 1.152 TB/s: 96 GB/s.$'
}
ok "and the most, in words" sentence
nowhere() { goal --vary llc.bandwidth=1..8TB/s --reach "effective_bandwidth > 100 TB/s" | grep -q '^1e+12,8e+12,no$'; }
ok "what holds nowhere" nowhere
# Conditions may be of the machine alone.
total() { goal --vary memory.bandwidth=100..800GB/s --reach "total.memory_bandwidth >= 2 TB/s" | awk -F, 'NR == 3 { d = $1 / 5e11 - 1; exit !(d < 1e-3 && -d < 1e-3) }'; }
ok "a condition of the machine" total
count() { goal --vary memory.channels=1..16 --reach "memory.channels >= 4.5" | grep -q '^5,16,yes$'; }
ok "whole numbers" count
between() {
    "$binary" goal -m sac -w lud:input=small --vary inter.link_bandwidth=10..768GB/s --between memory-side,sm-side --format csv >flip.csv &&
        [ "$(wc -l <flip.csv)" -ge 2 ] && grep -qE ',(memory|sm)-side$' flip.csv
}
ok "where one organisation overtakes another" between
organisation() { # that -o says what --set llc.organisation does: twice the bandwidth of these links
    goal -o sm-side --vary inter.link_bandwidth=24..768GB/s --reach "effective_bandwidth >= 1.152 TB/s" >goal.csv &&
        awk -F, 'NR == 3 { exit !($3 == "yes" && $1 / 48e9 > 0.99 && $1 / 48e9 < 1.01) }' goal.csv || return 1
    "$binary" why -m sac -w hand.profile.yaml --model bottleneck -o sm-side | sed 1q | grep -q 'sm-side' || return 1
    "$binary" sensitivity -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth -o sm-side |
        sed 1q | grep -q ': 2.304 TB/s;'
}
ok "of an organisation" organisation
fails "of two organisations" "organisation" "$binary" goal -m sac -w hand.profile.yaml -o sm-side -o memory-side \
    --vary llc.bandwidth=1..2TB/s --reach "effective_bandwidth > 3 TB/s"
fails "a model that refuses the machine" "no value of llc.bandwidth has an answer: model eab: it does not know" \
    "$binary" goal -m a100 -w gemm:input=small --model eab --vary llc.bandwidth=1..2TB/s --reach "effective_bandwidth > 3 TB/s"
fails "of what the profile does not know" "no value of llc.bandwidth has an answer: what is asked for is not known there" \
    "$binary" goal -m sac -w hand.profile.yaml --model eab --vary llc.bandwidth=1..2TB/s --between sm-side,memory-side
fails "neither condition" "one of --reach and --between" "$binary" goal -m sac -w hand.profile.yaml --vary chips=1..4
fails "no comparison" "a comparison, not" "$binary" goal -m sac -w hand.profile.yaml --vary llc.bandwidth=1..2TB/s --reach 3
fails "a metric with its model's name" '--reach "kernel_time ..." --model eab' \
    "$binary" goal -m sac -w hand.profile.yaml --vary llc.bandwidth=1..2TB/s --reach "eab.kernel_time < 1 ms"
fails "a number without its unit" "write the number with its unit" \
    "$binary" goal -m sac -w hand.profile.yaml --model eab --vary llc.bandwidth=1..2TB/s --reach "effective_bandwidth > 3"
fails "unlike units" "bytes/s is compared with bytes" "$binary" goal -m sac -w hand.profile.yaml --model eab \
    --vary llc.bandwidth=1..2TB/s --reach "effective_bandwidth > 3 TB"
fails "a metric that it has not" 'did you mean "effective_bandwidth"?' "$binary" goal -m sac -w hand.profile.yaml --model eab \
    --vary llc.bandwidth=1..2TB/s --reach "effective_bandwith > 3 TB/s"
fails "a parameter that there is not" 'did you mean "llc.bandwidth"?' "$binary" goal -m sac -w hand.profile.yaml \
    --model eab --vary llc.bandwith=1..2TB/s --reach "effective_bandwidth > 3 TB/s"
fails "an empty range" "the range is empty" "$binary" goal -m sac -w hand.profile.yaml --model eab --vary llc.bandwidth=2..1TB/s \
    --reach "effective_bandwidth > 3 TB/s"
fails "no range" "expected PATH=LOW..HIGH" "$binary" goal -m sac -w hand.profile.yaml --model eab --vary llc.bandwidth=2TB/s \
    --reach "effective_bandwidth > 3 TB/s"
fails "a name" "is a name, not a number" "$binary" goal -m sac -w hand.profile.yaml --model eab --vary inter.topology=1..2 \
    --reach "effective_bandwidth > 3 TB/s"
fails "a unit that is none of its" "memory.bandwidth" "$binary" goal -m sac -w hand.profile.yaml --model eab \
    --vary memory.bandwidth=1..2ns --reach "effective_bandwidth > 3 TB/s"

# --- sensitivity
links() {
    "$binary" sensitivity -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --format csv >s.csv &&
        sed -n 2p s.csv | awk -F, '{ exit !($1 == "inter.link_bandwidth" && $3 > 0.9999 && $3 < 1.0001 && $5 > 0.1999 && $5 < 0.2001) }'
}
ok "the links, in proportion" links
by() { "$binary" sensitivity -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --by 50% | grep -q 'with each parameter 50 % less and more'; }
ok "by another step" by
fails "a step of nothing" "a share between 0 and 1" "$binary" sensitivity -m sac -w hand.profile.yaml --by 0
fails "no time without bytes" "effective_bandwidth" "$binary" sensitivity -m sac -w hand.profile.yaml --model bottleneck
fails "two workloads" "takes one workload" "$binary" sensitivity -m sac -w hand.profile.yaml -w gemm:input=small
finish

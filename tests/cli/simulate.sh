#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape simulate, sweep --confirm, validate referee: output, agreement with each other, errors.
. tests/cli/common.sh.inc
lazowska=$top/tests/data/lazowska.network.yaml
cd "$scratch" || exit 1

prints() { # name words command...: its output, blanks and line ends aside, contains the words
    name=$1 words=$2
    shift 2
    "$@" >out 2>err && tr -d ' \n' <out | grep -qF -- "$words"
    report $? "$name"
}
simulate() { "$binary" simulate "$@"; }

# --- a queueing network
prints "a table" "+-" simulate "$lazowska" --requests 5000
prints "JSON" '{"seed":3,"requests":5000,"warm_up":500,"confidence":0.99' \
    simulate "$lazowska" --requests 5000 --seed 3 --confidence 99% --format json
inside() { # the exact throughput lies in the interval
    simulate "$lazowska" --confidence 0.999 --format json >json &&
        awk '/"mean":/ && !m { gsub(/[^0-9.e-]/, "", $2); m = $2 }
             /"half_width":/ && !h { gsub(/[^0-9.e-]/, "", $2); h = $2 }
             END { d = m - 0.1515164923; if (d < 0) d = -d; exit !(d <= h && h < 0.01) }' json
}
ok "the exact throughput is in the interval" inside
same() { simulate "$lazowska" --requests 5000 >a && simulate "$lazowska" --requests 5000 >b && cmp a b; }
ok "a seed gives the same bytes" same

# --- a machine: one SM, 1 ns an instruction, 10 ns of L1, 5 of a crossbar, 1 + 20 of a slice,
# 4 + 100 of memory, 2 + 5 back.
cat >small.yaml <<'END'
machine: small
chips: 1
line: 128 B
sm:     {per_chip: 1, clock: 1 GHz, warps: 64}
l1:     {capacity: 16 KiB, ways: 4, latency: 10 ns}
llc:    {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1, bandwidth: 128 GB/s, latency: 20 ns}
noc:    {bandwidth: 64 GB/s, latency: 5 ns}
memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}
END
printf 'bandscape-trace 1\nr 0x1000 4\n' >one.btrace
takes() { # nanoseconds options...
    want=$1
    shift
    simulate -m small.yaml -w one.btrace --format json "$@" >json &&
        awk -v want="$want" '$1 == "\"kernel_time\":" { t = $2 * 1e9 }
            END { exit !(t > want - 1e-6 && t < want + 1e-6) }' json
}
ok "a read by hand" takes 148
ok "all hits" takes 44 --hit llc=1
ok "in L1" takes 11 --hit l1=100%
ok "a faster memory" takes 146 --set memory.bandwidth=64GB/s
prints "where data come from" "localmemory100.0%" simulate -m small.yaml -w one.btrace
prints "organisations" "sm-side" simulate -m "$top/models/sac/sac.yaml" -w bfs:input=small \
    --organisation memory-side --organisation sm-side
prints "sac follows its model" '"organisation":"sac"' simulate -m "$top/models/sac/sac.yaml" \
    -w bfs:input=small --organisation sac --format json
prints "a run that is cut says so" '"whole":false' simulate -m small.yaml -w stencil:input=small \
    --requests 500 --warm-up 100 --format json
told() { simulate -m small.yaml -w stencil:input=small --requests 500 2>&1 >json | grep -q "stopped after 500 requests"; }
ok "on the standard error too" told

drawn() { # seeds 1, 2 and 3 by themselves and together
    for seed in 1 2 3; do
        simulate -m sac -w pagerank:input=small --seed $seed --format json | sed -n 's/.*"kernel_time": //p'
    done | tr -d , | awk '{ t += $1; if (NR == 1 || $1 < least) least = $1; if ($1 > most) most = $1 }
                          END { printf "%.9g %.9g %.9g\n", t / NR, least, most }' >alone
    simulate -m sac -w pagerank:input=small --draws 3 --format json >json &&
        tr -d , <json | awk '$1 == "\"kernel_time\":" { t = $2 } $1 == "\"least_time\":" { least = $2 }
             $1 == "\"most_time\":" { most = $2 } END { printf "%.9g %.9g %.9g\n", t, least, most }' | cmp - alone &&
        awk '{ exit !($3 > 1.2 * $2) }' alone && grep -q '"draws": 3' json
}
ok "draws of who is first" drawn

fails "no workload" "simulate needs a workload" simulate -m small.yaml
fails "nothing at all" "expected a machine and a workload, or one file" simulate
fails "both forms" "expected a machine and a workload, or one file" simulate -m small.yaml "$lazowska"
fails "a rate beyond 1" "expected l1=RATE or llc=RATE" simulate -m small.yaml -w one.btrace --hit llc=2
fails "a level twice" "--hit: l1 is given twice" simulate -m small.yaml -w one.btrace --hit l1=1 --hit l1=0
fails "an unknown level" "expected l1=RATE or llc=RATE" simulate -m small.yaml -w one.btrace --hit l3=1
fails "a confidence of 1" "a number between 0 and 1" simulate "$lazowska" --confidence 1
fails "a machine's seed of 0" "--seed: expected a whole number from 1" simulate -m small.yaml -w one.btrace --seed 0
fails "draws of a network" "--draws has no effect on a queueing network" simulate "$lazowska" --draws 2
fails "a warm-up of all there is" "leaves none to count: there are 1" simulate -m small.yaml -w one.btrace --warm-up 5
fails "a seed beyond the generator's" "from 0 to 4294967295" simulate "$lazowska" --seed 4294967296
printf 'network: {classes: [{name: c, population: 1000000000}], stations: [{name: s, demand: 1}]}\n' >crowd.yaml
fails "more customers than memory" "1e+09 customers are too many to simulate" simulate crowd.yaml
fails "a setting of a network" "--set has no effect on a queueing network" simulate "$lazowska" --set chips=2
fails "the organisation twice" "say the same" simulate -m small.yaml -w one.btrace \
    --organisation sm-side --set llc.organisation=sm-side
fails "what the organisation sets" "llc.side has no effect: the organisation sets it" simulate \
    -m small.yaml -w one.btrace --set llc.side=requester
fails "a setting of a model" "network.lattice has no effect on a simulation" simulate -m small.yaml \
    -w one.btrace --set network.lattice=100
fails "one of a model that does not choose" "eab.hop_aware has no effect" simulate -m sac \
    -w one.btrace --set eab.hop_aware=1
fails "what only a model reads of L1 nodes" "dcl1.noc_groups has no effect on a simulation" simulate \
    -m small.yaml -w one.btrace --set dcl1.noc_groups=4
ok "what a plug-in says of the machine" simulate -m small.yaml -w one.btrace --set dcl1.flit=16B \
    --set bottleneck.invalidation=16B
ok "which another organisation follows" simulate -m sac -w one.btrace -o sac --set eab.hop_aware=1
fails "numbers have no requests" "its source is needed" simulate -m "$top/models/sac/sac.yaml" \
    -w "$top/tests/data/hand.profile.yaml"
sed 's/latency: 100 ns/latency: 100 nm/' small.yaml >bad.yaml
fails "a machine's error has its place" "bad.yaml:8:" simulate -m bad.yaml -w one.btrace
printf 'bandscape-trace 1\nkernel k block=4096\nr 0x1000 4\n' >wide.btrace
fails "a block that does not fit" "does not fit on an SM" simulate -m small.yaml -w wide.btrace

# --- confirm
cat >space.yaml <<'END'
space: memories
machine: small.yaml
workloads: [stencil:input=small]
models: [bottleneck]
axes:
  memory.bandwidth: {values: [8, 16, 32], unit: GB/s}
  llc.bandwidth: {values: [64, 128], unit: GB/s}
set: {noc.bandwidth: "memory.bandwidth * 2"}
objectives: [{maximise: effective_bandwidth}]
rank: {by: effective_bandwidth}
END
sweep() { "$binary" sweep space.yaml --no-plots "$@"; }
prints "confirmed points" "simulated,5000requestsatmost" sweep --confirm 2 --requests 5000 -o one
short() { sweep --confirm 1 --requests 20 -o short >told && grep -q " - " told && ! grep -q nan told; }
ok "a run too short for an interval has none" short
ok "a row a point" test "$(wc -l <one/confirm.csv)" = 3
ok "its axes in it" grep -q '^1,[^,]*,[^,]*,stencil,' one/confirm.csv
threads() { sweep --confirm 3 --requests 5000 -j 1 -o two && sweep --confirm 3 --requests 5000 -j 2 -o three &&
    cmp two/confirm.csv three/confirm.csv; }
ok "the same for any number of threads" threads
tied() { # the simulated machine has the tie: 32 GB/s of memory, 64 of the crossbar
    simulate -m small.yaml -w stencil:input=small --requests 5000 --set noc.bandwidth=64GB/s \
        --format json >json
    want=$(sed -n 's/.*"effective_bandwidth": \([0-9.e+]*\),*$/\1/p' json)
    grep -qF -- "$want" two/confirm.csv
}
ok "it is the machine of simulate" tied
cat >sizes.yaml <<'END'
space: sizes
machine: small.yaml
workloads: [stencil:input=small]
models: [bottleneck]
axes: {workload.size: [x1/4, x1]}
END
sized() { # the size of each point, not the first one
    "$binary" sweep sizes.yaml --no-plots --confirm 2 --requests 5000 -o five || return 1
    for size in x1/4 x1; do
        simulate -m small.yaml -w "stencil:input=small,size=$size" --requests 5000 --format json >json
        want=$(sed -n 's/.*"effective_bandwidth": \([0-9.e+]*\),*$/\1/p' json)
        grep -q -- "^[12],$size,stencil,$want," five/confirm.csv || return 1
    done
}
ok "and the workload of its size" sized
whole() { # its error is that of the kernel time, as in validate referee
    sweep --confirm 1 --requests 10000000 -o six | grep -q "errors of whole runs: over the kernel time" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 NR == 2 { e = $at["referee.kernel_time"] / $at["bottleneck.kernel_time"] - 1
                           d = e - $at["bottleneck.error"]; exit !(d < 1e-9 && d > -1e-9) }' six/confirm.csv
}
ok "the error of a whole run is over its kernel time" whole
fails "confirm nothing" "--confirm: expected a whole number from 1" sweep --confirm 0 -o four
fails "requests of nothing" "no effect without --confirm" sweep --requests 10 -o four
fails "confirm numbers" "--confirm: the source of workload" "$binary" sweep space.yaml --no-plots \
    -w "$top/tests/data/hand.profile.yaml" --confirm 1 -o four

# --- validate referee
if [ "${BANDSCAPE_LONG:-}" = 1 ]; then
    ok "validate referee" "$binary" validate referee --workload bfs --format csv
    ok "twenty machines and more" test "$(cut -d, -f1,2 "$scratch/out" | sort -u | wc -l)" -gt 20
else
    skip "validate referee" "a minute: with BANDSCAPE_LONG=1"
fi
ok "it is listed" sh -c '"$1" list validations | grep -q "^referee"' - "$binary"
fails "it takes no machine" "--machine has no effect on referee" "$binary" validate referee -m sac
fails "all of another one" "--all has no effect on sampling" "$binary" validate sampling --all
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ctrl-C is answered at once, wherever it comes, and what takes long is asked about.
. tests/cli/common.sh.inc

# interrupted NAME WORDS SECONDS command...: SIGINT once the command has said WORDS (on stderr;
# "" at once) and SECONDS have passed; it has to end with 130 and one error. A minute is given
# so that the test ends where the program hangs, whatever else the machine is doing.
patience=600
interrupted() {
    name=$1 words=$2 seconds=$3
    shift 3
    : >"$scratch/err"
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
    job=$!
    tries=0
    while [ -n "$words" ] && ! grep -qF -- "$words" "$scratch/err" && [ $tries -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep "$seconds"
    kill -INT $job
    tries=0
    while kill -0 $job 2>/dev/null && [ $tries -lt $patience ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ $tries -lt $patience ] || kill -KILL $job
    wait $job
    status=$?
    good=0
    [ $status = 130 ] || { good=1; echo "# exit status $status after $tries tenths of a second" >>"$scratch/err"; }
    [ "$(grep -c 'error: .*interrupted' "$scratch/err")" = 1 ] || good=1
    cp "$scratch/err" "$scratch/said"
    report $good "$name"
}

cat >"$scratch/huge.yaml" <<'Y'
space: huge
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32"]
models: [eab]
axes:
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 100000}
  llc.capacity: {from: 1 MiB, to: 512 MiB, points: 100000}
  memory.bandwidth: {from: 100 GB/s, to: 900 GB/s, points: 100000}
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
Y
interrupted "a sweep of 10^15 points" "evaluating" 0.3 \
    "$binary" sweep "$scratch/huge.yaml" --yes --no-plots -o "$scratch/huge"
ok "nothing was written" test ! -e "$scratch/huge"
sed 's/^objectives/where: ["inter.link_bandwidth > 1 TB\/s"]\nobjectives/' "$scratch/huge.yaml" >"$scratch/none.yaml"
interrupted "one whose points are all rejected" "evaluating" 0.3 \
    "$binary" sweep "$scratch/none.yaml" --yes --no-plots -o "$scratch/none"

cat >"$scratch/network.yaml" <<'Y'
space: network
machine: sac
workloads: ["gemm:input=small", "bfs:input=small", "mvt:input=small", "stencil:input=small"]
models: [network]
axes:
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 10000}
  memory.bandwidth: {from: 100 GB/s, to: 900 GB/s, points: 10000}
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
Y
interrupted "a sweep of queueing networks" "evaluating" 0.3 \
    "$binary" sweep "$scratch/network.yaml" --yes --no-plots -o "$scratch/network"

cat >"$scratch/structures.yaml" <<'Y'
space: structures
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32"]
models: [eab]
axes:
  llc.organisation: [memory-side, sm-side, sac]
  cta.policy: [distributed, centralised, "batched:2", "batched:3", "batched:4", "batched:5"]
  page.size: {values: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], unit: KiB}
  chips: {values: [2, 4, 8]}
  llc.slices: {values: [1, 2, 4, 8, 16, 32, 64]}
  sm.warps: {values: [8, 16, 24, 32, 40, 48, 56, 64]}
  sm.ctas: {values: [1, 2, 3, 4, 5, 6, 7, 8]}
objectives: [{maximise: effective_bandwidth}, {minimise: llc.slices}]
Y
interrupted "a space of half a million structures" "" 0.3 \
    "$binary" sweep "$scratch/structures.yaml" --yes --no-plots -o "$scratch/structures"

# Off a terminal nobody can be asked: what takes more than 10 minutes needs --yes.
fails "10^15 points need --yes" "1000000000000000 points are a great many" \
    timeout 60 "$binary" sweep "$scratch/huge.yaml" --no-plots -o "$scratch/huge"
fails "10^8 networks take long, which is measured" " and nobody can be asked whether to go on" \
    timeout 60 "$binary" sweep "$scratch/network.yaml" --no-plots -o "$scratch/network"
sed 's/points: 10000}/points: 30}/; s/\[network\]/[eab]/' "$scratch/network.yaml" >"$scratch/short.yaml"
short() {
    "$binary" sweep "$scratch/short.yaml" --no-plots -o "$scratch/short" 2>"$scratch/said" &&
        grep -q 'evaluating 900 points x 4 workloads takes less than 10 s' "$scratch/said"
}
ok "a short sweep needs nothing and says that it is short" short

awk 'BEGIN { printf "network: ["; for (i = 0; i < 4000000; i++) printf "%d,\n", i; print "1]" }' >"$scratch/large.yaml"
interrupted "a large YAML file" "" 0.3 "$binary" network "$scratch/large.yaml"

cat >"$scratch/lattice.yaml" <<'Y'
network:
  classes: [{name: a, population: 200}, {name: b, population: 200}, {name: c, population: 10}]
  stations:
    - {name: s, demand: [0.5, 0.25, 0.125]}
    - {name: m, kind: multi, servers: 3, demand: [0.25, 0.5, 1]}
Y
interrupted "a convolution" "" 0.3 "$binary" network "$scratch/lattice.yaml"
{
    echo "network:"
    echo "  classes: [{name: a, population: 1000}, {name: b, population: 1000}, {name: c, population: 40}]"
    echo "  stations:"
    for k in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "    - {name: s$k, demand: [0.$k, 0.2$k, 0.1]}"; done
} >"$scratch/mva.yaml"
interrupted "exact mean value analysis" "" 0.3 "$binary" network "$scratch/mva.yaml"

interrupted "a graph of 160 million edges" "" 0.3 \
    "$binary" whatif --machine sac --workload bfs:nodes=20000000,generator=rmat,degree=16

mkfifo "$scratch/pipe"
exec 9<>"$scratch/pipe" # somebody who says nothing
interrupted "reading from a pipe" "" 0.3 "$binary" pareto "$scratch/pipe" --minimise a --minimise b
exec 9>&-
awk 'BEGIN { srand(1); print "a,b,c,d,e"; for (i = 0; i < 20000; i++) {
    s = 0; for (k = 0; k < 5; k++) s += x[k] = -log(1 - rand()); for (k = 0; k < 5; k++) printf "%.9g%s", x[k] / s, k < 4 ? "," : "\n" } }' >"$scratch/front.csv"
interrupted "a hypervolume" "" 0.3 "$binary" pareto "$scratch/front.csv" --minimise a --minimise b \
    --minimise c --minimise d --minimise e --hypervolume 1,1,1,1,1

# What is kept is said, and what is not is not.
interrupted "profiling without the cache" "" 2 "$binary" profile gemm:ni=4096,nj=4096,nk=4096 -m sac --no-cache -o "$scratch/profile.yaml"
ok "keeps nothing, and says so" sh -c 'grep -q "interrupted while profiling" "$1" && ! grep -q cached "$1"' - "$scratch/said"
interrupted "profiling with it" "" 2 "$binary" profile gemm:ni=4096,nj=4096,nk=4096 -m sac -o "$scratch/profile.yaml"
ok "says that it goes on" grep -q 'finished views are cached' "$scratch/said"
interrupted "profiling for an answer" "" 2 "$binary" whatif -w gemm:ni=4096,nj=4096,nk=4096 -m sac
ok "says what is sooner done" grep -q 'finished views are cached.*size=x1/16' "$scratch/said"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cache levels with names of their own: three between L1 and the LLC are profiled, asked,
# simulated and swept; levels of small scopes come first; mistakes are named.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

prints() { # name words command...
    name=$1 words=$2
    shift 2
    "$@" >out 2>err
    grep -qF -- "$words" out
    report $? "$name"
}

cat >three.yaml <<'END'
machine: three
base: mcm
near: {scope: chip, side: requester, filter: all, capacity: 1 MiB, ways: 8, bandwidth: 4 TB/s, latency: 20 cycles}
l15:  {capacity: 2 MiB, ways: 16, bandwidth: 8 TB/s, latency: 60 cycles}
far:  {scope: chip, side: requester, write: back, capacity: 4 MiB, ways: 16, bandwidth: 8 TB/s, latency: 90 cycles}
END
w=gemm:ni=64,nj=64,nk=64
ok "three levels are profiled" "$binary" profile $w --machine three.yaml -o three.profile.yaml
# In the order of the file, after those of the base (l15).
ok "in their order" sh -c 'grep -o "^        [a-z0-9]*: {lookups" three.profile.yaml | tr -d " " | tr "\n" " " |
    grep -qx "l15:{lookups near:{lookups far:{lookups "'
prints "and shown" "near" "$binary" profile show three.profile.yaml
prints "JSON of them" '"far_hit":' "$binary" profile show three.profile.yaml --machine three.yaml --format json
prints "the network explains them" "near: utilisation" \
    "$binary" whatif --machine three.yaml -w three.profile.yaml -o memory-side --model network --explain
prints "a metric of each" "utilisation_l15,utilisation_near,utilisation_far" \
    "$binary" whatif --machine three.yaml -w $w -o memory-side --model network --format csv
prints "the bound knows them" "near" "$binary" whatif --machine three.yaml -w $w -o memory-side --model bottleneck \
    --set near.bandwidth=1GB/s
prints "the simulation has them" "near " "$binary" simulate --machine three.yaml -w $w
ok "their capacity is structural" sh -c '"$1" list parameters --machine three.yaml | grep -q "^near.capacity "' - "$binary"

prints "one may quote what is measured from load to use" "near.latency as a step" "$binary" whatif --machine three.yaml \
    -w $w -o memory-side --model network --explain --set near.latency_is=load-to-use --set near.latency=100ns

cat >three.space.yaml <<END
space: three
machine: three.yaml
workloads: ["$w"]
models: [network]
axes:
  near.bandwidth: [1 TB/s, 4 TB/s]
  far.capacity: [0 B, 4 MiB]
objectives: [{maximise: effective_bandwidth}, {minimise: utilisation_near}]
END
ok "they are swept" "$binary" sweep three.space.yaml -o swept --no-plots --all
prints "with columns of their own" "utilisation_near" head -n 1 swept/points.csv

printf 'machine: m\nbase: nuba-mcm\nouter: {scope: chip, side: requester, filter: all, capacity: 2 MiB}\ninner: {scope: partition, side: requester, filter: all, capacity: 1 MiB}\n' >order.yaml
ok "a partition's level" "$binary" profile $w --machine order.yaml -o order.profile.yaml
ok "comes before a chip's" sh -c 'grep -o "^        [a-z0-9]*: {lookups" order.profile.yaml | tr -d " " | tr "\n" " " |
    grep -qx "inner:{lookups outer:{lookups "'

cat >clusters.yaml <<'END'
machine: clusters
base: mcm
sm: {clusters: 8}
gpc: {scope: cluster, side: requester, filter: all, capacity: 2 MiB, ways: 8, bandwidth: 8 TB/s, latency: 20 cycles}
l15: {capacity: 2 MiB, ways: 16, bandwidth: 8 TB/s, latency: 60 cycles}
END
ok "a cache a cluster and an L1.5 are profiled" "$binary" profile $w --machine clusters.yaml -o clusters.profile.yaml
ok "the cluster's first" sh -c 'grep -o "^        [a-z0-9]*: {lookups" clusters.profile.yaml | tr -d " " | tr "\n" " " |
    grep -qx "gpc:{lookups l15:{lookups "'
prints "and explained" "gpc: utilisation" \
    "$binary" whatif --machine clusters.yaml -w clusters.profile.yaml -o memory-side --model network --explain
prints "and simulated" "gpc " "$binary" simulate --machine clusters.yaml -w $w
cat >clusters.space.yaml <<END
space: clusters
machine: clusters.yaml
workloads: ["$w"]
models: [network]
axes:
  sm.clusters: [4, 8, 16]
  gpc.bandwidth: [1 TB/s, 8 TB/s]
objectives: [{maximise: effective_bandwidth}, {minimise: gpc.bandwidth}]
END
ok "and swept" sh -c '"$1" sweep clusters.space.yaml -o clusters --no-plots --all && [ "$(wc -l <clusters/points.csv)" = 7 ]' - "$binary"
# One cluster is the chip: the same counts.
counts() { "$binary" profile $w "$@" --set "l15.capacity=0 B" -o one.yaml >/dev/null 2>&1 && grep -o 'gpc: {.*' one.yaml; }
counts --machine clusters.yaml --set sm.clusters=1 >cluster.counts
sed 's/scope: cluster/scope: chip/' clusters.yaml >chip.yaml
counts --machine chip.yaml >chip.counts
ok "one cluster a chip is the chip" sh -c '[ -s chip.counts ] && cmp chip.counts cluster.counts'
fails "clusters of unequal size" "do not form 7 clusters" "$binary" profile $w --machine clusters.yaml --set sm.clusters=7
printf 'machine: m\nbase: sac\ngpc: {scope: cluster, side: requester, capacity: 1 MiB}\n' >unknown.yaml
fails "a cluster's level where clusters are unknown" "sm.clusters is unknown" "$binary" profile $w --machine unknown.yaml
fails "clusters that share nothing" "sm.clusters has no effect" "$binary" whatif --machine sac -w $w --set sm.clusters=8

printf 'machine: m\nbase: sac\nvictims: {scope: chip, capacity: 1 MiB}\n' >side.yaml
fails "a section that is nothing" "scope and side of a cache level" "$binary" list parameters --machine side.yaml
printf 'machine: m\nbase: sac\nmine: {scope: chip, side: home, capacity: 1 MiB}\n' >home.yaml
fails "a level at the home" "side" "$binary" list parameters --machine home.yaml
{
    printf 'machine: m\nbase: sac\n'
    for i in 1 2 3 4 5 6 7; do
        printf 'v%s: {scope: chip, side: requester, capacity: 1 MiB}\n' $i
    done
} >many.yaml
fails "too many" "v7: at most 6 levels before the LLC" "$binary" profile $w --machine many.yaml -o many.profile.yaml
# A grid's columns act where it is chosen, by the machine or by an axis.
printf 'machine: g\nbase: sac\nchips: 6\ninter: {topology: mesh}\nmesh: {columns: 3}\n' >grid.yaml
prints "a mesh" "network" "$binary" whatif --machine grid.yaml -w $w -o memory-side --model network
fails "columns of a ring" "mesh.columns has no effect" "$binary" whatif --machine sac -w $w --set mesh.columns=2
printf 'space: g\nmachine: sac\nworkloads: ["%s"]\nmodels: [network]\naxes:\n  inter.topology: [ring, mesh]\n  mesh.columns: [1, 2, 3]\nobjectives: [{maximise: effective_bandwidth}, {minimise: chips}]\n' "$w" >grid.space.yaml
prints "columns of an axis' mesh" "4 chips do not form rows of 3" "$binary" sweep grid.space.yaml -o grids --no-plots
# Translation is levels as well, whose lines are pages.
cat >tlbs.yaml <<'END'
machine: tlbs
base: sac
mine: {contents: translations, scope: sm, entries: 16, mshrs: 4, latency: 1 cycles}
all:  {contents: translations, scope: chip, entries: 64, ways: 16, latency: 20 cycles}
translation: {walk_latency: 100 cycles, walk_reads: 1, walkers: 8}
llc: {mshrs: 64}
END
s=stream:input=small
ok "TLBs are profiled" "$binary" profile $s --machine tlbs.yaml -o tlbs.profile.yaml
ok "the nearer ones first" sh -c 'grep -o "^ *[a-z0-9]*: {lookups" tlbs.profile.yaml | tr -d " " | sort -u | tr "\n" " " |
    grep -qx "all:{lookups mine:{lookups " && grep -A1 "mine: {lookups" tlbs.profile.yaml | grep -q "all: {lookups"'
prints "and shown" "mine" "$binary" profile show tlbs.profile.yaml
prints "the network explains walks" "walkers: utilisation" \
    "$binary" whatif --machine tlbs.yaml -w tlbs.profile.yaml -o memory-side --model network --explain
prints "and what stops" "mshrs: utilisation" \
    "$binary" whatif --machine tlbs.yaml -w tlbs.profile.yaml -o memory-side --model network --explain
prints "the bound has walkers" "all: walkers" "$binary" whatif --machine tlbs.yaml -w $s -o memory-side --model bottleneck \
    --set translation.walkers=1
ok "others warn" sh -c '"$1" whatif --machine tlbs.yaml -w stream:input=small -o memory-side --model eab 2>&1 |
    grep -q "nothing of page walks"' - "$binary"
prints "the simulation looks them up" "mine mshrs" "$binary" simulate --machine tlbs.yaml -w $s -o memory-side
prints "JSON of it" '"tlbs":' "$binary" simulate --machine tlbs.yaml -w $s -o memory-side --format json
cat >tlbs.space.yaml <<END
space: tlbs
machine: tlbs.yaml
workloads: ["$s"]
models: [network, bottleneck]
axes:
  mine.entries: [4, 16, 64]
  translation.walkers: [2, 8]
  translation.tables: [local, page]
objectives: [{maximise: effective_bandwidth}, {minimise: translation.walkers}]
END
ok "they are swept" sh -c '"$1" sweep tlbs.space.yaml -o tlbs --no-plots --all && [ "$(wc -l <tlbs/points.csv)" -ge 13 ]' - "$binary"
prints "with columns of their own" "utilisation_walkers" head -n 1 tlbs/points.csv
# So are caches of scalars, constants and textures, in the place of L1.
printf 'machine: k\nbase: sac\nk: {contents: scalar+constant, capacity: 16 KiB, bandwidth: 1 TB/s}\n' >beside.yaml
printf 'machine: k\nbase: ./beside.yaml\nk2: {contents: constant, capacity: 2 KiB}\n' >beside2.yaml
f=fir:input=small
prints "a cache of scalars is profiled" "scalar reads: 8192 lines, served by k: 9" \
    "$binary" profile $f --machine beside.yaml -o beside.profile.yaml
prints "and shown" "scalar reads: 8192 lines, served by k: 9" "$binary" profile show beside.profile.yaml
prints "L1 serves where there is none" "scalar reads: 8192 lines, served by L1: no cache has contents: scalar" \
    "$binary" profile $f --machine sac -o plain.profile.yaml
prints "the network has it" "k: utilisation" \
    "$binary" whatif --machine beside.yaml -w beside.profile.yaml -o memory-side --model network --explain
prints "the bound has it" "all: k" "$binary" whatif --machine beside.yaml -w $f -o memory-side --model bottleneck \
    --set k.bandwidth=1GB/s
ok "others warn of its bandwidth" sh -c '"$1" whatif --machine beside.yaml -w fir:input=small -o memory-side --model eab 2>&1 |
    grep -q "caches beside L1"' - "$binary"
prints "the simulation looks it up" "beside L1  lookups" "$binary" simulate --machine beside.yaml -w $f -o memory-side
prints "JSON of it" '"beside":' "$binary" simulate --machine beside.yaml -w $f -o memory-side --format json
prints "its parameters" "k.contents" "$binary" list parameters --machine beside.yaml
fails "two of one kind" "k2.contents: a cache of constant data is there already" "$binary" profile $f \
    --machine beside2.yaml -o two.profile.yaml
printf 'machine: m\nbase: sac\nt: {contents: translation, scope: sm, entries: 16}\n' >contents.yaml
fails "contents that are none" "contents: translations of a TLB" "$binary" list parameters --machine contents.yaml
fails "walks without TLBs" "no parameter" "$binary" whatif --machine sac -w $s --set translation.walkers=1

printf 'profile: x\npoint: {l15: {lookups: 10, hist: 2}}\n' >count.yaml
fails "a count that is none" 'count.yaml:2' "$binary" profile show count.yaml
finish

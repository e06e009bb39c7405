#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Features of several systems on one machine: what composes answers, what does not is refused
# with the reason, and what a model leaves out is said.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
ask() { "$binary" whatif --workload bfs:input=small "$@"; }
cat >all.yaml <<'Y'
machine: all
base: sac
l1: {nodes: 32, clusters: 8}
dcl1: {noc_clock: 1 GHz, flit: 128 B}
rdma: {filter: remote, write: back, ways: 16, capacity: 1 MiB, bandwidth: 2 TB/s}
page: {policy: lab}
Y
bandwidth() { # machine settings...: of the model bottleneck
    ask --model bottleneck --organisation "${side:-memory-side}" --format csv -m "$@" 2>err |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "effective_bandwidth") at = i } NR == 2 { print $at }'
}
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < b) }'; }
same() { test -n "$1" -a "$1" = "$2"; }

ok "SAC's LLC, L1 nodes, LAB and an RDMA cache at once" ask -m all.yaml --model bottleneck -o memory-side
all=$(bandwidth all.yaml)
ok "node ports limit it" less "$all" "$(bandwidth all.yaml -s l1.nodes=0 -s l1.clusters=0)"
ok "faster nodes and ports help" less "$all" "$(bandwidth all.yaml -s sm.clock=2GHz -s dcl1.noc_clock=2GHz)"
ok "faster ports alone do not" same "$all" "$(bandwidth all.yaml -s dcl1.noc_clock=2GHz)"
for side in sm-side static sac; do
    fails "an RDMA cache and $side" "rdma" ask -m all.yaml --model bottleneck -o $side
    ok "$side without one" ask -m all.yaml -s rdma.capacity=0B --model bottleneck -o $side
done
side=memory-side
fails "EAB and an RDMA cache" "does not know the level rdma" ask -m all.yaml --model eab
fails "dcl1 and chips" "the model bottleneck knows L1 nodes" ask -m all.yaml --model dcl1
fails "MDR and chips" "has 4 chips" ask -m all.yaml --model mdr
fails "replicas in a module's LLC" "does not know replicas" ask -m mcm --model link -s llc.replication=full
fails "nodes across partitions" "may not span two" ask -m nuba --model mdr -s l1.nodes=32 -s l1.clusters=8
fails "bottleneck and partitions" "chips that have partitions" ask -m nuba --model bottleneck

# Neutral values.
for setting in l1.nodes=0 coherence=software page.move_after=4 sectors=1; do
    ok "$setting is neutral" same "$(bandwidth sac)" "$(bandwidth sac -s $setting)"
done
ok "an RDMA cache of 0 B is none" same "$(bandwidth all.yaml -s l1.nodes=0 -s l1.clusters=0 -s rdma.capacity=0B)" \
    "$(bandwidth sac -s page.policy=lab)"
ok "no page moves: as first touch" same "$(bandwidth sac)" \
    "$(bandwidth sac -s page.policy=migration -s page.move_after=1000000)"
side=sm-side
moves=$(bandwidth sac -s page.policy=migration -s page.move_after=4)
ok "moved pages cost" less "$moves" "$(bandwidth sac)"
ok "they cost less on faster links" less "$moves" \
    "$(bandwidth sac -s page.policy=migration -s page.move_after=4 -s inter.link_bandwidth=192GB/s)"
side=memory-side

# What is left out is said: on stderr, in JSON, by a sweep.
warns() { # words arguments...
    words=$1
    shift
    ask "$@" >out.txt 2>err.txt && grep -qF "optimistic: " err.txt && grep -qF "$words" err.txt &&
        ask "$@" --format json 2>/dev/null | sed -n '/"warnings"/,/]/p' | grep -qF "$words"
}
silent() { ask "$@" >out.txt 2>err.txt && ! grep -q optimistic err.txt; }
ok "eab: node ports" warns "l1.nodes" -m sac --model eab -o memory-side -s l1.nodes=32
ok "mdr: node ports" warns "l1.nodes" -m nuba --model mdr -o memory-side -s l1.nodes=32
ok "link: moved pages" warns "page.policy migration" -m mcm --model link -o memory-side \
    -s page.policy=migration -s page.move_after=4
ok "eab: invalidations" warns "coherence" -m sac --model eab -o sm-side -s coherence=hardware
# All launches and their beginnings under coherence: results, which do not depend on the build.
if $thorough; then
    ok "eab: those of the side that sac may choose" warns "coherence" -m sac --model eab -o sac -s coherence=hardware
else
    skip "eab: those of the side that sac may choose" "too slow with this build"
fi
ok "none memory-side" silent -m sac --model eab -o memory-side -s coherence=hardware
ok "dualopt counts moved pages" silent -m dualopt --model dualopt -o memory-side \
    -s page.policy=replication -s page.move_after=4
ok "bottleneck counts all three" silent -m sac --model bottleneck -o sm-side -s coherence=hardware \
    -s l1.nodes=32 -s page.policy=migration -s page.move_after=4
ok "nothing to say of sac" silent -m sac
cat >space.yaml <<'Y'
space: nodes
machine: sac
workloads: ["bfs:input=small"]
models: [eab]
axes: {l1.nodes: [0, 16, 32], inter.link_bandwidth: {values: [96, 192], unit: GB/s}}
objectives: [{minimise: kernel_time}]
rank: {by: kernel_time}
Y
"$binary" sweep space.yaml -o swept --no-plots >swept.txt 2>err.txt
report $? "a sweep"
ok "says how many points have it" grep -q "warning for 4: eab: optimistic: .*l1.nodes" swept.txt
finish

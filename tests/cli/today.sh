#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The machines of today: each is answered by the models that know its shape, without a warning but those of
# models that do not count what launches take, messages, turns of memories, writes into slices, warps that begin in turn,
# and refused by the others with the reason; what does not fit into the caches runs at the
# published bandwidth of the memory.
. tests/cli/common.sh.inc

small=gemm:input=small
answered() { # machine model...
    machine=$1
    shift
    "$binary" whatif -m "$machine" -w $small --format csv >"$scratch/csv" 2>"$scratch/said" &&
        ! grep -v -e 'not what each takes beside it (launch.time)$' -e '(messages of [a-z, ]*)$' -e '(memory.turnaround)$' -e '(llc.write_bandwidth)$' -e '(l1.lookups)$' -e '(cta.warps)$' -e '(contents: scalar, constant, texture)$' -e 'memory (crossing)$' "$scratch/said" || return 1
    for model in "$@"; do cut -d, -f4 "$scratch/csv" | grep -qx "$model" || return 1; done
    # In JSON nothing but the note that kinds of answer differ, and what a small input leaves of the machine.
    "$binary" whatif -m "$machine" -w $small --format json |
        awk '/"warnings": \[$/ { inside = 1; next } /\]/ { inside = 0 }
             inside && !/kinds of answer differ/ && !/"(idle-sms|short-launches|fits): / && !/launch[.]time|messages of |memory[.]turnaround|llc[.]write_bandwidth|l1[.]lookups|cta[.]warps|contents: scalar|memory .crossing/ { other = 1 } END { exit other }'
}
ok "two halves of an L2: A100" answered a100 mdr bottleneck network
ok "an L2 a die before a memory-side cache: MI300X" answered mi300x bottleneck link parallelism
if $thorough; then
    ok "two halves of an L2: H100" answered h100 mdr bottleneck network
    for machine in a100-80 h100-pcie h200 gh200; do ok "the same: $machine" answered $machine mdr bottleneck network; done
    for machine in v100 mi210; do ok "one die, one L2: $machine" answered $machine bottleneck eab mdr; done
    ok "six dies in a package of one memory: MI300A" answered mi300a bottleneck
    ok "four GPUs on a tree of switches" answered r9-nano-cluster bottleneck link parallelism
    ok "two dies: B200" answered b200 bottleneck eab link parallelism
    ok "two dies: MI250X" answered mi250x bottleneck eab link parallelism
    ok "eight GPUs at a switch: HGX H100" answered hgx-h100 bottleneck eab link parallelism
else
    skip "the other machines" "too slow with this build"
fi

fails "EAB knows no halves" "chips that have partitions" "$binary" whatif -m a100 -w $small --model eab
fails "and says which machine has them" "gemm, memory-side on a100: model eab: " "$binary" whatif -m a100 -w $small --model eab -o memory-side
# Machines of a space that its model refuses are none of its points; the others are.
printf 'space: some\nworkloads: [%s]\nmodels: [eab]\naxes: {machine: [a100, sac, h100, sac-2chip]}\nobjectives: [{maximise: effective_bandwidth}]\n' \
    "\"$small\"" >"$scratch/some.yaml"
some() {
    "$binary" sweep "$scratch/some.yaml" -o "$scratch/some" --no-plots 2>"$scratch/err" >"$scratch/said" &&
        [ "$(cut -d, -f1 "$scratch/some/ranking.csv" | tr '\n' ' ')" = "machine sac-2chip sac " ] &&
        grep -q '^  excluded 1: machine a100: model eab: it does not know chips that have partitions' "$scratch/said" &&
        grep -q 'reason: "machine h100: model eab: .*", points: 1}' "$scratch/some/manifest.yaml"
}
ok "a space of machines that a model knows or not" some
sed -i 's/sac, h100, sac-2chip/h100/' "$scratch/some.yaml"
fails "or none of them" "no point of the space can be built: machine a100: model eab: " "$binary" sweep "$scratch/some.yaml" -o "$scratch/never" --no-plots
fails "the links' model knows none either" "2 partitions" "$binary" whatif -m h100 -w $small --model link
fails "EAB knows no L2 before the Infinity Cache" "the level l2" \
    "$binary" whatif -m mi300x -w $small --model eab
fails "NUBA's model knows one GPU" "8 chips" "$binary" whatif -m hgx-h100 -w $small --model mdr

# The first value of a metric in JSON is within 0.1 % of what is wanted.
near() { awk -v name="\"$1\":" -v want="$2" '$1 == name && !seen++ { good = $2 / want > 0.999 && $2 / want < 1.001 }
    END { exit !good }'; }

# 48 to 120 MiB of vectors, beyond the L2s.
streams() { # machine model elements bytes/s settings...
    machine=$1 model=$2 n=$3 rate=$4
    shift 4
    "$binary" whatif -m "$machine" -w stream:n="$n",times=2 --model "$model" "$@" --format json | near effective_bandwidth "$rate"
}
ok "vectors stream at A100's memory bandwidth" streams a100 mdr 4194304 1.555e12
if $thorough; then
    ok "at H100's" streams h100 mdr 5242880 3.35e12
    ok "at MI250X's, both dies" streams mi250x bottleneck 2097152 3.2768e12 --set launch.time=0s --set memory.turnaround=0s
else
    skip "at others'" "too slow with this build"
fi

links() { # machine "in plus out, bytes/s"
    "$binary" whatif -m "$1" -w $small --set llc.organisation=memory-side --model link --format json |
        near module_link_bandwidth "$2"
}
ok "a GPU's NVLinks, both directions" links hgx-h100 900e9
ok "NV-HBI, both directions" links b200 10e12
ok "MI250X's links between dies, both directions" links mi250x 400e9

# Reads of the whole Infinity Cache, an eighth of them near.
cat >"$scratch/reads.yaml" <<'EOF'
profile: reads
point: {requests: 1000, reads: 1000, bytes: 128000, r_local: 0.125, llc_hit: {memory-side: 1}, lsu: {memory-side: 1},
  home_requests: 1000, home_reads: 1000, home_remote_requests: 875, home_remote_reads: 875, l2: {lookups: 1000}}
EOF
infinity() {
    "$binary" whatif -m mi300x -w "$scratch/reads.yaml" --set llc.organisation=memory-side --model "$@" --format json |
        near effective_bandwidth 17.2e12
}
ok "reads of the Infinity Cache are bound by it, not by the dies' links" infinity link
ok "nor by crossbars or L2s" infinity bottleneck --set launch.time=0s

front() {
    "$binary" profile stream:n=262144,times=2 -m mi300x -o "$scratch/p.yaml" && grep -q 'l2:' "$scratch/p.yaml"
}
ok "its L2s are simulated" front
published() {
    "$binary" validate today --format csv >"$scratch/csv" && [ "$(grep -c ,yes, "$scratch/csv")" = 49 ] &&
        [ "$(wc -l <"$scratch/csv")" = 50 ]
}
ok "published totals hold" published

# Latencies from load to use: a figure keeps its meaning when it is set, and has to be longer than the way.
hit() { "$binary" whatif -m h100 -w $small --model network -o sm-side --format json "$@" | near latency_local_hit "$want"; }
# Beside 279 cycles, at 142.4 B/cycle of the SM's port 8 B of the request and 40 of the sector; 32 in the slice at 51.15: 0.96 cycles;
# a seventh are writes, which come in at 27.4: 0.17 more. Counted from
# where L1 has looked the line up, a cycle later.
want=140.98e-9
ok "an L2 hit takes what was measured" hit
ok "a slower crossbar is part of it" hit --set noc.latency=9cycles
want=165.22e-9
ok "as a step it comes on top" hit --set llc.latency_is=step
fails "a figure that is less than the way" "less than the steps on the way there take, by 4.242 ns" \
    "$binary" whatif -m h100 -w $small --set llc.latency=20ns
fails "and in a simulation" "say that it is a step" "$binary" simulate -m h100 -w $small --set memory.latency=120ns
printf 'space: s\nmachine: mi300x\nworkloads: [%s]\nmodels: [parallelism, network]\naxes: {noc.latency: [8 cycles, 60 cycles]}\nobjectives: [{maximise: parallelism.effective_bandwidth}]\n' $small >"$scratch/s.yaml"
excluded() {
    "$binary" sweep "$scratch/s.yaml" --no-plots -o "$scratch/s" >"$scratch/told" 2>/dev/null && grep -q "2 points, 1 kept" "$scratch/told" &&
        grep -q "excluded 1: a metric is not a finite number" "$scratch/told"
}
ok "a point at which it is has no answer" excluded
finish

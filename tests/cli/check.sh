#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names and units of a space are checked before anything is profiled. The workloads would take
# long: none of these runs may leave a view in the cache.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

# space NAME [LINE]...: a good one, with lines added or replaced by their key.
space() {
    file=$1
    shift
    cat >good <<'END'
space: s
machine: sac
workloads: [gemm, mvt]
models: [eab, bottleneck]
axes:
  inter.link_bandwidth: {values: [48, 96], unit: GB/s}
  llc.organisation: [memory-side, sm-side]
let: {per_link: "eab.effective_bandwidth / inter.link_bandwidth"}
where: ["llc.capacity <= 48 MiB"]
objectives: [{maximise: eab.effective_bandwidth}, {minimise: inter.link_bandwidth}]
rank: {by: eab.effective_bandwidth@gemm}
plots: [{kind: curve, x: inter.link_bandwidth, by: llc.organisation, y: per_link}]
END
    for line in "$@"; do
        key=${line%%:*}
        awk -v key="$key" -v line="$line" '
            index($0, key ":") == 1 { print line; done = 1; next }
            { print }
            END { if (!done) print line }' good >good.new
        mv good.new good
    done
    mv good "$file"
}

# How many files there are in the cache.
profiled() { find "$BANDSCAPE_CACHE" -type f 2>/dev/null | wc -l; }

# wrong NAME PLACE WORDS HINT LINE: the error, its place and what it suggests; nothing profiled.
wrong() {
    space wrong.yaml "$5"
    "$binary" sweep wrong.yaml -o never --plot svg >out 2>err
    status=$?
    good=0
    [ $status = 2 ] || { good=1; echo "# exit status $status" >>err; }
    grep -qF -- "wrong.yaml:$2: error: $3" err || { good=1; echo "# does not say: $2: $3" >>err; }
    grep -qF -- "$4" err || { good=1; echo "# does not hint: $4" >>err; }
    [ -s out ] && good=1
    if [ "$(profiled)" != 0 ] || [ -e never ]; then
        good=1
        echo "# something was profiled or written" >>err
    fi
    rm -rf "$BANDSCAPE_CACHE" never
    report $good "$1"
}

wrong "a metric in an objective" 10:25 'there is no parameter, metric or let name "eab.efective_bandwidth"' \
    'did you mean "eab.effective_bandwidth"?' \
    'objectives: [{maximise: eab.efective_bandwidth}, {minimise: inter.link_bandwidth}]'
wrong "a parameter in an objective" 10:25 'there is no parameter, metric or let name "inter.link_bandwith"' \
    'did you mean "inter.link_bandwidth"?' \
    'objectives: [{minimise: inter.link_bandwith}]'
wrong "a let name in an objective" 10:25 'there is no parameter, metric or let name "perlink"' \
    'did you mean "per_link"?' 'objectives: [{maximise: perlink}]'
wrong "a total" 10:25 'there is no parameter, metric or let name "total.llc_capcity"' \
    'did you mean "total.llc_capacity"?' 'objectives: [{minimise: total.llc_capcity}]'
wrong "a cost" 10:25 'there is no parameter, metric or let name "cost.llc_noc_aera"' \
    'did you mean "cost.llc_noc_area"?' 'objectives: [{minimise: cost.llc_noc_aera}]'
wrong "a workload of a metric" 11:12 'eab.effective_bandwidth@gem: the space has no workload "gem"' \
    'did you mean "gemm"?' 'rank: {by: eab.effective_bandwidth@gem}'
wrong "a mean of a metric" 11:12 'eab.effective_bandwidth@geometric-maen: the space has no workload "geometric-maen"' \
    'did you mean "geometric-mean"?' 'rank: {by: eab.effective_bandwidth@geometric-maen}'
wrong "a metric of a workload" 11:12 'eab_locl@gemm: no model of the space has a metric "eab_locl"' \
    'did you mean "eab_local"?' 'rank: {by: eab_locl@gemm}'
wrong "a model that is not asked" 11:12 'link.effective_bandwidth: the space does not ask the model link' \
    'add it to its models' 'rank: {by: link.effective_bandwidth}'
wrong "a speed-up without a baseline" 11:12 'speedup: a speed-up needs a baseline' \
    'add speedup_vs' 'rank: {by: speedup}'
wrong "a name in let" 8:33 'there is no parameter, metric or let name "eab.kernl_time"' \
    'did you mean "eab.kernel_time"?' 'let: {per_link: "llc.capacity / eab.kernl_time"}'
wrong "units in let" 8:31 'units differ: bytes + s' '' 'let: {per_link: "llc.capacity + eab.kernel_time"}'
wrong "a name in where" 9:10 'there is no parameter, metric or let name "llc.capcity"' \
    'did you mean "llc.capacity"?' 'where: ["llc.capcity <= 48 MiB"]'
wrong "units in where" 9:23 'units differ: bytes <= bytes/s' '' 'where: ["llc.capacity <= 48 GB/s"]'
wrong "a quantity in where" 9:10 'where: "llc.capacity" is a quantity, not a condition' '' 'where: ["llc.capacity"]'
wrong "a name in set" 13:23 'set: there is no parameter, metric or let name "llc.bandwith"' \
    'did you mean "llc.bandwidth"?' 'set: {noc.bandwidth: "llc.bandwith"}'
wrong "units in set" 13:23 'set: noc.bandwidth: the expression has another unit' 'B/s' \
    'set: {noc.bandwidth: "llc.capacity"}'
wrong "a metric in set" 13:21 'set: eab.kernel_time is a metric: a tie can use parameters only' '' \
    'set: {noc.latency: "eab.kernel_time"}'
wrong "x of a curve" 12:26 'x: there is no axis "inter.link_bandwith"' \
    'did you mean "inter.link_bandwidth"?' 'plots: [{kind: curve, x: inter.link_bandwith}]'
wrong "by of a curve" 12:52 'by: there is no axis "llc.organization"' \
    'did you mean "llc.organisation"?' \
    'plots: [{kind: curve, x: inter.link_bandwidth, by: llc.organization}]'
wrong "y of a curve" 12:51 'y: there is no column "per_lnk"' 'did you mean "per_link"?' \
    'plots: [{kind: curve, x: inter.link_bandwidth, y: per_lnk}]'
wrong "by of bars" 12:26 'by: there is no axis "llc.organization"' \
    'did you mean "llc.organisation"?' 'plots: [{kind: bars, by: llc.organization}]'
wrong "y of bars" 12:47 'y: there is no column "bottleneck.speed"' '' \
    'plots: [{kind: bars, by: llc.organisation, y: bottleneck.speed}]'
wrong "x of a front" 12:27 'x: there is no column "inter.link_bandwith"' \
    'did you mean "inter.link_bandwidth"?' 'plots: [{kind: pareto, x: inter.link_bandwith}]'
wrong "by of a front" 12:28 'by: the axis "inter.link_bandwidth" has numbers' '' \
    'plots: [{kind: pareto, by: inter.link_bandwidth}]'
wrong "y of an s-curve" 12:50 'y: there is no column "eab_locl"' 'did you mean "eab_local"?' \
    'plots: [{kind: s-curve, by: llc.organisation, y: eab_locl}]'

# The same for the views of a space.
space wrong.yaml 'objectives: [{maximise: perlink}]'
fails "profile --space looks as well" 'wrong.yaml:10:25: error: there is no parameter' \
    "$binary" profile --space wrong.yaml
[ "$(profiled)" = 0 ]
report $? "and profiles nothing"

# So are machines that no launch could run on, before those that can are profiled.
cat >queues.yaml <<'END'
space: queues
machine: sac
workloads: [gemm]
models: [bottleneck]
axes: {cta.policy: [greedy, distributed]}
objectives: [{maximise: effective_bandwidth}]
END
fails "a queue of blocks for each chip, of which none goes on" 'cta.start: next goes on where one queue' \
    "$binary" sweep queues.yaml --set cta.start=next -o never
[ "$(profiled)" = 0 ] && [ ! -e never ]
report $? "and nothing was profiled"

# A name that only some machines of an axis have is right.
cat >machines.yaml <<'END'
space: machines
workloads: [gemm]
models: [link]
axes: {machine: [sac, mcm-optimised]}
where: ["l15.capacity <= 48 MiB"]
objectives: [{maximise: effective_bandwidth}]
END
ok "--check: a space of machines that differ" "$binary" sweep machines.yaml -o never --check

space good.yaml
"$binary" sweep good.yaml -o never --check >out 2>err
report $? "--check: nothing is wrong"
grep -q '4 points in 2 machine structures, 2 workloads; views to profile: 2, in the cache: 0' err
report $? "it says what would be done"
[ ! -e never ] && [ "$(profiled)" = 0 ]
report $? "and does none of it"

wrong_spaces= number=0
for file in "$top"/spaces/*.yaml; do
    name=${file##*/} number=$((number + 1))
    $thorough || [ $((number % 5)) = 0 ] || continue # some make large graphs, all take the same way
    "$binary" sweep "${name%.yaml}" -o never --check >out 2>err || wrong_spaces="$wrong_spaces $name"
done
echo "$wrong_spaces" >err
[ -z "$wrong_spaces" ]
report $? "shipped spaces are right"

finish

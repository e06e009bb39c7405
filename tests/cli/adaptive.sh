#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An adaptive sweep leaves the ranking and the front of the whole one, on any number of threads, in
# shares and over an earlier result; what needs all points is not there, and is not asked for.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >space.yaml <<'Y'
space: some
machine: sac
workloads: ["gemm:input=small"]
models: [network]
axes:
  inter.link_bandwidth: {from: 24 GB/s, to: 3072 GB/s, scale: log2, points: 12}
  memory.bandwidth: {from: 218.75 GB/s, to: 1750 GB/s, scale: log2, points: 12}
  llc.bandwidth: {from: 1 TB/s, to: 16 TB/s, scale: log2, points: 4}
  llc.organisation: [memory-side, sm-side]
objectives: [{minimise: kernel_time}, {minimise: inter.link_bandwidth}]
rank: {by: kernel_time, top: 10}
Y
sweep() { "$binary" sweep space.yaml --no-plots "$@"; }
job() { exec "$binary" sweep "$@"; }
same() { # folder folder: ranking and front
    cmp "$1/ranking.csv" "$2/ranking.csv" && cmp "$1/pareto.csv" "$2/pareto.csv"
}
ok "a sweep" sweep -o whole
ok "an adaptive one" sweep --adaptive -j 1 -o some
ok "has its ranking and its front" same whole some
ok "says what it left out" grep -Eq '^adaptive: \{evaluated: [1-9][0-9]*, skipped: [1-9][0-9]*, workloads_solved: [1-9][0-9]*\}' some/manifest.yaml
ok "has no marginals" test ! -e some/marginals.csv
ok "on three threads" sweep --adaptive -j 3 -o three
ok "the same bytes" diff -rq -x run.yaml -x '.bandscape-*' some three
for i in 1 2 3; do
    ok "share $i" sweep --adaptive --shard "$i/3" -o shares
done
ok "shares" "$binary" merge shares --no-plots -o merged
ok "make the same" same whole merged
cp -r whole over
ok "over an earlier result" sweep --adaptive -o over
ok "it is the new one" diff -rq -x run.yaml -x '.bandscape-*' some over
lines() { [ "$(($(wc -l <some/sample.csv) - 1))" = 200 ] && [ "$(($(wc -l <whole/sample.csv) - 1))" = 1152 ]; }
ok "its sample is of 200" lines
ok "a page about it" "$binary" report some

# The harmonic mean of two workloads, one of several launches, whose bandwidth is a mean itself.
sed 's/"gemm:input=small"/&, "2mm:input=small"/; s/points: [0-9]*/points: 4/
    s/{minimise: kernel_time}/{maximise: effective_bandwidth}/; s/by: kernel_time/by: effective_bandwidth/' space.yaml >two.yaml
ok "of two workloads" "$binary" sweep two.yaml --no-plots -o two
ok "where it matters" "$binary" sweep two.yaml --no-plots --adaptive -o less
ok "is the same" same two less
sed 's/minimise: kernel_time/minimise: network.kernel_time/; s/by: kernel_time/by: network.kernel_time/' space.yaml >named.yaml
ok "by the name of the one model, too" "$binary" sweep named.yaml --no-plots -o named
ok "in the same order" cmp whole/ranking.csv named/ranking.csv
ok "workload by workload" grep -Eq '^adaptive: \{evaluated: [1-9][0-9]*, skipped: [1-9][0-9]*, workloads_solved: [1-9]' less/manifest.yaml
# Whenever it is ended, it goes on to the same counts: what acts on them is kept, or of one round.
state=ended/unfinished.state resume=
for i in 1 2 3; do
    [ -e ended/ranking.csv ] && break
    job two.yaml --no-plots --adaptive -o ended --save-every 0s $resume >out 2>err &
    job=$!
    while kill -0 $job 2>/dev/null && ! [ -e "$state" ]; do :; done
    kill -KILL $job 2>/dev/null
    wait $job 2>/dev/null
    [ -e "$state" ] && resume=--resume
done
ok "one that was ended goes on" "$binary" sweep two.yaml --no-plots --adaptive -o ended $resume
ok "to the same bytes" diff -rq -x run.yaml -x '.bandscape-*' less ended
ok "bounds of means are known" grep -Eq '^adaptive: \{evaluated: [1-9]' less/manifest.yaml
fails "with all points" "adaptive has no effect with --all" sweep --adaptive --all -o no
finish

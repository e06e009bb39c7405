#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape search: files that report, plot and pareto read; seeds and threads; what is refused.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .
cat >s.yaml <<'END'
space: s
machine: sac
workloads: [hand.profile.yaml]
models: [bottleneck]
axes:
  llc.organisation: [memory-side, sm-side]
  inter.link_bandwidth: {from: 24 GB/s, to: 1536 GB/s, scale: log2, points: 40}
  memory.bandwidth: {from: 200 GB/s, to: 2 TB/s, scale: log2, points: 40}
let: {cost: "total.memory_bandwidth / 1 GB/s + total.link_bandwidth / 1 GB/s"}
objectives: [{maximise: effective_bandwidth}, {minimise: cost}]
END
ask() { "$binary" search s.yaml "$@"; }

words() {
    ask --evaluations 600 --check -o result >out && grep -q '^s: [0-9]* of 3200 points evaluated' out &&
        grep -q '^  found by evolution (NSGA-II), not proved' out && grep -q '^checked by a sweep of 3200 points: ' out &&
        grep -qE '^[0-9]+ of [0-9]+ points of the front are found, with [0-9.]+ % of its volume$' out
}
ok "found, not proved; beside the sweep" words
ok "in the manifest" grep -q 'found, not proved: [0-9]* of 3200 points' result/manifest.yaml
ok "a report" sh -c '"$1" report result -o result.html >/dev/null && grep -q "found, not proved" result.html' - "$binary"
ok "a front" sh -c '"$1" pareto result/pareto.csv --maximise effective_bandwidth --minimise cost >front.csv && [ "$(wc -l <front.csv)" = "$(wc -l <result/pareto.csv)" ]' - "$binary"
ok "a picture" sh -c '"$1" plot result --term dumb -o - | grep -q cost' - "$binary"
threads() {
    for j in 1 2 5; do ask --evaluations 400 -j $j -o threads$j >/dev/null || return 1; done
    for f in ranking pareto sample marginals limits; do
        cmp threads1/$f.csv threads2/$f.csv && cmp threads1/$f.csv threads5/$f.csv || return 1
    done
}
ok "any number of threads" threads
seeds() { ask --evaluations 400 --seed 2 -o other >/dev/null && ! cmp -s threads1/sample.csv other/sample.csv; }
ok "another seed" seeds
sed 's/, {minimise: cost}//' s.yaml >one.yaml
ok "one objective" sh -c '"$1" search one.yaml --evaluations 500 --check -o one | grep -q "points: the best is found$"' - "$binary"
sed 's/points: 40/points: 20000/; s/^objectives.*/&\nset: {noc.bandwidth: "8 * memory.bandwidth"}/' s.yaml >large.yaml
ok "a large one" sh -c '"$1" search large.yaml --evaluations 500 -o large | grep -q "of 800000000 points"' - "$binary"

fails "too large to check" "--check sweeps all" "$binary" search large.yaml --check -o large
fails "one at a time" "nothing to search" sh -c 'sed "s/^axes/design: one-at-a-time\n&/" s.yaml >each.yaml; "$1" search each.yaml' - "$binary"
fails "of best" "is not known to a search" sh -c 'echo "where: [\"cost within 5% of best\"]" | cat s.yaml - >near.yaml; "$1" search near.yaml' - "$binary"
ok "nothing is left" sh -c 'echo "where: [\"cost < 1\"]" | cat s.yaml - >none.yaml; "$1" search none.yaml -o none 2>err; [ $? = 1 ] && grep -q "is left" err' - "$binary"
fails "another space's result" "result of" sh -c 'sed "s/^space: s/space: t/" s.yaml >t.yaml; "$1" search t.yaml -o result' - "$binary"
# What knows all points does not make room for what was found; the other way round it does.
ok "all points" "$binary" sweep s.yaml -o whole --no-plots
cp -r whole kept
fails "a search in the place of all points" "whole holds the result of all points of space s" ask --evaluations 300 -o whole
ok "leaves them" diff -r whole kept
ok "unless forced" ask --evaluations 300 -o whole --force
ok "says so" grep -qE '^found: \{evaluated: [0-9]+, of: 3200\}$' whole/manifest.yaml
ok "again" ask --evaluations 300 --seed 3 -o whole
ok "a sweep in the place of what was found" "$binary" sweep s.yaml -o whole --no-plots
ok "is the same as ever" sh -c 'rm whole/run.yaml kept/run.yaml && diff -r whole kept'
mkdir foreign && echo mine >foreign/sample.csv
fails "a foreign file" "foreign/sample.csv is no file of an earlier sweep: it is not replaced" ask --evaluations 300 -o foreign --force
ok "stays" grep -qx mine foreign/sample.csv
ok "alone" test "$(ls -A foreign)" = sample.csv
fails "a setting of what varies" "the space varies it" "$binary" search s.yaml -s memory.bandwidth=1TB/s
fails "no space" "expected one space" "$binary" search
finish

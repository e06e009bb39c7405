#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Warnings of inputs that do not fill a machine: in tables, JSON, CSV, files of a sweep, pictures.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

small="$binary whatif --machine sac --model eab --workload bfs:input=small -o memory-side"
says() { # words command...
    words=$1
    shift
    "$@" >said 2>err && grep -qF -- "$words" said
}
last() { # row column: the cell of the last column, which is named
    awk -F, -v row="$1" 'NR == 1 && $NF != "warnings" { exit 1 } NR == row { print $NF; found = 1 } END { exit !found }' "$2"
}

ok "beneath the table" says 'bfs: idle-sms: 12 of 12 launches' $small
ok "with what is larger" says 'use input=default or published-sac' $small
ok "in JSON" sh -c '"$@" --format json | grep -q "^      \"fits: the footprint"' - $small
$small --format csv >whatif.csv
ok "in the last column of CSV" test "$(last 2 whatif.csv)" = "idle-sms short-launches fits"
ok "in a profile's summary" says 'fits: the footprint (0.508 MB) fits in llc (16.8 MB)' \
    "$binary" profile bfs:input=small --machine sac -o bfs.profile.yaml
ok "of a stored profile with a machine" says 'idle-sms: 12 of 12 launches' \
    "$binary" profile show bfs.profile.yaml --machine sac
none() { "$binary" whatif --machine sac --model eab --workload "$top/tests/data/hand.profile.yaml" -o memory-side --format csv >hand.csv && test -z "$(last 2 hand.csv)"; }
ok "none of numbers by hand" none

# What fits follows the capacity point by point, idle SMs the number of chips.
cat >s.yaml <<'END'
space: s
machine: sac
workloads: ["bfs:input=small", "gemm:ni=1024,nj=1024,nk=4"]
models: [eab]
axes:
  chips: [1, 4]
  llc.capacity: [64 KiB, 4 MiB, 128 MiB]
  inter.link_bandwidth: [48 GB/s, 96 GB/s]
objectives: [{maximise: effective_bandwidth}, {minimise: llc.capacity}]
END
sweep() { "$binary" sweep s.yaml -o "$1" --all -j "$2" >"$1.out" 2>err; }
ok "swept" sweep one 1
ok "a row has the warnings of any workload" test "$(last 2 one/points.csv)" = "idle-sms"
ok "another one, where it fits" test "$(last 4 one/points.csv)" = "idle-sms fits"
# 4 x 128 MiB hold what papers print of either.
ok "not where the published one does as well" test "$(last 12 one/points.csv)" = "idle-sms short-launches"
ok "for any number of threads" sh -c '"$1" sweep s.yaml -o two --all -j 3 >two.out 2>err && cmp one/points.csv two/points.csv && cmp one/ranking.csv two/ranking.csv && cmp one/manifest.yaml two/manifest.yaml && cmp one/pareto.svg two/pareto.svg' - "$binary"
ok "the summary counts points" grep -q 'warning for 12: bfs: idle-sms: ' one.out
ok "and the manifest" grep -q 'warning: "bfs: fits: .*points: 4}' one/manifest.yaml
counted() { test "$(cut -d, -f3- one/points.csv | grep -c fits)" -ge 6; }
ok "as the rows say" counted
ok "a picture says them" grep -q 'inputs: fewer blocks than SMs' one/pareto.svg
ok "one that is drawn again too" sh -c '"$1" plot one -o again.svg && grep -q "inputs: fewer blocks than SMs, short launches, data fit into caches" again.svg' - "$binary"
ok "readers by name find the rest" "$binary" pareto one/points.csv --maximise effective_bandwidth --minimise llc.capacity

ok "a picture of launches" sh -c '"$@" --plot time.svg && grep -q "input: fewer blocks than SMs" time.svg' - $small
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SAC's organisations side by side: whatif with baselines and a plot over time, spaces with
# speed-ups, bars and s-curves, and what they refuse.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

whatif() { "$binary" whatif --machine sac --workload gemm:input=small --model eab "$@"; }
organisations() {
    whatif -o memory-side -o static -o dynamic -o sm-side -o sac --format csv | cut -d, -f3 |
        tr '\n' ' ' | grep -q "^organisation memory-side static dynamic sm-side sac $"
}
ok "organisations in the order given" organisations
speedup() {
    whatif -o memory-side -o sac -b memory-side --format csv |
        awk -F, 'NR == 1 { while ($++s != "speedup" && s <= NF); while ($++k != "kernel_time" && k <= NF) }
                 NR == 2 { t = $k; if ($s != 1) bad = 1 }
                 NR == 3 { d = $s * $k / t; good = d > 1 - 1e-9 && d < 1 + 1e-9 }
                 END { exit bad || !good }'
}
ok "a speed-up is a ratio of times" speedup
means() { "$binary" whatif -m sac -w gemm:input=small -w mvt:input=small -b sac-2chip | grep -q "harmonic mean"; }
ok "means over workloads, a machine as baseline" means
json() { whatif -b memory-side --format json | grep -q '"speedup": 1,\?$'; }
ok "JSON has it" json
fails "an unknown organisation" 'did you mean "static"' "$binary" whatif -m sac -w gemm:input=small -o sttic
fails "an unknown baseline" "a baseline is an organisation" "$binary" whatif -m sac -w gemm:input=small -b nothing
fails "both ways to choose" "say the same" "$binary" whatif -m sac -w gemm:input=small -o sac --set llc.organisation=sac
fails "a plot of two models" "one model" "$binary" whatif -m sac -w gemm:input=small --plot x.svg
fails "a plot without an ending" ".svg, .png, .pdf, .eps or .tex" "$binary" whatif -m sac -w gemm:input=small --model eab --plot x
cat >l15.yaml <<'Y'
machine: l15
base: sac
l15: {capacity: 1 MiB}
Y
fails "EAB refuses a level that it does not know" "the level l15" "$binary" whatif -m l15.yaml -w gemm:input=small --model eab

if command -v gnuplot >/dev/null; then
    ok "a plot over time" whatif --plot time.svg
    ok "names the organisations" grep -q "memory-side" time.svg
fi

cat >s.yaml <<'Y'
space: s
machine: sac
workloads: [gemm, mvt]
models: [eab, bottleneck]
speedup_vs: memory-side
axes:
  inter.link_bandwidth: [48 GB/s, 96 GB/s]
  llc.organisation: [memory-side, dynamic, sac]
let: {geometric: "speedup@geometric-mean"}
objectives: [{maximise: speedup}]
plots:
  - {kind: bars, by: llc.organisation}
  - {kind: bars, x: inter.link_bandwidth, by: llc.organisation}
  - {kind: s-curve, by: llc.organisation}
Y
plots=--no-plots
command -v gnuplot >/dev/null && plots="--plot svg"
ok "a sweep with speed-ups" "$binary" sweep s.yaml --input small -o one -j 1 $plots
ok "with two threads" "$binary" sweep s.yaml --input small -o two -j 2 $plots
same() { for f in one/*; do case $f in */run.yaml) ;; *) cmp "$f" "two/${f#*/}" || return 1 ;; esac; done; }
ok "the same bytes" same
ok "points of the s-curve" [ "$(wc -l <one/s-curve.csv)" = 7 ]
columns() { head -n 1 one/ranking.csv | grep -q "geometric,.*eab.speedup,eab.speedup@gemm,eab.speedup@mvt,.*bottleneck.speedup"; }
ok "columns of speed-ups" columns
if command -v gnuplot >/dev/null; then
    ok "three pictures" [ -s one/bars.svg -a -s one/bars-inter.link_bandwidth.svg -a -s one/s-curve.svg ]
fi

sed 's/gemm, mvt/"gemm:nk=16", "gemm:nk=32"/; s/\[eab, bottleneck\]/[eab]/' s.yaml >n.yaml
named() { "$binary" sweep n.yaml -o named --no-plots && head -n 1 named/ranking.csv | grep -q 'speedup@gemm-nk-16,speedup@gemm-nk-32'; }
ok "workloads of one name are told apart" named
cat >cost.yaml <<'Y'
space: cost
machine: sac
workloads: ["gemm:input=small"]
axes: {llc.organisation: [memory-side, static, sm-side, sac]}
objectives: [{maximise: effective_bandwidth}, {minimise: cost.llc_noc_area}]
Y
excluded() { "$binary" sweep cost.yaml -o cost --no-plots | grep -q "excluded 1: .*no figure is published for the organisation static"; }
ok "a cost that nobody knows excludes the point" excluded
page() { "$binary" list models eab >page && grep -q 'llc.remote_share' page && grep -q 'llc.ways' page && grep -q '^try: ' page; }
ok "a model's page has what it reads of a split LLC and with miss curves" page
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What pictures of a sweep do with points that are not there, and with fronts that they cannot
# show: gnuplot is one that gives back what it is told.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

mkdir bin
printf '#!/bin/sh\nexec cat\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$scratch/bin:$PATH
export PATH

# holds NAME FILE WORDS: the file contains the words; lacks: it does not.
holds() {
    grep -qF -- "$3" "$2"
    report $? "$1"
}
lacks() {
    if grep -qF -- "$3" "$2"; then report 1 "$1"; else report 0 "$1"; fi
}
# data FILE NAME: the points of one data block, in a line; an empty line is "|".
data() {
    sed -n "/^\$$2 << END\$/,/^END\$/p" "$1" | sed -e 1,2d -e '$d' -e 's/^$/|/' | tr '\n' ';'
}
# points NAME FILE BLOCK EXPECTED
points() {
    data "$2" "$3" >out
    [ "$(cat out)" = "$4" ]
    report $? "$1"
}

cat >hand.yaml <<'END'
profile: hand-made
point:
  r_local: 0.5
  llc_hit: {memory-side: 0.8, sm-side: 0.5}
  lsu:     {memory-side: 0.9, sm-side: 1.0}
END
sed 's/hand-made/second/' hand.yaml >second.yaml

# The model link refuses an SM-side LLC: the first value of an axis, where nothing is known but
# the place of the point.
cat >refused.yaml <<'END'
space: refused
machine: sac
workloads: [hand.yaml, second.yaml]
models: [link]
axes:
  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}
  llc.organisation: [sm-side, memory-side, sac]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
plots:
  - {kind: bars, by: llc.organisation}
  - {kind: bars, x: llc.organisation}
  - {kind: bars, x: inter.link_bandwidth, by: llc.organisation}
  - {kind: curve, x: inter.link_bandwidth, by: llc.organisation}
  - {kind: s-curve, by: llc.organisation}
  - {kind: pareto, by: llc.organisation}
END
ok "a sweep whose first points are refused" "$binary" sweep refused.yaml -o refused --plot svg
bars=refused/bars-inter.link_bandwidth.svg
points "bars of what is refused are not there" $bars s0 ""
points "those of the others are, from 0 to their values in TB/s" $bars s1 \
    "-0.122666666667 0 0.122666666667 0.576;0.877333333333 0 1.12266666667 1.152;1.87733333333 0 2.12266666667 2.304;"
holds "gaps have a word in their place" $bars \
    "set label 'refused' at first -0.266666666667, graph 0.02 rotate by 90 left"
ok "each of them" test "$(grep -c "^set label 'refused' at first" $bars)" = 6
holds "a line says how many" $bars "not drawn: 6 refused; manifest.yaml says why"
holds "the key has their names" $bars "keyentry with boxes linecolor rgb '#0072b2' fillstyle solid 0.85 noborder title 'sm-side'"
ok "bars by workload, with the mean" test "$(grep -c "^set label 'refused' at first" refused/bars.svg)" = 6
ok "workloads over the axis" test "$(grep -c "^set label 'refused' at first" refused/bars-llc.organisation.svg)" = 6
curve=refused/curve-inter.link_bandwidth.svg
points "the curve that there is, in the colour of its value" $curve s1 "48000000000 0.576;96000000000 1.152;192000000000 2.304;"
holds "its columns have names and units" $curve "# 'memory-side' 'inter.link_bandwidth' GB/s 'effective_bandwidth' TB/s"
holds "those that there are not" $curve "not drawn: 6 refused, all of sm-side, sac among them"
holds "nor in an s-curve" refused/s-curve.svg "not drawn: 4 refused, all of sm-side, sac among them"
lacks "a front of two objectives needs no remark" refused/pareto.svg "dominated"
holds "and has its line" refused/pareto.svg " with steps "

# Points that a condition rejects break a curve.
cat >where.yaml <<'END'
space: where
machine: sac
workloads: [hand.yaml]
axes:
  inter.link_bandwidth: {values: [48, 96, 192, 384, 768], unit: GB/s}
  llc.organisation: [memory-side, sm-side]
where: ["inter.link_bandwidth != 192 GB/s"]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}, {minimise: total.llc_capacity}]
plots:
  - {kind: curve, x: inter.link_bandwidth, by: llc.organisation}
  - {kind: bars, x: inter.link_bandwidth, by: llc.organisation}
  - {kind: pareto, by: llc.organisation}
  - {kind: pareto, x: eab_local, y: eab_remote}
END
ok "a sweep with a gap" "$binary" sweep where.yaml -o where --plot svg
holds "the front's objectives are on the terminal" out \
    "the front is of 3 objectives: maximise effective_bandwidth, minimise inter.link_bandwidth, minimise total.llc_capacity"
data where/curve-inter.link_bandwidth.svg s1 >out
grep -q '^48000000000 [0-9.e+]*;96000000000 [0-9.e+]*;|;384000000000 [0-9.e+]*;768000000000 [0-9.e+]*;$' out
report $? "the curve is broken there"
holds "and says so" where/curve-inter.link_bandwidth.svg "not drawn: 2 excluded; manifest.yaml says why"
holds "bars as well" where/bars-inter.link_bandwidth.svg "set label 'excluded' at first 1.8, graph"
front=where/pareto.svg
holds "a front of three objectives says what it is" $front \
    "front of 3 objectives, seen over two columns: points on it that look dominated are better in total.llc_capacity"
holds "its key is a ring" $front "keyentry with points linecolor rgb '#303030' pointtype 6 pointsize 1.6 title 'Pareto front'"
ok "which its points have" grep -q "^ *\$s[0-9]* with points linecolor rgb '#303030' pointtype 6 pointsize 1.6 title ''" $front
lacks "and has no line" $front " with steps "
holds "columns that are no objectives" where/pareto-4.svg \
    "are better in effective_bandwidth or inter.link_bandwidth or total.llc_capacity"

cat >tornado.yaml <<'END'
space: tornado
machine: sac
workloads: [hand.yaml]
models: [link]
design: one-at-a-time
axes:
  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}
  llc.organisation: [memory-side, sm-side]
where: ["inter.link_bandwidth < 150 GB/s"]
plots: [{kind: tornado}]
END
ok "a tornado" "$binary" sweep tornado.yaml -o tornado --plot svg
grep -q "^set label 'excluded' at first 1.152, first [-0-9.]* right" tornado/tornado.svg &&
    grep -q "^set label 'refused' at first 1.152, first [-0-9.]* right" tornado/tornado.svg
report $? "its gaps have words"
sed -e 's/48, 96, 192/192, 384/' -e 's/memory-side, sm-side/sm-side/' \
    -e 's/one-at-a-time/cross/' -e 's/{kind: tornado}/{kind: curve, x: inter.link_bandwidth}/' \
    tornado.yaml >none.yaml
"$binary" sweep none.yaml -o none --plot svg >out 2>err
lacks "nothing to draw is no crash" err "runtime error"

# Fronts of results and files.
ok "plot: three objectives of a result" "$binary" plot where -o where.svg
holds "are a remark on the terminal" err "front of 3 objectives, seen over two columns"
holds "and in the picture" where.svg "points on it that look dominated are better in total.llc_capacity"

# A share is not on a logarithmic axis, however many decades it spans; what is no share is.
scales() { # y, and whether its axis is logarithmic
    cat >shares.yaml <<END
space: shares
machine: sac
workloads: [hand.yaml]
models: [eab]
axes: {inter.link_bandwidth: {values: [1, 10, 100], unit: GB/s}}
let: {share: "inter.link_bandwidth / 100 GB/s", factor: "inter.link_bandwidth / 50 GB/s"}
objectives: [{maximise: share}, {minimise: factor}]
plots: [{kind: pareto, x: inter.link_bandwidth, y: $1}]
END
    "$binary" sweep shares.yaml -o shares --force --term svg >/dev/null 2>&1 &&
        [ "$(grep -c '^set logscale y' shares/pareto.svg)" = "$2" ]
}
ok "a share along y" scales share 0
ok "a factor along y" scales factor 1

finish

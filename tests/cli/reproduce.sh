#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of a paper as one page: groups, published values and trends of spaces, what the page
# says of them, the same bytes each time, and what is refused.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >paper.yaml <<'Y'
published: paper
summary: two figures by hand
reference: A paper by hand
machine: sac
machines:
  memory-side: {machine: sac, set: {llc.organisation: memory-side}}
  sm-side:     {machine: sac, set: {llc.organisation: sm-side}}
workloads:
  both: {input: small, names: [gemm, mvt]}
figures:
  - {figure: SMs, where: abstract, value: 256, evidence: exact, ours: total.sms}
  - &gain {figure: a gain | that is one, where: Fig. 2, value: 0.01, unit: x, evidence: prediction, model: eab, mean: harmonic, over: both, ours: kernel_time@memory-side / kernel_time@memory-side * 0.5}
  - {<<: *gain, figure: a loss that we call a gain, value: 0.5, ours: kernel_time@memory-side / kernel_time@memory-side * 2}
  - {<<: *gain, figure: of another place, where: Fig. 9, value: 1.5}
labels:
  - label: preferred organisation
    where: Fig. 2
    input: small
    models: [eab]
    choices: {memory-side: "2 * 1 / kernel_time@memory-side", sm-side: "1e-3 / kernel_time@memory-side"}
    workloads: {gemm: memory-side, mvt: sm-side}
Y
cat >two.yaml <<'Y'
space: two
summary: Bars by hand
machine: sac
workloads: ["gemm:input=small", mvt]
models: [eab]
speedup_vs: memory-side
figure: {paper: ./paper.yaml, where: [Fig. 2, abstract]}
groups: {one: [gemm], other: [mvt]}
axes:
  memory.bandwidth: [4 GB/s, 437.5 GB/s]
  llc.organisation: [memory-side, sm-side]
objectives: [{maximise: speedup}]
plots:
  - {kind: bars, by: llc.organisation, published: [{figure: a loss that we call a gain, of: one, at: sm-side}]}
  - {kind: bars, x: llc.organisation, of: groups}
  - {kind: bars, x: memory.bandwidth, by: llc.organisation, trends: {memory-side: falls}}
  - {kind: bars, x: memory.bandwidth, by: llc.organisation, y: effective_bandwidth, trends: {sm-side: rises}}
Y
sed 's/space: two/space: ten/; s/Fig. 2/Fig. 10/; s/Bars by hand/Later bars/' two.yaml >ten.yaml
reproduce() { "$binary" reproduce ./paper.yaml two.yaml ten.yaml --input small "$@"; }
has() { grep -qF -- "$2" "$1"; }

ok "figures in the paper's order" sh -c "'$binary' reproduce ./paper.yaml ten.yaml two.yaml --list --format csv |
    cut -d, -f1,2 | tr '\n' ' ' | grep -qx 'where,space Fig. 2,two Fig. 10,ten '"
checked() { reproduce --check -o none 2>check && has check "paper: 8 points in 2 spaces" && [ ! -e none ]; }
ok "--check says the plan and writes nothing" checked
shared() { mkdir -p empty && BANDSCAPE_CACHE="$scratch/empty" reproduce --check 2>views && has views "views to profile: 2, in the cache: 0"; }
ok "views that spaces, figures and labels share count once" shared
parts() { reproduce --check 2>views && has views "views to profile: 0, in the cache: 2"; }
run() { reproduce -o r -j 1 --no-plots --format csv >r.csv && [ -f r/two/manifest.yaml ] && [ -f r/ten/sample.csv ]; }
ok "runs them" run
ok "and are then in the cache" parts
ok "the page has a section a figure" sh -c "[ \"\$(grep '^## ' r/README.md | sed -n 1,2p | tr '\n' ' ')\" = '## Fig. 2 ## Fig. 10 ' ]"
ok "says the inputs" has r/README.md 'have the input `small`'
ok "a signed error and a right direction" has r/README.md '| a gain \| that is one | 0.01 | 0.5 | x | 4900.00 | no | right |'
ok "a wrong direction" has r/README.md '| a loss that we call a gain | 0.5 | 2 | x | 300.00 | no | wrong |'
# By hand: memory-side against itself does not move; bandwidth rises with links.
ok "a flat series that should fall" has r/README.md '| speedup of memory-side over memory.bandwidth falls | - | 1 | x, last over first | - |  | wrong |'
ok "one that rises" sh -c "grep -q '^Fig. 2,effective_bandwidth of sm-side over memory.bandwidth rises,,[0-9.]*,\"x, last over first\",,,right,trend' r.csv"
ok "labels counted" has r/README.md '| preferred organisation as published, eab | 2 | 1 | workloads | -50.00 |  |  |'
ok "the directions in a sentence" has r/README.md '2 of 4 directions are as published; the other way:'
# By hand: sizes of errors are 49 and 3; of two ratios and two trends a figure's spaces have two are right.
ok "a line a figure" has r/README.md '| Fig. 2 | 2 | 2600.0 | 0 of 2 | 2 of 4 | 1 of 2 |'
ok "of trends alone" has r/README.md '| Fig. 10 | 0 | - | - | 1 of 2 | - |'
ok "of all" has r/README.md '| **all** | 2 | 2600.0 | 0 of 2 | 3 of 6 | 1 of 2 |'
ok "what is exact stands apart" sh -c "sed -n '/^## Exact/,\$p' r/README.md | grep -qF '| SMs | 256 | 256 |  | 0.00 | yes |'"
again() { reproduce -o again -j 3 --no-plots >/dev/null && rm -f r/*/run.yaml again/*/run.yaml && diff -r r again; }
ok "the same bytes again, for any number of threads" again
over() { reproduce -o r --no-plots --format json | grep -q '"direction": "right"'; }
ok "in the place of an earlier one; JSON" over
alone() {
    reproduce --figure 2 -o f2 --no-plots --format csv >f2.csv && [ ! -e f2/ten ] &&
        has f2.csv "that is one" && ! has f2.csv "of another place"
}
ok "--figure: one of them, and what is published of it" alone

ok "--figure: by a further place" sh -c "'$binary' reproduce ./paper.yaml two.yaml ten.yaml --figure abstract --list | grep -c 'Fig. ' | grep -qx 2"

# Pages differ behind L1 alone: what two spaces, the figures and the labels want is made by a pass a workload, and is
# what each space makes by itself.
for size in 8 64; do
    sed "s/space: two/space: pages$size/; s/^axes:/axes:\\n  page.size: [$size KiB]/" two.yaml >pages$size.yaml
done
paged() { BANDSCAPE_CACHE="$scratch/p1" "$binary" reproduce ./paper.yaml pages8.yaml pages64.yaml --input small --no-plots "$@" 2>paged.words; }
passes() { mkdir -p p1 p2 && paged --check && has paged.words "8 points in 2 spaces; views to profile: 6 in 2 passes, in the cache: 0"; }
ok "one pass for what differs behind L1, over all spaces" passes
alike() {
    paged -o paged >/dev/null && paged --check && has paged.words "views to profile: 0, in the cache: 6" || return 1
    for size in 8 64; do
        BANDSCAPE_CACHE="$scratch/p2" "$binary" sweep pages$size.yaml --input small -o alone$size --no-plots >/dev/null 2>&1 &&
            cmp paged/pages$size/sample.csv alone$size/sample.csv && cmp paged/pages$size/ranking.csv alone$size/ranking.csv || return 1
    done
}
ok "as each by itself" alike

if command -v gnuplot >/dev/null; then
    drawn() { reproduce --figure 2 -o drawn --term svg && has drawn/README.md '![two](two/bars.svg)' && has drawn/two/bars.svg published; }
    ok "pictures with published values" drawn
    ok "groups have bars" has drawn/two/bars-llc.organisation.svg "other"
    ok "two pictures of a kind have two names" [ -f drawn/two/bars-memory.bandwidth-effective_bandwidth.svg ]
    # The value is a mark on a curve, too: in white and in dark, at its place on the axis.
    sed '/^groups/d; /^plots/,$d' two.yaml >curve.yaml
    echo 'plots: [{kind: curve, x: memory.bandwidth, by: llc.organisation, published: [{figure: a loss that we call a gain, of: 437.5 GB/s, at: sm-side}]}]' >>curve.yaml
    on_curve() {
        "$binary" sweep curve.yaml -o curve --term svg --script && has curve/curve-memory.bandwidth.svg published &&
            [ "$(grep '^published,' curve/curve-memory.bandwidth.data.csv)" = "published,4.375e+11,0.5" ]
    }
    ok "published values on curves" on_curve
    sed 's/, by: llc.organisation, published/, published/' curve.yaml >bad.yaml
    fails "of curves that have names" "published values stand in plots of bars, and of curves with by" "$binary" sweep bad.yaml -o never
else
    skip "pictures" "no gnuplot"
fi
bare() {
    mkdir -p bin && PATH="$scratch/bin" "$binary" reproduce ./paper.yaml two.yaml --input small -o bare 2>words &&
        has words "no pictures:" && has bare/README.md "(No picture:"
}
ok "without gnuplot the page is there" bare
mkdir -p own && echo mine >own/README.md
fails "a page of somebody else" "reproduce did not write it" reproduce -o own
ok "stays" has own/README.md mine
fails "no paper" "reproduce takes a paper" "$binary" reproduce
fails "an unknown paper" 'did you mean "sac"?' "$binary" reproduce sca
fails "a paper of numbers alone" "bandscape validate today" "$binary" reproduce today
fails "an unknown figure" "no space reproduces 77 of sac" "$binary" reproduce sac --figure 77
fails "a space of another paper" "space two is of the paper paper, not of sac" "$binary" reproduce sac two.yaml
fails "a space without a figure" "space mcm-energy reproduces no figure" "$binary" reproduce mcm mcm-energy
fails "a space twice" 'there are two spaces "two"' "$binary" reproduce ./paper.yaml two.yaml two.yaml --check
broken() { # name words sed-script
    sed "$3" two.yaml >broken.yaml
    fails "$1" "$2" "$binary" reproduce ./paper.yaml broken.yaml --check
}
broken "an unknown published figure" 'did you mean "a loss that we call a gain"?' 's/figure: a loss that we/figure: a loss that we we/'
broken "an unknown place of it" 'the plot has nothing of the name "nowhere"' 's/of: one/of: nowhere/'
broken "a trend of an unknown series" 'the axis llc.organisation has no value "sm-sidee"' 's/{sm-side: rises}/{sm-sidee: rises}/'
broken "an unknown way" 'broken.yaml:17:103: error: trends: unknown way "grows"' 's/rises/grows/'
broken "a group of what is not there" '"lud" is no workload of the space' 's/other: \[mvt\]/other: [lud]/'
broken "groups where there are none" "of: groups is for bars" '/^groups/d'
broken "a figure without its place" 'a figure' 's/, where: \[Fig. 2, abstract\]//'
shipped() { for p in sac mcm dcl1 dualopt nuba; do "$binary" reproduce $p --list || return 1; done; }
ok "each paper has figures" shipped
finish

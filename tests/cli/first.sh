#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape whatif: one answer first, the range of the others, preferences; several values of a setting.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .
whatif() { "$binary" whatif -m sac "$@"; }
small="-w gemm:input=small"

# --- one answer: the network's, as JSON has it
whatif $small >first 2>said
whatif $small --format json >all.json 2>said
ok "who answers" grep -qx "gemm on sac, answered by network" first
rows() { [ "$(grep -cE '^(memory-side|sm-side|sac) ' first)" = 3 ]; }
ok "a row an organisation" rows
narrow() { ! sed '/^gemm: /d' first | grep -q '.\{81\}'; }
ok "in 80 columns" narrow
# Hand calculation: the links of the hand-made profile allow 1.152 TB/s memory-side, twice that SM-side.
whatif -w hand.profile.yaml >hand 2>said
ok "what limits and what comes next" grep -qE '^memory-side +1.152 TB/s +- +inter 100 %, memory [0-9]+ % ' hand
ok "the range of the other kinds" grep -qE '^memory-side .* 1.15 - 7.4 TB/s$' hand
ok "what is preferred" grep -qx "No preference: sm-side and sac are within 5 %; memory-side is 2 times slower." hand
ok "why kinds differ" grep -q '^Why: EAB-style' hand
agreed() { ! grep -q disagree hand; }
ok "nothing is said where kinds agree" agreed
# A table is made of answers that have no more than it shows; with every term they have all.
in_a_line() { # words of the question
    "$binary" whatif "$@" >short 2>short.said && "$binary" whatif "$@" --explain >long 2>long.said && [ "$(wc -l <short)" -gt 4 ] &&
        head -n "$(wc -l <short)" long | cmp - short && cmp short.said long.said
}
ok "what is not shown is not needed" in_a_line -m sac -w bfs:input=small
ok "of several kinds" in_a_line -m sac -w lud:input=small --all-models
ok "of several machines" in_a_line -m nuba -w gemm:input=small -s llc.capacity=x1,x2 --all-models
ok "beside a baseline" in_a_line -m sac -w gemm:input=small --baseline memory-side
preferred() { whatif -w hand.profile.yaml -o memory-side -o sm-side 2>said | grep -qx "Preferred: sm-side, 2 times as fast as memory-side."; }
ok "one of two" preferred
disagreed() {
    whatif -w lud:input=small -O memory-side -O sm-side 2>said |
        grep -q "^Kinds disagree: EAB-style prefers sm-side by .*x, bottleneck prefers sm-side"
}
ok "kinds that disagree" disagreed
models() { whatif $small --all-models 2>said | awk '$1 == "gemm" { m[$3] = 1 } END { n = 0; for (k in m) n++; exit n < 5 }'; }
ok "every model on request" models
# What the equations of other kinds leave out is not said beside one answer; of all answers it is.
quiet() { "$binary" whatif -m a100 -w gemm:input=small >first 2>said; ! grep -q '^bandscape: mdr: ' said; }
ok "other kinds' warnings are not there" quiet
loud() { "$binary" whatif -m a100 -w gemm:input=small --all-models >first 2>said; grep -q '^bandscape: mdr: optimistic' said; }
ok "but with all models" loud
refused() { "$binary" whatif -m dcl1 $small 2>said | head -1 | grep -q "answered by"; }
ok "another machine" refused
fails "models and all of them" "exclude each other" whatif $small --model eab --all-models

# --- several values of a setting
values() { whatif $small --model eab -o memory-side --set "inter.link_bandwidth=$1" --format csv 2>said | awk -F, 'NR > 1 { printf "%s ", $1 / 1e9 }'; }
is() { got=$(values "$1"); [ "$got" = "$2 " ] || { echo "got: $got"; return 1; }; }
ok "a list" is 48,96GB/s,192GB/s "48 96 192"
ok "a range doubles" is 48..192GB/s "48 96 192"
ok "and ends where it is to" is 48..200GB/s "48 96 192 200"
ok "so many" is 40..80GB/s:3 "40 60 80"
ok "factors of the machine's own" is x0.5..x2 "48 96 192"
ok "less and more" is +-25% "72 96 120"
ok "with the sign" is ±25% "72 96 120"
ok "factors in a list" is "*2,+50%,-50%" "192 144 48"
ok "parts, and so much more" is "/2,+32GB/s" "48 128"
ok "evenly, in the logarithm beyond a factor of four" is "12..192GB/s:3" "12 48 192"
as_one() { # *2 is what it says
    whatif $small --model eab --set 'inter.link_bandwidth=*2' --format csv >one 2>said &&
        whatif $small --model eab --set inter.link_bandwidth=192GB/s --format csv >other 2>said && cmp one other
}
ok "one value is no list" as_one
each() { # each row is what one value alone gives
    whatif $small --model network -o sm-side --set chips=2,4 --set inter.link_bandwidth=48,96GB/s --format csv 2>said | awk -F, 'NR == 3' | cut -d, -f3- >row &&
        whatif $small --model network -o sm-side --set chips=2 --set inter.link_bandwidth=96GB/s --format csv 2>said | tail -n 1 >alone && cmp row alone
}
ok "two lists are all combinations" each
names() { whatif $small --model eab --set page.policy=first-touch,interleave --format json 2>said | grep -c '"page.policy"' | grep -qx 6; }
ok "names; JSON says which" names
compared() { "$binary" compare sac sac-2chip $small --set inter.link_bandwidth=48,96GB/s --format csv | awk -F, 'NR > 1' | cut -d, -f2 >rows && [ "$(wc -l <rows)" = 4 ] && grep -qx "sac-2chip inter.link_bandwidth=96 GB/s" rows; }
ok "compare takes them" compared
fails "not every command does" "takes one value of each" "$binary" profile gemm:input=small -m sac -s chips=2,4 -o x.yaml
fails "an empty range" "the range is empty" whatif $small --set inter.link_bandwidth=48..24GB/s
fails "no unit" "the unit is missing" whatif $small --set inter.link_bandwidth=48,96
fails "no value at all" 'link_bandwidth: expected a number with a unit, got "x"' whatif $small --set inter.link_bandwidth=48,x
fails "a hole" "a value is missing" whatif $small --set chips=2,,4
fails "several organisations" "several organisations are --organisation" whatif $small --set llc.organisation=memory-side,sm-side

# --- sweeps: which kind ranks, where others differ, what does not matter
space() { # rank, folder, models
    printf 'space: kinds\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [%s]\naxes:\n  inter.link_bandwidth: {values: [48, 96], unit: GB/s}\n  memory.bandwidth: {values: [400, 800], unit: GB/s}\nrank: {by: effective_bandwidth%s}\n' "${3:-eab, bottleneck}" "$1" >kinds.yaml
    "$binary" sweep kinds.yaml -o "out$2" --no-plots >summary 2>said
}
ranked() { # model folder rank models
    space "$3" "$2" "$4" && grep -q "ranked by effective_bandwidth of $1 (" summary && grep -q "^rank: {by: effective_bandwidth, model: $1, " "out$2/manifest.yaml"
}
ok "of several models the nearest to simulations ranks" ranked bottleneck 3 ""
ok "whatever their order" ranked bottleneck 4 "" "bottleneck, eab"
ok "one alone ranks" ranked eab 5 "" eab
ok "of two that whatif does not ask, the first" ranked eab 6 "" "eab, link"
narrowed() { "$binary" sweep kinds.yaml --model bottleneck --model eab -o out7 --no-plots | grep -q "of bottleneck ("; }
ok "models of the command line rank likewise" narrowed
ok "or the one that the space says" ranked eab 1 ", model: eab"
differs() { grep -q "^  bottleneck (.*) differs by more than 10 % on 4 of 4 points looked at; the best is the same$" summary && grep -q '^  - "\?bottleneck (' out1/manifest.yaml; }
ok "the other one differs" differs
other() { space ", model: bottleneck" 2 && grep -q "ranked by effective_bandwidth of bottleneck" summary && head -1 out2/ranking.csv | cmp -s - header; }
said_narrowed() {
    space ", model: eab" 8 && "$binary" sweep kinds.yaml --model bottleneck --model eab -o out9 --no-plots | grep -q "of eab ("
}
ok "which stays where the command line has it among others" said_narrowed
head -1 out1/ranking.csv >header
ok "another model ranks; columns stay" other
drawn() { # folder model
    "$binary" plot "$1" --kind curve --x inter.link_bandwidth -o "$1.svg" && grep -q ">effective bandwidth ($2) (" "$1.svg"
}
if command -v gnuplot >/dev/null; then
    ok "pictures of it, drawn again, are of the model that ranks" drawn out1 eab
    ok "whichever that is" drawn out2 bottleneck
fi
# The links of this profile bind at the fixed mix: memory is no limit.
idle() { grep -q "^  axis memory.bandwidth hardly matters: at the best point it does not move effective_bandwidth$" summary && ! grep -q "axis inter" summary; }
ok "what does not matter" idle
space ", model: network" 3
fails "a model that is not there" "none of the space's" "$binary" sweep kinds.yaml -o out3

# --- within some of the best; tolerances of fronts. Bandwidth is proportional to the links here.
near() { # where objectives rank out
    printf 'space: near\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [bottleneck]\naxes:\n  inter.link_bandwidth: {values: [48, 90, 92, 95, 96, 48.1], unit: GB/s}\n%s\nobjectives: %s\nrank: {by: %s}\n' "$1" "$2" "$3" >near.yaml
    "$binary" sweep near.yaml -o "near$4" --no-plots -j 2 >summary 2>said
}
links() { awk -F, 'NR > 1 { printf "%s ", $1 / 1e9 }' "$1"; }
cheapest() {
    near 'where: ["effective_bandwidth within 5% of best"]' '[{minimise: inter.link_bandwidth}]' inter.link_bandwidth 1 &&
        [ "$(links near1/ranking.csv)" = "92 95 96 " ] && grep -q "excluded 3: where: effective_bandwidth within 5% of best" summary
}
ok "the cheapest within 5 % of the best" cheapest
least() {
    near 'where: ["1/effective_bandwidth within 5% of best", "inter.link_bandwidth >= 90 GB/s"]' '[{minimise: inter.link_bandwidth}]' inter.link_bandwidth 2 &&
        [ "$(links near2/ranking.csv)" = "90 92 " ]
}
ok "of an expression, among what other conditions leave" least
# Intervals of 20 %: log(links) / log 1.2 is 134.9 (48, 48.1) and 138.3 to 138.7; of the bandwidths 148.5, 151.97 (90),
# and 152.1 to 152.3: 92 is better than 90 and as cheap, and the first of its box stays.
coarse() {
    near '' '[{maximise: effective_bandwidth, tolerance: 20%}, {minimise: inter.link_bandwidth, tolerance: 20%}]' effective_bandwidth 3 &&
        [ "$(links near3/pareto.csv)" = "48 92 " ] && grep -q 'tolerance: 0.2}' near3/manifest.yaml
}
ok "a front with a tolerance" coarse
fine() { near '' '[{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]' effective_bandwidth 4 && [ "$(links near4/pareto.csv | wc -w)" = 6 ]; }
ok "and without" fine
near 'where: ["effective_bandwidth within 5 of best"]' '[{minimise: inter.link_bandwidth}]' inter.link_bandwidth 5
fails "no share" "expected METRIC within SHARE of best" "$binary" sweep near.yaml -o near5
near '' '[{minimise: inter.link_bandwidth, tolerance: 0}]' inter.link_bandwidth 6
fails "no tolerance" "tolerance: expected a share" "$binary" sweep near.yaml -o near6

# --- mistakes that say what is meant
unit() { fails "the unit $1" "did you mean $2" whatif $small --set "$3=$1"; }
unit 100Gbit/s "GB (1 GB is 8 Gbit)?" inter.link_bandwidth
unit 100gb/s "GB?" inter.link_bandwidth
unit 1µs "us?" memory.latency
unit 4mib "MiB?" llc.capacity
fails "an empty array" "ni=0 leaves array A of gemm empty" whatif -w gemm:input=small,ni=0
mkdir folder
fails "a folder as a trace" "folder is a folder" "$binary" trace info folder
printf 'a,b\n1,2\n2,1\n' >two.csv
fails "a format that there is not" "no format has the ending .bmp" "$binary" plot two.csv --minimise a --minimise b -o x.bmp
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of picture in every format; in one column of a page no text meets another one.
. tests/cli/common.sh.inc
overlap=$PWD/tests/svg_overlap.awk
cd "$scratch" || exit 1

if ! gnuplot --version >/dev/null 2>&1; then
    skip "kinds of pictures" "gnuplot is not installed"
    finish
    exit
fi

# apart NAME FILE: an SVG whose texts are beside each other, inside of it.
apart() {
    LC_ALL=C awk -f "$overlap" "$2" >met 2>&1
    [ ! -s met ]
    report $? "$1: texts do not meet"
    [ ! -s met ] || sed 's/^/#   /' met
}
# begins FILE FORMAT
begins() {
    case $2 in
    svg) head -c 5 "$1" | grep -q '<?xml' && grep -q '</svg>' "$1" ;;
    png) head -c 4 "$1" | grep -q PNG ;;
    pdf) head -c 4 "$1" | grep -q %PDF ;;
    eps) head -n 1 "$1" | grep -q '^%!PS-Adobe.*EPSF' && ! grep -q CreationDate "$1" ;;
    tex) head -n 1 "$1" | grep -q 'begin{tikzpicture}' && ! grep -q '%% ... ... .* 20[0-9][0-9]$' "$1" ;;
    txt) grep -q '[-+|]' "$1" && ! grep -q '<svg' "$1" ;;
    esac
}
# kind NAME ARGUMENTS...: of bandscape plot, in every format.
kind() {
    name=$1
    shift
    wrong=
    for format in svg png pdf eps tex txt; do
        "$binary" plot "$@" --width one -o "$name.$format" >out 2>err && begins "$name.$format" $format ||
            wrong="$wrong $format: $(head -n 1 err)"
    done
    [ -z "$wrong" ]
    report $? "$name: every format$wrong"
    apart "$name" "$name.svg"
}
# every NAME COMMAND...: the command, {} for a file's name, in every format but text.
every() {
    name=$1 wrong=
    shift
    for format in svg png pdf eps tex; do
        command=$(echo "$*" | sed "s/{}/every.$format/; s/{format}/$format/")
        eval "\"\$binary\" $command" >out 2>err && begins "${folder:+$folder/}$(eval echo "$file").$format" $format ||
            wrong="$wrong $format: $(head -n 1 err)"
    done
    [ -z "$wrong" ]
    report $? "$name: every format$wrong"
}
holds() {
    grep -qF -- "$3" "$2"
    report $? "$1"
}
lacks() {
    if grep -qF -- "$3" "$2"; then report 1 "$1"; else report 0 "$1"; fi
}

cat >designs.csv <<'END'
design,area,effective_bandwidth,kernel_time,llc.organisation
a,10,1e12,3e-5,memory-side
b,12,1.9e12,2e-5,memory-side
c,20,2.2e12,1e-5,sm-side
d,40,2.5e12,9e-6,sm-side
e,25,1.7e12,1e-5,sac
f,60,2.45e12,8e-6,sac
END
kind pareto designs.csv --minimise area --maximise effective_bandwidth --by llc.organisation
holds "names its knee" pareto.svg ">knee<"
kind pareto-3 designs.csv --minimise area --maximise effective_bandwidth --minimise kernel_time
holds "a third objective is a scale of colours" pareto-3.svg ">kernel time"
kind colours designs.csv --minimise area --minimise kernel_time --maximise effective_bandwidth
holds "and has its unit" colours.svg ">effective bandwidth (TB/s)<"
kind curve designs.csv --kind curve --x area --y effective_bandwidth --by llc.organisation
holds "axes are words with units" curve.svg ">effective bandwidth"
lacks "and no names" curve.svg "effective_bandwidth"

cat >band.csv <<'END'
load,latency,low,high
0.1,2e-7,1.9e-7,2.2e-7
0.5,3e-7,2.5e-7,3.8e-7
0.9,9e-7,6e-7,1.4e-6
END
kind band band.csv --kind curve --x load --y latency:low:high
holds "a band is filled" band.svg "fill-opacity"
kind spans band.csv --kind bars --x load --y latency:low:high
printf 'load,latency\n4,1\n,2\n1,3\n8,2\n,5\n2,7\n' >gaps.csv
ok "numbers with gaps" "$binary" plot gaps.csv --kind bars --x load --y latency --script -o gaps.svg
holds "are in their order" gaps.gp "('1' 0, '2' 1, '4' 2, '8' 3)"
awk 'BEGIN { print "a,b,group"; for (i = 1; i < 13; i++) print i "," 13 - i "," (i % 4 ? "" : 1) }' >few.csv
ok "cells that are empty are no scale of colours" "$binary" plot few.csv --minimise a --minimise b --by group -o few.svg

cat >workloads.csv <<'END'
workload,organisation,speedup,local_llc,remote_llc,memory
gemm,memory-side,1,0.5,0.3,0.2
gemm,sm-side,1.4,0.6,0.1,0.3
stencil-of-a-long-name,memory-side,1,0.4,0.4,0.2
stencil-of-a-long-name,sm-side,0.8,0.7,,0.3
breadth-first-search,memory-side,1,0.2,0.6,0.2
breadth-first-search,sm-side,,,,
END
kind bars workloads.csv --kind bars --x workload --y speedup --by organisation
holds "a gap has a word" bars.svg ">unknown<"
kind stacked workloads.csv --kind stacked --x workload --by organisation --y local_llc --y remote_llc --y memory
holds "parts have words" stacked.svg ">remote LLC<"
ok "names that begin alike keep their ends" grep -q '>stencil-…, sm-side<' stacked.svg
kind s-curve workloads.csv --kind s-curve --y speedup --by organisation
lacks "between ranks there is nothing" s-curve.svg ">1.5<"

cat >grid.csv <<'END'
inter.link_bandwidth,llc.capacity,speedup,best
48e9,1048576,0.8,memory-side
96e9,1048576,0.9,memory-side
192e9,1048576,1.1,sm-side
48e9,2097152,0.9,memory-side
96e9,2097152,1.2,sm-side
192e9,2097152,1.3,sm-side
48e9,4194304,1.1,sm-side
96e9,4194304,1.4,sm-side
END
kind heat grid.csv --kind heat --x inter.link_bandwidth --y llc.capacity --by speedup --by best
holds "names what is decided" heat.svg ">sm-side<"
holds "marks what is not there" heat.svg ">x<"
kind regions grid.csv --kind heat --x inter.link_bandwidth --y llc.capacity --by best

cat >moves.csv <<'END'
parameter,less,more
memory.latency,-0.01,0.01
inter.link_bandwidth,0.2,-0.1
sm.clock,,-0.15
END
kind tornado moves.csv --kind tornado --x parameter --y less --y more
ok "a tornado's widest bar is on top" sh -c \
    "tr -d '\n' <tornado.svg | grep -q 'memory latency.*SM clock.*inter-chip link bandwidth'"

cat >roof.csv <<'END'
workload,reuse,effective_bandwidth,memory_roof,llc_roof
gemm,20,2.9e12,1.4e13,3e12
bfs,1.5,0.7e12,1.05e12,3e12
stencil,4,2.2e12,2.8e12,3e12
END
kind roofline roof.csv --kind roofline --x reuse --y effective_bandwidth --y memory_roof --y llc_roof --by workload
holds "names its points" roofline.svg ">stencil<"

# What other commands draw.
cat >hand.yaml <<'END'
profile: hand-made
point:
  r_local: 0.5
  llc_hit: {memory-side: 0.8, sm-side: 0.5}
  lsu:     {memory-side: 0.9, sm-side: 1.0}
END
sed 's/hand-made/second/' hand.yaml >second.yaml
cat >space.yaml <<'END'
space: space
machine: sac
workloads: [hand.yaml, second.yaml]
models: [link]
design: one-at-a-time
axes:
  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}
  llc.organisation: [memory-side, sm-side, sac]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
groups: {first: [hand.yaml]}
plots:
  - {kind: bars, by: llc.organisation}
  - {kind: curve, x: inter.link_bandwidth}
  - {kind: s-curve, by: llc.organisation}
  - {kind: tornado}
  - {kind: pareto, by: llc.organisation}
END
ok "a sweep draws for a page" "$binary" sweep space.yaml -o space --plot svg --plot eps --width one --script
for picture in bars curve-inter.link_bandwidth s-curve tornado pareto; do
    apart "$picture of a sweep" "space/$picture.svg"
    begins "space/$picture.eps" eps && [ -s "space/$picture.gp" ] && [ -s "space/$picture.data.csv" ]
    report $? "$picture of a sweep: EPS, script and data"
done
# A title of two lines beside names that are turned: gnuplot drops what would stand outside.
holds "both lines of a title are there" space/bars.svg ">effective bandwidth<"
holds "and its unit" space/bars.svg ">(TB/s)<"
ok "its script draws it again" sh -c 'mkdir again && cp space/bars.gp again && cd again && gnuplot bars.gp && grep -q "</svg>" bars.svg'
ok "a table is not replaced by data" grep -q '^inter.link_bandwidth,' space/pareto.csv
for picture in bars curve-inter.link_bandwidth s-curve tornado pareto; do
    file=every folder=
    every "$picture of a sweep" plot space/$picture.picture.yaml --width one -o "{}"
    ok "$picture from its description" "$binary" plot "space/$picture.picture.yaml" --width one -o again.svg
    ok "is the same picture" cmp "space/$picture.svg" again.svg
done
ok "or looks otherwise" "$binary" plot space/bars.picture.yaml --width two --label sac="at run time" -o again.svg
holds "as asked for" again.svg ">at run time<"
fails "what it shows is said" '--x has no effect: space/bars.picture.yaml says what the picture shows' \
    "$binary" plot space/bars.picture.yaml --x llc.capacity
sed 's/xs: \[/xs: [1, /' space/bars.picture.yaml >bad.picture.yaml
fails "a description that is damaged" 'expected' "$binary" plot bad.picture.yaml -o never.svg
sed 's/style: 5/style: 77/' space/bars.picture.yaml >bad.picture.yaml
fails "a style that is none" 'bad.picture.yaml:7:' "$binary" plot bad.picture.yaml -o never.svg
env PATH=/nonexistent "$binary" sweep space.yaml -o bare >out 2>err
[ $? = 0 ] && [ -s bare/tornado.gp ] && [ -s bare/bars.data.csv ] && ! ls bare | grep -q 'svg\|png'
report $? "a sweep without gnuplot leaves scripts and data"

# Many names of many bars: small and upright, and the bars have half of the picture.
names=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    sed "s/hand-made/workload-$i/" hand.yaml >many-$i.yaml
    names="$names${names:+, }many-$i.yaml"
done
sed "s/^workloads.*/workloads: [$names]/; s/\[link\]/[eab]/; /^groups/d; /^design/d; /s-curve\|tornado\|curve\|pareto/d" space.yaml >many.yaml
ok "sixteen workloads" "$binary" sweep many.yaml -o many --term svg --width one --script
apart "sixteen workloads" many/bars.svg
ok "bars have half of the picture" awk '/^set bmargin at screen/ { found = $5 > 0.1 && $5 < 0.5 } END { exit !found }' many/bars.gp

# Two axes at once. The bottleneck of these profiles are the links: in proportion to them, and 12 times one of them
# memory-side.
cat >cells.yaml <<'END'
space: cells
machine: sac
workloads: [hand.yaml]
models: [bottleneck]
axes:
  inter.link_bandwidth: {values: [24, 48, 96], unit: GB/s}
  memory.bandwidth: {values: [437.5, 875], unit: GB/s}
where: ["inter.link_bandwidth < 90 GB/s or memory.bandwidth < 500 GB/s"]
rank: {by: effective_bandwidth}
plots:
  - {kind: heat, x: inter.link_bandwidth, by: memory.bandwidth}
END
ok "a sweep's cells" "$binary" sweep cells.yaml -o cells --term svg --term eps --term tex --width one --script
cells=cells/heat-inter.link_bandwidth
apart "cells of a sweep" $cells.svg
holds "say what colours are" $cells.svg ">effective bandwidth"
holds "what runs across" $cells.svg ">inter-chip link bandwidth<"
holds "with its values" $cells.svg ">96 GB/s<"
holds "what is not there has a mark" $cells.svg ">x<"
begins $cells.eps eps
report $? "cells of a sweep: EPS"
values() { # of the five cells, two corners each: the last value once, since the other one is not there
    [ "$(sed 1d $cells.data.csv | cut -d, -f4 | sort -g | uniq -c | awk '{ printf "%d of %.3g; ", $1, $2 }')" = \
        "4 of 2.88e+11; 4 of 5.76e+11; 2 of 1.15e+12; " ]
}
ok "their values are the model's" values
every "cells of a sweep" plot $cells.picture.yaml --width one -o "{}"
ok "cells from their description" "$binary" plot $cells.picture.yaml --width one -o again.svg
ok "are the same picture" cmp $cells.svg again.svg
sed 's/, by: memory.bandwidth//' cells.yaml >bad.yaml
fails "cells of one axis" "a heat map needs x and by: the axes of its cells" "$binary" sweep bad.yaml -o never
sed 's/by: memory.bandwidth/by: inter.link_bandwidth/' cells.yaml >bad.yaml
fails "or of one axis twice" "inter.link_bandwidth" "$binary" sweep bad.yaml -o never
ok "nothing was written of them" test ! -e never

# Parts of a whole. Of this profile half of the requests are local; memory-side 0.8 of all hit: parts by hand.
sed 's/^models: .*/models: [eab]/; s/^objectives.*/objectives: [{maximise: effective_bandwidth}]/; /^plots/,$d; /^design/d' space.yaml >parts.yaml
cat >>parts.yaml <<'END'
plots:
  - {kind: stacked, by: llc.organisation, parts: [responses_local_llc, responses_remote_llc, responses_local_memory, responses_remote_memory]}
  - {kind: stacked, x: inter.link_bandwidth, parts: [responses_local_llc, responses_remote_llc]}
END
ok "a sweep's parts" "$binary" sweep parts.yaml -o parts --term svg --term eps --term tex --width one --script
apart "parts of a sweep" parts/stacked.svg
begins parts/stacked.eps eps
report $? "parts of a sweep: EPS"
holds "parts have words" parts/stacked.svg ">responses remote LLC<"
holds "the order of a workload's bars is said" parts/stacked.svg "bars from the left: memory-side"
# Corners of boxes, two a bar and part: of both workloads, their group and their mean, three bars each; the
# second corner is as high as the parts up to it together: memory-side 0.4, 0.8, 0.9, 1.
tops() { # row of a name's bars, out of 4 names of three; the heights of the parts there
    sed 1d parts/stacked.data.csv | awk -F, -v bar="$1" '
        $1 != last { last = $1; n = 0 } { if (++n == 2 * bar) printf "%.3g ", $3 }'
}
memory_side() { [ "$(tops 1)" = "0.4 0.8 0.9 1 " ] && [ "$(tops 4)" = "0.4 0.8 0.9 1 " ] && [ "$(tops 10)" = "0.4 0.8 0.9 1 " ]; }
ok "parts stand on each other, by hand" memory_side
whole() { for bar in 1 2 3 4 5 6 7 8 9 10 11 12; do tops $bar | awk '{ exit !($4 > 0.999 && $4 < 1.001) }' || return 1; done; [ -z "$(tops 13)" ]; }
ok "and are the whole" whole
ok "over an axis: a bar a value" sh -c '[ "$(grep -c . parts/stacked-inter.link_bandwidth.data.csv)" = 13 ] && grep -q ">96 GB/s<" parts/stacked-inter.link_bandwidth.svg'
every "parts of a sweep" plot parts/stacked.picture.yaml --width one -o "{}"
ok "parts from their description" "$binary" plot parts/stacked.picture.yaml --width one -o again.svg
ok "are the same picture" cmp parts/stacked.svg again.svg
bad_parts() { # name words script
    sed "$3" parts.yaml >bad.yaml
    fails "$1" "$2" "$binary" sweep bad.yaml -o never
}
bad_parts "parts of two units" "bad.yaml:11:72: error: parts: responses_local_llc and kernel_time have different units" '11s/responses_remote_llc/kernel_time/'
bad_parts "a part that there is not" 'bad.yaml:11:72: error: parts: there is no column "responses_far_llc"' '11s/responses_remote_llc/responses_far_llc/'
bad_parts "one part" "a stacked plot needs parts: two metrics or more" '12s/, responses_remote_llc//'
bad_parts "bars of two axes" "a stacked plot needs by:" '12s/x: inter/by: llc.organisation, &/'
bad_parts "parts of bars" "parts are of plots of kind stacked" '11s/kind: stacked/kind: bars/'
bad_parts "a stacked plot with y" "a stacked plot has parts: no y" '12s/x: inter/y: kernel_time, &/'

# Rooflines, latency against load, miss ratios and sharing of a space's workloads.
cat >views.yaml <<'END'
space: views
machine: sac
workloads: ["gemm:input=small", "lud:input=small", "stencil:input=small"]
models: [network]
axes:
  sm.issue: {values: [0.02, 0.1, 0.5, 1], unit: GHz}
  llc.organisation: [memory-side, sm-side]
rank: {by: effective_bandwidth}
plots:
  - {kind: roofline, by: llc.organisation}
  - {kind: latency, x: sm.issue, y: latency_remote_miss, by: llc.organisation}
  - {kind: misses}
  - {kind: sharing}
END
ok "what profiles and roofs say" "$binary" sweep views.yaml -o views -s memory.bandwidth=20GB/s --term svg --term eps --term tex --term png --width one --script
for picture in roofline latency-sm.issue misses sharing; do
    apart "$picture of a space" views/$picture.svg
    begins views/$picture.eps eps && begins views/$picture.tex tex && begins views/$picture.png png &&
        "$binary" plot views/$picture.picture.yaml --width one -o $picture.pdf >out 2>err && begins $picture.pdf pdf &&
        "$binary" plot views/$picture.picture.yaml -o $picture.txt >out 2>err && begins $picture.txt txt
    report $? "$picture of a space: every format"
    ok "$picture from its description" "$binary" plot views/$picture.picture.yaml --width one -o again.svg
    ok "is the same picture" cmp views/$picture.svg again.svg
done
column() { # name of a column of the ranking: its first value
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c; exit }' views/ranking.csv
}
roof() { # the best point's gemm: bytes asked for over bytes moved; memory's roof is 4 * 20 GB/s of that
    reuse=$(awk -v b="$(column effective_bandwidth@gemm)" -v t="$(column kernel_time@gemm)" -v r="$(column memory_read@gemm)" \
        -v w="$(column memory_written@gemm)" 'BEGIN { printf "%.9g", b * t / (r + w) }')
    awk -F, -v x="$reuse" -v side="$(column llc.organisation)" '
        $1 == side && !at { at = 1; d = $2 / x - 1; good = d < 1e-6 && -d < 1e-6 }
        $1 == "memory" { e = $3 / $2 / 8e10 - 1; roofs += e < 1e-6 && -e < 1e-6 }
        $1 == "LLC" { e = $3 / 1.6e13 - 1; roofs += e < 1e-6 && -e < 1e-6 }
        END { exit !(good && roofs == 4) }' views/roofline.data.csv
}
ok "a roofline by hand" roof
holds "names its points" views/roofline.svg ">stencil<"
ok "more load, more latency" awk -F, '$1 == "sm-side" { if (n++ && !($2 > x && $3 > y)) bad = 1; x = $2; y = $3 } END { exit !(n == 4 && !bad) }' views/latency-sm.issue.data.csv
"$binary" profile gemm:input=small -m sac -o alone.profile.yaml >out 2>err
"$binary" profile show alone.profile.yaml --plots alone --script >out 2>err
misses() { # those of the profile by itself, where both have them
    case $(column llc.organisation) in memory-side) kind="all requests at the home chip" ;; *) kind="all requests at their chip" ;; esac
    sed -n "s/^$kind,//p" alone/gemm-miss-curves.data.csv >want
    sed -n 's/^gemm,//p' views/misses.data.csv >got
    [ "$(grep -cxFf want got)" -ge 8 ]
}
ok "miss ratios are the profile's" misses
ok "shares are the profile's" sh -c 'grep -q "^truly shared,0.368[0-9]*,0.1$" views/sharing.data.csv'
bad_views() { # name words script
    sed "$3" views.yaml >bad.yaml
    fails "$1" "$2" "$binary" sweep bad.yaml -o never
}
bad_views "a roofline of nothing" "a roofline needs by:" 's/roofline, by: llc.organisation/roofline/'
bad_views "latency over nothing" "a plot of latency needs x:" 's/latency, x: sm.issue/latency/'
bad_views "latency that is none" 'y: "memory_read" is no time' 's/latency_remote_miss/memory_read/'
bad_views "misses by something" "it has no x, y and by" 's/misses/misses, by: llc.organisation/'
point() { sed 's/^workloads.*/workloads: [hand.yaml]/; /roofline\|latency/d; s/network/eab/; s/sm.issue: .*/inter.link_bandwidth: [48 GB\/s]/' views.yaml >point.yaml && "$binary" sweep point.yaml -o point >out 2>err && [ ! -e point/misses.svg ] && grep -q 'misses.svg: not drawn' err; }
ok "profiles by hand have neither" point

# Where no place around a point is free, its name is off the line and on as few points as may be: one is above.
cat >flat.picture.yaml <<'END'
picture: {title: flat}
x: {title: x}
y: {title: y}
colour: {}
series:
  - {style: 1, xs: [0, 10], ys: [5, 5]}
  - {xs: [5, 5, 5, 6.15, 6.15, 6.15, 6.15, 3.85, 3.85, 3.85, 3.85, 0, 10], ys: [5.9, 4.1, 4.0, 5.9, 6, 4.1, 4, 5.9, 6, 4.1, 4, 0, 10]}
notes:
  - {text: here, x: 5, y: 5, place: 4}
END
ok "a name on a flat line" "$binary" plot flat.picture.yaml --width one --script -o flat.svg
holds "is not written along it" flat.gp "set label 'here' at first 5, first 5 center offset 0,0.9"

# TeX takes what is drawn for it.
tex() {
    {
        printf '%s\n' '\documentclass{article}' '\usepackage{gnuplot-lua-tikz}' '\begin{document}'
        ls *.tex cells/*.tex views/*.tex | grep -v ^pages.tex | sed 's/.*/\\input{&}\\clearpage/'
        printf '%s\n' '\end{document}'
    } >pages.tex
    [ "$(grep -c '^.input' pages.tex)" -gt 10 ] && HOME=$scratch pdflatex -draftmode -halt-on-error -interaction=nonstopmode pages.tex
}
if command -v pdflatex >/dev/null && kpsewhich gnuplot-lua-tikz.sty >/dev/null; then
    "$binary" plot designs.csv --kind curve --x area --y effective_bandwidth --title '100% of $x_1 & more {}^~#\' -o title.tex >out
    ok "TeX takes them" tex
else
    skip "TeX takes them" "pdflatex and gnuplot's style are not installed"
fi

ok "published beside ours" "$binary" validate mcm --plot published --width one
apart "published beside ours" published/mcm.svg
"$binary" profile gemm:input=small -m sac -o gemm.profile.yaml >out 2>err
ok "pictures of a profile" "$binary" profile show gemm.profile.yaml --plots profile --width one
apart "miss-ratio curves" profile/gemm-miss-curves.svg
apart "sharing" profile/gemm-sharing.svg
holds "in words" profile/gemm-sharing.svg ">falsely shared<"
ok "launches over time" "$binary" whatif -m sac -w gemm:input=small --model eab --plot time.svg --width one
apart "launches over time" time.svg
file=every folder=
every "launches over time" whatif -m sac -w gemm:input=small --model eab --plot "{}" --width one
file=mcm folder=formats
every "published beside ours" validate mcm --plots formats --term "{format}" --width one
for file in gemm-miss-curves gemm-sharing; do
    every "$file" profile show gemm.profile.yaml --plots formats --term "{format}" --width one
done

# How they look.
curve="designs.csv --kind curve --x area --y effective_bandwidth --by llc.organisation"
ok "two columns" "$binary" plot $curve --width two -o two.svg
holds "are 178 mm wide" two.svg 'width="672"'
holds "one is 85 mm" curve.svg 'width="321"'
ok "millimetres, letters, a title, words, ranges" "$binary" plot $curve --width 60mm --font Helvetica,7 \
    --title "Bandwidth" --label sac="chosen at run time" --label effective_bandwidth=speed --xrange 0..100 \
    --yrange ..4TB/s -o looks.svg
holds "the title" looks.svg ">Bandwidth<"
holds "the letters" looks.svg 'font-family="Helvetica"'
holds "a word for a name" looks.svg ">chosen at run time<"
holds "a word for an axis" looks.svg ">speed (TB/s)<"
holds "the range along x" looks.svg ">100<"
apart "all of it" looks.svg
lacks "a page has no title by itself" curve.svg ">designs<"
ok "a screen has" "$binary" plot $curve -o screen.svg
holds "one" screen.svg ">designs<"
ok "TeX's own characters" "$binary" plot $curve --title '100% of $x_1 & more' -o special.tex
holds "are escaped" special.tex '100\% of \$x\_1 \& more'

fails "a width that is none" '--width: expected one, two or 30 to 1000 (mm), got "three"' \
    "$binary" plot $curve --width three
fails "a range of another unit" '--yrange 0..4s: the axis is of bytes/s' \
    "$binary" plot $curve --yrange 0..4s -o never.svg
fails "a range of names" '--xrange: workload has names, no numbers' \
    "$binary" plot workloads.csv --kind bars --x workload --y speedup --by organisation --xrange 0..2 -o never.svg
fails "a range that is none" '--xrange: expected FROM..TO, got "3"' "$binary" plot $curve --xrange 3
fails "a label that is none" '--label: expected KEY=TEXT, got "x"' "$binary" plot $curve --label x
fails "letters of no size" '--font: expected 4 to 40 points, got "99"' "$binary" plot $curve --font 99
fails "two rows for a bar" 'several rows have workload gemm' \
    "$binary" plot workloads.csv --kind bars --x workload --y speedup -o never.svg
ok "one of them is chosen" "$binary" plot workloads.csv --kind bars --x workload --y speedup \
    --where organisation=sm-side -o chosen.svg
fails "a kind that takes profiles" "plots: [{kind: misses, ...}]; then plot DIR/misses.picture.yaml draws it again" \
    "$binary" plot grid.csv --kind misses
fails "a kind that lacks a column" '--kind heat needs --by COL' \
    "$binary" plot grid.csv --kind heat --x llc.capacity --y speedup
fails "an ending that is none" 'no format has the ending .gif' "$binary" plot $curve -o a.gif
fails "a look without a picture" 'options of pictures need one: --plot FILE' \
    "$binary" whatif -m sac -w hand.yaml --width one
ok "no picture after an error" test ! -e never.svg

finish

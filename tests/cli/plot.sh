#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape plot: pictures of CSV files and of result folders.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

# prints NAME COMMAND...: it succeeds and prints exactly the file `expected`.
prints() {
    name=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" && cmp -s out expected
    report $? "$name"
}

# holds NAME FILE WORDS: the file contains the words.
holds() {
    grep -qF -- "$3" "$2"
    report $? "$1"
}

cat >designs.csv <<'END'
name,area,bandwidth,kind_of
a,10,1e12,x_1
b,20,2e12,x_1
c,40,2.5e12,y & z
d,20,1e12,y & z
e,40,1e12,y & z
END

if ! gnuplot --version >/dev/null 2>&1; then
    skip "pictures" "gnuplot is not installed"
    finish
    exit
fi

echo plots/designs-pareto.svg >expected
prints "a front of a CSV file" \
    "$binary" plot designs.csv --minimise area --maximise bandwidth --by kind_of
holds "its title" plots/designs-pareto.svg "designs: 5 points, 3 on the front"
holds "its x axis" plots/designs-pareto.svg ">area<"
holds "its y axis" plots/designs-pareto.svg ">bandwidth (10¹²)<"
holds "its categories" plots/designs-pareto.svg ">y &amp; z<"
cp plots/designs-pareto.svg once.svg
ok "again" "$binary" plot designs.csv --minimise area --maximise bandwidth --by kind_of
ok "the same bytes" cmp once.svg plots/designs-pareto.svg

ok "a PNG by its ending" "$binary" plot designs.csv --minimise area --maximise bandwidth \
    --log xy --title "T" -o p.png
holds "is a PNG" p.png PNG
ok "a PDF" "$binary" plot designs.csv --minimise area --maximise bandwidth --term pdf -o p
holds "is a PDF" p "%PDF"
ok "to the standard output" "$binary" plot designs.csv --kind curve --x area \
    --y bandwidth -o -
holds "is an SVG" out "<svg"
ok "characters" "$binary" plot designs.csv --minimise area --maximise bandwidth --term dumb
holds "show the front" out "Pareto front"
ok "curves by category" "$binary" plot designs.csv --x area --y bandwidth --by name -o c.svg
holds "have names" c.svg ">c<"
ok "the best of equal x" "$binary" plot designs.csv --kind curve --x area --minimise area \
    --maximise bandwidth --y bandwidth -o best.svg
holds "says so" best.svg "the best at each value"

# A sweep's folder.
mkdir result
cat >result/manifest.yaml <<'END'
space: little
kept: 4711
objectives:
  - {maximise: effective_bandwidth}
  - {minimise: inter.link_bandwidth}
columns:
  inter.link_bandwidth: B/s
  llc.organisation: name
  llc.capacity: B
  effective_bandwidth: B/s
END
header=inter.link_bandwidth,llc.organisation,llc.capacity,effective_bandwidth
printf '%s\n48e9,sac,1048576,1e12\n96e9,sac,2097152,2e12\n' $header >result/pareto.csv
printf '%s\n96e9,sac,2097152,2e12\n48e9,sac,1048576,1e12\n96e9,sm-side,1048576,1e12\n' \
    $header >result/ranking.csv
echo plots/result-pareto.svg >expected
prints "a sweep" "$binary" plot result/ --by llc.organisation
holds "units of its x axis" plots/result-pareto.svg ">inter-chip link bandwidth (GB/s)<"
holds "units of its y axis" plots/result-pareto.svg ">effective bandwidth (TB/s)<"
holds "its number of points" plots/result-pareto.svg "result: 4711 points, 2 on the front"
holds "its organisations" plots/result-pareto.svg ">sm-side<"
ok "a sweep's curve" "$binary" plot result --kind curve --x llc.capacity
holds "in MiB" plots/result-curve.svg ">LLC capacity (MiB)<"
printf '%s\n48e9,sac,1048576,\n' $header >result/sample.csv
ok "a sample with an undefined value" "$binary" plot result
ok "units of a file beside a manifest" "$binary" plot result/ranking.csv --kind curve \
    --x llc.capacity --y effective_bandwidth -o units.svg
holds "are used" units.svg "effective bandwidth (TB/s)"

fails "objectives of a sweep" 'the objectives of a sweep are in its manifest.yaml' \
    "$binary" plot result --minimise llc.capacity
rm result/manifest.yaml
fails "no manifest" 'result is not the result of a sweep' "$binary" plot result
fails "unknown kind" 'there is no kind "pie"' "$binary" plot designs.csv --kind pie
fails "unknown terminal" 'there is no terminal "gif"' \
    "$binary" plot designs.csv --x area --y bandwidth --term gif
fails "unknown axis" '--log: expected x, y, xy or none, got "z"' \
    "$binary" plot designs.csv --x area --y bandwidth --log z
fails "unknown column" 'did you mean "area"?' "$binary" plot designs.csv --x aera --y bandwidth
fails "a column of names" 'designs.csv:2:1: error: column "name": expected a finite number, got "a"' \
    "$binary" plot designs.csv --x name --y bandwidth
fails "one objective" 'a front needs two objectives' \
    "$binary" plot designs.csv --kind pareto --minimise area
fails "no columns" 'a curve needs --x COL and --y COL' "$binary" plot designs.csv
printf 'x,y\n0,1\n' >zero.csv
fails "zero on a log axis" 'x: 0 cannot be shown on a log axis' \
    "$binary" plot zero.csv --x x --y y --log x -o never.svg
printf 'x,y\n' >empty.csv
fails "no points" 'there are no points to plot' "$binary" plot empty.csv --x x --y y -o never.svg
printf 'llc.capacity,x,y\n8388608,1,3\n8388608,2,4\n1048576,1,1\n1048576,2,2\n' >sizes.csv
ascend() { # kind
    "$binary" plot sizes.csv --kind "$1" --x x --y y --by llc.capacity -o sizes.svg &&
        [ "$(grep -oE '[0-9]+ MiB' sizes.svg | tr '\n' ' ')" = "1 MiB 8 MiB " ]
}
for kind in curve bars; do ok "values of --by have their unit, and ascend: $kind" ascend $kind; done
ok "--where with a unit" sh -c '"$0" plot designs.csv --x area --y bandwidth --where bandwidth=1TB/s -o where.svg --script && [ "$(wc -l <where.data.csv)" = 4 ]' "$binary"
fails "--where that no row has" 'it has a, b, c, d, e' \
    "$binary" plot designs.csv --x area --y bandwidth --where name=x -o never.svg
ok "no picture after an error" test ! -e never.svg
env PATH=/nonexistent "$binary" plot designs.csv --x area --y bandwidth -o none/a.svg >out 2>err
[ $? = 0 ] && grep -q 'cannot start gnuplot' err && grep -q 'make deps' err && ! test -e none/a.svg
report $? "no gnuplot: a message"
cp err missing
ok "but its script, which draws the picture" sh -c 'cd none && gnuplot a.gp && grep -q "<svg" a.svg'
holds "and its data" none/a.data.csv '"",10,1e+12'
mkdir only && ln -s "$(command -v env)" only/env
env PATH="$scratch/only" "$binary" plot designs.csv --x area --y bandwidth -o none/a.svg >out 2>again
[ $? = 0 ] && cmp -s missing again
report $? "the same where other programs are found"

finish

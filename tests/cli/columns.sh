#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All points as arrays: the same bytes however they are made, all of them or none, and what
# spaces/README.md says of reading them.
. tests/cli/common.sh.inc
page=$top/spaces/README.md
cd "$scratch" || exit 1

cat >space.yaml <<'Y'
space: arrays
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32", "bfs:nodes=1000,generator=rmat"]
models: [eab]
axes:
  chips: [2, 4]
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, scale: log2, points: 60}
  llc.capacity: {values: [64, 128, 256, 512, 1024], unit: KiB}
  llc.organisation: [memory-side, sm-side, sac]
let: {size: "total.llc_capacity"}
where: ["size >= 256 KiB"]
objectives: [{maximise: effective_bandwidth}, {minimise: size}]
Y
sweep() { "$binary" sweep space.yaml --no-plots --columns "$@"; }
same() { diff -rq -x run.yaml -x '*.state' -x '.bandscape-*' "$1" "$2"; }
arrays() { set -- "$1"/*.npy && [ $# -gt 10 ]; }

ok "a sweep" sweep -o whole -j 1
ok "leaves arrays" arrays whole
ok "of which the manifest has the checksums" grep -q '^  effective_bandwidth@gemm.npy: ' whole/manifest.yaml
ok "with three threads" sweep -o three -j 3
ok "the same bytes" same whole three
for i in 2 1 3; do
    sweep -o shares --shard $i/3 >out 2>err || break
done
ok "shares are merged" "$binary" merge shares --no-plots -o merged
ok "with arrays, to the same bytes" same whole merged
ok "and have none of their own" test -z "$(ls shares | grep -v state)"
"$binary" sweep space.yaml --no-plots -o without >/dev/null 2>&1
cp -r whole again
ok "a result without them" "$binary" sweep space.yaml --no-plots -o again
ok "takes those of an earlier one away" same without again

# The version of all that, where it is in nobody's way.
ok "the manifest says its schema" grep -qx 'schema: 1' whole/manifest.yaml
ok "and the arrays' page" grep -qx 'schema: 1' whole/columns.yaml
ok "and the program" sh -c '"$1" --version | grep -qx "schema of CSV and JSON: 1"' - "$binary"
cp -r whole later
sed '1s/.*/# What determines this result. /; s/^schema: 1$/schema: 2/; $d' whole/manifest.yaml >later/manifest.yaml
fails "a result of a later one is refused" "later/manifest.yaml is of schema 2, and this version reads up to 1" "$binary" report later
sed '1s/.*/# What determines this result. /; /^schema: 1$/d; $d' whole/manifest.yaml >later/manifest.yaml
ok "one of before is read" "$binary" report later

mkdir foreign && echo mine >foreign/columns.yaml
fails "somebody else's columns.yaml" "foreign/columns.yaml is no file of an earlier sweep" sweep -o foreign
rm foreign/columns.yaml && echo mine >foreign/kernel_time.npy
fails "and array" "foreign/kernel_time.npy is no file of an earlier sweep" sweep -o foreign
ok "stay alone" test "$(ls -A foreign) $(cat foreign/kernel_time.npy)" = "kernel_time.npy mine"
(ulimit -f 8 && sweep -o without) >out 2>err
[ $? = 1 ] && grep -q 'File too large$' err && same without again && [ -z "$(ls -A without | grep partial)" ]
report $? "where the disk is full the old result stays"
(ulimit -n 20 && sweep -o without) >out 2>err
[ $? = 1 ] && grep -q 'each of .* metrics has a file: ulimit -n' err && same without again
report $? "with too few open files a hint says what to do"

# --- the page's programs --------------------------------------------------------------------------
mkdir -p results
(cd "$top" && "$binary" sweep sac-sensitivity -w gemm:input=small -w bfs:input=small -o "$scratch/results/arrays" --no-plots --columns) >out 2>err
report $? "the page's sweep"
# The best point, by the ranking: the axes' names and values.
awk -F, 'NR == 1 { for (i = 1; i <= 4; i++) name[i] = $i } NR == 2 { for (i = 1; i <= 4; i++) print name[i], $i }' results/arrays/ranking.csv >best
program() { awk -v first="$1" '/^```[a-z]+$/ { inside = 1; getline; mine = index($0, first) > 0 && length($0) == length(first) } /^```$/ { inside = 0; mine = 0 } inside && mine' "$page"; }
agrees() { # file: its lines are those of the best point; numbers may be written otherwise
    awk 'NR == FNR { name[NR] = $1; value[NR] = $2; n = NR; next }
        { m++; if ($1 != name[m] || !($2 == value[m] || (value[m] ~ /^[0-9]/ && $2 + 0 == value[m] + 0))) exit bad = 1 }
        END { exit bad || m != n || n != 4 }' best "$1"
}
recipe() { # first line, what it needs, how to see whether it is there, interpreter...
    first=$1 what=$2 there=$3
    shift 3
    program "$first" >recipe.txt
    if ! [ -s recipe.txt ]; then
        echo "not on the page" >err
        report 1 "$first"
    elif ! sh -c "$there" >/dev/null 2>&1; then
        skip "$first" "without $what"
    else
        "$@" recipe.txt >out 2>err && agrees out
        report $? "$first"
    fi
}
recipe "# NumPy" "NumPy and PyYAML" 'python3 -c "import numpy, yaml"' python3
recipe "# pandas" "pandas and PyYAML" 'python3 -c "import pandas, yaml"' python3
recipe "# Python without NumPy" "Python and PyYAML" 'python3 -c "import yaml"' python3
recipe "# Julia" "Julia, NPZ and YAML" 'julia -e "using NPZ, YAML"' julia
cp recipe.txt recipe.m
recipe "% MATLAB and Octave" "Octave" 'octave --version' octave --no-gui --quiet
finish

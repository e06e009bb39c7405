#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Records what a build of the program answers, in machine-readable form, on small inputs: every
# workload profiled, every machine asked and simulated, every space swept, every validation. Two
# records differ exactly where results do.
#   sh tests/record.sh BINARY FOLDER [JOBS]
#   diff -r BEFORE AFTER
set -u
[ $# -ge 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
binary=$1 folder=$2 jobs=${3-2}
case $binary in /*) ;; *) binary=$PWD/$binary ;; esac
mkdir -p "$folder"/profile "$folder"/whatif "$folder"/simulate "$folder"/sweep "$folder"/validate || exit 1
folder=$(cd "$folder" && pwd)
BANDSCAPE_CACHE=$(mktemp -d) || exit 1
export BANDSCAPE_CACHE
trap 'rm -rf "$BANDSCAPE_CACHE"' EXIT
trap 'exit 130' INT TERM

names() { "$binary" list "$1" --format json | sed -n "s/^ *\"${1%s}\": *\"\([^\"]*\)\".*/\1/p"; }
# say FILE COMMAND...: standard output into FILE, messages and status behind it.
say() {
    file=$folder/$1
    shift
    "$binary" "$@" >"$file" 2>"$file.messages"
    echo "status $?" >>"$file.messages"
}

for w in $(names workloads); do
    say "profile/$w.out" profile "$w:input=small" --machine sac --with all -o "$folder/profile/$w.yaml"
    say "whatif/sac.$w.csv" whatif --machine sac --workload "$w:input=small" --format csv
done
few="gemm bfs stream stencil mvt"
for m in $(names machines); do
    for w in $few; do
        say "whatif/$m.$w.csv" whatif --machine "$m" --workload "$w:input=small" --format csv
        say "simulate/$m.$w.json" simulate --machine "$m" --workload "$w:input=small" --requests 50000 --format json
    done
done
for s in $(names spaces); do
    say "sweep/$s.out" sweep "$s" --input small --no-plots --yes -j "$jobs" -o "$folder/sweep/$s"
    rm -f "$folder/sweep/$s/run.yaml"
done
for v in sac nuba mcm dcl1 dualopt today profiler sampling workloads; do
    say "validate/$v.csv" validate "$v" --format csv
done
# Where the folder itself is named.
find "$folder" -type f -exec sed -i "s|$folder|FOLDER|g" {} +

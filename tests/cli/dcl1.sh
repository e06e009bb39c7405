#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Designs of DC-L1 on the command line: named, refused by their rules, swept.
. tests/cli/common.sh.inc

ask() {
    "$binary" whatif --machine dcl1 --workload bfs:nodes=512,degree=4 --model dcl1 "$@"
}
ok "a design by name" ask --set dcl1.design=Sh40+C10+Boost
ok "nodes and clusters by number" ask --set l1.nodes=40 --set l1.clusters=10
fails "a design of uneven clusters" "(the rule Z | Y)" ask --set dcl1.design=Sh40+C7
fails "nodes that do not divide the SMs" "(the rule Y | X)" ask --set l1.nodes=33
fails "an unknown design" "known: baseline, perfect, ideal, PrY" ask --set dcl1.design=Pr
fails "a design and another number" "dcl1.design is Pr40, which has l1.nodes 40, not 20" \
    ask --set dcl1.design=Pr40 --set l1.nodes=20
fails "a boosted large crossbar" "a 80x40 crossbar does not reach" ask --set dcl1.design=Sh40+Boost
fails "another machine" "this machine has 4 chips" \
    "$binary" whatif --machine sac --workload bfs:nodes=512,degree=4 --model dcl1
ok "the model has a page" "$binary" list models dcl1
alike() {
    ask --set dcl1.design=Sh40+C40 --format csv >"$scratch/a"
    ask --set dcl1.design=Pr40 --format csv >"$scratch/b"
    cmp "$scratch/a" "$scratch/b"
}
ok "Sh40+C40 is Pr40" alike
swept() {
    "$binary" sweep dcl1-designs -w bfs:nodes=512,degree=4 -o "$scratch/r" --no-plots >"$scratch/out" &&
        grep -q 'excluded 1: NoC#1 cannot be boosted: a 80x40' "$scratch/out" &&
        grep -q '^dcl1.design,.*cost.l1_noc_area,warnings$' "$scratch/r/ranking.csv"
}
ok "designs are swept, what cannot be built is counted" swept
# Pictures and judged figures are of the same inputs: names after a key, until its list ends.
names() { # file key
    awk -v key="^ *$2:" '$0 ~ key { on = 1 } on { print } on && /\]/ { exit }' "$1" | tr -d '\n' |
        sed 's/^[^[]*\[//; s/\].*//' | tr ',' '\n' | tr -d ' "' | sed -e '$a\' | sort
}
drawn_as_judged() {
    names "$top/models/dcl1/published.yaml" all >"$scratch/judged"
    [ "$(wc -l <"$scratch/judged")" = 15 ] && grep -qx 'syrk:input=suite' "$scratch/judged" || return 1
    for space in "$top"/spaces/dcl1-*.yaml; do
        names "$space" workloads >"$scratch/drawn"
        [ -s "$scratch/drawn" ] && [ -z "$(comm -13 "$scratch/judged" "$scratch/drawn")" ] || return 1
    done
}
ok "spaces take the inputs that figures are judged with" drawn_as_judged
finish

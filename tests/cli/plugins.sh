#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A second plug-in of each kind, copied from the templates and renamed, appears everywhere without
# an edit to any other file.
. tests/cli/common.sh.inc

if ! $release; then
    skip "plug-ins from templates" "built from the release objects only"
    finish
    exit
fi

mkdir -p "$scratch/plugins"
kinds=$(sed -n '/^KINDS :=/,/[^\\]$/p' Makefile | grep -oE '[a-z]+:' | tr -d :)
every() {
    for kind in $kinds; do
        sed 's/template/second/g' "tests/templates/template.$kind.c" >"$scratch/plugins/second.$kind.c" || return 1
    done
    sed -i 's/{"small", "n=2^14"}/&, {"published-sac", "n=2^15"}/' "$scratch/plugins/second.workload.c"
    [ -n "$kinds" ]
}
ok "every kind has a template" every
# The objects of the release build are reused: only the new files, the registry
# and the program are made.
cp -Rp .build/release "$scratch/build"
build() {
    MAKEFLAGS= make BUILD="$scratch/build" PLUGINS="$scratch/plugins" "$scratch/build/bandscape"
}
ok "the program builds with them" build
# Shipped data are found beside the checkout.
ln -s "$top/models" "$scratch/" 2>/dev/null
cp -R "$top/spaces" "$scratch/"
echo 'published: {sac: {ctas: 128}}' >"$scratch/spaces/workloads/published/second.yaml"
rm -rf "$scratch/build/models"
second=$scratch/build/bandscape

listed() { "$second" list "$1" | grep -q '^second '; }
all_listed() {
    for list in models placements readers validations commands workloads topologies schedules organisations costs computations; do
        listed $list || { echo "$list"; return 1; }
    done
}
ok "all are listed" all_listed
ok "the model has a page" "$second" list models second

validated() { "$second" validate second -m sac-2chip | grep -q '^chips  *4  *2  *50.00  parameter'; }
ok "the validation validates" validated
ok "all are validated" sh -c '"$1" validate -w gemm --format json | grep -q "\"how\": \"parameter\""' - "$second"
fails "CSV of two" "name one of them: " "$second" validate --format csv
fails "an option that it does not read" "--workload has no effect on second" "$second" validate second -w gemm

cat >"$scratch/published.yaml" <<'Y'
published: own
summary: a test
figures:
  - figure: rounds of 100 items on 8 seats
    value: 13
    tolerance: 0
    evidence: exact
    computed: second
    with: {items: 100, seats: 8}
    ours: rounds
Y
computed() { "$second" validate "$scratch/published.yaml" --format csv | grep -q '^rounds of 100 items on 8 seats,.*,13,13,'; }
ok "the computation stands behind a figure" computed

in_whatif() { "$second" whatif --machine sac --workload gemm:ni=32,nj=32,nk=32 --format csv | grep -q ',second,'; }
ok "the model answers in whatif" in_whatif
ran() { [ "$("$second" second -m sac -s memory.bandwidth=1TB/s)" = "15.62 GB/s for each of 64 SMs of a chip" ]; }
ok "the command runs" ran
described() {
    "$second" help second | grep -q '^  -s, --set PATH=VALUE ' && "$second" help --man | grep -qx '.SS second' &&
        "$second" help --complete -- second --machine nub | grep -qx nuba-half
}
ok "it has a help, a place in the manual page and completion" described
fails "its error" "second needs a machine" "$second" second
answered() { # field settings...
    "$second" whatif --machine sac --workload gemm:ni=64,nj=64,nk=32 --model second "$@" >/dev/null
}
ok "the topology links" answered --set inter.topology=second
ok "the schedule schedules" answered --set cta.policy=second
ok "the organisation organises" answered --organisation second
gathered() {
    "$second" list workloads second | grep -q '^  n  *2^20 ' &&
        "$second" trace info second:input=small --format csv >"$scratch/info" &&
        "$second" whatif --machine sac --workload second:input=small --model second >/dev/null
}
ok "the workload gathers" gathered
compared() {
    "$second" list workloads second | grep -q '^  sac  *ctas 128$' &&
        "$second" validate workloads -w second --format csv | grep -q '^second,published-sac,sac,second:input=published-sac,128,128,0,'
}
ok "what is published of it is compared" compared
placed() { "$second" whatif --machine sac --workload gemm:ni=32,nj=32,nk=32 --set page.policy=second --model second; }
ok "the placement places" placed
printf '1000\n2000\n2004\n1000\n' >"$scratch/t.addresses"
read_it() { "$second" whatif --machine sac --workload "$scratch/t.addresses" --model second; }
ok "the reader reads" read_it
info() { "$second" trace info "$scratch/t.addresses" | grep -q addresses; }
ok "the reader serves trace info" info
cat >"$scratch/s.yaml" <<'Y'
space: s
machine: sac
workloads: ["gemm:ni=32,nj=32,nk=32"]
models: [second]
axes:
  memory.bandwidth: [1 TB/s, 2 TB/s]
  page.policy: [first-touch, second]
objectives: [{maximise: effective_bandwidth}, {minimise: second_miss_rate}, {minimise: cost.second}]
Y
swept() { "$second" sweep "$scratch/s.yaml" -o "$scratch/r" --no-plots && grep -q second_miss_rate "$scratch/r/ranking.csv" && grep -q cost.second "$scratch/r/ranking.csv"; }
ok "the model, the placement and the cost are swept" swept
finish

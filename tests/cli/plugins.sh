#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A second model, placement, reader and validation, copied from the templates and renamed,
# appear everywhere without an edit to any other file.
. tests/cli/common.sh.inc

if ! $release; then
    skip "plug-ins from templates" "built from the release objects only"
    finish
    exit
fi

mkdir -p "$scratch/plugins"
for kind in model placement reader validation; do
    sed 's/template/second/g' "tests/templates/template.$kind.c" >"$scratch/plugins/second.$kind.c"
done
# The objects of the release build are reused: only the new files, the registry
# and the program are made.
cp -Rp .build/release "$scratch/build"
build() {
    MAKEFLAGS= make BUILD="$scratch/build" PLUGINS="$scratch/plugins" "$scratch/build/bandscape"
}
ok "the program builds with them" build
# Shipped data are found beside the checkout.
ln -s "$top/models" "$top/spaces" "$scratch/" 2>/dev/null
rm -rf "$scratch/build/models"
second=$scratch/build/bandscape

listed() { "$second" list "$1" | grep -q '^second '; }
ok "the model is listed" listed models
ok "the placement is listed" listed placements
ok "the reader is listed" listed readers
ok "the model has a page" "$second" list models second

validated() { "$second" validate second -m sac-2chip | grep -q '^chips  *4  *2  *50.00  parameter'; }
ok "the validation validates" validated
ok "all are validated" sh -c '"$1" validate -w gemm --format json | grep -q "\"how\": \"parameter\""' - "$second"
fails "CSV of two" "name one of them: " "$second" validate --format csv
fails "an option that it does not read" "--workload has no effect on second" "$second" validate second -w gemm

in_whatif() { "$second" whatif --machine sac --workload gemm:ni=32,nj=32,nk=32 --format csv | grep -q ',second,'; }
ok "the model answers in whatif" in_whatif
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
objectives: [{maximise: effective_bandwidth}, {minimise: second_miss_rate}]
Y
swept() { "$second" sweep "$scratch/s.yaml" -o "$scratch/r" --no-plots && grep -q second_miss_rate "$scratch/r/ranking.csv"; }
ok "the model and the placement are swept" swept
finish

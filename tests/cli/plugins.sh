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
# A model of the second sampler's field, and one of a field that no sampler has.
reading() { # name field
    sed "s/template/$1/g; s/\.answer/.parts = PART_SAMPLERS, &/
        s/model_miss_ratio.*;/term_quotient(g, \"m\", model_field_named(b, \"$2\"), model_field(b, FIELD_HOME_REQUESTS));/" \
        tests/templates/template.model.c >"$scratch/plugins/$1.model.c"
}
reading repeating second.repeats
reading lost nobody.knows
# A sampler whose field is of a group that every profile has.
sed 's/template\.repeats/lsu.repeats/g; s/template/third/g' tests/templates/template.sampler.c >"$scratch/plugins/third.sampler.c"
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
    for list in models placements readers validations commands workloads topologies schedules organisations costs computations samplers; do
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
ran() {
    "$second" second -m sac -s memory.bandwidth=1TB/s | grep -q '^memory.bandwidth  *15.62 GB/s  *64$' &&
        "$second" second -m sac -s memory.bandwidth=1TB/s --format csv | grep -qx 'memory.bandwidth,1.5625e+10,64' &&
        "$second" second -m sac -s memory.bandwidth=1TB/s --format json | grep -q '"bytes_per_s_and_sm": 1.5625e+10,'
}
ok "the command runs" ran
described() {
    "$second" help second | grep -q '^  -s, --set PATH=VALUE ' && "$second" help --man | grep -qxF '.BR bandscape\-second (1)' &&
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
gemm=gemm:ni=32,nj=32,nk=32
sampled() { # though a program without it has left its view in the cache
    "$binary" profile $gemm --machine sac --with samplers >"$scratch/p" &&
        "$second" profile $gemm --machine sac --with samplers -o "$scratch/p.yaml" >"$scratch/p" &&
        grep -q '^ *second: {repeats: [1-9]' "$scratch/p.yaml" &&
        grep -q '^ *lsu: {memory-side: [^ ]*, sm-side: [^ ]*, repeats: [1-9]' "$scratch/p.yaml" &&
        "$second" list fields | grep -q '^second.repeats '
}
ok "the sampler samples" sampled
shown() {
    "$second" profile show "$scratch/p.yaml" --machine sac >"$scratch/shown" &&
        grep -q '^samplers of NUBA, DualOpt, second and third beside exact values:' "$scratch/shown" &&
        "$second" profile show "$scratch/p.yaml" --machine sac --format json | grep -q '"second_repeats": 0\.'
}
ok "its field is read back, and shown" shown
repeating() { "$second" whatif --machine sac --workload "$1" --model repeating --format csv; }
taken() { # of the file, and of a profile that the model asks for
    repeating "$scratch/p.yaml" >"$scratch/of_file" && repeating $gemm >"$scratch/of_workload" &&
        grep -q '^sac,.*,memory-side,repeating,[1-9]' "$scratch/of_file" && cmp "$scratch/of_file" "$scratch/of_workload"
}
ok "a model reads it" taken
fails "one of no sampler" "model lost: no sampler has the field nobody.knows that it reads" \
    "$second" whatif --machine sac --workload $gemm --model lost
fails "a program without the samplers" 'unknown field "lsu.repeats"' "$binary" profile show "$scratch/p.yaml" --machine sac
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

# Samplers that do not fit together: nothing is answered.
refused() { # words sed-script
    rm -rf "$scratch/plugins" && mkdir "$scratch/plugins" &&
        sed "s/template/second/g; $2" tests/templates/template.sampler.c >"$scratch/plugins/second.sampler.c" &&
        build && { "$second" list models >"$scratch/said" 2>&1; [ $? = 1 ]; } &&
        [ "$(cat "$scratch/said")" = "bandscape: error: sampler second: $1" ]
}
ok "a path that is taken" refused 'field "crd.hit" is there already, of crd' \
    's/"second.repeats"/"crd.hit"/'
ok "a path that every profile has" refused 'field "remote.line_use" is there already, of every profile' \
    's/"second.repeats"/"remote.line_use"/'
ok "a path without a group" refused 'field "repeats" is not of the form group.field' 's/"second.repeats"/"repeats"/'
ok "a column of no field" refused 'column second_repeats: there is no field nobody.knows' 's/"home_requests"/"nobody.knows"/'
many=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "{.path = \"many.of%d\"}, ", i }')
ok "too many fields" refused 'field "many.of38" is one more than the 64 of all samplers together' \
    "s/second_fields\[\] = {/&$many/"
finish

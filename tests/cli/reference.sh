#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of reference: every key that a reader knows, every key of shipped files, and examples that are read.
. tests/cli/common.sh.inc

# "form key type default example" of a page, with tabs between, out of its Markdown.
keys() { # page
    "$binary" help "$1" --markdown | sed 's/\\//g' | awk -F ' [|] ' '
        /^## / { form = substr($0, 4) }
        /^[|] `/ {
            name = $1; example = $6
            gsub(/^[|] `|`$/, "", name); gsub(/^`|`.*$/, "", example)
            print form "\t" name "\t" $2 "\t" $4 "\t" example
        }'
}
for f in machine space workload profile network trace; do keys $f-files >"$scratch/$f"; done

# That the reader knows exactly the keys of the page's form: what it says of an unknown one.
known() { # page form command...
    page=$1 form=$2
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" && return 1
    sed -n 's/^hint: known[a-z ]*: //p' "$scratch/err" | tr -d ' ' | tr , '\n' >"$scratch/reader"
    [ -s "$scratch/reader" ] || { echo "no keys are named"; return 1; }
    awk -F '\t' -v form="$form" '$1 == form { print $2 }' "$scratch/$page" | diff "$scratch/reader" -
}

# --- unknown keys, one at each place --------------------------------------------------

machine() { # section
    printf 'machine: m\nbase: nuba\n%s\n' "$1" >"$scratch/m.yaml"
    "$binary" list parameters -m "$scratch/m.yaml"
}
for section in sm l1 llc noc p2p inter memory page cta launch; do
    ok "keys of $section" known machine $section machine "$section: {zzzzzz: 1}"
done
ok "of a level before the LLC" known machine "l2, rdma, l15" machine "l2: {zzzzzz: 1}"
ok "of a TLB" known machine tlb machine "tlb: {contents: translations, zzzzzz: 1}"
ok "of translation" known machine translation machine "translation: {zzzzzz: 1}"
ok "of a cache beside L1" known machine scalar machine "scalar: {contents: scalar, zzzzzz: 1}"
ok "of a crossing" known machine crossing machine "crossing: {zzzzzz: 1}"
ok "of an edge" known machine "inter.edges, each" machine "inter: {edges: [{from: 0, to: 1, zzzzzz: 1}]}"
plugins() { # sections of plug-ins are those that have parameters
    "$binary" list parameters -m nuba | awk 'NR > 2 && $1 ~ /[.]/ { print $1 }' >"$scratch/parameters"
    while read -r parameter; do
        awk -F '\t' -v section="${parameter%%.*}" -v key="${parameter#*.}" \
            '$2 == key && ($1 == section || index($1 ",", section ",")) { found = 1 } END { exit !found }' \
            "$scratch/machine" || { echo "no $parameter"; return 1; }
    done <"$scratch/parameters"
}
ok "every parameter of a machine, those of plug-ins too" plugins

space() { # line
    printf 'space: s\nmachine: sac\nworkloads: [gemm]\n%s\n' "$1" >"$scratch/s.yaml"
    "$binary" sweep "$scratch/s.yaml" --check
}
axes='axes: {llc.capacity: [2 MiB, 4 MiB]}'
ok "keys of a space" known space "a space" space "zzzzzz: 1"
ok "of a list with a unit" known space "axes, of values" space "axes: {llc.capacity: {values: [1], zzzzzz: 1}}"
ok "of a range" known space "axes, of a range" space "axes: {llc.capacity: {from: 1 MiB, zzzzzz: 1}}"
ok "of rank" known space rank space "$axes
rank: {zzzzzz: 1}"
ok "of a plot" known space "plots, each" space "$axes
plots: [{zzzzzz: 1}]"
ok "of a figure" known space figure space "$axes
figure: {zzzzzz: 1}"
ok "of a published value" known space "published, each" space "$axes
figure: {paper: sac, where: [Fig. 8]}
plots: [{kind: bars, x: llc.capacity, published: [{zzzzzz: 1}]}]"
objective() { # key
    space "$axes
objectives: [{maximise: effective_bandwidth, $1}]"
}
ok "of an objective" objective "tolerance: 1%"
ok "are three" test "$(grep -c '^objectives, each' "$scratch/space")" = 3

workload() { # body of a kernel, whole lines
    printf 'workload: w\narrays: {a: {shape: [64], type: f32}}\nkernels:\n%s\n' "$1" >"$scratch/w.yaml"
    "$binary" trace info "$scratch/w.yaml"
}
ok "keys of a workload" known workload "a workload" workload "  []
zzzzzz: 1"
ok "of a kernel" known workload "kernels, each" workload "  - {zzzzzz: 1}"
ok "of a group" known workload "kernels, each, as a group" workload "  - {kernels: [], zzzzzz: 1}"
ok "of a statement" known workload "body, each" workload \
    "  - {name: k, grid: 1, block: 64, body: [{load: \"a[tx]\", zzzzzz: 1}]}"
array() {
    printf 'workload: w\narrays: {a: {shape: [64], zzzzzz: 1}}\nkernels: []\n' >"$scratch/w.yaml"
    "$binary" trace info "$scratch/w.yaml"
}
ok "of an array" known workload "arrays, each" array
figures() {
    printf 'workload: w\ninputs: {published-sac: {}}\npublished: {sac: {zzzzzz: 1}}\n%s\n' \
        'arrays: {a: {shape: [64], type: f32}}
kernels: [{name: k, grid: 1, block: 64, body: [{load: "a[tx]"}]}]' >"$scratch/w.yaml"
    "$binary" trace info "$scratch/w.yaml"
}
ok "of published figures" known workload "published, each" figures

profile() { # line
    printf 'profile: p\n%s\n' "$1" >"$scratch/p.yaml"
    "$binary" profile show "$scratch/p.yaml"
}
record='requests: 10, cold: 4, curve: 1 2'
ok "keys of a profile" known profile "a profile" profile "zzzzzz: 1"
ok "of a view" known profile "views, each" profile "views: [{zzzzzz: 1}]"
ok "of sharing" known profile sharing profile "views: [{key: {chips: 4}, records: [], sharing: {zzzzzz: 1}}]"
ok "of working sets" known profile "working_sets, each" profile \
    "views: [{key: {chips: 4}, records: [], working_sets: [{zzzzzz: 1}]}]"
ok "of an allocation" known profile "allocations, each" profile \
    "views: [{key: {chips: 4}, records: [{allocations: [{zzzzzz: 1}]}]}]"
ok "of a curve" known profile "curves, each" profile \
    "views: [{key: {chips: 4}, records: [{curves: [{scope: chip, side: home, filter: all, $record, zzzzzz: 1}]}]}]"
fields() { # what `list fields` has, and every field of a real profile
    "$binary" list fields --format json | sed -n 's/^ *"field": "\(.*\)",*$/\1/p' >"$scratch/fields"
    awk -F '\t' '$1 == "fields" { print $2 }' "$scratch/profile" | diff "$scratch/fields" - || return 1
    [ "$(wc -l <"$scratch/fields")" -gt 60 ]
}
ok "every field" fields
# Of records, where fields stand as well, no error names all keys: those of a profile with all parts are looked for.
real() {
    "$binary" profile gemm:input=small -m sac --with all --sample 1/2 -o "$scratch/real.yaml" >"$scratch/out" 2>&1 || return 1
    grep -oE '(^|[-{,] *|^ +)[a-z_0-9]+:' "$scratch/real.yaml" | tr -d ' {,-' | tr -d : | sort -u >"$scratch/used"
    [ "$(wc -l <"$scratch/used")" -gt 80 ] || return 1
    cut -f 2 "$scratch/profile" | tr . '\n' >"$scratch/names"
    "$binary" list parameters -m sac | awk '{ print $1 }' | tr . '\n' >>"$scratch/names"
    while read -r key; do grep -qx -- "$key" "$scratch/names" || { echo "no $key"; return 1; }; done <"$scratch/used"
}
ok "every key of a real profile" real

network() { # line
    printf '%s\n' "$1" >"$scratch/n.yaml"
    "$binary" network "$scratch/n.yaml"
}
class='{name: c, population: 3}'
ok "keys of a network's file" known network "a network" network "zzzzzz: 1"
ok "of a network" known network network network "network: {zzzzzz: 1}"
ok "of a class" known network "classes, each" network "network: {classes: [{zzzzzz: 1}], stations: [{name: s}]}"
ok "of a station" known network "stations, each" network "network: {classes: [$class], stations: [{zzzzzz: 1}]}"

trace() { # lines
    printf 'bandscape-trace 1\n%s\n' "$1" >"$scratch/t.btrace"
    "$binary" trace info "$scratch/t.btrace"
}
ok "words of a trace" known trace lines trace "zzzzzz"
ok "of a kernel" known trace "kernel, fields" trace "kernel k zzzzzz=1"
ok "of an access" known trace "r, w and a, fields" trace "r 0x1000 4 zzzzzz=1"
ok "of instructions" known trace "i, fields" trace "i 1 zzzzzz=1"
ok "of a CTA" known trace "cta, fields" trace "cta 0 zzzzzz=1"
readers() {
    "$binary" list readers --format json | sed -n 's/^ *"name": "\(.*\)",*$/\1/p' >"$scratch/readers"
    awk -F '\t' '$1 == "formats" { print $2 }' "$scratch/trace" | diff "$scratch/readers" -
}
ok "every format of traces" readers

# --- names that a key takes: those of the page are those of the reader ------------------

names() { # page form key command...
    page=$1 form=$2 key=$3
    shift 3
    "$@" >"$scratch/out" 2>"$scratch/err" && return 1
    sed -n 's/^hint: known: //p' "$scratch/err" | tr -d , | tr ' ' '\n' | sort >"$scratch/reader"
    [ "$(wc -l <"$scratch/reader")" -gt 2 ] || return 1
    awk -F '\t' -v form="$form" -v key="$key" '$1 == form && $2 == key { print $3 }' "$scratch/$page" |
        sed 's/^one of: //' | tr -d , | tr ' ' '\n' | sort | diff "$scratch/reader" -
}
ok "scales of a range" names space "axes, of a range" scale \
    space "axes: {llc.capacity: {from: 1 MiB, to: 2 MiB, points: 2, scale: zzzzzz}}"
ok "means of a ranking" names space rank aggregate space "$axes
rank: {aggregate: zzzzzz}"
ok "kinds of plots" names space "plots, each" kind space "$axes
plots: [{kind: zzzzzz}]"
ok "kinds of stations" names network "stations, each" kind \
    network "network: {classes: [$class], stations: [{name: s, kind: zzzzzz}]}"
typed() {
    printf 'workload: w\narrays: {a: {shape: [64], type: zzzzzz}}\nkernels: []\n' >"$scratch/w.yaml"
    "$binary" trace info "$scratch/w.yaml"
}
ok "types of elements" names workload "arrays, each" type typed

# --- shipped files ----------------------------------------------------------------------

top_keys() { # page form file...
    awk -F '\t' -v form="$2" '$1 == form || form == "" { print $2 }' "$scratch/$1" >"$scratch/names"
    shift 2
    grep -ohE '^[a-z_0-9]+:' "$@" | tr -d : | sort -u >"$scratch/used"
    [ -s "$scratch/used" ] || return 1
    while read -r key; do grep -qx -- "$key" "$scratch/names" || { echo "no $key"; return 1; }; done <"$scratch/used"
}
ok "keys of shipped spaces" top_keys space "a space" spaces/*.yaml
ok "keys of shipped workloads" top_keys workload "a workload" spaces/workloads/*.yaml

# --- examples ----------------------------------------------------------------------------

# Each page's whole file, as a reader would copy it out of the help, and the command below it.
whole() { # page
    rm -rf "$scratch/try"
    mkdir "$scratch/try"
    "$binary" help "$1" | awk '/^Example, / { found = 1; next } found' >"$scratch/tail"
    file=$("$binary" help "$1" | sed -n 's/^Example, \(.*\):$/\1/p')
    awk '/^  bandscape / { exit } { print substr($0, 3) }' "$scratch/tail" | sed '1d; $d' >"$scratch/try/$file"
    command=$(sed -n 's/^  bandscape //p' "$scratch/tail")
    [ -n "$command" ] && [ -s "$scratch/try/$file" ] || return 1
    # shellcheck disable=SC2086
    (cd "$scratch/try" && "$binary" $command)
}
for f in machine space workload profile network trace; do
    case $f in space) $thorough || { skip "the example of spaces" "with the release build"; continue; } ;; esac
    ok "the example of $f files" whole $f-files
done

# A machine that says what the page has as an example of each key, one at a time.
each() {
    awk -F '\t' '$1 != "a machine" && $1 != "inter.edges, each"' "$scratch/machine" >"$scratch/rows"
    [ "$(wc -l <"$scratch/rows")" -gt 150 ] || return 1
    while IFS="$(printf '\t')" read -r form key type fallback example; do
        case $form in
        "the machine itself") printf 'machine: m\nbase: nuba\n%s\n' "$example" ;;
        tlb) printf 'machine: m\nbase: nuba\ntlb: {contents: translations, entries: 64, %s}\n' "$example" ;;
        scalar) printf 'machine: m\nbase: nuba\nscalar: {contents: scalar, %s}\n' "$example" ;;
        translation) printf 'machine: m\nbase: nuba\ntlb: {contents: translations, entries: 64}\ntranslation: {%s}\n' "$example" ;;
        *) printf 'machine: m\nbase: nuba\n%s: {%s}\n' "${form%%,*}" "$example" ;;
        esac | sed 's/contents: translations, \(.*\)contents:/\1contents:/; s/contents: scalar, contents:/contents:/' >"$scratch/one.yaml"
        "$binary" list parameters chips -m "$scratch/one.yaml" >"$scratch/out" 2>"$scratch/err" ||
            { echo "$form, $key: $example"; cat "$scratch/err"; return 1; }
    done <"$scratch/rows"
}
if $thorough; then ok "the example of every key of machines" each; else skip "examples of machines" "with the release build"; fi
finish

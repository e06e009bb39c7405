#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helps, the manual page and single rows of lists: all out of the same tables.
. tests/cli/common.sh.inc

commands=$("$binary" list commands | awk 'NR > 2 { print $1 }')

same() {
    for c in $commands; do
        "$binary" "$c" --help >"$scratch/a" && "$binary" help "$c" >"$scratch/b" || return 1
        cmp "$scratch/a" "$scratch/b" || return 1
    done
}
ok "help COMMAND is COMMAND --help" same
overview() { "$binary" help >"$scratch/a" && "$binary" --help | cmp - "$scratch/a"; }
ok "help is --help" overview
fails "help of an unknown command" 'did you mean "bandscape whatif"?' "$binary" help whatiff
fails "help of two" "help takes one command" "$binary" help sweep list
version() { [ "$("$binary" -V)" = "$("$binary" --version)" ]; }
ok "-V is --version" version
topic() { "$binary" help environment | grep -q '^  BANDSCAPE_CACHE '; }
ok "help of a topic" topic
# Usage and examples are lines to copy; prose is filled.
narrow() {
    for c in $commands; do
        "$binary" help "$c" | sed '1d; /^usage:/,/^$/d; /^examples:/,$d' | awk 'length > 80' | grep . && return 1
    done
    return 0
}
ok "helps fit into 80 columns" narrow

# --- the manual page --------------------------------------------------------

ok "the manual page" "$binary" help --man
cp "$scratch/out" "$scratch/bandscape.1"
sed 's/\\-/-/g; s/\\f[A-Z]//g' "$scratch/bandscape.1" >"$scratch/plain"
complete() {
    for c in $commands; do
        grep -qx "\.SS $c" "$scratch/plain" || { echo "no $c"; return 1; }
        "$binary" help "$c" | sed -n '/^options:/,/^examples:/s/^  ...[ ,]*\(--[a-z0-9-]*\).*/\1/p' |
            grep -vx -- --help >"$scratch/options"
        [ -s "$scratch/options" ] || return 1
        awk -v c="$c" '/^\.S[SH] /{ here = $2 == c } here' "$scratch/plain" >"$scratch/section"
        while read -r option; do
            grep -qE -- "^(-., )?$option( |\$)" "$scratch/section" || { echo "$c: no $option"; return 1; }
        done <"$scratch/options"
    done
    for title in NAME SYNOPSIS DESCRIPTION COMMANDS "EXIT STATUS" FILES ENVIRONMENT; do
        grep -qx "\.SH $title" "$scratch/plain" || { echo "no $title"; return 1; }
    done
}
ok "it has every command and option" complete
# Variables that the program or a traced one asks for are in it.
variables() {
    for variable in $(grep -rhoE 'getenv\("[A-Z_]*"' src models | sed 's/.*("\(.*\)"/\1/' | sort -u); do
        case $variable in HOME) continue ;; esac
        grep -q "$variable" "$scratch/plain" || { echo "no $variable"; return 1; }
    done
}
ok "it has the environment" variables

said=0
if command -v groff >/dev/null; then
    rendered() {
        groff -man -ww -z "$scratch/bandscape.1" 2>&1 | grep . && return 1
        groff -man -Tascii -P-cbou -rLL=80n "$scratch/bandscape.1" >"$scratch/page" || return 1
        [ "$(wc -l <"$scratch/page")" -gt 300 ] && ! awk 'length > 80' "$scratch/page" | grep .
    }
    ok "groff has nothing to say, and it fits into 80 columns" rendered
    said=1
fi
if command -v mandoc >/dev/null; then
    linted() { ! mandoc -Tlint -Wwarning "$scratch/bandscape.1" | grep -v 'missing date' | grep .; }
    ok "mandoc has nothing to say" linted
    said=1
fi
[ $said = 1 ] || skip "the manual page rendered" "neither groff nor mandoc is installed"

# --- lists ------------------------------------------------------------------

page() { # words kind name [options]
    words=$1
    shift
    "$binary" list "$@" >"$scratch/page" || return 1
    grep -q -- "$words" "$scratch/page"
}
ok "a machine" page '^machine  *sac$' machines sac
ok "a space" page '^file .*spaces/sac-budget.yaml$' spaces sac-budget
ok "a parameter" page '^value  *4 MiB$' parameters llc.capacity
only() { page '^llc.capacity ' parameters llc && ! sed 1,2d "$scratch/page" | grep -v '^llc\.'; }
ok "a section" only
ok "of that machine" page '^p2p.bandwidth ' parameters p2p --machine nuba
ok "a metric, of every model" page '^model  *eab$' metrics effective_bandwidth
ok "an organisation" page '^reference  *SAC' organisations sm-side
fails "an unknown machine" 'did you mean "sac"?' "$binary" list machines sak
fails "an unknown space" 'did you mean "sac-budget"?' "$binary" list spaces sac-bugdet
ok "what a machine could say and does not" page '^crossing.latency .*absent' parameters crossing
fails "a section that a machine has not" 'its file has no crossing: {...}; bandscape list parameters crossing' \
    "$binary" whatif -m sac -w gemm:input=small --set crossing.latency=1ns
fails "an unknown parameter" 'did you mean "llc.capacity"?' "$binary" list parameters llc.capacitty
fails "an unknown kind" 'did you mean "machines"?' "$binary" list machine
fails "an unknown organisation" 'there is no organisation "sn-side"' "$binary" list organisations sn-side
json() { # kind name key
    "$binary" list "$1" "$2" --format json >"$scratch/page" || return 1
    [ "$(head -c 1 "$scratch/page")" = "[" ] && [ "$(grep -c '^  {' "$scratch/page")" = 1 ] &&
        grep -q "^    \"$3\": \"$2\"" "$scratch/page"
}
ok "a model as JSON" json models eab name
ok "a workload as JSON" json workloads gemm workload
ok "a cost as JSON" json costs link_power cost
ok "a machine as JSON" json machines sac machine
fails "an unknown model as JSON" 'did you mean "eab"?' "$binary" list models eabb --format json
finish

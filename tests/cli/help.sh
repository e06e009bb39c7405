#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helps, manual pages, examples and single rows of lists: all out of the same tables.
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
fails "help of an unknown command" 'did you mean "bandscape help whatif"?' "$binary" help whatiff
fails "help of two" "help takes one command or topic" "$binary" help sweep list
version() { [ "$("$binary" -V)" = "$("$binary" --version)" ]; }
ok "-V is --version" version
topic() { "$binary" help environment | grep -q '^  BANDSCAPE_CACHE '; }
ok "help of a topic" topic
# What readers know, from their tables.
words() { # topic pattern file
    "$binary" help "$1" | tr ' ,;()' '\n\n\n\n\n' | sed 's/\.$//' >"$scratch/words"
    grep -oE "$2" "$3" | tr -d '{"' | cut -d, -f1 | sort -u >"$scratch/known"
    [ -s "$scratch/known" ] || return 1
    while read -r word; do grep -qxF -- "$word" "$scratch/words" || { echo "no $word"; return 1; }; done <"$scratch/known"
}
ok "every unit" words units '\{"[A-Za-z%]+", [0-9]' src/core/unit.c
ok "every function" words expressions '\{"[a-z0-9]+"' src/core/expression.c
ok "every total" words expressions '\{"total\.[a-z_]+"' src/model/read.c
# Forms of values: what stands on the left, with a comma and a blank between.
forms() {
    "$binary" help values | sed -n 's/^  \([^ ].*\)/\1/p' | sed 's/   *.*//' | grep -v sm-side |
        awk -F', ' '{ for (i = 1; i <= NF; i++) print $i }' >"$scratch/forms"
    [ "$(wc -l <"$scratch/forms")" -ge 10 ] || return 1
    while read -r value; do
        "$binary" whatif -m sac -w tests/data/hand.profile.yaml --set "inter.link_bandwidth=$value" >"$scratch/out" ||
            { echo "$value"; return 1; }
    done <"$scratch/forms"
}
ok "every form of a value" forms
# Usage and examples are lines to copy; prose is filled.
narrow() {
    for c in $("$binary" help --complete -- help "" | grep -vxF "$commands"); do
        "$binary" help "$c" | awk 'length > 80' | grep . && return 1
    done
    for c in $commands; do
        "$binary" help "$c" | sed '1d; /^usage:/,/^$/d; /^examples:/,$d' | awk 'length > 80' | grep . && return 1
    done
    return 0
}
ok "helps fit into 80 columns" narrow

# A letter is one option, and an option takes one kind of thing, whatever the command.
for c in $commands; do "$binary" help "$c" | sed '1,/^options:/d; /^examples:/,$d' | sed "s/^/$c /"; done >"$scratch/options"
letters() {
    sed -n 's/^[a-z]*   -\(.\), --\([a-z-]*\).*/\1 \2/p' "$scratch/options" | sort -u >"$scratch/letters"
    [ "$(wc -l <"$scratch/letters")" -gt 8 ] && ! cut -d' ' -f1 "$scratch/letters" | uniq -d | grep .
}
ok "a letter is one option" letters
pictures() {
    sed -n 's/^[a-z]*   ....--\(plots\{0,1\}\|term\) \([A-Z]*\) .*/\1 \2/p' "$scratch/options" | sort -u | tr '\n' ' ' >"$scratch/kinds"
    [ "$(cat "$scratch/kinds")" = "plot FILE plots DIR term TERM " ]
}
ok "--plot is a file, --plots a folder, --term a format" pictures
# Older spellings do the same, and are not offered.
older() { # older words, and what they are now
    "$binary" $1 >"$scratch/a" 2>&1 && "$binary" $2 >"$scratch/b" 2>&1 && [ -s "$scratch/a" ] && cmp "$scratch/a" "$scratch/b"
}
hand="-m sac -w tests/data/hand.profile.yaml"
for spelling in -o --organization --organization= -O; do
    case $spelling in *=) word=$spelling ;; *) word="$spelling " ;; esac
    ok "$spelling" older "whatif $hand ${word}sm-side ${word}memory-side" "whatif $hand --organisation sm-side --organisation memory-side"
done
ok "-a" older "whatif $hand -a" "whatif $hand --all-models"
fails "twice by two spellings" "--organisation is given twice" "$binary" why $hand -o sm-side -O memory-side
fails "a suggestion is a spelling of today" "did you mean --organisation?" "$binary" whatif $hand --organizatio sac
unseen() { ! "$binary" help --complete -- whatif --organi | grep -qx -- --organization && "$binary" help --complete -- whatif --organi | grep -qx -- --organisation; }
ok "completion offers that" unseen

# --- manual pages -----------------------------------------------------------

files=$("$binary" help --complete -- help "" | grep -- -files)
mkdir "$scratch/man"
pages() {
    "$binary" help --man >"$scratch/man/bandscape.1" || return 1
    for c in $commands; do "$binary" help "$c" --man >"$scratch/man/bandscape-$c.1" || return 1; done
    for f in $files; do "$binary" help "$f" --man >"$scratch/man/bandscape-${f%-files}.5" || return 1; done
}
ok "manual pages" pages
plain() { sed 's/\\-/-/g; s/\\f[A-Z]//g' "$scratch/man/$1"; }
complete() {
    for c in $commands; do
        plain "bandscape-$c.1" >"$scratch/plain"
        "$binary" help "$c" | sed -n '/^options:/,/^examples:/s/^  ...[ ,]*\(--[a-z0-9-]*\).*/\1/p' >"$scratch/options"
        [ -s "$scratch/options" ] || return 1
        while read -r option; do
            grep -qE -- "^(-., )?$option( |\$)" "$scratch/plain" || { echo "$c: no $option"; return 1; }
        done <"$scratch/options"
        for title in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES "SEE ALSO"; do
            grep -qx "\.SH $title" "$scratch/plain" || { echo "$c: no $title"; return 1; }
        done
    done
}
ok "those of commands have every option" complete
plain bandscape.1 >"$scratch/plain"
overview_page() {
    for c in $commands; do grep -qx "\.BR bandscape-$c (1)" "$scratch/plain" || { echo "no $c"; return 1; }; done
    for f in $files; do grep -qx "\.BR bandscape-${f%-files} (5)" "$scratch/plain" || { echo "no $f"; return 1; }; done
    for title in NAME SYNOPSIS DESCRIPTION COMMANDS "FILE FORMATS" "EXIT STATUS" FILES ENVIRONMENT; do
        grep -qx "\.SH $title" "$scratch/plain" || { echo "no $title"; return 1; }
    done
}
ok "the first one leads to all" overview_page
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
        for page in "$scratch"/man/*; do
            groff -man -ww -z "$page" 2>&1 | grep . && return 1
            groff -man -Tascii -P-cbou -rLL=80n "$page" >"$scratch/page" || return 1
            [ "$(wc -l <"$scratch/page")" -gt 40 ] || { echo "$page is short"; return 1; }
            awk 'length > 80' "$scratch/page" | grep . && { echo "in $page"; return 1; }
        done
        return 0
    }
    ok "groff has nothing to say, and they fit into 80 columns" rendered
    said=1
fi
if command -v mandoc >/dev/null; then
    linted() { ! mandoc -Tlint -Wwarning "$scratch"/man/* | grep -v 'missing date' | grep .; }
    ok "mandoc has nothing to say" linted
    said=1
fi
[ $said = 1 ] || skip "the manual pages rendered" "neither groff nor mandoc is installed"
fails "a topic has no page of its own" "bandscape help --man" "$binary" help environment --man
fails "Markdown of a command" "--markdown is of files" "$binary" help sweep --markdown
fails "Markdown of nothing" "--markdown needs a kind of file" "$binary" help --markdown
short() {
    for name in machine machines; do
        "$binary" help $name >"$scratch/page" && "$binary" help machine-files | cmp - "$scratch/page" || return 1
    done
}
ok "a kind of file by its short name, where no command has that" short
fails "a kind of file misspelt" 'did you mean "bandscape help space-files"?' "$binary" help space-file

# Examples of helps that are quick are run, in a folder that has what they name.
if $release; then
    mkdir "$scratch/examples"
    ln -s "$top/models" "$top/spaces" "$top/src" "$top/tests" "$top/.build" "$scratch/examples"
    ln -s "$binary" "$scratch/examples/bandscape"
    printf 'area,power,bandwidth\n1,5,10\n2,3,12\n3,1,9\n' >"$scratch/examples/designs.csv"
    sed 's/^space: .*/space: my-space/; s/^workloads: .*/workloads: ["gemm:input=small"]/' \
        spaces/sac-sensitivity.yaml >"$scratch/examples/my-space.yaml"
    examples() { # command
        "$binary" help "$1" | sed '1,/^examples:/d; s/^  //' >"$scratch/lines"
        [ -s "$scratch/lines" ] || return 1
        while read -r line; do
            case $line in
            *"input=small"* | *tests/data/* | *designs.csv* | "bandscape list"* | "bandscape help"* | *.btrace* | *"my-space"*) ;;
            *) continue ;; # on default inputs: minutes, or a program or result that is not here
            esac
            echo "$line" >>"$scratch/run"
            (cd "$scratch/examples" && PATH=$PWD:$PATH timeout 60 bash -c "$line" </dev/null) >"$scratch/said" 2>&1 ||
                { echo "$line"; cat "$scratch/said"; return 1; }
        done <"$scratch/lines"
    }
    if command -v bash >/dev/null; then
        for c in $commands; do ok "examples of $c" examples "$c"; done
        [ "$(wc -l <"$scratch/run")" -gt 30 ]
        report $? "more than thirty of them"
    else
        skip "examples of helps" "bash is not installed"
    fi
fi

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
numbers() { # in SI; names and what is absent have none
    "$binary" list parameters llc --format json | tr -d '\n ' >"$scratch/llc.json" && grep -q '"parameter":"llc.capacity".*"value":"4MiB","achangeneeds":"nothing","help":"capacity","number":4194304}' "$scratch/llc.json" &&
        grep -q '"value":"120cycles",[^}]*"number":1.2[0-9]*e-07}' "$scratch/llc.json" && grep -q '"value":"chip",[^}]*"number":null}' "$scratch/llc.json" &&
        ! "$binary" list parameters | grep -q ' 4194304'
}
ok "numbers of parameters in JSON" numbers
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

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion in shells: what the program answers, and what bash makes of it.
. tests/cli/common.sh.inc

# That the words (the last one is completed) have exactly these answers, or begin with these.
answers() { # expected words...
    expected=$1
    shift
    "$binary" help --complete -- "$@" >"$scratch/out" || return 1
    [ "$(tr '\n' ' ' <"$scratch/out")" = "$expected" ]
}
has() { # expected words...
    expected=$1
    shift
    "$binary" help --complete -- "$@" >"$scratch/out" || return 1
    for one in $expected; do grep -qx -- "$one" "$scratch/out" || return 1; done
}
ok "commands" answers "whatif " wha
ok "before any" has "whatif help --help" ""
ok "long options" answers "--machine " whatif --mac
ok "what is not shown is not offered" answers "--minimise " pareto --mini
ok "options are those of the command" answers "" sweep --mach
ok "machines" has "sac nuba" whatif --machine ""
ok "by letter" has "sac-2chip" whatif -m sac
ok "by letters" has "sac-2chip" whatif -xm sac
ok "behind an equals sign" answers "--machine=nuba --machine=nuba-double --machine=nuba-half --machine=nuba-mcm " \
    whatif --machine=nuba
ok "workloads" answers "gemm " whatif --workload gem
ok "inputs" has "gemm:input=small" whatif -w gemm:
ok "models" answers "eab " sweep x --model ea
ok "organisations" answers "sm-side " whatif -o sm
ok "paths" answers "inter.link_bandwidth= " whatif --set inter.link_b
ok "of that machine" has "p2p.latency=" whatif --machine nuba --set p2p.
ok "names of a parameter" answers "llc.organisation=sac llc.organisation=sm-side llc.organisation=static " \
    whatif --set llc.organisation=s
ok "formats" answers "table csv json " validate --format ""
ok "spaces" answers "sac-budget " sweep sac-bu
ok "sorts of lists" answers "metrics " list met
ok "names of a list" answers "llc.capacity " list parameters llc.cap
ok "first and further arguments" answers "info " trace in
ok "further arguments" answers "gemm " trace info gem
ok "topics" answers "environment " help en
ok "kinds of files" has "machine-files trace-files" help ""
ok "nothing is known" answers "" nonsense ""
ok "no words" answers ""
# Every list has names that complete, and what is listed is what is offered.
listed() {
    for kind in $("$binary" help --complete -- list ""); do
        case $kind in workloads) continue ;; esac # takes long before the first use
        "$binary" list "$kind" --format json | awk -F'"' '/^  [{]/ { getline; print $4 }' | sort -u >"$scratch/a"
        "$binary" help --complete -- list "$kind" "" | sort -u >"$scratch/b"
        [ -s "$scratch/a" ] && cmp "$scratch/a" "$scratch/b" || { echo "$kind"; return 1; }
    done
}
ok "names are those of the lists" listed
fails "an unknown shell" "known: bash, zsh, fish" "$binary" help --completion tcsh

if command -v bash >/dev/null; then
    cat >"$scratch/complete.bash" <<'E2'
source <("$1" help --completion bash) || exit 1
try() { # line expected
    COMP_LINE="$program $1" COMP_POINT=$((${#program} + 1 + ${#1})) COMPREPLY=()
    _bandscape "$program"
    [ "${COMPREPLY[*]}" = "$2" ] || { echo "$1: ${COMPREPLY[*]}"; exit 1; }
}
program=$1
try "wha" "whatif"
try "whatif --machine=sac-2c" "sac-2chip"
try "whatif -m sac --workload gem" "gemm"
try "whatif -w gemm:input=sm" "small"
try "whatif --set inter.link_b" "inter.link_bandwidth="
try "whatif --set llc.organisation=sm" "sm-side"
try "list " "$("$program" help --complete -- list "" | tr '\n' ' ' | sed 's/ $//')"
try "sweep no-such" ""
COMP_WORDBREAKS=" "
try "whatif --set=llc.organisation=sm" "--set=llc.organisation=sm-side"
[ "$(complete -p bandscape)" = "complete -o default -F _bandscape bandscape" ]
E2
    ok "bash completes" bash "$scratch/complete.bash" "$binary"
else
    skip "bash completes" "bash is not installed"
fi
if command -v zsh >/dev/null; then
    cat >"$scratch/complete.zsh" <<'E2'
compdef() { registered="$*" }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; added+=("$@") }
_files() { added=(files) }
source <("$1" help --completion zsh)
[[ $registered == "_bandscape bandscape" ]] || exit 1
try() { # expected words...
    local expected=$1
    shift
    added=() words=("$program" "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
    _bandscape
    [[ "$added" == "$expected" ]] || { echo "$*: $added"; exit 1 }
}
program=$1
try whatif wha
try gemm whatif --workload gem
try inter.link_bandwidth= whatif --set inter.link_b
try files whatif --plot x
E2
    ok "zsh completes" zsh -f "$scratch/complete.zsh" "$binary"
else
    skip "zsh completes" "zsh is not installed"
fi
if command -v fish >/dev/null; then
    cat >"$scratch/complete.fish" <<'E2'
set -gx PATH (dirname $argv[1]) $PATH
source (bandscape help --completion fish | psub)
function try --argument-names expected line
    set -l found (complete -C "$line")
    test "$found" = "$expected"; or begin
        echo "$line: $found"
        exit 1
    end
end
try whatif "bandscape wha"
try gemm "bandscape whatif --workload gem"
try inter.link_bandwidth= "bandscape whatif --set inter.link_b"
try --set=llc.organisation=sm-side "bandscape whatif --set=llc.organisation=sm"
E2
    ok "fish completes" fish --no-config "$scratch/complete.fish" "$binary"
else
    skip "fish completes" "fish is not installed"
fi
finish

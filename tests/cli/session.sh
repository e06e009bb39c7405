#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A session of the shell on a terminal, typed as a person would: completion, undo, mistakes, Ctrl-C, pictures. What
# each of forty commands answers is looked at.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
if ! script -qec true /dev/null >/dev/null 2>&1 || ! "$binary" --version | grep -q readline; then
    skip "a session" "util-linux's script or readline is not there"
    finish
    exit
fi
export TERM=dumb COLUMNS=100 PAGER=cat XDG_STATE_HOME="$scratch/state"
mkfifo keys
: >seen
script -qfec "'$binary'" /dev/null <keys >seen 2>&1 &
job=$!
exec 3>keys
before=0 commands=0
# What came since the last line was typed, without its echo; ends: with the next prompt.
answer() { tail -c +$((before + 1)) seen | tr -d '\r' | sed 1d; }
ends() { [ "$(tail -c 2 seen)" = "> " ]; }
waits() {
    tries=0
    until { [ $before = 0 ] || answer | grep -q .; } && ends; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || break
        sleep 0.05
    done
}
# type TEXT; ask NAME TEXT WORDS...: each is in a line of the answer, as a regular expression.
type() {
    before=$(wc -c <seen)
    commands=$((commands + 1))
    printf '%b\n' "$1" >&3
}
look() {
    name=$1 missing=
    shift
    answer >out
    : >err
    for words; do grep -qE -- "$words" out || missing="$missing [$words]"; done
    [ -z "$missing" ]
    report $? "$name$missing"
}
ask() {
    name=$1 text=$2
    shift 2
    type "$text"
    waits
    look "$name" "$@"
}

waits
ask "a machine" 'machine sac' '^sac> $'
ask "which it is" 'machine' '^sac$'
ask "a workload, its verb and its name completed" 'worklo\t gem\t' '^sac> $'
ask "an input of it" 'workload gemm:input=small' '^sac> $'
ask "which it is" 'workload' '^gemm:input=small$'
ask "an answer" 'eval' '^gemm on sac, answered by network$' '^memory-side .* inter 94 %, ' '^sm-side ' '^sac ' '^Preferred: sm-side'
ask "a setting, its path completed" 'set llc.capac\t 8 MiB' '^llc.capacity: 4 MiB -> 8 MiB$' '^sac\*> $'
ask "a factor" 'set inter.link_bandwidth *2' '^inter.link_bandwidth: 96 GB/s -> 192 GB/s$'
ask "what is set" 'set' '^llc.capacity 8 MiB$' '^inter.link_bandwidth 192 GB/s$'
ask "what differs" 'diff' '^llc.capacity +4 MiB +8 MiB$' '^inter.link_bandwidth +96 GB/s +192 GB/s$'
ask "undo" 'undo' '^sac, llc.capacity 8 MiB; gemm:input=small$'
ask "redo" 'redo' '^sac, llc.capacity 8 MiB, inter.link_bandwidth 192 GB/s; gemm:input=small$'
ask "beside the shipped one" 'compare --model bottleneck --format csv' '^gemm,sac,bottleneck,' '^gemm,"sac:llc.capacity=8 MiB,inter.link_bandwidth=192 GB/s",'
ask "undo again" 'undo' '^sac, llc.capacity 8 MiB; gemm:input=small$'
ask "a parameter that there is not" 'set llc.capcity 8 MiB' 'error: there is no parameter "llc.capcity"' '^hint: did you mean "llc.capacity"\?$' '^sac\*> $'
ask "a value that cannot be" 'set llc.ways 0' 'error: ' '^sac\*> $'
ask "leaves all as it was" 'set' '^llc.capacity 8 MiB$'
ask "unset" 'unset llc.capacity' '^sac> $'
ask "another kind of answer" 'model eab' '^sac> $'
ask "by it" 'eval -O memory-side --format csv' '^sac,gemm,memory-side,eab,3455664041994\.75,'
ask "why" 'why' '^gemm on sac, memory-side, reaches .* by eab' '^Terms of eab: SAC, ISCA 2023' '<- binds$'
ask "which two designs differ" 'why --between memory-side,sm-side' '^gemm by eab: sm-side takes 0\.[0-9]+x the time of memory-side'
ask "what matters" 'sensitivity --metric effective_bandwidth' '^llc.bandwidth +4 TB/s +0\.[0-9]+'
ask "how much is enough" 'goal --vary inter.link_bandwidth=48..768GB/s --reach "effective_bandwidth within 10% of best"' '^The least inter.link_bandwidth .*: 19[0-9.]+ GB/s\.$'
ask "where it turns" 'flip --between memory-side,sm-side --over inter.link_bandwidth=10..768GB/s' 'sm-side is better everywhere\.$'
ask "two machines" 'compare sac-2chip' '^gemm +sac +eab ' '^gemm +sac-2chip +eab '
ask "a sweep" 'sweep inter.link_bandwidth 48..768 GB/s' '^shell: 5 points, 5 kept' '^ +1 +384 GB/s '
ask "its front" 'pareto' '^4\.8e\+10,'
if gnuplot --version >/dev/null 2>&1; then
    ask "its picture in characters" 'plot' 'inter-chip link bandwidth \(GB/s\)'
    ask "and as a file" 'plot -o a.svg' '^a\.svg$'
    ok "is there" grep -q '</svg>' a.svg
else
    skip "pictures" "gnuplot is not installed"
fi
ask "organisations ranked" 'rank inter.link_bandwidth 96,384 GB/s' '^shell: 6 points' '^ +1 .* sm-side '
ask "an axis that there is not" 'sweep inter.link_bandwith 48..768 GB/s' '^hint: did you mean "inter.link_bandwidth"\?$'
ask "a parameter's page" 'list parameters llc.capacity' '^value +4 MiB$'
ask "help of a verb" 'help set' '^set \[PATH VALUE\]$'
ask "a verb misspelt" 'evall' 'there is no verb "evall"' '^hint: did you mean "eval"\?$'
ask "a name completed" 'set llc.organ\t sm\t' '^llc.organisation: memory-side -> sm-side$'
ask "kept in a file" 'save a.session' '^sac\*> $'
ask "another machine" 'machine nuba' '^nuba> $'
ask "and back" 'load a.session' '^sac\*> $'
# A simulation of the default input takes longer than this; Ctrl-C ends it and not the session.
ask "a longer workload" 'workload gemm' '^sac\*> $'
type 'simulate --requests 1000000000'
sleep 1
printf '\003' >&3
waits
look "Ctrl-C ends the question" 'error: .*interrupted'
ask "and not the session" 'machine' '^sac$' '^sac\*> $'
echo 'unset; workload gemm:input=small; set llc.ways 8' >steps
ask "a file of verbs" 'source steps' '^llc.ways: 16 -> 8$'
type quit
wait $job
report $? "quit"
ok "forty commands" test $commands -ge 40
ok "are in the history" sh -c 'grep -qx "source steps" state/bandscape/history && grep -q "^sweep inter" state/bandscape/history'
finish

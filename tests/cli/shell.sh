#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape shell in scripts: verbs against the commands that they stand for, errors with their place.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
mkdir tmp
export TMPDIR="$scratch/tmp" XDG_STATE_HOME="$scratch/state"

shell() { "$binary" shell -c "$1"; }
# same VERBS command...: what the verbs print is what the command prints.
same() {
    verbs=$1
    shift
    shell "$verbs" >got 2>got.err && "$binary" "$@" >want && [ -s want ] && cmp want got
}
base="machine sac; workload gemm:input=small"

# --- questions are the commands, with the session in front
ok "eval is whatif" same "$base; set inter.link_bandwidth 384 GB/s; eval --format csv" \
    whatif -m sac -w gemm:input=small -s inter.link_bandwidth=384GB/s --format csv
ok "options of the line are there too" same "$base; model eab; eval -o sac --format csv" \
    whatif -m sac -w gemm:input=small --model eab -o sac --format csv
ok "and stand in the session's place" same "$base; set llc.capacity 8 MiB; eval -m sac-2chip -w nn:input=small --model eab --format csv" \
    whatif -m sac-2chip -w nn:input=small --model eab --format csv
ok "so do settings" same "$base; set llc.capacity 8 MiB; set llc.latency 90 ns; eval --model network -s llc.capacity=2MiB --format csv" \
    whatif -m sac -w gemm:input=small --model network -s llc.capacity=2MiB -s llc.latency=90ns --format csv
if $thorough; then
    ok "sensitivity" same "$base; set llc.ways 8; sensitivity --format csv" sensitivity -m sac -w gemm:input=small -s llc.ways=8 --format csv
    ok "goal" same "$base; goal --vary inter.link_bandwidth=48..768GB/s --reach \"effective_bandwidth >= 400 GB/s\"" \
        goal -m sac -w gemm:input=small --vary inter.link_bandwidth=48..768GB/s --reach "effective_bandwidth >= 400 GB/s"
    ok "list, of this machine" same "machine nuba; list parameters" list parameters -m nuba
    ok "what is about others stands as it is" same "$base; validate nuba --format csv" validate nuba --format csv
    ok "arguments are questions of their own" same "$base; simulate '$top/tests/data/lazowska.network.yaml' --requests 1000" \
        simulate "$top/tests/data/lazowska.network.yaml" --requests 1000
    ok "compare: the machine as it is shipped" same "$base; set inter.link_bandwidth 384 GB/s; compare --format csv" \
        compare sac "sac:inter.link_bandwidth=384 GB/s" -w gemm:input=small --format csv
    ok "and others" same "$base; compare nuba --format csv" compare sac nuba -w gemm:input=small --format csv
fi
fails "nothing is set" "sac is as it is shipped" shell "$base; compare"
every() { # command that asks about a machine and a workload is a verb
    shell help >verbs || return 1
    for command in $("$binary" list commands --format json | sed -n 's/.*"command": "\(.*\)",/\1/p'); do
        [ "$command" = shell ] || grep -q "^  $command " verbs || { echo "$command"; return 1; }
    done
    grep -q '^  undo ' verbs
}
ok "every command is a verb" every

# --- settings
is() { # verbs path value: what set says, and the machine
    shell "$1; list parameters $2 --format json; set" >got 2>got.err && tail -1 got | grep -qxF -- "$2 $3"
}
ok "a number with its unit" is "machine sac; set inter.link_bandwidth 384 GB/s" inter.link_bandwidth "384 GB/s"
ok "PATH=VALUE" is "machine sac; set inter.link_bandwidth=384 GB/s" inter.link_bandwidth "384 GB/s"
ok "*2" is "machine sac; set inter.link_bandwidth *2" inter.link_bandwidth "192 GB/s"
ok "cycles stay cycles" is "machine sac; set llc.latency *2" llc.latency "240 cycles"
ok "names" is "machine sac; set llc.organisation sm-side" llc.organisation sm-side
differ() {
    shell "machine sac; set llc.capacity *2; set inter.link_bandwidth 384 GB/s; diff" >got &&
        [ "$(sed 1,2d got | tr -s ' ')" = "llc.capacity 4 MiB 8 MiB
inter.link_bandwidth 96 GB/s 384 GB/s" ]
}
ok "diff" differ
ok "of nothing" sh -c '[ "$("$1" shell -c "machine sac; set llc.capacity *2; unset; diff")" = "sac is as it is shipped" ]' - "$binary"
undone() {
    shell "$base; set llc.capacity 8 MiB; model eab; undo; undo; redo; set" >got &&
        [ "$(tail -1 got)" = "llc.capacity 8 MiB" ] && [ "$(sed -n 3p got)" = "sac, llc.capacity 8 MiB; gemm:input=small" ]
}
ok "undo and redo" undone
fails "nothing to undo" "nothing was changed" shell "undo"
fails "nothing to redo" "nothing was undone" shell "machine sac; redo"
ok "options are verbs" sh -c '[ "$("$1" shell -m sac -s llc.capacity=8MiB -c set)" = "llc.capacity 8MiB" ]' - "$binary"

# --- sweeps
cat >own.yaml <<'Y'
space: own
machine: sac
workloads: ["gemm:input=small"]
models: [network]
axes:
  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}
  llc.organisation: [memory-side, sm-side, sac]
objectives: [{minimise: kernel_time}, {minimise: inter.link_bandwidth}]
rank: {by: kernel_time}
Y
swept() {
    "$binary" sweep own.yaml -o own --no-plots -s llc.capacity=8MiB >/dev/null 2>&1 &&
        shell "$base; set llc.capacity 8 MiB; rank inter.link_bandwidth 48,96,192 GB/s -o here" >/dev/null 2>&1
    shell "$base; set llc.capacity 8 MiB; rank inter.link_bandwidth 48,96,192 GB/s -o here" >got 2>got.err &&
        cmp own/ranking.csv here/ranking.csv && cmp own/pareto.csv here/pareto.csv
}
ok "rank is a sweep over organisations" swept
front() {
    shell "$base; sweep inter.link_bandwidth 48..768 GB/s llc.organisation memory-side,sm-side; pareto" >got 2>/dev/null &&
        grep -q '^shell: 10 points' got && grep -q '^4.8e+10,' got && grep -q '^inter.link_bandwidth,llc.organisation,' got
}
ok "a range doubles; the front of it" front
relative() {
    shell "$base; model eab; sweep inter.link_bandwidth x0.5..x2 --maximise effective_bandwidth -o x --top 3" >/dev/null 2>&1 &&
        sed -n 2p x/ranking.csv | grep -q '^1.92e+11,' && [ "$(wc -l <x/ranking.csv)" = 4 ] && grep -q '^4.8e+10,' x/points.csv
}
ok "a range of what is set, another objective" relative
fails "set takes one" "set takes one value of inter.link_bandwidth" shell "$base; set inter.link_bandwidth 48,96 GB/s"
ok "whole numbers" sh -c '"$1" shell -m sac -w gemm:input=small -c "sweep memory.channels 4..7 -o n" >/dev/null 2>&1; [ "$(wc -l <n/points.csv)" = 5 ]' - "$binary"
if gnuplot --version >/dev/null 2>&1; then
    plotted() {
        shell "$base; sweep inter.link_bandwidth 48..768 GB/s; plot; plot -o a.svg" >got 2>/dev/null &&
            grep -q 'inter-chip link bandwidth (GB/s)' got && grep -q '<svg' a.svg
    }
    ok "plot" plotted
else
    skip "plot" "gnuplot is not installed"
fi
ok "nothing of it stays" sh -c '[ -z "$(ls -A tmp)" ]'
# One grammar of values: what is several behind --set is the same several in a sweep of the shell.
cp "$top/tests/data/hand.profile.yaml" .
values() { # form: those of whatif, and those of the shell
    "$binary" whatif -m sac -w hand.profile.yaml --model bottleneck -o memory-side --set "inter.link_bandwidth=$1" --format csv |
        awk -F, 'NR > 1 { print $1 }' >want &&
        shell "machine sac; workload hand.profile.yaml; model bottleneck; sweep inter.link_bandwidth $1 --maximise effective_bandwidth -o g" >/dev/null 2>&1 &&
        awk -F, 'NR > 1 { print $1 }' g/points.csv >got && [ "$(wc -l <want)" -gt 1 ] && cmp want got
}
for form in 48,96,192GB/s 48..192GB/s 24..96GB/s:9 48..768GB/s:3 x0.5..x4 +-20% '*2,/2' +32GB/s,+10% 48,96..192GB/s; do
    ok "the values $form" values "$form"
done

fails "plot before any sweep" "nothing was swept" shell "$base; plot"
fails "a sweep of what is not there" 'did you mean "inter.link_bandwidth"?' shell "$base; sweep inter.link_bandwith 48..768 GB/s"
fails "of a name" "it has no range" shell "$base; sweep llc.organisation a..b"
fails "of nothing" "the range is empty" shell "$base; sweep inter.link_bandwidth 768..48 GB/s"
fails "of what no model reads" '1:52: error: axis noc.inputs has no effect' shell "$base; model eab; sweep noc.inputs 30..33"
fails "without a workload" "which workload?" shell "machine sac; sweep inter.link_bandwidth 48..768 GB/s"

# --- scripts
cat >script <<'S'
# a comment
machine sac; workload "gemm:input=small"

set inter.link_bandwidth '384 GB/s' # and another
  set llc.capcity 8MiB
set llc.capacity 8MiB
S
fails "the place of an unknown parameter" "script:5:7: error: there is no parameter \"llc.capcity\"" "$binary" shell script
caret() { ! "$binary" shell script 2>got && grep -q '^     5 |   set llc.capcity 8MiB$' got && grep -q 'did you mean "llc.capacity"' got; }
ok "the line, and what to write" caret
printf 'machine sac\nset llc.capacity 4 GB/s\n' >script
fails "of a value" "script:2:18: error: llc.capacity: expected bytes" "$binary" shell script
printf 'machine sac; evall\n' >script
fails "of a verb" 'script:1:14: error: there is no verb "evall"' "$binary" shell script
nearest() { ! "$binary" shell script 2>got && grep -q 'did you mean "eval"' got; }
ok "and the nearest" nearest
printf 'machine sac\nworkload gemm:input=smal\n' >script
fails "of a workload" "script:2: gemm has no input" "$binary" shell script
printf 'machine sac\neval\n' >script
fails "of a question" "script:2:1: error: whatif needs a workload" "$binary" shell script
printf 'machine sac\nmodel nosuch\n' >script
fails "of a model" "script:2:7: error: there is no model" "$binary" shell script
printf 'set llc.capacity "8 MiB\n' >script
fails "a quote that does not end" "script:1:18: error: this quote does not end" "$binary" shell script
printf 'machine sac\0\n' >script
fails "no text" "it has a byte 0" "$binary" shell script
fails "no file" "cannot read nosuch" "$binary" shell nosuch
fails "on the command line" "--command:1:14: error: there is no verb" shell "machine sac; setx"
fails "from standard input" "standard input:2:1: error: there is no verb" sh -c 'printf "machine sac\nx x\nmachine nuba\n" | "$1" shell' - "$binary"
quiet() { printf 'machine sac\nset llc.capacity *2\nworkload gemm:input=small' | TERM=xterm "$binary" shell >got 2>&1 && [ ! -s got ]; }
ok "no prompt, no escapes, no words" quiet
stops() { shell "machine sac; set llc.ways 0; machine nuba; machine" >got 2>/dev/null; [ $? = 2 ] && [ ! -s got ]; }
ok "the first error ends it" stops
ok "quit ends it too" sh -c '[ "$("$1" shell -c "machine sac; quit; nonsense" 2>&1)" = "" ]' - "$binary"
printf 'source loop\n' >loop
fails "a script that runs itself" "16 deep" "$binary" shell loop
alone() { "$binary" </dev/null >got 2>got.err; [ $? = 2 ] && [ ! -s got ] && grep -q '^  shell ' got.err; }
ok "bandscape alone, off a terminal" alone

# --- files
round() {
    shell "$base; model eab; set llc.capacity *2; set llc.organisation sm-side; save a.session; unset; machine nuba; load a.session; save b.session; diff" >got 2>/dev/null &&
        cmp a.session b.session && grep -q '^llc.capacity  *4 MiB  *8 MiB$' got && grep -qx 'workload gemm:input=small' a.session
}
ok "save and load" round
ok "load is one step" sh -c '[ "$("$1" shell -c "machine nuba; load a.session; undo; machine")" = "nuba
nuba" ]' - "$binary"
echo mine >mine
fails "what is no session stays" "mine is there, and no session" shell "machine sac; save mine"
ok "as it was" sh -c '[ "$(cat mine)" = mine ]'
printf 'machine sac\nset llc.capacity 3 GB/s\n' >bad
kept() { printf 'machine nuba\nload bad\n' >script && ! "$binary" shell script 2>got.err && grep -q '^bad:2:18: error: script:2: ' got.err; }
ok "one that fails has both places" kept
printf 'undo; undo\n' >back
fails "undo goes not behind a load" "nothing was changed" shell "machine sac; load back"
ok "source goes on" sh -c 'echo "set llc.ways 8" >v; [ "$("$1" shell -c "machine sac; source v; set")" = "llc.ways 8" ]' - "$binary"

# --- Ctrl-C
"$binary" shell -c "machine sac; workload gemm; simulate --requests 1000000000; machine" >got 2>got.err &
job=$!
sleep 0.5
kill -INT $job
wait $job
status=$?
interrupted() { [ $status = 130 ] && grep -q 'error: .*interrupted' got.err && [ ! -s got ]; }
ok "ends a script" interrupted

# --- terminals
if script -qec true /dev/null >/dev/null 2>&1 && "$binary" --version | grep -q readline; then
    on_terminal() { # text: typed
        printf '%b' "$1" | TERM=dumb script -qec "$binary" /dev/null >seen 2>&1
    }
    prompts() { on_terminal 'machine sac\nset llc.ways 8\nset\nquit\n' && grep -q 'sac\*> ' seen && grep -q 'llc.ways: 16 -> 8' seen; }
    ok "bandscape alone, on a terminal" prompts
    ok "lines are kept" grep -qx 'set llc.ways 8' state/bandscape/history
    nowhere() { XDG_STATE_HOME=/proc/nowhere on_terminal 'machine sac\nquit\n' && grep -q 'sac> ' seen; }
    ok "a history that cannot be kept is not missed" nowhere
else
    skip "a terminal" "util-linux's script or readline is not there"
fi
finish

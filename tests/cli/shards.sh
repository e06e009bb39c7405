#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep in shares, and one that was ended and went on, leave the bytes of one that went through.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >space.yaml <<'Y'
space: cut
machine: sac
workloads: ["gemm:input=small", "bfs:input=small"]
models: [eab]
axes:
  inter.link_bandwidth: {from: 24 GB/s, to: 3072 GB/s, scale: log2, points: 25}
  memory.bandwidth: {from: 218.75 GB/s, to: 1750 GB/s, scale: log2, points: 25}
  llc.bandwidth: {from: 1 TB/s, to: 16 TB/s, scale: log2, points: 25}
  llc.capacity: {from: 1 MiB, to: 16 MiB, scale: log2, points: 5}
  sm.per_chip: [32, 63]
  llc.organisation: [memory-side, sm-side]
where: ["llc.capacity < 12 MiB", "effective_bandwidth within 60% of best"]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}, {minimise: memory.bandwidth}]
rank: {by: effective_bandwidth, top: 40}
Y
sweep() { "$binary" sweep space.yaml --no-plots "$@"; }
job() { exec "$binary" sweep space.yaml --no-plots "$@"; } # behind &: what is killed is the sweep itself
same() { # folder folder: all but the facts of the run
    diff -rq -x run.yaml -x '*.state' -x '.bandscape-*' "$1" "$2"
}
ok "a sweep" sweep -o whole
ok "leaves nothing unfinished" test ! -e whole/unfinished.state

# Shares, in one folder and in several, in any order, with any number of threads.
for n in 1 2 3 7 20; do
    for i in $(seq "$n" -1 1); do
        sweep --shard "$i/$n" -j $((i % 3 + 1)) -o "shares$n" >"$scratch/out" 2>"$scratch/err" || break
    done
    ok "$n shares: merged" "$binary" merge "shares$n" --no-plots -o "merged$n"
    ok "$n shares: the same bytes" same whole "merged$n"
done
mkdir one two
cp shares3/shard-1-of-3.state shares3/shard-3-of-3.state one
cp shares3/shard-2-of-3.state two
ok "shares of two folders" "$binary" merge one two --no-plots
ok "go to the first one" same whole one

# What does not fit together.
fails "a share that lacks" "share 2 of 3 is missing" "$binary" merge one --no-plots -o nowhere
cp shares7/shard-5-of-7.state two
fails "one of another division" "of 7 shares" "$binary" merge one two --no-plots -o nowhere
fails "what to do about it" "hint: remove those" "$binary" merge one two --no-plots -o nowhere
rm two/shard-5-of-7.state
cp shares3/shard-1-of-3.state two/shard-again.state
fails "one that is there twice" "the same share" "$binary" merge one two --no-plots -o nowhere
rm two/shard-again.state
"$binary" sweep space.yaml --no-plots --top 7 --shard 2/3 -o other >/dev/null 2>&1
fails "one of another sweep" "not of the same sweep" "$binary" merge one other --no-plots -o nowhere
head -c 2000 shares3/shard-2-of-3.state >two/shard-2-of-3.state
fails "one that was cut" "damaged" "$binary" merge one two --no-plots -o nowhere
fails "a page of shares alone" "bandscape merge two" "$binary" report two
fails "a folder without" "no share of a sweep" "$binary" merge "$scratch" --no-plots -o nowhere
fails "no folder" "takes the folders" "$binary" merge
ok "nothing was written" test ! -e nowhere
ok "merge draws, as wide as asked for" sh -c '"$1" merge shares3 --plot svg --width one --script -o drawn && grep -q "width=\"321\"" drawn/pareto.svg && [ -s drawn/pareto.gp ]' - "$binary"
fails "a width that is none" '--width: expected one, two' "$binary" merge shares3 --width three -o nowhere
fails "a look of nothing" 'options of pictures have no effect with --no-plots' "$binary" merge shares3 --no-plots --width one -o nowhere
ok "nor then" test ! -e nowhere
# What is no state of a sweep is not replaced, whatever its name is.
mkdir foreign && echo mine >foreign/unfinished.state && echo mine >foreign/shard-1-of-2.state
fails "a file of the user's" "foreign/unfinished.state is no file of bandscape" sweep --save-every 0s -o foreign
fails "and one by a share's name" "foreign/shard-1-of-2.state is no file of bandscape" sweep --shard 1/2 -o foreign
ok "stay" sh -c '[ "$(cat foreign/*.state)" = "mine
mine" ] && [ "$(ls foreign | wc -l)" = 2 ]'
for wrong in 0/3 4/3 a/b 1 1/0 -1/3; do
    fails "--shard $wrong" "expected I/N" sweep --shard=$wrong -o nowhere
done
fails "--confirm of a share" "no effect on a share" sweep --shard 1/3 --confirm 1 -o nowhere
fails "--save-every in bytes" "expected a time" sweep --save-every 3MB -o nowhere
fails "nothing to go on with" "nothing to go on with" sweep --resume -o nowhere

# Ended at any moment after something was kept: it goes on from there.
kills=5
[ "${BANDSCAPE_LONG-0}" = 1 ] && $release && kills=50
state=ended/unfinished.state killed=0 resume=
go_on() { # arguments...: killed once it has kept something more
    [ -e "$state" ] && cp "$state" before || : >before
    job -o ended --save-every 0s $resume "$@" >"$scratch/out" 2>"$scratch/err" &
    job=$!
    while kill -0 $job 2>/dev/null; do
        if [ -e "$state" ] && ! cmp -s "$state" before; then
            kill -KILL $job 2>/dev/null && killed=$((killed + 1))
            resume=--resume
            break
        fi
    done
    wait $job 2>/dev/null
}
# It may be killed when the result is there and what was kept is still to go.
finished() { [ -e ended/ranking.csv ] && [ ! -e "$state" ]; }
# One that ended all the same is held to the same bytes, and begins anew.
differ=0 begun=0
while [ $killed -lt $kills ] && [ $begun -lt $kills ]; do
    go_on
    finished || continue
    same whole ended >/dev/null || differ=$((differ + 1))
    rm -rf ended
    resume= begun=$((begun + 1))
done
[ -e ended ] || resume=
ok "killed $killed times, it goes on" sweep -o ended $resume
ok "and ended $begun times meanwhile, to the same bytes" test $differ = 0
ok "to the same bytes" same whole ended
ok "and forgets what it had kept" test ! -e "$state"

job --shard 1/2 -o halves --save-every 0s >/dev/null 2>&1 &
job=$!
until [ -e halves/shard-1-of-2.state ] || ! kill -0 $job 2>/dev/null; do :; done
kill -KILL $job 2>/dev/null
wait $job 2>/dev/null
sweep --shard 2/2 -o halves >/dev/null 2>&1
if grep -qa '^done' halves/shard-1-of-2.state; then
    skip "a share that is not finished" "it was done sooner than it could be ended"
else
    fails "a share that is not finished" "is not finished" "$binary" merge halves --no-plots
fi
ok "goes on too" sweep --shard 1/2 -o halves --resume
ok "and is merged" "$binary" merge halves --no-plots
ok "into the same bytes" same whole halves
fails "not from curves of fewer lines" "not of the same sweep" sweep --shard 1/2 --sample 1/2 -o halves --resume
printf 'x' >>halves/shard-1-of-2.state
fails "nor from one that is damaged" "damaged" sweep --shard 1/2 -o halves --resume
"$binary" sweep space.yaml --no-plots --shard 1/2 --top 3 -o threes >/dev/null 2>&1
cp threes/shard-1-of-2.state halves
fails "nor from another sweep's" "not of the same sweep" sweep --shard 1/2 -o halves --resume
finish

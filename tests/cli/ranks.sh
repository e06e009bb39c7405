#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep by several ranks leaves the bytes of one process, also when one of them is killed and others go on.
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
  page.size: [1 KiB, 4 KiB]
  llc.organisation: [memory-side, sm-side]
where: ["llc.capacity < 12 MiB", "effective_bandwidth within 60% of best"]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}, {minimise: memory.bandwidth}]
rank: {by: effective_bandwidth, top: 40}
Y

# A build without MPI, as Open MPI, MPICH and Slurm start it.
for who in "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0" "PMI_SIZE=2 PMI_RANK=0" "SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0"; do
   
    fails "${who%%=*} without MPI" "built without MPI" env $who "$binary" sweep space.yaml --no-plots -o nowhere
    fails "what to do about it" "make MPI=1" env $who "$binary" sweep space.yaml --no-plots -o nowhere
done
ok "the others say nothing" env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 "$binary" sweep space.yaml -o nowhere
ok "not a word" test ! -s "$scratch/err"
ok "a share is by itself" env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 \
    "$binary" sweep space.yaml --no-plots --shard 1/2 -o share
ok "one rank is none" env OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 "$binary" sweep space.yaml --check
ok "nothing was written" test ! -e nowhere

mpi=$(dirname "$binary")/bandscape-mpi
missing=
command -v mpirun >/dev/null || missing="no mpirun (make deps MPI=1)"
[ -n "$missing" ] || command -v mpicc >/dev/null || missing="no mpicc (make deps MPI=1)"
[ -n "$missing" ] || mpirun --version 2>&1 | grep -q "Open MPI" || missing="mpirun is not Open MPI's"
[ -n "$missing" ] || mpirun --oversubscribe --allow-run-as-root -n 2 true >"$scratch/out" 2>&1 </dev/null ||
    missing="mpirun starts nothing here: $(tail -n 1 "$scratch/out")"
[ -n "$missing" ] || $release || missing="with the release build"
[ -n "$missing" ] || [ -x "$mpi" ] || missing="make MPI=1 has not been run"
if [ -n "$missing" ]; then
    skip "sweeps by ranks" "$missing"
    finish
    exit
fi

# mpirun makes a folder of its own, of a name that is the same for all of a user, and two that begin
# together may fail with it.
mkdir mpi mpi2
export TMPDIR="$scratch/mpi"
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMI_SIZE SLURM_STEP_NUM_TASKS
ranks() { # count arguments...
    n=$1
    shift
    mpirun --oversubscribe --allow-run-as-root -n "$n" "$mpi" sweep "$@" </dev/null
}
same() { # folder folder: all but the facts of the run
    diff -rq -x run.yaml -x '.bandscape-*' "$1" "$2"
}
"$binary" sweep space.yaml --no-plots -o whole >words 2>/dev/null
counts=3
[ "${BANDSCAPE_LONG-0}" = 1 ] && counts="1 2 3 4"
for n in $counts; do
    BANDSCAPE_CACHE=$scratch/cold$n ranks "$n" space.yaml --no-plots -o "by$n" >printed 2>"$scratch/err"
    report $? "$n ranks make the profiles and sweep"
    ok "$n ranks: the same bytes" same whole "by$n"
    sed "s/whole/by$n/" words >expected
    ok "$n ranks: one prints, the same" diff expected printed
    sed -n 's/^/# /p' "by$n/run.yaml" | grep ranks:
done

# Errors are said once, by rank 0.
ranks 2 nothing.yaml -o nowhere >said 2>told
ok "a wrong space is said once" test "$(grep -c 'error: ' told)" = 1
BANDSCAPE_CACHE=/dev/null/x ranks 2 space.yaml --no-plots -o nowhere >said 2>told
ok "so is a cache that keeps nothing" test "$(grep -c "error: .*cannot be kept" told)" = 1
ok "and nothing is written" test ! -e nowhere

# One rank is killed once something was kept; then others go on, as many as there are.
kills=1
[ "${BANDSCAPE_LONG-0}" = 1 ] && kills=20
kept() { cat ended/unfinished*.state 2>/dev/null | cksum; }
killed=0 resume=
go_on() { # count
    before=$(kept)
    rm -f pid.*
    # shellcheck disable=SC2016,SC2086
    mpirun --oversubscribe --allow-run-as-root -n "$1" sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$@"' sh \
        "$mpi" sweep space.yaml --no-plots -o ended --save-every 0s $resume </dev/null >said 2>told &
    job=$!
    while kill -0 $job 2>/dev/null; do
        [ -e ended/unfinished.state ] && [ "$(kept)" != "$before" ] || continue
        victim=$(od -An -N2 -tu2 /dev/urandom)
        kill -KILL "$(cat "pid.$((victim % $1))")" 2>/dev/null && killed=$((killed + 1))
        resume=--resume
        break
    done
    wait $job 2>/dev/null
}
finished() { [ -e ended/ranking.csv ] && [ -z "$(ls ended | grep unfinished)" ]; }
n=3
# One that ended all the same is held to the same bytes, and begins anew.
differ=0 begun=0
while [ $killed -lt $kills ] && [ $begun -lt $kills ]; do
    go_on $n
    n=$((n % 4 + 1))
    [ $n = 1 ] && n=2
    finished && [ $killed -lt $kills ] || continue
    same whole ended >/dev/null || differ=$((differ + 1))
    rm -rf ended
    resume= begun=$((begun + 1))
done
ok "$killed ranks killed; $begun times the others were through, with the same bytes" test $differ = 0
if finished; then
    skip "mpirun tells of a rank that was killed" "it was done sooner than it could be killed"
else
    ok "mpirun tells of a rank that was killed" grep -q "exited on signal 9" told
    cp -r ended alone
    ok "others go on" ranks 2 space.yaml --no-plots -o ended --resume
    ok "so does one process without MPI" "$binary" sweep space.yaml --no-plots -o alone --resume
    ok "to the same bytes" same whole alone
fi
ok "the result has the same bytes" same whole ended
ok "and nothing of what was kept is left" test -z "$(ls ended | grep unfinished)"

# Two at once into one folder: one may find files of the other that no manifest names yet, and says so.
ranks 2 space.yaml --no-plots -o twice --save-every 0s >said1 2>told1 &
TMPDIR=$scratch/mpi2
ranks 2 space.yaml --no-plots -o twice --save-every 0s >said2 2>told2
second=$?
wait $!
first=$?
ok "two into one folder: one at least" test $first = 0 -o $second = 0
for one in 1 2; do
    good=0
    grep -q "^files: twice" said$one || grep -q "error: .*twice/" told$one || good=1
    report $good "two into one folder: number $one is through, or says why not"
done
ok "the same bytes" same whole twice
finish

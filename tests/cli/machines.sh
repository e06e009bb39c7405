#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The lines of spaces/README.md for several machines, as they stand there, with what is installed: each leaves the
# bytes of one sweep.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >my-space.yaml <<'Y'
space: my-space
machine: sac
workloads: ["gemm:input=small"]
models: [eab]
axes:
  inter.link_bandwidth: {from: 24 GB/s, to: 3072 GB/s, scale: log2, points: 25}
  memory.bandwidth: {from: 218.75 GB/s, to: 1750 GB/s, scale: log2, points: 25}
  llc.organisation: [memory-side, sm-side]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
Y
mkdir bin mpi
cat >bin/bandscape <<S
#!/bin/sh
exec "$binary" "\$@"
S
# One rank may be started on a processor that others have, as root.
cat >bin/ranks <<S
#!/bin/sh
exec "$(command -v mpirun)" --oversubscribe --allow-run-as-root "\$@"
S
# An array job: its tasks, one after the other, where there is no Slurm.
cat >bin/sbatch <<'S'
#!/bin/sh
range=${1#--array=}
for SLURM_ARRAY_TASK_ID in $(seq "${range%-*}" "${range#*-}"); do
    export SLURM_ARRAY_TASK_ID
    sh -c "$3" || exit 1
done
S
chmod +x bin/*
PATH=$scratch/bin:$PATH
line() { # words: the page's line that has them
    sed -n 's/^    //p' "$top/spaces/README.md" | grep -F -- "$1" | head -1
}
same() {
    diff -rq -x run.yaml -x '*.state' -x '.bandscape-*' whole "$1"
}
# name, words: the line is there, runs, and what it leaves is merged.
shares() {
    rm -rf results
    line "$2" >line.sh
    ok "$1: the page has it" test -s line.sh
    ok "$1: runs" sh line.sh
    ok "$1: is merged" bandscape merge results/mine --no-plots
    ok "$1: the same bytes" same results/mine
}
bandscape sweep my-space.yaml --no-plots -o whole >/dev/null 2>&1
shares "a shell" "for i in"
shares "an array job" "sbatch --array"
if command -v parallel >/dev/null; then
    shares "GNU parallel" "| parallel"
else
    skip "GNU parallel" "it is not installed"
fi
mpi=$(dirname "$binary")/bandscape-mpi
if ! command -v mpirun >/dev/null || [ ! -x "$mpi" ]; then
    skip "mpirun" "make deps MPI=1, make MPI=1"
else
    rm -rf results
    export TMPDIR="$scratch/mpi"
    line "mpirun -n 4" | sed "s,mpirun,ranks,; s,bandscape,$mpi,; s,\$, --no-plots </dev/null," >line.sh
    ok "mpirun: the page has it" test -s line.sh
    ok "mpirun: runs" sh line.sh
    ok "mpirun: the same bytes" same results/mine
fi
finish

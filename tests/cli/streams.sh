#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A gnuplot that is missing or misbehaves, and standard streams that are closed: the table and the
# files of a sweep are there all the same.
. tests/cli/common.sh.inc

cat >"$scratch/space.yaml" <<'Y'
space: streams
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32"]
models: [eab]
axes:
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 20}
  llc.organisation: [memory-side, sm-side]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
plots: [{kind: pareto}, {kind: curve, x: inter.link_bandwidth}]
Y
sweep() { # folder
    "$binary" sweep "$scratch/space.yaml" -o "$scratch/$1" --force --plot svg
}
sweep plain >"$scratch/table" 2>"$scratch/err"
report $? "a sweep"

same() { # folder: the data are those of the plain one, whatever pictures there are
    for file in ranking.csv pareto.csv sample.csv; do
        cmp "$scratch/plain/$file" "$scratch/$1/$file" || return 1
    done
    for folder in plain "$1"; do
        sed '/^pictures:/d; /^# sealed/d' "$scratch/$folder/manifest.yaml" >"$scratch/$folder.manifest"
    done
    cmp "$scratch/plain.manifest" "$scratch/$1.manifest"
}

# without NAME REMARK: a sweep with this gnuplot, over a result that has pictures.
mkdir "$scratch/bin"
without() {
    cp -r "$scratch/plain" "$scratch/$1"
    (PATH=$path sweep "$1" >"$scratch/out" 2>"$scratch/err") && same "$1" &&
        grep -q '^rank ' "$scratch/out" && grep -q 'bandscape: no plots: '"$2" "$scratch/err" &&
        [ "$(grep -c 'no plots' "$scratch/err")" = 1 ] && ! grep -q '\.svg' "$scratch/out" &&
        [ ! -e "$scratch/$1/pareto.svg" ] && [ ! -e "$scratch/$1/curve-inter.link_bandwidth.svg" ]
    report $? "gnuplot: $1"
}
fake() { # command
    printf '#!/bin/sh\n%s\n' "$1" >"$scratch/bin/gnuplot"
    chmod +x "$scratch/bin/gnuplot"
}
path=/nonexistent
without missing 'cannot start gnuplot.*make deps'
path=$scratch/bin:$PATH
fake 'exit 1'
without fails 'gnuplot made no picture'
fake 'exec <&-; exit 1'
without leaves 'gnuplot made no picture'
fake 'yes'
without floods 'gnuplot was ended: it wrote 64 MiB'
if [ "${BANDSCAPE_LONG-0}" = 1 ]; then
    fake 'sleep 1000'
    without hangs 'gnuplot was ended: it did nothing for 30 s'
else
    skip "gnuplot: hangs" "half a minute: with BANDSCAPE_LONG=1 (shorter ones: test_gnuplot_run)"
fi

# Ctrl-C while it hangs ends both.
fake "echo \$\$ >$scratch/number; kill -INT \$PPID; sleep 1000"
(PATH=$path sweep plain >"$scratch/out" 2>"$scratch/err")
[ $? = 130 ] && ! kill -0 "$(cat "$scratch/number")" 2>/dev/null &&
    grep -q 'all but the pictures' "$scratch/err" && [ -s "$scratch/plain/ranking.csv" ] &&
    [ ! -e "$scratch/plain/pareto.svg" ]
report $? "Ctrl-C while gnuplot hangs"

# Closed streams: no file takes their numbers, gnuplot gets its own.
closed() { # name status
    [ "$status" = "$2" ] && same "$1"
    report $? "closed: $1"
}
sweep input <&- >"$scratch/out" 2>"$scratch/err"
status=$?
cmp -s "$scratch/out" /dev/null && status=no-table
closed input 0
sweep errors >"$scratch/out" 2>&-
status=$?
closed errors 0
sweep output >&- 2>"$scratch/err" # the table could not be written
status=$?
closed output 1
sweep all <&- >&- 2>&-
status=$?
closed all 1
if gnuplot --version >/dev/null 2>&1; then
    drawn() { for f in input errors output all; do [ -s "$scratch/$f/pareto.svg" ] || return 1; done; }
    ok "and pictures are drawn" drawn
else
    skip "and pictures are drawn" "gnuplot is not installed"
fi

finish

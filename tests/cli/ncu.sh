#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counters of a real GPU (Nsight Compute) in the commands that take profiles.
set -u
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
tex=lts__t_sectors_srcunit_tex
cat >gpu.csv <<END
==PROF== Connected to process 12
sum = 4
ID,Kernel Name,Grid Size,Block Size,gpu__time_duration.sum,$tex.avg,$tex.max,$tex.sum,${tex}_lookup_hit.sum,${tex}_lookup_miss.sum
,,,,us,sector,sector,Msector,sector,sector
0,"fill(float *, int)","(8, 1, 1)","(256, 1, 1)",20,9,10,1,"800,000","200,000"
END
# The same with the traffic to peers.
sed -e '3s/$/,'$tex'_aperture_peer_lookup_miss.sum/' -e '4s/$/,sector/' -e '5s/$/,"60,000"/' gpu.csv >peer.csv
printf 'profile: hand\npoint: {r_local: 0.7, bytes: 32 MB, llc_hit: {memory-side: 0.8}, lsu: {memory-side: 0.9}}\n' >hand.yaml
cat >space.yaml <<'END'
space: links
machine: sac
workloads: [peer.csv]
models: [eab]
axes:
  llc.organisation: [memory-side]
  inter.link_bandwidth: {values: [48, 96], unit: GB/s}
rank: {by: effective_bandwidth, top: 2}
END
says() { # words command...
    words=$1
    shift
    "$@" | grep -qF -- "$words"
}
ask() { # workload, organisation
    "$binary" whatif -m sac --model eab --set llc.organisation="$2" -w "$1" --format csv
}
numbers() { # workload
    ask "$1" memory-side | tail -n 1 | cut -d, -f5- | sed 's/,[^,]*$//' # without its warnings
}

ok "counters become a profile" "$binary" profile gpu.csv -o gpu.profile.yaml
ok "of points" grep -q '^points:$' gpu.profile.yaml
ok "with the grid" grep -q 'grid: \[8, 1, 1\]' gpu.profile.yaml
ok "which says what the LLC is" grep -q 'taken as memory-side' gpu.profile.yaml
ok "or sm-side when told" "$binary" profile gpu.csv --organisation sm-side -o sm.profile.yaml
ok "whose fields they are then" grep -q 'llc_hit: {sm-side: 0.8}' sm.profile.yaml
ok "they are shown" says 'fill(float *, int)' "$binary" profile show gpu.csv
ok "in JSON too" says '"measured.time": 2e-05' "$binary" profile show gpu.csv --format json
fails "a model that needs more names it" "does not say r_local" ask gpu.csv memory-side
fails "nor is the other organisation known" "does not say lsu.sm-side" ask peer.csv sm-side
ok "with peer traffic eab answers" ask peer.csv memory-side
numbers peer.csv >counted
numbers hand.yaml >by_hand
ok "as it does for the same numbers by hand" test -s counted
ok "to the last digit" cmp counted by_hand
ok "sweeps take them" "$binary" sweep space.yaml -o swept
ok "with a row a point" sh -c '[ "$(wc -l <swept/ranking.csv)" = 3 ]'
ok "the help has the command that measures them" says "$tex.sum,\\" "$binary" profile --help
printf 'ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,sm__cycles_elapsed.max,cycle,5\n' >none.csv
fails "none of the metrics" "no metric that a profile reads: it has sm__cycles_elapsed.max" "$binary" profile none.csv -o none/x.yaml
printf 'ID,Kernel Name,%s.sum\n,,sector\n0,k,"9,5"\n' $tex >comma.csv
fails "a decimal comma" "comma.csv:3:6: error:" "$binary" whatif -m sac -w comma.csv
fails "an organisation that does not exist" "memory-side or sm-side" "$binary" profile gpu.csv --organisation both -o none/x.yaml
fails "an organisation for a workload" "counters of a real GPU" "$binary" profile gemm:input=small -m sac --organisation sm-side -o none/x.yaml
fails "parts of a stream" "--with has no effect on counters" "$binary" profile gpu.csv --with all -o none/x.yaml
fails "an organisation that was not measured" "--set llc.organisation=memory-side does without" "$binary" whatif -m sac -w peer.csv -o memory-side -o sm-side
unnamed() { # is left out, with a word, where nobody named it
    "$binary" whatif -m a100 -w peer.csv >first 2>said && [ "$(grep -cE '^(memory-side|sm-side|sac) ' first)" = 1 ] &&
        grep -q '^bandscape: left out: workload peer, sm-side on [a-z0-9-]*: .* llc_hit.sm-side' said
}
ok "unless nobody named it" unnamed
measured() { # 20 us in the file, and what is predicted in the table
    grep -qE '^peer: measured 20 us; memory-side [0-9.]+ [mu]s by network, [0-9.]+ times that$' first
}
ok "measured beside predicted" measured
ok "in JSON too" says '"measured_time": 2e-05' "$binary" whatif -m sac -w peer.csv --format json
ok "as what was measured nowhere is not" sh -c '! "$1" whatif -m sac -w hand.yaml --format json | grep measured' - "$binary"
ok "nothing was written" test ! -e none
finish

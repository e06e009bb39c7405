#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Model dualopt on the command line: variants are profiled without being asked for, designs
# are values of an axis, what has no effect or makes no sense is refused.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
ask() { "$binary" whatif --machine dualopt --workload mvt:input=small --model dualopt "$@"; }
field() { # name command...: of the first row of a CSV
    name=$1
    shift
    "$@" | awk -F, -v name="$name" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
                                    NR == 2 { print $at }'
}
ask --format csv >engine.csv 2>err
report $? "the engine's answer"
ok "its class" test "$(field class cat engine.csv)" = 2
ok "profiles of its variants are kept" test "$(ls cache | wc -l)" -ge 3
for design in baseline bypass fine-grained coalescing rdma; do
    ask --set dualopt.design=$design --format csv >$design.csv 2>err
    report $? "design $design"
done
ok "the engine took coalescing" test "$(field kernel_time cat engine.csv)" = "$(field kernel_time cat coalescing.csv)"
ok "the page of the model" "$binary" list models dualopt
page() { "$binary" list models dualopt | grep -q "remote.sent_pieces_4"; }
ok "it names the fields that are read" page
fails "an SM-side LLC" "memory-side" "$binary" whatif --machine dualopt --workload mvt:input=small \
    --model dualopt --set llc.organisation=sm-side
rows() { ask --format csv | tail -n +2 | cut -d, -f3 | tr '\n' ' '; }
ok "without one: the organisation that applies" test "$(rows)" = "memory-side "
fails "a level in place" "with and without an RDMA cache" "$binary" whatif --machine dualopt-rdma \
    --workload mvt:input=small --model dualopt
fails "pieces of 5 bytes" "4, 8 and 16" ask --set dualopt.granularity=5B
fails "a design that there is not" "dualopt.design" ask --set dualopt.design=magic
fails "a timeout without packets" "dualopt.timeout has no effect" ask --set dualopt.design=rdma \
    --set dualopt.timeout=10cycles
cat >s.yaml <<'Y'
space: s
machine: dualopt
workloads: ["mvt:input=small"]
models: [dualopt]
axes:
  dualopt.design: [baseline, engine]
  inter.link_bandwidth: [64 GB/s, 128 GB/s]
objectives: [{maximise: speedup}]
rank: {by: speedup}
Y
"$binary" sweep s.yaml -o swept >out 2>err
report $? "a sweep over designs"
ok "it says what whatif says" grep -q ",$(field speedup cat engine.csv)," swept/ranking.csv
finish

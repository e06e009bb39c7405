#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The queueing network of GPUs: every organisation, kinds of answer beside each other, sweeps
# with the same bytes for any number of threads.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

whatif() { "$binary" whatif --workload gemm:input=small "$@"; }
organisations() {
    whatif --machine sac --model network -o memory-side -o sm-side -o static -o dynamic -o sac --format csv |
        awk -F, 'NR > 1 && $5 > 1e9 && $5 < 1e13 { n++ } END { exit n != 5 }'
}
ok "every organisation has an answer" organisations
two_nocs() { # over slow links both are SM-side; SAC's one crossbar carries misses again
    own=$(whatif --machine sac --model network -o sm-side --format csv --set inter.link_bandwidth=48GB/s | awk -F, 'NR == 2 { print $5 }')
    one=$(whatif --machine sac --model network -o sac --format csv --set inter.link_bandwidth=48GB/s --set sac.decides=exact --set sac.window=0s | awk -F, 'NR == 2 { print $5 }')
    awk "BEGIN { exit !($one < 0.99 * $own && $one > 0.8 * $own) }"
}
ok "one crossbar gives less than two" two_nocs
replicas() {
    for way in none full mdr; do
        whatif --machine nuba --model network --set llc.replication=$way --format csv |
            awk -F, 'NR == 2 && $5 > 1e9 { n++ } END { exit n != 1 }' || return 1
    done
}
ok "NUBA without, with and with some replicas" replicas
kinds() {
    whatif --machine sac -o memory-side --all-models >told &&
        grep -q "kinds of answer differ by more than 10 %: .*EAB-style .* (eab)" told && grep -q "network .* (network)" told
}
ok "kinds of answer that differ are said" kinds
alone() { whatif --machine sac --model network >told && ! grep -q "differ by" told; }
ok "one kind alone is compared with nothing" alone
json() { whatif --machine sac -o memory-side --format json >told && grep -q "kinds of answer differ" told && grep -q '"utilisation_memory"' told; }
ok "and in JSON" json
columns() {
    whatif --machine sac -o memory-side --format csv | awk -F, 'NR == 1 { exit $(NF-2) != "answer" || $(NF-1) != "spread_of_answers" }'
}
ok "and in CSV" columns
explained() { whatif --machine sac -o memory-side --model network --set inter.link_bandwidth=24GB/s --explain >told && grep -q -e '-> memory: residence' told && grep -q 'inter: utilisation .*<- binds' told; }
ok "stations are explained" explained
fails "a switch by a wrong name" "fifo" "$binary" whatif -m sac -w gemm:input=small --set inter.switching=cut
fails "a setting of reads that no crossbar has" "there is no parameter" "$binary" whatif -m sac -w gemm:input=small --set noc.read_reqest=8B

cat >space.yaml <<'EOF'
space: threads
machine: sac
workloads: [gemm:input=small]
models: [network, bottleneck]
axes:
  inter.link_bandwidth: {from: 24 GB/s, to: 768 GB/s, scale: log2, points: 6}
  memory.bandwidth: {from: 100 GB/s, to: 800 GB/s, scale: log2, points: 4}
  llc.organisation: [memory-side, sm-side]
objectives: [{maximise: network.effective_bandwidth}, {minimise: inter.link_bandwidth}]
rank: {by: network.effective_bandwidth, top: 5}
EOF
threads() {
    "$binary" sweep space.yaml -o one -j 1 --no-plots >/dev/null 2>&1 && "$binary" sweep space.yaml -o two -j 3 --no-plots >/dev/null 2>&1 &&
        cmp one/ranking.csv two/ranking.csv && cmp one/pareto.csv two/pareto.csv && cmp one/sample.csv two/sample.csv
}
ok "threads give the same bytes" threads
bounded() { # never above the fixed mix, at any point
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "network.effective_bandwidth") a = i; if ($i == "bottleneck.effective_bandwidth") b = i } if (!a || !b) exit 1; next }
             $a > $b * (1 + 1e-9) { exit 1 }' one/sample.csv
}
ok "never above the bound" bounded
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape flip: where one design overtakes another, against goal and hand calculation; errors.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .

# By hand (bottleneck, hand.profile.yaml): memory-side 12 times the link's bandwidth, at most 8.75 TB/s of memory;
# SM-side 24 times, at most 3.5 TB/s. They meet where 12 x = 3.5 TB/s.
flip() { "$binary" flip -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --between memory-side,sm-side "$@"; }
by_hand() {
    flip --over inter.link_bandwidth=24..1536GB/s --format csv >flip.csv && [ "$(wc -l <flip.csv)" = 3 ] &&
        awk -F, 'NR == 2 { d = $4 / (3.5e12 / 12) - 1; exit !($5 == "sm-side" && d < 1e-3 && -d < 1e-3) }
            NR == 3 { exit $5 != "memory-side" }' flip.csv
}
ok "by hand" by_hand
ok "in words" sh -c '"$@" | grep -q "^hand-made by bottleneck: sm-side below 291.7 GB/s, memory-side from there on.$"' - \
    "$binary" flip -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --between memory-side,sm-side \
    --over inter.link_bandwidth=24..1536GB/s
never() { flip --over inter.link_bandwidth=24..96GB/s | grep -q 'never within the range: sm-side is better everywhere'; }
ok "never within the range" never
twice() { flip --over memory.bandwidth=1..2TB/s --set llc.organisation=sac; }
fails "both set a parameter" "say the same" twice
alike() {
    "$binary" flip -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth \
        --between inter.latency=10ns,20ns --over inter.link_bandwidth=24..96GB/s | grep -q 'the two are equal'
}
ok "two that are equal" alike
# The same as goal says, and both models, which disagree.
same() {
    "$binary" goal -m sac -w lud:input=small --model bottleneck --vary inter.link_bandwidth=10..768GB/s --between memory-side,sm-side --format csv |
        awk -F, 'NR > 1 { printf "%.6g %.6g %s\n", $1, $2, $3 }' >want
    "$binary" flip -m sac -w lud:input=small --model eab --model bottleneck --over inter.link_bandwidth=10..768GB/s --between memory-side,sm-side >both &&
        "$binary" flip -m sac -w lud:input=small --model bottleneck --over inter.link_bandwidth=10..768GB/s --between memory-side,sm-side --format csv |
        awk -F, 'NR > 1 { printf "%.6g %.6g %s\n", $3, $4, $5 }' >got && [ -s want ] && cmp want got
}
ok "as goal says" same
ok "models that disagree are named" sh -c 'grep -q "^lud by eab: " both && grep -qE "^lud: models disagree from .* to .*\.$" both'
several() { "$binary" flip -w stream:input=small -w gemm:input=small --between sac,sac-2chip --model eab --over memory.bandwidth=100..800GB/s | grep -c '^[a-z]* by eab: ' | grep -qx 2; }
ok "machines; every workload" several
refused() {
    "$binary" flip -w gemm:input=small --between sac,nuba --model eab --model network --over memory.bandwidth=100..800GB/s |
        grep -q '^gemm: model eab: '
}
ok "a model that refuses one is left out, with its reason" refused

fails "no range" "which parameter is to vary" flip
fails "no designs" "flip needs two designs" "$binary" flip -m sac -w gemm:input=small --over inter.link_bandwidth=24..768GB/s
fails "both set it" "--over and --between both set" "$binary" flip -m sac -w hand.profile.yaml --over llc.bandwidth=1..2TB/s \
    --between llc.bandwidth=1TB/s,2TB/s
fails "one that has no effect" "has no effect" flip --over inter.latency=10..20ns
fails "a metric that it has not" 'did you mean "effective_bandwidth"?' "$binary" flip -m sac -w hand.profile.yaml --model eab \
    --metric effective_bandwith --between memory-side,sm-side --over inter.link_bandwidth=24..768GB/s
fails "a name" "is a name, not a number" flip --over inter.topology=1..2
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Questions that architects ask, each in one command or a short session of the shell: what the answer says, not only
# that there is one. Small inputs; by hand where hand calculation can.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .
says() { grep -qE -- "$1" answer || { cat answer; return 1; }; }
ask() { "$binary" "$@" >answer 2>said; }
column() { # name of a column of the CSV in answer: its values
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } c { print $c }' answer
}

# The bottleneck of the hand-made profile is the links: 1.152 TB/s memory-side at 96 GB/s, twice that SM-side.
which_number() { # one, what limits it, what the other kinds say and why they do
    ask whatif -m sac -w hand.profile.yaml && says '^hand-made on sac, answered by ' &&
        [ "$(grep -cE '^(memory-side|sm-side|sac) ' answer)" = 3 ] && says '^memory-side +1.152 TB/s .* inter 100 %.* 1.15 - 7.4 TB/s$' &&
        says '^Why: EAB-style'
}
ok "Which number do I believe?" which_number

# Bandwidth is in proportion to the links: 10 % below that of 96 GB/s is 86.4 GB/s.
loss() {
    ask goal -m sac -w hand.profile.yaml --model bottleneck --vary inter.link_bandwidth=24..96GB/s \
        --reach "effective_bandwidth within 10% of best" && says '^The least inter.link_bandwidth with .*: 86.4 GB/s.$' &&
        ask goal -m sac -w bfs:input=small --vary inter.link_bandwidth=10..768GB/s --reach "effective_bandwidth within 10% of best" --format csv &&
        awk -F, 'NR == 2 { no = $3 } NR == 3 { yes = $3 } END { exit !(no == "no" && yes == "yes") }' answer
}
ok "What link bandwidth does bfs need, at a loss of 10 %?" loss
timed() { # of what has no time, and least is best
    ask goal -m sac -w gemm:input=small --vary inter.link_bandwidth=48..96GB/s --reach "kernel_time within 10% of best" --format csv && says ',yes$'
}
ok "the same of its time" timed
fails "a share of nothing" "expected METRIC within SHARE of best" "$binary" goal -m sac -w hand.profile.yaml \
    --vary inter.link_bandwidth=24..96GB/s --reach "effective_bandwidth within 10 GB/s of best"

# Whatever it is ranked by, the order is one: bandwidth is bytes over time, of the same bytes.
eight() {
    ask whatif -m sac -w srad:input=small -s chips=8 && says '^Preferred: sm-side, 1\.[0-9]+ times as fast as memory-side\.$' &&
        says '^memory-side .* inter 100 %' && says '^sm-side .* latency 100 %' &&
        ask whatif -m sac -w srad:input=small -s chips=8 --model network --format csv &&
        column effective_bandwidth >rates && column kernel_time | paste rates - |
        awk '{ b = $1 * $2; if (NR > 1 && (b / first - 1 > 1e-9 || 1 - b / first > 1e-9)) exit 1; if (NR == 1) first = b } END { exit NR != 3 }'
}
ok "Which organisation is better for srad on 8 chips, by bandwidth and by time?" eight

# Links of 92 GB/s are within 5 % of what 96 GB/s give; 90 GB/s are not.
cheapest() {
    printf 'space: near\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [bottleneck]\naxes:\n  inter.link_bandwidth: [48 GB/s, 90 GB/s, 92 GB/s, 96 GB/s]\nwhere: ["effective_bandwidth within 5%% of best"]\nobjectives: [{minimise: inter.link_bandwidth}]\n' >near.yaml
    ask sweep near.yaml -o near --no-plots && ! grep -q 'hardly matters' answer && says '^ +1 +92 GB/s$' && says 'excluded 2: where: effective_bandwidth within 5% of best'
}
ok "What is the cheapest machine within 5 % of the best?" cheapest

# Eight chips; each of 256 blocks has pages of its own, all read one page. Interleaving keeps one request in eight.
{
    echo "bandscape-trace 1"
    echo "kernel k grid=64 block=32"
    i=0
    while [ $i -lt 64 ]; do
        printf 'warp %d 0\n' $i
        for step in 0 1 2 3 4 5 6 7; do printf 'r 0x%x 4 stride=4\n' $((0x100000 + i * 65536 + step * 4096)); done
        i=$((i + 1))
    done
} >own.btrace
numa() {
    ask profile own.btrace -m mi300x -o own.yaml && says '^not NUMA-friendly: 12.5 % of the requests' &&
        says 'page.policy interleave spreads pages' && says 'page.policy=first-touch keeps the 100 % of the footprint' &&
        ask profile own.btrace -m mi300x -s page.policy=first-touch -o first.yaml && says '^NUMA-friendly: 100 % of the requests'
}
ok "Is my OpenMP program NUMA-friendly on an MI300X, and what moves it?" numa
shared() { # all blocks read one page, or write it
    sed 's/^r 0x[0-9a-f]*/r 0x100000/' own.btrace >read.btrace && sed 's/^r/w/' read.btrace >write.btrace &&
        ask profile read.btrace -m mi300x -s page.policy=first-touch -o read.yaml && says 'several chips use,$' && says 'only read: copies serve it' &&
        ask profile write.btrace -m mi300x -s page.policy=first-touch -o write.yaml && says 'and write: work on it belongs on one chip'
}
ok "what several chips read, or write" shared
alone() { ask profile own.btrace -m h100 -o h100.yaml && ! grep -q NUMA answer; }
ok "one chip is not asked" alone

dcl1() { ask whatif -m dcl1 -w gemm:input=small && says '^gemm on dcl1, answered by network$' && [ "$(grep -c '^memory-side ' answer)" = 1 ] && says 'latency 100 %, issue [0-9]+ %'; }
ok "Does a GEMM gain from DC-L1? One answer." dcl1

compared() {
    ask compare a100 h100 mi300x -w stream:input=small --format csv && [ "$(column machine | tr '\n' ' ')" = "a100 h100 mi300x " ] &&
        column effective_bandwidth | awk '!($1 > 1e11) { exit 1 }' &&
        ask compare a100 h100 mi300x -w stream:input=small --model mdr && says '^stream +mi300x +- .*refused$' && says 'stream on mi300x: model mdr: the machine has 8 chips'
}
ok "How do A100, H100 and MI300X compare on stream?" compared

mesh() { # by size, and by its seven edges, each both ways
    printf 'machine: six\nbase: sac\nchips: 6\ninter: {topology: mesh, link_bandwidth: 96 GB/s}\nmesh: {columns: 3}\n' >mesh.yaml
    printf 'machine: six\nbase: sac\nchips: 6\ninter: {topology: edges, link_bandwidth: 96 GB/s}\nedges: [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]]\n' >edges.yaml
    ask whatif -m mesh.yaml -w srad:input=small --model bottleneck -o memory-side --format csv && mv answer by.mesh &&
        ask whatif -m sac -s chips=6 -s inter.topology=mesh -s mesh.columns=3 -w srad:input=small --model bottleneck -o memory-side --format csv &&
        sed 's/^sac,/six,/' answer | cmp by.mesh - && [ "$(wc -l <by.mesh)" = 2 ]
}
ok "What do six chips in a mesh of 2 by 3 deliver?" mesh

own_kernel() { # 1 MiB of doubles read once, with nothing but arrays, a grid and a body
    printf 'workload: mine\narrays: {a: {shape: [131072], type: f64}}\nkernels:\n  - {name: k, grid: [1024], block: [128], body: [{load: "a[bx*128+tx]"}]}\n' >mine.yaml
    ask trace info mine.yaml --format csv && [ "$(column distinct_lines)" = 8192 ] &&
        ask whatif -m sac -w mine.yaml && says '^mine on sac, answered by network$'
}
ok "What does a kernel of my own reach?" own_kernel

cost() { # a name may stand before what it is made of; what a cost lacks is said
    printf 'space: own\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [bottleneck]\naxes:\n  inter.link_bandwidth: [48 GB/s, 96 GB/s]\nlet: {price: 2*base + power / (1 J/s), base: total.link_bandwidth / (1 GB/s), power: cost.link_power}\nobjectives: [{minimise: price}, {maximise: effective_bandwidth}]\n' >own.space.yaml
    ask sweep own.space.yaml -o own --no-plots
    [ $? = 2 ] && grep -q 'cost link_power: the machine does not say its inter.tier' said &&
        ask sweep own.space.yaml -s inter.tier=package -o own --no-plots && says '^own: 2 points, 2 kept, 2 on the Pareto front'
}
ok "What does a design cost by a formula of my own?" cost
circle() { printf 'space: own\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [bottleneck]\naxes:\n  inter.link_bandwidth: [48 GB/s]\nlet: {a: b+1, b: a+1}\nobjectives: [{minimise: a}]\n' >circle.yaml; "$binary" sweep circle.yaml -o circle --no-plots; }
fails "one that needs itself" "needs itself" circle

tex=lts__t_sectors_srcunit_tex
printf 'ID,Kernel Name,Grid Size,Block Size,gpu__time_duration.sum,%s.avg,%s.max,%s.sum,%s_lookup_hit.sum,%s_lookup_miss.sum,%s_aperture_peer_lookup_miss.sum\n,,,,us,sector,sector,sector,sector,sector,sector\n0,k,"(8192, 1, 1)","(256, 1, 1)",100,9,10,1000000,800000,200000,60000\n' \
    $tex $tex $tex $tex $tex $tex >counters.csv
counters() { # no organisation is named: what was measured is memory-side
    ask whatif -m a100 -w counters.csv && says '^counters on a100, answered by network$' && says '^memory-side ' && ! says '^sm-side ' >/dev/null &&
        says '^counters: measured 100 us; memory-side [0-9.]+ [mun]s by network, [0-9.]+ times that$'
}
ok "How near is the model to what Nsight Compute measured?" counters

matters() { # the links and nothing else, in proportion, first
    ask sensitivity -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --format csv &&
        sed -n 2p answer | awk -F, '{ exit !($1 == "inter.link_bandwidth" && $3 > 0.999 && $3 < 1.001) }'
}
ok "Which parameter matters most?" matters
meets() { ask goal -m sac -w hand.profile.yaml --model bottleneck --vary inter.link_bandwidth=48..768GB/s --reach "effective_bandwidth >= 1.152 TB/s" && says '^The least inter.link_bandwidth with .*: 96 GB/s.$'; }
ok "What value of it meets a goal?" meets
# Memory-side 12 times the link's bandwidth; SM-side at most 3.5 TB/s: they meet at 291.7 GB/s.
turns() {
    ask flip -m sac -w hand.profile.yaml --model bottleneck --metric effective_bandwidth --between memory-side,sm-side --over inter.link_bandwidth=24..1536GB/s &&
        says 'sm-side below 291.7 GB/s, memory-side from there on'
}
ok "Where does the decision flip?" turns
sure() { # the kinds that the space asks agree on the best of its points, or not
    printf 'space: sure\nmachine: sac\nworkloads: [hand.profile.yaml]\nmodels: [bottleneck, eab]\naxes:\n  inter.link_bandwidth: [48 GB/s, 96 GB/s]\nrank: {by: effective_bandwidth}\n' >sure.yaml
    ask sweep sure.yaml -o sure --no-plots && says 'ranked by effective_bandwidth of bottleneck' && says '^  eab \(EAB-style\) differs by more than 10 % on 2 of 2 points looked at; the best is the same$'
}
ok "How sure is the ranking?" sure
listed() { ask whatif -m sac -w hand.profile.yaml --model bottleneck -o memory-side -s inter.link_bandwidth=48,96,192GB/s --format csv && [ "$(column effective_bandwidth | awk '{ printf "%.0f ", $1 / 1e9 }')" = "576 1152 2304 " ]; }
ok "What do links of 48, 96 and 192 GB/s give?" listed
session() { # the same in the shell, the machine changing in between
    "$binary" shell -m sac -w hand.profile.yaml --model bottleneck -c "set inter.link_bandwidth 48 GB/s; eval -o memory-side; set inter.link_bandwidth +48GB/s; eval -o memory-side" >answer 2>said &&
        says '576 GB/s' && says '1.152 TB/s'
}
ok "and in a session?" session
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions of spaces: units that differ, names that mean two things, and what is said in vain, each
# with its line and column.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >good.yaml <<'Y'
space: vain
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32"]
models: [eab]
axes:
  chips: [2, 4]
  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}
  llc.capacity: {from: 1 MiB, to: 4 MiB, scale: log2, points: 3}
let:
  cap: "total.llc_capacity"
  twice: "2 * cap"
set: {memory.bandwidth: "inter.link_bandwidth * 4"}
where:
  - "twice <= 16 MiB"
  - "effective_bandwidth > 1 GB/s"
objectives: [{maximise: effective_bandwidth}, {minimise: cap}]
Y
check() { "$binary" sweep "$1" --check -o nowhere; }
quiet() { check good.yaml >out 2>said && ! grep -E 'warning|note' said; }
ok "nothing is said of a space that has it all" quiet
wrong() { # what line:column words script
    sed "$4" good.yaml >wrong.yaml
    fails "$1" "wrong.yaml:$2: error: " check wrong.yaml
    cp err said
    ok "in words" grep -qF -- "$3" said
}
wrong "units in let" 11:18 "units differ" 's/2 \* cap/2 GB\/s + cap/'
wrong "units in a let's function" 11:11 "units differ" 's/2 \* cap/max(cap, 1 GB\/s)/'
wrong "units in where" 14:12 "units differ" 's/16 MiB/16 GB\/s/'
wrong "no condition" 14:6 "is a quantity, not a condition" 's/twice <= 16 MiB/twice/'
wrong "units in set" 12:26 "the expression has another unit" 's/inter.link_bandwidth \* 4/llc.capacity * 4/'
wrong "units beneath an if" 11:11 "units differ" 's/2 \* cap/if(chips > 2, cap, 1 GB\/s)/'
wrong "a name that there is not" 11:15 "capp" 's/2 \* cap/2 * capp/'
for name in chips llc.capacity effective_bandwidth memory.bandwidth; do
    sed "s/twice:/$name:/; s/twice </cap </" good.yaml >wrong.yaml
    fails "let hides $name" "\"$name\" is the name of a parameter, metric or axis already" check wrong.yaml
    cp err said
    ok "with its place and a hint" grep -q -e "^hint: a name means one thing" said
done

# A value that stands twice is a design that would count twice: by what it is, not by how it is written.
twice() { # what line:column words values-of-links
    sed "s/^  inter.link_bandwidth: .*/  inter.link_bandwidth: $4/" good.yaml >wrong.yaml
    fails "a value twice: $1" "wrong.yaml:$2: error: axis inter.link_bandwidth$3" check wrong.yaml
}
twice "as it is" 7:43 " has 96 GB/s twice" '{values: [48, 96, 96, 24], unit: GB\/s}'
twice "the first of several" 7:39 " has 48 GB/s twice" '{values: [48, 48, 24, 48, 24], unit: GB\/s}'
twice "in another unit" 7:44 ": 0.3 GB/s is the same as 300 MB/s (7:26)" '[300 MB\/s, 1 GB\/s, 0.3 GB\/s]'
twice "a range" 7:25 ": of 3 points several are 48 GB/s" '{from: 48 GB\/s, to: 48 GB\/s, points: 3}'
axis() { # what line:column words axis
    sed "s/^  chips: .*/  $4/" good.yaml >wrong.yaml
    fails "a value twice: $1" "wrong.yaml:$2: error: axis $3" check wrong.yaml
}
axis "whole numbers of a range" 6:10 "chips: of 6 points several are 2" 'chips: {from: 1, to: 4, points: 6}'
axis "a name" 6:44 "llc.organisation has sm-side twice" 'llc.organisation: [memory-side, sm-side, sm-side]'
axis "a number of a name" 6:27 "cta.policy: batched:02 is the same as batched:2 (6:16)" 'cta.policy: [batched:2, batched:02]'
axis "a size" 6:29 "workload.size: x0.25 is the same as x1/4 (6:19)" 'workload.size: [x1\/4, x1, x0.25]'
axis "a machine" 6:29 "machine has sac twice" 'machine: [sac, sac-2chip, sac]'
axis "a bundle of another name" 6:83 "kind: old is the same as gddr5 (6:34)" \
    'kind: {gddr5: {memory.latency: 9 ns, memory.channels: 4}, old: {memory.latency: 9 ns, memory.channels: 4}}'
near() { # alike, and different
    sed 's/^  chips: .*/  kind: {a: {memory.latency: 9 ns, memory.channels: 4}, b: {memory.latency: 9 ns, memory.channels: 8}}/' good.yaml >near.yaml
    check near.yaml
}
ok "bundles that differ in their last number" near

said() { # words script: of a space with the change, which is checked all the same
    sed "$2" good.yaml >other.yaml
    check other.yaml >out 2>said && grep -qF -- "bandscape: other.yaml:$1" said
}
ok "an unused let" said '11:11: note: let: nothing uses "twice"' 's/twice </cap </'
ok "a condition that is always true" said '14:6: warning: where: "twice <= 64 MiB" is true of every point' 's/twice <= 16 MiB/twice <= 64 MiB/'
ok "by structures alone" said '14:6: warning: where: "chips < 8" is true of every point' 's/twice <= 16 MiB/chips < 8/; s/cap}/twice}/'
ok "through what set ties" said '14:6: warning: where: "memory.bandwidth > 100 GB/s" is true' 's/twice <= 16 MiB/memory.bandwidth > 100 GB\/s/; s/cap}/twice}/'
wrong "one that is always false" 14:6 'where: "twice < 4 MiB" is false of every point' 's/twice <= 16 MiB/twice < 4 MiB/'
ok "what to do about it" grep -q '^hint: no point would be left' said
ok "not at the edge" sh -c 'sed "s/twice <= 16 MiB/twice < 4.1 MiB/" good.yaml >edge.yaml; "$1" sweep edge.yaml --check -o nowhere 2>said && ! grep warning said' - "$binary"
sed 's/twice <= 16 MiB/twice < 4 MiB/' good.yaml >none.yaml
"$binary" sweep none.yaml -o none --no-plots >out 2>err
[ $? = 1 ] && grep -qF 'bandscape: none.yaml:14:6: warning: where: "twice < 4 MiB" is false of every point: none will be left' err && [ -s none/manifest.yaml ]
report $? "a sweep says it first, and leaves files that do"
"$binary" sweep good.yaml -o good --no-plots >printed 2>err
report $? "a sweep"
ok "says which condition excluded nothing" grep -qx '  where: effective_bandwidth > 1 GB/s (line 15) excludes no point' printed
ok "and of the other one how many" sh -c '! grep "where: twice.*excludes no" printed && grep -q "excluded [0-9]*: where: twice <= 16 MiB" printed'
finish

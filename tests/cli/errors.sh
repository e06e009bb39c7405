#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Obvious mistakes: one clear message with place and hint, exit status 2, and no
# partial output file.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

cat >hand.yaml <<'Y'
profile: hand
point: {r_local: 0.7, llc_hit: {memory-side: 0.8, sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1.0}}
Y
cat >part.yaml <<'Y'
profile: part
point: {r_local: 0.7, llc_hit: {memory-side: 0.8}}
Y
cat >typo.yaml <<'Y'
profile: typo
point:
  r_lcal: 0.7
Y
cat >no-unit.yaml <<'Y'
machine: x
base: sac
llc: {capacity: 4}
Y
cat >no-chips.yaml <<'Y'
machine: x
base: sac
chips: 0
Y
cat >key.yaml <<'Y'
machine: x
base: sac
inter: {link_bandwith: 96 GB/s}
Y
cat >space.yaml <<'Y'
space: s
machine: sac
workloads: [hand.yaml]
axes:
  llc.capacity: [1 MiB, 4 MiB]
Y

printf 'machine: x\nnoc: {topology: a[1,2]}\n' >brackets.yaml
printf 'machine: x\nnoc:\n  - a\n - b\n' >columns.yaml
fails "no quotes" "quote texts with [" "$binary" whatif --machine brackets.yaml --workload hand.yaml
fails "columns" "begin in the same column" "$binary" whatif --machine columns.yaml --workload hand.yaml
fails "no workload of that name to list" 'did you mean "gemm"?' "$binary" list workloads gem
fails "no command" "there is no command" "$binary" sweap
fails "unknown option" "did you mean --machine" "$binary" whatif --machin sac
fails "a machine misspelt, without its option" 'did you mean "sac"?' "$binary" why sacc bfs
fails "a workload misspelt, without its option" 'did you mean "bfs"?' "$binary" whatif sac bsf
fails "two machines where one is asked" "bandscape compare has several" "$binary" why sac bfs mcm
fails "a file without its option" "of others: --machine FILE" "$binary" why sac hand.profile.yaml
fails "machines with a comma between" "given one by one, without commas" "$binary" compare a100,h100 -w stream
fails "workloads with a comma between" "given one by one: -w bfs -w gemm" "$binary" whatif -m sac -w bfs,gemm
fails "an option that is an argument" "hint: machines are arguments here: bandscape compare MACHINE MACHINE... --workload W..." \
    "$binary" compare -m sac -w hand.yaml
fails "by its name" "hint: spaces are arguments here: bandscape sweep SPACE" "$binary" sweep --space space.yaml
fails "a machine beside a space" "hint: a space names its machine" "$binary" sweep -m sac space.yaml
fails "by its name" "bandscape whatif --machine M asks one machine" "$binary" uncertainty --machine sac space.yaml
fails "arguments that are options" "only shipped machines and workloads stand alone" "$binary" whatif sac hand.yaml
fails "a part of a parameter's name" 'hint: with "link" in their names: inter.link_bandwidth, ' \
    "$binary" whatif -m sac -w hand.yaml --set link=48,96GB/s
fails "an option that is none" "bandscape sweep --help lists the options" "$binary" sweep -z sac
fails "no workload" "needs a workload" "$binary" whatif --machine sac
fails "unknown machine" 'did you mean "sac"' "$binary" whatif --machine sacc --workload hand.yaml
fails "unknown workload" "gem" "$binary" whatif --machine sac --workload gem
fails "missing file" "nowhere.yaml" "$binary" whatif --machine nowhere.yaml --workload hand.yaml
fails "a 0-chip machine" "no-chips.yaml:3:8" "$binary" whatif --machine no-chips.yaml --workload hand.yaml
fails "a missing unit" "no-unit.yaml:3:17" "$binary" whatif --machine no-unit.yaml --workload hand.yaml
fails "a misspelt key" 'did you mean "link_bandwidth"' "$binary" whatif --machine key.yaml --workload hand.yaml
fails "a misspelt profile key" "typo.yaml:3:3" "$binary" whatif --machine sac --workload typo.yaml
fails "a profile that lacks a field" "lsu.memory-side" "$binary" whatif --machine sac --workload part.yaml --model network
fails "a setting without unit" "the unit is missing" "$binary" whatif --machine sac --workload hand.yaml --set llc.capacity=4
fails "a setting without value" "expected PATH=VALUE" "$binary" whatif --machine sac --workload hand.yaml --set llc.capacity
fails "a setting twice" "given twice" "$binary" whatif --machine sac --workload hand.yaml --set chips=2 --set chips=4
fails "a setting that nothing reads" "has no effect" "$binary" whatif --machine sac --workload hand.yaml --model eab --set memory.latency=3ns
fails "a capacity that a point cannot follow" "has no effect" "$binary" whatif --machine sac --workload hand.yaml --set llc.capacity=3MiB
fails "what the organisation sets" "llc.side has no effect: the organisation sets it" "$binary" whatif --machine sac --workload hand.yaml --set llc.side=requester
fails "the same of a sweep" "llc.side has no effect: the organisation sets it" "$binary" sweep sac-sensitivity -w gemm:input=small --set llc.side=requester -o r --no-plots
fails "a sweep's setting that nothing reads" "l1.latency has no effect: no chosen model reads it (eab)" "$binary" sweep sac-sensitivity -w gemm:input=small --model eab --set l1.latency=3cycles -o r --no-plots
fails "an unknown format" "known: table, json, csv" "$binary" whatif --machine sac --workload hand.yaml --format xml
fails "a capacity axis over a scalar profile" "space.yaml:5:3" "$binary" sweep space.yaml -o r --no-plots
ok "no result is left" test ! -e r
fails "an unknown space" 'did you mean "sac-budget"' "$binary" sweep sac-budgt
fails "two spaces" "takes one space" "$binary" sweep space.yaml space.yaml
fails "threads" "--jobs" "$binary" sweep space.yaml -j 0

# What a file names is looked for beside it, wherever the user stands.
mkdir -p beside
printf 'machine: own\nbase: low.yaml\n' >beside/own.yaml
printf 'machine: low\nbase: sac\nchips: 2\n' >beside/low.yaml
cp hand.yaml beside/mine.yaml
printf 'space: beside\nmachine: own.yaml\nworkloads: [mine.yaml]\nmodels: [eab]\naxes:\n  memory.bandwidth: [1 TB/s]\n' >beside/space.yaml
printf 'machine: self\nbase: self.yaml\n' >beside/self.yaml
fails "a machine on itself" "beside/self.yaml:2:7: error: base: the machine is its own" "$binary" whatif --machine beside/self.yaml --workload hand.yaml
fails "a file that is not there" "no such file is here" "$binary" whatif --machine sac --workload trace.bstream.gz
ok "a base beside its machine" "$binary" whatif --machine beside/own.yaml --workload hand.yaml --model eab
ok "machine and workload beside a space" "$binary" sweep beside/space.yaml -o b --no-plots
mkdir beside/gemm
ok "a folder of a shipped one's name is not meant" sh -c 'sed "s/mine.yaml/\"gemm:input=small\"/" beside/space.yaml >beside/gemm.yaml && "$1" sweep beside/gemm.yaml -o b3 --no-plots' - "$binary"
ok "a machine for an axis, too" sh -c 'sed "s/^  memory.*/  machine: [own.yaml, sac]/; /^machine/d" beside/space.yaml >beside/two.yaml && "$1" sweep beside/two.yaml -o b2 --no-plots' - "$binary"

# A folder with the result of another space is not overwritten.
sed 's/llc.capacity: .*/memory.bandwidth: [1 TB\/s]/' space.yaml >good.yaml
sed 's/space: s/space: other/' good.yaml >other.yaml
ok "a good sweep" "$binary" sweep good.yaml -o r --no-plots
fails "a folder with another result" "holds the result of space s" "$binary" sweep other.yaml -o r --no-plots
ok "unless forced" "$binary" sweep other.yaml -o r --no-plots --force
fails "a picture over what it shows" "is the file that is plotted" \
    "$binary" plot r/ranking.csv --x inter.link_bandwidth --y eab -o r/ranking.csv
fails "a workload that is not there" 'did you mean "gemm"?' "$binary" validate workloads -w gemmm
# Slips of those who do not know it yet: what is meant is said.
mkdir fir-like
slip() { # name error hint command...
    slipped=$1 said=$2 hint=$3
    shift 3
    fails "$slipped" "$said" "$@"
    grep -qF -- "hint: $hint" "$scratch/err"
    report $? "$slipped: what to do"
}
slip "a setting in two words" 'unexpected argument "384GB/s"' "a setting is one word: --set inter.link_bandwidth=384GB/s" \
    "$binary" whatif sac gemm --set inter.link_bandwidth 384GB/s
slip "a folder among names" 'unexpected argument "fir-like"' "only shipped machines and workloads stand alone" "$binary" whatif sac fir-like
slip "a folder as a machine" 'there is no machine "fir-like"' "fir-like is a folder" "$binary" whatif -m fir-like -w gemm
slip "a folder as a space" 'there is no space "fir-like"' "fir-like is a folder" "$binary" sweep fir-like
slip "the beginning of a path" 'there is no parameter "inter.link" in machine sac' 'with "inter.link" in their names: inter.link_bandwidth' \
    "$binary" whatif sac gemm -s inter.link=1GB/s
slip "and where it is looked up" 'there is no parameter "inter.link"' 'with "inter.link" in their names: inter.link_bandwidth' "$binary" list parameters inter.link
slip "a misspelt one" 'there is no parameter "llc.capcity"' 'did you mean "llc.capacity"?' "$binary" list parameters llc.capcity
printf 'space: s\nmachine: sac\nworkloads: gemm\naxes: {llc.capacity: [1 MiB, 2 MiB]}\nobjectives: [{maximise: effective_bandwidth}]\n' >slip.yaml
slip "one workload" "slip.yaml:3:12: error: workloads: expected a list" "one is a list too: [gemm]" "$binary" sweep slip.yaml
sed 's/gemm/["gemm:input=small"]/; s/{.*max.*}/effective_bandwidth/' slip.yaml >slip2.yaml
slip "an objective without its sense" "slip2.yaml:5:14: error: objectives: expected a map" "for example {maximise: effective_bandwidth}" "$binary" sweep slip2.yaml
sed 's/gemm/["gemm:input=small"]/; s/^objectives.*/rank: effective_bandwidth/' slip.yaml >slip3.yaml
slip "what it is ranked by" "slip3.yaml:5:7: error: rank: expected a map" "for example {by: effective_bandwidth}" "$binary" sweep slip3.yaml
fails "a folder as a script" "fir-like is a folder" "$binary" shell fir-like
fails "and in a session" "fir-like is a folder" "$binary" shell -c "source fir-like"
slip "a number of thousands" 'expected an operator in expression "64K"' "numbers are written out: 64*1024" "$binary" whatif sac gemm:ni=64K

# A full disk loses nothing: the old file stays.
if [ -e /dev/full ]; then
    full() { "$binary" list parameters >/dev/full; }
    "$binary" list parameters >/dev/full 2>err
    [ $? = 1 ] && grep -q "cannot write" err
    report $? "a full disk is reported"
fi

# Trace damage.
header() {
    printf -- '-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 4\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n'
    printf '#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n'
}
{ header; printf 'insts = 3\n0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4\n#END_TB\n'; } >short.traceg
fails "a wrong insts count" "short.traceg:" "$binary" profile short.traceg --machine sac -o short.yaml
ok "no profile is left" test ! -e short.yaml
{ header; printf 'insts = 1\n'; head -c 10485760 /dev/zero | tr '\0' x; printf '\n#END_TB\n'; } >long.traceg
fails "a 10-MB line" "long.traceg:13" "$binary" profile long.traceg --machine sac -o long.yaml
{ header; printf 'insts = 1\n0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4\n#END_TB\n'; } >good.traceg
xz -k good.traceg
size=$(wc -c <good.traceg.xz)
head -c $((size - 20)) good.traceg.xz >cut.traceg.xz
fails "a truncated .xz" "cut.traceg.xz" "$binary" profile cut.traceg.xz --machine sac -o cut.yaml
ok "the whole trace is read" "$binary" profile good.traceg.xz --machine sac -o good-profile.yaml
ok "its profile serves" "$binary" whatif --machine sac --workload good-profile.yaml
ok "another view is made from its source" "$binary" whatif --machine sac --workload good-profile.yaml --set page.size=64KiB
mv good.traceg.xz elsewhere.xz
fails "another view without the source" "page.size" "$binary" whatif --machine sac --workload good-profile.yaml --set page.size=16KiB
fails "a name that a parameter does not know" 'did you mean "hashed"? known: modulo, hashed' \
    "$binary" whatif -m sac -w good-profile.yaml --set l1.index=hash
fails "an unknown space among many" 'did you mean "sac-links"? known: dcl1-120' "$binary" sweep sac-linsk
cp "$scratch/err" said
ok "a list that is too long says that it goes on" grep -qE '^hint: .*, \.\.\.$' said
finish

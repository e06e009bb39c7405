#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Machine-readable output, determinism, and the shipped spaces.
. tests/cli/common.sh.inc

whatif() { "$binary" whatif --machine sac --workload gemm:input=small "$@"; }
ok "table" whatif
whatif --format json >"$scratch/w.json" 2>"$scratch/err"
report $? "json"
if command -v python3 >/dev/null; then
    cat >"$scratch/check.py" <<'P'
import json, sys
rows = json.load(open(sys.argv[1]))
orgs = [r["organisation"] for r in rows if r["model"] == "eab"]
assert orgs == ["memory-side", "sm-side", "sac"], orgs
for r in rows:
    assert set(r) >= {"machine", "workload", "organisation", "model", "metrics", "bottleneck", "terms", "kernels", "warnings"}
    assert r["metrics"]["effective_bandwidth"] > 0 and r["metrics"]["kernel_time"] > 0
    assert set(r["terms"]) >= {"name", "op", "value", "binding", "args"}
    for k in r["kernels"]:
        assert set(k) >= {"name", "launches", "metrics", "decision"}
    bytes_ = sum(k["metrics"]["kernel_time"] * k["metrics"]["effective_bandwidth"] for k in r["kernels"])
    assert abs(bytes_ / r["metrics"]["kernel_time"] / r["metrics"]["effective_bandwidth"] - 1) < 1e-12
P
    ok "json has what formats say" python3 "$scratch/check.py" "$scratch/w.json"
else
    skip "json has what formats say" "no python3"
fi
# The top of the terms, so that many answers fit on a screen; what an answer has of each launch counts apart.
small() { # workload launches
    "$binary" whatif -m sac -w "$1:input=small" --format json >"$scratch/small.json" 2>"$scratch/err" &&
        awk -v launches="$2" '/^    "model": /{ answers++ } { bytes += length + 1 }
            END { print bytes, answers; exit !(answers == 11 && bytes < answers * (8000 + 1500 * launches)) }' "$scratch/small.json"
}
ok "json is small: one launch" small gemm 1
ok "twelve of them" small bfs 12
full() { "$binary" whatif -m sac -w gemm:input=small --format json --explain >"$scratch/full.json" 2>"$scratch/err"; }
ok "all terms where they are asked for" full
if command -v python3 >/dev/null; then
    cat >"$scratch/tops.py" <<'P'
import json, sys
top, full = (json.load(open(name)) for name in sys.argv[1:])
left = 0
def same(a, b): # the top is the top of the whole
    global left
    assert all(a[k] == b[k] for k in ("name", "op", "value", "binding")), (a, b)
    left += a.get("left_out", 0)
    assert a.get("above") or b.get("above") or a.get("left_out", len(a["args"])) == len(b["args"]), a["name"]
    assert "left_out" not in b and not (a["args"] and ("left_out" in a or "above" in a))
    for x, y in zip(a["args"], b["args"]):
        same(x, y)
assert len(top) == len(full)
for a, b in zip(top, full):
    same(a["terms"], b["terms"])
    assert {k: v for k, v in a.items() if k != "terms"} == {k: v for k, v in b.items() if k != "terms"}
assert left > 20
P
    small gemm 1 >/dev/null
    ok "the top of them is what it is without" python3 "$scratch/tops.py" "$scratch/small.json" "$scratch/full.json"
else
    skip "the top of them is what it is without" "no python3"
fi
bounded() { # terms are shared: printed wherever they are used, those of a network over launches would be gigabytes
    size=$("$binary" whatif -m sac -w bfs:input=small --model network --format json --explain 2>/dev/null | wc -c)
    [ "$size" -gt 1000000 ] && [ "$size" -lt 20000000 ]
}
ok "of very many each once" bounded
# One word for a kind of answer, and one name for a number, whoever says it.
cat >"$scratch/words.yaml" <<'Y'
space: words
machine: sac
workloads: ["gemm:input=small"]
axes: {inter.link_bandwidth: [96 GB/s, 192 GB/s]}
objectives: [{maximise: effective_bandwidth}, {minimise: kernel_time}]
Y
cell() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == 2 { print $c; exit !c }' "$1"; }
json_of() { sed -n "s/^ *\"$2\": \"*\([^\",]*\)\"*,*\$/\1/p" "$1" | head -1; }
words() { # model kind
    names="machine workload organisation model answer effective_bandwidth kernel_time"
    whatif --model "$1" -o memory-side --format csv >"$scratch/w.csv" && whatif --model "$1" -o memory-side --format json >"$scratch/1.json" &&
        "$binary" why -m sac -w gemm:input=small --model "$1" --format json >"$scratch/2.json" &&
        "$binary" compare sac sac-2chip -w gemm:input=small --model "$1" --format json >"$scratch/3.json" &&
        "$binary" sweep "$scratch/words.yaml" --model "$1" -o "$scratch/words" --no-plots >"$scratch/said" || return 1
    for key in $names; do cell "$scratch/w.csv" $key || return 1; done >"$scratch/w"
    [ "$(wc -l <"$scratch/w")" = 7 ] && [ "$(sed -n 5p "$scratch/w")" = "$2" ] || return 1
    for file in 1 2 3; do
        for key in $names; do json_of "$scratch/$file.json" $key; done | cmp "$scratch/w" - || return 1
    done
    grep -q "; ranked by effective_bandwidth of $1 ($2)\$" "$scratch/said" && "$binary" list models "$1" | grep -q "^answer:  *$2:" || return 1
    for key in effective_bandwidth kernel_time; do
        awk -F, -v key=$key 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i } $1 == 96e9 { print $c }' "$scratch/words/sample.csv"
    done >"$scratch/s"
    sed 1,5d "$scratch/w" | cmp - "$scratch/s"
}
ok "one word: eab" words eab EAB-style
ok "network" words network network
ok "bottleneck" words bottleneck "bottleneck at the given mix"
columns() { # those of every answer are there where a profile does not know them
    "$binary" whatif -m sac -w tests/data/hand.profile.yaml --model eab --format csv >"$scratch/hand.csv" 2>"$scratch/err" &&
        head -1 "$scratch/hand.csv" | grep -q '^machine,workload,organisation,model,effective_bandwidth,kernel_time,' && [ -z "$(cell "$scratch/hand.csv" kernel_time)" ]
}
ok "columns stay where a number is not known" columns
one() { [ "$(whatif --set llc.organisation=sac --model eab --format csv | wc -l)" = 2 ]; }
ok "a given organisation is the only one" one

cat >"$scratch/space.yaml" <<'Y'
space: d
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32", "bfs:nodes=1000,generator=rmat"]
models: [eab, bottleneck]
axes:
  chips: [2, 4]
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, scale: log2, points: 40}
  llc.capacity: {values: [64, 128, 256, 512, 1024], unit: KiB}
  llc.organisation: [memory-side, sm-side, sac]
let: {size: "total.llc_capacity"}
where: ["size >= 256 KiB"]
objectives: [{maximise: eab.effective_bandwidth}, {minimise: size}]
plots: [{kind: pareto, by: llc.organisation}, {kind: curve, x: inter.link_bandwidth, by: llc.organisation, y: eab.effective_bandwidth}]
Y
sweep() { "$binary" sweep "$scratch/space.yaml" -o "$scratch/$1" -j "$2" --all; }
ok "a sweep with one thread" sweep one 1
ok "with two" sweep two 2
rm -rf "$BANDSCAPE_CACHE"
ok "with three, profiled again" sweep three 3
for other in two three; do
    for file in "$scratch/one"/*; do
        name=${file##*/}
        [ "$name" = run.yaml ] && continue
        cmp "$file" "$scratch/$other/$name" >>"$scratch/differ" 2>&1
    done
done
ok "all files but run.yaml are the same bytes" test ! -s "$scratch/differ"
rows() { [ "$(wc -l <"$scratch/one/points.csv")" = "$((1 + $(sed -n 's/^kept: //p' "$scratch/one/manifest.yaml")))" ]; }
ok "points.csv has every kept point" rows
front() {
    "$binary" pareto "$scratch/one/points.csv" --maximise eab.effective_bandwidth --minimise size >"$scratch/front.csv" &&
        cmp "$scratch/front.csv" "$scratch/one/pareto.csv"
}
ok "pareto over all points gives the sweep's front" front
# What is asked stands in the manifest: a space that is made of it alone has the same ranking. (Values of ranges are
# rounded there: those of this range are not.)
again_of() {
    sed 's/{from: 16 GB\/s.*/[16 GB\/s, 48 GB\/s, 96.5 GB\/s]/; /^plots/d; s/^where.*/&\nset: {memory.bandwidth: "inter.link_bandwidth * 4"}/' \
        "$scratch/space.yaml" >"$scratch/asked.yaml"
    "$binary" sweep "$scratch/asked.yaml" -o "$scratch/asked" --no-plots || return 1
    manifest=$scratch/asked/manifest.yaml
    {
        echo "space: d"
        grep -E '^(machine|models|design): ' "$manifest"
        sed -n 's/^  - {name: [^,]*, spec: "\(.*\)", hash.*/  - "\1"/p' "$manifest" | sed '1s/^/workloads:\n/'
        sed -n 's/^  - {name: \([^,]*\), count: [0-9]*, values: \(.*\)}$/  \1: \2/p' "$manifest" | sed '1s/^/axes:\n/'
        sed -n '/^let:/,/^[a-km-z]/p' "$manifest" | grep -E '^(let|  [a-z])'
        sed -n '/^set:/,/^where/p' "$manifest" | grep -E '^(set|  [a-z])'
        sed -n '/^where:/,/^points/p' "$manifest" | grep -E '^(where|  - )'
        sed -n '/^objectives:/,/^[a-np-z]/p' "$manifest" | grep -E '^(objectives|  - )'
        sed -n 's/^rank: {by: \([^,]*\), .*/rank: {by: \1}/p' "$manifest"
    } >"$scratch/again.yaml"
    cat "$scratch/again.yaml"
    "$binary" sweep "$scratch/again.yaml" -o "$scratch/of-manifest" --no-plots &&
        [ "$(wc -l <"$scratch/asked/ranking.csv")" -gt 20 ] && cmp "$scratch/asked/ranking.csv" "$scratch/of-manifest/ranking.csv" &&
        cmp "$scratch/asked/pareto.csv" "$scratch/of-manifest/pareto.csv"
}
ok "a result's manifest says what was asked" again_of
plots() { for f in pareto.svg pareto.png curve-inter.link_bandwidth.svg; do [ -s "$scratch/one/$f" ] || return 1; done; }
ok "plots are there" plots
again() { (cd "$scratch" && "$binary" plot one --term svg -o again.svg && [ -s again.svg ]); }
ok "a result folder can be plotted again" again
for space in sac-sensitivity sac-budget; do
    ok "$space over a small workload" "$binary" sweep $space -w gemm:input=small -o "$scratch/$space" --no-plots
done
help() { for c in "" whatif sweep profile trace pareto plot list; do "$binary" $c --help >/dev/null || return 1; done; }
ok "every command has help" help

costs() {
    "$binary" list costs >"$scratch/costs" && grep -q '^link_power  *J/s  *power of all links' "$scratch/costs" &&
        grep -q "^noc_design_power  *the memory-side UBA's crossbar at 1.4 TB/s  " "$scratch/costs" || return 1
    for file in models/*/*.cost.c; do
        cost=$(basename "$file" .cost.c)
        grep -q "^$cost " "$scratch/costs" && "$binary" list costs "$cost" | grep -q "^cost.$cost - " || return 1
    done
}
ok "every cost is listed with its unit, and has a page" costs
page() { "$binary" list costs cost.link_energy | grep -q '^unit:  *J/B$'; }
ok "a cost's page by the name that spaces use" page
fails "a cost that is none" 'did you mean "link_power"' "$binary" list costs link_powr

if [ -n "${BANDSCAPE_TRACES:-}" ]; then
    bfs=$BANDSCAPE_TRACES/rodinia-bfs/kernelslist.g
    ok "the real BFS trace is profiled" "$binary" profile "$bfs" --machine sac -o "$scratch/bfs.yaml"
    ok "its profile is swept" "$binary" sweep sac-sensitivity -w "$scratch/bfs.yaml" -o "$scratch/bfs" --no-plots
    counts() { grep -q 'lines: 745' "$scratch/bfs.yaml" && grep -q 'cta_shared_lines: 192' "$scratch/bfs.yaml" &&
        grep -q 'line_accesses: 12148' "$scratch/bfs.yaml" && grep -q 'sector_accesses: 13980' "$scratch/bfs.yaml" &&
        grep -q 'warp_accesses: 7449' "$scratch/bfs.yaml"; }
    ok "its counts are the known facts" counts
else
    skip "the real BFS trace" "BANDSCAPE_TRACES is not set"
fi
finish

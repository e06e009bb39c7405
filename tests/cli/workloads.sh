#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shipped workloads: their list and pages, sizes, and what papers print of them.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
says() { # words command...
    words=$1
    shift
    "$@" 2>&1 | grep -qF -- "$words"
}
refused() { # words command...: exit status 2 and the words
    words=$1
    shift
    "$@" >out.txt 2>err.txt
    [ $? = 2 ] && grep -qF -- "$words" err.txt && [ ! -s out.txt ]
}

# The list and a page.
"$binary" list workloads >list.txt
report $? "a list"
ok "with CTAs and footprint" grep -q '^gemm  *Polybench  *2048  *21 MB' list.txt
ok "of a workload in C, too" grep -q '^bfs  *Rodinia  *1954  *39 MB' list.txt
ok "the same from the cache" sh -c '"$1" list workloads | cmp - list.txt' - "$binary"
c_workloads=$(ls "$top"/src/workload/irregular/*.workload.c | wc -l)
ok "what takes long to open is in it" test "$(ls "$BANDSCAPE_CACHE"/*.census | wc -l)" = "$c_workloads"
bfs=$(grep -l "ctas 1954" "$BANDSCAPE_CACHE"/*.census) other=$(grep -L "ctas 1954" "$BANDSCAPE_CACHE"/*.census | head -1)
cp "$bfs" bfs.census && cp "$other" "$bfs"
ok "and is read from there" sh -c '"$1" list workloads | grep -q "^bfs  *Rodinia  *$2 "' - "$binary" \
    "$(sed -n 's/.* ctas \([0-9]*\) .*/\1/p' "$other")"
sed 's/ctas 1954/ctas 4321/' bfs.census >"$bfs"
"$binary" list workloads >again.txt 2>again.err
ok "a damaged one is made anew" cmp again.txt list.txt
ok "and a remark says so" grep -q "^bandscape: $bfs is damaged (its checksum does not fit): it is made anew$" again.err
ok "once" sh -c '"$1" list workloads 2>&1 | cmp - list.txt && cmp bfs.census "$2"' - "$binary" "$bfs"
rebuilt() ( # a program of another time does not read what the last one left
    export BANDSCAPE_CACHE="$PWD/builds"
    mkdir app && cp "$binary" app/bandscape && ln -s "$top/spaces" "$top/models" app/ || return 1
    app/bandscape list workloads spmv && app/bandscape list workloads spmv &&
        test "$(ls builds/*.census | wc -l)" = 1 || return 1
    touch -d 2001-01-01 app/bandscape
    app/bandscape list workloads spmv && test "$(ls builds/*.census | wc -l)" = 2
)
ok "unless the program is another one" rebuilt
"$binary" list workloads bfs >page.txt
report $? "a page"
for words in "default input: 22 launches, 1954 CTAs in the largest, 39 MB" "nodes*size" \
    "ctas 1954, footprint 37 MB" "ours differs in truly_shared: " "validate workloads --workload bfs"; do
    ok "it says $words" grep -qF -- "$words" page.txt
done

# Sizes.
ok "a quarter of the footprint" says "footprint 5 MiB" "$binary" trace info gemm:size=x1/4
ok "of a named input" says "footprint 127.1 kB" "$binary" trace info bfs:input=small,size=x1/4
ok "x1 is what it was" sh -c '"$1" trace info gemm:input=small >a && "$1" trace info gemm:input=small,size=x1 | cmp - a' - "$binary"
ok "an absurd one" refused "size: expected x1/1024 to x1024, got \"x1e9\"" "$binary" trace info gemm:size=x1e9
ok "no number" refused "size: expected a factor, got \"big\"" "$binary" trace info bfs:size=big
ok "too small for the input" refused "size x0.03125 makes steps" "$binary" trace info \
    "$(printf 'workload: t\nsummary: s\nparameters: {steps: 3}\ninputs: {small: {}}\nscale: {steps: steps*size}\narrays: {A: {shape: [32], type: f32}}\nkernels: [{name: k, repeat: steps, grid: 1, block: 32, body: [{load: "A[tx]"}]}]\n' >t.yaml; echo ./t.yaml):size=x1/32"
ok "beside a file" refused "size=x2: nodes=2000000 has no effect beside graph=" "$binary" trace info bfs:graph=g.mtx,size=x2

# Published against measured.
validate() { "$binary" validate workloads "$@"; }
compared="-w gru" # a small one shows what is executed
$thorough && compared="-w bfs -w gru"
validate $compared >table.txt
report $? "a comparison"
ok "of footprints" grep -q '^gru  *published-nuba .* 2  *2  *0.0' table.txt
validate -w gru --format csv >gru.csv
ok "the same bytes without a cache" sh -c \
    'BANDSCAPE_CACHE=$PWD/empty "$1" validate workloads -w gru --format csv | cmp - gru.csv' - "$binary"
if $thorough; then
    ok "of published CTAs and ours" grep -q '^bfs  *published-sac  *1954  *1954  *0.00 ' table.txt
    ok "with reasons" grep -q '^bfs, published-sac, truly_shared is off by 40 %: a chip has' table.txt
    ok "one input alone" test "$(validate -w bfs:input=published-mcm --format csv | wc -l)" = 2
    validate -w bfs --format csv >bfs.csv
    ok "CSV in bytes" grep -q '^bfs,published-sac,sac,bfs:input=published-sac,1954,1954,0,,42988,,3.7e+07,38998528' bfs.csv
else
    skip "those of bfs" "too slow with this build"
fi
if command -v python3 >/dev/null; then
    validate $compared --format json >all.json
    ok "JSON, errors as they should be" python3 -c '
import json
for row in json.load(open("all.json")):
    for key, value in row.items():
        published = row.get(key[:-6] + "_published") if key.endswith("_error") else None
        if published:
            assert abs(abs(row[key[:-6]] - published) / published - value) < 1e-9, key
            assert value <= 0.25 or key[:-6] in row["why"], key'
else
    skip "JSON, errors as they should be" "no python3"
fi
# The table that is kept is of this version's workloads.
kept=$top/results/reference/workloads.csv
is_kept() { # workload
    validate -w "$1" --format csv 2>/dev/null >rows.csv &&
        [ "$(wc -l <rows.csv)" -gt 1 ] && ! grep -vxF -f "$kept" rows.csv
}
kept_ones="gru"
$thorough && kept_ones="bfs gru matrixmul nw"
for workload in $kept_ones; do
    ok "the kept figures of $workload" is_kept "$workload"
done
ok "a profile has no published figures" says "x.yaml: nothing is published of it" validate -w x.yaml
ok "what takes long is left out" says "Counted with --all only: gemm published-sac" validate -w gemm
ok "--all is of no use elsewhere" refused "--all has no effect on sampling" "$binary" validate sampling --all
ok "nor are inputs here" refused "--input has no effect on workloads" validate --input small

# Another machine of the paper's name: blocks of blackscholes take 512 B of each of five vectors a round.
if $thorough; then
    falsely() { # megabytes, settings: of a vector's page, which has eight blocks, or 128
        megabytes=$1
        shift
        validate -w blackscholes:input=published-sac --format csv "$@" | awk -F, -v of="$megabytes" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { off = $at["falsely_shared"] - of * 1e6; found = $at["truly_shared"] == 0 && off * off < 1 }
            END { exit !found }'
    }
    ok "a chip's 120 blocks fill 15 pages" falsely 0 --set cta.policy=distributed
    ok "blocks dealt out one by one share all pages" falsely 80 --set cta.policy=batched:1
    ok "and eight by eight none" falsely 0 --set cta.policy=batched:8
    # Of a vector's 16 000 000 B the last 9 216 lie in a page that nobody but the first chip asks for.
    ok "15 small pages are less than a large one" falsely 79.95392 --set page.size=64KiB
    ok "reasons are of the paper's machine" sh -c '! "$1" validate workloads -w blackscholes:input=published-sac \
        --set cta.policy=batched:8 | grep "is off by"' - "$binary"
    ok "other papers' machines stay" sh -c '"$1" validate workloads -w bfs:input=published-mcm --format csv >a &&
        "$1" validate workloads -w bfs:input=published-mcm --set cta.policy=batched:1 --format csv | cmp - a' - "$binary"
else
    skip "other machines" "too slow with this build"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape profile: making, showing, the cache, and what is refused.
set -u
. tests/cli/common.sh.inc
machine=$top/models/sac/sac.yaml
cd "$scratch" || exit 1
cat >a.btrace <<'END'
bandscape-trace 1
allocation x 0x1000 4096
kernel first grid=2 block=32
r 0x1000 4 stride=4 insts=3
w 0x1000 4 stride=4 cta=1
kernel second
a 0x9000 8
END
printf 'profile: hand-made\npoint: {r_local: 0.7, lsu: {memory-side: 0.9}}\n' >point.yaml
says() { # words command...
    words=$1
    shift
    "$@" | grep -qF -- "$words"
}
same() { # one path, the command's text, another
    cmp -s "$1" "$2"
}

ok "a trace is profiled" "$binary" profile a.btrace --machine "$machine"
ok "into results" grep -q '^profile: a$' results/a.profile.yaml
ok "the table has a row a kernel" says "second" "$binary" profile a.btrace -m "$machine"
cp results/a.profile.yaml first.yaml
ok "again without the cache" "$binary" profile a.btrace -m "$machine" --no-cache -o second.yaml
ok "gives the same bytes" same first.yaml second.yaml
ok "--format yaml prints the file" sh -c '"$1" profile a.btrace -m "$2" --format yaml | cmp - first.yaml' - "$binary" "$machine"
ok "traces count blocks a line" grep -q 'cta_line_pairs: 2$' first.yaml
ok "several sources go to a folder" "$binary" profile a.btrace a.btrace -m "$machine" -o many
ok "with a name each" test -f many/a.profile.yaml -a -f many/a-2.profile.yaml
ok "a stored profile is shown" says "R_local" "$binary" profile show first.yaml
ok "and with a machine its hit rates" says "machine sac" "$binary" profile show first.yaml -m "$machine"
ok "JSON names every field" says '"lsu.memory-side"' "$binary" profile show first.yaml --format json
ok "a hand-made profile is shown" says "0.7" "$binary" profile show point.yaml
ok "another structure is another view" "$binary" profile a.btrace -m "$machine" --set page.size=8KiB -o page.yaml
fails "a view that is not there" "page.size is 4 KiB" "$binary" profile show page.yaml -m "$machine"
ok "a sample of the lines" "$binary" profile gemm:input=small -m "$machine" --sample 1/2 -o half.yaml
ok "is kept with its rate" grep -q '^    sample_rate: 0.5$' half.yaml
ok "and shown" says "curves from 1/2 of the lines" "$binary" profile show half.yaml
ok "with what it may be off by" says "intervals of 95 %" "$binary" profile show half.yaml -m "$machine"
ok "in JSON" says '"llc_hit_sm_side_interval"' "$binary" profile show half.yaml -m "$machine" --format json
ok "what is read is written again" sh -c '"$1" profile show half.yaml --format yaml | cmp - half.yaml' - "$binary"
ok "of few lines all are taken" sh -c '"$1" profile a.btrace -m "$2" --sample 1/2 --format yaml | cmp - first.yaml' - "$binary" "$machine"
ok "an error is kept" says "curves from 1/16 of the lines" "$binary" profile stream:n=2^19 -m "$machine" --error 0.06
ok "or needs all" sh -c '! "$1" profile gemm:input=small -m "$2" --error 0.01 | grep -q "of the lines"' - "$binary" "$machine"
fails "no error" "--error: expected a difference" "$binary" profile a.btrace -m "$machine" --error 2 -o none/x.yaml
fails "both" "exclude each other" "$binary" profile a.btrace -m "$machine" --error 0.1 --sample 1/2 -o none/x.yaml
fails "an error of what is there" "--error has no effect" "$binary" whatif -w half.yaml -m "$machine" --error 0.1
ok "all lines are the profile itself" sh -c '"$1" profile a.btrace -m "$2" --sample 1 --format yaml | cmp - first.yaml' - "$binary" "$machine"
ok "whatif warns of it" sh -c '"$1" whatif -w half.yaml -m "$2" --format json | grep -q "curves from 1/2 of the lines"' - "$binary" "$machine"
ok "and takes samples" sh -c '"$1" whatif -w gemm:input=small -m "$2" --sample 1/2 2>&1 | grep -q "curves from 1/2 of the lines"' - "$binary" "$machine"
fails "no share" "--sample: expected a share" "$binary" profile a.btrace -m "$machine" --sample 16 -o none/x.yaml
fails "a sample of what is there" "--sample has no effect" "$binary" whatif -w half.yaml -m "$machine" --sample 1/4
fails "a sample of a stored profile" "does not belong to profile show" "$binary" profile show half.yaml --sample 1/4

# Launches that repeat are counted again, or gone through.
stencil=stencil:nx=128,ny=128,nz=4,steps=90
ok "launches that repeat" says "6 of 90 launches gone through: the others repeat them" "$binary" profile $stencil -m "$machine" -o again.yaml
ok "are counted in the file" sh -c 'grep -q "^    settled_within: 0.001$" again.yaml && grep -q "^        launches: 90$" again.yaml && grep -q "^        launches_run: 6$" again.yaml'
ok "which says the same once more" sh -c '"$1" profile show again.yaml --format yaml | cmp - again.yaml' - "$binary"
ok "and in JSON" sh -c '"$1" profile show again.yaml --format json | tr -d " \n" | grep -q "\"launches_run\":6"' - "$binary"
ok "with --exact all are gone through" sh -c '"$1" profile "$3" -m "$2" --exact -o exact.yaml && ! grep -q "launches_run" exact.yaml' - "$binary" "$machine" $stencil
ok "and give the same" sh -c 'grep -v "launches_run\|settled_within\|XXH3\|^# " again.yaml >a && grep -v "XXH3\|^# " exact.yaml | cmp - a' -
ok "which is another view in the cache" sh -c '"$1" profile "$3" -m "$2" -o b.yaml && cmp b.yaml again.yaml' - "$binary" "$machine" $stencil
ok "whatif goes through all" sh -c '"$1" whatif -w "$3" -m "$2" --exact >/dev/null' - "$binary" "$machine" $stencil
fails "all of what is stored" "does not belong to profile show" "$binary" profile show again.yaml --exact

# Its first launches.
ok "the first launches" says "$stencil,first=3" "$binary" profile $stencil,first=3 -m "$machine" -o three.yaml
ok "as many as were asked for" sh -c 'test "$(grep -c "^        launches: 1$" three.yaml)" = 3 && grep -q "^profile: stencil-first-3$" three.yaml'
ok "of a trace" sh -c '"$1" trace info a.btrace:first=1 >/dev/null' - "$binary"
fails "fewer than asked for" "first=9: there" "$binary" profile a.btrace:first=9 -m "$machine" -o none/x.yaml
fails "none" "first=0: expected a whole number from 1" "$binary" profile $stencil,first=0 -m "$machine" -o none/x.yaml
fails "less than none" "first=-1: expected a whole number from 1" "$binary" profile $stencil,first=-1 -m "$machine" -o none/x.yaml

# Accesses in recorded order say who waits by the warps that they name. A profile made by hand says nothing of it,
# and a model that needs it says what it assumes, in tables, JSON and sweeps.
cat >ordered.btrace <<'END'
bandscape-trace 1
kernel first grid=2 block=32 order=recorded
r 0x1000 4 stride=4
r 0x2000 4 stride=4 cta=1
END
assumed="assumes how many requests are under way"
printf 'profile: by-hand\npoint: {r_local: 0.7, llc_hit: {memory-side: 0.8, sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1}}\n' >by-hand.yaml
ok "in recorded order waits are known" "$binary" profile ordered.btrace -m "$machine" -o ordered.yaml
ok "with their chain" grep -q "chain: {waits: 1, awaited: 1," ordered.yaml
ok "and not empty" sh -c '! "$1" profile show ordered.yaml | grep -q empty' - "$binary"
ok "so that nothing is assumed" sh -c '! "$1" whatif -w ordered.btrace -m "$2" --model network 2>&1 | grep -q "$3"' - "$binary" "$machine" "$assumed"
ok "whatif says what it assumes of a profile by hand" sh -c '"$1" whatif -w by-hand.yaml -m "$2" --model network 2>&1 >/dev/null | grep -q "$3"' - "$binary" "$machine" "$assumed"
ok "and in its JSON" sh -c '"$1" whatif -w by-hand.yaml -m "$2" --model network --format json | grep -A3 "\"warnings\"" | grep -q "$3"' - "$binary" "$machine" "$assumed"
ok "what is known is not assumed" sh -c '! "$1" whatif -w a.btrace -m "$2" --model network 2>&1 | grep -q "$3"' - "$binary" "$machine" "$assumed"
printf 'space: s\nmachine: %s\nworkloads: [by-hand.yaml]\nmodels: [network]\naxes: {memory.bandwidth: [100 GB/s, 200 GB/s, 300 GB/s]}\nobjectives: [{maximise: effective_bandwidth}]\n' "$machine" >ordered-space.yaml
ok "a sweep counts the points" says "warning for 3: network: $assumed" "$binary" sweep ordered-space.yaml --no-plots -o ordered-sweep

# Two reads and a write: the latter two are taken to need what was read.
printf 'bandscape-trace 1\nr 0x1000 4\nr 0x2000 4 think=70\nw 0x3000 4\n' >untold.btrace
assumed="that an access needs all that its warp has loaded before it"
ok "what is assumed of waits is in the summary" says "waits: 2 of 3 warp accesses are taken to need" "$binary" profile untold.btrace -m "$machine" -o untold.yaml
ok "beside what was worked meanwhile" says "(think): 70 cycles in the chain" "$binary" profile show untold.yaml
ok "whatif says it, too" sh -c '"$1" whatif -w untold.yaml -m "$2" --model network 2>&1 >/dev/null | grep -q "$3"' - "$binary" "$machine" "$assumed"
ok "and simulate" sh -c '"$1" simulate -w untold.btrace -m "$2" 2>&1 >/dev/null | grep -q "$3"' - "$binary" "$machine" "$assumed"
sed 's/think/ahead=1 &/' untold.btrace >told.btrace
ok "where a trace says it, nothing is assumed" sh -c '! "$1" simulate -w told.btrace -m "$2" 2>&1 | grep -q "$3"' - "$binary" "$machine" "$assumed"

# Every statistic that a view can have, under the key of the view above.
{
    printf 'profile: full/run\nviews:\n'
    sed -n '/^  - key:/,/^    line:/p' first.yaml
    cat <<'END'
    parts: [l1, samplers, locality, window]
    sharing: {footprint: 4e6, truly_shared: 1e6, falsely_shared: 1e6, non_shared: 2e6, pages: 1000, page_balance: 0.75, pages_by_sms: [801, 100, 90, 9]}
    working_sets:
      - {accesses: 1000, windows: 3, truly_shared: 1.5e6, falsely_shared: 0, non_shared: 5e5}
    records:
      - name: k
        launches: 1
        l1_reads: 100
        l1_read_hits: 60
        l1_misses_elsewhere: 10
        l1_copies: 2.5
        requests: 1000
        r_local: 0.5
        l15: {lookups: 10, hits: 3}
        remote: {line_use: 0.375, edge_requests: 100, edge_outstanding: 11, edge_buffered: 22}
        crd: {hit: 0.61}
        engine: {line_use: 0.44}
        curves:
          - {scope: chip, side: requester, filter: all, requests: 1000, cold: 100, curve: "1 300 999 600"}
        prefixes: [{launches: 1, requests: 100, r_local: 0.625}]
END
} >full.yaml
"$binary" profile show full.yaml >full.txt 2>&1
"$binary" profile show full.yaml -m "$machine" --format json >full.json 2>&1
for words in "1 SM: 801, 2-10 SMs: 100" "80.1 % by one SM: low sharing by NUBA's classes" "(NPB): 0.75" \
    "parts: l1, locality, samplers, window" "misses" "0.375" "0.11" "0.22" "CRD" "0.44" "0.625"; do
    ok "the statistics say $words" grep -qF -- "$words" full.txt
done
ok "nothing of levels that are not there" sh -c '! grep -q "rdma\|MDR\|NaN\|nan" full.txt'
ok "the share of misses that other L1s hold" grep -q '"l1_replication": 0.25' full.json
ok "JSON has working sets" grep -q '"windows": 3' full.json
ok "and the class of sharing" grep -q '"class": "low sharing"' full.json
ok "and the window" grep -q '"r_local": 0.625' full.json
ok "the exact value beside the sampler's" grep -q '"llc_hit_sm_side": 0.9' full.json
ok "a profile made by hand has no such table" sh -c '! "$1" profile show point.yaml | grep -q "samplers\|balance"' - "$binary"
ok "pictures are drawn" "$binary" profile show full.yaml --plot pictures
cp -r pictures again
ok "and are the same again" sh -c '"$1" profile show full.yaml full.yaml --plot pictures && cmp pictures/full-run-miss-curves.svg again/full-run-miss-curves.svg && cmp pictures/full-run-sharing.svg again/full-run-sharing.svg' - "$binary"
ok "with a name each" test -f pictures/full-run-2-sharing.svg
ok "and of what is profiled" "$binary" profile a.btrace -m "$machine" --plot made --term dumb
ok "as text" grep -q "miss ratio\|sharing of" made/a-miss-curves.txt made/a-sharing.txt
fails "nothing to plot" "neither curves nor sharing" "$binary" profile show point.yaml --plot none
fails "a picture of no kind" "terminals: svg" "$binary" profile a.btrace -m "$machine" --plot none --term gif -o none/x.yaml
fails "a kind without pictures" "--plots DIR" "$binary" profile show full.yaml --term png
fails "no source" "needs a SOURCE" "$binary" profile --machine "$machine"
fails "no machine" "needs a machine" "$binary" profile a.btrace
fails "no file to show" "needs a FILE" "$binary" profile show
fails "a profile as source" "is a profile already" "$binary" profile first.yaml -m "$machine"
fails "a missing source without a machine" "missing.csv" "$binary" profile missing.csv
printf 'workload: nest\nsummary: s\nparameters: {n: 64}\ninputs: {small: {n: 64}}\narrays: {a: {shape: [n], type: f32}}\nkernels:\n  - {name: k, grid: 1, block: n, body: [{load: "a[tx]"}]}\n' >nest.yaml
cp nest.yaml nest.copy
fails "a source that would be overwritten" "nest.yaml exists and is no profile" "$binary" profile nest.yaml -m "$machine" -o ./nest.yaml
ok "it is as before" cmp nest.yaml nest.copy
fails "a trace that would be" "is not overwritten" "$binary" profile nest.yaml -m "$machine" -o a.btrace
: >old.yaml
ok "an empty file is replaced" "$binary" profile nest.yaml -m "$machine" -o old.yaml
ok "and an older profile" "$binary" profile nest.yaml:n=32 -m "$machine" -o old.yaml
fails "a setting beside a space" "--set does not go with --space" "$binary" profile --space sac-sensitivity --set chips=2
fails "a source beside a space" "no SOURCE beside it" "$binary" profile a.btrace --space sac-sensitivity
ok "no place for the views of a space" sh -c '! BANDSCAPE_CACHE=/dev/null "$1" profile --space sac-sensitivity 2>err; grep -q "set BANDSCAPE_CACHE" err' - "$binary"
fails "a missing source" "missing.btrace" "$binary" profile missing.btrace -m "$machine" -o none/x.yaml
fails "a wrong setting" "did you mean" "$binary" profile a.btrace -m "$machine" --set page.sise=4KiB -o none/x.yaml
fails "pages without homes" "records no homes" "$binary" profile a.btrace -m "$machine" --set page.policy=recorded -o none/x.yaml
ok "nothing was written" test ! -e none
fails "a broken profile" "bad.yaml:2:" sh -c 'printf "profile: x\npoint: {r_local: 7}\n" >bad.yaml; "$1" profile show bad.yaml' - "$binary"
finish

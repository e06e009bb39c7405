#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape validate: its columns, the values of profile show and whatif beside it, its
# formats, and what is refused.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
machine=$top/models/sac/sac.yaml
validate() { "$binary" validate profiler -m "$machine" "$@"; }
says() { # words command...
    words=$1
    shift
    "$@" | grep -qF -- "$words"
}
# The value of a key in JSON, one key a line: the first one, or that behind a second key.
value() { # file key [section]
    awk -v key="\"$2\":" -v section="${3:+\"$3\":}" '
        section == "" || $1 == section { inside = 1 }
        inside && $1 == key { sub(/^[^:]*: */, ""); sub(/,$/, ""); print; exit }' "$1"
}

if $thorough; then
    ok "all validations" says "profiler: " "$binary" validate --workload gemm
else
    skip "all validations" "too slow with this build"
fi
ok "they are listed" says "profiler" "$binary" list validations
validate --workload gemm --workload "bfs:input=small" >table.txt 2>err.txt
report $? "a table"
for words in "SAC's request directory" "NUBA's sampled sets" "DualOpt's access window" "SAC's choice by EAB" \
    "machine sac, inputs of shipped workloads: small" "CRD error: median" "EAB lost by the window: median"; do
    ok "it says $words" grep -qF -- "$words" table.txt
done
ok "each workload has a row a table" test "$(grep -c '^gemm ' table.txt)" = 4 -a "$(grep -c '^bfs:input=small ' table.txt)" = 4
every="every shipped workload has one"
$thorough || skip "$every" "too slow with this build"
$thorough && ok "$every" sh -c '"$1" validate profiler --format csv | cut -d, -f2 | tail -n +2 >got
    "$1" list workloads | tail -n +3 | cut -d" " -f1 | cmp - got' - "$binary"

# The figures are those of the other commands.
validate --workload gemm --format json >gemm.json
report $? "JSON"
"$binary" profile gemm:input=small -m "$machine" --with samplers,window,replication,locality \
    -o gemm.yaml >"$scratch/out" 2>&1
"$binary" profile show gemm.yaml -m "$machine" --format json >show.json
row=gemm
compare() { # key, key of profile show, its section; of $row
    ours=$(value "$row.json" "$1") theirs=$(value show.json "$2" "$3")
    echo "$1 $ours, $2 $theirs"
    [ -n "$ours" ] && [ "$ours" != null ] && [ "$ours" = "$theirs" ]
}
ok "requests" compare requests requests fields
for pair in sm_side_hit:llc_hit_sm_side crd_hit:crd_hit crd_hit_corrected:crd_hit_corrected; do
    ok "${pair%:*}" compare "${pair%:*}" "${pair#*:}" sac_samplers
done
for pair in replicated_hit:llc_hit_replicated mdr_hit:mdr_hit remote_share:remote_share line_use:line_use \
    remote_l1_hit:remote_l1_hit; do
    ok "${pair%:*}" compare "${pair%:*}" "${pair#*:}" other_samplers
done
# Of gesummv enough leaves the SMs for DualOpt's window to open.
ok "the window of gemm stays closed" test "$(value gemm.json engine_remote_share)" = null
row=gesummv
validate --workload gesummv --format json >gesummv.json
"$binary" profile gesummv:input=small -m "$machine" --with samplers,locality -o gesummv.yaml >"$scratch/out" 2>&1
"$binary" profile show gesummv.yaml -m "$machine" --format json >show.json
for pair in engine_remote_share:engine_remote engine_line_use:engine_line_use \
    engine_remote_l1_hit:engine_l1_hit; do
    ok "${pair%:*}" compare "${pair%:*}" "${pair#*:}" other_samplers
done
difference() { # a b error: |a - b| = error
    awk -v a="$(value gemm.json "$1")" -v b="$(value gemm.json "$2")" -v e="$(value gemm.json "$3")" \
        'BEGIN { d = a - b; if (d < 0) d = -d; exit !(e > 0 && d - e < 1e-12 && e - d < 1e-12) }'
}
ok "the error of one launch is the difference" difference crd_hit sm_side_hit crd_error
ok "the replicated one too" difference mdr_hit replicated_hit mdr_error
chosen() { # workload, launches that go SM-side, what SAC decides from
    "$binary" whatif -m "$machine" -w "$1" --model eab --set llc.organisation=sac --set sac.decides="$3" \
        --format json >whatif.json
    [ "$(grep -c '"decision": "sm-side"' whatif.json)" = "$2" ]
}
sm_side() { # key: launches of bfs
    value bfs.json "$1" | tr -d '"' | sed 's/^sm-side //; s:/.*::'
}
ok "gemm's choice" test "$(value gemm.json choice)" = '"sm-side"'
ok "is that of whatif" chosen gemm:input=small 1 exact
validate --workload bfs --format json >bfs.json
ok "of bfs some launches go to the SM side" test "$(sm_side choice)" -gt 0
if $thorough; then # gemm went the same way
    ok "as in whatif" chosen bfs:input=small "$(sm_side choice)" exact
    ok "and from their first requests" chosen bfs:input=small "$(sm_side window_choice)" window
else
    skip "choices of bfs" "too slow with this build"
fi

# Formats.
ok "CSV into a file" validate --workload gemm --workload stream --format csv -o made/p.csv
ok "of a header and two rows" test "$(wc -l <made/p.csv)" = 3
ok "that reads as CSV" says "stream" "$binary" pareto made/p.csv --maximise requests
ok "unknown cells are empty" grep -q '^sac,stream,.*,,' made/p.csv
ok "the same bytes again" sh -c '"$1" validate profiler --workload gemm --workload stream --format csv | cmp - made/p.csv' - "$binary"
rm -rf "$BANDSCAPE_CACHE"
ok "profiled again too" sh -c '"$1" validate profiler --workload gemm --workload stream --format csv | cmp - made/p.csv' - "$binary"
if command -v python3 >/dev/null; then
    ok "JSON is an array of rows" python3 -c '
import csv, json
rows = json.load(open("gemm.json")); (row,) = rows
assert row["validation"] == "profiler" and row["machine"] == "sac" and row["workload"] == "gemm"
head, *cells = csv.reader(open("made/p.csv"))
assert ["validation"] + head == list(row), head
for key, cell in zip(head, cells[0]):
    assert cell == ("" if row[key] is None else str(row[key])) or float(cell) == row[key], key'
else
    skip "JSON is an array of rows" "no python3"
fi

# A machine of partitions: NUBA's sampled sets see them; EAB is about chips, and says so.
cat >partitions.yaml <<'Y'
machine: parts
base: sac
chips: 1
partitions: 8
llc: {scope: partition, slices: 16}
cta: {scope: partition}
Y
"$binary" validate profiler -m partitions.yaml -w gemm --format csv >parts.csv 2>parts.err
report $? "a machine of partitions"
ok "has sampled sets" sh -c '[ -n "$(tail -n 1 parts.csv | cut -d, -f11)" ] && head -n 1 parts.csv | cut -d, -f11 | grep -q "^mdr_hit$"'
ok "and says why there is no choice" grep -q "gemm: no choice: .*does not know chips that have partitions" parts.err

# Samples of lines: an error of the LLC's hit rate is the difference of what both views show,
# here of a small one; the interval is that of the sample.
small=llc.capacity=128KiB
"$binary" validate sampling -m "$machine" --set $small -w gesummv --format csv >sampling.csv 2>err.txt
report $? "sampled curves"
ok "says how many are within" grep -q "SM-side, 1/16: 1[0-9] of 16 hit rates" err.txt
ok "a row a rate" sh -c 'test "$(cut -d, -f4 sampling.csv | tail -n +2 | tr "\n" " ")" = "1/16 1/64 "'
"$binary" profile gesummv:input=small -m "$machine" -o exact.yaml >out.txt 2>err.txt &&
    "$binary" profile gesummv:input=small -m "$machine" --sample 1/16 -o sampled.yaml >out.txt 2>err.txt
report $? "both views"
hit() { "$binary" profile show "$1" -m "$machine" --set $small --format json >"$1.json" && value "$1.json" "$2"; }
ok "its error is the difference" awk -v a="$(hit exact.yaml llc_hit_sm_side)" -v b="$(hit sampled.yaml llc_hit_sm_side)" \
    -v e="$(sed -n 2p sampling.csv | cut -d, -f14)" \
    'BEGIN { d = a - b; if (d < 0) d = -d; exit !(e > 0 && d - e < 1e-12 && e - d < 1e-12) }'
ok "its interval is shown too" awk -v h="$(hit sampled.yaml llc_hit_sm_side_interval)" \
    -v e="$(sed -n 2p sampling.csv | cut -d, -f15)" 'BEGIN { exit !(h > 0.0025 && h - e < 1e-12 && e - h < 1e-12) }'
cat >point.yaml <<'Y'
profile: point
point: {r_local: 0.5, llc_hit: {memory-side: 0.5, sm-side: 0.5}, lsu: {memory-side: 1, sm-side: 1}}
Y
fails "a profile without a source" "its source is needed" "$binary" validate sampling -w point.yaml -o none/x

# Launches that are skimmed: what is off, what is stated, and how much is within.
few="sm.per_chip=4,sm.warps=16,l1.capacity=4KiB,llc.capacity=256KiB"
"$binary" validate skimming -m "$machine" $(echo "$few" | sed 's/\([^,]*\),*/--set \1 /g') \
    --all -w gemm:ni=256,nj=256,nk=512 -w bfs --format csv >skimming.csv 2>err.txt
report $? "skimmed launches"
ok "a row, of what is skimmed" awk -F, 'NR == 2 { exit !($2 ~ /gemm/ && $4 > 0.3 && $4 < 1 && $5 < 0.02 && $6 > 0 && $7 < 0.02) } END { exit NR != 2 }' skimming.csv
ok "how many are within" grep -q "memory-side: 1[0-9] of 16 hit rates and write-backs" err.txt
ok "who is not" grep -q "nothing is skimmed of 1 other: " err.txt
fails "nor a profile here" "to skim it" "$binary" validate skimming -w point.yaml -o none/x

# Pictures.
ok "pictures of systems" sh -c '"$1" validate nuba dualopt profiler -w gemm --plot pictures >out && ls pictures | xargs echo >names' - "$binary"
ok "one a system" grep -qx "dualopt.svg nuba.svg" names
ok "that names checkpoints" grep -q "sampled sets of MDR" pictures/nuba.svg
ok "as PNG" sh -c '"$1" validate nuba --plot pictures --term png >out && head -c 4 pictures/nuba.png | grep -q PNG' - "$binary"
fails "a picture of what is not published" "--plots has no effect on profiler" validate --plots none
fails "--term alone" "--term needs a folder" "$binary" validate nuba --term png
fails "an unknown terminal" "did you mean png" "$binary" validate nuba --plot none --term pgn

# Published figures of a file of one's own: the page's example, then one with all that the user asks.
sed -n '/^    published:/,/^$/p' "$top/src/validate/README.md" | sed 's/^    //' >page.yaml
"$binary" validate ./page.yaml --format csv >page.csv 2>page.err
report $? "the page's example"
ok "has its figures" sh -c '[ "$(wc -l <page.csv)" = 3 ] && ! grep -v "yes,,exact formula$" page.csv | tail -n +2 | grep .'
ok "and its note" grep -q "published over 48 workloads, ours over 0\." page.err
figures() { # arithmetic|...: the file asked.yaml, of SMs a chip that the user asks for
    cat >asked.yaml <<Y
published: asked
summary: what the user asks for
machines: {own: {}, twice: {set: {llc.capacity: 2 MiB}}}
figures:
  - figure: time
    value: 2
    tolerance: none
    evidence: prediction
    model: eab
    mean: $1
    ours: kernel_time@own / 1 s * 1e9
    each: "{kernel_time@own / 1 ns:1} ns with {llc.capacity@twice / 1 MiB} MiB"
  - {figure: SMs, value: 64, evidence: exact, ours: sm.per_chip@own}
notes: ["{workloads} workloads, {workloads} in all"]
Y
}
ours() { "$binary" validate ./asked.yaml "$@" --format csv 2>asked.err | sed -n '2s/^time,,2,\([^,]*\),.*/\1/p'; }
figures largest
gemm=$(ours -w gemm) bfs=$(ours -w bfs) slow=$(ours -w gemm -s memory.bandwidth=10GB/s)
ok "a workload's value" awk -v a="$gemm" -v b="$bfs" -v s="$slow" 'BEGIN { exit !(a > 0 && b > 0 && a != b && s > a) }'
for mean in "largest a>b?a:b" "smallest a<b?a:b" "arithmetic (a+b)/2" "geometric sqrt(a*b)" \
    "harmonic 2/(1/a+1/b)" "inverse 2/(a+b)"; do
    figures "${mean%% *}"
    ok "the mean ${mean%% *}" awk -v a="$gemm" -v b="$bfs" -v m="$(ours -w gemm -w bfs)" \
        "BEGIN { w = (${mean#* }); d = m / w - 1; exit !(d < 1e-12 && -d < 1e-12) }"
done
ok "notes of each workload" grep -qE "^bandscape: bfs: [0-9]+\.[0-9] ns with 2 MiB$" asked.err
ok "and of all" grep -q "2 workloads, 2 in all" asked.err
ok "the user's machine" sh -c '"$1" validate ./asked.yaml -w gemm -s sm.per_chip=32 --format csv 2>err | grep -q "^SMs,,64,32,,-0.5,0,no,"' - "$binary"
ok "what is not judged has no word" sh -c '"$1" validate ./asked.yaml -w gemm --format csv 2>err | grep -q "^time,.*,,,,prediction$"' - "$binary"
fails "an option that figures do not read" "--workload has no effect on ./page.yaml" "$binary" validate ./page.yaml -w gemm
sed 's/link_knee/link_kne/' page.yaml >wrong.yaml
fails "a wrong name has its place" "wrong.yaml:17:11: error: there is no metric" "$binary" validate ./wrong.yaml
fails "and a suggestion" 'did you mean "link_knee"?' "$binary" validate ./wrong.yaml
fails "a file that is not there" "cannot open" "$binary" validate none/x.yaml
printf 'machine: m\nbase: sac\n' >machine.yaml
fails "a file of something else" 'published figures: unknown key "base"' "$binary" validate ./machine.yaml
ok "figures are no machines" sh -c '! "$1" list machines | grep -q "^published "' - "$binary"

for labels in decisions choices; do
    fails "$labels: a workload without a label" "no label is published for stream" "$binary" validate $labels --workload stream -o none/x
    fails "$labels: and a suggestion" 'did you mean "gemm"?' "$binary" validate $labels --workload gemn -o none/x
done
one_system() { # gemm has labels of SAC and of DC-L1
    "$binary" validate decisions "$@" --workload gemm --input small --format csv >one.csv 2>/dev/null && sed 1d one.csv | cut -d, -f1 | sort -u | tr '\n' ' '
}
ok "labels of one system" test "$(one_system sac)" = "sac "
ok "and of another" test "$(one_system dcl1)" = "dcl1 "
ok "of all where none is named" test "$(one_system)" = "dcl1 sac "
fails "a label that a named system has not" "no label is published for gemm" "$binary" validate choices dualopt --workload gemm -o none/x
parts() { # of each figure's error: profile and formula make both, both and the rest the error
    "$binary" validate errors sac --workload gemm --input small --format csv >errors.csv 2>/dev/null &&
        awk -F, 'NR > 1 { d = $(NF - 5) - $(NF - 2) - $(NF - 1); bad = bad || !(d < 1e-9 && -d < 1e-9) } END { exit bad || NR < 3 }' errors.csv
}
ok "parts of figures' errors add up" parts
# The five organisations of ten figures, each simulated once; from the cache the same again, and what was lost anew.
kept() { ls "$BANDSCAPE_CACHE"/*.simulation | wc -l; }
ok "each machine is simulated once" test "$(kept)" = 5
lost() {
    rm "$(ls "$BANDSCAPE_CACHE"/*.simulation | head -1)" && cksum "$BANDSCAPE_CACHE"/*.simulation >before || return 1
    "$binary" validate errors sac --workload gemm --input small --format csv 2>/dev/null | cmp - errors.csv || return 1
    [ "$(kept)" = 5 ] && cksum $(cut -d' ' -f3 before) | cmp - before
}
beginnings() {
    "$binary" validate errors sac --workload gemm --input small --requests 3000 --format csv >cut.csv 2>/dev/null && sed 1d cut.csv | grep -v ',0$' | cmp - /dev/null &&
        sed 1d errors.csv | grep -v ',1$' | cmp - /dev/null && [ "$(kept)" = 10 ]
}
fails "--requests where nothing is simulated" "--requests has no effect on nuba" "$binary" validate nuba --requests 3 -o none/x
ok "a run that was interrupted goes on, and says the same" lost
ok "the beginnings of runs alone" beginnings
# Figures by a part of their names; DC-L1's and DualOpt's designs have parts, too.
by_name() { # bytes on links are messages, which both count alike
    "$binary" validate errors dualopt dcl1 --all --input small --workload nn --workload matrixmul --figure "bytes over the fabric" \
        --figure "replicas of the baseline" --figure "Pr40, other" --format csv >named.csv 2>/dev/null || return 1
    [ "$(cut -d, -f1 named.csv | tr '\n' ' ')" = "system dualopt dualopt dcl1 " ] || return 1
    awk -F, 'NR > 1 { bad = bad || $(NF - 1) == "" } $1 == "dualopt" { bad = bad || !($(NF - 2) < .01 && -$(NF - 2) < .01) } END { exit bad }' named.csv
}
ok "figures by a part of their names" by_name
unjudged() { # an aim of which a figure is left out
    "$binary" validate predictions mcm --input small --figure "a link" --format csv 2>/dev/null | grep -cE ',(yes|no),' >judged
    [ "$(cat judged)" = 1 ]
}
if $thorough; then ok "an aim that lacks figures is not judged" unjudged; else skip "aims that lack figures" "with the release build"; fi
fails "a figure that there is not" 'no predicted figure has "nothing"' "$binary" validate errors mcm --input small --figure nothing -o none/x
fails "--figure where no figure is" "--figure has no effect on nuba" "$binary" validate nuba --figure x -o none/x
fails "a workload without a figure" "no figure over workloads is published for stream" "$binary" validate errors sac --workload stream -o none/x
fails "an unknown validation" 'did you mean "profiler"?' "$binary" validate profilers -o none/x
fails "twice the same" "given twice" "$binary" validate profiler profiler -o none/x
fails "an unknown workload" 'did you mean "gemm"?' validate --workload gem -o none/x
fails "an unknown input" 'did you mean "small"?' validate --input smal -o none/x
fails "an unknown machine" "sac" "$binary" validate --machine sacc -o none/x
fails "a wrong setting" "did you mean" validate --set llc.capcity=1MiB -o none/x
fails "an unknown format" "known: table, csv, json" validate --format yaml -o none/x
ok "nothing was written" test ! -e none
several() { "$binary" validate nuba dcl1 --format csv >several.csv && [ "$(sort -u -t, -k1,1 several.csv | cut -d, -f1 | tr '\n' ' ')" = "dcl1 nuba validation " ]; }
ok "systems in one CSV have their names" several
fails "others have not" "published figures" "$binary" validate nuba profiler --format csv
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files: a full disk loses nothing and is told, what is read back is checked, a result appears
# whole, nobody else's files are touched.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

# What exits with 1, says the words on one error, and prints nothing that it should not.
stops() { # name words command...
    name=$1 words=$2
    shift 2
    "$@" >out 2>err
    status=$?
    good=0
    [ $status = 1 ] || { good=1; echo "# exit status $status" >>err; }
    grep -qF -- "$words" err || { good=1; echo "# does not say: $words" >>err; }
    [ "$(grep -c 'error: ' err)" = 1 ] || good=1
    grep -q Success err && good=1
    cp err said
    report $good "$name"
}

cat >space.yaml <<'Y'
space: files
machine: sac
workloads: ["gemm:ni=64,nj=64,nk=32"]
models: [eab]
axes:
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, scale: log2, points: 40}
  llc.capacity: {values: [64, 128, 256, 512, 1024], unit: KiB}
let: {size: "total.llc_capacity"}
where: ["size >= 256 KiB"]
objectives: [{maximise: effective_bandwidth}, {minimise: size}]
Y
sed 's/size >= 256 KiB/size >= 256 GiB/' space.yaml >none.yaml
sed 's/space: files/space: other/' space.yaml >other.yaml
sweep() { "$binary" sweep "$@"; }

# --- the standard output ------------------------------------------------------------------
if [ -e /dev/full ]; then
    full() { "$binary" "$@" >/dev/full; }
    for words in --version --help help "list models" "list parameters" "list --help" "sweep --help" \
        "whatif -m sac -w gemm:input=small" "whatif -m sac -w gemm:input=small --format csv" \
        "whatif -m sac -w gemm:input=small --format json" "pareto --help"; do
        # shellcheck disable=SC2086
        stops "$words on a full disk" "cannot write the standard output: No space left on device" full $words
    done
else
    skip "the standard output on a full disk" "no /dev/full"
fi
closed() { "$binary" "$@" >&-; }
stops "a closed standard output" "cannot write the standard output: Bad file descriptor" closed --version

# --- the cache ---------------------------------------------------------------------------------
whatif() { "$binary" whatif -m sac -w gemm:ni=64,nj=64,nk=32 --format json; }
rm -rf cache
whatif >answer.json 2>said
entry=$(ls cache/*.profile.yaml)
[ "$(echo "$entry" | wc -l)" = 1 ] || entry=/nowhere
entry=$scratch/$entry
cp "$entry" entry
bytes=$(wc -c <entry)
anew() { # of a damaged entry: the answer, one remark, and the entry itself
    whatif >again.json 2>said && cmp answer.json again.json &&
        [ "$(cat said)" = "bandscape: $entry is damaged (its checksum does not fit): it is made anew" ] && cmp "$entry" entry
}
for cut in 0 1 $((bytes / 4)) $((bytes / 2)) $((bytes - 100)) $((bytes - 1)); do
    head -c "$cut" entry >"$entry"
    ok "an entry cut to $cut bytes is made anew" anew
done
{ cat entry; echo; } >"$entry"
ok "one that is longer, too" anew
sed 's/launches: 1/launches: 7/' entry >"$entry"
ok "and one with another number" anew
chmod 0 "$entry"
if [ -r "$entry" ]; then # root reads it all the same
    skip "an entry that cannot be read" "everything can be read"
else
    ok "an entry that cannot be read is made anew" sh -c '"$1" whatif -m sac -w gemm:ni=64,nj=64,nk=32 --format json 2>said | cmp answer.json - && grep -q "Permission denied: it is made anew" said' - "$binary"
fi
chmod 644 "$entry"

# --- stored profiles ---------------------------------------------------------------------------
"$binary" profile gemm:ni=64,nj=64,nk=32 -m sac -o stored.yaml >/dev/null 2>said
stored() { "$binary" whatif -m sac -w "$1" --format csv; }
stored stored.yaml >stored.csv 2>said
for part in 3 2; do
    head -c $(($(wc -c <stored.yaml) / part)) stored.yaml >cut.yaml
    fails "a stored profile that was cut" "cut.yaml was cut: its end is missing" stored cut.yaml
done
sed '/^    records:/q' stored.yaml >cut.yaml # what is left is good YAML
fails "between two lines, too" "cut.yaml was cut: its end is missing" stored cut.yaml
sed '1d; /^\.\.\.$/,$d' stored.yaml >hand.yaml
ok "without marks it is as if made by hand" sh -c '"$1" whatif -m sac -w hand.yaml --format csv 2>said | cmp - stored.csv && [ ! -s said ]' - "$binary"
sed 's/^source: .*/source: mine/' stored.yaml >edited.yaml
ok "an edited one is read, with a remark" sh -c '"$1" whatif -m sac -w edited.yaml --format csv 2>said >out.csv && grep -qx "bandscape: edited.yaml was changed since it was written" said' - "$binary"

# --- traces in the text form -------------------------------------------------------------------
"$binary" trace convert gemm:ni=64,nj=64,nk=8 whole.btrace >/dev/null 2>said
info() { "$binary" trace info "$1" --format csv | sed 's/^[^,]*,//'; }
info whole.btrace >whole.csv
lines=$(wc -l <whole.btrace) kept=0
for cut in 2 3 $((lines / 2)) $((lines - 2)) $((lines - 1)); do
    head -n "$cut" whole.btrace >cut.btrace
    "$binary" trace info cut.btrace >out 2>err && kept=$((kept + 1))
    grep -q 'error: cut.btrace was cut: its last line is not "# end"$' err || kept=$((kept + 1))
done
ok "a text trace that was cut between two lines is refused" test $kept = 0
head -c $(($(wc -c <whole.btrace) - 40)) whole.btrace >cut.btrace
fails "or inside of one" "cut.btrace was cut" "$binary" trace info cut.btrace
sed '1s/ #.*//; $d' whole.btrace >hand.btrace
info hand.btrace >hand.csv
ok "by hand it needs no last line" sh -c 'cmp hand.csv whole.csv && [ "$(wc -l <whole.csv)" -gt 1 ]'

# --- results ------------------------------------------------------------------------------------
same() { # the folders have the same files; run.yaml has the time in it
    [ "$(ls -A "$1")" = "$(ls -A "$2")" ] || return 1
    for file in "$1"/*; do
        [ "${file##*/}" = run.yaml ] || cmp -s "$file" "$2/${file##*/}" || return 1
    done
}
sweep space.yaml -o old --top 5 --no-plots >/dev/null 2>&1
sweep space.yaml -o new --all --plot svg >/dev/null 2>&1
sweep space.yaml -o bare --all --no-plots >/dev/null 2>&1
ok "a result has its files and no others" test "$(ls -A new | tr '\n' ' ')" = "asked-space.yaml limits.csv manifest.yaml marginals.csv pareto.csv pareto.picture.yaml pareto.svg points.csv ranking.csv run.yaml sample.csv "
cp -r old first && sweep space.yaml -o first --all --plot svg >/dev/null 2>&1
ok "in the place of an earlier one" same first new
sweep space.yaml -o first --top 5 --no-plots >/dev/null 2>&1
ok "whose files leave, too" same first old
# A result says what it is of when that is gone: the space, machines of one's own and what they start
# from, and values of axes to their last digit.
mkdir asked && cd asked || exit 1
sed -n '/^point/,$p' "$top/tests/data/hand.profile.yaml" | sed '1i profile: hand' >hand.yaml
printf 'machine: below\nbase: sac\n# mine\n\nchips: 2\n' >below.yaml
printf 'machine: mine\nbase: below.yaml\nllc: {capacity: 3 MiB}\n' >mine.yaml
cat >space.yaml <<'Y'
space: asked
machine: mine.yaml
workloads: [hand.yaml]
models: [bottleneck]
axes: {inter.link_bandwidth: {from: 48.12345 GB/s, to: 768.98765 GB/s, scale: log2, points: 3}}
rank: {by: effective_bandwidth}
Y
"$binary" sweep space.yaml -o was --no-plots >/dev/null 2>&1
mkdir later && cp hand.yaml later && cp was/asked-space.yaml later/space.yaml
text() { sed -n "/^- file: $1/,/^- file/{s/^    //p;/^\$/p}" was/asked-machines.yaml; }
text mine.yaml >later/mine.yaml && text below.yaml >later/below.yaml
ok "texts are as they were" sh -c 'cmp space.yaml later/space.yaml && cmp mine.yaml later/mine.yaml && cmp below.yaml later/below.yaml'
rm mine.yaml below.yaml
again() (cd later && "$binary" sweep space.yaml -o was --no-plots >/dev/null 2>&1 && cmp was/manifest.yaml ../was/manifest.yaml)
ok "and give the same result" again
# base, machine and workloads are beside the file that names them, wherever one stands.
above() { mkdir ../above && (cd ../above && echo "profile: another" >hand.yaml && "$binary" sweep ../asked/later/space.yaml -o r --no-plots >/dev/null 2>&1 && cmp r/ranking.csv ../asked/was/ranking.csv); }
ok "and from another folder" above
ok "values of axes have all digits" grep -qF 'values: [48.12345 GB/s, 192.37031664316743 GB/s, 768.98765 GB/s]' was/manifest.yaml
shipped() { sed 's/mine.yaml/sac/' was/asked-space.yaml >sac.yaml && "$binary" sweep sac.yaml -o sac --no-plots >/dev/null 2>&1 && [ -e sac/asked-space.yaml ] && [ ! -e sac/asked-machines.yaml ]; }
ok "shipped machines are no texts" shipped
cd ..

# A limit of files' sizes, which may end a program by a signal: old or new, and an error.
limits=0 wholes=0 mixed=0
for limit in 1 2 4 6 8 12 16 24 32 48 64 96 128; do
    rm -rf used && cp -r old used
    (ulimit -f $limit && sweep space.yaml -o used --all --no-plots) >out 2>said
    case $? in
    0) same used bare && wholes=$((wholes + 1)) || mixed=$((mixed + 1)) ;;
    1) same used old && cmp -s used/run.yaml old/run.yaml && [ "$(grep -c 'File too large$' said)" = 1 ] && limits=$((limits + 1)) || mixed=$((mixed + 1)) ;;
    *) mixed=$((mixed + 1)) ;;
    esac
done
ok "a file that grows too large leaves the old result ($limits times, $wholes were large enough)" test $mixed = 0 -a $limits -gt 3 -a $wholes -gt 0
# "$binary" with a limit, alone in its shell
limited() { (ulimit -f 4 && "$binary" "$@"); }
stops "no whole picture, no picture" "File too large" limited plot old/ranking.csv --x llc.capacity --y effective_bandwidth --term png -o large.png
ok "nor a part of it" test ! -e large.png
rm -rf cache
(ulimit -f 4 && whatif 2>said) | cat >again.json
ok "without a cache the answer stands" cmp answer.json again.json
ok "and a remark says why" grep -q "^bandscape: views are not kept in the cache: cannot write $entry: File too large$" said
ok "nothing is left there" test -z "$(ls -A cache)"
stops "the views of a space are not said to be there" "the view cannot be kept: cannot write $scratch/cache/" limited profile --space space.yaml
ok "with no other word" sh -c '! grep -q "all views" said'
ok "and nothing is left there" test -z "$(ls -A cache)"
stops "a trace that is too large" "big.bstream: File too large" limited trace convert gemm:input=small big.bstream
stops "in the text form, too" "big.btrace: File too large" limited trace convert gemm:input=small big.btrace
ok "neither is there" test -z "$(ls -A | grep -e 'big' -e partial)"

# A small disk, where one may be had.
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=400k none disk 2>/dev/null; then
    trap 'umount "$scratch/disk"; rm -rf "$scratch"' EXIT
    cp -r old disk/result
    dd if=/dev/zero of=disk/filler bs=1024 count=1000 2>/dev/null
    stops "a sweep on a full disk" "No space left on device" sweep space.yaml -o disk/result --all --no-plots
    ok "leaves what was there" same disk/result old
    rm disk/filler && dd if=/dev/zero of=disk/filler bs=1024 count=330 2>/dev/null
    stops "on a nearly full one" "No space left on device" sweep space.yaml -o disk/result --all --no-plots
    ok "too" same disk/result old
    dd if=/dev/zero of=disk/filler bs=1024 count=1000 2>/dev/null
    stops "a picture on a full disk" "cannot write disk/p.png: No space left on device" "$binary" plot \
        old/ranking.csv --x llc.capacity --y effective_bandwidth --term png -o disk/p.png
    mkdir -p disk/cache
    there() { BANDSCAPE_CACHE=$scratch/disk/cache "$binary" profile --space space.yaml; }
    stops "a cache on a full disk" "the view cannot be kept: " there
    ok "nothing is left there" test -z "$(ls -A disk/cache)"
    ok "whatif answers without it" sh -c 'BANDSCAPE_CACHE=$PWD/disk/cache "$1" whatif -m sac -w gemm:ni=64,nj=64,nk=32 --format json 2>said | cmp answer.json - && grep -q "views are not kept in the cache: .*No space left" said' - "$binary"
else
    skip "a full disk" "none can be mounted"
fi

# --- whose files --------------------------------------------------------------------------------
for file in sample.csv manifest.yaml run.yaml pareto.svg points.csv; do
    rm -rf foreign && mkdir foreign && echo mine >foreign/$file
    fails "somebody else's $file" "foreign/$file is no file of an earlier sweep" sweep space.yaml -o foreign --all --force
    ok "stays alone" test "$(ls -A foreign) $(cat "foreign/$file")" = "$file mine"
done
mv foreign/points.csv foreign/notes.csv
ok "files of other names may lie beside" sweep space.yaml -o foreign --no-plots
ok "and stay" test "$(cat foreign/notes.csv)" = mine
echo mine >foreign/pareto.svg
fails "one that came later" "foreign/pareto.svg is no file of" sweep space.yaml -o foreign --plot svg
ok "unless nothing of that name is written" sweep space.yaml -o foreign --no-plots
fails "another space's result" "foreign holds the result of space files" sweep other.yaml -o foreign --no-plots
ok "is replaced by force" sweep other.yaml -o foreign --no-plots --force
ok "and nothing else" test "$(cat foreign/notes.csv foreign/pareto.svg | tr '\n' ' ')" = "mine mine "

# --- what is read back --------------------------------------------------------------------------
plot() { "$binary" plot "$1" --term dumb; }
ok "a result is plotted" plot new
cp -r new damaged
head -c 2000 new/sample.csv >damaged/sample.csv
fails "one with a cut file is not" "damaged/sample.csv is not as the sweep wrote it" plot damaged
fails "nor one with a lost file" "ranking.csv" sh -c 'rm damaged/ranking.csv && cp new/sample.csv damaged && "$1" plot damaged --term dumb' - "$binary"
cp new/ranking.csv damaged
sed '/^objectives/,$d' new/manifest.yaml >damaged/manifest.yaml
fails "nor one with a cut manifest" "damaged/manifest.yaml is damaged" plot damaged
ok "but it can be swept again" sh -c '"$1" sweep space.yaml -o damaged --all --plot svg 2>said >out && grep -q "manifest.yaml is damaged: it is made anew" said' - "$binary"
ok "and is whole" same damaged new
sed -i '$s/$/7/' damaged/ranking.csv
ok "pareto says the same" sh -c '"$1" pareto damaged/ranking.csv --maximise effective_bandwidth 2>&1 >out | grep -q "^bandscape: damaged/ranking.csv is not as the sweep wrote it$"' - "$binary"
ok "a file that was edited is plotted by its name, with a remark" sh -c '"$1" plot damaged/ranking.csv --x llc.capacity --y effective_bandwidth --term dumb 2>said >out && grep -q "damaged/ranking.csv is not as the sweep wrote it" said' - "$binary"
sed -e '1c # What determines this result. Values in the CSV files are in these units.' -e '/^# sealed/d' -e '/^files:/,$d' new/manifest.yaml >damaged/manifest.yaml
ok "results of earlier versions are plotted" plot damaged
ok "and replaced" sh -c '"$1" sweep space.yaml -o damaged --no-plots --top 5 2>err >out && test ! -e damaged/points.csv' - "$binary"

# --- killed programs ----------------------------------------------------------------------------
mkdir killed
"$binary" trace convert gemm killed/t.btrace >/dev/null 2>&1 &
writer=$! waited=0
while [ -z "$(ls -A killed)" ] && [ $waited -lt 200 ]; do sleep 0.05; waited=$((waited + 1)); done
left=$(ls -A killed)
kill -9 $writer
wait $writer 2>/dev/null
ok "a killed program leaves its temporary file" test -n "$left" -a "$(ls -A killed)" = "$left"
sleep 100 &
alive=$!
echo x >"killed/.bandscape-$alive-0.partial"
echo x >killed/.bandscape-notes.partial
ok "the next one takes it away" "$binary" trace convert gemm:input=small killed/t.btrace
ok "and nobody else's" test "$(ls -A killed | tr '\n' ' ')" = ".bandscape-$alive-0.partial .bandscape-notes.partial t.btrace "
kill $alive

# --- one point ---
sed 's/points: 40}/points: 2}/; s/\[64, 128, 256, 512, 1024\]/[512]/; s/from: 16 GB/from: 256 GB/; s/^where.*/where: ["inter.link_bandwidth >= 512 GB\/s"]/' space.yaml | sed 's/{from: 256.*}/[512 GB\/s]/' >one.yaml
ok "one is not several" sh -c '"$1" sweep one.yaml -o one --no-plots >out 2>said && grep -q "^files: 1 point, 1 kept" out && ! grep -q "1 points" out said' - "$binary"

# --- no point -----------------------------------------------------------------------------------
stops "a sweep without a point fails" "none of 200 points is left" sweep none.yaml -o empty --no-plots
ok "with the reasons" grep -qx "hint: excluded 200: where: size >= 256 GiB" said
ok "which its files have, too" grep -q "points: 200}" empty/manifest.yaml
ok "and no rows" test "$(wc -l <empty/ranking.csv)" = 1
finish

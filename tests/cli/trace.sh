#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape trace: info in its formats, conversion, and what is refused.
set -u
bandscape=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export BANDSCAPE_CACHE="$folder/cache"
number=0
check() { # name command...: ok when the command succeeds
    number=$((number + 1))
    name=$1
    shift
    if "$@" >log 2>&1; then echo "ok $number - $name"; else echo "not ok $number - $name"; sed 's/^/# /' log; fi
}
refuses() { # words command...: ok when it exits with 2 and says the words
    words=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status -eq 2 ] && [ ! -s out ] && grep -q "$words" err || { cat out err; echo "status $status"; false; }
}
says() { # words command...
    words=$1
    shift
    "$@" >out 2>err && grep -q "$words" out || { cat out err; false; }
}

cat >a.btrace <<'END'
bandscape-trace 1
allocation x 0x1000 4096
kernel first grid=2 block=32 dropped-local=7 dropped-bulk=2
r 0x1000 4 stride=4 insts=3
w 0x1000 4 stride=4 cta=1
kernel second
a 0x9000 8
END

check "info prints a table" says '^1 first ' "$bandscape" trace info a.btrace
check "the table has allocations" says '^x  *0x1000  *4096  *32  *32  *0' "$bandscape" trace info a.btrace
"$bandscape" trace info a.btrace 2>err >out
check "dropped accesses are a warning" grep -q '7 accesses to local memory are left out' err
check "so are bulk copies" grep -q '2 bulk (TMA) copies' err
check "info prints csv" says '^a,1,first,2,1,1,32,1,1,0,2,2,3,2,32,32,0,256,2,8,1,1,2,7,2,0,2,2,0,0$' \
    "$bandscape" trace info --format csv a.btrace
check "unknown instructions are an empty cell" says '^a,2,second,1,1,1,32,1,1,0,1,1,,1,0,0,1,8,1,1,1,0,1,0,0,0,1,0,0,0$' \
    "$bandscape" trace info --format csv a.btrace
check "info prints json" says '"distinct_lines": 2' "$bandscape" trace info --format json a.btrace
check "with the warnings" says 'left out' "$bandscape" trace info --format json a.btrace
check "several files" says '"name": "b"' sh -c 'cp a.btrace b.btrace && "$0" trace info --format json a.btrace b.btrace' "$bandscape"
check "another line size" says '"line_bytes": 64' "$bandscape" trace info --line 64 --format json a.btrace
check "a workload" says '^gemm: workload' "$bandscape" trace info gemm:input=small

check "convert writes a file" "$bandscape" trace convert a.btrace -o c.btrace
check "convert to the standard output" sh -c '"$0" trace convert a.btrace -o - >d.btrace && cmp c.btrace d.btrace' "$bandscape"
check "the text form is stable" sh -c '"$0" trace convert c.btrace -o - | cmp - c.btrace' "$bandscape"
check "an older result is replaced" "$bandscape" trace convert a.btrace -o c.btrace
check "the default name" sh -c '"$0" trace convert gemm:input=small && test -s gemm.btrace' "$bandscape"
check "convert to the binary form" "$bandscape" trace convert a.btrace -o a.bstream
check "and back" sh -c '"$0" trace convert a.bstream -o - | cmp - c.btrace' "$bandscape"
check "over an older result" sh -c '"$0" trace convert c.btrace -o b.bstream && "$0" trace convert b.bstream -o b.bstream.copy && mv b.bstream.copy x.bstream && "$0" trace convert a.bstream -o x.bstream' "$bandscape"
check "the same with xz" sh -c 'xz -k a.bstream && "$0" trace convert a.bstream.xz -o - | cmp - c.btrace' "$bandscape"
# gzip and zstd, where the program has them and there is something to make such files with.
packed() { # program ending: one file, one of two parts, cut ones, one that is something else
    program=$1 ending=$2
    lines=$(wc -l <c.btrace)
    head -n $((lines / 2)) c.btrace >half && tail -n +$((lines / 2 + 1)) c.btrace >rest || return 1
    "$program" -c a.bstream >"a.bstream.$ending" && "$program" -c half >"two.btrace.$ending" &&
        "$program" -c rest >>"two.btrace.$ending" && cp a.bstream "plain.bstream.$ending" || return 1
    "$bandscape" trace convert "a.bstream.$ending" -o - | cmp - c.btrace || return 1
    "$bandscape" trace convert "two.btrace.$ending" -o - | cmp - c.btrace || return 1
    bytes=$(wc -c <"a.bstream.$ending")
    for cut in 0 5 $((bytes / 2)) $((bytes - 1)); do
        head -c "$cut" "a.bstream.$ending" >"cut.bstream.$ending"
        refuses 'the compressed file ends early' "$bandscape" trace info "cut.bstream.$ending" || return 1
    done
    refuses "this is no $program file" "$bandscape" trace info "plain.bstream.$ending"
}
for kind in gzip:gz zstd:zst; do
    if ! "${kind%:*}" --version >log 2>&1; then
        number=$((number + 1))
        echo "ok $number - the same with ${kind%:*} # SKIP ${kind%:*} is not installed"
        continue
    fi
    "${kind%:*}" -c a.bstream >"probe.bstream.${kind#*:}"
    if "$bandscape" trace info "probe.bstream.${kind#*:}" 2>&1 | grep -q 'was built without'; then
        check "without ${kind%:*} it says what to do" refuses "decompress it: ${kind%:*} -d" "$bandscape" trace info "probe.bstream.${kind#*:}"
    else
        check "the same with ${kind%:*}" packed "${kind%:*}" "${kind#*:}"
        if [ "$kind" = zstd:zst ]; then
            check "a window of 2 GiB" refuses 'more than 1 GiB' sh -c 'printf "\050\265\057\375\000\250\001\000\000" >wide.btrace.zst; "$0" trace info wide.btrace.zst' "$bandscape"
            check "a block that is damaged" refuses 'the compressed file is corrupt' sh -c 'printf "\050\265\057\375\000\010\377\377\377\377" >torn.btrace.zst; "$0" trace info torn.btrace.zst' "$bandscape"
        fi
    fi
done
check "gzip that its name does not say" refuses 'call it squeezed.gz' sh -c 'printf "\037\213\010rest" >squeezed; "$0" trace info squeezed' "$bandscape"
check "a report of Nsight Compute" refuses 'ncu --import x.ncu-rep --page raw --csv' sh -c 'echo NVR >x.ncu-rep; "$0" whatif -m sac -w x.ncu-rep' "$bandscape"
check "profile says it, too" refuses 'ncu --import x.ncu-rep --page raw --csv' "$bandscape" profile x.ncu-rep -m a100 -o x.yaml
check "an archive" refuses 'y.tar.xz is an archive' sh -c 'echo a | xz >y.tar.xz; "$0" trace info y.tar.xz' "$bandscape"
check "Accel-Sim 2 by name alone" refuses "no trace of Accel-Sim 2\|was built without zstd" sh -c 'echo x >k.tracez; "$0" trace info k.tracez' "$bandscape"
check "MacSim" refuses 'is a trace of MacSim' sh -c 'echo x >kernel_config.txt; "$0" trace info kernel_config.txt' "$bandscape"
check "microgpusim" refuses 'is a trace of GPUcachesim' sh -c 'echo x >kernel-0.msgpack; "$0" trace info kernel-0.msgpack' "$bandscape"
mkdir -p app/traces none
{
    printf -- '-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 4\n'
    printf -- '-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n#traces\n#BEGIN_TB\n'
    printf 'thread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4\n#END_TB\n'
} >app/traces/kernel-1.traceg
echo kernel-1.traceg >app/traces/kernelslist.g
check "a folder of traces" sh -c '"$0" trace info app --format csv >by.csv && "$0" trace info app/traces/ --format csv | cmp - by.csv && "$0" trace info app/traces/kernelslist.g --format csv | cmp - by.csv && [ "$(wc -l <by.csv)" -gt 1 ]' "$bandscape"
check "as a workload" says '^' "$bandscape" whatif -m sac -w ./app
check "a folder of something else" refuses 'none is a folder without kernelslist.g' "$bandscape" trace info none

check "convert does not compress" refuses 'does not compress' "$bandscape" trace convert a.btrace -o d.bstream.xz
check "with gzip neither" refuses 'write d.bstream and run gzip on it' "$bandscape" trace convert a.btrace -o d.bstream.gz
head -c 100 a.bstream >cut.bstream
check "a trace that is cut off" refuses 'byte 100: the trace is cut off' "$bandscape" trace info cut.bstream
cp a.btrace kept
check "the input is not overwritten" refuses 'is the input' "$bandscape" trace convert a.btrace -o ./a.btrace
check "and is as it was" cmp a.btrace kept
echo data >other
check "nor is another file" refuses 'is no trace in the text form' "$bandscape" trace convert a.btrace -o other
check "which is as it was" grep -qx data other
printf 'bandscape-trace 1\nr 1 1\nkernel k\nr 2 x\n' >wrong.btrace
check "a wrong trace" refuses 'wrong.btrace:4:5: error: expected the bytes' "$bandscape" trace convert wrong.btrace -o wrong.out
check "leaves no file" sh -c 'test ! -e wrong.out && test -z "$(ls -A | grep partial)"'
check "info of it prints nothing" refuses 'wrong.btrace:4:5' "$bandscape" trace info a.btrace wrong.btrace

check "no action" refuses 'info, convert or flags' "$bandscape" trace
check "a misspelt action" refuses 'did you mean "bandscape trace convert"' "$bandscape" trace covnert a.btrace
check "no file" refuses 'needs a FILE' "$bandscape" trace info
check "a file that is not there" refuses 'none.traceg' "$bandscape" trace info ./none.traceg
check "an unknown format of file" refuses 'known formats: accelsim' "$bandscape" trace info other
check "a wrong line size" refuses 'power of two' "$bandscape" trace info --line 100 a.btrace
check "an unknown output format" refuses 'known: table, json, csv' "$bandscape" trace info --format xml a.btrace
check "convert IN OUT" sh -c '"$0" trace convert a.btrace positional.bstream && cmp positional.bstream a.bstream' "$bandscape"
check "OUTPUT may be -" sh -c '"$0" trace convert gemm:input=small -o - >g1 && "$0" trace convert gemm:input=small - >g2 && cmp g1 g2' "$bandscape"
check "two files to convert" refuses 'c.btrace exists' "$bandscape" trace convert a.btrace c.btrace
check "three files to convert" refuses 'takes one FILE' "$bandscape" trace convert a.btrace b.btrace c.btrace
check "two places to write" refuses 'takes one FILE' "$bandscape" trace convert a.btrace new.btrace -o other.btrace
check "a name of another format" refuses 'kind "accelsim", which is only read' "$bandscape" trace convert a.btrace a.traceg
check "is not written" test ! -e a.traceg
check "help" says 'bandscape trace convert' "$bandscape" trace --help

# --- traces that lack thread blocks: a warning wherever they are used, an error with --strict
printf 'bandscape-trace 1\nkernel half grid=4 block=32\nr 0x1000 4 cta=0\nr 0x2000 4 cta=3\n' >half.btrace
printf 'space: tiny\nmachine: sac\nworkloads: [./half.btrace]\naxes: {inter.link_bandwidth: [96 GB/s, 192 GB/s]}\n' >tiny.yaml
lacks='half: .*kernel 1, half: the trace has 2 of 4 thread blocks; the others made no access, or are missing'
warns() { # command...: succeeds, with the warning on stderr
    "$@" >out 2>err && grep -q "$lacks" err || { cat out err; false; }
}
lists() { # command...: succeeds, with the warning on stdout
    "$@" >out 2>err && grep -q '2 of 4 thread blocks' out || { cat out err; false; }
}
check "info warns of missing thread blocks" warns "$bandscape" trace info half.btrace
check "in JSON too" lists "$bandscape" trace info half.btrace --format json
check "so does convert" warns "$bandscape" trace convert half.btrace half.bstream
check "which keeps what is missing" warns sh -c '"$0" trace info half.bstream' "$bandscape"
check "so does profile" warns "$bandscape" profile half.btrace --machine sac -o half.yaml
check "from the cache as well" warns "$bandscape" profile half.btrace --machine sac -o half.yaml
check "the profile says it" grep -q '^  - "kernel 1, half: the trace has 2 of 4' half.yaml
check "in JSON too" lists "$bandscape" profile show half.yaml --format json
check "and when it is shown" warns "$bandscape" profile show half.yaml
check "so does profile --space" sh -c '"$0" profile --space tiny.yaml 2>&1 | grep -q "2 of 4 thread blocks"' "$bandscape"
check "so does whatif" warns "$bandscape" whatif --machine sac --workload half.btrace
check "in JSON too" lists "$bandscape" whatif --machine sac --workload half.btrace --format json
check "so does simulate" warns "$bandscape" simulate --machine sac --workload half.btrace
check "so does sweep" lists "$bandscape" sweep tiny.yaml --no-plots -o swept
check "in its manifest" grep -q 'warning: "half: kernel 1, half: the trace has 2 of 4 .*points: 2}' swept/manifest.yaml
check "so does validate" lists "$bandscape" validate profiler --workload half.btrace
check "a stored profile without its trace" sh -c 'mkdir alone && cp half.yaml alone && cd alone && "$0" whatif --machine sac --workload half.yaml 2>&1 >/dev/null | grep -q "2 of 4 thread blocks"' "$bandscape"
strict='half: kernel 1, half: the trace has 2 of 4 thread blocks'
check "info --strict" refuses "$strict" "$bandscape" trace info half.btrace --strict
check "convert --strict" refuses "$strict" "$bandscape" trace convert half.btrace strict.bstream --strict
check "writes nothing" test ! -e strict.bstream
check "profile --strict" refuses "$strict" "$bandscape" profile half.btrace --machine sac -o strict.yaml --strict
check "writes nothing" test ! -e strict.yaml
check "profile --space --strict" refuses "$strict" "$bandscape" profile --space tiny.yaml --strict
check "whatif --strict" refuses "$strict" "$bandscape" whatif --machine sac --workload half.btrace --strict
check "of a stored profile" refuses "$strict" "$bandscape" whatif --machine sac --workload half.yaml --strict
check "simulate --strict" refuses "$strict" "$bandscape" simulate --machine sac --workload half.btrace --strict
check "sweep --strict" refuses "tiny.yaml:3:13: error: $strict" "$bandscape" sweep tiny.yaml --no-plots -o strict --strict
check "writes nothing" test ! -e strict
check "validate --strict" refuses "$strict" "$bandscape" validate profiler --workload half.btrace --strict
check "a whole trace is none" says '^gemm: trace' "$bandscape" trace info gemm.btrace --strict
check "nor is a workload" says '^gemm: workload' "$bandscape" trace info gemm:input=small --strict
echo "1..$number"

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
check "info prints csv" says '^a,1,first,2,1,1,32,1,1,0,2,2,3,2,32,32,0,256,2,8,1,1,2,7,2,0,2,2$' \
    "$bandscape" trace info --format csv a.btrace
check "unknown instructions are an empty cell" says '^a,2,second,1,1,1,32,1,1,0,1,1,,1,0,0,1,8,1,1,1,0,1,0,0,0,1,0$' \
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
check "convert does not compress" refuses 'does not compress' "$bandscape" trace convert a.btrace -o d.bstream.xz
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
check "leaves no file" sh -c 'test ! -e wrong.out && test -z "$(ls | grep partial)"'
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
echo "1..$number"

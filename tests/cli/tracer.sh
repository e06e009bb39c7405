#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that trace themselves: built as `bandscape trace flags` says, with
# exact counts of the loads and stores that their source shows.
set -u
. tests/cli/common.sh.inc
machine=$top/models/sac/sac.yaml
cd "$scratch" || exit 1
cp "$top/tests/data/triad.c" .

echo 'int main(void) { return 0; }' >probe.c
if ! gcc -fopenmp probe.c -o probe 2>/dev/null; then
    skip "traced programs" "gcc with OpenMP is not there"
    finish
    exit
fi

build() { # name: builds name.c, traced
    # shellcheck disable=SC2046
    gcc -O2 -g -fopenmp $("$binary" trace flags) -c "$1.c" &&
        gcc -fopenmp "$1.o" $("$binary" trace flags --link) -o "$1"
}
says() { # words command...: on stdout or stderr
    words=$1
    shift
    "$@" >log 2>&1
    cat log
    grep -qF -- "$words" log
}
# Lanes that touch an array: "reads writes atomics".
array() { # name file
    "$binary" trace info "$2" | awk -v name="$1" '$1 == name {print $(NF - 2), $(NF - 1), $NF}'
}
counts() { # name file "reads writes atomics"
    array "$1" "$2"
    [ "$(array "$1" "$2")" = "$3" ]
}
kernel_column() { # column-name kernel file
    "$binary" trace info --format csv "$3" | awk -F, -v column="$1" -v kernel="$2" '
        NR == 1 {for (i = 1; i <= NF; i++) if ($i == column) at = i}
        NR > 1 && $3 == kernel {print $at}'
}
equal() { # got want
    echo "got $1, want $2"
    [ "$1" = "$2" ]
}

ok "a program is built as the flags say" build triad
export OMP_NUM_THREADS=8
ok "it runs and says what it wrote" says "wrote triad.bstream: 2 kernels" ./triad
ok "its result is right" grep -qx "sum 400000" log
ok "a is written by the triad and read by the sum" counts a triad.bstream "100000 100000 0"
ok "b is read once" counts b triad.bstream "100000 0 0"
ok "c is read once" counts c triad.bstream "100000 0 0"
ok "a thread is a CTA" equal "$(kernel_column ctas triad triad.bstream)" 8
# 12 500 iterations a thread are 391 warps of up to 32, three accesses each.
ok "iterations are lanes" test "$(kernel_column warp_accesses triad triad.bstream)" -le $((8 * (3 * 391 + 16)))
ok "what is outside of the kernels is left out" equal "$("$binary" trace convert triad.bstream -o - | grep -c ^kernel)" 2

BANDSCAPE_TRACE_MERGE=0 BANDSCAPE_TRACE_FILE=single.bstream ./triad >log 2>&1
ok "without merging the counts are the same" counts a single.bstream "100000 100000 0"
ok "and accesses have one lane" equal "$(kernel_column warp_accesses sum single.bstream)" \
    "$(($(kernel_column reads sum single.bstream) + $(kernel_column writes sum single.bstream) + $(kernel_column atomics sum single.bstream)))"

ok "the trace is profiled" says "triad" "$binary" profile triad.bstream --machine "$machine" -o triad.profile.yaml
ok "a model predicts from the trace" says "memory-side" "$binary" whatif --machine "$machine" --workload ./triad.bstream --model eab
ok "the text form holds the same" sh -c '"$1" trace convert triad.bstream -o t.btrace && "$1" trace convert t.btrace -o t.bstream && "$1" trace convert t.bstream -o - | cmp - t.btrace' - "$binary"

export OMP_NUM_THREADS=1
BANDSCAPE_TRACE_LIMIT=5000 BANDSCAPE_TRACE_FILE=limit.bstream ./triad >log 2>&1
ok "a limit holds exactly for one thread" grep -q ' 5000 loads and stores, .* more are left out' log
ok "what is left out is counted" says "memory instructions are left out" "$binary" trace info limit.bstream
cp triad.c kept.c
ok "only traces are overwritten" says "is not overwritten" env BANDSCAPE_TRACE_FILE=triad.c ./triad
ok "other files stay" cmp triad.c kept.c
ok "a file that cannot be made is said" says "cannot create /none/x" env BANDSCAPE_TRACE_FILE=/none/x ./triad
ok "and the program runs all the same" grep -qx "sum 400000" log
ok "without the flags the header means nothing" sh -c 'gcc -O2 -Wall -Werror -Wno-unknown-pragmas -I"$1" triad.c -o plain && ./plain | grep -qx "sum 400000"' - "$top/src/tracer"

# All kinds of atomics, block copies, threads, CTAs that the program names.
cat >kinds.c <<'KINDS'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <bandscape_trace.h>
static _Atomic signed char c;
static _Atomic short s;
static _Atomic unsigned u;
static _Atomic long l, x;
static char from[4096], to[4096];
static void *run(void *cta)
{
    bandscape_trace_cta((unsigned long)cta);
    for (int i = 0; i < 1000; i++) {
        long old = atomic_load(&l);
        c++;
        s ^= 5;
        atomic_fetch_or(&u, 1u << i % 32);
        atomic_fetch_and(&u, ~0u);
        while (!atomic_compare_exchange_weak(&l, &old, old + 3))
            ;
        atomic_fetch_sub(&x, atomic_exchange(&x, 7) - 7);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[4];
    (void)argv;
    bandscape_trace_array("from", from, sizeof from);
    bandscape_trace_array("to", to, sizeof to);
    bandscape_trace_array("counter", &l, sizeof l);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, (void *)(10 + i));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    memset(from, argc, argc * 4096);
    memcpy(to, from, argc * 4096);
    memmove(to + 16, to, argc * 1024);
    atomic_thread_fence(memory_order_seq_cst);
    printf("%d %d %u %ld %d\n", c, s, u, l, to[100]);
    return 0;
}
KINDS
ok "a program with threads and atomics is built" build kinds
ok "its atomics work" says "-96 0 4294967295 12000 1" ./kinds
ok "block copies are traced in 16-byte lanes" counts from kinds.bstream "256 256 0"
# One byte of it is printed.
ok "where they overlap too" counts to kinds.bstream "65 320 0"
# Each round loads the counter once and swaps it once at least; it is printed at the end.
ok "atomics of all threads are counted" sh -c 'set -- $1; [ "$1" = 4001 ] && [ "$2" = 0 ] && [ "$3" -ge 4000 ]' - "$(array counter kinds.bstream)"
ok "a program without marks is one kernel of its name" equal "$(kernel_column ctas kinds kinds.bstream)" 14
ok "CTAs have the given numbers" equal "$("$binary" trace convert kinds.bstream -o - | awk '/^warp/ && $2 >= 10 {printf "%d ", $2}')" "10 11 12 13 "

cat >killed.c <<'KILLED'
#include <signal.h>
static int x[100000];
int main(void)
{
    for (int i = 0; i < 100000; i++)
        x[i * 7919L % 100000] += i;
    raise(SIGKILL);
}
KILLED
build killed 2>/dev/null
(./killed >log 2>&1) 2>/dev/null
fails "the trace of a killed program is refused" "the trace is cut off" "$binary" trace info killed.bstream
fails "flags takes no file" "takes no FILE" "$binary" trace flags triad.c
finish

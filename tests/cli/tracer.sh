#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that trace themselves: built with gcc and clang as `bandscape trace
# flags` says, with exact counts of the loads and stores that their source shows.
set -u
. tests/cli/common.sh.inc
machine=$top/models/sac/sac.yaml
cd "$scratch" || exit 1

# shellcheck disable=SC2046
build() { # file.c or file.cc: builds it, traced
    "$compiler" -O2 -g -fopenmp $("$binary" trace flags) -c "$1" &&
        "$compiler" -fopenmp "${1%.*}.o" $("$binary" trace flags --link) -o "${1%.*}"
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

# --- programs ---------------------------------------------------------------

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
    __asm__ volatile("" ::: "memory"); /* or clang fills both */
    memcpy(to, from, argc * 4096);
    memmove(to + 16, to, argc * 1024);
    atomic_thread_fence(memory_order_seq_cst);
    printf("%d %d %u %ld %d\n", c, s, u, l, to[100]);
    return 0;
}
KINDS
# C++: virtual functions, templates of the library, its threads.
cat >shapes.cc <<'SHAPES'
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>
#include <bandscape_trace.h>
struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    double area() const override { return side * side; }
};
int main()
{
    std::vector<double> areas(6000);
    std::vector<std::unique_ptr<shape>> shapes;
    for (int i = 0; i < 6000; i++)
        shapes.push_back(std::make_unique<square>(2));
    bandscape_trace_array("areas", areas.data(), 6000 * sizeof(double));
    bandscape_trace_kernel("areas");
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&, t] {
            for (int i = 2000 * t; i < 2000 * (t + 1); i++)
                areas[i] = shapes[i]->area();
        });
    for (auto &thread : threads)
        thread.join();
    bandscape_trace_end();
    double sum = 0;
    for (double area : areas)
        sum += area;
    std::printf("%g\n", sum);
}
SHAPES

# Children of a fork, made while other threads trace, run on untraced.
cat >forks.c <<'FORKS'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bandscape_trace.h>
static volatile int stop;
static int x[1000];
static void *run(void *unused)
{
    while (!stop)
        for (int i = 0; i < 1000; i++)
            x[i]++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    int good = 0, status;
    bandscape_trace_kernel("forks");
    pthread_create(&thread, NULL, run, NULL);
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) {
            bandscape_trace_kernel("none");
            x[i]++;
            bandscape_trace_end();
            exit(7);
        }
        waitpid(child, &status, 0);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    }
    stop = 1;
    pthread_join(thread, NULL);
    bandscape_trace_end();
    printf("%d\n", good);
    return 0;
}
FORKS

# Threads go on when the program ends, as those of a pool do.
cat >pool.c <<'POOL'
#include <pthread.h>
#include <unistd.h>
static volatile int x[4096];
static void *run(void *unused)
{
    for (unsigned i = 0;; i++)
        x[i * 37 % 4096] += i;
    return unused;
}
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, run, NULL);
    usleep(3000);
    return 0;
}
POOL

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
# --- what is checked of them ------------------------------------------------

check_triad() {
    ok "a program is built as the flags say" build triad.c
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
}

check_kinds() {
    unset OMP_NUM_THREADS
    ok "a program with threads and atomics is built" build kinds.c
    ok "its atomics work" says "-96 0 4294967295 12000 1" ./kinds
    ok "block copies are traced in 16-byte lanes" counts from kinds.bstream "256 256 0"
    # One byte of it is printed.
    ok "where they overlap too" counts to kinds.bstream "65 320 0"
    # Each round loads the counter once and swaps it once at least; it is printed at the end.
    ok "atomics of all threads are counted" sh -c 'set -- $1; [ "$1" = 4001 ] && [ "$2" = 0 ] && [ "$3" -ge 4000 ]' - "$(array counter kinds.bstream)"
    ok "a program without marks is one kernel of its name" equal "$(kernel_column ctas kinds kinds.bstream)" 14
    ok "CTAs have the given numbers" equal "$("$binary" trace convert kinds.bstream -o - | awk '/^warp/ && $2 >= 10 {printf "%d ", $2}')" "10 11 12 13 "
}

check_shapes() {
    ok "a C++ program is built" build shapes.cc
    ok "and runs" says "24000" ./shapes
    ok "what its threads write is counted" counts areas shapes.bstream "0 6000 0"
}

check_ends() {
    ok "a program that forks is built" build forks.c
    ok "its children end well" says "100" timeout 60 ./forks
    ok "and leave the trace alone" says "forks" "$binary" trace info forks.bstream
    ok "a program whose threads do not end is built" build pool.c
    times=20
    [ "${BANDSCAPE_LONG-0}" = 1 ] && times=200
    ok "its traces are complete" sh -c 'for i in $(seq $2); do timeout 60 ./pool && "$1" trace info pool.bstream || exit; done' - "$binary" $times
    ok "a program to be killed is built" build killed.c
    (./killed >log 2>&1; :) 2>/dev/null
    fails "the trace of a killed program is refused" "the trace is cut off" "$binary" trace info killed.bstream
}

# Everything with one compiler, in a folder of its own.
check_compiler() { # c-compiler c++-compiler
    compiler=$1
    if ! "$1" -fopenmp probe.c -o probe 2>/dev/null || ! ./probe; then
        skip "programs traced with $1" "$1 with OpenMP is not there"
        return
    fi
    echo "# $1"
    mkdir "$1"
    cp "$top/tests/data/triad.c" ./*.c ./*.cc "$1"
    cd "$1" || exit 1
    check_triad
    if ! $release; then
        cd ..
        return
    fi
    check_kinds
    check_ends
    compiler=$2
    echo '#include <vector>' >probe.cc
    if "$2" -c probe.cc 2>/dev/null; then
        check_shapes
    else
        skip "programs traced with $2" "$2 is not there"
    fi
    cd ..
}

echo 'int main(void) { return 0; }' >probe.c
# All builds share one tracer, which is tested beside the release build; others read its traces.
check_compiler gcc g++
if $release; then
    check_compiler clang clang++
else
    skip "further programs and compilers" "with the release build only"
fi

# --- the command ------------------------------------------------------------

fails "flags takes no file" "takes no FILE" "$binary" trace flags triad.c
fails "flags has no other option" "has one option" "$binary" trace flags --format csv
fails "--link is no option of info" "belongs to trace flags" "$binary" trace info --link gemm:input=small

# Installed, the tracer needs nothing of the checkout.
installed() {
    checkout=$binary
    binary=$scratch/prefix/bin/bandscape
    compiler=gcc
    case "$("$binary" trace flags) $("$binary" trace flags --link)" in *"$top"*) return 1 ;; esac
    cp "$top/tests/data/triad.c" installed.c
    build installed.c && ./installed && counts b installed.bstream "100000 0 0"
    status=$?
    binary=$checkout
    return $status
}
if $release; then
    make_install() { MAKEFLAGS= make -s -C "$top" "$1" PREFIX="$scratch/prefix"; }
    ok "make install" make_install install
    ok "the installed tracer works" installed
    ok "the installed program finds its data" "$scratch/prefix/bin/bandscape" list machines sac
    ok "make uninstall" make_install uninstall
    ok "leaves no file" sh -c '! find "$1" -type f | grep .' - "$scratch/prefix"
else
    skip "make install" "with the release build only"
fi
finish

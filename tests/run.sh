#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests of each build folder given and counts them.
#   run.sh [--long] BUILD...
# Every test program and script prints TAP ("ok 1 - name", "not ok", "# SKIP");
# one that dies or prints fewer results than it planned counts as failed.
set -u
cd "$(dirname "$0")/.." || exit 1
long=0
[ "${1-}" = --long ] && { long=1; shift; }
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
export BANDSCAPE_LONG=$long

run_one() { # name command...
    name=$1
    shift
    started=$(date +%s)
    "$@" >"$log" 2>&1
    status=$?
    # cmocka writes a skipped test as "not ok N # SKIP name".
    sed -i 's/^not ok \([0-9]*\) # SKIP/ok \1 - # SKIP/' "$log"
    ok=$(grep -c '^ok ' "$log")
    skip=$(grep -c '^ok .*# SKIP' "$log")
    bad=$(grep -c '^not ok ' "$log")
    planned=$(sed -n 's/^1\.\.\([0-9][0-9]*\).*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    if [ "$planned" -ne $((ok + bad)) ] || [ $((ok + bad)) -eq 0 ] || { [ $status -ne 0 ] && [ "$bad" -eq 0 ]; }; then
        bad=$((bad + 1))
        echo "# $name: ended with status $status after $ok of $planned tests"
    fi
    passed=$((passed + ok - skip)) skipped=$((skipped + skip)) failed=$((failed + bad))
    printf '%-52s %4d passed %3d failed %3d skipped  %3d s\n' "$name" $((ok - skip)) "$bad" "$skip" $(($(date +%s) - started))
    [ "$skip" -gt 0 ] && grep -hE '# SKIP|BANDSCAPE_TRACES' "$log" | sort -u | sed 's/^/    /'
    [ "$bad" -gt 0 ] && sed 's/^/    /' "$log"
    return 0
}

for build in "$@"; do
    # Long property runs once; the thread sanitizer looks for other things.
    case $build in *tsan) export BANDSCAPE_LONG=0 ;; *) export BANDSCAPE_LONG=$long ;; esac
    for program in tests/unit/*.c; do
        program=$build/${program%.c}
        CMOCKA_MESSAGE_OUTPUT=TAP run_one "$program" "$program"
    done
    for script in tests/cli/*.sh; do
        [ -f "$script" ] && run_one "$build $script" sh "$script" "$build/bandscape"
    done
done
if [ $long = 1 ] && command -v valgrind >/dev/null; then
    for program in tests/unit/*.c; do
        program=.build/release/${program%.c}
        CMOCKA_MESSAGE_OUTPUT=TAP BANDSCAPE_LONG=0 BANDSCAPE_VALGRIND=1 run_one "valgrind $program" \
            valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect "$program"
    done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

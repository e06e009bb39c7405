#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests of each build folder given, as many at once as there are
# processors, and counts them; the slowest build should come first.
#   run.sh [--long] BUILD[:unit|:heavy|:light|:cli]...
# of which only the programs of tests/unit (those in tests/heavy, all others), or the scripts of
# tests/cli, are run.
# Every test program and script prints TAP ("ok 1 - name", "not ok", "# SKIP");
# one that dies or prints fewer results than it planned counts as failed, and so does one that takes
# longer than BANDSCAPE_TEST_LIMIT (900 s; where timeout is there): what hangs is named. None begins
# after BANDSCAPE_TESTS_UNTIL (as date +%s has it): those left count as skipped, by name.
set -u
cd "$(dirname "$0")/.." || exit 1

# One of them: its line (and what it printed, if something failed) goes to
# standard output, its counts to the file COUNTS.
#   run.sh --one COUNTS NAME COMMAND...
if [ "${1-}" = --one ]; then
    counts=$2 name=$3
    shift 3
    log=$counts.log
    started=$(date +%s)
    if [ "$started" -ge "${BANDSCAPE_TESTS_UNTIL-$((started + 1))}" ]; then
        printf '%-52s %4d passed %3d failed %3d skipped: no time left\n' "$name" 0 0 1
        echo 0 0 1 >"$counts"
        exit 0
    fi
    # In the foreground: Ctrl-C reaches it.
    limit=${BANDSCAPE_TEST_LIMIT-900}
    command -v timeout >/dev/null && set -- timeout --foreground -k 10 "$limit" "$@"
    "$@" >"$log" 2>&1
    status=$?
    # cmocka writes a skipped test as "not ok N # SKIP name".
    sed -i 's/^not ok \([0-9]*\) # SKIP/ok \1 - # SKIP/' "$log"
    ok=$(grep -c '^ok ' "$log")
    skip=$(grep -c '^ok .*# SKIP' "$log")
    bad=$(grep -c '^not ok ' "$log")
    planned=$(sed -n 's/^1\.\.\([0-9][0-9]*\).*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    {
        if [ "$planned" -ne $((ok + bad)) ] || [ $((ok + bad)) -eq 0 ] || { [ $status -ne 0 ] && [ "$bad" -eq 0 ]; }; then
            bad=$((bad + 1))
            echo "# $name: ended with status $status after $ok of $planned tests"
            [ $status = 124 ] && echo "# $name: ended after $limit s"
        fi
        printf '%-52s %4d passed %3d failed %3d skipped  %3d s\n' "$name" $((ok - skip)) "$bad" "$skip" $(($(date +%s) - started))
        [ "$skip" -gt 0 ] && grep -hE '# SKIP|BANDSCAPE_TRACES' "$log" | sort -u | sed 's/^/    /'
        [ "$bad" -gt 0 ] && sed 's/^/    /' "$log"
        echo $((ok - skip)) "$bad" "$skip" >"$counts"
    } >"$counts.said" # written at once: others print too
    cat "$counts.said"
    exit 0
fi

long=0
[ "${1-}" = --long ] && { long=1; shift; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
export CMOCKA_MESSAGE_OUTPUT=TAP

# A line for xargs: what --one is given.
number=0
job() { # long name command...
    number=$((number + 1))
    long_here=$1 name=$2
    shift 2
    printf '"%s" "%s" env "BANDSCAPE_LONG=%s"' "$folder/$number.counts" "$name" "$long_here"
    printf ' "%s"' "$@"
    echo
}

for build in "$@"; do
    units=tests/unit/*.c scripts=tests/cli/*.sh
    # The thread sanitizer sees the scripts that ask for threads. The release build's have been run
    # (make check), and are run again where a long run has more to do, or more is installed for it.
    case $long$build in
    *tsan) scripts=$(grep -lE -- '[" ](-j|--jobs)' $scripts) ;;
    1.build/release) scripts=$(grep -lE 'BANDSCAPE_LONG|chromium|mpirun' $scripts) ;;
    *:unit | *:heavy | *:light) scripts= ;;
    *:cli) units= ;;
    esac
    heavy=$(sed 's,.*,tests/unit/test_&.c,' tests/heavy)
    case $build in
    *:heavy) units=$heavy ;;
    *:light) units=$(ls $units | grep -vxF "$heavy") ;;
    esac
    build=${build%:*}
    # Long property runs once: sanitizers and the other compiler look for other things.
    case $build in *tsan | *-clang) long_here=0 ;; *) long_here=$long ;; esac
    for program in $units; do
        program=$build/${program%.c}
        job $long_here "$program" "$program" >>"$folder/programs"
    done
    for script in $scripts; do
        [ -f "$script" ] && job $long_here "$build $script" sh "$script" "$build/bandscape"
    done
done >"$folder/scripts"
if [ $long = 1 ] && command -v valgrind >/dev/null; then
    for program in tests/unit/*.c; do
        program=.build/release/${program%.c}
        job 0 "valgrind $program" env BANDSCAPE_VALGRIND=1 valgrind -q --error-exitcode=9 \
            --leak-check=full --show-leak-kinds=definite,indirect "$program"
    done
fi >"$folder/valgrind"
# The longest first, so that all processors are busy to the end.
cat "$folder/valgrind" "$folder/scripts" "$folder/programs" >"$folder/jobs"

at_once=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || at_once=2
xargs -L 1 -P "$at_once" sh tests/run.sh --one <"$folder/jobs"
# A job that left no counts was lost: it failed.
ran=$(cat "$folder"/*.counts 2>/dev/null | wc -l)
lost=$(($(wc -l <"$folder/jobs") - ran))
cat "$folder"/*.counts | awk -v lost="$lost" '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        if (lost) print lost " test programs were lost"
        printf "%d passed, %d failed, %d skipped\n", passed, failed + lost, skipped
        exit failed + lost > 0
    }'

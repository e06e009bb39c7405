#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every ```console block of the README: "$ " lines are commands, what
# follows is their output ("..." stands for anything up to the end).
. tests/cli/common.sh.inc

if ! $release; then
    skip "README" "with the release build only"
    finish
    exit
fi

awk -v dir="$scratch" '
    /^```console$/ { inside = 1; next }
    /^```$/ { inside = 0 }
    inside && /^\$ / { n++; print substr($0, 3) > (dir "/command." n); next }
    inside && n { print > (dir "/expected." n) }
    END { print n > (dir "/number") }' README.md
number=$(cat "$scratch/number")
# The commands run where the README says: at the top of a checkout. Results go
# to a copy, so that the tests leave nothing behind.
mkdir "$scratch/checkout"
for entry in models spaces src tests README.md .build; do ln -s "$top/$entry" "$scratch/checkout/$entry"; done
cp "$binary" "$scratch/checkout/bandscape"
cd "$scratch/checkout" || exit 1
i=1
while [ $i -le "$number" ]; do
    touch "$scratch/expected.$i"
    sh "$scratch/command.$i" >"$scratch/out" 2>"$scratch/err"
    status=$?
    case $(cat "$scratch/command.$i") in *"# exit 2"*) [ $status = 2 ] && status=0; cat "$scratch/err" >>"$scratch/out" ;; esac
    sed '/^\.\.\.$/,$d' "$scratch/expected.$i" >"$scratch/want"
    if grep -q '^\.\.\.$' "$scratch/expected.$i"; then
        head -n "$(wc -l <"$scratch/want")" "$scratch/out" >"$scratch/got"
    else
        cp "$scratch/out" "$scratch/got"
    fi
    [ -s "$scratch/expected.$i" ] && ! diff "$scratch/want" "$scratch/got" >"$scratch/err" && status=1
    report $status "$(cat "$scratch/command.$i")"
    i=$((i + 1))
done
finish

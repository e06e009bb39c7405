#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every ```console block of the pages (make pages), README.md first: "$ " lines are commands, what
# follows is their output ("..." stands for anything up to the end). Follows the links of the pages.
. tests/cli/common.sh.inc

if ! $release; then
    skip "pages" "with the release build only"
    finish
    exit
fi

pages=$(env MAKEFLAGS= make -s --no-print-directory pages)
# By the shortest path from the top.
links $pages | sed -E 's/^[^ ]* (\.\/)*//; s/#.*//' |
    sed -E ':again; s,(^|/)[A-Za-z0-9_-]+/\.\./,\1,; t again' | sort -u >"$scratch/linked"
for page in $pages; do
    [ "$page" = README.md ] || grep -qxF "$page" "$scratch/linked" || echo "no page links to $page"
done >"$scratch/out"
[ "$(wc -l <"$scratch/linked")" -gt 10 ] && [ ! -s "$scratch/out" ]
report $? "every page is linked to"
broken_links $pages CONTRIBUTING.md CHANGELOG.md >"$scratch/out"
[ ! -s "$scratch/out" ]
report $? "links lead somewhere"
[ "$(wc -l <README.md)" -le 250 ]
report $? "README.md has at most 250 lines"

# The commands run where the pages say: at the top of a checkout, of which each page has a copy, so that it needs
# no other page, and the tests leave nothing behind.
examples() { # page
    folder=$scratch/$(echo "$1" | tr / -)
    mkdir "$folder" "$folder/checkout"
    awk -v dir="$folder" '
        /^```console$/ { inside = 1; next }
        /^```$/ { inside = 0 }
        inside && /^\$ / { n++; print substr($0, 3) > (dir "/command." n); next }
        inside && n { print > (dir "/expected." n) }
        END { print n + 0 > (dir "/number") }' "$1"
    number=$(cat "$folder/number")
    ln -s "$top/models" "$top/spaces" "$top/src" "$top/tests" "$top/README.md" "$top/.build" "$folder/checkout"
    ln "$scratch/bandscape" "$folder/checkout/bandscape"
    i=1
    while [ $i -le "$number" ]; do
        command=$folder/command.$i expected=$folder/expected.$i
        : >>"$expected"
        (cd "$folder/checkout" && sh "$command") >"$scratch/out" 2>"$scratch/err"
        status=$?
        said=$(cat "$command")
        case $said in *"# exit 2"*) [ $status = 2 ] && status=0; cat "$scratch/err" >>"$scratch/out" ;; esac
        sed '/^\.\.\.$/,$d' "$expected" >"$scratch/want"
        if grep -q '^\.\.\.$' "$expected"; then
            head -n "$(wc -l <"$scratch/want")" "$scratch/out" >"$scratch/got"
        else
            cp "$scratch/out" "$scratch/got"
        fi
        [ -s "$expected" ] && ! diff "$scratch/want" "$scratch/got" >"$scratch/err" && status=1
        report $status "$1: $said"
        i=$((i + 1))
    done
}
cp "$binary" "$scratch/bandscape"
for page in $(grep -lx '```console' $pages); do examples "$page"; done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that helps, lists and the man page name are there: in an installation, under the paths that
# they have in a checkout; so is what installed pages link to. Files that comments name are in the sources.
. tests/cli/common.sh.inc

# Pages (*.md) in comments and texts of the sources, by any path that ends like this.
find . -name .build -prune -o -name .git -prune -o -name '*.md' -print >"$scratch/pages"
grep -rhE '\.md\b' src models spaces tests/*.h tests/unit tests/bench tests/templates Makefile \
    README.md CONTRIBUTING.md | sed 's/\\f[A-Z]//g; s/[%$][a-z]*\///g' |
    grep -oE '[A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md\b' | grep -v '^/' |
    sed 's,^\(\.\./\)*,,' | sort -u >"$scratch/named"
while read -r page; do
    grep -qE "(^|/)$(echo "$page" | sed 's/[.]/\\./g')\$" "$scratch/pages" || echo "$page is not in the sources"
done <"$scratch/named" >"$scratch/err"
[ -s "$scratch/named" ] && [ ! -s "$scratch/err" ]
report $? "pages that the sources name are there"

if ! $release; then
    skip "an installation" "with the release build only"
    finish
    exit
fi
prefix=$scratch/prefix
ok "make install" env MAKEFLAGS= make -s -C "$top" install PREFIX="$prefix"
# Only what knows where data are is compiled for another place.
elsewhere() { env MAKEFLAGS= make -n -C "$top" install PREFIX="$scratch/other" >"$scratch/steps" && [ "$(grep -cE '(^|;| )(gcc|cc|clang)[^ ]* .* -c ' "$scratch/steps")" -le 2 ]; }
ok "another PREFIX does not compile everything again" elsewhere
program=$prefix/bin/bandscape share=$prefix/share/bandscape
cd "$scratch" || exit 1
{
    "$program" --help
    for command in $("$program" list commands | awk 'NR > 2 { print $1 }'); do
        "$program" $command --help
    done
    for kind in models costs workloads; do
        "$program" list $kind | awk 'NR > 2 && $1 != "" { print $1 }' >names
        while read -r name; do "$program" list $kind "$name"; done <names
    done
    for kind in machines spaces parameters metrics fields organisations placements schedules \
        topologies readers validations computations algorithms; do
        "$program" list $kind
    done
    cat "$prefix"/share/man/man[15]/* | sed "s/\\\\f[A-Z]//g; s/\\\\-/-/g; s,\\\$PREFIX,$prefix,"
    cat "$share"/reference/*
} >text 2>err
grep -oE '(/|\b(src|models|spaces|tests|plots|results|design)/)[A-Za-z0-9_./*-]*\.(md|h|c|yaml|txt)\b|\b[A-Z]+\.md\b' text |
    grep -v NAME | sort -u >named
: >err
while read -r name; do
    case $name in
    /*) set -- $name ;;
    *) set -- $share/$name ;; # a pattern is the files that it stands for
    esac
    [ -e "$1" ] || echo "$name is not in the installation" >>err
done <named
[ "$(wc -l <named)" -gt 40 ] && [ ! -s err ]
report $? "what they name is installed"
# The pages that are installed lead somewhere there too, and the files that their examples take are there.
(cd "$share" && broken_links $(env MAKEFLAGS= make -s --no-print-directory -C "$top" pages)) >err 2>&1
for page in $(env MAKEFLAGS= make -s --no-print-directory -C "$top" pages); do
    grep -oE '\btests/data/[A-Za-z0-9_.-]*[a-z]\b' "$share/$page"
done | sort -u >named
while read -r name; do [ -e "$share/$name" ] || echo "$name is not in the installation"; done <named >>err
[ -s named ] && [ ! -s err ]
report $? "what installed pages link to and name is installed"
written() { # file words
    "$program" help $2 | cmp - "$prefix/share/$1"
}
ok "the manual page is installed" written man/man1/bandscape.1 --man
pages_of_all() {
    for c in $("$program" list commands | awk 'NR > 2 { print $1 }'); do
        written "man/man1/bandscape-$c.1" "$c --man" || return 1
    done
    for f in $("$program" help --complete -- help "" | grep -- -files); do
        written "man/man5/bandscape-${f%-files}.5" "$f --man" &&
            written "bandscape/reference/${f%-files}.md" "$f --markdown" || return 1
    done
}
ok "so are those of every command and kind of file" pages_of_all
ok "completion in bash is" written bash-completion/completions/bandscape "--completion bash"
ok "completion in zsh is" written zsh/site-functions/_bandscape "--completion zsh"
ok "completion in fish is" written fish/vendor_completions.d/bandscape.fish "--completion fish"
example() { (cd "$share" && "$program" network tests/data/lazowska.network.yaml); }
ok "an example that names a file" example
ok "published figures are among them" sh -c '"$1" validate dcl1 --format csv | grep -q "^.peak L1 bandwidth, baseline"' - "$program"
cd "$top" || exit 1
ok "make uninstall" env MAKEFLAGS= make -s uninstall PREFIX="$prefix"
left() { ! find "$prefix" -type f | grep .; }
ok "leaves nothing" left
finish

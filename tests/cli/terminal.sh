#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a terminal gets that knows no colours or no Unicode.
. tests/cli/common.sh.inc

if ! script -qec true /dev/null >/dev/null 2>&1; then
    skip "a terminal" "util-linux's script is not installed"
    finish
    exit
fi
# on LOCALE TERM words...: what is printed to a terminal of 60 columns.
on() {
    locale=$1 kind=$2
    shift 2
    LC_ALL=$locale TERM=$kind NO_COLOR='' script -qec "stty cols 60; $binary $*" /dev/null </dev/null >"$scratch/seen" 2>&1
}
escapes() { grep -q "$(printf '\033')" "$scratch/seen"; }
others() { LC_ALL=C grep -q '[^ -~[:cntrl:]]' "$scratch/seen"; }
fits() { LC_ALL=C awk 'length > 61' "$scratch/seen" | grep . && return 1; grep -q '^sac ' "$scratch/seen"; }

coloured() { on C.UTF-8 xterm list machines && escapes && others; }
ok "colours and ellipses" coloured
dumb() { on C.UTF-8 dumb list machines && ! escapes; }
ok "TERM=dumb: no colours" dumb
dumb_error() { ! on C.UTF-8 dumb list nothing && ! escapes && grep -q 'error: ' "$scratch/seen"; }
ok "nor in errors" dumb_error
for locale in C POSIX; do
    ascii() { on $locale dumb list machines && ! others && fits && grep -q '~' "$scratch/seen"; }
    ok "LC_ALL=$locale: ASCII, cut to the terminal" ascii
done
# A table that is wider goes on below, behind what names its rows; programs get it in one piece.
wide() { # columns [COLUMNS=N]: of trace info, without what stands above the table
    LC_ALL=C TERM=dumb script -qec "stty cols $1; ${2-} $binary trace info gemm:input=small 2>/dev/null" /dev/null </dev/null |
        tr -d '\r' | sed 1,2d >"$scratch/seen"
}
blocks() { grep -c '^kernel ' "$scratch/seen"; }
within() { ! awk -v most="$1" 'length > most' "$scratch/seen" | grep .; }
whole() { [ "$(tr -s ' ' '\n' <"$scratch/seen" | grep -cx -e instr. -e distinct -e 20.00)" = 3 ]; }
folded() { wide 80 && [ "$(blocks)" = 2 ] && within 80 && whole; }
ok "80 columns: what is wider goes on below" folded
narrow() { wide 50 && [ "$(blocks)" = 4 ] && within 50 && whole; }
ok "50 columns: in four parts" narrow
wished() { wide 80 COLUMNS=200 && [ "$(blocks)" = 1 ] && whole; }
ok "COLUMNS says otherwise" wished
senseless() { wide 80 COLUMNS=wide && [ "$(blocks)" = 2 ]; }
ok "unless it is no number" senseless
piped() { COLUMNS=80 "$binary" trace info gemm:input=small 2>/dev/null | sed 1,2d >"$scratch/seen"; [ "$(blocks)" = 1 ]; }
ok "programs get one table" piped
limits() { # what limits is what was asked for: it is whole
    script -qec "stty cols 80; $binary compare sac sac-2chip -w gemm:input=small 2>/dev/null" /dev/null </dev/null >"$scratch/seen"
    [ "$(grep -c 'all: [a-z]*, next: [a-z]*' "$scratch/seen")" = 2 ] && [ "$(grep -c '^gemm ' "$scratch/seen")" = 4 ]
}
ok "what limits is not cut" limits
# Sentences, too: remarks, summaries, messages, hints; words are whole, and programs get lines in one piece.
told() { # columns words...: what is said on a terminal, standard error too
    columns=$1
    shift
    LC_ALL=C.UTF-8 TERM=dumb script -qec "stty cols $columns; cd $scratch; $binary $*" /dev/null </dev/null | tr -d '\r' >"$scratch/seen"
}
within_characters() { ! LC_ALL=C sed 's/\xe2\x80\xa6/~/g; s/\xc2\xb1/~/g' "$scratch/seen" | awk -v most="$1" 'length > most' | grep .; }
in_a_line() { tr -s ' \n' ' ' <"$scratch/seen" | grep -qF -- "$1"; }
remark="gemm: fits: the footprint (0.328 MB) fits in llc (16.8 MB), the published one (174 MB) not; use input=default or published-sac"
folded_remark() { told 80 whatif -m sac -w gemm:input=small && within_characters 80 && in_a_line "$remark" && ! grep -qF "$remark" "$scratch/seen"; }
ok "a remark goes on below" folded_remark
piped_remark() { COLUMNS=80 "$binary" whatif -m sac -w gemm:input=small 2>&1 | grep -qxF "$remark"; }
ok "in one piece for programs" piped_remark
pages() { # of commands, in 80 columns
    while read -r words; do
        told 80 "$words" && within_characters 80 && [ "$(wc -l <"$scratch/seen")" -gt 3 ] || { echo "$words"; return 1; }
    done <<'END'
whatif -m sac -w gemm:input=small --all-models
compare sac sac-2chip -w gemm:input=small
profile gemm:input=small -m sac -o p.yaml
profile show p.yaml
list parameters llc.latency_is
list models
list metrics
list machines sac
why -m sac -w gemm:input=small
END
}
"$binary" profile gemm:input=small -m sac -o "$scratch/p.yaml" >/dev/null 2>&1
ok "pages of answers are as wide as the terminal" pages
summary() { told 80 sweep sac-sensitivity -w gemm:input=small -o r --no-plots && within_characters 80 && in_a_line "ranked by effective_bandwidth of eab (EAB-style)"; }
ok "the summary of a sweep" summary
hint="hint: known: table, json, csv"
mistake() { told 24 whatif -m sac -w gemm --format xml; within_characters 24 && in_a_line "$hint" && ! grep -qF "$hint" "$scratch/seen"; }
ok "a hint" mistake
placed() { # the line that is meant, and the caret, stay as they are
    printf 'space: placed\nmachine: sac\nworkloads: [gemm]\naxes: {inter.link_bandwidth: [48 GB/s, 96 GB/s, 96 GB/s]}\n' >"$scratch/placed.yaml"
    told 40 sweep placed.yaml --check; grep -qF '     4 | axes: {inter.link_bandwidth: [48 GB/s, 96 GB/s, 96 GB/s]}' "$scratch/seen" &&
        grep -qx 'hint: each value is a design, and would' "$scratch/seen"
}
ok "but not the line that is meant" placed

# Tables that are longer than the terminal go through a pager; what programs get never does.
paged() { # rows words...: the lines that the pager had
    rows=$1
    shift
    LC_ALL=C TERM=xterm script -qec "stty cols 80 rows $rows; $*" /dev/null </dev/null >"$scratch/seen" 2>&1
    grep -c '^paged ' "$scratch/seen"
}
pager="COLUMNS=1000 PAGER='sed s/^/paged\ /'"
list="$binary list metrics"
rows=$("$binary" list metrics | wc -l)
long() { [ "$(paged 20 "$pager $list")" = "$rows" ]; }
ok "a long table through the pager" long
low() { [ "$(paged "$rows" "$pager $list")" = "$rows" ] && [ "$(paged $((rows + 1)) "$pager $list")" = 0 ] && grep -q '^kernel_time ' "$scratch/seen"; }
ok "one that fits is not" low
never() { # what, words...
    [ "$(paged 20 "$2")" = 0 ] && [ "$(grep -c '^kernel_time ' "$scratch/seen")" -gt 2 ]
}
ok "--no-pager" never it "$pager $list --no-pager"
ok "before the command" never it "$pager $binary --no-pager list metrics"
ok "none" never it "PAGER= $list"
ok "cat" never it "PAGER=cat $list"
ok "one that there is not" never it "PAGER=no-such-program $list"
ok "the standard input of a script" never it "$pager $list </dev/null"
ok "a pipe" never it "$pager $list | cat"
ok "TERM=dumb" never it "TERM=dumb $pager $list"
enough() { # a reader who has seen enough ends the table, not the program
    paged 20 "PAGER='sed 2q' $binary sensitivity -m sac -w gemm:input=small; echo status \$?" >/dev/null
    grep -q '^status 0' "$scratch/seen"
}
ok "a reader who leaves early" enough
fails "an option alone" "a command is missing" "$binary" --no-pager

# Progress writes over its own line.
busy() { on C "$1" profile gemm:input=small --machine sac --no-cache -o "$scratch/p.yaml" && [ -s "$scratch/p.yaml" ]; }
over() { LC_ALL=C grep -q "$(printf '\r')." "$scratch/seen"; }
drawn() { busy xterm && over; }
ok "a line of progress" drawn
quiet() { busy dumb && ! over; }
ok "TERM=dumb: no line that is written over" quiet
if $thorough; then
    left() { on C xterm profile gemm:size=x1/8 --machine sac --no-cache -o "$scratch/p.yaml" && grep -qE 'gemm[^ ]* \[#+\.*\] +[0-9]+%  [0-9]+ s left ' "$scratch/seen"; }
    ok "how much of a workload is done, and what is left" left
    views() {
        on C xterm sweep sac-sensitivity -w gemm:size=x1/8 -w mvt:size=x1/8 -o "$scratch/views" --no-plots && grep -qE 'profiling \[#+\.*\] 0 of 2 views  [0-9]+ s left ' "$scratch/seen"
    }
    ok "of several views, those that are under way too" views
fi
silent() {
    TERM=xterm "$binary" profile gemm:input=small --machine sac --no-cache -o "$scratch/p.yaml" >"$scratch/out" 2>"$scratch/seen" </dev/null &&
        ! over && ! grep -qE 'left|requests/s|%' "$scratch/seen"
}
ok "no progress for programs" silent
finish

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
# Progress writes over its own line.
busy() { on C "$1" profile gemm:input=small --machine sac --no-cache -o "$scratch/p.yaml" && [ -s "$scratch/p.yaml" ]; }
over() { LC_ALL=C grep -q "$(printf '\r')." "$scratch/seen"; }
drawn() { busy xterm && over; }
ok "a line of progress" drawn
quiet() { busy dumb && ! over; }
ok "TERM=dumb: no line that is written over" quiet
finish

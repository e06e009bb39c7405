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
# Progress writes over its own line.
busy() { on C "$1" profile gemm:input=small --machine sac --no-cache -o "$scratch/p.yaml" && [ -s "$scratch/p.yaml" ]; }
over() { LC_ALL=C grep -q "$(printf '\r')." "$scratch/seen"; }
drawn() { busy xterm && over; }
ok "a line of progress" drawn
quiet() { busy dumb && ! over; }
ok "TERM=dumb: no line that is written over" quiet
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The house: which folder may include which, as CONTRIBUTING says, and how long files and functions
# may be. Looks at sources, not at the program.
. tests/cli/common.sh.inc

if ! $release; then
    skip "rooms and sizes" "sources are the same for every build"
    finish
    exit
fi

# What a folder may include beside itself: what stands before it. Validations of published systems
# stand with their models, and are of the room validate.
cat >"$scratch/order" <<'T'
core
yaml core
machine core yaml
trace core yaml machine
tracer trace
workload core yaml machine trace
profile core yaml machine trace workload
model core yaml machine trace workload profile
queueing core
simulate core yaml machine trace workload profile queueing
models core yaml machine trace workload profile model queueing
explore core yaml machine trace workload profile model queueing simulate
validate core yaml machine trace workload profile model queueing simulate explore models
report core yaml machine trace workload profile model queueing simulate explore validate
cli core yaml machine trace workload profile model queueing simulate explore validate report
T
# Rooms with folders of their own: which of them may include which, in the direction that data flows.
# What the whole room shares stands at its top.
cat >"$scratch/inner" <<'T'
trace
trace/input
trace/spool trace
trace/writers trace trace/spool
trace/readers trace trace/input trace/spool
workload
workload/language workload
workload/nests workload workload/language
workload/irregular workload
workload/open workload workload/nests
profile
profile/record profile
profile/homes profile
profile/issue profile profile/homes
profile/caches profile
profile/curves profile profile/record profile/homes
profile/samplers profile profile/record
profile/run profile profile/record profile/homes profile/issue profile/caches profile/curves profile/samplers
profile/files profile profile/record profile/run
profile/census profile profile/issue profile/record profile/run
explore/pareto
explore/views
explore/space explore/pareto
explore/answer explore/space explore/views
explore/sweep explore/pareto explore/views explore/space explore/answer
explore/search explore/pareto explore/views explore/space explore/answer explore/sweep
T
# inner_includes FOLDER: the same as below, of files in one of these rooms that include another of
# its folders.
inner_includes() {
    (cd "$1/src" && find trace workload profile explore -name '*.[ch]' -exec grep -H '^#include "[^"]*/' {} + 2>/dev/null) |
        sed -n 's/^\([^:]*\):#include "\([^"]*\)\/[^\/"]*".*/\1 \2/p' | awk '
        {
            folder = $1
            sub(/\/[^\/]*$/, "", folder)
            split(folder, here, "/")
            split($2, there, "/")
            if (here[1] == there[1] && folder != $2) print "src/" $1, folder, $2
        }'
}

# includes FOLDER: "file folder included", one a line. Files of models include each other by the
# names of their systems.
includes() {
    (cd "$1" && find src models -name '*.[ch]' -exec grep -H '^#include "[^"]*/' {} +) |
        sed -n 's/^\([^:]*\):#include "\([^"\/]*\)\/.*/\1 \2/p' | awk -v top="$1" '
        {
            n = split($1, part, "/")
            room = part[1] == "models" ? ($1 ~ /\.validation\.c$/ ? "validate" : "models") : part[2]
            if (!($2 in known))
                known[$2] = system("test -d " top "/src/" $2) == 0
            print $1, room, (known[$2] ? $2 : "models")
        }'
}

# against ORDER: the includes of the input that the order does not allow.
against() {
    awk -v order="$1" '
        BEGIN {
            while ((getline line < order) > 0) {
                n = split(line, word, " ")
                for (i = 1; i <= n; i++) may[word[1], word[i]] = 1
            }
        }
        !(($2, $3) in may) { print $1 " includes " $3 }'
}
against_order() {
    includes "$1" | against "$scratch/order"
    inner_includes "$1" | against "$scratch/inner"
}

# The order itself has no cycle: every room names rooms of lines above its own, but for tracer, a
# library of its own, and models, which are linked by their descriptors.
cycles() {
    for order in order inner; do
        awk '{ for (i = 2; i <= NF; i++) if (!($i in seen)) print $1, $i; seen[$1] = 1 }' "$scratch/$order"
    done
}

long_files() {
    (cd "$1" && find src models -name '*.[ch]' -exec wc -l {} +) |
        awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }'
}

# A function begins where its declaration does and ends at the brace in the first column.
long_functions() {
    (cd "$1" && find src models -name '*.[ch]' -exec awk '
        FNR == 1 { head = open = 0 }
        open && /^}/ {
            if (FNR - head + 1 > 60) print FILENAME ":" head ": " FNR - head + 1 " lines"
            head = open = 0
        }
        open { next }
        /^\{$/ { open = head; next }
        /^[A-Za-z_]/ && !head { head = FNR }
        /;[ \t]*$/ || /^$/ || /^[#}\/]/ || /=[ \t]*\{$/ { head = 0 }' {} +)
}

nothing() {
    "$@" >"$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}
ok "the order of rooms has no cycle" nothing cycles
ok "includes follow it" nothing against_order .
ok "no file is longer than 600 lines" nothing long_files .
ok "no function is longer than 60 lines" nothing long_functions .

# The same of a small house where each is broken.
mkdir -p "$scratch/house/src/core" "$scratch/house/src/explore/space" "$scratch/house/src/cli" "$scratch/house/models/m" \
    "$scratch/house/src/trace/spool"
echo '#include "trace/readers/a.h"' >"$scratch/house/src/trace/spool/a.c"
echo '#include "explore/a.h"' >"$scratch/house/src/core/a.c"
echo '#include "cli/a.h"' >"$scratch/house/src/explore/space/a.c"
echo '#include "explore/a.h"' >"$scratch/house/models/m/m.model.c"
echo '#include "explore/a.h"' >"$scratch/house/models/m/m.validation.c"
{
    echo 'static int f(void)'
    echo '{'
    awk 'BEGIN { for (i = 0; i < 600; i++) print "    x();" }'
    echo '}'
} >"$scratch/house/src/cli/a.c"
printf '%s\n' "models/m/m.model.c includes explore" "src/core/a.c includes explore" \
    "src/explore/space/a.c includes cli" "src/trace/spool/a.c includes trace/readers" >"$scratch/want"
found() { against_order "$scratch/house" | sort | cmp - "$scratch/want"; }
ok "wrong includes are found" found
ok "a long file is found" test "$(long_files "$scratch/house")" = "src/cli/a.c: 603 lines"
ok "a long function is found" test "$(long_functions "$scratch/house")" = "src/cli/a.c:1: 603 lines"
finish

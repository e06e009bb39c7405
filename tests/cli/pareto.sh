#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape pareto: output and errors.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1

# prints NAME COMMAND...: it succeeds and prints exactly the file `expected`.
prints() {
    name=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" && cmp -s out expected
    report $? "$name"
}

cat >designs.csv <<'END'
name,"area, mm2",bandwidth,note
a,10,1e12,"first, with ""quotes"""
b,10,1e12,equal to a
c,20,1.5e12,"two
lines"
d,15,1e12,dominated
e,20,1.4e12,dominated
f, 5 ,0.2e12,
END

cat >expected <<'END'
name,"area, mm2",bandwidth,note
a,10,1e12,"first, with ""quotes"""
c,20,1.5e12,"two
lines"
f, 5 ,0.2e12,
END
cp expected front
prints "the front, rows unchanged" \
    "$binary" pareto designs.csv --minimise "area, mm2" --maximise bandwidth
cp front expected
prints "American spelling, and the other order" \
    "$binary" pareto --maximize bandwidth designs.csv --minimize "area, mm2"

cat >expected <<'END'
name,"area, mm2",bandwidth,note
a,10,1e12,"first, with ""quotes"""
b,10,1e12,equal to a
c,20,1.5e12,"two
lines"
f, 5 ,0.2e12,
END
prints "equal points kept" \
    "$binary" pareto designs.csv --minimise "area, mm2" --maximise bandwidth --keep-ties

cat >expected <<'END'
name,"area, mm2",bandwidth,note,rank
a,10,1e12,"first, with ""quotes""",0
b,10,1e12,equal to a,0
c,20,1.5e12,"two
lines",0
d,15,1e12,dominated,1
e,20,1.4e12,dominated,1
f, 5 ,0.2e12,,0
END
prints "ranks" "$binary" pareto designs.csv --minimise "area, mm2" --maximise bandwidth --rank

printf 'x,y\n5,5\n4,6\n2,7\n7,4\n' >volume.csv
echo 38 >expected
prints "hypervolume" "$binary" pareto volume.csv --minimise x --minimise y --hypervolume 10,10
printf 'x,y\n-5,5\n-4,6\n-2,7\n-7,4\n' >mixed.csv
echo 38 >expected
prints "hypervolume in the original senses" \
    "$binary" pareto mixed.csv --maximise x --minimise y --hypervolume " -10, 10"
echo 0.3 >expected
printf 'x\n0.2\n' >one.csv
prints "hypervolume of one objective, shortest digits" \
    "$binary" pareto one.csv --minimise x --hypervolume 0.5

printf 'x,y\r\n1,2\r\n2,3\r\n' >dos.csv
printf 'x,y\n1,2\n' >expected
prints "CRLF" "$binary" pareto dos.csv --minimise x --minimise y
printf 'x,y\n' >empty.csv
printf 'x,y\n' >expected
prints "no rows" "$binary" pareto empty.csv --minimise x

standard_input() { "$binary" pareto - --minimise x --minimise y <volume.csv | cmp - volume.csv; }
ok "standard input" standard_input

printf 'x,y\n1,2\n3,nan\n' >bad.csv
fails "NaN has its place" 'bad.csv:3:3: error: column "y": expected a finite number, got "nan"' \
    "$binary" pareto bad.csv --minimise x --minimise y
printf 'x,y\n1,2\n3,inf\n' >bad.csv
fails "infinity" 'bad.csv:3:3: error: column "y": expected a finite number, got "inf"' \
    "$binary" pareto bad.csv --minimise y
printf 'x,y\n1,\n3,4\n' >bad.csv
fails "an empty cell" 'bad.csv:2:3: error: column "y": expected a number, the cell is empty' \
    "$binary" pareto bad.csv --minimise y
printf 'x,y\n1,\n' >bad.csv
printf 'x,y\n1,\n' >expected
prints "cells of other columns may be anything" "$binary" pareto bad.csv --minimise x
printf 'x,y\n1,2,3\n' >bad.csv
fails "a row too long" 'bad.csv:2:1: error: this row has 3 cells, but the header has 2' \
    "$binary" pareto bad.csv --minimise x
fails "unknown column" 'did you mean "bandwidth"?' "$binary" pareto designs.csv --maximise bandwith
fails "no objective" 'no objective is given' "$binary" pareto designs.csv
fails "one column twice" 'is given twice' "$binary" pareto volume.csv --minimise x --maximize x
fails "two modes" 'exclude each other' \
    "$binary" pareto volume.csv --minimise x --rank --hypervolume 3
fails "reference too short" '1 value for 2 objectives' \
    "$binary" pareto volume.csv --minimise x --minimise y --hypervolume 3
fails "reference too long" '3 values for 2 objectives' \
    "$binary" pareto volume.csv --minimise x --minimise y --hypervolume 3,4,5
printf 'x,y\n1e308,-1e308\n-1e308,1e308\n' >far.csv
fails "a volume out of range" "too large for a floating-point number" \
    "$binary" pareto far.csv --minimise x --minimise y --hypervolume 1.5e308,1.5e308
fails "reference not a number" 'expected a finite number, got "ten"' \
    "$binary" pareto volume.csv --minimise x --minimise y --hypervolume 10,ten
printf 'rank,x\n1,2\n' >ranked.csv
fails "a rank column already" 'has a column "rank" already' \
    "$binary" pareto ranked.csv --minimise x --rank
fails "no such file" 'cannot open missing.csv' "$binary" pareto missing.csv --minimise x
fails "a folder" "a sweep's front is in its pareto.csv" "$binary" pareto . --minimise x
fails "unknown option" 'did you mean --minimise?' "$binary" pareto volume.csv --minimis x

finish

# SPDX-License-Identifier: GPL-3.0-or-later
# The table of predictions that is kept (results/reference/predictions.csv): it has the rows that the program would
# print today, with today's aims, and the page of the models says what it says; so do the systems' pages of the parts of
# errors that are kept beside it (errors.csv).
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
kept=$top/results/reference/predictions.csv
stale="it is stale: make it again by the command in results/README.md"

# Of DualOpt's what needs one placement of pages and four GPUs.
dualopt() {
    "$binary" validate "$@" --figure "pages in blocks" --figure "speed-up, matrixmul" --figure "latency of a read" \
        --figure flits --figure "as fast" --format csv 2>/dev/null
}
# system, what, model, aim: behind the model stand seven numbers.
aims() {
    sed -E '1d; s/^([^,]*,[^,]*,[^,]*),([^,]*,){7}("[^"]*"|[^,]*),.*/\1,\3/' "$@"
}
same_rows() {
    "$binary" validate predictions sac mcm -w bfs --input small --format csv >now.csv 2>/dev/null &&
        [ "$(wc -l <now.csv)" -gt 9 ] || return 1
    dualopt predictions dualopt -w bfs --input small | sed 1d >>now.csv
    "$binary" validate predictions dcl1 -w blackscholes --input small --format csv 2>/dev/null | sed 1d >>now.csv
    [ "$(sed -n 1p now.csv)" = "$(sed -n 1p "$kept")" ] || { echo "columns: $stale"; return 1; }
    aims now.csv >now
    aims "$kept" >then
    diff then now || { echo "$stale"; return 1; }
}
ok "the kept table has the rows and aims of this version" same_rows

# cells[1 ..] of a line of CSV.
cells='function split_cells(line,    n, cell) {
    delete cells
    for (n = 1; match(line, /^("[^"]*"|[^,]*)(,|$)/); n++) {
        cell = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 1)
        sub(/,$/, "", cell)
        gsub(/"/, "", cell)
        cells[n] = cell
        if (line == "") break
    }
}
function part(x) { x = x == "" ? "" : sprintf("%+.2f", x); sub(/^[-+]0\.00$/, "0.00", x); return x }'
# All labels and figures of the files were counted: with a part of them no aim is judged. Where nothing is aimed at,
# there are as many as the file has.
whole() {
    awk "$cells"' NR > 1 {
        split_cells($0)
        if (cells[11] == "") print cells[1] "\t" cells[2] "\t" cells[4] >"without"
        else if (cells[12] !~ /^(yes|no)$/) { print; bad = 1 }
    } END { exit bad || NR < 10 }' "$kept" && [ -s without ] || return 1
    while IFS='	' read -r system what of; do
        [ "$(grep -c "counts: $what," "$top/models/$system/published.yaml")" = "$of" ] || { echo "$system, $what: $of"; return 1; }
    done <without
}
ok "it is over all workloads" whole

# "(kept: `sac, preferred organisation, network: 7, 5, 4`)" of the page is a row's reached, no preference and other;
# of figures "reached of all, wrong way, median, worst".
said() {
    awk "$cells"' NR > 1 {
        split_cells($0)
        name = cells[1] ", " cells[2] ", " cells[3]
        if (cells[5] + cells[6] + cells[7] == cells[4] && cells[6] != "") printf "%s: %s, %s, %s\n", name, cells[5], cells[6], cells[7]
        else printf "%s: %s of %s, %s the wrong way, median %.1f %%, worst %+.1f %%\n", name, cells[5], cells[4], cells[8], 100 * cells[9], 100 * cells[10]
    }' "$kept" >rows
    [ "$(wc -l <rows)" -gt 8 ] || return 1
    while read -r row; do
        grep -qF -- "\`$row\`" "$top/models/README.md" || { echo "models/README.md does not say: $row"; return 1; }
    done <rows
}
ok "models/README.md says what it says" said

# The splits of errors that are kept (errors.csv): each of a figure of this version that the kept table misses, and in
# the page of its system as a row, with a reason behind it.
errors=$top/results/reference/errors.csv
figure='s/^([^,]*,("[^"]*"|[^,]*),[^,]*,[^,]*,[^,]*),.*/\1/'
same_figures() {
    "$binary" validate errors mcm sac --all -w bfs -w gemm --input small --format csv >now.csv 2>/dev/null || return 1
    dualopt errors dualopt --all -w bfs -w matrixmul --input small | sed 1d >>now.csv
    "$binary" validate errors dcl1 --all -w blackscholes -w alexnet --input small --requests 1000 --format csv 2>/dev/null | sed 1d >>now.csv
    [ "$(sed -n 1p now.csv)" = "$(sed -n 1p "$errors")" ] || { echo "columns: $stale"; return 1; }
    sed -E "1d; $figure" now.csv >now
    sed -E "1d; $figure" "$errors" >then
    [ "$(wc -l <then)" -gt 8 ] || return 1
    grep -vxF -f now then && { echo "$stale"; return 1; }
    return 0
}
ok "the kept errors are of figures of this version" same_figures

missed() { # figure and error of both tables
    awk "$cells"' FNR > 1 && FILENAME == "'"$errors"'" {
        split_cells($0)
        printf "%s: %+.0f %%\n", cells[2], 100 * (cells[6] / cells[5] - 1) >"split"
    }
    FNR > 1 && FILENAME != "'"$errors"'" {
        split_cells($0)
        if (cells[6] != "") next # labels
        n = split(cells[13], items, /; /)
        for (i = 1; i <= n; i++) { sub(/, the wrong way/, "", items[i]); print items[i] >"missed" }
    }' "$errors" "$kept" && sort split >split.sorted && sort missed >missed.sorted && [ -s split ] || return 1
    comm -23 split.sorted missed.sorted | grep . && { echo "not missed by the kept table"; return 1; }
    comm -13 split.sorted missed.sorted >unsplit
    return 0
}
ok "what they are off by is what the kept table says" missed
# The others are named in the page of the models, in the paragraph that begins with "Not split".
named() {
    awk '/^Not split/ { in_it = 1 } /^$/ { in_it = 0 } in_it' "$top/models/README.md" | tr '\n' ' ' >paragraph
    while read -r miss; do
        grep -qF -- "\`${miss%: *}\`" paragraph || { echo "neither split nor named: $miss"; return 1; }
    done <unsplit
    grep -o '`[^`]*`' paragraph | tr -d '\`' | while read -r name; do
        grep -qF -- "$name: " unsplit || [ "${name#validate}" != "$name" ] || { echo "named, and split or not missed: $name"; exit 1; }
    done
}
ok "every missed figure is split, or named as one that is not" named
said_of_errors() { # | figure | published | ours | simulated (share of whole runs) | error | profile | formula | both | rest | reason |
    awk "$cells"' NR > 1 {
        split_cells($0)
        whole = cells[15] == "" || cells[15] == 1 ? "" : sprintf(" (%.0f %%)", 100 * cells[15])
        printf "%s\t| %s | %.4g | %.3g | %s%s | %s | %s | %s | %s | %s | \n", cells[1], cells[2], cells[5], cells[6],
            cells[8] == "" ? "" : sprintf("%.3g", cells[8]), whole, part(cells[10]), part(cells[11]), part(cells[12]),
            part(cells[13]), part(cells[14])
    }' "$errors" >rows
    while IFS='	' read -r system row; do
        grep -F -- "$row" "$top/models/$system/README.md" | grep -q '| [^ |][^|]* |$' ||
            { echo "models/$system/README.md does not say, with a reason: $row"; return 1; }
    done <rows
}
ok "the systems' pages say what they say" said_of_errors
finish

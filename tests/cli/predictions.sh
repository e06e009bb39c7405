# SPDX-License-Identifier: GPL-3.0-or-later
# The table of predictions that is kept (results/reference/predictions.csv): it has the rows that the program would
# print today, with today's aims, and the page of the models says what it says.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
kept=$top/results/reference/predictions.csv
stale="it is stale: make it again by the command in results/README.md"

# system, what, model, aim: behind the model stand seven numbers.
aims() {
    sed -E '1d; s/^([^,]*,[^,]*,[^,]*),([^,]*,){7}("[^"]*"|[^,]*),.*/\1,\3/' "$@"
}
same_rows() {
    "$binary" validate predictions sac mcm -w bfs --input small --format csv >now.csv 2>/dev/null &&
        [ "$(wc -l <now.csv)" -gt 9 ] || return 1
    [ "$(sed -n 1p now.csv)" = "$(sed -n 1p "$kept")" ] || { echo "columns: $stale"; return 1; }
    aims now.csv >now
    aims "$kept" >then
    diff then now || { echo "$stale"; return 1; }
}
ok "the kept table has the rows and aims of this version" same_rows

# All labels and figures of the files were counted: with a part of them no aim is judged.
whole() {
    awk -F, 'NR > 1 && !/,(yes|no),/ { print; bad = 1 } END { exit bad || NR < 10 }' "$kept"
}
ok "it is over all workloads" whole

# "(kept: `sac, preferred organisation, network: 7, 5, 4`)" of the page is a row's reached, no preference and other;
# of figures "reached of all, wrong way, median, worst".
said() {
    awk -F, 'NR > 1 {
        if ($5 + $6 + $7 == $4 && $6 != "") printf "%s, %s, %s: %s, %s, %s\n", $1, $2, $3, $5, $6, $7
        else printf "%s, %s, %s: %s of %s, %s the wrong way, median %.1f %%, worst %+.1f %%\n", $1, $2, $3, $5, $4, $8, 100 * $9, 100 * $10
    }' "$kept" >rows
    [ "$(wc -l <rows)" -gt 8 ] || return 1
    while read -r row; do
        grep -qF -- "\`$row\`" "$top/models/README.md" || { echo "models/README.md does not say: $row"; return 1; }
    done <rows
}
ok "models/README.md says what it says" said
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# NUBA on the command line: models that do not apply are left out or refused with the reason;
# its page; a space of machines and a cost.
. tests/cli/common.sh.inc

small=gemm:ni=32,nj=32,nk=32
answers() { "$binary" whatif -m "$1" -w "$small" --format csv | cut -d, -f4 | grep -qx "$2"; }
silent() { ! answers "$1" "$2"; }
ok "NUBA is asked of its model" answers nuba mdr
ok "not of one that knows no partitions" silent nuba eab
ok "SAC is asked of EAB" answers sac eab
ok "not of NUBA's model" silent sac mdr
ok "a uniform GPU is asked of it too" answers uba-memory-side mdr
ok "and one in modules" answers uba-mcm mdr
ok "not of one that knows no channels" silent uba-memory-side eab
fails "a model by name that does not apply" "the machine has 4 chips" "$binary" whatif -m sac -w "$small" --model mdr
fails "replication of nothing" "replication needs partitions" \
    "$binary" whatif -m uba-memory-side -w "$small" --model mdr --set llc.replication=mdr
ok "replication is a setting" "$binary" whatif -m nuba -w "$small" --set llc.replication=none
fails "a latency that it does not read" "has no effect" \
    "$binary" whatif --model mdr -m nuba -w "$small" --set noc.latency=3cycles
page() { "$binary" list models mdr >"$scratch/page" && grep -q 'p2p.bandwidth' "$scratch/page" && grep -q 'llc.capacity' "$scratch/page" && grep -q -e '--with replication' "$scratch/page"; }
ok "its page lists what it reads of its own machine" page

swept() {
    "$binary" sweep nuba-noc -w "$small" -o "$scratch/noc" --all --plot svg &&
        [ "$(wc -l <"$scratch/noc/points.csv")" = 25 ] && grep -q '^uba-sm-side,1.4e+12,2.8e+12,0.696,' "$scratch/noc/points.csv"
}
ok "machines are swept, with the NoC's design power" swept
plots() {
    for f in pareto curve-noc.bandwidth curve-noc.bandwidth-fixed_mix_bandwidth; do
        [ -s "$scratch/noc/$f.svg" ] || return 1
    done
}
ok "two curves over one axis are two files" plots
finish

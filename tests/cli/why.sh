#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape why: what limits an answer, against whatif and hand calculation; differences that add up; errors.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .

# --- one design. By hand (hand.profile.yaml): links 1.152 TB/s, memory 8.75 TB/s
why() { "$binary" why -m sac -w hand.profile.yaml --model bottleneck "$@"; }
words() {
    why >words && tr '\n' ' ' <words >line && grep -q 'reaches 1.152 TB/s by bottleneck' line &&
        grep -q 'the links between chips (inter), inter.link_bandwidth 96 GB/s, 100 % used' line &&
        grep -q 'Twice as much gives 2.00x (2.304 TB/s), and it still binds' line && grep -q 'memory binds, at 8.75 TB/s' line
}
ok "in words: the limit, twice of it, what comes next" words
ok "the terms by symbol, which of them binds" sh -c 'grep -qE "^    B_link/load  *1.152 TB/s  1/D_k         inter  <- binds$" words'
narrow() { ! grep -vE '^.{0,80}$' words; }
ok "in 80 columns" narrow
json() { # of the member, with awk: the first value of the name
    awk -F': ' -v name="\"$1\"" 'index($1, name) { sub(/,$/, "", $2); print $2; exit }' "$2"
}
values() {
    why --format json >one.json && [ "$(json next one.json)" = '"memory"' ] &&
        awk -v x="$(json next_effective_bandwidth one.json)" 'BEGIN { exit !(x / 8.75e12 > 0.999999 && x / 8.75e12 < 1.000001) }' &&
        [ "$(json resource one.json)" = '"inter"' ] && [ "$(json binds one.json)" = '"all"' ]
}
ok "the same for programs" values
symbols() {
    "$binary" why -m sac -w hand.profile.yaml --model eab >eab &&
        grep -q '^Terms of eab: SAC, ISCA 2023, equation 1 and Table 1$' eab && grep -q 'EAB_x = min(' eab &&
        grep -qE '^ +B_inter  *768 GB/s  Table 1  +inter  <- binds$' eab &&
        grep -qE '^  EAB = \+  *[0-9.]+ TB/s  equation 1$' eab
}
ok "in the paper's symbols, with its equation" symbols
# Each term with a name says where the paper has it, or that it is ours.
places() { # machine model organisation lines
    "$binary" why -m $1 -w gemm:input=small --model $2 -o $3 2>/dev/null | awk '
        /^Terms/ { on = 1 } /^Launches|^What moves/ { on = 0 }
        on && / ((B|TB|GB|MB)\/s|[GM]?Hz) / { n++; if (/equation 1|Table [12]|section [0-9.]+|ours|1\/D_k|Little/) said++ }
        END { print n, said }' >placed
    read -r n said <placed && [ "$n" -ge $4 ] && [ "$said" -ge $4 ]
}
ok "where each term stands: SAC" places sac eab memory-side 12
ok "its split ways" places sac eab static 12
ok "NUBA" places nuba mdr memory-side 8
ok "MCM-GPU" places mcm link memory-side 8
ok "DC-L1" places dcl1 dcl1 memory-side 8
ok "DualOpt" places dualopt dualopt memory-side 5
ok "the bound" places sac bottleneck memory-side 5
stays() { # stations of a network have the symbols of its equation
    "$binary" why -m sac -w gemm:input=small --model network 2>/dev/null >net &&
        grep -q '^X = N / (Z + sum over k of R_k),' net && grep -q '^Terms of network: Reiser and Lavenberg' net &&
        grep -qE '^latencies +Z +[0-9.]+ ns' net && grep -qE '^inter +R_inter +[0-9.]+ ' net
}
ok "the network" stays
ok "the paper's symbol in place of ours" sh -c '"$1" why -m nuba -w gemm:input=small --model mdr 2>/dev/null | grep -qE "^ +B_NoC +1.4 TB/s  section 5 +noc"' - "$binary"
# The answer is that of whatif, and so is what limits it.
same() {
    "$binary" why -m sac -w gemm:input=small --model network --format json >why.json &&
        "$binary" whatif -m sac -w gemm:input=small --model network -o memory-side --format json >whatif.json &&
        [ "$(json effective_bandwidth why.json)" = "$(json effective_bandwidth whatif.json)" ]
}
ok "the bandwidth is that of whatif" same
# Shares of a request's time are all of it; twice of a resource is what the model says (inter_x2).
stations() {
    awk '/"stations"/ { on = 1 } /"launches"/ { on = 0 } on && /"share"/ { sub(/,/, ""); sum += $2 }
        END { exit !(sum > 0.999999 && sum < 1.000001) }' why.json
}
ok "the way of a request is all of its time" stations
twice() {
    awk -v here="$(json effective_bandwidth why.json)" -v more="$(json inter_x2 whatif.json)" '
        /"resource": "inter"/ { on = 1 } on && /"twice"/ { sub(/,/, ""); d = $2 * here / more - 1; on = 0; found = 1 }
        END { exit !(found && d < 1e-9 && -d < 1e-9) }' why.json
}
ok "twice the links, as the model says" twice
ok "a choice launch by launch" sh -c '"$1" why -m sac -o sac -w bfs:input=small --model network | grep -q "^The way of a request"' - "$binary"
launches() {
    "$binary" why -m sac -w bfs:input=small --model bottleneck --format json |
        awk '/"launches": \[/ { on = 1 } /"parameters"/ { on = 0 }
            on && /"share"/ { sub(/,/, ""); if (n++ && $2 > last) bad = 1; last = $2; sum += $2 }
            END { exit !(n == 12 && !bad && sum > 0.999 && sum < 1.001) }'
}
ok "launches, the longest first" launches

# --- two of them
added() { # options: the terms are the logarithm of the ratio
    "$binary" why "$@" --format json >two.json &&
        awk '/"log_ratio"/ { sub(/,/, ""); want = $2 } /"term": "time"/ { last = 1 }
            /"contribution"/ && !last { sub(/,/, ""); sum += $2; n++ }
            END { d = sum - want; exit !(n > 0 && d < 1e-8 && -d < 1e-8) }' two.json
}
for model in network bottleneck eab; do
    ok "terms add up: organisations, $model" added -m sac -w bfs:input=small --model $model --between memory-side,sm-side
done
ok "terms add up: a choice" added -m sac -w bfs:input=small --between llc.organisation=memory-side,sac
ok "terms add up: machines" added -w stream:input=small --between mcm,mcm-optimised
ok "terms add up: a parameter" added -m sac -w gemm:input=small --between inter.link_bandwidth=48GB/s,192GB/s
half() { # by hand: half the links, half the bandwidth
    why --between inter.link_bandwidth=96GB/s,48GB/s >half && grep -q '48GB/s takes 2x the time of 96GB/s' half &&
        grep -qE '^inter  *1.152 TB/s  *576 GB/s  *0.693  *2.000$' half
}
ok "by hand" half

# --- beside the simulation: 22 pairs of machine and workload; what the bound names is what is busy for more than 90 %
agrees() {
    "$binary" validate limits --workload gemm --workload stencil --format csv >limits.csv &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { n++; same += $at["network_agrees"]; bound += $at["bottleneck_agrees"] }
            $at["busy"] > 0.9 { busy++; held += $at["bottleneck_agrees"] }
            END { print n, same, bound, busy, held; exit !(n == 22 && same >= 14 && bound >= 16 && busy >= 5 && held == busy) }' limits.csv
}
if $thorough; then
    ok "the busiest resource is the simulation's" agrees
else
    skip "the busiest resource is the simulation's" "results are the same for every build"
fi

fails "no machine" "why needs a machine" "$binary" why -w gemm:input=small
fails "no workload" "why needs a workload" "$binary" why -m sac
fails "two workloads" "takes one workload" "$binary" why -m sac -w gemm:input=small -w bfs:input=small
fails "a setting without effect" "has no effect" "$binary" why -m sac -w hand.profile.yaml --model eab -s sm.clock=2GHz
fails "one design" "expected two designs" why --between memory-side
fails "one twice" "the two are the same" why --between sm-side,sm-side
fails "an organisation misspelt" 'did you mean "sm-side"?' why --between memory-side,sm-sid
fails "a machine and machines" "either" why --between sac,sac-2chip
fails "an unknown machine" 'did you mean "sac"?' "$binary" why -w gemm:input=small --between sac,sax
fails "a setting that is varied" "say the same" why -s llc.organisation=sac --between memory-side,sm-side
fails "an unknown parameter" "did you mean" why --between llc.bandwith=1TB/s,2TB/s
finish

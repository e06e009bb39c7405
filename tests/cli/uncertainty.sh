#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape uncertainty: formats, seeds and threads, pictures, what is refused and where.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cp "$top/tests/data/hand.profile.yaml" .
cat >s.yaml <<'END'
space: s
machine: sac
workloads: [hand.profile.yaml]
models: [bottleneck]
axes:
  inter.link_bandwidth: {values: [96, 192, 384], unit: GB/s}
  llc.organisation: [memory-side, sm-side]
uncertainty: {inter.link_bandwidth: +-5%}
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
END
ask() { "$binary" uncertainty s.yaml "$@"; }

ok "words" sh -c 'ask=$1; "$ask" uncertainty s.yaml | grep -q "^s: 1000 draws of 1 stated error; 6 of 6 designs evaluated in each$"' - "$binary"
# By hand: 12 times the link's bandwidth memory-side, where memory does not bind: 5th and 95th percentile of +-5 %.
by_hand() {
    ask --format csv | awk -F, 'NR > 1 && $3 == 96e9 && $4 == "memory-side" { n = 1
        if ($9 != 1152e9 || $10 / 1152e9 < 0.952 || $10 / 1152e9 > 0.958 || $12 / 1152e9 < 1.042 || $12 / 1152e9 > 1.048) exit 1 }
        END { exit !n }'
}
ok "the band by hand" by_hand
threads() { ask -j 1 --format csv >one && ask -j 2 --format csv >two && ask -j 5 --format csv >five && cmp one two && cmp one five; }
ok "any number of threads" threads
seeds() { ask --seed 2 --format csv >other && ! cmp -s one other; }
ok "another seed" seeds
ok "JSON" sh -c '"$1" uncertainty s.yaml --format json | grep -q "\"in_top\":"' - "$binary"
ok "the command line's instead of the space's" sh -c '"$1" uncertainty s.yaml --vary inter.link_bandwidth=+-10% --format csv >wide && ! cmp -s one wide' - "$binary"
ok "a picture" sh -c '"$1" uncertainty s.yaml --plot bands.txt >/dev/null && grep -q rank bands.txt' - "$binary"

fails "no effect" "the spread of sm.clock has no effect" ask --vary sm.clock=+-5%
fails "no spread" 'no spread: "5%"; it begins with' ask --vary memory.bandwidth=5%
fails "another unit" "its unit is not the parameter's" ask --vary memory.bandwidth=+-5ns
fails "more than all of it" "below 100 %" ask --vary memory.bandwidth=+-500%
fails "two of one number" "given twice" ask --vary memory.bandwidth=+-5% --vary memory.bandwidth=+-1%
fails "which one" 'did you mean "memory.bandwidth"' ask --vary memory.bandwidht=+-5%
fails "what decides over profiles" "decides over profiles" ask --vary line=+-5%
fails "none" "expected PATH=SPREAD" ask --vary memory.bandwidth
fails "no picture" "says no picture" ask --plot bands.xyz
fails "a setting of what varies" "the space varies it" ask -s inter.link_bandwidth=48GB/s
fails "no space" "expected one space" "$binary" uncertainty
sed 's/+-5%/some/' s.yaml >bad.yaml
fails "where it stands" "bad.yaml:8:" "$binary" uncertainty bad.yaml
sed '/^uncertainty/d' s.yaml >none.yaml
fails "no errors" "states no errors" "$binary" uncertainty none.yaml
# A model's own error: of a model without any it is said; a file; none.
ok "not measured" sh -c '"$1" uncertainty s.yaml | grep -qF "the own error of bottleneck, which ranks, was not measured: it is not in this (shipped is that of network alone; --model-error FILE takes another)"' - "$binary"
cat >runs.csv <<'END'
machine,settings,workload,organisation,requests,error_bottleneck,kernel_time_bottleneck
sac,,"a:n=1,m=2",memory-side,9,0.1,1e-5
sac,"x=1 y=2","a:n=1,m=2",memory-side,9,-0.2,2e-5
sac,,b,memory-side,9,,3e-5
sac,,b,sm-side,9,-0.05,3e-5
END
made() { awk -v model=bottleneck -f "$top/models/network/errors.awk" runs.csv >mine.yaml && grep -qF '"a:n=1,m=2": [' mine.yaml && grep -qF '    0.0953, -0.2231]' mine.yaml && grep -q "3 runs, 2 workloads" mine.yaml; }
ok "a file of errors, by hand: ln(1 + error)" made
own() { ask --model-error mine.yaml --format csv >own && ask --model-error mine.yaml -j 5 --format csv | cmp - own && ! cmp -s own one; }
ok "another answer, with any number of threads" own
ok "of what it was measured" sh -c '"$1" uncertainty s.yaml --model-error mine.yaml | grep -q "bottleneck.s own error (validate referee, 3 runs, 2 workloads on 3 machines)"' - "$binary"
none() { ask --model-error none --format csv | cmp - one; }
ok "none" none
own_alone() { sed '/^uncertainty/d' s.yaml >alone.yaml && "$binary" uncertainty alone.yaml --model-error mine.yaml | grep -q "draws of models' own errors; 6 of 6"; }
ok "nothing but the model's" own_alone
no_column() { ! awk -v model=eab -f "$top/models/network/errors.awk" runs.csv >out 2>err && grep -q "no column error_eab" err && ! test -s out; }
ok "a column that there is not" no_column
fails "no such model" "does not ask model network" ask --model-error "$top/models/network/errors.yaml"
fails "none and a file" "stands alone" ask --model-error none --model-error mine.yaml
printf 'model_errors: bottleneck\norigin: x\nerrors: {a: [9]}\n' >bad-errors.yaml
fails "a factor of e^9" "bad-errors.yaml:3:" ask --model-error bad-errors.yaml
finish

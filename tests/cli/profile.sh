#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape profile: making, showing, the cache, and what is refused.
set -u
. tests/cli/common.sh.inc
machine=$top/models/sac/sac.yaml
cd "$scratch" || exit 1
cat >a.btrace <<'END'
bandscape-trace 1
allocation x 0x1000 4096
kernel first grid=2 block=32
r 0x1000 4 stride=4 insts=3
w 0x1000 4 stride=4 cta=1
kernel second
a 0x9000 8
END
printf 'profile: hand-made\npoint: {r_local: 0.7, lsu: {memory-side: 0.9}}\n' >point.yaml
says() { # words command...
    words=$1
    shift
    "$@" | grep -qF -- "$words"
}
same() { # one path, the command's text, another
    cmp -s "$1" "$2"
}

ok "a trace is profiled" "$binary" profile a.btrace --machine "$machine"
ok "into results" grep -q '^profile: a$' results/a.profile.yaml
ok "the table has a row a kernel" says "second" "$binary" profile a.btrace -m "$machine"
cp results/a.profile.yaml first.yaml
ok "again without the cache" "$binary" profile a.btrace -m "$machine" --no-cache -o second.yaml
ok "gives the same bytes" same first.yaml second.yaml
ok "--format yaml prints the file" sh -c '"$1" profile a.btrace -m "$2" --format yaml | cmp - first.yaml' - "$binary" "$machine"
ok "traces count blocks a line" grep -q 'cta_line_pairs: 2$' first.yaml
ok "several sources go to a folder" "$binary" profile a.btrace a.btrace -m "$machine" -o many
ok "with a name each" test -f many/a.profile.yaml -a -f many/a-2.profile.yaml
ok "a stored profile is shown" says "R_local" "$binary" profile show first.yaml
ok "and with a machine its hit rates" says "machine sac" "$binary" profile show first.yaml -m "$machine"
ok "JSON names every field" says '"lsu.memory-side"' "$binary" profile show first.yaml --format json
ok "a hand-made profile is shown" says "0.7" "$binary" profile show point.yaml
ok "another structure is another view" "$binary" profile a.btrace -m "$machine" --set page.size=8KiB -o page.yaml
fails "a view that is not there" "page.size is 4 KiB" "$binary" profile show page.yaml -m "$machine"
fails "no source" "needs a SOURCE" "$binary" profile --machine "$machine"
fails "no machine" "needs a machine" "$binary" profile a.btrace
fails "no file to show" "needs a FILE" "$binary" profile show
fails "a profile as source" "is a profile already" "$binary" profile first.yaml -m "$machine"
fails "a missing source" "missing.btrace" "$binary" profile missing.btrace -m "$machine" -o none/x.yaml
fails "a wrong setting" "did you mean" "$binary" profile a.btrace -m "$machine" --set page.sise=4KiB -o none/x.yaml
fails "pages without homes" "records no homes" "$binary" profile a.btrace -m "$machine" --set page.policy=recorded -o none/x.yaml
ok "nothing was written" test ! -e none
fails "a broken profile" "bad.yaml:2:" sh -c 'printf "profile: x\npoint: {r_local: 7}\n" >bad.yaml; "$1" profile show bad.yaml' - "$binary"
finish

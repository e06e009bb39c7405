#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape network: output and errors.
. tests/cli/common.sh.inc
lazowska=$top/tests/data/lazowska.network.yaml
cd "$scratch" || exit 1

# prints NAME WORDS COMMAND...: it succeeds and its output, blanks and line ends aside,
# contains the words.
prints() {
    name=$1 words=$2
    shift 2
    "$@" >out 2>err && tr -d ' \n' <out | grep -qF -- "$words"
    report $? "$name"
}

prints "a table" "users0.1515164.79982" "$binary" network "$lazowska"
for algorithm in exact mva convolution residual; do
    prints "JSON, $algorithm" '{"algorithm":"'$algorithm'","classes":[{"name":"users","throughput":0.15151649' \
        "$binary" network "$lazowska" --algorithm $algorithm --format json
done
prints "JSON of a station" '"residence_time":0.6439300' "$binary" network "$lazowska" --format json
prints "schweitzer" '"throughput":0.150985872' "$binary" network "$lazowska" -a schweitzer --format json
prints "linearizer" '"throughput":0.15152' "$binary" network "$lazowska" -a linearizer --format json
for algorithm in bounds asymptotic balanced proportional geometric; do
    prints "JSON, $algorithm" '"classes":[{"name":"users","throughput":{"lower":0.1' \
        "$binary" network "$lazowska" --algorithm $algorithm --format json
done
prints "bounds at the top" '{"algorithm":"bounds","throughput":{"lower":0.15066' \
    "$binary" network "$lazowska" --algorithm bounds --format json
ok "a table of bounds" "$binary" network "$lazowska" --algorithm bounds
prints "list algorithms" "linearizer" "$binary" list algorithms

# Zahorjan, p. 148: two open and two closed classes.
cat >mixed.yaml <<'END'
network:
  classes:
    - {name: a, arrival: 1}
    - {name: b, arrival: 0.5 /s}
    - {name: c, population: 1}
    - {name: d, population: 1, think: 0 s}
  stations:
    - {name: x, demand: [0.25, 500 ms, 0.5 s, 1]}
    - {name: y, kind: queue, service: [0.16666666666666666, 1, 1, 1.3333333333333333], visits: [1, 1, 1, 1]}
END
prints "mixed classes" '"queue_length":0.736842105263' "$binary" network mixed.yaml --format json

cat >kinds.yaml <<'END'
network:
  classes: [{name: jobs, population: 3}]
  stations:
    - {name: cpu, kind: multi, servers: 2, service: 0.5, visits: 1}
    - {name: disk, demand: 0.3}
    - {name: tape, kind: load-dependent, rates: [1], demand: [0.4]}
    - {name: wait, kind: delay, demand: 1}
END
prints "several servers, rates, delays" '"throughput":1.217460633' "$binary" network kinds.yaml --format json
prints "iterations take them" '"throughput":1.19' "$binary" network kinds.yaml -a linearizer --format json

cat >md1.yaml <<'END'
network: {classes: [{name: c, arrival: 0.8 Hz}], stations: [{name: q, scv: 0, demand: 1}]}
END
prints "M/D/1" '"response_time":3' "$binary" network md1.yaml --format json

# wrong NAME WORDS CLASSES STATIONS
wrong() {
    printf 'network:\n  classes: %s\n  stations: %s\n' "$3" "$4" >wrong.yaml
    fails "$1" "$2" "$binary" network wrong.yaml
}
class='[{name: c, population: 2}]' station='[{name: s, demand: [1]}]'
wrong "negative demand" 'wrong.yaml:3:33: error: demand: must be 0 or more, got "-1"' "$class" '[{name: s, demand: [-1]}]'
wrong "unstable station" 'wrong.yaml:3:14: error: station "s" is overloaded: open classes ask 1.2' \
    '[{name: c, arrival: 1.2}]' "$station"
wrong "population in parts" 'population: must be a whole number, got "2.5"' '[{name: c, population: 2.5}]' "$station"
wrong "negative population" 'population: must be 0 or more' '[{name: c, population: -2}]' "$station"
wrong "negative think" 'think: must be 0 or more' '[{name: c, population: 2, think: -1 s}]' "$station"
wrong "a wrong unit" 'demand: expected a number like 0.5 s, got "4 KiB"' "$class" '[{name: s, demand: [4 KiB]}]'
wrong "cycles are no time" 'demand: expected a number like 0.5 s' "$class" '[{name: s, demand: [4 cycles]}]'
wrong "not a number" 'got "nan"' "$class" '[{name: s, demand: [nan]}]'
wrong "unbounded class" 'neither demand nor think time' "$class" '[{name: s, demand: [0]}]'
wrong "too few demands" 'demand: 1 number for 2 classes' '[{name: c, population: 2}, {name: d, population: 1}]' "$station"
wrong "two names" 'there are two stations "s"' "$class" '[{name: s, demand: 1}, {name: s, demand: 1}]'
wrong "two class names" 'there are two classes "c"' '[{name: c, population: 2}, {name: c, arrival: 1}]' "$station"
wrong "no kind of class" 'needs either a population or an arrival' '[{name: c}]' "$station"
wrong "both kinds of class" 'needs either a population or an arrival' '[{name: c, population: 1, arrival: 2}]' "$station"
wrong "an open class that thinks" 'an open class does not think' '[{name: c, arrival: .2, think: 1}]' "$station"
wrong "an unknown kind" 'unknown kind of station "quue"' "$class" '[{name: s, kind: quue, demand: [1]}]'
wrong "servers of a queue" 'servers: station "s" does not use it' "$class" '[{name: s, servers: 2, demand: [1]}]'
wrong "multi without servers" 'needs servers' "$class" '[{name: s, kind: multi, demand: [1]}]'
wrong "no server" 'servers: expected' "$class" '[{name: s, kind: multi, servers: 0, demand: [1]}]'
wrong "rates of 0" 'rates: must be positive' "$class" '[{name: s, kind: load-dependent, rates: [1, 0], demand: [1]}]'
wrong "no demand" 'needs either demand, or service and visits' "$class" '[{name: s}]'
wrong "service without visits" 'needs either demand, or service and visits' "$class" '[{name: s, service: [1]}]'
wrong "an unknown key" 'did you mean "demand"' "$class" '[{name: s, demnd: [1]}]'
wrong "no stations" 'stations: expected a list of 1' "$class" '[]'
wrong "scv of an exact solution" 'residual, schweitzer and linearizer take it' "$class" '[{name: s, scv: 0, demand: [1]}]'
fails "an unknown algorithm" 'there is no algorithm "magic"' "$binary" network "$lazowska" --algorithm magic
fails "bounds of an open network" "is open" "$binary" network mixed.yaml --algorithm bounds
fails "bounds of several servers" "one class with queues and delays" "$binary" network kinds.yaml --algorithm geometric
fails "mva of several servers" "has several servers or rates" "$binary" network kinds.yaml --algorithm mva
fails "no file" "expected one YAML file" "$binary" network
printf 'network:\n  classes: [{name: c, population: 1000000}, {name: d, population: 1000000}]\n  stations: [{name: s, demand: [1, 1]}]\n' >large.yaml
fails "too many populations" "schweitzer and linearizer take any population" "$binary" network large.yaml
wrong "numbers that leave the range" 'demand must be 0 s, or 1e-100 s to 1e100 s, not 1e+308 s' "$class" \
    '[{name: s, demand: 1e308}]'
for algorithm in mva convolution schweitzer linearizer bounds; do
    fails "$algorithm of them" "not 1e+308 s" "$binary" network wrong.yaml --algorithm $algorithm
done
fails "simulating them" "not 1e+308 s" "$binary" simulate wrong.yaml
ok "which the linearizer takes" "$binary" network large.yaml --algorithm linearizer
finish
